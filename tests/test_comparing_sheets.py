"""Averages and Which metric show what they claim, with their own grades on any exercise's scale."""

import io
from dataclasses import replace

import pytest
from openpyxl import Workbook, load_workbook

from workbook_builder import EXPONENTIAL, Exercise, Gain, build
from workbook_builder.source import only, source_of
from workbook_builder.steps.scale import on_scale


@pytest.fixture(scope="module")
def values() -> Workbook:
    return load_workbook(io.BytesIO(build().data), data_only=True)


def named(book: Workbook, lesson: str, name: str) -> list[object]:
    """The values of a lesson's cells of that name."""
    sheet = next(sheet for sheet in source_of().sheets() if sheet.name == lesson)
    return [book[sheet.title][address.relative].value for address in sheet.grid.cells[name]]


def test_one_rich_query_dominates_the_mean_dcg_and_not_the_mean_ndcg(values: Workbook) -> None:
    assert named(values, "averages", "mean_dcg") == [pytest.approx(2.182025330)]
    assert named(values, "averages", "largest_dcg_share") == [pytest.approx(0.755854142)]
    assert named(values, "averages", "mean_ndcg") == [pytest.approx(0.738178859)]
    assert named(values, "averages", "largest_ndcg_share") == [pytest.approx(0.338671303)]


def test_dropping_queries_without_a_hit_turns_the_winner_round(values: Workbook) -> None:
    shown = {name: named(values, "averages", name)[0] for name in ("mrr_a", "mrr_b", "own_mean_a", "own_mean_b")}
    assert shown == pytest.approx({"mrr_a": 0.5666666667, "mrr_b": 0.4, "own_mean_a": 0.7083333333, "own_mean_b": 1})
    assert named(values, "averages", "better") + named(values, "averages", "better_by_own") == ["A", "B"]


@pytest.mark.parametrize(
    ("metric", "preferred"),
    [
        ("rr", ["A", "A", "neither", "A"]),
        ("precision", ["neither", "B", "neither", "B"]),
        ("recall", ["neither", "B", "neither", "B"]),
        ("ndcg", ["A", "B", "A", "B"]),
    ],
)
def test_the_metrics_prefer_different_systems(values: Workbook, metric: str, preferred: list[str]) -> None:
    assert named(values, "which_metric", f"{metric}_prefers") == preferred


def test_reciprocal_rank_is_1_while_a_needed_chunk_is_missing(values: Workbook) -> None:
    *_, rag, _ = zip(*(named(values, "which_metric", name) for name in ("rr", "recall")), strict=True)
    assert rag == (1, pytest.approx(1 / 3))


LEVELS = (0, 1, 2, 3)
ONE_RESULT = Exercise((1,), (), 1, (("a", 1),))


@pytest.mark.parametrize(
    ("changes", "grades"),
    [
        ({}, (0, 1, 2, 3)),
        ({"highest": 1}, (0, 1, 1, 1)),
        ({"highest": 4}, (0, 1, 3, 4)),
        ({"highest": 100}, (0, 33, 67, 100)),
        ({"lowest": 1, "highest": 5}, (1, 2, 3, 5)),
        ({"lowest": -2}, (0, 1, 2, 3)),
        ({"gain": Gain.parse("0=0,1=.01,2=.1,3=1")}, (0, 1, 2, 3)),
        ({"gain": Gain.parse("0=0,3=1")}, (0, 3, 3, 3)),
        ({"gain": Gain.parse(".5=.1,1=1"), "highest": 1}, (0, 0.5, 0.5, 1)),
    ],
    ids=str,
)
def test_grades_of_a_lesson_fit_the_scale_and_the_table(changes: dict[str, object], grades: tuple[float, ...]) -> None:
    assert on_scale(LEVELS, replace(ONE_RESULT, **changes)) == pytest.approx(grades)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "exercise",
    [
        Exercise((1, 0, 1), (), 3, (("a", 2),), highest=1),
        Exercise((50, 0, 100), (70,), 10, (("a", None),), relevant_from=50, highest=100),
        Exercise((4, 1, 5), (), 2, (("a", 1), ("b", 7)), gain=EXPONENTIAL, relevant_from=4, lowest=1, highest=5),
        Exercise((0, 2), (2,), 2, (("a", 1),), gain=Gain.parse("0=.1,2=.5"), highest=2),
    ],
    ids=["binary", "percent", "one to five", "a table without a middle"],
)
def test_the_sheets_are_proved_on_other_scales(exercise: Exercise) -> None:
    assert build(only(source_of(exercise), ["averages", "which_metric"])).report.agrees
