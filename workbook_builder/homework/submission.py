"""What a student handed in: the code, the answers and the inputs of a workbook, recalculated without its caches."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from openpyxl import Workbook

from workbook_builder.cached import Cells
from workbook_builder.homework.book import ANSWER_NAMES, CODE_NAME, INPUT_NAMES
from workbook_builder.homework.book import CODE as CODE_PROPERTY
from workbook_builder.homework.fresh import recalculated
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.named import Area, area_of, places_when_handed_out
from workbook_builder.homework.steps import STEP_NAMES
from workbook_builder.homework.task import Task
from workbook_builder.homework.understood import Answer, understood
from workbook_builder.opened import open_workbook, read_bytes

FEEDBACK_PROPERTY = "workbook-builder-feedback"
"""The document property of a copy that `feedback` wrote."""
CODE = re.compile(r"(?<![\w-])[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}(?![\w-])")
UNREADABLE = ("text", "error", "boolean")
"""Kinds of answers no number can be read from."""

Inputs = Mapping[str, Sequence[Sequence[object]]]
"""Defined name -> what stands there, row by row."""


@dataclass(frozen=True)
class Submission:
    """A workbook as handed in.

    codes: every different code found in it; variant: whose it is, None when no code is known; answers: step -> its
    cells; inputs: the yellow cells that were given; lost: the names that are gone, by which nothing was found; moved:
    those found where they were handed out; mended: the steps whose unreadable cells were taken as right, so that what
    follows from them could be worked out; is_feedback: whether it is a copy that `feedback` wrote.
    """

    file: str
    checksum: str
    codes: tuple[str, ...]
    variant: Variant | None = None
    answers: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)
    inputs: Inputs = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    is_feedback: bool = False


def read_submission(path: Path | str, manifest: Manifest) -> Submission:
    """Read a workbook that was handed in; `manifest` knows what was handed out.

    Of several codes the one whose inputs the workbook has counts. Raises InputError when it cannot be opened, is no
    workbook or was made to do harm.
    """
    name = str(path)
    data = read_bytes(Path(path))
    book = open_workbook(data, name)
    formulas, values = recalculated(book, name)
    variants = manifest.by_code()
    codes = _codes(book, values, variants)
    known = [variants[code] for code in codes if code in variants]
    reading = _Reading(book, formulas, values, manifest, known[0] if known else None)
    inputs = {each: reading.values_of(each) for each in INPUT_NAMES.values()}
    inputs = {each: found for each, found in inputs.items() if found}
    variant = next((each for each in known if not differing_inputs(inputs, each.task)), reading.variant)
    answers = {step: reading.answers(step) for step in STEP_NAMES}
    answers, mended = _mended(book, name, reading, answers, variant)
    return Submission(
        name,
        sha256(data).hexdigest(),
        codes,
        variant,
        {step: found for step, found in answers.items() if found},
        inputs,
        tuple(dict.fromkeys(reading.lost)),
        tuple(dict.fromkeys(reading.moved)),
        mended,
        any(stated.name == FEEDBACK_PROPERTY for stated in book.custom_doc_props.props),
    )


def differing_inputs(inputs: Inputs, task: Task) -> tuple[str, ...]:
    """The names of the yellow cells that do not say what this task does."""
    given: dict[str, Sequence[Sequence[object]]] = {
        "grade": [[grade] for grade in task.grades],
        "missed": [[grade] for grade in task.missed],
        "k": [[task.k]],
        "mrr_query": [[name] for name, _ in task.queries],
        "mrr_results": [grades for _, grades in task.queries],
        "mrr_k": [[task.rr_k]],
        "mrr_relevant_from": [[task.relevant_from]],
    }
    names = {INPUT_NAMES[name]: rows for name, rows in given.items()}
    return tuple(name for name, rows in names.items() if name in inputs and _flat(inputs[name]) != _flat(rows))


def _flat(rows: Sequence[Sequence[object]]) -> list[object]:
    """The values of a block; a blank cell behind the last result of a row says nothing."""
    return [float(each) if isinstance(each, int | float) else each for row in rows for each in row if each is not None]


def _codes(book: Workbook, values: Cells, known: Container[str]) -> tuple[str, ...]:
    """The codes a workbook carries: its property, its named cell, and lines that show one.

    What only looks like a code in a line counts when there is no other.
    """
    stated = [
        str(each.value).strip().upper()
        for each in book.custom_doc_props.props
        if each.name == CODE_PROPERTY and each.value
    ]
    if (area := area_of(book, CODE_NAME)) is not None:
        title, rows = area
        stated += CODE.findall(str(values.get(title, {}).get(rows[0][0])))
    lines = (value for cells in values.values() for value in cells.values() if isinstance(value, str))
    shown = [code for line in lines for code in CODE.findall(line)]
    codes = stated + [code for code in shown if code in known]
    return tuple(dict.fromkeys(codes or shown))


def _mended(
    book: Workbook, name: str, reading: "_Reading", answers: Mapping[str, tuple[Answer, ...]], variant: Variant | None
) -> tuple[dict[str, tuple[Answer, ...]], tuple[str, ...]]:
    """The answers, those that are errors only because of an unreadable one worked out as if that were right."""
    found, mended = dict(answers), []
    for number, step in enumerate(STEP_NAMES if variant is not None else ()):
        unreadable = [place for place, answer in enumerate(found[step]) if answer.kind in UNREADABLE]
        later = [each for each in STEP_NAMES[number + 1 :] if any(answer.kind == "error" for answer in found[each])]
        if not unreadable or not later or variant is None:
            continue
        right = variant.answers[step]
        for place in unreadable:
            if place < len(right):
                title, _, cell = found[step][place].cell.rpartition("!")
                book[title][cell] = "none" if right[place] is None else right[place]
        reading.formulas, reading.values = recalculated(book, name)
        found |= {each: reading.answers(each) for each in later}
        mended.append(step)
    return found, tuple(mended)


@dataclass
class _Reading:
    """One pass over a workbook's named cells."""

    book: Workbook
    formulas: Cells
    values: Cells
    manifest: Manifest
    variant: Variant | None

    def __post_init__(self) -> None:
        self.lost: list[str] = []
        self.moved: list[str] = []

    def area(self, name: str) -> Area | None:
        if (found := area_of(self.book, name)) is not None:
            return found
        place = None if self.variant is None else places_when_handed_out(self.variant, self.manifest).get(name)
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
        if (found := self.area(ANSWER_NAMES[step])) is None:
            return ()
        title, rows = found
        return tuple(self._answer(title, cell, step) for row in rows for cell in row)

    def _answer(self, title: str, cell: str, step: str) -> Answer:
        formula = self.formulas.get(title, {}).get(cell)
        value = self.values.get(title, {}).get(cell)
        return understood(
            f"{title}!{cell}",
            value,
            None if formula is None else str(formula),
            may_be_none=step == "first_relevant",
        )
