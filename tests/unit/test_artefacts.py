"""The files of published artefacts are read as they are, and brute force on a model of our own is what it says."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def artefacts():
    places = [str(ROOT / "bench" / "published"), str(ROOT / "bench")]
    sys.path[:0] = places
    try:
        import artefacts
    finally:
        for place in places:
            sys.path.remove(place)
    return artefacts


DUMP = """booster[0]:
0:[f2<0.25] yes=1,no=2,missing=1
\t1:[f0<1.5] yes=3,no=4,missing=3
\t\t3:leaf=0.5
\t\t4:leaf=-0.25
\t2:leaf=-1
booster[1]:
0:leaf=0.125
"""


def test_a_text_dump_is_read(artefacts):
    first, second = artefacts.dump(DUMP)
    assert (first["feature"], first["less_than"]) == (2, 0.25)
    assert first["yes"] == {"feature": 0, "less_than": 1.5, "yes": {"score": 0.5}, "no": {"score": -0.25}}
    assert second == {"score": 0.125}
    assert artefacts.cuts_of([first, second], 3) == [[1.5], [], [0.25]]
    with pytest.raises(ValueError, match="not a line"):
        artefacts.dump("booster[0]:\nnonsense")


def test_trees_over_indicators_are_trees_over_columns(artefacts):
    """Column 1 is categorical with the values 0, 3 and 5: features 1 to 3 of the dump are its indicators."""
    columns = artefacts.Columns(["a", "b"], {1: [0.0, 3.0, 5.0]})
    trees = artefacts.dump("booster[0]:\n0:[f2<0.5] yes=1,no=2,missing=1\n1:leaf=-1\n2:leaf=1\n")
    c = artefacts.boosted_trees(trees, columns, ["no", "yes"])
    assert c.predict([[7, 0.0], [7, 3.0], [7, 5.0]]).tolist() == ["no", "yes", "no"]


@pytest.mark.parametrize(
    "explaining",
    ["[1.0, 0.0, 2.0]", '"IF a == 1 AND b == 0 AND c == 2 THEN class == 1"'],
)
def test_logs_of_explanations_are_read(artefacts, explaining):
    text = f"""noise
inst: 0
  explaining: {explaining}
  expl: [1]
  expl: "IF a != 1 AND c != 2 THEN class != 1"
  coex: [0, 1]
  expltime: 0.1
  rtime: 0.25
"""
    (one,) = artefacts.ffa_log(text, ["a", "b", "c"])
    assert one.row == (1.0, 0.0, 2.0)
    assert one.contrastive == {frozenset({1}), frozenset({0, 2})}
    assert one.abductive == {frozenset({0, 1})}
    assert one.seconds == 0.25


def test_logs_of_sizes_are_read(artefacts):
    text = "i: 0,1,2.5\ns: 2\nt: 0.015\nc: 7\n\ni: 1,1,0\ns: 1\nt: 0.5\n\nmax time: 0.08\n"
    assert artefacts.xreason_log(text) == [((0.0, 1.0, 2.5), 2, 0.015), ((1.0, 1.0, 0.0), 1, 0.5)]


def test_what_is_written_is_read_again(artefacts, tmp_path):
    one = artefacts.Explained((1.0, 2.5), {frozenset({0})}, {frozenset({0, 1}), frozenset({1})}, 1.5)
    artefacts.write_ffa_log(tmp_path / "log", [one], ["a", "b"])
    assert artefacts.ffa_log((tmp_path / "log").read_text(), ["a", "b"]) == [one]
    rows = np.array([[1.0, 2.5], [3.0, 4.0]])
    artefacts.write_table(tmp_path / "csv", rows, ["x", "y"], ["a", "b"])
    read, labels, names = artefacts.table(tmp_path / "csv")
    assert read.tolist() == rows.tolist()
    assert (labels, names) == (["x", "y"], ["a", "b"])


def test_brute_force_on_a_known_function(artefacts):
    """Class 1 if two of three numbers are at least 1: changing one of two, and keeping both of them."""

    def predict(rows):
        return ((rows >= 1).sum(axis=1) >= 2).astype(int)

    contrastive, abductive = artefacts.by_trying_all(predict, [[1.0], [1.0], [1.0]], np.array([1.0, 5.0, 0.0]))
    assert contrastive == {frozenset({0}), frozenset({1})}
    assert abductive == {frozenset({0, 1})}
