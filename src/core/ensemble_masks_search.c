/* ensemble_masks_search.c: the box oracle for many free features, with leaves as bits (ensemble_masks.c).
 *
 * The search is that of ensemble_box.c: branch over the leaves of a tree with a wide span, best leaf first,
 * narrow the box, and give up where the trees cannot give enough together (ensemble_masks_bounds.c). Of the widest trees,
 * the one with the fewest leaves that may lead to something is taken; a tree is given up as soon as it has as
 * many as the best so far. Trees with one leaf left are not bounded again. */
#include "ensemble.h"

#include <string.h>

#include "memory.h"
#include "try.h"

/* The trees that are tried before one is chosen. */
enum { CANDIDATES = 4 };

/* The leaves of a tree that are still to be tried: children first .. end - 1, the last one first. */
typedef struct ensemble_masks_frame {
	uint64_t first, end;
	bool struck; /* were leaves struck that meet the box? */
} ensemble_masks_frame;

typedef struct ensemble_child {
	int64_t bound;
	uint32_t bit;
} ensemble_child;

typedef struct search {
	ensemble_masks *m;
	symcf_control *control;
	uint64_t depth, n_boxes;
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
		return symcf_no_memory();
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
		if (a == ENSEMBLE_NOWHERE) /* it never changes, and no leaf is away in it */
			continue;
		const ensemble_range less =
			ensemble_trim(m->s, c->feature, ensemble_meet(box[a], c->range));
		if (ensemble_same(less, box[a]))
			continue;
		if (ensemble_is_empty(less))
			return false;
		box[a] = less;
		if (!m->together || less.special)
			symcf_ensemble_masks_restrict(m, a, less, alive);
	}
	for (uint32_t i = 0; m->together && i < m->n_words; i++)
		alive[i] &= m->together[(uint64_t)bit * m->n_words + i];
	for (uint32_t i = m->word[l->tree]; i < m->word[l->tree + 1]; i++)
		alive[i] &= i == bit / 64 ? UINT64_C(1) << bit % 64 : 0;
	return true;
}

static bool is_sure(const ensemble_masks *m)
{
	for (uint32_t c = 0; c < m->width; c++)
		if (m->least[c] < 0)
			return false;
	return true;
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

/* Narrows the box to the best leaf of a tree if the second best would lose more than there is to spare; otherwise
 * one may branch on the tree. `given`: what it adds to the bound, if that is not its best leaf.
 * ensures: false if nothing is left. */
static bool force_tree(const search *q, uint32_t tree, const int64_t *given, candidates *p,
                       bool *changed)
{
	const ensemble_masks *m = q->m;
	const uint64_t *alive = alive_at(q);
	ensemble_view v;
	if (!ensemble_masks_look(m, alive, tree, &v))
		return false;
	if (v.second == ENSEMBLE_NOWHERE)
		return true;
	int64_t best = m->value[(uint64_t)v.first * m->width + m->tight];
	int64_t worst = m->value[(uint64_t)v.last * m->width + m->tight];
	if (!m->plain[tree]) {
		symcf_ensemble_masks_scan(m, alive, tree, m->tight, &best, &worst);
	} else if ((given ? *given : best) - m->value[(uint64_t)v.second * m->width + m->tight] >
	           m->spare) {
		*changed = true;
		return narrow(q, v.first);
	}
	propose(p, tree, best - worst);
	return true;
}

/* The same for all trees that have a choice. */
static bool force(const search *q, candidates *p, bool *changed)
{
	const ensemble_masks *m = q->m;
	p->count = 0;
	for (uint32_t i = 0; i < 2 * m->n_pairs; i++) {
		const ensemble_pair *pair = &m->pairs[i / 2];
		const int64_t given = pair->most - m->now[pair->tree[1 - i % 2]];
		if (!force_tree(q, pair->tree[i % 2], &given, p, changed))
			return false;
	}
	for (uint32_t i = 0; i < m->n_open; i++)
		if (!force_tree(q, m->open[i], NULL, p, changed))
			return false;
	return true;
}

/* ----------------------------------------------------------------- children ------------------ */

/* A column, the most that it can be by the best leaf of each tree, and by pairs of trees. */
typedef struct room {
	uint32_t tight;
	int64_t most, spare;
} room;

/* The most that the tight column can be once a leaf is chosen; negative: there is no such point. requires:
 * `together`; where it is simple the bounds of the same leaves, otherwise they are lost. spare: of these. */
static int64_t bound_within(ensemble_masks *m, const uint64_t *alive, uint32_t bit, uint32_t tight,
                            int64_t spare)
{
	const uint64_t *beside = m->together + (uint64_t)bit * m->n_words;
	if (!m->simple) {
		for (uint32_t i = 0; i < m->n_words; i++)
			m->scratch[i] = alive[i] & beside[i];
		return symcf_ensemble_masks_bound(m, m->scratch) ? m->most[tight] : -1;
	}
	for (uint32_t i = 0; i < m->n_pairs && spare >= 0; i++) {
		const uint32_t t = m->pairs[i].tree[0], u = m->pairs[i].tree[1];
		const uint64_t of_t = alive[t] & beside[t], of_u = alive[u] & beside[u];
		if (!of_t || !of_u)
			return -1;
		const int64_t both = ensemble_masks_best(m, t, of_t) + ensemble_masks_best(m, u, of_u);
		spare -= both < m->pairs[i].most ? m->pairs[i].most - both : 0;
	}
	for (uint32_t i = 0; i < m->n_open && spare >= 0; i++) {
		const uint32_t t = m->open[i];
		const uint64_t left = alive[t] & beside[t];
		if (!left)
			return -1;
		spare -= m->now[t] - ensemble_masks_best(m, t, left);
	}
	return spare;
}

/* Appends the leaves of a tree that may lead to something, by rising bound, and strikes the others. */
static symcf_status list_children(const search *q, uint32_t tree, uint64_t first, room r,
                                  uint64_t fewest, uint64_t *count)
{
	ensemble_masks *m = q->m;
	uint64_t *alive = alive_at(q);
	int64_t best = INT64_MIN, worst;
	symcf_ensemble_masks_scan(m, alive, tree, r.tight, &best, &worst);
	*count = 0;
	for (uint32_t i = m->word[tree]; i < m->word[tree + 1]; i++)
		for (uint64_t left = alive[i]; left; left &= left - 1) {
			const uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(left);
			int64_t bound = r.most + (m->value[(uint64_t)bit * m->width + r.tight] - best);
			if (bound >= 0 && m->together)
				bound = bound_within(m, alive, bit, r.tight, r.spare);
			if (bound < 0) {
				alive[i] &= ~(UINT64_C(1) << bit % 64);
				m->frames[q->depth].struck = true;
				continue;
			}
			if (!symcf_grow(&m->children, &m->cap_children, first + *count + 1,
			                sizeof *m->children))
				return symcf_no_memory();
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
	const room r = {m->tight, m->most[m->tight], m->spare};
	const uint32_t tries = m->together ? p->count : 1;
	uint64_t least = UINT64_MAX;
	f->end = f->first;
	for (uint32_t i = 0; i < tries && !*dead && !*changed; i++) {
		const uint64_t at = f->end;
		uint64_t count;
		TRY(list_children(q, p->tree[i], at, r, least, &count));
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
		m->witness[a] = symcf_ensemble_nearest(m->s, m->active[a], box_at(q)[a]);
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
			ensemble_view v;
			if (!ensemble_masks_look(m, alive_at(q), t, &v) || v.second != ENSEMBLE_NOWHERE)
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
		if (!symcf_ensemble_masks_bound(m, alive_at(q)))
			return SYMCF_OK;
		if (++q->n_boxes > m->alone && !symcf_ensemble_masks_pair(m, alive_at(q)))
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

symcf_status symcf_ensemble_masks_search(ensemble_masks *m, const uint64_t *free_features,
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
