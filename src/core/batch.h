/* batch.h (private): what the parts of batches share.
 *
 *   batch.c        opening, threads, placing and writing chunks: see there
 *   batch_solve.c  a chunk of rows -> change sets
 *   batch_price.c  ... where costs depend on the new values
 *   batch_trees.c  the same where trees vote
 *   batch_equal.c  rows that are equal to earlier ones
 */
#ifndef SYMCF_BATCH_H
#define SYMCF_BATCH_H

#include <stdatomic.h>

#include "cover.h"
#include "multiclass_cover.h"
#include "platform.h"
#include "symcf.h"

enum {
	CHUNK = 16,       /* rows: a hundred kilobytes of masks for rows of a thousand sets */
	MOST_WAITING = 32 /* chunks that a thread may have solved and not yet written           */
};

#define BATCH_NO_ROW UINT32_MAX

typedef enum batch_engine {
	BY_COVER,
	BY_WITHIN,
	BY_LIKELY,
	BY_MULTICLASS_COVER,
	BY_MINIMAL,
	BY_TREES
} batch_engine;

/* Of the values that are one value to the core, the least and the greatest that the request allows.
 * What a direction leaves of them then takes one comparison to tell. */
typedef struct batch_range {
	int64_t least, greatest; /* greatest is -1 if there are none */
} batch_range;

struct symcf_batch {
	symcf_batch_request request;
	symcf_rows rows;
	symcf_classifier classifier;
	batch_engine engine;
	const uint32_t *value_offset;
	batch_range *values; /* by code of the core; NULL: nothing is forbidden  */
	uint8_t *allowed;    /* the same, whatever the row; NULL likewise        */
	uint64_t n_chunks;
	uint32_t *original; /* m: the first row equal to this one, or BATCH_NO_ROW; NULL: all differ */
	bool masked, sorted_masks;
	bool priced_masks;    /* sorted_masks are in order of cost first                     */
	symcf_budget *budget; /* of the thread that opened it; NULL: none                 */
	symcf_columns columns;
	uint64_t column_bytes;  /* charged for the two large columns, under lock             */
	int64_t *feature_start; /* m + 1: where the features of each row begin */
	/* shared by the threads */
	atomic_uint_fast64_t next_chunk, next_copy, rows_done;
	symcf_lock lock;
	symcf_condition changed;
	atomic_uint_fast64_t end; /* chunks wanted: all, or those before a failure (set under lock) */
	atomic_uint_fast64_t placed;  /* chunks that know their place               (set under lock) */
	atomic_uint_fast64_t written; /* chunks that are written                                     */
	uint32_t sleepers;            /* threads in symcf_batch_wait          (under lock) */
	symcf_status failure;         /* why chunk `end` is not wanted  (under lock) */
	uint64_t bad_row;             /* SYMCF_INVALID: where ...       (under lock) */
	uint32_t bad_feature;
	bool has_lock;
};

/* A chunk that is solved, or being solved; where its sets are in the worker's list. */
typedef struct batch_part {
	uint64_t chunk, first_set, first_feature;
	uint64_t n_sets[CHUNK], n_features[CHUNK];
	uint8_t status[CHUNK], prediction[CHUNK];
} batch_part;

/* What a thread brings along. */
typedef struct batch_worker {
	symcf_batch *b;
	symcf_control *control;
	symcf_cover *cover;
	symcf_within *within;
	symcf_likely_cover *likely;
	symcf_multiclass_cover **multiclass; /* by the row's class, opened when needed ...         */
	symcf_minimal **minimal;             /* ... by diagram                                     */
	symcf_ensemble_search **trees;       /* ... the first for all, unless goals have their own */
	uint32_t *x;                         /* the row in codes of the core ...                   */
	uint32_t *values;                    /* ... and in its own, where directions need them     */
	uint8_t *allowed;                    /* the row's own mask, where directions make one      */
	uint32_t class;                      /* of the row ...                                     */
	uint32_t which, sink;                /* ... the engine for it, and what a diagram should say */
	symcf_query query;
	/* costs that depend on values; NULL without */
	symcf_chooser **chooser;  /* by the row's class, opened when needed                   */
	int64_t *value_cost;      /* by code of the core: of the cheapest value; -1: none      */
	uint32_t *value_name;     /* ... which that is                                        */
	int64_t *lower;           /* by feature: of its cheapest change                       */
	symcf_sets first;         /* the first sets by lower costs                            */
	int64_t *price;           /* of sets                                                  */
	struct priced_key *keyed; /* sets as keys, for sorting; twice as many                */
	uint64_t cap_price, cap_keyed;
	bool late; /* time is up                                 */
	/* chunks that are solved and wait for a place, and the one under way: a ring */
	batch_part part[MOST_WAITING + 1];
	uint32_t oldest, waiting;
	batch_part *now;
	cover_masks masks; /* b->masked: their sets; emptied when no set waits ... */
	symcf_sets sets;   /* ... otherwise                                      */
} batch_worker;

static inline bool batch_is_repeated(const symcf_batch *b, uint64_t row)
{
	return b->original && b->original[row] != BATCH_NO_ROW;
}

static inline bool batch_is_wanted(symcf_batch *b, uint64_t chunk)
{
	return chunk < atomic_load_explicit(&b->end, memory_order_relaxed);
}

static inline uint64_t batch_column_bytes(uint64_t n_sets, uint64_t n_features)
{
	return (n_sets + 1) * sizeof(int64_t) + n_features * sizeof(int32_t);
}

/* The chunk has failed, and those after it are not wanted. Remembers the first such chunk; 0 ends
 * everything.
 * ensures: SYMCF_MORE, the status of a thread that leaves it to `finish` to tell. */
symcf_status symcf_batch_fail(symcf_batch *b, uint64_t chunk, symcf_status status);

/* Waits for others until `changed` is signalled, but not longer than it takes to notice Ctrl-C: a
 * thread that waits may be the one that signals come to. requires: the lock, which is held again at
 * the end, and not while others are asked. */
symcf_status symcf_batch_wait(batch_worker *w);

/* Running out of time is not a failure: rows say so, and are still read, which can be interrupted. */
symcf_status symcf_batch_unless_late(batch_worker *w, symcf_status status);

/* Finds the change sets of the rows of a chunk that are not repeated, into the worker's lists. */
symcf_status symcf_batch_solve_chunk(batch_worker *w, uint64_t first, uint32_t count);

/* The sets of the row that the query is about, at most `limit`, or the k first if k is not 0.
 * ensures: SYMCF_OK, SYMCF_MORE, or SYMCF_LIMIT_TIME. */
symcf_status symcf_batch_trees_solve(batch_worker *w, uint64_t k, uint64_t limit);

/* Takes memory for costs that depend on values, if they do. */
symcf_status symcf_batch_open_prices(batch_worker *w);
void symcf_batch_close_prices(batch_worker *w);

/* What changing the row in w->x, w->values costs; for its class. ensures: w->query.cost. */
symcf_status symcf_batch_price_row(batch_worker *w, uint64_t row, uint32_t class);

/* The k first sets of the row by what they cost, and the sets from `first` on in that order. */
symcf_status symcf_batch_best_priced(batch_worker *w, uint32_t class, uint64_t k);
symcf_status symcf_batch_sort_priced(batch_worker *w, uint32_t class, uint64_t first);
/* The same for masks that are keys (b->priced_masks), also where costs do not depend on values. */
symcf_status symcf_batch_sort_priced_keys(batch_worker *w, uint32_t class, uint64_t first);

/* Fills b->original. */
symcf_status symcf_batch_find_equal_rows(symcf_batch *b, symcf_control *control);

/* Copies what the originals of repeated rows have, once all chunks are written. */
symcf_status symcf_batch_copy_repeated(batch_worker *w);

#endif
