"""Whether two systems differ by more than chance: tests on the differences of the same queries' values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 10_000
SEED = 1
BATCH = 500
DECIMALS = 9
"""Values that differ by less are tied: what is left then is the rounding of sums in another order."""


@dataclass(frozen=True)
class Paired:
    """What the differences of one pair say: their mean, its standard error, the interval and the t-test's p.

    `p` is None where every difference is the same: the test divides by their spread.
    """

    wins: int
    ties: int
    losses: int
    difference: float
    error: float
    low: float
    high: float
    p: float | None


def differences(one: Sequence[float], other: Sequence[float], decimals: int = DECIMALS) -> NDArray[np.float64]:
    """Each query's value of one system less the other's, rounded so that equal values are equal."""
    return np.round(np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64), decimals)


def paired(one: Sequence[float], other: Sequence[float], alpha: float = 0.05, decimals: int = DECIMALS) -> Paired:
    """The paired t-test (Student, Biometrika 6(1), 1908), two-sided, with the 1 - alpha interval of the difference.

    Both lists hold the values of the same queries in the same order, at least one.
    """
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415  slow to import, and only needed here

    values = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    rounded = differences(one, other, decimals)
    number = len(rounded)
    mean = math.fsum(one) / number - math.fsum(other) / number
    spread = float(np.std(rounded, ddof=1)) if number > 1 else 0.0
    error = spread / math.sqrt(number) if round(spread, decimals) else 0.0
    reach = float(stdtrit(number - 1, 1 - alpha / 2)) * error if error else 0.0
    p = None
    if error:
        t = math.fsum(values.tolist()) / number / (float(np.std(values, ddof=1)) / math.sqrt(number))
        p = 2 * float(stdtr(number - 1, -abs(t)))
    wins, losses = int(np.count_nonzero(rounded > 0)), int(np.count_nonzero(rounded < 0))
    return Paired(wins, number - wins - losses, losses, mean, error, mean - reach, mean + reach, p)


def randomization(
    one: Sequence[float], other: Sequence[float], *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> float:
    """The two-sided p of Fisher's randomization test on the mean difference (Smucker et al., CIKM 2007).

    Under the null hypothesis the two values of a query could as well be exchanged. With at most `permutations` ways to
    do so all are counted; else as many are drawn, and the observed one is counted among them.
    """
    values = differences(one, other)
    values = values[values != 0]
    if not len(values):
        return 1.0
    observed = abs(float(values.sum()))
    reached = observed * (1 - 1e-9)
    if 2 ** len(values) <= permutations:
        signs = np.array([*product((-1.0, 1.0), repeat=len(values))]).reshape(-1, len(values))
        return float(np.mean(np.abs(signs @ values) >= reached))
    generator = np.random.default_rng(seed)
    width = -(-len(values) // 8)
    extreme = 0
    for start in range(0, permutations, BATCH):
        number = min(BATCH, permutations - start)
        drawn = np.frombuffer(generator.bytes(number * width), dtype=np.uint8).reshape(number, width)
        kept = np.unpackbits(drawn, axis=1)[:, : len(values)]
        # A flipped difference leaves the sum twice, so the sum of those kept says it all.
        sums = 2 * (kept.astype(np.float64) @ values) - values.sum()
        extreme += int(np.count_nonzero(np.abs(sums) >= reached))
    return (extreme + 1) / (permutations + 1)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values corrected for their number (Holm, Scandinavian Journal of Statistics 6(2), 1979)."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for place, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[at]))
        corrected[at] = largest
    return tuple(corrected)
