"""Conventions: one judged ranking as several tools score it, step by step from this workbook's own definitions."""

import math
from collections.abc import Mapping, Sequence

from workbook_builder import conventions, metrics
from workbook_builder.conventions import TOOLS, Ranking, Tool
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.inputs import WORKED_EXAMPLE, Convention, Exercise
from workbook_builder.steps.values import (
    NO_RESULT,
    Inputs,
    Values,
    given_numbers,
    ranking,
    results,
    shown,
    whole,
    with_grade_zero,
)

DECIMALS = 6
EMPTY = "no_result"
QUERIES = 3
SCORES = (9.1, 8.4, 8.4, 7.0, 6.2, 5.5)
"""Invented for the worked example, so that two of its results tie."""


def inputs(exercise: Exercise) -> Inputs:
    """The exercise's list. Its scores are not known: they only fall with the rank."""
    ranks = exercise.ranks_shown
    falling = [float(ranks - rank) for rank in range(ranks)]
    return {
        **ranking(exercise),
        "score": SCORES if exercise.grades == WORKED_EXAMPLE.grades else tuple(falling),
        "k": (exercise.k,),
        "relevant_from": (exercise.relevant_from,),
    }


def expected(given: Inputs, convention: Convention) -> Values:
    """Every tool's score by its own function, and the steps that lead there by the rules it follows."""
    scores = [float(score) if isinstance(score, int | float) else None for score in given["score"]]
    (relevant_from,) = given_numbers(given["relevant_from"])
    ranking = Ranking(
        grades=results(given["grade"]),
        scores=scores,
        judged=given_numbers(given["grade"] + given["missed"]),
        k=whole(given["k"]),
        returned=len(given_numbers(given["grade"])),
    )
    gains = {"own": with_grade_zero(convention.gain), "grade": LINEAR, "power": EXPONENTIAL}
    values: dict[str, list[float | str]] = {}
    for tool in TOOLS.values():
        for column, value in _steps(ranking, tool, gains, relevant_from).items():
            values.setdefault(column, []).append(value)
        scored = tool.ndcg(ranking) if tool.ndcg else values["v_ties"][-1]
        values.setdefault("v_reported", []).append(scored)
    values |= _partings(values)
    rises = [
        float(above is not None and score is not None and score > above)
        for above, score in zip([None, *scores], scores, strict=False)
    ]
    down, best = conventions.rre_parts(ranking)
    return {
        **{name: tuple(column) for name, column in values.items()},
        **_by_rank(ranking, gains),
        **_ideal(ranking, gains, len(given["missed"])),
        **_sums(ranking, gains),
        "relevant": tuple(float(grade >= relevant_from) for grade in ranking.grades),
        "rises": tuple(rises),
        "check": ("scores_rise" if any(rises) else "inputs_fine",),
        "returned": (float(ranking.returned),),
        "hits": (float(min(ranking.k, ranking.returned)),),
        "relevant_found": (float(sum(grade >= relevant_from for grade in ranking.grades[: ranking.k])),),
        "down_dcg": (down,),
        "down_ideal": (best,),
        "down_ndcg": (conventions.rre(ranking),),
    }


def _steps(ranking: Ranking, tool: Tool, gains: Mapping[str, Gain], relevant_from: float) -> Mapping[str, float | str]:
    """One tool's rules applied one after the other."""
    gain, k = gains[tool.gain], ranking.k
    worth = gain.of(ranking.grades).tolist()
    pool = ranking.grades if tool.pool == "returned_only" else ranking.judged
    cut = {"at_k": k, "at_hits": min(k, ranking.returned), "uncut": None}[tool.cut]
    dcg, ideal = metrics.dcg(worth, k), metrics.idcg(ranking.judged, k, gain=gain)
    pool_ideal = metrics.idcg(pool, k, gain=gain)
    cut_ideal = 0.0 if cut == 0 else metrics.idcg(pool, cut, gain=gain)
    tied = metrics.dcg(conventions.tie_averaged(worth, ranking.scores), k) if tool.ties == "averaged" else dcg
    ndcg = _ratio(tied, cut_ideal)
    return {
        "own_dcg": dcg,
        "own_ideal": ideal,
        "pool_ideal": pool_ideal,
        "cut_ideal": cut_ideal,
        "tied_dcg": tied,
        "divisor": float(min(k, ranking.returned) if tool.precision == "by_returned" else k),
        "v_gain": _ratio(dcg, ideal),
        "v_pool": _ratio(dcg, pool_ideal),
        "v_cut": _ratio(dcg, cut_ideal),
        "v_ties": ndcg,
        "v_nothing": metrics.mean([ndcg, 0.0]),
        "v_missing": metrics.mean([ndcg, 0.0] if tool.missing == "left_out" else [ndcg, 0.0, 0.0]),
        "v_precision": _precision(ranking, tool, relevant_from),
    }


def _precision(ranking: Ranking, tool: Tool, relevant_from: float) -> float | str:
    if tool.precision == "no_precision":
        return "rule_no_precision"
    if tool.precision == "by_returned":
        return conventions.precision_of_returned(
            ranking.grades, ranking.k, ranking.returned, relevant_from=relevant_from
        )
    return metrics.precision(ranking.grades, ranking.k, relevant_from=relevant_from)


def _partings(values: Mapping[str, Sequence[float | str]]) -> dict[str, list[float | str]]:
    """For each convention, the first one from it on that moves a number; by tool."""
    numbers_of = {name: [value for value in column if not isinstance(value, str)] for name, column in values.items()}
    default = numbers_of["v_gain"][0]
    found: dict[str, list[float | str]] = {}
    for row in range(len(TOOLS)):
        at = {
            name: numbers_of[name][row] for name in ("v_gain", "v_pool", "v_cut", "v_ties", "v_missing", "v_reported")
        }
        moved = {
            "gain": _differ(at["v_gain"], default),
            "pool": _differ(at["v_pool"], at["v_gain"]),
            "cut": _differ(at["v_cut"], at["v_pool"]),
            "ties": _differ(at["v_ties"], at["v_cut"]),
            "missing": _differ(at["v_missing"], at["v_ties"] / QUERIES),
            "precision": values["v_precision"][row] != values["v_precision"][0],
            "rounding": _differ(at["v_reported"], at["v_ties"]),
        }
        named = list(moved)
        for start, convention in enumerate(named):
            first = next((f"part_{each}" for each in named[start:] if moved[each]), "nowhere")
            found.setdefault(f"from_{convention}", []).append(first)
        found.setdefault("v_first", []).append(found["from_gain"][-1])
    return found


def _differ(one: float, other: float) -> bool:
    return round(one - other, DECIMALS) != 0


def _by_rank(ranking: Ranking, gains: Mapping[str, Gain]) -> Values:
    """The list as it was returned, under each gain, with ties averaged, and its own ideal."""
    ideal = metrics.ideal_order(ranking.grades).tolist()
    values: dict[str, tuple[float | str, ...]] = {
        "r_grade": shown(ranking.grades, EMPTY),
        "returned_grade": shown(ideal, EMPTY),
        "down_dg": tuple(conventions.rre_terms(ranking.grades, first_exact=True)),
    }
    for name, gain in gains.items():
        worth = gain.of(ranking.grades).tolist()
        tied = conventions.tie_averaged(worth, ranking.scores)
        values[f"{name}_worth"] = tuple(worth)
        values[f"{name}_dg"] = tuple(metrics.discounted_gains(worth).tolist())
        values[f"{name}_tied_dg"] = tuple(metrics.discounted_gains(tied).tolist())
        values[f"{name}_returned_dg"] = tuple(metrics.discounted_gains(ideal, gain=gain).tolist())
    return values


def _ideal(ranking: Ranking, gains: Mapping[str, Gain], missed: int) -> Values:
    """The ideal order, in as many rows as there are cells for grades; the last rows go with those missed."""
    rows = len(ranking.grades) + missed
    ideal = metrics.ideal_order(ranking.judged).tolist()
    ideal += [NO_RESULT] * (rows - len(ideal))
    columns = {
        "grade": shown(ideal, EMPTY),
        "down_dg": tuple(conventions.rre_terms(ideal, first_exact=False)),
        **{f"{name}_dg": tuple(metrics.discounted_gains(ideal, gain=gain).tolist()) for name, gain in gains.items()},
    }
    at = len(ranking.grades)
    return {
        **{f"i_{name}": column[:at] for name, column in columns.items()},
        **{f"l_{name}": column[at:] for name, column in columns.items()},
        "l_rank": tuple(float(at + 1 + row) for row in range(missed)),
    }


def _sums(ranking: Ranking, gains: Mapping[str, Gain]) -> Values:
    """What each gain makes of the list and of the ideals that the tools divide by."""
    k, hits = ranking.k, min(ranking.k, ranking.returned)
    values = {}
    for name, gain in gains.items():
        tied = conventions.tie_averaged(gain.of(ranking.grades).tolist(), ranking.scores)
        values[f"{name}_dcg_k"] = metrics.dcg(ranking.grades, k, gain=gain)
        values[f"{name}_dcg_tied"] = metrics.dcg(tied, k)
        values[f"{name}_ideal_k"] = metrics.idcg(ranking.judged, k, gain=gain)
        values[f"{name}_ideal_returned"] = metrics.idcg(ranking.grades, k, gain=gain)
        best = metrics.discounted_gains(metrics.ideal_order(ranking.judged), gain=gain).tolist()
        values[f"{name}_ideal_hits"] = math.fsum(best[:hits])
        values[f"{name}_ideal_uncut"] = math.fsum(best)
    return {name: (value,) for name, value in values.items()}


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
