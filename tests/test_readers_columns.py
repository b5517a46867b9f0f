"""Tables with columns: by any usual name, in any order, with what is doubtful said."""

from pathlib import Path

import pytest

from workbook_builder.errors import InputError
from workbook_builder.inputs import UNLISTED, Judgments, Run
from workbook_builder.readers.columns import NAMES
from workbook_builder.readers.formats import read_judgments, read_results
from workbook_builder.scoring import score


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.csv"


def judged(file: Path, text: str) -> Judgments:
    file.write_text(text, encoding="utf-8")
    return read_judgments(file)


def found(file: Path, text: str, ranks_from: int = 1, format: str | None = None) -> Run:  # noqa: A002
    file.write_text(text, encoding="utf-8")
    return read_results(file, ranks_from=ranks_from, format=format)


@pytest.mark.parametrize("query", ["query_id", "QID", "Query", "query-id", "topic", "Topic ID"])
@pytest.mark.parametrize("document", ["doc_id", "docid", "Doc", "document", "docno", "corpus-id", "id"])
@pytest.mark.parametrize("grade", NAMES["grade"])
def test_every_usual_name_of_a_column_is_known(file: Path, query: str, document: str, grade: str) -> None:
    assert judged(file, f"{document},{grade.title()},{query}\nd,2,q\n").grades == {"q": {"d": 2.0}}


def test_ids_stay_text_and_3_differs_from_003(file: Path) -> None:
    assert judged(file, "query,doc,grade\n3,007,1\n003,7,2\n").grades == {"3": {"007": 1.0}, "003": {"7": 2.0}}


def test_a_name_may_hold_the_delimiter_a_blank_or_a_hash_when_it_is_quoted(file: Path) -> None:
    read = judged(file, 'query,doc,grade\n"a, b ""c""",# 1,1\n#tag,d,1\n')
    assert read.grades == {'a, b "c"': {"# 1": 1.0}, "#tag": {"d": 1.0}}


def test_comments_before_the_header_and_blank_rows_are_skipped(file: Path) -> None:
    assert judged(file, "# ours\n\nquery;doc;grade\n;;\n\nq;d;1\n").grades == {"q": {"d": 1.0}}


def test_decimal_commas_are_read_where_commas_do_not_separate_and_are_said(file: Path) -> None:
    read = found(file, "query;doc;score\nq;a;0,5\nq;b;1,25\n")
    assert read.scores == {"q": (1.25, 0.5)}
    assert read.notes == (f"{file}: commas in numbers are decimal commas: 0,5 is read as 0.5",)


def test_a_run_with_ranks_and_scores_goes_by_its_scores(file: Path) -> None:
    assert found(file, "query,doc,rank,score\nq,a,1,0.1\nq,b,2,0.9\n").rankings == {"q": ("b", "a")}


def test_ranks_alone_are_positions_and_gaps_count_as_grade_zero(file: Path) -> None:
    read = found(file, "query,doc,rank\nq,a,4\nq,b,2\n")
    assert read.rankings == {"q": (UNLISTED, "b", UNLISTED, "a")}
    assert read.scores is None
    assert read.notes == (f'{file}: 2 ranks are not listed and count as grade 0, as rank 1 of query "q"',)
    scores = score(Judgments({"q": {"b": 1.0, "a": 0.0}}), read, ["RR", "P@2"]).runs[0]
    assert scores.mean == {"RR": 0.5, "P@2": 0.5}
    assert not [note for note in scores.notes if "never judged" in note]


def test_a_first_rank_of_zero_is_refused_until_it_is_said(file: Path) -> None:
    with pytest.raises(InputError, match=r"line 2, rank: the rank is 0.*say --ranks-from 0"):
        found(file, "query,doc,rank\nq,a,0\nq,b,1\n")
    assert found(file, "query,doc,rank\nq,a,0\nq,b,1\n", ranks_from=0).rankings == {"q": ("a", "b")}
    with pytest.raises(InputError, match="--ranks-from: ranks start at 0 or at 1"):
        found(file, "query,doc,rank\nq,a,0\n", ranks_from=2)


def test_two_documents_at_one_rank_are_refused_with_both(file: Path) -> None:
    with pytest.raises(InputError, match='line 3, rank: query "q" has the document "a" at this rank already: "1"'):
        found(file, "query,doc,rank\nq,a,1\nq,b,1\n")


def test_document_ids_in_the_ranks_column_are_no_ranks(file: Path) -> None:
    with pytest.raises(InputError, match="the rank is too large"):
        found(file, "query,doc,rank\nq,1,7067032\n")


def test_rows_in_rank_order_are_a_run_only_when_that_is_said(file: Path) -> None:
    text = "query,docid,rating\nq,b,3\nq,a,\n"
    with pytest.raises(InputError, match=r"neither a score nor a rank.*if the rows stand in rank order, say --format"):
        found(file, text)
    read = found(file, text, format="ordered")
    assert read.rankings == {"q": ("b", "a")}
    assert read.notes == (f"{file}: the rows are taken to stand in rank order",)


def test_what_quepid_exports_is_read_as_it_means_it(file: Path) -> None:
    """An empty rating is no judgment; a query without ratings is a row of its own; -x is written with a blank."""
    read = judged(file, "query,docid,rating\n -x,d,3.0\nnone yet,,\n -x,e,\n")
    assert read.grades == {"-x": {"d": 3.0}}
    assert read.notes == (f"{file}: 2 entries have no grade: nobody judged these, and they are left out",)


def test_texts_of_queries_and_documents_are_kept(file: Path) -> None:
    read = judged(file, 'qid,query,docid,title,grade\n1,red  shoes,d,"A\nshoe",2\n1,other,e,,1\n')
    assert read.query_texts == {"1": "red shoes"}
    assert read.texts == {"d": "A shoe"}
    assert found(file, "qid,query,docid,title,score\n1,red shoes,d,A shoe,2\n").texts == {"d": "A shoe"}


def test_columns_that_are_not_read_are_named(file: Path) -> None:
    assert judged(file, "query,doc,grade,rater\nq,d,1,ann\n").notes == (f"{file}: ignored columns: rater",)


def test_the_same_judgment_twice_counts_once_and_is_said(file: Path) -> None:
    read = judged(file, "query,doc,grade\nq,d,1\nq,e,0\nq,d,1.0\n")
    assert read.grades == {"q": {"d": 1.0, "e": 0.0}}
    assert read.notes == (
        f'{file}: 1 repeated judgments count once (the first: line 4 repeats line 2, query "q", document "d")',
    )


def test_every_fault_of_a_table_is_told_at_once_with_line_and_column(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        judged(file, "query,Doc,Rating\nq,a,abc\nq,,1\n,b,1\nq,c,nan\nq,d,1\nq,d,2\nq,e\nq,\x01,1\nq,f,1,2\n")
    told = [str(fault).removeprefix(str(file)) for fault in caught.value.faults]
    assert told == [
        ', line 2, Rating: the grade is no number: "abc". Give a number, as in 0, 1, 2 or 3.',
        ", line 3, Doc: the document is empty. Give the document's id.",
        ", line 4, query: the query is empty. Give the query's id.",
        ', line 5, Rating: the grade is no number: "nan". Give a number, as in 0, 1, 2 or 3.',
        ', line 7, Rating: query "q", document "d" was judged 1 in line 6, here: "2". Keep one of the two.',
        ', line 8: 3 columns are needed, here are 2: "q,e". Give query, Doc, Rating.',
        ', line 9, Doc: a control character in a name: "\\x01". Remove it.',
        ', line 10: 3 columns are needed, here are 4: "q,f,1,2". Put quotes around a value that holds ",".',
    ]


def test_every_fault_of_a_run_is_told_at_once(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        found(file, "query,doc,score\nq,a,nan\nq,b,\nq,c,1\nq,c,2\n")
    assert [(fault.line, fault.column, fault.value) for fault in caught.value.faults] == [
        (2, "score", "nan"),
        (3, "score", ""),
        (5, "doc", "c"),
    ]
    assert 'query "q" has this document already in line 4' in str(caught.value)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("qurey,doc,grade", 'no column of the query: "qurey,doc,grade". qurey is near: call it "query".'),
        ("query,doc,grde", 'grde is near: call it "grade".'),
        ("query,doc", "there is no column of the grade"),
        ("query,doc,score", 'If "score" holds the grades, call it "grade".'),
        ("query,grade", "Name one doc_id, or one of docno, docid, documentid, corpusid."),
        ("query,doc,grade,grade", "line 1, grade: a column is there twice"),
        ("query,doc,grade,label", 'two columns may hold the grade: "grade and label"'),
    ],
)
def test_a_header_that_lacks_something_says_what_it_lacks(file: Path, header: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        judged(file, f"{header}\nq,d,1,1\n")
    assert told in str(caught.value)


def test_a_broken_quote_is_told_with_its_line(file: Path) -> None:
    with pytest.raises(InputError, match="line 3: a quoted field is broken"):
        judged(file, 'query,doc,grade\nq,a,1\nq,"b"x,1\n')


def test_a_header_alone_is_no_judgment_and_no_run(file: Path) -> None:
    with pytest.raises(InputError, match="there is no judgment in it"):
        judged(file, "query,doc,grade\n")
    with pytest.raises(InputError, match="there is no result in it"):
        found(file, "query,doc,score\n")


def test_a_file_that_is_wrong_throughout_is_not_read_to_its_end(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        judged(file, "query,doc,grade\n" + "q,d,x\n" * 30_000)
    assert len(caught.value.faults) == 10_000


def test_letor_tells_titles_from_query_texts(file: Path) -> None:
    """Quepid repeats the query's text in every line, Elasticsearch LTR names each document's title."""
    quepid = judged(file, "3 qid:7 # a red shoes\n0 qid:7 # b red shoes\n1 qid:8 # a boots\n")
    assert (quepid.query_texts, quepid.texts) == ({"7": "red shoes", "8": "boots"}, {})
    alone = judged(file, "3 qid:7 # a A shoe\n0 qid:8 # b A hat\n")
    assert (alone.query_texts, alone.texts) == ({}, {"a": "A shoe", "b": "A hat"})
    titles = judged(file, "# qid:7: red shoes\n3\tqid:7\t#\ta\tA shoe\n0\tqid:7\t#\tb\tA hat\n")
    assert (titles.query_texts, titles.texts) == ({"7": "red shoes"}, {"a": "A shoe", "b": "A hat"})


def test_letor_without_documents_is_refused(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        judged(file, "3 qid:7 1:0.5\nx qid:7 # b\nnonsense\n")
    assert [fault.line for fault in caught.value.faults] == [1, 2, 3]
    assert "Name the document after #, as in 4 qid:1 # doc7 a title" in str(caught.value)


def test_a_rank_only_line_of_other_width_is_told(file: Path) -> None:
    with pytest.raises(InputError, match="line 2, columns: 3 columns are needed, here are 2"):
        found(file, "q\ta\t1\nq\tb\n")
