"""The reference: ranking metrics as the literature defines them, in plain Python.

This is the second book of the double entry. It knows nothing of sheets, lessons or formulas; the first book, the
formulas in the lessons, is written apart from it and only shares its names.

Arguments that recur:

grades
    The grades of the returned documents in rank order, rank 1 first; an unjudged document has grade 0.
judged
    The grades of every judged document of the query, returned or not, in any order.
k
    The cut-off, a whole number >= 1; None means the whole list.
gain
    What a grade is worth (`Gain`).
relevant_from
    The lowest grade that counts as relevant.

Every metric is a float >= 0; NDCG, reciprocal rank, precision, recall and average precision are at most 1. Sums are
rounded once (`math.fsum`), so that a result of grade 0 more or less cannot move an ideal ranking's NDCG off 1. A
cut-off below 1 is a ValueError.
"""

import math
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from workbook_builder.gain import LINEAR, Doubles, Gain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Grades: TypeAlias = "Sequence[float] | NDArray[np.float64]"


def discounts(length: int) -> Doubles:
    """log2(rank + 1) for ranks 1..length: what a gain is divided by.

    Järvelin and Kekäläinen 2002 in the form of Burges et al. 2005, which discounts rank 2 as well.
    """
    return array("d", [math.log2(rank + 1) for rank in range(1, length + 1)])


def discounted_gains(grades: Grades, *, gain: Gain = LINEAR) -> Doubles:
    """The gain at each rank divided by its discount, one value a rank."""
    gains = gain.of(grades)
    return array("d", [worth / discount for worth, discount in zip(gains, discounts(len(gains)), strict=True)])


def dcg(grades: Grades, k: int | None = None, *, gain: Gain = LINEAR) -> float:
    """Discounted cumulative gain of ranks 1..k (Järvelin and Kekäläinen, TOIS 20(4), 2002)."""
    return math.fsum(discounted_gains(grades[: _cut(k)], gain=gain))


def ideal_order(judged: Grades) -> Doubles:
    """The judged grades, high to low: the best order any system could return."""
    return array("d", sorted(judged, reverse=True))


def idcg(judged: Grades, k: int | None = None, *, gain: Gain = LINEAR) -> float:
    """Ideal DCG: the DCG@k of every judged document, those the run missed included, ordered by grade."""
    return dcg(ideal_order(judged), k, gain=gain)


def ndcg(grades: Grades, judged: Grades, k: int | None = None, *, gain: Gain = LINEAR) -> float:
    """Normalised DCG: DCG@k / IDCG@k, and 0 when nothing judged has a gain."""
    ideal = idcg(judged, k, gain=gain)
    return dcg(grades, k, gain=gain) / ideal if ideal > 0 else 0.0


def first_relevant_rank(grades: Grades, *, relevant_from: float = 1) -> int | None:
    """The rank of the first relevant document, None when there is none."""
    return next((rank for rank, grade in enumerate(grades, start=1) if grade >= relevant_from), None)


def reciprocal(rank: int | None, k: int | None = None) -> float:
    """1 / rank of the first relevant document; 0 when there is none, or none within the top k."""
    _cut(k)
    return 0.0 if rank is None or (k is not None and rank > k) else 1.0 / rank


def reciprocal_rank(grades: Grades, k: int | None = None, *, relevant_from: float = 1) -> float:
    """Reciprocal rank of one query (Voorhees, TREC-8 question answering track, 1999)."""
    return reciprocal(first_relevant_rank(grades, relevant_from=relevant_from), k)


def mean_reciprocal_rank(rankings: Iterable[Grades], k: int | None = None, *, relevant_from: float = 1) -> float:
    """MRR: the mean reciprocal rank over all queries; a query without a hit stays in the mean as 0."""
    return mean(reciprocal_rank(grades, k, relevant_from=relevant_from) for grades in rankings)


def precision(grades: Grades, k: int | None = None, *, relevant_from: float = 1) -> float:
    """Relevant documents in the top k, divided by k (also when fewer than k were returned).

    Without k the number returned is the divisor; an empty list scores 0.
    """
    top = grades[: _cut(k)]
    divisor = len(grades) if k is None else k
    return _relevant(top, relevant_from) / divisor if divisor else 0.0


def recall(grades: Grades, judged: Grades, k: int | None = None, *, relevant_from: float = 1) -> float:
    """Relevant documents in the top k, divided by all relevant ones judged; 0 when there are none."""
    top, relevant = grades[: _cut(k)], _relevant(judged, relevant_from)
    return _relevant(top, relevant_from) / relevant if relevant else 0.0


def average_precision(grades: Grades, judged: Grades, k: int | None = None, *, relevant_from: float = 1) -> float:
    """The mean, over all relevant documents judged, of the precision at each one's rank; a missed one counts 0."""
    top, relevant = grades[: _cut(k)], _relevant(judged, relevant_from)
    if not relevant:
        return 0.0
    hits = [rank for rank, grade in enumerate(top, start=1) if grade >= relevant_from]
    return math.fsum(found / rank for found, rank in enumerate(hits, start=1)) / relevant


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean over a fixed set of queries; 0 for an empty set."""
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else 0.0


def _relevant(grades: Grades, relevant_from: float) -> int:
    return sum(1 for grade in grades if grade >= relevant_from)


def _cut(k: int | None) -> int | None:
    if k is not None and k < 1:
        raise ValueError(f"k is {k}; a cut-off is a whole number >= 1, or None for the whole list")
    return k
