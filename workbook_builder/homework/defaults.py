"""The inputs homework has of its own: those of the ladder's rungs, and those of the worked examples beside an exam.

The ladder's were chosen so that every known mistake gives numbers of its own; the tests hold that. The examples' grades
are on longer scales, so that what they show differs from a student's answers.
"""

from collections.abc import Iterator, Sequence

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
    _task((0, 2, 1, 0, 1, 2), (1, 2), 4, 1, ("00032", "12202", "00000", "01200")),
    _task((0, 3, 1, 0, 0, 2), (1, 3), 4, 0, ("00011", "11001", "00000", "02013")),
    _task((0, 3, 1, 3, 1, 2), (3, 1), 5, 1, ("02130", "00030", "10300", "00000")),
    _task((0, 2, 1, 0, 3, 0), (3, 1), 4, 2, ("00031", "03231", "13003", "00000")),
    _task((2, 3, 1, 0, 3, 1), (1, 2), 5, 3, ("01212", "00020", "00000", "21001")),
    _task((1, 0, 2, 3, 0, 1), (3, 0), 4, 4, ("00001", "23121", "11321", "00000")),
    _task((0, 0, 2, 1, 3, 1), (3, 1), 5, 0, ("00001", "12102", "12310", "00000")),
)
"""A task for each rung, from all steps shown to none."""

_RANKINGS = ("00500", "80040", "00000", "08500", "00008")
EXAMPLES: tuple[Task, ...] = (
    _task((7, 0, 10, 4, 5), (9,), 3, 1, _RANKINGS),
    _task((4, 9, 0, 7, 5), (8, 5), 4, 2, _RANKINGS[:4]),
    _task((5, 8, 4, 0, 10), (7,), 3, 3, _RANKINGS, rr_k=4),
    _task((35, 0, 80, 55, 95), (70,), 3, 1, (*_RANKINGS, "40000")),
    _task((65, 90, 0, 35, 80), (85, 45), 4, 2, _RANKINGS[1:], rr_k=4),
    _task((95, 25, 85, 0, 55), (75,), 4, 0, (*_RANKINGS, "00004")),
)
"""Worked examples, from which the first one is taken that shows none of a student's answers."""
