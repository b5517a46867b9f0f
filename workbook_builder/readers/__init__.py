"""Readers: one module a format, text in, typed and validated inputs out; they know nothing of sheets."""

from collections.abc import Callable, Mapping

from workbook_builder.inputs import Exercise, Judgments, Run
from workbook_builder.readers.exercise import read_exercise
from workbook_builder.readers.table import read_exercise_csv
from workbook_builder.readers.trec import read_qrels, read_run

READERS: Mapping[str, Callable[..., Judgments | Run | Exercise]] = {
    "trec-qrels": read_qrels,
    "trec-run": read_run,
    "exercise-csv": read_exercise_csv,
    "exercise-toml": read_exercise,
}
"""Every format by its name. Each takes a path, or - for standard input, and raises InputError with every fault."""
