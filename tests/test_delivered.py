"""What is delivered beside the code: the committed workbook, the README, the packaging."""

import re
import zipfile
from pathlib import Path

import pytest

from workbook_builder import __version__, build
from workbook_builder.commands import VERBS
from workbook_builder.package import is_untouched


def parts(path: Path) -> dict[str, bytes]:
    """The parts of a workbook, without the seal that sums them up."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_committed_workbook_is_what_build_writes_today(repository: Path, tmp_path: Path) -> None:
    """When this fails, run: uv run workbook-builder build"""
    committed = repository / "output" / "ndcg_and_mrr.xlsx"
    assert is_untouched(committed.read_bytes())
    assert parts(committed) == parts(build().save(tmp_path / "today.xlsx"))


@pytest.fixture
def readme(repository: Path) -> str:
    return (repository / "README.md").read_text("utf-8")


def test_the_readme_shows_every_command(readme: str) -> None:
    for verb in VERBS:
        assert f"workbook-builder {verb}" in readme, verb


def test_the_readme_opens_with_a_picture_and_the_two_commands(readme: str) -> None:
    first_screen = "\n".join(readme.splitlines()[:30])
    assert re.search(r"!\[[^\]]{20,}\]\(\S+\.png\)", first_screen), "a picture with an alternative text"
    assert "pip install uv && uv run workbook-builder build" in first_screen
    assert "pip install uv && uv run pytest" in first_screen


def test_every_file_the_readme_links_to_is_there(readme: str, repository: Path) -> None:
    for link in re.findall(r"\]\((?!https?://|#)([^)#]+)", readme):
        assert (repository / link).exists(), link


def test_the_readme_python_example_runs(readme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})


def test_the_changelog_knows_this_version(repository: Path) -> None:
    assert f"## {__version__}" in (repository / "CHANGELOG.md").read_text("utf-8")


def test_the_tested_versions_are_pinned_with_hashes_and_name_no_server(repository: Path) -> None:
    pins = (repository / "constraints.txt").read_text("utf-8")
    assert "formualizer==" in pins
    assert "--hash=sha256:" in pins
    assert "://" not in pins
