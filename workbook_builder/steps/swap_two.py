"""Swap two: two results change places, and DCG changes by the product of two differences."""

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
"""Changes smaller than this many decimals show are none."""


def inputs(exercise: Exercise) -> Inputs:
    """Rank 1 and the best result below it are to change places."""
    below = range(2, len(exercise.grades) + 1)
    best = max(below, key=lambda rank: exercise.grades[rank - 1], default=1)
    return {
        **ranking(exercise),
        "k": (exercise.k,),
        "first": (1,),
        "second": (best,),
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """Both lists scored whole, and beside that the change worked out from the two ranks alone."""
    old, judged = numbers(given["grade"]), given_numbers(given["grade"] + given["missed"])
    k, first, second = whole(given["k"]), whole(given["first"]), whole(given["second"])
    gain = with_grade_zero(convention.gain)
    shown = range(1, len(old) + 1)
    fine = first in shown and second in shown
    new = list(old)
    for at, other in ((second, first), (first, second)):
        if at in shown:
            new[at - 1] = old[other - 1] if other in shown else 0.0
    ideal = metrics.ideal_order(judged + [0.0] * (len(old) - len(judged)))[: len(old)]
    # A rank without a result earns nothing; once results move, it is a result of grade 0.
    before, after = (
        metrics.discounted_gains(results(given["grade"]), gain=gain),
        metrics.discounted_gains(new, gain=gain),
    )
    dcg, dcg_after = metrics.dcg(results(given["grade"]), k, gain=gain), metrics.dcg(new, k, gain=gain)
    ndcg, ndcg_after = (
        metrics.ndcg(results(given["grade"]), ideal, k, gain=gain),
        metrics.ndcg(new, ideal, k, gain=gain),
    )
    idcg = metrics.dcg(ideal, k, gain=gain)
    worth = [1 / discount if rank <= k else 0.0 for rank, discount in enumerate(metrics.discounts(len(old)), 1)]
    grades = [old[rank - 1] if rank in shown else 0.0 for rank in (first, second)]
    worths = [worth[rank - 1] if rank in shown else 0.0 for rank in (first, second)]
    gains = gain.of(grades).tolist()
    gain_difference, worth_difference = gains[1] - gains[0], worths[0] - worths[1]
    product = gain_difference * worth_difference
    change = round(product, DECIMALS)
    return {
        "discounted_gain": tuple(before.tolist()),
        "worth": tuple(map(float, worth)),
        "new_grade": tuple(new),
        "new_discounted_gain": tuple(after.tolist()),
        "rank_change": tuple(new_gain - old_gain for new_gain, old_gain in zip(after, before, strict=True)),
        "ideal_grade": tuple(ideal.tolist()),
        "ideal_discounted_gain": tuple(metrics.discounted_gains(ideal, gain=gain).tolist()),
        "dcg": (dcg,),
        "ndcg": (ndcg,),
        "dcg_after": (dcg_after,),
        "ndcg_after": (ndcg_after,),
        "dcg_change": (dcg_after - dcg,),
        "ndcg_change": (ndcg_after - ndcg,),
        "idcg": (idcg,),
        **{f"{name}_grade": (grade,) for name, grade in zip(("first", "second"), grades, strict=True)},
        **{f"{name}_gain": (each,) for name, each in zip(("first", "second"), gains, strict=True)},
        **{f"{name}_worth": (float(each),) for name, each in zip(("first", "second"), worths, strict=True)},
        "gain_difference": (gain_difference,),
        "worth_difference": (float(worth_difference),),
        "product": (float(product),),
        "normalised": (float(product / idcg) if idcg else 0.0,),
        "verdict": ("better" if change > 0 else "worse" if change < 0 else "same",),
        "check": ("inputs_fine" if fine else "ranks_wrong",),
    }
