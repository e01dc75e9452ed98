/* minimal_order.c: what is monotone in a diagram, and why that helps.
 *
 * Diagrams of threshold functions are monotone in every feature, and much faster for it.
 * Three facts are used where a look at the diagram, once per engine, proves them:
 *
 *   - The children of all nodes of a level rise, pointwise, in the same order of the values: the
 *     level is `ordered`. Then of all moves one is enough, the allowed value closest to the sink;
 *     and none, if x_j is closer. For whatever changes lead to the sink after another value, they
 *     do after this one. Most of the diagram is then never visited.
 *   - On an ordered level hi needs no search for supersets, plain difference will do: if T from lo
 *     is a subset of S from hi, T leads to the sink after the move as well, so T = S.
 *   - Let a move at u be worth as much as one at any active level (one with a move) below: trading
 *     the latter for the former never loses the sink. If this holds at u and below, u is `regular`
 *     and nothing has to be removed at all: if S from hi also did without the move, then the move
 *     and S without its last element would do, and S were not minimal. It is enough to compare
 *     each active level with the next. (Winder's preorder on variables is transitive, and a trade
 *     does not change the number of changes, so nodes beyond max_changes play no part.) Influence
 *     order makes every binary threshold function regular; F is then the diagram itself, redrawn.
 *
 * To prove f_a <= f_b for any two nodes without comparing all pairs, we use that the functions of
 * a level of a threshold function form a chain, and that symcf_compile writes them in that order:
 * a level has a `trend` if each node's children are in order with those of its neighbour.
 * Where that cannot be shown, nothing is assumed, and nonsupersets does the work.
 */
#include <string.h>

#include "minimal.h"

/* Does every node from `first` up to `end` have a child for v below that for w? */
static bool value_is_below(const symcf_minimal *e, uint32_t first, uint32_t end, uint32_t v,
                           uint32_t w)
{
	for (uint32_t u = first; u < end; u++) {
		const uint32_t *child = symcf_children(e->d, u);
		if (!minimal_is_below(e, child[v], child[w]))
			return false;
	}
	return true;
}

/* Sorts the values of level k so that at each of its nodes the children rise, if that is possible;
 * if not, the first entry says so. */
static void order_values(symcf_minimal *e, uint32_t k, uint32_t first, uint32_t end)
{
	uint32_t *const rising = e->rising + e->value_start[k];
	for (uint32_t v = 0; v < e->d->arity[k]; v++) {
		uint32_t low = 0, high = v; /* v belongs between them */
		while (low < high) {
			const uint32_t middle = (low + high) / 2;
			if (value_is_below(e, first, end, rising[middle], v)) {
				low = middle + 1;
			} else if (value_is_below(e, first, end, v, rising[middle])) {
				high = middle;
			} else {
				rising[0] = UINT32_MAX;
				return;
			}
		}
		memmove(rising + low + 1, rising + low, (v - low) * sizeof *rising);
		rising[low] = v;
	}
}

static bool has_trend(const symcf_minimal *e, uint32_t first, uint32_t end, enum trend trend)
{
	const uint32_t arity = e->d->arity[e->d->level[first]];
	for (uint32_t u = first; u + 1 < end; u++) {
		const uint32_t *one = symcf_children(e->d, u), *two = symcf_children(e->d, u + 1);
		for (uint32_t v = 0; v < arity; v++)
			if (trend == RISES ? !minimal_is_below(e, one[v], two[v])
			                   : !minimal_is_below(e, two[v], one[v]))
				return false;
	}
	return true;
}

/* Finds the order of values and nodes on each level, from the bottom. */
symcf_status symcf_minimal_find_order(symcf_minimal *e, symcf_control *control)
{
	const symcf_diagram *d = e->d;
	memset(e->rising, 0xff, e->value_start[d->n] * sizeof *e->rising); /* no level is ordered */
	for (uint32_t first = 2, end; first <= d->root; first = end) {
		const uint32_t k = d->level[first];
		for (end = first + 1; end <= d->root && d->level[end] == k; end++)
			;
		const symcf_status status = symcf_tick(control, (end - first) * WORK_A_NODE);
		if (status != SYMCF_OK)
			return status;
		order_values(e, k, first, end);
		e->trend[k] = has_trend(e, first, end, FALLS)   ? FALLS
		              : has_trend(e, first, end, RISES) ? RISES
		                                                : NO_TREND;
	}
	return SYMCF_OK;
}
