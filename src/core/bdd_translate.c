/* bdd_translate.c: a diagram over other features.
 *
 * Two classifiers are compared over features that both can be read from: each value of such a
 * feature stands for one value of a feature of the diagram, several may stand for the same one, and
 * several features of the diagram may be read from one of them. The order of the levels may be any
 * other, too. From the bottom of the diagram up, a node becomes the chain (bdd.h) of the new
 * feature, whose children are what the old node's became; where these test features above it, CUDD
 * sorts that out (ITE).
 */
#include "bdd.h"
#include "memory.h"

typedef struct translation {
	const symcf_diagram *d;
	const uint32_t *feature_of, *code_start, *code_of;
	DdNode **twin; /* by node, referenced */
} translation;

/* The function that leads value v of a feature to child[v], whatever they test. ensures: referenced;
 * NULL on failure. */
static DdNode *any_chain(symcf_bdd *b, uint32_t feature, DdNode *const *child)
{
	DdNode *rest = child[0];
	Cudd_Ref(rest);
	for (uint32_t v = b->arity[feature] - 1; v > 0 && rest; v--) {
		DdNode *test = Cudd_bddIthVar(b->manager, (int)(b->first[feature] + v - 1));
		DdNode *node = test ? Cudd_bddIte(b->manager, test, child[v], rest) : NULL;
		if (node)
			Cudd_Ref(node);
		Cudd_RecursiveDeref(b->manager, rest);
		rest = node;
	}
	return rest;
}

static symcf_status translate(symcf_bdd *b, void *data)
{
	const translation *t = data;
	const symcf_diagram *d = t->d;
	for (uint32_t u = 0; u < d->n_nodes; u++) {
		if (u < 2) {
			t->twin[u] = Cudd_NotCond(Cudd_ReadOne(b->manager), u == 0);
			Cudd_Ref(t->twin[u]);
			continue;
		}
		const uint32_t *child = symcf_children(d, u), j = d->order[d->level[u]];
		const uint32_t feature = t->feature_of[j], *code = t->code_of + t->code_start[j];
		for (uint32_t v = 0; v < b->arity[feature]; v++)
			b->children[v] = t->twin[child[code[v]]];
		t->twin[u] = any_chain(b, feature, b->children);
		if (!t->twin[u])
			return symcf_bdd_failure(b);
		symcf_bdd_reached(b, u - 1, SYMCF_OK);
		const symcf_status status = symcf_tick(b->control, WORK_A_NODE);
		if (status)
			return status; /* the manager, and all its nodes, are given up */
	}
	b->root = t->twin[d->root];
	Cudd_Ref(b->root);
	for (uint32_t u = 0; u < d->n_nodes; u++)
		Cudd_RecursiveDeref(b->manager, t->twin[u]);
	return SYMCF_OK;
}

/* Do the features and the codes exist? code_start is what outsiders say, and ends where code_of does. */
static bool fits(const translation *t, uint32_t n, const uint32_t *order, const uint32_t *arity)
{
	const symcf_diagram *d = t->d;
	for (uint32_t k = 0; k < d->n; k++) {
		const uint32_t j = d->order[k], feature = t->feature_of[j];
		uint32_t level = 0;
		while (level < n && order[level] != feature)
			level++;
		const uint32_t start = t->code_start[j], end = t->code_start[j + 1];
		if (level == n || end < start || end > t->code_start[d->n] || end - start != arity[level])
			return false;
		for (uint32_t v = 0; v < arity[level]; v++)
			if (t->code_of[start + v] >= d->arity[k])
				return false;
	}
	return true;
}

symcf_status symcf_bdd_translate(const symcf_diagram *d, uint32_t n, const uint32_t *order,
                                 const uint32_t *arity, const uint32_t *feature_of,
                                 const uint32_t *code_start, const uint32_t *code_of,
                                 symcf_control *control, symcf_bdd **out)
{
	symcf_bdd *b;
	translation t = {d, feature_of, code_start, code_of, NULL};
	if (!fits(&t, n, order, arity))
		return SYMCF_INVALID;
	symcf_status status = symcf_bdd_create(n, order, arity, d->n_nodes, control, &b);
	if (status)
		return status;
	t.twin = symcf_allocate(d->n_nodes, sizeof *t.twin);
	symcf_bdd_begin(b, control, WORK_A_LOOK);
	symcf_bdd_limit_nodes(b);
	status = t.twin ? symcf_bdd_guard(b, translate, &t) : symcf_no_memory();
	symcf_bdd_reached(b, d->n_nodes, status);
	symcf_bdd_end(b);
	symcf_free(t.twin);
	return bdd_hand_over(b, status, out);
}
