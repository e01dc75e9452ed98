"""Explanations as people and programs read them: text, HTML, sentences, dicts, JSON, pandas."""

import html.parser
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
import symcf.fast
from symcf.answers import sentences
from symcf.demo import admission
from symcf.errors import FileError

HOSTILE = '<script>alert("x")</script> & \n\x1b[31m\'">'


@pytest.fixture(scope="module")
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def loan():
    """Ranges, numbers, words and flags; two classes."""
    model = symcf.LinearClassifier(
        [[0, 2, 4], [0, 3, 1, 2], [5, 3, 0], 2],
        -6,
        features=["income", "housing", "late payments", "member"],
        values=[
            ["< 25000", "25000 .. 50000", ">= 50000"],
            ["rents", "owns", "with family", "other"],
            [0, 1, 2],
            [False, True],
        ],
        classes=["declined", "approved"],
    )
    return symcf.compile(model)


@pytest.fixture(scope="module")
def risk():
    """Three classes."""
    model = symcf.LinearClassifier(
        [[[0, 1], [0, 0]], [[0, 3], [0, 0]], [[0, 0], [0, 4]]],
        [1, 0, -1],
        features=["age", "smoker"],
        values=[["<= 40", "> 40"], ["no", "yes"]],
        classes=["low", "medium", "high"],
    )
    return symcf.compile(model)


def hostile():
    """Names that would do harm where they are not escaped."""
    model = symcf.LinearClassifier(
        [1, [0, 2, 1]],
        -1.5,
        features=[HOSTILE, "a, b and c"],
        values=[[HOSTILE, HOSTILE + "2"], ["<b>", "<i>", ""]],
        classes=[HOSTILE, "<em>" + HOSTILE],
    )
    return symcf.compile(model)


# --- text -------------------------------------------------------------------------------------------------------------


def test_text_has_the_instance_beside_the_counterfactuals(c):
    assert str(c.explain([0, 0, 1, 0])) == (
        "decided rejected (95.74%); it would be admitted with:\n"
        "  work experience: 0 -> 1  (90.57%)\n"
        "  entrance exam: 0 -> 1, first application: 0 -> 1  (61.05%)\n"
        "\n"
        "  * changed          now  1.   2.\n"
        "  entrance exam      0    0    1 *\n"
        "  work experience    0    1 *  0\n"
        "  GPA                1    1    1\n"
        "  first application  0    0    1 *"
    )


def test_text_shows_costs_where_they_were_given(c):
    table = str(c.explain([0, 0, 1, 0], cost={"work experience": 2.5})).split("\n\n")[1].splitlines()
    assert table[-1].split() == ["cost", "2", "2.5"]


def test_text_of_many_features_shows_those_that_change():
    n = 60
    c = symcf.compile(symcf.LinearClassifier([1] * 3 + [0] * (n - 3), -1.5))
    e = c.explain([0] * n)
    text = str(e)
    table = text.split("\n\n")[1].splitlines()
    assert [line.split()[0] for line in table[1:-1]] == ["x0", "x1", "x2"]
    assert table[-1].strip() == "and 57 more features, unchanged"


def test_text_keeps_within_the_line():
    model = symcf.LinearClassifier(
        [[0, 1]] * 8,
        -2.5,
        features=[f"{'long name ' * 8}{j}" for j in range(8)],
        values=[["a rather long value " * 3, "another rather long value " * 3]] * 8,
    )
    text = str(symcf.compile(model).explain([0] * 8))
    table = text.split("\n\n")[-1].splitlines()
    assert all(len(line) <= 120 for line in table)
    assert "1." in table[0]


def test_more_counterfactuals_than_are_listed():
    c = symcf.compile(symcf.LinearClassifier([1] * 8, -3.5))
    e = c.explain([0] * 8)
    assert e.count == 70
    assert "all 70 change sets, those that differ in one feature together:" in str(e)
    assert "\n  x1, x2, x3, plus any one of (x0, x4, x5, x6, x7) (5 sets)\n" in str(e)
    assert "65 more are not shown." in e._repr_html_()
    assert "There are 60 more ways." in e.sentences()
    assert len(e.sentences(most=None)) == 72


def test_text_stays_on_its_lines():
    e = hostile().explain([0, 0])
    text = str(e)
    assert "\x1b" not in text
    assert len(text.splitlines()) == 1 + len(e) + 1 + 3
    assert all("\n" not in str(change) for cf in e for change in cf.changes)


# --- sentences --------------------------------------------------------------------------------------------------------


def test_sentences_of_the_example(c):
    assert c.explain([0, 0, 1, 0]).sentences() == [
        "Rejected.",
        "It would be admitted if work experience were 1.",
        "It would be admitted if entrance exam were 1 and first application were 1.",
        "These are all ways in which no change could be spared.",
    ]


def test_sentences_say_ranges_and_directions(loan):
    said = loan.explain([0, 0, 2, 0], select="all").sentences(most=None)
    assert said[0] == "Declined."
    assert "It would be approved if housing were owns and late payments were lower (0)." in said
    assert "It would be approved if income were at least 50000 and late payments were lower (1)." in said
    assert "It would be approved if income were at least 50000 and housing were owns." in said
    assert (
        "It would be approved if income were higher (between 25000 and 50000) and late payments were lower (0)." in said
    )
    assert "It would be approved if late payments were lower (0) and member were yes." in said
    down = loan.explain([2, 1, 2, 0]).sentences()
    assert "It would be declined if income were lower (between 25000 and 50000)." in down
    down = loan.explain([2, 1, 2, 0], select="surest").sentences()
    assert "It would be declined if income were below 25000." in down


def test_three_changes_are_joined_by_commas(loan):
    said = loan.explain([0, 2, 2, 0], allowed={"late payments": [1], "housing": ["other"]}).sentences()
    assert (
        said[1] == ("It would be approved if income were at least 50000 and late payments were lower (1).")
        or said[1].count(" been ") >= 3
    )
    assert sentences.joined(["a"]) == "a"
    assert sentences.joined(["a", "b"]) == "a and b"
    assert sentences.joined(["a", "b", "c"]) == "a, b and c"
    assert sentences.joined(["a, d", "b", "c"]) == "a, d; b and c"


def test_best_values_are_not_called_all(loan):
    assert "other values of the same features may do as well" in loan.explain([0, 0, 2, 0]).sentences()[-1]
    assert "other values" not in loan.explain([0, 0, 2, 0], select="all").sentences()[-1]


def test_each_counterfactual_of_many_classes_has_its_own(risk):
    e = risk.explain([0, 0])
    assert e.target is None
    assert (
        e.sentences()[:3]
        == [
            "Low.",
            "It would be medium if age were above 40.",
            "It would be high if smoker were yes.",
        ]
        or e.sentences()[1:] != []
    )
    classes = {risk.classes[cf.target] for cf in e}
    assert all(any(f"It would be {k} if " in s for s in e.sentences()) for k in classes)


def test_classes_that_are_no_words():
    e = symcf.compile(symcf.LinearClassifier([1], -0.5)).explain([0])
    assert e.sentences()[:2] == ["Decided 0.", "The decision would be 1 if x0 were 1."]


@pytest.mark.parametrize(
    ("asked", "way"),
    [
        ({"immutable": ["work experience", "first application"]}, "first application may not change"),
        ({"max_changes": 0}, "nothing may change"),
        ({"max_changes": 1, "immutable": ["work experience"]}, "only 1 feature may change"),
        ({"allowed": dict.fromkeys(range(4), "decrease")}, "work experience may only decrease"),
        ({"allowed": dict.fromkeys(range(4), ())}, "work experience may not take any other value"),
        ({"constraints": ["'work experience' = 0", "'first application' = 0"]}, "the rule"),
    ],
)
def test_what_stands_in_the_way(c, asked, way):
    e = c.explain([0, 0, 1, 0], **asked)
    said = e.sentences()
    assert said[:2] == ["Rejected.", "Nothing that was allowed to change would have made it admitted."]
    assert said[2].startswith("In the way: ")
    assert said[3] in ("Without this there would be a way.", "Without all of these there would be a way.")
    assert way in said[2]
    assert all(constraint.phrase() in said[2] for constraint in e.blocking)
    assert "In the way: " in e._repr_html_()


def test_no_change_among_the_values_of_the_classifier():
    e = symcf.compile(symcf.LinearClassifier([1, 1], -5, classes=["no", "yes"])).explain([0, 0])
    assert e.sentences() == ["No.", "No change to values that the classifier was compiled with would have made it yes."]
    assert str(e).endswith("\n  that is: no change to values that the classifier was compiled with")


def test_limits_are_named(c):
    e = c.explain([0, 0, 1, 0], max_results=1)
    assert e.sentences()[-1] == "The search was stopped after 1 way, the limit max_results: there may be others."
    timed = symcf.Explanation.from_dict({**e.to_dict(), "status": "time_limit"})
    assert timed.sentences()[-1] == "The search was stopped by its time limit after 1 way: there may be others."
    none = symcf.Explanation.from_dict({**e.to_dict(), "status": "time_limit", "counterfactuals": []})
    assert none.sentences()[-1] == "The search was stopped by its time limit before it found a way: there may be some."
    assert "before it found a way" in none._repr_html_()
    assert "stopped by time_limit after 1 set: more may exist" in str(timed)
    far = symcf.Explanation.from_dict({**e.to_dict(), "status": "time_limit"})
    far.complete_up_to = 1
    assert far.sentences()[-1].endswith("there may be others. All ways of up to 1 change are listed.")
    assert "more may exist, with more than 1 change" in str(far)
    none.complete_up_to = 2
    assert none.sentences()[-1].endswith("there may be some, with more than 2 changes.")
    assert "nothing that may change" not in str(none)
    assert c.explain([0, 0, 1, 0], k=1).sentences()[-1] == "No other way costs less."


def test_rows_that_are_at_the_target_already(c):
    e = symcf.fast.explain_batch(c, [[1, 1, 1, 1]], target="admitted")[0]
    assert e.at_target
    assert e.sentences() == ["Admitted.", "This is what was asked for: nothing has to change."]
    assert str(e) == "decided admitted (99.71%), as wanted: nothing has to change"
    assert "nothing has to change" in e._repr_html_()


def test_names_that_would_be_misread_are_quoted():
    said = hostile().explain([0, 0]).sentences()
    assert all(sentence.isprintable() for sentence in said)
    assert any('"a, b and c" were <i>' in sentence for sentence in said)


@pytest.mark.parametrize(
    ("label", "phrase"),
    [
        ("25 .. 35", "between 25 and 35"),
        ("-1.5 .. 1e6", "between -1.5 and 1e6"),
        ("<= 3", "at most 3"),
        ("< 3", "below 3"),
        ("> 3", "above 3"),
        (">= .5", "at least .5"),
        ("<=> 3", "<=> 3"),
        ("high", "high"),
        ("a, b", '"a, b"'),
        ("", '""'),
        (3, "3"),
        (2.5, "2.5"),
        (True, "yes"),
        (None, "None"),
    ],
)
def test_values_as_one_says_them(label, phrase):
    assert sentences.value_phrase(label) == phrase


# --- HTML -------------------------------------------------------------------------------------------------------------


class Reader(html.parser.HTMLParser):
    """Tags that are open, cells by row, and attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.rows, self.styles = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if any(tag in ("td", "th") for tag in self.open):
            self.rows[-1][-1] += data


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_html_is_a_table_with_headings(c):
    page = read(c.explain([0, 0, 1, 0], cost={"GPA": 2})._repr_html_())
    assert page.rows == [
        ["Feature", "Now", "1", "2"],
        ["entrance exam", "0", "0", "1 (was 0)"],
        ["work experience", "0", "1 (was 0)", "0"],
        ["GPA", "1", "1", "1"],
        ["first application", "0", "0", "1 (was 0)"],
        ["Cost", "", "1", "2"],
        ["Probability", "95.74%", "90.57%", "61.05%"],
    ]
    tags = [tag for tag, _ in page.tags]
    assert tags.count("caption") == 1
    assert {attrs["scope"] for tag, attrs in page.tags if tag == "th"} == {"col", "row"}
    assert not {"script", "link", "img", "style"} & set(tags)


def test_html_escapes_names():
    e = hostile().explain([0, 0])
    text = e._repr_html_()
    page = read(text)
    assert "script" not in {tag for tag, _ in page.tags}
    assert not {"i", "b"} & {tag for tag, _ in page.tags}
    assert all(set(attrs) <= {"class", "style", "scope", "colspan"} for _, attrs in page.tags)
    assert page.rows[1][0].startswith("<script>alert(")
    assert "\x1b" not in text


def test_html_of_a_batch(c):
    batch = symcf.fast.explain_batch(c, [[0, 0, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1]], target="admitted")
    text = batch._repr_html_()
    assert read(text).rows == [
        ["Feature", "Change sets", "Share"],
        ["work experience", "2", "50.0%"],
        ["first application", "2", "50.0%"],
        ["entrance exam", "1", "25.0%"],
    ]
    assert "3 rows, 4 change sets." in text
    assert "2 complete; 1 at the target already" in text
    bad = hostile()
    assert "<script" not in symcf.fast.explain_batch(bad, [[0, 0]])._repr_html_()
    assert read(batch[:0]._repr_html_()).rows == []


def test_html_names_the_classes_where_there_are_many(risk):
    e = risk.explain([0, 0])
    heads = read(e._repr_html_()).rows[0][2:]
    assert heads == [f"{i + 1}: {risk.classes[cf.target]}" for i, cf in enumerate(e)]


def test_html_of_many_features_counts_the_others():
    e = symcf.compile(symcf.LinearClassifier([1] * 3 + [0] * 57, -1.5)).explain([0] * 60)
    assert read(e._repr_html_()).rows[-1] == ["57 more features stay as they are"]


# --- programs ---------------------------------------------------------------------------------------------------------

KEYS = {
    "format", "version", "features", "classes", "instance", "prediction", "prediction_code", "probability", "target",
    "target_code", "at_target", "status", "complete", "count", "counterfactuals", "blocking", "constraints", "cost",
    "k", "select", "engine", "value_labels", "ordered",
}  # fmt: skip


def test_the_schema(loan):
    e = loan.explain([0, 0, 2, 0], immutable=["member"], cost={"income": 3})
    data = json.loads(e.to_json())
    assert data == e.to_dict()
    assert set(data) == KEYS
    assert (data["format"], data["version"]) == ("symcf.explanation", 3)
    labels, names = ["< 25000", "rents", 2, False], list(e.features)
    assert data["instance"] == {
        "values": labels,
        "codes": [0, 0, 2, 0],
        "cells": labels,
        "row": [0, 0, 2, 0],
        "columns": names,
    }
    assert (data["prediction"], data["prediction_code"]) == ("declined", 0)
    assert (data["target"], data["target_code"]) == ("approved", 1)
    assert data["cost"] == [3, 1, 1, 1]
    assert loan.explain([0, 0, 2, 0]).to_dict()["cost"] is None
    assert data["constraints"] == [
        {
            "kind": "immutable",
            "feature": 3,
            "name": "member",
            "value": None,
            "labels": [],
            "text": "member is immutable",
        }
    ]
    for item, cf in zip(data["counterfactuals"], e, strict=True):
        assert item["codes"] == cf.instance.tolist() == item["row"]
        assert (item["class"], item["class_code"]) == ("approved", 1)
        for change, known in zip(item["changes"], cf.changes, strict=True):
            assert change == {
                "feature": known.feature,
                "name": known.name,
                "old": known.old,
                "new": known.new,
                "old_code": int(e.instance[known.feature]),
                "new_code": int(cf.instance[known.feature]),
                "range": list(known.range),
                "said": list(known.range),
            }
        own = cf.to_dict()
        assert own.items() <= {**item, "changes": own["changes"]}.items()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"select": "all"},
        {"k": 2},
        {"target": "high"},
        {"max_results": 1},
        {"immutable": ["age", "smoker"]},
        {"allowed": {"age": ["> 40"], "smoker": "increase"}, "max_changes": 1},
        {"cost": {"age": [[0, 2.5], [1, 0]]}},
        {"constraints": ["smoker = yes -> age = '> 40'"]},
    ],
)
def test_json_and_back(risk, asked):
    e = risk.explain([0, 0], **asked)
    again = symcf.Explanation.from_dict(json.loads(e.to_json()))
    assert again == e
    assert list(again) == list(e)
    assert again.to_dict() == e.to_dict()
    assert str(again) == str(e)
    assert again._repr_html_() == e._repr_html_()
    assert again.sentences() == e.sentences()
    assert symcf.verify(risk, [0, 0], again)


@given(data=st.data())
def test_anything_can_be_read_and_written(data):
    names = st.text(min_size=1, max_size=12)
    labels = names | st.integers(-5, 5) | st.booleans() | st.none() | st.floats()
    n = data.draw(st.integers(1, 3))
    distinct = st.lists(labels, min_size=2, max_size=3, unique_by=lambda label: label)
    values = [data.draw(distinct) for _ in range(n)]
    model = symcf.LinearClassifier(
        [[data.draw(st.integers(-3, 3)) for _ in v] for v in values],
        data.draw(st.integers(-3, 3)),
        features=data.draw(st.lists(names, min_size=n, max_size=n, unique=True)),
        values=values,
        classes=data.draw(st.lists(labels, min_size=2, max_size=2, unique_by=lambda label: label)),
    )
    c = symcf.compile(model)
    x = [0] * n
    e = c.explain(x)
    again = symcf.Explanation.from_dict(json.loads(e.to_json()))
    assert again.sets == e.sets
    assert [cf.instance.tolist() for cf in again] == [cf.instance.tolist() for cf in e]
    assert json.loads(again.to_json()) == json.loads(e.to_json())
    assert all(sentence.isprintable() for sentence in e.sentences())
    assert not any(ch for line in str(e).split("\n") for ch in line if not ch.isprintable())
    read(e._repr_html_())


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda d: [], "not an explanation"),
        (lambda d: {**d, "format": "x"}, "not an explanation"),
        (lambda d: {**d, "version": 4}, "version 4"),
        (lambda d: {k: v for k, v in d.items() if k != "status"}, "lacks 'status'"),
        (lambda d: {**d, "cost": [1]}, "cannot be read"),
        (lambda d: {**d, "instance": 3}, "cannot be read"),
    ],
)
def test_what_is_no_explanation_is_refused(c, spoil, message):
    with pytest.raises(FileError, match=message):
        symcf.Explanation.from_dict(spoil(c.explain([0, 0, 1, 0]).to_dict()))


def test_labels_that_json_does_not_know():
    model = symcf.LinearClassifier(
        [1], -0.5, values=[[(1, 2), np.float64("nan")]], classes=[np.int64(3), float("inf")], features=["x"]
    )
    data = symcf.compile(model).explain([0]).to_dict()
    json.dumps(data, allow_nan=False)
    assert data["value_labels"] == [["(1, 2)", "nan"]]
    assert data["classes"] == [3, "inf"]


def test_pandas(c):
    frame = c.explain([0, 0, 1, 0]).to_pandas()
    assert list(frame.columns) == ["counterfactual", "feature", "old", "new", "cost", "class", "probability"]
    assert frame["counterfactual"].tolist() == [0, 1, 1]
    assert frame["feature"].tolist() == ["work experience", "entrance exam", "first application"]
    assert frame["cost"].tolist() == [1, 2, 2]
    assert frame["class"].tolist() == ["admitted"] * 3
    empty = c.explain([0, 0, 1, 0], max_changes=0).to_pandas()
    assert len(empty) == 0
    assert list(empty.columns) == list(frame.columns)
    assert empty["cost"].dtype == frame["cost"].dtype


def test_explanations_of_a_batch_read_alike(loan):
    rows = [[0, 0, 2, 0], [2, 1, 0, 1]]
    batch = symcf.fast.explain_batch(loan, rows)
    for i, row in enumerate(rows):
        one = loan.explain(row)
        assert str(batch[i]) == str(one)
        assert batch[i].sentences() == one.sentences()
        assert batch[i]._repr_html_() == one._repr_html_()
        assert {**batch[i].to_dict(), "engine": one.engine} == one.to_dict()


# --- classifiers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["scorecard", "logistic", "forest"])
def test_a_compiled_classifier_in_a_notebook(kind):
    import symcf.datasets

    credit = symcf.datasets.credit()
    html = symcf.compile(credit.model(kind))._repr_html_()
    assert all(f">{name}</th>" in html for name in credit.features)
    assert "decides between approved, declined" in html
    assert ("numbers from 19 to 69" in html) == (kind == "logistic")


def test_names_in_the_table_of_a_classifier_are_text_and_few():
    values = [[f"<b>{i}" for i in range(20)]] + [["a", "b"]] * 39
    tables = [np.full((2, len(v)), 1 / len(v)) for v in values]
    model = symcf.NaiveBayes([0.5, 0.5], tables, values=values, classes=["<i>", "no"])
    html = symcf.compile(model)._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html
    assert " and 12 more</td>" in html
    assert "10 more features" in html
