"""Excel workbooks: a sheet with a heading row and the columns any table has. Ids should be text cells.

A number in an id's place is read as it stands and noted, because a spreadsheet turns 003 into 3; where the cell shows
something else than its number, as a date or zeros in front, it is refused.
"""

import datetime as dt
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

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
from workbook_builder.readers.gather import Gathered, GatheredJudgments, GatheredRun, Where
from workbook_builder.readers.given import Given
from workbook_builder.readers.text import read_bytes
from workbook_builder.suggest import did_you_mean

MOST_COLUMNS = 500
HEADING_WITHIN = 50
"""The heading row is looked for in the first rows; a sheet without one is not read further."""

PLAIN = {"General", "0", "@", "", "#"}
"""The number formats that show a whole number as it is."""

Row = tuple[int, list[Any]]


def recognises(given: Given) -> bool:
    """Whether it is a zip archive, as every .xlsx is, or an old or protected workbook, which is then refused."""
    return given.head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def read_judgments(given: Given) -> Judgments:
    """Judgments from the sheet asked for, or the first that has query, document and grade."""
    sheet = _chosen(given, ({"query", "document", "grade"},))
    columns = judged(sheet.columns, sheet.line)
    gathered = GatheredJudgments(sheet.name, _cells(columns))
    gathered.notes += ignored(columns, ("query", "document", "grade"))
    for place, row in _values(sheet, columns, gathered, ("query", "document"), ("grade",)):
        take_judgment(gathered, columns, place, row)
    return gathered.judgments()


def read_run(given: Given, name: str) -> Run:
    """A run from the sheet asked for, or the first that has query, document and score or rank."""
    sheet = _chosen(given, ({"query", "document", "score"}, {"query", "document", "rank"}))
    columns = ranked(sheet.columns, sheet.line)
    gathered = GatheredRun(sheet.name, _cells(columns), ranks_from=given.ranks_from)
    gathered.notes += ignored(columns, ("query", "document", "score", "rank", "grade"))
    for place, row in _values(sheet, columns, gathered, ("query", "document"), ("score", "rank")):
        take_result(gathered, columns, place, row, ordered=False)
    return gathered.run(name)


@dataclass(frozen=True)
class _Sheet:
    """A sheet with a heading: how messages call it, its columns, the heading's row and the rows below it."""

    name: str
    title: str
    columns: Columns
    line: int
    rows: Iterator[Row]


def _chosen(given: Given, wanted: Sequence[set[str]]) -> _Sheet:
    from workbook_builder.opened import guard  # noqa: PLC0415  loads openpyxl, for those who have workbooks

    data = read_bytes(given.origin)
    guard(data, given.name)
    sheets = list(_sheets(given.name, data))
    titles = [sheet.title for sheet in sheets]
    if given.sheet is not None:
        for sheet in sheets:
            if sheet.title.casefold() == given.sheet.casefold():
                return sheet
        remedy = did_you_mean(given.sheet, titles) if titles else "Give a sheet whose first row names its columns."
        raise InputError([Fault(given.name, "there is no such sheet with a heading", remedy, value=given.sheet)])
    for needed in wanted:
        for sheet in sheets:
            if needed <= sheet.columns.at.keys():
                return sheet
    if sheets:
        return sheets[0]
    remedy = "Name the columns in the first row: query_id, doc_id and grade, or query_id, doc_id and score or rank."
    raise InputError([Fault(given.name, "no sheet has a heading of such columns", remedy)])


def _sheets(file: str, data: bytes) -> Iterator[_Sheet]:
    """The sheets whose first rows hold a heading."""
    from workbook_builder.opened import open_to_read  # noqa: PLC0415  as above

    formulas = open_to_read(data, file, values=False)
    stored = open_to_read(data, file, values=True) if _has_formulas(data) else None
    for sheet in formulas.worksheets:
        sheet.reset_dimensions()
        for line, cells in enumerate(sheet.iter_rows(max_row=HEADING_WITHIN, max_col=MOST_COLUMNS), start=1):
            header = [cell.value for cell in cells]
            while header and header[-1] is None:
                header.pop()
            if looks_like_header(name for name in header if name is not None):
                name = f"{file}, sheet {sheet.title}"
                names = ["" if each is None else str(each).strip() for each in header]
                columns = columns_of(name, names, line)
                values = None if stored is None else stored[sheet.title]
                yield _Sheet(name, sheet.title, columns, line, _rows(sheet, values, line + 1, len(header)))
                break


def _has_formulas(data: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        return any(b"<f>" in (part := archive.read(name)) or b"<f " in part for name in parts)


def _rows(sheet: Any, values: Any, first: int, width: int) -> Iterator[Row]:
    """(row, cells): a cell that holds a formula is paired with the value stored for it."""
    walk = sheet.iter_rows(min_row=first, max_col=width)
    if values is None:
        yield from ((line, [(cell, cell.value) for cell in cells]) for line, cells in enumerate(walk, start=first))
        return
    values.reset_dimensions()
    stored = values.iter_rows(min_row=first, max_col=width)
    for line, (cells, shown) in enumerate(zip(walk, stored, strict=True), start=first):
        yield line, [(cell, other.value) for cell, other in zip(cells, shown, strict=True)]


def _values(
    sheet: _Sheet, columns: Columns, gathered: Gathered, ids: Sequence[str], numbers: Sequence[str]
) -> Iterator[tuple[int, list[object]]]:
    """The rows that hold something; what a cell cannot be read as is a fault."""
    checked = [(columns.at[role], role) for role in (*ids, *numbers) if role in columns.at]
    for line, pairs in sheet.rows:
        if all(value is None or value == "" for _, value in pairs) and not any(_is_formula(cell) for cell, _ in pairs):
            continue
        row: list[object] = [value.strip() if isinstance(value, str) else value for _, value in pairs]
        row += [None] * (len(columns.header) - len(row))
        wrong = len(gathered.faults)
        for at, role in checked:
            if at < len(pairs):
                _check(gathered, line, role, *pairs[at], is_id=role in ids)
        if len(gathered.faults) == wrong:
            yield line, row


def _check(gathered: Gathered, line: int, role: str, cell: Any, value: object, *, is_id: bool) -> None:
    if _is_formula(cell) and value is None:
        remedy = "Open the file in a spreadsheet program and save it, so that the value is stored."
        gathered.fault(line, role, "a formula without its value", remedy, cell.value)
    elif getattr(cell, "data_type", "") == "e" or (
        isinstance(value, str) and value.startswith("#") and _is_formula(cell)
    ):
        gathered.fault(line, role, "the cell holds an error", "Mend it.", value)
    elif isinstance(value, dt.date | dt.time | dt.timedelta | bool):
        remedy = "Format the column as text and enter it again."
        gathered.fault(line, role, "a date or a truth value, which a spreadsheet may have made of it", remedy, value)
    elif is_id and isinstance(value, int | float) and cell.number_format not in PLAIN:
        problem = f'this id is a number that the cell shows in the form "{cell.number_format}"'
        gathered.fault(line, role, problem, "Format the column as text and enter the id again.", value)


def _is_formula(cell: Any) -> bool:
    return getattr(cell, "data_type", "") == "f"


def _cells(columns: Columns) -> Where:
    from workbook_builder.opened import address  # noqa: PLC0415  as above

    def where(place: int, role: str) -> tuple[int | None, str]:
        return None, f"{address(place, columns.at[role] + 1)} ({columns.name(role)})"

    return where
