"""What an evaluation workbook shows is what trec_eval and the worked example say."""

from collections.abc import Mapping
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval
from evaluations import SMALL
from scipy import stats
from test_oracles import Grades, Results, random_input

from workbook_builder import Evaluation, build, metrics
from workbook_builder.cached import read_cells
from workbook_builder.evaluation.evaluate import Evaluated, build_evaluation
from workbook_builder.inputs import WORKED_EXAMPLE, Judgments, Run
from workbook_builder.measures import parse_measures
from workbook_builder.readers.trec import in_order

TREC = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "RR": "recip_rank",
    "P@5": "P_5",
    "P@30": "P_30",
    "R@10": "recall_10",
    "AP": "map",
    "AP@10": "map_cut_10",
}


def evaluation_of(grades: Grades, runs: Mapping[str, Results], measures: list[str]) -> Evaluation:
    def run(name: str, results: Results) -> Run:
        ordered = {query: in_order(list(found), list(found.values())) for query, found in results.items()}
        return Run(name, {q: docs for q, (docs, _) in ordered.items()}, {q: given for q, (_, given) in ordered.items()})

    judged = {query: {doc: float(grade) for doc, grade in pool.items()} for query, pool in grades.items()}
    return Evaluation(
        Judgments(judged), tuple(run(name, found) for name, found in runs.items()), parse_measures(measures)
    )


def shown(built: Evaluated, sheet: str) -> Mapping[str, object]:
    """What a sheet of the finished file shows, by address."""
    return read_cells(built.data)[1][sheet]


def table(built: Evaluated, sheet: str, first: str) -> list[dict[str, object]]:
    """The rows under the headings that begin with `first`, each by heading; a blank first cell ends them."""
    cells = shown(built, sheet)
    heading = next(int(cell[1:]) for cell, value in cells.items() if cell[0] == "A" and value == first)
    letters = [letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if cells.get(f"{letter}{heading}")]
    rows = []
    row = heading + 1
    while cells.get(f"A{row}"):
        rows.append({str(cells[f"{letter}{heading}"]): cells.get(f"{letter}{row}") for letter in letters})
        row += 1
    return rows


@pytest.mark.parametrize("seed", range(3))
def test_every_mean_and_every_query_is_trec_evals(seed: int) -> None:
    """With its option -c: a judged query without results counts 0."""
    grades, one = random_input(seed)
    _, other = random_input(seed + 100)
    built = build_evaluation(evaluation_of(grades, {"one": one, "other": other}, list(TREC)))
    summary, queries = table(built, "Summary", "system"), table(built, "Queries", "query")
    families = {"ndcg", "ndcg_cut.10", "recip_rank", "P.5,30", "recall.10", "map", "map_cut.10"}
    for name, results, row in zip(("one", "other"), (one, other), summary, strict=True):
        theirs = pytrec_eval.RelevanceEvaluator(grades, families).evaluate(results)
        assert row["system"] == name
        assert row["judged queries"] == len(grades)
        of_system = {each["query"]: each for each in queries if each["system"] == name}
        assert set(of_system) == set(grades)
        for our_name, their_name in TREC.items():
            values = [theirs.get(query, {}).get(their_name, 0.0) for query in grades]
            assert row[our_name] == pytest.approx(sum(values) / len(grades), abs=1e-12), our_name
            assert [of_system[query][our_name] for query in grades] == pytest.approx(values, abs=1e-12), our_name


def test_the_means_are_those_of_ir_measures() -> None:
    # Without ties: its RR@k comes from another tool than its RR, with another rule for them.
    grades, results = random_input(11, ties=False)
    measures = ["nDCG@10", "nDCG", "RR", "RR@5", "P@5", "R@10", "AP"]
    qrels = [ir_measures.Qrel(query, doc, grade) for query, judged in grades.items() for doc, grade in judged.items()]
    run = [ir_measures.ScoredDoc(query, doc, given) for query, found in results.items() for doc, given in found.items()]
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in measures], qrels, run)
    (row,) = table(build_evaluation(evaluation_of(grades, {"run": results}, measures)), "Summary", "system")
    for name in measures:
        assert row[name] == pytest.approx(theirs[ir_measures.parse_measure(name)], abs=1e-12), name


def test_the_tests_of_a_pair_are_scipys_on_the_values_that_are_shown() -> None:
    grades, one = random_input(5)
    _, other = random_input(6)
    built = build_evaluation(evaluation_of(grades, {"one": one, "other": other}, ["nDCG@10", "P@5"]))
    values = {(row["system"], name): [] for row in table(built, "Queries", "query") for name in ("nDCG@10", "P@5")}  # type: dict[tuple[object, str], list[float]]
    for row in table(built, "Queries", "query"):
        for name in ("nDCG@10", "P@5"):
            values[row["system"], name].append(float(str(row[name])))
    for row in table(built, "Compare", "first system"):
        name = str(row["metric"])
        pair = values["one", name], values["other", name]
        theirs = stats.ttest_rel(*pair)
        interval = theirs.confidence_interval()
        assert row["p, paired t-test"] == pytest.approx(theirs.pvalue, abs=5e-7)
        assert (row["95 % from"], row["95 % to"]) == pytest.approx((interval.low, interval.high), abs=1e-8)
        assert row["queries won"] == sum(left > right for left, right in zip(*pair, strict=True))
        assert row["tied"] == sum(left == right for left, right in zip(*pair, strict=True))
        assert float(str(row["p, randomization"])) == pytest.approx(theirs.pvalue, abs=0.25)


def worked_example() -> Evaluation:
    """The worked example's ranking as a run of one query."""
    returned = {f"d{rank}": grade for rank, grade in enumerate(WORKED_EXAMPLE.grades, 1)}
    missed = {f"m{at}": grade for at, grade in enumerate(WORKED_EXAMPLE.missed)}
    run = Run("search", {"q": tuple(returned)})
    measures = parse_measures([f"nDCG@{WORKED_EXAMPLE.k}", "RR"])
    return Evaluation(Judgments({"q": {**returned, **missed}}), (run,), measures)


def test_one_query_shows_the_numbers_of_the_worked_example() -> None:
    cells = shown(build_evaluation(worked_example()), "One query")
    assert (cells["F3"], cells["F4"], cells["F5"]) == pytest.approx((3.930676558, 7.140995184, 0.550438203), abs=1e-9)
    lesson = read_cells(build(WORKED_EXAMPLE).data)[1]["Worked example"]
    assert [cells[f"F{row}"] for row in (3, 4, 5)] == pytest.approx([lesson[f"B{row}"] for row in (11, 12, 13)])
    ranks = range(len(WORKED_EXAMPLE.grades))
    assert [cells[f"C{12 + at}"] for at in ranks] == list(WORKED_EXAMPLE.grades)
    assert [cells[f"E{12 + at}"] for at in ranks] == pytest.approx(
        list(metrics.discounted_gains(WORKED_EXAMPLE.grades))
    )
    assert [cells[f"F{12 + at}"] for at in range(7)] == [3, 3, 2, 2, 1, 0, 0]


@pytest.mark.parametrize(("end", "grade"), [("irrelevant", 0.0), ("perfect", 3.0)])
def test_what_if_unjudged_were_irrelevant_or_perfect_is_the_mean_with_them_judged_so(end: str, grade: float) -> None:
    (row,) = table(build_evaluation(small_of_one()), "Summary", "system")
    judged = {
        query: {**dict.fromkeys(SMALL.runs[0].rankings.get(query, ()), grade), **pool}
        for query, pool in SMALL.judgments.grades.items()
    }
    (filled,) = table(build_evaluation(small_of_one(judged)), "Summary", "system")
    assert row[f"nDCG@3 if unjudged are {end}"] == pytest.approx(filled["nDCG@3"], abs=1e-12)
    assert (row["not judged, of the top k"], filled["not judged, of the top k"]) == (pytest.approx(3 / 12), 0.0)


def small_of_one(grades: Mapping[str, Mapping[str, float]] = SMALL.judgments.grades) -> Evaluation:
    run = Run("one", {query: of[:3] for query, of in SMALL.runs[0].rankings.items() if query in grades})
    return Evaluation(Judgments(grades), (run,), parse_measures(["nDCG@3"]))


def test_a_query_only_in_a_run_is_told_of_and_changes_nothing(tmp_path: Path) -> None:
    built = build_evaluation(SMALL)
    about = [str(value) for value in shown(built, "About").values()]
    assert any("1 queries of the run are not judged and are ignored (not judged)" in line for line in about)
    assert "not judged" not in [row["query"] for row in table(built, "Queries", "query")]
