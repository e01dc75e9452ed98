"""Completion for shells: the command that prints a script for one, and what the script asks for.

The script calls ``symcf`` with the words so far, and with _SYMCF_COMPLETE set to the name of the shell; the answer is
one word per line. Bash hands over the line instead, since it also splits words at "=" and ":".
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Any

from symcf.cli.declared import Argument, Command, Option, Parameter

__all__ = ["complete", "completion"]


class Shell(StrEnum):
    """Shells that symcf knows."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


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
    shell: Annotated[str, Argument("SHELL", help="bash, zsh or fish.")],
) -> int:
    """A script that teaches a shell to complete commands, options, and the features and classes of the model.

    Example: eval "$(symcf completion bash)"
    """
    from symcf.cli.exits import InputError
    from symcf.common.similar import did_you_mean

    if shell not in list(Shell):
        raise InputError(f"{shell}: not one of {', '.join(Shell)}{did_you_mean(shell, Shell)}")
    print(SCRIPTS[shell], end="")
    return 0


def complete(shell: str, words: Sequence[str], commands: Iterable[str], command_of: Callable[[str], Command]) -> int:
    """Prints what the last word may become."""
    if shell == "bash":
        line = os.environ.get("COMP_LINE", "")
        words = _words(line[: int(os.environ.get("COMP_POINT", len(line)))])
    *before, current = words or [""]
    possible = _candidates(list(before), current, commands, command_of)
    # one word per line: those that would be several, or change the terminal, cannot be completed
    found = [word for word in possible if word.startswith(current) and word.isprintable()]
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


def _candidates(
    before: list[str], current: str, commands: Iterable[str], command_of: Callable[[str], Command]
) -> list[str]:
    names = [name.split() for name in commands]
    for size in (2, 1):
        if before[:size] in names and len(before) >= size:
            return _in_command(command_of(" ".join(before[:size])), before[size:], current)
    fitting = [name for name in names if name[: len(before)] == before and len(name) > len(before)]
    words = sorted({name[len(before)] for name in fitting})
    return words + ["--help", "--version", "--debug"] * (current.startswith("-") and not before)


def _in_command(command: Command, before: list[str], current: str) -> list[str]:
    """Names of options, their values, and the names that a model or a table holds."""
    from symcf.cli.parsing import spellings

    known = spellings(command)
    loose: list[str] = []
    waiting: tuple[Parameter, Option] | None = None
    for word in before:
        if waiting is not None:
            waiting = None
        elif word in known and known[word][0].kind is not bool:
            waiting = known[word]
        elif not word.startswith("-"):
            loose.append(word)
    if waiting is not None:
        return _values(command, waiting, loose, current)
    name, sign, rest = current.partition("=")
    if sign and name in known:
        return [f"{name}={word}" for word in _values(command, known[name], loose, rest)]
    if current.startswith("-"):
        return [*sorted(s for s in known if s.startswith("--")), "--help"]
    if command.name == "completion":
        return list(Shell)
    return []  # a file: shells know those


def _values(command: Command, option: tuple[Parameter, Option], loose: list[str], current: str) -> list[str]:
    parameter, declared = option
    if issubclass(parameter.kind, StrEnum):
        return list(parameter.kind)
    if declared.names is None or not loose:
        return []
    try:
        return _named(declared.names, loose, current)
    except Exception:  # whatever is wrong with the model is told when the command runs
        return []


def _named(names: str, loose: list[str], current: str) -> list[str]:
    from symcf.cli.cells import spelled
    from symcf.cli.models import open_compiled

    if names == "column":
        return _columns(loose[1]) if len(loose) > 1 else []
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
