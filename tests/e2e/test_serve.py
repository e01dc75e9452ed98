"""The service: what it answers, what it turns away, and what it keeps of neither."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import serve_hostile

import symcf

CREDIT = symcf.datasets.credit()
ROW: dict[str, Any] = json.loads(CREDIT.data.iloc[[5]].to_json(orient="records"))[0]  # declined
GOOD: dict[str, Any] = json.loads(CREDIT.data.iloc[[0]].to_json(orient="records"))[0]


def sent(address: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
    try:
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"} if content is not None else {}
        connection.request(method, path, content, {**kind, **{k.replace("_", "-"): v for k, v in headers.items()}})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


def posted(address: str, path: str, body: Any) -> Any:
    status, text, _ = sent(address, "POST", path, body)
    assert status == 200, text
    return json.loads(text)


def refused(address: str, path: str, body: Any, status: int, kind: str) -> str:
    found, text, _ = sent(address, "POST", path, body)
    assert found == status, text
    error = json.loads(text)["error"]
    assert error["kind"] == kind, error
    return str(error["message"])


@pytest.fixture(scope="module")
def scorecard():
    return symcf.compile(CREDIT.model("scorecard"))


@pytest.fixture(scope="module")
def plain(scorecard):
    limits = symcf.serve.Limits(rows=3, results=20, body=20_000)
    with symcf.serve.running(scorecard, limits=limits) as address:
        yield address


@pytest.fixture(scope="module")
def policed(scorecard):
    with symcf.serve.running(scorecard, CREDIT.policy(), reference=CREDIT.data, title="Loans") as address:
        yield address


def test_explanations_are_those_of_the_library(plain, scorecard):
    asked = {"target": "approved", "immutable": ["age", "sex"], "allowed": {"savings": "increase"}, "max_changes": 2}
    found = posted(plain, "/explain", {"rows": [ROW, ROW], "k": 5, **asked, "cost": {"job": 3}})["explanations"]
    own = scorecard.explain(ROW, k=5, cost={"job": 3}, **asked)
    assert [symcf.Explanation.from_dict(one).sets for one in found] == [own.sets] * 2
    assert found[0]["counterfactuals"] == json.loads(own.to_json())["counterfactuals"]


def test_reasons_are_those_of_the_library(plain, scorecard):
    (found,) = posted(plain, "/why", {"rows": [ROW], "k": 4})["reasons"]
    assert found == json.loads(json.dumps(scorecard.why(ROW, k=4).to_dict()))
    (wide,) = posted(plain, "/why", {"rows": [ROW], "k": 4, "general": True})["reasons"]
    assert wide == json.loads(json.dumps(scorecard.why(ROW, k=4, general=True).to_dict()))


def test_certificates_are_checked_against_the_model(plain, scorecard):
    (certificate,) = posted(plain, "/explain", {"rows": [ROW], "k": 2, "certificate": True})["certificates"]
    assert symcf.check(certificate, scorecard)
    assert posted(plain, "/check", certificate)["true"] is True
    assert posted(plain, "/check", certificate | {"decision": 0})["true"] is False
    other = symcf.compile(CREDIT.model("tree")).explain(ROW, k=2).certificate()
    assert posted(plain, "/check", other.data)["failed"] == "fingerprint"


def test_the_policy_asks_the_question(policed, scorecard):
    policy = CREDIT.policy()
    own = scorecard.explain(ROW, **policy.question(scorecard.features, scorecard.values, scorecard.classes), k=10)
    (found,) = posted(policed, "/explain", {"rows": [ROW]})["explanations"]
    assert symcf.Explanation.from_dict(found).sets == own.sets
    (fewer,) = posted(policed, "/explain", {"rows": [ROW], "immutable": ["savings"]})["explanations"]
    assert symcf.Explanation.from_dict(fewer).sets == [
        s for s in own.sets if scorecard.features.index("savings") not in s
    ]
    assert "the policy says it" in refused(policed, "/explain", {"rows": [ROW], "target": "declined"}, 422, "question")


def test_letters_are_those_of_the_library(policed, scorecard):
    asked = {"row": ROW, "name": "A006", "language": "de", "date": "2026-11-18"}
    found = posted(policed, "/letter", asked)
    options: dict[str, Any] = {"names": ["A006"], "language": "de", "date": "2026-11-18", "data": CREDIT.data}
    record, letter = next(symcf.letters.letters(scorecard, [ROW], CREDIT.policy(), **options))
    assert (found["letter"], found["record"]["status"]) == (letter.html, "written")
    assert tuple(found["record"]["reasons"]) == record.reasons
    assert posted(policed, "/letter", {"row": GOOD})["letter"] is None


def test_letters_need_a_policy(plain):
    assert "--policy" in refused(plain, "/letter", {"row": ROW}, 422, "question")


def test_points_need_rows_to_compare_with(scorecard):
    with pytest.raises(symcf.OptionError, match="give reference"):
        symcf.serve.app(scorecard, CREDIT.policy())


def test_pages_load_nothing_and_send_nothing(policed):
    for status, page, headers in (
        sent(policed, "GET", "/"),
        sent(policed, "POST", "/report", {"row": ROW, "name": "A006"}),
    ):
        assert status == 200
        assert "default-src 'none'" in page
        assert not re.search(r"""(src|href)=["'](?!#|data:)""", page)
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
    assert "Loans" in sent(policed, "GET", "/")[1]


def test_health_and_openapi(plain, scorecard):
    health = json.loads(sent(plain, "GET", "/health")[1])
    assert (health["status"], health["features"]) == ("ok", list(scorecard.features))
    described = json.loads(sent(plain, "GET", "/openapi.json")[1])
    paths = {"/", "/health", "/explain", "/why", "/letter", "/report", "/check"}
    assert set(described["paths"]) == paths
    body = described["paths"]["/explain"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {"rows", "target", "immutable", "k"} <= set(body["properties"])
    assert sent(plain, "GET", "/docs")[0] == 404  # its page would load scripts from elsewhere


@pytest.mark.parametrize(
    ("body", "status", "kind", "words"),
    [
        (b"{", 400, "json", "not JSON"),
        (b"[]", 400, "json", "must be a JSON object"),
        (b'{"rows": [], "rows": []}', 400, "json", "'rows' is there twice"),
        (b'{"rows": [{"age": NaN}]}', 400, "json", "NaN"),
        (b'{"rows": [{"age": 1e999}]}', 400, "json", "too large"),
        (b'{"rows": [{"age": %s}]}' % (b"9" * 500), 400, "json", "digits"),
        (b'{"rows": [{"job": "\\ud800"}]}', 400, "json", "half of a pair"),
        (b"[" * 10_000, 400, "json", "too deeply"),
        (b"\xff{}", 400, "json", "not UTF-8"),
        (b" " * 30_000, 413, "limit", "at most 20,000"),
        ({"rows": [ROW] * 4}, 413, "limit", "at most 3"),
        ({"rows": [ROW], "k": 21}, 422, "limit", "at most 20"),
        ({"rows": []}, 422, "request", "rows: "),
        ({}, 422, "request", "rows: is missing"),
        ({"row": ROW, "rows": [ROW]}, 422, "request", "row: there is no such key; did you mean 'rows'?"),
        ({"rows": [ROW], "k": "3"}, 422, "request", "k: must be a whole number"),
        ({"rows": [ROW], "k": True}, 422, "request", "k: must be a whole number"),
        ({"rows": [{**ROW, "age": [1]}]}, 422, "request", "rows[0].age: must be text, a number"),
        ({"rows": [ROW, {**ROW, "age": "old"}]}, 422, "row", "row 1, column 'age'"),
        ({"rows": [{"age": 3}]}, 422, "row", "row 0"),
        ({"rows": [ROW], "immutable": ["agee"]}, 422, "question", "did you mean 'age'?"),
        ({"rows": [ROW], "target": "no"}, 422, "question", "target"),
        ({"rows": [ROW], "constraints": ["age <"]}, 422, "question", "constraint"),
    ],
)  # fmt: skip
def test_wrong_requests_are_told_what_is_wrong(plain, body, status, kind, words):
    assert words in refused(plain, "/explain", body, status, kind)


def test_what_time_did_not_suffice_for_is_marked(plain):
    for one in posted(plain, "/explain", {"rows": [ROW] * 3, "time_limit": 1e-9})["explanations"]:
        assert (one["status"], one["complete"]) == ("time_limit", False)


def test_other_paths_methods_types_and_hosts_are_turned_away(plain):
    right = {"rows": [ROW]}
    assert sent(plain, "POST", "/explian", right)[0] == 404
    assert sent(plain, "GET", "/explain")[0] == 405
    assert sent(plain, "POST", "/explain", right, Content_Type="text/plain")[0] == 415
    for host in ("evil.example", "127.0.0.1.evil.example", ""):
        status, text, _ = sent(plain, "POST", "/explain", right, Host=host)
        assert (status, json.loads(text)["error"]["kind"]) == (400, "host")
    assert sent(plain, "GET", "/health", Host="localhost:1")[0] == 200


def test_too_many_at_a_time_are_told_to_come_back(scorecard):
    limits = symcf.serve.Limits(waiting=1, threads=1)
    seen: list[int] = []
    with symcf.serve.running(scorecard, limits=limits) as address:
        body = {"rows": [ROW] * 50, "k": 100}
        ask = lambda: seen.append(sent(address, "POST", "/explain", body)[0])  # noqa: E731
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {*seen} == {200, 429}
        assert posted(address, "/explain", {"rows": [ROW], "k": 1})["explanations"]


def test_a_bug_has_no_traceback_in_the_answer(scorecard, monkeypatch):
    from symcf.serve.answers import Service

    def broken(self, asked):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Service, "why", broken)
    with symcf.serve.running(scorecard) as address:
        status, text, _ = sent(address, "POST", "/why", {"rows": [ROW]})
    assert (status, json.loads(text)["error"]["kind"]) == (500, "bug")
    assert "secret" not in text
    assert "Traceback" not in text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.long
def test_several_processes_serve_and_end_together(tmp_path: Path):
    CREDIT.save(tmp_path)
    command = [sys.executable, "-m", "symcf", "serve", "scorecard.json", "--port", "0", "--jobs", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as service:
        assert service.stderr is not None
        address = re.search(r"http://[\d.:]+", service.stderr.readline())[0]  # type: ignore[index]
        try:
            for _ in range(10):
                assert posted(address, "/explain", {"rows": [ROW], "k": 1})["explanations"]
            children = children_of(service.pid)
            assert len(children) == 2
            os.kill(children[0], signal.SIGKILL)
            until = time.monotonic() + 60
            while children_of(service.pid) == children or len(children_of(service.pid)) < 2:
                assert time.monotonic() < until
                time.sleep(0.1)
            assert posted(address, "/explain", {"rows": [ROW], "k": 1})["explanations"]
            children = children_of(service.pid)
        finally:
            service.terminate()
        assert service.wait(60) == 143
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def children_of(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def test_hostile_requests_are_refused_and_leave_no_trace():
    assert serve_hostile.attacked(100, seed=3) == []
