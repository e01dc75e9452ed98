"""Prints the letters of docs/howto/letters.md: ``python docs/letter_pictures.py`` rewrites docs/images/*letter_*.png.

Needs chromium, which prints, and pypdfium2 and Pillow, which make pictures of pages.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import blocks
import pypdfium2 as pdfium
from PIL import Image, ImageOps

import symcf
from symcf.letters.page import LANGUAGES
from symcf.letters.pdf import Printer

HERE = Path(__file__).resolve().parent
IMAGES = HERE / "images"

DOTS_PER_INCH, POINTS_PER_INCH = 90, 72

#: Empty pixels below the last line.
MARGIN = 40

#: The application of the letters in all languages, and the most that a picture may take, in bytes.
APPLICATION, MOST_BYTES = "A006", 150_000


def pictured(page: Path, picture: Path, most_sheets: int = 1) -> None:
    """Prints a page and makes a picture of its sheets, one below the other, without the empty part of the last."""
    Printer(sandbox=False).print(page)  # a page of our own, which holds no script
    document = pdfium.PdfDocument(page.with_suffix(".pdf"))
    assert len(document) <= most_sheets, (picture, len(document))
    sheets = [sheet.render(scale=DOTS_PER_INCH / POINTS_PER_INCH, grayscale=True).to_pil() for sheet in document]
    last = sheets[-1]
    bottom = ImageOps.invert(last).getbbox()[3] + MARGIN
    sheets[-1] = last.crop((0, 0, last.width, min(bottom, last.height)))
    image = Image.new("L", (last.width, sum(sheet.height for sheet in sheets) + len(sheets) - 1), 0x99)
    top = 0
    for sheet in sheets:
        image.paste(sheet, (0, top))
        top += sheet.height + 1
    image.quantize(16).save(picture, optimize=True)
    assert picture.stat().st_size < MOST_BYTES, (picture, picture.stat().st_size)


def main() -> None:
    """Runs the page, prints its letters, and prints one letter by the policy of the credit data in all languages."""
    names: dict[str, Any] = {}
    for block in blocks.blocks((HERE / "howto" / "letters.md").read_text(encoding="utf-8")):
        exec(block.code, names)
    credit = symcf.datasets.credit()
    c, rows = symcf.compile(credit.model("scorecard")), credit.data.loc[[APPLICATION]]
    with tempfile.TemporaryDirectory() as folder:
        for language, name in (("en", "letter"), ("de", "brief")):
            page = Path(folder) / f"{name}.html"
            names[name].save(page)
            pictured(page, IMAGES / f"letter_{language}.png")
        for language in LANGUAGES:
            options = {"language": language, "data": credit.data, "date": "2026-11-18"}
            ((_, letter),) = symcf.letters.letters(c, rows, credit.policy(), names=[APPLICATION], **options)
            assert letter is not None
            page = Path(folder) / f"{language}.html"
            letter.save(page)
            pictured(page, IMAGES / f"policy_letter_{language}.png", most_sheets=2)


if __name__ == "__main__":
    main()
