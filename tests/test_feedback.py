"""What students get back: their own workbook, with a sheet of feedback in front and a note on every answer."""

from dataclasses import replace
from pathlib import Path

import pytest
from handed_in import by_method, filled, handed_in, manifest, plain_formulas, right_answers, task
from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell
from openpyxl.comments import Comment

from workbook_builder.cached import read_cells
from workbook_builder.errors import InputError
from workbook_builder.homework.marking import mark
from workbook_builder.homework.steps import STEP_NAMES, right
from workbook_builder.homework.submission import read_submission


def given_back(folder: Path, data: bytes, language: str = "en") -> Path:
    path = handed_in(folder, "anna.xlsx", data)
    (written,) = mark([path], replace(manifest(), language=language)).feedback(folder / "back")
    return written


def sheet_text(book: Workbook) -> str:
    cells = (cell.value for row in book.worksheets[0].iter_rows() for cell in row)
    return "\n".join(str(value) for value in cells if value is not None)


def note_on(path: Path, step: str) -> str:
    title, _, cell = read_submission(path, manifest()).answers[step][0].cell.rpartition("!")
    return str(load_workbook(path)[title][cell].comment.text)


@pytest.fixture(scope="module")
def slip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy of somebody who divided by the rank."""
    wrong = {**plain_formulas(), "discounted_gain": by_method("rank_discount")["discounted_gain"]}
    return given_back(tmp_path_factory.mktemp("slip"), filled(wrong))


def test_the_first_sheet_says_points_and_reasons(slip: Path) -> None:
    book = load_workbook(slip)
    said = sheet_text(book)
    assert book.active is book.worksheets[0]
    assert book.worksheets[0].title == "Feedback"
    assert "wrong: divided by the rank" in said
    assert "You divided by the rank" in said
    assert "right from your earlier values" in said


def test_every_answer_has_a_note(slip: Path) -> None:
    book = load_workbook(slip)
    for step, answers in read_submission(slip, manifest()).answers.items():
        for answer in answers:
            title, _, cell = answer.cell.rpartition("!")
            assert book[title][cell].comment is not None, step
    assert "You divided by the rank" in note_on(slip, "discounted_gain")


def test_it_shows_values_without_being_recalculated(slip: Path) -> None:
    _, values = read_cells(slip.read_bytes())
    ndcg = read_submission(slip, manifest()).answers["ndcg"][0]
    title, _, cell = ndcg.cell.rpartition("!")
    assert values[title][cell] == pytest.approx(ndcg.value)


def test_the_original_stays_as_it_was(tmp_path: Path) -> None:
    data = filled(right_answers())
    given_back(tmp_path, data)
    assert (tmp_path / "anna.xlsx").read_bytes() == data


def test_feedback_is_in_the_manifests_language(tmp_path: Path) -> None:
    book = load_workbook(given_back(tmp_path, filled({}), "de"))
    assert book.worksheets[0].title == "Rückmeldung"
    assert "nicht beantwortet" in sheet_text(book)


def test_a_copy_with_feedback_is_not_marked_again(tmp_path: Path, slip: Path) -> None:
    (each,) = mark([slip], manifest()).marks
    assert [name for name, _ in each.notes] == ["feedback_copy"]


def first_cell(book: Workbook, name: str) -> Cell:
    title, _, area = book.defined_names[name].attr_text.rpartition("!")
    cell = book[title.strip("'")][area.replace("$", "").partition(":")[0]]
    assert isinstance(cell, Cell)
    return cell


def test_what_students_wrote_is_shown_and_never_worked_out(tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        cell = first_cell(book, "ndcg_own.dcg")
        cell._value, cell.data_type = "=1+1", "s"

    written = given_back(tmp_path, filled(right_answers(), change=changed))
    assert "stored as text" in note_on(written, "dcg")
    assert read_submission(written, manifest()).answers["dcg"][0].kind == "text"


def test_a_note_that_was_there_is_kept(tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        first_cell(book, "ndcg_own.dcg").comment = Comment("my own note", "anna")

    assert note_on(given_back(tmp_path, filled(right_answers(), change=changed)), "dcg").startswith("my own note\n\n")


def test_a_formula_no_engine_reads_does_not_keep_the_feedback_back(tmp_path: Path) -> None:
    written = given_back(tmp_path, filled({**right_answers(), "dcg": ["=SUM(A1"]}))
    assert "This formula gives an error" in note_on(written, "dcg")


def test_files_of_one_name_from_two_folders_both_come_back(tmp_path: Path) -> None:
    for number, folder in enumerate(("one", "two")):
        (tmp_path / folder).mkdir()
        handed_in(tmp_path / folder, "book.xlsx", filled(right_answers(number), number))
    written = mark([tmp_path / "one", tmp_path / "two"], manifest()).feedback(tmp_path / "back")
    assert len({*written}) == 2
    assert all(path.exists() for path in written)


def test_no_student_is_told_of_anybody_elses_file(tmp_path: Path) -> None:
    files = {"anna.xlsx": right_answers(), "ben.xlsx": by_method("exponential")}
    paths = [handed_in(tmp_path, name, filled(answers)) for name, answers in files.items()]
    for written in mark(paths, manifest()).feedback(tmp_path / "back"):
        other = "ben" if written.name.startswith("anna") else "anna"
        assert other not in sheet_text(load_workbook(written))


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "back").write_text("a file")
    marks = mark([handed_in(tmp_path, "a.xlsx", filled(right_answers()))], manifest())
    with pytest.raises(InputError, match="back"):
        marks.feedback(tmp_path / "back")


def test_no_right_value_is_given_away(tmp_path: Path) -> None:
    """Who answered nothing learns what is missing, and no number."""
    book = load_workbook(given_back(tmp_path, filled({})))
    notes = [cell.comment.text for sheet in book for row in sheet.iter_rows() for cell in row if cell.comment]
    said = sheet_text(book) + "\n".join(notes)
    assert len(notes) >= len(STEP_NAMES)
    for step in ("dcg", "idcg", "ndcg", "mrr"):
        (value,) = right(task())[step]
        assert f"{value:.3f}" not in said
