"""The command line: one function a verb, each a few calls on the public API. Data to stdout, talk to stderr."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from workbook_builder import __version__
from workbook_builder.balance import check, expected_values
from workbook_builder.builder import DEFAULT_PATH, DisagreementError, build
from workbook_builder.errors import WorkbookBuilderError
from workbook_builder.from_runs import exercise_from_runs
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import WORKED_EXAMPLE
from workbook_builder.lesson import lessons
from workbook_builder.measures import DEFAULT_MEASURES
from workbook_builder.mirror import show
from workbook_builder.readers.exercise import write_starter
from workbook_builder.readers.trec import read_qrels, read_run, run_name
from workbook_builder.recalculate import ENGINES
from workbook_builder.scoring import score
from workbook_builder.source import Source, in_language, only, overridden, read_source, source_of
from workbook_builder.text import languages

DISAGREES, UNREADABLE = 1, 2

app = typer.Typer(
    help="Live, proved spreadsheets that teach and explain ranking metrics.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Input = Annotated[
    Path | None, typer.Option("--input", "-i", help="Exercise (.toml), table (.csv) or an edited workbook.")
]
Query = Annotated[str | None, typer.Option(help="The query whose ranking fills the NDCG table.")]
CutOff = Annotated[int | None, typer.Option("--k", help="The cut-off k.")]
GainText = Annotated[str | None, typer.Option("--gain", help="linear, exponential, or grade=gain,grade=gain,...")]
RelevantFrom = Annotated[float | None, typer.Option(help="The lowest grade that counts as relevant.")]
Language = Annotated[str | None, typer.Option(help="The workbook's language, as in en or de.")]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]


@app.command("build")
def build_verb(
    input_file: Input = None,
    qrels: Annotated[Path | None, typer.Option(help="TREC judgments, also .gz; goes with --run.")] = None,
    run: Annotated[Path | None, typer.Option(help="TREC run, also .gz; goes with --qrels.")] = None,
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
        ranking = read_run(run)
        exercise = exercise_from_runs(
            read_qrels(qrels),
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
    program = "uv run workbook-builder" if "UV" in os.environ else "workbook-builder"
    say("Next: open it in a spreadsheet program and change a yellow cell. To prove your version, or to build on it:")
    say(f"  {program} check {target}")
    say(f"  {program} build --input {target} --force")


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


@app.command("check")
def check_verb(
    file: Annotated[Path, typer.Argument(help="A workbook of ours, edited or not.")],
    engine: Annotated[list[str] | None, typer.Option(help="A formula engine, or all; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recalculate a workbook and compare every formula cell with the reference.

    Exit code 0: all agree; 1: something disagrees; 2: the file cannot be read.
    """
    reports = check(file, engine or "formualizer")
    if as_json:
        print(json.dumps({"file": str(file), "reports": [report.to_json() for report in reports]}, ensure_ascii=False))
    else:
        for report in reports:
            print(report)
    if not all(report.agrees for report in reports):
        raise typer.Exit(DISAGREES)


@app.command("score")
def score_verb(
    qrels: Annotated[Path, typer.Argument(help="TREC judgments, also .gz.")],
    runs: Annotated[list[Path], typer.Argument(help="TREC runs, also .gz.")],
    metric: Annotated[list[str] | None, typer.Option(help="nDCG@10, RR, P@5, R@100, AP ...; may be repeated.")] = None,
    gain: GainText = None,
    relevant_from: RelevantFrom = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="Also each query's values.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the reference's numbers for runs."""
    if [qrels, *runs].count(Path("-")) > 1:
        raise typer.BadParameter("- is standard input, which can be read once.")
    names = [run_name(run) for run in runs]
    scores = score(
        read_qrels(qrels),
        [read_run(run, name if names.count(name) == 1 else str(run)) for run, name in zip(runs, names, strict=True)],
        metric or DEFAULT_MEASURES,
        gain=LINEAR if gain is None else Gain.parse(gain),
        relevant_from=1 if relevant_from is None else relevant_from,
    )
    if as_json:
        print(json.dumps(scores.to_json(per_query=per_query), ensure_ascii=False))
        return
    print(scores.to_text(per_query=per_query))
    for note in scores.notes:
        say(f"Note: {note}")


@app.command("show")
def show_verb(
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


@app.command("new")
def new_verb(file: Annotated[Path, typer.Argument(help="The exercise file to write, as in exercise.toml.")]) -> None:
    """Write a commented starter exercise to fill in."""
    write_starter(file)
    say(f"Wrote {file}")
    say(f"Next: change its numbers, then: workbook-builder build --input {file}")


@app.command("list")
def list_verb(as_json: AsJson = False) -> None:
    """List the lessons, the languages and the formula engines, with what is installed here."""
    text = languages()["en"]
    sheets = {text.get("lesson", name, "title"): text.get("lesson", name, "summary") for name in lessons()}
    engines = {name: engine.version for name, engine in ENGINES.items()}
    if as_json:
        known = {"version": __version__, "lessons": sheets, "languages": list(languages()), "engines": engines}
        print(json.dumps(known, ensure_ascii=False))
        return
    print("Lessons")
    for title, summary in sheets.items():
        print(f"  {title}: {summary}")
    print(f"Languages\n  {', '.join(languages())}\nEngines")
    for name, version in engines.items():
        print(f"  {name}: {version or 'not installed. ' + ENGINES[name].remedy}")


@app.callback(invoke_without_command=True)
def top(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Live, proved spreadsheets that teach and explain ranking metrics."""
    if version:
        print(__version__)
        raise typer.Exit


def say(line: str) -> None:
    """Talk to the person, on stderr."""
    typer.echo(line, err=True)


def main() -> NoReturn:
    """Run the command line; what a user did wrong ends in a message and an exit code, never in a traceback."""
    sys.exit(run_guarded(app))


def run_guarded(command: Callable[[], object]) -> int:
    """Run a command and turn this package's errors into messages and exit codes."""
    try:
        command()
    except DisagreementError as error:
        say(str(error))
        return DISAGREES
    except WorkbookBuilderError as error:
        say(str(error))
        return UNREADABLE
    except BrokenPipeError:
        return 0
    return 0
