"""A file opens as text however it was saved, or says in one line why it cannot."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from workbook_builder.errors import InputError
from workbook_builder.readers.text import read_text

TEXT = "1 0 größe 2\n1 0 b 0\n"


@pytest.mark.parametrize(
    "raw",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        gzip.compress(TEXT.encode("utf-8-sig"), mtime=0),
        gzip.compress(TEXT[:10].encode(), mtime=0) + gzip.compress(TEXT[10:].encode(), mtime=0),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16", "utf-16 big end", "crlf", "cr", "gzip", "gzip in two members"],
)
def test_the_same_text_comes_out_of_every_way_to_save_it(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "any.name"
    file.write_bytes(raw)
    assert read_text(file) == TEXT


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT.encode()))))
    assert read_text("-") == TEXT


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"1 0 a 1\n1 0 \xff 1\n", "line 2: this is not UTF-8 text. Save the file as UTF-8."),
        (b"\xff\xfe1", "this is not UTF-16 text"),
        (b"a\nb\0c", "line 2: this is not text: it holds zero bytes"),
        (gzip.compress(TEXT.encode() * 99, mtime=0)[:-12], "the gzip file ends too early"),
        (gzip.compress(TEXT.encode(), mtime=0)[:10] + b"\xff" * 99, "the gzip file is damaged"),
        (b"PK\x03\x04rest", "a zip archive or a workbook, not text"),
        (b"BZh91AY", "compressed with bzip2"),
        (b"PAR1rest", "a parquet file"),
    ],
    ids=["not utf-8", "half utf-16", "zero bytes", "truncated gzip", "damaged gzip", "workbook", "bzip2", "parquet"],
)
def test_what_is_no_text_is_refused_with_the_reason(tmp_path: Path, raw: bytes, told: str) -> None:
    file = tmp_path / "input.txt"
    file.write_bytes(raw)
    with pytest.raises(InputError) as caught:
        read_text(file)
    assert told in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_path_that_cannot_be_read_is_told_apart(tmp_path: Path) -> None:
    for path, told in (
        (tmp_path / "nowhere.txt", "there is no such file"),
        (tmp_path, "this is a folder"),
        (tmp_path / ("x" * 400), "it cannot be read"),
        ("a\0b", "it cannot be read"),
    ):
        with pytest.raises(InputError, match=told):
            read_text(path)
