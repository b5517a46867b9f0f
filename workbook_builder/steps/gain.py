"""Gain: one ranking under linear gain, exponential gain and a table of one's own."""

import math

from workbook_builder import metrics
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import Inputs, Values, given_numbers, ranking, results, whole

FEW_GRADES = 10
STEEP = 4
MOST_EXPONENT = 1024
"""2^1024 and more is no double; such a grade is worth 0 under exponential gain here."""


def inputs(exercise: Exercise) -> Inputs:
    """The exercise's ranking, and its own table of gains or one to start from."""
    table = exercise.gain.table if exercise.gain.kind == "table" else _starting_table(exercise)
    return {
        **ranking(exercise),
        "k": (exercise.k,),
        "custom_grade": tuple(grade for grade, _ in table),
        "custom_gain": tuple(worth for _, worth in table),
    }


def _starting_table(exercise: Exercise) -> tuple[tuple[float, float], ...]:
    """Each grade with a steep gain: 0, .01, .1 and 1 for the grades 0 to 3, as for Amazon's ESCI judgments."""
    scale = range(int(exercise.highest) + 1) if 0 <= exercise.highest <= FEW_GRADES else ()
    grades = sorted({0.0, *map(float, scale), *(grade for grade in exercise.judged if grade >= 0)})
    highest = grades[-1]

    def worth(grade: float) -> float:
        if grade <= 0:
            return 0.0
        return round(10.0 ** (grade - highest) if highest <= STEEP else (grade / highest) ** 2, 4)

    return tuple((grade, worth(grade)) for grade in grades)


def expected(given: Inputs, _: Convention) -> Values:
    """Every discounted gain, DCG, IDCG and NDCG three times, and what each grade brings to DCG@k."""
    k = whole(given["k"])
    grades = results(given["grade"])
    judged = given_numbers(given["grade"] + given["missed"])
    ideal = metrics.ideal_order(judged + [0.0] * (len(grades) - len(judged)))[: len(grades)].tolist()
    listed = given_numbers(given["custom_grade"])
    custom = _table(listed, given_numbers(given["custom_gain"]), [*grades, *ideal])
    values: dict[str, tuple[float | str, ...]] = {
        "ideal_grade": tuple(ideal),
        "linear_gain": tuple(LINEAR.of(listed).tolist()),
        "exponential_gain": tuple(EXPONENTIAL.of(_bearable(listed)).tolist()),
        "times_listed": tuple(float(listed.count(grade)) for grade in listed),
        "check": ("inputs_fine" if len(set(listed)) == len(listed) else "grades_wrong",),
    }
    for name, gain, returned, best in (
        ("linear", LINEAR, grades, ideal),
        ("exponential", EXPONENTIAL, _bearable(grades), _bearable(ideal)),
        ("custom", custom, grades, ideal),
    ):
        dcg, idcg = metrics.dcg(returned, k, gain=gain), metrics.dcg(best, k, gain=gain)
        gained = metrics.discounted_gains(returned, gain=gain).tolist()
        values |= {
            name: tuple(gained),
            f"ideal_{name}": tuple(metrics.discounted_gains(best, gain=gain).tolist()),
            f"dcg_{name}": (dcg,),
            f"idcg_{name}": (idcg,),
            f"ndcg_{name}": (dcg / idcg if idcg else 0.0,),
            f"{name}_share": tuple(_brought_by(grade, grades[:k], gained) / dcg if dcg else 0.0 for grade in listed),
        }
    return values


def _table(listed: list[float], gains: list[float], met: list[float]) -> Gain:
    """The table as the sheet reads it: a grade listed twice is worth the sum, one that is not listed nothing."""
    worth = dict.fromkeys(met, 0.0)
    for grade, gain in zip(listed, gains, strict=True):
        worth[grade] = worth.get(grade, 0.0) + gain
    return Gain("table", tuple(sorted(worth.items())))


def _bearable(grades: list[float]) -> list[float]:
    """The grades, those too large for a power of 2 as 0."""
    return [grade if grade < MOST_EXPONENT else 0.0 for grade in grades]


def _brought_by(grade: float, grades: list[float], gained: list[float]) -> float:
    return math.fsum(worth for each, worth in zip(grades, gained, strict=False) if each == grade)
