"""What people do to an evaluation workbook once they have it, as edits for the tests."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

from evaluations import SMALL, WITH_A_GAP
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder import Evaluation
from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.measures import parse_measures

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


def add_judgment(book: Workbook) -> None:
    book["Judgments"].append(["3", "deep", None, 3])


def add_result(book: Workbook) -> None:
    book["Results"].append(["dense", "3", 1, "h", 0.5])
