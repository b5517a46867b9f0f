"""Homework handed in as people hand it in: read, marked and explained, whatever else is in the file."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import Command, needed
from handed_in import (
    CODES,
    Content,
    Sheets,
    blank,
    by_method,
    filled,
    handed_in,
    manifest,
    other_formulas,
    plain_formulas,
    right_answers,
    task,
)
from openpyxl import Workbook, load_workbook

from workbook_builder.homework.book import ANSWER_NAMES, variant_book
from workbook_builder.homework.manifest import Manifest, write_manifest
from workbook_builder.homework.marking import Mark, Marks, mark
from workbook_builder.homework.methods import METHODS
from workbook_builder.homework.steps import STEP_NAMES
from workbook_builder.homework.submission import read_submission
from workbook_builder.homework.words import text_in, titles
from workbook_builder.recalculate import ENGINES


def marked(folder: Path, data: bytes, by: Manifest | None = None, name: str = "book.xlsx") -> Mark:
    (only,) = mark([handed_in(folder, name, data)], by or manifest()).marks
    return only


def diagnoses(each: Mark) -> set[str]:
    return {name for step in each.steps for name in step.finding.methods}


def lost(each: Mark) -> dict[str, float]:
    return {step.step: step.points for step in each.steps if step.points < step.of}


def notes(each: Mark) -> list[str]:
    return [name for name, _ in each.notes]


STYLES = {"plain": plain_formulas, "other": other_formulas, "typed": right_answers}


@pytest.mark.parametrize(("style", "number"), [("plain", 0), ("plain", 1), ("other", 0), ("other", 2), ("typed", 0)])
def test_right_answers_get_full_marks_whatever_their_formulas_look_like(
    style: str, number: int, tmp_path: Path
) -> None:
    each = marked(tmp_path, filled(STYLES[style](number), number))
    assert lost(each) == {}
    assert each.total == each.of == len(STEP_NAMES)
    assert (each.variant and each.variant.code) == CODES[number]
    assert not each.carried
    assert diagnoses(each) == set()


@pytest.mark.parametrize("name", ["exponential", "ideal_top_k", "ideal_uncut", "natural_log", "dropped", "threshold"])
def test_a_workbook_filled_in_by_a_wrong_method_is_diagnosed_as_it_and_nothing_else(name: str, tmp_path: Path) -> None:
    each = marked(tmp_path, filled(by_method(name)))
    assert diagnoses(each) == {name}
    assert len(lost(each)) == 1, "one slip costs its own step"
    assert each.carried == (len(METHODS[name].steps) > 1)


def with_caches(data: bytes, value: str) -> bytes:
    """The workbook with the same cached value in every formula cell."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(written, "w") as copy:
        for part in archive.namelist():
            content = archive.read(part)
            if part.startswith("xl/worksheets/sheet"):
                content = content.replace(b"<v></v>", f"<v>{value}</v>".encode()).replace(
                    b"<v />", f"<v>{value}</v>".encode()
                )
            copy.writestr(part, content)
    return written.getvalue()


def test_a_wrong_cache_makes_no_difference(tmp_path: Path) -> None:
    data = filled(plain_formulas())
    spoiled = with_caches(data, "0.123")
    assert spoiled.count(b"0.123") == 0 or spoiled != data
    seen = load_workbook(io.BytesIO(spoiled), data_only=True)
    assert any(cell.value == 0.123 for sheet in seen for row in sheet.iter_rows() for cell in row), "it is spoiled"
    assert marked(tmp_path, spoiled).total == marked(tmp_path, data).total == len(STEP_NAMES)


@pytest.mark.parametrize("name", ["libreoffice", "gnumeric"])
def test_a_submission_saved_by_another_program_is_marked_the_same(name: str, tmp_path: Path) -> None:
    wrong = {**plain_formulas(), "discounted_gain": by_method("exponential")["discounted_gain"]}
    saved = needed(ENGINES[name]).recalculate_all([filled(plain_formulas()), filled(wrong)])
    each, other = (marked(tmp_path, data) for data in saved)
    assert each.total == len(STEP_NAMES)
    assert notes(each) == []
    assert diagnoses(other) == {"exponential"}
    codes = read_submission(handed_in(tmp_path, "code.xlsx", saved[0]), manifest()).codes
    assert codes == (CODES[0],)


def test_sheets_may_be_renamed_moved_and_added_to(tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        book.create_sheet("Scratch", 0)["A1"] = "=1/0"
        for number, sheet in enumerate(book.worksheets):
            old, sheet.title = sheet.title, f"My sheet's {number}"
            for name in book.defined_names.values():
                new = f"'{sheet.title.replace(chr(39), chr(39) * 2)}'!"
                name.attr_text = name.attr_text.replace(f"'{old}'!", new).replace(f"{old}!", new)
        book.move_sheet(book.worksheets[1], len(book.worksheets))

    each = marked(tmp_path, filled(right_answers(), change=changed))
    assert each.total == each.of
    assert notes(each) == []


def test_without_names_the_answers_are_read_where_they_were_handed_out(tmp_path: Path) -> None:
    each = marked(tmp_path, filled(right_answers(), change=lambda book: book.defined_names.clear()))
    assert each.total == each.of
    assert notes(each) == ["moved"]


@pytest.mark.parametrize("area", ["$A$1:$XFD$1048576", "$A:$A", "#REF!", "nonsense", "$B$2,$B$4"])
def test_a_name_that_points_nowhere_or_everywhere_counts_as_lost(area: str, tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        name = book.defined_names["ndcg_own.dcg"]
        name.attr_text = name.attr_text.rpartition("!")[0] + "!" + area

    each = marked(tmp_path, filled(right_answers(), change=changed))
    assert (each.total, notes(each)) == (each.of, ["moved"])


def test_names_that_a_program_spells_otherwise_are_known(tmp_path: Path) -> None:
    """Some allow no dots in names."""

    def changed(book: Workbook) -> None:
        for name in list(book.defined_names):
            other = copy(book.defined_names.pop(name))
            other.name = name.replace(".", "_").upper()
            book.defined_names[other.name] = other

    each = marked(tmp_path, filled(right_answers(), change=changed))
    assert (each.total, notes(each)) == (each.of, [])


def test_without_names_in_a_workbook_that_had_checks_too(tmp_path: Path) -> None:
    """The checks stand between the answers."""
    data = variant_book(task(), CODES[0], checks=True, language="de", title="homework 1")
    first = replace(manifest().variants[0], checksum=sha256(data).hexdigest())
    sheets = Sheets(data)
    for step, values in right_answers().items():
        sheets.write(ANSWER_NAMES[step], values)
    sheets.book.defined_names.clear()
    each = marked(tmp_path, sheets.saved(), replace(manifest(), variants=(first,), language="de"))
    assert (each.total, notes(each)) == (each.of, ["moved"])


def test_what_looks_like_a_code_in_the_students_own_words_is_none(tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        book.create_sheet("Scratch")["A1"] = "Code of the course: CODE-2NDT"

    assert notes(marked(tmp_path, filled(right_answers(), change=changed))) == []


def test_names_and_sheets_lost_is_said_and_what_is_left_is_marked(tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        book.defined_names.clear()
        for sheet in book.worksheets:
            sheet.title = f"x{sheet.title}"[:31]

    each = marked(tmp_path, filled(right_answers(), change=changed))
    assert each.variant is not None
    assert each.total == 0
    assert "lost" in notes(each)


def spelled(value: object, how: str) -> Content:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value
    return {
        "decimal comma": f"{value:.3f}".replace(".", ","),
        "decimal point": f" {value:.3f} ",
        "percent": f"{value * 100:.2f} %",
        "percent, comma": f"{value * 100:.2f}%".replace(".", ","),
        "rounded": round(value, 3),
        "no leading zero": f"{value:.4f}".removeprefix("0"),
    }[how]


@pytest.mark.parametrize(
    "how", ["decimal comma", "decimal point", "percent", "percent, comma", "rounded", "no leading zero"]
)
def test_numbers_are_understood_as_people_write_them(how: str, tmp_path: Path) -> None:
    whole = ("ideal_grade", "first_relevant")
    answers = {
        step: [value if step in whole else spelled(value, how) for value in values]
        for step, values in right_answers().items()
    }
    assert lost(marked(tmp_path, filled(answers))) == {}


@pytest.mark.parametrize("none", ["none", "keiner", "-", None, 0, '=""', "=NA()", "n/a"])
def test_none_may_be_said_in_many_ways(none: Content, tmp_path: Path) -> None:
    firsts = right_answers()["first_relevant"]
    assert "none" in firsts
    answers = {**right_answers(), "first_relevant": [none if value == "none" else value for value in firsts]}
    assert lost(marked(tmp_path, filled(answers))) == {}


@pytest.mark.parametrize(
    "junk",
    [
        "about a half",
        True,
        "=1/0",
        "=SUM(A1",
        "=SUM(A1;B1)",
        "=[1]Other!A1",
        "=NOSUCH(1)",
        "'=1+1",
        "=#REF!",
        "?" * 5000,
    ],
)
def test_junk_in_one_cell_costs_that_cell_and_stops_nothing_else(junk: Content, tmp_path: Path) -> None:
    answers = right_answers()
    answers["reciprocal_rank"] = [junk, *answers["reciprocal_rank"][1:]]
    each = marked(tmp_path, filled(answers))
    cells = len(answers["reciprocal_rank"])
    assert lost(each) == {"reciprocal_rank": pytest.approx((cells - 1) / cells, abs=1e-6)}


def test_a_circle_costs_its_step_and_stops_nothing_else(tmp_path: Path) -> None:
    cell = (
        read_submission(handed_in(tmp_path, "blank.xlsx", blank()), manifest())
        .answers["dcg"][0]
        .cell.rpartition("!")[2]
    )
    each = marked(tmp_path, filled({**right_answers(), "dcg": [f"={cell}+1"]}))
    assert lost(each) == {"dcg": 0.0}


def test_what_follows_from_a_cell_without_a_number_is_worked_out_as_if_it_were_right(tmp_path: Path) -> None:
    answers: dict[str, list[Content]] = {**plain_formulas(), "dcg": ["about 3"]}
    answers["discounted_gain"] = [*answers["discounted_gain"][:-1], "=1/0"]
    each = marked(tmp_path, filled(answers))
    cells = len(answers["discounted_gain"])
    assert lost(each) == {"discounted_gain": pytest.approx(1 - 1 / cells, abs=1e-6), "dcg": 0.0}
    assert {step.step: step.finding.status for step in each.steps}["dcg"] == "unread"
    assert notes(each) == ["mended"]
    wrong: dict[str, list[Content]] = {**answers, "ndcg": [f"{answers['ndcg'][0]}/2"]}
    assert lost(marked(tmp_path, filled(wrong))).keys() == {"discounted_gain", "dcg", "ndcg"}


def test_a_typed_number_where_a_formula_was_asked_is_reported(tmp_path: Path) -> None:
    each = marked(tmp_path, filled({**plain_formulas(), "dcg": right_answers()["dcg"], "ndcg": ["=0.5/1"]}))
    assert [step.step for step in each.steps if step.typed] == ["dcg", "ndcg"]
    assert each.total == len(STEP_NAMES) - 1, "0.5 is wrong; a typed number that is right keeps its points"


def test_what_a_typed_number_keeps_is_for_the_teacher_to_say(tmp_path: Path) -> None:
    half = replace(manifest(), typed_weight=0.5)
    each = marked(tmp_path, filled({**plain_formulas(), "dcg": right_answers()["dcg"]}), half)
    assert lost(each) == {"dcg": 0.5}


def test_points_are_those_of_the_manifest(tmp_path: Path) -> None:
    points = {**dict.fromkeys(STEP_NAMES, 1.0), "ndcg": 4.0}
    each = marked(tmp_path, filled(right_answers()), replace(manifest(), points=points))
    assert each.total == each.of == len(STEP_NAMES) + 3


def test_only_what_was_asked_is_marked(tmp_path: Path) -> None:
    each = marked(tmp_path, filled({"ndcg": right_answers()["ndcg"]}), replace(manifest(), asked=("ndcg", "mrr")))
    assert [(step.step, step.points) for step in each.steps] == [("ndcg", 1.0), ("mrr", 0.0)]


def test_an_accepted_convention_gets_full_marks_and_is_named(tmp_path: Path) -> None:
    each = marked(tmp_path, filled(by_method("exponential")), replace(manifest(), allowed=("exponential",)))
    assert each.total == each.of
    assert diagnoses(each) == {"exponential"}


def test_changed_inputs_are_said_and_the_manifests_count(tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        title, _, area = book.defined_names["ndcg_own.k"].attr_text.rpartition("!")
        book[title.strip("'")][area.replace("$", "").partition(":")[0]] = 1

    each = marked(tmp_path, filled(right_answers(), change=changed))
    assert notes(each) == ["inputs"]
    assert each.look_at
    assert each.total == each.of


def bomb() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * 300_000_000)
    return written.getvalue()


def somebody_elses() -> bytes:
    written = io.BytesIO()
    Workbook().save(written)
    return written.getvalue()


UNMARKABLE: Mapping[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"NDCG is 0.5",
    "encrypted": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512,
    "a zip that inflates without end": bomb,
    "cut off": lambda: blank()[:3000],
    "somebody else's": somebody_elses,
}


@pytest.mark.parametrize("kind", UNMARKABLE)
def test_a_file_that_cannot_be_marked_gets_a_line(kind: str, tmp_path: Path) -> None:
    each = marked(tmp_path, UNMARKABLE[kind]())
    assert each.variant is None
    assert len(each.notes) == 1


def test_a_file_that_is_not_there_gets_a_line(tmp_path: Path) -> None:
    (each,) = mark([tmp_path / "gone.xlsx"], manifest()).marks
    assert notes(each) == ["unreadable"]


def test_a_code_of_another_assignment_gets_a_line(tmp_path: Path) -> None:
    others = replace(manifest(), variants=manifest().variants[1:])
    assert notes(marked(tmp_path, filled(right_answers()), others)) == ["unknown_code"]


def test_the_same_file_twice_is_marked_once(tmp_path: Path) -> None:
    data = filled(right_answers())
    files = [handed_in(tmp_path, name, data) for name in ("a.xlsx", "b.xlsx")]
    first, second = mark(files, manifest()).marks
    assert (first.total, notes(first)) == (first.of, [])
    assert (second.variant, notes(second)) == (None, ["twice"])


def test_two_files_with_one_code_are_both_marked_and_to_be_looked_at(tmp_path: Path) -> None:
    one = handed_in(tmp_path, "a.xlsx", filled(right_answers()))
    other = handed_in(tmp_path, "b.xlsx", filled(by_method("exponential")))
    marks = mark([one, other], manifest())
    assert [notes(each) for each in marks.marks] == [["same_code"], ["same_code"]]
    said = str(marks).casefold()
    assert "look at" in said
    assert not {"copied", "cheat", "plagiar", "suspic", "fraud"} & set(said.split())


def test_a_blank_copy_beside_the_answers_is_nothing_to_look_at(tmp_path: Path) -> None:
    files = [handed_in(tmp_path, "a.xlsx", filled(right_answers())), handed_in(tmp_path, "b.xlsx", blank())]
    assert [notes(each) for each in mark(files, manifest()).marks] == [[], ["nothing"]]


def test_a_workbook_with_two_codes_is_marked_by_the_inputs_it_has(tmp_path: Path) -> None:
    def changed(book: Workbook) -> None:
        for prop in book.custom_doc_props.props:
            if prop.name == "workbook-builder-code":
                prop.value = CODES[1]

    each = marked(tmp_path, filled(right_answers(), change=changed))
    assert notes(each) == ["two_codes"]
    assert each.variant is not None
    assert each.variant.code == CODES[0]
    assert each.total == each.of


def test_a_folder_stands_for_the_files_in_it_but_not_for_locks_and_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    handed_in(tmp_path / "deeper", "a.xlsx", filled(right_answers()))
    for name in ("~$a.xlsx", ".b.xlsx"):
        handed_in(tmp_path, name, b"lock")
    assert len(mark([tmp_path], manifest()).marks) == 1


def class_of_three(folder: Path) -> Marks:
    slip = {**plain_formulas(1), "discounted_gain": by_method("rank_discount", 1)["discounted_gain"]}
    files = {
        "anna.xlsx": filled(plain_formulas(0)),
        "ben.xlsx": filled(slip, 1),
        "=cmd.xlsx": b"not a workbook",
    }
    folder.mkdir(exist_ok=True)
    return mark([handed_in(folder, name, data) for name, data in files.items()], manifest())


def test_the_gradebook_has_a_row_a_file_with_points_reasons_and_what_was_carried(tmp_path: Path) -> None:
    text = class_of_three(tmp_path).to_csv()
    assert text.startswith("\ufeff"), "so that Excel reads it as UTF-8"
    anna, ben, other = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert (anna["student"], anna["total"], anna["of"], anna["carried"]) == ("anna", "9", "9", "no")
    assert (ben["student"], ben["code"], ben["discounted_gain"], ben["carried"]) == ("ben", CODES[1], "0", "yes")
    assert ben["discounted_gain_diagnosis"] == "wrong: divided by the rank"
    assert ben["dcg_diagnosis"] == "right from your earlier values"
    assert "typed" in ben["notes"]
    assert (other["student"], other["total"], other["file"]) == ("", "", "'=cmd.xlsx")
    assert "cannot be marked" in other["notes"]


def test_the_summary_names_marks_slips_and_who_is_missing(tmp_path: Path) -> None:
    said = str(class_of_three(tmp_path))
    for expected in ("2 of 3 files marked", "9 of 9", "divided by the rank: 1", "=cmd.xlsx: cannot be marked", "chris"):
        assert expected in said


def test_the_gradebook_speaks_the_manifests_language(tmp_path: Path) -> None:
    german = replace(manifest(), language="de")
    marks = mark([handed_in(tmp_path, "a.xlsx", filled({}))], german)
    assert "nicht beantwortet" in marks.to_csv()
    assert "nichts wurde beantwortet" in marks.to_csv()


def test_the_verb_writes_the_gradebook_and_says_what_could_not_be_marked(command: Command, tmp_path: Path) -> None:
    class_of_three(tmp_path / "in")
    write_manifest(tmp_path / "manifest.json", manifest())
    done = command("mark", "in", "--manifest", "manifest.json", "--csv", "grades.csv", "--feedback", "back")
    assert done.code == 1, "one file could not be marked"
    assert "2 of 3 files marked" in done.out
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbfstudent,code,total,of,")
    assert sorted(path.name for path in (tmp_path / "back").iterdir()) == ["anna-feedback.xlsx", "ben-feedback.xlsx"]
    (tmp_path / "in" / "=cmd.xlsx").unlink()
    done = command("mark", "in/anna.xlsx", "in/ben.xlsx", "--manifest", "manifest.json", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["submissions"][1]["steps"]["discounted_gain"]["methods"] == ["rank_discount"]
    assert found["missing"] == ["chris"]


def test_everything_may_lie_in_one_folder_and_marking_again_changes_nothing(command: Command, tmp_path: Path) -> None:
    handed_in(tmp_path, "anna.xlsx", filled(plain_formulas()))
    write_manifest(tmp_path / "manifest.json", manifest())
    words = ("mark", ".", "--manifest", "manifest.json", "--csv", "grades.csv", "--feedback", "back")
    first, again = command(*words), command(*words)
    assert (first.code, first.out) == (again.code, again.out)
    assert first.code == 0
    assert "1 of 1 files marked" in first.out


def test_a_manifest_that_cannot_be_read_ends_with_2(command: Command, tmp_path: Path) -> None:
    handed_in(tmp_path, "a.xlsx", filled({}))
    done = command("mark", "a.xlsx", "--manifest", "none.json")
    assert (done.code, done.out) == (2, "")
    assert "none.json" in done.err


def test_every_method_has_words_for_the_student() -> None:
    for language in ("en", "de"):
        for name in METHODS:
            assert titles([name], text_in(language))
            assert text_in(language).get("homework", "method", name, "why")


def test_answer_names_are_those_of_the_workbook() -> None:
    book = load_workbook(io.BytesIO(blank()))
    assert {ANSWER_NAMES[step] for step in STEP_NAMES} <= set(book.defined_names)
