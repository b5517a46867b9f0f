"""The pictures of a lesson as native spreadsheet charts that follow the cells."""

from openpyxl.chart import BarChart, LineChart, Reference, ScatterChart, Series
from openpyxl.chart.data_source import StrRef
from openpyxl.chart.series import SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText
from openpyxl.drawing.fill import ColorChoice, PatternFillProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import CharacterProperties, Paragraph, ParagraphProperties
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder.errors import TemplateError
from workbook_builder.grid import Grid
from workbook_builder.lesson import Chart
from workbook_builder.style import look
from workbook_builder.text import Text

CHARTS = {"column": BarChart, "line": LineChart, "scatter": ScatterChart}
MOST_POINTS = 30
"""Beyond this a picture of ranks shows nothing that its first ranks do not."""


def add_chart(sheet: Worksheet, chart: Chart, grid: Grid, words: Text) -> str:
    """Draw a chart on the sheet and return its alternative text."""
    if chart.kind not in CHARTS:
        raise TemplateError(f"chart {chart.name}: {chart.kind}? Known are {', '.join(CHARTS)}.")
    path = ("charts", chart.name)
    drawn = CHARTS[chart.kind]()
    title(drawn, words, *path)
    if isinstance(drawn, ScatterChart):
        _add_points(drawn, sheet, chart, grid)
    else:
        for name in chart.series:
            drawn.add_data(_reference(sheet, grid, name, heading=True), titles_from_data=True)
        drawn.set_categories(_reference(sheet, grid, chart.categories, heading=False))
    finish(drawn, lines=chart.kind != "column")
    drawn.width, drawn.height = chart.width, chart.height
    sheet.add_chart(drawn, chart.at)
    return words.get(*path, "alt")


def title(drawn: BarChart | LineChart | ScatterChart, words: Text, *path: str) -> None:
    """Give a chart the title and the axis titles that stand under a path of names."""
    drawn.title = words.get(*path, "title")
    drawn.title.tx.rich.p[0].pPr = ParagraphProperties(defRPr=CharacterProperties(sz=1400, b=True))
    drawn.x_axis.title = words.get(*path, "x")
    drawn.y_axis.title = words.get(*path, "y")


def finish(drawn: BarChart | LineChart | ScatterChart, *, lines: bool) -> None:
    """Draw the series in their designs, the axes, and the legend below."""
    for series, design in zip(drawn.series, look()["series"], strict=False):
        _draw(series, design, lines=lines)
    _axes(drawn)
    drawn.legend.position = "b"
    # Unless told, Excel lays titles and legend over the plot.
    for part in (drawn.title, drawn.x_axis.title, drawn.y_axis.title, drawn.legend):
        part.overlay = False


def _reference(sheet: Worksheet, grid: Grid, name: str, *, heading: bool, start: int = 0) -> Reference:
    cells = grid.cells[name][start:MOST_POINTS]
    first = cells[0].row - heading
    return Reference(sheet, min_col=cells[0].column, min_row=first, max_col=cells[0].column, max_row=cells[-1].row)


def _add_points(drawn: ScatterChart, sheet: Worksheet, chart: Chart, grid: Grid) -> None:
    drawn.style = None
    drawn.scatterStyle = "lineMarker"
    drawn.x_axis.majorGridlines = None
    drawn.x_axis.majorUnit = 1
    drawn.x_axis.scaling.min, drawn.x_axis.scaling.max = 1, min(len(grid.cells[chart.categories]), MOST_POINTS)
    for name in chart.series:
        start = 1 if name in chart.from_second else 0
        values = _reference(sheet, grid, name, heading=False, start=start)
        series = Series(values, _reference(sheet, grid, chart.categories, heading=False, start=start))
        heading = grid.cells[name][0]
        series.tx = SeriesLabel(strRef=StrRef(str(Reference(sheet, min_col=heading.column, min_row=heading.row - 1))))
        drawn.series.append(series)


def _draw(series: object, design: dict[str, str], *, lines: bool) -> None:
    properties = GraphicalProperties()
    properties.line = LineProperties(solidFill=design["line"], w=28575 if lines else 12700)
    if lines:
        properties.line.dashStyle = design["dash"]
        series.marker.symbol = design["marker"]  # type: ignore[attr-defined]
        series.marker.size = 7  # type: ignore[attr-defined]
        series.marker.graphicalProperties = GraphicalProperties(solidFill=design["fill"])  # type: ignore[attr-defined]
        series.marker.graphicalProperties.line = LineProperties(solidFill=design["line"])  # type: ignore[attr-defined]
        series.smooth = False  # type: ignore[attr-defined]
    elif "pattern" in design:
        ink, paper = ColorChoice(srgbClr=design["fill"]), ColorChoice(srgbClr="FFFFFF")
        properties.pattFill = PatternFillProperties(prst=design["pattern"], fgClr=ink, bgClr=paper)
    else:
        properties.solidFill = design["fill"]
    series.graphicalProperties = properties  # type: ignore[attr-defined]


def _axes(drawn: BarChart | LineChart | ScatterChart) -> None:
    # Excel leaves an axis out when this is not said.
    drawn.x_axis.delete = drawn.y_axis.delete = False
    drawn.y_axis.number_format = "0.0"
    drawn.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill="D1D5DB"))
    drawn.y_axis.scaling.min = 0
    size = CharacterProperties(sz=1100)
    for axis in (drawn.x_axis, drawn.y_axis):
        axis.txPr = RichText(p=[Paragraph(pPr=ParagraphProperties(defRPr=size), endParaRPr=size)])
    if isinstance(drawn, BarChart):
        drawn.gapWidth = 60
