"""What a student handed in: the code, the answer cells and the inputs of a workbook, recalculated without its caches.

Cells are found by defined names, which survive renamed and moved sheets; a program that drops them leaves the cells
where they were handed out (`Places`).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import formualizer
from openpyxl import Workbook
from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries, rows_from_range

from workbook_builder.balance import without_values
from workbook_builder.cached import Cells, read_cells
from workbook_builder.errors import EngineError, Fault, InputError
from workbook_builder.homework.book import variant_book
from workbook_builder.homework.manifest import Variant
from workbook_builder.homework.steps import STEPS
from workbook_builder.homework.task import Task
from workbook_builder.homework.understood import Answer, understood
from workbook_builder.opened import open_workbook, read_bytes
from workbook_builder.recalculate import EMBEDDED

SHEET_OF_TRACK = {"ndcg": "ndcg_own", "mrr": "mrr_own"}
CODE_NAME = "homework.code"
CODE_PROPERTY = "workbook-builder-code"
FEEDBACK_PROPERTY = "workbook-builder-feedback"
CODE = re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b")
INPUTS = (
    "ndcg_own.grade",
    "ndcg_own.missed",
    "ndcg_own.k",
    "mrr_own.query",
    "mrr_own.results",
    "mrr_own.k",
    "mrr_own.relevant_from",
)
"""The defined names of the yellow cells whose values are the student's task."""

_EXTERNAL = re.compile(r"\[\d+\]")

Area = tuple[str, tuple[tuple[str, ...], ...]]
"""A sheet's title and the addresses of a block of its cells, row by row."""
Places = Mapping[str, Area]
"""Defined name -> where it was when the workbook was handed out."""


@dataclass(frozen=True)
class Submission:
    """A workbook as handed in.

    codes: every different code found in it; answers: step -> its cells; inputs: defined name -> what stands there, by
    rows; lost: the names that are gone, by which nothing was found; moved: those found where they were handed out;
    is_feedback: whether it is a copy that `feedback` wrote.
    """

    file: str
    checksum: str
    codes: tuple[str, ...]
    answers: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)
    inputs: Mapping[str, tuple[tuple[object, ...], ...]] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    is_feedback: bool = False


def answer_name(step: str) -> str:
    """The defined name of a step's answer cells."""
    return f"{SHEET_OF_TRACK[next(each.track for each in STEPS if each.name == step)]}.{step}"


def read_submission(path: Path | str, places: Callable[[str], Places | None] = lambda _: None) -> Submission:
    """Read a workbook that was handed in; `places` tells where the workbook of a code had its cells.

    Raises InputError when it cannot be opened, is no workbook or was made to do harm.
    """
    name = str(path)
    data = read_bytes(Path(path))
    book = open_workbook(data, name)
    formulas, values = _recalculated(book, name)
    codes = tuple(dict.fromkeys(_codes(book, values)))
    reading = _Reading(book, formulas, values, lambda: next(filter(None, map(places, codes)), {}))
    answers = {step.name: reading.answers(step.name) for step in STEPS}
    inputs = {each: reading.values_of(each) for each in INPUTS}
    return Submission(
        name,
        sha256(data).hexdigest(),
        codes,
        {step: found for step, found in answers.items() if found},
        {each: found for each, found in inputs.items() if found},
        tuple(reading.lost),
        tuple(reading.moved),
        any(stated.name == FEEDBACK_PROPERTY for stated in book.custom_doc_props.props),
    )


def handed_out_places(variant: Variant, language: str) -> Places:
    """Where the workbook of a variant had the cells of its names when it was handed out."""
    made = (variant_book(variant.task, variant.code, checks=checks, language=language) for checks in (False, True))
    # The checks make a difference to where the answers are; the checksum tells which of the two it was.
    tried = [next(made)]
    if sha256(tried[0]).hexdigest() != variant.checksum:
        tried.append(next(made))
    matching = (data for data in tried if sha256(data).hexdigest() == variant.checksum)
    data = next(matching, tried[0])
    book = open_workbook(data, variant.file)
    found = {name: _area(book, name) for name in _names(book)}
    return {name: area for name, area in found.items() if area is not None}


def differing_inputs(submission: Submission, task: Task) -> tuple[str, ...]:
    """The names of the yellow cells that no longer say what was handed out."""
    handed_out: dict[str, Sequence[Sequence[object]]] = {
        "ndcg_own.grade": [[grade] for grade in task.grades],
        "ndcg_own.missed": [[grade] for grade in task.missed],
        "ndcg_own.k": [[task.k]],
        "mrr_own.query": [[name] for name, _ in task.queries],
        "mrr_own.results": [grades for _, grades in task.queries],
        "mrr_own.k": [[task.rr_k]],
        "mrr_own.relevant_from": [[task.relevant_from]],
    }
    return tuple(
        name
        for name, expected in handed_out.items()
        if name in submission.inputs and _flat(submission.inputs[name]) != _flat(expected)
    )


def _flat(rows: Sequence[Sequence[object]]) -> list[object]:
    """The values of a block; a blank cell behind the last result of a row says nothing."""
    return [float(each) if isinstance(each, int | float) else each for row in rows for each in row if each is not None]


def _codes(book: Workbook, values: Cells) -> Iterator[str]:
    """The codes a workbook carries: its property, its named cell, and any line that shows one."""
    for stated in book.custom_doc_props.props:
        if stated.name == CODE_PROPERTY and stated.value:
            yield str(stated.value).strip().upper()
    if (area := _area(book, CODE_NAME)) is not None:
        title, rows = area
        yield from CODE.findall(str(values.get(title, {}).get(rows[0][0])))
    for cells in values.values():
        for value in cells.values():
            if isinstance(value, str) and "code" in value.casefold():
                yield from CODE.findall(value)


def _recalculated(book: Workbook, name: str) -> tuple[Cells, Cells]:
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


def _names(book: Workbook) -> dict[str, str]:
    """The workbook's defined names and their text, also those a program keeps with one sheet."""
    found = {name: defined.attr_text for name, defined in book.defined_names.items()}
    for sheet in book.worksheets:
        for name, defined in sheet.defined_names.items():
            found.setdefault(name, defined.attr_text)
    return found


def _area(book: Workbook, name: str) -> Area | None:
    """Where a defined name points, None when it is gone or points nowhere."""
    names = {each.replace(".", "_").casefold(): text for each, text in _names(book).items()}
    text = names.get(name.replace(".", "_").casefold())
    if not text or "#REF!" in text:
        return None
    title, _, area = text.rpartition("!")
    title = title.strip("'").replace("''", "'")
    try:
        range_boundaries(area)
        rows = tuple(rows_from_range(area.replace("$", "")))
    except (TypeError, ValueError):
        return None
    return (title, rows) if title in book.sheetnames else None


@dataclass
class _Reading:
    """One pass over a workbook's named cells."""

    book: Workbook
    formulas: Cells
    values: Cells
    places: Callable[[], Places]

    def __post_init__(self) -> None:
        self.lost: list[str] = []
        self.moved: list[str] = []

    def area(self, name: str) -> Area | None:
        if (found := _area(self.book, name)) is not None:
            return found
        place = self.places().get(name)
        if place is None or place[0] not in self.book.sheetnames:
            self.lost.append(name)
            return None
        self.moved.append(name)
        return place

    def values_of(self, name: str) -> tuple[tuple[object, ...], ...]:
        if (found := self.area(name)) is None:
            return ()
        title, rows = found
        return tuple(tuple(self.values.get(title, {}).get(cell) for cell in row) for row in rows)

    def answers(self, step: str) -> tuple[Answer, ...]:
        if (found := self.area(answer_name(step))) is None:
            return ()
        title, rows = found
        return tuple(self._answer(title, cell, may_be_none=step == "first_relevant") for row in rows for cell in row)

    def _answer(self, title: str, cell: str, *, may_be_none: bool) -> Answer:
        formula = self.formulas.get(title, {}).get(cell)
        value = self.values.get(title, {}).get(cell)
        return understood(f"{title}!{cell}", value, None if formula is None else str(formula), may_be_none=may_be_none)
