/* test_bdd_compile.c: threshold functions built in CUDD, and the clauses of CUDD's paths, beside those
 * of the compiler that writes arrays. */
#include "support.h"

static void natural(uint32_t n, uint32_t *order)
{
	for (uint32_t j = 0; j < n; j++)
		order[j] = j;
}

static void shuffle(uint32_t n, uint32_t *order)
{
	natural(n, order);
	for (uint32_t j = n; j > 1; j--) {
		const uint32_t other = random_below(j), kept = order[j - 1];
		order[j - 1] = order[other];
		order[other] = kept;
	}
}

static void check_clauses(symcf_bdd *b, const symcf_diagram *d, bool negate)
{
	symcf_clauses *walked = NULL, *usual = NULL;
	CHECK_EQ_INT(symcf_bdd_encode_paths(b, negate, 0, NULL, &walked), SYMCF_OK);
	CHECK_EQ_INT(symcf_encode_paths(d, negate, 0, NULL, &usual), SYMCF_OK);
	REQUIRE(walked && usual);
	CHECK_EQ_INT(walked->n_clauses, usual->n_clauses);
	CHECK_EQ_INT(walked->n_vars, usual->n_vars);
	CHECK_EQ_INT(walked->length, usual->length);
	if (usual->length && walked->length == usual->length)
		CHECK(!memcmp(walked->literals, usual->literals, usual->length * sizeof *usual->literals));
	symcf_clauses_free(walked);
	symcf_clauses_free(usual);
}

static void both_ways_give_the_same(void)
{
	for (uint32_t round = 0; round < 600; round++) {
		const uint32_t n = random_below(MOST_FEATURES - 2);
		uint32_t order[MOST_FEATURES], x[MOST_FEATURES] = {0};
		symcf_threshold *t = random_threshold(n, round % 3 ? 2 : MOST_VALUES, 1 + round % 9);
		symcf_diagram *d = NULL, *frozen = NULL;
		symcf_bdd *b = NULL;
		uint64_t size = 0;
		shuffle(n, order);
		CHECK_EQ_INT(symcf_bdd_compile(t, order, NULL, &b), SYMCF_OK);
		CHECK_EQ_INT(symcf_compile(t, order, NULL, &d), SYMCF_OK);
		REQUIRE(b && d);
		CHECK_EQ_INT(symcf_bdd_size(b, NULL, &size), SYMCF_OK);
		CHECK_EQ_INT(size, symcf_diagram_size(d));
		do {
			CHECK_EQ_INT(symcf_bdd_evaluate(b, x), decide(t, x));
		} while (next_input(t, x));
		CHECK_EQ_INT(symcf_bdd_freeze(b, NULL, &frozen), SYMCF_OK);
		check_clauses(b, frozen, false);
		check_clauses(b, frozen, true);
		CHECK_EQ_INT(symcf_bdd_free(b), 0); /* no reference left */
		symcf_diagram_free(d);
		symcf_diagram_free(frozen);
		symcf_threshold_free(t);
	}
}

static void limits_end_the_work_and_leave_no_reference(void)
{
	enum { FEATURES = 60 };
	uint32_t order[FEATURES];
	symcf_threshold *t = large_threshold(FEATURES);
	symcf_bdd *b = NULL;
	natural(FEATURES, order);
	symcf_control late = {.deadline = symcf_clock() - 1};
	CHECK_EQ_INT(symcf_bdd_compile(t, order, &late, &b), SYMCF_LIMIT_TIME);
	symcf_control few = {.max_nodes = 1000};
	CHECK_EQ_INT(symcf_bdd_compile(t, order, &few, &b), SYMCF_LIMIT_NODES);
	CHECK(few.nodes >= 999 && few.nodes <= 1001);
	symcf_control small = {.max_memory = 4 << 20};
	CHECK_EQ_INT(symcf_bdd_compile(t, order, &small, &b), SYMCF_LIMIT_MEMORY);
	CHECK(!b);
	symcf_threshold_free(t);
}

static void too_many_clauses_are_refused(void)
{
	symcf_threshold *t = random_threshold(8, 2, 50);
	uint32_t order[8];
	symcf_bdd *b = NULL;
	symcf_clauses *all = NULL, *none = NULL;
	natural(8, order);
	CHECK_EQ_INT(symcf_bdd_compile(t, order, NULL, &b), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_encode_paths(b, false, 0, NULL, &all), SYMCF_OK);
	REQUIRE(all && all->n_clauses > 1);
	symcf_control control = {0};
	CHECK_EQ_INT(symcf_bdd_encode_paths(b, false, all->n_clauses - 1, &control, &none),
	             SYMCF_LIMIT_NODES);
	CHECK_EQ_INT(control.nodes, all->n_clauses);
	CHECK(!none);
	symcf_clauses_free(all);
	CHECK_EQ_INT(symcf_bdd_free(b), 0);
	symcf_threshold_free(t);
}

static symcf_status everything(const void *threshold)
{
	uint32_t order[MOST_FEATURES];
	symcf_bdd *b = NULL;
	symcf_clauses *c = NULL;
	natural(MOST_FEATURES, order);
	symcf_status status = symcf_bdd_compile(threshold, order, NULL, &b);
	if (!status)
		status = symcf_bdd_encode_paths(b, false, 0, NULL, &c);
	symcf_clauses_free(c);
	symcf_bdd_free(b);
	return status;
}

static void failing_memory_is_reported(void)
{
	symcf_threshold *t = random_threshold(MOST_FEATURES, MOST_VALUES, 1000);
	CHECK(fail_each_allocation(everything, t) >= 20);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(both_ways_give_the_same);
	RUN(limits_end_the_work_and_leave_no_reference);
	RUN(too_many_clauses_are_refused);
	RUN(failing_memory_is_reported);
	return check_report();
}
