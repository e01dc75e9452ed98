"""Explanations per second over HTTP: ``python bench/serve.py [--seconds N] [--clients N]``; bench/results/serve.json.

Starts ``symcf serve`` with the scorecard of the credit data on a free port of this machine, and asks for the three
cheapest ways of one row per request, over kept connections, each from a thread of its own. The client shares the
processors with the service. Prints the load of the machine before, requests per second, and the time of an answer;
``--no-store`` writes no result.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import common

import symcf

#: Requests of each client that are not counted.
FIRST = 20


def client(port: int, bodies: list[bytes], until: float, took: list[float]) -> None:
    """Asks one row after the other, and notes what each answer took."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for i, body in enumerate(itertools.cycle(bodies)):
        begin = time.perf_counter()
        if begin > until:
            return
        connection.request("POST", "/explain", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {content[:200]!r}")
        if i >= FIRST:
            took.append(time.perf_counter() - begin)


def cpu(pid: int) -> float:
    """Seconds of a processor that a process and its children have used (Linux)."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(cpu(int(child)) for child in children)


def main() -> None:
    """Prints a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-store", action="store_true")
    options = parser.parse_args()
    credit = symcf.datasets.credit()
    declined = credit.data[symcf.compile(credit.model("scorecard")).predict(credit.data) == "declined"]
    asked = {"target": "approved", "immutable": ["age", "sex"], "k": options.k}
    rows = json.loads(declined.to_json(orient="records"))
    bodies = [json.dumps({"rows": [row], **asked}).encode() for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "scorecard.json"
        credit.model("scorecard").to_json(model)
        command = [sys.executable, "-m", "symcf", "serve", str(model), "--port", "0", "--jobs", str(options.jobs)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
            try:
                assert service.stderr is not None
                port = int(re.search(r":(\d+)\b", service.stderr.readline())[1])  # type: ignore[index]
                took: list[float] = []
                until = time.perf_counter() + options.seconds
                threads = [
                    threading.Thread(target=client, args=(port, bodies[i :: options.clients], until, took))
                    for i in range(options.clients)
                ]
                begin, used = time.perf_counter(), cpu(service.pid)
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                seconds, used = time.perf_counter() - begin, cpu(service.pid) - used
            finally:
                service.terminate()
    p50, p99 = (statistics.quantiles(took, n=100)[at] * 1000 for at in (49, 98))
    each = used / (len(took) + FIRST * options.clients) * 1000
    print(f"load {common.LOAD:.1f} before, {options.clients} clients, {options.jobs} processes, k={options.k}:")
    print(f"{len(took) / seconds:,.0f} explanations per second, p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(f"{each:.2f} ms of a processor for each, without the client")
    if not options.no_store:
        measured = {"per_second": len(took) / seconds, "p50_ms": p50, "p99_ms": p99, "cpu_ms": each}
        setting = {"clients": options.clients, "processes": options.jobs, "k": options.k, "answers": len(took)}
        common.write("serve", {"machine": common.machine(), **setting, **measured})


if __name__ == "__main__":
    main()
