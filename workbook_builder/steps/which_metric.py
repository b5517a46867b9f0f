"""Which metric: four situations, two systems each, and which system every metric prefers."""

from workbook_builder import metrics
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.scale import on_scale
from workbook_builder.steps.values import Inputs, Values, given_numbers, results, whole, with_grade_zero, within

RANKS = range(1, 6)
MISSED = range(1, 3)
RUNS = (
    # Grades by rank, then of the judged documents that were not returned; A's and B's run of one situation in turn.
    # Question answering and retrieval for a language model have the same runs: what the reader needs decides.
    ((3, 0, 0, 0, 0), ()),
    ((0, 0, 3, 0, 0), ()),
    ((3, 0, 0, 0, 0), (3, 3)),
    ((0, 3, 3, 3, 0), ()),
    ((3, 3, 2, 1, 0), ()),
    ((1, 2, 3, 3, 0), ()),
    ((3, 0, 0, 0, 0), (3, 3)),
    ((0, 3, 3, 3, 0), ()),
)
METRICS = ("rr", "precision", "recall", "ndcg")
DECIMALS = 6
"""Differences smaller than this many decimals show are none."""


def inputs(exercise: Exercise) -> Inputs:
    """The sheet's own runs on the exercise's scale; k stays 5, since the runs are made for it."""
    ranked = zip(*(on_scale(grades, exercise) for grades, _ in RUNS), strict=True)
    missed = zip(*(_filled(on_scale(grades, exercise)) for _, grades in RUNS), strict=True)
    return {
        **{f"grade_{rank}": column for rank, column in zip(RANKS, ranked, strict=True)},
        **{f"missed_{number}": column for number, column in zip(MISSED, missed, strict=True)},
        "k": (RANKS[-1],),
        "relevant_from": (exercise.relevant_from,),
    }


def _filled(grades: tuple[float, ...]) -> tuple[float | None, ...]:
    return (*grades, *[None] * (len(MISSED) - len(grades)))


def expected(given: Inputs, convention: Convention) -> Values:
    """Every run scored by every metric, A less B in each situation, and the system that each metric prefers."""
    k, gain = whole(given["k"]), with_grade_zero(convention.gain)
    (relevant_from,) = given_numbers(given["relevant_from"])
    ranked = list(zip(*(given[f"grade_{rank}"] for rank in RANKS), strict=True))
    missed = list(zip(*(given[f"missed_{number}"] for number in MISSED), strict=True))
    scores: dict[str, list[float]] = {metric: [] for metric in METRICS}
    columns: dict[str, list[list[float]]] = {"relevant": [], "gained": [], "ideal": [], "ideal_gained": []}
    for grades, unreturned in zip(ranked, missed, strict=True):
        returned, judged = results(grades), given_numbers([*grades, *unreturned])
        ideal = metrics.ideal_order(judged + [0.0] * (len(returned) - len(judged)))[: len(returned)].tolist()
        scores["rr"].append(metrics.reciprocal_rank(returned, relevant_from=relevant_from))
        scores["precision"].append(metrics.precision(returned, k, relevant_from=relevant_from))
        scores["recall"].append(metrics.recall(returned, judged, k, relevant_from=relevant_from))
        scores["ndcg"].append(metrics.ndcg(returned, ideal, k, gain=gain))
        columns["relevant"].append([float(grade >= relevant_from) for grade in returned])
        columns["gained"].append([*within(k, metrics.discounted_gains(returned, gain=gain).tolist())])
        columns["ideal"].append(ideal)
        columns["ideal_gained"].append([*within(k, metrics.discounted_gains(ideal, gain=gain).tolist())])
    values: dict[str, tuple[float | str, ...]] = {metric: tuple(each) for metric, each in scores.items()}
    for name, rows in columns.items():
        values |= {f"{name}_{rank}": column for rank, column in zip(RANKS, zip(*rows, strict=True), strict=True)}
    for metric, each in scores.items():
        differences = tuple(a - b for a, b in zip(each[::2], each[1::2], strict=True))
        values[f"{metric}_difference"] = differences
        values[f"{metric}_prefers"] = tuple(map(_preferred, differences))
    everywhere = [grade for grades in ranked for grade in grades]
    values["check"] = ("inputs_fine" if len(given_numbers(everywhere)) == len(everywhere) else "grades_wrong",)
    return values


def _preferred(difference: float) -> str:
    rounded = round(difference, DECIMALS)
    if rounded == 0:
        return "tie"
    return "a" if rounded > 0 else "b"
