"""The lint's rules about formulas."""

import re
from collections.abc import Iterator

from linted import File, where
from openpyxl.cell import Cell
from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token

from workbook_builder.grid import Address

ALLOWED = frozenset({
    "SUM", "SUMIF", "SUMIFS", "COUNT", "COUNTIF", "COUNTIFS", "AVERAGE", "AVERAGEIF", "AVERAGEIFS", "SUMPRODUCT",
    "LARGE", "SMALL", "RANK", "INDEX", "MATCH", "IF", "IFERROR", "AND", "OR", "ISNUMBER", "LOG", "LN", "POWER",
    "ROUND", "MIN", "MAX", "ABS", "ROWS", "CHOOSE", "TEXT", "TTEST", "TINV", "STDEV", "INT",
})  # fmt: skip
"""Functions that every engine evaluates alike."""
VOLATILE = frozenset({"NOW", "TODAY", "RAND", "RANDBETWEEN", "RANDARRAY", "OFFSET", "INDIRECT", "INFO", "CELL"})
LITERALS = frozenset("012")
"""The only numbers a formula may state; any other stands in a labelled cell."""

_PLACE = re.compile(r"(\$?)([A-Z]{1,3})(\$?)(\d+)")


def literal_numbers(file: File) -> Iterator[str]:
    """A formula states no number but 0, 1 and 2."""
    for cell, tokens in file.formulas():
        for token in tokens:
            if token.type == Token.OPERAND and token.subtype == Token.NUMBER and token.value not in LITERALS:
                yield f"{where(cell)}: {token.value} stands in the formula {cell.value}"


def column_patterns(file: File) -> Iterator[str]:
    """Down a column of a table stands one formula, seen from each row."""
    for sheet, written, placed, entry in file.entries():
        if entry.formula and placed.block.columns:
            cells = [written[address.relative] for address in sheet.grid.cells[entry.name]]
            patterns = {_relative(cell): cell for cell in cells}
            if len(patterns) > 1:
                rarest = min(patterns, key=[_relative(cell) for cell in cells].count)
                yield f"{where(patterns[rarest])}: {patterns[rarest].value} is not the formula of its column"


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
    """Only functions that every engine evaluates alike."""
    for cell, tokens in file.formulas():
        for name in _functions(tokens) - ALLOWED:
            yield f"{where(cell)}: {name} is not on the list of functions"


def volatile_functions(file: File) -> Iterator[str]:
    """Nothing changes unless somebody changes a cell: not in a formula, a rule or a name."""
    for cell, tokens in file.formulas():
        if found := _functions(tokens) & VOLATILE:
            yield f"{where(cell)}: {', '.join(found)} changes by itself"
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
