"""Opening workbooks that someone sent: size limits before anything is parsed, and no link followed."""

import io
import warnings
import zipfile
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.utils import get_column_letter

from workbook_builder.errors import Fault, InputError

MOST_BYTES = 200_000_000
"""What a workbook's parts may add up to once inflated, counted while inflating: a header can lie."""
MOST_CELLS = 3_000_000
"""Rows times columns of one sheet: a single cell in the last row would make every walk endless."""

_CHUNK = 1 << 20
_ENCRYPTED = b"\xd0\xcf\x11\xe0"


def read_bytes(path: Path) -> bytes:
    """The file's bytes; raises InputError when it cannot be read or is no .xlsx."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError([Fault(str(path), "there is no such file", "Check the name and the folder.")]) from None
    except OSError as error:
        remedy = "Check that it is a file you may read."
        raise InputError([Fault(str(path), f"it cannot be read ({error.strerror})", remedy)]) from None
    guard(data, str(path))
    return data


def guard(data: bytes, name: str) -> None:
    """Raise InputError unless these bytes are an .xlsx workbook that is safe to parse."""
    if data.startswith(_ENCRYPTED):
        remedy = "Save it as .xlsx without a password."
        raise InputError([Fault(name, "it is protected by a password, or an old .xls", remedy)])
    _guard(data, name)


def open_workbook(data: bytes, name: str) -> Workbook:
    """Open it for its inputs and formulas; raises InputError when it is damaged or too large."""
    book = _loaded(data, name)
    for sheet in book.worksheets:
        if sheet.max_row * sheet.max_column > MOST_CELLS:
            place = sheet.cell(sheet.max_row, sheet.max_column).coordinate
            remedy = "Delete what stands far outside the tables."
            raise InputError([Fault(name, f"sheet {sheet.title} reaches to {place}", remedy)])
    return book


def open_to_read(data: bytes, name: str, *, values: bool) -> Workbook:
    """Open it to walk its rows once, however many: `values` stored for the formulas, or else the formulas.

    Raises InputError when it is damaged.
    """
    return _loaded(data, name, read_only=True, data_only=values)


def address(row: int, column: int) -> str:
    """A cell's address, as in B7; row and column count from 1."""
    return f"{get_column_letter(column)}{row}"


def _loaded(data: bytes, name: str, *, read_only: bool = False, data_only: bool = False) -> Workbook:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return load_workbook(io.BytesIO(data), read_only=read_only, data_only=data_only, keep_links=False)
    except Exception as error:
        remedy = "Open it in a spreadsheet program and save it again as .xlsx."
        raise InputError([Fault(name, f"it is not a readable workbook ({error})", remedy)]) from error


def _guard(data: bytes, name: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = 0
            for part in archive.namelist():
                with archive.open(part) as stream:
                    while chunk := stream.read(_CHUNK):
                        size += len(chunk)
                        if size > MOST_BYTES:
                            remedy = "It is not a workbook of ours; do not open it."
                            raise InputError([Fault(name, f"it inflates to more than {MOST_BYTES:,} bytes", remedy)])
            if "xl/workbook.xml" not in archive.namelist():
                remedy = "Open it in a spreadsheet program and save it as .xlsx."
                raise InputError([Fault(name, "it is not an .xlsx workbook", remedy)])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise InputError([Fault(name, f"it is not an .xlsx workbook ({error})", "Give an .xlsx file.")]) from error
