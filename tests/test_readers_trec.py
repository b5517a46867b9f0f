"""TREC judgments and runs are read as trec_eval reads them; what it lets pass in silence is said."""

import gzip
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbook_builder.errors import InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.exercise import read_exercise
from workbook_builder.readers.formats import read_judgments, read_results
from workbook_builder.readers.table import read_exercise_csv
from workbook_builder.readers.text import has_control
from workbook_builder.readers.trec import (
    _examined_judgments,
    _judged,
    _ranked,
    _run_faults,
    read_qrels,
    read_run,
    run_name,
)
from workbook_builder.source import read_source


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bm25.run.txt"


def qrels(file: Path, text: str) -> Judgments:
    file.write_text(text, encoding="utf-8")
    return read_qrels(file)


def run(file: Path, text: str) -> Run:
    file.write_text(text, encoding="utf-8")
    return read_run(file)


def faults_of(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [
        str(fault).partition(": ")[0].rpartition(".txt")[2] + ": " + str(fault).partition(": ")[2]
        for fault in error.value.faults
    ]


def test_judgments_keep_their_order_and_their_ids_as_text(file: Path) -> None:
    read = qrels(file, "003 0 d2 1\n3 Q0 d1 -2\n003 0 d1 0.5\n")
    assert read.grades == {"003": {"d2": 1.0, "d1": 0.5}, "3": {"d1": -2.0}}
    assert list(read.grades) == ["003", "3"]
    assert read.notes == ()


def test_a_run_is_ordered_by_score_whatever_its_rank_column_says(file: Path) -> None:
    read = run(file, "1 Q0 low 0 1.5 t\n1 Q0 high 7 1e1 t\n1 Q0 mid -3 2 t\n")
    assert read.rankings == {"1": ("high", "mid", "low")}
    assert read.scores == {"1": (10.0, 2.0, 1.5)}


def test_ties_are_ordered_by_document_id_descending_as_text(file: Path) -> None:
    read = run(file, "1 Q0 d9 1 5 t\n1 Q0 d10 2 5 t\n1 Q0 ä 3 5 t\n1 Q0 z 4 5.0 t\n")
    assert read.rankings["1"] == ("ä", "z", "d9", "d10")


def test_scores_are_compared_as_doubles_and_infinities_are_ordered(file: Path) -> None:
    read = run(
        file, "1 Q0 a 1 0.1 t\n1 Q0 b 2 0.10000000000000000001 t\n1 Q0 c 3 -inf t\n1 Q0 d 4 inf t\n1 Q0 e 5 1e-300 t\n"
    )
    assert read.rankings["1"] == ("d", "b", "a", "e", "c")


def test_queries_may_be_interleaved(file: Path) -> None:
    read = run(file, "1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n1 Q0 c 1 2 t\n")
    assert read.rankings == {"1": ("c", "a"), "2": ("b",)}


def test_blank_lines_comments_tabs_leading_blanks_and_words_after_the_tag_are_fine(file: Path) -> None:
    text = "\n# a comment of six words here\n  1\tQ0 \t a 1  2 tag more words\t\n \t\n1 Q0 b 2 1\n"
    assert run(file, text).rankings == {"1": ("a", "b")}
    assert qrels(file, "#c\n\n 1\t0  a 1 \t\n").grades == {"1": {"a": 1.0}}


def test_only_blanks_and_tabs_separate_columns(file: Path) -> None:
    assert qrels(file, "q\u00a01 0 doc\u20281 1\n").grades == {"q\u00a01": {"doc\u20281": 1.0}}


def test_a_form_feed_in_a_comment_harms_nobody(file: Path) -> None:
    assert run(file, "# page\f2\n1 Q0 a 1 2 t\n").rankings == {"1": ("a",)}
    assert qrels(file, "# page\f2\n1 0 a 1\n").grades == {"1": {"a": 1.0}}


def test_a_run_is_called_by_its_files_stem(tmp_path: Path) -> None:
    (tmp_path / "bm25.txt.gz").write_bytes(gzip.compress(b"1 Q0 a 1 2 t\n"))
    assert read_run(tmp_path / "bm25.txt.gz").name == "bm25"
    assert read_run(tmp_path / "bm25.txt.gz", "tuned").name == "tuned"
    assert [run_name(path) for path in ("a/b.run", "b", "b.gz", "-")] == ["b", "b", "b", "stdin"]
    assert [run_name(path) for path in ("bm25.v2.gz", "bm25.txt.gz", "bm25.v2.txt")] == ["bm25.v2", "bm25", "bm25.v2"]
    assert [run_name(path) for path in ("bm25.run.zst", "bm25.csv.gz", "bm25.v2.zst")] == ["bm25", "bm25", "bm25.v2"]


def test_the_same_judgment_twice_counts_once_and_is_said(file: Path) -> None:
    read = qrels(file, "1 0 a 1\n1 0 b 0\n1 0 a 1.0\n")
    assert read.grades == {"1": {"a": 1.0, "b": 0.0}}
    assert 'line 3 repeats line 1, query "1", document "a"' in read.notes[0]


def test_every_fault_of_judgments_is_told_at_once_with_its_line(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        qrels(file, "1 0 a 1\n1 0 a 2\n1 0 b abc\n1 0 c nan\n1 0 d inf\n1 0 e 1_0\n1 0 f\n1 Q0 g 1 2 t\n1 0 h 1e300\n")
    told = faults_of(caught)
    assert told[0] == ', line 2, grade: query "1", document "a" was judged 1 in line 1, here: "2". Keep one of the two.'
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert "4 columns are needed, here are 3" in told[5]
    assert "Is this the run?" in told[6]


def test_every_fault_of_a_run_is_told_at_once_with_its_line(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        run(file, "1 Q0 a 1 nan t\n1 Q0 b 2 abc t\n1 Q0 c 3 1 t\n1 Q0 c 4 0 t\n1 0 d 1\n1 d 1\n1 Q0 \x01e 1 1 t\n")
    told = faults_of(caught)
    assert told[0] == ', line 1, score: the score is no number: "nan". Give a number.'
    assert (
        told[2] == ', line 4, document: query "1" has this document already in line 3: "c". Keep one of the two lines.'
    )
    assert "Are these the judgments?" in told[3]
    assert "6 columns are needed, here are 3" in told[4]
    assert told[5] == ', line 7, document: a control character in a name: "\\x01e". Remove it.'
    assert [fault.line for fault in caught.value.faults] == [1, 2, 4, 5, 6, 7]


def test_a_thousand_faults_are_shown_as_twenty_and_a_count(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        run(file, "just words\n" * 1000)
    assert str(caught.value).endswith("... and 980 more")


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_a_file_without_a_line_is_refused(file: Path, text: str) -> None:
    with pytest.raises(InputError, match="there is no result in it"):
        run(file, text)
    with pytest.raises(InputError, match="there is no judgment in it"):
        qrels(file, text)


@pytest.mark.parametrize(
    "reader", [read_qrels, read_run, read_judgments, read_results, read_exercise, read_exercise_csv, read_source]
)
def test_every_reader_refuses_a_missing_file_without_a_traceback(
    reader: Callable[[Path], object], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        reader(tmp_path / "nowhere")


fields = st.sampled_from(["1", "q", "a", "b", "0.5", "nan", "1_0", "inf", "x\x01", "\u0661", "-1", "#", "1e999", ""])
lines = st.lists(st.lists(fields, max_size=7).map(" ".join), max_size=6)


@given(lines)
def test_the_fast_way_and_the_careful_way_agree_on_every_run(text: list[str]) -> None:
    if any(map(has_control, text)):
        return
    ranked = _ranked(text, str.split)
    assert (ranked is None) == bool(list(_run_faults("run", text, str.split)))
    if ranked is not None:
        assert not any(math.isnan(score) for scores in ranked[1].values() for score in scores)


@given(lines)
def test_the_fast_way_and_the_careful_way_agree_on_all_judgments(text: list[str]) -> None:
    if any(map(has_control, text)):
        return
    fast = _judged(text, str.split)
    try:
        careful, notes = _examined_judgments("qrels", text, str.split)
    except InputError:
        assert fast is None
    else:
        assert fast == careful or (fast is None and notes)
