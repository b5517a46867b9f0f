"""Averages: means of NDCG and DCG over several queries, and MRR of two systems over all queries or their own."""

import math
from collections.abc import Sequence

from workbook_builder import metrics
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.scale import on_scale
from workbook_builder.steps.values import (
    Inputs,
    Value,
    Values,
    given_numbers,
    ranks_of,
    results,
    whole,
    with_grade_zero,
    within,
)

RANKS = range(1, 6)
JUDGED = (
    # Grades by rank, then a judged document that was not returned. The first query has many relevant documents.
    ((2, 3, 3, 1, 2), (3,)),
    ((1, 0, 0, 0, 0), ()),
    ((0, 0, 1, 0, 0), ()),
    ((0, 1, 0, 0, 0), ()),
)
DECIMALS = 6
"""Differences smaller than this many decimals show are none."""


def inputs(exercise: Exercise) -> Inputs:
    """The sheet's own graded queries; system A's ranks are the exercise's, B has only the earliest of A's hits."""
    columns = zip(*(on_scale(grades, exercise) for grades, _ in JUDGED), strict=True)
    asked = exercise.first_relevant or (("", None),)
    earliest = min((rank for _, rank in asked if rank is not None), default=None)
    return {
        **{f"grade_{rank}": column for rank, column in zip(RANKS, columns, strict=True)},
        "missed": tuple(next(iter(on_scale(missed, exercise)), None) for _, missed in JUDGED),
        "k": (min(exercise.k, RANKS[-1]),),
        "query": tuple(query for query, _ in asked),
        "rank_a": tuple(rank for _, rank in asked),
        "rank_b": tuple(rank if rank == earliest else None for _, rank in asked),
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """Each query's scores and shares, their means, and what two systems' means say over all queries and over fewer."""
    return {
        **_graded(given, convention),
        **_systems(given),
        "check": (_checked(given),),
        "check_ranks": ("inputs_fine",),
    }


def _graded(given: Inputs, convention: Convention) -> Values:
    k, gain = whole(given["k"]), with_grade_zero(convention.gain)
    queries = list(zip(*(given[f"grade_{rank}"] for rank in RANKS), strict=True))
    values: dict[str, tuple[float | str, ...]] = {}
    ideals, dcgs, idcgs, ndcgs = [], [], [], []
    gained, ideally_gained = [], []
    for grades, missed in zip(queries, given["missed"], strict=True):
        returned, judged = results(grades), given_numbers([*grades, missed])
        ideal = metrics.ideal_order(judged + [0.0] * (len(returned) - len(judged)))[: len(returned)].tolist()
        ideals.append(ideal)
        gained.append(within(k, metrics.discounted_gains(returned, gain=gain).tolist()))
        ideally_gained.append(within(k, metrics.discounted_gains(ideal, gain=gain).tolist()))
        dcgs.append(metrics.dcg(returned, k, gain=gain))
        idcgs.append(metrics.dcg(ideal, k, gain=gain))
        ndcgs.append(metrics.ndcg(returned, ideal, k, gain=gain))
    for name, rows in (("gained", gained), ("ideal", ideals), ("ideal_gained", ideally_gained)):
        values |= {f"{name}_{rank}": column for rank, column in zip(RANKS, zip(*rows, strict=True), strict=True)}
    shares, ndcg_shares = _shares(dcgs), _shares(ndcgs)
    return values | {
        "dcg": tuple(dcgs),
        "idcg": tuple(idcgs),
        "ndcg": tuple(ndcgs),
        "dcg_share": shares,
        "ndcg_share": ndcg_shares,
        "mean_ndcg": (metrics.mean(ndcgs),),
        "mean_dcg": (metrics.mean(dcgs),),
        "largest_dcg_share": (max(shares),),
        "largest_ndcg_share": (max(ndcg_shares),),
    }


def _shares(values: Sequence[float]) -> tuple[float, ...]:
    total = math.fsum(values)
    return tuple(value / total if total else 0.0 for value in values)


def _systems(given: Inputs) -> Values:
    a, b = (tuple(metrics.reciprocal(rank) for rank in ranks_of(given[f"rank_{system}"])) for system in "ab")
    hits_a, hits_b = ([value for value in system if value > 0] for system in (a, b))
    return {
        "check_ranks": ("inputs_fine",),
        "rr_a": a,
        "rr_b": b,
        "mrr_a": (metrics.mean(a),),
        "mrr_b": (metrics.mean(b),),
        "better": (_better(metrics.mean(a), metrics.mean(b)),),
        "hits_a": (float(len(hits_a)),),
        "hits_b": (float(len(hits_b)),),
        "own_mean_a": (metrics.mean(hits_a),),
        "own_mean_b": (metrics.mean(hits_b),),
        "better_by_own": (_better(metrics.mean(hits_a), metrics.mean(hits_b)),),
    }


def _better(a: float, b: float) -> str:
    difference = round(a - b, DECIMALS)
    if difference == 0:
        return "both"
    return "a" if difference > 0 else "b"


def _checked(given: Inputs) -> str:
    """An empty rank is worth a word: a result that is not there and a result of grade 0 are not the same."""
    ranked: list[Value] = [grade for rank in RANKS for grade in given[f"grade_{rank}"]]
    return "inputs_fine" if len(given_numbers(ranked)) == len(ranked) else "grades_wrong"
