/* mcs_internal.h (private): the engine `sat` from the inside; mcs.c tells what it does.
 *
 *   mcs.c           the engine: instances come and go, sets are handed out
 *   mcs_found.c     the sets found so far, each once
 *   mcs_diagram.c   sets by the diagram alone: shrinking, rotating
 *   mcs_counter.c   a bound on the number of changes
 *   mcs_solver.c    sets by the solver: asking, growing, blocking
 */
#ifndef SYMCF_MCS_INTERNAL_H
#define SYMCF_MCS_INTERNAL_H

#include "arena.h"
#include "hash_table.h"
#include "mcs.h"
#include "try.h"

/* The sets found so far: a list, and a hash table of its indices. */
typedef struct mcs_found {
	symcf_sets sets;
	hash_table table; /* numbers them from 1 */
} mcs_found;

/* The diagram as the instance sees it. Positions number the movable features, those whose
 * change helps most first. */
typedef struct mcs_view {
	uint32_t m; /* movable features                                               */
	uint32_t root;
	uint32_t *feature; /* by position                                                    */
	uint32_t *place;   /* by feature: its position, UINT32_MAX if fixed                  */
	uint8_t *changed;  /* by position: the set that is looked at                         */
	uint32_t *at;      /* by node: its position, UINT32_MAX if its feature is fixed      */
	uint32_t *next;    /* by 2 * node + changed: the next node of a movable feature or a
	                      sink; where the feature is fixed, next[2 * node] is that node   */
} mcs_view;

/* "More than k features change", for some k: a totalizer (Bailleux and Boufkhad 2003), shared by all
 * instances. An instance with a bound ties its keep literals to `changed`. */
typedef struct mcs_counter {
	int32_t *changed;   /* by feature: true if it changes                    */
	int32_t *more_than; /* n_outputs entries: true if more than k change     */
	uint32_t n_outputs;
} mcs_counter;

struct symcf_mcs {
	arena arena; /* of the arrays whose sizes are known from the start */
	symcf_sat *sat;
	const symcf_diagram *d;
	uint32_t n, sink;
	int32_t n_vars;
	mcs_view view;
	mcs_counter counter;
	/* the instance */
	int32_t active; /* its activation variable; 0: no instance is open */
	bool begun;     /* has the diagram's first set been tried? */
	bool complete;
	int32_t *keep;
	uint8_t *fixed;
	int32_t *assumed;
	uint32_t n_assumed, cap_assumed;
	uint32_t max_changes;
	mcs_found found;
	uint64_t rotated, blocked, reported; /* so many of found.sets are */
	/* scratch of n + 1 entries */
	uint32_t *set, *places;
	int32_t *clause;
	uint32_t closed; /* instances since the clauses were loaded */
	symcf_mcs_statistics statistics;
};

/* ----------------------------------------------------------------- mcs_found.c --------------- */

const uint32_t *symcf_mcs_found_get(const mcs_found *f, uint64_t i, uint32_t *size);

/* ensures: *is_new tells whether the set was added; otherwise it was there. */
symcf_status symcf_mcs_found_add(mcs_found *f, const uint32_t *set, uint32_t size, bool *is_new);

/* Forgets the sets; a table that grew large is given back rather than wiped for each instance. */
void symcf_mcs_found_clear(mcs_found *f);

/* ---------------------------------------------------------------- mcs_diagram.c -------------- */

void symcf_mcs_view_lay_out(arena *a, symcf_mcs *e);

/* Sees the diagram as this instance does. requires: e->fixed is set. */
void symcf_mcs_view_make(symcf_mcs *e, const symcf_instance *x);

/* Makes the changes in e->set minimal. ensures: SYMCF_INTERNAL if they do not flip. */
symcf_status symcf_mcs_grow_by_diagram(symcf_mcs *e, uint32_t *size);

/* The set to begin with, by the changes that help most. */
symcf_status symcf_mcs_rotate_nothing(symcf_mcs *e);

/* Rotates a set at each of its features: that one goes, less helpful ones come. */
symcf_status symcf_mcs_rotate(symcf_mcs *e, uint64_t index, symcf_control *control);

/* ---------------------------------------------------------------- mcs_counter.c -------------- */

/* Is there a bound that matters? */
static inline bool mcs_is_bounded(const symcf_mcs *e)
{
	return e->max_changes < e->n;
}

/* Ties the counter to the instance, if it is bounded. */
symcf_status symcf_mcs_bound_changes(symcf_mcs *e);

/* ----------------------------------------------------------------- mcs_solver.c -------------- */

/* Finds one more set by the solver, or that there is none. */
symcf_status symcf_mcs_search(symcf_mcs *e, symcf_control *control);

#endif
