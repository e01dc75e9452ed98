"""Numbers in, numbers out: suggested rows are what the original classifier takes, and it decides them otherwise.

Nothing here believes symcf: rows are given to scikit-learn's own `predict`.
"""

import pickle
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from raw_models import CASES, MODELS, NUMBERS, answers, columns_of, fitted_case, same, table
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast


@pytest.fixture(scope="module", params=CASES, ids=" ".join)
def fitted(request):
    """A classifier, its rows, and symcf's."""
    return fitted_case(*request.param)


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
    batch = symcf.fast.explain_batch(c, frame[:8], select="all", max_changes=1)
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
    assert (loan.predict(frame, codes=True) == loan.predict([[0, 0], [1, 1]], codes=True)).all()
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

    _, frame, c = fitted_case("tree", "text")
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
    assert c.predict([cf.row], codes=True)[0] == 0
