"""Bayesian networks as classifiers: one node is the class, some nodes are observed, all others are summed out."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.labels import checked_names, code_of
from symcf.data.reader import Codes
from symcf.errors import FileError, ModelError
from symcf.models.base import TIES, Model, checked_choice, checked_ordered
from symcf.models.networks.elimination import Elimination, elimination_order
from symcf.models.networks.logarithms import Logarithms
from symcf.models.networks.posterior import Posterior
from symcf.models.networks.tables import Nodes, fraction
from symcf.models.rules import Rule, StateRule, Tree, TreeRule, value_offsets
from symcf.models.table_trees import table_tree

__all__ = ["BayesNet"]


#: Up to this many rows, states are as good as sums, so that sums must be proved to be right. With more, sums that are
#: too many to be looked at are taken for right.
FEW_ROWS = 1 << 16


class BayesNet(Model):
    """A Bayesian network that classifies by the posterior of one of its nodes.

    Parameters
    ----------
    nodes:
        The values of each node, by its name.
    parents:
        The parents of each node, by its name; nodes without parents may be left out.
    tables:
        The conditional probabilities of each node: nested lists or an array with one axis per parent, in their order,
        and the node's own values last. Decimals are taken as they are written (0.1 is one tenth); strings such as
        ``"1/3"``, `fractions.Fraction` and `decimal.Decimal` are taken, too.
    target:
        The node that is decided.
    features:
        The nodes that are observed, by name; by default those without children. All others are summed out.
    positive:
        Values of the target that are taken together as the class 1; the others are class 0. Without it every value of
        the target is a class, and with two values the second is class 1.
    threshold:
        With two classes: class 1 is decided if its probability is at least this.
    tie:
        "positive": class 1 wins if its probability is exactly the threshold, "negative": class 0. With more classes the
        last or the first of those with the same probability. Rows that cannot happen (probability 0) are ties, too.
    ordered:
        Whether the values of features come in an order; by default they do not.

    >>> rain = BayesNet(
    ...     nodes={"rain": ["no", "yes"], "sprinkler": ["off", "on"], "grass": ["dry", "wet"]},
    ...     parents={"sprinkler": ["rain"], "grass": ["rain", "sprinkler"]},
    ...     tables={
    ...         "rain": [0.8, 0.2],
    ...         "sprinkler": [[0.6, 0.4], [0.99, 0.01]],
    ...         "grass": [[[1, 0], [0.1, 0.9]], [[0.2, 0.8], [0.01, 0.99]]],
    ...     },
    ...     target="rain",
    ...     features=["sprinkler", "grass"],
    ... )
    >>> import symcf
    >>> symcf.compile(rain).explain([0, 1]).sets  # the sprinkler is off, the grass is wet: rain
    [(0,), (1,)]
    """

    kind: ClassVar[str] = "bayes_net"
    facts = ("network", "_target", "positive", "threshold", "tie")

    def __init__(
        self,
        nodes: Mapping[str, Sequence[Hashable]],
        parents: Mapping[str, Sequence[str]],
        tables: Mapping[str, Any],
        *,
        target: str,
        features: Sequence[str] | None = None,
        positive: Sequence[Hashable] | Hashable | None = None,
        threshold: Any = 0.5,
        tie: str = "positive",
        ordered: Sequence[bool] | bool = False,
    ) -> None:
        self.network = Nodes(nodes, parents, tables)
        self._target = self.network.index(target, "target")
        self._features = self._observed(features)
        self.features = tuple(self.network.names[i] for i in self._features)
        self.values = tuple(self.network.values[i] for i in self._features)
        self.ordered = checked_ordered(ordered, len(self.features))
        self._class_of, self.classes = self._classes(positive)
        self.positive = (
            None
            if positive is None
            else tuple(label for label, k in zip(self.network.values[self._target], self._class_of, strict=True) if k)
        )
        self.threshold = fraction(threshold, "threshold")
        if not 0 < self.threshold < 1:
            raise ModelError(f"threshold must be between 0 and 1, not {threshold!r}")
        if len(self.classes) > 2 and self.threshold != Fraction(1, 2):
            raise ModelError(f"threshold applies to two classes; {target!r} has {len(self.classes)}: give positive=")
        self.tie = checked_choice(tie, TIES, "tie rule")

    @classmethod
    def read(cls, path: str | PathLike[str], **options: Any) -> BayesNet:
        """Reads a network from a file: BIF, XMLBIF, NET, UAI, XDSL and what else pyagrum reads (extra ``bn``).

        ``options`` are the keywords of `BayesNet`, ``target`` among them.
        """
        return cls(*read_network(path), **options)

    # --- what the user gave

    def _observed(self, features: Sequence[str] | None) -> list[int]:
        network = self.network
        if features is None:
            inner = {p for parents in network.parents for p in parents}
            found = [i for i in network if i not in inner and i != self._target]
            if not found:
                raise ModelError("no node but the target is without children: name the observed nodes with features=")
            return found
        if isinstance(features, str):
            raise ModelError(f"features must be a list of nodes, not {features!r}")
        found = [network.index(name, "features") for name in features]
        if len(set(found)) != len(found):
            raise ModelError("features: a node is listed twice")
        if self._target in found:
            raise ModelError(f"features: {network.names[self._target]!r} is the target")
        return found

    def _classes(self, positive: Any) -> tuple[list[int], tuple[Hashable, ...]]:
        labels = self.network.values[self._target]
        name = self.network.names[self._target]
        if len(labels) < 2:
            raise ModelError(f"target: {name!r} has only one value")
        if positive is None:
            return list(range(len(labels))), labels
        several = isinstance(positive, (list, tuple, set, frozenset))
        wanted = {code_of(label, labels, "positive") for label in (positive if several else [positive])}
        if not 0 < len(wanted) < len(labels):
            raise ModelError(f"positive must be some of the values of {name!r}, not none or all of them")
        class_of = [int(v in wanted) for v in range(len(labels))]
        if len(labels) == 2:
            return class_of, (labels[class_of.index(0)], labels[class_of.index(1)])
        named = [" or ".join(str(labels[v]) for v in range(len(labels)) if class_of[v] == k) for k in (0, 1)]
        return class_of, checked_names(named, 2, "classes", [])

    @cached_property
    def irrelevant(self) -> tuple[str, ...]:
        """Features that cannot matter once all others are known: the others separate them from the target."""
        network = self.network
        return tuple(
            network.names[i]
            for i in self._features
            if network.blocked(i, self._target, [j for j in self._features if j != i])
        )

    # --- deciding

    def _weights(self) -> list[Fraction]:
        if len(self.classes) > 2:
            return [Fraction(1)] * len(self.classes)
        return [self.threshold, 1 - self.threshold]

    def _elimination(self, order: Sequence[int], look: Callable[[], None] | None = None) -> Elimination:
        features = [self._features[place] for place in order]
        later = self.tie == "positive"
        return Elimination(self.network, self._target, self._class_of, self._weights(), features, later, look)

    @cached_property
    def _order(self) -> tuple[int, ...]:
        return tuple(elimination_order(self.network, self._target, self._features))

    @cached_property
    def _posterior(self) -> Posterior:
        later = self.tie == "positive"
        return Posterior(self.network, self._target, self._class_of, self._weights(), self._features, later)

    def _decide(self, codes: Codes) -> npt.NDArray[np.uint8]:
        return self._posterior.decide(np.asarray(codes, dtype=np.int64))

    @cached_property
    def is_sum(self) -> bool:
        """Is it a sum of logarithms: no hidden node, no zero, every value of the target a class of its own?"""
        kept = self.network.relevant([self._target, *self._features])
        return (
            set(kept) == {self._target, *self._features}
            and len(self.classes) == len(self._class_of)
            and all(p > 0 for i in kept for p in self.network.tables[i].flat)
        )

    def rule(self) -> Rule:
        """Without hidden nodes and zeros trees that vote, one per table; otherwise states."""
        offset = value_offsets(self.n_values)
        trees = self._trees() if self.is_sum else None
        if trees is not None:
            return TreeRule(offset, trees, later_wins=self.tie == "positive")
        network = self.network
        numbers = (network.parents, network.tables, self._target, self._features, self._class_of, self._weights())
        whole = (*numbers, self.tie == "positive")
        return StateRule(offset, len(self.classes), whole, self._order, self._elimination, self._decide)

    def _trees(self) -> tuple[Tree, ...] | None:
        """One tree per table; None if rows are decided by products too close for rounded logarithms."""
        network, target = self.network, self._target
        # tables without the target weigh the same for all classes
        mentioned = [i for i in network.relevant([target, *self._features]) if target in (*network.parents[i], i)]
        weights = self._weights()
        log = Logarithms([*(network.tables[i].ravel().tolist() for i in mentioned), weights])
        place = {node: j for j, node in enumerate(self._features)}
        trees = []
        groups = [np.array([weights], dtype=object)]
        for i in mentioned:
            nodes = (*network.parents[i], i)
            table = np.moveaxis(network.tables[i], nodes.index(target), -1)
            table = table[..., [self._class_of.index(k) for k in range(len(self.classes))]]
            groups.append(table.reshape(-1, len(self.classes)))
            scores = np.array([log.of(p) for p in table.flat], dtype=np.int64).reshape(table.shape)
            if i == target:
                scores = scores + np.array([log.of(w) for w in weights], dtype=np.int64)
            rest = [node for node in nodes if node != target]
            trees.append(table_tree([place[n] for n in rest], scores))
        right = log.order_all(groups)
        if right is False or (right is None and math.prod(self.n_values) <= FEW_ROWS):
            return None
        return tuple(trees)

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64]:
        """The posterior of each class; equal parts for rows that cannot happen."""
        return self._posterior.posteriors(np.asarray(codes, dtype=np.int64))

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """The whole network, as lists, numbers and strings."""
        return {
            "model": self.kind,
            **self.network.to_dict(),
            "target": self.network.names[self._target],
            "features": list(self.features),
            "positive": None if self.positive is None else list(self.positive),
            "threshold": str(self.threshold),
            "tie": self.tie,
            "ordered": list(self.ordered),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BayesNet:
        """The inverse of `to_dict`."""
        names = {
            key: data[key] for key in ("target", "features", "positive", "threshold", "tie", "ordered") if key in data
        }
        return cls(data["nodes"], data.get("parents", {}), data["tables"], **names)


# --- files ------------------------------------------------------------------------------------------------------------
# Files of Bayesian networks, read by pyagrum (extra ``bn``).


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
