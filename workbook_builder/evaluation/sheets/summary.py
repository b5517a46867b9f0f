"""Summary: a row a system, a column a metric, and the conventions that every number of the workbook follows."""

from collections.abc import Iterator

from openpyxl.utils import get_column_letter

from workbook_builder.evaluation import places
from workbook_builder.evaluation.cells import Canvas, Row, formula
from workbook_builder.evaluation.columns import AFTER, GAINS, Ideal, Judgments, Queries, Summary
from workbook_builder.evaluation.layout import Layout

TITLE_HEIGHT = 26
HEADING_HEIGHT = 54


def summary(layout: Layout) -> Iterator[Row]:
    """The sheet's cells."""
    canvas, cells = Canvas(), Summary(layout)
    _conventions(canvas, layout, cells)
    _metrics(canvas, layout, cells)
    for at in range(len(layout.evaluation.runs)):
        _system(canvas, layout, cells, at)
    _gains(canvas, layout, cells)
    return canvas.rows()


def _conventions(canvas: Canvas, layout: Layout, cells: Summary) -> None:
    evaluation = layout.evaluation
    canvas.put(cells.title, 1, "Title", layout.word("title"))
    canvas.height(cells.title, TITLE_HEIGHT)
    note = "about_sample" if evaluation.sample else "about_means"
    canvas.put(cells.notes, 1, "Note", layout.word("summary", note))
    canvas.put(cells.gain, 1, "Label", layout.word("summary", "gain"))
    choice = layout.word("gains", "own" if evaluation.gain.kind == "table" else evaluation.gain.kind)
    canvas.put(cells.gain, cells.value, "Input text", choice)
    canvas.put(cells.relevant_from, 1, "Label", layout.word("summary", "relevant_from"))
    canvas.put(cells.relevant_from, cells.value, "Input", evaluation.relevant_from)
    canvas.put(cells.check, 1, "Label", layout.word("summary", "check"))
    all_grades = places.all_judgments(layout, Judgments.grade)
    listed = "+".join(
        formula("summary", "listed_term", all_grades=all_grades, grade=places.gain_cell(layout, "grade", level))
        for level in range(len(layout.levels))
    )
    words = {f"word_{name}": layout.word("summary", name) for name in ("unlisted", "falling", "fine")}
    steps = places.gain_column(layout, "step")
    text = formula("summary", "check", all_grades=all_grades, listed=f"({listed})", steps=steps, **words)
    canvas.formula(cells.check, cells.value, "Note", "check", text)


def _metrics(canvas: Canvas, layout: Layout, cells: Summary) -> None:
    canvas.put(cells.k, 1, "Label", layout.word("summary", "k"))
    canvas.put(cells.counted, 1, "Label", layout.word("summary", "counted"))
    canvas.put(cells.heading, 1, "Heading", layout.word("headings", "system"))
    canvas.height(cells.heading, HEADING_HEIGHT)
    for at, measure in enumerate(layout.evaluation.measures):
        column = cells.value + at
        k = f"{get_column_letter(column)}{cells.k}"
        canvas.put(cells.k, column, "Input", measure.k)
        depth = places.discounts(layout, layout.deepest)
        text = formula("summary", "ranks_counted", k=k, discounts=depth)
        canvas.formula(cells.counted, column, "Count", "ranks_counted", text)
        canvas.formula(cells.heading, column, "Heading", "name", formula("summary", "name", metric=measure.metric, k=k))
    main = layout.at("summary", cells.value + layout.main, cells.heading)
    for at, name in enumerate(AFTER):
        if name in ("irrelevant", "perfect"):
            text = f'={main}&" {layout.word("summary", name)}"'
            canvas.formula(cells.heading, cells.after + at, "Heading", f"{name}_name", text)
        else:
            canvas.put(cells.heading, cells.after + at, "Heading", layout.word("summary", name))


def _system(canvas: Canvas, layout: Layout, cells: Summary, system: int) -> None:
    row, columns = cells.systems + system, Queries(layout)
    canvas.put(row, 1, "Words", layout.evaluation.runs[system].name)

    def of_queries(column: int) -> str:
        return places.queries_column(layout, column, system)

    for at in range(len(layout.evaluation.measures)):
        text = formula("summary", "mean", values=of_queries(columns.metrics + at))
        canvas.formula(row, cells.value + at, "Result", "mean", text)
    spots = {
        "values": of_queries(columns.metrics),
        "results": of_queries(columns.results),
        "relevant": places.ideal_column(layout, Ideal(layout).relevant),
        "top": of_queries(columns.top),
        "unjudged": of_queries(columns.unjudged),
    }
    for at, name in enumerate(AFTER[:4]):
        style = "Percent" if name == "holes" else "Count"
        canvas.formula(row, cells.after + at, style, name, formula("summary", name, **spots))
    for at, (name, column) in enumerate(
        {"irrelevant": columns.metrics + layout.main, "perfect": columns.perfect}.items(), 4
    ):
        text = formula("summary", "mean", values=of_queries(column))
        canvas.formula(row, cells.after + at, "Number", name, text)


def _gains(canvas: Canvas, layout: Layout, cells: Summary) -> None:
    """The grades, and what each is worth under the chosen gain."""
    for name, column in GAINS.items():
        canvas.put(cells.levels_heading, column, "Heading", layout.word("gain_headings", name))
    canvas.height(cells.levels_heading, 36)
    own = dict(layout.evaluation.gain.table)
    choice = layout.at("summary", cells.value, cells.gain)
    words = {f"word_{name}": layout.word("gains", name) for name in ("linear", "exponential")}
    words["word_beyond"] = layout.word("summary", "beyond")
    for at, level in enumerate(layout.levels):
        row = cells.levels + at
        spots = {name: f"{get_column_letter(column)}{row}" for name, column in GAINS.items()}
        spots |= {"choice": choice, "above": f"{get_column_letter(GAINS['used'])}{row - 1}", **words}
        canvas.put(row, GAINS["grade"], "Grade", level)
        for name in ("linear", "exponential"):
            canvas.formula(row, GAINS[name], "Number", name, formula("summary", name, **spots))
        canvas.put(row, GAINS["own"], "Input", own.get(level, max(level, 0.0) if not own else None))
        canvas.formula(row, GAINS["used"], "Number", "used", formula("summary", "used", **spots))
        step = "step" if at else "first_step"
        canvas.formula(row, GAINS["step"], "Number", "step", formula("summary", step, **spots))
