"""An assignment beyond workbooks: quiz questions for learning platforms, and paper.

An exporter is a module here and its line in `EXPORTS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbook_builder.homework.exports.moodle import moodle_xml
from workbook_builder.homework.exports.paper import paper_html
from workbook_builder.homework.exports.qti import qti_package
from workbook_builder.homework.manifest import Manifest

__all__ = ["EXPORTS", "Export", "moodle_xml", "paper_html", "qti_package"]


@dataclass(frozen=True)
class Export:
    """A form an assignment can be given: what makes its bytes, how its file's name ends, what to do with it next."""

    made: Callable[[Manifest], bytes]
    ending: str
    next_step: str

    @property
    def printable(self) -> bool:
        """Whether it is a page to print, which can also be a PDF."""
        return self.ending.endswith(".html")


EXPORTS: Mapping[str, Export] = {
    "moodle": Export(
        lambda manifest: moodle_xml(manifest).encode(),
        "-moodle.xml",
        "Import it into a question bank as Moodle XML; it makes a category a track. A quiz takes a random question of "
        "each.",
    ),
    "qti": Export(
        qti_package, "-qti.zip", "Import the package as it is; its test draws one item for NDCG and one for MRR."
    ),
    "paper": Export(
        lambda manifest: paper_html(manifest).encode(),
        "-paper.html",
        "Print it; the code on a page tells which part of the key belongs to it.",
    ),
    "key": Export(
        lambda manifest: paper_html(manifest, key=True).encode(),
        "-key.html",
        "Keep it to yourself: it has the answers.",
    ),
}
"""Every form, by the name that `export --to` takes."""
