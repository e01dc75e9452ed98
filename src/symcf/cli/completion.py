"""Completion for shells: the command that prints a script for one, and what the script asks for.

The script calls ``symcf`` with the words so far, and with _SYMCF_COMPLETE set to the name of the shell; the answer is
one word per line. Bash hands over the line instead, since it also splits words at "=" and ":".
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Literal

import click

__all__ = ["complete", "completion"]


SCRIPTS = {
    "bash": """\
_symcf() {
    local IFS=$'\\n'
    COMPREPLY=($(_SYMCF_COMPLETE=bash COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" symcf 2>/dev/null))
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _symcf symcf
""",
    "zsh": """\
#compdef symcf
_symcf() {
    local -a found
    found=("${(@f)$(_SYMCF_COMPLETE=zsh symcf "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    found=(${found:#})
    if (( $#found )); then
        compadd -S '' -- ${(M)found:#*=}
        compadd -- ${found:#*=}
    else
        _files
    fi
}
compdef _symcf symcf
""",
    "fish": """\
function __symcf_complete
    set -l word (commandline -ct)
    for end in '' "'" '"'
        set -l plain (string unescape -- "$word$end"); and set word $plain; and break
    end
    set -l found (_SYMCF_COMPLETE=fish symcf (commandline -opc)[2..-1] "$word" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c symcf -f -a '(__symcf_complete)'
""",
}


def completion(
    shell: Literal["bash", "zsh", "fish"],
) -> int:
    """A script that teaches a shell to complete commands, options, and the features and classes of the model.

    Example: eval "$(symcf completion bash)"
    """
    print(SCRIPTS[shell], end="")
    return 0


def complete(shell: str, words: Sequence[str], commands: click.Group) -> int:
    """Prints what the last word may become."""
    from click.shell_completion import ShellComplete

    if shell == "bash":
        line = os.environ.get("COMP_LINE", "")
        words = _words(line[: int(os.environ.get("COMP_POINT", len(line)))])
    *before, current = words or [""]
    shells = ShellComplete(commands, {"obj": partial(_named, before)}, "symcf", "_SYMCF_COMPLETE")
    items = shells.get_completions(list(before), current)
    option, sign, _ = current.partition("=") if current.startswith("--") else ("", "", "")
    possible = [f"{option}=" * bool(sign) + item.value for item in items if item.type == "plain"]
    # one word per line: those that would be several, or change the terminal, cannot be completed
    found = [word for word in possible if word.startswith(current) and word.isprintable()]
    if current.startswith("-") and not sign:
        found = sorted(word for word in found if word.startswith("--"))
    if shell == "bash":
        found = [_for_bash(word, current) for word in found]
    print("\n".join(found), end="\n" if found else "")
    return 0


def _words(line: str) -> list[str]:
    """The words of a line that may end within quotes, without the program; the last may be empty."""
    for end in ("", "'", '"'):
        try:
            words = shlex.split(line + end)
            break
        except ValueError:
            continue
    else:
        return [""]
    return words[1:] + [""] * (line[-1:].isspace() and not end)


def _for_bash(word: str, current: str) -> str:
    """What bash replaces by it begins after the last "=" or ":"."""
    start = max(current.rfind("="), current.rfind(":")) + 1
    return "".join(c if c.isalnum() or c in "-_./=,:%+@" or ord(c) > 127 else f"\\{c}" for c in word[start:])


def _named(words: Sequence[str], names: str, ctx: click.Context, current: str) -> list[str]:
    """The names in the model or the table of a command line that may become the value of an option."""
    # click reads no arguments where the last option has no value yet
    takes = {s for p in ctx.command.params if isinstance(p, click.Option) and not p.is_flag for s in p.opts}
    loose = [word for last, word in pairwise(["", *words]) if word[:1] != "-" and last not in takes]
    try:
        return _names_in(loose[len(ctx.command_path.split()) - 1 :], names, current)
    except Exception:  # whatever is wrong with the model is told when the command runs
        return []


def _names_in(loose: list[str], names: str, current: str) -> list[str]:
    from symcf.cli.cells import spelled
    from symcf.cli.models import open_compiled

    if names == "column":
        return _columns(loose[1]) if len(loose) > 1 else []
    if names == "file" or not loose:
        return []
    compiled = open_compiled(loose[0])
    if names == "class":
        return [spelled(label) for label in compiled.classes]
    if names == "feature":
        done, comma, _ = current.rpartition(",")
        return [done + comma + name for name in compiled.features]
    for j, name in enumerate(compiled.features):
        if current.startswith(f"{name}="):
            ways = ["ordinal"] if names == "feature=cost" else ["increase", "decrease", *_some(compiled.values[j])]
            return [f"{name}={way}" for way in ways]
    return [f"{name}=" for name in compiled.features]


def _some(labels: Any, most: int = 50) -> list[str]:
    from symcf.cli.cells import spelled

    return [spelled(labels[code]) for code in range(len(labels))] if len(labels) <= most else []


def _columns(path: str) -> list[str]:
    """The names in the header of a table."""
    import csv

    with open(path, encoding="utf-8-sig", newline="") as file:
        return next(csv.reader(file), [])
