"""The grades a teacher's own judgments give, to draw exercises from."""

from pathlib import Path

from workbook_builder.readers.exercise import read_exercise
from workbook_builder.readers.formats import read_judgments


def read_pool(path: str | Path) -> tuple[float, ...]:
    """Every grade in a file of judgments, in any format `score` reads, or in an exercise (.toml); sorted.

    Where a file lists none but relevant documents, as many others of grade 0 are added: that is what all it leaves out
    count. Raises InputError with every fault of the file.
    """
    if str(path).casefold().endswith(".toml"):
        found = [*read_exercise(path).judged]
    else:
        found = [grade for each in read_judgments(path).grades.values() for grade in each.values()]
    unlisted = [0.0] * len(found) if min(found) > 0 else []
    return tuple(sorted(found + unlisted))
