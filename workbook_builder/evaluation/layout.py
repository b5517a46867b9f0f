"""Which row of which sheet holds what: the blocks of the queries, the columns, and the addresses of both.

Pure: no cell is written and no metric is computed here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from openpyxl.utils import get_column_letter, quote_sheetname

from workbook_builder.evaluation.inputs import Evaluation
from workbook_builder.measures import Measure
from workbook_builder.text import Facts, Text

FIRST = 2
"""The lists begin below one row of headings."""
SHOWN = 50
"""The sheet One query shows this many ranks, or as many as its k counts."""
POOL_SHOWN = 200
MISSED_SHOWN = 20
EXTREMES = 10
"""How many of the best and of the worst queries the sheet Compare lists."""
CURVE = 100
"""How many points the chart of sorted differences has at most: a formula a query would sort the column each time."""

SHEETS = (
    "summary",
    "compare",
    "queries",
    "one_query",
    "ideal",
    "judgments",
    "results",
    "differences",
    "discount",
    "about",
)
"""Every sheet by name, in the order of the tabs."""
OF_PAIRS = {"compare", "differences"}
"""The sheets that only two or more runs have."""


@dataclass(frozen=True)
class Rows:
    """A block of rows, both ends included; empty when the last is above the first."""

    first: int
    last: int

    @property
    def count(self) -> int:
        """How many rows."""
        return self.last - self.first + 1

    @property
    def searched(self) -> "Rows":
        """At least two of them, for a formula that picks one: Gnumeric finds nothing in a range of one cell.

        What stands in the second is blank or a number, so that no name is found in it.
        """
        return Rows(self.first, max(self.last, self.first + 1))


Line = tuple[str, float | None]
"""A document of a query and its grade; None where nobody judged it."""


@dataclass(frozen=True)
class Shape:
    """What stays as it was built, whatever is typed into the yellow cells afterwards.

    levels: the grades there are, low to high; holes: down to this rank an unjudged result has a line in Judgments;
    deepest: the last rank of the sheet Discount, and the largest k; ranks_shown: how many ranks One query shows;
    lines: by query, the documents of Judgments in the order of its rows.
    """

    levels: tuple[float, ...]
    holes: int
    deepest: int
    ranks_shown: int
    lines: tuple[tuple[Line, ...], ...]


def shape_of(evaluation: Evaluation) -> Shape:
    """The shape of a new workbook: best grade first in every pool, then the results high up that nobody judged."""
    ks = [measure.k or 0 for measure in evaluation.measures]
    holes = evaluation.holes
    lines = tuple(
        (
            *sorted(pool.items(), key=lambda judged: (-judged[1], judged[0])),
            *((document, None) for document in holes[query]),
        )
        for query, pool in evaluation.judgments.grades.items()
    )
    longest = max(map(len, lines), default=1)
    return Shape(
        levels=evaluation.grades,
        holes=evaluation.holes_to,
        deepest=max([evaluation.depth, longest, SHOWN, *ks]),
        ranks_shown=min(max(SHOWN, evaluation.main.k or 0), max(evaluation.depth, longest)),
        lines=lines,
    )


@dataclass(frozen=True)
class Layout:
    """An evaluation laid out in one language.

    `proof` is what its texts may say of the workbook's proof, `renamed` how somebody called sheets since.
    """

    evaluation: Evaluation
    text: Text
    shape: Shape
    proof: Facts = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def words(self) -> Text:
        """The workbook's words, with its facts filled in."""
        evaluation = self.evaluation
        facts = {
            "queries": len(evaluation.queries),
            "systems": len(evaluation.runs),
            "highest": self.levels[-1],
            "lowest": self.levels[0],
            "shown": self.ranks_shown,
            "holes": self.shape.holes,
            "most": self.deepest,
            **self.proof,
        }
        if evaluation.sample:
            facts |= {"of": evaluation.sample.of, "seed": evaluation.sample.seed}
        return self.text.within("evaluation", facts=facts)

    def word(self, *path: str) -> str:
        """A text of the evaluation's part of the language."""
        return self.words.get(*path)

    @property
    def sheets(self) -> tuple[str, ...]:
        """The sheets this evaluation has."""
        return tuple(name for name in SHEETS if len(self.evaluation.runs) > 1 or name not in OF_PAIRS)

    def title(self, sheet: str) -> str:
        """The tab's name."""
        return self.renamed.get(sheet) or self.word("sheets", sheet)

    @cached_property
    def _prefixes(self) -> Mapping[str, str]:
        return {name: f"{quote_sheetname(self.title(name))}!" for name in SHEETS}

    def at(self, sheet: str, column: int, row: int) -> str:
        """The absolute address of a cell, with its sheet."""
        return f"{self._prefixes[sheet]}${get_column_letter(column)}${row}"

    def block(self, sheet: str, columns: "int | tuple[int, int]", rows: Rows) -> str:
        """The absolute address of a column's block, or of several columns', with its sheet."""
        first, last = columns if isinstance(columns, tuple) else (columns, columns)
        ends = f"${get_column_letter(first)}${rows.first}:${get_column_letter(last)}${rows.last}"
        return f"{self._prefixes[sheet]}{ends}"

    @property
    def levels(self) -> tuple[float, ...]:
        """The grades there are, low to high: a row each in Summary, a column each in Ideal."""
        return self.shape.levels

    @property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        """By query, the documents of Judgments in the order of its rows."""
        return self.shape.lines

    @cached_property
    def pools(self) -> tuple[Rows, ...]:
        """By query, its rows in Judgments."""
        return tuple(_stacked(map(len, self.lines)))

    @cached_property
    def listings(self) -> tuple[tuple[Rows, ...], ...]:
        """By system and query, the rows of its results in Results."""
        queries, runs = self.evaluation.queries, self.evaluation.runs
        sizes = [len(run.rankings.get(query, ())) for run in runs for query in queries]
        rows = list(_stacked(sizes))
        return tuple(tuple(rows[at * len(queries) : (at + 1) * len(queries)]) for at in range(len(runs)))

    def of_system(self, system: int) -> Rows:
        """A system's rows in Queries."""
        queries = len(self.evaluation.queries)
        return Rows(FIRST + system * queries, FIRST + (system + 1) * queries - 1)

    @cached_property
    def all_queries(self) -> Rows:
        """The rows of the sheets that have a row a query."""
        return self.of_system(0)

    @property
    def deepest(self) -> int:
        """The last rank of the sheet Discount: no ranking and no pool reaches further."""
        return self.shape.deepest

    @property
    def ranks_shown(self) -> int:
        """How many ranks One query shows."""
        return self.shape.ranks_shown

    @property
    def pool_shown(self) -> int:
        """How many judged documents One query lists."""
        return min(POOL_SHOWN, max(rows.count for rows in self.pools))

    @property
    def missed_shown(self) -> int:
        """How many missed documents One query lists under the ranking."""
        return min(MISSED_SHOWN, self.pool_shown)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every two systems, the earlier one first."""
        number = len(self.evaluation.runs)
        return tuple((one, other) for one in range(number) for other in range(one + 1, number))

    @cached_property
    def gain_metrics(self) -> tuple[int, ...]:
        """Which of the measures need an ideal."""
        return tuple(at for at, measure in enumerate(self.evaluation.measures) if measure.metric in ("nDCG", "IDCG"))

    @property
    def main_measure(self) -> Measure:
        """The measure whose k says what "the top" is."""
        return self.evaluation.main

    @property
    def main(self) -> int:
        """Its place among the measures."""
        return self.evaluation.measures.index(self.main_measure)

    @cached_property
    def curve(self) -> tuple[int, ...]:
        """The places of the sorted differences that the chart shows, evenly spread from first to last."""
        queries = len(self.evaluation.queries)
        points = min(CURVE, queries)
        return tuple(1 + (at * (queries - 1)) // max(1, points - 1) for at in range(points))

    @property
    def extremes(self) -> int:
        """How many best and worst queries are listed."""
        return min(EXTREMES, len(self.evaluation.queries))


def _stacked(sizes: "Iterator[int] | list[int]") -> Iterator[Rows]:
    row = FIRST
    for size in sizes:
        yield Rows(row, row + size - 1)
        row += size
