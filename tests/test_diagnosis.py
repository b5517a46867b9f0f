"""Why a number is wrong: every wrong method is recognised and named, alone or two at once, and one slip costs once."""

import math
from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbook_builder.gain import EXPONENTIAL
from workbook_builder.homework.agreement import agrees
from workbook_builder.homework.carried import Values, from_own, is_missing
from workbook_builder.homework.diagnosis import diagnose
from workbook_builder.homework.draw import draw
from workbook_builder.homework.finding import Finding
from workbook_builder.homework.methods import METHODS, methods_of, together
from workbook_builder.homework.steps import STEP_NAMES, right
from workbook_builder.homework.task import Task
from workbook_builder.homework.ways import RIGHT

QUERIES = (
    ("q1", (3, 0, 2, 3, 1, 0)),
    ("q2", (0, 0, 0, 0, 0, 2)),
    ("q3", (1, 3, 2, 1, 0, 2)),
    ("q4", (0, 1, 1, 2, 0, 0)),
    ("q5", (0, 0, 0, 0, 2, 2)),
    ("q6", (0, 0, 0, 0, 0, 0)),
)
TASK = Task((1, 1, 0, 3, 0, 3), (1, 3), 4, QUERIES, 4, scores=(9, 7.5, 6, 4.5, 4, 1))
RIGHT_ANSWERS = right(TASK)

grade = st.integers(0, 3).map(float)
tasks = st.builds(
    Task,
    st.lists(grade, min_size=1, max_size=7).map(tuple),
    st.lists(grade, max_size=3).map(tuple),
    st.integers(1, 8),
    st.lists(st.lists(grade, max_size=6).map(tuple), min_size=1, max_size=5).map(
        lambda lists: tuple((f"q{number}", each) for number, each in enumerate(lists))
    ),
    st.integers(1, 6),
)


def names(findings: Mapping[str, Finding]) -> set[str]:
    return {name for each in findings.values() for name in each.methods}


def statuses(findings: Mapping[str, Finding]) -> dict[str, str]:
    return {step: each.status for step, each in findings.items() if each.status != "right"}


def rounded(values: Values, digits: int = 3) -> Values:
    return tuple(None if value is None else round(value, digits) for value in values)


def close(one: Values, other: Values) -> bool:
    return len(one) == len(other) and all(
        a is b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12))
        for a, b in zip(one, other, strict=True)
    )


@given(tasks)
def test_worked_out_from_the_right_values_every_step_is_the_references(task: Task) -> None:
    """The marker's follow-through and the reference were written apart."""
    answers = right(task)
    for step in STEP_NAMES:
        assert close(from_own(task, answers, step), answers[step]), step


@pytest.mark.parametrize("name", METHODS)
def test_from_the_inputs_alone_a_way_gives_what_its_method_gives(name: str) -> None:
    task = TASK if name != "linear" else exponential_task()
    way = type(RIGHT)(**dict(METHODS[name].choices))
    for step, values in METHODS[name].values(task).items():
        if step != "idcg" or name != "ideal_uncut":
            assert close(from_own(task, {}, step, way), values), step


def exponential_task() -> Task:
    return Task(TASK.grades, TASK.missed, TASK.k, TASK.queries, TASK.rr_k, EXPONENTIAL)


@given(tasks)
def test_right_answers_are_right_also_rounded_to_the_digits_asked(task: Task) -> None:
    answers = {step: rounded(values) for step, values in right(task).items()}
    assert statuses(diagnose(task, answers)) == {}


@pytest.mark.parametrize("name", [name for name in METHODS if name != "linear"])
def test_a_wrong_method_is_named_and_nothing_else_is(name: str) -> None:
    findings = diagnose(TASK, {**RIGHT_ANSWERS, **METHODS[name].values(TASK)})
    assert names(findings) == {name}
    assert [each.status for each in findings.values()].count("wrong") == 1, "one slip costs its own step"
    assert {each.share for each in findings.values() if each.status not in ("wrong", "nowhere")} == {1.0}


@pytest.mark.parametrize("digits", [None, 3])
@pytest.mark.parametrize("name", [name for name in METHODS if name not in ("linear", "scores")])
def test_a_wrong_method_is_known_by_each_step_alone(name: str, digits: int | None) -> None:
    for step, values in METHODS[name].values(TASK).items():
        own = {step: values if digits is None else rounded(values, digits)}
        (finding,) = diagnose(TASK, own, asked=[step]).values()
        assert (finding.status, finding.methods) == ("wrong", (name,)), step


@pytest.mark.parametrize("name", [name for name in METHODS if name not in ("linear", "scores")])
def test_values_beside_those_of_a_method_are_not_taken_for_it(name: str) -> None:
    """The diagnosis can fail: two thousandths off, and the name is gone."""
    for step, values in METHODS[name].values(TASK).items():
        own = {step: tuple(None if value is None else value + 0.002 for value in values)}
        if step != "first_relevant" and own[step] != values:
            (finding,) = diagnose(TASK, own, asked=[step]).values()
            assert name not in finding.methods or len(finding.methods) > 1, step


def test_linear_gain_where_exponential_was_asked_is_named() -> None:
    task = exponential_task()
    assert names(diagnose(task, {**right(task), **METHODS["linear"].values(task)})) == {"linear"}


@pytest.mark.parametrize(
    "pair",
    [
        ("exponential", "ideal_returned"),
        ("log2_rank", "ideal_uncut"),
        ("binary", "ideal_top_k"),
        ("rank_discount", "ideal_perfect"),
        ("log2_rank", "scores"),
        ("threshold", "dropped_zeros"),
    ],
)
def test_two_causes_at_once_are_both_found(pair: tuple[str, str]) -> None:
    """Also when only the last number was asked for."""
    both = together(TASK, [METHODS[name] for name in pair])
    assert names(diagnose(TASK, {**RIGHT_ANSWERS, **both})) == {*pair}
    last = "mrr" if METHODS[pair[0]].track == "mrr" else "ndcg"
    (finding,) = diagnose(TASK, {last: rounded(both[last], 4)}, asked=[last], digits=4).values()
    assert {*finding.methods} == {*pair}


@pytest.mark.parametrize(
    ("digits", "dcg", "idcg", "ndcg"),
    [(2, 9.347, 2.06, 4.533), (3, 9.347, 2.062, 4.533), (6, 9.347055, 2.061606, 4.533870)],
)
def test_a_public_question_is_explained_with_all_three_causes(
    digits: int, dcg: float, idcg: float, ndcg: float
) -> None:
    """Seven scored results, four judgments listed as relevant, relevant, not relevant, relevant: an NDCG of 4.533.

    The DCG sums the predicted scores over log2(rank), the ideal is the list of judgments as it stands, and NDCG is
    their ratio. (4.5339 was cut off to 4.533.)
    """
    task = Task(
        grades=(0, 0, 1, 1, 0, 0, 0),
        missed=(1,),
        k=7,
        queries=(("any", (1,)),),
        rr_k=1,
        highest=1,
        scores=(3.0, 2.7, 2.1, 1.99, 1.59, 1.2, 0.5),
        listed=(1.0, 1.0, 0.0, 1.0),
    )
    own = {"dcg": (dcg,), "idcg": (idcg,), "ndcg": (ndcg,)}
    findings = diagnose(task, own, asked=["dcg", "idcg", "ndcg"], digits=digits)
    assert findings["dcg"].methods == ("log2_rank", "scores")
    assert findings["idcg"].methods == ("ideal_unsorted",)
    assert findings["ndcg"].status == "nowhere", "it is the ratio of the two, and no NDCG is above 1"
    assert {each.share for each in findings.values()} == {0.0}


def test_one_slip_costs_its_own_step_and_what_follows_is_carried() -> None:
    own = dict(RIGHT_ANSWERS)
    own["discounted_gain"] = (1.0, 0.7, *RIGHT_ANSWERS["discounted_gain"][2:])
    own["dcg"] = from_own(TASK, own, "dcg")
    own["ndcg"] = from_own(TASK, own, "ndcg")
    findings = diagnose(TASK, own)
    assert statuses(findings) == {"discounted_gain": "partly", "dcg": "carried", "ndcg": "carried"}
    assert findings["discounted_gain"].share == pytest.approx(5 / 6)
    assert names(findings) == set()


def test_a_second_slip_after_the_first_costs_too() -> None:
    own = dict(RIGHT_ANSWERS)
    own["dcg"] = (2.5,)
    own["ndcg"] = (0.4,)
    assert statuses(diagnose(TASK, own)) == {"dcg": "wrong", "ndcg": "wrong"}


def test_a_wrong_method_used_on_carried_values_is_named_as_well() -> None:
    own = {**RIGHT_ANSWERS, "reciprocal_rank": (1.0, 0.2, 1.0, 0.5, 0.0, 0.0), "mrr": (2.7 / 4,)}
    findings = diagnose(TASK, own)
    assert findings["mrr"].status == "wrong"
    assert findings["mrr"].methods == ("dropped_zeros",)


@pytest.mark.parametrize(
    ("earlier", "step"),
    [
        ({"discounted_gain": (0.0,) * 6}, "dcg"),
        ({"discounted_gain": (1.0,) * 6}, "dcg"),
        ({"ideal_grade": (0.0,) * 6}, "ideal_discounted_gain"),
        ({"ideal_grade": (1.0,) * 6}, "ideal_discounted_gain"),
        ({"dcg": (0.0,)}, "ndcg"),
        ({"dcg": (9.0,)}, "ndcg"),
        ({"dcg": (-1.0,)}, "ndcg"),
        ({"dcg": (1.0,), "idcg": (1.0,)}, "ndcg"),
        ({"idcg": (0.0,)}, "ndcg"),
        ({"idcg": (2.0,)}, "ndcg"),
        ({"first_relevant": (1.0,) * 6}, "reciprocal_rank"),
        ({"first_relevant": (None,) * 6}, "reciprocal_rank"),
        ({"first_relevant": (1.5, 1.0, 2.0, 2.0, 3.0, None)}, "reciprocal_rank"),
        ({"reciprocal_rank": (0.0,) * 6}, "mrr"),
        ({"reciprocal_rank": (1.0,) * 6}, "mrr"),
        ({"reciprocal_rank": (3.0, 0.0, 0.5, 0.5, 0.0, 0.0)}, "mrr"),
        ({"reciprocal_rank": (-1.0, 0.0, 0.5, 0.5, 0.0, 0.0)}, "mrr"),
    ],
)
def test_what_follows_from_trivial_or_impossible_values_earns_nothing(earlier: dict[str, Values], step: str) -> None:
    own: dict[str, Values] = {**RIGHT_ANSWERS, **earlier}
    own[step] = from_own(TASK, own, step)
    finding = diagnose(TASK, own)[step]
    assert finding.share < 1
    assert not finding.carried


def test_rounded_on_the_way_is_no_slip() -> None:
    """Gains rounded to the digits asked, then summed: the sum is off in the last digit, and nothing is wrong."""
    task = Task((1, 2, 1, 2, 1, 3, 1), (3, 3), 7, QUERIES, 4)
    own: dict[str, Values] = {**right(task), "discounted_gain": rounded(right(task)["discounted_gain"], 1)}
    own["dcg"] = (math.fsum(value or 0.0 for value in own["discounted_gain"]),)
    findings = diagnose(task, own, digits=1)
    assert findings["dcg"].status == "right"


def test_a_convention_that_is_allowed_is_accepted_and_named() -> None:
    own = {**RIGHT_ANSWERS, **METHODS["exponential"].values(TASK)}
    findings = diagnose(TASK, own, allowed=["exponential"])
    assert {each.share for each in findings.values()} == {1.0}
    assert statuses(findings) == dict.fromkeys(METHODS["exponential"].steps, "accepted")
    assert names(findings) == {"exponential"}


def test_what_follows_by_an_allowed_convention_from_a_slip_is_carried() -> None:
    own: dict[str, Values] = {**RIGHT_ANSWERS, **METHODS["exponential"].values(TASK)}
    own["ideal_grade"] = (3.0, 3.0, 2.0, *RIGHT_ANSWERS["ideal_grade"][3:])
    exponential = type(RIGHT)(gain="exponential")
    own["ideal_discounted_gain"] = from_own(TASK, own, "ideal_discounted_gain", exponential)
    for step in ("idcg", "ndcg"):
        own[step] = from_own(TASK, own, step)
    findings = diagnose(TASK, own, allowed=["exponential"])
    assert statuses(findings) == {
        "discounted_gain": "accepted",
        "dcg": "accepted",
        "ideal_grade": "partly",
        **dict.fromkeys(("ideal_discounted_gain", "idcg", "ndcg"), "carried"),
    }


def test_a_slip_beside_an_allowed_convention_is_not_taken_for_it() -> None:
    own: dict[str, Values] = {**RIGHT_ANSWERS, "discounted_gain": (1.0, 0.7, *RIGHT_ANSWERS["discounted_gain"][2:])}
    own["dcg"] = from_own(TASK, own, "dcg")
    assert diagnose(TASK, own, allowed=["exponential"])["dcg"].status == "carried"
    own = {**RIGHT_ANSWERS, "discounted_gain": (0.0,) * 6, "dcg": (0.0,), "ndcg": (0.0,)}
    findings = diagnose(TASK, own, allowed=["exponential"])
    assert [findings[step].share for step in ("dcg", "ndcg")] == [0.0, 0.0]


def test_two_conventions_that_are_each_allowed_do_not_mix() -> None:
    other = METHODS["exponential"].values(TASK)
    own: dict[str, Values] = {**RIGHT_ANSWERS, "discounted_gain": other["discounted_gain"], "dcg": other["dcg"]}
    own["ndcg"] = from_own(TASK, own, "ndcg")
    finding = diagnose(TASK, own, allowed=["exponential"])["ndcg"]
    assert (finding.status, finding.remark, finding.share) == ("wrong", "mixed", 0.0)


NDCG = RIGHT_ANSWERS["ndcg"][0] or 0.0


@pytest.mark.parametrize(("value", "remark"), [(round(NDCG, 2), "coarse"), (100 * NDCG, "hundredfold")])
def test_what_is_nearly_right_is_said_to_be(value: float, remark: str) -> None:
    finding = diagnose(TASK, {**RIGHT_ANSWERS, "ndcg": (value,)})["ndcg"]
    assert (finding.status, finding.methods, finding.remark) == ("wrong", (), remark)


def test_an_answer_that_is_missing_or_unreadable_stops_nothing_else() -> None:
    own = dict(RIGHT_ANSWERS)
    own["discounted_gain"] = (math.nan, *RIGHT_ANSWERS["discounted_gain"][1:])
    del own["idcg"]
    findings = diagnose(TASK, own)
    assert statuses(findings) == {"discounted_gain": "partly", "idcg": "blank"}
    assert findings["discounted_gain"].share == pytest.approx(5 / 6)


def test_a_sum_that_passes_over_an_unreadable_cell_is_carried() -> None:
    own: dict[str, Values] = {**RIGHT_ANSWERS, "reciprocal_rank": (math.nan, *RIGHT_ANSWERS["reciprocal_rank"][1:])}
    own["mrr"] = from_own(TASK, own, "mrr")
    assert own["mrr"] != RIGHT_ANSWERS["mrr"]
    assert statuses(diagnose(TASK, own)) == {"reciprocal_rank": "partly", "mrr": "carried"}


def test_a_method_followed_in_some_cells_only_is_named_and_the_others_earn_their_part() -> None:
    wrong = METHODS["rank_discount"].values(TASK)["discounted_gain"]
    own = {**RIGHT_ANSWERS, "discounted_gain": (*RIGHT_ANSWERS["discounted_gain"][:4], *wrong[4:])}
    finding = diagnose(TASK, own)["discounted_gain"]
    assert (finding.status, finding.methods, finding.remark) == ("partly", ("rank_discount",), "some_cells")


def test_what_two_methods_explain_alike_gets_no_name_and_both_are_listed() -> None:
    """From reciprocal ranks without a cut-off, leaving out either kind of query leaves out the same."""
    both = together(TASK, [METHODS["no_cutoff"], METHODS["dropped"]])
    finding = diagnose(TASK, {**RIGHT_ANSWERS, **both})["mrr"]
    assert finding.methods == ()
    assert finding.either == (("dropped",), ("dropped_zeros",))


def test_cells_too_few_or_too_many_are_taken_as_far_as_they_go() -> None:
    own = {
        **RIGHT_ANSWERS,
        "discounted_gain": RIGHT_ANSWERS["discounted_gain"][:4],
        "dcg": (*RIGHT_ANSWERS["dcg"], 9.0),
    }
    assert statuses(diagnose(TASK, own)) == {"discounted_gain": "partly"}


@given(tasks, st.sampled_from(STEP_NAMES), st.integers(0, 9), st.floats(0.01, 0.5))
def test_a_slip_in_one_cell_costs_that_cell_and_nothing_that_follows(
    task: Task, step: str, place: int, slip: float
) -> None:
    """Unless what follows from it is trivial or impossible, which earns nothing."""
    own = dict(right(task))
    cells = list(own[step])
    place %= len(cells)
    cells[place] = (cells[place] or 0.0) + slip
    own[step] = tuple(cells)
    for later in STEP_NAMES[STEP_NAMES.index(step) + 1 :]:
        own[later] = from_own(task, own, later)
    # A gain that is none of the scale's is not known, so nothing is worked out from it.
    own = {name: values for name, values in own.items() if not any(map(is_missing, values))}
    findings = diagnose(task, own, digits=6)
    assert findings[step].status in ("partly", "wrong")
    for later in STEP_NAMES[STEP_NAMES.index(step) + 1 :]:
        assert findings[later].status in ("right", "carried", "nowhere", "blank"), later


@given(st.floats(-50, 50).map(lambda value: round(value, 9)), st.integers(2, 6))
def test_a_value_rounded_or_cut_off_agrees_and_one_a_unit_away_does_not(value: float, digits: int) -> None:
    unit = 10.0**-digits
    assert agrees(round(value, digits), value, digits)
    cut_off = Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_DOWN)
    assert agrees(float(cut_off), value, digits)
    assert not agrees(value + 1.6 * unit, value, digits)
    assert not agrees(None, value, digits)


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(STEP_NAMES), st.lists(st.none() | st.floats(), max_size=8).map(tuple)))
def test_no_answer_whatever_makes_the_marker_stumble(own: dict[str, Values]) -> None:
    findings = diagnose(TASK, own)
    assert list(findings) == list(STEP_NAMES)
    assert all(0 <= each.share <= 1 for each in findings.values())


@pytest.fixture(scope="module")
def five_hundred() -> list[Task]:
    return [draw(number).task for number in range(500)]


def test_on_500_variants_every_wrong_method_is_diagnosed_as_itself_and_nothing_else(five_hundred: list[Task]) -> None:
    """Values as a formula gives them in every other variant, rounded to the digits asked in the rest."""
    mistaken, made = [], 0
    for number, task in enumerate(five_hundred):
        answers = right(task)
        for name, method in methods_of(task).items():
            own = {**answers, **method.values(task)}
            if number % 2:
                own = {step: rounded(values) for step, values in own.items()}
            findings = diagnose(task, own)
            made += 1
            if names(findings) != {name}:
                mistaken.append((number, name, names(findings)))
    assert made >= 500 * (len(METHODS) - 2), "linear gain and scores are right or unknown in these variants"
    assert mistaken == []


def test_on_500_variants_a_right_submission_gets_full_marks(five_hundred: list[Task]) -> None:
    for task in five_hundred:
        findings = diagnose(task, {step: rounded(values) for step, values in right(task).items()})
        assert {each.status for each in findings.values()} == {"right"}
