/* mcs.c: engine `sat`, all minimal correction subsets of clauses and an instance.
 *
 * Problem. The hard clauses say what the classifier should answer; the instance is one soft literal
 * per feature, "it keeps its value". A minimal correction subset (MCS) is a minimal set of soft
 * literals whose removal makes the rest satisfiable together with the hard clauses: the features
 * that change in one minimal counterfactual (Boumazouza et al. 2020, Proposition 2). Its complement
 * is a maximal satisfiable subset (MSS).
 *
 * Words. A feature is *kept* or *changed*; it is *fixed* if it must be kept, else *movable*. A set
 * of changes *flips* if the hard clauses are satisfied after it. To *block* a set is to forbid all
 * its supersets, by the clause "one of its features is kept".
 *
 * Algorithm. The hard clauses are loaded once. An instance is a set of assumptions, and its blocking
 * clauses carry the negation of an activation variable, which is assumed while the instance is open
 * and refuted when it closes. Then, as in all enumerators since Liffiton and Sakallah 2008:
 *
 *   1. Ask the solver for a model. UNSAT proves that all sets have been found.
 *   2. Grow the kept part of the model to an MSS: assume what is kept and constrain the rest by "one
 *      of you is kept, too" (the D clause of Marques-Silva et al. 2013, by CaDiCaL's `constrain`,
 *      so that nothing needs to be retired); UNSAT says that the rest is an MCS.
 *   3. Block it, go to 1.
 *
 * With the diagram of a function that is monotone in each feature, as every threshold function is,
 * the solver is left with step 1:
 *
 *   - Of all values that a feature may take, one is nearest to the wanted sink: whatever flips with
 *     another value flips with that one. The caller names it and forbids the others; a feature whose
 *     changes would all lead away from the sink is fixed. So features of many values cost no more
 *     than those of two, and of these about half are fixed.
 *   - Growing is reverting changes, one by one, while the diagram still says flipped.
 *   - From one MCS others follow by *model rotation* (Gregoire, Izza and Lagniez 2018, "Boosting MCSes
 *     enumeration"): take one change back, make others that help less until it flips again, shrink.
 *     We start from the changes that help most and rotate each set at each of its features until
 *     nothing new appears; only then the solver is asked. With the features of a threshold function
 *     in the order of what their change is worth this reaches nearly every set, so that one call is
 *     left: the proof. In other orders the solver finds what rotation does not reach. The diagram's
 *     own order is as good for two values, where a change is worth the feature's influence or less
 *     than nothing, but not for more.
 *
 * Values that an instance must not take are assumptions, too: literals of the caller's, which hold
 * for every call of the solver, also where it grows. Without a diagram a feature of many values may
 * be any that is left; a set is minimal as a set of features over all of them.
 *
 * Options of the solver stay as CaDiCaL sets them. A fresh solver now and then (mcs_solver.c) keeps closed instances from
 * slowing it down.
 */
#include <string.h>

#include "mcs_internal.h"
#include "memory.h"

static bool can_rotate(const symcf_mcs *e)
{
	return e->d && (!e->begun || e->rotated < e->found.sets.n_sets);
}

static symcf_status rotate_next(symcf_mcs *e, symcf_control *control)
{
	if (!e->begun) {
		e->begun = true;
		return symcf_mcs_rotate_nothing(e);
	}
	TRY(symcf_mcs_rotate(e, e->rotated, control));
	e->rotated++;
	return SYMCF_OK;
}

/* Appends what is found and not yet reported, at most *limit sets. */
static symcf_status report(symcf_mcs *e, uint64_t *limit, symcf_sets *sets)
{
	for (; *limit && e->reported < e->found.sets.n_sets; e->reported++, --*limit) {
		uint32_t size;
		const uint32_t *set = symcf_mcs_found_get(&e->found, e->reported, &size);
		TRY(symcf_sets_push(sets, set, size));
	}
	return SYMCF_OK;
}

symcf_status symcf_mcs_next(symcf_mcs *e, symcf_control *control, uint64_t limit, symcf_sets *sets)
{
	if (!e->active)
		return SYMCF_INVALID;
	for (;;) {
		TRY(report(e, &limit, sets));
		if (e->complete && e->reported == e->found.sets.n_sets)
			return SYMCF_OK;
		if (!limit)
			return SYMCF_MORE;
		TRY(symcf_poll(control));
		TRY(can_rotate(e) ? rotate_next(e, control) : symcf_mcs_search(e, control));
	}
}

static bool is_literal(const symcf_mcs *e, int32_t literal)
{
	return literal && literal != INT32_MIN && (literal < 0 ? -literal : literal) <= e->n_vars;
}

static bool literals_fit(const symcf_mcs *e, const int32_t *literals, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!is_literal(e, literals[i]))
			return false;
	return true;
}

/* Is order a permutation of the features? Uses e->places. */
static bool order_fits(symcf_mcs *e, const uint32_t *order)
{
	memset(e->places, 0, e->n * sizeof *e->places);
	for (uint32_t i = 0; i < e->n; i++) {
		if (order[i] >= e->n || e->places[order[i]])
			return false;
		e->places[order[i]] = 1;
	}
	return true;
}

static bool codes_fit(const symcf_diagram *d, const uint32_t *codes)
{
	for (uint32_t k = 0; k < d->n; k++) {
		const uint32_t *pair = codes + 2 * (uint64_t)d->order[k];
		if (pair[0] >= d->arity[k] || pair[1] >= d->arity[k])
			return false;
	}
	return true;
}

static bool instance_fits(symcf_mcs *e, const symcf_instance *x)
{
	if (!literals_fit(e, x->keep, e->n) || !literals_fit(e, x->assumed, x->n_assumed))
		return false;
	if (!e->d || !e->n)
		return true;
	return x->codes && x->order && codes_fit(e->d, x->codes) && order_fits(e, x->order);
}

static symcf_status reserve_assumed(symcf_mcs *e, uint32_t count)
{
	if (count <= e->cap_assumed)
		return SYMCF_OK;
	int32_t *assumed = symcf_allocate(count, sizeof *assumed);
	if (!assumed)
		return symcf_no_memory();
	symcf_free(e->assumed);
	e->assumed = assumed;
	e->cap_assumed = count;
	return SYMCF_OK;
}

static void set_instance(symcf_mcs *e, const symcf_instance *x)
{
	for (uint32_t j = 0; j < e->n; j++) {
		e->keep[j] = x->keep[j];
		e->fixed[j] = x->fixed && x->fixed[j];
	}
	for (uint32_t i = 0; i < x->n_assumed; i++)
		e->assumed[i] = x->assumed[i];
	e->n_assumed = x->n_assumed;
	e->max_changes = x->max_changes;
	e->begun = e->complete = false;
	e->rotated = e->blocked = e->reported = 0;
	symcf_mcs_found_clear(&e->found);
	if (e->d)
		symcf_mcs_view_make(e, x);
}

/* Forgets the instance, not the clauses. */
static symcf_status close_instance(symcf_mcs *e)
{
	if (!e->active)
		return SYMCF_OK;
	const int32_t retired = -e->active;
	e->active = 0;
	e->closed++;
	return symcf_sat_clause(e->sat, &retired, 1);
}

symcf_status symcf_mcs_open(symcf_mcs *e, const symcf_instance *x)
{
	if (!instance_fits(e, x))
		return SYMCF_INVALID;
	TRY(close_instance(e));
	TRY(reserve_assumed(e, x->n_assumed));
	set_instance(e, x);
	for (uint32_t j = 0; j < e->n; j++)
		TRY(symcf_sat_phase(e->sat, e->keep[j]));
	TRY(symcf_sat_variable(e->sat, &e->active));
	e->statistics.instances++;
	const symcf_status status = symcf_mcs_bound_changes(e);
	return status == SYMCF_OK ? SYMCF_OK : (close_instance(e), status);
}

bool symcf_mcs_worn(const symcf_mcs *e)
{
	enum { MANY = 1000 };
	return e->closed >= MANY;
}

static void lay_out(arena *a, symcf_mcs *e)
{
	const uint64_t n = (uint64_t)e->n + 1;
	e->keep = symcf_arena_take(a, n, sizeof *e->keep);
	e->fixed = symcf_arena_take(a, n, sizeof *e->fixed);
	e->set = symcf_arena_take(a, n, sizeof *e->set);
	e->places = symcf_arena_take(a, n, sizeof *e->places);
	e->clause = symcf_arena_take(a, n, sizeof *e->clause);
	e->counter.changed = symcf_arena_take(a, n, sizeof *e->counter.changed);
	e->counter.more_than = symcf_arena_take(a, n, sizeof *e->counter.more_than);
	if (e->d)
		symcf_mcs_view_lay_out(a, e);
}

symcf_status symcf_mcs_create(symcf_sat *sat, const symcf_hard *hard, symcf_control *control,
                              symcf_mcs **out)
{
	if ((int64_t)hard->n > hard->n_vars || (hard->d && (hard->sink > 1 || hard->d->n != hard->n)))
		return SYMCF_INVALID;
	symcf_mcs *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	e->sat = sat;
	e->d = hard->d;
	e->n = hard->n;
	e->sink = hard->sink;
	e->n_vars = hard->n_vars;
	lay_out(&e->arena, e);
	symcf_status status = symcf_arena_open(&e->arena);
	if (status == SYMCF_OK) {
		lay_out(&e->arena, e);
		status = symcf_sat_load(sat, hard->n_vars, hard->literals, hard->length, control);
	}
	if (status != SYMCF_OK) {
		symcf_mcs_free(e);
		return status;
	}
	*out = e;
	return SYMCF_OK;
}

void symcf_mcs_free(symcf_mcs *e)
{
	if (!e)
		return;
	symcf_arena_close(&e->arena);
	symcf_free(e->assumed);
	symcf_hash_table_free(&e->found.table);
	symcf_sets_free_arrays(&e->found.sets);
	symcf_free(e);
}

symcf_mcs_statistics symcf_mcs_get_statistics(const symcf_mcs *e)
{
	return e->statistics;
}
