"""The teacher's file of an assignment: every variant with its inputs and answers, and what marking goes by.

It is the only file that knows which student a code stands for.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.homework.steps import STEP_NAMES, Answers
from workbook_builder.homework.task import Task
from workbook_builder.package import write_atomically
from workbook_builder.readers.text import read_text, shown_name
from workbook_builder.suggest import did_you_mean

FORMAT = 1
"""The number of the manifest's layout; a later one is refused, not guessed at."""

WHAT = "workbook-builder homework"
DIGITS = range(2, 7)
"""The decimals an answer may be asked to."""


@dataclass(frozen=True)
class Variant:
    """One student's exercise.

    code: what the workbook shows in place of the student; seed: what its inputs were drawn with; answers: the
    reference's (`steps.right`); file: the workbook's name; checksum: the sha256 of its bytes, in hexadecimal; redraws:
    how many draws before this one could not tell every method apart.
    """

    code: str
    student: str
    seed: int
    task: Task
    answers: Answers
    file: str
    checksum: str
    redraws: int = 0


@dataclass(frozen=True)
class Manifest:
    """An assignment as it was handed out.

    version: of this package when it was made; digits: decimals asked; asked: step names; points: of each step asked;
    typed_weight: the share of a step's points kept where a number was typed and a formula asked, 0 to 1; allowed:
    methods that count as right, as in "exponential"; notes: what reading it has to say, not part of the file.
    """

    assignment: str
    version: str
    salt: str
    variants: tuple[Variant, ...]
    digits: int = 3
    asked: tuple[str, ...] = STEP_NAMES
    points: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(STEP_NAMES, 1.0))
    typed_weight: float = 1.0
    allowed: tuple[str, ...] = ()
    language: str = "en"
    format: int = FORMAT
    notes: tuple[str, ...] = field(default=(), compare=False)

    def by_code(self) -> Mapping[str, Variant]:
        """Every variant by its code."""
        return {variant.code: variant for variant in self.variants}


def write_manifest(path: str | Path, manifest: Manifest) -> None:
    """Write the manifest as JSON, whole or not at all; raises InputError when the place cannot be written to."""
    try:
        write_atomically(Path(path), _text_of(manifest).encode("utf-8"))
    except OSError as error:
        problem = f"it cannot be written ({error.strerror or error})"
        raise InputError([Fault(str(path), problem, "Check the folder.")]) from None


def read_manifest(path: str | Path) -> Manifest:
    """The manifest in a file; raises InputError with every fault.

    A manifest that somebody edited is taken as it is now, and its `notes` say so.
    """
    file, text = shown_name(path), read_text(path)
    try:
        given = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        said = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
        raise InputError([Fault(file, f"this is not JSON: {said}", _WRITE_ANEW, line=line)]) from None
    if not isinstance(given, dict) or given.get("what") != WHAT:
        raise InputError([Fault(file, "this is no manifest of an assignment", _WRITE_ANEW)])
    if isinstance(given.get("format"), int) and given["format"] > FORMAT:
        problem = f"the manifest has format {given['format']}, and this version knows {FORMAT}"
        raise InputError([Fault(file, problem, "Use the newer workbook-builder that wrote it.")])
    reading = _Reading(file)
    manifest = reading.manifest(given)
    if reading.faults or manifest is None:
        raise InputError(reading.faults)
    return manifest


_RESTORE = "Restore it from your copy, or make the assignment anew."
_WRITE_ANEW = "Give the manifest.json that `workbook-builder variants` wrote."


def _content(manifest: Manifest) -> dict[str, Any]:
    return {
        "what": WHAT,
        "format": manifest.format,
        "version": manifest.version,
        "assignment": manifest.assignment,
        "language": manifest.language,
        "salt": manifest.salt,
        "digits": manifest.digits,
        "asked": [*manifest.asked],
        "points": dict(manifest.points),
        "typed_weight": manifest.typed_weight,
        "allowed": [*manifest.allowed],
        "variants": [
            {
                "code": variant.code,
                "student": variant.student,
                "file": variant.file,
                "checksum": variant.checksum,
                # JSON's numbers are doubles to many programs, and a seed has more digits than one holds.
                "seed": str(variant.seed),
                "redraws": variant.redraws,
                "task": variant.task.to_json(),
                "answers": {step: [*values] for step, values in variant.answers.items()},
            }
            for variant in manifest.variants
        ],
    }


def _text_of(manifest: Manifest) -> str:
    """JSON with a line for each key and each variant, so that a person finds a student and a comparison is short."""
    content = _content(manifest)
    content["checksum"] = _checksum(content)
    variants = ",\n  ".join(_json(variant) for variant in content.pop("variants"))
    lines = [f"{_json(key)}: {_json(value)}" for key, value in content.items()]
    lines.insert(-1, f'"variants": [\n  {variants}\n ]')
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _checksum(content: Mapping[str, object]) -> str:
    """Of the meaning, not of the layout: a file that was only formatted anew is unchanged."""
    plain = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


class _Reading:
    """One pass over a manifest: every key is looked at, and the faults are collected."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []

    def manifest(self, given: dict[str, Any]) -> Manifest | None:
        read = self.keys(given, _MANIFEST_KEYS, "", extra=("what", "checksum"))
        listed = given.get("variants")
        variants = tuple(self.variants(listed)) if isinstance(listed, list) else ()
        if not isinstance(listed, list):
            self.fault("there is no list of variants", _RESTORE, "variants", listed)
        self.agree(read.get("asked", ()), read.get("points", {}), variants)
        if self.faults:
            return None
        content = {key: value for key, value in given.items() if key != "checksum"}
        edited = given.get("checksum") != _checksum(content)
        notes = (f"{self.file} was edited after it was written; it counts as it is now.",) if edited else ()
        return Manifest(**read, variants=variants, notes=notes)

    def agree(self, asked: tuple[str, ...], points: Mapping[str, float], variants: tuple[Variant, ...]) -> None:
        """Note what does not go together."""
        for step in asked:
            if step not in points:
                self.fault("a step that is asked for has no points", "Give it points, as in 1.", "points", step)
            for variant in variants:
                if step not in variant.answers:
                    self.fault("a variant has no answer to a step that is asked for", _RESTORE, step, variant.code)
        for name in ("code", "student"):
            for value, count in Counter(getattr(variant, name) for variant in variants).items():
                if count > 1:
                    self.fault(f"{count} variants have this {name}", "Make the assignment anew.", name, value)

    def variants(self, listed: list[Any]) -> Iterator[Variant]:
        for number, given in enumerate(listed, start=1):
            where = f"variants[{number}]."
            if not isinstance(given, dict):
                self.fault("this is no variant", _RESTORE, where[:-1], given)
                continue
            read = self.keys(given, _VARIANT_KEYS, where, extra=("task",))
            try:
                task = Task.from_json(given.get("task"), file=f"{self.file}, {where}task")
            except InputError as error:
                self.faults += error.faults
                continue
            if read.keys() == _VARIANT_KEYS.keys():
                yield Variant(task=task, **read)

    def keys(
        self, given: Mapping[str, Any], known: Mapping[str, "_Form"], where: str, extra: tuple[str, ...]
    ) -> dict[str, Any]:
        read = {}
        for key, (understood, remedy) in known.items():
            if key not in given:
                self.fault("the key is missing", _RESTORE, where + key)
                continue
            try:
                read[key] = understood(given[key])
            except (TypeError, ValueError, OverflowError):
                self.fault("this cannot be used", remedy, where + key, given[key])
        for key in given:
            if key not in known and key not in extra and key != "variants":
                self.fault("there is no such key", did_you_mean(key, [*known, *extra]), where + key)
        return read

    def fault(self, problem: str, remedy: str, column: str, value: object = None) -> None:
        shown = None if value is None else str(value)
        self.faults.append(Fault(self.file, problem, remedy, column=column, value=shown))


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError
    return value


def _digits(value: object) -> int:
    if _count(value) not in DIGITS:
        raise ValueError
    return _count(value)


def _share(value: object) -> float:
    if not 0 <= _points(value) <= 1:
        raise ValueError
    return _points(value)


def _points(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError
    return float(value)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(map(_words, value))


def _steps(value: object) -> tuple[str, ...]:
    steps = _texts(value)
    if not steps or {*steps} - {*STEP_NAMES}:
        raise ValueError
    return steps


def _points_of_steps(value: object) -> Mapping[str, float]:
    if not isinstance(value, dict) or value.keys() - {*STEP_NAMES}:
        raise ValueError
    return {step: _points(points) for step, points in value.items()}


def _answers(value: object) -> Answers:
    if not isinstance(value, dict) or value.keys() - {*STEP_NAMES}:
        raise ValueError
    return {step: tuple(None if cell is None else _points(cell) for cell in cells) for step, cells in value.items()}


def _seed(value: object) -> int:
    return int(_words(value))


_Form = tuple[Callable[[object], object], str]

_A_TEXT: _Form = (_words, "Give a text in quotes.")
_STEPS = f"Give the names of steps: {', '.join(STEP_NAMES)}."

_MANIFEST_KEYS: Mapping[str, _Form] = {
    **dict.fromkeys(("version", "assignment", "language", "salt"), _A_TEXT),
    "format": (_count, f"Give {FORMAT}."),
    "digits": (_digits, f"Give a whole number from {DIGITS[0]} to {DIGITS[-1]}."),
    "asked": (_steps, _STEPS),
    "points": (_points_of_steps, f"Give each step a number from 0 up. {_STEPS}"),
    "typed_weight": (_share, "Give a number from 0 to 1."),
    "allowed": (_texts, 'Give names of methods, as in ["exponential"].'),
}

_VARIANT_KEYS: Mapping[str, _Form] = {
    **dict.fromkeys(("code", "student", "file", "checksum"), _A_TEXT),
    "seed": (_seed, "Give a whole number in quotes."),
    "redraws": (_count, "Give a whole number from 0 up."),
    "answers": (_answers, f"Give each step a list of numbers from 0 up, or null. {_STEPS}"),
}
