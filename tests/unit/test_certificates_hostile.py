"""Certificates made to deceive the checker, to crash it, or to keep it busy."""

from __future__ import annotations

import json
import sys
import tracemalloc
from functools import partial
from io import BytesIO, TextIOWrapper

import pytest

import symcf
from symcf.demo import admission
from symcf.proof.checker import form, hitting, relations, statement
from symcf.proof.checker.check import check_text
from symcf.proof.checker.domains import ZERO
from symcf.proof.checker.form import Effort, canonical, fingerprint_of, number_of
from symcf.proof.checker.hitting import flipping_sets
from symcf.proof.checker.rules import Numbers

ALL, SUMS = {"kind": "all"}, {"kind": "sums"}
WHOLE = {"low": -1, "high": 1}


def sealed(rule, values, sets=(), new=(), claim=ALL, proof=SUMS, row=None, classes=("no", "yes")):
    """A certificate about some classes, 0 for the row, with the right number and fingerprint."""
    model = {
        "fingerprint": "",
        "features": [f"x{j}" for j in range(len(values))],
        "values": values,
        "classes": list(classes),
        "rule": rule,
    }
    model["fingerprint"] = fingerprint_of(model)
    names = ("target", "constraints", "costs", "max_changes", "k")
    data = {
        "format": "symcf certificate",
        "version": 2,
        "number": "",
        "model": model,
        "row": [0] * len(values) if row is None else row,
        "decision": classes[0],
        "question": dict(zip(names, (None, [], None, None, None), strict=True)),
        "answer": {"sets": list(map(list, sets)), "values": list(map(list, new)), "claim": claim},
        "proof": proof,
    }
    data["number"] = number_of(data)
    return canonical(data)


def numbers(*terms, bias, doubt=0):
    parts = [{"numbers": [list(term)]} for term in terms]
    return {"kind": "numbers", "terms": parts, "bias": [bias], "scale": 0, "ties": "last", "doubt": doubt}


def diagram(nodes, n):
    return {"kind": "diagrams", "diagrams": [{"order": list(range(n)), "nodes": nodes, "root": len(nodes) + 1}]}


# --- to deceive -------------------------------------------------------------------------------------------------------


def test_a_set_that_wins_within_the_doubt_is_none():
    # x0 + x1 >= 0.5, each up to 1, in units of 1/64; the doubt is one and a half
    rule = {**numbers((0, 0, 1, 0), (0, 0, 1, 0), bias=-32, doubt=96), "scale": 6}
    honest = sealed(rule, [WHOLE] * 2, [(0, 1)], [(1, 1)])
    assert check_text(honest)
    for sets, new in (([(0,), (1,)], [(1,), (1,)]), ([(0,)], [(1,)]), ([(0, 1)], [(1, 2.0**-510)])):
        forged = check_text(sealed(rule, [WHOLE] * 2, sets, new))
        assert forged.failed == "values", forged


def test_the_doubt_grows_with_sums_beyond_the_ranges():
    beyond = Numbers.RANGE_BITS
    for bias, times in ((0, 1), (1, 1), (1 << beyond, 1), ((1 << beyond) + 1, 2), (5 << beyond, 5)):
        rule = Numbers(numbers((0, 0, 1, 0), bias=bias, doubt=96), [None], 2, Effort())
        assert rule.doubt([ZERO]) == 96 * times


@pytest.mark.parametrize(
    ("curve", "slope", "exponent", "flips"),
    [(-1, 1, -600, False), (-1, 1, 600, True), (-1, 3, -511, False)],
    ids=["near 0", "beyond all doubles", "between 0 and the first code"],
)
def test_parabolas_whose_top_has_no_code(curve, slope, exponent, flips):
    text = sealed(numbers((curve, 0, slope, exponent), bias=-1), [WHOLE])
    verdict = check_text(text)
    assert verdict.failed == ("complete" if flips else None), verdict


# --- to crash ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [{"kind": "sums", "weights": [[]], "bias": [-1], "ties": "last"}, numbers(bias=-1)])
def test_no_features(rule):
    assert check_text(sealed(rule, []))


@pytest.mark.parametrize("given", [0, True, None, b"x", ["x"], {"a": float("nan")}, {"a": {1, 2}}], ids=repr)
def test_what_is_no_certificate(given):
    with pytest.raises(symcf.OptionError, match="certificate"):
        symcf.check(given)


# --- to keep busy -----------------------------------------------------------------------------------------------------


def chain(n):
    """All features together, as a diagram."""
    return diagram([[n - 1, 0, 1], *([n - 1 - i, 0, i + 1] for i in range(1, n))], n)


def comb(n):
    """A tree with one long branch."""
    return [*(node for i in range(n) for node in ([i, [0, 0], 2 * i + 1, 2 * i + 2], [[1, 0]])), [[1, 0]]]


def twice(n):
    """A tree whose nodes have both children in common."""
    return [*([i, [0, 0], i + 1, i + 1] for i in range(n)), [[1, 0]]]


def trees(tree):
    return {"kind": "trees", "trees": [tree], "ties": "first"}


def first_alone(n):
    return {"kind": "sums", "weights": [[[0, 1], *([[0, 0]] * (n - 1))]], "bias": [-1], "ties": "last"}


def all_at_once(n):
    return sealed(
        {"kind": "sums", "weights": [[[0, 1]] * n], "bias": [-n], "ties": "last"}, [[0, 1]] * n, [range(n)], [[1] * n]
    )


BUSY = {
    "steps of a proof by resolvents": lambda: sealed(
        chain(2), [[0, 1]] * 2, proof={"kind": "clauses", "steps": [[9 + i, 99999 + i] for i in range(4000)]}
    ),
    "counting up to many": lambda: sealed(
        chain(80), [[0, 1]] * 80, claim={"kind": "up to", "changes": 40}, proof={"kind": "clauses", "steps": []}
    ),
    "a tree with long branches": lambda: sealed(
        trees(comb(200)), [[0, 1]] * 200, proof={"kind": "duality", "reasons": [[]]}
    ),
    "large sets": lambda: all_at_once(5000),
    "many walks": lambda: sealed(
        chain(400), [[0, 1]] * 400, [range(400)], [[1] * 400], {"kind": "listed"}, {"kind": "none"}
    ),
    "hitting sets": lambda: sealed(
        first_alone(30),
        [[0, 1]] * 30,
        [(0,)],
        [(1,)],
        {"kind": "up to", "changes": 6},
        {"kind": "duality", "reasons": [[0, *range(i, i + 4)] for i in range(1, 29, 4)]},
    ),
}


@pytest.mark.parametrize("name", BUSY)
def test_effort_is_bounded(name):
    text = BUSY[name]()
    assert check_text(text).failed != "effort"
    assert check_text(text, steps=50_000).failed == "effort"


def test_looking_at_relations_is_charged():
    n = 7
    never = [f"(x5 = {a} or x6 = {b})" for a in (0, 1) for b in (0, 1)]
    either = [f"(x{j} = 0 or x{j} = 1)" for j in range(5)] * 200  # open until feature j is known
    rule = {"kind": "sums", "weights": [[[0, 1]] * n], "bias": [-1], "ties": "last"}
    data = json.loads(sealed(rule, [[0, 1]] * n, proof={"kind": "duality", "reasons": [[]]}))
    data["question"]["constraints"] = [{"kind": "relation", "text": " and ".join([*either, *never])}]
    data["number"] = number_of(data)
    assert check_text(canonical(data), steps=50_000_000)
    assert check_text(canonical(data), steps=50_000).failed == "effort"


def peak_of(search):
    tracemalloc.start()
    try:
        assert next(search) > 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_searches_hold_one_path_in_memory():
    n = 1000
    pairs = [0b11 << 2 * i for i in range(n // 2)]
    assert peak_of(hitting.hitting_sets(pairs, n, n, [1] * n, None)) < 4 << 20
    assert peak_of(flipping_sets([1] * 500, 250, 500, [1] * 500, None)) < 1 << 20


def test_one_class_whose_diagram_is_never_true():
    rule = {"kind": "diagrams", "diagrams": [{"order": [0], "nodes": [], "root": 0}]}
    assert check_text(sealed(rule, [[0, 1]], classes=("no",))).failed == "rule"


def test_endless_files_are_too_large(monkeypatch, tmp_path):
    monkeypatch.setattr(form, "MOST_BYTES", 1 << 20)
    (tmp_path / "large.json").write_bytes(b"0" * ((1 << 20) + 1))
    for path in ("/dev/zero", tmp_path / "large.json"):
        with pytest.raises(symcf.FileError, match=r"too large to check: .* files of at most 1 MiB"):
            form.certificates_in(path)
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"0" * (1 << 21))))
    with pytest.raises(symcf.FileError, match="stdin: too large to check"):
        form.certificates_in("-")


def test_a_set_of_thousands_of_features_takes_few_steps():
    # each feature left out of the set, and the mask of the set made again for each: 400 s for 30,000 features
    assert check_text(all_at_once(10_000), steps=10_000_000)


def test_a_reader_may_allow_more_steps_or_fewer():
    certificate = symcf.compile(admission()).explain([0, 0, 1, 0]).certificate()
    verdict = symcf.check(certificate, steps=20)
    assert verdict.failed == "effort"
    assert str(verdict).endswith("checking it takes more than 20 steps; allow more with steps=")
    assert symcf.check(certificate, symcf.compile(admission()), steps=10_000)
    assert not symcf.check(certificate, symcf.compile(admission()), steps=20)
    for wrong in (0, -1, 1.5, "9", True):
        with pytest.raises(symcf.OptionError, match="steps must be an integer of at least 1"):
            symcf.check(certificate, steps=wrong)


def test_hundreds_of_classes_take_no_more_than_their_pairs_with_the_decision():
    # class k adds k (x - x**2 / 2) in each column, at most k / 2: one column gains 50 of the 75 that class 100 lacks
    count = 200
    curves = [[-k, -1, k, 0] for k in range(count)]
    terms = [{"numbers": curves}, {"numbers": curves}]
    bias = [0, *([-10000] * 99), -75, *([-10000] * (count - 101))]
    rule = {"kind": "numbers", "terms": terms, "bias": bias, "scale": 0, "ties": "last", "doubt": 0}
    check = partial(check_text, steps=4_000_000)  # all pairs take forty times as much
    given = {"classes": [f"c{k}" for k in range(count)]}
    assert check(sealed(rule, [WHOLE] * 2, [(0, 1)], [(1, 1)], **given))
    missing = check(sealed(rule, [WHOLE] * 2, **given))
    assert missing.failed == "complete"


def test_too_many_values():
    many = list(range(statement.MOST_NAMES + 1))
    rule = {"kind": "sums", "weights": [[many]], "bias": [-1], "ties": "last"}
    assert check_text(sealed(rule, [many])).failed == "effort"


def test_nodes_of_a_tree_with_two_parents():
    assert check_text(sealed(trees(twice(60)), [[0, 1]] * 60)).failed == "form"


def test_too_much_for_the_checker_is_a_limit_for_the_maker(monkeypatch):
    monkeypatch.setattr(hitting, "Effort", partial(Effort, 3))
    e = symcf.compile(admission()).explain(
        [0, 0, 1, 0], max_changes=2, constraints=["GPA = 1 or 'work experience' = 1"]
    )
    with pytest.raises(symcf.LimitError, match="certificate"):
        e.certificate()


def test_a_relation_counts_a_feature_once():
    """Counted twice, a change would break the rule; the library refuses the text, and so does the checker."""
    old = relations.Old(["a", "b"], [], [0, 0], [None, None])
    assert relations.formula_of("at_most(1, a, b)", old)
    for text in ("at_most(1, a, a)", "at_most(1, 0, 0)", "at_most(1, a, 0)"):
        with pytest.raises(form.Rejected):
            relations.formula_of(text, old)
