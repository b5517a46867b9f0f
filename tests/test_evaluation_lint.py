"""Evaluation workbooks pass the lint, and each rule of their own notices the fault it is there for."""

from dataclasses import replace

import pytest
from evaluations import OWN_TABLE, SMALL, WITH_A_GAP
from lint import Rule
from lint_evaluation import (
    EVALUATION_RULES,
    OWN_RULES,
    formula_lengths,
    guarded_inputs,
    headed_lists,
    own_blocks,
    own_documents,
    stated_numbers,
    text_ids,
    whole_columns,
)
from linted import File
from test_output_lint import Fault

from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.evaluation.inputs import MOST_GRADES, Evaluation
from workbook_builder.inputs import Judgments

WIDE = replace(
    SMALL, judgments=Judgments({query: {f"d{at}": float(at) for at in range(MOST_GRADES)} for query in SMALL.queries})
)
"""As many grades as there may be: the longest formulas."""
BUILT = {
    "two systems": (SMALL, "en"),
    "in German": (SMALL, "de"),
    "a file of ranks": (WITH_A_GAP, "en"),
    "an own table": (OWN_TABLE, "en"),
    "the widest scale": (WIDE, "de"),
}


@pytest.mark.parametrize(("evaluation", "language"), BUILT.values(), ids=BUILT)
def test_evaluations_pass_every_rule(evaluation: Evaluation, language: str) -> None:
    file = File(build_evaluation(evaluation, language).data, ())
    findings = {rule.__name__: found for rule in EVALUATION_RULES if (found := list(rule(file)))}
    assert not findings


@pytest.fixture(scope="module")
def file() -> File:
    """The small evaluation."""
    return File(build_evaluation(SMALL).data, ())


SUMMARY, QUERIES, IDEAL, JUDGMENTS, RESULTS = (f"xl/worksheets/sheet{number}.xml" for number in (1, 3, 5, 6, 7))

FAULTS = (
    Fault(stated_numbers, "a number in a formula", QUERIES, r"/'Summary'!\$J\$\d+</f>", "/3</f>"),
    Fault(stated_numbers, "10 for the base of a logarithm", RESULTS, r"\+1,2\)", "+1,10)"),
    Fault(formula_lengths, "a formula too long", QUERIES, r"<f>IF\(", f"<f>IF({'1+' * 4_200}"),
    Fault(whole_columns, "a whole column", QUERIES, r"'Results'!\$C\$\d+:\$C\$\d+", r"'Results'!$C:$C"),
    Fault(whole_columns, "a whole row", QUERIES, r"'Results'!\$C\$\d+:\$C\$\d+", r"'Results'!$2:$2"),
    Fault(own_blocks, "a row too many of Results", QUERIES, r"(\$C\$2:\$C\$)6", r"\g<1>7"),
    Fault(own_blocks, "all of Judgments", IDEAL, r"('Judgments'!\$D\$2:\$D\$)\d+", r"\g<1>18"),
    Fault(own_blocks, "another query's hits so far", RESULTS, r"(<c r=\"H3\"[^>]*><f>)H2", r"\1H9"),
    Fault(
        own_documents,
        "another line of Judgments",
        RESULTS,
        r"('Judgments'!\$D\$)\d+(\),'Judgments'!\$D\$)\d+",
        r"\g<1>2\g<2>2",
    ),
    Fault(
        text_ids, "an id as number", JUDGMENTS, r'(<c r="A8"[^>]*) t="inlineStr"><is><t>003</t></is>', r"\1><v>3</v>"
    ),
    Fault(text_ids, "an id as formula", RESULTS, r' t="inlineStr"><is><t>=1\+1</t></is>', r"><f>1+1</f>"),
    Fault(guarded_inputs, "no rules", SUMMARY, r"<dataValidations.*</dataValidations>", ""),
    Fault(guarded_inputs, "a rule too far", JUDGMENTS, r'sqref="D2:D\d+"', 'sqref="C2:D9"'),
    Fault(guarded_inputs, "no prompt", JUDGMENTS, r' prompt="[^"]*"', ""),
    Fault(guarded_inputs, "a rule that does not stop", JUDGMENTS, r'showErrorMessage="1"', 'showErrorMessage="0"'),
    Fault(headed_lists, "headings that scroll away", RESULTS, r"<pane [^>]*/>", ""),
    Fault(headed_lists, "a filter too short", RESULTS, r'(<autoFilter ref="A1:[A-Z]+)\d+"', r'\g<1>3"'),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.rule.__name__}: {fault.what}")
def test_each_rule_notices_its_fault(fault: Fault, file: File) -> None:
    assert not list(fault.rule(file))
    assert list(fault.rule(fault.seeded(file)))


def test_every_rule_has_a_fault_to_notice() -> None:
    rules: set[Rule] = {fault.rule for fault in FAULTS}
    assert rules == set(OWN_RULES)
