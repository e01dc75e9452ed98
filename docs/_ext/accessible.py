"""What the theme and Sphinx leave out of their pages for people who use a keyboard or a screen reader.

Written into the finished pages; a page that has it already stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: A signature of many lines: Sphinx writes a list of definitions without terms.
SIGNATURE = re.compile(r"<dl>\n(<dd><em class=\"sig-param\">.*?</dd>\n)</dl>", re.DOTALL)

#: What is written, and what instead: all that scrolls takes the focus, and landmarks have names of their own.
INSTEAD = {
    "<pre>": '<pre tabindex="0">',
    "<pre id=": '<pre tabindex="0" id=',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<aside class="sidebar-drawer"': '<aside aria-label="Pages" class="sidebar-drawer"',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
}
#: The page of the search has no heading.
HEADLESS = re.compile(r'(<article role="main"[^>]*>)(?!\s*<h1)')


def accessible(html: str) -> str:
    """A page with what was left out.

    >>> accessible('<pre>x</pre>') == accessible(accessible('<pre>x</pre>'))
    True
    """
    for old, new in INSTEAD.items():
        html = html.replace(old, new)
    html = SIGNATURE.sub(_lines, html)
    return html if "<h1" in html else HEADLESS.sub(r"\1\n<h1>Search</h1>", html)


def _lines(found: re.Match[str]) -> str:
    items = found[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f'<ul style="list-style: none; margin: 0; padding-left: 1.5rem">\n{items}</ul>'


def _finish(app: Sphinx, failed: Exception | None) -> None:
    if failed is not None or app.builder.name != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        before = page.read_text(encoding="utf-8")
        after = accessible(before)
        if after != before:
            page.write_text(after, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the last step of a build."""
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True}
