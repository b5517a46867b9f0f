"""Where each named column and cell of the evaluation's sheets stands. Columns and rows count from 1."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from openpyxl.utils import get_column_letter

from workbook_builder.evaluation.layout import Layout, Rows


@dataclass(frozen=True)
class Judgments:
    """The columns of the sheet Judgments; the ranks are one column a system."""

    query: int = 1
    document: int = 2
    text: int = 3
    grade: int = 4
    ranks: int = 5


@dataclass(frozen=True)
class Results:
    """The columns of the sheet Results."""

    system: int = 1
    query: int = 2
    rank: int = 3
    document: int = 4
    score: int = 5
    grade: int = 6
    discounted_gain: int = 7
    found: int = 8
    precision: int = 9
    text: int = 10


@dataclass(frozen=True)
class Discount:
    """The columns of the sheet Discount; its first row is rank 0, where the running sum starts."""

    rank: int = 1
    discount: int = 2
    running: int = 3


@dataclass(frozen=True)
class Ideal:
    """The columns of the sheet Ideal; `at_least` is one column a grade, `idcg` one a measure that needs an ideal."""

    layout: Layout
    query: int = 1
    text: int = 2
    judged: int = 3
    relevant: int = 4
    first: int = 5
    lines: int = 6
    at_least: int = 7

    def idcg(self, measure: int) -> int:
        """The column of a measure's IDCG."""
        return self.at_least + len(self.layout.levels) + self.layout.gain_metrics.index(measure)


@dataclass(frozen=True)
class Queries:
    """The columns of the sheet Queries: a row a system and query."""

    layout: Layout
    query: int = 1
    system: int = 2
    metrics: int = 3

    @property
    def first_relevant(self) -> int:
        """The rank of the first relevant result."""
        return self.metrics + len(self.layout.evaluation.measures)

    @property
    def results(self) -> int:
        """How many results there are."""
        return self.first_relevant + 1

    @property
    def top(self) -> int:
        """How many of them are in the top k."""
        return self.first_relevant + 2

    @property
    def unjudged(self) -> int:
        """How many of those nobody judged."""
        return self.first_relevant + 3

    @property
    def perfect(self) -> int:
        """The first nDCG if all of those were of the highest grade."""
        return self.first_relevant + 4

    @property
    def first(self) -> int:
        """The number of the query's first line among the results."""
        return self.first_relevant + 5


@dataclass(frozen=True)
class Summary:
    """The cells of the sheet Summary."""

    layout: Layout
    title: int = 1
    notes: int = 2
    gain: int = 4
    relevant_from: int = 5
    check: int = 6
    k: int = 8
    counted: int = 9
    heading: int = 10
    value: int = 2
    """The column of the yellow cells, and of the first metric."""

    @property
    def systems(self) -> int:
        """The row of the first system."""
        return self.heading + 1

    @property
    def after(self) -> int:
        """The column after the last metric: the number of queries, and what follows."""
        return self.value + len(self.layout.evaluation.measures)

    @property
    def levels_heading(self) -> int:
        """The heading of the table of gains."""
        return self.systems + len(self.layout.evaluation.runs) + 2

    @property
    def levels(self) -> int:
        """The row of the lowest grade."""
        return self.levels_heading + 1


GAINS = {"grade": 1, "linear": 2, "exponential": 3, "own": 4, "used": 5, "step": 6}
"""The columns of the table of gains in Summary."""
AFTER = ("queries", "unanswered", "without_relevant", "holes", "irrelevant", "perfect")
"""The columns of Summary after the metrics."""


@dataclass(frozen=True)
class Differences:
    """The columns of the sheet Differences: the pair chosen in Compare, then one a pair and metric."""

    layout: Layout
    query: int = 1
    number: int = 2
    chosen: int = 3
    order: int = 4
    pairs: int = 5

    def of(self, pair: int, measure: int) -> int:
        """The column of a pair's differences in a measure."""
        return self.pairs + pair * len(self.layout.evaluation.measures) + measure


@dataclass(frozen=True)
class OneQuery:
    """The cells of the sheet One query: the choice and the numbers on top, below them the ranking and the judgments."""

    layout: Layout
    value: int = 2
    query: int = 3
    system: int = 4
    text: int = 5
    result_label: int = 4
    result: int = 6
    lookup_label: int = 9
    lookup: int = 11
    levels: int = 15
    levels_row: int = 8
    heading: int = 11
    RANKING: ClassVar[Mapping[str, int]] = {
        "rank": 1,
        "document": 2,
        "grade": 3,
        "gain": 4,
        "discounted_gain": 5,
        "ideal_grade": 6,
        "ideal_gain": 7,
        "shown_text": 8,
    }
    """The last column is there where texts are known."""
    POOL: ClassVar[Mapping[str, int]] = {
        "number": 9,
        "pool_document": 10,
        "pool_grade": 11,
        "pool_rank": 12,
        "missed_so_far": 13,
    }
    RESULTS: ClassVar[Mapping[str, tuple[int, str]]] = {
        "dcg": (3, "Number"),
        "idcg": (4, "Number"),
        "ndcg": (5, "Result"),
        "first_relevant": (6, "Count"),
        "reciprocal_rank": (7, "Result"),
        "whole": (8, "Note"),
    }
    LOOKUPS: ClassVar[Mapping[str, int]] = {
        "query_number": 3,
        "system_number": 4,
        "row": 5,
        "first": 6,
        "count": 7,
        "pool_first": 8,
        "pool_count": 9,
    }

    @property
    def first(self) -> int:
        """The row of rank 1."""
        return self.heading + 1

    @property
    def last(self) -> int:
        """The row of the last rank shown."""
        return self.heading + self.layout.ranks_shown

    @property
    def missed_heading(self) -> int:
        """The heading of the missed documents, under the ranking."""
        return self.last + 3

    def spot(self, name: str) -> str:
        """The absolute address of a result or of a look-up."""
        if name in self.RESULTS:
            return f"${get_column_letter(self.result)}${self.RESULTS[name][0]}"
        return f"${get_column_letter(self.lookup)}${self.LOOKUPS[name]}"

    def pool_block(self, name: str) -> str:
        """A column of the judgments shown."""
        letter = get_column_letter(self.POOL[name])
        rows = Rows(self.first, self.first + self.layout.pool_shown - 1).searched
        return f"${letter}${rows.first}:${letter}${rows.last}"


@dataclass(frozen=True)
class Compare:
    """The cells of the sheet Compare: the tests of every pair on top, then the pair and metric chosen."""

    layout: Layout
    decimals: int = 4
    p_decimals: int = 5
    alpha: int = 6
    heading: int = 8
    TESTS: ClassVar[Mapping[str, str]] = {
        "one": "Words",
        "other": "Words",
        "name": "Words",
        "mean_one": "Number",
        "mean_other": "Number",
        "difference": "Signed",
        "wins": "Count",
        "ties": "Count",
        "losses": "Count",
        "error": "Exact",
        "low": "Signed",
        "high": "Signed",
        "p": "Exact",
        "permuted": "Exact",
        "holm": "Exact",
        "state": "Words",
        "built": "Exact",
    }
    EXTREMES: ClassVar[Mapping[str, str]] = {
        "place": "Count",
        "query": "Words",
        "value_one": "Number",
        "value_other": "Number",
        "chosen": "Signed",
    }

    @property
    def first(self) -> int:
        """The row of the first pair's first metric."""
        return self.heading + 1

    @property
    def tests(self) -> int:
        """How many rows of tests there are."""
        return len(self.layout.pairs) * len(self.layout.evaluation.measures)

    @property
    def choice(self) -> int:
        """The row of the first of the three choices."""
        return self.first + self.tests + 2

    @property
    def apart(self) -> int:
        """The row of what keeps equal differences apart."""
        return self.choice + 3

    @property
    def extremes_heading(self) -> int:
        """The heading of the best and worst queries."""
        return self.choice + 7

    @property
    def curve_heading(self) -> int:
        """The heading of the sorted differences."""
        return self.extremes_heading + self.layout.extremes + 3

    def column(self, name: str) -> int:
        """A column of the tests."""
        return [*self.TESTS].index(name) + 1
