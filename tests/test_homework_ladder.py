"""The ladder and the sheets that end in a choice: what is blank where, what an exam hides and what a key says."""

import io
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import pytest
from homework_filled import answered, given_away, parts, reports, tasks
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from workbook_builder import LINEAR
from workbook_builder.cached import read_cells
from workbook_builder.homework.book import exercise_book
from workbook_builder.homework.defaults import LADDER, WITH_ERROR
from workbook_builder.homework.methods import METHODS, dcg_averaged, methods_of
from workbook_builder.homework.planned import ASKED_STEPS, ladder, planned
from workbook_builder.homework.puzzle_sheets import ASKED, can_hide_an_error, puzzle
from workbook_builder.homework.puzzles import GAIN_LISTS, GAINS_K, MISTAKES, PICKS, PUZZLE_VALUES, SYSTEMS, USED
from workbook_builder.homework.rungs import homework_sheets, steps_of
from workbook_builder.homework.separate import collisions
from workbook_builder.homework.steps import STEPS, right
from workbook_builder.homework.task import Task
from workbook_builder.metrics import mean, ndcg
from workbook_builder.recalculate import EMBEDDED, Engine
from workbook_builder.sheet import Sheet
from workbook_builder.steps.values import Value
from workbook_builder.text import languages

ENGLISH = languages()["en"]
BOOK = exercise_book()
TOTALS = ("dcg", "idcg", "ndcg", "mrr")


def puzzles(language: str = "en", **options: bool) -> list[Sheet]:
    return [puzzle(name, WITH_ERROR, languages()[language], **options) for name in ASKED]


def test_the_steps_are_those_that_are_marked() -> None:
    for track, steps in ASKED_STEPS.items():
        assert steps == tuple(step.name for step in STEPS if step.track == track)
        assert set(steps) == set(steps_of(homework_sheets()[track]))


@pytest.mark.parametrize("track", ASKED_STEPS)
def test_one_step_more_is_blank_on_every_rung_from_the_last_one_back(track: str) -> None:
    rungs = ladder(track, LADDER)
    assert [len(each.asked) for each in rungs] == list(range(len(ASKED_STEPS[track]) + 1))
    for rung in rungs:
        sheet = planned(rung, ENGLISH)
        blank = {entry.name for entry in sheet.lesson.entries.values() if entry.asked and entry.input}
        assert blank == set(ASKED_STEPS[track][len(ASKED_STEPS[track]) - rung.blank :])
        checked = {name.removeprefix("check_") for name in sheet.lesson.entries if name.startswith("check_")}
        assert checked == blank


def test_every_step_has_a_line_to_explain_it() -> None:
    for track, steps in ASKED_STEPS.items():
        names = planned(ladder(track, LADDER)[-1], ENGLISH).lesson.entries
        assert {f"why_{step}" for step in steps} <= set(names)


def test_the_sheets_have_inputs_of_their_own_that_tell_the_known_mistakes_apart() -> None:
    for task in LADDER:
        assert not collisions(task)
    assert not collisions(WITH_ERROR, track="ndcg")
    for total in TOTALS:
        values = [right(task)[total][0] for task in LADDER]
        assert all(abs((a or 0) - (b or 0)) > 0.002 for a, b in combinations(values, 2)), total


def test_an_exam_holds_none_of_the_totals_it_asks_for() -> None:
    asked: dict[str, list[Value]] = {total: [] for total in TOTALS}
    for track in ASKED_STEPS:
        for rung in ladder(track, LADDER):
            for step in set(rung.asked) & set(TOTALS):
                asked[step] += right(rung.task)[step]
    exam = exercise_book(checks=False)
    means = PUZZLE_VALUES["which_system"](puzzles()[2].inputs, puzzles()[2].convention)
    assert not given_away(exam, {**asked, "means": [*means["wanted_mean_a"], *means["wanted_mean_b"]]})
    assert len(given_away(BOOK, asked)) > 10, "where checks work, the search finds what they compare with"
    assert not [name for name, part in parts(exam).items() if b'hidden="1"' in part]


def test_a_step_asked_for_in_an_exam_has_neither_formula_nor_value() -> None:
    formulas, values = read_cells(exercise_book(checks=False))
    for track in ASKED_STEPS:
        for rung in ladder(track, LADDER, checks=False):
            sheet = planned(rung, ENGLISH)
            for step in rung.asked:
                for cell in sheet.grid.cells[step]:
                    assert cell.relative not in formulas[sheet.title]
                    assert values[sheet.title].get(cell.relative) is None


def test_the_inputs_of_an_exam_are_not_to_be_changed() -> None:
    for track in ASKED_STEPS:
        for rung in ladder(track, LADDER, checks=False):
            inputs = [entry.input for entry in planned(rung, ENGLISH).lesson.entries.values()]
            assert ("grade" in inputs) == (rung.blank == 0)


def test_answers_are_yellow_unlocked_named_and_explained() -> None:
    book = load_workbook(io.BytesIO(BOOK))
    for sheet in [planned(ladder("ndcg", LADDER)[-1], ENGLISH), *puzzles()]:
        written = book[sheet.title]
        for name in ASKED.get(sheet.name, ASKED_STEPS["ndcg"]):
            assert f"{sheet.name}.{name}" in book.defined_names
            for address in sheet.grid.cells[name]:
                _is_an_answer(written, address.relative)


def _is_an_answer(sheet: Worksheet, cell: str) -> None:
    assert sheet[cell].fill.fgColor.rgb.endswith("FFF2A8")
    assert sheet[cell].border.left.style == "thin"
    assert not sheet[cell].protection.locked
    (rule,) = [rule for rule in sheet.data_validations.dataValidation if cell in rule.sqref]
    assert rule.prompt
    assert rule.errorStyle in ("warning", "information")


def test_each_choice_has_exactly_one_right_answer() -> None:
    assert can_hide_an_error(WITH_ERROR)
    assert {*PICKS} <= {*range(1, len(MISTAKES) + 2)}
    assert len(MISTAKES) + 1 in PICKS, "one of the people is right"
    for grades, used in zip(GAIN_LISTS, USED, strict=True):
        task = Task(grades, (), GAINS_K, (("q", ()),), 1)
        assert abs(METHODS["exponential"].values(task)["ndcg"][0] - right(task)["ndcg"][0]) > 0.005  # type: ignore[operator]
        assert used in (1, 2)


def test_the_better_system_is_not_the_one_that_known_mistakes_prefer() -> None:
    """Averaging DCG, or an ideal made of what each system returned, turns the answer round."""
    a = [(grades, missed) for _, grades, missed, _, _ in SYSTEMS.queries]
    b = [(grades, missed) for _, _, _, grades, missed in SYSTEMS.queries]
    assert [sorted((*g, m)) for g, m in a] == [sorted((*g, m)) for g, m in b], "both were judged alike"
    k = SYSTEMS.k
    of_a, of_b = (mean(ndcg(g, [*g, m], k) for g, m in each) for each in (a, b))
    assert of_a > of_b + 0.005
    assert dcg_averaged([g for g, _ in a], k) < dcg_averaged([g for g, _ in b], k) - 0.005
    assert mean(ndcg(g, g, k) for g, _ in a) < mean(ndcg(g, g, k) for g, _ in b) - 0.005


CHOICES: Mapping[str, Mapping[str, tuple[Value, ...]]] = {
    "nothing": {},
    "something else": {
        "mistake": ("what?", 3.0, "exponential gain"),
        "chosen_gain": ("linear", "exponential", "cubic"),
        "ndcg": (0.5,) * 6,
        "mean_a": ("much",),
        "mean_b": (0.5,),
        "better": ("B",),
    },
}


def test_every_engine_says_the_same_of_every_choice(engine: Engine) -> None:
    books = [book for language in sorted(languages()) for book in chosen(language)]
    for report in reports(books, engine):
        assert report.agrees, str(report)


def chosen(language: str) -> list[list[Sheet]]:
    """The sheets with nothing, with something else, and with the key's choices filled in."""
    sheets, key = puzzles(language), puzzles(language, solved=True)
    books = [
        [answered(sheet, {name: each for name, each in choice.items() if name in sheet.inputs}) for sheet in sheets]
        for choice in CHOICES.values()
    ]
    solved = [
        answered(sheet, {name: solution.inputs[name] for name in ASKED[sheet.name]})
        for sheet, solution in zip(sheets, key, strict=True)
    ]
    # The reference knows the gains by their names, whatever the sheet calls them.
    solved[1] = answered(sheets[1], {"chosen_gain": [("linear", "exponential")[used - 1] for used in USED]})
    return [*books, solved]


def test_the_key_is_right_by_the_sheets_own_checks() -> None:
    for sheet, solution in zip(puzzles(), puzzles(solved=True), strict=True):
        filled = answered(sheet, {name: solution.inputs[name] for name in ASKED[sheet.name]})
        values = PUZZLE_VALUES[sheet.name](filled.inputs, filled.convention)
        checks = {word for name, words in values.items() if name.startswith("check_") for word in words}
        assert checks == {"right"}, sheet.name


@settings(max_examples=15)
@given(tasks(), st.data())
def test_the_numbers_shown_and_the_checks_follow_edited_inputs(task: Task, data: st.DataObject) -> None:
    sheet = puzzle("find_error", replace(task, gain=LINEAR), ENGLISH)
    options = st.sampled_from([None, "nonsense", *sheet.inputs["option"]])
    filled = answered(sheet, {"mistake": [data.draw(options) for _ in PICKS]})
    (report,) = reports([[filled]], EMBEDDED)
    assert report.agrees, str(report)


def test_the_key_prints_every_formula_and_every_known_mistake() -> None:
    book = load_workbook(io.BytesIO(exercise_book(solved=True)))
    for track in ASKED_STEPS:
        for rung in ladder(track, LADDER, solved=True):
            sheet = planned(rung, ENGLISH)
            texts = {str(cell.value): cell for row in book[sheet.title].iter_rows() for cell in row if cell.value}
            for step in ASKED_STEPS[track]:
                formula = sheet.formulas[step, 0][1]
                assert any(cell.value == formula and cell.data_type == "s" for row in book[sheet.title] for cell in row)
            for name in methods_of(rung.task, track):  # type: ignore[arg-type]
                assert ENGLISH.get("homework", "method", name, "title") in texts
            numbers = [cell.value for row in book[sheet.title] for cell in row if isinstance(cell.value, int | float)]
            for method in methods_of(rung.task, track).values():  # type: ignore[arg-type]
                (value,) = (
                    method.values(rung.task)["ndcg" if track == "ndcg" else "mrr"] if track in method.steps else (0,)
                )
                assert not value or any(abs(number - value) < 1e-12 for number in numbers)


@settings(max_examples=25)
@given(tasks(), st.booleans(), st.booleans())
def test_no_two_blocks_of_a_sheet_share_a_cell(task: Task, checks: bool, solved: bool) -> None:
    rungs = [rung for track in ASKED_STEPS for rung in ladder(track, [task], checks=checks, solved=solved)]
    sheets = [planned(rung, ENGLISH) for rung in rungs]
    sheets += [puzzle(name, replace(task, gain=LINEAR), ENGLISH, checks=checks, solved=solved) for name in ASKED]
    for sheet in sheets:
        taken = [
            (row, placed.origin.column + offset)
            for placed in sheet.grid.blocks
            for row in range(placed.origin.row, placed.last_row + 1)
            for offset in range(len(placed.block.columns) or placed.block.value_column)
        ]
        assert len(taken) == len(set(taken)), sheet.name


def test_the_same_exercises_are_the_same_bytes() -> None:
    assert exercise_book() == BOOK


def test_the_exercises_are_the_same_in_every_language_but_for_their_words() -> None:
    german = exercise_book(language="de")
    ours, theirs = (read_cells(data)[0] for data in (BOOK, german))
    assert [len(sheet) for sheet in ours.values()] == [len(sheet) for sheet in theirs.values()]
    assert set(ours).isdisjoint(set(theirs))


def test_the_solved_sheets_hold_the_references_values() -> None:
    solved = read_cells(exercise_book(solved=True))[1]
    for rung in ladder("ndcg", LADDER, solved=True):
        sheet = planned(rung, ENGLISH)
        for step, values in right(rung.task).items():
            if step in ASKED_STEPS["ndcg"]:
                found = [solved[sheet.title][cell.relative] for cell in sheet.grid.cells[step]]
                assert found == pytest.approx(list(values), abs=1e-12)
