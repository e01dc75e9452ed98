"""The code in the documentation runs, and prints what the pages say.

    python docs/blocks.py            runs all pages and notebooks, names what differs
    python docs/blocks.py --write    writes the outputs as they are now into the pages and notebooks

In a page, a block marked `python` is run, with the names of the blocks before it; a block marked `text` right after it
is what it prints. Blocks marked `sh` hold commands for a person; `commands` gives them, for tests to look at.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """Code and what it is said to print; `shown` is None where nothing is said."""

    code: str
    line: int
    shown: str | None
    #: Where the text begins and ends in the page, to be written anew.
    start: int
    end: int


#: Pages whose code needs more than this environment, and the tests that run it.
ELSEWHERE = {"scaling.md": "test_dask.py", "cli.md": "test_cli.py"}


def pages() -> list[Path]:
    """All pages of the site whose code is run here, and the README."""
    found = [HERE.parent / "README.md", *sorted(HERE.glob("*.md")), *sorted(HERE.glob("howto/*.md"))]
    return [page for page in found if page.name not in ELSEWHERE]


def notebooks() -> list[Path]:
    """All notebooks."""
    return sorted(HERE.glob("notebooks/*.ipynb"))


def blocks(text: str) -> Iterator[Block]:
    """The `python` blocks of a page, in order."""
    found = list(BLOCK.finditer(text))
    for this, after in itertools.zip_longest(found, found[1:]):
        if this[1] != "python":
            continue
        line = text.count("\n", 0, this.start(2)) + 1
        follows = after is not None and after[1] == "text" and not text[this.end() : after.start()].strip()
        if after is not None and follows:
            yield Block(this[2], line, after[2], after.start(2), after.end(2))
        else:
            yield Block(this[2], line, None, this.end(), this.end())


def commands(text: str) -> list[str]:
    """The lines of the `sh` blocks, without comments."""
    lines = [
        line.partition("  #")[0].strip()
        for kind, body in BLOCK.findall(text)
        if kind == "sh"
        for line in body.replace("\\\n", " ").split("\n")  # a command may go on in the next line
    ]
    return [line for line in lines if line and not line.startswith("#")]


def run(page: Path) -> list[tuple[Block, str]]:
    """Runs a page in the current directory: each block with what it printed."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    result = []
    for block in blocks(text):
        out = io.StringIO()
        # blank lines in front make line numbers in tracebacks those of the page
        program = compile("\n" * (block.line - 1) + block.code, str(page.name), "exec")
        with contextlib.redirect_stdout(out):
            exec(program, names)
        result.append((block, "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())))
    return result


def differences(page: Path) -> list[str]:
    """Where a page shows something else than its code prints."""
    problems = []
    for block, printed in run(page):
        if block.shown is None and printed:
            problems.append(f"{page.name}:{block.line}: prints, but no output is shown:\n{printed}")
        elif block.shown is not None and printed != block.shown:
            problems.append(f"{page.name}:{block.line}: shows\n{block.shown}but prints\n{printed}")
    return problems


def write(page: Path) -> None:
    """Writes what the code of a page prints below it."""
    text = page.read_text(encoding="utf-8")
    for block, printed in reversed(run(page)):
        if block.shown is not None:
            text = text[: block.start] + printed + text[block.end :]
        elif printed:
            text = text[: block.end] + f"\n\n```text\n{printed}```" + text[block.end :]
    page.write_text(text, encoding="utf-8")


# --- notebooks --------------------------------------------------------------------------------------------------------


def executed(path: Path) -> Any:
    """The notebook as it is after running, with plain outputs only: no counters, no times."""
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook = nbformat.read(path, as_version=4)
    no_ports = Config({"KernelManager": {"transport": "ipc"}})
    NotebookClient(notebook, config=no_ports, kernel_name="python3", timeout=500, record_timing=False).execute()
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                output.pop("execution_count", None)
                if output.output_type == "execute_result":
                    output.execution_count = None
    return notebook


def outputs(notebook: Any) -> list[Any]:
    """By code cell, what it showed in text."""

    def text(output: Any) -> str:
        return output.get("text") or output.get("data", {}).get("text/plain", "")

    return ["".join(map(text, cell.outputs)) for cell in notebook.cells if cell.cell_type == "code"]


def notebook_differences(path: Path) -> list[str]:
    """Where a notebook shows something else than its code prints."""
    import nbformat

    stored, now = nbformat.read(path, as_version=4), executed(path)
    pairs = zip(outputs(stored), outputs(now), strict=True)
    return [f"{path.name}, code cell {i}: shows\n{a}but prints\n{b}" for i, (a, b) in enumerate(pairs) if a != b]


def write_notebook(path: Path) -> None:
    """Writes the notebook with the outputs of now."""
    import nbformat

    nbformat.write(executed(path), path)


# ----------------------------------------------------------------------------------------------------------------------


def main() -> int:
    """All pages; 1 if one of them is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the outputs into the pages")
    parser.add_argument("paths", nargs="*", type=lambda name: Path(name).resolve(), help="these only")
    options = parser.parse_args()
    problems: list[str] = []
    for path in options.paths or [*pages(), *notebooks()]:
        is_notebook = path.suffix == ".ipynb"
        # pages may write files
        with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
            try:
                if options.write:
                    (write_notebook if is_notebook else write)(path)
                else:
                    problems += (notebook_differences if is_notebook else differences)(path)
            except Exception:
                problems.append(f"{path.name}:\n{traceback.format_exc()}")
    print(*problems, sep="\n", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    sys.exit(main())
