"""What the tests share: the engines, and the promise that none is skipped where all are required."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from workbook_builder import cli
from workbook_builder.recalculate import ENGINES, Engine

ALL_REQUIRED = os.environ.get("WORKBOOK_BUILDER_REQUIRE_ENGINES") == "1"

settings.register_profile(
    "steady", deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate, Phase.shrink]
)
settings.load_profile("steady")


def needed(engine: Engine) -> Engine:
    """The engine; without it the test is skipped, or fails where every engine is required."""
    if engine.version is None:
        if ALL_REQUIRED:
            pytest.fail(f"{engine.name} is required here and is not installed. {engine.remedy}")
        pytest.skip(f"{engine.name} is not installed. {engine.remedy}")
    return engine


@pytest.fixture(params=list(ENGINES.values()), ids=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each formula engine in turn."""
    engine: Engine = request.param
    return needed(engine)


@pytest.fixture
def repository() -> Path:
    """The project's folder."""
    return Path(__file__).parent.parent


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr("sys.argv", ["workbook-builder", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        seen = capsys.readouterr()
        assert "Traceback" not in seen.err
        code = ended.value.code
        return Outcome(code if isinstance(code, int) else 0, seen.out, seen.err)

    return run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests first, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: "200_random" not in item.name)
