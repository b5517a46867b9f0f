"""The grades a teacher's own judgments give, to draw exercises from."""

from pathlib import Path

from workbook_builder.readers.exercise import read_exercise
from workbook_builder.readers.formats import read_judgments


def read_pool(path: str | Path) -> tuple[float, ...]:
    """Every grade in a file of judgments, in any format `score` reads, or in an exercise (.toml); sorted.

    Raises InputError with every fault of the file.
    """
    if str(path).casefold().endswith(".toml"):
        return tuple(sorted(read_exercise(path).judged))
    return tuple(sorted(grade for each in read_judgments(path).grades.values() for grade in each.values()))
