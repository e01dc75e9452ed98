/* clauses_cuts.c: diagram -> CNF with variables at cut points, between which paths are short.
 *
 * Cabodi, Camurati and Quer (DAC 2003): a node that many edges enter, or that is far from the last
 * cut, gets a variable; a path ends there with "then it is not what leads to the wrong sink", and
 * that node's own paths start with it. What is far and how many enter is told in branches and their
 * literals, as paths.c has them.
 */

#include "clauses.h"
#include "memory.h"
#include "paths.h"
#include "try.h"

/* What the cut encoding knows of a node. */
typedef struct cut_node {
	uint32_t entered;         /* edges into it                                           */
	uint32_t away;            /* literals since the last cut, on the longest way here    */
	uint64_t paths, literals; /* of the clauses that start here, up to the next cuts     */
} cut_node;

static void enter(cut_node *below, uint32_t away)
{
	below->entered++;
	below->away = away > below->away ? away : below->away;
}

/* Parents come after their children, so going down the indices sees a node after all that decides
 * about it. cut[u] becomes the node's variable, or stays 0; they are numbered from `variables` on.
 * ensures: *variables is how many there are. */
static symcf_status choose_cuts(const symcf_diagram *d, uint32_t max_in, uint32_t max_length,
                                symcf_control *control, uint64_t *variables, cut_node *nodes,
                                int32_t *cut)
{
	for (uint32_t u = d->n_nodes - 1; u >= 2; u--) {
		TRY(symcf_tick(control, 4 * d->arity[d->level[u]]));
		const uint32_t *child = symcf_children(d, u);
		cut_node *here = &nodes[u];
		uint32_t apart = 0;
		if (u != d->root && (here->entered > max_in || here->away >= max_length)) {
			cut[u] = (int32_t)++*variables;
			here->away = 0;
		}
		for (uint32_t v = 1; v < d->arity[d->level[u]]; v++)
			if (child[v] != child[0]) {
				enter(&nodes[child[v]], here->away + 1);
				apart++;
			}
		enter(&nodes[child[0]], here->away + apart);
	}
	return SYMCF_OK;
}

/* Adds the paths of a branch of `size` literals to those of its node; true if they overflow. */
static bool add_branch(cut_node *here, const cut_node *below, bool ends, uint64_t size)
{
	const uint64_t paths = ends ? 1 : below->paths;
	uint64_t literals, own;
	bool overflow = __builtin_mul_overflow(paths, size, &own);
	overflow |= __builtin_add_overflow(own, ends ? 1 : below->literals, &literals);
	overflow |= __builtin_add_overflow(here->paths, paths, &here->paths);
	overflow |= __builtin_add_overflow(here->literals, literals, &here->literals);
	return overflow;
}

static bool add_branches(const symcf_diagram *d, uint32_t u, cut_node *nodes, const int32_t *cut)
{
	const uint32_t *child = symcf_children(d, u);
	bool overflow = false;
	uint32_t apart = 0;
	for (uint32_t v = 1; v < d->arity[d->level[u]]; v++)
		if (child[v] != child[0]) {
			overflow |= add_branch(&nodes[u], &nodes[child[v]], cut[child[v]], 1);
			apart++;
		}
	return add_branch(&nodes[u], &nodes[child[0]], cut[child[0]], apart) || overflow;
}

/* As symcf_paths_measure, with paths that end at cuts; INT64_MAX if the numbers pass 2^63. */
static symcf_status measure_cuts(const symcf_diagram *d, uint32_t bad, symcf_control *control,
                                 cut_node *nodes, const int32_t *cut, uint64_t *n_clauses,
                                 uint64_t *length)
{
	bool overflow = false;
	*n_clauses = *length = 0;
	nodes[bad].paths = 1;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const cut_node *here = &nodes[u];
		TRY(symcf_tick(control, 4 * d->arity[d->level[u]]));
		overflow |= add_branches(d, u, nodes, cut);
		if (cut[u] || u == d->root) {
			/* a clause is its path, a 0, and where it starts at a cut, that literal */
			const uint64_t extra = cut[u] ? 2 : 1;
			overflow |= here->paths >> 60 || here->literals >> 60;
			overflow |= __builtin_add_overflow(*n_clauses, here->paths, n_clauses);
			overflow |=
				__builtin_add_overflow(*length, here->literals + extra * here->paths, length);
		}
	}
	if (overflow || *length >> 63)
		*n_clauses = *length = INT64_MAX; /* refused later: no machine holds that many */
	return SYMCF_OK;
}

/* p: the cursor over the diagram's paths, negated. */
static symcf_status write_cuts(const symcf_diagram *d, symcf_paths *p, const int32_t *cut,
                               symcf_control *control, symcf_clauses *c)
{
	uint64_t at = 0, n_clauses = 0;
	symcf_status status = SYMCF_OK;
	symcf_paths_stop_at(p, cut);
	for (uint32_t u = d->n_nodes - 1; u >= 2 && !status; u--) {
		uint64_t length, count;
		if (!cut[u] && u != d->root)
			continue;
		symcf_paths_restart(p, u, -cut[u]);
		status = symcf_paths_next(p, control, c->literals + at, c->length - at, &length, &count);
		at += length;
		n_clauses += count;
	}
	if (!status && (at != c->length || n_clauses != c->n_clauses))
		status = SYMCF_INTERNAL; /* measured otherwise */
	return status;
}

symcf_status symcf_encode_cuts(const symcf_diagram *d, bool negate, uint32_t max_in,
                               uint32_t max_length, uint64_t max_clauses, symcf_control *control,
                               symcf_clauses **out)
{
	const uint32_t bad = negate;
	uint64_t n_clauses, length;
	symcf_clauses *c = NULL;
	symcf_paths *p = NULL;
	if (!max_in || !max_length)
		return SYMCF_INVALID;
	if (d->root < 2)
		return symcf_encode_paths(d, negate, max_clauses, control, out);
	cut_node *nodes = symcf_allocate_zeroed(d->n_nodes, sizeof *nodes);
	int32_t *cut = symcf_allocate_zeroed(d->n_nodes, sizeof *cut);
	symcf_status status = nodes && cut ? symcf_paths_open(d, bad, true, &p) : symcf_no_memory();
	uint64_t variables = status ? 0 : symcf_paths_longest(p) - 1;
	if (!status)
		status = choose_cuts(d, max_in, max_length, control, &variables, nodes, cut);
	if (!status)
		status = measure_cuts(d, bad, control, nodes, cut, &n_clauses, &length);
	if (!status)
		status = symcf_clauses_allocate(n_clauses, length, variables, max_clauses, control, &c);
	if (!status)
		status = write_cuts(d, p, cut, control, c);
	symcf_paths_free(p);
	symcf_free(nodes);
	symcf_free(cut);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}
