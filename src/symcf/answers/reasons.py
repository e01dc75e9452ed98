"""Reasons: what was enough for a decision, and every way to read it.

Reasons for programs: dicts and JSON.

The schema, version 1. Features are numbered as in ``features``; labels that JSON cannot hold are written as text.

    format            "symcf.reasons"
    version           1; a reader refuses versions that it does not know
    features          names, by number
    classes           names, by code
    instance          {"values": [...], "codes": [...]}, by feature
    prediction        the class of the instance; prediction_code; probability (of this class, or null)
    target            the class that is ruled out, null for every other; target_code
    status            "complete", "max_results" or "time_limit"; complete: true or false
    count             the number of reasons
    reasons           by (cost, size, features), each:
        features          numbers
        conditions        [{"feature": number, "name", "value"}, ...]; where they were widened also "range" and "said",
                          lists of values or numbers, and "also", values beside numbers; see `symcf.answers.schema`
        maximal           where they were widened: is it proved that none can be wider?
        cost              of the features
    necessary, relevant, irrelevant    numbers of features; null where that is not known
    constraints       what was asked, each {"kind", "feature", "name", "value", "labels", "text"}
    cost              null where every feature costs 1; else a number by feature
    k, engine         what else was asked; the engine that answered
    value_labels      by feature, the names of its values
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symcf.answers import reason_text, schema
from symcf.answers.reason_facts import Condition, Reason, ReasonFacts
from symcf.answers.render import LISTED
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.common.options import checked_seconds
from symcf.common.text import one_line, plain
from symcf.errors import FileError, LimitError, OptionError
from symcf.proof.certificates.certificate import Certificate

if TYPE_CHECKING:
    import pandas

__all__ = ["FORMAT", "VERSION", "McExplanations", "Reasons", "from_dict", "to_dict"]


class Reasons(ReasonFacts):
    """All sufficient reasons for a decision, or the cheapest, by (cost, size, features). Made by `Compiled.why`.

    Behaves as a sequence of `Reason`; they are made when they are read.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> r = symcf.compile(admission()).why([1, 0, 1, 0])
    >>> r.sets, r.necessary
    ([(1, 3)], (1, 3))
    """

    def __str__(self) -> str:
        return reason_text.to_text(self)

    def _repr_html_(self) -> str:
        return reason_text.to_html(self)

    def sentences(self, most: int | None = 10) -> list[str]:
        """In plain language: the decision, up to ``most`` reasons (None: all), and how complete they are.

        >>> import symcf
        >>> model = symcf.NaiveBayes.binary(0.3, [0.9], [0.1], features=["GPA"], values=[["low", "high"]],
        ...                                 classes=["declined", "approved"])
        >>> symcf.compile(model).why([0]).sentences()[1]
        "Declined because GPA is low: with this fact, the decision is 'declined' regardless of the other values."
        """
        return reason_text.sentences(self, most)

    def principal(self, most: int = 4) -> list[str]:
        """The principal reasons, in words, for a notice of adverse action: at most ``most`` features, only such that
        are relevant, those in the largest share of all reasons first.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> symcf.compile(admission()).why([1, 0, 1, 0]).principal()
        ['work experience is 0', 'first application is 0']
        """
        return reason_text.principal(self, most)

    def general(self, *, time_limit: float | None = None) -> Reasons:
        """The same reasons, each condition as wide as it can be: what ``Compiled.why(x, general=True)`` gives.

        >>> import symcf
        >>> model = symcf.LinearClassifier([[0, 1, 2, 3], [0, 2]], -3, features=["a", "b"])
        >>> print(symcf.compile(model).why([0, 0]).general()[0])
        a = 0 or 1
        """
        clock = Clock(checked_seconds(time_limit))
        wider, details = copy(self), self._asked("general").details(self.sets, clock)
        wider.details = details
        if not all(detail.maximal for detail in details) and clock.expired:
            wider.status = "time_limit"
        return wider

    def certificate(self, *, time_limit: float | None = None) -> Certificate:
        """The rule, the row, the question, the reasons and a proof, for `symcf.check`: that each reason forces the
        decision, that none could do with fewer features, and that none is missing, as far as the list says so.
        `LimitError` if no proof is found in time; `OptionError` for questions that certificates cannot state.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> certificate = symcf.compile(admission()).why([0, 0, 1, 0]).certificate()
        >>> print(symcf.check(certificate).proved)
        the decision is 'rejected'; without constraints, 2 minimal sets of facts force it, and no others do
        """
        if self.is_general:
            raise OptionError("certificate: it states the row's own values; ask without general=True")
        return self._asked("certificate").certificate_of_reasons(self, Clock(checked_seconds(time_limit)))

    # --- for programs

    def to_dict(self) -> dict[str, Any]:
        """Everything, as lists, numbers and strings; the schema is in `symcf.answers.reasons`."""
        return to_dict(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The same as JSON text, in one line without ``indent``."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reasons:
        """The inverse of `to_dict`, without the classifier; `symcf.verify` checks it against one."""
        return cls(**from_dict(data))

    def to_pandas(self) -> pandas.DataFrame:
        """Tidy: one row per condition, with names instead of codes; with ``general=True`` also the condition in words.
        Needs pandas.
        """
        pandas = load_extra("pandas", "to_pandas")

        names = ["reason", "feature", "value", "cost", *["condition"] * self.is_general]
        rows = [
            (i, c.name, c.value, reason.cost, str(c))[: len(names)]
            for i, reason in enumerate(self)
            for c in reason.conditions
        ]
        frame = pandas.DataFrame(rows, columns=names)
        return frame.astype({"reason": "int64", "cost": "float64"})


FORMAT, VERSION = "symcf.reasons", 1


def to_dict(r: ReasonFacts) -> dict[str, Any]:
    """Everything, as lists, numbers and strings."""
    return {
        **schema.names_to_dict(r, FORMAT, VERSION),
        "instance": {"values": [plain(label) for label in r.row], "codes": r.instance.tolist()},
        **schema.decision_to_dict(r, r.probability, r.reached),
        **schema.status_to_dict(r),
        "reasons": [reason.to_dict() for reason in r],
        "necessary": _known(lambda: r.necessary),
        "relevant": _known(lambda: r.relevant),
        "irrelevant": _known(lambda: r.irrelevant),
        "cost": None if r.costs.units is None else list(r.costs.given),
    }


def _known(ask: Callable[[], tuple[int, ...]]) -> list[int] | None:
    """What can be found out; the list of reasons itself does not depend on it."""
    try:
        return list(ask())
    except (LimitError, OptionError):
        return None


def from_dict(data: Any) -> dict[str, Any]:
    """The keywords of `Reasons` that `to_dict` described."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise FileError(f"not a list of reasons: it must be an object with the format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise FileError(f"the reasons have version {data.get('version')!r}; this symcf reads version {VERSION}")
    with schema.readable("the reasons", "lack"):
        details = [Reason.detail_from_dict(reason) for reason in data["reasons"]]
        return {
            **schema.sets_from_dict(data, (False,) * len(data["features"])),
            "sets": [tuple(map(int, reason["features"])) for reason in data["reasons"]],
            "probability": data["probability"],
            "reached": data.get("reached"),
            "details": details if any(detail.maximal is not None for detail in details) else None,
        }


@dataclass(kw_only=True, eq=False, repr=False)
class McExplanations:
    """The fewest features that keep a decision when all others are at a baseline. Made by `Compiled.mc_explanations`.

    Behaves as a sequence of `Reason`.
    """

    #: The decision.
    label: Hashable
    features: tuple[str, ...]
    #: The instance, and what the others are, as the names of values.
    row: tuple[Hashable, ...]
    baseline: tuple[Hashable, ...]
    #: The sets, all of the same size, in lexicographic order.
    sets: Sequence[tuple[int, ...]]
    #: How many there are, listed or not.
    count: int
    #: "complete", "max_results" or "time_limit".
    status: str

    @property
    def size(self) -> int:
        """How many features each of them keeps."""
        return len(self.sets[0]) if self.sets else 0

    @property
    def complete(self) -> bool:
        """Are all of them in `sets`?"""
        return self.status == "complete"

    def _reason(self, kept: Sequence[int]) -> Reason:
        return Reason(tuple(Condition(j, self.features[j], self.row[j]) for j in kept), float(len(kept)))

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: int) -> Reason:
        return self._reason(self.sets[index])

    def __iter__(self) -> Iterator[Reason]:
        return map(self._reason, self.sets)

    def __repr__(self) -> str:
        return f"McExplanations({self.count} of {self.size} features, {self.status})"

    def __str__(self) -> str:
        kept = "feature keeps" if self.size == 1 else "features keep"
        lines = [f"decided {one_line(self.label)}; {self.size} {kept} it, all others as in the baseline:"]
        lines += [f"  {reason}" for reason in itertools.islice(self, LISTED)]
        if self.count > LISTED:
            lines.append(f"  ... and {self.count - LISTED:,} more")
        if not self.complete:
            lines.append(f"  {len(self):,} of {self.count:,} are listed: stopped by {self.status}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "format": "symcf.mc_explanations",
            "version": 1,
            "class": plain(self.label),
            "features": list(self.features),
            "instance": [plain(label) for label in self.row],
            "baseline": [plain(label) for label in self.baseline],
            "size": self.size,
            "count": self.count,
            "status": self.status,
            "explanations": [reason.to_dict() for reason in self],
        }
