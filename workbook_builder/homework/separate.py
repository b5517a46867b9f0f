"""Which answers a marker could not tell apart: inputs that let a wrong method pass, or two of them look the same."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from workbook_builder.homework.methods import methods_of
from workbook_builder.homework.steps import STEP_NAMES, STEPS, Track, right
from workbook_builder.homework.task import Task

APART = 0.005
"""How far two methods' answers must be from each other."""

EDGE = 1e-6
"""How close to a rounding edge an answer must not be: there, the last digit is a matter of luck."""

RIGHT_ANSWER = "right"
ROUNDING_EDGE = "rounding edge"

Cells = Sequence[float | None]


class Collision(NamedTuple):
    """Two methods (or `RIGHT_ANSWER`) that cannot be told apart at a step, or an answer at a `ROUNDING_EDGE`."""

    step: str
    one: str
    other: str


def apart(digits: int) -> float:
    """The distance that keeps two answers apart also when both are rounded to these digits; at least `APART`."""
    return max(APART, 1.5 * 10.0**-digits)


def collisions(
    task: Task, *, asked: Sequence[str] = STEP_NAMES, digits: int = 3, track: Track | None = None
) -> tuple[Collision, ...]:
    """What keeps a task from telling every method from the right one and from every other; empty for a good task.

    A step counts for the methods that change it; two methods are apart there when one cell at least differs by
    `apart(digits)`. An empty cell counts as 0, since who leaves it empty may as well write 0.
    """
    return tuple(each_collision(task, asked=asked, digits=digits, track=track))


def each_collision(
    task: Task, *, asked: Sequence[str] = STEP_NAMES, digits: int = 3, track: Track | None = None
) -> Iterator[Collision]:
    """The same one by one, the last steps first: they tell least apart, and who only wants to know whether stops."""
    answers = right(task)
    wrong = {name: method.values(task) for name, method in methods_of(task, track).items()}
    for step in reversed(STEPS):
        if step.name not in asked or track not in (None, step.track):
            continue
        own = answers[step.name]
        values = {RIGHT_ANSWER: own, **{name: each[step.name] for name, each in wrong.items() if step.name in each}}
        yield from _same(step.name, values, apart(digits))
        if any(at_edge(value, digits) for value in own):
            yield Collision(step.name, RIGHT_ANSWER, ROUNDING_EDGE)


def at_edge(value: float | None, digits: int) -> bool:
    """Whether a value is so near the middle between two rounded ones that rounding it is a matter of luck."""
    if value is None:
        return False
    unit = 10.0**-digits
    return abs(value % unit - unit / 2) < EDGE


def distance(one: Cells, other: Cells) -> float:
    """The largest difference of two answers to a step, cell by cell; an empty cell counts as 0."""
    return max((abs((a or 0.0) - (b or 0.0)) for a, b in zip(one, other, strict=True)), default=0.0)


def _same(step: str, values: Mapping[str, Cells], least: float) -> Iterator[Collision]:
    for one, other in combinations(values, 2):
        if distance(values[one], values[other]) < least:
            yield Collision(step, one, other)
