/* threshold.c: a two-class decision as integers.
 *
 * A naive Bayes classifier says 1 iff
 *     log P(1)/P(0) + sum_j log P(x_j|1)/P(x_j|0)  >=  log cut/(1-cut).
 * We round each logarithm to a multiple of 2^-scale and decide in int64 from there on: the
 * compiler, the engines and predict see the same numbers and cannot disagree.
 *
 * Exact logarithms. The logarithm is computed in integers as well (log2_fixed), to 52 binary
 * places, hence the same on every platform; a weight is off by at most half a unit from rounding
 * and 2^-7 units from the logarithm and from probabilities that are themselves rounded, such as
 * 1 - p. The n + 1 errors of a score stay below n + 1 units, so an exact tie always lies in the
 * band of +-(n + 1) units and the tie rule applies to the whole band. At scale 44 the band of a
 * hundred features is 6e-12 wide: a probability that close to the cut is a tie.
 *
 * Probabilities of zero. A value that one class cannot take decides alone, however much the other
 * features weigh. It gets a weight beyond all finite sums together. Two such values that point in
 * opposite directions make a row impossible under both classes; a classifier in which this can
 * happen has no decision there, and is refused.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "symcf.h"

enum { LOG_BITS = 52, MAX_SCALE = 44 };

static const int64_t SUM_LIMIT = (int64_t)1 << 62;

/* log2(p) in units of 2^-LOG_BITS, rounded down, for a finite p > 0.
 * The binary digits of log2(m), 1 <= m < 2, come out one by one: squaring m doubles its logarithm,
 * and the next digit is 1 iff the square reaches 2. */
static int64_t log2_fixed(double p)
{
	int exponent;
	const double fraction = frexp(p, &exponent); /* in [1/2, 1) */
	uint64_t m = (uint64_t)ldexp(fraction, 64);  /* in [2^63, 2^64): 63 binary places */
	int64_t digits = 0;
	for (int i = 0; i < LOG_BITS; i++) {
		const unsigned __int128 square = (unsigned __int128)m * m;
		const int bit = (int)(square >> 127);
		m = (uint64_t)(square >> (63 + bit));
		digits = 2 * digits + bit;
	}
	return (int64_t)(exponent - 1) * ((int64_t)1 << LOG_BITS) + digits;
}

/* Turns a difference of log2_fixed values into natural logarithm units of 2^-scale, rounded to
 * the nearest, half away from zero, so that odds and inverse odds are exact opposites. */
static int64_t to_units(__int128 log2_difference, int scale)
{
	static const uint64_t LN2 = 0x58B90BFBE8E7BCD6; /* ln 2 * 2^63 */
	const int shift = 63 + LOG_BITS - scale;
	const int negative = log2_difference < 0;
	const __int128 magnitude = negative ? -log2_difference : log2_difference; /* < 2^65 */
	const unsigned __int128 product = (unsigned __int128)magnitude * LN2;
	const int64_t units = (int64_t)((product + ((unsigned __int128)1 << (shift - 1))) >> shift);
	return negative ? -units : units;
}

static symcf_threshold *new_threshold(uint32_t n, const uint32_t *value_offset)
{
	symcf_threshold *t = symcf_allocate_zeroed(1, sizeof *t);
	if (!t)
		return NULL;
	t->n = n;
	t->value_offset = symcf_allocate((uint64_t)n + 1, sizeof *t->value_offset);
	t->weight = symcf_allocate(value_offset[n], sizeof *t->weight);
	t->finite = INT64_MAX;
	if (!t->value_offset || !t->weight) {
		symcf_threshold_free(t);
		return NULL;
	}
	memcpy(t->value_offset, value_offset, ((size_t)n + 1) * sizeof *value_offset);
	return t;
}

void symcf_threshold_free(symcf_threshold *t)
{
	if (!t)
		return;
	symcf_free(t->value_offset);
	symcf_free(t->weight);
	symcf_free(t);
}

static bool offsets_are_valid(uint32_t n, const uint32_t *value_offset)
{
	for (uint32_t j = 0; j < n; j++)
		if (value_offset[j + 1] <= value_offset[j])
			return false;
	return value_offset[0] == 0;
}

/* The largest magnitude a score can have, or SUM_LIMIT if it is that or more. */
static int64_t largest_sum(const symcf_threshold *t)
{
	uint64_t sum = (uint64_t)llabs(t->bias);
	for (uint32_t j = 0; j < t->n; j++) {
		uint64_t largest = 0;
		for (uint32_t i = t->value_offset[j]; i < t->value_offset[j + 1]; i++) {
			const int64_t w = t->weight[i];
			const uint64_t magnitude = w < 0 ? -(uint64_t)w : (uint64_t)w;
			largest = magnitude > largest ? magnitude : largest;
		}
		if (largest >= (uint64_t)SUM_LIMIT || (sum += largest) >= (uint64_t)SUM_LIMIT)
			return SUM_LIMIT;
	}
	return (int64_t)sum;
}

symcf_status symcf_threshold_create(uint32_t n, const uint32_t *value_offset, const int64_t *weight,
                                    int64_t bias, symcf_threshold **out)
{
	if (!offsets_are_valid(n, value_offset))
		return SYMCF_INVALID;
	if (bias <= -SUM_LIMIT || bias >= SUM_LIMIT)
		return SYMCF_OVERFLOW;
	symcf_threshold *t = new_threshold(n, value_offset);
	if (!t)
		return symcf_no_memory();
	memcpy(t->weight, weight, value_offset[n] * sizeof *weight);
	t->bias = bias;
	if (largest_sum(t) >= SUM_LIMIT) {
		symcf_threshold_free(t);
		return SYMCF_OVERFLOW;
	}
	*out = t;
	return SYMCF_OK;
}

/* --------------------------------------------------- naive Bayes: where zeros stand ---------- */

/* The tables of the caller, and which class each zero rules out. */
typedef struct tables {
	uint32_t n;
	const uint32_t *value_offset;
	const double *p1, *p0;
	double prior1, prior0, cut;
} tables;

/* +1: rules class 0 out, -1: rules class 1 out, 0: both are possible. */
static int certainty(double p1, double p0)
{
	return (p1 > 0) - (p0 > 0);
}

/* The first value, not of feature `except`, that decides with `sign`; the prior comes first.
 * ensures: false if there is none. */
static bool find_certain(const tables *b, int sign, uint32_t except, uint32_t *feature,
                         uint32_t *value)
{
	if (except != SYMCF_PRIOR && certainty(b->prior1, b->prior0) == sign) {
		*feature = SYMCF_PRIOR;
		*value = 0;
		return true;
	}
	for (uint32_t j = 0; j < b->n; j++)
		for (uint32_t i = b->value_offset[j]; j != except && i < b->value_offset[j + 1]; i++)
			if (certainty(b->p1[i], b->p0[i]) == sign) {
				*feature = j;
				*value = i - b->value_offset[j];
				return true;
			}
	return false;
}

static const uint32_t NONE = UINT32_MAX - 1; /* no feature is excepted */

static bool find_impossible(const tables *b, symcf_bayes_fault *fault)
{
	for (uint32_t j = 0; j < b->n; j++)
		for (uint32_t i = b->value_offset[j]; i < b->value_offset[j + 1]; i++)
			if (b->p1[i] == 0 && b->p0[i] == 0) {
				fault->problem = SYMCF_BAYES_IMPOSSIBLE;
				fault->feature = j;
				fault->value = i - b->value_offset[j];
				return true;
			}
	return false;
}

/* Two certainties of opposite sign in different features: take the first of one sign, look for the
 * other sign elsewhere; if that fails they share a feature, so try the first's own rivals. */
static bool find_conflict(const tables *b, symcf_bayes_fault *fault)
{
	if (!find_certain(b, +1, NONE, &fault->feature, &fault->value) ||
	    !find_certain(b, -1, NONE, &fault->other_feature, &fault->other_value))
		return false;
	if (fault->feature == fault->other_feature &&
	    !find_certain(b, -1, fault->feature, &fault->other_feature, &fault->other_value) &&
	    !find_certain(b, +1, fault->other_feature, &fault->feature, &fault->value))
		return false;
	fault->problem = SYMCF_BAYES_CONFLICT;
	return true;
}

/* --------------------------------------------------- naive Bayes: the weights ---------------- */

static int64_t log_odds(double p1, double p0)
{
	return log2_fixed(p1) - log2_fixed(p0);
}

/* Finite weights at this scale; certain values get 0 for now. */
static void set_finite(symcf_threshold *t, const tables *b, int scale)
{
	const int64_t cut = log_odds(b->cut, 1 - b->cut);
	const int64_t prior = certainty(b->prior1, b->prior0) ? 0 : log_odds(b->prior1, b->prior0);
	t->bias = to_units((__int128)prior - cut, scale); /* one rounding for both */
	for (uint32_t i = 0; i < b->value_offset[b->n]; i++)
		t->weight[i] =
			certainty(b->p1[i], b->p0[i]) ? 0 : to_units(log_odds(b->p1[i], b->p0[i]), scale);
	t->scale = scale;
}

/* Gives certain values a weight that no sum of finite ones outweighs.
 * ensures: false if the sums would not fit at this scale. */
static bool set_certain(symcf_threshold *t, const tables *b)
{
	const int64_t finite = largest_sum(t);
	if (finite >= SUM_LIMIT / 4 - 2 * t->band)
		return false;
	int64_t certain = 2 * (finite + 2 * t->band + 2) + 1;
	uint64_t deciders = 0;
	if (certainty(b->prior1, b->prior0)) {
		t->bias += certainty(b->prior1, b->prior0) * certain;
		deciders++;
	}
	for (uint32_t j = 0; j < b->n; j++) {
		bool decides = false;
		for (uint32_t i = b->value_offset[j]; i < b->value_offset[j + 1]; i++) {
			const int sign = certainty(b->p1[i], b->p0[i]);
			decides |= sign != 0;
			t->weight[i] += sign * certain;
		}
		deciders += decides;
	}
	if (deciders)
		t->finite = finite + 2 * t->band + 2;
	return (__int128)certain * (int64_t)(deciders + 1) < SUM_LIMIT;
}

symcf_status symcf_threshold_from_bayes(uint32_t n, const uint32_t *value_offset, const double *p1,
                                        const double *p0, double prior1, double prior0, double cut,
                                        bool tie_positive, symcf_bayes_fault *fault,
                                        symcf_threshold **out)
{
	const tables b = {n, value_offset, p1, p0, prior1, prior0, cut};
	memset(fault, 0, sizeof *fault);
	if (!offsets_are_valid(n, value_offset) || !(cut > 0 && cut < 1))
		return SYMCF_INVALID;
	if (find_impossible(&b, fault) || find_conflict(&b, fault))
		return SYMCF_INVALID;
	symcf_threshold *t = new_threshold(n, value_offset);
	if (!t)
		return symcf_no_memory();
	t->band = (int64_t)n + 1;
	int scale = MAX_SCALE;
	for (set_finite(t, &b, scale); !set_certain(t, &b); set_finite(t, &b, scale))
		if (--scale < 0) {
			symcf_threshold_free(t);
			return SYMCF_OVERFLOW;
		}
	t->tie_shift = tie_positive ? t->band : -(t->band + 1);
	t->bias += t->tie_shift;
	*out = t;
	return SYMCF_OK;
}

/* ---------------------------------------------------------------- evaluation ----------------- */

int64_t symcf_threshold_score(const symcf_threshold *t, const uint32_t *x)
{
	int64_t score = t->bias;
	for (uint32_t j = 0; j < t->n; j++) {
		assert(x[j] < t->value_offset[j + 1] - t->value_offset[j]);
		score += t->weight[t->value_offset[j] + x[j]];
	}
	return score;
}

double symcf_threshold_margin(const symcf_threshold *t, int64_t score)
{
	const int64_t margin = score - t->tie_shift;
	if (margin > t->finite || margin < -t->finite)
		return margin < 0 ? -INFINITY : INFINITY;
	if (margin >= -t->band && margin <= t->band && t->band)
		return 0.0;
	return ldexp((double)margin, -t->scale);
}

symcf_status symcf_threshold_scores(const symcf_threshold *t, const symcf_rows *rows,
                                    symcf_control *control, int64_t *score, size_t *row,
                                    uint32_t *feature)
{
	uint32_t *x = symcf_allocate(t->n, sizeof *x);
	if (!x)
		return symcf_no_memory();
	symcf_status status = SYMCF_OK;
	for (size_t i = 0; i < rows->m && !status; i++) {
		*row = i;
		if (!(status = symcf_rows_get(rows, i, t->value_offset, x, feature))) {
			score[i] = symcf_threshold_score(t, x);
			status = symcf_tick(control, t->n + 10);
		}
	}
	symcf_free(x);
	return status;
}

/* ------------------------------------------------------------------- influence --------------- */

typedef struct ranked {
	uint64_t spread;
	uint32_t feature;
} ranked;

static bool has_larger_spread(const ranked *a, const ranked *b, void *unused)
{
	(void)unused;
	return a->spread != b->spread ? a->spread > b->spread : a->feature < b->feature;
}

#define SORT_NAME sort_ranked
#define SORT_TYPE ranked
#define SORT_BEFORE has_larger_spread
#include "sort.h"

static uint64_t spread(const symcf_threshold *t, uint32_t j)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (uint32_t i = t->value_offset[j]; i < t->value_offset[j + 1]; i++) {
		low = t->weight[i] < low ? t->weight[i] : low;
		high = t->weight[i] > high ? t->weight[i] : high;
	}
	return (uint64_t)high - (uint64_t)low;
}

symcf_status symcf_threshold_influence_order(const symcf_threshold *t, uint32_t *order)
{
	ranked *features = symcf_allocate(2 * (uint64_t)t->n, sizeof *features);
	if (!features)
		return symcf_no_memory();
	for (uint32_t j = 0; j < t->n; j++)
		features[j] = (ranked){spread(t, j), j};
	sort_ranked(features, features + t->n, t->n, NULL, NULL);
	for (uint32_t j = 0; j < t->n; j++)
		order[j] = features[j].feature;
	symcf_free(features);
	return SYMCF_OK;
}
