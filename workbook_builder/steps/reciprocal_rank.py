"""Reciprocal rank: MRR with and without a cut-off, and the mean over answered queries only."""

import math

from workbook_builder import metrics
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import Inputs, Values, ranks_of, whole


def inputs(exercise: Exercise) -> Inputs:
    """The exercise's queries; k is the exercise's where that cuts a hit off, else the largest that does."""
    ranks = [rank for _, rank in exercise.first_relevant if rank is not None]
    deepest = max(ranks, default=1)
    return {
        "query": tuple(query for query, _ in exercise.first_relevant),
        "first_relevant_rank": tuple(rank for _, rank in exercise.first_relevant),
        "k": (max(1, min(exercise.k, deepest - 1)),),
    }


def expected(given: Inputs, _: Convention) -> Values:
    """Each query's reciprocal ranks, their means, and the inflated mean."""
    ranks, k = ranks_of(given["first_relevant_rank"]), whole(given["k"])
    uncut = tuple(metrics.reciprocal(rank) for rank in ranks)
    cut = tuple(metrics.reciprocal(rank, k) for rank in ranks)
    mrr = metrics.mean(uncut)
    hits = [value for value in uncut if value > 0]
    return {
        "reciprocal_rank": uncut,
        "reciprocal_rank_at_k": cut,
        "counted": tuple(_counted(rank, k) for rank in ranks),
        "check": ("inputs_fine",),
        "sum": (math.fsum(uncut),),
        "queries": (float(len(ranks)),),
        "mrr": (mrr,),
        "mrr_at_k": (metrics.mean(cut),),
        "answered": (float(len(hits)),),
        "mean_of_answered": (metrics.mean(hits),),
        "inflation": (metrics.mean(hits) - mrr,),
    }


def _counted(rank: int | None, k: int) -> str:
    if rank is None:
        return "no_hit"
    return "in_top_k" if rank <= k else "below_k"
