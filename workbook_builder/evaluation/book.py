"""The workbook around the cells: styles, widths, lists to choose from, bars, charts, names and properties."""

import io
import json
import re
from collections.abc import Mapping

from openpyxl import Workbook
from openpyxl.cell import Cell as SheetCell
from openpyxl.formatting.rule import DataBarRule
from openpyxl.packaging.custom import StringProperty
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder import package
from workbook_builder.evaluation import charts, places
from workbook_builder.evaluation.columns import (
    GAINS,
    Compare,
    Differences,
    Judgments,
    OneQuery,
    Queries,
    Results,
    Summary,
)
from workbook_builder.evaluation.layout import FIRST, Layout, Rows
from workbook_builder.evaluation.markup import QUOTED, Markup, StyleIds
from workbook_builder.style import look, new_book, set_style
from workbook_builder.workbook import EVALUATION

LISTS = ("queries", "ideal", "judgments", "results", "differences", "discount")
FAMILIES = {
    "summary": "example",
    "compare": "example",
    "queries": "example",
    "one_query": "practice",
    "ideal": "ideal",
    "judgments": "gain",
    "results": "gain",
    "differences": "ideal",
    "discount": "ideal",
    "about": "start",
}
BAR = "7FB2E5"


def styled_book() -> tuple[Workbook, StyleIds]:
    """A workbook without sheets, and the number that stands in its file for each named style.

    The name with `QUOTED` after it is the same style for a text that starts like a formula.
    """
    book = new_book()
    ids: dict[str, int] = {}
    sheet = book.create_sheet()
    for style in look()["style"]:
        cell = sheet.cell(1, 1)
        assert isinstance(cell, SheetCell)
        set_style(cell, style)
        ids[style] = book._cell_styles.add(cell._style)
        cell.quotePrefix = True
        ids[style + QUOTED] = book._cell_styles.add(cell._style)
    book.remove(sheet)
    return book, ids


def skeleton(layout: Layout, sheets: Mapping[str, Markup], record: Mapping[str, object]) -> bytes:
    """The workbook without its cells, which `filled` puts in."""
    book, _ = styled_book()
    alternatives: list[str] = []
    for name in sheets:
        book.create_sheet(layout.title(name))
    for name, made in sheets.items():
        sheet = book[layout.title(name)]
        _page(sheet, name, layout, made)
        alternatives += charts.add(sheet, name, layout)
    _names(book, layout)
    _choices(book, layout)
    _bars(book, layout)
    book.active = 0
    book.properties.creator = "workbook-builder"
    book.properties.title = layout.word("title")
    book.properties.description = layout.word("description")
    book.properties.language = layout.text.language
    book.custom_doc_props.append(StringProperty(name=EVALUATION, value=json.dumps(record, ensure_ascii=False)))
    written = io.BytesIO()
    book.save(written)
    return package.normalised(written.getvalue(), alternatives)


def filled(skeleton: bytes, sheets: Mapping[str, Markup], values: Mapping[str, list[object]] | None) -> bytes:
    """The workbook with its cells: with the formulas' values, or without any."""
    parts = {f"xl/worksheets/sheet{number}.xml": name for number, name in enumerate(sheets, 1)}

    def changed(part: str, content: bytes) -> bytes:
        if part not in parts:
            return content
        made = sheets[parts[part]]
        cells = made.filled(None if values is None else values[parts[part]])
        extent = f'<dimension ref="A1:{get_column_letter(made.last_column)}{made.last_row}"/>'.encode()
        content = re.sub(rb"<dimension [^>]*/>", lambda _: extent, content, count=1)
        data = b"<sheetData>" + cells + b"</sheetData>"
        return re.sub(rb"<sheetData\s*/>|<sheetData></sheetData>", lambda _: data, content, count=1)

    return package.rewritten(skeleton, changed)


def _page(sheet: Worksheet, name: str, layout: Layout, made: Markup) -> None:
    sheet.sheet_view.showGridLines = False
    sheet.sheet_format.defaultRowHeight = look()["sheet"]["row_height"]
    sheet.sheet_format.customHeight = True
    sheet.sheet_properties.tabColor = look()["tabs"][FAMILIES[name]]
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9
    sheet.page_setup.fitToWidth = 1
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.oddFooter.left.text = "&A"
    sheet.oddFooter.right.text = "&P / &N"
    sheet.print_title_rows = "1:1"
    for column, length in made.widths.items():
        sheet.column_dimensions[get_column_letter(column)].width = length * 1.15 + 2
    if name in LISTS:
        sheet.freeze_panes = "C2" if name in ("queries", "judgments") else "A2"
        sheet.auto_filter.ref = f"A1:{get_column_letter(made.last_column)}{made.last_row}"
    if name == "one_query":
        sheet.freeze_panes = f"A{OneQuery.heading + 1}"
    for column in _hidden(name, layout):
        sheet.column_dimensions[get_column_letter(column)].hidden = True


def _hidden(name: str, layout: Layout) -> tuple[int, ...]:
    """Columns that are of no use to the reader of this workbook."""
    if name == "queries":
        return (Queries(layout).first,)
    if name in ("judgments", "results") and not layout.evaluation.texts:
        return (Judgments.text if name == "judgments" else Results.text,)
    if name == "ideal":
        return (5, 6) if layout.evaluation.query_texts else (2, 5, 6)
    if name == "compare":
        return (Compare(layout).column("built"),)
    return ()


def _names(book: Workbook, layout: Layout) -> None:
    """Names for the yellow cells, which spreadsheet programs keep right when rows and columns move."""
    summary, one, last = Summary(layout), OneQuery(layout), Summary(layout).after - 1
    named = {
        "gain": layout.at("summary", summary.value, summary.gain),
        "relevant_from": layout.at("summary", summary.value, summary.relevant_from),
        "k": layout.block("summary", (summary.value, last), Rows(summary.k, summary.k)),
        "own_gain": places.gain_column(layout, "own"),
        "grades": places.all_judgments(layout, Judgments.grade),
        "judgments": places.all_judgments(layout, (Judgments.query, Judgments.grade)),
        "results": places.all_results(layout, (1, 5)),
        "ideal": places.query_ids(layout),
        "queries": places.all_metrics(layout),
        "discount": places.running(layout),
        "query": layout.at("one_query", one.value, one.query),
        "system": layout.at("one_query", one.value, one.system),
    }
    if layout.pairs:
        named["differences"] = places.differences(layout, Differences.chosen)
        choice = Compare(layout).choice
        for offset, name in enumerate(("first_system", "second_system", "metric")):
            named[name] = layout.at("compare", 2, choice + offset)
    for name, area in named.items():
        book.defined_names[f"evaluation.{name}"] = DefinedName(f"evaluation.{name}", attr_text=area)


def _choices(book: Workbook, layout: Layout) -> None:
    """What each yellow cell takes, said when it is selected and when something else is typed."""
    summary, one = Summary(layout), OneQuery(layout)
    first, last = (get_column_letter(column) for column in (summary.value, summary.after - 1))
    gains = ",".join(layout.word("gains", name) for name in ("linear", "exponential", "own"))
    sheet = book[layout.title("summary")]
    _rule(sheet, layout, "gain", f"{first}{summary.gain}", type="list", formula1=f'"{gains}"')
    _rule(
        sheet,
        layout,
        "relevant_from",
        f"{first}{summary.relevant_from}",
        type="decimal",
        operator="greaterThan",
        formula1="0",
    )
    _rule(
        sheet,
        layout,
        "k",
        f"{first}{summary.k}:{last}{summary.k}",
        type="whole",
        operator="between",
        formula1="1",
        formula2=str(layout.deepest),
    )
    own = get_column_letter(GAINS["own"])
    _rule(
        sheet,
        layout,
        "own_gain",
        f"{own}{summary.levels}:{own}{summary.levels + len(layout.levels) - 1}",
        type="decimal",
        operator="greaterThanOrEqual",
        formula1="0",
    )
    grade = get_column_letter(Judgments.grade)
    area = f"{grade}{FIRST}:{grade}{layout.pools[-1].last}"
    _rule(
        book[layout.title("judgments")],
        layout,
        "grade",
        area,
        type="list",
        formula1=places.gain_column(layout, "grade"),
    )
    value = get_column_letter(one.value)
    sheet = book[layout.title("one_query")]
    _rule(sheet, layout, "query", f"{value}{one.query}", type="list", formula1=places.query_ids(layout))
    _rule(sheet, layout, "system", f"{value}{one.system}", type="list", formula1=places.system_names(layout))
    if layout.pairs:
        sheet, choice = book[layout.title("compare")], Compare(layout).choice
        for offset in (0, 1):
            _rule(sheet, layout, "system", f"B{choice + offset}", type="list", formula1=places.system_names(layout))
        _rule(sheet, layout, "metric", f"B{choice + 2}", type="list", formula1=places.metric_names(layout))


def _rule(sheet: Worksheet, layout: Layout, name: str, area: str, **kind: str) -> None:
    rule = DataValidation(**kind)
    rule.promptTitle = rule.errorTitle = layout.word("input", name, "title")
    rule.prompt = layout.word("input", name, "prompt")
    rule.error = layout.word("input", name, "error")
    rule.showInputMessage = rule.showErrorMessage = rule.allow_blank = True
    rule.add(area)
    sheet.add_data_validation(rule)


def _bars(book: Workbook, layout: Layout) -> None:
    """A bar behind every value of a metric that lies between 0 and 1."""
    columns, sheet = Queries(layout), book[layout.title("queries")]
    rows = places.every_query_row(layout)
    for at, measure in enumerate(layout.evaluation.measures):
        if measure.metric in ("DCG", "IDCG"):
            continue
        letter = get_column_letter(columns.metrics + at)
        bar = DataBarRule(start_type="num", start_value=0, end_type="num", end_value=1, color=BAR)
        sheet.conditional_formatting.add(f"{letter}{rows.first}:{letter}{rows.last}", bar)
