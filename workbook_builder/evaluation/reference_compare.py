"""What the sheets Compare and Differences should show, from the per-query values of the reference."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from workbook_builder import metrics
from workbook_builder.evaluation.reference import Array, Choices, Reference, Value
from workbook_builder.significance import DECIMALS, differences, holm, paired, randomization

EXTREMES = 10
P_DECIMALS = 6
"""A p is stated to so many decimals, more than anyone decides by."""
CURVE = 100


def permuted(reference: Reference) -> list[tuple[float, float, float]]:
    """By pair and metric: the randomization test's p, the same corrected for all of them, the mean difference."""
    lists = [
        (reference.per_query[one][:, at].tolist(), reference.per_query[other][:, at].tolist())
        for one, other in _pairs(reference)
        for at in range(len(reference.evaluation.measures))
    ]
    p_values = [randomization(one, other) for one, other in lists]
    means = [metrics.mean(one) - metrics.mean(other) for one, other in lists]
    return list(zip(p_values, holm(p_values), means, strict=True))


def compare(
    reference: Reference, choices: Choices, built: Sequence[float], decimals: int = DECIMALS
) -> Mapping[str, Sequence[Value]]:
    """The sheet Compare; `built` are the mean differences at which the randomization tests were computed."""
    found: dict[str, list[Value]] = defaultdict(list)
    names, words = reference.names(), reference.words
    stated = iter(built)
    for one, other in _pairs(reference):
        for at, name in enumerate(names):
            left, right = (reference.per_query[system][:, at].tolist() for system in (one, other))
            tested = paired(left, right)
            mean_one, mean_other = metrics.mean(left), metrics.mean(right)
            values: dict[str, Value] = {
                "name": name,
                "mean_one": mean_one,
                "mean_other": mean_other,
                "difference": mean_one - mean_other,
                "wins": float(tested.wins),
                "ties": float(tested.ties),
                "losses": float(tested.losses),
                "error": tested.error,
                "low": tested.low,
                "high": tested.high,
                "p": words.undefined if tested.p is None else round(tested.p, P_DECIMALS),
            }
            for label, value in values.items():
                found[label].append(value)
            same = round(mean_one - mean_other - next(stated), decimals) == 0
            found["state"].append(words.as_built if same else words.build_again)
    return {**found, **_chosen(reference, choices, decimals)}


def _chosen(reference: Reference, choices: Choices, decimals: int) -> Mapping[str, Sequence[Value]]:
    first, second, metric = chosen_numbers(reference, choices)
    systems = [run.name for run in reference.evaluation.runs]
    chosen, order = chosen_differences(reference, choices, decimals)
    queries = reference.evaluation.queries
    found: dict[str, list[Value]] = defaultdict(list)
    found |= {
        "first_system": [first + 1.0],
        "first_system_name": [systems[first]],
        "second_system": [second + 1.0],
        "second_system_name": [systems[second]],
        "metric_number": [metric + 1.0],
        "metric_name": [reference.names()[metric]],
        "apart": [apart(len(queries), decimals)],
    }
    places = np.argsort(order, kind="stable")
    shown = min(EXTREMES, len(queries))
    for side, listed in (("best", places[::-1][:shown]), ("worst", places[:shown])):
        found[f"{side}_place"] = [float(at) + 1 for at in listed]
        found[f"{side}_query"] = [queries[at] for at in listed]
        found[f"{side}_value_one"] = [float(reference.per_query[first][at, metric]) for at in listed]
        found[f"{side}_value_other"] = [float(reference.per_query[second][at, metric]) for at in listed]
        found[f"{side}_chosen"] = [float(chosen[at]) for at in listed]
    points = min(CURVE, len(queries))
    falling = np.sort(chosen)[::-1]
    found["sorted"] = [float(falling[(at * (len(queries) - 1)) // max(1, points - 1)]) for at in range(points)]
    return found


def differences_sheet(
    reference: Reference, choices: Choices, decimals: int = DECIMALS
) -> Mapping[str, Sequence[Value]]:
    """The sheet Differences."""
    systems = [run.name for run in reference.evaluation.runs]
    chosen, order = chosen_differences(reference, choices, decimals)
    pairs = _pairs(reference)
    columns = [
        differences(reference.per_query[one][:, at].tolist(), reference.per_query[other][:, at].tolist(), decimals)
        for one, other in pairs
        for at in range(len(reference.evaluation.measures))
    ]
    names = reference.names()
    return {
        "pair_name": [f"{systems[one]} − {systems[other]}: {name}" for one, other in pairs for name in names],
        "chosen": chosen.tolist(),
        "order": order.tolist(),
        "difference": np.array(columns).T.ravel().tolist(),
    }


def chosen_numbers(reference: Reference, choices: Choices) -> tuple[int, int, int]:
    """The chosen systems and metric, counted from 0."""
    systems = [run.name for run in reference.evaluation.runs]
    return (
        _place(choices.first_system, systems),
        _place(choices.second_system, systems),
        _place(choices.metric, reference.names()),
    )


def chosen_differences(reference: Reference, choices: Choices, decimals: int) -> tuple[Array, Array]:
    """The chosen pair's differences, and the same with equal ones kept apart by their queries' order."""
    first, second, metric = chosen_numbers(reference, choices)
    values = [reference.per_query[system][:, metric].tolist() for system in (first, second)]
    chosen = differences(values[0], values[1], decimals)
    numbers = np.arange(1, len(chosen) + 1)
    return chosen, chosen - numbers * apart(len(chosen), decimals)


def apart(queries: int, decimals: int) -> float:
    """So little that all of it together stays below the last decimal."""
    return 10.0**-decimals / (queries + 1) / 2


def _pairs(reference: Reference) -> list[tuple[int, int]]:
    return list(combinations(range(len(reference.evaluation.runs)), 2))


def _place(text: str, entries: Sequence[str]) -> int:
    """Where an entry stands; a spreadsheet compares texts without regard to case."""
    folded = [entry.casefold() for entry in entries]
    return folded.index(text.casefold()) if text.casefold() in folded else 0
