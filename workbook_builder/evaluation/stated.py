"""The numbers of Compare that no formula computes: an edited workbook must still state those of the reference."""

from collections.abc import Iterator, Mapping

from openpyxl.utils import get_column_letter

from workbook_builder.balance import TOLERANCE, Disagreement, difference_of
from workbook_builder.evaluation.columns import Compare
from workbook_builder.evaluation.layout import Layout
from workbook_builder.evaluation.reference import Reference
from workbook_builder.evaluation.reference_compare import permuted
from workbook_builder.evaluation.reopen import Opened
from workbook_builder.significance import DECIMALS

STATED = ("permuted", "holm")


def stated_faults(opened: Opened, reference: Reference, shown: Mapping[str, object]) -> Iterator[Disagreement]:
    """A disagreement for each randomization test's p that is not the reference's; `shown` is Compare by address.

    Only where every difference is still the one the tests were made for: after other edits the sheet itself says that
    they are out of date.
    """
    layout: Layout = opened.layout
    if not layout.pairs:
        return
    tested = permuted(reference)
    if any(round(now - then, DECIMALS) for (_, _, now), then in zip(tested, opened.built, strict=True)):
        return
    cells = Compare(layout)
    for row, values in enumerate(tested, cells.first):
        for name, wanted in zip(STATED, values, strict=False):
            address = f"{get_column_letter(cells.column(name))}{row}"
            value = shown.get(address)
            if difference_of(value, wanted) > TOLERANCE:
                yield Disagreement(layout.title("compare"), address, name, repr(value), repr(wanted), value, wanted)
