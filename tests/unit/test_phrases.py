"""Ranges of numbers in words, wherever people read them; their names, which programs use, stay as they are."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import symcf
from symcf.answers.letters import Names
from symcf.cli.app import run
from symcf.data.phrases import fact_text, range_words, region_words, value_text
from symcf.data.regions import Region
from symcf.letters.page import wording_of


@pytest.mark.parametrize(
    ("label", "plain", "with_unit"),
    [
        (">= 36", "36 or more", "36 months or more"),
        ("<= 21", "21 or less", "21 months or less"),
        ("< 22", "below 22", "below 22 months"),
        ("> -39.5", "above -39.5", "above -39.5 months"),
        ("21 .. 39", "21 to 39", "21 to 39 months"),
        (">=1e5", "1e5 or more", "1e5 months or more"),
        ("18+", None, None),
        ("skilled", None, None),
        ("a .. b", None, None),
        (36, None, None),
    ],
)
def test_names_of_ranges(label, plain, with_unit):
    assert range_words(label) == plain
    assert range_words(label, "months") == with_unit
    assert value_text(label) == (plain or str(label))
    if plain is not None:
        assert fact_text("duration", label) == f"duration {plain}"
        assert fact_text("duration", label, "months") == f"duration {with_unit}"


def test_facts():
    assert fact_text("months", 36, "months") == "months = 36 months"
    assert fact_text("months", math.nan, "months") == "months = (missing)"
    assert fact_text("months", None, "months") == "months = (missing)"
    assert fact_text("job", "skilled", "months") == "job = skilled"
    assert fact_text("own", True, "months") == "own = yes"
    assert fact_text("a\nb", np.float32(0.1)) == "a b = 0.1"


@pytest.mark.parametrize("low", [-math.inf, 1, 2.5])
@pytest.mark.parametrize("high", [math.inf, 4, 7.25])
@pytest.mark.parametrize("closed", [(a, b) for a in (True, False) for b in (True, False)])
def test_regions_hold_what_their_words_say(low, high, closed):
    ends = (low if math.isfinite(low) else None, high if math.isfinite(high) else None)
    words = region_words(Region.between(*ends, closed=closed), "months")
    for number in (0, 1, 2, 2.5, 3, 4, 5, 7.25, 9):
        inside = (ends[0] is None or number > ends[0] or (closed[0] and number == ends[0])) and (
            ends[1] is None or number < ends[1] or (closed[1] and number == ends[1])
        )
        assert said(words, number) is inside, (words, number)


def said(words, number):
    """What a reader takes from the words."""
    words = words.replace(" months", "")
    if words == "any number":
        return True
    low, _, high = words.rpartition(" to ")
    if low:
        above = number > float(low[6:]) if low.startswith("above ") else number >= float(low)
        return above and (number < float(high[6:]) if high.startswith("below ") else number <= float(high))
    if words.endswith(" or more"):
        return number >= float(words.removesuffix(" or more"))
    if words.endswith(" or less"):
        return number <= float(words.removesuffix(" or less"))
    bound, text = words.split()
    return {"above": number > float(text), "below": number < float(text)}[bound]


def test_in_letters():
    english = Names(wording_of("en"), ["months"], {0: "months"})
    german = Names(wording_of("de"), ["months"], {0: "Monate"})
    assert english.value(0, ">= 36") == "36\N{NO-BREAK SPACE}months or more"
    assert english.value(0, "1000 .. 12500") == "1,000 to 12,500\N{NO-BREAK SPACE}months"
    assert german.value(0, "<= 1.5") == german.words.say("at_most", value="1,5\N{NO-BREAK SPACE}Monate")
    assert english.value(0, "18+") == "18+"
    assert english.value(0, "18+ .. 20") == "18+ .. 20"


def test_names_stay_what_programs_use():
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("tree"))
    months = c.values[c.features.index("months")]
    label = next(one for one in months if isinstance(one, str) and one.startswith(">"))
    row = {name: c.values[j][0] for j, name in enumerate(c.features)} | {"months": label}
    coded = c.of_codes()
    e = coded.explain(row, immutable=["months"], allowed={"age": [c.values[0][0]]})
    assert e.to_dict()["instance"]["values"][c.features.index("months")] == label
    assert not any(label in str(e) for label in months)


def test_the_page_of_an_audit_uses_the_names_of_the_policy(tmp_path, capsys):
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("tree"))
    c.save(tmp_path / "c.symcf")
    credit.data.to_csv(tmp_path / "rows.csv", index=False)
    policy = {
        "target": "approved",
        "features": {
            "sex": {"name": "gender", "protected": True},
            "months": {"name": {"en": "duration"}, "unit": "months"},
            "late_payments": {"name": "late payments in the last year"},
        },
        "audit": {"group": "months", "max_proxy": "90%"},
    }
    (tmp_path / "p.json").write_text(json.dumps(policy))
    call = ["audit", f"{tmp_path}/c.symcf", f"{tmp_path}/rows.csv", "--policy", f"{tmp_path}/p.json"]
    assert run([*call, "-o", f"{tmp_path}/a.html"]) == 0
    text = capsys.readouterr().out
    page = (tmp_path / "a.html").read_text()
    for words in ("21 or less", "21 to 39", "above 39"):
        assert words in text or words.split()[0] in text
    assert "gender: " in page
    assert "late payments in the last year" in page
    assert " months, " in page
    assert "&gt;=" not in page.split("</style>")[1]
    assert ">= " not in text
