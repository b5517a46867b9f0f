"""How long a proved build takes, beside a bare script that writes the same cells and recalculates them once.

    uv run python benchmarks/build.py [REPEATS]

The script writes each cell's value or formula, with its style, through openpyxl: no chart, note, validation or proof.
Each is timed as a whole command, as its user waits for it, and then within one process; they take turns, and the
medians of the processor time and their ratios are printed.
"""

import io
import pickle
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import formualizer
from openpyxl import load_workbook

from workbook_builder import build
from workbook_builder.style import new_book

Contents = dict[str, dict[str, tuple[object, str]]]

SCRIPT = """
import pickle, sys
from pathlib import Path
import formualizer
from openpyxl import Workbook
from openpyxl.styles import NamedStyle
cells = pickle.loads(Path(sys.argv[1]).read_bytes())
book = Workbook()
book.remove(book.worksheets[0])
for name in {style for values in cells.values() for _, style in values.values()} - {"Normal"}:
    book.add_named_style(NamedStyle(name))
for title, values in cells.items():
    sheet = book.create_sheet(title)
    for address, (value, style) in values.items():
        sheet[address] = value
        sheet[address].style = style
book.save(sys.argv[2])
formualizer.recalculate_xlsx_file(sys.argv[2], sys.argv[2])
"""


def contents() -> Contents:
    """Sheet title -> address -> value or formula, and style, of the default workbook."""
    book = load_workbook(io.BytesIO(build().data))
    found: Contents = {}
    for sheet in book.worksheets:
        cells = (cell for row in sheet.iter_rows() for cell in row)
        found[sheet.title] = {cell.coordinate: (cell.value, cell.style) for cell in cells if cell.value is not None}
    return found


def bare(cells: Contents) -> bytes:
    """The same cells written by openpyxl and recalculated once."""
    book = new_book()
    for title, values in cells.items():
        sheet = book.create_sheet(title)
        for address, (value, style) in values.items():
            sheet[address] = value
            sheet[address].style = style
    written = io.BytesIO()
    book.save(written)
    recalculated: bytes = formualizer.recalculate_xlsx_bytes(written.getvalue())["bytes"]
    return recalculated


def command(*arguments: str) -> float:
    """The processor time of a Python command, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def within(task: Callable[[], object]) -> float:
    """The processor time of a task in this process."""
    start = time.process_time()
    task()
    return time.process_time() - start


def compare(name: str, ours: Callable[[], float], theirs: Callable[[], float], repeats: int) -> None:
    """Print the medians of two timings that take turns, and their ratio."""
    pairs = [(ours(), theirs()) for _ in range(repeats)]
    proved, plain = (1000 * statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"{name:16} proved build {proved:7.1f} ms   bare script {plain:7.1f} ms   ratio {proved / plain:.2f}")


def main() -> None:
    """Print what is built and both comparisons."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    cells = contents()
    formulas = sum(str(value).startswith("=") for values in cells.values() for value, _ in values.values())
    print(f"{len(cells)} sheets, {sum(map(len, cells.values()))} cells, {formulas} formulas; median of {repeats}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bare.py").write_text(SCRIPT)
        (folder / "cells").write_bytes(pickle.dumps(cells))
        script = [str(folder / each) for each in ("bare.py", "cells", "bare.xlsx")]
        verb = ["-m", "workbook_builder", "build", "-o", str(folder / "built.xlsx")]
        compare("whole commands", lambda: command(*verb), lambda: command(*script), repeats)
    compare("in one process", lambda: within(build), lambda: within(lambda: bare(cells)), repeats)


if __name__ == "__main__":
    main()
