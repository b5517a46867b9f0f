"""How a variant's exercise looks on a page, whatever the page is: its rules, its inputs as a table, a place a cell.

Pages are trees of XHTML elements; every text in them is escaped when they are written.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from workbook_builder.homework.exports.cells import Answer, Cell, Value
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.steps import Track
from workbook_builder.homework.task import Task
from workbook_builder.text import Text, languages

Child = Element | str
Place = Callable[[Cell], Child]
"""What stands on the page where a cell's answer goes."""

TABLE = "table table-bordered"
"""The class of a table: the names that learning platforms built on Bootstrap know."""


@dataclass(frozen=True)
class Page:
    """A variant's exercise of one track, before any place for answers is put into it."""

    task: Task
    track: Track
    cells: tuple[Cell, ...]
    words: Text
    digits: int

    def text(self, name: str) -> str:
        """One of the track's texts."""
        return self.words.get("rules", self.track, name)

    def label(self, step: str) -> str:
        """What a step is called."""
        return self.words.get("step", step)

    def parts(self, place: Place) -> list[Element]:
        """The rules and the tables."""
        return [*self.rules(), *self.tables(place)]

    def tables(self, place: Place) -> list[Element]:
        """The inputs with the steps of a cell a row, and the steps of one cell; `place` is called for each cell."""
        by_step: dict[str, list[Cell]] = {}
        for cell in self.cells:
            by_step.setdefault(cell.step, []).append(cell)
        columns = _COLUMNS[self.track]
        rows, heads = _INPUTS[self.track](self.task, self.words)
        wide = [step for step in columns if step in by_step]
        table = table_of(
            [*heads, *map(self.label, wide)],
            (
                [*_cells(row), *(_answer(by_step[step], index, place) for step in wide)]
                for index, row in enumerate(rows)
            ),
        )
        single = self.single()
        sums = [table_of([self.label(cell.step) for cell in single], [[element("td", place(cell)) for cell in single]])]
        return [table, *(sums if single else [])]

    def single(self) -> list[Cell]:
        """The cells of the steps with one value for the whole track: the sums, the ratio, the mean."""
        return [cell for cell in self.cells if cell.step not in _COLUMNS[self.track]]

    def rules(self) -> list[Element]:
        """What is given, what is asked and by which conventions."""
        texts = [f"{self.text('task')} {self.words.get('rules', 'digits')}", self.text("rules")]
        if self.track == "ndcg":
            texts += [self.text("missed" if self.task.missed else "none_missed")]
            texts += [self.text("scores")] if self.task.scores else []
        return [element("p", text) for text in texts]


def page(manifest: Manifest, variant: Variant, track: Track, found: tuple[Cell, ...]) -> Page:
    """The page of a variant's track, in the manifest's language; `found` are its cells."""
    task = variant.task
    language = languages()[manifest.language]
    facts: dict[str, object] = {
        "k": task.k if track == "ndcg" else task.rr_k,
        "digits": manifest.digits,
        "relevant_from": f"{task.relevant_from:g}",
        "none": language.get("words", "none"),
        "grades": _listed(task.missed),
        "gain": language.get("exports", "gain", task.gain.kind, facts={"table": task.gain}),
    }
    return Page(task, track, found, language.within("exports", facts=facts), manifest.digits)


def feedback(language: str, answer: Answer) -> str:
    """What is said to somebody who gave this answer: nothing to the right one, else the methods that give it."""
    if not answer.methods:
        return ""
    text = languages()[language]
    methods = [text.within("homework", "method", name, facts={}) for name in answer.methods]
    titles = "; ".join(method.get("title") for method in methods)
    if answer.right:
        return f"{text.get('exports', 'feedback', 'accepted')} {titles}"
    if len(methods) > 1:
        return f"{text.get('exports', 'feedback', 'one_of')} {titles}"
    return f"{titles[:1].upper()}{titles[1:]}. {methods[0].get('why')}"


def shown(value: Value, digits: int, none: str) -> str:
    """A value as it is given: to the digits asked, without zeros at the end; `none` where it is None."""
    if value is None:
        return none
    return f"{value + 0.0:.{digits}f}".rstrip("0").rstrip(".")


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """An element with texts and elements in it; a `_` at the end of an attribute's name is dropped, as in `class_`."""
    made = Element(tag, {name.removesuffix("_"): value for name, value in attributes.items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + child
        else:
            last.tail = (last.tail or "") + child
    return made


def table_of(heads: Iterable[str], rows: Iterable[Iterable[Element]]) -> Element:
    """A table with a heading row; the rows' cells are given."""
    head = element("tr", *(element("th", text, scope="col") for text in heads))
    return element(
        "table", element("thead", head), element("tbody", *(element("tr", *row) for row in rows)), class_=TABLE
    )


def _cells(row: Sequence[str]) -> list[Element]:
    return [element("th", row[0], scope="row"), *(element("td", value) for value in row[1:])]


def _answer(cells: Sequence[Cell], index: int, place: Place) -> Element:
    return element("td", place(cells[index])) if index < len(cells) else element("td")


def _ndcg_inputs(task: Task, words: Text) -> tuple[list[list[str]], list[str]]:
    columns = [(words.get("heads", "score"), task.scores)] if task.scores else []
    columns.append((words.get("heads", "grade"), task.grades))
    rows = [
        [str(rank), *(f"{values[rank - 1]:g}" if rank <= len(values) else "" for _, values in columns)]
        for rank in range(1, task.ideal_ranks + 1)
    ]
    return rows, [words.get("heads", "rank"), *(name for name, _ in columns)]


def _mrr_inputs(task: Task, words: Text) -> tuple[list[list[str]], list[str]]:
    longest = max(len(grades) for _, grades in task.queries)
    rows = [[name, *(f"{each:g}" for each in grades), *[""] * (longest - len(grades))] for name, grades in task.queries]
    ranks = [words.get("heads", "result", facts={"number": rank}) for rank in range(1, longest + 1)]
    return rows, [words.get("heads", "query"), *ranks]


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


_INPUTS: Mapping[Track, Callable[[Task, Text], tuple[list[list[str]], list[str]]]] = {
    "ndcg": _ndcg_inputs,
    "mrr": _mrr_inputs,
}

_COLUMNS: Mapping[Track, tuple[str, ...]] = {
    "ndcg": ("discounted_gain", "ideal_grade", "ideal_discounted_gain"),
    "mrr": ("first_relevant", "reciprocal_rank"),
}
"""The steps with a cell a row, in the order of their columns."""
