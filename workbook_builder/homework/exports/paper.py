"""An assignment on paper: a page a variant with room for the answers, and the key to it, as HTML to print."""

from collections.abc import Callable, Iterable, Iterator
from xml.etree.ElementTree import Element, tostring

from workbook_builder.homework.exports.cells import Answer, Cell, cells, tracks
from workbook_builder.homework.exports.layout import Page, element, page, shown, table_of
from workbook_builder.homework.exports.ready import ready
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.methods import METHODS
from workbook_builder.text import Text, languages

STYLE = """
@page { size: A4 portrait; margin: 11mm 18mm }
body { font-family: Carlito, Calibri, Arial, sans-serif; font-size: 10.5pt; color: #1f2937 }
h1, h2 { font-family: Carlito, Calibri, Arial, sans-serif; margin-left: 0; text-indent: 0 }
h1 { font-size: 15pt; margin-top: 0; margin-bottom: 2mm }
h2 { font-size: 12.5pt; margin-top: 3mm; margin-bottom: 1mm }
p { margin: 0 0 1.5mm 0 }
p.gap { font-size: 5pt; margin: 0 }
p.line { border-bottom: 1px solid #1f2937; height: 7mm; margin: 0 }
table { border-collapse: collapse }
td { text-align: center }
th { background: #e8eef4; font-weight: bold }
"""

_SMALLER = """
body { font-size: 9pt }
h1, h2 { font-size: 12pt; margin-top: 1mm }
p { margin-bottom: 1mm }
p.gap { font-size: 3pt; margin: 0 }
"""
"""The key has a table more and nothing to write into."""

# LibreOffice draws a table's lines and heights from these attributes, not from the style.
_LINES = {"border": "1", "bordercolor": "#4b5563", "cellspacing": "0"}
_HEAD = "#e8eef4"
_ROW_HEIGHT = {False: "19", True: "12"}
_PADDING = {False: "2", True: "1"}
_BREAK = "page-break-before: always; break-before: page"


def paper_html(manifest: Manifest, *, key: bool = False) -> str:
    """The assignment to print on A4, a new page a variant, its code at the top; with `key`, the answers instead.

    The key has every answer to the digits asked, what the wrong methods give, and an answer to the question in words.
    One file without anything outside it. Raises InputError for a manifest that cannot be exported.
    """
    text = languages()[ready(manifest).language]
    parts = [
        part
        for number, variant in enumerate(manifest.variants)
        for part in _variant(manifest, variant, text, first=number == 0, key=key)
    ]
    title = f"{manifest.assignment} ({text.get('exports', 'heads', 'key')})" if key else manifest.assignment
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("title", title),
        element("style", STYLE + (_SMALLER if key else "")),
    )
    document = element("html", head, element("body", *parts), lang=manifest.language)
    return f"<!DOCTYPE html>\n{tostring(document, encoding='unicode', method='html')}\n"


def _variant(manifest: Manifest, variant: Variant, text: Text, *, first: bool, key: bool) -> Iterator[Element]:
    heads = text.within("exports", "heads", facts={})
    title = f"{heads.get('key')}: {manifest.assignment}" if key else manifest.assignment
    yield element("h1", title, **({} if first else {"style": _BREAK}))
    code = element("b", f"{heads.get('code')}: {variant.code}")
    blank = "\N{NO-BREAK SPACE}" * 4
    rest = "" if key else f"{blank}{heads.get('name')}: {'_' * 34}{blank}{heads.get('date')}: {'_' * 14}"
    yield element("p", code, rest)
    for track in tracks(manifest):
        leaf = page(manifest, variant, track, cells(manifest, variant, track))
        yield element("h2", leaf.text("title"))
        tables = [*leaf.tables(_given(leaf)), *_wrong(leaf, manifest.language)] if key else leaf.parts(_blank)
        yield from _printed(tables, key=key)
        yield element("p", element("b", leaf.text("explain")))
        yield element("p", leaf.text("because")) if key else element("p", "\N{NO-BREAK SPACE}", class_="line")


def _printed(parts: Iterable[Element], *, key: bool) -> Iterator[Element]:
    """The parts with their tables drawn with lines, and a gap after each."""
    for part in parts:
        yield part
        if part.tag == "table":
            part.attrib |= {**_LINES, "cellpadding": _PADDING[key]}
            for row in part.iter("tr"):
                row[0].set("height", _ROW_HEIGHT[key])
            for cell in part.iter("th"):
                cell.set("bgcolor", _HEAD)
            yield element("p", "\N{NO-BREAK SPACE}", class_="gap")


def _blank(_: Cell) -> str:
    # Wide enough to write in: LibreOffice makes a column as wide as its content.
    return "\N{NO-BREAK SPACE}" * 16


def _given(leaf: Page) -> Callable[[Cell], str]:
    return lambda cell: _written(leaf, cell, cell.answers[0])


def _written(leaf: Page, cell: Cell, answer: Answer) -> str:
    """An answer's value as the key has it: grades and ranks plain, all else to the digits asked."""
    if answer.value is None or cell.step in ("ideal_grade", "first_relevant"):
        return shown(answer.value, leaf.digits, str(leaf.words.facts["none"]))
    return f"{answer.value:.{leaf.digits}f}"


def _wrong(leaf: Page, language: str) -> Iterator[Element]:
    """What the wrong methods give in the steps of one cell, for marking by hand: a row a method."""
    methods = languages()[language].within("homework", "method", facts={})
    single = leaf.single()
    given = {
        (name, cell.step): _written(leaf, cell, answer)
        for cell in single
        for answer in cell.answers
        for name in answer.methods
    }
    rows = [
        [
            element("td", methods.get(name, "title")),
            *(element("td", given.get((name, cell.step), "")) for cell in single),
        ]
        for name in METHODS
        if any(name == other for other, _ in given)
    ]
    if rows:
        yield table_of([leaf.words.get("heads", "method"), *(leaf.label(cell.step) for cell in single)], rows)
