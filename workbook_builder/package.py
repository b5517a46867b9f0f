"""The .xlsx as a zip of parts: fixed times, alternative texts, a seal that shows whether anyone saved it since."""

import hashlib
import io
import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

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


def without_pictures(data: bytes) -> bytes:
    """The package without its charts and notes, which hold no formula and cost a program most of its time."""
    shown = re.compile(rb"<(?:drawing|legacyDrawing) [^>]*/>")
    related = re.compile(rb'<Relationship [^>]*/(?:drawing|comments|vmlDrawing)"[^>]*/>')

    def changed(name: str, part: bytes) -> bytes:
        if name.startswith("xl/worksheets/_rels/"):
            return related.sub(b"", part)
        return shown.sub(b"", part) if name.startswith("xl/worksheets/") else part

    return rewritten(data, changed)


def sealed(data: bytes) -> bytes:
    """Write into the package the checksum of all its other parts."""
    seal = f'<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="99" {_PLACE}><vt:lpwstr>'
    seal += f"{_checksum(data)}</vt:lpwstr></property></Properties>"
    return rewritten(
        data,
        lambda name, part: part.replace(b"</Properties>", seal.encode()) if name == _PROPERTIES else part,
        compress=True,
    )


def is_untouched(data: bytes) -> bool:
    """Whether the package is as we wrote it: false for a file anything else has saved, or that is not ours."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            properties = archive.read(_PROPERTIES).decode("utf-8", "replace")
        found = re.search(rf"{_PLACE}><vt:lpwstr>(\w+)<", properties)
        return found is not None and found[1] == _checksum(data)
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


def _checksum(data: bytes) -> str:
    digest = hashlib.sha256()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in sorted(archive.namelist()):
            part = archive.read(name)
            if name == _PROPERTIES:
                part = re.sub(rb'<property [^>]*name="%b".*?</property>' % SEAL.encode(), b"", part)
            digest.update(name.encode() + b"\0" + hashlib.sha256(part).digest())
    return digest.hexdigest()


def rewritten(data: bytes, change: Callable[[str, bytes], bytes], *, compress: bool = False) -> bytes:
    """The package with `change(name, part)` in place of each part, and the fixed time on all of them.

    Only what is delivered is worth the time to compress.
    """
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(written, "w") as new:
        for name in old.namelist():
            info = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
            info.create_system = 3
            info.external_attr = 0o600 << 16
            new.writestr(info, change(name, old.read(name)))
    return written.getvalue()
