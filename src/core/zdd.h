/* zdd.h (private): families of sets as zero-suppressed decision diagrams.
 *
 *   zdd z = {0};
 *   symcf_zdd_start(&z, n_levels, control)         empty the store, or SYMCF_NO_MEMORY ...
 *   f = symcf_zdd_make(&z, level, lo, hi)          build families from the deepest level upwards
 *   h = symcf_zdd_nonsupersets(&z, f, g) ...       ZDD_FAILED: z.status says why
 *   root = symcf_zdd_compact(&z, f)                keep f alone; then read z.nodes, or start again
 *   symcf_zdd_free_arrays(&z)
 *
 * A family is the number of a node. Every family made here is an antichain: no member is a subset
 * of another, so a family has the empty set as a member only if it is ZDD_UNIT.
 */
#ifndef SYMCF_ZDD_H
#define SYMCF_ZDD_H

#include "hash_table.h"
#include "symcf.h"

enum {
	ZDD_EMPTY = 0, /* the family without members                  */
	ZDD_UNIT = 1   /* the family whose one member is the empty set */
};
#define ZDD_FAILED UINT32_MAX
#define ZDD_NO_LEVEL UINT32_MAX /* the level of the two families above */

/* The members of lo, and those of hi with `level` added. Children have smaller numbers, deeper
 * levels, and hi is never ZDD_EMPTY. */
typedef struct zdd_node {
	uint32_t level, lo, hi;
	uint32_t largest; /* size of the largest member */
} zdd_node;

typedef struct zdd_known zdd_known; /* an operation whose result is known */
typedef struct zdd_frame zdd_frame; /* an operation under way             */

typedef struct zdd {
	zdd_node *nodes;
	uint64_t n_nodes, cap_nodes;
	/* private to zdd.c */
	hash_table table; /* of the nodes but EMPTY and UNIT, 2^slot_bits slots */
	uint64_t cap_slots;
	zdd_known *cache; /* 2^cache_bits results, each where its hash says */
	uint64_t cap_cache;
	uint64_t n_stored; /* results stored since the start           */
	zdd_frame *stack;  /* one frame per level                      */
	uint64_t cap_stack;
	unsigned slot_bits, cache_bits, last_cache_bits;
	uint64_t n_made; /* nodes at the last compaction, a guess of how many come next */
	symcf_control *control;
	symcf_status status; /* why the last operation failed    */
	uint64_t bytes;      /* held by all arrays grown through symcf_zdd_grow */
} zdd;

/* Empties the store, keeping its memory. requires: zero-initialised or used before.
 * Work is charged to `control` (NULL: unlimited) until the next start. */
symcf_status symcf_zdd_start(zdd *z, uint32_t n_levels, symcf_control *control);
void symcf_zdd_free_arrays(zdd *z);

/* Grows an array as symcf_grow does, within control->max_memory for all arrays grown so.
 * ensures: false, with z->status, if that cannot be. */
bool symcf_zdd_grow(zdd *z, void *array, uint64_t *capacity, uint64_t needed, size_t size);

/* Gives back the memory of an array grown by symcf_zdd_grow. */
void symcf_zdd_release(zdd *z, void *array, uint64_t *capacity, size_t size);

/* Frees all working memory but the nodes in use. Nothing may be made before symcf_zdd_start. */
void symcf_zdd_trim(zdd *z);

/* The members of lo, and those of hi with `level` added.
 * requires: both begin below `level`; the result is an antichain. */
uint32_t symcf_zdd_make(zdd *z, uint32_t level, uint32_t lo, uint32_t hi);

/* The members of f of which no member of g is a subset (itself included). */
uint32_t symcf_zdd_nonsupersets(zdd *z, uint32_t f, uint32_t g);

/* The members of f that are not in g. */
uint32_t symcf_zdd_difference(zdd *z, uint32_t f, uint32_t g);

/* The minimal members of the union of f and g. */
uint32_t symcf_zdd_minimal_union(zdd *z, uint32_t f, uint32_t g);

/* The minimal sets that contain a member of f and a member of g. */
uint32_t symcf_zdd_minimal_join(zdd *z, uint32_t f, uint32_t g);

/* The members of f that have at most `size` elements. */
uint32_t symcf_zdd_at_most(zdd *z, uint32_t f, uint32_t size);

/* Drops every node that f does not need, and renumbers the rest in the same order.
 * ensures: returns the new number of f, the last node; nothing may be made before symcf_zdd_start. */
uint32_t symcf_zdd_compact(zdd *z, uint32_t f);

#endif
