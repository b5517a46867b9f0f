"""What can go wrong, said so that the message alone is enough to repair it.

A disagreement between formulas and reference is not here: it is a finding (`balance.Disagreement`), not an error.
"""

from collections.abc import Iterable
from dataclasses import dataclass

SHOWN_FAULTS = 20

DISAGREES, UNREADABLE = 1, 2
"""What the command line ends with: a formula and the reference differ; something cannot be read or done."""


class WorkbookBuilderError(Exception):
    """Base of every error this package raises on purpose; its text is meant for the user.

    `exit_code` is what the command line ends with.
    """

    exit_code = UNREADABLE


@dataclass(frozen=True)
class Fault:
    """One thing wrong with something the user gave.

    `problem` says what was found, `remedy` what to do about it; `line` counts from 1; `column` is a field's name or a
    cell's address; `value` is the text as given.
    """

    file: str
    problem: str
    remedy: str
    line: int | None = None
    column: str | None = None
    value: str | None = None

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place += f", line {self.line}"
        if self.column is not None:
            place += f", {self.column}"
        found = self.problem if self.value is None else f"{self.problem}: {_quoted(self.value)}"
        return f"{place}: {found}. {self.remedy}"


class InputError(WorkbookBuilderError):
    """Every fault of one input, so that it is repaired in one go."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [str(fault) for fault in self.faults[:SHOWN_FAULTS]]
        if len(self.faults) > SHOWN_FAULTS:
            lines.append(f"... and {len(self.faults) - SHOWN_FAULTS} more")
        return "\n".join(lines)


class TemplateError(WorkbookBuilderError):
    """A lesson, a text or a style says something that cannot be built."""


class EngineError(WorkbookBuilderError):
    """A formula engine is missing or failed; the text says how to get or mend it."""


class RefusedError(WorkbookBuilderError):
    """Something would be lost; the text says which option allows it."""


def _quoted(value: str, most: int = 80) -> str:
    shown = value if len(value) <= most else value[: most - 1] + "…"
    return '"' + shown.encode("unicode_escape").decode("ascii") + '"' if not shown.isprintable() else f'"{shown}"'
