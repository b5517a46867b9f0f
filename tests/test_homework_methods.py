"""What is asked in an exercise, and the wrong methods: each gives the numbers it is known for, where it errs."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbook_builder import EXPONENTIAL, Gain, InputError, metrics, wrong
from workbook_builder.homework.draw import draw
from workbook_builder.homework.methods import METHODS, dcg_averaged, methods_of, together
from workbook_builder.homework.steps import STEP_NAMES, STEPS, Answers, right
from workbook_builder.homework.task import Task
from workbook_builder.homework.ways import AFFECTED, Way, answers
from workbook_builder.text import languages

QUERIES = (
    ("reset", (0, 3, 1, 0)),
    ("export", (1, 0, 0, 2)),
    ("change", (0, 0, 0, 0)),
    ("retry", (0, 0, 0, 3)),
)
EXAMPLE = Task((0, 2, 2, 0, 3, 0), (1, 1), 4, QUERIES, 3, scores=(9, 8, 7, 6, 5, 4))
"""The ranking that separates the NDCG methods by hand, and queries whose numbers are easily checked."""

NDCG = {
    "exponential": 0.3135,
    "log2_rank": 0.4824,
    "rank_discount": 0.3390,
    "ideal_returned": 0.4299,
    "ideal_top_k": 0.6934,
    "ideal_uncut": 0.3721,
    "ideal_perfect": 0.2943,
    "ideal_unsorted": 1.0,
    "binary": 0.4415,
    "other_threshold": 0.5307,
    "scores": (9 + 8 / math.log2(3) + 7 / 2 + 6 / math.log2(5)) / 5.6925361,
}
MRR = {
    "dropped": (1 / 2 + 1 + 0) / 3,
    "dropped_zeros": (1 / 2 + 1) / 2,
    "mean_rank": 1 / ((2 + 1 + 4) / 3),
    "all_relevant": ((1 / 2 + 1 / 3) / 2 + 1 + 0 + 0) / 4,
    "no_cutoff": (1 / 2 + 1 + 0 + 1 / 4) / 4,
    "threshold": (1 / 2 + 0 + 0 + 0) / 4,
}

grades = st.lists(st.integers(0, 3).map(float), min_size=1, max_size=7).map(tuple)
tasks = st.builds(
    Task,
    grades,
    st.lists(st.integers(0, 3).map(float), max_size=3).map(tuple),
    st.integers(1, 8),
    st.lists(st.tuples(st.sampled_from("abc"), grades), min_size=1, max_size=5).map(tuple),
    st.integers(1, 8),
    st.sampled_from([Gain(), EXPONENTIAL, Gain.parse("0=0,1=.1,2=.5,3=1")]),
    st.sampled_from([1, 2, 3]),
)


def test_the_reference_gives_the_documented_answers() -> None:
    answer = right(EXAMPLE)
    assert answer["dcg"] == pytest.approx((2.2618595,))
    assert [*answer["ideal_grade"]] == [3, 2, 2, 1, 1, 0]
    assert answer["idcg"] == pytest.approx((5.6925361,))
    assert answer["ndcg"] == pytest.approx((0.3973,), abs=5e-5)
    assert list(answer["first_relevant"]) == [2, 1, None, 4]
    assert list(answer["reciprocal_rank"]) == [1 / 2, 1, 0, 0]
    assert list(answer["mrr"]) == [0.375]


@pytest.mark.parametrize("method", NDCG)
def test_a_wrong_ndcg_is_the_number_the_method_is_known_for(method: str) -> None:
    assert METHODS[method].values(EXAMPLE)["ndcg"] == pytest.approx((NDCG[method],), abs=5e-5)


@pytest.mark.parametrize("method", MRR)
def test_a_wrong_mrr_is_the_number_worked_out_by_hand(method: str) -> None:
    assert METHODS[method].values(EXAMPLE)["mrr"] == pytest.approx((MRR[method],))


def test_a_natural_log_enlarges_the_sums_and_leaves_ndcg_alone() -> None:
    values = METHODS["natural_log"].values(EXAMPLE)
    assert values["dcg"] == pytest.approx((2 / math.log(3) + 2 / math.log(4),))
    assert "ndcg" not in values
    assert answers(EXAMPLE, Way(discount="ln_next"))["ndcg"] == pytest.approx(right(EXAMPLE)["ndcg"])


def test_with_exponential_gain_the_linear_one_is_the_mistake() -> None:
    exponential = Task(EXAMPLE.grades, EXAMPLE.missed, 4, QUERIES, 3, gain=EXPONENTIAL)
    assert "exponential" not in methods_of(exponential)
    assert "linear" not in methods_of(EXAMPLE)
    assert METHODS["exponential"].values(exponential) == {}
    assert METHODS["linear"].values(exponential)["ndcg"] == pytest.approx((0.3973,), abs=5e-5)
    table = Task(EXAMPLE.grades, EXAMPLE.missed, 4, QUERIES, 3, gain=Gain.parse("0=0,1=.1,2=.5,3=1"))
    assert {"linear", "exponential"} <= methods_of(table).keys()


def test_every_method_has_a_promise_here() -> None:
    assert {*NDCG, *MRR, "natural_log", "linear"} == {*METHODS}


@given(tasks)
def test_the_right_way_is_the_references(task: Task) -> None:
    """Two books: the ways were written apart from the metrics."""
    expected, found = right(task), answers(task)
    assert list(expected) == list(STEP_NAMES) == list(found)
    for step in STEP_NAMES:
        assert found[step] == pytest.approx(expected[step], abs=1e-12), step


@given(tasks)
def test_the_wrong_ways_agree_with_the_mistakes_sheets_reference(task: Task) -> None:
    own, judged, k, gain = task.grades, task.judged, task.k, task.gain
    firsts = [metrics.first_relevant_rank(each, relevant_from=task.relevant_from) for _, each in task.queries]
    elsewhere: Mapping[str, float] = {
        "exponential": wrong.ndcg_with_exponential_gain(own, judged, k),
        "log2_rank": wrong.ndcg_with_log2_of_rank(own, judged, k, gain=gain),
        "rank_discount": wrong.ndcg_with_rank_as_discount(own, judged, k, gain=gain),
        "ideal_returned": wrong.ndcg_ideal_from_returned(own, k, gain=gain),
        "ideal_top_k": wrong.ndcg_ideal_from_top_k(own, k, gain=gain),
        "binary": wrong.ndcg_binary(own, judged, k, relevant_from=task.relevant_from),
    }
    for name, value in elsewhere.items():
        if METHODS[name].applies(task):
            assert METHODS[name].values(task)["ndcg"] == pytest.approx((value,), abs=1e-12), name
    assert METHODS["mean_rank"].values(task)["mrr"] == pytest.approx((wrong.reciprocal_of_mean_rank(firsts),))
    uncut = Task(own, task.missed, k, task.queries, 8, gain, task.relevant_from)
    assert METHODS["dropped"].values(uncut)["mrr"] == pytest.approx((wrong.mean_of_answered(firsts),))
    assert METHODS["all_relevant"].values(uncut)["mrr"] == pytest.approx(
        (metrics.mean(wrong.mean_of_all_reciprocals(e, relevant_from=task.relevant_from) for _, e in task.queries),)
    )


@pytest.mark.parametrize("name", METHODS)
def test_a_method_changes_the_steps_it_says_and_no_other(name: str) -> None:
    method = METHODS[name]
    for seed in range(3):
        drawn = draw(seed).task
        task = replace(drawn, scores=tuple(range(9, 9 - len(drawn.grades), -1)))
        if name == "linear":
            task = replace(task, gain=EXPONENTIAL)
        way = answers(task, Way(**dict(method.choices)))
        differing = {step for step in STEP_NAMES if way[step] != pytest.approx(right(task)[step], abs=1e-9)}
        assert differing == {*method.steps}
        assert {step.track for step in STEPS if step.name in method.steps} == {method.track}
        assert method.values(task) == {step: way[step] for step in method.steps}


def test_two_mistakes_at_once_are_worked_out_together() -> None:
    both = together(EXAMPLE, [METHODS["log2_rank"], METHODS["ideal_returned"]])
    expected = (2 + 2 / math.log2(3)) / (3 + 2 + 2 / math.log2(3))
    assert both["ndcg"] == pytest.approx((expected,))
    assert both["ideal_grade"] == METHODS["ideal_returned"].values(EXAMPLE)["ideal_grade"]
    assert both["dcg"] == METHODS["log2_rank"].values(EXAMPLE)["dcg"]
    across: Answers = together(EXAMPLE, [METHODS["binary"], METHODS["no_cutoff"]])
    assert across["mrr"] == METHODS["no_cutoff"].values(EXAMPLE)["mrr"]
    assert across["ndcg"] == METHODS["binary"].values(EXAMPLE)["ndcg"]
    assert together(EXAMPLE, []) == {}


def test_a_public_question_is_explained_by_three_mistakes() -> None:
    """Somebody asked whether DCG 9.347, IDCG 2.06 and NDCG 4.533 are right for these scores and judgments."""
    task = Task(
        grades=(0, 0, 1, 1, 0, 0, 0),
        missed=(1,),
        k=7,
        queries=(("q", (1,)),),
        rr_k=7,
        scores=(3, 2.7, 2.1, 1.99, 1.59, 1.2, 0.5),
        listed=(1, 1, 0, 1),
    )
    dcg = together(task, [METHODS["scores"], METHODS["log2_rank"]])["dcg"][0]
    idcg = METHODS["ideal_unsorted"].values(task)["idcg"][0]
    assert dcg is not None
    assert idcg is not None
    assert (round(dcg, 3), round(idcg, 2)) == (9.347, 2.06)
    assert dcg / idcg == pytest.approx(4.533, abs=1e-3)
    assert right(task)["idcg"] == pytest.approx((1 + 1 / math.log2(3) + 1 / 2,))


def test_a_way_says_of_every_choice_which_steps_it_decides() -> None:
    assert {*AFFECTED} == {*Way.__dataclass_fields__}


def test_an_ideal_of_too_few_documents_leaves_cells_empty() -> None:
    values = METHODS["ideal_top_k"].values(EXAMPLE)
    assert [*values["ideal_grade"]] == [2, 2, 0, 0, None, None]
    assert all(len(values[step]) == len(right(EXAMPLE)[step]) for step in values)


def test_averaged_dcg_prefers_the_rich_query() -> None:
    assert dcg_averaged([(3, 2), (0, 1)], 2) == pytest.approx((3 + 3 / math.log2(3)) / 2)


@pytest.mark.parametrize("language", sorted(languages()))
def test_every_method_is_explained_in_every_language(language: str) -> None:
    text = languages()[language]
    for name in [*METHODS, "dcg_averaged"]:
        title, why = text.get("homework", "method", name, "title"), text.get("homework", "method", name, "why")
        assert len(title) <= 60, name
        assert 40 < len(why) <= 200, name
    assert {*text.words["homework"]["method"]} == {*METHODS, "dcg_averaged"}


@given(tasks)
def test_a_task_survives_json(task: Task) -> None:
    assert Task.from_json(task.to_json()) == task


def test_every_fault_of_a_task_is_named_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Task((1, math.nan), (), 0, (), 2, relevant_from=math.inf, scores=(1,))
    with pytest.raises(InputError, match="other grades"):
        Task((1, 0), (2,), 2, QUERIES, 2, listed=(1, 0))
    for column in ("grades", "k", "queries", "relevant_from", "scores"):
        assert any(fault.column == column for fault in caught.value.faults), column


def test_every_fault_of_a_task_in_a_file_is_named_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Task.from_json({"grades": [1, "two"], "k": True, "queries": [["q"]], "gain": "cubic", "rank": 3}, file="m.json")
    said = str(caught.value)
    for part in ("grades", "k:", "queries", "cubic", "rr_k", "missed", "m.json, rank: there is no such key"):
        assert part in said
    with pytest.raises(InputError, match="this is no task"):
        Task.from_json([])
