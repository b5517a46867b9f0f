"""The wrong methods give the numbers they are known for, and the separating example lets none of them pass."""

import math

import pytest

from workbook_builder import LINEAR, Exercise, metrics, wrong
from workbook_builder.inputs import WORKED_EXAMPLE
from workbook_builder.steps import STEPS
from workbook_builder.steps.mistakes import SEPARATING

GRADES, MISSED, K = [0.0, 2.0, 2.0, 0.0, 3.0, 0.0], [1.0, 1.0], 4
JUDGED = GRADES + MISSED

KNOWN = {
    "right": (metrics.ndcg(GRADES, JUDGED, K), 0.3973),
    "exponential gain": (wrong.ndcg_with_exponential_gain(GRADES, JUDGED, K), 0.3135),
    "log2(rank)": (wrong.ndcg_with_log2_of_rank(GRADES, JUDGED, K), 0.4824),
    "1 / rank": (wrong.ndcg_with_rank_as_discount(GRADES, JUDGED, K), 0.3390),
    "ideal of the returned": (wrong.ndcg_ideal_from_returned(GRADES, K), 0.4299),
    "ideal of the top k": (wrong.ndcg_ideal_from_top_k(GRADES, K), 0.6934),
    "uncut ideal": (wrong.ndcg_ideal_uncut(GRADES, JUDGED, K), 0.3721),
    "perfect ideal": (wrong.ndcg_ideal_perfect(GRADES, JUDGED, K, len(GRADES)), 0.2943),
    "binary": (wrong.ndcg_binary(GRADES, JUDGED, K, relevant_from=2), 0.5307),
}


@pytest.mark.parametrize("method", KNOWN)
def test_each_method_gives_its_known_number(method: str) -> None:
    value, known = KNOWN[method]
    assert value == pytest.approx(known, abs=5e-5)


def test_the_sheets_separating_example_is_this_one() -> None:
    assert (list(SEPARATING["s_shown_grade"]), list(SEPARATING["s_missed"])) == (GRADES, MISSED)
    assert SEPARATING["s_k"] == (K,)


def test_the_separating_example_lets_no_mistake_pass() -> None:
    steps = STEPS["mistakes"]
    values = steps.expected(steps.inputs(WORKED_EXAMPLE), WORKED_EXAMPLE.convention)
    verdicts = {name: value for name, value in values.items() if name.startswith("s_") and name.endswith("_verdict")}
    assert len(verdicts) == 17
    assert set(verdicts.values()) == {("wrong_here",)}
    assert values["s_lucky"] == (0.0,)


def test_the_documented_ranking_is_inflated_by_an_ideal_of_the_returned() -> None:
    assert wrong.ndcg_ideal_from_returned(list(WORKED_EXAMPLE.grades), 5) == pytest.approx(0.690, abs=5e-4)


def test_a_natural_log_changes_dcg_and_cancels_in_ndcg() -> None:
    assert wrong.dcg_with_natural_log(GRADES, K) == pytest.approx(2 / math.log(3) + 2 / math.log(4))


def test_mistakes_with_first_ranks() -> None:
    assert wrong.mean_of_answered([1, 3, 2, None, 1]) == pytest.approx(2.8333333 / 4)
    assert wrong.reciprocal_of_mean_rank([1, 3, 2, None, 1]) == pytest.approx(4 / 7)
    assert wrong.mean_of_answered([None]) == wrong.reciprocal_of_mean_rank([None]) == 0
    assert wrong.mean_of_all_reciprocals([0, 1, 0, 1]) == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_with_nothing_relevant_every_mistake_is_right_by_luck_but_those_of_other_queries() -> None:
    nothing = Exercise((0.0, 0.0), (0.0,), 2, (("a", None),), gain=LINEAR)
    steps = STEPS["mistakes"]
    values = steps.expected(steps.inputs(nothing), nothing.convention)
    assert [name for name in values if values[name] == ("wrong_here",) and not name.startswith("s_")] == [
        "summed_verdict"
    ]
