"""The reference's side of the homework sheets: their inputs and, worked out with `metrics`, every formula cell.

Like `steps`, this never sees a formula or an address. A sheet's formulas are fewer than the values here: which steps
are asked for, and whether answers are checked, decides.
"""

from collections.abc import Callable, Mapping, Sequence

from workbook_builder import metrics
from workbook_builder.homework.task import Task
from workbook_builder.inputs import Convention
from workbook_builder.steps.values import Inputs, Value, Values, given_numbers, padded, results, whole

TOLERANCE = 0.000501
"""How far an answer may be from the right value: what rounding to three digits can do, and no more."""
NONE = "none"
"""The first relevant rank of a query that has none."""


def ndcg_inputs(task: Task) -> Inputs:
    """The cells an NDCG sheet is given; the ranks go on as far as the ideal order does."""
    scores = {"score": padded(task.scores, task.ideal_ranks)} if task.scores else {}
    grades = padded(task.grades, task.ideal_ranks)
    return {"grade": grades, **scores, "missed": task.missed, "k": (task.k,)}


def mrr_inputs(task: Task) -> Inputs:
    """The cells an MRR sheet is given: a row a query, a column a rank (`result_1`, `result_2` ...)."""
    ranks = max(1, *(len(grades) for _, grades in task.queries))
    rows = [padded(grades, ranks) for _, grades in task.queries]
    columns = {f"result_{rank}": column for rank, column in enumerate(zip(*rows, strict=True), 1)}
    queries = tuple(name for name, _ in task.queries)
    return {"query": queries, **columns, "k": (task.rr_k,), "relevant_from": (task.relevant_from,)}


def ndcg_values(given: Inputs, convention: Convention) -> Values:
    """The value of every step, and what the check of an answer among the inputs says."""
    grades = results(given["grade"])
    judged = given_numbers(given["grade"] + given["missed"])
    k, gain = whole(given["k"]), convention.gain
    ideal = metrics.ideal_order(judged)[: len(grades)]
    right: dict[str, tuple[float | str, ...]] = {
        "discounted_gain": tuple(metrics.discounted_gains(grades, gain=gain).tolist()),
        "ideal_grade": tuple(ideal.tolist()),
        "ideal_discounted_gain": tuple(metrics.discounted_gains(ideal, gain=gain).tolist()),
        "dcg": (metrics.dcg(grades, k, gain=gain),),
        "idcg": (metrics.idcg(judged, k, gain=gain),),
        "ndcg": (metrics.ndcg(grades, judged, k, gain=gain),),
    }
    return {**right, **_wanted(right), **_checks(given, right)}


def mrr_values(given: Inputs, convention: Convention) -> Values:
    """The value of every step, and what the check of an answer among the inputs says."""
    del convention  # The threshold is a cell of the sheet.
    columns = [values for name, values in given.items() if name.startswith("result_")]
    rankings = [results(row) for row in zip(*columns, strict=True)]
    k, (relevant_from,) = whole(given["k"]), given_numbers(given["relevant_from"])
    firsts = [metrics.first_relevant_rank(grades, relevant_from=relevant_from) for grades in rankings]
    right: dict[str, tuple[float | str, ...]] = {
        "first_relevant": tuple(NONE if first is None else float(first) for first in firsts),
        "reciprocal_rank": tuple(metrics.reciprocal(first, k) for first in firsts),
        "mrr": (metrics.mean_reciprocal_rank(rankings, k, relevant_from=relevant_from),),
    }
    relevant = {
        f"relevant_{rank}": tuple(float(grade >= relevant_from) for grade in column)
        for rank, column in enumerate(zip(*rankings, strict=True), 1)
    }
    return {**right, **relevant, **_wanted({**right, **relevant}), **_checks(given, right)}


VALUES: Mapping[str, Callable[[Inputs, Convention], Values]] = {"ndcg": ndcg_values, "mrr": mrr_values}
"""The reference of each homework sheet, named like its file in `templates/homework/`."""


def _wanted(values: Values) -> Values:
    """The working a check compares answers with."""
    return {f"wanted_{name}": each for name, each in values.items()}


def _checks(given: Inputs, right: Values) -> Values:
    return {
        f"check_{step}": tuple(
            verdict_of(step, answer, answer, value)
            for answer, value in zip(given.get(step, (None,) * len(values)), values, strict=True)
        )
        for step, values in right.items()
    }


def verdict_of(step: str, answer: Value, worth: Value, right: float | str, tolerance: float = TOLERANCE) -> str:
    """What the check of a step says of an answer that is worth so much, as a word's name; never the right value."""
    if answer is None or answer == "":
        return "not_yet"
    if isinstance(worth, str) and isinstance(right, str):
        return "right" if worth.casefold() == right.casefold() else f"hint_{step}"
    if isinstance(worth, str) or isinstance(right, str) or worth is None:
        return f"hint_{step}"
    return "right" if abs(worth - right) <= tolerance else f"hint_{step}"


def shown_numbers(values: Mapping[str, Sequence[object]]) -> set[float]:
    """The numbers among them that a reader cannot guess: neither whole nor one divided by a whole number."""
    numbers = {each for column in values.values() for each in column if isinstance(each, float) and each > 0}
    return {each for each in numbers if not (each.is_integer() or (1 / each).is_integer())}
