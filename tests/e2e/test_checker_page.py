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
from symcf.proof.checker.form import number_of

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


#: What a person does: drags a file over the page and lets it go.
DROP = """
const [bytes, name] = arguments;
const transfer = new DataTransfer();
transfer.items.add(new File([new Uint8Array(bytes)], name));
for (const kind of ["dragover", "drop"]) {
  const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer });
  const gone = !document.getElementById("drop").dispatchEvent(event);
  if (!gone) throw new Error(`${kind}: the browser would open the file`);
}
"""


def forgeries(text):
    """Certificates that say something else than what was proved, with numbers that fit, as a forger makes them."""
    found = {}
    for what, change in {
        "a set is left out": lambda d: (d["answer"]["sets"].pop(0), d["answer"]["values"].pop(0)),
        "a set has more than it takes": lambda d: (
            d["answer"]["sets"][0].append(3),
            d["answer"]["values"][0].append("own"),
        ),
        "a constraint is gone": lambda d: d["question"]["constraints"].pop(),
        "another row": lambda d: d["row"].__setitem__(4, 9000),
        "another decision": lambda d: d.__setitem__("decision", "approved"),
    }.items():
        document = json.loads(text)
        change(document)
        found[what] = {**document, "number": number_of(document)}
    return found | {"another number": {**json.loads(text), "number": "ABCD-EFGH-IJKL-MNOP"}}


@needs_browser
def test_true_forged_and_damaged_files_are_dropped(tmp_path):
    """What the page says of each is what `symcf check` says; after a damaged file, a true one is true again."""
    credit = symcf.datasets.credit()
    assert cli_run(["check", "--page", str(tmp_path / "checker.html")]) == 0
    e = symcf.compile(credit.model("scorecard")).explain(credit.row("A055"), immutable=credit.immutable, max_changes=2)
    text = e.certificate().to_json()
    files = {"true": text.encode()}
    files |= {f"forged, {what}": json.dumps(document).encode() for what, document in forgeries(text).items()}
    files |= {
        "damaged, cut off": text[: len(text) // 2].encode(),
        "damaged, a bit is flipped": bytes(byte ^ (i == len(text) // 2) for i, byte in enumerate(text.encode())),
        "damaged, not text": bytes(range(256)) * 40,
        "damaged, empty": b"",
        "true again": text.encode(),
    }
    with browser.opened() as driver:
        driver.get((tmp_path / "checker.html").as_uri())
        for what, content in files.items():
            driver.execute_script("at('verdict').replaceChildren()")
            driver.execute_script(DROP, list(content), f"{what}.json")
            WebDriverWait(driver, 20).until(lambda d: d.find_element(By.ID, "verdict").text)
            found = driver.find_element(By.ID, "verdict")
            (tmp_path / "c.json").write_bytes(content)
            accepted = cli_run(["check", str(tmp_path / "c.json")]) == 0
            assert accepted == what.startswith("true"), what
            assert found.get_attribute("class") == ("true" if accepted else "rejected"), what
            if accepted:
                assert found.text.startswith("True.")
                assert "The decision is 'declined'" in found.text
                assert "age does not change" in found.text
                assert e.certificate().number in found.text
            else:
                assert found.text.startswith("Rejected. Do not rely on it."), what
                assert re.search(r'It failed the test "\w[\w ]*": .+\.', found.text), (what, found.text)
                assert e.certificate().fingerprint not in found.text
        assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []


@needs_browser
def test_all_vectors(page):
    with browser.opened() as driver:
        driver.get(page.as_uri())
        check = "return checkCertificate(arguments[0]).failed"
        found = {name: driver.execute_script(check, vector["text"]) for name, vector in VECTORS.items()}
    assert found == {name: vector["failed"] for name, vector in VECTORS.items()}
