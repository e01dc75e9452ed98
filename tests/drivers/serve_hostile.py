"""Hostile requests for ``symcf serve``: ``python tests/drivers/serve_hostile.py --count 10000 --seed 0``.

Starts the service in a process of its own, and sends it requests that are wrong in every way that the list below knows:
bodies that are no JSON, too large, too deep, of wrong types, with strange cells, names and rules; damaged certificates;
other paths, methods, headers and hosts; and bytes that are no HTTP. Each has to be answered by a status of 400 to 499
with a message in JSON (by 200 only where chance made it a right one), or, where it is no HTTP, by an end of the
connection. Then the service has to be alive, to answer a right request as before, and to have little more memory.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import symcf

#: Bytes by which the process may grow between the first hundred requests and the last.
GROWTH = 100 << 20

Answer = tuple[int, bytes]


class Service:
    """The service under attack."""

    def __init__(self, folder: Path) -> None:
        credit = symcf.datasets.credit()
        credit.save(folder)
        command = [sys.executable, "-m", "symcf", "serve", "scorecard.json", "--policy", "policy.yaml"]
        command += ["--reference", "credit.csv"]
        command += ["--port", "0", "--time-limit", "2", "--max-body", "64"]
        self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found is not None, line + self.process.stderr.read()
        self.port = int(found[1])
        self.row: dict[str, Any] = json.loads(credit.data.iloc[[5]].to_json(orient="records"))[0]
        right = {"rows": [self.row], "k": 3, "certificate": True}
        status, body = self.post("/explain", json.dumps(right).encode())
        assert status == 200, body
        self.right, self.first = right, body
        self.certificate = json.dumps(json.loads(body)["certificates"][0])

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def post(self, path: str, body: bytes) -> Answer:
        return self.send("POST", path, body, {"Content-Type": "application/json"})

    def raw(self, content: bytes) -> bytes:
        """What comes back for bytes; empty if the connection is ended without a word."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            try:
                connection.sendall(content)
                connection.shutdown(socket.SHUT_WR)
                found = b""
                while part := connection.recv(65536):
                    found += part
                return found
            except (ConnectionResetError, BrokenPipeError):
                return b""

    def resident(self) -> int:
        """Bytes of the process."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) << 10  # type: ignore[index]


STRANGE: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    -(2**63),
    10**30,
    1.5,
    -0.0,
    1e308,
    "",
    "0",
    "x",
    "A" * 5000,
    "a\0b",
    "\x1b[31m",
    "\u202eevil",
    "approved",
    "declined",
    "increase",
    "distance",
    "__proto__",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "'; DROP TABLE rows; --",
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"age": {}},
    [1, 2, 3],
    ["age"] * 50,
    {"a": {"b": {"c": []}}},
    ["income"],
    {"income": "increase"},
    {"income": [0, 10]},
    {"income": [10, 0]},
    {"age": 10**400},
    {"job": ["none", "none"]},
]
WORDS = [
    *("age", "income", "job", "sex", "old.income", "change.age", "at_most", "(", ")", "->", "and", "or", "not", "="),
    *("!=", "<=", "<", "+", "-", "*", "/", "1", "0", "1e400", "none", "'none'", ",", "in", "{", "}", "\\", "\n", "é"),
]
KEYS = [
    *("rows", "row", "target", "immutable", "allowed", "constraints", "k", "max_changes", "time_limit", "cost", "name"),
    *("certificate", "general", "columns", "language", "date", "Rows", "rowss", "", "\0", "__class__"),
]
POSTED = ["/explain", "/why", "/letter", "/report"]


def body_for(path: str, service: Service) -> dict[str, Any]:
    return {"rows": [service.row]} if path in ("/explain", "/why") else {"row": service.row}


def wrong_value(random: random.Random, service: Service) -> Answer:
    path = random.choice(POSTED)
    body = body_for(path, service)
    for _ in range(random.randint(1, 3)):
        body[random.choice(KEYS)] = random.choice(STRANGE)
    return service.post(path, json.dumps(body).encode())


def wrong_cell(random: random.Random, service: Service) -> Answer:
    path = random.choice(POSTED)
    row = dict(service.row)
    for _ in range(random.randint(1, 4)):
        row[random.choice([*row, "extra", ""])] = random.choice(STRANGE)
    if random.random() < 0.3:
        del row[random.choice(list(row))]
    body = {"rows": [row] * random.choice([1, 1, 2, 101])} if path in ("/explain", "/why") else {"row": row}
    return service.post(path, json.dumps(body).encode())


def wrong_rule(random: random.Random, service: Service) -> Answer:
    rules = [" ".join(random.choices(WORDS, k=random.randint(1, 30))) for _ in range(random.randint(1, 3))]
    if random.random() < 0.2:
        rules.append("(" * random.choice([50, 5000]) + "age < 3")
    body = {"rows": [service.row], "constraints": rules, "k": 3}
    return service.post(random.choice(["/explain", "/why"]), json.dumps(body).encode())


def damaged(random: random.Random, service: Service) -> Answer:
    path = random.choice([*POSTED, "/check"])
    content = bytearray((service.certificate if path == "/check" else json.dumps(body_for(path, service))).encode())
    for _ in range(random.randint(1, 5)):
        at = random.randrange(len(content))
        content[at : at + random.randint(0, 4)] = random.randbytes(random.randint(0, 4))
    return service.post(path, bytes(content))


def no_json(random: random.Random, service: Service) -> Answer:
    half = b'{"row": {"age": "\\ud800"}}'
    bodies = [
        b"",
        b"null",
        b"[]",
        b"1",
        b'"x"',
        b"{",
        b"nan",
        b'{"rows": NaN}',
        b'{"rows": [{"age": 1e999}]}',
        b"\xff\xfe",
        b"\x00" * 100,
        b"[" * 20000,
        b'{"a":' * 9000,
        b'{"rows": ' + b"9" * 20000 + b"}",
        b'{"rows": [], "rows": []}',
        half,
        b'{"row": {}, "name": "\\ud800"}',
        random.randbytes(random.randint(1, 2000)),
    ]
    return service.post(random.choice([*POSTED, "/check"]), random.choice(bodies))


def wrong_certificate(random: random.Random, service: Service) -> Answer:
    data = json.loads(service.certificate)
    at = data
    while isinstance(at, (dict, list)) and at:
        key = random.choice(list(at)) if isinstance(at, dict) else random.randrange(len(at))
        if random.random() < 0.4 or not isinstance(at[key], (dict, list)) or not at[key]:
            at[key] = random.choice(STRANGE)
            break
        at = at[key]
    return service.post("/check", json.dumps(data).encode())


def wrong_head(random: random.Random, service: Service) -> Answer:
    right = json.dumps(service.right).encode()
    kind = {"Content-Type": "application/json"}
    cases: list[Callable[[], Answer]] = [
        lambda: service.send(
            "POST", "/explain", right, {"Content-Type": random.choice(["text/plain", "", "x" * 3000])}
        ),
        lambda: service.send(
            random.choice(["PUT", "DELETE", "PATCH", "GET", "BREW"]), random.choice(POSTED), right, kind
        ),
        lambda: service.send(
            "POST", random.choice(["/", "/health", "/openapi.json", "//", "/../x", "/%00", "/explain/"]), right, kind
        ),
        lambda: service.send("GET", f"/{'a' * random.randint(1, 9000)}?x=%ff", None, {}),
        lambda: service.send(
            "POST", "/explain", right, kind | {"Host": random.choice(["evil.example", "", "127.0.0.1.evil"])}
        ),
        lambda: service.post("/explain", b" " * (65 << 10)),
        lambda: service.send("POST", "/explain", right, kind | {"Content-Encoding": "gzip", "Host": "x"}),
    ]
    return random.choice(cases)()


def no_http(random: random.Random, service: Service) -> Answer:
    head = b"POST /explain HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    contents = [
        random.randbytes(random.randint(1, 500)),
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n" * 50,
        b"GET " + b"x" * 100_000,
        head + b"Content-Length: -1\r\n\r\n",
        head + b"Content-Length: 99\r\n\r\n{",
        head + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
        head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        head + b"Content-Length: 999999999999999999999\r\n\r\n{}",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1\r\n\r\n",
        head + b"".join(b"X-%d: y\r\n" % i for i in range(5000)) + b"\r\n",
    ]
    found = service.raw(random.choice(contents))
    if not found:
        return 0, b""
    status = re.match(rb"HTTP/1\.1 (\d+)", found)
    assert status is not None, found[:200]
    return int(status[1]), b""


ATTACKS = (wrong_value, wrong_cell, wrong_rule, damaged, no_json, wrong_certificate, wrong_head, no_http)

#: Attacks that chance may turn into right requests; a damaged certificate is one whose verdict is "rejected".
MAY_BE_RIGHT = (wrong_value, wrong_cell, wrong_rule, damaged, wrong_certificate)


def problem_of(attack: Callable[..., Answer], answer: Answer) -> str | None:
    """What is wrong with an answer."""
    status, body = answer
    if status == 0:
        return None if attack is no_http else "no answer"
    if status == 200 and attack in MAY_BE_RIGHT:
        return None
    if not 400 <= status < 500:
        return f"status {status}: {body[:300]!r}"
    if attack is no_http:
        return None
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return f"status {status} without a message in JSON: {body[:300]!r}"
    if "Traceback" in error["message"] or len(error["message"]) > 700 or not error["message"]:
        return f"message: {error['message'][:300]!r}"
    return None


def attacked(count: int, seed: int, *, tell: bool = False) -> list[str]:
    """What went wrong in so many requests."""
    random_ = random.Random(seed)
    problems: list[str] = []
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder))
        try:
            before = 0
            for i in range(count):
                state = random_.getstate()
                attack = random_.choice(ATTACKS)
                try:
                    answer = attack(random_, service)
                except OSError as error:
                    answer = (-1, repr(error).encode())
                seen[f"{attack.__name__} {answer[0]}"] += 1
                if (problem := problem_of(attack, answer)) is not None:
                    problems.append(f"request {i}, {attack.__name__}: {problem}")
                    del state
                if i == min(100, count // 2):
                    before = service.resident()
            if service.process.poll() is not None:
                problems.append(f"the service ended with {service.process.returncode}")
            else:
                grown = service.resident() - before
                if grown > GROWTH:
                    problems.append(f"the service grew by {grown >> 20} MB")
                if service.post("/explain", json.dumps(service.right).encode()) != (200, service.first):
                    problems.append("the right request has another answer than before")
                if tell:
                    print(f"grown by {grown / 2**20:.1f} MB")
        finally:
            service.process.terminate()
            _, log = service.process.communicate(timeout=60)
        if "Traceback" in log:
            problems.append(f"the log has a traceback: {log[-1500:]}")
    if tell:
        for name, times in sorted(seen.items()):
            print(f"{times:6} {name}")
    return problems


def main() -> None:
    """Tells what went wrong; exit code 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    problems = attacked(options.count, options.seed, tell=True)
    for problem in problems[:50]:
        print(problem)
    print(f"{options.count} requests, {len(problems)} problems")
    raise SystemExit(bool(problems))


if __name__ == "__main__":
    main()
