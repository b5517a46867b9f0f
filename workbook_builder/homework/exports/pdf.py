"""HTML to PDF through LibreOffice Writer, in a profile of its own."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from workbook_builder.errors import EngineError

TIMEOUT = 600
REMEDY = (
    "Install LibreOffice Writer; on Debian: apt install libreoffice-writer-nogui. Or print the HTML from a browser."
)


def pdf_of(html: str) -> bytes:
    """The HTML page as a PDF. Raises EngineError, with what to do, where LibreOffice Writer is missing or fails."""
    program = next(filter(None, map(shutil.which, ("soffice", "libreoffice"))), None)
    if program is None:
        raise EngineError(f"LibreOffice is not installed, so there is no PDF. {REMEDY}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "page.html").write_text(html, "utf-8")
        command = [
            program,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless",
            "--infilter=HTML (StarWriter)",
            *("--convert-to", "pdf:writer_pdf_Export", "--outdir", name, str(folder / "page.html")),
        ]
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=TIMEOUT, env=environment, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineError(f"LibreOffice could not make the PDF: {error}. {REMEDY}") from None
        made = folder / "page.pdf"
        # LibreOffice without Writer says that the file could not be loaded, and ends with 0.
        if not made.exists():
            raise EngineError(f"LibreOffice made no PDF: {done.stderr.strip()[-300:]}. {REMEDY}")
        return made.read_bytes()
