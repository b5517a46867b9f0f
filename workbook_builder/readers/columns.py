"""What the columns of a table mean, by the names people give them, for every format that has columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from workbook_builder.errors import Fault, InputError
from workbook_builder.readers.gather import GatheredJudgments, GatheredRun

NAMES: Mapping[str, tuple[str, ...]] = {
    "query": ("queryid", "qid", "topicid", "topic", "query", "querytext"),
    "document": ("docno", "docid", "documentid", "corpusid", "pid", "passageid", "document", "doc", "id"),
    "grade": ("grade", "rating", "relevance", "label", "judgment", "judgement", "rel"),
    "rank": ("rank", "position", "pos"),
    "score": ("score",),
    "query text": ("querytext", "query", "topic"),
    "document text": ("title", "doctitle", "documenttitle", "text", "doctext", "documenttext"),
}
"""Role -> the names it goes by, without case, blanks, hyphens and underscores; the first that is there counts.

An id column goes before one that may hold a text: beside `qid`, a column `query` is the query's text.
"""

FAVOURITE = {"query": "query_id", "document": "doc_id", "grade": "grade", "rank": "rank", "score": "score"}
GRADE_CALLED_SCORE = ({"queryid", "corpusid", "score"}, {"qid", "docid", "score"})
"""Sets of names in which BEIR and ranx call the grade a score."""

NO_ORDER = "Add a column score or rank; if the rows stand in rank order, say --format ordered."


@dataclass(frozen=True)
class Columns:
    """Where each role's column stands (from 0), and what the header calls it."""

    file: str
    at: Mapping[str, int]
    header: tuple[str, ...]

    def name(self, role: str) -> str:
        """What the header calls a role's column."""
        return self.header[self.at[role]] if role in self.at else role


def bare(name: object) -> str:
    """A column's name without case, blanks, hyphens and underscores."""
    return "".join(letter for letter in str(name).casefold() if letter not in " -_.\t")


def columns_of(file: str, header: Sequence[object], line: int | None = 1) -> Columns:
    """The columns of a header. Raises InputError when one is there twice, or two may be the grade."""
    names = [bare(name) for name in header]
    at: dict[str, int] = {}
    faults = []
    for role, known in NAMES.items():
        there = [name for name in known if name in names and names.index(name) not in at.values()]
        if not there:
            continue
        if names.count(there[0]) > 1:
            shown = str(header[names.index(there[0])])
            faults.append(Fault(file, "a column is there twice", "Keep one of the two.", line, shown))
        if role == "grade" and len(there) > 1:
            both = " and ".join(str(header[names.index(name)]) for name in there)
            faults.append(Fault(file, "two columns may hold the grade", "Keep one of the two.", line, value=both))
        at[role] = names.index(there[0])
    if faults:
        raise InputError(faults)
    return Columns(file, at, tuple(map(str, header)))


def looks_like_header(header: Iterable[object]) -> bool:
    """Whether these may be the names of columns of judgments or of a run."""
    names = {bare(name) for name in header}
    roles = {role for role in FAVOURITE if names & set(NAMES[role])}
    return len(roles) >= 2 and bool(roles & {"query", "document"})


def judged(columns: Columns, line: int | None = 1) -> Columns:
    """The columns with all that judgments need. Raises InputError for what is missing."""
    at = dict(columns.at)
    if "grade" not in at and {bare(name) for name in columns.header} in map(set, GRADE_CALLED_SCORE):
        at["grade"] = at.pop("score")
    _need(columns, at, ("query", "document", "grade"), line)
    return Columns(columns.file, at, columns.header)


def ranked(columns: Columns, line: int | None = 1, *, ordered: bool = False) -> Columns:
    """The columns with all that a run needs: a score or a rank beside the ids, or rows in rank order.

    Raises InputError for what is missing.
    """
    _need(columns, columns.at, ("query", "document"), line)
    if not ordered and not {"score", "rank"} & columns.at.keys():
        shown = ",".join(columns.header)
        raise InputError([Fault(columns.file, "there is neither a score nor a rank", NO_ORDER, line, value=shown)])
    return columns


def ignored(columns: Columns, used: Iterable[str]) -> list[str]:
    """The notes on columns that are not read."""
    taken = {columns.at[role] for role in (*used, "query text", "document text") if role in columns.at}
    names = [name for at, name in enumerate(columns.header) if at not in taken and name.strip()]
    return [f"ignored columns: {', '.join(names)}"] if names else []


def take_judgment(gathered: GatheredJudgments, columns: Columns, place: int, row: Sequence[object]) -> None:
    """Take a row of judgments; one that has a query and nothing else names a query that nobody judged."""
    at = columns.at
    query, document, grade = row[at["query"]], row[at["document"]], row[at["grade"]]
    if document in (None, "") and grade in (None, "") and query not in (None, ""):
        gathered.add_query(place, query)
        return
    gathered.add(place, query, document, grade)
    _take_texts(gathered, columns, row, query, document)


def take_result(gathered: GatheredRun, columns: Columns, place: int, row: Sequence[object], *, ordered: bool) -> None:
    """Take a row of a run: the score decides where there is one, else the rank, else the order of the rows."""
    at = columns.at
    query, document = row[at["query"]], row[at["document"]]
    if ordered:
        gathered.add_next(place, query, document)
    elif "score" in at:
        gathered.add_scored(place, query, document, row[at["score"]])
    else:
        gathered.add_ranked(place, query, document, row[at["rank"]])
    _take_texts(gathered, columns, row, query, document)


def _take_texts(
    gathered: GatheredJudgments | GatheredRun, columns: Columns, row: Sequence[object], query: object, document: object
) -> None:
    for role, owner in (("document text", document), ("query text", query)):
        if role in columns.at and owner not in (None, ""):
            text = row[columns.at[role]]
            if role == "document text":
                gathered.say_of_texts(str(owner), text, None, None)
            else:
                gathered.say_of_texts(None, None, str(owner), text)


def _need(columns: Columns, at: Mapping[str, int], roles: Sequence[str], line: int | None) -> None:
    faults = []
    unknown = [name for index, name in enumerate(columns.header) if index not in at.values() and name.strip()]
    for role in roles:
        if role not in at:
            wanted = FAVOURITE[role]
            remedy = f"Name one {wanted}, or one of {', '.join(NAMES[role][:4])}."
            for name in unknown:
                if near := get_close_matches(bare(name), NAMES[role], n=1):
                    remedy = f'{name} is near: call it "{near[0]}".'
            if role == "grade" and "score" in at:
                remedy = 'If "score" holds the grades, call it "grade".'
            shown = ",".join(columns.header)
            faults.append(Fault(columns.file, f"there is no column of the {role}", remedy, line, value=shown))
    if faults:
        raise InputError(faults)
