"""The values a chart shows, written into the chart itself, for previews that draw it without reading the cells."""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, unescape

from openpyxl.utils.cell import range_boundaries

from workbook_builder.cached import Cells
from workbook_builder.grid import Address
from workbook_builder.package import Change

_REFERENCE = re.compile(r"<(num|str)Ref><f>([^<]+)</f></(?:num|str)Ref>")


def points_of(contents: Cells) -> Change:
    """The change that puts the proved values of the workbook's cells into every chart that refers to them."""

    def pointed(match: re.Match[str]) -> str:
        values = _values(unescape(match[2]), contents)
        numeric = match[1] == "num" and not any(isinstance(value, str) for value in values)
        kind, head = ("num", "<formatCode>General</formatCode>") if numeric else ("str", "")
        points = "".join(
            f'<pt idx="{index}"><v>{_written(value)}</v></pt>'
            for index, value in enumerate(values)
            if value is not None
        )
        cache = f'<{kind}Cache>{head}<ptCount val="{len(values)}"/>{points}</{kind}Cache>'
        return f"<{kind}Ref><f>{match[2]}</f>{cache}</{kind}Ref>"

    def changed(name: str, part: bytes) -> bytes:
        return _REFERENCE.sub(pointed, part.decode()).encode() if name.startswith("xl/charts/chart") else part

    return changed


def _values(reference: str, contents: Cells) -> Sequence[object]:
    title, _, area = reference.rpartition("!")
    title = title[1:-1].replace("''", "'") if title.startswith("'") else title
    left, top, right, bottom = range_boundaries(area)
    cells = contents[title]
    return [
        cells.get(Address(row, column).relative) for row in range(top, bottom + 1) for column in range(left, right + 1)
    ]


def _written(value: object) -> str:
    return repr(value) if isinstance(value, float) else escape(str(value))
