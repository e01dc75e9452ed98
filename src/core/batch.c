/* batch.c: many rows -> columns.
 *
 * Any number of threads call symcf_batch_work on the same batch. Rows go in chunks, in order:
 *
 *   solve    a thread takes the next chunk and finds the change sets of its rows, into memory of
 *            its own that stays in the cache;
 *   place    when all earlier chunks have said how much they need, this one learns where its part
 *            of the columns begins (the only moment at which threads wait for each other);
 *   write    and writes its part, while others write theirs.
 *
 * So the columns are the same, byte for byte, however many threads there are, nothing is written
 * twice, and no second copy of the result exists at any time. The columns are regions: they grow
 * in place.
 *
 * A chunk that fails (a bad row, a result too large) makes the later ones pointless, but not the
 * earlier ones: they may fail, too, and the first failure is the one to report. So failures are
 * the same for any number of threads as well. Only an interruption ends everything at once.
 *
 * Equal rows are solved once. A table of hashes finds for each row the first one equal to it; a
 * repeated row takes its place like any other, but is filled in at the end, by copying.
 *
 * Up to 64 features a change set travels from solve to write as a bit mask: writing the features
 * out is then the write to memory that has to happen anyway. In masks for sorted output feature 0
 * is the highest bit of n; of equally large sets the lexicographically first is then the largest
 * number, and the order (size, features) is that of the keys
 *     size << n | (mask with all n bits inverted),
 * which a radix sort puts in order.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "cover.h"
#include "memory.h"
#include "region.h"
#include "rivals.h"
#include "symcf.h"

enum {
	CHUNK = 64,       /* rows: a few hundred kilobytes of masks for rows of a thousand sets      */
	MASKED = 64,      /* features that fit a mask                                                */
	SORTED_MASK = 57, /* features that fit a sort key beside the size of the set                */
	STEP = 1 << 22    /* features to be listed, at most, between two looks at the memory taken   */
};

static const uint32_t NO_ROW = UINT32_MAX;

typedef enum engine { BY_COVER, BY_RIVALS, BY_MINIMAL } engine;

/* Which values the request allows among those that are one to the core: the least and the greatest.
 * What a direction leaves of them is then a matter of one comparison. */
typedef struct range {
	int64_t least, greatest; /* none: greatest is -1 */
} range;

struct symcf_batch {
	symcf_batch_request request;
	symcf_rows rows;
	symcf_classifier classifier;
	engine engine;
	const uint32_t *value_offset;
	range *values;    /* by code of the core; NULL: nothing is forbidden  */
	uint8_t *allowed; /* the same, whatever the row; NULL likewise        */
	uint64_t n_chunks;
	uint32_t *original; /* m: the first row equal to this one, or NO_ROW; NULL: all differ */
	bool masked, sorted_masks;
	symcf_columns columns;
	int64_t *feature_start; /* m + 1: where the features of each row begin */
	/* shared by the threads */
	atomic_uint_fast64_t next_chunk, next_copy, rows_done;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	atomic_uint_fast64_t end; /* chunks wanted: all, or those before a failure (set under lock) */
	uint64_t placed;          /* chunks that know their place   (under lock) */
	uint64_t written;         /* chunks that are written        (under lock) */
	symcf_status failure;     /* why chunk `end` is not wanted  (under lock) */
	uint64_t bad_row;         /* SYMCF_INVALID: where ...       (under lock) */
	uint32_t bad_feature;
	bool has_lock;
};

/* What a thread brings along. */
typedef struct worker {
	symcf_batch *b;
	symcf_control *control;
	symcf_cover *cover;
	symcf_rivals **rivals;   /* by the row's class, opened when needed ...         */
	symcf_minimal **minimal; /* ... by diagram                                     */
	uint32_t *x;             /* the row in codes of the core ...                   */
	uint32_t *values;        /* ... and in its own, where directions need them     */
	uint8_t *allowed;        /* the row's own mask, where directions make one      */
	uint32_t which, sink;    /* the engine for the row, and what a diagram should say */
	symcf_query query;
	uint64_t chunk; /* under way   */
	bool late;      /* time is up  */
	/* the chunk under way */
	cover_masks masks; /* b->masked: the sets found ...   */
	symcf_sets sets;   /* ... otherwise                   */
	uint64_t n_sets[CHUNK], n_features[CHUNK];
	uint8_t status[CHUNK], prediction[CHUNK];
} worker;

/* ------------------------------------------------------------------ equal rows --------------- */

static size_t element_size(symcf_type type)
{
	static const uint8_t size[] = {1, 1, 2, 2, 4, 4, 8, 8};
	return size[type];
}

static uint64_t hash_bytes(const uint8_t *bytes, size_t count)
{
	uint64_t h = 0x9E3779B97F4A7C15u ^ count;
	for (; count >= 8; bytes += 8, count -= 8) {
		uint64_t word;
		memcpy(&word, bytes, 8);
		h = (h ^ word) * 0xD6E8FEB86659FD93u;
		h ^= h >> 32;
	}
	uint64_t word = 0;
	memcpy(&word, bytes, count);
	h = (h ^ word) * 0xD6E8FEB86659FD93u;
	return h ^ h >> 32;
}

/* Open addressing over row numbers plus 1; 0 is an empty slot. Rows of one table have one type,
 * so they are equal iff their bytes are. ensures: b->original, or NULL if no row repeats. */
static symcf_status find_equal_rows(symcf_batch *b, symcf_control *control)
{
	const size_t width = element_size(b->rows.type) * b->rows.n;
	const uint8_t *data = b->rows.data;
	uint64_t slots = 16, repeated = 0;
	while (slots < 2 * (uint64_t)b->rows.m)
		slots *= 2;
	uint32_t *table = symcf_allocate_zeroed(slots, sizeof *table);
	b->original = symcf_allocate(b->rows.m, sizeof *b->original);
	symcf_status status = table && b->original ? SYMCF_OK : SYMCF_NO_MEMORY;
	for (uint32_t i = 0; i < b->rows.m && !status; i++) {
		const uint8_t *row = data + i * width;
		uint64_t slot = hash_bytes(row, width) & (slots - 1);
		while (table[slot] && memcmp(row, data + (table[slot] - UINT64_C(1)) * width, width))
			slot = (slot + 1) & (slots - 1);
		b->original[i] = table[slot] ? table[slot] - 1 : NO_ROW;
		repeated += table[slot] != 0;
		if (!table[slot])
			table[slot] = i + 1;
		status = symcf_tick(control, 50);
	}
	symcf_free(table);
	if (!repeated) {
		symcf_free(b->original);
		b->original = NULL;
	}
	return status;
}

static bool is_repeated(const symcf_batch *b, uint64_t row)
{
	return b->original && b->original[row] != NO_ROW;
}

/* ------------------------------------------------------------------ life cycle --------------- */

/* Room for what may come, within the budget: half of it for the features and a quarter each for
 * where the sets and the rows end would be exact for sets of four features; each region may be
 * the one that fills, so each gets the whole budget as address space, and `place` keeps the sum. */
static symcf_status open_columns(symcf_batch *b)
{
	symcf_columns *c = &b->columns;
	const uint64_t budget = b->request.max_memory, m = b->rows.m;
	c->m = m;
	symcf_status status = symcf_region_open(&c->features, budget);
	if (!status)
		status = symcf_region_open(&c->set_offsets, budget);
	c->row_offsets = symcf_allocate(m + 1, sizeof *c->row_offsets);
	c->status = symcf_allocate(m, sizeof *c->status);
	c->prediction = symcf_allocate(m, sizeof *c->prediction);
	b->feature_start = symcf_allocate(m + 1, sizeof *b->feature_start);
	if (status)
		return status;
	if (!c->row_offsets || !c->status || !c->prediction || !b->feature_start)
		return SYMCF_NO_MEMORY;
	c->row_offsets[0] = b->feature_start[0] = 0;
	*(int64_t *)c->set_offsets.data = 0;
	return SYMCF_OK;
}

/* What the request allows, in codes of the core: a code is allowed if one of its values is. */
static symcf_status open_values(symcf_batch *b)
{
	const symcf_rows *rows = &b->rows;
	const uint32_t *offset = rows->group ? rows->value_offset : b->value_offset;
	const uint32_t n_codes = b->value_offset[rows->n];
	if (!b->request.allowed && !b->request.direction)
		return SYMCF_OK;
	b->values = symcf_allocate(n_codes, sizeof *b->values);
	b->allowed = symcf_allocate_zeroed(n_codes, sizeof *b->allowed);
	if (!b->values || !b->allowed)
		return SYMCF_NO_MEMORY;
	for (uint32_t code = 0; code < n_codes; code++)
		b->values[code] = (range){INT64_MAX, -1};
	for (uint32_t j = 0; j < rows->n; j++)
		for (uint32_t v = 0; v < offset[j + 1] - offset[j]; v++) {
			const uint32_t group = rows->group ? rows->group[offset[j] + v] : v;
			const uint32_t code = b->value_offset[j] + group;
			if (code >= b->value_offset[j + 1])
				return SYMCF_INVALID;
			if (b->request.allowed && !b->request.allowed[offset[j] + v])
				continue;
			range *values = &b->values[code];
			values->least = v < values->least ? v : values->least;
			values->greatest = v;
			b->allowed[code] = 1;
		}
	return SYMCF_OK;
}

static bool is_supported(const symcf_classifier *c, const symcf_rows *rows,
                         const symcf_batch_request *request)
{
	const bool any_target = request->target < 0 || c->n_classes <= 2;
	return rows->m < NO_ROW && c->n_classes <= UINT8_MAX + 1 && (!c->beats || any_target);
}

symcf_status symcf_batch_open(const symcf_classifier *c, const uint32_t *value_offset,
                              const symcf_rows *rows, const symcf_batch_request *request,
                              symcf_control *control, symcf_batch **out)
{
	if (!is_supported(c, rows, request))
		return SYMCF_UNSUPPORTED;
	if (request->target >= (int)c->n_classes)
		return SYMCF_INVALID;
	symcf_batch *b = symcf_allocate_zeroed(1, sizeof *b);
	if (!b)
		return SYMCF_NO_MEMORY;
	b->request = *request;
	b->rows = *rows;
	b->classifier = *c;
	b->engine = c->t ? BY_COVER : c->beats ? BY_RIVALS : BY_MINIMAL;
	b->value_offset = value_offset;
	b->n_chunks = rows->m / CHUNK + (rows->m % CHUNK != 0);
	atomic_init(&b->end, b->n_chunks);
	b->bad_row = NO_ROW;
	b->masked = b->engine != BY_MINIMAL && !request->k && rows->n <= MASKED;
	b->sorted_masks = b->masked && request->sorted && !request->cost && rows->n <= SORTED_MASK;
	if (request->sorted && !b->sorted_masks)
		b->masked = false;
	symcf_status status = open_columns(b);
	if (!status)
		status = open_values(b);
	if (!status)
		status = find_equal_rows(b, control);
	if (!status && pthread_mutex_init(&b->lock, NULL) == 0) {
		if (pthread_cond_init(&b->changed, NULL) == 0)
			b->has_lock = true;
		else
			pthread_mutex_destroy(&b->lock);
	}
	if (!status && !b->has_lock)
		status = SYMCF_NO_MEMORY;
	if (status)
		symcf_batch_free(b);
	else
		*out = b;
	return status;
}

void symcf_columns_free(symcf_columns *c)
{
	symcf_free(c->row_offsets);
	symcf_free(c->status);
	symcf_free(c->prediction);
	symcf_region_close(&c->set_offsets);
	symcf_region_close(&c->features);
	memset(c, 0, sizeof *c);
}

void symcf_batch_free(symcf_batch *b)
{
	if (!b)
		return;
	if (b->has_lock) {
		pthread_cond_destroy(&b->changed);
		pthread_mutex_destroy(&b->lock);
	}
	symcf_columns_free(&b->columns);
	symcf_free(b->feature_start);
	symcf_free(b->original);
	symcf_free(b->values);
	symcf_free(b->allowed);
	symcf_free(b);
}

uint64_t symcf_batch_progress(const symcf_batch *b)
{
	return atomic_load_explicit(&b->rows_done, memory_order_relaxed);
}

/* -------------------------------------------------------------------- failures --------------- */

/* The chunk cannot be had, nor those after it. Remembers the first such chunk; 0 ends everything.
 * ensures: SYMCF_MORE, the status of a thread that leaves it to `finish` to tell. */
static symcf_status fail(symcf_batch *b, uint64_t chunk, symcf_status status)
{
	pthread_mutex_lock(&b->lock);
	if (!b->failure || chunk < b->end) {
		b->failure = status;
		b->end = chunk;
	}
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	return SYMCF_MORE;
}

static symcf_status fail_at_row(symcf_batch *b, uint64_t row, uint32_t feature)
{
	pthread_mutex_lock(&b->lock);
	if (row < b->bad_row) {
		b->bad_row = row;
		b->bad_feature = feature;
	}
	pthread_mutex_unlock(&b->lock);
	return fail(b, row / CHUNK, SYMCF_INVALID);
}

static bool is_wanted(symcf_batch *b, uint64_t chunk)
{
	return chunk < atomic_load_explicit(&b->end, memory_order_relaxed);
}

/* That time is up is no failure: rows say so, and go on being read, which can be interrupted. */
static symcf_status unless_late(worker *w, symcf_status status)
{
	if (status != SYMCF_LIMIT_TIME)
		return status;
	w->late = true;
	w->control->deadline = 0;
	return SYMCF_OK;
}

/* ----------------------------------------------------------------------- solve --------------- */

/* What the features may become: what the request allows, in the direction it allows. */
static const uint8_t *allowed_for(worker *w)
{
	const symcf_batch *b = w->b;
	const uint8_t *direction = b->request.direction;
	const uint32_t *offset = b->value_offset;
	if (!direction)
		return b->allowed;
	for (uint32_t j = 0; j < b->rows.n; j++) {
		const int64_t value = b->rows.group ? w->values[j] : w->x[j];
		for (uint32_t code = offset[j]; code < offset[j + 1]; code++) {
			const range *r = &b->values[code];
			w->allowed[code] = direction[j] == SYMCF_UP     ? r->greatest > value
			                   : direction[j] == SYMCF_DOWN ? r->least < value
			                                                : b->allowed[code];
		}
	}
	return w->allowed;
}

static uint64_t sets_held(const worker *w)
{
	return w->b->masked ? w->masks.count : w->sets.n_sets;
}

static uint64_t features_held(const worker *w)
{
	return w->b->masked ? w->masks.n_features : w->sets.n_features;
}

/* Which engine has to answer, and for diagrams where to. Of many classes, the one diagram to ask is
 * that of the target or, for any other class, that of the row's own. */
static void set_goal(worker *w, uint32_t class)
{
	const symcf_batch *b = w->b;
	const bool aims = b->request.target >= 0;
	if (b->engine == BY_MINIMAL && b->classifier.n_classes == 2) {
		w->which = 0;
		w->sink = !class;
	} else if (b->engine == BY_MINIMAL) {
		w->which = aims ? (uint32_t)b->request.target : class;
		w->sink = aims;
	} else {
		w->which = class;
	}
}

/* Those that the row's class has to fear. */
static const symcf_threshold *const *rivals_of(const worker *w)
{
	return w->b->classifier.beats + (uint64_t)w->which * w->b->classifier.n_classes;
}

/* Gets the engine ready for the row. */
static symcf_status open_engine(worker *w)
{
	const symcf_batch *b = w->b;
	const symcf_classifier *c = &b->classifier;
	if (b->engine == BY_MINIMAL) {
		symcf_minimal **e = &w->minimal[w->which];
		return *e ? symcf_minimal_reset(*e, &w->query, w->sink, w->control)
		          : symcf_minimal_open(c->diagrams[w->which], b->value_offset, &w->query, w->sink,
		                               w->control, e);
	}
	if (b->request.k)
		return SYMCF_OK; /* the search for the best has an engine of its own */
	if (b->engine == BY_RIVALS) {
		symcf_rivals **e = &w->rivals[w->which];
		const symcf_status status =
			*e ? symcf_rivals_reset(*e, &w->query)
			   : symcf_rivals_open(rivals_of(w), c->n_classes, &w->query, e);
		return status == SYMCF_INVALID ? SYMCF_INTERNAL : status; /* no fault of the row */
	}
	if (w->cover)
		return symcf_cover_reset(w->cover, &w->query);
	return symcf_cover_open(c->t, &w->query, &w->cover);
}

/* At most `limit` sets more. */
static symcf_status next_sets(worker *w, uint64_t limit)
{
	const symcf_batch *b = w->b;
	if (b->engine == BY_MINIMAL)
		return symcf_minimal_next(w->minimal[w->which], w->control, limit, &w->sets);
	if (b->engine == BY_RIVALS && b->masked)
		return rivals_next_masks(w->rivals[w->which], w->control, limit, b->sorted_masks,
		                         &w->masks);
	if (b->engine == BY_RIVALS)
		return symcf_rivals_next(w->rivals[w->which], w->control, limit, &w->sets);
	if (b->masked)
		return cover_next_masks(w->cover, w->control, limit, b->sorted_masks, &w->masks);
	return symcf_cover_next(w->cover, w->control, limit, &w->sets);
}

static symcf_status best_sets(worker *w, uint64_t k)
{
	const symcf_classifier *c = &w->b->classifier;
	if (w->b->engine == BY_MINIMAL)
		return symcf_minimal_best(w->minimal[w->which], w->b->request.cost, k, w->control,
		                          &w->sets);
	if (w->b->engine == BY_RIVALS)
		return symcf_rivals_best(rivals_of(w), c->n_classes, &w->query, k, w->control, &w->sets);
	return symcf_cover_best(c->t, &w->query, k, w->control, &w->sets);
}

static uint64_t column_bytes(uint64_t n_sets, uint64_t n_features)
{
	return (n_sets + 1) * sizeof(int64_t) + n_features * sizeof(int32_t);
}

/* Has this thread alone found more than the columns may hold? */
static bool is_too_large(const worker *w)
{
	return column_bytes(sets_held(w), features_held(w)) > w->b->request.max_memory;
}

/* At most `limit` sets, in steps that are small beside any memory worth limiting. */
static symcf_status list_sets(worker *w, uint64_t limit)
{
	const uint64_t step = STEP / (w->b->rows.n + 1) + 1, first = sets_held(w);
	symcf_status status;
	do {
		const uint64_t left = limit - (sets_held(w) - first);
		status = next_sets(w, left < step ? left : step);
	} while (status == SYMCF_MORE && sets_held(w) - first < limit && !is_too_large(w));
	return status;
}

/* Puts the sets of the last row, from `first` on, in order. */
static symcf_status sort_row(worker *w, uint64_t first)
{
	if (!w->b->request.sorted || w->b->request.k)
		return SYMCF_OK;
	if (w->b->sorted_masks)
		return cover_sort_masks(&w->masks, first, w->b->rows.n);
	return symcf_sets_sort_from(&w->sets, first, w->b->request.cost);
}

/* Solves the row that is in w->x; its sets come at the end of the worker's lists.
 * ensures: *row_status. */
static symcf_status solve_row(worker *w, uint32_t class, uint8_t *row_status)
{
	const symcf_batch_request *r = &w->b->request;
	const uint64_t first = sets_held(w), limit = r->max_results ? r->max_results : UINT64_MAX;
	const uint64_t most = r->max_memory / (sizeof(int64_t) + sizeof(int32_t)) + 1;
	const uint64_t k = r->k < limit ? r->k : limit;
	w->query.x = w->x;
	w->query.allowed = allowed_for(w);
	set_goal(w, class);
	symcf_status status = open_engine(w);
	if (!status)
		status = r->k ? best_sets(w, k < most ? k : most) : list_sets(w, limit);
	const bool cut = status == SYMCF_MORE || (k < r->k && sets_held(w) - first == k);
	status = unless_late(w, status);
	if (status && status != SYMCF_MORE)
		return status;
	if (is_too_large(w))
		return fail(w->b, w->chunk, SYMCF_LIMIT_MEMORY);
	*row_status = w->late ? SYMCF_ROW_TIME : cut ? SYMCF_ROW_MAX_RESULTS : SYMCF_ROW_COMPLETE;
	return sort_row(w, first);
}

/* Reads the row into w->x and, where they matter, its own codes into w->values. */
static symcf_status read_row(worker *w, uint64_t row, uint32_t *bad)
{
	const symcf_batch *b = w->b;
	if (b->rows.group && b->request.direction) {
		const symcf_status status =
			symcf_rows_values(&b->rows, row, b->value_offset, w->values, bad);
		if (status)
			return status;
	}
	return symcf_rows_get(&b->rows, row, b->value_offset, w->x, bad);
}

/* Solves the row that is in w->x, unless there is nothing to solve. */
static symcf_status answer_row(worker *w, uint32_t i)
{
	const symcf_batch *b = w->b;
	const uint32_t class = symcf_decide(&b->classifier, w->x);
	if (class >= b->classifier.n_classes)
		return SYMCF_INTERNAL;
	w->prediction[i] = (uint8_t)class;
	w->status[i] = SYMCF_ROW_TIME;
	if ((int)class == b->request.target)
		w->status[i] = SYMCF_ROW_AT_TARGET;
	else if (!w->late)
		return solve_row(w, class, &w->status[i]);
	return SYMCF_OK;
}

static symcf_status solve_chunk_row(worker *w, uint64_t row, uint32_t i)
{
	symcf_batch *b = w->b;
	const uint64_t sets = sets_held(w), features = features_held(w);
	uint32_t bad = 0;
	symcf_status status = read_row(w, row, &bad);
	if (status && !b->request.mark_bad_rows)
		return fail_at_row(b, row, bad);
	if (status) {
		w->prediction[i] = 0;
		w->status[i] = SYMCF_ROW_INVALID;
		status = SYMCF_OK;
	} else {
		status = answer_row(w, i);
	}
	w->n_sets[i] = sets_held(w) - sets;
	w->n_features[i] = features_held(w) - features;
	return status;
}

static symcf_status solve_chunk(worker *w, uint64_t first, uint32_t count)
{
	symcf_status status = SYMCF_OK;
	w->masks.count = w->masks.n_features = 0;
	symcf_sets_clear(&w->sets);
	for (uint32_t i = 0; i < count && !status; i++) {
		if (is_repeated(w->b, first + i))
			continue;
		status = is_wanted(w->b, w->chunk) ? solve_chunk_row(w, first + i, i) : SYMCF_MORE;
	}
	return status;
}

/* ----------------------------------------------------------------------- place --------------- */

/* Where each row of the chunk begins, repeated ones with the size of their originals.
 * requires: the lock, and that all earlier chunks have been placed.
 * ensures: false if the columns have no room for them. */
static bool place_rows(worker *w, uint64_t first, uint32_t count)
{
	symcf_batch *b = w->b;
	int64_t *set_start = b->columns.row_offsets, *feature_start = b->feature_start;
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t row = first + i;
		if (is_repeated(b, row)) {
			const uint64_t same = b->original[row];
			set_start[row + 1] = set_start[row] + set_start[same + 1] - set_start[same];
			feature_start[row + 1] =
				feature_start[row] + feature_start[same + 1] - feature_start[same];
			continue;
		}
		set_start[row + 1] = set_start[row] + (int64_t)w->n_sets[i];
		feature_start[row + 1] = feature_start[row] + (int64_t)w->n_features[i];
		b->columns.status[row] = w->status[i];
		b->columns.prediction[row] = w->prediction[i];
	}
	return column_bytes((uint64_t)set_start[first + count],
	                    (uint64_t)feature_start[first + count]) <= b->request.max_memory;
}

static symcf_status place_chunk(worker *w, uint64_t first, uint32_t count)
{
	symcf_batch *b = w->b;
	pthread_mutex_lock(&b->lock);
	while (b->placed != w->chunk && is_wanted(b, w->chunk))
		pthread_cond_wait(&b->changed, &b->lock);
	const bool wanted = is_wanted(b, w->chunk), fits = wanted && place_rows(w, first, count);
	b->placed += fits;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	if (wanted && !fits)
		return fail(b, w->chunk, SYMCF_LIMIT_MEMORY);
	return fits ? SYMCF_OK : SYMCF_MORE;
}

/* ----------------------------------------------------------------------- write --------------- */

/* Writes `count` sets given as masks; ensures: *end is where each ends. */
static void write_masks(const uint64_t *mask, uint64_t count, int32_t *to, int64_t at, int64_t *end)
{
	to += at;
	for (uint64_t s = 0; s < count; s++) {
		for (uint64_t left = mask[s]; left; left &= left - 1, at++)
			*to++ = __builtin_ctzll(left);
		end[s] = at;
	}
}

/* The same for sort keys: feature 0 is the highest of n bits, inverted. */
static void write_keys(const uint64_t *key, uint64_t count, uint32_t n, int32_t *to, int64_t at,
                       int64_t *end)
{
	const uint64_t all = n ? ~(uint64_t)0 >> (64 - n) : 0;
	to += at;
	for (uint64_t s = 0; s < count; s++) {
		for (uint64_t left = (~key[s] & all) << (64 - n); left; at++) {
			const int f = __builtin_clzll(left);
			left &= ~(UINT64_C(1) << 63 >> f);
			*to++ = f;
		}
		end[s] = at;
	}
}

static void write_chunk(worker *w, uint64_t first, uint32_t count)
{
	symcf_batch *b = w->b;
	const symcf_columns *c = &b->columns;
	int64_t *end = (int64_t *)c->set_offsets.data + 1;
	int32_t *features = c->features.data;
	uint64_t set = 0, feature = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t row = first + i;
		if (is_repeated(b, row))
			continue;
		const int64_t at = b->feature_start[row];
		int64_t *row_end = end + c->row_offsets[row];
		if (b->sorted_masks) {
			write_keys(w->masks.mask + set, w->n_sets[i], b->rows.n, features, at, row_end);
		} else if (b->masked) {
			write_masks(w->masks.mask + set, w->n_sets[i], features, at, row_end);
		} else {
			if (w->n_features[i]) /* an empty list may have no arrays yet */
				memcpy(features + at, w->sets.features + feature,
				       w->n_features[i] * sizeof *features);
			for (uint64_t s = 0; s < w->n_sets[i]; s++)
				row_end[s] = at + (int64_t)(w->sets.end[set + s] - feature);
		}
		set += w->n_sets[i];
		feature += w->n_features[i];
	}
	pthread_mutex_lock(&b->lock);
	b->written++;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

/* ----------------------------------------------------------------- repeated rows ------------- */

/* ensures: the number of bytes that were written. */
static uint64_t copy_row(symcf_batch *b, uint64_t row)
{
	const symcf_columns *c = &b->columns;
	const uint64_t same = b->original[row];
	int64_t *end = (int64_t *)c->set_offsets.data + 1;
	int32_t *features = c->features.data;
	const int64_t from = b->feature_start[same], to = b->feature_start[row];
	memcpy(features + to, features + from,
	       (uint64_t)(b->feature_start[same + 1] - from) * sizeof *features);
	const int64_t *end_from = end + c->row_offsets[same];
	int64_t *end_to = end + c->row_offsets[row];
	const int64_t n_sets = c->row_offsets[same + 1] - c->row_offsets[same];
	for (int64_t s = 0; s < n_sets; s++)
		end_to[s] = end_from[s] + to - from;
	c->status[row] = c->status[same];
	c->prediction[row] = c->prediction[same];
	return column_bytes((uint64_t)n_sets, (uint64_t)(b->feature_start[same + 1] - from));
}

/* A byte is about a quarter of a unit of work. */
static symcf_status tick_bytes(symcf_control *control, uint64_t bytes)
{
	return symcf_tick(control, bytes / 4 < UINT32_MAX ? (uint32_t)(bytes / 4) : UINT32_MAX);
}

/* Originals are rows of any earlier chunk, so all must have been written. */
static symcf_status await_written(symcf_batch *b)
{
	pthread_mutex_lock(&b->lock);
	while (b->written < b->n_chunks && !b->failure)
		pthread_cond_wait(&b->changed, &b->lock);
	const symcf_status status = b->failure ? SYMCF_MORE : SYMCF_OK;
	pthread_mutex_unlock(&b->lock);
	return status;
}

static symcf_status copy_repeated(worker *w)
{
	symcf_batch *b = w->b;
	symcf_status status = await_written(b);
	uint64_t chunk;
	while (!status && (chunk = atomic_fetch_add(&b->next_copy, 1)) < b->n_chunks) {
		const uint64_t first = chunk * CHUNK;
		for (uint64_t row = first; row < first + CHUNK && row < b->rows.m && !status; row++)
			if (is_repeated(b, row)) {
				const uint64_t bytes = copy_row(b, row);
				atomic_fetch_add_explicit(&b->rows_done, 1, memory_order_relaxed);
				status = unless_late(w, tick_bytes(w->control, bytes));
			}
		if (!status && !is_wanted(b, chunk))
			status = SYMCF_MORE;
	}
	return status;
}

/* ------------------------------------------------------------------------ work --------------- */

static symcf_status work_on_chunk(worker *w)
{
	symcf_batch *b = w->b;
	const uint64_t first = w->chunk * CHUNK;
	const uint32_t count = b->rows.m - first < CHUNK ? (uint32_t)(b->rows.m - first) : CHUNK;
	uint32_t solved = 0;
	symcf_status status = solve_chunk(w, first, count);
	if (!status)
		status = place_chunk(w, first, count);
	if (status)
		return status;
	write_chunk(w, first, count);
	for (uint32_t i = 0; i < count; i++)
		solved += !is_repeated(b, first + i);
	atomic_fetch_add_explicit(&b->rows_done, solved, memory_order_relaxed);
	return unless_late(w, symcf_tick(w->control, CHUNK * 20));
}

static symcf_status open_worker(worker *w, symcf_batch *b, symcf_control *control)
{
	const symcf_batch_request *r = &b->request;
	memset(w, 0, sizeof *w);
	w->b = b;
	w->control = control;
	w->query = (symcf_query){NULL, NULL, r->cost, r->max_changes};
	w->x = symcf_allocate(b->rows.n, sizeof *w->x);
	w->values = symcf_allocate(b->rows.n, sizeof *w->values);
	w->allowed = symcf_allocate(b->value_offset[b->rows.n], sizeof *w->allowed);
	w->rivals = symcf_allocate_zeroed(b->classifier.n_classes, sizeof *w->rivals);
	w->minimal = symcf_allocate_zeroed(b->classifier.n_classes, sizeof *w->minimal);
	return w->x && w->values && w->allowed && w->rivals && w->minimal ? SYMCF_OK : SYMCF_NO_MEMORY;
}

static void close_worker(worker *w)
{
	symcf_cover_free(w->cover);
	for (uint32_t k = 0; k < w->b->classifier.n_classes; k++) {
		if (w->rivals)
			symcf_rivals_free(w->rivals[k]);
		if (w->minimal)
			symcf_minimal_free(w->minimal[k]);
	}
	symcf_free(w->rivals);
	symcf_free(w->minimal);
	symcf_free(w->x);
	symcf_free(w->values);
	symcf_free(w->allowed);
	cover_masks_free(&w->masks);
	symcf_sets_free_arrays(&w->sets);
}

/* Does the status come from the row, so that it would be the same on any thread? */
static bool is_about_a_row(symcf_status status)
{
	return status == SYMCF_LIMIT_NODES || status == SYMCF_LIMIT_MEMORY;
}

symcf_status symcf_batch_work(symcf_batch *b, symcf_control *control)
{
	const double deadline = control ? control->deadline : 0;
	worker *w = symcf_allocate(1, sizeof *w);
	symcf_status status = w ? open_worker(w, b, control) : SYMCF_NO_MEMORY;
	while (!status && (w->chunk = atomic_fetch_add(&b->next_chunk, 1)) < b->n_chunks)
		status = work_on_chunk(w);
	if (!status && b->original)
		status = copy_repeated(w);
	if (status && status != SYMCF_MORE)
		fail(b, is_about_a_row(status) ? w->chunk : 0, status);
	if (control)
		control->deadline = deadline;
	if (w)
		close_worker(w);
	symcf_free(w);
	return status;
}

symcf_status symcf_batch_finish(symcf_batch *b, symcf_columns *out, uint64_t *bad_row,
                                uint32_t *bad_feature)
{
	symcf_columns *c = &b->columns;
	if (b->failure == SYMCF_INVALID) {
		*bad_row = b->bad_row;
		*bad_feature = b->bad_feature;
	}
	if (b->failure) {
		symcf_columns_free(c); /* who keeps the batch need not keep these */
		return b->failure;
	}
	if (!c->row_offsets || symcf_batch_progress(b) != b->rows.m)
		return SYMCF_MORE;
	c->n_sets = (uint64_t)c->row_offsets[b->rows.m];
	c->n_features = (uint64_t)b->feature_start[b->rows.m];
	symcf_region_trim(&c->set_offsets, (c->n_sets + 1) * sizeof(int64_t));
	symcf_region_trim(&c->features, c->n_features * sizeof(int32_t));
	*out = *c;
	memset(c, 0, sizeof *c);
	return SYMCF_OK;
}
