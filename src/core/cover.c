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
 * Positions that complete the prefix come first among its extensions and in a row, because gains
 * fall. The stack holds only prefixes with another extension to visit, so returning never leads
 * into an empty branch.
 *
 * Sets leave in ascending order of features. Up to 64 features a prefix is a bit mask and a set is
 * written by scanning its bits; beyond, the prefix is also kept sorted and a set is a copy of it
 * with one feature slipped in. Measured at n = 25 (6.7 features a set) against the bit scan: a
 * sorted prefix of bytes in registers took 1.5 to 1.9 times as long, a sorted prefix with ranks kept
 * up to date 1.5, with ranks counted 2.2, a table of byte patterns 1.15, a scan with a counted loop
 * 1.2; a stack that returns to every prefix 1.02. The search without any writing takes 0.6. */
#include "cover.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

/* --------------------------------------------------------------- the instance ---------------- */

static void rewind_search(symcf_cover *e)
{
	e->position = e->size = e->n_frames = 0;
	e->missing = e->deficit;
	e->mask = 0;
	e->done = !cover_exists(e);
}

symcf_status symcf_cover_reset(symcf_cover *e, const symcf_query *q)
{
	int64_t score = e->t->bias;
	for (uint32_t i = 0; i < e->t->n; i++)
		score += e->t->weight[e->shape[i].offset + q->x[e->shape[i].feature]];
	e->deficit = score < 0 ? -score : score + 1;
	e->upwards = score < 0;
	cover_find_gains(e, q);
	e->gain[e->m] = e->rest[e->m] = 0;
	for (uint32_t i = e->m; i-- > 0;)
		e->rest[i] = e->rest[i + 1] + e->gain[i];
	e->max_changes = q->max_changes < e->m ? q->max_changes : e->m;
	rewind_search(e);
	return SYMCF_OK;
}

/* The engine itself is the first part. */
static symcf_cover *lay_out(arena *a, symcf_cover *e)
{
	const uint64_t n = e->t->n;
	symcf_cover *self = arena_take(a, 1, sizeof *self);
	cover_lay_out_ranks(a, e);
	e->shape = arena_take(a, n, sizeof *e->shape);
	e->frame = arena_take(a, n + 1, sizeof *e->frame);
	e->gain = arena_take(a, n + 1, sizeof *e->gain);
	e->rest = arena_take(a, n + 1, sizeof *e->rest);
	e->feature = arena_take(a, n + 1, sizeof *e->feature);
	e->path = arena_take(a, n + 1, sizeof *e->path);
	e->sorted = arena_take(a, n + 1, sizeof *e->sorted);
	return self;
}

symcf_status symcf_cover_open(const symcf_threshold *t, const symcf_query *q, symcf_cover **out)
{
	symcf_cover plan = {.t = t};
	lay_out(&plan.arena, &plan);
	TRY(arena_open(&plan.arena));
	symcf_cover *e = lay_out(&plan.arena, &plan);
	*e = plan;
	cover_survey(e);
	*out = e;
	return symcf_cover_reset(e, q);
}

void symcf_cover_free(symcf_cover *e)
{
	if (!e)
		return;
	arena block = e->arena;
	arena_close(&block);
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

typedef enum output { TALLY, LIST_MASKS, LIST_SORTED } output;

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

/* Makes room for one set more, of `size` features. Arrays that have it are not moved: a caller who
 * has tallied may lend his own. */
static symcf_status make_room(symcf_sets *s, uint64_t last_set, uint32_t size)
{
	if (s->n_sets == last_set)
		return SYMCF_MORE;
	if (!symcf_grow(&s->features, &s->cap_features, s->n_features + size, sizeof *s->features) ||
	    !symcf_grow(&s->end, &s->cap_sets, s->n_sets + 1, sizeof *s->end))
		return SYMCF_NO_MEMORY;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ search ------------------- */

/* The search of the opening comment, from where it stands, for at most `limit` sets. Always
 * inlined, so that each mode with and without a cap on the size becomes a loop of its own. */
__attribute__((always_inline)) static inline symcf_status search(symcf_cover *e,
                                                                 symcf_control *control,
                                                                 uint64_t limit, symcf_sets *sets,
                                                                 output mode, bool capped)
{
#define REACH(i) (capped ? cover_reach(e, (i), e->max_changes - size) : rest[i])
	const int64_t *const gain = e->gain, *const rest = e->rest;
	const uint32_t *const feature = e->feature;
	cover_frame *const frame = e->frame;
	uint32_t p = e->position, size = e->size, n_frames = e->n_frames;
	int64_t t = e->missing;
	uint64_t mask = e->mask;
	/* In plain variables, for registers; *sets is brought up to date when it matters. */
	uint64_t n_sets = sets->n_sets, n_features = sets->n_features;
	const uint64_t last_set = limit < UINT64_MAX - n_sets ? n_sets + limit : UINT64_MAX;
	uint64_t room = mode == TALLY ? last_set : n_sets;
	uint64_t feature_room = mode == TALLY ? UINT64_MAX : n_features;
	uint32_t *features = sets->features;
	uint64_t *end = sets->end;
	symcf_status status = SYMCF_OK;
	bool done = e->done;
	while (!done) {
		for (; gain[p] >= t; p++) {
			if (n_sets == room || feature_room - n_features <= size) {
				sets->n_sets = n_sets;
				sets->n_features = n_features;
				if (mode == TALLY)
					status = SYMCF_MORE;
				else
					status = make_room(sets, last_set, size + 1);
				if (status != SYMCF_OK)
					goto pause;
				room = last_set < sets->cap_sets ? last_set : sets->cap_sets;
				feature_room = sets->cap_features;
				features = sets->features;
				end = sets->end;
			}
			if (mode == LIST_MASKS)
				write_mask(features + n_features, mask | 1ull << feature[p]);
			if (mode == LIST_SORTED)
				write_sorted(features + n_features, e->sorted, size, feature[p]);
			n_features += size + 1;
			if (mode != TALLY)
				end[n_sets] = n_features;
			n_sets++;
		}
		if (REACH(p) < t) {
			if (!n_frames) {
				done = true;
				break;
			}
			if ((status = symcf_tick(control, 16)) != SYMCF_OK)
				break;
			const cover_frame *f = &frame[--n_frames];
			if (mode == LIST_SORTED)
				cut_prefix(e, size, f->size);
			p = f->position;
			t = f->missing;
			size = f->size;
			mask = f->mask;
		}
		assert(gain[p] < t && REACH(p) >= t);
		if (REACH(p + 1) >= t)
			frame[n_frames++] = (cover_frame){t, mask, p + 1, size};
		if (mode == LIST_MASKS)
			mask |= 1ull << feature[p];
		if (mode == LIST_SORTED)
			append_to_prefix(e, size, p);
		size++;
		t -= gain[p++];
	}
pause:
	e->done = done;
	e->position = p;
	e->size = size;
	e->n_frames = n_frames;
	e->missing = t;
	e->mask = mask;
	sets->n_sets = n_sets;
	sets->n_features = n_features;
	return status;
#undef REACH
}

symcf_status symcf_cover_next(symcf_cover *e, symcf_control *control, uint64_t limit,
                              symcf_sets *sets)
{
	const bool capped = e->max_changes < e->m;
	if (e->t->n <= COVER_MASKED)
		return capped ? search(e, control, limit, sets, LIST_MASKS, true)
		              : search(e, control, limit, sets, LIST_MASKS, false);
	return capped ? search(e, control, limit, sets, LIST_SORTED, true)
	              : search(e, control, limit, sets, LIST_SORTED, false);
}

symcf_status cover_tally_some(symcf_cover *e, symcf_control *control, uint64_t limit,
                              uint64_t *n_sets, uint64_t *n_features)
{
	symcf_sets tally = {0};
	rewind_search(e);
	const symcf_status status = e->max_changes < e->m
	                                ? search(e, control, limit, &tally, TALLY, true)
	                                : search(e, control, limit, &tally, TALLY, false);
	rewind_search(e);
	*n_sets = tally.n_sets;
	*n_features = tally.n_features;
	return status;
}

symcf_status symcf_cover_tally(symcf_cover *e, symcf_control *control, uint64_t *n_sets,
                               uint64_t *n_features)
{
	return cover_tally_some(e, control, UINT64_MAX, n_sets, n_features);
}
