"""The TOML exercise: the starter is the worked example, and every slip is named with its line."""

from pathlib import Path

import pytest

from workbook_builder.errors import InputError, RefusedError
from workbook_builder.gain import EXPONENTIAL, Gain
from workbook_builder.inputs import WORKED_EXAMPLE, Exercise
from workbook_builder.readers.exercise import STARTER, read_exercise, write_starter


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "exercise.toml"


def read(file: Path, text: str) -> Exercise:
    file.write_text(text, encoding="utf-8")
    return read_exercise(file)


def test_the_starter_reads_back_as_the_worked_example(file: Path) -> None:
    write_starter(file)
    assert file.read_text(encoding="utf-8") == STARTER
    assert read_exercise(file) == WORKED_EXAMPLE
    assert list(file.parent.iterdir()) == [file]


def test_the_starter_never_overwrites_a_file(file: Path) -> None:
    file.write_text("mine")
    with pytest.raises(RefusedError, match="there is such a file already"):
        write_starter(file)
    assert file.read_text() == "mine"


def test_a_starter_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it cannot be written"):
        write_starter(tmp_path / "nowhere" / "exercise.toml")


def test_the_grades_are_enough(file: Path) -> None:
    exercise = read(file, "grades = [1, 0, 0.5]\n")
    assert exercise == Exercise((1, 0, 0.5), (), 3, (("exercise", 1),), highest=1)


def test_a_ranking_may_be_empty_when_something_was_missed(file: Path) -> None:
    assert read(file, "grades = []\nmissed = [2]\n").k == 1
    with pytest.raises(InputError, match="there is no grade, returned or missed"):
        read(file, "grades = []\n")


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        ('"exponential"', EXPONENTIAL),
        ('"0=0,1=.1,2=1"', Gain.parse("0=0,1=.1,2=1")),
        ('{0 = 0, "1" = 0.1, 2 = 1}', Gain.parse("0=0,1=.1,2=1")),
    ],
)
def test_a_gain_is_a_word_a_text_or_a_table(file: Path, gain: str, expected: Gain) -> None:
    assert read(file, f"grades = [1, 2]\ngain = {gain}\n").gain == expected


def test_what_is_given_beside_the_file_overrides_it(file: Path) -> None:
    file.write_text(STARTER)
    exercise = read_exercise(file, k=3, gain=EXPONENTIAL, relevant_from=2)
    assert (exercise.k, exercise.gain, exercise.relevant_from) == (3, EXPONENTIAL, 2)
    with pytest.raises(InputError, match=r'^--k: the cut-off k cannot be used: "0"'):
        read_exercise(file, k=0)


def test_a_text_that_looks_like_a_formula_or_a_path_stays_text(file: Path) -> None:
    names = ["=1+1", "+a", "-b", "@c", "../../etc/passwd"]
    text = "grades = [1]\n[first_relevant]\n" + "".join(f'"{name}" = 1\n' for name in names)
    assert [name for name, _ in read(file, text).first_relevant] == names


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("grades = [1]\nmised = [2]\n", "line 2, mised: there is no such key. Did you mean missed?"),
        ("k = 3\n", "the grades are missing"),
        ("grades = 3\n", 'line 1, grades: this is no list of grades: "3"'),
        ('grades = [1, "two"]\n', 'the grade is no number (number 2 of the list): "two"'),
        ("grades = [true]\n", 'the grade is no number (number 1 of the list): "true"'),
        ("grades = [nan]\n", "the grade is no number"),
        ("grades = [inf]\n", "the grade is no number"),
        ("grades = [1e300]\n", "the grade is too large"),
        ("grades = [1]\nk = 0\n", 'line 2, k: the cut-off k cannot be used: "0"'),
        ("grades = [1]\nk = 2.5\n", "the cut-off k cannot be used"),
        ("grades = [1]\nk = true\n", "the cut-off k cannot be used"),
        ("grades = [1]\nk = 0x" + "f" * 9000, "the cut-off k cannot be used"),
        ('grades = [1]\ngain = "linaer"\n', "line 2, gain: not a gain"),
        ("grades = [1]\ngain = 2\n", "this is no gain"),
        ("grades = [1]\ngain = {1 = -1}\n", "not a gain"),
        ("grades = [1, 2]\ngain = {0 = 0, 1 = 1}\n", 'no gain is given for the grade: "2"'),
        ('grades = [600]\ngain = "exponential"\n', "too large for exponential gain"),
        ("grades = [1]\nrelevant_from = 0\n", "the lowest relevant grade must be above 0"),
        ('grades = [1]\nrelevant_from = "one"\n', "this is no number that can be used"),
        ("grades = [4]\nhighest = 3\n", "line 2, highest: the grade 4 is above the scale's end"),
        ("grades = [-1]\nlowest = 0\n", "the grade -1 is below the scale's end"),
        ("grades = [1]\nfirst_relevant = 1\n", "this is no table of queries"),
        ("grades = [1]\n[first_relevant]\na = 0\n", "line 3, a: the rank is 0"),
        ('grades = [1]\n[first_relevant]\na = "never"\n', 'Give a whole number from 1 up, or "none".'),
        ("grades = [1]\n[first_relevant]\na.b = 1\n", "Put quotes around a name that holds a dot."),
        ('grades = [1]\n[first_relevant]\n"a\\u0001" = 1\n', "a control character in a name"),
        ('grades = [1]\n[first_relevant]\n"" = 1\n', "the name is empty"),
        (f"grades = [1]\n[first_relevant]\n{'x' * 32768} = 1\n", "the name has 32,768 characters"),
        ("grades = [1]\n[first_relevant]\na = 1\na = 2\n", "line 4: this is not TOML"),
        ("grades = [1\nk = 2\n", "this is not TOML"),
        ("grades = " + "[" * 99999, "this is not TOML"),
        ("k = " + "9" * 9999, "this is not TOML"),
    ],
)
def test_a_slip_is_named_with_its_line_key_and_value(file: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(file, text)
    assert told in str(caught.value)


def test_all_faults_are_told_at_once(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(file, 'grades = ["x"]\nk = 0\nkk = 1\n[first_relevant]\na = -1\n')
    assert {fault.column for fault in caught.value.faults} == {"grades", "k", "kk", "a"}
