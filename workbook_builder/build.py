"""Build a workbook: plan, write, recalculate, balance, and only then put the file in its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from workbook_builder import check, package
from workbook_builder.errors import RefusedError, TemplateError, WorkbookBuilderError
from workbook_builder.inputs import WORKED_EXAMPLE, Convention, Exercise
from workbook_builder.lesson import lessons
from workbook_builder.opened import open_workbook
from workbook_builder.recalculate import EMBEDDED
from workbook_builder.reopen import reopen
from workbook_builder.steps import STEPS, Inputs
from workbook_builder.text import languages
from workbook_builder.workbook import Sheet, plan, write

DEFAULT_PATH = Path("output") / "ndcg_and_mrr.xlsx"
FORMAT = 1


@dataclass(frozen=True)
class Source:
    """All that decides a workbook's content: the inputs of each lesson, the convention and the language."""

    inputs: Mapping[str, Inputs]
    convention: Convention
    language: str = "en"


@dataclass(frozen=True)
class Built:
    """A workbook that was built and proved: its bytes, and the report of what was compared."""

    data: bytes
    report: check.Report

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

    def __init__(self, report: check.Report) -> None:
        self.report = report
        super().__init__(f"Nothing was written: {report}")


def source_of(exercise: Exercise = WORKED_EXAMPLE, language: str = "en") -> Source:
    """The inputs of every lesson, drawn from one exercise."""
    return Source(
        {name: STEPS[name].inputs(exercise) for name in lessons()},
        exercise.convention,
        language,
    )


def source_of_workbook(path: Path | str) -> Source:
    """The inputs of a workbook of ours, edited or not. The worked example's tables grow or shrink to fit them.

    Lessons the workbook does not have are drawn from its worked example.
    """
    opened = reopen(path, grow=True)
    inputs = dict(opened.inputs)
    for name, given in opened.inputs.items():
        if (back := STEPS[name].exercise) is not None:
            exercise = back(given, opened.convention)
            fresh = source_of(exercise, opened.language).inputs
            inputs = {**fresh, **inputs, name: fresh[name]}
    return Source(inputs, opened.convention, opened.language)


def sheets_of(source: Source) -> list[Sheet]:
    """The planned sheets, in teaching order."""
    return [
        plan(lesson, source.inputs[name], source.convention)
        for name, lesson in lessons().items()
        if name in source.inputs
    ]


def build(source: Exercise | Source = WORKED_EXAMPLE) -> Built:
    """Build and prove a workbook in memory.

    Raises DisagreementError when any formula cell differs from its reference value or has none.
    """
    if isinstance(source, Exercise):
        source = source_of(source)
    text = languages()[source.language]
    sheets = sheets_of(source)
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
    written = write(sheets, text, record)
    filled = EMBEDDED.recalculate(written)
    titles = {sheet.name: text.get("lesson", sheet.name, "title") for sheet in sheets}
    formulas, values = open_workbook(written, "the workbook"), open_workbook(filled, "the workbook", values=True)
    report = check.balance(sheets, titles, formulas, values, EMBEDDED)
    if report.foreign:
        raise TemplateError(f"formula cells without a reference value: {', '.join(report.foreign)}")
    if not report.agrees:
        raise DisagreementError(report)
    return Built(package.sealed(filled), report)
