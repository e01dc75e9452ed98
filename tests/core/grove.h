/* grove.h: random decision trees, and their sum added up leaf by leaf. Include it after check.h. */
#ifndef SYMCF_TEST_GROVE_H
#define SYMCF_TEST_GROVE_H

#include "support.h"

enum { MOST_TREES = 8, MOST_NODES = 400, MOST_SETS = 2000 };

/* Trees in arrays that have room enough. */
typedef struct grove {
	symcf_trees trees;
	uint32_t n_values[MOST_FEATURES], order[MOST_FEATURES];
	uint64_t start[MOST_TREES + 1];
	int32_t feature[MOST_NODES], left[MOST_NODES], right[MOST_NODES];
	int64_t left_start[MOST_NODES + 1], score[MOST_NODES];
	uint8_t left_values[MOST_SETS];
} grove;

/* One more node of tree t, with what it tests, if anything. */
static inline void add_node(grove *g, uint32_t t, bool leaf, int64_t range)
{
	const uint64_t u = g->start[t + 1]++;
	int64_t sets = g->left_start[u];
	g->feature[u] = leaf ? -1 : (int32_t)random_below(g->trees.n);
	g->score[u] = leaf ? random_between(-range, range) : 0;
	for (uint32_t v = 0; !leaf && v < g->n_values[g->feature[u]]; v++)
		g->left_values[sets++] = (uint8_t)random_below(2);
	g->left_start[u + 1] = sets;
}

/* Grows tree t breadth first to at most `inner` inner nodes. */
static inline void grow_tree(grove *g, uint32_t t, uint32_t inner, int64_t range)
{
	uint32_t children = 1;
	uint64_t u = g->start[t + 1] = g->start[t];
	do {
		while (children-- > 0) {
			const bool leaf = !inner || (u > g->start[t] && random_below(3) == 0);
			inner -= !leaf;
			add_node(g, t, leaf, range);
		}
		while (u < g->start[t + 1] && g->feature[u] == -1)
			u++;
		children = 2;
		if (u < g->start[t + 1]) {
			g->left[u] = (int32_t)(g->start[t + 1] - g->start[t]);
			g->right[u] = g->left[u] + 1;
		}
	} while (u++ < g->start[t + 1]);
}

static inline void random_grove(grove *g, uint32_t n, uint32_t most_values, uint32_t n_trees,
                                uint32_t most_inner, int64_t range)
{
	memset(g, 0, sizeof *g);
	g->trees = (symcf_trees){.n = n,
	                         .n_values = g->n_values,
	                         .n_trees = n_trees,
	                         .start = g->start,
	                         .feature = g->feature,
	                         .left = g->left,
	                         .right = g->right,
	                         .left_start = g->left_start,
	                         .left_values = g->left_values,
	                         .score = g->score,
	                         .bias = random_between(-range, range)};
	random_order(n, g->order);
	for (uint32_t j = 0; j < n; j++)
		g->n_values[j] = 1 + random_below(most_values);
	for (uint32_t t = 0; t < n_trees; t++)
		grow_tree(g, t, n ? random_below(most_inner + 1) : 0, range);
}

static inline int64_t sum_of_leaves(const grove *g, const uint32_t *x)
{
	int64_t total = g->trees.bias;
	for (uint32_t t = 0; t < g->trees.n_trees; t++) {
		uint64_t u = g->start[t];
		while (g->feature[u] != -1) {
			const bool left = g->left_values[g->left_start[u] + x[g->feature[u]]];
			u = g->start[t] + (uint64_t)(left ? g->left[u] : g->right[u]);
		}
		total += g->score[u];
	}
	return total;
}

static inline bool next_codes(const grove *g, uint32_t *x)
{
	for (uint32_t j = 0; j < g->trees.n; j++) {
		if (++x[j] < g->n_values[j])
			return true;
		x[j] = 0;
	}
	return false;
}

#endif
