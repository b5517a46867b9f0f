"""What stands in an answer cell, read as a person would read it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbook_builder.homework.understood import read_number, understood


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.55", 0.55),
        ("0,55", 0.55),
        (".55", 0.55),
        (",55", 0.55),
        ("55 %", 0.55),
        ("55,04%", 0.5504),
        ("\u221255\u00a0%", -0.55),
        ("+1", 1.0),
        ("1e-3", 0.001),
        ("7", 7.0),
    ],
)
def test_numbers_as_people_write_them(text: str, value: float) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text", ["", "-", "0.5.5", "1,234,567", "1.234,5", "a half", "1/2", "0x10", "nan", "inf", "1_000", "٣"]
)
def test_what_is_no_number_or_could_be_two_is_text(text: str) -> None:
    assert read_number(text) is None


@given(st.floats(-1000, 1000).map(lambda value: round(value, 4)))
def test_a_decimal_comma_is_a_decimal_point(value: float) -> None:
    shown = f"{value:.4f}"
    assert read_number(shown) == read_number(shown.replace(".", ",")) == value


@pytest.mark.parametrize(
    ("formula", "typed"),
    [
        (None, True),
        ("=0.55", True),
        ("=3.93/7.14", True),
        ("=LOG(3,2)", True),
        ('="A1"&5', True),
        ("=LOG10(4)/LOG10(2)", True),
        ("=1E5*TRUE", True),
        ("=my_gain/2", False),
        ("=$B$3", False),
        ("=B3/LOG(A3+1,2)", False),
        ("=SUM($B$3:$B$6)", False),
        ("=ndcg_own.dcg/ndcg_own.idcg", False),
        ("='My sheet'!A1", False),
        ("=", False),
    ],
)
def test_a_formula_that_reads_no_cell_is_a_typed_number(formula: str | None, typed: bool) -> None:
    assert understood("S!A1", 0.55, formula).typed == typed


def test_a_cell_of_each_kind() -> None:
    assert understood("S!A1", None, None).kind == "blank"
    assert understood("S!A1", "  ", None).kind == "blank"
    assert understood("S!A1", True, None).kind == "boolean"
    assert understood("S!A1", "#DIV/0!", "=1/0").kind == "error"
    assert understood("S!A1", "a half", None).kind == "text"
    assert understood("S!A1", "55 %", None).value == 0.55
    assert math.isnan(understood("S!A1", "a half", None).value or 0)


@pytest.mark.parametrize("said", ["none", "None", "keiner", "-", "n/a", 0.0, "0", "#N/A"])
def test_none_where_there_may_be_none(said: object) -> None:
    assert understood("S!A1", said, None, may_be_none=True).kind == "none"
    assert understood("S!A1", said, None).kind != "none"
