"""What a learning platform makes of an exported question: written from the formats' documentation, for tests only."""

import html
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"


@dataclass(frozen=True)
class Mark:
    """What a response earned of its cell's points, and what was said to it."""

    earned: float
    said: str


@dataclass(frozen=True)
class Alternative:
    fraction: float
    text: str
    tolerance: float | None
    feedback: str


@dataclass(frozen=True)
class Blank:
    """A gap of a cloze question."""

    weight: int
    numerical: bool
    alternatives: tuple[Alternative, ...]

    def mark(self, response: str) -> Mark:
        for each in self.alternatives:
            if self.numerical:
                assert each.tolerance is not None
                fits = abs(float(response) - float(each.text)) <= each.tolerance + 1e-14 * max(1, abs(float(each.text)))
            else:
                fits = response.casefold() == each.text.casefold()
            if fits:
                return Mark(each.fraction * self.weight, each.feedback)
        return Mark(0.0, "")


@dataclass(frozen=True)
class Cloze:
    """A cloze question as Moodle reads it: what is shown around the gaps, and the gaps."""

    name: str
    category: str
    idnumber: str
    shown: str
    blanks: tuple[Blank, ...]


def read_moodle(xml: str) -> list[Cloze]:
    """The questions of a Moodle XML file, each with the category it goes into."""
    category, found = "", []
    for question in ET.fromstring(xml):
        if question.get("type") == "category":
            category = question.findtext("category/text") or ""
            continue
        assert question.get("type") == "cloze"
        text = question.findtext("questiontext/text") or ""
        name, idnumber = question.findtext("name/text") or "", question.findtext("idnumber") or ""
        gap = re.compile(r"\{(\d*):(NUMERICAL|NM|SHORTANSWER|SA|MULTICHOICE|MC):(.*?)(?<!\\)\}", re.DOTALL)
        blanks = tuple(_blank(*match.groups()) for match in gap.finditer(text))
        found.append(Cloze(name, category, idnumber, gap.sub("[gap]", text), blanks))
    return found


def _blank(weight: str, kind: str, body: str) -> Blank:
    alternatives = []
    for part in re.split(r"(?<!\\)~", body):
        match = re.match(r"(=|%(-?\d+)%)?(.+?)(?:(?<!&)(?<!&amp;)#(.*))?$", part, re.DOTALL)
        assert match
        sign, percent, answer, feedback = match.groups()
        fraction = 1.0 if sign == "=" else float(percent or 0) / 100
        number, _, tolerance = answer.partition(":")
        numerical = kind in ("NUMERICAL", "NM")
        if numerical:
            assert re.fullmatch(r"-?\d+(\.\d+)?:\d+(\.\d+)?", answer), answer
        text = number if numerical else html.unescape(answer)
        # One round of entities is Moodle's, the other the browser's.
        said = html.unescape(html.unescape(feedback or ""))
        alternatives.append(Alternative(fraction, text, float(tolerance) if numerical else None, said))
    assert any(each.fraction == 1 for each in alternatives)
    return Blank(int(weight or 1), kind in ("NUMERICAL", "NM"), tuple(alternatives))


def read_package(data: bytes) -> Mapping[str, ET.Element]:
    """Every file of a content package, parsed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: ET.fromstring(archive.read(name)) for name in archive.namelist()}


def outcomes(item: ET.Element, responses: Mapping[str, str]) -> dict[str, Any]:
    """The outcome variables of an item after these responses: an interpreter of the response processing used here."""
    variables: dict[str, Any] = {}
    for declared in item.findall(f"{QTI}outcomeDeclaration"):
        default = declared.findtext(f"{QTI}defaultValue/{QTI}value")
        multiple = declared.get("cardinality") == "multiple"
        variables[declared.attrib["identifier"]] = [] if multiple else None if default is None else float(default)
    for declared in item.findall(f"{QTI}responseDeclaration"):
        name = declared.attrib["identifier"]
        given = responses.get(name)
        variables[name] = float(given) if given is not None and declared.get("baseType") == "float" else given
    processing = item.find(f"{QTI}responseProcessing")
    assert processing is not None
    for rule in processing:
        _run(rule, variables)
    return variables


def _run(rule: ET.Element, variables: dict[str, Any]) -> None:
    tag = rule.tag.removeprefix(QTI)
    if tag == "setOutcomeValue":
        variables[rule.attrib["identifier"]] = _value(rule[0], variables)
        return
    assert tag == "responseCondition", tag
    for branch in rule:
        if branch.tag == f"{QTI}responseElse" or _value(branch[0], variables):
            for each in list(branch)[branch.tag != f"{QTI}responseElse" :]:
                _run(each, variables)
            return


def _value(expression: ET.Element, variables: Mapping[str, Any]) -> Any:
    tag = expression.tag.removeprefix(QTI)
    if tag == "variable":
        return variables[expression.attrib["identifier"]]
    if tag == "baseValue":
        text = expression.text or ""
        return float(text) if expression.attrib["baseType"] == "float" else text
    values = [_value(each, variables) for each in expression]
    if tag == "multiple":
        return [item for value in values for item in (value if isinstance(value, list) else [value])]
    if any(value is None for value in values):
        return None
    if tag == "sum":
        return sum(values)
    if tag == "stringMatch":
        assert expression.attrib["caseSensitive"] == "false"
        return values[0].casefold() == values[1].casefold()
    assert tag == "equal", tag
    assert expression.attrib["toleranceMode"] == "absolute"
    # One tolerance holds for both sides.
    tolerance = float(expression.attrib["tolerance"])
    return values[1] - tolerance <= values[0] <= values[1] + tolerance
