"""What a sheet module hands over: rows of cells, a formula beside the name of its reference value."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from workbook_builder.errors import TemplateError
from workbook_builder.lesson import templates


class Cell(NamedTuple):
    """One cell: a value, or a formula and the name under which the reference knows what it gives."""

    column: int
    style: str
    value: float | str | None = None
    formula: str | None = None
    name: str = ""


class Row(NamedTuple):
    """One row of cells, by column."""

    number: int
    cells: list[Cell]
    height: float | None = None


class Canvas:
    """Cells put down in any order, for a sheet of several tables; `rows` gives them in the order of the file."""

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, Cell]] = {}
        self._heights: dict[int, float] = {}

    def put(self, row: int, column: int, style: str, value: float | str | None) -> None:
        """Put a value, or a blank cell with a style."""
        self._rows.setdefault(row, {})[column] = Cell(column, style, value)

    def formula(self, row: int, column: int, style: str, name: str, text: str) -> None:
        """Put a formula."""
        self._rows.setdefault(row, {})[column] = Cell(column, style, None, text, name)

    def height(self, row: int, points: float) -> None:
        """Set a row's height."""
        self._heights[row] = points

    def rows(self) -> Iterator[Row]:
        """Every row that holds something, from the top."""
        for number, cells in sorted(self._rows.items()):
            yield Row(number, [cells[column] for column in sorted(cells)], self._heights.get(number))


@cache
def formulas() -> Mapping[str, Mapping[str, str]]:
    """The formulas of an evaluation by sheet and name, as `templates/evaluation/formulas.toml` states them."""
    return tomllib.loads((templates() / "evaluation" / "formulas.toml").read_text("utf-8"))


def formula(sheet: str, name: str, **places: str | int) -> str:
    """A formula with addresses in place of its names. Raises TemplateError for a name that stands for nothing."""
    try:
        return formulas()[sheet][name].format(**places)
    except KeyError as missing:
        raise TemplateError(f"evaluation formulas, {sheet}.{name}: nothing is called {missing}") from None
