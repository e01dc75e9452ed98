"""Mutation testing: small faults are planted one at a time, and the tests have to notice.

    python tests/drivers/mutate.py --count 60 --seed 0             Python
    python tests/drivers/mutate.py --count 25 --seed 0 --c         C, each built in the copy
    python tests/drivers/mutate.py --only 'checker/*' 'cli/options.py'

A mutant of src/symcf/<package>/<stem>.py is shown to the tests of its stem (tests/*/test_<stem>*.py), then to those of
its package, then to those that know the whole (`GENERAL`); one of src/core/<stem>.c to the C tests of its stem, then to
all C tests. The first failure, hang or crash kills it. What survives is printed with its change, unless it stands in
tests/drivers/mutants_accepted.txt with the reason why it may live. What does not compile is not counted.

Python is changed through its syntax tree: comparisons, arithmetic, constants, conditions, order of arguments, and
statements that are left out. C is changed token by token: comparisons, arithmetic, conditions. Everything happens in a
copy; the tree that you work in is not touched.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
ACCEPTED = Path(__file__).resolve().parent / "mutants_accepted.txt"
#: Tests that fail without any fault, and hence kill nothing.
BROKEN: set[str] = set()
#: In the copy.
BUILD = Path("build") / "mutate"
#: Tests that know the whole library, for what no test has the name of.
GENERAL = ("tests/unit/test_explain.py", "tests/unit/test_labels.py", "tests/property/test_torture.py")
#: Tests of packages that have other names than the package or its files.
PACKAGES = {
    "system": ("cnf", "variables", "threshold", "many", "diagram", "compile", "storage"), "search": ("engines", "sat"),
    "models": ("model", "json", "linear", "functions"), "sklearn": ("sklearn", "pipelines"), "files": ("boosted",),
    "question": ("constraints", "costs", "relations"), "answers": ("render", "explain", "fast", "batch", "json"),
    "data": ("reader", "labels", "columns"), "values": ("assignments",), "cli": ("cli",), "audit": ("audit",),
    "checker": ("certificates",), "certificates": ("certificates",), "verification": ("verify",),
}  # fmt: skip
#: Seconds of a processor that a process of the tests may take before it is taken to hang, which kills the mutant, too;
#: and seconds after which even one that sleeps is, on a machine that may be busy with other things.
BUSY, PATIENCE = 300, 1800

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
               ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr,
              ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.Mod: ast.Mult}  # fmt: skip
#: Functions that take their arguments in any order.
SYMMETRIC = ("array_equal", "gcd", "maximum", "max", "minimum", "min")
C_TOKENS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ", " + ": " - ",
            " - ": " + ", " && ": " || ", " || ": " && ", "++": "--", " + 1": "", " - 1": "", " & ": " | "}  # fmt: skip


@dataclass
class Mutant:
    """One changed file."""

    path: Path
    line: int
    before: str
    after: str
    text: str
    #: The line of the file where the change begins.
    code: str = ""

    def __str__(self) -> str:
        before, after = (" ".join(part.split()) for part in (self.before, self.after))
        where = f"{self.code.strip()}  |  " if self.code else ""
        return f"{self.path}:{self.line}: {where}{before}  =>  {after}"


# --- Python -----------------------------------------------------------------------------------------------------------


def python_mutants(path: Path, rng: random.Random) -> Iterator[Mutant]:
    """Mutants of a file, in random order."""
    source = (HOME / path).read_text(encoding="utf-8")
    places = [node for node in ast.walk(ast.parse(source)) if _is_mutable(node)]
    for place in rng.sample(range(len(places)), len(places)):
        tree = ast.parse(source)
        node = [node for node in ast.walk(tree) if _is_mutable(node)][place]
        before = ast.unparse(node)
        changed = _changed(node, rng)
        tree = _Replace(node, changed).visit(tree)
        after = "pass" if changed is None else ast.unparse(changed)
        if before != after:
            code = source.splitlines()[node.lineno - 1]
            yield Mutant(path, node.lineno, before, after, ast.unparse(ast.fix_missing_locations(tree)), code)


def _is_mutable(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in COMPARISONS
    if isinstance(node, ast.BinOp):
        # Strings and unions of types are not arithmetic.
        texts = [part for part in ast.walk(node) if isinstance(part, (ast.JoinedStr, ast.Constant))]
        is_text = any(
            isinstance(part, ast.JoinedStr) or isinstance(part.value, str) or part.value is None for part in texts
        )
        return type(node.op) in ARITHMETIC and not is_text and not isinstance(node.op, ast.BitOr)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).split(".")[-1]
        return len(node.args) >= 2 and name not in SYMMETRIC and not any(isinstance(a, ast.Starred) for a in node.args)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, (ast.If, ast.BoolOp, ast.IfExp))


def _changed(node: ast.AST, rng: random.Random) -> ast.AST | None:
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare):
        new.ops[0] = COMPARISONS[type(new.ops[0])]()
    elif isinstance(new, ast.BinOp):
        new.op = ARITHMETIC[type(new.op)]()
    elif isinstance(new, ast.Constant):
        new.value = not new.value if isinstance(new.value, bool) else new.value + rng.choice((-1, 1))
    elif isinstance(new, ast.Call):
        new.args[:2] = new.args[1::-1]
    elif isinstance(new, (ast.If, ast.IfExp)):
        new.test = ast.UnaryOp(ast.Not(), new.test)
    elif isinstance(new, ast.BoolOp):
        new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
    else:
        return None
    return new


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST | None) -> None:
        self._old, self._new = old, ast.Pass() if new is None else new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def python_tests(path: Path) -> list[list[str]]:
    """The tests of a file, those of its package, and those that know the whole: in this order."""
    names = [path.stem, path.parent.name, *PACKAGES.get(path.parent.name, ()), *path.stem.split("_")]
    found = [
        sorted(str(file.relative_to(HOME)) for file in (HOME / "tests").glob(f"*/test_{name}*.py"))
        for name in dict.fromkeys(names)
    ]
    groups, known = [], set()  # type: list[list[str]], set[str]
    for group in (*found, GENERAL):
        groups += [[name for name in group if name not in known]]
        known.update(group)
    return [group for group in groups if group]


# --- C ----------------------------------------------------------------------------------------------------------------


def c_mutants(path: Path, rng: random.Random) -> Iterator[Mutant]:
    """The same for C; comments, preprocessor lines, strings and assertions are left alone."""
    lines = (HOME / path).read_text(encoding="utf-8").split("\n")
    places = []
    inside = False
    for number, line in enumerate(lines):
        inside = (inside or "/*" in line) and "*/" not in line
        if inside or re.match(r"\s*(/\*|\*|//|#|assert|static_assert)", line) or '"' in line:
            continue
        code = line.split("//")[0].split("/*")[0]
        places += [(number, m.start(), t) for t in C_TOKENS for m in re.finditer(re.escape(t), code)]
    for number, column, token in rng.sample(places, len(places)):
        line = lines[number]
        new = line[:column] + C_TOKENS[token] + line[column + len(token) :]
        text = "\n".join([*lines[:number], new, *lines[number + 1 :]])
        yield Mutant(path, number + 1, line, new, text)


# --- killing ----------------------------------------------------------------------------------------------------------


def failure(command: list[str], where: Path, patience: float = PATIENCE, **environment: str) -> str | None:
    """What a command says that fails or takes too long; None if it succeeds. Nothing that it started is left."""
    limited = ["sh", "-c", f'ulimit -t {BUSY}; exec "$@"', "sh", *command]
    with tempfile.TemporaryFile() as output, subprocess.Popen(
        limited, cwd=where, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        start_new_session=True,
    ) as started:  # fmt: skip
        try:
            if started.wait(patience) == 0:
                return None
        except subprocess.TimeoutExpired:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
        output.seek(0)
        return output.read().decode("utf-8", "replace")


def prepare_python(where: Path) -> None:
    """Makes the copy what is imported: with the compiled extension in it, and without the hook of the editable install,
    which would find the original first.
    """
    from symcf import _core

    shutil.copy(_core.__file__, where / "src" / "symcf")
    (where / "hook").mkdir()
    (where / "hook" / "sitecustomize.py").write_text(
        "import sys\n"
        "def kept(finder): return 'editable' not in f'{type(finder).__module__} {type(finder).__name__}'.lower()\n"
        "sys.meta_path[:] = filter(kept, sys.meta_path)\n",
        encoding="utf-8",
    )
    code = "import symcf; print(symcf.__file__)"
    path = f"{where / 'hook'}{os.pathsep}{where / 'src'}"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=where, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert found.stdout.strip() == str(where / "src" / "symcf" / "__init__.py"), found


def pytest(where: Path, tests: list[str], *options: str) -> str | None:
    """The first failure of some tests on the copy, if there is one."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-rf", "-p", "no:cacheprovider", f"--timeout={PATIENCE}"]
    return failure([*command, *options, *tests], where, PYTHONPATH=f"{where / 'hook'}{os.pathsep}{where / 'src'}")


def survives_python(mutant: Mutant, where: Path) -> bool:
    """Do all its tests pass?"""
    return all(_passes(mutant, where, group) for group in python_tests(mutant.path))


def _passes(mutant: Mutant, where: Path, group: list[str]) -> bool:
    """Do these tests pass, but for those that fail without the fault, too?"""
    while True:
        (where / mutant.path).write_text(mutant.text, encoding="utf-8")
        try:
            said = pytest(where, group, *(f"--deselect={name}" for name in BROKEN))
        finally:
            shutil.copy(HOME / mutant.path, where / mutant.path)
        if said is None:
            return True
        failed = re.search(r"^FAILED (.+?)(?: - |$)", said, re.MULTILINE)
        if failed is None or pytest(where, [failed[1]]) is None:
            return False
        BROKEN.add(failed[1])
        print(f"fails without any fault: {failed[1]}", flush=True)


def prepare_c(where: Path) -> None:
    """Builds the copy as it is, so that a mutant costs one file and the programs that it is linked to."""
    options = ["-DSYMCF_BUILD_TESTS=ON", "--compile-no-warning-as-error"]
    for command in (
        ["cmake", "-S", ".", "-B", str(BUILD), "-G", "Ninja", *options],
        ["cmake", "--build", str(BUILD)],
        ["ctest", "--test-dir", str(BUILD)],
    ):
        if failure(command, where) is not None:
            raise SystemExit(f"the copy without any fault fails in: {' '.join(command)}")


def survives_c(mutant: Mutant, where: Path) -> bool | None:
    """The same for C; None if it does not compile."""
    (where / mutant.path).write_text(mutant.text, encoding="utf-8")
    try:
        if failure(["cmake", "--build", str(BUILD), "--target", "symcf_core_checked"], where) is not None:
            return None
        known = sorted(file.stem for file in (HOME / "tests" / "core").glob("test_*.c"))
        own = [name for name in known if name.startswith(f"test_{mutant.path.stem.split('_')[0]}")]
        for group in (own, [name for name in known if name not in own]):
            if not group:
                continue
            if failure(["cmake", "--build", str(BUILD), "--target", *group], where) is not None:
                return None
            ctest = ["ctest", "--test-dir", str(BUILD), "--stop-on-failure", "-R", f"^({'|'.join(group)})$"]
            if failure(ctest, where) is not None:
                return False
        return True
    finally:
        shutil.copy(HOME / mutant.path, where / mutant.path)


def chosen(seed: int, count: int, c: bool, only: Sequence[str] = ()) -> Iterator[Mutant]:
    """Mutants of files that are drawn by their length; with ``only``, of files whose path ends like one of these."""
    rng = random.Random(seed)
    pattern = "src/core/*.c" if c else "src/symcf/**/*.py"
    paths = sorted(path.relative_to(HOME) for path in HOME.glob(pattern) if path.name not in ("demo.py", "__main__.py"))
    paths = [path for path in paths if not only or any(map(path.match, only))]
    if not paths:
        raise SystemExit(f"no file is named like {' or '.join(only)}")
    for path in rng.choices(paths, [_length(path) for path in paths], k=count):
        yield from list(_first(c_mutants(path, rng) if c else python_mutants(path, rng)))


@cache
def _length(path: Path) -> int:
    return len((HOME / path).read_text(encoding="utf-8").splitlines())


def _first(mutants: Iterator[Mutant]) -> Iterator[Mutant]:
    for mutant in mutants:
        yield mutant
        return


def accepted() -> dict[str, str]:
    """What may live, and why: two lines each, the mutant without its line number, and an indented reason."""
    if not ACCEPTED.exists():
        return {}
    lines = [line for line in ACCEPTED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {mutant: reason.strip() for mutant, reason in zip(lines[::2], lines[1::2], strict=True)}


def key(mutant: Mutant) -> str:
    """As in the list: without the line number, which moves."""
    return str(mutant).replace(f":{mutant.line}:", ":", 1)


@dataclass
class Figures:
    """What became of the mutants of a seed; `drawn` are so many, and some of them do not compile."""

    seed: int
    drawn: int
    mutants: int = 0
    killed: int = 0
    may_live: list[str] = field(default_factory=list)
    survive: list[str] = field(default_factory=list)
    #: Files that they were drawn from; none: all.
    only: list[str] = field(default_factory=list)


def judged(before: Figures, c: bool, again: bool, until: float, where: Path) -> Figures:
    """All mutants of the seed, or again those that survived before."""
    known, drawn = accepted(), 0
    now = Figures(before.seed, 0, before.mutants, before.killed, list(before.may_live), only=before.only)
    for mutant in chosen(before.seed, before.drawn, c, before.only):
        late = time.monotonic() > until
        if late and not again:
            break
        drawn += 1
        if again and key(mutant) not in before.survive:
            continue
        survives = late or (survives_c if c else survives_python)(mutant, where)
        now.mutants += survives is not None and not again
        if survives is None:
            print(f"no mutant {mutant}"[:160], flush=True)
        elif not survives:
            now.killed += 1
            print(f"killed    {mutant}"[:160], flush=True)
        elif key(mutant) in known:
            now.may_live.append(key(mutant))
            print(f"may live  {mutant}", flush=True)
        else:
            now.survive.append(key(mutant))
            print(f"SURVIVES  {mutant}", flush=True)
    now.drawn = drawn
    return now


def main() -> int:
    """The command line; 1 if a mutant survives that may not."""
    parser = argparse.ArgumentParser(description="Plants faults and asks the tests.")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no mutant after this time")
    parser.add_argument("--c", action="store_true", help="in C instead of Python")
    parser.add_argument("--only", nargs="+", default=[], metavar="FILE", help="such as 'checker/*' or 'cli/options.py'")
    parser.add_argument("--list", action="store_true", help="only say which mutants it would be")
    parser.add_argument("--results", type=Path, help="a JSON file to write the figures to, for each language")
    parser.add_argument("--again", action="store_true", help="only those that survive according to --results")
    given = parser.parse_args()
    if given.again and given.results is None:
        parser.error("--again needs --results")
    if given.list:
        print(*chosen(given.seed, given.count, given.c, given.only), sep="\n")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy and the tests at work do not stay behind
    until = time.monotonic() + 60 * given.minutes
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        where = Path(folder) / "symcf"
        skip = shutil.ignore_patterns(
            ".git", ".venv", "build", "dist", ".cache", "__pycache__", ".*_cache", ".hypothesis"
        )
        shutil.copytree(HOME, where, ignore=skip)
        (prepare_c if given.c else prepare_python)(where)
        written = {}
        if given.results is not None and given.results.exists():
            written = json.loads(given.results.read_text(encoding="utf-8"))
        language = "C" if given.c else "Python"
        before = Figures(**written[language]) if given.again else Figures(given.seed, given.count, only=given.only)
        figures = judged(before, given.c, given.again, until, where)
    print(f"seed {figures.seed}: {figures.mutants} mutants, {figures.killed} killed, {len(figures.may_live)} may live, "
          f"{len(figures.survive)} survive")  # fmt: skip
    if given.results is not None:
        written[language] = asdict(figures)
        given.results.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return 1 if figures.survive else 0


if __name__ == "__main__":
    sys.exit(main())
