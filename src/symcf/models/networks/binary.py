"""Binary neural networks: layers of neurons that are signs of weighted sums."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.data.labels import checked_features, checked_names
from symcf.errors import ModelError
from symcf.models.base import TIES, Model, checked_choice, checked_ordered, checked_values
from symcf.models.close_sums import Summand, rounding_is_harmless
from symcf.models.networks.tables import fraction
from symcf.models.rules import LayersRule, value_offsets

__all__ = ["BinaryNetwork"]

OUTPUTS = ("sign", "bit")

#: Sums of weights stay below 2 to this power, as everywhere in the core.
SUM_BITS = 60

#: An array of fractions.
Exact = npt.NDArray[Any]


class BinaryNetwork(Model):
    """A feed-forward network whose neurons give one of two values, over discrete features.

    A neuron adds up its weighted inputs and its bias and is "on" if the sum is at least 0. The last layer has one
    neuron, which is class 1 if it is on, or one sum per class, the largest of which wins. The numbers are taken exactly
    as they are (a float is the rational that it holds); where they span too many bits for the core, they are rounded if
    that is proved to change no decision, and refused otherwise.

    Parameters
    ----------
    layers:
        For each layer a pair (weights, biases): a matrix with a row per neuron, and a number per neuron.
    inputs:
        What the first layer sees of each feature: for each feature a list with one row of numbers per value. By default
        every feature has two values, and the first layer sees one number of each: -1 or 1.
    output:
        What a neuron that is on or off gives to the next layer: "sign" 1 or -1, "bit" 1 or 0.
    tie:
        With several sums in the last layer: which of equal ones wins, the last ("positive") or the first ("negative").
    features, values, classes, ordered:
        As for the other models.

    >>> import symcf
    >>> xor = BinaryNetwork([([[1, 1], [-1, -1]], [-1, -1]), ([[-1, -1]], [-1])])
    >>> c = symcf.compile(xor)
    >>> c.predict([[0, 0], [0, 1], [1, 0], [1, 1]])
    array([0, 1, 1, 0])
    """

    kind: ClassVar[str] = "binary_network"
    facts = ("layers", "inputs", "output", "tie")

    def __init__(
        self,
        layers: Sequence[tuple[Any, Any]],
        *,
        inputs: Sequence[Any] | None = None,
        output: str = "sign",
        tie: str = "negative",
        features: Sequence[str] | None = None,
        values: Sequence[Sequence[Hashable]] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
    ) -> None:
        self.output = checked_choice(output, OUTPUTS, "output")
        self.tie = checked_choice(tie, TIES, "tie rule")
        self.layers = _layers(layers)
        width = self.layers[0][0].shape[1]
        self.inputs = _inputs(inputs, width)
        for i, ((weights, _), (after, _)) in enumerate(zip(self.layers, self.layers[1:], strict=False)):
            if after.shape[1] != len(weights):
                raise ModelError(f"layer {i + 1} reads {after.shape[1]} neurons, layer {i} has {len(weights)}")
        n_classes = max(2, len(self.layers[-1][0]))
        if len(self.layers[-1][0]) == 2:
            raise ModelError("the last layer has two sums: for two classes give one, their difference")
        n_values = [len(rows) for rows in self.inputs]
        self.classes = checked_names(classes, n_classes, "classes", list(range(n_classes)))
        self.features = checked_features(features, len(n_values))
        self.values = checked_values(values, self.features, n_values)
        self.ordered = checked_ordered(ordered, len(self.features))

    def rule(self) -> LayersRule:
        """The layers in integers, over neurons that are 0 or 1 and with the features' values in the first."""
        matrices, biases = [], []
        for i, (weights, bias) in enumerate(self.layers):
            # every neuron by itself, except sums that are compared with each other
            shared = i == len(self.layers) - 1 and len(weights) > 1
            if i == 0:
                matrix, offset = _integers(self._by_value(weights), bias, shared, "layer 0")
            else:
                on = weights * 2 if self.output == "sign" else weights  # 2 b - 1 or b, where b is the neuron's bit
                constant = bias - weights.sum(axis=1) if self.output == "sign" else bias
                bits = [np.stack([column * 0, column], axis=1) for column in on.T]
                matrix, offset = _integers(bits, constant, shared, f"layer {i}")
                matrix = np.ascontiguousarray(matrix[:, 1::2])
            matrices.append(matrix)
            biases.append(offset)
        return LayersRule(
            value_offsets([len(rows) for rows in self.inputs]),
            matrices[0],
            tuple(matrices[1:]),
            tuple(biases),
            later_wins=self.tie == "positive",
        )

    def _by_value(self, weights: Exact) -> list[Exact]:
        """By feature, what each of its values adds to each neuron of the first layer."""
        ends = np.cumsum([0, *(rows.shape[1] for rows in self.inputs)])
        return [weights[:, start:end] @ rows.T for start, end, rows in zip(ends, ends[1:], self.inputs, strict=False)]

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """The whole network, as lists, numbers and strings; fractions as text, so that nothing is rounded."""
        return {
            "model": self.kind,
            "layers": [{"weights": _plain(weights), "bias": _plain(bias)} for weights, bias in self.layers],
            "inputs": [_plain(rows) for rows in self.inputs],
            "output": self.output,
            "tie": self.tie,
            **self.names_to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BinaryNetwork:
        """The inverse of `to_dict`."""
        names = ("inputs", "output", "tie", "features", "values", "classes", "ordered")
        layers = [(layer["weights"], layer["bias"]) for layer in data["layers"]]
        return cls(layers, **{key: data[key] for key in names if data.get(key) is not None})


def _layers(given: Any) -> tuple[tuple[Exact, Exact], ...]:
    if isinstance(given, (str, Mapping)) or not hasattr(given, "__len__") or not len(given):
        raise ModelError("layers must be a list of pairs (weights, biases)")
    layers = []
    for i, pair in enumerate(given):
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise ModelError(f"layer {i} must be a pair (weights, biases)")
        weights = _exact(pair[0], 2, f"the weights of layer {i}")
        bias = _exact(pair[1], 1, f"the biases of layer {i}")
        if len(bias) != len(weights):
            raise ModelError(f"layer {i} has {len(weights)} neurons and {len(bias)} biases")
        if not weights.size:
            raise ModelError(f"layer {i} is empty")
        layers.append((weights, bias))
    return tuple(layers)


def _inputs(given: Any, width: int) -> tuple[Exact, ...]:
    if given is None:
        signs = np.array([[Fraction(-1)], [Fraction(1)]], dtype=object)
        return (signs,) * width
    inputs = tuple(_exact(rows, 2, f"the inputs of feature {j}") for j, rows in enumerate(given))
    seen = sum(rows.shape[1] for rows in inputs)
    if seen != width:
        raise ModelError(f"inputs: the features give {seen} numbers, the first layer reads {width}")
    return inputs


def _exact(given: Any, dimensions: int, what: str) -> Exact:
    try:
        array = np.array(given, dtype=object)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.ndim != dimensions:
        shape = "a matrix" if dimensions == 2 else "a list of numbers"
        raise ModelError(f"{what} must be {shape}")
    exact = np.empty(array.shape, dtype=object)
    for place in np.ndindex(*array.shape):
        exact[place] = _rational(array[place], what)
    return exact


def _rational(number: Any, what: str) -> Fraction:
    """A float is the rational that it holds, since that is what the network multiplies with."""
    if isinstance(number, (float, np.floating)):
        if not math.isfinite(number):
            raise ModelError(f"{what} must be finite, not {number!r}")
        return Fraction(float(number))
    return fraction(number, what)


def _integers(
    choices: Sequence[Exact], bias: Exact, shared: bool, what: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Integers in the same proportions; of all neurons together if they are compared with each other.

    ``choices`` are matrices (neurons, alternatives): every row adds one alternative of each.
    """
    neurons = [list(range(len(bias)))] if shared else [[i] for i in range(len(bias))]
    starts = np.cumsum([0, *(part.shape[1] for part in choices)])
    matrix, offset = np.zeros((len(bias), starts[-1]), dtype=np.int64), np.zeros(len(bias), dtype=np.int64)
    for which in neurons:
        parts = [*(part[which] for part in choices), bias[which][:, None]]
        integers = _exact_integers(parts) or _rounded_integers(parts)
        if integers is None:
            raise ModelError(
                f"{what}: its numbers span more than {SUM_BITS} bits, and rounding them to that may change decisions; "
                f"round the weights before you test the network, for example to multiples of 2**-20"
            )
        for start, end, part in zip(starts, starts[1:], integers, strict=False):
            matrix[which, start:end] = part
        offset[which] = integers[-1][:, 0]
    return matrix, offset


def _exact_integers(parts: Sequence[Exact]) -> list[npt.NDArray[np.int64]] | None:
    common = math.lcm(*(x.denominator for part in parts for x in part.flat))
    divisor = math.gcd(*(int(x * common) for part in parts for x in part.flat)) or 1
    whole = [np.vectorize(lambda x: int(x * common) // divisor, otypes=[object])(part) for part in parts]
    return [part.astype(np.int64) for part in whole] if _largest(whole) < 2**SUM_BITS else None


def _rounded_integers(parts: Sequence[Exact]) -> list[npt.NDArray[np.int64]] | None:
    """Rounded to what fits, if that is proved to change no decision."""
    largest = Fraction(_largest(parts))
    bits = largest.numerator.bit_length() - largest.denominator.bit_length() + 1
    scale = Fraction(2) ** (SUM_BITS - 1 - bits)
    rounded = [np.vectorize(lambda x: round(x * scale), otypes=[np.int64])(part) for part in parts]
    exact = [part * scale for part in parts]
    summands = [Summand(a.T, b.T) for a, b in zip(exact, rounded, strict=True)]
    return rounded if rounding_is_harmless(summands) else None


def _largest(parts: Sequence[Exact]) -> Any:
    """The largest sum of magnitudes of a neuron."""
    return max(sum(max(map(abs, part[i])) for part in parts) for i in range(len(parts[0])))


def _plain(array: Any) -> Any:
    if isinstance(array, np.ndarray):
        return [_plain(part) for part in array]
    return int(array) if array.denominator == 1 else str(array)
