"""`export`: an assignment as quiz questions or on paper."""

from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.commands.options import say
from workbook_builder.errors import Fault, InputError
from workbook_builder.homework.exports import EXPORTS
from workbook_builder.homework.exports.pdf import pdf_of
from workbook_builder.homework.manifest import read_manifest
from workbook_builder.package import write_atomically
from workbook_builder.suggest import did_you_mean


def verb(
    manifest: Annotated[Path, typer.Argument(help="The manifest.json of an assignment.")],
    to: Annotated[str, typer.Option("--to", help=f"What to make: {', '.join(EXPORTS)}.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where it goes. Default: beside the manifest.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Paper or key as PDF; needs LibreOffice Writer.")] = False,
) -> None:
    """Turn an assignment's variants into Moodle questions, a QTI package, or paper and its key."""
    if to not in EXPORTS:
        raise typer.BadParameter(f"There is no {to}. {did_you_mean(to, EXPORTS)}", param_hint="--to")
    export = EXPORTS[to]
    as_pdf = pdf or (export.printable and output is not None and output.suffix.lower() == ".pdf")
    if as_pdf and not export.printable:
        raise typer.BadParameter("Only paper and key can be a PDF.", param_hint="--pdf")
    read = read_manifest(manifest)
    for note in read.notes:
        say(f"Note: {note}")
    data = export.made(read)
    ending = export.ending
    if as_pdf:
        data, ending = pdf_of(data.decode()), ending.removesuffix(".html") + ".pdf"
    target = output or manifest.with_name(f"{manifest.stem}{ending}")
    try:
        write_atomically(target, data)
    except OSError as error:
        problem = f"it cannot be written ({error.strerror or error})"
        raise InputError([Fault(str(target), problem, "Give another place with --output.")]) from None
    count = len(read.variants)
    say(f"Wrote {target}: {count} variant{'' if count == 1 else 's'}")
    say(f"Next: {export.next_step}")
