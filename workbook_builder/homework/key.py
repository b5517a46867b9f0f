"""What a key adds to a sheet for who marks by hand: each step's formula as text, and what known mistakes give."""

from dataclasses import replace
from typing import cast

from workbook_builder.homework.methods import methods_of
from workbook_builder.homework.steps import Track
from workbook_builder.homework.task import Task
from workbook_builder.sheet import Sheet
from workbook_builder.steps import Inputs

TOTALS = {"ndcg": ("dcg", "idcg", "ndcg"), "mrr": ("mrr",)}
"""Track -> the steps with a value a mistake can be known by."""
STEPS = {
    "ndcg": ("discounted_gain", "ideal_grade", "ideal_discounted_gain", "dcg", "idcg", "ndcg"),
    "mrr": ("first_relevant", "reciprocal_rank", "mrr"),
}
"""Track -> its steps, as they stand on the sheet."""


def room_for_marker(task: Task, track: str) -> Inputs:
    """The rows that `for_marker` fills, empty."""
    steps, mistakes = (None,) * len(STEPS[track]), (None,) * len(methods_of(task, cast("Track", track)))
    return {
        **dict.fromkeys(("step", "step_cell", "step_formula"), steps),
        **dict.fromkeys(("wrong_method", *(f"wrong_{total}" for total in TOTALS[track])), mistakes),
    }


def for_marker(sheet: Sheet, task: Task, track: str) -> Sheet:
    """The sheet with the formula of each step's first cell, and the values of every mistake where it changes them."""
    formulas = [sheet.formulas[step, 0] for step in STEPS[track]]
    made = {name: method.values(task) for name, method in methods_of(task, cast("Track", track)).items()}
    values = {
        f"wrong_{total}": tuple(given[total][0] if total in given else None for given in made.values())
        for total in TOTALS[track]
    }
    added = {
        "step": tuple(sheet.words.get("labels", step) for step in STEPS[track]),
        "step_cell": tuple(cell.relative for cell, _ in formulas),
        "step_formula": tuple(formula for _, formula in formulas),
        "wrong_method": tuple(sheet.text.get("homework", "method", name, "title") for name in made),
        **values,
    }
    return replace(sheet, inputs={**sheet.inputs, **added})
