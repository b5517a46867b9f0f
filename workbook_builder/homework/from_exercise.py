"""A teacher's exercise as the tasks of a ladder: itself on the last rung, and variations of it on those before."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from workbook_builder.homework.planned import ASKED_STEPS
from workbook_builder.homework.separate import collisions
from workbook_builder.homework.steps import right
from workbook_builder.homework.task import Queries, Task
from workbook_builder.inputs import Exercise

LEAST, MOST = 5, 30
"""How many results of each query the MRR sheets show at least, and at most."""
TRIES = 200
TOTALS = ("dcg", "idcg", "ndcg", "mrr")
NEAR = 0.001


def tasks_of(exercise: Exercise) -> tuple[tuple[Task, ...], tuple[str, ...]]:
    """(tasks, notes): a task a rung, the exercise itself on the last one; the notes say how it was understood.

    On the rungs before, the grades stand in another order and up to two of them are others, so that no rung gives away
    the answers of the next. Its queries say only where the first relevant result stands: the results around it are
    made up, not relevant.
    """
    own = Task(
        grades=exercise.grades,
        missed=exercise.missed,
        k=exercise.k,
        queries=_queries(exercise),
        rr_k=exercise.k,
        gain=exercise.gain,
        relevant_from=exercise.relevant_from,
        lowest=exercise.lowest,
        highest=exercise.highest,
    )
    tasks = [own]
    for _ in range(max(map(len, ASKED_STEPS.values()))):
        ranking = _first_new(_other_rankings(own), tasks, TOTALS[:-1])
        queries = _first_new(_other_queries(own), tasks, TOTALS[-1:])
        tasks.append(replace(ranking, queries=queries.queries))
    return (*tasks[1:], own), (*exercise.notes, *_notes(exercise, own, tasks[1:]))


def _notes(exercise: Exercise, own: Task, others: Sequence[Task]) -> Iterator[str]:
    yield "your inputs are on the sheets where every step is yours; the sheets before have variations of them."
    if any(rank is not None and rank > MOST for _, rank in exercise.first_relevant):
        yield f"a first relevant rank beyond {MOST} is shown as none: the sheets list {MOST} results of a query."
    same = [total for total in TOTALS if any(_near(own, other, total) for other in others)]
    if same:
        yield f"an earlier sheet has the same {', '.join(same)} as yours: grades that differ more would prevent that."
    alike = sorted({name for each in collisions(own) for name in (each.one, each.other)} - {"right", "rounding edge"})
    if alike:
        yield (
            "with these inputs some known mistakes give the right value, or that of another mistake: "
            f"{', '.join(alike)}. Other grades, or another k, tell them apart."
        )


def _first_new(candidates: Iterator[Task], before: Sequence[Task], totals: Sequence[str]) -> Task:
    """The first candidate none of whose totals is that of a task before; the last one where each has one."""
    found = before[0]
    for found in islice(candidates, TRIES):
        if not any(_near(found, other, total) for other in before for total in totals):
            break
    return found


def _near(one: Task, other: Task, total: str) -> bool:
    (mine,), (theirs,) = right(one)[total], right(other)[total]
    return mine is None or theirs is None or abs(mine - theirs) <= NEAR


def _other_rankings(task: Task) -> Iterator[Task]:
    """The grades in other orders, up to two of them replaced by other grades of the scale; always the same ones."""
    listed = [grade for grade, _ in task.gain.table]
    scale = listed or sorted({*task.judged, task.lowest, task.highest})
    for seed in range(TRIES):
        random = Random(seed)
        grades = sorted(task.judged, key=lambda _: random.random())
        for _ in range(2):
            # Of Python's generator only random() is promised to give the same numbers in every version.
            grades[int(random.random() * len(grades))] = scale[int(random.random() * len(scale))]
        yield replace(task, grades=tuple(grades[: len(task.grades)]), missed=tuple(grades[len(task.grades) :]))


def _other_queries(task: Task) -> Iterator[Task]:
    """Each query's results moved on by some ranks, those of the later queries by more."""
    depth = len(task.queries[0][1])
    for moved in range(1, TRIES + 1):
        queries = []
        for number, (name, grades) in enumerate(task.queries):
            by = (moved + number * (moved // depth)) % depth
            queries.append((name, (*grades[-by:], *grades[:-by]) if by else grades))
        yield replace(task, queries=tuple(queries))


def _queries(exercise: Exercise) -> Queries:
    """A ranking for each query whose first relevant result stands where the exercise says."""
    firsts = [rank if rank is None or rank <= MOST else None for _, rank in exercise.first_relevant]
    depth = max(LEAST, min(exercise.k, MOST), *(rank or 0 for rank in firsts))
    irrelevant = min(0.0, exercise.relevant_from - 1)
    names = [name for name, _ in exercise.first_relevant]
    return tuple(
        (name, tuple(float(exercise.relevant_from) if rank == first else irrelevant for rank in range(1, depth + 1)))
        for name, first in zip(names, firsts, strict=True)
    )
