"""The command that answers over HTTP: serve."""

from __future__ import annotations

from symcf.cli.exits import say
from symcf.cli.models import open_compiled, reader_of
from symcf.cli.tables import Data, Reading, all_rows
from symcf.letters.policy import Policy

__all__ = ["serve"]


def serve(
    model: str,
    *,
    policy: str | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    reference: str | None = None,
    title: str | None = None,
    time_limit: float = 5.0,
    max_memory: int = 256,
    max_body: int = 1024,
    max_rows: int = 100,
    max_k: int = 100,
    jobs: int = 1,
    trust: bool = False,
) -> int:
    """A small HTTP service: /explain, /why, /letter, /report, /check, /health, a page at / and OpenAPI at
    /openapi.json. It keeps nothing of what it is asked. It knows no users and no encryption: by default only this
    machine reaches it.

    Example: symcf serve loans.symcf --policy policy.yaml
    """
    from symcf.serve import Limits, run  # only here: it needs fastapi

    said = None if policy is None else Policy.read(policy)
    compiled = open_compiled(model, trust=trust)
    rows = None
    if reference is not None:
        rows, _, _ = all_rows(Data(reference, compiled, Reading(extra=True)))
        compiled = reader_of(compiled, rows)
    limits = Limits(time_limit, max_memory << 20, max_body << 10, max_rows, max_k)
    started = lambda address: say(f"{model}: {address} (Ctrl-C ends it)")  # noqa: E731
    run(compiled, said, host=host, port=port, jobs=jobs, reference=rows, limits=limits, title=title, started=started)
    return 0
