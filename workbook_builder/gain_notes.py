"""Grades that are gains already: exponential gain would make them gains of gains."""

from collections.abc import Iterator

from workbook_builder.gain import Gain
from workbook_builder.inputs import Judgments

HIGHEST_GRADE = 10
"""No scale people judge on goes higher; 2^10 - 1 is already a thousand times grade 1."""


def gain_notes(judgments: Judgments, gain: Gain) -> Iterator[str]:
    """A warning when gain is exponential and the grades look like gains, as 100, 10, 1, 0 or 1, .1, .01, 0 do."""
    if gain.kind != "exponential":
        return
    met = sorted(
        {grade for judged in judgments.grades.values() for grade in judged.values() if grade > 0}, reverse=True
    )
    if not met:
        return
    fractions = [grade for grade in met if grade < 1]
    large = met[0] > HIGHEST_GRADE
    if not large and not (fractions and met[0] <= 1):
        return
    shown = ", ".join(f"{grade:g}" for grade in met[:4]) + (", ..." if len(met) > 4 else "")
    worth = f"exponential gain makes {met[0]:g} worth {2.0 ** met[0] - 1:.3g}"
    yield f"the grades ({shown}) look like gains already, and {worth}: --gain linear takes them as they are"
