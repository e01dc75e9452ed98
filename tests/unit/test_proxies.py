"""Proxies against predict of the estimator on raw rows, and guesses against counting by hand."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import symcf
from symcf.analysis.audit.proxies import guessed
from symcf.cli.app import run

NAMES = ["sex", "job", "town", "late"]


def data(seed, n=80):
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    job = np.where(rng.random(n) < 0.8, sex, 1 - sex)  # tells the sex in four of five rows
    return pd.DataFrame({"sex": sex, "job": job, "town": rng.integers(0, 3, n), "late": rng.integers(0, 3, n)})


def fitted(seed):
    from sklearn.tree import DecisionTreeClassifier

    X = data(seed)
    rng = np.random.default_rng(seed + 1)
    y = np.where(X["job"] + X["sex"] + X["late"] + rng.random(len(X)) > 2.2, "good", "bad")
    return DecisionTreeClassifier(max_depth=5, random_state=0).fit(X, y)


def by_hand(values, groups):
    """Row by row: the group whose other rows have the value most often, by its share in each group."""
    n, kinds = len(values), sorted(set(groups))
    right = dict.fromkeys(kinds, 0.0)
    for i in range(n):
        shares = {}
        for kind in kinds:
            others = [k for k in range(n) if k != i and groups[k] == kind]
            shares[kind] = sum(values[k] == values[i] for k in others) / len(others)
        best = [kind for kind in kinds if shares[kind] == max(shares.values())]
        right[groups[i]] += (groups[i] in best) / len(best)
    return sum(right[kind] / groups.count(kind) for kind in kinds) / len(kinds)


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed):
    estimator, frame = fitted(seed), data(seed + 20)
    a = symcf.audit(symcf.compile(estimator), frame, target="good", protected=["sex"], proxies=True)
    said = estimator.predict(frame).tolist()
    domain = {"sex": (0, 1), "job": (0, 1), "town": (0, 1, 2), "late": (0, 1, 2)}
    rows = frame.to_dict("records")

    def decided(row):
        return estimator.predict(pd.DataFrame([row]))[0]

    turned = [i for i, row in enumerate(rows) if decided({**row, "sex": 1 - row["sex"]}) != said[i]]
    assert {one.feature for one in a.proxies} == {"job", "town", "late"}
    assert [one.guessed for one in a.proxies] == sorted((one.guessed for one in a.proxies), reverse=True)
    for one in a.proxies:
        f = one.feature
        assert one.decides == sum(
            any(decided({**row, f: v}) != said[i] for v in domain[f]) for i, row in enumerate(rows)
        )
        assert one.turned == len(turned)
        assert one.restored == sum(
            any(decided({**rows[i], "sex": 1 - rows[i]["sex"], f: v}) == said[i] for v in domain[f] if v != rows[i][f])
            for i in turned
        )
        # the tree may not tell all values apart: those that it does not are one value here, too
        code = symcf.compile(estimator)
        seen = code.codes(frame)[:, code.features.index(f)].tolist()
        assert one.guessed == pytest.approx(by_hand(seen, frame["sex"].tolist()))
        assert (one.chance, one.unknown) == (0.5, 0)
    assert a.proxies[0].feature == "job"


def test_a_group_that_the_model_does_not_read():
    estimator, frame = fitted(0), data(30)
    group = ["north" if town else "south" for town in frame["town"]]
    a = symcf.audit(symcf.compile(estimator), frame.assign(region=group), target="good", groups="region", proxies=True)
    assert {one.protected for one in a.proxies} == {"region"}
    assert all(one.turned is None and one.restored is None for one in a.proxies)
    told = {one.feature: one for one in a.proxies}
    code = symcf.compile(estimator)
    for name, one in told.items():
        seen = code.codes(frame)[:, code.features.index(name)].tolist()
        assert one.guessed == pytest.approx(by_hand(seen, group))
    again = symcf.audit(symcf.compile(estimator), frame, target="good", groups=group, proxies=True)
    assert [one.guessed for one in again.proxies] == [one.guessed for one in a.proxies]
    assert again.proxies[0].protected == "group"


def test_columns_of_numbers_are_cut_into_ten_parts():
    from collections import Counter

    rng = np.random.default_rng(0)
    numbers = rng.normal(size=200)
    groups = ["a" if x > 0 else "b" for x in numbers]
    share, chance = guessed(Counter(zip(numbers.tolist(), groups, strict=True)), True)
    assert chance == 0.5
    tenth = np.searchsorted(np.sort(numbers), numbers) * 10 // 200
    assert share == pytest.approx(by_hand(tenth.tolist(), groups))
    assert share > 0.9
    assert guessed(Counter({(1, "a"): 5, (2, "a"): 5}), False) == (None, None)
    assert guessed(Counter(), True) == (None, None)
    share, _ = guessed(Counter({(None, "a"): 10, (1.0, "b"): 10}), True)
    assert share == 1


def test_models_over_numbers():
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(1)
    sex = rng.integers(0, 2, 120)
    frame = pd.DataFrame(
        {"sex": sex, "height": 165 + 12.0 * sex + rng.normal(0, 4, 120), "pay": rng.normal(30, 5, 120)}
    )
    y = (frame["pay"] + 3 * frame["sex"] + 0.1 * frame["height"] + rng.normal(0, 3, 120) > 49).astype(int)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(frame, y)
    a = symcf.audit(symcf.compile(model, data=frame), frame, groups=sex.tolist(), proxies=True)
    told = {one.feature: one for one in a.proxies}
    assert told["height"].guessed > 0.85 > 0.65 > told["pay"].guessed


def test_parts_of_a_table_add_up():
    from symcf.analysis.audit.proxies import Proxies, Proxy

    estimator, frame = fitted(2), data(22)
    c = symcf.compile(estimator)
    whole = symcf.audit(c, frame, target="good", protected=["sex"], proxies=True).proxies
    from symcf.analysis.audit.audit import Plan, audit_rows
    from symcf.common.clock import NO_LIMIT

    plan = Plan.checked(
        c, {"target": "good"}, frame, protected=["sex"], monotone=None, time_limit=None, errors="raise", proxies=True
    )
    both = Proxies()
    for part in (frame[:30], frame[30:]):
        tally, _, _ = audit_rows(c, plan, part, None, NO_LIMIT)
        both.add(tally.proxies)
    assert tuple(both.lines()) == whole
    assert all(isinstance(one, Proxy) for one in whole)


def test_rules_and_errors():
    estimator, frame = fitted(1), data(21)
    c = symcf.compile(estimator)
    a = symcf.audit(c, frame, target="good", protected=["sex"], proxies=True)
    first = a.proxies[0]
    (rule,) = a.rules(max_proxy=first.guessed - 0.01)
    assert rule.holds is False
    assert rule.text.startswith(f"sex is guessed right in {first.guessed:.1%} from {first.feature} alone (50.0% by")
    assert a.rules(max_proxy="99%")[0].holds is True
    assert "Features that tell about protected ones:" in str(a)
    assert json.loads(a.to_json())["proxies"][0]["guessed"] == first.guessed
    with pytest.raises(symcf.OptionError, match="max_proxy must be a share"):
        a.rules(max_proxy=3)
    with pytest.raises(symcf.OptionError, match="max_proxy: ask for proxies"):
        symcf.audit(c, frame).rules(max_proxy="70%")


def test_the_command(tmp_path, capsys):
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("scorecard"))
    c.save(tmp_path / "v.symcf")
    credit.data.to_csv(tmp_path / "rows.csv", index=False)
    call = ["audit", f"{tmp_path}/v.symcf", f"{tmp_path}/rows.csv", "--target", "approved"]
    assert run([*call, "--protected", "sex", "--max-proxy", "54%", "-f", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    a = symcf.audit(c, credit.data, target="approved", protected=["sex"], proxies=True)
    assert told["proxies"] == a.to_dict()["proxies"]
    assert run([*call, "--protected", "sex", "--max-proxy", "90%"]) == 0
    capsys.readouterr()
    assert run([*call, "--proxies"]) == 2
    assert "--proxies: name protected features" in capsys.readouterr().err


def test_of_several_classes_the_same_one_must_come_back():
    def decide(row):
        return (row[0] + 2 * row[1] + row[2]) % 3

    c = symcf.compile(symcf.from_function(decide, 3, features=["sex", "job", "late"], classes=list("xyz")))
    rows = [[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)]
    a = symcf.audit(c, rows, protected=["sex"], proxies=True)
    for one in a.proxies:
        j = ["sex", "job", "late"].index(one.feature)
        back = 0
        for row in rows:
            other = [1 - row[0], *row[1:]]
            changed = [1 - cell if i == j else cell for i, cell in enumerate(other)]
            back += decide(other) != decide(row) and decide(changed) == decide(row)
        assert (one.feature, one.restored, one.turned) == (one.feature, back, 8)
