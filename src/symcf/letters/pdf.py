"""Prints pages to PDF with Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from symcf.common.files import written_whole
from symcf.errors import FileError, MissingExtraError, OptionError

__all__ = ["Printer"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

#: Seconds that printing one page may take.
PATIENCE = 120

ALLOW = "give sandbox=False (--no-sandbox), which lets Chromium run without the barrier between pages and this machine"


class Printer:
    """A Chromium of this machine. `MissingExtraError` if there is none.

    Chromium keeps its sandbox unless ``sandbox`` is False. It refuses to run as root with it: `OptionError`.
    """

    def __init__(self, sandbox: bool) -> None:
        found = next(filter(None, map(shutil.which, BROWSERS)), None)
        if found is None:
            raise MissingExtraError(f"PDF needs Chromium: install one of {', '.join(BROWSERS)}", name="chromium")
        if sandbox and hasattr(os, "geteuid") and os.geteuid() == 0:
            raise OptionError(f"pdf: Chromium does not run as root in its sandbox: print as another user, or {ALLOW}")
        self._options = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-pdf-header-footer"]
        self._options += [] if sandbox else ["--no-sandbox"]
        self._browser = found

    def print(self, page: Path) -> None:
        """Prints a page beside its file; the PDF appears when it is complete."""
        # A profile of its own: one that is in use hands the page to the Chromium that uses it, and prints nothing.
        with (
            tempfile.TemporaryDirectory(prefix="symcf-", ignore_cleanup_errors=True) as profile,
            written_whole(page.with_suffix(".pdf"), ending=".pdf") as temporary,
        ):
            options = [*self._options, f"--user-data-dir={profile}", f"--print-to-pdf={temporary}"]
            command = [self._browser, *options, page.resolve().as_uri()]
            try:
                ended = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
            except subprocess.TimeoutExpired:
                raise FileError(f"{page}: {self._browser} did not print it within {PATIENCE} seconds") from None
            if ended.returncode or not _is_pdf(temporary):
                said = ended.stderr.decode(errors="replace")
                hint = f"; {ALLOW}" if "sandbox" in said.lower() else ""
                raise FileError(f"{page}: {self._browser} could not print it: {said[-300:].strip()}{hint}")


def _is_pdf(path: str) -> bool:
    """Does the file begin and end as PDF does?"""
    with open(path, "rb") as file:
        content = file.read()
    return content.startswith(b"%PDF-") and b"%%EOF" in content[-64:]
