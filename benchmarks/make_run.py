"""Writes a large run and its judgments, the same bytes each time: as many queries and results as MS MARCO's dev set.

    uv run python benchmarks/make_run.py FOLDER [QUERIES] [RESULTS]

The default is 6,980 queries of 1,000 results, about 240 MB. Each query has 20 judged documents of grades 0 to 3, of
which its results hold 15. One result in 20 has the score of the one before it.
"""

import random
import sys
from pathlib import Path

QUERIES, RESULTS = 6_980, 1_000
DOCUMENTS, JUDGED, MISSED = 8_841_823, 20, 5


def make(folder: Path, queries: int = QUERIES, results: int = RESULTS) -> tuple[Path, Path]:
    """Write qrels.txt and run.txt into the folder, unless they are there, and return their paths."""
    qrels, run = folder / f"qrels_{queries}x{results}.txt", folder / f"run_{queries}x{results}.txt"
    if qrels.exists() and run.exists():
        return qrels, run
    rng = random.Random(20_231)
    judgments: list[str] = []
    with run.open("w", encoding="utf-8") as file:
        for number in range(queries):
            query = 1_000_000 + 13 * number
            pool = rng.sample(range(DOCUMENTS), results + MISSED)
            found, missed = pool[:results], pool[results:]
            judged = [*rng.sample(found, min(JUDGED - MISSED, results)), *missed]
            judgments += [f"{query} 0 {doc} {rng.choice((0, 0, 1, 1, 2, 3))}\n" for doc in judged]
            score, lines = 60.0 + rng.random(), []
            for rank, doc in enumerate(found, start=1):
                score -= 0.0 if rank % 20 == 0 else 0.05 * rng.random()
                lines.append(f"{query} Q0 {doc} {rank} {score:.6f} bm25\n")
            file.write("".join(lines))
    qrels.write_text("".join(judgments), encoding="utf-8")
    return qrels, run


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    print(*make(folder, *map(int, sys.argv[2:])), sep="\n")
