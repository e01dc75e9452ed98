"""The directive `results`: a table of docs/results.py, made from bench/results when the page is built."""

from __future__ import annotations

from typing import Any, ClassVar

import results
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Results(SphinxDirective):
    """Puts a table, by its name, where it stands."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Reads the table as Markdown."""
        for path in sorted(results.RESULTS.glob("*.json")):
            self.env.note_dependency(str(path))
        return self.parse_text_to_nodes(results.TABLES[self.arguments[0]]())


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive."""
    app.add_directive("results", Results)
    return {"parallel_read_safe": True}
