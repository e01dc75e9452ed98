/* bdd_primes.c: diagram -> irredundant prime clauses, by CUDD's covers.
 *
 * The algorithm of Minato and Morreale, as CUDD has it, covers the off-set by prime implicants, none
 * of which can be left out; the negation of each is a prime implicate of f, that is, a clause. The
 * cover comes as a ZDD of cubes.
 *
 * Where features have many values, two indicators of one feature are never true together: every
 * CNF says so in clauses of its own. What the cover makes of such inputs is free, which makes it
 * smaller: it lies between the off-set without them and the off-set with all of them.
 */
#include <string.h>

#include "bdd.h"
#include "memory.h"
#include "try.h"

/* A depth-first walk over the cubes of a ZDD cover. Variable 2i of the ZDD is literal i, 2i + 1
 * its negation. With out == NULL it only measures. */
typedef struct cube_walk {
	symcf_bdd *b;
	uint64_t max_clauses;
	int32_t *out;
	uint64_t length, n_clauses;
	int32_t *clause;  /* of the cube under way: its literals, negated ...        */
	DdNode **without; /* ... and what is to be walked without the last of them   */
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

/* A path has at most one of each pair of ZDD variables. */
static symcf_status walk_cubes(cube_walk *w, DdNode *node)
{
	w->size = 0;
	for (;;) {
		while (!Cudd_IsConstant(node)) {
			const uint32_t index = Cudd_NodeReadIndex(node);
			const int32_t variable = bdd_literal(w->b, index / 2);
			w->without[w->size] = Cudd_E(node);
			w->clause[w->size++] = index % 2 ? variable : -variable;
			node = Cudd_T(node);
		}
		if (node == Cudd_ReadOne(w->b->manager))
			TRY(end_cube(w));
		if (!w->size)
			return SYMCF_OK;
		node = w->without[--w->size];
	}
}

/* Replaces *product by its conjunction with `factor`, and takes the reference of `factor` away. */
static bool narrow(symcf_bdd *b, DdNode **product, DdNode *factor)
{
	DdNode *result = Cudd_bddAnd(b->manager, *product, factor);
	if (result)
		Cudd_Ref(result);
	Cudd_RecursiveDeref(b->manager, factor);
	if (!result)
		return false;
	Cudd_RecursiveDeref(b->manager, *product);
	*product = result;
	return true;
}

/* No two variables of the block of this feature are true: from the last variable up, `none` is
 * "all false so far" and `one` is "at most one is true". ensures: referenced; NULL on failure. */
static DdNode *at_most_one(symcf_bdd *b, uint32_t feature)
{
	DdNode *none = Cudd_ReadOne(b->manager), *one = none;
	Cudd_Ref(none);
	Cudd_Ref(one);
	for (uint32_t v = b->arity[feature] - 1; v > 0 && none && one; v--) {
		DdNode *y = Cudd_bddIthVar(b->manager, (int)(b->first[feature] + v - 1));
		DdNode *next = Cudd_bddIte(b->manager, y, none, one);
		if (next)
			Cudd_Ref(next);
		Cudd_RecursiveDeref(b->manager, one);
		one = next;
		next = Cudd_bddAnd(b->manager, Cudd_Not(y), none);
		if (next)
			Cudd_Ref(next);
		Cudd_RecursiveDeref(b->manager, none);
		none = next;
	}
	if (none)
		Cudd_RecursiveDeref(b->manager, none);
	if (!none && one)
		Cudd_RecursiveDeref(b->manager, one);
	return none ? one : NULL;
}

/* The inputs that stand for values of the features. ensures: *valid is referenced. */
static symcf_status valid_inputs(symcf_bdd *b, DdNode **valid)
{
	DdNode *product = Cudd_ReadOne(b->manager);
	Cudd_Ref(product);
	for (uint32_t i = b->n_variables; i-- > 0;) { /* upwards: every node made is used */
		const uint32_t variable = (uint32_t)Cudd_ReadInvPerm(b->manager, (int)i);
		const uint32_t feature = b->feature_of[variable];
		if (b->arity[feature] < 3 || bdd_value(b, variable) != 1)
			continue;
		DdNode *factor = at_most_one(b, feature);
		if (!factor || !narrow(b, &product, factor)) {
			Cudd_RecursiveDeref(b->manager, product);
			return symcf_bdd_failure(b);
		}
	}
	*valid = product;
	return SYMCF_OK;
}

/* ensures: lower <= function <= upper, both referenced, equal where all inputs are valid. */
static symcf_status bounds(symcf_bdd *b, DdNode *function, DdNode **lower, DdNode **upper)
{
	DdNode *valid;
	const symcf_status status = valid_inputs(b, &valid);
	if (status)
		return status;
	*lower = Cudd_bddAnd(b->manager, function, valid);
	if (*lower)
		Cudd_Ref(*lower);
	*upper = *lower ? Cudd_bddOr(b->manager, function, Cudd_Not(valid)) : NULL;
	if (*upper)
		Cudd_Ref(*upper);
	Cudd_RecursiveDeref(b->manager, valid);
	if (*lower && !*upper)
		Cudd_RecursiveDeref(b->manager, *lower);
	return *upper ? SYMCF_OK : symcf_bdd_failure(b);
}

/* ensures: *cover is referenced. */
static symcf_status cover_between(symcf_bdd *b, DdNode *lower, DdNode *upper, DdNode **cover)
{
	DdManager *manager = b->manager;
	if (!b->has_zdd_variables && b->n_variables) {
		if (!Cudd_zddVarsFromBddVars(manager, 2))
			return symcf_bdd_failure(b);
		Cudd_zddRealignEnable(manager); /* covers want both orders the same, also after sifting */
		b->has_zdd_variables = true;
	}
	DdNode *covered = Cudd_zddIsop(manager, lower, upper, cover);
	if (!covered)
		return symcf_bdd_failure(b);
	Cudd_Ref(*cover);
	Cudd_Ref(covered);
	const bool between =
		Cudd_bddLeq(manager, lower, covered) && Cudd_bddLeq(manager, covered, upper);
	Cudd_RecursiveDeref(manager, covered);
	return between ? SYMCF_OK : SYMCF_INTERNAL;
}

/* ensures: *cover is referenced or NULL. */
static symcf_status prime_cover(symcf_bdd *b, bool negate, DdNode **cover)
{
	DdNode *lower, *upper;
	symcf_status status = bounds(b, Cudd_NotCond(b->root, !negate), &lower, &upper);
	if (status)
		return status;
	status = cover_between(b, lower, upper, cover);
	Cudd_RecursiveDeref(b->manager, lower);
	Cudd_RecursiveDeref(b->manager, upper);
	return status;
}

typedef struct encoding {
	cube_walk walk;
	bool negate;
	DdNode *cover;    /* referenced, or NULL */
	symcf_clauses *c; /* the caller's        */
} encoding;

static symcf_status find_cover(symcf_bdd *b, void *data)
{
	encoding *e = data;
	const symcf_status status = prime_cover(b, e->negate, &e->cover);
	if (status)
		return status;
	const double cubes = Cudd_zddCountDouble(b->manager, e->cover);
	if (b->control)
		b->control->nodes = cubes < 0x1p63 ? (uint64_t)cubes : INT64_MAX;
	return SYMCF_OK;
}

/* Measures, then writes. Allocates nothing in CUDD. */
static symcf_status write_cover(encoding *e)
{
	cube_walk *w = &e->walk;
	symcf_status status = walk_cubes(w, e->cover);
	if (!status && !(e->c->literals = symcf_allocate(w->length, sizeof *e->c->literals)))
		status = symcf_no_memory();
	if (status)
		return status;
	e->c->length = w->length;
	e->c->n_clauses = w->n_clauses;
	e->c->n_vars = w->b->n_literals;
	w->out = e->c->literals;
	w->length = w->n_clauses = 0;
	return walk_cubes(w, e->cover);
}

symcf_status symcf_encode_primes(symcf_bdd *b, bool negate, uint64_t max_clauses,
                                 symcf_control *control, symcf_clauses **out)
{
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	encoding e = {.walk = {.b = b, .max_clauses = max_clauses}, .negate = negate};
	symcf_clauses *c = e.c = symcf_allocate_zeroed(1, sizeof *c);
	e.walk.clause = symcf_allocate((uint64_t)b->n_variables + 1, sizeof *e.walk.clause);
	e.walk.without = symcf_allocate((uint64_t)b->n_variables + 1, sizeof *e.walk.without);
	symcf_bdd_begin(b, control, WORK_A_LOOK);
	symcf_status status = c && e.walk.clause && e.walk.without ? symcf_bdd_guard(b, find_cover, &e)
	                                                           : symcf_no_memory();
	if (!status)
		status = write_cover(&e);
	if (e.cover && !symcf_bdd_is_lost(b))
		Cudd_RecursiveDerefZdd(b->manager, e.cover);
	symcf_bdd_end(b);
	symcf_free(e.walk.clause);
	symcf_free(e.walk.without);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}
