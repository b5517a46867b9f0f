"""Exported exercises: what they accept is what the key says, and never what a wrong method gives."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from conftest import ALL_REQUIRED, Command
from homework_assignments import POINTS, SHAPES, assignment, one_task
from hypothesis import given
from hypothesis import strategies as st
from platforms import QTI, Cloze, Mark, outcomes, read_moodle, read_package

from workbook_builder.errors import EngineError, InputError
from workbook_builder.homework.exports import EXPORTS, moodle_xml, paper_html, pdf, qti_package
from workbook_builder.homework.exports.cells import Answer, answers_of
from workbook_builder.homework.exports.layout import shown
from workbook_builder.homework.exports.moodle import whole_weights
from workbook_builder.homework.manifest import Manifest, Variant, write_manifest
from workbook_builder.homework.methods import METHODS, methods_of
from workbook_builder.homework.steps import STEPS
from workbook_builder.homework.task import Task
from workbook_builder.text import languages

FORMATS = ("moodle", "qti")
TRACKS = ("ndcg", "mrr")
WORST = 'a {1:NM:=3} {#1} "quoted" ~ } # & <b>bold</b> \\} &amp; [[x]]'
TASK = Task((0, 2, 2, 0, 3, 0), (1, 1), 4, ((WORST, (0, 0, 2, 1)), ("q2", (0, 0, 0, 0)), ("q3", (0, 0, 0, 3))), 3)


class Platform:
    """A variant's questions of one track in one format, ready to be answered."""

    def __init__(self, manifest: Manifest, variant: Variant, track: str, form: str) -> None:
        self.steps = [step.name for step in STEPS if step.track == track and step.name in manifest.asked]
        self.cells = [(step, index) for step in self.steps for index in range(len(variant.answers[step]))]
        self.none = languages()[manifest.language].get("words", "none")
        number = manifest.variants.index(variant) + 1
        self.cloze: Cloze | None = None
        if form == "moodle":
            (self.cloze,) = (
                each
                for each in _moodle(manifest)
                if each.category.endswith(track.upper()) and variant.code in each.name
            )
            self.places = _places(self.cloze, manifest.language)
            assert sorted(self.places) == sorted(self.cells)
            self.most = float(sum(blank.weight for blank in self.cloze.blanks))
        else:
            self.item = _qti(manifest)[f"items/{track}_{number:04d}.xml"]
            self.most = outcomes(self.item, {})["MAXSCORE"]
            self.said = {
                each.attrib["identifier"]: each.text or "" for each in self.item.findall(f"{QTI}modalFeedback")
            }

    def mark(self, step: str, index: int, value: float | None) -> Mark:
        """What the platform makes of one response to one cell: its part of all the points, and the feedback."""
        response = self.none if value is None else f"{value:.15g}" if step != "first_relevant" else f"{value:g}"
        if self.cloze:
            mark = self.cloze.blanks[self.places.index((step, index))].mark(response)
            return Mark(mark.earned / self.most, mark.said)
        found = outcomes(self.item, {f"{step}_{index + 1}": response})
        return Mark(found["SCORE"] / self.most, " ".join(self.said[name] for name in found["FEEDBACK"]))


def _places(cloze: Cloze, language: str) -> list[tuple[str, int]]:
    """The step and cell of each gap in reading order, known by the heading above it and its row."""
    labels = languages()[language].words["exports"]["step"]
    steps = {re.sub(r"\{k\}", "", label): step for step, label in labels.items()}
    found = []
    for table in ET.fromstring(f"<div>{cloze.shown}</div>").iter("table"):
        heads = [re.sub(r"(?<=@)\d+", "", each.text or "") for each in table.iter("th") if each.get("scope") == "col"]
        for row, line in enumerate(table.findall("tbody/tr")):
            for head, cell in zip(heads, line, strict=True):
                if cell.text == "[gap]":
                    found.append((steps[head], row))
    return found


_MOODLE: dict[int, list[Cloze]] = {}
_QTI: dict[int, Mapping[str, ET.Element]] = {}
_KEPT: list[Manifest] = []


def _moodle(manifest: Manifest) -> list[Cloze]:
    if id(manifest) not in _MOODLE:
        _KEPT.append(manifest)
        _MOODLE[id(manifest)] = read_moodle(moodle_xml(manifest))
    return _MOODLE[id(manifest)]


def _qti(manifest: Manifest) -> Mapping[str, ET.Element]:
    if id(manifest) not in _QTI:
        _KEPT.append(manifest)
        _QTI[id(manifest)] = read_package(qti_package(manifest))
    return _QTI[id(manifest)]


def platforms(manifest: Manifest, form: str) -> Iterator[tuple[Variant, str, Platform]]:
    for variant in manifest.variants:
        for track in TRACKS:
            yield variant, track, Platform(manifest, variant, track, form)


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("form", FORMATS)
def test_every_right_answer_earns_its_points_whole_or_rounded(form: str, kind: str) -> None:
    manifest = assignment(kind)
    for variant, _, platform in platforms(manifest, form):
        points = sum(POINTS[step] for step in platform.steps)
        for rounded in (False, True):
            total = 0.0
            for step, index in platform.cells:
                value = variant.answers[step][index]
                mark = platform.mark(step, index, round(value, 3) if rounded and value is not None else value)
                assert mark.said == ""
                assert mark.earned == pytest.approx(POINTS[step] / points / len(variant.answers[step]))
                total += mark.earned
            assert total == pytest.approx(1)


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("form", FORMATS)
def test_no_wrong_methods_value_is_accepted_and_each_is_named(form: str, kind: str) -> None:
    manifest = assignment(kind)
    seen = set()
    for variant, track, platform in platforms(manifest, form):
        for name, method in methods_of(variant.task, track).items():  # type: ignore[arg-type]
            title = languages()["en"].get("homework", "method", name, "title")
            for step, values in method.values(variant.task).items():
                refused = named = 0
                for index, cell in enumerate(values):
                    right = variant.answers[step][index]
                    value = cell if step == "first_relevant" else cell or 0.0
                    if value == right or (value is not None and right is not None and abs(value - right) < 1e-9):
                        continue
                    for shape in {value, None if value is None else round(value, 3)}:
                        if shape is not None and right is not None and abs(shape - round(right, 3)) < 1e-9:
                            continue  # the wrong value rounds to the very digits of the right one
                        mark = platform.mark(step, index, shape)
                        assert mark.earned == 0, (kind, variant.code, name, step, index, shape)
                        refused += 1
                        named += title.casefold() in mark.said.casefold()
                assert refused, f"{name} passes at {step}"
                assert named, f"{name} is never named at {step}"
                seen.add(name)
    assert len(seen) >= 15


@pytest.mark.parametrize("form", FORMATS)
def test_a_number_that_is_no_known_answer_earns_nothing(form: str) -> None:
    manifest = assignment()
    for _, _, platform in platforms(manifest, form):
        for step, index in platform.cells:
            assert platform.mark(step, index, 77.0) == Mark(0, "")


def test_a_tolerance_that_is_too_wide_would_be_found() -> None:
    """The checks above can fail: with a tolerance of 1, exponential gain passes."""
    manifest = one_task(TASK)
    spoiled = read_moodle(re.sub(r"=0\.397:0\.0005", "=0.397:1", moodle_xml(manifest)))
    wrong = METHODS["exponential"].values(TASK)["ndcg"][0]
    assert wrong is not None
    (ndcg,) = (each for each in spoiled if each.category.endswith("NDCG"))
    assert ndcg.blanks[-1].mark(str(wrong)).earned > 0
    assert _moodle(manifest)[0].blanks[-1].mark(str(wrong)).earned == 0


@pytest.mark.parametrize("form", FORMATS)
def test_a_convention_that_is_allowed_earns_the_points_and_is_named(form: str) -> None:
    manifest = replace(assignment(), allowed=("exponential",))
    for variant, track, platform in platforms(manifest, form):
        if track == "ndcg":
            value = METHODS["exponential"].values(variant.task)["dcg"][0]
            mark = platform.mark("dcg", 0, value)
            assert mark.earned == platform.mark("dcg", 0, variant.answers["dcg"][0]).earned > 0
            assert "exponential gain" in mark.said


@pytest.mark.parametrize("form", FORMATS)
def test_only_the_steps_that_are_asked_for_are_asked(form: str) -> None:
    manifest = replace(assignment(count=1), asked=("idcg", "ndcg"), points={"idcg": 0.5, "ndcg": 1.5})
    platform = Platform(manifest, manifest.variants[0], "ndcg", form)
    assert platform.cells == [("idcg", 0), ("ndcg", 0)]
    assert platform.mark("idcg", 0, manifest.variants[0].answers["idcg"][0]).earned == 0.25
    assert len(_moodle(manifest)) == 1, "the exercise nothing is asked in is left out"
    assert sum(name.startswith("items/") for name in _qti(manifest)) == 1


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("form", FORMATS)
def test_none_is_the_answer_where_no_result_is_relevant_in_every_language(form: str, language: str) -> None:
    manifest = one_task(TASK, language=language)
    platform = Platform(manifest, manifest.variants[0], "mrr", form)
    assert platform.mark("first_relevant", 1, None).earned > 0
    assert platform.mark("first_relevant", 0, None).earned == 0


def test_the_width_of_a_box_does_not_tell_where_none_is_right() -> None:
    manifest = one_task(TASK)
    platform = Platform(manifest, manifest.variants[0], "mrr", "moodle")
    assert platform.cloze
    for blank, (step, _) in zip(platform.cloze.blanks, platform.places, strict=True):
        if step == "first_relevant":
            assert max(len(each.text) for each in blank.alternatives) == len("none")


def test_text_of_a_query_is_shown_as_it_is_and_never_read_as_a_gap() -> None:
    manifest = one_task(TASK, assignment="Week 3/4 <b> & {1:NM:=1}")
    mrr = next(each for each in _moodle(manifest) if each.category.endswith("MRR"))
    assert len(mrr.blanks) == 7
    assert "{" not in mrr.shown
    assert WORST in "".join(ET.fromstring(f"<div>{mrr.shown}</div>").itertext())
    assert mrr.category == "$course$/top/Week 3//4 <b> & {1:NM:=1}/MRR"
    item = _qti(manifest)["items/mrr_0001.xml"]
    assert WORST in "".join(item.itertext())
    assert WORST in "".join(
        ET.fromstring(paper_html(manifest).partition("</head>")[2].removesuffix("</html>\n")).itertext()
    )


def test_a_gain_table_scores_and_rules_are_stated() -> None:
    task = replace(TASK, scores=(0.9, 0.8, 0.7, 0.5, 0.4, 0.1))
    text = _moodle(one_task(task))[0].shown
    for told in ("0.7", "Score", "the grade itself", "ranks 1 to 4", "with the grades: 1, 1", "3 decimal places"):
        assert told in text
    assert "grade=gain: 0=0,1=0.5,2=1,3=3,4=5" in _moodle(assignment("table"))[0].shown


@given(
    st.floats(0, 20),
    st.dictionaries(st.sampled_from(list(METHODS)), st.floats(0, 20), max_size=8),
    st.integers(2, 6),
)
def test_whatever_the_values_the_right_one_is_accepted_and_no_wrong_one_is(
    right: float, others: dict[str, float], digits: int
) -> None:
    answers = answers_of(right, others, digits)
    assert _earns(answers, right)
    assert _earns(answers, round(right, digits))
    for value in others.values():
        if not math.isclose(value, right, rel_tol=1e-9, abs_tol=1e-9) and value != round(right, digits):
            assert not _earns(answers, value)


@given(st.floats(0, 5), st.floats(-9e-4, 9e-4).filter(lambda gap: abs(gap) > 1e-8))
def test_a_wrong_value_that_rounds_to_the_same_digits_is_refused_where_it_is_given_in_full(
    right: float, gap: float
) -> None:
    if abs(right + gap - round(right, 3)) > 1e-12:
        answers = answers_of(right, {"binary": right + gap}, 3)
        assert _earns(answers, right)
        assert _earns(answers, round(right, 3))
        assert not _earns(answers, right + gap)


def _earns(answers: tuple[Answer, ...], value: float) -> bool:
    return next((answer.right for answer in answers if answer.admits(value)), False)


def test_a_wrong_value_with_the_right_digits_is_not_offered_as_wrong() -> None:
    assert all(answer.right for answer in answers_of(1.0, {"binary": 1.0001}, 3))


def test_whatever_a_feedback_says_it_stays_one_feedback(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "a } b ~=1:9 c # d \\ e &lt; & <i>f</i> {1:NM:=1}"
    monkeypatch.setattr(
        "workbook_builder.homework.exports.moodle.feedback", lambda _, answer: said if answer.methods else ""
    )
    plain = read_moodle(moodle_xml(one_task(TASK)))
    for question in plain:
        for blank in question.blanks:
            assert blank.alternatives[0].fraction == 1
            assert {each.feedback for each in blank.alternatives} <= {said, ""}
    assert [len(each.blanks) for each in plain] == [len(each.blanks) for each in _moodle(one_task(TASK))]


def test_two_wrong_methods_with_one_value_are_both_named() -> None:
    (_, wrong) = answers_of(1.0, {"binary": 2.0, "linear": 2.0}, 3)
    assert wrong.methods == ("binary", "linear")


@given(st.lists(st.fractions(0, 9, max_denominator=60), min_size=1).filter(any))
def test_weights_are_whole_and_keep_the_proportions(points: list) -> None:  # type: ignore[type-arg]
    weights = whole_weights(points)
    assert math.gcd(*weights) == 1
    assert all(one * sum(points) == each * sum(weights) for one, each in zip(weights, points, strict=True))


@pytest.mark.parametrize(("value", "text"), [(0.5, "0.5"), (2.0, "2"), (-0.0, "0"), (100.0, "100"), (None, "none")])
def test_a_value_is_shown_without_idle_zeros(value: float | None, text: str) -> None:
    assert shown(value, 3, "none") == text


ORDER = {
    "assessmentItem": "responseDeclaration* outcomeDeclaration* itemBody responseProcessing modalFeedback*",
    "responseDeclaration": "correctResponse",
    "responseProcessing": "(responseCondition|setOutcomeValue)+",
    "responseCondition": "responseIf responseElseIf*",
    "responseIf": "(equal|stringMatch) setOutcomeValue+",
    "responseElseIf": "(equal|stringMatch) setOutcomeValue+",
    "equal": "variable baseValue",
    "stringMatch": "variable baseValue",
    "table": "thead tbody",
    "assessmentTest": "outcomeDeclaration testPart outcomeProcessing",
    "testPart": "assessmentSection+",
    "assessmentSection": "itemSessionControl selection assessmentItemRef+",
    "manifest": "metadata organizations resources",
    "metadata": "schema schemaversion",
    "resources": "resource+",
    "resource": "file dependency*",
}
"""The children an element may have here, in the order of the QTI 2.1 and content packaging schemas."""

NEEDED = {
    "assessmentItem": {"identifier", "title", "adaptive", "timeDependent"},
    "responseDeclaration": {"identifier", "cardinality", "baseType"},
    "outcomeDeclaration": {"identifier", "cardinality"},
    "textEntryInteraction": {"responseIdentifier"},
    "equal": {"toleranceMode", "tolerance"},
    "stringMatch": {"caseSensitive"},
    "modalFeedback": {"outcomeIdentifier", "showHide", "identifier"},
    "assessmentTest": {"identifier", "title"},
    "testPart": {"identifier", "navigationMode", "submissionMode"},
    "assessmentSection": {"identifier", "title", "visible"},
    "assessmentItemRef": {"identifier", "href"},
    "selection": {"select"},
    "resource": {"identifier", "type", "href"},
}


def test_the_package_has_its_elements_and_attributes_as_the_schemas_ask() -> None:
    met = set()
    for root in _qti(assignment()).values():
        namespace = root.tag.partition("}")[0] + "}"
        for each in root.iter():
            name = each.tag.removeprefix(namespace)
            children = " ".join(child.tag.removeprefix(namespace) for child in each)
            if name in ORDER:
                pattern = re.sub(r"\(?[A-Za-z|]+\)?", lambda match: rf"(?:(?:{match[0]})(?: |$))", ORDER[name])
                assert re.fullmatch(pattern.replace(" ", "").replace("(?:|$)", "(?: |$)"), children), (name, children)
                met.add(name)
            assert NEEDED.get(name, set()) <= each.attrib.keys(), name
            for key in ("identifier", "responseIdentifier"):
                assert re.fullmatch(r"[A-Za-z_][\w.-]*", each.get(key, "a")), each.attrib
    assert met == ORDER.keys()


def test_the_package_lists_every_file_and_the_test_refers_to_every_item() -> None:
    manifest = assignment()
    files = _qti(manifest)
    resources = {
        each.attrib["href"]: each for each in files["imsmanifest.xml"].iter() if each.tag.endswith("}resource")
    }
    assert resources.keys() == files.keys() - {"imsmanifest.xml"}
    identifiers = [each.attrib["identifier"] for each in resources.values()]
    assert len({*identifiers}) == len(identifiers)
    needed = [each.attrib["identifierref"] for each in resources["assessment.xml"] if "identifierref" in each.attrib]
    assert {*needed} == {*identifiers} - {resources["assessment.xml"].attrib["identifier"]}
    refs = {each.attrib["href"] for each in files["assessment.xml"].iter(f"{QTI}assessmentItemRef")}
    assert refs == resources.keys() - {"assessment.xml"}
    for name in refs:
        declared = [each.attrib["identifier"] for each in files[name].findall(f"{QTI}responseDeclaration")]
        asked = [each.attrib["responseIdentifier"] for each in files[name].iter(f"{QTI}textEntryInteraction")]
        assert sorted(declared) == sorted(asked)
        told = {each.attrib["identifier"] for each in files[name].findall(f"{QTI}modalFeedback")}
        said = {each.text for each in files[name].iter(f"{QTI}baseValue") if each.get("baseType") == "identifier"}
        assert told == said


def test_the_key_in_the_package_is_the_manifests() -> None:
    manifest = assignment()
    for number, variant in enumerate(manifest.variants, start=1):
        for track in TRACKS:
            item = _qti(manifest)[f"items/{track}_{number:04d}.xml"]
            for declared in item.findall(f"{QTI}responseDeclaration"):
                step, _, index = declared.attrib["identifier"].rpartition("_")
                value = variant.answers[step][int(index) - 1]
                given = declared.findtext(f"{QTI}correctResponse/{QTI}value")
                assert given == "none" if value is None else float(given or "nan") == pytest.approx(value, abs=5.01e-4)


@pytest.mark.parametrize("form", EXPORTS)
def test_an_export_is_the_same_bytes_every_time_and_names_no_student(form: str) -> None:
    manifest = assignment()
    data = EXPORTS[form].made(manifest)
    assert data == EXPORTS[form].made(manifest)
    if form == "qti":
        data = b"".join(ET.tostring(root) for root in read_package(data).values())
    for variant in manifest.variants:
        assert variant.student.encode() not in data
        assert manifest.salt.encode() not in data
        assert variant.code.encode() in data


def _body(html: str) -> ET.Element:
    return ET.fromstring(html[html.index("<body>") : html.index("</body>")] + "</body>")


@pytest.mark.parametrize("language", languages())
def test_the_paper_has_a_page_a_variant_with_its_code_inputs_and_blanks_but_no_answer(language: str) -> None:
    manifest = assignment(language=language)
    body = _body(paper_html(manifest))
    text = "\n".join("".join(each.itertext()) for each in body)
    tops = list(body.findall("h1"))
    assert len(tops) == len(manifest.variants)
    assert [("page-break-before: always" in top.get("style", "")) for top in tops] == [False, True, True]
    for variant in manifest.variants:
        assert variant.code in text
        for step, values in variant.answers.items():
            if step in ("discounted_gain", "dcg", "idcg", "ndcg", "ideal_discounted_gain", "mrr"):
                assert not any(f"{value:.3f}" in text for value in values if value and value % 1)
        for name, _ in variant.task.queries:
            assert name in text
    blanks = [each for each in body.iter("td") if (each.text or "").startswith("\N{NO-BREAK SPACE}")]
    assert len(blanks) == sum(len(values) for variant in manifest.variants for values in variant.answers.values())
    assert len([each for each in body.findall("p") if each.get("class") == "line"]) == 2 * len(manifest.variants)


@pytest.mark.parametrize("language", languages())
def test_the_key_has_every_answer_and_what_wrong_methods_give(language: str) -> None:
    manifest = assignment(language=language, count=1)
    (variant,) = manifest.variants
    cells = ["".join(each.itertext()) for each in _body(paper_html(manifest, key=True)).iter("td")]
    for step, values in variant.answers.items():
        for value in values:
            whole = step in ("first_relevant", "ideal_grade")
            none = languages()[language].get("words", "none")
            assert (shown(value, 3, none) if whole else f"{value:.3f}") in cells
    for track in TRACKS:
        for name, method in methods_of(variant.task, track).items():  # type: ignore[arg-type]
            assert languages()[language].get("homework", "method", name, "title") in cells
            single = [
                value
                for step, values in method.values(variant.task).items()
                for value in values
                if step in ("ndcg", "mrr")
            ]
            assert all(f"{value:.3f}" in cells for value in single)


def test_a_manifest_that_cannot_be_exported_is_refused_with_every_fault() -> None:
    manifest = assignment()
    short = replace(manifest.variants[0], answers={**manifest.variants[0].answers, "dcg": ()})
    bad = replace(
        manifest,
        language="fr",
        assignment="a\x07",
        points={**POINTS, "mrr": 0, "first_relevant": 0, "reciprocal_rank": 0},
        variants=(short,),
    )
    for export in EXPORTS.values():
        with pytest.raises(InputError) as refused:
            export.made(bad)
        told = [str(fault) for fault in refused.value.faults]
        assert len(told) == 4
        for part in ("language", "control character", "has points", "CODE-0001 has 0 answers to dcg"):
            assert any(part in each for each in told)
    with pytest.raises(InputError, match="no variant"):
        moodle_xml(replace(manifest, variants=()))


@pytest.mark.parametrize("form", EXPORTS)
def test_export_writes_beside_the_manifest_and_says_what_is_next(command: Command, form: str) -> None:
    write_manifest("week3.json", assignment())
    done = command("export", "week3.json", "--to", form)
    assert done.code == 0
    wrote = re.search(r"Wrote (\S+): 3 variants\nNext: ", done.err)
    assert wrote
    assert wrote[1].startswith("week3-")
    assert wrote[1].endswith(EXPORTS[form].ending)


def test_export_says_what_is_wrong(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    write_manifest("m.json", assignment(count=1))
    assert "Did you mean moodle?" in command("export", "m.json", "--to", "mooodle").err
    assert "Only paper and key" in command("export", "m.json", "--to", "qti", "--pdf").err
    assert "no such file" in command("export", "nowhere.json", "--to", "qti").err
    blocked = command("export", "m.json", "--to", "qti", "-o", "m.json/inside.zip")
    assert blocked.code == 2
    assert "cannot be written" in blocked.err
    monkeypatch.setattr("workbook_builder.homework.exports.pdf.shutil.which", lambda _: None)
    refused = command("export", "m.json", "--to", "paper", "--pdf")
    assert refused.code == 2
    assert "apt install libreoffice-writer-nogui" in refused.err


@pytest.mark.parametrize("form", [name for name, export in EXPORTS.items() if export.printable])
def test_paper_and_key_become_a_pdf_with_a_page_a_variant(command: Command, form: str) -> None:
    write_manifest("m.json", assignment())
    done = command("export", "m.json", "--to", form, "-o", "paper.pdf")
    if done.code and not ALL_REQUIRED:
        assert "Install LibreOffice Writer" in done.err
        pytest.skip("LibreOffice Writer is not installed.")
    assert done.code == 0, done.err
    data = Path("paper.pdf").read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", data)) == 3


def test_a_libreoffice_without_writer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbook_builder.homework.exports.pdf.shutil.which", lambda _: "/bin/true")
    with pytest.raises(EngineError, match="Writer"):
        pdf.pdf_of("<p>x</p>")
