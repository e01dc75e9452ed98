"""Functions that are combined, counted and listed: on all Boolean functions of three features, and on chosen models."""

from __future__ import annotations

import itertools
import math
import operator
import random
from fractions import Fraction

import algebra_random
import numpy as np
import pandas as pd
import pytest

import symcf
from symcf import Diagram, OptionError, _core
from symcf.data.shared import Columns, shared
from symcf.demo import admission

ROWS3 = np.array(list(itertools.product((0, 1), repeat=3)))


def table_of(number: int) -> list[int]:
    return [number >> i & 1 for i in range(8)]


def function(number: int) -> Diagram:
    return Diagram.from_table(table_of(number))


def any_function(which: str) -> Diagram:
    """f(x) for every f of three features at once: the value at x is the feature of the table of f at x."""
    names = ["x0", "x1", "x2", *(f"{which}{i}" for i in range(8))]
    index = np.arange(2**11)
    return Diagram.from_table((index >> 3) >> (index & 7) & 1, names)


def is_same(a: Diagram, b: Diagram) -> bool:
    return not (a ^ b).is_consistent()


# --- all functions of three features ----------------------------------------------------------------------------------


def test_all_pairs_of_functions_on_all_inputs():
    f, g = any_function("f"), any_function("g")
    both = f & g
    n = len(both.features)
    assert n == 3 + 8 + 8
    rows = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(np.uint8)
    column = {name: rows[:, j] for j, name in enumerate(both.features)}
    values_f = f.evaluate(np.stack([column[name] for name in f.features], axis=1))
    values_g = g.evaluate(np.stack([column[name] for name in g.features], axis=1))
    for made, wanted in ((both, values_f & values_g), (f | g, values_f | values_g), (f ^ g, values_f ^ values_g)):
        assert made.features == both.features
        assert np.array_equal(made.evaluate(rows), wanted)
        assert made.models().count == int(wanted.sum())
    assert np.array_equal((~f).evaluate(rows[:, :11]), 1 - f.evaluate(rows[:, :11]))


def test_laws_of_all_functions():
    f, g, h = map(any_function, "fgh")
    true = f | ~f
    assert true.is_valid()
    assert not (~true).is_consistent()
    for a, b in (
        (f & g, g & f),
        (f | g, g | f),
        (f ^ g, g ^ f),
        (f & (g & h), (f & g) & h),
        (f | (g | h), (f | g) | h),
        (f ^ (g ^ h), (f ^ g) ^ h),
        (f & (g | h), (f & g) | (f & h)),
        (f | (g & h), (f | g) & (f | h)),
        (f & (g ^ h), (f & g) ^ (f & h)),
        (~(f & g), ~f | ~g),
        (~(f | g), ~f & ~g),
        (f ^ g, (f & ~g) | (~f & g)),
        (f | (f & g), f),
        (f & (f | g), f),
        (~~f, f),
        (f & f, f),
        (f | f, f),
        (f & true, f),
        (f ^ true, ~f),
    ):
        assert is_same(a, b)
    assert not (f ^ f).is_consistent()
    assert (f & g).implies(f)
    assert f.implies(f | g)
    assert not f.implies(f & g)


@pytest.mark.parametrize("start", range(0, 256, 64))
def test_each_function_is_counted_listed_and_drawn(start):
    index = ROWS3 @ [1, 2, 4]
    for number in range(start, start + 64):
        f, table = function(number), np.array(table_of(number))
        models = f.models()
        rows = models.at(range(models.count))
        assert models.count == table.sum()
        assert models.count == f.count_models()
        assert rows.tolist() == sorted(ROWS3[table[index] == 1].tolist())
        assert f.is_consistent() == bool(number)
        assert f.is_valid() == (number == 255)
        other = function(number * 37 % 256)
        assert f.implies(other) == (number & ~(number * 37 % 256) == 0)
        for clause in ([1], [-2, 3], [1, 2, 3], []):
            holds = [any((row[abs(x) - 1] == 1) == (x > 0) for x in clause) for row in rows.tolist()]
            assert f.entails(clause) == all(holds)


def test_draws_are_uniform():
    f = function(0b10110101)
    models = f.models()
    rows = models.at(models.ranks(6000, np.random.default_rng(1)))
    _, counts = np.unique(rows, axis=0, return_counts=True)
    assert len(counts) == 5
    assert (abs(counts - 1200) < 150).all()  # four standard deviations are 124


def test_models_of_more_rows_than_fit_a_machine_integer():
    model = symcf.LinearClassifier([1] * 100, -50)
    rows = symcf.compile(model).models()
    exact = sum(math.comb(100, k) for k in range(51, 101))
    assert rows.count == exact
    assert rows.share == Fraction(exact, 2**100)
    for place in (0, 10**20, rows.count - 1, -1):
        row = rows[place]
        assert sum(row.values()) > 50
    assert all(sum(row.values()) > 50 for row in rows.sample(20, random_state=0))
    assert rows.sample(3, random_state=4) == rows.sample(3, random_state=4)
    with pytest.raises(IndexError):
        rows[rows.count]


def test_translations_over_other_features():
    """Any order, features of more values, several read from one, and one of one value."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        old, new = rng.integers(1, 4, rng.integers(1, 4)), rng.integers(1, 5, rng.integers(1, 4))
        table = rng.integers(0, 2, old)
        model = symcf.from_function(lambda row, table=table: int(table[row]), [int(d) for d in old])
        feature = rng.integers(0, len(new), len(old)).astype(np.uint32)
        codes = [rng.integers(0, d, new[j]) for d, j in zip(old, feature, strict=True)]
        order = rng.permutation(len(new)).astype(np.uint32)
        start = np.cumsum([0, *map(len, codes)]).astype(np.uint32)
        arrays = [order, new[order].astype(np.uint32), feature, start, np.concatenate(codes).astype(np.uint32)]
        made = _core.Bdd.translate(model.diagrams[0], *arrays).freeze()
        assert made.validate() is None
        for row in itertools.product(*map(range, new)):
            wanted = table[tuple(own[row[j]] for own, j in zip(codes, feature, strict=True))]
            assert made.evaluate(np.array([row]))[0] == wanted
        for place, wrong in ((0, order[:-1]), (2, feature[:-1]), (3, start[:-1]), (4, arrays[4] + 9), (3, start + 1)):
            with pytest.raises(ValueError, match=r"do not fit|not a permutation"):
                _core.Bdd.translate(model.diagrams[0], *(wrong if i == place else a for i, a in enumerate(arrays)))


# --- what is refused, and what is clear -------------------------------------------------------------------------------


def bayes(classes, features=("a", "b"), **options):
    return symcf.compile(
        symcf.NaiveBayes.binary(0.4, [0.9, 0.6], [0.2, 0.3], features=features, classes=classes, **options)
    )


def test_classes_in_another_order_or_of_other_names_are_not_guessed():
    a, b, c = bayes(("no", "yes")), bayes(("yes", "no")), bayes((0, 1))
    for other in (b, c):
        with pytest.raises(OptionError, match=r"which one counts as true\? Say so on both sides, such as is_class"):
            a.__and__(other)
    made = a.is_class("yes") & b.is_class("yes")
    assert made.classes == (False, True)
    assert not made.is_consistent()  # b says "yes" where a says "no"
    assert symcf.difference(a, b).share == 1
    assert symcf.equivalent(a, bayes(("no", "yes")))
    assert (a & ~a).classes == ("no", "yes")
    with pytest.raises(OptionError, match="no class in common"):
        symcf.difference(a, c)


def test_more_than_two_classes_are_neither_true_nor_false():
    model = symcf.from_function(lambda row: sum(row), 2, classes=(0, 1, 2))
    c = symcf.compile(model)
    with pytest.raises(OptionError, match=r"3 classes is neither true nor false: .*is_class\(0\)"):
        c.__invert__()
    assert [c.count_models(of=k) for k in (0, 1, 2)] == [1, 2, 1]
    assert c.is_class(1).count_models() == 2


def test_values_of_other_names_are_refused():
    a = bayes((0, 1), values=[["no", "yes"], [0, 1]])
    with pytest.raises(symcf.ModelError, match=r"the values of 'a' are \['no', 'yes'\] to one classifier and \[0, 1\]"):
        a.__and__(bayes((0, 1)))
    turned = bayes((0, 1), values=[["yes", "no"], [0, 1]])
    both = a & turned  # the same names in another order are the same values
    assert both.values[0] == ("no", "yes")
    rows = [{"a": x, "b": y} for x in ("no", "yes") for y in (0, 1)]
    own = [a.predict([row], codes=True)[0] and turned.predict([row], codes=True)[0] for row in rows]
    assert both.predict(rows, codes=True).tolist() == own


def test_features_that_only_one_reads():
    a, b = bayes((0, 1)), bayes((0, 1), features=("b", "c"))
    both = a | b
    assert both.features == ("a", "b", "c")
    for row in itertools.product((0, 1), repeat=3):
        wanted = a.predict([row[:2]], codes=True)[0] or b.predict([row[1:]], codes=True)[0]
        assert both.predict([row], codes=True)[0] == wanted


def test_columns_of_numbers_count_as_multiples_of_their_resolution():
    """The estimators themselves decide all multiples of a tenth; trees read the same columns."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    X = pd.DataFrame({"age": [1.0, 2.0, 3.5, 4.0], "size": [0.5, 0.1, 0.9, 1.7]})
    linear, tree = (
        LogisticRegression().fit(X, [0, 0, 1, 1]),
        DecisionTreeClassifier(random_state=0).fit(X, [0, 1, 0, 1]),
    )
    c, t = symcf.compile(linear, data=X), symcf.compile(tree, data=X)
    rows = pd.DataFrame(
        list(itertools.product((k / 10 for k in range(10, 41)), (k / 10 for k in range(1, 18)))), columns=X.columns
    )
    by_line, by_tree = linear.predict(rows) == 1, tree.predict(rows) == 1
    assert c.count_models() == by_line.sum()
    assert (~c).count_models() == (~by_line).sum()
    assert c.condition("age > 2").count_models() == (rows["age"] > 2).sum()
    for both, wanted in ((c & t, by_line & by_tree), (t | c, by_line | by_tree), (c ^ t, by_line != by_tree)):
        assert both.predict(rows).astype(bool).tolist() == wanted.tolist()
        assert both.count_models() == wanted.sum()
    assert symcf.difference(t, c).count == (by_line != by_tree).sum()
    assert c.implies(t) == (not (by_line & ~by_tree).any())
    with pytest.raises(symcf.InstanceError, match="column 'age'"):
        (c & t).predict([[2.25, 0.5]])


def test_columns_of_numbers_without_a_grid_are_named():
    c = symcf.compile(symcf.AdditiveClassifier([symcf.NumberTerm(1, (0, 1)), symcf.NumberTerm(1, (0, 1))], -1))
    for call in (c.count_models, lambda: ~c, lambda: symcf.difference(c, c), lambda: c.condition("x0 > 2")):
        with pytest.raises(OptionError, match="combining decisions needs finitely many values, and 'x0' may be any"):
            call()
    found = symcf.difference(c, c, data=[[0.5, 0.75]])
    assert found.equal
    assert "may be any number" in found.bound
    with pytest.raises(OptionError, match="only the rows of the data were compared"):
        found.count  # noqa: B018


# --- columns ----------------------------------------------------------------------------------------------------------


def test_conditions_cut_columns_of_numbers_anywhere():
    from sklearn.tree import DecisionTreeClassifier

    X = pd.DataFrame({"age": [20, 30, 40, 50, 60, 70], "job": [0, 1, 0, 1, 0, 1]})
    c = symcf.compile(DecisionTreeClassifier(random_state=0).fit(X, ["no", "no", "yes", "yes", "no", "no"]))
    f = c.is_class("yes")
    assert f.entails("age > 35")
    assert f.entails("age >= 35 and age < 56")
    assert not f.entails("age <= 55")  # the tree sees 55.000000001 as 55: it has 32 bits
    assert not f.entails("age >= 36")
    old = f & c.condition("age > 50")
    assert old.is_consistent()
    assert [row["age"] for row in old.models()] == [51]
    assert c.predict(pd.DataFrame(list(old.models())), codes=True).tolist() == [1]
    assert not (f & c.condition("age = 35")).is_consistent()
    assert (f & c.condition({"age": 41.5})).is_consistent()
    with pytest.raises(OptionError, match="there is no feature 'agee'"):
        c.condition("agee > 3")


SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne}


def with_missing_ages():
    from sklearn.tree import DecisionTreeClassifier

    rows = pd.DataFrame({"age": [20.0, 30.0, math.nan, 50.0] * 5, "loan": [1.0, 2.0, 3.0, 4.0, 5.0] * 4})
    return symcf.compile(DecisionTreeClassifier(max_depth=3, random_state=0).fit(rows, [0, 1, 0, 1] * 5))


@pytest.mark.parametrize("sign", SIGNS)
def test_conditions_on_numbers_are_those_of_python_for_missing_and_for_long_ones_too(sign):
    c = with_missing_ages()
    long = 2**53
    ages = [20.0, 30.0, 30.000000000000004, math.nan, float(long), float(long + 2), 1.7e308, -1.7e308]
    rows = pd.DataFrame({"age": ages, "loan": 1.0})
    for number in (30, 25.5, long + 1, -long - 1, 10**320, -(10**320)):
        met = c.condition(f"age {sign} {number}").predict(rows, codes=True).tolist()
        assert met == [int(SIGNS[sign](age, number)) for age in ages], number
        negated = c.condition(f"not (age {sign} {number})").predict(rows, codes=True).tolist()
        assert negated == [1 - m for m in met]


def test_columns_are_not_compared_with_each_other_in_a_condition():
    with pytest.raises(OptionError, match="condition: age <= loan: a column is compared with values here"):
        with_missing_ages().condition("loan > 2 and age <= loan")
    for other in (5, None, "x"):
        with pytest.raises(OptionError, match="a compiled classifier is needed"):
            with_missing_ages().implies(other)


def test_rows_of_a_slice():
    rows = symcf.compile(admission()).models()
    every = list(rows)
    codes = rows.codes().tolist()
    for part in (slice(2), slice(-2, None), slice(None, None, -2), slice(4, 99), slice(3, 1)):
        assert rows[part] == every[part]
    for start, stop in ((-2, None), (1, 3), (0, -1), (5, 99)):
        assert rows.codes(start, stop).tolist() == codes[start:stop]
    assert len(rows.to_frame(0)) == 0
    assert len(rows.to_frame(99)) == 6
    for bad in (-1, 1.5, "1"):
        with pytest.raises(OptionError, match="n must be an integer"):
            rows.to_frame(bad)


def test_a_combination_is_explained_saved_and_loaded(tmp_path):
    from sklearn.tree import DecisionTreeClassifier

    X = pd.DataFrame({"age": [20.0, 30, 40, 50], "size": [1.0, 2, 3, 4]})
    a = symcf.compile(DecisionTreeClassifier(max_depth=1).fit(X[["age"]], ["no", "no", "yes", "yes"]))
    b = symcf.compile(DecisionTreeClassifier(max_depth=1).fit(X[["size"]], ["no", "yes", "yes", "yes"]))
    both = a & b
    found = both.explain({"age": 30.0, "size": 1.0})
    assert found.sets == [(0, 1)]
    assert found[0].row == {"age": 36.0, "size": 2.0}
    assert both.predict(pd.DataFrame([found[0].row]), codes=True).tolist() == [1]
    assert both.why({"age": 30.0, "size": 1.0}).sets == [(0,), (1,)]
    both.save(tmp_path / "both.symcf")
    loaded = symcf.load(tmp_path / "both.symcf")
    assert symcf.equivalent(both, loaded)
    assert symcf.difference(a, a).count == 0
    assert symcf.model_from_json(both.model.to_json()) == both.model


def test_columns_without_names_are_not_matched_with_names():
    from sklearn.tree import DecisionTreeClassifier

    X = pd.DataFrame({"age": [20.0, 30, 40, 50], "size": [1.0, 2, 3, 4]})
    named, unnamed = (symcf.compile(DecisionTreeClassifier().fit(rows, [0, 0, 1, 1])) for rows in (X, X.to_numpy()))
    with pytest.raises(symcf.ModelError, match="knows its 2 columns by their order only"):
        named.__and__(unnamed)
    both = unnamed & ~unnamed
    assert both.predict(X.to_numpy(), codes=True).tolist() == [0] * 4
    assert (unnamed | ~unnamed).models()[0].keys() == {"x0", "x1"}


def test_signs_of_ranges_are_those_of_the_numbers_that_are_written():
    from symcf.data.regions import Region
    from symcf.data.shared import range_text

    turn = 2.5000001192092896  # the last double that is 2.5 in 32 bits
    assert range_text(Region(-np.inf, turn)) == "<= 2.5"
    assert range_text(Region(np.nextafter(turn, 9), np.inf)) == "> 2.5"
    assert range_text(Region.between(2.5, None)) == ">= 2.5"
    assert range_text(Region.between(None, 2.5, closed=(True, False))) == "< 2.5"
    assert range_text(Region.between(2.5, 2.5000001)) == "2.5 .. 2.5000001"
    assert range_text(Region(-np.inf, np.inf)) == "any number"


def test_one_hot_columns_of_one_are_numbers_to_another():
    from symcf.data.columns import OneHot, Ranges, RawColumns

    names = ("red", "green", "blue")
    one = Columns(("colour",), (names,), (False,), RawColumns(names, [OneHot((0, 1, 2), (0, 1, 2))]))
    readers = [Ranges(j, (0.5,), (0, 1)) for j in range(3)]
    many = Columns(names, (("<", ">"),) * 3, (True,) * 3, RawColumns(names, readers))
    columns, (first, second) = shared([one, many])
    assert columns.features == ("colour",)
    assert first.codes == ((0, 1, 2),)
    assert second.feature == (0, 0, 0)
    assert second.codes == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    pairs = Columns(("p",), (("r", "g"),), (False,), RawColumns(names, [OneHot((0, 1), (0, 1), -1)]))
    with pytest.raises(symcf.ModelError, match=r"no value|one feature to one classifier"):
        shared([pairs, Columns(("q",), (("g", "b"),), (False,), RawColumns(names, [OneHot((1, 2), (0, 1))]))])


def test_random_pairs():
    done, failures = algebra_random.round_of(seed=77, count=14, raw=0.3)
    assert not failures, failures[0]
    assert done > 100


def test_a_wrong_answer_is_noticed(monkeypatch):
    """The check of random pairs, on a combination that is wrong."""
    from symcf import compiled

    monkeypatch.setattr(compiled, "ALL", compiled.ANY)
    pair = algebra_random.coded_pair(random.Random("wrong"))
    found = []
    for seed in range(20):
        try:
            algebra_random.check(pair, random.Random(seed))
        except AssertionError:
            found.append(seed)
    assert found
