"""What ids stand for: documents' titles or texts, and queries' words, from a table or from JSON lines."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from workbook_builder.errors import Fault, InputError
from workbook_builder.readers.text import read_text, shown_name

IDS = ("id", "_id", "doc_id", "docid", "document", "query_id", "qid", "query")
"""The names of the id's field; the first that is there counts."""
TEXTS = ("title", "text", "query_text", "name", "contents")
"""The names of the text's field; the first that is there and holds something counts, so a title goes before a body."""
LONGEST = 2**31 - 1
"""The characters a field may have: whole documents stand in such files."""
MOST_SHOWN = 300
"""The characters of a text that a cell shows: enough to know the document by."""


def read_texts(path: str | Path) -> dict[str, str]:
    """The text of each id: JSON lines as BEIR's corpus and queries, or a table with a header, or two columns.

    Raises InputError for a line without an id or a text field.
    """
    file, text = shown_name(path), read_text(path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first:
        raise InputError([Fault(file, "the file is empty", "Give lines of an id and its text.")])
    rows = _json_lines(file, text) if first.lstrip().startswith("{") else _table(file, text, first)
    found: dict[str, str] = {}
    faults: list[Fault] = []
    for line, (name, shown) in rows:
        if name:
            found[name] = " ".join(shown.split())[:MOST_SHOWN]
        else:
            faults.append(Fault(file, "this line has no id", f"Name it {', '.join(IDS[:3])} or another.", line=line))
    if faults:
        raise InputError(faults)
    return found


def _json_lines(file: str, text: str) -> Iterator[tuple[int, tuple[str, str]]]:
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            member = json.loads(row)
        except json.JSONDecodeError as error:
            raise InputError([Fault(file, f"this is not JSON ({error.msg})", "Mend the line.", line=line)]) from None
        fields = member if isinstance(member, dict) else {}
        yield line, (_first(fields, IDS), _first(fields, TEXTS))


def _table(file: str, text: str, first: str) -> Iterator[tuple[int, tuple[str, str]]]:
    delimiter = max("\t,;", key=first.count)
    if not first.count(delimiter):
        remedy = "Give an id and its text, separated by a tab, a comma or a semicolon."
        raise InputError([Fault(file, "one column alone is no text of an id", remedy, line=1, value=first)])
    # In a file of tabs a quote is part of the text.
    lines = io.StringIO(text, newline="")
    tabs = delimiter == "\t"
    csv.field_size_limit(max(LONGEST, csv.field_size_limit()))
    rows = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL)
    header = next(rows)
    names = [name.strip().casefold() for name in header]
    named = any(name in IDS for name in names) and any(name in TEXTS for name in names)
    if not named:
        yield 1, (header[0].strip(), header[1].strip())
    for row in rows:
        if not any(field.strip() for field in row):
            continue
        if named:
            fields = dict(zip(names, row, strict=False))
            yield rows.line_num, (_first(fields, IDS), _first(fields, TEXTS))
        else:
            yield rows.line_num, (row[0].strip(), row[1].strip() if len(row) > 1 else "")


def _first(fields: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((str(fields[name]).strip() for name in names if fields.get(name) not in (None, "")), "")
