"""What students get back: a copy of their workbook with a sheet of feedback in front and a note on every answer."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.comments import Comment
from openpyxl.packaging.custom import StringProperty
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder.balance import without_values
from workbook_builder.errors import EngineError, Fault, InputError
from workbook_builder.homework.submission import FEEDBACK_PROPERTY
from workbook_builder.homework.words import cell_note, explanation, note, result, step_title, text_in
from workbook_builder.opened import open_workbook, read_bytes
from workbook_builder.package import write_atomically
from workbook_builder.recalculate import EMBEDDED
from workbook_builder.style import base_font, look
from workbook_builder.text import Text

if TYPE_CHECKING:
    from workbook_builder.homework.marking import Mark, Marks

AUTHOR = "workbook-builder"
SUFFIX = "-feedback.xlsx"
TEACHERS_ONLY = frozenset({"same_code", "two_codes"})
"""Notes that name other files or codes: no student is told them."""
_WIDTHS = (34, 10, 8, 46, 74)
_NUMBERS = (2, 3)
_LINE = 18
_MOST_SHOWN = 600


def write_feedback(marks: "Marks", folder: Path) -> tuple[Path, ...]:
    """Write the copy of each marked workbook into the folder as NAME-feedback.xlsx, and return their paths.

    Two submissions of one name in different folders get the code into the name. Raises InputError when a submission
    is gone since it was marked or the folder cannot be written to.
    """
    text = text_in(marks.manifest.language)
    written: list[Path] = []
    for each in marks.marks:
        if each.variant is None:
            continue
        target = folder / f"{Path(each.file).stem}{SUFFIX}"
        number = 1
        while target in written:
            number += 1
            target = folder / f"{Path(each.file).stem}-{each.variant.code}-{number}{SUFFIX}"
        try:
            write_atomically(target, feedback_copy(each, text))
        except OSError as error:
            problem = f"it cannot be written ({error.strerror or error})"
            raise InputError([Fault(str(target), problem, "Check the folder.")]) from None
        written.append(target)
    return tuple(written)


def feedback_copy(each: "Mark", text: Text) -> bytes:
    """The submitted workbook with its feedback, recalculated."""
    book = open_workbook(read_bytes(Path(each.file)), each.file)
    for step in each.steps:
        for index, answer in enumerate(step.answers):
            title, _, place = answer.cell.rpartition("!")
            lines = [
                f"{step_title(step.step, text)}: {result(step.finding, text)}",
                cell_note(step.finding, index, answer, step.typed, text)[:_MOST_SHOWN],
            ]
            if index == 0 and (why := explanation(step.finding, text)):
                lines.append(why)
            _add_note(book[title][place], "\n".join(lines))
    _sheet(book, each, text)
    book.custom_doc_props.append(StringProperty(name=FEEDBACK_PROPERTY, value="1"))
    bare = without_values(book)
    try:
        return EMBEDDED.recalculate(bare)
    except EngineError:
        # A formula no engine can read is in it; a spreadsheet program works the rest out when it opens the file.
        return bare


def _add_note(cell: Cell, said: str) -> None:
    earlier = f"{cell.comment.text}\n\n" if cell.comment is not None else ""
    cell.comment = Comment(earlier + said, AUTHOR, height=150, width=320)


def _sheet(book: Workbook, each: "Mark", text: Text) -> None:
    """The sheet in front: a row a step, the total, and what holds for the whole file."""
    assert each.variant is not None
    for other in book.worksheets:
        other.sheet_view.tabSelected = False
    sheet = book.create_sheet(text.get("mark", "sheet", "title"), 0)
    book.active = 0
    sheet.sheet_view.showGridLines = False
    for letter, width in zip("ABCDE", _WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    _put(sheet, 1, [text.get("mark", "sheet", "heading", facts={"code": each.variant.code})], size=16, bold=True)
    sheet.row_dimensions[1].height = 26
    headings = [text.get("mark", "sheet", name) for name in ("step", "points", "of", "result", "why")]
    _put(sheet, 3, headings, bold=True, fill=look()["style"]["Heading"]["fill"])
    row = 3
    for row, values in enumerate(_rows(each, text), start=4):
        _put(sheet, row, values)
        longest = max(len(str(value)) / (_WIDTHS[column] - 2) for column, value in enumerate(values))
        sheet.row_dimensions[row].height = _LINE * max(1, int(longest) + 1)
    _put(sheet, row + 1, [text.get("mark", "sheet", "total"), round(each.total, 4), round(each.of, 4)], bold=True)
    remarks = [text.get("mark", "sheet", "where"), text.get("mark", "sheet", "carried")]
    remarks += [note(name, facts, text) for name, facts in each.notes if name not in TEACHERS_ONLY]
    _put(sheet, row + 3, [text.get("mark", "sheet", "notes")], bold=True)
    for offset, remark in enumerate(remarks, start=4):
        _put(sheet, row + offset, [remark], wrap=False)
    sheet.sheet_format.defaultRowHeight = _LINE
    sheet.freeze_panes = "A4"
    sheet.oddFooter.left.text, sheet.oddFooter.right.text = "&A", "&P / &N"
    sheet.print_title_rows = "3:3"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _rows(each: "Mark", text: Text) -> Iterator[list[object]]:
    for step in each.steps:
        yield [
            step_title(step.step, text),
            round(step.points, 4),
            round(step.of, 4),
            result(step.finding, text),
            explanation(step.finding, text),
        ]


def _put(
    sheet: Worksheet,
    row: int,
    values: Sequence[object],
    *,
    bold: bool = False,
    size: int | None = None,
    fill: str | None = None,
    wrap: bool = True,
) -> None:
    line = Side(style="thin", color="D1D5DB")
    for column, value in enumerate(values, start=1):
        cell = sheet.cell(row, column)
        font = base_font(bold=bold)
        cell.font = font if size is None else Font(name=font.name, size=size, bold=bold, color=font.color, family=2)
        if len(values) > 1:
            cell.border = Border(bottom=line if fill is None else Side(style="medium", color="0B5394"))
        if fill is not None:
            cell.fill = PatternFill("solid", start_color=fill, end_color=fill)
        in_table = len(values) > 1
        cell.alignment = Alignment(
            horizontal="right" if in_table and column in _NUMBERS else "left",
            vertical="top",
            wrap_text=wrap and in_table,
            indent=int(in_table),
        )
        if isinstance(value, str):
            # Assigning would turn a text that starts with = into a formula.
            cell._value, cell.data_type = value, "s"
        else:
            cell.value = value
