"""Names to addresses: where each named cell of a lesson stands, and what its formula says there.

Pure: no sheet is opened and no value is computed here.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from openpyxl.utils.cell import column_index_from_string, coordinate_from_string, get_column_letter

from workbook_builder.errors import TemplateError
from workbook_builder.lesson import Block, Entry, Lesson
from workbook_builder.suggest import did_you_mean

NAME = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, order=True)
class Address:
    """A cell of one sheet; row and column count from 1."""

    row: int
    column: int

    @property
    def relative(self) -> str:
        """As in B2."""
        return f"{get_column_letter(self.column)}{self.row}"

    @property
    def in_row(self) -> str:
        """As in B$2: the row stays when a formula is copied down."""
        return f"{get_column_letter(self.column)}${self.row}"

    @property
    def absolute(self) -> str:
        """As in $B$2."""
        return f"${get_column_letter(self.column)}${self.row}"

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read B2 or $B$2."""
        letters, row = coordinate_from_string(text.replace("$", ""))
        return cls(row, column_index_from_string(letters))


@dataclass(frozen=True)
class Placed:
    """A block with its place: `origin` is its heading's first cell, or its first cell when it has no heading."""

    block: Block
    origin: Address
    rows: int

    @property
    def first_row(self) -> int:
        """The row of its first values."""
        return self.origin.row + self.block.heading

    @property
    def last_row(self) -> int:
        """The row of its last values; above the first when it has none."""
        return self.first_row + self.rows - 1

    def cells(self, entry: Entry) -> tuple[Address, ...]:
        """Where the values of one of its entries stand."""
        if self.block.fields:
            row = self.first_row + self.block.fields.index(entry)
            return (Address(row, self.origin.column + self.block.value_column - 1),)
        column = self.origin.column + self.block.columns.index(entry)
        return tuple(Address(row, column) for row in range(self.first_row, self.last_row + 1))


@dataclass(frozen=True)
class Grid:
    """A lesson placed on its sheet: `cells[name]` lists the addresses of that name, first row first."""

    lesson: Lesson
    blocks: tuple[Placed, ...]
    cells: Mapping[str, tuple[Address, ...]]
    gain: str

    def formulas(self, word: Callable[[str], str]) -> dict[tuple[str, int], tuple[Address, str]]:
        """(name, index) -> address and formula, with addresses in place of names and words in place of `{word:key}`."""
        return {
            (entry.name, index): (address, self._written(entry, index, own, word))
            for placed in self.blocks
            for own in [frozenset(each.name for each in placed.block.columns)]
            for entry in placed.block.entries
            if entry.formula is not None
            for index, address in enumerate(self.cells[entry.name])
        }

    def range_of(self, *names: str) -> str:
        """The one block of cells with these names, absolute; raises TemplateError when they do not touch."""
        # Every row of a table asks for the same few ranges.
        if names not in self._ranges:
            self._ranges[names] = self._range(names)
        return self._ranges[names]

    def area_of(self, block: Block) -> str:
        """The one block of all cells that a block has for every rank and that hold no formula, absolute."""
        across = [entry.name for entry in block.entries if entry.number is not None and not entry.formula]
        cells = [address for name in across for address in self.cells[name]]
        return f"{min(cells).absolute}:{max(cells).absolute}"

    @cached_property
    def _ranges(self) -> dict[tuple[str, ...], str]:
        return {}

    def _range(self, names: tuple[str, ...]) -> str:
        cells = [address for name in names for address in self._named(name)]
        if not cells:
            raise TemplateError(f"lesson {self.lesson.name}: {'+'.join(names)} has no cells")
        if any(b.column != a.column or b.row != a.row + 1 for a, b in pairwise(cells)):
            raise TemplateError(f"lesson {self.lesson.name}: the cells of {'+'.join(names)} do not form one column")
        # One cell is written as a range too: not every engine takes a lone cell for one.
        return f"{cells[0].absolute}:{cells[-1].absolute}"

    def _written(self, entry: Entry, index: int, own: frozenset[str], word: Callable[[str], str]) -> str:
        """An entry's formula in one of its rows; `own` are the names of its own table."""
        assert entry.formula is not None

        def written(text: str) -> str:
            if "+" in text:
                return self.range_of(*text.split("+"))
            name, _, how = text.partition(":")
            if name == "word":
                return '"' + word(how).replace('"', '""') + '"'
            if name == "gain":
                return GAINS[self.gain](self, written(how))
            if how == "all":
                return self.range_of(name)
            if how in PLACES:
                return PLACES[how](self._named(name), index)
            if how:
                raise TemplateError(f"lesson {self.lesson.name}: {{{text}}}? {did_you_mean(how, ['all', *PLACES])}")
            return self._cell(name, index, own)

        return NAME.sub(lambda match: written(match[1]), entry.formula)

    def _named(self, name: str) -> tuple[Address, ...]:
        if name not in self.cells:
            raise TemplateError(f"lesson {self.lesson.name}: no {{{name}}}. {did_you_mean(name, list(self.cells))}")
        return self.cells[name]

    def _cell(self, name: str, index: int, own: frozenset[str]) -> str:
        cells = self._named(name)
        if name in own:
            return cells[index].relative
        if len(cells) == 1:
            return cells[0].absolute
        raise TemplateError(
            f"lesson {self.lesson.name}: {{{name}}} is many cells; say {{{name}:all}} or {{{name}:row}}"
        )


PLACES: Mapping[str, Callable[[tuple[Address, ...], int], str]] = {
    "row": lambda cells, index: cells[index].relative,
    "above": lambda cells, index: Address(cells[index].row - 1, cells[index].column).relative,
    "first": lambda cells, _: cells[0].in_row,
    "last": lambda cells, _: cells[-1].in_row,
}
"""Which one of many cells `{name:place}` means, seen from the formula's own row; those that are the same from every
row keep theirs, so that one formula stands down a column."""

GAINS: Mapping[str, Callable[[Grid, str], str]] = {
    "linear": lambda _, grade: grade,
    "exponential": lambda _, grade: f"(2^{grade}-1)",
    "guarded linear": lambda _, grade: f"MAX({grade},0)",
    "guarded exponential": lambda _, grade: f"IFERROR(2^MAX({grade},0)-1,0)",
    # Engines do not agree on what a blank cell is as SUMIF's criterion.
    "table": lambda grid, grade: (
        f"IF(ISNUMBER({grade}),SUMIF({grid.range_of('listed_grade')},{grade},{grid.range_of('listed_gain')}),0)"
    ),
}
"""How a formula turns a grade's cell into its gain: `{gain:name}`.

Guarded, a text, a grade below 0 or one too large for a power of 2 is worth 0."""


def place(lesson: Lesson, sizes: Mapping[str, int], gain: str) -> Grid:
    """Lay a lesson out for inputs of the given sizes (input name -> number of values).

    Blocks without rows vanish, and those beside them; blocks without a place of their own follow the one before them.
    """
    placed: list[Placed] = []
    cells: dict[str, tuple[Address, ...]] = {}
    follows = Address(1, 1)
    for block in lesson.blocks:
        anchor = next((each for each in placed if each.block.name in (block.beside, block.under)), None)
        if anchor is not None and block.beside:
            origin = Address(anchor.origin.row, column_index_from_string(block.column))
        elif anchor is not None:
            origin = Address(anchor.last_row + 1, anchor.origin.column)
        elif block.at:
            origin = Address.parse(block.at)
        else:
            origin = Address(follows.row + block.gap, follows.column)
        rows = len(block.fields) or (block.rows if isinstance(block.rows, int) else sizes.get(block.rows, 0))
        absent = block.when not in (None, gain) or bool((block.beside or block.under) and anchor is None)
        here = Placed(block, origin, 0 if absent else rows)
        cells |= {entry.name: here.cells(entry) if here.rows else () for entry in block.entries}
        if here.rows:
            placed.append(here)
        if here.rows and anchor is None:
            follows = Address(here.last_row + 1, origin.column)
    return Grid(lesson, tuple(placed), cells, gain)
