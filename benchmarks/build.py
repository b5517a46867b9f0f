"""How long a proved build takes, beside a bare script that writes the same cells and recalculates them once.

    uv run python benchmarks/build.py [REPEATS]

Both run in one process, in turn; the median of each and their ratio are printed.
"""

import io
import statistics
import sys
import time
from collections.abc import Callable

import formualizer
from openpyxl import Workbook, load_workbook

from workbook_builder import build

Contents = dict[str, dict[str, object]]


def contents() -> Contents:
    """Sheet title -> address -> value or formula, of the default workbook."""
    book = load_workbook(io.BytesIO(build().data))
    return {
        sheet.title: {
            cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row if cell.value is not None
        }
        for sheet in book.worksheets
    }


def bare(cells: Contents) -> bytes:
    """The same cells without style, chart, note or proof, written by openpyxl and recalculated once."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, values in cells.items():
        sheet = book.create_sheet(title)
        for address, value in values.items():
            sheet[address] = value
    written = io.BytesIO()
    book.save(written)
    recalculated: bytes = formualizer.recalculate_xlsx_bytes(written.getvalue())["bytes"]
    return recalculated


def median_seconds(tasks: list[Callable[[], object]], repeats: int) -> list[float]:
    """The median time of each task; they take turns, so that a busy moment hits all."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(repeats):
        for task, taken in zip(tasks, times, strict=True):
            start = time.perf_counter()
            task()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def main() -> None:
    """Print both medians and their ratio."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    cells = contents()
    proved, plain = median_seconds([build, lambda: bare(cells)], repeats)
    formulas = sum(str(value).startswith("=") for values in cells.values() for value in values.values())
    print(f"{len(cells)} sheets, {sum(map(len, cells.values()))} cells, {formulas} formulas; median of {repeats}")
    print(f"proved build        {proved * 1000:7.1f} ms")
    print(f"bare write + recalc {plain * 1000:7.1f} ms")
    print(f"ratio               {proved / plain:7.2f}")


if __name__ == "__main__":
    main()
