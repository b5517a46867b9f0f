"""An assignment as a QTI 2.1 content package: an item a variant and track, and a test that draws one of each track.

Elements stand in the order the schemas of IMS QTI 2.1 (final, 2012) and IMS Content Packaging 1.1 ask for.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, indent, tostring

from workbook_builder.homework.exports.cells import Answer, Cell, cells, tracks
from workbook_builder.homework.exports.layout import Page, element, feedback, page, shown
from workbook_builder.homework.exports.ready import ready
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.steps import Track

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_SCHEMAS = {
    QTI: f"{QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd",
    PACKAGE: f"{PACKAGE} http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd",
}
_TEST = "assessment.xml"
_EXACT_DIGITS = 12


def qti_package(manifest: Manifest) -> bytes:
    """The assignment as the bytes of a QTI 2.1 content package (.zip).

    Every cell is a response of its own with an absolute tolerance; the outcomes are SCORE, MAXSCORE, one STEP_name a
    step, and FEEDBACK, which shows the explanation of each wrong method that was met. The test selects one item of
    each track for a candidate. Raises InputError for a manifest that cannot be exported.
    """
    items = {
        (track, variant.code): _item(manifest, variant, track, _identifier(track, number))
        for track in tracks(ready(manifest))
        for number, variant in enumerate(manifest.variants, start=1)
    }
    files = {f"items/{item.get('identifier')}.xml": item for item in items.values()}
    files[_TEST] = _test(manifest)
    return _packed({"imsmanifest.xml": _manifest(files), **files})


def _identifier(track: Track, number: int) -> str:
    return f"{track}_{number:04d}"


def _item(manifest: Manifest, variant: Variant, track: Track, identifier: str) -> Element:
    found = cells(manifest, variant, track)
    leaf = page(manifest, variant, track, found)
    steps = list(dict.fromkeys(cell.step for cell in found))
    said = {_said(answer): answer for cell in found for answer in cell.answers if answer.methods}
    return element(
        "assessmentItem",
        *(_response(cell, leaf) for cell in found),
        _outcome("SCORE", "0"),
        _outcome("MAXSCORE", _number(float(sum(cell.points for cell in found)))),
        *(_outcome(f"STEP_{step}", "0") for step in steps),
        element("outcomeDeclaration", identifier="FEEDBACK", cardinality="multiple", baseType="identifier"),
        element("itemBody", element("div", *leaf.parts(_entry))),
        element("responseProcessing", *(_condition(cell, leaf) for cell in found), _total(steps)),
        *(
            element(
                "modalFeedback",
                feedback(manifest.language, answer),
                outcomeIdentifier="FEEDBACK",
                showHide="show",
                identifier=name,
            )
            for name, answer in said.items()
        ),
        **_root(QTI),
        identifier=identifier,
        title=f"{variant.code} {leaf.text('title')} {manifest.assignment}",
        adaptive="false",
        timeDependent="false",
        **{"xml:lang": manifest.language},
    )


def _entry(cell: Cell) -> Element:
    return element("textEntryInteraction", responseIdentifier=cell.name, expectedLength="8")


def _response(cell: Cell, leaf: Page) -> Element:
    right = element("correctResponse", element("value", _given(cell.answers[0], leaf)))
    kind = "string" if cell.may_be_none else "float"
    return element("responseDeclaration", right, identifier=cell.name, cardinality="single", baseType=kind)


def _outcome(name: str, value: str) -> Element:
    default = element("defaultValue", element("value", value))
    return element("outcomeDeclaration", default, identifier=name, cardinality="single", baseType="float")


def _condition(cell: Cell, leaf: Page) -> Element:
    """What a cell's response does: the first answer that fits sets the step's score or names a method."""
    branches = [
        element(
            "responseIf" if number == 0 else "responseElseIf",
            _fits(cell, answer, leaf),
            *_consequences(cell, answer),
        )
        for number, answer in enumerate(_telling(cell))
    ]
    return element("responseCondition", *branches)


def _telling(cell: Cell) -> Iterator[Answer]:
    """The answers that have a consequence: they earn points or name a method."""
    return (answer for answer in cell.answers if answer.right or answer.methods)


def _fits(cell: Cell, answer: Answer, leaf: Page) -> Element:
    given = element("variable", identifier=cell.name)
    if cell.may_be_none:
        expected = element("baseValue", _given(answer, leaf), baseType="string")
        return element("stringMatch", given, expected, caseSensitive="false", substring="false")
    expected = element("baseValue", _given(answer, leaf), baseType="float")
    tolerance = f"{answer.tolerance:.{_EXACT_DIGITS}f}"
    return element("equal", given, expected, toleranceMode="absolute", tolerance=tolerance)


def _consequences(cell: Cell, answer: Answer) -> Iterator[Element]:
    if answer.right:
        step = f"STEP_{cell.step}"
        earned = element("baseValue", _number(float(cell.points)), baseType="float")
        yield _set(step, element("sum", element("variable", identifier=step), earned))
    if answer.methods:
        met = element("baseValue", _said(answer), baseType="identifier")
        yield _set("FEEDBACK", element("multiple", element("variable", identifier="FEEDBACK"), met))


def _total(steps: Iterable[str]) -> Element:
    return _set("SCORE", element("sum", *(element("variable", identifier=f"STEP_{step}") for step in steps)))


def _set(outcome: str, value: Element) -> Element:
    return element("setOutcomeValue", value, identifier=outcome)


def _said(answer: Answer) -> str:
    """The identifier of the feedback to an answer."""
    return ".".join(["accepted" if answer.right else "met", *answer.methods])


def _given(answer: Answer, leaf: Page) -> str:
    none = str(leaf.words.facts["none"])
    return shown(answer.value, leaf.digits if answer.rounded else _EXACT_DIGITS, none)


def _test(manifest: Manifest) -> Element:
    sections = [
        element(
            "assessmentSection",
            element("itemSessionControl", showFeedback="true"),
            element("selection", select="1"),
            *(
                element("assessmentItemRef", identifier=name, href=f"items/{name}.xml")
                for number, _ in enumerate(manifest.variants, start=1)
                for name in [_identifier(track, number)]
            ),
            identifier=f"section_{track}",
            title=track.upper(),
            visible="true",
        )
        for track in tracks(manifest)
    ]
    total = element("sum", element("testVariables", variableIdentifier="SCORE"))
    return element(
        "assessmentTest",
        _outcome("SCORE", "0"),
        element("testPart", *sections, identifier="part", navigationMode="nonlinear", submissionMode="individual"),
        element("outcomeProcessing", _set("SCORE", total)),
        **_root(QTI),
        identifier="assignment",
        title=manifest.assignment,
    )


def _manifest(files: Mapping[str, Element]) -> Element:
    items = [name for name in files if name != _TEST]
    return element(
        "manifest",
        element("metadata", element("schema", "QTIv2.1 Package"), element("schemaversion", "1.0.0")),
        element("organizations"),
        element(
            "resources",
            _resource(
                "assignment", "imsqti_test_xmlv2p1", _TEST, [files[name].get("identifier", "") for name in items]
            ),
            *(_resource(files[name].get("identifier", ""), "imsqti_item_xmlv2p1", name) for name in items),
        ),
        **_root(PACKAGE),
        identifier="workbook-builder-assignment",
    )


def _resource(identifier: str, kind: str, href: str, needs: Sequence[str] = ()) -> Element:
    return element(
        "resource",
        element("file", href=href),
        *(element("dependency", identifierref=need) for need in needs),
        identifier=identifier,
        type=kind,
        href=href,
    )


def _root(namespace: str) -> dict[str, str]:
    return {"xmlns": namespace, "xmlns:xsi": _INSTANCE, "xsi:schemaLocation": _SCHEMAS[namespace]}


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _packed(files: Mapping[str, Element]) -> bytes:
    """The files as a zip with fixed times, so that the same assignment gives the same bytes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, root in files.items():
            info = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
            info.create_system = 3
            archive.writestr(info, _xml(root), zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _xml(root: Element) -> bytes:
    indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode").encode() + b"\n"
