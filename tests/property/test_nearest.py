"""Which new numbers are suggested: the nearest that flip, and the regions in which all do.

Nothing here believes symcf: rows are given to scikit-learn's own `predict`. The nearest value is looked for by trying
all multiples of the resolution that are nearer, and regions by their ends and points inside. The nearest rows of small
ensembles are those of ``python tests/drivers/nearest_random.py``.
"""

import itertools
import math
import random
import re
from fractions import Fraction

import nearest_random
import numpy as np
import pandas as pd
import pytest
from raw_models import CASES, answers, bins, columns_of, fitted_case, table
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.data.regions import Region


@pytest.mark.parametrize("engine", ["auto", "boxes"])
def test_a_few_of_the_random_ensembles(engine):
    assert sum(nearest_random.check(seed, engine) for seed in range(20)) > 40


@pytest.fixture(scope="module", params=CASES, ids=" ".join)
def fitted(request):
    """A classifier, its rows, and symcf's."""
    return fitted_case(*request.param)


# --- the nearest ------------------------------------------------------------------------------------------------------

STEPS = {"income": 10, "debt": 0.05, "rate": 0.002, "rooms": 1, "tail": 0.001}


def single_changes(fitted, rows, **options):
    """Number, row and change of every single change of a number to another."""
    _, frame, c = fitted
    for i in rows:
        for cf in c.explain(frame.iloc[[i]], max_changes=1, **options):
            (change,) = cf.changes
            marked = change.name == "rooms" and change.old == -1
            if change.name in STEPS and not math.isnan(change.old) and not marked:
                yield i, change


def flipping(estimator, frame, tries):
    """Which of (number of a row, column, number) are decided otherwise than the row itself? All at once."""
    rows = frame.iloc[[i for i, _, _ in tries]].reset_index(drop=True)
    now = estimator.predict(rows)
    tried = rows.astype({name: float for name in STEPS if name in frame.columns})
    for name in STEPS:
        at = [k for k, (_, column, _) in enumerate(tries) if column == name]
        if at:
            tried.loc[at, name] = [number for _, column, number in tries if column == name]
    return estimator.predict(tried) != now


def test_single_changes_are_to_the_nearest_multiple_that_flips(fitted):
    estimator, frame, c = fitted
    steps = {name: step for name, step in STEPS.items() if name in c.features}
    tries, off_grid, looked = [], 0, 0
    for i, change in single_changes(fitted, range(0, 200, 8), resolution=steps):
        step, new = Fraction(str(STEPS[change.name])), Fraction(str(change.new))
        if (new / step).denominator != 1:
            off_grid += 1
            continue
        looked += 1
        old = Fraction(str(change.old))
        distance = abs(new - old)
        places = range(math.ceil((old - distance) / step), math.floor((old + distance) / step) + 1)
        if len(places) > 300:
            places = [*random.Random(i).sample(places, 50), *places[:50], *places[-50:]]
        nearer = [float(k * step) for k in places if abs(k * step - old) < distance]
        tries += [(i, change.name, number) for number in nearer if change.name != "rooms" or number != -1]
    assert not flipping(estimator, frame, tries).any()
    assert looked > 10 > off_grid


@pytest.mark.long
def test_without_a_resolution_the_last_digit_is_needed(fitted):
    """By bisection on the original classifier: new numbers are at most one unit of their last digit beyond its edge."""
    estimator, frame, _ = fitted
    found = list(single_changes(fitted, range(0, 150, 7)))
    old = np.array([float(change.old) for _, change in found])
    new = np.array([float(change.new) for _, change in found])
    # The decision may change several times in between: first the place nearest to the new number where it is the old
    # one, in doubling steps; then the edge between the two.
    low, high = old.copy(), new.copy()
    open_still = np.ones(len(found), dtype=bool)
    for power in range(-24, 0, 2):
        at = new + (old - new) * 2.0**power
        flips = flipping(estimator, frame, [(i, ch.name, x) for (i, ch), x in zip(found, at, strict=True)])
        low[open_still & ~flips] = at[open_still & ~flips]
        high[open_still & flips] = at[open_still & flips]
        open_still &= flips
    for _ in range(28):
        middle = (low + high) / 2
        flips = flipping(estimator, frame, [(i, ch.name, x) for (i, ch), x in zip(found, middle, strict=True)])
        low, high = np.where(flips, low, middle), np.where(flips, middle, high)
    for (_, change), edge in zip(found, high.tolist(), strict=True):
        whole = isinstance(change.old, np.integer) or Fraction(float(change.old)).denominator == 1
        size = math.floor(math.log10(max(abs(change.old), abs(change.new))))
        unit = 1 if whole else min(1.0, 10.0 ** (size - 3))
        assert abs(float(change.new) - edge) <= unit * 1.001, (change, edge)
    assert len(found) > 10


def test_of_two_directions_the_shorter_is_taken():
    """One split above and one below: 48 to 60 is nearer than 48 to 30."""
    nodes = {
        "feature": "x", "at_most": 30.5, "yes": {"class": "in"},
        "no": {"feature": "x", "at_most": 59.5, "yes": {"class": "out"}, "no": {"class": "in"}},
    }  # fmt: skip
    c = symcf.compile(symcf.DecisionTree(nodes, features=["x"], classes=["out", "in"]))
    for x in range(31, 60):
        (cf,) = c.explain([x])
        assert cf.row == [60 if 60 - x < x - 30 else 30]
    (tie,) = c.explain([45])
    assert tie.row in ([30], [60])
    (float_tie,) = c.explain([44.9])
    assert float_tie.row == [30.5]


def test_the_surest_is_still_there():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 2)).round(2)
    y = x @ [1, 3] > 0
    pipeline = make_pipeline(bins(encode="onehot-dense"), LogisticRegression()).fit(x, y)
    c = symcf.compile(symcf.from_sklearn(pipeline))
    row = x[np.flatnonzero(~y)[0]]
    near, sure = c.explain(row), c.explain(row, select="surest")
    assert near.sets == sure.sets
    for a, b in zip(near, sure, strict=True):
        assert b.probability >= a.probability
        assert np.abs(a.row - row).sum() <= np.abs(b.row - row).sum()
    assert any(a.probability < b.probability for a, b in zip(near, sure, strict=True))
    with pytest.raises(symcf.OptionError, match="'nearest', 'surest', 'likeliest', 'all'"):
        c.explain(row, select="best")


def test_a_pair_of_numbers_is_a_range(fitted):
    """Only numbers of the range are suggested, and all ways that such numbers open are found."""
    estimator, frame, c = fitted
    rng = np.random.default_rng(2)
    if "income" not in c.features:
        pytest.skip("the model does not look at it")
    tries, expected = [], []
    for i in range(0, 48, 4):
        row = frame.iloc[[i]]
        low, high = sorted(rng.integers(800, 6000, 2).tolist())
        e = c.explain(row, allowed={"income": [low, high]}, max_changes=1)
        for cf in c.explain(row, allowed={"income": [low, high]}, k=10):
            for change in cf.changes:
                if change.name == "income":
                    assert low <= change.new <= high
                    assert low <= change.range.first <= change.range.last <= high
        if low <= row["income"].iloc[0] <= high:
            continue  # within its own value it need not change
        alone = [cf for cf in e if [change.name for change in cf.changes] == ["income"]]
        tries += [(i, "income", number) for number in range(low, high + 1, 7)]
        expected += [(i, bool(alone), len(range(low, high + 1, 7)))]
    flips = flipping(estimator, frame, tries)
    for (_, found, _), part in zip(expected, np.split(flips, np.cumsum([n for *_, n in expected])[:-1]), strict=True):
        assert found or not part.any()


def test_ranges_are_said_and_kept():
    nodes = {"feature": "x", "at_most": 2.5, "yes": {"class": 0}, "no": {"class": 1}}
    c = symcf.compile(symcf.DecisionTree(nodes, features=["x"], classes=[0, 1]))
    assert c.explain([2.1], allowed={"x": [3.25, 4]})[0].row == [3.25]
    assert c.explain([2.1], allowed={"x": (3.25, None)})[0].row == [3.25]
    assert c.explain([2], allowed={"x": [3.25, 4]})[0].row == [4]
    e = c.explain([2.0], allowed={"x": [None, 2.5]})
    assert (len(e), [str(constraint) for constraint in e.blocking]) == (0, ["x allows only 2.5 or less"])
    assert e.sentences()[2] == "In the way: x must be at most 2.5."
    assert symcf.Explanation.from_dict(e.to_dict()).blocking == e.blocking
    assert c.explain([2.1], allowed={"x": ["> 2.5"]})[0].row == [2.501]
    with pytest.raises(symcf.OptionError, match=r"a range is \[least, greatest\], not \[4, 3\]"):
        c.explain([2.0], allowed={"x": [4, 3]})
    assert symcf.verify(c, [2.0], e)


# --- regions ----------------------------------------------------------------------------------------------------------


def points_of(values, rng, said):
    """Ends and some points of a range."""
    if not isinstance(values, Region):
        return list(values)
    reach = 3 * max([1.0, *(abs(end) for end in (values.first, values.last) if math.isfinite(end))])
    low = values.first if math.isfinite(values.first) else -reach
    high = values.last if math.isfinite(values.last) else reach
    inside = [low, high, *rng.uniform(low, high, 3).tolist(), said.first, said.last]
    return [x for x in inside if math.isfinite(x) and x in values]


def test_every_point_of_a_range_flips(fitted):
    estimator, frame, c = fitted
    rng = np.random.default_rng(1)
    parts, now, wide = [], [], 0
    for i in range(1, 80, 12):
        for cf in itertools.islice(c.explain(frame.iloc[[i]]), 8):
            assert all(change.new in change.range for change in cf.changes)
            lists = [points_of(change.range, rng, change.said) for change in cf.changes]
            chosen = list(itertools.islice(itertools.product(*lists), 60))
            tried = pd.concat([cf.row] * len(chosen), ignore_index=True)
            for p, change in enumerate(cf.changes):
                column = [point[p] for point in chosen]
                names = columns_of(c, change.feature)
                if len(names) > 1:
                    tried = tried.assign(**{name: [int(name.endswith(f"_{v}")) for v in column] for name in names})
                elif isinstance(change.range, Region):
                    tried[names[0]] = np.array(column, dtype=float)
                else:
                    tried[names[0]] = pd.array(column, dtype=tried[names[0]].dtype)
            parts.append(tried)
            now += [frame.index[i]] * len(chosen)
            wide += len(chosen) > 1
    decided = pd.Series(estimator.predict(frame), index=frame.index)
    assert (estimator.predict(pd.concat(parts)) != decided.loc[now].to_numpy()).all()
    assert wide > 10


def test_just_outside_of_a_region_nothing_flips():
    """The region of a single change ends where the original classifier turns, to the last bit."""
    x = table()[["debt", "income"]].astype(float)
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(x.to_numpy(), answers(table()))
    c = symcf.compile(symcf.from_sklearn(tree, feature_names=["debt", "income"]))
    ends = 0
    for i in range(0, 120, 3):
        row = x.iloc[i].to_numpy()
        now = tree.predict([row])[0]
        for cf in c.explain(row, max_changes=1):
            (change,) = cf.changes
            near = change.range.first if change.new > change.old else change.range.last
            for place, flips in ((near, True), (math.nextafter(near, change.old), False)):
                tried = row.copy()
                tried[change.feature] = place
                assert (tree.predict([tried])[0] != now) == flips
            ends += 1
    assert ends > 30


def test_printed_numbers_flip_when_they_are_typed_in(fitted):
    estimator, frame, c = fitted
    parts, now, seen = [], [], 0
    for i in range(0, 60, 9):
        e = c.explain(frame.iloc[[i]], k=10)
        for cf, spoken in zip(e, e.sentences(10)[1:], strict=False):
            for change in cf.changes:
                if not isinstance(change.range, Region):
                    continue
                shown = re.findall(r"-?[\d.]+(?:e-?\d+)?", str(change).split(" -> ")[1])
                said = re.search(rf"{change.name} were ([^;]*?) instead of", spoken)[1].replace(",", "")
                assert re.findall(r"-?[\d.]+(?:e-?\d+)?", said) == shown
                for number in shown:
                    parts.append(cf.row.assign(**{change.name: float(number)}))
                    now.append(frame.index[i])
                    seen += 1
    decided = pd.Series(estimator.predict(frame), index=frame.index)
    assert (estimator.predict(pd.concat(parts)) != decided.loc[now].to_numpy()).all()
    assert seen > 20


def test_words():
    nodes = {
        "feature": "income", "at_most": 2479.5, "yes": {"class": "declined"},
        "no": {"feature": "married", "at_most": 0.5, "yes": {"class": "declined"}, "no": {"class": "approved"}},
    }  # fmt: skip
    c = symcf.compile(symcf.DecisionTree(nodes, features=["income", "married"], classes=["declined", "approved"]))
    e = c.explain({"income": 2310, "married": True})
    assert str(e[0]) == "income: 2310 -> at least 2480  (100.00%)"
    assert e.sentences()[1] == "It would be approved if income were at least 2,480 instead of 2,310."
    e = c.explain({"income": 12310, "married": False})
    assert str(e[0]) == "married: no -> yes  (100.00%)"
    assert e.sentences()[1] == "It would be approved if married were yes."
    assert e[0].row == {"income": 12310, "married": True}
    back = c.explain({"income": 3000.5, "married": True})
    assert [str(cf.changes[0]) for cf in back] == ["income: 3000.5 -> at most 2479.5", "married: yes -> no"]
    assert back[0].row == {"income": 2479.5, "married": True}
    assert c.explain({"income": 3000, "married": True}, resolution={"income": 50})[0].row["income"] == 2450
    assert "income: 2310 -> at least 2480" in str(c.explain({"income": 2310, "married": True}))
    assert "at least 2480" in c.explain({"income": 2310, "married": True})._repr_html_()
