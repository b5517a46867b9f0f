"""The pictures of an evaluation: the systems' means, and the sorted differences of two of them."""

from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder.charts import finish, title
from workbook_builder.evaluation.columns import Compare, OneQuery, Summary
from workbook_builder.evaluation.layout import Layout

MOST_RANKS = 20
MOST_SERIES = 4
"""A picture tells so many series apart without colour."""


def add(sheet: Worksheet, name: str, layout: Layout) -> list[str]:
    """Draw the sheet's chart, if it has one, and return its alternative text."""
    return [CHARTED[name](sheet, layout)] if name in CHARTED else []


def _means(sheet: Worksheet, layout: Layout) -> str:
    """A group a metric, a column a system; metrics that go beyond 1 are left out."""
    cells, drawn = Summary(layout), BarChart()
    title(drawn, layout.words, "charts", "means")
    measures = layout.evaluation.measures
    shown = next(
        (at for at, measure in enumerate(measures) if measure.metric in ("DCG", "IDCG")), len(measures)
    ) or len(measures)
    last = cells.value + shown - 1
    for at in range(min(MOST_SERIES, len(layout.evaluation.runs))):
        row = cells.systems + at
        values = Reference(sheet, min_col=1, max_col=last, min_row=row)
        drawn.add_data(values, titles_from_data=True, from_rows=True)
    drawn.set_categories(Reference(sheet, min_col=cells.value, max_col=last, min_row=cells.heading))
    finish(drawn, lines=False)
    drawn.width, drawn.height = 20, 9
    sheet.add_chart(drawn, f"H{cells.levels_heading}")
    return layout.word("charts", "means", "alt")


def _gains(sheet: Worksheet, layout: Layout) -> str:
    """The first ranks of the query chosen: what was earned beside what could have been."""
    cells, drawn = OneQuery(layout), BarChart()
    title(drawn, layout.words, "charts", "gains")
    last = min(cells.last, cells.heading + MOST_RANKS)
    for name in ("discounted_gain", "ideal_gain"):
        column = cells.RANKING[name]
        values = Reference(sheet, min_col=column, min_row=cells.heading, max_row=last)
        drawn.add_data(values, titles_from_data=True)
    drawn.set_categories(Reference(sheet, min_col=1, min_row=cells.first, max_row=last))
    finish(drawn, lines=False)
    drawn.width, drawn.height = 20, 9
    sheet.add_chart(drawn, f"{get_column_letter(cells.levels)}{cells.first}")
    return layout.word("charts", "gains", "alt")


def _curve(sheet: Worksheet, layout: Layout) -> str:
    cells, drawn = Compare(layout), LineChart()
    title(drawn, layout.words, "charts", "curve")
    first, last = cells.curve_heading, cells.curve_heading + len(layout.curve)
    drawn.add_data(Reference(sheet, min_col=2, min_row=first, max_row=last), titles_from_data=True)
    drawn.set_categories(Reference(sheet, min_col=1, min_row=first + 1, max_row=last))
    finish(drawn, lines=True)
    drawn.y_axis.scaling.min = None
    drawn.x_axis.tickLblPos = "low"
    drawn.series[0].marker.symbol = "none"
    drawn.width, drawn.height = 22, 10
    sheet.add_chart(drawn, f"D{cells.curve_heading}")
    return layout.word("charts", "curve", "alt")


CHARTED = {"summary": _means, "one_query": _gains, "compare": _curve}
"""The sheets that have a chart, and what draws it."""
