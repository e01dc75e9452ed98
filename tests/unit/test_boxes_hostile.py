"""Proofs by boxes that would take minutes or gigabytes are given up soon, or are no trouble."""

from __future__ import annotations

import json

from symcf.proof.checker.check import check_text
from symcf.proof.checker.form import fingerprint_of, number_of


def checked(values, constraints, steps, *, features=1, region=None):
    """What the checker says of a certificate of one tree, which looks at the first feature."""
    rule = {"kind": "trees", "trees": [[[0, [0, 0], 1, 2], [[1, 0]], [[0, 1]]]], "ties": "last"}
    names = [f"x{j}" for j in range(features)]
    model = {"features": names, "values": [values, *[["a"]] * (features - 1)], "classes": ["no", "yes"], "rule": rule}
    question = {"target": ["yes"], "constraints": constraints, "costs": None, "max_changes": None, "k": None}
    row = {"row": [1, *["a"] * (features - 1)], "decision": "no"} if region is None else {"region": [region]}
    data = {
        "format": "symcf certificate",
        "version": 2,
        "model": {**model, "fingerprint": fingerprint_of(model)},
        **row,
        "question": question,
        "answer": {"sets": [], "values": [], "claim": {"kind": "all"}},
        "proof": {"kind": "boxes", "steps": steps},
    }
    return check_text(json.dumps({**data, "number": number_of(data)}))


NUMBERS = {"cuts": [5], "labels": []}


def test_lists_of_the_same_ranges_do_not_multiply():
    again = {"kind": "allowed", "feature": "x0", "values": [[0, 1]] * 2000}
    assert checked(NUMBERS, [again] * 6, [0])


def test_many_ranges_are_too_large_to_check():
    region = [[2 * i, 2 * i + 1] for i in range(10_000)]
    assert checked(NUMBERS, [], [[0, -5], 0] * 9000, region=region).failed == "effort"


def test_many_boxes_of_many_features_are_too_large_to_check():
    steps = [[j, "own"] for j in range(1, 3000)]
    assert checked(NUMBERS, [], steps, features=3000).failed == "effort"
