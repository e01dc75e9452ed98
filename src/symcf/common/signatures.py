"""Detached signatures of files, made and checked by ``ssh-keygen -Y`` of OpenSSH.

symcf has no cryptography of its own beyond hashes: keys, agents and formats are those that people have for SSH and git.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

from symcf.common.files import written_whole
from symcf.errors import FileError, OptionError

__all__ = ["NAMESPACE", "signed", "signer_of"]

#: What signatures are for: one that was made for something else does not count.
NAMESPACE = "symcf"


def signed(path: str, key: str) -> str:
    """Signs a file with a private key; the name of the signature's file, beside it."""
    _must_exist(key, "--sign")
    with open(path, "rb") as content:
        done = _ssh_keygen(["sign", "-f", key, "-n", NAMESPACE], content.read())
    if done.returncode or not done.stdout:
        raise OptionError(f"--sign {key}: ssh-keygen did not sign: {_last(done)}")
    signature = f"{path}.sig"
    with written_whole(signature) as name, open(name, "w", encoding="ascii") as file:
        file.write(done.stdout)
    return signature


def signer_of(path: str, signature: str, allowed: str) -> str | None:
    """Who signed a file, one of those in the file of allowed signers; None if nobody of them did."""
    for name, option in ((path, "CERTIFICATE"), (signature, "--signature"), (allowed, "--signed-by")):
        _must_exist(name, option)
    found = _ssh_keygen(["find-principals", "-f", allowed, "-s", signature])
    for person in found.stdout.splitlines() if not found.returncode else ():
        with open(path, "rb") as content:
            arguments = ["verify", "-f", allowed, "-I", person, "-n", NAMESPACE, "-s", signature]
            if not _ssh_keygen(arguments, content.read()).returncode:
                return person
    return None


def _must_exist(path: str, option: str) -> None:
    if not os.path.isfile(path):
        raise FileError(f"{option}: {path} is not a file")


def _ssh_keygen(arguments: Sequence[str], content: bytes = b"") -> subprocess.CompletedProcess[str]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise OptionError("signatures are made and checked by ssh-keygen, which is not installed: install OpenSSH")
    done = subprocess.run([program, "-Y", *arguments], input=content, capture_output=True, check=False)
    said = (done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
    return subprocess.CompletedProcess(done.args, done.returncode, *said)


def _last(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    return lines[-1] if lines else f"exit code {done.returncode}"
