"""The only module that writes workbooks: planned sheets in, the bytes of an .xlsx without cached values out."""

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.comments import Comment
from openpyxl.packaging.custom import StringProperty
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder import package
from workbook_builder.cells import KINDS, Scope, most_of
from workbook_builder.charts import add_chart
from workbook_builder.errors import TemplateError
from workbook_builder.grid import Address, Grid, Placed, place
from workbook_builder.inputs import Convention
from workbook_builder.lesson import Entry, Lesson
from workbook_builder.steps import Inputs, Value
from workbook_builder.style import base_font, look, named_styles
from workbook_builder.text import Facts, Text

RECORD = "workbook-builder"
"""The custom property in which a workbook of ours says what it was built with."""

NOTES_WIDTH = 62
WIDEST = 44


@dataclass(frozen=True)
class Sheet:
    """A lesson laid out for its inputs."""

    grid: Grid
    inputs: Inputs
    convention: Convention

    @property
    def name(self) -> str:
        """The lesson's name."""
        return self.grid.lesson.name

    @property
    def scope(self) -> Scope:
        """The limits of its inputs."""
        return Scope(self.convention, most_of(self.inputs.get("k", ()), len(self.grid.cells.get("rank", ()))))

    def facts(self, text: Text) -> Facts:
        """What its texts may mention."""
        return {
            "lowest": float(self.convention.lowest),
            "highest": float(self.convention.highest),
            "gain": text.get("gain", self.convention.gain.kind),
            "none": text.get("words", "none"),
        }


def plan(lesson: Lesson, inputs: Inputs, convention: Convention) -> Sheet:
    """Lay a lesson out for the given inputs."""
    kind = convention.gain.kind
    if kind == "table":
        grades, gains = zip(*convention.gain.table, strict=True)
        inputs = {**inputs, "listed_grade": grades, "listed_gain": gains}
    elif convention.lowest < 0:
        return Sheet(place(lesson, _sizes(inputs), f"{kind}, negative grades"), inputs, convention)
    return Sheet(place(lesson, _sizes(inputs), kind), inputs, convention)


def write(sheets: Sequence[Sheet], text: Text, record: dict[str, object]) -> bytes:
    """The workbook's bytes: no cached values, the same for the same input, `record` kept as a document property."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book._fonts[0] = base_font()
    for style in named_styles():
        book.add_named_style(style)
    alternatives = []
    for sheet in sheets:
        alternatives += _write_sheet(book, sheet, text)
    book.active = 0
    book.properties.creator = "workbook-builder"
    book.properties.title = text.get("properties", "title")
    book.properties.description = text.get("properties", "description")
    book.properties.language = text.language
    book.custom_doc_props.append(StringProperty(name=RECORD, value=json.dumps(record, ensure_ascii=False)))
    written = io.BytesIO()
    book.save(written)
    return package.normalised(written.getvalue(), alternatives)


def _write_sheet(book: Workbook, planned: Sheet, text: Text) -> list[str]:
    lesson = planned.grid.lesson
    title = text.get("lesson", lesson.name, "title")
    if len(title) > 31 or re.search(r"[\[\]:*?/\\']", title):
        raise TemplateError(f"text {text.language}: {title!r} cannot be a sheet's name")
    sheet = book.create_sheet(title)
    _page(sheet, look()["tabs"][lesson.family])
    facts = planned.facts(text)
    formulas = planned.grid.formulas()
    for placed in planned.grid.blocks:
        if placed.block.heading:
            _headings(sheet, placed, planned, text, facts)
        for entry in placed.block.entries:
            if placed.block.fields:
                label_at = Address(planned.grid.cells[entry.name][0].row, placed.origin.column)
                _put(sheet, label_at, text.get("lesson", lesson.name, "labels", entry.name, facts=facts), "Label")
                for column in range(label_at.column + 1, planned.grid.cells[entry.name][0].column):
                    sheet.cell(label_at.row, column).style = "Label"
            for index, address in enumerate(planned.grid.cells[entry.name]):
                formula = formulas.get((entry.name, index))
                _fill(sheet, address, entry, index, formula[1] if formula else None, planned, text)
            if placed.block.fields:
                _comment(sheet, planned.grid.cells[entry.name][0], entry, lesson, text, facts)
        if any(entry.input for entry in placed.block.entries):
            _inputs(book, sheet, placed, planned, text, facts)
    _widths(sheet)
    for notes in lesson.notes:
        at = Address.parse(notes.at)
        sheet.column_dimensions[get_column_letter(at.column)].width = NOTES_WIDTH
        for offset, line in enumerate(text.lines("lesson", lesson.name, "notes", notes.name, facts=facts)):
            _put(sheet, Address(at.row + offset, at.column), line, "Note" if offset else "Note title")
    return [add_chart(sheet, chart, planned.grid, text) for chart in lesson.charts]


def _headings(sheet: Worksheet, placed: Placed, planned: Sheet, text: Text, facts: Facts) -> None:
    lesson = planned.grid.lesson
    for offset, entry in enumerate(placed.block.columns):
        at = Address(placed.origin.row, placed.origin.column + offset)
        _put(sheet, at, text.get("lesson", lesson.name, "labels", entry.name, facts=facts), "Heading")
        _comment(sheet, at, entry, lesson, text, facts)
    sheet.row_dimensions[placed.origin.row].height = look()["sheet"]["heading_height"]


def _fill(
    sheet: Worksheet, at: Address, entry: Entry, index: int, formula: str | None, planned: Sheet, text: Text
) -> None:
    if formula is not None:
        cell = sheet.cell(at.row, at.column, formula)
        cell.style = (entry.style or "number").capitalize()
    elif entry.input is not None:
        value = planned.inputs[entry.name][index]
        shown = text.get("words", "none") if value is None and entry.input == "first_rank" else value
        _put(sheet, at, shown, KINDS[entry.input].style)
    elif entry.label is not None:
        _put(sheet, at, text.get("lesson", planned.name, "labels", entry.name), "Label")
    else:
        _put(sheet, at, index + 1 if entry.count else entry.fixed[index], (entry.style or "whole").capitalize())


def _put(sheet: Worksheet, at: Address, value: Value, style: str) -> Cell:
    cell = sheet.cell(at.row, at.column)
    assert isinstance(cell, Cell)
    cell.style = style
    if isinstance(value, str):
        # Assigning would turn a text such as "=1+1" or "#N/A" into a formula or an error.
        cell._value = value
        cell.data_type = "s"
        if value[:1] in "=+-@" and value:
            cell.quotePrefix = True
    elif value is not None:
        cell.value = int(value) if value == int(value) else value
    return cell


def _comment(sheet: Worksheet, at: Address, entry: Entry, lesson: Lesson, text: Text, facts: Facts) -> None:
    note = text.optional("lesson", lesson.name, "comments", entry.name, facts=facts)
    if note is not None:
        sheet.cell(at.row, at.column).comment = Comment(note, "workbook-builder", height=110, width=260)


def _inputs(book: Workbook, sheet: Worksheet, placed: Placed, planned: Sheet, text: Text, facts: Facts) -> None:
    for entry in placed.block.entries:
        if entry.input is None:
            continue
        cells = planned.grid.cells[entry.name]
        reference = planned.grid.range_of(entry.name)
        where = f"{quote_sheetname(sheet.title)}!{reference}"
        book.defined_names[f"{planned.name}.{entry.name}"] = DefinedName(
            f"{planned.name}.{entry.name}", attr_text=where
        )
        scope = planned.scope
        rule = KINDS[entry.input].rule(scope, cells[0].relative)
        told = {**facts, "most": scope.most}
        rule.promptTitle = rule.errorTitle = text.get("input", entry.input, "title")
        rule.prompt = text.get("input", entry.input, "prompt", facts=told)
        rule.error = text.get("input", entry.input, "error", facts=told)
        rule.showInputMessage = rule.showErrorMessage = True
        rule.allow_blank = True
        rule.add(reference.replace("$", ""))
        sheet.add_data_validation(rule)


def _page(sheet: Worksheet, tab: str) -> None:
    sheet.sheet_view.showGridLines = False
    sheet.sheet_format.defaultRowHeight = look()["sheet"]["row_height"]
    sheet.sheet_format.customHeight = True
    sheet.sheet_properties.tabColor = tab
    sheet.freeze_panes = "A2"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9
    sheet.page_setup.fitToWidth = 1
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"
    sheet.oddFooter.left.text = "&A"
    sheet.oddFooter.right.text = "&P / &N"


def _widths(sheet: Worksheet) -> None:
    for cells in sheet.iter_cols():
        lengths = [_shown_length(cell) for cell in cells]
        letter = get_column_letter(cells[0].column or 1)
        sheet.column_dimensions[letter].width = min(max([8, *lengths]) * 1.15 + 2, WIDEST)


def _shown_length(cell: object) -> int:
    assert isinstance(cell, Cell)
    if cell.value is None or cell.data_type == "f":
        return 8
    text = str(cell.value)
    # Headings wrap onto two lines between words.
    return max(len(text) // 2, *map(len, text.split())) if cell.style == "Heading" and text.split() else len(text)


def _sizes(inputs: Inputs) -> dict[str, int]:
    return {name: len(values) for name, values in inputs.items()}
