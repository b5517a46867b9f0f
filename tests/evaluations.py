"""Evaluations to build: a small one that a person can follow, and random ones for property tests."""

from dataclasses import replace

from hypothesis import strategies as st

from workbook_builder.evaluation.inputs import Evaluation
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.inputs import UNLISTED, Judgments, Run
from workbook_builder.measures import METRICS, Measure

EVERY_MEASURE = tuple(
    measure
    for name, metric in METRICS.items()
    for measure in ([Measure(name, 3)] if metric.cutoff == "required" else [Measure(name, 3), Measure(name)])
)
"""Every metric there is, with a cut-off and, where it may be left out, without."""

GRADES = {
    "reset password": {"a": 3.0, "b": 1.0, "c": 0.0, "d": 2.0, "e": 3.0},
    "003": {"a": 1.0, "f": 2.0, "g": 0.0},
    "3": {"a": 0.0, "h": 0.0},
    "=1+1": {"b": 2.0, "c": 2.0, "i": 1.0, "-j": 0.0},
    "nobody answers": {"a": 1.0},
}
BM25 = {
    "reset password": (("b", 9.0), ("new", 8.0), ("a", 7.0), ("c", 6.0), ("e", 5.0)),
    "003": (("g", 2.0), ("z", 1.5), ("f", 1.0)),
    "3": (("a", 3.0), ("x", 2.0), ("h", 1.0)),
    "=1+1": (("i", 4.0), ("c", 3.0), ("b", 2.0), ("-j", 1.0)),
    "not judged": (("a", 1.0),),
}
DENSE = {
    "reset password": (("a", 0.9), ("e", 0.8), ("d", 0.7), ("new", 0.6)),
    "003": (("f", 0.9), ("a", 0.5), ("other", 0.4)),
    "=1+1": (("b", 0.5), ("c", 0.4)),
}
JUDGMENTS = Judgments(GRADES, texts={"a": "How to reset", "b": "=SUM(A1)"}, query_texts={"3": "three"})


def run(name: str, results: dict[str, tuple[tuple[str, float], ...]]) -> Run:
    """A run of documents with their scores, best first."""
    return Run(
        name,
        {query: tuple(document for document, _ in listed) for query, listed in results.items()},
        {query: tuple(score for _, score in listed) for query, listed in results.items()},
    )


SMALL = Evaluation(
    JUDGMENTS,
    (run("bm25", BM25), run("dense", DENSE)),
    EVERY_MEASURE,
    texts=JUDGMENTS.texts,
    query_texts=JUDGMENTS.query_texts,
)
"""Two systems, five queries: one unanswered, one without relevant documents, results nobody judged."""

TABLE = Gain("table", ((0.0, 0.0), (1.0, 0.01), (2.0, 0.1), (3.0, 1.0)))
ALONE = replace(SMALL, runs=SMALL.runs[:1])
WITH_A_GAP = replace(
    SMALL,
    runs=(Run("ranks \"alone\" & 'quoted'", {"003": ("g", UNLISTED, "f", UNLISTED, "z"), "3": ("h",)}), SMALL.runs[1]),
    gain=EXPONENTIAL,
    relevant_from=2,
)
OWN_TABLE = replace(SMALL, gain=TABLE)
SHAPES = {"two systems": SMALL, "one system": ALONE, "a file of ranks": WITH_A_GAP, "an own table": OWN_TABLE}

QUERIES = (
    "003",
    "3",
    "=1+1",
    "-x",
    "+y",
    "@z",
    "Q 1",
    "q 1",
    "straße",
    "查询",
    'it\'s "quoted"',
    "a<b>&c",
    "  spaced  ",
    "Q*?~",
)
DOCUMENTS = ("d1", "d2", "01", "1", "=A1", "-d", "dé", "文書", "a b", "'q", 'say "x"', "<b>", "D1x")
SYSTEMS = ("bm25", "it's", 'a "b"', "=sum", "dense & sparse", "日本語", "-minus", "Summary", "A1")


@st.composite
def evaluations(draw: st.DrawFn) -> Evaluation:
    """Any small evaluation a reader may yield: holes, gaps, ties, unanswered queries, odd ids, every gain."""
    gain = draw(st.sampled_from([LINEAR, EXPONENTIAL, TABLE]))
    scales = [(0.0, 1.0), (0.0, 1.0, 2.0, 3.0), (-2.0, 0.0, 1.0, 4.0), (0.0, 0.5, 1.0, 1.25), (0.1, 0.3, 0.7)]
    scale = scales[1] if gain == TABLE else draw(st.sampled_from(scales))
    queries = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=6, unique=True))
    pools = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(scale), min_size=1, max_size=6)
    grades = {query: draw(pools) for query in queries}
    names = draw(st.lists(st.sampled_from(SYSTEMS), min_size=1, max_size=3, unique=True))
    return Evaluation(
        Judgments(grades),
        tuple(draw(_runs(name, queries)) for name in names),
        tuple(draw(st.lists(_measures(), min_size=1, max_size=4, unique=True))),
        gain,
        draw(st.sampled_from([1.0, 2.0, 0.5])),
    )


@st.composite
def _runs(draw: st.DrawFn, name: str, queries: list[str]) -> Run:
    answered = draw(st.lists(st.sampled_from(queries), min_size=1, max_size=len(queries), unique=True))
    documents = st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=8, unique=True)
    rankings = {query: tuple(draw(documents)) for query in answered}
    if draw(st.booleans()):
        scores = {
            query: tuple(sorted(draw(st.lists(st.integers(0, 3).map(float), min_size=len(of), max_size=len(of)))))[::-1]
            for query, of in rankings.items()
        }
        return Run(name, rankings, scores)
    gaps = {query: (UNLISTED,) * draw(st.integers(0, 2)) + listed for query, listed in rankings.items()}
    return Run(name, gaps)


@st.composite
def _measures(draw: st.DrawFn) -> Measure:
    name = draw(st.sampled_from(list(METRICS)))
    k = st.integers(1, 60)
    return Measure(name, draw(k if METRICS[name].cutoff == "required" else st.one_of(st.none(), k)))
