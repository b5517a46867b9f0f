"""The metrics by name: one ordered registry, and the notation of ir_measures, as in nDCG@10, RR or P@5."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from workbook_builder import metrics
from workbook_builder.errors import Fault, InputError
from workbook_builder.gain import Gain
from workbook_builder.metrics import Grades
from workbook_builder.suggest import did_you_mean

MOST_K = 1_000_000


@dataclass(frozen=True)
class Judged:
    """One query's ranking and what decides its worth: the arguments of every metric."""

    grades: Grades
    judged: Grades
    gain: Gain
    relevant_from: float


@dataclass(frozen=True)
class Metric:
    """A metric's meaning and its function; `cutoff` says whether its name takes @k."""

    meaning: str
    value: Callable[[Judged, int | None], float]
    cutoff: Literal["optional", "required"] = "optional"


METRICS: Mapping[str, Metric] = {
    "nDCG": Metric(
        "normalised discounted cumulative gain", lambda q, k: metrics.ndcg(q.grades, q.judged, k, gain=q.gain)
    ),
    "DCG": Metric("discounted cumulative gain", lambda q, k: metrics.dcg(q.grades, k, gain=q.gain)),
    "IDCG": Metric("the largest DCG any order reaches", lambda q, k: metrics.idcg(q.judged, k, gain=q.gain)),
    "RR": Metric(
        "reciprocal rank of the first relevant document; its mean is MRR",
        lambda q, k: metrics.reciprocal_rank(q.grades, k, relevant_from=q.relevant_from),
    ),
    "P": Metric(
        "precision", lambda q, k: metrics.precision(q.grades, k, relevant_from=q.relevant_from), cutoff="required"
    ),
    "R": Metric(
        "recall", lambda q, k: metrics.recall(q.grades, q.judged, k, relevant_from=q.relevant_from), cutoff="required"
    ),
    "AP": Metric(
        "average precision; its mean is MAP",
        lambda q, k: metrics.average_precision(q.grades, q.judged, k, relevant_from=q.relevant_from),
    ),
}
"""Every metric by its name, in the order of the help."""

OTHER_NAMES = {"mrr": "RR", "map": "AP", "prec": "P", "precision": "P", "recall": "R"}


@dataclass(frozen=True)
class Measure:
    """A metric and its cut-off; its text, as in nDCG@10, reads back with `parse_measure`."""

    metric: str
    k: int | None = None

    def __str__(self) -> str:
        return self.metric if self.k is None else f"{self.metric}@{self.k}"

    def value(self, query: Judged) -> float:
        """The metric of one query."""
        return METRICS[self.metric].value(query, self.k)


DEFAULT_MEASURES = (Measure("nDCG", 10), Measure("RR"), Measure("P", 10), Measure("R", 10))


def parse_measure(text: str) -> Measure:
    """Read NAME or NAME@k; raises InputError for an unknown name, k below 1, or a missing k."""
    name, at, cutoff = text.strip().partition("@")
    if name not in METRICS:
        known = OTHER_NAMES.get(name.casefold())
        remedy = f"Did you mean {known}{at}{cutoff}?" if known else _suggested(name, at + cutoff)
        raise InputError([_fault("there is no such metric", remedy, text)])
    if not at:
        if METRICS[name].cutoff == "required":
            raise InputError([_fault("this metric needs a cut-off", f"Give one, as in {name}@10.", text)])
        return Measure(name)
    if not re.fullmatch("[0-9]{1,9}", cutoff) or not 1 <= int(cutoff) <= MOST_K:
        remedy = f"Give a whole number from 1 to {MOST_K:,}, as in {name}@10."
        raise InputError([_fault("the cut-off cannot be used", remedy, text)])
    return Measure(name, int(cutoff))


def parse_measures(texts: Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Read several, each once and in the order given; raises InputError with every one that cannot be read."""
    measures: dict[Measure, None] = {}
    faults: list[Fault] = []
    for text in texts:
        try:
            measures[parse_measure(str(text))] = None
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return tuple(measures)


def _suggested(name: str, cutoff: str) -> str:
    remedy = did_you_mean(name, METRICS)
    return f"{remedy[:-1]}{cutoff}?" if remedy.endswith("?") else remedy


def _fault(problem: str, remedy: str, text: str) -> Fault:
    return Fault("--metric", problem, remedy, value=text)
