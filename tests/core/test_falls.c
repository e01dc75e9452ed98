/* test_falls.c: inputs that a change of one feature takes the decision from, against trying all. */
#include "support.h"

enum { MOST = 6 };

static bool falls(const symcf_threshold *t, uint32_t *x, uint32_t j, uint32_t from, uint32_t to)
{
	const uint32_t old = x[j];
	x[j] = from;
	const bool before = decide(t, x);
	x[j] = to;
	const bool after = decide(t, x);
	x[j] = old;
	return before && !after;
}

static bool some_input_falls(const symcf_threshold *t, uint32_t j, uint32_t from, uint32_t to)
{
	uint32_t x[MOST] = {0};
	do
		if (falls(t, x, j, from, to))
			return true;
	while (next_input(t, x));
	return false;
}

static void every_pair_of_values(void)
{
	for (int round = 0; round < 300; round++) {
		const uint32_t n = 1 + random_below(MOST);
		symcf_threshold *t = random_threshold(n, random_below(2) ? 2 : 4, 5);
		symcf_diagram *d = compile_natural(t);
		for (uint32_t j = 0; j < n; j++) {
			for (uint32_t from = 0; from < values_of(t, j); from++) {
				for (uint32_t to = 0; to < values_of(t, j); to++) {
					uint32_t x[MOST];
					bool found;
					size_t which = 7;
					REQUIRE(symcf_diagram_fall(d, j, &from, &to, 1, NULL, x, &found, &which) ==
					        SYMCF_OK);
					CHECK_EQ_INT(found, some_input_falls(t, j, from, to));
					if (found) {
						CHECK_EQ_INT(which, 0);
						CHECK_EQ_INT(x[j], from);
						CHECK(falls(t, x, j, from, to));
					}
				}
			}
		}
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
}

/* Parity falls whenever a feature changes, and only if the others are right. */
static void of_many_pairs_says_which(void)
{
	const uint32_t from[] = {0, 0, 1}, to[] = {0, 1, 0};
	uint32_t x[20];
	bool found;
	size_t which;
	symcf_diagram *d = parity_diagram(20);
	REQUIRE(symcf_diagram_fall(d, 11, from, to, 3, NULL, x, &found, &which) == SYMCF_OK);
	CHECK(found && which > 0);
	CHECK_EQ_INT(x[11], from[which]);
	CHECK_EQ_INT(symcf_diagram_evaluate(d, x), 1);
	x[11] = to[which];
	CHECK_EQ_INT(symcf_diagram_evaluate(d, x), 0);
	symcf_diagram_free(d);
}

static void weights_count_values(void)
{
	for (int round = 0; round < 200; round++) {
		symcf_threshold *t = random_threshold(1 + random_below(MOST), 4, 5);
		symcf_diagram *d = compile_natural(t);
		uint32_t weight[MOST * MOST_VALUES], x[MOST] = {0};
		uint64_t counted[2] = {0}, *limbs = NULL;
		size_t width;
		for (uint32_t i = 0; i < t->value_offset[t->n]; i++)
			weight[i] = random_below(4);
		do {
			uint64_t times = 1;
			for (uint32_t j = 0; j < t->n; j++)
				times *= weight[t->value_offset[j] + x[j]];
			counted[decide(t, x)] += times;
		} while (next_input(t, x));
		for (uint32_t sink = 0; sink < 2; sink++) {
			REQUIRE(symcf_diagram_count_weighted(d, sink, t->value_offset, weight, NULL, &limbs,
			                                     &width) == SYMCF_OK);
			CHECK_EQ_INT(limbs[0], counted[sink]);
			symcf_free(limbs);
		}
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
}

typedef struct attempted {
	const symcf_diagram *d;
	uint32_t from, to;
} attempted;

static symcf_status attempt(const void *data)
{
	const attempted *a = data;
	uint32_t x[20];
	bool found;
	size_t which;
	return symcf_diagram_fall(a->d, 11, &a->from, &a->to, 1, NULL, x, &found, &which);
}

static void survives_failing_memory(void)
{
	symcf_threshold *t = large_threshold(12);
	symcf_diagram *d = compile_natural(t);
	const attempted a = {d, 1, 0}; /* weights are positive: a fall from 1 to 0 */
	CHECK(fail_each_allocation(attempt, &a) > 0);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

static void stops(void)
{
	symcf_control late = too_late();
	const uint32_t from = 0, to = 1; /* there is none, so that all nodes are asked */
	uint32_t x[20];
	bool found;
	size_t which;
	symcf_threshold *t = large_threshold(20);
	symcf_diagram *d = compile_natural(t);
	CHECK_EQ_INT(symcf_diagram_fall(d, 15, &from, &to, 1, &late, x, &found, &which),
	             SYMCF_LIMIT_TIME);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(every_pair_of_values);
	RUN(of_many_pairs_says_which);
	RUN(weights_count_values);
	RUN(survives_failing_memory);
	RUN(stops);
	return check_report();
}
