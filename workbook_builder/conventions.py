"""One judged ranking, scored as other tools score it. Every function cites the source whose arithmetic it follows.

All of them take the grades in rank order and the grades of every judged document; a grade below 0 is worth nothing
(several of these tools refuse it). `TOOLS` says in which conventions each tool parts from this package's definitions.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from workbook_builder import metrics
from workbook_builder.gain import EXPONENTIAL, LINEAR
from workbook_builder.metrics import Grades

Scores = Sequence[float | None]
DECIMALS = 6
"""Numbers that differ less than this many decimals show are taken for equal before one is rounded down."""


@dataclass(frozen=True)
class Ranking:
    """What a tool is given: returned grades and their scores in rank order, the judged pool and the cut-off."""

    grades: Grades
    scores: Scores
    judged: Grades
    k: int
    returned: int
    """How many results there are: fewer than the grades where the last ranks are empty."""


def trec_eval(ranking: Ranking) -> float:
    """trec_eval's ndcg_cut, as it prints it: 4 decimals.

    m_ndcg_cut.c: the gain is the grade, the discount log2(rank + 1), the ideal every judged document cut at k. A run
    is sorted by score and ties by document id, descending (form_res_rels.c). A query the run lacks is left out of the
    mean unless -c is given.
    """
    return rounded(metrics.ndcg(ranking.grades, ranking.judged, ranking.k), 4)


def beir(ranking: Ranking) -> float:
    """BEIR's NDCG@k: trec_eval's through pytrec_eval, the mean over the queries the run holds, 5 decimals.

    beir/retrieval/evaluation.py, EvaluateRetrieval.evaluate. Here for a mean over one query.
    """
    return rounded(metrics.ndcg(ranking.grades, ranking.judged, ranking.k), 5)


def scikit_learn(ranking: Ranking) -> float:
    """ndcg_score of scikit-learn: it knows only documents that have a score, and averages over the orders of ties.

    sklearn/metrics/_ranking.py, _ndcg_sample_scores and _tie_averaged_dcg (McSherry and Najork, ECIR 2008); gain is
    the grade. A missed document has no score, so it is not in the ideal.
    """
    averaged = tie_averaged(LINEAR.of(ranking.grades).tolist(), ranking.scores)
    return _ratio(metrics.dcg(averaged, ranking.k), metrics.idcg(ranking.grades, ranking.k))


def elasticsearch(ranking: Ranking) -> float:
    """Elasticsearch rank_eval's dcg with "normalize": exponential gain, the ideal cut at the hits returned.

    DiscountedCumulativeGain.java: few hits make a short ideal, and one perfect hit scores 1. Pull request 154362,
    which would cut the ideal at k, was open when this was written.
    """
    hits = min(ranking.k, ranking.returned)
    found = metrics.dcg(ranking.grades, ranking.k, gain=EXPONENTIAL)
    return _ratio(found, metrics.dcg(metrics.ideal_order(ranking.judged)[:hits], gain=EXPONENTIAL))


def quepid_ndcg(ranking: Ranking) -> float:
    """Quepid's nDCG@10 at k: exponential gain, the ideal of all rated documents and all ranks, not cut at k.

    db/scorers/ndcg@10.js since pull request 1242 (2025); its ideal DCG runs to the ideal's own length.
    """
    found = metrics.dcg(ranking.grades, ranking.k, gain=EXPONENTIAL)
    return _ratio(found, metrics.idcg(ranking.judged, gain=EXPONENTIAL))


def quepid_ndcg_cut(ranking: Ranking) -> float:
    """Quepid's nDCG_CUT@10 at k: exponential gain, the ideal of all rated documents cut at k.

    db/scorers/ndcg_cut@10.js.
    """
    return metrics.ndcg(ranking.grades, ranking.judged, ranking.k, gain=EXPONENTIAL)


def rre(ranking: Ranking) -> float:
    """The NDCG@k of the Rated Ranking Evaluator: every discounted gain and the quotient rounded down to 2 decimals.

    NDCGAtK.java: the grade as gain since pull request 254 (2025), 2^grade - 1 before; the first result's gain is not
    rounded, the first one of the ideal is.
    """
    found, best = rre_parts(ranking)
    return rounded_down(_ratio(found, best))


def rre_parts(ranking: Ranking) -> tuple[float, float]:
    """DCG@k and IDCG@k of `rre`, from terms rounded down."""
    found = rre_terms(ranking.grades, first_exact=True)[: ranking.k]
    best = rre_terms(metrics.ideal_order(ranking.judged), first_exact=False)[: ranking.k]
    return math.fsum(found), math.fsum(best)


def rre_terms(grades: Grades, *, first_exact: bool) -> list[float]:
    """The discounted gains of `rre`, one a rank."""
    terms = metrics.discounted_gains(grades).tolist()
    return [term if first_exact and rank == 1 else rounded_down(term) for rank, term in enumerate(terms, 1)]


def opensearch(ranking: Ranking) -> float:
    """The NDCG@k of OpenSearch's search-relevance plugin: exponential gain, all judged, cut at k, 2 decimals.

    metrics/calculator/Evaluation.java, calculateNDCGAtK.
    """
    return rounded(metrics.ndcg(ranking.grades, ranking.judged, ranking.k, gain=EXPONENTIAL), 2)


def precision_of_returned(grades: Grades, k: int, returned: int, *, relevant_from: float = 1) -> float:
    """Relevant results in the top k divided by min(k, returned): a short list is not punished.

    OpenSearch (Evaluation.java, calculatePrecisionAtK, which then rounds to 2 decimals), Elasticsearch
    (PrecisionAtK.java counts the hits it got), Quepid (db/scorers/p@10.js) and RRE (PrecisionAtK.java).
    """
    divisor = min(k, returned)
    return metrics.precision(grades, k, relevant_from=relevant_from) * k / divisor if divisor else 0.0


def tie_averaged(gains: Sequence[float], scores: Scores) -> list[float]:
    """Each gain replaced by the mean gain of the results with the same score: the mean over all orders of ties.

    McSherry and Najork, ECIR 2008. A result without a score ties with none.
    """
    groups = {score: [gain for gain, other in zip(gains, scores, strict=True) if other == score] for score in {*scores}}
    return [gain if score is None else metrics.mean(groups[score]) for gain, score in zip(gains, scores, strict=True)]


def rounded(value: float, places: int) -> float:
    """A number as printed with so many decimals, halves away from 0."""
    return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def rounded_down(value: float) -> float:
    """A number with 2 decimals, rounded down; one that only lacks the rounding of its own bits is not."""
    return math.floor(rounded(value * 100, DECIMALS)) / 100


GainRule = Literal["own", "grade", "power"]
PoolRule = Literal["all_judged", "returned_only"]
CutRule = Literal["at_k", "at_hits", "uncut"]
TieRule = Literal["by_id", "averaged", "as_searched"]
MissingRule = Literal["counts_0", "left_out"]
PrecisionRule = Literal["by_k", "by_returned", "no_precision"]
RoundingRule = Literal["unrounded", "four_decimals", "five_decimals", "two_decimals", "two_down"]


@dataclass(frozen=True)
class Tool:
    """The conventions of a tool, in the order in which they are applied, and the function that scores as it does."""

    gain: GainRule
    pool: PoolRule
    cut: CutRule
    ties: TieRule
    missing: MissingRule
    precision: PrecisionRule
    rounding: RoundingRule
    ndcg: Callable[[Ranking], float] | None = None


TOOLS: Mapping[str, Tool] = {
    "default": Tool("own", "all_judged", "at_k", "by_id", "counts_0", "by_k", "unrounded"),
    "trec_eval": Tool("grade", "all_judged", "at_k", "by_id", "left_out", "by_k", "four_decimals", trec_eval),
    "scikit_learn": Tool(
        "grade", "returned_only", "at_k", "averaged", "left_out", "no_precision", "unrounded", scikit_learn
    ),
    "elasticsearch": Tool(
        "power", "all_judged", "at_hits", "as_searched", "counts_0", "by_returned", "unrounded", elasticsearch
    ),
    "quepid": Tool("power", "all_judged", "uncut", "as_searched", "counts_0", "by_returned", "unrounded", quepid_ndcg),
    "quepid_cut": Tool(
        "power", "all_judged", "at_k", "as_searched", "counts_0", "by_returned", "unrounded", quepid_ndcg_cut
    ),
    "rre": Tool("grade", "all_judged", "at_k", "as_searched", "counts_0", "by_returned", "two_down", rre),
    "beir": Tool("grade", "all_judged", "at_k", "by_id", "left_out", "by_k", "five_decimals", beir),
    "opensearch": Tool(
        "power", "all_judged", "at_k", "as_searched", "counts_0", "by_returned", "two_decimals", opensearch
    ),
}


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
