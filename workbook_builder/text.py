"""The words of a workbook in one language, by name."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from workbook_builder.errors import TemplateError
from workbook_builder.lesson import did_you_mean, templates

Facts = Mapping[str, object]


@dataclass(frozen=True)
class Text:
    """One language's words. Every look-up raises TemplateError for a name the language lacks."""

    language: str
    words: Mapping[str, Any]

    def get(self, *path: str, facts: Facts | None = None) -> str:
        """The text at a path of names, with `{fact}` filled in."""
        return _filled(self._at(path), facts or {})

    def lines(self, *path: str, facts: Facts | None = None) -> tuple[str, ...]:
        """A text of several lines."""
        return tuple(_filled(line, facts or {}) for line in self._at(path))

    def optional(self, *path: str, facts: Facts | None = None) -> str | None:
        """The text at a path, or None: for notes that not every cell has."""
        try:
            return self.get(*path, facts=facts)
        except TemplateError:
            return None

    def _at(self, path: tuple[str, ...]) -> Any:
        found: Any = self.words
        for name in path:
            if name not in found:
                raise TemplateError(f"text {self.language}: no {'.'.join(path)}. {did_you_mean(name, list(found))}")
            found = found[name]
        return found


@cache
def languages() -> Mapping[str, Text]:
    """Every language there is a text file for, by code."""
    found = {}
    for item in sorted((templates() / "text").iterdir(), key=lambda item: item.name):
        if item.name.endswith(".toml"):
            language = item.name.removesuffix(".toml")
            found[language] = Text(language, tomllib.loads(item.read_text("utf-8")))
    return found


def _filled(text: str, facts: Facts) -> str:
    for name, fact in facts.items():
        text = text.replace("{" + name + "}", f"{fact:g}" if isinstance(fact, float) else str(fact))
    return text
