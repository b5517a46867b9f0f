"""What people bring, typed and checked once: judgments, runs and exercises."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.readers.values import UnusableError, cutoff, grade, name_faults, rank

UNLISTED = ""
"""Stands in a ranking where a file of ranks lists no document: the place counts, with grade 0."""


@dataclass(frozen=True)
class Judgments:
    """Grades by query and document: `grades[query_id][doc_id]`. Ids are text; "3" and "003" differ.

    `texts[doc_id]` is a document's title or text and `query_texts[query_id]` a query's, where the source has them.
    """

    grades: Mapping[str, Mapping[str, float]]
    source: str = "judgments"
    notes: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    query_texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """One system's results: `rankings[query_id]` lists document ids, rank 1 first.

    `scores[query_id]` holds the scores in the same order where the source has them; equal neighbours are ties. Where
    the source has ranks alone, a rank that is not listed is `UNLISTED`. `texts` and `query_texts` as in `Judgments`.
    """

    name: str
    rankings: Mapping[str, tuple[str, ...]]
    scores: Mapping[str, tuple[float, ...]] | None = None
    notes: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    query_texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Convention:
    """What a whole workbook agrees on: the gain, the lowest relevant grade and the ends of the grade scale."""

    gain: Gain = LINEAR
    relevant_from: float = 1
    lowest: float = 0
    highest: float = 3


def _usable(name: str, value: object, understood: Callable[[Any], object]) -> Iterator[Fault]:
    """The fault of a value that `understood`, a check of `readers.values`, does not take."""
    number = None if isinstance(value, bool) or not isinstance(value, int | float) else value
    try:
        understood(number)
    except UnusableError as unusable:
        yield unusable.fault("exercise", None, name, value)


@dataclass(frozen=True)
class Exercise:
    """The inputs of a lesson: one judged ranking, and the first relevant rank of several queries.

    grades: in rank order, grade 0 for an unjudged result; missed: grades of judged documents that were not returned;
    k: the cut-off; first_relevant: (query, rank of its first relevant result or None); lowest and highest: the scale's
    ends, widened to hold every grade; unjudged: the ranks whose 0 stands for "nobody judged this". Raises InputError
    for what no sheet can hold or no metric is defined for.
    """

    grades: tuple[float, ...]
    missed: tuple[float, ...]
    k: int
    first_relevant: tuple[tuple[str, int | None], ...]
    gain: Gain = LINEAR
    relevant_from: float = 1
    lowest: float = 0
    highest: float = 3
    unjudged: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if faults := [*self._faults()]:
            raise InputError(faults)
        object.__setattr__(self, "lowest", min(self.lowest, *self.judged))
        object.__setattr__(self, "highest", max(self.highest, *self.judged))

    def _faults(self) -> Iterator[Fault]:
        for name in ("grades", "missed"):
            for value in getattr(self, name):
                yield from _usable(name, value, grade)
        if not self.judged:
            yield Fault("exercise", "there is no grade, returned or missed", "Give at least one.", column="grades")
        yield from _usable("k", self.k, cutoff)
        if not self.first_relevant:
            remedy = "Give at least one query with the rank of its first relevant result, or None."
            yield Fault("exercise", "there is no query", remedy, column="first_relevant")
        for name, first in self.first_relevant:
            yield from name_faults("exercise", None, "first_relevant", name)
            if first is not None:
                yield from _usable("first_relevant", first, rank)

    @property
    def judged(self) -> tuple[float, ...]:
        """The pool the ideal is drawn from: every grade, returned or missed."""
        return self.grades + self.missed

    @property
    def ranks_shown(self) -> int:
        """How many ranks a sheet shows: every result, and min(k, judged) where the ideal reaches further."""
        return max(len(self.grades), min(self.k, len(self.judged)))

    @property
    def convention(self) -> Convention:
        """Its gain, relevance threshold and scale."""
        return Convention(self.gain, self.relevant_from, self.lowest, self.highest)


WORKED_EXAMPLE = Exercise(
    grades=(2, 0, 3, 1, 0, 2),
    missed=(3,),
    k=5,
    first_relevant=(
        ("reset password", 1),
        ("export invoices", 3),
        ("change plan", 2),
        ("webhook retries", None),
        ("add a user", 1),
    ),
)
