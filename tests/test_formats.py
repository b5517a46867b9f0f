"""Judgments and runs are read from whatever people have, recognised by what is in the file."""

import gzip
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from inputs_in_every_format import BINARY, GRADES, JUDGMENTS, MUST_BE_SAID, RANKINGS, RUNS

from workbook_builder import read_judgments, read_results, score
from workbook_builder.errors import InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.formats import FORMATS, read_either, recognised
from workbook_builder.readers.given import given

Pack = Callable[[bytes], bytes]

PACKED: dict[str, Pack] = {
    "as it is": lambda raw: raw,
    "gzip": gzip.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "zstd in two frames": lambda raw: (
        zstandard.ZstdCompressor().compress(raw[:9]) + zstandard.ZstdCompressor().compress(raw[9:])
    ),
}
WRITTEN: dict[str, Pack] = {
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "UTF-16": lambda raw: raw.decode().encode("utf-16"),
    "UTF-16, big end first": lambda raw: b"\xfe\xff" + raw.decode().encode("utf-16-be"),
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "CR": lambda raw: raw.replace(b"\n", b"\r"),
    "no last line end": lambda raw: raw.rstrip(b"\n"),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A name whose ending says nothing."""
    return tmp_path / "found.dat"


def bare(judgments: Judgments) -> dict[str, dict[str, float]]:
    """The grades, without the index that Elasticsearch's documents are in."""
    return {q: {d.removeprefix("shop/"): g for d, g in judged.items()} for q, judged in judgments.grades.items()}


def order(run: Run) -> dict[str, tuple[str, ...]]:
    return {query: tuple(doc.removeprefix("shop/") for doc in docs) for query, docs in run.rankings.items()}


def said(name: str) -> str | None:
    return name if name in MUST_BE_SAID else None


def test_every_format_is_tried_here_in_all_that_it_holds() -> None:
    assert {name for name, known in FORMATS.items() if known.judgments} == set(JUDGMENTS)
    assert {name for name, known in FORMATS.items() if known.run} == set(RUNS)


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments_are_recognised_by_their_content_and_read(file: Path, name: str, packed: str) -> None:
    file.write_bytes(PACKED[packed](JUDGMENTS[name]()))
    assert recognised(given(file)) == name
    assert bare(read_judgments(file)) == GRADES
    assert bare(read_judgments(file, name)) == GRADES


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_recognised_by_its_content_and_read(file: Path, name: str, packed: str) -> None:
    file.write_bytes(PACKED[packed](RUNS[name]()))
    assert recognised(given(file), said(name)) == name
    assert order(read_results(file, format=said(name))) == RANKINGS
    assert order(read_results(file, format=name)) == RANKINGS


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("name", sorted(JUDGMENTS.keys() - BINARY))
def test_encodings_and_line_ends_change_no_judgment(file: Path, name: str, written: str) -> None:
    file.write_bytes(WRITTEN[written](JUDGMENTS[name]()))
    assert bare(read_judgments(file)) == GRADES


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("name", sorted(RUNS.keys() - BINARY))
def test_encodings_and_line_ends_change_no_run(file: Path, name: str, written: str) -> None:
    file.write_bytes(WRITTEN[written](RUNS[name]()))
    assert order(read_results(file, format=said(name))) == RANKINGS


@pytest.mark.parametrize("name", RUNS)
def test_standard_input_is_as_good_as_a_file(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(RUNS[name]()))))
    run = read_results("-", format=said(name))
    assert (order(run), run.name) == (RANKINGS, "stdin")


def test_a_pipe_that_can_be_read_once_is_as_good_as_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "bm25.trec"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(RUNS["trec"]()))
    writer.start()
    run = read_results(pipe)
    writer.join()
    assert (order(run), run.name) == (RANKINGS, "bm25")


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_says_what_it_holds(name: str) -> None:
    known = FORMATS[name]
    assert known.meaning
    assert known.holds in {"judgments", "a run", "judgments or a run"}


@pytest.mark.parametrize("name", sorted(JUDGMENTS.keys() & RUNS.keys()))
def test_what_a_file_holds_is_found_out_or_asked_for(file: Path, name: str) -> None:
    for contents, kind, expected in ((JUDGMENTS, "judgments", Judgments), (RUNS, "run", Run)):
        file.write_bytes(contents[name]())
        assert isinstance(read_either(file, kind), expected)
        if name in {"ranx", "excel"} or (name, kind) == ("parquet", "run"):
            file.write_bytes(RUNS[name]())
            with pytest.raises(InputError, match=r"may be judgments or a run\. Say --kind judgments or --kind run"):
                read_either(file)
        else:
            assert isinstance(read_either(file), expected)


@pytest.mark.parametrize("name", sorted(JUDGMENTS.keys() - RUNS.keys()))
def test_judgments_given_for_a_run_are_told_what_they_are(file: Path, name: str) -> None:
    file.write_bytes(JUDGMENTS[name]())
    with pytest.raises(InputError) as caught:
        read_results(file)
    assert f"this is {FORMATS[name].meaning}, and holds no run" in str(caught.value)


@pytest.mark.parametrize("name", sorted(RUNS.keys() - JUDGMENTS.keys()))
def test_a_run_given_for_judgments_is_told_what_it_is(file: Path, name: str) -> None:
    file.write_bytes(RUNS[name]())
    with pytest.raises(InputError) as caught:
        read_judgments(file, said(name))
    assert f"this is {FORMATS[name].meaning}, and holds no judgments" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"q1,d1,2\nq1,d2,0\n", 'the format is not recognised: "q1,d1,2". Begin with a header such as query_id,doc_id'),
        (b'{"a": 1}', "this JSON has none of the known forms"),
        (b'{"q1": {"d1": 2}', "line 1: this is not JSON"),
        (b'{"q1": {"d1": 2, "d1": 3}}', 'an object has this key twice: "d1"'),
        (b"[" * 100_000, "nested too deeply"),
        (b"\x04\x22\x4d\x18rest", "compressed with lz4"),
        (b"PK\x03\x04rest", "it is not an .xlsx workbook"),
        (b"PAR1rest", "no readable Parquet file"),
        (b"q1 0 d1 \xff\n", "line 1: this is not UTF-8 text"),
        (zstandard.ZstdCompressor().compress(b"q1 0 d1 1\n" * 99)[:-5], "the zstd file ends too early"),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 99, "the zstd file is damaged"),
        (gzip.compress(b"q1 0 d1 1\n" * 99, mtime=0)[:-5], "the gzip file ends too early"),
    ],
    ids=lambda value: value[:12].decode("latin-1") if isinstance(value, bytes) else None,
)
def test_what_is_in_no_format_is_refused_with_the_reason(file: Path, content: bytes, told: str) -> None:
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_judgments(file)
    assert told in str(caught.value)
    assert str(caught.value).startswith(str(file))


def test_a_format_that_does_not_exist_is_answered_with_the_nearest(file: Path) -> None:
    file.write_bytes(b"q 0 d 1\n")
    with pytest.raises(InputError, match=r"there is no such format.*Did you mean letor"):
        read_judgments(file, "leto")


def test_a_sheet_goes_with_workbooks_alone(file: Path) -> None:
    file.write_bytes(b"q 0 d 1\n")
    with pytest.raises(InputError, match="--sheet: only a workbook has sheets"):
        read_judgments(file, sheet="Judged")


def test_a_broken_text_deep_in_a_long_file_is_told_with_its_line(file: Path) -> None:
    file.write_bytes(b"query,doc,grade\n" + b"q,d,1\n" * 30_000 + b"q,\xff,1\n")
    with pytest.raises(InputError, match="line 30002: this is not UTF-8 text"):
        read_judgments(file)


def test_the_numbers_are_the_same_whatever_the_formats(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "run.dat"
    expected = None
    for judged in JUDGMENTS.keys() - {"rank-eval"}:
        for found in RUNS.keys() - {"rank-eval-response"}:
            file.write_bytes(JUDGMENTS[judged]())
            other.write_bytes(RUNS[found]())
            scores = score(read_judgments(file), read_results(other, format=said(found)), ["nDCG", "RR", "AP"])
            expected = expected or scores.runs[0].per_query
            assert scores.runs[0].per_query == expected, (judged, found)


def test_trec_files_wait_for_no_library_they_do_not_need(file: Path) -> None:
    file.write_bytes(JUDGMENTS["trec"]())
    program = (
        "import sys; from workbook_builder.readers.formats import read_judgments; "
        "read_judgments(sys.argv[1]); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file)], check=True, capture_output=True, text=True)
    assert not {"openpyxl", "duckdb", "pandas", "polars", "numpy", "zstandard", "json", "csv"} & set(
        done.stdout.split()
    )
