"""On random inputs the reference agrees with the tools people trust: pytrec_eval, scikit-learn and ir_measures."""

import random

import ir_measures
import pytest
import pytrec_eval
from sklearn.metrics import dcg_score, ndcg_score

from workbook_builder import metrics
from workbook_builder.gain import EXPONENTIAL
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import parse_measures
from workbook_builder.readers.trec import in_order
from workbook_builder.scoring import Scores, score

TOLERANCE = 1e-12

Grades = dict[str, dict[str, int]]
Results = dict[str, dict[str, float]]


def random_input(seed: int, *, ties: bool = True) -> tuple[Grades, Results]:
    """Judgments and results of 8 queries that overlap in part, with ties and an unanswered query.

    No grade is negative: pytrec_eval crashes on queries that have no other.
    """
    rng = random.Random(seed)
    grades: Grades = {}
    results: Results = {}
    for query in map(str, range(1, 9)):
        pool = rng.sample(range(60), rng.randint(1, 40))
        grades[query] = {f"d{doc:02}": rng.choice([0, 0, 0, 1, 1, 2, 3]) for doc in pool}
        returned = rng.sample(range(60), rng.randint(1, 50))
        scores = [rng.randint(0, 15) / 4 for _ in returned] if ties else rng.sample(range(1000), len(returned))
        results[query] = {f"d{doc:02}": float(given) for doc, given in zip(returned, scores, strict=True)}
    del results["8"]
    return grades, results


def scored(grades: Grades, results: Results, measures: list[str], relevant_from: int = 1) -> Scores:
    ordered = {query: in_order(list(found), list(found.values())) for query, found in results.items()}
    run = Run("run", {q: docs for q, (docs, _) in ordered.items()}, {q: given for q, (_, given) in ordered.items()})
    judgments = Judgments({query: {doc: float(g) for doc, g in judged.items()} for query, judged in grades.items()})
    return score(judgments, run, measures, relevant_from=relevant_from)


@pytest.mark.parametrize("relevant_from", [1, 2])
@pytest.mark.parametrize("seed", range(20))
def test_every_query_agrees_with_trec_eval(seed: int, relevant_from: int) -> None:
    grades, results = random_input(seed)
    names = {
        "ndcg": "nDCG",
        "ndcg_cut_5": "nDCG@5",
        "ndcg_cut_10": "nDCG@10",
        "recip_rank": "RR",
        "P_5": "P@5",
        "P_30": "P@30",
        "recall_5": "R@5",
        "recall_30": "R@30",
        "map": "AP",
        "map_cut_10": "AP@10",
    }
    families = {"ndcg", "ndcg_cut.5,10", "recip_rank", "P.5,30", "recall.5,30", "map", "map_cut.10"}
    theirs = pytrec_eval.RelevanceEvaluator(grades, families, relevance_level=relevant_from).evaluate(results)
    ours = scored(grades, results, list(names.values()), relevant_from).runs[0].per_query
    assert set(theirs) == set(results)
    for query, values in theirs.items():
        for their_name, our_name in names.items():
            assert ours[query][our_name] == pytest.approx(values[their_name], abs=TOLERANCE), (query, our_name)


@pytest.mark.parametrize("seed", range(20))
def test_means_agree_with_ir_measures_over_the_judged_queries(seed: int) -> None:
    # Without ties: its RR@k comes from another tool than its RR, with another rule for them.
    grades, results = random_input(seed, ties=False)
    measures = ["nDCG@10", "nDCG", "RR", "RR@5", "P@5", "R@10", "AP"]
    qrels = [ir_measures.Qrel(query, doc, grade) for query, judged in grades.items() for doc, grade in judged.items()]
    run = [ir_measures.ScoredDoc(query, doc, given) for query, found in results.items() for doc, given in found.items()]
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in measures], qrels, run)
    ours = scored(grades, results, measures).runs[0].mean
    for name in measures:
        assert ours[name] == pytest.approx(theirs[ir_measures.parse_measure(name)], abs=TOLERANCE), name


def test_our_names_of_measures_are_those_of_ir_measures() -> None:
    for measure in parse_measures(["nDCG@10", "nDCG", "RR", "RR@10", "P@5", "R@5", "AP", "AP@10"]):
        assert str(ir_measures.parse_measure(str(measure))) == str(measure)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("k", [1, 5, 10, None])
def test_dcg_and_ndcg_agree_with_scikit_learn_when_its_gain_is_applied_beforehand(seed: int, k: int | None) -> None:
    rng = random.Random(seed)
    grades = [float(rng.randint(0, 4)) for _ in range(rng.randint(2, 30))]
    by_rank = [[float(-rank) for rank in range(len(grades))]]
    worth = [EXPONENTIAL.of(grades).tolist()]
    assert metrics.dcg(grades, k) == pytest.approx(dcg_score([grades], by_rank, k=k), abs=TOLERANCE)
    assert metrics.dcg(grades, k, gain=EXPONENTIAL) == pytest.approx(dcg_score(worth, by_rank, k=k), rel=TOLERANCE)
    if any(grades):
        assert metrics.ndcg(grades, grades, k) == pytest.approx(ndcg_score([grades], by_rank, k=k), abs=TOLERANCE)
        expected = ndcg_score(worth, by_rank, k=k)
        assert metrics.ndcg(grades, grades, k, gain=EXPONENTIAL) == pytest.approx(expected, abs=TOLERANCE)
