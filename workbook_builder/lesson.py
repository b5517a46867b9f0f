"""A lesson as its TOML declares it: blocks of cells with names, charts and notes. Nothing here knows an address."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from workbook_builder.errors import TemplateError
from workbook_builder.suggest import did_you_mean


@dataclass(frozen=True)
class Entry:
    """A column of a table, or one line of a list of fields.

    Exactly one of these says what its cells hold: `formula` (with names in place of addresses), `input` (the kind of a
    yellow cell, see `cells.KINDS`), `label` (a word of the text), `labels` (one word a row), `count` (1, 2, 3 ...),
    `fixed` (numbers written out), `given` (what the inputs say, not to be changed). `most` bounds an input such as k: a
    number, or the column whose length does; `style` is a style's name in lower case; `heading` names the word over or
    before its cells where that is not its own name; `span` is how many columns an answer may run on over; `choices`
    names the cells that list what an input may be.

    Homework asks for some steps and shows the others (`homework.rungs`): `asked` is the kind of answer that takes the
    formula's place where a step is asked; `while_asked` and `while_shown` name the step an entry goes with; `across`
    repeats an entry for every rank, `#` in it standing for the rank (`number`) and `@` for the last one.
    """

    name: str
    formula: str | None = None
    input: str | None = None
    label: str | None = None
    labels: tuple[str, ...] = ()
    count: bool = False
    fixed: tuple[float, ...] = ()
    given: bool = False
    style: str | None = None
    most: str | int = "rank"
    heading: str | None = None
    span: int = 1
    choices: str | None = None
    asked: str | None = None
    while_asked: str | None = None
    while_shown: str | None = None
    across: bool = False
    number: int | None = None


@dataclass(frozen=True)
class Block:
    """Cells placed together: a table (`columns`, repeated for `rows`) or a list (`fields`, a label and a value each).

    `rows` is a number, or the name of the input that has as many values; `at` is a fixed address, otherwise the block
    follows the one before it after `gap` empty rows, or stands `beside` an earlier block, from `column` on, or right
    `under` one; `value_column` counts from 1; `when` names the gain it is for; a `hidden` block's columns are not shown; `area` is
    one name for all cells of its entries across the ranks.
    """

    name: str
    columns: tuple[Entry, ...] = ()
    fields: tuple[Entry, ...] = ()
    rows: str | int = 1
    at: str | None = None
    gap: int = 1
    heading: bool = False
    value_column: int = 2
    when: str | None = None
    beside: str | None = None
    under: str | None = None
    column: str = "A"
    hidden: bool = False
    area: str | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its columns or its fields, whichever it has."""
        return self.columns or self.fields


@dataclass(frozen=True)
class Chart:
    """A picture of named columns; its title, axis titles and alternative text are in the text file.

    A scatter's categories count 1, 2, 3 ..., and its series named in `from_second` leave their first row out.
    """

    name: str
    kind: str
    at: str
    categories: str
    series: tuple[str, ...]
    height: float = 8.5
    width: float = 17
    from_second: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notes:
    """Lines of explanation down one column, the first one bold; the lines are in the text file.

    A `wide` column is made wide enough for them; elsewhere they flow over the empty cells to their right.
    """

    name: str
    at: str
    wide: bool = False


@dataclass(frozen=True)
class Lesson:
    """One sheet: its file's stem is its name.

    `family` colours the tab; rows above `freeze` stay in view and repeat in print; `back` is the cell that leads back
    to the contents, and `contents` where a sheet lists all lessons; `verbatim` keeps `{gain:name}` as the lesson's
    source prints it, without a guard against text and negative numbers in a grade's cell; `words` is where the text
    has its words, where that is not under `lesson` and its name.
    """

    name: str
    order: int
    family: str
    blocks: tuple[Block, ...]
    charts: tuple[Chart, ...]
    notes: tuple[Notes, ...]
    freeze: str = "A2"
    back: str | None = None
    contents: str | None = None
    verbatim: bool = False
    words: tuple[str, ...] = ()

    @property
    def words_at(self) -> tuple[str, ...]:
        """The path of its words in the text."""
        return self.words or ("lesson", self.name)

    @property
    def entries(self) -> dict[str, Entry]:
        """Every entry by name."""
        return {entry.name: entry for block in self.blocks for entry in block.entries}


def templates() -> Traversable:
    """The folder of templates: inside the installed package, or beside it in a checkout."""
    packaged = files("workbook_builder") / "templates"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "templates"


@cache
def lessons() -> Mapping[str, Lesson]:
    """Every lesson by name, in teaching order."""
    found = [
        parse_lesson(item.name.removesuffix(".toml"), item.read_text("utf-8"))
        for item in (templates() / "lessons").iterdir()
        if item.name.endswith(".toml")
    ]
    return {lesson.name: lesson for lesson in sorted(found, key=lambda lesson: lesson.order)}


def parse_lesson(name: str, toml: str) -> Lesson:
    """Read one lesson; raises TemplateError for a key, an entry or a name that cannot be right."""
    declared = tomllib.loads(toml)
    parts = {
        "blocks": tuple(_block(name, table) for table in declared.pop("block", [])),
        "charts": tuple(
            _made(Chart, name, _tupled(table, "series", "from_second")) for table in declared.pop("chart", [])
        ),
        "notes": tuple(_made(Notes, name, table) for table in declared.pop("notes", [])),
    }
    lesson: Lesson = _made(Lesson, name, {"name": name, **_tupled(declared, "words"), **parts})
    names = [entry.name for block in lesson.blocks for entry in block.entries]
    if twice := {entry for entry in names if names.count(entry) > 1}:
        raise TemplateError(f"lesson {name}: named twice: {', '.join(sorted(twice))}")
    return lesson


def _block(lesson: str, table: dict[str, Any]) -> Block:
    for group in ("columns", "fields"):
        table[group] = tuple(_made(Entry, lesson, _tupled(entry, "fixed", "labels")) for entry in table.get(group, ()))
    block: Block = _made(Block, lesson, table)
    for entry in block.entries:
        contents = [entry.formula, entry.input, entry.label, entry.labels, entry.count, entry.fixed, entry.given]
        if sum(map(bool, contents)) != 1:
            kinds = "formula, input, label(s), count, fixed, given"
            raise TemplateError(f"lesson {lesson}, {entry.name}: give one of {kinds}")
    return block


def _tupled(table: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: tuple(value) if key in keys else value for key, value in table.items()}


def _made(kind: type[Any], lesson: str, table: dict[str, Any]) -> Any:
    known = [field.name for field in fields(kind)]
    for key in table:
        if key not in known:
            what = kind.__name__.lower()
            raise TemplateError(f"lesson {lesson}, {what} {table.get('name')}: {key}? {did_you_mean(key, known)}")
    return kind(**table)
