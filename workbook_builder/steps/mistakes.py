"""Mistakes: each wrong method beside the right value, on the exercise and on an example that separates them all."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbook_builder import metrics, wrong
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import (
    NO_RESULT,
    Inputs,
    Values,
    given_numbers,
    ranking,
    ranks_of,
    results,
    shown,
    whole,
)

DECIMALS = 6
EMPTY = "no_result"
SEPARATING: Inputs = {
    "s_shown_grade": (0, 2, 2, 0, 3, 0),
    "s_missed": (1, 1),
    "s_k": (4,),
    "s_other_k": (6,),
    "s_first_rank": (1, 2, 6, None),
}
"""No wrong method of this sheet gives the right number here, with the grade as gain and relevance from grade 1."""


@dataclass(frozen=True)
class Case:
    """One list of results with its judgments, and the first relevant ranks of several queries."""

    grades: Sequence[float]
    missed: Sequence[float]
    judged: Sequence[float]
    k: int
    other_k: int
    ranks: Sequence[int | None]
    relevant_from: float
    other_threshold: float
    gain: Gain


def inputs(exercise: Exercise) -> Inputs:
    """The exercise's list and queries, compared with the longest other k and the next higher threshold."""
    ranks = exercise.ranks_shown
    return {
        **ranking(exercise),
        "k": (exercise.k,),
        "other_k": (ranks if exercise.k < ranks else max(1, ranks - 1),),
        "relevant_from": (exercise.relevant_from,),
        "other_threshold": (exercise.relevant_from + 1,),
        "first_relevant_rank": tuple(rank for _, rank in exercise.first_relevant),
        **SEPARATING,
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """Both lists worked through, then every mistake with its difference and its verdict."""
    mine, separating = _case(given, convention), _case(given, convention, "s_")
    values: dict[str, tuple[float | str, ...]] = {"check": ("inputs_fine",)}
    sums = {"": _sums(mine), "s_": _sums(separating)}
    for prefix, case in {"": mine, "s_": separating}.items():
        values |= {prefix + name: (value,) for name, value in sums[prefix].items()}
        values |= {prefix + name: column for name, column in _by_rank(case).items()}
    values["shown_grade"] = shown(mine.grades, EMPTY)
    values |= _ideal(mine, separating)
    right_mean = metrics.mean(each["ndcg"] for each in sums.values())
    wrong_mean = metrics.mean(each["dcg"] for each in sums.values())
    for prefix, case in {"": mine, "s_": separating}.items():
        verdicts = []
        for mistake, (mistaken, right) in {**_mistakes(case), "summed": (wrong_mean, right_mean)}.items():
            difference = mistaken - right
            verdicts.append("right_here" if round(difference, DECIMALS) == 0 else "wrong_here")
            values[f"{prefix}{mistake}_wrong"] = (mistaken,)
            values[f"{prefix}{mistake}_right"] = (right,)
            values[f"{prefix}{mistake}_verdict"] = (verdicts[-1],)
            if not prefix:
                values[f"{mistake}_difference"] = (difference,)
        values[f"{prefix}lucky"] = (float(verdicts.count("right_here")),)
    return values


def _case(given: Inputs, convention: Convention, prefix: str = "") -> Case:
    grades, missed, ranks = ("s_shown_grade", "s_missed", "s_first_rank") if prefix else _OWN
    (relevant_from,), (other_threshold,) = (given_numbers(given[name]) for name in ("relevant_from", "other_threshold"))
    judged = given_numbers(given[grades] + given[missed])
    return Case(
        grades=results(given[grades]),
        missed=given_numbers(given[missed]),
        judged=judged,
        k=whole(given[f"{prefix}k"]),
        other_k=whole(given[f"{prefix}other_k"]),
        ranks=ranks_of(given[ranks]),
        relevant_from=relevant_from,
        other_threshold=other_threshold,
        gain=_listing(convention.gain, [0.0, *judged]),
    )


_OWN = ("grade", "missed", "first_relevant_rank")


def _listing(gain: Gain, grades: Sequence[float]) -> Gain:
    """The gain, worth 0 for each of these grades that its table does not list."""
    if gain.kind != "table":
        return gain
    return replace(gain, table=tuple(sorted({**dict.fromkeys(grades, 0.0), **dict(gain.table)}.items())))


def _mistakes(case: Case) -> Mapping[str, tuple[float, float]]:
    """Mistake -> the wrong number and the right one."""
    grades, judged, k, gain = case.grades, case.judged, case.k, case.gain
    ndcg = metrics.ndcg(grades, judged, k, gain=gain)
    rr = metrics.reciprocal_rank(grades, relevant_from=case.relevant_from)
    recall = metrics.recall(grades, judged, k, relevant_from=case.relevant_from)
    mrr = metrics.mean(map(metrics.reciprocal, case.ranks))
    mrr_at_k = metrics.mean(metrics.reciprocal(rank, k) for rank in case.ranks)
    return {
        "returned": (wrong.ndcg_ideal_from_returned(grades, k, gain=gain), ndcg),
        "dropped": (wrong.mean_of_answered(case.ranks), mrr),
        "naive": (wrong.ndcg_with_log2_of_rank(grades, judged, k, gain=gain), ndcg),
        "cut": (metrics.ndcg(grades, judged, case.other_k, gain=gain), ndcg),
        "power": (wrong.ndcg_with_exponential_gain(grades, judged, k), ndcg),
        "rag": (rr, recall),
        "natural": (wrong.dcg_with_natural_log(grades, k, gain=gain), metrics.dcg(grades, k, gain=gain)),
        "inverse": (wrong.ndcg_with_rank_as_discount(grades, judged, k, gain=gain), ndcg),
        "top": (wrong.ndcg_ideal_from_top_k(grades, k, gain=gain), ndcg),
        "uncut": (wrong.ndcg_ideal_uncut(grades, judged, k, gain=gain), ndcg),
        "perfect": (wrong.ndcg_ideal_perfect(grades, judged, k, len(grades), gain=gain), ndcg),
        "binary": (wrong.ndcg_binary(grades, judged, k, relevant_from=case.other_threshold), ndcg),
        "mean_rank": (wrong.reciprocal_of_mean_rank(case.ranks), mrr),
        "all_hits": (wrong.mean_of_all_reciprocals(grades, relevant_from=case.relevant_from), rr),
        "unlimited": (mrr, mrr_at_k),
        "threshold": (metrics.recall(grades, judged, k, relevant_from=case.other_threshold), recall),
    }


def _sums(case: Case) -> Mapping[str, float]:
    """The numbers that the mistakes and the right values are quotients of."""
    grades, judged, k, gain = case.grades, case.judged, case.k, case.gain
    ranks = np.arange(1.0, len(grades) + len(case.missed) + 1)
    ideal = metrics.ideal_order(judged)
    binary, ideal_binary = _relevant(grades, case.other_threshold), _relevant(ideal.tolist(), case.other_threshold)
    relevant = _relevant(grades, case.relevant_from)
    found = [rank for rank in case.ranks if rank is not None]

    def discounted(values: Sequence[float], discounts: NDArray[np.float64]) -> float:
        return math.fsum((gain.of(values[:k]) / discounts[: len(values[:k])]).tolist())

    naive = np.maximum(np.log2(ranks), 1)
    reciprocals = [metrics.reciprocal(rank) for rank in case.ranks]
    return {
        "dcg": metrics.dcg(grades, k, gain=gain),
        "idcg": metrics.idcg(judged, k, gain=gain),
        "ndcg": metrics.ndcg(grades, judged, k, gain=gain),
        "returned_idcg": metrics.idcg(grades, k, gain=gain),
        "top_idcg": metrics.idcg(grades[:k], k, gain=gain),
        "uncut_idcg": metrics.idcg(judged, gain=gain),
        "perfect": max(judged, default=0.0),
        "perfect_idcg": metrics.dcg([max(judged, default=0.0)] * len(grades), k, gain=gain),
        "naive_dcg": discounted(grades, naive),
        "naive_idcg": discounted(ideal.tolist(), naive),
        "inverse_dcg": discounted(grades, ranks),
        "inverse_idcg": discounted(ideal.tolist(), ranks),
        "power_dcg": metrics.dcg(grades, k, gain=EXPONENTIAL),
        "power_idcg": metrics.idcg(judged, k, gain=EXPONENTIAL),
        "binary_dcg": metrics.dcg(binary, k),
        "binary_idcg": metrics.dcg(ideal_binary, k),
        "natural_dcg": wrong.dcg_with_natural_log(grades, k, gain=gain),
        "other_k_dcg": metrics.dcg(grades, case.other_k, gain=gain),
        "other_k_idcg": metrics.idcg(judged, case.other_k, gain=gain),
        "rr": metrics.reciprocal_rank(grades, relevant_from=case.relevant_from),
        "hits": sum(relevant),
        "hit_sum": math.fsum(hit / rank for rank, hit in enumerate(relevant, 1)),
        "pool": sum(_relevant(judged, case.relevant_from)),
        "recall": metrics.recall(grades, judged, k, relevant_from=case.relevant_from),
        "other_pool": sum(_relevant(judged, case.other_threshold)),
        "other_hits": sum(binary[:k]),
        "rr_sum": math.fsum(reciprocals),
        "answered": float(len(found)),
        "rank_sum": float(sum(found)),
        "mrr": metrics.mean(reciprocals),
        "mrr_at_k": metrics.mean(metrics.reciprocal(rank, k) for rank in case.ranks),
    }


def _by_rank(case: Case) -> Values:
    """The columns of the list as it was returned, and of the queries."""
    grades, gain, length = case.grades, case.gain, len(case.grades)
    ranks = range(1, length + 1)
    best = max(case.judged, default=0.0)
    relevant = _relevant(grades, case.relevant_from)
    top = [grade if rank <= case.k else NO_RESULT for rank, grade in zip(ranks, grades, strict=True)]
    returned_ideal, top_ideal = metrics.ideal_order(grades).tolist(), metrics.ideal_order(top).tolist()
    return {
        **_discounted(grades, case),
        "natural_dg": tuple(
            worth / math.log(rank + 1) for rank, worth in zip(ranks, gain.of(grades).tolist(), strict=True)
        ),
        "relevant": tuple(relevant),
        "hit_rr": tuple(hit / rank for rank, hit in zip(ranks, relevant, strict=True)),
        "returned_ideal": shown(returned_ideal, EMPTY),
        "returned_dg": tuple(metrics.discounted_gains(returned_ideal, gain=gain).tolist()),
        "top_grade": shown(top, EMPTY),
        "top_ideal": shown(top_ideal, EMPTY),
        "top_dg": tuple(metrics.discounted_gains(top_ideal, gain=gain).tolist()),
        "perfect_dg": tuple(metrics.discounted_gains([best] * length, gain=gain).tolist()),
        "query_rr": tuple(map(metrics.reciprocal, case.ranks)),
        "query_rr_at_k": tuple(metrics.reciprocal(rank, case.k) for rank in case.ranks),
    }


def _ideal(mine: Case, separating: Case) -> Values:
    """The columns of the ideal order: as many rows as there are cells for grades, the last ones empty where few are."""
    values: dict[str, tuple[float | str, ...]] = {}
    for prefix, case, names in (("", mine, ("ideal", "later")), ("s_", separating, ("ideal",))):
        rows = len(case.grades) + len(case.missed)
        ideal = metrics.ideal_order(case.judged).tolist()
        ideal += [NO_RESULT] * (rows - len(ideal))
        columns = {"grade": shown(ideal, EMPTY), **_discounted(ideal, case)}
        at = len(case.grades) if "later" in names else rows
        for name, part in zip(names, (slice(at), slice(at, rows)), strict=False):
            values |= {f"{prefix}{name}_{column}": cells[part] for column, cells in columns.items()}
    values["later_rank"] = tuple(float(len(mine.grades) + 1 + row) for row in range(len(mine.missed)))
    return values


def _discounted(grades: Sequence[float], case: Case) -> Mapping[str, tuple[float, ...]]:
    ranks = np.arange(1.0, len(grades) + 1)
    worth = case.gain.of(grades)
    binary = _relevant(grades, case.other_threshold)
    return {
        "dg": tuple(metrics.discounted_gains(grades, gain=case.gain).tolist()),
        "power_dg": tuple(metrics.discounted_gains(grades, gain=EXPONENTIAL).tolist()),
        "naive_dg": tuple((worth / np.maximum(np.log2(ranks), 1)).tolist()),
        "inverse_dg": tuple((worth / ranks).tolist()),
        "binary_dg": tuple(metrics.discounted_gains(binary, gain=LINEAR).tolist()),
    }


def _relevant(grades: Sequence[float], relevant_from: float) -> list[float]:
    return [float(grade >= relevant_from) for grade in grades]
