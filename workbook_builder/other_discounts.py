"""Discounts that are taken for DCG's log2(rank + 1) and give another number."""

import numpy as np
from numpy.typing import NDArray


def log2_of_rank(length: int) -> NDArray[np.float64]:
    """log2(rank) for ranks 1..length: 0 at rank 1, so that dividing a gain by it is impossible there.

    Järvelin and Kekäläinen (TOIS 20(4), 2002) use it with base b for ranks >= b only and leave earlier ranks
    undiscounted; applied to every rank it is an error.
    """
    return np.log2(np.arange(1, length + 1, dtype=np.float64))


def rank_itself(length: int) -> NDArray[np.float64]:
    """The rank for ranks 1..length: the discount of reciprocal rank (Voorhees, TREC-8, 1999), not of DCG."""
    return np.arange(1, length + 1, dtype=np.float64)
