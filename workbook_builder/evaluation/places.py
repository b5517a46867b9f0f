"""The addresses that formulas of several sheets speak of."""

from workbook_builder.evaluation.columns import GAINS, Differences, Discount, Ideal, Judgments, Queries, Summary
from workbook_builder.evaluation.layout import FIRST, Layout, Rows


def level_rows(layout: Layout) -> Rows:
    """The rows of the table of gains."""
    first = Summary(layout).levels
    return Rows(first, first + len(layout.levels) - 1)


def gain_column(layout: Layout, column: str) -> str:
    """A column of the table of gains."""
    return layout.block("summary", GAINS[column], level_rows(layout))


def searched_gains(layout: Layout, column: str) -> str:
    """The same, to pick one from."""
    return layout.block("summary", GAINS[column], level_rows(layout).searched)


def gain_cell(layout: Layout, column: str, level: int) -> str:
    """One cell of the table of gains."""
    return layout.at("summary", GAINS[column], Summary(layout).levels + level)


def relevant_from(layout: Layout) -> str:
    """The yellow cell of the lowest relevant grade."""
    return layout.at("summary", Summary.value, Summary.relevant_from)


def counted(layout: Layout, measure: int) -> str:
    """How many ranks a measure counts: its k, or all."""
    return layout.at("summary", Summary.value + measure, Summary.counted)


def discounts(layout: Layout, ranks: int) -> str:
    """The discounts of ranks 1 to `ranks`, one under the other."""
    return layout.block("discount", Discount.discount, Rows(FIRST + 1, FIRST + ranks))


def running(layout: Layout) -> str:
    """The running sum of discounts from rank 0 on."""
    return layout.block("discount", Discount.running, Rows(FIRST, FIRST + layout.deepest))


def results(layout: Layout, column: int, rows: Rows) -> str:
    """A column of Results."""
    return layout.block("results", column, rows)


def all_results(layout: Layout, columns: "int | tuple[int, int]") -> str:
    """A column of Results over every system and query, or several, to pick from."""
    return layout.block("results", columns, Rows(FIRST, layout.listings[-1][-1].last).searched)


def all_judgments(layout: Layout, columns: "int | tuple[int, int]") -> str:
    """A column of Judgments over every query, or several."""
    return layout.block("judgments", columns, _every_line(layout))


def searched_judgments(layout: Layout, columns: "int | tuple[int, int]") -> str:
    """The same, to pick from."""
    return layout.block("judgments", columns, _every_line(layout).searched)


def _every_line(layout: Layout) -> Rows:
    return Rows(FIRST, layout.pools[-1].last)


def judged_grades(layout: Layout, query: int) -> str:
    """A query's grades in Judgments."""
    return layout.block("judgments", Judgments.grade, layout.pools[query])


def ideal_column(layout: Layout, column: "int | tuple[int, int]") -> str:
    """A column of Ideal."""
    return layout.block("ideal", column, layout.all_queries)


def searched_ideal(layout: Layout, column: int) -> str:
    """The same, to pick one from."""
    return layout.block("ideal", column, layout.all_queries.searched)


def ideal_cell(layout: Layout, column: int, query: int) -> str:
    """A query's cell in Ideal."""
    return layout.at("ideal", column, FIRST + query)


def query_ids(layout: Layout) -> str:
    """The queries, as Ideal lists them."""
    return ideal_column(layout, Ideal.query)


def system_names(layout: Layout) -> str:
    """The systems, as Summary lists them."""
    first = Summary(layout).systems
    return layout.block("summary", 1, Rows(first, first + len(layout.evaluation.runs) - 1))


def metric_names(layout: Layout) -> str:
    """The metrics' names with their k, as Summary heads them."""
    return layout.block("summary", (Summary.value, Summary(layout).after - 1), Rows(Summary.heading, Summary.heading))


def searched_metrics(layout: Layout) -> str:
    """The same, to pick one from: a lone one with the mean below it."""
    rows = Rows(Summary.heading, Summary.heading)
    several = len(layout.evaluation.measures) > 1
    return layout.block("summary", (Summary.value, Summary(layout).after - 1), rows if several else rows.searched)


def queries_column(layout: Layout, column: int, system: int) -> str:
    """A system's part of a column of Queries."""
    return layout.block("queries", column, layout.of_system(system))


def every_query_row(layout: Layout) -> Rows:
    """The rows of Queries, all systems."""
    return Rows(FIRST, layout.of_system(len(layout.evaluation.runs) - 1).last)


def all_metrics(layout: Layout) -> str:
    """Every metric of every query and system in Queries."""
    columns = (Queries.metrics, Queries(layout).first_relevant - 1)
    return layout.block("queries", columns, every_query_row(layout))


def differences(layout: Layout, column: int) -> str:
    """A column of Differences."""
    return layout.block("differences", column, layout.all_queries)


def pair_differences(layout: Layout, pair: int, measure: int) -> str:
    """The differences of a pair in a measure."""
    return differences(layout, Differences(layout).of(pair, measure))
