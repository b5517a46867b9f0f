"""What the sheet One query should show for the query and the system chosen."""

from collections.abc import Mapping, Sequence

import numpy as np

from workbook_builder import metrics
from workbook_builder.evaluation.reference import Choices, Listed, Reference, Value


def one_query(
    reference: Reference, choices: Choices, *, ranks: int, pool_shown: int, missed_shown: int
) -> Mapping[str, Sequence[Value]]:
    """The sheet One query, which shows so many ranks, judgments and missed documents."""
    evaluation, words = reference.evaluation, reference.words
    systems = [run.name.casefold() for run in evaluation.runs]
    queries = [query.casefold() for query in evaluation.queries]
    at = queries.index(choices.query.casefold()) if choices.query.casefold() in queries else 0
    system = systems.index(choices.system.casefold()) if choices.system.casefold() in systems else 0
    listed = reference.listed[system][at]
    first = reference.first_relevant(listed) if listed.documents else None
    k = reference.counted(reference.main)
    dcg = metrics.dcg(listed.earning[:ranks], k, gain=evaluation.gain)
    idcg = metrics.dcg(metrics.ideal_order(listed.pool)[:ranks], k, gain=evaluation.gain)
    shown: dict[str, Sequence[Value]] = {
        "query_number": [at + 1.0],
        "system_number": [system + 1.0],
        "row": [float(system * len(queries) + at + 1)],
        "first": [float(_first_result(reference, system, at))],
        "count": [float(len(listed.documents))],
        "pool_first": [float(sum(map(len, reference.lines[:at])) + 1)],
        "pool_count": [float(len(reference.lines[at]))],
        "text": [evaluation.query_texts.get(evaluation.queries[at], "")],
        "at_least": [float(np.count_nonzero(listed.pool >= level)) for level in reference.levels],
        "dcg": [dcg],
        "idcg": [idcg],
        "ndcg": [dcg / idcg if idcg else 0.0],
        "first_relevant": [first or words.none],
        "reciprocal_rank": [metrics.reciprocal(first)],
        "whole": [words.partly if k > ranks else words.wholly],
    }
    return {
        **shown,
        **_ranking(reference, listed, ranks),
        **_judgments(reference, listed, at, pool_shown, missed_shown),
    }


def _first_result(reference: Reference, system: int, query: int) -> int:
    """The number of a query's first line among the results; 1 where it has none."""
    if not reference.listed[system][query].documents:
        return 1
    before = [listed for systems in reference.listed[:system] for listed in systems]
    before += reference.listed[system][:query]
    return sum(len(listed.documents) for listed in before) + 1


def _ranking(reference: Reference, listed: Listed, ranks: int) -> Mapping[str, Sequence[Value]]:
    gain, words = reference.evaluation.gain, reference.words
    number = min(ranks, len(listed.documents))
    judged = ~np.isnan(listed.grades[:number])
    gains = np.where(judged, gain.of(listed.earning[:number]), 0.0)
    ideal = metrics.ideal_order(listed.pool)[:ranks].tolist()
    blank = [""] * (ranks - number)
    texts = reference.evaluation.texts
    shown = {"shown_text": [*(texts.get(each, "") for each in listed.documents[:number]), *blank]} if texts else {}
    return {
        **shown,
        "document": [*(document or words.gap for document in listed.documents[:number]), *blank],
        "grade": [
            *(
                (words.unjudged if document else words.gap) if np.isnan(grade) else float(grade)
                for document, grade in zip(listed.documents[:number], listed.grades[:number], strict=True)
            ),
            *blank,
        ],
        "gain": [*gains.tolist(), *[0.0] * len(blank)],
        "discounted_gain": [*(gains / np.array(metrics.discounts(number))).tolist(), *[0.0] * len(blank)],
        "ideal_grade": [*ideal, *[""] * (ranks - len(ideal))],
        "ideal_gain": [*metrics.discounted_gains(ideal, gain=gain).tolist(), *[0.0] * (ranks - len(ideal))],
    }


def _judgments(
    reference: Reference, listed: Listed, query: int, pool_shown: int, missed_shown: int
) -> Mapping[str, Sequence[Value]]:
    words = reference.words
    rank_of = {document: rank for rank, document in enumerate(listed.documents, 1)}
    lines = reference.lines[query][:pool_shown]
    blank: list[Value] = [""] * (pool_shown - len(lines))
    grades: list[Value] = [words.unjudged if grade is None else grade for _, grade in lines]
    ranks: list[Value] = [float(rank_of[document]) if document in rank_of else words.missed for document, _ in lines]
    missed = [(document, grades[at]) for at, (document, _) in enumerate(lines) if document not in rank_of]
    counts = np.cumsum([rank == words.missed for rank in [*ranks, *blank]])
    shown = [*missed[:missed_shown], *[("", "")] * (missed_shown - len(missed))]
    return {
        "pool_document": [*(document for document, _ in lines), *blank],
        "pool_grade": [*grades, *blank],
        "pool_rank": [*ranks, *blank],
        "missed_so_far": [float(count) for count in counts],
        "missed_document": [document for document, _ in shown],
        "missed_grade": [grade for _, grade in shown],
    }
