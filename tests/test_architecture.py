"""The two books stay apart: what may import what, read from the sources."""

import ast
from pathlib import Path

import pytest

import workbook_builder
from workbook_builder.lesson import lessons
from workbook_builder.steps import STEPS

PACKAGE = Path(workbook_builder.__file__).parent
REFERENCE = {"metrics", "gain", "measures", "notes", "scoring", "scoring_files"}
SHEETS = {"lesson", "grid", "sheet", "workbook", "charts", "cells", "style", "text", "fit", "openpyxl"}

EVALUATION_REFERENCE = {
    "significance",
    *(f"evaluation/{path.stem}" for path in (PACKAGE / "evaluation").glob("reference*.py")),
}
EVALUATION_SHEETS = {
    *(f"evaluation/{name}" for name in ("book", "cells", "charts", "columns", "layout", "markup", "places")),
    *(f"evaluation/sheets/{path.stem}" for path in (PACKAGE / "evaluation" / "sheets").glob("*.py")),
}

FORBIDDEN = {
    **dict.fromkeys(REFERENCE, SHEETS),
    **dict.fromkeys(EVALUATION_REFERENCE, SHEETS | EVALUATION_SHEETS | {"balance", "evaluation/proof", "recalculate"}),
    **dict.fromkeys(EVALUATION_SHEETS, EVALUATION_REFERENCE | {"metrics", "scoring", "balance", "evaluation/proof"}),
    **dict.fromkeys(("large", "large_chunk"), SHEETS | {"metrics", "steps"}),
    **{f"steps/{path.stem}": SHEETS | {"balance"} for path in (PACKAGE / "steps").glob("*.py")},
    **{f"readers/{path.stem}": SHEETS | {"metrics", "balance"} for path in (PACKAGE / "readers").glob("*.py")},
    "homework/reference": SHEETS | {"balance"},
    **{f"homework/{name}": SHEETS | {"balance"} for name in ("task", "steps", "methods", "separate", "draw")},
    "homework/ways": SHEETS | {"balance", "metrics", "wrong", "other_discounts", "other_ideals"},
    "homework/puzzles": SHEETS | {"balance"},
    "homework/rungs": {"metrics", "steps", "balance"},
    "workbook": {"metrics", "scoring", "balance"},
    "grid": {"metrics", "steps", "balance"},
    "lesson": {"metrics", "steps", "balance"},
    "charts": {"metrics", "steps"},
    "text": {"metrics", "steps"},
}
"""Module -> what it must not import, from the package or outside it."""


def imported(path: Path) -> set[str]:
    """Every module a file imports, functions included: its path in the package, each part of which counts as well.

    Of those outside the package, the top.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    names = set()
    for module in found:
        parts = module.split(".")
        own = parts[1:] if parts[0] == "workbook_builder" and len(parts) > 1 else parts[:1]
        names |= {"/".join(own[:number]) for number in range(1, len(own) + 1)}
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
    spoiled.write_text("from workbook_builder.evaluation.sheets.lists import queries\n")
    assert {"evaluation/sheets/lists"} <= imported(spoiled) & EVALUATION_SHEETS
    spoiled.write_text("from workbook_builder.evaluation import reference, places\n")
    assert {"evaluation/reference", "evaluation/places"} <= imported(spoiled)


def test_only_one_module_of_a_kind_writes_workbooks() -> None:
    writers = {
        path.relative_to(PACKAGE).with_suffix("").as_posix()
        for path in PACKAGE.rglob("*.py")
        if ".save(written" in path.read_text("utf-8")
    }
    assert writers == {"workbook", "balance", "evaluation/book"}, "balance saves what it was given, without its values"


def test_every_lesson_has_its_reference_and_no_reference_lacks_a_lesson() -> None:
    assert set(STEPS) == set(lessons())


def test_every_module_can_be_read_in_one_sitting() -> None:
    lengths = {
        str(path.relative_to(PACKAGE)): len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > 400} == {}
