"""A progress bar for what takes more than a moment: on stderr, and only where somebody is watching."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 2.0
"""Seconds before a bar appears: what is done by then needs none."""


@contextmanager
def bar(total: int, *, patience: float = PATIENCE) -> Iterator[Callable[[str], None]]:
    """A function that is told, in a word, of each of `total` steps as it begins."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    showing = _Showing(total)
    # A timer, so that a bar also appears in the midst of one long step.
    waiting = Timer(patience, showing.begin)
    waiting.daemon = True
    waiting.start()
    try:
        yield showing.step
    finally:
        waiting.cancel()
        showing.end()


class _Showing:
    """A bar that may not have appeared yet, or never will."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.doing = total, -1, ""
        self.shown: Progress | None = None
        self.over = False
        self.lock = Lock()

    def step(self, doing: str) -> None:
        """The next step begins."""
        with self.lock:
            self.done, self.doing = self.done + 1, doing
            if self.shown is not None:
                self.shown.update(self.shown.task_ids[0], description=doing, completed=self.done)

    def begin(self) -> None:
        """Show the bar, unless all is over."""
        from rich.console import Console  # noqa: PLC0415  slow to import, and few need it
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        with self.lock:
            if self.over:
                return
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self.shown = Progress(*columns, console=Console(stderr=True), transient=True)
            # A single step has no share that is done: its bar only moves.
            total = self.total if self.total > 1 else None
            self.shown.add_task(self.doing, total=total, completed=max(0, self.done))
            self.shown.start()

    def end(self) -> None:
        """Take the bar away."""
        with self.lock:
            self.over = True
            if self.shown is not None:
                self.shown.stop()
