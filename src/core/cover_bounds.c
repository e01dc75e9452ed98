/* cover_bounds.c: certified bounds on the number of minimal covers, where exact lists grow too long.
 *
 * The recursion of cover_count.c only adds:
 *
 *     N(i, t) = N(i + 1, t) + (gain[i] >= t ? 1 : N(i + 1, t - gain[i]))
 *
 * so if low <= N(i + 1, .) <= high holds for every t, the same recursion on `low` and on `high`
 * gives functions that enclose N(i, .) for every t. That is the certificate, and it leaves us free
 * to lower `low` and to raise `high` wherever we like. Both are step functions over the same
 * pieces of t. When a level has more pieces than the budget allows, neighbours whose values differ
 * least become one piece, with the smaller `low` and the larger `high`. Where the lists are long, N
 * is large and nearly smooth, and merging neighbours costs little. How much they may differ depends
 * on how much of the result comes through that t: a rough estimate of the prefixes that lack t,
 * times N, steers it. The estimate only decides what is merged, never what is certified.
 *
 * Values are doubles with a common power of two. A sum of doubles is off by one part in 2^53; a
 * factor a little below or above 1 (DOWN, UP) turns it to the safe side:
 *     fl(fl(a+b) * DOWN) <= (a+b) (1 + 2^-53)^2 (1 - 2^-51) < a+b,    and likewise upwards.
 * In the end the bounds are rounded inwards to integers, which is safe because the count is one.
 *
 * Only those t are kept that some prefix can lack: at most the deficit, and at least the deficit
 * less all larger gains. Lists are kept apart by size for max_changes as in cover_count.c.
 *
 * The tolerance is relative and differs from t to t: a single one makes the bounds several times as wide, and one for
 * the area of an error fails where few or nearly all gains are missing. */
#include "cover.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "count.h"
#include "memory.h"

static const double DOWN = 1 - 0x1p-51, UP = 1 + 0x1p-51;

/* Values are multiples of 2^(SCALE * scale); a level that passes LARGEST is rescaled. */
enum { SCALE = 512 };
static const double LARGEST = 0x1p900, TINY = 0x1p-400;

/* Where t is looked at coarsely: bins of (0, deficit], and how far off a rounded sum may be. */
enum { BINS = 512, BLUR = 4 };
static const double LEAST_SHARE = 1e-3;

/* Entries unless the control says otherwise: for an attempt at the exact number, and for bounds. */
enum { EXACT_ENTRIES = 1 << 22, BOUND_ENTRIES = 1 << 18 };

typedef struct piece {
	int64_t at; /* the last t; the first is one more than the piece before's */
	double low, high;
} piece;

typedef struct list {
	uint64_t count;
	piece *piece;
} list;

typedef struct bounding {
	const symcf_cover *e;
	symcf_control *control;
	uint32_t n_lists, step;
	list *now, *next; /* n_lists each */
	uint64_t budget;  /* pieces of a level that is done */
	double tolerance; /* neighbours that differ by less are merged, as a part of the larger */
	int scale;
	float *traffic;        /* (m + 1) * BINS: prefixes by level and bin of what they lack    */
	double leniency[BINS]; /* factor of the tolerance in a bin of this level                 */
} bounding;

/* Unlike fmin and fmax these need not care for NaNs, and become one instruction. */
static inline double smaller(double a, double b)
{
	return a < b ? a : b;
}

static inline double larger(double a, double b)
{
	return a > b ? a : b;
}

static void free_lists(list *lists, uint32_t count)
{
	for (uint32_t i = 0; lists && i < count; i++)
		symcf_free(lists[i].piece);
	symcf_free(lists);
}

/* ------------------------------------------------------------------ a level ------------------ */

/* 1 in the current scale, rounded up where it is too small. */
static double high_one(const bounding *b)
{
	return b->scale < 1 ? 1 : larger(ldexp(1, -SCALE * b->scale), TINY);
}

static double low_one(const bounding *b)
{
	return b->scale < 1 ? 1 : b->scale < 2 ? ldexp(1, -SCALE) : 0;
}

/* skip(t) + (t <= gain ? opening : take(t - gain)) for first <= t <= last. */
static symcf_status merge_level(list *to, const list *skip, const list *take, int64_t gain,
                                piece opening, int64_t first, int64_t last, symcf_control *control)
{
	enum { PAUSE = 1 << 14 };
	static const piece nothing = {INT64_MAX, 0, 0};
	uint64_t a = 0, b = 0, k = 0;
	piece right = opening;
	right.at = gain;
	symcf_status status = SYMCF_OK;
	for (int64_t at = 0; at < last && status == SYMCF_OK;) {
		const piece left = a < skip->count ? skip->piece[a] : nothing;
		at = left.at < right.at ? left.at : right.at;
		if (at == INT64_MAX)
			break;
		if (at >= first)
			to->piece[k++] =
				(piece){at, (left.low + right.low) * DOWN, (left.high + right.high) * UP};
		a += left.at == at;
		if (right.at == at) {
			right = b < take->count ? take->piece[b++] : nothing;
			right.at = right.at == INT64_MAX ? INT64_MAX : right.at + gain;
		}
		if ((a + b) % PAUSE == 0)
			status = symcf_tick(control, 8 * PAUSE);
	}
	to->count = k;
	return status;
}

static inline uint32_t bin_of(const bounding *b, int64_t t)
{
	const double bin = (double)t * BINS / (double)b->e->deficit;
	return bin < BINS ? (uint32_t)bin : BINS - 1;
}

/* Estimates from above, in bins, how many prefixes lack how much at each level, as a part of the
 * most frequent. */
static void estimate_traffic(bounding *b)
{
	const symcf_cover *e = b->e;
	float *now = b->traffic;
	memset(now, 0, BINS * sizeof *now);
	now[BINS - 1] = 1;
	for (uint32_t i = 0; i < e->m; i++, now += BINS) {
		const int64_t half = e->deficit / (2 * BINS);
		const uint32_t gain = bin_of(b, e->gain[i] + half);
		float *next = now + BINS, most = 0;
		for (uint32_t k = 0; k < BINS; k++) {
			next[k] = now[k] + (k + gain < BINS ? now[k + gain] : 0);
			most = next[k] > most ? next[k] : most;
		}
		for (uint32_t k = 0; k < BINS; k++)
			next[k] /= most;
	}
}

/* Sets the leniency of each bin: small where most of the result comes through, which is where the
 * traffic from above times the values from below is large. */
static void set_leniency(bounding *b, uint32_t level)
{
	const float *traffic = b->traffic + (size_t)level * BINS;
	double share[BINS] = {0}, most = 0;
	for (uint64_t k = 0; k < b->now[0].count; k++) {
		const piece *p = &b->now[0].piece[k];
		const uint32_t bin = bin_of(b, p->at);
		share[bin] = larger(share[bin], p->high);
	}
	for (int k = 1; k < BINS; k++) /* no piece ends in this bin */
		share[k] = share[k] > 0 ? share[k] : share[k - 1];
	for (int k = 0; k < BINS; k++) {
		double near = 0;
		for (int i = k < BLUR ? 0 : k - BLUR; i < BINS && i <= k + BLUR; i++)
			near = larger(near, traffic[i]);
		share[k] *= near;
		most = larger(most, share[k]);
	}
	for (int k = 0; k < BINS; k++)
		b->leniency[k] = 1 / sqrt(larger(share[k] / most, LEAST_SHARE));
}

/* Merges neighbours within the tolerance, greedily from the left.
 * ensures: returns the number of pieces left. */
static uint64_t simplify(const bounding *b, list *l, double tolerance)
{
	uint64_t kept = 0;
	for (uint64_t i = 0; i < l->count; kept++) {
		piece least = l->piece[i], most = least;
		/* the part of the largest value that the smallest must reach */
		const double part = larger(1 - tolerance * b->leniency[bin_of(b, least.at)], 0);
		for (i++; i < l->count; i++) {
			const piece p = l->piece[i];
			const double low = smaller(least.low, p.low), high = larger(most.high, p.high);
			const double most_low = larger(most.low, p.low),
						 least_high = smaller(least.high, p.high);
			if (least_high < part * high || low < part * most_low)
				break;
			least = (piece){p.at, low, least_high};
			most = (piece){p.at, most_low, high};
		}
		l->piece[kept] = (piece){least.at, least.low, most.high};
	}
	return l->count = kept;
}

static uint64_t simplify_all(bounding *b, double tolerance)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < b->n_lists; i++)
		sum += simplify(b, &b->now[i], tolerance);
	return sum;
}

/* Brings the level within the budget. The tolerance of the level before is mostly right: it grows
 * where it does not suffice and shrinks where it leaves room. */
static void fit(bounding *b, uint32_t level)
{
	uint64_t count = simplify_all(b, 0);
	if (count <= b->budget)
		return;
	if (!b->step)
		set_leniency(b, level);
	while ((count = simplify_all(b, b->tolerance)) > b->budget)
		b->tolerance *= b->tolerance < 1e-9 ? 8 : 1.25;
	if (count < b->budget - b->budget / 4)
		b->tolerance /= 1.15;
}

static void rescale(bounding *b)
{
	double most = 0;
	for (uint32_t i = 0; i < b->n_lists; i++)
		for (uint64_t k = 0; k < b->now[i].count; k++)
			most = larger(most, b->now[i].piece[k].high);
	if (most < LARGEST)
		return;
	b->scale++;
	for (uint32_t i = 0; i < b->n_lists; i++)
		for (uint64_t k = 0; k < b->now[i].count; k++) {
			piece *p = &b->now[i].piece[k];
			p->low = p->low < 0x1p112 ? 0 : ldexp(p->low, -SCALE);
			p->high = p->high > 0 ? larger(ldexp(p->high, -SCALE), TINY) : 0;
		}
}

/* From the functions of level i + 1 to those of level i. */
static symcf_status ascend(bounding *b, uint32_t i)
{
	const symcf_cover *e = b->e;
	for (uint32_t k = b->step; k < b->n_lists; k++) {
		const list *skip = &b->now[k], *take = &b->now[k - b->step];
		const piece opening = {0, k == b->step ? low_one(b) : 0, k == b->step ? high_one(b) : 0};
		const uint32_t above = b->step && e->max_changes - k < i ? e->max_changes - k : i;
		const int64_t first = e->deficit - cover_reach(e, 0, above);
		list *to = &b->next[k];
		assert(!to->piece);
		to->piece = symcf_allocate(skip->count + take->count + 1, sizeof *to->piece);
		if (!to->piece)
			return symcf_no_memory();
		const symcf_status status =
			merge_level(to, skip, take, e->gain[i], opening, first, e->deficit, b->control);
		if (status != SYMCF_OK)
			return status;
	}
	list *old = b->now;
	b->now = b->next;
	b->next = old;
	for (uint32_t k = 0; k < b->n_lists; k++) {
		symcf_free(old[k].piece);
		old[k] = (list){0};
	}
	fit(b, i);
	rescale(b);
	return SYMCF_OK;
}

/* --------------------------------------------------------------- the result ------------------ */

/* value * 2^exponent as limbs, rounded to an integer. The bounds at most double per level, so they
 * hardly pass 2^m, and `width` has room for that. */
static void to_limbs(double value, int exponent, bool upwards, uint64_t *limbs, size_t width)
{
	int power;
	value = frexp(value, &power);
	power += exponent;
	assert(power <= 64 * (int)width);
	count_set(limbs, width, 0);
	if (power <= 53) {
		value = ldexp(value, power < -1 ? -1 : power);
		limbs[0] = (uint64_t)(upwards ? ceil(value) : floor(value));
		return;
	}
	const uint64_t mantissa = (uint64_t)ldexp(value, 53);
	const uint32_t shift = (uint32_t)power - 53;
	limbs[shift / 64] = mantissa << shift % 64;
	if (shift % 64 > 11)
		limbs[shift / 64 + 1] = mantissa >> (64 - shift % 64);
}

/* The values of the lists' sum at the deficit. */
static piece sum_at_deficit(const bounding *b)
{
	piece sum = {b->e->deficit, 0, 0};
	for (uint32_t i = 0; i < b->n_lists; i++)
		for (uint64_t k = 0; k < b->now[i].count; k++)
			if (b->now[i].piece[k].at >= b->e->deficit) {
				sum.low = (sum.low + b->now[i].piece[k].low) * DOWN;
				sum.high = (sum.high + b->now[i].piece[k].high) * UP;
				break;
			}
	return sum;
}

static symcf_status bound(const symcf_cover *e, symcf_control *control, uint64_t budget,
                          uint64_t *lower, uint64_t *upper, size_t width)
{
	bounding b = {.e = e, .control = control, .budget = budget, .tolerance = 1e-15};
	b.step = e->max_changes < e->m;
	b.n_lists = b.step ? e->max_changes + 1 : 1;
	b.now = symcf_allocate_zeroed(b.n_lists, sizeof *b.now);
	b.next = symcf_allocate_zeroed(b.n_lists, sizeof *b.next);
	b.traffic = symcf_allocate(((uint64_t)e->m + 1) * BINS, sizeof *b.traffic);
	symcf_status status = b.now && b.next && b.traffic ? SYMCF_OK : symcf_no_memory();
	for (int i = 0; i < BINS; i++)
		b.leniency[i] = 1;
	if (status == SYMCF_OK)
		estimate_traffic(&b);
	for (uint32_t i = e->m; i-- > 0 && status == SYMCF_OK;)
		status = ascend(&b, i);
	if (status == SYMCF_OK) {
		const piece result = sum_at_deficit(&b);
		to_limbs(result.low, SCALE * b.scale, true, lower, width);
		to_limbs(result.high, SCALE * b.scale, false, upper, width);
		if (count_is_zero(lower, width))
			lower[0] = 1; /* a cover exists */
		if (control)
			control->nodes = 3 * budget;
	}
	free_lists(b.now, b.n_lists);
	free_lists(b.next, b.n_lists);
	symcf_free(b.traffic);
	return status;
}

/* How many pieces each level may have, so that two levels and what a merge may add stay within. */
static uint64_t piece_budget(const symcf_control *control, uint32_t n_lists)
{
	uint64_t entries = control && control->max_nodes ? control->max_nodes : BOUND_ENTRIES;
	if (control && control->max_memory && control->max_memory / sizeof(piece) < entries)
		entries = control->max_memory / sizeof(piece);
	return entries / 3 > 2 * (uint64_t)n_lists ? entries / 3 : 2 * (uint64_t)n_lists;
}

static symcf_status count_bounds(const symcf_cover *e, symcf_control *control, uint64_t **lower,
                                 uint64_t **upper, size_t *width)
{
	symcf_control local = {0};
	symcf_control *within = control ? control : &local;
	const uint64_t max_nodes = within->max_nodes;
	if (!max_nodes)
		within->max_nodes = EXACT_ENTRIES;
	symcf_status status = symcf_cover_count_open(e, within, lower, width);
	within->max_nodes = max_nodes;
	const bool exact = status == SYMCF_OK;
	if (!exact && status != SYMCF_LIMIT_NODES && status != SYMCF_LIMIT_MEMORY)
		return status;
	const size_t limbs = count_width(e->m);
	uint64_t *low = exact ? *lower : symcf_allocate(limbs, sizeof *low);
	uint64_t *high = symcf_allocate(limbs, sizeof *high);
	status = low && high ? SYMCF_OK : symcf_no_memory();
	if (status == SYMCF_OK && exact)
		count_copy(high, low, limbs);
	else if (status == SYMCF_OK)
		status = bound(e, control, piece_budget(control, e->max_changes), low, high, limbs);
	if (status == SYMCF_OK) {
		*lower = low;
		*upper = high;
		*width = limbs;
	} else {
		symcf_free(low);
		symcf_free(high);
	}
	return status;
}

symcf_status symcf_cover_count_bounds(const symcf_threshold *t, const symcf_query *q,
                                      symcf_control *control, uint64_t **lower, uint64_t **upper,
                                      size_t *width)
{
	symcf_cover *e;
	uint64_t *low, *high;
	size_t limbs;
	symcf_status status = symcf_cover_open(t, q, &e);
	if (status != SYMCF_OK)
		return status;
	status = count_bounds(e, control, &low, &high, &limbs);
	symcf_cover_free(e);
	if (status == SYMCF_OK) {
		*lower = low;
		*upper = high;
		*width = limbs;
	}
	return status;
}
