"""A class list: the ids of the students, one a row, as spreadsheet programs and course systems export it."""

import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbook_builder.errors import Fault, InputError
from workbook_builder.readers.text import control_fault, read_text, shown_name
from workbook_builder.suggest import did_you_mean

ID_COLUMNS = (
    "id",
    "student_id",
    "studentid",
    "id_number",
    "matriculation",
    "matriculation_number",
    "matrikelnummer",
    "matrikel_nr",
    "student",
    "username",
    "benutzername",
    "login",
    "email",
    "email_address",
    "e_mail",
    "mail",
)
"""What a column of ids may be called, the surest first; case, blanks, hyphens and dots do not matter."""


@dataclass(frozen=True)
class Roster:
    """The students' ids in the list's order, each once; `column` is the header of their column, None without one."""

    students: tuple[str, ...]
    column: str | None = None


def read_roster(path: str | Path, *, column: str | None = None) -> Roster:
    """The ids in a table separated by commas, semicolons or tabs, in UTF-8 or UTF-16; "-" is standard input.

    A list of one column needs no header. `column` names the column of ids where its name is none of `ID_COLUMNS`. Ids
    are text: 3 and 003 differ. Raises InputError with every fault: an id that is blank or there twice, a blank row
    between others, no column of ids, no student.
    """
    file = shown_name(path)
    rows = _rows(file, read_text(path))
    if not rows:
        raise InputError([Fault(file, "the file is empty", "Give one id a line.")])
    at = _id_column(file, rows, column)
    header = None if at is None else rows.pop(0)
    faults, seen = [], dict[str, int]()
    for line, fields in rows:
        value = unicodedata.normalize("NFC", fields[at or 0]) if len(fields) > (at or 0) else ""
        name = header[1][at] if header and at is not None else "id"
        if not value:
            problem = "the id is blank" if any(fields) else "the row is blank"
            faults.append(Fault(file, problem, "Give the student's id, or delete the row.", line=line, column=name))
        elif value in seen:
            problem = f"this id is in line {seen[value]} already"
            faults.append(Fault(file, problem, "Give every student one row.", line=line, column=name, value=value))
        elif fault := control_fault(file, value, line, name):
            faults.append(fault)
        seen.setdefault(value, line)
    if not rows:
        faults.append(Fault(file, "there is a header and no student", "Give one id a line."))
    if faults:
        raise InputError(faults)
    return Roster(tuple(seen), header[1][at] if header and at is not None else None)


def _rows(file: str, text: str) -> list[tuple[int, list[str]]]:
    """(line, fields) of every row, those that are blank too, without the blank ones at the ends."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    said = first.casefold().startswith("sep=") and len(first) == len("sep=") + 1
    delimiter = first[-1] if said else max(",;\t", key=first.count)
    rows = [*_parsed(file, text, delimiter)]
    while rows and not any(rows[-1][1]):
        rows.pop()
    while rows and (not any(rows[0][1]) or (said and rows[0][1][0].casefold().startswith("sep="))):
        rows.pop(0)
    return rows


def _parsed(file: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    line = 1
    try:
        for fields in reader:
            yield line, [value.strip() for value in fields] or [""]
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError([Fault(file, f"a quoted field is broken ({error})", "Close its quotes.", line=line)]) from None


def _id_column(file: str, rows: Sequence[tuple[int, list[str]]], column: str | None) -> int | None:
    """Where the ids stand; None when they are the only column and it has no header."""
    line, header = rows[0]
    names = [_plain(name) for name in header]
    for known in ID_COLUMNS if column is None else (_plain(column),):
        if known in names:
            return names.index(known)
    if column is not None:
        raise InputError([Fault(file, "there is no such column", did_you_mean(column, header), line, value=column)])
    if max(len(fields) for _, fields in rows) == 1:
        return None
    remedy = "Name the column of ids in the first line, as in id, or say which it is with --id-column."
    raise InputError([Fault(file, "no column is one of ids", remedy, line=line, value=", ".join(header))])


def _plain(name: str) -> str:
    folded = name.strip().casefold()
    return "_".join("".join(sign if sign.isalnum() else " " for sign in folded).split())
