"""Ideal list: one DCG@k divided by the right ideal, and by four that are taken for it."""

from collections import Counter

from workbook_builder import metrics, other_ideals
from workbook_builder.gain import Gain
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import Inputs, Values, given_numbers, padded, ranks_of, whole, with_grade_zero


def inputs(exercise: Exercise) -> Inputs:
    """One row a judged document, returned ones first; k perfect documents need k rows."""
    judged = len(exercise.judged)
    rows = max(judged, exercise.k)
    table = exercise.gain.table
    return {
        "document": padded([f"doc {number}" for number in range(1, judged + 1)], rows),
        "returned": padded([float(rank) for rank in range(1, len(exercise.grades) + 1)], rows),
        "grade": padded(exercise.judged, rows),
        "unjudged": tuple(sorted(exercise.unjudged)),
        "k": (exercise.k,),
        "perfect_grade": (table[-1][0] if table else exercise.highest,),
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """DCG@k of the run, and IDCG@k and NDCG@k of each way to draw the ideal."""
    k, gain = whole(given["k"]), with_grade_zero(convention.gain)
    places, grades = ranks_of(given["returned"]), given["grade"]
    rows = len(places)
    judged = given_numbers(grades)
    graded = [None if grade is None else float(grade) for grade in grades]
    ranked = [(at, grade) for at, grade in zip(places, graded, strict=True) if at is not None and grade is not None]
    retrieved = [grade for _, grade in ranked]
    top = [grade for rank, grade in ranked if rank <= k]
    (highest,) = given_numbers(given["perfect_grade"]) or [0.0]
    gained = [
        0.0 if at is None else float(gain.of([grade or 0.0])[0] / metrics.discounts(at)[at - 1])
        for at, grade in zip(places, graded, strict=True)
    ]
    dcg = sum(worth for at, worth in zip(places, gained, strict=True) if at is not None and at <= k)
    roles = _roles(places, graded, k)
    values: dict[str, tuple[float | str, ...]] = {
        "discounted_gain": tuple(gained),
        "role": roles,
        **dict(zip(("ideal_grade", "ideal_discounted_gain"), _ordered(judged, rows, gain), strict=True)),
        "retrieved_grade": tuple(
            "left_out" if at is None or grade is None else grade for at, grade in zip(places, graded, strict=True)
        ),
        **dict(zip(("retrieved_ideal", "retrieved_discounted_gain"), _ordered(retrieved, rows, gain), strict=True)),
        "top_grade": tuple(
            "left_out" if at is None or at > k or grade is None else grade
            for at, grade in zip(places, graded, strict=True)
        ),
        **dict(zip(("top_ideal", "top_discounted_gain"), _ordered(top, rows, gain), strict=True)),
        "perfect_discounted_gain": tuple(metrics.discounted_gains([highest] * rows, gain=gain).tolist()),
        "dcg": (dcg,),
        "check": ("ranks_wrong" if "twice" in roles else "inputs_fine" if judged else "grades_wrong",),
    }
    right = metrics.idcg(judged, k, gain=gain)
    values |= {"idcg": (right,), "ndcg": (_ratio(dcg, right),)}
    for name, ideal in {
        "retrieved": other_ideals.of_retrieved(retrieved, k, gain=gain),
        "top": other_ideals.of_top(ranked, k, gain=gain),
        "uncut": other_ideals.uncut(judged, gain=gain),
        "perfect": other_ideals.of_perfect(highest, min(k, rows), gain=gain),
    }.items():
        values |= {
            f"idcg_{name}": (ideal,),
            f"ndcg_{name}": (_ratio(dcg, ideal),),
            f"difference_{name}": (_ratio(dcg, ideal) - _ratio(dcg, right),),
        }
    return values


def _roles(places: list[int | None], graded: list[float | None], k: int) -> tuple[str, ...]:
    """What becomes of each document, as a key of the lesson's words."""
    times = Counter(places)

    def role(place: int | None, grade: float | None) -> str:
        if grade is None:
            return "not_judged"
        if place is None:
            return "missed" if grade > 0 else "missed_nothing"
        if times[place] > 1:
            return "twice"
        return "in_top_k" if place <= k else "below_k"

    return tuple(role(place, grade) for place, grade in zip(places, graded, strict=True))


def _ordered(pool: list[float], rows: int, gain: Gain) -> tuple[tuple[float | str, ...], tuple[float, ...]]:
    """The pool's grades, high to low, and what they earn; ranks beyond it hold no document and earn nothing."""
    order = metrics.ideal_order(pool)
    empty = rows - len(pool)
    gains = metrics.discounted_gains(order, gain=gain).tolist()
    return (*order.tolist(), *["left_out"] * empty), (*gains, *[0.0] * empty)


def _ratio(dcg: float, ideal: float) -> float:
    return dcg / ideal if ideal else 0.0
