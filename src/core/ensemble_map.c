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

/* At each level lie, one after the other, the edges and change sets that may still say something there: those that what
 * is in, or out, does not meet. Both only grow while the level is open, so sets that they meet leave its lists. */
typedef struct ensemble_level {
	ensemble_family edges, changes;
	uint32_t branch; /* the feature that the level above took in */
} ensemble_level;

/* --------------------------------------------------------------- sets of words --------------- */

/* Functions that take the width are compiled for sets of one word, too. */
#define BY_WIDTH(f, width, ...) ((width) == 1 ? f(1, __VA_ARGS__) : f(width, __VA_ARGS__))

static inline bool meet(const uint64_t *a, const uint64_t *b, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

/* How many members of a are not in b; *one is one of them. */
static inline uint32_t outside(const uint64_t *a, const uint64_t *b, uint32_t width, uint32_t *one)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < width; i++) {
		const uint64_t left = a[i] & ~b[i];
		if (left)
			*one = i * 64 + (uint32_t)__builtin_ctzll(left);
		count += (uint32_t)__builtin_popcountll(left);
	}
	return count;
}

static inline bool within(const uint64_t *a, const uint64_t *b, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++)
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

int64_t symcf_ensemble_map_cost(const ensemble_map *m, const uint64_t *set)
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

symcf_status symcf_ensemble_map_open(const ensemble_scene *s, const uint32_t *active,
                                     uint32_t n_active, const int64_t *cost, symcf_control *control,
                                     ensemble_map *m)
{
	*m = (ensemble_map){.s = s, .active = active, .n_active = n_active, .cost = cost};
	m->width = n_active / 64 + 1;
	const uint64_t levels = (uint64_t)n_active + 2, n_oracles = s->all ? 1 : s->n_columns;
	symcf_status status = SYMCF_OK;
	m->levels = symcf_allocate_zeroed(levels, sizeof *m->levels);
	m->words = symcf_allocate_zeroed((2 * levels + 5) * m->width, sizeof *m->words);
	m->oracles = symcf_allocate_zeroed(n_oracles, sizeof *m->oracles);
	m->first = symcf_allocate(levels, sizeof *m->first);
	if (!m->levels || !m->words || !m->oracles || !m->first)
		status = symcf_no_memory();
	for (uint32_t c = 0; c < n_oracles && !status; c++) {
		status = symcf_ensemble_masks_open(s, s->all ? ENSEMBLE_ALL : c, active, n_active, control,
		                                   &m->oracles[c]);
		m->n_oracles += !status;
	}
	if (status) {
		symcf_ensemble_map_close(m);
		return status;
	}
	m->seed = in_at(m, (uint32_t)levels);
	m->trial = m->seed + m->width;
	m->shrunk = m->trial + m->width;
	m->needed = m->shrunk + m->width;
	m->edge = m->needed + m->width;
	return SYMCF_OK;
}

void symcf_ensemble_map_close(ensemble_map *m)
{
	for (uint32_t c = 0; c < m->n_oracles; c++)
		symcf_ensemble_masks_close(&m->oracles[c]);
	for (uint32_t l = 0; m->levels && l < m->n_active + 2; l++) {
		symcf_free(m->levels[l].edges.words);
		symcf_free(m->levels[l].changes.words);
	}
	symcf_free(m->oracles);
	symcf_free(m->first);
	symcf_free(m->next);
	symcf_free(m->levels);
	symcf_free(m->words);
	symcf_free(m->changes.words);
	symcf_free(m->edges.words);
	*m = (ensemble_map){0};
}

/* -------------------------------------------------------------------- families --------------- */

static inline symcf_status append(ensemble_family *f, const uint64_t *set, uint32_t width)
{
	if (!symcf_grow(&f->words, &f->capacity, (f->n_sets + 1) * width, sizeof *f->words))
		return symcf_no_memory();
	for (uint32_t i = 0; i < width; i++)
		f->words[f->n_sets * width + i] = set[i];
	f->n_sets++;
	return SYMCF_OK;
}

/* A new change set is of interest at all levels of the search where nothing of it is out. */
symcf_status symcf_ensemble_map_add(ensemble_map *m, const uint64_t *set)
{
	TRY(append(&m->changes, set, m->width));
	for (uint32_t l = 0; m->under_way && l <= m->depth && !meet(set, out_at(m, l), m->width); l++)
		TRY(append(&m->levels[l].changes, set, m->width));
	return SYMCF_OK;
}

/* A new edge, where nothing of it is in. */
static symcf_status add_edge(ensemble_map *m, const uint64_t *set)
{
	TRY(append(&m->edges, set, m->width));
	for (uint32_t l = 0; m->under_way && l <= m->depth && !meet(set, in_at(m, l), m->width); l++)
		TRY(append(&m->levels[l].edges, set, m->width));
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
		TRY(symcf_ensemble_masks_search(o, set, control, flips));
		if (!*flips)
			continue;
		memset(changed, 0, m->width * sizeof *changed);
		for (uint32_t a = 0; a < m->n_active; a++)
			if (o->witness[a] != m->s->place[m->active[a]])
				put(changed, a);
	}
	return SYMCF_OK;
}

/* The features without which the set would miss a known edge, and so not flip: each has a *critical* edge, which meets
 * the set in it alone (Murakami and Uno 2014). */
static inline void find_needed(uint32_t width, const ensemble_map *m, const uint64_t *set)
{
	memset(m->needed, 0, width * sizeof *m->needed);
	for (uint64_t i = 0; i < m->edges.n_sets; i++) {
		const uint64_t *edge = m->edges.words + i * width;
		uint32_t count = 0, word = 0;
		for (uint32_t w = 0; w < width; w++) {
			const uint64_t both = edge[w] & set[w];
			count += (uint32_t)(both != 0) + (uint32_t)((both & (both - 1)) != 0);
			word = both ? w : word;
		}
		const uint64_t fresh = edge[word] & set[word] & ~m->needed[word];
		if ((count == 1) & (fresh != 0)) /* one test, which fails but once per feature */
			m->needed[word] |= fresh;
	}
}

/* Shrinks m->shrunk, which flips, to a minimal change set, feature by feature; those that the known edges need
 * are not tried. */
static symcf_status shrink(ensemble_map *m, symcf_control *control)
{
	bool flips;
	uint64_t *set = m->shrunk, *trial = m->trial;
	BY_WIDTH(find_needed, m->width, m, set);
	for (uint32_t a = 0; a < m->n_active; a++) {
		if (!has(set, a) || has(m->needed, a))
			continue;
		copy(m, trial, set);
		drop(trial, a);
		TRY(symcf_tick(control, (uint32_t)(m->edges.n_sets & 0xFFFFF)));
		TRY(ask(m, trial, control, &flips, trial));
		if (flips) {
			copy(m, set, trial);
			BY_WIDTH(find_needed, m->width, m, set);
		}
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the search --------------- */

/* The last member of a that is not in b; UINT32_MAX: there is none. */
static inline uint32_t last_outside(const uint64_t *a, const uint64_t *b, uint32_t width)
{
	for (uint32_t i = width; i-- > 0;)
		if (a[i] & ~b[i])
			return i * 64 + 63 - (uint32_t)__builtin_clzll(a[i] & ~b[i]);
	return UINT32_MAX;
}

/* The largest set around what is in that leaves out what is out and contains no known change set. Features come in one
 * by one, so a change set can only be completed by the last of its features that is not in: it is looked at once. */
static inline symcf_status grow_seed(uint32_t width, ensemble_map *m)
{
	const ensemble_family *changes = &m->levels[m->depth].changes; /* others meet what is out */
	const uint64_t *in = in_at(m, m->depth), *out = out_at(m, m->depth);
	uint64_t *seed = m->seed;
	if (!symcf_grow(&m->next, &m->cap_next, changes->n_sets, sizeof *m->next))
		return symcf_no_memory();
	memset(m->first, 0xFF, m->n_active * sizeof *m->first);
	for (uint64_t i = 0; i < changes->n_sets; i++) {
		const uint32_t last = last_outside(changes->words + i * width, in, width);
		m->next[i] = m->first[last];
		m->first[last] = i;
	}
	copy(m, seed, in);
	for (uint32_t a = 0; a < m->n_active; a++) {
		if (has(seed, a) || has(out, a))
			continue;
		put(seed, a);
		for (uint64_t i = m->first[a]; i != UINT64_MAX; i = m->next[i])
			if (within(changes->words + i * width, seed, width)) {
				drop(seed, a);
				break;
			}
	}
	return SYMCF_OK;
}

/* Asks about a seed, and gains an edge or a change set. */
static symcf_status learn(ensemble_map *m, symcf_control *control)
{
	bool flips;
	TRY(BY_WIDTH(grow_seed, m->width, m));
	TRY(ask(m, m->seed, control, &flips, m->shrunk));
	if (flips) {
		TRY(shrink(m, control));
		return symcf_ensemble_map_add(m, m->shrunk);
	}
	for (uint32_t a = 0; a < m->n_active; a++)
		if (has(m->seed, a))
			drop(m->seed, a);
		else
			put(m->seed, a);
	return add_edge(m, m->seed);
}

/* Moves a set of a family to place `to`, which is not behind it. */
static inline void move(ensemble_family *f, uint64_t to, uint64_t from, uint32_t width)
{
	for (uint32_t w = 0; w < width; w++)
		f->words[to * width + w] = f->words[from * width + w];
}

/* Takes out what known change sets with one other feature that is not in leave no choice about, and drops those that
 * meet what is out from the list of the level. ensures: false if one of them is in. */
static inline bool use_changes(uint32_t width, ensemble_family *f, const uint64_t *in,
                               uint64_t *out, bool *changed)
{
	uint64_t kept = 0;
	bool possible = true;
	for (uint64_t i = 0; i < f->n_sets; i++) {
		const uint64_t *set = f->words + i * width;
		uint32_t one = 0;
		if (meet(set, out, width))
			continue;
		const uint32_t left = possible ? outside(set, in, width, &one) : 2;
		possible = possible && left;
		if (left == 1) {
			put(out, one);
			*changed = true;
		} else {
			move(f, kept++, i, width);
		}
	}
	f->n_sets = kept;
	return possible;
}

/* The same for edges, which take the last feature that is not out in. ensures: false if all features of one are out;
 * otherwise *fewest is the place of the one with the fewest choices, or UINT64_MAX. */
static inline bool use_edges(uint32_t width, ensemble_family *f, uint64_t *in, const uint64_t *out,
                             bool *changed, uint64_t *fewest)
{
	uint64_t kept = 0;
	uint32_t choices = UINT32_MAX;
	bool possible = true;
	*fewest = UINT64_MAX;
	for (uint64_t i = 0; i < f->n_sets; i++) {
		const uint64_t *set = f->words + i * width;
		uint32_t one = 0;
		if (meet(set, in, width))
			continue;
		const uint32_t left = possible ? outside(set, out, width, &one) : 2;
		possible = possible && left;
		if (left == 1) {
			put(in, one);
			*changed = true;
			continue;
		}
		if (left < choices) {
			choices = left;
			*fewest = kept;
		}
		move(f, kept++, i, width);
	}
	f->n_sets = kept;
	return possible;
}

/* Draws conclusions at the top level. ensures: false if nothing is left to find there; otherwise m->edge is the
 * edge with the fewest choices that is not met, if *open. */
static inline bool conclude(uint32_t width, ensemble_map *m, bool *open)
{
	ensemble_level *l = &m->levels[m->depth];
	uint64_t *in = in_at(m, m->depth), *out = out_at(m, m->depth);
	uint64_t fewest = UINT64_MAX;
	bool changed = true;
	while (changed) {
		changed = false;
		if (!use_changes(width, &l->changes, in, out, &changed) ||
		    !use_edges(width, &l->edges, in, out, &changed, &fewest))
			return false;
	}
	*open = fewest != UINT64_MAX;
	if (*open)
		copy(m, m->edge, l->edges.words + fewest * width);
	return true;
}

/* Appends the sets that do not meet `taken`. */
static inline symcf_status keep_others(uint32_t width, const ensemble_family *from,
                                       const uint64_t *taken, ensemble_family *to)
{
	if (!symcf_grow(&to->words, &to->capacity, from->n_sets * width, sizeof *to->words))
		return symcf_no_memory();
	to->n_sets = 0;
	for (uint64_t i = 0; i < from->n_sets; i++) {
		const uint64_t *set = from->words + i * width;
		for (uint32_t w = 0; w < width; w++)
			to->words[to->n_sets * width + w] = set[w];
		to->n_sets += !meet(set, taken, width);
	}
	return SYMCF_OK;
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
	TRY(BY_WIDTH(keep_others, m->width, &l->edges, in, &next->edges));
	TRY(BY_WIDTH(keep_others, m->width, &l->changes, out, &next->changes));
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
	TRY(BY_WIDTH(keep_others, m->width, &m->edges, in_at(m, 0), &l->edges));
	TRY(BY_WIDTH(keep_others, m->width, &m->changes, out_at(m, 0), &l->changes));
	m->under_way = true;
	return SYMCF_OK;
}

/* What it takes at least to meet m->edge. */
static int64_t least_cost(const ensemble_map *m)
{
	const uint64_t *out = out_at(m, m->depth);
	int64_t least = INT64_MAX;
	for (uint32_t i = 0; i < m->width; i++)
		for (uint64_t left = m->edge[i] & ~out[i]; left; left &= left - 1) {
			const int64_t cost = m->cost ? m->cost[i * 64 + (uint32_t)__builtin_ctzll(left)] : 1;
			least = cost < least ? cost : least;
		}
	return least;
}

/* Does what is in, with what m->edge needs if it is open, go beyond the limits? */
static bool is_beyond(ensemble_map *m, int64_t limit, uint32_t most, bool open)
{
	const uint64_t *in = in_at(m, m->depth);
	const int64_t cost = symcf_ensemble_map_cost(m, in) + (open ? least_cost(m) : 0);
	const bool costly = cost > limit;
	if (costly)
		m->next_limit = cost < m->next_limit ? cost : m->next_limit;
	if (costly || size_of(m, in) + open > most)
		m->cut = true;
	return costly || size_of(m, in) + open > most;
}

symcf_status symcf_ensemble_map_run(ensemble_map *m, int64_t limit, uint32_t most,
                                    symcf_control *control)
{
	if (!m->under_way || limit != m->limit || most != m->most)
		TRY(begin(m));
	m->limit = limit;
	m->most = most;
	for (;;) {
		bool open;
		TRY(symcf_tick(control, 50 + (uint32_t)(m->levels[m->depth].edges.n_sets & 0xFFFFF) +
		                            (uint32_t)(m->levels[m->depth].changes.n_sets & 0xFFFFF)));
		if (!BY_WIDTH(conclude, m->width, m, &open) || is_beyond(m, limit, most, open)) {
			if (!retreat(m))
				break;
			continue;
		}
		if (!open) {
			TRY(learn(m, control));
			continue;
		}
		uint32_t one = 0;
		outside(m->edge, out_at(m, m->depth), m->width, &one);
		TRY(branch(m, one));
	}
	m->under_way = false;
	return SYMCF_OK;
}

/* --------------------------------------------------------------- the reasons ----------------- */

/* The member of a set that the fewest edges have, as counted in `often`; n_active for the empty set. */
static uint32_t rarest(const ensemble_map *m, const uint64_t *set, const uint64_t *often)
{
	uint32_t found = m->n_active;
	for (uint32_t i = 0; i < m->width; i++)
		for (uint64_t left = set[i]; left; left &= left - 1) {
			const uint32_t a = i * 64 + (uint32_t)__builtin_ctzll(left);
			found = found == m->n_active || often[a] < often[found] ? a : found;
		}
	return found;
}

/* An edge within another is in the list of one of that one's members: the shorter these lists are, the better. */
symcf_status symcf_ensemble_map_list_edges(ensemble_map *m, symcf_control *control)
{
	const uint64_t n_edges = m->edges.n_sets;
	uint64_t *often = symcf_allocate_zeroed((uint64_t)m->n_active + 1, sizeof *often);
	if (!often)
		return symcf_no_memory();
	symcf_status status =
		symcf_grow(&m->next, &m->cap_next, n_edges, sizeof *m->next) ? SYMCF_OK : symcf_no_memory();
	memset(m->first, 0xFF, ((uint64_t)m->n_active + 1) * sizeof *m->first);
	for (uint64_t i = 0; i < n_edges && !status; i++) {
		for (uint32_t a = 0; a < m->n_active; a++)
			often[a] += has(m->edges.words + i * m->width, a);
		status = symcf_tick(control, m->n_active);
	}
	for (uint64_t i = 0; i < n_edges && !status; i++) {
		const uint32_t a = rarest(m, m->edges.words + i * m->width, often);
		m->next[i] = m->first[a];
		m->first[a] = i;
		status = symcf_tick(control, m->n_active);
	}
	symcf_free(often);
	return status;
}

/* Has the list an edge within edge i, other than that one and later ones that are equal? */
static bool has_smaller(const ensemble_map *m, uint64_t i, uint32_t list)
{
	const uint64_t *edge = m->edges.words + i * m->width;
	for (uint64_t o = m->first[list]; o != UINT64_MAX; o = m->next[o]) {
		const uint64_t *other = m->edges.words + o * m->width;
		if (o != i && within(other, edge, m->width) && (o < i || !within(edge, other, m->width)))
			return true;
	}
	return false;
}

bool symcf_ensemble_map_is_minimal(const ensemble_map *m, uint64_t i)
{
	bool minimal = !has_smaller(m, i, m->n_active);
	for (uint32_t a = 0; a < m->n_active && minimal; a++)
		if (has(m->edges.words + i * m->width, a))
			minimal = !has_smaller(m, i, a);
	return minimal;
}
