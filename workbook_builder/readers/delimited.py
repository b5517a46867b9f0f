"""Tables of text with a header: commas, semicolons with decimal commas, or tabs; BEIR's, Quepid's and OpenSearch's too.

Blanks around a value are not part of it: Quepid puts one before a query that starts like a formula.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.columns import (
    Columns,
    columns_of,
    ignored,
    judged,
    looks_like_header,
    ranked,
    take_judgment,
    take_result,
)
from workbook_builder.readers.gather import Gathered, GatheredJudgments, GatheredRun
from workbook_builder.readers.given import Given

DELIMITERS = ",;\t"
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")


def recognises(given: Given) -> bool:
    """Whether the first line names the columns of judgments or of a run."""
    return bool(given.first_lines) and looks_like_header(_split(given.first_lines[0]))


def recognises_beir(given: Given) -> bool:
    """Whether the first line is BEIR's header."""
    return bool(given.first_lines) and given.first_lines[0].split() == ["query-id", "corpus-id", "score"]


def read_judgments(given: Given) -> Judgments:
    """Judgments from columns of query, document and grade. Raises InputError with every fault."""
    table = _table(given)
    columns = judged(table.columns, table.line)
    gathered = GatheredJudgments(given.name, lambda place, role: (place, columns.name(role)))
    gathered.notes += ignored(columns, ("query", "document", "grade"))
    for place, row in _values(table, columns, gathered, ("grade",)):
        take_judgment(gathered, columns, place, row)
    return gathered.judgments()


def read_run(given: Given, name: str) -> Run:
    """A run from columns of query, document and score or rank. Raises InputError with every fault."""
    return _run(given, name, ordered=False)


def read_ordered_run(given: Given, name: str) -> Run:
    """A run from columns of query and document whose rows stand in rank order. Raises InputError with every fault."""
    return _run(given, name, ordered=True)


def _run(given: Given, name: str, *, ordered: bool) -> Run:
    table = _table(given)
    columns = ranked(table.columns, table.line, ordered=ordered)
    gathered = GatheredRun(given.name, lambda place, role: (place, columns.name(role)), ranks_from=given.ranks_from)
    gathered.notes += ignored(columns, ("query", "document", "score", "rank", "grade"))
    if ordered:
        gathered.notes.append("the rows are taken to stand in rank order")
    for place, row in _values(table, columns, gathered, () if ordered else ("score", "rank")):
        take_result(gathered, columns, place, row, ordered=ordered)
    return gathered.run(name)


@dataclass(frozen=True)
class _Table:
    columns: Columns
    line: int
    delimiter: str
    rows: Iterator[tuple[int, list[str]]]


def _split(line: str) -> list[str]:
    delimiter = max(DELIMITERS, key=line.count)
    return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])


def _table(given: Given) -> _Table:
    """The header, and the rows as they come: (line, fields), blank ones left out."""
    lines = given.lines()
    at, header = 0, ""
    for at, line in enumerate(lines, start=1):  # noqa: B007
        if line.strip() and not line.lstrip().startswith("#"):
            header = line.rstrip("\n")
            break
    if not header:
        remedy = "Begin it with a line such as query_id,doc_id,grade or query_id,doc_id,score."
        raise InputError([Fault(given.name, "the file is empty", remedy)])
    delimiter = max(DELIMITERS, key=header.count)
    columns = columns_of(given.name, [name.strip() for name in _split(header)], at)
    return _Table(columns, at, delimiter, _rows(given.name, lines, at, delimiter))


def _rows(file: str, lines: Iterator[str], before: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    line = before + 1
    try:
        for fields in reader:
            if fields and any(fields):
                yield line, [value.strip() for value in fields]
            line = before + reader.line_num + 1
    except csv.Error as error:
        raise InputError([Fault(file, f"a quoted field is broken ({error})", "Close its quotes.", line=line)]) from None


def _values(
    table: _Table, columns: Columns, gathered: Gathered, numbers: tuple[str, ...]
) -> Iterator[tuple[int, list[str]]]:
    """The rows of the right width, with points for decimal commas where commas do not separate columns."""
    width = len(columns.header)
    at = [columns.at[role] for role in numbers if role in columns.at] if table.delimiter != "," else []
    example = ""
    for line, row in table.rows:
        while len(row) > width and not row[-1]:
            row.pop()
        if len(row) != width:
            problem = f"{width} columns are needed, here are {len(row)}"
            many = f'Put quotes around a value that holds "{table.delimiter}".'.replace("\t", "a tab")
            remedy = many if len(row) > width else f"Give {', '.join(columns.header)}."
            shown = table.delimiter.join(row)
            gathered.faults.append(Fault(gathered.file, problem, remedy, line=line, value=shown))
            continue
        for index in at:
            if "," in row[index] and _DECIMAL_COMMA.fullmatch(row[index]):
                comma, row[index] = row[index], row[index].replace(",", ".")
                if not example:
                    example = f"{comma} is read as {row[index]}"
        yield line, row
    if example:
        gathered.notes.append(f"commas in numbers are decimal commas: {example}")
