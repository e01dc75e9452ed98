"""How a command ends: an exit code, and one line on stderr unless everything went well.

0    everything asked for was written
1    a bug in symcf; `symcf diff`: the classifiers differ; `symcf audit`: a limit that was given is broken; `symcf
     check`: a certificate is rejected; `symcf letters`: a letter was stopped
2    the command line, a file or a row is wrong, or a file cannot be read or written
3    a limit was reached (time, results, nodes, clauses, memory): the output is correct but incomplete
130  interrupted (Ctrl-C); 143 terminated; 141 the reader of the output has gone
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

#: The saved classifier that was read, if any: if it contradicts itself, it may cause what looks like a bug.
SAVED: ContextVar[str | None] = ContextVar("SAVED", default=None)

#: Longer messages are cut, since they may quote anything that a file holds.
LONGEST = 600

#: Keywords of the library that are options here, wherever they stand in a message, or as its first word; but not names
#: that it quotes.
KEYWORDS = re.compile(
    r"(?<![\w'\"])(max_nodes|max_memory|time_limit|max_results|max_clauses|max_changes|n_jobs|engine='(?:cover|auto|boxes|diagram|query)'|encoding='node-cut'"
    r"|(?:data|scale)=|allowed=(?=,|;|$))"
    r"|^(?:allow|allowed|constraints|cost|diverse|groups|pareto|immutable|min_plausibility|minimality|monotone|protected|resolution"
    r"|scale|select|target|units|wording)(?=:|\[|=')"
)

#: Options that are not named after their keyword.
RENAMED = {
    "n_jobs": "--jobs",
    "units": "--unit",
    "constraints": "--constraint",
    "data=": "--scale-data",
    "encoding='node-cut'": "--clauses node-cut",
}

#: Advice that is code, and what to write instead.
PHRASES = (
    (re.compile(r"give reference, a table of them"), "give --reference FILE, a table of them"),
    (re.compile(r"symcf\.compile\(model, plausibility=data\)"), "symcf compile --plausible DATA"),
    (re.compile(r"(?<![\w'\"])(select|minimality)='([a-z]+)'"), r"--\1 \2"),
    (re.compile(r"scale=\{(['\"])(.*?)\1: (.*?)\}"), r"--scale \2=WHAT: \3"),
)

#: A place in a file of the user.
IN_FILE = re.compile(r" \(line \d+\): ")

#: The end of a message that points into the text it is about.
POINTING = re.compile(r"\n {2}(.*)\n {2}( *\^.*)\Z")


class InputError(SymcfError):
    """Something the user gave is wrong. The message begins with the file, if it is about one."""


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
        return failed(_in_options(str(error)), LIMIT)
    except SymcfError as error:
        return failed(_in_options(str(error)), INPUT)
    except NotImplementedError as error:
        return failed(str(error), INPUT)
    except OSError as error:
        where = "" if error.filename is None else f"{os.fsdecode(error.filename) or repr('')}: "
        return failed(f"{where}{error.strerror or error}", INPUT)
    except Exception as error:
        return bug(error)


def failed(message: str, code: int) -> int:
    """Prints what is wrong, and returns the exit code."""
    if DEBUG.get():
        traceback.print_exc()
    point = POINTING.search(message)
    say(f"error: {message[: point.start() if point else None]}" if code in (INPUT, LIMIT) else message)
    if point:
        with contextlib.suppress(OSError, ValueError):
            print(*(f"  {_printable(line)}" for line in point.groups()), sep="\n", file=sys.stderr, flush=True)
    return code


def bug(error: Exception) -> int:
    """Reports a bug in symcf."""
    if DEBUG.get():
        traceback.print_exc()
    what = f"{type(error).__name__}: {error}" if not isinstance(error, InternalError) else str(error.args[0])
    say(f"this is a bug in symcf, please report it: {what} (--debug shows where)")
    return BUG


def contradicted(problem: str) -> int | None:
    """The file of the saved classifier, if one was read: it causes a wrong answer more likely than a bug does."""
    path = SAVED.get()
    if path is None:
        return None
    return failed(
        f"{path}: the diagram in it does not match its model ({problem}); compile the model again, and if that "
        f"does not help, please report a bug in symcf",
        INPUT,
    )


def say(message: str) -> None:
    """Prints one line on stderr; does nothing if stderr is closed."""
    with contextlib.suppress(OSError, ValueError):
        print(f"symcf: {one_line(message)}", file=sys.stderr, flush=True)


def one_line(text: str, longest: int = LONGEST) -> str:
    """The message without line ends and control characters, which could come from a file, and cut if it is too long."""
    words = " ".join(text[: 4 * longest].split())
    shown = _printable(words)
    return shown if len(shown) <= longest else f"{shown[: longest - 4]} ..."


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _in_options(message: str) -> str:
    """A message of the library, with options of commands in place of keywords; but keys of a file are no keywords."""
    if IN_FILE.search(message):
        return message
    for said, here in PHRASES:
        message = said.sub(here, message)
    return KEYWORDS.sub(_as_option, message)


def _as_option(match: re.Match[str]) -> str:
    return RENAMED.get(match[0], "--" + match[0].replace("_", "-").replace("=", " ").replace("'", "").rstrip())


def on_terminate(number: int, frame: Any) -> NoReturn:
    """For SIGTERM: half-written files are removed on the way out."""
    raise Terminated


def leave(code: int) -> NoReturn:
    """Ends the process. After a broken pipe by the signal, as ``cat`` does, so that shells see what they expect."""
    if code == BROKEN_PIPE:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):  # it was told; Python would try again, and end with a code of its own
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if code in (INTERRUPTED, TERMINATED):  # immediately: everything is closed, and freeing memory would take long
        sys.stderr.flush()
        os._exit(code)
    raise SystemExit(code)
