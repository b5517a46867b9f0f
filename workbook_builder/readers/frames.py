"""Judgments and runs from pandas and Polars DataFrames, neither of which is imported for it.

Columns go by the names any table's may have, query_id, doc_id, relevance, score and rank among them. Ids are text, so a
column of numbers is refused: 3 may have been "003" before something read it as a number.
"""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.columns import Columns, columns_of
from workbook_builder.readers.gather import GatheredRun, as_number
from workbook_builder.readers.text import control_fault
from workbook_builder.readers.trec import in_order
from workbook_builder.readers.values import UnusableError, grade

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

NAMED = {"query": "query_id", "document": "doc_id", "grade": "relevance", "score": "score"}
"""What messages call a column that is missing."""


def judgments_from_frame(frame: "pd.DataFrame | pl.DataFrame", source: str = "judgments") -> Judgments:
    """Judgments from columns of query, document (both text) and grade (finite numbers); rows count from 1.

    Raises InputError with every fault.
    """
    grades: dict[str, dict[str, float]] = {}
    faults: list[Fault] = []
    repeated = 0
    columns = _columns(frame, source, "grade")
    name = columns.name("grade")
    for row, query, document, given in _rows(frame, columns, "grade"):
        try:
            value = grade(as_number(given))
        except UnusableError as unusable:
            faults.append(unusable.fault(source, row, name, given))
            continue
        before = grades.setdefault(query, {}).get(document)
        if before is None:
            grades[query][document] = value
        elif before == value:
            repeated += 1
        else:
            problem = f'query "{query}", document "{document}" was judged {before:g} before, here'
            faults.append(Fault(source, problem, "Keep one of the two.", row, name, str(given)))
    if faults:
        raise InputError(faults)
    notes = (f"{source}: {repeated} repeated judgments count once.",) if repeated else ()
    return Judgments(grades, source, notes, *_texts(frame, columns))


def run_from_frame(frame: "pd.DataFrame | pl.DataFrame", name: str = "run") -> Run:
    """A run from columns of query, document (both text) and score, ordered as a TREC run is; rows count from 1.

    Without a score a rank is the position, counted from 1. Raises InputError with every fault.
    """
    columns = _columns(frame, name, "score")
    if "score" not in columns.at:
        gathered = GatheredRun(name, lambda place, role: (place, columns.name(role)))
        for row, query, document, given in _rows(frame, columns, "rank"):
            gathered.add_ranked(row, query, document, given)
        gathered.texts, gathered.query_texts = _texts(frame, columns)
        return gathered.run(name)
    results: dict[str, dict[str, float]] = {}
    faults: list[Fault] = []
    for row, query, document, given in _rows(frame, columns, "score"):
        value = as_number(given)
        if value is None or math.isnan(value):
            problem = "the score is no number"
            faults.append(Fault(name, problem, "Give a number.", row, columns.name("score"), str(given)))
            continue
        listed = results.setdefault(query, {})
        if document in listed:
            problem = f'query "{query}" has this document already'
            faults.append(Fault(name, problem, "Keep one of the two rows.", row, columns.name("document"), document))
        listed[document] = value
    if faults:
        raise InputError(faults)
    ordered = {query: in_order(list(listed), list(listed.values())) for query, listed in results.items()}
    rankings = {query: documents for query, (documents, _) in ordered.items()}
    scores = {query: scores for query, (_, scores) in ordered.items()}
    return Run(name, rankings, scores, (), *_texts(frame, columns))


def _columns(frame: "pd.DataFrame | pl.DataFrame", source: str, wanted: str) -> Columns:
    columns = columns_of(source, list(frame.columns), None)
    there = columns.at.keys() | ({"score"} if wanted == "score" and "rank" in columns.at else set())
    needed = [NAMED[role] for role in ("query", "document", wanted)]
    remedy = f"Needed are {', '.join(needed)}."
    if missing := [NAMED[role] for role in ("query", "document", wanted) if role not in there]:
        names = ", ".join(columns.header)
        raise InputError(Fault(source, f'there is no column "{column}"', remedy, value=names) for column in missing)
    if not len(frame):
        raise InputError([Fault(source, "there is no row in it", remedy)])
    return columns


def _values(frame: Any, columns: Columns, role: str) -> list[object]:
    """A column as plain values; both libraries have `to_list`."""
    values: list[object] = frame[frame.columns[columns.at[role]]].to_list()
    return values


def _rows(frame: "pd.DataFrame | pl.DataFrame", columns: Columns, value: str) -> Iterator[tuple[int, str, str, object]]:
    kind = "polars" if hasattr(frame, "iter_rows") else "pandas"
    ids = {role: _values(frame, columns, role) for role in ("query", "document")}
    if faults := [fault for role, given in ids.items() for fault in _id_faults(columns, role, given, _READ[kind])]:
        raise InputError(faults)
    queries, documents = ([str(each) for each in given] for given in ids.values())
    values = _values(frame, columns, value)
    yield from zip(range(1, len(values) + 1), queries, documents, values, strict=True)


def _texts(frame: "pd.DataFrame | pl.DataFrame", columns: Columns) -> tuple[dict[str, str], dict[str, str]]:
    """The texts of documents and of queries, the first of each."""
    texts: list[dict[str, str]] = []
    for owner, role in (("document", "document text"), ("query", "query text")):
        found: dict[str, str] = {}
        if role in columns.at:
            for each, text in zip(_values(frame, columns, owner), _values(frame, columns, role), strict=True):
                if isinstance(text, str) and text:
                    found.setdefault(str(each), text)
        texts.append(found)
    return texts[0], texts[1]


_READ = {"pandas": 'dtype={{"{}": str}}', "polars": 'schema_overrides={{"{}": pl.String}}'}
"""How each library is told to read a column as text."""


def _id_faults(columns: Columns, role: str, ids: list[object], read: str) -> Iterator[Fault]:
    column = columns.name(role)
    for row, given in enumerate(ids, start=1):
        if not isinstance(given, str):
            remedy = f'Ids are text: read the file with {read.format(column)}, so that "003" stays "003".'
            yield Fault(columns.file, "this id is no text", remedy, row, column, str(given))
            return
        if fault := control_fault(columns.file, given, row, column):
            yield fault
