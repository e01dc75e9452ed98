/* cover.c: all minimal changes of a threshold function, without a diagram.
 *
 * To flip f(x) = [bias + sum of weights >= 0], each changed feature j contributes at most gain[j]
 * towards the other side, and `deficit` has to be gained. So the change sets are the minimal
 * covers: sets of features whose gains sum to the deficit or more, none of which can be left out.
 *
 * The search picks positions in falling order of gain (see cover.h). Two facts make it simple:
 *
 *   - A set is completed by its smallest member. Without that member the sum was below the
 *     deficit, so without any other, larger one it is too: what the search completes is minimal,
 *     and each minimal cover is completed exactly once, along its own falling order.
 *   - From a prefix that lacks t, position i may come next iff what is left from i on sums to t or
 *     more. Then taking positions one by one from i completes a cover, so no branch is fruitless:
 *     a set costs O(n) at most, whatever their number. With max_changes, "what is left" is the
 *     next so many positions, the largest that remain, and the argument holds unchanged.
 *
 * The stack holds only prefixes with another extension to visit, so returning never leads into an
 * empty branch.
 *
 * Positions that complete the prefix come first among its extensions and in a row, because gains
 * fall: limits and room are looked at once per run, not once per set.
 *
 * One search serves all outputs. It counts sets; or it makes masks, for batches: the prefix is a
 * bit mask, and a set is the sum of that and one bit; or it lists the features of sets, ascending.
 * Up to 64 features, a listed set is written by scanning the bits of its mask; beyond, the prefix is
 * also kept sorted and a set is a copy of it with one feature slipped in.
 *
 * Sufficient reasons are minimal covers as well, of another deficit: see `mirror`. */
#include "cover.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

/* --------------------------------------------------------------- the instance ---------------- */

static void rewind_search(symcf_cover *e)
{
	e->started = false;
	e->done = !cover_exists(e);
}

/* From change sets to sufficient reasons. A set of features is sufficient iff all others together
 * gain less than the deficit, that is, iff its own gains reach what is too much of all gains: minimal
 * covers again. If all gains are not too much, nothing has to be covered. */
static void mirror(symcf_cover *e)
{
	e->deficit = e->rest[0] - e->deficit + 1;
	if (e->deficit <= 0)
		e->m = 0;
}

symcf_status symcf_cover_reset(symcf_cover *e, const symcf_query *q)
{
	int64_t score = e->t->bias;
	for (uint32_t i = 0; i < e->t->n; i++)
		score += e->t->weight[e->shape[i].offset + q->x[e->shape[i].feature]];
	e->deficit = score < 0 ? -score : score + 1;
	e->upwards = score < 0;
	symcf_cover_find_gains(e, q);
	e->gain[e->m] = e->rest[e->m] = 0;
	for (uint32_t i = e->m; i-- > 0;)
		e->rest[i] = e->rest[i + 1] + e->gain[i];
	if (q->reasons)
		mirror(e);
	e->max_changes = q->max_changes < e->m ? q->max_changes : e->m;
	rewind_search(e);
	return SYMCF_OK;
}

/* The engine itself is the first part. */
static symcf_cover *lay_out(arena *a, symcf_cover *e)
{
	const uint64_t n = e->t->n;
	symcf_cover *self = symcf_arena_take(a, 1, sizeof *self);
	symcf_cover_lay_out_ranks(a, e);
	e->shape = symcf_arena_take(a, n, sizeof *e->shape);
	e->spot = symcf_arena_take(a, n + 1, sizeof *e->spot);
	e->frame = symcf_arena_take(a, n + 1, sizeof *e->frame);
	e->gain = symcf_arena_take(a, n + 1, sizeof *e->gain);
	e->rest = symcf_arena_take(a, n + 1, sizeof *e->rest);
	e->feature = symcf_arena_take(a, n + 1, sizeof *e->feature);
	e->path = symcf_arena_take(a, n + 1, sizeof *e->path);
	e->sorted = symcf_arena_take(a, n + 1, sizeof *e->sorted);
	return self;
}

symcf_status symcf_cover_open(const symcf_threshold *t, const symcf_query *q, symcf_cover **out)
{
	symcf_cover plan = {.t = t};
	lay_out(&plan.arena, &plan);
	TRY(symcf_arena_open(&plan.arena));
	symcf_cover *e = lay_out(&plan.arena, &plan);
	*e = plan;
	symcf_cover_survey(e);
	*out = e;
	return symcf_cover_reset(e, q);
}

void symcf_cover_free(symcf_cover *e)
{
	if (!e)
		return;
	arena block = e->arena;
	symcf_arena_close(&block);
}

/* -------------------------------------------------------- prefixes of many features ---------- */

/* How many entries of the ascending list are below f. */
static uint32_t rank_of(const uint32_t *sorted, uint32_t count, uint32_t f)
{
	uint32_t low = 0;
	while (count) {
		const uint32_t half = count / 2;
		if (sorted[low + half] < f) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low;
}

static void append_to_prefix(symcf_cover *e, uint32_t size, uint32_t position)
{
	const uint32_t f = e->feature[position], r = rank_of(e->sorted, size, f);
	memmove(e->sorted + r + 1, e->sorted + r, (size - r) * sizeof f);
	e->sorted[r] = f;
	e->path[size] = position;
}

static void cut_prefix(symcf_cover *e, uint32_t size, uint32_t to_size)
{
	while (size > to_size) {
		const uint32_t r = rank_of(e->sorted, size, e->feature[e->path[size - 1]]);
		size--;
		memmove(e->sorted + r, e->sorted + r + 1, (size - r) * sizeof *e->sorted);
	}
}

/* ----------------------------------------------------------------- writing ------------------- */

/* What becomes of the sets. */
typedef enum output { TALLY, MASKS, LIST_MASKS, LIST_SORTED } output;

static inline void write_mask(uint32_t *to, uint64_t mask)
{
	do
		*to++ = (uint32_t)__builtin_ctzll(mask);
	while (mask &= mask - 1);
}

static inline void write_sorted(uint32_t *to, const uint32_t *sorted, uint32_t count, uint32_t f)
{
	const uint32_t r = rank_of(sorted, count, f);
	memcpy(to, sorted, r * sizeof f);
	to[r] = f;
	memcpy(to + r + 1, sorted + r, (count - r) * sizeof f);
}

/* Appends the sets that the spots first .. last - 1 complete, of `size` features each. Arrays with
 * enough capacity are not moved: a caller who has tallied may lend his own. */
static inline bool append_run(const symcf_cover *e, const cover_spot *first, const cover_spot *last,
                              uint32_t size, uint64_t mask, output mode, symcf_sets *sets)
{
	const uint64_t run = (uint64_t)(last - first);
	if (!symcf_grow(&sets->features, &sets->cap_features, sets->n_features + run * size,
	                sizeof *sets->features) ||
	    !symcf_grow(&sets->end, &sets->cap_sets, sets->n_sets + run, sizeof *sets->end))
		return false;
	uint32_t *const features = sets->features;
	uint64_t *end = sets->end + sets->n_sets, n_features = sets->n_features;
	for (const cover_spot *at = first; at < last; at++) {
		if (mode == LIST_MASKS)
			write_mask(features + n_features, mask | at->add);
		else
			write_sorted(features + n_features, e->sorted, size - 1, e->feature[at - e->spot]);
		*end++ = n_features += size;
	}
	sets->n_sets += run;
	sets->n_features = n_features;
	return true;
}

/* Makes room for the masks of another run, however long.
 * ensures: *room is how many masks there may be before the next look. */
static bool make_room(cover_masks *m, uint32_t longest_run, uint64_t last_set, uint64_t *room)
{
	if (!symcf_grow(&m->mask, &m->capacity, m->count + longest_run, sizeof *m->mask))
		return false;
	const uint64_t most = m->capacity - longest_run;
	*room = most < last_set ? most : last_set;
	return true;
}

/* ------------------------------------------------------------------ search ------------------- */

/* Of masks: feature j is bit j; or bit n - 1 - j; or that bit of a key (cover_masks.c). */
typedef enum layout { RISING, FALLING, KEYS } layout;

static void start_search(symcf_cover *e, layout bits)
{
	const uint32_t n = e->t->n;
	if (e->started)
		return;
	e->started = true;
	e->at = e->spot;
	e->size = e->n_frames = 0;
	e->missing = e->deficit;
	/* the size in a key is that of the sets that the prefix becomes by one more position */
	e->mask = bits == KEYS ? (UINT64_C(2) << n) - 1 : 0;
	e->step = bits == KEYS ? UINT64_C(1) << n : 0;
	for (uint32_t p = 0; p < e->m; p++) {
		const uint32_t shift = bits == RISING ? e->feature[p] : n - 1 - e->feature[p];
		const uint64_t bit = UINT64_C(1) << (shift & (COVER_MASKED - 1)); /* unused if n > 64 */
		e->spot[p] = (cover_spot){e->gain[p], e->rest[p], bits == KEYS ? -bit : bit};
	}
	e->spot[e->m] = (cover_spot){0, 0, 0};
}

/* The search of the opening comment, from where it stands, for at most `limit` sets. They go to
 * `sets` if the mode lists them, otherwise to `masks`, where TALLY changes only the two counts.
 * Always inlined, so that each mode with and without a cap on the size becomes a loop of its own. */
__attribute__((always_inline)) static inline symcf_status
search(symcf_cover *e, symcf_control *control, uint64_t limit, output mode, bool capped,
       cover_masks *masks, symcf_sets *sets)
{
#define REACH(s)                                                                                   \
	((s)->rest - (capped && max_changes - size < end - (s) ? (s)[max_changes - size].rest : 0))
	const bool lists = mode == LIST_MASKS || mode == LIST_SORTED;
	const cover_spot *at = e->at, *const end = e->spot + e->m;
	const uint32_t max_changes = e->max_changes;
	const uint64_t step = e->step;
	cover_frame *const bottom = e->frame, *top = bottom + e->n_frames;
	uint32_t size = e->size;
	int64_t t = e->missing;
	uint64_t mask = e->mask;
	uint64_t n_sets = lists ? sets->n_sets : masks->count,
			 n_features = lists ? 0 : masks->n_features;
	const uint64_t last_set = limit < UINT64_MAX - n_sets ? n_sets + limit : UINT64_MAX;
	uint64_t room = last_set;
	if (mode == MASKS && !make_room(masks, e->m, last_set, &room))
		return symcf_no_memory();
	uint64_t *to = mode == MASKS ? masks->mask + n_sets : NULL;
	symcf_status status = SYMCF_OK;
	bool done = e->done;
	while (!done) {
		const cover_spot *const first = at;
		for (; at->gain >= t; at++)
			if (mode == MASKS)
				*to++ = mask + at->add;
		n_sets += (uint64_t)(at - first);
		n_features += (uint64_t)(at - first) * (size + 1);
		if (n_sets > room) {
			const uint64_t over = n_sets > last_set ? n_sets - last_set : 0;
			if (over) { /* the rest of the run is for the next call */
				at -= over;
				n_sets -= over;
				n_features -= over * (size + 1);
				status = SYMCF_MORE;
			} else {
				masks->count = n_sets;
				if (!make_room(masks, e->m, last_set, &room))
					status = symcf_no_memory();
				to = masks->mask + n_sets;
			}
		}
		if (lists && at > first && !append_run(e, first, at, size + 1, mask, mode, sets)) {
			at = first;
			status = symcf_no_memory();
		}
		if (status != SYMCF_OK)
			break;
		if (REACH(at) < t) {
			if (top == bottom) {
				done = true;
				break;
			}
			if ((status = symcf_tick(control, 16)) != SYMCF_OK)
				break;
			top--;
			if (mode == LIST_SORTED)
				cut_prefix(e, size, top->size);
			at = top->next;
			t = top->missing;
			size = top->size;
			mask = top->mask;
		}
		assert(at->gain < t && REACH(at) >= t);
		if (REACH(at + 1) >= t)
			*top++ = (cover_frame){at + 1, t, mask, size};
		if (mode == LIST_SORTED)
			append_to_prefix(e, size, (uint32_t)(at - e->spot));
		mask += at->add + step;
		size++;
		t -= at->gain;
		at++;
	}
	if (!lists) {
		masks->count = n_sets;
		masks->n_features = n_features;
	}
	e->done = done;
	e->at = at;
	e->size = size;
	e->n_frames = (uint32_t)(top - bottom);
	e->missing = t;
	e->mask = mask;
	return status;
#undef REACH
}

/* Where nothing has to be covered, the empty set is the only cover. */
static inline bool has_only_empty(const symcf_cover *e)
{
	return e->deficit <= 0;
}

/* Says how a search for it ends. ensures: *wanted if it is to be given now. */
static symcf_status give_empty(symcf_cover *e, uint64_t limit, bool *wanted)
{
	*wanted = !e->done && limit;
	if (!e->done && !limit)
		return SYMCF_MORE;
	e->done = true;
	return SYMCF_OK;
}

static symcf_status give_empty_mask(symcf_cover *e, uint64_t limit, uint64_t mask,
                                    cover_masks *masks)
{
	bool wanted;
	if (!symcf_grow(&masks->mask, &masks->capacity, masks->count + 1, sizeof *masks->mask))
		return symcf_no_memory();
	const symcf_status status = give_empty(e, limit, &wanted);
	if (wanted)
		masks->mask[masks->count++] = mask;
	return status;
}

static symcf_status give_empty_set(symcf_cover *e, uint64_t limit, symcf_sets *sets)
{
	bool wanted = true;
	const symcf_status status = give_empty(e, limit, &wanted);
	if (!wanted)
		return status;
	const symcf_status pushed = symcf_sets_push(sets, NULL, 0);
	e->done = pushed == SYMCF_OK;
	return pushed;
}

#define SEARCH(mode, masks, sets)                                                                  \
	(e->max_changes < e->m ? search(e, control, limit, mode, true, masks, sets)                    \
	                       : search(e, control, limit, mode, false, masks, sets))

symcf_status symcf_cover_next(symcf_cover *e, symcf_control *control, uint64_t limit,
                              symcf_sets *sets)
{
	if (has_only_empty(e))
		return give_empty_set(e, limit, sets);
	start_search(e, RISING);
	return e->t->n <= COVER_MASKED ? SEARCH(LIST_MASKS, NULL, sets)
	                               : SEARCH(LIST_SORTED, NULL, sets);
}

symcf_status symcf_cover_next_masks(symcf_cover *e, symcf_control *control, uint64_t limit,
                                    bool keys, cover_masks *masks)
{
	assert(e->t->n <= (keys ? COVER_KEYED : COVER_MASKED));
	if (has_only_empty(e))
		return give_empty_mask(e, limit, keys ? (UINT64_C(1) << e->t->n) - 1 : 0, masks);
	start_search(e, keys ? KEYS : FALLING);
	return SEARCH(MASKS, masks, NULL);
}

symcf_status symcf_cover_tally_some(symcf_cover *e, symcf_control *control, uint64_t limit,
                                    uint64_t *n_sets, uint64_t *n_features)
{
	cover_masks tally = {0};
	rewind_search(e);
	if (has_only_empty(e)) {
		*n_sets = limit > 0;
		*n_features = 0;
		return limit ? SYMCF_OK : SYMCF_MORE;
	}
	start_search(e, RISING);
	const symcf_status status = SEARCH(TALLY, &tally, NULL);
	rewind_search(e);
	*n_sets = tally.count;
	*n_features = tally.n_features;
	return status;
}

symcf_status symcf_cover_tally(symcf_cover *e, symcf_control *control, uint64_t *n_sets,
                               uint64_t *n_features)
{
	return symcf_cover_tally_some(e, control, UINT64_MAX, n_sets, n_features);
}
