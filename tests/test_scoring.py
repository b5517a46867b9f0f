"""Scores: every judged query counts, and whatever was assumed is said."""

import json

import pandas as pd
import pytest

from workbook_builder.errors import InputError
from workbook_builder.gain import EXPONENTIAL, Gain
from workbook_builder.inputs import Judgments, Run
from workbook_builder.scoring import score

JUDGMENTS = Judgments({"1": {"a": 2.0, "b": 0.0, "c": 1.0}, "2": {"a": 1.0}, "3": {"a": 0.0}})
RUN = Run("bm25", {"1": ("b", "a"), "3": ("a", "x"), "9": ("a",)}, {"1": (2.0, 1.0), "3": (2.0, 1.0), "9": (1.0,)})


def test_a_judged_query_without_results_counts_zero_in_the_mean() -> None:
    scores = score(JUDGMENTS, RUN, ["RR"]).runs[0]
    assert scores.per_query == {"1": {"RR": 0.5}, "2": {"RR": 0.0}, "3": {"RR": 0.0}}
    assert scores.mean == {"RR": pytest.approx(0.5 / 3)}


def test_what_was_assumed_is_said() -> None:
    assert score(JUDGMENTS, RUN, ["RR", "DCG@10"], gain=EXPONENTIAL, relevant_from=2).notes == (
        "1 of 3 judged queries have no result and count 0 (2)",
        "1 queries of the run are not judged and are ignored (9)",
        "2 judged queries have no relevant document and count 0",
        "1 of 4 results were never judged and count as grade 0",
        "the scale of DCG and IDCG depends on the query: compare their means only over the same queries",
        "gain: exponential",
        "relevant from grade 2",
    )


def test_the_notes_of_several_runs_name_their_run() -> None:
    notes = score(JUDGMENTS, [RUN, Run("other", {"1": ("a",), "2": ("a",), "3": ("a",)})], ["P@1"]).notes
    assert notes[0].startswith("bm25: ")
    assert notes[-1] == "other: 1 judged queries have no relevant document and count 0"


def test_ties_that_change_a_metric_are_reported_with_their_range() -> None:
    judgments = Judgments({"q": {"a": 1.0, "b": 0.0, "c": 0.0}, "r": {"a": 1.0, "b": 0.0}})
    tied = Run("tied", {"q": ("c", "b", "a"), "r": ("a", "b")}, {"q": (5.0, 5.0, 5.0), "r": (2.0, 1.0)})
    (note,) = score(judgments, tied, ["RR"]).notes
    assert 'change a metric of 1 queries (query "q": RR is 0.333333, and 0.333333 to 1.000000 in other orders)' in note


def test_ties_that_change_nothing_are_not_mentioned() -> None:
    judgments = Judgments({"q": {"a": 1.0, "b": 0.0, "c": 0.0}})
    assert score(judgments, Run("r", {"q": ("a", "c", "b")}, {"q": (5.0, 1.0, 1.0)}), ["RR"]).notes == ()
    assert score(judgments, Run("r", {"q": ("c", "b", "a")}, {"q": (1.0, 1.0, 1.0)}), ["P@5"]).notes == ()


def test_the_json_has_the_documented_shape_and_full_doubles() -> None:
    scores = score(JUDGMENTS, RUN, ["nDCG@10", "RR"])
    (entry,) = scores.to_json(per_query=True)["runs"]
    assert list(entry) == ["run", "queries", "mean", "per_query", "notes"]
    assert (entry["run"], entry["queries"]) == ("bm25", 3)
    assert json.loads(json.dumps(entry)) == entry
    assert entry["per_query"]["1"]["nDCG@10"] == scores.runs[0].per_query["1"]["nDCG@10"]
    assert list(scores.to_json()["runs"][0]) == ["run", "queries", "mean", "notes"]


def test_the_frame_has_a_row_a_run_and_query_with_ids_as_text() -> None:
    frame = score(JUDGMENTS, RUN).to_frame()
    assert list(frame.columns) == ["run", "query", "nDCG@10", "RR", "P@10", "R@10"]
    assert frame["query"].tolist() == ["1", "2", "3"]


def test_the_text_is_a_table_that_a_person_reads() -> None:
    lines = score(JUDGMENTS, RUN, ["RR", "P@1"]).to_text(per_query=True).split("\n")
    assert [line.split() for line in lines] == [
        ["run", "query", "RR", "P@1"],
        ["bm25", "1", "0.5000", "0.0000"],
        ["bm25", "2", "0.0000", "0.0000"],
        ["bm25", "3", "0.0000", "0.0000"],
        ["bm25", "mean", "0.1667", "0.0000"],
    ]
    assert len(set(map(len, lines))) == 1


def test_frames_and_files_give_the_same_numbers() -> None:
    judged = [(query, doc, grade) for query, pool in JUDGMENTS.grades.items() for doc, grade in pool.items()]
    assert RUN.scores is not None
    found = [(query, *row) for query, docs in RUN.rankings.items() for row in zip(docs, RUN.scores[query], strict=True)]
    qrels = pd.DataFrame(judged, columns=["query_id", "doc_id", "relevance"])
    run = pd.DataFrame(found, columns=["query_id", "doc_id", "score"])
    expected = score(JUDGMENTS, RUN).runs[0].per_query
    for runs in (run, [run], {"bm25": run}, RUN):
        assert score(qrels, runs).runs[0].per_query == expected
    assert [entry.run for entry in score(qrels, {"bm25": run}).runs] == ["bm25"]
    assert [entry.run for entry in score(qrels, [run, run]).runs] == ["run 1", "run 2"]


def test_the_gain_changes_ndcg_and_the_threshold_changes_rr() -> None:
    judgments, run = Judgments({"q": {"a": 1.0, "b": 2.0}}), Run("r", {"q": ("a", "b")})
    plain = score(judgments, run, ["nDCG", "RR"]).runs[0].mean
    other = score(judgments, run, ["nDCG", "RR"], gain=EXPONENTIAL, relevant_from=2).runs[0].mean
    assert plain["RR"] == 1.0
    assert other["RR"] == 0.5
    assert other["nDCG"] < plain["nDCG"]


@pytest.mark.parametrize(
    ("judgments", "runs", "options", "told"),
    [
        (JUDGMENTS, Run("r", {"01": ("a",)}), {}, 'no query in common: judgments judges "1", r answers "01"'),
        (Judgments({}), RUN, {}, "no query in common"),
        (JUDGMENTS, [], {}, "no run is given"),
        (JUDGMENTS, RUN, {"measures": []}, "no metric is given"),
        (JUDGMENTS, RUN, {"measures": ["nDGC@10"]}, "Did you mean nDCG@10?"),
        (JUDGMENTS, RUN, {"relevant_from": 0}, "the lowest relevant grade must be above 0"),
        (JUDGMENTS, RUN, {"gain": Gain.parse("0=0,1=1")}, 'no gain is given for the grade: "2"'),
        (JUDGMENTS, RUN, {"gain": Gain.parse("0=.5,1=1,2=2")}, "results that nobody judged would earn it"),
        (Judgments({"1": {"a": 5000.0}}), RUN, {"gain": EXPONENTIAL}, "too large for exponential gain"),
        (Judgments({"1": {"a": float("nan")}}), RUN, {}, "a grade is no finite number"),
    ],
)
def test_what_cannot_be_scored_is_refused(
    judgments: Judgments, runs: Run | list[Run], options: dict[str, object], told: str
) -> None:
    with pytest.raises(InputError) as caught:
        score(judgments, runs, **options)  # type: ignore[arg-type]
    assert told in str(caught.value)


def test_every_run_without_a_query_in_common_is_named() -> None:
    with pytest.raises(InputError) as caught:
        score(JUDGMENTS, [RUN, Run("one", {"x": ("a",)}), Run("two", {"y": ("a",)})])
    assert [fault.file for fault in caught.value.faults] == ["one", "two"]
