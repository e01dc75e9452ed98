"""One page per class of api.md: each `autoclass` becomes a page in reference/, and a line with a link takes its place.

The pages are written into the source folder before Sphinx looks for documents, as its own `autosummary` does.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: The directive with its options.
CLASS = re.compile(r"^\.\. autoclass:: (\S+)\n((?:   :.*\n)*)", re.MULTILINE)
FOLDER = "reference"


def full_name(name: str) -> str:
    """The name with its module."""
    return name if name.startswith("symcf.") else f"symcf.{name}"


def summary(name: str) -> str:
    """The first paragraph of the docstring of a class, in one line."""
    module, _, last = full_name(name).rpartition(".")
    text = (getattr(import_module(module), last).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(text.split())


def page(name: str, options: str) -> str:
    """The page of a class."""
    title = name.rpartition(".")[2]
    module, _, last = full_name(name).rpartition(".")
    return f"{title}\n{'=' * len(title)}\n\n.. currentmodule:: {module}\n\n.. autoclass:: {last}\n{options}"


def write_pages(app: Sphinx) -> None:
    """Writes the pages, and leaves those alone that are as they should be."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    text = (Path(app.srcdir) / "api.md").read_text(encoding="utf-8")
    pages = {folder / f"{full_name(name)}.rst": page(name, options) for name, options in CLASS.findall(text)}
    for path in set(folder.glob("*.rst")) - set(pages):
        path.unlink()
    for path, content in pages.items():
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")


def link(app: Sphinx, document: str, text: list[str]) -> None:
    """Links to the pages, and lists them for the contents."""
    if document != "api":
        return
    names = [full_name(name) for name, _ in CLASS.findall(text[0])]
    body = CLASS.sub(
        lambda found: f"- :doc:`{found[1]} <{FOLDER}/{full_name(found[1])}>`: {summary(found[1])}\n", text[0]
    )
    # a list ends at an empty line
    body = re.sub(r"^(- .*\n)(?=\.\.)", r"\1\n", body, flags=re.MULTILINE)
    body = re.sub(r"^(\.\. .*\n(?:   .*\n)*)(?=- )", r"\1\n", body, flags=re.MULTILINE)
    contents = "\n".join(f"{FOLDER}/{name}" for name in names)
    text[0] = f"{body}\n```{{toctree}}\n:hidden:\n\n{contents}\n```\n"


def setup(app: Sphinx) -> dict[str, Any]:
    """Connects both."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", link)
    return {"parallel_read_safe": True}
