"""ranx's JSON: grades or scores by query and document, as pytrec_eval takes them too."""

from collections.abc import Mapping

from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.given import Given
from workbook_builder.readers.tree import judging, members, running


def recognises(given: Given) -> bool:
    """Whether it is an object whose members are objects of numbers."""
    return given.is_json and is_nested(given.document)


def is_nested(document: object) -> bool:
    """Whether a mapping holds mappings whose values are no containers; the first one with members decides."""
    if (
        not isinstance(document, Mapping)
        or not document
        or not all(isinstance(each, Mapping) for each in document.values())
    ):
        return False
    first = next((value for inner in document.values() for value in inner.values()), 0)
    return not isinstance(first, Mapping | list)


def read_judgments(given: Given) -> Judgments:
    """Judgments; raises InputError with every fault."""
    return judgments_of(given.document, given.name)


def read_run(given: Given, name: str) -> Run:
    """A run; raises InputError with every fault."""
    return run_of(given.document, given.name, name)


def judgments_of(document: object, file: str) -> Judgments:
    """Judgments from grades by query and document."""
    gathered, trail = judging(file)
    for query, judged in members(gathered, document, "").items():
        for doc, grade in members(gathered, judged, f'["{query}"]').items():
            gathered.add(trail.step(query, doc), query, doc, grade)
    return gathered.judgments()


def run_of(document: object, file: str, name: str) -> Run:
    """A run from scores by query and document."""
    gathered, trail = running(file)
    for query, found in members(gathered, document, "").items():
        for doc, score in members(gathered, found, f'["{query}"]').items():
            gathered.add_scored(trail.step(query, doc), query, doc, score)
    return gathered.run(name)
