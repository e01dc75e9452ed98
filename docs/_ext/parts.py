"""Pages that the site shows as a part of another page, at its end. As files they stay apart, so links to them work.

The headings of a part go down by one level. Links to a part lead to its heading on the page that has it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: By part, the page that has it.
PARTS = {
    "capabilities": "what_is_read",
    "certificate-format": "howto/certificates",
    "glossary": "theory",
    "howto/bounded": "howto/any_classifier",
    "howto/networks": "howto/models",
    "howto/plausible": "howto/constraints",
    "howto/service": "cli",
    "scaling": "howto/batches",
}

FENCE = re.compile(r"(?ms)^(`{3,}).*?^\1\s*$")
LINK = re.compile(r"(\[[^]\n]*\]\()([\w./-]+?)(\.(?:md|svg|png))(#[\w-]+)?\)")
DOC = re.compile(r"\{doc\}`([\w./-]+)`")


def title_of(docs: Path, page: str) -> str:
    """The first heading."""
    return re.findall(r"(?m)^# (.+)$", (docs / f"{page}.md").read_text(encoding="utf-8"))[0]


def slug(title: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Changes the text between blocks of code."""
    done, at = [], 0
    for block in FENCE.finditer(text):
        done += [change(text[at : block.start()]), block[0]]
        at = block.end()
    return "".join([*done, change(text[at:])])


def linked(docs: Path, text: str, of: str, on: str) -> str:
    """Text of the page `of`, shown on the page `on`: links to files are relative to that, and none leads to a part."""

    def target(given: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(of), given))

    def relative(page: str) -> str:
        return posixpath.relpath(page, posixpath.dirname(on) or ".")

    def link(match: re.Match[str]) -> str:
        start, given, ending, anchor = match.groups()
        page = target(given)
        if ending == ".md" and page in PARTS:
            start = f"[{title_of(docs, page)}](" if start == "[](" else start
            anchor, page = anchor or f"#{slug(title_of(docs, page))}", PARTS[page]
        return f"{start}{relative(page)}{ending}{anchor or ''})"

    def doc(match: re.Match[str]) -> str:
        page = match[1][1:] if match[1].startswith("/") else target(match[1])
        if page in PARTS:
            title = title_of(docs, page)
            return f"[{title}]({relative(PARTS[page])}.md#{slug(title)})"
        return f"{{doc}}`/{page}`"

    return DOC.sub(doc, LINK.sub(link, text))


def whole(docs: Path, page: str, text: str) -> str:
    """A page with its parts."""
    found = [outside_code(text, lambda words: linked(docs, words, page, page))]
    for part, host in PARTS.items():
        if host == page and (docs / f"{part}.md").exists():
            words = (docs / f"{part}.md").read_text(encoding="utf-8")
            words = outside_code(words, lambda some, part=part: re.sub(r"(?m)^(#+ )", r"#\1", some))
            found.append(outside_code(words, lambda some, part=part: linked(docs, some, part, page)))
    return "\n\n".join(found)


def setup(app: Sphinx) -> dict[str, Any]:
    """Changes every page before it is read."""
    docs = Path(app.srcdir)

    def read(_: Sphinx, page: str, text: list[str]) -> None:
        if (docs / f"{page}.md").exists():
            text[0] = whole(docs, page, text[0])

    def depend(app: Sphinx, page: str, _: Any) -> None:
        for part, host in PARTS.items():
            if host == page:
                app.env.note_dependency(str(docs / f"{part}.md"), docname=page)

    app.connect("source-read", read, priority=400)
    app.connect("doctree-read", lambda app, tree: depend(app, app.env.docname, tree))
    return {"parallel_read_safe": True}
