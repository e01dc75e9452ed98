"""What the search of the documentation's site shows first, in a real browser."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from browser import By, WebDriverWait, opened

#: Questions of newcomers, the words they would type, and a page that answers.
QUESTIONS = (
    ("Is my model supported?", "supported models", "what_is_read"),
    ("My model is not supported. What now?", "black box", "howto/any_classifier"),
    ("How do I keep age and sex as they are?", "immutable", "howto/costs"),
    ("How do I state that two columns belong together?", "constraints between columns", "howto/constraints"),
    ("Which facts decided?", "facts that decided", "howto/why"),
    ("How do I explain a whole table?", "explain_batch", "howto/batches"),
    ("Which people cannot reach the decision at all?", "locked out", "howto/audit"),
    ("How do I write a letter to a customer?", "letters", "howto/letters"),
    ("How can others check the answer?", "certificate", "howto/certificates"),
    ("It takes too long. How do I limit it?", "time_limit", "howto/engines"),
)


def finished(browser: Any) -> bool:
    """Has the page found all that it will find?"""
    said = browser.find_elements(By.CSS_SELECTOR, "#search-results .search-summary")
    return bool(said) and "Search finished" in said[0].text


def first_pages(site: Path, queries: Iterable[str], count: int = 3) -> list[list[str]]:
    """By query, the pages of the first results."""
    found = []
    with opened() as browser:
        for query in queries:
            browser.get(f"file://{site}/search.html?q={quote(query)}")
            WebDriverWait(browser, 30).until(finished)
            links = browser.find_elements(By.CSS_SELECTOR, "#search-results li > a")
            pages = [link.get_attribute("href").split(f"{site}/")[1].split(".html")[0] for link in links]
            found.append(list(dict.fromkeys(pages))[:count])
    return found
