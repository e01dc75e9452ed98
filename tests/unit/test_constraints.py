"""Constraints: what the user says may change becomes one mask; what stands in the way is found."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
import symcf.fast
from symcf.question import constraint_kinds
from symcf.question.constraint_kinds import (
    KINDS,
    Immutable,
    Permitted,
    constraint_from_dict,
)
from symcf.question.constraints import Constraints, minimal_relaxation

FEATURES = ("age", "job", "town")
VALUES = (("young", "middle", "old"), (False, True), ("Rome", "Oslo", 0, 1))
X = (1, 0, 2)


def mask_of(**constraints):
    """By feature, the codes that it may be changed to."""
    flat = Constraints(FEATURES, VALUES, **constraints).mask(X)
    if flat is None:
        return None
    assert flat.dtype == np.uint8
    parts = np.split(flat, np.cumsum([len(v) for v in VALUES])[:-1])
    return [np.flatnonzero(part).tolist() for part in parts]


def test_without_constraints_there_is_no_mask():
    assert Constraints(FEATURES, VALUES).mask(X) is None
    assert Constraints(FEATURES, VALUES, max_changes=2).mask(X) is None


@pytest.mark.parametrize(
    ("constraints", "mask"),
    [
        ({"immutable": ["job"]}, [[0, 1, 2], [], [0, 1, 2, 3]]),
        ({"immutable": "age"}, [[], [0, 1], [0, 1, 2, 3]]),
        ({"immutable": 2}, [[0, 1, 2], [0, 1], []]),
        ({"immutable": [0, "age", 1]}, [[], [], [0, 1, 2, 3]]),
        ({"allowed": {"age": "increase"}}, [[2], [0, 1], [0, 1, 2, 3]]),
        ({"allowed": {"age": "decrease"}}, [[0], [0, 1], [0, 1, 2, 3]]),
        ({"allowed": {"job": "decrease"}}, [[0, 1, 2], [], [0, 1, 2, 3]]),
        ({"allowed": {"age": ["old"]}}, [[2], [0, 1], [0, 1, 2, 3]]),
        ({"allowed": {0: [2, 0]}}, [[0, 2], [0, 1], [0, 1, 2, 3]]),
        ({"allowed": {"town": ["Oslo", 1]}}, [[0, 1, 2], [0, 1], [1, 3]]),
        ({"allowed": {"age": []}}, [[], [0, 1], [0, 1, 2, 3]]),
        ({"allowed": {"age": ("old",), "job": [True]}}, [[2], [1], [0, 1, 2, 3]]),
        ({"immutable": {"age": True, "job": False, 2: np.bool_(True)}}, [[], [0, 1], []]),
        ({"immutable": {"age": False}}, None),
        ({"allowed": {"age": np.array([2])}, "immutable": ["age"]}, [[], [0, 1], [0, 1, 2, 3]]),
        # missing values are taken only where they are listed
        ({"missing": (2, None, 0)}, [[0, 1], [0, 1], [1, 2, 3]]),
        ({"missing": (2, None, 0), "allowed": {"age": ["old"]}}, [[2], [0, 1], [1, 2, 3]]),
        ({"missing": (2, None, None), "allowed": {"age": "increase"}}, [[], [0, 1], [0, 1, 2, 3]]),
        ({"missing": (2, None, None), "immutable": "age"}, [[], [0, 1], [0, 1, 2, 3]]),
    ],
    ids=str,
)
def test_constraints_become_a_mask(constraints, mask):
    assert mask_of(**constraints) == mask


@pytest.mark.parametrize(
    "given", [{"age": True, 0: False}, {"job": 1}, {"age": "yes"}, {"age": None}, {"height": True}]
)
def test_a_mapping_of_immutable_features_says_yes_or_no_once_for_each(given):
    with pytest.raises(symcf.OptionError, match=r"^immutable"):
        Constraints(FEATURES, VALUES, immutable=given)


@pytest.mark.parametrize("option", ["allowed", "cost"])
def test_a_feature_given_by_name_and_by_index_is_refused(option):
    c = symcf.compile(symcf.NaiveBayes.binary(0.5, [0.2, 0.7], [0.6, 0.3], features=["age", "job"]))
    values = {"allowed": ([0], "increase"), "cost": (2, 3)}[option]
    with pytest.raises(symcf.OptionError, match=f"^{option}: feature 'job' is given twice, as 'job' and as 1"):
        c.explain([0, 0], **{option: {"job": values[0], 1: values[1]}})


def test_a_constraint_left_out_no_longer_counts():
    constraints = Constraints(FEATURES, VALUES, immutable=["job"], allowed={"age": "increase"}, max_changes=1)
    job, age, most = constraints.items
    assert constraints.mask(X, [job, age]) is None
    assert np.flatnonzero(constraints.mask(X, [job])).tolist() == [2, 3, 4, 5, 6, 7, 8]
    assert constraints.most_changes() == 1
    assert constraints.most_changes([job]) == 1
    assert constraints.most_changes([most]) is None


def test_constraints_say_what_they_are():
    constraints = Constraints(FEATURES, VALUES, immutable=["job"], allowed={"age": "increase"}, max_changes=1)
    assert list(map(str, constraints.items)) == ["job is immutable", "age may only increase", "max_changes=1"]


@pytest.mark.parametrize(
    ("constraints", "words"),
    [
        ({"immutable": ["height"]}, ["immutable", "'height'"]),
        ({"immutable": [3]}, ["immutable", "3"]),
        ({"immutable": None}, ["immutable", "None"]),
        ({"allowed": ["age"]}, ["allowed", "['age']"]),
        ({"allowed": {"height": [1]}}, ["allowed", "'height'"]),
        ({"allowed": {"age": "sideways"}}, ["'age'", "'sideways'", "increase", "decrease"]),
        ({"allowed": {"age": 2}}, ["'age'", "2"]),
        ({"allowed": {"age": ["ancient"]}}, ["'age'", "'ancient'", "young"]),
        ({"allowed": {"age": [3]}}, ["'age'", "3"]),
        ({"allowed": {"age": [-1]}}, ["'age'", "-1"]),
        ({"allowed": {"age": [[1]]}}, ["'age'", "[1]"]),
        ({"max_changes": -1}, ["max_changes", "-1"]),
        ({"max_changes": 1.5}, ["max_changes", "1.5"]),
        ({"max_changes": True}, ["max_changes", "True"]),
        ({"max_changes": "2"}, ["max_changes", "'2'"]),
    ],
    ids=str,
)
def test_constraints_that_make_no_sense_are_named(constraints, words):
    with pytest.raises(symcf.OptionError) as error:
        Constraints(FEATURES, VALUES, **constraints)
    assert [word for word in words if word not in str(error.value)] == []


# --- kinds ------------------------------------------------------------------------------------------------------------

#: By kind, an example, its text, and the value codes that a feature of five values may become from code 2.
EXAMPLES = {
    "immutable": (Immutable(0, "age"), "age is immutable", set()),
    "direction": (constraint_kinds.Direction(0, "age", "increase"), "age may only increase", {3, 4}),
    "interval": (
        constraint_kinds.Interval(0, "age", (3, 8), (1.5, 2000.0)),
        "age allows only 1.5 to 2000.0",
        None,
    ),
    "allowed": (constraint_kinds.Allowed(0, "age", (0, 3), ("a", "d")), "age allows only a, d", {0, 3}),
    "numbers": (
        constraint_kinds.Numbers(0, "age", (1, 2, 4), ("1", "2", "4"), points=(1.0, 2.0, 4.0)),
        None,
        {1, 2, 4},
    ),
    "range": (constraint_kinds.Range(0, "age", (3, 4), ("d", "e"), (3.5, math.inf)), None, {3, 4}),
    "missing": (constraint_kinds.NotMissing(0, "age", (0, 1), ("a", "b")), "age must not become missing", {0, 1}),
    "unknown": (constraint_kinds.Known(0, "age", (0, 1), ("a", "b")), "age must be a known value", {0, 1}),
    "whole": (constraint_kinds.Whole(0, "age", (0, 4), ("a", "e")), "age must be a whole number", {0, 4}),
    "boolean": (constraint_kinds.Boolean(0, "age", (0, 4), ("a", "e")), "age must be 0 or 1", {0, 4}),
    "short": (constraint_kinds.Short(0, "age", (0, 4), ("a", "e")), None, {0, 4}),
    "max_changes": (constraint_kinds.MaxChanges(value=2), "max_changes=2", {0, 1, 2, 3, 4}),
    "relation": (constraint_kinds.Related(value="a = b"), "a = b", {0, 1, 2, 3, 4}),
    "plausibility": (constraint_kinds.Plausible(value="1/20"), "plausibility >= 0.05", {0, 1, 2, 3, 4}),
    "values": (constraint_kinds.TriedValues(), None, {0, 1, 2, 3, 4}),
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_each_kind_restricts_speaks_and_survives_json(kind):
    constraint, text, codes = EXAMPLES[kind.kind]
    assert type(constraint) is kind
    assert text is None or str(constraint) == text
    assert constraint.phrase()
    assert constraint.letter
    again = constraint_from_dict(json.loads(json.dumps(constraint.to_dict())))
    assert again == constraint
    assert type(again) is kind
    assert (str(again), again.phrase(), again.fixes) == (str(constraint), constraint.phrase(), constraint.fixes)
    if codes is not None:
        permitted = Permitted("abcde")
        constraint.restrict(permitted)
        assert set(np.flatnonzero(permitted.for_row(2)).tolist()) == codes


def test_a_range_of_a_column_of_numbers_is_a_range_in_sentences_and_files():
    """It was once "may only become 10 or 2,000", and in files the text of a Python object."""
    interval = EXAMPLES["interval"][0]
    assert interval.phrase() == "age must be between 1.5 and 2,000"
    assert interval.to_dict()["value"] == [3, 8]


def test_a_file_with_an_unknown_kind_of_constraint_is_not_read():
    data = EXAMPLES["allowed"][0].to_dict()
    with pytest.raises(symcf.FileError, match="'parity'"):
        constraint_from_dict(data | {"kind": "parity"})
    with pytest.raises(symcf.FileError, match="7"):
        constraint_from_dict(data | {"value": 7})


@pytest.mark.parametrize("kind", ["direction", "interval", "numbers", "range", "allowed"])
def test_constraints_in_files_of_earlier_versions_are_read(kind):
    """All entries of allowed= were of one kind, and a range of codes was the text of a Python object."""
    constraint = EXAMPLES[kind][0]
    written = constraint.to_dict() | {"kind": "allowed"}
    if kind == "interval":
        written["value"] = "range(3, 9)"
    assert constraint_from_dict(json.loads(json.dumps(written))) == constraint


# --- what stands in the way -------------------------------------------------------------------------------------------

ITEMS = [Immutable(j, f"x{j}") for j in range(5)]


@given(st.lists(st.sets(st.sampled_from(range(5)), min_size=1), max_size=4))
def test_a_relaxation_is_minimal(solutions):
    """`solutions` are sets of constraints, each of which suffices to leave out."""

    def solvable(left_out):
        return any(all(ITEMS[j] in left_out for j in solution) for solution in solutions)

    relaxed = minimal_relaxation(ITEMS, solvable)
    if not solutions:
        assert relaxed == ()
        return
    assert solvable(relaxed)
    assert not any(solvable(fewer) for size in range(len(relaxed)) for fewer in combinations(relaxed, size))


def test_no_relaxation_where_leaving_out_everything_does_not_help():
    assert minimal_relaxation(ITEMS, lambda left_out: False) == ()


def missing_or_not(missing, classes=(0, 1)):
    """Class 1 up to 1.5; a missing number is class 0 or 1."""
    leaf = [{"scores": [1, 0]}, {"scores": [0, 1]}]
    tree = {"feature": "b", "at_most": 1.5, "yes": leaf[1], "no": leaf[0], "missing": "yes" if missing else "no"}
    other = {"feature": "a", "at_most": 7.5, "yes": {"scores": [0, 0]}, "no": {"scores": [0, 3]}}
    return symcf.compile(symcf.BoostedTrees([tree, {**other, "missing": "yes"}], features=["b", "a"], classes=classes))


@pytest.mark.parametrize("direction", ["increase", "decrease"])
@pytest.mark.parametrize("missing", [False, True])
def test_a_missing_number_has_no_direction(direction, missing):
    """There is nothing above it or below it, so a feature that may only rise, or only fall, stays missing."""
    c, x = missing_or_not(missing), [math.nan, 3.0]
    allowed = {"b": direction}
    e = c.explain(x, allowed=allowed)
    assert all(0 not in change_set for change_set in e.sets)
    assert c.explain(x).sets != e.sets or missing
    assert symcf.verify(c, x, e)
    assert symcf.check(e.certificate(), c)
    rows = [x, [3.0, 3.0], [0.0, 3.0]]
    batch = symcf.fast.explain_batch(c, rows, allowed=allowed)
    assert [found.sets for found in batch] == [c.explain(row, allowed=allowed).sets for row in rows]
    assert c.why(x, allowed=allowed).sets == c.why(x, immutable=["b"]).sets
    if direction == "decrease":  # among all rows are some with a missing number, which diagrams take for the largest
        with pytest.raises(symcf.OptionError, match="missing"):
            c.robustness_distribution(allowed=allowed)
    group = symcf.group_recourse(c, [x, [math.nan, 1.0]], actions=1, allowed=allowed, target=1 - int(missing))
    assert all(step.name != "b" for action in group.actions for step in action.steps)
