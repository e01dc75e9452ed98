/* multiclass_cover.c: all minimal changes to any other class, without a diagram.
 *
 * The class of x is kept as long as no rival is preferred to it, and "rival r is preferred" is a
 * threshold function. So a set of features is a way out iff it covers some rival: its gains for r
 * reach the deficit of r (cover.c). Let a *way out* be such a set; supersets are ways out as well, so
 * the change sets are the ways out S such that no S - j is one.
 *
 *   - S - j covers q iff sum_q(S) - gain_q(j) >= deficit_q. Gains are 0 or more, so this holds for some
 *     j in S iff it holds for the one that gains least. Hence a way out S is a change set iff, for
 *     every rival q,  sum_q(S) - min of gain_q over S < deficit_q.
 *   - For a rival that S does not cover this is so anyway. For one that it does, it says that S is a
 *     minimal cover of it. Hence a change set is a minimal cover of every rival that it covers, and
 *     there is such a rival: listing the minimal covers of each, those that break the condition left
 *     out, finds all change sets; each is found once if only the first rival that it covers reports it.
 *
 * The search is that of cover.c, for one rival after the other, and keeps what the prefix lacks for
 * all of them. A prefix that covers another rival is not extended: whatever extends it would
 * contain a smaller way out. Unlike there, a branch may be fruitless.
 *
 * Rivals that no set within max_changes covers are left out. The others take turns by the fewest
 * changes they need, so that a caller who wants few sets has them early. */
#include "multiclass_cover.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

/* --------------------------------------------------------------- the instance ---------------- */

/* How many changes a cover needs at least. requires: there is one. */
static uint32_t fewest_changes(const symcf_cover *c)
{
	uint32_t size = 1;
	while (cover_reach(c, 0, size) < c->deficit)
		size++;
	return size;
}

/* Appends a rival to those able to win, in order of fewest changes, equal ones as given. */
static void admit(symcf_multiclass_cover *e, symcf_cover *c)
{
	const uint32_t fewest = fewest_changes(c);
	uint32_t at = e->n_able++;
	for (; at && e->fewest[at - 1] > fewest; at--) {
		e->fewest[at] = e->fewest[at - 1];
		e->able[at] = e->able[at - 1];
	}
	e->fewest[at] = fewest;
	e->able[at] = c;
}

static void rewind_search(symcf_multiclass_cover *e)
{
	e->turn = e->position = e->size = 0;
	for (uint32_t r = 0; r < e->n_able; r++)
		e->missing[r] = e->able[r]->deficit;
}

static void collect_gains(symcf_multiclass_cover *e)
{
	memset(e->gain, 0, (uint64_t)e->n * e->n_able * sizeof *e->gain);
	for (uint32_t r = 0; r < e->n_able; r++) {
		const symcf_cover *c = e->able[r];
		for (uint32_t p = 0; p < c->m; p++)
			e->gain[(uint64_t)c->feature[p] * e->n_able + r] = c->gain[p];
	}
}

symcf_status symcf_multiclass_cover_reset(symcf_multiclass_cover *e, const symcf_query *q)
{
	symcf_status status = SYMCF_OK;
	e->n_able = 0;
	for (uint32_t r = 0; r < e->n_rivals; r++) {
		symcf_cover *c = e->cover[r];
		symcf_cover_reset(c, q);
		if (!c->upwards)
			status = SYMCF_INVALID;
		if (cover_exists(c))
			admit(e, c);
	}
	if (status)
		e->n_able = 0;
	collect_gains(e);
	rewind_search(e);
	return status;
}

static symcf_status open_covers(symcf_multiclass_cover *e, const symcf_threshold *const *rival,
                                uint32_t n_rivals, const symcf_query *q)
{
	symcf_status status = SYMCF_OK;
	for (uint32_t r = 0; r < n_rivals && !status; r++)
		if (rival[r] && !(status = symcf_cover_open(rival[r], q, &e->cover[e->n_rivals])))
			e->n = e->cover[e->n_rivals++]->t->n;
	return status;
}

static void lay_out(arena *a, symcf_multiclass_cover *e)
{
	e->able = symcf_arena_take(a, e->n_rivals, sizeof *e->able);
	e->gain = symcf_arena_take(a, (uint64_t)e->n * e->n_rivals, sizeof *e->gain);
	e->missing = symcf_arena_take(a, e->n_rivals, sizeof *e->missing);
	e->fewest = symcf_arena_take(a, e->n_rivals, sizeof *e->fewest);
	e->path = symcf_arena_take(a, (uint64_t)e->n + 1, sizeof *e->path);
	e->member = symcf_arena_take(a, (uint64_t)e->n + 1, sizeof *e->member);
}

static symcf_status open_search(symcf_multiclass_cover *e, const symcf_query *q)
{
	lay_out(&e->arena, e);
	TRY(symcf_arena_open(&e->arena));
	lay_out(&e->arena, e);
	return symcf_multiclass_cover_reset(e, q);
}

symcf_status symcf_multiclass_cover_open(const symcf_threshold *const *rival, uint32_t n_rivals,
                                         const symcf_query *q, symcf_multiclass_cover **out)
{
	symcf_multiclass_cover *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	e->cover = symcf_allocate(n_rivals, sizeof *e->cover);
	symcf_status status = e->cover ? open_covers(e, rival, n_rivals, q) : symcf_no_memory();
	if (!status)
		status = open_search(e, q);
	if (status)
		symcf_multiclass_cover_free(e);
	else
		*out = e;
	return status;
}

void symcf_multiclass_cover_free(symcf_multiclass_cover *e)
{
	if (!e)
		return;
	for (uint32_t r = 0; r < e->n_rivals; r++)
		symcf_cover_free(e->cover[r]);
	symcf_free(e->cover);
	symcf_arena_close(&e->arena);
	symcf_free(e);
}

/* ---------------------------------------------------------------- change sets? --------------- */

static const int64_t *gains_of(const symcf_multiclass_cover *e, uint32_t feature)
{
	return e->gain + (uint64_t)feature * e->n_able;
}

bool symcf_multiclass_cover_accept(const symcf_multiclass_cover *e, uint32_t turn,
                                   const uint32_t *features, uint32_t size)
{
	for (uint32_t q = 0; q < e->n_able; q++) {
		int64_t sum = 0, least = INT64_MAX;
		for (uint32_t i = 0; i < size; i++) {
			const int64_t gain = gains_of(e, features[i])[q];
			sum += gain;
			least = gain < least ? gain : least;
		}
		const int64_t deficit = e->able[q]->deficit;
		if (q != turn && sum >= deficit && (q < turn || sum - least >= deficit))
			return false;
	}
	return true;
}

/* The same for the prefix and one feature more, from what the prefix lacks. */
static bool accept_prefix_with(const symcf_multiclass_cover *e, uint32_t feature)
{
	const int64_t *gain = gains_of(e, feature);
	const symcf_cover *c = e->able[e->turn];
	for (uint32_t q = 0; q < e->n_able; q++) {
		if (e->missing[q] > gain[q] || q == e->turn)
			continue;
		if (q < e->turn)
			return false;
		int64_t least = gain[q];
		for (uint32_t i = 0; i < e->size; i++) {
			const int64_t other = gains_of(e, c->feature[e->path[i]])[q];
			least = other < least ? other : least;
		}
		if (gain[q] - e->missing[q] >= least)
			return false;
	}
	return true;
}

/* Would the prefix and one feature more cover another rival? */
static bool covers_another_with(const symcf_multiclass_cover *e, uint32_t feature)
{
	const int64_t *gain = gains_of(e, feature);
	bool covers = false;
	for (uint32_t q = 0; q < e->n_able; q++)
		covers |= (e->missing[q] <= gain[q]) & (q != e->turn);
	return covers;
}

/* ------------------------------------------------------------------ search ------------------- */

/* Where sets go: to one of these, or they are only counted. */
typedef struct output {
	symcf_sets *sets;
	cover_masks *masks;
	bool reversed; /* masks */
	uint64_t n_sets, n_features;
	uint64_t patience; /* steps of the search until it gives up; 0: it does not */
} output;

static symcf_status put_mask(const symcf_multiclass_cover *e, uint32_t feature, output *out)
{
	const symcf_cover *c = e->able[e->turn];
	cover_masks *m = out->masks;
	if (!symcf_grow(&m->mask, &m->capacity, m->count + 1, sizeof *m->mask))
		return symcf_no_memory();
	uint64_t mask = 0;
	for (uint32_t i = 0; i <= e->size; i++) {
		const uint32_t j = i < e->size ? c->feature[e->path[i]] : feature;
		mask |= UINT64_C(1) << (out->reversed ? e->n - 1 - j : j);
	}
	m->mask[m->count++] = mask;
	m->n_features += e->size + 1;
	return SYMCF_OK;
}

/* Prefixes are short, and gathered in the order of gains: sorted by insertion. */
static symcf_status put_set(const symcf_multiclass_cover *e, uint32_t feature, output *out)
{
	const symcf_cover *c = e->able[e->turn];
	for (uint32_t i = 0; i <= e->size; i++) {
		const uint32_t j = i < e->size ? c->feature[e->path[i]] : feature;
		uint32_t at = i;
		for (; at && e->member[at - 1] > j; at--)
			e->member[at] = e->member[at - 1];
		e->member[at] = j;
	}
	return symcf_sets_push(out->sets, e->member, e->size + 1);
}

/* The prefix and one feature more are a change set. */
static symcf_status put(const symcf_multiclass_cover *e, uint32_t feature, output *out)
{
	const symcf_status status = out->masks  ? put_mask(e, feature, out)
	                            : out->sets ? put_set(e, feature, out)
	                                        : SYMCF_OK;
	if (!status) {
		out->n_sets++;
		out->n_features += e->size + 1;
	}
	return status;
}

static void extend_prefix(symcf_multiclass_cover *e, uint32_t feature)
{
	const int64_t *gain = gains_of(e, feature);
	e->path[e->size++] = e->position++;
	for (uint32_t q = 0; q < e->n_able; q++)
		e->missing[q] -= gain[q];
}

static void shorten_prefix(symcf_multiclass_cover *e)
{
	const uint32_t position = e->path[--e->size];
	const int64_t *gain = gains_of(e, e->able[e->turn]->feature[position]);
	e->position = position + 1;
	for (uint32_t q = 0; q < e->n_able; q++)
		e->missing[q] += gain[q];
}

/* From where the search stands, for at most `limit` sets. Each step leaves it where it can go on. */
static symcf_status search(symcf_multiclass_cover *e, symcf_control *control, uint64_t limit,
                           output *out)
{
	while (e->turn < e->n_able) {
		const symcf_cover *c = e->able[e->turn];
		const uint32_t p = e->position, feature = c->feature[p];
		const int64_t lacks = e->missing[e->turn];
		symcf_status status = symcf_tick(control, 4 + e->n_able);
		if (!status && out->patience && !--out->patience)
			status = SYMCF_MORE;
		if (status)
			return status;
		if (c->gain[p] >= lacks) {
			if (accept_prefix_with(e, feature)) {
				status = out->n_sets < limit ? put(e, feature, out) : SYMCF_MORE;
				if (status)
					return status;
			}
			e->position++;
		} else if (cover_reach(c, p, c->max_changes - e->size) >= lacks) {
			if (covers_another_with(e, feature))
				e->position++;
			else
				extend_prefix(e, feature);
		} else if (e->size) {
			shorten_prefix(e);
		} else {
			e->position = 0;
			e->turn++;
		}
	}
	return SYMCF_OK;
}

symcf_status symcf_multiclass_cover_next(symcf_multiclass_cover *e, symcf_control *control,
                                         uint64_t limit, symcf_sets *sets)
{
	output out = {.sets = sets};
	return search(e, control, limit, &out);
}

symcf_status symcf_multiclass_cover_next_masks(symcf_multiclass_cover *e, symcf_control *control,
                                               uint64_t limit, bool reversed, cover_masks *masks)
{
	output out = {.masks = masks, .reversed = reversed};
	assert(e->n <= 64);
	return search(e, control, limit, &out);
}

symcf_status symcf_multiclass_cover_list_few(symcf_multiclass_cover *e, symcf_control *control,
                                             uint64_t limit, symcf_sets *sets)
{
	enum { STEPS_A_SET = 32 };
	output out = {.sets = sets, .patience = limit * STEPS_A_SET};
	return search(e, control, limit, &out);
}

symcf_status symcf_multiclass_cover_tally(symcf_multiclass_cover *e, symcf_control *control,
                                          uint64_t *n_sets, uint64_t *n_features)
{
	output out = {0};
	rewind_search(e);
	const symcf_status status = search(e, control, UINT64_MAX, &out);
	rewind_search(e);
	*n_sets = out.n_sets;
	*n_features = out.n_features;
	return status;
}
