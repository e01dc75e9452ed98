/* bdd_freeze.c: CUDD's BDD -> frozen diagram.
 *
 * CUDD shares a function and its negation by complement edges; the frozen diagram has none. So its
 * nodes are pairs of a CUDD node and a sign, that is, pointers with CUDD's complement bit. They are
 * found breadth first, then ranked by level.
 */
#include "bdd.h"
#include "diagram.h"
#include "memory.h"

/* The nodes of the BDD as drawn without complement edges: (node, sign) pairs, that is, pointers
 * with CUDD's complement bit. An open-addressing table maps them to their order of discovery. */
typedef struct census {
	symcf_bdd *b;
	DdNode **found; /* in order of discovery; 0 and 1 are the sinks */
	uint32_t *slot; /* index into found plus 1; 0: empty            */
	uint32_t *rank; /* discovery -> frozen node                     */
	uint64_t n_found, cap_found, n_slots;
} census;

static uint64_t hash_pointer(const void *p, uint64_t n_slots)
{
	const uint64_t h = (uint64_t)(uintptr_t)p * 0x9E3779B97F4A7C15u;
	return (h ^ h >> 32) & (n_slots - 1);
}

static uint32_t *find_slot(const census *s, const DdNode *node)
{
	uint64_t i = hash_pointer(node, s->n_slots);
	while (s->slot[i] && s->found[s->slot[i] - 1] != node)
		i = (i + 1) & (s->n_slots - 1);
	return &s->slot[i];
}

static symcf_status rehash(census *s)
{
	uint32_t *bigger = symcf_allocate_zeroed(2 * s->n_slots, sizeof *bigger);
	if (!bigger)
		return SYMCF_NO_MEMORY;
	symcf_free(s->slot);
	s->slot = bigger;
	s->n_slots *= 2;
	for (uint64_t i = 0; i < s->n_found; i++)
		*find_slot(s, s->found[i]) = (uint32_t)i + 1;
	return SYMCF_OK;
}

static symcf_status discover(census *s, DdNode *node)
{
	uint32_t *slot = find_slot(s, node);
	if (*slot)
		return SYMCF_OK;
	if (s->n_found >= UINT32_MAX - 2)
		return SYMCF_OVERFLOW;
	if (!symcf_grow(&s->found, &s->cap_found, s->n_found + 1, sizeof(DdNode *)))
		return SYMCF_NO_MEMORY;
	s->found[s->n_found++] = node;
	*slot = (uint32_t)s->n_found;
	return 2 * s->n_found > s->n_slots ? rehash(s) : SYMCF_OK;
}

/* Breadth first: the list of what was found is its own queue. */
static symcf_status take_census(symcf_bdd *b, census *s)
{
	*s = (census){.b = b, .n_slots = 64};
	if (!(s->slot = symcf_allocate_zeroed(s->n_slots, sizeof *s->slot)))
		return SYMCF_NO_MEMORY;
	symcf_status status = discover(s, Cudd_ReadLogicZero(b->manager));
	if (!status)
		status = discover(s, Cudd_ReadOne(b->manager));
	if (!status)
		status = discover(s, b->root);
	for (uint64_t i = 2; i < s->n_found && !status; i++) {
		status = discover(s, bdd_cofactor(s->found[i], 1));
		if (!status)
			status = discover(s, bdd_cofactor(s->found[i], 0));
		if (!status)
			status = symcf_tick(b->control, 60);
	}
	return status;
}

static void end_census(census *s)
{
	symcf_free(s->found);
	symcf_free(s->slot);
	symcf_free(s->rank);
}

symcf_status symcf_bdd_size(symcf_bdd *b, symcf_control *control, uint64_t *size)
{
	census s;
	b->control = control;
	const symcf_status status = take_census(b, &s);
	if (!status)
		*size = Cudd_IsConstant(b->root) ? 1 : s.n_found;
	end_census(&s);
	return status;
}

static uint32_t level_of(const symcf_bdd *b, DdNode *node)
{
	return (uint32_t)Cudd_ReadPerm(b->manager, (int)Cudd_NodeReadIndex(node));
}

/* Ranks the nodes by level, bottom first, discovery order within a level (so that the result does
 * not depend on where CUDD's nodes lie in memory). start: scratch, n + 2 entries, zeroed. */
static void rank_by_level(census *s, uint32_t *start)
{
	const uint32_t n = s->b->n;
	for (uint64_t i = 2; i < s->n_found; i++)
		start[n - level_of(s->b, s->found[i])]++; /* levels n-1, n-2, ... count at 1, 2, ... */
	for (uint32_t k = 1; k <= n; k++)
		start[k] += start[k - 1];
	s->rank[0] = 0;
	s->rank[1] = 1;
	for (uint64_t i = 2; i < s->n_found; i++)
		s->rank[i] = 2 + start[n - 1 - level_of(s->b, s->found[i])]++;
}

static uint32_t rank_of(const census *s, const DdNode *node)
{
	return s->rank[*find_slot(s, node) - 1];
}

static void write_frozen(const census *s, symcf_diagram *d)
{
	const symcf_bdd *b = s->b;
	for (uint32_t k = 0; k < b->n; k++) {
		d->order[k] = b->feature_of[Cudd_ReadInvPerm(b->manager, (int)k)];
		d->arity[k] = 2;
	}
	for (uint64_t i = 2; i < s->n_found; i++) {
		const uint32_t u = s->rank[i];
		d->level[u] = level_of(b, s->found[i]);
		d->child[2 * (u - 2)] = rank_of(s, bdd_cofactor(s->found[i], 0));
		d->child[2 * (u - 2) + 1] = rank_of(s, bdd_cofactor(s->found[i], 1));
	}
	d->root = rank_of(s, b->root);
	symcf_diagram_place_children(d);
}

symcf_status symcf_bdd_freeze(symcf_bdd *b, symcf_control *control, symcf_diagram **out)
{
	census s;
	symcf_diagram *d = NULL;
	uint32_t *start = NULL;
	b->control = control;
	symcf_status status = take_census(b, &s);
	if (!status) {
		start = symcf_allocate_zeroed((uint64_t)b->n + 2, sizeof *start);
		s.rank = symcf_allocate(s.n_found, sizeof *s.rank);
		d = symcf_diagram_allocate(b->n, (uint32_t)s.n_found, 2 * (s.n_found - 2));
		if (!start || !s.rank || !d)
			status = SYMCF_NO_MEMORY;
	}
	if (!status) {
		rank_by_level(&s, start);
		write_frozen(&s, d);
		*out = d;
	} else {
		symcf_diagram_free(d);
	}
	symcf_free(start);
	end_census(&s);
	b->control = NULL;
	return status;
}
