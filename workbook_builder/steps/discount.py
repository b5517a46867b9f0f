"""Discount: what a gain is worth at each rank, under DCG's discount and under two that are taken for it."""

from workbook_builder import metrics, other_discounts
from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps.values import Inputs, Values, given_numbers

RANKS = 20


def inputs(_: Exercise) -> Inputs:
    """A gain of 1, whatever the exercise: the curves are about ranks alone."""
    return {"one_gain": (1.0,)}


def expected(given: Inputs, _: Convention) -> Values:
    """The discounts of each rank, and the gain divided by each; at rank 1 log2(rank) divides by 0."""
    (gain,) = given_numbers(given["one_gain"])
    discounts, logs = metrics.discounts(RANKS), other_discounts.log2_of_rank(RANKS)
    return {
        "discount": tuple(discounts.tolist()),
        "worth": tuple(gain / discount for discount in discounts),
        "log_of_rank": tuple(logs.tolist()),
        "worth_by_log_of_rank": ("divides_by_zero", *(gain / logs[1:]).tolist()),
        "worth_by_rank": tuple((gain / other_discounts.rank_itself(RANKS)).tolist()),
        "check": ("inputs_fine",),
    }
