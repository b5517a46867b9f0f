"""Evaluation workbooks keep two books: whatever is spoiled in either of them is caught and named."""

import re
import zipfile
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from evaluations import SMALL
from openpyxl.utils import get_column_letter

from workbook_builder import DisagreementError, TemplateError, check, metrics
from workbook_builder.balance import Report
from workbook_builder.cached import read_cells
from workbook_builder.evaluation import evaluate, proof, reference_compare
from workbook_builder.evaluation.cells import formulas
from workbook_builder.evaluation.evaluate import Draft, build_evaluation, draft
from workbook_builder.evaluation.reference import Listed, Reference
from workbook_builder.measures import METRICS, parse_measures
from workbook_builder.package import rewritten
from workbook_builder.scoring import Scores

PLANTED = 999
EACH = replace(SMALL, measures=parse_measures([f"{name}@3" for name in METRICS]))
"""Every metric once."""


@pytest.fixture(scope="module")
def small() -> Draft:
    """The small evaluation, laid out and written."""
    return draft(EACH)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small evaluation as a file."""
    return build_evaluation(EACH).save(tmp_path_factory.mktemp("built") / "small.xlsx")


@cache
def skeleton() -> bytes:
    """The workbook around the cells."""
    return draft(EACH).skeleton


SPOILABLE = [(sheet, name) for sheet, named in formulas().items() for name in named]


def written(spoiled: dict[str, dict[str, str]]) -> Draft:
    """The small evaluation written with other formulas."""
    with (
        patch("workbook_builder.evaluation.cells.formulas", lambda: spoiled),
        patch("workbook_builder.evaluation.sheets.lists.formulas", lambda: spoiled),
    ):
        return draft(EACH)


def failed(drafted: Draft) -> Report:
    """The report of a draft that cannot be proved."""
    # A build of its own computes the reference of its own, however the reference is spoiled now.
    drafted = replace(drafted, reference=proof.reference_of(drafted.layout))
    vars(drafted)["skeleton"] = skeleton()  # no formula is in it, and it takes the longest to make
    with pytest.raises(DisagreementError) as caught:
        evaluate.proved(drafted, Scores((), ()))
    return caught.value.report


def build_spoiled(small: Draft, sheet: str, name: str, spoil: Callable[[str], str]) -> tuple[Report, set[str]]:
    """The report of a build in which one formula of the templates was changed, and the names of the cells it is in."""
    spoiled: dict[str, dict[str, str]] = {sheet: dict(named) for sheet, named in formulas().items()}
    before = spoiled[sheet][name]
    spoiled[sheet][name] = spoil(before)
    assert spoiled[sheet][name] != before
    wrong = written(spoiled)
    changed = {
        f"{small.layout.title(where)}.{cell.name}"
        for where, made in wrong.sheets.items()
        for cell, right in zip(made.cells, small.sheets[where].cells, strict=True)
        if cell.formula != right.formula
    }
    assert changed, "no cell of this workbook has the formula"
    return failed(wrong), changed


def named(report: Report) -> set[str]:
    return {f"{each.sheet}.{each.name}" for each in report.disagreements}


@pytest.mark.parametrize(("sheet", "name"), SPOILABLE, ids=[".".join(each) for each in SPOILABLE])
def test_a_spoiled_formula_fails_the_build_and_is_named(small: Draft, sheet: str, name: str) -> None:
    report, changed = build_spoiled(small, sheet, name, lambda formula: f"{formula}+0.001")
    assert changed <= named(report)


SUBTLE = [
    ("discount", "discount", "+1,2)", "+1,10)"),
    ("results", "grade", '"{unjudged}"', "0"),
    ("results", "discounted_gain", "{rank}+1", "{rank}+2"),
    ("results", "found", ">=", ">"),
    ("ideal", "judged", "COUNT", "ROWS"),
    ("ideal", "relevant", ">=", ">"),
    ("ideal", "idcg_term", "MIN({k},{at_least})", "{at_least}"),
    ("queries", "first_relevant", "1,{found}", "2,{found}"),
    ("queries", "unjudged", ',{ranks},"<="&{k}', ""),
    ("queries", "perfect_term", "+{unjudged_count}", ""),
    ("measures", "nDCG", "<=", "<"),
    ("measures", "DCG", 'SUMIFS({gains},{ranks},"<="&{k})', "SUM({gains})"),
    ("measures", "RR", "<={k}", "<{k}"),
    ("measures", "P", "/{k}", "/ROWS({ranks})"),
    ("measures", "R", "/{relevant}", "/{k}"),
    ("measures", "AP", "/{relevant}", '/COUNTIF({precisions},">0")'),
    ("summary", "mean", "AVERAGE({values})", 'SUM({values})/COUNTIF({values},">0")'),
    ("summary", "holes", "SUM({top})", "COUNT({top})"),
    ("summary", "exponential", "2^{grade}-1", "2^{grade}"),
    ("differences", "difference", "{one}-{other}", "{other}-{one}"),
    ("compare", "error", "^(1/2)", ""),
    ("compare", "p", ",2,1)", ",1,1)"),
    ("compare", "p", ",2,1)", ",2,2)"),
    ("compare", "low", ")-1)", "))"),
    ("compare", "best_place", "LARGE", "SMALL"),
    ("one_query", "missed_so_far", '"{missed}",1,0', '"{missed}",0,1'),
    ("one_query", "dcg", "<=", "<"),
]
"""The mistakes people make: sheet and name, what is right, what is wrong."""


@pytest.mark.parametrize(("sheet", "name", "right", "wrong"), SUBTLE)
def test_a_formula_with_a_common_mistake_fails_the_build(
    small: Draft, sheet: str, name: str, right: str, wrong: str
) -> None:
    report, changed = build_spoiled(small, sheet, name, lambda formula: formula.replace(right, wrong))
    assert changed & named(report)


def changed_part(data: bytes, part: str, pattern: str, into: str) -> bytes:
    """A workbook with the first match in one of its parts replaced."""

    def changed(name: str, content: bytes) -> bytes:
        if name != part:
            return content
        new, times = re.subn(pattern, into, content.decode(), count=1, flags=re.DOTALL)
        assert times == 1, f"nothing in {part} to spoil"
        return new.encode()

    return rewritten(data, changed)


def last_of_each_name(small: Draft, sheet: str) -> Iterator[str]:
    """The address of the last cell of each formula name of a sheet."""
    for cell in {cell.name: cell for cell in small.sheets[sheet].cells}.values():
        yield f"{get_column_letter(cell.column)}{cell.row}"


@pytest.mark.parametrize("sheet", ["summary", "compare", "queries", "one_query", "ideal", "results", "differences"])
def test_a_formula_spoiled_in_the_finished_file_is_caught_whatever_its_name(
    small: Draft, finished: Path, tmp_path: Path, sheet: str
) -> None:
    """One cell of each name at once: every one of them is named, each with what stands there and what belongs."""
    title = small.layout.title(sheet)
    formulas_, values = read_cells(finished.read_bytes())
    part = f"xl/worksheets/sheet{[*small.sheets].index(sheet) + 1}.xml"
    data = finished.read_bytes()
    spoiled: dict[str, str] = {}
    for address in last_of_each_name(small, sheet):
        ending = "+1" if isinstance(values[title][address], float) else '&"x"'
        spoiled[address] = f"=({str(formulas_[title][address])[1:]}){ending}"
        pattern = rf'(<c r="{address}"[^>]*><f>)(.*?)(</f>)'
        data = changed_part(data, part, pattern, rf"\1(\2){ending.replace('&', '&amp;')}\3")
    path = tmp_path / "spoiled.xlsx"
    path.write_bytes(data)
    (report,) = check(path)
    found = {each.cell: each for each in report.disagreements if each.sheet == title}
    assert {address: found[address].formula for address in spoiled} == spoiled
    assert all(found[address].damaged for address in spoiled)
    assert report.disagreements[0].damaged, "what was damaged comes before what follows from it"


def test_a_number_typed_over_a_formula_is_caught_even_when_it_is_right(finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "typed.xlsx"
    part = "xl/worksheets/sheet1.xml"
    path.write_bytes(changed_part(finished.read_bytes(), part, r'(<c r="B11"[^>]*>)<f>[^<]*</f>', r"\1"))
    (report,) = check(path)
    (only,) = report.disagreements
    assert (only.sheet, only.cell, only.formula) == ("Summary", "B11", None)
    assert "no formula stands" in str(only)


def test_a_formula_of_ones_own_is_told_of_and_not_compared(finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.xlsx"
    own = r'\1<c r="A60"><f>SUM(B11:B12)</f><v>1</v></c>'
    row = r'(<row r="11"[^>]*>)'
    path.write_bytes(changed_part(finished.read_bytes(), "xl/worksheets/sheet1.xml", row, own))
    (report,) = check(path)
    assert report.agrees
    assert report.foreign == ("Summary!A60",)


def test_the_file_carries_the_values_that_were_proved(small: Draft, finished: Path) -> None:
    _, values = read_cells(finished.read_bytes())
    wanted = proof.reference_of(small.layout).summary()["mean"]
    means = [values["Summary"][f"{column}{row}"] for row in (11, 12) for column in "BCDEFGH"]
    assert means == pytest.approx(wanted, abs=1e-12)


FUNCTIONS = [
    "discounts",
    "discounted_gains",
    "dcg",
    "ideal_order",
    "idcg",
    "ndcg",
    "reciprocal",
    "reciprocal_rank",
    "precision",
    "recall",
    "average_precision",
    "mean",
]


def more(value: Any) -> Any:
    """A little more of a number, or of each of several."""
    if value is None:
        return 0.5
    return value + 0.001 if isinstance(value, float | int) else array("d", [each + 0.001 for each in value])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_spoiled_metric_fails_the_build(small: Draft, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(metrics, name)
    monkeypatch.setattr(metrics, name, lambda *given, **named: more(right(*given, **named)))
    assert failed(small).disagreements


def test_a_first_relevant_rank_one_too_deep_fails_the_build(small: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    right = metrics.first_relevant_rank
    monkeypatch.setattr(metrics, "first_relevant_rank", lambda *given, **named: (right(*given, **named) or 0) + 1)
    assert failed(small).disagreements


METHODS: list[tuple[type, str, Callable[[Any], Any]]] = [
    (Reference, "value", more),
    (Reference, "perfect", more),
    (Reference, "counted", lambda value: value + 1),
    (Reference, "first_relevant", lambda value: (value or 0) + 1),
    (Reference, "names", lambda value: value[::-1]),
    (Listed, "unjudged", lambda value: value + 1),
]


@pytest.mark.parametrize(("owner", "name", "spoil"), METHODS, ids=[each[1] for each in METHODS])
def test_a_spoiled_method_of_the_reference_fails_the_build(
    small: Draft, owner: type, name: str, spoil: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given, **named: spoil(right(*given, **named)))
    assert failed(small).disagreements


@pytest.mark.parametrize("name", ["paired", "differences", "apart", "chosen_numbers"])
def test_a_spoiled_comparison_fails_the_build(small: Draft, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(reference_compare, name)

    def spoiled(*given: Any) -> Any:
        value = right(*given)
        if name == "paired":
            return type(value)(*(more(each) for each in vars(value).values()))
        return tuple(1 - each for each in value) if isinstance(value, tuple) else value + 0.001

    monkeypatch.setattr(reference_compare, name, spoiled)
    assert failed(small).disagreements


NAMES = sorted(
    {
        (sheet, name)
        for sheet, values in proof.expected(
            draft(EACH).layout,
            proof.reference_of(draft(EACH).layout),
            proof.first_choices(draft(EACH).layout),
            [0.0] * len(METRICS),
        ).items()
        for name in values
    }
)


@pytest.mark.parametrize("sheet", sorted({sheet for sheet, _ in NAMES}))
def test_each_value_of_the_reference_is_compared(small: Draft, sheet: str) -> None:
    """The last value of each name is spoiled, and exactly those cells disagree."""
    right = proof.expected

    def spoiled(*given: Any) -> Any:
        values = right(*given)
        wrong = {name: [*listed[:-1], PLANTED] for name, listed in values[sheet].items()}
        return {**values, sheet: wrong}

    with patch("workbook_builder.evaluation.evaluate.expected", spoiled):
        report = failed(small)
    title = small.layout.title(sheet)
    assert named(report) == {f"{title}.{name}" for where, name in NAMES if where == sheet}
    assert len(report.disagreements) == len(named(report))


@pytest.mark.parametrize("change", ["one too few", "one too many", "a name too many"])
def test_a_formula_and_its_reference_value_must_pair_up(small: Draft, change: str) -> None:
    right = proof.expected

    def spoiled(*given: Any) -> Any:
        values = right(*given)
        means = values["summary"]["mean"]
        wrong: dict[str, dict[str, Any]] = {
            "one too few": {"mean": means[:-1]},
            "one too many": {"mean": [*means, 0.0]},
            "a name too many": {"nothing": [0.0]},
        }
        return {**values, "summary": {**values["summary"], **wrong[change]}}

    with patch("workbook_builder.evaluation.evaluate.expected", spoiled), pytest.raises(TemplateError, match="summary"):
        failed(small)


def test_the_same_evaluation_gives_the_same_bytes() -> None:
    first = build_evaluation(EACH).data
    with patch("time.time", lambda: 1_900_000_000.0):
        assert build_evaluation(EACH).data == first
    with zipfile.ZipFile(BytesIO(first)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2026, 1, 1, 0, 0, 0)}
