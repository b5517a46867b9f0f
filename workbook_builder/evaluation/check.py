"""Prove an evaluation workbook again, also an edited one: recalculate it and compare every formula cell."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from openpyxl.utils.cell import coordinate_to_tuple

from workbook_builder import package
from workbook_builder.balance import Report
from workbook_builder.cached import Cells, by_address, read_cells
from workbook_builder.evaluation.book import styled_book
from workbook_builder.evaluation.markup import markup
from workbook_builder.evaluation.proof import balance, expected, reference_of
from workbook_builder.evaluation.reopen import Opened, reopen
from workbook_builder.evaluation.sheets import Stated, rows_of
from workbook_builder.evaluation.stated import stated_faults
from workbook_builder.recalculate import EMBEDDED, Engine, embedded_values


def check(path: Path | str, engines: Sequence[Engine]) -> list[Report]:
    """Compare an evaluation workbook with the reference, as each engine recalculates it.

    Raises InputError when it or one of its yellow cells cannot be read, or lines were added to its lists.
    """
    return check_opened(reopen(path), engines)


def check_opened(opened: Opened, engines: Sequence[Engine]) -> list[Report]:
    """Compare a workbook that was read back, as each engine recalculates it."""
    layout = opened.layout
    _, styles = styled_book()
    stated = Stated(permuted=[(0.0, 0.0, difference) for difference in opened.built])
    sheets = {name: markup(rows_of(name, layout, stated), styles) for name in layout.sheets if name != "about"}
    reference = reference_of(layout)
    wanted = expected(layout, reference, opened.choices, opened.built)
    fresh = package.without_values(opened.data)
    formulas, standing_values = read_cells(fresh)
    titles = {name: layout.title(name) for name in sheets}
    places = {name: [cell.address for cell in made.cells] for name, made in sheets.items()}
    standing = {name: [_text(formulas[titles[name]].get(each)) for each in at] for name, at in places.items()}
    ours = {(titles[name], each) for name, at in places.items() for each in at}
    foreign = [f"{title}!{cell}" for title, cells in formulas.items() for cell in cells if (title, cell) not in ours]

    def report(engine: Engine) -> Report:
        values = _values(fresh, standing_values, engine)
        # A formula that gives an empty text shows nothing.
        shown = {name: [_or_empty(values[titles[name]].get(each)) for each in at] for name, at in places.items()}
        made = balance(layout, sheets, wanted, shown, standing, (engine.name, engine.version or ""), foreign)
        if not made.agrees or not layout.pairs:
            return made
        return replace(made, disagreements=tuple(stated_faults(opened, reference, values[titles["compare"]])))

    return [report(engine) for engine in engines]


def _text(formula: object) -> str | None:
    return None if formula is None else str(formula)


def _or_empty(value: object) -> object:
    return "" if value is None else value


def _values(workbook: bytes, standing: Cells, engine: Engine) -> Cells:
    """What an engine makes of a workbook. The embedded one fills in few enough cells only, so that it is asked."""
    if engine is not EMBEDDED:
        return read_cells(engine.recalculate(workbook))[1]
    extents = {title: _extent(list(cells)) for title, cells in standing.items() if cells}
    return {title: by_address(grid) for title, grid in embedded_values(workbook, extents).items()}


def _extent(addresses: list[str]) -> tuple[int, int]:
    places = [coordinate_to_tuple(address) for address in addresses]
    return max(row for row, _ in places), max(column for _, column in places)
