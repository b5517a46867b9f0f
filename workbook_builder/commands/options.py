"""What several verbs share: the options of one name and meaning, and how to talk to the person."""

import os
from pathlib import Path
from typing import Annotated

import typer

Input = Annotated[
    Path | None, typer.Option("--input", "-i", help="Exercise (.toml), table (.csv) or an edited workbook.")
]
Query = Annotated[str | None, typer.Option(help="The query whose ranking fills the NDCG table.")]
CutOff = Annotated[int | None, typer.Option("--k", help="The cut-off k.")]
GainText = Annotated[str | None, typer.Option("--gain", help="linear, exponential, or grade=gain,grade=gain,...")]
RelevantFrom = Annotated[float | None, typer.Option(help="The lowest grade that counts as relevant.")]
Language = Annotated[str | None, typer.Option(help="The workbook's language, as in en or de.")]
RanksFrom = Annotated[int, typer.Option(help="The rank of the first result in a file of ranks alone: 1 or 0.")]
FormatName = Annotated[
    str | None, typer.Option("--format", help="The files' format, as `list` names it. Default: recognised by content.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]


def program() -> str:
    """How the person called this program, for commands to try next."""
    return "uv run workbook-builder" if "UV" in os.environ else "workbook-builder"


def say(line: str) -> None:
    """Talk to the person, on stderr."""
    typer.echo(line, err=True)
