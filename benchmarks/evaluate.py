"""How evaluation workbooks grow: building, and recalculating in LibreOffice, when the queries double.

    uv run python benchmarks/evaluate.py [--queries 60] [--depth 1000]
    uv run python benchmarks/evaluate.py --sizes          # the three sizes that must work

Every workbook is built and proved. Recalculation is LibreOffice's whole run, its start (a workbook of one query) taken
off; all seconds are processor time. A formula that scanned a whole column would make the last ratio 4 instead of 2.
"""

import argparse
import random
import resource
import time

from workbook_builder import Evaluation, Judgments, Run
from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.recalculate import ENGINES

SIZES = {
    "passages (43 x 1,000)": (43, 1000, 1, 215, 0.15),
    "news (249 x 1,000)": (249, 1000, 1, 1246, 0.2),
    "dev (6,980 x 10, two systems)": (6980, 10, 2, 2, 0.1),
}
"""Queries, depth, systems, judged documents a query, and the share of the results that are judged."""


def evaluation(queries: int, depth: int, systems: int, judged: int, share: float) -> Evaluation:
    """Random judgments and runs of a size."""
    drawn = random.Random(1)
    grades: dict[str, dict[str, float]] = {}
    rankings: list[dict[str, tuple[str, ...]]] = [{} for _ in range(systems)]
    for query in range(queries):
        pool = [f"d{query}-{at}" for at in range(judged)]
        grades[str(query)] = {document: drawn.choice((0, 0, 1, 2, 3)) for document in pool}
        for run in rankings:
            found = drawn.sample(pool, min(judged, int(depth * share)))
            found += [f"u{query}-{at}" for at in range(depth - len(found))]
            drawn.shuffle(found)
            run[str(query)] = tuple(found)
    runs = tuple(Run(f"system {at}", run) for at, run in enumerate(rankings, 1))
    return Evaluation(Judgments(grades), runs)


def measured(size: tuple[int, int, int, int, float]) -> tuple[int, float, float]:
    """Formula cells, seconds to build and prove, and seconds of LibreOffice."""
    given = evaluation(*size)
    began = time.process_time()
    built = build_evaluation(given)
    done = time.process_time()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ENGINES["libreoffice"].recalculate(built.data)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return built.report.cells, done - began, spent


def main() -> None:
    """Print one line a size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--sizes", action="store_true")
    given = parser.parse_args()
    _, _, start = measured((1, 10, 1, 10, 0.5))
    print(f"LibreOffice's start: {start:.1f} s")
    if given.sizes:
        sizes = SIZES
    else:
        shape = (given.depth, 1, 1000, 0.4)
        sizes = {f"{given.queries * times} queries": (given.queries * times, *shape) for times in (1, 2, 4)}
    before = None
    for name, size in sizes.items():
        cells, built, recalculated = measured(size)
        net = recalculated - start
        growth = "" if before is None or given.sizes else f", {net / before:.2f} times the half"
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{name}: {cells:,} formula cells; built and proved in {built:.1f} s, {peak:.1f} GB; "
            f"LibreOffice {net:.1f} s{growth}"
        )
        before = net


if __name__ == "__main__":
    main()
