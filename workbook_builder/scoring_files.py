"""Scores run files: small ones are read into memory, large ones a chunk at a time, with the same values and notes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from workbook_builder.errors import InputError
from workbook_builder.from_runs import no_query_in_common
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import DEFAULT_MEASURES, Measure, parse_measures
from workbook_builder.readers.formats import read_judgments, read_results
from workbook_builder.readers.text import STDIN
from workbook_builder.readers.trec import run_name
from workbook_builder.readers.values import convention_faults
from workbook_builder.scoring import Found, RunScores, Scores, score, score_run

LARGE = 20_000_000
"""From this size on, in bytes of text, a run is not held in memory: reading it takes longer than importing NumPy."""

COMPRESSED = {b"\x1f\x8b": 4, b"\x28\xb5": 4}
"""First bytes of gzip and zstd, and how many times longer the text is, about."""


def score_files(
    qrels: str | Path,
    runs: Sequence[str | Path],
    measures: Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    gain: Gain = LINEAR,
    relevant_from: float = 1,
    form: str | None = None,
    qrels_format: str | None = None,
    ranks_from: int = 1,
) -> Scores:
    """Every measure of every run file, as `scoring.score` gives it; "-" is standard input.

    `form` names the files' format where their content should not decide, `qrels_format` the judgments' where it is
    another; `ranks_from` is the first rank, 1 or 0, of a run without scores. A run is called by its file's
    stem, or by its path where two have one stem. Raises InputError for whatever cannot be read or scored.
    """
    wanted = parse_measures(measures)
    judgments = read_judgments(qrels, qrels_format or form)
    stems = [run_name(run) for run in runs]
    names = [stem if stems.count(stem) == 1 else str(run) for run, stem in zip(runs, stems, strict=True)]
    large: dict[int, RunScores] = {}
    plain: dict[int, Run] = {}
    for at, (run, name) in enumerate(zip(runs, names, strict=True)):
        suits = wanted and form in (None, "trec") and is_large(run)
        found = _large(judgments, Path(run), name, wanted, gain, relevant_from) if suits else None
        if found is None:
            plain[at] = read_results(run, name, form, ranks_from=ranks_from)
        else:
            large[at] = found
    if plain or not large:
        listed = score(judgments, plain.values(), wanted, gain=gain, relevant_from=relevant_from).runs
        large |= dict(zip(plain, listed, strict=True))
    return Scores(wanted, tuple(large[at] for at in sorted(large)), gain, relevant_from)


def is_large(path: str | Path) -> bool:
    """Whether a file is read a chunk at a time; standard input, a pipe or what cannot be opened is not."""
    file = Path(path)
    if str(path) == STDIN or not file.is_file():
        return False
    try:
        with file.open("rb") as opened:
            return file.stat().st_size * COMPRESSED.get(opened.read(2), 1) >= LARGE
    except OSError:
        return False


def _large(
    judgments: Judgments, path: Path, name: str, measures: tuple[Measure, ...], gain: Gain, relevant_from: float
) -> RunScores | None:
    """The scores of a large run; None when it has to be read the plain way, which also names what is wrong in it."""
    from workbook_builder import large  # noqa: PLC0415  NumPy takes a while to import

    grades = {grade for judged in judgments.grades.values() for grade in judged.values()}
    if faults := list(convention_faults(judgments.source, gain, relevant_from, grades)):
        raise InputError(faults)
    answered: dict[str, bool] = {}

    def told() -> Iterator[tuple[str, Found | None]]:
        for query, found in large.found(judgments, path):
            answered[query] = found is not None
            if found and gain.kind == "table" and len(found.judged_ranks) < len(found.grades):
                faults.extend(convention_faults(judgments.source, gain, relevant_from, grades, unjudged=True))
                if faults:
                    raise InputError(faults)
            yield query, found

    try:
        scored = score_run(judgments, name, told(), measures, gain, relevant_from)
    except large.UnplainError:
        return None
    if not any(answered.values()):
        raise InputError([no_query_in_common(judgments, Run(name, dict.fromkeys(answered, ())))])
    return scored.with_notes(judgments.notes)
