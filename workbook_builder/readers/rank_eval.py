"""Elasticsearch's and OpenSearch's ranking evaluation: the request holds the judgments, the response the run.

A document is its index and its id, as in `products/42`: the same id in two indices names two documents. The order of
the hits is the ranking; their scores may be equal, or missing when the request sorts.
"""

from collections.abc import Mapping
from typing import Any

from workbook_builder.errors import Fault
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.given import Given
from workbook_builder.readers.tree import items, judging, members, running

NAMED = "a document is called by its index and its id"


def recognises_request(given: Given) -> bool:
    """Whether it has requests."""
    return given.is_json and isinstance(given.document, dict) and "requests" in given.document


def recognises_response(given: Given) -> bool:
    """Whether it has details."""
    return given.is_json and isinstance(given.document, dict) and "details" in given.document


def read_judgments(given: Given) -> Judgments:
    """The ratings of the requests, by request id. Raises InputError with every fault."""
    gathered, trail = judging(given.name)
    for at, request in items(
        gathered, members(gathered, given.document, "", ("requests",)).get("requests", []), "requests"
    ):
        entry = members(gathered, request, at, ("id", "ratings"))
        for place, rating in items(gathered, entry.get("ratings", []), f"{at}.ratings"):
            judged = members(gathered, rating, place, ("_index", "_id", "rating"))
            if judged:
                document = _document(judged)
                gathered.add(trail.step(entry["id"], document), entry["id"], document, judged["rating"])
                gathered.notes = gathered.notes or [f'{NAMED}, as "{document}"']
    return gathered.judgments()


def read_run(given: Given, name: str) -> Run:
    """The hits of the details, by request id. Raises InputError with every fault, and for requests that failed."""
    gathered, trail = running(given.name)
    response = members(gathered, given.document, "", ("details",))
    for query, detail in members(gathered, response.get("details", {}), "details").items():
        entry = members(gathered, detail, f"details.{query}", ("hits",))
        gathered.add_query(query)
        for place, hit in items(gathered, entry.get("hits", []), f"details.{query}.hits"):
            found = members(
                gathered, members(gathered, hit, place, ("hit",)).get("hit", {}), f"{place}.hit", ("_index", "_id")
            )
            if found:
                document = _document(found)
                gathered.add_next(trail.step(query, document), query, document)
                gathered.notes = gathered.notes or [f'{NAMED}, as "{document}"']
    for query, why in members(gathered, response.get("failures", {}), "failures").items():
        problem = f"this request failed ({_reason(why)})"
        gathered.faults.append(Fault(given.name, problem, "Mend it, and evaluate again.", column=f"failures.{query}"))
    return gathered.run(name)


def _document(entry: Mapping[str, Any]) -> str:
    return f"{entry['_index']}/{entry['_id']}"


def _reason(why: object) -> str:
    error = why.get("error", why) if isinstance(why, dict) else why
    return str(error.get("reason", error) if isinstance(error, dict) else error)[:200]
