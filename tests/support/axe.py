"""The rules of axe (https://www.deque.com/axe) on the page that a browser shows."""

from __future__ import annotations

import importlib.resources
import importlib.util
from functools import cache
from typing import Any

import browser

RUN = """
const done = arguments[arguments.length - 1];
axe.run().then((result) => done(result.violations.flatMap((rule) =>
  rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.html.slice(0, 160)}`))),
  (error) => done([String(error)]));
"""


def missing() -> str | None:
    """Why pages cannot be tested here; None if they can."""
    if importlib.util.find_spec("axe_core_python") is None:
        return "axe-core-python is not installed"
    return browser.missing()


@cache
def _rules() -> str:
    return (importlib.resources.files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(driver: Any) -> list[str]:
    """What breaks a rule of axe on the page as it is now: the rule, where, and the element."""
    if not driver.execute_script("return typeof axe === 'object'"):
        driver.execute_script(f"{_rules()}\nwindow.axe = axe;")
    found: list[str] = driver.execute_async_script(RUN)
    return found
