"""An exercise from judgments and a run: one query's ranking, and every query's first relevant rank."""

from collections.abc import Iterator

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.gain_notes import gain_notes
from workbook_builder.inputs import Exercise, Judgments, Run
from workbook_builder.metrics import first_relevant_rank
from workbook_builder.readers.values import UnusableError, convention_faults, cutoff, name_faults
from workbook_builder.suggest import did_you_mean


def exercise_from_runs(
    judgments: Judgments,
    run: Run,
    *,
    query: str | None = None,
    k: int = 10,
    gain: Gain = LINEAR,
    relevant_from: float = 1,
) -> Exercise:
    """The chosen query's results as an exercise; default: the first judged query that the run answers.

    A result without a judgment has grade 0 and its rank is in `unjudged`. Every judged query is in the MRR table, in
    the judgments' order; one the run does not answer has no first relevant rank. Raises InputError when judgments and
    run have no query in common, when the query cannot be shown, or when k, gain or threshold cannot be used.
    """
    answered = [name for name in judgments.grades if run.rankings.get(name)]
    if not answered:
        raise InputError([no_query_in_common(judgments, run)])
    faults = [] if query is None else list(_query_faults(judgments, run, query, answered))
    try:
        cutoff(k)
    except UnusableError as unusable:
        faults.append(unusable.fault("--k", None, None, k))
    chosen = answered[0] if query is None or faults else query
    pool, ranking = judgments.grades[chosen], run.rankings.get(chosen, ())
    unjudged = frozenset(rank for rank, document in enumerate(ranking, start=1) if document not in pool)
    seen = [grade for judged in judgments.grades.values() for grade in judged.values()]
    faults += convention_faults(judgments.source, gain, relevant_from, seen, unjudged=bool(unjudged))
    for name in judgments.grades:
        faults += name_faults(judgments.source, None, "query", name)
    if faults:
        raise InputError(faults)
    notes = [*judgments.notes, *run.notes, *gain_notes(judgments, gain)]
    if query is None and len(judgments.grades) > 1:
        notes.append(f'the NDCG table shows query "{chosen}", the first that {run.name} answers; choose with --query')
    returned = set(ranking)
    missed = sorted((grade for document, grade in pool.items() if document not in returned), reverse=True)
    earning = tuple(
        grade for grade, worth in zip(missed, gain.of(missed).tolist(), strict=True) if grade > 0 or worth > 0
    )
    if left_out := len(missed) - len(earning):
        notes.append(f"{left_out} missed documents of grade 0 or less are left out: no ideal order earns from them")
    if unjudged:
        notes.append(f"{len(unjudged)} of {len(ranking)} results were never judged and count as grade 0")
    if unanswered := [name for name in judgments.grades if not run.rankings.get(name)]:
        notes.append(f'{len(unanswered)} judged queries have no result and count as 0 (the first: "{unanswered[0]}")')
    return Exercise(
        grades=tuple(pool.get(document, 0.0) for document in ranking),
        missed=earning,
        k=k,
        first_relevant=tuple((name, _first(judgments, run, name, relevant_from)) for name in judgments.grades),
        gain=gain,
        relevant_from=relevant_from,
        lowest=min([0.0, *seen]),
        highest=max([1.0, *seen]),
        unjudged=unjudged,
        notes=tuple(notes),
    )


def no_query_in_common(judgments: Judgments, run: Run) -> Fault:
    """The fault of a run that answers no judged query."""
    judged, answered = next(iter(judgments.grades), None), next(iter(run.rankings), None)
    problem = f'no query in common: {judgments.source} judges "{judged}", {run.name} answers "{answered}"'
    return Fault(run.name, problem, "Give the judgments and the run of the same queries; ids are compared as text.")


def _query_faults(judgments: Judgments, run: Run, query: str, answered: list[str]) -> Iterator[Fault]:
    if query not in judgments.grades:
        yield Fault(judgments.source, "there is no such query", did_you_mean(query, answered), None, "query", query)
    elif not run.rankings.get(query) and max(judgments.grades[query].values()) <= 0:
        remedy = f"Choose another with --query, as {answered[0]}."
        yield Fault(run.name, "this query has no result and nothing relevant", remedy, None, "query", query)


def _first(judgments: Judgments, run: Run, query: str, relevant_from: float) -> int | None:
    pool = judgments.grades[query]
    return first_relevant_rank([pool.get(doc, 0.0) for doc in run.rankings.get(query, ())], relevant_from=relevant_from)
