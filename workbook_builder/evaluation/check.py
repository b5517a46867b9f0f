"""Prove an evaluation workbook again, also an edited one: recalculate it and compare every formula cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple

from workbook_builder import package
from workbook_builder.balance import Report
from workbook_builder.cached import Cells, read_cells
from workbook_builder.evaluation.book import styled_book
from workbook_builder.evaluation.markup import markup
from workbook_builder.evaluation.proof import balance, expected, reference_of
from workbook_builder.evaluation.reopen import Opened, reopen
from workbook_builder.evaluation.sheets import Stated, rows_of
from workbook_builder.recalculate import EMBEDDED, Engine, embedded_values


@dataclass(frozen=True)
class Standing:
    """The cells of a workbook that was read back, by the names of the sheets, however its tabs are called now."""

    titles: dict[str, str]
    formulas: Cells
    values: Cells

    def value(self, sheet: str, at: int, row: int, column: int) -> object:  # noqa: ARG002
        """What a formula cell shows; a formula that gives an empty text shows nothing."""
        value = self.values.get(self.titles[sheet], {}).get(f"{get_column_letter(column)}{row}")
        return "" if value is None else value

    def standing(self, sheet: str, at: int, row: int, column: int) -> str | None:  # noqa: ARG002
        """The formula that stands in a cell."""
        found = self.formulas.get(self.titles[sheet], {}).get(f"{get_column_letter(column)}{row}")
        return None if found is None else str(found)


def check(path: Path | str, engines: Sequence[Engine]) -> list[Report]:
    """Compare an evaluation workbook with the reference, as each engine recalculates it.

    Raises InputError when it or one of its yellow cells cannot be read, or lines were added to its lists.
    """
    opened = reopen(path)
    return [check_opened(opened, engine) for engine in engines]


def check_opened(opened: Opened, engine: Engine) -> Report:
    """Compare a workbook that was read back, as one engine recalculates it."""
    layout = opened.layout
    _, styles = styled_book()
    stated = Stated(permuted=[(0.0, 0.0, difference) for difference in opened.built])
    sheets = {name: markup(rows_of(name, layout, stated), styles) for name in layout.sheets if name != "about"}
    wanted = expected(layout, reference_of(layout), opened.choices, opened.built)
    fresh = package.without_values(opened.data)
    formulas, values = read_cells(fresh)
    values = _embedded(fresh, values) if engine is EMBEDDED else read_cells(engine.recalculate(fresh))[1]
    titles = {**{name: layout.title(name) for name in layout.sheets}, **opened.titles}
    ours = {
        (titles[name], f"{get_column_letter(cell.column)}{cell.row}") for name in sheets for cell in sheets[name].cells
    }
    foreign = [f"{title}!{cell}" for title, cells in formulas.items() for cell in cells if (title, cell) not in ours]
    cells = Standing(titles, formulas, values)
    return balance(layout, sheets, wanted, cells, (engine.name, engine.version or ""), foreign)


def _embedded(workbook: bytes, standing: Cells) -> Cells:
    """The embedded engine's values. It fills in no more than so many cells by itself, so that they are asked for."""
    extents = {title: _extent(list(cells)) for title, cells in standing.items() if cells}
    grids = embedded_values(workbook, extents)
    return {
        title: {
            f"{get_column_letter(column)}{row}": value
            for row, cells in enumerate(grid, 1)
            for column, value in enumerate(cells, 1)
        }
        for title, grid in grids.items()
    }


def _extent(addresses: list[str]) -> tuple[int, int]:
    places = [coordinate_to_tuple(address) for address in addresses]
    return max(row for row, _ in places), max(column for _, column in places)
