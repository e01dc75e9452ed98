/* ensemble_nearest.h (private): the row of least cost that trees decide as wanted.
 *
 *   ensemble_nearest.c         branch and bound over boxes
 *   ensemble_nearest_part.c    the trees prepared for one box: leaves, shares, multipliers
 *   ensemble_nearest_start.c   good rows to begin with
 *
 * A box is a range per feature. Its *corner* has the cheapest place of each range, and no row of the box costs less.
 * The bound is Lagrangian. What it costs to leave the corner in a feature is shared out among the trees that can ask
 * for so much there; each tree picks the leaf with the most of `nu * value - share`. Where the sums of these are Q, a
 * row of the box that reaches 0 costs at least `corner - Q`, for every nu > 0; and none reaches 0 if the largest values
 * of all trees do not. The latter is decided in integers. The former is in floats, and `slack` bounds their error: it
 * is on the side of searching on. */
#ifndef SYMCF_ENSEMBLE_NEAREST_H
#define SYMCF_ENSEMBLE_NEAREST_H

#include <math.h>

#include "ensemble.h"

enum {
	NEAREST_NUS = 3,    /* multipliers of a column                             */
	NEAREST_NODES = 600 /* boxes of a search in depth, before trees are prepared anew */
};

#define NEAREST_FAR INT64_MAX

/* A tree of a part: its leaves are the rows of `range`, one block of n_leaves ranges per feature it tests. */
typedef struct nearest_tree {
	uint32_t n_leaves, n_slots;
	uint64_t leaf;  /* first, in value                     */
	uint64_t slot;  /* first, in feature                   */
	uint64_t range; /* first, in range                     */
} nearest_tree;

/* Tree and slot that test a feature. */
typedef struct nearest_use {
	uint32_t tree, slot;
} nearest_use;

/* The trees within one box, for some columns that have to reach 0 together. */
typedef struct nearest_part {
	uint32_t width; /* columns */
	ensemble_range *box;
	uint32_t *corner; /* by feature: a place */
	int64_t cost;     /* of the corner       */
	uint32_t changed; /* features in which the corner is not the row */
	int64_t *base;    /* by column           */
	uint32_t n_trees;
	nearest_tree *trees;
	uint32_t *feature;
	ensemble_range *range;
	int64_t *value; /* leaf * width + column */
	uint64_t cap_trees, cap_feature, cap_range, cap_value;
	uint64_t n_leaves, n_slots, n_ranges;
	/* by place, as in `cost` of the problem: what a tree is charged for going there */
	double *share;
	double *nu;    /* column * NEAREST_NUS + i */
	double *slack; /* the same: error of the sums */
	/* leaf by leaf at the corner */
	double *asks;  /* the sum of shares  */
	int64_t *path; /* what the leaf costs alone, beyond the corner */
	uint32_t *off; /* features in which the corner is not in the leaf */
	uint64_t cap_asks, cap_path, cap_off;
	nearest_use *uses; /* by feature */
	uint32_t *use_start;
	uint64_t cap_uses;
	int64_t bound; /* no row of the box costs less; NEAREST_FAR: none is as wanted */
	arena arena;
} nearest_part;

/* One question. */
typedef struct nearest_problem {
	const symcf_ensemble *e;
	ensemble_scene scene;
	uint32_t n;
	const uint32_t *at; /* value_offset: places of feature j begin there, specials after the line */
	int64_t *cost;      /* by place; NEAREST_FAR: not allowed                */
	uint32_t
		*rank; /* by place: of rows that cost the same, the one with the least ranks comes first */
	uint8_t *rises; /* by feature: do costs rise away from the row's place, which is on the line? */
	uint32_t *by_cost; /* the places of each feature by cost, of those allowed n_by_cost */
	uint32_t *n_by_cost;
	uint32_t max_changes;
	/* the best row so far */
	int64_t least; /* what it costs; NEAREST_FAR: none */
	bool found;
	uint32_t *best; /* n places */
	/* scratch of the start: by place * columns */
	int64_t *gain;
	uint32_t *point;
	int64_t *total;
	/* scratch of preparing */
	double *scratch;
	uint8_t *out; /* by leaf of a tree: is it struck? */
	uint64_t cap_scratch, cap_out;
	int64_t *most;  /* by column */
	uint32_t *mark; /* by feature */
	arena arena;
} nearest_problem;

/* The index of a place in arrays by place. */
static inline uint64_t nearest_index(const nearest_problem *p, uint32_t j, uint32_t place)
{
	return place & ENSEMBLE_SPECIAL ? p->at[j] + p->e->n_line[j] + (place & ~ENSEMBLE_SPECIAL)
	                                : p->at[j] + place;
}

/* May a row that costs this be better than the best so far? If it costs the same, is it before that one? */
bool symcf_nearest_may_improve(const nearest_problem *p, int64_t cost, const uint32_t *row);

/* The cheapest place of a range, of several the one of the least rank. requires: the range is not empty, and its ends are allowed. */
uint32_t symcf_nearest_cheapest(const nearest_problem *p, uint32_t j, ensemble_range r);

/* The same where the cheapest place of a larger range, `corner`, is known. */
static inline uint32_t nearest_place(const nearest_problem *p, uint32_t j, ensemble_range r,
                                     uint32_t corner)
{
	if (ensemble_holds(r, corner))
		return corner;
	if (p->rises[j] && !r.special && !(corner & ENSEMBLE_SPECIAL))
		return corner < r.low ? r.low : r.high - 1;
	return symcf_nearest_cheapest(p, j, r);
}

/* What a tree is charged for a range, in a box whose cheapest place is `corner`: that of its least charged place. */
static inline double nearest_share(const nearest_problem *p, const nearest_part *part, uint32_t j,
                                   ensemble_range r, uint32_t corner)
{
	const double *share = part->share;
	if (ensemble_holds(r, corner))
		return share[nearest_index(p, j, corner)];
	if (p->rises[j] && !r.special && !(corner & ENSEMBLE_SPECIAL))
		return share[p->at[j] + (corner < r.low ? r.low : r.high - 1)];
	double least = INFINITY;
	for (uint32_t i = r.low; i < r.high; i++)
		if (p->cost[p->at[j] + i] < NEAREST_FAR && share[p->at[j] + i] < least)
			least = share[p->at[j] + i];
	for (uint64_t rest = r.special; rest; rest &= rest - 1) {
		const uint64_t index = p->at[j] + p->e->n_line[j] + (uint64_t)__builtin_ctzll(rest);
		if (share[index] < least)
			least = share[index];
	}
	return least;
}

/* ensures: also after a failure there is something to close. */
symcf_status symcf_nearest_part_open(const nearest_problem *p, uint32_t width, nearest_part *part);
void symcf_nearest_part_close(nearest_part *part);
/* All leaves of the scene, for the columns first .. first + width - 1. */
symcf_status symcf_nearest_part_fill(nearest_problem *p, uint32_t first, symcf_control *control,
                                     nearest_part *part);
/* The part of `from` within a box, trees that have become small merged; then shares, multipliers and a bound. */
symcf_status symcf_nearest_part_set(nearest_problem *p, const nearest_part *from,
                                    const ensemble_range *box, symcf_control *control,
                                    nearest_part *part);
uint64_t symcf_nearest_part_bytes(const nearest_part *part);

/* Looks for rows near by: one change, then one after another, each taken back as far as can be. */
symcf_status symcf_nearest_start(nearest_problem *p, uint32_t first, uint32_t width,
                                 symcf_control *control);

/* symcf_ensemble_nearest_row with searches in depth of so many boxes. */
symcf_status symcf_nearest_tuned(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                 uint32_t sink, const int64_t *cost, const uint32_t *rank,
                                 uint32_t most_nodes, symcf_control *control,
                                 symcf_nearest_result *out, uint32_t *row);

#endif
