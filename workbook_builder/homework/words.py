"""What the marker says about a step, a cell or a file, in one language."""

from collections.abc import Iterable, Mapping, Sequence

from openpyxl.utils.cell import coordinate_to_tuple, get_column_letter

from workbook_builder.homework.finding import Finding
from workbook_builder.homework.steps import STEPS
from workbook_builder.homework.understood import Answer
from workbook_builder.text import Text, languages

DEFAULT = "en"


def text_in(language: str) -> Text:
    """The words of a language; English where there are none."""
    known = languages()
    return known.get(language, known[DEFAULT])


def titles(methods: Sequence[str], text: Text) -> str:
    """What some wrong methods are called, together."""
    named = [text.get("homework", "method", name, "title") for name in methods]
    return text.get("mark", "and").join(named)


def step_title(step: str, text: Text) -> str:
    """What a step is called on the sheets."""
    track = next(each.track for each in STEPS if each.name == step)
    return text.get("exercise", track, "labels", step)


def result(finding: Finding, text: Text) -> str:
    """What was found of a step, in a line: right; wrong: exponential gain; 5 of 6 cells right ..."""
    facts = {"right": sum(finding.ok), "cells": len(finding.ok)}
    said = text.get("mark", "status", finding.status, facts=facts)
    methods = titles(finding.methods, text)
    if finding.remark:
        facts_of_remark = {"either": _either(finding, text), "methods": methods}
        return f"{said}: {text.get('mark', 'remark', finding.remark, facts=facts_of_remark)}"
    return f"{said}: {methods}" if methods else said


def explanation(finding: Finding, text: Text) -> str:
    """What a student should look at; empty for a step that is simply right."""
    said: list[str] = []
    if finding.status not in ("accepted", "again"):
        said += (text.get("homework", "method", name, "why") for name in finding.methods)
    if finding.remark not in ("", "some_cells"):
        said.append(text.get("mark", "hint", finding.remark, facts={"either": _either(finding, text)}))
    elif finding.status != "right" and not (finding.status in ("wrong", "partly") and finding.methods):
        said.append(text.get("mark", "hint", finding.status))
    return " ".join(said)


def cell_note(finding: Finding, index: int, answer: Answer, typed: Iterable[str], text: Text) -> str:
    """What was found of one answer cell."""
    lines = []
    ok = index < len(finding.ok) and finding.ok[index]
    if answer.kind in ("text", "error", "boolean"):
        kind = "formula_as_text" if answer.kind == "text" and answer.shown.startswith("=") else answer.kind
        lines.append(text.get("mark", "cell", kind, facts={"shown": answer.shown}))
    elif answer.kind == "blank" and not ok:
        lines.append(text.get("mark", "cell", "blank"))
    elif finding.carried and ok:
        lines.append(text.get("mark", "cell", "carried"))
    else:
        lines.append(text.get("mark", "cell", "ok" if ok else "wrong"))
    if answer.cell in typed:
        lines.append(text.get("mark", "cell", "typed"))
    return "\n".join(lines)


def note(name: str, facts: Mapping[str, object], text: Text) -> str:
    """A remark about a file."""
    return text.get("mark", "note", name, facts=facts)


def cell_list(cells: Sequence[str]) -> str:
    """Cells in few words, those below each other as a range: Sheet!C3:C8, B20."""
    runs: list[list[str]] = []
    for cell in cells:
        if runs and _below(runs[-1][-1]) == cell:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    said, title = [], ""
    for run in runs:
        sheet, _, first = run[0].rpartition("!")
        place = first if len(run) == 1 else f"{first}:{run[-1].rpartition('!')[2]}"
        said.append(place if sheet == title else f"{sheet}!{place}")
        title = sheet
    return ", ".join(said)


def _below(cell: str) -> str:
    title, _, place = cell.rpartition("!")
    row, column = coordinate_to_tuple(place)
    return f"{title}!{get_column_letter(column)}{row + 1}"


def _either(finding: Finding, text: Text) -> str:
    return text.get("mark", "or").join(titles(methods, text) for methods in finding.either)
