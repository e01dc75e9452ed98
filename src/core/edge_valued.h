/* edge_valued.h (private): diagrams with numbers on their edges.
 *
 * Edge-valued decision diagrams (Lai and Sastry 1992): a node stands for a function of the features
 * with minimum 0, an edge to it for that function plus a number. Functions that differ by a
 * constant are one node, and equal functions are equal edges. Numbers stay within what the caller
 * puts in: no result lies outside the range of its operands.
 */
#ifndef SYMCF_EDGE_VALUED_H
#define SYMCF_EDGE_VALUED_H

#include "hash_table.h"
#include "symcf.h"

/* Node 0 is the constant 0. */
typedef struct edge_valued_edge {
	uint32_t node;
	int64_t gain;
} edge_valued_edge;

typedef struct edge_valued_node {
	uint32_t level; /* the constant has that of the sinks          */
	int64_t most;   /* the largest value; the smallest is 0        */
	uint64_t first; /* its edges, one for each value of its feature */
	uint64_t hash;  /* of these                                    */
} edge_valued_node;

/* What `choose` gave for nodes a and b, a ahead by a number. */
typedef struct edge_valued_memo {
	uint32_t a, b;
	int64_t ahead;
	edge_valued_edge result;
} edge_valued_memo;

/* A choice under way: between a and b, whose gain has been moved to `below`. */
typedef struct edge_valued_frame {
	edge_valued_edge a, b;
	int64_t below;
	uint32_t level, value; /* the level that is looked at, and the value of it that comes next */
	uint64_t base;         /* where its edges begin on the stack                               */
} edge_valued_frame;

/* Zero-initialise it, set n_values and control; `symcf_edge_valued_open` does the rest. */
typedef struct edge_valued {
	const uint32_t *n_values; /* by level */
	symcf_control *control;
	edge_valued_node *nodes;
	edge_valued_edge *edges;
	edge_valued_edge *stack;   /* of nodes to be              */
	edge_valued_memo *memos;   /* of the choice under way     */
	edge_valued_frame *frames; /* the same, at most one per level */
	uint64_t n_nodes, n_edges, n_stack, n_memos, n_frames;
	uint64_t cap_nodes, cap_edges, cap_stack, cap_memos, cap_frames;
	hash_table node_table, memo_table;
} edge_valued;

symcf_status symcf_edge_valued_open(edge_valued *e, uint32_t n_levels);
void symcf_edge_valued_free_arrays(edge_valued *e);
uint64_t symcf_edge_valued_bytes(const edge_valued *e);

/* The function that is a where the feature of level `test` has a value of the set, b elsewhere. */
symcf_status symcf_edge_valued_choose(edge_valued *e, uint32_t test, const uint8_t *set,
                                      edge_valued_edge a, edge_valued_edge b,
                                      edge_valued_edge *out);

static inline bool edge_valued_same(edge_valued_edge a, edge_valued_edge b)
{
	return a.node == b.node && a.gain == b.gain;
}

/* What is left of an edge when the feature of `level` has value v. requires: it does not look at
 * the levels above. */
static inline edge_valued_edge edge_valued_follow(const edge_valued *e, edge_valued_edge from,
                                                  uint32_t level, uint32_t v)
{
	const edge_valued_node *u = &e->nodes[from.node];
	if (u->level != level)
		return from;
	const edge_valued_edge next = e->edges[u->first + v];
	return (edge_valued_edge){.node = next.node, .gain = from.gain + next.gain};
}

#endif
