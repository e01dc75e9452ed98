/* test_extremes.c: the extremes of scores on the way to each sink, against brute force. */
#include "support.h"

/* ensures: the same by looking at every input. */
static void brute_force(const symcf_diagram *d, const symcf_threshold *t, uint32_t sink,
                        int64_t *least, int64_t *most)
{
	uint32_t x[MOST_FEATURES] = {0};
	*least = INT64_MAX;
	*most = INT64_MIN;
	do {
		int64_t score = t->bias;
		for (uint32_t j = 0; j < t->n; j++)
			score += t->weight[t->value_offset[j] + x[j]];
		if (symcf_diagram_evaluate(d, x) == sink)
			*least = score < *least ? score : *least;
		else
			*most = score > *most ? score : *most;
	} while (next_input(t, x));
}

static void check_extremes(const symcf_diagram *d, const symcf_threshold *t)
{
	for (uint32_t sink = 0; sink < 2; sink++) {
		int64_t least, most, wanted_least, wanted_most;
		CHECK_EQ_INT(symcf_diagram_extremes(d, t, sink, NULL, &least, &most), SYMCF_OK);
		brute_force(d, t, sink, &wanted_least, &wanted_most);
		CHECK_EQ_INT(least, wanted_least);
		CHECK_EQ_INT(most, wanted_most);
	}
}

/* The same features with other weights. */
static symcf_threshold *other_weights(const symcf_threshold *t, int64_t range)
{
	int64_t weight[MOST_FEATURES * MOST_VALUES];
	symcf_threshold *other = NULL;
	for (uint32_t i = 0; i < t->value_offset[t->n]; i++)
		weight[i] = random_between(-range, range);
	CHECK_EQ_INT(symcf_threshold_create(t->n, t->value_offset, weight,
	                                    random_between(-range, range), &other),
	             SYMCF_OK);
	return other;
}

static void extremes_are_those_of_brute_force(void)
{
	for (uint32_t round = 0; round < 2000; round++) {
		const int64_t range = round % 2 ? 5 : (int64_t)1 << 58;
		symcf_threshold *t = random_threshold(random_below(6), 1 + round % MOST_VALUES, 5);
		symcf_threshold *other = other_weights(t, range);
		uint32_t order[MOST_FEATURES];
		symcf_diagram *d = NULL;
		random_order(t->n, order);
		CHECK_EQ_INT(symcf_compile(t, order, NULL, &d), SYMCF_OK);
		REQUIRE(d);
		check_extremes(d, t);
		check_extremes(d, other);
		symcf_diagram_free(d);
		symcf_threshold_free(t);
		symcf_threshold_free(other);
	}
}

static void others_features_are_refused(void)
{
	symcf_threshold *t = random_threshold(3, 2, 5), *longer = random_threshold(4, 2, 5);
	const uint32_t value_offset[] = {0, 2, 5, 7};
	const int64_t weight[7] = {0};
	symcf_threshold *wider = NULL;
	int64_t least, most;
	CHECK_EQ_INT(symcf_threshold_create(3, value_offset, weight, 0, &wider), SYMCF_OK);
	symcf_diagram *d = compile_natural(t);
	CHECK_EQ_INT(symcf_diagram_extremes(d, longer, 1, NULL, &least, &most), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_diagram_extremes(d, wider, 1, NULL, &least, &most), SYMCF_INVALID);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
	symcf_threshold_free(longer);
	symcf_threshold_free(wider);
}

typedef struct pair {
	symcf_threshold *t;
	symcf_diagram *d;
} pair;

static symcf_status attempt(const void *data)
{
	const pair *p = data;
	int64_t least, most;
	return symcf_diagram_extremes(p->d, p->t, 1, NULL, &least, &most);
}

static void it_can_be_stopped_and_memory_can_fail(void)
{
	symcf_threshold *t = large_threshold(20);
	const pair p = {t, compile_natural(t)};
	int64_t least, most;
	uint32_t calls;
	symcf_control stop = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(symcf_diagram_extremes(p.d, t, 1, &stop, &least, &most), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(symcf_diagram_extremes(p.d, t, 1, &late, &least, &most), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(fail_each_allocation(attempt, &p), 1);
	symcf_diagram_free(p.d);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(extremes_are_those_of_brute_force);
	RUN(others_features_are_refused);
	RUN(it_can_be_stopped_and_memory_can_fail);
	return check_report();
}
