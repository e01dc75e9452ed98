"""How a command ends: one exit code for each kind of end, and one line on stderr unless all is well.

0    everything asked for was written
1    a bug of symcf
2    the command line, a file or a row is not as it should be, or cannot be read or written
3    a limit was reached (time, results, nodes, clauses, memory): what was written is true, but not everything
130  interrupted (Ctrl-C); 143 terminated; 141 nobody reads the output any more
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NoReturn

from symcf.errors import InternalError, LimitError, SymcfError

__all__ = [
    "DEBUG",
    "SAVED",
    "InputError",
    "Terminated",
    "contradicted",
    "guarded",
    "leave",
    "on_terminate",
    "one_line",
    "say",
]

OK, BUG, INPUT, LIMIT = 0, 1, 2, 3
INTERRUPTED, BROKEN_PIPE, TERMINATED = 130, 141, 143

#: Show where an error came from?
DEBUG: ContextVar[bool] = ContextVar("DEBUG", default=False)

#: The saved classifier that was read, if any: one that contradicts itself may be to blame for what looks like a bug.
SAVED: ContextVar[str | None] = ContextVar("SAVED", default=None)

#: Longer messages are cut: what a file holds may be anything.
LONGEST = 600

#: Keywords of the library that are options here.
KEYWORDS = re.compile(
    r"\b(max_nodes|max_memory|time_limit|max_results|max_clauses|max_changes|n_jobs|engine='cover'|encoding='node-cut')"
)


class InputError(SymcfError):
    """Something that the user gave is wrong. The message begins with the file, if it is about one."""


class Terminated(BaseException):
    """The process was asked to end (SIGTERM)."""


def guarded(call: Callable[[], int | None]) -> int:
    """Runs a command and turns every way in which it can end into an exit code."""
    try:
        return call() or OK
    except KeyboardInterrupt:
        return failed("interrupted", INTERRUPTED)
    except Terminated:
        return failed("terminated", TERMINATED)
    except BrokenPipeError:
        return BROKEN_PIPE
    except InternalError as error:
        return contradicted(str(error.args[0])) or bug(error)
    except MemoryError:
        return failed("out of memory; the output is incomplete", LIMIT)
    except LimitError as error:
        return failed(KEYWORDS.sub(_as_option, str(error)), LIMIT)
    except SymcfError as error:
        return failed(KEYWORDS.sub(_as_option, str(error)), INPUT)
    except NotImplementedError as error:
        return failed(str(error), INPUT)
    except OSError as error:
        where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        return failed(f"{where}{error.strerror or error}", INPUT)
    except Exception as error:
        return bug(error)


def failed(message: str, code: int) -> int:
    """Says what is wrong, and returns the exit code."""
    if DEBUG.get():
        traceback.print_exc()
    say(f"error: {message}" if code in (INPUT, LIMIT) else message)
    return code


def bug(error: Exception) -> int:
    """Says that it is ours."""
    if DEBUG.get():
        traceback.print_exc()
    what = f"{type(error).__name__}: {error}" if not isinstance(error, InternalError) else str(error.args[0])
    say(f"this is a bug of symcf, please report it: {what} (--debug shows where)")
    return BUG


def contradicted(problem: str) -> int | None:
    """If a saved classifier was read, an answer that is wrong is more likely its fault than ours."""
    path = SAVED.get()
    if path is None:
        return None
    return failed(
        f"{path}: the diagram in it does not belong to its model ({problem}); compile the model again, and if that "
        f"does not help, it is a bug of symcf: please report it",
        INPUT,
    )


def say(message: str) -> None:
    """One line on stderr; silently nothing if nobody listens."""
    with contextlib.suppress(OSError, ValueError):
        print(f"symcf: {one_line(message)}", file=sys.stderr, flush=True)


def one_line(text: str, longest: int = LONGEST) -> str:
    """Without line ends and control characters, which could come from a file, and not too long."""
    words = " ".join(text[: 4 * longest].split())
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words)
    return shown if len(shown) <= longest else f"{shown[: longest - 4]} ..."


def _as_option(match: re.Match[str]) -> str:
    return "--" + match[0].replace("n_jobs", "jobs").replace("_", "-").replace("=", " ").replace("'", "")


def on_terminate(number: int, frame: Any) -> NoReturn:
    """For SIGTERM: half-written files are removed on the way out."""
    raise Terminated


def leave(code: int) -> NoReturn:
    """Ends the process. After a broken pipe as ``cat`` does, by the signal, so that shells see what they expect."""
    if code == BROKEN_PIPE:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    if code in (INTERRUPTED, TERMINATED):  # at once: everything is closed, and tidying up memory takes its time
        sys.stderr.flush()
        os._exit(code)
    raise SystemExit(code)
