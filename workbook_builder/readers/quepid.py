"""Quepid's case as JSON: the ratings of each query; and result lists, the documents of each query in rank order."""

from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.given import Given
from workbook_builder.readers.tree import items, judging, members, running


def recognises(given: Given) -> bool:
    """Whether it has queries with ratings."""
    return given.is_json and isinstance(given.document, dict) and _lists(given.document.get("queries"), "ratings")


def recognises_results(given: Given) -> bool:
    """Whether it is a list of queries with documents."""
    return given.is_json and _lists(given.document, "docs")


def _lists(queries: object, wanted: str) -> bool:
    first = queries[0] if isinstance(queries, list) and queries else None
    return isinstance(first, dict) and {"query", wanted} <= first.keys()


def read_judgments(given: Given) -> Judgments:
    """The ratings by the query's text. Raises InputError with every fault."""
    gathered, trail = judging(given.name)
    for at, each in items(gathered, members(gathered, given.document, "", ("queries",)).get("queries", []), "queries"):
        entry = members(gathered, each, at, ("query", "ratings"))
        for document, grade in members(gathered, entry.get("ratings", {}), f"{at}.ratings").items():
            gathered.add(trail.step(entry["query"], document), entry["query"], document, grade)
    return gathered.judgments()


def read_run(given: Given, name: str) -> Run:
    """The documents of each query in rank order. Raises InputError with every fault."""
    gathered, trail = running(given.name)
    for at, each in items(gathered, given.document, ""):
        entry = members(gathered, each, at, ("query", "docs"))
        for _, document in items(gathered, entry.get("docs", []), f"{at}.docs"):
            gathered.add_next(trail.step(entry["query"], document), entry["query"], document)
    return gathered.run(name)
