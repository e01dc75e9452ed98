"""Photographs the report: ``python docs/screenshots.py`` rewrites docs/images/report-*.png.

The applicants are made up, and so is the bank: a naive Bayes model over six facts. Needs chromium and its driver (on
Debian: apt install chromium chromium-driver) and the extra ``report``.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import symcf
import symcf.report

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

import browser  # noqa: E402

SEED = 7


def bank() -> symcf.NaiveBayes:
    """Who gets a loan: declined (0) or approved (1)."""
    facts: list[tuple[str, list[str], list[float], list[float]]] = [
        ("Income", ["low", "middle", "high"], [0.5, 0.38, 0.12], [0.17, 0.45, 0.38]),
        ("Job", ["none", "under 2 years", "2 years or more"], [0.28, 0.42, 0.3], [0.06, 0.28, 0.66]),
        ("Missed payments", ["none", "one", "several"], [0.38, 0.3, 0.32], [0.79, 0.16, 0.05]),
        ("Savings", ["none", "some", "plenty"], [0.52, 0.36, 0.12], [0.2, 0.43, 0.37]),
        ("Other loans", ["no", "yes"], [0.45, 0.55], [0.72, 0.28]),
        ("Age", ["under 25", "25 to 40", "over 40"], [0.36, 0.4, 0.24], [0.17, 0.43, 0.4]),
    ]
    return symcf.NaiveBayes(
        [0.45, 0.55],
        [[declined, approved] for _, _, declined, approved in facts],
        features=[name for name, *_ in facts],
        values=[values for _, values, *_ in facts],
        classes=["declined", "approved"],
    )


def applicants(model: symcf.NaiveBayes, count: int) -> np.ndarray[Any, Any]:
    """Rows as the model expects them to come."""
    random = np.random.default_rng(SEED)
    label = (random.random(count) < model.class_prior[1]).astype(int)
    columns = [[random.choice(len(t[0]), p=t[k]) for k in label] for t in model.tables]
    return np.array(columns).T


def write_report(path: Path) -> None:
    """The report of the pictures."""
    model = bank()
    names = [f"Application {1000 + i}" for i in range(250)]
    symcf.report.write(
        path,
        symcf.compile(model),
        applicants(model, 250),
        names=names,
        title="Loan applications, autumn",
        immutable=["Age"],
    )


def photograph(driver: Any, name: str, whole: bool = False) -> None:
    """The page as it stands on the screen, or all of it."""
    options = {"format": "png", "captureBeyondViewport": whole}
    if whole:
        size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        options["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
    picture = driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
    (HERE / "images" / name).write_bytes(base64.b64decode(picture))


def try_a_loan(driver: Any) -> None:
    """Opens "What if?" for the first declined application, and pays back the other loans."""
    button = "//article[.//*[text()='declined']]//button"
    driver.find_element("xpath", button).click()
    driver.find_element("css selector", "#counts summary").click()
    driver.execute_script("document.querySelector('input[name=fact-4]').click()")
    driver.execute_script("document.getElementById('whatif').scrollIntoView()")


def main() -> None:
    """All pictures."""
    reason = browser.missing()
    if reason is not None:
        sys.exit(f"screenshots need a browser: {reason}")
    (HERE / "images").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        write_report(file)
        for name, size, dark in [
            ("desktop", browser.DESKTOP, False),
            ("phone", browser.PHONE, False),
            ("dark", browser.DESKTOP, True),
        ]:
            with browser.opened(*size, dark=dark) as driver:
                driver.get(file.as_uri())
                photograph(driver, f"report-{name}.png")
                driver.execute_script("document.getElementById('rows').scrollIntoView()")
                photograph(driver, f"report-rows-{name}.png")
                try_a_loan(driver)
                photograph(driver, f"report-whatif-{name}.png")


if __name__ == "__main__":
    main()
