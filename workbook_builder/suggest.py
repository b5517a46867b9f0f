"""Remedies for a name that is nearly right."""

from collections.abc import Iterable
from difflib import get_close_matches

MOST_LISTED = 8


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """The nearest known name as a question, or the first known ones when nothing is near."""
    names = list(known)
    by_folded = {name.casefold(): name for name in names}
    if near := get_close_matches(wrong.casefold(), by_folded, n=1):
        return f"Did you mean {by_folded[near[0]]}?"
    listed = ", ".join(names[:MOST_LISTED])
    return f"Known are {listed}{', ...' if len(names) > MOST_LISTED else ''}."
