"""What a grade, a rank, a score, a cut-off or a convention may be, said once for every format."""

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import Gain
from workbook_builder.readers.text import control_fault

MOST_RANK = 1_000_000
"""A spreadsheet has 1,048,576 rows."""

MOST_GRADE = 1_000_000_000.0
MOST_EXPONENT = 500.0
"""Beyond this, sums of 2^grade leave the range of a double."""

MOST_TEXT = 32_767
"""The characters a spreadsheet cell holds."""


class UnusableError(Exception):
    """A value that cannot be used, with what is wrong and what to do; a reader adds the place and raises InputError."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}")
        self.problem = problem
        self.remedy = remedy

    def fault(self, file: str, line: int | None, column: str | None, value: object) -> Fault:
        """The same with its place."""
        return Fault(file, self.problem, self.remedy, line=line, column=column, value=str(value))


def number(text: str) -> float | None:
    """A number as float64, infinities included; None for all else, also for NaN, 1_000 and digits of other scripts."""
    if "_" in text or not text.isascii():
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) else value


def grade(value: float | None) -> float:
    """The value as a grade; raises UnusableError when it is no finite number or is too large."""
    if value is None or not math.isfinite(value):
        raise UnusableError("the grade is no number", "Give a number, as in 0, 1, 2 or 3.")
    if abs(value) > MOST_GRADE:
        raise UnusableError("the grade is too large", f"Give a number of at most {MOST_GRADE:,.0f}.")
    return float(value)


def rank(value: float | None, first: int = 1, most: int = MOST_RANK) -> int:
    """The value as a rank counted from `first`; raises UnusableError when it is no whole number or out of range."""
    if value is None or not math.isfinite(value) or value != int(value):
        raise UnusableError("the rank is no whole number", f"Give a whole number from {first} up.")
    if value == 0 and first == 1:
        raise UnusableError("the rank is 0", "Ranks start at 1; if the file's first rank is 0, say --ranks-from 0.")
    if value < first:
        raise UnusableError(f"the rank is below {first}", f"Give a whole number from {first} up.")
    if value > most:
        raise UnusableError("the rank is too large", f"Give a rank of at most {most:,}.")
    return int(value)


def cutoff(value: object) -> int:
    """The value as a cut-off k; raises UnusableError when it is no whole number from 1 to MOST_RANK."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_RANK:
        return value
    raise UnusableError("the cut-off k cannot be used", f"Give a whole number from 1 to {MOST_RANK:,}.")


def name_faults(file: str, line: int | None, column: str, name: str) -> Iterator[Fault]:
    """What keeps a text from being a query's name in a cell. One that starts like a formula is fine: it stays text."""
    if not name:
        yield Fault(file, "the name is empty", "Give the query a name.", line=line, column=column)
    if len(name) > MOST_TEXT:
        problem = f"the name has {len(name):,} characters"
        yield Fault(file, problem, f"A cell holds {MOST_TEXT:,}.", line=line, column=column, value=name)
    if fault := control_fault(file, name, line, column):
        yield fault


def convention_faults(
    file: str, gain: Gain, relevant_from: float, grades: Iterable[float], *, unjudged: bool = False
) -> Iterator[Fault]:
    """What keeps a gain and a relevance threshold from being used with these grades.

    `unjudged` says that some results have no judgment: they count as grade 0 and are not in the ideal.
    """
    if not math.isfinite(relevant_from) or relevant_from <= 0:
        problem = "the lowest relevant grade must be above 0: grade 0 is what an unjudged result has"
        yield Fault(file, problem, "Give 1, or the lowest grade that is relevant.", value=f"{relevant_from:g}")
    met = sorted(set(grades) | ({0.0} if unjudged else set()))
    if not all(map(math.isfinite, met)):
        yield Fault(file, "a grade is no finite number", "Give numbers, as in 0, 1, 2 or 3.")
        return
    if gain.kind == "exponential" and met and met[-1] > MOST_EXPONENT:
        remedy = "Use linear gain, or a gain table."
        yield Fault(file, "the grade is too large for exponential gain", remedy, value=f"{met[-1]:g}")
    if gain.kind == "table":
        yield from _table_faults(file, gain, met, unjudged)


def _table_faults(file: str, gain: Gain, met: list[float], unjudged: bool) -> Iterator[Fault]:
    try:
        worth = gain.of(met)
    except InputError as error:
        yield from error.faults
        return
    falls = [grades for grades, (before, after) in zip(pairwise(met), pairwise(worth), strict=True) if after < before]
    if falls:
        low, high = falls[0]
        problem = f"grade {high:g} is worth less than grade {low:g}, so no order by grade is ideal"
        yield Fault(file, problem, "Give a higher grade at least the gain of a lower one.", value=str(gain))
    if unjudged and gain.of([0.0])[0] > 0:
        problem = "grade 0 has a gain, and results that nobody judged would earn it without being in the ideal"
        yield Fault(file, problem, "Give grade 0 the gain 0, or judge every result.", value=str(gain))
