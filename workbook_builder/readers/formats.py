"""The formats of judgments and runs: one registry; a format is recognised by its content, or said by its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers import trec_given
from workbook_builder.readers.given import Given, given
from workbook_builder.readers.text import NOT_TEXT, read_text
from workbook_builder.readers.trec import run_name
from workbook_builder.suggest import did_you_mean

Recognises = Callable[[Given], bool]
ReadsJudgments = Callable[[Given], Judgments]
ReadsRun = Callable[[Given, str], Run]


@dataclass(frozen=True)
class Format:
    """What a format is, and the functions of its module, which is loaded when it is asked.

    `recognition` looks at the first bytes or lines, or at the JSON; a format that cannot be told from another by its
    content has none and must be said by name.
    """

    meaning: str
    module: str
    recognition: str | None = "recognises"
    judgments_reader: str | None = None
    run_reader: str | None = None

    @property
    def holds(self) -> str:
        """What it holds, in words."""
        readers = (("judgments", self.judgments_reader), ("a run", self.run_reader))
        return " or ".join(what for what, reader in readers if reader)

    @property
    def recognises(self) -> Recognises:
        """Whether an input is of this format."""
        found: Recognises = self._function(self.recognition) or (lambda _: False)
        return found

    @property
    def judgments(self) -> ReadsJudgments | None:
        """Its reader of judgments, where it holds any."""
        found: ReadsJudgments | None = self._function(self.judgments_reader)
        return found

    @property
    def run(self) -> ReadsRun | None:
        """Its reader of runs, where it holds any."""
        found: ReadsRun | None = self._function(self.run_reader)
        return found

    def _function(self, name: str | None) -> Any:
        return name and getattr(import_module(f"workbook_builder.readers.{self.module}"), name)


def _judgments(meaning: str, module: str, recognition: str | None = "recognises") -> Format:
    return Format(meaning, module, recognition, "read_judgments")


def _run(meaning: str, module: str, recognition: str | None = "recognises", reader: str = "read_run") -> Format:
    return Format(meaning, module, recognition, None, reader)


def _both(meaning: str, module: str) -> Format:
    return Format(meaning, module, "recognises", "read_judgments", "read_run")


FORMATS: Mapping[str, Format] = {
    "excel": _both("an .xlsx sheet with a heading such as query_id, doc_id, grade", "excel"),
    "parquet": _both("Parquet with such columns", "parquet"),
    "rank-eval": _judgments("Elasticsearch's _rank_eval request", "rank_eval", "recognises_request"),
    "rank-eval-response": _run("Elasticsearch's _rank_eval response", "rank_eval", "recognises_response"),
    "opensearch": _judgments("OpenSearch's judgment list (JSON)", "opensearch"),
    "rre": _judgments("RRE's ratings (JSON), by gain or by list", "rre"),
    "quepid": _judgments("Quepid's case (JSON)", "quepid"),
    "result-lists": _run("JSON list of queries with docs in rank order", "quepid", "recognises_results"),
    "ranx": _both("JSON of grades or scores by query and document", "ranx"),
    "letor": _judgments("LETOR and SVMlight: 4 qid:1 ... # document", "letor"),
    "beir": _judgments("BEIR's TSV, whose score is the grade", "delimited", "recognises_beir"),
    "csv": _both("a table with a header, by commas, semicolons or tabs; Quepid's and OpenSearch's CSV", "delimited"),
    "ordered": _run(
        "such a table whose rows stand in rank order, as Quepid's snapshots; must be said",
        "delimited",
        None,
        "read_ordered_run",
    ),
    "trec": _both("TREC qrels of 4 columns, runs of 5 or 6", "trec_given"),
    "msmarco": _run("MS MARCO's run: query, document, rank", "msmarco"),
}
"""Every format by name, in the order in which they are tried."""


KINDS = ("judgments", "run")


def read_judgments(path: str | Path, format: str | None = None, *, sheet: str | None = None) -> Judgments:  # noqa: A002
    """Judgments from a file in any of `FORMATS`, also .gz and .zst; "-" is standard input.

    `format` names the format where the content should not decide; `sheet` a workbook's sheet. Raises InputError with
    every fault.
    """
    source = given(path, sheet=sheet)
    return _judgments_in(source, recognised(source, format))


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
    return _run_in(source, recognised(source, format), path, name)


def read_either(
    path: str | Path,
    kind: str | None = None,
    format: str | None = None,  # noqa: A002
    *,
    ranks_from: int = 1,
    sheet: str | None = None,
) -> Judgments | Run:
    """Judgments or a run, whichever the file holds; `kind`, "judgments" or "run", decides where it may be either.

    Raises InputError with every fault, and when it may be either and `kind` does not say.
    """
    source = given(path, ranks_from=ranks_from, sheet=sheet)
    if kind not in (None, *KINDS):
        raise InputError([Fault("--kind", "there is no such kind", did_you_mean(str(kind), KINDS), value=kind)])
    name = recognised(source, format)
    known = FORMATS[name]
    read: list[Judgments | Run] = []
    failed: list[InputError] = []
    held = [each for each, reader in zip(KINDS, (known.judgments, known.run), strict=True) if reader]
    for each in [kind] if kind else held:
        try:
            read.append(_judgments_in(source, name) if each == "judgments" else _run_in(source, name, path, None))
        except InputError as error:
            failed.append(error)
    if not read:
        raise min(failed, key=lambda error: len(error.faults))
    if len(read) > 1:
        remedy = "Say --kind judgments or --kind run."
        raise InputError([Fault(source.name, "this may be judgments or a run", remedy)])
    return read[0]


def recognised(source: Given, said: str | None = None) -> str:
    """The name of the input's format, which is what was said where something was.

    Raises InputError for a name that is none, and when no format is recognised.
    """
    if said is not None:
        if said not in FORMATS:
            raise InputError([Fault("--format", "there is no such format", did_you_mean(said, FORMATS), value=said)])
        name = said
    else:
        # Most files are TREC's, and these wait for no other module.
        certain = "trec" if trec_given.is_certain(source) else None
        found = certain or next((name for name, known in FORMATS.items() if known.recognises(source)), None)
        if found is None:
            raise InputError([_unrecognised(source)])
        name = found
    if source.sheet is not None and name != "excel":
        remedy = f"Leave it out: {source.name} is {name}."
        raise InputError([Fault("--sheet", "only a workbook has sheets", remedy, value=source.sheet)])
    return name


def _judgments_in(source: Given, format_name: str) -> Judgments:
    reader = FORMATS[format_name].judgments
    if reader is None:
        raise InputError([_other_kind(source, format_name, "judgments")])
    return reader(source)


def _run_in(source: Given, format_name: str, path: str | Path, name: str | None) -> Run:
    reader = FORMATS[format_name].run
    if reader is None:
        raise InputError([_other_kind(source, format_name, "a run")])
    return reader(source, run_name(path) if name is None else name)


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
    fitting = [each for each, other in FORMATS.items() if wanted in other.holds]
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
