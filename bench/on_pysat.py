"""Change sets by PySAT's own MCS enumerators, used as their documentation shows.

    timed = enumerate_mcses(LBX, compiled.wcnf(x).to_pysat())
    timed.sets, timed.load, timed.enumerate           change sets in symcf's order; seconds

LBX is Mencía, Previti and Marques-Silva 2015, MCSls is Marques-Silva et al. 2013. The enumerator is made for each
instance, because neither can exchange its soft clauses; so loading the hard clauses is part of what an instance costs.
What making the clauses as Python lists costs is not counted.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from pysat.examples.lbx import LBX
from pysat.examples.mcsls import MCSls

__all__ = ["LBX", "MCSls", "Timed", "enumerate_mcses"]


@dataclass(frozen=True)
class Timed:
    """Change sets and the processor seconds that they took."""

    sets: list[tuple[int, ...]]
    load: float
    enumerate: float

    @property
    def seconds(self) -> float:
        return self.load + self.enumerate


def enumerate_mcses(tool: type, wcnf: Any, use_cld: bool = True, solver_name: str = "g3") -> Timed:
    """Clause D and Glucose 3 as in the documentation's example; without a word about them PySAT takes no clause D and
    Minisat ("m22"). Soft clause i, counted from 1, is feature i - 1: nothing is immutable here.
    """
    start = time.thread_time()
    with tool(wcnf, use_cld=use_cld, solver_name=solver_name) as enumerator:
        loaded = time.thread_time()
        found = []
        for mcs in enumerator.enumerate():
            enumerator.block(mcs)
            found.append(mcs)
        end = time.thread_time()
    sets = sorted((tuple(sorted(i - 1 for i in mcs)) for mcs in found), key=lambda s: (len(s), s))
    return Timed(sets, loaded - start, end - loaded)
