"""Edits that no formula can follow, or no reference: named with their cell, and with what to do."""

from pathlib import Path

import pytest
from evaluation_edits import Edit, edited, grade, own_table, put
from evaluations import SMALL
from openpyxl import Workbook

from workbook_builder import InputError, check
from workbook_builder.evaluation.reopen import reopened_evaluation


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
