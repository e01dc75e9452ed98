"""The directive `commands`: what `symcf COMMAND --help` prints, for each command."""

from __future__ import annotations

import contextlib
import io
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from symcf.cli.app import COMMANDS, run


def help_of(command: str) -> str:
    """The help of a command."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out):
        code = run([*command.split(), "--help"])
    assert code == 0, command
    out.seek(0)
    return out.read()


class AllCommands(SphinxDirective):
    """A section for each command."""

    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """Writes the sections as Markdown and reads that."""
        text = "".join(f"### symcf {name}\n\n```text\n{help_of(name)}```\n\n" for name in COMMANDS)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive."""
    app.add_directive("commands", AllCommands)
    return {"parallel_read_safe": True}
