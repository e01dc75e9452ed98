"""Numbers in, numbers out: suggested rows are what the original classifier takes, and it decides them otherwise.

Nothing here believes symcf: rows are given to scikit-learn's own `predict`. The nearest value is looked for by trying
all multiples of the resolution that are nearer, and regions by their ends and points inside.
"""

import itertools
import math
import pickle
import random
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.rows.regions import Region, nearest, own_resolution

CLASSES = {"text": ["no", "yes"], "negative": [-1, 1], "boolean": [False, True]}


def table(count=240, seed=0):
    """Integers, decimals, 32 bits, categories, booleans, a column that no model reads; with an index of its own."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"row {i}" for i in range(count)],
            "income": rng.integers(800, 6000, count),
            "debt": np.round(rng.gamma(2.0, 150.0, count), 2),
            "rate": np.round(rng.uniform(0, 1, count), 3).astype(np.float32),
            "job": np.array(rng.choice(["clerk", "nurse", "smith"], count), object),
            "rooms": rng.integers(1, 6, count),
            "married": rng.integers(2, size=count).astype(bool),
            "tail": rng.normal(size=count) ** 3,
        },
        index=1000 + np.arange(count)[::-1],
    )


BINNED = ["income", "debt", "rate", "tail"]
NUMBERS = [*BINNED, "rooms"]


def answers(frame, names="text"):
    score = (
        frame["income"] / 1500
        - frame["debt"] / 250
        + 2 * frame["rate"]
        + frame["married"]
        + (frame["job"] == "nurse")
        - frame["rooms"] / 3
        + frame["tail"] / 4
    )
    return np.array(CLASSES[names])[(score > score.median()).astype(int)]


def one_hot(frame):
    jobs = {f"job_{job}": (frame["job"] == job).astype(int) for job in ("clerk", "nurse", "smith")}
    return frame.drop(columns="job").assign(**jobs)


def bins(**options):
    return KBinsDiscretizer(5, strategy="quantile", quantile_method="averaged_inverted_cdf", **options)


def models():
    """By name: the fitted estimator, the rows it takes, and what `from_sklearn` is told."""
    frame = table()
    codes = OneHotEncoder(handle_unknown="ignore")
    parts = make_column_transformer((codes, ["job"]), ("passthrough", ["married"]), (bins(), BINNED))
    yield "bins", make_pipeline(parts, LogisticRegression(max_iter=1000)), frame, {}
    yield "naive Bayes", make_pipeline(parts, BernoulliNB()), frame, {}
    plain = make_column_transformer((OrdinalEncoder(), ["job"]), ("passthrough", [*NUMBERS, "married"]))
    yield "tree", make_pipeline(plain, DecisionTreeClassifier(max_depth=6, random_state=0)), frame, {}
    yield "forest", make_pipeline(plain, RandomForestClassifier(5, max_depth=4, random_state=0)), frame, {}
    scaled = make_column_transformer((codes, ["job"]), (StandardScaler(), [*NUMBERS, "married"]))
    yield "scaled tree", make_pipeline(scaled, DecisionTreeClassifier(max_depth=5, random_state=1)), frame, {}
    wide = one_hot(frame)
    read = [column for column in wide.columns if column != "name"]
    groups = {"groups": {"job": ["job_clerk", "job_nurse", "job_smith"]}}
    yield "one hot", DecisionTreeClassifier(max_depth=6, random_state=2), wide[read], groups
    holes = frame.copy()
    holes.loc[holes.index[::7], "debt"] = np.nan
    filled = make_column_transformer((codes, ["job"]), (SimpleImputer(), NUMBERS), ("passthrough", ["married"]))
    yield "missing", make_pipeline(filled, DecisionTreeClassifier(max_depth=6, random_state=3)), holes, {}
    marked = frame.assign(rooms=frame["rooms"].where(frame["rooms"] != 3, -1))
    markers = make_column_transformer(
        (SimpleImputer(missing_values=-1, strategy="most_frequent"), ["rooms"]), ("passthrough", ["income", "rate"])
    )
    yield "markers", make_pipeline(markers, DecisionTreeClassifier(max_depth=6, random_state=4)), marked, {}


MODELS = {name: rest for name, *rest in models()}


CASES = [(name, "text") for name in MODELS] + [("tree", "negative"), ("bins", "boolean")]


@pytest.fixture(scope="module", params=CASES, ids=" ".join)
def fitted(request):
    """A classifier, its rows, and symcf's."""
    name, names = request.param
    estimator, frame, options = MODELS[name]
    estimator.fit(frame, answers(table(), names))
    return estimator, frame, symcf.compile(symcf.from_sklearn(estimator, **options))


def same(a, b):
    """Are two cells equal, and of one type?"""
    missing = isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)
    return type(a) is type(b) and (missing or a == b)


# --- rows -------------------------------------------------------------------------------------------------------------


def test_suggested_rows_are_decided_otherwise(fitted):
    estimator, frame, c = fitted
    explained = []
    for i in range(0, 60, 6):
        row = frame.iloc[[i]]
        e = c.explain(row, k=12)
        assert e.row is row
        assert e.sets
        suggested = e.to_frame()
        assert list(suggested.columns) == list(frame.columns)
        assert suggested.dtypes.equals(frame.dtypes)
        explained.append((e, suggested))
        for k, cf in enumerate(e):
            assert cf.row.reset_index(drop=True).equals(suggested.iloc[[k]].reset_index(drop=True))
            assert np.array_equal(c.instance(cf.row)[0], cf.instance)
            changed = {column for change in cf.changes for column in columns_of(c, change.feature)}
            for column in set(frame.columns) - changed:
                assert same(cf.row[column].iloc[0], row[column].iloc[0])
            for change in cf.changes:
                columns = columns_of(c, change.feature)
                if len(columns) == 1:
                    assert same(change.old, row[columns[0]].iloc[0])
                    assert same(change.new, cf.row[columns[0]].iloc[0])
    decided = estimator.predict(pd.concat([suggested for _, suggested in explained]))
    assert decided.tolist() == [e.classes[cf.target] for e, _ in explained for cf in e]
    now = estimator.predict(frame.iloc[0:60:6])
    assert now.tolist() == [e.classes[e.prediction] for e, _ in explained]
    assert (decided != np.repeat(now, [len(e) for e, _ in explained])).all()


def columns_of(c, feature):
    encoder = c.model.encoder
    return [encoder.layout.names[place] for place in encoder.readers[feature].sources]


def test_a_batch_comes_back_as_it_came(fitted):
    estimator, frame, c = fitted
    rows = frame.iloc[5:45]
    batch = symcf.fast.explain_batch(c, rows, k=3)
    suggested = batch.to_frame(k=3)
    assert suggested.dtypes.equals(frame.dtypes)
    assert list(suggested.columns) == list(frame.columns)
    assert suggested.index.names == ["row", "counterfactual"]
    now = pd.Series(estimator.predict(rows), index=rows.index)
    then = pd.Series(estimator.predict(suggested), index=suggested.index)
    assert (now.loc[suggested.index.get_level_values("row")].to_numpy() != then.to_numpy()).all()
    assert len(suggested) == batch.n_sets
    pd.testing.assert_frame_equal(batch.to_frame(), suggested.xs(0, level=1, drop_level=False))
    pd.testing.assert_frame_equal(batch[10:20].to_frame(k=3), suggested.loc[rows.index[10:20]])
    label = rows.index[7]
    alone = batch[7]
    pd.testing.assert_frame_equal(alone.to_frame().reset_index(drop=True), suggested.loc[label].reset_index(drop=True))
    pd.testing.assert_frame_equal(c.explain(rows.iloc[[7]], k=3).to_frame(), alone.to_frame())
    tidy = batch.to_pandas()
    told = [(7, s, c_.name, c_.old, c_.new) for s, cf in enumerate(alone) for c_ in cf.changes]
    here = tidy[tidy["row"] == 7][["row", "set", "feature", "old", "new"]]
    assert [tuple(map(str, line)) for line in here.itertuples(index=False)] == [tuple(map(str, line)) for line in told]


def test_all_values_of_a_batch_come_back():
    estimator, frame, _ = MODELS["tree"]
    estimator.fit(frame, answers(frame))
    c = symcf.compile(symcf.from_sklearn(estimator))
    batch = symcf.fast.explain_batch(c, frame[:8], values="all", max_changes=1)
    suggested = batch.to_frame(k=None)
    assert len(suggested) == sum(len(e) for e in batch) > batch.n_sets
    now = pd.Series(estimator.predict(frame[:8]), index=frame.index[:8])
    assert (now.loc[suggested.index.get_level_values(0)].to_numpy() != estimator.predict(suggested)).all()


def test_arrow_in_arrow_out():
    estimator, frame, _ = MODELS["forest"]
    frame = frame.drop(columns="name")
    estimator.fit(frame, answers(table()))
    c = symcf.compile(symcf.from_sklearn(estimator))
    rows = pa.Table.from_pandas(frame[:30], preserve_index=False)
    for form in (rows, rows.to_reader(), frame[:30].reset_index(drop=True)):
        batch = symcf.fast.explain_batch(c, form, k=2)
        told = batch.rows_to_arrow(k=2)
        assert told.column_names == ["row", "counterfactual", *rows.column_names]
        assert [told.schema.field(name).type for name in rows.column_names] == rows.schema.types
        expected = batch.to_frame(k=2)
        assert told.column("row").to_pylist() == expected.index.get_level_values("row").tolist()
        suggested = told.select(rows.column_names).to_pandas().astype(frame.dtypes.to_dict())
        assert (suggested.to_numpy() == expected.to_numpy()).all()
        now = estimator.predict(frame.iloc[told.column("row").to_pylist()])
        assert (estimator.predict(suggested) != now).all()


# --- every form -------------------------------------------------------------------------------------------------------


def forms(frame, i):
    """The same row in every form that symcf reads."""
    row = frame.iloc[i]
    yield "mapping", row.to_dict()
    yield "series", row
    yield "frame", frame.iloc[[i]]
    yield "reordered", frame.iloc[[i], ::-1]
    yield "list", row.tolist()
    yield "tuple", tuple(row.tolist())
    yield "objects", np.array(row.tolist(), dtype=object)
    yield "arrow", pa.Table.from_pandas(frame.iloc[[i]], preserve_index=False)
    yield "record batch", pa.RecordBatch.from_pandas(frame.iloc[[i]], preserve_index=False)


def as_one_row(given, columns):
    if isinstance(given, dict):
        return pd.DataFrame([given])
    if isinstance(given, pd.Series):
        return given.to_frame().T
    if isinstance(given, pd.DataFrame):
        return given
    if isinstance(given, pa.Table):
        return given.to_pandas()
    return pd.DataFrame([list(given)], columns=columns)


@pytest.mark.parametrize("i", [3, 17])
def test_the_form_of_the_row_is_kept(i):
    estimator, frame, _ = MODELS["forest"]
    frame = frame.drop(columns="name")
    estimator.fit(frame, answers(table()))
    c = symcf.compile(symcf.from_sklearn(estimator))
    seen = set()
    for form, row in forms(frame, i):
        e = c.explain(row, k=5)
        before = pickle.dumps(row)
        for cf in e:
            wanted = pa.Table if form == "record batch" else type(row)
            assert type(cf.row) is wanted, form
            one = as_one_row(cf.row, list(frame.columns))
            assert set(one.columns) == set(frame.columns)
            types = {name: kind for name, kind in frame.dtypes.items() if kind.kind != "O"}
            assert estimator.predict(one.astype(types)[list(frame.columns)])[0] == e.classes[cf.target]
            for change in cf.changes:
                assert one[change.name].iloc[0] == pytest.approx(change.new) if change.name in NUMBERS else True
        assert pickle.dumps(row) == before, "the given row is not touched"
        seen.add(tuple(e.sets))
        told = e.to_frame()
        assert set(told.columns) == set(frame.columns)
        assert len(told) == len(e)
        assert e.to_frame(k=2).equals(told[:2])
    assert len(seen) == 1


def test_columns_of_objects_stay_such():
    """pandas takes an array of strings for a column of its own type, unless it is told the type."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"n": rng.normal(size=90).round(2), "c": pd.Series(rng.choice(["a", "b", "c"], 90), dtype=object)})
    step = make_column_transformer((StandardScaler(), ["n"]), (OneHotEncoder(), ["c"]))
    c = symcf.compile(make_pipeline(step, LogisticRegression()).fit(X, X.n + (X.c == "a") > 0.3), data=X)
    for i in range(5):
        e = c.explain(X.iloc[[i]])
        assert {str(cf.row.dtypes["c"]) for cf in e} == {"object"}
        assert str(e.to_frame().dtypes["c"]) == "object"
    assert str(symcf.fast.explain_batch(c, X).to_frame(k=3).dtypes["c"]) == "object"


def test_arrays_keep_their_type():
    frame = table()
    x = frame[["income", "rooms"]].to_numpy()
    y = answers(frame)
    tree = DecisionTreeClassifier(max_depth=5, random_state=0).fit(x, y)
    c = symcf.compile(symcf.from_sklearn(tree))
    for kind in (np.int64, np.int32, np.uint16, np.float64, np.float32):
        rows = x.astype(kind)
        for i in range(10):
            for cf in c.explain(rows[i]):
                assert cf.row.dtype == kind
                assert tree.predict([cf.row])[0] != tree.predict([rows[i]])[0]
                assert (cf.row == np.rint(cf.row)).all(), "whole numbers stay whole: the cut points show it"
        suggested = symcf.fast.explain_batch(c, rows[:20]).to_frame()
        assert (suggested.dtypes == kind).all()
        assert list(suggested.columns) == ["x0", "x1"]
        assert (tree.predict(suggested.to_numpy()) != tree.predict(rows[suggested.index.get_level_values(0)])).all()
    columns = {"x0": x[:5, 0], "x1": x[:5, 1].tolist()}
    mappings = [{"x0": a, "x1": b} for a, b in x[:5].tolist()]
    as_frames = [symcf.fast.explain_batch(c, rows).to_frame() for rows in (x[:5], x[:5].tolist(), columns, mappings)]
    as_frames.append(symcf.fast.explain_batch(c, pa.table(columns)).to_frame())
    for other in as_frames[1:]:
        pd.testing.assert_frame_equal(as_frames[0], other)


def test_the_old_row_is_read_only_where_it_is_needed():
    """Columns that the classifier does not read may hold anything, and are given back as they are."""
    frame = table()[["income", "rooms"]]
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(frame, answers(table()))
    pipeline = make_pipeline(
        make_column_transformer(("passthrough", ["income"])), tree.fit(frame[["income"]], answers(table()))
    )
    pipeline[0].fit(frame)
    thing = object()
    e = symcf.compile(symcf.from_sklearn(pipeline)).explain({"income": 900, "rooms": 3, "other": thing, "note": None})
    for cf in e:
        assert cf.row == {"income": cf.changes[0].new, "rooms": 3, "other": thing, "note": None}
        assert list(cf.row) == ["income", "rooms", "other", "note"]
        assert isinstance(cf.row["income"], int)


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
    near, sure = c.explain(row), c.explain(row, values="surest")
    assert near.sets == sure.sets
    for a, b in zip(near, sure, strict=True):
        assert b.probability >= a.probability
        assert np.abs(a.row - row).sum() <= np.abs(b.row - row).sum()
    assert any(a.probability < b.probability for a, b in zip(near, sure, strict=True))
    with pytest.raises(symcf.OptionError, match="'nearest', 'surest', 'likeliest', 'all'"):
        c.explain(row, values="best")


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
    assert (len(e), [str(constraint) for constraint in e.blocking]) == (0, ["x allows only <= 2.5"])
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
                said = re.search(rf"{change.name} been ([^;]*?) instead of", spoken)[1].replace(",", "")
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
    assert e.sentences()[1] == "It would have been approved had income been at least 2,480 instead of 2,310."
    e = c.explain({"income": 12310, "married": False})
    assert str(e[0]) == "married: no -> yes  (100.00%)"
    assert e.sentences()[1] == "It would have been approved had married been yes."
    assert e[0].row == {"income": 12310, "married": True}
    back = c.explain({"income": 3000.5, "married": True})
    assert [str(cf.changes[0]) for cf in back] == ["income: 3000.5 -> at most 2479.5", "married: yes -> no"]
    assert back[0].row == {"income": 2479.5, "married": True}
    assert c.explain({"income": 3000, "married": True}, resolution={"income": 50})[0].row["income"] == 2450
    assert "income: 2310 -> at least 2480" in str(c.explain({"income": 2310, "married": True}))
    assert "at least 2480" in c.explain({"income": 2310, "married": True})._repr_html_()


# --- value codes, labels, JSON, pickle --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def loan():
    model = symcf.NaiveBayes.binary(
        0.3, [0.4, 0.9], [0.2, 0.1], features=["job", "GPA"], values=[["none", "some"], ["low", "high"]]
    )
    return symcf.compile(model)


def test_labels_are_taken_as_values(loan):
    by_label = loan.explain({"job": "none", "GPA": "low"})
    assert by_label == loan.explain([0, 0])
    assert by_label[0].row == {"job": "none", "GPA": "high"}
    assert loan.explain(["none", 0])[0].row == ["none", 1]
    assert loan.explain(np.array([0, 0], dtype=np.int8))[0].row.tolist() == [0, 1]
    frame = pd.DataFrame({"GPA": ["low", "high"], "job": ["none", "some"]})
    assert (loan.predict(frame) == loan.predict([[0, 0], [1, 1]])).all()
    batch = symcf.fast.explain_batch(loan, frame)
    assert batch.to_frame().iloc[0].to_dict() == {"GPA": "high", "job": "none"}
    with pytest.raises(
        symcf.InstanceError, match="'medium' is not a value code between 0 and 1, or one of 'low', 'high'"
    ):
        loan.explain({"job": "none", "GPA": "medium"})


def test_numbers_are_codes_even_if_labels_are_numbers():
    model = symcf.NaiveBayes.binary(0.3, [0.9], [0.1], values=[[1, 0]])
    c = symcf.compile(model)
    assert c.explain([0])[0].changes == (symcf.Change(0, "x0", 1, 0),)


def test_json_and_pickle_keep_rows(fitted):
    estimator, frame, c = fitted
    e = c.explain(frame.iloc[[2]], k=3)
    again = symcf.Explanation.from_dict(e.to_dict())
    assert again.to_dict() == e.to_dict()
    assert str(again) == str(e)
    assert again.sentences() == e.sentences()
    suggested = again.to_frame()
    types = {name: kind for name, kind in frame.dtypes.items() if kind.kind != "O"}
    assert list(estimator.predict(suggested.astype(types))) == list(estimator.predict(e.to_frame()))
    kept = pickle.loads(pickle.dumps(list(e)))
    for a, b in zip(kept, e, strict=True):
        assert a == b
        pd.testing.assert_frame_equal(a.row, b.row)
        assert [change.range for change in a.changes] == [change.range for change in b.changes]


# --- regions and resolutions, alone -----------------------------------------------------------------------------------

numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 0.1, 2.5, -3.0, 1e-300, 5e-324, 1e300, -1e300])
resolutions = st.sampled_from(
    [Fraction(1), Fraction(1, 10), Fraction(1, 100), Fraction(5), Fraction(1, 8), Fraction(3, 7)]
)


@given(numbers, numbers, numbers, resolutions, st.booleans())
def test_the_nearest_number_of_a_region(a, b, old, resolution, single):
    region = Region(min(a, b), max(a, b))
    try:
        new, on_grid = nearest(region, old, resolution, single=single)
    except ValueError:
        raise AssertionError("a region with a number has a nearest one") from None
    assert new in region
    assert float(repr(new)) == new
    if old in region:
        assert new == old
        return
    up = old < region.first
    end = region.first if up else region.last
    multiple = math.ceil(Fraction(end) / resolution) if up else math.floor(Fraction(end) / resolution)
    # one tenth is a little less than the double 0.1, but typed in it is that
    before = float((multiple - (1 if up else -1)) * resolution)
    first = before if before == end else float(multiple * resolution)
    if not single:
        assert on_grid == (first in region)
        assert new == (first if on_grid else end)
    elif on_grid:
        assert float(np.float32(new)) in region


@given(st.floats(-1e300, 1e300), st.booleans(), st.booleans())
def test_open_and_closed_ends(bound, inside, lower):
    closed = (inside, inside)
    region = Region.between(bound, None, closed=closed) if lower else Region.between(None, bound, closed=closed)
    assert (bound in region) == inside
    outwards = -math.inf if lower else math.inf
    assert math.nextafter(bound, -outwards) in region
    assert math.nextafter(bound, outwards) not in region
    shown, closed_end = region.lower if lower else region.upper
    assert math.isfinite(shown)
    assert (shown in region) == closed_end


def test_fractions_as_bounds():
    third = Fraction(1, 3)
    region = Region.between(third, 2 * third, closed=(False, False))
    assert Fraction(region.first) > third > Fraction(math.nextafter(region.first, 0))
    assert Fraction(region.last) < 2 * third < Fraction(math.nextafter(region.last, 1))
    assert nearest(region, 0.0, Fraction(1, 10)) == (0.4, True)
    assert nearest(region, 1.0, Fraction(1, 10)) == (0.6, True)
    assert nearest(region, None, Fraction(1)) == (region.first, False)


def test_own_resolutions():
    assert own_resolution(17.99, 16.795) == Fraction(1, 100)
    assert own_resolution(0.1184, 0.09) == Fraction(1, 10000)
    assert own_resolution(0.0, 5e-324) <= Fraction(1, 1000)
    assert own_resolution(1001.5, 880.0) == Fraction(1, 10)
    assert own_resolution(0.12345678901234, 0.5) == Fraction(1, 10**6)
    assert own_resolution(None, 250000.0) == 1


def test_resolutions_are_checked(loan):
    tree = DecisionTreeClassifier(max_depth=2).fit(table()[["income"]], answers(table()))
    c = symcf.compile(symcf.from_sklearn(tree))
    with pytest.raises(symcf.OptionError, match=r"resolution\['income'\] must be a positive number, not 0"):
        c.explain([900], resolution={"income": 0})
    with pytest.raises(symcf.OptionError, match="resolution must map features to numbers"):
        c.explain([900], resolution=5)
    with pytest.raises(symcf.OptionError, match="no feature 'age'"):
        c.explain([900], resolution={"age": 1})
    with pytest.raises(symcf.OptionError, match="resolution: the values of 'job' are not ranges of numbers"):
        loan.explain([0, 0], resolution={"job": 1})
    for step in (Decimal("0.5"), Fraction(1, 2), np.float64(0.5), 0.5):
        row = c.explain([900.25], resolution={"income": step})[0].row
        assert (2 * row[0]).is_integer()


# --- the command line -------------------------------------------------------------------------------------------------


def command(*arguments):
    """What a command writes to a file."""
    from symcf.cli.app import run

    assert run([str(argument) for argument in arguments]) == 0


def test_the_command_line_writes_changed_rows(tmp_path):
    frame = table()[["name", "income", "debt", "rooms"]].assign(note=["a,b", "", "c"] * 80)
    parts = make_column_transformer(("passthrough", ["income", "debt", "rooms"]))
    pipeline = make_pipeline(parts, DecisionTreeClassifier(max_depth=4, random_state=0))
    pipeline.fit(frame[["income", "debt", "rooms"]], answers(table()))
    symcf.compile(symcf.from_sklearn(pipeline)).save(tmp_path / "c.symcf")
    frame[:30].to_csv(tmp_path / "rows.csv", index=False)
    told = tmp_path / "out.csv"
    command("explain", tmp_path / "c.symcf", tmp_path / "rows.csv", "--extra", "--rows", "-f", "csv", "-o", told)
    given, changed = (pd.read_csv(path, keep_default_na=False) for path in (tmp_path / "rows.csv", told))
    assert list(changed.columns) == ["row", "counterfactual", *frame.columns]
    now = pipeline.predict(given[["income", "debt", "rooms"]])[changed["row"] - 1]
    assert (pipeline.predict(changed[["income", "debt", "rooms"]]) != now).all()
    assert changed["income"].dtype == changed["rooms"].dtype == np.int64
    before = given.iloc[changed["row"] - 1].reset_index(drop=True)
    assert (changed[["name", "note"]] == before[["name", "note"]]).all(axis=None)
    batch = symcf.fast.explain_batch(symcf.load(tmp_path / "c.symcf"), given)
    expected = batch.to_frame(k=None)
    assert (changed[["income", "debt", "rooms"]].to_numpy() == expected[["income", "debt", "rooms"]].to_numpy()).all()
    named = tmp_path / "named.csv"
    command(
        "explain", tmp_path / "c.symcf", tmp_path / "rows.csv", "--extra", "--rows", "--id", "name", "-k", "1",
        "-f", "csv", "-o", named,
    )  # fmt: skip
    assert list(pd.read_csv(named).columns) == ["row", "id", "counterfactual", "income", "debt", "rooms", "note"]


def test_the_command_line_writes_codes_as_codes_and_labels_as_labels(tmp_path, loan):
    loan.save(tmp_path / "c.symcf")
    (tmp_path / "rows.csv").write_text("GPA,job\nlow,0\n0,none\n")
    command("explain", tmp_path / "c.symcf", tmp_path / "rows.csv", "--rows", "-f", "csv", "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "row,counterfactual,GPA,job\n1,1,high,0\n2,1,1,none\n"


def test_a_report_shows_raw_values(tmp_path):
    import json

    import symcf.report

    estimator, frame, _ = MODELS["tree"]
    estimator.fit(frame, answers(table()))
    c = symcf.compile(symcf.from_sklearn(estimator))
    symcf.report.write(tmp_path / "r.html", c, frame[:6])
    page = (tmp_path / "r.html").read_text()
    data = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    batch = symcf.fast.explain_batch(c, frame[:6], k=21)
    income = c.features.index("income")
    assert [row[income] for row in data["rows"]["cells"]] == [str(number) for number in frame["income"][:6]]
    assert {row[c.features.index("married")] for row in data["rows"]["cells"]} <= {"yes", "no"}
    told = [str(change.new) for e in batch for cf in e[:20] for change in cf.changes if change.name == "income"]
    features = [j for e in batch for s in e.sets[:20] for j in s]
    shown = [cell for j, cell in zip(features, data["rows"]["new_cells"], strict=True) if j == income]
    assert shown == told


def test_a_label_that_is_a_number_comes_back_as_its_code():
    c = symcf.compile(symcf.from_function(lambda row: row[0], [2], features=["x"], values=[[-1, "1"]]))
    (cf,) = c.explain({"x": "1"})
    assert cf.row == {"x": 0}
    assert c.predict([cf.row])[0] == 0
