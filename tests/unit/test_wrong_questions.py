"""Wrong constraints, targets and other keywords: each is refused, and the page shows what is said."""

from __future__ import annotations

import pytest
import wrong_questions

import symcf

C = wrong_questions.classifier()


@pytest.mark.parametrize("written", wrong_questions.WRONG)
def test_each_is_refused(written):
    with pytest.raises(symcf.OptionError) as caught:
        eval(f"c.explain([1, 0, 0], {written})", {"c": C, "symcf": symcf})
    first, *place = str(caught.value).split("\n")
    assert len(first) > 20
    if place:  # the text, and a mark below the place
        line, mark = place
        assert mark.rstrip().index("^") <= len(line)
    option = written.partition("=")[0]
    named = [option, "of", "target", "between", "relative", "step", "width", "margin", "feature", "at_least"]
    assert any(name in first for name in named)


def test_there_are_forty_and_more():
    assert len(set(wrong_questions.WRONG)) >= 40


def test_the_page_shows_them():
    page = wrong_questions.PAGE.read_text(encoding="utf-8")
    assert page == wrong_questions.with_section(page), "run: python tests/support/wrong_questions.py --write"
