"""LETOR and SVMlight: `grade qid:ID features # document text`, as RankLib, Quepid and Elasticsearch LTR write it.

The document is the first word after #, or what follows `docid =`. Comment lines `# qid:ID: words` give query texts.
"""

import re

from workbook_builder.inputs import Judgments
from workbook_builder.readers.gather import GatheredJudgments
from workbook_builder.readers.given import Given

_JUDGMENT = re.compile(r"\s*(\S+)\s+qid:(\S+)")
_QUERY_TEXT = re.compile(r"#\s*qid:([^\s:]+):\s*(.+)")
_DOCUMENT = re.compile(r"#\s*(?:docid\s*[=:]\s*)?(\S+)\s*(.*)")
LINE = "4 qid:1 # doc7 a title"


def recognises(given: Given) -> bool:
    """Whether the first line has a grade and a `qid:`."""
    return bool(given.first_lines) and _JUDGMENT.match(given.first_lines[0]) is not None


def read_judgments(given: Given) -> Judgments:
    """Judgments; features are skipped. Raises InputError with every fault, among them a line without a document."""
    gathered = GatheredJudgments(given.name)
    words: dict[str, list[tuple[str, str]]] = {}
    for place, line in enumerate(given.lines(), start=1):
        if not line.strip():
            continue
        if line.lstrip().startswith("#"):
            if told := _QUERY_TEXT.match(line.strip()):
                gathered.say_of_texts(None, None, told[1], told[2].partition("#")[0])
            continue
        found = _JUDGMENT.match(line)
        if found is None:
            gathered.fault(place, "grade", "there is no grade and qid:", f"Give lines such as {LINE}.", line.strip())
            continue
        named = _DOCUMENT.search(line, found.end())
        if named is None:
            remedy = f"Name the document after #, as in {LINE}: features alone do not tell which document was judged."
            gathered.fault(place, "document", "there is no document", remedy, line.strip())
            continue
        gathered.add(place, found[2], named[1], found[1])
        if named[2]:
            words.setdefault(found[2], []).append((named[1], named[2]))
    _tell_texts(gathered, words)
    return gathered.judgments()


def _tell_texts(gathered: GatheredJudgments, words: dict[str, list[tuple[str, str]]]) -> None:
    """What stands after the document is the query's text when it is the same for all its documents, else a title."""
    several = [told for told in words.values() if len(told) > 1]
    of_query = bool(several) and all(len({text for _, text in told}) == 1 for told in several)
    for query, told in words.items():
        for document, text in told:
            if of_query:
                gathered.say_of_texts(None, None, query, text)
            elif "=" not in text:
                gathered.say_of_texts(document, text, None, None)
