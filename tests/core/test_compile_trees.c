/* test_compile_trees.c: sums of decision trees as diagrams: against adding up leaves, limits, memory. */
#define _DEFAULT_SOURCE
#include <pthread.h>

#include "grove.h"

static void check_grove(const grove *g)
{
	const char *reason = NULL;
	symcf_diagram *d = NULL;
	symcf_bdd *b = NULL;
	uint32_t x[MOST_FEATURES] = {0};
	CHECK_EQ_INT(symcf_compile_trees(&g->trees, g->order, NULL, &reason, &d), SYMCF_OK);
	REQUIRE(d);
	CHECK_EQ_INT(symcf_diagram_validate(d, NULL, &reason), SYMCF_OK);
	do
		CHECK_EQ_INT(symcf_diagram_evaluate(d, x), (sum_of_leaves(g, x) >= 0));
	while (next_codes(g, x));
	for (uint32_t k = 0; k < d->n; k++) {
		CHECK_EQ_INT(d->order[k], g->order[k]);
		CHECK_EQ_INT(d->arity[k], g->n_values[g->order[k]]);
	}
	CHECK_EQ_INT(symcf_bdd_thaw(d, NULL, &b), SYMCF_OK); /* says whether it is reduced */
	CHECK_EQ_INT(symcf_bdd_free(b), 0);
	symcf_diagram_free(d);
}

static void random_trees_are_added_up(void)
{
	grove g;
	for (uint32_t round = 0; round < 500; round++) {
		const int64_t range = round % 2 ? 3 : (int64_t)1 << 50;
		random_grove(&g, random_below(6), 1 + random_below(5), random_below(MOST_TREES + 1), 7,
		             range);
		check_grove(&g);
	}
}

/* Thousands of states per sum: stumps are a threshold function, whose size the compiler knows. */
static void stumps_are_a_threshold_function(void)
{
	grove g = {0};
	const uint32_t n = MOST_TREES;
	symcf_threshold *t = NULL;
	symcf_diagram *d = NULL, *wanted = NULL;
	const char *reason;
	uint32_t value_offset[MOST_TREES + 1] = {0};
	int64_t weight[2 * MOST_TREES];
	random_grove(&g, n, 1, 0, 0, 0);
	for (uint32_t i = 0; i < n; i++) {
		g.n_values[i] = 2;
		g.start[i + 1] = g.start[i];
		for (uint32_t k = 0; k < 3; k++)
			add_node(&g, i, true, (int64_t)1 << 50);
		const uint64_t u = g.start[i];
		g.feature[u] = (int32_t)i;
		g.left[u] = 1;
		g.right[u] = 2;
		g.left_start[u + 1] = g.left_start[u + 2] = g.left_start[u + 3] = g.left_start[u] + 2;
		g.left_values[g.left_start[u]] = 1;
		g.left_values[g.left_start[u] + 1] = 0;
		value_offset[i + 1] = 2 * i + 2;
		weight[2 * i] = g.score[u + 1];
		weight[2 * i + 1] = g.score[u + 2];
	}
	g.trees.n_trees = n;
	check_grove(&g);
	CHECK_EQ_INT(symcf_threshold_create(n, value_offset, weight, 0, &t), SYMCF_OK);
	CHECK_EQ_INT(symcf_compile(t, g.order, NULL, &wanted), SYMCF_OK);
	CHECK_EQ_INT(symcf_compile_trees(&g.trees, g.order, NULL, &reason, &d), SYMCF_OK);
	CHECK_EQ_INT(d->n_nodes, wanted->n_nodes);
	symcf_diagram_free(d);
	symcf_diagram_free(wanted);
	symcf_threshold_free(t);
}

static symcf_status compile(const grove *g, symcf_control *control)
{
	symcf_diagram *d = NULL;
	const char *reason = NULL;
	const symcf_status status = symcf_compile_trees(&g->trees, g->order, control, &reason, &d);
	CHECK_EQ_INT(d != NULL, status == SYMCF_OK);
	CHECK_EQ_INT(reason != NULL, status == SYMCF_INVALID);
	symcf_diagram_free(d);
	return status;
}

static void what_is_no_tree_is_refused(void)
{
	grove g, broken;
	random_grove(&g, 3, 4, 4, 5, 10);
	while (g.start[1] < 3)
		random_grove(&g, 3, 4, 4, 5, 10);
	CHECK_EQ_INT(compile(&g, NULL), SYMCF_OK);
#define REFUSED(change)                                                                            \
	do {                                                                                           \
		broken = g;                                                                                \
		broken.trees.n_values = broken.n_values;                                                   \
		broken.trees.start = broken.start;                                                         \
		broken.trees.feature = broken.feature;                                                     \
		broken.trees.left = broken.left;                                                           \
		broken.trees.right = broken.right;                                                         \
		broken.trees.left_start = broken.left_start;                                               \
		change;                                                                                    \
		CHECK_EQ_INT(compile(&broken, NULL), SYMCF_INVALID);                                       \
	} while (0)
	REFUSED(broken.n_values[2] = 0);
	REFUSED(broken.left_start[broken.start[4]] = (int64_t)broken.n_values[broken.feature[0]] - 1);
	REFUSED(broken.start[0] = 1);
	REFUSED(broken.start[2] = broken.start[1]);
	REFUSED(broken.feature[0] = 3);
	REFUSED(broken.feature[0] = -2);
	REFUSED(broken.left[0] = 0);
	REFUSED(broken.right[0] = (int32_t)broken.start[1]);
	REFUSED(broken.left_start[0] = -1);
#undef REFUSED
}

static void large_scores_are_refused(void)
{
	grove g;
	random_grove(&g, 2, 3, 2, 0, 1);
	g.score[0] = (int64_t)1 << 59;
	g.score[1] = ((int64_t)1 << 59) - 1;
	CHECK_EQ_INT(compile(&g, NULL), SYMCF_OK);
	g.score[1] = -((int64_t)1 << 59);
	CHECK_EQ_INT(compile(&g, NULL), SYMCF_OVERFLOW);
	g.score[1] = INT64_MIN;
	CHECK_EQ_INT(compile(&g, NULL), SYMCF_OVERFLOW);
	g.score[1] = 0;
	g.trees.bias = INT64_MIN;
	CHECK_EQ_INT(compile(&g, NULL), SYMCF_OVERFLOW);
}

static void limits_end_the_work(void)
{
	grove g;
	uint32_t calls;
	symcf_control few = {.max_nodes = 100}, tight = {.max_memory = 50000}, late = too_late();
	symcf_control stop = interrupting(&calls), enough;
	do {
		random_grove(&g, 8, 5, MOST_TREES, 20, (int64_t)1 << 40);
		enough = (symcf_control){.max_nodes = 1000000};
		CHECK_EQ_INT(compile(&g, &enough), SYMCF_OK);
	} while (enough.nodes <= 500);
	CHECK(enough.memory > 50000);
	CHECK_EQ_INT(enough.level, MOST_TREES);
	CHECK_EQ_INT(compile(&g, &few), SYMCF_LIMIT_NODES);
	CHECK_EQ_INT(few.nodes, 100);
	CHECK_EQ_INT(compile(&g, &tight), SYMCF_LIMIT_MEMORY);
	CHECK_EQ_INT(compile(&g, &late), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(compile(&g, &stop), SYMCF_INTERRUPTED);
}

/* One tree: "all features are 0", which asks the features from the last level up. */
static void *compile_deep_tree(void *nodes)
{
	enum { N = 3000, NODES = 2 * N + 1 };
	static uint32_t n_values[N], order[N];
	static int32_t feature[NODES], left[NODES], right[NODES];
	static int64_t left_start[NODES + 1], score[NODES];
	static const uint8_t left_values[] = {0, 1};
	static const uint64_t start[] = {0, NODES};
	for (int32_t j = 0; j < N; j++) {
		n_values[j] = 2;
		order[j] = (uint32_t)(N - 1 - j);
		feature[2 * j] = j;
		feature[2 * j + 1] = -1;
		left[2 * j] = 2 * j + 1;
		right[2 * j] = 2 * j + 2;
		score[2 * j + 1] = -1;
	}
	feature[2 * N] = -1;
	left_start[NODES] = sizeof left_values;
	const symcf_trees t = {N,     n_values,   1,           start, feature, left,
	                       right, left_start, left_values, score, 0};
	const char *reason = NULL;
	symcf_diagram *d = NULL;
	if (symcf_compile_trees(&t, order, NULL, &reason, &d) == SYMCF_OK)
		*(uint32_t *)nodes = d->n_nodes;
	symcf_diagram_free(d);
	return NULL;
}

/* Threads of other libraries may have stacks of a few hundred kilobytes. */
static void levels_take_no_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	uint32_t nodes = 0;
	REQUIRE(pthread_attr_init(&attributes) == 0);
	REQUIRE(pthread_attr_setstacksize(&attributes, 128 << 10) == 0);
	REQUIRE(pthread_create(&thread, &attributes, compile_deep_tree, &nodes) == 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	CHECK_EQ_INT(nodes, 3000 + 2);
}

static symcf_status attempt(const void *data)
{
	return compile(data, NULL);
}

static void failing_memory_is_reported(void)
{
	grove g;
	random_grove(&g, 5, 4, MOST_TREES, 6, 1000);
	CHECK(fail_each_allocation(attempt, &g) >= 20);
}

int main(void)
{
	RUN(random_trees_are_added_up);
	RUN(stumps_are_a_threshold_function);
	RUN(what_is_no_tree_is_refused);
	RUN(large_scores_are_refused);
	RUN(limits_end_the_work);
	RUN(levels_take_no_stack);
	RUN(failing_memory_is_reported);
	return check_report();
}
