"""Policies: read strictly; letters of a table say what the policy says, stop where they must, and can be continued."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
from html import unescape

import numpy as np
import pytest

import symcf
from symcf.cli.app import run
from symcf.errors import FileError
from symcf.letters import Policy
from symcf.letters.page import LANGUAGES

CREDIT = symcf.datasets.credit()


@pytest.fixture(scope="module")
def scorecard():
    return symcf.compile(CREDIT.model("scorecard"))


@pytest.fixture(scope="module")
def policy():
    return CREDIT.policy()


def words(letter):
    return unescape(re.sub(r"<[^>]+>", " ", letter.html.split("</style>")[1]))


def points_by_hand(kind):
    """By row and feature, points below the best value in the data, from the model's file."""
    model = CREDIT.model(kind)
    codes = symcf.compile(model).codes(CREDIT.data)
    starts = np.cumsum([0, *map(len, model.values)])
    own = np.array(model.weights[0])[starts[:-1] + codes]  # the score of class 1, "declined"
    return own - own.min(axis=0)


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targt: x", r"targt \(line 1\): there is no key 'targt'; did you mean 'target'"),
        ("a: 1\nfeatures:\n  x:\n    unti: EUR", "there is no key 'a'"),
        ("features:\n  x:\n    unti: EUR", r"features.x.unti \(line 3\): .* did you mean 'unit'"),
        ("features: {x: {named: maybe}}", "neither true nor false"),
        ("target: a\ntarget: b", "given twice"),
        ("x: {", "not YAML"),
        ("features: {x: {name: &a 1, unit: *a}}", "anchors"),
        ("ways: 0", "at least 1"),
        ("reasons: {most: 5}", "5 is more than 4"),
        ("language: nl", "not one of en, de"),
        ("features: {x: {name: {nl: naam}}}", "not a language"),
        ("features: {x: {change: up}}", "not one of any"),
        ("features: {x: {reasons: {low: {code: 1}}}}", "statement is missing"),
        ("features: [1]", "write a mapping"),
        ("audit: {max_bias: many}", "neither a number of rows nor a share"),
        ("[" * 3000, "nested too deeply|not YAML"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text, message):
    with pytest.raises(symcf.OptionError, match=message):
        Policy.from_text(text)


def test_words_stay_words():
    """What YAML 1.1 takes for a flag, or a number, is a text where a text belongs."""
    found = Policy.from_text("target: no\nfeatures: {x: {unit: 1.50, named: yes, values: {on: no, 1: off}}}")
    assert found.target == "no"
    one = found.features["x"]
    assert (one.unit.of("en"), one.named) == ("1.50", True)
    assert {value: text.of("en") for value, text in one.values.items()} == {"on": "no", "1": "off"}


def test_json_and_yaml_are_read_alike(tmp_path):
    data = {"target": "a", "features": {"x": {"named": True, "unit": 5, "name": {"en": "n", "de": "m"}}}}
    (tmp_path / "p.json").write_text(json.dumps(data))
    (tmp_path / "p.yaml").write_text(json.dumps(data))
    one, other = Policy.read(tmp_path / "p.json"), Policy.read(tmp_path / "p.yaml")
    assert one == other
    (tmp_path / "p.json").write_text('{"target": "a", "target": "b"}')
    with pytest.raises(symcf.FileError, match=r"p\.json: target: this key is given twice"):
        Policy.read(tmp_path / "p.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("features: {incom: {named: true}}", "no feature 'incom'; did you mean 'income'"),
        ("features: {job: {values: {skiled: x}}}", "no value 'skiled'; did you mean"),
        ("target: aproved", "no class 'aproved'; did you mean 'approved'"),
        ("audit: {monotone: {incom: increasing}}", "no feature 'incom'"),
        ("features: {job: {change: [boss]}}", "no value 'boss'"),
    ],
)
def test_what_the_model_does_not_have_is_named(scorecard, text, message):
    with pytest.raises(symcf.OptionError, match=message):
        Policy.from_text(text).question(scorecard.features, scorecard.values, scorecard.classes)


@pytest.mark.parametrize("kind", ["scorecard", "logistic", "tree"])
def test_the_policy_to_start_from_fits_its_model(kind):
    c = symcf.compile(CREDIT.model(kind))
    found = Policy.from_text(symcf.letters.policy_text(c.features, c.values, c.classes))
    found.checked(c.features, c.values, c.classes)
    assert list(found.features) == list(c.features)
    assert not any(one.named for one in found.features.values())


def test_names_of_any_kind_can_be_in_a_policy():
    model = symcf.NaiveBayes.binary(
        0.3,
        [0.9, 0.2],
        [0.1, 0.4],
        features=["a: b # c", "no"],
        values=[["<x>", "y\n"], [True, False]],
        classes=[-1, 1],
    )
    found = Policy.from_text(symcf.letters.policy_text(model.features, model.values, model.classes))
    found.checked(model.features, model.values, model.classes)
    assert list(found.features) == ["a: b # c", "no"]
    assert found.target == "1"


def test_the_policy_to_start_from_fits_a_regressor():
    """It has no classes, so no target and no decisions."""
    found = Policy.from_text(symcf.letters.policy_text(["income"], [("low", "high")], []))
    found.checked(["income"], [("low", "high")], [])
    assert (found.target, found.decisions) == (None, None)


def test_braces_of_a_unit_hold_the_number_only(scorecard, tmp_path):
    found = Policy.from_text('{target: approved, features: {loan: {named: true, unit: "{nummer} EUR"}}}')
    with pytest.raises(symcf.OptionError, match=r"features\.loan\.unit.*has braces; only \{number\} may"):
        symcf.letters.write(tmp_path, scorecard, CREDIT.data[:2], found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("features: {loan: {change: [lots]}}", "features.loan.change: loan has no value 'lots'"),
        ("template: us", "template us: it is in English, and needs the section us"),
        ("max_changes: none", "p.yaml: max_changes (line 2): 'none' is not a whole number"),
        ("zzz: 1", "wording, features, us, audit"),
        ("zzz: 1", " max_changes, probability"),
    ],
)
def test_check_finds_what_letters_would_refuse(text, message, tmp_path, capsys, monkeypatch):
    """Keys of a policy are called as in the file, not as the options of the command line."""
    monkeypatch.chdir(tmp_path)
    CREDIT.save("credit")
    (tmp_path / "p.yaml").write_text(f"target: approved\n{text}\n")
    assert run(["policy", "credit/scorecard.json", "--check", "p.yaml"]) == 2
    assert message in capsys.readouterr().err


def test_groups_of_an_audit_with_principal_reasons_need_not_be_features(tmp_path, capsys, monkeypatch):
    """The column of the groups is not one of the classifier; the rule about principal reasons reads the file again."""
    monkeypatch.chdir(tmp_path)
    CREDIT.save("credit")
    table = CREDIT.data[:20].assign(zone=["north", "south"] * 10)
    table.to_csv("rows.csv", index=False)
    (tmp_path / "p.yaml").write_text(
        "target: approved\nfeatures: {age: {protected: true}}\naudit: {max_protected_reasons: 20, group: zone}\n"
    )
    assert run(["audit", "credit/scorecard.json", "rows.csv", "--policy", "p.yaml"]) == 0
    assert "rows have a protected feature among their principal reasons" in capsys.readouterr().out


# --- letters ----------------------------------------------------------------------------------------------------------


def test_reasons_are_the_points_and_codes_come_once(scorecard, policy):
    """The codes of each letter, from the weights in the model's file; protected features among the four stop it."""
    points, written, stopped = points_by_hand("scorecard"), 0, 0
    decided = scorecard.predict(CREDIT.data)
    code_of = {
        "job": "01", "housing": "02", "income": "03", "savings": "05", "late_payments": "07", "loan": "08",
        "months": "08", "purpose": "09", "guarantor": "10", "member": "11",
    }  # fmt: skip
    for i, (record, letter) in enumerate(symcf.letters.letters(scorecard, CREDIT.data, policy, names=CREDIT.names)):
        if decided[i] == "approved":
            assert (record.status, letter) == ("at target", None)
            continue
        order = sorted(range(12), key=lambda j: (-points[i, j], j))
        top = [scorecard.features[j] for j in order[:4]]
        if {"age", "sex"} & set(top):
            stopped += 1
            assert (record.status, letter) == ("stopped", None)
            assert "among the principal reasons" in record.problem
        elif record.status == "written":
            written += 1
            row = CREDIT.row(CREDIT.names[i])
            codes = [
                {"income": "04", "savings": "06"}[f] if f in ("income", "savings") and row[f] is None else code_of[f]
                for f in top
            ]
            assert record.reasons == tuple(top)
            assert record.codes == tuple(dict.fromkeys(codes))
            assert re.findall(r"\(code (\d\d)\)", letter.html) == list(record.codes)
    assert written > 50
    assert stopped > 50


def test_points_are_shapley_values_of_the_score(scorecard):
    """They add up to the score less its mean, and the order of features does not matter."""
    values = symcf.fast.attribute_batch(scorecard, CREDIT.data, "points", data=CREDIT.data)
    score = scorecard.decision_function(CREDIT.data)
    sign = np.where(scorecard.predict(CREDIT.data) == "declined", 1, -1)
    assert np.allclose(values.sum(axis=1), sign * (score - score.mean()))
    one = scorecard.attribute(CREDIT.row("A002"), "points", data=CREDIT.data, reference="maximum")
    assert np.allclose(one.values, points_by_hand("scorecard")[1])
    tree = symcf.compile(CREDIT.model("tree"))
    with pytest.raises(symcf.OptionError, match="sum over features"):
        tree.attribute(CREDIT.row("A002"), "points", data=CREDIT.data)
    with pytest.raises(symcf.OptionError, match="give them as data"):
        scorecard.attribute(CREDIT.row("A002"), "points")


def test_directions_choose_the_code(scorecard, policy):
    """The statement for high values only where a lower one helps; where the policy has none, the letter is stopped."""
    text = "target: approved\nfeatures: {late_payments: {named: true, reasons: {WHICH: {code: L, statement: late}}}}"
    results = {}
    for which in ("low", "high"):
        found = symcf.letters.letters(scorecard, CREDIT.data[:60], Policy.from_text(text.replace("WHICH", which)))
        results[which] = [
            record for record, _ in found if "late_payments" in record.reasons or "reasons has no" in record.problem
        ]
    assert any("L" in record.codes for record in results["high"])
    assert not any("L" in record.codes for record in results["low"])
    assert all("no code for high values" in record.problem for record in results["low"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", ["general", "eu"])
def test_letters_in_all_languages(scorecard, policy, language, template):
    made = dataclasses.replace(policy, template=template)
    found = [
        letter
        for _, letter in symcf.letters.letters(scorecard, CREDIT.data[:40], made, language=language, date="2026-11-18")
        if letter is not None
    ]
    assert len(found) > 3
    for letter in found:
        text = words(letter)
        assert f'<html lang="{language}">' in letter.html
        assert policy.features["job"].name.of(language) in text
        assert "{" not in text
        assert "protected" not in text
        assert not re.search(r"late_payments|guarantor_|[<>]= ", text)
        assert "2026" in text


def test_notices_of_the_united_states(scorecard, policy):
    us = dataclasses.replace(policy, template="us")
    letter = next(one for _, one in symcf.letters.letters(scorecard, CREDIT.data[:60], us) if one is not None)
    text = words(letter)
    assert "to be reviewed by counsel" in text
    assert "Equal Credit Opportunity Act prohibits creditors" in text
    assert "Example Credit Bureau" in text
    assert "no later than 60 days" in text
    with pytest.raises(symcf.OptionError, match="it is in English"):
        symcf.letters.letters(scorecard, CREDIT.data[:2], us, language="de")
    text = "target: approved\ntemplate: us\nus: {federal_agency: X}\nfeatures: {income: {named: true}}"
    records = [record for record, _ in symcf.letters.letters(scorecard, CREDIT.data[:30], Policy.from_text(text))]
    assert {record.status for record in records} == {"at target", "stopped"}
    assert any("does not let it be named" in record.problem for record in records)


def test_scores_come_from_columns(scorecard):
    text = """
target: approved
template: us
person_column: who
us:
  federal_agency: X
  consumer_report:
    agency: {name: Bureau, address: Street, telephone: "1"}
    score: {column: s, date_column: d, factors_column: f, low: 300, high: 850, provider: Bureau}
features: {FEATURES}
""".replace("FEATURES", ", ".join(f"{name}: {{named: true}}" for name in scorecard.features))
    one = CREDIT.data[1:2]
    columns = {"who": ["<b>\u202eA"], "s": [612], "d": ["2026-11-01"], "f": ["Too few accounts; Inquiries"]}
    (_, letter), = symcf.letters.letters(scorecard, one, Policy.from_text(text), columns=columns)  # fmt: skip
    assert "<b>" not in letter.html.split("</style>")[1]
    for part in ("612", "2026-11-01", "<li><bdi>Too few accounts</bdi></li>", "<li><bdi>Inquiries</bdi></li>", "850"):
        assert part in letter.html
    with pytest.raises(symcf.OptionError, match="no column 'who'"):
        symcf.letters.letters(scorecard, one, Policy.from_text(text))


def test_what_may_be_wrong_is_tried(scorecard, policy):
    """Each sentence about a recorded fact is true of the model itself."""
    seen = 0
    for i, (_, letter) in enumerate(symcf.letters.letters(scorecard, CREDIT.data[:80], policy)):
        if letter is None:
            continue
        row = CREDIT.row(CREDIT.names[i])
        helps = [n for n in range(4) if scorecard.predict([{**row, "late_payments": n}])[0] == "approved"]
        said = re.findall(r"\(recorded: (\d)\): had (\d)(?: or less| to \d)? been recorded instead,", words(letter))
        assert bool(said) == bool(helps)
        for old, new in said:
            seen += 1
            assert (int(old), int(new) in helps) == (row["late_payments"], True)
    assert seen > 5


@pytest.mark.parametrize("kind", ["scorecard", "logistic", "tree", "boosted", "naive_bayes"])
def test_reasons_counted_for_many_rows_are_those_of_one(kind):
    c = symcf.compile(CREDIT.model(kind))
    batch = symcf.fast.explain_batch(c, CREDIT.data[:40], k=1)
    for most in (1, 2000):
        found = symcf.fast.reason_counts(batch.compiled, batch.rows, most)
        for i, counts in enumerate(found):
            reasons = c.why(CREDIT.row(CREDIT.names[i])).sets
            assert (counts is None) == (len(reasons) > most)
            assert counts in (None, [sum(j in reason for reason in reasons) for j in range(c.n_features)])


def test_what_is_said_in_the_words_of_the_table_is_told(scorecard, tmp_path, capsys, monkeypatch):
    text = "{target: approved, decisions: {approved: {de: ja, fr: oui}}, features: {purpose: {named: true, name: X}}}"
    policy = Policy.from_text(text)
    told = ["decisions: 'declined'", "features.purpose.values: 'business', 'car', 'education', 'furniture', 'repairs'"]
    asked = (scorecard.features, scorecard.values, scorecard.classes)
    assert policy.languages == ["de", "fr"]
    assert policy.untranslated(*asked, "de") == told
    with pytest.warns(UserWarning, match="policy: .* no text in 'de'") as seen:
        symcf.letters.letters(scorecard, CREDIT.data[:3], policy, language="de")
    assert [str(one.message).split(": no text")[0] for one in seen] == [f"policy: {place}" for place in told]
    with pytest.raises(symcf.OptionError, match=r"decisions.approved: there is no text in 'it', only in 'de', 'fr'"):
        symcf.letters.letters(scorecard, CREDIT.data[:3], policy, language="it")
    plain = Policy.from_text("{target: approved, language: de, features: {purpose: {named: true}}}")
    assert plain.untranslated(*asked, "de") == []  # a table in German for letters in German
    assert plain.untranslated(*asked, "pl")[1] == "features.purpose.name: 'purpose'"
    assert CREDIT.policy().languages == list(LANGUAGES)
    assert [CREDIT.policy().untranslated(*asked, language) for language in LANGUAGES] == [[]] * len(LANGUAGES)
    monkeypatch.chdir(tmp_path)
    CREDIT.save("credit")
    (tmp_path / "p.yaml").write_text(text)
    assert run(["policy", "credit/scorecard.json", "--check", "p.yaml"]) == 0
    assert "note: p.yaml: decisions: 'declined': no text in 'fr'" in capsys.readouterr().err
    given = ["credit/scorecard.json", "credit/credit.csv", "--extra", "--id", "applicant", "--policy", "p.yaml"]
    assert run(["letters", *given, "-o", "out", "--language", "de"]) == 0
    assert "warning: policy: decisions: 'declined': no text in 'de'" in capsys.readouterr().err


# --- directories ------------------------------------------------------------------------------------------------------


def test_a_run_can_be_continued(scorecard, policy, tmp_path):
    folder = tmp_path / "letters"
    records = symcf.letters.write(
        folder, scorecard, CREDIT.data[:60], policy, names=CREDIT.names[:60], date="2026-11-18"
    )
    lines = (folder / "manifest.jsonl").read_text().splitlines()
    assert len(lines) == 61
    header = json.loads(lines[0])
    assert header["policy"] == policy.fingerprint
    for record in records:
        if record.status == "written":
            content = (folder / record.file).read_bytes()
            assert hashlib.sha256(content).hexdigest() == record.sha256
            others = [name for name in CREDIT.names[:60] if name != record.name]
            assert not any(name.encode() in content for name in others)
    files = [record.file for record in records if record.file]
    (folder / files[0]).write_text("damaged")
    (folder / files[1]).unlink()
    kept = (folder / files[2]).stat().st_mtime_ns
    (folder / "manifest.jsonl").write_text("\n".join(lines[:40]) + '\n{"row": 40, "na')
    again = symcf.letters.write(folder, scorecard, CREDIT.data[:60], policy, names=CREDIT.names[:60])
    assert again == records
    assert (folder / "manifest.jsonl").read_text().splitlines() == lines
    assert (folder / files[2]).stat().st_mtime_ns == kept
    with pytest.raises(symcf.FileError, match=r"another run .*data, rows differ"):
        symcf.letters.write(folder, scorecard, CREDIT.data[:50], policy, names=CREDIT.names[:50])
    symcf.letters.write(folder, scorecard, CREDIT.data[:50], policy, names=CREDIT.names[:50], force=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(symcf.FileError, match="not empty"):
        symcf.letters.write(tmp_path / "full", scorecard, CREDIT.data[:2], policy)


@pytest.mark.skipif(sys.platform != "linux", reason="one process writes letters elsewhere")
def test_processes_write_what_one_writes(scorecard, policy, tmp_path):
    rows, names = CREDIT.data[:230], CREDIT.names[:230]
    found = [
        symcf.letters.write(tmp_path / str(jobs), scorecard, rows, policy, names=names, date="x", n_jobs=jobs)
        for jobs in (1, 2, 3)
    ]
    assert found[0] == found[1] == found[2]
    folders = [{path.name: path.read_bytes() for path in (tmp_path / str(jobs)).iterdir()} for jobs in (1, 2, 3)]
    assert folders[0] == folders[1] == folders[2]
    assert len(folders[0]) == 1 + sum(record.status == "written" for record in found[0])
    (tmp_path / "2" / found[0][5].file).unlink()
    again = symcf.letters.write(tmp_path / "2", scorecard, rows, policy, names=names, date="x", n_jobs=2)
    assert again == found[0]
    assert (tmp_path / "2" / found[0][5].file).exists()


def test_a_process_that_cannot_write_is_told(scorecard, policy, tmp_path):
    names = [f"A{i}" for i in range(120)]
    folder = tmp_path / "out"
    (folder / "A111.html").mkdir(parents=True)  # where a letter should go
    with pytest.raises(OSError, match="A111"):
        symcf.letters.write(folder, scorecard, CREDIT.data[:120], policy, names=names, n_jobs=2, force=True)


def test_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CREDIT.save("credit")
    asked = ["credit/scorecard.json", "credit/credit.csv", "--extra", "--id", "applicant", "--policy"]
    assert run(["letters", *asked, "credit/policy.yaml", "-o", "out", "--language", "de"]) == 1
    out = capsys.readouterr()
    assert re.search(r"out: \d+ letters of 600 rows, \d+ stopped", out.out)
    assert "no letter for A002: protected: 'sex'" in out.err
    assert run(["policy", "credit/scorecard.json", "--init", "-o", "p.yaml"]) == 0
    assert run(["policy", "credit/scorecard.json", "--check", "p.yaml"]) == 0
    assert "0 of 12 features may be named" in capsys.readouterr().out
    (tmp_path / "bad.yaml").write_text("targt: approved")
    assert run(["letters", *asked, "bad.yaml", "-o", "other"]) == 2
    assert "bad.yaml: targt (line 1): there is no key" in capsys.readouterr().err
    assert run(["policy", "credit/scorecard.json"]) == 2


def test_a_rule_of_the_policy_is_named_as_the_policy_does(tmp_path, capsys, monkeypatch):
    """The policy to start from has a rule about protected features, and protects none: that is for people to say."""
    monkeypatch.chdir(tmp_path)
    CREDIT.save("credit")
    assert run(["policy", "credit/scorecard.json", "--init", "-o", "p.yaml"]) == 0
    asked = ["audit", "credit/scorecard.json", "credit/credit.csv", "--extra"]
    assert run([*asked, "--policy", "p.yaml"]) == 2
    expected = "p.yaml: audit.max_bias: name protected features (--protected, or protected: true in p.yaml)"
    assert expected in capsys.readouterr().err
    assert run([*asked, "--max-bias", "0"]) == 2
    assert "--max-bias: name protected features (--protected)" in capsys.readouterr().err


def test_a_service_whose_letters_need_other_rows_says_how_to_give_them(tmp_path, capsys, monkeypatch):
    pytest.importorskip("fastapi")
    monkeypatch.chdir(tmp_path)
    CREDIT.save("credit")
    assert run(["serve", "credit/scorecard.json", "--policy", "credit/policy.yaml", "--port", "0"]) == 2
    assert "compares with other rows: give --reference FILE, a table of them" in capsys.readouterr().err


def test_decimal_commas_are_guessed_at(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CREDIT.save("credit")
    CREDIT.data.assign(income=CREDIT.data["income"] + 0.5).to_csv("german.csv", sep=";", decimal=",", index=False)
    asked = ["predict", "credit/scorecard.json", "german.csv", "--delimiter", ";"]
    assert run(asked) == 2
    assert capsys.readouterr().err.endswith("; if decimals stand after commas, use --decimal ,\n")
    assert run([*asked, "--decimal", ","]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are of POSIX")
def test_half_a_letter_is_no_letter(tmp_path):
    """Where the disk is full, the letter that did not fit is removed, and the message names it."""
    CREDIT.save(tmp_path / "credit")
    code = (
        "import resource, signal, sys; from symcf.cli.app import run; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)); sys.exit(run(sys.argv[1:]))"
    )
    asked = ["letters", "credit/scorecard.json", "credit/credit.csv", "--extra", "--id", "applicant", "-o", "out"]
    command = [sys.executable, "-c", code, *asked, "--policy", "credit/policy.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"symcf: error: out.A\d+\.html: File too large\n", done.stderr)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["manifest.jsonl"]


# --- PDF --------------------------------------------------------------------------------------------------------------

#: A stand-in for Chromium: "prints" the page itself, and fails halfway where the page says so. As root, like Chromium,
#: only without a sandbox.
PRINTER = f"""#!{sys.executable}
import sys, urllib.parse, urllib.request
page = urllib.request.urlopen(sys.argv[-1]).read()
(out,) = (word.partition("=")[2] for word in sys.argv if word.startswith("--print-to-pdf="))
with open(out, "wb") as file:
    file.write(b"%PDF-" if b"out of paper" in page else b"%PDF-" + page + b"%%EOF")
"""


@pytest.fixture
def browser(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "chromium"
    program.parent.mkdir()
    program.write_text(PRINTER)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


def test_a_pdf_is_that_of_its_letter(scorecard, policy, tmp_path, browser):
    rows, names = CREDIT.data[:12], CREDIT.names[:12]
    for date in ("the first day", "the second day"):
        records = symcf.letters.write(
            tmp_path / "out", scorecard, rows, policy, names=names, date=date, force=True, pdf=True, sandbox=False
        )
        files = [tmp_path / "out" / record.file for record in records if record.file]
        assert files
        assert all(date in file.with_suffix(".pdf").read_text() for file in files)


def test_root_has_to_say_that_there_is_no_sandbox(scorecard, policy, tmp_path, browser, monkeypatch, capsys):
    given = {"names": CREDIT.names[:12], "date": "x", "pdf": True}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(symcf.OptionError, match=r"^pdf: Chromium does not run as root .* give sandbox=False"):
        symcf.letters.write(tmp_path / "out", scorecard, CREDIT.data[:12], policy, **given)
    assert not list((tmp_path / "out").iterdir())
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    symcf.letters.write(tmp_path / "out", scorecard, CREDIT.data[:12], policy, **given)
    pages = list((tmp_path / "out").glob("*.pdf"))
    assert pages
    assert run(["letters", "m.json", "x.csv", "--policy", "p.yaml", "-o", "out", "--no-sandbox"]) == 2
    assert "--no-sandbox is for --pdf" in capsys.readouterr().err


def test_half_a_pdf_is_no_pdf(scorecard, policy, tmp_path, browser):
    given = {"names": CREDIT.names[:12], "date": "out of paper", "pdf": True, "sandbox": False}
    with pytest.raises(FileError):
        symcf.letters.write(tmp_path / "out", scorecard, CREDIT.data[:12], policy, **given)
    assert not list((tmp_path / "out").glob("*.pdf"))
