"""The balance of an evaluation: every formula cell of every sheet against its reference value."""

import math
from collections.abc import Mapping, Sequence

from workbook_builder.balance import TOLERANCE, Disagreement, Report, difference_of, same
from workbook_builder.errors import TemplateError
from workbook_builder.evaluation.layout import Layout
from workbook_builder.evaluation.markup import Markup
from workbook_builder.evaluation.reference import Choices, Reference, Value, Words
from workbook_builder.evaluation.reference_compare import compare, differences_sheet
from workbook_builder.evaluation.reference_one import one_query

READS = ("discount", "judgments", "summary", "results", "ideal", "queries", "differences", "compare", "one_query")
"""The sheets in an order in which the earlier ones mostly feed the later ones: causes are reported first."""


def reference_of(layout: Layout) -> Reference:
    """The reference for a layout; only rows, the shape and words pass over, no formula."""
    word = layout.word
    words = Words(
        unjudged=word("words", "unjudged"),
        gap=word("words", "gap"),
        none=word("words", "none"),
        missed=word("words", "missed"),
        undefined=word("compare", "undefined"),
        as_built=word("compare", "as_built"),
        build_again=word("compare", "build_again"),
        partly=word("one_query", "partly"),
        wholly=word("one_query", "wholly"),
        unlisted=word("summary", "unlisted"),
        falling=word("summary", "falling"),
        beyond=word("summary", "beyond"),
        fine=word("summary", "fine"),
        irrelevant=word("summary", "irrelevant"),
        perfect=word("summary", "perfect"),
    )
    return Reference(layout.evaluation, layout.lines, layout.levels, layout.deepest, words)


def first_choices(layout: Layout) -> Choices:
    """What the drop-down cells of a new workbook say."""
    runs = layout.evaluation.runs
    return Choices(
        query=layout.evaluation.queries[0],
        system=runs[0].name,
        first_system=runs[0].name,
        second_system=runs[-1 if len(runs) < 2 else 1].name,
        metric=str(layout.main_measure),
    )


def expected(
    layout: Layout, reference: Reference, choices: Choices, built: Sequence[float]
) -> Mapping[str, Mapping[str, Sequence[Value]]]:
    """Sheet -> formula name -> the values expected, in the order of the file."""
    shown = {"ranks": layout.ranks_shown, "pool_shown": layout.pool_shown, "missed_shown": layout.missed_shown}
    values = {
        "summary": reference.summary(),
        "queries": reference.queries(),
        "one_query": one_query(reference, choices, **shown),
        "ideal": reference.ideal(),
        "judgments": {},
        "results": reference.results(),
        "discount": reference.discount(),
        "about": {},
    }
    if layout.pairs:
        values["compare"] = compare(reference, choices, built)
        values["differences"] = differences_sheet(reference, choices)
    return values


def balance(
    layout: Layout,
    sheets: Mapping[str, Markup],
    values: Mapping[str, Mapping[str, Sequence[Value]]],
    shown: Mapping[str, Sequence[object]],
    standing: Mapping[str, Sequence[str | None]],
    engine: tuple[str, str],
    foreign: Sequence[str] = (),
) -> Report:
    """Compare every formula cell.

    `values` are the reference's; `shown` and `standing` hold, by sheet, what its formula cells show and which formulas
    stand in them, in the order of the file. Raises TemplateError where formulas and reference values do not pair up.
    """
    found: dict[str, list[Disagreement]] = {name: [] for name in sheets}
    compared, largest = 0, 0.0
    for name, made in sheets.items():
        waiting = {each: iter(of_name) for each, of_name in values[name].items()}
        for at, cell in enumerate(made.cells):
            reference = next(waiting.get(cell.name, iter(())), None)
            if reference is None:
                raise TemplateError(f"evaluation, {name}.{cell.name}: a formula cell has no reference value")
            value, formula = shown[name][at], standing[name][at]
            difference = difference_of(value, reference)
            compared += 1
            if difference <= TOLERANCE and (formula is cell.formula or same(formula, cell.formula)):
                largest = max(largest, difference)
                continue
            title = layout.title(name)
            found[name].append(Disagreement(title, cell.address, cell.name, formula, cell.formula, value, reference))
        for each, rest in waiting.items():
            if next(rest, None) is not None:
                raise TemplateError(f"evaluation, {name}.{each}: a reference value has no formula cell")
    ordered = [each for name in READS for each in found.get(name, ())]
    ordered.sort(key=lambda each: not each.damaged)
    return Report(*engine, compared, largest if math.isfinite(largest) else 0.0, tuple(ordered), tuple(foreign))
