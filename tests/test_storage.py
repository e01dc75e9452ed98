"""Saved classifiers: what comes back is what was saved, and nothing else is ever taken for it."""

import hashlib
import json
import struct
import time

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

import symcf
from symcf.storage import archive

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
    assert back.explain(x, engine="minimal") == admission.explain(x, engine="minimal")
    assert back.explain(x, engine="sat") == admission.explain(x)
    assert [p.name for p in tmp_path.iterdir()] == ["a.symcf"], "nothing temporary is left"


def test_what_was_not_built_is_not_saved(admission, tmp_path):
    admission.save(tmp_path / "a.symcf")
    assert symcf.load(tmp_path / "a.symcf").built_diagrams() == {}


@given(classifier=strategies.classifiers(min_n=1, max_n=6, certain=False), built=st.booleans())
@settings(max_examples=60)
def test_any_classifier_comes_back(classifier, built, tmp_path_factory):
    c = classifier.compiled()
    if built:
        assert c.diagram.size
    path = tmp_path_factory.mktemp("saved") / "c.symcf"
    c.save(path)
    back = symcf.load(path)
    rows = strategies.all_rows(classifier.n)
    assert (back.predict(rows) == c.predict(rows)).all()
    assert back.explain(rows[0]) == c.explain(rows[0])


def test_a_plain_diagram_comes_back(tmp_path):
    c = symcf.compile(symcf.Diagram.from_table([0, 1, 1, 0], ["a", "b"]))
    c.save(tmp_path / "xor.symcf")
    back = symcf.load(tmp_path / "xor.symcf")
    assert back.features == ("a", "b")
    assert back.predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist() == [0, 1, 1, 0]


def test_a_million_nodes_load_at_about_the_speed_of_reading(tmp_path):
    rng = np.random.default_rng(5)
    n = 36
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(n), p0=rng.random(n)))
    assert c.diagram.size > 100_000
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
    with pytest.raises(symcf.FileError, match=r"a.symcf: the diagram of class 1 is of another model"):
        symcf.load(tmp_path / "a.symcf")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96], p0=[0.15, 0.10]))
    assert c.diagram.size
    path = tmp_path_factory.mktemp("saved") / "c.symcf"
    c.save(path)
    return path.read_bytes()


@given(data=st.data())
@settings(max_examples=300)
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
    assert c.predict([[0, 1]]).shape == (1,)
