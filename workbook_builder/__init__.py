"""Live, proved spreadsheets that teach and explain ranking metrics.

from workbook_builder import build, check, read_qrels, read_run, score

build().save("ndcg_and_mrr.xlsx")                           # the worked example, every formula proved
print(check("ndcg_and_mrr.xlsx")[0])                        # also after somebody edited it
print(score(read_qrels("qrels.txt"), [read_run("run.txt")]).to_frame())
"""

from importlib.metadata import version

from workbook_builder.balance import Disagreement, Report, check
from workbook_builder.builder import Built, DisagreementError, build
from workbook_builder.errors import EngineError, Fault, InputError, RefusedError, TemplateError, WorkbookBuilderError
from workbook_builder.from_runs import exercise_from_runs
from workbook_builder.gain import EXPONENTIAL, LINEAR, Gain
from workbook_builder.inputs import WORKED_EXAMPLE, Exercise, Judgments, Run
from workbook_builder.metrics import (
    average_precision,
    dcg,
    idcg,
    mean_reciprocal_rank,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)
from workbook_builder.mirror import show
from workbook_builder.readers.exercise import read_exercise
from workbook_builder.readers.table import read_exercise_csv
from workbook_builder.readers.trec import read_qrels, read_run
from workbook_builder.scoring import Scores, score
from workbook_builder.source import Source, only, read_source, source_of

__version__ = version("workbook-builder")

__all__ = [
    "EXPONENTIAL",
    "LINEAR",
    "WORKED_EXAMPLE",
    "Built",
    "Disagreement",
    "DisagreementError",
    "EngineError",
    "Exercise",
    "Fault",
    "Gain",
    "InputError",
    "Judgments",
    "RefusedError",
    "Report",
    "Run",
    "Scores",
    "Source",
    "TemplateError",
    "WorkbookBuilderError",
    "average_precision",
    "build",
    "check",
    "dcg",
    "exercise_from_runs",
    "idcg",
    "mean_reciprocal_rank",
    "ndcg",
    "only",
    "precision",
    "read_exercise",
    "read_exercise_csv",
    "read_qrels",
    "read_run",
    "read_source",
    "recall",
    "reciprocal_rank",
    "score",
    "show",
    "source_of",
]
