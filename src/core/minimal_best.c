/* minimal_best.c: the change sets of a family in order, as far as they are asked for.
 *
 * Adding the same feature to two sets does not change how they compare by (cost, size, features),
 * so the ranked list of a node is the merge of that of lo and that of hi, each made only as far as
 * it is asked for (as Jimenez and Marzal, "Computing the K shortest paths", WAE 1999, do in
 * graphs).
 */
#include <assert.h>
#include <string.h>

#include "memory.h"
#include "minimal.h"

/* A member of a node's family, in the node's ranked list. */
typedef struct ranked {
	int64_t cost;
	uint32_t size;
	uint32_t next; /* the next best member of the same node; NOTHING: not known, or none */
	uint64_t bits[];
} ranked;

enum { NOTHING = 0, EMPTY_SET = 1 }; /* the first two entries */
enum { LO = 0, HI = 1, NEITHER = 2 };

/* How far a node has merged the lists of its children. */
typedef struct merge {
	uint32_t head[2]; /* the first members of lo and hi not taken yet; NOTHING: no more */
	uint32_t taken;   /* the side whose head has been taken and must move on            */
	uint32_t last;    /* the last member of the node's own list                         */
} merge;

typedef struct ranking {
	symcf_minimal *e;
	const int64_t *cost; /* by feature; NULL: 1 each */
	char *entries;       /* `stride` bytes each      */
	uint64_t stride, n_entries, cap_entries;
	merge *merges;     /* by node */
	uint32_t *waiting; /* nodes whose next member waits for that of the node after it */
	uint64_t cap_merges, cap_waiting;
} ranking;

static inline ranked *entry(const ranking *r, uint32_t i)
{
	return (ranked *)(void *)(r->entries + i * r->stride);
}

/* A copy of entry i, without a successor. ensures: NOTHING, with z.status, if that fails. */
static uint32_t copy_entry(ranking *r, uint32_t i)
{
	zdd *z = &r->e->z;
	if (r->n_entries > UINT32_MAX) {
		z->status = SYMCF_LIMIT_MEMORY;
		return NOTHING;
	}
	if ((z->status = symcf_tick(z->control, WORK_A_SET)) != SYMCF_OK ||
	    !symcf_zdd_grow(z, &r->entries, &r->cap_entries, r->n_entries + 1, r->stride))
		return NOTHING;
	const uint32_t fresh = (uint32_t)r->n_entries++;
	memcpy(entry(r, fresh), entry(r, i), r->stride);
	entry(r, fresh)->next = NOTHING;
	return fresh;
}

static inline int64_t cost_of(const ranking *r, uint32_t level)
{
	return r->cost ? r->cost[r->e->d->order[level]] : 1;
}

/* Which head comes first by (cost, size, features)? Of two sets of one size, that with the smallest
 * feature in which they differ: the larger number, as bits go. */
static uint32_t better_side(const ranking *r, const merge *m, uint32_t level)
{
	if (m->head[LO] == NOTHING || m->head[HI] == NOTHING)
		return m->head[LO] == NOTHING ? HI : LO;
	const ranked *lo = entry(r, m->head[LO]), *hi = entry(r, m->head[HI]);
	const int64_t hi_cost = hi->cost + cost_of(r, level);
	if (lo->cost != hi_cost)
		return lo->cost < hi_cost ? LO : HI;
	if (lo->size != hi->size + 1)
		return lo->size < hi->size + 1 ? LO : HI;
	const uint32_t rank = r->e->rank[level];
	for (uint32_t w = 0; w < r->e->n_words; w++) {
		const uint64_t own = w == rank / 64 ? UINT64_C(1) << (63 - rank % 64) : 0;
		if (lo->bits[w] != (hi->bits[w] | own))
			return lo->bits[w] > (hi->bits[w] | own) ? LO : HI;
	}
	assert(!"a set is in both subfamilies");
	return LO;
}

/* Appends the better head, if there is one, to the list of f. ensures: false if that fails. */
static bool append_best(ranking *r, uint32_t f)
{
	merge *m = &r->merges[f];
	const uint32_t level = r->e->z.nodes[f].level;
	if (m->head[LO] == NOTHING && m->head[HI] == NOTHING)
		return true;
	const uint32_t side = better_side(r, m, level);
	const uint32_t fresh = copy_entry(r, m->head[side]);
	if (fresh == NOTHING)
		return false;
	if (side == HI) {
		ranked *member = entry(r, fresh);
		member->cost += cost_of(r, level);
		member->size++;
		minimal_flip(member->bits, r->e->rank[level]);
	}
	if (m->last != NOTHING)
		entry(r, m->last)->next = fresh;
	m->last = fresh;
	m->taken = side;
	return true;
}

/* Appends the next member to the list of f, after those that it depends on: as only one head of a
 * node is missing at a time, they are on one path downwards. */
static bool rank_next(ranking *r, uint32_t f)
{
	uint32_t depth = 0;
	for (;;) {
		const merge *m = &r->merges[f];
		r->waiting[depth++] = f;
		if (m->taken == NEITHER || entry(r, m->head[m->taken])->next != NOTHING)
			break;
		f = m->taken == LO ? r->e->z.nodes[f].lo : r->e->z.nodes[f].hi;
	}
	while (depth > 0) {
		f = r->waiting[--depth];
		merge *m = &r->merges[f];
		if (m->taken != NEITHER)
			m->head[m->taken] = entry(r, m->head[m->taken])->next;
		m->taken = NEITHER;
		if (!append_best(r, f))
			return false;
	}
	return true;
}

/* Gives every node the first member of its list. */
static bool rank_first(ranking *r)
{
	zdd *z = &r->e->z;
	r->stride = sizeof(ranked) + r->e->n_words * sizeof(uint64_t);
	if (!symcf_zdd_grow(z, &r->merges, &r->cap_merges, z->n_nodes, sizeof *r->merges) ||
	    !symcf_zdd_grow(z, &r->waiting, &r->cap_waiting, r->e->d->n + UINT64_C(1),
	                    sizeof *r->waiting) ||
	    !symcf_zdd_grow(z, &r->entries, &r->cap_entries, z->n_nodes, r->stride))
		return false;
	memset(r->entries, 0, (EMPTY_SET + 1) * r->stride);
	r->n_entries = EMPTY_SET + 1;
	r->merges[ZDD_EMPTY] = (merge){{NOTHING, NOTHING}, NEITHER, NOTHING};
	r->merges[ZDD_UNIT] = (merge){{NOTHING, NOTHING}, NEITHER, EMPTY_SET};
	for (uint32_t f = ZDD_UNIT + 1; f < z->n_nodes; f++) {
		const uint32_t lo = r->merges[z->nodes[f].lo].last;
		const uint32_t hi = r->merges[z->nodes[f].hi].last;
		r->merges[f] = (merge){{lo, hi}, NEITHER, NOTHING};
		if (!append_best(r, f))
			return false;
	}
	return true;
}

static symcf_status push_ranked(ranking *r, uint64_t k, symcf_sets *sets)
{
	const uint32_t root = r->e->root;
	if (!rank_first(r))
		return r->e->z.status;
	for (uint32_t i = r->merges[root].last; k > 0 && i != NOTHING; k--) {
		const symcf_status status = symcf_minimal_push_bits(r->e, entry(r, i)->bits, sets);
		if (status != SYMCF_OK)
			return status;
		if (k > 1 && !rank_next(r, root))
			return r->e->z.status;
		i = entry(r, i)->next;
	}
	return SYMCF_OK;
}

symcf_status symcf_minimal_best(symcf_minimal *e, const int64_t *cost, uint64_t k,
                                symcf_control *control, symcf_sets *sets)
{
	ranking r = {.e = e, .cost = cost};
	e->z.control = control;
	const symcf_status status = push_ranked(&r, k, sets);
	symcf_zdd_release(&e->z, &r.entries, &r.cap_entries, r.stride);
	symcf_zdd_release(&e->z, &r.merges, &r.cap_merges, sizeof *r.merges);
	symcf_zdd_release(&e->z, &r.waiting, &r.cap_waiting, sizeof *r.waiting);
	return status;
}
