"""The answer to each request, within the limits. Nothing of a request is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, TypeVar

from symcf.common.clock import Clock, tick, time_limit
from symcf.common.memory import within
from symcf.compiled import Compiled
from symcf.errors import FileError, InstanceError, LimitError, ModelError, OptionError
from symcf.letters.bulk import letters
from symcf.letters.policy import Policy
from symcf.proof.certificates.model import model_to_dict
from symcf.proof.checker.check import check_text
from symcf.report.page import show
from symcf.serve.requests import Asked, Explained, Lettered, Problem, Reasoned, Reported, object_in
from symcf.system.archive import fingerprint

__all__ = ["Limits", "Service"]

T = TypeVar("T")

#: The part of the seconds that a search may take; the rest is for writing the answer.
SEARCHING = 0.5

#: Longer messages are cut: they may quote anything that a request holds.
LONGEST = 600


@dataclass(frozen=True)
class Limits:
    """What one request may take, and how many are answered or wait at a time."""

    seconds: float = 5.0
    #: Bytes for diagrams, clauses, tables and change sets.
    memory: int = 256 << 20
    #: Bytes of the body.
    body: int = 1 << 20
    rows: int = 100
    #: The greatest k.
    results: int = 100
    #: Requests that are answered or wait. One more is told to come back.
    waiting: int = 64
    threads: int = min(4, os.cpu_count() or 1)


class Service:
    """The answers about one classifier."""

    def __init__(self, c: Compiled, policy: Policy | None, reference: Any, limits: Limits, title: str | None) -> None:
        if not isinstance(c, Compiled):
            raise TypeError(f"c must be a compiled classifier, not {type(c).__name__}: call symcf.compile first")
        self._c, self._policy, self._reference, self.limits = c, policy, reference, limits
        self._question = {} if policy is None else policy.question(c.features, c.values, c.classes)
        if policy is not None and policy.reasons.method == "points" and reference is None:
            raise OptionError("policy: reasons.method points compares with other rows: give reference, a table of them")
        self._own = str(model_to_dict(c)["fingerprint"]) if c.decision.black_box is None else None
        self.face = show(c, [], title=title or "What would change the decision?", policy=policy).html
        about: dict[str, Any] = {
            "status": "ok",
            "symcf": version("symcf"),
            "model": fingerprint(c),
            "features": list(c.features),
        }
        about |= {"policy": None if policy is None else policy.fingerprint, "limits": asdict(limits)}
        self.health = json.dumps(about)

    def explain(self, asked: Explained) -> str:
        """Explanations, as JSON."""

        def one(row: Any, clock: Clock) -> tuple[str, str]:
            e = self._c.explain(row, k=asked.k, **self._asked(asked), **self._limits(clock))
            return e.to_json(), e.certificate(time_limit=clock.seconds).to_json() if asked.certificate else ""

        found = self._each(asked, one)
        explanations = ",".join(explanation for explanation, _ in found)
        certificates = ",".join(certificate for _, certificate in found)
        more = f',"certificates":[{certificates}]' if asked.certificate else ""
        return f'{{"explanations":[{explanations}]{more}}}'

    def why(self, asked: Reasoned) -> str:
        """Reasons, as JSON."""
        question = self._asked(asked)
        if asked.max_changes is None:  # that of the policy is about ways, not about reasons
            question.pop("max_changes", None)

        def one(row: Any, clock: Clock) -> str:
            found = self._c.why(row, k=asked.k, general=asked.general, **question, **self._limits(clock))
            return json.dumps(found.to_dict())

        return f'{{"reasons":[{",".join(self._each(asked, one))}]}}'

    def letter(self, asked: Lettered) -> str:
        """The letter about a row, and its record, as JSON."""
        policy = self._policy
        if policy is None:
            raise Problem(422, "question", "letters need a policy: start the service with --policy FILE")

        def made() -> str:
            columns = {name: [cell] for name, cell in asked.columns.items()}
            given: dict[str, Any] = {"names": [asked.name], "language": asked.language, "date": asked.date}
            found = letters(self._c, [asked.row], policy, columns=columns, data=self._reference, **given)
            record, letter = next(found)
            return json.dumps({"record": asdict(record), "letter": None if letter is None else letter.html})

        return self._within(made)

    def report(self, asked: Reported) -> str:
        """The page about a row, as HTML."""
        names = None if asked.name is None else [asked.name]
        return self._within(lambda: show(self._c, [asked.row], names=names, policy=self._policy).html)

    def check(self, text: str) -> str:
        """The verdict on a certificate, as JSON."""
        object_in(text)
        if self._own is None:
            raise Problem(422, "question", "black-box models have no certificates")
        verdict = self._within(lambda: check_text(text, fingerprint=self._own, look=tick))
        return json.dumps({"true": bool(verdict), **asdict(verdict)})

    # --- limits

    def _asked(self, asked: Asked) -> dict[str, Any]:
        """The keywords of the question; with a policy, its own, and what a request adds to it."""
        question, given = self._question, asked.question
        for name in ("target", "allowed"):
            if self._policy is not None and name in given:
                raise Problem(422, "question", f"{name}: the policy says it; leave it out")
        if self._policy is not None and "immutable" in given:
            fixed = {self._c.features[j] for j in question["immutable"]}
            given["immutable"] = [*sorted(fixed), *(name for name in given["immutable"] if name not in fixed)]
        return {**question, **given}

    def _limits(self, clock: Clock) -> dict[str, Any]:
        return {"time_limit": clock.seconds, "max_memory": self.limits.memory}

    def _each(self, asked: Asked, one: Callable[[Any, Clock], T]) -> list[T]:
        """What is found for each row."""
        if len(asked.rows) > self.limits.rows:
            raise Problem(413, "limit", f"rows: {len(asked.rows):,} rows; at most {self.limits.rows:,} per request")
        if asked.k > self.limits.results:
            raise Problem(422, "limit", f"k: {asked.k:,}; at most {self.limits.results:,}")
        seconds = min(asked.time_limit or self.limits.seconds, self.limits.seconds)
        found = []

        def every() -> list[T]:
            clock = Clock(SEARCHING * seconds)
            for i, row in enumerate(asked.rows):
                try:
                    found.append(one(row, clock))
                except InstanceError as error:
                    raise error.at(row=i) from None
            return found

        return self._within(every, seconds)

    def _within(self, call: Callable[[], T], seconds: float | None = None) -> T:
        """Calls it within the limits; a `Problem` says what was wrong with the request."""
        try:
            with time_limit(seconds or self.limits.seconds):
                return within(self.limits.memory, call)
        except InstanceError as error:
            raise Problem(422, "row", _short(error)) from None
        except (LimitError, MemoryError) as error:
            raise Problem(422, "limit", _short(error) or "out of memory") from None
        except (OptionError, FileError, ModelError, NotImplementedError) as error:
            raise Problem(422, "question", _short(error)) from None


def _short(error: BaseException) -> str:
    text = str(error)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
