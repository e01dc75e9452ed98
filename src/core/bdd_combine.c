/* bdd_combine.c: conjunctions and compositions of diagrams, in CUDD.
 *
 * The diagram of one of several classes is the conjunction of what beats what; a relation between
 * features is one more factor. Factors are thawed one at a time into the same manager, so that
 * nothing but the product so far and the next factor is alive.
 *
 * A neuron whose inputs are neurons is a composition: its own diagram decides between its inputs,
 * and each of these is a diagram of the features. From the bottom of the outer diagram up, a node
 * becomes ITE(input, what its 1 became, what its 0 became).
 */
#include <string.h>

#include "bdd.h"
#include "memory.h"

static bool same_features(const symcf_diagram *a, const symcf_diagram *b)
{
	return a->n == b->n && !memcmp(a->order, b->order, a->n * sizeof *a->order) &&
	       !memcmp(a->arity, b->arity, a->n * sizeof *a->arity);
}

typedef struct factors {
	const symcf_diagram *const *d;
	const uint8_t *negate;
	size_t count;
} factors;

/* ensures: *product is replaced by its conjunction with d, or as it was. */
static symcf_status conjoin_one(symcf_bdd *b, const symcf_diagram *d, bool negate, DdNode **product)
{
	DdNode *factor;
	b->work = WORK_A_NODE;
	const symcf_status status = symcf_bdd_thaw_root(b, d, &factor);
	if (status)
		return status;
	b->work = WORK_A_LOOK;
	DdNode *result = Cudd_bddAnd(b->manager, *product, Cudd_NotCond(factor, negate));
	if (result)
		Cudd_Ref(result);
	Cudd_RecursiveDeref(b->manager, factor);
	if (!result)
		return symcf_bdd_failure(b);
	Cudd_RecursiveDeref(b->manager, *product);
	*product = result;
	return SYMCF_OK;
}

static symcf_status conjoin(symcf_bdd *b, void *data)
{
	const factors *f = data;
	symcf_status status = SYMCF_OK;
	for (size_t i = 0; i < f->count && !status; i++) {
		status = conjoin_one(b, f->d[i], f->negate && f->negate[i], &b->root);
		symcf_bdd_reached(b, (uint32_t)i + !status, status);
	}
	return status;
}

symcf_status symcf_bdd_conjoin(const symcf_diagram *const *d, const uint8_t *negate, size_t count,
                               symcf_control *control, symcf_bdd **out)
{
	symcf_bdd *b;
	for (size_t i = 0; i < count; i++)
		if (!same_features(d[0], d[i]))
			return SYMCF_INVALID;
	if (!count)
		return SYMCF_INVALID;
	symcf_status status =
		symcf_bdd_create(d[0]->n, d[0]->order, d[0]->arity, d[0]->n_nodes, control, &b);
	if (status)
		return status;
	b->root = Cudd_ReadOne(b->manager);
	Cudd_Ref(b->root);
	symcf_bdd_begin(b, control, WORK_A_NODE);
	symcf_bdd_limit_nodes(b);
	factors f = {d, negate, count};
	status = symcf_bdd_guard(b, conjoin, &f);
	symcf_bdd_end(b);
	return bdd_hand_over(b, status, out);
}

typedef struct composition {
	const symcf_diagram *outer;
	const symcf_diagram *const *inner;
	DdNode **input, **node; /* what the inner diagrams and the outer nodes became; referenced */
} composition;

static symcf_status compose(symcf_bdd *b, void *data)
{
	const composition *c = data;
	const symcf_diagram *outer = c->outer;
	DdNode **input = c->input, **node = c->node;
	symcf_status status = SYMCF_OK;
	b->work = WORK_A_NODE;
	for (uint32_t j = 0; j < outer->n && !status; j++)
		status = symcf_bdd_thaw_root(b, c->inner[j], &input[j]);
	b->work = WORK_A_LOOK;
	for (uint32_t u = 0; u < outer->n_nodes && !status; u++) {
		if (u < 2) {
			node[u] = Cudd_NotCond(Cudd_ReadOne(b->manager), u == 0);
		} else {
			const uint32_t *child = outer->child + 2 * (uint64_t)(u - 2);
			node[u] = Cudd_bddIte(b->manager, input[outer->order[outer->level[u]]], node[child[1]],
			                      node[child[0]]);
			if (!node[u])
				return symcf_bdd_failure(b);
		}
		Cudd_Ref(node[u]);
		symcf_bdd_reached(b, u + 1, SYMCF_OK);
	}
	if (status)
		return status;
	b->root = node[outer->root];
	Cudd_Ref(b->root);
	for (uint32_t j = 0; j < outer->n; j++)
		Cudd_RecursiveDeref(b->manager, input[j]);
	for (uint32_t u = 0; u < outer->n_nodes; u++)
		Cudd_RecursiveDeref(b->manager, node[u]);
	return SYMCF_OK;
}

symcf_status symcf_bdd_compose(const symcf_diagram *outer, const symcf_diagram *const *inner,
                               symcf_control *control, symcf_bdd **out)
{
	symcf_bdd *b;
	if (!outer->n)
		return SYMCF_INVALID;
	for (uint32_t j = 0; j < outer->n; j++)
		if (outer->arity[j] != 2 || !same_features(inner[0], inner[j]))
			return SYMCF_INVALID;
	symcf_status status = symcf_bdd_create(inner[0]->n, inner[0]->order, inner[0]->arity,
	                                       inner[0]->n_nodes, control, &b);
	if (status)
		return status;
	DdNode **kept = symcf_allocate((uint64_t)outer->n + outer->n_nodes, sizeof(DdNode *));
	composition c = {outer, inner, kept, kept ? kept + outer->n : NULL};
	symcf_bdd_begin(b, control, WORK_A_NODE);
	symcf_bdd_limit_nodes(b);
	status = kept ? symcf_bdd_guard(b, compose, &c) : symcf_no_memory();
	symcf_bdd_end(b);
	symcf_free(kept);
	return bdd_hand_over(b, status, out);
}
