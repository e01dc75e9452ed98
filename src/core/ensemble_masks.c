/* ensemble_masks.c: the box oracle for many free features, with leaves as bits.
 *
 * The search is that of ensemble_box.c. What differs is how a box is kept: the leaves of a tree that
 * meet it are bits, sorted by falling value, so that the best one is the first bit. Which bits a range
 * of a feature leaves is looked up: a tree has few cuts on a feature, and only the number of them up to
 * the ends of the range matters. (Bits for leaves: Lucchese et al. (2015), QuickScorer.) */
#include "ensemble.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "try.h"

#define NOWHERE UINT32_MAX

/* A tree that tests a feature: its masks begin at `table`, each as wide as the tree: for each rank those
 * that end beyond it, for each rank those that begin up to it, and for each special code. */
typedef struct ensemble_use {
	uint32_t tree;
	uint32_t n_ranks;
	uint64_t table;
} ensemble_use;

/* The leaves of a tree that are still to be tried: children first .. end - 1, the last one first. */
typedef struct ensemble_masks_frame {
	uint64_t first, end;
	bool struck; /* were leaves struck that meet the box? */
} ensemble_masks_frame;

typedef struct ensemble_child {
	int64_t bound;
	uint32_t bit;
} ensemble_child;

/* Bytes that the table `together` may take, and the trees that are tried before one is chosen. */
#define MOST_TOGETHER (UINT64_C(1) << 28)
enum { CANDIDATES = 6 };

/* --------------------------------------------------------------------- tables ---------------- */

static uint32_t words_of(const ensemble_masks *m, uint32_t tree)
{
	return m->word[tree + 1] - m->word[tree];
}

static void lay_out(arena *a, ensemble_masks *m)
{
	const ensemble_scene *s = m->s;
	m->word = arena_take(a, (uint64_t)s->n_trees + 1, sizeof *m->word);
	m->plain = arena_take(a, s->n_trees, sizeof *m->plain);
	m->use_start = arena_take(a, (uint64_t)m->n_active + 1, sizeof *m->use_start);
	m->rank_start = arena_take(a, (uint64_t)m->n_active + 1, sizeof *m->rank_start);
	m->slot = arena_take(a, s->e->n, sizeof *m->slot);
	m->witness = arena_take(a, m->n_active, sizeof *m->witness);
	m->most = arena_take(a, m->width, sizeof *m->most);
	m->least = arena_take(a, m->width, sizeof *m->least);
	m->now = arena_take(a, s->n_trees, sizeof *m->now);
	m->open = arena_take(a, s->n_trees, sizeof *m->open);
	m->leaf = arena_take(a, (uint64_t)m->n_words * 64, sizeof *m->leaf);
	m->value = arena_take(a, (uint64_t)m->n_words * 64 * m->width, sizeof *m->value);
	m->every = arena_take(a, m->n_words, sizeof *m->every);
	m->scratch = arena_take(a, m->n_words, sizeof *m->scratch);
	m->own = arena_take(a, (uint64_t)m->n_words * m->n_active, sizeof *m->own);
}

/* The sum of a leaf's columns orders them: with one column it is the column, and where a tree moves
 * columns together any of them. */
static int64_t weight_of(const ensemble_masks *m, uint64_t leaf)
{
	int64_t total = 0;
	for (uint32_t c = 0; c < m->width; c++)
		total += m->s->value[leaf * m->s->n_columns + m->column + c] / (int64_t)m->width;
	return total;
}

typedef struct weighed {
	int64_t weight;
	uint64_t leaf;
} weighed;

static int by_weight(const void *a, const void *b)
{
	const weighed *p = a, *q = b;
	if (p->weight != q->weight)
		return p->weight > q->weight ? -1 : 1;
	return p->leaf < q->leaf ? -1 : p->leaf > q->leaf;
}

static void set_plain(ensemble_masks *m, uint32_t tree, uint64_t count)
{
	const int64_t *value = m->value + (uint64_t)m->word[tree] * 64 * m->width;
	m->plain[tree] = 1;
	for (uint64_t i = m->width; i < count * m->width; i++)
		if (value[i] > value[i - m->width])
			m->plain[tree] = 0;
}

static symcf_status sort_leaves(ensemble_masks *m)
{
	const ensemble_scene *s = m->s;
	weighed *sorted = symcf_allocate(s->n_leaves, sizeof *sorted);
	if (!sorted)
		return SYMCF_NO_MEMORY;
	for (uint32_t t = 0; t < s->n_trees; t++) {
		const uint64_t first = s->start[t], count = s->start[t + 1] - first;
		for (uint64_t i = 0; i < count; i++)
			sorted[i] = (weighed){weight_of(m, first + i), first + i};
		qsort(sorted, count, sizeof *sorted, by_weight);
		const uint64_t bit = (uint64_t)m->word[t] * 64;
		for (uint64_t i = 0; i < count; i++) {
			m->leaf[bit + i] = sorted[i].leaf;
			memcpy(m->value + (bit + i) * m->width,
			       s->value + sorted[i].leaf * s->n_columns + m->column,
			       m->width * sizeof *m->value);
			m->every[(bit + i) / 64] |= UINT64_C(1) << i % 64;
		}
		set_plain(m, t, count);
	}
	symcf_free(sorted);
	return SYMCF_OK;
}

static const ensemble_condition *condition_on(const ensemble_masks *m, uint64_t leaf, uint32_t j)
{
	const ensemble_leaf *l = &m->s->leaves[leaf];
	for (uint32_t i = 0; i < l->n_conditions; i++)
		if (m->s->conditions[l->first + i].feature == j)
			return &m->s->conditions[l->first + i];
	return NULL;
}

/* The cuts of a tree on a feature: the ends of its leaves' ranges, marked by place. */
static uint32_t mark_cuts(const ensemble_masks *m, uint32_t tree, uint32_t j, uint8_t *cut)
{
	uint32_t conditions = 0;
	for (uint64_t l = m->s->start[tree]; l < m->s->start[tree + 1]; l++) {
		const ensemble_condition *c = condition_on(m, l, j);
		if (!c)
			continue;
		conditions++;
		if (c->range.low < c->range.high) {
			cut[c->range.low] = 1;
			cut[c->range.high] = 1;
		}
	}
	return conditions;
}

/* The masks of a use; ranks count the cuts from place 1 on. rank: at the first place, `stride` apart. */
static void fill_use(ensemble_masks *m, ensemble_use *use, uint32_t j, const uint16_t *rank,
                     uint32_t stride)
{
	const uint32_t tree = use->tree, w = words_of(m, tree), n_special = m->s->e->n_special[j];
	uint64_t *from = m->table + use->table, *to = from + (uint64_t)use->n_ranks * w;
	uint64_t *special = to + (uint64_t)use->n_ranks * w;
	const uint64_t bit = (uint64_t)m->word[tree] * 64;
	for (uint64_t i = 0; i < m->s->start[tree + 1] - m->s->start[tree]; i++) {
		const ensemble_condition *c = condition_on(m, m->leaf[bit + i], j);
		const ensemble_range r = c ? c->range : m->s->may[j];
		const uint64_t mask = UINT64_C(1) << i % 64;
		if (r.low < r.high) {
			const uint32_t first = rank[(uint64_t)r.low * stride];
			const uint32_t last = rank[(uint64_t)(r.high - 1) * stride];
			for (uint32_t k = 0; k <= last; k++)
				from[(uint64_t)k * w + i / 64] |= mask;
			for (uint32_t k = first; k < use->n_ranks; k++)
				to[(uint64_t)k * w + i / 64] |= mask;
		}
		for (uint32_t b = 0; b < n_special; b++)
			if (r.special >> b & 1)
				special[(uint64_t)b * w + i / 64] |= mask;
		if (ensemble_holds(r, m->s->place[j]))
			m->own[(uint64_t)m->slot[j] * m->n_words + m->word[tree] + i / 64] |= mask;
	}
}

/* Two passes over features and trees: the first counts uses, ranks and masks. `cut`: scratch, one more
 * than the most places. */
static symcf_status pass(ensemble_masks *m, bool fills, uint8_t *cut, symcf_control *control,
                         uint64_t *n_uses, uint64_t *n_ranks, uint64_t *n_table)
{
	*n_uses = *n_ranks = *n_table = 0;
	for (uint32_t a = 0; a < m->n_active; a++) {
		const uint32_t j = m->active[a], line = m->s->e->n_line[j];
		const uint32_t stride = fills ? m->use_start[a + 1] - m->use_start[a] : 0;
		const uint64_t first = *n_uses;
		if (!fills)
			m->use_start[a] = (uint32_t)first;
		for (uint32_t t = 0; t < m->s->n_trees; t++) {
			memset(cut, 0, (uint64_t)line + 1);
			TRY(symcf_tick(control, 50 + line / 16));
			if (!mark_cuts(m, t, j, cut)) {
				for (uint32_t i = m->word[t]; fills && i < m->word[t + 1]; i++)
					m->own[(uint64_t)a * m->n_words + i] = m->every[i];
				continue;
			}
			uint32_t ranks = 1;
			for (uint32_t p = 1; p < line; p++)
				ranks += cut[p];
			if (ranks > UINT16_MAX)
				return SYMCF_UNSUPPORTED;
			if (fills) {
				uint16_t *rank = m->rank + m->rank_start[a] + (*n_uses - first);
				for (uint32_t p = 0, k = 0; p < line; p++)
					rank[(uint64_t)p * stride] = (uint16_t)(k += p && cut[p]);
				m->uses[*n_uses] = (ensemble_use){t, ranks, *n_table};
				fill_use(m, &m->uses[*n_uses], j, rank, stride);
			}
			++*n_uses;
			*n_table += (2 * (uint64_t)ranks + m->s->e->n_special[j]) * words_of(m, t);
		}
		if (!fills)
			m->rank_start[a] = *n_ranks;
		*n_ranks += (*n_uses - first) * line;
	}
	if (!fills) {
		m->use_start[m->n_active] = (uint32_t)*n_uses;
		m->rank_start[m->n_active] = *n_ranks;
	}
	return SYMCF_OK;
}

static void lay_out_tables(arena *a, ensemble_masks *m, uint64_t n_uses, uint64_t n_ranks,
                           uint64_t n_table)
{
	m->uses = arena_take(a, n_uses, sizeof *m->uses);
	m->rank = arena_take(a, n_ranks, sizeof *m->rank);
	m->table = arena_take(a, n_table, sizeof *m->table);
	m->together = NULL;
	if ((uint64_t)m->n_words * 64 * m->n_words * sizeof *m->together <= MOST_TOGETHER)
		m->together = arena_take(a, (uint64_t)m->n_words * 64 * m->n_words, sizeof *m->together);
}

/* Strikes the leaves that do not meet the feature's range. */
static void restrict_to(const ensemble_masks *m, uint32_t a, ensemble_range r, uint64_t *alive)
{
	const uint32_t first = m->use_start[a], count = m->use_start[a + 1] - first;
	const bool line = r.low < r.high;
	const uint16_t *low = m->rank + m->rank_start[a] + (uint64_t)r.low * count;
	const uint16_t *high = m->rank + m->rank_start[a] + (uint64_t)(line ? r.high - 1 : 0) * count;
	for (uint32_t u = 0; u < count; u++) {
		const ensemble_use *use = &m->uses[first + u];
		const uint32_t w = words_of(m, use->tree), n_ranks = use->n_ranks;
		uint64_t *own = alive + m->word[use->tree];
		const uint64_t *from = m->table + use->table;
		const uint64_t *to = from + (uint64_t)n_ranks * w, *special = to + (uint64_t)n_ranks * w;
		for (uint32_t i = 0; i < w; i++) {
			uint64_t mask = 0;
			if (line)
				mask = from[(uint64_t)low[u] * w + i] & to[(uint64_t)high[u] * w + i];
			for (uint64_t left = r.special; left; left &= left - 1)
				mask |= special[(uint64_t)__builtin_ctzll(left) * w + i];
			own[i] &= mask;
		}
	}
}

/* Which leaves share a point with each leaf. Where ranges have no special codes, boxes that share points
 * in pairs share one altogether (Helly), so that this is all there is to know; otherwise it bounds. */
static symcf_status fill_together(ensemble_masks *m, symcf_control *control)
{
	const ensemble_scene *s = m->s;
	for (uint32_t t = 0; t < m->n_trees; t++)
		for (uint64_t i = 0; i < s->start[t + 1] - s->start[t]; i++) {
			const uint64_t bit = (uint64_t)m->word[t] * 64 + i;
			const ensemble_leaf *l = &s->leaves[m->leaf[bit]];
			uint64_t *row = m->together + bit * m->n_words;
			memcpy(row, m->every, m->n_words * sizeof *row);
			for (uint64_t c = l->first; c < l->first + l->n_conditions; c++) {
				const uint32_t a = m->slot[s->conditions[c].feature];
				if (a != NOWHERE)
					restrict_to(m, a, s->conditions[c].range, row);
			}
			TRY(symcf_tick(control, 50 + m->n_words + 100 * l->n_conditions));
		}
	return SYMCF_OK;
}

static symcf_status fill_tables(ensemble_masks *m, uint8_t *cut, symcf_control *control)
{
	uint64_t n_uses, n_ranks, n_table;
	TRY(pass(m, false, cut, control, &n_uses, &n_ranks, &n_table));
	if (n_uses > UINT32_MAX)
		return SYMCF_OVERFLOW;
	lay_out_tables(&m->tables, m, n_uses, n_ranks, n_table);
	if (control && control->max_memory && m->tables.used > control->max_memory) {
		m->tables = (arena){0};
		return SYMCF_LIMIT_MEMORY;
	}
	TRY(arena_open(&m->tables));
	lay_out_tables(&m->tables, m, n_uses, n_ranks, n_table);
	memset(m->table, 0, n_table * sizeof *m->table);
	TRY(pass(m, true, cut, control, &n_uses, &n_ranks, &n_table));
	return m->together ? fill_together(m, control) : SYMCF_OK;
}

static symcf_status set_out(ensemble_masks *m, symcf_control *control)
{
	const ensemble_scene *s = m->s;
	uint32_t longest = 0;
	m->word[0] = 0;
	for (uint32_t t = 0; t < s->n_trees; t++)
		m->word[t + 1] = m->word[t] + (uint32_t)((s->start[t + 1] - s->start[t] + 63) / 64);
	memset(m->every, 0, m->n_words * sizeof *m->every);
	memset(m->own, 0, (uint64_t)m->n_words * m->n_active * sizeof *m->own);
	memset(m->slot, 0xFF, s->e->n * sizeof *m->slot);
	for (uint32_t a = 0; a < m->n_active; a++) {
		m->slot[m->active[a]] = a;
		longest = s->e->n_line[m->active[a]] > longest ? s->e->n_line[m->active[a]] : longest;
	}
	TRY(sort_leaves(m));
	uint8_t *cut = symcf_allocate((uint64_t)longest + 1, sizeof *cut);
	const symcf_status status = cut ? fill_tables(m, cut, control) : SYMCF_NO_MEMORY;
	symcf_free(cut);
	return status;
}

symcf_status ensemble_masks_open(const ensemble_scene *s, uint32_t column, const uint32_t *active,
                                 uint32_t n_active, symcf_control *control, ensemble_masks *m)
{
	const bool all = column == ENSEMBLE_ALL;
	uint64_t words = 0;
	*m = (ensemble_masks){.s = s, .column = all ? 0 : column, .width = all ? s->n_columns : 1};
	m->active = active;
	m->n_active = n_active;
	for (uint32_t t = 0; t < s->n_trees; t++)
		words += (s->start[t + 1] - s->start[t] + 63) / 64;
	if (words > UINT32_MAX / 64)
		return SYMCF_OVERFLOW;
	m->n_words = (uint32_t)words;
	m->n_trees = s->n_trees;
	m->simple = m->width == 1 && m->n_words == m->n_trees;
	lay_out(&m->arena, m);
	symcf_status status = arena_open(&m->arena);
	if (!status) {
		lay_out(&m->arena, m);
		status = set_out(m, control);
	}
	if (status)
		ensemble_masks_close(m);
	return status;
}

void ensemble_masks_close(ensemble_masks *m)
{
	arena_close(&m->arena);
	arena_close(&m->tables);
	symcf_free(m->frames);
	symcf_free(m->alive);
	symcf_free(m->boxes);
	symcf_free(m->children);
	*m = (ensemble_masks){0};
}

/* ------------------------------------------------------------------ the search --------------- */

typedef struct search {
	ensemble_masks *m;
	symcf_control *control;
	uint64_t depth;
} search;

static uint64_t *alive_at(const search *q)
{
	return q->m->alive + q->depth * q->m->n_words;
}

static ensemble_range *box_at(const search *q)
{
	return q->m->boxes + q->depth * q->m->n_active;
}

static symcf_status make_room(search *q)
{
	ensemble_masks *m = q->m;
	const uint64_t d = q->depth + 1;
	if (!symcf_grow(&m->frames, &m->cap_frames, d, sizeof *m->frames) ||
	    !symcf_grow(&m->alive, &m->cap_alive, d * m->n_words, sizeof *m->alive) ||
	    !symcf_grow(&m->boxes, &m->cap_boxes, d * m->n_active, sizeof *m->boxes))
		return SYMCF_NO_MEMORY;
	return SYMCF_OK;
}

/* Narrows the box to a leaf. ensures: false if nothing is left. */
static bool narrow(const search *q, uint32_t bit)
{
	const ensemble_masks *m = q->m;
	const ensemble_leaf *l = &m->s->leaves[m->leaf[bit]];
	ensemble_range *box = box_at(q);
	uint64_t *alive = alive_at(q);
	for (uint32_t i = 0; i < l->n_conditions; i++) {
		const ensemble_condition *c = &m->s->conditions[l->first + i];
		const uint32_t a = m->slot[c->feature];
		if (a == NOWHERE) /* it never changes, and no leaf is away in it */
			continue;
		const ensemble_range less =
			ensemble_trim(m->s, c->feature, ensemble_meet(box[a], c->range));
		if (ensemble_same(less, box[a]))
			continue;
		if (ensemble_is_empty(less))
			return false;
		box[a] = less;
		if (!m->together || less.special)
			restrict_to(m, a, less, alive);
	}
	for (uint32_t i = 0; m->together && i < m->n_words; i++)
		alive[i] &= m->together[(uint64_t)bit * m->n_words + i];
	for (uint32_t i = m->word[l->tree]; i < m->word[l->tree + 1]; i++)
		alive[i] &= i == bit / 64 ? UINT64_C(1) << bit % 64 : 0;
	return true;
}

/* What a tree looks like in a box. */
typedef struct view {
	uint32_t first, second, last; /* bits that are alive; second is NOWHERE if there is one */
} view;

static bool look(const ensemble_masks *m, const uint64_t *alive, uint32_t tree, view *v)
{
	uint32_t i = m->word[tree], end = m->word[tree + 1];
	while (i < end && !alive[i])
		i++;
	if (i == end)
		return false;
	v->first = i * 64 + (uint32_t)__builtin_ctzll(alive[i]);
	uint64_t rest = alive[i] & (alive[i] - 1);
	while (!rest && ++i < end)
		rest = alive[i];
	v->second = rest ? i * 64 + (uint32_t)__builtin_ctzll(rest) : NOWHERE;
	while (!alive[--end])
		;
	v->last = end * 64 + 63 - (uint32_t)__builtin_clzll(alive[end]);
	return true;
}

/* The most and the least of a column among the leaves of a tree whose bits are in no order of it. */
static void scan(const ensemble_masks *m, const uint64_t *alive, uint32_t tree, uint32_t c,
                 int64_t *most, int64_t *least)
{
	*most = INT64_MIN;
	*least = INT64_MAX;
	for (uint32_t i = m->word[tree]; i < m->word[tree + 1]; i++)
		for (uint64_t left = alive[i]; left; left &= left - 1) {
			const uint64_t bit = (uint64_t)i * 64 + (uint64_t)__builtin_ctzll(left);
			const int64_t value = m->value[bit * m->width + c];
			*most = value > *most ? value : *most;
			*least = value < *least ? value : *least;
		}
}

/* The same as take_bounds where it is simple; remembers what each tree gives, and which have a choice. */
static bool take_simple_bounds(ensemble_masks *m, const uint64_t *alive)
{
	int64_t most = m->s->base[m->column], least = most;
	m->n_open = 0;
	for (uint32_t t = 0; t < m->n_trees; t++) {
		const int64_t *value = m->value + (uint64_t)t * 64;
		if (!alive[t])
			return false;
		m->now[t] = value[__builtin_ctzll(alive[t])];
		most += m->now[t];
		least += value[63 - __builtin_clzll(alive[t])];
		m->open[m->n_open] = t;
		m->n_open += (alive[t] & (alive[t] - 1)) != 0;
	}
	m->most[0] = most;
	m->least[0] = least;
	return most >= 0;
}

/* Bounds for every column. ensures: false if a tree has no leaf left, or a column cannot reach 0. */
static bool take_bounds(ensemble_masks *m, const uint64_t *alive)
{
	const uint32_t width = m->width;
	if (m->simple)
		return take_simple_bounds(m, alive);
	for (uint32_t c = 0; c < width; c++)
		m->most[c] = m->least[c] = m->s->base[m->column + c];
	for (uint32_t t = 0; t < m->n_trees; t++) {
		view v;
		if (!look(m, alive, t, &v))
			return false;
		for (uint32_t c = 0; c < width; c++) {
			int64_t most = m->value[(uint64_t)v.first * width + c];
			int64_t least = m->value[(uint64_t)v.last * width + c];
			if (!m->plain[t])
				scan(m, alive, t, c, &most, &least);
			m->most[c] += most;
			m->least[c] += least;
		}
	}
	for (uint32_t c = 0; c < width; c++)
		if (m->most[c] < 0)
			return false;
	return true;
}

static bool is_sure(const ensemble_masks *m)
{
	for (uint32_t c = 0; c < m->width; c++)
		if (m->least[c] < 0)
			return false;
	return true;
}

/* The column that has the least to spare. */
static uint32_t tight_column(const ensemble_masks *m)
{
	uint32_t tight = 0;
	for (uint32_t c = 1; c < m->width; c++)
		tight = m->most[c] < m->most[tight] ? c : tight;
	return tight;
}

/* Trees with the widest spans, the widest first. */
typedef struct candidates {
	uint32_t count;
	uint32_t tree[CANDIDATES];
	int64_t span[CANDIDATES];
} candidates;

static void propose(candidates *p, uint32_t tree, int64_t span)
{
	uint32_t at = p->count;
	if (at == CANDIDATES && span <= p->span[--at])
		return;
	p->count += p->count < CANDIDATES;
	for (; at > 0 && p->span[at - 1] < span; at--) {
		p->span[at] = p->span[at - 1];
		p->tree[at] = p->tree[at - 1];
	}
	p->span[at] = span;
	p->tree[at] = tree;
}

/* Narrows the box to the best leaf of each tree whose second best would lose more than there is to
 * spare, and collects trees to branch on. ensures: false if nothing is left. */
static bool force(const search *q, candidates *p, bool *changed)
{
	const ensemble_masks *m = q->m;
	const uint64_t *alive = alive_at(q);
	const uint32_t width = m->width, tight = tight_column(m);
	const uint32_t count = m->simple ? m->n_open : m->n_trees;
	p->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t t = m->simple ? m->open[i] : i;
		view v;
		if (!look(m, alive, t, &v))
			return false;
		if (v.second == NOWHERE)
			continue;
		int64_t best = m->value[(uint64_t)v.first * width + tight];
		int64_t worst = m->value[(uint64_t)v.last * width + tight];
		if (m->plain[t]) {
			if (best - m->value[(uint64_t)v.second * width + tight] > m->most[tight]) {
				if (!narrow(q, v.first))
					return false;
				*changed = true;
				continue;
			}
		} else {
			scan(m, alive, t, tight, &best, &worst);
		}
		propose(p, t, best - worst);
	}
	return true;
}

/* ----------------------------------------------------------------- children ------------------ */

/* The most that the tight column can be in what the box shares with a leaf; negative: nothing is there.
 * requires: `together`, and where it is simple the bounds of the box, of which `spare` is one. */
static int64_t bound_within(const search *q, uint32_t bit, uint32_t tight, int64_t spare)
{
	ensemble_masks *m = q->m;
	const uint64_t *alive = alive_at(q), *row = m->together + (uint64_t)bit * m->n_words;
	if (!m->simple) {
		for (uint32_t i = 0; i < m->n_words; i++)
			m->scratch[i] = alive[i] & row[i];
		return take_bounds(m, m->scratch) ? m->most[tight] : -1;
	}
	for (uint32_t i = 0; i < m->n_open && spare >= 0; i++) {
		const uint32_t t = m->open[i];
		const uint64_t left = alive[t] & row[t];
		if (!left)
			return -1;
		spare -= m->now[t] - m->value[(uint64_t)t * 64 + (uint64_t)__builtin_ctzll(left)];
	}
	return spare;
}

/* Appends the leaves of a tree that may lead to something, by rising bound, and strikes the others. */
static symcf_status list_children(const search *q, uint32_t tree, uint64_t first, uint32_t tight,
                                  int64_t spare, uint64_t fewest, uint64_t *count)
{
	ensemble_masks *m = q->m;
	uint64_t *alive = alive_at(q);
	int64_t best = INT64_MIN, worst;
	scan(m, alive, tree, tight, &best, &worst);
	*count = 0;
	for (uint32_t i = m->word[tree]; i < m->word[tree + 1]; i++)
		for (uint64_t left = alive[i]; left; left &= left - 1) {
			const uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(left);
			int64_t bound = spare + (m->value[(uint64_t)bit * m->width + tight] - best);
			if (bound >= 0 && m->together)
				bound = bound_within(q, bit, tight, spare);
			if (bound < 0) {
				alive[i] &= ~(UINT64_C(1) << bit % 64);
				m->frames[q->depth].struck = true;
				continue;
			}
			if (!symcf_grow(&m->children, &m->cap_children, first + *count + 1,
			                sizeof *m->children))
				return SYMCF_NO_MEMORY;
			uint64_t at = first + *count;
			for (; at > first && m->children[at - 1].bound > bound; at--)
				m->children[at] = m->children[at - 1];
			m->children[at] = (ensemble_child){bound, bit};
			if (++*count >= fewest)
				return SYMCF_OK;
		}
	return SYMCF_OK;
}

/* Of the candidates, the tree with the fewest leaves that may lead to something: they are the children
 * of the top frame, which begin at its `first`. A tree with one such leaf narrows the box instead, and
 * *changed is set. ensures: *dead if nothing is left. */
static symcf_status choose(const search *q, const candidates *p, bool *changed, bool *dead)
{
	ensemble_masks *m = q->m;
	ensemble_masks_frame *f = &m->frames[q->depth];
	const uint32_t tight = tight_column(m), tries = m->together ? p->count : 1;
	const int64_t spare = m->most[tight];
	uint64_t least = UINT64_MAX;
	f->end = f->first;
	for (uint32_t i = 0; i < tries && !*dead && !*changed; i++) {
		const uint64_t at = f->end;
		uint64_t count;
		TRY(list_children(q, p->tree[i], at, tight, spare, least, &count));
		TRY(symcf_tick(q->control, 100 + (uint32_t)(count < 64 ? count : 64) * m->n_words));
		*dead = !count || (count == 1 && !narrow(q, m->children[at].bit));
		*changed = count == 1;
		if (count && count < least) {
			memmove(m->children + f->first, m->children + at, count * sizeof *m->children);
			least = count;
			f->end = f->first + count;
		}
	}
	return SYMCF_OK;
}

static void keep_witness(const search *q)
{
	const ensemble_masks *m = q->m;
	for (uint32_t a = 0; a < m->n_active; a++)
		m->witness[a] = ensemble_nearest(m->s, m->active[a], box_at(q)[a]);
}

/* Are the bounds enough to be sure? Struck leaves may meet the box: then only if every tree has one leaf
 * to which the box is narrowed. */
static bool is_found(const search *q, bool *dead)
{
	const ensemble_masks *m = q->m;
	if (!is_sure(m))
		return false;
	if (m->frames[q->depth].struck)
		for (uint32_t t = 0; t < m->n_trees; t++) {
			view v;
			if (!look(m, alive_at(q), t, &v) || v.second != NOWHERE)
				return false;
			if (!narrow(q, v.first)) {
				*dead = true;
				return false;
			}
		}
	return true;
}

/* Works on the top frame. ensures: *found if its box has a point; otherwise *open tells whether leaves
 * are left to try. */
static symcf_status settle(search *q, bool *found, bool *open)
{
	ensemble_masks *m = q->m;
	candidates p;
	bool changed = true, dead = false;
	*open = *found = false;
	while (changed) {
		changed = false;
		m->n_nodes++;
		TRY(symcf_tick(q->control, 20 + 5 * m->n_trees));
		if (!take_bounds(m, alive_at(q)))
			return SYMCF_OK;
		*found = is_found(q, &dead);
		if (*found)
			keep_witness(q);
		if (*found || dead || !force(q, &p, &changed))
			return SYMCF_OK;
		if (!changed && p.count)
			TRY(choose(q, &p, &changed, &dead));
		if (dead)
			return SYMCF_OK;
		if (!p.count && !changed)
			return SYMCF_OK;
	}
	*open = true;
	return SYMCF_OK;
}

static symcf_status descend(search *q, bool *found)
{
	ensemble_masks *m = q->m;
	bool open = false;
	ensemble_masks_frame *f = &m->frames[q->depth];
	const uint32_t bit = m->children[--f->end].bit;
	const uint64_t first = f->end;
	const bool struck = f->struck;
	q->depth++;
	TRY(make_room(q));
	memcpy(alive_at(q), alive_at(q) - m->n_words, m->n_words * sizeof *m->alive);
	memcpy(box_at(q), box_at(q) - m->n_active, m->n_active * sizeof *m->boxes);
	m->frames[q->depth] = (ensemble_masks_frame){first, first, struck};
	if (narrow(q, bit))
		TRY(settle(q, found, &open));
	if (!open)
		q->depth--;
	return SYMCF_OK;
}

static void begin(const search *q, const uint64_t *free_features)
{
	const ensemble_masks *m = q->m;
	uint64_t *alive = alive_at(q);
	for (uint32_t i = 0; i < m->n_words; i++)
		alive[i] = m->every[i];
	for (uint32_t a = 0; a < m->n_active; a++) {
		const uint32_t j = m->active[a], place = m->s->place[j];
		if (free_features[a / 64] >> a % 64 & 1) {
			box_at(q)[a] = m->s->may[j];
			continue;
		}
		box_at(q)[a] = place & ENSEMBLE_SPECIAL
		                   ? (ensemble_range){0, 0, UINT64_C(1) << (place & ~ENSEMBLE_SPECIAL)}
		                   : (ensemble_range){place, place + 1, 0};
		const uint64_t *own = m->own + (uint64_t)a * m->n_words;
		for (uint32_t i = 0; i < m->n_words; i++)
			alive[i] &= own[i];
	}
}

symcf_status ensemble_masks_search(ensemble_masks *m, const uint64_t *free_features,
                                   symcf_control *control, bool *found)
{
	search q = {.m = m, .control = control};
	bool open = false;
	*found = false;
	TRY(make_room(&q));
	m->frames[0] = (ensemble_masks_frame){0};
	begin(&q, free_features);
	TRY(settle(&q, found, &open));
	while (open && !*found) {
		const ensemble_masks_frame *f = &m->frames[q.depth];
		if (f->end > f->first)
			TRY(descend(&q, found));
		else if (q.depth-- == 0)
			break;
	}
	return SYMCF_OK;
}
