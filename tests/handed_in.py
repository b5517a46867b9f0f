"""Homework as students hand it in: a variant's workbook, filled in."""

import io
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.utils.cell import rows_from_range

from workbook_builder.homework.book import ANSWER_NAMES, variant_book
from workbook_builder.homework.draw import draw
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.methods import METHODS
from workbook_builder.homework.steps import STEP_NAMES, Answers, right
from workbook_builder.homework.task import Task

Content = object
Filled = Mapping[str, Sequence[Content]]
"""Step -> what is written into its cells."""
CODES = ("ABCD-2345", "EFGH-6789", "JKMN-2468")
STUDENTS = ("anna", "ben", "chris")


@cache
def task(number: int = 0) -> Task:
    return draw(number).task


@cache
def blank(number: int = 0) -> bytes:
    return variant_book(task(number), CODES[number], title="homework 1")


@cache
def manifest() -> Manifest:
    """Three students' assignment."""
    variants = [
        Variant(
            code, student, number, task(number), right(task(number)), f"{code}.xlsx", sha256(blank(number)).hexdigest()
        )
        for number, (code, student) in enumerate(zip(CODES, STUDENTS, strict=True))
    ]
    return Manifest("homework 1", "0", "salt", tuple(variants))


class Sheets:
    """A variant's workbook and the cells of its names."""

    def __init__(self, data: bytes) -> None:
        self.book: Workbook = load_workbook(io.BytesIO(data))

    def cells(self, name: str) -> list[str]:
        """The addresses of a name's cells, without the sheet."""
        _, _, area = self.book.defined_names[name].attr_text.rpartition("!")
        return [cell for row in rows_from_range(area.replace("$", "")) for cell in row]

    def rows(self, name: str) -> list[list[str]]:
        _, _, area = self.book.defined_names[name].attr_text.rpartition("!")
        return [list(row) for row in rows_from_range(area.replace("$", ""))]

    def write(self, name: str, contents: Sequence[Content]) -> None:
        title = self.book.defined_names[name].attr_text.rpartition("!")[0].strip("'")
        for cell, content in zip(self.cells(name), contents, strict=True):
            self.book[title][cell] = content

    def saved(self) -> bytes:
        written = io.BytesIO()
        self.book.save(written)
        return written.getvalue()


def filled(contents: Filled, number: int = 0, change: Callable[[Workbook], object] = lambda _: None) -> bytes:
    """A variant's workbook with these contents in the answer cells, saved by openpyxl: no cached values."""
    sheets = Sheets(blank(number))
    for step, values in contents.items():
        sheets.write(ANSWER_NAMES[step], values)
    change(sheets.book)
    return sheets.saved()


def typed(answers: Answers) -> dict[str, list[Content]]:
    """Answers as typed numbers, "none" where there is no relevant result."""
    return {
        step: [("none" if step == "first_relevant" else None) if value is None else value for value in values]
        for step, values in answers.items()
    }


def right_answers(number: int = 0) -> dict[str, list[Content]]:
    return typed(right(task(number)))


def by_method(name: str, number: int = 0) -> dict[str, list[Content]]:
    """What somebody writes who follows a wrong method and is right in all else."""
    return typed({**right(task(number)), **METHODS[name].values(task(number))})


def handed_in(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def plain_formulas(number: int = 0) -> dict[str, list[Content]]:
    """As the lesson writes them."""
    sheets = Sheets(blank(number))
    at = {step: sheets.cells(ANSWER_NAMES[step]) for step in STEP_NAMES}
    grades, missed = sheets.cells("ndcg_own.grade"), sheets.cells("ndcg_own.missed")
    k, rr_k = task(number).k, sheets.cells("mrr_own.k")[0]
    pool = f"${grades[0][0]}${grades[0][1:]}:${grades[0][0]}${missed[-1][1:]}"
    return {
        "discounted_gain": [f"={cell}/LOG({rank}+1,2)" for rank, cell in enumerate(grades, 1)],
        "dcg": [f"=SUM({at['discounted_gain'][0]}:{at['discounted_gain'][k - 1]})"],
        "ideal_grade": [f"=LARGE({pool},{rank})" for rank in range(1, len(at["ideal_grade"]) + 1)],
        "ideal_discounted_gain": [f"={cell}/LOG({rank}+1,2)" for rank, cell in enumerate(at["ideal_grade"], 1)],
        "idcg": [f"=SUM({at['ideal_discounted_gain'][0]}:{at['ideal_discounted_gain'][k - 1]})"],
        "ndcg": [f"={at['dcg'][0]}/{at['idcg'][0]}"],
        "first_relevant": right_answers(number)["first_relevant"],
        "reciprocal_rank": [f'=IF({cell}="none",0,IF({cell}<={rr_k},1/{cell},0))' for cell in at["first_relevant"]],
        "mrr": [f"=AVERAGE({at['reciprocal_rank'][0]}:{at['reciprocal_rank'][-1]})"],
    }


def other_formulas(number: int = 0) -> dict[str, list[Content]]:
    """The same values from formulas that look otherwise: names, LN, SUMIF, COUNTIF, everything in one cell."""
    sheets = Sheets(blank(number))
    at = {step: sheets.cells(ANSWER_NAMES[step]) for step in STEP_NAMES}
    grades, results = sheets.cells("ndcg_own.grade"), sheets.rows("mrr_own.results")
    first, length = grades[0], len(grades)
    mrr = at["reciprocal_rank"]
    ranks = ";".join(str(rank) for rank in range(1, length + 1))
    return {
        "discounted_gain": [f"={cell}*LN(2)/LN(ROW()-ROW(${first[0]}${first[1:]})+2)" for cell in grades],
        "dcg": [f"=SUMPRODUCT(({{{ranks}}}<=ndcg_own.k)*ndcg_own.discounted_gain)"],
        "ideal_grade": [int(value) for value in right(task(number))["ideal_grade"] if value is not None],
        "ideal_discounted_gain": [f"={cell}/LOG10({n}+1)*LOG10(2)" for n, cell in enumerate(at["ideal_grade"], 1)],
        "idcg": ["=" + "+".join(f"{cell}" for cell in at["ideal_discounted_gain"][: task(number).k])],
        "ndcg": ["=ROUND(ndcg_own.dcg/ndcg_own.idcg,3)"],
        "first_relevant": [
            f'=IFERROR(MATCH(TRUE,INDEX({row[0]}:{row[-1]}>=mrr_own.relevant_from,0),0),"")' for row in results
        ],
        "reciprocal_rank": [f"=IFERROR((1/{cell})*({cell}<=mrr_own.k),0)" for cell in at["first_relevant"]],
        "mrr": [f"=SUM({mrr[0]}:{mrr[-1]})/ROWS({mrr[0]}:{mrr[-1]})"],
    }
