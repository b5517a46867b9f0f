"""Ratings that are gains already are not made gains a second time without a word."""

import pytest

from workbook_builder.from_runs import exercise_from_runs
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.gain_notes import gain_notes
from workbook_builder.inputs import Judgments, Run
from workbook_builder.scoring import score

ESCI = (100.0, 10.0, 1.0, 0.0)


def judged(grades: tuple[float, ...]) -> Judgments:
    return Judgments({"q": {f"d{at}": grade for at, grade in enumerate(grades)}})


@pytest.mark.parametrize("grades", [ESCI, (1.0, 0.1, 0.01, 0.0), (11.0,), (0.5, 0.0)])
def test_grades_that_look_like_gains_are_warned_about(grades: tuple[float, ...]) -> None:
    (note,) = gain_notes(judged(grades), EXPONENTIAL)
    assert "look like gains already" in note
    assert "--gain linear" in note


@pytest.mark.parametrize("grades", [(3.0, 2.0, 1.0, 0.0), (4.0, -2.0), (2.5, 0.5), (10.0,), (0.0, -1.0), (1.0,)])
def test_grades_of_a_usual_scale_are_not(grades: tuple[float, ...]) -> None:
    assert list(gain_notes(judged(grades), EXPONENTIAL)) == []


@pytest.mark.parametrize("gain", [LINEAR, Gain.parse("0=0,1=1,10=10,100=100")])
def test_other_gains_take_them_as_they_are(gain: Gain) -> None:
    assert list(gain_notes(judged(ESCI), gain)) == []


def test_scores_and_exercises_carry_the_warning() -> None:
    run = Run("r", {"q": ("d1", "d0")})
    told = "the grades (100, 10, 1) look like gains already, and exponential gain makes 100 worth 1.27e+30"
    notes = score(judged(ESCI), run, ["nDCG@10"], gain=EXPONENTIAL).notes
    assert any(note.startswith(told) for note in notes)
    assert any(note.startswith(told) for note in exercise_from_runs(judged(ESCI), run, gain=EXPONENTIAL).notes)
    assert not any("look like" in note for note in score(judged(ESCI), run, ["RR"], gain=EXPONENTIAL).notes)
