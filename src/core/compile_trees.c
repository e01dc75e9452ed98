/* compile_trees.c: [sum of decision trees >= 0] -> frozen diagram.
 *
 * A state is what is left of the trees (tree_sums.c) and the number c that has gathered on the way. It
 * is decided where the bounds say so. Otherwise its function rises with c, step by step, so the
 * same function holds for an interval of c: the intersection of what its children report, as for
 * thresholds and pseudo-Boolean constraints (Abio et al. 2012). Solved intervals are kept in a
 * search tree for each sum; a state is worked on only if no interval of its sum contains its c. If
 * two intervals of a sum have the same function, so has everything between them.
 *
 * Nodes are kept once each, so that the diagram is reduced by construction. Neighbouring values
 * that lead to the same child are one entry: trees ask few questions about a feature of many values.
 * (In CUDD a node would be a chain of as many nodes as the feature has values.)
 */
#include <string.h>

#include "diagram.h"
#include "hash_table.h"
#include "memory.h"
#include "tree_sums.h"
#include "try.h"

/* For all c with low <= c < high the function of the sum is `node`. An entry of a treap; its
 * priority is a hash of its number. Entry 0 stands for "no entry". */
typedef struct interval {
	int64_t low, high;
	uint32_t node;
	uint32_t left, right;
} interval;

/* The values up to end - 1 lead to `child`, those before them to the entry before. */
typedef struct branch {
	uint32_t end, child;
} branch;

typedef struct node {
	uint32_t level, n_branches;
	uint64_t first;
	uint64_t hash; /* going through all branches again would take seconds */
} node;

/* A state under way. */
typedef struct frame {
	uint32_t sum, run; /* the run whose state comes next           */
	int64_t c;
	int64_t low, high; /* the interval of c, as far as it is known */
	uint64_t base;     /* where its branches begin on the stack    */
} frame;

typedef struct solver {
	tree_sums *tree_sums;
	symcf_control *control;
	interval *intervals;
	uint32_t *treap; /* sum -> the root of its intervals */
	node *nodes;     /* 0 and 1 are the sinks            */
	branch *branches;
	branch *stack;    /* of nodes to be                   */
	frame *frames;    /* from the root's state down, at most one per level */
	hash_table table; /* of the nodes but the sinks */
	uint64_t n_intervals, n_treaps, n_nodes, n_branches, n_stack, n_frames;
	uint64_t cap_intervals, cap_treaps, cap_nodes, cap_branches, cap_stack, cap_frames;
} solver;

/* -------------------------------------------------------------------- nodes ------------------ */

static uint64_t hash_branches(uint32_t level, const branch *b, uint32_t count)
{
	uint64_t hash = level;
	for (uint32_t i = 0; i < count; i++)
		hash = hash_table_mix(hash, (uint64_t)b[i].child << 32 | b[i].end);
	return hash;
}

static uint64_t hash_node(const void *owner, uint32_t u)
{
	return ((const solver *)owner)->nodes[u].hash;
}

/* What a node is found by. */
typedef struct node_key {
	uint32_t level, n_branches;
	const branch *branches;
} node_key;

static bool is_node(const void *owner, uint32_t u, const void *wanted)
{
	const solver *s = owner;
	const node *known = &s->nodes[u];
	const node_key *key = wanted;
	return known->level == key->level && known->n_branches == key->n_branches &&
	       !memcmp(s->branches + known->first, key->branches,
	               key->n_branches * sizeof *key->branches);
}

static symcf_status new_node(solver *s, uint64_t hash, const node_key *key)
{
	if (s->n_nodes >= UINT32_MAX - 1)
		return SYMCF_OVERFLOW;
	if (s->control && s->control->max_nodes && s->n_nodes - 2 >= s->control->max_nodes)
		return SYMCF_LIMIT_NODES;
	if (!symcf_grow(&s->nodes, &s->cap_nodes, s->n_nodes + 1, sizeof *s->nodes) ||
	    !symcf_grow(&s->branches, &s->cap_branches, s->n_branches + key->n_branches,
	                sizeof *s->branches))
		return symcf_no_memory();
	if (s->control)
		s->control->nodes = s->n_nodes - 1;
	s->nodes[s->n_nodes++] = (node){key->level, key->n_branches, s->n_branches, hash};
	memcpy(s->branches + s->n_branches, key->branches, key->n_branches * sizeof *key->branches);
	s->n_branches += key->n_branches;
	return SYMCF_OK;
}

/* The node of a level with these branches, neighbours of which differ: found or made. */
static symcf_status make_node(solver *s, uint32_t level, const branch *b, uint32_t count,
                              uint32_t *out)
{
	if (count == 1) {
		*out = b->child;
		return SYMCF_OK;
	}
	TRY(symcf_hash_table_reserve(&s->table, 2, s->n_nodes, hash_node, s));
	const node_key key = {level, count, b};
	const uint64_t hash = hash_branches(level, b, count);
	uint32_t *slot = hash_table_find(&s->table, hash, is_node, s, &key);
	if (!*slot) {
		TRY(new_node(s, hash, &key));
		*slot = (uint32_t)s->n_nodes - 1;
	}
	*out = *slot;
	return SYMCF_OK;
}

/* ---------------------------------------------------------------- intervals ------------------ */

/* ensures: the last interval of the sum that begins at or before c, and the first one after it. */
static void find_neighbours(const solver *s, uint32_t root, int64_t c, uint32_t *before,
                            uint32_t *after)
{
	*before = *after = 0;
	while (root) {
		const interval *at = &s->intervals[root];
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
	interval *added = &s->intervals[entry];
	while (*root && priority(*root) >= priority(entry)) {
		interval *at = &s->intervals[*root];
		root = added->low < at->low ? &at->left : &at->right;
	}
	const uint32_t below = *root;
	*root = entry;
	split(s->intervals, below, added->low, &added->left, &added->right);
}

/* Room for one treap per sum. */
static symcf_status reserve_treaps(solver *s)
{
	const uint64_t sums = symcf_tree_sums_count(s->tree_sums);
	if (!symcf_grow(&s->treap, &s->cap_treaps, sums, sizeof *s->treap))
		return symcf_no_memory();
	while (s->n_treaps < sums)
		s->treap[s->n_treaps++] = 0;
	return SYMCF_OK;
}

/* Keeps what was found for c, or widens a neighbour that is the same function; *found becomes as
 * wide as is known. */
static symcf_status keep(solver *s, uint32_t sum, int64_t c, interval *found)
{
	uint32_t before, after;
	const symcf_status status = reserve_treaps(s);
	if (status)
		return status;
	find_neighbours(s, s->treap[sum], c, &before, &after);
	const bool like_before = before && s->intervals[before].node == found->node;
	interval *near = &s->intervals[like_before ? before : after];
	if (like_before || (after && near->node == found->node)) {
		near->low = found->low < near->low ? found->low : near->low;
		near->high = found->high > near->high ? found->high : near->high;
		*found = *near;
		return SYMCF_OK;
	}
	if (s->n_intervals >= UINT32_MAX)
		return SYMCF_OVERFLOW;
	if (!symcf_grow(&s->intervals, &s->cap_intervals, s->n_intervals + 1, sizeof *s->intervals))
		return symcf_no_memory();
	s->intervals[s->n_intervals] = *found;
	insert(s, &s->treap[sum], (uint32_t)s->n_intervals++);
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- states ------------------ */

static symcf_status within_budget(solver *s)
{
	symcf_control *control = s->control;
	if (!control)
		return SYMCF_OK;
	const uint64_t bytes = symcf_tree_sums_bytes(s->tree_sums) +
	                       s->cap_intervals * sizeof *s->intervals +
	                       s->cap_treaps * sizeof *s->treap + s->cap_nodes * sizeof *s->nodes +
	                       (s->cap_branches + s->cap_stack) * sizeof *s->branches +
	                       s->cap_frames * sizeof *s->frames + hash_table_bytes(&s->table);
	TRY(symcf_hold(control, bytes));
	return symcf_tick(control, 200 + hash_table_take_steps(&s->table));
}

/* Is the state decided, or solved already? */
static bool look_up(const solver *s, uint32_t sum, int64_t c, interval *found)
{
	const int64_t most = symcf_tree_sums_most(s->tree_sums, sum);
	uint32_t before, after;
	if (c >= 0) {
		*found = (interval){.low = 0, .high = INT64_MAX, .node = 1};
		return true;
	}
	if (c < -most) {
		*found = (interval){.low = INT64_MIN, .high = -most, .node = 0};
		return true;
	}
	if (sum >= s->n_treaps)
		return false;
	find_neighbours(s, s->treap[sum], c, &before, &after);
	*found = s->intervals[before];
	return before && c < found->high;
}

static symcf_status push_branch(solver *s, uint64_t base, branch next)
{
	if (s->n_stack > base && s->stack[s->n_stack - 1].child == next.child) {
		s->stack[s->n_stack - 1].end = next.end;
		return SYMCF_OK;
	}
	if (!symcf_grow(&s->stack, &s->cap_stack, s->n_stack + 1, sizeof *s->stack))
		return symcf_no_memory();
	s->stack[s->n_stack++] = next;
	return SYMCF_OK;
}

static symcf_status open_state(solver *s, uint32_t sum, int64_t c)
{
	TRY(within_budget(s));
	if (!symcf_tree_sums_n_runs(s->tree_sums, sum))
		TRY(symcf_tree_sums_expand(s->tree_sums, sum, s->control));
	if (!symcf_grow(&s->frames, &s->cap_frames, s->n_frames + 1, sizeof *s->frames))
		return symcf_no_memory();
	s->frames[s->n_frames++] =
		(frame){.sum = sum, .c = c, .low = INT64_MIN, .high = INT64_MAX, .base = s->n_stack};
	return SYMCF_OK;
}

/* All runs of the last state are solved: it leaves. */
static symcf_status close_state(solver *s, interval *found)
{
	const frame f = s->frames[--s->n_frames];
	*found = (interval){.low = f.low, .high = f.high};
	TRY(make_node(s, symcf_tree_sums_level(s->tree_sums, f.sum), s->stack + f.base,
	              (uint32_t)(s->n_stack - f.base), &found->node));
	s->n_stack = f.base;
	return keep(s, f.sum, f.c, found);
}

/* The next run of the last state is solved. */
static symcf_status take_run(solver *s, tree_sums_run run, interval part)
{
	frame *f = &s->frames[s->n_frames - 1];
	if (part.low != INT64_MIN && part.low - run.gain > f->low)
		f->low = part.low - run.gain;
	if (part.high != INT64_MAX && part.high - run.gain < f->high)
		f->high = part.high - run.gain;
	f->run++;
	return push_branch(s, f->base, (branch){.end = run.end, .child = part.node});
}

/* Solves a state, depth first. */
static symcf_status solve(solver *s, uint32_t sum, int64_t c, interval *found)
{
	if (look_up(s, sum, c, found))
		return SYMCF_OK;
	TRY(open_state(s, sum, c));
	for (;;) {
		const frame *f = &s->frames[s->n_frames - 1];
		if (f->run == symcf_tree_sums_n_runs(s->tree_sums, f->sum)) {
			TRY(close_state(s, found));
			if (!s->n_frames)
				return SYMCF_OK;
			f = &s->frames[s->n_frames - 1];
			TRY(take_run(s, symcf_tree_sums_get_run(s->tree_sums, f->sum, f->run), *found));
			continue;
		}
		const tree_sums_run run = symcf_tree_sums_get_run(s->tree_sums, f->sum, f->run);
		if (look_up(s, run.sum, f->c + run.gain, found))
			TRY(take_run(s, run, *found));
		else
			TRY(open_state(s, run.sum, f->c + run.gain));
	}
}

static symcf_status solve_root(solver *s, uint32_t *root)
{
	uint32_t sum;
	int64_t gathered;
	interval found;
	symcf_status status = symcf_tree_sums_root(s->tree_sums, &sum, &gathered);
	if (!status && (!symcf_grow(&s->intervals, &s->cap_intervals, 1, sizeof *s->intervals) ||
	                !symcf_grow(&s->nodes, &s->cap_nodes, 2, sizeof *s->nodes)))
		status = symcf_no_memory();
	if (status)
		return status;
	s->intervals[s->n_intervals++] = (interval){.node = 0};
	s->nodes[0] = s->nodes[1] = (node){.level = UINT32_MAX};
	s->n_nodes = 2;
	status = solve(s, sum, gathered, &found);
	*root = found.node;
	return status;
}

/* ------------------------------------------------------------------- freeze ------------------ */

/* rank[u] becomes 1 for what the root reaches, 0 for the rest. Children come before parents. */
static void mark_reached(const solver *s, uint32_t root, uint32_t *rank)
{
	rank[root] = 1;
	for (uint64_t u = s->n_nodes; u-- > 2;)
		for (uint32_t i = 0; rank[u] && i < s->nodes[u].n_branches; i++)
			rank[s->branches[s->nodes[u].first + i].child] = 1;
}

/* Numbers the reached nodes level by level, bottom first. start: n + 1 entries, zeroed.
 * ensures: returns how many there are, sinks included. */
static uint32_t rank_nodes(const solver *s, uint32_t n, uint32_t *rank, uint32_t *start)
{
	uint32_t next = 2;
	for (uint64_t u = 2; u < s->n_nodes; u++)
		start[s->nodes[u].level] += rank[u];
	for (uint32_t k = n; k-- > 0;) {
		const uint32_t nodes = start[k];
		start[k] = next;
		next += nodes;
	}
	rank[0] = 0;
	rank[1] = 1;
	for (uint64_t u = 2; u < s->n_nodes; u++)
		rank[u] = rank[u] ? start[s->nodes[u].level]++ : UINT32_MAX;
	return next;
}

static void write_node(const solver *s, const node *u, const uint32_t *rank, uint32_t *child)
{
	uint32_t v = 0;
	for (uint32_t i = 0; i < u->n_branches; i++)
		for (const branch b = s->branches[u->first + i]; v < b.end; v++)
			child[v] = rank[b.child];
}

/* requires: rank is 1 for what is reached. */
static symcf_status write_diagram(const solver *s, const symcf_trees *t, const uint32_t *order,
                                  uint32_t root, uint32_t *rank, uint32_t *start,
                                  symcf_diagram **out)
{
	uint64_t n_children = 0;
	for (uint64_t u = 2; u < s->n_nodes; u++)
		n_children += rank[u] ? t->n_values[order[s->nodes[u].level]] : 0;
	const uint32_t n_nodes = rank_nodes(s, t->n, rank, start);
	symcf_diagram *d = symcf_diagram_allocate(t->n, n_nodes, n_children);
	if (!d)
		return symcf_no_memory();
	for (uint32_t k = 0; k < t->n; k++) {
		d->order[k] = order[k];
		d->arity[k] = t->n_values[order[k]];
	}
	for (uint64_t u = 2; u < s->n_nodes; u++)
		if (rank[u] != UINT32_MAX)
			d->level[rank[u]] = s->nodes[u].level;
	symcf_diagram_place_children(d);
	symcf_status status = SYMCF_OK;
	for (uint64_t u = 2; u < s->n_nodes && !status; u++)
		if (rank[u] != UINT32_MAX) {
			write_node(s, &s->nodes[u], rank, d->child + (symcf_children(d, rank[u]) - d->child));
			status = symcf_tick(s->control, t->n_values[order[s->nodes[u].level]]);
		}
	d->root = rank[root];
	if (status)
		symcf_diagram_free(d);
	else
		*out = d;
	return status;
}

static symcf_status freeze(const solver *s, const symcf_trees *t, const uint32_t *order,
                           uint32_t root, symcf_diagram **out)
{
	uint32_t *rank = symcf_allocate_zeroed(s->n_nodes, sizeof *rank);
	uint32_t *start = symcf_allocate_zeroed((uint64_t)t->n + 1, sizeof *start);
	symcf_status status = symcf_no_memory();
	if (rank && start) {
		mark_reached(s, root, rank);
		status = write_diagram(s, t, order, root, rank, start, out);
	}
	symcf_free(rank);
	symcf_free(start);
	return status;
}

symcf_status symcf_compile_trees(const symcf_trees *trees, const uint32_t *order,
                                 symcf_control *control, const char **reason, symcf_diagram **out)
{
	solver s = {.control = control};
	uint32_t root;
	symcf_status status = symcf_tree_sums_open(trees, order, control, reason, &s.tree_sums);
	if (!status)
		status = solve_root(&s, &root);
	if (!status)
		status = freeze(&s, trees, order, root, out);
	symcf_tree_sums_free(s.tree_sums);
	symcf_free(s.intervals);
	symcf_free(s.treap);
	symcf_free(s.nodes);
	symcf_free(s.branches);
	symcf_free(s.stack);
	symcf_free(s.frames);
	symcf_hash_table_free(&s.table);
	return status;
}
