"""Each convention scores as its tool does: against the tools themselves, or the numbers known of those not here."""

import random

import pytest
import pytrec_eval
from sklearn.metrics import ndcg_score

from workbook_builder import build, metrics
from workbook_builder.conventions import (
    TOOLS,
    Ranking,
    beir,
    elasticsearch,
    opensearch,
    precision_of_returned,
    quepid_ndcg,
    quepid_ndcg_cut,
    rounded,
    rounded_down,
    rre,
    scikit_learn,
    tie_averaged,
    trec_eval,
)
from workbook_builder.inputs import WORKED_EXAMPLE
from workbook_builder.steps import STEPS
from workbook_builder.text import languages

EXACT = 5e-7
"""Half of the sixth decimal."""


def ranking(grades: list[float], missed: list[float], k: int, scores: list[float] | None = None) -> Ranking:
    falling = [float(-rank) for rank in range(len(grades))]
    return Ranking(grades, falling if scores is None else scores, grades + missed, k, len(grades))


def default(given: Ranking) -> float:
    return metrics.ndcg(given.grades, given.judged, given.k)


TWELVE = ranking([1.0] * 10, [1.0] * 2, 10)
FIVE = ranking([3.0], [3.0] * 4, 10)
ROUNDED_DOWN = ranking([0.0] + [1.0] * 9, [1.0], 10)
ROUNDED_UP = ranking([2.0, 1.0, 2.0, 1.0, 3.0, 2.0], [2.0, 2.0], 6)
TIED = ranking([10.0, 0.0, 0.0, 1.0, 5.0], [], 5, [1.0] * 5)


def test_quepids_ndcg_does_not_cut_the_ideal() -> None:
    assert quepid_ndcg(TWELVE) == pytest.approx(0.892164, abs=EXACT)
    assert quepid_ndcg_cut(TWELVE) == default(TWELVE) == 1.0


def test_elasticsearch_cuts_the_ideal_at_the_hits_returned() -> None:
    assert elasticsearch(FIVE) == 1.0
    assert default(FIVE) == pytest.approx(0.339160, abs=EXACT)


def test_elasticsearch_without_hits_scores_0() -> None:
    assert elasticsearch(Ranking([0.0], [None], [0.0, 3.0], 5, 0)) == 0.0


def test_rre_rounds_every_term_down() -> None:
    assert rre(ROUNDED_DOWN) == 0.77
    assert default(ROUNDED_DOWN) == pytest.approx(0.779908, abs=EXACT)


def test_rre_may_end_higher_as_the_ideal_is_rounded_down_too() -> None:
    assert rre(ROUNDED_UP) == 0.78
    assert default(ROUNDED_UP) == pytest.approx(0.779908, abs=EXACT)


def test_opensearch_divides_precision_by_the_results_returned() -> None:
    assert precision_of_returned([1.0, 1.0], 10, 2) == 1.0
    assert metrics.precision([1.0, 1.0], 10) == pytest.approx(0.2)
    assert precision_of_returned([1.0, 0.0, 1.0], 2, 3) == 0.5
    assert precision_of_returned([], 10, 0) == 0.0


def test_scikit_learn_averages_ties() -> None:
    assert scikit_learn(TIED) == pytest.approx(0.690979, abs=EXACT)
    for seed in range(5):
        shuffled = random.Random(seed).sample(list(TIED.grades), 5)
        assert scikit_learn(ranking(shuffled, [], 5, [1.0] * 5)) == pytest.approx(0.690979, abs=EXACT)


@pytest.mark.parametrize("seed", range(30))
def test_scikit_learn_itself_agrees(seed: int) -> None:
    rng = random.Random(seed)
    length = rng.randint(2, 20)
    scores = sorted((float(rng.randint(0, 6)) for _ in range(length)), reverse=True)
    grades = [float(rng.randint(0, 4)) for _ in range(length)]
    k = rng.randint(1, 25)
    ours = scikit_learn(ranking(grades, [4.0], k, scores))
    assert ours == pytest.approx(ndcg_score([grades], [scores], k=k), abs=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_trec_eval_itself_agrees_and_so_beir(seed: int) -> None:
    rng = random.Random(seed)
    grades = [float(rng.randint(0, 3)) for _ in range(rng.randint(1, 20))]
    missed = [float(rng.randint(0, 3)) for _ in range(rng.randint(0, 5))]
    k = rng.choice([5, 10, 20])
    judgments = {f"d{number:02}": int(grade) for number, grade in enumerate(grades + missed)}
    results = {f"d{number:02}": float(100 - number) for number in range(len(grades))}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": judgments}, {f"ndcg_cut.{k}"})
    theirs = evaluator.evaluate({"q": results})["q"][f"ndcg_cut_{k}"]
    assert trec_eval(ranking(grades, missed, k)) == pytest.approx(float(f"{theirs:.4f}"), abs=1e-12)
    assert beir(ranking(grades, missed, k)) == pytest.approx(round(theirs, 5), abs=1e-12)


def test_trec_eval_keeps_a_query_without_a_relevant_document_and_drops_one_without_results() -> None:
    judgments = {"nothing relevant": {"a": 0}, "not answered": {"a": 1}, "answered": {"a": 1}}
    results = {"nothing relevant": {"a": 1.0}, "answered": {"a": 1.0}}
    scored = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg_cut.5"}).evaluate(results)
    assert {query: values["ndcg_cut_5"] for query, values in scored.items()} == {"nothing relevant": 0, "answered": 1}


def test_opensearch_keeps_two_decimals() -> None:
    assert opensearch(ROUNDED_DOWN) == rounded(quepid_ndcg_cut(ROUNDED_DOWN), 2)


def test_rounding() -> None:
    assert (rounded(0.125, 2), rounded(0.145, 2), rounded(1.0, 4)) == (0.13, 0.15, 1.0)
    assert (rounded_down(0.779908), rounded_down(0.29), rounded_down(1.5)) == (0.77, 0.29, 1.5)


def test_a_result_without_a_score_ties_with_none() -> None:
    assert tie_averaged([4.0, 2.0, 1.0, 0.0], [5.0, 5.0, None, None]) == [3.0, 3.0, 1.0, 0.0]


def test_the_sheets_prose_prints_the_numbers_tested_here() -> None:
    lines = languages()["en"].within("lesson", "conventions", facts={}).lines("notes", "known")
    for number, line in zip(("0.892164", "0.339160", "0.779908", "0.690979"), lines[1:], strict=True):
        assert number in line


def test_the_documented_ranking_parts_where_the_tools_do() -> None:
    steps = STEPS["conventions"]
    values = steps.expected(steps.inputs(WORKED_EXAMPLE), WORKED_EXAMPLE.convention)
    assert dict(zip(TOOLS, values["v_first"], strict=True)) == {
        "default": "nowhere",
        "trec_eval": "part_missing",
        "scikit_learn": "part_pool",
        "elasticsearch": "part_gain",
        "quepid": "part_gain",
        "quepid_cut": "part_gain",
        "rre": "part_rounding",
        "beir": "part_missing",
        "opensearch": "part_gain",
    }
    assert values["v_reported"][0] == pytest.approx(0.550438203)


def test_the_sheet_is_proved() -> None:
    assert build().report.agrees
