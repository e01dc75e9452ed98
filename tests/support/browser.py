"""A real browser for the tests and docs/screenshots.py: Debian's chromium, driven by selenium, or a reason why not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

try:
    from selenium.webdriver.common.by import By as By
    from selenium.webdriver.common.keys import Keys as Keys
    from selenium.webdriver.support.ui import WebDriverWait as WebDriverWait
except ImportError:  # `missing` says so
    By = Keys = WebDriverWait = None  # type: ignore[assignment,misc]

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PHONE = (375, 740)
DESKTOP = (1280, 900)


def missing() -> str | None:
    """Why there is no browser; None if there is one."""
    if By is None:
        return "selenium is not installed"
    if not any(map(shutil.which, CHROMIUMS)):
        return "no chromium (on Debian: apt install chromium chromium-driver)"
    if not shutil.which("chromedriver"):
        return "no chromedriver (on Debian: apt install chromium-driver)"
    return None


@contextmanager
def opened(width: int = DESKTOP[0], height: int = DESKTOP[1], *, dark: bool = False) -> Iterator[Any]:
    """A browser without a window that logs everything it has to complain about and reaches no network."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, CHROMIUMS)))
    arguments = [
        "headless=new",
        "disable-gpu",
        "disable-dev-shm-usage",
        "hide-scrollbars",
        "force-device-scale-factor=1",
    ]
    arguments += ["disable-background-networking", "no-first-run", "host-resolver-rules=MAP * ~NOTFOUND"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("no-sandbox")  # chromium refuses to sandbox for root
    for argument in arguments:
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        resize(driver, width, height)
        prefer(driver, dark=dark)
        yield driver
    finally:
        driver.quit()


def resize(driver: Any, width: int, height: int) -> None:
    """The size of the page, also below the least that a window can have."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def prefer(driver: Any, *, dark: bool) -> None:
    """The reader's settings: light or dark, and nothing that moves, so that a click hits what it aims at."""
    features = [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
