"""Formula engines behind one small protocol: the bytes of a workbook in, the same workbook with fresh values out.

An engine is one entry of `ENGINES`. Whoever calls one drops the cached values first (`balance.without_values`): some
engines trust what a file claims.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import formualizer

from workbook_builder import package
from workbook_builder.errors import EngineError
from workbook_builder.suggest import did_you_mean

TIMEOUT = 600


@dataclass(frozen=True)
class Engine:
    """`fill` evaluates several workbooks, which spares a slow program its starts; `remedy` says how to get it."""

    name: str
    find_version: Callable[[], str | None]
    fill: Callable[[Sequence[bytes]], list[bytes]]
    remedy: str

    @property
    def version(self) -> str | None:
        """Its version, or None when it is not here."""
        return self.find_version()

    def recalculate(self, workbook: bytes) -> bytes:
        """The workbook with every formula evaluated; raises EngineError when the engine is missing or fails."""
        return self.recalculate_all([workbook])[0]

    def recalculate_all(self, workbooks: Sequence[bytes]) -> list[bytes]:
        """Each workbook with every formula evaluated."""
        if self.version is None:
            raise EngineError(f"{self.name} is not installed. {self.remedy}")
        try:
            return self.fill(workbooks)
        except EngineError:
            raise
        except Exception as error:
            raise EngineError(f"{self.name} {self.version} could not recalculate the workbook: {error}") from error


def engine(name: str) -> Engine:
    """The engine of that name; raises EngineError with the nearest one."""
    if name not in ENGINES:
        raise EngineError(f"There is no engine {name}. {did_you_mean(name, list(ENGINES))}")
    return ENGINES[name]


def installed() -> list[Engine]:
    """The engines that are here, the embedded one first."""
    return [engine for engine in ENGINES.values() if engine.version is not None]


def _each(fill: Callable[[bytes], bytes]) -> Callable[[Sequence[bytes]], list[bytes]]:
    """For an engine that takes one workbook at a time."""
    return lambda workbooks: [fill(workbook) for workbook in workbooks]


def _formualizer(workbook: bytes) -> bytes:
    filled: bytes = formualizer.recalculate_xlsx_bytes(workbook)["bytes"]
    return filled


def _ironcalc(workbook: bytes) -> bytes:
    """IronCalc counts a blank cell that has a style as 0 in LARGE, unlike Excel, so it is given none."""
    import ironcalc  # noqa: PLC0415 - a development extra

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "workbook.xlsx"
        source.write_bytes(package.without_blank_cells(workbook))
        model = ironcalc.load_from_xlsx(str(source), "en", "UTC", "en")
        model.evaluate()
        filled: bytes = model.to_xlsx()
        return filled


def _cellrune(workbook: bytes) -> bytes:
    import cellrune  # noqa: PLC0415 - a development extra

    opened = cellrune.Workbook.from_bytes(workbook)
    opened.recalculate(mode="full", arithmetic_semantics="ieee_754")
    return opened.to_bytes()


def _libreoffice(workbooks: Sequence[bytes]) -> list[bytes]:
    """Recalculation is asked for in a profile of its own: by default LibreOffice believes the values in a file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = folder / "profile" / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        settings.write_text(_ALWAYS_RECALCULATE, "utf-8")
        names = [f"workbook{number}.xlsx" for number in range(len(workbooks))]
        for file, workbook in zip(names, workbooks, strict=True):
            (folder / file).write_bytes(package.without_pictures(workbook))
        profile = (folder / "profile").as_uri()
        to_excel = ["--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out")]
        sources = [str(folder / file) for file in names]
        _run(_program("soffice", "libreoffice"), f"-env:UserInstallation={profile}", "--headless", *to_excel, *sources)
        return [(folder / "out" / file).read_bytes() for file in names]


def _gnumeric(workbook: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.xlsx", Path(folder) / "out.xlsx"
        source.write_bytes(workbook)
        _run(_program("ssconvert"), "--recalc", "--export-type=Gnumeric_Excel:xlsx2", str(source), str(target))
        return target.read_bytes()


def _run(*command: str) -> str:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env=environment, check=False)
    if done.returncode:
        raise EngineError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout + done.stderr


def _program(*names: str) -> str:
    return next(filter(None, map(shutil.which, names)), "")


def _package_version(name: str) -> Callable[[], str | None]:
    @cache
    def version() -> str | None:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    return version


def _program_version(*names: str) -> Callable[[], str | None]:
    @cache
    def version() -> str | None:
        program = _program(*names)
        if not program:
            return None
        words = _run(program, "--version").split()
        return next((word.strip("'") for word in words if word.strip("'")[:1].isdigit()), "unknown")

    return version


_ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""

_DEVELOPMENT = "It comes with the development extra: pip install {}"

ENGINES: Mapping[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine("formualizer", _package_version("formualizer"), _each(_formualizer), "Reinstall workbook-builder."),
        Engine("ironcalc", _package_version("ironcalc"), _each(_ironcalc), _DEVELOPMENT.format('"ironcalc>=0.9.1"')),
        Engine("cellrune", _package_version("cellrune"), _each(_cellrune), _DEVELOPMENT.format('"cellrune>=0.2"')),
        Engine(
            "libreoffice",
            _program_version("soffice", "libreoffice"),
            _libreoffice,
            "Install LibreOffice Calc; on Debian: apt install libreoffice-calc-nogui",
        ),
        Engine(
            "gnumeric",
            _program_version("ssconvert"),
            _each(_gnumeric),
            "Install Gnumeric; on Debian: apt install gnumeric",
        ),
    )
}
EMBEDDED = ENGINES["formualizer"]


_NO_LIMITS = dict.fromkeys(("max_input_bytes", "max_expanded_bytes", "max_part_bytes"), 1 << 34)
"""For a workbook this package has just written."""


def embedded_values(workbook: bytes, extents: Mapping[str, tuple[int, int]]) -> Mapping[str, list[list[object]]]:
    """What the embedded engine makes of a workbook's sheets, whole: by title, rows and columns up to an extent.

    For workbooks of more formula cells than the engine fills in by itself. Raises EngineError when it fails.
    """
    try:
        book = formualizer.load_workbook_bytes(workbook, load_limits=_NO_LIMITS)
        book.evaluate_all()
        return {
            title: book.sheet(title).get_values(formualizer.RangeAddress(title, 1, 1, rows, columns))
            for title, (rows, columns) in extents.items()
        }
    except Exception as error:
        raise EngineError(f"formualizer could not recalculate the workbook: {error}") from error
