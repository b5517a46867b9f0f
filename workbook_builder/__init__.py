"""Live, proved spreadsheets that teach and explain ranking metrics.

from workbook_builder import build, check, read_judgments, read_results, score

build().save("ndcg_and_mrr.xlsx")                           # the worked example, every formula proved
print(check("ndcg_and_mrr.xlsx")[0])                        # also after somebody edited it
print(score(read_judgments("qrels.csv"), [read_results("run.txt")]).to_frame())

A name is loaded when it is first used, so that scoring runs does not wait for what writes workbooks.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbook_builder.balance import Disagreement, Report
    from workbook_builder.builder import Built, DisagreementError, build
    from workbook_builder.checking import check
    from workbook_builder.errors import (
        EngineError,
        Fault,
        InputError,
        RefusedError,
        TemplateError,
        WorkbookBuilderError,
    )
    from workbook_builder.evaluation.evaluate import Evaluated, evaluate
    from workbook_builder.evaluation.inputs import Evaluation
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
    from workbook_builder.readers.formats import read_judgments, read_results
    from workbook_builder.readers.objects import judgments_from, run_from
    from workbook_builder.readers.table import read_exercise_csv
    from workbook_builder.readers.trec import read_qrels, read_run
    from workbook_builder.scoring import Scores, score
    from workbook_builder.scoring_files import score_files
    from workbook_builder.source import Source, only, read_source, source_of

    __version__: str

__all__ = [
    "EXPONENTIAL",
    "LINEAR",
    "WORKED_EXAMPLE",
    "Built",
    "Disagreement",
    "DisagreementError",
    "EngineError",
    "Evaluated",
    "Evaluation",
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
    "evaluate",
    "exercise_from_runs",
    "idcg",
    "judgments_from",
    "mean_reciprocal_rank",
    "ndcg",
    "only",
    "precision",
    "read_exercise",
    "read_exercise_csv",
    "read_judgments",
    "read_qrels",
    "read_results",
    "read_run",
    "read_source",
    "recall",
    "reciprocal_rank",
    "run_from",
    "score",
    "score_files",
    "show",
    "source_of",
]

_NAMES = {
    "balance": ("Disagreement", "Report"),
    "checking": ("check",),
    "evaluation.evaluate": ("Evaluated", "evaluate"),
    "evaluation.inputs": ("Evaluation",),
    "builder": ("Built", "DisagreementError", "build"),
    "errors": (
        "EngineError",
        "Fault",
        "InputError",
        "RefusedError",
        "TemplateError",
        "WorkbookBuilderError",
    ),
    "from_runs": ("exercise_from_runs",),
    "gain": ("EXPONENTIAL", "LINEAR", "Gain"),
    "inputs": ("WORKED_EXAMPLE", "Exercise", "Judgments", "Run"),
    "metrics": (
        "average_precision",
        "dcg",
        "idcg",
        "mean_reciprocal_rank",
        "ndcg",
        "precision",
        "recall",
        "reciprocal_rank",
    ),
    "mirror": ("show",),
    "readers.exercise": ("read_exercise",),
    "readers.formats": ("read_judgments", "read_results"),
    "readers.objects": ("judgments_from", "run_from"),
    "readers.table": ("read_exercise_csv",),
    "readers.trec": ("read_qrels", "read_run"),
    "scoring": ("Scores", "score"),
    "scoring_files": ("score_files",),
    "source": ("Source", "only", "read_source", "source_of"),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}
"""Public name -> the module that has it; a test holds these, `__all__` and the imports above to each other."""


if not TYPE_CHECKING:  # to a type checker a module with __getattr__ has every name, also a mistyped one

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415  slow to import, and seldom asked for

            value = version("workbook-builder")
        elif name in _HOME:
            value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
