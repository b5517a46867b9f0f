"""The sheets up to Gain show what the lesson says, with the numbers it prints."""

import io

import pytest
from openpyxl import Workbook, load_workbook

from workbook_builder import LINEAR, Gain, build, check
from workbook_builder.balance import TOLERANCE
from workbook_builder.recalculate import EMBEDDED
from workbook_builder.source import only, source_of
from workbook_builder.steps.values import with_grade_zero

ORDER = ["Worked example", "Start here", "Order matters", "Reciprocal rank", "Discount", "Gain"]


@pytest.fixture(scope="module")
def data() -> bytes:
    return build().data


@pytest.fixture(scope="module")
def values(data: bytes) -> Workbook:
    return load_workbook(io.BytesIO(data), data_only=True)


def named(book: Workbook, lesson: str, name: str) -> object:
    """The value of a lesson's only cell of that name."""
    sheet = next(sheet for sheet in source_of().sheets() if sheet.name == lesson)
    (address,) = sheet.grid.cells[name]
    return book[sheet.title][address.relative].value


def test_the_tabs_stand_in_teaching_order_with_the_worked_example_selected(values: Workbook) -> None:
    assert values.sheetnames[: len(ORDER)] == ORDER
    assert values.active.title == "Worked example"


def test_every_sheet_is_listed_and_leads_back(data: bytes) -> None:
    book = load_workbook(io.BytesIO(data))
    links = {sheet.title: [cell.hyperlink for row in sheet for cell in row if cell.hyperlink] for sheet in book}
    there = [link.location for link in links.pop("Start here")]
    assert there == [f"'{title}'!A1" for title in links]
    assert all([link.location for link in back] == ["'Start here'!A1"] for back in links.values())


def test_what_start_here_says_of_the_proof_is_what_was_proved(values: Workbook) -> None:
    built = build()
    said = " ".join(str(cell.value) for row in values["Start here"] for cell in row if cell.value)
    assert f"its {built.report.cells} formula cells" in said
    assert f"{built.report.engine} {built.report.version}" in said
    assert f"{TOLERANCE:g}" in said
    assert "{" not in said


@pytest.mark.parametrize("metric", ["precision", "recall"])
def test_precision_and_recall_do_not_see_the_order(values: Workbook, metric: str) -> None:
    assert named(values, "order_matters", f"{metric}_a") == named(values, "order_matters", f"{metric}_b") == 0.6
    assert named(values, "order_matters", f"{metric}_tells") == "no"


@pytest.mark.parametrize(
    ("metric", "a", "b"), [("rr", 1, 1 / 3), ("dcg", 3.930676558, 2.521911538), ("ndcg", 0.550438203, 0.353159675)]
)
def test_reciprocal_rank_and_ndcg_do(values: Workbook, metric: str, a: float, b: float) -> None:
    assert named(values, "order_matters", f"{metric}_a") == pytest.approx(a)
    assert named(values, "order_matters", f"{metric}_b") == pytest.approx(b)
    assert named(values, "order_matters", f"{metric}_tells") == "yes"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sum", 2.8333333333),
        ("queries", 5),
        ("k", 2),
        ("mrr", 0.5666666667),
        ("mrr_at_k", 0.5),
        ("mean_of_answered", 0.7083333333),
        ("inflation", 0.1416666667),
    ],
)
def test_mean_reciprocal_ranks_are_those_of_the_lesson(values: Workbook, name: str, value: float) -> None:
    assert named(values, "reciprocal_rank", name) == pytest.approx(value)


def test_log2_of_rank_divides_by_zero_at_rank_1_and_says_so_in_words(values: Workbook) -> None:
    sheet = values["Discount"]
    assert [sheet["B6"].value, sheet["B8"].value] == [1, 2]
    assert [sheet["C6"].value, sheet["C8"].value] == [1, 0.5]
    assert sheet["D6"].value == 0
    assert sheet["E6"].value == "divides by 0"
    assert sheet["E7"].value == 1


@pytest.mark.parametrize(
    ("gain", "ndcg"), [("linear", 0.550438203), ("exponential", 0.474853786), ("custom", 0.349741697)]
)
def test_each_gain_gives_another_ndcg(values: Workbook, gain: str, ndcg: float) -> None:
    assert named(values, "gain", f"ndcg_{gain}") == pytest.approx(ndcg, abs=1e-6)


WHERE_NUMBERS_GO = ["order_matters", "reciprocal_rank", "discount", "gain"]


@pytest.mark.parametrize("typed", [None, "abc", -5, 0, 1_000_000])
def test_nothing_typed_into_a_yellow_cell_makes_an_error(typed: object) -> None:
    book = load_workbook(io.BytesIO(build(only(source_of(), WHERE_NUMBERS_GO)).data))
    yellow = [cell for sheet in book for row in sheet for cell in row if cell.style.startswith("Input")]
    for cell in yellow:
        cell.value = typed
    written = io.BytesIO()
    book.save(written)
    shown = load_workbook(io.BytesIO(EMBEDDED.recalculate(written.getvalue())), data_only=True)
    assert not [
        f"{sheet.title}!{cell.coordinate}" for sheet in shown for row in sheet for cell in row if cell.data_type == "e"
    ]


def test_a_result_shown_twice_is_named_and_still_proved(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = build(only(source_of(), ["order_matters"])).save(tmp_path_factory.mktemp("edited") / "book.xlsx")
    book = load_workbook(path)
    book["Order matters"]["E14"] = book["Order matters"]["E15"].value
    book.save(path)
    (report,) = check(path)
    assert report.agrees, str(report)


def test_an_empty_cell_has_a_gain_in_every_table() -> None:
    assert with_grade_zero(LINEAR) == LINEAR
    assert with_grade_zero(Gain.parse("1=.5")).of([0, 1]).tolist() == [0, 0.5]
    assert with_grade_zero(Gain.parse("0=.1,1=.5")).of([0, 1]).tolist() == [0.1, 0.5]


def test_a_sheet_without_yellow_cells_can_be_checked(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = build(only(source_of(), ["start_here"])).save(tmp_path_factory.mktemp("start") / "book.xlsx")
    (report,) = check(path)
    assert report.cells == 0
    assert report.agrees
