"""Packages that symcf works with and does not need: where one is missing, the error says which extra brings it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symcf.errors import MissingExtraError

__all__ = ["EXTRAS", "load_extra", "missing"]

#: Packages and the extras that bring them.
EXTRAS = {
    "catboost": "catboost",
    "dask": "dask",
    "distributed": "dask",
    "fastapi": "serve",
    "jinja2": "report",
    "lightgbm": "lightgbm",
    "matplotlib": "plot",
    "mlflow": "mlflow",
    "pandas": "pandas",
    "pyagrum": "bn",
    "pyarrow": "arrow",
    "pydantic": "serve",
    "sklearn": "sklearn",
    "tqdm": "progress",
    "uvicorn": "serve",
    "xgboost": "xgboost",
    "yaml": "letters",
}


def load_extra(module: str, what: str) -> Any:
    """The module, or an error that says how to install it and what needs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise missing(what, error, module) from None


def missing(what: str, error: ImportError, module: str = "") -> MissingExtraError:
    """The error about a package that could not be imported."""
    package = (error.name or module).split(".")[0]
    extra = EXTRAS.get(package) or EXTRAS.get(module.split(".")[0])
    command = f"pip install 'symcf[{extra}]'" if extra else f"pip install {package}"
    return MissingExtraError(f"{what} needs {package}: {command}", name=package)
