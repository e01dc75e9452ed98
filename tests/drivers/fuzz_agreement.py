"""Damaged model files that are accepted: do they predict as the library does that reads them?

    python tests/drivers/fuzz_agreement.py --count 100000 --seed 0
    python tests/drivers/fuzz_agreement.py --count 2000 --only lightgbm

Numbers in files of XGBoost (JSON, UBJ), LightGBM, CatBoost and ONNX are changed, or the file is damaged as
`tests/drivers/fuzz.py` does. symcf refuses it, or reads a model. That is compiled and decides rows, beside the library:
XGBoost, LightGBM, CatBoost or onnxruntime loads the same file in a process of its own, since libraries crash on some
damaged files. Where the library loads it and its best class is clearly ahead, it must be the same class; predictions of
regressors must be the same numbers. Each file has `SECONDS`, after which the library's process is ended.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import random
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import random_runs

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "property"))

from fuzz_readers import ONNX, ensembles
from test_cli_fuzz import damage, damaged

import symcf

#: Seconds that a library may take for a file, and how far the best class has to be ahead.
SECONDS, CLOSE = 5.0, 1e-4
#: By kind of file, the library that loads it.
LIBRARIES = {"xgboost": "xgboost", "ubj": "xgboost", "lightgbm": "lightgbm", "catboost": "catboost", "cbm": "catboost",
             "onnx": "onnxruntime"}  # fmt: skip


def rows_of(count: int) -> Any:
    """Whole numbers, halves and missing numbers, for files with so many columns."""
    rng = np.random.default_rng(0)
    rows = rng.integers(-1, 11, (80, count)) / 2
    rows[60:][rng.random((20, count)) < 0.2] = np.nan
    return rows


# --- the library, in a process of its own -----------------------------------------------------------------------------


def serve(pipe: Any, library: str) -> None:
    """Answers (kind, path, rows) with a table of chances or scores, or the text of an error."""
    warnings.simplefilter("ignore")
    importlib.import_module(library)  # which takes longer than a file may
    pipe.send("ready")
    while True:
        kind, path, rows = pipe.recv()
        try:
            pipe.send(np.asarray(_chances(kind, path, rows), dtype=float))
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}"[:200])


def _chances(kind: str, path: str, rows: Any) -> Any:
    if LIBRARIES[kind] == "xgboost":
        import xgboost

        booster = xgboost.Booster({"nthread": 1})
        booster.load_model(path)
        return booster.predict(xgboost.DMatrix(rows), validate_features=False)
    if kind == "lightgbm":
        import lightgbm

        return lightgbm.Booster(model_file=path).predict(rows, num_threads=1, validate_features=False)
    if LIBRARIES[kind] == "catboost":
        import catboost

        model = catboost.CatBoost().load_model(path, format="json" if kind == "catboost" else "cbm")
        return model.predict(rows, prediction_type="RawFormulaVal", thread_count=1)
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    answers = session.run(None, {session.get_inputs()[0].name: rows.astype(np.float32)})
    last = answers[-1]
    return [list(one.values()) for one in last] if isinstance(last, list) else last


class Library:
    """The process, begun anew where it has ended."""

    def __init__(self) -> None:
        self.crashes = 0
        self._process: Any = None

    def chances(self, kind: str, path: Path, rows: Any) -> Any:
        """A table, or None where the library does not load the file."""
        if self._process is None:
            spawning = multiprocessing.get_context("spawn")
            self._pipe, other = spawning.Pipe()
            self._process = spawning.Process(target=serve, args=(other, LIBRARIES[kind]), daemon=True)
            self._process.start()
            other.close()
            self._pipe.recv()
        try:
            self._pipe.send((kind, str(path), rows))
            if not self._pipe.poll(SECONDS if self._process.is_alive() else 0):
                raise EOFError
            answer = self._pipe.recv()
        except (EOFError, OSError):
            self.close()
            self.crashes += 1
            return None
        return None if isinstance(answer, str) else answer

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = None


# --- damage -----------------------------------------------------------------------------------------------------------


def altered(kind: str, suffix: str, data: bytes, other: bytes, rng: random.Random) -> bytes:
    """The same file with some numbers changed; sometimes any damage."""
    if rng.random() < 0.15:
        try:
            return damage(Path(f"x{suffix}"), data, other, rng)
        except Exception:
            return damaged(data, other, rng)
    if kind in ("ubj", "onnx", "cbm"):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            changed[rng.randrange(len(changed))] = rng.choice([0, 1, 2, 63, 64, 127, 128, 191, 255, rng.randrange(256)])
        return bytes(changed)
    text = data.decode()
    places = [found.span() for found in re.finditer(r"(?<![\w.])-?\d+(\.\d+)?([eE][-+]?\d+)?(?![\w.])", text)]
    for start, end in sorted(rng.sample(places, rng.randint(1, min(3, len(places)))), reverse=True):
        old = text[start:end]
        new = rng.choice([str(rng.randint(-2, 12)), str(rng.randint(0, 24) / 4), "0", "1", old + "0", f"-{old}",
                          "1e30", "NaN", "true"])  # fmt: skip
        text = text[:start] + new + text[end:]
    return text.encode()


# --- checks -----------------------------------------------------------------------------------------------------------


def compared(kind: str, model: Any, rows: Any, chances: Any) -> str | None:
    """What differs; None if nothing does."""
    compiled = symcf.compile(model)
    try:
        decided = compiled.predict(rows) if not compiled.classes else compiled.predict(rows, codes=True)
    except symcf.SymcfError:
        rows, chances = rows[:60], chances[:60]  # those without missing numbers
        try:
            decided = compiled.predict(rows) if not compiled.classes else compiled.predict(rows, codes=True)
        except symcf.SymcfError:
            return None
    table = np.asarray(chances)
    table = table.reshape(len(rows), -1)
    if not np.isfinite(table).all():
        return None
    if not compiled.classes:
        size = 1e-4 * np.maximum(1.0, np.abs(table[:, 0]))
        wrong = np.abs(decided - table[:, 0]) > size
        wanted: Any = table[:, 0]
    else:
        if table.shape[1] == 1:
            middle = 0.0 if LIBRARIES[kind] == "catboost" else 0.5
            table = np.column_stack([2 * middle - table[:, 0], table[:, 0]])
        if table.shape[1] != len(compiled.classes):
            return f"{len(compiled.classes)} classes, and the library gives {table.shape[1]} numbers"
        ordered = np.sort(table, axis=1)
        wanted = table.argmax(axis=1)
        wrong = (decided != wanted) & (ordered[:, -1] - ordered[:, -2] > CLOSE * np.maximum(1, np.abs(ordered[:, -1])))
    if not wrong.any():
        return None
    i = int(np.argmax(wrong))
    return f"{int(wrong.sum())} of {len(rows)} rows: {rows[i].tolist()} is {decided[i]}, not {wanted[i]}"


def main() -> int:
    """One line per kind of file; 1 if something was accepted wrongly."""
    parser = random_runs.parser(__doc__, 1000)
    parser.add_argument("--only", default="", help="one kind of file")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder, libraries = Path(name), {one: Library() for one in LIBRARIES.values()}
        files = {kind: (suffix, some) for kind, suffix, some in ensembles(folder) if kind in LIBRARIES}
        files["onnx"] = (".onnx", [path.read_bytes() for path in sorted(ONNX.glob("*.onnx"))])
        files = {
            kind: found for kind, found in files.items() if given.only in ("", kind) and find_spec(LIBRARIES[kind])
        }
        rng, tallies, failures = random.Random(given.seed), {kind: Counter[str]() for kind in files}, []
        started = time.process_time()
        for i in range(given.count):
            # files in CatBoost's own form are read by a process each
            kind = rng.choices(list(files), [0.005 if one == "cbm" and len(files) > 1 else 1 for one in files])[0]
            suffix, examples = files[kind]
            data = altered(kind, suffix, rng.choice(examples), rng.choice(examples), rng)
            path = folder / f"m{suffix}"
            path.write_bytes(data)
            tally = tallies[kind]
            tally["files"] += 1
            try:
                model = symcf.from_model(path)
                rows = rows_of(len(model.features))
                chances = libraries[LIBRARIES[kind]].chances(kind, path, rows)
                tally["read"] += 1
                if chances is None:
                    continue
                tally["loaded"] += 1
                problem = compared(kind, model, rows, chances)
            except (symcf.SymcfError, MemoryError) as error:
                tally["refused"] += 1
                problem = str(error) if isinstance(error, symcf.InternalError) else None
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            if problem is not None:
                tally["wrong"] += 1
                failures.append(f"{kind}, file {i} of seed {given.seed}: {problem[:300]}")
                Path(tempfile.gettempdir(), f"symcf-wrong-{given.seed}-{i}{suffix}").write_bytes(data)
        for library in libraries.values():
            library.close()
    for kind, tally in tallies.items():
        print(f"{kind:9} {json.dumps(dict(sorted(tally.items())))}")
    wrong = len(failures)
    seconds = time.process_time() - started
    crashes = sum(one.crashes for one in libraries.values())
    print(f"{given.count:,} files, {crashes} crashes of libraries, {seconds:.0f} s here, {wrong} wrong")
    for failure in failures[:20]:
        print(failure)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
