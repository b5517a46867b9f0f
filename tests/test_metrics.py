"""The reference computes what the definitions say: values to hold, and laws on random rankings."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbook_builder import metrics
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain

GAINS = (LINEAR, EXPONENTIAL, Gain.parse("0=0,1=.01,2=.1,3=1"))

grade_lists = st.lists(st.integers(0, 3).map(float), max_size=40)
cutoffs = st.one_of(st.none(), st.integers(1, 50))
gains = st.sampled_from(GAINS)


def test_the_worked_example_has_its_published_values() -> None:
    grades, missed = [2, 0, 3, 1, 0, 2], [3]
    assert metrics.dcg(grades, 5) == pytest.approx(3.930676558, abs=1e-9)
    assert metrics.idcg(grades + missed, 5) == pytest.approx(7.140995184, abs=1e-9)
    assert metrics.ndcg(grades, grades + missed, 5) == pytest.approx(0.550438203, abs=1e-9)


def test_an_ideal_from_the_returned_documents_alone_would_flatter_the_system() -> None:
    grades = [2, 0, 3, 1, 0, 2]
    assert metrics.ndcg(grades, grades, 5) == pytest.approx(0.690, abs=5e-4)


def test_six_results_with_two_missed_have_the_known_linear_and_exponential_values() -> None:
    grades, pool = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]
    assert metrics.dcg(grades, 6) == pytest.approx(6.861127, abs=5e-7)
    assert metrics.idcg(pool, 6) == pytest.approx(8.740262, abs=5e-7)
    assert metrics.ndcg(grades, pool, 6) == pytest.approx(0.785002, abs=5e-7)
    assert metrics.ndcg(grades, grades, 6) == pytest.approx(0.960808, abs=5e-7)
    assert metrics.ndcg(grades, pool, 6, gain=EXPONENTIAL) == pytest.approx(0.751083, abs=5e-7)
    assert metrics.ndcg(grades, grades, 6, gain=EXPONENTIAL) == pytest.approx(0.948811, abs=5e-7)
    assert metrics.dcg(grades, 6, gain=EXPONENTIAL) == pytest.approx(13.848263629, abs=1e-9)
    assert metrics.dcg(grades[::-1], 6, gain=EXPONENTIAL) == pytest.approx(10.299674392, abs=1e-9)


def test_grades_far_apart_have_the_known_values() -> None:
    by_score = [5, 1, 0, 0, 10]
    assert metrics.dcg(by_score) == pytest.approx(9.499457826, abs=1e-9)
    assert metrics.ndcg(by_score, by_score) == pytest.approx(0.695694044, abs=1e-9)


def test_two_tied_documents_average_to_the_known_values_over_their_orders() -> None:
    orders = list(permutations([1.0, 0.0]))
    assert metrics.mean(metrics.ndcg(order, order) for order in orders) == pytest.approx(0.815465, abs=5e-7)
    assert metrics.mean(metrics.reciprocal_rank(order) for order in orders) == 0.75


def test_mrr_counts_the_query_without_a_hit_as_zero() -> None:
    ranks = (1, 3, 2, None, 1)
    rankings = [[0.0] * 5 if rank is None else [0.0] * (rank - 1) + [1.0] for rank in ranks]
    assert [metrics.reciprocal(rank) for rank in ranks] == [1, 1 / 3, 0.5, 0, 1]
    assert metrics.mean_reciprocal_rank(rankings) == pytest.approx(0.566666667, abs=1e-9)
    assert metrics.mean_reciprocal_rank(rankings, 2) == 0.5


def test_precision_divides_by_k_also_when_fewer_documents_were_returned() -> None:
    assert metrics.precision([1, 1], 10) == 0.2
    assert metrics.precision([1, 0]) == 0.5
    assert metrics.precision([]) == 0.0


def test_recall_counts_the_relevant_documents_the_run_missed() -> None:
    assert metrics.recall([1, 0, 2], [1, 0, 2, 3], 10) == pytest.approx(2 / 3)
    assert metrics.recall([0], [0]) == 0.0


def test_average_precision_counts_a_missed_relevant_document_as_zero() -> None:
    assert metrics.average_precision([1, 0, 1], [1, 0, 1, 1]) == pytest.approx((1 + 2 / 3) / 3)
    assert metrics.average_precision([1, 0, 1], [1, 0, 1, 1], 2) == pytest.approx(1 / 3)
    assert metrics.average_precision([0], [0]) == 0.0


def test_a_relevance_threshold_of_two_leaves_grade_one_out() -> None:
    grades = [1, 2, 1]
    assert metrics.reciprocal_rank(grades, relevant_from=2) == 0.5
    assert metrics.precision(grades, 3, relevant_from=2) == pytest.approx(1 / 3)
    assert metrics.recall(grades, grades, 3, relevant_from=2) == 1.0
    assert metrics.average_precision(grades, grades, relevant_from=2) == 0.5


def test_a_negative_grade_has_no_gain_and_is_not_relevant() -> None:
    assert metrics.dcg([-2, 1]) == metrics.dcg([0, 1])
    assert metrics.dcg([-2, 1], gain=EXPONENTIAL) == metrics.dcg([0, 1], gain=EXPONENTIAL)
    assert metrics.ndcg([-2, 1], [-2, 1]) == metrics.ndcg([0, 1], [0, 1])
    assert metrics.first_relevant_rank([-2, 0, 1]) == 3


@pytest.mark.parametrize("judged", [[], [0.0], [0.0, -1.0]])
def test_a_query_without_anything_relevant_scores_zero(judged: list[float]) -> None:
    assert metrics.ndcg(judged, judged, 5) == 0.0
    assert metrics.reciprocal_rank(judged) == 0.0


@pytest.mark.parametrize("k", [0, -1])
def test_a_cutoff_below_one_is_refused_by_every_metric(k: int) -> None:
    for of_ranking in (metrics.dcg, metrics.idcg, metrics.precision, metrics.reciprocal_rank):
        with pytest.raises(ValueError, match="k is"):
            of_ranking([0.0], k)
    for of_pool in (metrics.ndcg, metrics.recall, metrics.average_precision):
        with pytest.raises(ValueError, match="k is"):
            of_pool([0.0], [0.0], k)


def test_lists_tuples_and_arrays_are_all_welcome() -> None:
    grades = [2.0, 0.0, 3.0]
    assert metrics.ndcg(grades, grades, 2) == metrics.ndcg(tuple(grades), tuple(grades), 2)
    assert metrics.ndcg(grades, grades, 2) == metrics.ndcg(np.array(grades), np.array(grades), 2)


@given(grade_lists, grade_lists, cutoffs, gains)
def test_ndcg_stays_between_zero_and_one(grades: list[float], missed: list[float], k: int | None, gain: Gain) -> None:
    assert 0.0 <= metrics.ndcg(grades, grades + missed, k, gain=gain) <= 1.0


@given(grade_lists, cutoffs)
def test_every_ratio_stays_between_zero_and_one(grades: list[float], k: int | None) -> None:
    for value in (
        metrics.precision(grades, k),
        metrics.recall(grades, grades, k),
        metrics.average_precision(grades, grades, k),
        metrics.reciprocal_rank(grades, k),
    ):
        assert 0.0 <= value <= 1.0


@given(grade_lists, cutoffs, gains, st.randoms())
def test_no_order_has_a_higher_dcg_than_the_ideal_one(
    grades: list[float], k: int | None, gain: Gain, random: "np.random.Generator"
) -> None:
    shuffled = list(grades)
    random.shuffle(shuffled)
    assert metrics.dcg(shuffled, k, gain=gain) <= metrics.idcg(grades, k, gain=gain)


@given(grade_lists, st.integers(0, 10), cutoffs, gains)
def test_the_ideal_ranking_scores_exactly_one_whatever_zeros_follow_it(
    grades: list[float], zeros: int, k: int | None, gain: Gain
) -> None:
    ideal = [*metrics.ideal_order(grades).tolist(), *[0.0] * zeros]
    expected = 1.0 if any(grade > 0 for grade in grades) else 0.0
    assert metrics.ndcg(ideal, grades, k, gain=gain) == expected


@given(st.lists(st.integers(0, 3).map(float), min_size=2, max_size=20), st.data(), cutoffs, gains)
def test_moving_a_better_document_up_never_lowers_a_metric(
    grades: list[float], data: st.DataObject, k: int | None, gain: Gain
) -> None:
    high = data.draw(st.integers(0, len(grades) - 2))
    low = data.draw(st.integers(high + 1, len(grades) - 1))
    better = list(grades)
    better[high], better[low] = max(grades[high], grades[low]), min(grades[high], grades[low])
    assert metrics.ndcg(better, grades, k, gain=gain) >= metrics.ndcg(grades, grades, k, gain=gain)
    assert metrics.reciprocal_rank(better, k) >= metrics.reciprocal_rank(grades, k)
    assert metrics.precision(better, k) >= metrics.precision(grades, k)
    assert metrics.average_precision(better, grades, k) >= metrics.average_precision(grades, grades, k)


@given(grade_lists, grade_lists, st.integers(1, 50))
def test_only_the_top_k_decides_a_metric_at_k(grades: list[float], tail: list[float], k: int) -> None:
    top = [*grades[:k], *[0.0] * (k - len(grades))]
    assert metrics.dcg(top, k) == metrics.dcg(top + tail, k)
    assert metrics.precision(top, k) == metrics.precision(top + tail, k)


@given(grade_lists, grade_lists, st.integers(1, 50))
def test_a_document_the_run_missed_can_only_lower_ndcg(grades: list[float], missed: list[float], k: int) -> None:
    if any(grades):
        assert metrics.ndcg(grades, grades + missed, k) <= metrics.ndcg(grades, grades, k)


@given(st.lists(st.sampled_from([0.0, 1.0]), max_size=30), cutoffs)
def test_with_grades_zero_and_one_both_gains_agree(grades: list[float], k: int | None) -> None:
    assert metrics.ndcg(grades, grades, k) == metrics.ndcg(grades, grades, k, gain=EXPONENTIAL)


def test_a_grade_beyond_the_range_of_exponential_gain_is_worth_infinity() -> None:
    assert EXPONENTIAL.of([1023, 1024, 5000]).tolist() == [2.0**1023 - 1, math.inf, math.inf]
