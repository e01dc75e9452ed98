"""What the README shows is what happens: its code runs, prints what it says, its figures and picture are up to date."""

import contextlib
import io
import re
from pathlib import Path

import blocks
import figures
import pytest
import results

from symcf import demo

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


@pytest.mark.usefixtures("docs_extra")
def test_python_blocks_print_the_text_below_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert blocks.differences(README) == []
    assert len(list(blocks.blocks(README.read_text(encoding="utf-8")))) >= 3


def test_what_the_demo_is_said_to_print():
    found = blocks.BLOCK.findall(README.read_text(encoding="utf-8"))
    (text,) = (text for kind, text in found if kind == "text" and text.startswith("applicant ("))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        demo.main()
    assert text in out.getvalue()


def test_every_file_the_readme_names_exists():
    text = README.read_text(encoding="utf-8")
    names = set(re.findall(r"`((?:\w+/)*[\w.]+\.(?:md|h|py|json))`", text)) | {"LICENSE", "docs/admission.svg"}
    names |= set(re.findall(r"\]\(((?:\w+/)*[\w.]+)\)", text))
    assert {"ARCHITECTURE.md", "src/core/symcf.h", "docs/tutorial.md"} <= names
    missing = [name for name in names if not (ROOT / name).exists()]
    assert missing == []


def test_figures_are_those_of_the_benchmarks():
    text = README.read_text(encoding="utf-8")
    assert results.MARKS.search(text)
    assert results.readme_with_figures() == text, "run: make docs-write"


@pytest.mark.parametrize("name", ["admission"])
def test_pictures_are_up_to_date(name):
    drawn = getattr(figures, f"{name}_figure")()
    assert drawn == (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8"), "run: python docs/figures.py"
