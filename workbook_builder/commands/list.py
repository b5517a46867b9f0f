"""`list`: what there is, and what is installed here."""

import json

from workbook_builder import __version__
from workbook_builder.commands.options import AsJson
from workbook_builder.lesson import lessons
from workbook_builder.readers.formats import FORMATS
from workbook_builder.recalculate import ENGINES
from workbook_builder.text import languages


def verb(as_json: AsJson = False) -> None:
    """List the lessons, the languages, the formats and the formula engines, with what is installed here."""
    text = languages()["en"]
    sheets = {text.get("lesson", name, "title"): text.get("lesson", name, "summary") for name in lessons()}
    engines = {name: engine.version for name, engine in ENGINES.items()}
    formats = {name: {"meaning": known.meaning, "holds": known.holds} for name, known in FORMATS.items()}
    if as_json:
        known = {
            "version": __version__,
            "lessons": sheets,
            "languages": list(languages()),
            "formats": formats,
            "engines": engines,
        }
        print(json.dumps(known, ensure_ascii=False))
        return
    print("Lessons")
    for title, summary in sheets.items():
        print(f"  {title}: {summary}")
    print(f"Languages\n  {', '.join(languages())}\nFormats")
    for name, told in formats.items():
        print(f"  {name}: {told['meaning']} ({told['holds']})")
    print("Engines")
    for name, version in engines.items():
        print(f"  {name}: {version or 'not installed. ' + ENGINES[name].remedy}")
