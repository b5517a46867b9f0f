"""RRE's ratings (Rated Ranking Evaluator): topics, query groups and queries, in both shapes of relevant documents.

`{"doc": {"gain": 3}}` gives each document its grade; `{"3": ["doc", ...]}` lists the documents of each grade. The
queries of a group are ways to say the same and share its judgments; each is a query of its own.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from workbook_builder.inputs import Judgments
from workbook_builder.readers.gather import GatheredJudgments
from workbook_builder.readers.given import Given
from workbook_builder.readers.tree import items, judging, members

KEYS = {"topics", "query_groups", "queries"}


def recognises(given: Given) -> bool:
    """Whether it has topics, query groups, or queries with relevant documents."""
    if not given.is_json or not isinstance(given.document, dict):
        return False
    queries = given.document.get("queries")
    first = queries[0] if isinstance(queries, list) and queries else None
    return bool({"topics", "query_groups"} & given.document.keys()) or (
        isinstance(first, dict) and bool({"placeholders", "relevant_documents"} & first.keys())
    )


def read_judgments(given: Given) -> Judgments:
    """Judgments by the text of the query, which is its placeholder `$query`. Raises InputError with every fault."""
    gathered, trail = judging(given.name)
    for path, queries, relevant in _groups(gathered, given.document, ""):
        judged = list(_judged(gathered, relevant, f"{path}relevant_documents"))
        for query in queries:
            for document, grade in judged:
                gathered.add(trail.step(query, document), query, document, grade)
    return gathered.judgments()


def _groups(gathered: GatheredJudgments, node: object, path: str) -> Iterator[tuple[str, list[str], object]]:
    """(path, query texts, relevant documents) of each group, and of each query that has its own."""
    entry = members(gathered, node, path)
    for key in ("topics", "query_groups"):
        for place, inner in items(gathered, entry.get(key, []), f"{path}{key}"):
            yield from _groups(gathered, inner, f"{place}.")
    shared: list[str] = []
    for place, query in items(gathered, entry.get("queries", []), f"{path}queries"):
        told = members(gathered, query, place, ("placeholders",))
        text = _text(members(gathered, told.get("placeholders", {}), f"{place}.placeholders")) if told else ""
        if "relevant_documents" in told:
            yield f"{place}.", [text], told["relevant_documents"]
        elif told:
            shared.append(text)
    if "relevant_documents" in entry or (shared and not gathered.faults):
        group = members(gathered, entry, path, ("relevant_documents",))
        if group:
            yield path, shared, group["relevant_documents"]


def _text(placeholders: Mapping[str, Any]) -> str:
    if "$query" in placeholders:
        return str(placeholders["$query"])
    return " ".join(str(value) for value in placeholders.values() if not isinstance(value, dict | list))


def _judged(gathered: GatheredJudgments, relevant: object, path: str) -> Iterator[tuple[object, object]]:
    """(document, grade): a member that is a list has the grade as its key, one that is an object the document."""
    for key, value in members(gathered, relevant, path).items():
        if isinstance(value, list):
            yield from ((document, key) for document in value)
        else:
            told = members(gathered, value, f"{path}.{key}", ("gain",))
            if told:
                yield key, told["gain"]
