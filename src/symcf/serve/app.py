"""The service over HTTP: paths, errors as JSON, OpenAPI; starting and ending.

FastAPI writes OpenAPI and finds the path. Bodies are read here, so that their size and time are limited before anything
is made of them, and so that each error is one sentence in JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from typing import Any

from symcf.common.extras import missing
from symcf.common.options import checked_count
from symcf.compiled import Compiled
from symcf.errors import InternalError
from symcf.letters.policy import Policy
from symcf.serve.answers import LONGEST, Limits, Service
from symcf.serve.processes import supervised
from symcf.serve.requests import Explained, Lettered, Problem, Reasoned, Reported, object_in, request_in

try:
    import anyio.to_thread
    import uvicorn
    from fastapi import FastAPI, Request
    from fastapi.responses import HTMLResponse, Response
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect
except ImportError as error:
    raise missing("the service", error) from None

__all__ = ["app", "run", "running"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")

#: Seconds in which a body has to arrive, and those that a connection may wait for the next request.
ARRIVAL, IDLE = 10.0, 30

#: Connections at a time; uvicorn turns others away.
CONNECTIONS = 1000

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]

log = logging.getLogger("uvicorn.error")


def app(
    c: Compiled,
    policy: Policy | None = None,
    *,
    reference: Any = None,
    limits: Limits | None = None,
    title: str | None = None,
    hosts: tuple[str, ...] | None = LOOPBACK,
) -> FastAPI:
    """The service as an ASGI application, for a server of your own; `run` serves it with uvicorn.

    Parameters
    ----------
    c:
        The compiled classifier.
    policy:
        What is asked and what letters say. Without it, there are no letters.
    reference:
        Rows that points of the score are compared with, for policies with that method.
    limits:
        What one request may take.
    title:
        The heading of the page.
    hosts:
        The names under which it may be reached; requests with another ``Host`` are turned away, so that no web page
        can reach the service through a name that it lets point here. None: any.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> sorted(symcf.serve.app(symcf.compile(admission())).openapi()["paths"])
    ['/', '/check', '/explain', '/health', '/letter', '/report', '/why']
    """
    service = Service(c, policy, reference, limits or Limits(), title)
    made = FastAPI(title="symcf", version="1", docs_url=None, redoc_url=None, redirect_slashes=False)
    made.add_exception_handler(Problem, _problem)
    made.add_exception_handler(HTTPException, _no_such_path)
    made.add_exception_handler(Exception, _bug)
    made.add_middleware(_Guard, hosts=hosts)
    limiter = anyio.CapacityLimiter(service.limits.threads)
    busy = 0

    async def answered(call: Callable[[], str], kind: str = "application/json") -> Response:
        nonlocal busy
        if busy >= service.limits.waiting:
            raise Problem(429, "busy", "too many requests at a time; try again in a second")
        busy += 1
        try:
            return Response(await anyio.to_thread.run_sync(call, limiter=limiter), media_type=kind)
        finally:
            busy -= 1

    def posted(path: str, schema: Mapping[str, Any], about: str) -> Callable[[Any], Any]:
        content = {"application/json": {"schema": schema}}
        extra = {"requestBody": {"required": True, "content": content}}
        return made.post(path, summary=about, openapi_extra=extra, responses=ERRORS)

    async def body_of(request: Request) -> str:
        return await _body(request, service.limits.body)

    @posted("/explain", Explained.model_json_schema(), "Explanations: the least that would change each decision.")
    async def explain(request: Request) -> Response:
        body = await body_of(request)
        return await answered(lambda: service.explain(request_in(Explained, object_in(body))))

    @posted("/why", Reasoned.model_json_schema(), "Sufficient reasons for each decision.")
    async def why(request: Request) -> Response:
        body = await body_of(request)
        return await answered(lambda: service.why(request_in(Reasoned, object_in(body))))

    @posted("/letter", Lettered.model_json_schema(), "The letter about one row, as the policy says.")
    async def letter(request: Request) -> Response:
        body = await body_of(request)
        return await answered(lambda: service.letter(request_in(Lettered, object_in(body))))

    @posted("/report", Reported.model_json_schema(), "The page about one row.")
    async def report(request: Request) -> Response:
        body = await body_of(request)
        return await answered(lambda: service.report(request_in(Reported, object_in(body))), "text/html")

    @posted("/check", {"type": "object", "description": "A certificate."}, "Is a certificate about this model true?")
    async def check(request: Request) -> Response:
        body = await body_of(request)
        return await answered(lambda: service.check(body))

    @made.get("/health", summary="Is the service up, and for which model?")
    async def health() -> Response:
        return Response(service.health, media_type="application/json")

    @made.get("/", summary="A page to try the classifier in.")
    async def face() -> HTMLResponse:
        return HTMLResponse(service.face)

    return made


def run(
    c: Compiled,
    policy: Policy | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    jobs: int = 1,
    started: Callable[[str], None] = lambda address: None,
    **options: Any,
) -> None:
    """Serves until it is interrupted.

    The service knows no users and no encryption. Beyond this machine, put a server in front of it that does.

    Parameters
    ----------
    c, policy, options:
        As for `app`.
    host, port:
        Where it listens; port 0: any that is free.
    jobs:
        The number of processes.
    started:
        Called with the address when it listens.
    """
    count = checked_count(jobs, "jobs", least=1) or 1
    made = app(c, policy, **{"hosts": LOOPBACK if host in LOOPBACK else None, **options})
    with _listening(host, port) as listener:
        started(address_of(listener))
        if count == 1:
            _server(made).run(sockets=[listener])
        else:
            parent = os.getpid()
            supervised(count, lambda: _server(made, parent).run(sockets=[listener]))


@contextlib.contextmanager
def running(c: Compiled, policy: Policy | None = None, *, port: int = 0, **options: Any) -> Iterator[str]:
    """Serves on this machine in another thread for as long as the block runs, and gives the address; port 0: any that
    is free. ``options`` are those of `app`.

    >>> import json, symcf, urllib.request
    >>> from symcf.demo import admission
    >>> with symcf.serve.running(symcf.compile(admission())) as address:
    ...     with urllib.request.urlopen(f"{address}/health") as answer:
    ...         print(json.load(answer)["status"])
    ok
    """
    with _listening("127.0.0.1", port) as listener:
        server = _server(app(c, policy, **options))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.005)
            yield address_of(listener)
        finally:
            server.should_exit = True
            thread.join()


def address_of(listener: socket.socket) -> str:
    """The address of a socket, for browsers."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _server(made: FastAPI, parent: int | None = None) -> uvicorn.Server:
    """A server; it ends with its parent, if that is named."""
    server = uvicorn.Server(
        uvicorn.Config(
            made,
            log_level="warning",
            access_log=False,
            lifespan="off",
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=IDLE,
            timeout_graceful_shutdown=IDLE,
        )
    )

    async def look() -> None:
        server.should_exit |= os.getppid() != parent

    if parent is not None:
        server.config.callback_notify, server.config.timeout_notify = look, 1
    return server


def _listening(host: str, port: int) -> contextlib.closing[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that asyncio sets TCP_NODELAY
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(CONNECTIONS)
    except BaseException:
        listener.close()
        raise
    return contextlib.closing(listener)


# --- bodies -----------------------------------------------------------------------------------------------------------


async def _body(request: Request, most: int) -> str:
    """The text of a body, at most so many bytes of it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # a page of another origin cannot send this without being asked first
        raise Problem(415, "type", "send JSON, with Content-Type: application/json")
    told = request.headers.get("content-length", "")
    if told.isdigit() and int(told[:12]) > most:
        raise Problem(413, "limit", f"the body has {told[:12]} bytes; at most {most:,}")
    found = bytearray()

    async def read() -> None:
        async for part in request.stream():
            found.extend(part)
            if len(found) > most:
                raise Problem(413, "limit", f"the body has more than {most:,} bytes")

    try:
        await asyncio.wait_for(read(), ARRIVAL)
        return found.decode("utf-8-sig")
    except ClientDisconnect:
        raise Problem(400, "closed", "the connection was closed before the body was complete") from None
    except TimeoutError:
        raise Problem(408, "limit", f"the body did not arrive within {ARRIVAL:g} seconds") from None
    except UnicodeDecodeError as error:
        raise Problem(400, "json", f"the body is not UTF-8: byte {error.start}") from None


# --- errors -----------------------------------------------------------------------------------------------------------

ERROR = {
    "type": "object",
    "properties": {
        "error": {"type": "object", "properties": {"kind": {"type": "string"}, "message": {"type": "string"}}}
    },
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": about, "content": {"application/json": {"schema": ERROR}}}
    for status, about in {
        400: "The body is not JSON.",
        413: "The body is too large, or has too many rows.",
        415: "The body is not declared as JSON.",
        422: "The request, a row or the question is wrong, or a limit was reached.",
        429: "Too many requests at a time.",
    }.items()
}


def _error(status: int, kind: str, message: str) -> Response:
    content = json.dumps({"error": {"kind": kind, "message": message[:LONGEST]}})
    return Response(
        content, status, media_type="application/json", headers={"Retry-After": "1"} if status == 429 else {}
    )


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return _error(error.status, error.kind, str(error))


async def _no_such_path(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = "/explain, /why, /letter, /report and /check take POST; /, /health and /openapi.json take GET"
    return _error(error.status_code, "path", f"{request.method} {request.url.path}: {known}")


async def _bug(request: Request, error: Exception) -> Response:
    log.error("%s", request.url.path, exc_info=error)
    what = str(error.args[0]) if isinstance(error, InternalError) else type(error).__name__
    return _error(500, "bug", f"this is a bug in symcf, please report it: {what}")


class _Guard:
    """Turns away requests for other hosts, and marks answers as private."""

    def __init__(self, app: Callable[..., Awaitable[None]], hosts: tuple[str, ...] | None) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Any, send: Callable[[Message], Awaitable[None]]) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *PRIVATE]
            await send(message)

        if scope["type"] == "http" and self._hosts is not None:
            given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            if len(given) != 1 or _host(given[0]) not in self._hosts:
                return await _error(400, "host", "this service is not known under that name")(scope, receive, sent)
        return await self._app(scope, receive, sent)


PRIVATE = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]


def _host(given: str) -> str:
    """The name in a Host header, without the port."""
    if given.startswith("["):
        return given[1:].partition("]")[0].lower()
    return given.partition(":")[0].lower()
