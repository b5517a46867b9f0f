"""A workbook's values, worked out anew: whatever it claims for its formulas is dropped first."""

import re

import formualizer
from openpyxl import Workbook
from openpyxl.utils.cell import coordinate_to_tuple

from workbook_builder.balance import without_values
from workbook_builder.cached import Cells, read_cells
from workbook_builder.errors import EngineError, Fault, InputError
from workbook_builder.recalculate import EMBEDDED

_EXTERNAL = re.compile(r"\[\d+\]")


def recalculated(book: Workbook, name: str) -> tuple[Cells, Cells]:
    """(formulas, values) with every cached value dropped. A formula no engine can read is an error in its own cell."""
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f" and _EXTERNAL.search(str(getattr(cell.value, "text", cell.value))):
                    cell.value = "#REF!"
    try:
        bare = without_values(book)
    except Exception as error:
        remedy = "Open it in a spreadsheet program and save it again as .xlsx."
        raise InputError([Fault(name, f"it cannot be recalculated ({error})", remedy)]) from error
    try:
        return read_cells(EMBEDDED.recalculate(bare))
    except EngineError:
        formulas, values = read_cells(bare)
        return formulas, _evaluated(bare, formulas, values, name)


def _evaluated(bare: bytes, formulas: Cells, values: Cells, name: str) -> Cells:
    """The values of a workbook that the engine will not write, as one with a circle: what it makes of each cell."""
    try:
        book = formualizer.load_workbook_bytes(bare)
        book.evaluate_all()
    except Exception as error:
        remedy = "Look at its formulas in a spreadsheet program."
        raise InputError([Fault(name, f"it cannot be recalculated ({error})", remedy)]) from error
    found: dict[str, dict[str, object]] = {title: dict(cells) for title, cells in values.items()}
    for title, cells in formulas.items():
        for cell in cells:
            value = book.get_value(title, *coordinate_to_tuple(cell))
            found[title][cell] = "#ERROR!" if isinstance(value, dict) else value
    return found
