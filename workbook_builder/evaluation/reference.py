"""The second book of an evaluation: what every formula should give, from the inputs and `metrics` alone.

Values are kept by sheet and by the formula's name, in the order of the sheet's rows and, within one, of its columns.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from workbook_builder import metrics
from workbook_builder.evaluation.inputs import Evaluation
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.measures import Judged, Measure

Array = NDArray[np.float64]
Value = float | str
Line = tuple[str, float | None]


@dataclass(frozen=True)
class Choices:
    """What the drop-down cells say; a text that is no entry of its list counts as the first."""

    query: str
    system: str
    first_system: str
    second_system: str
    metric: str


@dataclass(frozen=True)
class Words:
    """The words that formulas show, in the workbook's language."""

    unjudged: str
    gap: str
    none: str
    missed: str
    undefined: str
    as_built: str
    build_again: str
    partly: str
    wholly: str
    unlisted: str
    falling: str
    beyond: str
    fine: str
    irrelevant: str
    perfect: str


@dataclass(frozen=True)
class Listed:
    """One system's results of a query: the grade at each rank, NaN where nobody judged, and what the ideal is of."""

    documents: tuple[str, ...]
    grades: Array
    pool: Array

    @property
    def earning(self) -> Array:
        """The grades, an unjudged result as 0."""
        return np.nan_to_num(self.grades)

    def unjudged(self, k: int) -> int:
        """How many results of the top k nobody judged; a rank without a document is none."""
        return sum(bool(document) for document in np.array(self.documents)[:k][np.isnan(self.grades[:k])].tolist())


@dataclass(frozen=True)
class Reference:
    """The expected values of one evaluation workbook, given the rows of its judgments and the shape it was built in."""

    evaluation: Evaluation
    lines: Sequence[Sequence[Line]]
    levels: tuple[float, ...]
    deepest: int
    words: Words

    def counted(self, measure: Measure) -> int:
        """How many ranks a measure counts."""
        return self.deepest if measure.k is None else max(1, min(measure.k, self.deepest))

    @cached_property
    def main(self) -> Measure:
        """The measure whose k says what "the top" is."""
        measures = self.evaluation.measures
        return next((each for each in measures if each.metric == "nDCG"), measures[0])

    @cached_property
    def listed(self) -> tuple[tuple[Listed, ...], ...]:
        """By system and query."""
        judged = [{document: grade for document, grade in lines if grade is not None} for lines in self.lines]
        return tuple(
            tuple(
                Listed(
                    run.rankings.get(query, ()),
                    np.array([pool.get(each) for each in run.rankings.get(query, ())], dtype=np.float64),
                    np.array(list(pool.values()), dtype=np.float64),
                )
                for query, pool in zip(self.evaluation.queries, judged, strict=True)
            )
            for run in self.evaluation.runs
        )

    def value(self, system: int, query: int, measure: Measure) -> float:
        """A measure of one query."""
        listed = self.listed[system][query]
        view = Judged(listed.earning, listed.pool, self.evaluation.gain, self.evaluation.relevant_from)
        return Measure(measure.metric, self.counted(measure)).value(view)

    @cached_property
    def per_query(self) -> tuple[Array, ...]:
        """By system, an array of a row a query and a column a measure."""
        return tuple(
            np.array(
                [
                    [self.value(system, query, measure) for measure in self.evaluation.measures]
                    for query in range(len(self.evaluation.queries))
                ]
            ).reshape(len(self.evaluation.queries), len(self.evaluation.measures))
            for system in range(len(self.evaluation.runs))
        )

    def names(self) -> list[str]:
        """Each measure's name, with the k it counts to where one is given."""
        return [
            measure.metric + (f"@{measure.k}" if measure.k is not None else "") for measure in self.evaluation.measures
        ]

    def perfect(self, listed: Listed) -> float:
        """NDCG if every unjudged result of the top k had the highest grade, and the ideal knew of it."""
        k, gain = self.counted(self.main), self.evaluation.gain
        grades = listed.grades.copy()
        named = np.array([bool(document) for document in listed.documents], dtype=bool)
        holes = np.isnan(grades) & named & (np.arange(len(grades)) < k)
        grades[holes] = self.levels[-1]
        pool = np.concatenate([listed.pool, np.full(int(holes.sum()), self.levels[-1])])
        return metrics.ndcg(np.nan_to_num(grades), pool, k, gain=gain)

    def discount(self) -> Mapping[str, Sequence[Value]]:
        """The sheet Discount."""
        worth = 1 / np.array(metrics.discounts(self.deepest))
        return {"discount": worth.tolist(), "running": np.cumsum(worth).tolist()}

    def results(self) -> Mapping[str, Sequence[Value]]:
        """The sheet Results: a value a result that has a line in Judgments."""
        found: dict[str, list[Value]] = defaultdict(list)
        gain, threshold = self.evaluation.gain, self.evaluation.relevant_from
        lined = [{document for document, _ in lines} for lines in self.lines]
        for systems in self.listed:
            for listed, known in zip(systems, lined, strict=True):
                # An unjudged result earns nothing, also where a table gives grade 0 a gain.
                worth = np.array(metrics.discounted_gains(listed.earning, gain=gain)) * ~np.isnan(listed.grades)
                hits = np.cumsum(listed.grades >= threshold)
                for rank, document in enumerate(listed.documents, 1):
                    if document not in known:
                        continue
                    grade = float(listed.grades[rank - 1])
                    found["grade"].append(self.words.unjudged if np.isnan(grade) else grade)
                    found["discounted_gain"].append(float(worth[rank - 1]))
                    found["found"].append(float(hits[rank - 1]))
                    found["precision"].append(float(hits[rank - 1]) / rank if grade >= threshold else 0.0)
        return found

    def ideal(self) -> Mapping[str, Sequence[Value]]:
        """The sheet Ideal."""
        found: dict[str, list[Value]] = defaultdict(list)
        for listed in self.listed[0]:
            found["judged"].append(float(len(listed.pool)))
            found["relevant"].append(float(np.count_nonzero(listed.pool >= self.evaluation.relevant_from)))
            found["at_least"] += [float(np.count_nonzero(listed.pool >= level)) for level in self.levels]
            found["idcg"] += [
                metrics.idcg(listed.pool, self.counted(measure), gain=self.evaluation.gain)
                for measure in self.evaluation.measures
                if measure.metric in ("nDCG", "IDCG")
            ]
        return found

    def first_relevant(self, listed: Listed) -> int | None:
        """The rank of the first relevant result."""
        return metrics.first_relevant_rank(listed.earning, relevant_from=self.evaluation.relevant_from)

    def queries(self) -> Mapping[str, Sequence[Value]]:
        """The sheet Queries. A query without results holds plain zeros, except for what its ideal is."""
        found: dict[str, list[Value]] = defaultdict(list)
        found["name"] += self.names()
        k = self.counted(self.main)
        for values, systems in zip(self.per_query, self.listed, strict=True):
            for row, listed in zip(values.tolist(), systems, strict=True):
                answered = len(listed.documents) > 0
                found["metric"] += [
                    value
                    for value, measure in zip(row, self.evaluation.measures, strict=True)
                    if answered or measure.metric == "IDCG"
                ]
                if answered:
                    found["first_relevant"].append(self.first_relevant(listed) or self.words.none)
                    found["top"].append(float(min(k, len(listed.documents))))
                    found["unjudged"].append(float(listed.unjudged(k)))
                    found["perfect"].append(self.perfect(listed))
        return found

    def summary(self) -> Mapping[str, Sequence[Value]]:
        """The sheet Summary."""
        evaluation, found = self.evaluation, defaultdict[str, list[Value]](list)
        names = self.names()
        found["ranks_counted"] += [float(self.counted(measure)) for measure in evaluation.measures]
        found["name"] += names
        main = names[evaluation.measures.index(self.main)]
        found["irrelevant_name"].append(f"{main} {self.words.irrelevant}")
        found["perfect_name"].append(f"{main} {self.words.perfect}")
        k = self.counted(self.main)
        for values, systems in zip(self.per_query, self.listed, strict=True):
            found["mean"] += [metrics.mean(column) for column in values.T.tolist()]
            found["queries"].append(float(len(systems)))
            found["unanswered"].append(float(sum(not listed.documents for listed in systems)))
            relevant = [bool((listed.pool >= evaluation.relevant_from).any()) for listed in systems]
            found["without_relevant"].append(float(relevant.count(False)))
            top = sum(min(k, len(listed.documents)) for listed in systems)
            found["holes"].append(sum(listed.unjudged(k) for listed in systems) / top if top else 0.0)
            found["irrelevant"].append(metrics.mean(values[:, evaluation.measures.index(self.main)].tolist()))
            found["perfect"].append(
                metrics.mean(self.perfect(listed) if listed.documents else 0.0 for listed in systems)
            )
        return {**found, **self._gains()}

    def _gains(self) -> Mapping[str, Sequence[Value]]:
        used = np.array(self.evaluation.gain.of(self.levels))
        steps = np.diff(used, prepend=0.0)
        grades = [grade for lines in self.lines for _, grade in lines if grade is not None]
        words = self.words
        state = words.fine if (steps >= 0).all() else words.falling
        return {
            "linear": LINEAR.of(self.levels).tolist(),
            "exponential": [worth if isfinite(worth) else words.beyond for worth in EXPONENTIAL.of(self.levels)],
            "used": used.tolist(),
            "step": steps.tolist(),
            "check": [state if set(grades) <= set(self.levels) else words.unlisted],
        }


def own_gain(levels: Sequence[float], worth: Sequence[float | None]) -> Gain:
    """The gain a table of one's own states; a blank cell in it is 0."""
    return Gain("table", tuple((level, float(value or 0)) for level, value in zip(levels, worth, strict=True)))
