"""A policy to start from: a commented YAML file with all that a classifier has."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from typing import Any

from symcf.data.numbers import NumberLine
from symcf.letters.policy import CHANGES, spelled

__all__ = ["policy_text"]

#: Values of a feature that are listed.
LISTED = 12

HEAD = """\
# A policy of symcf: what letters, reports and audits about this model may say. Lines with # in front are comments.
# Every text may also be given by language: name: {en: income, de: Einkommen, fr: revenu}
version: 1
target: TARGET          # the decision that people hope for; there are CLASSES
decisions:              # what decisions are called in letters
DECISIONS
language: en            # en, de, fr, es, it, pl
template: general       # general, us (notice of adverse action), eu (information on an automated decision)
paper: a4               # a4, letter
# title: About your loan application
# sender: "Example Bank\\n1 Example Street"
# contact: "Write to us: ..."
# review: "A member of our staff will look at the decision again if you ask for it within ..."
# correction: "If a recorded fact is wrong, write to ..."
# person_column: name   # the column of the rows that holds the addressee
system:
  # name: credit scorecard, version 4
  role: decides         # decides (without a person), advises (a person decides)
  # purpose: to estimate whether a loan will be repaid
  # consequences: "The loan you applied for is not granted."
  # authority: "the supervisory authority for data protection, with its address (for template eu)"
reasons:                # how the principal reasons are found
  method: reasons       # reasons (in most sufficient reasons), points (Shapley values of a score that is a sum)
  # reference: average  # for points: average, maximum
  most: 4
ways: 3                 # how many ways to the other decision are shown
# max_changes: 3
# us:                   # for template us; have the notice reviewed by counsel
#   federal_agency: "name and address of the agency that administers compliance (12 CFR part 1002, appendix A)"
#   reviewed_by_counsel: false
#   consumer_report:    # if a consumer report was used (FCRA section 615(a))
#     agency: {name: ..., address: ..., telephone: ...}
#     score: {column: ..., date_column: ..., factors_column: ..., low: 300, high: 850, provider: ...}
audit:                  # rules of symcf audit --policy; remove those that do not apply
  max_locked_out: 0     # rows, or a share such as 5%
  max_bias: 0           # rows that protected features decide
  max_protected_reasons: 0  # rows with a protected feature among the principal reasons
  few_changes: {changes: 3, share: 80%}  # at least this share has a way of so few changes
  # monotone: {income: increasing}       # how the target should depend on a feature
  # group: sex
  # min_held: 90%                        # suggestions of an earlier version that hold (--previous)
  # max_proxy: 75%                       # how often a group may be guessed from another feature
  # confidence: 95%                      # of intervals, if the rows are a sample
features:
"""


def policy_text(features: Sequence[str], values: Sequence[Any], classes: Sequence[Hashable]) -> str:
    """A policy with every feature, its values and defaults: what may be named has to be decided by a person.

    >>> text = policy_text(["GPA"], [("low", "high")], ["rejected", "admitted"])
    >>> "named: false" in text
    True
    """
    labels = [spelled(label) for label in classes]
    decisions = "\n".join(f"  {_word(label)}: {_word(label)}" for label in labels)
    target = _word(labels[-1]) if labels else ""
    text = HEAD.replace("TARGET", target).replace("CLASSES", ", ".join(map(_word, labels)).replace("\n", " "))
    if not labels:  # what a regressor predicts is asked for on the command line
        text = "".join(
            line
            for line in text.splitlines(keepends=True)
            if not line.startswith(("target:", "decisions:", "DECISIONS"))
        )
    return text.replace("DECISIONS", decisions) + "".join(_feature(*one) for one in zip(features, values, strict=True))


def _feature(name: str, labels: Any) -> str:
    known = [] if isinstance(labels, NumberLine) else [spelled(label) for label in labels]
    ranges = isinstance(labels, NumberLine) or any(text[:1] in ("<", ">") for text in known)
    lines = [
        f"{_word(name)}:",
        f"  name: {_word(name.replace('_', ' '))}",
        '  # unit: EUR        # or all forms, "month|months"; {number} says where the number goes: "EUR {number}"'
        if ranges
        else "",
        "  named: false        # may letters name it?",
        "  protected: false    # true: it must not be a principal reason, and is never suggested",
        f"  change: any         # {', '.join(CHANGES)}, or a list of values that people can reach",
        "  correctable: false  # true: a record that may be wrong, and can be corrected",
        "  # source: your application",
    ]
    if ranges:
        lines += ["  # reasons:", '  #   low: {code: "01", statement: ...}', '  #   high: {code: "02", statement: ...}']
    else:
        listed = ", ".join(f"{_word(text)}: {_word(text)}" for text in known[:LISTED])
        lines += [f"  # values: {{{listed}}}", "  # reasons:", '  #   otherwise: {code: "03", statement: ...}']
    return "".join(f"  {line}\n" for line in lines if line)


def _word(text: str) -> str:
    """Text as YAML has it; quoted unless it is plain."""
    plain = text.replace(" ", "").replace("_", "").replace("-", "")
    return text if plain.isascii() and plain.isalnum() and text == text.strip() and text[0] != "-" else json.dumps(text)
