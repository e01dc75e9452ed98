/* ensemble_map.c: all minimal change sets of any size, by a search over sets of features.
 *
 * The problem. A set of features *flips* if some values of them change the decision. Sets that contain
 * a flipping one flip. Wanted: all minimal flipping sets. A set that does not flip says that every
 * flipping set meets its complement, an *edge*; of the largest such sets the complements are the
 * sufficient reasons, and the minimal flipping sets are exactly the minimal sets that meet all edges
 * (Reiter 1987; Ignatiev et al. 2020). So each family proves the other complete.
 *
 * The search decides feature by feature what is in the set and what is out of it. An edge with one
 * feature that is not out takes it in; a known change set with one feature that is not in leaves it out.
 * When the features that are in meet all known edges, the oracle is asked about a largest set around them
 * that contains no known change set. If it does not flip, its complement is a new edge. If it does,
 * the row that the oracle found is shrunk to a new change set. So every call of the oracle gains a member
 * of one of the families, as in MARCO (Liffiton et al. 2016). In place of the SAT solver there, which
 * starts again for each seed, one search goes through all sets once: what is learnt on the way holds
 * for what has been searched, too. */
#include "ensemble.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

/* Which edges and change sets may still say something here. */
typedef struct list {
	uint32_t *number;
	uint64_t count, capacity;
} list;

typedef struct ensemble_level {
	list edges, changes;
	uint32_t branch; /* the feature that the level above took in */
} ensemble_level;

/* --------------------------------------------------------------- sets of words --------------- */

static const uint64_t *member(const ensemble_map *m, const ensemble_family *f, uint64_t i)
{
	return f->words + i * m->width;
}

static bool meet(const ensemble_map *m, const uint64_t *a, const uint64_t *b)
{
	for (uint32_t i = 0; i < m->width; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

/* How many members of a are not in b, at most 2 counted exactly; *one is one of them. */
static uint32_t outside(const ensemble_map *m, const uint64_t *a, const uint64_t *b, uint32_t *one)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < m->width; i++) {
		const uint64_t left = a[i] & ~b[i];
		if (left)
			*one = i * 64 + (uint32_t)__builtin_ctzll(left);
		count += (uint32_t)__builtin_popcountll(left);
	}
	return count;
}

static bool within(const ensemble_map *m, const uint64_t *a, const uint64_t *b)
{
	for (uint32_t i = 0; i < m->width; i++)
		if (a[i] & ~b[i])
			return false;
	return true;
}

static bool has(const uint64_t *set, uint32_t a)
{
	return set[a / 64] >> a % 64 & 1;
}

static void put(uint64_t *set, uint32_t a)
{
	set[a / 64] |= UINT64_C(1) << a % 64;
}

static void drop(uint64_t *set, uint32_t a)
{
	set[a / 64] &= ~(UINT64_C(1) << a % 64);
}

static void copy(const ensemble_map *m, uint64_t *to, const uint64_t *from)
{
	memcpy(to, from, m->width * sizeof *to);
}

static uint64_t *in_at(const ensemble_map *m, uint32_t level)
{
	return m->words + (uint64_t)level * 2 * m->width;
}

static uint64_t *out_at(const ensemble_map *m, uint32_t level)
{
	return in_at(m, level) + m->width;
}

int64_t ensemble_map_cost(const ensemble_map *m, const uint64_t *set)
{
	int64_t total = 0;
	for (uint32_t i = 0; i < m->width; i++)
		for (uint64_t left = set[i]; left; left &= left - 1)
			total += m->cost ? m->cost[i * 64 + (uint32_t)__builtin_ctzll(left)] : 1;
	return total;
}

static uint32_t size_of(const ensemble_map *m, const uint64_t *set)
{
	uint32_t size = 0;
	for (uint32_t i = 0; i < m->width; i++)
		size += (uint32_t)__builtin_popcountll(set[i]);
	return size;
}

/* ------------------------------------------------------------------ life cycle --------------- */

symcf_status ensemble_map_open(const ensemble_scene *s, const uint32_t *active, uint32_t n_active,
                               const int64_t *cost, symcf_control *control, ensemble_map *m)
{
	*m = (ensemble_map){.s = s, .active = active, .n_active = n_active, .cost = cost};
	m->width = n_active / 64 + 1;
	const uint64_t levels = (uint64_t)n_active + 2, n_oracles = s->all ? 1 : s->n_columns;
	symcf_status status = SYMCF_OK;
	m->levels = symcf_allocate_zeroed(levels, sizeof *m->levels);
	m->words = symcf_allocate_zeroed((2 * levels + 3) * m->width, sizeof *m->words);
	m->oracles = symcf_allocate_zeroed(n_oracles, sizeof *m->oracles);
	if (!m->levels || !m->words || !m->oracles)
		status = SYMCF_NO_MEMORY;
	for (uint32_t c = 0; c < n_oracles && !status; c++) {
		status = ensemble_masks_open(s, s->all ? ENSEMBLE_ALL : c, active, n_active, control,
		                             &m->oracles[c]);
		m->n_oracles += !status;
	}
	if (status) {
		ensemble_map_close(m);
		return status;
	}
	m->seed = in_at(m, (uint32_t)levels);
	m->trial = m->seed + m->width;
	m->shrunk = m->trial + m->width;
	return SYMCF_OK;
}

void ensemble_map_close(ensemble_map *m)
{
	for (uint32_t c = 0; c < m->n_oracles; c++)
		ensemble_masks_close(&m->oracles[c]);
	for (uint32_t l = 0; m->levels && l < m->n_active + 2; l++) {
		symcf_free(m->levels[l].edges.number);
		symcf_free(m->levels[l].changes.number);
	}
	symcf_free(m->oracles);
	symcf_free(m->levels);
	symcf_free(m->words);
	symcf_free(m->changes.words);
	symcf_free(m->edges.words);
	*m = (ensemble_map){0};
}

/* -------------------------------------------------------------------- families --------------- */

static symcf_status note(list *l, uint64_t number)
{
	if (!symcf_grow(&l->number, &l->capacity, l->count + 1, sizeof *l->number))
		return SYMCF_NO_MEMORY;
	l->number[l->count++] = (uint32_t)number;
	return SYMCF_OK;
}

static symcf_status append(ensemble_map *m, ensemble_family *f, const uint64_t *set)
{
	if (f->n_sets >= UINT32_MAX - 1)
		return SYMCF_OVERFLOW;
	if (!symcf_grow(&f->words, &f->capacity, (f->n_sets + 1) * m->width, sizeof *f->words))
		return SYMCF_NO_MEMORY;
	copy(m, f->words + f->n_sets++ * m->width, set);
	return SYMCF_OK;
}

/* A new change set is of interest at all levels of the search where nothing of it is out. */
symcf_status ensemble_map_add(ensemble_map *m, const uint64_t *set)
{
	const uint64_t number = m->changes.n_sets;
	TRY(append(m, &m->changes, set));
	for (uint32_t l = 0; m->under_way && l <= m->depth && !meet(m, set, out_at(m, l)); l++)
		TRY(note(&m->levels[l].changes, number));
	return SYMCF_OK;
}

/* A new edge, where nothing of it is in. */
static symcf_status add_edge(ensemble_map *m, const uint64_t *set)
{
	const uint64_t number = m->edges.n_sets;
	TRY(append(m, &m->edges, set));
	for (uint32_t l = 0; m->under_way && l <= m->depth && !meet(m, set, in_at(m, l)); l++)
		TRY(note(&m->levels[l].edges, number));
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the oracle --------------- */

/* Does the set flip? Then `changed` becomes the features in which the row that was found differs. */
static symcf_status ask(ensemble_map *m, const uint64_t *set, symcf_control *control, bool *flips,
                        uint64_t *changed)
{
	*flips = false;
	m->n_calls++;
	for (uint32_t c = 0; c < m->n_oracles && !*flips; c++) {
		ensemble_masks *o = &m->oracles[c];
		TRY(ensemble_masks_search(o, set, control, flips));
		if (!*flips)
			continue;
		memset(changed, 0, m->width * sizeof *changed);
		for (uint32_t a = 0; a < m->n_active; a++)
			if (o->witness[a] != m->s->place[m->active[a]])
				put(changed, a);
	}
	return SYMCF_OK;
}

/* Does the set without the feature miss a known edge? Then it does not flip. */
static bool is_needed(const ensemble_map *m, const uint64_t *set, uint32_t a)
{
	for (uint64_t i = 0; i < m->edges.n_sets; i++) {
		const uint64_t *edge = member(m, &m->edges, i);
		bool others = false;
		if (!has(edge, a))
			continue;
		for (uint32_t w = 0; w < m->width; w++)
			others =
				others || (edge[w] & set[w] & ~(w == a / 64 ? UINT64_C(1) << a % 64 : UINT64_C(0)));
		if (!others)
			return true;
	}
	return false;
}

/* Shrinks m->shrunk, which flips, to a minimal change set: first as far as the known edges allow at
 * once, then feature by feature. */
static symcf_status shrink(ensemble_map *m, symcf_control *control)
{
	bool flips;
	uint64_t *set = m->shrunk, *trial = m->trial;
	for (uint32_t a = 0; a < m->n_active; a++) {
		if (!has(set, a) || is_needed(m, set, a))
			continue;
		copy(m, trial, set);
		drop(trial, a);
		TRY(ask(m, trial, control, &flips, trial));
		if (flips)
			copy(m, set, trial);
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the search --------------- */

/* The largest set around what is in that leaves out what is out and contains no known change set. */
static void grow_seed(ensemble_map *m)
{
	const list *changes = &m->levels[m->depth].changes; /* others meet what is out */
	const uint64_t *out = out_at(m, m->depth);
	uint64_t *seed = m->seed;
	copy(m, seed, in_at(m, m->depth));
	for (uint32_t a = 0; a < m->n_active; a++) {
		if (has(seed, a) || has(out, a))
			continue;
		put(seed, a);
		for (uint64_t i = 0; i < changes->count; i++) {
			const uint64_t *set = member(m, &m->changes, changes->number[i]);
			if (has(set, a) && within(m, set, seed)) {
				drop(seed, a);
				break;
			}
		}
	}
}

/* Asks about a seed, and gains an edge or a change set. */
static symcf_status learn(ensemble_map *m, symcf_control *control)
{
	bool flips;
	grow_seed(m);
	TRY(ask(m, m->seed, control, &flips, m->shrunk));
	if (flips) {
		TRY(shrink(m, control));
		return ensemble_map_add(m, m->shrunk);
	}
	for (uint32_t a = 0; a < m->n_active; a++)
		if (has(m->seed, a))
			drop(m->seed, a);
		else
			put(m->seed, a);
	return add_edge(m, m->seed);
}

/* Draws conclusions at the top level. ensures: false if nothing is left to find there; otherwise *edge
 * is the edge with the fewest choices that is not met, or UINT64_MAX. */
static bool conclude(ensemble_map *m, uint64_t *edge)
{
	ensemble_level *l = &m->levels[m->depth];
	uint64_t *in = in_at(m, m->depth), *out = out_at(m, m->depth);
	bool changed = true;
	while (changed) {
		uint32_t fewest = UINT32_MAX, one = 0;
		changed = false;
		*edge = UINT64_MAX;
		for (uint64_t i = 0; i < l->changes.count; i++) {
			const uint64_t *set = member(m, &m->changes, l->changes.number[i]);
			if (meet(m, set, out))
				continue;
			const uint32_t left = outside(m, set, in, &one);
			if (!left)
				return false;
			if (left == 1) {
				put(out, one);
				changed = true;
			}
		}
		for (uint64_t i = 0; i < l->edges.count; i++) {
			const uint64_t *set = member(m, &m->edges, l->edges.number[i]);
			if (meet(m, set, in))
				continue;
			const uint32_t left = outside(m, set, out, &one);
			if (!left)
				return false;
			if (left == 1) {
				put(in, one);
				changed = true;
			} else if (left < fewest) {
				fewest = left;
				*edge = l->edges.number[i];
			}
		}
	}
	return true;
}

/* Opens a level where the feature is in. */
static symcf_status branch(ensemble_map *m, uint32_t feature)
{
	const ensemble_level *l = &m->levels[m->depth];
	ensemble_level *next = &m->levels[m->depth + 1];
	uint64_t *in = in_at(m, m->depth + 1), *out = out_at(m, m->depth + 1);
	copy(m, in, in_at(m, m->depth));
	copy(m, out, out_at(m, m->depth));
	put(in, feature);
	next->edges.count = next->changes.count = 0;
	for (uint64_t i = 0; i < l->edges.count; i++)
		if (!meet(m, member(m, &m->edges, l->edges.number[i]), in))
			TRY(note(&next->edges, l->edges.number[i]));
	for (uint64_t i = 0; i < l->changes.count; i++)
		if (!meet(m, member(m, &m->changes, l->changes.number[i]), out))
			TRY(note(&next->changes, l->changes.number[i]));
	next->branch = feature;
	m->depth++;
	return SYMCF_OK;
}

/* Leaves the top level: its feature is out from now on. ensures: false if it was the last one. */
static bool retreat(ensemble_map *m)
{
	if (!m->depth)
		return false;
	const uint32_t feature = m->levels[m->depth--].branch;
	put(out_at(m, m->depth), feature);
	return true;
}

static symcf_status begin(ensemble_map *m)
{
	ensemble_level *l = &m->levels[0];
	m->depth = 0;
	m->cut = false;
	m->next_limit = INT64_MAX;
	memset(in_at(m, 0), 0, 2 * m->width * sizeof *m->words);
	l->edges.count = l->changes.count = 0;
	for (uint64_t i = 0; i < m->edges.n_sets; i++)
		TRY(note(&l->edges, i));
	for (uint64_t i = 0; i < m->changes.n_sets; i++)
		TRY(note(&l->changes, i));
	m->under_way = true;
	return SYMCF_OK;
}

/* What it takes at least to meet the edge. */
static int64_t least_cost(const ensemble_map *m, uint64_t edge)
{
	const uint64_t *set = member(m, &m->edges, edge), *out = out_at(m, m->depth);
	int64_t least = INT64_MAX;
	for (uint32_t i = 0; i < m->width; i++)
		for (uint64_t left = set[i] & ~out[i]; left; left &= left - 1) {
			const int64_t cost = m->cost ? m->cost[i * 64 + (uint32_t)__builtin_ctzll(left)] : 1;
			least = cost < least ? cost : least;
		}
	return least;
}

/* Does what is in, with what the edge needs, go beyond the limits? */
static bool is_beyond(ensemble_map *m, int64_t limit, uint32_t most, uint64_t edge)
{
	const uint64_t *in = in_at(m, m->depth);
	const bool more = edge != UINT64_MAX;
	const int64_t cost = ensemble_map_cost(m, in) + (more ? least_cost(m, edge) : 0);
	const bool costly = cost > limit;
	if (costly)
		m->next_limit = cost < m->next_limit ? cost : m->next_limit;
	if (costly || size_of(m, in) + more > most)
		m->cut = true;
	return costly || size_of(m, in) + more > most;
}

symcf_status ensemble_map_run(ensemble_map *m, int64_t limit, uint32_t most, symcf_control *control)
{
	if (!m->under_way || limit != m->limit || most != m->most)
		TRY(begin(m));
	m->limit = limit;
	m->most = most;
	for (;;) {
		uint64_t edge;
		TRY(symcf_tick(control, 50 + (uint32_t)(m->levels[m->depth].edges.count & 0xFFFFF) +
		                            (uint32_t)(m->levels[m->depth].changes.count & 0xFFFFF)));
		if (!conclude(m, &edge) || is_beyond(m, limit, most, edge)) {
			if (!retreat(m))
				break;
			continue;
		}
		if (edge == UINT64_MAX) {
			TRY(learn(m, control));
			continue;
		}
		const uint64_t *set = member(m, &m->edges, edge);
		uint32_t one = 0;
		outside(m, set, out_at(m, m->depth), &one);
		TRY(branch(m, one));
	}
	m->under_way = false;
	return SYMCF_OK;
}
