"""Mistakes in ranking metrics, computed on purpose: each gives another number than the metric it is taken for.

None of them is used to score anything. Arguments are those of `metrics`.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbook_builder import metrics
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.metrics import Grades


def ndcg_with_exponential_gain(grades: Grades, judged: Grades, k: int) -> float:
    """NDCG with 2^grade - 1 (Burges et al., ICML 2005) where the grade itself (Järvelin and Kekäläinen 2002) is meant.

    Both are metrics of their own; the mistake is to compare one with the other.
    """
    return metrics.ndcg(grades, judged, k, gain=EXPONENTIAL)


def ndcg_with_log2_of_rank(grades: Grades, judged: Grades, k: int, *, gain: Gain = LINEAR) -> float:
    """NDCG with log2(rank) as the discount and rank 1, where that is 0, left undiscounted: rank 2 is worth as much.

    This is the form of Järvelin and Kekäläinen (TOIS 20(4), 2002) with base 2; the metric most tools compute divides
    by log2(rank + 1) instead.
    """
    length = max(len(grades), len(judged))
    return _ndcg(grades, judged, k, np.maximum(np.log2(np.arange(1, length + 1)), 1.0), gain)


def ndcg_with_rank_as_discount(grades: Grades, judged: Grades, k: int, *, gain: Gain = LINEAR) -> float:
    """NDCG that divides by the rank, as reciprocal rank does (Voorhees, TREC-8, 1999): late results count less."""
    return _ndcg(grades, judged, k, np.arange(1.0, max(len(grades), len(judged)) + 1), gain)


def dcg_with_natural_log(grades: Grades, k: int, *, gain: Gain = LINEAR) -> float:
    """DCG with ln(rank + 1): larger by the factor 1 / ln 2, which cancels in NDCG and hides there."""
    return metrics.dcg(grades, k, gain=gain) / math.log(2)


def ndcg_ideal_from_returned(grades: Grades, k: int, *, gain: Gain = LINEAR) -> float:
    """NDCG whose ideal knows only what was returned (Quepid, before its pull request 1242): misses cost nothing."""
    return metrics.ndcg(grades, grades, k, gain=gain)


def ndcg_ideal_from_top_k(grades: Grades, k: int, *, gain: Gain = LINEAR) -> float:
    """NDCG whose ideal knows only the top k: it asks whether they are sorted, not whether they are good."""
    return metrics.ndcg(grades[:k], grades[:k], k, gain=gain)


def ndcg_ideal_uncut(grades: Grades, judged: Grades, k: int, *, gain: Gain = LINEAR) -> float:
    """NDCG that divides DCG@k by the ideal DCG of all ranks: a perfect top k stays below 1."""
    return _ratio(metrics.dcg(grades, k, gain=gain), metrics.idcg(judged, gain=gain))


def ndcg_ideal_perfect(grades: Grades, judged: Grades, k: int, ranks: int, *, gain: Gain = LINEAR) -> float:
    """NDCG whose ideal holds the best grade judged at each of the top k of the ranks: documents that do not exist."""
    best = max([0.0, *judged])
    return _ratio(metrics.dcg(grades, k, gain=gain), metrics.dcg([best] * ranks, k, gain=gain))


def ndcg_binary(grades: Grades, judged: Grades, k: int, *, relevant_from: float) -> float:
    """NDCG with gain 1 for every relevant document: it cannot tell a perfect result from a passable one."""
    return metrics.ndcg(_binary(grades, relevant_from), _binary(judged, relevant_from), k)


def mean_of_answered(ranks: Sequence[int | None]) -> float:
    """MRR without the queries that have no relevant result: the score rises, the system is no better."""
    return metrics.mean(1 / rank for rank in ranks if rank is not None)


def reciprocal_of_mean_rank(ranks: Sequence[int | None]) -> float:
    """1 / the mean first rank of the queries that have one: one late hit outweighs many early ones."""
    found = [rank for rank in ranks if rank is not None]
    return len(found) / sum(found) if found else 0.0


def mean_of_all_reciprocals(grades: Grades, *, relevant_from: float = 1) -> float:
    """The mean of 1 / rank over every relevant result instead of the first: more hits make it smaller."""
    hits = np.flatnonzero(np.asarray(grades, dtype=np.float64) >= relevant_from) + 1
    return metrics.mean((1.0 / hits).tolist())


def _binary(grades: Grades, relevant_from: float) -> list[float]:
    return [1.0 if grade >= relevant_from else 0.0 for grade in grades]


def _ndcg(grades: Grades, judged: Grades, k: int, discounts: NDArray[np.float64], gain: Gain) -> float:
    """NDCG with another discount a rank."""
    ideal = metrics.ideal_order(judged)
    found, best = (gain.of(each[:k]) / discounts[: len(each[:k])] for each in (grades, ideal))
    return _ratio(math.fsum(found.tolist()), math.fsum(best.tolist()))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
