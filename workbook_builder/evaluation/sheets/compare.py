"""Compare, for two or more runs: every pair's test in every metric, then the queries that moved the chosen one most."""

from collections.abc import Iterator, Sequence

from openpyxl.utils import get_column_letter

from workbook_builder.evaluation import places
from workbook_builder.evaluation.cells import Canvas, Cell, Row, formula
from workbook_builder.evaluation.columns import Compare, Differences, Ideal, Queries, Summary
from workbook_builder.evaluation.layout import FIRST, Layout
from workbook_builder.evaluation.sheets.lists import headings

ALPHA = 0.05
DECIMALS = 9
P_DECIMALS = 6
"""Spreadsheets compute Student's distribution to some ten decimals where there are thousands of queries."""


def compare(layout: Layout, stated: Sequence[tuple[float, float, float]]) -> Iterator[Row]:
    """The sheet's cells.

    `stated` holds, by pair and metric, what no formula computes: the randomization test's p, the same corrected, and
    the difference it was made for.
    """
    canvas, cells = Canvas(), Compare(layout)
    canvas.put(1, 1, "Title", layout.word("compare", "title"))
    canvas.height(1, 26)
    canvas.put(2, 1, "Note", layout.word("compare", "note"))
    canvas.put(3, 1, "Note", layout.word("compare", "note_permuted"))
    canvas.put(cells.decimals, 1, "Label", layout.word("compare", "decimals"))
    canvas.put(cells.decimals, 4, "Whole", DECIMALS)
    canvas.put(cells.p_decimals, 1, "Label", layout.word("compare", "p_decimals"))
    canvas.put(cells.p_decimals, 4, "Whole", P_DECIMALS)
    canvas.put(cells.alpha, 1, "Label", layout.word("compare", "alpha"))
    canvas.put(cells.alpha, 4, "Number", ALPHA)
    _tests(canvas, layout, cells, stated)
    _chosen(canvas, layout, cells)
    _extremes(canvas, layout, cells)
    return canvas.rows()


def decimals_cell(layout: Layout) -> str:
    """The cell that says to how many decimals two values are compared."""
    return layout.at("compare", 4, Compare.decimals)


def _tests(canvas: Canvas, layout: Layout, cells: Compare, stated: Sequence[tuple[float, float, float]]) -> None:
    for name in cells.TESTS:
        canvas.put(cells.heading, cells.column(name), "Heading", layout.word("compare", name))
    canvas.height(cells.heading, 54)
    summary, queries = Summary(layout), Queries(layout)
    words = {name: layout.word("compare", name) for name in ("undefined", "as_built", "build_again")}
    measures = layout.evaluation.measures
    for at, (one, other) in enumerate(layout.pairs):
        for measure in range(len(measures)):
            number = at * len(measures) + measure
            row = cells.first + number
            column = queries.metrics + measure
            means = [layout.at("summary", summary.value + measure, summary.systems + system) for system in (one, other)]
            spots = {
                "label": layout.at("summary", summary.value + measure, summary.heading),
                "one": f"{get_column_letter(cells.column('mean_one'))}{row}",
                "other": f"{get_column_letter(cells.column('mean_other'))}{row}",
                "difference": f"{get_column_letter(cells.column('difference'))}{row}",
                "error": f"{get_column_letter(cells.column('error'))}{row}",
                "built": f"{get_column_letter(cells.column('built'))}{row}",
                "differences": places.pair_differences(layout, at, measure),
                "values_one": places.queries_column(layout, column, one),
                "values_other": places.queries_column(layout, column, other),
                "alpha": layout.at("compare", 4, cells.alpha),
                "decimals": decimals_cell(layout),
                "p_decimals": layout.at("compare", 4, cells.p_decimals),
                **words,
            }
            fixed: dict[str, float | str] = {
                "one": layout.evaluation.runs[one].name,
                "other": layout.evaluation.runs[other].name,
                **dict(zip(("permuted", "holm", "built"), stated[number], strict=True)),
            }
            for name, style in cells.TESTS.items():
                if name in fixed:
                    canvas.put(row, cells.column(name), style, fixed[name])
                    continue
                mean = {"mean": means[0] if name == "mean_one" else means[1]}
                canvas.formula(row, cells.column(name), style, name, formula("compare", name, **spots, **mean))


def _chosen(canvas: Canvas, layout: Layout, cells: Compare) -> None:
    """The pair and the metric to look into, and their numbers."""
    one, other = layout.pairs[0]
    names = {"first_system": layout.evaluation.runs[one].name, "second_system": layout.evaluation.runs[other].name}
    names["metric"] = str(layout.main_measure)
    lists = {
        "first_system": places.system_names(layout),
        "second_system": places.system_names(layout),
        "metric": places.searched_metrics(layout),
    }
    canvas.put(cells.choice - 1, 1, "Note title", layout.word("compare", "choice"))
    for offset, (name, shown) in enumerate(names.items()):
        row = cells.choice + offset
        canvas.put(row, 1, "Label", layout.word("compare", f"choose_{name}"))
        canvas.put(row, 2, "Input text", shown)
        named = "metric_number" if name == "metric" else name
        systems = {"systems": lists[name]} if name != "metric" else {"metrics": lists[name]}
        canvas.formula(row, 3, "Count", named, formula("compare", name, choice=f"$B${row}", **systems))
        which = "chosen_metric" if name == "metric" else "chosen_system"
        text = formula("compare", which, list=lists[name], number=f"$C${row}")
        canvas.formula(row, 4, "Words", f"{name}_name", text)
    canvas.put(cells.apart, 1, "Label", layout.word("compare", "apart"))
    text = formula("compare", "apart", decimals=decimals_cell(layout), queries=f"ROWS({places.query_ids(layout)})")
    canvas.formula(cells.apart, 3, "Tiny", "apart", text)


def _extremes(canvas: Canvas, layout: Layout, cells: Compare) -> None:
    """The queries that gained most to the left, those that lost most to the right, and the sorted curve below."""
    columns = Differences(layout)
    spots = {
        "queries_column": places.searched_ideal(layout, Ideal.query),
        "values": places.all_metrics(layout),
        "queries": f"ROWS({places.query_ids(layout)})",
        "orders": places.differences(layout, columns.order),
        "chosen_column": layout.block("differences", columns.chosen, layout.all_queries.searched),
        **{
            name: layout.at("compare", 3, cells.choice + offset)
            for offset, name in enumerate(("first_system", "second_system", "metric"))
        },
    }
    width = len(cells.EXTREMES) + 1
    for offset, side in ((1, "best"), (width + 2, "worst")):
        canvas.put(cells.extremes_heading - 1, offset, "Note title", layout.word("compare", side))
        for at, name in enumerate(("number", *cells.EXTREMES)):
            canvas.put(cells.extremes_heading, offset + at, "Heading", layout.word("compare", f"extreme_{name}"))
        for number in range(1, layout.extremes + 1):
            row = cells.extremes_heading + number
            canvas.put(row, offset, "Whole", number)
            here = {
                "number": f"{get_column_letter(offset)}{row}",
                "place": f"{get_column_letter(offset + 1)}{row}",
            }
            for at, (name, style) in enumerate(cells.EXTREMES.items(), 1):
                which = f"{side}_place" if name == "place" else name
                text = formula("compare", which, **spots, **here)
                canvas.formula(row, offset + at, style, f"{side}_{name}", text)
    canvas.height(cells.extremes_heading, 36)
    canvas.put(cells.curve_heading - 1, 1, "Note title", layout.word("compare", "curve"))
    canvas.put(cells.curve_heading, 1, "Heading", layout.word("compare", "curve_place"))
    canvas.put(cells.curve_heading, 2, "Heading", layout.word("compare", "curve_difference"))
    for at, place in enumerate(layout.curve, 1):
        row = cells.curve_heading + at
        canvas.put(row, 1, "Whole", place)
        text = formula("compare", "sorted", chosen_column=spots["chosen_column"], place=f"A{row}")
        canvas.formula(row, 2, "Signed", "sorted", text)


def differences(layout: Layout) -> Iterator[Row]:
    """A row a query: the chosen pair's difference, what orders it, then the difference of every pair and metric."""
    evaluation, columns, queries, cells = layout.evaluation, Differences(layout), Queries(layout), Compare(layout)
    heading = headings(layout, ["query", "number", "chosen", "order"])
    summary = Summary(layout)
    for pair, (one, other) in enumerate(layout.pairs):
        names = f"{evaluation.runs[one].name} − {evaluation.runs[other].name}: "
        for measure in range(len(evaluation.measures)):
            label = layout.at("summary", summary.value + measure, summary.heading)
            text = '="' + names.replace('"', '""') + f'"&{label}'
            heading.cells.append(Cell(columns.of(pair, measure), "Heading", None, text, "pair_name"))
    yield heading
    fixed = {
        "values": places.all_metrics(layout),
        "queries": f"ROWS({places.query_ids(layout)})",
        "decimals": decimals_cell(layout),
        "apart": layout.at("compare", 3, cells.apart),
        **{
            name: layout.at("compare", 3, cells.choice + offset)
            for offset, name in enumerate(("first_system", "second_system", "metric"))
        },
    }
    for at, query in enumerate(evaluation.queries):
        row = FIRST + at
        spots = {**fixed, "number": f"B{row}", "chosen": f"C{row}"}
        cells_ = [
            Cell(columns.query, "Words", query),
            Cell(columns.number, "Whole", at + 1),
            Cell(columns.chosen, "Signed", None, formula("differences", "chosen", **spots), "chosen"),
            Cell(columns.order, "Exact", None, formula("differences", "order", **spots), "order"),
        ]
        for pair, (one, other) in enumerate(layout.pairs):
            for measure in range(len(evaluation.measures)):
                ends = {
                    name: layout.at("queries", queries.metrics + measure, layout.of_system(system).first + at)
                    for name, system in (("one", one), ("other", other))
                }
                text = formula("differences", "difference", decimals=fixed["decimals"], **ends)
                cells_.append(Cell(columns.of(pair, measure), "Signed", None, text, "difference"))
        yield Row(row, cells_)
