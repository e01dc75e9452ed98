"""Plausibility: counted anew, exact in every engine, saved with the classifier; an error elsewhere.

Random models are in `plausibility_random`, of which this is the short version.
"""

from __future__ import annotations

import json
import math
import operator
import random
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import plausibility_random
import pytest
import reference
from torture import plans, run

import symcf
import symcf.fast
from symcf.data import plausibility
from symcf.data.numbers import NumberLine
from symcf.data.plausibility import Cells, checked_share, parents_of
from symcf.question.likely import Likely
from symcf.system.archive import fingerprint
from symcf.system.guarded import guarded

DATA = [[0, 0, 2], [0, 0, 1], [0, 1, 0], [1, 1, 0], [1, 1, 2], [1, 1, 1], [1, 1, 2], [0, 0, 2]]


def model(**names):
    return symcf.LinearClassifier([[0, 2], [0, 3], [0, 1, 2]], -4, **names)


@pytest.fixture(scope="module")
def c():
    return symcf.compile(model(), plausibility=DATA)


@pytest.mark.parametrize("seed", range(16))
def test_random_models(seed):
    with run.directory() as here:
        plausibility_random.check(seed, plans.namespace(here))


# --- cells and trees --------------------------------------------------------------------------------------------------


def test_cells_have_about_as_many_rows():
    codes = np.repeat(np.arange(10), [50, 1, 1, 1, 20, 20, 1, 1, 4, 1])
    cells = Cells.of(codes, range(10), ordered=True, missing=None, most=3)
    assert cells.count == 3
    assert list(cells.table) == sorted(cells.table)
    assert Cells.of(codes, range(10), ordered=False, missing=None, most=3).count == 10
    assert Cells.from_dict(json.loads(json.dumps(cells.to_dict()))) == cells


def test_missing_values_have_a_cell_of_their_own():
    codes = np.array([9] * 5 + list(range(9)) * 4)
    cells = Cells.of(codes, range(10), ordered=True, missing=9, most=3)
    assert [cells.table.count(cell) for cell in range(cells.count)][cells.table[9]] == 1


def test_numbers_have_cells_by_their_codes():
    line = NumberLine(0.0, 10.0)
    codes = np.array([line.code(x) for x in (0.0, 1.0, 2.5, 7.0)] * 3)
    cells = Cells.of(codes, line, ordered=True, missing=None, most=2)
    assert cells.of_codes(codes[:4]).tolist() == [0, 0, 1, 1]
    assert Cells.from_dict(json.loads(json.dumps(cells.to_dict()))) == cells


@pytest.mark.parametrize("seed", range(10))
def test_no_forest_is_better(seed):
    """Every forest of four columns: the sum of what its edges are worth."""
    rng = np.random.default_rng(seed)
    n, counts = 4, [2, 3, 2, 3]
    cells = np.column_stack([rng.integers(0, d, 200) for d in counts])
    for j in range(1, n):
        copied = rng.random(200) < rng.random()
        cells[copied, j] = cells[copied, rng.integers(0, j)] % counts[j]

    def worth(i, j):
        total = 0.0
        for u, v in product(range(counts[i]), range(counts[j])):
            both = int(((cells[:, i] == u) & (cells[:, j] == v)).sum())
            apart = int((cells[:, i] == u).sum()) * int((cells[:, j] == v).sum()) / 200
            total += both * math.log(both / apart) if both else 0.0
        free = (len(set(cells[:, i])) - 1) * (len(set(cells[:, j])) - 1)
        return total - free * math.log(200) / 2

    def is_forest(edges):
        part = list(range(n))
        for i, j in edges:
            if part[i] == part[j]:
                return False
            part = [part[i] if p == part[j] else p for p in part]
        return True

    pairs = list(combinations(range(n), 2))
    forests = [edges for size in range(n) for edges in combinations(pairs, size) if is_forest(edges)]
    best = max(sum(worth(*edge) for edge in edges) for edges in forests)
    found = parents_of(cells, counts)
    assert sum(worth(j, parent) for j, parent in enumerate(found) if parent >= 0) == pytest.approx(best)


# --- what users see ---------------------------------------------------------------------------------------------------


def test_it_is_shown(c):
    e = c.explain([0, 0, 0])
    share = f"{e[0].plausibility:.1%}"
    assert share in str(e).splitlines()[-1]
    assert "Plausibility" in e._repr_html_()
    assert share in e._repr_html_()
    nothing = c.explain([0, 0, 0], min_plausibility=1, immutable=["x1", "x2"])
    assert "less likely than 100% of the data" in " ".join(nothing.sentences())


def test_a_plausibility_is_a_share_of_the_data(c):
    own = c.plausibility_of(DATA)
    assert own.max() == 1
    for row, share in zip(DATA, own.tolist(), strict=True):
        likelier = [r for r, other in zip(DATA, own.tolist(), strict=True) if other > share]
        assert share == 1 - len(likelier) / len(DATA), row
    e = c.explain([0, 0, 0])
    assert e.plausibility == c.plausibility_of([[0, 0, 0]])[0]
    for cf in e:
        assert cf.plausibility == c.plausibility_of([cf.instance])[0]


@pytest.mark.parametrize("engine", ["auto", "cover", "diagram", "boxes", "sat", "sat-portable"])
def test_engines_agree(c, engine):
    every = list(product(range(2), range(2), range(3)))
    for least in (0.3, 0.6, 1):
        for x in every:
            assert c.explain(x, min_plausibility=least, engine=engine).sets == c.explain(x, min_plausibility=least).sets


def test_names_do_not_matter(c):
    names = {"features": ["b c", "a", "é"], "values": [["n", "y"], [True, False], [10, -1, 5]], "classes": [7, "no"]}
    other = symcf.compile(model(**names), plausibility=pd.DataFrame(DATA, columns=names["features"])[["é", "a", "b c"]])
    assert other.plausibility.terms == c.plausibility.terms
    for x in ([0, 0, 0], [1, 1, 2]):
        assert other.explain(x, min_plausibility=0.4).sets == c.explain(x, min_plausibility=0.4).sets


def test_nothing_is_plausible_enough_and_what_stands_in_the_way(c):
    e = c.explain([0, 0, 0], min_plausibility=1, immutable=["x0"])
    assert e.complete
    assert not e.sets
    assert {str(item) for item in e.blocking} <= {"plausibility >= 1", "x0 is immutable"}
    assert e.blocking
    assert symcf.verify(c, [0, 0, 0], e)
    assert str(e.constraints[-1]) == "plausibility >= 1"


def test_files(c, tmp_path):
    c.save(tmp_path / "c.symcf")
    again = symcf.load(tmp_path / "c.symcf")
    assert again.plausibility == c.plausibility
    e = c.explain([0, 0, 0], min_plausibility=0.5)
    assert again.explain([0, 0, 0], min_plausibility=0.5) == e
    assert fingerprint(again) == fingerprint(c) != fingerprint(symcf.compile(model()))
    read = symcf.Explanation.from_dict(json.loads(e.to_json()))
    assert [cf.plausibility for cf in read] == [cf.plausibility for cf in e]
    assert symcf.verify(c, [0, 0, 0], read)
    with pytest.raises(symcf.OptionError, match="read from a file"):
        read.likeliest()
    with pytest.raises(symcf.OptionError, match="plausibility=data"):
        symcf.verify(symcf.compile(model()), [0, 0, 0], read)
    broken = {**c.plausibility.to_dict(), "parents": [1, 0, -1]}
    with pytest.raises(symcf.ModelError, match="do not fit"):
        symcf.Plausibility.from_dict(broken)


def test_verify_notices_an_implausible_row(c):
    e = c.explain([0, 0, 0], min_plausibility=0.6)
    plain = c.explain([0, 0, 0])
    assert list(plain.sets) != list(e.sets)
    data = e.to_dict()
    data["counterfactuals"] = plain.to_dict()["counterfactuals"]
    assert not symcf.verify(c, [0, 0, 0], symcf.Explanation.from_dict(data))


def test_one_row_one_feature_and_no_rows():
    one = symcf.LinearClassifier([[0, 1, 2]], -1.5)
    c = symcf.compile(one, plausibility=[[1]])
    assert c.explain([0], min_plausibility=1).sets == []
    assert c.explain([2], min_plausibility=1).sets == [(0,)]
    with pytest.raises(symcf.OptionError, match="no rows"):
        symcf.compile(one, plausibility=np.zeros((0, 1), dtype=int))
    with pytest.raises(symcf.InstanceError):
        symcf.compile(one, plausibility=[[3]])


@pytest.mark.parametrize("given", [-0.1, 1.5, "5 %", True, float("nan")])
def test_bad_shares(c, given):
    with pytest.raises(symcf.OptionError, match="min_plausibility"):
        c.explain([0, 0, 0], min_plausibility=given)


@pytest.mark.parametrize("codes", [[[-1, 0]], [[0, 9]], [[0]], [0, 0], [[0.7, 0]], [], [["a", "b"]], None])
def test_percentiles_take_codes_and_nothing_else(codes):
    p = symcf.Plausibility.fit([[0, 0], [0, 1], [1, 1]], symcf.LinearClassifier([2, 2], -1))
    with pytest.raises(symcf.InstanceError):
        p.percentiles(codes)
    assert p.percentiles(np.zeros((0, 2), dtype=np.int8)).tolist() == []


def test_wrong_data_are_called_that():
    model = symcf.LinearClassifier([2, 2], -1, features=["a", "b"])
    for data in ([[0, 7]], [[0]], "file.csv", {"a": [0]}):
        with pytest.raises(symcf.InstanceError, match="data of the plausibility"):
            symcf.compile(model, plausibility=data)


def test_tables_of_many_values_are_not_written_out(monkeypatch):
    """The forest is the same, whether tables are written out or not."""
    rng = np.random.default_rng(0)
    data = rng.integers(0, 5, (400, 6))
    data[:, 3] = (data[:, 0] + rng.integers(0, 2, 400)) % 5
    data[:, 5] = data[:, 3]
    written = plausibility.parents_of(data, [5] * 6)
    assert max(written) >= 0
    monkeypatch.setattr(plausibility, "MOST_PAIRS", 0)
    assert plausibility.parents_of(data, [5] * 6) == written


def test_a_share_of_32_bits_is_the_decimal_that_was_meant():
    assert checked_share(np.float32(0.1), "s") == checked_share(0.1, "s") == Fraction(1, 10)


def test_what_needs_data_says_so():
    c = symcf.compile(model())
    for asked in ({"min_plausibility": 0.1}, {"select": "likeliest"}):
        with pytest.raises(symcf.OptionError, match="plausibility=data"):
            c.explain([0, 0, 0], **asked)
    with pytest.raises(symcf.OptionError, match="plausibility=data"):
        c.plausibility_of([[0, 0, 0]])
    with pytest.raises(symcf.OptionError, match="plausibility=data"):
        c.explain([0, 0, 0]).likeliest()
    with pytest.raises(symcf.ModelError, match="other columns"):
        symcf.compile(model(), plausibility=symcf.Plausibility.fit([[1]], symcf.LinearClassifier([1], 0)))


def test_columns_of_numbers_become_as_plausible_as_asked():
    from sklearn.linear_model import LogisticRegression

    x = np.random.default_rng(0).normal(size=(60, 2))
    c = symcf.compile(LogisticRegression().fit(x, x[:, 0] > 0), data=x, plausibility=x)
    assert 0 <= c.explain(x[0]).plausibility <= 1
    for share in (0.1, 0.5, 0.9):
        e = c.explain(x[0], min_plausibility=share)
        assert e.sets
        for cf in e:
            assert cf.plausibility >= share
            assert c.predict([cf.row]) != c.predict([x[0]])
    nearest, likeliest = c.explain(x[0]), c.explain(x[0], select="likeliest")
    assert list(nearest.sets) == list(likeliest.sets)
    for near, likely in zip(nearest, likeliest, strict=True):
        assert likely.plausibility >= near.plausibility


def test_sums_beyond_62_bits_are_rounded_only_if_that_is_proved():
    rng = np.random.default_rng(0)

    def classifier(n):
        one = [[2**59 + int(rng.integers(99)), 3**36, -(2**59)] for _ in range(n)]
        weights = [one, [[-w for w in row] for row in one], [[5, 2**58, 1]] * n]
        if n > 3:
            weights = [[[w >> 4 for w in row] for row in part] for part in weights]
        return symcf.LinearClassifier(weights, [3, 1, 2**57])

    data = [[0, 0, 1], [1, 1, 2], [2, 2, 0], [1, 0, 2], [2, 1, 1]]
    big = symcf.compile(classifier(3), plausibility=data)
    for x in product(range(3), repeat=3):
        wanted = big.explain(x, min_plausibility=0.4, engine="diagram").sets
        assert big.explain(x, min_plausibility=0.4, engine="boxes").sets == wanted
    many, terms = symcf.compile(classifier(48)), Likely(Fraction(2, 5), big.plausibility).terms([range(3)] * 3)
    with pytest.raises(OverflowError):
        guarded(many.decision, [(1, 0)], (), terms, 0)


# --- relations from data ----------------------------------------------------------------------------------------------


def table():
    rng = np.random.default_rng(0)
    age, colour = rng.integers(18, 80, 300), rng.integers(0, 3, 300)
    job = np.where(age < 25, "student", rng.choice(["clerk", "baker"], 300))
    frame = pd.DataFrame({"age": age, "job": job, "income": rng.uniform(10, 50, 300)})
    frame["spent"] = frame["income"] * rng.random(300)
    frame["band"] = np.where(age < 25, "young", np.where(age < 50, "middle", "old"))
    frame["young"] = age < 25
    for k, name in enumerate(["red", "green", "blue"]):
        frame[name] = (colour == k).astype(int)
    return frame


def test_suggestions_hold_and_are_ranked():
    frame = table()
    found = symcf.suggest_relations(frame)
    assert {s.kind for s in found} == {"implication", "order", "one-hot", "derived"}
    assert [s.surprise for s in found] == sorted((s.surprise for s in found), reverse=True)
    assert "spent <= income" in found
    assert any(s.kind == "derived" and "band = young -> young = True" in s for s in found)
    assert any(s.kind == "one-hot" and "red = 1 or green = 1 or blue = 1" in s for s in found)
    assert not any("income <= " in s for s in found)
    assert all(s.support >= 15 for s in found)
    assert symcf.suggest_relations(frame.sample(frac=1, random_state=1)) == found


def test_suggestions_are_accepted():
    frame = table()[["job", "band", "income", "spent"]]
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    read = make_column_transformer((OrdinalEncoder(), ["job", "band"]), remainder="passthrough")
    estimator = make_pipeline(read, DecisionTreeClassifier(max_depth=4, random_state=0))
    answers = (frame["spent"] > 12) ^ (frame["job"] == "clerk")
    c = symcf.compile(estimator.fit(frame, answers), data=frame)
    found = symcf.suggest_relations(frame, c)
    assert found
    for s in found:
        assert symcf.suggest_relations(frame, c, min_support=1.0) == [t for t in found if t.support == len(frame)]
        e = c.explain(frame.iloc[0], constraints=[s])
        assert symcf.verify(c, frame.iloc[0], e), s
    order = [s for s in found if s.kind == "order"]
    assert order == ["spent <= income"]
    for cf in c.explain(frame.iloc[0], constraints=order):
        assert cf.row["spent"] <= cf.row["income"]


@pytest.mark.parametrize("least", [0, -1, 1.5, True, "1"])
def test_bad_support(least):
    with pytest.raises(symcf.OptionError, match="min_support"):
        symcf.suggest_relations({"a": [1]}, min_support=least)


def test_no_rows_and_no_names():
    assert symcf.suggest_relations({"a": [], "b": []}) == []
    with pytest.raises(symcf.OptionError, match="names"):
        symcf.suggest_relations([[1, 2]])


# --- orders of numbers ------------------------------------------------------------------------------------------------

TREE = {
    "feature": "a", "at_most": 10,
    "yes": {"feature": "b", "at_most": 5, "yes": {"class": "no"}, "no": {"class": "yes"}},
    "no": {"feature": "b", "at_most": 20, "yes": {"class": "yes"}, "no": {"class": "no"}},
}  # fmt: skip


def numbers():
    return symcf.compile(symcf.DecisionTree(TREE, features=["a", "b"], classes=["no", "yes"]))


@pytest.mark.parametrize(
    ("relation", "row"),
    [("a <= b", {"a": 7, "b": 7}), (lambda f: f.a <= f.b, {"a": 7, "b": 7}), ("b >= a", {"a": 7, "b": 7}),
     ("a < b", {"a": 7, "b": 8})],
)  # fmt: skip
def test_a_number_moves_as_far_as_it_has_to(relation, row):
    e = numbers().explain({"a": 7, "b": 4}, constraints=[relation])
    assert [cf.row for cf in e] == [row]
    assert e[0].changes[0].range.first <= row["b"] <= e[0].changes[0].range.first + 1


def test_types_stay():
    frame = pd.DataFrame({"a": np.array([7], dtype=np.float32), "b": np.array([4], dtype=np.int8)})
    (cf,) = numbers().explain(frame, constraints=["a <= b"])
    assert cf.row["b"].dtype == np.int8
    assert (cf.row["a"] <= cf.row["b"]).all()


def test_batches_and_audits_of_sums_obey_orders():
    credit = symcf.datasets.credit()
    c, rows = symcf.compile(credit.model("scorecard")), credit.data[:12]
    asked = {"constraints": ["savings <= loan"], "immutable": ["job", "sex"], "max_changes": 2}
    batch = symcf.fast.explain_batch(c, rows, **asked)
    assert [e.sets for e in batch] == [c.explain(rows.iloc[[i]], **asked).sets for i in range(12)]
    frame = batch.to_frame(None)
    assert len(frame) > 50
    assert not (frame["savings"] > frame["loan"]).any()  # missing savings obey
    a = symcf.audit(c, rows, **asked)
    expected = [min(map(len, e.sets), default=-1) for e in batch]
    assert a.changes.tolist() == expected
    assert a.notes == ("responsiveness: 'savings <= loan' means something else for each row",)
    of_rows = c.robustness_distribution(rows, constraints=asked["constraints"])
    assert sum(of_rows.counts.values()) == 12
    with pytest.raises(symcf.OptionError, match="'savings <= loan' means something else for each row; give rows"):
        c.robustness_distribution(constraints=asked["constraints"])


@pytest.mark.parametrize("seed", [1, 4, 7, 9])
def test_numbers_of_32_bits_are_compared_as_they_are_stored(seed):
    rng = random.Random(seed)
    tenths = np.array([v / 10 for v in range(-20, 61)], dtype=np.float32)

    def tree(depth):
        if not depth:
            return {"class": rng.choice(["no", "yes"])}
        cut = float(np.float32(rng.randint(0, 40) / 10))  # one that rows have, so that they lie on its very edge
        return {"feature": rng.choice("ab"), "at_most": cut, "yes": tree(depth - 1), "no": tree(depth - 1)}

    def leaf(node, row):
        while "class" not in node:
            node = node["yes" if float(row[node["feature"]]) <= node["at_most"] else "no"]
        return node

    other = {"feature": "b", "at_most": 2.5, "yes": {"class": "yes"}, "no": {"class": "no"}}
    root = {"feature": "a", "at_most": 1.5, "yes": tree(2), "no": other}
    c = symcf.compile(symcf.DecisionTree(root, features=["a", "b"], classes=["no", "yes"]))
    sign, holds = rng.choice([("<", operator.lt), ("<=", operator.le), (">", operator.gt), (">=", operator.ge)])

    for _ in range(6):
        x = {"a": rng.choice(tenths), "b": rng.choice(tenths)}
        own = leaf(root, x)["class"]
        ways = set()
        for a in tenths:
            for b in tenths:
                new = {"a": a, "b": b}
                if holds(a, b) and leaf(root, new)["class"] != own:
                    ways.add(tuple(j for j, n in enumerate("ab") if new[n] != x[n]))
        expected = reference.minimal(ways)
        frame = pd.DataFrame([x]).astype(np.float32)
        e = c.explain(frame, constraints=[f"a {sign} b"], resolution={"a": 0.1, "b": 0.1})
        assert list(e.sets) == expected, (root, x, sign)
        for cf in e:
            new = {name: cf.row[name].iloc[0] for name in "ab"}
            assert new["a"].dtype == np.float32
            assert holds(new["a"], new["b"]), (root, x, sign, new)
            assert leaf(root, new)["class"] != own, (root, x, sign, new)


@pytest.mark.parametrize(
    ("relation", "message"), [("a <= a", "itself"), ("a <= c", "is not a value")],
)  # fmt: skip
def test_what_is_not_an_order(relation, message):
    with pytest.raises(symcf.OptionError, match=message):
        numbers().explain([7, 4], constraints=[relation])


@pytest.mark.parametrize(
    ("relation", "rows"), [("a = b", [[7, 7]]), ("a <= b or b <= a", [[11, 4], [7, 6]]), ("a <= b", [[7, 7]])],
)  # fmt: skip
def test_comparisons_of_all_kinds(relation, rows):
    assert [list(cf.row) for cf in numbers().explain([7, 4], constraints=[relation])] == rows


def test_orders_of_codes_and_calls_without_rows():
    e = symcf.compile(model()).explain([0, 0, 0], constraints=["x0 <= x1"])
    assert e.sets == [(0, 1), (1, 2)]
    assert all(cf.instance[0] <= cf.instance[1] for cf in e)
    with pytest.raises(symcf.OptionError, match="does not look at"):
        symcf.fast.attribute_batch(numbers(), [[7, 4]], constraints=["a <= b"])
