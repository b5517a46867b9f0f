"""A finished workbook for the lint: what its parts hold, and what its sheets were planned to be."""

import io
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring
from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell
from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder.grid import Placed
from workbook_builder.lesson import Entry
from workbook_builder.sheet import Sheet


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


def where(cell: Cell) -> str:
    """The cell with its sheet."""
    return f"{cell.parent.title}!{cell.coordinate}"
