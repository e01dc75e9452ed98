"""Do suggestions of an earlier version hold? Against predict of the estimators, row by row, over all small rows."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import symcf
from symcf.cli.app import run

NAMES = ["a", "b", "c", "d"]


def fitted(seed, names=NAMES, classes=("no", "yes")):
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 3, (60, len(names))), columns=names)
    y = np.array(classes)[(rng.random(60) < 0.45).astype(int)]
    return DecisionTreeClassifier(max_depth=4, random_state=seed).fit(X, y)


def table(seed, n=40):
    rng = np.random.default_rng(seed + 100)
    return pd.DataFrame(rng.integers(0, 3, (n, 4)), columns=NAMES)


def fewest(estimator, names, row, fixed):
    """The fewest changes with which an estimator says yes; None if there are none. All rows are tried."""
    free = [name for name in names if name not in fixed]
    rows = [{**row, **dict(zip(free, values, strict=True))} for values in itertools.product(range(3), repeat=len(free))]
    says = estimator.predict(pd.DataFrame(rows)[list(names)])
    found = [sum(one[name] != row[name] for name in row) for one, said in zip(rows, says, strict=True) if said == "yes"]
    return min(found, default=None)


def expected(old, new, names, frame, fixed):
    """By row, what became of the suggestion: None where there was none."""
    c = symcf.compile(old)
    found = []
    for row in frame.to_dict("records"):
        own = {name: row[name] for name in old.feature_names_in_}
        if old.predict(pd.DataFrame([own]))[0] == "yes":
            found.append(None)
            continue
        e = c.explain(own, target="yes", immutable=[name for name in fixed if name in own], k=1)
        if not e.count:
            found.append(None)
            continue
        suggested = {**row, **e[0].row}
        if new.predict(pd.DataFrame([suggested])[list(names)])[0] == "yes":
            found.append("held")
            continue
        if new.predict(pd.DataFrame([row])[list(names)])[0] == "yes":
            found.append("at_target")
            continue
        least = fewest(new, names, row, fixed)
        found.append("no_way" if least is None else "longer" if least > len(e[0].changes) else "other")
    return found


def check(audit, became, labels):
    for label, group in audit.groups.items():
        here = [one for one, mine in zip(became, labels, strict=True) if mine == label and one is not None]
        drift = group.drift
        assert drift.suggested == len(here)
        for part in ("held", "at_target", "no_way", "longer", "other"):
            assert getattr(drift, part) == here.count(part), part
        assert drift.unknown == 0
    assert audit.total.drift.suggested == sum(one is not None for one in became)
    assert audit.broken_suggestions.tolist() == [i for i, one in enumerate(became) if one not in (None, "held")]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("form", ["frame", "rows"])
def test_against_brute_force(seed, form):
    old, new, frame = fitted(seed), fitted(seed + 50), table(seed)
    fixed = ["c"] if seed % 2 else []
    became = expected(old, new, NAMES, frame, fixed)
    groups = [i % 2 for i in range(len(frame))]
    data = frame if form == "frame" else frame.to_dict("records")
    a = symcf.audit(
        symcf.compile(new), data, target="yes", immutable=fixed, groups=groups, previous=symcf.compile(old)
    )  # fmt: skip
    check(a, became, groups)


def test_versions_that_read_other_columns():
    frame = table(3)
    old, new = fitted(3, ["a", "b", "c"]), fitted(4, ["d", "b", "a"])
    for fixed in ([], ["c"], ["d"]):
        became = expected(old, new, ["d", "b", "a"], frame, fixed)
        asked = [name for name in fixed if name != "c"]
        if "c" in fixed:
            continue  # the new version has no such feature to name
        a = symcf.audit(symcf.compile(new), frame, target="yes", immutable=asked, previous=symcf.compile(old))
        check(a, became, ["all"] * len(frame))


def test_indices_of_features_are_those_of_the_new_version():
    frame = table(5)
    old, new = fitted(5, ["a", "b", "c", "d"]), fitted(6, ["d", "c", "b", "a"])
    became = expected(old, new, ["d", "c", "b", "a"], frame, ["d"])
    a = symcf.audit(symcf.compile(new), frame, target="yes", immutable=[0], previous=symcf.compile(old))
    check(a, became, ["all"] * len(frame))


def test_without_a_target_and_with_other_goals():
    old, new, frame = fitted(7), fitted(8), table(7)
    c = symcf.compile(old)
    held = 0
    for row in frame.to_dict("records"):
        e = c.explain(row, k=1)
        held += bool(e.count) and new.predict(pd.DataFrame([e[0].row]))[0] != old.predict(pd.DataFrame([row]))[0]
    a = symcf.audit(symcf.compile(new), frame, previous=c)
    assert a.total.drift.held == held
    sure = symcf.audit(symcf.compile(new), frame, target="yes", min_probability=0.9, previous=c)
    place = list(new.classes_).index("yes")
    held = 0
    for row in frame.to_dict("records"):
        if old.predict_proba(pd.DataFrame([row]))[0][place] >= 0.9:
            continue
        e = c.explain(row, k=1, target="yes", min_probability=0.9)
        held += bool(e.count) and new.predict_proba(pd.DataFrame([e[0].row]))[0][place] >= 0.9
    assert sure.total.drift.held == held


def test_rules_words_and_errors():
    old, new, frame = fitted(1), fitted(51), table(1)
    c, previous = symcf.compile(new), symcf.compile(old)
    a = symcf.audit(c, frame, target="yes", previous=previous, confidence="90%")
    drift = a.total.drift
    (rule,) = a.rules(min_held="100%")
    assert rule.holds is (drift.held == drift.suggested)
    assert rule.text == f"{drift.held} of {drift.suggested} suggestions of the earlier version hold; at least 100% must"
    assert a.rules(min_held=drift.held)[0].holds is True
    assert a.rules(min_held=drift.held + 1)[0].holds is False
    assert "Suggestions of the earlier version:" in str(a)
    told = json.loads(a.to_json())
    assert told["drift"][-1]["held"] == drift.held
    assert told["broken_suggestions"] == a.broken_suggestions.tolist()
    assert a.drift().iloc[-1]["suggested"] == drift.suggested
    plain = symcf.audit(c, frame, target="yes")
    assert plain.to_dict()["drift"] is None
    with pytest.raises(symcf.OptionError, match="give the earlier version"):
        plain.rules(min_held="90%")
    with pytest.raises(TypeError, match="previous takes a compiled classifier"):
        symcf.audit(c, frame, previous=old)
    other = symcf.compile(fitted(1, classes=("bad", "good")))
    with pytest.raises(symcf.OptionError, match="previous: its classes are"):
        symcf.audit(c, frame, target="yes", previous=other)
    turned = symcf.compile(fitted(1, ["d", "c", "b", "a"]))
    with pytest.raises(symcf.OptionError, match="give the rows as a table with names"):
        symcf.audit(c, frame.to_numpy(), target="yes", previous=turned)


def test_the_command_and_the_policy(tmp_path, capsys):
    credit = symcf.datasets.credit()
    first, second = (symcf.compile(credit.model(kind)) for kind in ("tree", "scorecard"))
    first.save(tmp_path / "v1.symcf")
    second.save(tmp_path / "v2.symcf")
    credit.data.assign(branch="north").to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "policy.json").write_text(
        json.dumps({"target": "approved", "audit": {"min_held": "90%", "group": "sex"}, "max_changes": 2})
    )
    a = symcf.audit(second, credit.data, target="approved", max_changes=2, groups="sex", previous=first)
    call = ["audit", f"{tmp_path}/v2.symcf", f"{tmp_path}/rows.csv", "--policy", f"{tmp_path}/policy.json", "--extra"]
    assert run([*call, "--previous", f"{tmp_path}/v1.symcf", "-f", "json"]) == 1
    out = capsys.readouterr()
    told = json.loads(out.out)
    assert told["drift"] == a.to_dict()["drift"]
    assert told["broken_suggestions"] == [row + 1 for row in a.broken_suggestions.tolist()]
    assert told["rules"][0]["verdict"] == "failed"
    assert "limit broken" in out.err
    assert run(call) == 2
    assert "audit.min_held: name the earlier version (--previous)" in capsys.readouterr().err
    assert run(["audit", f"{tmp_path}/v2.symcf", "-", "--previous", f"{tmp_path}/v1.symcf"]) == 2
