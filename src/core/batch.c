/* batch.c: many rows -> columns.
 *
 * Any number of threads call symcf_batch_work on the same batch. Rows go in chunks, in order:
 *
 *   solve    a thread takes the next chunk and finds the change sets of its rows, into memory of
 *            its own that stays in the cache;
 *   place    when all earlier chunks have said how much they need, this one learns where its part
 *            of the columns begins; until then the thread solves further chunks, a few;
 *   write    and writes its part, while others write theirs.
 *
 * So the columns are the same, byte for byte, however many threads there are, nothing is written
 * twice, and no second copy of the result exists at any time. The columns are growing maps,
 * which grow in place.
 *
 * A chunk that fails (a bad row, a result too large) makes the later ones pointless, but not the
 * earlier ones: they may fail, too, and the first failure is the one to report. So failures are
 * the same for any number of threads as well. Only an interruption ends everything at once.
 *
 * Equal rows are solved once (batch_equal.c).
 *
 * Up to 64 features a change set travels from solve to write as a bit mask: writing the features
 * out (unpack.c) is then the write to memory that has to happen anyway. In masks feature 0 is the
 * highest bit of n; of equally large sets the lexicographically first is then the largest number,
 * and the order (size, features) is that of the keys
 *     size << n | (mask with all n bits inverted),
 * which a radix sort puts in order (cover_masks.c).
 */
#include "batch.h"

#include <assert.h>
#include <string.h>

#include "growing_map.h"
#include "memory.h"
#include "unpack.h"

/* ------------------------------------------------------------------ life cycle --------------- */

/* With so many rows the result is probably large enough to take cached memory at once. Taking it
 * makes the system interrupt every processor that works for us, once per page: better now than in the middle. */
enum { MANY_ROWS = 4096 };

/* Room for what may come, within the budget: half of it for the features and a quarter each for
 * where the sets and the rows end would be exact for sets of four features; each map may be
 * the one that fills, so each gets the whole budget as address space, and `place` keeps the sum. */
static symcf_status open_columns(symcf_batch *b)
{
	symcf_columns *c = &b->columns;
	const uint64_t budget = b->request.max_memory, m = b->rows.m;
	c->m = m;
	symcf_status status = symcf_growing_map_open(&c->features, budget);
	if (!status)
		status = symcf_growing_map_open(&c->set_offsets, budget);
	c->row_offsets = symcf_allocate(m + 1, sizeof *c->row_offsets);
	c->status = symcf_allocate(m, sizeof *c->status);
	c->prediction = symcf_allocate(m, sizeof *c->prediction);
	b->feature_start = symcf_allocate(m + 1, sizeof *b->feature_start);
	if (status)
		return status;
	if (!c->row_offsets || !c->status || !c->prediction || !b->feature_start)
		return symcf_no_memory();
	if (m >= MANY_ROWS && budget > GROWING_MAP_SMALL) {
		status = symcf_growing_map_reach(&c->features, GROWING_MAP_SMALL + 1);
		if (!status)
			status = symcf_growing_map_reach(&c->set_offsets, GROWING_MAP_SMALL + 1);
		if (status)
			return status;
	}
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
		return symcf_no_memory();
	for (uint32_t code = 0; code < n_codes; code++)
		b->values[code] = (batch_range){INT64_MAX, -1};
	for (uint32_t j = 0; j < rows->n; j++)
		for (uint32_t v = 0; v < offset[j + 1] - offset[j]; v++) {
			const uint32_t group = rows->group ? rows->group[offset[j] + v] : v;
			const uint32_t code = b->value_offset[j] + group;
			if (code >= b->value_offset[j + 1])
				return SYMCF_INVALID;
			if (b->request.allowed && !b->request.allowed[offset[j] + v])
				continue;
			batch_range *values = &b->values[code];
			values->least = v < values->least ? v : values->least;
			values->greatest = v;
			b->allowed[code] = 1;
		}
	return SYMCF_OK;
}

static symcf_status open_lock(symcf_batch *b)
{
	b->has_lock = symcf_lock_open(&b->lock, &b->changed);
	return b->has_lock ? SYMCF_OK : SYMCF_NO_MEMORY;
}

static bool is_supported(const symcf_classifier *c, const symcf_rows *rows,
                         const symcf_batch_request *request)
{
	const bool any_target = request->target < 0 || c->n_classes <= 2;
	return rows->m < BATCH_NO_ROW && c->n_classes <= UINT8_MAX + 1 &&
	       (!c->beats || request->goals || (any_target && !request->reasons));
}

static bool asks_trees(const symcf_classifier *c, const symcf_batch_request *request)
{
	for (uint32_t k = 0; k < c->n_classes; k++)
		if (request->goals[k].e)
			return true;
	return false;
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
		return symcf_no_memory();
	b->budget = symcf_budget_now();
	b->request = *request;
	b->rows = *rows;
	b->classifier = *c;
	b->engine = request->goals ? asks_trees(c, request) ? BY_TREES : BY_MINIMAL
	            : c->t         ? request->relation ? BY_WITHIN
	                             : request->likely ? BY_LIKELY
	                                               : BY_COVER
	            : c->beats     ? BY_MULTICLASS_COVER
	            : c->ensemble  ? BY_TREES
	                           : BY_MINIMAL;
	b->value_offset = value_offset;
	b->n_chunks = rows->m / CHUNK + (rows->m % CHUNK != 0);
	atomic_init(&b->end, b->n_chunks);
	b->bad_row = BATCH_NO_ROW;
	b->masked = b->engine < BY_MINIMAL && !request->k && rows->n <= COVER_MASKED;
	b->sorted_masks = b->masked && request->sorted && rows->n <= COVER_KEYED;
	b->priced_masks = b->sorted_masks && (request->cost || request->price);
	if (request->sorted && !b->sorted_masks)
		b->masked = false;
	symcf_status status = open_columns(b);
	if (!status)
		status = open_values(b);
	if (!status && !request->place) /* rows at other places are not equal */
		status = symcf_batch_find_equal_rows(b, control);
	if (!status)
		status = open_lock(b);
	if (status)
		symcf_batch_free(b);
	else
		*out = b;
	return status;
}

void symcf_columns_free(symcf_columns *c)
{
	if (!c)
		return;
	symcf_free(c->row_offsets);
	symcf_free(c->status);
	symcf_free(c->prediction);
	symcf_growing_map_close(&c->set_offsets);
	symcf_growing_map_close(&c->features);
	memset(c, 0, sizeof *c);
}

void symcf_batch_free(symcf_batch *b)
{
	if (!b)
		return;
	if (b->has_lock)
		symcf_lock_close(&b->lock, &b->changed);
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

/* -------------------------------------------------------- failures and waiting --------------- */

/* Seconds; see symcf_batch_wait. */
static const double LONGEST_WAIT = 0.02;

symcf_status symcf_batch_fail(symcf_batch *b, uint64_t chunk, symcf_status status)
{
	symcf_lock_take(&b->lock);
	if (!b->failure || chunk < b->end) {
		b->failure = status;
		b->end = chunk;
	}
	symcf_condition_signal(&b->changed);
	symcf_lock_release(&b->lock);
	return SYMCF_MORE;
}

symcf_status symcf_batch_unless_late(batch_worker *w, symcf_status status)
{
	if (status != SYMCF_LIMIT_TIME)
		return status;
	w->late = true;
	w->control->deadline = 0;
	return SYMCF_OK;
}

static void wake_all(symcf_batch *b)
{
	symcf_lock_take(&b->lock);
	symcf_condition_signal(&b->changed);
	symcf_lock_release(&b->lock);
}

symcf_status symcf_batch_wait(batch_worker *w)
{
	symcf_batch *b = w->b;
	b->sleepers++;
	symcf_condition_wait(&b->changed, &b->lock, LONGEST_WAIT);
	b->sleepers--;
	symcf_lock_release(&b->lock);
	const symcf_status status = symcf_batch_unless_late(w, symcf_poll(w->control));
	symcf_lock_take(&b->lock);
	return status;
}

/* ---------------------------------------------------------------------- chunks --------------- */

/* Bytes of solved chunks up to which a thread goes on instead of waiting for a place for them. */
enum { MOST_WAITING_BYTES = 1 << 20 };

static uint64_t first_row(uint64_t chunk)
{
	return chunk * CHUNK;
}

static uint32_t rows_of(const symcf_batch *b, uint64_t chunk)
{
	const uint64_t left = b->rows.m - first_row(chunk);
	return left < CHUNK ? (uint32_t)left : CHUNK;
}

/* ----------------------------------------------------------------------- place --------------- */

/* Where each row of the chunk begins, repeated ones with the size of their originals.
 * requires: the lock, and that all earlier chunks have been placed.
 * ensures: SYMCF_LIMIT_MEMORY if the columns have no room for them. */
static symcf_status place_rows(symcf_batch *b, const batch_part *p)
{
	const uint64_t first = first_row(p->chunk);
	const uint32_t count = rows_of(b, p->chunk);
	int64_t *set_start = b->columns.row_offsets, *feature_start = b->feature_start;
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t row = first + i;
		if (batch_is_repeated(b, row)) {
			const uint64_t same = b->original[row];
			set_start[row + 1] = set_start[row] + set_start[same + 1] - set_start[same];
			feature_start[row + 1] =
				feature_start[row] + feature_start[same + 1] - feature_start[same];
			continue;
		}
		set_start[row + 1] = set_start[row] + (int64_t)p->n_sets[i];
		feature_start[row + 1] = feature_start[row] + (int64_t)p->n_features[i];
		b->columns.status[row] = p->status[i];
		b->columns.prediction[row] = p->prediction[i];
	}
	const uint64_t n_sets = (uint64_t)set_start[first + count];
	const uint64_t n_features = (uint64_t)feature_start[first + count];
	const uint64_t bytes = batch_column_bytes(n_sets, n_features);
	if (bytes > b->request.max_memory || !symcf_charge(bytes - b->column_bytes))
		return SYMCF_LIMIT_MEMORY;
	b->column_bytes = bytes;
	symcf_status status =
		symcf_growing_map_reach(&b->columns.features, n_features * sizeof(int32_t));
	if (!status)
		status = symcf_growing_map_reach(&b->columns.set_offsets, (n_sets + 1) * sizeof(int64_t));
	return status;
}

/* Waits for its turn. ensures: SYMCF_MORE if the chunk is not wanted any more. */
static symcf_status place_part(batch_worker *w, const batch_part *p)
{
	symcf_batch *b = w->b;
	symcf_status status = SYMCF_OK;
	symcf_lock_take(&b->lock);
	while (!status && b->placed != p->chunk && batch_is_wanted(b, p->chunk))
		status = symcf_batch_wait(w);
	const bool interrupted = status;
	if (!interrupted)
		status = batch_is_wanted(b, p->chunk) ? place_rows(b, p) : SYMCF_MORE;
	b->placed += !status;
	const bool anyone = b->sleepers;
	symcf_lock_release(&b->lock);
	if (anyone)
		symcf_condition_signal(&b->changed);
	if (interrupted)
		symcf_batch_fail(b, 0, status);
	else if (status && status != SYMCF_MORE)
		status = symcf_batch_fail(b, p->chunk, status);
	return status;
}

/* ----------------------------------------------------------------------- write --------------- */

/* Rows that follow each other do so in the masks and in the columns: they are written as one. */
static void write_masks(const batch_worker *w, const batch_part *p)
{
	const symcf_batch *b = w->b;
	const int64_t *set_start = b->columns.row_offsets;
	const uint64_t *mask = w->masks.mask + p->first_set;
	const uint64_t first = first_row(p->chunk), end = first + rows_of(b, p->chunk);
	for (uint64_t row = first, next; row < end; row = next) {
		next = row + 1;
		if (batch_is_repeated(b, row))
			continue;
		while (next < end && !batch_is_repeated(b, next))
			next++;
		const uint64_t n_sets = (uint64_t)(set_start[next] - set_start[row]);
		const int64_t at = b->feature_start[row];
		symcf_unpack(mask, n_sets, b->rows.n, b->sorted_masks,
		             (int32_t *)b->columns.features.data + at, at,
		             (int64_t *)b->columns.set_offsets.data + 1 + set_start[row]);
		mask += n_sets;
	}
}

static void write_sets(const batch_worker *w, const batch_part *p)
{
	const symcf_batch *b = w->b;
	int64_t *end = (int64_t *)b->columns.set_offsets.data + 1;
	int32_t *features = b->columns.features.data;
	uint64_t set = p->first_set, feature = p->first_feature;
	const uint32_t count = rows_of(b, p->chunk);
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t row = first_row(p->chunk) + i;
		if (batch_is_repeated(b, row))
			continue;
		const int64_t at = b->feature_start[row];
		int64_t *row_end = end + b->columns.row_offsets[row];
		if (p->n_features[i]) /* an empty list may have no arrays yet */
			memcpy(features + at, w->sets.features + feature, p->n_features[i] * sizeof *features);
		for (uint64_t s = 0; s < p->n_sets[i]; s++)
			row_end[s] = at + (int64_t)(w->sets.end[set + s] - feature);
		set += p->n_sets[i];
		feature += p->n_features[i];
	}
}

static void write_part(const batch_worker *w, const batch_part *p)
{
	symcf_batch *b = w->b;
	if (b->masked)
		write_masks(w, p);
	else
		write_sets(w, p);
	if (atomic_fetch_add(&b->written, 1) + 1 == b->n_chunks)
		wake_all(b); /* who wants to copy */
	uint32_t solved = 0;
	for (uint32_t i = 0; i < rows_of(b, p->chunk); i++)
		solved += !batch_is_repeated(b, first_row(p->chunk) + i);
	atomic_fetch_add_explicit(&b->rows_done, solved, memory_order_relaxed);
}

/* ------------------------------------------------------------------------ work --------------- */

/* Has the thread solved so much that it should wait for places before it solves more? */
static bool is_full(const batch_worker *w)
{
	const uint64_t bytes = w->masks.count * sizeof *w->masks.mask +
	                       batch_column_bytes(w->sets.n_sets, w->sets.n_features);
	return w->waiting == MOST_WAITING || bytes > MOST_WAITING_BYTES;
}

static bool is_turn_of(symcf_batch *b, uint64_t chunk)
{
	return atomic_load_explicit(&b->placed, memory_order_relaxed) == chunk ||
	       !batch_is_wanted(b, chunk);
}

/* Places and writes the oldest of the chunks that wait. */
static symcf_status settle_oldest(batch_worker *w)
{
	const batch_part *p = &w->part[w->oldest];
	const symcf_status status = place_part(w, p);
	if (!status)
		write_part(w, p);
	w->oldest = (w->oldest + 1) % (MOST_WAITING + 1);
	if (--w->waiting == 0) {
		w->masks.count = w->masks.n_features = 0;
		symcf_sets_clear(&w->sets);
	}
	return status;
}

static bool take_chunk(batch_worker *w)
{
	w->now = &w->part[(w->oldest + w->waiting) % (MOST_WAITING + 1)];
	w->now->chunk = atomic_fetch_add(&w->b->next_chunk, 1);
	return w->now->chunk < w->b->n_chunks;
}

static symcf_status work_on_chunk(batch_worker *w)
{
	symcf_batch *b = w->b;
	symcf_status status =
		symcf_batch_solve_chunk(w, first_row(w->now->chunk), rows_of(b, w->now->chunk));
	if (status)
		return status;
	w->waiting++;
	const bool full = is_full(w); /* then all of them: only that makes room */
	while (!status && w->waiting && (full || is_turn_of(b, w->part[w->oldest].chunk)))
		status = settle_oldest(w);
	return status ? status : symcf_batch_unless_late(w, symcf_tick(w->control, CHUNK * 20));
}

static symcf_status open_worker(batch_worker *w, symcf_batch *b, symcf_control *control)
{
	const symcf_batch_request *r = &b->request;
	memset(w, 0, sizeof *w);
	w->b = b;
	w->control = control;
	w->query = (symcf_query){NULL, NULL, r->cost, r->max_changes, r->reasons};
	w->x = symcf_allocate(b->rows.n, sizeof *w->x);
	w->values = symcf_allocate(b->rows.n, sizeof *w->values);
	w->allowed = symcf_allocate(b->value_offset[b->rows.n], sizeof *w->allowed);
	w->multiclass = symcf_allocate_zeroed(b->classifier.n_classes, sizeof *w->multiclass);
	w->minimal = symcf_allocate_zeroed(b->classifier.n_classes, sizeof *w->minimal);
	w->trees = symcf_allocate_zeroed(b->classifier.n_classes, sizeof *w->trees);
	if (!w->x || !w->values || !w->allowed || !w->multiclass || !w->minimal || !w->trees)
		return symcf_no_memory();
	return symcf_batch_open_prices(w);
}

static void close_worker(batch_worker *w)
{
	symcf_cover_free(w->cover);
	symcf_within_free(w->within);
	symcf_likely_cover_free(w->likely);
	for (uint32_t k = 0; k < w->b->classifier.n_classes; k++) {
		if (w->multiclass)
			symcf_multiclass_cover_free(w->multiclass[k]);
		if (w->minimal)
			symcf_minimal_free(w->minimal[k]);
		if (w->trees)
			symcf_ensemble_close(w->trees[k]);
	}
	symcf_batch_close_prices(w);
	symcf_free(w->multiclass);
	symcf_free(w->trees);
	symcf_free(w->minimal);
	symcf_free(w->x);
	symcf_free(w->values);
	symcf_free(w->allowed);
	symcf_cover_masks_free(&w->masks);
	symcf_sets_free_arrays(&w->sets);
}

/* Does the status come from the row, so that it would be the same on any thread? */
static bool is_about_a_row(symcf_status status)
{
	return status == SYMCF_LIMIT_NODES || status == SYMCF_LIMIT_MEMORY;
}

symcf_status symcf_batch_work(symcf_batch *b, symcf_control *control)
{
	symcf_control endless = {0};
	control = control ? control : &endless;
	const double deadline = control->deadline;
	symcf_budget *const before = b->budget ? symcf_budget_enter(b->budget) : symcf_budget_now();
	batch_worker *w = symcf_allocate(1, sizeof *w);
	symcf_status status = w ? open_worker(w, b, control) : symcf_no_memory();
	while (!status && take_chunk(w))
		status = work_on_chunk(w);
	if (status && status != SYMCF_MORE)
		symcf_batch_fail(b, w && w->now && is_about_a_row(status) ? w->now->chunk : 0, status);
	while (w && w->waiting) { /* after a failure, too: an earlier chunk may fail as well */
		const symcf_status settled = settle_oldest(w);
		status = status && status != SYMCF_MORE ? status : settled ? settled : status;
	}
	if (!status && b->original) {
		status = symcf_batch_copy_repeated(w);
		if (status && status != SYMCF_MORE)
			symcf_batch_fail(b, 0, status);
	}
	control->deadline = deadline;
	if (w)
		close_worker(w);
	symcf_free(w);
	symcf_budget_enter(before);
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
		if (b->budget == symcf_budget_now())
			symcf_refund(b->column_bytes);
		b->column_bytes = 0;
		return b->failure;
	}
	if (!c->row_offsets || symcf_batch_progress(b) != b->rows.m)
		return SYMCF_MORE;
	c->n_sets = (uint64_t)c->row_offsets[b->rows.m];
	c->n_features = (uint64_t)b->feature_start[b->rows.m];
	symcf_growing_map_trim(&c->set_offsets, (c->n_sets + 1) * sizeof(int64_t));
	symcf_growing_map_trim(&c->features, c->n_features * sizeof(int32_t));
	*out = *c;
	memset(c, 0, sizeof *c);
	return SYMCF_OK;
}
