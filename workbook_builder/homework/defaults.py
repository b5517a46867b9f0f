"""The inputs homework has of its own: those of the ladder's rungs, and those of the worked examples beside an exam.

The ladder's were chosen so that every known mistake gives numbers of its own; a test holds that. The examples' grades
are on longer scales, so that what they show differs from a student's answers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbook_builder.gain import EXPONENTIAL, Gain
from workbook_builder.homework.task import Task

QUERIES = ("reset password", "export invoices", "change plan", "add a user", "cancel order")


def _task(
    grades: Sequence[int], missed: Sequence[int], k: int, first: int, rankings: Sequence[str], rr_k: int = 3
) -> Task:
    """A task whose rankings are written as their grades, one digit a rank; `first` says which query comes first."""
    names: Iterator[str] = (QUERIES[(first + number) % len(QUERIES)] for number in range(len(rankings)))
    queries = tuple((name, tuple(map(float, ranking))) for name, ranking in zip(names, rankings, strict=True))
    return Task(tuple(map(float, grades)), tuple(map(float, missed)), k, queries, rr_k)


LADDER: tuple[Task, ...] = (
    _task((1, 0, 2, 0, 1, 0), (3, 1), 4, 0, ("000000", "000100", "010212", "003030", "023000"), 3),
    _task((1, 2, 0, 0, 3, 3), (1, 1), 5, 1, ("112222", "000000", "000002", "031330"), 4),
    _task((0, 3, 1, 1, 1, 0), (0, 3), 4, 2, ("013100", "000310", "000000", "000123", "122101"), 3),
    _task((2, 1, 0, 3, 0, 1), (3, 3), 5, 3, ("012133", "000000", "000002", "022303"), 4),
    _task((1, 0, 1, 3, 0, 2), (2, 1), 4, 4, ("023113", "031100", "000300", "100321", "000000"), 3),
    _task((0, 1, 1, 2, 0, 3), (1, 1), 5, 0, ("000000", "330332", "000001", "001030"), 4),
    _task((0, 1, 0, 2, 1, 3), (3, 1), 4, 1, ("130030", "000310", "000000", "003003", "032330"), 3),
)
"""A task for each rung, from all steps shown to none; no DCG, IDCG, NDCG or MRR of one is that of another."""

WITH_ERROR = _task((1, 3, 0, 1, 2, 0, 2), (2, 0), 5, 0, ("100000",), 3)
"""The ranking in which an error is to be found."""

_RANKINGS = ("00500", "80040", "00000", "08500", "00008")
EXAMPLES: tuple[Task, ...] = (
    _task((7, 0, 10, 4, 5), (9,), 3, 1, _RANKINGS),
    _task((4, 9, 0, 7, 5), (8, 5), 4, 2, _RANKINGS[:4]),
    _task((5, 8, 4, 0, 10), (7,), 3, 3, _RANKINGS, rr_k=4),
    _task((35, 0, 80, 55, 95), (70,), 3, 1, (*_RANKINGS, "40000")),
    _task((65, 90, 0, 35, 80), (85, 45), 4, 2, _RANKINGS[1:], rr_k=4),
    _task((95, 25, 85, 0, 55), (75,), 4, 0, (*_RANKINGS, "00004")),
)
"""Worked examples with linear gain."""

_STEEP = ("00600", "50070", "00000", "06500", "00005")
STEEP_EXAMPLES: tuple[Task, ...] = tuple(
    replace(each, gain=EXPONENTIAL)
    for each in (
        _task((6, 0, 7, 5), (7,), 3, 1, _STEEP),
        _task((5, 7, 0, 6, 5), (6, 5), 4, 2, _STEEP[:4]),
        _task((7, 5, 6, 0, 5), (7,), 4, 3, _STEEP, rr_k=4),
        _task((5, 0, 6, 7, 0, 6), (5, 7), 5, 0, _STEEP[1:], rr_k=4),
    )
)
"""Worked examples with exponential gain, on a scale where it stays within hundreds."""


def examples(gain: Gain) -> tuple[Task, ...]:
    """Worked examples with a gain; with a table of gains their grades are those in the table."""
    if gain.kind == "table":
        return tuple(_in_table(each, gain) for each in EXAMPLES)
    return EXAMPLES if gain.kind == "linear" else STEEP_EXAMPLES


def _in_table(task: Task, gain: Gain) -> Task:
    """The task with each of its grades, by size, replaced by one of the table's."""
    listed = [grade for grade, _ in gain.table]
    seen = sorted({*task.judged, *(grade for _, grades in task.queries for grade in grades)})
    place = {grade: listed[number * (len(listed) - 1) // (len(seen) - 1)] for number, grade in enumerate(seen)}

    def placed(grades: Sequence[float]) -> tuple[float, ...]:
        return tuple(place[grade] for grade in grades)

    return replace(
        task,
        gain=gain,
        grades=placed(task.grades),
        missed=placed(task.missed),
        queries=tuple((name, placed(grades)) for name, grades in task.queries),
        highest=max(listed),
    )
