/* bdd_paths.c: the paths of CUDD's BDD to a sink, as clauses in a buffer.
 *
 * The paper (Boumazouza et al., SUM 2020) forbids every path to 0 by a clause. This walk visits
 * CUDD's own nodes, complement edges resolved on the way, and gives the clauses that paths.c gives
 * of the frozen diagram, in the same order: a node branches at each value that leads elsewhere than
 * value 0, and last at "none of these". The chain of a feature with many values (bdd.h) is one node.
 *
 * The stack has one entry per feature on the way. Nothing is made in CUDD, so the walk needs no
 * guard, and CUDD's garbage collection never runs during it.
 */
#include <assert.h>
#include <string.h>

#include "bdd.h"
#include "clauses.h"
#include "memory.h"

/* A node on the way, and the value that it was left by. */
typedef struct fork {
	DdNode *node;
	uint32_t value; /* 0: none of those with a branch of their own; the last branch */
	uint32_t depth; /* literals before it */
} fork;

typedef struct walk {
	symcf_bdd *b;
	DdNode *end, *dead;
	int32_t *prefix; /* the literals of the clause so far */
	fork *forks;
	uint32_t depth, n_forks;
	/* what was written */
	int32_t *literals;
	uint64_t length, capacity, n_clauses, max_clauses;
} walk;

/* The children of a node, by value, in b->children. */
static uint32_t find_children(symcf_bdd *b, DdNode *node)
{
	const uint32_t j = b->feature_of[Cudd_NodeReadIndex(node)];
	DdNode *rest = node;
	uint32_t value = 0;
	while (!Cudd_IsConstant(rest) && b->feature_of[Cudd_NodeReadIndex(rest)] == j) {
		const uint32_t tested = bdd_value(b, Cudd_NodeReadIndex(rest));
		DdNode *last = bdd_cofactor(rest, 0);
		while (++value < tested)
			b->children[value] = NULL; /* leads where value 0 leads, once that is known */
		b->children[tested] = bdd_cofactor(rest, 1);
		rest = last;
	}
	while (++value < b->arity[j])
		b->children[value] = NULL;
	for (uint32_t v = 0; v < b->arity[j]; v++)
		if (v == 0 || !b->children[v])
			b->children[v] = rest;
	return j;
}

/* The next branch of a node from value v on: one that leads elsewhere than value 0 and is not dead;
 * 0 if only that of value 0 is left. requires: its children were found. */
static uint32_t next_branch(const walk *w, uint32_t arity, uint32_t v)
{
	for (; v < arity; v++)
		if (w->b->children[v] != w->b->children[0] && w->b->children[v] != w->dead)
			return v;
	return 0;
}

static symcf_status write_clause(walk *w, symcf_control *control)
{
	if (w->max_clauses && w->n_clauses == w->max_clauses)
		return SYMCF_LIMIT_NODES;
	const uint64_t needed = w->length + w->depth + 1;
	if (control && control->max_memory && needed > control->max_memory / sizeof(int32_t))
		return SYMCF_LIMIT_MEMORY;
	if (!symcf_grow(&w->literals, &w->capacity, needed, sizeof *w->literals))
		return symcf_no_memory();
	memcpy(w->literals + w->length, w->prefix, w->depth * sizeof *w->prefix);
	w->literals[needed - 1] = 0;
	w->length = needed;
	w->n_clauses++;
	return symcf_tick(control, w->depth + 30);
}

/* Goes along the branch of value v. ensures: the node or sink that it leads to. */
static DdNode *follow(walk *w, uint32_t feature, uint32_t v)
{
	const int32_t before = (int32_t)w->b->literal[feature] - 1; /* [X=v] is before + v */
	if (v)
		w->prefix[w->depth++] = -(before + (int32_t)v);
	for (uint32_t u = 1; !v && u < w->b->arity[feature]; u++)
		if (w->b->children[u] != w->b->children[0])
			w->prefix[w->depth++] = before + (int32_t)u;
	return w->b->children[v];
}

static symcf_status visit(walk *w, symcf_control *control)
{
	DdNode *node = w->b->root;
	for (;;) {
		if (node == w->end) {
			const symcf_status status = write_clause(w, control);
			if (status)
				return status;
		}
		uint32_t v = 1;
		if (Cudd_IsConstant(node)) { /* back to the last fork with a branch left */
			while (w->n_forks && !w->forks[w->n_forks - 1].value)
				w->n_forks--;
			if (!w->n_forks)
				return SYMCF_OK;
			const fork f = w->forks[--w->n_forks];
			node = f.node;
			w->depth = f.depth;
			v = f.value + 1;
		}
		const uint32_t j = find_children(w->b, node);
		v = next_branch(w, w->b->arity[j], v);
		w->forks[w->n_forks++] = (fork){node, v, w->depth};
		node = follow(w, j, v);
	}
}

symcf_status symcf_bdd_encode_paths(symcf_bdd *b, bool negate, uint64_t max_clauses,
                                    symcf_control *control, symcf_clauses **out)
{
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	DdNode *const one = Cudd_ReadOne(b->manager), *const zero = Cudd_ReadLogicZero(b->manager);
	walk w = {.b = b, .end = negate ? one : zero, .dead = negate ? zero : one};
	w.max_clauses = max_clauses;
	w.prefix = symcf_allocate((uint64_t)b->n_literals + 1, sizeof *w.prefix);
	w.forks = symcf_allocate((uint64_t)b->n + 1, sizeof *w.forks);
	symcf_clauses *c = symcf_allocate_zeroed(1, sizeof *c);
	symcf_status status = w.prefix && w.forks && c ? SYMCF_OK : symcf_no_memory();
	if (!status)
		status = visit(&w, control);
	if (control)
		control->nodes = w.n_clauses + (status == SYMCF_LIMIT_NODES);
	symcf_free(w.prefix);
	symcf_free(w.forks);
	if (status) {
		symcf_free(w.literals);
		symcf_free(c);
		return status;
	}
	c->literals = w.literals;
	c->length = w.length;
	c->n_clauses = w.n_clauses;
	c->n_vars = b->n_literals;
	*out = c;
	return SYMCF_OK;
}
