"""Scores runs against judgments: every metric of every judged query, and the means over the judgments' query set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.from_runs import no_query_in_common
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.gain_notes import gain_notes
from workbook_builder.inputs import UNLISTED, Judgments, Run
from workbook_builder.measures import DEFAULT_MEASURES, Judged, Measure, parse_measures
from workbook_builder.metrics import mean
from workbook_builder.notes import Met, depth_of, moved_by_ties, notes_of
from workbook_builder.readers.objects import JudgmentsLike, RunsLike, judgments_from, runs_from
from workbook_builder.readers.values import convention_faults

if TYPE_CHECKING:
    import pandas as pd

Values = Mapping[str, float]

GAINED = {"nDCG", "DCG", "IDCG"}
"""The metrics that turn grades into gains."""


@dataclass(frozen=True)
class RunScores:
    """One run's metrics by name: the mean over all judged queries, and each query's, in the judgments' order."""

    run: str
    mean: Values
    per_query: Mapping[str, Values]
    notes: tuple[str, ...] = ()

    def to_json(self, *, per_query: bool = False) -> dict[str, Any]:
        """Its entry in `Scores.to_json`."""
        entry: dict[str, Any] = {"run": self.run, "queries": len(self.per_query), "mean": dict(self.mean)}
        if per_query:
            entry["per_query"] = {query: dict(values) for query, values in self.per_query.items()}
        return {**entry, "notes": list(self.notes)}


@dataclass(frozen=True)
class Scores:
    """The scores of several runs on the same judgments."""

    measures: tuple[Measure, ...]
    runs: tuple[RunScores, ...]
    gain: Gain = LINEAR
    relevant_from: float = 1

    @property
    def notes(self) -> tuple[str, ...]:
        """Every run's notes, with the run's name where there are several."""
        several = len(self.runs) > 1
        return tuple(f"{run.run}: {note}" if several else note for run in self.runs for note in run.notes)

    def to_json(self, *, per_query: bool = False) -> dict[str, Any]:
        """For `json.dumps`, full doubles: `{"runs": [{"run", "queries", "mean", "per_query" if asked, "notes"}]}`."""
        return {"runs": [run.to_json(per_query=per_query) for run in self.runs]}

    def to_frame(self) -> "pd.DataFrame":
        """One row a run and query: the columns run and query, both text, then one a metric."""
        import pandas as pd  # noqa: PLC0415  slow to import, and only needed here

        rows = [
            {"run": run.run, "query": query, **values} for run in self.runs for query, values in run.per_query.items()
        ]
        return pd.DataFrame(rows, columns=["run", "query", *map(str, self.measures)])

    def to_text(self, *, per_query: bool = False) -> str:
        """A table to read: one row a run, 4 decimals; with `per_query` each query's rows before its run's mean."""
        names = list(map(str, self.measures))
        rows = [["run", *(["query"] if per_query else []), *names]]
        for run in self.runs:
            if per_query:
                rows += [[run.run, query, *_shown(values, names)] for query, values in run.per_query.items()]
            rows.append([run.run, *(["mean"] if per_query else []), *_shown(run.mean, names)])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        texts = 2 if per_query else 1
        return "\n".join(
            "  ".join(cell.ljust(width) if at < texts else cell.rjust(width) for at, (cell, width) in enumerate(sized))
            for sized in (zip(row, widths, strict=True) for row in rows)
        )


def score(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measures: Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    gain: Gain = LINEAR,
    relevant_from: float = 1,
) -> Scores:
    """Every measure of every run.

    Judgments and runs are `Judgments` and `Run`, or what `judgments_from` and `run_from` take: DataFrames with the
    columns query_id, doc_id and relevance (judgments) or score (runs), dicts of dicts, records, paths. Give one run, a
    list of them, or a mapping that names them.
    The means are over the judgments' query set: a judged query that a run does not answer counts 0, a query that is not
    judged is ignored, and the notes say so. They also tell of ties that change a metric and of results nobody judged.
    Raises InputError for what cannot be read, an unknown measure, or a run that answers no judged query.
    """
    wanted = parse_measures(measures)
    given, listed = inputs_of(judgments, runs)
    faults = [] if wanted else [Fault("--metric", "no metric is given", "Give at least one, as in nDCG@10.")]
    if not listed:
        faults.append(Fault("runs", "no run is given", "Give at least one."))
    faults += [no_query_in_common(given, run) for run in listed if not any(map(run.rankings.get, given.grades))]
    grades = {grade for judged in given.grades.values() for grade in judged.values()}
    unjudged = gain.kind == "table" and any(_has_unjudged(given, run) for run in listed)
    faults += convention_faults(given.source, gain, relevant_from, grades, unjudged=unjudged)
    if faults:
        raise InputError(faults)
    scored = tuple(_scored(given, run, wanted, gain, relevant_from) for run in listed)
    return Scores(wanted, scored, gain, relevant_from)


def inputs_of(judgments: JudgmentsLike, runs: RunsLike) -> tuple[Judgments, list[Run]]:
    """Judgments and runs, typed and checked, from whatever `score` takes for them."""
    return judgments_from(judgments), runs_from(runs)


def _scored(
    judgments: Judgments, run: Run, measures: tuple[Measure, ...], gain: Gain, relevant_from: float
) -> RunScores:
    met = Met(len(judgments.grades), depth_of(measures))
    met.unanswered = [query for query in judgments.grades if not run.rankings.get(query)]
    met.ignored = [query for query in run.rankings if query not in judgments.grades]
    per_query: dict[str, Values] = {}
    for query, judged in judgments.grades.items():
        ranking = run.rankings.get(query, ())
        found, unlisted = list(map(judged.get, ranking)), ranking[: met.depth].count(UNLISTED)
        pool = list(judged.values())
        met.results += len(found[: met.depth]) - unlisted
        met.unjudged += found[: met.depth].count(None) - unlisted
        met.without_relevant += not any(grade >= relevant_from for grade in pool)
        view = Judged([grade or 0.0 for grade in found], pool, gain, relevant_from)
        per_query[query] = _values(view, measures)
        if run.scores is not None and (orders := _tied_orders(view, run.scores.get(query, ()))):
            worst, best = (_values(order, measures) for order in orders)
            if moved := moved_by_ties(measures, per_query[query], worst, best):
                met.ties[query] = moved
    return run_scores(judgments, run, per_query, met, measures, gain, relevant_from)


def run_scores(
    judgments: Judgments,
    run: Run,
    per_query: Mapping[str, Values],
    met: Met,
    measures: tuple[Measure, ...],
    gain: Gain,
    relevant_from: float,
) -> RunScores:
    """One run's values with their means and notes; `per_query` has every judged query."""
    means = {name: mean(values[name] for values in per_query.values()) for name in map(str, measures)}
    gained = any(measure.metric in GAINED for measure in measures)
    warned = gain_notes(judgments, gain) if gained else ()
    notes = (*judgments.notes, *run.notes, *notes_of(met, measures, gain, relevant_from), *warned)
    return RunScores(run.name, means, per_query, notes)


def _values(view: Judged, measures: tuple[Measure, ...]) -> Values:
    return {str(measure): measure.value(view) for measure in measures}


def _tied_orders(view: Judged, scores: tuple[float, ...]) -> tuple[Judged, Judged] | None:
    """The worst and the best order of equal scores; None when they earn the same."""
    if len(set(scores)) == len(scores):
        return None
    groups = [
        sorted(map(itemgetter(1), group))
        for _, group in groupby(zip(scores, view.grades, strict=True), key=itemgetter(0))
    ]
    if all(grades[0] == grades[-1] for grades in groups):
        return None
    worst = replace(view, grades=[grade for grades in groups for grade in grades])
    best = replace(view, grades=[grade for grades in groups for grade in reversed(grades)])
    return worst, best


def _has_unjudged(judgments: Judgments, run: Run) -> bool:
    return any(set(run.rankings.get(query, ())) - judged.keys() for query, judged in judgments.grades.items())


def _shown(values: Values, names: list[str]) -> list[str]:
    return [f"{values[name]:.4f}" for name in names]
