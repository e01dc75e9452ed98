/* cover_gains.c: what each feature can gain, by falling gain.
 *
 * Two-valued features are in this order already when they come by falling influence, whatever the
 * instance: the one gain that a feature can have is its influence. With more values the order is
 * another one for each instance, but the gains are of a few kinds: one for each value that x may
 * have, if nothing is forbidden. All of them are ranked once; then an instance is a set of ranks,
 * one bit each, and reading the bits from the lowest gives its gains in order. Measured against
 * sorting the gains of each instance: 0.5 of the time of symcf_cover_reset for 10 to 18 features of
 * four values, which is then that of two-valued ones.
 *
 * What an instance may become, where `allowed` says so, is not known in advance: those are sorted. */
#include <assert.h>
#include <string.h>

#include "cover.h"
#include "memory.h"

enum { SHORT_SORT = 24 };

/* ------------------------------------------------------------------- sorting ----------------- */

static inline bool comes_before(int64_t gain, uint32_t feature, int64_t than, uint32_t than_feature)
{
	return gain > than || (gain == than && feature < than_feature);
}

static void sort_short(int64_t *gain, uint32_t *feature, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const int64_t g = gain[i];
		const uint32_t f = feature[i];
		uint32_t k = i;
		for (; k && comes_before(g, f, gain[k - 1], feature[k - 1]); k--) {
			gain[k] = gain[k - 1];
			feature[k] = feature[k - 1];
		}
		gain[k] = g;
		feature[k] = f;
	}
}

/* Merges the sorted stretches [0, middle) and [middle, count) of one pair of arrays to another. */
static void merge_halves(const int64_t *gain, const uint32_t *feature, uint32_t middle,
                         uint32_t count, int64_t *to_gain, uint32_t *to_feature)
{
	for (uint32_t a = 0, b = middle, k = 0; k < count; k++) {
		const bool second =
			a == middle || (b < count && comes_before(gain[b], feature[b], gain[a], feature[a]));
		const uint32_t from = second ? b++ : a++;
		to_gain[k] = gain[from];
		to_feature[k] = feature[from];
	}
}

/* By falling gain, equal ones by feature. The scratch arrays hold `count` entries each. */
static void sort_gains(int64_t *gain, uint32_t *feature, uint32_t count, int64_t *scratch_gain,
                       uint32_t *scratch_feature)
{
	uint32_t sorted = 1;
	while (sorted < count &&
	       comes_before(gain[sorted - 1], feature[sorted - 1], gain[sorted], feature[sorted]))
		sorted++;
	if (sorted >= count)
		return;
	for (uint32_t i = 0; i < count; i += SHORT_SORT)
		sort_short(gain + i, feature + i, count - i < SHORT_SORT ? count - i : SHORT_SORT);
	for (uint32_t half = SHORT_SORT; half < count; half *= 2) {
		for (uint32_t i = 0; i < count; i += 2 * half) {
			const uint32_t left = count - i, whole = left < 2 * half ? left : 2 * half;
			merge_halves(gain + i, feature + i, whole < half ? whole : half, whole,
			             scratch_gain + i, scratch_feature + i);
		}
		memcpy(gain, scratch_gain, count * sizeof *gain);
		memcpy(feature, scratch_feature, count * sizeof *feature);
	}
}

/* The stack is not in use while gains are sorted; a frame has room for a scratch entry. */
static void sort_positions(symcf_cover *e, uint32_t count)
{
	int64_t *scratch_gain = (void *)e->frame;
	uint32_t *scratch_feature = (void *)(scratch_gain + count);
	static_assert(sizeof *e->frame >= sizeof *scratch_gain + sizeof *scratch_feature, "scratch");
	sort_gains(e->gain, e->feature, count, scratch_gain, scratch_feature);
}

/* --------------------------------------------------------------- the instance ---------------- */

/* The best allowed move of a feature, upwards or downwards; 0 or less if no move helps. */
static int64_t gain_within(const symcf_threshold *t, const cover_shape *s, const uint8_t *allowed,
                           uint32_t code, bool upwards)
{
	const int64_t *weight = t->weight + s->offset;
	const uint32_t n_values = t->value_offset[s->feature + 1] - s->offset;
	int64_t best = 0;
	for (uint32_t v = 0; v < n_values; v++) {
		const int64_t move = upwards ? weight[v] - weight[code] : weight[code] - weight[v];
		if (allowed[s->offset + v] && move > best)
			best = move;
	}
	return best;
}

static void collect_gains(symcf_cover *e, const symcf_query *q)
{
	const symcf_threshold *t = e->t;
	const bool upwards = e->upwards;
	const int64_t sign = upwards ? 1 : -1;
	uint32_t m = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		const cover_shape *s = &e->shape[i];
		const uint32_t code = q->x[s->feature];
		const int64_t weight = t->weight[s->offset + code];
		const int64_t gain = q->allowed ? gain_within(t, s, q->allowed, code, upwards)
		                                : sign * ((upwards ? s->highest : s->lowest) - weight);
		e->gain[m] = gain;
		e->feature[m] = s->feature;
		m += gain > 0;
	}
	e->m = m;
}

/* ----------------------------------------------------------------------- ranks --------------- */

static bool has_many_values(const symcf_threshold *t)
{
	for (uint32_t j = 0; j < t->n; j++)
		if (t->value_offset[j + 1] - t->value_offset[j] > 2)
			return true;
	return false;
}

static uint64_t words_for(uint64_t n_bits)
{
	return n_bits / 64 + 1;
}

void cover_lay_out_ranks(arena *a, symcf_cover *e)
{
	const uint64_t n_values = e->t->value_offset[e->t->n];
	if (!has_many_values(e->t))
		return;
	e->present = arena_take(a, words_for(n_values), sizeof *e->present);
	e->scratch_gain = arena_take(a, n_values, sizeof *e->scratch_gain);
	e->scratch_value = arena_take(a, n_values, sizeof *e->scratch_value);
	for (int upwards = 0; upwards < 2; upwards++) {
		cover_ranks *r = &e->ranks[upwards];
		r->gain = arena_take(a, n_values, sizeof *r->gain);
		r->feature = arena_take(a, n_values, sizeof *r->feature);
		r->rank = arena_take(a, n_values, sizeof *r->rank);
	}
}

static void rank_gains(symcf_cover *e, bool upwards)
{
	const symcf_threshold *t = e->t;
	const cover_ranks *r = &e->ranks[upwards];
	const uint32_t n_values = t->value_offset[t->n];
	for (uint32_t i = 0; i < t->n; i++) {
		const cover_shape *s = &e->shape[i];
		for (uint32_t v = s->offset; v < t->value_offset[s->feature + 1]; v++) {
			r->gain[v] = upwards ? s->highest - t->weight[v] : t->weight[v] - s->lowest;
			r->feature[v] = v;
		}
	}
	sort_gains(r->gain, r->feature, n_values, e->scratch_gain, e->scratch_value);
	for (uint32_t j = 0; j < t->n; j++)
		for (uint32_t v = t->value_offset[j]; v < t->value_offset[j + 1]; v++)
			e->scratch_value[v] = j;
	for (uint32_t k = 0; k < n_values; k++) {
		r->rank[r->feature[k]] = k;
		r->feature[k] = e->scratch_value[r->feature[k]];
	}
}

/* What collecting and sorting would give. */
static void read_ranks(symcf_cover *e, const uint32_t *x)
{
	const symcf_threshold *t = e->t;
	const cover_ranks *r = &e->ranks[e->upwards];
	const uint64_t n_words = words_for(t->value_offset[t->n]);
	uint32_t m = 0;
	memset(e->present, 0, n_words * sizeof *e->present);
	for (uint32_t j = 0; j < t->n; j++) {
		const uint32_t k = r->rank[t->value_offset[j] + x[j]];
		e->present[k / 64] |= UINT64_C(1) << k % 64;
	}
	for (uint64_t word = 0; word < n_words; word++)
		for (uint64_t left = e->present[word]; left; left &= left - 1) {
			const uint64_t k = word * 64 + (uint64_t)__builtin_ctzll(left);
			e->gain[m] = r->gain[k];
			e->feature[m] = r->feature[k];
			m += r->gain[k] > 0;
		}
	e->m = m;
}

void cover_find_gains(symcf_cover *e, const symcf_query *q)
{
	enum { WORTH_IT = 8 }; /* instances */
	const bool rankable = e->present && !q->allowed;
	if (rankable && e->n_resets < WORTH_IT && ++e->n_resets == WORTH_IT) {
		rank_gains(e, false);
		rank_gains(e, true);
	}
	if (rankable && e->n_resets == WORTH_IT) {
		read_ranks(e, q->x);
	} else {
		collect_gains(e, q);
		sort_positions(e, e->m);
	}
}

/* --------------------------------------------------------------------- influence ------------- */

void cover_survey(symcf_cover *e)
{
	const symcf_threshold *t = e->t;
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < t->n; i++) {
			const uint32_t j = pass ? e->feature[i] : i;
			cover_shape s = {INT64_MIN, INT64_MAX, j, t->value_offset[j]};
			for (uint32_t v = s.offset; v < t->value_offset[j + 1]; v++) {
				const int64_t w = t->weight[v];
				s.highest = w > s.highest ? w : s.highest;
				s.lowest = w < s.lowest ? w : s.lowest;
			}
			if (pass) {
				e->shape[i] = s;
			} else {
				e->gain[i] = s.highest - s.lowest;
				e->feature[i] = j;
			}
		}
		if (!pass)
			sort_positions(e, t->n);
	}
}
