"""Pages keep to the rules of axe: reports in all views, letters, files of one person, the checker, and the docs."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe
import browser
import pytest

import symcf
from symcf.cli.app import run
from symcf.letters.page import LANGUAGES

CREDIT = symcf.datasets.credit()
POLICY = CREDIT.policy()
DOCS = Path(__file__).parents[2] / "build" / "docs"

pytestmark = pytest.mark.skipif(axe.missing() is not None, reason=str(axe.missing()))


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser.opened() as opened:
        opened.set_script_timeout(120)
        yield opened


#: What people do on a page before they read on.
OPEN_ALL = "document.querySelectorAll('details').forEach((d) => { d.open = true; if (window.fill) fill(d); });"
VIEWS = {
    "first": "",
    "filtered": "at('by-size').value = '1'; list.filter();",
    "nothing fits": "at('by-text').value = 'no such row'; list.filter();",
    "opened": OPEN_ALL,
    "what if": "whatif.load(symcf.rows.find((row) => row.ways.length));",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "kind", ["scorecard", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("logistic", "tree", "asked"))]
)
def test_reports(driver: Any, tmp_path: Path, kind: str, scheme: str) -> None:
    """All views, on a screen and on a phone."""
    if kind == "asked":
        c = symcf.compile(symcf.from_predict(lambda rows: rows["guarantor"].to_numpy(dtype=str), CREDIT.data[:60]))
        options: dict[str, Any] = {"max_changes": 1}
    else:
        c, options = symcf.compile(CREDIT.model(kind)), {"policy": POLICY}
    symcf.report.write(tmp_path / "r.html", c, CREDIT.data[:60], names=CREDIT.names[:60], **options)
    browser.prefer(driver, dark=scheme == "dark")
    found = {}
    for size in (browser.DESKTOP, browser.PHONE):
        browser.resize(driver, *size)
        driver.get((tmp_path / "r.html").as_uri())
        for view, script in VIEWS.items():
            if kind == "asked" and view == "what if":
                continue  # a black box has no panel
            driver.execute_script(script)
            found[view, size] = axe.violations(driver)
    browser.prefer(driver, dark=False)
    browser.resize(driver, *browser.DESKTOP)
    assert not any(found.values()), found


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters(driver: Any, tmp_path: Path, language: str) -> None:
    c, rows = symcf.compile(CREDIT.model("scorecard")), CREDIT.data.loc[["A006", "A103"]]  # with ways, and without
    found = {}
    for template in ("general", "eu", *(["us"] if language == "en" else [])):
        policy = dataclasses.replace(POLICY, template=template)
        given: dict[str, Any] = {"language": language, "data": CREDIT.data, "names": list(rows.index)}
        for record, letter in symcf.letters.letters(c, rows, policy, **given):
            assert letter is not None
            letter.save(tmp_path / "letter.html")
            driver.get((tmp_path / "letter.html").as_uri())
            found[template, record.name] = axe.violations(driver)
    assert len(found) in (4, 6)
    assert not any(found.values()), found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_files_of_one_person_and_their_index(driver: Any, tmp_path: Path, scheme: str) -> None:
    c = symcf.compile(CREDIT.model("scorecard"))
    files = symcf.report.write_each(
        tmp_path / "each", c, CREDIT.data[53:56], names=CREDIT.names[53:56], policy=POLICY, index=tmp_path / "i.html"
    )
    browser.prefer(driver, dark=scheme == "dark")
    found = {}
    for file in [*map(Path, files), tmp_path / "i.html"]:
        driver.get(file.as_uri())
        found[file.name] = axe.violations(driver)
        driver.execute_script(OPEN_ALL)
        found[f"{file.name}, opened"] = axe.violations(driver)
    browser.prefer(driver, dark=False)
    assert not any(found.values()), found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_that_checks_certificates(driver: Any, tmp_path: Path, scheme: str) -> None:
    assert run(["check", "--page", str(tmp_path / "check.html")]) == 0
    e = symcf.compile(CREDIT.model("scorecard")).explain(CREDIT.row("A055"), immutable=CREDIT.immutable)
    text = e.certificate().to_json()
    browser.prefer(driver, dark=scheme == "dark")
    found = {}
    for kind, given in {"": None, "true": text, "forged": text.replace('"declined"', '"approved"', 1)}.items():
        driver.get((tmp_path / "check.html").as_uri())
        if given is not None:
            driver.execute_script("show(arguments[0])", given)
        found[kind] = axe.violations(driver)
    browser.prefer(driver, dark=False)
    assert not any(found.values()), found


def test_a_page_that_breaks_rules_is_found(driver: Any, tmp_path: Path) -> None:
    """The rules are run: without a language, a title, alternative text and contrast, a page fails."""
    (tmp_path / "bad.html").write_text(
        "<!DOCTYPE html><body><img src=x><p style='color:#ccc;background:#fff'>pale</p><input></body>"
    )
    driver.get((tmp_path / "bad.html").as_uri())
    broken = {line.split(":")[0] for line in axe.violations(driver)}
    assert {"color-contrast", "document-title", "html-has-lang", "image-alt", "label"} <= broken


def test_what_sphinx_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last step of a build; a page that has it stays as it is."""
    monkeypatch.syspath_prepend(str(DOCS.parents[1] / "docs" / "_ext"))
    accessible = importlib.import_module("accessible").accessible
    page = (
        '<article role="main" id="a">\n<aside class="toc-drawer no"></aside><pre>x</pre><dl>\n'
        '<dd><em class="sig-param">n</em>,</dd>\n<dd><em class="sig-param">k</em>,</dd>\n</dl><dl><dt>t</dt></dl>'
    )
    done = accessible(page)
    assert "<h1>Search</h1>" in done
    assert '<pre tabindex="0">x</pre>' in done
    assert '<li><em class="sig-param">n</em>,</li>\n<li><em class="sig-param">k</em>,</li>\n</ul><dl><dt>t' in done
    assert accessible(done) == done


@pytest.mark.long
@pytest.mark.skipif(not DOCS.is_dir(), reason="build/docs is missing: run make docs")
def test_the_docs(driver: Any) -> None:
    """Every page that was built, notebooks, API and commands included."""
    pages = sorted(DOCS.rglob("*.html"))
    assert len(pages) > 30
    found = {}
    for page in pages:
        driver.get(page.as_uri())
        if broken := axe.violations(driver):
            found[str(page.relative_to(DOCS))] = broken
    assert not found, found
