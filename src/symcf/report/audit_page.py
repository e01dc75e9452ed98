"""The page of an audit: one HTML file, as that of a report, without a script."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from symcf.analysis.audit.result import Audit, Rule
from symcf.common.files import written_whole
from symcf.common.text import one_line
from symcf.data.phrases import value_text
from symcf.errors import OptionError
from symcf.report.charts import bars
from symcf.report.page import content_hash, static_text, template_of

__all__ = ["write_audit"]

#: Bars of a chart, pairs that are shown, and numbers of locked-out rows that are listed.
BARS, PAIRS, LISTED = 12, 5, 1000


def write_audit(
    path: str | PathLike[str],
    audit: Audit,
    *,
    title: str | None = None,
    rules: Sequence[Rule] = (),
    names: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
) -> None:
    """Writes an audit as a page: one HTML file that works without a network. Needs jinja2 (the extra ``report``).

    ``rules`` are what `Audit.rules` gives: the verdict on them stands on top. ``names`` says what features are called,
    and ``units`` what their numbers are, as in letters.

    >>> import os, tempfile, symcf
    >>> from symcf.demo import admission
    >>> a = symcf.audit(symcf.compile(admission()), [[1, 0, 1, 0], [0, 0, 0, 0]], target="admitted")
    >>> file = os.path.join(tempfile.mkdtemp(), "audit.html")
    >>> symcf.report.write_audit(file, a, title="Admissions")
    >>> os.path.exists(file)
    True
    """
    if not isinstance(audit, Audit):
        raise TypeError(f"write_audit takes what symcf.audit gives, not {type(audit).__name__}")
    if title is not None and not isinstance(title, str):
        raise OptionError(f"title must be a string, not {title!r}")
    css = static_text("report.css")
    page = template_of("audit.html").render(
        title=one_line(title or "Audit"),
        css=css,
        css_hash=content_hash(css),
        rules=rules,
        verdict=_verdict(rules),
        **_content(audit, dict(names or {}), dict(units or {})),
    )
    with written_whole(os.fspath(path)) as temporary, open(temporary, "wb") as file:
        file.write(page.encode("utf-8", "replace"))


def _verdict(rules: Sequence[Rule]) -> str:
    failed = sum(rule.holds is False for rule in rules)
    if failed:
        return f"Failed: {failed} of {len(rules)} rule{'s' * (len(rules) != 1)}"
    return "Not known" if any(rule.holds is None for rule in rules) else "Passed"


def _content(audit: Audit, names: Mapping[str, str], units: Mapping[str, str]) -> dict[str, Any]:
    def called(name: str) -> str:
        return one_line(names.get(name, name))

    whole = audit.total
    needs = [(f"{number} change{'s' * (number != 1)}", count) for number, count in whole.changes.items()]
    needs += [("locked out", whole.locked_out)] if whole.locked_out else []
    needs += [("not known", whole.undecided)] if whole.undecided else []
    features = [line for line in audit.feature_lines() if line[1]]
    target = audit.question.get("target")
    return {
        "wanted": "another class" if target is None else one_line(target),
        "whole": whole,
        "within": audit.question.get("max_changes"),
        "shown": value_text,
        "groups": [*audit.groups.values(), *([whole] if len(audit.groups) > 1 else [])],
        "chart": bars("What the rows need", needs, whole.asked, BARS),
        "features": [(called(name), *rest) for name, *rest in sorted(features, key=lambda line: (-line[3], -line[2]))],
        "intervals": audit.interval_rows(),
        "confidence": None if audit.confidence is None else f"{100 * audit.confidence:.4g}%",
        "drift": audit.drift_lines(),
        "broken": audit.broken_suggestions[:LISTED].tolist(),
        "more_broken": max(0, len(audit.broken_suggestions) - LISTED),
        "proxies": [
            replace(one, protected=called(one.protected), feature=called(one.feature)) for one in audit.told_most
        ],
        "more_proxies": len(audit.proxies or ()) - len(audit.told_most),
        "protected": [called(name) for name in audit.protected],
        "biased": len(audit.biased),
        "bias_unknown": audit.bias_undecided,
        "bias": audit.bias,
        "pairs": [one_line(pair.text(names, units)) for pair in audit.pairs[:PAIRS]],
        "monotone": [(bool(one), one_line(one)) for one in audit.monotone],
        "notes": [one_line(note) for note in audit.notes],
        "locked": audit.locked_out[:LISTED].tolist(),
        "more_locked": max(0, len(audit.locked_out) - LISTED),
    }
