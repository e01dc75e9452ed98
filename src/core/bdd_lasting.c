/* bdd_lasting.c: the inputs whose decision lasts when features change, in CUDD.
 *
 * Let f be a function of features, and let some values be allowed to be taken. The problem: of which
 * inputs does f stay 1, whatever one feature becomes, or whatever any number of them become? Written
 * L1(f) and L(f), from the bottom of the diagram of f up:
 *
 *   L1(u) = for value a of its feature:  L1(u_a)  and  u_b for every b that a may become,
 *   L(u)  = for value a of its feature:  L(u_a)  and  L(u_b) for every b that a may become.
 *
 * Features that a node skips make no difference below it, nor does changing them. Of how many changes
 * a decision survives follows by asking again: L1(L1(f)) are the inputs where two features may
 * change, since a feature that changes twice might as well have changed once.
 */
#include "bdd.h"
#include "memory.h"

typedef struct lasting {
	const symcf_diagram *d;
	const uint32_t *value_offset;
	const uint8_t *allowed, *direction;
	bool negate, any_number;
	DdNode **own, **kept; /* by node: its function, and what lasts of it; referenced */
	DdNode **child;       /* by value: what lasts of it, as far as we got; referenced */
} lasting;

/* *product is replaced by its conjunction with a factor. */
static symcf_status conjoin(symcf_bdd *b, DdNode **product, DdNode *factor)
{
	DdNode *result = Cudd_bddAnd(b->manager, *product, factor);
	if (!result)
		return symcf_bdd_failure(b);
	Cudd_Ref(result);
	Cudd_RecursiveDeref(b->manager, *product);
	*product = result;
	return SYMCF_OK;
}

/* Fills w->child with what lasts of the children of u. `rest` is the conjunction of what values met
 * so far lead to: with a direction, each value asks for those beyond it, without, for all. */
static symcf_status conjoin_children(symcf_bdd *b, lasting *w, uint32_t u, DdNode **rest)
{
	const symcf_diagram *d = w->d;
	const uint32_t k = d->level[u], j = d->order[k], arity = d->arity[k];
	const uint32_t *child = symcf_children(d, u);
	const uint8_t *allowed = w->allowed ? w->allowed + w->value_offset[j] : NULL;
	const uint8_t direction = w->direction ? w->direction[j] : 0;
	DdNode **changed = w->any_number ? w->kept : w->own;
	symcf_status status = SYMCF_OK;
	for (uint32_t i = 0; i < arity && !status && !direction; i++)
		if (!allowed || allowed[i])
			status = conjoin(b, rest, changed[child[i]]);
	for (uint32_t i = 0; i < arity && !status; i++) {
		const uint32_t v = direction == 2 ? i : arity - 1 - i; /* 1: up, so from the top down */
		status = conjoin(b, &w->child[v], *rest);
		if (!status && direction && (!allowed || allowed[v]))
			status = conjoin(b, rest, changed[child[v]]);
	}
	return status;
}

static symcf_status last_of_node(symcf_bdd *b, lasting *w, uint32_t u)
{
	const symcf_diagram *d = w->d;
	const uint32_t k = d->level[u], arity = d->arity[k], *child = symcf_children(d, u);
	DdNode *rest = Cudd_ReadOne(b->manager);
	Cudd_Ref(rest);
	for (uint32_t v = 0; v < arity; v++) {
		w->child[v] = w->kept[child[v]];
		Cudd_Ref(w->child[v]);
	}
	symcf_status status = conjoin_children(b, w, u, &rest);
	if (!status && !(w->kept[u] = symcf_bdd_chain(b, d->order[k], w->child)))
		status = symcf_bdd_failure(b);
	for (uint32_t v = 0; v < arity; v++)
		Cudd_RecursiveDeref(b->manager, w->child[v]);
	Cudd_RecursiveDeref(b->manager, rest);
	if (status || w->any_number)
		return status;
	for (uint32_t v = 0; v < arity; v++)
		w->child[v] = w->own[child[v]];
	w->own[u] = symcf_bdd_chain(b, d->order[k], w->child);
	return w->own[u] ? SYMCF_OK : symcf_bdd_failure(b);
}

static symcf_status last(symcf_bdd *b, void *data)
{
	lasting *w = data;
	const symcf_diagram *d = w->d;
	b->work = WORK_A_LOOK;
	for (uint32_t u = 0; u < d->n_nodes; u++) {
		if (u < 2) {
			w->kept[u] = Cudd_NotCond(Cudd_ReadOne(b->manager), (u == 0) != w->negate);
			w->own[u] = w->kept[u];
			Cudd_Ref(w->kept[u]);
			Cudd_Ref(w->own[u]);
		} else {
			symcf_status status = last_of_node(b, w, u);
			if (!status)
				status = symcf_tick(b->control, WORK_A_NODE);
			if (status)
				return status; /* the manager goes, and with it all references */
		}
		symcf_bdd_reached(b, d->n - d->level[u], SYMCF_OK);
	}
	b->root = w->kept[d->root];
	Cudd_Ref(b->root);
	for (uint32_t u = 0; u < d->n_nodes; u++) {
		Cudd_RecursiveDeref(b->manager, w->kept[u]);
		if (u < 2 || !w->any_number)
			Cudd_RecursiveDeref(b->manager, w->own[u]);
	}
	return SYMCF_OK;
}

symcf_status symcf_bdd_lasting(const symcf_diagram *d, bool negate, const uint32_t *value_offset,
                               const uint8_t *allowed, const uint8_t *direction, bool any_number,
                               symcf_control *control, symcf_bdd **out)
{
	symcf_bdd *b;
	uint32_t most = 1;
	for (uint32_t k = 0; k < d->n; k++)
		most = d->arity[k] > most ? d->arity[k] : most;
	symcf_status status = symcf_bdd_create(d->n, d->order, d->arity, d->n_nodes, control, &b);
	if (status)
		return status;
	DdNode **kept = symcf_allocate(2 * (uint64_t)d->n_nodes + most, sizeof *kept);
	lasting w = {d, value_offset, allowed, direction, negate, any_number, NULL, kept, NULL};
	if (kept) {
		w.own = kept + d->n_nodes;
		w.child = w.own + d->n_nodes;
	}
	symcf_bdd_begin(b, control, WORK_A_NODE);
	symcf_bdd_limit_nodes(b);
	status = kept ? symcf_bdd_guard(b, last, &w) : symcf_no_memory();
	symcf_bdd_end(b);
	symcf_free(kept);
	return bdd_hand_over(b, status, out);
}
