"""What the README shows is what happens: its code runs, prints what it says, and its picture is up to date."""

import contextlib
import importlib.util
import io
import re
import sys
from pathlib import Path

import pytest

from symcf import demo

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks():
    return BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def printed_by(call):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        call()
    return out.getvalue()


def test_python_blocks_print_the_text_below_them():
    found = blocks()
    checked, names = 0, {}
    for (kind, code), (next_kind, text) in zip(found, [*found[1:], ("", "")], strict=True):
        if kind == "python":
            program = compile(code, "README.md", "exec")
            printed = printed_by(lambda program=program: exec(program, names))
            assert next_kind == "text", f"no output is shown for:\n{code}"
            assert printed == text
            checked += 1
    assert checked >= 3


def test_what_the_demo_is_said_to_print():
    kind, text = blocks()[0]
    assert kind == "text"
    assert text in printed_by(demo.main)


def test_every_file_the_readme_names_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`((?:\w+/)*[\w.]+\.(?:md|h|py|json))`", text)) | {"LICENSE", "docs/admission.svg"}
    assert {"ARCHITECTURE.md", "src/core/symcf.h"} <= names
    missing = [name for name in names if not (ROOT / name).exists()]
    assert missing == []


@pytest.mark.parametrize("name", ["admission"])
def test_pictures_are_up_to_date(name, monkeypatch):
    spec = importlib.util.spec_from_file_location("figures", ROOT / "docs" / "figures.py")
    figures = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "figures", figures)
    spec.loader.exec_module(figures)
    drawn = getattr(figures, f"{name}_figure")()
    assert drawn == (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8"), "run: python docs/figures.py"
