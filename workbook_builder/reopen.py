"""A workbook of ours read back, also after somebody edited it: its yellow cells, its convention, its language."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.utils.cell import range_boundaries

from workbook_builder.cells import KINDS, Scope
from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import Gain
from workbook_builder.inputs import Convention
from workbook_builder.lesson import Block, Entry, Lesson, lessons
from workbook_builder.opened import open_workbook, read_bytes
from workbook_builder.sheet import Sheet, listed_gain, plan
from workbook_builder.steps import STEPS, Inputs, Value
from workbook_builder.text import languages
from workbook_builder.workbook import EVALUATION, EXERCISES, FORMAT, RECORD, UNJUDGED

NO_LIMIT = 1_000_000
OTHER_KINDS = {
    EXERCISES: (
        "it holds exercises, not lessons",
        "They were proved when they were written. A student's workbook goes to: workbook-builder mark.",
    ),
    EVALUATION: (
        "it is an evaluation, not a workbook of lessons",
        "To build it anew: workbook-builder evaluate FILE.",
    ),
}
"""Workbooks of ours that hold no lessons, by the property they have instead: what is said of them."""
REBUILD = "Build a fresh sheet with its inputs: workbook-builder build --input FILE."


@dataclass(frozen=True)
class Opened:
    """The workbook as its formulas stand, the inputs of each lesson, and the tab of each lesson's sheet."""

    book: Workbook
    inputs: Mapping[str, Inputs]
    convention: Convention
    language: str
    titles: Mapping[str, str]

    def sheets(self) -> list[Sheet]:
        """Its lessons, laid out for the inputs found: where every formula should be."""
        text = languages()[self.language]
        return [plan(lessons()[name], given, self.convention, text) for name, given in self.inputs.items()]


def reopen(path: Path | str, *, grow: bool = False) -> Opened:
    """Read a workbook of ours.

    With `grow`, for building anew, inputs may leave the limits of the sheet as it stands: a larger k, a higher grade,
    cells that were moved. Raises InputError naming every cell that holds what it must not.
    """
    source = Path(path)
    book = open_workbook(read_bytes(source), str(source))
    record = _record(book, str(source))
    convention = record.convention
    limits = replace(convention, lowest=-NO_LIMIT, highest=NO_LIMIT) if grow else convention
    reading = _Reading(str(source), book, limits, grow, record.names)
    inputs = {name: reading.inputs(lessons()[name]) for name in record.lessons}
    # A sheet without yellow cells cannot be found by them; it is where it was built.
    text = languages()[record.language]
    titles = {name: text.get("lesson", name, "title") for name in inputs} | reading.titles
    if not reading.faults:
        opened = Opened(book, inputs, _as_edited(convention, inputs), record.language, titles)
        if not grow:
            reading.misfits(opened)
    if reading.faults:
        raise InputError(reading.faults)
    return opened


def _as_edited(convention: Convention, inputs: Mapping[str, Inputs]) -> Convention:
    """The convention with the first sheet's table of gains, and with a scale that holds every grade found."""
    table = next((given for given in inputs.values() if given.get("listed_grade")), None)
    if table is not None:
        convention = replace(convention, gain=listed_gain(table))
    grades = [
        float(value)
        for name, given in inputs.items()
        for entry in lessons()[name].entries.values()
        if entry.input == "grade"
        for value in given.get(entry.name, ())
        if isinstance(value, int | float)
    ]
    low, high = min([convention.lowest, *grades]), max([convention.highest, *grades])
    return replace(convention, lowest=low, highest=high)


@dataclass
class _Reading:
    """One pass over a workbook's yellow cells that gathers every fault."""

    file: str
    book: Workbook
    convention: Convention
    grow: bool
    names: frozenset[str]

    def __post_init__(self) -> None:
        self.faults: list[Fault] = []
        self.titles: dict[str, str] = {}
        self.found: dict[tuple[str, str], list[Cell]] = {}

    def inputs(self, lesson: Lesson) -> Inputs:
        read: dict[str, tuple[Value, ...]] = {}
        for block in lesson.blocks:
            entries = [entry for entry in block.entries if entry.input]
            for entry in entries:
                self.found[lesson.name, entry.name] = self._cells(lesson, block, entry)
            read |= {entry.name: tuple(self._values(lesson, entry)) for entry in entries}
            if len({len(read[entry.name]) for entry in entries}) > 1:
                columns = ", ".join(f"{lesson.name}.{entry.name}" for entry in entries)
                problem = f"the named ranges {columns} differ in length"
                self.faults.append(Fault(self.file, problem, REBUILD))
        unjudged = [cell for cell in self.found.get((lesson.name, "grade"), ()) if _is_unjudged(cell)]
        if unjudged:
            read["unjudged"] = tuple(cell.row - self.found[lesson.name, "grade"][0].row + 1 for cell in unjudged)
        return read

    def misfits(self, opened: Opened) -> None:
        """Add what is wrong with cells that are each fine alone."""
        for sheet in opened.sheets():
            for name, remedy in STEPS[sheet.name].misfits(sheet.inputs).items():
                cell = next(cell for cell in self.found[sheet.name, name] if cell.value is None)
                self._fault(cell, "the cell is empty", remedy)
            for entry in sheet.lesson.entries.values():
                cells = self.found.get((sheet.name, entry.name)) or []
                planned = sheet.grid.cells[entry.name]
                if cells and planned and cells[0].coordinate != planned[0].relative:
                    problem = f"rows or columns were inserted or deleted: this stood in {planned[0].relative}"
                    self._fault(cells[0], problem, REBUILD)
                    break

    def _fault(self, cell: Cell, problem: str, remedy: str, value: str | None = None) -> None:
        where = f"{cell.parent.title}!{cell.coordinate}"
        self.faults.append(Fault(self.file, problem, remedy, column=where, value=value))

    def _cells(self, lesson: Lesson, block: Block, entry: Entry) -> list[Cell]:
        name = f"{lesson.name}.{entry.name}"
        if name not in self.names:
            return []
        defined = self.book.defined_names.get(name)
        if defined is None:
            self.faults.append(Fault(self.file, f"the named range {name} is missing", REBUILD))
            return []
        if "#REF!" in defined.attr_text:
            if not isinstance(block.rows, str):
                self.faults.append(Fault(self.file, f"the cells of {name} were deleted", REBUILD))
            return []
        title, _, area = defined.attr_text.rpartition("!")
        title = title.strip("'").replace("''", "'")
        try:
            left, top, right, bottom = range_boundaries(area)
            cells = [cell for row in self.book[title].iter_rows(top, bottom, left, right) for cell in row]
        except (KeyError, TypeError, ValueError):
            self.faults.append(Fault(self.file, f"the named range {name} is not a block of cells: {area}", REBUILD))
            return []
        self.titles[lesson.name] = title
        return cells

    def _values(self, lesson: Lesson, entry: Entry) -> list[Value]:
        assert entry.input is not None
        shown = len(self.found.get((lesson.name, "grade"), ()))
        values: list[Value] = []
        for cell in self.found[lesson.name, entry.name]:
            most = NO_LIMIT if self.grow else max(shown, self._stated_k(cell))
            try:
                if cell.data_type == "f":
                    raise ValueError("Type the value itself: a yellow cell holds no formula.")
                values.append(KINDS[entry.input].read(cell.value, Scope(self.convention, most)))
            except ValueError as error:
                remedy = f"This is text; type it as a number. {error}" if _is_number(cell.value) else str(error)
                problem = "the cell is empty" if cell.value is None else "this cell does not take that"
                self._fault(cell, problem, remedy, None if cell.value is None else str(cell.value))
                values.append(None)
        return values

    def _stated_k(self, cell: Cell) -> int:
        """The largest k the sheet's own validation of this cell admits."""
        for rule in cell.parent.data_validations.dataValidation:
            if cell.coordinate in rule.sqref and rule.type == "whole" and str(rule.formula2 or "").isdigit():
                return int(rule.formula2)
        return 1


@dataclass(frozen=True)
class Record:
    """What a workbook of ours says of itself in its document properties."""

    lessons: tuple[str, ...]
    names: frozenset[str]
    language: str
    convention: Convention


def _record(book: Workbook, file: str) -> Record:
    for stated in book.custom_doc_props.props:
        if stated.name == RECORD:
            try:
                return _understood(json.loads(stated.value))
            except (ValueError, KeyError, TypeError, InputError):
                remedy = "It may come from a newer version, or its document properties were changed: build it again."
                raise InputError([Fault(file, "what it says of itself cannot be read", remedy)]) from None
        if stated.name in OTHER_KINDS:
            raise InputError([Fault(file, *OTHER_KINDS[stated.name])])
    remedy = "Give a workbook that workbook-builder built; its document properties say so."
    raise InputError([Fault(file, "it is not a workbook of workbook-builder", remedy)])


def _understood(stated: dict[str, Any]) -> Record:
    low, high = map(float, stated["scale"])
    known = stated["format"] == FORMAT and stated["language"] in languages()
    if not (known and stated["lessons"] and all(name in lessons() for name in stated["lessons"])):
        raise ValueError(stated)
    convention = Convention(Gain.parse(stated["gain"]), float(stated["relevant_from"]), low, high)
    return Record(tuple(stated["lessons"]), frozenset(stated["names"]), stated["language"], convention)


def _is_unjudged(cell: Cell) -> bool:
    return bool(cell.number_format == UNJUDGED and cell.value == 0)


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, str) and math.isfinite(float(value))
    except ValueError:
        return False
