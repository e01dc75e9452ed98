"""What the lines of the library are: code, docstrings, comments and blank lines, by package.

python bench/lines.py           seconds; a row per package, the largest first
python bench/lines.py FOLDER    the same for another folder of Python, such as tests
"""

from __future__ import annotations

import ast
import copy
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

#: Nodes of the syntax tree that statements have together, at least, to be listed as repeated: about four lines.
LARGE = 45

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


class Form(ast.NodeTransformer):
    """Takes names, types and values out of statements, so that the same form is equal."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name("name", node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg("name")

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value or ast.Constant(None))


def repeated(folder: Path) -> list[list[str]]:
    """Where statements of the same form follow on each other in several functions: places, the largest first."""
    found: dict[tuple[str, ...], tuple[int, dict[str, None]]] = {}
    for path in sorted(folder.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            body = function.body[ast.get_docstring(function) is not None :]
            forms = [ast.dump(Form().visit(copy.deepcopy(statement))) for statement in body]
            sizes = [sum(1 for _ in ast.walk(statement)) for statement in body]
            for first in range(len(body)):
                for last in range(first + 1, len(body) + 1):
                    if sum(sizes[first:last]) >= LARGE:
                        place = f"{path.relative_to(folder)} {function.name}"
                        found.setdefault(tuple(forms[first:last]), (sum(sizes[first:last]), {}))[1][place] = None
    several = sorted(((size, list(places)) for size, places in found.values() if len(places) > 1), reverse=True)
    return [places for i, (_, places) in enumerate(several) if not any(set(places) <= set(p) for _, p in several[:i])]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    found = by_package(folder)
    total: Counter[str] = sum(found.values(), Counter())
    columns = ("modules", *KINDS)
    print(f"| {'package':12} | " + " | ".join(columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name, counts in (*found.items(), ("together", total)):
        print(f"| {name:12} | " + " | ".join(f"{counts[column]:{len(column)},}" for column in columns) + " |")
    for places in repeated(folder):
        print(" ~ ".join(places))


if __name__ == "__main__":
    main()
