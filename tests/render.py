"""Render every sheet of a workbook to PDF and PNG, to look at it.

    uv run python tests/render.py [WORKBOOK] [FOLDER] [--lesson NAME ...]

Without a workbook the default one is built. Needs LibreOffice and pdftoppm (Debian: poppler-utils).
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from workbook_builder import build
from workbook_builder.source import only, source_of


def render(workbook: Path, folder: Path, resolution: int = 70) -> list[Path]:
    """The pages of a workbook as PNG files in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("page-*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                "soffice",
                f"-env:UserInstallation={Path(profile).as_uri()}",
                "--headless",
                *("--convert-to", "pdf", "--outdir", str(folder), str(workbook)),
            ],
            check=True,
            capture_output=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    pdf = folder / f"{workbook.stem}.pdf"
    subprocess.run(["pdftoppm", "-r", str(resolution), "-png", str(pdf), str(folder / "page")], check=True)
    return sorted(folder.glob("page-*.png"))


def main() -> int:
    """Render what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workbook", nargs="?", type=Path)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("output") / "pages")
    parser.add_argument("--lesson", action="append", default=[])
    parser.add_argument("--resolution", type=int, default=70)
    given = parser.parse_args()
    workbook = given.workbook
    if workbook is None or not workbook.is_file():
        given.folder = workbook or given.folder
        workbook = build(only(source_of(), given.lesson)).save(given.folder / "sheets.xlsx", force=True)
    for page in render(workbook, given.folder, given.resolution):
        print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
