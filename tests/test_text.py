"""Every language says everything, nothing more, and fits where it is shown."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from workbook_builder import build, check
from workbook_builder.errors import TemplateError
from workbook_builder.source import source_of
from workbook_builder.text import Text, languages

LANGUAGES = sorted(languages())
FIRST = "en"


def names(words: Mapping[str, object], path: str = "") -> Iterator[tuple[str, object]]:
    """Every text by its path; a list's lines are counted in its path."""
    for name, value in words.items():
        if isinstance(value, Mapping):
            yield from names(value, f"{path}{name}.")
        elif isinstance(value, list):
            yield from ((f"{path}{name}[{line}]", text) for line, text in enumerate(value))
        else:
            yield path + name, value


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_lacks_no_name_and_has_none_too_many(language: str) -> None:
    assert {name for name, _ in names(languages()[language].words)} == {
        name for name, _ in names(languages()[FIRST].words)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_filled_in_with_facts_that_exist(language: str) -> None:
    first = dict(names(languages()[FIRST].words))
    for name, text in names(languages()[language].words):
        assert str(text).strip(), name
        assert facts_of(str(text)) == facts_of(str(first[name])), name


def facts_of(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_fit_the_spreadsheets_limits(language: str) -> None:
    """32 characters for the title of a message, 255 for its text."""
    for name, text in names(languages()[language].words):
        if name.startswith("input."):
            assert len(str(text)) <= (32 if name.endswith(".title") else 255), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_workbook_in_any_language_is_proved_and_read_back(language: str, tmp_path: Path) -> None:
    built = build(source_of(language=language))
    path = built.save(tmp_path / "book.xlsx")
    (report,) = check(path)
    assert report.agrees, str(report)
    assert report.cells == built.report.cells


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_formulas_are_the_same_in_every_language(language: str) -> None:
    """Only the words they show differ."""
    for ours, first in zip(source_of(language=language).sheets(), source_of().sheets(), strict=True):
        assert ours.grid.formulas(str) == first.grid.formulas(str)


def test_a_missing_text_is_named_with_the_nearest() -> None:
    with pytest.raises(TemplateError, match=r"no words\.nome\. Did you mean none\?"):
        Text("en", languages()["en"].words).get("words", "nome")
