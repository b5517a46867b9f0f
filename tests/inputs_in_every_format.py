"""The same small judgments and run in every format there is, as bytes."""

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import openpyxl

GRADES = {"q1": {"d1": 2.0, "d02": 0.0}, "q2": {"d1": 1.0}}
RANKINGS = {"q1": ("d3", "d1"), "q2": ("d02", "d1")}

JUDGMENT_ROWS = [("q1", "d1", 2), ("q1", "d02", 0), ("q2", "d1", 1)]
RUN_ROWS = [("q1", "d3", 1, 9.5), ("q1", "d1", 2, 3.0), ("q2", "d02", 1, 0.25), ("q2", "d1", 2, -1e-3)]


def text(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def sheet(*tables: tuple[str, list[str], list[tuple[object, ...]]]) -> bytes:
    """A workbook with a sheet a table: its title, its heading and its rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, heading, rows in tables:
        page = book.create_sheet(title)
        page.append(heading)
        for row in rows:
            page.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def parquet(columns: str, rows: list[tuple[object, ...]]) -> bytes:
    """A Parquet file with the columns as SQL declares them."""
    with TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = Path(folder) / "t.parquet"
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(rows[0]))})", rows)
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
        return path.read_bytes()


def as_json(document: object) -> bytes:
    return json.dumps(document, indent=1).encode()


def plain(document: str) -> Callable[[], bytes]:
    return document.encode


JUDGMENTS: Mapping[str, Callable[[], bytes]] = {
    "excel": lambda: sheet(
        ("Notes", ["Read me"], []), ("Judged", ["Rating", "Query ID", "Doc"], [(g, q, d) for q, d, g in JUDGMENT_ROWS])
    ),
    "parquet": lambda: parquet("query_id VARCHAR, doc_id VARCHAR, relevance TINYINT", list(JUDGMENT_ROWS)),
    "rank-eval": lambda: as_json(
        {
            "requests": [
                {
                    "id": query,
                    "request": {"query": {"match_all": {}}},
                    "ratings": [
                        {"_index": "shop", "_id": doc, "rating": grade}
                        for judged, doc, grade in JUDGMENT_ROWS
                        if judged == query
                    ],
                }
                for query in GRADES
            ],
            "metric": {"dcg": {}},
        }
    ),
    "opensearch": lambda: as_json(
        {
            "name": "ours",
            "judgmentRatings": [
                {"query": query, "ratings": [{"docId": doc, "rating": f"{grade:.3f}"} for doc, grade in judged.items()]}
                for query, judged in GRADES.items()
            ],
        }
    ),
    "rre": lambda: as_json(
        {
            "topics": [
                {
                    "description": "all",
                    "query_groups": [
                        {
                            "name": query,
                            "queries": [{"template": "t.json", "placeholders": {"$query": query}}],
                            "relevant_documents": {doc: {"gain": grade} for doc, grade in judged.items()},
                        }
                        for query, judged in GRADES.items()
                    ],
                }
            ]
        }
    ),
    "quepid": lambda: as_json({"queries": [{"query": query, "ratings": judged} for query, judged in GRADES.items()]}),
    "ranx": lambda: as_json(GRADES),
    "letor": plain(
        "# a comment\n2 qid:q1 1:0.5 2:-3 # d1\n0\tqid:q1\t1:0 #docid = d02 inc = 1 prob = 0.1\n1 qid:q2 # d1\n"
    ),
    "beir": plain("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td02\t0\nq2\td1\t1\n"),
    "csv": plain('Rating;"Query";DocID\n2,0;q1;d1\n0;" q1";"d02"\n1;q2;d1;\n'),
    "trec": plain("q1 0 d1 2\nq1\t0\td02\t0\t\n\n# a comment\nq2 Q0 d1 1\n"),
}
"""Format -> the judgments in it."""

RUNS: Mapping[str, Callable[[], bytes]] = {
    "excel": lambda: sheet(
        ("Judged", ["query", "doc", "grade"], list(JUDGMENT_ROWS)),
        ("Found", ["score", "query", "docid"], [(s, q, d) for q, d, _, s in RUN_ROWS]),
    ),
    "parquet": lambda: parquet(
        "q_id VARCHAR, doc_id VARCHAR, score DOUBLE", [(q, d, score) for q, d, _, score in RUN_ROWS]
    ),
    "rank-eval-response": lambda: as_json(
        {
            "metric_score": 0.5,
            "details": {
                query: {
                    "metric_score": 0.5,
                    "unrated_docs": [],
                    "hits": [{"hit": {"_index": "shop", "_id": doc, "_score": 1.0}, "rating": None} for doc in docs],
                }
                for query, docs in RANKINGS.items()
            },
            "failures": {},
        }
    ),
    "result-lists": lambda: as_json([{"query": query, "docs": docs} for query, docs in RANKINGS.items()]),
    "ranx": lambda: as_json({q: {d: s for of, d, _, s in RUN_ROWS[::-1] if of == q} for q in RANKINGS}),
    "csv": plain("position\tdocument_id\ttopic\n2\td1\tq1\n1\td3\tq1\n1\td02\tq2\n2\td1\tq2\n"),
    "ordered": plain("query,docid,rating\nq1,d3,\nq1,d1,2.0\nq2,d02,\nq2,d1,1.0"),
    "trec": plain("q1 Q0 d3 0 9.5 tag\nq1 Q0 d1 1 3e0 tag more words\nq2\tQ0\td1\t7\t-1E-3\ttag\nq2 Q0 d02 9 .25\n"),
    "msmarco": plain("q1\td3\t1\nq1\td1\t2\nq2\td1\t2\nq2\td02\t1\n"),
}
"""Format -> the run in it."""

BINARY = {"excel", "parquet"}
MUST_BE_SAID = {"ordered"}
