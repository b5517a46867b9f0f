"""The cells of a finished workbook as its XML states them: formulas, contents, and the values cached for them.

Only for files an engine or this package has just written; what people send is opened with `opened`, behind its limits.
"""

import io
import posixpath
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, iterparse

from defusedxml.ElementTree import fromstring
from openpyxl.formula.translate import Translator
from openpyxl.utils import get_column_letter

Cells = Mapping[str, Mapping[str, object]]
"""Sheet title -> address -> value; in a mapping of formulas the value is the formula's text."""

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_cells(data: bytes) -> tuple[Cells, Cells]:
    """(formulas, values) of every sheet: the formula of each formula cell, and what every cell shows."""
    formulas: dict[str, dict[str, object]] = {}
    values: dict[str, dict[str, object]] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        shared = _shared_texts(archive)
        for title, part in _sheets(archive):
            formulas[title], values[title] = {}, {}
            masters: dict[str, tuple[str, str]] = {}
            for cell in _cells(archive, part):
                address = cell.attrib["r"]
                values[title][address] = _value(cell, shared)
                formula = cell.find(f"{_MAIN}f")
                if formula is not None:
                    formulas[title][address] = _formula(formula, address, masters)
    return formulas, values


def by_address(grid: Sequence[Sequence[object]]) -> Mapping[str, object]:
    """A sheet's values, given as rows from A1 on, by address."""
    return {
        f"{get_column_letter(column)}{row}": value
        for row, cells in enumerate(grid, 1)
        for column, value in enumerate(cells, 1)
    }


def _formula(element: Element, address: str, masters: dict[str, tuple[str, str]]) -> str:
    """A formula's text; one that several cells share is stated once and moves along with them."""
    text, group = element.text, element.attrib.get("si")
    if text is not None and group is not None:
        masters[group] = (f"={text}", address)
    if text is None and group in masters:
        formula, origin = masters[group]
        return str(Translator(formula, origin=origin).translate_formula(address))
    return f"={text or ''}"


def _cells(archive: zipfile.ZipFile, part: str) -> Iterator[Element]:
    with archive.open(part) as stream:
        for _, element in iterparse(stream):
            if element.tag == f"{_MAIN}c":
                yield element
            elif element.tag == f"{_MAIN}row":
                element.clear()


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """(title, part) of every sheet, in the order of the tabs."""
    relations = fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {relation.attrib["Id"]: relation.attrib["Target"] for relation in relations}
    for sheet in fromstring(archive.read("xl/workbook.xml")).iter(f"{_MAIN}sheet"):
        target = targets[sheet.attrib[_RELATION]]
        yield sheet.attrib["name"], posixpath.normpath(posixpath.join("xl", target)).lstrip("/")


def _shared_texts(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    return [_text(item) for item in fromstring(archive.read("xl/sharedStrings.xml")).iter(f"{_MAIN}si")]


def _text(element: Element) -> str:
    return "".join(part.text or "" for part in element.iter(f"{_MAIN}t"))


def _value(cell: Element, shared: Sequence[str]) -> object:
    """A number, a text, or an error's text; None when the cell shows nothing."""
    if cell.attrib.get("t") == "inlineStr":
        return _text(cell)
    stated = cell.find(f"{_MAIN}v")
    if stated is None or stated.text is None:
        return None
    match cell.attrib.get("t", "n"):
        case "n":
            return float(stated.text)
        case "b":
            return stated.text == "1"
        case "s":
            return shared[int(stated.text)]
        case _:
            return stated.text
