"""Where tasks run: on the workers of a cluster, or on this machine."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import dask
import dask.config
from dask.callbacks import Callback
from dask.system import CPU_COUNT

from symcf.errors import JobError, OptionError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Run", "check_stopped", "chosen", "stopping"]

#: Runs tasks, reports each result as soon as it arrives, and returns all of them in order.
Run = Callable[[list[Any], Callable[[Any], None]], list[Any]]

LOCAL = ("threads", "processes", "synchronous")

#: Runs that have failed. Their tasks in other threads of this process stop at the next batch.
_stopped: set[str] = set()


def chosen(client: Client | None, scheduler: str | None) -> Run:
    """A given client, or a given scheduler, or the client that is active, or Dask's setting, or threads."""
    if client is not None and scheduler is not None:
        raise OptionError("give a client or a scheduler, not both")
    if client is None and scheduler is None:
        client = _active_client()
    if client is not None:
        if client.asynchronous:
            raise OptionError("client: an asynchronous client is not supported")
        cluster = client
        return lambda tasks, tell: _run_on(cluster, tasks, tell)
    kind = scheduler or dask.config.get("scheduler", None) or "threads"
    if kind not in LOCAL:
        raise OptionError(f"unknown scheduler {kind!r}: choose from {', '.join(map(repr, LOCAL))}, or give a client")
    return lambda tasks, tell: _run_here(kind, tasks, tell)


def _active_client() -> Any:
    if sys.modules.get("distributed") is not None:  # otherwise no client can exist
        from distributed import default_client

        with contextlib.suppress(ValueError):
            return default_client()
    return None


@contextlib.contextmanager
def stopping(run: str) -> Iterator[None]:
    """If a task of the run fails, the others are told to stop. After the context none of them is running."""
    try:
        yield
    finally:
        _stopped.discard(run)


def check_stopped(run: str) -> None:
    """Raises an error in tasks of a run that has failed; they call it from time to time."""
    if run in _stopped:
        raise JobError("stopped because another part failed")


# --- a cluster --------------------------------------------------------------------------------------------------------


def _run_on(client: Any, tasks: list[Any], tell: Callable[[Any], None]) -> list[Any]:
    """Tasks of a worker that died are run by others; the first task that fails ends the run."""
    from distributed import as_completed

    futures = client.compute(tasks)
    try:
        with client.as_current():
            for future in as_completed(futures):
                tell(_result(future))
        return list(client.gather(futures))
    except BaseException:
        client.cancel(futures)
        raise


def _result(future: Any) -> Any:
    from distributed.scheduler import KilledWorker

    try:
        return future.result()
    except KilledWorker as error:
        raise JobError(
            f"{error.task}: the workers that tried it died, the last at {error.last_worker.address}; if memory ran "
            f"out, lower batch_rows; run again to continue"
        ) from error
    except Exception as error:
        if future.status in ("cancelled", "lost"):
            raise JobError(f"the cluster has lost {future.key}; run again to continue") from error
        raise


# --- this machine -----------------------------------------------------------------------------------------------------


def _run_here(scheduler: str, tasks: list[Any], tell: Callable[[Any], None]) -> list[Any]:
    wanted = {task.key for task in tasks}

    def after(key: Any, result: Any, *_: Any) -> None:
        if key in wanted:
            tell(result)

    with contextlib.ExitStack() as stack:
        extra: dict[str, Any] = {}
        if scheduler == "threads":
            # Our own pool, because Dask does not wait for the threads of its pool when one of them fails.
            pool = ThreadPoolExecutor(dask.config.get("num_workers", None) or CPU_COUNT, "symcf-dask")
            stack.callback(pool.shutdown, cancel_futures=True)
            extra["pool"] = pool
        try:
            with Callback(posttask=after):
                return list(dask.compute(*tasks, scheduler=scheduler, **extra))
        except BaseException:
            _stopped.update(_run_of(key) for key in wanted)
            raise


def _run_of(key: Any) -> str:
    """The key of a writing task holds the run and the number of the part."""
    return str(key).rpartition(":")[0]
