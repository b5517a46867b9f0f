"""Gathers judgments and results one by one, whatever the format, and keeps what is wrong with where it stands."""

import math
from array import array
from collections.abc import Callable, Iterator

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import UNLISTED, Judgments, Run
from workbook_builder.readers.text import control_fault
from workbook_builder.readers.trec import in_order
from workbook_builder.readers.values import MOST_TEXT, UnusableError, grade, number, rank

Place = int
"""Where something stands, in the format's own count: a line, a row, an entry."""

Where = Callable[[Place, str], tuple[int | None, str]]
"""How messages call a place and what is there (query, document, grade, rank or score): a line and a column."""

DEEPEST = 100_000
"""A rank beyond this is a document id in the wrong column, not a rank."""

MOST_FAULTS = 10_000
"""A file that is wrong throughout is not read to its end."""

MOST_EXACT = 10**15
"""Spreadsheets keep 15 digits: a longer number may not be the id that was typed."""


def by_line(place: Place, role: str) -> tuple[int | None, str]:
    """For formats of lines."""
    return place, role


def as_number(value: object) -> float | None:
    """A value as float64; None for what is none: truth values, text that is no number, NaN."""
    if isinstance(value, str):
        return number(value)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return None
    try:
        converted = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isnan(converted) else converted


class Gathered:
    """What judgments and runs have in common: faults, ids, texts, and notes on how they were understood."""

    def __init__(self, file: str, where: Where = by_line) -> None:
        self.file = file
        self.where = where
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.texts: dict[str, str] = {}
        self.query_texts: dict[str, str] = {}
        self._values: dict[str, dict[str, float]] = {}
        self._places: dict[str, array[int]] = {}
        self._numeric: list[str] = []
        self._numeric_count = 0

    def _put(self, place: Place, query: str, document: str, value: float) -> tuple[float, str] | None:
        """Keep a document's value; the value and the place of the earlier one, which stays, when there is one."""
        listed = self._values.get(query)
        if listed is None:
            listed = self._values[query] = {}
            self._places[query] = array("q")
        before = listed.setdefault(document, value)
        places = self._places[query]
        if len(listed) > len(places):
            places.append(place)
            return None
        return before, self._said(places[list(listed).index(document)])

    def _said(self, place: Place) -> str:
        line, column = self.where(place, "document")
        return column if line is None else f"line {line}"

    def fault(self, place: Place, role: str, problem: str, remedy: str, value: object = None) -> None:
        """Keep a fault; raises InputError when there are MOST_FAULTS."""
        line, column = self.where(place, role)
        self.faults.append(Fault(self.file, problem, remedy, line, column, None if value is None else str(value)))
        if len(self.faults) >= MOST_FAULTS:
            raise InputError(self.faults)

    def identifier(self, place: Place, role: str, value: object) -> str | None:
        """An id as text; None, with a fault, for what is none. A whole number is read as it stands, and noted."""
        if isinstance(value, str):
            if not value:
                self.fault(place, role, f"the {role} is empty", f"Give the {role}'s id.")
                return None
            if value.isascii() and value.isprintable():
                return value
            line, column = self.where(place, role)
            if odd := control_fault(self.file, value, line, column):
                self.faults.append(odd)
                return None
            return value
        if value is None:
            self.fault(place, role, f"the {role} is empty", f"Give the {role}'s id.")
            return None
        exact = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST_EXACT
        if not isinstance(value, int | float) or not exact or value != int(value):
            remedy = "Give ids as text: format the column as text and enter them again."
            self.fault(place, role, "this id is neither text nor a whole number of up to 15 digits", remedy, value)
            return None
        text = str(int(value))
        self._numeric_count += 1
        if not self._numeric:
            line, column = self.where(place, role)
            self._numeric.append(f'{column if line is None else f"line {line}, {column}"}, "{text}"')
        return text

    def say_of_texts(self, document: str | None, text: object, query: str | None, query_text: object) -> None:
        """Keep a document's and a query's text; the first one given stays."""
        if document and (clean := _clean(text)):
            self.texts.setdefault(document, clean)
        if query and (clean := _clean(query_text)):
            self.query_texts.setdefault(query, clean)

    def closing_notes(self) -> Iterator[str]:
        """What to tell of the whole file."""
        yield from (f"{self.file}: {note}" for note in self.notes)
        if self._numeric:
            yield (
                f"{self.file}: {self._numeric_count} ids are numbers and are read as they stand (the first: "
                f"{self._numeric[0]}); zeros in front, as in 003, may have been lost where they were stored"
            )


class GatheredJudgments(Gathered):
    """Judgments as they come."""

    def __init__(self, file: str, where: Where = by_line) -> None:
        super().__init__(file, where)
        self._repeated: list[str] = []
        self._repeats = 0
        self._ungraded = 0

    def add(self, place: Place, query: object, document: object, given: object) -> None:
        """Take one judgment; an empty grade says that nobody judged this document."""
        query_id = self.identifier(place, "query", query)
        doc_id = self.identifier(place, "document", document)
        if given is None or given == "":
            self._ungraded += 1
            return
        try:
            value = grade(as_number(given))
        except UnusableError as unusable:
            self.fault(place, "grade", unusable.problem, unusable.remedy, given)
            return
        if query_id is None or doc_id is None:
            return
        if (found := self._put(place, query_id, doc_id, value)) is None:
            return
        before, earlier = found
        if before == value:
            self._repeats += 1
            if not self._repeated:
                self._repeated.append(f'{self._said(place)} repeats {earlier}, query "{query_id}", document "{doc_id}"')
        else:
            problem = f'query "{query_id}", document "{doc_id}" was judged {before:g} in {earlier}, here'
            self.fault(place, "grade", problem, "Keep one of the two.", given)

    def add_query(self, place: Place, query: object) -> None:
        """Take a query that has no judgment in this line."""
        self.identifier(place, "query", query)
        self._ungraded += 1

    def judgments(self) -> Judgments:
        """All of them; raises InputError with every fault, or when there is none."""
        if not self.faults and not self._values:
            self.faults.append(Fault(self.file, "there is no judgment in it", "Give query, document and grade."))
        if self.faults:
            raise InputError(self.faults)
        if self._ungraded:
            self.notes.append(f"{self._ungraded} entries have no grade: nobody judged these, and they are left out")
        if self._repeated:
            self.notes.append(f"{self._repeats} repeated judgments count once (the first: {self._repeated[0]})")
        return Judgments(self._values, self.file, tuple(self.closing_notes()), self.texts, self.query_texts)


class GatheredRun(Gathered):
    """Results as they come: with scores, with ranks alone, or in rank order."""

    def __init__(self, file: str, where: Where = by_line, *, ranks_from: int = 1) -> None:
        super().__init__(file, where)
        self.ranks_from = ranks_from
        self._scored = False

    def add_scored(self, place: Place, query: object, document: object, score: object) -> None:
        """Take one result with its score."""
        self._scored = True
        value = as_number(score)
        if value is None:
            self.fault(place, "score", "the score is no number", "Give a number.", "" if score is None else score)
        self._add(place, query, document, value)

    def add_ranked(self, place: Place, query: object, document: object, given: object) -> None:
        """Take one result with its rank, which is its position."""
        position = None
        try:
            position = rank(as_number(given), self.ranks_from, DEEPEST) + 1 - self.ranks_from
        except UnusableError as unusable:
            self.fault(place, "rank", unusable.problem, unusable.remedy, "" if given is None else given)
        self._add(place, query, document, position)

    def add_next(self, place: Place, query: object, document: object) -> None:
        """Take the next result of a query, in rank order."""
        self._add(place, query, document, len(self._values.get(str(query), ())) + 1)

    def add_query(self, query: str) -> None:
        """Take a query that may have no result."""
        self._values.setdefault(query, {})
        self._places.setdefault(query, array("q"))

    def _add(self, place: Place, query: object, document: object, value: float | None) -> None:
        query_id = self.identifier(place, "query", query)
        doc_id = self.identifier(place, "document", document)
        if query_id is None or doc_id is None or value is None:
            return
        if found := self._put(place, query_id, doc_id, value):
            problem = f'query "{query_id}" has this document already in {found[1]}'
            self.fault(place, "document", problem, "Keep one of the two.", doc_id)

    def run(self, name: str) -> Run:
        """All of them, in rank order; raises InputError with every fault, or when there is none."""
        rankings: dict[str, tuple[str, ...]] = {}
        scores: dict[str, tuple[float, ...]] | None = {} if self._scored else None
        for query, found in self._values.items():
            if scores is not None:
                rankings[query], scores[query] = in_order(list(found), list(found.values()))
            else:
                rankings[query] = self._positions(query, found)
        if not self.faults and not any(rankings.values()):
            self.faults.append(Fault(self.file, "there is no result in it", "Give query, document and score or rank."))
        if self.faults:
            raise InputError(self.faults)
        if gaps := {query: documents.index(UNLISTED) for query, documents in rankings.items() if UNLISTED in documents}:
            count = sum(documents.count(UNLISTED) for documents in rankings.values())
            query, at = next(iter(gaps.items()))
            shown = f'as rank {at + self.ranks_from} of query "{query}"'
            self.notes.append(f"{count} ranks are not listed and count as grade 0, {shown}")
        return Run(name, rankings, scores, tuple(self.closing_notes()), self.texts, self.query_texts)

    def _positions(self, query: str, found: dict[str, float]) -> tuple[str, ...]:
        """The documents by position, `UNLISTED` in the gaps; two at one position are a fault."""
        listed: list[str] = [UNLISTED] * int(max(found.values(), default=0))
        for place, (document, position) in zip(self._places[query], found.items(), strict=True):
            at = int(position) - 1
            if listed[at] != UNLISTED:
                problem = f'query "{query}" has the document "{listed[at]}" at this rank already'
                self.fault(place, "rank", problem, "Give each result its own rank.", at + self.ranks_from)
            listed[at] = document
        return tuple(listed)


def _clean(text: object) -> str:
    if text is None or text == "":
        return ""
    words = " ".join(str(text).split())
    return "".join(letter for letter in words if letter.isprintable())[:MOST_TEXT]
