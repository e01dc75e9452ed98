/* ensemble_masks_bounds.c: how much the columns can be in a box, with leaves as bits.
 *
 * A tree gives no more than its best leaf that meets the box (Chen et al. 2019, Robustness Verification of Tree-based
 * Models). Where the best leaves of two trees share no point, the two give less together than that: no more than the
 * best two leaves that share one. Trees are put in such pairs, each in one at most, and what the pairs lose is taken
 * off the bound. (Chen et al. merge
 * trees once, before the search; here pairs are those whose best leaves are at odds in the box.) */
#include "ensemble.h"

/* ----------------------------------------------------------------- tree by tree -------------- */

void symcf_ensemble_masks_scan(const ensemble_masks *m, const uint64_t *alive, uint32_t tree,
                               uint32_t c, int64_t *most, int64_t *least)
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

/* One column, and a word per tree. */
static bool bound_simple(ensemble_masks *m, const uint64_t *alive)
{
	int64_t most = m->s->base[m->column], least = most;
	for (uint32_t t = 0; t < m->n_trees; t++) {
		if (!alive[t])
			return false;
		const bool several = (alive[t] & (alive[t] - 1)) != 0;
		m->now[t] = ensemble_masks_best(m, t, alive[t]);
		m->lead[t] = several ? alive[t] & -alive[t] : 0;
		most += m->now[t];
		least += m->value[(uint64_t)t * 64 + 63 - (uint64_t)__builtin_clzll(alive[t])];
		m->open[m->n_open] = t;
		m->n_open += several;
	}
	m->most[0] = m->spare = most;
	m->least[0] = least;
	return most >= 0;
}

bool symcf_ensemble_masks_bound(ensemble_masks *m, const uint64_t *alive)
{
	const uint32_t width = m->width;
	m->n_open = m->n_pairs = m->tight = 0;
	if (m->simple)
		return bound_simple(m, alive);
	for (uint32_t c = 0; c < width; c++)
		m->most[c] = m->least[c] = m->s->base[m->column + c];
	for (uint32_t t = 0; t < m->n_trees; t++) {
		ensemble_view v;
		if (!ensemble_masks_look(m, alive, t, &v))
			return false;
		for (uint32_t c = 0; c < width; c++) {
			int64_t most = m->value[(uint64_t)v.first * width + c];
			int64_t least = m->value[(uint64_t)v.last * width + c];
			if (!m->plain[t])
				symcf_ensemble_masks_scan(m, alive, t, c, &most, &least);
			m->most[c] += most;
			m->least[c] += least;
		}
		m->open[m->n_open] = t;
		m->n_open += v.second != ENSEMBLE_NOWHERE;
	}
	for (uint32_t c = 1; c < width; c++)
		m->tight = m->most[c] < m->most[m->tight] ? c : m->tight;
	m->spare = m->most[m->tight];
	return m->spare >= 0;
}

/* ---------------------------------------------------------------- pairs of trees ------------- */

/* The partners of a tree that are tried before the best of them is taken. */
enum { PARTNERS = 4 };

/* The leaves that share a point with the best leaf of a tree. */
static const uint64_t *beside_lead(const ensemble_masks *m, uint32_t tree)
{
	const uint64_t bit = (uint64_t)tree * 64 + (uint64_t)__builtin_ctzll(m->lead[tree]);
	return m->together + bit * m->n_words;
}

/* The most that two trees give together; INT64_MIN: none of their leaves share a point. */
static int64_t most_of(const ensemble_masks *m, const uint64_t *alive, uint32_t t, uint32_t u)
{
	int64_t best = INT64_MIN;
	for (uint64_t left = alive[t]; left; left &= left - 1) {
		const uint64_t bit = (uint64_t)t * 64 + (uint64_t)__builtin_ctzll(left);
		if (m->value[bit] + m->now[u] <= best)
			break; /* leaves fall in value */
		const uint64_t beside = m->together[bit * m->n_words + u] & alive[u];
		if (!beside)
			continue;
		const int64_t sum = m->value[bit] + ensemble_masks_best(m, u, beside);
		best = sum > best ? sum : best;
	}
	return best;
}

/* ensures: false if there is nothing to spare any more. */
static bool join(ensemble_masks *m, uint32_t t, uint32_t u, int64_t most)
{
	if (most == INT64_MIN)
		return false;
	m->pairs[m->n_pairs++] = (ensemble_pair){{t, u}, most};
	m->lead[t] = m->lead[u] = 0;
	m->mate[t] = u;
	m->spare -= m->now[t] + m->now[u] - most;
	return m->spare >= 0;
}

/* Joins trees that were a pair before, if they are at odds here, too. */
static bool join_again(ensemble_masks *m, const uint64_t *alive)
{
	for (uint32_t i = 0; i < m->n_open; i++) {
		const uint32_t t = m->open[i], u = m->mate[t];
		if (u == ENSEMBLE_NOWHERE || !m->lead[t] || !m->lead[u] ||
		    (beside_lead(m, t)[u] & m->lead[u]))
			continue;
		if (!join(m, t, u, most_of(m, alive, t, u)))
			return false;
	}
	return true;
}

/* Joins the tree at a place of `open` with one of those behind it. */
static bool join_anew(ensemble_masks *m, const uint64_t *alive, uint32_t place)
{
	const uint32_t t = m->open[place];
	const uint64_t *beside = beside_lead(m, t);
	uint32_t partner = ENSEMBLE_NOWHERE, tried = 0;
	int64_t most = 0, loss = 0;
	for (uint32_t i = place + 1; i < m->n_open && tried < PARTNERS; i++) {
		const uint32_t u = m->open[i];
		if (!m->lead[u] || (beside[u] & m->lead[u]))
			continue;
		const int64_t both = most_of(m, alive, t, u);
		if (both == INT64_MIN)
			return false;
		tried++;
		if (m->now[t] + m->now[u] - both > loss) {
			loss = m->now[t] + m->now[u] - both;
			most = both;
			partner = u;
		}
	}
	return partner == ENSEMBLE_NOWHERE || join(m, t, partner, most);
}

static void leave_out_pairs(ensemble_masks *m)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < m->n_open; i++) {
		m->open[kept] = m->open[i];
		kept += m->lead[m->open[i]] != 0;
	}
	m->n_open = kept;
}

bool symcf_ensemble_masks_pair(ensemble_masks *m, const uint64_t *alive)
{
	if (!m->simple || !m->together)
		return true;
	if (!join_again(m, alive))
		return false;
	leave_out_pairs(m);
	for (uint32_t i = 0; i + 1 < m->n_open; i++)
		if (m->lead[m->open[i]] && !join_anew(m, alive, i))
			return false;
	leave_out_pairs(m);
	return true;
}
