"""Build a workbook: plan, write, recalculate, balance, and only then put the file in its place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from workbook_builder import package
from workbook_builder.balance import TOLERANCE, Report, balance
from workbook_builder.cached import Cells, read_cells
from workbook_builder.errors import DISAGREES, RefusedError, TemplateError, WorkbookBuilderError
from workbook_builder.inputs import WORKED_EXAMPLE, Exercise
from workbook_builder.mirror import show
from workbook_builder.points import points_of
from workbook_builder.readers.table import read_exercise_csv
from workbook_builder.recalculate import EMBEDDED
from workbook_builder.sheet import Sheet
from workbook_builder.source import Source, source_of
from workbook_builder.steps import Steps
from workbook_builder.text import Facts
from workbook_builder.workbook import FORMAT, about_lessons, write

if TYPE_CHECKING:
    import pandas as pd

VERSION = version("workbook-builder")
DEFAULT_PATH = Path("output") / "ndcg_and_mrr.xlsx"


@dataclass(frozen=True)
class Built:
    """A workbook that was built and proved: its bytes, and the report of what was compared."""

    data: bytes
    report: Report

    def save(self, path: Path | str = DEFAULT_PATH, *, force: bool = False) -> Path:
        """Write it whole or not at all. Raises RefusedError when that would replace a file somebody has edited."""
        target = Path(path)
        try:
            if target.exists() and not force and not package.is_untouched(target.read_bytes()):
                raise RefusedError(
                    f"{target} has been saved by another program since it was built, or is not ours. "
                    "Nothing was written. Give another name with -o, or --force to replace it."
                )
            package.write_atomically(target, self.data)
        except OSError as error:
            raise RefusedError(f"{target} cannot be written ({error.strerror}). Give another name with -o.") from None
        return target

    def _repr_html_(self) -> str:
        """The first sheet, for a notebook."""
        return show(self.data, format="html").split("</table>")[0] + "</table>"


class DisagreementError(WorkbookBuilderError):
    """Formulas and reference disagree: nothing was written. `report` lists the cells, root causes first."""

    exit_code = DISAGREES

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(f"Nothing was written: {report}")


def build(source: "Exercise | Source | pd.DataFrame" = WORKED_EXAMPLE) -> Built:
    """Build and prove a workbook in memory.

    A DataFrame has the columns query, rank and grade, as `read_exercise_csv` describes them. Raises
    DisagreementError when any formula cell differs from its reference value, TemplateError when one has none.
    """
    if not isinstance(source, Source):
        source = source_of(source if isinstance(source, Exercise) else read_exercise_csv(source))
    sheets = _sheets(source)
    filled, values, report = proved(sheets, _written(source, sheets))
    return Built(package.sealed(filled, points_of(values)), report)


def proved(
    sheets: Sequence[Sheet], written: bytes, steps: Mapping[str, Steps] | None = None
) -> tuple[bytes, Cells, Report]:
    """A workbook with its values filled in, those values, and the report that each agrees with the reference.

    `steps` is the sheets' reference, that of the lessons unless another is given. Raises as `build` does.
    """
    filled = EMBEDDED.recalculate(written)
    formulas, values = read_cells(filled)
    report = balance(sheets, {sheet.name: sheet.title for sheet in sheets}, formulas, values, EMBEDDED, steps=steps)
    if report.foreign:
        raise TemplateError(f"formula cells without a reference value: {', '.join(report.foreign)}")
    if not report.agrees:
        raise DisagreementError(report)
    return filled, values, report


def unproved(source: Source) -> bytes:
    """The workbook of a source before an engine fills in values: what a build proves."""
    return _written(source, _sheets(source))


def _sheets(source: Source) -> list[Sheet]:
    """The source's sheets, able to say what will have been proved once there is a file."""
    sheets = source.sheets()
    proof = _promised(sum(sheet.formula_cells for sheet in sheets))
    return [replace(sheet, proof=proof) for sheet in sheets]


def _written(source: Source, sheets: Sequence[Sheet]) -> bytes:
    convention = source.convention
    record: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "language": source.language,
        "lessons": [sheet.name for sheet in sheets],
        "names": [
            f"{sheet.name}.{entry.name}"
            for sheet in sheets
            for entry in sheet.lesson.entries.values()
            if entry.input and sheet.grid.cells[entry.name]
        ],
        "gain": str(convention.gain),
        "relevant_from": convention.relevant_from,
        "scale": [convention.lowest, convention.highest],
    }
    return write(sheets, about_lessons(sheets[0].text, record))


def _promised(cells: int) -> Facts:
    """What the workbook's texts may say of its proof: true of every file that leaves `build`, or there is no file."""
    return {
        "cells": cells,
        "engine": f"{EMBEDDED.name} {EMBEDDED.version}",
        "tolerance": TOLERANCE,
        "version": VERSION,
    }
