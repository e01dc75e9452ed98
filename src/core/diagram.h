/* diagram.h (private): how compile.c and bdd.c make a frozen diagram.
 *
 *   d = symcf_diagram_allocate(n, n_nodes, n_children);    arrays of the right size, sinks set
 *   ... fill order, arity, level[2..], child, root ...
 *   symcf_diagram_place_children(d);                       now symcf_children works
 */
#ifndef SYMCF_DIAGRAM_H
#define SYMCF_DIAGRAM_H

#include "symcf.h"

/* requires: n_nodes >= 2. ensures: NULL if memory is short. */
symcf_diagram *symcf_diagram_allocate(uint32_t n, uint32_t n_nodes, uint64_t n_children);

/* requires: nodes sorted by level, bottom first; children in node order. */
void symcf_diagram_place_children(symcf_diagram *d);

/* Fills value_offset[0..n] from the arities. */
void symcf_diagram_value_offsets(const symcf_diagram *d, uint32_t *value_offset);

#endif
