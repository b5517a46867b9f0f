"""What somebody put into an answer cell, understood: numbers as people write them, words for "none", all else."""

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from workbook_builder.readers.values import number
from workbook_builder.text import languages

Kind = Literal["blank", "number", "none", "text", "error", "boolean"]

ERRORS = frozenset(
    ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!", "#CIRC!", "#ERROR!")
)
_PERCENT = re.compile(r"^(.*?)\s*%$")
_SPACES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2212": "-"})
_REFERENCE = re.compile(r"(?<![\w.$])(?!(?:TRUE|FALSE)\b)[A-Za-z_$][\w.$]*(?![\w.$(])", re.IGNORECASE)
"""A cell or a name in a formula, but no function."""
_QUOTED = re.compile(r'"[^"]*"')


@dataclass(frozen=True)
class Answer:
    """One answer cell.

    cell: its place, as in Sheet!B4; kind: what stands there once everything is recalculated; value: the number when it
    is one, NaN when none could be understood, None when the answer is that there is none; shown: its text as found;
    formula: the formula's text, None when the content was typed.
    """

    cell: str
    kind: Kind
    value: float | None = math.nan
    shown: str = ""
    formula: str | None = None

    @property
    def typed(self) -> bool:
        """Whether it is a number that nothing in the sheet leads to: typed, or a formula that reads no cell."""
        if self.kind not in ("number", "none"):
            return False
        # A formula that shares its text with another cell's has none of its own.
        return self.formula is None or not (self.formula == "=" or _REFERENCE.search(_QUOTED.sub("", self.formula)))


def understood(cell: str, value: object, formula: str | None, *, may_be_none: bool = False) -> Answer:
    """An answer cell's content; `may_be_none` for an answer that can be that there is no relevant result.

    There a word for none, a dash, 0 (no result has that rank) and #N/A (what MATCH gives) all say none.
    """
    shown = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value).strip()
    if value is None or shown == "":
        # A formula that shows an empty text says that there is nothing.
        kind: Kind = "none" if may_be_none and formula is not None else "blank"
        return Answer(cell, kind, None if kind == "none" else math.nan, shown, formula)
    if isinstance(value, bool):
        return Answer(cell, "boolean", math.nan, shown.upper(), formula)
    if may_be_none and (shown.casefold() in _none_words() or shown == "#N/A" or shown in ("0", "-0")):
        return Answer(cell, "none", None, shown, formula)
    if shown in ERRORS:
        return Answer(cell, "error", math.nan, shown, formula)
    found = float(value) if isinstance(value, int | float) else read_number(shown)
    if found is None or not math.isfinite(found):
        return Answer(cell, "text", math.nan, shown, formula)
    return Answer(cell, "number", found, shown, formula)


def read_number(text: str) -> float | None:
    """A number as people write it: 0.55, 0,55, .55, 55 %, 55,04 %; None for any other text."""
    plain = text.translate(_SPACES).strip()
    scale = 1.0
    if match := _PERCENT.match(plain):
        plain, scale = match[1], 0.01
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", plain):
        return None
    value = number(plain)
    # 55 % is 0.55 and not 55 times the double next to 0.01.
    return None if value is None else value if scale == 1.0 else value / 100


@cache
def _none_words() -> frozenset[str]:
    """The words for "none" in every language, and the signs used for it."""
    words = {text.get("words", "none").casefold() for text in languages().values()}
    for text in languages().values():
        words |= {word.casefold() for word in text.lines("mark", "none_words")}
    return frozenset(words)
