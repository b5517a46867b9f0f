"""Excel sheets: ids should be text, and whatever a spreadsheet may have made of them is said."""

import datetime as dt
import io
from pathlib import Path

import openpyxl
import pytest
from inputs_in_every_format import sheet

from workbook_builder.errors import InputError
from workbook_builder.inputs import Judgments
from workbook_builder.readers.formats import read_judgments, read_results

HEADING = ["query", "doc", "grade"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "judged.xlsx"


def judged(file: Path, *rows: tuple[object, ...], heading: list[str] = HEADING) -> Judgments:
    file.write_bytes(sheet(("Sheet", heading, list(rows))))
    return read_judgments(file)


def test_ids_in_text_cells_stay_as_they_are(file: Path) -> None:
    read = judged(file, ("003", "007", 1), ("3", " 7 ", 2), (None, None, None))
    assert read.grades == {"003": {"007": 1.0}, "3": {"7": 2.0}}
    assert read.notes == ()


def test_a_number_in_an_ids_place_is_read_as_it_stands_and_reported(file: Path) -> None:
    read = judged(file, ("q", 601, 1), (3, "d", 1))
    assert read.grades == {"q": {"601": 1.0}, "3": {"d": 1.0}}
    (note,) = read.notes
    assert note.startswith(
        f'{file}, sheet Sheet: 2 ids are numbers and are read as they stand (the first: B2 (doc), "601")'
    )
    assert note.endswith("zeros in front, as in 003, may have been lost where they were stored")


def test_a_number_that_shows_as_something_else_is_no_id(file: Path) -> None:
    book = openpyxl.Workbook()
    page = book.active
    for row in (HEADING, ["q", 3, 1], ["q", 0.5, 1], ["q", 1234567890123456789, 1], ["q", dt.date(2020, 1, 2), 1]):
        page.append(row)
    page["B2"].number_format = "000"
    book.save(file)
    with pytest.raises(InputError) as caught:
        read_judgments(file)
    assert [fault.column for fault in caught.value.faults] == ["B2 (doc)", "B3 (doc)", "B4 (doc)", "B5 (doc)"]
    assert 'this id is a number that the cell shows in the form "000"' in str(caught.value)
    assert "a date or a truth value, which a spreadsheet may have made of it" in str(caught.value)


def test_formulas_count_by_their_stored_value_and_need_one(file: Path) -> None:
    book = openpyxl.Workbook()
    page = book.active
    for row in (HEADING, ["q", "a", "=1+1"], ["q", "b", 1]):
        page.append(row)
    written = io.BytesIO()
    book.save(written)
    file.write_bytes(written.getvalue())
    with pytest.raises(InputError, match=r"C2 \(grade\): a formula without its value.*save it, so that the value is"):
        read_judgments(file)
    import formualizer  # noqa: PLC0415

    filled = file.with_name("filled.xlsx")
    formualizer.recalculate_xlsx_file(str(file), str(filled))
    assert read_judgments(filled).grades == {"q": {"a": 2.0, "b": 1.0}}


def test_every_fault_of_a_sheet_is_told_with_its_cell(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        judged(file, ("q", "a", "abc"), ("q", None, 1), ("q", "c", 1), ("q", "c", 2), ("q", "d", True))
    told = [str(fault).removeprefix(f"{file}, sheet Sheet, ") for fault in caught.value.faults]
    assert told[0] == 'C2 (grade): the grade is no number: "abc". Give a number, as in 0, 1, 2 or 3.'
    assert told[1] == "B3 (doc): the document is empty. Give the document's id."
    assert told[2].startswith('C5 (grade): query "q", document "c" was judged 1 in B4 (doc), here: "2".')
    assert told[3].startswith("C6 (grade): a date or a truth value")


def test_the_sheet_is_found_by_its_heading_or_said(file: Path) -> None:
    file.write_bytes(
        sheet(
            ("Cover", ["hello"], []),
            ("Old", HEADING, [("q", "a", 1)]),
            ("New", ["About"], [(), tuple(HEADING), ("q", "a", 3)]),
            ("Found", ["query", "doc", "rank"], [("q", "a", 1)]),
        )
    )
    assert read_judgments(file).grades == {"q": {"a": 1.0}}
    assert read_judgments(file, sheet="new").grades == {"q": {"a": 3.0}}
    assert read_results(file).rankings == {"q": ("a",)}
    with pytest.raises(InputError, match=r"there is no such sheet with a heading: \"Nwe\"\. Did you mean New\?"):
        read_judgments(file, sheet="Nwe")
    with pytest.raises(InputError, match="sheet Found, line 1: there is no column of the grade"):
        read_judgments(file, sheet="Found")


def test_a_workbook_without_a_heading_says_which_one_it_needs(file: Path) -> None:
    file.write_bytes(sheet(("Sheet", ["q", "d", "2"], [])))
    with pytest.raises(InputError, match=r"no sheet has a heading of such columns\. Name the columns in the first row"):
        read_judgments(file)


def test_a_cell_far_outside_does_not_stop_the_reading(file: Path) -> None:
    book = openpyxl.Workbook()
    page = book.active
    for row in (HEADING, ["q", "a", 1]):
        page.append(row)
    page["ZZ9000"] = "x"
    book.save(file)
    assert read_judgments(file).grades == {"q": {"a": 1.0}}


def test_an_old_or_protected_workbook_is_refused(file: Path) -> None:
    file.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    with pytest.raises(InputError, match="protected by a password, or an old"):
        read_judgments(file)
