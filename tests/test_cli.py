"""The command line: what a person types, what they get, and what they are told when something is wrong."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command
from openpyxl import Workbook, load_workbook

from workbook_builder import commands, read_source
from workbook_builder.commands import VERBS, verb_function
from workbook_builder.package import is_untouched

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 3\n2 0 a 1\n"
RUN = "1 Q0 b 1 3.0 x\n1 Q0 a 2 2.0 x\n"


@pytest.fixture
def trec(tmp_path: Path) -> tuple[Path, Path]:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "bm25.txt"
    qrels.write_text(QRELS)
    run.write_text(RUN)
    return qrels, run


def test_build_alone_writes_the_default_workbook_and_says_what_it_proved(command: Command) -> None:
    done = command("build")
    assert done.code == 0
    assert done.out == ""
    assert "Wrote output/ndcg_and_mrr.xlsx" in done.err
    assert "formula cells agree with the reference; largest difference" in done.err
    assert "formualizer" in done.err
    assert "Worked example: NDCG@k = 0.550 in B13, MRR = 0.567 in C21" in done.err
    assert "check output/ndcg_and_mrr.xlsx" in done.err
    assert is_untouched(Path("output/ndcg_and_mrr.xlsx").read_bytes())


def test_building_twice_over_our_own_file_is_fine(command: Command) -> None:
    assert command("build").code == command("build").code == 0


def test_a_workbook_somebody_edited_is_not_overwritten_without_force(command: Command) -> None:
    command("build")
    path = Path("output/ndcg_and_mrr.xlsx")
    book = load_workbook(path)
    book.worksheets[0]["B2"] = 3
    book.save(path)
    edited = path.read_bytes()
    refused = command("build")
    assert refused.code == 2
    assert "--force" in refused.err
    assert path.read_bytes() == edited
    assert command("build", "--force").code == 0
    assert is_untouched(path.read_bytes())


def test_an_edited_workbook_builds_anew_with_its_inputs(command: Command) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    book.worksheets[0]["B2"], book.worksheets[0]["B10"] = 3, 9
    book.save("mine.xlsx")
    assert command("build", "--input", "mine.xlsx").code == 0
    sheet = load_workbook("output/mine.xlsx", data_only=True).worksheets[0]
    assert (sheet["B2"].value, sheet["B11"].value) == (3, 9), (
        "k = 9 reaches all 7 judged, so the table has one more rank"
    )
    assert command("check", "output/mine.xlsx").code == 0


def test_a_row_inserted_by_hand_is_another_result_when_built_anew(command: Command) -> None:
    """A spreadsheet program widens our named range when a row is inserted in it; the new grade is read."""
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    sheet = book.worksheets[0]
    sheet["B8"], sheet["B9"] = 1, 3
    book.defined_names["worked_example.grade"].attr_text = "'Worked example'!$B$2:$B$8"
    book.defined_names["worked_example.missed"].attr_text = "'Worked example'!$B$9"
    book.save("mine.xlsx")
    assert command("build", "--input", "mine.xlsx").code == 0
    source = read_source("output/mine.xlsx")
    assert source.inputs["worked_example"]["grade"] == (2, 0, 3, 1, 0, 2, 1)


def test_check_says_which_cell_disagrees_and_ends_with_1(command: Command) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    book.worksheets[0]["C4"] = "=B4/LOG(A4,2)"
    book.save("damaged.xlsx")
    done = command("check", "damaged.xlsx")
    assert done.code == 1
    assert "Worked example!C4 (discounted_gain): the formula is damaged" in done.out
    report = json.loads(command("check", "damaged.xlsx", "--json").out)["reports"][0]
    assert report["agrees"] is False
    assert [each["cell"] for each in report["disagreements"]] == ["C4", "B11", "B13"]


def test_check_names_the_yellow_cell_that_cannot_be_read(command: Command) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    sheet = book.worksheets[0]
    sheet["B3"], sheet["B10"], sheet["B17"] = "good", 2.5, 0
    book.save("odd.xlsx")
    done = command("check", "odd.xlsx")
    assert done.code == 2
    for cell in ("Worked example!B3", "Worked example!B10", "Worked example!B17"):
        assert cell in done.err
    assert "from 0 to 3" in done.err


@pytest.mark.parametrize("content", [b"", b"no workbook", b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
def test_check_of_something_else_ends_with_2_and_a_reason(command: Command, content: bytes) -> None:
    Path("odd.xlsx").write_bytes(content)
    done = command("check", "odd.xlsx")
    assert done.code == 2
    assert done.err.startswith("odd.xlsx: ")


def test_check_of_a_workbook_that_is_not_ours_says_so(command: Command) -> None:
    Workbook().save("other.xlsx")
    done = command("check", "other.xlsx")
    assert done.code == 2
    assert "not a workbook of workbook-builder" in done.err


def test_check_names_the_engines_there_are(command: Command) -> None:
    command("build")
    done = command("check", "output/ndcg_and_mrr.xlsx", "--engine", "libreofice")
    assert done.code == 2
    assert "Did you mean libreoffice?" in done.err


def test_a_starter_exercise_builds_as_it_stands(command: Command) -> None:
    assert command("new", "mine.toml").code == 0
    assert command("new", "mine.toml").code == 2, "a starter never replaces a file"
    assert command("build", "--input", "mine.toml").code == 0
    assert command("check", "output/mine.xlsx").code == 0


def test_a_table_fills_both_tables_and_query_chooses(command: Command) -> None:
    Path("class.csv").write_text("query,rank,grade\na,1,0\na,2,3\nb,1,2\nb,missed,3\n")
    assert command("build", "--input", "class.csv", "--query", "b", "--k", "2").code == 0
    sheet = load_workbook("output/class.xlsx", data_only=True).worksheets[0]
    values = [[cell.value for cell in row] for row in sheet.iter_rows(max_col=3)]
    assert ["missed", 3, None] in values
    assert ["a", 2, 0.5] in values
    assert ["b", 1, 1] in values


def test_trec_files_fill_the_worked_example(command: Command, trec: tuple[Path, Path]) -> None:
    done = command("build", "--qrels", trec[0], "--run", trec[1])
    assert done.code == 0
    assert "Wrote output/bm25.xlsx" in done.err
    assert command("build", "--qrels", trec[0]).code == 2


def test_score_prints_json_in_the_promised_shape(command: Command, trec: tuple[Path, Path]) -> None:
    done = command("score", *trec, "--metric", "RR", "--metric", "nDCG@2", "--per-query", "--json")
    assert done.code == 0
    (run,) = json.loads(done.out)["runs"]
    assert (run["run"], run["queries"]) == ("bm25", 2)
    assert run["per_query"]["1"]["RR"] == 0.5
    assert run["mean"]["RR"] == 0.25
    assert done.out.count("\n") == 1
    assert "per_query" not in json.loads(command("score", *trec, "--json").out)["runs"][0]


def test_score_defaults_to_the_metrics_people_quote(command: Command, trec: tuple[Path, Path]) -> None:
    assert command("score", *trec).out.split()[:5] == ["run", "nDCG@10", "RR", "P@10", "R@10"]


def test_an_unknown_metric_is_answered_with_the_nearest(command: Command, trec: tuple[Path, Path]) -> None:
    done = command("score", *trec, "--metric", "NDGC@10")
    assert done.code == 2
    assert "Did you mean nDCG@10?" in done.err


BAD = {
    "no such file": ("build", "--input", "absent.toml"),
    "a folder": ("build", "--input", "."),
    "a grade that is no number": ("build", "--input", "grade.csv"),
    "only a header": ("build", "--input", "header.csv"),
    "an empty file": ("build", "--input", "empty.csv"),
    "a k below 1": ("build", "--input", "good.csv", "--k", "0"),
    "an unknown query": ("build", "--input", "good.csv", "--query", "zz"),
    "a gain that is none": ("build", "--gain", "steep"),
    "two inputs": ("build", "--input", "good.csv", "--qrels", "a", "--run", "b"),
    "a query without a file": ("build", "--query", "a"),
    "a query for an exercise": ("build", "--input", "good.toml", "--query", "a"),
    "an empty gain": ("build", "--gain", ""),
    "a document id as rank": ("build", "--input", "deep.csv"),
    "a k below 1 for the worked example": ("build", "--k", "0"),
    "a gain table that lacks a grade": ("build", "--gain", "0=0,1=1"),
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_ends_with_2_and_a_remedy_and_writes_nothing(command: Command, arguments: tuple[str, ...]) -> None:
    Path("grade.csv").write_text("query,rank,grade\na,1,good\n")
    Path("header.csv").write_text("query,rank,grade\n")
    Path("empty.csv").write_text("")
    Path("good.toml").write_text("grades = [1]\n")
    Path("deep.csv").write_text("query,rank,grade\na,1000000,1\n")
    Path("good.csv").write_text("query,rank,grade\na,1,1\n")
    done = command(*arguments)
    assert done.code == 2
    assert done.err.strip("╯╰─│ \n").endswith((".", "?"))
    assert not Path("output").exists()


def test_an_exercise_of_grades_alone_is_enough(command: Command) -> None:
    Path("mine.toml").write_text("grades = [0, 2]\n")
    assert command("build", "--input", "mine.toml").code == 0
    assert list(read_source("output/mine.xlsx").inputs["worked_example"]["first_relevant_rank"]) == [2]


@pytest.mark.parametrize("target", ["/proc/no/book.xlsx", ".", "good.csv/book.xlsx"])
def test_a_place_that_cannot_be_written_is_named(command: Command, target: str) -> None:
    Path("good.csv").write_text("query,rank,grade\na,1,1\n")
    done = command("build", "-o", target)
    assert done.code == 2
    assert "Give another name with -o." in done.err


def test_runs_of_one_name_are_told_apart_by_their_paths(command: Command, trec: tuple[Path, Path]) -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "run.txt").write_text(RUN)
    scored = json.loads(command("score", trec[0], "a/run.txt", "b/run.txt", "--json").out)
    assert [run["run"] for run in scored["runs"]] == ["a/run.txt", "b/run.txt"]


def test_unjudged_results_stay_marked_when_built_anew(command: Command, trec: tuple[Path, Path]) -> None:
    trec[1].write_text("1 Q0 zz 1 3.0 x\n1 Q0 a 2 2.0 x\n")
    command("build", "--qrels", trec[0], "--run", trec[1])
    assert command("build", "--input", "output/bm25.xlsx").code == 0
    sheet = load_workbook("output/bm25.xlsx").worksheets[0]
    assert ['"*"' in sheet[cell].number_format for cell in ("B2", "B3")] == [True, False]


RECORDS = [
    {},
    {"lessons": []},
    {"lessons": ["xyz"]},
    {"lessons": [["worked_example"]]},
    {"scale": ["low", "high"]},
    {"gain": "steep"},
    {"format": 99},
    {"names": None},
]


@pytest.mark.parametrize("change", RECORDS, ids=repr)
@pytest.mark.parametrize("verb", [("check",), ("build", "--input")])
def test_a_workbook_whose_record_was_changed_is_refused(
    command: Command, change: dict[str, object], verb: tuple[str, ...]
) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    for stated in book.custom_doc_props.props:
        if stated.name == "workbook-builder":
            stated.value = json.dumps({**json.loads(stated.value), **change} if change else {})
    book.save("odd.xlsx")
    done = command(*verb, "odd.xlsx")
    assert done.code == 2
    assert "build it again" in done.err


@pytest.mark.parametrize("name", ["grade", "missed", "k", "query", "first_relevant_rank"])
@pytest.mark.parametrize("verb", [("check",), ("build", "--input")])
def test_a_lost_named_range_is_named(command: Command, name: str, verb: tuple[str, ...]) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    del book.defined_names[f"worked_example.{name}"]
    book.save("odd.xlsx")
    done = command(*verb, "odd.xlsx")
    assert done.code == 2
    assert f"the named range worked_example.{name} is missing" in done.err


def test_a_renamed_tab_is_found(command: Command) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    book["Worked example"].title = "Bob's sheet"
    for defined in book.defined_names.values():
        defined.attr_text = defined.attr_text.replace("'Worked example'", "'Bob''s sheet'")
    book.save("renamed.xlsx")
    done = command("check", "renamed.xlsx")
    assert done.code == 0, done.out + done.err


def test_a_row_inserted_above_is_answered_with_a_remedy(command: Command) -> None:
    """The formulas moved with it and are right, but no longer where the lesson is laid out."""
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    for defined in book.defined_names.values():
        if "Worked example" in defined.attr_text:
            title, _, area = defined.attr_text.rpartition("!")
            defined.attr_text = title + "!" + re.sub(r"\d+", lambda row: str(int(row[0]) + 1), area)
    book["Worked example"].move_range("A1:E21", rows=1, translate=True)
    book.save("moved.xlsx")
    done = command("check", "moved.xlsx")
    assert done.code == 2
    assert "rows or columns were inserted or deleted: this stood in B2" in done.err
    assert command("build", "--input", "moved.xlsx").code == 0


def test_a_changed_formula_is_named_even_when_its_number_is_right(command: Command) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    book.worksheets[0]["C3"] = "=B3/LOG(A3+2,2)"
    book.save("odd.xlsx")
    done = command("check", "odd.xlsx")
    assert done.code == 1
    assert "C3 (discounted_gain): the formula is damaged" in done.out
    assert "with these inputs the number is right" in done.out


def test_formulas_of_ones_own_are_listed_and_harm_nothing(command: Command) -> None:
    command("build")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    book.worksheets[0]["A30"] = "=SUM(B2:B7)"
    book.save("own.xlsx")
    done = command("check", "own.xlsx")
    assert done.code == 0
    assert "Not compared, as no lesson put them there: Worked example!A30" in done.out


def test_texts_that_look_like_formulas_stay_text(command: Command) -> None:
    Path("odd.csv").write_text('query,rank,grade\n=1+1,1,1\n"@SUM(A1)",1,0\n../up,1,2\n+49,1,1\n#N/A,1,1\n007,1,1\n')
    assert command("build", "--input", "odd.csv").code == 0
    sheet = load_workbook("output/odd.xlsx").worksheets[0]
    texts = {cell.value: cell.data_type for (cell,) in sheet.iter_rows(max_col=1)}
    for name in ("=1+1", "@SUM(A1)", "../up", "+49", "#N/A", "007"):
        assert texts[name] == "s"
    assert command("check", "output/odd.xlsx", "--engine", "formualizer").code == 0


def test_each_sheet_has_its_own_table_of_gains(command: Command) -> None:
    """A gain changed on one sheet changes that sheet, and the check follows."""
    command("build", "--gain", "0=0,1=.01,2=.1,3=1")
    book = load_workbook("output/ndcg_and_mrr.xlsx")
    (area,) = book.defined_names["order_matters.listed_gain"].destinations
    first = area[1].replace("$", "").split(":")[0]
    book[area[0]][first] = 0.005
    book.save("mine.xlsx")
    done = command("check", "mine.xlsx")
    assert done.code == 0, done.out
    assert command("build", "--input", "mine.xlsx").code == 0


def test_a_sheet_is_picked_by_its_name_or_by_its_tab_in_any_language(command: Command) -> None:
    assert command("build", "--lesson", "Gain", "--lesson", "discount", "--language", "de").code == 0
    assert load_workbook("output/ndcg_and_mrr.xlsx").sheetnames == ["Abzinsung", "Gewinn"]


def test_list_tells_lessons_languages_and_engines(command: Command) -> None:
    known = json.loads(command("list", "--json").out)
    assert "Worked example" in known["lessons"]
    assert "en" in known["languages"]
    assert known["engines"]["formualizer"]
    assert "Worked example" in command("list").out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_the_help_that_the_overview_lists(command: Command, verb: str) -> None:
    first_line = inspect.cleandoc(verb_function(verb).__doc__ or "").splitlines()[0]
    assert VERBS[verb] == first_line
    assert first_line in " ".join(command(verb, "--help").out.split())
    assert " ".join([verb, first_line]) in " ".join(command("--help").out.split())


def test_every_module_of_commands_is_a_verb() -> None:
    modules = {path.stem for path in Path(commands.__file__).parent.glob("*.py")}
    assert modules - {"__init__", "options"} == set(VERBS)


def test_a_mistyped_verb_is_answered_with_the_nearest(command: Command) -> None:
    done = command("scoer")
    assert done.code == 2
    assert "Did you mean 'score'" in done.err


LIGHT = (["--help"], ["score", "--help"], ["score", "qrels.txt", "bm25.txt"])
HEAVY = ("openpyxl", "pandas", "formualizer", "numpy", "pydantic", "rich.console", "duckdb")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["score", "--help"], ["score", "qrels.txt", "bm25.txt"]], ids=" ".join
)
def test_scoring_runs_does_not_wait_for_what_writes_workbooks(
    trec: tuple[Path, Path], tmp_path: Path, arguments: list[str]
) -> None:
    script = "import sys; from workbook_builder.cli import run_guarded, app; import atexit\n"
    script += f"atexit.register(lambda: print([name for name in {HEAVY} if name in sys.modules]))\nrun_guarded(app)"
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
