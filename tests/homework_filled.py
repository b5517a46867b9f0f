"""Homework for tests: random tasks, sheets with answers filled in, and the search for answers given away."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from workbook_builder import EXPONENTIAL, LINEAR
from workbook_builder.balance import Report, balance
from workbook_builder.cached import read_cells
from workbook_builder.homework.planned import Rung, planned, reference
from workbook_builder.homework.reference import VALUES, shown_numbers
from workbook_builder.homework.task import Task
from workbook_builder.recalculate import Engine
from workbook_builder.sheet import Sheet
from workbook_builder.steps.values import Value
from workbook_builder.text import languages
from workbook_builder.workbook import About, write

ABOUT = About("Homework", "A test.", {})
Answers = Mapping[str, Sequence[Value]]

grades = st.integers(0, 3).map(float)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """Any task a sheet can ask about: every result judged, as many ideal grades as results."""
    returned = draw(st.lists(grades, min_size=1, max_size=8))
    rankings = draw(st.lists(st.lists(grades, min_size=1, max_size=6).map(tuple), min_size=1, max_size=5))
    return Task(
        tuple(returned),
        tuple(draw(st.lists(grades, max_size=4))),
        draw(st.integers(1, len(returned))),
        tuple((f"query {number}", ranking) for number, ranking in enumerate(rankings, 1)),
        draw(st.integers(1, 6)),
        draw(st.sampled_from([LINEAR, EXPONENTIAL])),
        draw(st.sampled_from([1.0, 2.0])),
    )


def right_answers(sheet: Sheet) -> Answers:
    """The reference's answer to every step asked for on a sheet."""
    values = VALUES[sheet.lesson.words[-1]](sheet.inputs, sheet.convention)
    return {
        entry.name: values[entry.name]
        for entry in sheet.lesson.entries.values()
        if entry.name in values and entry.input
    }


def answered(sheet: Sheet, answers: Answers) -> Sheet:
    """The sheet with answers typed into its cells."""
    return replace(sheet, inputs={**sheet.inputs, **{name: tuple(each) for name, each in answers.items()}})


def in_words(sheet: Sheet) -> Sheet:
    """The sheet as it is written: the reference calls a missing rank none, the cell says it in the sheet's language."""
    return answered(
        sheet,
        {
            name: tuple(sheet.word(value) if value == "none" else value for value in values)
            for name, values in sheet.inputs.items()
        },
    )


Books = Sequence[Sequence[Sheet]]


def reports(books: Books, engine: Engine, *, written: Books | None = None) -> Iterator[Report]:
    """What an engine makes of each book of sheets, compared with the reference; others may be written instead."""
    files = [write([in_words(sheet) for sheet in sheets], ABOUT) for sheets in written or books]
    for sheets, filled in zip(books, engine.recalculate_all(files), strict=True):
        formulas, values = read_cells(filled)
        titles = {sheet.name: sheet.title for sheet in sheets}
        steps = {sheet.name: reference(sheet) for sheet in sheets}
        yield balance(sheets, titles, formulas, values, engine, steps=steps)


def own(task: Task, language: str = "en") -> list[Sheet]:
    """The sheets on which every step is asked for and checked."""
    return [planned(Rung(track, blank, task), languages()[language]) for track, blank in (("ndcg", 6), ("mrr", 3))]


def parts(data: bytes) -> dict[str, bytes]:
    """A workbook's parts by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def given_away(data: bytes, right: Mapping[str, Sequence[object]]) -> set[float]:
    """The answers that stand in any part of a file, to three digits or more; widths of columns are no answers."""
    numbers = set()
    for part in parts(data).values():
        text = re.sub(r"<col [^>]*>", "", part.decode())
        numbers |= {float(number) for number in re.findall(r"(?<![\w.])\d+[.,]\d{3,}", text.replace(",", "."))}
    return {answer for answer in shown_numbers(right) if any(abs(number - answer) <= 0.0005 for number in numbers)}
