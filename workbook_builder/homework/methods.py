"""The wrong methods that have a name: what each does otherwise, and the numbers it gives.

Their explanations are in `templates/text/CODE/homework_methods.toml`, under `homework.method.NAME`.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from workbook_builder import metrics
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.homework.steps import STEP_NAMES, Answers, Track
from workbook_builder.homework.task import Task
from workbook_builder.homework.ways import AFFECTED, RIGHT, Way, answers, other_threshold


def _always(_: Task) -> bool:
    return True


@dataclass(frozen=True)
class Method:
    """A wrong method: the choices it makes otherwise (fields of `Way`), applied to every step they decide about.

    keeps: steps that stay right all the same; applies: whether it is a mistake in this task, and can be made in it.
    """

    name: str
    track: Track
    choices: tuple[tuple[str, Any], ...]
    keeps: tuple[str, ...] = ()
    applies: Callable[[Task], bool] = _always

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps it changes, in the order they are worked out."""
        changed = {step for field, _ in self.choices for step in AFFECTED[field]} - {*self.keeps}
        return tuple(step for step in STEP_NAMES if step in changed)

    def values(self, task: Task) -> Answers:
        """The steps it changes, with the values it gives them; none where it does not apply."""
        return together(task, [self])


def together(task: Task, chosen: Iterable[Method]) -> Answers:
    """The steps that several methods change when they are followed at once; of two on one choice the later counts."""
    used = [method for method in chosen if method.applies(task)]
    way = _way(tuple(choice for method in used for choice in method.choices))
    changed = {step for method in used for step in method.steps}
    tracks = {method.track for method in used}
    given = answers(task, way, next(iter(tracks)) if len(tracks) == 1 else None) if used else {}
    return {step: value for step, value in given.items() if step in changed}


@cache
def _way(choices: tuple[tuple[str, Any], ...]) -> Way:
    return replace(RIGHT, **dict(choices))


def methods_of(task: Task, track: Track | None = None) -> Mapping[str, Method]:
    """The wrong methods that apply to a task, in one track or in both."""
    return {name: method for name, method in METHODS.items() if method.applies(task) and track in (None, method.track)}


def dcg_averaged(lists: Iterable[Sequence[float]], k: int, *, gain: Gain = LINEAR) -> float:
    """The mean DCG@k of several queries' grades, taken for a mean NDCG@k: queries with many relevant results decide.

    It compares systems, so it is no step of a single task and not one of `METHODS`.
    """
    return metrics.mean(metrics.dcg(grades, k, gain=gain) for grades in lists)


def _has_other_threshold(task: Task) -> bool:
    return math.isfinite(other_threshold(task))


_ALL = (
    Method("exponential", "ndcg", (("gain", "exponential"),), applies=lambda task: task.gain != EXPONENTIAL),
    Method("linear", "ndcg", (("gain", "linear"),), applies=lambda task: task.gain != LINEAR),
    Method("log2_rank", "ndcg", (("discount", "log2_rank"),)),
    # The factor ln 2 is in both sums and cancels in their ratio.
    Method("natural_log", "ndcg", (("discount", "ln_next"),), keeps=("ndcg",)),
    Method("rank_discount", "ndcg", (("discount", "rank"),)),
    Method("ideal_returned", "ndcg", (("pool", "returned"),)),
    Method("ideal_top_k", "ndcg", (("pool", "top_k"),)),
    Method("ideal_uncut", "ndcg", (("ideal_cut", False),)),
    Method("ideal_perfect", "ndcg", (("pool", "perfect"),)),
    Method("ideal_unsorted", "ndcg", (("order", "given"),)),
    Method("binary", "ndcg", (("gain", "binary"),)),
    Method("other_threshold", "ndcg", (("gain", "binary_other"),), applies=_has_other_threshold),
    Method("scores", "ndcg", (("earned", "scores"),), applies=lambda task: bool(task.scores)),
    Method("dropped", "mrr", (("averaged", "answered"),)),
    Method("dropped_zeros", "mrr", (("averaged", "above_zero"),)),
    Method("mean_rank", "mrr", (("averaged", "ranks"),)),
    Method("all_relevant", "mrr", (("hits", "all"),)),
    Method("no_cutoff", "mrr", (("rr_cut", False),)),
    Method("threshold", "mrr", (("threshold", "other"),), applies=_has_other_threshold),
)

METHODS: Mapping[str, Method] = {method.name: method for method in _ALL}
"""Every wrong method by its name."""
