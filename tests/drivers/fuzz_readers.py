"""Everything that reads what users hand over, with examples that it accepts: what tests/drivers/fuzz.py damages."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cli_corpus
import numpy as np

import symcf
import symcf.cli.app
from symcf.cluster.job_directory import MANIFEST, Job, Manifest
from symcf.cluster.splits import Part
from symcf.letters.page import HERE as WORDS
from symcf.letters.page import wording_of
from symcf.proof.checker.check import check_text
from symcf.proof.checker.form import Effort, canonical, fingerprint_of, number_of
from symcf.question.relations import Relations

Read = Callable[[bytes], object]

#: ONNX files as converters write them (`make_onnx`).
ONNX = Path(__file__).resolve().parents[1] / "data" / "onnx"

#: What one certificate may cost the checker here: seconds, not minutes.
EFFORT = 1 << 22


@dataclass(frozen=True)
class Reader:
    """Something that reads bytes: it accepts them, or raises one of symcf's own errors."""

    read: Read
    examples: list[bytes]
    #: Tells `damage` what the examples are.
    suffix: str
    #: How often it is drawn.
    share: float
    #: Makes checksums fit again after the damage, so that what lies behind them is reached.
    sealed: Callable[[bytes], bytes] | None = None


#: Readers whose examples take libraries that are slow to import.
LIBRARIES = ("xgboost", "ubj", "lightgbm", "catboost", "cbm", "treelite")


def readers(folder: Path, only: str | None = None) -> dict[str, Reader]:
    """All readers, or one, by name."""
    files = cli_corpus.write(folder)
    examples = {path.suffix: [] for pair in files.values() for path in pair}  # type: dict[str, list[bytes]]
    for path in sorted({path for pair in files.values() for path in pair}):
        examples[path.suffix].append(path.read_bytes())
    for name, compiled in others():
        compiled.save(folder / f"{name}.symcf")
        examples[".symcf"].append((folder / f"{name}.symcf").read_bytes())
        examples[".json"].append(compiled.model.to_json().encode())
    bad = folder / "bad"
    compiled = symcf.load(folder / "three.symcf")
    names = (compiled.features, compiled.values, compiled.ordered)
    explained = [compiled.explain([0, 0]), compiled.explain([2, 1], target="yes", cost="ordinal", select="all")]
    reasons = [compiled.why([0, 0]), compiled.why([2, 1], target="yes", immutable=["colour"])]
    parts = (Part("a", 0, 1, 10, 0), Part("b", 0, 2, 5, 10))
    manifest = Manifest("job", "1" * 64, {"k": 2}, {"files": [["a", 1, 2], ["b", 3, 4]]}, parts)
    said = [
        "colour = red -> größe != large",
        "not (colour in {red, 'blue'} and größe >= 1)",
        "0 = 1 or `größe` < 'large'",
    ]
    words = [path.read_bytes() for path in sorted(WORDS.glob("*.toml"))]
    trained = ensembles(folder) if only in (None, *LIBRARIES) else ()
    found = {
        "json": Reader(lambda data: symcf.model_from_json("{" + data.decode("utf-8", "replace")[1:]),
                       examples[".json"], ".json", 3),
        "saved": Reader(by_file(symcf.load, bad), examples[".symcf"], ".symcf", 2, resealed),
        "cnbc": Reader(by_file(symcf.NaiveBayes.from_cnbc, bad), examples[".cnbc"], ".cnbc", 2),
        "constraints": Reader(lambda data: Relations([data.decode("utf-8", "replace")], *names),
                              [text.encode() for text in said], ".txt", 3),
        "explanation": Reader(lambda data: symcf.Explanation.from_dict(_json(data)),
                              [e.to_json().encode() for e in explained], ".json", 2),
        "reasons": Reader(lambda data: symcf.Reasons.from_dict(_json(data)),
                          [json.dumps(r.to_dict()).encode() for r in reasons], ".json", 2),
        "certificate": Reader(_checked, list(certificates()), ".json", 3, renumbered),
        "manifest": Reader(by_file(lambda _: Job.read_manifest(folder), folder / MANIFEST),
                           [manifest.to_json().encode()], ".json", 2),
        "labels": Reader(by_file(symcf.MultiLabel.load, bad), list(labels()), ".json", 2),
        "dddmp": Reader(by_file(symcf.Diagram.load_dddmp, bad), list(diagrams(folder)), ".txt", 2),
        "wording": Reader(by_file(lambda path: wording_of("en", path), bad), words, ".toml", 1),
        # CatBoost's own form is given to CatBoost, in a process of its own
        **{name: Reader(by_file(symcf.from_model, bad), of, suffix, 0.002 if name == "cbm" else 1)
           for name, suffix, of in trained},
        "onnx": Reader(by_file(symcf.from_model, bad), [path.read_bytes() for path in sorted(ONNX.glob("*.onnx"))],
                       ".onnx", 1),
        "skops": Reader(_never(by_file(symcf.from_model, folder / "bad.skops")), [_archive()], ".skops", 0.2),
        "cells": Reader(_cells(folder, bad), examples[".csv"], ".csv", 0.1),
    }  # fmt: skip
    return {name: reader for name, reader in found.items() if only in (None, name)}


def by_file(read: Callable[[Path], object], path: Path) -> Read:
    def reader(data: bytes) -> object:
        path.write_bytes(data)
        return read(path)

    return reader


def _never(read: Read) -> Read:
    """What is to be refused, whatever is in it."""

    def reader(data: bytes) -> object:
        read(data)
        raise AssertionError("a file that may run code was read")

    return reader


def _archive() -> bytes:
    """A file as skops writes it: its content does not matter."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("schema.json", json.dumps({"__class__": "LogisticRegression", "protocol": 0}))
    return stream.getvalue()


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise symcf.FileError("not JSON") from None


def _cells(folder: Path, bad: Path) -> Read:
    models = [str(folder / f"{name}.json") for name in ("three", "tree", "admission")]

    def read(data: bytes) -> object:
        bad.with_suffix(".csv").write_bytes(data)
        streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            code = symcf.cli.app.run(
                ["predict", models[len(data) % 3], str(bad.with_suffix(".csv")), "--format", "csv"]
            )
        if code not in (0, 2, 3):
            streams[1].seek(0)
            raise AssertionError(f"exit code {code}: {streams[1].read()}")
        if code:
            raise symcf.FileError("refused")
        return None

    return read


# --- checksums --------------------------------------------------------------------------------------------------------


def resealed(data: bytes) -> bytes:
    """A saved classifier whose checksum fits again."""
    size = hashlib.sha256().digest_size
    return data[:-size] + hashlib.sha256(data[:-size]).digest()


def renumbered(data: bytes) -> bytes:
    """A certificate whose fingerprint and number fit again, if it is still one."""
    try:
        content = json.loads(data)
        content["model"]["fingerprint"] = fingerprint_of(content["model"])
        content["number"] = number_of(content)
        return canonical(content).encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return data


def _checked(data: bytes) -> None:
    Effort.__init__.__defaults__ = (EFFORT,)  # in the child that reads, and nowhere else
    verdict = check_text(data.decode("ascii", "replace"))
    if not verdict:
        assert str(verdict).startswith("rejected (")
        raise symcf.FileError(str(verdict))


# --- examples ---------------------------------------------------------------------------------------------------------


def others() -> Iterator[tuple[str, symcf.Compiled]]:
    """Classifiers of kinds that the corpus of the command line lacks."""
    age = symcf.NumberTerm(-0.5, range=(18, 99), resolution=1)
    additive = symcf.AdditiveClassifier([age, [0, 2.25]], 20, features=["age", "member"])
    yield "additive", symcf.compile(additive)
    stump = {"feature": "age", "less_than": 25, "yes": {"score": -0.5}, "no": {"score": 0.25}, "missing": "no"}
    other = {"feature": "job", "in": ["baker"], "yes": {"score": 1}, "no": stump}
    boosted = symcf.BoostedTrees([stump, other], classes=["deny", "grant"], values={"job": ["baker", "clerk"]})
    yield "boosted", symcf.compile(boosted)
    tables = {"rain": [0.8, 0.2], "grass": [[0.9, 0.1], [0.2, 0.8]], "sprinkler": [[0.6, 0.4], [0.99, 0.01]]}
    nodes = {"rain": ["no", "yes"], "grass": ["dry", "wet"], "sprinkler": ["off", "on"]}
    parents = {"grass": ["rain"], "sprinkler": ["rain"]}
    yield "net", symcf.compile(symcf.BayesNet(nodes, parents, tables, target="rain", features=["grass", "sprinkler"]))
    yield "xor", symcf.compile(symcf.BinaryNetwork([([[1, 1], [-1, -1]], [-1, -1]), ([[-1, -1]], [-1])]))
    function = symcf.from_function(lambda row: row[0] > row[1], [3, 2])
    compiled = symcf.compile(function, plausibility=[[0, 0], [0, 1], [1, 1], [2, 1], [2, 0]])
    assert compiled.diagram is not None
    yield "function", compiled


def certificates() -> Iterator[bytes]:
    """Certificates of rules of every kind; with reasons, sums and clauses as arguments."""
    three, linear = symcf.compile(cli_corpus.three_classes()), symcf.compile(cli_corpus.linear())
    yield three.explain([0, 0]).certificate().to_json().encode()
    yield linear.explain([0, 1, 0], k=1, cost={"a": 1.5}).certificate().to_json().encode()
    yield linear.explain([1, 2, 1], constraints=["a = 0 or c = 1"]).certificate().to_json().encode()
    for _, compiled in others():
        row = [30, 0] if compiled.features[0] == "age" else [0] * compiled.n_features
        given = dict(zip(compiled.features, [30, "baker"], strict=True)) if "job" in compiled.features else row
        yield compiled.explain(given).certificate().to_json().encode()


def labels() -> Iterator[bytes]:
    """Several labels, side by side and in a chain."""
    one = symcf.LinearClassifier([2, -1], 0.5, features=["a", "b"], classes=["no", "yes"])
    two = symcf.LinearClassifier([1, 1], -1.5, features=["a", "b"], classes=["no", "yes"])
    chained = symcf.LinearClassifier([1, 1], -1.5, features=["a", "one"], values=[[0, 1], ["no", "yes"]])
    for several in (
        symcf.MultiLabel({"one": one, "two": two}),
        symcf.MultiLabel({"one": one, "t": chained}, chain=True),
    ):
        yield json.dumps(several.to_dict()).encode()


def diagrams(folder: Path) -> Iterator[bytes]:
    """BDDs as other tools write them."""
    for table, names in (([0, 1, 1, 0], ["a", "b"]), ([0, 0, 0, 1, 0, 1, 1, 1], ["x", "y", "z"]), ([1], [])):
        symcf.Diagram.from_table(table, features=names).save_dddmp(folder / "d.dddmp")
        yield (folder / "d.dddmp").read_bytes()


def ensembles(folder: Path) -> Iterator[tuple[str, str, list[bytes]]]:
    """Small ensembles in the files of the libraries that are installed: name, kind of file, contents."""
    rng = np.random.default_rng(0)
    table = rng.integers(0, 5, (60, 3)).astype(float)
    two, three = (table[:, 0] > table[:, 1]).astype(int), (table.sum(axis=1) // 5).astype(int)
    if find_spec("xgboost"):
        import xgboost

        fitted = [xgboost.XGBClassifier(n_estimators=2, max_depth=2).fit(table, y) for y in (two, three)]
        yield "xgboost", ".json", [bytes(model.get_booster().save_raw("json")) for model in fitted]
        yield "ubj", ".ubj", [bytes(model.get_booster().save_raw("ubj")) for model in fitted]
    if find_spec("lightgbm"):
        import lightgbm

        options = {"n_estimators": 2, "num_leaves": 4, "min_child_samples": 5, "verbose": -1}
        fitted = [lightgbm.LGBMClassifier(**options).fit(table, y) for y in (two, three)]
        yield "lightgbm", ".txt", [model.booster_.model_to_string().encode() for model in fitted]
    if find_spec("catboost"):
        import catboost

        texts, binary = [], []
        for y in (two, three):
            model = catboost.CatBoostClassifier(iterations=2, depth=2, verbose=0, allow_writing_files=False).fit(
                table, y
            )
            model.save_model(str(folder / "catboost.json"), format="json")
            texts.append((folder / "catboost.json").read_bytes())
            model.save_model(str(folder / "catboost.cbm"))
            binary.append((folder / "catboost.cbm").read_bytes())
        rows = [["abcd"[int(one)], *others] for one, *others in (table % 4).tolist()]  # statistics of categories
        options = {"iterations": 3, "depth": 3, "max_ctr_complexity": 3, "one_hot_max_size": 1, "cat_features": [0]}
        model = catboost.CatBoostClassifier(**options, verbose=0, allow_writing_files=False).fit(rows, two)
        pool = catboost.Pool(rows, cat_features=[0])
        model.save_model(str(folder / "catboost.json"), format="json", pool=pool)
        texts.append((folder / "catboost.json").read_bytes())
        yield "catboost", ".json", texts
        yield "cbm", ".cbm", binary
    yield "treelite", ".json", [json.dumps(_treelite(many)).encode() for many in (False, True)]


def _treelite(many: bool) -> dict[str, Any]:
    """Two trees in Treelite's JSON, of two classes or of three."""
    test = {"node_type": "numerical_test_node", "default_left": True, "comparison_op": "<="}
    listed = {"node_type": "categorical_test_node", "default_left": False, "category_list_right_child": False}
    leaves = [{"node_id": u, "leaf_value": u / 4 - 0.6} for u in range(1, 6)]
    first = [{"node_id": 0, "split_feature_id": 0, "threshold": 1.5, "left_child": 1, "right_child": 2, **test}]
    second = [
        {"node_id": 0, "split_feature_id": 2, "category_list": [1, 3], "left_child": 1, "right_child": 2, **listed}
    ]
    return {
        "threshold_type": "float32",
        "leaf_output_type": "float32",
        "num_feature": 3,
        "task_type": "kMultiClf" if many else "kBinaryClf",
        "average_tree_output": False,
        "num_target": 1,
        "num_class": [3 if many else 1],
        "target_id": [0, 0],
        "class_id": [0, 2] if many else [0, 0],
        "postprocessor": "softmax" if many else "sigmoid",
        "sigmoid_alpha": 1.0,
        "ratio_c": 1.0,
        "base_scores": [0.0, 0.0, 0.25] if many else [0.25],
        "trees": [{"num_nodes": 3, "nodes": [*first, *leaves[:2]]}, {"num_nodes": 3, "nodes": [*second, *leaves[:2]]}],
    }
