"""Judgments and runs as text: TREC's two formats, or CSV that pandas and every reader here take back as it was."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import UNLISTED, Judgments, Run
from workbook_builder.suggest import did_you_mean

_UNFIT = re.compile(r"\s")


def converted(given: Judgments | Run, to: str) -> str:
    """The text in the form `to` names, a key of `WRITERS`; numbers are the shortest that read back the same.

    Raises InputError for a form there is not, and for what it cannot say: TREC has no ids with blanks and no gaps.
    """
    if to not in WRITERS:
        raise InputError([Fault("--to", "there is no such form", did_you_mean(to, WRITERS), value=to)])
    return WRITERS[to](given)


def as_trec(given: Judgments | Run) -> str:
    """TREC's qrels or run. A run without scores gets falling ones, so that its order stays."""
    if isinstance(given, Judgments):
        _check_ids(given.source, {query: list(judged) for query, judged in given.grades.items()})
        return "".join(
            f"{query} 0 {document} {_exact(grade)}\n"
            for query, judged in given.grades.items()
            for document, grade in judged.items()
        )
    _check_ids(given.name, given.rankings)
    tag = _UNFIT.sub("_", given.name) or "run"
    return "".join(
        f"{query} Q0 {document} {rank} {_exact(score)} {tag}\n"
        for query, documents in given.rankings.items()
        for rank, (document, score) in enumerate(zip(documents, _scores(given, query), strict=True), start=1)
    )


def as_csv(given: Judgments | Run) -> str:
    """CSV with a header: query_id, doc_id and relevance, or rank and, where the run has them, score; then the texts."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    texts = [("query_text", given.query_texts), ("title", given.texts)]
    there = [(name, known) for name, known in texts if known]
    values = (
        ["relevance"] if isinstance(given, Judgments) else ["rank", *(["score"] if given.scores is not None else [])]
    )
    writer.writerow(["query_id", "doc_id", *values, *(name for name, _ in there)])
    for query, document, *numbers in _entries(given):
        owners = {"query_text": query, "title": document}
        writer.writerow([query, document, *numbers, *(known.get(owners[name], "") for name, known in there)])
    return written.getvalue()


WRITERS: Mapping[str, Callable[[Judgments | Run], str]] = {"trec": as_trec, "csv": as_csv}
"""Form -> what writes it."""


def _entries(given: Judgments | Run) -> Iterator[tuple[str, ...]]:
    if isinstance(given, Judgments):
        for query, judged in given.grades.items():
            yield from ((query, document, _exact(grade)) for document, grade in judged.items())
        return
    for query, documents in given.rankings.items():
        scores = None if given.scores is None else given.scores[query]
        for at, document in enumerate(documents):
            if document != UNLISTED:
                yield (query, document, str(at + 1), *([] if scores is None else [_exact(scores[at])]))


def _scores(run: Run, query: str) -> tuple[float, ...]:
    if run.scores is not None:
        return run.scores[query]
    return tuple(map(float, range(len(run.rankings[query]), 0, -1)))


def _check_ids(file: str, listed: Mapping[str, tuple[str, ...] | list[str]]) -> None:
    """Raise InputError for ids that would fall apart or be skipped in TREC's lines, and for gaps in a ranking."""
    queries = [query for query in listed if _UNFIT.search(query) or query.startswith("#")]
    documents = [document for ranked in listed.values() for document in ranked if _UNFIT.search(document)]
    gaps = {query: list(ranked).index(UNLISTED) + 1 for query, ranked in listed.items() if UNLISTED in ranked}
    faults = []
    for column, unfit in (("query", queries), ("document", documents)):
        if unfit:
            problem = f"{len(unfit)} ids hold a blank, at which TREC's columns end, or begin with #; the first"
            faults.append(Fault(file, problem, "Say --to csv.", column=column, value=unfit[0]))
    for query, at in [*gaps.items()][:1]:
        problem = f'{len(gaps)} rankings have gaps, as rank {at} of query "{query}", and TREC goes by the scores'
        faults.append(Fault(file, problem, "Say --to csv, which keeps the ranks."))
    if faults:
        raise InputError(faults)


def _exact(number: float) -> str:
    return repr(float(number)).removesuffix(".0")
