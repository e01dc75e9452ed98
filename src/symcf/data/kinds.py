"""The kinds of encoders, and encoders from JSON. Only the module of the kind that is read is imported."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from symcf.data.encoder import Encoder
from symcf.errors import ModelError

__all__ = ["ENCODERS", "encoder_from_dict"]

#: By what `Encoder.to_dict` calls the kind: the module and the class.
ENCODERS = {
    "columns": ("columns", "RawColumns"),
    "intervals": ("intervals", "Intervals"),
    "value_codes": ("value_codes", "ValueCodes"),
}


def encoder_from_dict(data: Mapping[str, Any]) -> Encoder:
    """The encoder that `Encoder.to_dict` described."""
    kind = data["encoder"]
    if kind not in ENCODERS:
        raise ModelError(f"unknown kind of encoder {kind!r}")
    home, name = ENCODERS[kind]
    found: Encoder = getattr(import_module(f"symcf.data.{home}"), name).from_dict(data)
    return found
