/* clauses.h (private): what the encodings share. */
#ifndef SYMCF_CLAUSES_H
#define SYMCF_CLAUSES_H

#include "symcf.h"

/* ensures: *out has room for exactly this many entries and says so, or a refusal. */
symcf_status symcf_clauses_allocate(uint64_t n_clauses, uint64_t length, uint64_t n_vars,
                                    uint64_t max_clauses, symcf_control *control,
                                    symcf_clauses **out);

#endif
