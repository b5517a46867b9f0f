"""`evaluate`: runs and judgments as a workbook whose means lead down to the grades they came from."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.commands.options import GainText, Language, RelevantFrom, program, say
from workbook_builder.errors import Fault, InputError
from workbook_builder.evaluation.evaluate import texts_of
from workbook_builder.evaluation.inputs import Evaluation, SourceFile, sampled
from workbook_builder.evaluation.reopen import is_evaluation, reopened_evaluation
from workbook_builder.gain import Gain
from workbook_builder.measures import Measure, parse_measures
from workbook_builder.readers.formats import read_judgments, read_results
from workbook_builder.readers.text import STDIN
from workbook_builder.readers.texts import read_texts
from workbook_builder.readers.trec import run_name

METRICS = (Measure("nDCG", 10), Measure("RR", 10), Measure("P", 10), Measure("R", 100), Measure("AP"))
STEPS = 7


def verb(
    judgments: Annotated[
        Path, typer.Argument(help="Judgments in any format, or a workbook of this verb to build anew.")
    ],
    runs: Annotated[list[Path] | None, typer.Argument(help="Runs in any format, one a system.")] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="nDCG@10, RR@10, P@5, R@100, AP ...; may be repeated.")
    ] = None,
    gain: GainText = None,
    relevant_from: RelevantFrom = None,
    sample: Annotated[int | None, typer.Option(help="Take so many of the judged queries, at random.")] = None,
    seed: Annotated[int, typer.Option(help="What decides which queries a sample takes.")] = 1,
    texts: Annotated[
        Path | None, typer.Option(help="What ids stand for: CSV, TSV or JSON lines of id and text.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="The files' format, where content should not decide.")
    ] = None,
    ranks_from: Annotated[int, typer.Option(help="The rank a file without scores gives its first result: 1 or 0.")] = 1,
    language: Language = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where the workbook goes.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a workbook that somebody has edited.")] = False,
) -> None:
    """Build a workbook in which every mean of runs can be followed to the grades it came from."""
    from workbook_builder.evaluation.evaluate import build_evaluation  # noqa: PLC0415
    from workbook_builder.progress import bar  # noqa: PLC0415

    if [judgments, *(runs or [])].count(Path(STDIN)) > 1:
        raise typer.BadParameter("- is standard input, which can be read once.")
    with bar(STEPS) as step:
        step("reading")
        if not runs:
            evaluation, said = _again(judgments)
            place = judgments
        else:
            evaluation = _read(judgments, runs, form, ranks_from)
            said, place = "en", Path("output") / "evaluation.xlsx"
        evaluation = _overridden(evaluation, metric, gain, relevant_from, texts)
        if sample is not None:
            evaluation = sampled(evaluation, sample, seed)
        evaluated = build_evaluation(evaluation, language or said, step)
        target = evaluated.save(output or place, force=force)
    print(evaluated.scores.to_text())
    for note in (*evaluation.notes, *evaluated.scores.notes):
        say(f"Note: {note}")
    say(f"Wrote {target}")
    say(f"Proved: {evaluated.report}")
    say("Next: open it, choose a query in the sheet One query, change a grade in Judgments. To prove or extend yours:")
    say(f"  {program()} check {target}")
    say(f"  {program()} evaluate {target} --force")


def _read(judgments: Path, runs: list[Path], form: str | None, ranks_from: int) -> Evaluation:
    names = [run_name(run) for run in runs]
    judged = read_judgments(judgments, form)
    listed = [
        read_results(run, name if names.count(name) == 1 else str(run), form, ranks_from=ranks_from)
        for run, name in zip(runs, names, strict=True)
    ]
    return Evaluation(
        judged,
        tuple(listed),
        METRICS,
        texts=texts_of("texts", judged, listed),
        query_texts=texts_of("query_texts", judged, listed),
        sources=tuple(_described(path) for path in (judgments, *runs) if str(path) != STDIN),
    )


def _again(workbook: Path) -> tuple[Evaluation, str]:
    """The evaluation of a workbook of ours, as it stands now, and its language."""
    data = b"" if str(workbook) == STDIN else _bytes(workbook)
    if not data and str(workbook) != STDIN:
        read_judgments(workbook)
    if not is_evaluation(data):
        remedy = "Give judgments and at least one run, or a workbook that this verb has built."
        raise InputError([Fault(str(workbook), "there is no run to evaluate", remedy)])
    return reopened_evaluation(workbook)


def _overridden(
    evaluation: Evaluation, metric: list[str] | None, gain: str | None, relevant_from: float | None, texts: Path | None
) -> Evaluation:
    if metric:
        evaluation = replace(evaluation, measures=parse_measures(metric))
    if gain is not None:
        evaluation = replace(evaluation, gain=Gain.parse(gain))
    if relevant_from is not None:
        evaluation = replace(evaluation, relevant_from=relevant_from)
    if texts is not None:
        known = read_texts(texts)
        evaluation = replace(
            evaluation, texts={**evaluation.texts, **known}, query_texts={**evaluation.query_texts, **known}
        )
    return evaluation


def _described(path: Path) -> SourceFile:
    data = _bytes(path)
    return SourceFile(path.name, len(data), hashlib.sha256(data).hexdigest())


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        # The reader that opens it next says what is wrong.
        return b""
