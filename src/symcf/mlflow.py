"""Classifiers as MLflow models: the logged model answers ``predict`` with decisions and what would change them.

    info = symcf.mlflow.log_model(c, name="credit", target="approved", immutable=["age", "sex"], k=3)
    mlflow.pyfunc.load_model(info.model_uri).predict(table)       # a table with a line for each row
    symcf.mlflow.load_model(info.model_uri).explain(row)          # the classifier itself

The files are those of `Compiled.save`: nothing in them is executed, and the library that trained the model is not
needed. What is asked is kept as MLflow's ``model_config``, so it can be changed when a model is loaded:
``mlflow.pyfunc.load_model(uri, model_config={"k": 1})``. Needs the extra ``mlflow``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcf.answers.summary import STATUS
from symcf.common.extras import load_extra
from symcf.common.renamed import did_you_mean
from symcf.compiled import Compiled, load
from symcf.errors import FileError, OptionError
from symcf.fast import explain_batch, option_defaults

if TYPE_CHECKING:
    import pandas

__all__ = ["Explaining", "load_model", "log_model", "save_model"]

#: The name of the file in the folder that MLflow keeps.
FILE = "model.symcf"

#: The number of counterfactuals of a row, unless the question says otherwise.
MOST = 3

#: Keywords of `symcf.fast.explain_batch` that a logged model has no use for.
NOT_ASKED = ("progress", "sort")


class Explaining:
    """What MLflow calls: a classifier and the question that is asked about every row."""

    def __init__(self, c: Compiled, question: Mapping[str, Any] | None = None) -> None:
        self.c, self.question = c, {"k": MOST, **_checked(question or {})}

    def predict(self, model_input: Any, params: Mapping[str, Any] | None = None) -> pandas.DataFrame:
        """One line for each row: ``decision``; ``status``, as `symcf.fast.explain_batch` has it; ``text``, the cheapest
        ways in words; ``explanation``, all of it as JSON for `symcf.Explanation.from_dict`.

        A row that cannot be read raises an error that names it; with ``errors="mark"`` in the question it has the
        status "invalid" and nothing else. ``params`` are keywords of the question, for this call only.
        """
        pandas = load_extra("pandas", "the model of MLflow")
        table = model_input if isinstance(model_input, pandas.DataFrame) else pandas.DataFrame(model_input)
        batch = explain_batch(self.c, table, **{**self.question, **_checked(params or {})})
        lines: list[tuple[Any, ...]] = []
        for row, status in enumerate(STATUS[s] for s in batch.status.tolist()):
            if status == "invalid":
                lines.append((None, status, None, None))
            else:
                found = batch[row]
                text, decision = " ".join(found.sentences()), found.classes[found.prediction]
                lines.append((decision, status, text, found.to_json()))
        return pandas.DataFrame(lines, columns=["decision", "status", "text", "explanation"], index=table.index)


def save_model(c: Compiled, path: Any, *, options: Mapping[str, Any] | None = None, **question: Any) -> None:
    """Writes an MLflow model to a new folder.

    Parameters
    ----------
    c:
        The compiled classifier; what `Compiled.save` can write.
    path:
        The folder.
    options:
        Keywords of ``mlflow.pyfunc.save_model``, such as ``signature`` or ``input_example``.
    question:
        Keywords of `symcf.fast.explain_batch` that JSON can hold, such as ``target`` or ``immutable``.
    """
    with tempfile.TemporaryDirectory() as folder:
        _pyfunc().save_model(path=path, **_written(c, Path(folder), question, options))


def log_model(c: Compiled, name: str = "model", *, options: Mapping[str, Any] | None = None, **question: Any) -> Any:
    """Logs an MLflow model in the active run, and gives MLflow's ``ModelInfo``. The parameters are those of
    `save_model`; ``options`` are keywords of ``mlflow.pyfunc.log_model``, such as ``registered_model_name``.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _pyfunc().log_model(name=name, **_written(c, Path(folder), question, options))


def load_model(model_uri: str) -> Compiled:
    """The classifier of a logged or saved model: a path, or an address such as ``models:/credit/1``."""
    folder = load_extra("mlflow.artifacts", "load_model").download_artifacts(artifact_uri=str(model_uri))
    found = sorted(Path(folder).glob(f"data/*/{FILE}"))
    if not found:
        raise FileError(f"{model_uri}: this model was not written by symcf.mlflow; it holds no {FILE}")
    return load(found[0])


def _load_pyfunc(path: str, model_config: Mapping[str, Any] | None = None) -> Explaining:
    """MLflow's entry."""
    return Explaining(load(Path(path) / FILE), model_config)


def _pyfunc() -> Any:
    return load_extra("mlflow.pyfunc", "symcf.mlflow")


def _written(
    c: Compiled, folder: Path, question: Mapping[str, Any], options: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Writes the classifier into a folder, and gives the keywords with which MLflow takes it over."""
    if not isinstance(c, Compiled):
        raise TypeError(f"c must be a compiled classifier, not {type(c).__name__}: call symcf.compile first")
    asked = Explaining(c, question).question
    try:
        asked = json.loads(json.dumps(asked))
    except (TypeError, ValueError) as error:
        raise OptionError(f"what is asked must be what JSON can hold: {error}") from None
    explain_batch(c, [], **asked)  # a wrong question is noticed before anything is written
    data = folder / "classifier"
    data.mkdir()
    c.save(data / FILE)
    needed = {"pip_requirements": [f"symcf[pandas]=={version('symcf')}"], "model_config": asked}
    return {"loader_module": __name__, "data_path": str(data), **needed, **(options or {})}


def _checked(question: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords, if all are known."""
    known = [name for name in option_defaults() if name not in NOT_ASKED]
    for name in question:
        if name not in known:
            raise OptionError(f"{name}: there is no such keyword of explain_batch{did_you_mean(name, known)}")
    return dict(question)
