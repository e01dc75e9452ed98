"""Letters on paper: PDF files that Chromium prints, page by page what the HTML says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import symcf
from symcf.letters.pdf import BROWSERS

CREDIT = symcf.datasets.credit()

needs_chromium = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no chromium")

#: Chromium refuses to run as root in its sandbox; anybody else may have a system that has none.
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def sheets(pdf: Path) -> int:
    content = pdf.read_bytes()
    assert content.startswith(b"%PDF-")
    return len(re.findall(rb"/Type\s*/Page\b", content))


def size(pdf: Path) -> tuple[float, float]:
    """The width and height of the first sheet in millimetres."""
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", pdf.read_bytes())
    assert box is not None
    return float(box[1]) / 72 * 25.4, float(box[2]) / 72 * 25.4


@needs_chromium
def test_letters_are_printed(tmp_path: Path) -> None:
    """On the command line; two processes print at a time, and a second run prints what is missing, and only that."""
    CREDIT.save(tmp_path / "credit")
    table = (tmp_path / "credit" / "credit.csv").read_text().splitlines()
    (tmp_path / "some.csv").write_text("\n".join(table[:13]) + "\n")
    command = [sys.executable, "-m", "symcf.cli", "letters", "credit/scorecard.json", "some.csv", "--extra", "--pdf"]
    command += ["--id", "applicant", "--policy", "credit/policy.yaml", "-o", "out", "--jobs", "2"]
    if AS_ROOT:
        refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert refused.returncode == 2
        assert "Chromium does not run as root in its sandbox" in refused.stderr
        assert "--no-sandbox" in refused.stderr
        command += ["--no-sandbox"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr  # some are stopped
    pages = sorted((tmp_path / "out").glob("*.html"))
    files = sorted((tmp_path / "out").glob("*.pdf"))
    assert [page.stem for page in pages] == [file.stem for file in files]
    assert len(files) >= 3
    for file in files:
        assert sheets(file) in (1, 2)
        assert size(file) == pytest.approx((210, 297), abs=1)
    assert not list((tmp_path / "out").glob("*.tmp*"))
    before = {file: file.stat().st_mtime_ns for file in files}
    files[1].unlink()
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert sheets(files[1]) in (1, 2)
    assert {file: file.stat().st_mtime_ns for file in files if file != files[1]} == {
        file: time for file, time in before.items() if file != files[1]
    }


@needs_chromium
def test_paper_of_the_policy(tmp_path: Path) -> None:
    policy = symcf.letters.Policy.from_text("{target: approved, paper: letter, features: {loan: {named: true}}}")
    c = symcf.compile(CREDIT.model("scorecard"))
    given = {"names": CREDIT.names[5:6], "pdf": True, "sandbox": not AS_ROOT}
    symcf.letters.write(tmp_path / "out", c, CREDIT.data[5:6], policy, **given)
    assert size(tmp_path / "out" / "A006.pdf") == pytest.approx((215.9, 279.4), abs=1)


@needs_chromium
@pytest.mark.skipif(not AS_ROOT, reason="for root, whom Chromium refuses")
def test_what_chromium_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the sandbox cannot start, the message of Chromium and the way out are in the error."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    policy = symcf.letters.Policy.from_text("{target: approved}")
    c = symcf.compile(CREDIT.model("scorecard"))
    with pytest.raises(symcf.FileError, match=r"(?s)A006.html: .*chromium could not print it: .*sandbox.*--no-sandbox"):
        symcf.letters.write(tmp_path / "out", c, CREDIT.data[5:6], policy, names=CREDIT.names[5:6], pdf=True)
    assert not list((tmp_path / "out").glob("*.pdf"))
