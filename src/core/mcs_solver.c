/* mcs_solver.c: change sets by the solver: ask for a model, grow what it keeps, block what is left. */
#include "mcs_internal.h"

static symcf_status solve(symcf_mcs *e, symcf_control *control, bool *satisfiable)
{
	symcf_answer answer;
	e->statistics.solves++;
	TRY(symcf_sat_solve(e->sat, control, &answer));
	*satisfiable = answer == SYMCF_SATISFIABLE;
	return SYMCF_OK;
}

static symcf_status block(symcf_mcs *e, uint64_t index)
{
	uint32_t size;
	const uint32_t *set = symcf_mcs_found_get(&e->found, index, &size);
	e->clause[0] = -e->active;
	for (uint32_t i = 0; i < size; i++)
		e->clause[i + 1] = e->keep[set[i]];
	return symcf_sat_clause(e->sat, e->clause, size + 1);
}

static symcf_status assume(symcf_mcs *e, const int32_t *literals, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		TRY(symcf_sat_assume(e->sat, literals[i]));
	return SYMCF_OK;
}

/* Is there a set that contains none of those found? */
static symcf_status ask(symcf_mcs *e, symcf_control *control, bool *satisfiable)
{
	for (; e->blocked < e->found.sets.n_sets; e->blocked++)
		TRY(block(e, e->blocked));
	TRY(symcf_sat_assume(e->sat, e->active));
	TRY(assume(e, e->assumed, e->n_assumed));
	for (uint32_t j = 0; j < e->n; j++)
		if (e->fixed[j])
			TRY(symcf_sat_assume(e->sat, e->keep[j]));
	if (mcs_is_bounded(e))
		TRY(symcf_sat_assume(e->sat, -e->counter.more_than[e->max_changes]));
	return solve(e, control, satisfiable);
}

/* Lists the features that the model changes in e->set. */
static symcf_status read_model(symcf_mcs *e, uint32_t *size)
{
	*size = 0;
	for (uint32_t j = 0; j < e->n; j++) {
		bool kept;
		TRY(symcf_sat_value(e->sat, e->keep[j], &kept));
		if (!kept)
			e->set[(*size)++] = j;
	}
	return SYMCF_OK;
}

/* Makes the changes in e->set minimal by the solver: keeps one more as long as that is possible.
 * What is kept already satisfies the blocking clauses and the bound; more of it does, too. */
static symcf_status grow_by_solver(symcf_mcs *e, symcf_control *control, uint32_t *size)
{
	bool satisfiable = true;
	while (satisfiable) {
		for (uint32_t j = 0, i = 0; j < e->n; j++) {
			if (i < *size && e->set[i] == j)
				e->clause[i++] = e->keep[j];
			else
				TRY(symcf_sat_assume(e->sat, e->keep[j]));
		}
		TRY(assume(e, e->assumed, e->n_assumed));
		TRY(symcf_sat_constrain(e->sat, e->clause, *size));
		TRY(solve(e, control, &satisfiable));
		if (satisfiable)
			TRY(read_model(e, size));
	}
	return SYMCF_OK;
}

symcf_status symcf_mcs_search(symcf_mcs *e, symcf_control *control)
{
	bool satisfiable, is_new;
	uint32_t size;
	TRY(ask(e, control, &satisfiable));
	if (!satisfiable) {
		e->complete = true;
		return SYMCF_OK;
	}
	TRY(read_model(e, &size));
	TRY(e->d ? symcf_mcs_grow_by_diagram(e, &size) : grow_by_solver(e, control, &size));
	TRY(symcf_mcs_found_add(&e->found, e->set, size, &is_new));
	e->statistics.models++;
	return is_new ? SYMCF_OK : SYMCF_INTERNAL;
}
