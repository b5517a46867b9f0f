"""A student's inputs, drawn from a seed alone: again until every wrong method can be told from every other answer."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import TypeVar

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.homework.separate import Collision, each_collision
from workbook_builder.homework.steps import STEP_NAMES, Track
from workbook_builder.homework.task import Queries, Task

T = TypeVar("T")

MOST_REDRAWS = 4_000
"""Inputs that still cannot be told apart by then never will be: the shape or the pool is at fault."""

EXAMINED = 200
"""So many draws more then say which methods agree; the best of them names them."""
SHOWN = 3

AS_LISTED = 1_000
"""After so many draws each different grade of the pool is as likely as any other: most judgments are 0."""


@dataclass(frozen=True)
class Shape:
    """What every student's task has in common.

    ranks, missed: how many results and missed documents the NDCG exercise has, cut at k; queries, depth: how many
    queries of how many results the MRR exercise has, cut at rr_k; pool: the grades to draw from, as often as each is
    listed; asked, digits: the steps that are asked for, and their decimals.
    """

    ranks: int = 8
    missed: int = 3
    k: int = 6
    queries: int = 7
    depth: int = 8
    rr_k: int = 5
    pool: tuple[float, ...] = (0, 1, 2, 3, 4)
    gain: Gain = LINEAR
    relevant_from: float = 1
    asked: tuple[str, ...] = STEP_NAMES
    digits: int = 3

    @cached_property
    def relevant(self) -> tuple[float, ...]:
        """The relevant grades of the pool."""
        return tuple(grade for grade in self.pool if grade >= self.relevant_from)

    @cached_property
    def not_relevant(self) -> tuple[float, ...]:
        """The others."""
        return tuple(grade for grade in self.pool if grade < self.relevant_from)

    @cached_property
    def leveled(self) -> "Shape":
        """The same with every different grade of the pool once."""
        return replace(self, pool=tuple(sorted({*self.pool})))


@dataclass(frozen=True)
class Drawn:
    """A task whose answers can all be told apart, and how many draws before it could not."""

    task: Task
    redraws: int


DEFAULT_SHAPE = Shape()


def seed_of(student: str, assignment: str, *more: str) -> int:
    """The seed of a student's inputs: the sha256 of both texts, so that any machine draws the same; 0 to 2^256 - 1."""
    return int.from_bytes(hashlib.sha256("\0".join([student, assignment, *more]).encode("utf-8")).digest())


def draw(seed: int, shape: Shape = DEFAULT_SHAPE) -> Drawn:
    """Draw a task of this shape without a collision; the same seed and shape give the same one on any machine.

    Raises InputError where the shape or its pool cannot give one.
    """
    if faults := [*_shape_faults(shape)]:
        raise InputError(faults)
    random = Random(seed)
    ndcg, again = _until_separate(
        draw_once(random, shape), lambda task, drawn: _with_ranking(task, random, drawn), shape, "ndcg"
    )
    both, again_mrr = _until_separate(ndcg, lambda task, drawn: _with_queries(task, random, drawn), shape, "mrr")
    return Drawn(both, again + again_mrr)


def draw_once(random: Random, shape: Shape = DEFAULT_SHAPE) -> Task:
    """A task of this shape as chance has it: every grade from the pool, whether or not answers can be told apart."""
    drawn = [_one(random, shape.pool) for _ in range(shape.ranks + shape.missed)]
    return Task(
        grades=tuple(drawn[: shape.ranks]),
        missed=tuple(drawn[shape.ranks :]),
        k=shape.k,
        queries=_rankings(random, shape),
        rr_k=shape.rr_k,
        gain=shape.gain,
        relevant_from=shape.relevant_from,
        lowest=min(0.0, *shape.pool),
        highest=max(shape.pool),
    )


def _until_separate(task: Task, another: Callable[[Task, Shape], Task], shape: Shape, track: Track) -> tuple[Task, int]:
    def found(task: Task) -> Iterator[str]:
        if track == "ndcg" and _ambiguous(task, shape):
            yield "the highest grade is not judged, or there are relevant documents beyond the ranks"
        yield from map(_said, each_collision(task, asked=shape.asked, digits=shape.digits, track=track))

    for redraws in range(MOST_REDRAWS):
        if next(found(task), None) is None:
            return task, redraws
        task = another(task, shape if redraws < AS_LISTED else shape.leveled)
    examined = [another(task, shape.leveled) for _ in range(EXAMINED)]
    least = min(([*found(each)] for each in examined), key=len)
    shown = "; ".join(dict.fromkeys(least[:SHOWN]))
    problem = f"{MOST_REDRAWS:,} draws of inputs did not tell every method apart. In one of the best, {shown}"
    remedy = "Give a pool with more different grades, another gain or threshold, or fewer digits."
    raise InputError([Fault(f"inputs for {track.upper()}", problem, remedy)])


def _said(collision: Collision) -> str:
    return f"{collision.one} and {collision.other} agree on {collision.step}"


def _ambiguous(task: Task, shape: Shape) -> bool:
    """Whether a wrong method has two readings here: perfect documents by the scale or the pool, and uncut sums.

    Where every grade has a gain, what lies beyond the ranks asked for always has one.
    """
    beyond = sorted(task.judged, reverse=True)[task.ideal_ranks :]
    worthless = min(shape.gain.of(shape.leveled.pool)) <= 0
    return max(task.judged) < task.highest or bool(worthless and beyond and max(shape.gain.of(beyond)) > 0)


def _with_ranking(task: Task, random: Random, shape: Shape) -> Task:
    """Another ranking: any number of relevant documents is as likely, so that ideal orders differ from each other."""
    documents = shape.ranks + shape.missed
    relevant = 1 + _one(random, range(documents))
    kinds = [shape.relevant] * relevant + [shape.not_relevant] * (documents - relevant)
    keyed = sorted((random.random(), _one(random, kind)) for kind in kinds)
    drawn = tuple(grade for _, grade in keyed)
    return replace(task, grades=drawn[: shape.ranks], missed=drawn[shape.ranks :])


def _with_queries(task: Task, random: Random, shape: Shape) -> Task:
    return replace(task, queries=_rankings(random, shape))


def _rankings(random: Random, shape: Shape) -> Queries:
    """Rankings whose first relevant rank is any one, or none, with the same chance: most would begin with it else."""
    queries = []
    for number in range(1, shape.queries + 1):
        first = _one(random, range(shape.depth + 1))
        kinds = [shape.not_relevant] * first + [shape.relevant] + [shape.pool] * shape.depth
        queries.append((f"q{number}", tuple(_one(random, kind) for kind in kinds[: shape.depth])))
    return tuple(queries)


def _one(random: Random, choices: Sequence[T]) -> T:
    # Of Python's generator only random() is promised to give the same numbers in every version.
    return choices[int(random.random() * len(choices))]


def _shape_faults(shape: Shape) -> Iterator[Fault]:
    for name in ("ranks", "k", "queries", "depth", "rr_k"):
        if getattr(shape, name) < 1:
            yield Fault(
                "inputs", f"{name} is below 1", "Give a whole number from 1 up.", value=str(getattr(shape, name))
            )
    if shape.k > shape.ranks:
        yield Fault("inputs", f"k is above the {shape.ranks} ranks drawn", "Give a smaller one.", value=str(shape.k))
    for side, grades in (("relevant", shape.relevant), ("not relevant", shape.not_relevant)):
        if not grades:
            problem = f"the pool has no grade that is {side} with the threshold {shape.relevant_from:g}"
            yield Fault("pool", problem, "Give judgments of both kinds, or another --relevant-from.")
