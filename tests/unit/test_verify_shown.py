"""Does `verify` notice when what a person reads of an explanation was forged? Every entry of its dict is changed."""

import copy
import json

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import symcf

pandas = pytest.importorskip("pandas")

#: What is read by nobody: statistics of the data by column, and the name of the engine. A `k` that is not less than the
#: count of the sets asks for no less.
UNSHOWN = ("spread", "engine", "k")


def loans():
    rng = np.random.default_rng(0)
    table = pandas.DataFrame(
        {
            "income": rng.normal(3000, 800, 300).round(),
            "debt": rng.normal(1000, 500, 300).round(2),
            "age": rng.integers(18, 80, 300),
        }
    )
    paid = table.income - table.debt * 1.5 + rng.normal(0, 300, 300) > 1500
    return table, np.where(paid, "yes", "no")


def categories():
    model = symcf.NaiveBayes.binary(
        0.3, [0.9, 0.8, 0.7], [0.2, 0.3, 0.4], features=["job", "home", "car"], classes=["no", "yes"]
    )
    return symcf.compile(model), [0, 0, 0]


def fitted(model):
    table, labels = loans()
    c = symcf.compile(model.fit(table, labels), data=table)
    declined = table[model.predict(table) == "no"]
    return c, declined.iloc[0].to_dict()


MODELS = {
    "numbers": lambda: fitted(make_pipeline(StandardScaler(), LogisticRegression())),
    "forest": lambda: fitted(RandomForestClassifier(5, max_depth=3, random_state=0)),
    "categories": categories,
}


def leaves(data, place=()):
    """Every entry of a dict of dicts and lists, with its place."""
    if isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*place, key))
    else:
        yield place, data


def forged(data, place, value):
    copied = copy.deepcopy(data)
    inner = copied
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return copied


def other(value):
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "x"
    return 3 if value is None else value - 700 if isinstance(value, float) and abs(value) > 1 else value + 7


def passes(c, row, data):
    """Does `verify` find nothing wrong?"""
    try:
        e = symcf.Explanation.from_dict(data)
    except (symcf.FileError, symcf.OptionError):
        return False
    return bool(symcf.verify(c, row, e))


@pytest.mark.parametrize("name", MODELS)
def test_every_entry_that_is_changed_is_noticed(name):
    c, row = MODELS[name]()
    e = c.explain(row)
    assert len(e)
    data = json.loads(e.to_json())
    assert passes(c, row, data)
    places = [(place, value) for place, value in leaves(data) if not set(UNSHOWN) & set(place)]
    places = [(place, value) for place, value in places if place[0] not in ("constraints", "value_labels")]
    through = [place for place, value in places if passes(c, row, forged(data, place, other(value)))]
    # a range that is narrower than it could be is true
    assert [place for place in through if not {"range", "said"} & set(place)] == []
    assert len(places) > 30


@pytest.mark.parametrize("name", ["numbers", "forest"])
@pytest.mark.parametrize("end", ["first", "last"])
def test_a_range_that_is_too_wide_is_noticed(name, end):
    c, row = MODELS[name]()
    data = json.loads(c.explain(row).to_json())
    tried = 0
    for i, cf in enumerate(data["counterfactuals"]):
        for k, change in enumerate(cf["changes"]):
            inner = change["range"][end]
            if inner is None or (inner > change["old"]) != (end == "first"):
                continue
            towards = (inner + change["old"]) / 2
            wide = forged(data, ("counterfactuals", i, "changes", k, "range", end), towards)
            assert not passes(c, row, wide)
            tried += 1
    assert tried


def test_what_a_person_would_have_read_is_named():
    c, row = MODELS["numbers"]()
    data = json.loads(c.explain(row).to_json())
    change = data["counterfactuals"][0]["changes"][0]
    for key in ("range", "said"):
        change[key] = {"first": 700.0, "last": None, "without": []}
    change["new"] = 700.0
    report = symcf.verify(c, row, symcf.Explanation.from_dict(data))
    assert report.honest is False
    assert "'income' is said to be 700.0" in str(report)


def test_constraints_are_called_what_they_are():
    c, row = MODELS["forest"]()
    data = json.loads(c.explain(row, immutable=["age"]).to_json())
    assert passes(c, row, data)
    (place,) = (i for i, constraint in enumerate(data["constraints"]) if constraint["kind"] == "immutable")
    assert not passes(c, row, forged(data, ("constraints", place, "name"), "debt"))
    assert not passes(c, row, forged(data, ("constraints", place, "feature"), 0))


@pytest.mark.parametrize(("name", "word"), [("status", "done"), ("select", "best of all"), ("minimality", "few")])
def test_words_that_mean_nothing_are_errors(name, word):
    c, row = MODELS["categories"]()
    data = {**c.explain(row).to_dict(), name: word}
    with pytest.raises(symcf.FileError, match=word):
        symcf.Explanation.from_dict(data)


def test_a_file_that_contradicts_itself_is_not_honest():
    c, row = MODELS["categories"]()
    data = c.explain(row).to_dict()
    report = symcf.verify(c, row, symcf.Explanation.from_dict({**data, "count": 9}))
    assert report.honest is False
    assert "contradicts itself: count" in str(report)
