"""The sheets that are long lists under one row of headings: Judgments, Results, Ideal, Queries and Discount."""

from collections.abc import Iterator
from math import isfinite

from openpyxl.utils import get_column_letter

from workbook_builder.evaluation import places
from workbook_builder.evaluation.cells import Cell, Row, formula, formulas
from workbook_builder.evaluation.columns import Discount, Ideal, Judgments, Queries, Results, Summary
from workbook_builder.evaluation.layout import FIRST, Layout

HEADING_HEIGHT = 36


def headings(layout: Layout, names: list[str]) -> Row:
    """The row of headings, from column A on."""
    cells = [Cell(column, "Heading", layout.word("headings", name)) for column, name in enumerate(names, 1)]
    return Row(1, cells, HEADING_HEIGHT)


def judgments(layout: Layout) -> Iterator[Row]:
    """A row a query and document: its grade, and where each system returned it."""
    evaluation, columns = layout.evaluation, Judgments
    heading = headings(layout, ["query", "document", "text", "grade"])
    heading.cells.extend(
        Cell(columns.ranks + at, "Heading", f"{layout.word('headings', 'rank_in')} {run.name}")
        for at, run in enumerate(evaluation.runs)
    )
    yield heading
    for at, query in enumerate(evaluation.queries):
        ranks = [
            {document: rank for rank, document in enumerate(run.rankings.get(query, ()), 1) if document}
            for run in evaluation.runs
        ]
        for row, (document, grade) in enumerate(layout.lines[at], layout.pools[at].first):
            yield Row(
                row,
                [
                    Cell(columns.query, "Words", query),
                    Cell(columns.document, "Words", document),
                    Cell(columns.text, "Words", evaluation.texts.get(document)),
                    Cell(columns.grade, "Input", grade),
                    *(Cell(columns.ranks + each, "Count", ranked.get(document)) for each, ranked in enumerate(ranks)),
                ],
            )


def results(layout: Layout) -> Iterator[Row]:
    """A row a result. Only a document that has a line in Judgments can earn anything: only those have formulas."""
    yield headings(
        layout,
        ["system", "query", "rank", "document", "score", "grade", "discounted_gain", "found", "precision", "text"],
    )
    written = formulas()["results"]
    gains, levels = places.searched_gains(layout, "used"), places.searched_gains(layout, "grade")
    threshold, unjudged = places.relevant_from(layout), layout.word("words", "unjudged")
    gap = layout.word("words", "gap")
    rank_at, grade_at, found_at = map(get_column_letter, (Results.rank, Results.grade, Results.found))
    for system, run in enumerate(layout.evaluation.runs):
        for at, query in enumerate(layout.evaluation.queries):
            line_of = {document: row for row, (document, _) in enumerate(layout.lines[at], layout.pools[at].first)}
            scores = run.scores.get(query, ()) if run.scores is not None else ()
            above: str | None = None
            ranking = run.rankings.get(query, ())
            for rank, document in enumerate(ranking, 1):
                row = layout.listings[system][at].first + rank - 1
                cells = [
                    Cell(Results.system, "Words", run.name),
                    Cell(Results.query, "Words", query),
                    Cell(Results.rank, "Whole", rank),
                    Cell(Results.document, "Words", document or gap),
                    Cell(Results.score, "Score", _score(scores[rank - 1]) if scores else None),
                ]
                line = line_of.get(document)
                shown = Cell(Results.text, "Words", layout.evaluation.texts.get(document))
                if line is None:
                    yield Row(row, [*cells, Cell(Results.grade, "Missing", unjudged if document else gap), shown])
                    continue
                spots = {
                    "judgment": layout.at("judgments", Judgments.grade, line),
                    "unjudged": unjudged,
                    "gains": gains,
                    "levels": levels,
                    "relevant_from": threshold,
                    "rank": f"{rank_at}{row}",
                    "grade": f"{grade_at}{row}",
                    "found": f"{found_at}{row}",
                    "above": above,
                }
                first = "" if above else "first_"
                cells += [
                    Cell(Results.grade, "Grade", None, written["grade"].format(**spots), "grade"),
                    Cell(
                        Results.discounted_gain,
                        "Number",
                        None,
                        written["discounted_gain"].format(**spots),
                        "discounted_gain",
                    ),
                    Cell(Results.found, "Count", None, written[f"{first}found"].format(**spots), "found"),
                    Cell(Results.precision, "Number", None, written[f"{first}precision"].format(**spots), "precision"),
                ]
                above = f"{found_at}{row}"
                yield Row(row, [*cells, shown])


def _score(score: float) -> float | str:
    """A score as a cell can hold it: an infinite one as text."""
    return score if isfinite(score) else str(score)


def discount(layout: Layout) -> Iterator[Row]:
    """A row a rank, from 0: what a gain is worth there, and the sum so far."""
    yield headings(layout, ["rank", "discount", "running"])
    yield Row(FIRST, [Cell(Discount.rank, "Whole", 0), Cell(2, "Exact", 0), Cell(3, "Exact", 0)])
    for rank in range(1, layout.deepest + 1):
        row = FIRST + rank
        spots = {"rank": f"A{row}", "discount": f"B{row}", "above": f"C{row - 1}"}
        yield Row(
            row,
            [
                Cell(Discount.rank, "Whole", rank),
                Cell(Discount.discount, "Exact", None, formula("discount", "discount", **spots), "discount"),
                Cell(Discount.running, "Exact", None, formula("discount", "running", **spots), "running"),
            ],
        )


def ideal(layout: Layout) -> Iterator[Row]:
    """A row a query: how many judged documents reach each grade, and IDCG for each measure that needs it."""
    evaluation, columns = layout.evaluation, Ideal(layout)
    heading = headings(layout, ["query", "query_text", "judged", "relevant", "first_line", "lines"])
    heading.cells.extend(
        Cell(columns.at_least + at, "Heading", f"{layout.word('headings', 'at_least')} {level:g}")
        for at, level in enumerate(layout.levels)
    )
    for measure in layout.gain_metrics:
        label = f"IDCG, k {layout.word('headings', 'of')} {evaluation.measures[measure]}"
        heading.cells.append(Cell(columns.idcg(measure), "Heading", label))
    yield heading
    running = places.running(layout)
    for at, query in enumerate(evaluation.queries):
        row = FIRST + at
        grades = places.judged_grades(layout, at)
        threshold = places.relevant_from(layout)
        cells = [
            Cell(columns.query, "Words", query),
            Cell(columns.text, "Words", evaluation.query_texts.get(query)),
            Cell(columns.judged, "Count", None, formula("ideal", "judged", grades=grades), "judged"),
            Cell(
                columns.relevant,
                "Count",
                None,
                formula("ideal", "relevant", grades=grades, relevant_from=threshold),
                "relevant",
            ),
            Cell(columns.first, "Count", layout.pools[at].first - FIRST + 1),
            Cell(columns.lines, "Count", layout.pools[at].count),
        ]
        cells.extend(
            Cell(
                columns.at_least + each,
                "Count",
                None,
                formula("ideal", "at_least", grades=grades, level=places.gain_cell(layout, "grade", each)),
                "at_least",
            )
            for each in range(len(layout.levels))
        )
        for measure in layout.gain_metrics:
            terms = [
                formula(
                    "ideal",
                    "idcg_term",
                    step=places.gain_cell(layout, "step", each),
                    running=running,
                    k=places.counted(layout, measure),
                    at_least=f"{get_column_letter(columns.at_least + each)}{row}",
                )
                for each in range(len(layout.levels))
            ]
            cells.append(Cell(columns.idcg(measure), "Number", None, f"={'+'.join(terms)}", "idcg"))
        yield Row(row, cells)


def queries(layout: Layout) -> Iterator[Row]:
    """A row a system and query with every metric; a query without results holds zeros."""
    evaluation, columns = layout.evaluation, Queries(layout)
    heading = headings(layout, ["query", "system"])
    names = [layout.at("summary", Summary.value + at, Summary.heading) for at in range(len(evaluation.measures))]
    heading.cells.extend(
        Cell(columns.metrics + at, "Heading", None, f"={name}", "name") for at, name in enumerate(names)
    )
    after = ["first_relevant", "results", "in_top", "unjudged_in_top", "perfect", "first_line"]
    heading.cells.extend(
        Cell(columns.first_relevant + at, "Heading", layout.word("headings", name)) for at, name in enumerate(after)
    )
    yield heading
    for system, run in enumerate(evaluation.runs):
        for at, query in enumerate(evaluation.queries):
            row = layout.of_system(system).first + at
            yield Row(
                row,
                [
                    Cell(columns.query, "Words", query),
                    Cell(columns.system, "Words", run.name),
                    *(_Query(layout, columns, row, system, at).cells()),
                ],
            )


class _Query:
    """The formulas of one row of Queries."""

    def __init__(self, layout: Layout, columns: Queries, row: int, system: int, query: int) -> None:
        self.layout, self.columns, self.row, self.query = layout, columns, row, query
        self.rows = layout.listings[system][query]
        ideal = Ideal(layout)
        self.spots: dict[str, str] = {
            "first": f"{get_column_letter(columns.first_relevant)}{row}",
            "relevant": places.ideal_cell(layout, ideal.relevant, query),
            "relevant_from": places.relevant_from(layout),
            "unjudged": layout.word("words", "unjudged"),
            "none": layout.word("words", "none"),
            "unjudged_count": f"{get_column_letter(columns.unjudged)}{row}",
            "best": places.gain_cell(layout, "used", len(layout.levels) - 1),
            "running": places.running(layout),
        }
        if self.rows.count:
            parts = {
                "gains": Results.discounted_gain,
                "ranks": Results.rank,
                "grades": Results.grade,
                "found": Results.found,
                "precisions": Results.precision,
            }
            self.spots |= {name: places.results(layout, column, self.rows) for name, column in parts.items()}
            self.spots["discounts"] = places.discounts(layout, self.rows.count)

    def cells(self) -> Iterator[Cell]:
        """Its cells, from the first metric on."""
        layout, columns = self.layout, self.columns
        k = places.counted(layout, layout.main)
        for at, measure in enumerate(layout.evaluation.measures):
            spots = {**self.spots, "k": places.counted(layout, at)}
            if at in layout.gain_metrics:
                spots["idcg"] = places.ideal_cell(layout, Ideal(layout).idcg(at), self.query)
            if self.rows.count or measure.metric == "IDCG":
                text = formula("measures", measure.metric, **spots)
                yield Cell(columns.metrics + at, "Number", None, text, "metric")
            else:
                yield Cell(columns.metrics + at, "Number", 0)
        if not self.rows.count:
            yield Cell(columns.first_relevant, "Count", layout.word("words", "none"))
            yield from (Cell(column, "Count", 0) for column in range(columns.results, columns.perfect))
            yield Cell(columns.perfect, "Number", 0)
            yield Cell(columns.first, "Count", 1)
            return
        yield self._cell(columns.first_relevant, "Count", "first_relevant")
        yield Cell(columns.results, "Count", self.rows.count)
        yield self._cell(columns.top, "Count", "top", k=k)
        yield self._cell(columns.unjudged, "Count", "unjudged", k=k)
        ideal = Ideal(layout)
        terms = "+".join(
            formula(
                "queries",
                "perfect_term",
                step=places.gain_cell(layout, "step", each),
                at_least=places.ideal_cell(layout, ideal.at_least + each, self.query),
                k=k,
                running=self.spots["running"],
                unjudged_count=self.spots["unjudged_count"],
            )
            for each in range(len(layout.levels))
        )
        yield self._cell(columns.perfect, "Number", "perfect", k=k, ideal=terms)
        yield Cell(columns.first, "Count", self.rows.first - FIRST + 1)

    def _cell(self, column: int, style: str, name: str, **places_: str) -> Cell:
        return Cell(column, style, None, formula("queries", name, **{**self.spots, **places_}), name)
