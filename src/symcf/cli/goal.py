"""The command for models of several labels: goal."""

from __future__ import annotations

from collections.abc import Hashable

import symcf
from symcf.cli.cells import label_code
from symcf.cli.exits import InputError

__all__ = ["goal"]


def goal(
    model: str,
    *,
    label: list[str],
    time_limit: float | None = None,
    output: str,
) -> int:
    """The classifier "the row has these labels", for all other commands; labels that are not given are free.

    Example: symcf goal labels.json --label loan=yes --label card=no -o goal.symcf
    """
    try:
        labels = symcf.MultiLabel.load(model)
        target: dict[str, Hashable] = {}
        for text in label:
            # names may contain "=", so the longest that fits is meant
            name = max((one for one in labels.names if text.startswith(f"{one}=")), key=len, default=None)
            if name is None:
                raise InputError(f"--label {text!r}: write NAME=CLASS; the labels are {', '.join(labels.names)}")
            if name in target:
                raise InputError(f"--label: {name!r} is given twice")
            value = text[len(name) + 1 :]
            classes = labels.classes(name)
            target[name] = classes[label_code(value, classes, f"--label {name}")]
        labels.goal(target, time_limit=time_limit).save(output)
    except symcf.ModelError as error:
        message = str(error)
        raise InputError(message if message.startswith(model) else f"{model}: {message}") from None
    return 0
