"""How long a proved build takes, beside a bare script that writes the same cells and recalculates them once.

    uv run python benchmarks/build.py [REPEATS]

The script writes each cell's value or formula with its style, through openpyxl, and no chart, note, rule or proof. All
run in one process, in turn; the median processor time of each and the ratios are printed, also for values alone.
"""

import io
import statistics
import sys
import time
from collections.abc import Callable

import formualizer
from openpyxl import Workbook, load_workbook

from workbook_builder import build
from workbook_builder.style import new_book

Contents = dict[str, dict[str, tuple[object, str]]]


def contents() -> Contents:
    """Sheet title -> address -> value or formula, and style, of the default workbook."""
    book = load_workbook(io.BytesIO(build().data))
    found: Contents = {}
    for sheet in book.worksheets:
        cells = (cell for row in sheet.iter_rows() for cell in row)
        found[sheet.title] = {cell.coordinate: (cell.value, cell.style) for cell in cells if cell.value is not None}
    return found


def bare(cells: Contents, *, styled: bool) -> bytes:
    """The same cells written by openpyxl and recalculated once."""
    book = new_book() if styled else Workbook()
    for title, values in cells.items():
        sheet = book.create_sheet(title)
        for address, (value, style) in values.items():
            cell = sheet[address]
            cell.value = value
            if styled:
                cell.style = style
    written = io.BytesIO()
    book.save(written)
    recalculated: bytes = formualizer.recalculate_xlsx_bytes(written.getvalue())["bytes"]
    return recalculated


def median_seconds(tasks: list[Callable[[], object]], repeats: int) -> list[float]:
    """The median processor time of each task; they take turns, so that a busy moment hits all."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(repeats):
        for task, taken in zip(tasks, times, strict=True):
            start = time.process_time()
            task()
            taken.append(time.process_time() - start)
    return [statistics.median(taken) for taken in times]


def main() -> None:
    """Print both medians and their ratio."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    cells = contents()
    tasks = [build, lambda: bare(cells, styled=True), lambda: bare(cells, styled=False)]
    proved, styled, plain = (1000 * seconds for seconds in median_seconds(tasks, repeats))
    formulas = sum(str(value).startswith("=") for values in cells.values() for value, _ in values.values())
    print(f"{len(cells)} sheets, {sum(map(len, cells.values()))} cells, {formulas} formulas; median of {repeats}")
    print(f"proved build                             {proved:7.1f} ms")
    print(f"bare write with styles, one recalculation {styled:6.1f} ms   ratio {proved / styled:.2f}")
    print(f"bare write of values, one recalculation   {plain:6.1f} ms   ratio {proved / plain:.2f}")


if __name__ == "__main__":
    main()
