"""Prove a workbook of ours again, of whatever kind it is, also after somebody edited it."""

from collections.abc import Sequence
from pathlib import Path

from workbook_builder.balance import Report, check_opened
from workbook_builder.evaluation import check as evaluations
from workbook_builder.evaluation.reopen import is_evaluation
from workbook_builder.opened import read_bytes
from workbook_builder.recalculate import engine, installed
from workbook_builder.reopen import reopen


def check(path: Path | str, engines: Sequence[str] | str = "formualizer") -> list[Report]:
    """Recalculate a workbook of ours, also an edited one, and compare every formula cell with the reference.

    `engines` names the formula engines to use, one report each; "all" means all that are installed. Raises InputError
    when the file or one of its yellow cells cannot be read, EngineError when an engine is missing or fails.
    """
    chosen = [engines] if isinstance(engines, str) else list(engines)
    used = installed() if "all" in chosen else [engine(name) for name in chosen]
    if is_evaluation(read_bytes(Path(path))):
        return evaluations.check(path, used)
    opened = reopen(path)
    return [check_opened(opened, each) for each in used]
