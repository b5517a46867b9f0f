"""NDCG by k: one ranking scored at every cut-off, and what each further rank does to NDCG."""

from collections.abc import Sequence

from workbook_builder import metrics
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import Inputs, Values, given_numbers, ranking, results, with_grade_zero

DECIMALS = 6
"""Differences smaller than this many decimals show are none."""


def inputs(exercise: Exercise) -> Inputs:
    """The ranking, to the longest k that has anything to show."""
    return {
        **ranking(exercise),
        "relevant_from": (exercise.relevant_from,),
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """Each metric at each k, worked out anew from the whole ranking."""
    grades, judged = results(given["grade"]), given_numbers(given["grade"] + given["missed"])
    (relevant_from,) = given_numbers(given["relevant_from"])
    gain = with_grade_zero(convention.gain)
    ideal = metrics.ideal_order(judged + [0.0] * (len(grades) - len(judged)))[: len(grades)]
    cutoffs = range(1, len(grades) + 1)
    gains = metrics.discounted_gains(grades, gain=gain).tolist()
    ndcgs = [metrics.ndcg(grades, ideal, k, gain=gain) for k in cutoffs]
    relevant = [float(grade >= relevant_from) for grade in grades]
    return {
        "relevant": tuple(relevant),
        "discounted_gain": tuple(gains),
        "ideal_grade": tuple(ideal.tolist()),
        "ideal_discounted_gain": tuple(metrics.discounted_gains(ideal, gain=gain).tolist()),
        "dcg": tuple(metrics.dcg(grades, k, gain=gain) for k in cutoffs),
        "idcg": tuple(metrics.dcg(ideal, k, gain=gain) for k in cutoffs),
        "ndcg": tuple(ndcgs),
        "hits": tuple(sum(relevant[:k]) for k in cutoffs),
        "precision": tuple(metrics.precision(grades, k, relevant_from=relevant_from) for k in cutoffs),
        "recall": tuple(metrics.recall(grades, judged, k, relevant_from=relevant_from) for k in cutoffs),
        "step": _steps(ndcgs, gains),
        "pool": (float(sum(grade >= relevant_from for grade in judged)),),
        "check": ("inputs_fine" if judged else "grades_wrong",),
    }


def _steps(ndcgs: Sequence[float], gains: Sequence[float]) -> tuple[str, ...]:
    """What each rank does to NDCG, as a key of the lesson's words."""

    def step(index: int) -> str:
        if index == 0:
            return "start"
        change = round(ndcgs[index] - ndcgs[index - 1], DECIMALS)
        if change > 0:
            return "rose"
        if change == 0:
            return "level"
        return "fell_short" if gains[index] else "fell_empty"

    return tuple(map(step, range(len(ndcgs))))
