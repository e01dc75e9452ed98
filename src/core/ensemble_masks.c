/* ensemble_masks.c: leaves as bits, for the box oracle of ensemble_masks_search.c.
 *
 * The leaves of a tree that meet a box are bits, sorted by falling value, so that the best one is the first
 * bit. Which bits a range of a feature leaves is looked up: a tree has few cuts on a feature, and only the
 * number of them up to the ends of the range matters. (Bits for leaves: Lucchese et al. (2015), QuickScorer.) */
#include "ensemble.h"

#include <string.h>

#include "memory.h"
#include "try.h"

/* A tree that tests a feature: its masks begin at `table`, each as wide as the tree: for each rank those
 * that end beyond it, for each rank those that begin up to it, and for each special code. */
typedef struct ensemble_use {
	uint32_t tree;
	uint32_t n_ranks;
	uint64_t table;
} ensemble_use;

/* Most questions about models of few leaves take no more boxes than this: pairs of trees are looked at after them. */
enum { ALONE = 8 };

/* Bytes that the table `together` may take. */
#define MOST_TOGETHER (UINT64_C(1) << 28)

/* --------------------------------------------------------------------- tables ---------------- */

static uint32_t words_of(const ensemble_masks *m, uint32_t tree)
{
	return m->word[tree + 1] - m->word[tree];
}

static void lay_out(arena *a, ensemble_masks *m)
{
	const ensemble_scene *s = m->s;
	m->word = symcf_arena_take(a, (uint64_t)s->n_trees + 1, sizeof *m->word);
	m->plain = symcf_arena_take(a, s->n_trees, sizeof *m->plain);
	m->use_start = symcf_arena_take(a, (uint64_t)m->n_active + 1, sizeof *m->use_start);
	m->rank_start = symcf_arena_take(a, (uint64_t)m->n_active + 1, sizeof *m->rank_start);
	m->slot = symcf_arena_take(a, s->e->n, sizeof *m->slot);
	m->witness = symcf_arena_take(a, m->n_active, sizeof *m->witness);
	m->most = symcf_arena_take(a, m->width, sizeof *m->most);
	m->least = symcf_arena_take(a, m->width, sizeof *m->least);
	m->now = symcf_arena_take(a, s->n_trees, sizeof *m->now);
	m->open = symcf_arena_take(a, s->n_trees, sizeof *m->open);
	m->pairs = symcf_arena_take(a, s->n_trees, sizeof *m->pairs);
	m->lead = symcf_arena_take(a, s->n_trees, sizeof *m->lead);
	m->mate = symcf_arena_take(a, s->n_trees, sizeof *m->mate);
	m->leaf = symcf_arena_take(a, (uint64_t)m->n_words * 64, sizeof *m->leaf);
	m->value = symcf_arena_take(a, (uint64_t)m->n_words * 64 * m->width, sizeof *m->value);
	m->every = symcf_arena_take(a, m->n_words, sizeof *m->every);
	m->scratch = symcf_arena_take(a, m->n_words, sizeof *m->scratch);
	m->own = symcf_arena_take(a, (uint64_t)m->n_words * m->n_active, sizeof *m->own);
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

static bool is_heavier(const weighed *a, const weighed *b, void *unused)
{
	(void)unused;
	return a->weight != b->weight ? a->weight > b->weight : a->leaf < b->leaf;
}

#define SORT_NAME sort_weighed
#define SORT_TYPE weighed
#define SORT_BEFORE is_heavier
#include "sort.h"

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
	weighed *sorted = symcf_allocate(2 * s->n_leaves, sizeof *sorted);
	if (!sorted)
		return symcf_no_memory();
	for (uint32_t t = 0; t < s->n_trees; t++) {
		const uint64_t first = s->start[t], count = s->start[t + 1] - first;
		for (uint64_t i = 0; i < count; i++)
			sorted[i] = (weighed){weight_of(m, first + i), first + i};
		sort_weighed(sorted, sorted + count, count, NULL, NULL);
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
	m->uses = symcf_arena_take(a, n_uses, sizeof *m->uses);
	m->rank = symcf_arena_take(a, n_ranks, sizeof *m->rank);
	m->table = symcf_arena_take(a, n_table, sizeof *m->table);
	m->together = NULL;
	if ((uint64_t)m->n_words * 64 * m->n_words * sizeof *m->together <= MOST_TOGETHER)
		m->together =
			symcf_arena_take(a, (uint64_t)m->n_words * 64 * m->n_words, sizeof *m->together);
}

void symcf_ensemble_masks_restrict(const ensemble_masks *m, uint32_t a, ensemble_range r,
                                   uint64_t *alive)
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
				if (a != ENSEMBLE_NOWHERE)
					symcf_ensemble_masks_restrict(m, a, s->conditions[c].range, row);
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
	TRY(symcf_arena_open(&m->tables));
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
	memset(m->mate, 0xFF, m->n_trees * sizeof *m->mate);
	for (uint32_t a = 0; a < m->n_active; a++) {
		m->slot[m->active[a]] = a;
		longest = s->e->n_line[m->active[a]] > longest ? s->e->n_line[m->active[a]] : longest;
	}
	TRY(sort_leaves(m));
	uint8_t *cut = symcf_allocate((uint64_t)longest + 1, sizeof *cut);
	const symcf_status status = cut ? fill_tables(m, cut, control) : symcf_no_memory();
	symcf_free(cut);
	return status;
}

symcf_status symcf_ensemble_masks_open(const ensemble_scene *s, uint32_t column,
                                       const uint32_t *active, uint32_t n_active,
                                       symcf_control *control, ensemble_masks *m)
{
	const bool all = column == ENSEMBLE_ALL;
	uint64_t words = 0;
	*m = (ensemble_masks){.s = s, .column = all ? 0 : column, .width = all ? s->n_columns : 1};
	m->active = active;
	m->n_active = n_active;
	m->alone = ALONE;
	for (uint32_t t = 0; t < s->n_trees; t++)
		words += (s->start[t + 1] - s->start[t] + 63) / 64;
	if (words > UINT32_MAX / 64)
		return SYMCF_OVERFLOW;
	m->n_words = (uint32_t)words;
	m->n_trees = s->n_trees;
	m->simple = m->width == 1 && m->n_words == m->n_trees;
	lay_out(&m->arena, m);
	symcf_status status = symcf_arena_open(&m->arena);
	if (!status) {
		lay_out(&m->arena, m);
		status = set_out(m, control);
	}
	if (status)
		symcf_ensemble_masks_close(m);
	return status;
}

void symcf_ensemble_masks_close(ensemble_masks *m)
{
	symcf_arena_close(&m->arena);
	symcf_arena_close(&m->tables);
	symcf_free(m->frames);
	symcf_free(m->alive);
	symcf_free(m->boxes);
	symcf_free(m->children);
	*m = (ensemble_masks){0};
}
