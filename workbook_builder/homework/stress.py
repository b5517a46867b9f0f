"""What a class's exercises look like as a whole, and what chance alone would have given it."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from workbook_builder.homework.draw import Shape, draw_once
from workbook_builder.homework.methods import methods_of
from workbook_builder.homework.separate import APART, collisions, distance
from workbook_builder.homework.steps import right
from workbook_builder.homework.variants import Assignment, Followed, Handed, hand_out, shared_steps, unfollowed

UNDRAWN = Shape(ranks=6, missed=2, k=4, pool=(0, 1, 2, 3))
"""A plausible exercise whose random inputs are known to let wrong methods pass."""

SAMPLE = 2_000


@dataclass(frozen=True)
class StepRange:
    """One step over a class: its lowest and highest value, the different answers, the neighbours that share one."""

    step: str
    lowest: float
    highest: float
    different: int
    shared: int


@dataclass(frozen=True)
class Stress:
    """A class's draws: redraws a student, students drawn again for a neighbour's sake, seconds in all, every step."""

    students: int
    duplicates: int
    redraws: tuple[int, ...]
    neighbour_redraws: int
    seconds: float
    steps: tuple[StepRange, ...]

    def __str__(self) -> str:
        rows = [("step", "lowest", "highest", "different", "neighbours share it")]
        rows += [
            (each.step, f"{each.lowest:.3f}", f"{each.highest:.3f}", str(each.different), str(each.shared))
            for each in self.steps
        ]
        mean = sum(self.redraws) / max(1, self.students)
        return "\n".join(
            [
                *_aligned(rows),
                f"{self.students} students; {self.duplicates} with the inputs of another",
                f"Redraws a student: {mean:.1f} on average, {max(self.redraws, default=0)} at most",
                f"Students drawn again because the one before had the same answers: {self.neighbour_redraws}",
                f"{self.seconds:.1f} s, {1000 * self.seconds / max(1, self.students):.0f} ms a student",
            ]
        )


@dataclass(frozen=True)
class Chance:
    """Shares, 0 to 1, of tasks as chance has them.

    passes: some wrong method gives the right NDCG, rounded to the digits asked; near: one is less than `APART` from it;
    inseparable: some two answers to a step of the NDCG exercise are.
    """

    draws: int
    passes: float
    near: float
    inseparable: float

    def __str__(self) -> str:
        return (
            f"Without redrawing, of {self.draws:,} random rankings (grades 0 to 3, six ranks, two missed, k = 4) "
            f"{self.passes:.0%} let a wrong method give the right NDCG@4, {self.near:.0%} one that is less than "
            f"{APART} from it, and {self.inseparable:.0%} leave two answers to some step that look alike."
        )


def stressed(
    students: Sequence[str],
    assignment: Assignment,
    *,
    followed: Followed = unfollowed,
) -> Stress:
    """Draw a class's tasks without writing them, and sum them up. Raises InputError as `hand_out` does."""
    start = time.perf_counter()
    handed = [*followed(hand_out(students, assignment), "Drawing")]
    seconds = time.perf_counter() - start
    digits = assignment.shape.digits
    shared = [
        step for before, after in pairwise(handed) for step in shared_steps(before.answers, after.answers, digits)
    ]
    return Stress(
        students=len(handed),
        duplicates=len(handed) - len({each.drawn.task for each in handed}),
        redraws=tuple(each.drawn.redraws for each in handed),
        neighbour_redraws=sum(each.neighbour_redraws > 0 for each in handed),
        seconds=seconds,
        steps=tuple(_range_of(step, handed, digits, shared.count(step)) for step in assignment.shape.asked),
    )


def chance(draws: int = SAMPLE, *, seed: int = 1, shape: Shape = UNDRAWN) -> Chance:
    """How often random rankings, taken as they come, let a wrong method pass: the reason why tasks are redrawn."""
    random = Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(draws):
        task = draw_once(random, shape)
        answer = right(task)["ndcg"]
        wrong = [method.values(task).get("ndcg") for method in methods_of(task, "ndcg").values()]
        gaps = [distance(answer, value) for value in wrong if value is not None]
        counts["passes"] += min(gaps) < 10.0**-shape.digits / 2
        counts["near"] += min(gaps) < APART
        counts["inseparable"] += bool(collisions(task, digits=shape.digits, track="ndcg"))
    return Chance(draws, *(counts[name] / draws for name in ("passes", "near", "inseparable")))


def _range_of(step: str, handed: Sequence[Handed], digits: int, shared: int) -> StepRange:
    answers = [tuple(None if cell is None else round(cell, digits) for cell in each.answers[step]) for each in handed]
    cells = [cell for each in answers for cell in each if cell is not None]
    return StepRange(step, min(cells, default=0.0), max(cells, default=0.0), len({*answers}), shared)


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        numbers = "  ".join(text.rjust(width) for text, width in zip(others, widths[1:], strict=True))
        yield f"{first.ljust(widths[0])}  {numbers}"
