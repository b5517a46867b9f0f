"""A large run is read a chunk at a time: the same values, the same notes, the same refusals as the plain way."""

import gzip
import random
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from unittest.mock import patch

import pytest
import zstandard
from conftest import Command
from hypothesis import given, settings
from hypothesis import strategies as st

from workbook_builder import large, large_chunk, scoring_files
from workbook_builder.errors import InputError
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.inputs import Judgments
from workbook_builder.measures import METRICS, Measure, parse_measures
from workbook_builder.readers.trec import read_run
from workbook_builder.scoring import RunScores, score

TOLERANCE = 1e-12
EVERY = tuple(
    Measure(name, k)
    for name, metric in METRICS.items()
    for k in (1, 2, 3, 10, None)
    if k is not None or metric.cutoff == "optional"
)
GAINS = [LINEAR, EXPONENTIAL, Gain.parse("0=0,1=.01,2=.1,3=1"), Gain.parse("-1=0,0=0,0.5=.5,1=1,2=2,3=9")]
JUDGMENTS = Judgments({"1": {"a": 2.0, "b": 0.0, "c": 1.0}, "2": {"a": 1.0}, "3": {"a": 0.0}})


def by_chunks(
    judgments: Judgments,
    path: Path,
    measures: tuple[Measure, ...] = EVERY,
    gain: Gain = LINEAR,
    relevant_from: float = 1,
) -> RunScores | None:
    return scoring_files._large(judgments, path, path.stem, measures, gain, relevant_from)


def by_reference(
    judgments: Judgments,
    path: Path,
    measures: tuple[Measure, ...] = EVERY,
    gain: Gain = LINEAR,
    relevant_from: float = 1,
) -> RunScores:
    return score(judgments, read_run(path, path.stem), measures, gain=gain, relevant_from=relevant_from).runs[0]


def assert_same(ours: RunScores | None, reference: RunScores) -> None:
    assert ours is not None
    assert list(ours.per_query) == list(reference.per_query)
    for query, values in reference.per_query.items():
        assert ours.per_query[query] == pytest.approx(values, rel=TOLERANCE, abs=TOLERANCE), query
    assert ours.mean == pytest.approx(reference.mean, rel=TOLERANCE, abs=TOLERANCE)
    assert ours.notes == reference.notes


def written(path: Path, lines: Iterable[tuple[str, str, object]], separator: str = " ", tag: str = "tag") -> Path:
    rows = [[query, "Q0", doc, "1", str(given), *([tag] if tag else [])] for query, doc, given in lines]
    path.write_text("".join(separator.join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def random_run(seed: int, order: str) -> tuple[Judgments, list[tuple[str, str, float]]]:
    """12 queries, some unanswered, unjudged or without anything relevant, with many ties."""
    rng = random.Random(seed)
    grades = [-1.0, 0.0, 0.0, 1.0, 2.0, 3.0]
    judged = {
        f"q{n}": {f"doc{doc}": rng.choice(grades) for doc in rng.sample(range(60), rng.randint(1, 30))}
        for n in range(10)
    }
    results = [
        (f"q{n}", f"doc{doc}", rng.choice([rng.random(), rng.randint(0, 6) / 2, -0.0, 1e-300, float("inf")]))
        for n in rng.sample(range(12), 9)
        for doc in rng.sample(range(60), rng.randint(1, 50))
    ]
    if order == "by score, low to high":
        results.sort(key=lambda row: row[2])
        results.sort(key=lambda row: row[0])
    if order == "by score":
        places = {query: at for at, query in enumerate(dict.fromkeys(query for query, _, _ in results))}
        results.sort(key=lambda row: (places[row[0]], -row[2]))
    return Judgments(judged), results


@pytest.mark.parametrize("gain", GAINS, ids=str)
@pytest.mark.parametrize("order", ["by score", "by score, low to high", "by query"])
@pytest.mark.parametrize("seed", range(2))
def test_every_measure_and_note_is_that_of_the_reference(seed: int, order: str, gain: Gain, tmp_path: Path) -> None:
    judgments, results = random_run(seed, order)
    path = written(tmp_path / "run.txt", results)
    for threshold in (1, 2):
        ours = by_chunks(judgments, path, EVERY, gain, threshold)
        assert_same(ours, by_reference(judgments, path, EVERY, gain, threshold))


ids = st.text(st.sampled_from("ab9Z_'\"\\ä\U0001f600"), min_size=1, max_size=3)
scores = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.5, float("inf"), float("-inf"), 1e-320]), st.floats(allow_nan=False)
)
pools = st.dictionaries(ids, st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0]), min_size=1, max_size=5)
rankings = st.dictionaries(ids, scores, min_size=1, max_size=8)


@settings(max_examples=40)
@given(
    st.dictionaries(ids, pools, min_size=1, max_size=4),
    st.dictionaries(ids, rankings, min_size=1, max_size=4),
    st.sampled_from(GAINS[:2]),
    st.sampled_from([" ", "\t"]),
    st.sampled_from(["tag", ""]),
    st.randoms(use_true_random=False),
)
def test_whatever_the_ids_scores_and_order_the_two_ways_agree(
    tmp_path_factory: pytest.TempPathFactory,
    judged: dict[str, dict[str, float]],
    results: dict[str, dict[str, float]],
    gain: Gain,
    separator: str,
    tag: str,
    rng: random.Random,
) -> None:
    judgments = Judgments(judged)
    lines = [(query, doc, given) for query, found in results.items() for doc, given in found.items()]
    rng.shuffle(lines)
    lines.sort(key=itemgetter(0))
    path = written(tmp_path_factory.getbasetemp() / "run.txt", lines, separator, tag)
    if judged.keys() & results.keys():
        assert_same(by_chunks(judgments, path, EVERY, gain), by_reference(judgments, path, EVERY, gain))
        return
    with pytest.raises(InputError) as plain:
        by_reference(judgments, path, EVERY, gain)
    with pytest.raises(InputError) as caught:
        by_chunks(judgments, path, EVERY, gain)
    assert str(caught.value) == str(plain.value)


LEFT_TO_THE_PLAIN_READER = {
    "a document twice": "1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n",
    "a document twice, far apart": "1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n",
    "a score that is no number": "1 Q0 a 1 3 t\n1 Q0 b 2 high t\n",
    "a score that is NaN": "1 Q0 a 1 3 t\n1 Q0 b 2 nan t\n",
    "a score with an underscore": "1 Q0 a 1 3_000 t\n1 Q0 b 2 1 t\n",
    "a missing score": "1 Q0 a 1 3\n1 Q0 b 2 \n",
    "too few columns": "1 Q0 a 1 3 t\n1 Q0 b\n",
    "words after the tag": "1 Q0 a 1 3 t\n1 Q0 b 2 2 t more words\n",
    "several blanks": "1 Q0 a 1 3 t\n1 Q0  b 2 2\n",
    "a blank at the start of a later line": "1 Q0 a 1 3 t\n 1 Q0 b 2 2\n",
    "a tab among blanks": "1 Q0 a 1 3 t\n1 Q0 b\tx 2 2 t\n",
    "a blank among tabs": "1\tQ0\ta\t1\t3\tt\n1\tQ0\tb x\t2\t2\tt\n",
    "a comment of six words": "1 Q0 a 1 3 t\n# Q0 b 2 2 t\n",
    "a comment first": "# a comment\n1 Q0 a 1 3 t\n",
    "line ends of Windows": "1 Q0 a 1 3 t\r\n1 Q0 b 2 2 t\r\n",
    "a byte order mark": "\ufeff1 Q0 a 1 3 t\n",
    "a control character": "1 Q0 a 1 3 t\n1 Q0 b\x01 2 2 t\n",
    "an invisible mark": "1 Q0 a 1 3 t\n1 Q0 b\ufeff 2 2 t\n",
    "queries that take turns": "1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 b 2 2 t\n",
    "a blank line between others": "1 Q0 a 1 3 t\n\n1 Q0 b 2 2 t\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", LEFT_TO_THE_PLAIN_READER.values(), ids=LEFT_TO_THE_PLAIN_READER)
def test_whatever_is_odd_is_left_to_the_plain_reader(text: str, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text, encoding="utf-8", newline="")
    assert scoring_files._large(JUDGMENTS, path, "run", EVERY, LINEAR, 1) is None


@pytest.mark.parametrize("text", LEFT_TO_THE_PLAIN_READER.values(), ids=LEFT_TO_THE_PLAIN_READER)
def test_an_odd_file_ends_in_the_same_words_whatever_its_size(
    text: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among them the line and the remedy of a document listed twice, and the values of what is odd and allowed."""
    (tmp_path / "qrels.txt").write_text("1 0 a 2\n1 0 b 1\n")
    (tmp_path / "run.txt").write_text(text, encoding="utf-8", newline="")
    plain = command("score", "qrels.txt", "run.txt", "--json")
    monkeypatch.setattr(scoring_files, "LARGE", 0)
    assert command("score", "qrels.txt", "run.txt", "--json") == plain
    assert plain.code == (0 if plain.out else 2)


def test_a_file_that_is_not_utf_8_or_no_gzip_to_its_end_is_left_to_the_plain_reader(tmp_path: Path) -> None:
    latin, broken = tmp_path / "latin.txt", tmp_path / "broken.gz"
    latin.write_bytes(b"1 Q0 a 1 3 t\n1 Q0 \xe4 2 2 t\n")
    broken.write_bytes(gzip.compress(b"1 Q0 a 1 3 t\n" * 1000)[:-20])
    for path in (latin, broken):
        assert scoring_files._large(JUDGMENTS, path, "run", EVERY, LINEAR, 1) is None


@pytest.mark.parametrize("end", ["\n", "", "\n\n"], ids=repr)
def test_blank_lines_at_the_end_and_a_last_line_without_its_end_are_fine(end: str, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text(f"1 Q0 b 1 3 t\n1 Q0 a 2 2 t{end}")
    assert_same(by_chunks(JUDGMENTS, path), by_reference(JUDGMENTS, path))


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
def test_where_the_file_is_cut_changes_nothing(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judgments, results = random_run(5, "by score")
    path = written(tmp_path / "run.txt", results)
    monkeypatch.setattr(large, "CHUNK", chunk)
    assert b"".join(large._blocks(path, b" ")) == path.read_bytes()
    assert_same(by_chunks(judgments, path), by_reference(judgments, path))


@given(st.floats(allow_nan=False).map(repr) | st.decimals(allow_nan=False, allow_infinity=False).map(str))
def test_every_score_is_read_as_the_plain_reader_reads_it(text: str) -> None:
    lines = large_chunk.split(f"1 Q0 a 1 {text} t\n1 Q0 b 2 -.5 t\n1 Q0 c 3 7. t\n".encode(), " ", 6)
    assert lines is not None
    read = large_chunk.scores(lines)
    assert read is not None
    assert read.tolist() == [float(text), -0.5, 7.0]


def test_compressed_runs_are_known_by_their_first_bytes(tmp_path: Path) -> None:
    judgments, results = random_run(7, "by score")
    plain = written(tmp_path / "run.txt", results)
    expected = by_reference(judgments, plain)
    for name, packed in (("gzip", gzip.compress), ("zstd", zstandard.compress)):
        path = tmp_path / name
        path.write_bytes(packed(plain.read_bytes()))
        found = scoring_files._large(judgments, path, "run", EVERY, LINEAR, 1)
        assert found is not None
        assert found.per_query["q1"] == pytest.approx(expected.per_query["q1"], abs=TOLERANCE)


@pytest.mark.parametrize(
    ("lines", "gain", "told"),
    [
        ([("01", "a", 1)], LINEAR, 'no query in common: judgments judges "1", run answers "01"'),
        ([("1", "a", 1)], Gain.parse("0=0,1=1"), 'no gain is given for the grade: "2"'),
        ([("1", "zz", 1)], Gain.parse("0=.5,1=1,2=2"), "results that nobody judged would earn it"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_the_same_words(
    lines: list[tuple[str, str, object]], gain: Gain, told: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "run.txt", lines)
    with pytest.raises(InputError) as caught:
        scoring_files._large(JUDGMENTS, path, "run", EVERY, gain, 1)
    with pytest.raises(InputError) as plain:
        by_reference(JUDGMENTS, path, EVERY, gain)
    assert str(caught.value) == str(plain.value)
    assert told in str(caught.value)


def test_the_command_prints_the_same_whichever_way_it_takes(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judgments, results = random_run(3, "by score")
    run = written(tmp_path / "bm25.txt", results)
    other = written(tmp_path / "odd.txt", [*results, ("q1", "doc99", "1_0")][:-1], separator="  ")
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{q} 0 {d} {g:g}\n" for q, judged in judgments.grades.items() for d, g in judged.items()))
    arguments = ("score", qrels, run, other, "--metric", "nDCG@5", "--metric", "AP", "--per-query", "--json")
    plain = command(*arguments)
    monkeypatch.setattr(scoring_files, "LARGE", 0)
    with patch.object(large, "found", wraps=large.found) as taken:
        assert command(*arguments) == plain
    assert [call.args[1] for call in taken.call_args_list] == [run, other]


def test_a_wrong_order_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: results of equal score left as the file lists them are noticed."""
    judgments, results = random_run(1, "by score")
    path = written(tmp_path / "run.txt", results)
    monkeypatch.setattr(large, "sorted", lambda found, **_: list(found), raising=False)
    with pytest.raises(AssertionError):
        assert_same(by_chunks(judgments, path), by_reference(judgments, path))


def test_measures_of_a_large_run_are_those_asked_for_in_their_order(tmp_path: Path) -> None:
    path = written(tmp_path / "run.txt", [("1", "a", 1)])
    found = scoring_files._large(JUDGMENTS, path, "run", parse_measures(["RR", "P@5"]), LINEAR, 1)
    assert found is not None
    assert found.per_query == {"1": {"RR": 1.0, "P@5": 0.2}, "2": {"RR": 0.0, "P@5": 0.0}, "3": {"RR": 0.0, "P@5": 0.0}}
