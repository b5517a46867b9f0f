"""Build a workbook: plan, write, recalculate, balance, and only then put the file in its place."""

from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from workbook_builder import package
from workbook_builder.balance import TOLERANCE, Report, balance
from workbook_builder.errors import RefusedError, TemplateError, WorkbookBuilderError
from workbook_builder.inputs import WORKED_EXAMPLE, Exercise
from workbook_builder.opened import open_workbook
from workbook_builder.recalculate import EMBEDDED
from workbook_builder.source import Source, source_of
from workbook_builder.text import Facts
from workbook_builder.workbook import write

DEFAULT_PATH = Path("output") / "ndcg_and_mrr.xlsx"
FORMAT = 1


@dataclass(frozen=True)
class Built:
    """A workbook that was built and proved: its bytes, and the report of what was compared."""

    data: bytes
    report: Report

    def save(self, path: Path | str = DEFAULT_PATH, *, force: bool = False) -> Path:
        """Write it whole or not at all. Raises RefusedError when that would replace a file somebody has edited."""
        target = Path(path)
        if target.exists() and not force and not package.is_untouched(target.read_bytes()):
            raise RefusedError(
                f"{target} has been saved by another program since it was built, or is not ours. "
                "Nothing was written. Give another name with -o, or --force to replace it."
            )
        package.write_atomically(target, self.data)
        return target


class DisagreementError(WorkbookBuilderError):
    """Formulas and reference disagree: nothing was written. `report` lists the cells, root causes first."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(f"Nothing was written: {report}")


def build(source: Exercise | Source = WORKED_EXAMPLE) -> Built:
    """Build and prove a workbook in memory.

    Raises DisagreementError when any formula cell differs from its reference value or has none.
    """
    if isinstance(source, Exercise):
        source = source_of(source)
    sheets = source.sheets()
    convention = source.convention
    record: dict[str, object] = {
        "format": FORMAT,
        "version": version("workbook-builder"),
        "language": source.language,
        "lessons": [sheet.name for sheet in sheets],
        "gain": str(convention.gain),
        "relevant_from": convention.relevant_from,
        "scale": [convention.lowest, convention.highest],
    }
    proof = _promised(sum(len(sheet.formulas()) for sheet in sheets))
    written = write([replace(sheet, proof=proof) for sheet in sheets], record)
    filled = EMBEDDED.recalculate(written)
    titles = {sheet.name: sheet.title for sheet in sheets}
    formulas, values = open_workbook(written, "the workbook"), open_workbook(filled, "the workbook", values=True)
    report = balance(sheets, titles, formulas, values, EMBEDDED)
    if report.foreign:
        raise TemplateError(f"formula cells without a reference value: {', '.join(report.foreign)}")
    if not report.agrees:
        raise DisagreementError(report)
    return Built(package.sealed(filled), report)


def _promised(cells: int) -> Facts:
    """What the workbook's texts may say of its proof: true of every file that leaves `build`, or there is no file."""
    return {
        "cells": cells,
        "engine": f"{EMBEDDED.name} {EMBEDDED.version}",
        "tolerance": TOLERANCE,
        "version": version("workbook-builder"),
    }
