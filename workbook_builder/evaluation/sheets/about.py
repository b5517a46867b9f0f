"""About: what the workbook was made from, by which rules, and what was noticed on the way."""

from collections.abc import Iterator, Sequence

from workbook_builder.evaluation.cells import Canvas, Row
from workbook_builder.evaluation.layout import Layout

HEADING_HEIGHT = 36


def about(layout: Layout, notes: Sequence[str]) -> Iterator[Row]:
    """The sheet's cells; `notes` tell what was met while reading and scoring."""
    canvas = Canvas()
    canvas.put(1, 1, "Title", layout.word("about", "title"))
    canvas.height(1, 26)
    row = 2
    for line in layout.words.lines("about", "proof"):
        canvas.put(row, 1, "Note", line)
        row += 1
    row = _files(canvas, layout, row + 1)
    holes = "holes" if layout.shape.holes else "no_holes"
    rules = (*layout.words.lines("about", "rules"), layout.word("about", holes))
    row = _lines(canvas, row, layout.word("about", "conventions"), rules)
    _lines(canvas, row, layout.word("about", "notes"), notes or (layout.word("about", "nothing"),))
    return canvas.rows()


def _files(canvas: Canvas, layout: Layout, row: int) -> int:
    if not layout.evaluation.sources:
        return row
    for column, name in enumerate(("file", "size", "checksum"), 1):
        canvas.put(row, column, "Heading", layout.word("about", name))
    canvas.height(row, HEADING_HEIGHT)
    for source in layout.evaluation.sources:
        row += 1
        canvas.put(row, 1, "Words", source.name)
        canvas.put(row, 2, "Count", source.size)
        canvas.put(row, 3, "Words", source.checksum)
    return row + 2


def _lines(canvas: Canvas, row: int, title: str, lines: Sequence[str]) -> int:
    canvas.put(row, 1, "Note title", title)
    for offset, line in enumerate(lines, 1):
        canvas.put(row + offset, 1, "Note", line)
    return row + len(lines) + 2
