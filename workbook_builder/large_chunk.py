"""Splits whole lines of a run with NumPy, a chunk at a time: fields, scores and order, without a string for each.

Every function takes plain lines only: each of `columns` fields, parted by one separator, none empty. `split` says so by
returning None for anything else, and the plain reader must then read the file.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbook_builder.readers.text import has_control
from workbook_builder.readers.values import number

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

QUERY, DOCUMENT, SCORE = 0, 2, 4
EXACT_DIGITS = 15
"""As many digits are exact in a double, and so is 10^22: their quotient is the double nearest to the text."""

_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], dtype=np.uint64)
_POWERS = 10.0 ** np.arange(EXACT_DIGITS + 1)
_PADDING = bytes(8)


@dataclass(frozen=True)
class Lines:
    """The fields of a chunk: `starts` and `lengths` have a row a field of interest and a column a line."""

    data: bytes
    codes: NDArray[np.uint8]
    starts: tuple[Numbers, ...]
    lengths: tuple[Numbers, ...]

    def field(self, which: int, line: int) -> bytes:
        """The bytes of one field; `which` is an index of `starts`."""
        start = int(self.starts[which][line])
        return self.data[start : start + int(self.lengths[which][line])]


def split(data: bytes, separator: str, columns: int) -> Lines | None:
    """The query, document and score of each line, in this order; None where the lines are not plain."""
    codes = np.frombuffer(data + _PADDING, dtype=np.uint8)
    ends = np.flatnonzero(codes[: len(data)] <= 32)
    line_ends = (separator * (columns - 1) + "\n").encode()
    plain = codes[ends].tobytes() == line_ends * (len(ends) // columns)
    if not plain or ends[0] == 0 or (np.diff(ends) == 1).any() or (codes.max() >= 127 and _odd(data)):
        return None
    field_ends = np.ascontiguousarray(ends.reshape(-1, columns).T)
    firsts = np.concatenate([[0], field_ends[-1, :-1] + 1])
    starts = tuple(field_ends[at - 1] + 1 if at else firsts for at in (QUERY, DOCUMENT, SCORE))
    lengths = tuple(field_ends[at] - start for at, start in zip((QUERY, DOCUMENT, SCORE), starts, strict=True))
    return Lines(data, codes, starts, lengths)


def query_starts(lines: Lines) -> Numbers:
    """The lines at which another query begins."""
    changed = np.zeros(len(lines.starts[0]), dtype=bool)
    changed[0] = True
    for word in _words(lines.codes, lines.starts[0], lines.lengths[0]):
        changed[1:] |= word[1:] != word[:-1]
    return np.flatnonzero(changed)


def result_hashes(lines: Lines, firsts: Numbers) -> Words:
    """A hash of each line's query and document, the same in every chunk; `firsts` are the lines queries begin at."""
    queries = _hashes(lines.codes, lines.starts[0][firsts], lines.lengths[0][firsts])
    documents = _hashes(lines.codes, lines.starts[1], lines.lengths[1])
    return _joined(np.repeat(queries, np.diff(firsts, append=len(documents))), documents)


def hashes_of(queries: Iterable[str], documents: Iterable[str]) -> Words:
    """The same hash of queries and documents given as text; none holds a line end."""
    return _joined(_text_hashes(queries), _text_hashes(documents))


def _joined(queries: Words, documents: Words) -> Words:
    mixed = (queries * np.uint64(0xBF58476D1CE4E5B9)) ^ documents
    return (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)


def _text_hashes(texts: Iterable[str]) -> Words:
    data = "".join(f"{text}\n" for text in texts).encode()
    codes = np.frombuffer(data + _PADDING, dtype=np.uint8)
    ends = np.flatnonzero(codes[: len(data)] == ord("\n"))
    starts = np.concatenate([[0], ends[:-1] + 1])
    return _hashes(codes, starts, ends - starts)


def _hashes(codes: NDArray[np.uint8], starts: Numbers, lengths: Numbers) -> Words:
    # A word beyond an id's end is 0 and adds nothing, so an id's hash does not depend on its neighbours' lengths.
    constants = random.Random(1)
    mixed: Words = lengths.astype(np.uint64)
    for word in _words(codes, starts, lengths):
        mixed += word * np.uint64(constants.getrandbits(64) | 1)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return mixed


def _words(codes: NDArray[np.uint8], starts: Numbers, lengths: Numbers) -> Iterator[Words]:
    """Fields as numbers of 8 bytes, as many as the longest needs, zero beyond each one's end."""
    # Overlapping: an 8-byte number starts at every byte.
    view: Words = np.ndarray(len(codes) - 7, dtype="<u8", buffer=codes, strides=(1,))
    for at in range(0, int(lengths.max()), 8):
        yield view[np.minimum(starts + at, len(view) - 1)] & _MASKS[np.clip(lengths - at, 0, 8)]


def scores(lines: Lines) -> NDArray[np.float64] | None:
    """The score of each line, to the nearest double; None when one is no number."""
    starts, lengths = lines.starts[2], lines.lengths[2]
    negative = lines.codes[starts] == ord("-")
    count = len(starts)
    value, digits = np.zeros(count), np.zeros(count, dtype=np.int8)
    point = np.full(count, -1, dtype=np.int64)
    points = np.zeros(count, dtype=np.int8)
    for at in range(min(int(lengths.max()), EXACT_DIGITS + 2)):
        digit = np.where(at < lengths, lines.codes[starts + np.minimum(at, lengths)] - np.uint8(48), np.uint8(255))
        is_digit, is_point = digit < 10, digit == (ord(".") - 48) % 256
        np.copyto(value, value * 10.0 + digit, where=is_digit)
        np.copyto(point, at, where=is_point)
        digits += is_digit
        points += is_point
    plain = (digits + points + negative == lengths) & (points <= 1) & (digits >= 1) & (digits <= EXACT_DIGITS)
    value /= _POWERS[np.where(plain & (points == 1), lengths - 1 - point, 0)]
    value[negative] *= -1.0
    for line in np.flatnonzero(~plain).tolist():
        given = number(lines.field(2, line).decode())
        if given is None:
            return None
        value[line] = given
    return value


def _odd(data: bytes) -> bool:
    """Whether text beyond ASCII holds what the plain reader refuses, or is no UTF-8."""
    try:
        return has_control(data.decode("utf-8"))
    except UnicodeDecodeError:
        return True
