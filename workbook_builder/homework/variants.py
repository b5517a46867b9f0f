"""An assignment for a class: a workbook of its own for each student, and the manifest that marks them."""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workbook_builder import __version__
from workbook_builder.errors import Fault, InputError, RefusedError
from workbook_builder.homework.book import variant_book
from workbook_builder.homework.draw import DEFAULT_SHAPE, Drawn, Shape, draw, seed_of
from workbook_builder.homework.manifest import DIGITS, Manifest, Variant, read_manifest, write_manifest
from workbook_builder.homework.methods import METHODS
from workbook_builder.homework.steps import STEP_NAMES, STEPS, Answers, right
from workbook_builder.package import write_atomically
from workbook_builder.readers.values import name_faults
from workbook_builder.suggest import did_you_mean

MANIFEST = "manifest.json"
HAND_OUT = "hand_out.csv"
"""Which student gets which file; like the manifest, not for the class."""

SHEETS_ASK = 3
"""The digits the sheets ask for; marking to more would be unfair."""

SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The signs of a code: no 0 and O, no 1 and I."""

MOST_NEIGHBOUR_REDRAWS = 1_000

Followed = Callable[[Iterable["Handed"], str], Iterable["Handed"]]
"""Passes the students on, and may show how far it is; the text says what is being done."""


@dataclass(frozen=True)
class Assignment:
    """What holds for the whole class.

    name: also part of every seed; salt: keeps codes and inputs from being worked out from a list of ids, None for one
    that follows from the name; apart: neighbours in the roster share no answer at all (see `hand_out`); checks: the
    sheets say whether an answer is right; points, typed_weight, allowed: see `Manifest`. Raises InputError.
    """

    name: str = "homework"
    shape: Shape = DEFAULT_SHAPE
    salt: str | None = None
    apart: bool = False
    checks: bool = False
    language: str = "en"
    points: Mapping[str, float] = field(default_factory=dict)
    typed_weight: float = 1.0
    allowed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        faults = [*name_faults("--assignment", None, "name", self.name)]
        if not DIGITS[0] <= self.shape.digits <= SHEETS_ASK:
            problem = f"the sheets ask for {SHEETS_ASK} digits, and two are the fewest that tell answers apart"
            faults.append(Fault("--digits", problem, "Give 2 or 3.", value=str(self.shape.digits)))
        if not 0 <= self.typed_weight <= 1:
            value = f"{self.typed_weight:g}"
            faults.append(Fault("--typed-weight", "this is no share", "Give a number from 0 to 1.", value=value))
        faults += [
            Fault("--allow", "there is no such method", did_you_mean(name, METHODS), value=name)
            for name in self.allowed
            if name not in METHODS
        ]
        for step, points in self.points.items():
            if step not in STEP_NAMES:
                faults.append(Fault("--points", "there is no such step", did_you_mean(step, STEP_NAMES), value=step))
            if not 0 <= points < float("inf"):
                faults.append(Fault("--points", "these are no points", "Give a number from 0 up.", value=f"{points:g}"))
        if faults:
            raise InputError(faults)


@dataclass(frozen=True)
class Handed:
    """What one student gets, before it is a file. `neighbour_redraws`: how often the student before had the same."""

    student: str
    code: str
    seed: int
    drawn: Drawn
    answers: Answers
    neighbour_redraws: int = 0


def unfollowed(handed: Iterable[Handed], doing: str) -> Iterable[Handed]:  # noqa: ARG001
    """The students, as they are."""
    return handed


def default_salt(assignment: str) -> str:
    """The salt that follows from the assignment's name, so that any machine gives a student the same file."""
    return hashlib.sha256(f"workbook-builder\0{assignment}".encode()).hexdigest()[:16]


def code_of(student: str, assignment: str, salt: str) -> str:
    """What a workbook shows in place of the student, as in 7KQ2-MXA4: eight signs of a sha256."""
    number = int.from_bytes(hashlib.sha256("\0".join([salt, student, assignment]).encode()).digest()[:5])
    signs = "".join(SIGNS[number >> 5 * place & 31] for place in range(8))
    return f"{signs[:4]}-{signs[4:]}"


def hand_out(students: Sequence[str], assignment: Assignment, salt: str | None = None) -> Iterable[Handed]:
    """Draw each student's task, one after another.

    It follows from the id and the assignment alone, whoever else is in the roster. There are two exceptions, both
    counted in `neighbour_redraws`: a student who got every answer of a track from chance like the one before, and, when
    neighbours are to share no answer at all, one who got any.
    """
    chosen = salt or assignment.salt
    own = () if chosen in (None, default_salt(assignment.name)) else (str(chosen),)
    before: Answers | None = None
    for student in students:
        for again in range(MOST_NEIGHBOUR_REDRAWS):
            seed = seed_of(student, assignment.name, *own, *([str(again)] if again else []))
            drawn = draw(seed, assignment.shape)
            answers = right(drawn.task)
            if before is None or not _alike(before, answers, assignment):
                break
        else:
            problem = f"{MOST_NEIGHBOUR_REDRAWS:,} draws all had an answer of the student before"
            remedy = "Give a pool with more different grades, or leave out --apart."
            raise InputError([Fault("inputs", problem, remedy, value=student)])
        before = answers
        yield Handed(
            student,
            code_of(student, assignment.name, chosen or default_salt(assignment.name)),
            seed,
            drawn,
            answers,
            again,
        )


def shared_steps(one: Answers, other: Answers, digits: int) -> tuple[str, ...]:
    """The steps at which two students have the same answer, rounded to these digits, in every cell."""
    return tuple(step for step in one if _rounded(one[step], digits) == _rounded(other[step], digits))


def write_variants(
    students: Sequence[str],
    folder: str | Path,
    assignment: Assignment | None = None,
    *,
    force: bool = False,
    followed: Followed = unfollowed,
) -> Manifest:
    """Write a workbook a student, the list of who gets which, and the manifest, last, into a folder; return it.

    A folder that holds this assignment's manifest keeps its salt, so that codes stay. Raises InputError for what cannot
    be drawn, and RefusedError, before anything is written, for files that somebody changed, or that belong to another
    assignment, unless `force`.
    """
    assignment = assignment or Assignment()
    target = Path(folder)
    earlier = _earlier(target, assignment, force=force)
    salt = assignment.salt or (earlier.salt if earlier else default_salt(assignment.name))
    handed = [*followed(hand_out(students, assignment, salt), "Drawing")]
    _refuse_twice(handed)
    if not force:
        _refuse_changed(target, handed, earlier)
    variants = []
    for each in followed(handed, "Writing"):
        data = variant_book(
            each.drawn.task, each.code, checks=assignment.checks, language=assignment.language, title=assignment.name
        )
        _write(target / _file(each), data)
        variants.append(
            Variant(
                each.code,
                each.student,
                each.seed,
                each.drawn.task,
                each.answers,
                _file(each),
                hashlib.sha256(data).hexdigest(),
                each.drawn.redraws + each.neighbour_redraws,
            )
        )
    manifest = Manifest(
        assignment.name,
        __version__,
        salt,
        tuple(variants),
        digits=assignment.shape.digits,
        asked=assignment.shape.asked,
        points={step: assignment.points.get(step, 1.0) for step in assignment.shape.asked},
        typed_weight=assignment.typed_weight,
        allowed=assignment.allowed,
        language=assignment.language,
    )
    _write(target / HAND_OUT, _list_of(variants))
    write_manifest(target / MANIFEST, manifest)
    return manifest


def _alike(before: Answers, answers: Answers, assignment: Assignment) -> bool:
    shared = {*shared_steps(before, answers, assignment.shape.digits)}
    asked = [step for step in STEPS if step.name in assignment.shape.asked]
    if assignment.apart:
        return any(step.name in shared for step in asked)
    tracks = [{step.name for step in asked if step.track == track} for track in ("ndcg", "mrr")]
    return any(track and track <= shared for track in tracks)


def _rounded(cells: Iterable[float | None], digits: int) -> tuple[float | None, ...]:
    return tuple(None if cell is None else round(cell, digits) for cell in cells)


def _file(handed: Handed) -> str:
    return f"{handed.code}.xlsx"


def _earlier(folder: Path, assignment: Assignment, *, force: bool) -> Manifest | None:
    """The manifest of this assignment in the folder; one that cannot be read counts only as long as it is kept."""
    path = folder / MANIFEST
    if not path.exists():
        return None
    try:
        found = read_manifest(path)
    except InputError:
        if force:
            return None
        raise
    if found.assignment == assignment.name:
        return found
    if not force:
        remedy = "Give another folder with --out, or --force to replace it."
        raise RefusedError(f'{path}: this is the manifest of another assignment, "{found.assignment}". {remedy}')
    return None


def _refuse_twice(handed: Sequence[Handed]) -> None:
    codes = Counter(each.code for each in handed)
    faults = [
        Fault("roster", "another student gets the same code", "Give a --salt, any text.", value=each.student)
        for each in handed
        if codes[each.code] > 1
    ]
    if faults:
        raise InputError(faults)


def _refuse_changed(folder: Path, handed: Sequence[Handed], earlier: Manifest | None) -> None:
    """A workbook that is no longer the one its manifest knows may hold somebody's answers."""
    known = {variant.file: variant.checksum for variant in earlier.variants} if earlier else {}
    changed = [
        path
        for path in (folder / _file(each) for each in handed)
        if path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() != known.get(path.name)
    ]
    if changed:
        shown = ", ".join(path.name for path in changed[:5]) + (", ..." if len(changed) > 5 else "")
        raise RefusedError(
            f"{folder}: somebody changed {len(changed)} of the workbooks that would be replaced: {shown}. "
            "Give another folder with --out, or --force to replace them."
        )


def _list_of(variants: Sequence[Variant]) -> bytes:
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["student", "code", "file"])
    rows.writerows([variant.student, variant.code, variant.file] for variant in variants)
    # With the mark, Excel too reads names as they are.
    return text.getvalue().encode("utf-8-sig")


def _write(path: Path, data: bytes) -> None:
    try:
        write_atomically(path, data)
    except OSError as error:
        problem = f"it cannot be written ({error.strerror or error})"
        raise InputError([Fault(str(path), problem, "Check the folder.")]) from None
