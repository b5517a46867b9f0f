"""`show`: a sheet on a page, a slide or in a terminal."""

from typing import Annotated

import typer

from workbook_builder.builder import build
from workbook_builder.commands.options import Input, Language, Query
from workbook_builder.lesson import lessons
from workbook_builder.mirror import show
from workbook_builder.source import in_language, only, read_source, source_of


def verb(
    lesson: Annotated[str | None, typer.Argument(help="A sheet, by its tab or its name. Default: the first.")] = None,
    form: Annotated[str, typer.Option("--format", help="text, markdown or html.")] = "text",
    formulas: Annotated[bool, typer.Option("--formulas", help="Formulas in place of their values.")] = False,
    input_file: Input = None,
    query: Query = None,
    language: Language = None,
) -> None:
    """Print a sheet with its column letters and row numbers, for slides, pages and terminals."""
    source = source_of() if input_file is None else read_source(input_file, query=query)
    chosen = only(in_language(source, language or source.language), [lesson or next(iter(lessons()))])
    print(show(build(chosen).data, format=form, formulas=formulas), end="")
