/* falls.c: an input of which a change of one feature takes the decision away.
 *
 * The problem: is there an input that reaches 1 with value a of a feature, and 0 with value b instead?
 * A function depends on a feature, and is not monotone in it, exactly if there is for some a and b.
 *
 * In a reduced diagram every node of the feature's level is reached, so it is asked of each of them
 * whether its children for a and b are reached by a same continuation, the first ending in 1 and the
 * second in 0. That is a walk down two nodes at once; pairs where it failed are remembered, so that no
 * pair is walked twice.
 */
#include "hash_table.h"
#include "memory.h"
#include "symcf.h"
#include "try.h"

typedef struct node_pair {
	uint32_t high, low; /* wanted: a continuation from high to 1 and from low to 0 */
} node_pair;

typedef struct frame {
	node_pair pair;
	uint32_t value; /* the next one to try */
} frame;

typedef struct walk {
	const symcf_diagram *d;
	symcf_control *control;
	uint32_t *x;
	frame *stack; /* d->n + 1: levels rise */
	node_pair *tried;
	uint64_t n_tried, cap_tried;
	hash_table table; /* of those tried, numbered from 1 */
} walk;

static uint64_t hash_pair(node_pair p)
{
	return hash_table_mix(0, (uint64_t)p.high << 32 | p.low);
}

static uint64_t hash_tried(const void *owner, uint32_t number)
{
	return hash_pair(((const walk *)owner)->tried[number - 1]);
}

static bool is_tried(const void *owner, uint32_t number, const void *key)
{
	const node_pair *a = &((const walk *)owner)->tried[number - 1], *b = key;
	return a->high == b->high && a->low == b->low;
}

/* ensures: *known if the pair was tried before, or cannot succeed; else it counts as tried. */
static symcf_status is_hopeless(walk *w, node_pair p, bool *known)
{
	*known = p.high == p.low || p.high == 0 || p.low == 1;
	if (*known || (p.high == 1 && p.low == 0))
		return SYMCF_OK;
	TRY(symcf_hash_table_reserve(&w->table, 1, w->n_tried + 1, hash_tried, w));
	uint32_t *slot = hash_table_find(&w->table, hash_pair(p), is_tried, w, &p);
	*known = *slot != 0;
	if (*known)
		return SYMCF_OK;
	if (!symcf_grow(&w->tried, &w->cap_tried, w->n_tried + 1, sizeof *w->tried))
		return symcf_no_memory();
	w->tried[w->n_tried++] = p;
	*slot = (uint32_t)w->n_tried;
	TRY(symcf_hold(w->control, w->cap_tried * sizeof *w->tried + hash_table_bytes(&w->table)));
	return symcf_tick(w->control, 40 + hash_table_take_steps(&w->table));
}

static uint32_t level_of(const walk *w, node_pair p)
{
	const uint32_t a = w->d->level[p.high], b = w->d->level[p.low];
	return a < b ? a : b;
}

static uint32_t step(const walk *w, uint32_t u, uint32_t level, uint32_t value)
{
	return w->d->level[u] == level ? symcf_child(w->d, u, value) : u;
}

/* ensures: *found, with the values on the way in w->x. */
static symcf_status descend(walk *w, node_pair start, bool *found)
{
	const symcf_diagram *d = w->d;
	uint32_t depth = 0;
	bool known;
	*found = false;
	TRY(is_hopeless(w, start, &known));
	if (known)
		return SYMCF_OK;
	w->stack[depth++] = (frame){start, 0};
	while (depth) {
		frame *top = &w->stack[depth - 1];
		if (top->pair.high == 1 && top->pair.low == 0) {
			*found = true;
			return SYMCF_OK;
		}
		const uint32_t k = level_of(w, top->pair);
		if (top->value == d->arity[k]) {
			depth--;
			continue;
		}
		const uint32_t v = w->x[d->order[k]] = top->value++;
		const node_pair next = {step(w, top->pair.high, k, v), step(w, top->pair.low, k, v)};
		TRY(is_hopeless(w, next, &known));
		if (!known)
			w->stack[depth++] = (frame){next, 0};
	}
	return SYMCF_OK;
}

/* Values on a way from the root to a node. */
static symcf_status lead_to(const symcf_diagram *d, uint32_t node, uint32_t *x)
{
	uint32_t *parent = symcf_allocate(d->n_nodes, sizeof *parent);
	if (!parent)
		return symcf_no_memory();
	for (uint32_t u = node + 1; u < d->n_nodes; u++) {
		const uint32_t *child = symcf_children(d, u), arity = d->arity[d->level[u]];
		for (uint32_t v = 0; v < arity; v++)
			parent[child[v]] = u;
	}
	while (node != d->root) {
		const uint32_t up = parent[node], *child = symcf_children(d, up);
		uint32_t v = 0;
		while (child[v] != node)
			v++;
		x[d->order[d->level[up]]] = v;
		node = up;
	}
	symcf_free(parent);
	return SYMCF_OK;
}

static symcf_status try_nodes(walk *w, uint32_t feature, const uint32_t *from, const uint32_t *to,
                              size_t n_pairs, bool *found, size_t *which)
{
	const symcf_diagram *d = w->d;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		TRY(symcf_tick(w->control, 2));
		if (d->order[d->level[u]] != feature)
			continue;
		for (size_t i = 0; i < n_pairs; i++) {
			const uint32_t *child = symcf_children(d, u);
			TRY(descend(w, (node_pair){child[from[i]], child[to[i]]}, found));
			if (*found) {
				*which = i;
				w->x[feature] = from[i];
				return lead_to(d, u, w->x);
			}
		}
	}
	return SYMCF_OK;
}

symcf_status symcf_diagram_fall(const symcf_diagram *d, uint32_t feature, const uint32_t *from,
                                const uint32_t *to, size_t n_pairs, symcf_control *control,
                                uint32_t *x, bool *found, size_t *which)
{
	walk w = {.d = d, .control = control, .x = x};
	*found = false;
	for (uint32_t j = 0; j < d->n; j++)
		x[j] = 0;
	w.stack = symcf_allocate((uint64_t)d->n + 1, sizeof *w.stack);
	const symcf_status status =
		w.stack ? try_nodes(&w, feature, from, to, n_pairs, found, which) : symcf_no_memory();
	symcf_free(w.stack);
	symcf_free(w.tried);
	symcf_hash_table_free(&w.table);
	return status;
}
