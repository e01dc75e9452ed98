/* bdd_combine.c: conjunctions of diagrams, in CUDD.
 *
 * The diagram of one of several classes is the conjunction of what beats what; a relation between
 * features is one more factor. Factors are thawed one at a time into the same manager, so that
 * nothing but the product so far and the next factor is alive.
 */
#include <string.h>

#include "bdd.h"

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
	const symcf_status status = bdd_thaw_root(b, d, &factor);
	if (status)
		return status;
	b->work = WORK_A_LOOK;
	DdNode *result = Cudd_bddAnd(b->manager, *product, Cudd_NotCond(factor, negate));
	if (result)
		Cudd_Ref(result);
	Cudd_RecursiveDeref(b->manager, factor);
	if (!result)
		return bdd_failure(b);
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
		bdd_reached(b, (uint32_t)i + !status, status);
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
	symcf_status status = bdd_create(d[0]->n, d[0]->order, d[0]->arity, d[0]->n_nodes, control, &b);
	if (status)
		return status;
	b->root = Cudd_ReadOne(b->manager);
	Cudd_Ref(b->root);
	bdd_begin(b, control, WORK_A_NODE);
	bdd_limit_nodes(b);
	factors f = {d, negate, count};
	status = bdd_guard(b, conjoin, &f);
	bdd_end(b);
	if (status)
		symcf_bdd_free(b);
	else
		*out = b;
	return status;
}
