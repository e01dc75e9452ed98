/* bdd_freeze.c: CUDD's BDD -> frozen diagram.
 *
 * CUDD shares a function and its negation by complement edges; the frozen diagram has none. So its
 * nodes are pairs of a CUDD node and a sign, that is, pointers with CUDD's complement bit. They are
 * found breadth first, then ranked by level.
 *
 * Of the chain of a feature with many values (bdd.h) only the first function, which tests y_1, is a
 * node of the diagram: its children are what follows when y_v is the first true one. The functions
 * inside a chain are only passed through. What is found this way is reduced: a function that does
 * not test y_1 does not depend on the block, and equal functions are one in CUDD.
 */
#include "bdd.h"
#include "diagram.h"
#include "hash_table.h"
#include "memory.h"
#include "try.h"

/* The nodes of the BDD as drawn without complement edges: (node, sign) pairs, that is, pointers
 * with CUDD's complement bit. A table maps them to their order of discovery. */
typedef struct census {
	symcf_bdd *b;
	DdNode **found;  /* in order of discovery; 0 and 1 are the sinks */
	uint32_t *rank;  /* discovery -> frozen node                     */
	uint32_t *level; /* feature -> level of the diagram             */
	uint64_t n_found, cap_found;
	hash_table table; /* of those found, numbered from 1 */
} census;

static uint64_t hash_pointer(const DdNode *node)
{
	return hash_table_mix(0, (uint64_t)(uintptr_t)node);
}

static uint64_t hash_found(const void *owner, uint32_t number)
{
	return hash_pointer(((const census *)owner)->found[number - 1]);
}

static bool is_found(const void *owner, uint32_t number, const void *node)
{
	return ((const census *)owner)->found[number - 1] == node;
}

static uint32_t *find_slot(census *s, const DdNode *node)
{
	return hash_table_find(&s->table, hash_pointer(node), is_found, s, node);
}

static symcf_status discover(census *s, DdNode *node)
{
	TRY(symcf_hash_table_reserve(&s->table, 1, s->n_found + 1, hash_found, s));
	uint32_t *slot = find_slot(s, node);
	if (*slot)
		return SYMCF_OK;
	if (s->n_found >= UINT32_MAX - 2)
		return SYMCF_OVERFLOW;
	if (!Cudd_IsConstant(node) && bdd_value(s->b, Cudd_NodeReadIndex(node)) != 1)
		return SYMCF_INTERNAL; /* not made of chains */
	if (!symcf_grow(&s->found, &s->cap_found, s->n_found + 1, sizeof(DdNode *)))
		return symcf_no_memory();
	s->found[s->n_found++] = node;
	*slot = (uint32_t)s->n_found;
	return SYMCF_OK;
}

/* A walk down the chain of a node: the children for value 1, 2, ..., then the one for value 0. */
typedef struct chain {
	const symcf_bdd *b;
	DdNode *rest; /* where all y so far are false */
	uint32_t feature, value;
} chain;

static chain enter_chain(const symcf_bdd *b, DdNode *node)
{
	return (chain){.b = b, .rest = node, .feature = b->feature_of[Cudd_NodeReadIndex(node)]};
}

/* ensures: false once `rest` has left the block: it is the child of value 0 and of all others
 * that are left. */
static bool next_child(chain *c, DdNode **child)
{
	if (Cudd_IsConstant(c->rest) || c->b->feature_of[Cudd_NodeReadIndex(c->rest)] != c->feature)
		return false;
	*child = bdd_cofactor(c->rest, 1);
	c->rest = bdd_cofactor(c->rest, 0);
	c->value++;
	return true;
}

static symcf_status discover_children(census *s, DdNode *node)
{
	DdNode *child;
	symcf_status status = SYMCF_OK;
	chain c = enter_chain(s->b, node);
	while (!status && next_child(&c, &child))
		status = discover(s, child);
	return status ? status : discover(s, c.rest);
}

/* Breadth first: the list of what was found is its own queue. */
static symcf_status take_census(symcf_bdd *b, census *s)
{
	*s = (census){.b = b};
	symcf_status status = discover(s, Cudd_ReadLogicZero(b->manager));
	if (!status)
		status = discover(s, Cudd_ReadOne(b->manager));
	if (!status)
		status = discover(s, b->root);
	for (uint64_t i = 2; i < s->n_found && !status; i++) {
		status = discover_children(s, s->found[i]);
		if (!status)
			status = symcf_tick(b->control, 60);
	}
	return status;
}

static void end_census(census *s)
{
	symcf_free(s->found);
	symcf_hash_table_free(&s->table);
	symcf_free(s->rank);
	symcf_free(s->level);
}

symcf_status symcf_bdd_size(symcf_bdd *b, symcf_control *control, uint64_t *size)
{
	census s;
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	b->control = control;
	const symcf_status status = take_census(b, &s);
	if (!status)
		*size = Cudd_IsConstant(b->root) ? 1 : s.n_found;
	end_census(&s);
	return status;
}

/* The order of the blocks. */
static void find_levels(const census *s, symcf_diagram *d)
{
	const symcf_bdd *b = s->b;
	uint32_t k = 0;
	for (uint32_t i = 0; i < b->n_variables; i++) {
		const uint32_t variable = (uint32_t)Cudd_ReadInvPerm(b->manager, (int)i);
		if (bdd_value(b, variable) != 1)
			continue;
		d->order[k] = b->feature_of[variable];
		d->arity[k] = b->arity[d->order[k]];
		s->level[d->order[k]] = k;
		k++;
	}
}

static uint32_t level_of(const census *s, DdNode *node)
{
	return s->level[s->b->feature_of[Cudd_NodeReadIndex(node)]];
}

/* Ranks the nodes by level, bottom first, discovery order within a level (so that the result does
 * not depend on where CUDD's nodes lie in memory). start: scratch, n + 2 entries, zeroed. */
static void rank_by_level(census *s, uint32_t *start)
{
	const uint32_t n = s->b->n;
	for (uint64_t i = 2; i < s->n_found; i++)
		start[n - level_of(s, s->found[i])]++; /* levels n-1, n-2, ... count at 1, 2, ... */
	for (uint32_t k = 1; k <= n; k++)
		start[k] += start[k - 1];
	s->rank[0] = 0;
	s->rank[1] = 1;
	for (uint64_t i = 2; i < s->n_found; i++)
		s->rank[i] = 2 + start[n - 1 - level_of(s, s->found[i])]++;
}

static uint32_t rank_of(census *s, const DdNode *node)
{
	return s->rank[*find_slot(s, node) - 1];
}

static void write_children(census *s, DdNode *node, uint32_t *out, uint32_t arity)
{
	DdNode *child;
	chain c = enter_chain(s->b, node);
	while (next_child(&c, &child))
		out[c.value] = rank_of(s, child);
	out[0] = rank_of(s, c.rest);
	while (++c.value < arity)
		out[c.value] = out[0];
}

static symcf_status write_frozen(census *s, symcf_diagram *d)
{
	for (uint64_t i = 2; i < s->n_found; i++)
		d->level[s->rank[i]] = level_of(s, s->found[i]);
	symcf_diagram_place_children(d);
	for (uint64_t i = 2; i < s->n_found; i++) {
		const uint32_t u = s->rank[i], k = d->level[u];
		write_children(s, s->found[i], d->child + (d->child_base[k] + (int64_t)u * d->arity[k]),
		               d->arity[k]);
		TRY(symcf_tick(s->b->control, 20 * d->arity[k]));
	}
	d->root = rank_of(s, s->b->root);
	return SYMCF_OK;
}

static uint64_t count_children(const census *s)
{
	uint64_t count = 0;
	for (uint64_t i = 2; i < s->n_found; i++)
		count += s->b->arity[s->b->feature_of[Cudd_NodeReadIndex(s->found[i])]];
	return count;
}

symcf_status symcf_bdd_freeze(symcf_bdd *b, symcf_control *control, symcf_diagram **out)
{
	census s;
	symcf_diagram *d = NULL;
	uint32_t *start = NULL;
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	b->control = control;
	symcf_status status = take_census(b, &s);
	if (!status) {
		start = symcf_allocate_zeroed((uint64_t)b->n + 2, sizeof *start);
		s.rank = symcf_allocate(s.n_found, sizeof *s.rank);
		s.level = symcf_allocate(b->n, sizeof *s.level);
		d = symcf_diagram_allocate(b->n, (uint32_t)s.n_found, count_children(&s));
		if (!start || !s.rank || !s.level || !d)
			status = symcf_no_memory();
	}
	if (!status) {
		find_levels(&s, d);
		rank_by_level(&s, start);
		status = write_frozen(&s, d);
	}
	if (status)
		symcf_diagram_free(d);
	else
		*out = d;
	symcf_free(start);
	end_census(&s);
	b->control = NULL;
	return status;
}
