"""What a page was made from: the model, the rows, the options, the version and the date."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import INVALID
from symcf.common.text import one_line, plain_cell
from symcf.errors import ModelError
from symcf.letters.policy import Policy
from symcf.system.archive import fingerprint

__all__ = ["data_hash", "provenance"]


def data_hash(batch: BatchExplanation) -> str:
    """SHA-256 of the rows as they were read, the same for every form in which they were given."""
    digest = hashlib.sha256()
    for i, status in enumerate(batch.status.tolist()):
        cells = None if status == INVALID else list(map(_cell, batch.cells(i)))
        digest.update(json.dumps(cells, default=str).encode())
        digest.update(b"\n")
    return f"sha256:{digest.hexdigest()}"


def _cell(cell: Any) -> Any:
    plain = plain_cell(cell)
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain


def provenance(
    batch: BatchExplanation, options: Mapping[str, Any], policy: Policy | None = None
) -> list[tuple[str, str]]:
    """Names and values, for people."""
    try:
        model = fingerprint(batch.compiled)
    except ModelError:  # a black box has no rule to take it of
        model = "not known, the model is a black box"
    asked = {name: value for name, value in options.items() if value is not None and name != "n_jobs"}
    said = {name: _said(name, value, batch) for name, value in asked.items()}
    return [
        ("Model", model),
        ("Data", data_hash(batch)),
        *([] if policy is None else [("Policy", policy.fingerprint)]),
        ("Options", "; ".join(f"{name}: {text}" for name, text in said.items()) or "none"),
        ("Made by", f"symcf {version('symcf')}"),
        ("Date", datetime.date.today().isoformat()),
    ]


def _said(name: str, value: Any, batch: BatchExplanation) -> str:
    """An option in a word. What could hold values of single rows is not written out."""
    if isinstance(value, (str, int, float)):
        return one_line(value)
    features, known = batch.compiled.features, {*batch.compiled.features, *range(batch.compiled.n_features)}
    if name == "immutable" and isinstance(value, (list, tuple)) and all(_is(item, known) for item in value):
        return ", ".join(one_line(features[item] if isinstance(item, int) else item) for item in value) or "none"
    return "given"


def _is(item: Any, known: set[Any]) -> bool:
    return isinstance(item, (str, int)) and item in known
