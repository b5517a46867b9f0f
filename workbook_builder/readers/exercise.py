"""The exercise as a small TOML file, and the commented file to start from."""

import math
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbook_builder.errors import Fault, InputError, RefusedError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import Exercise
from workbook_builder.readers.text import read_text, shown_name
from workbook_builder.readers.values import UnusableError, convention_faults, cutoff, grade, name_faults, rank
from workbook_builder.suggest import did_you_mean

KEYS = ("grades", "missed", "k", "gain", "relevant_from", "lowest", "highest", "first_relevant")
NONE = "none"
DEFAULT_K = 10

STARTER = """\
# An exercise for workbook-builder. Change it, then: workbook-builder build --input THIS_FILE

# The results of one query in the order the system returned them, each with its grade: 0 is not relevant.
grades = [2, 0, 3, 1, 0, 2]

# The grades of documents that were judged and that the system did not return. They belong to the ideal order.
missed = [3]

# Only the first k results count.
k = 5

# What a grade is worth: "linear" (the grade), "exponential" (2^grade - 1), or each grade's gain, as in "0=0,1=.1,2=1".
gain = "linear"

# The lowest grade that counts as relevant, and the highest grade anyone can give.
relevant_from = 1
highest = 3

# For each query, the rank of its first relevant result, or "none".
[first_relevant]
"reset password" = 1
"export invoices" = 3
"change plan" = 2
"webhook retries" = "none"
"add a user" = 1
"""


def read_exercise(
    path: str | Path, *, k: int | None = None, gain: Gain | None = None, relevant_from: float | None = None
) -> Exercise:
    """An exercise from a TOML file with the keys of `STARTER`; only `grades` must be there, and one grade in all.

    missed defaults to none, k to 10 or the number of results when there are fewer, gain to linear, relevant_from to 1,
    the scale to the grades seen. What is given here overrides the file. Raises InputError with every fault.
    """
    given = {"k": k, "gain": None if gain is None else str(gain), "relevant_from": relevant_from}
    return _Reading(path, {key: value for key, value in given.items() if value is not None}).exercise()


def write_starter(path: str | Path) -> None:
    """Write `STARTER` to a new file; raises RefusedError when there is one, InputError when it cannot be written."""
    target = Path(path)
    if target.exists() or target.is_symlink():
        raise RefusedError(f"{target}: there is such a file already, and it stays as it is. Give another name.")
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        beside.write_text(STARTER, encoding="utf-8")
        beside.replace(target)
    except (OSError, ValueError) as error:
        beside.unlink(missing_ok=True)
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError([Fault(str(target), f"it cannot be written ({said})", "Check the folder.")]) from None


class _Reading:
    """One pass over a file: every key is looked at, and the faults are collected."""

    def __init__(self, path: str | Path, overrides: Mapping[str, object]) -> None:
        self.file = shown_name(path)
        self.text = read_text(path)
        self.faults: list[Fault] = []
        self.overrides = overrides
        self.table = {**self._parsed(), **overrides}

    def exercise(self) -> Exercise:
        for key in self.table:
            if key not in KEYS:
                self.fault("there is no such key", did_you_mean(key, KEYS), key)
        grades = self.grades("grades")
        missed = self.grades("missed")
        if "grades" not in self.table:
            self.faults.append(Fault(self.file, "the grades are missing", "Add a line such as grades = [2, 0, 3]."))
        elif self.table["grades"] == [] and not missed:
            self.fault("there is no grade, returned or missed", "Give at least one.", "grades")
        k = self.cutoff(len(grades))
        gain = self.gain()
        relevant_from = self.number("relevant_from", 1.0)
        scale = [*grades, *missed, *(listed for listed, _ in gain.table)]
        lowest = self.number("lowest", min([0.0, *scale]))
        highest = self.number("highest", max([1.0, *scale]))
        first_relevant = self.first_relevant()
        self._check_scale("lowest", [given for given in (*grades, *missed) if given < lowest])
        self._check_scale("highest", [given for given in (*grades, *missed) if given > highest])
        self.faults += convention_faults(self.file, gain, relevant_from, (*grades, *missed))
        if self.faults:
            raise InputError(self.faults)
        first_relevant = first_relevant or self.only_query(grades, relevant_from)
        return Exercise(grades, missed, k, first_relevant, gain, relevant_from, lowest, highest)

    def fault(self, problem: str, remedy: str, key: str, value: object = None) -> None:
        shown = None if value is None else _as_toml(value)
        if key in self.overrides:
            self.faults.append(Fault(f"--{key.replace('_', '-')}", problem, remedy, value=shown))
        else:
            self.faults.append(Fault(self.file, problem, remedy, line=self.line_of(key), column=key, value=shown))

    def line_of(self, key: str) -> int | None:
        """Where a key stands, when it stands at the start of a line."""
        found = re.search(rf"""^[ \t]*\[?["']?{re.escape(key)}["']?[ \t]*[=\]]""", self.text, re.MULTILINE)
        return self.text.count("\n", 0, found.start()) + 1 if found else None

    def grades(self, key: str) -> tuple[float, ...]:
        given = self.table.get(key, [])
        if not isinstance(given, list):
            self.fault("this is no list of grades", f"Give a list, as in {key} = [2, 0, 3].", key, given)
            return ()
        grades = []
        for at, value in enumerate(given, start=1):
            try:
                grades.append(grade(_number(value)))
            except UnusableError as unusable:
                self.fault(f"{unusable.problem} (number {at} of the list)", unusable.remedy, key, value)
        return tuple(grades)

    def cutoff(self, results: int) -> int:
        if "k" not in self.table:
            return max(1, min(DEFAULT_K, results))
        try:
            return cutoff(self.table["k"])
        except UnusableError as unusable:
            self.fault(unusable.problem, unusable.remedy, "k", self.table["k"])
            return 1

    def gain(self) -> Gain:
        given = self.table.get("gain", "linear")
        if isinstance(given, Mapping):
            given = ",".join(f"{listed}={_as_toml(worth)}" for listed, worth in given.items())
        try:
            if isinstance(given, str):
                return Gain.parse(given)
            self.fault("this is no gain", 'Give "linear", "exponential" or "0=0,1=.1,2=1".', "gain", given)
        except InputError as error:
            for fault in error.faults:
                self.fault(fault.problem, fault.remedy, "gain", fault.value)
        return LINEAR

    def number(self, key: str, default: float) -> float:
        value = _number(self.table.get(key, default))
        try:
            return grade(value)
        except UnusableError:
            self.fault("this is no number that can be used", "Give a number, as in 1.", key, self.table[key])
            return default

    def first_relevant(self) -> tuple[tuple[str, int | None], ...]:
        given = self.table.get("first_relevant", {})
        if not isinstance(given, Mapping):
            remedy = 'Give a table: [first_relevant], then lines such as "a query" = 1.'
            self.fault("this is no table of queries", remedy, "first_relevant", given)
            return ()
        ranks: list[tuple[str, int | None]] = []
        for name, value in given.items():
            self.faults += name_faults(self.file, self.line_of(name), "first_relevant", name)
            if isinstance(value, str) and value.strip().casefold() == NONE:
                ranks.append((name, None))
                continue
            try:
                ranks.append((name, rank(_number(value))))
            except UnusableError as unusable:
                dotted = " Put quotes around a name that holds a dot." if isinstance(value, Mapping) else ""
                self.fault(unusable.problem, f'Give a whole number from 1 up, or "{NONE}".{dotted}', name, value)
        return tuple(ranks)

    def only_query(self, grades: tuple[float, ...], relevant_from: float) -> tuple[tuple[str, int | None], ...]:
        """Without a table of queries, the ranking itself is the one query."""
        first = next((at for at, given in enumerate(grades, start=1) if given >= relevant_from), None)
        return ((Path(self.file).stem or "query", first),)

    def _check_scale(self, end: str, outside: list[float]) -> None:
        if outside:
            side = "below" if end == "lowest" else "above"
            problem = f"the grade {outside[0]:g} is {side} the scale's end"
            self.fault(problem, f"Change the grade, or {end}.", end, self.table[end])

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        at = re.search(r"\(at line (\d+), column \d+\)", said)
        problem = f"this is not TOML: {said[: at.start()].strip() if at else said}"
        remedy = "Compare with the file that `workbook-builder new` writes."
        raise InputError([Fault(self.file, problem, remedy, line=int(at.group(1)) if at else None)])


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _as_toml(value: object) -> str:
    try:
        return str(value).lower() if isinstance(value, bool) else str(value)
    except ValueError:
        # Python shows no number of more than 4,300 digits.
        return "a number of thousands of digits"
