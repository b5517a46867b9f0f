"""What a grade is worth: linear, exponential or a table of one's own."""

import math
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from workbook_builder.errors import Fault, InputError

Doubles: TypeAlias = "array[float]"
"""Doubles in a row, as the standard library packs them: they need no NumPy, whose import takes a quarter second."""

Kind = Literal["linear", "exponential", "table"]


@dataclass(frozen=True)
class Gain:
    """A gain function. A negative grade is worth 0 unless a table lists it.

    linear: the grade itself (Järvelin and Kekäläinen 2002); exponential: 2^grade - 1 (Burges et al. 2005); table: the
    listed gain of each grade, fractions allowed. Its text (`str`) reads back with `Gain.parse`.
    """

    kind: Kind = "linear"
    table: tuple[tuple[float, float], ...] = ()

    def of(self, grades: Iterable[float]) -> Doubles:
        """The gain of each grade. Raises InputError for a grade the table does not list."""
        if self.kind == "table":
            return self._listed([float(grade) for grade in grades])
        positive = [max(float(grade), 0.0) for grade in grades]
        return array("d", positive if self.kind == "linear" else list(map(_exponential, positive)))

    def _listed(self, grades: list[float]) -> Doubles:
        worth = dict(self.table)
        if unlisted := sorted({grade for grade in grades if grade >= 0 and grade not in worth}):
            raise InputError(
                Fault(
                    "gain table",
                    "no gain is given for the grade",
                    f"Add it, as in --gain {self},{grade:g}=0.",
                    value=f"{grade:g}",
                )
                for grade in unlisted
            )
        return array("d", [worth.get(grade, 0.0) for grade in grades])

    @classmethod
    def parse(cls, text: str) -> "Gain":
        """Read `linear`, `exponential` or `grade=gain,grade=gain,...`; raises InputError with the remedy."""
        if text in ("linear", "exponential"):
            return cls("linear" if text == "linear" else "exponential")
        pairs: dict[float, float] = {}
        for part in text.split(","):
            grade, separator, worth = part.partition("=")
            try:
                key, value = float(grade), float(worth)
                usable = (
                    bool(separator) and math.isfinite(key) and math.isfinite(value) and value >= 0 and key not in pairs
                )
            except ValueError:
                usable = False
            if not usable:
                remedy = "Give linear, exponential, or each grade once with its gain >= 0, as in 0=0,1=.01,2=.1,3=1."
                raise InputError([Fault("--gain", "not a gain", remedy, value=part if "=" in text else text)])
            pairs[key] = value
        return cls("table", tuple(sorted(pairs.items())))

    def __str__(self) -> str:
        if self.kind != "table":
            return self.kind
        return ",".join(f"{_exact(grade)}={_exact(worth)}" for grade, worth in self.table)


def _exponential(grade: float) -> float:
    """2^grade - 1 for a grade >= 0; infinite, as spreadsheets overflow there too, from 2^1024 on."""
    return 2.0**grade - 1.0 if grade < sys.float_info.max_exp else math.inf


def _exact(number: float) -> str:
    """The shortest text that reads back as the number."""
    return repr(float(number)).removesuffix(".0")


LINEAR = Gain()
EXPONENTIAL = Gain("exponential")
