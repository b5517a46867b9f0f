"""The only module that writes workbooks: planned sheets in, the bytes of an .xlsx without cached values out."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.comments import Comment
from openpyxl.packaging.custom import StringProperty
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder import package
from workbook_builder.cells import KINDS
from workbook_builder.charts import add_chart
from workbook_builder.fit import ONE_LINE, fit_columns, widen
from workbook_builder.grid import Address, Placed
from workbook_builder.lesson import Entry, Lesson
from workbook_builder.sheet import Sheet
from workbook_builder.steps import Value
from workbook_builder.style import look, new_book, set_style
from workbook_builder.text import Text

FORMAT = 1
"""The version of what the record holds."""
RECORD = "workbook-builder"
"""The custom property in which a workbook of ours says what it was built with."""
EXERCISES = "workbook-builder-homework"
EVALUATION = "workbook-builder-evaluation"
"""The custom property in which a workbook of exercises says its language."""

NOTES_WIDTH = 84
TITLE = Address(1, 1)
UNJUDGED = '[=0]0"*";General'
"""A grade of 0 that nobody gave shows as 0*; once it is changed, as any grade."""


@dataclass(frozen=True)
class About:
    """What a workbook says of itself: its title and description, and texts kept as document properties, by name.

    `names` are defined names beside those of the yellow cells: name -> a sheet's title and an area of it.
    """

    title: str
    description: str
    properties: Mapping[str, str]
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def about_lessons(text: Text, record: Mapping[str, object]) -> About:
    """What a workbook of lessons says of itself; `record` is what it was built with."""
    stated = json.dumps(record, ensure_ascii=False)
    return About(text.get("properties", "title"), text.get("properties", "description"), {RECORD: stated})


def write(sheets: Sequence[Sheet], about: About) -> bytes:
    """The workbook's bytes: no cached values, and the same for the same input."""
    book = new_book()
    for planned in sheets:
        book.create_sheet(planned.title)
    alternatives = [alternative for planned in sheets for alternative in _write_sheet(book, planned, sheets)]
    book.active = 0
    book.properties.creator = "workbook-builder"
    book.properties.title = about.title
    book.properties.description = about.description
    book.properties.language = sheets[0].text.language
    for name, value in about.properties.items():
        book.custom_doc_props.append(StringProperty(name=name, value=value))
    for name, (title, area) in about.names.items():
        _name(book, book[title], name, area)
    written = io.BytesIO()
    book.save(written)
    return package.normalised(written.getvalue(), alternatives)


def _write_sheet(book: Workbook, planned: Sheet, sheets: Sequence[Sheet]) -> list[str]:
    """Write one sheet and return the alternative texts of its charts."""
    lesson = planned.lesson
    sheet = book[planned.title]
    _page(sheet, lesson)
    formulas = planned.formulas
    for placed in planned.grid.blocks:
        _labels(sheet, placed, planned)
        for entry in placed.block.entries:
            for index, address in enumerate(planned.grid.cells[entry.name]):
                if entry.formula:
                    cell = sheet.cell(address.row, address.column, formulas[entry.name, index][1])
                    set_style(cell, _style(entry, "number"))
                else:
                    _fill(sheet, address, entry, index, planned)
        _inputs(book, sheet, placed, planned)
        if placed.block.area:
            _name(book, sheet, f"{planned.name}.{placed.block.area}", planned.grid.area_of(placed.block))
    fit_columns(sheet)
    _make_room(sheet, planned)
    _hide(sheet, planned)
    _notes(sheet, planned)
    _links(sheet, planned, sheets)
    return [add_chart(sheet, chart, planned.grid, planned.words) for chart in lesson.charts]


def _labels(sheet: Worksheet, placed: Placed, planned: Sheet) -> None:
    """Headings over a table, or a label before each field; the notes that explain them hang on the same cells."""
    words = planned.words
    if placed.block.heading:
        headings = [planned.label(entry) for entry in placed.block.columns]
        if any(len(heading) > ONE_LINE for heading in headings) or not _beside_rows(placed, planned):
            sheet.row_dimensions[placed.origin.row].height = look()["sheet"]["heading_height"]
        for offset, entry in enumerate(placed.block.columns):
            at = Address(placed.origin.row, placed.origin.column + offset)
            _put(sheet, at, planned.label(entry), "Heading")
    for entry in placed.block.columns:
        # Where no heading stands, the note hangs on the first of the cells.
        at = Address(placed.origin.row, planned.grid.cells[entry.name][0].column)
        _comment(sheet, at, words.optional("comments", entry.name))
    for entry in placed.block.fields:
        (value_at,) = planned.grid.cells[entry.name]
        for column in range(placed.origin.column, value_at.column):
            _put(sheet, Address(value_at.row, column), None, "Label")
        _put(sheet, Address(value_at.row, placed.origin.column), planned.label(entry), "Label")
        _comment(sheet, value_at, words.optional("comments", entry.name))


def _beside_rows(placed: Placed, planned: Sheet) -> bool:
    """Whether a heading stands in the row of another table's values, whose height it should leave alone."""
    return any(other.first_row <= placed.origin.row <= other.last_row for other in planned.grid.blocks)


def _fill(sheet: Worksheet, at: Address, entry: Entry, index: int, planned: Sheet) -> None:
    """Write a cell that holds no formula."""
    if entry.input is not None:
        value = planned.inputs[entry.name][index]
        shown = str(planned.facts["none"]) if value is None and KINDS[entry.input].says_none else value
        cell = _put(sheet, at, shown, _style(entry, KINDS[entry.input].style))
        if entry.name == "grade" and index + 1 in planned.inputs.get("unjudged", ()):
            cell.number_format = UNJUDGED
        for offset in range(1, entry.span):
            style = "Answer end" if offset == entry.span - 1 else "Answer rest"
            _put(sheet, Address(at.row, at.column + offset), None, style)
    elif entry.given:
        _put(sheet, at, planned.inputs[entry.name][index], _style(entry, "whole"))
    elif label := entry.label or (entry.labels and entry.labels[index]):
        _put(sheet, at, planned.words.get("labels", label), _style(entry, "label"))
    else:
        _put(sheet, at, index + 1 if entry.count else entry.fixed[index], _style(entry, "whole"))


def _style(entry: Entry, otherwise: str) -> str:
    return (entry.style or otherwise).capitalize()


def _put(sheet: Worksheet, at: Address, value: Value, style: str) -> Cell:
    cell = sheet.cell(at.row, at.column)
    assert isinstance(cell, Cell)
    set_style(cell, style)
    if isinstance(value, str):
        # Assigning would turn a text such as "=1+1" or "#N/A" into a formula or an error.
        cell._value = value
        cell.data_type = "s"
        if value[:1] in "=+-@" and value:
            cell.quotePrefix = True
    elif value is not None:
        cell.value = int(value) if value == int(value) else value
    return cell


def _comment(sheet: Worksheet, at: Address, note: str | None) -> None:
    if note is not None:
        sheet.cell(at.row, at.column).comment = Comment(note, "workbook-builder", height=110, width=260)


def _inputs(book: Workbook, sheet: Worksheet, placed: Placed, planned: Sheet) -> None:
    """Name the yellow cells of a block, or what stands in their place, to be found again; guard the yellow ones."""
    text = planned.text
    for entry in placed.block.entries:
        if not (entry.input or entry.asked or entry.given):
            continue
        cells = planned.grid.cells[entry.name]
        area = planned.grid.range_of(entry.name)
        _name(book, sheet, f"{planned.name}.{entry.name}", area)
        if entry.input is None:
            continue
        scope = planned.scope(entry)
        rule = KINDS[entry.input].rule(scope, cells[0].relative)
        if entry.choices:
            rule = DataValidation("list", formula1=planned.grid.range_of(entry.choices), errorStyle="warning")
        facts = {**planned.facts, "most": scope.most}
        rule.promptTitle = rule.errorTitle = text.get("input", entry.input, "title")
        rule.prompt = text.get("input", entry.input, "prompt", facts=facts)
        rule.error = text.get("input", entry.input, "error", facts=facts)
        rule.showInputMessage = rule.showErrorMessage = rule.allow_blank = True
        rule.add(area.replace("$", ""))
        sheet.add_data_validation(rule)


def _name(book: Workbook, sheet: Worksheet, name: str, area: str) -> None:
    book.defined_names[name] = DefinedName(name, attr_text=f"{quote_sheetname(sheet.title)}!{area}")


def _make_room(sheet: Worksheet, planned: Sheet) -> None:
    """What is chosen from a list is to be seen whole."""
    for entry in planned.lesson.entries.values():
        if entry.choices:
            listed = [sheet[cell.relative].value for cell in planned.grid.cells[entry.choices]]
            widen(sheet, planned.grid.cells[entry.name][0].column, max(len(str(each)) for each in listed))


def _hide(sheet: Worksheet, planned: Sheet) -> None:
    for placed in planned.grid.blocks:
        if placed.block.hidden:
            width = len(placed.block.columns) or placed.block.value_column
            for column in range(placed.origin.column, placed.origin.column + width):
                sheet.column_dimensions[get_column_letter(column)].hidden = True


def _notes(sheet: Worksheet, planned: Sheet) -> None:
    for notes in planned.lesson.notes:
        at = Address.parse(notes.at)
        lines = planned.words.lines("notes", notes.name)
        if notes.wide:
            sheet.column_dimensions[get_column_letter(at.column)].width = NOTES_WIDTH
        if notes is planned.lesson.notes[-1] and planned.inputs.get("unjudged"):
            lines += (planned.text.get("words", "unjudged"),)
        first = "Title" if at == TITLE else "Note title"
        for offset, line in enumerate(lines):
            _put(sheet, Address(at.row + offset, at.column), line, "Note" if offset else first)
        if at == TITLE:
            sheet.row_dimensions[at.row].height = look()["sheet"]["title_height"]


def _links(sheet: Worksheet, planned: Sheet, sheets: Sequence[Sheet]) -> None:
    """The list of all lessons, or the way back to it."""
    if planned.lesson.contents:
        start = Address.parse(planned.lesson.contents)
        others = [each for each in sheets if each is not planned]
        for offset, other in enumerate(others):
            _link(sheet, Address(start.row + offset, start.column), other.title, other.title)
            _put(sheet, Address(start.row + offset, start.column + 1), other.words.get("summary"), "Note")
        for column, texts in enumerate(zip(*((each.title, each.words.get("summary")) for each in others), strict=True)):
            letter = get_column_letter(start.column + column)
            sheet.column_dimensions[letter].width = max(map(len, texts)) + 2
    home = next((each for each in sheets if each.lesson.contents), None)
    if planned.lesson.back and home is not None:
        _link(sheet, Address.parse(planned.lesson.back), planned.text.get("words", "back"), home.title)


def _link(sheet: Worksheet, at: Address, shown: str, title: str) -> None:
    cell = _put(sheet, at, shown, "Link")
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quote_sheetname(title)}!A1", display=shown)


def _page(sheet: Worksheet, lesson: Lesson) -> None:
    sheet.sheet_view.showGridLines = False
    sheet.sheet_format.defaultRowHeight = look()["sheet"]["row_height"]
    sheet.sheet_format.customHeight = True
    sheet.sheet_properties.tabColor = look()["tabs"][lesson.family]
    sheet.freeze_panes = lesson.freeze
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9
    sheet.page_setup.fitToWidth = 1
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    if (frozen := Address.parse(lesson.freeze).row - 1) > 0:
        sheet.print_title_rows = f"{frozen}:{frozen}"
    sheet.oddFooter.left.text = "&A"
    sheet.oddFooter.right.text = "&P / &N"
