"""Opens what people have as text: plain, gzip or zstd, UTF-8 or UTF-16, any line ends, a path or standard input."""

import codecs
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from workbook_builder.errors import Fault, InputError

STDIN = "-"
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
NOT_TEXT = {
    b"PK\x03\x04": ("a zip archive or a workbook", "Unpack it, or save the sheet as text."),
    b"BZh": ("compressed with bzip2", "Unpack it first; only .gz and .zst are read as they are."),
    b"\xfd7zXZ\x00": ("compressed with xz", "Unpack it first; only .gz and .zst are read as they are."),
    b"\x04\x22\x4d\x18": ("compressed with lz4", "Unpack it first; only .gz and .zst are read as they are."),
    b"PAR1": ("a parquet file", "Save it as text."),
}

_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n") + b"\x7f"
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True)
class Content:
    """What was read already, as it stood, from what messages call `name`: standard input can be read once."""

    name: str
    raw: bytes


Origin = str | Path | Content
"""Where an input comes from: a path, "-" for standard input, or what was read of it."""


def shown_name(path: Origin) -> str:
    """How messages call the file."""
    if isinstance(path, Content):
        return path.name
    return "standard input" if str(path) == STDIN else str(path)


def read_content(path: Origin) -> Content:
    """The bytes as they stand, packed or not. Raises InputError when they cannot be read."""
    name = shown_name(path)
    return path if isinstance(path, Content) else Content(name, _bytes(path, name))


def read_bytes(path: Origin) -> bytes:
    """The bytes, unpacked when gzip or zstd packed them. Raises InputError when they cannot be read."""
    content = read_content(path)
    if content.raw.startswith(GZIP):
        return _unpacked(content.raw, content.name)
    if content.raw.startswith(ZSTD):
        with unpacked_stream(content) as stream:
            return stream.read()
    return content.raw


def read_text(path: Origin) -> str:
    """The whole text with line ends as \\n and without a byte order mark.

    gzip and zstd are known by their first bytes, not by the name; "-" is standard input. Raises InputError when it
    cannot be read or is no text.
    """
    name = shown_name(path)
    raw = read_bytes(path)
    for magic, (what, remedy) in NOT_TEXT.items():
        if raw.startswith(magic):
            raise InputError([Fault(name, f"this is {what}, not text", remedy)])
    text = _decoded(raw, name)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


@contextmanager
def unpacked_stream(path: Origin) -> Iterator[BinaryIO]:
    """The bytes as a stream, unpacked on the way. Raises InputError when they cannot be read or are damaged."""
    name = shown_name(path)
    with _opened(path, name) as raw, _damage_told(name):
        start = raw.read(len(ZSTD))
        raw.seek(0)
        if start.startswith(GZIP):
            with gzip.open(raw, "rb") as stream:
                yield cast("BinaryIO", stream)
        elif start.startswith(ZSTD):
            yield cast("BinaryIO", io.BufferedReader(_Unpacking(raw)))
        else:
            yield raw


def read_lines(path: Origin) -> Iterator[str]:
    """Line after line, each ending in \\n, without a byte order mark and without the whole text in memory."""
    with unpacked_stream(path) as stream:
        start = stream.read(2)
    encoding = "utf-16" if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    try:
        with unpacked_stream(path) as stream, io.TextIOWrapper(stream, encoding=encoding) as lines:
            yield from lines
    except UnicodeDecodeError:
        read_text(path)
        raise


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


def _opened(path: Origin, name: str) -> BinaryIO:
    if isinstance(path, Content) or str(path) == STDIN:
        return io.BytesIO(read_content(path).raw)
    with _absence_told(name):
        return Path(path).open("rb")


def _bytes(path: str | Path, name: str) -> bytes:
    with _absence_told(name):
        return sys.stdin.buffer.read() if str(path) == STDIN else Path(path).read_bytes()


@contextmanager
def _absence_told(name: str) -> Iterator[None]:
    try:
        yield
        return
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
    with _damage_told(name):
        return gzip.decompress(raw)


@contextmanager
def _damage_told(name: str) -> Iterator[None]:
    try:
        yield
        return
    except _ZstdError as error:
        fault = Fault(name, f"the zstd file {error}", "Fetch or pack it again.")
    except EOFError:
        fault = Fault(name, "the gzip file ends too early", "Fetch or pack it again.")
    except (gzip.BadGzipFile, zlib.error):
        fault = Fault(name, "the gzip file is damaged", "Fetch or pack it again.")
    raise InputError([fault])


class _ZstdError(Exception):
    """What is wrong with a zstd file."""


class _Unpacking(io.RawIOBase):
    """A zstd file's frames, one after another; unlike the library's stream it tells when the last is cut short."""

    def __init__(self, packed: BinaryIO) -> None:
        import zstandard  # noqa: PLC0415  only for those who have such files

        self._packed = packed
        self._library = zstandard
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._started = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        target = memoryview(cast("bytearray", buffer))
        while not self._ready:
            packed = self._frame.unused_data or self._packed.read(1 << 20)
            if self._frame.eof:
                self._frame, self._started = self._library.ZstdDecompressor().decompressobj(), False
            if not packed:
                if self._started:
                    raise _ZstdError("ends too early")
                return 0
            self._started = True
            try:
                self._ready = memoryview(self._frame.decompress(packed))
            except self._library.ZstdError:
                raise _ZstdError("is damaged") from None
        taken = min(len(target), len(self._ready))
        target[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        return taken


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
