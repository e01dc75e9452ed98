"""What the lines of the library are: code, docstrings, comments and blank lines, by package.

python bench/lines.py           seconds; a row per package, the largest first
python bench/lines.py FOLDER    the same for another folder of Python, such as tests
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "symcf"

#: Of each package; signatures are lines of ``def``, which are code, too.
KINDS = ("lines", "code", "signatures", "docstrings", "comments", "blank")

#: Tokens that are no code by themselves.
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}

#: What may have a docstring.
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def counted(text: str) -> Counter[str]:
    """The lines of a file, by what they are."""
    docstrings, signatures = set[int](), set[int]()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, DOCUMENTED) or not node.body:
            continue
        first = node.body[0]
        if ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            signatures.update(range(node.lineno, max(first.lineno, node.lineno + 1)))
    code = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            code.update(range(token.start[0], token.end[0] + 1))
    code -= docstrings
    lines = text.splitlines()
    blank = {i for i, line in enumerate(lines, 1) if not line.strip()} - docstrings - code
    comments = len(lines) - len(code) - len(docstrings) - len(blank)
    counts = (len(lines), len(code), len(signatures & code), len(docstrings), comments, len(blank))
    return Counter(dict(zip(KINDS, counts, strict=True)))


def by_package(folder: Path) -> dict[str, Counter[str]]:
    """The lines of each package of a folder; modules of the folder itself are one package."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(folder.rglob("*.py*")):
        if path.suffix in (".py", ".pyi"):
            parts = path.relative_to(folder).parts
            name = parts[0] if len(parts) > 1 else "(modules)"
            found.setdefault(name, Counter()).update(counted(path.read_text(encoding="utf-8")))
            found[name]["modules"] += 1
    return dict(sorted(found.items(), key=lambda item: -item[1]["lines"]))


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    found = by_package(folder)
    total: Counter[str] = sum(found.values(), Counter())
    columns = ("modules", *KINDS)
    print(f"| {'package':12} | " + " | ".join(columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name, counts in (*found.items(), ("together", total)):
        print(f"| {name:12} | " + " | ".join(f"{counts[column]:{len(column)},}" for column in columns) + " |")


if __name__ == "__main__":
    main()
