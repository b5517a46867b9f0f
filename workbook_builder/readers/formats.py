"""The formats of judgments and runs: one registry; a format is recognised by its content, or said by its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers import (
    delimited,
    excel,
    letor,
    msmarco,
    opensearch,
    parquet,
    quepid,
    rank_eval,
    ranx,
    rre,
    trec,
)
from workbook_builder.readers.given import Given, given
from workbook_builder.readers.text import NOT_TEXT, read_text
from workbook_builder.readers.values import number
from workbook_builder.suggest import did_you_mean

Recognises = Callable[[Given], bool]
ReadsJudgments = Callable[[Given], Judgments]
ReadsRun = Callable[[Given, str], Run]


@dataclass(frozen=True)
class Format:
    """What a format is, how it is recognised, and how what it can hold is read.

    `recognises` looks at the first bytes or lines (or the JSON); a format that cannot be told from another by its
    content never recognises anything and must be said by name.
    """

    meaning: str
    recognises: Recognises
    judgments: ReadsJudgments | None = None
    run: ReadsRun | None = None

    @property
    def holds(self) -> str:
        """What it holds, in words."""
        return " or ".join(what for what, reader in (("judgments", self.judgments), ("a run", self.run)) if reader)


def _recognises_trec(source: Given) -> bool:
    """Whether one of the first lines is a judgment or a result; or else all have columns enough, and no header."""
    lines = [line.split() for line in source.first_lines[:50]]
    if any(len(fields) == 4 and number(fields[3]) is not None for fields in lines):
        return True
    if any(len(fields) > 4 and number(fields[4]) is not None for fields in lines):
        return True
    several = bool(lines) and all(len(fields) >= 4 for fields in lines)
    return several and not set(",;{[") & set(source.first_lines[0])


def _never(_: Given) -> bool:
    return False


FORMATS: Mapping[str, Format] = {
    "excel": Format(
        "an .xlsx sheet with a heading such as query_id, doc_id, grade",
        excel.recognises,
        excel.read_judgments,
        excel.read_run,
    ),
    "parquet": Format("Parquet with such columns", parquet.recognises, parquet.read_judgments, parquet.read_run),
    "rank-eval": Format("Elasticsearch's _rank_eval request", rank_eval.recognises_request, rank_eval.read_judgments),
    "rank-eval-response": Format(
        "Elasticsearch's _rank_eval response", rank_eval.recognises_response, None, rank_eval.read_run
    ),
    "opensearch": Format("OpenSearch's judgment list (JSON)", opensearch.recognises, opensearch.read_judgments),
    "rre": Format("RRE's ratings (JSON), by gain or by list", rre.recognises, rre.read_judgments),
    "quepid": Format("Quepid's case (JSON)", quepid.recognises, quepid.read_judgments),
    "result-lists": Format(
        "JSON list of queries with docs in rank order", quepid.recognises_results, None, quepid.read_run
    ),
    "ranx": Format(
        "JSON of grades or scores by query and document", ranx.recognises, ranx.read_judgments, ranx.read_run
    ),
    "letor": Format("LETOR and SVMlight: 4 qid:1 ... # document", letor.recognises, letor.read_judgments),
    "beir": Format("BEIR's TSV, whose score is the grade", delimited.recognises_beir, delimited.read_judgments),
    "csv": Format(
        "a table with a header, by commas, semicolons or tabs; Quepid's and OpenSearch's CSV",
        delimited.recognises,
        delimited.read_judgments,
        delimited.read_run,
    ),
    "ordered": Format(
        "such a table whose rows stand in rank order, as Quepid's snapshots; must be said",
        _never,
        None,
        delimited.read_ordered_run,
    ),
    "trec": Format(
        "TREC qrels of 4 columns, runs of 5 or 6",
        _recognises_trec,
        lambda source: trec.read_qrels(source.origin),
        lambda source, name: trec.read_run(source.origin, name),
    ),
    "msmarco": Format("MS MARCO's run: query, document, rank", msmarco.recognises, None, msmarco.read_run),
}
"""Every format by name, in the order in which they are tried."""


def read_judgments(path: str | Path, format: str | None = None, *, sheet: str | None = None) -> Judgments:  # noqa: A002
    """Judgments from a file in any of `FORMATS`, also .gz and .zst; "-" is standard input.

    `format` names the format where the content should not decide; `sheet` a workbook's sheet. Raises InputError with
    every fault.
    """
    source = given(path, sheet=sheet)
    name = recognised(source, format)
    reader = FORMATS[name].judgments
    if reader is None:
        raise InputError([_other_kind(source, name, "judgments")])
    return reader(source)


def read_results(
    path: str | Path,
    name: str | None = None,
    format: str | None = None,  # noqa: A002
    *,
    ranks_from: int = 1,
    sheet: str | None = None,
) -> Run:
    """A run from a file in any of `FORMATS`, also .gz and .zst, called by the file's stem unless a name is given.

    `ranks_from` is the rank of the first result, 1 or 0, where a file has ranks and no scores; the rest as in
    `read_judgments`. Raises InputError with every fault.
    """
    source = given(path, ranks_from=ranks_from, sheet=sheet)
    chosen = recognised(source, format)
    reader = FORMATS[chosen].run
    if reader is None:
        raise InputError([_other_kind(source, chosen, "a run")])
    return reader(source, trec.run_name(path) if name is None else name)


def recognised(source: Given, said: str | None = None) -> str:
    """The name of the input's format, which is what was said where something was.

    Raises InputError for a name that is none, and when no format is recognised.
    """
    if said is not None:
        if said not in FORMATS:
            raise InputError([Fault("--format", "there is no such format", did_you_mean(said, FORMATS), value=said)])
        name = said
    else:
        found = next((name for name, known in FORMATS.items() if known.recognises(source)), None)
        if found is None:
            raise InputError([_unrecognised(source)])
        name = found
    if source.sheet is not None and name != "excel":
        remedy = f"Leave it out: {source.name} is {name}."
        raise InputError([Fault("--sheet", "only a workbook has sheets", remedy, value=source.sheet)])
    return name


def _unrecognised(source: Given) -> Fault:
    """Why no format is recognised, and what the first line would have to be."""
    if not source.head.strip():
        return Fault(source.name, "the file is empty", "Give lines of judgments or results.")
    for magic, (what, remedy) in NOT_TEXT.items():
        if source.head.startswith(magic):
            return Fault(source.name, f"this is {what}, not text", remedy)
    read_text(source.origin)
    names = ", ".join(FORMATS)
    if source.is_json:
        return Fault(source.name, "this JSON has none of the known forms", f"Say which with --format: {names}.")
    first = source.first_lines[0] if source.first_lines else ""
    remedy = (
        "Begin with a header such as query_id,doc_id,grade (a run: query_id,doc_id,score), give TREC lines of 4 "
        f"columns (a run: 5 or 6), or say --format: {names}."
    )
    return Fault(source.name, "the format is not recognised", remedy, value=first)


def _other_kind(source: Given, name: str, wanted: str) -> Fault:
    known = FORMATS[name]
    fitting = [each for each, other in FORMATS.items() if (other.judgments if wanted == "judgments" else other.run)]
    remedy = f"Give {wanted} here; {name} holds {known.holds}."
    if name == "beir":
        remedy = "BEIR's score is the grade. If these are a run's scores, say --format csv."
    elif name == "msmarco":
        remedy = "For judgments give query, 0, document and grade, or a header such as query_id,doc_id,grade."
    elif name == "rank-eval-response":
        remedy = "It rates only the hits, and the ideal needs all that was judged: give the request."
    elif name == "rank-eval":
        remedy = "The request holds the judgments: give the response."
    elif name == "ordered":
        remedy = f"Say one of {', '.join(fitting)}."
    return Fault(source.name, f"this is {known.meaning}, and holds no {wanted.removeprefix('a ')}", remedy)
