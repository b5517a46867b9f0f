"""One query: pick a query and a system, and the worked example fills with its results, its ideal and what it missed."""

from collections.abc import Iterator

from openpyxl.utils import get_column_letter

from workbook_builder.evaluation import places
from workbook_builder.evaluation.cells import Canvas, Row, formula
from workbook_builder.evaluation.columns import Ideal, Judgments, OneQuery, Queries, Results
from workbook_builder.evaluation.layout import Layout

HEADING_HEIGHT = 36


def one_query(layout: Layout) -> Iterator[Row]:
    """The sheet's cells."""
    canvas, cells = Canvas(), OneQuery(layout)
    _choice(canvas, layout, cells)
    _numbers(canvas, layout, cells)
    _ranking(canvas, layout, cells)
    _missed(canvas, layout, cells)
    _pool(canvas, layout, cells)
    return canvas.rows()


def _choice(canvas: Canvas, layout: Layout, cells: OneQuery) -> None:
    evaluation = layout.evaluation
    canvas.put(1, 1, "Title", layout.word("one_query", "title"))
    canvas.height(1, 26)
    canvas.put(2, 1, "Note", layout.word("one_query", "note"))
    for row, label in ((cells.query, "query"), (cells.system, "system"), (cells.text, "text")):
        canvas.put(row, 1, "Label", layout.word("one_query", label))
    canvas.put(cells.query, cells.value, "Input text", evaluation.queries[0])
    canvas.put(cells.system, cells.value, "Input text", evaluation.runs[0].name)
    texts = places.searched_ideal(layout, Ideal.text)
    text = formula("one_query", "text", texts=texts, query_number=cells.spot("query_number"))
    canvas.formula(cells.text, cells.value, "Note", "text", text)


def _numbers(canvas: Canvas, layout: Layout, cells: OneQuery) -> None:
    """The results of the query, then the places in the lists that the table below is read from."""
    ideal, queries = Ideal(layout), Queries(layout)
    every = places.every_query_row(layout).searched
    ranking = {
        name: f"{get_column_letter(column)}${cells.first}:{get_column_letter(column)}${cells.last}"
        for name, column in cells.RANKING.items()
    }
    spots = {
        **{name: cells.spot(name) for name in (*cells.RESULTS, *cells.LOOKUPS)},
        "k": places.counted(layout, layout.main),
        "ranks": ranking["rank"],
        "discounted_gains": ranking["discounted_gain"],
        "ideal_gains": ranking["ideal_gain"],
        "queries": places.query_ids(layout),
        "systems": places.system_names(layout),
        "first_rows": layout.block("queries", queries.first, every),
        "counts": layout.block("queries", queries.results, every),
        "firsts": layout.block("queries", queries.first_relevant, every),
        "pool_firsts": places.searched_ideal(layout, ideal.first),
        "pool_counts": places.searched_ideal(layout, ideal.lines),
        "partly": layout.word("one_query", "partly"),
        "wholly": layout.word("one_query", "wholly"),
    }
    for name, (row, style) in cells.RESULTS.items():
        canvas.put(row, cells.result_label, "Label", layout.word("one_query", name))
        canvas.formula(row, cells.result, style, name, formula("one_query", name, **spots))
    for name, row in cells.LOOKUPS.items():
        choice = {"query_number": cells.query, "system_number": cells.system}.get(name)
        chosen = {} if choice is None else {"choice": f"${get_column_letter(cells.value)}${choice}"}
        canvas.put(row, cells.lookup_label, "Label", layout.word("one_query", name))
        canvas.formula(row, cells.lookup, "Count", name, formula("one_query", name, **spots, **chosen))
    canvas.put(cells.levels_row - 2, cells.levels, "Note", layout.word("one_query", "at_least"))
    for at, level in enumerate(layout.levels):
        column = cells.levels + at
        canvas.put(cells.levels_row - 1, column, "Heading", level)
        counts = places.searched_ideal(layout, ideal.at_least + at)
        text = formula("one_query", "at_least", counts=counts, query_number=cells.spot("query_number"))
        canvas.formula(cells.levels_row, column, "Count", "at_least", text)


def _ranking(canvas: Canvas, layout: Layout, cells: OneQuery) -> None:
    """A row a rank: what was returned, beside the ideal."""
    shown = {name: at for name, at in cells.RANKING.items() if name != "shown_text" or layout.evaluation.texts}
    for name, column in shown.items():
        canvas.put(cells.heading, column, "Heading", layout.word("one_headings", name))
    canvas.height(cells.heading, HEADING_HEIGHT)
    first, last = (get_column_letter(cells.levels + at) for at in (0, len(layout.levels) - 1))
    fixed = {
        "count": cells.spot("count"),
        "first": cells.spot("first"),
        "documents": places.all_results(layout, Results.document),
        "grades": places.all_results(layout, Results.grade),
        "gains": places.searched_gains(layout, "used"),
        "levels": places.searched_gains(layout, "grade"),
        "texts": places.all_results(layout, Results.text),
        "at_least": f"${first}${cells.levels_row}:${last}${cells.levels_row}",
    }
    styles = {
        "document": "Words",
        "grade": "Grade",
        "gain": "Number",
        "discounted_gain": "Number",
        "ideal_grade": "Grade",
        "ideal_gain": "Number",
        "shown_text": "Words",
    }
    for row in range(cells.first, cells.last + 1):
        spots = {name: f"{get_column_letter(column)}{row}" for name, column in cells.RANKING.items()}
        canvas.put(row, cells.RANKING["rank"], "Whole", row - cells.first + 1)
        for name in shown.keys() & styles.keys():
            text = formula("one_query", name, **{**spots, **fixed})
            canvas.formula(row, cells.RANKING[name], styles[name], name, text)


def _missed(canvas: Canvas, layout: Layout, cells: OneQuery) -> None:
    """Under the ranking: judged documents that the system did not return, best first."""
    canvas.put(cells.missed_heading - 1, 1, "Note title", layout.word("one_query", "missed_title"))
    for name, column in {"number": 1, "document": 2, "grade": 3}.items():
        canvas.put(cells.missed_heading, column, "Heading", layout.word("one_headings", name))
    shown = {f"pool_{name}s_shown": cells.pool_block(f"pool_{name}") for name in ("document", "grade")}
    shown["missed_counts"] = cells.pool_block("missed_so_far")
    for number in range(1, layout.missed_shown + 1):
        row = cells.missed_heading + number
        canvas.put(row, 1, "Whole", number)
        for column, (name, style) in enumerate({"missed_document": "Words", "missed_grade": "Grade"}.items(), 2):
            canvas.formula(row, column, style, name, formula("one_query", name, number=f"A{row}", **shown))


def _pool(canvas: Canvas, layout: Layout, cells: OneQuery) -> None:
    """To the right: the query's lines of Judgments, and where the system returned each."""
    canvas.put(cells.heading - 1, cells.POOL["number"], "Note title", layout.word("one_query", "pool_title"))
    for name, column in cells.POOL.items():
        canvas.put(cells.heading, column, "Heading", layout.word("one_headings", name))
    systems = len(layout.evaluation.runs)
    fixed = {
        "pool_count": cells.spot("pool_count"),
        "pool_first": cells.spot("pool_first"),
        "system_number": cells.spot("system_number"),
        "pool_documents": places.searched_judgments(layout, Judgments.document),
        "pool_grades": places.searched_judgments(layout, Judgments.grade),
        "pool_ranks": places.searched_judgments(layout, (Judgments.ranks, Judgments.ranks + systems - 1)),
        "unjudged": layout.word("words", "unjudged"),
        "missed": layout.word("words", "missed"),
    }
    styles = {"pool_document": "Words", "pool_grade": "Grade", "pool_rank": "Grade", "missed_so_far": "Count"}
    for number in range(1, layout.pool_shown + 1):
        row = cells.first + number - 1
        spots = {name: f"{get_column_letter(column)}{row}" for name, column in cells.POOL.items()}
        spots["above"] = f"{get_column_letter(cells.POOL['missed_so_far'])}{row - 1}"
        canvas.put(row, cells.POOL["number"], "Whole", number)
        for name, style in styles.items():
            which = "first_missed" if name == "missed_so_far" and number == 1 else name
            text = formula("one_query", which, **{**spots, **fixed})
            canvas.formula(row, cells.POOL[name], style, name, text)
