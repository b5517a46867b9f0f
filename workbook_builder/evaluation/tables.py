"""The lists of an evaluation workbook read back: Judgments and Results, also with lines that somebody added."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openpyxl import Workbook
from openpyxl.utils import get_column_letter

from workbook_builder.errors import Fault
from workbook_builder.evaluation.columns import Ideal, Judgments, Results
from workbook_builder.evaluation.layout import FIRST, Layout, Line
from workbook_builder.inputs import UNLISTED
from workbook_builder.readers.text import control_fault
from workbook_builder.readers.values import UnusableError, grade, rank


@dataclass
class Tables:
    """What the lists hold: the lines of Judgments by query, in the order of the sheet, and every system's results."""

    lines: dict[str, tuple[Line, ...]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    query_texts: dict[str, str] = field(default_factory=dict)
    rankings: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    scores: dict[str, dict[str, tuple[float, ...]]] = field(default_factory=dict)
    rows: tuple[int, int] = (0, 0)
    orders: tuple[str, str] = ("", "")

    @property
    def grades(self) -> Mapping[str, Mapping[str, float]]:
        """The judgments by query and document."""
        return {
            query: {document: given for document, given in lines if given is not None}
            for query, lines in self.lines.items()
        }

    def unlisted(self, levels: Sequence[float], file: str, title: str) -> Iterator[Fault]:
        """A fault for each grade that the table of gains does not have."""
        met = {given for lines in self.lines.values() for _, given in lines if given is not None}
        for given in sorted(met - set(levels)):
            remedy = "Choose one that is there, or build it again from this file: workbook-builder evaluate FILE."
            yield Fault(file, "this grade is not in the table of gains", remedy, column=title, value=f"{given:g}")


def read_tables(
    book: Workbook, titles: Mapping[str, str], systems: Sequence[str], gap: str, file: str, faults: list[Fault]
) -> Tables:
    """Read the lists of a workbook opened for reading only; what is wrong in them is added to `faults`.

    `gap` is the word that stands for a rank without a document, as document and as grade.
    """
    tables = Tables()
    judged = _judgments(book, titles["judgments"], file, faults, tables)
    if titles["ideal"] in book.sheetnames:
        rows = book[titles["ideal"]].iter_rows(FIRST, None, 1, Ideal.text, values_only=True)
        tables.query_texts = {str(query): str(text) for query, text in rows if query is not None and text is not None}
    listed = _results(book, titles["results"], systems, gap, file, faults, tables)
    tables.rows, tables.orders = (judged[0], listed[0]), (judged[1], listed[1])
    return tables


def order_of(lines: Iterable[tuple[object, ...]]) -> str:
    """A checksum of what stands where: a list's rows, each its number and its ids, in the order of the sheet."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update("\t".join(map(str, line)).encode() + b"\n")
    return digest.hexdigest()[:16]


def orders_as_built(layout: Layout) -> tuple[str, str]:
    """The checksums of Judgments and of Results as a layout writes them."""
    evaluation, queries = layout.evaluation, range(len(layout.evaluation.queries))
    judged = (
        (row, evaluation.queries[query], document)
        for query in queries
        for row, (document, _) in enumerate(layout.lines[query], layout.pools[query].first)
    )
    listed = (
        (layout.listings[system][query].first + rank - 1, run.name, evaluation.queries[query], rank, document)
        for system, run in enumerate(evaluation.runs)
        for query in queries
        for rank, document in enumerate(run.rankings.get(evaluation.queries[query], ()), 1)
    )
    return order_of(judged), order_of(listed)


def _judgments(book: Workbook, title: str, file: str, faults: list[Fault], tables: Tables) -> tuple[int, str]:
    lines: dict[str, dict[str, float | None]] = {}
    met: list[tuple[object, ...]] = []
    for row, cells in _rows(book, title, Judgments.grade):
        query, document, text, given = cells
        met.append((row, query, document))
        names = [_name(file, title, row, column, value, faults) for column, value in ((1, query), (2, document))]
        if None in names:
            continue
        value = None
        if given is not None:
            try:
                value = grade(None if isinstance(given, str | bool) else given)
            except UnusableError as unusable:
                remedy = "Type it as a number, not as text." if isinstance(given, str) else unusable.remedy
                faults.append(Fault(file, unusable.problem, remedy, column=f"{title}!D{row}", value=str(given)))
        listed = lines.setdefault(str(names[0]), {})
        if names[1] in listed:
            problem = f'query "{names[0]}" has this document in a line above'
            faults.append(Fault(file, problem, "Keep one of the two.", column=f"{title}!B{row}", value=names[1]))
        listed[str(names[1])] = value
        if text is not None:
            tables.texts[str(names[1])] = str(text)
    tables.lines = {query: tuple(listed.items()) for query, listed in lines.items()}
    for query, kept in tables.lines.items():
        if all(given is None for _, given in kept):
            problem = f'query "{query}" has no grade left, and a mean over other queries is another mean'
            faults.append(Fault(file, problem, "Give at least one of its documents a grade.", column=title))
    return len(met), order_of(met)


def _results(
    book: Workbook, title: str, systems: Sequence[str], gap: str, file: str, faults: list[Fault], tables: Tables
) -> tuple[int, str]:
    found: dict[str, dict[str, dict[int, tuple[str, float | None]]]] = {system: {} for system in systems}
    met: list[tuple[object, ...]] = []
    for row, cells in _rows(book, title, Results.text):
        (system, query, at, document, score, shown), text = cells[: Results.grade], cells[-1]
        # A document may be called like the gap; its grade is not.
        unlisted = document == shown == gap
        met.append((row, system, query, f"{at:g}" if isinstance(at, float) else at, UNLISTED if unlisted else document))
        if system not in found:
            problem, remedy = "there is no such system in this workbook", f"Known are {', '.join(systems)}."
            faults.append(Fault(file, problem, remedy, column=f"{title}!A{row}", value=_said(system)))
            continue
        names = [_name(file, title, row, column, value, faults) for column, value in ((2, query), (4, document))]
        try:
            place = rank(None if isinstance(at, str | bool) else at)
        except UnusableError as unusable:
            faults.append(Fault(file, unusable.problem, unusable.remedy, column=f"{title}!C{row}", value=str(at)))
            continue
        if None in names:
            continue
        if text is not None:
            tables.texts[str(names[1])] = str(text)
        listed = found[str(system)].setdefault(str(names[0]), {})
        if place in listed:
            problem = f'{system} has rank {place} of query "{names[0]}" in a line above'
            faults.append(Fault(file, problem, "Give each result its own rank.", column=f"{title}!C{row}"))
        usable = score in ("inf", "-inf") or (isinstance(score, int | float) and not isinstance(score, bool))
        listed[place] = (UNLISTED if unlisted else str(names[1]), float(score) if usable else None)
    for system, queries in found.items():
        tables.rankings[system] = {query: _in_order(listed) for query, listed in queries.items()}
        values = {
            query: tuple(score for _, (_, score) in sorted(listed.items()) if score is not None)
            for query, listed in queries.items()
        }
        if queries and all(len(values[query]) == len(tables.rankings[system][query]) for query in queries):
            tables.scores[system] = values
    return len(met), order_of(met)


def _said(value: object) -> str | None:
    return None if value is None else str(value)


def _in_order(listed: Mapping[int, tuple[str, float | None]]) -> tuple[str, ...]:
    """The documents by rank; a rank without a line holds none."""
    return tuple(listed.get(place, (UNLISTED, None))[0] for place in range(1, max(listed) + 1))


def _rows(book: Workbook, title: str, last_column: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Every row below the headings that is not blank."""
    for row, cells in enumerate(book[title].iter_rows(FIRST, None, 1, last_column, values_only=True), FIRST):
        if any(value is not None for value in cells):
            yield row, (*cells, *[None] * (last_column - len(cells)))


def _name(file: str, title: str, row: int, column: int, value: object, faults: list[Fault]) -> str | None:
    """An id, which is text; a number in its cell may have been another text before."""
    place = f"{title}!{get_column_letter(column)}{row}"
    if isinstance(value, str) and value:
        if fault := control_fault(file, value, None, place):
            faults.append(fault)
        return value
    if value is None or value == "":
        faults.append(Fault(file, "the id is missing", "Fill it in, or clear the whole line.", column=place))
    else:
        problem = "this id is a number, and ids are text: 3 and 003 differ"
        faults.append(Fault(file, problem, f"Type '{value} with the apostrophe.", column=place, value=str(value)))
    return None
