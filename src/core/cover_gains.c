/* cover_gains.c: what each feature can gain, by falling gain.
 *
 * Two-valued features are in this order already when they come by falling influence, whatever the
 * instance: the one gain that a feature can have is its influence. With more values the order is
 * another one for each instance, but the gains are of a few kinds: one for each value that x may
 * have, if nothing is forbidden. All of them are ranked once; then an instance is a set of ranks,
 * one bit each, and reading the bits from the lowest gives its gains in order.
 *
 * What an instance may become, where `allowed` says so, is not known in advance: those are sorted. */
#include <assert.h>
#include <string.h>

#include "cover.h"
#include "memory.h"

/* ------------------------------------------------------------------- sorting ----------------- */

static bool comes_before(const cover_gain *a, const cover_gain *b, void *unused)
{
	(void)unused;
	return a->gain > b->gain || (a->gain == b->gain && a->feature < b->feature);
}

#define SORT_NAME sort_pairs
#define SORT_TYPE cover_gain
#define SORT_BEFORE comes_before
#include "sort.h"

/* By falling gain, equal ones by feature. scratch: 2 * count entries. */
static void sort_gains(int64_t *gain, uint32_t *feature, uint32_t count, cover_gain *scratch)
{
	uint32_t sorted = 1;
	while (sorted < count &&
	       (gain[sorted - 1] > gain[sorted] ||
	        (gain[sorted - 1] == gain[sorted] && feature[sorted - 1] < feature[sorted])))
		sorted++;
	if (sorted >= count)
		return;
	for (uint32_t i = 0; i < count; i++)
		scratch[i] = (cover_gain){gain[i], feature[i]};
	sort_pairs(scratch, scratch + count, count, NULL, NULL);
	for (uint32_t i = 0; i < count; i++) {
		gain[i] = scratch[i].gain;
		feature[i] = scratch[i].feature;
	}
}

/* The stack is not in use while gains are sorted; a frame has room for two scratch entries. */
static void sort_positions(symcf_cover *e, uint32_t count)
{
	static_assert(sizeof *e->frame >= 2 * sizeof(cover_gain), "scratch");
	sort_gains(e->gain, e->feature, count, (cover_gain *)(void *)e->frame);
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

void symcf_cover_lay_out_ranks(arena *a, symcf_cover *e)
{
	const uint64_t n_values = e->t->value_offset[e->t->n];
	if (!has_many_values(e->t))
		return;
	e->present = symcf_arena_take(a, words_for(n_values), sizeof *e->present);
	e->scratch = symcf_arena_take(a, 2 * n_values, sizeof *e->scratch);
	for (int upwards = 0; upwards < 2; upwards++) {
		cover_ranks *r = &e->ranks[upwards];
		r->gain = symcf_arena_take(a, n_values, sizeof *r->gain);
		r->feature = symcf_arena_take(a, n_values, sizeof *r->feature);
		r->rank = symcf_arena_take(a, n_values, sizeof *r->rank);
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
	sort_gains(r->gain, r->feature, n_values, e->scratch);
	for (uint32_t j = 0; j < t->n; j++)
		for (uint32_t v = t->value_offset[j]; v < t->value_offset[j + 1]; v++)
			e->scratch[v].feature = j;
	for (uint32_t k = 0; k < n_values; k++) {
		r->rank[r->feature[k]] = k;
		r->feature[k] = e->scratch[r->feature[k]].feature;
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

void symcf_cover_find_gains(symcf_cover *e, const symcf_query *q)
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

void symcf_cover_survey(symcf_cover *e)
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
