"""Reads a run too large to hold: what each query found, a chunk at a time, with NumPy and without a string a line.

The rules are those of the plain reader, and so are the metrics. Whatever is not plainly a run of 5 or 6 columns parted
by one blank or tab, its queries one after another, or holds anything that the plain reader would refuse or read in
another way, is left to that reader: `UnplainError`.
"""

import gzip
import io
import zlib
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
import zstandard
from numpy.typing import NDArray

from workbook_builder.inputs import Judgments
from workbook_builder.large_chunk import Lines, Numbers, hashes_of, query_starts, result_hashes, scores, split
from workbook_builder.scoring import Found

CHUNK = 8 << 20
LONGEST_LINE = 1 << 16
WORKERS = 2
SIEVE = 1 << 24
SIEVE_SHIFT = np.uint64(40)

Sieve = NDArray[np.bool_]


class UnplainError(Exception):
    """The plain reader must read this file."""


@dataclass(frozen=True)
class _Chunk:
    """Whole queries, ranked by score: queries by their first line; lines by rank, and where each line is ranked.

    `candidates` are lines whose document may be judged; `tied` says of each rank whether it has the score of the one
    before.
    """

    lines: Lines
    firsts: Numbers
    ranked: Numbers
    places: Numbers
    tied: NDArray[np.bool_]
    candidates: Numbers


def found(judgments: Judgments, path: Path) -> Iterator[tuple[str, Found | None]]:
    """Each query of a run file and its results, in the file's order; None for a query that nobody judged.

    The file may be compressed with gzip or zstd. Raises UnplainError, also after some queries.
    """
    separator, columns = _layout(path)
    sieve = np.zeros(SIEVE, dtype=bool)
    pairs = [(query, document) for query, judged in judgments.grades.items() for document in judged]
    sieve[hashes_of(*zip(*pairs, strict=True)) >> SIEVE_SHIFT] = True
    seen: set[str] = set()
    blocks = _blocks(path, separator.encode())
    with closing(blocks):
        for chunk in _in_parallel(partial(_parsed, separator=separator, columns=columns, sieve=sieve), blocks):
            queries = [chunk.lines.field(0, line).decode() for line in chunk.firsts.tolist()]
            before = len(seen)
            seen.update(queries)
            if len(seen) < before + len(queries) or any(query.startswith("#") for query in queries):
                raise UnplainError
            yield from _answers(judgments, queries, chunk)


def _parsed(data: bytes, separator: str, columns: int, sieve: Sieve) -> _Chunk:
    lines = split(data, separator, columns)
    given = None if lines is None else scores(lines)
    if lines is None or given is None:
        raise UnplainError
    firsts = query_starts(lines)
    count = len(given)
    owner = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=count))
    hashes = result_hashes(lines, firsts)
    ordered = np.sort(hashes)
    if (ordered[1:] == ordered[:-1]).any():
        raise UnplainError
    same = owner[1:] == owner[:-1]
    ranked = places = np.arange(count)
    if (same & (given[1:] > given[:-1])).any():
        ranked = np.lexsort((-given, owner))
        places = np.empty(count, dtype=np.int64)
        places[ranked] = np.arange(count)
        given = given[ranked]
    tied = np.zeros(count + 1, dtype=bool)
    tied[1:-1] = same & (given[1:] == given[:-1])
    return _Chunk(lines, firsts, ranked, places, tied, np.flatnonzero(sieve[hashes >> SIEVE_SHIFT]))


def _answers(judgments: Judgments, queries: list[str], chunk: _Chunk) -> Iterator[tuple[str, Found | None]]:
    owners = np.searchsorted(chunk.firsts, chunk.candidates, side="right") - 1
    # Ranks of one score are a group, most of them of one.
    groups = np.flatnonzero(~chunk.tied)
    group = np.searchsorted(groups, chunk.places[chunk.candidates], side="right") - 1
    columns = (each.tolist() for each in (owners, chunk.candidates, groups[group], groups[group + 1]))
    candidates: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for owner, line, start, stop in zip(*columns, strict=True):
        candidates[owner].append((line, start, stop))
    bounds = [*chunk.firsts.tolist(), len(chunk.ranked)]
    for owner, (query, first, end) in enumerate(zip(queries, bounds, bounds[1:], strict=False)):
        judged = judgments.grades.get(query)
        yield query, None if judged is None else _found(judged, chunk, first, end, candidates[owner])


def _found(
    judged: Mapping[str, float], chunk: _Chunk, first: int, end: int, candidates: list[tuple[int, int, int]]
) -> Found:
    """One query's results; a candidate is a line, and the first rank of its score and that after the last."""
    hits: dict[int, float] = {}
    shared: set[tuple[int, int]] = set()
    for line, start, stop in candidates:
        grade = judged.get(chunk.lines.field(1, line).decode())
        if grade is not None and stop - start == 1:
            hits[start - first] = grade
        elif grade is not None:
            shared.add((start, stop))
    for start, stop in shared:
        # UTF-8 orders as its code points do.
        documents = sorted((chunk.lines.field(1, line) for line in chunk.ranked[start:stop].tolist()), reverse=True)
        for place, document in enumerate(documents, start=start - first):
            if (grade := judged.get(document.decode())) is not None:
                hits[place] = grade
    grades = [0.0] * (end - first)
    for place, grade in hits.items():
        grades[place] = grade
    spans = [(start - first, stop - first) for start, stop in sorted(shared)]
    ties = [(start, stop) for start, stop in spans if len(set(grades[start:stop])) > 1]
    return Found(grades, [place + 1 for place in sorted(hits)], ties)


def _in_parallel(task: Callable[[bytes], _Chunk], blocks: Iterator[bytes]) -> Iterator[_Chunk]:
    """The task of each block in order, some ahead; NumPy lets the workers run beside each other."""
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting: deque[Future[_Chunk]] = deque()
        for block in blocks:
            waiting.append(pool.submit(task, block))
            if len(waiting) > WORKERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _layout(path: Path) -> tuple[str, int]:
    """The separator and the number of columns, by the first line."""
    try:
        with _opened(path) as file:
            first = file.readline(LONGEST_LINE)
    except (OSError, EOFError, ValueError, zlib.error, zstandard.ZstdError) as error:
        raise UnplainError from error
    for separator in (" ", "\t"):
        if (columns := first.count(separator.encode()) + 1) in (5, 6):
            return separator, columns
    raise UnplainError


def _blocks(path: Path, separator: bytes) -> Generator[bytes]:
    """The file in pieces that end where a query does."""
    rest = b""
    for chunk in _chunks(path):
        rest += chunk
        if end := rest.rfind(b"\n") + 1:
            last_line = rest.rfind(b"\n", 0, end - 1) + 1
            query = rest[last_line:end].split(separator, 1)[0] + separator
            cut = _first_of(rest, b"\n" + query, last_line)
            if cut:
                yield rest[:cut]
                rest = rest[cut:]
    if rest := rest.rstrip(b"\n"):
        yield rest + b"\n"


def _first_of(data: bytes, start_of_line: bytes, last_line: int) -> int:
    """Where the lines begin that all start alike and end with the last line; 0 when they are the whole."""
    reach = 1 << 16
    while True:
        low = max(0, last_line - reach)
        at = data.find(start_of_line, low) + 1
        before = data.rfind(b"\n", 0, max(at - 1, 0)) + 1
        if at and not data.startswith(start_of_line[1:], before):
            return at
        if low == 0:
            return 0
        reach *= 8


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with _opened(path) as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except (OSError, EOFError, ValueError, zlib.error, zstandard.ZstdError) as error:
        raise UnplainError from error


def _opened(path: Path) -> BinaryIO | io.BufferedReader | gzip.GzipFile:
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith(b"\x1f\x8b"):
        return gzip.open(path)
    return io.BufferedReader(zstandard.open(path, "rb")) if start == b"\x28\xb5\x2f\xfd" else path.open("rb")
