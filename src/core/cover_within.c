/* cover_within.c: minimal changes of a threshold function within a relation of a few features.
 *
 * A relation says which combinations of values its features may have afterwards. That is not a matter
 * of one feature after the other, so the changes are not minimal covers any more. But few features
 * are related. Let C be the related features that change, and G(C) the most that they can gain, in
 * a combination that the relation allows and that changes just these. Then
 *
 *   - a set of changes does it iff it is C + T, T from the other features, with
 *     gain(T) >= deficit - G(C);
 *   - such a set is minimal iff T is a minimal cover of that, and no proper part C' of C does with the
 *     same T:  gain(T) < deficit - G(C').
 *
 * So for every C the minimal covers are listed, as in cover.c, and those that gain too much left
 * out. For the engine, x has the best combination of C already and must not change it.
 *
 * With r related features this takes up to 2^r times as long as without the relation, whatever their
 * number of sets; a diagram of the function is not needed. */
#include <assert.h>
#include <string.h>

#include "cover.h"
#include "memory.h"
#include "try.h"

static const int64_t NONE = COVER_NO_GAIN;

struct symcf_within {
	const symcf_threshold *t;
	const symcf_relation *r;
	uint32_t n_parts;
	cover_part *part; /* 2^r                                              */
	uint32_t *turn;   /* parts by rising number of features               */
	/* the instance */
	symcf_query query; /* of the engine                                   */
	uint32_t *x;       /* x with the combination of the part            */
	uint8_t *allowed;  /* none of the related features                  */
	int64_t *gain;     /* by feature, the most                          */
	int64_t deficit;
	uint32_t max_changes;
	/* the cursor */
	uint32_t at; /* the part in turn                                    */
	bool open;   /* is the engine at work on it?                        */
	symcf_cover *cover;
	symcf_sets found;
	cover_masks masks;
	uint32_t *member;
};

static uint32_t n_values(const symcf_threshold *t, uint32_t j)
{
	return t->value_offset[j + 1] - t->value_offset[j];
}

/* ------------------------------------------------------------------ the instance ------------- */

static void find_gains(symcf_within *e, const symcf_query *q, int64_t sign)
{
	const symcf_threshold *t = e->t;
	for (uint32_t j = 0; j < t->n; j++) {
		const uint32_t start = t->value_offset[j];
		e->gain[j] = 0;
		for (uint32_t v = 0; v < n_values(t, j); v++) {
			const int64_t gain = sign * (t->weight[start + v] - t->weight[start + q->x[j]]);
			const bool fine = !q->allowed || q->allowed[start + v];
			e->allowed[start + v] = fine;
			e->gain[j] = fine && gain > e->gain[j] ? gain : e->gain[j];
		}
	}
	for (uint32_t i = 0; i < e->r->n; i++) {
		const uint32_t j = e->r->feature[i];
		memset(e->allowed + t->value_offset[j], 0, n_values(t, j));
	}
}

symcf_status symcf_cover_parts(const symcf_threshold *t, const symcf_relation *r,
                               const symcf_query *q, int64_t sign, symcf_control *control,
                               cover_part *part)
{
	uint32_t code[COVER_RELATED] = {0};
	const uint32_t n_parts = UINT32_C(1) << r->n;
	for (uint32_t p = 0; p < n_parts; p++)
		part[p] = (cover_part){NONE, NONE, 0};
	for (uint64_t c = 0; c < r->n_combinations; c++) {
		uint32_t changed = 0;
		int64_t gain = 0;
		bool fine = r->holds[c];
		for (uint32_t i = 0; i < r->n && fine; i++) {
			const uint32_t j = r->feature[i], at = t->value_offset[j] + code[i];
			if (code[i] == q->x[j])
				continue;
			fine = !q->allowed || q->allowed[at];
			changed |= UINT32_C(1) << i;
			gain += sign * (t->weight[at] - t->weight[t->value_offset[j] + q->x[j]]);
		}
		if (fine && gain > part[changed].gain)
			part[changed] = (cover_part){gain, NONE, c};
		for (uint32_t i = r->n; i-- > 0 && ++code[i] == n_values(t, r->feature[i]);)
			code[i] = 0;
		TRY(symcf_tick(control, 4 * r->n));
	}
	for (uint32_t p = 1; p < n_parts; p++)
		for (uint32_t left = p; left; left &= left - 1) {
			const cover_part *less = &part[p & ~(left & -left)];
			const int64_t most = less->gain > less->below ? less->gain : less->below;
			part[p].below = most > part[p].below ? most : part[p].below;
		}
	return SYMCF_OK;
}

symcf_status symcf_within_reset(symcf_within *e, const symcf_query *q, symcf_control *control)
{
	const int64_t score = symcf_threshold_score(e->t, q->x), sign = score < 0 ? 1 : -1;
	e->deficit = score < 0 ? -score : score + 1;
	e->max_changes = q->max_changes;
	memcpy(e->x, q->x, e->t->n * sizeof *e->x);
	e->query = (symcf_query){.x = e->x, .allowed = e->allowed, .cost = q->cost};
	e->at = 0;
	e->open = false;
	find_gains(e, q, sign);
	return symcf_cover_parts(e->t, e->r, q, sign, control, e->part);
}

static void order_parts(symcf_within *e)
{
	uint32_t used = 0;
	for (uint32_t size = 0; size <= e->r->n; size++)
		for (uint32_t p = 0; p < e->n_parts; p++)
			if ((uint32_t)__builtin_popcount(p) == size)
				e->turn[used++] = p;
}

symcf_status symcf_within_open(const symcf_threshold *t, const symcf_relation *r,
                               const symcf_query *q, symcf_control *control, symcf_within **out)
{
	if (r->n > COVER_RELATED)
		return SYMCF_UNSUPPORTED;
	symcf_within *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	e->t = t;
	e->r = r;
	e->n_parts = UINT32_C(1) << r->n;
	e->part = symcf_allocate(e->n_parts, sizeof *e->part);
	e->turn = symcf_allocate(e->n_parts, sizeof *e->turn);
	e->x = symcf_allocate(t->n, sizeof *e->x);
	e->allowed = symcf_allocate(t->value_offset[t->n], sizeof *e->allowed);
	e->gain = symcf_allocate(t->n, sizeof *e->gain);
	e->member = symcf_allocate(t->n, sizeof *e->member);
	symcf_status status = e->part && e->turn && e->x && e->allowed && e->gain && e->member
	                          ? SYMCF_OK
	                          : symcf_no_memory();
	if (!status) {
		order_parts(e);
		status = symcf_within_reset(e, q, control);
	}
	if (status)
		symcf_within_free(e);
	else
		*out = e;
	return status;
}

void symcf_within_free(symcf_within *e)
{
	if (!e)
		return;
	symcf_free(e->part);
	symcf_free(e->turn);
	symcf_free(e->x);
	symcf_free(e->allowed);
	symcf_free(e->gain);
	symcf_free(e->member);
	symcf_cover_free(e->cover);
	symcf_sets_free_arrays(&e->found);
	symcf_cover_masks_free(&e->masks);
	symcf_free(e);
}

/* --------------------------------------------------------------------- the parts ------------- */

static uint32_t now(const symcf_within *e)
{
	return e->turn[e->at];
}

/* Can sets with just these related features be minimal? */
static bool is_of_use(const symcf_within *e)
{
	const cover_part *p = &e->part[now(e)];
	return p->gain != NONE && (uint32_t)__builtin_popcount(now(e)) <= e->max_changes &&
	       (p->below == NONE || (p->gain > p->below && p->below < e->deficit));
}

/* Does the part need no other feature? */
static bool suffices(const symcf_within *e)
{
	return e->part[now(e)].gain >= e->deficit;
}

/* Gives x the combination of the part. */
static void take_combination(symcf_within *e)
{
	uint64_t rest = e->part[now(e)].combination;
	for (uint32_t i = e->r->n; i-- > 0;) {
		const uint32_t j = e->r->feature[i], d = n_values(e->t, j);
		e->x[j] = (uint32_t)(rest % d);
		rest /= d;
	}
	e->query.max_changes = e->max_changes == UINT32_MAX
	                           ? UINT32_MAX
	                           : e->max_changes - (uint32_t)__builtin_popcount(now(e));
}

/* Gets the engine ready for the part. */
static symcf_status open_part(symcf_within *e)
{
	take_combination(e);
	e->open = true;
	return e->cover ? symcf_cover_reset(e->cover, &e->query)
	                : symcf_cover_open(e->t, &e->query, &e->cover);
}

/* May these features join the part, or would less of it do with them? */
static bool is_minimal(const symcf_within *e, const uint32_t *features, uint32_t size)
{
	const cover_part *p = &e->part[now(e)];
	int64_t sum = 0;
	for (uint32_t i = 0; i < size; i++)
		sum += e->gain[features[i]];
	return p->below == NONE || sum < e->deficit - p->below;
}

/* Appends the part with these other features. */
static symcf_status push(symcf_within *e, const uint32_t *features, uint32_t size, symcf_sets *sets)
{
	uint32_t used = 0, other = 0;
	for (uint32_t i = 0; i < e->r->n; i++) {
		if (!(now(e) >> i & 1))
			continue;
		while (other < size && features[other] < e->r->feature[i])
			e->member[used++] = features[other++];
		e->member[used++] = e->r->feature[i];
	}
	while (other < size)
		e->member[used++] = features[other++];
	return symcf_sets_push(sets, e->member, used);
}

/* ---------------------------------------------------------------------- listing -------------- */

/* Sets that the engine is asked for at a time: what it finds beyond `limit` would be lost. */
enum { STEP = 1 << 12, MASK_STEP = 1 << 14 };

static symcf_status list_part(symcf_within *e, symcf_control *control, uint64_t limit,
                              symcf_sets *sets)
{
	if (suffices(e))
		return push(e, NULL, 0, sets);
	if (!e->open)
		TRY(open_part(e));
	symcf_sets *found = &e->found;
	symcf_status status;
	do {
		symcf_sets_clear(found);
		status = symcf_cover_next(e->cover, control, limit < STEP ? limit : STEP, found);
		for (uint64_t i = 0, start = 0; i < found->n_sets; start = found->end[i++]) {
			const uint32_t size = (uint32_t)(found->end[i] - start);
			if (!is_minimal(e, found->features + start, size))
				continue;
			const symcf_status pushed = push(e, found->features + start, size, sets);
			if (pushed)
				return pushed;
			limit--;
		}
	} while (status == SYMCF_MORE && limit);
	return status;
}

symcf_status symcf_within_next(symcf_within *e, symcf_control *control, uint64_t limit,
                               symcf_sets *sets)
{
	const uint64_t last = limit < UINT64_MAX - sets->n_sets ? sets->n_sets + limit : UINT64_MAX;
	for (; e->at < e->n_parts; e->at++, e->open = false) {
		if (!is_of_use(e))
			continue;
		if (sets->n_sets == last)
			return SYMCF_MORE;
		TRY(list_part(e, control, last - sets->n_sets, sets));
	}
	return SYMCF_OK;
}

/* The bits of the part in a mask, where feature j is bit n - 1 - j. */
static uint64_t bits_of(const symcf_within *e)
{
	uint64_t bits = 0;
	for (uint32_t i = 0; i < e->r->n; i++)
		if (now(e) >> i & 1)
			bits |= UINT64_C(1) << (e->t->n - 1 - e->r->feature[i]);
	return bits;
}

static bool is_minimal_mask(const symcf_within *e, uint64_t mask)
{
	const cover_part *p = &e->part[now(e)];
	const uint32_t n = e->t->n;
	if (p->below == NONE)
		return true;
	int64_t room = e->deficit - p->below; /* to be gained, but not all of it */
	for (; mask && room > 0; mask &= mask - 1)
		room -= e->gain[n - 1 - (uint32_t)__builtin_ctzll(mask)];
	return room > 0;
}

/* The next covers of the part, at most `limit`, to e->masks. */
static symcf_status next_covers(symcf_within *e, symcf_control *control, uint64_t limit)
{
	cover_masks *found = &e->masks;
	found->count = found->n_features = 0;
	if (!suffices(e)) {
		if (!e->open)
			TRY(open_part(e));
		return symcf_cover_next_masks(e->cover, control, limit, false, found);
	}
	if (!symcf_grow(&found->mask, &found->capacity, 1, sizeof *found->mask))
		return symcf_no_memory();
	found->mask[found->count++] = 0;
	return SYMCF_OK;
}

static symcf_status list_part_masks(symcf_within *e, symcf_control *control, uint64_t last,
                                    cover_masks *masks)
{
	const uint64_t bits = bits_of(e), size = (uint64_t)__builtin_popcount(now(e));
	const cover_masks *found = &e->masks;
	symcf_status status;
	do {
		const uint64_t left = last - masks->count;
		status = next_covers(e, control, left < MASK_STEP ? left : MASK_STEP);
		if (!symcf_grow(&masks->mask, &masks->capacity, masks->count + found->count,
		                sizeof *masks->mask))
			return symcf_no_memory();
		for (uint64_t i = 0; i < found->count; i++) {
			if (!is_minimal_mask(e, found->mask[i]))
				continue;
			masks->mask[masks->count++] = found->mask[i] | bits;
			masks->n_features += (uint64_t)__builtin_popcountll(found->mask[i]) + size;
		}
	} while (status == SYMCF_MORE && masks->count < last);
	return status;
}

symcf_status symcf_within_next_masks(symcf_within *e, symcf_control *control, uint64_t limit,
                                     cover_masks *masks)
{
	assert(e->t->n <= COVER_MASKED);
	const uint64_t last = limit < UINT64_MAX - masks->count ? masks->count + limit : UINT64_MAX;
	for (; e->at < e->n_parts; e->at++, e->open = false) {
		if (!is_of_use(e))
			continue;
		if (masks->count == last)
			return SYMCF_MORE;
		TRY(list_part_masks(e, control, last, masks));
		TRY(symcf_tick(control, 20));
	}
	return SYMCF_OK;
}

/* -------------------------------------------------------------------- the k first ------------ */

/* The k first sets of the part, or all of them, in this order: asks for more covers until enough of
 * them are minimal. */
static symcf_status rank_part(symcf_within *e, uint64_t k, symcf_control *control, symcf_sets *sets)
{
	enum { FIRST = 16 };
	if (suffices(e))
		return push(e, NULL, 0, sets);
	take_combination(e);
	symcf_sets *found = &e->found;
	const uint64_t n_sets = sets->n_sets, n_features = sets->n_features;
	for (uint64_t count = k < FIRST ? FIRST : k;;
	     count = count < UINT64_MAX / 4 ? 4 * count : UINT64_MAX) {
		symcf_sets_clear(found);
		sets->n_sets = n_sets;
		sets->n_features = n_features;
		TRY(symcf_cover_best(e->t, &e->query, count, control, found));
		for (uint64_t i = 0, start = 0; i < found->n_sets && sets->n_sets - n_sets < k;
		     start = found->end[i++]) {
			const uint32_t size = (uint32_t)(found->end[i] - start);
			if (is_minimal(e, found->features + start, size))
				TRY(push(e, found->features + start, size, sets));
		}
		if (found->n_sets < count || sets->n_sets - n_sets == k)
			return SYMCF_OK;
	}
}

symcf_status symcf_within_best(symcf_within *e, uint64_t k, symcf_control *control,
                               symcf_sets *sets)
{
	symcf_sets all = {0};
	symcf_status status = SYMCF_OK;
	for (e->at = 0; e->at < e->n_parts && k && !status; e->at++)
		if (is_of_use(e))
			status = rank_part(e, k, control, &all);
	e->at = 0;
	e->open = false;
	if (!status)
		status = symcf_sets_sort_from(&all, 0, e->query.cost, control);
	const uint64_t n_sets = sets->n_sets, n_features = sets->n_features;
	for (uint64_t i = 0, start = 0; !status && i < all.n_sets && i < k; start = all.end[i++])
		status = symcf_sets_push(sets, all.features + start, (uint32_t)(all.end[i] - start));
	if (status) {
		sets->n_sets = n_sets;
		sets->n_features = n_features;
	}
	symcf_sets_free_arrays(&all);
	return status;
}
