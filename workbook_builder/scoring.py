"""Scores runs against judgments: every metric of every judged query, and the means over the judgments' query set."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

from workbook_builder.errors import Fault, InputError
from workbook_builder.from_runs import no_query_in_common
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import DEFAULT_MEASURES, Judged, Measure, parse_measures
from workbook_builder.metrics import mean
from workbook_builder.readers.frames import is_frame, judgments_from_frame, run_from_frame
from workbook_builder.readers.values import convention_faults

if TYPE_CHECKING:
    import pandas as pd

Values = Mapping[str, float]


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
    judgments: "Judgments | pd.DataFrame",
    runs: "Run | pd.DataFrame | Mapping[str, pd.DataFrame] | Iterable[Run | pd.DataFrame]",
    measures: Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    gain: Gain = LINEAR,
    relevant_from: float = 1,
) -> Scores:
    """Every measure of every run.

    DataFrames have the columns query_id, doc_id and relevance (judgments) or score (runs); a mapping names its runs.
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


def inputs_of(
    judgments: "Judgments | pd.DataFrame",
    runs: "Run | pd.DataFrame | Mapping[str, pd.DataFrame] | Iterable[Run | pd.DataFrame]",
) -> tuple[Judgments, list[Run]]:
    """Judgments and runs, typed and checked, from whatever `score` takes for them."""
    given = judgments_from_frame(judgments) if is_frame(judgments) else judgments
    assert isinstance(given, Judgments)
    return given, _runs(runs)


@dataclass
class _Met:
    """What was met while scoring a run, for its notes."""

    without_relevant: int = 0
    unjudged: int = 0
    results: int = 0
    ties: dict[str, str] = field(default_factory=dict)


def _scored(
    judgments: Judgments, run: Run, measures: tuple[Measure, ...], gain: Gain, relevant_from: float
) -> RunScores:
    met = _Met()
    cutoffs = [measure.k for measure in measures if measure.metric != "IDCG"]
    depth = None if None in cutoffs else max((k for k in cutoffs if k is not None), default=0)
    per_query: dict[str, Values] = {}
    for query, judged in judgments.grades.items():
        found = list(map(judged.get, run.rankings.get(query, ())))
        pool = list(judged.values())
        met.results += len(found[:depth])
        met.unjudged += found[:depth].count(None)
        met.without_relevant += not any(grade >= relevant_from for grade in pool)
        view = Judged([grade or 0.0 for grade in found], pool, gain, relevant_from)
        per_query[query] = {str(measure): measure.value(view) for measure in measures}
        if run.scores is not None and (moved := _moved_by_ties(view, run.scores.get(query, ()), measures)):
            met.ties[query] = moved
    means = {str(measure): mean(values[str(measure)] for values in per_query.values()) for measure in measures}
    notes = (*judgments.notes, *run.notes, *_notes(judgments, run, measures, met, gain, relevant_from, depth))
    return RunScores(run.name, means, per_query, notes)


def _moved_by_ties(view: Judged, scores: tuple[float, ...], measures: tuple[Measure, ...]) -> str | None:
    """The first measure that another order of equal scores would change, with its range; None when there is none."""
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
    for measure in measures:
        low, here, high = measure.value(worst), measure.value(view), measure.value(best)
        if low != high:
            return f"{measure} is {here:.6f}, and {low:.6f} to {high:.6f} in other orders"
    return None


def _notes(
    judgments: Judgments,
    run: Run,
    measures: tuple[Measure, ...],
    met: _Met,
    gain: Gain,
    relevant_from: float,
    depth: int | None,
) -> Iterator[str]:
    if unanswered := [query for query in judgments.grades if not run.rankings.get(query)]:
        of = f"{len(unanswered)} of {len(judgments.grades)} judged queries"
        yield f"{of} have no result and count 0 ({_few(unanswered)})"
    yield from ignored_note(judgments, run)
    if met.without_relevant:
        yield f"{met.without_relevant} judged queries have no relevant document and count 0"
    if met.unjudged:
        where = "results" if depth is None else f"results in the top {depth}"
        yield f"{met.unjudged} of {met.results} {where} were never judged and count as grade 0"
    if met.ties:
        query, moved = next(iter(met.ties.items()))
        yield (
            f"equal scores are ordered by document id, descending; another order would change a metric of "
            f'{len(met.ties)} queries (query "{query}": {moved})'
        )
    names = {measure.metric for measure in measures}
    if names & {"DCG", "IDCG"}:
        yield "the scale of DCG and IDCG depends on the query: compare their means only over the same queries"
    if names & {"nDCG", "DCG", "IDCG"} and gain != LINEAR:
        yield f"gain: {gain}"
    if names & {"RR", "P", "R", "AP"} and relevant_from != 1:
        yield f"relevant from grade {relevant_from:g}"


def ignored_note(judgments: Judgments, run: Run) -> Iterator[str]:
    """What to tell of queries that only the run has."""
    if ignored := [query for query in run.rankings if query not in judgments.grades]:
        yield f"{len(ignored)} queries of the run are not judged and are ignored ({_few(ignored)})"


def _has_unjudged(judgments: Judgments, run: Run) -> bool:
    return any(set(run.rankings.get(query, ())) - judged.keys() for query, judged in judgments.grades.items())


def _few(queries: list[str], most: int = 3) -> str:
    return ", ".join(queries[:most]) + (", ..." if len(queries) > most else "")


def _shown(values: Values, names: list[str]) -> list[str]:
    return [f"{values[name]:.4f}" for name in names]


def _runs(runs: "Run | pd.DataFrame | Mapping[str, pd.DataFrame] | Iterable[Run | pd.DataFrame]") -> list[Run]:
    if isinstance(runs, Run):
        return [runs]
    if is_frame(runs):
        return [run_from_frame(runs)]
    if isinstance(runs, Mapping):
        return [run_from_frame(frame, name) for name, frame in runs.items()]
    listed = cast("list[Run | pd.DataFrame]", list(runs))
    names = ["run"] if len(listed) == 1 else [f"run {at}" for at in range(1, len(listed) + 1)]
    return [run if isinstance(run, Run) else run_from_frame(run, name) for run, name in zip(listed, names, strict=True)]
