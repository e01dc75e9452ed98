"""`symcf.check`: certificates in any form, and the model they should be about."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from symcf.errors import OptionError
from symcf.proof.checker.check import Verdict, check_text
from symcf.proof.checker.form import MOST_UNITS, canonical, parse, read_certificate

if TYPE_CHECKING:
    from symcf.proof.certificates.certificate import Certificate

__all__ = ["check"]


def check(
    certificate: Certificate | Mapping[str, Any] | str | PathLike[str],
    model: Any = None,
    *,
    row: Any = None,
    number: str | None = None,
    root: str | None = None,
    steps: int | None = None,
) -> Verdict:
    """Is a certificate true? With Python's standard library alone, unless a model or a row is given.

    Parameters
    ----------
    certificate:
        What `Explanation.certificate` or `Reasons.certificate` gave, its ``data``, its JSON text, the name of a file,
        or a row of a `SealedBatch`.
    model:
        The model that the certificate should be about: its fingerprint, or the classifier that `symcf.compile` gave.
        The names and the rule must be the same to the last bit.
    row:
        With a classifier: the row that the certificate should be about, in any form that `Compiled.explain` takes.
    number:
        The number that the certificate should have.
    root:
        The root of the batch that it should be a row of (`SealedBatch.root`).
    steps:
        After so many steps the check gives up, and the certificate is rejected as too long ("effort"). By default
        2**31, which is about a quarter of an hour.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> c = symcf.compile(admission())
    >>> certificate = c.explain([0, 0, 1, 0]).certificate()
    >>> print(symcf.check(certificate, c, row=[0, 0, 1, 0]).proved)
    the decision is 'rejected'; without constraints, 2 minimal sets of changes lead to 'admitted', and no others do
    >>> text = certificate.to_json().replace("[0,3]", "[0,2]")
    >>> print(symcf.check(text))
    rejected (number): the number is not that of the content: something was changed
    """
    if steps is not None and (not isinstance(steps, int) or steps is True or steps < 1):
        raise OptionError(f"steps must be an integer of at least 1, not {steps!r}")
    most = MOST_UNITS if steps is None else steps
    text = _text_of(certificate)
    if model is None or isinstance(model, str):
        if row is not None:
            raise OptionError("row: give the classifier, too, which knows how to read it")
        return check_text(text, number=number, fingerprint=model, root=root, steps=most, look=_look(text))
    return _check_with(text, model, row, most, number=number, root=root)


def _look(text: str) -> Callable[[], None]:
    """What looks at the time limit of a block around the call, which must be long enough to read the text. There is
    one only if its module has been imported.
    """
    clock = sys.modules.get("symcf.common.clock")
    if clock is None:
        return lambda: None
    clock.tick(clock.READING * len(text))
    return clock.tick  # type: ignore[no-any-return]


def _text_of(certificate: Any) -> str:
    if isinstance(certificate, Mapping):
        try:
            return canonical(dict(certificate))
        except (TypeError, ValueError, RecursionError) as error:
            raise OptionError(f"certificate: its data cannot be written as JSON: {error}") from None
    if hasattr(certificate, "to_json"):
        return str(certificate.to_json())
    if isinstance(certificate, str) and _is_text(certificate):
        return certificate
    if not isinstance(certificate, (str, PathLike)):
        raise OptionError(
            f"certificate must be one, its data, its JSON text or the name of a file, not {type(certificate).__name__}"
        )
    return read_certificate(certificate)


def _is_text(given: str) -> bool:
    """Is it JSON text, perhaps damaged, and not the name of a file? A file that exists is read."""
    return not os.path.exists(given) and (not given.strip() or any(c in given for c in '{}"\0\n'))


def _check_with(text: str, model: Any, row: Any, steps: int, **expected: str | None) -> Verdict:
    """The same with a classifier at hand, which needs the rest of symcf."""
    from symcf.proof.certificates.model import model_to_dict
    from symcf.system.classifier import Classifier

    if not isinstance(model, Classifier):
        raise OptionError(f"model must be a fingerprint or what symcf.compile gives, not {type(model).__name__}")
    own = str(model_to_dict(model)["fingerprint"])
    verdict = check_text(text, fingerprint=own, steps=steps, look=_look(text), **expected)
    stated = parse(text) if verdict and row is not None else {}
    if stated and not _is_row(stated.get("certificate", stated)["row"], model, row):
        return Verdict("row", "it is about another row")
    return verdict


def _is_row(stated: list[Any], model: Any, row: Any) -> bool:
    """Is a row what a certificate states? Numbers are compared as they are, all else as the classifier reads it."""
    from symcf.proof.certificates.certificate import stated_row

    try:
        return stated == stated_row(model, row)
    except OptionError:  # no certificate states such a row
        return False
