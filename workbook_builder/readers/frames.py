"""Judgments and runs from pandas DataFrames.

Ids are text, so a column of numbers is refused: 3 may have been "003" before something read it as a number.
"""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeGuard

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.text import control_fault
from workbook_builder.readers.trec import in_order
from workbook_builder.readers.values import UnusableError, grade, number

if TYPE_CHECKING:
    import pandas as pd


def is_frame(value: object) -> "TypeGuard[pd.DataFrame]":
    """Whether this is a DataFrame, without importing pandas for those who have none."""
    return hasattr(value, "columns") and hasattr(value, "itertuples")


def judgments_from_frame(frame: "pd.DataFrame", source: str = "judgments") -> Judgments:
    """Judgments from the columns query_id, doc_id (both text) and relevance (finite numbers); rows count from 1."""
    grades: dict[str, dict[str, float]] = {}
    faults: list[Fault] = []
    repeated = 0
    for row, query, document, given in _rows(frame, source, "relevance"):
        try:
            value = grade(_number(given))
        except UnusableError as unusable:
            faults.append(unusable.fault(source, row, "relevance", given))
            continue
        before = grades.setdefault(query, {}).get(document)
        if before is None:
            grades[query][document] = value
        elif before == value:
            repeated += 1
        else:
            problem = f'query "{query}", document "{document}" was judged {before:g} before, here'
            faults.append(Fault(source, problem, "Keep one of the two.", row, "relevance", str(given)))
    if faults:
        raise InputError(faults)
    notes = (f"{source}: {repeated} repeated judgments count once.",) if repeated else ()
    return Judgments(grades, source, notes)


def run_from_frame(frame: "pd.DataFrame", name: str = "run") -> Run:
    """A run from the columns query_id, doc_id (both text) and score, ordered as a TREC run is; rows count from 1."""
    results: dict[str, dict[str, float]] = {}
    faults: list[Fault] = []
    for row, query, document, given in _rows(frame, name, "score"):
        value = _number(given)
        if value is None or math.isnan(value):
            faults.append(Fault(name, "the score is no number", "Give a number.", row, "score", str(given)))
            continue
        listed = results.setdefault(query, {})
        if document in listed:
            problem = f'query "{query}" has this document already'
            faults.append(Fault(name, problem, "Keep one of the two rows.", row, "doc_id", document))
        listed[document] = value
    if faults:
        raise InputError(faults)
    ordered = {query: in_order(list(listed), list(listed.values())) for query, listed in results.items()}
    return Run(
        name,
        {query: documents for query, (documents, _) in ordered.items()},
        {query: scores for query, (_, scores) in ordered.items()},
    )


def _rows(frame: "pd.DataFrame", source: str, value_column: str) -> Iterator[tuple[int, str, str, object]]:
    columns = [str(column) for column in frame.columns]
    needed = ("query_id", "doc_id", value_column)
    if missing := [column for column in needed if column not in columns]:
        raise InputError(
            Fault(
                source, f'there is no column "{column}"', f"Needed are {', '.join(needed)}.", value=", ".join(columns)
            )
            for column in missing
        )
    if not len(frame):
        raise InputError([Fault(source, "there is no row in it", f"Needed are {', '.join(needed)}.")])
    queries, documents, values = (frame[column].tolist() for column in needed)
    faults = list(_id_faults(source, "query_id", queries)) + list(_id_faults(source, "doc_id", documents))
    if faults:
        raise InputError(faults)
    yield from zip(range(1, len(values) + 1), queries, documents, values, strict=True)


def _id_faults(source: str, column: str, ids: list[object]) -> Iterator[Fault]:
    for row, given in enumerate(ids, start=1):
        if not isinstance(given, str):
            remedy = f'Ids are text: read the file with dtype={{"{column}": str}}, so that "003" stays "003".'
            yield Fault(source, "this id is no text", remedy, row, column, str(given))
            return
        if fault := control_fault(source, given, row, column):
            yield fault


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return number(value)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None
