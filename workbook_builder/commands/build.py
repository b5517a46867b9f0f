"""`build`: a workbook from an exercise, a table, TREC files or an edited workbook."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.balance import expected_values
from workbook_builder.builder import DEFAULT_PATH, build
from workbook_builder.commands.options import CutOff, GainText, Input, Language, Query, RelevantFrom, program, say
from workbook_builder.from_runs import exercise_from_runs
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import WORKED_EXAMPLE
from workbook_builder.readers.formats import read_judgments, read_results
from workbook_builder.source import Source, in_language, only, overridden, read_source, source_of


def verb(
    input_file: Input = None,
    qrels: Annotated[Path | None, typer.Option(help="Judgments in any format; goes with --run.")] = None,
    run: Annotated[Path | None, typer.Option(help="A run in any format; goes with --qrels.")] = None,
    query: Query = None,
    k: CutOff = None,
    gain: GainText = None,
    relevant_from: RelevantFrom = None,
    ranks_from: Annotated[int, typer.Option(help="The rank a table gives its first result: 1 or 0.")] = 1,
    lesson: Annotated[list[str] | None, typer.Option(help="A sheet to write; may be repeated. Default: all.")] = None,
    language: Language = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where the workbook goes.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a workbook that somebody has edited.")] = False,
) -> None:
    """Build a workbook, prove every formula in it, and write it."""
    chosen_gain = None if gain is None else Gain.parse(gain)
    if (qrels is None) != (run is None):
        raise typer.BadParameter("--qrels and --run go together.")
    if qrels is not None and run is not None:
        if input_file is not None:
            raise typer.BadParameter("--input does not go with --qrels and --run.")
        ranking = read_results(run, ranks_from=ranks_from)
        exercise = exercise_from_runs(
            read_judgments(qrels),
            ranking,
            query=query,
            k=10 if k is None else k,
            gain=chosen_gain or LINEAR,
            relevant_from=1 if relevant_from is None else relevant_from,
        )
        source, stem = source_of(exercise), ranking.name
    elif input_file is not None:
        source = read_source(
            input_file, query=query, k=k, gain=chosen_gain, relevant_from=relevant_from, ranks_from=ranks_from
        )
        stem = "table" if str(input_file) == "-" else input_file.stem
    else:
        if query is not None or ranks_from != 1:
            raise typer.BadParameter("--query and --ranks-from go with --input, --qrels and --run.")
        source, stem = source_of(overridden(WORKED_EXAMPLE, k, chosen_gain, relevant_from)), DEFAULT_PATH.stem
    for note in source.notes:
        say(f"Note: {note}")
    source = only(in_language(source, language or source.language), lesson or [])
    built = build(source)
    target = built.save(output or DEFAULT_PATH.with_name(f"{stem}.xlsx"), force=force)
    say(f"Wrote {target}")
    say(f"Proved: {built.report}")
    for line in _headline(source):
        say(line)
    say("Next: open it in a spreadsheet program and change a yellow cell. To prove your version, or to build on it:")
    say(f"  {program()} check {target}")
    say(f"  {program()} build --input {target} --force")


def _headline(source: Source) -> Iterator[str]:
    """Where the two numbers stand that the worked example is about; with many results they are far down."""
    for sheet in source.sheets():
        if sheet.name == "worked_example":
            shown = [
                f"{sheet.words.get('labels', name)} = {expected_values(sheet)[name][0]:.3f} in {cell.relative}"
                for name in ("ndcg", "mrr")
                for cell in sheet.grid.cells[name]
            ]
            yield f"{sheet.title}: {', '.join(shown)}"
