"""What Python already holds is as good as a file: DataFrames, dictionaries, records, paths."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest

from workbook_builder import judgments_from, run_from, score
from workbook_builder.errors import InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.objects import JudgmentsLike, RunLike, RunsLike, runs_from

GRADES = {"1": {"007": 2.0, "7": 0.0}}
RESULTS = {"1": {"7": 1.0, "007": 1.0, "x": 3.0}}
RANKING = {"1": ("x", "7", "007")}


class Judgment(NamedTuple):
    """As ir_datasets yields them."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class Found(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def columns(values: dict[str, dict[str, float]], name: str) -> dict[str, list[object]]:
    rows = [(query, doc, value) for query, listed in values.items() for doc, value in listed.items()]
    return dict(zip(("query_id", "doc_id", name), map(list, zip(*rows, strict=True)), strict=True))


def records() -> Iterator[Judgment]:
    yield Judgment("1", "007", 2)
    yield Judgment("1", "7", 0)


@pytest.mark.parametrize(
    "given",
    [
        Judgments(GRADES),
        pd.DataFrame(columns(GRADES, "relevance")),
        pd.DataFrame(columns(GRADES, "label")).rename(columns={"query_id": "qid", "doc_id": "docno"}),
        pl.DataFrame(columns(GRADES, "relevance")),
        pl.DataFrame(columns(GRADES, "relevance")).lazy(),
        GRADES,
        {"1": {"007": np.int64(2), "7": np.float32(0)}},
        records(),
        list(records()),
        [("1", "007", 2), ("1", "7", 0)],
    ],
    ids=["judgments", "pandas", "pyterrier", "polars", "lazy", "dict", "numpy", "iterator", "records", "triples"],
)
def test_judgments_come_out_of_everything(given: JudgmentsLike) -> None:
    assert judgments_from(given).grades == GRADES


@pytest.mark.parametrize(
    "given",
    [
        pd.DataFrame(columns(RESULTS, "score")),
        pd.DataFrame(columns({"1": {"7": 2, "007": 3, "x": 1}}, "rank")),
        pl.DataFrame(columns(RESULTS, "score")),
        pl.LazyFrame(columns(RESULTS, "score")),
        RESULTS,
        [Found("1", doc, score) for doc, score in RESULTS["1"].items()],
        (("1", doc, score) for doc, score in RESULTS["1"].items()),
    ],
    ids=["pandas", "ranks", "polars", "lazy", "dict", "records", "triples"],
)
def test_a_run_comes_out_of_everything(given: RunLike) -> None:
    run = run_from(given, "bm25")
    assert (run.name, run.rankings) == ("bm25", RANKING)


def test_a_path_is_read_in_whatever_format_it_is(tmp_path: Path) -> None:
    (tmp_path / "bm25.csv").write_text("query,doc,score\n1,x,3\n1,7,1\n1,007,1\n")
    (tmp_path / "qrels.txt").write_text("1 0 007 2\n1 0 7 0\n")
    assert judgments_from(tmp_path / "qrels.txt").grades == GRADES
    run = run_from(str(tmp_path / "bm25.csv"))
    assert (run.name, run.rankings) == ("bm25", RANKING)
    assert score(tmp_path / "qrels.txt", tmp_path / "bm25.csv", ["RR"]).runs[0].mean == {"RR": pytest.approx(1 / 3)}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (Run("bm25", RANKING), ["bm25"]),
        ({"a": Run("bm25", RANKING), "b": RESULTS}, ["a", "b"]),
        ([Run("bm25", RANKING), pl.DataFrame(columns(RESULTS, "score"))], ["bm25", "run 2"]),
        ({"polars": pl.DataFrame(columns(RESULTS, "score"))}, ["polars"]),
        (RESULTS, ["run"]),
        ([RESULTS, RESULTS], ["run 1", "run 2"]),
        ([("1", "x", 3.0), ("1", "7", 1.0), ("1", "007", 1.0)], ["run"]),
        ([], []),
        ({}, []),
    ],
)
def test_one_run_several_by_name_or_a_list_are_told_apart(given: RunsLike, names: list[str]) -> None:
    runs = runs_from(given)
    assert [run.name for run in runs] == names
    assert all(run.rankings == RANKING for run in runs)


def test_frames_keep_the_texts_they_have() -> None:
    frame = {"qid": ["1"], "query": ["red shoes"], "docno": ["d"], "title": ["A shoe"]}
    for library in (pd.DataFrame, pl.DataFrame):
        judgments = judgments_from(library({**frame, "label": [1]}))
        assert (judgments.query_texts, judgments.texts) == ({"1": "red shoes"}, {"d": "A shoe"})
        run = run_from(library({**frame, "score": [1.0]}))
        assert (run.query_texts, run.texts) == ({"1": "red shoes"}, {"d": "A shoe"})


def test_numeric_ids_are_refused_with_the_librarys_own_remedy() -> None:
    numbers = {"query_id": [1], "doc_id": ["d"], "relevance": [1]}
    with pytest.raises(InputError, match=r'read the file with dtype=\{"query_id": str\}'):
        judgments_from(pd.DataFrame(numbers))
    with pytest.raises(InputError, match=r'read the file with schema_overrides=\{"query_id": pl\.String\}'):
        judgments_from(pl.DataFrame(numbers))


@pytest.mark.parametrize(
    ("read", "given", "told"),
    [
        (
            judgments_from,
            3,
            'judgments: an object of type int cannot be read: "3". Give records with query_id, doc_id and relevance',
        ),
        (judgments_from, b"q 0 d 1", "an object of type bytes cannot be read"),
        (judgments_from, [Judgment("q", "d", 1), "q d 1"], "record 2: this is none of the records with query_id"),
        (judgments_from, [("q", "d", "abc")], "record 1, grade: the grade is no number"),
        (judgments_from, [], "there is no judgment in it"),
        (judgments_from, {}, "there is no judgment in it"),
        (judgments_from, {"q": 3}, '["q"]: an object is needed here'),
        (judgments_from, {"q": {"d": None, "e": "x"}}, 'query "q", document "e", grade: the grade is no number'),
        (run_from, [Found("q", "d", float("nan"))], "run, record 1, score: the score is no number"),
        (run_from, [Found("q", "d", 1), Found("q", "d", 2)], "has this document already in record 1"),
        (run_from, [Found("q", "d\n", 1)], "a control character in a name"),
        (run_from, pl.DataFrame({"query_id": ["q"], "doc_id": ["d"]}), 'there is no column "score"'),
    ],
)
def test_what_cannot_be_read_is_said(read: Callable[[object], object], given: object, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(given)
    assert told in str(caught.value)
