"""The .xlsx as a zip of parts: fixed times, alternative texts, a seal that shows whether anyone saved it since."""

import hashlib
import io
import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import quoteattr

Change = Callable[[str, bytes], bytes]
"""What becomes of a part, given its name and its bytes."""

BUILT = "2026-01-01T00:00:00Z"
"""The creation time every workbook states, so that the same input gives the same bytes."""

SEAL = "workbook-builder-seal"
_PROPERTIES = "docProps/custom.xml"
_PLACE = f'name="{SEAL}"'


def normalised(data: bytes, alternatives: Sequence[str] = ()) -> bytes:
    """Fix every time in the package and give the charts, in order, their alternative texts."""
    waiting = iter(alternatives)

    def described(match: re.Match[str]) -> str:
        return f"{match[0]} descr={quoteattr(next(waiting, ''))}"

    def changed(name: str, part: bytes) -> bytes:
        if name == "docProps/core.xml":
            return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", BUILT.encode(), part)
        if name.startswith("xl/drawings/drawing"):
            return re.sub(r'cNvPr id="\d+" name="Chart \d+"', described, part.decode()).encode()
        if name.startswith("xl/worksheets/_rels/"):
            # Not every reader follows a path from the package's root.
            return part.replace(b'Target="/xl/', b'Target="../')
        return part

    return rewritten(data, changed)


def without_blank_cells(data: bytes) -> bytes:
    """The package without the cells that only carry a style: no value is lost."""
    blank = re.compile(rb'<c r="[A-Z]+\d+"[^<>]*(?:/>|></c>)')
    return rewritten(data, lambda name, part: blank.sub(b"", part) if name.startswith("xl/worksheets/") else part)


def without_values(data: bytes) -> bytes:
    """The package without the values its formula cells claim: no engine can then quote them."""
    cached = re.compile(rb"(<f(?:\s[^<>]*)?/>|</f>)\s*(?:<v>[^<]*</v>|<v/>)")
    return rewritten(
        data, lambda name, part: cached.sub(rb"\1<v></v>", part) if name.startswith("xl/worksheets/") else part
    )


def without_pictures(data: bytes) -> bytes:
    """The package without its charts and notes, which hold no formula and cost a program most of its time."""
    shown = re.compile(rb"<(?:drawing|legacyDrawing) [^>]*/>")
    related = re.compile(rb'<Relationship [^>]*/(?:drawing|comments|vmlDrawing)"[^>]*/>')

    def changed(name: str, part: bytes) -> bytes:
        if name.startswith("xl/worksheets/_rels/"):
            return related.sub(b"", part)
        return shown.sub(b"", part) if name.startswith("xl/worksheets/") else part

    return rewritten(data, changed)


def sealed(
    data: bytes, change: Change = lambda _, part: part, compression: Literal[0, 8] = zipfile.ZIP_DEFLATED
) -> bytes:
    """The package with `change` made to its parts, compressed, and carrying the checksum of all the others.

    What is compressed depends on the machine's library for it; stored (`zipfile.ZIP_STORED`), the bytes are the same
    everywhere.
    """
    parts = _parts(data, change)
    seal = f'<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="99" {_PLACE}><vt:lpwstr>'
    seal += f"{_checksum(parts)}</vt:lpwstr></property></Properties>"
    parts[_PROPERTIES] = parts[_PROPERTIES].replace(b"</Properties>", seal.encode())
    return _packed(parts, compression)


def is_untouched(data: bytes) -> bool:
    """Whether the package is as we wrote it: false for a file anything else has saved, or that is not ours."""
    try:
        parts = _parts(data, lambda _, part: part)
        found = re.search(rf"{_PLACE}><vt:lpwstr>(\w+)<".encode(), parts[_PROPERTIES])
        return found is not None and found[1].decode() == _checksum(parts)
    except (KeyError, zipfile.BadZipFile, NotImplementedError, OSError):
        return False


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; its folder is made where missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def rewritten(data: bytes, change: Change) -> bytes:
    """The package with `change(name, part)` in place of each part; only what is delivered is worth compressing."""
    return _packed(_parts(data, change), zipfile.ZIP_STORED)


def _parts(data: bytes, change: Change) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: change(name, archive.read(name)) for name in archive.namelist()}


def _checksum(parts: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, part in sorted(parts.items()):
        if name == _PROPERTIES:
            part = re.sub(rb'<property [^>]*name="%b".*?</property>' % SEAL.encode(), b"", part)  # noqa: PLW2901
        digest.update(name.encode() + b"\0" + hashlib.sha256(part).digest())
    return digest.hexdigest()


def _packed(parts: Mapping[str, bytes], compression: int) -> bytes:
    """A package of these parts, every one with the same fixed time."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, part in parts.items():
            info = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
            info.compress_type = compression
            info.create_system = 3
            info.external_attr = 0o600 << 16
            archive.writestr(info, part)
    return written.getvalue()
