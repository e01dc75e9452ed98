"""Certificates in files."""

from __future__ import annotations

import sys
from os import PathLike, fspath

from symcf.errors import FileError

__all__ = ["certificates_in", "read_certificate"]


def read_certificate(path: str | PathLike[str]) -> str:
    """The text of a file; `FileError` if it is not one."""
    with open(path, "rb") as file:
        content = file.read()
    return _text(content, fspath(path))


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode("ascii")
    except UnicodeDecodeError:
        raise FileError(f"{name}: not a certificate: it has characters that are not ASCII") from None


def certificates_in(path: str | PathLike[str]) -> list[str]:
    """The texts of a file with one certificate per line (- is stdin); `FileError` if there is none."""
    piped = path == "-" and sys.stdin is not None
    text = _text(sys.stdin.buffer.read(), "stdin") if piped else read_certificate(path)
    lines = [line for line in text.split("\n") if line]
    if not lines:
        raise FileError(f"{fspath(path)}: there is no certificate in it")
    return lines
