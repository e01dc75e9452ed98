"""Certificates in files."""

from __future__ import annotations

import sys
from os import PathLike, fspath
from typing import IO

from symcf.errors import FileError

__all__ = ["certificates_in", "read_certificate"]


#: Bytes of the largest file that is read.
MOST_BYTES = 1 << 28


def read_certificate(path: str | PathLike[str]) -> str:
    """The text of a file; `FileError` if it is not one."""
    with open(path, "rb") as file:
        return _text(file, fspath(path))


def _text(file: IO[bytes], name: str) -> str:
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FileError(
            f"{name}: too large to check: certificates are read from files of at most {MOST_BYTES >> 20} MiB; split "
            "the file by its lines"
        )
    try:
        return content.decode("ascii")
    except UnicodeDecodeError:
        raise FileError(f"{name}: not a certificate: it has characters that are not ASCII") from None


def certificates_in(path: str | PathLike[str]) -> list[str]:
    """The texts of a file with one certificate per line (- is stdin); `FileError` if there is none."""
    piped = path == "-" and sys.stdin is not None
    text = _text(sys.stdin.buffer, "stdin") if piped else read_certificate(path)
    lines = [line for line in text.split("\n") if line]
    if not lines:
        raise FileError(f"{fspath(path)}: there is no certificate in it")
    return lines
