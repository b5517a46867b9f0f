"""How the steps of an exercise may be worked out, rightly and wrongly: every choice that makes a difference, as data.

`Way()` is the right way; `metrics` knows it too and was written apart from this. A wrong method is a way with another
choice somewhere, and two mistakes at once are a way with two.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from workbook_builder.gain import EXPONENTIAL, LINEAR
from workbook_builder.homework.steps import Answers, Track
from workbook_builder.homework.task import Task

Cell = float | None
GainOf = Callable[[Sequence[float]], Sequence[float]]


@dataclass(frozen=True)
class Way:
    """One choice a field; the first of each is right.

    earned: what the results' gains are taken from; gain: what a grade is worth; discount: what a gain at a rank is
    divided by; pool: the grades the ideal order is made of; order: whether they are sorted; ideal_cut: whether IDCG
    stops at k; threshold: the lowest relevant grade; rr_cut: whether a first relevant result beyond the cut-off counts
    0; hits: which relevant results a reciprocal rank is made of; averaged: what the mean is taken over.
    """

    earned: Literal["grades", "scores"] = "grades"
    gain: Literal["asked", "linear", "exponential", "binary", "binary_other"] = "asked"
    discount: Literal["log2_next", "log2_rank", "ln_next", "rank"] = "log2_next"
    pool: Literal["judged", "returned", "top_k", "perfect"] = "judged"
    order: Literal["sorted", "given"] = "sorted"
    ideal_cut: bool = True
    threshold: Literal["asked", "other"] = "asked"
    rr_cut: bool = True
    hits: Literal["first", "all"] = "first"
    averaged: Literal["queries", "answered", "above_zero", "ranks"] = "queries"


RIGHT = Way()

AFFECTED: Mapping[str, tuple[str, ...]] = {
    "earned": ("discounted_gain", "dcg", "ndcg"),
    "gain": ("discounted_gain", "dcg", "ideal_discounted_gain", "idcg", "ndcg"),
    "discount": ("discounted_gain", "dcg", "ideal_discounted_gain", "idcg", "ndcg"),
    "pool": ("ideal_grade", "ideal_discounted_gain", "idcg", "ndcg"),
    "order": ("ideal_grade", "ideal_discounted_gain", "idcg", "ndcg"),
    "ideal_cut": ("idcg", "ndcg"),
    "threshold": ("first_relevant", "reciprocal_rank", "mrr"),
    "rr_cut": ("reciprocal_rank", "mrr"),
    "hits": ("reciprocal_rank", "mrr"),
    "averaged": ("mrr",),
}
"""Choice -> the steps it decides about."""

GAINS: Mapping[str, Callable[[Task], GainOf]] = {
    "asked": lambda task: lambda grades: task.gain.of(grades).tolist(),
    "linear": lambda _: lambda grades: LINEAR.of(grades).tolist(),
    "exponential": lambda _: lambda grades: EXPONENTIAL.of(grades).tolist(),
    "binary": lambda task: lambda grades: [float(grade >= task.relevant_from) for grade in grades],
    "binary_other": lambda task: lambda grades: [float(grade >= other_threshold(task)) for grade in grades],
}

DISCOUNTS: Mapping[str, Callable[[int], float]] = {
    "log2_next": lambda rank: math.log2(rank + 1),
    "log2_rank": lambda rank: max(1.0, math.log2(rank)),
    "ln_next": lambda rank: math.log(rank + 1),
    "rank": float,
}

POOLS: Mapping[str, Callable[[Task], Sequence[float]]] = {
    "judged": lambda task: task.judged,
    "returned": lambda task: task.grades,
    "top_k": lambda task: task.grades[: task.k],
    "perfect": lambda task: (task.highest,) * task.ideal_ranks,
}


def other_threshold(task: Task) -> float:
    """The lowest relevant grade that is most easily taken for the one asked: one lower, or one higher from grade 1.

    Infinite, so that nothing is relevant, where the scale has no other.
    """
    if task.relevant_from > 1:
        return task.relevant_from - 1
    return task.relevant_from + 1 if task.relevant_from + 1 <= task.highest else math.inf


def answers(task: Task, way: Way = RIGHT, track: Track | None = None) -> Answers:
    """The value of every step of a track (default: both) worked out this way, shaped as in `steps.right`.

    A cell is None where the way has nothing to put into it: an ideal rank beyond its pool.
    """
    ndcg = _ndcg(task, way) if track != "mrr" else {}
    return {**ndcg, **(_mrr(task, way) if track != "ndcg" else {})}


def _ndcg(task: Task, way: Way) -> Answers:
    gain, discount = GAINS[way.gain](task), DISCOUNTS[way.discount]
    pool = POOLS[way.pool](task)
    if way.order == "given" and way.pool == "judged" and task.listed:
        pool = task.listed
    ideal = (sorted(pool, reverse=True) if way.order == "sorted" else list(pool))[: task.ideal_ranks]
    # A score is summed as it is: who takes it for a grade has no table of gains for it.
    own = gain(task.grades) if way.earned == "grades" else task.scores
    found = _discounted(own, discount)
    best = _discounted(gain(ideal), discount)
    dcg, idcg = math.fsum(found[: task.k]), math.fsum(best[: task.k] if way.ideal_cut else best)
    empty: tuple[Cell, ...] = (None,) * (task.ideal_ranks - len(ideal))
    return {
        "discounted_gain": tuple(found),
        "dcg": (dcg,),
        "ideal_grade": (*ideal, *empty),
        "ideal_discounted_gain": (*best, *empty),
        "idcg": (idcg,),
        "ndcg": (dcg / idcg if idcg > 0 else 0.0,),
    }


def _discounted(gains: Sequence[float], discount: Callable[[int], float]) -> list[float]:
    return [gain / discount(rank) for rank, gain in enumerate(gains, start=1)]


def _mrr(task: Task, way: Way) -> Answers:
    lowest = task.relevant_from if way.threshold == "asked" else other_threshold(task)
    hits = [[rank for rank, grade in enumerate(grades, 1) if grade >= lowest] for _, grades in task.queries]
    counted = [[rank for rank in ranks if rank <= task.rr_k] if way.rr_cut else ranks for ranks in hits]
    taken = [ranks[:1] if way.hits == "first" else ranks for ranks in counted]
    reciprocals = [_mean([1 / rank for rank in ranks]) for ranks in taken]
    firsts = [ranks[0] if ranks else None for ranks in hits]
    if way.averaged == "ranks":
        mean = _mean([float(first) for first in firsts if first is not None])
        mrr = 1 / mean if mean else 0.0
    else:
        kept = {
            "queries": reciprocals,
            "answered": [value for value, first in zip(reciprocals, firsts, strict=True) if first is not None],
            "above_zero": [value for value in reciprocals if value > 0],
        }
        mrr = _mean(kept[way.averaged])
    return {
        "first_relevant": tuple(None if first is None else float(first) for first in firsts),
        "reciprocal_rank": tuple(reciprocals),
        "mrr": (mrr,),
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
