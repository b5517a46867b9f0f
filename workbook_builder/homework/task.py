"""What one student works on: one judged ranking for NDCG@k, and several queries' rankings for MRR@k."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.readers.values import UnusableError, convention_faults, cutoff, grade, name_faults
from workbook_builder.suggest import did_you_mean

Queries = tuple[tuple[str, tuple[float, ...]], ...]
"""(query, the grades of its results in rank order) for each query of the MRR exercise."""


@dataclass(frozen=True)
class Task:
    """The inputs of one student's exercise, checked; `InputError` names every fault.

    grades: in rank order; missed: grades of judged documents that were not returned; k: the cut-off of NDCG@k;
    queries: the rankings whose first relevant results make MRR@k; rr_k: its cut-off; lowest and highest: the scale's
    ends, widened to hold every grade; scores: what the system predicted for each of `grades`, where an exercise shows
    them (they order the results and earn nothing); listed: the judged grades in the order an exercise lists them, where
    that is another than results and missed documents (what nobody judged may be left out).
    """

    grades: tuple[float, ...]
    missed: tuple[float, ...]
    k: int
    queries: Queries
    rr_k: int
    gain: Gain = LINEAR
    relevant_from: float = 1
    lowest: float = 0
    highest: float = 3
    scores: tuple[float, ...] = ()
    listed: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if faults := [*self._faults()]:
            raise InputError(faults)
        for name in ("grades", "missed", "scores", "listed"):
            object.__setattr__(self, name, tuple(map(float, getattr(self, name))))
        object.__setattr__(self, "queries", tuple((name, tuple(map(float, each))) for name, each in self.queries))
        object.__setattr__(self, "lowest", min(self.lowest, *self._all_grades()))
        object.__setattr__(self, "highest", max(self.highest, *self._all_grades()))

    @property
    def judged(self) -> tuple[float, ...]:
        """The pool the ideal is drawn from: every grade of the ranking, returned or missed."""
        return self.grades + self.missed

    @property
    def ideal_ranks(self) -> int:
        """How many ranks of the ideal order are asked for: as many as results, and k where it reaches further."""
        return max(len(self.grades), min(self.k, len(self.judged)))

    def to_json(self) -> dict[str, Any]:
        """The task as JSON knows it; `Task.from_json` reads it back to an equal one."""
        return {
            "grades": _plain(self.grades),
            "missed": _plain(self.missed),
            "k": self.k,
            "queries": [[name, _plain(each)] for name, each in self.queries],
            "rr_k": self.rr_k,
            "gain": str(self.gain),
            "relevant_from": _plain([self.relevant_from])[0],
            "lowest": _plain([self.lowest])[0],
            "highest": _plain([self.highest])[0],
            "scores": _plain(self.scores),
            "listed": _plain(self.listed),
        }

    @classmethod
    def from_json(cls, given: object, *, file: str = "task", line: int | None = None) -> "Task":
        """The task in what `to_json` gave; raises InputError, naming `file`, with every key that cannot be used."""
        if not isinstance(given, Mapping):
            raise InputError([Fault(file, "this is no task", "Give an object with grades, k, queries ...", line=line)])
        known = {each.name for each in fields(cls)}
        needed = ("grades", "missed", "k", "queries", "rr_k")
        faults = [
            Fault(file, "there is no such key", did_you_mean(name, known), line=line, column=name)
            for name in given
            if name not in known
        ]
        faults += [
            Fault(file, "the key is missing", f"Add {name}.", line=line, column=name)
            for name in needed
            if name not in given
        ]
        read: dict[str, Any] = {}
        for name in known & given.keys():
            try:
                read[name] = _READERS[name](given[name])
            except InputError as error:
                faults += error.faults
            except (TypeError, ValueError, OverflowError):
                shown = repr(given[name])
                faults.append(Fault(file, "this cannot be read", _FORMS[name], line=line, column=name, value=shown))
        if faults:
            raise InputError(faults)
        return cls(**read)

    def _all_grades(self) -> Iterator[float]:
        yield from self.judged
        for _, each in self.queries:
            yield from each

    def _faults(self) -> Iterator[Fault]:
        numbers = [*self._number_faults()]
        yield from numbers
        if not self.judged:
            yield Fault("task", "there is no grade, returned or missed", "Give at least one.", column="grades")
        if self.scores and len(self.scores) != len(self.grades):
            problem = f"there are {len(self.scores)} scores for {len(self.grades)} grades"
            yield Fault("task", problem, "Give each result its score, or no scores.", column="scores")
        if self.listed and not numbers and _worth(self.listed) != _worth(self.judged):
            remedy = "List every judged document, with the grade it has above."
            yield Fault(
                "task", "the list holds other grades than results and missed documents", remedy, column="listed"
            )
        for name in ("k", "rr_k"):
            yield from _unusable(name, getattr(self, name), cutoff)
        if not self.queries:
            yield Fault("task", "there is no query", "Give at least one with its grades.", column="queries")
        for name, _ in self.queries:
            yield from name_faults("task", None, "queries", name)
        if not numbers:
            yield from convention_faults("task", self.gain, self.relevant_from, self._all_grades())

    def _number_faults(self) -> Iterator[Fault]:
        listed = [("grades", self.grades), ("missed", self.missed), *self.queries]
        listed += [("scores", self.scores), ("listed", self.listed)]
        single = [(name, (getattr(self, name),)) for name in ("relevant_from", "lowest", "highest")]
        for name, values in [*listed, *single]:
            for value in values:
                yield from _unusable(name, value, grade)


def _unusable(name: str, value: object, understood: Callable[[Any], object]) -> Iterator[Fault]:
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    try:
        understood(number)
    except UnusableError as unusable:
        yield unusable.fault("task", None, name, value)


def _worth(grades: Sequence[float]) -> list[float]:
    return sorted(grade for grade in grades if grade)


def _plain(values: Sequence[float]) -> list[float]:
    """Whole numbers without a decimal point, so that a person can read the file."""
    return [int(value) if float(value).is_integer() else float(value) for value in values]


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def _numbers(value: object) -> tuple[float, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError
    return tuple(map(_number, value))


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    return value


def _queries(value: object) -> Queries:
    if not isinstance(value, list | tuple):
        raise TypeError
    read = []
    for name, grades in value:
        if not isinstance(name, str):
            raise TypeError
        read.append((name, _numbers(grades)))
    return tuple(read)


def _gain(value: object) -> Gain:
    if not isinstance(value, str):
        raise TypeError
    return Gain.parse(value)


_READERS: Mapping[str, Callable[[object], object]] = {
    **dict.fromkeys(("grades", "missed", "scores", "listed"), _numbers),
    **dict.fromkeys(("k", "rr_k"), _whole),
    **dict.fromkeys(("relevant_from", "lowest", "highest"), _number),
    "queries": _queries,
    "gain": _gain,
}

_FORMS: Mapping[str, str] = {
    **dict.fromkeys(("grades", "missed", "scores", "listed"), "Give a list of numbers, as in [2, 0, 3]."),
    **dict.fromkeys(("k", "rr_k"), "Give a whole number, as in 4."),
    **dict.fromkeys(("relevant_from", "lowest", "highest"), "Give a number, as in 1."),
    "queries": 'Give a list of queries with their grades, as in [["q1", [0, 2]]].',
    "gain": "Give linear, exponential, or each grade with its gain.",
}
