"""TREC's two formats as the registry calls them: how they are recognised, and the readers in `trec`."""

from workbook_builder.inputs import Judgments, Run
from workbook_builder.readers.given import Given
from workbook_builder.readers.trec import read_qrels
from workbook_builder.readers.trec import read_run as read_trec_run
from workbook_builder.readers.values import number

QRELS_COLUMNS = 4
LOOKED_AT = 50
SECOND = {"0", "Q0"}


def is_certain(given: Given) -> bool:
    """Whether the first line can be nothing else: the usual second column, and a number where it belongs."""
    fields = given.first_lines[0].split() if given.first_lines else []
    return len(fields) >= QRELS_COLUMNS and fields[1] in SECOND and _has_number(fields)


def recognises(given: Given) -> bool:
    """Whether one of the first lines is a judgment or a result; or else all have columns enough, and no header."""
    lines = [line.split() for line in given.first_lines[:LOOKED_AT]]
    if any(map(_has_number, lines)):
        return True
    several = bool(lines) and all(len(fields) >= QRELS_COLUMNS for fields in lines)
    return several and not set(",;{[") & set(given.first_lines[0])


def read_judgments(given: Given) -> Judgments:
    """Judgments; raises InputError with every fault."""
    return read_qrels(given.origin)


def read_run(given: Given, name: str) -> Run:
    """A run; raises InputError with every fault."""
    return read_trec_run(given.origin, name)


def _has_number(fields: list[str]) -> bool:
    at = 3 if len(fields) == QRELS_COLUMNS else 4
    return len(fields) > at and number(fields[at]) is not None
