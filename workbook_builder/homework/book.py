"""Homework as workbooks: the ladder of exercises, and the workbook of one student. Proved like every other."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

from workbook_builder import package
from workbook_builder.builder import proved
from workbook_builder.errors import Fault, InputError
from workbook_builder.homework.defaults import EXAMPLES, LADDER
from workbook_builder.homework.planned import ASKED_STEPS, Rung, ladder, planned, reference
from workbook_builder.homework.reference import shown_numbers
from workbook_builder.homework.steps import right
from workbook_builder.homework.task import Task
from workbook_builder.sheet import Sheet
from workbook_builder.suggest import did_you_mean
from workbook_builder.text import Text, languages
from workbook_builder.workbook import About, write

CODE = "workbook-builder-code"
"""The document property that holds a student's code."""
CODE_NAME = "homework.code"
"""The defined name of the cell that shows it."""
OWN = {"ndcg": "ndcg_own", "mrr": "mrr_own"}
"""Track -> the sheet a student answers on, in the names of its cells."""
ANSWER_NAMES = {step: f"{OWN[track]}.{step}" for track, steps in ASKED_STEPS.items() for step in steps}
"""Step -> the defined name of its answers' cells; the first cell is that of the first rank or query."""
INPUT_NAMES = {
    **{name: f"{OWN['ndcg']}.{name}" for name in ("grade", "missed", "k")},
    **{f"mrr_{name}": f"{OWN['mrr']}.{name}" for name in ("query", "results", "k", "relevant_from")},
}
"""Input -> the defined name of its cells; `results` is a block, a row a query and a column a rank."""

_CACHED = re.compile(rb"<v *>(-?\d+\.\d{10,}(?:[eE]-?\d+)?)</v>")
_DIGITS = 12


def exercise_book(
    tasks: Sequence[Task] | None = None, *, checks: bool = True, solved: bool = False, language: str = "en"
) -> bytes:
    """The ladder as a workbook: a sheet a rung, from all steps shown to none, for NDCG@k and for MRR@k.

    tasks are the rungs' inputs in order (default: some that tell the known mistakes apart). Without checks no right
    value of a step asked for is anywhere in the file. Solved, it is the key. Raises InputError for an unknown language.
    """
    given = tuple(tasks) if tasks else LADDER
    rungs = [each for track in ASKED_STEPS for each in ladder(track, given, checks=checks, solved=solved)]
    text = _text(language)
    sheets = [planned(each, text) for each in rungs]
    which = "key_" if solved else ""
    about = About(
        text.get("exercise", "book", f"{which}title"),
        text.get("exercise", "book", f"{which}description"),
        _made(language),
    )
    return package.sealed(_filled(sheets, about))


def variant_book(
    task: Task, code: str, *, checks: bool = False, solved: bool = False, language: str = "en", title: str = ""
) -> bytes:
    """The workbook of one student: a sheet to answer for NDCG@k and one for MRR@k, and a worked example of each.

    The code stands on both sheets, under a defined name and in a document property. The worked examples have inputs of
    their own, chosen so that no number on them is one of the answers. Stored, not compressed, and its values written to
    twelve digits: the same task, code and options give the same bytes on any machine. Raises InputError for an
    unknown language.
    """
    text = _text(language)
    example = _example_for(task)
    own = [
        Rung(track, len(steps), task, checks, solved, editable=False, code=code, assignment=title)
        for track, steps in ASKED_STEPS.items()
    ]
    sheets = [planned(each, text) for each in [*own, *(Rung(track, 0, example) for track in ASKED_STEPS)]]
    about = About(
        title or text.get("exercise", "book", "title"),
        text.get("exercise", "book", "description"),
        {CODE: code, **_made(language)},
        {CODE_NAME: (sheets[0].title, sheets[0].grid.range_of("code"))},
    )
    return package.sealed(_filled(sheets, about), _rounded, zipfile.ZIP_STORED)


def write_book(path: Path | str, data: bytes) -> Path:
    """Write a workbook whole or not at all."""
    target = Path(path)
    package.write_atomically(target, data)
    return target


def _filled(sheets: Sequence[Sheet], about: About) -> bytes:
    """The workbook, every formula in it proved."""
    return proved(sheets, write(sheets, about), {sheet.name: reference(sheet) for sheet in sheets})[0]


def _example_for(task: Task) -> Task:
    """The first example that shows none of the task's answers, to three digits; the last one where all do."""
    asked = {round(number, 3) for number in shown_numbers(right(task))}
    return next(
        (each for each in EXAMPLES if not asked & {round(number, 3) for number in shown_numbers(right(each))}),
        EXAMPLES[-1],
    )


def _rounded(_: str, part: bytes) -> bytes:
    """The values kept for the formulas, to twelve digits: the last ones differ from machine to machine."""
    return _CACHED.sub(lambda match: b"<v>%s</v>" % f"{float(match[1]):.{_DIGITS}g}".encode(), part)


def _text(language: str) -> Text:
    if language not in languages():
        remedy = did_you_mean(language, languages())
        raise InputError([Fault("--language", "there are no words in this language", remedy, value=language)])
    return languages()[language]


def _made(language: str) -> dict[str, str]:
    return {"workbook-builder-homework": language}
