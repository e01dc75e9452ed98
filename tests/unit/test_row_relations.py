"""Constraints over sums, quotients, the row as it is, changes and counts."""

from __future__ import annotations

import cases
import numpy as np
import pandas as pd
import pytest
import questions
import reference
import reference_expressions
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.question.expressions import parse

NAMES = ["a", "b", "job", "home type"]


@pytest.fixture(scope="module")
def labels():
    """Two columns of numbers that are labels, and two of words."""
    values = [[0, 1, 2, 3], [0, 1, 2, 3], ["none", "temp", "perm"], ["rent", "own"]]
    weights = [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2], [0, 1]]
    model = symcf.LinearClassifier(weights, -5, features=NAMES, values=values, ordered=True, tie="positive")
    return symcf.compile(model)


def rows_of(compiled, row, rule, **more):
    return [cf.instance.tolist() for cf in compiled.explain(row, constraints=rule, **more)]


#: A constraint, the text at which its error points, and a part of the message.
WRONG = [
    ("a +  <= 3", "<=", "a number or a feature expected"),
    ("a + b", "", "a comparison"),
    ("a + b <= ", "", "a value expected, not the end"),
    ("a + b in {1}", "+ b", "'in' takes one feature"),
    ("(a + b <= 3", "", "')' expected"),
    ("a + b <= (3", "", "')' expected"),
    ("a * b <= 3", "* b", "two columns are multiplied"),
    ("a / b <= b", "", "two columns are multiplied"),
    ("2 * a <= b * old.a * b", "* b", "two columns are multiplied"),
    ("a + x <= 3", "x <=", "no feature 'x'"),
    ("a + jbo <= 3", "jbo", "did you mean 'job'"),
    ("a + job <= 3", "job", "'job' is not a column of numbers"),
    ("a <= 2 * `home type`", "`home", "is not a column of numbers"),
    ("a+b <= 3", "a+b", "no feature 'a+b'"),
    ("a + old.x <= 3", "old.x", "no feature 'old.x'"),
    ("change.job = temp", "change.job", "'job' is not a column of numbers"),
    ("old.job = tmep", "tmep", "is not a value of 'job'; did you mean 'temp'"),
    ("old.jbo = temp", "old.jbo", "did you mean 'job'"),
    ("1 + 2 <= 3", "+ 2", "no feature in this comparison"),
    ("a / 0 <= 3", "/ 0", "divides by 0"),
    ("at_most(x, a)", "x, a", "a number of changes expected"),
    ("at_most(1)", ")", "',' and a feature expected"),
    ("at_most(1, a, x)", "x)", "no feature 'x'"),
    ("at_most(1, a, a)", "a)", "'a' is named twice"),
    ("at_most(1, a", "", "',' or ')' expected"),
    ("at_most(-1, a)", "-1", "a number of changes expected"),
    ("job: temp ->", "", "a value expected"),
    ("job: temp", "", "'->' expected"),
    ("job: temp -> tmep", "tmep", "is not a value of 'job'"),
    ("jbo: temp -> perm", "jbo", "did you mean 'job'"),
    ("step(0, a)", "0, a", "the size of a step expected"),
    ("step(2, job)", "job", "has no steps"),
    ("step(2 a)", "a)", "',' and a feature expected"),
    ("a <= old.", "old.", "no feature 'old.'"),
]


@pytest.mark.parametrize(("text", "at", "message"), WRONG, ids=[text for text, _, _ in WRONG])
def test_errors_point_at_the_place(labels, text, at, message):
    with pytest.raises(symcf.OptionError) as caught:
        labels.explain([0, 0, 1, 0], constraints=text)
    told, line, mark = str(caught.value).split("\n")
    assert message in told
    place = text.rindex(at) if at else None
    shown = mark.index("^") - 2
    assert line[2:].startswith(text[:5])
    assert place is None or shown == place, f"^ is at {shown}, and {at!r} at {place}"
    assert mark.endswith(f"^ position {shown}")


def test_steps_are_not_part_of_other_conditions(labels):
    with pytest.raises(symcf.OptionError, match="must be a relation of its own"):
        labels.explain([0, 0, 1, 0], constraints="a = 1 or step(2, b)")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: symcf.step(0), "larger than 0"),
        (lambda: symcf.step("a"), "takes numbers"),
        (lambda: symcf.step(True), "takes numbers"),
        (lambda: symcf.relative(0.2, 0), "low must not be larger"),
        (lambda: symcf.relative(0, float("nan")), "takes numbers"),
        (lambda: symcf.relative(None, 0), "takes numbers"),
    ],
)
def test_wrong_sizes_of_changes(make, message):
    with pytest.raises(symcf.OptionError, match=message):
        make()


@pytest.mark.parametrize(
    "text",
    [
        "a + b <= 3", "2 * a - b == 1", "a / b <= 0.5", "a <= 1.5 * old.a + 1", "change.a == change.b",
        "at_most(1, a, job)",
        "job: temp -> {none, perm}", "old.job = temp -> a + b >= 4", "not (a + b <= 4)", "(a + b) * 2 <= 8 and a != b",
        "step(2, a)", "a - old.a >= 1 or at_most(0, b)", "-(a - b) <= 1", "12 >= 3 * (a + 1)",
    ],
)  # fmt: skip
def test_rows_obey_and_are_those_of_the_reference(labels, text):
    """Every row that changes up to three features is tried, by a parser and an evaluator of the tests' own."""
    old = [1, 1, 1, 0]
    words = [["0", "1", "2", "3"], ["0", "1", "2", "3"], ["none", "temp", "perm"], ["rent", "own"]]
    written = text.replace("temp", "'temp'").replace("none", "'none'").replace("perm", "'perm'")
    holds = reference_expressions.reading(
        written, NAMES, lambda j, value: value if j < 2 else None, lambda j, value: words[j][value]
    )
    found = rows_of(labels, old, text, select="all")
    every = [
        [a, b, c, d]
        for a in range(4) for b in range(4) for c in range(3) for d in range(2)
        if a + b + c + d - 5 >= 0 and holds(old, [a, b, c, d])
    ]  # fmt: skip
    changed = {tuple(j for j in range(4) if row[j] != old[j]) for row in every}
    least = reference.minimal(changed)
    assert sorted(found) == sorted(row for row in every if tuple(j for j in range(4) if row[j] != old[j]) in least)


@pytest.mark.parametrize(
    "text", ["a + 2 * b <= 3", "(a + b) / 2 - 1 <= old.a", "at_most(1, a, job)", "old.job = temp -> step != 2"]
)
def test_text_is_read_as_it_is_written(text):
    assert parse(str(parse(text))) == parse(text)


def test_functions_build_the_same(labels):
    for text, build in (
        ("a + 1 <= 2 * b", lambda f: f.a + 1 <= 2 * f.b),
        ("a - b / 2 == 1", lambda f: f.a - f.b / 2 == 1),
        ("a <= 1.5 * old.a", lambda f: f.a <= 1.5 * f.old.a),
        ("change.a >= change.b", lambda f: f.change.a >= f.change.b),
        ("at_most(1, a, job)", lambda f: f.at_most(1, "a", "job")),
    ):
        assert rows_of(labels, [1, 1, 1, 0], text) == rows_of(labels, [1, 1, 1, 0], build)


# --- columns of numbers -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def credit():
    """A tree and a scaled linear model over the same numbers."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"income": rng.integers(10, 60, 200), "loan": rng.integers(10, 200, 200) / 2.0})
    table["months"] = rng.integers(0, 60, 200)
    label = np.where(2 * table.income - table.loan + table.months / 2 > 10, "yes", "no")
    models = [
        DecisionTreeClassifier(max_depth=4, random_state=0).fit(table, label),
        make_pipeline(StandardScaler(), LogisticRegression()).fit(table, label),
    ]
    return table, [(model, symcf.compile(model, data=table)) for model in models]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("loan <= 1.5 * income", lambda old, new: new.loan <= 1.5 * new.income),
        ("loan / income <= 1.5", lambda old, new: new.loan / new.income <= 1.5),
        ("income <= 1.2 * old.income", lambda old, new: new.income <= 1.2 * old.income),
        (
            "change.income == change.months",
            lambda old, new: abs(new.income - old.income - new.months + old.months) < 1e-6,
        ),
        ("at_most(1, income, loan)", lambda old, new: (new.income != old.income) + (new.loan != old.loan) <= 1),
        (
            "loan < old.loan -> months >= old.months + 6",
            lambda old, new: new.loan >= old.loan or new.months >= old.months + 6,
        ),
        ("step(6, months)", lambda old, new: (new.months - old.months) % 6 == 0),
    ],
)
def test_numbers_obey(credit, rule, holds):
    table, models = credit
    for model, c in models:
        for i in np.flatnonzero(model.predict(table) == "no")[:3]:
            person = table.iloc[[i]]
            e = c.explain(person, constraints=rule)
            report = symcf.verify(c, person, e)
            assert report.valid
            assert report.honest
            assert False not in (report.minimal, report.complete)
            for cf in e:
                assert model.predict(cf.row)[0] == "yes"
                assert holds(person.iloc[0], cf.row.iloc[0])
                assert cf.row.income.dtype.kind == "i"
                assert cf.features == tuple(j for j in range(3) if cf.row.iloc[0, j] != person.iloc[0, j])


@pytest.mark.slow
def test_batches_are_those_of_single_rows(credit):
    table, models = credit
    rules = ["loan <= 2 * income", "at_most(2, income, loan, months)"]
    for model, c in models:
        some = table.iloc[np.flatnonzero(model.predict(table) == "no")[:5]]
        batch = symcf.fast.explain_batch(c, some, constraints=rules)
        for i, e in enumerate(batch):
            one = c.explain(some.iloc[[i]], constraints=rules)
            assert e.sets == one.sets
            assert [cf.row.iloc[0].to_dict() for cf in one] == [pd.DataFrame(cf.row).iloc[0].to_dict() for cf in e]


def test_relative_changes_and_steps(credit):
    table, models = credit
    for model, c in models:
        person = table.iloc[[int(np.flatnonzero(model.predict(table) == "no")[0])]]
        old = person.iloc[0]
        e = c.explain(person, allowed={"income": symcf.relative(-0.1, 0.5), "loan": symcf.step(2.5)})
        assert len(e) > 0
        for cf in e:
            new = cf.row.iloc[0]
            assert 0.9 * old.income <= new.income <= 1.5 * old.income
            assert (new.loan - old.loan) % 2.5 == 0
            assert model.predict(cf.row)[0] == "yes"
        assert "income" in str(e.constraints[0])


def test_a_contradiction_leaves_nothing_and_is_named(credit):
    table, models = credit
    for model, c in models:
        person = table.iloc[[int(np.flatnonzero(model.predict(table) == "no")[0])]]
        e = c.explain(person, constraints=["income + loan < 0", "income >= 1"], allowed={"loan": [0, 500]})
        assert e.sets == []
        assert e.blocking


@pytest.mark.slow
@pytest.mark.parametrize("kind", cases.KINDS)
def test_answers_are_those_of_the_reference(kind):
    """A short round of tests/drivers/questions.py --always sums."""
    tally = questions.Tally()
    questions.run(5, 12, tally, [kind], always=["sums"])
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.total(tally.asked) > 8


@pytest.mark.parametrize(
    "question",
    [
        {"constraints": ["step(4, months)", "step(6, months)"]},
        {"constraints": ["step(6, months)", "step(4, months)"]},
        {"constraints": ["step(1.5, months)", "step(4, months)"]},
        {"constraints": ["step(6, months)"], "allowed": {"months": symcf.step(4)}},
    ],
)
def test_several_steps_of_one_column_all_count(question):
    root = {"feature": "months", "at_most": 7, "yes": {"class": "no"}, "no": {"class": "yes"}}
    tree = symcf.compile(symcf.DecisionTree(root, features=["months"], classes=["no", "yes"]))
    line = symcf.AdditiveClassifier([symcf.NumberTerm(1, range=(0, 100), resolution=1)], -7.5, features=["months"])
    for c in (tree, symcf.compile(line)):
        assert [cf.row for cf in c.explain({"months": 1}, **question)] == [{"months": 13}]


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("change.'x 1' <= 4", [{"x 1": 6, "b": 0}]),
        ("'change.x 1' <= 4", [{"x 1": 6, "b": 0}]),
        ("change.'x 1' <= 3", []),
        ("change.b == change.`x 1`", [{"x 1": 6, "b": 4}]),
        ('old."x 1" <= 3 -> b >= 1', [{"x 1": 6, "b": 1}]),
    ],
)
def test_quoted_names_follow_old_and_change(rule, rows):
    tree = {"feature": "x 1", "at_most": 5, "yes": {"class": "no"}, "no": {"class": "yes"}}
    c = symcf.compile(symcf.DecisionTree(tree, features=["x 1", "b"], classes=["no", "yes"]))
    e = c.explain({"x 1": 2, "b": 0}, constraints=[rule])
    assert [cf.row for cf in e] == rows
    assert symcf.check(e.certificate())  # the checker reads the text by itself


@pytest.mark.parametrize("row", [{"a": 1, "b": 3}, {"a": 1.0, "b": 3.0}])
@pytest.mark.parametrize("select", ["nearest", "surest", "all"])
def test_a_column_that_has_to_change_gets_another_number(row, select):
    root = {"feature": "a", "at_most": 5, "yes": {"class": "no"}, "no": {"class": "yes"}}
    c = symcf.compile(symcf.DecisionTree(root, features=["a", "b"], classes=["no", "yes"]))
    e = c.explain(row, constraints=["not (at_most(0, b))"], select=select)
    assert e.sets == [(0, 1)]
    assert all(cf.row["a"] > 5 and cf.row["b"] != 3 for cf in e)
    checked = symcf.verify(c, row, e)
    assert (checked.valid, checked.honest) == (True, True)


def test_a_range_without_another_number_does_not_change_in_place():
    """`flag` can only become 0: its range above 0.5 has no whole number but 1."""
    below = {"feature": "flag", "at_most": 0.5, "yes": {"class": "yes"}, "no": {"class": "no"}}
    root = {"feature": "a", "at_most": 5, "yes": below, "no": {"class": "yes"}}
    c = symcf.compile(symcf.DecisionTree(root, features=["flag", "a"], classes=["no", "yes"]))
    row = {"flag": True, "a": 1}
    e = c.explain(row, allowed={"a": [0, 9]}, constraints=["not (at_most(1, flag, a))"])
    assert [cf.row for cf in e] == [{"flag": False, "a": 0}]
    assert symcf.verify(c, row, e)
    locked = c.explain(row, allowed={"flag": [1, 1], "a": [0, 9]}, constraints=["not (at_most(1, flag, a))"])
    assert locked.complete
    assert locked.sets == []


def test_verify_knows_the_ranges_of_columns_that_no_sum_names():
    """In a rule that is partly about the old row, `b >= 1` is a test of a range as in any other rule."""
    below = {"feature": "b", "at_most": 2.5, "yes": {"class": "yes"}, "no": {"class": "no"}}
    root = {"feature": "a", "at_most": 2.5, "yes": {"class": "no"}, "no": below}
    c = symcf.compile(symcf.DecisionTree(root, features=["a", "b"], classes=["no", "yes"]))
    row = {"a": 3, "b": 3}
    e = c.explain(row, allowed={"a": [0, 3], "b": [0, 3]}, constraints=["b >= 1 and a > 0.5 * old.a"])
    assert [cf.row for cf in e] == [{"a": 3, "b": 2}]
    assert symcf.verify(c, row, e)


def test_numbers_that_obey_have_few_digits_and_lie_in_their_ranges():
    root = {"feature": "a", "at_most": 5, "yes": {"class": "no"}, "no": {"class": "yes"}}
    c = symcf.compile(symcf.DecisionTree(root, features=["a", "b"], classes=["no", "yes"]))
    for row, constraint, new in [
        ({"a": 1.0, "b": 5.6}, "b < a", 5.601),
        ({"a": 5.6, "b": 1.0}, "a < b", 0.999),
        ({"a": 5.6, "b": 4.5}, "a < b", 4.499),
        ({"a": 1.0, "b": 2.8}, "2 * b < a", 5.601),
    ]:
        e = c.explain(row, constraints=[constraint])
        assert [cf.row["a"] for cf in e if cf.features == (0,)] == [new]
        checked = symcf.verify(c, row, e)
        assert (checked.valid, checked.honest) == (True, True), (constraint, row)
