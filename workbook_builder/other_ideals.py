"""Ideal lists that are taken for the one of all judged documents and give another NDCG."""

from collections.abc import Sequence

from workbook_builder import metrics
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.metrics import Grades


def of_retrieved(retrieved: Grades, k: int, *, gain: Gain = LINEAR) -> float:
    """IDCG@k of the documents the run returned; what it missed costs it nothing."""
    return metrics.idcg(retrieved, k, gain=gain)


def of_top(ranked: Sequence[tuple[int, float]], k: int, *, gain: Gain = LINEAR) -> float:
    """IDCG@k of the (rank, grade) pairs within the top k: it asks only whether these k stand in the best order."""
    return metrics.idcg([grade for rank, grade in ranked if rank <= k], k, gain=gain)


def uncut(judged: Grades, *, gain: Gain = LINEAR) -> float:
    """The ideal DCG of all judged documents without a cut at k: k ranks are measured against more than k.

    Quepid's nDCG@10 leaves its ideal uncut; its nDCG_CUT@10 does not.
    """
    return metrics.idcg(judged, gain=gain)


def of_perfect(highest: float, k: int, *, gain: Gain = LINEAR) -> float:
    """The DCG@k of k documents of the highest grade, whether or not the query has so many."""
    return metrics.dcg([highest] * k, k, gain=gain)
