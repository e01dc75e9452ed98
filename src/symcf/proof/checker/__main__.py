"""``python -m symcf.proof.checker certificate.json ...``: checks certificates where nothing but Python is installed.

Exit code 0: all are true; 1: one is rejected; 2: a file cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from symcf.errors import FileError
from symcf.proof.checker.check import check_text
from symcf.proof.checker.form import MOST_UNITS, certificates_in

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m symcf.proof.checker", description="Checks certificates of symcf.")
    parser.add_argument("certificate", nargs="+", help="files with one certificate per line")
    parser.add_argument("--number", help="the number that the certificate should have")
    parser.add_argument("--fingerprint", help="the fingerprint of the model that it should be about")
    parser.add_argument("--root", help="the root of the batch that it should be a row of")
    parser.add_argument("--steps", type=int, default=MOST_UNITS, help="give up after so many steps (default: 2**31)")
    given = parser.parse_args(arguments)
    code = 0
    for path in given.certificate:
        try:
            texts = certificates_in(path)
        except (OSError, FileError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        for text in texts:
            expected = {"number": given.number, "fingerprint": given.fingerprint, "root": given.root}
            verdict = check_text(text, steps=given.steps, **expected)
            print(f"{path}: {verdict}")
            code = code or (0 if verdict else 1)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
