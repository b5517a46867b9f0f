"""A class's exercises from its list: the files, who gets which, and the manifest that marking goes by."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import needed

from workbook_builder import InputError, RefusedError
from workbook_builder.cached import read_cells
from workbook_builder.homework import variants as module
from workbook_builder.homework.draw import DEFAULT_SHAPE, draw
from workbook_builder.homework.manifest import Manifest, Variant, read_manifest, write_manifest
from workbook_builder.homework.pool import read_pool
from workbook_builder.homework.roster import ID_COLUMNS, read_roster
from workbook_builder.homework.separate import collisions
from workbook_builder.homework.steps import STEP_NAMES, right
from workbook_builder.homework.stress import stressed
from workbook_builder.homework.task import Task
from workbook_builder.homework.variants import (
    HAND_OUT,
    MANIFEST,
    SIGNS,
    Assignment,
    code_of,
    default_salt,
    hand_out,
    shared_steps,
    write_variants,
)
from workbook_builder.package import without_values
from workbook_builder.recalculate import ENGINES

Command = Callable[..., Any]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workbooks that are made at once, for tests of all that surrounds them."""

    def book(task: Task, code: str, **options: object) -> bytes:
        return json.dumps([task.to_json(), code, sorted(options.items())]).encode()

    monkeypatch.setattr(module, "variant_book", book)


# The roster


@pytest.mark.parametrize("column", ID_COLUMNS)
def test_a_column_of_ids_is_found_by_its_name(column: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    header = column.replace("_", " ").title()
    path.write_text(f"Name;{header};Group\nÅsa;003;a\nBo;3;b\n", "utf-8")
    assert read_roster(path).students == ("003", "3")
    assert read_roster(path).column == header


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_list_saved_by_a_spreadsheet_program_is_read(encoding: str, delimiter: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    rows = [["E-Mail", "Name"], ["jörg@x.org", "Jörg"], ["zoë@x.org", f"Zoë{delimiter}Q"], ["", ""]]
    text = "\r\n".join(delimiter.join(f'"{value}"' for value in row) for row in rows)
    path.write_bytes(text.encode(encoding))
    assert read_roster(path).students == ("jörg@x.org", "zoë@x.org")


def test_a_plain_list_of_ids_needs_no_header(tmp_path: Path) -> None:
    path = tmp_path / "roster.txt"
    path.write_text("\nsep=;\n101\n102\n\n\n")
    assert read_roster(path).students == ("101", "102")
    assert read_roster(path).column is None


def test_an_accent_written_in_two_ways_is_one_id(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("id\nZoe\u0308\nZo\u00eb\n", "utf-8")
    with pytest.raises(InputError, match=r"line 3, id: this id is in line 2 already"):
        read_roster(path)


def test_every_fault_of_a_roster_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("id,name\na,A\n,B\n\na,C\nb\x07,D\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_roster(path)
    assert [(fault.line, fault.problem) for fault in caught.value.faults] == [
        (3, "the id is blank"),
        (4, "the row is blank"),
        (5, "this id is in line 2 already"),
        (6, "a control character in a name"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("id,name\n", "a header and no student"),
        ("name,group\nA,1\n", "no column is one of ids.*--id-column"),
        ('id\n"a\n', "a quoted field is broken"),
    ],
)
def test_a_roster_without_ids_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_roster(path)


def test_any_column_can_be_the_one_of_ids(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("id,Kennung\n1,x\n2,y\n")
    assert read_roster(path, column="kennung").students == ("x", "y")
    with pytest.raises(InputError, match=r"Did you mean Kennung\?"):
        read_roster(path, column="Kenung")


# Drawing for a class


def test_a_student_gets_the_same_whoever_else_is_in_the_class() -> None:
    assignment = Assignment()
    (alone,) = hand_out(["003"], assignment)
    among = [*hand_out(["001", "002", "003", "004"], assignment)]
    assert among[2] == alone
    assert next(iter(hand_out(["003"], Assignment("another")))).drawn != alone.drawn


def test_neighbours_have_other_answers() -> None:
    handed = [*hand_out([str(number) for number in range(30)], Assignment())]
    for before, after in pairwise(handed):
        shared = {*shared_steps(before.answers, after.answers, 3)}
        assert not {"discounted_gain", "dcg", "ideal_grade", "ideal_discounted_gain", "idcg", "ndcg"} <= shared
        assert not {"first_relevant", "reciprocal_rank", "mrr"} <= shared


def test_neighbours_can_be_kept_from_sharing_any_answer() -> None:
    students = [str(number) for number in range(60)]
    usual = stressed(students, Assignment())
    assert sum(step.shared for step in usual.steps) > 0, "otherwise this shows nothing"
    strict = stressed(students, Assignment(apart=True))
    assert [step.shared for step in strict.steps] == [0] * len(STEP_NAMES)
    assert strict.neighbour_redraws > 0


def test_a_neighbour_with_the_very_same_answers_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "draw", lambda seed, shape: draw(seed % 2, shape))
    handed = [*hand_out([str(number) for number in range(8)], Assignment())]
    assert all(one.drawn != other.drawn for one, other in pairwise(handed))
    assert sum(each.neighbour_redraws for each in handed) > 0


def test_a_code_hides_the_student_and_has_no_look_alikes() -> None:
    code = code_of("003", "homework", default_salt("homework"))
    assert code == "WSUX-T7NW"
    assert {*code_of("x", "y", "z").replace("-", "")} <= {*SIGNS}
    assert len({*SIGNS}) == 32
    assert not {*"01IO"} & {*SIGNS}
    assert code_of("003", "homework", "secret") != code


def test_a_secret_salt_changes_inputs_and_code() -> None:
    (usual,) = hand_out(["003"], Assignment())
    (salted,) = hand_out(["003"], Assignment(salt="secret"))
    assert (salted.code, salted.seed) != (usual.code, usual.seed)
    assert salted.drawn != usual.drawn


# The files


def test_the_files_are_the_same_wherever_they_are_made(tmp_path: Path) -> None:
    """With the real workbooks: the same pair of id and assignment, another class, another folder."""
    first = write_variants(["003", "bo@x.org"], tmp_path / "one")
    second = write_variants(["bo@x.org"], tmp_path / "two")
    (variant,) = second.variants
    assert variant == first.variants[1]
    one, two = ((tmp_path / folder / variant.file).read_bytes() for folder in ("one", "two"))
    assert one == two
    assert hashlib.sha256(one).hexdigest() == variant.checksum
    with zipfile.ZipFile(tmp_path / "one" / variant.file) as archive:
        parts = b"".join(archive.read(name) for name in archive.namelist())
    assert variant.code.encode() in parts
    assert b"bo@x" not in parts


def test_the_manifest_holds_what_marking_needs(quick: None, tmp_path: Path) -> None:
    students = ["a", "b", "ü"]
    assignment = Assignment("week 3", points={"ndcg": 3}, typed_weight=0.5, allowed=("exponential",), language="de")
    written = write_variants(students, tmp_path, assignment)
    manifest = read_manifest(tmp_path / MANIFEST)
    assert manifest == written
    assert manifest.notes == ()
    assert [variant.student for variant in manifest.variants] == students
    assert manifest.points == {**dict.fromkeys(STEP_NAMES, 1.0), "ndcg": 3.0}
    assert (manifest.typed_weight, manifest.allowed, manifest.language) == (0.5, ("exponential",), "de")
    for variant in manifest.variants:
        assert variant.answers == right(variant.task)
        assert collisions(variant.task) == ()
        assert (tmp_path / variant.file).exists()
        assert manifest.by_code()[variant.code] == variant
    rows = (tmp_path / HAND_OUT).read_text("utf-8-sig").splitlines()
    assert rows[0] == "student,code,file"
    assert rows[3] == f"ü,{manifest.variants[2].code},{manifest.variants[2].file}"


def test_made_again_a_folder_keeps_its_salt_and_its_codes(quick: None, tmp_path: Path) -> None:
    first = write_variants(["a"], tmp_path, Assignment(salt="secret"))
    second = write_variants(["a", "b"], tmp_path, Assignment())
    assert second.variants[0] == first.variants[0]
    assert second.salt == "secret"


def test_a_workbook_that_somebody_changed_stays(quick: None, tmp_path: Path) -> None:
    manifest = write_variants(["a", "b"], tmp_path)
    changed = tmp_path / manifest.variants[1].file
    changed.write_bytes(b"answers")
    with pytest.raises(RefusedError, match=r"somebody changed 1 .*--force"):
        write_variants(["a", "b"], tmp_path)
    assert changed.read_bytes() == b"answers"
    write_variants(["a", "b"], tmp_path, force=True)
    assert changed.read_bytes() != b"answers"


def test_another_assignment_in_the_folder_stays(quick: None, tmp_path: Path) -> None:
    write_variants(["a"], tmp_path, Assignment("one"))
    with pytest.raises(RefusedError, match=r'another assignment, "one"'):
        write_variants(["a"], tmp_path, Assignment("two"))
    assert read_manifest(tmp_path / MANIFEST).assignment == "one"
    assert write_variants(["a"], tmp_path, Assignment("two"), force=True).assignment == "two"


def test_nothing_is_written_when_the_inputs_cannot_be_drawn(quick: None, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pool"):
        write_variants(["a"], tmp_path / "out", Assignment(shape=replace(DEFAULT_SHAPE, pool=(0,))))
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_to_is_named(quick: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_variants(["a"], tmp_path / "file")


def test_two_students_with_one_code_are_refused(quick: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "code_of", lambda *_: "AAAA-AAAA")
    with pytest.raises(InputError, match=r"same code.*--salt"):
        write_variants(["a", "b"], tmp_path)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"name": ""}, "the name is empty"),
        ({"shape": replace(DEFAULT_SHAPE, digits=1)}, "--digits"),
        ({"shape": replace(DEFAULT_SHAPE, digits=4)}, "the sheets ask for 3 digits"),
        ({"typed_weight": 2}, "--typed-weight"),
        ({"allowed": ("exponental",)}, r"Did you mean exponential\?"),
        ({"points": {"ncdg": 1}}, r"Did you mean \w*dcg\?"),
        ({"points": {"ndcg": -1}}, "these are no points"),
    ],
)
def test_an_assignment_that_cannot_be_is_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Assignment(**settings)  # type: ignore[arg-type]


# The manifest


TASK = Task((0, 2, 2, 0, 3, 0), (1, 1), 4, (("q1", (1,)), ("q2", (0,))), 4)
MADE = Manifest("hw", "0.1.0", "salt", (Variant("AAAA-AAAA", "a", 2**255, TASK, right(TASK), "a.xlsx", "ff", 3),))


def test_a_manifest_is_read_back_equal_and_byte_for_byte(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    write_manifest(one, MADE)
    write_manifest(two, read_manifest(one))
    assert read_manifest(one) == MADE
    assert one.read_bytes() == two.read_bytes()


def test_an_edited_manifest_is_taken_as_it_is_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    write_manifest(path, MADE)
    layout = json.dumps(json.loads(path.read_text("utf-8")), indent=4)
    path.write_text(layout, "utf-8")
    assert read_manifest(path).notes == (), "only its layout changed"
    path.write_text(layout.replace('"ndcg": 1.0', '"ndcg": 2.0'), "utf-8")
    edited = read_manifest(path)
    assert edited.points["ndcg"] == 2
    assert "was edited" in edited.notes[0]


def test_every_fault_of_a_manifest_is_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    write_manifest(path, MADE)
    spoiled = json.loads(path.read_text("utf-8"))
    spoiled |= {"digits": 99, "asked": ["ndgc"], "typed_weight": "half", "colour": "red"}
    del spoiled["salt"]
    spoiled["variants"] += [{**spoiled["variants"][0], "redraws": -1}, {"task": {"k": 0}}, 7]
    path.write_text(json.dumps(spoiled), "utf-8")
    with pytest.raises(InputError) as caught:
        read_manifest(path)
    columns = {fault.column for fault in caught.value.faults}
    assert {"digits", "asked", "typed_weight", "colour", "salt", "variants[2].redraws", "variants[4]"} <= columns
    assert any("variants[3].task" in fault.file and fault.column == "grades" for fault in caught.value.faults)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda given: given["variants"].append(given["variants"][0]), "2 variants have this code"),
        (lambda given: given["points"].pop("mrr"), "has no points"),
        (lambda given: given["variants"][0]["answers"].pop("mrr"), "no answer to a step that is asked for"),
        (lambda given: given.pop("variants"), "no list of variants"),
        (lambda given: given.update(format=2), "format 2, and this version knows 1"),
        (lambda given: given.pop("what"), "no manifest of an assignment"),
    ],
)
def test_a_manifest_that_cannot_mark_is_refused(
    change: Callable[[dict[str, object]], object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "manifest.json"
    write_manifest(path, MADE)
    given = json.loads(path.read_text("utf-8"))
    change(given)
    path.write_text(json.dumps(given), "utf-8")
    with pytest.raises(InputError, match=said):
        read_manifest(path)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"what": 1}'])
def test_what_is_no_manifest_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json"):
        read_manifest(path)


# The pool and the verb


def test_what_judgments_leave_out_counts_as_grade_0(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 b 2\n")
    assert read_pool(tmp_path / "qrels.txt") == (0, 0, 1, 2)


def test_grades_are_drawn_from_the_teachers_judgments(quick: None, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"q{n % 3} 0 d{n} {grade}\n" for n, grade in enumerate([0] * 12 + [1, 1, 2, 2, 5, 5])))
    pool = read_pool(qrels)
    assert sorted({*pool}) == [0, 1, 2, 5]
    manifest = write_variants(["a"], tmp_path / "out", Assignment(shape=replace(DEFAULT_SHAPE, pool=pool)))
    task = manifest.variants[0].task
    assert {*task.judged} <= {0, 1, 2, 5}
    assert task.highest == 5
    exercise = tmp_path / "mine.toml"
    exercise.write_text("grades = [2, 0, 3]\nmissed = [1]\n")
    assert read_pool(exercise) == (0, 1, 2, 3)


def test_the_verb_writes_a_class_and_says_what_comes_next(quick: None, command: Command, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("id\n003\n004\n")
    done = command("variants", "roster.csv", "--assignment", "week 3", "--out", "out", "--points", "ndcg=2")
    assert (done.code, done.out) == (0, "")
    assert "Wrote 2 workbooks" in done.err
    assert "mark" in done.err
    assert "Writing" not in done.err, "a bar is for a person who watches"
    assert read_manifest(tmp_path / "out" / MANIFEST).points["ndcg"] == 2


def test_a_person_who_watches_sees_how_far_it_is(
    quick: None, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    (tmp_path / "roster.csv").write_text("id\n003\n")
    done = command("variants", "roster.csv")
    assert "Drawing" in done.err
    assert "Writing" in done.err
    assert done.out == ""


@pytest.mark.parametrize("name", ["ironcalc", "cellrune"])
def test_other_engines_find_the_same_values_in_a_class(name: str, tmp_path: Path) -> None:
    engine = needed(ENGINES[name])
    manifest = write_variants(["003", "004", "005"], tmp_path)
    cells = 0
    for variant in manifest.variants:
        data = (tmp_path / variant.file).read_bytes()
        formulas, values = read_cells(data)
        _, again = read_cells(engine.recalculate(without_values(data)))
        for sheet, each in formulas.items():
            cells += len(each)
            assert [again[sheet].get(cell) for cell in each] == [
                pytest.approx(values[sheet][cell], abs=1e-9) for cell in each
            ]
    assert cells > 50


def test_the_verb_shows_how_a_class_spreads_and_writes_nothing(command: Command, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("id\n003\n004\n")
    done = command("variants", "roster.csv", "--stress")
    for part in ("2 students; 0 with the inputs of another", "Redraws a student", "ideal_discounted_gain", "50%"):
        assert part in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["roster.csv"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Give a roster"),
        (["roster.csv", "--points", "ndcg"], "Give them as in ndcg=3"),
        (["roster.csv", "--pool", "nothing.txt"], "there is no such file"),
        (["nothing.csv"], "there is no such file"),
        (["roster.csv", "--language", "xx"], "--language"),
    ],
)
def test_the_verb_explains_what_it_cannot_do(arguments: list[str], said: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("id\n003\n")
    done = command("variants", *arguments)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "variants").exists()
