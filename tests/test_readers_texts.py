"""What ids stand for is read from JSON lines and tables as people have them."""

from pathlib import Path

import pytest

from workbook_builder import InputError
from workbook_builder.readers.texts import MOST_SHOWN, read_texts

CORPUS = '{"_id": "d1", "title": "", "text": "body"}\n\n{"_id": "d2", "title": "t", "text": "b"}\n'
GOOD = {
    "the corpus of BEIR": (CORPUS, 2),
    "the queries of BEIR": ('{"_id": "q1", "text": "what is it"}\n', 1),
    "two columns": ("q1\twhat is it\nq2\twhy\n", 2),
    "a header": ("title,id,url\nHow to,003,x\n", 1),
    "a header with semicolons": ("query;text\n1;what, and why\n", 1),
    "quotes in a file of tabs": ('q1\tsay "this\nq2\tand "that"\n', 2),
    "a quoted field of two lines": ('id,text\nq1,"one\ntwo"\nq2,three\n', 2),
    "Windows line ends and a mark at the start": ("\ufeffid,text\r\nq1,one\r\n", 1),
}


@pytest.mark.parametrize(("text", "number"), GOOD.values(), ids=GOOD)
def test_every_usual_form_is_read(text: str, number: int, tmp_path: Path) -> None:
    path = tmp_path / "texts"
    path.write_bytes(text.encode())
    assert len(read_texts(path)) == number


def read(text: str, folder: Path) -> dict[str, str]:
    path = folder / "texts"
    path.write_bytes(text.encode())
    return read_texts(path)


def test_a_title_goes_before_a_body_and_a_body_before_nothing(tmp_path: Path) -> None:
    assert read(CORPUS, tmp_path) == {"d1": "body", "d2": "t"}


def test_ids_stay_text_and_texts_become_one_short_line(tmp_path: Path) -> None:
    assert read("003\ta  b\n3\tc\n", tmp_path) == {"003": "a b", "3": "c"}
    assert read('id,text\nq1,"one\ntwo"\n', tmp_path) == {"q1": "one two"}
    assert read(f"q\t{'x' * 999}\n", tmp_path)["q"] == "x" * MOST_SHOWN
    assert read('q1\tsay "this\n', tmp_path) == {"q1": 'say "this'}


def test_a_text_of_any_length_is_read_and_cut(tmp_path: Path) -> None:
    """Whole documents stand in such files."""
    assert read(f"id,text\nd,{'x' * 200_000}\n", tmp_path) == {"d": "x" * MOST_SHOWN}
    assert read(f"d\t{'x' * 200_000}\n", tmp_path) == {"d": "x" * MOST_SHOWN}


WRONG = {
    "nothing": ("", "the file is empty"),
    "one column": ("q1\nq2\n", r"line 1: one column alone is no text of an id: \"q1\""),
    "broken JSON": ('{"_id": "a", "text": "b"}\n{"_id": \n', r"line 2: this is not JSON"),
    "no ids": ('{"text": "b"}\n{"_id": "a"}\n', r"line 1: this line has no id"),
    "an id missing in a table": ("id,text\nq1,one\n,two\n", r"line 3: this line has no id"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_what_is_no_text_of_an_id_is_named_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read(text, tmp_path)
