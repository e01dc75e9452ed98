"""Reports in the words of a policy, in a browser: names, limits, warnings, and what the file of one person holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import browser
import numpy as np
import pytest

import symcf
from symcf.cli.app import run

By = pytest.importorskip("selenium.webdriver.common.by").By

CREDIT = symcf.datasets.credit()
POLICY = CREDIT.policy()

needs_browser = pytest.mark.skipif(bool(browser.missing()), reason=str(browser.missing()))


def compiled(kind: str) -> symcf.Compiled:
    return symcf.compile(CREDIT.model(kind))


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def shown(kind: str, count: int = 60, **options: Any) -> symcf.report.Page:
    given = {"names": CREDIT.names[:count], "policy": POLICY, **options}
    return symcf.report.show(compiled(kind), CREDIT.data[:count], **given)


@pytest.mark.parametrize("kind", ["scorecard", "logistic", "tree"])
def test_a_page_speaks_as_the_policy_does(kind: str) -> None:
    html = shown(kind).html
    data = data_of(html)
    assert data["features"][2] == "employment"
    assert data["features"][4] == "monthly income (EUR)"
    assert data["features"][8] == "duration (months)"
    assert data["values"][2] == ["manager", "none", "self-employed", "skilled worker", "unskilled worker"]
    assert data["rows"]["cells"][1][2:4] == ["skilled worker", "own home"]
    assert data["rows"]["cells"][1][10] == "no"
    said = html.split("What this page was made from")[0]
    for raw in ("late_payments", "with family", "unskilled<", '"skilled"'):
        assert raw not in said
    assert re.search(rf"<dt>Policy</dt><dd><bdi>{POLICY.fingerprint}</bdi>", html)


def test_a_policy_asks_and_options_come_first() -> None:
    """The question is that of the policy, so that the ways are those of `explain` with the same keywords."""
    c = compiled("scorecard")
    asked = POLICY.question(c.features, c.values, c.classes)
    batch = symcf.fast.explain_batch(c, CREDIT.data[:60], **asked)
    bare = symcf.report.show(c, CREDIT.data[:60], **asked, protected=["age", "sex"]).html
    told = shown("scorecard", names=None).html
    for part in ("locked", "direction", "allowed", "max_changes", "target"):
        assert data_of(told)[part] == data_of(bare)[part]
    for part in ("ways", "sizes", "features", "new", "codes", "prediction", "alone"):
        assert data_of(told)["rows"][part] == data_of(bare)["rows"][part]
    assert data_of(told)["max_changes"] == 3
    assert batch.request.question.constraints.max_changes == 3
    assert data_of(shown("scorecard", max_changes=1).html)["max_changes"] == 1
    assert data_of(shown("scorecard", immutable=["loan"]).html)["locked"] == [7]
    alone = data_of(shown("scorecard", protected=["sex"]).html)["rows"]["alone"]
    assert {j for ways in alone.values() for way in ways for j, _ in way} == {1}
    with pytest.raises(symcf.OptionError, match=r"policy must be what Policy\.read gives"):
        shown("scorecard", policy="policy.yaml")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{de: Einkommen, en: earnings}", "earnings (EUR)"),
        ("{de: Einkommen, fr: revenu}", "Einkommen (EUR)"),
        ("wages", "wages (EUR)"),
    ],
)
def test_names_are_in_english_if_there_are_any(text: str, name: str) -> None:
    given = f"{{target: approved, language: de, features: {{income: {{name: {text}, unit: EUR}}}}}}"
    policy = symcf.letters.Policy.from_text(given)
    assert data_of(shown("scorecard", 5, policy=policy).html)["features"][4] == name


def test_files_and_index_by_a_policy_on_the_command_line(tmp_path: Path, capsys: Any) -> None:
    CREDIT.save(tmp_path / "credit")
    table = (tmp_path / "credit" / "credit.csv").read_text().splitlines()
    (tmp_path / "some.csv").write_text("\n".join([table[0], *table[51:61]]) + "\n")
    command = ["report", str(tmp_path / "credit" / "scorecard.json"), str(tmp_path / "some.csv"), "--extra"]
    command += ["--id", "applicant", "--policy", str(tmp_path / "credit" / "policy.yaml")]
    assert run([*command, "--each", str(tmp_path / "each"), "--index", str(tmp_path / "index.html")]) == 0
    html = (tmp_path / "each" / "A055.html").read_text(encoding="utf-8")
    assert data_of(html)["features"][6] == "late payments in the last year"
    assert data_of(html)["target"] == 0
    assert data_of(html)["locked"] == [0, 1, 2, 3, 6, 9]
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.search(r"A055</bdi></a></th><td><bdi>declined</bdi>.*?Changing <bdi>sex</bdi> alone is enough", index)
    assert run([*command, "-o", str(tmp_path / "one.html"), "--immutable", "loan", "--max-changes", "2"]) == 0
    data = data_of((tmp_path / "one.html").read_text(encoding="utf-8"))
    assert (data["locked"], data["max_changes"]) == ([7], 2)
    capsys.readouterr()


# --- one person -------------------------------------------------------------------------------------------------------


def words_of_the_domain(c: symcf.Compiled) -> set[str]:
    """What every page may say, whomever it is about: labels, names, cut points, ranges, and the policy's words."""
    known = {*map(str, c.features), *map(str, c.classes)}
    for labels in c.values:
        if isinstance(labels, tuple):
            known |= set(map(str, labels))
            known |= {number for label in labels for number in re.findall(r"\d+", str(label))}
            known |= {str(int(n) - 1) for label in labels for n in re.findall(r"\d+", str(label))}
        else:
            known |= {f"{labels.low:g}", f"{labels.high:g}", str(int(labels.low)), str(int(labels.high))}
    return known


@needs_browser
@pytest.mark.parametrize("kind", ["scorecard", "logistic"])
def test_the_file_of_one_person_shows_nobody_else(page: Any, tmp_path: Path, kind: str) -> None:
    """No name and no value of any other of 40 rows is in the text, nor in the data of the page: but what is this
    person's, too, and what belongs to the model. Values are made unmistakable first.
    """
    count, c = 40, compiled(kind)
    rng = np.random.default_rng(7)
    frame = CREDIT.data[:count].copy()
    for place, column in enumerate(("income", "savings", "loan")):
        low, high = float(frame[column].min()), float(frame[column].max())
        chosen = rng.choice(np.arange(int(low) + 1, int(high)), count, replace=False)
        frame[column] = chosen + (place + 1) / 8  # 1234.125: in no cut point, and in no other column
    names = [f"Q{91_000 + 37 * i}" for i in range(count)]
    options: dict[str, Any] = {"policy": POLICY, "max_changes": 1}
    symcf.report.write_each(tmp_path / "each", c, frame, names=names, **options)
    common = words_of_the_domain(c)
    for i in (1, 5, 10):
        file = tmp_path / "each" / f"{names[i]}.html"
        html = file.read_text(encoding="utf-8")
        driver = page(file)
        driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; fill(d); })")
        seen = driver.execute_script("return document.body.innerText + ' ' + document.title")
        assert names[i] in seen
        own = {str(value) for value in frame.iloc[i]}
        for other in range(count):
            if other == i:
                continue
            assert names[other] not in html
            for column in frame.columns:
                value = str(frame[column].iloc[other])
                if value in own or value in common or value == "nan":
                    continue
                if column in ("age", "months", "late_payments"):  # small whole numbers stand for much else, too
                    continue
                assert value not in html, (column, value)
                assert value not in seen, (column, value)
        assert driver.execute_script("return symcf.data.rows.count") == 1
        whole = driver.execute_script("return JSON.stringify([symcf.data.rows.cells, symcf.data.rows.names])")
        assert json.loads(whole)[1] == [names[i]]
        assert len(json.loads(whole)[0]) == 1


# --- protected facts --------------------------------------------------------------------------------------------------


def decided_alone(c: symcf.Compiled, count: int) -> dict[str, bool]:
    """By declined application: would other values of age and sex, alone or together, have been enough?"""
    frame = CREDIT.data[:count]
    now = np.array([str(label) for label in c.predict(frame)])
    helps = np.zeros(count, dtype=bool)
    for age in range(18, 100):
        for sex in ("female", "male"):
            helps |= np.array([str(label) for label in c.predict(frame.assign(age=age, sex=sex))]) == "approved"
    return {name: bool(h) for name, d, h in zip(CREDIT.names, now, helps, strict=False) if d == "declined"}


@needs_browser
def test_every_row_that_protected_facts_decide_has_its_warning(page: Any, tmp_path: Path) -> None:
    """On the page of all rows and on that of A055, in words; and on no other row."""
    count, c = 60, compiled("scorecard")
    truth = decided_alone(c, count)
    assert truth["A055"]
    assert not all(truth.values())
    shown("scorecard", count).save(tmp_path / "r.html")
    driver = page(tmp_path / "r.html")
    warned = driver.execute_script("""
      list.showAll();
      return Object.fromEntries([...document.querySelectorAll('article')].map((card) =>
        [card.querySelector('h3').innerText.trim(), card.querySelector('.note')?.innerText ?? null]));
    """)
    assert {name for name, note in warned.items() if note is not None} == {n for n, helps in truth.items() if helps}
    assert warned["A055"] == (
        "Changing sex alone is enough: with sex from female to male and all other facts as they are, "
        "it would have been approved."
    )
    symcf.report.write_each(tmp_path / "each", c, CREDIT.data[54:55], names=["A055"], policy=POLICY)
    driver = page(tmp_path / "each" / "A055.html")
    assert driver.find_element(By.CSS_SELECTOR, "article .note").text == warned["A055"]


# --- what if ----------------------------------------------------------------------------------------------------------


@needs_browser
@pytest.mark.parametrize("kind", ["scorecard", "logistic"])
def test_what_if_keeps_to_the_policy(page: Any, tmp_path: Path, kind: str) -> None:
    """What the panel suggests for a declined row changes only what the policy lets change, only upwards where it says
    so, within the ranges of the columns, and the model approves it.
    """
    c = compiled(kind)
    shown(kind, 40).save(tmp_path / "r.html")
    driver = page(tmp_path / "r.html")
    fixed = {j for j, name in enumerate(c.features) if POLICY.feature(name).protected}
    fixed |= {j for j, name in enumerate(c.features) if POLICY.feature(name).change == "never"}
    upwards = {j for j, name in enumerate(c.features) if POLICY.feature(name).change == "increase"}
    labels = driver.execute_script("return [...document.querySelectorAll('#fact-list > *')].map((f) => f.innerText)")
    assert "monthly income (EUR)" in labels[4]
    assert "may only go up" in labels[4]
    tried = 0
    before = r"(?:^|all \d together: |both |, | and |\n)"
    for i, label in enumerate(c.predict(CREDIT.data[:40])):
        if label == "approved":
            continue
        found = driver.execute_script(
            """
            whatif.load(symcf.rows[arguments[0]]);
            return [...document.querySelectorAll('#ways > li')].map((item) => item.innerText);
            """,
            i,
        )
        names = driver.execute_script("return symcf.data.features")
        row = CREDIT.row(CREDIT.names[i])
        for way in found:
            for j, name in enumerate(names):
                said = re.search(rf"{before}{re.escape(name)} from (\S+) to (\S+)", way)
                if said is None:
                    continue
                tried += 1
                assert j not in fixed, way
                if j in upwards and row[c.features[j]] is not None:
                    assert float(said[2].rstrip(",")) > float(row[c.features[j]]), way
                line = c.values[j]
                if hasattr(line, "low"):
                    assert line.low <= float(said[2].rstrip(",")) <= line.high, way
    assert tried > 20
