"""Parquet files: columns as in any table, whatever the types, and wherever the file lies."""

import gzip
from pathlib import Path

import pytest
from inputs_in_every_format import parquet

from workbook_builder.errors import InputError
from workbook_builder.readers.formats import read_judgments, read_results


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "judged.parquet"


def test_a_path_may_hold_what_would_be_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "odd [1]*"
    folder.mkdir()
    file = folder / "it's {a,b}?.parquet"
    file.write_bytes(parquet("qid VARCHAR, docid VARCHAR, label INT", [("q", "d", 1)]))
    (folder / "it's {a,b}x.parquet").write_bytes(parquet("qid VARCHAR, docid VARCHAR, label INT", [("r", "d", 1)]))
    assert read_judgments(file).grades == {"q": {"d": 1.0}}


def test_numeric_ids_are_read_as_they_stand_and_reported(file: Path) -> None:
    file.write_bytes(parquet("query_id BIGINT, doc_id DOUBLE, grade DECIMAL(4, 2)", [(300674, 7067032.0, 1.5)]))
    read = read_judgments(file)
    assert read.grades == {"300674": {"7067032": 1.5}}
    assert '2 ids are numbers and are read as they stand (the first: row 1, query_id, "300674")' in read.notes[0]


def test_ranks_alone_are_positions(file: Path) -> None:
    file.write_bytes(parquet("topic VARCHAR, docno VARCHAR, rank UTINYINT", [("q", "b", 2), ("q", "a", 1)]))
    assert read_results(file).rankings == {"q": ("a", "b")}


def test_every_fault_is_told_with_its_row(file: Path) -> None:
    rows: list[tuple[object, ...]] = [("q", "a", "1"), ("q", "b", "abc"), ("q", None, "1"), ("q", "a", "2")]
    file.write_bytes(parquet("query VARCHAR, doc VARCHAR, grade VARCHAR", rows))
    with pytest.raises(InputError) as caught:
        read_judgments(file)
    assert [str(fault).removeprefix(f"{file}, ").partition(". ")[0] for fault in caught.value.faults] == [
        'row 2, grade: the grade is no number: "abc"',
        "row 3, doc: the document is empty",
        'row 4, grade: query "q", document "a" was judged 1 in row 1, doc, here: "2"',
    ]


def test_a_column_that_is_missing_is_told_without_a_line(file: Path) -> None:
    file.write_bytes(parquet("query VARCHAR, doc VARCHAR, score DOUBLE", [("q", "a", 1.0)]))
    with pytest.raises(InputError) as caught:
        read_judgments(file)
    assert str(caught.value) == (
        f'{file}: there is no column of the grade: "query,doc,score". If "score" holds the grades, call it "grade".'
    )


def test_a_broken_file_is_told_once_and_without_the_librarys_words_on_files_of_its_own(file: Path) -> None:
    whole = parquet("query VARCHAR, doc VARCHAR, grade INT", [("q", "a", 1)])
    for broken in (whole[:-20], gzip.compress(whole[:-20])):
        file.write_bytes(broken)
        with pytest.raises(InputError) as caught:
            read_judgments(file)
        assert str(caught.value) == f"{file}: it is no readable Parquet file. Write it again."
