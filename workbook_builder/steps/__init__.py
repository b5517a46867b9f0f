"""The reference's side of each lesson: its inputs and, worked out with `metrics`, the value of every named cell.

One module a lesson, named like its file in `templates/lessons/`. These modules never see a formula or an address.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbook_builder.inputs import Convention, Exercise
from workbook_builder.steps import (
    averages,
    conventions,
    discount,
    gain,
    ideal_list,
    mistakes,
    ndcg_by_k,
    order_matters,
    reciprocal_rank,
    start_here,
    swap_two,
    which_metric,
    worked_example,
)
from workbook_builder.steps.values import Inputs, Value, Values

__all__ = ["STEPS", "Inputs", "Steps", "Value", "Values"]


def no_misfits(_: Inputs) -> Mapping[str, str]:
    """Any allowed inputs go together."""
    return {}


@dataclass(frozen=True)
class Steps:
    """`inputs` fills a lesson's yellow cells from an exercise; `expected` works out its formula cells from them.

    `misfits` names, with a remedy, the inputs that are each allowed but cannot stand together; `exercise` is the way
    back, for lessons whose cells hold a whole exercise.
    """

    inputs: Callable[[Exercise], Inputs]
    expected: Callable[[Inputs, Convention], Values]
    misfits: Callable[[Inputs], Mapping[str, str]] = no_misfits
    exercise: Callable[[Inputs, Convention], Exercise] | None = None


STEPS: Mapping[str, Steps] = {
    "worked_example": Steps(
        worked_example.inputs, worked_example.expected, worked_example.misfits, worked_example.exercise
    ),
    "start_here": Steps(start_here.inputs, start_here.expected),
    "order_matters": Steps(order_matters.inputs, order_matters.expected),
    "reciprocal_rank": Steps(reciprocal_rank.inputs, reciprocal_rank.expected),
    "discount": Steps(discount.inputs, discount.expected),
    "gain": Steps(gain.inputs, gain.expected),
    "ideal_list": Steps(ideal_list.inputs, ideal_list.expected),
    "ndcg_by_k": Steps(ndcg_by_k.inputs, ndcg_by_k.expected),
    "swap_two": Steps(swap_two.inputs, swap_two.expected),
    "averages": Steps(averages.inputs, averages.expected),
    "which_metric": Steps(which_metric.inputs, which_metric.expected),
    "mistakes": Steps(mistakes.inputs, mistakes.expected),
    "conventions": Steps(conventions.inputs, conventions.expected),
}
