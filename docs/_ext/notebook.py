"""The directive `notebook`: a notebook with its stored outputs and pictures. Nothing is run here; the tests do that."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def text_of(source: str | list[str]) -> str:
    """Notebooks store text as a string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)


def shown(output: dict[str, Any]) -> str:
    """The text of an output."""
    return text_of(output.get("text") or output.get("data", {}).get("text/plain", ""))


def is_picture(output: dict[str, Any]) -> bool:
    """Does an output show a picture?"""
    return "image/png" in output.get("data", {})


class Notebook(SphinxDirective):
    """Cells one after the other; the headings of the notebook are those of the page."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Writes the notebook as Markdown and reads that."""
        _, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(path)
        parts = []
        for cell in json.loads(Path(path).read_text(encoding="utf-8"))["cells"]:
            source = text_of(cell["source"])
            if cell["cell_type"] == "markdown":
                parts.append(source)
                continue
            parts.append(f"```python\n{source}\n```")
            printed = "".join(shown(output) for output in cell["outputs"] if not is_picture(output)).rstrip("\n")
            parts += [f"```text\n{printed}\n```"] if printed else []
            parts += [self.picture(output, len(parts)) for output in cell["outputs"] if is_picture(output)]
        return self.parse_text_to_nodes("\n\n".join(parts), allow_section_headings=True)

    def picture(self, output: dict[str, Any], number: int) -> str:
        """Writes a picture beside the built pages, and the Markdown that shows it."""
        name = f"{Path(self.arguments[0]).stem}-{number}.png"
        folder = Path(self.env.app.outdir) / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(base64.b64decode(text_of(output["data"]["image/png"])))
        up = "../" * self.env.docname.count("/")
        return f'```{{raw}} html\n<img src="{up}_images/{name}" alt="The picture that the code above draws">\n```'


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive."""
    app.add_directive("notebook", Notebook)
    return {"parallel_read_safe": True}
