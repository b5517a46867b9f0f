"""`score`: the reference's numbers for runs."""

import json
from pathlib import Path
from typing import Annotated

import typer

from workbook_builder.commands.options import AsJson, FormatName, GainText, RanksFrom, RelevantFrom, say
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.measures import DEFAULT_MEASURES
from workbook_builder.progress import bar
from workbook_builder.scoring_files import score_files


def verb(
    qrels: Annotated[Path, typer.Argument(help="Judgments in any format, also .gz and .zst.")],
    runs: Annotated[list[Path], typer.Argument(help="Runs in any format, also .gz and .zst.")],
    metric: Annotated[list[str] | None, typer.Option(help="nDCG@10, RR, P@5, R@100, AP ...; may be repeated.")] = None,
    gain: GainText = None,
    relevant_from: RelevantFrom = None,
    form: FormatName = None,
    qrels_format: Annotated[str | None, typer.Option(help="The judgments' format, where it is another.")] = None,
    ranks_from: RanksFrom = 1,
    per_query: Annotated[bool, typer.Option("--per-query", help="Also each query's values.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the reference's numbers for runs."""
    if [qrels, *runs].count(Path("-")) > 1:
        raise typer.BadParameter("- is standard input, which can be read once.")
    with bar(1) as step:
        step("scoring")
        scores = score_files(
            qrels,
            runs,
            metric or DEFAULT_MEASURES,
            gain=LINEAR if gain is None else Gain.parse(gain),
            relevant_from=1 if relevant_from is None else relevant_from,
            form=form,
            qrels_format=qrels_format,
            ranks_from=ranks_from,
        )
    if as_json:
        print(json.dumps(scores.to_json(per_query=per_query), ensure_ascii=False))
        return
    print(scores.to_text(per_query=per_query))
    for note in scores.notes:
        say(f"Note: {note}")
