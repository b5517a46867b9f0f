"""How long scoring a run takes, beside the tools people use: pytrec-eval-terrier and ir_measures.

    uv run python benchmarks/score.py [REPEATS] [QRELS RUN]

Each is a whole command, its start included, that reads the same two files, TREC text or gzip, and prints the means of
the same metrics; pytrec_eval is read for with plain loops, as its users do. They take turns. Printed are the medians of
the seconds and of the processor's, the peak memory, and ours divided by theirs; different means end it with an error.
Without files of yours it makes 7 million lines, and 100,000 lines gzipped.
"""

import gzip
import json
import math
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from make_run import make

METRICS = {"nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "P@10": "P_10", "R@10": "recall_10"}

PYTREC_EVAL = f"""
import gzip, json, sys
import pytrec_eval

def opened(path):
    return gzip.open(path, "rt") if path.endswith(".gz") else open(path)

qrels, run = {{}}, {{}}
with opened(sys.argv[1]) as file:
    for line in file:
        query, _, document, grade = line.split()
        qrels.setdefault(query, {{}})[document] = int(grade)
with opened(sys.argv[2]) as file:
    for line in file:
        query, _, document, _, score, _ = line.split()
        run.setdefault(query, {{}})[document] = float(score)
names = {METRICS!r}
found = pytrec_eval.RelevanceEvaluator(qrels, {{"ndcg_cut.10", "recip_rank", "P.10", "recall.10"}}).evaluate(run)
means = {{ours: sum(each[theirs] for each in found.values()) / len(qrels) for ours, theirs in names.items()}}
print(json.dumps(means))
"""

IR_MEASURES = f"""
import json, sys
import ir_measures
qrels, run = ir_measures.read_trec_qrels(sys.argv[1]), ir_measures.read_trec_run(sys.argv[2])
found = ir_measures.calc_aggregate(map(ir_measures.parse_measure, {list(METRICS)!r}), qrels, run)
print(json.dumps({{str(measure): value for measure, value in found.items()}}))
"""


@dataclass(frozen=True)
class Took:
    """One run of a command: seconds, processor seconds, peak megabytes and what it printed."""

    wall: float
    cpu: float
    memory: float
    out: str


def command(*arguments: str) -> Took:
    """Run a Python command as its user does; the system's own account of it."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1)]
        child = os.posix_spawn(sys.executable, [sys.executable, *arguments], os.environ, file_actions=actions)
        _, status, used = os.wait4(child, 0)
        wall = time.perf_counter() - start
        if status:
            sys.exit(f"this failed: {' '.join(arguments)}")
        out.seek(0)
        unit = 1e6 if sys.platform == "darwin" else 1e3
        return Took(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / unit, out.read().decode())


def means(printed: str) -> dict[str, float]:
    """The means by metric, from our JSON or a peer's."""
    given = json.loads(printed)
    found: dict[str, float] = given["runs"][0]["mean"] if "runs" in given else given
    return found


def compare(title: str, qrels: Path, run: Path, repeats: int) -> None:
    """Print the commands' figures side by side; exit with an error when their means differ."""
    scripts = {"pytrec-eval-terrier": PYTREC_EVAL, "ir_measures": IR_MEASURES}
    commands = {"workbook-builder": ["-m", "workbook_builder", "score", str(qrels), str(run), "--json"]}
    commands |= {name: ["-c", script, str(qrels), str(run)] for name, script in scripts.items()}
    taken: dict[str, list[Took]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, arguments in commands.items():
            taken[name].append(command(*arguments))
    print(f"{title}; median of {repeats}")
    print(f"{'':20} {'seconds':>8} {'ours/its':>8} {'cpu s':>8} {'ours/its':>8} {'peak MB':>8} {'ours/its':>8}")
    ours = [statistics.median(each) for each in zip(*map(figures, taken["workbook-builder"]), strict=True)]
    expected = means(taken["workbook-builder"][0].out)
    for name, runs in taken.items():
        medians = [statistics.median(each) for each in zip(*map(figures, runs), strict=True)]
        cells = (f"{median:8.2f} {mine / median:8.2f}" for mine, median in zip(ours, medians, strict=True))
        print(f"{name:20} {' '.join(cells)}")
        for metric, value in means(runs[0].out).items():
            if not math.isclose(value, expected[metric], rel_tol=1e-12, abs_tol=1e-12):
                sys.exit(f"{name}: {metric} is {value!r}, ours {expected[metric]!r}")
    print(f"equal to 1e-12: {', '.join(f'{metric} {value:.6f}' for metric, value in expected.items())}\n")


def figures(took: Took) -> tuple[float, float, float]:
    """What is compared."""
    return took.wall, took.cpu, took.memory


def main() -> None:
    """Compare on the files given, or on those made here."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if len(sys.argv) > 2:
            qrels, run = map(Path, sys.argv[2:])
            compare(f"{qrels.name}, {run.name}", qrels, run, repeats)
            return
        compare("7 million lines, 264 MB", *make(folder), repeats)
        packed = []
        for path in make(folder, queries=100, judged=1000):
            packed.append(path.with_suffix(".txt.gz"))
            packed[-1].write_bytes(gzip.compress(path.read_bytes()))
        compare("100,000 lines, gzip", *packed, repeats)


if __name__ == "__main__":
    main()
