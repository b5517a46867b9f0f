"""The verb `exercise`: a teacher's own inputs, exams, keys, and files that hold up to the lint."""

from pathlib import Path

import pytest
from conftest import Command
from exercises import SHAPES, exercises
from homework_filled import given_away
from hypothesis import given, settings
from lint import RULES
from linted import File
from openpyxl import load_workbook

from workbook_builder import Exercise, build
from workbook_builder.homework.book import exercise_book, variant_book
from workbook_builder.homework.defaults import LADDER, WITH_ERROR
from workbook_builder.homework.from_exercise import MOST, TOTALS, tasks_of
from workbook_builder.homework.planned import ASKED_STEPS, Rung, ladder, planned
from workbook_builder.homework.puzzle_sheets import ASKED, puzzle
from workbook_builder.homework.steps import right
from workbook_builder.inputs import WORKED_EXAMPLE
from workbook_builder.text import languages


def sheets_of(path: Path) -> list[str]:
    return [sheet.title for sheet in load_workbook(path).worksheets]


def test_a_ladder_is_written_and_proved_without_any_input(command: Command, tmp_path: Path) -> None:
    done = command("exercise")
    assert done.code == 0, done.err
    assert "Proved: " in done.err
    assert len(sheets_of(tmp_path / "output" / "exercise.xlsx")) == 7 + 4 + 3


def test_a_teachers_exercise_stands_on_the_sheets_where_every_step_is_asked(command: Command, tmp_path: Path) -> None:
    command("new", "mine.toml")
    done = command("exercise", "--input", "mine.toml", "--k", 4, "-o", "ours.xlsx", "--language", "de")
    assert done.code == 0, done.err
    assert "Note: your inputs are on the sheets where every step is yours" in done.err
    book = load_workbook(tmp_path / "ours.xlsx")
    area = book.defined_names["ndcg_own.grade"].attr_text.rpartition("!")[2].replace("$", "")
    assert [row[0].value for row in book["NDCG selbst"][area]] == list(WORKED_EXAMPLE.grades)
    assert "k" in str(book["NDCG selbst"]["A1"].value)


def test_a_workbook_of_ours_may_be_the_input(command: Command, tmp_path: Path) -> None:
    build().save(tmp_path / "lessons.xlsx")
    assert command("exercise", "--input", "lessons.xlsx").code == 0


def test_exercises_that_are_checked_as_lessons_are_sent_where_they_belong(command: Command) -> None:
    command("exercise", "-o", "exercise.xlsx")
    for verb in (("check", "exercise.xlsx"), ("exercise", "--input", "exercise.xlsx")):
        done = command(*verb)
        assert done.code == 2
        assert "it holds exercises, not lessons. They were proved when they were written" in done.err


def test_an_exam_and_its_key_come_in_one_go(command: Command, tmp_path: Path) -> None:
    done = command("exercise", "--no-checks", "--key", "key.xlsx", "-o", "exam.xlsx")
    assert done.code == 0, done.err
    exam, key = ((tmp_path / name).read_bytes() for name in ("exam.xlsx", "key.xlsx"))
    asked = {"ndcg": right(LADDER[-1])["ndcg"], "mrr": right(LADDER[-1])["mrr"]}
    assert not given_away(exam, asked)
    assert len(given_away(key, asked)) == 2
    assert sheets_of(tmp_path / "exam.xlsx") == sheets_of(tmp_path / "key.xlsx")


def test_nothing_is_written_when_the_key_would_replace_somebodys_work(command: Command, tmp_path: Path) -> None:
    (tmp_path / "key.xlsx").write_text("mine")
    done = command("exercise", "--key", "key.xlsx", "-o", "exercise.xlsx")
    assert done.code == 2
    assert "key.xlsx has been saved by another program" in done.err
    assert not (tmp_path / "exercise.xlsx").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--key", "a.xlsx", "-o", "a.xlsx"), '--key: it is the exercise\'s own file: "a.xlsx"'),
        (("--language", "dee"), 'there are no words in this language: "dee". Did you mean de?'),
        (("--query", "q1"), "--query goes with --input"),
        (("--input", "none.toml"), "none.toml"),
        (("--k", "0"), 'the cut-off k cannot be used: "0"'),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(command: Command, arguments: tuple[str, ...], said: str) -> None:
    done = command("exercise", *arguments)
    assert done.code == 2
    assert said in done.err


@settings(max_examples=6)
@given(exercises())
def test_any_exercise_becomes_a_proved_ladder(exercise: Exercise) -> None:
    tasks, notes = tasks_of(exercise)
    assert len(tasks) == len(ASKED_STEPS["ndcg"]) + 1
    assert tasks[-1].grades == tuple(map(float, exercise.grades))
    firsts = right(tasks[-1])["first_relevant"]
    shown = [rank if rank is None or rank <= MOST else None for _, rank in exercise.first_relevant]
    assert list(firsts) == shown
    assert notes
    exercise_book(tasks[-2:])


def test_no_earlier_rung_has_a_total_of_the_teachers_own() -> None:
    tasks, _ = tasks_of(WORKED_EXAMPLE)
    for total in TOTALS:
        values = [round(right(task)[total][0] or 0, 3) for task in tasks]
        assert len(set(values)) == len(values), total


def test_what_cannot_be_told_apart_is_said() -> None:
    _, notes = tasks_of(SHAPES["nothing relevant"])
    assert any("some known mistakes give the right value" in note for note in notes)
    assert any("an earlier sheet has the same" in note for note in notes) or len(notes) >= 2


@pytest.mark.parametrize("language", sorted(languages()))
@pytest.mark.parametrize(("checks", "solved"), [(True, False), (False, False), (True, True)])
def test_the_exercises_pass_the_lint(language: str, checks: bool, solved: bool) -> None:
    text = languages()[language]
    sheets = [
        planned(each, text) for track in ASKED_STEPS for each in ladder(track, LADDER, checks=checks, solved=solved)
    ]
    sheets += [puzzle(name, WITH_ERROR, text, checks=checks, solved=solved) for name in ASKED]
    file = File(exercise_book(language=language, checks=checks, solved=solved), tuple(sheets))
    assert not {rule.__name__: found for rule in RULES if (found := list(rule(file)))}


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_students_workbook_passes_the_lint(language: str) -> None:
    text = languages()[language]
    own = [
        Rung(track, len(steps), LADDER[0], checks=False, editable=False, code="ABCD-EFGH")
        for track, steps in ASKED_STEPS.items()
    ]
    sheets = [planned(each, text) for each in own]
    file = File(variant_book(LADDER[0], "ABCD-EFGH", language=language), tuple(sheets))
    assert not {rule.__name__: found for rule in RULES if (found := list(rule(file)))}
