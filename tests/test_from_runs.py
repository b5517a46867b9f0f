"""One query of real judgments and a real run becomes an exercise."""

import pytest

from workbook_builder.errors import InputError
from workbook_builder.from_runs import exercise_from_runs
from workbook_builder.gain import Gain
from workbook_builder.inputs import Judgments, Run

JUDGMENTS = Judgments(
    {
        "unanswered": {"a": 1.0},
        "shoes": {"a": 2.0, "b": 0.0, "c": 3.0, "d": 1.0, "spam": -2.0},
        "hats": {"x": 1.0, "y": 0.0},
    }
)
RUN = Run("bm25", {"shoes": ("b", "new", "a"), "hats": ("y", "x"), "other": ("a",)})


def test_the_first_judged_query_that_was_answered_is_shown() -> None:
    exercise = exercise_from_runs(JUDGMENTS, RUN)
    assert list(exercise.grades) == [0, 0, 2]
    assert exercise.unjudged == {2}
    assert list(exercise.missed) == [3, 1]
    assert exercise.k == 10
    assert (exercise.lowest, exercise.highest) == (-2, 3)


def test_every_judged_query_is_in_the_mrr_table_in_the_judgments_order() -> None:
    exercise = exercise_from_runs(JUDGMENTS, RUN)
    assert exercise.first_relevant == (("unanswered", None), ("shoes", 3), ("hats", 2))


def test_what_was_assumed_is_said() -> None:
    notes = exercise_from_runs(JUDGMENTS, RUN).notes
    assert notes == (
        'the NDCG table shows query "shoes", the first that bm25 answers; choose with --query',
        "1 missed documents of grade 0 or less are left out: no ideal order earns from them",
        "1 of 3 results were never judged and count as grade 0",
        '1 judged queries have no result and count as 0 (the first: "unanswered")',
    )


def test_a_query_can_be_chosen_also_one_the_run_does_not_answer() -> None:
    assert list(exercise_from_runs(JUDGMENTS, RUN, query="hats", k=1).grades) == [0, 1]
    unanswered = exercise_from_runs(JUDGMENTS, RUN, query="unanswered")
    assert (list(unanswered.grades), list(unanswered.missed)) == ([], [1])


def test_a_missed_document_that_a_gain_table_pays_stays_in_the_ideal() -> None:
    judgments = Judgments({"q": {"a": 1.0, "b": 0.0}})
    exercise = exercise_from_runs(judgments, Run("r", {"q": ("a",)}), gain=Gain.parse("0=.1,1=1"))
    assert list(exercise.missed) == [0]


def test_what_cannot_be_shown_is_refused() -> None:
    for options, told in (
        ({"query": "shoe"}, "Did you mean shoes?"),
        ({"k": 0}, 'the cut-off k cannot be used: "0"'),
        ({"relevant_from": 0}, "the lowest relevant grade must be above 0"),
        ({"relevant_from": float("nan")}, "the lowest relevant grade must be above 0"),
        ({"gain": Gain.parse("0=.5,1=1,2=2,3=3")}, "results that nobody judged would earn it"),
        ({"gain": Gain.parse("0=0,1=1")}, 'no gain is given for the grade: "2"'),
    ):
        with pytest.raises(InputError) as caught:
            exercise_from_runs(JUDGMENTS, RUN, **options)
        assert told in str(caught.value)


def test_judgments_and_a_run_of_other_queries_are_refused_with_an_example_of_both() -> None:
    with pytest.raises(InputError, match='no query in common: judgments judges "unanswered", r answers "003"'):
        exercise_from_runs(JUDGMENTS, Run("r", {"003": ("a",)}))
