"""The two books stay apart: what may import what, read from the sources."""

import ast
from pathlib import Path

import pytest

import workbook_builder
from workbook_builder.lesson import lessons
from workbook_builder.steps import STEPS

PACKAGE = Path(workbook_builder.__file__).parent
REFERENCE = {"metrics", "gain", "measures", "notes", "scoring", "score_files"}
SHEETS = {"lesson", "grid", "sheet", "workbook", "charts", "cells", "style", "text", "fit", "openpyxl"}

FORBIDDEN = {
    **dict.fromkeys(REFERENCE, SHEETS),
    **dict.fromkeys(("large", "large_sql"), SHEETS | {"metrics", "steps"}),
    **{f"steps/{path.stem}": SHEETS | {"balance"} for path in (PACKAGE / "steps").glob("*.py")},
    **{f"readers/{path.stem}": SHEETS | {"metrics", "balance"} for path in (PACKAGE / "readers").glob("*.py")},
    "homework/reference": SHEETS | {"balance"},
    **{f"homework/{name}": SHEETS | {"balance"} for name in ("task", "steps", "methods", "separate", "draw")},
    "homework/ways": SHEETS | {"balance", "metrics", "wrong", "other_discounts", "other_ideals"},
    "homework/rungs": {"metrics", "steps", "balance"},
    "workbook": {"metrics", "scoring", "balance"},
    "grid": {"metrics", "steps", "balance"},
    "lesson": {"metrics", "steps", "balance"},
    "charts": {"metrics", "steps"},
    "text": {"metrics", "steps"},
}
"""Module -> what it must not import, from the package or outside it."""


def imported(path: Path) -> set[str]:
    """The last part of every module a file imports, functions included, and the top of those outside the package."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    names = set()
    for module in found:
        parts = module.split(".")
        names.add(parts[1] if parts[0] == "workbook_builder" and len(parts) > 1 else parts[0])
    return names


@pytest.mark.parametrize("module", sorted(FORBIDDEN))
def test_the_formulas_and_the_reference_share_only_names(module: str) -> None:
    assert not imported(PACKAGE / f"{module}.py") & FORBIDDEN[module]


def test_the_rule_would_notice_a_forbidden_import(tmp_path: Path) -> None:
    """The check can fail: a reference module that looks at the formulas is found out."""
    spoiled = tmp_path / "metrics.py"
    spoiled.write_text(
        "from workbook_builder.grid import place\nfrom workbook_builder import lesson\nimport openpyxl\n"
    )
    assert {"grid", "lesson", "openpyxl"} <= imported(spoiled)


def test_only_one_module_writes_workbooks() -> None:
    writers = {path.stem for path in PACKAGE.rglob("*.py") if ".save(written" in path.read_text("utf-8")}
    assert writers == {"workbook", "balance"}, "balance saves the workbook it was given, without its values"


def test_every_lesson_has_its_reference_and_no_reference_lacks_a_lesson() -> None:
    assert set(STEPS) == set(lessons())


def test_every_module_can_be_read_in_one_sitting() -> None:
    lengths = {
        str(path.relative_to(PACKAGE)): len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > 400} == {}
