"""A student's inputs follow from the id and the assignment alone, and let no wrong method pass for another answer."""

import os
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbook_builder import EXPONENTIAL, Gain, InputError
from workbook_builder.homework.draw import DEFAULT_SHAPE, Shape, draw, draw_once, seed_of
from workbook_builder.homework.methods import METHODS, methods_of
from workbook_builder.homework.separate import APART, Collision, apart, at_edge, collisions, distance
from workbook_builder.homework.steps import STEPS, right
from workbook_builder.homework.stress import chance
from workbook_builder.homework.task import Task

EXAMPLE = Task((0, 2, 2, 0, 3, 0), (1, 1), 4, (("q1", (1,)),), 4)


@settings(max_examples=60)
@given(st.integers(0, 2**256 - 1))
def test_no_drawn_task_lets_two_answers_look_alike(seed: int) -> None:
    """Worked out here once more, without `collisions`."""
    task = draw(seed).task
    answer = right(task)
    for step in STEPS:
        wrong = {
            name: values[step.name]
            for name, method in methods_of(task).items()
            if step.name in (values := method.values(task))
        }
        listed = [answer[step.name], *wrong.values()]
        gaps = [
            max(abs((a or 0) - (b or 0)) for a, b in zip(one, other, strict=True))
            for at, one in enumerate(listed)
            for other in listed[:at]
        ]
        assert min(gaps, default=1) >= APART, step.name
        for value in answer[step.name]:
            assert value is None or abs(value * 1000 % 1 - 0.5) > 1e-3, "a rounding edge"
    assert collisions(task) == ()


@pytest.mark.parametrize(
    "shape",
    [
        replace(DEFAULT_SHAPE, gain=EXPONENTIAL),
        replace(DEFAULT_SHAPE, gain=Gain.parse("0=0,1=.2,2=.5,3=1,4=3")),
        replace(DEFAULT_SHAPE, relevant_from=2),
        replace(DEFAULT_SHAPE, digits=2),
        replace(DEFAULT_SHAPE, digits=5),
        replace(DEFAULT_SHAPE, pool=(0, 1, 2, 3)),
        replace(DEFAULT_SHAPE, pool=(0,) * 30 + (1, 2, 2, 3)),
        Shape(ranks=6, missed=2, k=4, pool=(0, 1, 2, 3)),
    ],
    ids=["exponential", "table", "threshold 2", "2 digits", "5 digits", "grades 0 to 3", "mostly 0", "six ranks"],
)
def test_every_kind_of_exercise_can_be_separated(shape: Shape) -> None:
    for seed in range(3):
        task = draw(seed, shape).task
        assert collisions(task, digits=shape.digits) == ()
        assert {*task.grades, *task.missed} <= {*shape.pool}
        assert (len(task.grades), len(task.missed), len(task.queries)) == (shape.ranks, shape.missed, shape.queries)
        assert max(task.judged) == task.highest


def test_chance_alone_lets_a_wrong_method_pass_in_half_of_all_exercises() -> None:
    """Why tasks are redrawn: grades 0 to 3, six ranks, two missed, k = 4."""
    found = chance(600)
    assert 0.45 < found.passes < 0.60
    assert found.passes < found.near < 0.70
    assert found.inseparable > 0.9
    assert "0.005" in str(found)


def test_the_separating_example_separates_every_ndcg_and_not_every_step() -> None:
    found = collisions(EXAMPLE, track="ndcg")
    assert [each for each in found if each.step == "ndcg"] == []
    assert Collision("dcg", "log2_rank", "natural_log") in found, "3.2619 and 3.2632"


def test_a_ranking_without_misses_lets_the_returned_ideal_pass() -> None:
    found = collisions(replace(EXAMPLE, missed=(0,)), track="ndcg")
    assert Collision("ndcg", "right", "ideal_returned") in found


@pytest.mark.parametrize("name", METHODS)
def test_a_collision_with_any_method_is_found(name: str) -> None:
    """Spoiled on purpose: nothing judged has a gain, and no query has a relevant result."""
    nothing = Task((0, 0, 0), (0,), 2, (("q1", (0, 0)), ("q2", (0,))), 2, scores=(0, 0, 0))
    task = replace(nothing, gain=EXPONENTIAL) if name == "linear" else nothing
    if name == "ideal_perfect":
        assert ("ndcg", "right", name) in collisions(task)
        return
    last = METHODS[name].steps[-1]
    assert (last, "right", name) in collisions(task)


def test_only_what_is_asked_for_must_be_apart() -> None:
    assert collisions(EXAMPLE, asked=("ndcg",), track="ndcg") == ()
    assert {each.step for each in collisions(EXAMPLE, asked=("dcg", "idcg"))} <= {"dcg", "idcg"}


def test_an_answer_between_two_rounded_ones_is_an_edge() -> None:
    assert at_edge(0.0625, 3)
    assert at_edge(0.0625 + 9e-7, 3)
    assert not at_edge(0.0625 + 2e-6, 3)
    assert not at_edge(0.125, 3)
    assert at_edge(0.125, 2)
    assert not at_edge(None, 3)
    sixteen = Task((1, 0), (0,), 2, tuple((f"q{n}", (1.0,) if n == 1 else (0.0,)) for n in range(1, 17)), 1)
    assert ("mrr", "right", "rounding edge") in collisions(sixteen), "MRR is 1/16"


def test_answers_apart_stay_apart_when_rounded() -> None:
    assert apart(3) == APART
    assert round(0.3949, 2) != round(0.3949 + apart(2), 2)
    assert distance((1, None), (1, 0)) == 0


def test_the_same_seed_gives_the_same_task_in_any_process() -> None:
    program = (
        "from workbook_builder.homework.draw import draw, seed_of;"
        "print([draw(seed_of(who, 'homework')) for who in ('003', '3', 'é')])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "LC_ALL": locale},
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        ).stdout
        for hash_seed, locale in (("0", "C"), ("1", "C.UTF-8"))
    }
    assert len(said) == 1
    assert said == {f"{[draw(seed_of(who, 'homework')) for who in ('003', '3', 'é')]}\n"}


def test_a_student_has_the_same_inputs_as_ever() -> None:
    """Another wrong method, another shape: whatever changes this changes every exercise already handed out."""
    drawn = draw(seed_of("003", "homework"))
    assert drawn.redraws == FROZEN_REDRAWS
    assert drawn.task.grades == FROZEN


FROZEN_REDRAWS = 54
FROZEN = (4, 0, 1, 1, 0, 3, 1, 4)


def test_id_and_assignment_both_decide() -> None:
    seeds = {seed_of("a", "b"), seed_of("b", "a"), seed_of("ab", ""), seed_of("", "ab"), seed_of("a", "b", "salt")}
    assert len(seeds) == 5
    assert all(0 <= seed < 2**256 for seed in seeds)


@pytest.mark.parametrize(
    ("shape", "agreeing"),
    [
        (replace(DEFAULT_SHAPE, pool=(0, 1)), r"exponential agree on \w+"),
        (replace(DEFAULT_SHAPE, gain=Gain.parse("0=0,1=.1,2=.3,3=.6,4=1")), "ideal_perfect and binary agree on idcg"),
    ],
)
def test_a_pool_or_a_gain_that_cannot_separate_is_refused_with_the_methods_that_agree(
    shape: Shape, agreeing: str
) -> None:
    with pytest.raises(InputError, match=f"did not tell every method apart.*{agreeing}"):
        draw(1, shape)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (replace(DEFAULT_SHAPE, pool=(1, 2, 3)), "no grade that is not relevant"),
        (replace(DEFAULT_SHAPE, pool=(0,)), "no grade that is relevant"),
        (replace(DEFAULT_SHAPE, pool=()), "no grade that is relevant"),
        (replace(DEFAULT_SHAPE, k=9), "k is above the 8 ranks"),
        (replace(DEFAULT_SHAPE, queries=0), "queries is below 1"),
        (replace(DEFAULT_SHAPE, gain=Gain.parse("0=0,1=1")), "no gain is given for the grade"),
    ],
)
def test_a_shape_that_makes_no_exercise_is_refused(shape: Shape, said: str) -> None:
    with pytest.raises(InputError, match=said):
        draw(1, shape)


def test_chance_is_the_same_for_the_same_seed() -> None:
    assert draw_once(Random(3)) == draw_once(Random(3))
