"""The sheets of an evaluation workbook: what stands in each cell. No metric is computed here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbook_builder.evaluation.cells import Row
from workbook_builder.evaluation.layout import Layout
from workbook_builder.evaluation.sheets import lists
from workbook_builder.evaluation.sheets.about import about
from workbook_builder.evaluation.sheets.compare import compare, differences
from workbook_builder.evaluation.sheets.one_query import one_query
from workbook_builder.evaluation.sheets.summary import summary


@dataclass(frozen=True)
class Stated:
    """What the workbook says and no formula computes.

    permuted: by pair and metric, the randomization test's p, the same corrected, and the difference it was made for.
    """

    notes: Sequence[str] = ()
    permuted: Sequence[tuple[float, float, float]] = ()


def rows_of(sheet: str, layout: Layout, stated: Stated) -> Iterator[Row]:
    """A sheet's rows, from the top."""
    match sheet:
        case "compare":
            return compare(layout, stated.permuted)
        case "about":
            return about(layout, stated.notes)
    return _ROWS[sheet](layout)


_ROWS = {
    "summary": summary,
    "queries": lists.queries,
    "one_query": one_query,
    "ideal": lists.ideal,
    "judgments": lists.judgments,
    "results": lists.results,
    "differences": differences,
    "discount": lists.discount,
}
