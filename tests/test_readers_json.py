"""JSON from search engines and their tools: what is missing is told with its path."""

import json
from pathlib import Path

import pytest

from workbook_builder.errors import InputError
from workbook_builder.readers.formats import read_judgments, read_results


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ours.json"


def put(file: Path, document: object) -> Path:
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def rating(index: str, doc: str, grade: object) -> dict[str, object]:
    return {"_index": index, "_id": doc, "rating": grade}


def test_one_id_in_two_indices_is_two_documents(file: Path) -> None:
    request = {"requests": [{"id": "q", "ratings": [rating("a", "1", 3), rating("b", "1", 0)]}]}
    read = read_judgments(put(file, request))
    assert read.grades == {"q": {"a/1": 3.0, "b/1": 0.0}}
    assert read.notes == (f'{file}: a document is called by its index and its id, as "a/1"',)


def test_the_order_of_the_hits_is_the_ranking_whatever_their_scores(file: Path) -> None:
    hits = [{"hit": {"_index": "a", "_id": doc, "_score": None}, "rating": None} for doc in ("9", "1", "5")]
    read = read_results(put(file, {"details": {"q": {"hits": hits}, "nothing": {"hits": []}}}))
    assert read.rankings == {"q": ("a/9", "a/1", "a/5"), "nothing": ()}
    assert read.scores is None


def test_a_request_that_failed_is_no_answer(file: Path) -> None:
    hits = [{"hit": {"_index": "a", "_id": "1"}, "rating": 1}]
    failures = {"r": {"error": {"type": "x", "reason": "no such index [b]"}}}
    with pytest.raises(InputError, match=r"failures\.r: this request failed \(no such index \[b\]\)"):
        read_results(put(file, {"details": {"q": {"hits": hits}}, "failures": failures}))


def test_rre_tells_documents_with_a_gain_from_grades_with_documents(file: Path) -> None:
    """A key "1" is a document in one shape and a grade in the other."""
    placeholders = {"placeholders": {"$query": "q"}}
    for relevant, expected in (
        ({"1": {"gain": 3}, "2": {"gain": 0}}, {"1": 3.0, "2": 0.0}),
        ({"1": ["193"], "2": ["157", "152"]}, {"193": 1.0, "157": 2.0, "152": 2.0}),
    ):
        ratings = {"queries": [{**placeholders, "relevant_documents": relevant}]}
        assert read_judgments(put(file, ratings)).grades == {"q": expected}


def test_rre_gives_every_query_of_a_group_its_judgments(file: Path) -> None:
    queries = [{"placeholders": {"$query": text, "$lang": "en"}} for text in ("Fender", "fender")]
    group = {"queries": queries, "relevant_documents": {"1": {"gain": 3}}}
    for ratings in ({"topics": [{"query_groups": [group]}]}, {"query_groups": [group]}):
        assert read_judgments(put(file, ratings)).grades == {"Fender": {"1": 3.0}, "fender": {"1": 3.0}}


def test_ratings_written_as_text_are_numbers_and_ids_written_as_numbers_are_reported(file: Path) -> None:
    ratings = {"judgmentRatings": [{"query": "q", "ratings": [{"docId": 7, "rating": "10.000"}]}]}
    read = read_judgments(put(file, ratings))
    assert read.grades == {"q": {"7": 10.0}}
    assert "1 ids are numbers and are read as they stand" in read.notes[0]


def test_a_long_file_in_a_single_line_is_recognised(file: Path) -> None:
    grades = {f"q{query}": {f"d{doc}": doc % 3 for doc in range(100)} for query in range(100)}
    assert read_judgments(put(file, grades)).grades == grades


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"requests": [{"ratings": []}]}, 'requests[0]: there is no "id" here'),
        ({"requests": {}}, "requests: a list is needed here"),
        ({"requests": [{"id": "q", "ratings": [{"_id": "1", "rating": 1}]}]}, 'there is no "_index" here'),
        ({"requests": [{"id": "q", "ratings": [rating("a", "1", "good")]}]}, 'query "q", document "a/1", grade: the'),
        ({"requests": []}, "there is no judgment in it"),
        ({"topics": [{"query_groups": [{"queries": []}]}]}, "there is no judgment in it"),
        ({"query_groups": [{"queries": [{"placeholders": {"$query": "q"}}]}]}, 'no "relevant_documents" here'),
        ({"queries": [{"placeholders": {"$query": "q"}, "relevant_documents": {"1": {}}}]}, 'there is no "gain" here'),
        ({"queries": [{"placeholders": {"$query": "q"}, "relevant_documents": {"x": ["1"]}}]}, "grade is no number"),
        ({"queries": [{"placeholders": 3}]}, "queries[0].placeholders: an object is needed here"),
        ({"judgmentRatings": [{"query": "q"}]}, 'judgmentRatings[0]: there is no "ratings" here'),
        ({"queries": [{"query": "q", "ratings": {"d": True}}]}, 'query "q", document "d", grade: the grade is no'),
        ({"q": {"d": 1.0, "e": float("nan")}}, 'query "q", document "e", grade: the grade is no number'),
        ({"q": {"d": 1.0, "": 2}}, "the document is empty"),
        ({"q": {"d": 1.0}, "r": {"d": [1]}}, "the grade is no number"),
        ({"q": {"d": 10**400}}, "the grade is no number"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_what_is_missing_or_of_another_kind_is_told_with_its_path(file: Path, document: object, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_judgments(put(file, document))
    assert told in str(caught.value)


def test_a_document_listed_twice_in_a_result_list_is_refused(file: Path) -> None:
    with pytest.raises(InputError, match='query "q" has this document already'):
        read_results(put(file, [{"query": "q", "docs": ["a", "b", "a"]}]))
