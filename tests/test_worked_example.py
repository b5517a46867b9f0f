"""The worked example mirrors the documented spreadsheet to the cell."""

import io
import re
import zipfile

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder import build

SHOWN = """
Rank|Relevance (0–3)|Discounted gain|Ideal relevance|Ideal DG
1|2|2.000|3|3.000
2|0|0.000|3|1.893
3|3|1.500|2|1.000
4|1|0.431|2|0.861
5|0|0.000|1|0.387
6|2|0.712|0|0.000
missed|3|||
||||
Cut-off k|5|||
DCG@k|3.931|||
IDCG@k|7.141|||
NDCG@k|0.550|||
||||
Query|First relevant rank|Reciprocal rank||
reset password|1|1.000||
export invoices|3|0.333||
change plan|2|0.500||
webhook retries|none|0.000||
add a user|1|1.000||
MRR||0.567||
""".strip().splitlines()


@pytest.fixture(scope="module")
def formulas() -> Worksheet:
    return load_workbook(io.BytesIO(build().data)).worksheets[0]


@pytest.fixture(scope="module")
def values() -> Worksheet:
    return load_workbook(io.BytesIO(build().data), data_only=True).worksheets[0]


def shown(value: object, number_format: str) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if number_format == "0.000" else str(value)


def test_a_reader_without_an_engine_sees_the_documented_table(values: Worksheet) -> None:
    """Labels, positions and shown values of A1:E21 are as documented, and nothing else stands there."""
    seen = [
        "|".join(shown(cell.value, cell.number_format) for cell in row)
        for row in values.iter_rows(min_row=1, max_row=21, min_col=1, max_col=5)
    ]
    assert seen == SHOWN


@pytest.mark.parametrize("row", range(2, 8))
def test_each_rank_has_the_documented_formulas(formulas: Worksheet, row: int) -> None:
    assert formulas[f"C{row}"].value == f"=B{row}/LOG(A{row}+1,2)"
    assert formulas[f"D{row}"].value == f"=LARGE($B$2:$B$8,A{row})"
    assert formulas[f"E{row}"].value == f"=D{row}/LOG(A{row}+1,2)"


@pytest.mark.parametrize("row", range(16, 21))
def test_each_query_has_the_documented_reciprocal_rank(formulas: Worksheet, row: int) -> None:
    assert formulas[f"C{row}"].value == f"=IFERROR(1/B{row},0)"


def test_dcg_and_ideal_dcg_obey_the_cut_off(formulas: Worksheet) -> None:
    assert formulas["B11"].value == '=SUMIF($A$2:$A$7,"<="&$B$10,$C$2:$C$7)'
    assert formulas["B12"].value == '=SUMIF($A$2:$A$7,"<="&$B$10,$E$2:$E$7)'


INPUTS = [
    *(f"B{row}" for row in range(2, 9)),
    "B10",
    *(f"A{row}" for row in range(16, 21)),
    *(f"B{row}" for row in range(16, 21)),
]


def test_inputs_and_only_inputs_are_yellow_bordered_and_unlocked(formulas: Worksheet) -> None:
    yellow = [cell.coordinate for row in formulas.iter_rows() for cell in row if cell.style.startswith("Input")]
    assert sorted(yellow) == sorted(INPUTS)
    for coordinate in yellow:
        cell = formulas[coordinate]
        assert not cell.protection.locked
        assert cell.border.left.style == cell.border.top.style == "thin"


@pytest.mark.parametrize("coordinate", INPUTS)
def test_every_input_is_guarded_by_a_rule_that_says_what_is_allowed(formulas: Worksheet, coordinate: str) -> None:
    rules = [rule for rule in formulas.data_validations.dataValidation if coordinate in rule.sqref]
    assert len(rules) == 1
    assert rules[0].error
    assert rules[0].prompt
    assert "{" not in rules[0].prompt + rules[0].error


def test_the_cut_off_may_be_any_rank_shown(formulas: Worksheet) -> None:
    (rule,) = (rule for rule in formulas.data_validations.dataValidation if "B10" in rule.sqref)
    assert (rule.type, rule.formula1, rule.formula2) == ("whole", "1", "6")


def test_it_is_the_first_sheet_and_prints_on_one_page_with_its_headings(formulas: Worksheet) -> None:
    assert formulas.title == "Worked example"
    assert formulas.freeze_panes == "A2"
    assert formulas.page_setup.fitToWidth == 1
    assert formulas.page_setup.orientation == "landscape"
    assert formulas.print_title_rows in ("1:1", "$1:$1")


def test_the_chart_compares_actual_and_ideal_by_rank(formulas: Worksheet) -> None:
    (chart,) = formulas._charts
    assert [series.val.numRef.f for series in chart.series] == [
        "'Worked example'!$C$2:$C$7",
        "'Worked example'!$E$2:$E$7",
    ]


def test_a_preview_that_reads_no_cells_can_draw_the_chart() -> None:
    """The chart carries the proved values, and its titles do not cover the plot."""
    with zipfile.ZipFile(io.BytesIO(build().data)) as archive:
        chart = archive.read("xl/charts/chart1.xml").decode()
    assert re.findall(r"<v>([^<]*)</v>", chart)[:3] == ["Discounted gain", "1.0", "2.0"]
    assert "<v>1.8927892607143721</v>" in chart
    assert chart.count('<overlay val="0" />') == 4
