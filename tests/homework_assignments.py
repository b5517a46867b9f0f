"""Assignments for tests: drawn variants under several conventions."""

from functools import cache

from workbook_builder.gain import EXPONENTIAL, Gain
from workbook_builder.homework.draw import Shape, draw, seed_of
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.steps import STEP_NAMES, right
from workbook_builder.homework.task import Task

SMALL = {"ranks": 6, "missed": 2, "k": 4, "queries": 5, "depth": 5, "rr_k": 3}
SHAPES = {
    "linear": Shape(),
    "exponential": Shape(gain=EXPONENTIAL, relevant_from=2),
    "table": Shape(gain=Gain.parse("0=0,1=.5,2=1,3=3,4=5")),
    "fractions": Shape(pool=(0, 0.5, 1, 2.25, 3)),
}
POINTS = {step: float(number) for number, step in enumerate(STEP_NAMES, start=1)}


@cache
def assignment(kind: str = "linear", count: int = 3, *, language: str = "en", digits: int = 3) -> Manifest:
    """An assignment of drawn variants; the points of a step are its number."""
    students = [f"student{number:02d}@example.org" for number in range(count)]
    return Manifest(
        assignment=f"Ranking metrics ({kind})",
        version="0",
        salt="salt",
        variants=tuple(
            variant(draw(seed_of(student, kind), SHAPES[kind]).task, code=f"CODE-{number:04d}", student=student)
            for number, student in enumerate(students, start=1)
        ),
        digits=digits,
        points=POINTS,
        language=language,
    )


def variant(task: Task, *, code: str = "CODE-0001", student: str = "student") -> Variant:
    """A variant of one task."""
    return Variant(code, student, 0, task, right(task), f"{code}.xlsx", "0" * 64)


def one_task(task: Task, **more: object) -> Manifest:
    """An assignment of one variant."""
    settings: dict[str, object] = {"assignment": "One", "version": "0", "salt": "salt", **more}
    return Manifest(variants=(variant(task),), **settings)  # type: ignore[arg-type]
