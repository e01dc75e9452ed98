"""Allocation faults through Python: every allocation of a call fails once, in many calls of many random classifiers.

    python tests/drivers/faults.py --count 10000 --seed 0          (make faults COUNT=10000)

A process with `tests/core/faults.c` preloaded asks a question (build a diagram, write clauses, explain by each engine,
a batch on one and on two threads, ...) while the n-th allocation of symcf's extension, CUDD included, fails; then with
the next n, until the question needs no more allocations. In every other round all allocations from the n-th on fail.
After each fault:

- the call gave the right answer, or raised one of `DOCUMENTED`;
- nothing was printed;
- the same object, asked again, gives the right answer;
- once the object is gone, the extension holds as many bytes as before.

A process that dies is a finding, too; the next one goes on with the next round.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

BUILD = Path(os.environ.get("SYMCF_BUILD", Path(__file__).resolve().parents[2] / "build" / "dev"))
LIBRARY = BUILD / "tests" / "core" / "libfaults.so"


# --- the questions ----------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """`make` gives the object that is asked, without faults; `ask` asks it, with them."""

    name: str
    make: Callable[[], Any]
    ask: Callable[[Any], Any]


def binary(rng: random.Random) -> Any:
    import symcf

    n = rng.randint(3, 9)
    p1, p0 = ([rng.randint(1, 99) / 100 for _ in range(n)] for _ in range(2))
    return symcf.NaiveBayes.binary(prior=rng.randint(10, 90) / 100, p1=p1, p0=p0)


def many(rng: random.Random) -> Any:
    import symcf

    classes, tables = rng.randint(2, 3), []
    for _ in range(rng.randint(3, 5)):
        values = rng.randint(2, 4)
        counts = [[rng.randint(1, 20) for _ in range(values)] for _ in range(classes)]
        tables.append([[count / sum(row) for count in row] for row in counts])
    return symcf.NaiveBayes([1 / classes] * classes, tables)


def forest(rng: random.Random) -> Any:
    import symcf

    def tree(depth: int) -> dict[str, Any]:
        if depth == 0:
            return {"counts": [rng.randint(1, 9), rng.randint(1, 9)]}
        names = {"feature": f"x{rng.randrange(5)}", "at_most": rng.randint(1, 3)}
        return {**names, "yes": tree(depth - 1), "no": tree(depth - 1)}

    return symcf.RandomForest([tree(3) for _ in range(3)], features=[f"x{j}" for j in range(5)])


def boosted(rng: random.Random) -> Any:
    import symcf

    def tree(depth: int) -> dict[str, Any]:
        if depth == 0:
            return {"score": rng.randint(-16, 16) / 8}
        names = {"feature": f"x{rng.randrange(5)}", "at_most": rng.randint(1, 3)}
        return {**names, "yes": tree(depth - 1), "no": tree(depth - 1)}

    return symcf.BoostedTrees([tree(3) for _ in range(4)], features=[f"x{j}" for j in range(5)])


def sets(explanation: Any) -> Any:
    return explanation.sets, explanation.status


def questions(rng: random.Random) -> Iterator[Question]:
    """All questions about one random classifier."""
    import symcf
    import symcf.fast

    kind = rng.choice([binary, many, forest, boosted])
    model, trees = kind(rng), kind in (forest, boosted)
    probe = symcf.compile(model)
    rows = [[rng.randint(0, 4) if trees else rng.randrange(len(v)) for v in model.values] for _ in range(6)]

    def compiled(order: str = "influence") -> Callable[[], Any]:
        return lambda: symcf.compile(model, order=order)

    def diagram(c: Any) -> Any:
        return [(d.order, d.core.level.tolist(), d.core.child.tolist()) for d in map(c.diagram_of, model.classes)]

    yield Question("compile", lambda: model, lambda m: symcf.compile(m).predict(rows, codes=True).tolist())
    for order in ("influence", "natural", "sift"):
        yield Question(f"diagram, {order}", compiled(order), diagram)
    for encoding in ("no-cut", "node-cut", "aux-cut", "prime"):
        of = rng.choice(model.classes)
        yield Question(f"cnf, {encoding}", compiled(), lambda c, e=encoding, of=of: c.cnf(e, of=of).literals.tolist())
    yield Question("cnf, sifted, prime", compiled("sift"), lambda c: c.cnf("prime", of=of).literals.tolist())
    yield Question("wcnf", compiled(), lambda c: c.wcnf(rows[0]).to_file())
    yield Question("dddmp", compiled(), lambda c: dddmp(c.diagram_of(model.classes[0])))
    engines = ["diagram", "sat", "sat-portable", "boxes" if trees else "cover"]
    for engine in engines:
        for option in ({}, {"k": 2}):
            yield Question(
                f"explain, {engine}, {option}",
                compiled(),
                lambda c, e=engine, o=option: [sets(c.explain(row, engine=e, **o)) for row in rows[:2]],
            )
        yield Question(f"count, {engine}", compiled(), lambda c, e=engine: c.count(rows[0], engine=e))
    for engine in engines:
        for jobs in (1, 2):
            yield Question(
                f"batch, {engine}, {jobs} threads",
                compiled(),
                lambda c, e=engine, j=jobs: [
                    sets(x) for x in symcf.fast.explain_batch(c, rows, engine=e, n_jobs=j, select="all")
                ],
            )
    relation = symcf.forbid({probe.features[0]: model.values[0][0], probe.features[1]: model.values[1][0]})
    yield Question("constraints", compiled(), lambda c: sets(c.explain(rows[0], constraints=[relation])))
    yield from of_all_rows(model, rows, compiled())
    yield Question("verify", compiled(), lambda c: bool(symcf.verify(c, rows[0], c.explain(rows[0]))))


def of_all_rows(model: Any, rows: list[list[int]], compiled: Callable[[], Any]) -> Iterator[Question]:
    """Reasons, moves, properties, audits and comparisons."""
    import symcf
    import symcf.fast

    name = model.features[0]
    yield Question("why", compiled, lambda c: sets(c.why(rows[0])))
    yield Question("moves", compiled, lambda c: sets(c.explain(rows[0], minimality="moves")))
    yield Question("diverse", compiled, lambda c: sets(c.explain(rows[0], diverse=2)))
    yield Question("shapley", compiled, lambda c: c.attribute(rows[0], "shapley").values.tolist())
    row = next((row for row in rows if symcf.compile(model).count(row)), None)
    if row is not None:
        yield Question("sample", compiled, lambda c: [cf.features for cf in c.sample(row, 3, 0)])
    yield Question("monotone", compiled, lambda c: bool(c.is_monotone(name, of=model.classes[0])))
    yield Question("robustness", compiled, lambda c: c.robustness_distribution().counts)
    yield Question("bias", compiled, lambda c: c.bias(name).possible)
    yield Question("audit", compiled, lambda c: symcf.audit(c, rows, target=model.classes[1]).to_dict())
    plausible = symcf.compile(model, plausibility=rows * 3)
    yield Question("plausible", lambda: plausible, lambda c: sets(c.explain(rows[0], min_plausibility=0.2)))
    yield Question("difference", compiled, lambda c: symcf.difference(c, symcf.compile(model, order="natural")).count)
    first, last = model.classes[0], model.classes[-1]
    yield Question("function", compiled, lambda c: (c.is_class(first) | c.is_class(last)).count_models())


def dddmp(diagram: Any) -> str:
    path = Path(tempfile.gettempdir()) / f"symcf-faults-{os.getpid()}.dddmp"
    try:
        diagram.save_dddmp(path)
        return path.read_text()
    finally:
        path.unlink(missing_ok=True)


# --- the process with faults ------------------------------------------------------------------------------------------


class Faults:
    """`tests/core/faults.c`, which this process was started with."""

    def __init__(self, module: str) -> None:
        self._library = ctypes.CDLL(os.environ["LD_PRELOAD"])
        for name in ("faults_disarm", "faults_live_bytes"):
            getattr(self._library, name).restype = ctypes.c_uint64
        self._library.faults_arm.argtypes = ctypes.c_uint64, ctypes.c_int
        self._library.faults_watch.argtypes = ctypes.c_size_t, ctypes.c_size_t
        with open("/proc/self/maps") as maps:
            ranges = [line.split()[0].split("-") for line in maps if f"/{module}." in line]
        addresses = [int(end, 16) for pair in ranges for end in pair]
        self._library.faults_watch(min(addresses), max(addresses))

    def arm(self, n: int, persistent: bool) -> None:
        """The allocation number `n` from now fails; if `persistent`, all after it do, too."""
        self._library.faults_arm(n, persistent)

    def disarm(self) -> bool:
        """Nothing fails any more. Did anything?"""
        return bool(self._library.faults_disarm())

    def live(self, at_least: int = -1) -> int:
        """Bytes that the watched library holds. Rubbish is collected first unless it is no more than `at_least`."""
        if self._library.faults_live_bytes() > at_least:
            gc.collect()
        return int(self._library.faults_live_bytes())


def documented() -> tuple[type[BaseException], ...]:
    """What a call may raise when memory ends."""
    import symcf

    return (MemoryError, symcf.LimitError)


def printed() -> int:
    """Bytes on stdout and stderr so far, which are one file here."""
    sys.stdout.flush()
    sys.stderr.flush()
    return os.fstat(1).st_size


def worker(report: int, module: str, seed: int, first_round: int, count: int, only: str) -> None:
    """Makes `count` faults and tells about each on the descriptor `report`, one line before, one for a finding."""
    import symcf.compiled  # noqa: F401  # so that the module is there to be watched

    if module == "pysolvers":
        import pysolvers  # noqa: F401
    faults = Faults(module)

    def tell(*words: object) -> None:
        os.write(report, ("\t".join(map(str, words)) + "\n").encode())

    made, round_ = 0, first_round
    while made < count:
        rng = random.Random(f"{seed} {round_}")
        asked = list(questions(rng))
        if round_ >= first_round + 20 and not made:
            raise SystemExit(f"no question of 20 rounds has {only!r} in its name")
        for question in asked:
            if only not in question.name:
                continue
            right = question.ask(question.make())
            n, at, before = 0, printed(), faults.live()
            while made < count:
                n += 1
                tell("fault", round_, question.name, n)
                subject = question.make()
                finding = None
                faults.arm(n, bool(round_ % 2))
                try:
                    answer = question.ask(subject)
                    hit = faults.disarm()
                    if answer != right:
                        finding = "a wrong answer"
                except documented():
                    hit = faults.disarm()
                except BaseException as error:
                    hit = faults.disarm()
                    finding = f"raised {type(error).__name__}: {error}"
                try:
                    if question.ask(subject) != right:
                        finding = finding or "a wrong answer afterwards"
                except BaseException as error:
                    finding = finding or f"raised afterwards {type(error).__name__}: {error}"
                subject = answer = None
                if (live := faults.live(before)) > before:
                    finding = finding or f"{live - before} bytes leaked"
                    before = live
                if printed() != at:
                    at = printed()
                    finding = finding or "something was printed"
                if finding:
                    tell("finding", round_, question.name, n, finding)
                if not hit:
                    break
                tell("made", round_, question.name, n)
                made += 1
        round_ += 1
    tell("end", round_, "", 0)


# --- the process that watches it --------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """What came of it."""

    faults: int
    findings: list[str]


def run(count: int, seed: int, module: str = "_core", library: Path = LIBRARY, only: str = "") -> Outcome:
    """Makes at least `count` faults, in as many processes as it takes."""
    if not library.exists():
        raise FileNotFoundError(f"{library}: build it with `make test-c`")
    outcome, round_ = Outcome(0, []), 0
    while outcome.faults < count:
        with tempfile.TemporaryFile() as report, tempfile.TemporaryFile() as output:
            arguments = [report.fileno(), module, seed, round_, count - outcome.faults, only]
            child = subprocess.run(
                [sys.executable, __file__, "--worker", *map(str, arguments)],
                env={**os.environ, "LD_PRELOAD": str(library)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[report.fileno()],
                check=False,
            )
            report.seek(0)
            output.seek(0)
            lines = [line.split("\t") for line in report.read().decode().splitlines()]
            text = output.read().decode(errors="replace")
        outcome.findings += [": ".join(line[1:]) for line in lines if line[0] == "finding"]
        outcome.faults += sum(line[0] == "made" for line in lines)
        if child.returncode != 0 or text:
            where = ", ".join(lines[-1][1:]) if lines else "start"
            outcome.findings.append(f"round {where}: exit code {child.returncode}, output {text[-2000:]!r}")
        if not lines:
            break  # it does not even start
        round_ = int(lines[-1][1]) + 1
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--worker", nargs=6, help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, default=10_000, help="faults to inject")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, help="a JSON file to write the figures to")
    parser.add_argument("--module", default="_core", help="whose allocations fail: _core or pysolvers")
    parser.add_argument("--only", default="", help="only questions whose name contains this")
    parser.add_argument("--library", type=Path, default=LIBRARY, help="tests/core/faults.c, built")
    options = parser.parse_args()
    if options.worker:
        report, module, seed, round_, count, only = options.worker
        worker(int(report), module, int(seed), int(round_), int(count), only)
        return 0
    outcome = run(options.count, options.seed, options.module, options.library, options.only)
    for finding in outcome.findings:
        print(finding)
    print(
        f"{outcome.faults:,} allocation faults in {options.module}, seed {options.seed}: "
        f"{len(outcome.findings)} findings"
    )
    if options.results is not None:
        figures = {"seed": options.seed, "faults": outcome.faults, "findings": len(outcome.findings)}
        options.results.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return bool(outcome.findings)


if __name__ == "__main__":
    sys.exit(main())
