"""The rungs of a ladder: one homework sheet with some of its steps asked for and the others shown.

Pure: a lesson in, a lesson out. The templates are in `templates/homework/`.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache

from workbook_builder.lesson import Block, Entry, Lesson, parse_lesson, templates

GIVEN_STYLES = {"grade": "grade", "cutoff": "grade", "threshold": "grade", "query": "words"}
SOLVED_STYLES = {"answer": "number", "choice": "words"}
"""Kind of input, and of answer -> the style of its cells where they are not to be filled in or changed."""
RANK, LAST = "#", "@"
"""In the name, the formula and the limit of an entry that is there for every rank: its rank, and the last one."""


@cache
def homework_sheets() -> Mapping[str, Lesson]:
    """Every homework sheet by name, in teaching order."""
    found = [
        parse_lesson(item.name.removesuffix(".toml"), item.read_text("utf-8"))
        for item in (templates() / "homework").iterdir()
        if item.name.endswith(".toml")
    ]
    return {lesson.name: lesson for lesson in sorted(found, key=lambda lesson: lesson.order)}


def steps_of(lesson: Lesson) -> tuple[str, ...]:
    """The steps of a homework sheet that can be asked for, as they stand on it."""
    return tuple(entry.name for entry in lesson.entries.values() if entry.asked)


def rung(
    lesson: Lesson,
    name: str,
    asked: Collection[str],
    inputs: Mapping[str, object],
    *,
    ranks: int,
    checks: bool,
    editable: bool,
    shown: Collection[str] = (),
) -> Lesson:
    """The sheet called `name`: the steps `asked` as answers' cells, with their checks if wanted, the others shown.

    inputs has a value for every input there is: what was to be filled from another is left out; ranks is the length of
    the longest ranking of a sheet that has a column a rank; unless editable, the inputs are no yellow cells; of the
    formulas `shown`, only the values are to be seen.
    """
    checked = frozenset(asked) if checks else frozenset[str]()

    def kept(entry: Entry) -> bool:
        if entry.while_asked is not None and entry.while_asked not in checked:
            return False
        if entry.while_shown in asked:
            return False
        return not entry.given or entry.name in inputs

    def written(block: Block) -> Block:
        def group(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
            spread = (each for entry in entries for each in _spread(entry, ranks))
            frozen = (_frozen(entry) if entry.name in shown else entry for entry in spread)
            return tuple(_here(entry, asked, inputs, editable, missing) for entry in frozen if kept(entry))

        return replace(block, columns=group(block.columns), fields=group(block.fields))

    # A line of text ends where it would beside a full set of checks.
    missing = sum(entry.while_asked is not None and not kept(entry) for entry in _widest(lesson).columns)
    blocks = [written(block) for block in lesson.blocks if checked or not block.hidden]
    return replace(lesson, name=name, blocks=tuple(block for block in blocks if block.entries))


def _widest(lesson: Lesson) -> Block:
    return max((block for block in lesson.blocks if not block.hidden), key=lambda block: len(block.columns))


def _here(entry: Entry, asked: Collection[str], inputs: Mapping[str, object], editable: bool, missing: int) -> Entry:
    """An entry as it stands on this rung; a line of text is longer by the `missing` columns."""
    if entry.name in asked:
        return replace(entry, formula=None, style=None, input=entry.asked) if entry.asked else entry
    if entry.input in SOLVED_STYLES and entry.name in inputs:
        return replace(entry, input=None, given=True, style=SOLVED_STYLES[entry.input])
    if entry.input in GIVEN_STYLES and entry.name in inputs and not editable:
        return replace(entry, input=None, given=True, style=GIVEN_STYLES[entry.input])
    return replace(entry, span=entry.span + missing) if entry.span > 1 else entry


def _frozen(entry: Entry) -> Entry:
    return replace(entry, formula=None, given=True, style=entry.style or "number")


def _spread(entry: Entry, ranks: int) -> Iterator[Entry]:
    """An entry for every rank, or the entry itself with the last rank filled in."""

    def filled(text: str | None, rank: int | None) -> str | None:
        if text is None:
            return None
        return (text if rank is None else text.replace(RANK, str(rank))).replace(LAST, str(ranks))

    most = ranks if entry.most == LAST else entry.most
    for rank in range(1, ranks + 1) if entry.across else (None,):
        name = filled(entry.name, rank)
        assert name is not None
        heading = entry.heading if rank is None else entry.heading or entry.name.removesuffix(f"_{RANK}")
        spread = replace(entry, name=name, heading=heading, formula=filled(entry.formula, rank), most=most, number=rank)
        # One that counts says its rank.
        yield replace(spread, count=False, fixed=(rank,)) if entry.count and rank is not None else spread
