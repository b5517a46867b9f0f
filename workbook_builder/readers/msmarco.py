"""MS MARCO's runs: query, document and rank, separated by tabs, without a header and without scores."""

from workbook_builder.inputs import Run
from workbook_builder.readers.gather import GatheredRun
from workbook_builder.readers.given import Given
from workbook_builder.readers.values import number

COLUMNS = 3
LINE = "query, document and rank, separated by tabs"


def recognises(given: Given) -> bool:
    """Whether the first line has three columns, the last a whole number."""
    fields = given.first_lines[0].split() if given.first_lines else []
    value = number(fields[-1]) if len(fields) == COLUMNS else None
    return value is not None and value == value // 1


def read_run(given: Given, name: str) -> Run:
    """A run whose rank is the position; a gap is a result that was not listed. Raises InputError with every fault."""
    gathered = GatheredRun(given.name, ranks_from=given.ranks_from)
    for place, line in enumerate(given.lines(), start=1):
        bare = line.strip(" \t\n")
        if not bare or bare.startswith("#"):
            continue
        fields = bare.split("\t") if "\t" in bare else bare.split()
        if len(fields) != COLUMNS:
            problem = f"{COLUMNS} columns are needed, here are {len(fields)}"
            gathered.fault(place, "columns", problem, f"Give {LINE}.", bare)
            continue
        query, document, rank = map(str.strip, fields)
        gathered.add_ranked(place, query, document, rank)
    return gathered.run(name)
