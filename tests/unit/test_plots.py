"""Pictures: facts, not pixels. What bars, labels and texts say is compared with numbers computed another way."""

import importlib.util
import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import symcf
import symcf.fast
from symcf import drawing, plots
from symcf.demo import admission
from symcf.errors import FileError, LimitError, OptionError, SymcfError
from symcf.plots import canvas, heat

pytest.importorskip("matplotlib")

APPLICANT = [0, 0, 1, 0]
NASTY = '$x_{$ <b> & \\ "q" ' + "very long " * 10


@pytest.fixture(scope="module")
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def batch(c):
    rows = [[a, b, d, f] for a in (0, 1) for b in (0, 1) for d in (0, 1) for f in (0, 1)]
    return symcf.fast.explain_batch(c, rows)


def drawn(ax):
    """Draws it for real, so that whatever fails then fails here."""
    ax.figure.canvas.draw()
    return ax


def texts(ax):
    return [text.get_text() for text in ax.texts]


def ticks(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def spans(ax):
    """By bar of a waterfall, where it starts and ends, from its side of departure."""
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]


# --- waterfall --------------------------------------------------------------------------------------------------------


def test_waterfall_adds_up_the_log_odds(c):
    e = c.explain(APPLICANT)
    ax = drawn(plots.waterfall(c, e, 1))
    p = [1 - e.probability, e[1].probability]
    start, end = (math.log(q / (1 - q)) for q in p)
    bars = spans(ax)
    assert bars[0][0] == pytest.approx(start)
    assert bars[-1][1] == pytest.approx(end)
    assert bars[0][1] == pytest.approx(bars[1][0])
    # by hand, from the tables of the model: log P(1 | yes) / P(1 | no) - log P(0 | yes) / P(0 | no)
    moves = [math.log(0.7 / 0.2 / (0.3 / 0.8)), math.log(0.4 / 0.15 / (0.6 / 0.85))]
    assert [b - a for a, b in bars] == pytest.approx(moves)
    assert ticks(ax.yaxis) == [
        "now: rejected (95.7%)",
        "first application: 0 → 1",
        "entrance exam: 0 → 1",
        "then: admitted (61.1%)",
    ]
    assert ax.get_xlabel() == "log-odds of admitted against rejected"
    assert {"+2.23", "+1.33", "threshold"} <= set(texts(ax))


def test_waterfall_goes_to_the_right_for_either_class(c):
    e = c.explain([1, 1, 1, 1])
    for i in range(len(e)):
        bars = spans(plots.waterfall(c, e, i))
        assert bars[0][0] < 0 < bars[-1][1]


def test_waterfall_with_a_threshold_of_its_own():
    model = symcf.NaiveBayes.binary(0.5, [0.9], [0.1], threshold=0.8)
    c = symcf.compile(model)
    ax = plots.waterfall(c, c.explain([0]))
    assert spans(ax)[0] == pytest.approx((math.log(1 / 9) - math.log(4), math.log(9) - math.log(4)))
    assert ax.get_xlabel().endswith("above the threshold")


def test_waterfall_of_many_classes_is_one_against_the_other():
    model = symcf.LinearClassifier(
        [[[0, 1], [0, 0]], [[0, 3], [0, 0]], [[0, 0], [0, 4]]], [1, 0, -1], classes=["low", "medium", "high"]
    )
    c = symcf.compile(model)
    e = c.explain([0, 0])
    for i, cf in enumerate(e):
        start, end = model.decision_values([[0, 0], cf.instance.tolist()])
        ax = drawn(plots.waterfall(c, e, i))
        (bar,) = spans(ax)
        assert bar == pytest.approx((start[cf.target] - start[0], end[cf.target] - end[0]))
        assert ax.get_xlabel() == f"score of {c.classes[cf.target]} against low"


def test_waterfall_of_certainty():
    c = symcf.compile(symcf.NaiveBayes.binary(0.4, [0.9, 0.5], [0.0, 0.4]))
    ax = drawn(plots.waterfall(c, c.explain([0, 0])))
    assert "certain" in texts(ax)
    assert np.isfinite(ax.get_xlim()).all()


def test_waterfall_of_columns_of_numbers():
    credit = symcf.datasets.credit()
    c = symcf.compile(credit.model("logistic"))
    (row, *_) = (i for i, label in enumerate(c.predict(credit.data)) if label == "declined")
    e = c.explain(credit.data.iloc[row], target="approved", k=3)
    for i, cf in enumerate(e):
        ax = drawn(plots.waterfall(c, e, i))
        p = [1 - e.probability, cf.probability]
        bars = spans(ax)
        assert (bars[0][0], bars[-1][1]) == pytest.approx(tuple(math.log(q / (1 - q)) for q in p))
        assert len(bars) == len(cf.changes)
        assert ax.get_xlabel() == "log-odds of approved against declined"


def test_waterfall_needs_a_sum_and_a_counterfactual(c):
    e = c.explain(APPLICANT)
    with pytest.raises(OptionError, match="no counterfactual 2, the explanation has 2"):
        plots.waterfall(c, e, 2)
    function = symcf.compile(symcf.Diagram.from_table([0, 1, 1, 0]))
    with pytest.raises(OptionError, match="FunctionModel decides by no sum"):
        plots.waterfall(function, function.explain([0, 0]))


# --- tallies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["explanation", "batch"])
def test_frequency_counts_sets(c, batch, kind):
    found = batch if kind == "batch" else c.explain(APPLICANT)
    ax = drawn(plots.frequency(found))
    sets = [s for e in batch for s in e.sets] if kind == "batch" else found.sets
    count = {name: sum(j in s for s in sets) for j, name in enumerate(c.features)}
    widths = dict(zip(ticks(ax.yaxis), [bar.get_width() for bar in ax.patches], strict=True))
    assert widths == {name: n for name, n in count.items() if n}
    assert list(widths.values()) == sorted(widths.values(), reverse=True)
    assert f"of {len(sets):,}" in ax.get_xlabel()
    top = max(count.values())
    assert f"{top:,} ({top / len(sets):.0%})" in texts(ax)


def test_frequency_notes_what_it_leaves_out():
    c = symcf.compile(symcf.LinearClassifier([1] * 20 + [0] * 4, -0.5))
    ax = drawn(plots.frequency(c.explain([0] * 24), top=5))
    assert len(ax.patches) == 5
    assert "15 more features, each in at most 1; 4 features in none" in ax.get_xlabel()


@pytest.mark.parametrize("kind", ["explanation", "batch"])
def test_sizes(c, batch, kind):
    found = batch if kind == "batch" else c.explain(APPLICANT)
    sets = [s for e in batch for s in e.sets] if kind == "batch" else found.sets
    ax = drawn(plots.sizes(found))
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in ax.patches}
    assert heights == {size: sum(len(s) == size for s in sets) for size in heights}
    assert sum(heights.values()) == len(sets)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("features that change", "change sets")


@pytest.mark.parametrize("cost", [{"work experience": 5}, {"work experience": [[0, 2.5], [1, 0]]}])
def test_costs(c, cost):
    e = c.explain(APPLICANT, cost=cost)
    batch = symcf.fast.explain_batch(c, [APPLICANT], cost=cost)
    wanted = sorted(cf.cost for cf in e)
    for found in (e, batch):
        ax = drawn(plots.costs(found))
        assert [float(text) for text in ticks(ax.xaxis)] == wanted
        assert [bar.get_height() for bar in ax.patches] == [1, 1]


def test_many_costs_are_a_histogram():
    n = 12
    c = symcf.compile(symcf.LinearClassifier([1] * n, -1.5))
    e = c.explain([0] * n, cost=[1 + j * j / 7 for j in range(n)])
    ax = drawn(plots.costs(e))
    assert sum(bar.get_height() for bar in ax.patches) == e.count == 66


@pytest.mark.parametrize("draw", [plots.frequency, plots.sizes, plots.costs])
def test_nothing_to_draw_is_said(c, draw):
    ax = drawn(draw(c.explain(APPLICANT, max_changes=0)))
    assert not ax.patches
    assert texts(ax)[0].startswith("There is no counterfactual")


def test_limits_are_in_the_title(c):
    e = c.explain(APPLICANT, max_results=1)
    assert "stopped by max_results" in plots.frequency(e).get_title(loc="left")
    batch = symcf.fast.explain_batch(c, [APPLICANT], max_results=1)
    assert "1 rows stopped" in plots.sizes(batch).get_title(loc="left")


# --- heat map ---------------------------------------------------------------------------------------------------------


def test_heatmap_holds_shares(c, batch):
    ax = drawn(plots.heatmap(batch))
    shown = ax.images[0].get_array()
    rows, names = [int(text) for text in ticks(ax.yaxis)], ticks(ax.xaxis)
    assert sorted(rows) == list(range(16))
    for row, line in zip(rows, shown, strict=True):
        sets = batch[row].sets
        wanted = [sum(c.features.index(name) in s for s in sets) / len(sets) for name in names]
        assert line.tolist() == pytest.approx(wanted)
    assert batch.prediction[rows].tolist() == sorted(batch.prediction[rows].tolist())
    assert {"decided rejected", "decided admitted"} == set(texts(ax))


def test_heatmap_puts_alike_rows_together():
    shares = np.array([[1.0, 0], [0, 1], [1, 0.1], [0, 0.9], [np.nan, np.nan]])
    order = heat._seriated(shares, np.zeros(5, dtype=int)).tolist()
    assert order[-1] == 4
    assert {frozenset(order[:2]), frozenset(order[2:4])} == {frozenset((0, 2)), frozenset((1, 3))}


def test_heatmap_of_few_and_of_many_rows(c, batch):
    assert drawn(plots.heatmap(batch[:1])).images[0].get_array().shape == (1, 4)
    ax = drawn(plots.heatmap(batch, most_rows=5, top=2))
    assert ax.images[0].get_array().shape == (5, 2)
    title = ax.get_title(loc="left")
    assert "5 of 16 rows" in title
    assert "2 of 4 features" in title
    at_target = symcf.fast.explain_batch(c, [[1, 1, 1, 1], APPLICANT], target="admitted")
    ax = drawn(plots.heatmap(at_target))
    assert "without 1 row decided as wanted" in ax.get_title(loc="left")
    assert ax.images[0].get_array().shape == (1, 3)
    stuck = symcf.fast.explain_batch(c, [APPLICANT, [1, 0, 1, 0]], max_changes=1, immutable=["work experience"])
    assert "grey: no counterfactual" in drawn(plots.heatmap(stuck)).get_title(loc="left")
    assert "None of the 1 rows" in texts(drawn(plots.heatmap(at_target[:1])))[0]
    assert "None of the 0 rows" in texts(drawn(plots.heatmap(at_target[:0])))[0]


# --- all --------------------------------------------------------------------------------------------------------------


def test_names_may_look_like_formulas():
    model = symcf.LinearClassifier(
        [1, 1, 1], -1.5, features=[NASTY + str(j) for j in range(3)], values=[[NASTY, NASTY + "2"]] * 3,
        classes=[NASTY, NASTY + "$"],
    )  # fmt: skip
    c = symcf.compile(model)
    e, batch = c.explain([0, 0, 0]), symcf.fast.explain_batch(c, [[0, 0, 0], [1, 1, 1]])
    for ax in (plots.waterfall(c, e), plots.frequency(e), plots.sizes(batch), plots.costs(e), plots.heatmap(batch)):
        drawn(ax)
    assert len(set(ticks(plots.frequency(e).yaxis))) == 3


def test_short_names_can_be_told_apart():
    assert canvas.short_names(["a" * 50 + "x", "a" * 50 + "y"], 10) == ["aaaaa…aaax", "aaaaa…aaay"]
    middle = ["a" * 20 + "1" + "b" * 20, "a" * 20 + "2" + "b" * 20]
    assert len(set(canvas.short_names(middle, 10))) == 2
    assert all(len(name) <= 14 for name in canvas.short_names(middle, 10))


def test_a_given_axes_is_drawn_into(c, batch):
    from matplotlib.figure import Figure

    e = c.explain(APPLICANT)
    for draw in (
        lambda ax: plots.waterfall(c, e, ax=ax),
        lambda ax: plots.frequency(e, ax),
        lambda ax: plots.sizes(e, ax),
        lambda ax: plots.costs(e, ax),
        lambda ax: plots.heatmap(batch, ax),
    ):
        ax = Figure().subplots()
        assert draw(ax) is ax


@pytest.mark.slow
def test_pyplot_is_left_alone(tmp_path):
    code = """
import sys, symcf
from symcf import plots
from symcf.demo import admission
c = symcf.compile(admission())
plots.waterfall(c, c.explain([0, 0, 1, 0])).figure.savefig(sys.argv[1])
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code, tmp_path / "a.png"], check=True, timeout=500)


def test_without_matplotlib_it_says_what_to_install(c, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(SymcfError, match=r"symcf\[plot\]"):
        plots.sizes(c.explain(APPLICANT))


# --- the diagram ------------------------------------------------------------------------------------------------------


def edges(text, colour):
    """The edges of a colour, as pairs of nodes."""
    lines = [line for line in text.splitlines() if " -> " in line and colour in line]
    return [tuple(line.split("[")[0].strip().split(" -> ")) for line in lines]


def follow(pairs, node):
    """The sink that marked edges lead to from a node."""
    steps = dict(pairs)
    assert len(steps) == len(pairs)
    while node in steps:
        node = steps[node]
    return node


def test_drawing_marks_both_ways(c):
    e = c.explain(APPLICANT)
    for cf in e:
        text = drawing.draw(c, APPLICANT, cf).dot
        root = f"n{c.diagram.core.root}"
        assert follow(edges(text, drawing.NOW), root) == "n0"
        assert follow(edges(text, drawing.THEN), root) == "n1"
        assert "the instance: rejected" in text
        assert "the counterfactual: admitted" in text
        for change in cf.changes:
            assert f"{change.name}: 0 → 1" in text
    plain = drawing.draw(c).dot
    assert drawing.NOW not in plain
    assert '[shape=box style=rounded label="rejected"]' in plain


def test_drawing_names_all_values_of_an_edge():
    model = symcf.LinearClassifier(
        [[0, 3, 3, 0, 0], [0, 2]], -2.5, features=["colour", "size"],
        values=[["red", "green", "blue", "a" * 30, "b" * 30], ["small", "large"]],
    )  # fmt: skip
    text = drawing.draw(symcf.compile(model)).dot
    assert '"  green, blue "' in text
    assert '"  all but green, blue "' in text


def test_drawing_of_many_classes():
    model = symcf.LinearClassifier(
        [[[0, 1], [0, 0]], [[0, 3], [0, 0]], [[0, 0], [0, 4]]], [1, 0, -1], classes=["low", "medium", "high"]
    )
    c = symcf.compile(model)
    e = c.explain([0, 0])
    text = drawing.draw(c, [0, 0], e[0]).dot
    assert f'label="not {c.classes[e[0].target]}"' in text
    assert 'label="low"' in drawing.draw(c, [0, 0]).dot
    assert 'label="high"' in drawing.draw(c, of="high").dot
    with pytest.raises(OptionError, match="each of 3 classes has a diagram"):
        drawing.draw(c)


def hostile():
    return symcf.compile(
        symcf.LinearClassifier(
            [1, 1],
            -1.5,
            features=['</td> "x\\" <b>&', "line\nbreak\x00"],
            values=[["<", "&amp;"], ['"', "\\"]],
            classes=["<script>", "]]>"],
        )
    )


def test_drawing_escapes_names():
    c = hostile()
    text = drawing.draw(c, [0, 0], c.explain([0, 0])[0]).dot
    assert "<script>" not in text.split("label=<")[1].split(">> ")[0].replace("&lt;script&gt;", "")
    assert "\x00" not in text
    assert 'label="</td> \\"x\\\\\\" <b>&"' in text


def test_a_drawing_too_large_to_read_is_refused(c):
    with pytest.raises(LimitError, match="7 nodes, more than max_nodes=5"):
        drawing.draw(c, max_nodes=5)


def test_drawings_without_graphviz(c, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    d = drawing.draw(c, path=tmp_path / "a.dot")
    assert (tmp_path / "a.dot").read_text(encoding="utf-8") == d.dot == str(d)
    with pytest.raises(FileError, match=r"a\.svg: a picture needs graphviz's program 'dot', which is not installed"):
        drawing.draw(c, path=tmp_path / "a.svg")
    with pytest.raises(OptionError, match=r"not as \.jpg"):
        d.save(tmp_path / "a.jpg")
    assert "graphviz" in d._repr_html_()
    assert "&quot;" in d._repr_html_()


@pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz's program 'dot' is not installed")
def test_drawings_by_graphviz(c, tmp_path):
    e = c.explain(APPLICANT)
    for suffix, magic in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        drawing.draw(c, APPLICANT, e[0], tmp_path / f"d{suffix}")
        assert (tmp_path / f"d{suffix}").read_bytes().startswith(magic)
    svg = drawing.draw(c, APPLICANT, e[0]).to_svg()
    assert all(name in svg for name in c.features if name != "first application")
    assert "<svg" in drawing.draw(c)._repr_html_()
    nasty = hostile()
    assert "<script>" not in drawing.draw(nasty, [0, 0], nasty.explain([0, 0])[0]).to_svg()


# --- the documentation's pictures -------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.slow
def test_the_documentations_pictures_can_be_made(tmp_path, monkeypatch):
    path = Path(__file__).parents[2] / "docs" / "pictures.py"
    spec = importlib.util.spec_from_file_location("pictures", path)
    pictures = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "pictures", pictures)
    spec.loader.exec_module(pictures)
    there = {file.name for file in pictures.IMAGES.glob("*.png")}
    monkeypatch.setattr(pictures, "IMAGES", tmp_path)
    monkeypatch.setattr(pictures, "DPI", 40)
    pictures.main()
    made = {file.name for file in tmp_path.iterdir()}
    assert made <= there
    assert {"waterfall.png", "frequency.png", "sizes.png", "costs.png", "heatmap.png"} <= made


# --- looks ------------------------------------------------------------------------------------------------------------


def wordy(n, d=3):
    """A classifier whose names are long."""
    rng = np.random.default_rng(n)
    tables = [rng.dirichlet(np.ones(d) * 3, size=2) for _ in range(n)]
    names = [f"a rather long name of a feature, with its unit (thousand euros) {j}" for j in range(n)]
    values = [[f"a value that is quite long, {k}" for k in range(d)] for _ in range(n)]
    classes = ["a class with a long name", "another class, also long"]
    return symcf.compile(symcf.NaiveBayes([0.5, 0.5], tables, features=names, values=values, classes=classes))


def pictures_of(c, rows):
    batch = symcf.fast.explain_batch(c, rows, max_results=100)
    e = next(e for e in batch if e.sets)
    most = max(range(len(e)), key=lambda i: len(e[i].changes))
    yield plots.waterfall(c, e, most)
    yield plots.attribution(c.attribute(rows[0], "shapley"))
    yield from (plots.frequency(batch), plots.sizes(batch), plots.costs(e), plots.heatmap(batch))


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 6, 40])
def test_nothing_covers_anything_or_leaves_the_picture(n):
    c = wordy(n, 3 if n < 10 else 2)
    rows = np.random.default_rng(0).integers(0, 2, size=(12, n))
    for ax in map(drawn, pictures_of(c, rows)):
        renderer = ax.figure.canvas.get_renderer()
        whole = ax.figure.bbox
        names = [t.get_window_extent(renderer) for t in ax.get_yticklabels() if t.get_text()]
        numbers = [t.get_window_extent(renderer) for t in ax.texts if t.get_text() and t.get_rotation() == 0]
        for box in (ax.title.get_window_extent(renderer), ax._left_title.get_window_extent(renderer), *names, *numbers):
            assert box.x0 >= -2
            assert box.x1 <= whole.x1 + 2
        assert not [(a, b) for a in names for b in numbers if a.overlaps(b)]


@pytest.mark.slow
def test_text_can_be_read_on_dark_and_on_light_backgrounds():
    from matplotlib import rc_context, style
    from matplotlib.colors import to_rgb

    def light(colour):
        return sum(to_rgb(colour)) / 3

    c = wordy(4)
    rows = np.random.default_rng(0).integers(0, 3, size=(12, 4))
    for dark in (False, True):
        with rc_context(), style.context("dark_background" if dark else "default"):
            for ax in map(drawn, pictures_of(c, rows)):
                assert (light(ax.figure.get_facecolor()) < 0.5) == dark
                inks = [ax._left_title.get_color(), *(t.get_color() for t in ax.texts)]
                assert all((light(colour) > 0.5) == dark for colour in inks)


def test_rows_of_the_heat_map_have_names(batch):
    names = [f"case ${i}$" for i in range(len(batch))]
    ax = drawn(plots.heatmap(batch, names=names))
    assert {t.get_text() for t in ax.get_yticklabels()} <= set(names)
    with pytest.raises(symcf.OptionError, match="names has 1 names for 16 rows"):
        plots.heatmap(batch, names=["a"])


def test_what_a_picture_cannot_show_is_named(c, batch):
    e = c.explain(APPLICANT)
    with pytest.raises(TypeError, match="heatmap shows a BatchExplanation, not an Explanation: make one with"):
        plots.heatmap(e)
    with pytest.raises(TypeError, match="waterfall shows an Explanation, not a BatchExplanation"):
        plots.waterfall(c, batch)
    with pytest.raises(TypeError, match="attribution shows an Attribution, not an Explanation"):
        plots.attribution(e)
    for picture in (plots.frequency, plots.sizes, plots.costs):
        with pytest.raises(TypeError, match="shows an Explanation or BatchExplanation, not a list"):
            picture([e])
