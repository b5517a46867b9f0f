"""What an exercise asks for, step by step, and the reference's answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from workbook_builder import metrics
from workbook_builder.homework.task import Task

Track = Literal["ndcg", "mrr"]
Answers = Mapping[str, tuple[float | None, ...]]
"""Step -> the value of each of its cells; None is the word "none", or a cell that a wrong method leaves empty."""


@dataclass(frozen=True)
class Step:
    """One thing asked for; `track` says in which of the two exercises."""

    name: str
    track: Track


STEPS: tuple[Step, ...] = (
    Step("discounted_gain", "ndcg"),
    Step("dcg", "ndcg"),
    Step("ideal_grade", "ndcg"),
    Step("ideal_discounted_gain", "ndcg"),
    Step("idcg", "ndcg"),
    Step("ndcg", "ndcg"),
    Step("first_relevant", "mrr"),
    Step("reciprocal_rank", "mrr"),
    Step("mrr", "mrr"),
)
"""Every step, in the order in which they are worked out."""

STEP_NAMES: tuple[str, ...] = tuple(step.name for step in STEPS)


def right(task: Task) -> Answers:
    """The reference's answer to every step.

    discounted_gain has a cell a result; ideal_grade and ideal_discounted_gain one for each of `task.ideal_ranks`;
    first_relevant (a rank, None when no result is relevant) and reciprocal_rank (0 beyond rr_k) one a query; the
    others one. Sums count ranks 1 to k only.
    """
    ideal = metrics.ideal_order(task.judged)[: task.ideal_ranks]
    firsts = [metrics.first_relevant_rank(grades, relevant_from=task.relevant_from) for _, grades in task.queries]
    reciprocals = tuple(metrics.reciprocal(first, task.rr_k) for first in firsts)
    return {
        "discounted_gain": tuple(metrics.discounted_gains(task.grades, gain=task.gain).tolist()),
        "dcg": (metrics.dcg(task.grades, task.k, gain=task.gain),),
        "ideal_grade": tuple(ideal.tolist()),
        "ideal_discounted_gain": tuple(metrics.discounted_gains(ideal, gain=task.gain).tolist()),
        "idcg": (metrics.idcg(task.judged, task.k, gain=task.gain),),
        "ndcg": (metrics.ndcg(task.grades, task.judged, task.k, gain=task.gain),),
        "first_relevant": tuple(None if first is None else float(first) for first in firsts),
        "reciprocal_rank": reciprocals,
        "mrr": (metrics.mean(reciprocals),),
    }
