/* test_tree_sums.c: what is left of a sum of trees, level by level, against adding up leaves. */
#include "../../src/core/tree_sums.h"

#include "grove.h"

/* Follows a row through the sums: what has gathered at the end. */
static int64_t walk(tree_sums *f, const grove *g, const uint32_t *x)
{
	uint32_t sum = 0;
	int64_t gathered = 0;
	CHECK_EQ_INT(symcf_tree_sums_root(f, &sum, &gathered), SYMCF_OK);
	for (uint32_t level = 0, next; (next = symcf_tree_sums_level(f, sum)) < g->trees.n;
	     level = next + 1) {
		const uint32_t value = x[g->order[next]];
		uint32_t run = 0;
		CHECK(next >= level); /* no level comes twice */
		CHECK_EQ_INT(symcf_tree_sums_expand(f, sum, NULL), SYMCF_OK);
		while (symcf_tree_sums_get_run(f, sum, run).end <= value)
			run++;
		CHECK(run < symcf_tree_sums_n_runs(f, sum));
		const tree_sums_run taken = symcf_tree_sums_get_run(f, sum, run);
		CHECK(taken.gain >= 0 &&
		      taken.gain + symcf_tree_sums_most(f, taken.sum) <= symcf_tree_sums_most(f, sum));
		gathered += taken.gain;
		sum = taken.sum;
	}
	CHECK_EQ_INT(symcf_tree_sums_most(f, sum), 0); /* nothing is left */
	return gathered;
}

static void check_sums(const grove *g)
{
	const char *reason = NULL;
	tree_sums *f = NULL;
	uint32_t x[MOST_FEATURES] = {0}, root;
	int64_t lowest = 0, most = 0, reached = 0;
	bool first = true;
	REQUIRE(symcf_tree_sums_open(&g->trees, g->order, NULL, &reason, &f) == SYMCF_OK);
	CHECK_EQ_INT(symcf_tree_sums_root(f, &root, &lowest), SYMCF_OK);
	most = symcf_tree_sums_most(f, root);
	do {
		const int64_t total = sum_of_leaves(g, x);
		CHECK_EQ_INT(walk(f, g, x), total);
		CHECK(lowest <= total && total <= lowest + most);
		reached = first || total > reached ? total : reached;
		first = false;
	} while (next_codes(g, x));
	if (g->trees.n_trees == 1) /* one tree reaches its bound; several may not agree on how */
		CHECK_EQ_INT(reached, lowest + most);
	const uint64_t count = symcf_tree_sums_count(f);
	memset(x, 0, sizeof x);
	do
		walk(f, g, x);
	while (next_codes(g, x));
	CHECK_EQ_INT(symcf_tree_sums_count(f), count); /* what is known is not made again */
	CHECK(symcf_tree_sums_bytes(f) > 0);
	symcf_tree_sums_free(f);
}

static void random_sums(void)
{
	grove g;
	for (uint32_t round = 0; round < 300; round++) {
		const int64_t range = round % 2 ? 3 : (int64_t)1 << 50;
		random_grove(&g, 1 + random_below(4), MOST_VALUES, 1 + random_below(4), 1 + random_below(9),
		             range);
		check_sums(&g);
	}
}

/* The runs of a sum are all values, in order. */
static void runs_are_all_values(void)
{
	grove g;
	const char *reason = NULL;
	for (uint32_t round = 0; round < 200; round++) {
		tree_sums *f = NULL;
		uint32_t sum;
		int64_t gathered;
		random_grove(&g, 3, MOST_VALUES, 2, 8, 2);
		REQUIRE(symcf_tree_sums_open(&g.trees, g.order, NULL, &reason, &f) == SYMCF_OK);
		REQUIRE(symcf_tree_sums_root(f, &sum, &gathered) == SYMCF_OK);
		if (symcf_tree_sums_level(f, sum) < 3 && symcf_tree_sums_expand(f, sum, NULL) == SYMCF_OK) {
			const uint32_t n = symcf_tree_sums_n_runs(f, sum);
			uint32_t before = 0;
			for (uint32_t r = 0; r < n; r++) {
				const tree_sums_run run = symcf_tree_sums_get_run(f, sum, r);
				CHECK(run.end > before);
				before = run.end;
			}
			CHECK_EQ_INT(before, g.n_values[g.order[symcf_tree_sums_level(f, sum)]]);
		}
		symcf_tree_sums_free(f);
	}
}

int main(void)
{
	RUN(random_sums);
	RUN(runs_are_all_values);
	return check_report();
}
