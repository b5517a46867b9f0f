"""DataFrames are as good as files, and their ids stay text."""

import pandas as pd
import pytest

from workbook_builder.errors import InputError
from workbook_builder.readers.frames import judgments_from_frame, run_from_frame

JUDGED = pd.DataFrame({"query_id": ["1", "1", "1"], "doc_id": ["007", "7", "007"], "relevance": [2, 0, 2]})
RESULTS = pd.DataFrame({"query_id": ["1", "1", "1"], "doc_id": ["7", "007", "x"], "score": [1.0, 1.0, 3.0]})


def test_judgments_come_out_of_a_frame_and_a_repeated_one_counts_once() -> None:
    judgments = judgments_from_frame(JUDGED)
    assert judgments.grades == {"1": {"007": 2.0, "7": 0.0}}
    assert judgments.notes == ("judgments: 1 repeated judgments count once.",)


def test_a_run_comes_out_of_a_frame_ordered_by_score_and_id() -> None:
    run = run_from_frame(RESULTS, "bm25")
    assert (run.name, run.rankings, run.scores) == ("bm25", {"1": ("x", "7", "007")}, {"1": (3.0, 1.0, 1.0)})


def test_numeric_ids_are_refused_because_they_may_have_lost_their_zeros() -> None:
    with pytest.raises(
        InputError, match=r'query_id: this id is no text: "1"\. Ids are text: read the file with dtype='
    ):
        judgments_from_frame(JUDGED.assign(query_id=1))
    with pytest.raises(InputError, match="doc_id: this id is no text"):
        run_from_frame(RESULTS.assign(doc_id=[7.0, 7.5, 8.0]))


def test_numbers_that_were_read_as_text_are_numbers() -> None:
    assert judgments_from_frame(JUDGED.astype(str)).grades == judgments_from_frame(JUDGED).grades


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (JUDGED.drop(columns="relevance"), 'there is no column "relevance"'),
        (JUDGED.head(0), "there is no row in it"),
        (JUDGED.assign(relevance=[2, 0, 1]), 'query "1", document "007" was judged 2 before, here: "1"'),
        (JUDGED.assign(relevance=[2, float("nan"), 2]), "line 2, relevance: the grade is no number"),
        (JUDGED.assign(relevance=True), "the grade is no number"),
        (JUDGED.assign(doc_id=["a\n", "b", "c"]), "line 1, doc_id: a control character in a name"),
    ],
)
def test_what_a_frame_of_judgments_lacks_is_said(frame: pd.DataFrame, told: str) -> None:
    with pytest.raises(InputError) as caught:
        judgments_from_frame(frame)
    assert told in str(caught.value)


def test_what_is_wrong_in_a_frame_of_results_is_said_at_once() -> None:
    with pytest.raises(InputError) as caught:
        run_from_frame(RESULTS.assign(doc_id=["a", "a", "b"], score=[1.0, 2.0, float("nan")]))
    assert [fault.line for fault in caught.value.faults] == [2, 3]
