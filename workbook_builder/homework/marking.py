"""Marks: what every submission earns step by step, and why; what should be looked at by a person."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbook_builder.errors import InputError
from workbook_builder.homework import gradebook
from workbook_builder.homework.diagnosis import diagnose
from workbook_builder.homework.finding import Finding
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.steps import STEP_NAMES, Answers
from workbook_builder.homework.submission import UNREADABLE, Submission, differing_inputs, read_submission
from workbook_builder.homework.understood import Answer

READ_OFF = frozenset({"ideal_grade", "first_relevant"})
"""Steps one may read off the sheet; every other asks for a formula."""

Note = tuple[str, Mapping[str, object]]
"""A remark's name in the texts, `mark.note.NAME`, and its facts."""


@dataclass(frozen=True)
class StepMark:
    """One step of one submission: points earned and possible, why, and the cells it was answered in.

    typed: the cells that hold a number although a formula was asked.
    """

    finding: Finding
    points: float
    of: float
    answers: tuple[Answer, ...] = ()
    typed: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """The step's name."""
        return self.finding.step


@dataclass(frozen=True)
class Mark:
    """One file that was handed in. Without a variant it could not be marked, and `notes` say why."""

    file: str
    variant: Variant | None = None
    steps: tuple[StepMark, ...] = ()
    notes: tuple[Note, ...] = ()
    checksum: str = ""

    @property
    def total(self) -> float:
        """The points earned."""
        return round(sum(each.points for each in self.steps), 6)

    @property
    def of(self) -> float:
        """The points possible."""
        return sum(each.of for each in self.steps)

    @property
    def carried(self) -> bool:
        """Whether something that is wrong was carried on without costing again."""
        return any(each.finding.carried for each in self.steps)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was answered."""
        return all(each.finding.status == "blank" for each in self.steps)

    @property
    def look_at(self) -> bool:
        """Whether a person should look at it."""
        return bool(self.reasons_to_look)

    @property
    def reasons_to_look(self) -> frozenset[str]:
        """The names of the notes that a person should look at."""
        return LOOK_AT & {name for name, _ in self.notes}


HARMLESS = frozenset({"twice", "feedback_copy"})
"""Notes on files that need no mark of their own."""
LOOK_AT = frozenset({"same_code", "twice", "two_codes", "inputs"})
"""Notes a teacher should look at; none of them says that anybody did anything wrong."""


@dataclass(frozen=True)
class Marks:
    """Every submission's mark, in the order given."""

    manifest: Manifest
    marks: tuple[Mark, ...]

    @property
    def missing(self) -> tuple[Variant, ...]:
        """The variants nobody handed in."""
        seen = {each.variant.code for each in self.marks if each.variant is not None}
        return tuple(each for each in self.manifest.variants if each.code not in seen)

    @property
    def unmarked(self) -> tuple[Mark, ...]:
        """The files that could not be marked."""
        return tuple(each for each in self.marks if each.variant is None)

    @property
    def failed(self) -> bool:
        """Whether a file could not be marked that is neither one that was marked already nor a copy with feedback."""
        return any(name not in HARMLESS for each in self.unmarked for name, _ in each.notes)

    def to_csv(self) -> str:
        """The gradebook: a row a file."""
        return gradebook.to_csv(self)

    def to_json(self) -> dict[str, Any]:
        """The marks as plain data."""
        return gradebook.to_json(self)

    def __str__(self) -> str:
        return gradebook.to_text(self)

    def feedback(self, folder: Path | str) -> tuple[Path, ...]:
        """Write a copy of each marked workbook, with notes on its answers, into a folder; the originals stay as is."""
        from workbook_builder.homework.feedback import write_feedback  # noqa: PLC0415 - only who asks for it needs it

        return write_feedback(self, Path(folder))


def mark(
    paths: Iterable[Path | str],
    manifest: Manifest,
    *,
    followed: Callable[[Sequence[Path]], Iterable[Path]] = lambda files: files,
) -> Marks:
    """Mark workbooks that were handed in, by the manifest they were handed out with.

    A folder stands for the files in it. `followed` is given the files and gives them back one by one, for a progress
    bar. A file that cannot be marked gets a mark that says why; nothing is raised for one.
    """
    marks = [_mark(path, manifest) for path in followed(submitted_files(paths))]
    return Marks(manifest, tuple(_compared(marks)))


def submitted_files(paths: Iterable[Path | str]) -> list[Path]:
    """The files meant, in order, each once; in a folder, all but hidden ones and the locks of open documents."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        inside = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
        shown = (each for each in inside if not each.name.startswith((".", "~$")) or not path.is_dir())
        found |= dict.fromkeys(shown)
    return [*found]


def _mark(path: Path, manifest: Manifest) -> Mark:
    try:
        submission = read_submission(path, manifest)
    except InputError as error:
        return Mark(str(path), notes=tuple(("unreadable", {"problem": _without_file(fault)}) for fault in error.faults))
    if submission.is_feedback:
        return Mark(str(path), notes=(("feedback_copy", {}),))
    variant = submission.variant
    if variant is None:
        stated = ", ".join(submission.codes)
        return Mark(str(path), notes=(("unknown_code", {"code": stated}) if stated else ("no_code", {}),))
    notes: list[Note] = []
    if len(submission.codes) > 1:
        notes.append(("two_codes", {"codes": ", ".join(submission.codes), "code": variant.code}))
    if differing := differing_inputs(submission.inputs, variant.task):
        notes.append(("inputs", {"names": ", ".join(differing)}))
    if submission.lost:
        notes.append(("lost", {"names": ", ".join(submission.lost)}))
    if submission.moved:
        notes.append(("moved", {"names": ", ".join(submission.moved)}))
    if submission.mended:
        notes.append(("mended", {"steps": ", ".join(submission.mended)}))
    steps = tuple(_steps(submission, variant, manifest))
    made = Mark(str(path), variant, steps, tuple(notes), submission.checksum)
    return replace(made, notes=(*made.notes, ("nothing", {}))) if made.is_blank else made


def _steps(submission: Submission, variant: Variant, manifest: Manifest) -> Iterator[StepMark]:
    own = own_values(submission)
    found = diagnose(variant.task, own, asked=manifest.asked, digits=manifest.digits, allowed=manifest.allowed)
    for step in STEP_NAMES:
        if step not in found:
            continue
        finding, of = found[step], manifest.points[step]
        answers = submission.answers.get(step, ())
        if finding.status == "blank" and any(answer.kind in UNREADABLE for answer in answers):
            finding = replace(finding, status="unread")
        typed = () if step in READ_OFF else tuple(answer.cell for answer in answers if answer.typed)
        weights = [manifest.typed_weight if answer.cell in typed else 1.0 for answer in answers] or [1.0]
        earned = sum(weight for weight, ok in zip(weights, finding.ok, strict=False) if ok)
        points = of * earned / len(finding.ok) if finding.ok else 0.0
        yield StepMark(finding, round(points, 6), of, answers, typed)


def own_values(submission: Submission) -> Answers:
    """Step -> the values somebody wrote; where some queries have a first relevant rank, a blank says none."""
    own = {step: tuple(answer.value for answer in answers) for step, answers in submission.answers.items()}
    firsts = submission.answers.get("first_relevant", ())
    if any(answer.kind != "blank" for answer in firsts):
        own["first_relevant"] = tuple(None if answer.kind == "blank" else answer.value for answer in firsts)
    return own


def _compared(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Each mark, with what comparing it with the others has to say. The same file again is not marked again."""
    first_with: dict[str, str] = {}
    files: dict[str, dict[str, str]] = {}
    for each in marks:
        if each.variant is not None and not each.is_blank:
            files.setdefault(each.variant.code, {}).setdefault(each.checksum, Path(each.file).name)
    for each in marks:
        if each.variant is None:
            yield each
        elif each.checksum in first_with:
            yield Mark(each.file, notes=(("twice", {"file": first_with[each.checksum]}),))
        else:
            first_with[each.checksum] = Path(each.file).name
            others = [name for checksum, name in files.get(each.variant.code, {}).items() if checksum != each.checksum]
            if others and not each.is_blank:
                facts = {"code": each.variant.code, "files": ", ".join(others)}
                yield replace(each, notes=(*each.notes, ("same_code", facts)))
            else:
                yield each


def _without_file(fault: Any) -> str:
    return str(fault).removeprefix(f"{fault.file}: ")
