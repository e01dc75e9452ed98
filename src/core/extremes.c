/* extremes.c: the least sum of weights on the way to one sink of a diagram, and the largest on the
 * way to the other.
 *
 * Problem. Is a diagram the one of a threshold function? Comparing the two input by input takes
 * exponential time, and comparing some inputs proves nothing. But the diagram is right iff no
 * input that it sends to 1 has a negative score, and every one that it sends to 0 has: the least
 * score on the way to 1 and the largest on the way to 0 tell it exactly.
 *
 * Idea. A score is a sum along a path, so its extremes are the shortest and the longest path of an
 * acyclic graph: one pass over the nodes, children first. A level that an edge skips adds its
 * least or its largest weight. What is kept of a node is how much its extremes differ from those
 * of all inputs below it; then it does not matter which levels an edge skips.
 */
#include <assert.h>

#include "memory.h"
#include "symcf.h"

typedef struct range {
	int64_t least, most;
} range;

/* Where a sink cannot be reached. */
static const int64_t NO_LEAST = INT64_MAX, NO_MOST = INT64_MIN;

static bool fits(const symcf_diagram *d, const symcf_threshold *t)
{
	if (d->n != t->n)
		return false;
	for (uint32_t k = 0; k < d->n; k++) {
		const uint32_t j = d->order[k];
		if (d->arity[k] != t->value_offset[j + 1] - t->value_offset[j])
			return false;
	}
	return true;
}

/* The extremes of the weights of a level. */
static range of_level(const symcf_diagram *d, const int64_t *weight, uint32_t k)
{
	range all = {weight[0], weight[0]};
	for (uint32_t v = 1; v < d->arity[k]; v++) {
		all.least = weight[v] < all.least ? weight[v] : all.least;
		all.most = weight[v] > all.most ? weight[v] : all.most;
	}
	return all;
}

/* above[u]: how far the least score from node u to `sink` lies above that of all inputs, and the
 * largest to the other sink, below it. */
static symcf_status walk(const symcf_diagram *d, const symcf_threshold *t, uint32_t sink,
                         symcf_control *control, range *above)
{
	symcf_status status = SYMCF_OK;
	range all = {0, 0};
	above[sink] = (range){0, NO_MOST};
	above[1 - sink] = (range){NO_LEAST, 0};
	for (uint32_t u = 2; u < d->n_nodes && !status; u++) {
		const uint32_t *child = symcf_children(d, u), k = d->level[u];
		const int64_t *weight = t->weight + t->value_offset[d->order[k]];
		if (d->level[u - 1] != k)
			all = of_level(d, weight, k);
		range here = {NO_LEAST, NO_MOST};
		for (uint32_t v = 0; v < d->arity[k]; v++) {
			const range below = above[child[v]];
			const int64_t up = weight[v] - all.least, down = all.most - weight[v];
			if (below.least != NO_LEAST && below.least + up < here.least)
				here.least = below.least + up;
			if (below.most != NO_MOST && below.most - down > here.most)
				here.most = below.most - down;
		}
		above[u] = here;
		status = symcf_tick(control, 4 + d->arity[k]);
	}
	return status;
}

symcf_status symcf_diagram_extremes(const symcf_diagram *d, const symcf_threshold *t, uint32_t sink,
                                    symcf_control *control, int64_t *least, int64_t *most)
{
	assert(sink <= 1);
	if (!fits(d, t))
		return SYMCF_INVALID;
	range *above = symcf_allocate(d->n_nodes, sizeof *above);
	const symcf_status status = above ? walk(d, t, sink, control, above) : symcf_no_memory();
	if (!status) {
		range all = {t->bias, t->bias};
		for (uint32_t k = 0; k < d->n; k++) {
			const range level = of_level(d, t->weight + t->value_offset[d->order[k]], k);
			all = (range){all.least + level.least, all.most + level.most};
		}
		const range root = above[d->root];
		*least = root.least == NO_LEAST ? NO_LEAST : all.least + root.least;
		*most = root.most == NO_MOST ? NO_MOST : all.most + root.most;
	}
	symcf_free(above);
	return status;
}
