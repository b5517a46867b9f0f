"""Column widths and row heights: everything is seen whole, nothing shows as ###."""

import math
import re

from openpyxl.cell import Cell
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder.style import look, style_of

NARROWEST, WIDEST = 8, 44
ONE_LINE = 16
"""A heading longer than this wraps onto two lines."""

FLOWING = ("Plain", "Note title")
"""Styles of texts that run on over the empty cells to their right."""

WORD = re.compile(r'"((?:[^"]|"")*)"')
"""A word that a formula may show."""


def fit_columns(sheet: Worksheet) -> None:
    """Make columns as wide as their longest content, and rows of wrapped text as high as it needs."""
    lengths: dict[int, int] = {}
    wrapped: list[Cell] = []
    # Walking the sheet's rows would make a cell of every gap between the tables.
    for (row, column), cell in list(sheet._cells.items()):
        style = style_of(cell)
        flows_on = style in FLOWING or (style == "Label" and _is_empty_label(sheet._cells.get((row, column + 1))))
        lengths[column] = max(lengths.get(column, NARROWEST), NARROWEST if flows_on else _shown_length(cell, style))
        if style == "Text" and isinstance(cell.value, str):
            wrapped.append(cell)
    for column in range(1, max(lengths, default=0) + 1):
        width = min(lengths.get(column, NARROWEST) * 1.15 + 2, WIDEST)
        sheet.column_dimensions[get_column_letter(column)].width = width
    for cell in wrapped:
        width = sheet.column_dimensions[cell.column_letter].width
        _raise_row(sheet, cell, math.ceil(len(cell.value) * 1.1 / width))


def widen(sheet: Worksheet, column: int, longest: int) -> None:
    """Make a column wide enough for a text of that many letters."""
    dimension = sheet.column_dimensions[get_column_letter(column)]
    dimension.width = max(dimension.width, min(longest * 1.15 + 2, WIDEST))


def _raise_row(sheet: Worksheet, cell: Cell, lines: int) -> None:
    height = lines * look()["sheet"]["row_height"]
    row = sheet.row_dimensions[cell.row]
    row.height = max(row.height or 0, height)


def _shown_length(cell: Cell, style: str) -> int:
    if cell.value is None or (cell.data_type == "f" and style != "Words"):
        return NARROWEST
    if cell.data_type == "f":
        return max(map(len, WORD.findall(cell.value)), default=NARROWEST)
    text = str(cell.value)
    if style == "Heading" and len(text) > ONE_LINE:
        words = text.split()
        return min(max(len(" ".join(words[:at])), len(" ".join(words[at:]))) for at in range(1, len(words) + 1))
    return len(text)


def _is_empty_label(following: Cell | None) -> bool:
    """Whether the cell after a label belongs to it, so that the label may flow over it."""
    return following is not None and following.value is None and style_of(following) == "Label"
