"""The lint's rules for evaluation workbooks, whose lists may be long: what formulas may read, and what is guarded."""

import re
from collections.abc import Iterator
from functools import cache

from lint import (
    MOST_MESSAGE,
    MOST_TITLE,
    Rule,
    alternative_texts,
    chart_titles,
    contrast,
    defined_names,
    document_properties,
    duplicate_cells,
    first_cell,
    merged_cells,
    print_setup,
    sheet_names,
    text_lengths,
    validation_lists,
)
from lint_formulas import allowed_functions, literal_numbers, volatile_functions
from linted import File, where
from openpyxl.formula.tokenizer import Token
from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

MOST_FORMULA = 8_192
QUERIES, ONE, RESULTS, JUDGMENTS, IDEAL = 2, 3, 6, 5, 4
"""The places of the tabs, from 0, in a workbook of two or more runs."""
IDS = {RESULTS: (1, 2, 4), JUDGMENTS: (1, 2), QUERIES: (1, 2), IDEAL: (1,)}
YELLOW = ("Input", "Input text")
Area = tuple[int, int, int, int]


def stated_numbers(file: File) -> Iterator[str]:
    """A formula states no number but 0, 1 and 2, and 10 as the base of decimals."""
    yield from (found for found in literal_numbers(file) if not re.search(r": 10 stands in the formula =1/10\^", found))


def formula_lengths(file: File) -> Iterator[str]:
    """A formula is no longer than the spreadsheet takes."""
    for cell, _ in file.formulas():
        if len(str(cell.value)) > MOST_FORMULA:
            yield f"{where(cell)}: a formula of {len(str(cell.value)):,} characters"


def whole_columns(file: File) -> Iterator[str]:
    """No formula reads a column or a row to its end: recalculating would grow with the square of the rows."""
    for cell, tokens in file.formulas():
        for token in tokens:
            if token.subtype == Token.RANGE and re.search(r"(^|!)\$?([A-Z]+:\$?[A-Z]+|\d+:\$?\d+)$", token.value):
                yield f"{where(cell)}: {token.value} has no end"


def own_blocks(file: File) -> Iterator[str]:
    """A row that belongs to a query reads its own lines of Judgments and Results and no other's."""
    sheets = file.book.worksheets
    lists = {sheets[at].title: at for at in (RESULTS, JUDGMENTS)}

    @cache
    def owners(sheet: int) -> dict[int, tuple[object, ...]]:
        columns = {RESULTS: (2, 1), JUDGMENTS: (1,)}[sheet]
        rows = sheets[sheet].iter_rows(min_row=2, max_col=2, values_only=True)
        return {row: tuple(cells[column - 1] for column in columns) for row, cells in enumerate(rows, 2)}

    for title in (QUERIES, IDEAL, RESULTS):
        query, system = (2, 1) if title == RESULTS else (1, 2)
        for row in sheets[title].iter_rows(min_row=2):
            own = (row[query - 1].value, row[system - 1].value)
            for cell in row:
                for name, (_, top, _, bottom) in _read(str(cell.value) if cell.data_type == "f" else ""):
                    read = lists.get(name or sheets[title].title)
                    if read is None:
                        continue
                    wanted = own if read == RESULTS else own[:1]
                    if any(owners(read).get(line) != wanted for line in range(top, bottom + 1)):
                        yield f"{where(cell)}: {cell.value} reads other lines than those of {own}"


def own_documents(file: File) -> Iterator[str]:
    """A result's grade is that of its own document."""
    sheets = file.book.worksheets
    for row in sheets[RESULTS].iter_rows(min_row=2, max_col=6):
        for name, (_, line, _, _) in _read(str(row[5].value) if row[5].data_type == "f" else ""):
            if name == sheets[JUDGMENTS].title and sheets[JUDGMENTS].cell(line, 2).value != row[3].value:
                yield f"{where(row[5])}: the grade of another document"


def _read(formula: str) -> Iterator[tuple[str, Area]]:
    """The sheet, empty for the formula's own, and the area of each range that a formula reads."""
    for sheet, area in re.findall(
        r"(?:'((?:[^']|'')+)'!)?(\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)(?![(\w])", formula
    ):
        yield sheet.replace("''", "'"), range_boundaries(area.replace("$", ""))


def text_ids(file: File) -> Iterator[str]:
    """An id is text, so that 003 stays 003 and =1+1 is no formula."""
    for at, columns in IDS.items():
        for row in file.book.worksheets[at].iter_rows(min_row=2):
            for column in columns:
                if row[column - 1].data_type not in ("s", "inlineStr"):
                    yield f"{where(row[column - 1])}: the id {row[column - 1].value} is no text"


def guarded_inputs(file: File) -> Iterator[str]:
    """Every yellow cell says what it takes, before and after, and no other cell does."""
    for sheet in file.book.worksheets:
        yellow = {cell.coordinate for row in sheet.iter_rows() for cell in row if cell.style in YELLOW}
        guarded = list(_guarded(sheet))
        for cell in sorted(yellow - set(guarded)):
            yield f"{sheet.title}!{cell}: no rule guards this input"
        for cell in sorted({cell for cell in guarded if guarded.count(cell) > 1 or cell not in yellow}):
            yield f"{sheet.title}!{cell}: two rules, or one for a cell that is no input"
        for rule in sheet.data_validations.dataValidation:
            if not (rule.showInputMessage and rule.showErrorMessage):
                yield f"{sheet.title}, rule of {rule.sqref}: it does not speak or does not stop"
            for title, message in ((rule.promptTitle, rule.prompt), (rule.errorTitle, rule.error)):
                if not title or not message or len(title) > MOST_TITLE or len(message) > MOST_MESSAGE:
                    yield f"{sheet.title}, rule of {rule.sqref}: a text is missing or too long"


def _guarded(sheet: Worksheet) -> Iterator[str]:
    for rule in sheet.data_validations.dataValidation:
        for area in rule.sqref.ranges:
            for row in sheet[area.coord] if ":" in area.coord else ((sheet[area.coord],),):
                yield from (cell.coordinate for cell in row)


def headed_lists(file: File) -> Iterator[str]:
    """A list keeps its headings in sight and filters to its last row."""
    for sheet in file.book.worksheets:
        if sheet.auto_filter.ref and (not sheet.freeze_panes or sheet.print_title_rows != "$1:$1"):
            yield f"{sheet.title}: the headings do not stay"
        if sheet.auto_filter.ref and range_boundaries(sheet.auto_filter.ref)[3] != sheet.max_row:
            yield f"{sheet.title}: the filter does not reach the last row"


EVALUATION_RULES: tuple[Rule, ...] = (
    sheet_names,
    first_cell,
    chart_titles,
    alternative_texts,
    contrast,
    merged_cells,
    allowed_functions,
    volatile_functions,
    print_setup,
    document_properties,
    text_lengths,
    validation_lists,
    defined_names,
    duplicate_cells,
    stated_numbers,
    formula_lengths,
    whole_columns,
    own_blocks,
    own_documents,
    text_ids,
    guarded_inputs,
    headed_lists,
)
OWN_RULES = EVALUATION_RULES[-8:]
"""The rules that only evaluations have."""
