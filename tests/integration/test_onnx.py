"""ONNX files with trees, against what onnxruntime said of rows on and beside all cuts (tests/drivers/make_onnx.py)."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest
from command_line import output

import symcf
from symcf.models.files import onnx

FOLDER = Path(__file__).resolve().parents[1] / "data" / "onnx"
CLASSIFIERS = ["tree", "forest", "forest of three", "boosted", "boosted of three", "xgboost", "lightgbm"]
REGRESSORS = ["forest of numbers", "boosted numbers"]


def read(name):
    """The file, the rows, and what onnxruntime said."""
    path = FOLDER / f"{name}.onnx"
    with np.load(FOLDER / f"{name}.npz") as saved:
        return path, {key: saved[key] for key in saved.files}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classes_are_those_of_onnxruntime(name):
    path, known = read(name)
    c = symcf.compile(path)
    rows, said = known["rows"], known["said"]
    assert set(map(str, c.classes)) >= set(map(str, said))
    decided = c.predict(rows)
    # sums of 32-bit floats that are as good as equal may be decided either way
    close = np.abs(np.diff(np.sort(known["probabilities"])[:, -2:])[:, 0]) < 1e-6
    assert (decided.astype(str) == said.astype(str))[~close].all()
    assert close.mean() < 0.02
    if "forest" not in name and name != "tree":
        assert np.abs(c.predict_proba(rows) - known["probabilities"]).max() < 1e-5
    own = {tuple(row.tolist()): label for row, label in zip(rows, said.astype(str), strict=True)}
    for row in rows[~np.isnan(rows).any(axis=1)][:10]:
        e = c.explain(row, max_changes=2)
        assert symcf.verify(c, row, e)
        for cf in e:
            assert str(c.predict([cf.row])[0]) != own[tuple(row.tolist())]


@pytest.mark.parametrize("name", REGRESSORS)
def test_numbers_are_those_of_onnxruntime(name):
    path, known = read(name)
    c = symcf.compile(path)
    wanted = known["said"]
    assert np.allclose(c.predict(known["rows"]), wanted, rtol=1e-6)
    row, aim = known["rows"][0], float(wanted[0]) + 1
    assert all(cf.prediction >= aim for cf in c.explain(row, target=symcf.at_least(aim), max_changes=2))


def test_the_command_line_reads_them(tmp_path):
    path, known = read("tree")
    rows = tmp_path / "rows.csv"
    lines = [",".join(map(repr, row)) for row in known["rows"][:3].tolist()]
    rows.write_text("\n".join([",".join(symcf.compile(path).features), *lines]) + "\n")
    printed = output("predict", path, rows)
    assert [int(line.split()[1]) for line in printed.splitlines()[1:]] == known["said"][:3].tolist()


def test_a_file_with_other_operators_is_refused_by_their_names():
    with pytest.raises(symcf.ModelError, match=r"operators Scaler, TreeEnsembleClassifier.*symcf\.from_predict"):
        symcf.from_model(FOLDER / "scaled.onnx")
    with pytest.raises(symcf.ModelError, match="iterations: an ONNX file does not say"):
        symcf.from_model(FOLDER / "xgboost.onnx", iterations=3)


# --- files made here --------------------------------------------------------------------------------------------------


def varint(number):
    number &= (1 << 64) - 1
    found = b""
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def part(number, content):
    """A field that holds bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def attribute(name, value, *, packed):
    content = part(1, name.encode())
    if isinstance(value, str):
        return content + part(4, value.encode())
    if isinstance(value[0], str):
        return content + b"".join(part(9, one.encode()) for one in value)
    if isinstance(value[0], float):
        one = [struct.pack("<f", number) for number in value]
        return content + (part(7, b"".join(one)) if packed else b"".join(varint(7 << 3 | 5) + o for o in one))
    one = [varint(number) for number in value]
    return content + (part(8, b"".join(one)) if packed else b"".join(varint(8 << 3) + o for o in one))


def file_of(attributes, *, operator=onnx.CLASSIFIER, packed=True):
    """A file of one node over two columns."""
    node = part(1, b"X") + part(2, b"label") + part(4, operator.encode())
    node += b"".join(part(5, attribute(name, value, packed=packed)) for name, value in attributes.items())
    sizes = b"".join(part(1, varint(1 << 3) + varint(size)) for size in (1, 2))
    shape = part(1, part(1, varint(1 << 3) + varint(onnx.FLOAT) + part(2, sizes)))
    graph = part(1, node) + part(11, part(1, b"X") + part(2, shape[2:]))
    return varint(1 << 3) + varint(8) + part(7, graph)


def stump(mode="BRANCH_LEQ", nan=0, weights=(-1.0, 1.0)):
    """One test of the second column: yes gives the first weight, no the second."""
    return {
        "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [1, 0, 0],
        "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0], "nodes_values": [2.5, 0.0, 0.0],
        "nodes_modes": [mode, "LEAF", "LEAF"], "nodes_missing_value_tracks_true": [nan, 0, 0],
        "class_treeids": [0, 0], "class_nodeids": [1, 2], "class_ids": [0, 0], "class_weights": list(weights),
        "classlabels_int64s": [3, 7], "post_transform": "NONE",
    }  # fmt: skip


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("nan", [0, 1])
@pytest.mark.parametrize(
    ("mode", "holds"),
    [
        ("BRANCH_LEQ", lambda x: x <= 2.5), ("BRANCH_LT", lambda x: x < 2.5),
        ("BRANCH_GTE", lambda x: x >= 2.5), ("BRANCH_GT", lambda x: x > 2.5),
    ],
)  # fmt: skip
def test_every_kind_of_test(tmp_path, mode, holds, nan, packed):
    path = tmp_path / "stump.onnx"
    path.write_bytes(file_of(stump(mode, nan), packed=packed))
    c = symcf.compile(path)
    beside = [float(np.nextafter(np.float32(2.5), np.float32(end))) for end in (-np.inf, np.inf)]
    for x in (2.5, *beside, -1.0, 9.0):
        assert c.predict([[0.0, x]])[0] == (3 if holds(np.float32(x)) else 7), x
    assert c.predict([[0.0, np.nan]])[0] == (3 if nan else 7)


def test_one_score_without_negative_weights_is_a_share(tmp_path):
    path = tmp_path / "share.onnx"
    path.write_bytes(file_of(stump(weights=(0.4, 0.6))))
    assert symcf.compile(path).predict([[0.0, 0.0], [0.0, 9.0]]).tolist() == [3, 7]
    path.write_bytes(file_of(stump(weights=(0.5, 0.4))))  # a half is not more than a half
    assert symcf.compile(path).predict([[0.0, 0.0], [0.0, 9.0]]).tolist() == [3, 3]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"nodes_modes": ["BRANCH_EQ", "LEAF", "LEAF"]}, "tests of the kind BRANCH_EQ are not supported"),
        ({"nodes_values": [1.0]}, "its lists of nodes have different lengths"),
        ({"class_ids": [0]}, "its lists of scores have different lengths"),
        ({"class_ids": [5, 5]}, "a leaf has a score of a class that there is not"),
        ({"nodes_truenodeids": [0, 0, 0]}, "a node of tree 0 has two parents"),
        ({"nodes_truenodeids": [9, 0, 0]}, "9 is missing"),
        ({"nodes_nodeids": [0, 1, 1]}, "two nodes of the same number"),
        ({"nodes_featureids": [2, 0, 0]}, "it has 2 columns, and its trees test column 2"),
        ({"classlabels_int64s": [3]}, "one class"),
        ({"base_values": [0.0, 0.0, 0.0]}, "3 base values for one score"),
    ],
)
def test_files_that_contradict_themselves(tmp_path, changes, problem):
    path = tmp_path / "damaged.onnx"
    path.write_bytes(file_of({**stump(), **changes}))
    with pytest.raises(symcf.ModelError, match=problem):
        symcf.from_model(path)


@pytest.mark.long
def test_damaged_files_are_refused_or_read(tmp_path):
    rng, path, read_all = random.Random(0), tmp_path / "damaged.onnx", 0
    for name in ("tree", "lightgbm", "forest of numbers"):
        content = (FOLDER / f"{name}.onnx").read_bytes()
        for _ in range(150):
            damaged = bytearray(content)
            for _ in range(rng.randint(1, 4)):
                damaged[rng.randrange(2, len(damaged))] = rng.randrange(256)
            if rng.random() < 0.3:
                del damaged[rng.randrange(2, len(damaged)) :]
            path.write_bytes(damaged)
            try:
                symcf.from_model(path)
                read_all += 1
            except symcf.ModelError:
                pass
    assert read_all > 20
