"""Banned phrases are found wherever they stand, and there are none in the repository."""

from __future__ import annotations

import re

import pytest
import wording

#: A sentence for every banned phrase, in its order.
PLANTED = [
    "It is refused by name.",
    "Whatever else were true, it would be declined.",
    "Milliseconds of the processor.",
    "An entry of a class that is none.",
    "What it costs is another matter.",
    "The search takes its time.",
    "It goes without saying.",
    "They are no tie.",
    "A classifier that is asked.",
    "How late a time limit ends a call.",
    "Where the limit strikes is chance.",
    "What every room may use.",
    "A room knows its files.",
    "One row, room by room.",
    "Through the whole house.",
    "Groups are made at the door.",
    "Engines that know no steps.",
    "The next engine takes over from there.",
    '"""Asks."""',
    "Its lines are called what the decisions are called.",
    "A page is no text for a terminal.",
    "Edges that are not worth their parameters.",
    "It tells no sufficient reasons.",
    "One clause a path.",
]


def test_every_banned_phrase_has_a_planted_sentence():
    assert len(PLANTED) == len(wording.BANNED)
    for sentence, phrase in zip(PLANTED, wording.BANNED, strict=True):
        assert re.search(phrase, sentence, re.IGNORECASE), (sentence, phrase)


@pytest.mark.parametrize("sentence", PLANTED)
def test_a_planted_phrase_is_found_with_its_line(sentence, tmp_path, capsys):
    path = tmp_path / "planted.md"
    path.write_text(f"# A page\n\nAll is well.\n{sentence}\n", encoding="utf-8")
    assert wording.main([str(path)]) == 1
    assert f"{path}:4: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        "/* What cannot be read is refused\n * by name. */",
        "# What cannot be read is refused\n    # by name.",
        'raise OptionError(\n    "what cannot be read is refused "\n    "by name"\n)',
        'raise OptionError(\n    f"what cannot be read is refused "\n    f"by name"\n)',
        "What cannot be read is refused\r\nby name.",
        "#: What cannot be read is refused\n#: by name.",
    ],
)
def test_a_phrase_is_found_across_the_end_of_a_line(text, tmp_path):
    path = tmp_path / "planted.c"
    path.write_text(text, encoding="utf-8")
    assert [finding.phrase for finding in wording.findings(path)] != []


@pytest.mark.parametrize(
    "text",
    [
        "One clause per path.",
        "There is room for a row.",
        "A black-box model.",
        "The row is a line of a file.",
        "No tie.",
    ],
)
def test_plain_sentences_are_left_alone(text, tmp_path):
    path = tmp_path / "plain.md"
    path.write_text(text, encoding="utf-8")
    assert list(wording.findings(path)) == []


@pytest.mark.slow
@pytest.mark.long
def test_the_repository_has_no_banned_phrase():
    paths = wording.sources()
    assert {path.suffix for path in paths} >= {".py", ".md", ".c", ".h", ".pxi"}
    assert [str(finding) for path in paths for finding in wording.findings(path)] == []
