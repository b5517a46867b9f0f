"""Build an evaluation workbook: lay out, write, recalculate, balance, and only then hand it over."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Literal

from workbook_builder import package
from workbook_builder.balance import TOLERANCE
from workbook_builder.builder import VERSION, Built, DisagreementError
from workbook_builder.cached import by_address
from workbook_builder.errors import InputError
from workbook_builder.evaluation.book import filled, skeleton, styled_book
from workbook_builder.evaluation.charts import CHARTED
from workbook_builder.evaluation.inputs import Evaluation
from workbook_builder.evaluation.layout import FIRST, Layout, shape_of
from workbook_builder.evaluation.markup import Markup, markup
from workbook_builder.evaluation.proof import balance, expected, first_choices, reference_of
from workbook_builder.evaluation.reference import Reference
from workbook_builder.evaluation.reference_compare import permuted
from workbook_builder.evaluation.sheets import Stated, rows_of
from workbook_builder.evaluation.tables import orders_as_built
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import DEFAULT_MEASURES, Measure, parse_measures
from workbook_builder.points import points_of
from workbook_builder.recalculate import EMBEDDED, embedded_values
from workbook_builder.scoring import Scores, inputs_of, score
from workbook_builder.text import words_in
from workbook_builder.workbook import FORMAT

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[str], None]
"""Told, in a word, what is being done."""


@dataclass(frozen=True)
class Evaluated(Built):
    """An evaluation workbook that was built and proved: its bytes, the report, and the scores it shows."""

    scores: Scores

    def to_frame(self) -> "pd.DataFrame":
        """One row a system and query: the columns run and query, both text, then one a metric."""
        return self.scores.to_frame()

    def _repr_html_(self) -> str:
        """The means, for a notebook."""
        names = list(map(str, self.scores.measures))
        head = "".join(f"<th>{escape(name)}</th>" for name in ("system", *names))
        rows = "".join(
            f"<tr><th>{escape(run.run)}</th>{''.join(f'<td>{run.mean[name]:.4f}</td>' for name in names)}</tr>"
            for run in self.scores.runs
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


@dataclass(frozen=True)
class Draft:
    """An evaluation laid out and written, before an engine fills in values: what a build proves."""

    layout: Layout
    reference: Reference
    stated: Stated
    sheets: Mapping[str, Markup]

    @cached_property
    def skeleton(self) -> bytes:
        """The workbook around the cells."""
        return skeleton(self.layout, self.sheets, record(self.layout))

    def unproved(self) -> bytes:
        """The workbook without values."""
        return filled(self.skeleton, self.sheets, None)


def draft(evaluation: Evaluation, language: str = "en", notes: Sequence[str] = ()) -> Draft:
    """Lay an evaluation out and write its cells."""
    layout = Layout(evaluation, words_in(language), shape_of(evaluation))
    reference = reference_of(layout)
    stated = Stated(notes, permuted(reference) if layout.pairs else ())
    _, styles = styled_book()
    sheets = {name: markup(rows_of(name, layout, stated), styles) for name in layout.sheets if name != "about"}
    cells = sum(len(made.cells) for made in sheets.values())
    layout = replace(layout, proof=_promised(cells))
    sheets["about"] = markup(rows_of("about", layout, stated), styles)
    return Draft(layout, reference, stated, sheets)


def proved(drafted: Draft, scores: Scores, progress: Progress = lambda _: None) -> Evaluated:
    """Recalculate a draft and compare it with the reference. Raises DisagreementError when any cell differs."""
    layout, sheets = drafted.layout, drafted.sheets
    progress("recalculating")
    extents = {layout.title(name): (made.last_row, made.last_column) for name, made in sheets.items()}
    grids = embedded_values(drafted.unproved(), extents)
    values = {
        name: [grids[layout.title(name)][cell.row - 1][cell.column - 1] for cell in made.cells]
        for name, made in sheets.items()
    }
    progress("comparing with the reference")
    built = [difference for _, _, difference in drafted.stated.permuted]
    wanted = expected(layout, drafted.reference, first_choices(layout), built)
    engine = (EMBEDDED.name, EMBEDDED.version or "")
    standing = {name: [cell.formula for cell in made.cells] for name, made in sheets.items()}
    report = balance(layout, sheets, wanted, values, standing, engine)
    if not report.agrees:
        raise DisagreementError(report)
    progress("packing")
    data = filled(drafted.skeleton, sheets, values)
    drawn = {layout.title(name): by_address(grids[layout.title(name)]) for name in CHARTED if name in sheets}
    return Evaluated(package.sealed(data, points_of(drawn)), report, scores)


def evaluate(
    judgments: "Judgments | pd.DataFrame",
    runs: "Run | pd.DataFrame | Mapping[str, pd.DataFrame] | Iterable[Run | pd.DataFrame]",
    measures: Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    gain: Gain = LINEAR,
    relevant_from: float = 1,
    texts: Mapping[str, str] | None = None,
    query_texts: Mapping[str, str] | None = None,
    language: str = "en",
) -> Evaluated:
    """The workbook of runs measured by judgments, built and proved in memory.

    Judgments and runs are given as to `score`; `texts` and `query_texts` say what a document's or a query's id stands
    for. Raises InputError for what cannot be read or does not fit into a sheet, DisagreementError when a formula
    differs from the reference.
    """
    given, listed = inputs_of(judgments, runs)
    evaluation = Evaluation(
        given,
        tuple(listed),
        parse_measures(measures),
        gain,
        relevant_from,
        {**texts_of("texts", given, listed), **(texts or {})},
        {**texts_of("query_texts", given, listed), **(query_texts or {})},
    )
    return build_evaluation(evaluation, language)


def texts_of(field: Literal["texts", "query_texts"], judgments: Judgments, runs: Iterable[Run]) -> dict[str, str]:
    """What ids stand for, where the runs or, before them, the judgments say so."""
    found: dict[str, str] = {}
    for each in (*runs, judgments):
        found |= getattr(each, field)
    return found


def build_evaluation(evaluation: Evaluation, language: str = "en", progress: Progress = lambda _: None) -> Evaluated:
    """Build and prove the workbook of an evaluation in memory. Raises InputError when it does not fit into a sheet."""
    if faults := [*evaluation.size_faults()]:
        raise InputError(faults)
    progress("scoring")
    scores = score(
        evaluation.judgments,
        list(evaluation.runs),
        evaluation.measures,
        gain=evaluation.gain,
        relevant_from=evaluation.relevant_from,
    )
    progress("writing the sheets")
    drafted = draft(evaluation, language, (*evaluation.notes, *scores.notes))
    return proved(drafted, scores, progress)


def record(layout: Layout) -> Mapping[str, object]:
    """What the workbook says of itself, so that it can be read back."""
    evaluation, shape, runs = layout.evaluation, layout.shape, layout.evaluation.runs
    return {
        "format": FORMAT,
        "version": VERSION,
        "language": layout.text.language,
        "measures": [str(measure) for measure in evaluation.measures],
        "systems": [run.name for run in runs],
        "rows": [sum(map(len, layout.lines)), layout.listings[-1][-1].last - FIRST + 1],
        "notes": [list(notes) for notes in (evaluation.notes, evaluation.judgments.notes, *(r.notes for r in runs))],
        "orders": list(orders_as_built(layout)),
        "shape": [list(shape.levels), shape.holes, shape.deepest, shape.ranks_shown],
        "sources": [asdict(source) for source in evaluation.sources],
        "sample": None if evaluation.sample is None else asdict(evaluation.sample),
    }


def _promised(cells: int) -> Mapping[str, object]:
    return {
        "cells": f"{cells:,}",
        "engine": f"{EMBEDDED.name} {EMBEDDED.version}",
        "tolerance": TOLERANCE,
        "version": VERSION,
    }
