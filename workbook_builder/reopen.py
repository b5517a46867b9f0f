"""A workbook of ours read back, also after somebody edited it: its yellow cells, its convention, its language."""

import json
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
from workbook_builder.lesson import Entry, Lesson, lessons
from workbook_builder.opened import open_workbook, read_bytes
from workbook_builder.sheet import Sheet, listed_gain, plan
from workbook_builder.steps import STEPS, Inputs, Value
from workbook_builder.text import languages
from workbook_builder.workbook import RECORD

NO_LIMIT = 1_000_000


@dataclass(frozen=True)
class Opened:
    """The workbook as its formulas stand, the inputs of each lesson, and the tab of each lesson's sheet."""

    path: Path
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

    With `grow`, for building anew, inputs may leave the limits of the sheet as it stands: a larger k, a higher grade.
    Raises InputError naming every cell that holds what it must not.
    """
    source = Path(path)
    book = open_workbook(read_bytes(source), str(source))
    record = _record(book, str(source))
    low, high = record["scale"]
    convention = Convention(Gain.parse(record["gain"]), record["relevant_from"], low, high)
    reading = _Reading(
        str(source), book, replace(convention, lowest=-NO_LIMIT, highest=NO_LIMIT) if grow else convention, grow
    )
    inputs = {name: reading.inputs(lessons()[name]) for name in record["lessons"] if name in lessons()}
    if not reading.faults:
        reading.misfits(inputs, grow)
    if reading.faults:
        raise InputError(reading.faults)
    # A sheet without yellow cells cannot be found by them; it is where it was built.
    text = languages()[record["language"]]
    titles = {name: text.get("lesson", name, "title") for name in inputs} | reading.titles
    return Opened(source, book, inputs, _as_edited(convention, inputs), record["language"], titles)


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

    def __post_init__(self) -> None:
        self.faults: list[Fault] = []
        self.titles: dict[str, str] = {}
        self.found: dict[tuple[str, str], list[Cell]] = {}

    def inputs(self, lesson: Lesson) -> Inputs:
        entries = [entry for entry in lesson.entries.values() if entry.input]
        for entry in entries:
            self.found[lesson.name, entry.name] = self._cells(lesson, entry)
        if entries and not any(self.found[lesson.name, entry.name] for entry in entries):
            remedy = "Build it again; or restore the sheet and its named ranges."
            self.faults.append(Fault(self.file, f"the yellow cells of {lesson.name} cannot be found", remedy))
        return {entry.name: tuple(self._values(lesson, entry)) for entry in entries}

    def misfits(self, inputs: Mapping[str, Inputs], grow: bool) -> None:
        """Add what is wrong with inputs that are each fine alone."""
        for name, given in inputs.items():
            for entry, remedy in STEPS[name].misfits(given).items() if not grow else ():
                cell = next(cell for cell in self.found[name, entry] if cell.value is None)
                where = f"{self.titles[name]}!{cell.coordinate}"
                self.faults.append(Fault(self.file, "the cell is empty", remedy, column=where))

    def _cells(self, lesson: Lesson, entry: Entry) -> list[Cell]:
        name = self.book.defined_names.get(f"{lesson.name}.{entry.name}")
        places = list(name.destinations) if name is not None and "#REF!" not in name.attr_text else []
        cells: list[Cell] = []
        for title, area in places:
            if title not in self.book.sheetnames:
                continue
            self.titles[lesson.name] = title
            left, top, right, bottom = range_boundaries(area)
            if (bottom - top + 1) * (right - left + 1) > NO_LIMIT:
                continue
            cells += [cell for row in self.book[title].iter_rows(top, bottom, left, right) for cell in row]
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
                where = f"{cell.parent.title}!{cell.coordinate}"
                shown_value = "" if cell.value is None else str(cell.value)
                self.faults.append(
                    Fault(self.file, "not what this cell takes", str(error), column=where, value=shown_value)
                )
                values.append(None)
        return values

    def _stated_k(self, cell: Cell) -> int:
        """The largest k the sheet's own validation of this cell admits."""
        for rule in cell.parent.data_validations.dataValidation:
            if cell.coordinate in rule.sqref and rule.type == "whole" and str(rule.formula2 or "").isdigit():
                return int(rule.formula2)
        return 1


def _record(book: Workbook, file: str) -> dict[str, Any]:
    for stated in book.custom_doc_props.props:
        if stated.name == RECORD:
            try:
                record: dict[str, Any] = json.loads(stated.value)
                if record["language"] in languages() and isinstance(record["lessons"], list):
                    return record
            except (ValueError, KeyError, TypeError):
                break
    remedy = "Give a workbook that workbook-builder built; its document properties say so."
    raise InputError([Fault(file, "it is not a workbook of workbook-builder", remedy)])
