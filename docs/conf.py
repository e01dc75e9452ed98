"""How the site is built: `make docs`, or `sphinx-build -W docs build/docs`."""

import re
import sys
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "_ext")]

from parts import PARTS  # noqa: E402

project = "symcf"
author = "the symcf authors"
copyright = author
version = release = installed("symcf")

extensions = [
    "accessible",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "commands",
    "measured",
    "modules",
    "notebook",
    "parts",
    "reference",
    "sphinx_copybutton",
]
myst_enable_extensions = ["smartquotes"]
myst_heading_anchors = 4
# decisions.md is for those who read the code, beside ARCHITECTURE.md
exclude_patterns = ["_ext", "decisions.md", *(f"{part}.md" for part in PARTS)]
# output is not copied, prompts are left out
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "symcf"
html_copy_source = False
html_show_sphinx = False
html_search_scorer = str(HERE / "_ext" / "scorer.js")
html_static_path: list[str] = []

# docstrings refer to each other by plain `names`
default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_rtype = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100


def end_parameters(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Our docstrings go on after the list of parameters; napoleon ends the list only at two blank lines."""
    text = "\n".join(lines)
    head, rule, rest = text.partition("\n----------\n")
    lines[:] = (head + rule + re.sub(r"\n\n(?=\S)", "\n\n\n", rest) if rule else text).split("\n")


#: Pages about extras, which a build may lack.
OPTIONAL = ("cli",)


def leave_out(app: Sphinx, page: str, text: list[str]) -> None:
    """Takes optional pages that are not there out of the list of pages."""
    if page == "index":
        absent = [name for name in OPTIONAL if not (HERE / f"{name}.md").exists()]
        text[0] = "".join(line for line in text[0].splitlines(keepends=True) if line.strip() not in absent)


def setup(app: Sphinx) -> None:
    """Connects the two."""
    app.connect("source-read", leave_out)
    # before napoleon
    app.connect("autodoc-process-docstring", end_parameters, priority=100)
