"""`new`: a starter exercise."""

from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.commands.options import say
from workbook_builder.readers.exercise import write_starter


def verb(file: Annotated[Path, typer.Argument(help="The exercise file to write, as in exercise.toml.")]) -> None:
    """Write a commented starter exercise to fill in."""
    write_starter(file)
    say(f"Wrote {file}")
    say(f"Next: change its numbers, then: workbook-builder build --input {file}")
