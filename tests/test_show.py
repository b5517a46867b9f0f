"""`show` mirrors a sheet so that a page, a slide or a terminal tells the same as the workbook."""

from html.parser import HTMLParser

import pytest
from conftest import Command

from workbook_builder import Exercise, InputError, build, only, show, source_of
from workbook_builder.lesson import lessons
from workbook_builder.mirror import FORMATS, displayed


@pytest.fixture(scope="module")
def worked_example() -> bytes:
    return build(only(source_of(), ["worked_example"])).data


def test_text_has_letters_above_and_numbers_before_aligned_columns(worked_example: bytes) -> None:
    lines = show(worked_example).splitlines()
    assert lines[0] == "Worked example"
    assert lines[1].split()[:5] == ["A", "B", "C", "D", "E"]
    assert lines[3].split()[:6] == ["1", "1", "2", "2.000", "3", "3.000"] or lines[3].split()[0] == "2"
    assert lines[14].split() == ["13", "NDCG@k", "0.550"]
    ends = {line.index("2.000") + 5 for line in lines if "2.000" in line[:70]}
    assert len(ends) == 1


def test_formulas_are_shown_on_demand(worked_example: bytes) -> None:
    shown = show(worked_example, formulas=True)
    assert "=B2/LOG(A2+1,2)" in shown
    assert "=IFERROR(1/B16,0)" in shown


def test_markdown_is_one_table_with_as_many_cells_in_each_row(worked_example: bytes) -> None:
    rows = [line for line in show(worked_example, format="markdown").splitlines() if line.startswith("|")]
    assert len({row.count("|") - row.count("\\|") for row in rows}) == 1
    assert "| 13 | NDCG@k | 0.550 |" in "\n".join(rows)


def test_a_bar_in_a_query_does_not_break_the_markdown_table() -> None:
    data = build(only(source_of(Exercise((1.0,), (), 1, (("a|b", 1),))), ["worked_example"])).data
    assert "| a\\|b | 1 |" in show(data, format="markdown")


class Tables(HTMLParser):
    """Counts what a screen reader relies on."""

    def __init__(self) -> None:
        super().__init__()
        self.scopes: list[str | None] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "th":
            self.scopes.append(dict(attrs).get("scope"))


@pytest.mark.parametrize("name", list(lessons()))
def test_html_names_its_rows_and_columns_for_a_screen_reader(name: str) -> None:
    parser = Tables()
    parser.feed(show(build(only(source_of(), [name])).data, format="html"))
    assert set(parser.scopes) == {"col", "row"}
    assert parser.tags.count("caption") == parser.tags.count("table") == 1


def test_html_shows_a_query_as_text_whatever_it_contains() -> None:
    data = build(only(source_of(Exercise((1.0,), (), 1, (("<script>", 1),))), ["worked_example"])).data
    shown = show(data, format="html")
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_a_notebook_shows_the_first_sheet() -> None:
    shown = build()._repr_html_()
    assert shown.count("<table>") == 1
    assert "NDCG@k" in shown


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (0.5504382, "0.000", "0.550"),
        (3, "0", "3"),
        (0.384, "0%", "38%"),
        (0, '[=0]0"*";General', "0*"),
        (2, '[=0]0"*";General', "2"),
        (0.1, "General", "0.1"),
        ("none", "General", "none"),
        (None, "0.000", ""),
    ],
)
def test_values_are_shown_as_the_sheet_formats_them(value: object, number_format: str, shown: str) -> None:
    assert displayed(value, number_format) == shown


def test_an_unknown_format_is_answered_with_the_nearest(worked_example: bytes) -> None:
    with pytest.raises(InputError, match=r"Did you mean html\?"):
        show(worked_example, format="htm")


@pytest.mark.parametrize("form", list(FORMATS))
def test_the_command_prints_a_sheet_and_nothing_else(command: Command, form: str) -> None:
    done = command("show", "Discount", "--format", form)
    assert (done.code, done.err) == (0, "")
    assert "0.631" in done.out


def test_the_command_shows_the_worked_example_unless_told(command: Command) -> None:
    assert command("show").out.startswith("Worked example\n")
    missing = command("show", "Discuont")
    assert missing.code == 2
    assert "Did you mean discount?" in missing.err
