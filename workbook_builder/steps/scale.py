"""Grades that a lesson brings itself, fitted to the scale of an exercise."""

from collections.abc import Sequence

from workbook_builder.inputs import Exercise

TOP = 3
"""Lessons grade their own results from 0, not relevant, to 3, perfect."""


def on_scale(levels: Sequence[int], exercise: Exercise) -> tuple[float, ...]:
    """The levels 0..3 as grades the exercise's scale and table of gains know, the order of levels kept."""
    return tuple(_grade(level, exercise) for level in levels)


def _grade(level: int, exercise: Exercise) -> float:
    lowest, highest = exercise.lowest, exercise.highest
    if exercise.gain.kind == "table":
        listed = {grade for grade, _ in exercise.gain.table if max(lowest, 0) <= grade <= highest}
        steps = sorted(listed | ({0.0} if lowest <= 0 else set())) or [lowest]
        step = round(level * (len(steps) - 1) / TOP)
        return steps[max(step, min(level, 1, len(steps) - 1))]
    if level == TOP or highest <= TOP:
        fitting = min(float(level), highest) if highest <= TOP else highest
    else:
        fitting = float(round(level * highest / TOP))
    return max(fitting, lowest)
