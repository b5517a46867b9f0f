"""`evaluate` on the command line, from files to a proved workbook and on to the next one."""

import json
from pathlib import Path

import pytest
from conftest import Command
from openpyxl import load_workbook

from workbook_builder.cached import read_cells

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n003 0 d 1\n003 0 e 0\n"
BM25 = "1 Q0 b 1 3.0 bm25\n1 Q0 a 2 2.0 bm25\n003 Q0 x 1 2.0 bm25\n003 Q0 d 2 1.0 bm25\n"
DENSE = "1 Q0 a 1 0.9 dense\n1 Q0 c 2 0.8 dense\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with judgments and two runs."""
    for name, text in (("qrels.txt", QRELS), ("bm25.txt", BM25), ("dense.txt", DENSE)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_judgments_and_runs_become_a_proved_workbook(command: Command, files: Path) -> None:
    done = command("evaluate", "qrels.txt", "bm25.txt", "dense.txt", "-o", "mine.xlsx")
    assert done.code == 0
    assert [line.split() for line in done.out.splitlines()] == [
        ["run", "nDCG@10", "RR@10", "P@10", "R@100", "AP"],
        ["bm25", "0.5553", "0.5000", "0.1000", "0.7500", "0.3750"],
        ["dense", "0.5000", "0.5000", "0.1000", "0.5000", "0.5000"],
    ]
    assert "Wrote mine.xlsx" in done.err
    assert "agree with the reference" in done.err
    assert "workbook-builder check mine.xlsx" in done.err
    assert "dense: 1 of 2 judged queries have no result and count 0 (003)" in done.err
    about = [str(value) for value in read_cells((files / "mine.xlsx").read_bytes())[1]["About"].values()]
    assert {"qrels.txt", "bm25.txt", "dense.txt"} <= set(about)
    checked = command("check", "mine.xlsx", "--json")
    assert checked.code == 0
    assert json.loads(checked.out)["reports"][0]["agrees"] is True


def test_without_a_name_the_workbook_goes_to_output(command: Command, files: Path) -> None:
    assert command("evaluate", "qrels.txt", "bm25.txt").code == 0
    assert (files / "output" / "evaluation.xlsx").exists()


def test_the_options_reach_the_workbook(command: Command, files: Path) -> None:
    (files / "texts.csv").write_text("id,title\na,How to begin\n003,what is it?\n")
    done = command(
        "evaluate",
        *("qrels.txt", "bm25.txt", "--metric", "nDCG@3", "--metric", "P@2", "--gain", "exponential"),
        *("--relevant-from", "2", "--texts", "texts.csv", "--language", "de", "-o", "de.xlsx"),
    )
    assert done.code == 0
    assert done.out.split()[:3] == ["run", "nDCG@3", "P@2"]
    _, values = read_cells((files / "de.xlsx").read_bytes())
    assert values["Übersicht"]["B4"] == "exponentiell"
    assert values["Übersicht"]["B5"] == 2
    assert "How to begin" in values["Bewertungen"].values()
    assert "what is it?" in values["Ideal"].values()
    assert command("check", "de.xlsx").code == 0


def test_a_sample_says_so(command: Command, files: Path) -> None:
    assert command("evaluate", "qrels.txt", "bm25.txt", "--sample", "1", "--seed", "2", "-o", "s.xlsx").code == 0
    _, values = read_cells((files / "s.xlsx").read_bytes())
    assert "A SAMPLE: 1 of 2" in str(values["Summary"]["A2"])
    refused = command("evaluate", "qrels.txt", "bm25.txt", "--sample", "2")
    assert refused.code == 2
    assert "--sample: there are 2 judged queries" in refused.err


def test_a_sample_of_what_does_not_fit_is_taken_as_the_message_says(
    command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbook_builder.evaluation.inputs.MOST_ROWS", 5)
    refused = command("evaluate", "qrels.txt", "bm25.txt")
    assert refused.code == 2
    (suggested,) = [line for line in refused.err.splitlines() if "--sample" in line]
    number = suggested.split("--sample ")[1].split()[0]
    assert command("evaluate", "qrels.txt", "bm25.txt", "--sample", number, "--seed", "1").code == 0


def test_an_edited_workbook_is_never_overwritten_without_force_and_is_built_anew_with_it(
    command: Command, files: Path
) -> None:
    assert command("evaluate", "qrels.txt", "bm25.txt", "dense.txt", "-o", "mine.xlsx").code == 0
    book = load_workbook(files / "mine.xlsx")
    book["Judgments"].append(["003", "y", None, 3])
    book.save(files / "mine.xlsx")
    told = command("check", "mine.xlsx")
    assert told.code == 2
    assert "lines were added" in told.err
    again = ("evaluate", "qrels.txt", "bm25.txt", "-o", "mine.xlsx")
    refused = command(*again)
    assert refused.code == 2
    assert "--force" in refused.err
    kept = (files / "mine.xlsx").read_bytes()
    assert command("evaluate", "mine.xlsx", "-o", "mine.xlsx").code == 2
    assert (files / "mine.xlsx").read_bytes() == kept
    built = command("evaluate", "mine.xlsx", "-o", "mine.xlsx", "--force")
    assert built.code == 0, built.err
    assert command("check", "mine.xlsx").code == 0
    book = load_workbook(files / "mine.xlsx")
    lines = [row[:4] for row in book["Judgments"].iter_rows(min_row=2, values_only=True)]
    assert ("003", "y", None, 3) in lines


def test_the_command_that_is_suggested_next_builds_the_file_anew_in_its_place(command: Command, files: Path) -> None:
    done = command("evaluate", "qrels.txt", "bm25.txt", "-o", "mine.xlsx")
    suggested = done.err.strip().splitlines()[-1].split("workbook-builder ")[1].split()
    before = (files / "mine.xlsx").read_bytes()
    assert suggested == ["evaluate", "mine.xlsx", "--force"]
    assert command(*suggested).code == 0
    assert (files / "mine.xlsx").read_bytes() == before
    book = load_workbook(files / "mine.xlsx")
    book["Results"].append(["bm25", "1", 3, "c"])
    book.save(files / "mine.xlsx")
    refused = command("evaluate", "mine.xlsx")
    assert refused.code == 2
    assert "--force" in refused.err
    assert command(*suggested).code == 0
    assert command("check", "mine.xlsx").code == 0
    assert not (files / "output").exists()


WRONG = {
    "no run": (["qrels.txt"], "qrels.txt: there is no run to evaluate. Give judgments and at least one run"),
    "no such file": (["qrels.txt", "bm26.txt"], "bm26.txt: there is no such file"),
    "no such judgments": (["qels.txt", "bm25.txt"], "qels.txt: there is no such file"),
    "no such workbook": (["mine.xlsx"], "mine.xlsx: there is no such file"),
    "no query in common": (["qrels.txt", "others.txt"], 'no query in common: qrels.txt judges "1"'),
    "the same run twice": (["qrels.txt", "bm25.txt", "bm25.txt"], "two runs have the same name"),
    "an unknown metric": (["qrels.txt", "bm25.txt", "--metric", "MRR@10"], "Did you mean RR@10?"),
    "an unknown gain": (["qrels.txt", "bm25.txt", "--gain", "cubic"], "--gain: not a gain"),
    "an unknown language": (["qrels.txt", "bm25.txt", "--language", "fr"], "fr"),
    "no texts": (["qrels.txt", "bm25.txt", "--texts", "t.csv"], "t.csv: there is no such file"),
    "a file that is no run": (["qrels.txt", "noise.txt"], "noise.txt"),
    "a folder": (["qrels.txt", "."], "this is a folder"),
    "standard input twice": (["-", "-"], "which can be read once"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_input_ends_with_a_message_and_no_file(
    arguments: list[str], said: str, command: Command, files: Path
) -> None:
    (files / "others.txt").write_text(BM25.replace("1 Q0", "9 Q0").replace("003 Q0", "8 Q0"))
    (files / "noise.txt").write_text("lorem ipsum\n")
    done = command("evaluate", *arguments)
    assert done.code == 2
    assert said in done.err
    assert not (files / "output").exists()


def test_the_runs_of_two_folders_may_have_the_same_file_name(command: Command, files: Path) -> None:
    for folder in ("old", "new"):
        (files / folder).mkdir()
        (files / folder / "run.txt").write_text(BM25)
    done = command("evaluate", "qrels.txt", "old/run.txt", "new/run.txt", "-o", "two.xlsx")
    assert done.code == 0, done.err
    assert command("check", "two.xlsx").code == 0
