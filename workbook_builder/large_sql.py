"""The metrics of a large run in SQL: a third book, written apart from the reference and compared with it in the tests.

One pass over the run in the file's order numbers its lines and gathers, a row a query, the judged results and the
results of equal score; nothing else of the run is kept. A judged result's rank is its distance from its query's first
line, where the file is ordered by score; results of equal score are ordered by document id, descending.

`graded` holds the judged results in three orders: as they are ranked ('here'), and with equal scores in the 'worst' and
the 'best' order for the queries where that differs. Sums are taken over sorted terms, so that the same terms always
give the same double.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbook_builder.gain import Gain
from workbook_builder.measures import Measure

JUDGED = """
CREATE TEMP TABLE judged AS
SELECT *, {gain} AS gain, grade >= {relevant_from} AS relevant,
       row_number() OVER (PARTITION BY query ORDER BY grade DESC) AS place
FROM (SELECT unnest(string_split($1, chr(10))) AS query, unnest(string_split($2, chr(10))) AS document,
             unnest(string_split($3, chr(10)))::DOUBLE AS grade)
"""

COLUMNS = "'query': 'VARCHAR', 'q0': 'VARCHAR', 'document': 'VARCHAR', 'rank': 'VARCHAR', 'score': 'DOUBLE'"

FILE = """
read_csv({path}, delim = {separator}, columns = {{{columns}}}, compression = {compression},
         header = false, auto_detect = false, quote = '', escape = '', nullstr = '')
"""

ORDERED = """
CREATE TEMP TABLE ordered AS
SELECT query, document, score, row_number() OVER () AS seen FROM {file} ORDER BY query, score DESC, document DESC
"""

BLOCK = """
CREATE OR REPLACE TEMP TABLE block AS
WITH line AS (
    SELECT *, row_number() OVER () AS nth,
           lag(query) OVER () IS NOT DISTINCT FROM query AS continues, lag(score) OVER () AS score_before,
           lead(query) OVER () IS NOT DISTINCT FROM query AS goes_on, lead(score) OVER () AS score_after
    FROM {source}
), marked AS (
    SELECT *, continues AND score = score_before OR goes_on AND score = score_after AS tied
    FROM line LEFT JOIN (SELECT query, document, true AS judged FROM judged) USING (query, document)
)
SELECT query, min({seen}) AS seen, min(nth) AS first, count(*) AS results,
       max(nth) - min(nth) + 1 > count(*) OR bool_or(continues AND score > score_before) AS disordered,
       count(score) < count(*) OR isnan(max(score)) AS unusable,
       list_sort(list(hash(document))) AS hashes,
       list({{'nth': nth, 'document': document}}) FILTER (judged AND NOT tied) AS alone,
       list({{'nth': nth, 'document': document, 'score': score}}) FILTER (tied) AS tied
FROM marked
GROUP BY query
"""

REPEATED = """
SELECT count(*) FROM (
    SELECT query, hash, lag(query) OVER () AS query_before, lag(hash) OVER () AS hash_before
    FROM (SELECT query, unnest(hashes) AS hash FROM block)
) WHERE query = query_before AND hash = hash_before
"""
"""Results that repeat a document of their query; two documents of one hash, one query in 10^13, are counted too."""

UNDERSCORED = "SELECT count(*) FROM {file} WHERE contains(score, '_')"

GRADED = """
CREATE TEMP TABLE graded AS
WITH tied AS (
    SELECT query, first, nth, score, coalesce(grade, 0) AS grade, gain, relevant, document, grade IS NOT NULL AS judged
    FROM (SELECT query, first, unnest(tied, recursive := true) FROM block WHERE tied IS NOT NULL)
    LEFT JOIN judged USING (query, document)
), tie AS (
    SELECT * FROM tied SEMI JOIN (SELECT DISTINCT query, score FROM tied WHERE judged) USING (query, score)
), placed AS (
    SELECT *, min(nth) OVER score - first AS above, min(grade) OVER score <> max(grade) OVER score AS mixed,
           row_number() OVER (PARTITION BY query, score ORDER BY document DESC) AS here,
           row_number() OVER (PARTITION BY query, score ORDER BY grade) AS worst,
           row_number() OVER (PARTITION BY query, score ORDER BY grade DESC) AS best
    FROM tie
    WINDOW score AS (PARTITION BY query, score)
), open AS (
    SELECT DISTINCT query FROM placed WHERE mixed
), alone AS (
    SELECT query, nth - first + 1 AS rank, gain, relevant
    FROM (SELECT query, first, unnest(alone, recursive := true) FROM block WHERE alone IS NOT NULL)
    JOIN judged USING (query, document)
)
SELECT 'here' AS version, * FROM alone
UNION ALL SELECT version, alone.* FROM alone SEMI JOIN open USING (query), (VALUES ('worst'), ('best')) AS v (version)
UNION ALL SELECT 'here', query, above + here, gain, relevant FROM placed WHERE judged
UNION ALL SELECT 'worst', query, above + worst, gain, relevant FROM placed SEMI JOIN open USING (query) WHERE judged
UNION ALL SELECT 'best', query, above + best, gain, relevant FROM placed SEMI JOIN open USING (query) WHERE judged
"""

VALUES = """
WITH pool AS (
    SELECT query, count(*) FILTER (relevant) AS relevant {ideals} FROM judged GROUP BY query
), counted AS (
    SELECT *, count(*) FILTER (relevant) OVER (PARTITION BY version, query ORDER BY rank) AS hits FROM graded
), found AS (
    SELECT version, query, {parts} FROM counted GROUP BY version, query
)
SELECT coalesce(version, 'here') AS version, query, {measures}
FROM pool LEFT JOIN found USING (query)
"""

WITHIN = """
SELECT coalesce(sum(least(results, {depth})), 0)::BIGINT,
       (SELECT count(*) FROM graded WHERE version = 'here' AND rank <= {depth})
FROM block SEMI JOIN judged USING (query)
"""
"""How many results the judged queries have within the depth, and how many of these are judged."""


@dataclass(frozen=True)
class Formula:
    """A measure in SQL: an aggregate over one query's graded results, one over its pool, and the value from both.

    In `value`, {part} and {ideal} are the two, and {k} is the cut-off.
    """

    part: str
    value: str
    ideal: str | None = None


_DCG = "list_aggregate(list_sort(list(gain / log2(rank + 1)) FILTER (gain <> 0 AND rank <= {k})), 'fsum')"
_IDCG = "list_aggregate(list_sort(list(gain / log2(place + 1)) FILTER (gain <> 0 AND place <= {k})), 'fsum')"
_HITS = "count(*) FILTER (relevant AND rank <= {k})"

FORMULAS: Mapping[str, Formula] = {
    "nDCG": Formula(_DCG, "CASE WHEN {ideal} > 0 THEN {part} / {ideal} END", _IDCG),
    "DCG": Formula(_DCG, "{part}"),
    "IDCG": Formula("NULL", "{ideal}", _IDCG),
    "RR": Formula("1 / min(rank) FILTER (relevant AND rank <= {k})", "{part}"),
    "P": Formula(_HITS, "{part} / {k}"),
    "R": Formula(_HITS, "CASE WHEN pool.relevant > 0 THEN {part} / pool.relevant END"),
    "AP": Formula(
        "list_aggregate(list_sort(list(hits / rank) FILTER (relevant AND rank <= {k})), 'fsum')",
        "CASE WHEN pool.relevant > 0 THEN {part} / pool.relevant END",
    ),
}
"""Every metric by its name, as in `measures.METRICS`; where nothing was found the value is NULL and means 0."""

ALL_RANKS = 9_007_199_254_740_991


def double(value: float) -> str:
    """A number as a DOUBLE literal."""
    return f"'{value!r}'::DOUBLE"


def text(value: str) -> str:
    """A string literal."""
    return "'" + value.replace("'", "''") + "'"


GAINS: Mapping[str, Callable[[Gain], str]] = {
    "linear": lambda _: "greatest(grade, 0)",
    "exponential": lambda _: "CASE WHEN grade > 0 THEN pow(2, grade) - 1 ELSE 0 END",
    "table": lambda gain: (
        f"CASE grade {' '.join(f'WHEN {double(grade)} THEN {double(worth)}' for grade, worth in gain.table)} ELSE 0 END"
    ),
}


def judged_sql(gain: Gain, relevant_from: float) -> str:
    """The table of judgments from lists of queries, documents and grades, with what each grade is worth."""
    return JUDGED.format(gain=GAINS[gain.kind](gain), relevant_from=double(relevant_from))


def values_sql(measures: tuple[Measure, ...]) -> str:
    """The query for every measure of every judged query, in each of its orders."""
    parts, ideals, values = [], [], []
    for number, measure in enumerate(measures):
        formula, k = FORMULAS[measure.metric], ALL_RANKS if measure.k is None else measure.k
        parts.append(f"{formula.part.format(k=k)} AS part_{number}")
        ideals.append(f", {(formula.ideal or 'NULL').format(k=k)} AS ideal_{number}")
        value = formula.value.format(part=f"found.part_{number}", ideal=f"pool.ideal_{number}", k=k)
        values.append(f"coalesce({value}, 0)::DOUBLE")
    return VALUES.format(parts=", ".join(parts), ideals=" ".join(ideals), measures=", ".join(values))
