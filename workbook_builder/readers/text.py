"""Opens what people have as text: plain or gzip, UTF-8 or UTF-16, any line ends, a path or standard input."""

import codecs
import gzip
import re
import sys
import zlib
from pathlib import Path

from workbook_builder.errors import Fault, InputError

STDIN = "-"
NOT_TEXT = {
    b"PK\x03\x04": ("a zip archive or a workbook", "Unpack it, or save the sheet as text."),
    b"BZh": ("compressed with bzip2", "Unpack it first; only .gz is read as it is."),
    b"\xfd7zXZ\x00": ("compressed with xz", "Unpack it first; only .gz is read as it is."),
    b"\x28\xb5\x2f\xfd": ("compressed with zstd", "Unpack it first; only .gz is read as it is."),
    b"\x04\x22\x4d\x18": ("compressed with lz4", "Unpack it first; only .gz is read as it is."),
    b"PAR1": ("a parquet file", "Save it as text, or give it as a DataFrame from Python."),
}

_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n") + b"\x7f"
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")


def shown_name(path: str | Path) -> str:
    """How messages call the file."""
    return "standard input" if str(path) == STDIN else str(path)


def read_text(path: str | Path) -> str:
    """The whole text with line ends as \\n and without a byte order mark.

    gzip is known by its first bytes, not by its name; "-" is standard input. Raises InputError when it cannot be read
    or is no text.
    """
    name = shown_name(path)
    raw = _bytes(path, name)
    if raw.startswith(b"\x1f\x8b"):
        raw = _unpacked(raw, name)
    for magic, (what, remedy) in NOT_TEXT.items():
        if raw.startswith(magic):
            raise InputError([Fault(name, f"this is {what}, not text", remedy)])
    text = _decoded(raw, name)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def has_control(text: str) -> bool:
    """Whether a text holds a control or an invisible mark, which no cell and no id may; tabs and line ends are none."""
    if text.isascii():
        return len(text.encode("ascii").translate(None, _CONTROLS)) != len(text)
    return _ODD.search(text) is not None


def control_fault(file: str, text: str, line: int | None, column: str) -> Fault | None:
    """The fault of a name or id that holds a control character, a tab or a line end."""
    if not has_control(text) and "\t" not in text and "\n" not in text:
        return None
    return Fault(file, "a control character in a name", "Remove it.", line=line, column=column, value=text)


def _bytes(path: str | Path, name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(path) == STDIN else Path(path).read_bytes()
    except FileNotFoundError:
        fault = Fault(name, "there is no such file", "Check the path.")
    except IsADirectoryError:
        fault = Fault(name, "this is a folder", "Give a file in it.")
    except PermissionError:
        fault = Fault(name, "it may not be read", "Check its permissions.")
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        fault = Fault(name, f"it cannot be read ({said})", "Check the path.")
    raise InputError([fault])


def _unpacked(raw: bytes, name: str) -> bytes:
    try:
        return gzip.decompress(raw)
    except EOFError:
        fault = Fault(name, "the gzip file ends too early", "Fetch or pack it again.")
    except (OSError, zlib.error):
        fault = Fault(name, "the gzip file is damaged", "Fetch or pack it again.")
    raise InputError([fault])


def _decoded(raw: bytes, name: str) -> str:
    encoding = "utf-8"
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        remedy = "Save the file as UTF-8."
        raise InputError([Fault(name, f"this is not {encoding.upper()} text", remedy, line=line)]) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError([Fault(name, "this is not text: it holds zero bytes", "Save it as UTF-8 text.", line=line)])
    return text.removeprefix("\ufeff")
