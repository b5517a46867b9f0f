"""Order matters: one list of results in two orders, and which metrics tell them apart."""

from workbook_builder import metrics
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import (
    Inputs,
    Values,
    given_numbers,
    numbers,
    ranking,
    results,
    whole,
    with_grade_zero,
)

DECIMALS = 6
"""Differences smaller than this many decimals show are none."""


def inputs(exercise: Exercise) -> Inputs:
    """Ranking A is the exercise's; B is its top k worst first, the rest as it was."""
    ranks = exercise.ranks_shown
    top = min(exercise.k, len(exercise.grades))
    worst_first = sorted(range(1, top + 1), key=lambda rank: exercise.grades[rank - 1])
    return {
        **ranking(exercise),
        "taken": (*worst_first, *range(top + 1, ranks + 1)),
        "k": (exercise.k,),
        "relevant_from": (exercise.relevant_from,),
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """Both rankings scored by every metric, and whether the metric notices that they differ."""
    a, standing = results(given["grade"]), numbers(given["grade"])
    taken = [int(rank) for rank in given_numbers(given["taken"])]
    b = [standing[rank - 1] if rank <= len(a) else 0.0 for rank in taken]
    judged = given_numbers(given["grade"] + given["missed"])
    (relevant_from,) = given_numbers(given["relevant_from"])
    k, gain = whole(given["k"]), with_grade_zero(convention.gain)
    ideal = metrics.ideal_order(judged + [0.0] * (len(a) - len(judged)))[: len(a)]
    values: dict[str, tuple[float | str, ...]] = {
        "relevant": tuple(float(grade >= relevant_from) for grade in a),
        "discounted_gain": tuple(metrics.discounted_gains(a, gain=gain).tolist()),
        "b_grade": tuple(b),
        "b_relevant": tuple(float(grade >= relevant_from) for grade in b),
        "b_discounted_gain": tuple(metrics.discounted_gains(b, gain=gain).tolist()),
        "times_used": tuple(float(taken.count(rank)) for rank in range(1, len(a) + 1)),
        "ideal_grade": tuple(ideal.tolist()),
        "ideal_discounted_gain": tuple(metrics.discounted_gains(ideal, gain=gain).tolist()),
        "pool": (float(sum(grade >= relevant_from for grade in judged)),),
        "idcg": (metrics.dcg(ideal, k, gain=gain),),
        "check": ("inputs_fine" if sorted(taken) == list(range(1, len(a) + 1)) else "order_wrong",),
    }
    scores = {}
    for listed, grades in {"a": a, "b": b}.items():
        scores[listed] = {
            "precision": metrics.precision(grades, k, relevant_from=relevant_from),
            "recall": metrics.recall(grades, judged, k, relevant_from=relevant_from),
            "rr": metrics.reciprocal_rank(grades, relevant_from=relevant_from),
            "dcg": metrics.dcg(grades, k, gain=gain),
            "ndcg": metrics.ndcg(grades, ideal, k, gain=gain),
        }
        values |= {f"{metric}_{listed}": (score,) for metric, score in scores[listed].items()}
    for metric, score in scores["a"].items():
        difference = scores["b"][metric] - score
        values[f"{metric}_difference"] = (difference,)
        values[f"{metric}_tells"] = ("no" if round(difference, DECIMALS) == 0 else "yes",)
    return values
