"""The public names: each is loaded when it is first used, and none is forgotten."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import workbook_builder


def declared() -> dict[str, str]:
    """Public name -> module, as the imports for type checkers say."""
    tree = ast.parse(Path(workbook_builder.__file__).read_text("utf-8"))
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module)
    return {
        alias.name: str(node.module)
        for node in imports
        if str(node.module).startswith("workbook_builder.")
        for alias in node.names
    }


def test_the_names_for_type_checkers_are_those_that_are_loaded() -> None:
    assert {name: f"workbook_builder.{module}" for name, module in workbook_builder._HOME.items()} == declared()
    assert sorted(workbook_builder.__all__) == sorted(declared())


@pytest.mark.parametrize("name", workbook_builder.__all__)
def test_every_public_name_is_there_and_listed(name: str) -> None:
    assert getattr(workbook_builder, name) is not None
    assert name in dir(workbook_builder)


def test_no_module_hides_a_public_name() -> None:
    """Importing a module sets its name on the package, over whatever had it."""
    modules = {path.stem for path in Path(workbook_builder.__file__).parent.iterdir()}
    assert not modules & set(workbook_builder.__all__)


def test_an_unknown_name_is_an_attribute_error_that_says_it() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'ndgc'"):
        _ = workbook_builder.ndgc  # type: ignore[attr-defined]


def test_importing_the_package_loads_none_of_its_modules() -> None:
    script = "import sys, workbook_builder; print([name for name in sys.modules if 'workbook_builder.' in name])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
