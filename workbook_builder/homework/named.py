"""Cells found by defined names, which survive renamed and moved sheets, or where a workbook had them once."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

from openpyxl import Workbook
from openpyxl.utils.cell import range_boundaries, rows_from_range

from workbook_builder.homework.book import variant_book
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.task import Task
from workbook_builder.opened import open_workbook

MOST_CELLS = 10_000
"""No answer has more cells; a name that covers more was made to do harm."""

Area = tuple[str, tuple[tuple[str, ...], ...]]
"""A sheet's title and the addresses of a block of its cells, row by row."""
Places = Mapping[str, Area]
"""Defined name -> its cells."""


def places_when_handed_out(variant: Variant, manifest: Manifest) -> Places:
    """Where the workbook of a variant had its named cells when it was handed out."""
    return _places(variant.task, variant.code, variant.checksum, manifest.language, manifest.assignment)


@lru_cache(maxsize=16)
def _places(task: Task, code: str, checksum: str, language: str, title: str) -> Places:
    # Checks move the answers' columns; the checksum tells whether it had them.
    made = [variant_book(task, code, checks=False, language=language, title=title)]
    if sha256(made[0]).hexdigest() != checksum:
        made.append(variant_book(task, code, checks=True, language=language, title=title))
    data = next((each for each in made if sha256(each).hexdigest() == checksum), made[0])
    book = open_workbook(data, code)
    found = {name: area_of(book, name) for name in _names(book)}
    return {name: area for name, area in found.items() if area is not None}


def _names(book: Workbook) -> dict[str, str]:
    """The workbook's defined names and their text, also those a program keeps with one sheet."""
    found = {name: defined.attr_text for name, defined in book.defined_names.items()}
    for sheet in book.worksheets:
        for name, defined in sheet.defined_names.items():
            found.setdefault(name, defined.attr_text)
    return found


def area_of(book: Workbook, name: str) -> Area | None:
    """Where a defined name points, None when it is gone or points nowhere."""
    names = {each.replace(".", "_").casefold(): text for each, text in _names(book).items()}
    text = names.get(name.replace(".", "_").casefold())
    if not text or "#REF!" in text:
        return None
    title, _, area = text.rpartition("!")
    title = title.strip("'").replace("''", "'")
    try:
        left, top, right, bottom = range_boundaries(area)
        if (right - left + 1) * (bottom - top + 1) > MOST_CELLS:
            return None
        rows = tuple(rows_from_range(area.replace("$", "")))
    except (TypeError, ValueError):
        return None
    return (title, rows) if title in book.sheetnames else None
