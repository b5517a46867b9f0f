"""Scores a run too large to hold: DuckDB reads the file once and keeps only what the metrics need.

The rules are those of the plain reader. Whatever is not plainly a run of 5 or 6 columns parted by one blank or tab, or
has anything in it that the plain reader would refuse or read in another way, is left to that reader.
"""

import gzip
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import duckdb
import zstandard

from workbook_builder import large_sql as sql
from workbook_builder.errors import InputError
from workbook_builder.from_runs import no_query_in_common
from workbook_builder.gain import Gain
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import Measure
from workbook_builder.notes import Met, depth_of, moved_by_ties
from workbook_builder.readers.text import has_control
from workbook_builder.readers.values import convention_faults

Values = dict[str, dict[str, float]]

CHUNK = 1 << 20
MEMORY = "512MB"
COMPRESSIONS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


class _Examined(threading.Thread):
    """Reads the file's bytes while DuckDB parses them; `odd` is why the plain reader must read it, if it must."""

    def __init__(self, path: Path, separator: str) -> None:
        super().__init__(daemon=True)
        self.path, self.separator = path, separator
        self.odd: str | None = None
        self.underscores = False

    def run(self) -> None:
        """Look at every line; a thread's work."""
        try:
            for chunk in _lines(self.path):
                self.underscores = self.underscores or b"_" in chunk
                self.odd = _oddness(chunk, self.separator)
                if self.odd:
                    return
        except (OSError, EOFError, ValueError, zstandard.ZstdError) as error:
            self.odd = str(error)


def scored(
    judgments: Judgments,
    path: Path,
    name: str,
    measures: tuple[Measure, ...],
    gain: Gain,
    relevant_from: float,
) -> tuple[Values, Met] | None:
    """Every judged query's measures, and what was met; None when the plain reader must read this file.

    `path` is a file, plain or compressed with gzip or zstd. Raises InputError when the run answers no judged query, or
    when gain or threshold cannot be used with the grades.
    """
    layout = _layout(path)
    if layout is None:
        return None
    separator, columns = layout
    examined = _Examined(path, separator)
    examined.start()
    try:
        with closing(_connection()) as db:
            _judge(db, judgments, gain, relevant_from)
            file = _source(path, separator, columns)
            usable = _gather(db, file)
            examined.join()
            if not usable or examined.odd or (examined.underscores and _underscored(db, file)):
                return None
            db.execute(sql.GRADED)
            _refuse(db, judgments, name, gain, relevant_from)
            return _results(db, judgments, measures, relevant_from)
    except duckdb.Error:
        return None
    finally:
        examined.join()


def _layout(path: Path) -> tuple[str, int] | None:
    """The separator and the number of columns of the first line; None when it is no plain line of a run."""
    try:
        first = next(_lines(path), b"").split(b"\n", 1)[0].decode("utf-8")
    except (OSError, EOFError, ValueError, zstandard.ZstdError):
        return None
    for separator in (" ", "\t"):
        if (columns := first.count(separator) + 1) in (5, 6) and all(first.split(separator)):
            return separator, columns
    return None


def _opened(path: Path) -> BinaryIO | gzip.GzipFile:
    compression = _compression(path)
    if compression == "gzip":
        return gzip.open(path)
    return zstandard.open(path, "rb") if compression == "zstd" else path.open("rb")


def _compression(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(4)
    return next((name for magic, name in COMPRESSIONS.items() if start.startswith(magic)), "none")


def _lines(path: Path) -> Iterator[bytes]:
    """The file in chunks of whole lines."""
    rest = b""
    with _opened(path) as file:
        while chunk := file.read(CHUNK):
            whole, newline, after = chunk.rpartition(b"\n")
            if newline:
                yield rest + whole + newline
                rest = after
            else:
                rest += chunk
    if rest:
        yield rest


_REFUSED = bytes(code for code in range(32) if code not in b"\t\n") + b"\x7f"


def _oddness(chunk: bytes, separator: str) -> str | None:
    """Why whole lines cannot be split at every separator; None when they can."""
    part = separator.encode()
    if part * 2 in chunk or chunk.startswith(part):
        return "columns parted by several blanks"
    if (b"\t" if separator == " " else b" ") in chunk:
        return "blanks and tabs"
    if len(chunk.translate(None, _REFUSED)) < len(chunk):
        return "control characters"
    if not chunk.isascii() and has_control(chunk.decode("utf-8")):
        return "invisible characters"
    return None


def _connection() -> duckdb.DuckDBPyConnection:
    db = duckdb.connect(config={"memory_limit": MEMORY, "autoinstall_known_extensions": "false"})
    # A file's length says nothing of its lines: left to guess, it would hold the run in memory to look judgments up.
    db.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'")
    return db


def _source(path: Path, separator: str, columns: int) -> str:
    named = sql.COLUMNS + (", 'tag': 'VARCHAR'" if columns == 6 else "")
    return sql.FILE.format(
        path=sql.text(str(path)),
        separator=sql.text(separator),
        columns=named,
        compression=sql.text(_compression(path)),
    )


def _judge(db: duckdb.DuckDBPyConnection, judgments: Judgments, gain: Gain, relevant_from: float) -> None:
    rows = [(query, doc, repr(grade)) for query, judged in judgments.grades.items() for doc, grade in judged.items()]
    # No id holds a line end; as three texts they are handed over ten times as fast as in lists.
    db.execute(sql.judged_sql(gain, relevant_from), ["\n".join(column) for column in zip(*rows, strict=True)])


def _gather(db: duckdb.DuckDBPyConnection, file: str) -> bool:
    """Gather the results by query, sorting the run first where the file is in another order; whether it is usable."""
    db.execute(sql.BLOCK.format(source=file, seen="nth"))
    ((disordered, unusable),) = db.execute("SELECT bool_or(disordered), bool_or(unusable) FROM block").fetchall()
    if disordered and not unusable:
        db.execute(sql.ORDERED.format(file=file))
        db.execute(sql.BLOCK.format(source="ordered", seen="seen"))
    queries = [query for (query,) in db.execute("SELECT query FROM block").fetchall()]
    if unusable or any(not query or query.startswith("#") for query in queries):
        return False
    ((repeated,),) = db.execute(sql.REPEATED).fetchall()
    return not repeated


def _underscored(db: duckdb.DuckDBPyConnection, file: str) -> bool:
    """Whether a score is written like 1_000, which DuckDB would read as a number."""
    texts = file.replace("'score': 'DOUBLE'", "'score': 'VARCHAR'")
    ((found,),) = db.execute(sql.UNDERSCORED.format(file=texts)).fetchall()
    return bool(found)


def _refuse(db: duckdb.DuckDBPyConnection, judgments: Judgments, name: str, gain: Gain, relevant_from: float) -> None:
    """Raise what the reference would say of these judgments and this run."""
    faults = []
    answered = [query for (query,) in db.execute("SELECT query FROM block ORDER BY seen").fetchall()]
    if not any(query in judgments.grades for query in answered):
        faults.append(no_query_in_common(judgments, Run(name, dict.fromkeys(answered[:1], ()))))
    ((results, judged),) = db.execute(sql.WITHIN.format(depth=sql.ALL_RANKS)).fetchall()
    grades = {grade for judged in judgments.grades.values() for grade in judged.values()}
    some = gain.kind == "table" and results > judged
    faults += convention_faults(judgments.source, gain, relevant_from, grades, unjudged=some)
    if faults:
        raise InputError(faults)


def _results(
    db: duckdb.DuckDBPyConnection, judgments: Judgments, measures: tuple[Measure, ...], relevant_from: float
) -> tuple[Values, Met]:
    names = list(map(str, measures))
    versions: dict[str, Values] = {"here": {}, "worst": {}, "best": {}}
    for version, query, *values in db.execute(sql.values_sql(measures)).fetchall():
        versions[version][query] = dict(zip(names, values, strict=True))
    here = {query: versions["here"][query] for query in judgments.grades}
    answered = dict.fromkeys(query for (query,) in db.execute("SELECT query FROM block ORDER BY seen").fetchall())
    met = Met(len(judgments.grades), depth_of(measures))
    met.unanswered = [query for query in judgments.grades if query not in answered]
    met.ignored = [query for query in answered if query not in judgments.grades]
    met.without_relevant = sum(
        not any(grade >= relevant_from for grade in judged.values()) for judged in judgments.grades.values()
    )
    depth = sql.ALL_RANKS if met.depth is None else met.depth
    ((met.results, judged_results),) = db.execute(sql.WITHIN.format(depth=depth)).fetchall()
    met.unjudged = met.results - judged_results
    worst, best = versions["worst"], versions["best"]
    for query, mine in here.items():
        if query in best and (moved := moved_by_ties(measures, mine, worst[query], best[query])):
            met.ties[query] = moved
    return here, met
