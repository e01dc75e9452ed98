"""Prints the letters of docs/howto/letters.md: ``python docs/letter_pictures.py`` rewrites docs/images/letter_*.png.

Needs chromium, which prints, and pdftoppm, which makes pictures of pages (Debian: chromium, poppler-utils).
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import blocks

HERE = Path(__file__).resolve().parent


def printed(page: Path, picture: Path) -> None:
    """Prints a page on paper; it must fit on one sheet."""
    pdf = page.with_suffix(".pdf")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={pdf}"]
    subprocess.run(["chromium", *options, page.as_uri()], check=True, capture_output=True)
    found = subprocess.run(["pdfinfo", str(pdf)], check=True, capture_output=True, text=True).stdout
    assert "Pages:           1\n" in found, found
    name = str(picture.with_suffix(""))
    subprocess.run(["pdftoppm", "-r", "80", "-gray", "-png", "-singlefile", str(pdf), name], check=True)


def main() -> None:
    """Runs the page and prints both letters."""
    names: dict[str, Any] = {}
    for block in blocks.blocks((HERE / "howto" / "letters.md").read_text(encoding="utf-8")):
        exec(block.code, names)
    with tempfile.TemporaryDirectory() as folder:
        for language, name in (("en", "letter"), ("de", "brief")):
            page = Path(folder) / f"{name}.html"
            names[name].save(page)
            printed(page, HERE / "images" / f"letter_{language}.png")


if __name__ == "__main__":
    main()
