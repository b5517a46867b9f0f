"""Evaluation workbooks that somebody edited: every number follows, and what cannot be followed is named."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from conftest import needed
from evaluations import SMALL, WITH_A_GAP
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder import Evaluation, InputError, check
from workbook_builder.balance import Report
from workbook_builder.cached import read_cells
from workbook_builder.evaluation.check import check_opened
from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.evaluation.reopen import Opened, reopen, reopened_evaluation
from workbook_builder.inputs import UNLISTED
from workbook_builder.measures import parse_measures
from workbook_builder.recalculate import EMBEDDED, ENGINES, Engine

FEW = replace(SMALL, measures=parse_measures(["nDCG@3", "RR@3", "P@3", "AP"]))
BUILT = [FEW, WITH_A_GAP]
Edit = Callable[[Workbook], None]


def edited(tmp_path: Path, edit: Edit, evaluation: Evaluation = FEW) -> Path:
    """The workbook of an evaluation, opened, edited and saved by another program."""
    path = tmp_path / "edited.xlsx"
    book = load_workbook(BytesIO(built(evaluation)))
    edit(book)
    path.parent.mkdir(exist_ok=True)
    book.save(path)
    return path


@cache
def _built(number: int) -> bytes:
    return build_evaluation(BUILT[number]).data


def built(evaluation: Evaluation) -> bytes:
    """The workbook of an evaluation, built once."""
    return _built(BUILT.index(evaluation))


def found(sheet: Worksheet, *words: str) -> int:
    """The row whose first cells hold these words."""
    return next(
        row for row, cells in enumerate(sheet.iter_rows(max_col=len(words), values_only=True), 1) if cells == words
    )


def put(sheet: str, cell: str, value: object) -> Edit:
    def edit(book: Workbook) -> None:
        book[sheet][cell] = value

    return edit


def several(*edits: Edit) -> Edit:
    def edit(book: Workbook) -> None:
        for each in edits:
            each(book)

    return edit


def grade(query: str, document: str, value: object) -> Edit:
    """Type another grade."""

    def edit(book: Workbook) -> None:
        sheet = book["Judgments"]
        sheet.cell(found(sheet, query, document), 4).value = value

    return edit


def choose(names: dict[str, str]) -> Edit:
    """Choose other entries in drop-down cells, by the cells' names."""

    def edit(book: Workbook) -> None:
        for name, value in names.items():
            title, _, cell = book.defined_names[f"evaluation.{name}"].attr_text.rpartition("!")
            chosen = book[title.strip("'")][cell.replace("$", "")]
            chosen.value, chosen.data_type = value, "s"

    return edit


def own_table(*worth: float | None) -> Edit:
    def edit(book: Workbook) -> None:
        sheet = book["Summary"]
        sheet["B4"] = "own table"
        first = found(sheet, "grade", "linear gain") + 1
        for at, value in enumerate(worth):
            sheet.cell(first + at, 4).value = value

    return edit


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


def add_judgment(book: Workbook) -> None:
    book["Judgments"].append(["3", "deep", None, 3])


def add_result(book: Workbook) -> None:
    book["Results"].append(["dense", "3", 1, "h", 0.5])


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


def rename(book: Workbook) -> None:
    book["Queries"].title = "Per query"


def text_as_number(sheet: str, column: int) -> Edit:
    """The id 003 typed again, and taken for a number."""

    def edit(book: Workbook) -> None:
        cells = book[sheet][column_letter(column)]
        next(cell for cell in cells if cell.value == "003").value = 3

    return edit


def column_letter(column: int) -> str:
    return "ABCDEF"[column - 1]


def delete_row(sheet: str, row: int) -> Edit:
    return lambda book: book[sheet].delete_rows(row)


def sort_judgments(book: Workbook) -> None:
    """What the arrow of a filter does: the lines in another order, and formulas that still look where they were."""
    sheet = book["Judgments"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    for at, row in enumerate(sorted(rows, key=lambda cells: str(cells[1])), 2):
        for column, value in enumerate(row, 1):
            sheet.cell(at, column).value = value


def swap_results(book: Workbook) -> None:
    sheet = book["Results"]
    for row, rank in ((2, 2), (3, 1)):
        sheet.cell(row, 3).value = rank


def two_faults(book: Workbook) -> None:
    put("Judgments", "D2", "three")(book)
    put("Summary", "B8", 0)(book)


MOVED_RESULTS = "the order or the ids of Results were changed.*evaluate FILE"
WRONG: dict[str, tuple[Edit, str]] = {
    "a grade as text": (grade("003", "f", "2"), r"Judgments!D\d+: the grade is no number: \"2\"\. Type it as a number"),
    "a word as grade": (grade("003", "f", "good"), r"Judgments!D\d+: the grade is no number: \"good\""),
    "a grade the table lacks": (grade("003", "f", 7), r"Judgments.*not in the table of gains: \"7\".*build it again"),
    "a query id as number": (text_as_number("Judgments", 1), r"Judgments!A\d+: this id is a number.*: \"3\"\. Type '3"),
    "an id as number in Results": (text_as_number("Results", 2), r"Results!B\d+: this id is a number"),
    "a document twice": (put("Judgments", "B3", "a"), r"Judgments!B3: query \"reset password\" has this document in a"),
    "a document that is gone": (put("Judgments", "B3", None), r"Judgments!B3: the id is missing"),
    "no grade left": (grade("nobody answers", "a", None), r'query "nobody answers" has no grade left'),
    "k 0": (put("Summary", "B8", 0), r"Summary!B8: the cut-off k cannot be used: \"0\"\. Give a whole number from 1"),
    "k as text": (put("Summary", "B8", "ten"), r"Summary!B8: the cut-off k cannot be used: \"ten\""),
    "half a k": (put("Summary", "B8", 2.5), r"Summary!B8: the cut-off k cannot be used: \"2\.5\""),
    "k beyond the ranks": (put("Summary", "B8", 51), r"Summary!B8: k goes to 50 here: \"51\"\. Build it again"),
    "no k for precision": (put("Summary", "D8", None), r"Summary!D8: P needs a cut-off k"),
    "an unknown gain": (put("Summary", "B4", "cubic"), r"Summary!B4: this is no gain: \"cubic\"\. Choose linear"),
    "a negative gain": (own_table(0, -1, 2, 3), r"Summary!D\d+: this is no gain: \"-1\"\. Give a number from 0"),
    "a threshold of 0": (put("Summary", "B5", 0), r"Summary!B5: the lowest relevant grade must be a number above 0"),
    "a gain that falls": (own_table(0, 3, 2, 1), r"grade 2 is worth less than grade 1.*a higher grade at least"),
    "a gain of what nobody judged": (own_table(1, 1, 2, 3), r"grade 0 has a gain.*Give grade 0 the gain 0"),
    "an unknown system": (
        put("Results", "A2", "bm26"),
        r"Results!A2: there is no such system.*: \"bm26\"\. .*bm25, dense",
    ),
    "a rank twice": (
        put("Results", "C3", 1),
        r"Results!C3: bm25 has rank 1 of query \"reset password\" in a line above",
    ),
    "a rank of 0": (put("Results", "C2", 0), r"Results!C2: the rank is 0"),
    "a rank that is none": (put("Results", "C2", "first"), r"Results!C2: the rank is no whole number: \"first\""),
    "a line less in Judgments": (delete_row("Judgments", 4), r"lines were added.*removed.*Judgments.*evaluate FILE"),
    "a line less in Results": (delete_row("Results", 4), r"lines were added.*removed.*Results.*evaluate FILE"),
    "Judgments sorted": (sort_judgments, r"the order or the ids of Judgments were changed.*evaluate FILE"),
    "results swapped": (swap_results, MOVED_RESULTS),
    "another document id": (
        put("Results", "D2", "zzz"),
        r"the order or the ids of Results were changed.*evaluate FILE",
    ),
    "a renamed sheet": (rename, r"sheet Queries.*is missing"),
    "a sheet that is gone": (lambda book: book.remove(book["Ideal"]), r"sheet Ideal.*is missing"),
    "the inputs gone": (
        lambda book: book.remove(book["Judgments"]),
        r"sheet Judgments.*evaluation\.judgments.*is missing",
    ),
}


@pytest.mark.parametrize(("edit", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_named_with_its_cell_and_what_to_do(edit: Edit, said: str, tmp_path: Path) -> None:
    path = edited(tmp_path, edit)
    with pytest.raises(InputError, match=said) as caught:
        check(path)
    assert str(path) in str(caught.value)


def test_all_faults_of_a_workbook_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        check(edited(tmp_path, two_faults))
    assert len(caught.value.faults) == 2


def test_a_sheet_of_lists_may_be_renamed(tmp_path: Path) -> None:
    """Judgments, Results, Summary, Compare and One query are found by their named cells."""

    def edit(book: Workbook) -> None:
        for title in ("Judgments", "Summary"):
            for sheet in book.worksheets:
                for row in sheet.iter_rows():
                    for cell in row:
                        if cell.data_type == "f":
                            cell.value = str(cell.value).replace(f"'{title}'!", f"'My {title}'!")
            for defined in book.defined_names.values():
                defined.attr_text = defined.attr_text.replace(f"'{title}'!", f"'My {title}'!")
            book[title].title = f"My {title}"

    path = edited(tmp_path, edit)
    assert reopened_evaluation(path)[0].judgments.grades == SMALL.judgments.grades
