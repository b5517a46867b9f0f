"""The proof works: what agrees is built, what disagrees is named, and no engine can quote the file."""

import io
import re
import zipfile
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from exercises import SHAPES, exercises
from hypothesis import HealthCheck, Phase, given, settings
from openpyxl import load_workbook

from workbook_builder import DisagreementError, Exercise, Gain, Report, TemplateError, build, check, metrics
from workbook_builder.balance import balance, check_opened, formulas_of, without_values
from workbook_builder.builder import unproved
from workbook_builder.cached import read_cells
from workbook_builder.inputs import WORKED_EXAMPLE
from workbook_builder.lesson import Entry, Lesson, lessons
from workbook_builder.opened import open_workbook
from workbook_builder.recalculate import EMBEDDED, Engine
from workbook_builder.reopen import reopen
from workbook_builder.sheet import Sheet
from workbook_builder.source import only, source_of
from workbook_builder.steps import STEPS, Steps

PLANTED = 999
RANDOM = 200


def balanced(data: bytes, exercise: Exercise, engine: Engine) -> Report:
    """The report of an engine on a finished workbook."""
    source = source_of(exercise)
    titles = {sheet.name: sheet.title for sheet in source.sheets()}
    book = open_workbook(data, "built")
    _, values = read_cells(engine.recalculate(without_values(book)))
    return balance(source.sheets(), titles, formulas_of(book), values, engine)


@pytest.mark.parametrize("exercise", SHAPES.values(), ids=SHAPES)
def test_every_engine_agrees_on_every_shape_of_input(engine: Engine, exercise: Exercise) -> None:
    report = balanced(build(exercise).data, exercise, engine)
    assert report.agrees, str(report)


@cache
def random_exercises() -> tuple[Exercise, ...]:
    """The same 200 exercises for every engine."""
    drawn: list[Exercise] = []

    @settings(max_examples=RANDOM, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(exercises())
    def draw(exercise: Exercise) -> None:
        drawn.append(exercise)

    draw()
    return tuple(drawn)


@cache
def random_workbooks() -> tuple[tuple[list[Sheet], bytes], ...]:
    """Each random exercise laid out and written once, for all engines."""
    sources = [source_of(exercise) for exercise in random_exercises()]
    return tuple((source.sheets(), unproved(source)) for source in sources)


def test_every_engine_agrees_on_200_random_exercises(engine: Engine) -> None:
    """Every formula cell of every sheet; the smallest exercise that disagrees is reported."""
    assert len(random_workbooks()) >= RANDOM
    recalculated = engine.recalculate_all([data for _, data in random_workbooks()])
    wrong = []
    for (sheets, _), data in zip(random_workbooks(), recalculated, strict=True):
        formulas = {sheet.title: {at.relative: text for at, text in sheet.formulas.values()} for sheet in sheets}
        _, values = read_cells(data)
        report = balance(sheets, {sheet.name: sheet.title for sheet in sheets}, formulas, values, engine)
        if not report.agrees:
            wrong.append(report)
    assert not wrong, f"{len(wrong)} disagree; the one with the fewest cells: {min(wrong, key=lambda each: each.cells)}"


def test_no_engine_is_fooled_by_planted_values(engine: Engine, tmp_path: Path) -> None:
    """A file whose every cached value is 999 still gets the engine's own numbers."""
    spoiled = tmp_path / "spoiled.xlsx"
    spoiled.write_bytes(with_planted_values(build().data))
    (report,) = check(spoiled, engine.name)
    assert report.agrees, str(report)


def test_an_engine_recalculates_a_file_that_carries_values(engine: Engine) -> None:
    """The engines themselves do not quote planted values either: nobody has to rely on the caches being dropped."""
    _, values = read_cells(engine.recalculate(with_planted_values(build().data)))
    assert values["Worked example"]["B13"] == pytest.approx(0.550438203)


def with_planted_values(data: bytes) -> bytes:
    """The workbook with 999 as the cached value of every formula."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(written, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                part = re.sub(rb"</f><v ?>[^<]*</v>", b"</f><v>%d</v>" % PLANTED, part)
                assert part.count(b"</f><v>%d</v>" % PLANTED) == part.count(b"</f>")
            new.writestr(name, part)
    return written.getvalue()


FORMULAS = [
    pytest.param(lesson, entry.name, id=f"{lesson.name}.{entry.name}")
    for lesson in lessons().values()
    for entry in lesson.entries.values()
    if entry.formula
]


def build_spoiled(lesson: Lesson, name: str, spoil: Callable[[str], str], exercise: Exercise) -> Report:
    """The report of a build of one lesson in which one formula was changed; it must have failed."""

    def spoiled(entry: Entry) -> Entry:
        if entry.name != name:
            return entry
        assert entry.formula
        assert spoil(entry.formula) != entry.formula
        return replace(entry, formula=spoil(entry.formula))

    blocks = tuple(
        replace(block, columns=tuple(map(spoiled, block.columns)), fields=tuple(map(spoiled, block.fields)))
        for block in lesson.blocks
    )
    wrong = {**lessons(), lesson.name: replace(lesson, blocks=blocks)}
    with patch("workbook_builder.source.lessons", lambda: wrong), pytest.raises(DisagreementError) as caught:
        build(only(source_of(exercise), [lesson.name]))
    return caught.value.report


@pytest.mark.parametrize(("lesson", "name"), FORMULAS)
def test_a_spoiled_formula_fails_the_build_and_is_named_first(lesson: Lesson, name: str) -> None:
    report = build_spoiled(lesson, name, lambda formula: f"{formula}+0.001", WORKED_EXAMPLE)
    assert report.disagreements[0].name == name
    assert report.disagreements[0].root


@pytest.mark.parametrize("gain", ["exponential", "0=0,1=.01,2=.1,3=1"])
@pytest.mark.parametrize("name", ["discounted_gain", "ideal_discounted_gain", "dcg", "idcg", "ndcg"])
def test_a_spoiled_formula_is_named_under_every_gain(name: str, gain: str) -> None:
    exercise = replace(WORKED_EXAMPLE, gain=Gain.parse(gain))
    lesson = lessons()["worked_example"]
    report = build_spoiled(lesson, name, lambda formula: f"{formula}+0.001", exercise)
    assert report.disagreements[0].name == name


SUBTLE = [
    ("discounted_gain", "+1,2)", ",2)"),
    ("discounted_gain", ",2)", ",10)"),
    ("discounted_gain", "{gain:grade}", "(2^{grade}-1)"),
    ("ideal_grade", "LARGE", "SMALL"),
    ("ideal_grade", "{grade+missed}", "{grade:all}"),
    ("dcg", "<=", "<"),
    ("dcg", 'SUMIF({rank:all},"<="&{k},{discounted_gain:all})', "SUM({discounted_gain:all})"),
    ("idcg", "{ideal_discounted_gain:all}", "{discounted_gain:all}"),
    ("ndcg", "{dcg}/{idcg}", "{idcg}/{dcg}"),
    ("reciprocal_rank", ",0)", ",1)"),
    ("mrr", "AVERAGE({reciprocal_rank:all})", "SUM({reciprocal_rank:all})/COUNT({first_relevant_rank:all})"),
]
"""The mistakes people make: what is wrong, from and to."""


@pytest.mark.parametrize(("name", "right", "wrong"), SUBTLE)
def test_a_formula_with_a_common_mistake_fails_the_build(name: str, right: str, wrong: str) -> None:
    """At k = 4: at 5 the grade is 0, and a sum that stops one rank too early would be right by luck."""
    exercise = replace(WORKED_EXAMPLE, k=4)
    report = build_spoiled(lessons()["worked_example"], name, lambda formula: formula.replace(right, wrong), exercise)
    assert report.disagreements[0].name == name


REFERENCE = ["discounts", "discounted_gains", "dcg", "ideal_order", "idcg", "ndcg", "reciprocal", "mean"]


@pytest.mark.parametrize("name", REFERENCE)
def test_a_spoiled_reference_function_fails_the_build(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(metrics, name)

    def wrong(*given: Any, **named: Any) -> Any:
        value = right(*given, **named)
        return value + 0.001 if isinstance(value, float) else array("d", [each + 0.001 for each in value])

    monkeypatch.setattr(metrics, name, wrong)
    with pytest.raises(DisagreementError):
        build()


def test_a_formula_without_a_reference_value_fails_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    short = Steps(
        STEPS["worked_example"].inputs,
        lambda *given: {k: v for k, v in STEPS["worked_example"].expected(*given).items() if k != "mrr"},
    )
    monkeypatch.setattr("workbook_builder.balance.STEPS", {**STEPS, "worked_example": short})
    with pytest.raises(TemplateError, match="mrr: 1 formula cells, but 0 reference values"):
        build()


def test_a_typed_over_formula_is_named_even_when_its_number_is_right(tmp_path: Path) -> None:
    path = build().save(tmp_path / "book.xlsx")
    book = load_workbook(path)
    book.worksheets[0]["C4"] = 1.5
    book.save(path)
    (report,) = check(path)
    (only,) = report.disagreements
    assert (only.cell, only.formula, only.damaged) == ("C4", None, True)


@pytest.mark.parametrize("formula", ["=B4/LOG(A4,2)", "=IFERROR(1/#REF!,0)", "=1.5+0.0001"])
def test_a_damaged_formula_is_named_before_what_follows_from_it(tmp_path: Path, formula: str) -> None:
    path = build().save(tmp_path / "book.xlsx")
    book = load_workbook(path)
    book.worksheets[0]["C4"] = formula
    book.save(path)
    (report,) = check(path)
    assert [each.cell for each in report.disagreements] == ["C4", "B11", "B13"]
    assert [each.root for each in report.disagreements] == [True, False, False]
    assert "=B4/LOG(A4+1,2)" in str(report)


def test_edited_inputs_are_followed_by_formulas_and_reference_alike(engine: Engine, tmp_path: Path) -> None:
    path = build().save(tmp_path / "book.xlsx")
    book = load_workbook(path)
    sheet = book.worksheets[0]
    sheet["B2"], sheet["B10"], sheet["B19"], sheet["A16"] = 3, 2, 4, "=my query"
    sheet["A16"].data_type = "s"
    book.save(path)
    opened = reopen(path)
    assert list(opened.inputs["worked_example"]["k"]) == [2]
    report = check_opened(opened, engine)
    assert report.agrees, str(report)


def test_the_same_input_gives_the_same_bytes_a_day_later() -> None:
    with patch("time.time", lambda: 1_900_000_000.0), patch("zipfile.time.time", lambda: 1_900_000_000.0):
        later = build().data
    assert later == build().data


def test_the_embedded_engine_is_always_here() -> None:
    assert EMBEDDED.version
