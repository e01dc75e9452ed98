"""Audits: tallies by group, limits, forms, files, pages, clusters."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import audit_random
import cli_corpus
import numpy as np
import pandas as pd
import pytest

import symcf
from symcf.analysis.audit import audit
from symcf.cli.app import run
from symcf.common.options import limit_of
from symcf.demo import admission

FREE = ["entrance exam", "first application"]
FIXED = ["work experience", "GPA"]


@pytest.fixture(scope="module")
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def frame(c):
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.integers(0, 2, (400, 4)), columns=list(c.features))
    rows["sex"] = rng.choice(["f", "m", None], 400)
    return rows


def test_random_audits_agree_with_trying_all_rows():
    check_some()


def check_some():
    for seed in range(16):
        audit_random.check(seed)


def test_a_planted_fault_is_noticed(monkeypatch):
    changes_of = audit.changes_of
    monkeypatch.setattr(audit, "changes_of", lambda batch: np.maximum(changes_of(batch), 1))
    with pytest.raises(AssertionError, match="seed"):
        check_some()


def test_groups_add_up(c, frame):
    a = symcf.audit(c, frame, target="admitted", immutable=FIXED, protected="first application", groups="sex")
    assert sorted(map(str, a.groups)) == ["f", "m", "missing"]
    assert sum(group.rows for group in a.groups.values()) == a.total.rows == 400
    for name in ("at_target", "locked_out", "undecided", "movable", "biased", "asked"):
        assert sum(getattr(group, name) for group in a.groups.values()) == getattr(a.total, name)
    assert a.total.at_target + a.total.locked_out + a.total.movable == 400
    assert (a.changes == -1).sum() == len(a.locked_out) == a.total.locked_out
    assert a.verify(20) == 20
    assert (a.bias_undecided, a.unknown) == (0, ())
    frame_of_groups = a.to_pandas()
    assert list(frame_of_groups["group"]) == ["f", "m", "missing", "all"]
    assert list(a.responsiveness()["values"]) == [a.total.asked, 0, 0, a.total.asked]
    assert len(a.responsiveness("f")) == 4
    with pytest.raises(symcf.OptionError, match="'x' is not one of"):
        a.responsiveness("x")


def test_forms_of_rows_and_groups(c, frame):
    rows, labels = frame[list(c.features)], frame["sex"]
    forms = [
        (frame, "sex"),
        (rows, labels),
        (rows.to_numpy(), labels.tolist()),
        (rows.to_dict("records"), np.array(labels, dtype=object)),
        (frame.to_dict("records"), "sex"),
        (frame.to_dict("list"), "sex"),
        (frame.iloc[:, ::-1], "sex"),
    ]
    import pyarrow as pa

    forms.append((pa.Table.from_pandas(frame, preserve_index=False), "sex"))
    found = [
        symcf.audit(c, data, target="admitted", immutable=FIXED, groups=groups).to_dict() for data, groups in forms
    ]
    assert all(one == found[0] for one in found)
    by_feature = symcf.audit(c, rows, groups="GPA")
    assert sorted(by_feature.groups) == [0, 1]


def test_a_raw_column_that_the_classifier_reads_can_be_the_group():
    c = symcf.compile(cli_corpus.tree())
    data = pd.DataFrame({"age": [25, 60, 40], "job": ["clerk", "none", "baker"], "income": [1200.5, 2500.0, 0.0]})
    a = symcf.audit(c, data, target="approved", groups="job", immutable=["age"])
    assert set(a.groups) == {"baker", "clerk", "none"}
    assert a.total.rows == 3
    assert not a.notes
    assert a.verify(None) == len(a.locked_out)


def test_what_is_asked_is_checked(c, frame):
    rows = frame[list(c.features)]
    with pytest.raises(symcf.OptionError, match="neither a feature nor a column"):
        symcf.audit(c, rows, groups="sex")
    with pytest.raises(symcf.OptionError, match="3 labels for 400 rows"):
        symcf.audit(c, rows, groups=["a", "b", "c"])
    with pytest.raises(symcf.OptionError, match="'increasing' or 'decreasing'"):
        symcf.audit(c, rows, monotone={"GPA": "up"})
    with pytest.raises(symcf.OptionError, match="no feature 'sex'"):
        symcf.audit(c, rows, protected=["sex"])
    with pytest.raises(TypeError, match="compiled classifier"):
        symcf.audit(admission(), rows)
    with pytest.raises(symcf.OptionError, match="9 is not the index"):
        symcf.audit(c, rows, groups=9)
    with pytest.raises(symcf.OptionError, match="groups must be a feature"):
        symcf.audit(c, rows, groups=1.5)


COLOURS = {"red": "no", "blue": "yes", "amber": "yes", "black": "no"}


@pytest.fixture(scope="module")
def coloured():
    """Values whose order is not that of their names; the colours of a row have none."""
    model = symcf.NaiveBayes(
        [0.5, 0.5],
        [[[0.5, 0.3, 0.2], [0.2, 0.4, 0.4]], [[0.4, 0.1, 0.1, 0.4], [0.1, 0.4, 0.4, 0.1]]],
        features=["size", "colour"],
        values=[["small", "large", "huge"], list(COLOURS)],
        ordered=[True, False],
        classes=["no", "yes"],
    )
    return symcf.compile(model)


def test_groups_by_a_feature_come_in_the_order_of_its_values(coloured, monkeypatch):
    rows = [[2, 0], [0, 1], [1, 3], [0, 2]]
    by_name = symcf.audit(coloured, rows, groups="size")
    assert list(by_name.groups) == ["small", "large", "huge"]
    assert symcf.audit(coloured, rows, groups=0).to_dict() == by_name.to_dict()
    assert list(symcf.audit(coloured, rows, groups=[10, 9, 2, 10]).groups) == [2, 9, 10]


def test_only_values_with_an_order_can_be_monotone(coloured):
    with pytest.raises(symcf.OptionError, match="monotone: the values of 'colour' have no order"):
        symcf.audit(coloured, [[0, 0]], monotone={"colour": "increasing"})
    assert symcf.audit(coloured, [[0, 0]], monotone={"size": "increasing"}).monotone[0]


def test_rows_are_read_once(c, frame, monkeypatch):
    read = []
    codes = symcf.Compiled.codes

    def counted(self, rows, **how):
        read.append(len(rows))
        return codes(self, rows, **how)

    monkeypatch.setattr(symcf.Compiled, "codes", counted)
    rows = frame[list(c.features)]
    symcf.audit(c, rows, target="admitted", protected="GPA", cost={"GPA": 2})
    assert [n for n in read if n == len(rows)] == [400]


def test_costs_are_least_costs(c):
    a = symcf.audit(c, [[0, 0, 1, 0], [0, 0, 0, 0]], target="admitted", cost={"work experience": 5})
    best = [
        c.explain(row, target="admitted", cost={"work experience": 5}, k=1)[0].cost for row in ([0, 0, 1, 0], [0] * 4)
    ]
    assert a.total.cost == sum(best)
    assert (a.total.least_cost, a.total.most_cost) == (min(best), max(best))
    ordinal = symcf.audit(c, [[0, 0, 1, 0]], cost="ordinal")
    assert ordinal.total.mean_cost == 1.0


def test_max_changes_locks_out(c):
    rows = [[0, 0, 0, 0], [1, 0, 1, 0]]
    a = symcf.audit(c, rows, target="admitted", max_changes=1)
    right = [c.robustness(row, target="admitted").changes > 1 for row in rows]
    assert a.locked_out.tolist() == np.flatnonzero(right).tolist()
    assert a.verify() == len(a.locked_out)
    assert "with up to 1 change" in str(a)


def test_rows_that_cannot_be_read_are_not_known(c):
    a = symcf.audit(c, [[0, 0, 0, 9], [1, 0, 1, 0]], errors="mark", protected="GPA", groups="GPA")
    assert a.total.undecided == 1
    assert a.total.rows == 2
    with pytest.raises(symcf.InstanceError, match="row 0"):
        symcf.audit(c, [[0, 0, 0, 9]])


def test_no_rows(c):
    a = symcf.audit(c, [], target="admitted", protected="GPA")
    assert a.total.rows == 0
    assert a.total.mean_changes is None
    assert not a.broken(max_locked_out=0)
    assert "0 rows" in str(a)
    assert a._repr_html_()


def test_time_is_kept(c, frame):
    a = symcf.audit(c, frame[list(c.features)], target="admitted", time_limit=0.0)
    assert a.total.undecided + a.total.at_target == 400


def forest():
    """One that takes a diagram to say anything about all rows."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(200, 6)), columns=list("abcdef"))
    from sklearn.ensemble import RandomForestClassifier

    fitted = RandomForestClassifier(30, max_depth=6, random_state=0).fit(rows, rows.sum(axis=1) > 0)
    return symcf.compile(fitted), rows


def test_what_time_did_not_suffice_for_is_not_known(tmp_path, capsys):
    c, rows = forest()
    a = symcf.audit(c, rows, target=True, protected="a", monotone={"b": "increasing"}, time_limit=0.0)
    assert a.bias_undecided == 200
    assert not a.monotone
    assert len(a.unknown) == 3
    assert "0 rows (0.00%); 200 rows are not known" in str(a)
    assert a.to_dict()["bias_not_known"] == 200
    assert not a.broken(max_bias=0)
    assert [line.split(" are ")[1] for line in a.broken(max_undecided=0)] == [
        "not known; at most 0 may be", "not known to be biased; at most 0 may be"
    ]  # fmt: skip
    symcf.report.write_audit(tmp_path / "page.html", a)
    assert "Of 200 rows that is not known" in (tmp_path / "page.html").read_text()

    c.save(tmp_path / "f.symcf")
    rows[a.changes == 0].to_csv(tmp_path / "rows.csv", index=False)  # these need no search
    asked = ["audit", str(tmp_path / "f.symcf"), str(tmp_path / "rows.csv"), "--target", "True", "--time-limit", "0"]
    assert run([*asked, "-f", "csv"]) == 0
    assert run([*asked, "-f", "csv", "--protected", "a", "--max-bias", "0"]) == 3
    assert "not known to depend on protected features" in capsys.readouterr().err
    assert run([*asked, "-f", "csv", "--monotone", "b=increasing"]) == 3
    assert "monotone['b']: time limit reached" in capsys.readouterr().err


def test_words_and_json(c, frame):
    a = symcf.audit(
        c, frame, target="admitted", groups="sex", protected="GPA", monotone={"GPA": "decreasing"}, immutable=FIXED
    )
    assert "not decreasing in GPA" in str(a)
    assert "decided differently if only GPA" in str(a)
    assert "<table" in a._repr_html_()
    assert "symcf-audit" in a._repr_html_()
    data = json.loads(a.to_json())
    assert data["format"] == "symcf.audit"
    assert data["locked_out"] == a.locked_out.tolist()
    assert data["monotone"][0]["holds"] is False
    assert repr(a) == f"Audit(400 rows, 3 groups, {len(a.locked_out)} locked out)"


def test_names_are_escaped(c):
    a = symcf.audit(c, [[0, 0, 0, 0]], groups=["<b>bold</b>"])
    assert "<b>" not in a._repr_html_()
    assert "&lt;b&gt;" in a._repr_html_()


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "count", "total", "broken"),
    [(5, 5, 10, False), (5, 6, 10, True), ("5%", 5, 100, False), ("5%", 6, 100, True), (0.5, 6, 10, True),
     (0, 1, 1, True),
     ("0", 0, 5, False), ("0%", 1, 10**6, True), ("100%", 7, 7, False),
     ("29%", 29, 100, False), (0.29, 29, 100, False), ("0.1%", 3, 3000, False), (0.07, 8, 100, True)],
)  # fmt: skip
def test_limits(given, count, total, broken):
    assert limit_of(given, "max").broken_by(count, total) is broken


@pytest.mark.parametrize("given", ["x", -1, "101%", True, "nan", "sNaN", float("inf"), "5 %%", None, "1/20", "%"])
def test_limits_that_are_none(given):
    with pytest.raises(symcf.OptionError, match="number of rows, or a share"):
        limit_of(given, "max")


def test_broken_limits_are_named(c, frame):
    a = symcf.audit(c, frame[list(c.features)], target="admitted", immutable=FIXED, protected="GPA")
    assert a.broken() == []
    assert len(a.broken(max_locked_out=0, max_bias="1%", max_undecided=0)) == 2
    without = symcf.audit(c, frame[list(c.features)])
    with pytest.raises(symcf.OptionError, match="protected"):
        without.broken(max_bias=3)


# --- pictures, pages, the command line, Dask --------------------------------------------------------------------------


@pytest.mark.slow
def test_pictures(c, frame):
    a = symcf.audit(c, frame, target="admitted", groups="sex", immutable=FIXED)
    assert "What" in symcf.plots.groups(a).get_title(loc="left")
    assert "responsive" in symcf.plots.responsiveness(a).get_title(loc="left")
    assert "Robustness of 16" in symcf.plots.robustness(c.robustness_distribution()).get_title(loc="left")
    empty = symcf.audit(c, [], target="admitted")
    symcf.plots.groups(empty)
    symcf.plots.responsiveness(empty)


def test_a_page(c, frame, tmp_path):
    a = symcf.audit(
        c, frame, target="admitted", groups="sex", immutable=FIXED, protected="GPA", monotone={"GPA": "decreasing"}
    )
    symcf.report.write_audit(tmp_path / "audit.html", a, title="<Admissions>")
    page = (tmp_path / "audit.html").read_text()
    assert "&lt;Admissions&gt;" in page
    assert f"{a.total.locked_out} are locked out" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "<script" not in page
    with pytest.raises(TypeError, match=r"symcf\.audit"):
        symcf.report.write_audit(tmp_path / "no.html", frame)


@pytest.fixture
def files(c, frame, tmp_path):
    c.save(tmp_path / "m.symcf")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    return [str(tmp_path / "m.symcf"), str(tmp_path / "rows.csv")]


def test_the_command_line(c, frame, files, capsys, tmp_path):
    asked = ["--target", "admitted", "--immutable", "work experience,GPA", "--protected", "GPA", "--group", "sex"]
    assert run(["audit", *files, *asked, "-f", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    a = symcf.audit(c, frame, target="admitted", immutable=FIXED, protected="GPA", groups="sex")
    assert shown["locked_out"] == (a.locked_out + 1).tolist()  # rows of files count from 1
    assert [g["rows"] for g in shown["groups"]] == [g.rows for g in [*a.groups.values(), a.total]]
    assert run(["audit", *files, *asked, "--max-locked-out", "0"]) == 1
    assert "limit broken" in capsys.readouterr().err
    assert run(["audit", *files, *asked, "--monotone", "GPA=decreasing"]) == 1
    assert run(["audit", *files, *asked[:4], "-f", "csv", "--extra", "-o", str(tmp_path / "out.csv")]) == 0
    assert (tmp_path / "out.csv").read_text().startswith("group,rows")
    assert run(["audit", *files, *asked, "--page", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").exists()
    capsys.readouterr()


def test_rows_that_are_not_known_are_said(files, capsys, tmp_path):
    (tmp_path / "bad.csv").write_text("entrance exam,work experience,GPA,first application\n1,0,1,0\nx,0,1,0\n")
    assert run(["audit", files[0], str(tmp_path / "bad.csv"), "--mark-bad-rows"]) == 3
    assert "1 row is not known" in capsys.readouterr().err
    assert run(["audit", files[0], str(tmp_path / "bad.csv"), "--mark-bad-rows", "--max-undecided", "0"]) == 1
    assert run(["audit", files[0], str(tmp_path / "bad.csv")]) == 2
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-bias", "3"], "--protected"),
        (["--max-locked-out", "x"], "number of rows"),
        (["--protected", "sex"], "no feature 'sex'"),
        (["--monotone", "GPA=up"], "increasing"),
        (["--format", "parquet"], "table, json or csv"),
        (["--group", "nothing"], "--group 'nothing'"),
        (["--group", "sax"], "did you mean 'sex'"),
    ],
)
def test_the_command_line_refuses(files, capsys, options, message):
    assert run(["audit", *files, "--extra", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_dask_adds_up_the_same(c, frame, tmp_path):
    pytest.importorskip("dask.dataframe")
    import dask.dataframe as dd

    asked = {"target": "admitted", "immutable": FIXED, "protected": "GPA", "groups": "sex", "cost": {"GPA": 3}}
    data = frame.fillna("missing")
    wanted = symcf.audit(c, data, **asked)
    found = symcf.cluster.audit(c, dd.from_pandas(data, npartitions=3), scheduler="synchronous", batch_rows=50, **asked)
    assert found.to_dict() == wanted.to_dict()
    data.to_parquet(tmp_path / "rows.parquet")
    found = symcf.cluster.audit(c, tmp_path / "rows.parquet", scheduler="synchronous", part_rows=100, **asked)
    assert found.to_dict() == wanted.to_dict()
    with pytest.raises(symcf.OptionError, match="not here"):
        found.verify()


def test_a_row_that_is_not_locked_out_is_not_confirmed():
    c = symcf.compile(admission())
    a = symcf.audit(c, [[0, 0, 1, 0]], target="admitted")
    assert a.verify() == 0, "nobody is locked out"
    a.locked_out = np.array([0])
    with pytest.raises(symcf.InternalError, match="row 0 is said to be locked out and is not"):
        a.verify()


def test_keywords_of_the_question_are_those_of_explain():
    c = symcf.compile(admission())
    with pytest.raises(symcf.OptionError, match="minimal"):
        symcf.audit(c, [[0, 0, 1, 0]], minimality="moves")
    with pytest.raises(TypeError, match="imutable"):
        symcf.audit(c, [[0, 0, 1, 0]], imutable=["GPA"])


@pytest.mark.slow
def test_rules_of_a_policy(tmp_path, capsys, monkeypatch):
    """A verdict on every rule: counted again here by trying all values of the model's own predictions."""
    monkeypatch.chdir(tmp_path)
    credit = symcf.datasets.credit()
    credit.save("credit")
    files = ["credit/scorecard.json", "credit/credit.csv", "--extra", "--policy", "credit/policy.yaml"]
    assert run(["audit", *files, "-o", "audit.html", "--junit", "junit.xml"]) == 1
    out = capsys.readouterr()
    model = symcf.compile(credit.model("scorecard"))
    now, rows = model.predict(credit.data), [credit.row(name) for name in credit.names]
    ages = (20, 25, 35, 45, 60)
    others = [[{**row, "sex": sex, "age": age} for sex in ("female", "male") for age in ages] for row in rows]
    biased = sum((model.predict(same) != now[i]).any() for i, same in enumerate(others))
    assert f"failed: {biased} of 600 rows are decided differently by protected features" in out.out
    assert "limit broken" in out.err
    records = [record for record, _ in symcf.letters.letters(model, credit.data, credit.policy())]
    stopped = [record.row for record in records if "among the principal reasons" in record.problem]
    assert f"failed: {len(stopped)} of 229 rows have a protected feature among" in out.out
    assert f"(rows {stopped[0]}, {stopped[1]}, " in out.out
    suite = ElementTree.parse("junit.xml").getroot()
    assert {case.get("name"): [part.tag for part in case] for case in suite}["max_bias"] == ["failure"]
    assert (suite.get("tests"), suite.get("errors")) == ("5", "0")
    html = Path("audit.html").read_text(encoding="utf-8")
    assert html.index('id="verdict"') < html.index('id="summary"')
    assert re.search(r"<strong>Failed: \d of 5 rules</strong>", html)
    assert run(["audit", *files, "-f", "json", "--max-bias", "100%"]) in (0, 1)
    rules = {rule["rule"]: rule["verdict"] for rule in json.loads(capsys.readouterr().out)["rules"]}
    assert rules["max_bias"] == "passed"
    assert rules["monotone late_payments"] == "passed"


def test_few_changes(c, frame):
    a = symcf.audit(c, frame.drop(columns="sex"), target="admitted")
    rows = frame.drop(columns="sex").to_numpy().tolist()
    declined = [row for row, label in zip(rows, c.predict(rows), strict=True) if label != "admitted"]
    fewest = [len(min(c.explain(row, target="admitted").sets, key=len)) for row in declined]
    share = sum(number <= 1 for number in fewest) / len(fewest)
    assert 0 < share < 1
    (rule,) = a.rules(few_changes=(1, f"{share - 1e-6:.9f}"))
    assert rule.holds is True
    (rule,) = a.rules(few_changes=(1, f"{share + 1e-6:.9f}"))
    assert rule.verdict == "failed"


def test_units_that_inflect_stand_by_themselves(tmp_path, monkeypatch):
    """month|months and EUR {number} of a policy are for letters; a page says months and EUR."""
    pytest.importorskip("jinja2")
    monkeypatch.chdir(tmp_path)
    symcf.datasets.credit().save(".")
    run(["audit", "scorecard.json", "credit.csv", "--extra", "--policy", "policy.yaml", "-o", "audit.html"])
    page = Path("audit.html").read_text(encoding="utf-8")
    assert "EUR" in page
    assert "|month" not in page
    assert "{number}" not in page
