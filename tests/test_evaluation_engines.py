"""Every formula engine agrees with the reference on evaluations of every shape, also on random ones."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from evaluations import SHAPES, SMALL, evaluations
from hypothesis import HealthCheck, Phase, given, settings

from workbook_builder import check, package, score
from workbook_builder.balance import Report
from workbook_builder.evaluation.check import check_opened
from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.evaluation.inputs import Evaluation
from workbook_builder.evaluation.reopen import Opened, reopen
from workbook_builder.inputs import Judgments, Run
from workbook_builder.measures import Measure
from workbook_builder.recalculate import EMBEDDED, Engine

PLANTED = 999
RANDOM, RANDOM_FOR_ALL = 15, 4

ONE_OF_EACH = Evaluation(
    Judgments({"only": {"d": 0.0}}), (Run("one", {"only": ("d",)}), Run("other", {"only": ("e",)})), (Measure("nDCG"),)
)
"""One query, one judgment, one result, one metric: every range is one cell."""
OTHER_ORDER = replace(SMALL, measures=(Measure("P", 2), Measure("RR"), Measure("nDCG", 3)))
SAME_BUT_FOR_CASE = Evaluation(
    Judgments({"Query": {"a": 1.0}, "query": {"b": 2.0, "c": 1.0}}),
    (Run("BM25", {"query": ("c", "b")}), Run("dense", {"Query": ("a",), "query": ("b",)})),
    (Measure("nDCG", 10), Measure("AP")),
)
DEEP = Evaluation(
    Judgments({"q": {f"d{at}": float(at % 4) for at in range(90)}}),
    (Run("deep", {"q": tuple(f"d{at * 7 % 120}" for at in range(110))}),),
    (Measure("nDCG", 70), Measure("P", 10), Measure("AP")),
)
EVERY = {
    **SHAPES,
    "one of each": ONE_OF_EACH,
    "the first metric is no nDCG": OTHER_ORDER,
    "queries that differ in case": SAME_BUT_FOR_CASE,
    "more than is shown": DEEP,
}


@cache
def random_evaluations(number: int) -> tuple[Evaluation, ...]:
    """The same ones for every engine."""
    drawn: list[Evaluation] = []

    @settings(max_examples=number, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(evaluations())
    def draw(evaluation: Evaluation) -> None:
        drawn.append(evaluation)

    draw()
    return tuple(drawn)


@cache
def opened() -> tuple[Opened, ...]:
    """Every shape and some random ones, built, with 999 as the stored value of every formula, and read back."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "built.xlsx"
        found = []
        for evaluation in (*EVERY.values(), *random_evaluations(RANDOM_FOR_ALL)):
            path.write_bytes(with_planted_values(build_evaluation(evaluation).data))
            found.append(reopen(path))
        return tuple(found)


def with_planted_values(data: bytes) -> bytes:
    def planted(name: str, part: bytes) -> bytes:
        if not name.startswith("xl/worksheets/sheet"):
            return part
        new, times = re.subn(rb'( t="str")?><f>([^<]*)</f><v>[^<]*</v>', rb"><f>\2</f><v>%d</v>" % PLANTED, part)
        assert times == part.count(b"<f>")
        return new

    return package.rewritten(data, planted)


def report_of(each: Opened, engine: Engine, filled: bytes) -> Report:
    """The report on a workbook that an engine has recalculated already."""
    # The embedded engine is asked for its values, not for a file.
    return check_opened(each, [engine if engine is EMBEDDED else replace(engine, fill=lambda _: [filled])])[0]


def test_every_engine_agrees_and_believes_no_stored_value(engine: Engine) -> None:
    filled = engine.recalculate_all([each.data for each in opened()])
    reports = [report_of(each, engine, data) for each, data in zip(opened(), filled, strict=True)]
    assert [str(report) for report in reports if not report.agrees or report.foreign] == []


def test_random_evaluations_are_built_proved_and_read_back_as_they_were(tmp_path: Path) -> None:
    for evaluation in random_evaluations(RANDOM):
        path = build_evaluation(evaluation).save(tmp_path / "built.xlsx", force=True)
        (report,) = check(path)
        assert report.agrees, str(report)
        again = reopen(path).layout.evaluation
        assert {query: dict(pool) for query, pool in again.judgments.grades.items()} == evaluation.judgments.grades
        assert again.measures == evaluation.measures
        assert [run.name for run in again.runs] == [run.name for run in evaluation.runs]
        for ours, given_ in zip(again.runs, evaluation.runs, strict=True):
            judged = evaluation.judgments.grades
            assert ours.rankings == {query: of for query, of in given_.rankings.items() if query in judged}


def test_a_check_names_the_engine_that_read_a_planted_value() -> None:
    """The comparison can fail: an engine that quotes the file is found out."""
    each = opened()[0]
    quoting = replace(EMBEDDED, name="quoting", fill=list)
    report = report_of(each, quoting, each.data)
    assert not report.agrees
    assert len(report.disagreements) > report.cells // 2


@pytest.mark.parametrize("evaluation", EVERY.values(), ids=EVERY)
def test_the_means_are_those_of_score(evaluation: Evaluation) -> None:
    built = build_evaluation(evaluation).scores
    scored = score(
        evaluation.judgments,
        list(evaluation.runs),
        evaluation.measures,
        gain=evaluation.gain,
        relevant_from=evaluation.relevant_from,
    )
    assert [(run.run, run.mean, run.per_query) for run in built.runs] == [
        (run.run, run.mean, run.per_query) for run in scored.runs
    ]
    assert sorted(built.notes) == sorted(scored.notes)
