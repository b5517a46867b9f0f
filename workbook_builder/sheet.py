"""A lesson laid out for its inputs: what `workbook` writes, `reopen` reads back and `balance` compares."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from workbook_builder.cells import Scope, most_of
from workbook_builder.gain import Gain
from workbook_builder.grid import Address, Grid, place
from workbook_builder.inputs import Convention
from workbook_builder.lesson import Entry, Lesson
from workbook_builder.steps import Inputs
from workbook_builder.text import Facts, Text


@dataclass(frozen=True)
class Sheet:
    """A lesson laid out for its inputs, in one language; `proof` is what its texts may say of the workbook's proof."""

    grid: Grid
    inputs: Inputs
    convention: Convention
    text: Text
    proof: Facts = field(default_factory=dict)

    @property
    def lesson(self) -> Lesson:
        """What is laid out."""
        return self.grid.lesson

    @property
    def name(self) -> str:
        """The lesson's name."""
        return self.grid.lesson.name

    @cached_property
    def words(self) -> Text:
        """The lesson's words, with the workbook's facts filled in."""
        return self.text.within(*self.lesson.words_at, facts=self.facts)

    @property
    def title(self) -> str:
        """The tab's name."""
        return self.words.get("title")

    @cached_property
    def facts(self) -> Facts:
        """What its texts may mention."""
        return {
            "lowest": float(self.convention.lowest),
            "highest": float(self.convention.highest),
            "gain": self.text.get("gain", self.convention.gain.kind),
            "none": self.text.get("words", "none"),
            "relevant_from": float(self.convention.relevant_from),
            **self.proof,
        }

    def label(self, entry: Entry) -> str:
        """The word over or before an entry's cells; one of several across the ranks may name its `{number}`."""
        facts = self.facts if entry.number is None else {**self.facts, "number": entry.number}
        return self.words.get("labels", entry.heading or entry.name, facts=facts)

    def word(self, key: str) -> str:
        """A word that a formula may show."""
        return self.words.get("words", key)

    def scope(self, entry: Entry) -> Scope:
        """The limits of an input."""
        shown = entry.most if isinstance(entry.most, int) else len(self.grid.cells.get(entry.most, ()))
        return Scope(self.convention, most_of(self.inputs.get(entry.name, ()), shown))

    @cached_property
    def formulas(self) -> Mapping[tuple[str, int], tuple[Address, str]]:
        """(name, index) -> address and formula of every formula cell."""
        return self.grid.formulas(self.word)

    @property
    def formula_cells(self) -> int:
        """How many formula cells it has."""
        return sum(len(self.grid.cells[entry.name]) for entry in self.lesson.entries.values() if entry.formula)


def plan(lesson: Lesson, inputs: Inputs, convention: Convention, text: Text) -> Sheet:
    """Lay a lesson out for the given inputs. Each sheet has a table of gains of its own, where there is one."""
    gain: str = convention.gain.kind
    if gain == "table":
        grades, gains = zip(*convention.gain.table, strict=True)
        inputs = {"listed_grade": grades, "listed_gain": gains, **inputs}
        convention = replace(convention, gain=listed_gain(inputs))
    elif convention.lowest < 0 or not lesson.verbatim:
        gain = f"guarded {gain}"
    sizes = {name: len(values) for name, values in inputs.items()}
    return Sheet(place(lesson, sizes, gain), inputs, convention, text)


def listed_gain(inputs: Inputs) -> Gain:
    """The gain that a sheet's own table states; a blank cell in it is 0."""
    pairs = zip(inputs["listed_grade"], inputs["listed_gain"], strict=True)
    return Gain("table", tuple(sorted((float(grade or 0), float(worth or 0)) for grade, worth in pairs)))
