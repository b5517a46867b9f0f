"""Our own workbooks pass the lint, and each of its rules notices the fault it is there for."""

import io
import re
import zipfile
from dataclasses import dataclass

import pytest
from exercises import SHAPES
from lint import (
    MOST_ALTERNATIVE,
    MOST_LIST,
    MOST_MESSAGE,
    MOST_NAME,
    MOST_TEXT,
    RULES,
    Rule,
    alternative_texts,
    cell_notes,
    chart_titles,
    contrast,
    defined_names,
    document_properties,
    duplicate_cells,
    first_cell,
    input_rules,
    merged_cells,
    print_setup,
    sheet_names,
    table_rows,
    text_lengths,
    validation_lists,
)
from lint_formulas import allowed_functions, column_patterns, literal_numbers, volatile_functions
from linted import File

from workbook_builder import build
from workbook_builder.source import in_language, source_of

BUILT = [
    pytest.param("the worked example", "en", id="the worked example"),
    pytest.param("the worked example", "de", id="in German"),
    pytest.param("hundreds of queries", "en", id="hundreds of queries"),
    pytest.param("more missed than returned", "en", id="more missed than returned"),
]


def file_of(shape: str, language: str = "en") -> File:
    source = in_language(source_of(SHAPES[shape]), language)
    return File(build(source).data, tuple(source.sheets()))


@pytest.fixture(scope="module")
def file() -> File:
    """The default workbook."""
    return file_of("the worked example")


@pytest.mark.parametrize(("shape", "language"), BUILT)
def test_our_workbooks_pass_every_rule(shape: str, language: str) -> None:
    file = file_of(shape, language)
    findings = {rule.__name__: found for rule in RULES if (found := list(rule(file)))}
    assert not findings


@dataclass(frozen=True)
class Fault:
    """A change to one part of the default workbook that a rule must notice: the first match becomes `into`."""

    rule: Rule
    what: str
    part: str
    pattern: str
    into: str

    def seeded(self, file: File) -> File:
        """The workbook with the fault in it."""
        old = file.parts[self.part].decode()
        new, times = re.subn(self.pattern, lambda match: match.expand(self.into), old, count=1, flags=re.DOTALL)
        assert times == 1, f"nothing in {self.part} to spoil"
        assert new != old
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            for name, part in file.parts.items():
                archive.writestr(name, new.encode() if name == self.part else part)
        return File(written.getvalue(), file.sheets)


BOOK, SHEET, STYLES, CORE = "xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml", "docProps/core.xml"
CHART, DRAWING, COMMENTS = "xl/charts/chart1.xml", "xl/drawings/drawing1.xml", "xl/comments/comment1.xml"

FAULTS = (
    Fault(sheet_names, "a name too long", BOOK, 'name="Start here"', f'name="{"x" * (MOST_NAME + 1)}"'),
    Fault(sheet_names, "an empty name", BOOK, 'name="Start here"', 'name=""'),
    Fault(sheet_names, "an illegal sign", BOOK, 'name="Start here"', 'name="Start: here"'),
    Fault(sheet_names, "a name without meaning", BOOK, 'name="Start here"', 'name="Sheet2"'),
    Fault(sheet_names, "the same name twice", BOOK, 'name="Start here"', 'name="worked example"'),
    Fault(first_cell, "nothing in A1", SHEET, r'<c r="A1".*?</c>', ""),
    Fault(table_rows, "a blank row in a table", SHEET, r'(<row r="3"[^>]*>).*?(</row>)', r"\1\2"),
    Fault(input_rules, "no rules", SHEET, r"<dataValidations.*</dataValidations>", ""),
    Fault(input_rules, "no prompt", SHEET, r' prompt="[^"]*"', ""),
    Fault(input_rules, "a rule that does not stop", SHEET, r'showErrorMessage="1"', 'showErrorMessage="0"'),
    Fault(input_rules, "an error too long", SHEET, r' error="[^"]*"', f' error="{"x" * (MOST_MESSAGE + 1)}"'),
    Fault(cell_notes, "a note missing", COMMENTS, r"<comment .*?</comment>", ""),
    Fault(chart_titles, "a chart without title", CHART, r"(<chart>\s*)<title>.*?</title>", r"\1"),
    Fault(chart_titles, "an axis without title", CHART, r"(<valAx>.*?)<title>.*?</title>", r"\1"),
    Fault(alternative_texts, "no alternative text", DRAWING, r' descr="[^"]*"', ""),
    Fault(alternative_texts, "one too long", DRAWING, r' descr="[^"]*"', f' descr="{"x" * (MOST_ALTERNATIVE + 1)}"'),
    Fault(contrast, "grey on white", STYLES, 'rgb="001F2937"', 'rgb="009CA3AF"'),
    Fault(contrast, "a dark ground", STYLES, 'fgColor rgb="00E8EEF4"', 'fgColor rgb="000B5394"'),
    Fault(
        merged_cells,
        "two cells merged",
        SHEET,
        "</sheetData>",
        '</sheetData><mergeCells><mergeCell ref="G8:H8"/></mergeCells>',
    ),
    Fault(literal_numbers, "a number in a formula", SHEET, r"\+1,2\)</f>", "+1,3)</f>"),
    Fault(literal_numbers, "a decimal", SHEET, r"\+1,2\)</f>", "+1,2)*0.5</f>"),
    Fault(column_patterns, "a formula that reads the next row", SHEET, r"<f>B4/LOG\(A4", "<f>B5/LOG(A4"),
    Fault(column_patterns, "a fixed row", SHEET, r"<f>B4/LOG\(A4", "<f>B$4/LOG(A4"),
    Fault(column_patterns, "a number in place of a formula", SHEET, r'(<c r="C4"[^>]*>)<f>[^<]*</f>', r"\1"),
    Fault(allowed_functions, "a function not on the list", SHEET, r"<f>AVERAGE\(", "<f>MEDIAN("),
    Fault(allowed_functions, "a new function", SHEET, r"<f>AVERAGE\(", "<f>_xlfn.XLOOKUP("),
    Fault(volatile_functions, "in a formula", SHEET, r"<f>AVERAGE\(", "<f>0*NOW()+AVERAGE("),
    Fault(volatile_functions, "in a rule", SHEET, r"<formula1>[^<]*</formula1>", '<formula1>INDIRECT("B2")</formula1>'),
    Fault(
        volatile_functions,
        "in a name",
        BOOK,
        r">'Worked example'!\$B\$10:\$B\$10<",
        ">OFFSET('Worked example'!$B$10,0,0)<",
    ),
    Fault(print_setup, "portrait", SHEET, 'orientation="landscape"', 'orientation="portrait"'),
    Fault(print_setup, "not fitted", SHEET, 'fitToPage="1"', 'fitToPage="0"'),
    Fault(print_setup, "no repeated rows", BOOK, r'<definedName name="_xlnm.Print_Titles".*?</definedName>', ""),
    Fault(print_setup, "no page number", SHEET, r"&amp;R&amp;P / &amp;N", ""),
    *(
        Fault(document_properties, f"no {name}", CORE, f"<dc:{name}>.*?</dc:{name}>", "")
        for name in ("title", "description", "language", "creator")
    ),
    Fault(text_lengths, "a text too long", SHEET, "<t>reset password</t>", f"<t>{'x' * (MOST_TEXT + 1)}</t>"),
    Fault(
        validation_lists,
        "a list too long",
        SHEET,
        "(<dataValidations[^>]*>)",
        rf'\1<dataValidation type="list" sqref="Z1"><formula1>"{"x" * (MOST_LIST + 1)}"</formula1></dataValidation>',
    ),
    Fault(defined_names, "a name like a cell", BOOK, 'name="worked_example.k"', 'name="AP5"'),
    Fault(defined_names, "a name like a row and column", BOOK, 'name="worked_example.k"', 'name="R1C1"'),
    Fault(duplicate_cells, "a cell twice", SHEET, r'(<c r="A2".*?</c>)', r"\1\1"),
    Fault(duplicate_cells, "a row twice", SHEET, r'(<row r="2".*?</row>)', r"\1\1"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.rule.__name__}: {fault.what}")
def test_each_rule_notices_its_fault(fault: Fault, file: File) -> None:
    assert not list(fault.rule(file))
    assert list(fault.rule(fault.seeded(file)))


def test_every_rule_has_a_fault_to_notice() -> None:
    assert {fault.rule for fault in FAULTS} == set(RULES)
