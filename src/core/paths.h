/* paths.h (private): walks that start and end inside the diagram, for the cut encoding.
 *
 *   symcf_paths_open(d, sink, true, &p);
 *   symcf_paths_stop_at(p, stop);           stop[u] != 0: a path ends at u and gets that literal
 *   symcf_paths_restart(p, u, literal);     paths from node u, opened by `literal` (0: no literal)
 *   symcf_paths_next(p, ...);
 */
#ifndef SYMCF_PATHS_H
#define SYMCF_PATHS_H

#include "symcf.h"

/* requires: n_nodes entries that outlive the cursor, 0 for the sinks. */
void symcf_paths_stop_at(symcf_paths *p, const int32_t *stop);
void symcf_paths_restart(symcf_paths *p, uint32_t start, int32_t lead);

#endif
