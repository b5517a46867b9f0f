"""A table of query, rank and grade becomes an exercise, or every fault in it is named."""

from pathlib import Path

import pytest

from workbook_builder.errors import InputError
from workbook_builder.gain import Gain
from workbook_builder.inputs import Exercise
from workbook_builder.readers.table import read_exercise_csv

TABLE = """\
query,rank,grade
shoes,1,2
shoes,3,1
shoes,missed,3
"hats, red",1,0
"hats, red",2,3
socks,Missed,2
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.csv"


def read(file: Path, text: str, **options: object) -> Exercise:
    file.write_text(text, encoding="utf-8")
    return read_exercise_csv(file, **options)  # type: ignore[arg-type]


def test_one_query_fills_the_ndcg_table_and_all_fill_the_mrr_table(file: Path) -> None:
    exercise = read(file, TABLE)
    assert list(exercise.grades) == [2, 0, 1]
    assert list(exercise.missed) == [3]
    assert exercise.k == 3
    assert exercise.first_relevant == (("shoes", 1), ("hats, red", 2), ("socks", None))
    assert (exercise.lowest, exercise.highest) == (0, 3)


def test_what_was_assumed_is_said(file: Path) -> None:
    text = "query,rank,grade,by\nshoes,1,2,me\nshoes,3,1,\nhats,1,0,you\n"
    notes = " ".join(read(file, text).notes)
    assert "ignored columns: by" in notes
    assert 'shows query "shoes", the first of 2' in notes
    assert 'count as grade 0, as rank 2 of query "shoes"' in notes


def test_the_query_can_be_chosen(file: Path) -> None:
    exercise = read(file, TABLE, query="hats, red", k=1)
    assert list(exercise.grades) == [0, 3]
    assert exercise.k == 1
    assert not any("NDCG table" in note for note in exercise.notes)


def test_a_query_may_have_nothing_but_missed_documents(file: Path) -> None:
    exercise = read(file, TABLE, query="socks")
    assert (exercise.grades, exercise.missed, exercise.k) == ((), (2,), 1)


def test_an_unknown_query_gets_a_suggestion(file: Path) -> None:
    with pytest.raises(InputError, match=r'there is no such query: "shoe"\. Did you mean shoes\?'):
        read(file, TABLE, query="shoe")


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_semicolons_tabs_decimal_commas_and_any_column_order_are_fine(file: Path, delimiter: str) -> None:
    text = '\ufeffGrade,Query,RANK\n"0,5",a,1\n2, b ,missed\n'.replace(",", delimiter).replace(f"0{delimiter}5", "0,5")
    exercise = read(file, text)
    assert exercise.grades == (0.5,)
    assert exercise.first_relevant == (("a", None), ("b", None))


def test_the_relevance_threshold_decides_the_first_relevant_rank(file: Path) -> None:
    assert read(file, TABLE, relevant_from=3).first_relevant[0] == ("shoes", None)


def test_ranks_from_zero_are_refused_with_the_option_that_allows_them(file: Path) -> None:
    text = "query,rank,grade\na,0,3\na,1,1\n"
    with pytest.raises(InputError, match=r"line 2, rank: the rank is 0.*--ranks-from 0"):
        read(file, text)
    assert read(file, text, ranks_from=0).grades == (3, 1)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("a,1,2", 'line 3, rank: query "a" has this rank already in line 2: "1"'),
        ("a,first,2", 'line 3, rank: the rank is no whole number: "first"'),
        ("a,1.5,2", "the rank is no whole number"),
        ("a,,2", "the rank is no whole number"),
        ("a,-1,2", "the rank is below 1"),
        ("a,2000000,2", "the rank is too large"),
        ("a,2,", "line 3, grade: the grade is no number"),
        ("a,2,good", "the grade is no number"),
        ("a,2,NaN", "the grade is no number"),
        ("a,missed,inf", "the grade is no number"),
        ("a,2", "3 columns are needed, here are 2"),
        ("shoes, red,2,3", 'Put quotes around a query that holds ","'),
        (",2,3", "the name is empty"),
        ('"a\nb",2,3', "a control character in a name"),
        ('"a,2,3', "a quoted field is broken"),
        ("x" * 40000 + ",2,3", "the name has 40,000 characters"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(file: Path, row: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(file, f"query,rank,grade\na,1,2\n{row}\n")
    assert told in str(caught.value)


def test_all_faults_are_told_at_once(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(file, "query,rank,grade\na,x,1\na,2,y\na,3\n", k=0)
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4, None]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file is empty"),
        ("\n \n", "the file is empty"),
        ("query,rank,grade\n", "there is a header and no row"),
        ("query,rank,grad\na,1,2\n", 'Did you mean grad in the header? Call it "grade".'),
        ("a,1,2\nb,1,2\n", "The first line must name query, rank, grade."),
        ("query,rank,grade,grade\na,1,2,3\n", "a column is there twice"),
    ],
)
def test_a_file_without_rows_or_with_another_header_is_refused(file: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(file, text)
    assert told in str(caught.value)


def test_a_text_that_looks_like_a_formula_stays_text(file: Path) -> None:
    assert read(file, 'query,rank,grade\n"=1+1",1,2\n').first_relevant == (("=1+1", 1),)


def test_a_gain_table_without_a_grade_of_the_file_is_refused(file: Path) -> None:
    with pytest.raises(InputError, match=r'no gain is given for the grade: "3"'):
        read(file, TABLE, gain=Gain.parse("0=0,1=.1,2=1"))


def test_a_gain_that_falls_as_the_grade_rises_is_refused_because_no_order_by_grade_is_ideal(file: Path) -> None:
    with pytest.raises(InputError, match="grade 3 is worth less than grade 2"):
        read(file, TABLE, gain=Gain.parse("0=0,1=.1,2=1,3=.5"))
