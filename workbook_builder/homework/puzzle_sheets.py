"""The sheets that end in a choice, laid out: what is given on them, what is asked for, and what a key shows."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from workbook_builder.homework.planned import blank_answers
from workbook_builder.homework.puzzles import (
    GAIN_LISTS,
    GAINS_K,
    MISTAKES,
    PICKS,
    PUZZLE_VALUES,
    SYSTEMS,
    USED,
    Comparison,
)
from workbook_builder.homework.reference import ndcg_inputs
from workbook_builder.homework.rungs import homework_sheets, rung
from workbook_builder.homework.task import Task
from workbook_builder.inputs import Convention
from workbook_builder.sheet import Sheet, plan
from workbook_builder.steps.values import Inputs
from workbook_builder.text import Text

ASKED: Mapping[str, tuple[str, ...]] = {
    "find_error": ("mistake",),
    "which_gain": ("chosen_gain",),
    "which_system": ("ndcg", "mean_a", "mean_b", "better"),
}
"""Sheet -> what is asked for on it."""
SHOWN: Mapping[str, tuple[str, ...]] = {
    "find_error": ("shown_dcg", "shown_idcg", "shown_ndcg"),
    "which_gain": ("shown_ndcg",),
    "which_system": (),
}
"""Sheet -> the formulas of which, without the working behind them, only the values are shown."""


def puzzle(name: str, task: Task, text: Text, *, checks: bool = True, solved: bool = False) -> Sheet:
    """One of the sheets in `ASKED`, in one language; the task is the ranking that an error is to be found in.

    Without checks, and on a key, the numbers shown are typed: the working that they come from would tell.
    """
    given = _GIVEN[name](task, text)
    ranks = sum(each.startswith("result_") for each in given)
    convention = Convention(task.gain, task.relevant_from, task.lowest, task.highest) if name == "find_error" else _PLAIN
    values = PUZZLE_VALUES[name](given, convention)
    live = checks and not solved
    typed: Inputs = {} if live else {each: values[each] for each in SHOWN[name]}
    answers = _right(name, given, convention, text) if solved else {}
    inputs = {**given, **typed, **answers}
    lesson = rung(
        homework_sheets()[name],
        name,
        () if solved else ASKED[name],
        inputs,
        ranks=ranks,
        checks=live,
        editable=live,
        shown=SHOWN[name] if typed else (),
    )
    return plan(lesson, {**inputs, **blank_answers(lesson, inputs)}, convention, text)


_PLAIN = Convention()


def _error(task: Task, text: Text) -> Inputs:
    options = [text.get("homework", "method", name, "title") for name in MISTAKES]
    return {
        **ndcg_inputs(replace(task, scores=())),
        "person": text.lines("exercise", "find_error", "people"),
        "option": (*options, text.get("exercise", "find_error", "no_mistake")),
        "pick": PICKS,
    }


def _gain(_: Task, __: Text) -> Inputs:
    columns = {f"result_{rank}": column for rank, column in enumerate(zip(*GAIN_LISTS, strict=True), 1)}
    return {"ranking": tuple(range(1, len(GAIN_LISTS) + 1)), **columns, "used": USED, "k": (GAINS_K,)}


def _system(_: Task, text: Text) -> Inputs:
    return system_inputs(SYSTEMS, text)


def system_inputs(comparison: Comparison, text: Text) -> Inputs:
    """The cells of a comparison: each query's ranking by A, then by B."""
    a, b = (text.get("exercise", "which_system", "words", name) for name in ("a", "b"))
    rows = [
        (query, system, grades, missed)
        for query, of_a, missed_a, of_b, missed_b in comparison.queries
        for system, grades, missed in ((a, of_a, missed_a), (b, of_b, missed_b))
    ]
    columns = zip(*(grades for _, _, grades, _ in rows), strict=True)
    return {
        "query": tuple(query for query, *_ in rows),
        "system": tuple(system for _, system, *_ in rows),
        **{f"result_{rank}": column for rank, column in enumerate(columns, 1)},
        "missed": tuple(missed for *_, missed in rows),
        "k": (comparison.k,),
    }


_GIVEN: Mapping[str, Callable[[Task, Text], Inputs]] = {
    "find_error": _error,
    "which_gain": _gain,
    "which_system": _system,
}


def _right(name: str, given: Inputs, convention: Convention, text: Text) -> Inputs:
    """The answers, as a key shows them."""
    values = PUZZLE_VALUES[name](given, convention)
    if name == "find_error":
        return {"mistake": tuple(given["option"][pick - 1] for pick in PICKS)}
    words = ("exercise", name, "words")
    if name == "which_gain":
        return {"chosen_gain": tuple(text.get(*words, ("linear", "exponential")[used - 1]) for used in USED)}
    (mean_a,), (mean_b,) = values["wanted_mean_a"], values["wanted_mean_b"]
    assert isinstance(mean_a, float)
    assert isinstance(mean_b, float)
    better = text.get(*words, "a" if mean_a >= mean_b else "b")
    return {"ndcg": values["wanted_ndcg"], "mean_a": (mean_a,), "mean_b": (mean_b,), "better": (better,)}
