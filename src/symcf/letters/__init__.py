"""Letters: one page for one person, from plain facts, in the words of one file per language; and policies, which say
what letters may say. `write` makes the letters of a whole table.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symcf.letters.bulk import Record as Record
    from symcf.letters.bulk import letters as letters
    from symcf.letters.bulk import write as write
    from symcf.letters.page import Letter as Letter
    from symcf.letters.policy import Policy as Policy
    from symcf.letters.starter import policy_text as policy_text

__all__ = ["Letter", "Policy", "Record", "letters", "policy_text", "write"]

#: Where each name is: explanations know letters, and `bulk` knows explanations, so that it is loaded at its first use.
_HOME_OF = {
    "Letter": "page",
    "Policy": "policy",
    "Record": "bulk",
    "letters": "bulk",
    "policy_text": "starter",
    "write": "bulk",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
