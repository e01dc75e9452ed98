"""Many plans, in a child process that may crash or hang without taking the driver along.

The child says which sequence it begins; if it dies or falls silent, that one is to blame. Children are forked, so that
they need not import everything again. Failures are shrunk, each attempt in a child of its own, and written as scripts.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from torture import plans
from torture.shrink import shrink

#: Seconds of silence after which a sequence is taken for a hang; one takes milliseconds.
HANG = 120.0

Say = Callable[[dict[str, Any]], None]


@dataclasses.dataclass
class Failed:
    """A sequence that went wrong."""

    number: int
    what: str
    kind: str
    script: Path | None = None


@dataclasses.dataclass
class Outcome:
    """What a round came to."""

    seed: int
    tally: plans.Tally
    failures: list[Failed]

    def __str__(self) -> str:
        tally = self.tally
        return (
            f"seed {self.seed}: {tally.sequences:,} sequences, {tally.calls:,} calls, {tally.checks:,} answers checked,"
            f" {len(self.failures)} failed"
        )


@contextlib.contextmanager
def directory() -> Iterator[str]:
    """For files that come and go; in memory where that is possible."""
    memory = "/dev/shm"
    inside = memory if os.path.isdir(memory) and os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="torture-", dir=inside) as here:
        yield here


# --- children ---------------------------------------------------------------------------------------------------------


def in_child(work: Callable[[Say], None]) -> Iterator[dict[str, Any]]:
    """What a forked child says; at the end {"end": why}, where why is None, "hang" or "signal N"."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            work(lambda message: _write_all(writing, json.dumps(message).encode() + b"\n"))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    end, closed = None, False
    try:
        buffer = b""
        while not closed:
            if not select.select([reading], [], [], HANG)[0]:
                end = "hang"
                break
            part = os.read(reading, 1 << 16)
            closed = not part
            *lines, buffer = (buffer + part).split(b"\n")
            yield from map(json.loads, lines)
    finally:
        os.close(reading)
        if not closed:  # also if whoever listens has gone
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if end is None and os.WIFSIGNALED(status):
        end = f"signal {os.WTERMSIG(status)}"
    elif end is None and os.WEXITSTATUS(status):
        end = f"exit code {os.WEXITSTATUS(status)}"
    yield {"end": end}


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _work(seed: int, numbers: range, until: float | None, most_failures: int, names: dict[str, Any], say: Say) -> None:
    """Runs plans until there are none left, the time is over, or enough of them failed."""
    tally, failures = plans.Tally(), 0
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*can only be 0 or 1 then")  # as all columns of these estimators are
    for number in numbers:
        if (until is not None and time.monotonic() > until) or failures >= most_failures:
            break
        say({"at": number, **dataclasses.asdict(tally)})
        plan = plans.draw(seed, number)
        try:
            plans.run(plan, names, tally)
        except plans.Failure as failure:
            tally.sequences += 1
            failures += 1
            say({"failed": number, "what": str(failure), "kind": failure.kind})
    say({"at": None, **dataclasses.asdict(tally)})


def how_it_fails(plan: plans.Plan, names: dict[str, Any]) -> str | None:
    """The kind of failure of a plan, in a child of its own; None if it does not fail."""

    def work(say: Say) -> None:
        try:
            plans.run(plan, names)
        except plans.Failure as failure:
            say({"kind": failure.kind})

    kind: str | None = None
    for message in in_child(work):
        kind = message.get("kind", message.get("end") or kind)
    return kind


# --- rounds -----------------------------------------------------------------------------------------------------------


def round_of(
    seed: int,
    first: int = 0,
    count: int | None = None,
    minutes: float | None = None,
    scripts: Path | None = None,
    most_failures: int = 20,
) -> Outcome:
    """Runs plans `first`, `first` + 1, ... and shrinks what fails. Scripts are written to a directory, if given."""
    until = None if minutes is None else time.monotonic() + 60 * minutes
    numbers = range(first, sys.maxsize if count is None else first + count)
    outcome = Outcome(seed, plans.Tally(), [])
    with directory() as here:
        names = plans.namespace(here)
        while numbers and len(outcome.failures) < most_failures:
            numbers = _one_child(outcome, numbers, until, most_failures, names)
        if scripts is not None:
            of_a_kind = {failed.kind: failed for failed in reversed(outcome.failures)}  # the first of each
            for failed in of_a_kind.values():
                failed.script = _shrunk(seed, failed, names, scripts)
    return outcome


def _one_child(
    outcome: Outcome, numbers: range, until: float | None, most_failures: int, names: dict[str, Any]
) -> range:
    """Lets a child work until it is done or dead; the numbers that are left."""
    at: int | None = numbers.start
    counted = plans.Tally()
    left = most_failures - len(outcome.failures)
    for message in in_child(lambda say: _work(outcome.seed, numbers, until, left, names, say)):
        if "at" in message:
            at = message["at"]
            counted = plans.Tally(message["sequences"], message["calls"], message["checks"])
        elif "failed" in message:
            outcome.failures.append(Failed(message["failed"], message["what"], message["kind"]))
            print(f"seed {outcome.seed}, sequence {message['failed']}: {message['what'][:400]}", flush=True)
        elif message["end"] is not None and at is not None:
            outcome.failures.append(Failed(at, message["end"], message["end"]))
            print(f"seed {outcome.seed}, sequence {at}: {message['end']}", flush=True)
    outcome.tally.sequences += counted.sequences
    outcome.tally.calls += counted.calls
    outcome.tally.checks += counted.checks
    return range(0) if at is None else range(at + 1, numbers.stop)


def _shrunk(seed: int, failed: Failed, names: dict[str, Any], scripts: Path) -> Path:
    plan = plans.draw(seed, failed.number)
    small = shrink(plan, lambda candidate: how_it_fails(candidate, names) == failed.kind)
    scripts.mkdir(parents=True, exist_ok=True)
    path = scripts / f"torture_{seed}_{failed.number}.py"
    path.write_text(plans.script(small, f"seed {seed}, sequence {failed.number}: {failed.what}"), encoding="utf-8")
    return path


def main(arguments: list[str] | None = None) -> int:
    """The command line; 1 if something failed."""
    parser = argparse.ArgumentParser(description="Random sequences of calls of symcf, checked against brute force.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, help="how long to go on; 1 without --count")
    parser.add_argument("--count", type=int, help="how many sequences")
    parser.add_argument("--first", type=int, default=0, help="the number of the first sequence")
    parser.add_argument("--scripts", type=Path, default=Path("build/torture"), help="where scripts of failures go")
    parser.add_argument("--results", type=Path, help="a JSON file to add the figures of this seed to")
    given = parser.parse_args(arguments)
    minutes = 1.0 if given.minutes is None and given.count is None else given.minutes
    start = time.monotonic()
    outcome = round_of(given.seed, given.first, given.count, minutes, given.scripts)
    seconds = time.monotonic() - start
    for failed in outcome.failures:
        if failed.script is not None:
            print(f"{failed.script}: {failed.what.splitlines()[0][:200]}")
    print(f"{outcome}, {outcome.tally.sequences / seconds:.0f} sequences per second")
    if given.results is not None:
        figures = {"seed": given.seed, "first": given.first, "seconds": round(seconds, 1)}
        figures |= dataclasses.asdict(outcome.tally) | {"failures": len(outcome.failures)}
        rounds = json.loads(given.results.read_text(encoding="utf-8")) if given.results.exists() else []
        rounds = [of for of in rounds if of["seed"] != given.seed] + [figures]
        given.results.write_text(json.dumps(rounds, indent=1) + "\n", encoding="utf-8")
    return 1 if outcome.failures else 0
