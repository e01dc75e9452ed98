"""Sufficient reasons: against brute force, by duality on fitted models, and as people read them."""

from __future__ import annotations

import base64
import itertools
import json
import pickle
import re

import numpy as np
import oracle
import pytest
import reference
import why_random
from strategies import random_classifier
from torture import plans, run

import symcf
import symcf.fast
from symcf.answers.explainer import Explainer
from symcf.demo import admission
from symcf.search import reasons as engines

#: Questions of the short round; ``python tests/drivers/why_random.py --count`` asks as many as one likes.
SHORT = 250


# --- against brute force ----------------------------------------------------------------------------------------------


def test_random_questions():
    with run.directory() as here:
        tally, failures = why_random.round_of(0, SHORT, plans.namespace(here))
    assert not failures, failures[0]
    assert tally.calls - tally.sequences == SHORT
    assert tally.checks > 4 * SHORT


@pytest.mark.parametrize("name", ["why", "mc_explanations", "attribute"])
def test_the_round_sees_a_wrong_answer(monkeypatch, name):
    right = getattr(symcf.Compiled, name)

    def wrong(self, *args, **options):
        found = right(self, *args, **options)
        if name == "attribute" and len(found):
            found.values = found.values + 1e-9
            found.counts = None if found.counts is None else tuple(count + 1 for count in found.counts)
        elif name != "attribute" and len(found.sets) > 1:
            found.sets = found.sets[1:]
        return found

    monkeypatch.setattr(symcf.Compiled, name, wrong)
    with run.directory() as here:
        _, failures = why_random.round_of(1, 100, plans.namespace(here))
    assert failures


def test_the_example_of_the_paper():
    c = symcf.compile(admission())
    assert c.why([1, 0, 1, 0]).sets == [(1, 3)]
    r = c.why([0, 0, 1, 0])
    assert (r.sets, r.necessary, r.relevant, r.irrelevant) == ([(0, 1), (1, 3)], (1,), (0, 1, 3), (2,))
    assert c.count_why([0, 0, 1, 0]) == 2
    assert r.changes.sets == [(1,), (0, 3)]


@pytest.mark.parametrize("engine", ["cover", "diagram", "sat"])
@pytest.mark.parametrize("n", [9, 12])
def test_all_engines_agree_and_are_dual(engine, n):
    given = random_classifier(n, seed=n)
    c, rng = given.compiled(), np.random.default_rng(n)
    for x in rng.integers(0, 2, size=(4, n)).tolist():
        r = c.why(x, engine=engine)
        assert sorted(r.sets) == sorted(reference.hitting_sets(c.explain(x).sets, n))
        assert c.count_why(x, engine=engine) == len(r)
        assert c.why(x, k=3, engine=engine).sets == r.sets[:3]
        assert bool(symcf.verify(c, x, r))


def fitted(name):
    """Naive Bayes, logistic regression, a tree and a forest on data that comes with scikit-learn, in few bins."""
    from sklearn import datasets, ensemble, linear_model, naive_bayes, pipeline, preprocessing, tree

    x, y = datasets.load_wine(return_X_y=True)
    x = x[:, :7]
    y = y if name in ("bayes3", "forest") else (y == 1).astype(int)
    bins = preprocessing.KBinsDiscretizer(3, encode="ordinal", strategy="quantile")
    coded = bins.fit_transform(x)
    model = {
        "bayes": naive_bayes.CategoricalNB(min_categories=3),
        "bayes3": naive_bayes.CategoricalNB(min_categories=3),
        "logistic": linear_model.LogisticRegression(),
        "tree": tree.DecisionTreeClassifier(max_depth=4, random_state=0),
        "forest": ensemble.RandomForestClassifier(5, max_depth=3, random_state=0),
    }[name]
    steps = pipeline.make_pipeline(preprocessing.KBinsDiscretizer(3, encode="ordinal", strategy="quantile"), model)
    steps.fit(x, y)
    assert len(coded) == len(x)
    return symcf.compile(symcf.from_sklearn(steps)), x


@pytest.mark.parametrize("name", ["bayes", "bayes3", "logistic", "tree", "forest"])
def test_fitted_models_change_sets_and_reasons_are_each_others_hitting_sets(name):
    c, rows = fitted(name)
    for x in rows[::40]:
        e, r = c.explain(x), c.why(x)
        n = len(c.features)
        assert sorted(r.sets) == sorted(reference.hitting_sets(e.sets, n))
        assert sorted(e.sets) == sorted(reference.hitting_sets(r.sets, n))
        assert e.reasons.sets == r.sets
        assert r.changes.sets == e.sets
    batch = symcf.fast.why_batch(c, rows[::40])
    assert [list(r.sets) for r in batch] == [list(c.why(x).sets) for x in rows[::40]]
    np.testing.assert_allclose(batch.shares(), symcf.fast.attribute_batch(c, rows[::40], "reasons"))


def test_columns_of_numbers():
    from sklearn.datasets import load_wine
    from sklearn.linear_model import LogisticRegression

    x, y = load_wine(return_X_y=True)
    x = x[:, :6]
    for classes in (y, y == 1):
        c = symcf.compile(LogisticRegression(max_iter=5000).fit(x, classes), data=x)
        for row in x[::60]:
            e, r = c.explain(row), c.why(row)
            assert sorted(r.sets) == sorted(reference.hitting_sets(e.sets, 6))
            assert r.changes.sets == e.sets
            assert e.reasons.sets == r.sets
            assert c.why(row, engine="sat").sets == r.sets
            assert c.count_why(row) == len(r)
            cut = c.why(row, max_results=1)
            assert (cut.necessary, cut.relevant, cut.shares) == (r.necessary, r.relevant, r.shares)
            assert symcf.Reasons.from_dict(json.loads(r.to_json())) == r
            assert r[0].conditions[0].value == row[r.sets[0][0]] if r.sets[0] else True
            assert symcf.verify(c, row, r).valid is None
        assert [list(r.sets) for r in symcf.fast.why_batch(c, x[::60])] == [c.why(row).sets for row in x[::60]]
        with pytest.raises(symcf.LimitError):  # a diagram over thousands of numbers in each of six columns
            c.attribute(x[0], "shapley", time_limit=0.5)
        with pytest.raises(symcf.OptionError, match="bin the columns"):
            c.mc_explanations(x[0], baseline=x[1])


def forest():
    from sklearn.datasets import load_wine
    from sklearn.ensemble import RandomForestClassifier

    x, y = load_wine(return_X_y=True)
    x = x[:, :6]
    return symcf.compile(symcf.from_sklearn(RandomForestClassifier(30, max_depth=3, random_state=0).fit(x, y))), x


def test_trees_without_a_diagram():
    c, x = forest()
    for row in x[::45]:
        e, r = c.explain(row), c.why(row)
        assert (e.engine, r.engine) == ("boxes", "boxes")
        assert sorted(r.sets) == sorted(reference.hitting_sets(e.sets, 6))
        cut = c.why(row, max_results=1)
        assert (cut.necessary, cut.relevant, cut.shares) == (r.necessary, r.relevant, r.shares)
        assert c.why(row, k=2).sets == r.sets[:2]
        assert c.count_why(row) == len(r)
    assert [list(r.sets) for r in symcf.fast.why_batch(c, x[::45])] == [c.why(row).sets for row in x[::45]]


def test_trees_that_run_out_of_time_still_give_a_reason(monkeypatch):
    from symcf.search import boxes

    c, x = forest()
    everything = [c.why(row).sets for row in x[::45]]
    monkeypatch.setattr(boxes, "MOST_OF_IT", 0.0)
    for row, sets in zip(x[::45], everything, strict=True):
        r = c.why(row)
        assert r.status == "time_limit"
        assert len(r.sets) == 1
        assert r.sets[0] in sets


# --- which features matter --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_relevant_features_of_sums_without_a_list(seed):
    rng = np.random.default_rng(seed)
    n = 12
    weights = rng.choice([1, 2, 3, 10, 100], size=n) * rng.choice([-1, 1], size=n)
    model = symcf.LinearClassifier([[0, w] for w in weights.tolist()], int(rng.integers(-30, 30)))
    c = symcf.compile(model)
    for x in rng.integers(0, 2, size=(6, n)).tolist():
        whole, cut = c.why(x), c.why(x, max_results=1)
        assert cut.relevant == whole.relevant
        assert cut.necessary == whole.necessary
        assert cut.shares == whole.shares
        assert c.why(x, max_results=1, engine="diagram").relevant == whole.relevant


def test_relevant_features_of_hundreds_of_features():
    n = 400
    model = symcf.LinearClassifier([[0, 10]] * (n - 1) + [[0, 1]], -1995)
    c = symcf.compile(model)
    r = c.why([0] * n, max_results=5)
    assert r.status == "max_results"
    assert r.relevant == tuple(range(n - 1))  # 199 tens are too few and 200 too many: the one is of no use
    odd = symcf.compile(symcf.LinearClassifier([[0, 10]] * (n - 1) + [[0, 1]], -1990))
    assert odd.why([0] * n, max_results=5).relevant == tuple(range(n))


def test_too_many_sums_are_refused_by_name(monkeypatch):
    monkeypatch.setattr(engines, "MOST_SUMS", 3)
    weights = [64, 48, 40, 36, 34, 33]
    c = symcf.compile(symcf.LinearClassifier([[0, 2 * w] for w in weights] + [[0, 1]], -2 * 101 - 1))
    with pytest.raises(symcf.LimitError, match="different sums"):
        print(c.why([0] * 7, max_results=1).relevant)


# --- options ----------------------------------------------------------------------------------------------------------


def test_options_that_make_no_sense_are_refused_by_name():
    c = symcf.compile(admission())
    x = [1, 0, 1, 0]
    with pytest.raises(symcf.OptionError, match="max_changes"):
        c.why(x, max_changes=2)
    with pytest.raises(symcf.OptionError, match="one number per feature"):
        c.why(x, cost="ordinal")
    with pytest.raises(symcf.OptionError, match="engine"):
        c.why(x, engine="fastest")
    with pytest.raises(symcf.OptionError, match="method"):
        c.attribute(x, "lime")
    with pytest.raises(symcf.OptionError, match="immutable"):
        c.attribute(x, "shapley", immutable=[0])
    with pytest.raises(symcf.OptionError, match="max_changes"):
        symcf.fast.why_batch(c, [x], max_changes=1)
    three = symcf.compile(symcf.NaiveBayes([0.2, 0.3, 0.5], [[[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]]] * 3))
    with pytest.raises(symcf.OptionError, match="baseline"):
        three.mc_explanations([0, 1, 0])
    with pytest.raises(symcf.OptionError, match="cover"):
        three.why([0, 1, 0], engine="cover")
    with pytest.raises(symcf.InstanceError, match="no rows"):
        c.attribute(x, "shapley", data=np.zeros((0, 4), dtype=int))
    with pytest.raises(symcf.InstanceError, match="GPA"):
        c.attribute(x, "shapley", data=[[0, 0, 7, 0]])


def test_costs_order_reasons_and_any_range_of_them_is_exact():
    model = symcf.NaiveBayes.binary(0.5, [0.9] * 6, [0.1] * 6, features=list("abcdef"))
    c = symcf.compile(model)
    x = [1, 1, 1, 1, 0, 0]
    sets = c.why(x).sets
    for cost in ([3, 1, 1, 1, 1, 1], [1, 2, 4, 8, 16, 32], [1e-30, 1, 1e30, 0.1, 0.2, 0.3]):
        wanted = oracle.cheapest(sets, cost)
        assert c.why(x, cost=cost).sets == wanted
        assert c.why(x, cost=cost, k=2).sets == wanted[:2]
        assert bool(symcf.verify(c, x, c.why(x, cost=cost)))
        assert bool(symcf.verify(c, x, c.why(x, cost=cost, k=2)))


def test_a_time_limit_is_kept_and_said():
    c = random_classifier(40, seed=1).compiled()
    r = c.why([0, 1] * 20, time_limit=0)
    assert r.status == "time_limit"
    assert "time limit" in r.sentences()[-1]
    with pytest.raises(symcf.LimitError):
        c.count_why([0, 1] * 20, time_limit=0)
    batch = symcf.fast.why_batch(c, [[0, 1] * 20] * 3, time_limit=0)
    assert [symcf.fast.BatchReasons.__name__, len(batch)] == ["BatchReasons", 3]
    assert all(r.status == "time_limit" for r in batch)
    with pytest.raises(symcf.OptionError, match="all reasons"):
        batch.shares()


def test_samples_are_reasons_and_the_same_for_a_seed():
    c = random_classifier(14, seed=3).compiled()
    x = [0, 1] * 7
    wanted = set(c.why(x).sets)
    drawn = [reason.features for reason in c.sample_why(x, 200, 5)]
    assert set(drawn) <= wanted
    assert len(set(drawn)) > min(len(wanted), 20) // 2
    assert drawn == [reason.features for reason in c.sample_why(x, 200, 5)]


def test_rows_that_cannot_be_read_are_marked_in_batches():
    c = symcf.compile(admission())
    batch = symcf.fast.why_batch(c, [[1, 0, 1, 0], [1, 0, 9, 0]], errors="mark")
    assert batch[0].sets == [(1, 3)]
    with pytest.raises(symcf.InstanceError):
        batch[1]
    related = symcf.fast.why_batch(c, [[1, 0, 1, 0], [1, 0, 9, 0]], errors="mark", constraints="GPA = 1 -> GPA = 1")
    assert related.status.tolist() == batch.status.tolist()
    with pytest.raises(symcf.InstanceError, match="row 1"):
        symcf.fast.why_batch(c, [[1, 0, 1, 0], [1, 0, 9, 0]])


# --- background knowledge ---------------------------------------------------------------------------------------------


def test_relations_are_background_knowledge():
    """Whoever is under age has no licence: then age alone is reason enough."""
    model = symcf.from_function(
        lambda row: int(row[0] == 1 and row[1] == 1), 2, features=["adult", "licence"], classes=["no", "yes"]
    )
    c = symcf.compile(model)
    assert c.why([1, 1]).sets == [(0, 1)]
    assert c.why([1, 1], constraints="licence = 1 -> adult = 1").sets == [(1,)]


def test_why_not_another_class():
    model = symcf.from_function(lambda row: row[0] + row[1], [2, 2], classes=["low", "middle", "high"])
    c = symcf.compile(model)
    assert c.why([0, 0]).sets == [(0, 1)]
    r = c.why([0, 0], target="high")
    assert r.sets == [(0,), (1,)]
    assert (
        r.sentences()[1]
        == "Not high because x0 is 0: with this fact, the decision is not 'high' regardless of the other values."
    )


# --- as people read them ----------------------------------------------------------------------------------------------


def loan():
    return symcf.compile(
        symcf.NaiveBayes.binary(
            0.5,
            [0.8, 0.8, 0.6, 0.5],
            [0.3, 0.3, 0.4, 0.5],
            features=["income", "savings", "job", "shoe size"],
            values=[["low", "high"]] * 4,
            classes=["declined", "approved"],
        )
    )


def test_text_and_sentences():
    r = loan().why([0, 0, 1, 0])
    assert str(r).splitlines() == [
        "decided declined (89.09%); this is enough, whatever the rest is:",
        "  income = low, savings = low",
        "in every reason: income, savings",
        "in no reason: job, shoe size",
    ]
    assert r.sentences() == [
        "Declined.",
        "Declined because income is low and savings is low: with these facts, the decision is 'declined' regardless of "
        "the other values.",
        "These play no part: job and shoe size.",
        "There is no other reason.",
    ]
    assert r.principal() == ["income is low", "savings is low"]
    assert r.principal(most=1) == ["income is low"]
    with pytest.raises(symcf.OptionError):
        r.principal(most=0)


def decisions_with(c, row, kept):
    """By brute force over all rows of two-valued features: the decisions of those that agree with the row on these."""
    others = [j for j in range(len(row)) if j not in kept]
    found = set()
    for values in itertools.product((0, 1), repeat=len(others)):
        changed = list(row)
        for j, value in zip(others, values, strict=True):
            changed[j] = value
        found.add(c.predict([changed], codes=True)[0])
    return found


def test_a_reason_names_the_condition_that_it_holds_under():
    """With income fixed, savings alone is a reason; with another income it is none, and the text must say so."""
    c, row = loan(), [0, 0, 1, 0]
    r = c.why(row, immutable=["income", "job"])
    assert r.sets == [(1,)]
    assert len(decisions_with(c, row, {1})) == 2  # the sentence without its condition would be false
    assert len(decisions_with(c, row, {0, 1, 2})) == 1
    assert str(r).splitlines() == [
        "decided declined (89.09%); this is enough with income and job as they are, whatever the rest is:",
        "  savings = low",
        "in every reason: savings",
        "in no reason: shoe size",
    ]
    assert r.sentences() == [
        "Declined.",
        "Declined because savings is low: with this fact, and income and job as they are, the decision is 'declined' "
        "regardless of the other values.",
        "With income and job as they are, this plays no part: shoe size.",
        "There is no other reason.",
    ]
    assert "enough with income and job as they are, whatever the rest is" in r._repr_html_()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"allowed": {"income": []}}, ", and income as it is, the decision"),
        ({"allowed": {"income": "decrease"}}, "values, given that income may only decrease."),
        ({"constraints": "income = low or job = low"}, 'values, given the rule "income = low or job = low".'),
    ],
)
def test_every_kind_of_condition_is_named(asked, words):
    r = loan().why([0, 0, 1, 0], **asked)
    assert words in r.sentences()[1]
    assert words.split("values")[-1].rstrip(".") in r.sentences()[1]


def test_a_decision_that_nothing_changes_names_its_condition():
    r = loan().why([0, 0, 1, 0], immutable=["income"], allowed={"savings": []})
    assert r.sets == [()]
    assert (
        r.sentences()[1]
        == "With income and savings as they are, the decision is 'declined' regardless of the other values."
    )
    assert "with income and savings as they are" in str(r)
    never = symcf.compile(symcf.from_function(lambda row: "no", 2, classes=["no", "yes"])).why([0, 0])
    assert never.sentences()[1] == "The decision is 'no' regardless of all values."


def test_reasons_that_were_cut_say_how_many_were_found():
    r = loan().why([1, 1, 1, 1], max_results=1)
    assert r.status == "max_results"
    assert "stopped by max_results after 1 reason: more may exist" in str(r)
    assert r.sentences()[-1] == "The search was stopped after 1 reason, the limit max_results: there may be others."
    late = symcf.Reasons.from_dict({**r.to_dict(), "status": "time_limit", "reasons": [], "count": 0})
    assert late.sentences()[-1] == "The search was stopped by its time limit before it found a reason."
    assert "no reason found yet" in str(late)
    assert "before it found a reason" in late._repr_html_()
    fewest = loan().mc_explanations([1, 1, 1, 1], max_results=1)
    assert fewest.count == 1 or "stopped by max_results" in str(fewest)


def test_the_summary_of_reasons_speaks_of_reasons():
    batch = symcf.fast.why_batch(loan(), [[0, 0, 1, 0], [1, 1, 1, 1]], max_results=1)
    assert repr(batch) == "BatchReasons(2 rows, 2 reasons; 1 rows stopped by a limit)"
    text = str(batch.summary())
    assert "reasons" in text
    assert "change set" not in text
    assert "stopped by max_results: more reasons may exist" in text


def test_a_decision_that_nothing_changes_has_the_empty_reason():
    c = symcf.compile(symcf.from_function(lambda row: 1, 3, classes=["no", "yes"]))
    r = c.why([0, 1, 0])
    assert r.sets == [()]
    assert r.sentences()[1] == "The decision is 'yes' regardless of all values."
    assert "nothing in particular" in str(r)
    assert r.necessary == r.relevant == ()
    fixed = loan().why([0, 0, 1, 0], immutable=["income", "savings", "job"])
    assert fixed.sets == [()]
    assert "income, savings and job as they are" in fixed.sentences()[1]


def test_html_marks_what_a_reason_needs():
    html = loan().why([0, 0, 1, 0])._repr_html_()
    assert html.count("<strong>low</strong>") == 2
    assert "any value will do" in html
    assert (
        "<script"
        not in symcf.compile(symcf.NaiveBayes.binary(0.4, [0.9], [0.1], features=["<script>"], classes=["<b>", "c"]))
        .why([0])
        ._repr_html_()
    )


def test_json_round_trip_and_tables():
    r = loan().why([0, 1, 0, 0])
    data = json.loads(r.to_json())
    again = symcf.Reasons.from_dict(data)
    assert again == r
    assert again.to_dict() == r.to_dict()
    assert (again.necessary, again.relevant) == (r.necessary, r.relevant)
    with pytest.raises(symcf.OptionError, match=r"Compiled\.why"):
        print(again.changes)
    with pytest.raises(symcf.FileError, match="format"):
        symcf.Reasons.from_dict({"format": "symcf.explanation"})
    with pytest.raises(symcf.FileError, match="version"):
        symcf.Reasons.from_dict(data | {"version": 9})
    with pytest.raises(symcf.FileError, match="lack"):
        symcf.Reasons.from_dict({"format": "symcf.reasons", "version": 1})
    frame = r.to_pandas()
    assert list(frame.columns) == ["reason", "feature", "value", "cost"]
    assert len(frame) == sum(map(len, r.sets))
    assert pickle.loads(pickle.dumps(r)).changes.sets == r.changes.sets


def test_batches_as_tables():
    c = loan()
    rows = [[0, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]
    batch = symcf.fast.why_batch(c, rows)
    assert batch == symcf.fast.why_batch(c, rows, n_jobs=2)
    assert batch[::2] == symcf.fast.why_batch(c, rows[::2])
    assert len(batch.to_pandas()) == len(batch.features)
    assert batch.to_arrow().num_rows == 3
    assert "reasons" in repr(batch)
    assert batch.summary().sets == batch.n_sets
    assert pickle.loads(pickle.dumps(batch)) == batch
    assert "job" in batch._repr_html_() or "income" in batch._repr_html_()


# --- attributions -----------------------------------------------------------------------------------------------------


def test_attributions_say_what_they_are():
    c = loan()
    a = c.attribute([0, 0, 1, 0], "shapley")
    assert a.values.sum() + a.base == pytest.approx(1.0)
    assert a["shoe size"] == 0.0
    assert "Shapley" in str(a)
    assert list(a.to_pandas().columns) == ["feature", "value", "shapley"]
    assert a.to_dict()["base"] == a.base
    by_reasons = c.attribute([0, 0, 1, 0])
    assert list(by_reasons) == [1.0, 1.0, 0.0, 0.0]
    assert by_reasons.base is None
    assert "income" in by_reasons._repr_html_()
    with pytest.raises(symcf.OptionError, match="attribution"):
        a["no such feature"]


def test_mc_explanations_of_both_decisions():
    c = symcf.compile(admission())
    yes = c.mc_explanations([1, 1, 1, 1])
    assert (yes.sets, yes.size, yes.count, yes.label) == ([(1, 2)], 2, 1, "admitted")
    no = c.mc_explanations([0, 0, 1, 0])
    assert no.label == "rejected"
    assert no.sets == reference.fewest_kept(
        lambda row: int(c.predict([row], codes=True)[0]), (0, 0, 1, 0), (1, 1, 1, 1)
    )
    assert "baseline" in str(no)
    assert no.to_dict()["count"] == no.count
    assert [reason.features for reason in no] == list(no.sets)
    cut = random_classifier(16, seed=5).compiled().mc_explanations([1] * 16, max_results=1)
    assert cut.count >= len(cut) == 1


# --- verify -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("large", [False, True])
def test_verify_finds_what_is_wrong_with_reasons(large):
    n = 24 if large else 8
    c = random_classifier(n, seed=2).compiled()
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(200, n)).tolist()
    x = next(x for x in rows if 3 <= c.count_why(x) <= 300)
    r = c.why(x)
    report = symcf.verify(c, x, r)
    assert report
    assert report.method == "duality"
    sets = list(r.sets)

    def altered(sets, status="complete", k=None):
        changed = symcf.Reasons.from_dict(r.to_dict() | {"k": k})
        changed.sets, changed.status = sets, status
        return symcf.verify(c, x, changed)

    assert altered(sets[1:]).complete is False
    assert altered(sets[:-1]).complete is False
    assert altered(sets[::-1]).honest is False
    assert altered([*sets[:-1], sets[-1][1:]]).valid is False
    more = tuple(sorted({*sets[-1], next(j for j in range(n) if j not in sets[-1])}))
    assert altered([*sets[:-1], more]).minimal is False
    assert altered(sets[1:3], k=2).complete is False
    assert altered(sets[:2], k=2).complete is True
    assert altered(sets[1:3], status="max_results").complete is True
    assert symcf.verify(c, [1 - v for v in x], r).valid is False


def test_verify_uses_duality_where_both_lists_are_small():
    c = random_classifier(24, seed=2).compiled()
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(200, 24)).tolist()
    x = next(x for x in rows if 3 <= c.count(x) <= 300 and c.count_why(x) <= 300)
    e = c.explain(x)
    report = symcf.verify(c, x, e)
    assert report
    assert report.method == "duality"
    e.sets = list(e.sets)[1:]
    assert symcf.verify(c, x, e).complete is False


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_attributions_are_drawn_alone_and_beside_others():
    pytest.importorskip("matplotlib")
    import symcf.plots

    c = loan()
    a = c.attribute([0, 0, 1, 0], "shapley")
    ax = symcf.plots.attribution(a)
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == pytest.approx([a.values[j] for j in a.ranked if a.values[j]])
    assert "shoe size" not in "".join(label.get_text() for label in ax.get_yticklabels())
    assert "1 feature contributed nothing" in ax.get_xlabel()
    both = symcf.plots.attribution(a, beside={"reasons": c.attribute([0, 0, 1, 0]), "mine": [1, 0, 0, 0.5]})
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["shapley", "reasons", "mine"]
    assert len(both.patches) == 3 * 4
    with pytest.raises(symcf.OptionError, match="one number for each"):
        symcf.plots.attribution(a, beside={"mine": [1, 2]})
    constant = symcf.compile(symcf.from_function(lambda row: 1, 2))
    assert not symcf.plots.attribution(constant.attribute([0, 0])).patches


# --- the report -------------------------------------------------------------------------------------------------------


def unpacked(field):
    return np.frombuffer(base64.b64decode(field["data"]), dtype=f"<u{field['bits'] // 8}").tolist()


def page_data(path):
    text = path.read_text(encoding="utf-8")
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)["rows"]["reasons"]


@pytest.mark.parametrize("options", [{}, {"immutable": ["x1"], "max_changes": 1, "cost": {"x0": 3}}])
def test_the_report_has_the_smallest_reasons_of_each_row(tmp_path, options):
    pytest.importorskip("jinja2")
    import symcf.report

    c = random_classifier(8, seed=4).compiled()
    rows = np.random.default_rng(1).integers(0, 2, size=(12, 8))
    symcf.report.write(tmp_path / "r.html", c, rows, **options)
    columns = {name: unpacked(field) for name, field in page_data(tmp_path / "r.html").items()}
    sizes, features = iter(columns["sizes"]), iter(columns["features"])
    for i, x in enumerate(rows):
        found = [tuple(next(features) for _ in range(next(sizes))) for _ in range(columns["count"][i])]
        everything = c.why(x, immutable=options.get("immutable", ())).sets
        assert found == everything[:3]
        assert columns["more"][i] == (len(everything) > 3)


def test_a_report_without_room_for_reasons_says_so(tmp_path, monkeypatch):
    pytest.importorskip("jinja2")
    import symcf.report
    from symcf.report import rows

    def full(*_):
        raise symcf.LimitError("no room")

    monkeypatch.setattr(rows, "why_codes", full)
    symcf.report.write(tmp_path / "r.html", loan(), [[0, 0, 1, 0]])
    assert page_data(tmp_path / "r.html") is None
    assert "they would take more memory than is allowed" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["cover", "diagram", "sat"])
def test_a_batch_over_numbers_uses_the_engine_that_was_named(name, monkeypatch):
    model = symcf.AdditiveClassifier(
        [symcf.NumberTerm(1.0, (0, 9)), symcf.NumberTerm(-2.0, (0, 9))], 0.5, features=["a", "b"], classes=["no", "yes"]
    )
    c, used, find = symcf.compile(model), [], Explainer.find_reasons

    def seen(self, engine, *rest):
        used.append(engine.name)
        return find(self, engine, *rest)

    monkeypatch.setattr(Explainer, "find_reasons", seen)
    rows = [[1.0, 0.25], [3.0, 4.0]]
    batch = symcf.fast.why_batch(c, rows, engine=name)
    assert used == [name, name]
    assert [r.sets for r in batch] == [c.why(row, engine=name).sets for row in rows]
