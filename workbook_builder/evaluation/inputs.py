"""What an evaluation workbook is made of: judgments, runs and conventions, checked before any work starts."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from workbook_builder.errors import Fault, InputError
from workbook_builder.from_runs import no_query_in_common
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import UNLISTED, Judgments, Run
from workbook_builder.measures import DEFAULT_MEASURES, Measure
from workbook_builder.notes import ignored_note
from workbook_builder.readers.values import MOST_TEXT, convention_faults, name_faults

MOST_ROWS = 1_048_576
"""The rows of a sheet in Excel."""
MOST_GRADES = 30
"""Each grade is a column of the sheet Ideal."""
MOST_COLUMNS = 1_000
MOST_RUNS = 40
HOLES = 10
"""Unjudged results down to this rank, or to nDCG's k where that is more, get a line in Judgments to be graded."""
ESCAPE = re.compile("_x[0-9A-Fa-f]{4}_")
"""How the files of spreadsheets state a character by its number."""
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""What XML cannot state, or would not be read back as it stands."""
MOST_HOLES = 20_000
"""Beyond so many such lines there are none: each costs a row, and four formulas for every system that returned it."""
DIGITS = 15
"""The significant digits with which spreadsheets compare a number in a criterion."""


@dataclass(frozen=True)
class SourceFile:
    """A file that an evaluation was read from: its name, its size in bytes and the SHA-256 of its bytes."""

    name: str
    size: int
    checksum: str


@dataclass(frozen=True)
class Sample:
    """Which queries a workbook of a sample holds: how many of all, and the seed that chose them."""

    queries: int
    of: int
    seed: int


@dataclass(frozen=True)
class Evaluation:
    """Runs and the judgments they are measured by.

    Every judged query counts for every run. `query_texts` and `texts` show what an id stands for, where that is known.
    Raises InputError, before anything is laid out, for what no cell can hold or no metric is defined for.
    """

    judgments: Judgments
    runs: tuple[Run, ...]
    measures: tuple[Measure, ...] = DEFAULT_MEASURES
    gain: Gain = LINEAR
    relevant_from: float = 1
    texts: Mapping[str, str] = field(default_factory=dict)
    query_texts: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[SourceFile, ...] = ()
    sample: Sample | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rounded, changed = _rounded(self.judgments)
        if changed:
            note = f"{changed} grades had more than {DIGITS} digits, which no spreadsheet compares; they were rounded"
            object.__setattr__(self, "judgments", replace(self.judgments, grades=rounded))
            object.__setattr__(self, "notes", (*self.notes, note))
        object.__setattr__(self, "runs", tuple(_judged_part(self.judgments, run) for run in self.runs))
        for name in ("texts", "query_texts"):
            object.__setattr__(self, name, {each: _writable(text) for each, text in getattr(self, name).items()})
        object.__setattr__(self, "relevant_from", float(f"{self.relevant_from:.{DIGITS}g}"))
        if faults := [*self._faults()]:
            raise InputError(faults)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The fixed query set: every judged query, in the judgments' order."""
        return tuple(self.judgments.grades)

    @cached_property
    def grades(self) -> tuple[float, ...]:
        """The grades there are, low to high: those met, and the whole numbers between 0 and the highest."""
        met = {grade for pool in self.judgments.grades.values() for grade in pool.values()}
        if self.gain.kind == "table":
            return tuple(sorted(met | {0.0} | {grade for grade, _ in self.gain.table}))
        highest = max(met, default=0.0)
        few_and_whole = highest < MOST_GRADES and all(grade == int(grade) for grade in met)
        filled = met | {0.0} | {float(grade) for grade in range(int(highest) + 1 if few_and_whole else 0)}
        return tuple(sorted(filled if len(filled) <= MOST_GRADES else met | {0.0}))

    @cached_property
    def depth(self) -> int:
        """The longest ranking."""
        return max((len(ranking) for run in self.runs for ranking in run.rankings.values()), default=0)

    @property
    def main(self) -> Measure:
        """The measure whose k says what "the top" is: the first nDCG, or else the first of all."""
        return next((measure for measure in self.measures if measure.metric == "nDCG"), self.measures[0])

    @cached_property
    def holes_to(self) -> int:
        """The rank down to which unjudged results get a line in Judgments; 0 when those would be too many."""
        wanted = max(HOLES, self.main.k or 0)
        return wanted if sum(map(len, self._unjudged_to(wanted).values())) <= MOST_HOLES else 0

    @cached_property
    def holes(self) -> Mapping[str, tuple[str, ...]]:
        """By query, the documents that some run returns that high and that nobody judged, in the order they are met."""
        return self._unjudged_to(self.holes_to)

    def _unjudged_to(self, rank: int) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for query, pool in self.judgments.grades.items():
            tops = (run.rankings.get(query, ())[:rank] for run in self.runs)
            unjudged = (document for top in tops for document in top if document not in pool and document != UNLISTED)
            found[query] = tuple(dict.fromkeys(unjudged))
        return found

    def _faults(self) -> Iterator[Fault]:
        names = [run.name for run in self.runs]
        if not names:
            yield Fault("runs", "there is no run", "Give at least one.")
        if len(names) > MOST_RUNS:
            problem = f"{len(names)} runs do not fit beside each other"
            yield Fault("runs", problem, f"Give at most {MOST_RUNS}.", value=str(len(names)))
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield Fault("runs", "two runs have the same name", "Give each run once, or rename a file.", value=name)
        for run in self.runs:
            yield from _written_faults(run.name, "run", run.name)
            if not any(query in run.rankings for query in self.judgments.grades):
                yield no_query_in_common(self.judgments, run)
        if not self.measures:
            yield Fault("--metric", "there is no metric", "Give at least one, as in nDCG@10.")
            return
        yield from self._convention_faults()
        yield from self._pair_faults()
        yield from self._id_faults()

    def _id_faults(self) -> Iterator[Fault]:
        source = self.judgments.source
        for query, pool in self.judgments.grades.items():
            yield from _written_faults(source, "query", query)
            if not pool:
                remedy = "Judge one, or leave the query out."
                yield Fault(source, "no document of this query is judged", remedy, value=query)
        judged = {document for pool in self.judgments.grades.values() for document in pool}
        listed = [(run.name, {each for of in run.rankings.values() for each in of} - {UNLISTED}) for run in self.runs]
        for name, documents in ((source, judged), *listed):
            for document in sorted(each for each in documents if not _plain(each)):
                yield from _written_faults(name, "document", document)

    def _convention_faults(self) -> Iterator[Fault]:
        source = self.judgments.source
        met = sorted({grade for pool in self.judgments.grades.values() for grade in pool.values()})
        unjudged = self.gain.kind == "table" and any(
            not pool.keys() >= set(run.rankings.get(query, ()))
            for run in self.runs
            for query, pool in self.judgments.grades.items()
        )
        yield from convention_faults(source, self.gain, self.relevant_from, met, unjudged=unjudged)
        if len(met) > MOST_GRADES:
            remedy = f"Round the grades to a scale of at most {MOST_GRADES}; score takes them as they are."
            yield Fault(source, f"there are {len(met):,} different grades", remedy)

    def size_faults(self) -> Iterator[Fault]:
        """The limit of a sheet's rows, with the command that stays within it: told before a workbook is begun.

        An evaluation may be larger, or no sample could be taken from it.
        """
        sizes = {
            "results": sum(len(run.rankings.get(query, ())) for run in self.runs for query in self.queries),
            "judgments": sum(map(len, self.judgments.grades.values())) + sum(map(len, self.holes.values())),
        }
        queries = max(1, len(self.queries))
        for what, rows in sizes.items():
            if rows >= MOST_ROWS:
                fitting = max(1, int(queries * 0.9 * MOST_ROWS / rows))
                problem = f"{rows:,} {what} do not fit into a sheet, which has {MOST_ROWS:,} rows in Excel"
                remedy = f"Take a sample of the queries: --sample {fitting} --seed 1. score takes all of them."
                yield Fault(self.judgments.source, problem, remedy)

    def _pair_faults(self) -> Iterator[Fault]:
        pairs = len(self.runs) * (len(self.runs) - 1) // 2
        if (columns := pairs * len(self.measures)) > MOST_COLUMNS:
            problem = f"{pairs} pairs of runs in {len(self.measures)} metrics make {columns:,} columns of differences"
            yield Fault("runs", problem, "Give fewer runs, or fewer metrics with --metric.")


def sampled(evaluation: Evaluation, queries: int, seed: int) -> Evaluation:
    """The evaluation of a random sample of the judged queries, in their order, and marked as one.

    Raises InputError when the sample is not smaller than the whole, is empty, or holds no query that a run answers.
    """
    every = evaluation.queries
    if not 1 <= queries < len(every):
        remedy = f"Give a whole number from 1 to {len(every) - 1}, or leave --sample out."
        raise InputError([Fault("--sample", f"there are {len(every)} judged queries", remedy, value=str(queries))])
    chosen = set(random.Random(seed).sample(every, queries))
    idle = [run.name for run in evaluation.runs if not any(map(run.rankings.get, chosen))]
    if idle:
        problem = f"{', '.join(idle)} answers none of the queries drawn with seed {seed}"
        raise InputError([Fault("--sample", problem, "Take more queries, or another --seed.", value=str(queries))])
    grades = {query: pool for query, pool in evaluation.judgments.grades.items() if query in chosen}
    return replace(
        evaluation,
        judgments=replace(evaluation.judgments, grades=grades),
        runs=tuple(_restricted(run, chosen) for run in evaluation.runs),
        sample=Sample(queries, len(every), seed),
    )


def _judged_part(judgments: Judgments, run: Run) -> Run:
    """The run without what no sheet shows, and with a note on it; one that answers nothing else stays as it is."""
    ignored = [query for query in run.rankings if query not in judgments.grades]
    if not ignored or len(ignored) == len(run.rankings):
        return run
    return replace(_restricted(run, judgments.grades), notes=(*run.notes, ignored_note(ignored)))


def _plain(text: str) -> bool:
    """Whether a cell surely holds the text as it is; an empty one is no id."""
    return text.isprintable() and 0 < len(text) <= MOST_TEXT and "_x" not in text


def _written_faults(file: str, column: str, name: str) -> Iterator[Fault]:
    """What keeps an id from standing in a cell as it is."""
    yield from name_faults(file, None, column, name)
    if found := ESCAPE.search(name):
        problem = f"spreadsheets take {found[0]} in an id for one character"
        yield Fault(file, problem, "Rename it.", column=column, value=name)


def _writable(text: str) -> str:
    """A text as a cell can hold it."""
    return text if _plain(text) else UNWRITABLE.sub(" ", text)[:MOST_TEXT]


def _restricted(run: Run, queries: Iterable[str]) -> Run:
    kept = set(queries)
    scores = None if run.scores is None else {query: each for query, each in run.scores.items() if query in kept}
    return replace(run, rankings={query: each for query, each in run.rankings.items() if query in kept}, scores=scores)


def _rounded(judgments: Judgments) -> tuple[Mapping[str, Mapping[str, float]], int]:
    """The grades as a spreadsheet can compare them, and how many were changed."""
    exact = {grade for pool in judgments.grades.values() for grade in pool.values()}
    near = {grade: float(f"{grade:.{DIGITS}g}") for grade in exact}
    if all(grade == other for grade, other in near.items()):
        return judgments.grades, 0
    changed = sum(near[grade] != grade for pool in judgments.grades.values() for grade in pool.values())
    rounded = {
        query: {document: near[grade] for document, grade in pool.items()} for query, pool in judgments.grades.items()
    }
    return rounded, changed
