"""What is said beside scores: everything that was assumed, left out or could have come out otherwise."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from workbook_builder.gain import LINEAR, Gain
from workbook_builder.measures import Measure


@dataclass
class Met:
    """What was met while scoring a run.

    `judged` counts the queries; `unanswered` are those without a result, in the judgments' order, and `ignored` the
    run's queries that are not judged, in the run's; `unjudged` of `results` were never judged, both within `depth`
    ranks of each query; `ties` says by query what another order of equal scores would change.
    """

    judged: int
    depth: int | None
    unanswered: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    without_relevant: int = 0
    unjudged: int = 0
    results: int = 0
    ties: dict[str, str] = field(default_factory=dict)


def depth_of(measures: tuple[Measure, ...]) -> int | None:
    """The lowest rank that a measure looks at; None when one looks at all."""
    cutoffs = [measure.k for measure in measures if measure.metric != "IDCG"]
    return None if None in cutoffs else max((k for k in cutoffs if k is not None), default=0)


def moved_by_ties(
    measures: tuple[Measure, ...], here: Mapping[str, float], worst: Mapping[str, float], best: Mapping[str, float]
) -> str | None:
    """The first measure that another order of equal scores would change, with its range; None when there is none."""
    for name in map(str, measures):
        if worst[name] != best[name]:
            return f"{name} is {here[name]:.6f}, and {worst[name]:.6f} to {best[name]:.6f} in other orders"
    return None


def notes_of(met: Met, measures: tuple[Measure, ...], gain: Gain, relevant_from: float) -> Iterator[str]:
    """The notes of one run, most consequential first."""
    if met.unanswered:
        of = f"{len(met.unanswered)} of {met.judged} judged queries"
        yield f"{of} have no result and count 0 ({_few(met.unanswered)})"
    if met.ignored:
        yield ignored_note(met.ignored)
    if met.without_relevant:
        yield f"{met.without_relevant} judged queries have no relevant document and count 0"
    if met.unjudged:
        where = "results" if met.depth is None else f"results in the top {met.depth}"
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


def ignored_note(queries: list[str]) -> str:
    """What is said of a run's queries that are not judged."""
    return f"{len(queries)} queries of the run are not judged and are ignored ({_few(queries)})"


def _few(queries: list[str], most: int = 3) -> str:
    return ", ".join(queries[:most]) + (", ..." if len(queries) > most else "")
