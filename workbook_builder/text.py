"""The words of a workbook in one language, by name."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from workbook_builder.errors import Fault, InputError, TemplateError
from workbook_builder.lesson import templates
from workbook_builder.suggest import did_you_mean

Facts = Mapping[str, object]


@dataclass(frozen=True)
class Text:
    """One language's words, or a part of them. Every look-up raises TemplateError for a name the language lacks."""

    language: str
    words: Mapping[str, Any]
    facts: Facts = field(default_factory=dict)

    def within(self, *path: str, facts: Facts) -> "Text":
        """The part under a path of names; its texts get these facts filled in for `{fact}`."""
        return Text(self.language, self._at(path), facts)

    def get(self, *path: str, facts: Facts | None = None) -> str:
        """The text at a path of names, with facts filled in."""
        return _filled(self._at(path), facts or self.facts)

    def lines(self, *path: str) -> tuple[str, ...]:
        """A text of several lines."""
        return tuple(_filled(line, self.facts) for line in self._at(path))

    def optional(self, *path: str) -> str | None:
        """The text at a path, or None: for notes that not every cell has."""
        found: Any = self.words
        for name in path:
            if name not in found:
                return None
            found = found[name]
        return _filled(found, self.facts)

    def _at(self, path: tuple[str, ...]) -> Any:
        found: Any = self.words
        for name in path:
            if name not in found:
                raise TemplateError(f"text {self.language}: no {'.'.join(path)}. {did_you_mean(name, list(found))}")
            found = found[name]
        return found


@cache
def languages() -> Mapping[str, Text]:
    """Every language there is a folder of texts for, by code; each file in it holds the words of one topic."""
    found = {}
    for folder in sorted((templates() / "text").iterdir(), key=lambda item: item.name):
        words: dict[str, Any] = {}
        for topic in sorted(folder.iterdir(), key=lambda item: item.name):
            words = _merged(words, tomllib.loads(topic.read_text("utf-8")), topic.name)
        found[folder.name] = Text(folder.name, words)
    return found


def words_in(language: str) -> Text:
    """The words of a language; raises InputError for one there are no words in."""
    if language not in languages():
        remedy = did_you_mean(language, languages())
        raise InputError([Fault("--language", "there are no words in this language", remedy, value=language)])
    return languages()[language]


def _merged(known: Mapping[str, Any], added: Mapping[str, Any], topic: str) -> dict[str, Any]:
    """The words of both; two topics may share a table, and not a word. Raises TemplateError for one that is in both."""
    merged = dict(known)
    for name, value in added.items():
        if isinstance(value, Mapping) and isinstance(merged.get(name, {}), Mapping):
            merged[name] = _merged(merged.get(name, {}), value, topic)
        elif name in merged:
            raise TemplateError(f"text {topic}: another topic says {name} already. Rename one of them.")
        else:
            merged[name] = value
    return merged


def _filled(text: str, facts: Facts) -> str:
    if "{" not in text:
        return text
    for name, fact in facts.items():
        text = text.replace("{" + name + "}", f"{fact:g}" if isinstance(fact, float) else str(fact))
    return text
