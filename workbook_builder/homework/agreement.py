"""When a value somebody wrote is the one asked for, to so many decimals; and what it nearly is."""

import math

EXACT = 1e-9
"""Two numbers that differ less were worked out the same way."""
_MOST = 1e12
"""Beyond this a double has too few decimals left to cut any off."""


def agrees(value: float | None, target: float | None, digits: int) -> bool:
    """Whether a value is the target to so many decimals: within half a unit of the last, or cut off after it.

    None agrees with None only, and NaN, a value that was not given, with nothing.
    """
    if value is None or target is None:
        return value is target
    return abs(value - target) <= 0.5 * 10.0**-digits + EXACT or is_cut_off(value, target, digits)


def is_exactly(value: float | None, target: float | None) -> bool:
    """Whether a value is the target as a formula gives it."""
    if value is None or target is None:
        return value is target
    return math.isclose(value, target, rel_tol=EXACT, abs_tol=EXACT)


def is_cut_off(value: float | None, target: float | None, digits: int) -> bool:
    """Whether a value is the target with the digits after those asked for cut off, where rounding gives another."""
    if value is None or target is None or not abs(value - target) < 10.0**-digits or abs(target) > _MOST:
        return False
    # 1.15 * 100 is a little less than 115, and nothing was cut off from 1.15.
    scaled, whole = value * 10.0**digits, math.trunc(round(target * 10.0**digits, 6))
    return abs(scaled - whole) < 1e-6 and abs(value - target) > 0.5 * 10.0**-digits + EXACT


def is_coarse(value: float | None, target: float | None, digits: int) -> bool:
    """Whether a value is the target rounded to fewer decimals than asked, but to one at least."""
    if value is None or target is None or math.isnan(value) or agrees(value, target, digits):
        return False
    return any(round(value, places) == value == round(target, places) != round(value) for places in range(1, digits))


def is_hundredfold(value: float | None, target: float | None, digits: int) -> bool:
    """Whether a value is the target in per cent, written without the sign."""
    if value is None or not target:
        return False
    return agrees(value / 100, target, digits) and not agrees(value, target, digits)
