"""Every number the lesson's text prints stands on a sheet, from a live formula."""

import pytest

from workbook_builder import build
from workbook_builder.cached import read_cells

PRINTED = [
    (
        "Worked example",
        ["3.931", "7.141", "0.550", "0.567", "0.333", "0.431", "1.500", "1.893", "0.861", "0.387", "0.712"],
    ),
    ("Reciprocal rank", ["2.833", "0.567", "0.500", "0.333"]),
    ("Discount", ["1.000", "2.000", "0.500", "0.631"]),
    ("Gain", ["0.550", "3.931", "7.141"]),
    ("Ideal list", ["0.550", "0.690", "7.141", "3.931"]),
    ("NDCG by k", ["0.550", "3.931", "7.141"]),
    ("Mistakes", ["0.690", "0.550", "0.708", "0.567"]),
]


@pytest.fixture(scope="module")
def shown() -> dict[str, set[str]]:
    """What the formula cells of each sheet show, to three decimals."""
    formulas, values = read_cells(build().data)
    return {
        title: {f"{value:.3f}" for cell in cells if isinstance(value := values[title][cell], float)}
        for title, cells in formulas.items()
    }


@pytest.mark.parametrize(("title", "number"), [(title, number) for title, numbers in PRINTED for number in numbers])
def test_a_number_of_the_lesson_is_on_its_sheet(shown: dict[str, set[str]], title: str, number: str) -> None:
    assert number in shown[title]


@pytest.mark.parametrize(
    ("title", "numbers"),
    [
        ("Conventions", ["0.550", "0.475"]),
        ("Mistakes", ["0.397", "0.313", "0.482", "0.339", "0.430", "0.693", "0.372", "0.294", "0.531"]),
    ],
)
def test_the_known_values_of_wrong_methods_and_other_conventions_too(
    shown: dict[str, set[str]], title: str, numbers: list[str]
) -> None:
    """On the separating example: .3973 right, .3135, .4824, .3390, .4299, .6934, .3721, .2943 and .5307 wrong."""
    assert set(numbers) <= shown[title]
