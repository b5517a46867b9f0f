"""`variants`: an exercise of its own for each student of a class."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from workbook_builder.commands.options import GainText, RelevantFrom, program, say
from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import LINEAR, Gain
from workbook_builder.homework.draw import DEFAULT_SHAPE
from workbook_builder.homework.pool import read_pool
from workbook_builder.homework.roster import read_roster
from workbook_builder.homework.variants import HAND_OUT, MANIFEST, Assignment, write_variants

T = TypeVar("T")
STRESSED = 500


def verb(
    roster: Annotated[
        Path | None, typer.Argument(help="The class list (.csv): a column of ids; - is standard input.")
    ] = None,
    assignment: Annotated[
        str, typer.Option(help="The assignment's name; another name gives other inputs.")
    ] = "homework",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("variants"),
    checks: Annotated[bool, typer.Option("--checks", help="Sheets that say whether an answer is right.")] = False,
    digits: Annotated[int, typer.Option(help="The decimals marked: 3, or 2 to be lenient.")] = DEFAULT_SHAPE.digits,
    pool: Annotated[
        Path | None, typer.Option(help="Your own judgments, or an exercise (.toml): grades are drawn from them.")
    ] = None,
    gain: GainText = None,
    relevant_from: RelevantFrom = None,
    points: Annotated[list[str] | None, typer.Option(help="A step's points, as in ndcg=3; may be repeated.")] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="A method that counts as right too, as in exponential; may be repeated.")
    ] = None,
    typed_weight: Annotated[
        float, typer.Option(help="The share of the points kept for a typed number, 0 to 1; 1 only reports it.")
    ] = 1.0,
    apart: Annotated[
        bool, typer.Option("--apart", help="Neighbours share no answer; a file then depends on the row before.")
    ] = False,
    salt: Annotated[
        str | None, typer.Option(help="A secret, so that nobody with a list of ids can work out whose file it is.")
    ] = None,
    id_column: Annotated[str | None, typer.Option(help="The roster's column of ids.")] = None,
    language: Annotated[str, typer.Option(help="The workbooks' language, as in en or de.")] = "en",
    stress: Annotated[bool, typer.Option("--stress", help="Write nothing; say how a class's answers spread.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace workbooks that somebody changed.")] = False,
) -> None:
    """Write a workbook of its own for each student, and the manifest to mark them by.

    The same id and assignment give the same file, on any machine. Inputs are drawn until every known wrong method gives
    an answer of its own.
    """
    shape = replace(
        DEFAULT_SHAPE,
        digits=digits,
        pool=DEFAULT_SHAPE.pool if pool is None else read_pool(pool),
        gain=LINEAR if gain is None else Gain.parse(gain),
        relevant_from=DEFAULT_SHAPE.relevant_from if relevant_from is None else relevant_from,
    )
    chosen = Assignment(
        assignment,
        shape,
        salt=salt,
        apart=apart,
        checks=checks,
        language=language,
        points=_points(points or []),
        typed_weight=typed_weight,
        allowed=tuple(allow or []),
    )
    if roster is None and not stress:
        raise typer.BadParameter("Give a roster, or --stress to try without one.")
    students = _students(roster, id_column)
    shown = partial(_shown, len(students))
    if stress:
        from workbook_builder.homework.stress import chance, stressed  # noqa: PLC0415  only here

        print(stressed(students, chosen, followed=shown))
        print(chance())
        return
    manifest = write_variants(students, out, chosen, force=force, followed=shown)
    redraws = sum(variant.redraws for variant in manifest.variants)
    say(f"Wrote {len(manifest.variants)} workbooks to {out}; {out / HAND_OUT} says who gets which.")
    say(f"Every formula is proved, and every wrong method has an answer of its own, after {redraws:,} redraws.")
    say(f"Keep {out / MANIFEST} to yourself: it holds the answers, and marking needs it. Next:")
    say(f"  {program()} mark SUBMISSIONS --manifest {out / MANIFEST}")


def _students(roster: Path | None, id_column: str | None) -> tuple[str, ...]:
    if roster is None:
        return tuple(f"student {number}" for number in range(1, STRESSED + 1))
    return read_roster(roster, column=id_column).students


def _points(given: list[str]) -> dict[str, float]:
    points, faults = {}, []
    for text in given:
        step, _, number = text.partition("=")
        try:
            points[step] = float(number)
        except ValueError:
            faults.append(Fault("--points", "these are no points", "Give them as in ndcg=3.", value=text))
    if faults:
        raise InputError(faults)
    return points


def _shown(total: int, items: Iterable[T], doing: str) -> Iterator[T]:
    """The items, with a bar that shows how far they are where a person watches."""
    from rich.console import Console  # noqa: PLC0415  not for --help
    from rich.progress import track  # noqa: PLC0415

    console = Console(stderr=True)
    yield from track(items, doing, total, console=console, transient=True, disable=not console.is_terminal)
