/* ensemble.h (private): what the parts of the engine `boxes` share.
 *
 *   ensemble.c         the trees, prepared once: splits as cuts on a line of codes
 *   ensemble_scene.c   one row: the leaves it can reach, and what each of them asks to change
 *   ensemble_box.c     the box oracle for few free features
 *   ensemble_small.c   all sets of up to three features, by rising size
 *   ensemble_masks.c   leaves as bits ...
 *   ensemble_masks_bounds.c  ... how much a box of them can give ...
 *   ensemble_masks_search.c  ... and the box oracle for many free features on them
 *   ensemble_map.c     all sets of any size: two families that prove each other complete
 *   ensemble_search.c  the cursor that puts these together
 *   ensemble_choose.c  values for a set
 *   ensemble_nearest.h the row of least cost, in three files of its own
 *
 * Words. A leaf is *away* in a feature if the row's value is not in the leaf's range: reaching the leaf
 * takes a change there. With the features S free, a tree can reach exactly the leaves whose away
 * features are in S. A *column* is one sum that must not be negative: the lead of a class over
 * another. A scene *any* asks for one column, a scene *all* for all of them at once.
 *
 * The codes of a feature lie on a line, where splits are cuts. Codes that would break this (a missing
 * value that joins either side, categories) are *special*, up to 64 per feature, each a bit. */
#ifndef SYMCF_ENSEMBLE_H
#define SYMCF_ENSEMBLE_H

#include "arena.h"
#include "hash_table.h"
#include "symcf.h"

enum { ENSEMBLE_MOST_SPECIAL = 64, ENSEMBLE_SMALL = 5 };

#define ENSEMBLE_NOWHERE UINT32_MAX

/* ----------------------------------------------------------------- ranges -------------------- */

#define ENSEMBLE_SPECIAL UINT32_C(0x80000000)

/* The places low .. high - 1 of the line, and some special codes. */
typedef struct ensemble_range {
	uint32_t low, high;
	uint64_t special;
} ensemble_range;

static inline bool ensemble_holds(ensemble_range r, uint32_t place)
{
	if (place & ENSEMBLE_SPECIAL)
		return r.special >> (place & ~ENSEMBLE_SPECIAL) & 1;
	return place - r.low < r.high - r.low && place >= r.low;
}

static inline bool ensemble_is_empty(ensemble_range r)
{
	return r.low >= r.high && !r.special;
}

/* ensures: an empty line is 0 .. 0, so that equal ranges look equal. */
static inline ensemble_range ensemble_meet(ensemble_range a, ensemble_range b)
{
	ensemble_range r = {a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high,
	                    a.special & b.special};
	if (r.low >= r.high)
		r.low = r.high = 0;
	return r;
}

static inline bool ensemble_meets(ensemble_range a, ensemble_range b)
{
	return (a.low < b.high && b.low < a.high) || (a.special & b.special);
}

static inline bool ensemble_same(ensemble_range a, ensemble_range b)
{
	return a.low == b.low && a.high == b.high && a.special == b.special;
}

/* --------------------------------------------------------------- the trees ------------------- */

typedef struct ensemble_node {
	int32_t feature;    /* -1: a leaf                                            */
	uint32_t cut;       /* places below it go low                                */
	uint32_t low, high; /* nodes; of a leaf, low is the row of its scores        */
	uint64_t special;   /* the special codes that go low                         */
} ensemble_node;

struct symcf_ensemble {
	uint32_t n, n_trees, n_classes;
	bool later_wins;
	uint32_t n_nodes;
	uint64_t n_leaves;
	uint32_t *value_offset; /* n + 1                                            */
	uint32_t *place;        /* by value: its place on the line, or SPECIAL | bit */
	uint32_t *n_line;       /* by feature                                        */
	uint32_t *n_special;    /* by feature                                        */
	uint32_t *code;         /* by value: the code of place p, or of bit p - n_line */
	uint32_t *root;         /* by tree                                           */
	ensemble_node *nodes;
	int64_t *score; /* leaf * n_classes + class */
	arena arena;
};

static inline ensemble_range ensemble_whole(const symcf_ensemble *e, uint32_t j)
{
	const uint32_t s = e->n_special[j];
	return (ensemble_range){0, e->n_line[j], s == 64 ? UINT64_MAX : (UINT64_C(1) << s) - 1};
}

/* Does class a win against class b if their scores are equal? */
static inline bool ensemble_wins_ties(const symcf_ensemble *e, uint32_t a, uint32_t b)
{
	return (a > b) == e->later_wins;
}

/* ----------------------------------------------------------------- a scene ------------------- */

typedef struct ensemble_condition {
	uint32_t feature;
	ensemble_range range;
} ensemble_condition;

/* A leaf that the row can reach. Its conditions are on the features that its range does not wholly
 * contain; the first n_away of them are those that it is away in. */
typedef struct ensemble_leaf {
	uint32_t tree; /* of the scene */
	uint32_t n_away, n_conditions;
	uint64_t first;
} ensemble_leaf;

/* One row, one goal. Trees of which only one leaf can be reached are in `base`. */
typedef struct ensemble_scene {
	const symcf_ensemble *e;
	uint32_t most_away; /* leaves with more away features are left out */
	uint32_t *place;    /* of the row, by feature                      */
	/* what may be: the row's own value and the allowed ones */
	ensemble_range *may; /* by feature                                      */
	uint32_t *next,
		*last;      /* by value_offset[j] + place: the first allowed place from there on, and the
	                          last up to there; NULL if all are allowed       */
	uint32_t *ends; /* room for these two                              */
	bool all;       /* all columns must hold, or any                   */
	uint32_t n_columns, n_trees;
	uint32_t *class; /* 2 * n_columns: who leads whom                    */
	int64_t *base;   /* by column: the sum of single leaves, and the tie rule */
	uint64_t *start; /* n_trees + 1: leaves                              */
	ensemble_leaf *leaves;
	int64_t *value; /* leaf * n_columns + column */
	ensemble_condition *conditions;
	uint64_t n_leaves, n_conditions;
	uint64_t cap_leaves, cap_values, cap_conditions;
	/* scratch of the walk */
	ensemble_range *now;
	uint8_t *touched;
	uint32_t *path;
	struct ensemble_frame *frames;
	uint64_t cap_frames;
	arena arena;
} ensemble_scene;

/* Room for any row. ensures: freed by symcf_ensemble_scene_close, also on failure. */
symcf_status symcf_ensemble_scene_open(const symcf_ensemble *e, ensemble_scene *s);
void symcf_ensemble_scene_close(ensemble_scene *s);

/* Fills the scene with the leaves that are away in at most `most_away` features. The row's decision
 * should become class k (sink 1) or any other than k (sink 0). */
symcf_status symcf_ensemble_scene_set(ensemble_scene *s, const symcf_query *q, uint32_t k,
                                      uint32_t sink, uint32_t most_away, symcf_control *control);

/* What is left of a range once the ends are allowed places. */
static inline ensemble_range ensemble_trim(const ensemble_scene *s, uint32_t j, ensemble_range r)
{
	if (s->next && r.low < r.high) {
		const uint32_t at = s->e->value_offset[j];
		r.low = s->next[at + r.low];
		r.high = s->last[at + r.high - 1] + 1;
	}
	r.special &= s->may[j].special;
	if (r.low >= r.high)
		r.low = r.high = 0;
	return r;
}

/* The place in the range that is nearest to the row's own. requires: trimmed, not empty. */
uint32_t symcf_ensemble_nearest(const ensemble_scene *s, uint32_t j, ensemble_range r);

uint64_t symcf_ensemble_scene_bytes(const ensemble_scene *s);

/* ---------------------------------------------- the box oracle, few features ----------------- */

/* Which values of a few free features make a column, or all columns, reach 0, if any do?
 *
 *   symcf_ensemble_box_begin(b, s, features, k)      the others keep the row's values
 *   symcf_ensemble_box_add(b, leaf) ...              tree by tree all leaves that can be reached then
 *   symcf_ensemble_box_search(b, column, ...)        ENSEMBLE_ALL: all columns
 *
 * With costs, `found` says whether a point was found that is better than the best before. */
typedef struct ensemble_box {
	const ensemble_scene *s;
	uint32_t k;
	const uint32_t *feature; /* k, the caller's                                      */
	uint32_t *slot; /* by feature of the ensemble: its place among the k, or ENSEMBLE_NOWHERE */
	/* leaves, tree by tree */
	uint64_t n_leaves;
	uint64_t *leaf;        /* of the scene        */
	ensemble_range *range; /* leaf * k + slot     */
	uint32_t n_groups;
	uint32_t *group_end;
	int64_t *base;     /* by column: what other trees give              */
	uint32_t *witness; /* k places: where the columns reach 0           */
	/* the cheapest such point is wanted, and of those the one with the least codes */
	const int64_t *cost;    /* by value, negative: not allowed; NULL: any point will do */
	uint32_t *best, *trial; /* k codes: the best so far, and of a box        */
	int64_t best_cost;      /* INT64_MAX: none                               */
	uint64_t cap_leaf, cap_range, cap_group, cap_witness;
	/* the search: one after the other on the way */
	struct ensemble_box_frame *frames;
	uint32_t *alive;
	uint32_t *ends;
	ensemble_range *boxes;
	int64_t *sums, *most, *least;
	uint64_t cap_frames, cap_alive, cap_ends, cap_boxes, cap_sums;
} ensemble_box;

#define ENSEMBLE_ALL UINT32_MAX

symcf_status symcf_ensemble_box_open(const ensemble_scene *s, ensemble_box *b);
void symcf_ensemble_box_close(ensemble_box *b);
symcf_status symcf_ensemble_box_begin(ensemble_box *b, const uint32_t *features, uint32_t k);
void symcf_ensemble_box_end(ensemble_box *b);
symcf_status symcf_ensemble_box_add(ensemble_box *b, uint64_t leaf);
symcf_status symcf_ensemble_box_search(ensemble_box *b, uint32_t column, symcf_control *control,
                                       bool *found);

/* ----------------------------------------------------------------- small sets ---------------- */

/* All minimal change sets of 1, 2, ... up to ENSEMBLE_SMALL features.
 *
 *   symcf_ensemble_small_open(s, &m)         requires: the scene has leaves up to so far away, and no others
 *   symcf_ensemble_small_resume(m, found, size)   these are the sets of up to `size` features, as known before
 *   symcf_ensemble_small_is_next_cheap(m)    are there at most so many sets of the next size?
 *   symcf_ensemble_small_next(m, control)    the sets of the next size are appended to m->found;
 *                                      after a limit it may be called again and goes on */
typedef struct ensemble_small {
	const ensemble_scene *s;
	ensemble_box box;
	uint32_t size;     /* all sets of up to so many features are found        */
	symcf_sets found;  /* by size, then by features                           */
	uint32_t n_active; /* features that some leaf is away in ...              */
	uint32_t *active;  /* ... ascending                                       */
	uint64_t *home;    /* by tree: the row's own leaf                         */
	/* leaves by what they are away in */
	struct ensemble_bucket *buckets;
	uint64_t n_buckets, cap_buckets;
	hash_table table;
	uint32_t *order; /* leaves, bucket by bucket, tree by tree              */
	/* the combination under test: places in `active` */
	bool under_way, moving;
	uint32_t level;
	uint32_t at[ENSEMBLE_SMALL];
	uint64_t mark[ENSEMBLE_SMALL + 1]; /* what is undone when a place changes  */
	int64_t *now;                      /* tree * n_columns + column: the best leaf so far         */
	int64_t *sum;                      /* by column                                               */
	int64_t *home_sum;                 /* by column: of the row itself                          */
	struct ensemble_undo *undo;
	uint64_t n_undo, cap_undo;
	uint32_t *count, *touched; /* by tree: scratch of gathering                */
	uint64_t *gathered;
	uint64_t cap_gathered;
	uint8_t *single; /* by place: is it a change set alone? ...                 */
	uint64_t *pair;  /* ... n_active^2 bits: together?                          */
	uint32_t
		*newest; /* by place: the last larger set found that ends there, from 1 on; 0: none ... */
	uint32_t *older; /* ... by set: the one before                             */
	uint64_t cap_older;
	uint32_t *spot;  /* by feature: its place in active                        */
	uint8_t *inside; /* by place: is it in the combination under test?         */
	arena arena;
} ensemble_small;

symcf_status symcf_ensemble_small_open(const ensemble_scene *s, ensemble_small *m,
                                       symcf_control *control);
void symcf_ensemble_small_close(ensemble_small *m);
symcf_status symcf_ensemble_small_resume(ensemble_small *m, const symcf_sets *found, uint32_t size);
bool symcf_ensemble_small_is_next_cheap(const ensemble_small *m, uint64_t most);
symcf_status symcf_ensemble_small_next(ensemble_small *m, symcf_control *control);

/* The most away features that the keys of its buckets can hold. */
uint32_t symcf_ensemble_small_limit(const symcf_ensemble *e);

/* -------------------------------------------- the box oracle, many features ----------------- */

/* Two trees, and the most that they give together. */
typedef struct ensemble_pair {
	uint32_t tree[2];
	int64_t most;
} ensemble_pair;

/* The same question as that of ensemble_box, with leaves as bits: for a scene of all leaves, and one
 * column or all. The free features are given as bits over `active`. */
typedef struct ensemble_masks {
	const ensemble_scene *s;
	uint32_t column, width;
	const uint32_t *active; /* the caller's                                        */
	uint32_t n_active;
	uint32_t n_trees, n_words;
	uint32_t *word;            /* n_trees + 1: the first word of a tree               */
	uint8_t *plain;            /* by tree: does each column fall along the bits?      */
	uint64_t *leaf;            /* by bit: leaf of the scene                           */
	int64_t *value;            /* bit * width + column                                */
	uint64_t *own;             /* active * n_words: leaves that hold the row's value  */
	uint64_t *every;           /* n_words: all leaves                                 */
	struct ensemble_use *uses; /* by feature, then tree                         */
	uint32_t *use_start;       /* n_active + 1                                  */
	uint64_t *rank_start;      /* n_active + 1                                  */
	uint16_t *rank;            /* place * uses + use: cuts of the tree up to the place */
	uint64_t *table;           /* masks by rank                                 */
	uint64_t *together;        /* bit * n_words: the leaves that share a point with this one;
	                              NULL if that would be too large                     */
	bool simple;               /* one column, and a word per tree                     */
	uint32_t *slot;            /* by feature of the ensemble: place in active   */
	uint32_t *witness;         /* n_active places                               */
	uint32_t alone; /* boxes of a search that are bounded tree by tree before pairs are looked at */
	/* the search */
	struct ensemble_masks_frame *frames;
	uint64_t *alive, *scratch;
	ensemble_range *boxes;
	struct ensemble_child *children;
	/* the last bounds taken */
	int64_t *most, *least; /* by column                                              */
	uint32_t tight;        /* the column that has the least to spare ...             */
	int64_t spare;         /* ... and the most that it can be, by pairs if there are any */
	uint32_t *open;        /* n_open trees with more than one leaf that are in no pair */
	uint32_t n_open;
	ensemble_pair *pairs; /* simple only, as what follows                           */
	uint32_t n_pairs;
	int64_t *now;   /* by tree: what its best leaf gives                            */
	uint64_t *lead; /* by tree: its best leaf; 0: it has no other, or is in a pair  */
	uint32_t *mate; /* by tree: the one it was in a pair with last, or ENSEMBLE_NOWHERE      */
	uint64_t cap_frames, cap_alive, cap_boxes, cap_children;
	uint64_t n_nodes; /* searched so far */
	arena arena, tables;
} ensemble_masks;

symcf_status symcf_ensemble_masks_open(const ensemble_scene *s, uint32_t column,
                                       const uint32_t *active, uint32_t n_active,
                                       symcf_control *control, ensemble_masks *m);
void symcf_ensemble_masks_close(ensemble_masks *m);

/* Strikes the leaves that do not meet the range of a feature, given by its place in active. */
void symcf_ensemble_masks_restrict(const ensemble_masks *m, uint32_t a, ensemble_range r,
                                   uint64_t *alive);

/* Bounds what the columns can be where the leaves are alive: by the best leaf of each tree ...
 * ensures: false if a tree has no leaf left, or a column cannot reach 0. */
bool symcf_ensemble_masks_bound(ensemble_masks *m, const uint64_t *alive);
/* ... and by the best leaves of pairs of trees, where it is simple. requires: the bounds of the same leaves. */
bool symcf_ensemble_masks_pair(ensemble_masks *m, const uint64_t *alive);
/* The most and the least of a column among the leaves of a tree. */
void symcf_ensemble_masks_scan(const ensemble_masks *m, const uint64_t *alive, uint32_t tree,
                               uint32_t c, int64_t *most, int64_t *least);

/* What the best of some leaves of a tree gives. requires: simple, and a leaf. */
static inline int64_t ensemble_masks_best(const ensemble_masks *m, uint32_t tree, uint64_t leaves)
{
	return m->value[(uint64_t)tree * 64 + (uint64_t)__builtin_ctzll(leaves)];
}

/* The leaves of a tree that are alive: two of the best, and the worst. */
typedef struct ensemble_view {
	uint32_t first, second, last; /* bits; second is ENSEMBLE_NOWHERE if there is one */
} ensemble_view;

/* ensures: false if there is none. */
static inline bool ensemble_masks_look(const ensemble_masks *m, const uint64_t *alive,
                                       uint32_t tree, ensemble_view *v)
{
	uint32_t i = m->word[tree], end = m->word[tree + 1];
	while (i < end && !alive[i])
		i++;
	if (i == end)
		return false;
	v->first = i * 64 + (uint32_t)__builtin_ctzll(alive[i]);
	uint64_t rest = alive[i] & (alive[i] - 1);
	while (!rest && ++i < end)
		rest = alive[i];
	v->second = rest ? i * 64 + (uint32_t)__builtin_ctzll(rest) : ENSEMBLE_NOWHERE;
	while (!alive[--end])
		;
	v->last = end * 64 + 63 - (uint32_t)__builtin_clzll(alive[end]);
	return true;
}

/* ensures: *found, and then `witness` has the places of such a row. */
symcf_status symcf_ensemble_masks_search(ensemble_masks *m, const uint64_t *free_features,
                                         symcf_control *control, bool *found);

/* ------------------------------------------------------------------- the map ----------------- */

/* Sets over `active`, `width` words each, one after the other. */
typedef struct ensemble_family {
	uint64_t *words;
	uint64_t n_sets, capacity;
} ensemble_family;

/* All minimal change sets, of any size, and what proves that there are no others.
 *
 *   symcf_ensemble_map_open(s, active, ...)     requires: a scene of all leaves
 *   symcf_ensemble_map_add(m, set)              a minimal change set that is known already
 *   symcf_ensemble_map_run(m, limit, ...)       until all that cost at most `limit` are in m->changes;
 *                                         after a limit it may be called again and goes on
 *
 * `edges` are sets that every change set meets. When a run without limit has ended, those that contain
 * no other edge are the minimal sufficient reasons. */
typedef struct ensemble_map {
	const ensemble_scene *s;
	const uint32_t *active;
	const int64_t *cost; /* by place in active; NULL: 1 each */
	uint32_t n_active, width;
	int64_t limit;           /* of the run under way: cost ...               */
	uint32_t most;           /* ... and features per set                    */
	ensemble_masks *oracles; /* one, or one per column                        */
	uint32_t n_oracles;
	ensemble_family changes, edges;
	bool under_way;
	bool cut;           /* was a branch left because of the limits? ...      */
	int64_t next_limit; /* ... what it would have cost at least              */
	struct ensemble_level *levels;
	uint32_t depth;
	uint64_t *words; /* in and out of each level, and scratch */
	uint64_t *seed, *trial, *shrunk, *needed, *edge;
	uint64_t *first,
		*next; /* while a seed grows: change sets by their last feature that is not in, as lists */
	uint64_t cap_next;
	uint64_t n_calls;
} ensemble_map;

symcf_status symcf_ensemble_map_open(const ensemble_scene *s, const uint32_t *active,
                                     uint32_t n_active, const int64_t *cost, symcf_control *control,
                                     ensemble_map *m);
void symcf_ensemble_map_close(ensemble_map *m);
symcf_status symcf_ensemble_map_add(ensemble_map *m, const uint64_t *set);
symcf_status symcf_ensemble_map_run(ensemble_map *m, int64_t limit, uint32_t most,
                                    symcf_control *control);
int64_t symcf_ensemble_map_cost(const ensemble_map *m, const uint64_t *set);

/* Is edge i minimal, and the first of equal ones? requires: symcf_ensemble_map_list_edges, and no call since. */
symcf_status symcf_ensemble_map_list_edges(ensemble_map *m, symcf_control *control);
bool symcf_ensemble_map_is_minimal(const ensemble_map *m, uint64_t i);

#endif
