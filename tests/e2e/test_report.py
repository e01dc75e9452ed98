"""The report: what the file holds, and what a person can do with it in a real browser."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import browser
import numpy as np
import pytest
from browser import By, Keys, WebDriverWait

import symcf
import symcf.report
from symcf.demo import admission
from symcf.report.charts import bars
from symcf.report.trees import packed

REASON = browser.missing()
needs_browser = pytest.mark.skipif(REASON is not None, reason=f"no browser: {REASON}")

#: Whatever a page could take for its own language.
HOSTILE = (
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    '"><svg onload=window.hacked=1>',
    "<!--<script>",
    "]]>&lt;b&gt;{{ 7 * 7 }}{% raw %}",
    "' onmouseover='window.hacked=1",
    "\u2028\u2029\u202eevil\x00\x08",
    "javascript:window.hacked=1",
    "\ud800 alone",
    "__proto__",
    "x" * 300,
)


# --- models of every kind ---------------------------------------------------------------------------------------------


def many_valued(seed: int, n_values: tuple[int, ...], classes: int = 2) -> symcf.NaiveBayes:
    random = np.random.default_rng(seed)
    tables = [random.dirichlet(np.ones(d), size=classes) for d in n_values]
    if len(tables) > 2 and n_values[1] > 3:  # two values that make no difference are a group
        tables[1][:, 2] = tables[1][:, 3] = (tables[1][:, 2] + tables[1][:, 3]) / 2
    return symcf.NaiveBayes(random.dirichlet(np.ones(classes) * 5), tables)


def function(n: int) -> symcf.FunctionModel:
    return symcf.from_function(
        lambda x: (x[0] and x[1]) or (x[2] + x[3] + x[4] >= 2 and not x[0]) or (x[5] and x[n - 1]), n
    )


@cache
def forest(classes: int) -> symcf.Model:
    from sklearn.ensemble import RandomForestClassifier

    random = np.random.default_rng(classes)
    x = random.integers(0, 4, size=(200, 5))
    y = (x[:, 0] + x[:, 1] * (x[:, 2] > 1) + x[:, 3]) % 7 * classes // 7
    return symcf.from_sklearn(RandomForestClassifier(n_estimators=3, max_depth=3, random_state=1).fit(x, y))


def two_labels() -> symcf.Model:
    """Has a row one label, and not the other?"""
    labels = {"loan": many_valued(11, (3, 5, 2, 4, 2)), "card": many_valued(12, (3, 5, 2, 4, 2))}
    return symcf.MultiLabel(labels).goal({"loan": 1, "card": 0}).model


def linear(classes: int, probability: str | None = "logistic") -> symcf.LinearClassifier:
    random = np.random.default_rng(classes)
    d = (2, 3, 4, 2, 3)
    if classes == 2:
        return symcf.LinearClassifier([random.normal(size=k).tolist() for k in d], 0.1, probability=probability)
    weights = [[random.integers(-3, 4, size=k).tolist() for k in d] for _ in range(classes)]
    return symcf.LinearClassifier(weights, [0] * classes, probability=probability)


#: Models, and what is asked about their rows.
CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "paper": (admission, {}),
    "binary": (lambda: many_valued(1, (2,) * 9), {"immutable": ["x0", "x4"]}),
    "values": (lambda: many_valued(2, (3, 5, 2, 4, 3)), {}),
    "allowed": (
        lambda: many_valued(3, (3, 5, 2, 4, 3)),
        {"allowed": {"x1": [0, 2], "x3": "increase", "x0": "decrease"}},
    ),
    "few changes": (lambda: many_valued(4, (2,) * 8), {"max_changes": 2}),
    "costs": (lambda: many_valued(5, (2, 3, 2, 3, 2)), {"cost": {"x0": 2.5, "x1": 0.5, "x4": 3}}),
    "costs a value": (lambda: many_valued(6, (3, 4, 3, 2)), {"cost": {"x0": "ordinal", "x1": {2: 4, 0: 0.25}}}),
    "classes": (lambda: many_valued(7, (3, 5, 2, 3), 4), {}),
    "target": (lambda: many_valued(8, (3, 5, 2, 3), 3), {"target": 1}),
    "linear": (lambda: linear(2), {}),
    "score": (lambda: linear(2, None), {}),
    "linear classes": (lambda: linear(3), {}),
    "one against the rest": (lambda: linear(3, "ovr"), {}),
    "function": (lambda: function(9), {"immutable": ["x1"]}),
    "labels": (lambda: two_labels(), {}),
    "forest": (lambda: forest(2), {}),
    "forest classes": (lambda: forest(3), {}),
    "forest target": (lambda: forest(3), {"target": 2}),
    "rules": (lambda: many_valued(9, (2, 3, 2, 3)), {"constraints": ["x0 = 1 -> x1 != 2"]}),
    "rules, classes": (lambda: many_valued(10, (2, 5, 2, 3), 3), {"constraints": ["x0 = 1 -> x1 != 2"], "target": 0}),
}


def some_rows(c: symcf.Compiled, count: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    return np.stack([random.integers(0, len(values), size=count) for values in c.values], axis=1)


def written(path: Path, c: symcf.Compiled, codes: Any, **options: Any) -> Path:
    """A report of rows of value codes, for whatever rows the model reads."""
    symcf.report.write(path, c.of_codes(), codes, **options)
    return path


def data_of(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    result: dict[str, Any] = json.loads(found)
    return result


class Tags(HTMLParser):
    """The elements of a page with their attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, text: str) -> None:
        if self.elements and self.lasttag in self.inside and self.cdata_elem is not None:
            self.inside[self.lasttag].append(text)


# --- the file ---------------------------------------------------------------------------------------------------------


def test_file_stands_by_itself(tmp_path: Path) -> None:
    path = written(tmp_path / "r.html", symcf.compile(admission()), [[1, 0, 1, 0]])
    text = path.read_text(encoding="utf-8")
    tags = Tags(text)
    assert not [t for t, a in tags.elements if t in ("iframe", "object", "embed", "base") or "src" in a]
    assert {a["href"] for t, a in tags.elements if t == "link"} == {"data:,"}
    assert all((a.get("href") or "#").startswith("#") for t, a in tags.elements if t == "a")
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert not re.search(r"@import|url\(", "".join(tags.inside["style"]))


@pytest.mark.parametrize(("make", "known"), [(admission, True), (two_labels, False)])
def test_only_known_probabilities_are_spoken_of(tmp_path: Path, make: Any, known: bool) -> None:
    c = symcf.compile(make())
    text = written(tmp_path / "r.html", c, some_rows(c, 5)).read_text(encoding="utf-8")
    assert ("then the highest probability" in text) is known


def test_policy_allows_this_script_and_these_styles_only(tmp_path: Path) -> None:
    path = written(tmp_path / "r.html", symcf.compile(admission()), [[1, 0, 1, 0]])
    text = path.read_text(encoding="utf-8")
    (policy,) = (a["content"] for t, a in Tags(text).elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag, source in (("script", "script-src"), ("style", "style-src")):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{source} 'sha256-{digest}'" in policy
    assert not re.search(r"\son[a-z]+=|\sstyle=", re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL))


def hostile_model() -> symcf.NaiveBayes:
    random = np.random.default_rng(0)
    n = len(HOSTILE)
    values = [[HOSTILE[j], HOSTILE[(j + 1) % n], f"plain {j}"] for j in range(n)]
    tables = [random.dirichlet(np.ones(3), size=2) for _ in range(n)]
    return symcf.NaiveBayes([0.5, 0.5], tables, features=HOSTILE, values=values, classes=HOSTILE[:2])


def write_hostile(path: Path) -> symcf.Compiled:
    c = symcf.compile(hostile_model())
    rows = some_rows(c, 30)
    options = {"title": HOSTILE[0], "immutable": [HOSTILE[3]]}
    symcf.report.write(path, c, rows, names=(HOSTILE * 3)[:30], **options)
    return c


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    write_hostile(tmp_path / "r.html")
    tags = Tags((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert sum(t == "script" for t, _ in tags.elements) == 2
    assert not [t for t, a in tags.elements if t in ("b", "img") or any(name.startswith("on") for name in a)]
    data = data_of(tmp_path / "r.html")
    assert data["features"] == [name.replace("\ud800", "?") for name in HOSTILE]


def test_numbers_are_packed_small() -> None:
    for numbers, bits in (([], 8), ([0, 255], 8), ([256], 16), ([1 << 16, 7], 32)):
        field = packed(numbers)
        assert field["bits"] == bits
        assert np.frombuffer(base64.b64decode(field["data"]), dtype=f"<u{bits // 8}").tolist() == numbers


def test_bars_say_what_they_show() -> None:
    chart = bars("heading", [("a", 999), ("b", 1), ("c", 0)], 1000, 2)
    assert [bar.percent for bar in chart.bars] == ["over 99%", "under 1%"]
    assert chart.described == "a: 999 (over 99%); b: 1 (under 1%)"
    assert [bar.name for bar in chart.hidden] == ["c"]


def test_listed_rows_and_counted_rows(tmp_path: Path) -> None:
    c = symcf.compile(admission())
    path = written(tmp_path / "r.html", c, some_rows(c, 40), max_rows=7)
    assert data_of(path)["rows"]["count"] == 7
    assert "The first 7 of 40 rows are listed" in path.read_text(encoding="utf-8")
    assert "rows are listed" not in written(path, c, some_rows(c, 40), max_rows=None).read_text(encoding="utf-8")


def test_unreadable_rows_are_marked(tmp_path: Path) -> None:
    c = symcf.compile(admission())
    rows = [[1, 0, 1, 0], [1, 0, 7, 0]]
    with pytest.raises(symcf.InstanceError, match="row 1"):
        symcf.report.write(tmp_path / "r.html", c, rows)
    symcf.report.write(tmp_path / "r.html", c, rows, errors="mark")
    assert "1 row could not be read" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["a"]}, "names has 1 names for 2 rows"),
        ({"names": "ab"}, "names must list one name per row, not 'ab'"),
        ({"names": 3}, "names must list one name per row, not 3"),
        ({"title": 5}, "title must be a string, not 5"),
        ({"max_rows": 0}, "max_rows must be an integer of at least 1, not 0"),
        ({"max_nodes": -1}, "max_nodes must be an integer of at least 0, not -1"),
        ({"groups": "shoe size"}, "groups: the classifier has no feature 'shoe size'"),
        ({"select": "all"}, "a report shows the nearest values"),
        ({"immutable": ["shoe size"]}, "shoe size"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(symcf.OptionError, match=re.escape(message)):
        symcf.report.write(tmp_path / "r.html", symcf.compile(admission()), [[1, 0, 1, 0]] * 2, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_model_is_not_enough(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"NaiveBayes: call symcf\.compile first"):
        symcf.report.write(tmp_path / "r.html", admission(), [])  # type: ignore[arg-type]


def test_without_jinja2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(symcf.OptionError, match=r"pip install 'symcf\[report\]'"):
        symcf.report.write(tmp_path / "r.html", symcf.compile(admission()), [[1, 0, 1, 0]])


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.html"
    path.write_text("before")

    def fail(_: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        symcf.report.write(path, symcf.compile(admission()), [[1, 0, 1, 0]])
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError, match=r"r\.html'$"):
        symcf.report.write(tmp_path / "none" / "r.html", symcf.compile(admission()), [[1, 0, 1, 0]])


def test_weights_where_diagrams_are_too_large(tmp_path: Path) -> None:
    c = symcf.compile(many_valued(1, (2,) * 9))
    small = data_of(written(tmp_path / "r.html", c, some_rows(c, 3), max_nodes=5))["classifier"]
    assert small["diagrams"] == []
    assert small["sums"] is not None
    assert small["missing"] is None
    whole = data_of(written(tmp_path / "r.html", c, some_rows(c, 3)))["classifier"]
    assert len(whole["diagrams"]) == 1
    trees = symcf.compile(forest(2))
    assert (
        "nodes"
        in data_of(written(tmp_path / "r.html", trees, some_rows(trees, 3), max_nodes=5))["classifier"]["missing"]
    )


# --- the browser ------------------------------------------------------------------------------------------------------


ASK = """
const [rows, options] = arguments;
const locked = symcf.data.features.map((_, j) => symcf.data.locked.includes(j));
return rows.map((x) => {
  const answer = symcf.engine.changes(x, { locked, target: symcf.data.target, limit: 1e6, steps: 1e9, ...options });
  return {
    prediction: symcf.engine.predict(x), chances: symcf.engine.probabilities(x), score: symcf.engine.score(x),
    counts: symcf.engine.contributions(x), complete: answer.complete,
    sets: answer.ways.map((w) => w.features), rows: answer.ways.map((w) => w.row),
    decisions: answer.ways.map((w) => w.decision),
  };
});
"""


def check_answers(c: symcf.Compiled, rows: Any, answers: list[dict[str, Any]], options: dict[str, Any]) -> int:
    """Are the page's answers those of symcf: decision, probability, sets in their order, values? How many sets?"""
    c = c.of_codes()
    batch = symcf.fast.explain_batch(c, rows, **options)
    chances = c.probabilities(np.asarray(rows))
    count = 0
    for i, (e, answer) in enumerate(zip(batch, answers, strict=True)):
        assert answer["prediction"] == e.prediction
        assert answer["complete"]
        assert [tuple(s) for s in answer["sets"]] == e.sets
        assert answer["rows"] == [cf.instance.tolist() for cf in e]
        assert answer["decisions"] == [cf.target for cf in e]
        assert (answer["chances"] is None) == (chances is None)
        if chances is not None:
            assert answer["chances"] == pytest.approx(chances[i].tolist(), abs=1e-9)
        if answer["counts"] is not None:
            total = answer["counts"]["start"] + sum(answer["counts"]["facts"])
            assert total == pytest.approx(float(c.decision_function(np.asarray(rows[i : i + 1]))[0]), abs=1e-9)
        count += e.count
    return count


@needs_browser
@pytest.mark.parametrize("case", CASES)
def test_answers_are_those_of_symcf(page: Any, tmp_path: Path, case: str) -> None:
    make, options = CASES[case]
    c = symcf.compile(make())
    rows = some_rows(c, 100, seed=1)
    driver = page(written(tmp_path / "r.html", c, rows[:5], **options))
    found = check_answers(c, rows, driver.execute_script(ASK, rows.tolist(), {}), options)
    assert found > 100
    # The other way to the same answers. A diagram knows no margin, but it is asked for sets only.
    assert found == check_answers(c, rows, driver.execute_script(ASK, rows.tolist(), {"diagram": True}), options)


@needs_browser
@pytest.mark.parametrize("case", ["binary", "values", "costs", "classes", "linear"])
def test_answers_by_weights_alone(page: Any, tmp_path: Path, case: str) -> None:
    make, options = CASES[case]
    c = symcf.compile(make())
    rows = some_rows(c, 100, seed=2)
    driver = page(written(tmp_path / "r.html", c, rows[:5], max_nodes=1, **options))
    assert check_answers(c, rows, driver.execute_script(ASK, rows.tolist(), {}), options) > 100


@needs_browser
def test_many_ways_are_also_given_in_short(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(symcf.LinearClassifier([1, 1, 1, 1, 2], -2.5, features=list("abcde")))
    e = c.explain([0] * 5)
    driver = page(written(tmp_path / "r.html", c, [[0] * 5, [1] * 5]))
    short = next(
        d for d in driver.find_elements(By.CSS_SELECTOR, "#rows details, article details") if "in short" in d.text
    )
    short.find_element(By.TAG_NAME, "summary").click()
    WebDriverWait(driver, 5).until(lambda _: short.find_elements(By.TAG_NAME, "li"))
    lines = [item.text for item in short.find_elements(By.TAG_NAME, "li")]
    assert len(lines) == len(e.groups())
    assert lines[0] == "e; and one of a, b, c or d"


@needs_browser
def test_a_search_that_is_stopped_says_so(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(many_valued(11, (2,) * 24))
    rows = some_rows(c, 20)
    driver = page(written(tmp_path / "r.html", c, rows))
    for options, how in itertools.product(({"limit": 5}, {"steps": 200}), ({}, {"diagram": True})):
        for x, answer in zip(rows, driver.execute_script(ASK, rows.tolist(), {**options, **how}), strict=True):
            sets = [tuple(s) for s in answer["sets"]]
            complete = c.explain(x).sets
            assert set(sets) <= set(complete)
            assert sets == complete or not answer["complete"]
            if "limit" in options:
                assert sets == complete[:5]
                assert answer["complete"] == (len(complete) <= 5)


@needs_browser
def test_the_list_shows_what_was_found(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(admission())
    driver = page(written(tmp_path / "r.html", c, [[1, 0, 1, 0], [0, 0, 1, 0]], names=["Ann", "Bob"]))
    cards = driver.find_elements(By.TAG_NAME, "article")
    assert [card.find_element(By.TAG_NAME, "h3").text for card in cards] == ["Ann", "Bob"]
    assert "rejected" in cards[0].text
    assert "It would have been admitted with any one of these changes:" in cards[0].text
    assert "It would have been admitted in any one of these ways:" in cards[1].text
    ways = [item.text for item in cards[1].find_elements(By.CSS_SELECTOR, ".ways li")]
    chance = c.explain([0, 0, 1, 0])[0].probability
    assert ways[0] == f"work experience from 0 to 1 (admitted {chance:.1%})"
    assert ways[1].startswith("both entrance exam from 0 to 1 and first application from 0 to 1")
    cards[1].find_element(By.XPATH, ".//summary[.='All facts of this decision']").click()
    table = WebDriverWait(driver, 10).until(lambda _: cards[1].find_elements(By.TAG_NAME, "table"))[0].text.splitlines()
    assert table[:3] == ["Fact Now First way", "entrance exam 0 same", "work experience 0 1"]


@needs_browser
def test_filters_and_pages(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(many_valued(12, (2, 3, 2, 3, 2, 2)))
    rows = some_rows(c, 3000)
    driver = page(written(tmp_path / "r.html", c, rows, immutable=["x0"]))
    batch = symcf.fast.explain_batch(c, rows, immutable=["x0"])

    def found() -> int:
        return int(driver.find_element(By.ID, "found").text.split()[0].replace(",", "").replace("No", "0"))

    def choose(name: str, value: str) -> None:
        driver.find_element(By.CSS_SELECTOR, f"#by-{name} option[value='{value}']").click()

    assert found() == 3000
    assert len(driver.find_elements(By.TAG_NAME, "article")) == 20
    choose("decision", "1")
    assert found() == int((batch.prediction == 1).sum())
    choose("feature", "3")
    with_feature = [i for i, e in enumerate(batch) if e.prediction == 1 and any(3 in s for s in e.sets)]
    assert found() == len(with_feature)
    choose("size", "2")
    assert found() == sum(len(batch.sets(i)[0]) == 2 for i in with_feature)
    for name in ("decision", "feature", "size"):
        choose(name, "")
    driver.find_element(By.ID, "by-text").send_keys("row 2,99")
    assert found() == 10  # 2,990 to 2,999
    driver.find_element(By.ID, "by-text").send_keys("nonsense")
    assert driver.find_element(By.ID, "found").text == "No decision fits these filters."
    driver.find_element(By.ID, "by-text").send_keys(Keys.CONTROL, "a", Keys.BACKSPACE)
    assert driver.find_element(By.ID, "page-number").text == "Page 1 of 150"
    driver.execute_script("document.getElementById('later').click()")
    assert driver.find_element(By.TAG_NAME, "article").text.startswith("Row 21\n")
    driver.execute_script("document.getElementById('earlier').click()")
    assert not driver.find_element(By.ID, "earlier").is_enabled()


@needs_browser
def test_what_if(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(admission())
    driver = page(written(tmp_path / "r.html", c, [[1, 0, 1, 0], [0, 0, 1, 0]], names=["Ann", "Bob"]))

    def verdict() -> str:
        return str(driver.find_element(By.ID, "verdict").text)

    def ways() -> list[str]:
        return [item.text.split(" (")[0] for item in driver.find_elements(By.CSS_SELECTOR, "#ways li")]

    driver.find_elements(By.CSS_SELECTOR, "article button")[1].click()
    assert driver.find_element(By.ID, "pick").get_attribute("value") == "Bob"
    assert verdict().startswith("rejected")
    assert ways() == ["work experience from 0 to 1", "both entrance exam from 0 to 1 and first application from 0 to 1"]
    # flip a fact
    driver.find_element(By.CSS_SELECTOR, "input[name=fact-0][value='1']").click()
    assert ways() == ["work experience from 0 to 1", "first application from 0 to 1"]
    assert "was 0" in driver.find_element(By.CSS_SELECTOR, "#fact-list .fact").text
    # lock one
    driver.find_elements(By.CSS_SELECTOR, ".keep input")[1].click()
    assert ways() == ["first application from 0 to 1"]
    assert "Keep" in driver.find_element(By.ID, "ways-note").text
    # take a suggestion
    driver.find_element(By.CSS_SELECTOR, "#ways button").click()
    assert verdict().startswith("admitted")
    assert "It was rejected" in verdict()
    probability = c.predict_proba([[1, 0, 1, 1]])[0, 1]
    assert f"Probability of admitted {probability:.1%}" in driver.find_element(By.ID, "gauge").text
    # how it came about
    driver.find_element(By.CSS_SELECTOR, "#counts summary").click()
    WebDriverWait(driver, 10).until(lambda d: d.find_elements(By.CSS_SELECTOR, "#counts-list li"))
    counts = [item.text.splitlines() for item in driver.find_elements(By.CSS_SELECTOR, "#counts-list li")]
    assert (counts[0][0], counts[0][-1]) == ("Before any fact", f"{np.log(0.7 / 0.3):.2f}")
    assert counts[1][0] == "work experience: 0"
    # and back
    driver.find_element(By.ID, "reset").click()
    assert verdict().startswith("rejected")
    driver.find_element(By.ID, "fresh").click()
    assert driver.find_element(By.ID, "pick").get_attribute("value") == ""
    pick = driver.find_element(By.ID, "pick")
    pick.send_keys("nobody", Keys.TAB)
    assert "There is no “nobody”" in verdict()
    pick.send_keys(Keys.CONTROL, "a", Keys.BACKSPACE)
    pick.send_keys("ann", Keys.TAB)
    assert ways() == ["first application from 0 to 1"]  # what is locked stays so


@needs_browser
def test_what_if_by_keyboard_alone(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(admission())
    driver = page(written(tmp_path / "r.html", c, [[0, 0, 1, 0]], immutable=["GPA"]))

    def press(*keys: str) -> Any:
        driver.switch_to.active_element.send_keys(*keys)
        return driver.switch_to.active_element

    def tab_to(condition: Any, most: int = 40) -> Any:
        for _ in range(most):
            element = press(Keys.TAB)
            if condition(element):
                return element
        raise AssertionError("not reached by the tab key")

    assert press(Keys.TAB).text.startswith("Skip")
    press(Keys.ENTER)
    assert driver.switch_to.active_element.get_attribute("id") == "whatif"
    radio = tab_to(lambda e: e.get_attribute("name") == "fact-0")
    assert radio.accessible_name == "0"
    press(Keys.ARROW_RIGHT)
    assert driver.find_element(By.CSS_SELECTOR, "input[name=fact-0][value='1']").is_selected()
    keep = tab_to(lambda e: e.get_attribute("type") == "checkbox")
    assert keep.accessible_name == "Keep entrance exam as it is in suggestions"
    gpa = tab_to(lambda e: "GPA" in e.accessible_name)
    assert gpa.is_selected()
    attempt = tab_to(lambda e: e.accessible_name.startswith("Try this:"))
    assert attempt.accessible_name == "Try this: work experience to 1"
    outline = driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    press(Keys.ENTER)
    assert driver.find_element(By.ID, "verdict").text.startswith("admitted")
    assert driver.switch_to.active_element.get_attribute("id") == "ways-title"


UNNAMED = """
return [...document.querySelectorAll("input, select, button, section, nav, [role=region], article")]
  .filter((e) => e.checkVisibility() || e.tagName === "SECTION");
"""


@needs_browser
def test_screen_readers_find_their_way(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(many_valued(13, (2, 7, 3), 3))
    driver = page(written(tmp_path / "r.html", c, some_rows(c, 30)))
    assert [e.accessible_name for e in driver.execute_script(UNNAMED) if not e.accessible_name] == []
    levels = [int(h.tag_name[1]) for h in driver.find_elements(By.CSS_SELECTOR, "h1, h2, h3, h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))
    for landmark in ("header", "main", "footer", "nav", "[role=search]"):
        assert driver.find_elements(By.CSS_SELECTOR, landmark)
    assert driver.find_element(By.ID, "verdict").get_attribute("aria-live") == "polite"
    assert driver.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    ids = driver.execute_script("return [...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


CONTRAST = """
const channel = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
const under = (e) => {
  for (; e; e = e.parentElement) {
    const colour = parse(getComputedStyle(e).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const weak = [];
for (const e of document.querySelectorAll("body *")) {
  const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!own || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(e.tagName) || !e.checkVisibility()) continue;
  const style = getComputedStyle(e);
  const ink = parse(e.namespaceURI.endsWith("svg") ? style.fill : style.color);
  const [a, b] = [light(ink), light(under(e))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) weak.push(`${e.tagName}.${e.className}: ${e.textContent.slice(0, 40)}`);
}
return weak;
"""


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(page: Any, tmp_path: Path, scheme: str) -> None:
    c = symcf.compile(many_valued(14, (2, 7, 3), 4))
    driver = page(written(tmp_path / "r.html", c, some_rows(c, 30), max_rows=25))
    browser.prefer(driver, dark=scheme == "dark")
    assert driver.execute_script(CONTRAST) == []
    background = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(18, 22, 28)") == (scheme == "dark")
    browser.prefer(driver, dark=False)


@needs_browser
@pytest.mark.parametrize("width", [320, browser.PHONE[0], 900])
def test_nothing_is_wider_than_the_screen(page: Any, tmp_path: Path, width: int) -> None:
    write_hostile(tmp_path / "r.html")
    driver = page(tmp_path / "r.html", (width, 700))
    for summary in driver.find_elements(By.TAG_NAME, "summary")[:6]:
        driver.execute_script("arguments[0].click()", summary)
    sizes = driver.execute_script("const e = document.documentElement; return [e.scrollWidth, e.clientWidth]")
    assert sizes[0] <= sizes[1] == width


@needs_browser
def test_the_decision_hides_nothing_that_has_the_focus(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(many_valued(1, (2,) * 12))
    driver = page(written(tmp_path / "r.html", c, some_rows(c, 2)), browser.PHONE)
    driver.find_element(By.CSS_SELECTOR, "#ways button").send_keys("")
    box = driver.find_element(By.CLASS_NAME, "verdict-box")
    for _ in range(25):
        driver.switch_to.active_element.send_keys(Keys.SHIFT, Keys.TAB)
        element = driver.switch_to.active_element
        if element.tag_name == "a":
            break
        top, edge = driver.execute_script(
            "return [...arguments].map((e) => e.getBoundingClientRect()).map((r, i) => (i ? r.bottom : r.top))",
            element,
            box,
        )
        assert top >= edge


@needs_browser
def test_hostile_names_are_shown_and_not_run(page: Any, tmp_path: Path) -> None:
    c = write_hostile(tmp_path / "r.html")
    driver = page(tmp_path / "r.html")
    assert driver.find_element(By.TAG_NAME, "h1").text == HOSTILE[0]
    assert driver.find_element(By.CSS_SELECTOR, "article h3").text == HOSTILE[0]
    for index in range(4):
        for kind in ("#ways button", "article button", "article summary"):
            found = driver.find_elements(By.CSS_SELECTOR, kind)
            driver.execute_script("arguments[0].click()", found[index % len(found)])
    driver.find_element(By.ID, "by-text").send_keys("<img")
    assert driver.find_elements(By.TAG_NAME, "article")
    rows = some_rows(c, 30)
    check_answers(c, rows, driver.execute_script(ASK, rows.tolist(), {}), {"immutable": [HOSTILE[3]]})


@needs_browser
def test_too_large_to_try(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(forest(2))
    driver = page(written(tmp_path / "r.html", c, some_rows(c, 5), max_nodes=5))
    assert "cannot be tried in a page" in driver.find_element(By.ID, "whatif-missing").text
    assert not driver.find_element(By.ID, "whatif-panel").is_displayed()
    assert len(driver.find_elements(By.TAG_NAME, "article")) == 5


@needs_browser
def test_no_rows_nothing_to_change_and_unreadable_ones(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(admission())
    driver = page(written(tmp_path / "r.html", c, np.zeros((0, 4), dtype=np.int64)))
    assert driver.find_element(By.ID, "verdict").text.startswith("rejected")
    assert not driver.find_element(By.ID, "rows").is_displayed()
    everything = list(c.features)
    rows = [[1, 0, 1, 0], [1, 0, 9, 0], [1, 1, 1, 1]]
    driver = page(written(tmp_path / "r.html", c, rows, immutable=everything, errors="mark", target="admitted"))
    first, second, third = driver.find_elements(By.TAG_NAME, "article")
    assert (
        "Nothing that may change would have led to another decision. In the way: first application may not"
        in first.text
    )
    assert "could not be read" in second.text
    assert "nothing has to change" in third.text
    assert "Nothing found that would make it admitted" in driver.find_element(By.ID, "ways-title").text
    assert driver.find_element(By.ID, "ways-note").text.startswith("There are no changes that leave alone")


@needs_browser
def test_wanted_decision_of_many(page: Any, tmp_path: Path) -> None:
    c = symcf.compile(many_valued(7, (3, 5, 2, 3), 4))
    rows = some_rows(c, 5)
    driver = page(written(tmp_path / "r.html", c, rows))
    prediction = int(c.decide(rows[:1])[0])
    for target in sorted({0, 1, 2, 3} - {prediction}):
        driver.find_element(By.CSS_SELECTOR, f"#goal option[value='{target}']").click()
        expected = c.explain(rows[0], target=target)
        assert len(driver.find_elements(By.CSS_SELECTOR, "#ways li")) == min(30, expected.count)
    driver.find_element(By.CSS_SELECTOR, f"#goal option[value='{prediction}']").click()
    assert driver.find_element(By.ID, "ways-title").text == "This is the wanted decision"
