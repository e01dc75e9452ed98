/* bdd_trees.c: [sum of decision trees >= 0] as a BDD.
 *
 * A state is what is left of the forest (forest.c) and the number c that has gathered on the way. It
 * is decided where the bounds say so. Otherwise its function rises with c, step by step, so the
 * same function holds for an interval of c: the intersection of what its children report, as for
 * thresholds and pseudo-Boolean constraints (Abio et al. 2012). Solved intervals are kept in a
 * search tree for each sum; a state is worked on only if no interval of its sum contains its c. If
 * two intervals of a sum have the same function, so has everything between them.
 */
#include "bdd.h"
#include "forest.h"
#include "memory.h"

/* For all c with low <= c < high the function of the sum is `function`. An entry of a treap; its
 * priority is a hash of its number. Entry 0 stands for none. */
typedef struct interval {
	int64_t low, high;
	DdNode *function; /* referenced */
	uint32_t left, right;
} interval;

typedef struct solver {
	symcf_bdd *b;
	forest *forest;
	const uint32_t *order;
	interval *list;
	uint64_t count, capacity;
	uint32_t *tree; /* sum -> the root of its intervals */
	uint64_t n_trees, cap_trees;
} solver;

/* ---------------------------------------------------------------- intervals ------------------ */

/* ensures: the last interval of the sum that begins at or before c, and the first one after it. */
static void find_neighbours(const solver *s, uint32_t root, int64_t c, uint32_t *before,
                            uint32_t *after)
{
	*before = *after = 0;
	while (root) {
		const interval *at = &s->list[root];
		if (at->low <= c) {
			*before = root;
			root = at->right;
		} else {
			*after = root;
			root = at->left;
		}
	}
}

static uint32_t priority(uint32_t entry)
{
	const uint64_t h = entry * 0x9E3779B97F4A7C15u;
	return (uint32_t)(h >> 32);
}

/* Splits a treap: what begins before `low` goes left. */
static void split(interval *list, uint32_t root, int64_t low, uint32_t *left, uint32_t *right)
{
	while (root) {
		interval *at = &list[root];
		if (at->low < low) {
			*left = root;
			left = &at->right;
			root = at->right;
		} else {
			*right = root;
			right = &at->left;
			root = at->left;
		}
	}
	*left = *right = 0;
}

static void insert(solver *s, uint32_t *root, uint32_t entry)
{
	interval *new = &s->list[entry];
	while (*root && priority(*root) >= priority(entry)) {
		interval *at = &s->list[*root];
		root = new->low < at->low ? &at->left : &at->right;
	}
	const uint32_t below = *root;
	*root = entry;
	split(s->list, below, new->low, &new->left, &new->right);
}

/* Keeps what was found for c, or widens a neighbour that is the same function; *found becomes as
 * wide as is known. Takes the reference of found->function. */
static symcf_status keep(solver *s, uint32_t sum, int64_t c, interval *found)
{
	uint32_t before, after;
	find_neighbours(s, s->tree[sum], c, &before, &after);
	interval *near = &s->list[before];
	if (!before || near->function != found->function)
		near = &s->list[after];
	if (near != s->list && near->function == found->function) {
		near->low = found->low < near->low ? found->low : near->low;
		near->high = found->high > near->high ? found->high : near->high;
		Cudd_RecursiveDeref(s->b->manager, found->function);
		*found = *near;
		return SYMCF_OK;
	}
	if (s->count >= UINT32_MAX)
		return SYMCF_OVERFLOW;
	if (!symcf_grow(&s->list, &s->capacity, s->count + 1, sizeof *s->list))
		return SYMCF_NO_MEMORY;
	s->list[s->count] = *found;
	insert(s, &s->tree[sum], (uint32_t)s->count++);
	return SYMCF_OK;
}

/* Room for a root a sum. */
static symcf_status reserve_roots(solver *s)
{
	const uint64_t sums = forest_n_sums(s->forest);
	if (!symcf_grow(&s->tree, &s->cap_trees, sums, sizeof *s->tree))
		return SYMCF_NO_MEMORY;
	while (s->n_trees < sums)
		s->tree[s->n_trees++] = 0;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- states ------------------ */

static symcf_status within_budget(solver *s)
{
	symcf_control *control = s->b->control;
	if (!control)
		return SYMCF_OK;
	const uint64_t own =
		forest_bytes(s->forest) + s->capacity * sizeof *s->list + s->cap_trees * sizeof *s->tree;
	control->nodes = s->count;
	if (control->max_memory && own + Cudd_ReadMemoryInUse(s->b->manager) > control->max_memory)
		return SYMCF_LIMIT_MEMORY;
	return symcf_tick(control, 200);
}

/* Is the state decided, or solved already? */
static bool look_up(const solver *s, uint32_t sum, int64_t c, interval *found)
{
	const int64_t most = forest_most(s->forest, sum);
	uint32_t before, after;
	if (c >= 0) {
		*found = (interval){0, INT64_MAX, Cudd_ReadOne(s->b->manager), 0, 0};
		return true;
	}
	if (c < -most) {
		*found = (interval){INT64_MIN, -most, Cudd_ReadLogicZero(s->b->manager), 0, 0};
		return true;
	}
	if (sum >= s->n_trees)
		return false;
	find_neighbours(s, s->tree[sum], c, &before, &after);
	*found = s->list[before];
	return before && c < found->high;
}

static symcf_status solve(solver *s, uint32_t sum, int64_t c, interval *found);

/* Solves what run number `run` leads to, and narrows *whole to where that holds. */
static symcf_status solve_run(solver *s, uint32_t sum, uint32_t run, int64_t c, interval *whole,
                              DdNode **function)
{
	const forest_run next = forest_get_run(s->forest, sum, run);
	interval part;
	symcf_status status = SYMCF_OK;
	if (!look_up(s, next.sum, c + next.gain, &part))
		status = solve(s, next.sum, c + next.gain, &part);
	if (status)
		return status;
	if (part.low != INT64_MIN && part.low - next.gain > whole->low)
		whole->low = part.low - next.gain;
	if (part.high != INT64_MAX && part.high - next.gain < whole->high)
		whole->high = part.high - next.gain;
	*function = part.function;
	return SYMCF_OK;
}

/* Puts the values first .. end - 1 in front of the chain *rest. */
static symcf_status extend_chain(solver *s, uint32_t feature, uint32_t first, uint32_t end,
                                 DdNode *function, DdNode **rest)
{
	for (uint32_t v = end; v-- > first;) {
		DdNode *longer = bdd_node(s->b, s->b->first[feature] + v - 1, function, *rest);
		if (!longer)
			return bdd_failure(s->b);
		Cudd_RecursiveDeref(s->b->manager, *rest);
		*rest = longer;
	}
	return SYMCF_OK;
}

/* The chain of a state, from its end: value 0, then the last value, ... ensures: *rest is
 * referenced, also on failure. */
static symcf_status solve_values(solver *s, uint32_t sum, int64_t c, interval *whole, DdNode **rest)
{
	const uint32_t feature = s->order[forest_level(s->forest, sum)];
	DdNode *zero, *function;
	symcf_status status = solve_run(s, sum, 0, c, whole, &zero);
	if (status)
		return status;
	Cudd_RecursiveDeref(s->b->manager, *rest);
	Cudd_Ref(*rest = zero);
	for (uint32_t r = forest_n_runs(s->forest, sum) - 1; r > 0 && !status; r--) {
		const uint32_t first = forest_get_run(s->forest, sum, r - 1).end;
		const uint32_t end = forest_get_run(s->forest, sum, r).end;
		status = solve_run(s, sum, r, c, whole, &function);
		if (!status)
			status = extend_chain(s, feature, first, end, function, rest);
	}
	if (!status)
		status = extend_chain(s, feature, 1, forest_get_run(s->forest, sum, 0).end, zero, rest);
	return status;
}

/* requires: look_up has not found it. As deep as there are levels. */
static symcf_status solve(solver *s, uint32_t sum, int64_t c, interval *found)
{
	DdNode *chain = Cudd_ReadOne(s->b->manager);
	symcf_status status = within_budget(s);
	if (!status && !forest_n_runs(s->forest, sum))
		status = forest_expand(s->forest, sum, s->b->control);
	if (status)
		return status;
	*found = (interval){.low = INT64_MIN, .high = INT64_MAX};
	Cudd_Ref(chain);
	status = solve_values(s, sum, c, found, &chain);
	found->function = chain;
	if (!status)
		status = reserve_roots(s);
	if (status) {
		Cudd_RecursiveDeref(s->b->manager, chain);
		return status;
	}
	status = keep(s, sum, c, found);
	if (status)
		Cudd_RecursiveDeref(s->b->manager, chain);
	return status;
}

static symcf_status solve_root(solver *s)
{
	uint32_t sum;
	int64_t gathered;
	interval found;
	symcf_status status = forest_root(s->forest, &sum, &gathered);
	if (!status && !symcf_grow(&s->list, &s->capacity, 1, sizeof *s->list))
		status = SYMCF_NO_MEMORY;
	if (status)
		return status;
	s->list[s->count++] = (interval){0}; /* entry 0 stands for none */
	if (!look_up(s, sum, gathered, &found))
		status = solve(s, sum, gathered, &found);
	if (!status)
		Cudd_Ref(s->b->root = found.function);
	return status;
}

static symcf_status solve_forest(symcf_bdd *b, const symcf_trees *trees, const uint32_t *order,
                                 const char **reason)
{
	solver s = {.b = b, .order = order};
	symcf_status status = forest_open(trees, order, b->control, reason, &s.forest);
	if (!status)
		status = solve_root(&s);
	for (uint64_t i = 1; i < s.count; i++)
		Cudd_RecursiveDeref(b->manager, s.list[i].function);
	forest_free(s.forest);
	symcf_free(s.list);
	symcf_free(s.tree);
	return status;
}

symcf_status symcf_bdd_trees(const symcf_trees *trees, const uint32_t *order,
                             symcf_control *control, const char **reason, symcf_bdd **out)
{
	symcf_bdd *b;
	uint32_t *arity = symcf_allocate(trees->n, sizeof *arity);
	*reason = NULL;
	if (!arity)
		return SYMCF_NO_MEMORY;
	for (uint32_t k = 0; k < trees->n; k++)
		arity[k] = trees->n_values[order[k]];
	symcf_status status = bdd_create(trees->n, order, arity, 0, control, &b);
	symcf_free(arity);
	if (status)
		return status;
	bdd_begin(b, control, WORK_A_NODE);
	bdd_limit_nodes(b);
	status = solve_forest(b, trees, order, reason);
	const uint64_t nodes = control ? control->nodes : 0;
	bdd_end(b);
	if (control)
		control->nodes = nodes;
	if (status)
		symcf_bdd_free(b);
	else
		*out = b;
	return status;
}
