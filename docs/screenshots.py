"""Photographs the report: ``python docs/screenshots.py`` rewrites docs/images/report-*.png.

The report is that of the packaged credit data. Needs chromium and its driver (on Debian: apt install chromium
chromium-driver) and the extra ``report``.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path
from typing import Any

import symcf

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

import browser  # noqa: E402

#: Applications in the report.
COUNT = 250
#: A page of A4, in pixels.
PAPER = (794, 1123)


def write_report(path: Path) -> None:
    """The report of the pictures."""
    credit = symcf.datasets.credit()
    symcf.report.write(
        path,
        symcf.compile(credit.model("scorecard")),
        credit.data[:COUNT],
        names=credit.names[:COUNT],
        title="Loan applications, autumn",
        target="approved",
        immutable=credit.immutable,
        groups="sex",
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
    """Opens "What if?" for the first declined application, and types another loan."""
    driver.find_element("xpath", "//article[.//*[text()='declined']]//button").click()
    loan = symcf.datasets.credit().features.index("loan")
    driver.execute_script(
        "const input = document.getElementById(`fact-${arguments[0]}`); input.value = 4500;"
        "input.dispatchEvent(new Event('input')); document.querySelector('#counts summary').click();"
        "document.getElementById('whatif').scrollIntoView()",
        loan,
    )


#: By name, what to do before a picture is taken.
VIEWS = {
    "": "window.scrollTo(0, 0)",
    "groups": "document.getElementById('heat').open = true; document.getElementById('groups').scrollIntoView()",
    "rows": "document.getElementById('heat').open = false; document.getElementById('rows').scrollIntoView()",
}


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
                for view, script in VIEWS.items():
                    driver.execute_script(script)
                    photograph(driver, f"report-{view}{'-' * bool(view)}{name}.png")
                try_a_loan(driver)
                photograph(driver, f"report-whatif-{name}.png")
        with browser.opened(*PAPER) as driver:
            driver.get(file.as_uri())
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            driver.execute_script("document.getElementById('print-rows').checked = true")
            driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
            driver.execute_script("document.querySelectorAll('article')[1].scrollIntoView()")
            photograph(driver, "report-print.png")


if __name__ == "__main__":
    main()
