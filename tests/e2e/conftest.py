"""A browser for the tests of the report: one for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import pytest


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    with browser.opened() as driver:
        yield driver


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """Opens a report; afterwards the console must be empty."""

    def open_page(path: Path, size: tuple[int, int] = browser.DESKTOP) -> Any:
        browser.resize(chromium, *size)
        chromium.get(path.as_uri())
        return chromium

    chromium.get_log("browser")
    yield open_page
    assert chromium.get_log("browser") == []
    assert chromium.execute_script("return window.hacked") is None
