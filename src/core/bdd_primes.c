/* bdd_primes.c: diagram -> irredundant prime clauses, by CUDD's covers.
 *
 * The algorithm of Minato and Morreale, as CUDD has it, covers the off-set by prime implicants, none
 * of which can be left out; the negation of each is a prime implicate of f, that is, a clause. The
 * cover comes as a ZDD of cubes.
 */
#include <string.h>

#include "bdd.h"
#include "memory.h"

/* A depth-first walk over the cubes of a ZDD cover. Variable 2i of the ZDD is literal i, 2i + 1
 * its negation. With out == NULL it only measures. */
typedef struct cube_walk {
	symcf_bdd *b;
	uint64_t max_clauses;
	int32_t *out;
	uint64_t length, n_clauses;
	int32_t *clause; /* of the cube under way: its literals, negated */
	uint32_t size;
} cube_walk;

static symcf_status end_cube(cube_walk *w)
{
	if (w->max_clauses && w->n_clauses >= w->max_clauses)
		return SYMCF_LIMIT_NODES;
	if (w->out) {
		memcpy(w->out + w->length, w->clause, w->size * sizeof *w->clause);
		w->out[w->length + w->size] = 0;
	}
	w->length += w->size + 1;
	w->n_clauses++;
	return symcf_tick(w->b->control, w->size + 10);
}

/* As deep as there are ZDD variables on a path, at most one of each pair: n frames. */
static symcf_status walk_cubes(cube_walk *w, DdNode *node)
{
	const uint32_t size = w->size;
	symcf_status status = SYMCF_OK;
	while (!status && !Cudd_IsConstant(node)) {
		const uint32_t index = Cudd_NodeReadIndex(node);
		const int32_t variable = (int32_t)w->b->feature_of[index / 2] + 1;
		w->clause[w->size++] = index % 2 ? variable : -variable;
		status = walk_cubes(w, Cudd_T(node));
		w->size = size;
		node = Cudd_E(node);
	}
	if (!status && node == Cudd_ReadOne(w->b->manager))
		status = end_cube(w);
	w->size = size;
	return status;
}

/* ensures: *cover is referenced. */
static symcf_status prime_cover(symcf_bdd *b, bool negate, DdNode **cover)
{
	DdManager *manager = b->manager;
	if (!b->has_zdd_variables && b->n) {
		if (!Cudd_zddVarsFromBddVars(manager, 2))
			return bdd_failure(b);
		b->has_zdd_variables = true;
	}
	DdNode *function = Cudd_NotCond(b->root, !negate);
	DdNode *same = Cudd_zddIsop(manager, function, function, cover);
	if (!same)
		return bdd_failure(b);
	Cudd_Ref(*cover);
	Cudd_Ref(same);
	Cudd_RecursiveDeref(manager, same);
	return same == function ? SYMCF_OK : SYMCF_INTERNAL;
}

symcf_status symcf_encode_primes(symcf_bdd *b, bool negate, uint64_t max_clauses,
                                 symcf_control *control, symcf_clauses **out)
{
	DdNode *cover = NULL;
	cube_walk w = {.b = b, .max_clauses = max_clauses};
	symcf_clauses *c = symcf_allocate_zeroed(1, sizeof *c);
	w.clause = symcf_allocate((uint64_t)b->n + 1, sizeof *w.clause);
	bdd_begin(b, control, WORK_A_NODE);
	symcf_status status = c && w.clause ? prime_cover(b, negate, &cover) : SYMCF_NO_MEMORY;
	if (!status) {
		const double cubes = Cudd_zddCountDouble(b->manager, cover);
		if (control)
			control->nodes = cubes < 0x1p63 ? (uint64_t)cubes : INT64_MAX;
		status = walk_cubes(&w, cover);
	}
	if (!status && !(c->literals = symcf_allocate(w.length, sizeof *c->literals)))
		status = SYMCF_NO_MEMORY;
	if (!status) {
		c->length = w.length;
		c->n_clauses = w.n_clauses;
		c->n_vars = b->n;
		w.out = c->literals;
		w.length = w.n_clauses = 0;
		status = walk_cubes(&w, cover);
	}
	if (cover)
		Cudd_RecursiveDerefZdd(b->manager, cover);
	bdd_end(b);
	symcf_free(w.clause);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}
