"""What an evaluation takes: its limits before any work starts, samples, texts, and what pandas users give."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from evaluations import SMALL, run
from hypothesis import given
from hypothesis import strategies as st

from workbook_builder import EXPONENTIAL, Evaluation, Gain, InputError, check, evaluate
from workbook_builder.cached import read_cells
from workbook_builder.evaluation import inputs
from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.evaluation.inputs import MOST_GRADES, MOST_RUNS, Sample, sampled
from workbook_builder.evaluation.reopen import reopen, reopened_evaluation
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import Measure, parse_measures

MANY = Evaluation(
    Judgments({f"q{at:03}": {"a": 1.0, "b": 0.0} for at in range(50)}),
    (Run("one", {f"q{at:03}": ("b", "a") for at in range(50)}),),
    (Measure("RR", 10),),
)


def test_a_sample_is_marked_deterministic_and_in_the_judgments_order(tmp_path: Path) -> None:
    sample = sampled(MANY, 8, seed=3)
    assert sample.queries == sampled(MANY, 8, seed=3).queries
    assert sample.queries != sampled(MANY, 8, seed=4).queries
    assert list(sample.queries) == [query for query in MANY.queries if query in sample.queries]
    assert sample.sample == Sample(8, 50, 3)
    path = build_evaluation(sample).save(tmp_path / "sample.xlsx")
    _, values = read_cells(path.read_bytes())
    assert str(values["Summary"]["A2"]).startswith("A SAMPLE: 8 of 50 judged queries, drawn with seed 3.")
    assert check(path)[0].agrees
    again, _ = reopened_evaluation(path)
    assert again.sample == sample.sample, "built anew it is still a sample"


@given(st.integers(1, 49), st.integers(0, 1000))
def test_a_sample_has_as_many_queries_as_asked_for_and_no_other_results(queries: int, seed: int) -> None:
    sample = sampled(MANY, queries, seed)
    assert len(sample.queries) == queries == len(set(sample.queries))
    assert set(sample.runs[0].rankings) == set(sample.queries)
    assert sample.notes == MANY.notes
    assert sample.runs[0].notes == ()


@pytest.mark.parametrize("queries", [0, -1, 50, 51])
def test_a_sample_must_be_smaller_than_the_whole(queries: int) -> None:
    with pytest.raises(InputError, match=r"--sample: there are 50 judged queries.*from 1 to 49, or leave --sample out"):
        sampled(MANY, queries, 1)


def test_too_many_results_are_told_of_before_any_work_with_a_sample_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,050 queries of 1,000 results do not fit into a sheet; what the message says to take does."""
    monkeypatch.setattr("workbook_builder.evaluation.evaluate.score", None)
    documents = tuple(map(str, range(1000)))
    judgments = Judgments({f"q{at}": {"1": 1.0} for at in range(1050)}, "qrels.txt")
    evaluation = Evaluation(judgments, (Run("bm25", dict.fromkeys(judgments.grades, documents)),))
    with pytest.raises(InputError, match=r"qrels\.txt: 1,050,000 results.*1,048,576 rows.*--sample") as caught:
        build_evaluation(evaluation)
    fitting = int(str(caught.value).split("--sample ")[1].split()[0])
    assert 900 < fitting < 1048
    assert [*sampled(evaluation, fitting, 1).size_faults()] == []


def test_too_many_judgments_name_a_sample_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MOST_ROWS", 100)
    (fault, other) = MANY.size_faults()
    assert "100 results do not fit" in str(fault)
    assert "100 judgments do not fit into a sheet, which has 100 rows in Excel" in str(other)
    assert "--sample 45 --seed 1" in str(other)


def test_a_sample_in_which_a_run_answers_nothing_says_what_to_do() -> None:
    idle = replace(MANY, runs=(*MANY.runs, Run("idle", {"q000": ("a",)})))
    with pytest.raises(
        InputError, match=r"--sample: idle answers none of the queries drawn with seed 1.*another --seed"
    ):
        sampled(idle, 3, 1)


def test_too_many_grades_pairs_runs_and_no_metric_are_told_of() -> None:
    grades = {f"d{at}": at / 7 for at in range(MOST_GRADES + 1)}
    with pytest.raises(InputError, match=rf"there are {MOST_GRADES + 1} different grades.*at most {MOST_GRADES}"):
        Evaluation(Judgments({"q": grades}), (Run("one", {"q": ("d1",)}),))
    runs = tuple(Run(f"run {at}", {"q": ("a",)}) for at in range(MOST_RUNS + 1))
    judgments = Judgments({"q": {"a": 1.0}})
    with pytest.raises(InputError, match=rf"{MOST_RUNS + 1} runs do not fit.*at most {MOST_RUNS}"):
        Evaluation(judgments, runs)
    with pytest.raises(InputError, match=r"435 pairs of runs in 4 metrics make 1,740 columns.*fewer runs, or fewer"):
        Evaluation(judgments, runs[:30])
    with pytest.raises(InputError, match=r"there is no metric.*nDCG@10"):
        Evaluation(judgments, runs[:1], ())
    with pytest.raises(InputError, match="there is no run"):
        Evaluation(judgments, ())


def test_the_widest_scale_that_is_taken_is_built(tmp_path: Path) -> None:
    grades = {f"d{at}": at / 4 for at in range(MOST_GRADES)}
    evaluation = Evaluation(Judgments({"q": grades}), (Run("one", {"q": ("d3", "d9")}),), (Measure("nDCG", 5),))
    assert check(build_evaluation(evaluation).save(tmp_path / "wide.xlsx"))[0].agrees


WRONG = {
    "the same name twice": (
        (SMALL.runs[0], SMALL.runs[0]),
        r"two runs have the same name: \"bm25\". Give each run once",
    ),
    "no query in common": ((Run("other", {"9": ("a",)}),), r"no query in common: judgments judges .* answers \"9\""),
    "an empty name": ((replace(SMALL.runs[0], name=""),), r"the name is empty"),
    "a control character": ((replace(SMALL.runs[0], name="bm\x0125"),), r"a control character in a name"),
    "one in a document": ((Run("one", {"3": ("a\x01",)}),), r"one, document: a control character in a name"),
    "an id that is read as another": (
        (Run("one", {"3": ("d_x0041_",)}),),
        r"one, document: spreadsheets take _x0041_ in an id for one character: \"d_x0041_\"",
    ),
    "a document too long": ((Run("one", {"3": ("a" * 32_768,)}),), r"one, document: the name has 32,768 characters"),
}


@pytest.mark.parametrize(("runs", "said"), WRONG.values(), ids=WRONG)
def test_runs_that_no_workbook_can_hold_are_refused(runs: tuple[Run, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        replace(SMALL, runs=runs)


def test_a_threshold_of_0_and_a_grade_without_a_gain_are_refused_together() -> None:
    with pytest.raises(InputError) as caught:
        replace(SMALL, relevant_from=0, gain=Gain("table", ((0.0, 0.0), (1.0, 1.0))))
    said = str(caught.value)
    assert "the lowest relevant grade must be above 0" in said
    assert "no gain is given for the grade" in said


def test_grades_with_more_digits_than_spreadsheets_compare_are_rounded_and_told_of(tmp_path: Path) -> None:
    evaluation = Evaluation(Judgments({"q": {"a": 1 / 3, "b": 1.0}}), (Run("one", {"q": ("a", "b")}),))
    assert evaluation.judgments.grades["q"]["a"] == 0.333333333333333
    assert evaluation.notes == ("1 grades had more than 15 digits, which no spreadsheet compares; they were rounded",)
    path = build_evaluation(evaluation).save(tmp_path / "thirds.xlsx")
    assert check(path)[0].agrees
    assert reopened_evaluation(path)[0].notes == evaluation.notes


def test_texts_that_a_cell_cannot_hold_are_cut_and_cleaned(tmp_path: Path) -> None:
    texts = {"a": "bell\x07 & <tag>\nnew line", "b": "x" * 40_000, "c": "=1+1", "d": "_x0041_"}
    evaluation = replace(SMALL, texts=texts, query_texts={"003": "\x00 why? ", "reset password": "_x0041_"})
    path = build_evaluation(evaluation).save(tmp_path / "texts.xlsx")
    assert check(path)[0].agrees
    again = reopen(path).layout.evaluation
    assert again.texts["a"] == "bell  & <tag>\nnew line"
    assert again.texts["b"] == "x" * 32_767
    assert again.texts["c"] == "=1+1"


ODD = {
    "a grade of a billion": Evaluation(Judgments({"q": {"a": 1e9, "b": 1.0}}), (Run("r", {"q": ("b", "a")}),)),
    "a grade near 0": Evaluation(Judgments({"q": {"a": 1e-300, "b": 1.0}}), (Run("r", {"q": ("a", "b")}),)),
    "no grade above 0": Evaluation(Judgments({"q": {"a": -1.0}}), (Run("r", {"q": ("a", "b")}),)),
    "infinite scores": Evaluation(
        Judgments({"q": {"a": 1.0}}), (Run("r", {"q": ("b", "a")}, {"q": (float("inf"), float("-inf"))}),)
    ),
    "ids like references": Evaluation(Judgments({"&amp;": {"<&>": 1.0}}), (Run("&#10;", {"&amp;": ("<&>",)}),)),
    "long names": Evaluation(
        Judgments({"q" * 400: {"d" * 400: 1.0}}),
        (Run("r" * 400, {"q" * 400: ("d" * 400,)}), Run("s" * 400, {"q" * 400: ("e",)})),
    ),
}


@pytest.mark.parametrize("evaluation", ODD.values(), ids=ODD)
def test_odd_inputs_are_built_proved_and_read_back(evaluation: Evaluation, tmp_path: Path) -> None:
    path = build_evaluation(evaluation).save(tmp_path / "odd.xlsx")
    assert check(path)[0].agrees
    again = reopen(path).layout.evaluation
    assert again.judgments.grades == evaluation.judgments.grades
    assert [(run.name, run.rankings, run.scores) for run in again.runs] == [
        (run.name, run.rankings, run.scores) for run in evaluation.runs
    ]


def test_a_query_without_any_judgment_is_named() -> None:
    with pytest.raises(InputError, match=r'no document of this query is judged: "q2"\. Judge one, or leave'):
        Evaluation(Judgments({"q1": {"a": 1.0}, "q2": {}}), (Run("r", {"q1": ("a",)}),))


QRELS = pd.DataFrame(
    [("q1", "a", 1), ("q1", "b", 0), ("q2", "c", 2), ("003", "d", 1)], columns=["query_id", "doc_id", "relevance"]
)
BM25 = pd.DataFrame(
    [("q1", "b", 2.0), ("q1", "a", 1.0), ("q2", "c", 1.0), ("003", "x", 1.0)], columns=["query_id", "doc_id", "score"]
)
DENSE = pd.DataFrame([("q1", "a", 0.5), ("q2", "z", 0.4)], columns=["query_id", "doc_id", "score"])


def test_a_pandas_user_evaluates_frames_and_saves_the_workbook(tmp_path: Path) -> None:
    evaluated = evaluate(QRELS, {"bm25": BM25, "dense": DENSE}, ["nDCG@10", "RR"])
    path = evaluated.save(tmp_path / "x.xlsx")
    assert check(path)[0].agrees
    frame = evaluated.to_frame()
    assert list(frame.columns) == ["run", "query", "nDCG@10", "RR"]
    assert list(frame["query"]) == ["q1", "q2", "003"] * 2
    assert list(frame["RR"]) == [0.5, 1.0, 0.0, 1.0, 0.0, 0.0]
    assert evaluated.report.agrees


def test_in_a_notebook_an_evaluation_shows_its_means_with_names_escaped() -> None:
    html = evaluate(QRELS, {"<b>bm25</b>": BM25}, ["RR"])._repr_html_()
    assert "<th>RR</th>" in html
    assert "&lt;b&gt;bm25&lt;/b&gt;" in html
    assert "<td>0.5000</td>" in html


def test_the_options_of_evaluate_reach_the_workbook(tmp_path: Path) -> None:
    evaluated = evaluate(
        QRELS, [BM25], ["nDCG@10"], gain=EXPONENTIAL, relevant_from=2, texts={"a": "A title"}, language="de"
    )
    path = evaluated.save(tmp_path / "x.xlsx")
    opened = reopen(path).layout
    assert opened.evaluation.gain == EXPONENTIAL
    assert opened.evaluation.relevant_from == 2
    assert opened.text.language == "de"
    assert opened.evaluation.texts == {"a": "A title"}
    assert check(path)[0].agrees


def test_columns_that_are_missing_or_hold_numbers_for_ids_are_named() -> None:
    with pytest.raises(InputError, match=r"there is no column \"relevance\""):
        evaluate(QRELS.rename(columns={"relevance": "wurst"}), {"bm25": BM25})
    with pytest.raises(InputError, match=r"this id is no text.*dtype"):
        evaluate(QRELS.assign(query_id=3), {"bm25": BM25})


@pytest.mark.parametrize("name", ["ranks only", "scores"])
def test_scores_are_kept_where_there_are_any(name: str, tmp_path: Path) -> None:
    given_ = Run("r", {"q": ("b", "a")}) if name == "ranks only" else run("r", {"q": (("b", -1e-7), ("a", -2.5))})
    evaluation = Evaluation(Judgments({"q": {"a": 1.0}}), (given_,), parse_measures(["RR"]))
    again = reopen(build_evaluation(evaluation).save(tmp_path / "x.xlsx")).layout.evaluation
    assert again.runs[0].scores == given_.scores
