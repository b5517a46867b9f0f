"""Whatever a class types into a yellow cell, no sheet breaks; and the values survive other programs."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import formualizer
import pytest
from conftest import needed
from exercises import SHAPES

from workbook_builder import build, check
from workbook_builder.builder import unproved
from workbook_builder.cached import read_cells
from workbook_builder.recalculate import ENGINES, _program
from workbook_builder.sheet import Sheet
from workbook_builder.source import source_of

ODD = [None, "abc", "", -5, 0, 0.5, 1_000_000]
ABOUT_ERRORS = {"discount": {"naive_discount"}}
"""Lesson -> formulas that are there to show an error, labelled so on the sheet."""


def inputs_of(sheet: Sheet) -> Iterator[tuple[int, int]]:
    """(row, column) of each yellow cell."""
    for entry in sheet.lesson.entries.values():
        if entry.input:
            yield from ((address.row, address.column) for address in sheet.grid.cells[entry.name])


def errors_on(book: formualizer.Workbook, sheet: Sheet) -> list[str]:
    """The formula cells that show an error, those apart that are about it."""
    allowed = ABOUT_ERRORS.get(sheet.name, set())
    found = []
    for (name, _), (address, formula) in sheet.formulas.items():
        value = book.get_value(sheet.title, address.row, address.column)
        if (isinstance(value, dict) or str(value).startswith("#")) and name not in allowed:
            found.append(f"{address.relative} {name} {formula} = {value}")
    return found


@pytest.mark.parametrize("shape", ["the worked example", "more missed than returned", "nothing returned"])
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_odd_input_breaks_a_sheet(odd: object, shape: str) -> None:
    """Each yellow cell of each sheet in turn is left empty, or holds a text, a negative, a huge or a broken number.

    The worked example keeps the lesson's formulas to the letter, which text breaks; there a message says what is
    allowed, and this test asks no more of it.
    """
    source = source_of(SHAPES[shape])
    data = unproved(source)
    broken = []
    for sheet in source.sheets():
        if sheet.lesson.verbatim:
            continue
        book = formualizer.load_workbook_bytes(data)
        for row, column in inputs_of(sheet):
            before = book.get_value(sheet.title, row, column)
            book.set_value(sheet.title, row, column, odd)
            book.evaluate_all()
            broken += [
                f"{sheet.title}, {odd!r} in row {row} column {column}: {each}" for each in errors_on(book, sheet)
            ]
            book.set_value(sheet.title, row, column, before)
    assert not broken, f"{len(broken)} errors\n" + "\n".join(broken[:20])


@pytest.mark.parametrize(
    ("cell", "typed", "said"),
    [
        ("B3", "good", "Grades: each is a number from 0 to 3."),
        ("B10", "five", "Cut-off k: a whole number from 1."),
        ("B10", None, "Cut-off k: a whole number from 1."),
        ("B3", 1, "Grades: fine."),
    ],
)
def test_the_worked_example_says_what_is_allowed(cell: str, typed: object, said: str) -> None:
    """Its formulas stay as the lesson prints them, so text breaks them; a message beside them says how to mend it."""
    book = formualizer.load_workbook_bytes(unproved(source_of()))
    row = int(cell[1:])
    book.set_value("Worked example", row, 2, typed)
    book.evaluate_all()
    assert said in [book.get_value("Worked example", row, 7) for row in (24, 25)]


def test_two_grades_too_few_are_asked_for() -> None:
    book = formualizer.load_workbook_bytes(unproved(source_of()))
    for row in (6, 7):
        book.set_value("Worked example", row, 2, None)
    book.evaluate_all()
    assert str(book.get_value("Worked example", 24, 7)).startswith("Grades: give every rank one")


def values_of(data: bytes) -> dict[tuple[str, str], object]:
    _, values = read_cells(data)
    return {(title, cell): value for title, cells in values.items() for cell, value in cells.items()}


def converted(data: bytes, *targets: str) -> bytes:
    """The workbook saved by LibreOffice as one format after another."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        current = folder / "book.xlsx"
        current.write_bytes(data)
        for number, target in enumerate(targets):
            out = folder / str(number)
            command = [_program("soffice", "libreoffice"), f"-env:UserInstallation={(folder / 'profile').as_uri()}"]
            command += ["--headless", "--convert-to", target, "--outdir", str(out), str(current)]
            subprocess.run(command, check=True, capture_output=True)
            current = out / f"book.{target}"
        return current.read_bytes()


def test_a_workbook_saved_by_gnumeric_or_libreoffice_is_still_proved(tmp_path: Path) -> None:
    """Neither the way they write a formula nor their caches make the check doubt it."""
    for name in ("gnumeric", "libreoffice"):
        saved = tmp_path / f"{name}.xlsx"
        saved.write_bytes(needed(ENGINES[name]).recalculate(build().data))
        (report,) = check(saved)
        assert report.agrees, str(report)


def test_a_round_trip_through_ods_keeps_every_value() -> None:
    """xlsx -> ods -> xlsx, as a class with LibreOffice does it."""
    needed(ENGINES["libreoffice"])
    data = build().data
    before, after = values_of(data), values_of(converted(data, "ods", "xlsx"))
    assert before.keys() == after.keys()
    for cell, value in before.items():
        assert after[cell] == (pytest.approx(value, rel=1e-12, abs=1e-13) if isinstance(value, float) else value), cell
