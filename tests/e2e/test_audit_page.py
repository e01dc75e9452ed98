"""The page of an audit in a browser: what it says, at the width of a desk and of a phone, and for screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import pytest

import symcf

pytestmark = pytest.mark.skipif(browser.missing() is not None, reason=str(browser.missing()))


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, symcf.Audit]:
    credit = symcf.datasets.credit()
    a = symcf.audit(
        symcf.compile(credit.model("scorecard")),
        credit.data,
        target="approved",
        immutable=["age", "sex", "job", "housing", "income", "months", "purpose"],
        allowed={"late_payments": "decrease", "savings": "increase"},
        max_changes=2,
        protected=["sex"],
        groups="sex",
        monotone={"late_payments": "decreasing"},
        previous=symcf.compile(credit.model("tree")),
        proxies=True,
        confidence=0.95,
    )
    path = tmp_path_factory.mktemp("audit") / "audit.html"
    rules = a.rules(max_bias=0, max_locked_out="5%", min_held="90%", max_proxy="60%")
    symcf.report.write_audit(path, a, title="Credit <b>2026</b>", rules=rules)
    return path, a


def cells(page: Any, section: str, which: int = 0) -> list[list[str]]:
    """The cells of a table of a section."""
    table = page.find_elements(browser.By.CSS_SELECTOR, f"#{section} table")[which]
    rows = table.find_elements(browser.By.CSS_SELECTOR, "tbody tr")
    return [[one.text for one in row.find_elements(browser.By.CSS_SELECTOR, "th, td")] for row in rows]


def test_what_the_page_says(page: Any, audited: tuple[Path, symcf.Audit]) -> None:
    path, a = audited
    opened = page(path)
    assert opened.title == "Credit <b>2026</b>"
    assert "Failed: 2 of 5 rules" in opened.find_element(browser.By.ID, "verdict").text
    verdicts = cells(opened, "verdict")
    assert [row[0] for row in verdicts] == ["passed", "failed", "failed", "passed", "passed"]
    assert "decided differently by protected features" in verdicts[1][2]
    assert [row[:4] for row in cells(opened, "groups")] == [
        [str(group.label), str(group.rows), str(group.at_target), str(group.locked_out)]
        for group in (*a.groups.values(), a.total)
    ]
    assert cells(opened, "groups", 1) == a.interval_rows()
    drift = cells(opened, "drift")
    assert [int(row[2]) for row in drift] == [line[2] for line in a.drift_lines()]
    proxies = cells(opened, "fairness")
    assert [row[1] for row in proxies] == [one.feature for one in a.proxies or ()]
    assert [int(row[6]) for row in proxies] == [one.restored for one in a.proxies or ()]


@pytest.mark.parametrize("width", [320, browser.PHONE[0], 900])
def test_nothing_is_wider_than_the_screen(page: Any, audited: tuple[Path, symcf.Audit], width: int) -> None:
    opened = page(audited[0], (width, 740))
    shown = opened.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert shown == [width, width]
    # wide tables scroll in a region of their own, which the keyboard reaches; no word is cut
    for region in opened.find_elements(browser.By.CSS_SELECTOR, ".scroll"):
        assert region.get_attribute("tabindex") == "0"
        assert region.get_attribute("aria-label")
    broken = opened.execute_script(
        "return [...document.querySelectorAll('.scroll :is(th, td)')]"
        ".filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    )
    assert broken == []


@pytest.fixture
def unguarded(chromium: Any) -> Iterator[Any]:
    """The page's policy forbids scripts, also those of the test."""
    chromium.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    yield chromium
    chromium.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    browser.prefer(chromium, dark=False)


@pytest.mark.parametrize("dark", [False, True])
def test_no_violations_of_accessibility(
    page: Any, unguarded: Any, audited: tuple[Path, symcf.Audit], dark: bool
) -> None:
    axe = pytest.importorskip("axe_core_python", reason="needs axe-core-python")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    for size in (browser.DESKTOP, browser.PHONE):
        browser.prefer(unguarded, dark=dark)
        opened = page(audited[0], size)
        opened.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
        opened.execute_script(script)
        found = opened.execute_async_script("axe.run().then(arguments[0])")
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []
        assert len(found["passes"]) > 20


def test_without_a_script_a_network_or_groups(page: Any, tmp_path: Path) -> None:
    from symcf.demo import admission

    a = symcf.audit(symcf.compile(admission()), [[1, 0, 1, 0], [0, 0, 0, 0]], target="admitted")
    symcf.report.write_audit(tmp_path / "a.html", a)
    opened = page(tmp_path / "a.html")
    assert opened.find_elements(browser.By.CSS_SELECTOR, "script, img, link[href^=http]") == []
    assert not opened.find_elements(browser.By.ID, "verdict")
    assert not opened.find_elements(browser.By.ID, "drift")
    assert len(cells(opened, "groups")) == 1
