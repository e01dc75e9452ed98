"""Certificates in files."""

from __future__ import annotations

from os import PathLike, fspath

from symcf.errors import FileError

__all__ = ["certificates_in", "read_certificate"]


def read_certificate(path: str | PathLike[str]) -> str:
    """The text of a file; `FileError` if it is not one."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        return content.decode("ascii")
    except UnicodeDecodeError:
        raise FileError(f"{fspath(path)}: not a certificate: it has characters that are not ASCII") from None


def certificates_in(path: str | PathLike[str]) -> list[str]:
    """The texts of a file with one certificate per line; `FileError` if there is none."""
    lines = [line for line in read_certificate(path).split("\n") if line]
    if not lines:
        raise FileError(f"{fspath(path)}: there is no certificate in it")
    return lines
