/* test_threshold.c: integers that decide; naive Bayes, zeros and ties included. */
#include <math.h>

#include "support.h"

static const uint32_t TWO_BINARY[] = {0, 2, 4};

/* ------------------------------------------------------------------ integers ----------------- */

static void a_score_is_a_sum(void)
{
	for (uint32_t round = 0; round < 300; round++) {
		symcf_threshold *t = random_threshold(random_below(5), MOST_VALUES, 9);
		uint32_t x[MOST_FEATURES] = {0};
		do {
			const int64_t score = symcf_threshold_score(t, x);
			CHECK_EQ_INT(score >= 0, decide(t, x));
			CHECK(symcf_threshold_margin(t, score) == (double)score);
		} while (next_input(t, x));
		symcf_threshold_free(t);
	}
}

static symcf_status create(const uint32_t *offsets, int64_t a, int64_t b, int64_t bias)
{
	const int64_t weight[] = {a, 0, b, 0};
	symcf_threshold *t = NULL;
	const symcf_status status = symcf_threshold_create(2, offsets, weight, bias, &t);
	CHECK((status == SYMCF_OK) == (t != NULL));
	symcf_threshold_free(t);
	return status;
}

static void sums_that_reach_the_limit_are_refused(void)
{
	const int64_t limit = (int64_t)1 << 62;
	CHECK_EQ_INT(create(TWO_BINARY, limit - 1, 0, 0), SYMCF_OK);
	CHECK_EQ_INT(create(TWO_BINARY, -limit + 1, 0, 0), SYMCF_OK);
	CHECK_EQ_INT(create(TWO_BINARY, limit, 0, 0), SYMCF_OVERFLOW);
	CHECK_EQ_INT(create(TWO_BINARY, limit / 2, limit / 2, 0), SYMCF_OVERFLOW);
	CHECK_EQ_INT(create(TWO_BINARY, limit / 2, -limit / 2, 0), SYMCF_OVERFLOW);
	CHECK_EQ_INT(create(TWO_BINARY, limit / 2, limit / 2 - 1, 0), SYMCF_OK);
	CHECK_EQ_INT(create(TWO_BINARY, limit / 2, limit / 2 - 1, -1), SYMCF_OVERFLOW);
	CHECK_EQ_INT(create(TWO_BINARY, 0, 0, INT64_MIN), SYMCF_OVERFLOW);
	CHECK_EQ_INT(create(TWO_BINARY, 0, 0, INT64_MAX), SYMCF_OVERFLOW);
	CHECK_EQ_INT(create(TWO_BINARY, INT64_MIN, INT64_MIN, INT64_MIN + 1), SYMCF_OVERFLOW);
	CHECK_EQ_INT(create(TWO_BINARY, INT64_MAX, INT64_MAX, INT64_MAX), SYMCF_OVERFLOW);
}

static void offsets_are_checked(void)
{
	CHECK_EQ_INT(create((const uint32_t[]){0, 0, 2}, 1, 1, 0), SYMCF_INVALID);
	CHECK_EQ_INT(create((const uint32_t[]){0, 2, 2}, 1, 1, 0), SYMCF_INVALID);
	CHECK_EQ_INT(create((const uint32_t[]){0, 3, 2}, 1, 1, 0), SYMCF_INVALID);
	CHECK_EQ_INT(create((const uint32_t[]){1, 2, 4}, 1, 1, 0), SYMCF_INVALID);
}

static void rows_are_scored_and_checked(void)
{
	symcf_threshold *t = random_threshold(3, MOST_VALUES, 9);
	const uint32_t last[3] = {values_of(t, 0) - 1, values_of(t, 1) - 1, values_of(t, 2) - 1};
	uint16_t table[3][3] = {{0}};
	const symcf_rows rows = {.data = table, .type = SYMCF_UINT16, .m = 3, .n = 3};
	int64_t score[3];
	size_t row = 9;
	uint32_t feature = 9;
	for (int j = 0; j < 3; j++)
		table[1][j] = (uint16_t)last[j];
	CHECK_EQ_INT(symcf_threshold_scores(t, &rows, NULL, score, &row, &feature), SYMCF_OK);
	CHECK_EQ_INT(score[0], symcf_threshold_score(t, (const uint32_t[]){0, 0, 0}));
	CHECK_EQ_INT(score[1], symcf_threshold_score(t, last));
	table[2][1] = (uint16_t)(last[1] + 1);
	CHECK_EQ_INT(symcf_threshold_scores(t, &rows, NULL, score, &row, &feature), SYMCF_INVALID);
	CHECK(row == 2 && feature == 1);
	symcf_threshold_free(t);
}

static void scoring_can_be_stopped(void)
{
	symcf_threshold *t = random_threshold(2, 2, 9);
	const uint8_t table[2] = {0, 0};
	const symcf_rows rows = {.data = table, .type = SYMCF_UINT8, .m = 1, .n = 2};
	int64_t score;
	size_t row;
	uint32_t feature, calls;
	symcf_control stop = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(symcf_threshold_scores(t, &rows, &stop, &score, &row, &feature),
	             SYMCF_INTERRUPTED);
	CHECK_EQ_INT(symcf_threshold_scores(t, &rows, &late, &score, &row, &feature), SYMCF_LIMIT_TIME);
	symcf_threshold_free(t);
}

static void influence_falls(void)
{
	for (uint32_t round = 0; round < 300; round++) {
		symcf_threshold *t = random_threshold(random_below(9), MOST_VALUES, round % 2 ? 2 : 1000);
		uint32_t order[MOST_FEATURES], seen = 0;
		int64_t spread[MOST_FEATURES];
		for (uint32_t j = 0; j < t->n; j++) {
			int64_t low = INT64_MAX, high = INT64_MIN;
			for (uint32_t i = t->value_offset[j]; i < t->value_offset[j + 1]; i++) {
				low = t->weight[i] < low ? t->weight[i] : low;
				high = t->weight[i] > high ? t->weight[i] : high;
			}
			spread[j] = high - low;
		}
		CHECK_EQ_INT(symcf_threshold_influence_order(t, order), SYMCF_OK);
		for (uint32_t k = 0; k < t->n; k++) {
			seen |= 1u << order[k];
			if (k) {
				const int64_t before = spread[order[k - 1]], here = spread[order[k]];
				CHECK(before > here || (before == here && order[k - 1] < order[k]));
			}
		}
		CHECK_EQ_INT(seen, (1u << t->n) - 1);
		symcf_threshold_free(t);
	}
}

/* --------------------------------------------------------------- naive Bayes ----------------- */

/* Binary features from P(X_j = 1 | class). */
typedef struct bayes {
	uint32_t n;
	double prior, cut;
	bool tie_positive;
	double one[MOST_FEATURES], zero[MOST_FEATURES];
} bayes;

static symcf_status from_bayes(const bayes *b, symcf_bayes_fault *fault, symcf_threshold **out)
{
	uint32_t value_offset[MOST_FEATURES + 1] = {0};
	double p1[2 * MOST_FEATURES], p0[2 * MOST_FEATURES];
	for (uint32_t j = 0; j < b->n; j++) {
		value_offset[j + 1] = 2 * (j + 1);
		p1[2 * j] = 1 - b->one[j];
		p1[2 * j + 1] = b->one[j];
		p0[2 * j] = 1 - b->zero[j];
		p0[2 * j + 1] = b->zero[j];
	}
	return symcf_threshold_from_bayes(b->n, value_offset, p1, p0, b->prior, 1 - b->prior, b->cut,
	                                  b->tie_positive, fault, out);
}

/* The log-odds above the cut, in long double: a check by other means, good to 1e-15 or so. */
static long double log_odds(const bayes *b, const uint32_t *x)
{
	long double sum = logl(b->prior) - log1pl(-b->prior) - logl(b->cut) + log1pl(-b->cut);
	for (uint32_t j = 0; j < b->n; j++)
		sum += x[j] ? logl(b->one[j]) - logl(b->zero[j]) : log1pl(-b->one[j]) - log1pl(-b->zero[j]);
	return sum;
}

static double random_probability(void)
{
	static const double special[] = {1e-300, 1e-12, 0.1, 0.5, 0.9, 1 - 1e-12, 0x1p-1074};
	if (random_below(4) == 0)
		return special[random_below(7)];
	return ((double)random_bits() + 1) * 0x1p-57;
}

static void margins_are_log_odds(void)
{
	for (uint32_t round = 0; round < 2000; round++) {
		bayes b = {
			random_below(7), random_probability(), random_probability(), round % 2, {0}, {0}};
		symcf_bayes_fault fault;
		symcf_threshold *t = NULL;
		uint32_t x[MOST_FEATURES] = {0};
		for (uint32_t j = 0; j < b.n; j++) {
			b.one[j] = random_probability();
			b.zero[j] = random_probability();
		}
		CHECK_EQ_INT(from_bayes(&b, &fault, &t), SYMCF_OK);
		REQUIRE(t);
		CHECK_EQ_INT(fault.problem, SYMCF_BAYES_FINE);
		CHECK_EQ_INT(t->band, b.n + 1);
		do {
			const int64_t score = symcf_threshold_score(t, x);
			const double margin = symcf_threshold_margin(t, score);
			CHECK(fabsl(log_odds(&b, x) - margin) <= ldexp(2.0 * (b.n + 2), -t->scale));
			CHECK(margin == 0 ? (score >= 0) == b.tie_positive : (score >= 0) == (margin > 0));
		} while (next_input(t, x));
		symcf_threshold_free(t);
	}
}

static void ties_follow_the_rule(void)
{
	for (int positive = 0; positive < 2; positive++) {
		const bayes b = {3, 0.3, 0.3, positive, {0.9, 0.1, 0.6}, {0.1, 0.9, 0.6}};
		symcf_bayes_fault fault;
		symcf_threshold *t = NULL;
		CHECK_EQ_INT(from_bayes(&b, &fault, &t), SYMCF_OK);
		REQUIRE(t);
		for (uint32_t both = 0; both < 2; both++) {
			const uint32_t x[3] = {both, both, 1};
			CHECK_EQ_INT(symcf_threshold_score(t, x) >= 0, positive);
			CHECK(symcf_threshold_margin(t, symcf_threshold_score(t, x)) == 0);
		}
		symcf_threshold_free(t);
	}
}

/* Odds whose product is 1, while their rounded logarithms sum to one unit, up or down. */
static void ties_off_by_a_rounding_are_ties(void)
{
	static const double one[][3] = {
		{.05, .95, .65}, {.05, .75, .55}, {.95, .65, .05}, {.75, .55, .05}};
	static const double zero[][3] = {
		{.95, .65, .05}, {.75, .55, .05}, {.05, .95, .65}, {.05, .75, .55}};
	uint32_t rounded = 0;
	for (int i = 0; i < 8; i++) {
		bayes b = {3, 0.5, 0.5, i % 2, {0}, {0}};
		symcf_bayes_fault fault;
		symcf_threshold *t = NULL;
		memcpy(b.one, one[i / 2], sizeof one[0]);
		memcpy(b.zero, zero[i / 2], sizeof zero[0]);
		CHECK_EQ_INT(from_bayes(&b, &fault, &t), SYMCF_OK);
		REQUIRE(t);
		const int64_t score = symcf_threshold_score(t, (const uint32_t[]){1, 1, 1});
		CHECK_EQ_INT(score >= 0, b.tie_positive);
		CHECK(symcf_threshold_margin(t, score) == 0);
		rounded += score != t->tie_shift;
		symcf_threshold_free(t);
	}
	CHECK_EQ_INT(rounded, 8);
}

static void certain_values_decide(void)
{
	const bayes b = {3, 0.5, 0.5, true, {0.5, 1e-300, 1e-300}, {0.0, 0.9, 0.9}};
	symcf_bayes_fault fault;
	symcf_threshold *t = NULL;
	uint32_t x[3] = {1, 1, 1};
	CHECK_EQ_INT(from_bayes(&b, &fault, &t), SYMCF_OK);
	REQUIRE(t);
	CHECK(symcf_threshold_margin(t, symcf_threshold_score(t, x)) == INFINITY);
	x[0] = 0;
	const double margin = symcf_threshold_margin(t, symcf_threshold_score(t, x));
	CHECK(margin < -1000 && isfinite(margin));
	symcf_threshold_free(t);
}

static symcf_bayes_fault fault_of(bayes b)
{
	symcf_bayes_fault fault;
	symcf_threshold *t = NULL;
	const symcf_status status = from_bayes(&b, &fault, &t);
	CHECK_EQ_INT(status, fault.problem ? SYMCF_INVALID : SYMCF_OK);
	CHECK((t == NULL) == (status != SYMCF_OK));
	symcf_threshold_free(t);
	return fault;
}

static void zeros_without_a_decision_are_named(void)
{
	symcf_bayes_fault f = fault_of((bayes){2, .5, .5, true, {.5, 1}, {.5, 1}});
	CHECK_EQ_INT(f.problem, SYMCF_BAYES_IMPOSSIBLE);
	CHECK(f.feature == 1 && f.value == 0);

	f = fault_of((bayes){2, .5, .5, true, {1, .5}, {.5, 1}});
	CHECK_EQ_INT(f.problem, SYMCF_BAYES_CONFLICT);
	CHECK(f.feature == 1 && f.value == 0 && f.other_feature == 0 && f.other_value == 0);

	f = fault_of((bayes){2, 1, .5, true, {.5, 0}, {.5, .5}}); /* the prior rules class 0 out */
	CHECK_EQ_INT(f.problem, SYMCF_BAYES_CONFLICT);
	CHECK(f.feature == SYMCF_PRIOR && f.other_feature == 1 && f.other_value == 1);

	f = fault_of((bayes){2, 0, .5, true, {.5, .5}, {0, .5}}); /* class 1, in the other role */
	CHECK_EQ_INT(f.problem, SYMCF_BAYES_CONFLICT);
	CHECK(f.feature == 0 && f.value == 1 && f.other_feature == SYMCF_PRIOR);

	/* the first feature decides both ways, the second one way: only across the two is a conflict */
	f = fault_of((bayes){2, .5, .5, true, {1, .5}, {0, 0}});
	CHECK_EQ_INT(f.problem, SYMCF_BAYES_CONFLICT);
	CHECK(f.feature == 1 && f.value == 1 && f.other_feature == 0 && f.other_value == 0);

	CHECK_EQ_INT(fault_of((bayes){2, .5, .5, true, {1, .5}, {0, .5}}).problem, SYMCF_BAYES_FINE);
	CHECK_EQ_INT(fault_of((bayes){2, 0, .5, true, {1, .5}, {.5, .5}}).problem, SYMCF_BAYES_FINE);
}

static void a_cut_lies_between_zero_and_one(void)
{
	static const double cuts[] = {0, 1, -1, 2, (double)NAN};
	for (size_t i = 0; i < 5; i++) {
		const bayes b = {0, .5, cuts[i], true, {0}, {0}};
		symcf_bayes_fault fault;
		symcf_threshold *t = NULL;
		CHECK_EQ_INT(from_bayes(&b, &fault, &t), SYMCF_INVALID);
		CHECK_EQ_INT(fault.problem, SYMCF_BAYES_FINE);
	}
}

/* ------------------------------------------------------------- failing memory ---------------- */

static symcf_status everything(const void *data)
{
	const uint8_t table[2] = {0, 1};
	const symcf_rows rows = {.data = table, .type = SYMCF_UINT8, .m = 1, .n = 2};
	symcf_bayes_fault fault;
	symcf_threshold *t = NULL, *copy = NULL;
	uint32_t order[MOST_FEATURES], feature;
	int64_t score;
	size_t row;
	symcf_status status = from_bayes(data, &fault, &t);
	CHECK((t == NULL) == (status != SYMCF_OK));
	if (!status)
		status = symcf_threshold_create(t->n, t->value_offset, t->weight, t->bias, &copy);
	if (!status)
		status = symcf_threshold_influence_order(t, order);
	if (!status)
		status = symcf_threshold_scores(t, &rows, NULL, &score, &row, &feature);
	symcf_threshold_free(t);
	symcf_threshold_free(copy);
	return status;
}

static void failing_memory_is_reported(void)
{
	const bayes b = {2, .5, .5, true, {.3, .4}, {.5, .6}};
	CHECK_EQ_INT(fail_each_allocation(everything, &b), 3 + 3 + 1 + 1);
}

int main(void)
{
	RUN(a_score_is_a_sum);
	RUN(sums_that_reach_the_limit_are_refused);
	RUN(offsets_are_checked);
	RUN(rows_are_scored_and_checked);
	RUN(scoring_can_be_stopped);
	RUN(influence_falls);
	RUN(margins_are_log_odds);
	RUN(ties_follow_the_rule);
	RUN(ties_off_by_a_rounding_are_ties);
	RUN(certain_values_decide);
	RUN(zeros_without_a_decision_are_named);
	RUN(a_cut_lies_between_zero_and_one);
	RUN(failing_memory_is_reported);
	return check_report();
}
