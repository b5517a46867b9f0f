"""The marks as a table for the gradebook, as plain data, and as a summary for the terminal."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbook_builder.homework.steps import STEP_NAMES
from workbook_builder.homework.words import DEFAULT, cell_list, note, result, text_in, titles
from workbook_builder.text import Text

if TYPE_CHECKING:
    from workbook_builder.homework.marking import Mark, Marks

BOM = "\ufeff"
"""Excel reads a file with it as UTF-8, and everything else passes over it."""
_MOST_OFTEN = 8


def to_csv(marks: "Marks") -> str:
    """A row a file: student, code, total, of, each step's points and diagnosis, carried, notes, file.

    The columns are named in English, so that a program can rely on them; what they say is in the manifest's language.
    A file that could not be marked has its notes only. The text starts with `BOM`.
    """
    asked = [step for step in STEP_NAMES if step in marks.manifest.asked]
    text = text_in(marks.manifest.language)
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\r\n")
    diagnoses = [f"{step}_diagnosis" for step in asked]
    table.writerow(["student", "code", "total", "of", *asked, *diagnoses, "carried", "notes", "file"])
    for each in marks.marks:
        steps = {step.step: step for step in each.steps}
        row: list[object] = [""] * (4 + 2 * len(asked) + 1)
        if each.variant is not None:
            row = [_safe(each.variant.student), each.variant.code, _number(each.total), _number(each.of)]
            row += [_number(steps[step].points) for step in asked]
            row += [result(steps[step].finding, text) for step in asked]
            row += ["yes" if each.carried else "no"]
        table.writerow([*row, _safe("; ".join(said(each, text))), _safe(Path(each.file).name)])
    return BOM + written.getvalue()


def to_json(marks: "Marks") -> dict[str, Any]:
    """Everything known of every file, with the names of steps, methods and notes."""
    return {
        "assignment": marks.manifest.assignment,
        "submissions": [_plain(each) for each in marks.marks],
        "missing": [variant.student for variant in marks.missing],
    }


def to_text(marks: "Marks") -> str:
    """A line a file, what was found most often, what to look at, and who is missing."""
    text = text_in(DEFAULT)
    marked = [each for each in marks.marks if each.variant is not None]
    lines = [f"{marks.manifest.assignment}: {len(marked)} of {len(marks.marks)} files marked"]
    width = max((len(each.variant.student) for each in marked if each.variant), default=0)
    for each in marked:
        assert each.variant is not None
        points = f"{_number(each.total)} of {_number(each.of)}"
        lines.append(f"  {each.variant.student:<{width}}  {points:<10}  {_in_short(each, text)}".rstrip())
    lines += _listed("Look at", (_why_look_at(each, text) for each in marks.marks if each.look_at))
    rest = (each for each in marks.unmarked if not each.look_at)
    lines += _listed("Not marked", (f"{Path(each.file).name}: {'; '.join(said(each, text))}" for each in rest))
    often = Counter(name for each in marked for name in {name for step in each.steps for name in step.finding.methods})
    lines += _listed("Found most often", (f"{titles([name], text)}: {n}" for name, n in often.most_common(_MOST_OFTEN)))
    lines += _listed("Not handed in", (variant.student for variant in marks.missing))
    return "\n".join(lines)


def said(each: "Mark", text: Text) -> list[str]:
    """Every note on a file, in words, the typed numbers among them."""
    notes = [note(name, facts, text) for name, facts in each.notes]
    typed = [cell for step in each.steps for cell in step.typed]
    return [*notes, note("typed", {"cells": cell_list(typed)}, text)] if typed else notes


def _why_look_at(each: "Mark", text: Text) -> str:
    notes = (note(name, facts, text) for name, facts in each.notes if name in each.reasons_to_look)
    return f"{Path(each.file).name}: {'; '.join(notes)}"


def _listed(heading: str, lines: Iterator[str]) -> list[str]:
    found = [f"  {line}" for line in lines]
    return [f"{heading}:", *found] if found else []


def _in_short(each: "Mark", text: Text) -> str:
    """The steps that lost points and why, and whether anything was carried."""
    lost = [f"{step.step}: {result(step.finding, text)}" for step in each.steps if step.points < step.of]
    return "; ".join([*lost, *(["carried on"] if each.carried else [])])


def _plain(each: "Mark") -> dict[str, Any]:
    plain: dict[str, Any] = {
        "file": each.file,
        "marked": each.variant is not None,
        "notes": [{"name": name, **facts} for name, facts in each.notes],
        "look_at": each.look_at,
    }
    if each.variant is not None:
        plain |= {
            "student": each.variant.student,
            "code": each.variant.code,
            "total": each.total,
            "of": each.of,
            "carried": each.carried,
            "steps": {
                step.step: {
                    "points": step.points,
                    "of": step.of,
                    "status": step.finding.status,
                    "methods": [*step.finding.methods],
                    "either": [[*methods] for methods in step.finding.either],
                    "remark": step.finding.remark,
                    "cells": [*step.finding.ok],
                    "typed": [*step.typed],
                }
                for step in each.steps
            },
        }
    return plain


def _number(value: float) -> str:
    return f"{round(value, 4):g}"


def _safe(value: str) -> str:
    """A text that a spreadsheet shows and does not work out."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
