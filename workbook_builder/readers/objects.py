"""Judgments and runs from whatever Python has: DataFrames, dictionaries, iterables of records, or a path."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Table: TypeAlias = "pd.DataFrame | pl.DataFrame | pl.LazyFrame"
Nested: TypeAlias = Mapping[str, Mapping[str, float]]
JudgmentsLike: TypeAlias = "Judgments | Table | Nested | Iterable[object] | str | Path"
RunLike: TypeAlias = "Run | Table | Nested | Iterable[object] | str | Path"
RunsLike: TypeAlias = "RunLike | Mapping[str, RunLike] | Iterable[RunLike]"

JUDGED = "records with query_id, doc_id and relevance"
FOUND = "records with query_id, doc_id and score"
ALSO = "a DataFrame, a dict of dicts, or a path"
FIELDS = 3


def is_frame(value: object) -> "TypeGuard[pd.DataFrame | pl.DataFrame]":
    """Whether this is a DataFrame of pandas or Polars, without importing them for those who have none."""
    return hasattr(value, "columns") and (hasattr(value, "itertuples") or hasattr(value, "iter_rows"))


def judgments_from(given: "JudgmentsLike", source: str = "judgments") -> Judgments:
    """Judgments from a DataFrame of pandas or Polars, grades by query and document, or a path.

    Also from an iterable of records with query_id, doc_id and relevance, as ir_datasets yields them, or of triples.
    `source` is what messages call it. Raises InputError with every fault.
    """
    if isinstance(given, Judgments):
        return given
    from workbook_builder.readers import frames, gather, ranx  # noqa: PLC0415  files need none of them

    given = _collected(given)
    if is_frame(given):
        return frames.judgments_from_frame(given, source)
    if isinstance(given, str | Path):
        from workbook_builder.readers.formats import read_judgments  # noqa: PLC0415  every format, for paths alone

        return read_judgments(given)
    if isinstance(given, Mapping):
        return ranx.judgments_of(given, source)
    gathered = gather.GatheredJudgments(source, _record)
    for place, record in enumerate(_records(given, source, JUDGED), start=1):
        if (fields := _fields(record, "relevance")) is None:
            gathered.fault(place, "", f"this is none of the {JUDGED}", "Give such records, or triples.", repr(record))
        else:
            gathered.add(place, *fields)
    return gathered.judgments()


def run_from(given: "RunLike", name: str = "run") -> Run:
    """A run from a DataFrame of pandas or Polars, scores by query and document, or a path.

    Also from an iterable of records with query_id, doc_id and score, as ir_datasets yields them, or of triples. Raises
    InputError with every fault.
    """
    if isinstance(given, Run):
        return given
    from workbook_builder.readers import frames, gather, ranx  # noqa: PLC0415  files need none of them

    given = _collected(given)
    if is_frame(given):
        return frames.run_from_frame(given, name)
    if isinstance(given, str | Path):
        from workbook_builder.readers.formats import read_results  # noqa: PLC0415  every format, for paths alone

        return read_results(given)
    if isinstance(given, Mapping):
        return ranx.run_of(given, name, name)
    gathered = gather.GatheredRun(name, _record)
    for place, record in enumerate(_records(given, name, FOUND), start=1):
        if (fields := _fields(record, "score")) is None:
            gathered.fault(place, "", f"this is none of the {FOUND}", "Give such records, or triples.", repr(record))
        else:
            gathered.add_scored(place, *fields)
    return gathered.run(name)


def runs_from(given: "RunsLike") -> list[Run]:
    """One run, several by name, or a list of them, each of what `run_from` takes. Raises InputError."""
    if isinstance(given, Mapping) and not _is_nested(given):
        return [_named(run_from(run, str(name)), str(name)) for name, run in given.items()]
    if isinstance(given, Run | Mapping | str | Path) or is_frame(_collected(given)):
        return [run_from(given)]
    listed: list[Any] = list(_records(given, "runs", "runs"))
    if listed and _fields(listed[0], "score") is not None:
        return [run_from(listed)]
    names = ["run"] if len(listed) == 1 else [f"run {at}" for at in range(1, len(listed) + 1)]
    return [run_from(run, name) for run, name in zip(listed, names, strict=True)]


def _is_nested(given: Mapping[Any, Any]) -> bool:
    from workbook_builder.readers.ranx import is_nested  # noqa: PLC0415  as above

    return is_nested(given)


def _named(run: Run, name: str) -> Run:
    from dataclasses import replace  # noqa: PLC0415  seldom needed

    return run if run.name == name else replace(run, name=name)


def _collected(given: Any) -> Any:
    """A lazy frame of Polars with its rows; anything else as it is."""
    lazy = type(given).__module__.partition(".")[0] == "polars" and hasattr(given, "collect")
    return given.collect() if lazy else given


def _records(given: object, source: str, wanted: str) -> Iterable[object]:
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        problem = f"an object of type {type(given).__name__} cannot be read"
        raise InputError([Fault(source, problem, f"Give {wanted}, {ALSO}.", value=repr(given))])
    return given


def _fields(record: object, value: str) -> tuple[Any, Any, Any] | None:
    if is_frame(record):
        return None
    if hasattr(record, "query_id") and hasattr(record, "doc_id") and hasattr(record, value):
        return record.query_id, record.doc_id, getattr(record, value)
    if _is_triple(record) and isinstance(record[0], str | int):
        return record[0], record[1], record[2]
    return None


def _is_triple(record: object) -> TypeGuard[tuple[Any, Any, Any] | list[Any]]:
    return isinstance(record, tuple | list) and len(record) == FIELDS


def _record(place: int, role: str) -> tuple[int | None, str]:
    return None, f"record {place}, {role}" if role else f"record {place}"
