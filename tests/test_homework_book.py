"""A student's workbook: proved, the same everywhere, silent about its answers, and recognised again."""

import io
import re
import zipfile
from unittest.mock import patch

import pytest
from conftest import needed
from homework_filled import given_away, parts, tasks
from hypothesis import given, settings
from openpyxl import load_workbook

from workbook_builder.cached import read_cells
from workbook_builder.errors import InputError
from workbook_builder.homework.book import ANSWER_NAMES, CODE, CODE_NAME, INPUT_NAMES, variant_book
from workbook_builder.homework.defaults import LADDER
from workbook_builder.homework.steps import STEP_NAMES, right
from workbook_builder.homework.task import Task
from workbook_builder.recalculate import ENGINES
from workbook_builder.text import languages

TASK, THE_CODE = LADDER[0], "K7Q2-9FXM"
EXAM = variant_book(TASK, THE_CODE)


def named(data: bytes, name: str) -> list[list[object]]:
    """What the cells of a defined name hold, row by row."""
    book = load_workbook(io.BytesIO(data), data_only=True)
    title, _, area = book.defined_names[name].attr_text.rpartition("!")
    return [[cell.value for cell in row] for row in book[title.strip("'")][area.replace("$", "")]]


def test_every_step_has_its_cells_by_name_and_they_are_empty() -> None:
    assert set(ANSWER_NAMES) == set(STEP_NAMES)
    for step, name in ANSWER_NAMES.items():
        assert named(EXAM, name) == [[None]] * len(right(TASK)[step]), step


def test_every_input_is_found_by_name() -> None:
    assert named(EXAM, INPUT_NAMES["grade"]) == [[grade] for grade in TASK.grades]
    assert named(EXAM, INPUT_NAMES["missed"]) == [[grade] for grade in TASK.missed]
    assert named(EXAM, INPUT_NAMES["k"]) == [[TASK.k]]
    assert named(EXAM, INPUT_NAMES["mrr_query"]) == [[query] for query, _ in TASK.queries]
    assert named(EXAM, INPUT_NAMES["mrr_results"]) == [list(ranking) for _, ranking in TASK.queries]
    assert named(EXAM, INPUT_NAMES["mrr_k"]) == [[TASK.rr_k]]
    assert named(EXAM, INPUT_NAMES["mrr_relevant_from"]) == [[TASK.relevant_from]]


@pytest.mark.parametrize("language", sorted(languages()))
def test_an_exam_gives_no_answer_away(language: str) -> None:
    for task in LADDER:
        exam = variant_book(task, THE_CODE, language=language)
        assert not given_away(exam, right(task))


def test_the_search_for_answers_finds_them_where_they_are() -> None:
    for data in (variant_book(TASK, THE_CODE, checks=True), variant_book(TASK, THE_CODE, solved=True)):
        assert len(given_away(data, right(TASK))) > 5


def test_on_an_exams_own_sheets_there_is_no_formula_and_nothing_is_hidden() -> None:
    formulas, _ = read_cells(EXAM)
    assert [bool(each) for each in formulas.values()] == [False, False, True, True]
    for name, part in parts(EXAM).items():
        assert b'hidden="1"' not in part, name
        assert b"veryHidden" not in part, name


def test_the_same_task_and_code_give_the_same_bytes_a_day_later() -> None:
    with patch("time.time", lambda: 1_900_000_000.0), patch("zipfile.time.time", lambda: 1_900_000_000.0):
        assert variant_book(TASK, THE_CODE) == EXAM


def test_the_bytes_depend_on_no_library_of_the_machine() -> None:
    """Nothing is compressed, and no stored value has a sixteenth digit that one machine rounds up and another down."""
    with zipfile.ZipFile(io.BytesIO(EXAM)) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
    sheets = [part for name, part in parts(EXAM).items() if name.startswith("xl/worksheets/")]
    values = [value for part in sheets for value in re.findall(rb"<v *>(\d+\.\d+)</v>", part)]
    lengths = [len(value.replace(b".", b"").strip(b"0")) for value in values]
    assert max(lengths) == 12


def test_the_code_is_stated_three_times_and_the_student_never() -> None:
    book = load_workbook(io.BytesIO(EXAM))
    assert book.custom_doc_props[CODE].value == THE_CODE
    assert named(EXAM, CODE_NAME) == [[f"Code: {THE_CODE}"]]
    assert [sheet["A4"].value for sheet in book.worksheets[:2]] == [f"Code: {THE_CODE}"] * 2


def test_the_code_and_the_cells_survive_libreoffice() -> None:
    back = needed(ENGINES["libreoffice"]).recalculate(EXAM)
    assert named(back, CODE_NAME) == [[f"Code: {THE_CODE}"]]
    assert load_workbook(io.BytesIO(back)).custom_doc_props[CODE].value == THE_CODE
    for step, name in ANSWER_NAMES.items():
        assert len(named(back, name)) == len(right(TASK)[step])


def test_the_solved_workbook_holds_the_references_answers() -> None:
    solved = variant_book(TASK, THE_CODE, solved=True)
    for step, values in right(TASK).items():
        found = [value for (value,) in named(solved, ANSWER_NAMES[step])]
        wanted = ["none" if value is None else value for value in values]
        assert found == [pytest.approx(each, abs=1e-9) if isinstance(each, float) else each for each in wanted], step


@settings(max_examples=15)
@given(tasks())
def test_any_task_makes_a_proved_workbook(task: Task) -> None:
    variant_book(task, THE_CODE)
    variant_book(task, THE_CODE, checks=True)
    variant_book(task, THE_CODE, solved=True)


def test_an_unknown_language_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"--language.*\"dee\".*Did you mean de\?"):
        variant_book(TASK, THE_CODE, language="dee")


def test_a_title_stands_over_the_sheets_and_in_the_properties() -> None:
    book = load_workbook(io.BytesIO(variant_book(TASK, THE_CODE, title="Homework 1")))
    assert book.properties.title == "Homework 1"
    assert str(book.worksheets[0]["A1"].value).startswith("Homework 1 · NDCG@k")
