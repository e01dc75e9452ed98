"""Files of Bayesian networks, read by pyagrum (extra ``bn``)."""

from __future__ import annotations

import os
from os import PathLike
from typing import Any

import numpy as np

from symcf.errors import FileError, ModelError

__all__ = ["read_network"]


def read_network(path: str | PathLike[str]) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, Any]]:
    """Values, parents and tables of the nodes of a file."""
    try:
        import pyagrum
    except ImportError:
        raise ModelError("reading Bayesian networks needs pyagrum: pip install 'symcf[bn]'") from None
    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(2, "No such file or directory", name)
    try:
        network = pyagrum.loadBN(name)
    except Exception as error:  # pyagrum's own exceptions have no common, public base
        raise FileError(f"{name}: not a Bayesian network that pyagrum can read: {error}") from None
    return from_pyagrum(network)


def from_pyagrum(network: Any) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, Any]]:
    """The same of a network in memory."""
    nodes, parents, tables = {}, {}, {}
    for i in sorted(network.nodes()):
        variable, cpt = network.variable(i), network.cpt(i)
        nodes[variable.name()] = list(variable.labels())
        # pyagrum's axes come in reverse order, the node itself last
        axes = [str(axis) for axis in cpt.names]
        own = variable.name()
        table = np.asarray(cpt.toarray())
        rest = [axis for axis in reversed(axes) if axis != own]
        order = [list(reversed(axes)).index(axis) for axis in (*rest, own)]
        parents[own] = rest
        tables[own] = np.transpose(table, order)
    return nodes, parents, tables
