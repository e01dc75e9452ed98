"""The page that checks certificates, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import browser
import pytest
from browser import By, WebDriverWait

import symcf
from symcf.cli.app import run as cli_run

REASON = browser.missing()
needs_browser = pytest.mark.skipif(REASON is not None, reason=f"no browser: {REASON}")

VECTORS = {
    path.stem: json.loads(path.read_text()) for path in (Path(__file__).parent.parent / "vectors").glob("*.json")
}

HOSTILE = "<img src=x onerror='window.hacked = 1'>"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "checker.html"
    assert cli_run(["check", "--page", str(path)]) == 0
    return path


def test_the_page_loads_nothing(page):
    text = page.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"(?:src|href)\s*=\s*[\"']?\s*(?:https?:)?//", text)
    assert "/*CHECKER*/" not in text


@needs_browser
def test_a_person_drops_a_certificate(page, tmp_path):
    model = symcf.NaiveBayes.binary(0.3, [0.4, 0.9], [0.1, 0.2], features=[HOSTILE, "b"], classes=["no", "yes"])
    certificate = symcf.compile(model).explain([0, 0], immutable=["b"]).certificate()
    certificate.save(tmp_path / "good.json")
    (tmp_path / "bad.json").write_text(certificate.to_json().replace('"no"', '"yes"', 1))
    with browser.opened() as driver:
        driver.get(page.as_uri())

        def verdict_of(path):
            driver.find_element(By.ID, "file").send_keys(str(path))
            WebDriverWait(driver, 20).until(lambda d: d.find_element(By.ID, "verdict").text)
            found = driver.find_element(By.ID, "verdict")
            return found.get_attribute("class"), found.text

        kind, text = verdict_of(tmp_path / "good.json")
        assert kind == "true"
        assert "b does not change" in text
        assert certificate.number in text
        assert certificate.fingerprint in text
        assert driver.execute_script("return window.hacked") is None
        driver.get(page.as_uri())
        kind, text = verdict_of(tmp_path / "bad.json")
        assert kind == "rejected"
        assert "Do not rely on it" in text
        assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []


@needs_browser
def test_all_vectors(page):
    with browser.opened() as driver:
        driver.get(page.as_uri())
        check = "return checkCertificate(arguments[0]).failed"
        found = {name: driver.execute_script(check, vector["text"]) for name, vector in VECTORS.items()}
    assert found == {name: vector["failed"] for name, vector in VECTORS.items()}
