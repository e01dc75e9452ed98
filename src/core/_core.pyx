# cython: language_level=3, boundscheck=False, wraparound=False, embedsignature=True, binding=True
# cython: show_performance_hints=False
"""The C core, bound: handles, conversions and one status gate; no algorithms.

One file per stage of the core, in the order of the data flow.
"""

include "_gate.pxi"
include "_threshold.pxi"
include "_diagram.pxi"
include "_ensemble.pxi"
include "_classifier.pxi"
include "_clauses.pxi"
include "_engines.pxi"
include "_moves.pxi"
include "_tree_search.pxi"
include "_mcs.pxi"
include "_shapley.pxi"
include "_diverse.pxi"
include "_responsive.pxi"
include "_values.pxi"
include "_batch.pxi"
include "_additive.pxi"
