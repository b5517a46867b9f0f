"""Writes a run and its judgments, the same bytes each time; by default as large as one of MS MARCO's dev set.

    uv run python benchmarks/make_run.py FOLDER [QUERIES] [RESULTS] [JUDGED]

The default is 6,980 queries of 1,000 results, 264 MB, and 20 judged documents a query, of grades 0 to 3. A quarter of
the judged documents is missed. One result in 20 has the score of the one before it.
"""

import random
import sys
from pathlib import Path

QUERIES, RESULTS, JUDGED = 6_980, 1_000, 20
DOCUMENTS = 8_841_823


def make(folder: Path, queries: int = QUERIES, results: int = RESULTS, judged: int = JUDGED) -> tuple[Path, Path]:
    """Write the judgments and the run into the folder and return their paths."""
    qrels, run = folder / f"qrels_{queries}x{results}.txt", folder / f"run_{queries}x{results}.txt"
    rng = random.Random(20_231)
    judgments: list[str] = []
    with run.open("w", encoding="utf-8") as file:
        for number in range(queries):
            query = 1_000_000 + 13 * number
            pool = rng.sample(range(DOCUMENTS), results + judged // 4)
            found, missed = pool[:results], pool[results:]
            graded = [*rng.sample(found, judged - len(missed)), *missed]
            judgments += [f"{query} 0 {doc} {rng.choice((0, 0, 1, 1, 2, 3))}\n" for doc in graded]
            score, lines = 60.0 + rng.random(), []
            for rank, doc in enumerate(found, start=1):
                score -= 0.0 if rank % 20 == 0 else 0.05 * rng.random()
                lines.append(f"{query} Q0 {doc} {rank} {score:.6f} bm25\n")
            file.write("".join(lines))
    qrels.write_text("".join(judgments), encoding="utf-8")
    return qrels, run


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    print(*make(target, *map(int, sys.argv[2:])), sep="\n")
