"""`check`: a workbook, edited or not, against the reference."""

import json
from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.checking import check
from workbook_builder.commands.options import AsJson
from workbook_builder.errors import DISAGREES
from workbook_builder.progress import bar


def verb(
    file: Annotated[Path, typer.Argument(help="A workbook of ours, edited or not.")],
    engine: Annotated[list[str] | None, typer.Option(help="A formula engine, or all; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recalculate a workbook and compare every formula cell with the reference.

    Exit code 0: all agree; 1: something disagrees; 2: the file cannot be read.
    """
    with bar(1) as step:
        step("recalculating")
        reports = check(file, engine or "formualizer")
    if as_json:
        print(json.dumps({"file": str(file), "reports": [report.to_json() for report in reports]}, ensure_ascii=False))
    else:
        for report in reports:
            print(report)
    if not all(report.agrees for report in reports):
        raise typer.Exit(DISAGREES)
