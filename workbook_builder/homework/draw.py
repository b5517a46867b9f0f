"""A student's inputs, drawn from a seed alone: again until every wrong method can be told from every other answer."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.homework.separate import Collision, each_collision
from workbook_builder.homework.steps import STEP_NAMES, Track
from workbook_builder.homework.task import Task

T = TypeVar("T")

MOST_REDRAWS = 10_000
"""Inputs that still cannot be told apart by then never will be: the shape or the pool is at fault."""


@dataclass(frozen=True)
class Shape:
    """What every student's task has in common.

    ranks, missed: how many results and missed documents the NDCG exercise has, cut at k; queries, depth: how many
    queries of how many results the MRR exercise has, cut at rr_k; pool: the grades to draw from, each as often as it is
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
        draw_once(random, shape), lambda task: _with_ranking(task, random, shape), shape, "ndcg"
    )
    both, again_mrr = _until_separate(ndcg, lambda task: _with_queries(task, random, shape), shape, "mrr")
    return Drawn(both, again + again_mrr)


def draw_once(random: Random, shape: Shape = DEFAULT_SHAPE) -> Task:
    """A task of this shape as chance has it, whether or not its answers can be told apart."""
    bare = Task(
        grades=shape.pool[:1],
        missed=(),
        k=shape.k,
        queries=(("q1", ()),),
        rr_k=shape.rr_k,
        gain=shape.gain,
        relevant_from=shape.relevant_from,
        lowest=min(0.0, *shape.pool),
        highest=max(shape.pool),
    )
    return _with_queries(_with_ranking(bare, random, shape), random, shape)


def _until_separate(task: Task, another: Callable[[Task], Task], shape: Shape, track: Track) -> tuple[Task, int]:
    met: Counter[str] = Counter()
    for redraws in range(MOST_REDRAWS):
        found = next(each_collision(task, asked=shape.asked, digits=shape.digits, track=track), None)
        if not found and not (track == "ndcg" and _ambiguous(task, shape)):
            return task, redraws
        met[_said(found) if found else "the best grade is seldom judged"] += 1
        task = another(task)
    common = "; ".join(said for said, _ in met.most_common(3))
    problem = f"{MOST_REDRAWS:,} draws of inputs did not tell every method apart. Most often: {common}"
    remedy = "Give a pool with more different grades, or ask for fewer steps or digits."
    raise InputError([Fault(f"inputs for {track.upper()}", problem, remedy)])


def _said(collision: Collision) -> str:
    return f"{collision.one} and {collision.other} agree on {collision.step}"


def _ambiguous(task: Task, shape: Shape) -> bool:
    """Whether a wrong method has two readings here: perfect documents by the scale or the pool, and uncut sums.

    Where every grade has a gain, what lies beyond the ranks asked for always has one.
    """
    beyond = sorted(task.judged, reverse=True)[task.ideal_ranks :]
    worthless = min(shape.gain.of(shape.pool)) <= 0
    return max(task.judged) < task.highest or bool(worthless and beyond and max(shape.gain.of(beyond)) > 0)


def _with_ranking(task: Task, random: Random, shape: Shape) -> Task:
    drawn = [_one(random, shape.pool) for _ in range(shape.ranks + shape.missed)]
    return replace(task, grades=tuple(drawn[: shape.ranks]), missed=tuple(drawn[shape.ranks :]))


def _with_queries(task: Task, random: Random, shape: Shape) -> Task:
    """Rankings whose first relevant rank is any one, or none, with the same chance: most would begin with it else."""
    relevant = [grade for grade in shape.pool if grade >= shape.relevant_from]
    other = [grade for grade in shape.pool if grade < shape.relevant_from]
    queries = []
    for number in range(1, shape.queries + 1):
        first = _one(random, range(shape.depth + 1))
        kinds = [other] * first + [relevant] + [shape.pool] * shape.depth
        queries.append((f"q{number}", tuple(_one(random, kind) for kind in kinds[: shape.depth])))
    return replace(task, queries=tuple(queries))


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
    relevant = [grade >= shape.relevant_from for grade in shape.pool]
    for side, there in (("relevant", any(relevant)), ("not relevant", not all(relevant))):
        if not there:
            problem = f"the pool has no grade that is {side} with the threshold {shape.relevant_from:g}"
            yield Fault("pool", problem, "Give judgments of both kinds, or another --relevant-from.")
