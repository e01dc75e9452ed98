/* test_compile.c: threshold function -> reduced diagram, against every input; budgets; interruption. */
#include "support.h"

/* ---------------------------------------------------------------- correctness ---------------- */

static void check_compiled(const symcf_threshold *t, const uint32_t *order, symcf_control *control)
{
	symcf_diagram *d = NULL;
	const char *reason = NULL;
	uint32_t x[MOST_FEATURES] = {0};
	CHECK_EQ_INT(symcf_compile(t, order, control, &d), SYMCF_OK);
	REQUIRE(d);
	CHECK_EQ_INT(symcf_diagram_validate(d, NULL, &reason),
	             SYMCF_OK); /* reduced, among other things */
	CHECK_EQ_INT(d->n, t->n);
	for (uint32_t k = 0; k < t->n; k++) {
		CHECK_EQ_INT(d->order[k], order[k]);
		CHECK_EQ_INT(d->arity[k], values_of(t, order[k]));
	}
	do
		CHECK_EQ_INT(symcf_diagram_evaluate(d, x), decide(t, x));
	while (next_input(t, x));
	symcf_diagram_free(d);
}

/* Few different weights make equal states, redundant levels and constants; many make none. */
static void random_functions(uint32_t most_features, uint32_t most_values, uint32_t rounds)
{
	static const int64_t ranges[] = {0, 1, 2, 5, 100, (int64_t)1 << 55};
	for (uint32_t round = 0; round < rounds; round++) {
		const uint32_t n = random_below(most_features + 1);
		uint32_t order[MOST_FEATURES];
		symcf_threshold *t = random_threshold(n, most_values, ranges[round % 6]);
		symcf_control control = {.max_nodes = 1 << 20, .max_memory = 1 << 30};
		random_order(n, order);
		check_compiled(t, order, NULL);
		check_compiled(t, order, &control);
		symcf_threshold_free(t);
	}
}

static void binary_functions(void)
{
	random_functions(10, 2, 1200);
}

static void functions_of_many_values(void)
{
	random_functions(5, MOST_VALUES, 1200);
}

static void out_is_untouched_on_failure(void)
{
	symcf_threshold *t = large_threshold(20);
	symcf_diagram *const mark = (symcf_diagram *)(uintptr_t)8, *d = mark;
	uint32_t order[20];
	symcf_control control = {.max_nodes = 5};
	for (uint32_t j = 0; j < 20; j++)
		order[j] = j;
	CHECK_EQ_INT(symcf_compile(t, order, &control, &d), SYMCF_LIMIT_NODES);
	CHECK(d == mark);
	symcf_threshold_free(t);
}

/* ------------------------------------------------------------------- budgets ----------------- */

static symcf_status compile_within(const symcf_threshold *t, symcf_control *control,
                                   uint32_t *n_nodes)
{
	uint32_t order[64];
	symcf_diagram *d = NULL;
	for (uint32_t j = 0; j < t->n; j++)
		order[j] = j;
	const symcf_status status = symcf_compile(t, order, control, &d);
	CHECK((status == SYMCF_OK) == (d != NULL));
	if (d && n_nodes)
		*n_nodes = d->n_nodes;
	symcf_diagram_free(d);
	return status;
}

static void the_node_budget_is_exact(void)
{
	symcf_threshold *t = large_threshold(18);
	uint32_t n_nodes = 0, inner;
	CHECK_EQ_INT(compile_within(t, NULL, &n_nodes), SYMCF_OK);
	CHECK(n_nodes > 500);
	inner = n_nodes - 2;
	symcf_control enough = {.max_nodes = inner}, one_less = {.max_nodes = inner - 1};
	CHECK_EQ_INT(compile_within(t, &enough, NULL), SYMCF_OK);
	CHECK_EQ_INT(enough.nodes, inner);
	CHECK_EQ_INT(compile_within(t, &one_less, NULL), SYMCF_LIMIT_NODES);
	CHECK_EQ_INT(one_less.nodes, inner - 1);
	CHECK_EQ_INT(one_less.level, 18);
	symcf_threshold_free(t);
}

static void the_memory_budget_holds(void)
{
	symcf_threshold *t = large_threshold(20);
	uint32_t refused = 0;
	for (uint64_t budget = 1000; budget < 4000000; budget += budget / 3) {
		symcf_control control = {.max_memory = budget};
		const symcf_status status = compile_within(t, &control, NULL);
		CHECK(status == SYMCF_OK || status == SYMCF_LIMIT_MEMORY);
		CHECK(control.memory <= budget);
		if (status == SYMCF_LIMIT_MEMORY) {
			refused++;
			CHECK(control.memory > 0); /* how much it held, not what is left after cleaning up */
		}
	}
	CHECK(refused >= 3 && refused < 28);
	symcf_threshold_free(t);
}

/* Equal weights: the states are counts, so that nearly all memory is that of the nodes: 12 bytes each,
 * in arrays that grow by half. */
static void memory_is_counted_once(void)
{
	enum { N = 60, NODE = 12 };
	uint32_t value_offset[N + 1] = {0}, n_nodes = 0;
	int64_t weight[2 * N];
	for (uint32_t j = 0; j < N; j++) {
		value_offset[j + 1] = value_offset[j] + 2;
		weight[2 * j] = 0;
		weight[2 * j + 1] = 1;
	}
	symcf_threshold *t = NULL;
	CHECK_EQ_INT(symcf_threshold_create(N, value_offset, weight, -N / 2, &t), SYMCF_OK);
	symcf_control control = {0};
	CHECK_EQ_INT(compile_within(t, &control, &n_nodes), SYMCF_OK);
	CHECK(n_nodes > 500);
	CHECK(control.memory >= NODE * (uint64_t)n_nodes);
	CHECK(control.memory <= 2 * NODE * (uint64_t)n_nodes);
	symcf_threshold_free(t);
}

static void impossible_functions_end_at_their_budget(void)
{
	symcf_threshold *t = large_threshold(60);
	symcf_control nodes = {.max_nodes = 10000}, memory = {.max_memory = 1 << 20};
	CHECK_EQ_INT(compile_within(t, &nodes, NULL), SYMCF_LIMIT_NODES);
	CHECK(nodes.level > 10 && nodes.level < 60);
	CHECK_EQ_INT(compile_within(t, &memory, NULL), SYMCF_LIMIT_MEMORY);
	CHECK(memory.level > 10 && memory.level < 60);
	symcf_threshold_free(t);
}

/* ------------------------------------------------------------------ stopping ----------------- */

/* Says yes at the call number `left`. */
static bool count_down(void *data)
{
	uint32_t *left = data;
	return --*left == 0;
}

static void work_stops_when_told(void)
{
	symcf_threshold *t = large_threshold(60); /* would run for minutes */
	uint32_t calls, left = 3;
	symcf_control at_once = interrupting(&calls), late = too_late();
	symcf_control later = {
		.interrupted = count_down, .data = &left, .max_memory = (uint64_t)2 << 30};
	symcf_control soon = {.deadline = symcf_clock() + 0.05, .max_memory = (uint64_t)2 << 30};
	CHECK_EQ_INT(compile_within(t, &at_once, NULL), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(calls, 1);
	CHECK_EQ_INT(compile_within(t, &late, NULL), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(compile_within(t, &later, NULL), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(left, 0);
	CHECK_EQ_INT(compile_within(t, &soon, NULL), SYMCF_LIMIT_TIME);
	symcf_threshold_free(t);
}

/* ------------------------------------------------------------- failing memory ---------------- */

static symcf_status compile_once(const void *t)
{
	return compile_within(t, NULL, NULL);
}

static void failing_memory_is_reported(void)
{
	symcf_threshold *binary = large_threshold(10);
	symcf_threshold *many_values = random_threshold(5, MOST_VALUES, 1000);
	CHECK(fail_each_allocation(compile_once, binary) > 40);
	CHECK(fail_each_allocation(compile_once, many_values) > 10);
	symcf_threshold_free(binary);
	symcf_threshold_free(many_values);
}

int main(void)
{
	RUN(binary_functions);
	RUN(functions_of_many_values);
	RUN(out_is_untouched_on_failure);
	RUN(the_node_budget_is_exact);
	RUN(the_memory_budget_holds);
	RUN(memory_is_counted_once);
	RUN(impossible_functions_end_at_their_budget);
	RUN(work_stops_when_told);
	RUN(failing_memory_is_reported);
	return check_report();
}
