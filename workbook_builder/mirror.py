"""A sheet mirrored as text, Markdown or HTML, with column letters and row numbers, for slides, pages and terminals."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from openpyxl import load_workbook
from openpyxl.cell import Cell
from openpyxl.utils import get_column_letter

from workbook_builder.errors import Fault, InputError
from workbook_builder.style import look
from workbook_builder.suggest import did_you_mean


@dataclass(frozen=True)
class Mirrored:
    """One cell as a reader sees it; `align` is left, right or center."""

    text: str
    style: str
    align: str


@dataclass(frozen=True)
class Mirror:
    """One sheet as a reader sees it: `rows[0][0]` is A1."""

    title: str
    rows: tuple[tuple[Mirrored, ...], ...]

    @property
    def letters(self) -> list[str]:
        """The column letters."""
        return [get_column_letter(column) for column in range(1, len(self.rows[0]) + 1)] if self.rows else []


def show(data: bytes, *, format: str = "text", formulas: bool = False) -> str:  # noqa: A002 - the word users know
    """Every sheet of a built workbook as `text`, `markdown` or `html`.

    Values are shown as the sheet formats them, or the formulas in their place. Raises InputError for another format.
    """
    if format not in FORMATS:
        remedy = did_you_mean(format, FORMATS)
        raise InputError([Fault("--format", "there is no such format", remedy, value=format)])
    return "\n\n".join(FORMATS[format](mirror) for mirror in mirrors(data, formulas=formulas)) + "\n"


def mirrors(data: bytes, *, formulas: bool = False) -> list[Mirror]:
    """Every sheet of a built workbook, without the empty rows and columns at its ends."""
    book = load_workbook(io.BytesIO(data), data_only=not formulas)
    return [
        Mirror(sheet.title, tuple(tuple(_mirrored(cell) for cell in row) for row in sheet.iter_rows()))
        for sheet in book.worksheets
    ]


def _mirrored(cell: Cell) -> Mirrored:
    align = cell.alignment.horizontal or ("left" if isinstance(cell.value, str) else "right")
    return Mirrored(displayed(cell.value, cell.number_format), cell.style, align)


def displayed(value: object, number_format: str) -> str:
    """A value as a spreadsheet shows it under one of the formats our styles use."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if number_format.endswith("%"):
        return f"{value:.{_decimals(number_format)}%}"
    if '"*"' in number_format and value == 0:
        return "0*"
    if number_format.startswith("0"):
        return f"{value:.{_decimals(number_format)}f}"
    return f"{value:.10g}"


def _decimals(number_format: str) -> int:
    return len(number_format.rstrip("%").partition(".")[2])


def _text(mirror: Mirror) -> str:
    table = [["", *mirror.letters]]
    table += [[str(number), *(cell.text for cell in row)] for number, row in enumerate(mirror.rows, 1)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    aligned = [["right"] * len(widths)] + [["right", *(cell.align for cell in row)] for row in mirror.rows]
    lines = [
        "  ".join(_justified(text, width, align) for text, width, align in zip(*line, strict=True)).rstrip()
        for line in ((texts, widths, aligns) for texts, aligns in zip(table, aligned, strict=True))
    ]
    return "\n".join([mirror.title, *lines])


def _justified(text: str, width: int, align: str) -> str:
    match align:
        case "right":
            return text.rjust(width)
        case "center":
            return text.center(width)
        case _:
            return text.ljust(width)


def _markdown(mirror: Mirror) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells) + " |"

    head = [line(["", *mirror.letters]), "|" + "---|" * (len(mirror.letters) + 1)]
    rows = [line([str(number), *(cell.text for cell in row)]) for number, row in enumerate(mirror.rows, 1)]
    return "\n".join([f"## {mirror.title}", "", *head, *rows])


def _html(mirror: Mirror) -> str:
    letters = "".join(f'<th scope="col">{letter}</th>' for letter in mirror.letters)
    rows = "\n".join(
        f'<tr><th scope="row">{number}</th>{"".join(map(_html_cell, row))}</tr>'
        for number, row in enumerate(mirror.rows, 1)
    )
    return (
        f"<table>\n<caption>{escape(mirror.title)}</caption>\n<thead><tr><td></td>{letters}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>"
    )


def _html_cell(cell: Mirrored) -> str:
    spec: Mapping[str, object] = look()["style"].get(cell.style, {})
    style = f"text-align:{cell.align}"
    if "fill" in spec:
        style += f";background:#{spec['fill']};color:#{look()['font']['ink']}"
    if spec.get("bold"):
        style += ";font-weight:bold"
    return f'<td style="{style}">{escape(cell.text)}</td>'


FORMATS: Mapping[str, Callable[[Mirror], str]] = {"text": _text, "markdown": _markdown, "html": _html}
"""How a sheet is written, by the format's name."""
