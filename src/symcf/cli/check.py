"""The command that checks certificates: check. Without a model it loads the checker and nothing else of symcf."""

from __future__ import annotations

from pathlib import Path

from symcf.common.files import written_whole
from symcf.common.signatures import signer_of
from symcf.errors import OptionError
from symcf.proof.checker.check import Verdict, check_text
from symcf.proof.checker.form import MOST_UNITS, certificates_in
from symcf.proof.checker.log import check_log, is_log

__all__ = ["check"]

REJECTED = 1


def check(
    certificate: str | None = None,
    model: str | None = None,
    *,
    number: str | None = None,
    fingerprint: str | None = None,
    root: str | None = None,
    steps: int | None = None,
    page: str | None = None,
    signed_by: str | None = None,
    signature: str | None = None,
    trust: bool = False,
) -> int:
    """Checks certificates: evaluates the rule, goes through the proof, and says what is proved. Of a log of decisions
    (`symcf log`), finds the first line that was altered.

    Exit code 0 if all are true, 1 if one is rejected or altered, or if the signature is not right.

    Example: symcf check certificate.json --number K4YU-XJXR-E45F-E463
    """
    if page is not None:
        _write_page(page)
        return 0
    if certificate is None:
        raise OptionError("CERTIFICATE is missing: give a file, or --page FILE for a page that checks certificates")
    if signed_by is not None:
        signature = signature or f"{certificate}.sig"
        signer = signer_of(certificate, signature, signed_by)
        if signer is None:
            print(f"rejected (signature): {signature} is no signature of {certificate} by anybody in {signed_by}")
            return REJECTED
        print(f"signed by {signer}")
    elif signature is not None:
        raise OptionError("--signature needs --signed-by FILE: who may sign, and with which keys")
    most = MOST_UNITS if steps is None else steps
    if most < 1:
        raise OptionError(f"--steps must be at least 1, not {steps}")
    expected = fingerprint if model is None else _fingerprint(model, trust)
    code = 0
    texts = certificates_in(certificate)
    if any(map(is_log, texts[:2])):
        unaltered = check_log(line for text in texts for line in text.split("\n"))
        print(unaltered)
        return 0 if unaltered else REJECTED
    for text in texts:
        verdict = check_text(text, number=number, fingerprint=expected, root=root, steps=most)
        if fingerprint is not None and verdict and verdict.fingerprint != fingerprint:
            verdict = Verdict("fingerprint", f"it is about the model {verdict.fingerprint}, not {fingerprint}")
        print(verdict if verdict.number is None else f"{verdict.number}: {verdict}")
        code = code or (0 if verdict else REJECTED)
    return code


def _fingerprint(path: str, trust: bool) -> str:
    from symcf.cli.models import open_compiled
    from symcf.proof.certificates.model import model_to_dict

    return str(model_to_dict(open_compiled(path, trust=trust))["fingerprint"])


def _write_page(path: str) -> None:
    """One HTML file with the checker in JavaScript inside."""
    static = Path(__file__).parent.parent / "report" / "static"
    html, script = ((static / name).read_text(encoding="utf-8") for name in ("checker.html", "checker.js"))
    with written_whole(path) as name:
        Path(name).write_text(html.replace("/*CHECKER*/", script), encoding="utf-8")
