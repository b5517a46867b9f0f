"""convert writes judgments and runs as TREC or CSV, and they come back as they were."""

import io
from pathlib import Path

import pandas as pd
import pytest
from conftest import Command
from hypothesis import given
from hypothesis import strategies as st
from inputs_in_every_format import JUDGMENTS, MUST_BE_SAID, RUNS

from workbook_builder import read_judgments, read_results, score
from workbook_builder.converted import WRITERS, converted
from workbook_builder.errors import InputError
from workbook_builder.inputs import UNLISTED, Judgments, Run
from workbook_builder.readers.formats import read_either
from workbook_builder.readers.text import Content, has_control
from workbook_builder.readers.trec import in_order

ids = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6).filter(
    lambda text: text == text.strip() and not has_control(text)
)
plain_ids = ids.filter(lambda text: not any(map(str.isspace, text)) and not text.startswith("#"))
numbers = st.floats(-1e9, 1e9, allow_nan=False)


def nested(names: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, dict[str, float]]]:
    return st.dictionaries(names, st.dictionaries(names, numbers, min_size=1, max_size=4), min_size=1, max_size=4)


def run_of(found: dict[str, dict[str, float]]) -> Run:
    ordered = {query: in_order(list(listed), list(listed.values())) for query, listed in found.items()}
    return Run("r", {q: docs for q, (docs, _) in ordered.items()}, {q: scores for q, (_, scores) in ordered.items()})


def again(text: str, kind: str, name: str) -> Judgments | Run:
    """What the text reads as, without a file."""
    from workbook_builder.readers.formats import FORMATS  # noqa: PLC0415
    from workbook_builder.readers.given import Given  # noqa: PLC0415

    source = Given(Content("text", text.encode()), "text")
    judgments, run = FORMATS[name].judgments, FORMATS[name].run
    assert judgments is not None
    assert run is not None
    return judgments(source) if kind == "judgments" else run(source, "r")


@given(nested(plain_ids))
def test_trec_comes_back_as_it_was(values: dict[str, dict[str, float]]) -> None:
    back = again(converted(Judgments(values), "trec"), "judgments", "trec")
    assert isinstance(back, Judgments)
    assert back.grades == values
    run = run_of(values)
    found = again(converted(run, "trec"), "run", "trec")
    assert isinstance(found, Run)
    assert (found.rankings, found.scores) == (run.rankings, run.scores)


@given(nested(ids))
def test_csv_comes_back_as_it_was_whatever_the_ids(values: dict[str, dict[str, float]]) -> None:
    texts = {doc: "A title" for judged in values.values() for doc in judged}
    back = again(converted(Judgments(values, texts=texts), "csv"), "judgments", "csv")
    assert isinstance(back, Judgments)
    assert (back.grades, back.texts) == (values, texts)
    run = run_of(values)
    found = again(converted(run, "csv"), "run", "csv")
    assert isinstance(found, Run)
    assert (found.rankings, found.scores) == (run.rankings, run.scores)


def test_ranks_with_gaps_come_back_from_csv_and_are_refused_by_trec() -> None:
    run = Run("r", {"q": (UNLISTED, "a", UNLISTED, "b")})
    text = converted(run, "csv")
    assert text == "query_id,doc_id,rank\nq,a,2\nq,b,4\n"
    back = again(text, "run", "csv")
    assert isinstance(back, Run)
    assert back.rankings == run.rankings
    with pytest.raises(InputError, match=r'1 rankings have gaps, as rank 1 of query "q".*Say --to csv'):
        converted(run, "trec")


def test_a_run_without_scores_keeps_its_order_in_trec() -> None:
    assert converted(Run("my run", {"q": ("b", "a", "c")}), "trec") == (
        "q Q0 b 1 3 my_run\nq Q0 a 2 2 my_run\nq Q0 c 3 1 my_run\n"
    )


@pytest.mark.parametrize("query", ["red shoes", "a\u00a0b", "#tag"])
def test_ids_that_trec_cannot_hold_are_refused_with_the_way_out(query: str) -> None:
    with pytest.raises(InputError, match=r"1 ids hold a blank.*Say --to csv"):
        converted(Judgments({query: {"d": 1.0}}), "trec")
    with pytest.raises(InputError, match="document: 1 ids hold a blank"):
        converted(Run("r", {"q": ("a b",)}), "trec")


def test_pandas_scores_what_was_written_as_csv() -> None:
    read = {"dtype": {"query_id": str, "doc_id": str}}
    judged = pd.read_csv(io.StringIO(converted(Judgments({"1": {"007": 2.0}}), "csv")), **read)  # type: ignore[call-overload]
    found = pd.read_csv(io.StringIO(converted(run_of({"1": {"007": 1.5}}), "csv")), **read)  # type: ignore[call-overload]
    assert score(judged, found, ["RR"]).runs[0].mean == {"RR": 1.0}


@pytest.mark.parametrize("to", WRITERS)
@pytest.mark.parametrize(
    ("kind", "name"), [*(("judgments", name) for name in JUDGMENTS), *(("run", name) for name in RUNS)]
)
def test_every_format_can_be_written(tmp_path: Path, kind: str, name: str, to: str) -> None:
    file = tmp_path / "in"
    file.write_bytes((JUDGMENTS if kind == "judgments" else RUNS)[name]())
    said = name if name in MUST_BE_SAID else None
    before = read_either(file, kind, said)
    (tmp_path / "out").write_text(converted(before, to), encoding="utf-8")
    if isinstance(before, Judgments):
        assert read_judgments(tmp_path / "out").grades == before.grades
    else:
        assert read_results(tmp_path / "out").rankings == before.rankings


def test_the_verb_writes_a_file_or_standard_output_and_tells_its_notes(command: Command, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("query;doc;score\nq;a;0,5\n")
    done = command("convert", "in.csv", "--to", "trec")
    assert (done.code, done.out) == (0, "q Q0 a 1 0.5 in\n")
    assert "Note: in.csv: commas in numbers are decimal commas" in done.err
    assert command("convert", "in.csv", "--to", "trec", "-o", "-").out == done.out
    assert command("convert", "in.csv", "--to", "csv", "-o", "sub/out.csv").out == ""
    assert (tmp_path / "sub" / "out.csv").read_text() == "query_id,doc_id,rank,score\nq,a,1,0.5\n"


def test_the_verb_writes_nothing_when_something_is_wrong(command: Command, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("query,doc,grade\nred shoes,a,1\n")
    for arguments, told in (
        (("--to", "trec", "-o", "out"), "hold a blank"),
        (("--to", "tsv", "-o", "out"), "--to: there is no such form"),
        (("--to", "csv", "--kind", "runs", "-o", "out"), 'there is no such kind: "runs". Did you mean run?'),
        (("--to", "csv", "--kind", "run", "-o", "out"), "there is neither a score nor a rank"),
        (("--to", "csv", "-o", "in.csv"), "in.csv is the file that is read, and it stays as it is"),
        (("--to", "csv", "-o", "."), ". cannot be written"),
    ):
        done = command("convert", "in.csv", *arguments)
        assert (done.code, done.out) == (2, "")
        assert told in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_list_names_every_format(command: Command) -> None:
    assert "  letor: LETOR and SVMlight: 4 qid:1 ... # document (judgments)\n" in command("list").out
