"""Column widths and row heights: everything is seen whole, nothing shows as ###."""

import math
import re

from openpyxl.cell import Cell
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder.style import look

NARROWEST, WIDEST = 8, 44
ONE_LINE = 16
"""A heading longer than this wraps onto two lines."""

WORD = re.compile(r'"((?:[^"]|"")*)"')
"""A word that a formula may show."""


def fit_columns(sheet: Worksheet) -> None:
    """Make columns as wide as their longest content, and rows of wrapped text as high as it needs."""
    for cells in sheet.iter_cols():
        letter = get_column_letter(cells[0].column)
        width = min(max([NARROWEST, *map(_shown_length, cells)]) * 1.15 + 2, WIDEST)
        sheet.column_dimensions[letter].width = width
        for cell in cells:
            if cell.style == "Text" and isinstance(cell.value, str):
                _raise_row(sheet, cell, math.ceil(len(cell.value) * 1.1 / width))


def _raise_row(sheet: Worksheet, cell: Cell, lines: int) -> None:
    height = lines * look()["sheet"]["row_height"]
    row = sheet.row_dimensions[cell.row]
    row.height = max(row.height or 0, height)


def _shown_length(cell: Cell) -> int:
    if cell.value is None or (cell.data_type == "f" and cell.style != "Words"):
        return NARROWEST
    if cell.data_type == "f":
        return max(map(len, WORD.findall(cell.value)), default=NARROWEST)
    text = str(cell.value)
    if cell.style == "Heading" and len(text) > ONE_LINE:
        words = text.split()
        return min(max(len(" ".join(words[:at])), len(" ".join(words[at:]))) for at in range(1, len(words) + 1))
    return NARROWEST if _flows_on(cell) else len(text)


def _flows_on(cell: Cell) -> bool:
    """Whether a label stands before empty cells that belong to it."""
    following = cell.parent.cell(cell.row, cell.column + 1)
    return cell.style == following.style == "Label" and following.value is None
