/* likely.h (private): how likely rows are, as likely.c keeps it and likely_cover.c searches it. */
#ifndef SYMCF_LIKELY_H
#define SYMCF_LIKELY_H

#include "arena.h"
#include "symcf.h"

struct symcf_likely {
	arena arena;
	uint32_t n, n_codes, n_cells;  /* features, codes, cells of all features           */
	uint32_t *value_offset;        /* n + 1                                            */
	uint32_t *cell;                /* by code, among those of its feature              */
	uint32_t *feature;             /* by position                                      */
	uint32_t *up;                  /* by position: where it depends; LIKELY_ROOT       */
	uint32_t *cells;               /* by position, how many                            */
	uint32_t *cell_start;          /* n + 1: of the cells of a position                */
	uint64_t *start;               /* n + 1: of its table                              */
	uint32_t *child_start, *child; /* n + 1; positions that depend on a position     */
	int64_t *table;
	int64_t least;
};

/* The cells that a position depends on: 1 for roots. */
static inline uint32_t likely_above(const symcf_likely *l, uint32_t p)
{
	return l->up[p] == SYMCF_LIKELY_ROOT ? 1 : l->cells[l->up[p]];
}

#endif
