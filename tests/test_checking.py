"""`check` proves a workbook of ours of whatever kind, and says of others what they are not."""

from pathlib import Path
from time import sleep

import pytest
from conftest import Command
from evaluations import ALONE
from openpyxl import Workbook, load_workbook

from workbook_builder import EngineError, InputError, build, check
from workbook_builder.evaluation.evaluate import build_evaluation
from workbook_builder.evaluation.reopen import reopen
from workbook_builder.package import rewritten
from workbook_builder.progress import bar
from workbook_builder.recalculate import ENGINES, installed


@pytest.fixture
def evaluation(tmp_path: Path) -> Path:
    """An evaluation of one system."""
    return build_evaluation(ALONE).save(tmp_path / "evaluation.xlsx")


def test_an_evaluation_and_a_lesson_are_each_proved_as_what_they_are(evaluation: Path, tmp_path: Path) -> None:
    lesson = build().save(tmp_path / "lesson.xlsx")
    for path in (evaluation, lesson):
        (report,) = check(path)
        assert report.agrees, str(report)
    assert check(lesson)[0].cells == build().report.cells


def test_each_engine_gives_one_report(evaluation: Path) -> None:
    names = [name for name in ("formualizer", "ironcalc") if ENGINES[name] in installed()]
    assert [report.engine for report in check(evaluation, names)] == names


def test_an_unknown_engine_is_named_with_the_nearest(evaluation: Path) -> None:
    with pytest.raises(EngineError, match=r"no engine ironcalk. Did you mean ironcalc\?"):
        check(evaluation, "ironcalk")


def test_a_workbook_of_another_origin_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.xlsx"
    Workbook().save(path)
    with pytest.raises(InputError, match=r"other\.xlsx"):
        check(path)
    with pytest.raises(InputError, match="it is not an evaluation of workbook-builder"):
        reopen(path)


@pytest.mark.parametrize(
    ("data", "said"), [(b"", "not an .xlsx workbook"), (b"\xd0\xcf\x11\xe0", "protected by a password")]
)
def test_a_file_that_is_no_workbook_is_refused(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "noise.xlsx"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        check(path)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        check(tmp_path / "nothing.xlsx")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [('"language": "en"', '"language": "xx"'), ('"format": ', '"format": 9'), ('"rows": [', '"rows": [[], ')],
)
def test_properties_that_were_changed_are_told_of(right: str, wrong: str, evaluation: Path) -> None:
    def changed(name: str, part: bytes) -> bytes:
        if name != "docProps/custom.xml":
            return part
        old = part.decode()
        new = old.replace(right, wrong) if right in old else old.replace(_quoted(right), _quoted(wrong))
        assert new != old
        return new.encode()

    evaluation.write_bytes(rewritten(evaluation.read_bytes(), changed))
    with pytest.raises(InputError, match=r"what it says of itself cannot be read.*build it again"):
        check(evaluation)


def _quoted(text: str) -> str:
    return text.replace('"', "&quot;")


def test_the_command_ends_with_1_when_a_cell_disagrees_and_names_it(command: Command, evaluation: Path) -> None:
    book = load_workbook(evaluation)
    book["Discount"]["B4"] = 0.5
    book.save(evaluation)
    done = command("check", evaluation)
    assert done.code == 1
    assert "Discount!B4 (discount): the formula is damaged: no formula stands where" in done.out


def test_without_a_terminal_no_bar_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    with bar(2, patience=0) as step:
        step("one")
        step("two")
    assert capsys.readouterr().err == ""


def test_in_a_terminal_a_bar_is_drawn_only_for_what_takes_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with bar(2, patience=60) as step:
        step("quick")
    assert "quick" not in capsys.readouterr().err
    with bar(1, patience=0.01) as step:
        step("slow")
        sleep(1)
    assert "slow" in capsys.readouterr().err
