"""The reference's side of the sheets that end in a choice: find the error, which gain, which system is better.

Like `reference`, this never sees a formula or an address.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from workbook_builder import metrics
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.homework.methods import METHODS
from workbook_builder.homework.reference import verdict_of
from workbook_builder.homework.task import Task
from workbook_builder.homework.ways import answers
from workbook_builder.inputs import Convention
from workbook_builder.steps.values import Inputs, Value, Values, given_numbers, results, whole

MISTAKES = ("exponential", "log2_rank", "rank_discount", "ideal_returned", "ideal_top_k", "ideal_uncut")
"""The known mistakes to choose from, in the order of the list; the last choice is that there is none."""
NO_MISTAKE = "right"
PICKS = (4, 7, 2)
"""What the three people of the sheet did: places in the list of choices."""
TOTALS = ("dcg", "idcg", "ndcg")


@dataclass(frozen=True)
class Comparison:
    """Two systems' rankings of the same queries: (query, grades of A, A's missed, grades of B, B's missed)."""

    queries: tuple[tuple[str, tuple[float, ...], float, tuple[float, ...], float], ...]
    k: int


GAIN_LISTS: tuple[tuple[float, ...], ...] = ((0, 3, 3, 0, 1), (0, 2, 1, 3, 0), (2, 0, 0, 0, 3))
USED = (2, 1, 2)
"""The gain behind each of these lists' NDCG@k: 1 is linear, 2 exponential."""
GAINS_K = 4

SYSTEMS = Comparison(
    (
        ("reset password", (0, 1, 1, 0, 0), 0, (0, 0, 0, 0, 1), 1),
        ("change plan", (0, 0, 1, 2, 0), 0, (1, 0, 0, 0, 0), 2),
        ("export invoices", (1, 3, 2, 3, 3), 2, (3, 3, 2, 3, 2), 1),
    ),
    4,
)
"""A is better. The mean DCG@k, which the last query decides, says B, and so does an ideal made of returned results."""


def error_values(given: Inputs, convention: Convention) -> Values:
    """What every mistake makes of the ranking, what three people got, and what the check of their choice says."""
    ranks = len(given["grade"])
    task = Task(
        tuple(_zeros(given["grade"])),
        tuple(given_numbers(given["missed"])),
        whole(given["k"]),
        (("unused", ()),),
        1,
        convention.gain,
    )
    made = {name: METHODS[name].values(task) for name in MISTAKES}
    right = answers(task, track="ndcg")
    totals = {
        f"{total}_{name}": tuple(map(_number, {**right, **values}[total]))
        for name, values in {**made, NO_MISTAKE: {}}.items()
        for total in TOTALS
    }
    picks = [whole((pick,)) for pick in given["pick"]]
    listed = {total: [totals[f"{total}_{name}"][0] for name in (*MISTAKES, NO_MISTAKE)] for total in TOTALS}
    shown = {f"shown_{total}": tuple(values[pick - 1] for pick in picks) for total, values in listed.items()}
    said = [
        verdict_of("mistake", answer, _listed(given["option"], answer, listed["ndcg"]), wanted)
        for answer, wanted in zip(given.get("mistake", (None,) * len(picks)), shown["shown_ndcg"], strict=True)
    ]
    return {**totals, **shown, **_columns(task, made), "check_mistake": tuple(said)} | {
        "top_grade": tuple(grade if rank <= task.k else -1.0 for rank, grade in enumerate(task.grades[:ranks], 1))
    }


def _columns(task: Task, made: Mapping[str, Mapping[str, Sequence[Value]]]) -> Values:
    """The working by rank; beyond a pool the ideal has nothing to earn."""
    right = answers(task, track="ndcg")
    found: dict[str, Sequence[Value]] = {
        "earned": right["discounted_gain"],
        "best": right["ideal_grade"],
        "ideal": right["ideal_discounted_gain"],
        "best_returned": made["ideal_returned"]["ideal_grade"],
        "ideal_returned": made["ideal_returned"]["ideal_discounted_gain"],
        "best_top_k": made["ideal_top_k"]["ideal_grade"],
        "ideal_top_k": made["ideal_top_k"]["ideal_discounted_gain"],
    }
    for name in ("exponential", "log2_rank", "rank_discount"):
        found[f"earned_{name}"] = made[name]["discounted_gain"]
        found[f"ideal_{name}"] = made[name]["ideal_discounted_gain"]
    return {name: tuple(map(_number, values)) for name, values in found.items()}


def gain_values(given: Inputs, _: Convention) -> Values:
    """NDCG@k of every list with either gain, the working behind it, and what the check of the choice says."""
    rankings, k = _rankings(given), whole(given["k"])
    values: dict[str, tuple[float | str, ...]] = {}
    best = [metrics.ideal_order(ranking).tolist() for ranking in rankings]
    for name, gain in (("linear", LINEAR), ("exponential", EXPONENTIAL)):
        values |= _across(name, rankings, k, gain) | _across(f"best_{name}", best, k, gain)
        values[f"ndcg_{name}"] = tuple(metrics.ndcg(ranking, ranking, k, gain=gain) for ranking in rankings)
    values |= {f"best_{rank}": column for rank, column in enumerate(zip(*best, strict=True), 1)}
    both = list(zip(values["ndcg_linear"], values["ndcg_exponential"], strict=True))
    shown = tuple(pair[whole((used,)) - 1] for pair, used in zip(both, given["used"], strict=True))
    said = [
        verdict_of("gain", answer, _listed(("linear", "exponential"), answer, list(map(_number, pair))), _number(wanted))
        for answer, pair, wanted in zip(given.get("chosen_gain", (None,) * len(shown)), both, shown, strict=True)
    ]
    return {**values, "shown_ndcg": shown, "check_chosen_gain": tuple(said)}


def system_values(given: Inputs, convention: Convention) -> Values:
    """NDCG@k of every ranking, each system's mean, the working, and what the checks of the answers say."""
    rankings, k, gain = _rankings(given), whole(given["k"]), convention.gain
    judged = [[*ranking, *given_numbers((missed,))] for ranking, missed in zip(rankings, given["missed"], strict=True)]
    best = [metrics.ideal_order(pool).tolist()[: len(rankings[0])] for pool in judged]
    ndcg = [metrics.ndcg(ranking, pool, k, gain=gain) for ranking, pool in zip(rankings, judged, strict=True)]
    means = {
        name: metrics.mean(value for value, system in zip(ndcg, given["system"], strict=True) if system == name.upper())
        for name in ("a", "b")
    }
    (better,) = given.get("better", (None,))
    of_choice = None if better is None else means.get(str(better).casefold())
    rows = given.get("ndcg", (None,) * len(ndcg))
    values: dict[str, tuple[float | str, ...]] = {
        "wanted_ndcg": tuple(ndcg),
        "check_ndcg": tuple(verdict_of("ndcg", each, each, wanted) for each, wanted in zip(rows, ndcg, strict=True)),
        "check_better": (verdict_of("better", better, of_choice, max(means.values()), 0.0),),
    }
    for name, mean in means.items():
        (answer,) = given.get(f"mean_{name}", (None,))
        values[f"wanted_mean_{name}"] = (mean,)
        values[f"check_mean_{name}"] = (verdict_of("mean", answer, answer, mean),)
    values |= {f"best_{rank}": column for rank, column in enumerate(zip(*best, strict=True), 1)}
    return {**values, **_across("earned", rankings, k, gain), **_across("ideal", best, k, gain)}


PUZZLE_VALUES: Mapping[str, Callable[[Inputs, Convention], Values]] = {
    "find_error": error_values,
    "which_gain": gain_values,
    "which_system": system_values,
}
"""The reference of each sheet, named like its file in `templates/homework/`."""


def _across(name: str, rankings: Sequence[Sequence[float]], k: int, gain: Gain) -> Values:
    """Discounted gains as columns, one a rank, with nothing earned beyond k."""
    rows = [
        [value if rank <= k else 0.0 for rank, value in enumerate(metrics.discounted_gains(each, gain=gain).tolist(), 1)]
        for each in rankings
    ]
    return {f"{name}_{rank}": column for rank, column in enumerate(zip(*rows, strict=True), 1)}


def _rankings(given: Inputs) -> list[list[float]]:
    columns = [values for name, values in given.items() if name.startswith("result_")]
    return [results(row) for row in zip(*columns, strict=True)]


def _listed(options: Sequence[Value], answer: Value, values: Sequence[float]) -> float | None:
    """The value of a choice; None for what is not in the list."""
    folded = [str(option).casefold() for option in options]
    at = folded.index(str(answer).casefold()) if str(answer).casefold() in folded else None
    return None if at is None else values[at]


def _zeros(values: Sequence[Value]) -> list[float]:
    return [float(value) if isinstance(value, int | float) else 0.0 for value in values]


def _number(value: Value) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
