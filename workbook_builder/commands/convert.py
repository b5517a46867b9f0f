"""`convert`: judgments or a run in any format, as TREC or CSV."""

from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.commands.options import FormatName, RanksFrom, say
from workbook_builder.converted import converted
from workbook_builder.errors import RefusedError
from workbook_builder.package import write_atomically
from workbook_builder.readers.formats import read_either


def verb(
    file: Annotated[Path, typer.Argument(help="Judgments or a run in any format, also .gz and .zst; - is stdin.")],
    to: Annotated[str, typer.Option("--to", help="trec or csv.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where it goes. Default: stdout.")] = None,
    form: FormatName = None,
    kind: Annotated[str | None, typer.Option(help="judgments or run, where the file may be either.")] = None,
    sheet: Annotated[str | None, typer.Option(help="The sheet of a workbook.")] = None,
    ranks_from: RanksFrom = 1,
) -> None:
    """Write judgments or a run, in any format, as TREC or CSV."""
    given = read_either(file, kind, form, ranks_from=ranks_from, sheet=sheet)
    text = converted(given, to)
    for note in given.notes:
        say(f"Note: {note}")
    if output is None or str(output) == "-":
        print(text, end="")
        return
    try:
        if output.exists() and file.exists() and output.samefile(file):
            raise RefusedError(f"{output} is the file that is read, and it stays as it is. Give another name with -o.")
        write_atomically(output, text.encode())
    except OSError as error:
        raise RefusedError(f"{output} cannot be written ({error.strerror}). Give another name with -o.") from None
    say(f"Wrote {output}")
