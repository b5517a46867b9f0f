"""Worked example: NDCG@k of one query step by step, and MRR of several queries."""

from workbook_builder import metrics
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import (
    Inputs,
    Values,
    given_numbers,
    numbers,
    ranking,
    ranks_of,
    results,
    trimmed,
    whole,
)


def inputs(exercise: Exercise) -> Inputs:
    """Its yellow cells. The ranks go on to min(k, judged) where that is more than the results."""
    return {
        **ranking(exercise),
        "k": (exercise.k,),
        "query": tuple(query for query, _ in exercise.first_relevant),
        "first_relevant_rank": tuple(rank for _, rank in exercise.first_relevant),
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """The value of each named formula cell."""
    grades = results(given["grade"])
    judged = given_numbers(given["grade"] + given["missed"])
    k = whole(given["k"])
    gain = convention.gain
    ideal = metrics.ideal_order(judged)[: len(grades)]
    reciprocal_ranks = tuple(metrics.reciprocal(rank) for rank in ranks_of(given["first_relevant_rank"]))
    return {
        "discounted_gain": tuple(metrics.discounted_gains(grades, gain=gain).tolist()),
        "ideal_grade": tuple(ideal.tolist()),
        "ideal_discounted_gain": tuple(metrics.discounted_gains(ideal, gain=gain).tolist()),
        "dcg": (metrics.dcg(grades, k, gain=gain),),
        "idcg": (metrics.idcg(judged, k, gain=gain),),
        "ndcg": (metrics.ndcg(grades, judged, k, gain=gain),),
        "reciprocal_rank": reciprocal_ranks,
        "mrr": (metrics.mean(reciprocal_ranks),),
        "grades_check": ("grades_fine",),
        "k_check": ("k_fine",),
    }


def misfits(given: Inputs) -> dict[str, str]:
    """The ideal order needs a grade for every rank shown."""
    ranks, grades = len(given["grade"]), len(given_numbers(given["grade"] + given["missed"]))
    if grades >= ranks:
        return {}
    return {"grade": f"The sheet shows {ranks} ranks but only {grades} grades: give 0 for a result nobody judged."}


def exercise(given: Inputs, convention: Convention) -> Exercise:
    """The exercise these cells hold; empty cells below the last grade are no results."""
    return Exercise(
        grades=tuple(numbers(trimmed(given["grade"]))),
        missed=tuple(given_numbers(given["missed"])),
        k=whole(given["k"]),
        first_relevant=tuple(zip(map(str, given["query"]), ranks_of(given["first_relevant_rank"]), strict=True)),
        gain=convention.gain,
        relevant_from=convention.relevant_from,
        lowest=convention.lowest,
        highest=convention.highest,
        unjudged=frozenset(rank for rank in ranks_of(given.get("unjudged", ())) if rank is not None),
    )
