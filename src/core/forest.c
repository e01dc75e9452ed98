/* forest.c: the sum of decision trees, level by level, without adding them up.
 *
 * The problem. f(x) = 1 iff bias + sum of the leaves that x reaches >= 0, as a diagram over the
 * features in a given order. Adding the trees up as diagrams with numbers at the leaves makes nearly
 * every combination of leaves a node before any of them can be seen not to matter.
 *
 * Instead all trees are walked at once, from the root. Each tree becomes an ordered diagram with
 * numbers on its edges (an edge-valued diagram, Lai and Sastry 1992): a node stands for a function
 * with minimum 0, and an edge adds a number, so that residual trees which differ by a constant are
 * one node. What is left of the forest when the features of the upper levels are known is then a
 * multiset of nodes, a *sum*, and one number. Sums are kept once each, and what the values of the
 * next feature make of them is found when first asked for. Who walks them (bdd_trees.c) stops where
 * the bounds decide.
 *
 * Where the levels from some point on have few inputs, the nodes of a sum below that point are
 * added up after all: sums that are equal as functions then become equal as sets.
 */
#include "forest.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

/* An edge to a node: its function plus a number. Node 0 is the constant 0. */
typedef struct edge {
	uint32_t node;
	int64_t gain;
} edge;

typedef struct node {
	uint32_t level;
	int64_t most;   /* the largest value; the smallest is 0      */
	uint64_t first; /* its edges, one a value of its feature     */
} node;

typedef struct sum {
	uint32_t level;
	uint32_t n_members;
	uint64_t first; /* its members, ascending                    */
	int64_t most;
	uint64_t runs;   /* the first of its runs                      */
	uint32_t n_runs; /* 0: not expanded                          */
} sum;

/* Open addressing: index plus 1 of what is stored elsewhere; 0: empty. */
typedef struct table {
	uint32_t *slot;
	uint64_t n_slots;
} table;

/* What an operation on two nodes gave; `ahead` is what the first has more than the second. */
typedef struct memo {
	uint32_t a, b;
	int64_t ahead;
	edge result;
} memo;

typedef struct memory {
	memo *list;
	uint64_t count, capacity;
	table table;
} memory;

struct forest {
	const symcf_trees *trees;
	uint32_t n;
	uint32_t *place;    /* feature -> level                             */
	uint32_t *n_values; /* by level                                     */
	uint32_t narrow;    /* the level from which on members are added up */
	edge *roots;        /* by tree                                      */

	node *nodes;
	edge *edges; /* of the nodes   */
	sum *sums;
	uint32_t *members; /* of the sums    */
	forest_run *runs;  /* of the sums    */
	edge *stack;       /* of nodes to be */
	uint64_t n_nodes, n_edges, n_sums, n_members, n_runs, n_stack;
	uint64_t cap_nodes, cap_edges, cap_sums, cap_members, cap_runs, cap_stack;
	uint32_t *scratch; /* members of a sum to be, ascending */
	uint32_t n_scratch;
	table node_table, sum_table;
	memory choices;   /* of one test of one tree */
	memory additions; /* of all                  */
	symcf_control *control;
};

/* ------------------------------------------------------------------- tables ------------------ */

static uint64_t mix(uint64_t hash, uint64_t with)
{
	hash = (hash ^ with) * 0x9E3779B97F4A7C15u;
	return hash ^ hash >> 29;
}

typedef uint64_t (*hasher)(const forest *f, uint64_t index);

/* Makes room for one more than `count` entries. */
static symcf_status table_reserve(const forest *f, table *t, uint64_t count, hasher hash)
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
	*t = (table){.slot = slot, .n_slots = n_slots};
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = hash(f, i) & (n_slots - 1);
		while (slot[at])
			at = (at + 1) & (n_slots - 1);
		slot[at] = (uint32_t)i + 1;
	}
	return SYMCF_OK;
}

/* -------------------------------------------------------------------- nodes ------------------ */

static uint64_t hash_edges(uint32_t level, const edge *edges, uint32_t count)
{
	uint64_t hash = level;
	for (uint32_t v = 0; v < count; v++)
		hash = mix(mix(hash, edges[v].node), (uint64_t)edges[v].gain);
	return hash;
}

static uint64_t hash_node(const forest *f, uint64_t i)
{
	const uint32_t level = f->nodes[i].level;
	return hash_edges(level, f->edges + f->nodes[i].first, f->n_values[level]);
}

static bool same_edge(edge a, edge b)
{
	return a.node == b.node && a.gain == b.gain;
}

static bool same_edges(const edge *a, const edge *b, uint32_t count)
{
	while (count > 0 && same_edge(a[count - 1], b[count - 1]))
		count--;
	return !count;
}

static symcf_status push_edge(forest *f, edge e)
{
	if (!symcf_grow(&f->stack, &f->cap_stack, f->n_stack + 1, sizeof *f->stack))
		return SYMCF_NO_MEMORY;
	f->stack[f->n_stack++] = e;
	return SYMCF_OK;
}

static symcf_status new_node(forest *f, uint32_t level, const edge *edges)
{
	const uint32_t count = f->n_values[level];
	if (!symcf_grow(&f->nodes, &f->cap_nodes, f->n_nodes + 1, sizeof *f->nodes) ||
	    !symcf_grow(&f->edges, &f->cap_edges, f->n_edges + count, sizeof *f->edges))
		return SYMCF_NO_MEMORY;
	node *made = &f->nodes[f->n_nodes++];
	*made = (node){.level = level, .first = f->n_edges};
	for (uint32_t v = 0; v < count; v++) {
		const int64_t most = edges[v].gain + f->nodes[edges[v].node].most;
		made->most = most > made->most ? most : made->most;
		f->edges[f->n_edges++] = edges[v];
	}
	return SYMCF_OK;
}

/* The function that leads value v of a level to edges[v], which it scales: found or made. */
static symcf_status make_node(forest *f, uint32_t level, edge *edges, edge *out)
{
	const uint32_t count = f->n_values[level];
	int64_t least = edges[0].gain;
	bool differ = false;
	for (uint32_t v = 1; v < count; v++) {
		differ |= !same_edge(edges[v], edges[0]);
		least = edges[v].gain < least ? edges[v].gain : least;
	}
	if (!differ) {
		*out = edges[0];
		return SYMCF_OK;
	}
	for (uint32_t v = 0; v < count; v++)
		edges[v].gain -= least;
	symcf_status status = table_reserve(f, &f->node_table, f->n_nodes, hash_node);
	if (status)
		return status;
	const uint64_t mask = f->node_table.n_slots - 1;
	uint64_t at = hash_edges(level, edges, count) & mask;
	for (uint32_t u; (u = f->node_table.slot[at]); at = (at + 1) & mask) {
		const node *known = &f->nodes[u - 1];
		if (known->level == level && same_edges(f->edges + known->first, edges, count))
			break;
	}
	if (!f->node_table.slot[at]) {
		if ((status = new_node(f, level, edges)))
			return status;
		f->node_table.slot[at] = (uint32_t)f->n_nodes;
	}
	*out = (edge){.node = f->node_table.slot[at] - 1, .gain = least};
	return SYMCF_OK;
}

/* What is left of e when the feature of `level` has value v. requires: e does not look above. */
static edge follow(const forest *f, edge e, uint32_t level, uint32_t v)
{
	const node *u = &f->nodes[e.node];
	if (u->level != level)
		return e;
	const edge next = f->edges[u->first + v];
	return (edge){.node = next.node, .gain = e.gain + next.gain};
}

static uint32_t least_level(const forest *f, uint32_t a, uint32_t b)
{
	const uint32_t x = f->nodes[a].level, y = f->nodes[b].level;
	return x < y ? x : y;
}

/* --------------------------------------------------------------- operations ------------------ */

static uint64_t hash_key(uint32_t a, uint32_t b, int64_t ahead)
{
	return mix(mix(a, b), (uint64_t)ahead);
}

static uint64_t hash_choice(const forest *f, uint64_t i)
{
	const memo *m = &f->choices.list[i];
	return hash_key(m->a, m->b, m->ahead);
}

static uint64_t hash_addition(const forest *f, uint64_t i)
{
	const memo *m = &f->additions.list[i];
	return hash_key(m->a, m->b, m->ahead);
}

/* ensures: NULL if nothing is remembered. */
static const memo *recall(const memory *m, uint32_t a, uint32_t b, int64_t ahead)
{
	if (!m->table.n_slots)
		return NULL;
	const uint64_t mask = m->table.n_slots - 1;
	uint64_t at = hash_key(a, b, ahead) & mask;
	for (uint32_t i; (i = m->table.slot[at]); at = (at + 1) & mask) {
		const memo *known = &m->list[i - 1];
		if (known->a == a && known->b == b && known->ahead == ahead)
			return known;
	}
	return NULL;
}

static symcf_status remember(const forest *f, memory *m, memo what, hasher hash)
{
	const symcf_status status = table_reserve(f, &m->table, m->count, hash);
	if (status)
		return status;
	if (!symcf_grow(&m->list, &m->capacity, m->count + 1, sizeof *m->list))
		return SYMCF_NO_MEMORY;
	const uint64_t mask = m->table.n_slots - 1;
	uint64_t at = hash_key(what.a, what.b, what.ahead) & mask;
	while (m->table.slot[at])
		at = (at + 1) & mask;
	m->list[m->count++] = what;
	m->table.slot[at] = (uint32_t)m->count;
	return SYMCF_OK;
}

static void forget(memory *m)
{
	if (m->count)
		memset(m->table.slot, 0, m->table.n_slots * sizeof *m->table.slot);
	m->count = 0;
}

/* Ends an operation that has put the edges of its result on the stack, from `base` on. */
static symcf_status pop_node(forest *f, uint32_t level, uint64_t base, edge *out)
{
	const symcf_status status = make_node(f, level, f->stack + base, out);
	f->n_stack = base;
	return status ? status : symcf_tick(f->control, 50 + 10 * f->n_values[level]);
}

/* The function that is a where the feature of level `test` has a value of the set, b elsewhere. As
 * deep as there are levels. */
static symcf_status choose(forest *f, uint32_t test, const uint8_t *set, edge a, edge b, edge *out)
{
	const int64_t below = b.gain;
	if (same_edge(a, b)) {
		*out = a;
		return SYMCF_OK;
	}
	a.gain -= below;
	b.gain = 0;
	const memo *known = recall(&f->choices, a.node, b.node, a.gain);
	symcf_status status = SYMCF_OK;
	if (known) {
		*out = known->result;
	} else {
		const uint32_t above = least_level(f, a.node, b.node), top = above < test ? above : test;
		const uint64_t base = f->n_stack;
		for (uint32_t v = 0; v < f->n_values[top] && !status; v++) {
			edge one = follow(f, a, top, v), other = follow(f, b, top, v), chosen;
			if (top == test)
				chosen = set[v] ? one : other;
			else
				status = choose(f, test, set, one, other, &chosen);
			if (!status)
				status = push_edge(f, chosen);
		}
		if (!status)
			status = pop_node(f, top, base, out);
		if (!status)
			status = remember(f, &f->choices, (memo){a.node, b.node, a.gain, *out}, hash_choice);
	}
	if (!status)
		out->gain += below;
	return status;
}

static symcf_status add(forest *f, uint32_t a, uint32_t b, edge *out)
{
	symcf_status status = SYMCF_OK;
	if (!a || !b) {
		*out = (edge){.node = a | b};
		return SYMCF_OK;
	}
	if (a > b)
		return add(f, b, a, out);
	const memo *known = recall(&f->additions, a, b, 0);
	if (known) {
		*out = known->result;
		return SYMCF_OK;
	}
	const uint32_t top = least_level(f, a, b);
	const uint64_t base = f->n_stack;
	for (uint32_t v = 0; v < f->n_values[top] && !status; v++) {
		const edge one = follow(f, (edge){.node = a}, top, v);
		const edge other = follow(f, (edge){.node = b}, top, v);
		edge both;
		status = add(f, one.node, other.node, &both);
		both.gain += one.gain + other.gain;
		if (!status)
			status = push_edge(f, both);
	}
	if (!status)
		status = pop_node(f, top, base, out);
	return status ? status : remember(f, &f->additions, (memo){a, b, 0, *out}, hash_addition);
}

/* --------------------------------------------------------------------- sums ------------------ */

static uint64_t hash_members(const uint32_t *members, uint32_t count)
{
	uint64_t hash = count;
	for (uint32_t i = 0; i < count; i++)
		hash = mix(hash, members[i]);
	return hash;
}

static uint64_t hash_sum(const forest *f, uint64_t i)
{
	return hash_members(f->members + f->sums[i].first, f->sums[i].n_members);
}

/* One more member of the sum to be; the scratch has room for as many as there are trees. */
static void take_member(forest *f, uint32_t member)
{
	uint32_t at = f->n_scratch;
	if (!member)
		return;
	while (at > 0 && f->scratch[at - 1] > member) {
		f->scratch[at] = f->scratch[at - 1];
		at--;
	}
	f->scratch[at] = member;
	f->n_scratch++;
}

/* Adds up the members that depend on few inputs only. */
static symcf_status add_narrow_members(forest *f, int64_t *gain)
{
	const uint32_t count = f->n_scratch;
	uint32_t narrow = 0;
	f->n_scratch = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t member = f->scratch[i];
		if (f->nodes[member].level < f->narrow) {
			f->scratch[f->n_scratch++] = member;
			continue;
		}
		edge both;
		const symcf_status status = add(f, narrow, member, &both);
		if (status)
			return status;
		narrow = both.node;
		*gain += both.gain;
	}
	take_member(f, narrow);
	return SYMCF_OK;
}

static symcf_status new_sum(forest *f)
{
	sum made = {.level = f->n, .n_members = f->n_scratch, .first = f->n_members};
	if (!symcf_grow(&f->sums, &f->cap_sums, f->n_sums + 1, sizeof *f->sums) ||
	    !symcf_grow(&f->members, &f->cap_members, f->n_members + f->n_scratch, sizeof *f->members))
		return SYMCF_NO_MEMORY;
	for (uint32_t i = 0; i < f->n_scratch; i++) {
		const node *member = &f->nodes[f->scratch[i]];
		made.most += member->most;
		made.level = member->level < made.level ? member->level : made.level;
		f->members[f->n_members++] = f->scratch[i];
	}
	f->sums[f->n_sums++] = made;
	return SYMCF_OK;
}

/* The sum of the members taken, found or made. */
static symcf_status end_sum(forest *f, uint32_t *out, int64_t *gain)
{
	symcf_status status = add_narrow_members(f, gain);
	if (!status)
		status = table_reserve(f, &f->sum_table, f->n_sums, hash_sum);
	if (status)
		return status;
	const uint64_t mask = f->sum_table.n_slots - 1;
	uint64_t at = hash_members(f->scratch, f->n_scratch) & mask;
	for (uint32_t i; (i = f->sum_table.slot[at]); at = (at + 1) & mask) {
		const sum *known = &f->sums[i - 1];
		if (known->n_members == f->n_scratch &&
		    !memcmp(f->members + known->first, f->scratch, f->n_scratch * sizeof *f->scratch))
			break;
	}
	if (!f->sum_table.slot[at]) {
		if ((status = new_sum(f)))
			return status;
		f->sum_table.slot[at] = (uint32_t)f->n_sums;
	}
	*out = f->sum_table.slot[at] - 1;
	return SYMCF_OK;
}

/* Do values v - 1 and v make the same of each member? */
static bool same_as_before(const forest *f, const sum *s, uint32_t v)
{
	for (uint32_t i = 0; i < s->n_members; i++) {
		const node *member = &f->nodes[f->members[s->first + i]];
		const edge *e = f->edges + member->first;
		if (member->level == s->level && !same_edge(e[v - 1], e[v]))
			return false;
	}
	return true;
}

static symcf_status follow_sum(forest *f, const sum *s, uint32_t v, forest_run *run)
{
	*run = (forest_run){.end = v + 1};
	f->n_scratch = 0;
	for (uint32_t i = 0; i < s->n_members; i++) {
		const edge next = follow(f, (edge){.node = f->members[s->first + i]}, s->level, v);
		take_member(f, next.node);
		run->gain += next.gain;
	}
	const symcf_status status = end_sum(f, &run->sum, &run->gain);
	return status ? status : symcf_tick(f->control, 100 + 20 * s->n_members);
}

symcf_status forest_expand(forest *f, uint32_t number, symcf_control *control)
{
	const sum s = f->sums[number]; /* a copy: the list may move */
	const uint64_t first = f->n_runs;
	forest_run run;
	assert(s.level < f->n);
	f->control = control;
	for (uint32_t v = 0; v < f->n_values[s.level]; v++) {
		if (v && same_as_before(f, &s, v)) {
			f->runs[f->n_runs - 1].end++;
			continue;
		}
		const symcf_status status = follow_sum(f, &s, v, &run);
		if (status)
			return status;
		if (!symcf_grow(&f->runs, &f->cap_runs, f->n_runs + 1, sizeof *f->runs))
			return SYMCF_NO_MEMORY;
		f->runs[f->n_runs++] = run;
	}
	f->sums[number].runs = first;
	f->sums[number].n_runs = (uint32_t)(f->n_runs - first);
	return SYMCF_OK;
}

symcf_status forest_root(forest *f, uint32_t *out, int64_t *gathered)
{
	f->n_scratch = 0;
	*gathered = f->trees->bias;
	for (uint32_t t = 0; t < f->trees->n_trees; t++) {
		take_member(f, f->roots[t].node);
		*gathered += f->roots[t].gain;
	}
	return end_sum(f, out, gathered);
}

uint32_t forest_level(const forest *f, uint32_t number)
{
	return f->sums[number].level;
}

int64_t forest_most(const forest *f, uint32_t number)
{
	return f->sums[number].most;
}

uint32_t forest_n_runs(const forest *f, uint32_t number)
{
	return f->sums[number].n_runs;
}

forest_run forest_get_run(const forest *f, uint32_t number, uint32_t run)
{
	return f->runs[f->sums[number].runs + run];
}

uint64_t forest_n_sums(const forest *f)
{
	return f->n_sums;
}

static uint64_t memory_bytes(const memory *m)
{
	return m->capacity * sizeof *m->list + m->table.n_slots * sizeof *m->table.slot;
}

uint64_t forest_bytes(const forest *f)
{
	return f->cap_nodes * sizeof *f->nodes + f->cap_edges * sizeof *f->edges +
	       f->cap_sums * sizeof *f->sums + f->cap_members * sizeof *f->members +
	       f->cap_runs * sizeof *f->runs + f->cap_stack * sizeof *f->stack +
	       (f->node_table.n_slots + f->sum_table.n_slots) * sizeof *f->node_table.slot +
	       memory_bytes(&f->choices) + memory_bytes(&f->additions);
}

/* -------------------------------------------------------------------- trees ------------------ */

static const char *wrong_node(const symcf_trees *t, uint64_t first, uint64_t end, uint64_t u)
{
	const int64_t nodes = (int64_t)(end - first), own = (int64_t)(u - first);
	const int32_t left = t->left[u], right = t->right[u];
	if (t->left_start[u] < 0 || t->left_start[u + 1] < t->left_start[u])
		return "the sets of values do not follow each other";
	if (t->feature[u] == -1)
		return NULL;
	if (t->feature[u] < -1 || (uint32_t)t->feature[u] >= t->n)
		return "a node tests a feature that is not there";
	if (left <= own || left >= nodes || right <= own || right >= nodes)
		return "a child does not come after its node";
	if (t->left_start[u + 1] - t->left_start[u] != t->n_values[t->feature[u]])
		return "a node does not say for each value where it goes";
	return NULL;
}

static const char *wrong_trees(const symcf_trees *t)
{
	const char *wrong = t->start[0] ? "the first tree does not begin at node 0" : NULL;
	for (uint32_t j = 0; j < t->n && !wrong; j++)
		if (!t->n_values[j])
			wrong = "a feature has no value";
	for (uint32_t i = 0; i < t->n_trees && !wrong; i++)
		if (t->start[i] >= t->start[i + 1])
			wrong = "a tree has no node";
	for (uint32_t i = 0; i < t->n_trees && !wrong; i++)
		for (uint64_t u = t->start[i]; u < t->start[i + 1] && !wrong; u++)
			wrong = wrong_node(t, t->start[i], t->start[i + 1], u);
	return wrong;
}

/* Any sum of leaves fits with bits to spare. */
static bool fits(const symcf_trees *t)
{
	const int64_t most = (int64_t)1 << 60;
	if (t->bias <= -most || t->bias >= most)
		return false;
	int64_t total = 0;
	for (uint32_t i = 0; i < t->n_trees; i++) {
		int64_t largest = 0;
		for (uint64_t u = t->start[i]; u < t->start[i + 1]; u++) {
			if (t->feature[u] != -1)
				continue;
			if (t->score[u] <= -most || t->score[u] >= most)
				return false;
			const int64_t size = t->score[u] < 0 ? -t->score[u] : t->score[u];
			largest = size > largest ? size : largest;
		}
		if ((total += largest) >= most)
			return false;
	}
	return true;
}

/* Children come after parents, so the last node goes first. */
static symcf_status order_tree(forest *f, uint32_t number, edge *at)
{
	const symcf_trees *t = f->trees;
	const uint64_t first = t->start[number];
	for (uint64_t u = t->start[number + 1]; u-- > first;) {
		if (t->feature[u] == -1) {
			at[u - first] = (edge){.gain = t->score[u]};
			continue;
		}
		forget(&f->choices);
		const symcf_status status =
			choose(f, f->place[t->feature[u]], t->left_values + t->left_start[u], at[t->left[u]],
			       at[t->right[u]], &at[u - first]);
		if (status)
			return status;
	}
	f->roots[number] = at[0];
	return SYMCF_OK;
}

static symcf_status order_trees(forest *f)
{
	const symcf_trees *t = f->trees;
	uint64_t most = 0;
	for (uint32_t i = 0; i < t->n_trees; i++)
		most = t->start[i + 1] - t->start[i] > most ? t->start[i + 1] - t->start[i] : most;
	edge *at = symcf_allocate(most, sizeof *at);
	symcf_status status = at ? SYMCF_OK : SYMCF_NO_MEMORY;
	for (uint32_t i = 0; i < t->n_trees && !status; i++) {
		if (f->control)
			f->control->level = i;
		status = order_tree(f, i, at);
	}
	if (f->control && !status)
		f->control->level = t->n_trees;
	symcf_free(at);
	return status;
}

/* Levels, and where the narrow ones begin. */
static symcf_status set_out(forest *f, const uint32_t *order)
{
	enum { FEW_INPUTS = 1 << 12 };
	const symcf_trees *t = f->trees;
	f->place = symcf_allocate(f->n, sizeof *f->place);
	f->n_values = symcf_allocate((uint64_t)f->n + 1, sizeof *f->n_values);
	f->roots = symcf_allocate(t->n_trees, sizeof *f->roots);
	f->scratch = symcf_allocate((uint64_t)t->n_trees + 1, sizeof *f->scratch);
	if (!f->place || !f->n_values || !f->roots || !f->scratch)
		return SYMCF_NO_MEMORY;
	for (uint32_t k = 0; k < f->n; k++) {
		f->place[order[k]] = k;
		f->n_values[k] = t->n_values[order[k]];
	}
	f->n_values[f->n] = 0;
	f->narrow = f->n;
	for (uint64_t inputs = 1; f->narrow > 0; f->narrow--) {
		inputs *= f->n_values[f->narrow - 1];
		if (inputs > FEW_INPUTS)
			break;
	}
	return new_node(f, f->n, NULL); /* the constant 0 */
}

symcf_status forest_open(const symcf_trees *trees, const uint32_t *order, symcf_control *control,
                         const char **reason, forest **out)
{
	if ((*reason = wrong_trees(trees)))
		return SYMCF_INVALID;
	if (!fits(trees))
		return SYMCF_OVERFLOW;
	forest *f = symcf_allocate_zeroed(1, sizeof *f);
	if (!f)
		return SYMCF_NO_MEMORY;
	f->trees = trees;
	f->n = trees->n;
	f->control = control;
	symcf_status status = set_out(f, order);
	if (!status)
		status = order_trees(f);
	if (status)
		forest_free(f);
	else
		*out = f;
	return status;
}

static void free_memory(memory *m)
{
	symcf_free(m->list);
	symcf_free(m->table.slot);
}

void forest_free(forest *f)
{
	if (!f)
		return;
	symcf_free(f->place);
	symcf_free(f->n_values);
	symcf_free(f->roots);
	symcf_free(f->nodes);
	symcf_free(f->edges);
	symcf_free(f->sums);
	symcf_free(f->members);
	symcf_free(f->runs);
	symcf_free(f->stack);
	symcf_free(f->scratch);
	symcf_free(f->node_table.slot);
	symcf_free(f->sum_table.slot);
	free_memory(&f->choices);
	free_memory(&f->additions);
	symcf_free(f);
}
