"""The kinds of yellow cells: what each accepts, how it is written, read back and guarded by the spreadsheet."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from openpyxl.worksheet.datavalidation import DataValidation

from workbook_builder.inputs import Convention
from workbook_builder.steps import Value
from workbook_builder.text import languages


@dataclass(frozen=True)
class Scope:
    """What a cell's limits depend on: the workbook's convention, and the largest k or rank the sheet can show."""

    convention: Convention
    most: int


@dataclass(frozen=True)
class Kind:
    """One kind of input.

    `read` turns a cell's value into an input value and raises ValueError, with what is allowed, when it cannot;
    `rule` is the spreadsheet's validation of the same; `style` names the cell style; `says_none` shows a blank as the
    word for none.
    """

    read: Callable[[object, Scope], Value]
    rule: Callable[[Scope, str], DataValidation]
    style: str = "Input"
    says_none: bool = False


def none_words() -> frozenset[str]:
    """The word for "no rank" in every language, lower case."""
    return frozenset(text.get("words", "none").casefold() for text in languages().values())


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value


def _grade(value: object, scope: Scope) -> Value:
    low, high = scope.convention.lowest, scope.convention.highest
    if value is None:
        return None
    number = _number(value)
    if number is None or not low <= number <= high:
        raise ValueError(f"Give a grade from {low:g} to {high:g}.")
    return number


def _whole(value: object, scope: Scope) -> Value:
    number = _number(value)
    if number is None or number != int(number) or not 1 <= number <= scope.most:
        raise ValueError(f"Give a whole number from 1 to {scope.most}; build --input makes room for more.")
    return int(number)


def _first_rank(value: object, _: Scope) -> Value:
    if value is None or (isinstance(value, str) and value.strip().casefold() in none_words()):
        return None
    number = _number(value)
    if number is None or number != int(number) or number < 1:
        raise ValueError("Give a whole number from 1, or none.")
    return int(number)


def _text(value: object, _: Scope) -> Value:
    return "" if value is None else str(value)


def _any_number(value: object, _: Scope) -> Value:
    if (number := _number(value)) is None:
        raise ValueError("Give a number.")
    return number


def _score(value: object, _: Scope) -> Value:
    if value is not None and _number(value) is None:
        raise ValueError("Give a number, or leave it empty.")
    return _number(value)


def _gain(value: object, _: Scope) -> Value:
    if (number := _number(value)) is None or number < 0:
        raise ValueError("Give a number from 0 up.")
    return number


def _threshold(value: object, _: Scope) -> Value:
    if (number := _number(value)) is None or number <= 0:
        raise ValueError("Give a number above 0.")
    return number


def _grade_rule(scope: Scope, _: str) -> DataValidation:
    low, high = scope.convention.lowest, scope.convention.highest
    whole = low == int(low) and high == int(high)
    return DataValidation(
        "whole" if whole else "decimal", operator="between", formula1=f"{low:g}", formula2=f"{high:g}"
    )


def _first_rank_rule(_: Scope, cell: str) -> DataValidation:
    words = ",".join(f'{cell}="{word}"' for word in sorted(none_words()))
    return DataValidation("custom", formula1=f"OR({words},IFERROR(AND({cell}>=1,{cell}=INT({cell})),FALSE))")


def _answer(value: object, _: Scope) -> Value:
    return value if value is None or isinstance(value, str) else _number(value)


def _answer_rule(_: Scope, __: str) -> DataValidation:
    """Says what is expected, and lets the student go on all the same."""
    return DataValidation("decimal", operator="between", formula1="0", formula2="1000000", errorStyle="warning")


def _any_text_rule(*_: object) -> DataValidation:
    return DataValidation("textLength", operator="lessThan", formula1="32768", errorStyle="information")


KINDS: Mapping[str, Kind] = {
    "grade": Kind(_grade, _grade_rule),
    "cutoff": Kind(
        _whole, lambda scope, _: DataValidation("whole", operator="between", formula1="1", formula2=str(scope.most))
    ),
    "rank": Kind(
        _whole, lambda scope, _: DataValidation("whole", operator="between", formula1="1", formula2=str(scope.most))
    ),
    "first_rank": Kind(_first_rank, _first_rank_rule, says_none=True),
    "place": Kind(_first_rank, _first_rank_rule, says_none=True),
    "query": Kind(_text, lambda *_: DataValidation("textLength", operator="lessThan", formula1="32768"), "Input text"),
    "document": Kind(
        _text, lambda *_: DataValidation("textLength", operator="lessThan", formula1="32768"), "Input text"
    ),
    "number": Kind(_any_number, lambda *_: DataValidation("decimal", operator="greaterThan", formula1="-1000000")),
    "free_grade": Kind(_any_number, lambda *_: DataValidation("decimal", operator="greaterThan", formula1="-1000000")),
    "score": Kind(_score, lambda *_: DataValidation("decimal", operator="greaterThan", formula1="-1000000")),
    "gain": Kind(_gain, lambda *_: DataValidation("decimal", operator="greaterThanOrEqual", formula1="0")),
    "worth": Kind(_gain, lambda *_: DataValidation("decimal", operator="greaterThanOrEqual", formula1="0")),
    "answer": Kind(_answer, _answer_rule, "Answer number"),
    "whole_answer": Kind(_answer, _answer_rule, "Input grade"),
    "rank_answer": Kind(_answer, _any_text_rule, "Input grade"),
    "choice": Kind(_answer, _any_text_rule, "Input text"),
    "explanation": Kind(_answer, _any_text_rule, "Answer start"),
    "threshold": Kind(_threshold, lambda *_: DataValidation("decimal", operator="greaterThan", formula1="0")),
}


def most_of(values: Iterable[Value], shown: int) -> int:
    """The largest k or rank a cell accepts: the ranks shown, or what it already holds when that is larger."""
    return max([1, shown, *(int(value) for value in values if isinstance(value, int | float))])
