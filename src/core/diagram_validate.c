/* diagram_validate.c: are these arrays a reduced ordered diagram?
 *
 * The arrays may come from a file that someone made to do harm, so no check reads beyond them, and
 * each takes time in the size of the arrays: O(n) for the order, O(nodes + children) for levels,
 * children and reachability, and O(children * log nodes) for duplicates, whatever the arrays hold.
 *
 * Two nodes of a level are the same if their children are. A hash table finds that out faster on
 * average, but whoever knows the hash can choose children that all fall into one place.
 * So the nodes of a level are sorted by their children: equal ones become neighbours,
 * and neighbours have been compared with each other. Keys of two children keep the merges
 * sequential. A level that is sorted already, as those of compile.c are, takes one pass.
 */
#include <string.h>

#include "diagram.h"
#include "memory.h"

/* ------------------------------------------------------- order, levels, children ------------- */

static const char *wrong_order(const symcf_diagram *d, uint8_t *seen)
{
	for (uint32_t k = 0; k < d->n; k++) {
		if (d->order[k] >= d->n || seen[d->order[k]])
			return "the order is not a permutation of the features";
		seen[d->order[k]] = 1;
		if (d->arity[k] == 0)
			return "a feature has no value";
	}
	return NULL;
}

/* After this, symcf_diagram_place_children and symcf_children are safe. */
static const char *wrong_levels(const symcf_diagram *d)
{
	uint64_t children = 0;
	if (d->n_nodes < 2 || d->level[0] != d->n || d->level[1] != d->n)
		return "the two sinks are missing";
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		if (d->level[u] >= d->n || (u > 2 && d->level[u] > d->level[u - 1]))
			return "the nodes are not sorted by level";
		children += d->arity[d->level[u]];
	}
	return children == d->n_children ? NULL : "the number of children is wrong";
}

static symcf_status check_order_and_levels(const symcf_diagram *d, const char **reason)
{
	uint8_t *seen = symcf_allocate_zeroed(d->n, 1);
	if (!seen)
		return symcf_no_memory();
	*reason = wrong_order(d, seen);
	symcf_free(seen);
	if (!*reason)
		*reason = wrong_levels(d);
	return *reason ? SYMCF_INVALID : SYMCF_OK;
}

static symcf_status check_children(const symcf_diagram *d, symcf_control *control,
                                   const char **reason)
{
	symcf_status status = SYMCF_OK;
	for (uint32_t u = 2; u < d->n_nodes && !status; u++) {
		const uint32_t *child = symcf_children(d, u), k = d->level[u];
		bool differ = false;
		for (uint32_t v = 0; v < d->arity[k]; v++) {
			if (child[v] >= u || d->level[child[v]] <= k) {
				*reason = "a child does not lie below its node";
				return SYMCF_INVALID;
			}
			differ |= child[v] != child[0];
		}
		if (!differ) {
			*reason = "a node is redundant: all its children are the same";
			return SYMCF_INVALID;
		}
		status = symcf_tick(control, d->arity[k]);
	}
	return status;
}

/* reached: a byte per node, zeroed. */
static symcf_status check_reachable(const symcf_diagram *d, uint8_t *reached,
                                    symcf_control *control, const char **reason)
{
	symcf_status status = SYMCF_OK;
	if (d->root >= d->n_nodes) {
		*reason = "the root is not a node";
		return SYMCF_INVALID;
	}
	reached[d->root] = 1;
	for (uint32_t u = d->n_nodes - 1; u >= 2 && !status; u--) {
		const uint32_t *child = symcf_children(d, u), k = d->level[u];
		if (!reached[u]) {
			*reason = "a node cannot be reached from the root";
			return SYMCF_INVALID;
		}
		for (uint32_t v = 0; v < d->arity[k]; v++)
			reached[child[v]] = 1;
		status = symcf_tick(control, d->arity[k]);
	}
	return status;
}

/* ----------------------------------------------------------------- duplicates ---------------- */

/* A node of a level by its first two children. requires: it has two, as check_children ensures. */
typedef struct entry {
	uint64_t key;
	uint32_t node;
} entry;

/* The level that is sorted. Its nodes are compared by their children in any fixed order. */
typedef struct sorting {
	const symcf_diagram *d;
	symcf_control *control;
	uint32_t arity;
	bool twins;          /* have two nodes been equal? */
	symcf_status status; /* of the control             */
} sorting;

static bool goes_on(const sorting *s)
{
	return !s->twins && !s->status;
}

/* Says no to all that comes after a reason to stop. */
static bool is_before(const entry *a, const entry *b, void *context)
{
	sorting *s = context;
	if (!goes_on(s))
		return false;
	if (a->key != b->key)
		return a->key < b->key;
	const uint32_t *left = symcf_children(s->d, a->node), *right = symcf_children(s->d, b->node);
	const int order = memcmp(left, right, s->arity * sizeof *left);
	s->twins |= order == 0;
	s->status = symcf_tick(s->control, s->arity);
	return order < 0;
}

#define SORT_NAME sort_entries
#define SORT_TYPE entry
#define SORT_BEFORE is_before
#include "sort.h"

static uint32_t end_of_level(const symcf_diagram *d, uint32_t first)
{
	uint32_t end = first + 1;
	while (end < d->n_nodes && d->level[end] == d->level[first])
		end++;
	return end;
}

static uint32_t widest_level(const symcf_diagram *d)
{
	uint32_t widest = 0;
	for (uint32_t u = 2, end; u < d->n_nodes; u = end) {
		end = end_of_level(d, u);
		widest = end - u > widest ? end - u : widest;
	}
	return widest;
}

/* lists: room for twice the nodes of the widest level. */
static symcf_status check_duplicates(const symcf_diagram *d, entry *lists, uint32_t widest,
                                     symcf_control *control, const char **reason)
{
	sorting s = {.d = d, .control = control};
	for (uint32_t first = 2, end; first < d->n_nodes && goes_on(&s); first = end) {
		end = end_of_level(d, first);
		s.arity = d->arity[d->level[first]];
		for (uint32_t u = first; u < end; u++) {
			const uint32_t *child = symcf_children(d, u);
			lists[u - first] = (entry){(uint64_t)child[0] << 32 | child[1], u};
		}
		const symcf_status status = sort_entries(lists, lists + widest, end - first, &s, control);
		s.status = s.status ? s.status : status;
	}
	if (s.twins)
		*reason = "two nodes are the same";
	return s.twins ? SYMCF_INVALID : s.status;
}

/* The checks that need working memory: a byte per node, 32 bytes per node of the widest level. */
static symcf_status check_with_memory(const symcf_diagram *d, symcf_control *control,
                                      const char **reason)
{
	const uint32_t widest = widest_level(d);
	uint8_t *reached = symcf_allocate_zeroed(d->n_nodes, 1);
	entry *lists = symcf_allocate(2 * (uint64_t)widest, sizeof *lists);
	symcf_status status = reached && lists ? SYMCF_OK : symcf_no_memory();
	if (!status)
		status = check_reachable(d, reached, control, reason);
	if (!status)
		status = check_duplicates(d, lists, widest, control, reason);
	symcf_free(reached);
	symcf_free(lists);
	return status;
}

/* ---------------------------------------------------------------------- all ------------------ */

symcf_status symcf_diagram_validate(const symcf_diagram *d, symcf_control *control,
                                    const char **reason)
{
	*reason = NULL;
	symcf_status status = check_order_and_levels(d, reason);
	if (!status)
		status = check_children(d, control, reason);
	if (!status)
		status = check_with_memory(d, control, reason);
	return status;
}

symcf_status symcf_diagram_create(uint32_t n, uint32_t n_nodes, uint32_t root,
                                  const uint32_t *order, const uint32_t *arity,
                                  const uint32_t *level, const uint32_t *child, uint64_t n_children,
                                  symcf_control *control, const char **reason, symcf_diagram **out)
{
	*reason = "the two sinks are missing";
	if (n_nodes < 2)
		return SYMCF_INVALID;
	*reason = NULL;
	symcf_diagram *d = symcf_diagram_allocate(n, n_nodes, n_children);
	if (!d)
		return symcf_no_memory();
	d->root = root;
	if (n) { /* an empty array may be NULL, which memcpy may not be given */
		memcpy(d->order, order, n * sizeof *order);
		memcpy(d->arity, arity, n * sizeof *arity);
	}
	memcpy(d->level, level, n_nodes * sizeof *level);
	if (n_children)
		memcpy(d->child, child, n_children * sizeof *child);
	symcf_status status = check_order_and_levels(d, reason);
	if (!status) {
		symcf_diagram_place_children(d);
		status = symcf_diagram_validate(d, control, reason);
	}
	if (status) {
		symcf_diagram_free(d);
		return status;
	}
	*out = d;
	return SYMCF_OK;
}
