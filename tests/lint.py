"""A lint of the workbooks we write: each rule reads a finished file and says what is wrong with it.

Schema validators do not see most of this. A rule is a function from a file to its findings; `RULES` lists them all.
What a sheet should hold, its tables, inputs and notes, is taken from the lessons; what it does hold, from the file.
"""

import io
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring
from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell
from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder.grid import Address, Placed
from workbook_builder.lesson import Entry
from workbook_builder.sheet import Sheet

ALLOWED = frozenset(
    "SUM SUMIF SUMIFS COUNT COUNTIF COUNTIFS AVERAGE AVERAGEIF AVERAGEIFS SUMPRODUCT LARGE SMALL RANK INDEX MATCH IF "
    "IFERROR AND OR ISNUMBER LOG LN POWER ROUND MIN MAX ABS ROWS CHOOSE TEXT TTEST STDEV INT".split()
)
"""Functions that every engine evaluates alike."""
VOLATILE = frozenset("NOW TODAY RAND RANDBETWEEN RANDARRAY OFFSET INDIRECT INFO CELL".split())
LITERALS = frozenset("012")
"""The only numbers a formula may state; any other stands in a labelled cell."""
CONTRAST = 4.5
MOST_TITLE, MOST_MESSAGE, MOST_LIST, MOST_TEXT, MOST_NAME, MOST_ALTERNATIVE = 32, 255, 255, 32_767, 31, 150

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_PLACE = re.compile(r"(\$?)([A-Z]{1,3})(\$?)(\d+)")
_DEFAULT_NAME = re.compile(r"(sheet|tabelle|feuil|hoja|foglio)\s*\d*", re.IGNORECASE)
_LIKE_ADDRESS = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]|[Rr]\d*[Cc]\d*")


@dataclass(frozen=True)
class File:
    """A finished workbook, and the sheets it was planned as."""

    data: bytes
    sheets: tuple[Sheet, ...]

    @cached_property
    def parts(self) -> dict[str, bytes]:
        """Its parts by name."""
        with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    @cached_property
    def book(self) -> Workbook:
        """As openpyxl reads it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return load_workbook(io.BytesIO(self.data))

    def trees(self, start: str) -> Iterator[tuple[str, Element]]:
        """Every XML part whose name starts so."""
        return ((name, fromstring(part)) for name, part in self.parts.items() if name.startswith(start))

    def cells(self) -> Iterator[Cell]:
        """Every cell that holds something."""
        for sheet in self.book.worksheets:
            yield from (cell for row in sheet.iter_rows() for cell in row if cell.value is not None)

    def formulas(self) -> Iterator[tuple[Cell, list[Token]]]:
        """Every formula cell with its formula's tokens."""
        for cell in self.cells():
            if cell.data_type == "f":
                yield cell, Tokenizer(str(cell.value)).items

    def planned(self) -> Iterator[tuple[Sheet, Worksheet]]:
        """Every planned sheet with what was written."""
        return ((sheet, self.book[sheet.title]) for sheet in self.sheets)

    def entries(self) -> Iterator[tuple[Sheet, Worksheet, Placed, Entry]]:
        """Every column and field of every block."""
        for sheet, written in self.planned():
            for placed in sheet.grid.blocks:
                yield from ((sheet, written, placed, entry) for entry in placed.block.entries)


def sheet_names(file: File) -> Iterator[str]:
    """A tab's name means something, is legal and is not cut."""
    names = re.findall(r'<sheet [^>]*name="([^"]*)"', file.parts["xl/workbook.xml"].decode())
    for name in names:
        if not name.strip() or len(name) > MOST_NAME or re.search(r"[\[\]:*?/\\]|^'|'$", name):
            yield f"the sheet name {name!r} is empty, too long or not legal"
        if _DEFAULT_NAME.fullmatch(name):
            yield f"the sheet name {name!r} means nothing"
    if len({name.casefold() for name in names}) < len(names):
        yield "two sheets have the same name"


def first_cell(file: File) -> Iterator[str]:
    """A screen reader starts at A1."""
    yield from (f"{sheet.title}: A1 is empty" for sheet in file.book.worksheets if not sheet["A1"].value)


def table_rows(file: File) -> Iterator[str]:
    """No blank row ends a table for a reader who moves by tables."""
    for sheet, written in file.planned():
        for placed in sheet.grid.blocks:
            width = len(placed.block.columns)
            for row in range(placed.origin.row, placed.last_row + 1) if width else ():
                columns = range(placed.origin.column, placed.origin.column + width)
                if all(written.cell(row, column).value is None for column in columns):
                    yield f"{sheet.title}: row {row} of table {placed.block.name} is blank"


def input_rules(file: File) -> Iterator[str]:
    """Every input says what it takes, before and after."""
    for sheet, written, _, entry in file.entries():
        for address in sheet.grid.cells[entry.name] if entry.input else ():
            cell = f"{sheet.title}!{address.relative}"
            rules = [rule for rule in written.data_validations.dataValidation if address.relative in rule.sqref]
            if len(rules) != 1 or not (rules[0].showInputMessage and rules[0].showErrorMessage):
                yield f"{cell}: no rule guards this input, or more than one"
                continue
            for title, message in ((rules[0].promptTitle, rules[0].prompt), (rules[0].errorTitle, rules[0].error)):
                if not title or not message or len(title) > MOST_TITLE or len(message) > MOST_MESSAGE:
                    yield f"{cell}: the prompt or the error is missing or too long"


def cell_notes(file: File) -> Iterator[str]:
    """Every note the text declares hangs on its cell, and belongs to one."""
    for sheet, written, placed, entry in file.entries():
        if sheet.words.optional("comments", entry.name) is None:
            continue
        (first, *_) = sheet.grid.cells[entry.name]
        at = Address(placed.origin.row, first.column) if placed.block.columns else first
        if written[at.relative].comment is None or not written[at.relative].comment.text.strip():
            yield f"{sheet.title}!{at.relative}: the note on {entry.name} is missing"
    for sheet, _ in file.planned():
        for name in sheet.text.words["lesson"][sheet.name].get("comments", {}):
            if name not in sheet.lesson.entries:
                yield f"{sheet.title}: there is a note on {name}, but no such cell"


def chart_titles(file: File) -> Iterator[str]:
    """A chart and each of its axes has a title."""
    for name, chart in file.trees("xl/charts/chart"):
        axes = [axis for kind in ("catAx", "valAx", "dateAx", "serAx") for axis in chart.iter(_CHART + kind)]
        titles = [part.find(f"{_CHART}title") for part in (*chart.iter(f"{_CHART}chart"), *axes)]
        for title in titles:
            if title is None or not "".join(text.text or "" for text in title.iter(_TEXT)).strip():
                yield f"{name}: the chart or an axis has no title"


def alternative_texts(file: File) -> Iterator[str]:
    """A chart can be heard."""
    for name, drawing in file.trees("xl/drawings/drawing"):
        for frame in drawing.iter(f"{_DRAWING}cNvPr"):
            if not 0 < len(frame.get("descr", "").strip()) <= MOST_ALTERNATIVE:
                yield f"{name}: {frame.get('name')} has no alternative text, or one too long"


def contrast(file: File) -> Iterator[str]:
    """Every text can be read on its ground: at least 4.5 to 1."""
    styles = {style.name: (style.font, style.fill) for style in file.book._named_styles}
    styles |= {f"{cell.parent.title}!{cell.coordinate}": (cell.font, cell.fill) for cell in file.cells()}
    ratios: dict[tuple[str, str], float] = {}
    for where, (font, fill) in styles.items():
        colours = _ink(font), _ground(fill)
        if colours not in ratios:
            light, dark = sorted(map(_luminance, colours), reverse=True)
            ratios[colours] = (light + 0.05) / (dark + 0.05)
            if ratios[colours] < CONTRAST:
                yield f"{where}: {colours[0]} on {colours[1]} is {ratios[colours]:.1f} to 1"


def _ink(font: Font) -> str:
    return str(font.color.rgb)[-6:] if font.color is not None and font.color.type == "rgb" else "000000"


def _ground(fill: PatternFill) -> str:
    return str(fill.fgColor.rgb)[-6:] if fill.fill_type == "solid" else "FFFFFF"


def _luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def merged_cells(file: File) -> Iterator[str]:
    """Merged cells break reading order, sorting and selection."""
    yield from (f"{sheet.title}: {area} is merged" for sheet in file.book for area in sheet.merged_cells.ranges)


def literal_numbers(file: File) -> Iterator[str]:
    """A formula states no number but 0, 1 and 2."""
    for cell, tokens in file.formulas():
        for token in tokens:
            if token.type == Token.OPERAND and token.subtype == Token.NUMBER and token.value not in LITERALS:
                yield f"{_where(cell)}: {token.value} stands in the formula {cell.value}"


def column_patterns(file: File) -> Iterator[str]:
    """Down a column of a table stands one formula, seen from each row."""
    for sheet, written, placed, entry in file.entries():
        if entry.formula and placed.block.columns:
            cells = [written[address.relative] for address in sheet.grid.cells[entry.name]]
            patterns = {_relative(cell): cell for cell in cells}
            if len(patterns) > 1:
                rarest = min(patterns, key=[_relative(cell) for cell in cells].count)
                yield f"{_where(patterns[rarest])}: {patterns[rarest].value} is not the formula of its column"


def _relative(cell: Cell) -> str:
    """The cell's formula in R1C1 notation; its plain value when it holds none."""
    if cell.data_type != "f":
        return repr(cell.value)
    parts = []
    for token in Tokenizer(str(cell.value)).items:
        reference = token.type == Token.OPERAND and token.subtype == Token.RANGE
        parts.append(_PLACE.sub(lambda match: _seen_from(cell, match), token.value) if reference else token.value)
    return "".join(parts)


def _seen_from(cell: Cell, match: re.Match[str]) -> str:
    address = Address.parse(match[2] + match[4])
    column = address.column if match[1] else f"[{address.column - cell.column}]"
    row = address.row if match[3] else f"[{address.row - cell.row}]"
    return f"R{row}C{column}"


def allowed_functions(file: File) -> Iterator[str]:
    """Only functions that every engine evaluates alike, and LOG only with its base."""
    for cell, tokens in file.formulas():
        for name in _functions(tokens) - ALLOWED:
            yield f"{_where(cell)}: {name} is not on the list of functions"


def volatile_functions(file: File) -> Iterator[str]:
    """Nothing changes unless somebody changes a cell: not in a formula, a rule or a name."""
    for cell, tokens in file.formulas():
        if found := _functions(tokens) & VOLATILE:
            yield f"{_where(cell)}: {', '.join(found)} changes by itself"
    for sheet in file.book.worksheets:
        for rule in sheet.data_validations.dataValidation:
            for formula in filter(None, (rule.formula1, rule.formula2)):
                if found := _functions(Tokenizer(f"={formula}").items) & VOLATILE:
                    yield f"{sheet.title}, rule of {rule.sqref}: {', '.join(found)} changes by itself"
    for name, defined in file.book.defined_names.items():
        if found := _functions(Tokenizer(f"={defined.attr_text}").items) & VOLATILE:
            yield f"name {name}: {', '.join(found)} changes by itself"


def _functions(tokens: list[Token]) -> set[str]:
    return {
        token.value.rstrip("(").upper() for token in tokens if token.type == Token.FUNC and token.subtype == Token.OPEN
    }


def print_setup(file: File) -> Iterator[str]:
    """A sheet prints landscape, one page wide, with its heading and its place on every page."""
    for sheet in file.book.worksheets:
        setup, fits = sheet.page_setup, sheet.sheet_properties.pageSetUpPr
        wide = fits is not None and fits.fitToPage and setup.fitToWidth in (1, None) and setup.fitToHeight == 0
        footer = "".join(part.text or "" for part in (sheet.oddFooter.left, sheet.oddFooter.center, sheet.oddFooter.right))
        if setup.orientation != "landscape" or not wide or not sheet.print_title_rows:
            yield f"{sheet.title}: not landscape, not one page wide, or without repeated rows"
        if not re.search(r"&\[?(A|Tab)", footer) or not re.search(r"&\[?P", footer):
            yield f"{sheet.title}: the footer lacks the sheet's name or the page"


def document_properties(file: File) -> Iterator[str]:
    """The file says what it is, in which language, and who made it."""
    stated = file.book.properties
    for name in ("title", "description", "language", "creator"):
        if not (getattr(stated, name) or "").strip():
            yield f"the document property {name} is missing"


def text_lengths(file: File) -> Iterator[str]:
    """No text is longer than a cell can hold."""
    for cell in file.cells():
        if isinstance(cell.value, str) and len(cell.value) > MOST_TEXT:
            yield f"{_where(cell)}: {len(cell.value)} characters"


def validation_lists(file: File) -> Iterator[str]:
    """A list of allowed values that stands in its rule is short enough for the spreadsheet to open the file."""
    for sheet in file.book.worksheets:
        for rule in sheet.data_validations.dataValidation:
            written_out = rule.type == "list" and str(rule.formula1).startswith('"')
            if written_out and len(str(rule.formula1)) - 2 > MOST_LIST:
                yield f"{sheet.title}, rule of {rule.sqref}: a list of {len(rule.formula1) - 2} characters"


def defined_names(file: File) -> Iterator[str]:
    """No name can be taken for a cell: NDCG10 may be one, AP5 may not."""
    for name in file.book.defined_names:
        if _LIKE_ADDRESS.fullmatch(name) or not re.fullmatch(r"[^\W\d][\w.]*", name):
            yield f"the name {name} looks like a cell, or is not legal"


def duplicate_cells(file: File) -> Iterator[str]:
    """A cell and a row stand once in the sheet's XML."""
    for name, part in file.parts.items():
        if name.startswith("xl/worksheets/sheet"):
            for kind in (rb'<c r="([A-Z]+\d+)"', rb'<row r="(\d+)"'):
                for place, times in Counter(re.findall(kind, part)).items():
                    if times > 1:
                        yield f"{name}: {place.decode()} stands {times} times"


def _where(cell: Cell) -> str:
    return f"{cell.parent.title}!{cell.coordinate}"


Rule = Callable[[File], Iterator[str]]
RULES: tuple[Rule, ...] = (
    sheet_names,
    first_cell,
    table_rows,
    input_rules,
    cell_notes,
    chart_titles,
    alternative_texts,
    contrast,
    merged_cells,
    literal_numbers,
    column_patterns,
    allowed_functions,
    volatile_functions,
    print_setup,
    document_properties,
    text_lengths,
    validation_lists,
    defined_names,
    duplicate_cells,
)
