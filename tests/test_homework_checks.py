"""The words beside an answer: the same in every engine, right for what is right, and silent about the value."""

import io
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from homework_filled import ABOUT, answered, own, reports, right_answers, tasks
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from workbook_builder.balance import without_values
from workbook_builder.cached import read_cells
from workbook_builder.homework.defaults import LADDER
from workbook_builder.homework.reference import VALUES
from workbook_builder.homework.task import Task
from workbook_builder.recalculate import EMBEDDED, Engine
from workbook_builder.sheet import Sheet
from workbook_builder.steps.values import Value
from workbook_builder.text import languages
from workbook_builder.workbook import write

TASK = LADDER[2]


def rounded(value: Value) -> Value:
    return round(value, 3) if isinstance(value, float) else value


def wrong(value: Value) -> Value:
    return value + 0.006 if isinstance(value, float) else 1.0


FILLINGS: Mapping[str, Callable[[Value], Value]] = {
    "nothing": lambda _: None,
    "the right value": lambda value: value,
    "rounded to the digits asked": rounded,
    "a little off": wrong,
    "a text": lambda _: "about a half",
    "a number as text": lambda value: str(value) if isinstance(value, float) else "2",
}
SAID = {
    "nothing": {"not_yet"},
    "the right value": {"right"},
    "rounded to the digits asked": {"right"},
}
"""What the checks say of an answer; of all the others, that they are to be checked."""


def filled(sheet: Sheet, how: str) -> Sheet:
    return answered(
        sheet, {name: [FILLINGS[how](value) for value in values] for name, values in right_answers(sheet).items()}
    )


def verdicts(sheet: Sheet) -> set[str]:
    values = VALUES[sheet.lesson.words[-1]](sheet.inputs, sheet.convention)
    return {str(word) for name, words in values.items() if name.startswith("check_") for word in words}


def test_every_engine_says_the_same_of_every_answer(engine: Engine) -> None:
    books = [[filled(sheet, how) for sheet in own(TASK)] for how in FILLINGS]
    for how, report in zip(FILLINGS, reports(books, engine), strict=True):
        assert report.agrees, f"{how}: {report}"


@pytest.mark.parametrize("how", FILLINGS)
def test_right_is_said_of_what_is_right_and_of_nothing_else(how: str) -> None:
    for sheet in own(TASK):
        said = verdicts(filled(sheet, how))
        assert said == SAID[how] if how in SAID else not said & {"right", "not_yet"}


@settings(max_examples=25)
@given(tasks(), st.data())
def test_whatever_stands_in_the_cells_sheet_and_reference_agree(task: Task, data: st.DataObject) -> None:
    """Other inputs, and a mixture of answers: the checks follow both."""
    how = st.sampled_from([*FILLINGS.values()])
    sheets = [
        answered(
            sheet, {name: [data.draw(how)(each) for each in column] for name, column in right_answers(sheet).items()}
        )
        for sheet in own(task, data.draw(st.sampled_from(sorted(languages()))))
    ]
    (report,) = reports([sheets], EMBEDDED)
    assert report.agrees, str(report)


def test_an_answer_that_is_an_error_is_to_be_checked_and_a_formula_may_be_right(engine: Engine) -> None:
    ndcg, _ = own(TASK)
    book = load_workbook(io.BytesIO(write([ndcg], ABOUT)))
    sheet = book.worksheets[0]
    cells = ndcg.grid.cells
    sheet[cells["dcg"][0].relative] = "=1/0"
    first_gain, first_grade = cells["discounted_gain"][0].relative, cells["grade"][0].relative
    sheet[first_gain] = f"={first_grade}"
    _, values = read_cells(engine.recalculate(without_values(book)))
    shown = values[ndcg.title]
    assert shown[cells["check_dcg"][0].relative] == ndcg.word("hint_dcg")
    assert shown[cells["check_discounted_gain"][0].relative] == ndcg.word("right")
    assert shown[cells["check_ndcg"][0].relative] == ndcg.word("not_yet")


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_hint_names_no_number(language: str) -> None:
    for sheet in own(TASK, language):
        words = sheet.words.words["words"]
        hints = [word for name, word in words.items() if name.startswith("hint_")]
        assert hints
        assert not [hint for hint in hints if any(character in "023456789" for character in hint)]


@pytest.mark.parametrize(
    "step", ["wanted_dcg", "wanted_ideal_grade", "check_ndcg", "check_reciprocal_rank", "wanted_mrr"]
)
def test_a_spoiled_check_is_caught(step: str) -> None:
    """The formulas behind the words are proved like every other: change one, and its cells are named."""
    sheets = own(TASK)
    spoiled = [_spoiled(sheet, step) for sheet in sheets]
    (report,) = reports([sheets], EMBEDDED, written=[spoiled])
    assert any(each.name == step and each.value != each.expected for each in report.disagreements)


def _spoiled(sheet: Sheet, step: str) -> Sheet:
    def changed(formula: str | None) -> str | None:
        return f"{formula}&{{word:right}}" if formula and "check" in step else f"{formula}+1" if formula else None

    blocks = tuple(
        replace(
            block,
            columns=tuple(replace(e, formula=changed(e.formula)) if e.name == step else e for e in block.columns),
            fields=tuple(replace(e, formula=changed(e.formula)) if e.name == step else e for e in block.fields),
        )
        for block in sheet.lesson.blocks
    )
    lesson = replace(sheet.lesson, blocks=blocks)
    placed = tuple(
        replace(each, block=next(block for block in blocks if block.name == each.block.name))
        for each in sheet.grid.blocks
    )
    return replace(sheet, grid=replace(sheet.grid, lesson=lesson, blocks=placed))
