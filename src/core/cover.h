/* cover.h (private): what the parts of the cover engine share.
 *
 *   cover.c         the search: listing, masks, tallying
 *   cover_gains.c   gains of an instance
 *   cover_masks.c   the order of sets that are bit masks
 *   cover_best.c    the k first sets by (cost, size, features): the cheapest
 *   cover_lex.c     ... and among equally cheap ones the first
 *   cover_count.c   how many sets there are, exactly
 *   cover_bounds.c  the same between two certified bounds
 *   cover_sample.c  some of them, drawn uniformly
 *   cover_within.c  sets within a relation of a few features
 *
 * Words. A feature's *gain* is the most that an allowed change of it moves the score towards the
 * other side; the *deficit* is what has to be gained, at least 1 (0 or less only where sufficient
 * reasons are asked for and the empty set is one: then there are no positions). *Positions* number the features
 * with a positive gain, by falling gain, equal gains by index. A set of positions is a *cover* if
 * its gains reach the deficit; minimal covers are the change sets.
 */
#ifndef SYMCF_COVER_H
#define SYMCF_COVER_H

#include "arena.h"
#include "symcf.h"

/* Features that fit a mask, and those that fit one beside the size of the set. */
enum { COVER_MASKED = 64, COVER_KEYED = 57 };

/* What does not depend on the instance, features by falling influence: for two-valued features
 * this is the order of the gains of every instance, so that nothing is left to sort. */
typedef struct cover_shape {
	int64_t highest, lowest; /* weights      */
	uint32_t feature, offset;
} cover_shape;

/* The gains of all values in one direction, where nothing is forbidden. */
typedef struct cover_ranks {
	int64_t *gain;     /* by rank, falling                                             */
	uint32_t *feature; /* by rank                                                      */
	uint32_t *rank;    /* by value, as weights are: of the gain from there             */
} cover_ranks;

/* A position with all that the search asks of it in one place, so that a single pointer leads
 * there: the search has more variables than most processors have registers. */
typedef struct cover_spot {
	int64_t gain, rest;
	uint64_t add; /* to the mask of the prefix, if n <= 64 */
} cover_spot;

/* What a feature can gain, or a value where values are ranked. */
typedef struct cover_gain {
	int64_t gain;
	uint32_t feature;
} cover_gain;

/* A place in the search tree where a later sibling is still to be visited. */
typedef struct cover_frame {
	const cover_spot *next;
	int64_t missing;
	uint64_t mask;
	uint32_t size;
} cover_frame;

struct symcf_cover {
	arena arena; /* holds everything, the engine included */
	const symcf_threshold *t;
	cover_shape *shape;   /* n                                                        */
	cover_ranks ranks[2]; /* down, up; for more than two values, from some instance on  */
	uint64_t *present;    /* ranks of the instance, one bit each; NULL: no ranks       */
	cover_gain *scratch;  /* while they are made                                      */
	uint32_t n_resets;    /* until there are ranks */
	/* the instance */
	uint32_t m;           /* positions                                                */
	uint32_t max_changes; /* at most m                                                */
	int64_t deficit;
	bool upwards;      /* the score has to rise                                    */
	int64_t *gain;     /* m + 1, falling, ended by a 0                             */
	int64_t *rest;     /* m + 1: rest[i] = gain[i] + ... + gain[m-1]               */
	uint32_t *feature; /* m                                                        */
	/* the search: a prefix of `size` chosen positions lacks `missing`, and `at` is the next
	 * position to try; frames lead back to earlier siblings */
	bool done, started;
	uint32_t size, n_frames;
	const cover_spot *at;
	int64_t missing;
	uint64_t mask, step; /* the features of the prefix if n <= 64; what else a member adds to it */
	cover_spot *spot;    /* m + 1, filled as the search starts                       */
	cover_frame *frame;  /* n + 1                                                    */
	uint32_t *path;      /* the positions of the prefix, in this order ...           */
	uint32_t *sorted;    /* ... and their features, ascending; both only if n > 64   */
};

/* The most that `picks` positions from i on can gain. */
static inline int64_t cover_reach(const symcf_cover *e, uint32_t i, uint32_t picks)
{
	return e->rest[i] - e->rest[picks < e->m - i ? i + picks : e->m];
}

/* Is there a cover within max_changes at all? */
static inline bool cover_exists(const symcf_cover *e)
{
	return cover_reach(e, 0, e->max_changes) >= e->deficit;
}

/* Takes memory for ranks, except where all features have two values. */
void symcf_cover_lay_out_ranks(arena *a, symcf_cover *e);

/* Fills shape. Uses gain and feature. */
void symcf_cover_survey(symcf_cover *e);

/* Fills m, gain and feature for e->upwards. */
void symcf_cover_find_gains(symcf_cover *e, const symcf_query *q);

/* symcf_cover_tally that stops at `limit` sets, with SYMCF_MORE if others are left. */
symcf_status symcf_cover_tally_some(symcf_cover *e, symcf_control *control, uint64_t limit,
                                    uint64_t *n_sets, uint64_t *n_features);

/* symcf_cover_count of an open engine. */
symcf_status symcf_cover_count_open(const symcf_cover *e, symcf_control *control, uint64_t **limbs,
                                    size_t *width);

/* Sets of up to 64 features as masks, for batches (cover_masks.c). Zero-initialised means empty. */
typedef struct cover_masks {
	uint64_t *mask;
	uint64_t count, n_features;
	uint64_t capacity;
	uint64_t *scratch; /* for sorting */
	uint64_t cap_scratch;
} cover_masks;

/* As symcf_cover_next, with masks for sets: feature j is bit n - 1 - j. Or with `keys`, which sort by
 * (size, features): the n bits inverted, the size of the set above them.
 * requires: n <= 64, for keys n <= 57, and the same choice in all calls between two resets. */
symcf_status symcf_cover_next_masks(symcf_cover *e, symcf_control *control, uint64_t limit,
                                    bool keys, cover_masks *masks);

/* Turns masks, from number `first` on, into keys, for who makes masks only. requires: n <= 57. */
void symcf_cover_masks_to_keys(cover_masks *masks, uint64_t first, uint32_t n);

/* Sorts the keys from number `first` on. */
symcf_status symcf_cover_sort_keys(cover_masks *masks, uint64_t first, uint32_t n);
void symcf_cover_masks_free(cover_masks *masks);

/* Related features that change, as bits of a number, and what they can gain (cover_within.c). */
enum { COVER_RELATED = 16 };
#define COVER_NO_GAIN INT64_MIN

typedef struct cover_part {
	int64_t gain;         /* the most; COVER_NO_GAIN if no combination allows it              */
	int64_t below;        /* the most that a proper part of it gains; or COVER_NO_GAIN        */
	uint64_t combination; /* that gains the most                                              */
} cover_part;

/* Sorts the combinations that a relation and a query allow into 2^r parts, by what they add to the sum
 * times `sign`. */
symcf_status symcf_cover_parts(const symcf_threshold *t, const symcf_relation *r,
                               const symcf_query *q, int64_t sign, symcf_control *control,
                               cover_part *part);

/* As symcf_within_next, with masks as symcf_cover_next_masks has them. */
symcf_status symcf_within_next_masks(symcf_within *e, symcf_control *control, uint64_t limit,
                                     cover_masks *masks);

/* As symcf_likely_cover_next, with masks as symcf_cover_next_masks has them. */
symcf_status symcf_likely_cover_next_masks(symcf_likely_cover *e, symcf_control *control,
                                           uint64_t limit, cover_masks *masks);

/* What a chosen position weighs: its cost, 1 or a mixture of both. */
typedef struct cover_item {
	int64_t gain, weight;
	uint32_t position;
} cover_item;

/* Sorts by falling gain / weight, exactly. */
void symcf_cover_sort_by_ratio(cover_item *items, cover_item *spare, uint32_t count);

/* Appends to `sets`, in lexicographic order, the first `wanted` minimal covers (or all, if there are
 * fewer) that have exactly `size` members and, unless cost is NULL, exactly the total cost. */
symcf_status symcf_cover_lex(const symcf_cover *e, const int64_t *cost, int64_t total,
                             uint32_t size, uint64_t wanted, symcf_control *control,
                             symcf_sets *sets);

#endif
