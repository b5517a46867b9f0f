"""`mark`: homework that was handed in, step by step, with what went wrong."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.commands.options import AsJson, say
from workbook_builder.errors import DISAGREES, Fault, InputError
from workbook_builder.homework.manifest import read_manifest
from workbook_builder.homework.marking import mark, submitted_files
from workbook_builder.package import write_atomically


def verb(
    submissions: Annotated[list[Path], typer.Argument(help="Workbooks that were handed in, or folders of them.")],
    manifest: Annotated[Path, typer.Option(help="The manifest.json that variants wrote.")],
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the gradebook here.")] = None,
    feedback: Annotated[
        Path | None, typer.Option(help="Write a copy of each workbook with notes into this folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Mark homework that was handed in: points a step, what went wrong, and what followed from it.

    Exit code 0: every file was marked; 1: some could not be, and the output says why; 2: the manifest cannot be read.
    """
    assignment = read_manifest(manifest)
    for note in assignment.notes:
        say(f"Note: {note}")
    # What this verb reads and writes may lie in the folder of the submissions.
    ours = {path.resolve() for path in (manifest, csv, feedback) if path is not None}
    files = [path for path in submitted_files(submissions) if not ours & {path.resolve(), *path.resolve().parents}]
    marks = mark(files, assignment, followed=_shown)
    if as_json:
        print(json.dumps(marks.to_json(), ensure_ascii=False))
    else:
        print(marks)
    if csv is not None:
        try:
            write_atomically(csv, marks.to_csv().encode("utf-8"))
        except OSError as error:
            problem = f"it cannot be written ({error.strerror or error})"
            raise InputError([Fault(str(csv), problem, "Check the folder.")]) from None
        say(f"Wrote {csv}")
    if feedback is not None:
        written = marks.feedback(feedback)
        say(f"Wrote {len(written)} workbooks with feedback into {feedback}")
    if marks.failed:
        raise typer.Exit(DISAGREES)


def _shown(files: Sequence[Path]) -> Iterator[Path]:
    """The files, with a bar that shows how far they are where a person watches."""
    from rich.console import Console  # noqa: PLC0415  not for --help
    from rich.progress import track  # noqa: PLC0415

    console = Console(stderr=True)
    yield from track(files, "Marking", console=console, transient=True, disable=not console.is_terminal)
