"""Parquet files with columns as in any table, ranx's among them; DuckDB reads them, a batch of rows at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.columns import Columns, columns_of, ignored, judged, ranked, take_judgment, take_result
from workbook_builder.readers.gather import GatheredJudgments, GatheredRun, Where
from workbook_builder.readers.given import Given
from workbook_builder.readers.text import Content, read_bytes

if TYPE_CHECKING:
    import duckdb

MAGIC = b"PAR1"
BATCH = 10_000


def recognises(given: Given) -> bool:
    """Whether it begins as Parquet does."""
    return given.head.startswith(MAGIC)


def read_judgments(given: Given) -> Judgments:
    """Judgments; messages count rows from 1. Raises InputError with every fault."""
    with _rows(given) as (header, rows):
        columns = judged(columns_of(given.name, header, None), None)
        gathered = GatheredJudgments(given.name, _by_row(columns))
        gathered.notes += ignored(columns, ("query", "document", "grade"))
        for place, row in rows:
            take_judgment(gathered, columns, place, row)
        return gathered.judgments()


def read_run(given: Given, name: str) -> Run:
    """A run; messages count rows from 1. Raises InputError with every fault."""
    with _rows(given) as (header, rows):
        columns = ranked(columns_of(given.name, header, None), None)
        gathered = GatheredRun(given.name, _by_row(columns), ranks_from=given.ranks_from)
        gathered.notes += ignored(columns, ("query", "document", "score", "rank"))
        for place, row in rows:
            take_result(gathered, columns, place, row, ordered=False)
        return gathered.run(name)


def _by_row(columns: Columns) -> Where:
    return lambda place, role: (None, f"row {place}, {columns.name(role)}")


@contextmanager
def _rows(given: Given) -> Iterator[tuple[list[str], Iterator[tuple[int, tuple[Any, ...]]]]]:
    """The names of the columns, and the rows."""
    import tempfile  # noqa: PLC0415  only for those who have such files

    import duckdb  # noqa: PLC0415  likewise

    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = given.origin
        if isinstance(path, Content) or not _is_plain(Path(path)):
            path = Path(folder) / "given.parquet"
            path.write_bytes(read_bytes(given.origin))
        connection.execute("SET autoinstall_known_extensions = false")
        try:
            connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
        except duckdb.Error:
            # What DuckDB says names its own functions and, for an unpacked file, a path nobody knows.
            raise InputError([Fault(given.name, "it is no readable Parquet file", "Write it again.")]) from None
        yield [name for name, *_ in connection.description or ()], _fetched(connection)


def _fetched(connection: "duckdb.DuckDBPyConnection") -> Iterator[tuple[int, tuple[Any, ...]]]:
    place = 1
    while batch := connection.fetchmany(BATCH):
        for row in batch:
            yield place, row
            place += 1


def _is_plain(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC
