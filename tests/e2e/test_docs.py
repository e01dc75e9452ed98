"""The documentation builds without a warning, and its pages and notebooks show what their code prints."""

import codeop
import json
import re
import subprocess
import sys
from pathlib import Path

import blocks
import browser
import pytest
import results
import site_search

import symcf
import symcf.fast
from symcf.cli import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = [*sorted(DOCS.rglob("*.md")), *sorted(DOCS.rglob("*.ipynb")), ROOT / "README.md"]

#: What commands shown to people may begin with, besides targets of the Makefile.
COMMANDS = ("git clone ", "cd ", "pip install ", "python ", "symcf ")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


# The README is test_readme.py's.
@pytest.mark.usefixtures("docs_extra")
@pytest.mark.parametrize("page", [p for p in blocks.pages() if p.parent != ROOT], ids=name_of)
def test_code_prints_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert blocks.differences(page) == [], "run: make docs-write"


@pytest.mark.long
@pytest.mark.usefixtures("docs_extra")
@pytest.mark.parametrize("path", blocks.notebooks(), ids=name_of)
def test_notebooks_show_what_they_compute(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert blocks.notebook_differences(path) == [], "run: make docs-write"


def test_notebooks_show_their_plots():
    for path in blocks.notebooks():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        drawing = [cell for cell in cells if cell["cell_type"] == "code" and "symcf.plots." in "".join(cell["source"])]
        assert drawing
        assert all("image/png" in cell["outputs"][-1]["data"] for cell in drawing), "run: make docs-write"


@pytest.mark.parametrize("page", blocks.pages(), ids=name_of)
def test_blocks_can_be_pasted_into_an_interpreter(page):
    for block in blocks.blocks(page.read_text(encoding="utf-8")):
        compiler, pending = codeop.CommandCompiler(), []
        for line in block.code.split("\n"):
            pending.append(line)
            if compiler("\n".join(pending), f"{page.name}:{block.line}", "single") is not None:
                pending = []
        assert not "".join(pending).strip(), f"{page.name}:{block.line} ends within a statement"


def test_the_index_of_the_guides_links_to_every_guide():
    text = (DOCS / "howto" / "index.md").read_text(encoding="utf-8")
    guides = {page.name for page in DOCS.glob("howto/*.md")} - {"index.md"}
    assert set(re.findall(r"\]\((\w+\.md)\)", text)) == guides


def test_every_picture_is_shown_and_exists():
    pages = {page: page.read_text(encoding="utf-8") for page in (*DOCS.glob("*.md"), *DOCS.glob("howto/*.md"))}
    shown = {
        (page.parent / name).resolve()
        for page, text in pages.items()
        for name in re.findall(r"(?:!\[[^]]*\]\(|{image} )([\w./-]+\.(?:png|svg))", text)
    }
    assert [path for path in shown if not path.exists()] == []
    drawn = {
        path.resolve() for path in DOCS.glob("images/*.png") if "-dark" not in path.name and "-phone" not in path.name
    }
    assert drawn <= shown


def test_the_page_of_the_command_line_lists_every_command():
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`([^`]+)`", row)) == sorted(app.COMMANDS)


def test_there_are_three_notebooks_and_code_in_every_guide():
    assert len(blocks.notebooks()) == 3
    guides = [page for page in DOCS.glob("howto/*.md") if page.name != "index.md"]
    assert len(guides) >= 6
    assert [page.name for page in guides if not list(blocks.blocks(page.read_text(encoding="utf-8")))] == []


def test_pages_whose_code_is_run_elsewhere_say_the_truth():
    for page, test in blocks.ELSEWHERE.items():
        assert not (DOCS / page).exists() or list((ROOT / "tests").glob(f"*/{test}"))


# One test, so that the site is built once however many processes share the tests.
@pytest.mark.long
@pytest.mark.usefixtures("docs_extra")
def test_site(tmp_path):
    site = built_without_a_warning(tmp_path)
    assert {"index", "tutorial", "theory", "performance", "comparison", "api"} <= {p.stem for p in site.glob("*.html")}
    every_public_name_is_in_the_reference(site)
    performance_page_shows_the_results(site)
    newcomers_find_their_answers(site)


def built_without_a_warning(out):
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-d",
        f"{out}/trees",
        str(DOCS),
        f"{out}/html",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return out / "html"


def every_public_name_is_in_the_reference(site):
    pages = [site / "api.html", *(site / "reference").glob("*.html")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    names = [f"symcf.{name}" for name in symcf.__all__] + [f"symcf.fast.{name}" for name in symcf.fast.__all__]
    missing = [name for name in names if f'id="{name}"' not in text and f'id="symcf.errors.{name[6:]}"' not in text]
    assert missing == []


def performance_page_shows_the_results(site):
    text = (site / "performance.html").read_text(encoding="utf-8")
    pages = [page.read_text(encoding="utf-8") for page in (*DOCS.glob("*.md"), *DOCS.glob("howto/*.md"))]
    asked = [name for page in pages for name in re.findall(r"{results} (\w+)", page)]
    assert set(asked) == set(results.TABLES) - {"readme"}
    last = results.load("paper")["table"][-1]["ours"]
    assert f"{last['clauses']:,.0f}" in text
    assert f"{results.load('stream')['sets']:,}" in text


def newcomers_find_their_answers(site):
    """The page with the answer is the first or the second result of the site's search."""
    if browser.missing() is None:
        found = site_search.first_pages(site, [query for _, query, _ in site_search.QUESTIONS], 2)
        missed = [(*one, pages) for one, pages in zip(site_search.QUESTIONS, found, strict=True) if one[2] not in pages]
        assert missed == []


def test_no_number_with_a_unit_is_typed_into_the_performance_page():
    text = (DOCS / "performance.md").read_text(encoding="utf-8")
    assert re.findall(r"\b\d[\d.,]* ?(?:ns|µs|ms|s|seconds|MB|GB|times|%)(?!\w)", text) == []


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_commands_exist(path):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for command in blocks.commands(path.read_text(encoding="utf-8")):
        assert command.startswith(COMMANDS) or re.fullmatch(rf"make ({'|'.join(targets)})", command), command


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_nothing_of_a_machine_is_in_the_pages(path):
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"/(?:home|root|tmp|work|Users)/\S*|py[p]i\S*|ana[c]onda\S*", text, re.IGNORECASE) == []


def test_a_wrong_output_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n\n```python\nprint(5)\n```\n")
    assert len(blocks.differences(page)) == 2
    blocks.write(page)
    assert blocks.differences(page) == []
    assert "```text\n5\n```" in page.read_text()
