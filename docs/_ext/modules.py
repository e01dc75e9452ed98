"""The directive `more-modules`: the reference of modules that come with extras, as far as they are there."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

#: Modules, their titles, and what they need.
MORE = {
    "symcf.plots": ("Pictures", "matplotlib"),
    "symcf.drawing": ("Drawing diagrams", None),
    "symcf.report": ("Reports", "jinja2"),
    "symcf.cluster": ("Dask", "dask"),
}


class MoreModules(SphinxDirective):
    """Sections for the modules above."""

    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """One section each."""
        text = ""
        for module, (title, needs) in MORE.items():
            if find_spec(module) and (needs is None or find_spec(needs)):
                text += f"## {title}\n\n```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n```\n\n"
        return self.parse_text_to_nodes(text, allow_section_headings=True) if text else []


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive."""
    app.add_directive("more-modules", MoreModules)
    return {"parallel_read_safe": True}
