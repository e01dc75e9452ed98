/* moves.c: counterfactuals in which nothing can be moved less far, as change sets of another diagram.
 *
 * The problem. Change sets say which features change. Here values count as well: a counterfactual is
 * move-minimal if no other one lies between it and x, that is, if no way to move some features less
 * far, and none further, leads to the sink.
 *
 * The idea. Let the values that feature j can move to lie on *chains*, nearest first, so that "less
 * far" is "earlier on the same chain, or not at all": for an ordered feature one chain upwards and one
 * downwards, for an unordered one a chain for each value. A *step* is a place on a chain. A
 * counterfactual is then the set of all steps that it takes, to its places and before them, and is
 * move-minimal iff no proper subset that is made of chains in the same way leads to the sink.
 *
 * So we draw a diagram of two-valued features, one for each step, all 0 at x:
 *
 *   at a node that tests j:   first step of chain 1?  no: first step of chain 2? ... no: child for x_j
 *                                                    yes: second step of chain 1?  no: child for its
 *                                                         first value   yes: third step? ...
 *
 * Steps that come after one that was not taken, and those of other chains, are not asked on the way, so
 * they are in no minimal set: the minimal change sets of this diagram are made of whole chains, and all
 * engines over diagrams find them, count them, draw from them and rank them (cost of a step: by how
 * much it makes the move dearer).
 *
 * max_changes bounds features, not steps. So there are as many copies of a node as changes can be
 * left, and the first step of a chain leads from one to the next.
 */
#include <string.h>

#include "diagram.h"
#include "hash_table.h"
#include "memory.h"
#include "symcf.h"
#include "try.h"

typedef struct drawn {
	uint32_t level, lo, hi;
} drawn;

typedef struct drawing {
	const symcf_diagram *d;
	const symcf_moves *m;
	symcf_control *control;
	bool bounded;     /* are changes counted?                                           */
	uint32_t copies;  /* of each node: 1, or max_changes + 1 by changes left             */
	uint32_t *made;   /* by node and copy: what it became                               */
	uint8_t *reached; /* by node: can x get there?                                      */
	uint32_t *taken;  /* by node of a level and copy: the rest of the chain under way   */
	drawn *nodes;     /* 0 and 1 are the sinks                                         */
	uint64_t n_nodes, cap_nodes;
	hash_table table;
} drawing;

/* -------------------------------------------------------------------- nodes ------------------ */

static uint64_t hash_drawn(const drawn *key)
{
	return hash_table_mix(hash_table_mix(key->level, key->lo), key->hi);
}

static uint64_t hash_node(const void *owner, uint32_t u)
{
	return hash_drawn(&((const drawing *)owner)->nodes[u]);
}

static bool is_node(const void *owner, uint32_t u, const void *wanted)
{
	return !memcmp(&((const drawing *)owner)->nodes[u], wanted, sizeof(drawn));
}

static symcf_status make_node(drawing *g, uint32_t level, uint32_t lo, uint32_t hi, uint32_t *out)
{
	enum { WORK = 60 };
	const drawn key = {level, lo, hi};
	*out = lo;
	if (lo == hi)
		return SYMCF_OK;
	TRY(symcf_tick(g->control, WORK));
	TRY(symcf_hash_table_reserve(&g->table, 2, g->n_nodes, hash_node, g));
	uint32_t *slot = hash_table_find(&g->table, hash_drawn(&key), is_node, g, &key);
	if (!*slot) {
		symcf_control *control = g->control;
		if (control && control->max_nodes && g->n_nodes - 2 >= control->max_nodes)
			return SYMCF_LIMIT_NODES;
		if (!symcf_grow(&g->nodes, &g->cap_nodes, g->n_nodes + 1, sizeof *g->nodes))
			return symcf_no_memory();
		TRY(symcf_hold(control, g->cap_nodes * sizeof *g->nodes + hash_table_bytes(&g->table)));
		g->nodes[g->n_nodes] = key;
		*slot = (uint32_t)g->n_nodes++;
		if (control)
			control->nodes = g->n_nodes;
	}
	*out = *slot;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- levels ------------------ */

/* What became of a child, with so many changes left. */
static uint32_t made_of(const drawing *g, uint32_t u, uint32_t value, uint32_t left)
{
	return g->made[(uint64_t)symcf_child(g->d, u, value) * g->copies + left];
}

/* Marks the nodes that x gets to, from the root. */
static symcf_status reach(drawing *g)
{
	const symcf_diagram *d = g->d;
	const symcf_moves *m = g->m;
	g->reached[d->root] = 1;
	for (uint32_t u = d->root; u > 1; u--) {
		if (!g->reached[u])
			continue;
		const uint32_t j = d->order[d->level[u]], *child = symcf_children(d, u);
		const uint32_t first = m->step_start[m->chain_start[j]];
		const uint32_t end = m->step_start[m->chain_start[j + 1]];
		g->reached[child[m->x[j]]] = 1;
		for (uint32_t s = first; s < end; s++)
			g->reached[child[m->code[s]]] = 1;
		TRY(symcf_tick(g->control, 10 + end - first));
	}
	return SYMCF_OK;
}

/* The level of step s, for the nodes from `first` up to `end`, which test the feature of its chain. On
 * the chain's last step "yes" is final; on its first, "no" goes on with the next chain, or stays. */
static symcf_status draw_step(drawing *g, uint32_t first, uint32_t end, uint32_t s, bool is_first,
                              bool is_last)
{
	const symcf_moves *m = g->m;
	for (uint32_t u = first; u < end; u++) {
		if (!g->reached[u])
			continue;
		for (uint32_t left = 0; left < g->copies; left++) {
			uint32_t *made = &g->made[(uint64_t)u * g->copies + left];
			uint32_t *taken = &g->taken[(uint64_t)(u - first) * g->copies + left];
			if (g->bounded && left == 0)
				continue; /* nothing is left to change */
			const uint32_t after = g->bounded ? left - 1 : 0;
			const uint32_t hi = is_last ? made_of(g, u, m->code[s], after) : *taken;
			if (is_first)
				TRY(make_node(g, s, *made, hi, made));
			else
				TRY(make_node(g, s, made_of(g, u, m->code[s - 1], after), hi, taken));
		}
	}
	return SYMCF_OK;
}

static symcf_status draw_level(drawing *g, uint32_t first, uint32_t end)
{
	const symcf_moves *m = g->m;
	const uint32_t j = g->d->order[g->d->level[first]];
	for (uint32_t u = first; u < end; u++)
		for (uint32_t left = 0; g->reached[u] && left < g->copies; left++)
			g->made[(uint64_t)u * g->copies + left] = made_of(g, u, m->x[j], left);
	for (uint32_t c = m->chain_start[j + 1]; c-- > m->chain_start[j];)
		for (uint32_t s = m->step_start[c + 1]; s-- > m->step_start[c];)
			TRY(draw_step(g, first, end, s, s == m->step_start[c], s + 1 == m->step_start[c + 1]));
	return SYMCF_OK;
}

static symcf_status draw(drawing *g, uint32_t sink)
{
	const symcf_diagram *d = g->d;
	for (uint32_t left = 0; left < g->copies; left++) {
		g->made[(uint64_t)sink * g->copies + left] = 1;
		g->made[(uint64_t)!sink * g->copies + left] = 0;
	}
	for (uint32_t first = 2, end; first <= d->root; first = end) {
		for (end = first + 1; end <= d->root && d->level[end] == d->level[first]; end++)
			;
		TRY(draw_level(g, first, end));
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- result ------------------ */

/* Nodes were made from the last step to the first, so that they only have to be numbered again without
 * those that the root does not reach. The steps of features that the diagram tests late may have
 * smaller numbers than those that it tests early: the order of the levels says which is which. */
static symcf_status write_diagram(const drawing *g, const uint32_t *step_at, uint32_t root,
                                  uint32_t *number, symcf_diagram **out)
{
	const uint32_t n_steps = g->m->step_start[g->m->chain_start[g->m->n]];
	uint32_t n_nodes = 2;
	number[root] = 1;
	for (uint64_t u = g->n_nodes; u-- > 2;)
		if (number[u])
			number[g->nodes[u].lo] = number[g->nodes[u].hi] = 1;
	number[0] = 0;
	number[1] = 1;
	for (uint64_t u = 2; u < g->n_nodes; u++)
		if (number[u])
			number[u] = n_nodes++;
	symcf_diagram *d = symcf_diagram_allocate(n_steps, n_nodes, 2 * (uint64_t)(n_nodes - 2));
	if (!d)
		return symcf_no_memory();
	for (uint32_t k = 0; k < n_steps; k++)
		d->arity[k] = 2;
	for (uint32_t s = 0; s < n_steps; s++)
		d->order[step_at[s]] = s;
	for (uint64_t u = 2, at = 0; u < g->n_nodes; u++) {
		if (!number[u])
			continue;
		d->level[number[u]] = step_at[g->nodes[u].level];
		d->child[at++] = number[g->nodes[u].lo];
		d->child[at++] = number[g->nodes[u].hi];
	}
	symcf_diagram_place_children(d);
	d->root = number[root];
	*out = d;
	return SYMCF_OK;
}

/* By step, its level: the features in the order of the diagram, the steps of each in theirs. */
static void place_steps(const symcf_diagram *d, const symcf_moves *m, uint32_t *step_at)
{
	uint32_t level = 0;
	for (uint32_t k = 0; k < d->n; k++) {
		const uint32_t j = d->order[k];
		for (uint32_t s = m->step_start[m->chain_start[j]];
		     s < m->step_start[m->chain_start[j + 1]]; s++)
			step_at[s] = level++;
	}
}

static symcf_status finish(drawing *g, symcf_diagram **out)
{
	const uint32_t n_steps = g->m->step_start[g->m->chain_start[g->m->n]];
	uint32_t *step_at = symcf_allocate(n_steps, sizeof *step_at);
	uint32_t *number = symcf_allocate_zeroed(g->n_nodes, sizeof *number);
	symcf_status status;
	if (step_at && number) {
		place_steps(g->d, g->m, step_at);
		const uint32_t root = g->made[(uint64_t)g->d->root * g->copies + g->copies - 1];
		status = write_diagram(g, step_at, root, number, out);
	} else {
		status = symcf_no_memory();
	}
	symcf_free(step_at);
	symcf_free(number);
	return status;
}

/* The nodes of the widest level. */
static uint32_t widest(const symcf_diagram *d)
{
	uint32_t most = 1;
	for (uint32_t u = 2, here = 1; u + 1 < d->n_nodes; u++) {
		here = d->level[u + 1] == d->level[u] ? here + 1 : 1;
		most = here > most ? here : most;
	}
	return most;
}

/* Features with a chain. */
static uint32_t n_movable(const symcf_moves *m)
{
	uint32_t count = 0;
	for (uint32_t j = 0; j < m->n; j++)
		count += m->chain_start[j] < m->chain_start[j + 1];
	return count;
}

symcf_status symcf_moves_diagram(const symcf_diagram *d, const symcf_moves *m, uint32_t sink,
                                 symcf_control *control, symcf_diagram **out)
{
	drawing g = {.d = d, .m = m, .control = control, .copies = 1, .n_nodes = 2};
	if (m->n != d->n || sink > 1)
		return SYMCF_INVALID;
	if ((g.bounded = m->max_changes < n_movable(m)))
		g.copies = m->max_changes + 1;
	g.made = symcf_allocate((uint64_t)d->n_nodes * g.copies, sizeof *g.made);
	g.taken = symcf_allocate((uint64_t)widest(d) * g.copies, sizeof *g.taken);
	g.reached = symcf_allocate_zeroed(d->n_nodes, sizeof *g.reached);
	symcf_status status;
	if (g.made && g.taken && g.reached && symcf_grow(&g.nodes, &g.cap_nodes, 2, sizeof *g.nodes)) {
		memset(g.nodes, 0, 2 * sizeof *g.nodes);
		status = reach(&g);
	} else {
		status = symcf_no_memory();
	}
	if (!status)
		status = draw(&g, sink);
	if (!status)
		status = finish(&g, out);
	symcf_free(g.made);
	symcf_free(g.taken);
	symcf_free(g.reached);
	symcf_free(g.nodes);
	symcf_hash_table_free(&g.table);
	return status;
}
