"""Mistakes a new user makes: the message alone is enough to repair the file, and doing what it says makes it work.

Each mistake is tried on the command line. The message must name the file, the place and the value; the repair is what
its remedy says, and then the scores come out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Command
from inputs_in_every_format import sheet

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq2 Q0 d1 1 1.0 t\n"

Repair = Callable[[str], str]


@dataclass(frozen=True)
class Mistake:
    """Which file is wrong and how, what the message says, and the repair it tells: a change of the file, or options."""

    file: str
    content: str
    told: tuple[str, ...]
    repair: Repair = str
    options: tuple[str, ...] = ()


def swapped(old: str, new: str) -> Repair:
    def repaired(text: str) -> str:
        assert text.count(old) == 1
        return text.replace(old, new)

    return repaired


MISTAKES = {
    "a grade that is a word": Mistake(
        "qrels",
        QRELS.replace("d2 0", "d2 abc"),
        ('qrels, line 2, grade: the grade is no number: "abc". Give a number, as in 0, 1, 2 or 3.',),
        swapped("abc", "0"),
    ),
    "one document judged twice, differently": Mistake(
        "qrels",
        QRELS + "q1 0 d1 3\n",
        ('qrels, line 4, grade: query "q1", document "d1" was judged 2 in line 1, here: "3". Keep one of the two.',),
        swapped("q1 0 d1 3\n", ""),
    ),
    "a document twice in a ranking": Mistake(
        "run",
        RUN + "q1 Q0 d2 3 0.5 t\n",
        ('run, line 4, document: query "q1" has this document already in line 2: "d2". Keep one of the two lines.',),
        swapped("q1 Q0 d2 3 0.5 t\n", ""),
    ),
    "scores that are no numbers": Mistake(
        "run",
        RUN.replace("2.0", "nan").replace("d2 2 1.0", "d2 2 1.0x"),
        (
            'run, line 1, score: the score is no number: "nan". Give a number.',
            'run, line 2, score: the score is no number: "1.0x". Give a number.',
        ),
        lambda text: text.replace("nan", "2.0").replace("1.0x", "1.0"),
    ),
    "ranks that start at 0, and no scores": Mistake(
        "run",
        "q1\td1\t0\nq1\td2\t1\nq2\td1\t0\n",
        (
            'run, line 1, rank: the rank is 0: "0". Ranks start at 1; ',
            "if the file's first rank is 0, say --ranks-from 0.",
        ),
        options=("--ranks-from", "0"),
    ),
    "judgments and run in the wrong order": Mistake(
        "run",
        QRELS,
        ("run, line 1: 6 columns are needed, here are 4", "Are these the judgments?"),
        lambda _: RUN,
    ),
    "a table without a header": Mistake(
        "qrels",
        "q1,d1,2\nq1,d2,0\nq2,d1,1\n",
        ('qrels: the format is not recognised: "q1,d1,2". Begin with a header such as query_id,doc_id,grade',),
        lambda text: "query_id,doc_id,grade\n" + text,
    ),
    "a misspelt column": Mistake(
        "qrels",
        "query;docid;raiting\nq1;d1;2\nq1;d2;0\nq2;d1;1\n",
        (
            'qrels, line 1: there is no column of the grade: "query,docid,raiting".',
            'raiting is near: call it "rating".',
        ),
        swapped("raiting", "grade"),
    ),
    "an unquoted query that holds the delimiter": Mistake(
        "qrels",
        "query,doc,grade\nq1,d1,2\nq1,d2,0\nq2,d1,1\nshoes, red,d1,1\n",
        (
            'qrels, line 5: 3 columns are needed, here are 4: "shoes,red,d1,1".',
            'Put quotes around a value that holds ",".',
        ),
        swapped("shoes, red", '"shoes, red"'),
    ),
    "other queries than were judged": Mistake(
        "run",
        RUN.replace("q1", "Q1").replace("q2", "Q2"),
        ('run: no query in common: qrels judges "q1", run answers "Q1".', "ids are compared as text."),
        lambda text: text.replace("Q1", "q1").replace("Q2", "q2"),
    ),
    "a format that is none": Mistake(
        "run",
        "query,docid\nq1,d1\nq1,d2\nq2,d1\n",
        ("run, line 1: there is neither a score nor a rank", "say --format ordered."),
        options=("--format", "ordered", "--qrels-format", "trec"),
    ),
    "JSON cut short": Mistake(
        "qrels",
        '{"q1": {"d1": 2, "d2": 0},\n "q2": {"d1": 1}\n',
        ("qrels, line 3: this is not JSON (Expecting ',' delimiter, column 1). Mend it there.",),
        lambda text: text + "}",
    ),
    "features without documents": Mistake(
        "qrels",
        "2 qid:q1 1:0.5 # d1\n0 qid:q1 1:0.1 # d2\n1 qid:q2 1:0.3\n",
        (
            'qrels, line 3, document: there is no document: "1 qid:q2 1:0.3".',
            "Name the document after #, as in 4 qid:1 # doc7",
        ),
        swapped("1:0.3", "1:0.3 # d1"),
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_message_alone_is_enough_to_repair_the_file(command: Command, tmp_path: Path, name: str) -> None:
    mistake = MISTAKES[name]
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    right = command("score", "qrels", "run")
    assert right.code == 0
    (tmp_path / mistake.file).write_text(mistake.content)
    wrong = command("score", "qrels", "run")
    assert (wrong.code, wrong.out) == (2, "")
    for told in mistake.told:
        assert told in wrong.err
    (tmp_path / mistake.file).write_text(mistake.repair(mistake.content))
    repaired = command("score", "qrels", "run", *mistake.options)
    assert (repaired.code, repaired.out) == (0, right.out if "\nshoes" not in mistake.content else repaired.out)


def test_ids_that_a_spreadsheet_made_numbers_are_reported(command: Command, tmp_path: Path) -> None:
    (tmp_path / "judged.xlsx").write_bytes(sheet(("Judged", ["query", "doc", "grade"], [(3, "d1", 1)])))
    (tmp_path / "run").write_text("003 Q0 d1 1 1 t\n")
    wrong = command("score", "judged.xlsx", "run")
    assert wrong.code == 2
    assert 'no query in common: judged.xlsx, sheet Judged judges "3", run answers "003"' in wrong.err
    (tmp_path / "judged.xlsx").write_bytes(sheet(("Judged", ["query", "doc", "grade"], [("003", "d1", 1)])))
    assert command("score", "judged.xlsx", "run").code == 0


def test_what_other_tools_get_wrong_in_silence_is_said(command: Command, tmp_path: Path) -> None:
    """A byte order mark, 3 beside 003, a judgment given twice, and a judged query without an answer."""
    (tmp_path / "qrels").write_text("\ufeff3 0 d1 1\n003 0 d1 0\n003 0 d2 1\n3 0 d1 1\n4 0 d1 1\n", encoding="utf-8")
    (tmp_path / "run").write_text("3 Q0 d1 1 1 t\n003 Q0 d1 1 1 t\n", encoding="utf-8-sig")
    done = command("score", "qrels", "run", "--metric", "P@1", "--per-query")
    assert [line.split()[1:] for line in done.out.splitlines()] == [
        ["query", "P@1"],
        ["3", "1.0000"],
        ["003", "0.0000"],
        ["4", "0.0000"],
        ["mean", "0.3333"],
    ]
    assert "1 repeated judgments count once" in done.err
    assert "1 of 3 judged queries have no result and count 0 (4)" in done.err


def test_gains_are_not_made_gains_again_without_a_word(command: Command, tmp_path: Path) -> None:
    (tmp_path / "esci.csv").write_text("query,docid,rating\nq,a,100.000\nq,b,10.000\nq,c,1.000\nq,d,0.000\n")
    (tmp_path / "run").write_text("q Q0 a 1 1 t\n")
    assert "look like gains already" in command("score", "esci.csv", "run", "--gain", "exponential").err
    assert "look like gains" not in command("score", "esci.csv", "run").err


def test_build_takes_every_format_too(command: Command, tmp_path: Path) -> None:
    (tmp_path / "judged.csv").write_text("query,doc,grade\nq,a,2\nq,b,1\n")
    (tmp_path / "ranks.tsv").write_text("q\tb\t0\nq\ta\t1\n")
    arguments = ("build", "--qrels", "judged.csv", "--run", "ranks.tsv", "--lesson", "worked_example", "-o", "x.xlsx")
    assert "say --ranks-from 0" in command(*arguments).err
    assert command(*arguments, "--ranks-from", "0").code == 0
