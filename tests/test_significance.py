"""The tests of two systems' differences equal scipy's, and Holm's correction a hand-worked example."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from workbook_builder.significance import PERMUTATIONS, differences, holm, paired, randomization

VALUES = st.integers(0, 20).map(lambda each: each / 20)
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=40)


def systems(seed: int, queries: int, better: float = 0.0) -> tuple[list[float], list[float]]:
    """Two systems' values of the same queries, the second better by so much on average."""
    rng = random.Random(seed)
    one = [rng.random() for _ in range(queries)]
    return one, [min(1.0, max(0.0, value + rng.gauss(better, 0.2))) for value in one]


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("queries", [2, 3, 10, 43, 250])
@pytest.mark.parametrize("seed", range(5))
def test_the_t_test_and_its_interval_are_scipys(seed: int, queries: int, alpha: float) -> None:
    one, other = systems(seed, queries, 0.05)
    theirs = stats.ttest_rel(one, other)
    interval = theirs.confidence_interval(1 - alpha)
    ours = paired(one, other, alpha)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), abs=2e-8)
    assert ours.difference == pytest.approx(np.mean(one) - np.mean(other), abs=1e-12)
    assert ours.error == pytest.approx(stats.sem(np.subtract(one, other)), abs=1e-8)


@given(PAIRS)
def test_wins_ties_and_losses_are_every_query(pairs: list[tuple[float, float]]) -> None:
    one, other = [each for each, _ in pairs], [each for _, each in pairs]
    ours, turned = paired(one, other), paired(other, one)
    assert ours.wins + ours.ties + ours.losses == len(pairs)
    assert (ours.wins, ours.ties, ours.losses) == (turned.losses, turned.ties, turned.wins)
    assert ours.wins == sum(left > right for left, right in pairs)
    assert ours.low <= ours.difference <= ours.high
    assert ours.p == (None if turned.p is None else pytest.approx(turned.p))


@pytest.mark.parametrize("one", [[0.5], [0.5, 0.5, 0.5], [0.1, 0.2, 0.3]], ids=["one query", "equal", "equally apart"])
def test_without_any_spread_there_is_no_p_and_the_interval_is_the_difference(one: list[float]) -> None:
    other = [value - 0.1 for value in one]
    ours = paired(one, other)
    assert ours.p is None
    assert ours.error == 0.0
    assert ours.low == ours.high == ours.difference == pytest.approx(0.1)


def test_values_that_differ_by_rounding_alone_are_tied() -> None:
    assert paired([0.1 + 0.2, 1.0, 0.0], [0.3, 0.0, 1.0]).ties == 1
    assert differences([0.1 + 0.2], [0.3]).tolist() == [0.0]


@pytest.mark.parametrize("queries", [2, 5, 9])
@pytest.mark.parametrize("seed", range(6))
def test_with_few_queries_the_randomization_test_is_exact_and_scipys(seed: int, queries: int) -> None:
    one, other = systems(seed, queries, 0.1)
    assert randomization(one, other) == pytest.approx(exact(one, other), abs=1e-12)


def exact(one: list[float], other: list[float]) -> float:
    """Every exchange counted, by scipy."""

    def mean_difference(left: Any, right: Any, axis: int) -> Any:
        return np.mean(left, axis=axis) - np.mean(right, axis=axis)

    found = stats.permutation_test(
        (np.array(one), np.array(other)), mean_difference, permutation_type="samples", n_resamples=np.inf
    )
    return float(found.pvalue)


@pytest.mark.parametrize("better", [0.0, 0.05, 0.2])
def test_with_many_queries_it_is_scipys_within_the_error_of_drawing(better: float) -> None:
    one, other = systems(7, 14, better)
    ours, theirs = randomization(one, other), exact(one, other)
    spread = (theirs * (1 - theirs) / PERMUTATIONS) ** 0.5
    assert abs(ours - theirs) < 4 * spread + 1 / PERMUTATIONS


def test_two_tied_queries_more_change_nothing() -> None:
    one, other = systems(3, 8, 0.2)
    assert randomization([*one, 0.5, 1.0], [*other, 0.5, 1.0]) == randomization(one, other)


def test_equal_systems_have_p_1_and_all_wins_the_smallest_p_there_is() -> None:
    assert randomization([0.5, 0.2], [0.5, 0.2]) == 1.0
    assert randomization([1.0] * 6, [0.0] * 6) == 2 / 2**6
    assert randomization([1.0] * 60, [0.0] * 60) == 1 / (PERMUTATIONS + 1)


def test_the_same_seed_gives_the_same_p_and_another_one_nearly_the_same() -> None:
    one, other = systems(1, 60, 0.03)
    assert randomization(one, other) == randomization(one, other)
    assert randomization(one, other, seed=2) == pytest.approx(randomization(one, other), abs=0.03)
    assert randomization(one, other) == randomization(other, one)


def test_holm_as_worked_by_hand() -> None:
    """Four values: the smallest times 4, the next times 3, and so on, never below an earlier one, at most 1."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.5, 0.6]) == (1.0, 1.0)
    assert holm([0.02]) == (0.02,)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_lowers_a_p_nor_changes_their_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(each <= after <= 1 for each, after in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=lambda at: (p_values[at], corrected[at]))
    assert [corrected[at] for at in order] == sorted(corrected)
