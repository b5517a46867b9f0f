"""A lint of the workbooks we write: each rule reads a finished file and says what is wrong with it.

Schema validators do not see most of this. A rule is a function from a file to its findings; `RULES` lists them all.
What a sheet should hold, its tables, inputs and notes, is taken from the lessons; what it does hold, from the file.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from defusedxml.ElementTree import fromstring
from lint_formulas import allowed_functions, column_patterns, literal_numbers, volatile_functions
from linted import File, where
from openpyxl.styles import Font, PatternFill

from workbook_builder.grid import Address

CONTRAST = 4.5
MOST_TITLE, MOST_MESSAGE, MOST_LIST, MOST_TEXT, MOST_NAME, MOST_ALTERNATIVE = 32, 255, 255, 32_767, 31, 150

_CORE = "{http://purl.org/dc/elements/1.1/}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_DEFAULT_NAME = re.compile(r"(sheet|tabelle|feuil|hoja|foglio)\s*\d*", re.IGNORECASE)
_LIKE_ADDRESS = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]|[Rr]\d*[Cc]\d*")


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
        for name in sheet.words.words.get("comments", {}):
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
    for place, (font, fill) in styles.items():
        colours = _ink(font), _ground(fill)
        if colours not in ratios:
            light, dark = sorted(map(_luminance, colours), reverse=True)
            ratios[colours] = (light + 0.05) / (dark + 0.05)
            if ratios[colours] < CONTRAST:
                yield f"{place}: {colours[0]} on {colours[1]} is {ratios[colours]:.1f} to 1"


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


def print_setup(file: File) -> Iterator[str]:
    """A sheet prints landscape, one page wide, with its heading and its place on every page."""
    for sheet in file.book.worksheets:
        setup, fits = sheet.page_setup, sheet.sheet_properties.pageSetUpPr
        wide = fits is not None and fits.fitToPage and setup.fitToWidth in (1, None) and setup.fitToHeight == 0
        footer = sheet.oddFooter
        said = "".join(part.text or "" for part in (footer.left, footer.center, footer.right))
        if setup.orientation != "landscape" or not wide or not sheet.print_title_rows:
            yield f"{sheet.title}: not landscape, not one page wide, or without repeated rows"
        if not re.search(r"&\[?(A|Tab)", said) or not re.search(r"&\[?P", said):
            yield f"{sheet.title}: the footer lacks the sheet's name or the page"


def document_properties(file: File) -> Iterator[str]:
    """The file says what it is, in which language, and who made it."""
    stated = fromstring(file.parts["docProps/core.xml"])
    for name in ("title", "description", "language", "creator"):
        if not (stated.findtext(f"{_CORE}{name}") or "").strip():
            yield f"the document property {name} is missing"


def text_lengths(file: File) -> Iterator[str]:
    """No text is longer than a cell can hold."""
    for cell in file.cells():
        if isinstance(cell.value, str) and len(cell.value) > MOST_TEXT:
            yield f"{where(cell)}: {len(cell.value)} characters"


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
