"""All that decides a workbook's content, and reading it from whatever file someone brings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import Gain
from workbook_builder.inputs import WORKED_EXAMPLE, Convention, Exercise
from workbook_builder.lesson import lessons
from workbook_builder.readers.exercise import read_exercise
from workbook_builder.readers.table import read_exercise_csv
from workbook_builder.readers.values import UnusableError, convention_faults, cutoff
from workbook_builder.reopen import reopen
from workbook_builder.sheet import Sheet, plan
from workbook_builder.steps import STEPS, Inputs
from workbook_builder.suggest import did_you_mean
from workbook_builder.text import languages, words_in

_ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class Source:
    """The inputs of each lesson, the convention and the language; `notes` say how the inputs were understood."""

    inputs: Mapping[str, Inputs]
    convention: Convention
    language: str = "en"
    notes: tuple[str, ...] = ()

    def sheets(self) -> list[Sheet]:
        """Its sheets, in teaching order."""
        return [
            plan(lesson, self.inputs[name], self.convention, languages()[self.language])
            for name, lesson in lessons().items()
            if name in self.inputs
        ]


def source_of(exercise: Exercise = WORKED_EXAMPLE, language: str = "en") -> Source:
    """The inputs of every lesson, drawn from one exercise."""
    inputs = {name: STEPS[name].inputs(exercise) for name in lessons()}
    return Source(inputs, exercise.convention, language, exercise.notes)


def only(source: Source, chosen: Sequence[str]) -> Source:
    """The source with the chosen lessons alone, in teaching order; all of them when none is chosen.

    A lesson is called by its name, or by its tab's in any language. Raises InputError for those that do not exist.
    """
    titles = {text.get("lesson", name, "title").casefold(): name for text in languages().values() for name in lessons()}
    known = {**titles, **{name: name for name in lessons()}}
    faults = [
        Fault("--lesson", "there is no such lesson", did_you_mean(each, list(known)), value=each)
        for each in chosen
        if each.casefold() not in known
    ]
    if faults:
        raise InputError(faults)
    names = {known[each.casefold()] for each in chosen} or set(source.inputs)
    return replace(source, inputs={name: given for name, given in source.inputs.items() if name in names})


def in_language(source: Source, language: str) -> Source:
    """The source in another language; raises InputError for one there are no words in."""
    return replace(source, language=words_in(language).language)


def read_source(
    path: Path | str,
    *,
    query: str | None = None,
    k: int | None = None,
    gain: Gain | None = None,
    relevant_from: float | None = None,
    ranks_from: int = 1,
) -> Source:
    """Read an exercise (TOML), a table (CSV) or a workbook of ours (recognised by its content).

    What is given here overrides what the file says. Raises InputError with every fault of the file.
    """
    source = Path(path)
    if not (is_workbook := _starts_with(source, _ZIP)) and source.suffix.lower() != ".toml":
        return source_of(
            read_exercise_csv(source, query=query, k=k, gain=gain, relevant_from=relevant_from, ranks_from=ranks_from)
        )
    if query is not None or ranks_from != 1:
        option, value = ("--query", query) if query is not None else ("--ranks-from", str(ranks_from))
        raise InputError([Fault(option, "it goes with a table or a run", f"Leave it out for {source}.", value=value)])
    if is_workbook:
        return _source_of_workbook(source, k=k, gain=gain, relevant_from=relevant_from)
    return source_of(read_exercise(source, k=k, gain=gain, relevant_from=relevant_from))


def _source_of_workbook(path: Path, *, k: int | None, gain: Gain | None, relevant_from: float | None) -> Source:
    """Every lesson keeps its yellow cells; the worked example's tables grow or shrink to fit them."""
    opened = reopen(path, grow=True)
    source = Source(opened.inputs, opened.convention, opened.language)
    for name, given in opened.inputs.items():
        back = STEPS[name].exercise
        if back is not None:
            exercise = overridden(back(given, opened.convention), k, gain, relevant_from)
            fresh = source_of(exercise, opened.language)
            source = replace(fresh, inputs={**fresh.inputs, **opened.inputs, name: fresh.inputs[name]})
    return source


def overridden(exercise: Exercise, k: int | None, gain: Gain | None, relevant_from: float | None) -> Exercise:
    """The exercise with what is given in place of its own; raises InputError for what it cannot be scored with."""
    changed = replace(
        exercise,
        k=exercise.k if k is None else k,
        gain=exercise.gain if gain is None else gain,
        relevant_from=exercise.relevant_from if relevant_from is None else relevant_from,
    )
    faults = list(convention_faults("the options", changed.gain, changed.relevant_from, changed.judged))
    try:
        cutoff(changed.k)
    except UnusableError as unusable:
        faults.append(unusable.fault("--k", None, None, changed.k))
    if faults:
        raise InputError(faults)
    return changed


def _starts_with(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False
