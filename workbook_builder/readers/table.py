"""The exercise as a table of text: columns query, rank and grade; `missed` as rank for what was not returned."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import Exercise
from workbook_builder.readers.text import read_text, shown_name
from workbook_builder.readers.values import UnusableError, convention_faults, cutoff, grade, name_faults, number, rank
from workbook_builder.suggest import did_you_mean

if TYPE_CHECKING:
    import pandas as pd

Rows = Iterator[tuple[int, list[str]]]

COLUMNS = ("query", "rank", "grade")
MISSED = "missed"
DEFAULT_K = 10
DEEPEST = 10_000
"""Every rank down to the last is a row of the sheet, so a document id in the rank's column must not pass for one."""


@dataclass
class Query:
    """What the table says of one query: the grade and the line of each rank, and the grades that were missed."""

    ranked: dict[int, float] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    missed: list[float] = field(default_factory=list)

    def first_relevant(self, relevant_from: float) -> int | None:
        """The smallest rank of a relevant result."""
        return min((at for at, given in self.ranked.items() if given >= relevant_from), default=None)

    def grades(self) -> tuple[float, ...]:
        """The grades in rank order; a rank that is not listed has grade 0."""
        return tuple(self.ranked.get(at, 0.0) for at in range(1, max(self.ranked, default=0) + 1))

    def unlisted(self) -> int:
        """How many ranks before the last are not listed."""
        return max(self.ranked, default=0) - len(self.ranked)


def read_exercise_csv(
    path: "str | Path | pd.DataFrame",
    *,
    query: str | None = None,
    k: int | None = None,
    gain: Gain | None = None,
    relevant_from: float | None = None,
    ranks_from: int = 1,
) -> Exercise:
    """An exercise from a table separated by commas, semicolons or tabs, in UTF-8 or UTF-16, or from a DataFrame.

    The grades of `query` (default: the file's first) fill the NDCG table, the first relevant rank of every query the
    MRR table. Ranks are positions: one that is not listed has grade 0. `ranks_from` is the rank of the first result, 1
    or 0. k defaults to 10, or the number of ranks when there are fewer, gain to linear, relevant_from to 1. Raises
    InputError with every fault.
    """
    gain = LINEAR if gain is None else gain
    relevant_from = 1 if relevant_from is None else relevant_from
    if isinstance(path, str | Path):
        file, text = shown_name(path), read_text(path)
    else:
        file, text = "table", path.to_csv(index=False)
    rows, delimiter = _rows(file, text)
    _, header = next(rows, (1, []))
    at, notes = _columns(file, header)
    queries, faults = _queries(file, rows, len(header), at, delimiter, ranks_from)
    try:
        cut = None if k is None else cutoff(k)
    except UnusableError as unusable:
        faults.append(unusable.fault("--k", None, None, k))
    if not queries and not faults:
        faults.append(Fault(file, "there is a header and no row", "Add rows of query, rank and grade."))
    if query is not None and query not in queries and queries:
        faults.append(Fault(file, "there is no such query", did_you_mean(query, queries), column="query", value=query))
    seen = [given for found in queries.values() for given in (*found.ranked.values(), *found.missed)]
    unlisted = sum(found.unlisted() for found in queries.values())
    faults += convention_faults(file, gain, relevant_from, [*seen, 0.0] if unlisted else seen)
    if faults:
        raise InputError(faults)
    chosen = next(iter(queries)) if query is None else query
    if query is None and len(queries) > 1:
        notes.append(f'the NDCG table shows query "{chosen}", the first of {len(queries)}; choose another with --query')
    if unlisted:
        example = next(name for name, found in queries.items() if found.unlisted())
        missing = next(at for at in count(1) if at not in queries[example].ranked)
        notes.append(f'{unlisted} ranks are not listed and count as grade 0, as rank {missing} of query "{example}"')
    grades = queries[chosen].grades()
    return Exercise(
        grades=grades,
        missed=tuple(queries[chosen].missed),
        k=max(1, min(DEFAULT_K, len(grades))) if cut is None else cut,
        first_relevant=tuple((name, found.first_relevant(relevant_from)) for name, found in queries.items()),
        gain=gain,
        relevant_from=relevant_from,
        lowest=min([0.0, *seen]),
        highest=max([1.0, *seen]),
        notes=tuple(notes),
    )


def _rows(file: str, text: str) -> tuple[Rows, str]:
    """(line, fields) of every row that is not blank, and the delimiter, which is the header's most frequent."""
    header = next((line for line in text.split("\n") if line.strip()), "")
    if not header:
        raise InputError([Fault(file, "the file is empty", f"Begin it with the line {','.join(COLUMNS)}.")])
    delimiter = max(",;\t", key=header.count)
    return _parsed(file, text, delimiter), delimiter


def _parsed(file: str, text: str, delimiter: str) -> Rows:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    line = 1
    try:
        for fields in reader:
            stripped = [value.strip() for value in fields]
            if any(stripped):
                yield line, stripped
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError([Fault(file, f"a quoted field is broken ({error})", "Close its quotes.", line=line)]) from None


def _columns(file: str, header: list[str]) -> tuple[dict[str, int], list[str]]:
    """Where each column stands, and a note on those that are ignored."""
    names = [name.casefold() for name in header]
    extra = [name for name in header if name.casefold() not in COLUMNS]
    faults = []
    for column in COLUMNS:
        if column not in names:
            known = f"The first line must name {', '.join(COLUMNS)}."
            near = did_you_mean(column, extra) if extra else known
            remedy = f'{near[:-1]} in the header? Call it "{column}".' if near.endswith("?") else known
            faults.append(Fault(file, f'there is no column "{column}"', remedy, line=1, value=",".join(header)))
        elif names.count(column) > 1:
            faults.append(Fault(file, "a column is there twice", "Keep one of the two.", line=1, column=column))
    if faults:
        raise InputError(faults)
    notes = [f"ignored columns: {', '.join(extra)}"] if any(extra) else []
    return {column: names.index(column) for column in COLUMNS}, notes


def _queries(
    file: str, rows: Rows, columns: int, at: Mapping[str, int], delimiter: str, ranks_from: int
) -> tuple[dict[str, Query], list[Fault]]:
    queries: dict[str, Query] = {}
    faults: list[Fault] = []
    if ranks_from not in (0, 1):
        faults.append(Fault("--ranks-from", "ranks start at 0 or at 1", "Give 0 or 1.", value=str(ranks_from)))
    for line, fields in rows:
        while len(fields) > columns and not fields[-1]:
            fields.pop()
        if len(fields) != columns:
            problem = f"{columns} columns are needed, here are {len(fields)}"
            many = f'Put quotes around a query that holds "{delimiter}".'
            remedy = many if len(fields) > columns else f"Give {', '.join(COLUMNS)}."
            faults.append(Fault(file, problem, remedy, line=line, value=delimiter.join(fields)))
            continue
        name, given_rank, given_grade = (fields[at[column]] for column in COLUMNS)
        faults += name_faults(file, line, "query", name)
        found = queries.setdefault(name, Query())
        value = position = None
        try:
            value = grade(_number(given_grade, delimiter))
        except UnusableError as unusable:
            faults.append(unusable.fault(file, line, "grade", given_grade))
        if given_rank.casefold() == MISSED:
            found.missed += [] if value is None else [value]
            continue
        try:
            position = rank(_number(given_rank, delimiter), ranks_from, DEEPEST) + 1 - ranks_from
        except UnusableError as unusable:
            faults.append(unusable.fault(file, line, "rank", given_rank))
            continue
        if (earlier := found.lines.setdefault(position, line)) != line:
            problem = f'query "{name}" has this rank already in line {earlier}'
            faults.append(Fault(file, problem, "Give each result its own rank.", line, "rank", given_rank))
        elif value is not None:
            found.ranked[position] = value
    return queries, faults


def _number(text: str, delimiter: str) -> float | None:
    # A table that is not separated by commas may come from a spreadsheet with decimal commas.
    return number(text if delimiter == "," else text.replace(",", "."))
