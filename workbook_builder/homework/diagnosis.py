"""Why a step's values are what they are: right, right from earlier values, or those of a wrong method with a name.

A value is compared to the digits asked, but an exact equality goes before one that only shows the same digits. A step
gets a name only when exactly one method, or one pair of methods, explains all that was given for it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from workbook_builder.homework.agreement import agrees, is_coarse, is_cut_off, is_exactly, is_hundredfold
from workbook_builder.homework.carried import READS, Values, from_own, is_given, is_missing, leads_nowhere
from workbook_builder.homework.finding import Finding, Remark, Status
from workbook_builder.homework.methods import Method, methods_of, together
from workbook_builder.homework.steps import STEP_NAMES, STEPS, Answers, right
from workbook_builder.homework.task import Task
from workbook_builder.homework.ways import RIGHT

_TRACKS = {step.name: step.track for step in STEPS}
_NEARLY: Mapping[Remark, Callable[[float | None, float | None, int], bool]] = {
    "coarse": is_coarse,
    "hundredfold": is_hundredfold,
}


def diagnose(
    task: Task, own: Answers, *, asked: Sequence[str] = STEP_NAMES, digits: int = 3, allowed: Sequence[str] = ()
) -> Mapping[str, Finding]:
    """What is known of each step asked for, in order.

    own: step -> somebody's values, NaN where none was given, None for "there is none"; a step may be absent. digits:
    decimals asked for; allowed: wrong methods of `METHODS` that count as right here.
    """
    found: dict[str, Finding] = {}
    shown = {
        step: _as_long_as(own[step], _right(task)[step])
        for step in STEP_NAMES
        if step in asked and is_given(own.get(step, ()))
    }
    for step in STEP_NAMES:
        if step in asked:
            found[step] = _Case(task, shown, step, digits, tuple(allowed), tuple(found.values())).finding()
            if found[step].methods and step in shown:
                shown[step] = _left_empty(task, shown[step], found[step])
    return found


def _left_empty(task: Task, values: Values, finding: Finding) -> Values:
    """The values, None where the method behind them has nothing to put: what follows from there may be empty too."""
    track = _single(task)
    by_method = together(task, [track[name][0] for name in finding.methods]).get(finding.step, values)
    return tuple(
        None if is_missing(value) and meant is None else value for value, meant in zip(values, by_method, strict=True)
    )


def _as_long_as(values: Values, target: Values) -> Values:
    """The values, as many as there should be: cells may have been deleted or inserted."""
    return (*values[: len(target)], *[math.nan] * (len(target) - len(values)))


@lru_cache(maxsize=64)
def _right(task: Task) -> Answers:
    return right(task)


@lru_cache(maxsize=64)
def _single(task: Task) -> Mapping[str, tuple[Method, Answers]]:
    return {name: (method, method.values(task)) for name, method in methods_of(task).items()}


@dataclass(frozen=True)
class _Case:
    """One step of one submission; `before` is what was found of the steps before it."""

    task: Task
    own: Answers
    step: str
    digits: int
    allowed: tuple[str, ...]
    before: tuple[Finding, ...]

    def finding(self) -> Finding:
        if self.step not in self.own:
            return Finding(self.step, "blank", ok=(False,) * len(self.target))
        fits = self.fits(self.target)
        if all(fits):
            cut = any(is_cut_off(*pair, self.digits) for pair in zip(self.values, self.target, strict=True))
            return Finding(self.step, "right", ok=fits, remark="cut_off" if cut else "")
        return self.accepted() or self.followed(fits) or self.explained(fits)

    @property
    def values(self) -> Values:
        return self.own[self.step]

    @property
    def target(self) -> Values:
        return _right(self.task)[self.step]

    @property
    def track_findings(self) -> list[Finding]:
        return [each for each in self.before if _TRACKS[each.step] == _TRACKS[self.step]]

    @property
    def already(self) -> frozenset[str]:
        """The methods that earlier steps of the track were explained by and lost points for."""
        return frozenset(name for each in self.track_findings if each.status == "wrong" for name in each.methods)

    def fits(self, target: Values, *, exact: bool = False) -> tuple[bool, ...]:
        """Per cell, whether it has the target's value. A method's empty cell is left blank or filled with 0."""
        if len(target) != len(self.values):
            return (False,) * len(self.values)
        return tuple(self._fit(*pair, exact=exact) for pair in zip(self.values, target, strict=True))

    def _fit(self, value: float | None, target: float | None, *, exact: bool) -> bool:
        if target is None and self.step != "first_relevant":
            return value == 0 or value is None or math.isnan(value)
        return is_exactly(value, target) if exact else agrees(value, target, self.digits)

    def accepted(self) -> Finding | None:
        """Right by a convention that counts as right here, from the inputs or from somebody's own values."""
        for name in self.allowed:
            if name not in _single(self.task):
                continue
            method, values = _single(self.task)[name]
            if self.step in values and all(fits := self.fits(values[self.step])):
                return Finding(self.step, "accepted", (name,), fits)
            target = self.worked_out([method])
            if self.step in READS and all(fits := self.fits(target)):
                others = [self.target, *self.carried()]
                if not any(_same(target, other) for other in others) and not self.leads_nowhere(target):
                    return Finding(self.step, "carried", (name,), fits)
        return None

    def followed(self, fits: tuple[bool, ...]) -> Finding | None:
        """Right from earlier values."""
        if self.step not in READS:
            return None
        for target in self.carried():
            follows = self.fits(target)
            if not all(a or b for a, b in zip(fits, follows, strict=True)):
                continue
            read = [each for each in self.before if each.step in READS[self.step]]
            if read and all(each.status in ("right", "accepted") for each in read):
                if len({each.methods for each in read}) > 1:
                    return Finding(self.step, "wrong", ok=fits, remark="mixed")
                # Nothing earlier is wrong, so what differs are the digits that were left out on the way.
                return Finding(self.step, "right", ok=(True,) * len(fits), remark="rounded")
            if self.leads_nowhere(target):
                return replace(self.explained(fits), status="nowhere", ok=fits)
            return Finding(self.step, "carried", ok=(True,) * len(fits))
        return None

    def leads_nowhere(self, target: Values) -> bool:
        return leads_nowhere(self.task, self.own, self.step, target)

    def carried(self) -> Iterator[Values]:
        """What the step comes to from earlier values; cells that were not given are passed over, or taken as right."""
        yield from_own(self.task, self.own, self.step)
        if any(is_missing(value) for name in READS[self.step] for value in self.own.get(name, ())):
            filled = {
                name: tuple(
                    known if is_missing(value) else value
                    for value, known in zip(self.own[name], _right(self.task)[name], strict=True)
                )
                for name in READS[self.step]
                if name in self.own
            }
            yield from_own(self.task, filled, self.step)

    def worked_out(self, chosen: Iterable[Method]) -> Values:
        """The step in the way of some methods, from somebody's own earlier values."""
        way = replace(RIGHT, **{field: option for method in chosen for field, option in method.choices})
        return from_own(self.task, self.own, self.step, way)

    def explained(self, fits: tuple[bool, ...]) -> Finding:
        """The one method that gives all values, else what they nearly are, else the one pair that gives them.

        Else the one method that gives those that are wrong.
        """
        track = [method for method, _ in _single(self.task).values() if method.track == _TRACKS[self.step]]
        status: Status = "partly" if any(fits) else "wrong"
        for chosen in ([[each] for each in track], _pairs(track)):
            names = self.behind_all(chosen, fits)
            if len(names) == 1:
                return self.named(names[0], fits)
            if names:
                return Finding(self.step, "wrong", (), (False,) * len(fits), "several", names)
            if nearly := self.nearly(fits):
                return Finding(self.step, status, (), fits, nearly)
        names = self.behind_wrong_cells(track, fits) if len(fits) > 1 else ()
        return Finding(self.step, status, names[0] if names else (), fits, "some_cells" if names else "")

    def nearly(self, fits: tuple[bool, ...]) -> Remark:
        """What all values are that are neither right nor missing."""
        for remark, check in _NEARLY.items():
            near = [check(*pair, self.digits) for pair in zip(self.values, self.target, strict=True)]
            if any(near) and all(a or b or is_missing(c) for a, b, c in zip(fits, near, self.values, strict=True)):
                return remark
        return ""

    def named(self, names: tuple[str, ...], fits: tuple[bool, ...]) -> Finding:
        if {*names} <= self.already and not self.leads_nowhere(self.values):
            return Finding(self.step, "again", names, tuple(not is_missing(value) for value in self.values))
        return Finding(self.step, "wrong", names, (False,) * len(fits))

    def behind_all(self, candidates: Sequence[Sequence[Method]], fits: tuple[bool, ...]) -> tuple[tuple[str, ...], ...]:
        """The names of those that give every value there is, one wrong value at least: one of them, or all alike."""
        matches: dict[tuple[str, ...], bool] = {}
        given = [not is_missing(value) for value in self.values]
        for chosen in candidates:
            names = tuple(method.name for method in chosen)
            for target in self.targets(chosen):
                same = self.fits(target)
                wrong = any(a and there and not fit for a, there, fit in zip(same, given, fits, strict=True))
                if wrong and self._all_given(same, given):
                    exact = self._all_given(self.fits(target, exact=True), given)
                    matches[names] = matches.get(names, False) or exact
        for kept in (
            [names for names, exact in matches.items() if exact],
            [names for names in matches if {*names} <= self.already],
            [names for names in matches if {*names} & self.already],
        ):
            if len(kept) == 1:
                return (kept[0],)
        return tuple(matches)

    def _all_given(self, fits: Sequence[bool], given: Sequence[bool]) -> bool:
        return all(fit or not there for fit, there in zip(fits, given, strict=True))

    def targets(self, chosen: Sequence[Method]) -> Iterator[Values]:
        """What some methods at once make of the step, unless it is what the right way or one of them alone gives.

        Two at once would show in the steps it was worked out from: where those were given, only they count.
        """
        if len(chosen) == 1:
            values = _single(self.task)[chosen[0].name][1]
        else:
            shown = self.step in READS and all(name in self.own for name in READS[self.step])
            values = {} if shown else together(self.task, chosen)
        without = [self.target, *self.carried()] if self.step in READS else [self.target]
        if len(chosen) > 1:
            without += [_single(self.task)[each.name][1].get(self.step, self.target) for each in chosen]
            without += [self.worked_out([each]) for each in chosen]
        for target in (values.get(self.step), self.worked_out(chosen)):
            if target is not None and not any(_same(target, other) for other in without):
                yield target

    def behind_wrong_cells(self, track: Sequence[Method], fits: tuple[bool, ...]) -> tuple[tuple[str, ...], ...]:
        """The one method that gives every value there is that is not right, if there is just one."""
        passed = [fit or is_missing(value) for fit, value in zip(fits, self.values, strict=True)]
        if all(passed):
            return ()
        names = {
            (method.name,)
            for method in track
            for target in self.targets([method])
            if all(done or same for done, same in zip(passed, self.fits(target), strict=True))
        }
        return tuple(names) if len(names) == 1 else ()


def _pairs(track: Sequence[Method]) -> list[list[Method]]:
    """Every two methods that make different choices."""
    return [
        [one, other]
        for one, other in combinations(track, 2)
        if not {field for field, _ in one.choices} & {field for field, _ in other.choices}
    ]


def _same(one: Values, other: Values) -> bool:
    return len(one) == len(other) and all(is_exactly(*pair) for pair in zip(one, other, strict=True))
