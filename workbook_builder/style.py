"""The look: `templates/style.toml` as openpyxl styles."""

import tomllib
from collections.abc import Mapping
from copy import copy
from functools import cache
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.styles.cell_style import StyleArray

from workbook_builder.lesson import templates

# The schema wants a font's parts in this order; openpyxl writes them in another, which strict readers report.
Font.__elements__ = (
    "b",
    "i",
    "strike",
    "outline",
    "shadow",
    "condense",
    "extend",
    "u",
    "vertAlign",
    "sz",
    "color",
    "name",
    "family",
    "charset",
    "scheme",
)


@cache
def look() -> Mapping[str, Any]:
    """The style file as it stands."""
    return tomllib.loads((templates() / "style.toml").read_text("utf-8"))


def new_book() -> Workbook:
    """A workbook without sheets that has our font and our named cell styles."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book._fonts[0] = base_font()
    for name, spec in look()["style"].items():
        book.add_named_style(_named(name, spec))
    return book


def set_style(cell: Cell, name: str) -> None:
    """Give a cell of one of our workbooks a named style: openpyxl's own way looks through all of them each time."""
    cell._style = copy(_styles()[name])


def style_of(cell: Cell) -> str:
    """The name of a cell's style."""
    return _names()[cell._style.xfId]


@cache
def _styles() -> dict[str, StyleArray]:
    """What openpyxl keeps in a cell for each named style: the same in every workbook of ours."""
    return {style.name: style.as_tuple() for style in new_book()._named_styles}


@cache
def _names() -> dict[int, str]:
    return {style.xfId: name for name, style in _styles().items()}


def base_font(*, bold: bool = False) -> Font:
    """The font everything is set in."""
    font = look()["font"]
    return Font(name=font["name"], size=font["size"], bold=bold, color=font["ink"], family=2)


def _named(name: str, spec: Mapping[str, Any]) -> NamedStyle:
    style = NamedStyle(name=name)
    style.font = base_font(bold=spec.get("bold", False))
    style.font.size = spec.get("size", style.font.size)
    style.font.underline = "single" if spec.get("underline") else None
    if "ink" in spec:
        style.font.color = spec["ink"]
    if "fill" in spec:
        style.fill = PatternFill("solid", start_color=spec["fill"], end_color=spec["fill"])
    if "border" in spec:
        style.border = _border(look()["border"][spec["border"]])
    style.alignment = Alignment(
        horizontal=spec.get("align"), vertical="center", wrap_text=spec.get("wrap"), indent=spec.get("indent", 0)
    )
    style.number_format = spec.get("format", "General")
    style.protection = Protection(locked=not spec.get("unlocked", False))
    return style


def _border(sides: Mapping[str, list[str]]) -> Border:
    if "all" in sides:
        side = Side(style=sides["all"][0], color=sides["all"][1])
        return Border(left=side, right=side, top=side, bottom=side)
    return Border(**{name: Side(style=kind, color=color) for name, (kind, color) in sides.items()})
