/* minimal.h (private): what the parts of the minimal engine share.
 *
 *   minimal.c        the family of an instance, and listing it
 *   minimal_order.c  what is monotone in the diagram
 *   minimal_count.c  how many sets there are, and drawing some
 *   minimal_best.c   the k first sets by (cost, size, features)
 */
#ifndef SYMCF_MINIMAL_H
#define SYMCF_MINIMAL_H

#include "symcf.h"
#include "zdd.h"

enum {
	WORK_A_NODE = 5, /* in units of symcf_tick */
	WORK_A_SET = 20,
	KEPT_BYTES = 16 << 20 /* kept for the next instance, and a multiple of the diagram */
};

struct symcf_minimal {
	const symcf_diagram *d;
	const uint32_t *value_offset;
	zdd z;         /* after construction: the one family */
	uint32_t root; /* ... and its number                 */

	/* What is known of the diagram's order. */
	uint32_t *rising;      /* from value_start[k]: the values of level k, if ordered      */
	uint32_t *value_start; /* n + 1                                                       */
	uint32_t *trend;       /* by level                                                    */

	/* Construction. */
	uint32_t *at;          /* by diagram node: least(u) on the way down, F(u) on the way up */
	uint64_t *reached;     /* by diagram node, one bit: can x get there?                    */
	uint32_t *stay;        /* by level: the value of x                                      */
	uint32_t *move;        /* from move_start[k]: the values that level k moves to          */
	uint32_t *move_start;  /* n + 1                                                         */
	uint32_t *next_active; /* by level: the next level with moves; n: there is no other     */

	/* Sets of features as bits: the features that occur are ranked by index, and rank r is bit
	 * 63 - r % 64 of word r / 64. */
	uint32_t *rank;    /* by level                    */
	uint32_t *support; /* by rank: the feature        */
	uint64_t n_words;  /* of a set                    */
	uint32_t *member;  /* a set's features, ascending */

	/* The cursor: the member to be listed next. */
	uint32_t *path; /* the nodes whose levels it has, from the top */
	uint32_t size;  /* how many                                    */
	bool at_end;    /* all were listed                             */
	uint64_t *chosen;

	/* How many members each node's family has; width limbs each. width 0: not counted yet. */
	uint64_t *counts;
	uint64_t cap_counts;
	size_t width;

	uint32_t *block; /* holds all arrays of uint32_t above */
	uint64_t cap_block, cap_chosen, cap_reached;
};

static inline uint64_t words_for(uint64_t n_bits)
{
	return (n_bits + 63) / 64;
}

/* Which way do the functions of a level's nodes go, in array order and pointwise? */
enum trend { NO_TREND, RISES, FALLS };

static inline bool minimal_is_ordered(const symcf_minimal *e, uint32_t k)
{
	return e->rising[e->value_start[k]] != UINT32_MAX;
}

/* Is f_a <= f_b, pointwise, by what is known of the levels of a, b and below? The greatest child of
 * an ordered node bounds it from above, the least from below. */
static inline bool minimal_is_below(const symcf_minimal *e, uint32_t a, uint32_t b)
{
	const symcf_diagram *d = e->d;
	for (;;) {
		if (a == b || a == 0 || b == 1)
			return true;
		if (a == 1 || b == 0)
			return false;
		const uint32_t at_a = d->level[a], at_b = d->level[b];
		if (at_a == at_b)
			return e->trend[at_a] == (a < b ? RISES : FALLS);
		if (!minimal_is_ordered(e, at_a < at_b ? at_a : at_b))
			return false;
		if (at_a < at_b)
			a = symcf_child(d, a, e->rising[e->value_start[at_a + 1] - 1]);
		else
			b = symcf_child(d, b, e->rising[e->value_start[at_b]]);
	}
}

/* Finds out which levels are ordered and which have a trend. */
symcf_status symcf_minimal_find_order(symcf_minimal *e, symcf_control *control);

static inline void minimal_flip(uint64_t *bits, uint32_t rank)
{
	bits[rank / 64] ^= UINT64_C(1) << (63 - rank % 64);
}

/* Appends a set given as bits. */
symcf_status symcf_minimal_push_bits(symcf_minimal *e, const uint64_t *bits, symcf_sets *sets);

#endif
