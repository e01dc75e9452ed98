"""``python -m symcf.checker certificate.json ...``: checks certificates where nothing but Python is installed.

Exit code 0: all are true; 2: a file cannot be read; 4: one is rejected.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from symcf.checker.check import check_text
from symcf.checker.files import read_certificate
from symcf.errors import FileError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m symcf.checker", description="Checks certificates of symcf.")
    parser.add_argument("certificate", nargs="+", help="files with one certificate each")
    parser.add_argument("--number", help="the number that the certificate should have")
    parser.add_argument("--fingerprint", help="the fingerprint of the model that it should be about")
    given = parser.parse_args(arguments)
    code = 0
    for path in given.certificate:
        try:
            text = read_certificate(path)
        except (OSError, FileError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        verdict = check_text(text, number=given.number, fingerprint=given.fingerprint)
        print(f"{path}: {verdict}")
        code = code or (0 if verdict else 4)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
