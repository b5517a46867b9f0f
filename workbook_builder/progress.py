"""A progress bar for what takes more than a moment: on stderr, and only where somebody is watching."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

PATIENCE = 2.0
"""Seconds before a bar appears: what is done by then needs none."""


@contextmanager
def bar(total: int, *, patience: float = PATIENCE) -> Iterator[Callable[[str], None]]:
    """A function that is told, in a word, of each of `total` steps as it begins."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415  slow to import, and few need it
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeElapsedColumn(),
    )
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task("", total=total)
    begun, steps = monotonic(), 0

    def step(doing: str) -> None:
        nonlocal steps
        shown.update(task, description=doing, completed=steps)
        steps += 1
        if monotonic() - begun > patience and not shown.live.is_started:
            shown.start()

    try:
        yield step
    finally:
        if shown.live.is_started:
            shown.stop()
