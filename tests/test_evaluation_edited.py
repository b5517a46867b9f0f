"""Evaluation workbooks that somebody edited: every number follows, and a new build keeps what was added."""

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import needed
from evaluation_edits import (
    BUILT,
    FEW,
    Edit,
    add_judgment,
    add_result,
    built,
    choose,
    edited,
    grade,
    own_table,
    put,
    several,
)
from evaluations import SMALL
from openpyxl import Workbook

from workbook_builder import Evaluation, InputError, check
from workbook_builder.balance import Report
from workbook_builder.cached import read_cells
from workbook_builder.evaluation.check import check_opened
from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.evaluation.reopen import Opened, reopen, reopened_evaluation
from workbook_builder.inputs import UNLISTED
from workbook_builder.recalculate import EMBEDDED, ENGINES, Engine

EDITS: dict[str, Edit] = {
    "another k": put("Summary", "B8", 2),
    "no k where it may be left out": put("Summary", "B8", None),
    "a k beyond every ranking": put("Summary", "B8", 50),
    "exponential gain": put("Summary", "B4", "Exponential"),
    "a table of one's own": own_table(0, 0.25, 0.5, 7),
    "a table with a blank cell": own_table(None, 1, 2, 3),
    "another threshold": put("Summary", "B5", 2),
    "a threshold between two grades": put("Summary", "B5", 1.5),
    "a threshold above all grades": put("Summary", "B5", 9),
    "another grade": grade("reset password", "b", 3),
    "a grade in a query without relevant ones": grade("3", "h", 2),
    "a hole filled in": grade("reset password", "new", 3),
    "a grade taken away": grade("reset password", "c", None),
    "another query and system": choose({"query": "=1+1", "system": "dense"}),
    "a query nobody answered": choose({"query": "nobody answers"}),
    "a query that is not there": choose({"query": "what?"}),
    "another pair and metric": choose({"first_system": "dense", "second_system": "bm25", "metric": "AP"}),
    "one system twice": choose({"first_system": "dense", "second_system": "dense", "metric": "RR@3"}),
    "everything at once": several(
        put("Summary", "B4", "exponential"),
        put("Summary", "B5", 2),
        put("Summary", "B8", 4),
        grade("reset password", "new", 2),
        grade("003", "g", 3),
        choose({"query": "003", "system": "dense", "metric": "nDCG@4"}),
    ),
}


FOR_EVERY_PROGRAM = ("everything at once", "a table of one's own", "another query and system", "a hole filled in")


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_every_number_follows_an_edit(edit: Edit, tmp_path: Path) -> None:
    (report,) = check(edited(tmp_path, edit))
    assert report.agrees, str(report)


@pytest.mark.parametrize("name", [name for name in ENGINES if name != EMBEDDED.name])
def test_every_number_follows_an_edit_in_every_program(name: str, tmp_path: Path) -> None:
    engine = needed(ENGINES[name])
    opened = [reopen(edited(tmp_path / str(at), EDITS[edit])) for at, edit in enumerate(FOR_EVERY_PROGRAM)]
    filled = engine.recalculate_all([each.data for each in opened])
    reports = [already_filled(each, engine, data) for each, data in zip(opened, filled, strict=True)]
    assert [str(report) for report in reports if not report.agrees] == []


def already_filled(each: Opened, engine: Engine, filled: bytes) -> Report:
    """The report on a workbook that an engine has recalculated already."""
    return check_opened(each, [replace(engine, fill=lambda _: [filled])])[0]


def means(path: Path) -> dict[str, float]:
    """The means of the first system that Summary shows once recalculated, by metric."""
    (names, first, *_) = rows_from(path, "Summary", "A", "system")
    return {str(name): float(str(mean)) for name, mean in list(zip(names, first, strict=True))[1:5]}


def rows_from(path: Path, sheet: str, column: str, word: str) -> list[list[object]]:
    """The rows of a sheet once recalculated, from the one with this word in this column on, column by column."""
    cells = read_cells(EMBEDDED.recalculate(path.read_bytes()))[1][sheet]
    begin = next(int(cell[1:]) for cell, value in cells.items() if cell.startswith(column) and value == word)
    letters = "ABCDEFGHIJKLMNOPQRST"
    return [[cells.get(f"{letter}{row}") for letter in letters] for row in range(begin, begin + 3)]


def test_a_grade_in_judgments_moves_the_summary(tmp_path: Path) -> None:
    """bm25 returns the document of query 3 at rank 3: made relevant, it adds 1/3 to one of five reciprocal ranks."""
    before = means(edited(tmp_path / "before", choose({"system": "dense"})))
    after = means(edited(tmp_path, grade("3", "h", 2)))
    assert after["RR@3"] - before["RR@3"] == pytest.approx(1 / 3 / 5)
    assert after["P@3"] - before["P@3"] == pytest.approx(1 / 3 / 5)
    assert after["nDCG@3"] - before["nDCG@3"] == pytest.approx(1 / 2 / 5)


def test_the_sheet_says_itself_what_is_wrong_with_grades_and_gains(tmp_path: Path) -> None:
    def said(edit: Edit, folder: str) -> object:
        path = edited(tmp_path / folder, edit)
        return read_cells(EMBEDDED.recalculate(path.read_bytes()))[1]["Summary"]["B6"]

    assert str(said(put("Summary", "B8", 2), "fine")).startswith("fine")
    assert str(said(own_table(0, 3, 2, 1), "falling")).startswith("a higher grade is worth less")
    assert str(said(grade("003", "f", 7), "unlisted")).startswith("a grade in Judgments is not in the table")


def test_an_edited_k_is_in_the_names_of_the_metric_everywhere(tmp_path: Path) -> None:
    path = edited(tmp_path, put("Summary", "B8", 2))
    assert rows_from(path, "Summary", "A", "system")[0][1] == "nDCG@2"
    assert rows_from(path, "Queries", "A", "query")[0][2] == "nDCG@2"
    assert rows_from(path, "Compare", "C", "metric")[1][2] == "nDCG@2"
    assert rows_from(path, "Differences", "A", "query")[0][4] == "bm25 − dense: nDCG@2"


def test_an_edit_that_moves_a_difference_says_that_the_randomization_test_is_out_of_date(tmp_path: Path) -> None:
    path = edited(tmp_path, grade("003", "g", 3))
    assert check(path)[0].agrees
    assert {"nDCG@3", "build again"} <= set(rows_from(path, "Compare", "C", "metric")[1])
    unmoved = edited(tmp_path / "other", choose({"metric": "AP"}))
    assert {"nDCG@3", "as built"} <= set(rows_from(unmoved, "Compare", "C", "metric")[1])


@pytest.mark.parametrize("name", ["p, randomization", "the same, Holm"])
def test_a_stated_p_that_is_not_the_references_is_caught(name: str, tmp_path: Path) -> None:
    """No formula computes it, so nothing else would notice."""

    def edit(book: Workbook) -> None:
        sheet = book["Compare"]
        (heading,) = [cell for row in sheet.iter_rows() for cell in row if cell.value == name]
        sheet.cell(heading.row + 1, heading.column).value = 0.001

    (report,) = check(edited(tmp_path, edit))
    (only,) = report.disagreements
    assert (only.sheet, only.value) == ("Compare", 0.001)
    assert "0.001 stands where" in str(only)


@pytest.mark.parametrize("add", [add_judgment, add_result], ids=["a judgment", "a result"])
def test_an_added_line_needs_a_new_build_and_is_told_so(add: Edit, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"added.*workbook-builder evaluate FILE"):
        check(edited(tmp_path, add))


def test_a_new_build_keeps_added_lines_and_edits(tmp_path: Path) -> None:
    def edit(book: Workbook) -> None:
        add_judgment(book)
        add_result(book)
        grade("reset password", "new", 5)(book)
        put("Summary", "B8", 4)(book)

    evaluation, language = reopened_evaluation(edited(tmp_path, edit))
    assert language == "en"
    assert evaluation.judgments.grades["3"] == {"a": 0.0, "h": 0.0, "deep": 3.0}
    assert evaluation.judgments.grades["reset password"]["new"] == 5.0
    assert evaluation.runs[1].rankings["3"] == ("h",)
    assert str(evaluation.measures[0]) == "nDCG@4"
    path = build_evaluation(evaluation, language).save(tmp_path / "again.xlsx")
    assert check(path)[0].agrees
    assert reopen(path).layout.evaluation.texts["a"] == "How to reset"


def test_a_result_far_below_the_others_leaves_unlisted_ranks_between(tmp_path: Path) -> None:
    evaluation, _ = reopened_evaluation(edited(tmp_path, lambda book: book["Results"].append(["dense", "003", 6, "g"])))
    assert evaluation.runs[1].rankings["003"] == ("f", "a", "other", UNLISTED, UNLISTED, "g")
    path = build_evaluation(evaluation).save(tmp_path / "again.xlsx")
    assert check(path)[0].agrees


@pytest.mark.parametrize("evaluation", BUILT, ids=["scores", "ranks"])
def test_building_an_unedited_file_anew_gives_the_same_bytes(evaluation: Evaluation, tmp_path: Path) -> None:
    path = tmp_path / "built.xlsx"
    path.write_bytes(built(evaluation))
    again, language = reopened_evaluation(path)
    assert build_evaluation(again, language).data == built(evaluation)


@pytest.mark.parametrize("name", ["libreoffice", "gnumeric"])
def test_a_file_saved_by_another_program_is_still_proved_and_built_anew(name: str, tmp_path: Path) -> None:
    engine = needed(ENGINES[name])
    path = tmp_path / "saved.xlsx"
    path.write_bytes(engine.recalculate(built(FEW)))
    (report,) = check(path)
    assert report.agrees, str(report)
    again, _ = reopened_evaluation(path)
    assert again.judgments.grades == SMALL.judgments.grades
    assert [run.rankings for run in again.runs] == [
        {query: of for query, of in run.rankings.items() if query in again.judgments.grades} for run in SMALL.runs
    ]
