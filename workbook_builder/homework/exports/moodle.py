"""An assignment as Moodle XML: a question a variant and track, of the type "embedded answers" (cloze).

Moodle reads the answers out of the question's HTML: {weight:TYPE:=right:tolerance~%0%wrong:tolerance#feedback}. The
first answer that fits counts. A weight is a whole number, and }, ~ and # end something unless they are entities,
which Moodle resolves.
"""

import html
import math
import re
from collections.abc import Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element, indent, tostring

from workbook_builder.homework.exports.cells import Answer, Cell, cells, tracks
from workbook_builder.homework.exports.layout import Page, element, feedback, page, shown
from workbook_builder.homework.exports.ready import ready
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.steps import Track
from workbook_builder.text import languages

EXACT_DIGITS = 12
"""The decimals of a value that is given with more than the digits asked, and of a tolerance."""

_PLACE = re.compile(r'<place cell="([a-z_]+\d+)"></place>')
_ENDING = str.maketrans({character: f"&#{ord(character)};" for character in "}~#{\\"})


def moodle_xml(manifest: Manifest) -> str:
    """The assignment as Moodle XML, to import into a question bank.

    A category a track, so that a quiz can give each student a random question of each; a question's name starts with
    its variant's code. A step's cells share its points. Raises InputError for a manifest that cannot be exported.
    """
    quiz = element("quiz")
    for track in tracks(ready(manifest)):
        quiz.append(_category(manifest, track))
        quiz.extend(_question(manifest, variant, track) for variant in manifest.variants)
    indent(quiz)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(quiz, encoding="unicode")}\n'


def _category(manifest: Manifest, track: Track) -> Element:
    # A slash separates categories; two are one in a name.
    path = ["$course$", "top", manifest.assignment.replace("/", "//"), track.upper()]
    return element("question", _texts("category", "/".join(path)), type="category")


def _question(manifest: Manifest, variant: Variant, track: Track) -> Element:
    found = cells(manifest, variant, track)
    leaf = page(manifest, variant, track, found)
    return element(
        "question",
        _texts("name", f"{variant.code} {leaf.text('title')} {manifest.assignment}"),
        _texts("questiontext", _question_html(manifest, leaf), format="html"),
        _texts("generalfeedback", _html([element("p", leaf.text("because"))]), format="html"),
        element("penalty", "0"),
        element("hidden", "0"),
        element("idnumber", f"{variant.code}-{track}"),
        type="cloze",
    )


def _question_html(manifest: Manifest, leaf: Page) -> str:
    """The page with an embedded answer in each place; no other text in it can be taken for one."""
    weights = whole_weights([cell.points for cell in leaf.cells])
    embedded = {cell.name: _embedded(manifest, cell, weight) for cell, weight in zip(leaf.cells, weights, strict=True)}
    written = _html(leaf.parts(lambda cell: element("place", cell=cell.name)))
    return _PLACE.sub(lambda match: embedded[match[1]], written.replace("{", "&#123;"))


def whole_weights(points: Sequence[Fraction]) -> list[int]:
    """The smallest whole numbers in the proportion of some points, which are not all 0."""
    scale = math.lcm(*(each.denominator for each in points))
    whole = [int(each * scale) for each in points]
    return [each // math.gcd(*whole) for each in whole]


def _embedded(manifest: Manifest, cell: Cell, weight: int) -> str:
    kind = "SHORTANSWER" if cell.may_be_none else "NUMERICAL"
    return f"{{{weight}:{kind}:{'~'.join(_alternative(manifest, cell, each) for each in cell.answers)}}}"


def _alternative(manifest: Manifest, cell: Cell, answer: Answer) -> str:
    none = languages()[manifest.language].get("words", "none")
    digits = manifest.digits if answer.rounded else EXACT_DIGITS
    given = _safe(shown(answer.value, digits, none))
    if not cell.may_be_none:
        given += f":{shown(answer.tolerance, EXACT_DIGITS, none)}"
    said = feedback(manifest.language, answer)
    return f"{'=' if answer.right else '%0%'}{given}{'#' + _safe(html.escape(said, quote=False)) if said else ''}"


def _safe(text: str) -> str:
    """A text in an embedded answer: nothing in it ends the answer. Moodle resolves the entities once."""
    return html.escape(text, quote=False).translate(_ENDING)


def _html(parts: Sequence[Element]) -> str:
    return "".join(tostring(part, encoding="unicode", method="html") for part in parts)


def _texts(tag: str, text: str, **attributes: str) -> Element:
    return element(tag, element("text", text), **attributes)
