"""The verbs: one module each, imported when its verb is called, so that none pays for what another needs.

A verb is a module here with a function `verb`, whose parameters typer turns into options, and its line in `VERBS`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

VERBS: Mapping[str, str] = {
    "build": "Build a workbook, prove every formula in it, and write it.",
    "check": "Recalculate a workbook and compare every formula cell with the reference.",
    "evaluate": "Build a workbook in which every mean of runs can be followed to the grades it came from.",
    "score": "Print the reference's numbers for runs.",
    "convert": "Write judgments or a run, in any format, as TREC or CSV.",
    "show": "Print a sheet with its column letters and row numbers, for slides, pages and terminals.",
    "new": "Write a commented starter exercise to fill in.",
    "variants": "Write a workbook of its own for each student, and the manifest to mark them by.",
    "mark": "Mark homework that was handed in: points a step, what went wrong, and what followed from it.",
    "export": "Turn an assignment's variants into Moodle questions, a QTI package, or paper and its key.",
    "list": "List the lessons, the languages, the formats and the formula engines, with what is installed here.",
}
"""Every verb and the first line of its help, in the order of the help."""


def verb_function(name: str) -> Callable[..., None]:
    """The function of a verb in `VERBS`; its docstring is the verb's help."""
    function: Callable[..., None] = import_module(f"{__name__}.{name}").verb
    return function
