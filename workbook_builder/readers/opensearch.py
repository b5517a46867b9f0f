"""OpenSearch's judgment lists as its search relevance plug-in imports them: ratings, often as text, by query."""

from workbook_builder.inputs import Judgments
from workbook_builder.readers.given import Given
from workbook_builder.readers.tree import items, judging, members

RATINGS = "judgmentRatings"


def recognises(given: Given) -> bool:
    """Whether it has judgment ratings."""
    return given.is_json and isinstance(given.document, dict) and RATINGS in given.document


def read_judgments(given: Given) -> Judgments:
    """Judgments by the query's text. Raises InputError with every fault."""
    gathered, trail = judging(given.name)
    for at, each in items(gathered, members(gathered, given.document, "", (RATINGS,)).get(RATINGS, []), RATINGS):
        entry = members(gathered, each, at, ("query", "ratings"))
        for place, rating in items(gathered, entry.get("ratings", []), f"{at}.ratings"):
            if told := members(gathered, rating, place, ("docId", "rating")):
                step = trail.step(entry["query"], told["docId"])
                gathered.add(step, entry["query"], told["docId"], told["rating"])
    return gathered.judgments()
