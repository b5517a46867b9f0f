"""An evaluation workbook read back, also after somebody edited it: its judgments, results, conventions and choices."""

import io
import json
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from defusedxml.ElementTree import fromstring
from openpyxl import Workbook, load_workbook
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import range_boundaries

from workbook_builder.errors import Fault, InputError
from workbook_builder.evaluation.columns import Compare
from workbook_builder.evaluation.inputs import Evaluation, Sample, SourceFile
from workbook_builder.evaluation.layout import OF_PAIRS, Layout, Line, Shape
from workbook_builder.evaluation.reference import Choices, own_gain
from workbook_builder.evaluation.tables import Tables, read_tables
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import METRICS, Measure, parse_measure
from workbook_builder.opened import read_bytes
from workbook_builder.readers.values import UnusableError, cutoff
from workbook_builder.text import Text, languages
from workbook_builder.workbook import EVALUATION, FORMAT

COMPUTED = ("queries", "ideal", "differences", "discount")
"""The sheets that hold nothing a new build needs."""
AGAIN = "Build it again from this file: workbook-builder evaluate FILE."


@dataclass(frozen=True)
class Record:
    """What an evaluation workbook says of itself in its document properties."""

    language: str
    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    levels: tuple[float, ...]
    holes: int
    deepest: int
    ranks_shown: int
    rows: tuple[int, int]
    orders: tuple[str, str]
    notes: tuple[tuple[str, ...], ...]
    sources: tuple[SourceFile, ...]
    sample: Sample | None


@dataclass(frozen=True)
class Opened:
    """An evaluation workbook: its inputs as they stand now, in the shape it was built in."""

    data: bytes
    layout: Layout
    choices: Choices
    built: tuple[float, ...]


def is_evaluation(data: bytes) -> bool:
    """Whether these are the bytes of an evaluation workbook of ours."""
    return _stated(data) is not None


def reopen(path: Path | str, *, grow: bool = False) -> Opened:
    """Read an evaluation workbook.

    With `grow`, for building anew, lines may have been added and values may leave the limits of the sheets as they
    stand. Raises InputError naming every cell that holds what it must not.
    """
    source = Path(path)
    data = read_bytes(source)
    record = _record(data, str(source))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = load_workbook(io.BytesIO(data), keep_links=False, read_only=True)
    reading = _Reading(str(source), book, record, grow)
    gap = languages()[record.language].get("evaluation", "words", "gap")
    tables = read_tables(book, reading.titles, record.systems, gap, str(source), reading.faults)
    gain, relevant_from = reading.gain(), reading.relevant_from()
    measures, choices = reading.measures(), reading.choices()
    if not grow and tables.rows != record.rows:
        problem = "lines were added to or removed from Judgments or Results since it was built"
        reading.faults.append(Fault(str(source), problem, AGAIN))
    if not grow:
        reading.faults += tables.unlisted(record.levels, str(source), reading.titles["judgments"])
    if not grow and not reading.faults:
        reading.faults += _moved(tables, record, str(source), reading.titles)
    if reading.faults:
        raise InputError(reading.faults)
    notes, judged_notes, *run_notes = record.notes
    evaluation = Evaluation(
        Judgments(tables.grades, str(source), judged_notes),
        tuple(
            Run(name, tables.rankings[name], tables.scores.get(name), said)
            for name, said in zip(record.systems, run_notes, strict=True)
        ),
        measures,
        gain,
        relevant_from,
        tables.texts,
        tables.query_texts,
        record.sources,
        record.sample,
        notes,
    )
    lines: tuple[tuple[Line, ...], ...] = tuple(tables.lines[query] for query in evaluation.queries)
    shape = Shape(record.levels, record.holes, record.deepest, record.ranks_shown, lines)
    layout = Layout(evaluation, languages()[record.language], shape, renamed=reading.titles)
    return Opened(data, layout, choices, reading.built(layout))


def _moved(tables: Tables, record: Record, file: str, titles: Mapping[str, str]) -> Iterator[Fault]:
    """A fault for a list whose lines are not where the formulas look for them."""
    for name, order, built in zip(("judgments", "results"), tables.orders, record.orders, strict=True):
        if order != built:
            problem = f"the order or the ids of {titles[name]} were changed, and formulas read lines where they stood"
            yield Fault(file, problem, AGAIN)


def reopened_evaluation(path: Path | str) -> tuple[Evaluation, str]:
    """The evaluation of a workbook as it stands now, lines that were added included, and the workbook's language."""
    opened = reopen(path, grow=True)
    return opened.layout.evaluation, opened.layout.text.language


@dataclass
class _Reading:
    """One pass over the yellow cells outside the lists that gathers every fault."""

    file: str
    book: Workbook
    record: Record
    grow: bool
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        text: Text = languages()[self.record.language].within("evaluation", "sheets", facts={})
        self.titles: dict[str, str] = {}
        for name, anchor in {
            "summary": "gain",
            "judgments": "judgments",
            "results": "results",
            "one_query": "query",
            "compare": "metric",
            "queries": "queries",
            "ideal": "ideal",
            "differences": "differences",
            "discount": "discount",
        }.items():
            if name in OF_PAIRS and len(self.record.systems) < 2:
                continue
            area = self._area(anchor)
            if area is not None:
                self.titles[name] = area[0]
            elif not self.grow or name not in COMPUTED:
                self._missing(anchor, text.get(name))
        if self.faults:
            raise InputError(self.faults)

    def gain(self) -> Gain:
        """The gain chosen, with the table of one's own where that is the choice."""
        words = languages()[self.record.language].within("evaluation", "gains", facts={})
        ((place, chosen),) = self._cells("gain")
        known = {words.get(kind).casefold(): kind for kind in ("linear", "exponential", "own")}
        kind = known.get(str(chosen).strip().casefold())
        if kind is None:
            remedy = f"Choose {', '.join(words.get(each) for each in ('linear', 'exponential'))} or {words.get('own')}."
            self._fault(place, "this is no gain", remedy, chosen)
        if kind != "own":
            return EXPONENTIAL if kind == "exponential" else LINEAR
        worth: list[float | None] = []
        for place, value in self._cells("own_gain"):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or value < 0):
                self._fault(place, "this is no gain", "Give a number from 0.", value)
            worth.append(value if isinstance(value, int | float) else None)
        return own_gain(self.record.levels, worth)

    def relevant_from(self) -> float:
        """The lowest relevant grade."""
        ((place, value),) = self._cells("relevant_from")
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            self._fault(place, "the lowest relevant grade must be a number above 0", "Give 1, or another grade.", value)
            return 1
        return float(value)

    def measures(self) -> tuple[Measure, ...]:
        """The metrics with the k that stands in their yellow cells now."""
        found = []
        for measure, (place, value) in zip(self.record.measures, self._cells("k"), strict=True):
            k = None
            if value is None:
                if METRICS[measure.metric].cutoff == "required":
                    self._fault(place, f"{measure.metric} needs a cut-off k", "Give a whole number from 1.", None)
            else:
                try:
                    k = cutoff(int(value) if isinstance(value, float) and value == int(value) else value)
                except UnusableError as unusable:
                    self._fault(place, unusable.problem, unusable.remedy, value)
            if k is not None and k > self.record.deepest and not self.grow:
                self._fault(place, f"k goes to {self.record.deepest} here", AGAIN, value)
            found.append(Measure(measure.metric, k))
        return tuple(found)

    def choices(self) -> Choices:
        """What the drop-down cells say."""
        names = ("query", "system", "first_system", "second_system", "metric")
        paired = len(self.record.systems) > 1
        said = {
            name: str(next(self._cells(name))[1]) if name in names[:2] or paired else self.record.systems[0]
            for name in names
        }
        return Choices(**said)

    def built(self, layout: Layout) -> tuple[float, ...]:
        """The differences for which the randomization tests were computed, as Compare states them."""
        if not layout.pairs:
            return ()
        cells = Compare(layout)
        column, last = cells.column("built"), cells.first + cells.tests - 1
        rows = self.book[self.titles["compare"]].iter_rows(cells.first, last, column, column, values_only=True)
        return tuple(float(value) if isinstance(value, int | float) else 0.0 for (value,) in rows)

    def _area(self, name: str) -> tuple[str, str] | None:
        defined = self.book.defined_names.get(f"evaluation.{name}")
        if defined is None or "#REF!" in defined.attr_text:
            return None
        title, _, area = defined.attr_text.rpartition("!")
        title = title[1:-1].replace("''", "'") if title.startswith("'") else title
        return (title, area) if title in self.book.sheetnames else None

    def _cells(self, name: str) -> Iterator[tuple[str, Any]]:
        """The place and the value of each cell of a named range."""
        found = self._area(name)
        if found is None:
            self._missing(name, name)
            raise InputError(self.faults)
        title, area = found
        left, top, right, bottom = range_boundaries(area)
        for number, row in enumerate(self.book[title].iter_rows(top, bottom, left, right, values_only=True), top):
            for column, value in enumerate(row, left):
                yield f"{title}!{get_column_letter(column)}{number}", value

    def _missing(self, anchor: str, title: str) -> None:
        problem = f"sheet {title}, where the name evaluation.{anchor} points, is missing"
        remedy = "Give the sheet its name back, or take the file as it was built and edit that."
        self.faults.append(Fault(self.file, problem, remedy))

    def _fault(self, place: str, problem: str, remedy: str, value: object) -> None:
        self.faults.append(Fault(self.file, problem, remedy, column=place, value=None if value is None else str(value)))


def _stated(data: bytes) -> Mapping[str, Any] | None:
    """The record in the document properties, as it stands."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            properties = fromstring(archive.read("docProps/custom.xml"))
        for each in properties:
            if each.attrib.get("name") == EVALUATION:
                said = json.loads("".join(each.itertext()))
                return said if isinstance(said, dict) else None
    except (KeyError, ValueError, zipfile.BadZipFile):
        return None
    return None


def _record(data: bytes, file: str) -> Record:
    stated = _stated(data)
    if stated is None:
        remedy = "Give a workbook that workbook-builder evaluate built."
        raise InputError([Fault(file, "it is not an evaluation of workbook-builder", remedy)])
    try:
        levels, holes, deepest, ranks_shown = stated["shape"]
        if stated["format"] != FORMAT or stated["language"] not in languages():
            raise ValueError(stated["format"])
        return Record(
            stated["language"],
            tuple(map(parse_measure, stated["measures"])),
            tuple(stated["systems"]),
            tuple(map(float, levels)),
            int(holes),
            int(deepest),
            int(ranks_shown),
            (int(stated["rows"][0]), int(stated["rows"][1])),
            (str(stated["orders"][0]), str(stated["orders"][1])),
            tuple(tuple(map(str, of)) for of in stated["notes"]),
            tuple(SourceFile(**source) for source in stated["sources"]),
            None if stated["sample"] is None else Sample(**stated["sample"]),
        )
    except (ValueError, KeyError, TypeError, InputError):
        remedy = "It may come from a newer version, or its document properties were changed: build it again."
        raise InputError([Fault(file, "what it says of itself cannot be read", remedy)]) from None
