"""`score`: the reference's numbers for runs."""

import json
from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.commands.options import AsJson, GainText, RelevantFrom, say
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.measures import DEFAULT_MEASURES
from workbook_builder.readers.trec import read_qrels, read_run, run_name
from workbook_builder.scoring import score


def verb(
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
