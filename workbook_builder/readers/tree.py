"""Walking JSON that somebody else wrote: what is missing or of another kind is told with its path."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from workbook_builder.errors import Fault
from workbook_builder.readers.gather import Gathered, GatheredJudgments, GatheredRun


class Trail:
    """The query and document of each entry, so that messages can say where something is in a file without lines."""

    def __init__(self) -> None:
        self._entries: list[tuple[object, object]] = []

    def step(self, query: object, document: object) -> int:
        """The place of the next entry."""
        self._entries.append((query, document))
        return len(self._entries) - 1

    def where(self, place: int, role: str) -> tuple[int | None, str]:
        """For `Gathered`."""
        query, document = self._entries[place]
        at = f"query {_shown(query)}, document {_shown(document)}"
        return None, at if role in ("query", "document") else f"{at}, {role}"


def judging(file: str) -> tuple[GatheredJudgments, Trail]:
    """Where judgments of a JSON file go, and the trail their places are on."""
    trail = Trail()
    return GatheredJudgments(file, trail.where), trail


def running(file: str, ranks_from: int = 1) -> tuple[GatheredRun, Trail]:
    """Where results of a JSON file go, and the trail their places are on."""
    trail = Trail()
    return GatheredRun(file, trail.where, ranks_from=ranks_from), trail


def items(gathered: Gathered, value: object, path: str) -> Iterator[tuple[str, Any]]:
    """(path, entry) of a list; anything else is a fault."""
    if not isinstance(value, list):
        _other(gathered, value, path, "a list")
        return
    for index, entry in enumerate(value):
        yield f"{path}[{index}]", entry


def members(gathered: Gathered, value: object, path: str, needed: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """An object; an empty one, with a fault, when it is none or lacks what is needed."""
    if not isinstance(value, dict):
        _other(gathered, value, path, "an object")
        return {}
    if missing := [key for key in needed if key not in value]:
        gathered.faults.append(
            Fault(gathered.file, f'there is no "{missing[0]}" here', "Add it.", column=path, value=_shown(value))
        )
        return {}
    return value


def _other(gathered: Gathered, value: object, path: str, wanted: str) -> None:
    remedy = f"Give {wanted}."
    problem = f"{wanted} is needed here"
    gathered.faults.append(Fault(gathered.file, problem, remedy, column=path or "the top", value=_shown(value)))


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
