"""An input before anyone knows its format: its name, how it begins, and its lines or its JSON when asked for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from workbook_builder.errors import Fault, InputError
from workbook_builder.readers.text import STDIN, Content, Origin, read_content, read_lines, read_text, unpacked_stream

HEAD = 1 << 16
"""The bytes a format is recognised by."""

_LINE_END = re.compile("\r\n|\r|\n")


@dataclass(frozen=True)
class Given:
    """One input and how to read it: where it is, what messages call it, and what the options say.

    `ranks_from` is the rank of the first result in a file of ranks, 1 or 0; `sheet` is a workbook's sheet.
    """

    origin: Origin
    name: str
    ranks_from: int = 1
    sheet: str | None = None

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked."""
        with unpacked_stream(self.origin) as stream:
            return stream.read(HEAD)

    @cached_property
    def first_lines(self) -> tuple[str, ...]:
        """The first lines that are neither blank nor a comment; none when it is no text. A long one may be cut."""
        encoding = "utf-16" if self.head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        text = self.head.decode(encoding, errors="replace")
        if "\0" in text:
            return ()
        lines = _LINE_END.split(text)
        whole = lines if len(self.head) < HEAD else lines[:-1] or lines
        return tuple(line for line in whole if line.strip() and not line.lstrip().startswith("#"))

    @property
    def is_json(self) -> bool:
        """Whether it begins as a JSON object or list does."""
        start = self.first_lines[0].lstrip() if self.first_lines else ""
        return start.startswith(("{", "["))

    def lines(self) -> Iterator[str]:
        """Its lines, one after another; raises InputError when it is no text."""
        return read_lines(self.origin)

    @cached_property
    def document(self) -> Any:
        """Its JSON. Raises InputError when it is none, or when an object has a key twice: one would be lost."""
        import json  # noqa: PLC0415  most inputs are none
        from collections import Counter  # noqa: PLC0415  likewise

        text = read_text(self.origin)
        repeated: list[str] = []

        def kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            members = dict(pairs)
            if len(members) < len(pairs):
                counts = Counter(key for key, _ in pairs)
                repeated.extend(key for key, count in counts.items() if count > 1)
            return members

        try:
            document = json.loads(text, object_pairs_hook=kept)
        except json.JSONDecodeError as error:
            problem = f"this is not JSON ({error.msg}, column {error.colno})"
            raise InputError([Fault(self.name, problem, "Mend it there.", line=error.lineno)]) from None
        except RecursionError:
            raise InputError([Fault(self.name, "this JSON is nested too deeply", "Give another file.")]) from None
        if repeated:
            raise InputError(
                Fault(self.name, "an object has this key twice", "Keep one of the two.", value=key) for key in repeated
            )
        return document


def given(path: str | Path, *, ranks_from: int = 1, sheet: str | None = None) -> Given:
    """The input at a path, or of standard input for "-". Raises InputError when it cannot be read."""
    if ranks_from not in (0, 1):
        fault = Fault("--ranks-from", "ranks start at 0 or at 1", "Give 0 or 1.", value=str(ranks_from))
        raise InputError([fault])
    # What cannot be read twice, as a pipe, is read now.
    again = str(path) != STDIN and _is_file(path)
    content: Content | None = None if again else read_content(path)
    name = "standard input" if str(path) == STDIN else str(path)
    return Given(content or path, name, ranks_from, sheet)


def _is_file(path: str | Path) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False
