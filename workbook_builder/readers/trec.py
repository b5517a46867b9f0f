"""TREC's two formats: judgments (qrels) of 4 columns, and runs of 5 or 6.

A run's order is its scores, high to low; equal scores by document id, descending as text. That is trec_eval's rule; the
rank column is ignored, because it may start at 0, have gaps or contradict the scores. Blank lines and lines that start
with # are skipped. Each format is read in one plain loop; only when something is off is it examined line by line.
"""

import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from operator import gt, itemgetter
from pathlib import Path

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.text import STDIN, Content, Origin, control_fault, has_control, read_text, shown_name
from workbook_builder.readers.values import UnusableError, grade, number

Split = Callable[[str], list[str]]
Grades = dict[str, dict[str, float]]
Ranked = tuple[dict[str, tuple[str, ...]], dict[str, tuple[float, ...]]]
Columns = tuple[list[str], list[str]]

QRELS_LINE = "query, 0, document and grade, separated by blanks or tabs"
RUN_LINE = "query, Q0, document, rank, score and tag, separated by blanks or tabs"

_BLANKS = re.compile(r"[ \t]+")

PACKED = {".gz", ".zst"}
RUN_ENDINGS = {".txt", ".run", ".trec", ".tsv", ".res", ".csv", ".json"}
"""Endings that say no more than "a run" before .gz; in bm25.v2.gz, .v2 is part of the name."""


def read_qrels(path: Origin) -> Judgments:
    """Judgments from a qrels file, plain or gzip.

    A judgment given twice alike counts once and is noted. Raises InputError with every fault: a wrong number of
    columns, a grade that is no finite number, a document judged twice with different grades, no judgment at all.
    """
    name, text = shown_name(path), read_text(path)
    odd = has_control(text)
    lines, split = text.split("\n"), _splitter(text, odd)
    notes: tuple[str, ...] = ()
    grades = _judged(lines, split)
    if grades is None or odd:
        grades, notes = _examined_judgments(name, lines, split)
    if not grades:
        raise InputError([Fault(name, "there is no judgment in it", f"Give lines of {QRELS_LINE}.")])
    return Judgments(grades, name, notes)


def read_run(path: Origin, name: str | None = None) -> Run:
    """A run from a TREC run file, plain or gzip, called by the file's stem unless a name is given.

    Raises InputError with every fault: fewer than 5 columns, a score that is no number, a document twice in one query,
    no result at all.
    """
    file, text = shown_name(path), read_text(path)
    odd = has_control(text)
    lines, split = text.split("\n"), _splitter(text, odd)
    ranked = _ranked(lines, split)
    if (ranked is None or odd) and (faults := list(_run_faults(file, lines, split))):
        raise InputError(faults)
    rankings, scores = ranked or ({}, {})
    if not rankings:
        raise InputError([Fault(file, "there is no result in it", f"Give lines of {RUN_LINE}.")])
    return Run(run_name(path) if name is None else name, rankings, scores)


def run_name(path: Origin) -> str:
    """What a run is called: its file's name without the ending, and without .gz or .zst after that."""
    if isinstance(path, Content) or str(path) == STDIN:
        return "stdin"
    file = Path(path)
    if file.suffix.casefold() not in PACKED:
        return file.stem
    inner = Path(file.stem)
    return inner.stem if inner.suffix.casefold() in RUN_ENDINGS else file.stem


def in_order(documents: Sequence[str], scores: Sequence[float]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """One query's documents and scores: score high to low, ties by document id descending as text."""
    if all(map(gt, scores, scores[1:])):
        return tuple(documents), tuple(scores)
    pairs = sorted(zip(scores, documents, strict=True), reverse=True)
    return tuple([document for _, document in pairs]), tuple([score for score, _ in pairs])


def _splitter(text: str, odd: bool) -> Split:
    # Only blanks and tabs separate: an id may hold a no-break space, at which str.split would cut it.
    if text.isascii() and not odd:
        return str.split
    return lambda line: _BLANKS.split(bare) if (bare := line.strip(" \t")) else []


def _by_query(lines: list[str], split: Split, value_at: int, widths: tuple[int, int]) -> dict[str, Columns] | None:
    """The documents and the values as given, by query; None when a line has too few or too many columns."""
    by_query: dict[str, Columns] = {}
    last: str | None = None
    documents: list[str] = []
    values: list[str] = []
    fewest, most = widths
    for line in lines:
        fields = split(line)
        if not fields or fields[0][0] == "#":
            continue
        if not fewest <= len(fields) <= most:
            return None
        if (query := fields[0]) != last:
            documents, values = by_query.setdefault(query, ([], []))
            last = query
        documents.append(fields[2])
        values.append(fields[value_at])
    return by_query


def _judged(lines: list[str], split: Split) -> Grades | None:
    """Grades by query and document; None when a line needs to be examined."""
    by_query = _by_query(lines, split, 3, (4, 4))
    if by_query is None:
        return None
    try:
        # A scale has few grades: each text is converted once.
        grade_of = {given: grade(number(given)) for given in set(chain(*map(itemgetter(1), by_query.values())))}
    except UnusableError:
        return None
    grades: Grades = {}
    for query, (documents, values) in by_query.items():
        judged = dict(zip(documents, map(grade_of.__getitem__, values), strict=True))
        if len(judged) < len(documents):
            return None
        grades[query] = judged
    return grades


def _ranked(lines: list[str], split: Split) -> Ranked | None:
    """Rankings and scores by query; None when a line needs to be examined."""
    by_query = _by_query(lines, split, 4, (5, sys.maxsize))
    if by_query is None:
        return None
    rankings, scores = {}, {}
    for query, (documents, given) in by_query.items():
        values = _scores(given)
        if values is None or len(set(documents)) < len(documents):
            return None
        rankings[query], scores[query] = in_order(documents, values)
    return rankings, scores


def _scores(given: list[str]) -> list[float] | None:
    joined = "".join(given)
    # float() would also read 1_000 and digits of other scripts.
    if "_" in joined or not joined.isascii():
        return None
    try:
        values = list(map(float, given))
    except ValueError:
        return None
    return None if any(map(math.isnan, values)) else values


def _numbered(lines: list[str], split: Split) -> Iterator[tuple[int, str, list[str]]]:
    for at, line in enumerate(lines, start=1):
        fields = split(line)
        if fields and not fields[0].startswith("#"):
            yield at, line.strip(), fields


def _examined_judgments(file: str, lines: list[str], split: Split) -> tuple[Grades, tuple[str, ...]]:
    """The grades and the notes of a file with repeated judgments; raises InputError with every fault of any other."""
    grades: Grades = {}
    first_line: dict[tuple[str, str], int] = {}
    repeated: list[str] = []
    faults: list[Fault] = []
    for at, line, fields in _numbered(lines, split):
        if len(fields) != 4:
            remedy = f"Give {QRELS_LINE}." + (" Is this the run?" if len(fields) in (5, 6) else "")
            faults.append(Fault(file, f"4 columns are needed, here are {len(fields)}", remedy, line=at, value=line))
            continue
        query, _, document, given = fields
        faults += _odd_ids(file, at, query, document)
        try:
            value = grade(number(given))
        except UnusableError as unusable:
            faults.append(unusable.fault(file, at, "grade", given))
            continue
        earlier = first_line.setdefault((query, document), at)
        before = grades.setdefault(query, {}).setdefault(document, value)
        if before != value:
            problem_text = f'query "{query}", document "{document}" was judged {before:g} in line {earlier}, here'
            faults.append(Fault(file, problem_text, "Keep one of the two.", line=at, column="grade", value=given))
        elif earlier != at:
            repeated.append(f'line {at} repeats line {earlier}, query "{query}", document "{document}"')
    if faults:
        raise InputError(faults)
    if not repeated:
        return grades, ()
    return grades, (f"{file}: {len(repeated)} repeated judgments count once (the first: {repeated[0]}).",)


def _run_faults(file: str, lines: list[str], split: Split) -> Iterator[Fault]:
    first_line: dict[tuple[str, str], int] = {}
    for at, line, fields in _numbered(lines, split):
        if len(fields) < 5:
            remedy = f"Give {RUN_LINE}." + (" Are these the judgments?" if len(fields) == 4 else "")
            yield Fault(file, f"6 columns are needed, here are {len(fields)}", remedy, line=at, value=line)
            continue
        query, _, document, _, given = fields[:5]
        yield from _odd_ids(file, at, query, document)
        if number(given) is None:
            yield Fault(file, "the score is no number", "Give a number.", line=at, column="score", value=given)
        earlier = first_line.setdefault((query, document), at)
        if earlier != at:
            problem = f'query "{query}" has this document already in line {earlier}'
            yield Fault(file, problem, "Keep one of the two lines.", line=at, column="document", value=document)


def _odd_ids(file: str, line: int, query: str, document: str) -> Iterator[Fault]:
    for column, given in (("query", query), ("document", document)):
        if fault := control_fault(file, given, line, column):
            yield fault
