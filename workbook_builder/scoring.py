"""Scores runs against judgments: every metric of every judged query, and the means over the judgments' query set."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
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

    def with_notes(self, notes: tuple[str, ...]) -> "RunScores":
        """The same with what its files' readers noted, first."""
        return replace(self, notes=(*notes, *self.notes))

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
    scored = [score_run(given, run.name, _answers(given, run), wanted, gain, relevant_from) for run in listed]
    told = [(*given.notes, *run.notes) for run in listed]
    return Scores(wanted, tuple(map(RunScores.with_notes, scored, told)), gain, relevant_from)


def inputs_of(judgments: JudgmentsLike, runs: RunsLike) -> tuple[Judgments, list[Run]]:
    """Judgments and runs, typed and checked, from whatever `score` takes for them."""
    return judgments_from(judgments), runs_from(runs)


@dataclass(frozen=True)
class Found:
    """One query's results: the grades in rank order, 0 where nobody judged, and the ranks of those judged.

    `ties` are the parts of `grades` that hold different grades of equal scores: from the first to before the second;
    `unlisted` are the ranks that the run leaves out.
    """

    grades: list[float]
    judged_ranks: Sequence[int]
    ties: Sequence[tuple[int, int]] = ()
    unlisted: Sequence[int] = ()


def score_run(
    judgments: Judgments,
    name: str,
    answers: Iterable[tuple[str, Found | None]],
    measures: tuple[Measure, ...],
    gain: Gain,
    relevant_from: float,
) -> RunScores:
    """Every measure of one run, from each query it answers and what it found, None where nobody judged the query."""
    met = Met(len(judgments.grades), depth_of(measures))
    nothing = Found([], ())
    values: dict[str, Values] = {}
    ties: dict[str, str] = {}
    for query, found in answers:
        if found is None:
            met.ignored.append(query)
            continue
        values[query], moved = _evaluated(judgments.grades[query], found, measures, gain, relevant_from)
        if moved:
            ties[query] = moved
        depth = len(found.grades) if met.depth is None else min(met.depth, len(found.grades))
        listed = depth - bisect_right(found.unlisted, depth)
        met.results += listed
        met.unjudged += listed - bisect_right(found.judged_ranks, depth)
    for query, judged in judgments.grades.items():
        met.without_relevant += not any(grade >= relevant_from for grade in judged.values())
        if query not in values:
            met.unanswered.append(query)
            values[query], _ = _evaluated(judged, nothing, measures, gain, relevant_from)
        if query in ties:
            met.ties[query] = ties[query]
    per_query = {query: values[query] for query in judgments.grades}
    means = {measure: mean(values[measure] for values in per_query.values()) for measure in map(str, measures)}
    gained = any(measure.metric in GAINED for measure in measures)
    warned = gain_notes(judgments, gain) if gained else ()
    return RunScores(name, means, per_query, (*notes_of(met, measures, gain, relevant_from), *warned))


def _evaluated(
    judged: Mapping[str, float], found: Found, measures: tuple[Measure, ...], gain: Gain, relevant_from: float
) -> tuple[Values, str | None]:
    """One query's values, and what another order of equal scores would change."""
    view = Judged(found.grades, list(judged.values()), gain, relevant_from)
    here = _values(view, measures)
    if not found.ties:
        return here, None
    worst, best = list(found.grades), list(found.grades)
    for start, end in found.ties:
        worst[start:end] = sorted(worst[start:end])
        best[start:end] = sorted(best[start:end], reverse=True)
    orders = (_values(replace(view, grades=grades), measures) for grades in (worst, best))
    return here, moved_by_ties(measures, here, *orders)


def _values(view: Judged, measures: tuple[Measure, ...]) -> Values:
    return {str(measure): measure.value(view) for measure in measures}


def _answers(judgments: Judgments, run: Run) -> Iterator[tuple[str, Found | None]]:
    for query, documents in run.rankings.items():
        judged = judgments.grades.get(query)
        if judged is None:
            yield query, None
        elif documents:
            listed = list(map(judged.get, documents))
            ranks = [rank for rank, grade in enumerate(listed, start=1) if grade is not None]
            grades = [grade or 0.0 for grade in listed]
            ties = _ties(grades, run.scores.get(query, ()) if run.scores else ())
            gaps = [rank for rank, document in enumerate(documents, start=1) if document == UNLISTED]
            yield query, Found(grades, ranks, ties, gaps)


def _ties(grades: list[float], scores: Sequence[float]) -> list[tuple[int, int]]:
    """Where equal scores have different grades."""
    if len(set(scores)) == len(scores):
        return []
    ends = list(accumulate(len(list(group)) for _, group in groupby(scores)))
    return [(start, end) for start, end in zip([0, *ends], ends, strict=False) if len(set(grades[start:end])) > 1]


def _has_unjudged(judgments: Judgments, run: Run) -> bool:
    return any(set(run.rankings.get(query, ())) - judged.keys() for query, judged in judgments.grades.items())


def _shown(values: Values, names: list[str]) -> list[str]:
    return [f"{values[name]:.4f}" for name in names]
