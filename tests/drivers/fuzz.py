"""Damaged inputs for everything that reads, guided by coverage: what reaches a new line is damaged further.

    python tests/drivers/fuzz.py --count 1000000 --seed 0
    python tests/drivers/fuzz.py --minutes 10 --only saved

A reader takes bytes and either accepts them or raises one of symcf's own errors; anything else is a failure: another
exception, a warning, a signal, more memory than `MEMORY`, or silence for `HANG` seconds. Saved classifiers and
certificates get their checksums recomputed after the damage, so that what lies behind them is reached (`fuzz_readers`).

Lines are seen through `sys.settrace`, which makes some readers several times slower. So only the first inputs of each
reader and a sample of the rest are traced, and in them only functions that still have unseen lines. The readers run in
a forked child: the input at work is in shared memory, where the parent finds it if the child dies.
`tests/property/test_cli_fuzz.py` does the same to the whole command line, without coverage.
"""

from __future__ import annotations

import argparse
import dis
import json
import mmap
import random
import resource
import signal
import sys
import time
import traceback
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "property"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz_readers import Read, Reader, readers
from test_cli_fuzz import damage, damaged
from torture.run import Say, directory, in_child

import symcf

PACKAGE = str(Path(symcf.__file__).resolve().parent)
#: Seconds that one input may take, and bytes that the process may have.
HANG, MEMORY = 30, 8 << 30
#: So many inputs of a reader are all traced; after that, this share is.
TRACED, SAMPLE = 1000, 1 / 16
#: The longest input that is kept for the parent.
LONGEST = 1 << 22

# --- coverage ---------------------------------------------------------------------------------------------------------


class Coverage:
    """Lines of the package that have been run, and whether there were new ones."""

    def __init__(self) -> None:
        self._left: dict[CodeType, set[int]] = {}
        self.lines = 0
        self.new = False

    def begin(self, frame: FrameType, event: str, _: Any) -> Any:
        """For `sys.settrace`: follows functions of the package that have unseen lines."""
        code = frame.f_code
        left = self._left.get(code)
        if left is None:
            inside = code.co_filename.startswith(PACKAGE)
            left = {line for _, line in dis.findlinestarts(code) if line} if inside else set()
            self._left[code] = left
        return self._line if left else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        left = self._left[frame.f_code]
        if event == "line" and frame.f_lineno in left:
            left.discard(frame.f_lineno)
            self.lines += 1
            self.new = True
        return self._line


# --- one round --------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of the inputs of a reader."""

    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    #: Inputs that reached a new line, and lines reached by this reader first.
    kept: int = 0
    lines: int = 0
    failures: list[str] = field(default_factory=list)


def work(seed: int, count: int, until: float, known: dict[str, Reader], shared: mmap.mmap, say: Say) -> None:
    """Damages inputs until there were enough."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _hangs)
    rng, seen = random.Random(seed), Coverage()
    warnings.simplefilter("error")  # of ours or of NumPy: nobody asked for it
    corpus = {name: list(reader.examples) for name, reader in known.items()}
    tallies = {name: Tally() for name in corpus}
    names, shares = list(corpus), [known[name].share for name in corpus]
    for done in range(count):
        if done % 1000 == 0:
            say({name: asdict(tally) for name, tally in tallies.items()})
            if time.monotonic() > until:
                break
        name = rng.choices(names, shares)[0]
        data = _drawn(rng, corpus[name], known[name])
        shared.seek(0)
        shared.write(json.dumps([name, len(data)]).encode().ljust(100) + data[: LONGEST - 100])
        traced = tallies[name].inputs < TRACED or rng.random() < SAMPLE
        _one(known[name].read, data, seen if traced else None, tallies[name], corpus[name])
    say({name: asdict(tally) for name, tally in tallies.items()})


def _drawn(rng: random.Random, corpus: list[bytes], reader: Reader) -> bytes:
    data, other = rng.choice(corpus if rng.random() < 0.7 else reader.examples), rng.choice(corpus)
    try:
        data = damage(Path(f"x{reader.suffix}"), data, other, rng)
    except Exception:  # it has been damaged too much for damage that follows its structure
        data = damaged(data, other, rng)
    return reader.sealed(data) if reader.sealed is not None and rng.random() < 0.7 else data


def _one(read: Read, data: bytes, seen: Coverage | None, tally: Tally, corpus: list[bytes]) -> None:
    tally.inputs += 1
    signal.alarm(HANG)
    if seen is not None:
        seen.new, before = False, seen.lines
        sys.settrace(seen.begin)
    try:
        read(data)
        tally.accepted += 1
    except (symcf.SymcfError, OSError) as error:
        tally.refused += 1
        if isinstance(error, symcf.InternalError):
            tally.failures.append(f"{error} {data[:2000]!r}")
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        tally.failures.append(f"{type(error).__name__}: {error} ({where}) {data[:2000]!r}")
    finally:
        sys.settrace(None)
        signal.alarm(0)
    if seen is not None and seen.new and len(data) < 1 << 16:
        corpus.append(data)
        tally.kept += 1
        tally.lines += seen.lines - before


class Hangs(BaseException):
    """An input took too long."""


def _hangs(number: int, frame: object) -> None:
    raise Hangs


def fuzz(seed: int, count: int, minutes: float | None = None, only: str | None = None) -> dict[str, Tally]:
    """A round in a child process; by reader, what became of its inputs."""
    shared = mmap.mmap(-1, LONGEST + 100)
    until = float("inf") if minutes is None else time.monotonic() + 60 * minutes
    found: dict[str, Tally] = {}
    end = None
    with directory() as here:
        known = readers(Path(here), only)  # before the child is forked, in which OpenMP would wait for ever
        for message in in_child(lambda say: work(seed, count, until, known, shared, say)):
            if "end" in message:
                end = message["end"]
            else:
                found = {name: Tally(**figures) for name, figures in message.items()}
    if end is not None:
        name, size = json.loads(shared[:100])
        found.setdefault(name, Tally()).failures.append(f"{end}: {shared[100 : 100 + min(size, 2000)]!r}")
    return found


def main() -> int:
    """The command line; 1 if something failed."""
    parser = argparse.ArgumentParser(description="Damaged inputs for everything that reads, guided by coverage.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=sys.maxsize)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--only", help="one reader")
    parser.add_argument("--results", type=Path, help="a JSON file to add the figures of this seed to")
    given = parser.parse_args()
    found = fuzz(given.seed, given.count, given.minutes, given.only)
    for name, tally in found.items():
        print(f"{name:12} {tally.inputs:>9,} inputs, {tally.accepted:>9,} accepted, {tally.refused:>9,} refused,"
              f" {tally.kept:>5,} kept for {tally.lines:,} lines, {len(tally.failures)} failed")  # fmt: skip
    total = sum(tally.inputs for tally in found.values())
    failures = [failure for tally in found.values() for failure in tally.failures]
    print(f"seed {given.seed}: {total:,} inputs, {len(failures)} failed")
    for failure in failures[:20]:
        print(failure)
    if given.results is not None:
        figures = {name: asdict(tally) | {"failures": len(tally.failures)} for name, tally in found.items()}
        rounds = json.loads(given.results.read_text(encoding="utf-8")) if given.results.exists() else []
        rounds = [of for of in rounds if of["seed"] != given.seed] + [{"seed": given.seed, "readers": figures}]
        given.results.write_text(json.dumps(rounds, indent=1) + "\n", encoding="utf-8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
