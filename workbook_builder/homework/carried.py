"""Follow-through: what each step comes to when it is worked out from the values somebody has for the steps before it.

Written as one function a step over `ways`' tables of choices, so that a step can also be worked out in a wrong way
from somebody's own values. Here a value that was not given is NaN; None says that there is none.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from workbook_builder import metrics
from workbook_builder.errors import InputError
from workbook_builder.homework.steps import Answers
from workbook_builder.homework.task import Task
from workbook_builder.homework.ways import DISCOUNTS, GAINS, POOLS, RIGHT, Way, other_threshold

Values = tuple[float | None, ...]
Computed = Callable[[Task, Way, Answers], Sequence[float | None]]

READS: Mapping[str, tuple[str, ...]] = {
    "dcg": ("discounted_gain",),
    "ideal_discounted_gain": ("ideal_grade",),
    "idcg": ("ideal_discounted_gain",),
    "ndcg": ("dcg", "idcg"),
    "reciprocal_rank": ("first_relevant",),
    "mrr": ("reciprocal_rank",),
}
"""Step -> the steps it is worked out from; one that is not here is worked out from the inputs."""


def from_own(task: Task, own: Answers, step: str, way: Way = RIGHT) -> Values:
    """A step worked out this way from the values in `own` of the steps it reads, not from what it has itself there.

    A step it reads that `own` lacks is worked out the same way. Cells that cannot be worked out are NaN.
    """
    needed = READS.get(step, ()) + (("first_relevant",) if step == "mrr" else ())
    before = {name: own.get(name) or from_own(task, own, name, way) for name in needed}
    try:
        return tuple(_COMPUTED[step](task, way, before))
    except (ArithmeticError, TypeError, ValueError):
        return (math.nan,)


def is_missing(value: float | None) -> bool:
    """Whether a value was not given."""
    return value is not None and math.isnan(value)


def is_given(values: Values) -> bool:
    """Whether any cell of a step was given."""
    return not all(map(is_missing, values))


def leads_nowhere(task: Task, own: Answers, step: str, carried: Values) -> bool:
    """Whether a step right from somebody's values shows nothing: they are all 0 or all 1, or no ranking has them.

    carried: what the step comes to from those values.
    """
    read = [value for name in READS.get(step, ()) for value in own.get(name, ()) if not is_missing(value)]
    numbers = [0.0 if value is None else value for value in read]
    if numbers and (len({*numbers}) == 1 and numbers[0] in (0.0, 1.0)):
        return True
    if any(_impossible(task, name, own.get(name, ())) for name in READS.get(step, ())):
        return True
    (result,) = carried if len(carried) == 1 else (None,)
    if step in ("ndcg", "mrr") and result is not None:
        return not 0 < result <= 1 + 1e-9
    return result is not None and result <= 0


def _impossible(task: Task, step: str, values: Values) -> bool:
    """Whether no ranking of these results, however it is scored, has such a value somewhere."""
    given = [value for value in values if value is not None and not math.isnan(value)]
    if any(value < 0 for value in given):
        return True
    if step == "ideal_grade":
        return any(value > task.highest for value in given)
    if step == "first_relevant":
        longest = max(len(grades) for _, grades in task.queries)
        return any(value != int(value) or not 1 <= value <= longest for value in given)
    return step == "reciprocal_rank" and any(value > 1 for value in given)


def _discounted_gain(task: Task, way: Way, _: Answers) -> list[float]:
    earned = task.scores if way.earned == "scores" else GAINS[way.gain](task)(task.grades)
    return _over(earned, way)


def _dcg(task: Task, _: Way, before: Answers) -> list[float]:
    return [_sum(before["discounted_gain"][: task.k])]


def _ideal_grade(task: Task, way: Way, _: Answers) -> list[float | None]:
    pool = POOLS[way.pool](task)
    ideal = sorted(pool, reverse=True) if way.order == "sorted" else list(pool)
    return [*ideal, *[None] * task.ideal_ranks][: task.ideal_ranks]


def _ideal_discounted_gain(task: Task, way: Way, before: Answers) -> list[float | None]:
    """A cell without a grade has no gain; one whose grade was not given or is none of the scale's has no known one."""
    gains = [_gain(task, way, grade) for grade in before["ideal_grade"]]
    return [None if gain is None else gain / DISCOUNTS[way.discount](rank) for rank, gain in enumerate(gains, start=1)]


def _gain(task: Task, way: Way, grade: float | None) -> float | None:
    if grade is None:
        return None
    if not task.lowest <= grade <= task.highest:
        return math.nan
    try:
        return GAINS[way.gain](task)([grade])[0]
    except InputError:
        return math.nan


def _idcg(task: Task, way: Way, before: Answers) -> list[float]:
    terms = before["ideal_discounted_gain"]
    return [_sum(terms[: task.k] if way.ideal_cut else terms)]


def _ndcg(_: Task, __: Way, before: Answers) -> list[float]:
    (found,), (best,) = before["dcg"], before["idcg"]
    if found is None or best is None:
        return [math.nan]
    return [found / best if best else 0.0]


def _first_relevant(task: Task, way: Way, _: Answers) -> list[float | None]:
    lowest = task.relevant_from if way.threshold == "asked" else other_threshold(task)
    firsts = (metrics.first_relevant_rank(grades, relevant_from=lowest) for _, grades in task.queries)
    return [None if first is None else float(first) for first in firsts]


def _reciprocal_rank(task: Task, way: Way, before: Answers) -> list[float]:
    most = task.rr_k if way.rr_cut else math.inf
    if way.hits == "all":
        lowest = task.relevant_from if way.threshold == "asked" else other_threshold(task)
        ranks = [[rank for rank, grade in enumerate(grades, 1) if grade >= lowest] for _, grades in task.queries]
        return [metrics.mean(1 / rank for rank in each if rank <= most) for each in ranks]
    firsts = before["first_relevant"]
    return [0.0 if first is None or first > most else math.nan if is_missing(first) else 1 / first for first in firsts]


def _mrr(_: Task, way: Way, before: Answers) -> list[float]:
    """A cell that was not given is passed over, as a spreadsheet's AVERAGE passes over text."""
    firsts = before["first_relevant"]
    reciprocals = [value for value in before["reciprocal_rank"] if value is not None]
    kept: Sequence[float] = [value for value in reciprocals if not math.isnan(value)]
    if way.averaged == "ranks":
        mean = metrics.mean(first for first in firsts if first is not None and not math.isnan(first))
        return [1 / mean if mean else 0.0]
    if way.averaged == "answered":
        kept = [value for value, first in zip(reciprocals, firsts, strict=True) if first is not None]
    elif way.averaged == "above_zero":
        kept = [value for value in kept if value > 0]
    return [metrics.mean(kept)]


def _over(gains: Sequence[float], way: Way) -> list[float]:
    return [gain / DISCOUNTS[way.discount](rank) for rank, gain in enumerate(gains, start=1)]


def _sum(values: Sequence[float | None]) -> float:
    """A cell that was not given adds nothing, as in a spreadsheet's SUM."""
    return math.fsum(value for value in values if value is not None and not math.isnan(value))


_COMPUTED: Mapping[str, Computed] = {
    "discounted_gain": _discounted_gain,
    "dcg": _dcg,
    "ideal_grade": _ideal_grade,
    "ideal_discounted_gain": _ideal_discounted_gain,
    "idcg": _idcg,
    "ndcg": _ndcg,
    "first_relevant": _first_relevant,
    "reciprocal_rank": _reciprocal_rank,
    "mrr": _mrr,
}
