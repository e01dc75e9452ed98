/* batch_trees.c: a row of a batch -> change sets, where trees vote. */
#include "batch.h"

#include "memory.h"

/* Sufficient reasons come all at once: the first k by cost, or the first `limit`, stay. */
static symcf_status solve_reasons(batch_worker *w, symcf_ensemble_search *search, uint64_t k,
                                  uint64_t limit)
{
	const uint64_t first = w->sets.n_sets, most = k ? k : limit;
	symcf_status status = symcf_ensemble_reasons(search, w->control, &w->sets);
	if (!status && k)
		status = symcf_sets_sort_from(&w->sets, first, w->b->request.cost, w->control);
	if (!status && w->sets.n_sets - first > most) {
		w->sets.n_sets = first + most;
		w->sets.n_features = w->sets.n_sets ? w->sets.end[w->sets.n_sets - 1] : 0;
		status = k ? SYMCF_OK : SYMCF_MORE;
	}
	return status;
}

symcf_status symcf_batch_trees_solve(batch_worker *w, uint64_t k, uint64_t limit)
{
	const symcf_goal *goals = w->b->request.goals;
	const symcf_ensemble *e = goals ? goals[w->class].e : w->b->classifier.ensemble;
	symcf_ensemble_search **search = &w->trees[goals ? w->class : 0];
	const symcf_status status = *search
	                                ? symcf_ensemble_reset(*search, &w->query, w->which, w->sink)
	                                : symcf_ensemble_open(e, &w->query, w->which, w->sink, search);
	if (status)
		return status;
	if (w->query.reasons)
		return solve_reasons(w, *search, k, limit);
	return k ? symcf_ensemble_best(*search, k, w->control, &w->sets)
	         : symcf_ensemble_next(*search, w->control, limit, &w->sets);
}
