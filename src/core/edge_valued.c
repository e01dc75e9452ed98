/* edge_valued.c: diagrams with numbers on their edges. */
#include "edge_valued.h"

#include <string.h>

#include "memory.h"

symcf_status edge_valued_table_reserve(edge_valued_table *t, uint64_t count,
                                       uint64_t (*hash)(const void *owner, uint64_t entry),
                                       const void *owner)
{
	if (2 * (count + 1) <= t->n_slots)
		return SYMCF_OK;
	if (count >= UINT32_MAX - 1)
		return SYMCF_OVERFLOW;
	const uint64_t n_slots = t->n_slots ? 2 * t->n_slots : 64;
	uint32_t *slot = symcf_allocate_zeroed(n_slots, sizeof *slot);
	if (!slot)
		return SYMCF_NO_MEMORY;
	symcf_free(t->slot);
	*t = (edge_valued_table){.slot = slot, .n_slots = n_slots};
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = hash(owner, i) & (n_slots - 1);
		while (slot[at])
			at = (at + 1) & (n_slots - 1);
		slot[at] = (uint32_t)i + 1;
	}
	return SYMCF_OK;
}

/* -------------------------------------------------------------------- nodes ------------------ */

static uint64_t hash_edges(uint32_t level, const edge_valued_edge *edges, uint32_t count)
{
	uint64_t hash = level;
	for (uint32_t v = 0; v < count; v++)
		hash = edge_valued_mix(edge_valued_mix(hash, edges[v].node), (uint64_t)edges[v].gain);
	return hash;
}

static uint64_t hash_node(const void *owner, uint64_t i)
{
	const edge_valued *e = owner;
	const edge_valued_node *u = &e->nodes[i];
	return i ? hash_edges(u->level, e->edges + u->first, e->n_values[u->level]) : 0;
}

static bool same_edges(const edge_valued_edge *a, const edge_valued_edge *b, uint32_t count)
{
	while (count > 0 && edge_valued_same(a[count - 1], b[count - 1]))
		count--;
	return !count;
}

static symcf_status new_node(edge_valued *e, uint32_t level, const edge_valued_edge *edges,
                             uint32_t count)
{
	if (!symcf_grow(&e->nodes, &e->cap_nodes, e->n_nodes + 1, sizeof *e->nodes) ||
	    !symcf_grow(&e->edges, &e->cap_edges, e->n_edges + count, sizeof *e->edges))
		return SYMCF_NO_MEMORY;
	edge_valued_node *made = &e->nodes[e->n_nodes++];
	*made = (edge_valued_node){.level = level, .first = e->n_edges};
	for (uint32_t v = 0; v < count; v++) {
		const int64_t most = edges[v].gain + e->nodes[edges[v].node].most;
		made->most = most > made->most ? most : made->most;
		e->edges[e->n_edges++] = edges[v];
	}
	return SYMCF_OK;
}

/* Lowers the gains so that the least is 0. ensures: returns by how much. */
static int64_t scale(edge_valued_edge *edges, uint32_t count)
{
	int64_t least = edges[0].gain;
	for (uint32_t v = 1; v < count; v++)
		least = edges[v].gain < least ? edges[v].gain : least;
	for (uint32_t v = 0; v < count; v++)
		edges[v].gain -= least;
	return least;
}

static bool all_same(const edge_valued_edge *edges, uint32_t count)
{
	while (count > 1 && edge_valued_same(edges[count - 1], edges[0]))
		count--;
	return count == 1;
}

/* The function that leads value v of a level to edges[v], found or made. Changes the edges. */
static symcf_status make_node(edge_valued *e, uint32_t level, edge_valued_edge *edges,
                              edge_valued_edge *out)
{
	const uint32_t count = e->n_values[level];
	if (all_same(edges, count)) {
		*out = edges[0];
		return SYMCF_OK;
	}
	const int64_t least = scale(edges, count);
	symcf_status status = edge_valued_table_reserve(&e->node_table, e->n_nodes, hash_node, e);
	if (status)
		return status;
	const uint64_t mask = e->node_table.n_slots - 1;
	uint64_t at = hash_edges(level, edges, count) & mask;
	for (uint32_t u; (u = e->node_table.slot[at]); at = (at + 1) & mask) {
		const edge_valued_node *known = &e->nodes[u - 1];
		if (known->level == level && same_edges(e->edges + known->first, edges, count))
			break;
	}
	if (!e->node_table.slot[at]) {
		if ((status = new_node(e, level, edges, count)))
			return status;
		e->node_table.slot[at] = (uint32_t)e->n_nodes;
	}
	*out = (edge_valued_edge){.node = e->node_table.slot[at] - 1, .gain = least};
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- choose ------------------ */

static uint64_t hash_key(uint32_t a, uint32_t b, int64_t ahead)
{
	return edge_valued_mix(edge_valued_mix(a, b), (uint64_t)ahead);
}

static uint64_t hash_memo(const void *owner, uint64_t i)
{
	const edge_valued_memo *m = &((const edge_valued *)owner)->memos[i];
	return hash_key(m->a, m->b, m->ahead);
}

static bool recall(const edge_valued *e, uint32_t a, uint32_t b, int64_t ahead,
                   edge_valued_edge *out)
{
	if (!e->memo_table.n_slots)
		return false;
	const uint64_t mask = e->memo_table.n_slots - 1;
	uint64_t at = hash_key(a, b, ahead) & mask;
	for (uint32_t i; (i = e->memo_table.slot[at]); at = (at + 1) & mask) {
		const edge_valued_memo *known = &e->memos[i - 1];
		if (known->a == a && known->b == b && known->ahead == ahead) {
			*out = known->result;
			return true;
		}
	}
	return false;
}

static symcf_status remember(edge_valued *e, edge_valued_memo what)
{
	const symcf_status status = edge_valued_table_reserve(&e->memo_table, e->n_memos, hash_memo, e);
	if (status)
		return status;
	if (!symcf_grow(&e->memos, &e->cap_memos, e->n_memos + 1, sizeof *e->memos))
		return SYMCF_NO_MEMORY;
	const uint64_t mask = e->memo_table.n_slots - 1;
	uint64_t at = hash_key(what.a, what.b, what.ahead) & mask;
	while (e->memo_table.slot[at])
		at = (at + 1) & mask;
	e->memos[e->n_memos++] = what;
	e->memo_table.slot[at] = (uint32_t)e->n_memos;
	return SYMCF_OK;
}

static symcf_status push_edge(edge_valued *e, edge_valued_edge next)
{
	if (!symcf_grow(&e->stack, &e->cap_stack, e->n_stack + 1, sizeof *e->stack))
		return SYMCF_NO_MEMORY;
	e->stack[e->n_stack++] = next;
	return SYMCF_OK;
}

static symcf_status choose(edge_valued *e, uint32_t test, const uint8_t *set, edge_valued_edge a,
                           edge_valued_edge b, edge_valued_edge *out);

/* requires: b.gain is 0. */
static symcf_status choose_by_value(edge_valued *e, uint32_t test, const uint8_t *set,
                                    edge_valued_edge a, edge_valued_edge b, edge_valued_edge *out)
{
	const uint32_t x = e->nodes[a.node].level, y = e->nodes[b.node].level;
	const uint32_t above = x < y ? x : y, top = above < test ? above : test;
	const uint64_t base = e->n_stack;
	symcf_status status = SYMCF_OK;
	for (uint32_t v = 0; v < e->n_values[top] && !status; v++) {
		edge_valued_edge one = edge_valued_follow(e, a, top, v),
						 other = edge_valued_follow(e, b, top, v), chosen;
		if (top == test)
			chosen = set[v] ? one : other;
		else
			status = choose(e, test, set, one, other, &chosen);
		if (!status)
			status = push_edge(e, chosen);
	}
	if (!status)
		status = make_node(e, top, e->stack + base, out);
	e->n_stack = base;
	if (!status)
		status = remember(e, (edge_valued_memo){a.node, b.node, a.gain, *out});
	return status ? status : symcf_tick(e->control, 50 + 10 * e->n_values[top]);
}

/* As deep as there are levels. */
static symcf_status choose(edge_valued *e, uint32_t test, const uint8_t *set, edge_valued_edge a,
                           edge_valued_edge b, edge_valued_edge *out)
{
	const int64_t below = b.gain;
	symcf_status status = SYMCF_OK;
	if (edge_valued_same(a, b)) {
		*out = a;
		return SYMCF_OK;
	}
	a.gain -= below;
	b.gain = 0;
	if (!recall(e, a.node, b.node, a.gain, out))
		status = choose_by_value(e, test, set, a, b, out);
	if (!status)
		out->gain += below;
	return status;
}

symcf_status edge_valued_choose(edge_valued *e, uint32_t test, const uint8_t *set,
                                edge_valued_edge a, edge_valued_edge b, edge_valued_edge *out)
{
	if (e->n_memos) /* of another test */
		memset(e->memo_table.slot, 0, e->memo_table.n_slots * sizeof *e->memo_table.slot);
	e->n_memos = 0;
	return choose(e, test, set, a, b, out);
}

symcf_status edge_valued_open(edge_valued *e, uint32_t n_levels)
{
	return new_node(e, n_levels, NULL, 0);
}

uint64_t edge_valued_bytes(const edge_valued *e)
{
	return e->cap_nodes * sizeof *e->nodes + (e->cap_edges + e->cap_stack) * sizeof *e->edges +
	       e->cap_memos * sizeof *e->memos +
	       (e->node_table.n_slots + e->memo_table.n_slots) * sizeof *e->node_table.slot;
}

void edge_valued_free_arrays(edge_valued *e)
{
	symcf_free(e->nodes);
	symcf_free(e->edges);
	symcf_free(e->stack);
	symcf_free(e->memos);
	symcf_free(e->node_table.slot);
	symcf_free(e->memo_table.slot);
}
