"""Letters: everything that must be said is, nothing that must not be said is, in every language."""

from __future__ import annotations

import datetime
import hashlib
import re
import string
import tomllib
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import symcf
from symcf.demo import admission
from symcf.letters.page import HERE, LANGUAGES, wording_of


def text_of(letter):
    """The words on the page."""

    class Reader(HTMLParser):
        def __init__(self):
            super().__init__()
            self.words, self.inside = [], []

        def handle_starttag(self, tag, attributes):
            if tag != "meta":
                self.inside.append(tag)

        def handle_endtag(self, tag):
            assert self.inside.pop() == tag  # nothing is left open

        def handle_data(self, data):
            if "style" not in self.inside:
                self.words.append(data)

    reader = Reader()
    reader.feed(letter.html)
    reader.close()
    assert reader.inside == []
    return " ".join(" ".join(reader.words).split())


def reasons_of(letter):
    """The features that are listed as principal reasons."""
    listed = re.search(r'<ul class="reasons">(.*?)</ul>', letter.html)
    return re.findall(r"<li><bdi>(.*?):", listed[1]) if listed else []


@pytest.fixture(scope="module")
def credit():
    return symcf.datasets.credit()


@pytest.fixture(scope="module")
def declined(credit):
    """A declined application."""
    c = symcf.compile(credit.model("logistic"))
    return c, c.explain(credit.row("A002"), immutable=credit.immutable)


def principal_by_hand(c, row):
    """The features in most sufficient reasons, from the list of all reasons: the first four, and all that tie."""
    reasons = c.why(row).sets
    counts = {f: sum(j in reason for reason in reasons) for j, f in enumerate(c.features)}
    least = sorted(counts.values(), reverse=True)[3]
    return {f for f, count in counts.items() if count >= max(least, 1)}


def test_what_may_not_be_named_is_not_replaced_by_what_weighed_less(credit):
    """With only income and savings allowed, no fact outside the principal reasons is listed in their place."""
    c = symcf.compile(credit.model("scorecard"))
    row = credit.row("A055")
    assert principal_by_hand(c, row) == {"sex", "job", "late_payments", "loan", "guarantor"}
    e = c.explain(row, immutable=credit.immutable)
    letter = e.letter(["income", "savings"], protected=[])
    assert reasons_of(letter) == []
    assert "This letter does not name the facts that weighed most." in text_of(letter)
    some = e.letter(["job", "income"], protected=[])
    assert reasons_of(some) == ["job"]
    assert "left out of this list" in text_of(some)


def test_a_protected_feature_among_the_reasons_stops_the_letter(credit):
    c = symcf.compile(credit.model("scorecard"))
    stopped = 0
    for name in credit.names[:40]:
        row = credit.row(name)
        e = c.explain(row, immutable=credit.immutable, k=2)
        if c.classes[e.prediction] != "declined":
            continue
        for protected in (None, ["sex"], ["member"]):  # by default the immutable ones
            if principal_by_hand(c, row) & set(credit.immutable if protected is None else protected):
                stopped += 1
                with pytest.raises(symcf.OptionError, match=r"protected: .* among the principal reasons"):
                    e.letter(["income", "savings"], protected=protected)
            else:
                e.letter(["income", "savings"], protected=protected)
    assert stopped > 5
    e = c.explain(credit.row("A055"), immutable=credit.immutable)
    with pytest.raises(symcf.OptionError, match="'sex' is among"):
        e.letter("all", reasons=["sex", "loan"])
    with pytest.raises(symcf.OptionError, match="'sex' is among"):
        e.letter("all", reasons=c.attribute(credit.row("A055"), "reasons"))
    assert "The sender names these reasons" in text_of(e.letter("all", reasons=["loan"]))


def test_a_search_that_was_stopped_is_named(credit, declined):
    c, _ = declined
    row = credit.row("A002")
    none = c.explain(row)
    none.sets, none.status = [], "time_limit"
    text = text_of(none.letter("all"))
    assert "None of the changes" not in text
    assert "The search was stopped by a limit before it found a way to another decision. There may be some." in text
    some = text_of(c.explain(row, max_results=2).letter("all"))
    assert "The search was stopped by a limit. Ways found until then: 2. There may be others." in some
    data = np.array([[0, 1], [1, 0]])
    black_box = symcf.from_predict(lambda rows: np.zeros(len(rows), dtype=int), data, classes=[0, 1], max_inputs=0)
    asked = symcf.compile(black_box)
    tried = text_of(asked.explain([0, 1]).letter("all", reasons=[]))
    assert "None of the values that were tried would have changed the model's decision." in tried


def test_what_a_letter_says(declined):
    _, e = declined
    certificate = e.certificate()
    letter = e.letter(
        "all", protected=[], certificate=certificate, person="Ms Example", sender="The Bank", date="1 May"
    )
    text = text_of(letter)
    assert "The decision is: declined." in text
    fixed = "Changes to these facts were not considered: age, sex."
    for part in ("Ms Example", "The Bank", "1 May", certificate.number, fixed):
        assert part in text
    assert text.count("Way ") == 3
    heads = re.findall(r'<tr class="way"><th>.*?</th><th>(.*?)</th><th>(.*?)</th></tr>', letter.html)
    assert heads == [(wording_of("en").say("now"), wording_of("en").say("needed"))]
    assert len(reasons_of(letter)) == 4
    assert "73" not in text  # the probability was not asked for
    assert "%" not in text


def test_the_probability_only_if_it_is_allowed(declined):
    _, e = declined
    assert "73.4%" in text_of(e.letter("all", protected=[], probability=True))
    assert "73,4 %" in text_of(e.letter("all", protected=[], probability=True, language="de"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["logistic", "tree", "naive_bayes", "scorecard", "boosted"])
def test_only_allowed_features_are_named(credit, kind, language):
    c = symcf.compile(credit.model(kind))
    rng = np.random.default_rng(len(kind))
    options = {"immutable": ["age", "sex"], "allowed": {"savings": "increase"}, "max_changes": 2}
    for name in rng.choice(credit.data.index, 6):
        e = c.explain(credit.row(name), **options)
        allow = [f for f in c.features if rng.random() < 0.5]
        hidden = [f for f in c.features if f not in allow]
        names = {f: f"<{f}&>" for f in c.features}
        text = text_of(e.letter(allow, protected=[], language=language, names=names, values={}))
        assert not [f for f in hidden if f"<{f}&>" in text], (text, hidden)
        if {"age", "sex", "savings"} & set(hidden):
            assert wording_of(language).say("fixed_others") in text


def test_reasons_are_those_of_the_attribution(credit, declined):
    c, e = declined
    row = credit.row("A002")
    attribution = c.attribute(row, "reasons")
    order = sorted(range(c.n_features), key=lambda j: (-attribution.exact[j], j))
    named = reasons_of(e.letter("all", protected=[]))
    assert named == [c.features[j] for j in order[:4]]
    assert e.letter("all", protected=[], reasons=attribution).html == e.letter("all", protected=[]).html
    given = e.letter("all", protected=[], reasons=["loan", "age"])
    assert reasons_of(given) == ["loan", "age"]
    assert "chosen by the sender" in text_of(given)


def test_hidden_reasons_and_ways_are_mentioned(declined):
    _, e = declined
    text = text_of(e.letter([], protected=[]))
    assert "does not name the facts that weighed most" in text
    assert "does not name the ways to another decision" in text
    assert "Other limits apply to facts" in text
    some = text_of(e.letter(["late_payments"], protected=[]))
    assert "late_payments" in some
    assert "There are other ways. Some of them" in some


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("names", 5),
        ("units", ["kg"]),
        ("decisions", "no"),
        ("values", 5),
        ("values", {"age": 5}),
        ("reasons", 5),
        ("wording", 5),
        ("certificate", 5),
    ],
)
def test_what_is_of_another_kind_is_named(declined, option, given):
    with pytest.raises(symcf.OptionError, match=f"^{option}.* must be "):
        declined[1].letter("all", protected=[], **{option: given})


def test_a_letter_to_nobody(declined):
    assert (
        declined[1].letter("all", protected=[], person=None, sender=None, date=None).html
        == declined[1].letter("all", protected=[]).html
    )


def test_nothing_helps():
    c = symcf.compile(admission())
    text = text_of(c.explain([0, 0, 1, 0], immutable=[0, 1]).letter("all", protected=[]))
    assert "None of the changes that were considered" in text


def test_other_classes_and_cut_lists():
    model = symcf.from_function(sum, [2, 2], classes=["x", "y", "z"])
    e = symcf.compile(model).explain([0, 0])
    assert "would have been different" in text_of(e.letter("all", protected=[]))
    few = symcf.compile(admission()).explain([0, 0, 1, 0], k=1)
    assert "not all ways were looked for" in text_of(few.letter("all", protected=[]))


def test_a_choice_of_ways_is_not_all(declined):
    _, e = declined
    assert "There may be others" in text_of(e.diverse(2).letter("all", protected=[]))
    assert "There may be others" not in text_of(e.letter("all", protected=[]))


def test_numbers_and_values_in_the_words_of_the_reader(declined):
    _, e = declined
    options = {
        "names": {"income": "Einkommen"}, "units": {"income": "€", "savings": "€"},
        "values": {"job": {"skilled": "Fachkraft", "manager": "Leitung"}}, "decisions": {"approved": "ja & gern"},
    }  # fmt: skip
    letter = e.letter("all", protected=[], language="de", **options)
    text = text_of(letter)
    for part in (
        "Einkommen",
        "5.074 bis 9.340 €",
        "12.110 bis 20.750 €",
        "Fachkraft",
        "Leitung",
        "ja & gern",
        "keine Angabe",
    ):
        assert part in text
    assert "ja &amp; gern" in letter.html
    assert '<html lang="de">' in letter.html


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [(0, "0", "0"), (1234, "1234", "1234"), (12345.5, "12,345.5", "12.345,5"), (-1e6, "-1,000,000", "-1.000.000"),
     (1e-7, "1e-07", "1e-07"), (1.5e300, "1.5e+300", "1,5e+300")],
)  # fmt: skip
def test_numbers(number, english, german):
    assert (wording_of("en").number(number), wording_of("de").number(number)) == (english, german)


UNITS = {
    "en": ("month|months", {0: "0 months", 1: "1 month", 2: "2 months", 1.5: "1.5 months", 1234: "1,234 months"}),
    "de": ("Monat|Monate", {0: "0 Monate", 1: "1 Monat", 1.5: "1,5 Monate", 1234: "1.234 Monate"}),
    "fr": ("jour|jours", {0: "0 jour", 1: "1 jour", 1.5: "1,5 jour", 2: "2 jours", 1234: "1\u202f234 jours"}),
    "es": ("mes|meses", {0: "0 meses", 1: "1 mes", 2: "2 meses", 1234: "1234 meses", 12345: "12.345 meses"}),
    "it": ("mese|mesi", {0: "0 mesi", 1: "1 mese", 2: "2 mesi", 1234: "1234 mesi", 12345: "12.345 mesi"}),
    "pl": (
        "miesiąc|miesiące|miesięcy|miesiąca",
        {0: "0 miesięcy", 1: "1 miesiąc", 2: "2 miesiące", 4: "4 miesiące", 5: "5 miesięcy", 11: "11 miesięcy"}
        | {12: "12 miesięcy", 14: "14 miesięcy", 21: "21 miesięcy", 22: "22 miesiące", 25: "25 miesięcy"}
        | {101: "101 miesięcy", 112: "112 miesięcy", 122: "122 miesiące", 2.5: "2,5 miesiąca", 1234: "1234 miesiące"},
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_units_go_with_their_numbers(language):
    unit, said = UNITS[language]
    words = wording_of(language)
    assert {number: words.quantity(number, unit).replace("\xa0", " ") for number in said} == said
    assert "\xa0" in words.quantity(3, unit)  # a number and its unit stay on one line
    assert words.quantity(12345, "$ {number}").startswith("$\xa012")


def test_a_unit_in_front_stands_before_both_numbers(declined):
    _, e = declined
    text = text_of(e.letter("all", protected=[], units={"income": "EUR {number}", "savings": "euro|euros"}))
    assert "EUR 5,074 to EUR 9,340" in text
    assert "12,110 to 20,750 euros" in text


@pytest.mark.parametrize("unit", ["month|months|monthses", "month|", "{number}", ""])
def test_a_unit_that_lacks_a_form_is_named(declined, unit):
    with pytest.raises(symcf.OptionError, match=r"^units: 'months': .* form"):
        declined[1].letter("all", protected=[], units={"months": unit})


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [("en", "1 May 2026", "2 May 2026"), ("de", "1. Mai 2026", "2. Mai 2026"), ("fr", "1er mai 2026", "2 mai 2026"),
     ("es", "1 de mayo de 2026", "2 de mayo de 2026"), ("it", "1º maggio 2026", "2 maggio 2026"),
     ("pl", "1 maja 2026 r.", "2 maja 2026 r.")],
)  # fmt: skip
def test_days(language, first, second):
    words = wording_of(language)
    assert [words.day(datetime.date(2026, 5, day)) for day in (1, 2)] == [first, second]
    own = wording_of(language, {"day": "{year}-{day}"})
    assert own.day(datetime.date(2026, 5, 1)) == "2026-1"


def test_all_languages_have_the_same_sentences():
    shipped = [tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8")) for language in LANGUAGES]
    assert sorted(path.stem for path in HERE.glob("*.toml")) == sorted(LANGUAGES)
    blanks = [
        {key: {b for _, b, _, _ in string.Formatter().parse(text) if b} for key, text in words.items()}
        for words in shipped
    ]
    assert all(other == blanks[0] for other in blanks)


#: Phrases without words, and forms of dates, which `test_days` writes out.
SIGNS = {
    "language", "decimal", "thousands", "grouped", "day", "day_first", "reason", "one_of", "source", "closing",
}  # fmt: skip

BACK = Path(__file__).parents[1] / "data" / "back_translations.tsv"


@pytest.mark.parametrize("language", ["fr", "es", "it", "pl"])
def test_phrases_were_translated_back(language):
    """A phrase that changed has to be translated back to English anew, and compared with en.toml.

    The back-translations were made phrase by phrase, without en.toml at hand.
    """
    words = tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8"))
    rows = [line.split("\t") for line in BACK.read_text(encoding="utf-8").splitlines()[1:]]
    found = {key: rest for spoken, key, *rest in rows if spoken == language}
    assert found.keys() == words.keys() - SIGNS
    for key, (digest, back, verdict) in found.items():
        now = hashlib.sha256(words[key].encode()).hexdigest()[:16]
        assert now == digest, f"{language}.toml: {key} has changed: translate it back anew in {BACK.name}, hash {now}"
        assert sorted(re.findall(r"{\w+}", back)) == sorted(re.findall(r"{\w+}", words[key])), (language, key)
        assert verdict.startswith("same"), (language, key, verdict)


#: Words of familiar address, by language; letters use the formal one.
FAMILIAR = {
    "de": r"\b(du|dir|dich|dein\w*)\b",
    "fr": r"\b(tu|toi|te|ton|ta|tes)\b",
    "es": r"\b(tú|tu|tus|te|ti|puedes|tienes)\b",
    "it": r"\b(tu|tuo|tua|tuoi|tue|ti|puoi|hai)\b",
    "pl": r"\b(ty|ciebie|cię|tobie|twój|twoja|twoje|twoich|możesz|masz)\b",
}
FORMAL = {
    "de": r"\bSie\b|\bIhr",
    "fr": r"\bv(ous|otre|os)\b",
    "es": r"\b(usted|sus?|puede)\b",
    "it": r"\b(Lei|Su[aoei]i?)\b",
    "pl": r"\bPaństw",
}


@pytest.mark.parametrize("language", sorted(FAMILIAR))
def test_people_are_addressed_formally(language):
    words = tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8"))
    assert not [key for key, text in words.items() if re.search(FAMILIAR[language], text, re.IGNORECASE)]
    assert sum(bool(re.search(FORMAL[language], text)) for text in words.values()) >= 2
    policy = (Path(symcf.datasets.__file__).parent / "credit_files" / "policy.yaml").read_text(encoding="utf-8")
    texts = re.findall(rf"\b{language}: (.*?)(?:, \w\w: |}}|\n)", policy)
    assert len(texts) > 40
    assert not [text for text in texts if re.search(FAMILIAR[language], text, re.IGNORECASE)]


def test_other_words(declined, tmp_path):
    _, e = declined
    assert "Nope: declined!" in text_of(e.letter("all", protected=[], wording={"decision": "Nope: {decision}!"}))
    (tmp_path / "w.toml").write_text('title = "Hello <b>"\nclosing = "Yours"\n')
    letter = e.letter("all", protected=[], wording=tmp_path / "w.toml")
    assert "Hello &lt;b&gt;" in letter.html
    assert text_of(letter).endswith("Yours")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"allow": "income"}, "allow must list"),
        ({"allow": ["incom"]}, "allow"),
        ({"language": "nl"}, "unknown language 'nl'"),
        ({"paper": "a3"}, "unknown paper"),
        ({"ways": 0}, "ways must be"),
        ({"wording": {"titel": "x"}}, "no sentence 'titel'"),
        ({"wording": {"title": "{decision}"}}, "not filled in there"),
        ({"wording": {"title": "{"}}, "wording"),
        ({"wording": {"decision": "{decision.__class__}"}}, "not filled in there"),
        ({"wording": {"title": 3}}, "must be text"),
        ({"decisions": {"maybe": "x"}}, "not a class"),
        ({"names": {"nothing": "x"}}, "names"),
    ],
)
def test_what_is_refused(declined, options, message):
    _, e = declined
    with pytest.raises(symcf.OptionError, match=message):
        e.letter(**{"allow": "all", "protected": [], **options})


def test_a_certificate_of_another_answer_is_refused(declined):
    c, e = declined
    other = c.explain(symcf.datasets.credit().row("A002"), max_changes=1).certificate()
    with pytest.raises(symcf.OptionError, match="another answer"):
        e.letter("all", protected=[], certificate=other)


def test_no_probability_no_file_no_letter():
    e = symcf.compile(symcf.Diagram.from_table([0, 1])).explain([0])
    with pytest.raises(symcf.OptionError, match="the model has none"):
        e.letter("all", protected=[], probability=True)
    with pytest.raises(symcf.OptionError, match="read from a file"):
        symcf.Explanation.from_dict(e.to_dict()).letter("all", protected=[])


def test_names_from_elsewhere_stay_text():
    name = '<script>alert("x")</script>\n'
    model = symcf.NaiveBayes.binary(0.3, [0.9], [0.1], features=[name], values=[["<a>", "&"]], classes=["<no>", "<y>"])
    letter = symcf.compile(model).explain([0]).letter("all", protected=[], person="<p>", sender="<s>", date="<d>")
    assert "<script" not in letter.html
    for part in (name.strip(), "<a>", "&", "<no>", "<y>", "<p>", "<s>", "<d>"):
        assert part in text_of(letter)
    assert not re.search("https?://|src=|href=", letter.html)  # nothing is loaded


def test_files_and_notebooks(declined, tmp_path):
    _, e = declined
    letter = e.letter("all", protected=[], paper="letter")
    letter.save(tmp_path / "letter.html")
    assert (tmp_path / "letter.html").read_text(encoding="utf-8") == letter.html
    assert "size: letter" in letter.html
    assert unescape(letter._repr_html_()).count("<!DOCTYPE html>") == 1
    assert Path(tmp_path / "letter.html").stat().st_size < 20_000
