"""`exercise`: a ladder of exercises, from a worked example to one's own answers, and its key."""

from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.builder import refuse_to_replace
from workbook_builder.commands.options import CutOff, GainText, Input, Language, Query, RelevantFrom, say
from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import Gain
from workbook_builder.homework.book import exercise
from workbook_builder.homework.from_exercise import tasks_of
from workbook_builder.homework.task import Task
from workbook_builder.inputs import WORKED_EXAMPLE, Exercise
from workbook_builder.source import overridden, read_source
from workbook_builder.steps import STEPS

DEFAULT = Path("output") / "exercise.xlsx"
LADDER_OF = "worked_example"
"""The lesson whose cells hold a whole exercise."""


def verb(
    input_file: Input = None,
    query: Query = None,
    k: CutOff = None,
    gain: GainText = None,
    relevant_from: RelevantFrom = None,
    no_checks: Annotated[bool, typer.Option("--no-checks", help="For an exam: nothing says what is right.")] = False,
    key: Annotated[Path | None, typer.Option(help="Also write the key, the same sheets solved, to this file.")] = None,
    language: Language = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the workbook goes.")] = DEFAULT,
    force: Annotated[bool, typer.Option("--force", help="Replace a workbook that somebody has edited.")] = False,
) -> None:
    """Write exercises that fade from a worked example to one's own answers, and prove them."""
    if key is not None and key.resolve() == output.resolve():
        raise InputError([Fault("--key", "it is the exercise's own file", "Give another name.", value=str(key))])
    tasks, notes, stated = _tasks(input_file, query, k, None if gain is None else Gain.parse(gain), relevant_from)
    for note in notes:
        say(f"Note: {note}")
    chosen = language or stated
    books = {output: exercise(tasks, checks=not no_checks, language=chosen)}
    if key is not None:
        books[key] = exercise(tasks, solved=True, language=chosen)
    # Nothing is written when one of the two cannot be.
    for target in books:
        refuse_to_replace(target, force=force)
    for target, built in books.items():
        say(f"Wrote {built.save(target, force=force)}")
        say(f"Proved: {built.report}")
    if no_checks:
        say("No total that is asked for is in the file. Keep the key elsewhere.")
    else:
        say("Next: open it in a spreadsheet program and fill the empty yellow cells; the words beside them answer.")


def _tasks(
    input_file: Path | None, query: str | None, k: int | None, gain: Gain | None, relevant_from: float | None
) -> tuple[tuple[Task, ...] | None, tuple[str, ...], str]:
    """The tasks of the user's exercise, what is to be said about them, and its language; None for our own."""
    if input_file is None:
        if query is not None:
            raise typer.BadParameter("--query goes with --input.")
        if (k, gain, relevant_from) == (None, None, None):
            return None, (), "en"
        return *tasks_of(overridden(WORKED_EXAMPLE, k, gain, relevant_from)), "en"
    source = read_source(input_file, query=query, k=k, gain=gain, relevant_from=relevant_from)
    back = STEPS[LADDER_OF].exercise
    if back is None or LADDER_OF not in source.inputs:
        remedy = "Give one that was built with it, or an exercise (.toml) or a table (.csv)."
        raise InputError([Fault(str(input_file), "the workbook has no sheet with a whole exercise", remedy)])
    found: Exercise = back(source.inputs[LADDER_OF], source.convention)
    tasks, notes = tasks_of(found)
    return tasks, (*source.notes, *notes), source.language
