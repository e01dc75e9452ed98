"""Certificates of reasons: they state the reasons that there are, and both checkers reject others."""

from __future__ import annotations

import copy
import json
import random
import shutil
from itertools import islice

import certificate_oracle
import numpy as np
import pandas as pd
import pytest
from certificates_agree import compared
from certificates_random import (
    certified,
    column_explanations,
    explanations,
    number_explanations,
    plausible_explanations,
    reasons_of,
)
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from torture import plans

import symcf
from symcf.demo import admission
from symcf.proof.certificates import arguments
from symcf.proof.checker.check import check_text
from symcf.proof.checker.form import canonical, number_of

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Reasons and their certificates, over labels and numbers, of models of every kind."""
    rng = random.Random(5)
    names = plans.namespace(str(tmp_path_factory.mktemp("reasons")))
    pairs = []
    kinds = [(explanations(5, names), 40), (number_explanations(5), 30), (column_explanations(5), 30)]
    for some, count in [*kinds, (plausible_explanations(5), 30)]:
        for _, _, e in islice(some, count):
            r = reasons_of(e, rng)
            certificate = None if r is None else certified(r, rng)
            if certificate is not None:
                pairs.append((r, certificate))
    return pairs


def test_they_state_the_reasons_that_there_are(found):
    assert len(found) >= 60
    for r, certificate in found:
        assert certificate.data["answer"]["reasons"] == [list(reason) for reason in r.sets]
        verdict = symcf.check(certificate)
        assert verdict, verdict
        assert certificate_oracle.is_true(certificate.data), certificate.data
    kinds = {certificate.claim for _, certificate in found}
    assert kinds == {"all", "first", "listed"}
    assert {certificate.data["model"]["rule"]["kind"] for _, certificate in found} >= {"sums", "numbers", "trees"}


def forgeries(data):
    """Changed answers, each with the right number: a reason less, wider, narrower, or another."""
    n = len(data["row"])
    reasons = data["answer"]["reasons"]
    for at, reason in enumerate(reasons):
        yield [*reasons[:at], *reasons[at + 1 :]]
        for j in range(n):
            changed = sorted(set(reason) ^ {j})
            yield sorted([*reasons[:at], changed, *reasons[at + 1 :]], key=lambda some: (len(some), some))


def test_other_reasons_are_rejected(found):
    passed = rejected = 0
    for _, certificate in found:
        for reasons in islice(forgeries(certificate.data), 12):
            data = copy.deepcopy(certificate.data)
            data["answer"]["reasons"] = reasons
            data["number"] = number_of(data)
            verdict = check_text(canonical(data))
            passed, rejected = passed + bool(verdict), rejected + (not verdict)
            assert not verdict or certificate_oracle.is_true(data), data
    assert rejected > 300
    assert passed < rejected / 5  # a list that claims nothing of others may be shorter


@needs_node
def test_the_checkers_agree_on_them(found):
    texts = []
    for _, certificate in found:
        texts.append(("none", canonical(certificate.data)))
        for reasons in islice(forgeries(certificate.data), 4):
            data = copy.deepcopy(certificate.data)
            data["answer"]["reasons"] = reasons
            data["number"] = number_of(data)
            texts.append(("a reason", canonical(data)))
    assert compared(texts)[1] == []


def test_plausible_rows():
    rng, passed = random.Random(2), 0
    for _, _, e in islice(plausible_explanations(2), 40):
        certificate = None if e.at_target else certified(e, rng)
        if certificate is not None:
            assert symcf.check(certificate)
            assert certificate_oracle.is_true(certificate.data)
            passed += 1
            for constraint in certificate.data["question"]["constraints"]:
                if constraint["kind"] == "plausible":
                    constraint["least"] += 10_000  # nothing is as likely
            certificate.data["number"] = number_of(certificate.data)
            assert symcf.check(certificate).failed == ("values" if e.sets else None)
    assert passed > 20


def test_plausible_rows_and_columns_that_are_cut_or_compared():
    rng = np.random.default_rng(1)
    rows = pd.DataFrame({"a": rng.integers(0, 9, 150), "b": rng.integers(0, 9, 150)})
    rows["c"] = (rows.a + rng.integers(0, 3, 150)) // 2
    labels = np.where(rows.a + rows.b - rows.c > 5, "yes", "no")
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(rows, labels)
    c = symcf.compile(tree, data=rows, plausibility=rows)
    questions = [{"constraints": ["a >= 2.2"]}, {"allowed": {"a": [1, 3, 5]}}, {"constraints": ["a <= c"]}]
    for options in [*questions, {"constraints": ["a <= c", "b >= 4", "c != 2"]}]:
        for ask in (c.explain, c.why):
            certificate = ask(rows.iloc[0], min_plausibility=0.1, **options).certificate()
            assert symcf.check(certificate, c, row=rows.iloc[0])
            assert certificate_oracle.is_true(certificate.data)


def test_a_row_of_the_proof_that_is_left_out_is_missed():
    data = symcf.compile(admission()).why([0, 0, 1, 0]).certificate().data
    for at in range(2):
        few = copy.deepcopy(data)
        del few["proof"]["sets"][at], few["proof"]["values"][at]
        few["number"] = number_of(few)
        assert check_text(json.dumps(few)).failed == "minimal"


def test_what_has_no_certificate():
    c = symcf.compile(admission())
    with pytest.raises(symcf.OptionError, match="general"):
        c.why([0, 0, 1, 0], general=True).certificate()
    with pytest.raises(symcf.OptionError, match="file"):
        symcf.Reasons.from_dict(c.why([0, 0, 1, 0]).to_dict()).certificate()


def test_more_rows_than_fit(monkeypatch):
    monkeypatch.setattr(arguments, "MOST_REASONS", 1)
    c = symcf.compile(symcf.Diagram.from_table([0, 0, 0, 1, 0, 1, 1, 1]))
    with pytest.raises(symcf.LimitError, match="rows"):
        c.why([0, 0, 0]).certificate()


def test_no_time_for_rows():
    with pytest.raises(symcf.LimitError):
        symcf.compile(admission()).why([0, 0, 1, 0]).certificate(time_limit=1e-9)


def test_reasons_against_several_classes_among_plausible_rows_are_refused_for_every_k():
    tables = [[[0.8, 0.2], [0.5, 0.5], [0.2, 0.8]]] * 2
    data = [[0, 0]] * 3 + [[0, 1]] * 2 + [[1, 1]] * 4 + [[1, 0]]
    c = symcf.compile(symcf.NaiveBayes([0.4, 0.3, 0.3], tables), plausibility=data)
    assert c.predict([[0, 0]])[0] != c.predict([[0, 1]])[0]  # so the first feature is no reason
    assert c.plausibility_of([[0, 1]])[0] >= 0.1
    for options in ({}, {"k": 1}, {"k": 2}, {"max_results": 1}):
        with pytest.raises(symcf.OptionError, match="several classes"):
            c.why([0, 0], min_plausibility=0.1, **options)


def test_letters_take_no_certificate_of_reasons():
    c = symcf.compile(admission())
    e = c.explain([0, 0, 1, 0])
    with pytest.raises(symcf.OptionError, match="another answer"):
        e.letter("all", certificate=c.why([0, 0, 1, 0]).certificate())


def test_a_missing_number_that_is_read_as_another_is_not_stated():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 2)).round(1), columns=["a", "b"])
    y = (X["a"] + X["b"] > 0).astype(int)
    X.loc[::7, "a"] = np.nan
    c = symcf.compile(make_pipeline(SimpleImputer(), DecisionTreeClassifier(max_depth=3, random_state=0)).fit(X, y), X)
    for answer in (c.explain(X.iloc[0]), c.why(X.iloc[0])):
        with pytest.raises(symcf.OptionError, match="'a' is missing in the row, and the model reads that as a number"):
            answer.certificate()
    certificate = c.explain(X.iloc[1]).certificate()
    assert symcf.check(certificate, c, row=X.iloc[1])
    assert symcf.check(certificate, c, row=X.iloc[0]).failed == "row"
