"""The two mappings every lesson's steps speak of, and how a blank cell is understood."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from workbook_builder.gain import Gain
from workbook_builder.inputs import Exercise

Value = float | str | None
Inputs = Mapping[str, tuple[Value, ...]]
"""Input name -> the values of its yellow cells, first row first; None is a blank cell (or "none" for a rank).

"unjudged" is no cell: it lists the ranks whose grade 0 only says that nobody judged the result."""

Values = Mapping[str, tuple[float | str, ...]]
"""Formula name -> the value the reference expects in each of its cells, first row first."""


NO_RESULT = -math.inf
"""A grade that is worth nothing under any gain."""


def ranking(exercise: Exercise) -> Inputs:
    """The yellow cells of a judged ranking: a grade a rank shown, blank where nothing was returned, and the missed."""
    return {
        "grade": padded(exercise.grades, exercise.ranks_shown),
        "unjudged": tuple(sorted(exercise.unjudged)),
        "missed": exercise.missed,
    }


def numbers(values: Iterable[Value]) -> list[float]:
    """Grades as numbers; a blank cell earns nothing, like a grade of 0."""
    return [float(value) if isinstance(value, int | float) else 0.0 for value in values]


def results(values: Iterable[Value]) -> list[float]:
    """Grades by rank; a blank cell is a rank without a result, which earns nothing even where grade 0 has a gain."""
    return [float(value) if isinstance(value, int | float) else NO_RESULT for value in values]


def given_numbers(values: Iterable[Value]) -> list[float]:
    """The numbers among the values; blank cells are left out."""
    return [float(value) for value in values if isinstance(value, int | float)]


def whole(values: Sequence[Value]) -> int:
    """The one whole number of an input such as k."""
    (value,) = values
    assert isinstance(value, int | float), value
    return int(value)


def ranks_of(values: Iterable[Value]) -> list[int | None]:
    """Ranks; a blank or "none" is None."""
    return [int(value) if isinstance(value, int | float) else None for value in values]


def padded(values: Sequence[Value], length: int) -> tuple[Value, ...]:
    """The values, with blank cells up to a length."""
    return (*values, *[None] * (length - len(values)))


def trimmed(values: Sequence[Value]) -> tuple[Value, ...]:
    """The values without the blank cells at their end."""
    length = max((index for index, value in enumerate(values, 1) if value is not None), default=0)
    return tuple(values[:length])


def within(k: int, values: Sequence[float]) -> tuple[float, ...]:
    """The values of ranks 1..k, and 0 below."""
    return tuple(value if rank <= k else 0.0 for rank, value in enumerate(values, 1))


def with_grade_zero(gain: Gain) -> Gain:
    """The gain, worth 0 for grade 0 where its table says nothing: a blank cell counts as grade 0 and earns nothing."""
    listed = dict(gain.table)
    return replace(gain, table=tuple(sorted({0.0: 0.0, **listed}.items()))) if gain.kind == "table" else gain


def shown(grades: Iterable[float], empty: str) -> tuple[float | str, ...]:
    """Grades as a sheet shows them: a rank without a result shows a word."""
    return tuple(empty if grade == NO_RESULT else grade for grade in grades)
