"""Saved classifiers: what comes back is what was saved, and nothing else is ever taken for it."""

import hashlib
import itertools
import json
import os
import stat
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.system import archive

START = 16


@pytest.fixture
def admission():
    return symcf.compile(
        symcf.NaiveBayes.binary(
            prior=0.3,
            p1=[0.40, 0.96, 0.97, 0.70],
            p0=[0.15, 0.10, 0.11, 0.20],
            features=["E", "WE", "GPA", "FA"],
            classes=["no", "yes"],
        ),
        max_nodes=1000,
    )


def test_a_classifier_comes_back_with_its_diagrams(admission, tmp_path):
    nodes = admission.diagram.size
    admission.save(tmp_path / "a.symcf")
    back = symcf.load(tmp_path / "a.symcf")
    assert back.model == admission.model
    assert (back.order, back.limits, back.classes) == (admission.order, admission.limits, admission.classes)
    assert {k: d.size for k, d in back.built_diagrams().items()} == {1: nodes}
    x = [1, 0, 1, 0]
    assert back.explain(x) == admission.explain(x)
    assert back.explain(x, engine="diagram") == admission.explain(x, engine="diagram")
    assert back.explain(x, engine="sat") == admission.explain(x)
    assert [p.name for p in tmp_path.iterdir()] == ["a.symcf"], "nothing temporary is left"


def test_what_was_not_built_is_not_saved(admission, tmp_path):
    admission.save(tmp_path / "a.symcf")
    assert symcf.load(tmp_path / "a.symcf").built_diagrams() == {}


@given(classifier=strategies.classifiers(min_n=1, max_n=6, certain=False), built=st.booleans())
def test_any_classifier_comes_back(classifier, built, tmp_path_factory):
    c = classifier.compiled()
    if built:
        assert c.diagram.size
    path = tmp_path_factory.mktemp("saved") / "c.symcf"
    c.save(path)
    back = symcf.load(path)
    rows = strategies.all_rows(classifier.n)
    assert (back.predict(rows, codes=True) == c.predict(rows, codes=True)).all()
    assert back.explain(rows[0]) == c.explain(rows[0])


def test_a_plain_diagram_comes_back(tmp_path):
    c = symcf.compile(symcf.Diagram.from_table([0, 1, 1, 0], ["a", "b"]))
    c.save(tmp_path / "xor.symcf")
    back = symcf.load(tmp_path / "xor.symcf")
    assert back.features == ("a", "b")
    assert back.predict([[0, 0], [0, 1], [1, 0], [1, 1]], codes=True).tolist() == [0, 1, 1, 0]


def large(n=36):
    rng = np.random.default_rng(5)
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(n), p0=rng.random(n)))
    assert c.diagram.size > 100_000
    return c


def test_what_was_saved_is_read_and_not_compiled_again(tmp_path):
    c = large()
    c.save(tmp_path / "large.symcf")
    back = symcf.load(tmp_path / "large.symcf")
    assert back.built_diagrams()
    back.limits = symcf.compiled.Limits(max_nodes=1)  # too few to compile anything
    assert back.diagram.size == c.diagram.size


@pytest.mark.clock
def test_a_million_nodes_load_at_about_the_speed_of_reading(tmp_path):
    c = large()
    c.save(tmp_path / "large.symcf")
    began = time.perf_counter()
    hashlib.sha256((tmp_path / "large.symcf").read_bytes()).digest()
    reading = time.perf_counter() - began
    began = time.perf_counter()
    back = symcf.load(tmp_path / "large.symcf")
    assert time.perf_counter() - began < 20 * reading + 0.5
    assert back.diagram.size == c.diagram.size


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "not a classifier saved by symcf"),
        (lambda data: b"PK\x03\x04" + data, "not a classifier saved by symcf"),
        (lambda data: data[:-1], "cut off or altered"),
        (lambda data: data[: len(data) // 2], "cut off or altered"),
        (lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:], "cut off or altered"),
        (lambda data: data[:8] + struct.pack("<I", 2) + data[12:], "format 2 is newer than this symcf reads"),
    ],
)
def test_damage_is_named(admission, tmp_path, damage, message):
    path = tmp_path / "a.symcf"
    admission.save(path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(symcf.FileError, match=message) as raised:
        symcf.load(path)
    assert str(raised.value).startswith(str(path))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(symcf.FileError, match="No such file"):
        symcf.load(tmp_path / "nowhere.symcf")


def sealed(header: bytes, rest: bytes = b"") -> bytes:
    """A file with a right checksum, whatever is in it."""
    data = struct.pack("<8sII", archive.MAGIC, archive.VERSION, len(header)) + header
    data += bytes(-len(data) % 64) + rest
    return data + hashlib.sha256(data).digest()


def test_diagrams_of_another_model_are_noticed(admission, tmp_path):
    """The checksum is right, everything fits, and yet."""
    other = symcf.compile(symcf.NaiveBayes.binary(prior=0.6, p1=[0.4, 0.9, 0.2, 0.7], p0=[0.1, 0.1, 0.3, 0.6]))
    assert admission.diagram.size
    admission.adopt_diagrams(dict.fromkeys([1], admission.diagram.core))  # its own is welcome
    admission._diagrams[1] = other.diagram
    admission.save(tmp_path / "a.symcf")
    with pytest.raises(symcf.FileError, match=r"a.symcf: the diagram of class 1 belongs to another model"):
        symcf.load(tmp_path / "a.symcf")


# --- diagrams that are not the model's --------------------------------------------------------------------------------


def stump(feature, *scores):
    return {"feature": feature, "at_most": 0, "yes": {"scores": scores[:2]}, "no": {"scores": scores[2:]}}


def kinds():
    """A small model of every kind, and some of the orders."""
    rng = np.random.default_rng(3)
    binary = symcf.NaiveBayes.binary(prior=0.4, p1=rng.random(5).round(2), p0=rng.random(5).round(2))
    values = {"a": [0, 1], "b": [0, 1], "c": [0, 1]}
    trees = [stump("a", 3, 0, 0, 2), stump("b", 2, 0, 0, 2), stump("c", 0, 1, 2, 0)]
    parity = symcf.from_function(lambda row: sum(row) % 2, 4)
    return {
        "naive Bayes": (binary, "influence"),
        "naive Bayes, sifted": (binary, "sift"),
        "naive Bayes of 3 classes": (
            symcf.NaiveBayes(
                [0.3, 0.3, 0.4],
                [[[0.2, 0.8], [0.6, 0.4], [0.5, 0.5]], [[0.1, 0.2, 0.7], [0.6, 0.2, 0.2], [0.3, 0.4, 0.3]]] * 2,
            ),
            "influence",
        ),
        "linear": (symcf.LinearClassifier([[0, 3, 5], 2, -4, [1, 0, 1, 7]], -3), "natural"),
        "linear of 3 classes": (symcf.LinearClassifier([[1, 2, 3], [2, 0, 1], [0, 3, -1]], [0, 1, 0]), "influence"),
        "tree": (symcf.DecisionTree(trees[0] | {"no": trees[1]}, features=["a", "b", "c"], values=values), "influence"),
        "forest": (symcf.RandomForest(trees, values=values), "influence"),
        "forest, sifted": (symcf.RandomForest(trees, values=values), "sift"),
        "function": (parity, "influence"),
        "function of 3 classes": (symcf.from_function(lambda row: sum(row) % 3, 4, classes=[0, 1, 2]), "influence"),
    }


def taken_apart(data):
    """The header of a saved file, and what comes after it up to the checksum."""
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[START : START + length]), data[-(-(START + length) // 64) * 64 : -32]


def all_codes(c):
    return np.array(list(itertools.product(*(range(len(values)) for values in c.values))))


def alterations(data):
    """The file with every child of every node, and every root, led to every other node, one at a time; sealed anew."""
    header, rest = taken_apart(data)
    for place in header["diagrams"].values():
        start, size = place["child"]
        n_nodes = place["level"][1]
        for at in range(start, start + 4 * size, 4):
            old = struct.unpack("<I", rest[at : at + 4])[0]
            for new in set(range(n_nodes)) - {old}:
                yield sealed(json.dumps(header).encode(), rest[:at] + struct.pack("<I", new) + rest[at + 4 :])
        root = place["root"]
        for place["root"] in set(range(n_nodes)) - {root}:
            yield sealed(json.dumps(header).encode(), rest)
        place["root"] = root


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize("built", ["one", "all"])
def test_no_altered_diagram_is_believed(kind, built, tmp_path):
    """Every file with one edge led astray is refused, or its diagram is built again."""
    model, order = kinds()[kind]
    c = symcf.compile(model, order=order)
    classes = range(len(c.classes)) if built == "all" else [1]
    for k in classes:
        assert c.diagram_of(k).size
    path = tmp_path / "c.symcf"
    c.save(path)
    rows = all_codes(c)
    decided = c.predict(rows, codes=True) if model.encoder is None else c.decide(rows)
    seen = 0
    for data in [path.read_bytes(), *alterations(path.read_bytes())]:
        path.write_bytes(data)
        try:
            back = symcf.load(path)
        except symcf.FileError:
            assert seen, "what was saved is welcome"
        else:
            for k in classes:
                assert (back.diagram_of(k).evaluate(rows) == (decided == k)).all()
        seen += 1
    assert seen > 10


def test_one_wrong_row_of_many_is_noticed(tmp_path):
    """All of 24 features have to be 1; the file says so, too, but for one of the 2**24 rows."""
    c = symcf.compile(symcf.LinearClassifier([1] * 24, -23.5), order="natural")
    assert c.diagram.size == 26
    c.save(tmp_path / "c.symcf")
    header, rest = taken_apart((tmp_path / "c.symcf").read_bytes())
    start, _ = header["diagrams"]["1"]["child"]
    assert struct.unpack("<2I", rest[start : start + 8]) == (0, 1)
    never = b"".join([rest[:start], struct.pack("<2I", 1, 0), rest[start + 8 :]])  # 1...10 instead of 1...11
    (tmp_path / "c.symcf").write_bytes(sealed(json.dumps(header).encode(), never))
    with pytest.raises(symcf.FileError, match="the diagram of class 1 belongs to another model"):
        symcf.load(tmp_path / "c.symcf")


@pytest.mark.parametrize("kind", kinds())
def test_what_can_be_proved_or_is_trusted_is_not_built_again(kind, tmp_path):
    model, order = kinds()[kind]
    c = symcf.compile(model, order=order)
    for k in range(len(c.classes)):
        assert c.diagram_of(k).size
    c.save(tmp_path / "c.symcf")
    sums = kind.startswith(("naive Bayes", "linear"))
    assert bool(symcf.load(tmp_path / "c.symcf").built_diagrams()) == sums
    trusted = symcf.load(tmp_path / "c.symcf", trust=True).built_diagrams()
    assert {k: d.size for k, d in trusted.items()} == {k: d.size for k, d in c.built_diagrams().items()}


# --- files that change, modes and links -------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_file_cut_off_while_it_is_read_kills_nobody(admission, tmp_path):
    """In a process of its own: what is memory-mapped and cut off ends it by SIGBUS."""
    assert admission.diagram.size
    path = tmp_path / "a.symcf"
    admission.save(path)
    path.write_bytes(sealed(path.read_bytes()[16:-32] + b" " * 100_000))
    code = (
        "import sys, os, hashlib, symcf\n"
        "from symcf.system import archive as storage\n"
        "real = hashlib.sha256\n"
        "def cut_off(*data):\n"
        "    os.truncate(sys.argv[1], 0)\n"
        "    return real(*data)\n"
        "storage.hashlib.sha256 = cut_off\n"
        "try:\n"
        "    symcf.load(sys.argv[1])\n"
        "except symcf.FileError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(str(path))


def test_what_is_no_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(symcf.FileError):
            symcf.load(path)


def test_saving_keeps_mode_and_link(admission, tmp_path):
    path, link = tmp_path / "a.symcf", tmp_path / "link.symcf"
    path.touch(mode=0o600)
    link.symlink_to(path.name)
    admission.save(link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert symcf.load(path).model == admission.model


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96], p0=[0.15, 0.10]))
    assert c.diagram.size
    path = tmp_path_factory.mktemp("saved") / "c.symcf"
    c.save(path)
    return path.read_bytes()


@pytest.mark.slow
@given(data=st.data())
def test_headers_that_lie_are_refused(saved, data, tmp_path_factory):
    """Someone who can compute the checksum can still not do more than cause an error."""
    length = struct.unpack("<I", saved[12:16])[0]
    header = json.loads(saved[START : START + length])
    rest = saved[-(-(START + length) // 64) * 64 : -32]
    places = [(header, key) for key in header] + [(header["diagrams"]["1"], key) for key in header["diagrams"]["1"]]
    holder, key = data.draw(st.sampled_from(places))
    holder[key] = data.draw(
        st.none()
        | st.integers(-5, 2**40)
        | st.text(max_size=3)
        | st.lists(st.integers(-5, 99), max_size=3)
        | st.just({})
    )
    path = tmp_path_factory.mktemp("lies") / "c.symcf"
    path.write_bytes(sealed(json.dumps(header).encode(), rest))
    try:
        c = symcf.load(path)
    except symcf.FileError:
        return
    assert c.predict([[0, 1]], codes=True).shape == (1,)
