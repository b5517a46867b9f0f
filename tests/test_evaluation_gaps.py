"""A rank that a run does not list stays a gap in its evaluation, also after the workbook is read back."""

from pathlib import Path

from workbook_builder import check, evaluate
from workbook_builder.evaluation.reopen import reopened_evaluation
from workbook_builder.inputs import UNLISTED, Judgments, Run


def test_an_evaluation_with_gaps_is_proved_and_built_anew(tmp_path: Path) -> None:
    judgments = Judgments({"q": {"a": 1.0, "b": 1.0}, "r": {"a": 2.0, "c": 1.0}})
    run = Run("ranks", {"q": ("not listed", UNLISTED, "b"), "r": (UNLISTED, "a")})
    path = tmp_path / "gaps.xlsx"
    evaluate(judgments, run, ["nDCG@10"]).save(path)
    (report,) = check(path)
    assert report.agrees, str(report)
    evaluation, _ = reopened_evaluation(path)
    assert evaluation.runs[0].rankings == run.rankings
