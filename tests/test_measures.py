"""Measures are written as in ir_measures, and a name that is nearly right gets a suggestion."""

import pytest

from workbook_builder.errors import InputError
from workbook_builder.gain import LINEAR
from workbook_builder.measures import DEFAULT_MEASURES, METRICS, Judged, Measure, parse_measure, parse_measures


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_reads_back_from_its_text_and_has_a_meaning(name: str) -> None:
    for measure in (Measure(name, 10), *([] if METRICS[name].cutoff == "required" else [Measure(name)])):
        assert parse_measure(str(measure)) == measure
    assert METRICS[name].meaning


def test_the_defaults_are_what_the_help_says() -> None:
    assert list(map(str, DEFAULT_MEASURES)) == ["nDCG@10", "RR", "P@10", "R@10"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("NDCG@10", "Did you mean nDCG@10?"),
        ("ndcg", "Did you mean nDCG?"),
        ("MRR@10", "Did you mean RR@10?"),
        ("map", "Did you mean AP?"),
        ("Recall@5", "Did you mean R@5?"),
        ("ERR@20", "Did you mean RR@20?"),
        ("bpref", "Known are nDCG, DCG, IDCG, RR, P, R, AP."),
        ("", "there is no such metric"),
        ("P", "Give one, as in P@10."),
        ("R", "this metric needs a cut-off"),
        ("nDCG@0", "the cut-off cannot be used"),
        ("nDCG@-1", "the cut-off cannot be used"),
        ("nDCG@1.5", "the cut-off cannot be used"),
        ("nDCG@", "the cut-off cannot be used"),
        ("nDCG@ten", "the cut-off cannot be used"),
        ("nDCG@" + "9" * 5000, "the cut-off cannot be used"),
    ],
)
def test_a_measure_that_cannot_be_read_says_what_to_write(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_measure(text)
    assert told in str(caught.value)


def test_all_bad_measures_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_measures(["nDCG@10", "P", "foo@1"])
    assert [fault.value for fault in caught.value.faults] == ["P", "foo@1"]


def test_a_measure_given_twice_counts_once_in_the_order_given() -> None:
    assert parse_measures(["RR", "nDCG@10", "RR", "nDCG@010"]) == (Measure("RR"), Measure("nDCG", 10))


def test_each_measure_is_the_metric_of_its_name() -> None:
    query = Judged([0, 2, 1], [2, 1, 0, 3], LINEAR, 2)
    values = {str(measure): measure.value(query) for measure in parse_measures(["RR", "P@2", "R@3", "AP", "RR@1"])}
    assert values == {"RR": 0.5, "P@2": 0.5, "R@3": 0.5, "AP": 0.25, "RR@1": 0.0}
    assert Measure("nDCG", 3).value(query) == Measure("DCG", 3).value(query) / Measure("IDCG", 3).value(query)
