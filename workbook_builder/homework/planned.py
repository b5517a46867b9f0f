"""Homework sheets laid out for their tasks: which steps are asked for on each, and the words that say so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbook_builder.homework.puzzles import PUZZLE_VALUES
from workbook_builder.homework.reference import VALUES, mrr_inputs, ndcg_inputs
from workbook_builder.homework.rungs import homework_sheets, rung
from workbook_builder.homework.task import Task
from workbook_builder.inputs import Convention
from workbook_builder.lesson import Block, Lesson
from workbook_builder.sheet import Sheet, plan
from workbook_builder.steps import Inputs, Steps, Values
from workbook_builder.text import Text

INPUTS = {"ndcg": ndcg_inputs, "mrr": mrr_inputs}
ASKED_STEPS: Mapping[str, tuple[str, ...]] = {
    "ndcg": ("discounted_gain", "dcg", "ideal_grade", "ideal_discounted_gain", "idcg", "ndcg"),
    "mrr": ("first_relevant", "reciprocal_rank", "mrr"),
}
"""The steps of each track in the order in which they are worked out."""


@dataclass(frozen=True)
class Rung:
    """One sheet to be: `blank` counts the steps asked for, from the last one back; a solved one shows them all.

    Where answers are checked, the checks follow the inputs, which may be `editable`; `assignment` is a title over them.
    """

    track: str
    blank: int
    task: Task
    checks: bool = True
    solved: bool = False
    editable: bool = True
    code: str | None = None
    assignment: str = ""

    @property
    def kind(self) -> str:
        """Which of the words for rungs it goes by."""
        if self.blank == 0:
            return "worked"
        if self.blank == len(ASKED_STEPS[self.track]):
            return "own"
        return "last" if self.blank == 1 else "some"

    @property
    def name(self) -> str:
        """The sheet's name, as in ndcg_own, which its cells' names begin with."""
        return f"{self.track}_{f'last_{self.blank}' if self.kind == 'some' else self.kind}"

    @property
    def asked(self) -> tuple[str, ...]:
        """The steps asked for."""
        steps = ASKED_STEPS[self.track]
        return () if self.solved else steps[len(steps) - self.blank :]


def planned(wanted: Rung, text: Text) -> Sheet:
    """A rung laid out in one language."""
    task, template = wanted.task, homework_sheets()[wanted.track]
    inputs: Inputs = INPUTS[wanted.track](task)
    if wanted.code:
        inputs = {**inputs, "code": (f"{text.get('exercise', wanted.track, 'labels', 'code')}: {wanted.code}",)}
    ranks = sum(name.startswith("result_") for name in inputs)
    lesson = rung(
        template,
        wanted.name,
        wanted.asked,
        inputs,
        ranks=ranks,
        checks=wanted.checks,
        editable=wanted.editable,
    )
    inputs = {**inputs, **blank_answers(lesson, inputs)}
    convention = Convention(task.gain, task.relevant_from, task.lowest, task.highest)
    facts = {"blank": wanted.blank}
    said = {
        "rung": text.get("exercise", "rungs", wanted.kind, facts=facts),
        "heading": text.get("exercise", "headings", wanted.kind, facts=facts),
        "assignment": f"{wanted.assignment} · " if wanted.assignment else "",
        "task": text.get("exercise", "tasks", _doing(wanted)),
    }
    return replace(plan(lesson, inputs, convention, text), proof=said)


def reference(sheet: Sheet) -> Steps:
    """The reference of a homework sheet: the values of the formulas it has."""
    formulas = {entry.name for entry in sheet.lesson.entries.values() if entry.formula}

    def expected(given: Inputs, convention: Convention) -> Values:
        values = {**VALUES, **PUZZLE_VALUES}[sheet.lesson.words[-1]](given, convention)
        return {name: value for name, value in values.items() if name in formulas}

    return Steps(lambda _: sheet.inputs, expected)


def ladder(track: str, tasks: Sequence[Task], *, checks: bool = True, solved: bool = False) -> list[Rung]:
    """From all steps shown to none, a task each; with fewer tasks than rungs the first ones serve again."""
    rungs = range(len(ASKED_STEPS[track]) + 1)
    return [Rung(track, blank, tasks[blank % len(tasks)], checks=checks, solved=solved) for blank in rungs]


def _doing(wanted: Rung) -> str:
    if wanted.solved:
        return "solved"
    if wanted.blank == 0:
        return "worked"
    return "checked" if wanted.checks else "unchecked"


def blank_answers(lesson: Lesson, inputs: Inputs) -> Inputs:
    """Every answer's cell of a sheet, empty."""
    return {
        entry.name: (None,) * _rows(block, inputs)
        for block in lesson.blocks
        for entry in block.entries
        if entry.input and entry.name not in inputs and block.when is None
    }


def _rows(block: Block, inputs: Inputs) -> int:
    return block.rows if isinstance(block.rows, int) else len(inputs[block.rows])
