"""The cells of a variant that are asked for, and what each answer to one of them is worth.

An exporter asks `cells` what to accept and never works out a tolerance of its own.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.methods import methods_of
from workbook_builder.homework.steps import STEPS, Track

SAME = 1e-9
"""Values closer than this are one value: they differ by rounding errors only."""
MARGIN = 1e-6
"""How far a tolerance stays away from a value that it must not admit."""

Value = float | None
"""A cell's value; None is the word "none"."""


@dataclass(frozen=True)
class Answer:
    """An answer to a cell: the numbers from `value - tolerance` to `value + tolerance`, or the word "none" (None).

    right: whether it earns the points; methods: the named methods that give it, none for the right way; rounded:
    whether the value is rounded to the digits asked.
    """

    value: Value
    tolerance: float
    right: bool
    methods: tuple[str, ...] = ()
    rounded: bool = True

    def admits(self, given: Value) -> bool:
        """Whether a given value is this answer."""
        if self.value is None or given is None:
            return self.value is given
        return abs(given - self.value) <= self.tolerance


@dataclass(frozen=True)
class Cell:
    """One answer asked for: cell `index` (from 0) of a step, its share of the points, and the answers known.

    The first answer that admits what was given counts; one that none admits is wrong without a name.
    """

    step: str
    index: int
    points: Fraction
    answers: tuple[Answer, ...]

    @property
    def name(self) -> str:
        """The cell's name, unique in its variant: the step, and the cell's number from 1 where it has several."""
        return f"{self.step}_{self.index + 1}"

    @property
    def may_be_none(self) -> bool:
        """Whether the word "none" can be an answer."""
        return self.step == "first_relevant"


def tracks(manifest: Manifest) -> tuple[Track, ...]:
    """The tracks with a step that is asked for, in order."""
    return tuple(dict.fromkeys(step.track for step in STEPS if step.name in manifest.asked))


def cells(manifest: Manifest, variant: Variant, track: Track) -> tuple[Cell, ...]:
    """The cells of a variant that are asked for in a track, step by step.

    The right values are the manifest's (which is `ready`); the wrong methods' are worked out from its inputs.
    """
    asked = [step.name for step in STEPS if step.track == track and step.name in manifest.asked]
    methods = methods_of(variant.task, track)
    values = {name: method.values(variant.task) for name, method in methods.items()}
    found = []
    for step in asked:
        right = variant.answers[step]
        share = Fraction(manifest.points.get(step, 0.0)).limit_denominator(1000) / len(right)
        for index, value in enumerate(right):
            others = {name: given[step][index] for name, given in values.items() if index < len(given.get(step, ()))}
            if step != "first_relevant":
                # Who has nothing to put into a cell may as well write 0.
                others = {name: 0.0 if other is None else other for name, other in others.items()}
            known = answers_of(value, others, manifest.digits, manifest.allowed)
            if step == "first_relevant" and all(answer.value is not None for answer in known):
                # A platform makes a box as wide as the longest answer: it must not tell where "none" is right.
                known += (Answer(None, 0.0, right=False),)
            found.append(Cell(step, index, share, known))
    return tuple(found)


def answers_of(
    right: Value, others: Mapping[str, Value], digits: int, allowed: Sequence[str] = ()
) -> tuple[Answer, ...]:
    """What each answer to a cell is worth: the right ones first, then those of the wrong methods.

    others: method -> its value; allowed: the methods whose values are right too. Right is every number that rounds to
    a right value to the digits asked, except those nearer to a wrong method's value than the digits can tell: the value
    of a wrong method is never admitted, and the right value and the right value rounded always are. (A wrong value that
    is itself the right one rounded cannot be told from it.)
    """
    accepted: dict[Value, tuple[str, ...]] = {right: ()}
    for name in allowed:
        if name in others and not any(_same(others[name], value) for value in accepted):
            accepted[others[name]] = (name,)
    wrong = {name: value for name, value in others.items() if not any(_same(value, each) for each in accepted)}
    found = [
        answer
        for value, names in accepted.items()
        for answer in _around(value, [*wrong.values()], digits, right=True, methods=names)
    ]
    taken = {_rounded(value, digits) for value in accepted}
    groups: dict[Value, list[str]] = {}
    for name, value in wrong.items():
        if (shown := _rounded(value, digits)) not in taken:
            groups.setdefault(shown, []).append(name)
    half = 0.0 if None in groups and len(groups) == 1 else _half(digits)
    found += [
        Answer(shown, 0.0 if shown is None else half, right=False, methods=tuple(names))
        for shown, names in groups.items()
    ]
    return tuple(found)


def _around(
    value: Value, wrong: Sequence[Value], digits: int, *, right: bool, methods: tuple[str, ...]
) -> Iterator[Answer]:
    """The answers that are taken for a value: one, or two where a wrong value lies between it and its rounding."""
    shown = _rounded(value, digits)
    if value is None or shown is None:
        yield Answer(None, 0.0, right, methods)
        return
    numbers = [each for each in wrong if each is not None]
    reach = abs(value - shown)
    limit = min((abs(each - shown) for each in numbers), default=math.inf)
    if limit > reach:
        yield Answer(shown, min(_half(digits), limit - min(MARGIN, (limit - reach) / 2)), right, methods)
        return
    yield Answer(shown, 0.0, right, methods)
    nearest = min(abs(each - value) for each in numbers)
    yield Answer(value, nearest / 2, right, methods, rounded=False)


def _half(digits: int) -> float:
    return 0.5 * 10.0**-digits


def _rounded(value: Value, digits: int) -> Value:
    # Adding 0 turns -0 into 0.
    return None if value is None else round(value, digits) + 0.0


def _same(one: Value, other: Value) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=SAME, abs_tol=SAME)
