/* edge_valued.c: diagrams with numbers on their edges. */
#include "edge_valued.h"

#include "memory.h"
#include "try.h"

/* -------------------------------------------------------------------- nodes ------------------ */

static uint64_t hash_edges(uint32_t level, const edge_valued_edge *edges, uint32_t count)
{
	uint64_t hash = level;
	for (uint32_t v = 0; v < count; v++)
		hash = hash_table_mix(hash_table_mix(hash, edges[v].node), (uint64_t)edges[v].gain);
	return hash;
}

static uint64_t hash_node(const void *owner, uint32_t i)
{
	return ((const edge_valued *)owner)->nodes[i].hash;
}

/* What a node is found by. */
typedef struct node_key {
	uint32_t level, count;
	const edge_valued_edge *edges;
} node_key;

static bool is_node(const void *owner, uint32_t i, const void *wanted)
{
	const edge_valued *e = owner;
	const edge_valued_node *known = &e->nodes[i];
	const node_key *key = wanted;
	const edge_valued_edge *edges = e->edges + known->first;
	uint32_t count = key->count;
	if (known->level != key->level)
		return false;
	while (count > 0 && edge_valued_same(edges[count - 1], key->edges[count - 1]))
		count--;
	return !count;
}

static symcf_status new_node(edge_valued *e, uint32_t level, const edge_valued_edge *edges,
                             uint32_t count, uint64_t hash)
{
	if (!symcf_grow(&e->nodes, &e->cap_nodes, e->n_nodes + 1, sizeof *e->nodes) ||
	    !symcf_grow(&e->edges, &e->cap_edges, e->n_edges + count, sizeof *e->edges))
		return symcf_no_memory();
	edge_valued_node *made = &e->nodes[e->n_nodes++];
	*made = (edge_valued_node){.level = level, .first = e->n_edges, .hash = hash};
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
	TRY(symcf_hash_table_reserve(&e->node_table, 1, e->n_nodes, hash_node, e));
	const node_key key = {level, count, edges};
	const uint64_t hash = hash_edges(level, edges, count);
	uint32_t *slot = hash_table_find(&e->node_table, hash, is_node, e, &key);
	if (!*slot) {
		TRY(new_node(e, level, edges, count, hash));
		*slot = (uint32_t)e->n_nodes - 1;
	}
	*out = (edge_valued_edge){.node = *slot, .gain = least};
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- choose ------------------ */

static uint64_t hash_choice(const edge_valued_memo *m)
{
	return hash_table_mix(hash_table_mix(m->a, m->b), (uint64_t)m->ahead);
}

static uint64_t hash_memo(const void *owner, uint32_t number)
{
	return hash_choice(&((const edge_valued *)owner)->memos[number - 1]);
}

static bool is_memo(const void *owner, uint32_t number, const void *wanted)
{
	const edge_valued_memo *known = &((const edge_valued *)owner)->memos[number - 1], *key = wanted;
	return known->a == key->a && known->b == key->b && known->ahead == key->ahead;
}

static bool recall(edge_valued *e, edge_valued_memo wanted, edge_valued_edge *out)
{
	if (!e->n_memos)
		return false;
	const uint32_t number =
		*hash_table_find(&e->memo_table, hash_choice(&wanted), is_memo, e, &wanted);
	if (number)
		*out = e->memos[number - 1].result;
	return number;
}

static symcf_status remember(edge_valued *e, edge_valued_memo what)
{
	TRY(symcf_hash_table_reserve(&e->memo_table, 1, e->n_memos + 1, hash_memo, e));
	if (!symcf_grow(&e->memos, &e->cap_memos, e->n_memos + 1, sizeof *e->memos))
		return symcf_no_memory();
	uint32_t *slot = hash_table_find(&e->memo_table, hash_choice(&what), is_memo, e, &what);
	e->memos[e->n_memos++] = what;
	*slot = (uint32_t)e->n_memos;
	return SYMCF_OK;
}

static symcf_status push_edge(edge_valued *e, edge_valued_edge next)
{
	if (!symcf_grow(&e->stack, &e->cap_stack, e->n_stack + 1, sizeof *e->stack))
		return symcf_no_memory();
	e->stack[e->n_stack++] = next;
	return SYMCF_OK;
}

/* Is the choice between a and b no choice, or made already? */
static bool look_up(edge_valued *e, edge_valued_edge a, edge_valued_edge b, edge_valued_edge *out)
{
	if (edge_valued_same(a, b)) {
		*out = a;
		return true;
	}
	if (!recall(e, (edge_valued_memo){.a = a.node, .b = b.node, .ahead = a.gain - b.gain}, out))
		return false;
	out->gain += b.gain;
	return true;
}

static symcf_status open_choice(edge_valued *e, uint32_t test, edge_valued_edge a,
                                edge_valued_edge b)
{
	const uint32_t x = e->nodes[a.node].level, y = e->nodes[b.node].level;
	const uint32_t above = x < y ? x : y;
	if (!symcf_grow(&e->frames, &e->cap_frames, e->n_frames + 1, sizeof *e->frames))
		return symcf_no_memory();
	e->frames[e->n_frames++] = (edge_valued_frame){
		.a = {a.node, a.gain - b.gain},
		.b = {b.node, 0},
		.below = b.gain,
		.level = above < test ? above : test,
		.base = e->n_stack,
	};
	return SYMCF_OK;
}

/* All values of the last choice have their edges: it is made. */
static symcf_status close_choice(edge_valued *e, edge_valued_edge *out)
{
	const edge_valued_frame f = e->frames[--e->n_frames];
	TRY(make_node(e, f.level, e->stack + f.base, out));
	e->n_stack = f.base;
	TRY(remember(e, (edge_valued_memo){f.a.node, f.b.node, f.a.gain, *out}));
	out->gain += f.below;
	TRY(symcf_hold(e->control, symcf_edge_valued_bytes(e)));
	const uint32_t steps =
		hash_table_take_steps(&e->node_table) + hash_table_take_steps(&e->memo_table);
	return symcf_tick(e->control, 50 + 10 * e->n_values[f.level] + steps);
}

static symcf_status take_value(edge_valued *e, edge_valued_edge chosen)
{
	e->frames[e->n_frames - 1].value++;
	return push_edge(e, chosen);
}

/* Depth first. */
static symcf_status choose(edge_valued *e, uint32_t test, const uint8_t *set, edge_valued_edge a,
                           edge_valued_edge b, edge_valued_edge *out)
{
	if (look_up(e, a, b, out))
		return SYMCF_OK;
	TRY(open_choice(e, test, a, b));
	for (;;) {
		const edge_valued_frame *f = &e->frames[e->n_frames - 1];
		if (f->value == e->n_values[f->level]) {
			TRY(close_choice(e, out));
			if (!e->n_frames)
				return SYMCF_OK;
			TRY(take_value(e, *out));
			continue;
		}
		const edge_valued_edge one = edge_valued_follow(e, f->a, f->level, f->value);
		const edge_valued_edge other = edge_valued_follow(e, f->b, f->level, f->value);
		if (f->level == test)
			TRY(take_value(e, set[f->value] ? one : other));
		else if (look_up(e, one, other, out))
			TRY(take_value(e, *out));
		else
			TRY(open_choice(e, test, one, other));
	}
}

symcf_status symcf_edge_valued_choose(edge_valued *e, uint32_t test, const uint8_t *set,
                                      edge_valued_edge a, edge_valued_edge b, edge_valued_edge *out)
{
	if (e->n_memos) /* of another test */
		symcf_hash_table_clear(&e->memo_table);
	e->n_memos = e->n_stack = e->n_frames = 0;
	return choose(e, test, set, a, b, out);
}

symcf_status symcf_edge_valued_open(edge_valued *e, uint32_t n_levels)
{
	return new_node(e, n_levels, NULL, 0, 0);
}

uint64_t symcf_edge_valued_bytes(const edge_valued *e)
{
	return e->cap_nodes * sizeof *e->nodes + (e->cap_edges + e->cap_stack) * sizeof *e->edges +
	       e->cap_memos * sizeof *e->memos + e->cap_frames * sizeof *e->frames +
	       hash_table_bytes(&e->node_table) + hash_table_bytes(&e->memo_table);
}

void symcf_edge_valued_free_arrays(edge_valued *e)
{
	symcf_free(e->nodes);
	symcf_free(e->edges);
	symcf_free(e->stack);
	symcf_free(e->memos);
	symcf_free(e->frames);
	symcf_hash_table_free(&e->node_table);
	symcf_hash_table_free(&e->memo_table);
}
