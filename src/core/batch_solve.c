/* batch_solve.c: the rows of a chunk -> change sets, in the memory of the thread that solves it. */
#include "batch.h"

#include "memory.h"

enum { STEP = 1 << 22 }; /* features listed, at most, between two looks at the memory taken */

static symcf_status fail_at_row(symcf_batch *b, uint64_t row, uint32_t feature)
{
	symcf_lock_take(&b->lock);
	if (row < b->bad_row) {
		b->bad_row = row;
		b->bad_feature = feature;
	}
	symcf_lock_release(&b->lock);
	return symcf_batch_fail(b, row / CHUNK, SYMCF_INVALID);
}

/* What the features may become: what the request allows, in the direction it allows. */
static const uint8_t *allowed_for(batch_worker *w)
{
	const symcf_batch *b = w->b;
	const uint8_t *direction = b->request.direction;
	const uint32_t *offset = b->value_offset;
	if (!direction)
		return b->allowed;
	for (uint32_t j = 0; j < b->rows.n; j++) {
		const int64_t value = b->rows.group ? w->values[j] : w->x[j];
		for (uint32_t code = offset[j]; code < offset[j + 1]; code++) {
			const batch_range *r = &b->values[code];
			w->allowed[code] = direction[j] == SYMCF_UP     ? r->greatest > value
			                   : direction[j] == SYMCF_DOWN ? r->least < value
			                                                : b->allowed[code];
		}
	}
	return w->allowed;
}

static uint64_t sets_held(const batch_worker *w)
{
	return w->b->masked ? w->masks.count : w->sets.n_sets;
}

static uint64_t features_held(const batch_worker *w)
{
	return w->b->masked ? w->masks.n_features : w->sets.n_features;
}

/* Which engine has to answer, and for diagrams where to. Of many classes, the one diagram to ask is
 * that of the target or, for any other class, that of the row's own. */
static void set_goal(batch_worker *w, uint32_t class)
{
	const symcf_batch *b = w->b;
	const bool aims = b->request.target >= 0;
	w->class = class;
	if (b->request.goals) {
		w->which = b->engine == BY_TREES ? b->request.goals[class].k : class;
		w->sink = b->request.goals[class].sink;
	} else if (b->engine >= BY_MINIMAL && b->classifier.n_classes == 2) {
		w->which = b->engine == BY_TREES;
		w->sink = !class;
	} else if (b->engine >= BY_MINIMAL) {
		w->which = aims ? (uint32_t)b->request.target : class;
		w->sink = aims;
	} else {
		w->which = class;
	}
}

/* The functions that say which classes are preferred to the row's. */
static const symcf_threshold *const *rivals_of(const batch_worker *w)
{
	return w->b->classifier.beats + (uint64_t)w->which * w->b->classifier.n_classes;
}

/* Gets the engine ready for the row. */
static symcf_status open_engine(batch_worker *w)
{
	const symcf_batch *b = w->b;
	const symcf_classifier *c = &b->classifier;
	if (b->engine == BY_MINIMAL) {
		symcf_minimal **e = &w->minimal[w->which];
		const symcf_diagram *d =
			b->request.goals ? b->request.goals[w->which].d : c->diagrams[w->which];
		if (!d)
			return SYMCF_INTERNAL; /* a goal is missing */
		return *e ? symcf_minimal_reset(*e, &w->query, w->sink, w->control)
		          : symcf_minimal_open(d, b->value_offset, &w->query, w->sink, w->control, e);
	}
	if (b->engine == BY_WITHIN)
		return w->within ? symcf_within_reset(w->within, &w->query, w->control)
		                 : symcf_within_open(c->t, b->request.relation, &w->query, w->control,
		                                     &w->within);
	if (b->engine == BY_LIKELY && w->likely) {
		symcf_likely_cover_reset(w->likely, &w->query);
		return SYMCF_OK;
	}
	if (b->engine == BY_LIKELY)
		return symcf_likely_cover_open(c->t, b->request.likely, &w->query, &w->likely);
	if (b->request.k)
		return SYMCF_OK; /* the search for the best has an engine of its own */
	if (b->engine == BY_MULTICLASS_COVER) {
		symcf_multiclass_cover **e = &w->multiclass[w->which];
		const symcf_status status =
			*e ? symcf_multiclass_cover_reset(*e, &w->query)
			   : symcf_multiclass_cover_open(rivals_of(w), c->n_classes, &w->query, e);
		return status == SYMCF_INVALID ? SYMCF_INTERNAL : status; /* no fault of the row */
	}
	if (w->cover)
		return symcf_cover_reset(w->cover, &w->query);
	return symcf_cover_open(c->t, &w->query, &w->cover);
}

/* At most `limit` sets more. */
static symcf_status next_sets(batch_worker *w, uint64_t limit)
{
	const symcf_batch *b = w->b;
	if (b->engine == BY_MINIMAL)
		return symcf_minimal_next(w->minimal[w->which], w->control, limit, &w->sets);
	if (b->engine == BY_MULTICLASS_COVER && b->masked)
		return symcf_multiclass_cover_next_masks(w->multiclass[w->which], w->control, limit, true,
		                                         &w->masks);
	if (b->engine == BY_MULTICLASS_COVER)
		return symcf_multiclass_cover_next(w->multiclass[w->which], w->control, limit, &w->sets);
	if (b->engine == BY_WITHIN && b->masked)
		return symcf_within_next_masks(w->within, w->control, limit, &w->masks);
	if (b->engine == BY_LIKELY && b->masked)
		return symcf_likely_cover_next_masks(w->likely, w->control, limit, &w->masks);
	if (b->engine == BY_LIKELY)
		return symcf_likely_cover_next(w->likely, w->control, limit, &w->sets);
	if (b->engine == BY_WITHIN)
		return symcf_within_next(w->within, w->control, limit, &w->sets);
	if (b->masked)
		return symcf_cover_next_masks(w->cover, w->control, limit, b->sorted_masks, &w->masks);
	return symcf_cover_next(w->cover, w->control, limit, &w->sets);
}

static symcf_status best_sets(batch_worker *w, uint32_t class, uint64_t k)
{
	const symcf_classifier *c = &w->b->classifier;
	if (w->b->request.price)
		return symcf_batch_best_priced(w, class, k);
	if (w->b->engine == BY_MINIMAL)
		return symcf_minimal_best(w->minimal[w->which], w->b->request.cost, k, w->control,
		                          &w->sets);
	if (w->b->engine == BY_WITHIN)
		return symcf_within_best(w->within, k, w->control, &w->sets);
	if (w->b->engine == BY_LIKELY)
		return symcf_likely_cover_best(w->likely, k, w->control, &w->sets);
	if (w->b->engine == BY_MULTICLASS_COVER)
		return symcf_multiclass_cover_best(rivals_of(w), c->n_classes, &w->query, k, w->control,
		                                   &w->sets);
	return symcf_cover_best(c->t, &w->query, k, w->control, &w->sets);
}

/* Has this thread alone found more than the columns may hold? */
static bool is_too_large(const batch_worker *w)
{
	return batch_column_bytes(sets_held(w), features_held(w)) > w->b->request.max_memory;
}

/* Seconds that writing a byte of the columns takes where the memory is new and the system has to
 * clear it: sets are found faster than that. */
static const double SECONDS_A_BYTE = 3e-9;

/* Does writing what this thread holds take what time is left? */
static bool is_time_to_write(const batch_worker *w)
{
	const double seconds =
		SECONDS_A_BYTE * (double)batch_column_bytes(sets_held(w), features_held(w));
	return w->control->deadline && symcf_clock() + seconds >= w->control->deadline;
}

/* At most `limit` sets, in steps that are small beside any memory worth limiting. */
static symcf_status list_sets(batch_worker *w, uint64_t limit)
{
	const uint64_t step = STEP / (w->b->rows.n + 1) + 1, first = sets_held(w);
	symcf_status status;
	do {
		const uint64_t left = limit - (sets_held(w) - first);
		status = next_sets(w, left < step ? left : step);
		if (status == SYMCF_MORE && is_time_to_write(w))
			status = SYMCF_LIMIT_TIME;
	} while (status == SYMCF_MORE && sets_held(w) - first < limit && !is_too_large(w));
	return status;
}

/* Puts the sets of the last row, from `first` on, in order. */
static symcf_status sort_row(batch_worker *w, uint32_t class, uint64_t first)
{
	if (!w->b->request.sorted || w->b->request.k)
		return SYMCF_OK;
	if (w->b->priced_masks)
		return symcf_batch_sort_priced_keys(w, class, first);
	if (w->b->request.price)
		return symcf_batch_sort_priced(w, class, first);
	if (w->b->sorted_masks)
		return symcf_cover_sort_keys(&w->masks, first, w->b->rows.n);
	return symcf_sets_sort_from(&w->sets, first, w->b->request.cost, w->control);
}

static symcf_status find_sets(batch_worker *w, uint32_t class, uint64_t k, uint64_t limit)
{
	if (w->b->engine == BY_TREES)
		return symcf_batch_trees_solve(w, k, limit);
	const symcf_status status = open_engine(w);
	if (status)
		return status;
	return k ? best_sets(w, class, k) : list_sets(w, limit);
}

/* The same where a row may have a time limit of its own, since some take a millisecond and some an hour.
 * ensures: *row_late if only the time of the row is up, and then SYMCF_OK. */
static symcf_status find_sets_in_time(batch_worker *w, uint32_t class, uint64_t k, uint64_t limit,
                                      bool *row_late)
{
	symcf_control *c = w->control;
	const double seconds = w->b->request.row_seconds;
	if ((w->b->engine != BY_TREES && w->b->engine != BY_LIKELY) || seconds <= 0)
		return find_sets(w, class, k, limit);
	const double deadline = c->deadline, own = symcf_clock() + seconds;
	const bool shorter = !deadline || own < deadline;
	if (shorter)
		c->deadline = own;
	const symcf_status status = find_sets(w, class, k, limit);
	c->deadline = deadline;
	*row_late = shorter && status == SYMCF_LIMIT_TIME && symcf_poll(c) == SYMCF_OK;
	return *row_late ? SYMCF_OK : status;
}

/* Solves the row that is in w->x; its sets come at the end of the worker's lists.
 * ensures: *row_status. */
static symcf_status solve_row(batch_worker *w, uint64_t row, uint32_t class, uint8_t *row_status)
{
	const symcf_batch_request *r = &w->b->request;
	const uint64_t first = sets_held(w), limit = r->max_results ? r->max_results : UINT64_MAX;
	const uint64_t most = r->max_memory / (sizeof(int64_t) + sizeof(int32_t)) + 1;
	const uint64_t k = r->k < limit ? r->k : limit;
	w->query.x = w->x;
	w->query.allowed = allowed_for(w);
	set_goal(w, class);
	bool row_late = false;
	symcf_status status = r->price ? symcf_batch_price_row(w, row, class) : SYMCF_OK;
	if (!status)
		status = find_sets_in_time(w, class, r->k ? (k < most ? k : most) : 0, limit, &row_late);
	const bool cut = status == SYMCF_MORE || (k < r->k && sets_held(w) - first == k);
	status = symcf_batch_unless_late(w, status);
	if (status && status != SYMCF_MORE)
		return status;
	if (is_too_large(w))
		return symcf_batch_fail(w->b, w->now->chunk, SYMCF_LIMIT_MEMORY);
	if (w->b->sorted_masks && !r->k && w->b->engine != BY_COVER)
		symcf_cover_masks_to_keys(&w->masks, first, w->b->rows.n); /* as keys they are read again */
	if (!w->late) /* otherwise the sets stay as they were found */
		status = symcf_batch_unless_late(w, sort_row(w, class, first));
	*row_status = w->late || row_late ? SYMCF_ROW_TIME
	              : cut               ? SYMCF_ROW_MAX_RESULTS
	                                  : SYMCF_ROW_COMPLETE;
	return status == SYMCF_MORE ? SYMCF_OK : status;
}

/* Reads the row into w->x and, where they matter, its own codes into w->values. */
static symcf_status read_row(batch_worker *w, uint64_t row, uint32_t *bad)
{
	const symcf_batch *b = w->b;
	if (b->rows.group && (b->request.direction || b->request.price)) {
		const symcf_status status =
			symcf_rows_values(&b->rows, row, b->value_offset, w->values, bad);
		if (status)
			return status;
	}
	return symcf_rows_get(&b->rows, row, b->value_offset, w->x, bad);
}

/* Solves the row that is in w->x, unless there is nothing to solve. */
static symcf_status answer_row(batch_worker *w, uint64_t row, uint32_t i)
{
	const symcf_batch *b = w->b;
	const uint32_t class = symcf_decide(&b->classifier, w->x);
	if (class >= b->classifier.n_classes)
		return SYMCF_INTERNAL;
	w->now->prediction[i] = (uint8_t)class;
	w->now->status[i] = SYMCF_ROW_TIME;
	if ((int)class == b->request.target)
		w->now->status[i] = SYMCF_ROW_AT_TARGET;
	else if (!w->late)
		return solve_row(w, row, class, &w->now->status[i]);
	return SYMCF_OK;
}

static symcf_status solve_chunk_row(batch_worker *w, uint64_t row, uint32_t i)
{
	symcf_batch *b = w->b;
	const uint64_t sets = sets_held(w), features = features_held(w);
	uint32_t bad = 0;
	symcf_status status = read_row(w, row, &bad);
	if (status && !b->request.mark_bad_rows)
		return fail_at_row(b, row, bad);
	if (status) {
		w->now->prediction[i] = 0;
		w->now->status[i] = SYMCF_ROW_INVALID;
		status = SYMCF_OK;
	} else {
		status = answer_row(w, row, i);
	}
	w->now->n_sets[i] = sets_held(w) - sets;
	w->now->n_features[i] = features_held(w) - features;
	return status;
}

symcf_status symcf_batch_solve_chunk(batch_worker *w, uint64_t first, uint32_t count)
{
	symcf_status status = SYMCF_OK;
	w->now->first_set = sets_held(w);
	w->now->first_feature = features_held(w);
	for (uint32_t i = 0; i < count && !status; i++) {
		if (batch_is_repeated(w->b, first + i))
			continue;
		status =
			batch_is_wanted(w->b, w->now->chunk) ? solve_chunk_row(w, first + i, i) : SYMCF_MORE;
	}
	return status;
}
