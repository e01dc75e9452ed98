"""A name that is not there, and the names that may have been meant."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

__all__ = ["did_you_mean"]


def did_you_mean(name: object, names: Iterable[Hashable], most: int = 3) -> str:
    """``; did you mean 'x' or 'y'?``, or nothing if no name is similar.

    >>> did_you_mean("imutable", ["immutable", "cost"])
    "; did you mean 'immutable'?"
    """
    import difflib  # only here: it takes a while, and most names are right

    given = str(name)
    by_folded = {str(other).casefold(): str(other) for other in names}
    close = difflib.get_close_matches(given.casefold(), by_folded, n=most)
    return f"; did you mean {' or '.join(repr(by_folded[other]) for other in close)}?" if close else ""
