"""Balance the two books: every formula cell of a workbook against its named reference value."""

import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING

from openpyxl import Workbook

from workbook_builder import package
from workbook_builder.cached import Cells, read_cells
from workbook_builder.errors import TemplateError
from workbook_builder.grid import Address
from workbook_builder.recalculate import Engine
from workbook_builder.reopen import Opened
from workbook_builder.sheet import Sheet
from workbook_builder.steps import STEPS, Steps

if TYPE_CHECKING:
    import pandas as pd

TOLERANCE = 1e-12
"""Relative to the reference; engines differ from float64 by some 1e-14."""
SMALL = 0.1
"""Below this the difference is taken relative to it: two numbers that cancel leave the rounding of larger ones."""

NEEDLESS_QUOTES = re.compile(r"'((?:[^']|'')+)'!")
NEWER_NAMES = {"_XLFN.STDEV.S(": "STDEV(", "_XLFN.T.INV.2T(": "TINV(", "_XLFN.T.TEST(": "TTEST("}
LONE_CELL = re.compile(r"\b([A-Z]{1,3}\d+):\1\b")
SHOWN = 20
REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?")


@dataclass(frozen=True)
class Disagreement:
    """A formula cell that is not what it should be.

    `formula` is what stands in the cell and `intended` what the lesson puts there; `root` says that none of the cells
    it reads disagrees, so that the cause is in this very cell (or in the reference of its name).
    """

    sheet: str
    cell: str
    name: str
    formula: str | None
    intended: str
    value: object
    expected: float | str
    root: bool = True

    @property
    def damaged(self) -> bool:
        """Whether the formula itself was changed, replaced or removed."""
        return not same(self.formula, self.intended)

    def __str__(self) -> str:
        where = f"{self.sheet}!{self.cell} ({self.name})"
        if self.damaged:
            found = "no formula stands" if self.formula is None else f"{self.formula} stands"
            return f"{where}: the formula is damaged: {found} where {self.intended} belongs; {self._values()}"
        cause = "" if self.root else " (follows from a cell above)"
        return f"{where}: {self._values()}{cause}; formula {self.intended}"

    def _values(self) -> str:
        if difference_of(self.value, self.expected) <= TOLERANCE:
            return "with these inputs the number is right, with others it need not be"
        return f"the sheet says {self.value!r}, the reference {self.expected!r}"


@dataclass(frozen=True)
class Report:
    """What one engine's recalculation of one workbook proved.

    `foreign` lists the formula cells that no lesson put there and that therefore have no reference.
    """

    engine: str
    version: str
    cells: int
    largest_difference: float
    disagreements: tuple[Disagreement, ...] = ()
    foreign: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True when every formula cell equals its reference value."""
        return not self.disagreements

    def to_json(self) -> dict[str, object]:
        """The report as plain data, full doubles."""
        return {
            "engine": self.engine,
            "version": self.version,
            "agrees": self.agrees,
            "cells": self.cells,
            "largest_difference": self.largest_difference,
            "disagreements": [{**asdict(each), "damaged": each.damaged} for each in self.disagreements],
            "foreign": list(self.foreign),
        }

    def to_frame(self) -> "pd.DataFrame":
        """The disagreements as a pandas table, root causes first."""
        import pandas as pd  # noqa: PLC0415 - slow to import, and few need it

        return pd.DataFrame(
            [asdict(each) for each in self.disagreements], columns=[each.name for each in fields(Disagreement)]
        )

    def __str__(self) -> str:
        by = f"({self.engine} {self.version})"
        if self.agrees:
            largest = f"largest difference {self.largest_difference:.1e}"
            lines = [f"{self.cells} formula cells agree with the reference; {largest} {by}"]
        else:
            lines = [f"{len(self.disagreements)} of {self.cells} formula cells disagree {by}:"]
            lines += [f"  {each}" for each in self.disagreements[:SHOWN]]
            if len(self.disagreements) > SHOWN:
                lines.append(f"  ... and {len(self.disagreements) - SHOWN} more")
        if self.foreign:
            more = ", ..." if len(self.foreign) > SHOWN else ""
            lines.append(f"  Not compared, as no lesson put them there: {', '.join(self.foreign[:SHOWN])}{more}")
        return "\n".join(lines)


def check_opened(opened: Opened, engine: Engine) -> Report:
    """Compare a workbook that was read back, as one engine recalculates it."""
    _, values = read_cells(engine.recalculate(without_values(opened.book)))
    return balance(opened.sheets(), opened.titles, formulas_of(opened.book), values, engine)


def without_values(book: Workbook) -> bytes:
    """The workbook's formulas and inputs alone, every cached value dropped: no engine can then quote the file."""
    written = io.BytesIO()
    book.save(written)
    return package.normalised(written.getvalue())


def formulas_of(book: Workbook) -> Cells:
    """The formula cells of an opened workbook. An array formula keeps its text inside an object."""
    return {
        sheet.title: {
            cell.coordinate: str(getattr(cell.value, "text", cell.value))
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "f"
        }
        for sheet in book.worksheets
    }


def balance(
    sheets: Sequence[Sheet],
    titles: Mapping[str, str],
    formulas: Cells,
    values: Cells,
    engine: Engine,
    *,
    steps: Mapping[str, Steps] | None = None,
) -> Report:
    """Compare a recalculated workbook with the reference, cell by cell.

    `formulas` are the workbook's as they stand, `values` what the engine made of them, `titles` the lessons' tabs;
    `steps` is the reference of each sheet, that of the lessons unless another is given. Every cell a
    lesson puts a formula in is compared. Raises TemplateError when the reference lacks one of them.
    """
    found: list[Disagreement] = []
    ours: set[tuple[str, str]] = set()
    largest = 0.0
    for sheet in sheets:
        title = titles[sheet.name]
        expected = expected_values(sheet, steps)
        for (name, index), (address, intended) in sheet.formulas.items():
            cell = address.relative
            ours.add((title, cell))
            standing = formulas.get(title, {}).get(cell)
            value = values.get(title, {}).get(cell)
            difference = difference_of(value, expected[name][index])
            formula = None if standing is None else str(standing)
            if difference <= TOLERANCE and same(formula, intended):
                largest = max(largest, difference)
            else:
                found.append(Disagreement(title, cell, name, formula, intended, value, expected[name][index]))
    foreign = tuple(
        f"{title}!{cell}" for title, cells in formulas.items() for cell in cells if (title, cell) not in ours
    )
    return Report(engine.name, engine.version or "", len(ours), largest, _roots_first(found), foreign)


def expected_values(sheet: Sheet, steps: Mapping[str, Steps] | None = None) -> Mapping[str, tuple[float | str, ...]]:
    """The reference's values of a sheet, its words in the sheet's language.

    Raises TemplateError unless there is exactly one value for every formula cell.
    """
    expected = {
        name: tuple(sheet.word(value) if isinstance(value, str) else value for value in values)
        for name, values in (steps or STEPS)[sheet.name].expected(sheet.inputs, sheet.convention).items()
    }
    cells = {entry.name: len(sheet.grid.cells[entry.name]) for entry in sheet.lesson.entries.values() if entry.formula}
    for name in cells.keys() | expected.keys():
        if cells.get(name) != len(expected.get(name, ())):
            raise TemplateError(
                f"lesson {sheet.name}, {name}: {cells.get(name, 0)} formula cells, "
                f"but {len(expected.get(name, ()))} reference values"
            )
    return expected


def difference_of(value: object, reference: float | str) -> float:
    """How far a cell is from the reference, relative to it; infinite when they are not of one kind."""
    if isinstance(reference, str):
        return 0.0 if value == reference else math.inf
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return math.inf
    return abs(value - reference) / max(abs(reference), SMALL)


def _roots_first(found: Sequence[Disagreement]) -> tuple[Disagreement, ...]:
    """Damaged formulas first, then cells that read no other wrong cell, then what follows from those."""
    wrong = {(each.sheet, each.cell) for each in found}

    def is_root(each: Disagreement) -> bool:
        return each.damaged or not any((each.sheet, cell) in wrong for cell in _read_by(each.intended))

    marked = [replace(each, root=is_root(each)) for each in found]
    return tuple(sorted(marked, key=lambda each: (not each.damaged, not each.root)))


def _read_by(formula: str) -> set[str]:
    cells = set()
    for first_column, first_row, last_column, last_row in REFERENCE.findall(formula):
        first = Address.parse(first_column + first_row)
        last = Address.parse(last_column + last_row) if last_column else first
        cells |= {
            Address(row, column).relative
            for row in range(first.row, last.row + 1)
            for column in range(first.column, last.column + 1)
        }
    return cells


def same(formula: str | None, intended: str) -> bool:
    """Whether a formula is the intended one, however a program writes it.

    Blanks, $ signs, case, B2:B2 for B2, 'Sheet'! for Sheet! and the newer name of a function do not count.
    """
    return formula == intended or (formula is not None and _plain(formula) == _plain(intended))


def _plain(formula: str) -> str:
    plain = NEEDLESS_QUOTES.sub(r"\1!", formula).replace(" ", "").replace("$", "").upper()
    for newer, name in NEWER_NAMES.items():
        plain = plain.replace(newer, name)
    return LONE_CELL.sub(r"\1", plain)
