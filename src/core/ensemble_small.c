/* ensemble_small.c: all minimal change sets of up to five features, by rising size.
 *
 * Only leaves that are away in features of the set count, so leaves lie in buckets by what they are
 * away in. A set {a, b, c} looks into seven buckets. For each tree its best leaf in them is kept up to
 * date while combinations are counted through; their sum is a bound that rules most sets out. What is
 * left is asked of the box oracle. A set that contains a found one is skipped, so what is found is
 * minimal: all of its subsets were refuted before. */
#include "ensemble.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

typedef struct ensemble_bucket {
	uint64_t key;
	uint32_t first, count; /* in order */
} ensemble_bucket;

typedef struct ensemble_undo {
	uint64_t place; /* in now */
	int64_t before;
} ensemble_undo;

/* Features ascend, plus one so that none is 0, in 12 bits each, or in 21 if there are many features. */
enum { KEY_BITS = 12, WIDE_KEY_BITS = 21 };

static bool is_wide(const symcf_ensemble *e)
{
	return e->n >= (1u << KEY_BITS) - 1;
}

uint32_t symcf_ensemble_small_limit(const symcf_ensemble *e)
{
	return is_wide(e) ? 3 : ENSEMBLE_SMALL;
}

static uint64_t key_of(const symcf_ensemble *e, const uint32_t *features, uint32_t count)
{
	const uint32_t bits = is_wide(e) ? WIDE_KEY_BITS : KEY_BITS;
	uint64_t key = 0;
	for (uint32_t i = 0; i < count; i++)
		key = key << bits | (features[i] + 1);
	return key;
}

static uint64_t hash_key(uint64_t key)
{
	return hash_table_mix(0, key);
}

static uint64_t hash_bucket(const void *owner, uint32_t number)
{
	const ensemble_small *m = owner;
	return hash_key(m->buckets[number - 1].key);
}

static bool is_bucket(const void *owner, uint32_t number, const void *key)
{
	const ensemble_small *m = owner;
	return m->buckets[number - 1].key == *(const uint64_t *)key;
}

static const ensemble_bucket *find_bucket(ensemble_small *m, uint64_t key)
{
	static const ensemble_bucket none = {0};
	if (!m->n_buckets)
		return &none;
	const uint32_t *slot = hash_table_find(&m->table, hash_key(key), is_bucket, m, &key);
	return *slot ? &m->buckets[*slot - 1] : &none;
}

/* ------------------------------------------------------------------- buckets ----------------- */

static uint64_t key_of_leaf(const ensemble_scene *s, const ensemble_leaf *l)
{
	uint32_t away[ENSEMBLE_SMALL];
	for (uint32_t i = 0; i < l->n_away; i++) {
		const uint32_t j = s->conditions[l->first + i].feature;
		uint32_t at = i;
		for (; at > 0 && away[at - 1] > j; at--)
			away[at] = away[at - 1];
		away[at] = j;
	}
	return key_of(s->e, away, l->n_away);
}

/* number[leaf]: its bucket, from 1 on. */
static symcf_status fill_buckets(ensemble_small *m, uint32_t *number, symcf_control *control)
{
	const ensemble_scene *s = m->s;
	for (uint64_t i = 0; i < s->n_leaves; i++) {
		const ensemble_leaf *l = &s->leaves[i];
		assert(l->n_away <= ENSEMBLE_SMALL);
		TRY(symcf_tick(control, 20));
		if (!l->n_away) {
			m->home[l->tree] = i;
			continue;
		}
		const uint64_t key = key_of_leaf(s, l);
		TRY(symcf_hash_table_reserve(&m->table, 1, m->n_buckets + 1, hash_bucket, m));
		uint32_t *slot = hash_table_find(&m->table, hash_key(key), is_bucket, m, &key);
		if (!*slot) {
			if (!symcf_grow(&m->buckets, &m->cap_buckets, m->n_buckets + 1, sizeof *m->buckets))
				return symcf_no_memory();
			m->buckets[m->n_buckets++] = (ensemble_bucket){.key = key};
			*slot = (uint32_t)m->n_buckets;
		}
		number[i] = *slot;
		m->buckets[*slot - 1].count++;
	}
	return SYMCF_OK;
}

static void order_leaves(ensemble_small *m, const uint32_t *number)
{
	uint32_t first = 0;
	for (uint64_t b = 0; b < m->n_buckets; b++) {
		m->buckets[b].first = first;
		first += m->buckets[b].count;
		m->buckets[b].count = 0;
	}
	for (uint64_t i = 0; i < m->s->n_leaves; i++)
		if (m->s->leaves[i].n_away) {
			ensemble_bucket *b = &m->buckets[number[i] - 1];
			m->order[b->first + b->count++] = (uint32_t)i;
		}
}

static void find_active(ensemble_small *m, uint8_t *seen)
{
	const ensemble_scene *s = m->s;
	for (uint64_t i = 0; i < s->n_leaves; i++)
		for (uint32_t c = 0; c < s->leaves[i].n_away; c++)
			seen[s->conditions[s->leaves[i].first + c].feature] = 1;
	for (uint32_t j = 0; j < s->e->n; j++)
		if (seen[j])
			m->active[m->n_active++] = j;
}

static void lay_out(arena *a, ensemble_small *m)
{
	const ensemble_scene *s = m->s;
	m->active = symcf_arena_take(a, s->e->n, sizeof *m->active);
	m->home = symcf_arena_take(a, s->n_trees, sizeof *m->home);
	m->order = symcf_arena_take(a, s->n_leaves, sizeof *m->order);
	m->now = symcf_arena_take(a, (uint64_t)s->n_trees * s->n_columns, sizeof *m->now);
	m->sum = symcf_arena_take(a, s->n_columns, sizeof *m->sum);
	m->home_sum = symcf_arena_take(a, s->n_columns, sizeof *m->home_sum);
	m->count = symcf_arena_take(a, s->n_trees, sizeof *m->count);
	m->touched = symcf_arena_take(a, s->n_trees, sizeof *m->touched);
	m->single = symcf_arena_take(a, s->e->n, sizeof *m->single);
	m->newest = symcf_arena_take(a, s->e->n, sizeof *m->newest);
	m->spot = symcf_arena_take(a, s->e->n, sizeof *m->spot);
	m->inside = symcf_arena_take(a, s->e->n, sizeof *m->inside);
}

static symcf_status set_out(ensemble_small *m, symcf_control *control)
{
	const ensemble_scene *s = m->s;
	uint32_t *number = symcf_allocate(s->n_leaves, sizeof *number);
	symcf_status status = number ? fill_buckets(m, number, control) : symcf_no_memory();
	if (!status)
		order_leaves(m, number);
	symcf_free(number);
	if (status)
		return status;
	memset(m->single, 0, s->e->n);
	find_active(m, m->single);
	memset(m->single, 0, s->e->n);
	memset(m->inside, 0, s->e->n);
	memset(m->newest, 0, s->e->n * sizeof *m->newest);
	for (uint32_t a = 0; a < m->n_active; a++)
		m->spot[m->active[a]] = a;
	memset(m->count, 0, s->n_trees * sizeof *m->count);
	const uint64_t bits = (uint64_t)m->n_active * m->n_active;
	m->pair = symcf_allocate_zeroed(bits / 64 + 1, sizeof *m->pair);
	if (!m->pair)
		return symcf_no_memory();
	memcpy(m->sum, s->base, s->n_columns * sizeof *m->sum);
	for (uint32_t t = 0; t < s->n_trees; t++)
		for (uint32_t c = 0; c < s->n_columns; c++) {
			const int64_t value = s->value[m->home[t] * s->n_columns + c];
			m->now[(uint64_t)t * s->n_columns + c] = value;
			m->sum[c] += value;
		}
	memcpy(m->home_sum, m->sum, s->n_columns * sizeof *m->sum);
	return SYMCF_OK;
}

symcf_status symcf_ensemble_small_open(const ensemble_scene *s, ensemble_small *m,
                                       symcf_control *control)
{
	*m = (ensemble_small){.s = s};
	if (s->e->n >= (1u << WIDE_KEY_BITS) - 1 || s->n_leaves >= UINT32_MAX)
		return SYMCF_UNSUPPORTED;
	lay_out(&m->arena, m);
	symcf_status status = symcf_arena_open(&m->arena);
	if (!status) {
		lay_out(&m->arena, m);
		status = symcf_ensemble_box_open(s, &m->box);
	}
	if (!status)
		status = set_out(m, control);
	if (status)
		symcf_ensemble_small_close(m);
	return status;
}

void symcf_ensemble_small_close(ensemble_small *m)
{
	symcf_ensemble_box_close(&m->box);
	symcf_sets_free_arrays(&m->found);
	symcf_free(m->buckets);
	symcf_hash_table_free(&m->table);
	symcf_free(m->undo);
	symcf_free(m->gathered);
	symcf_free(m->pair);
	symcf_free(m->older);
	symcf_arena_close(&m->arena);
	*m = (ensemble_small){0};
}

/* --------------------------------------------------------------------- bounds ---------------- */

static void undo_to(ensemble_small *m, uint64_t mark)
{
	while (m->n_undo > mark) {
		const ensemble_undo *u = &m->undo[--m->n_undo];
		m->sum[u->place % m->s->n_columns] += u->before - m->now[u->place];
		m->now[u->place] = u->before;
	}
}

/* The leaves of a bucket can be reached, too. */
static symcf_status take_bucket(ensemble_small *m, uint64_t key, symcf_control *control)
{
	const ensemble_bucket *b = find_bucket(m, key);
	const ensemble_scene *s = m->s;
	const uint32_t width = s->n_columns;
	const uint64_t most = (uint64_t)b->count * width;
	if (!symcf_grow(&m->undo, &m->cap_undo, m->n_undo + most, sizeof *m->undo))
		return symcf_no_memory();
	for (uint32_t i = b->first; i < b->first + b->count; i++) {
		const uint32_t leaf = m->order[i];
		const uint64_t at = (uint64_t)s->leaves[leaf].tree * width;
		const int64_t *value = s->value + (uint64_t)leaf * width;
		for (uint32_t c = 0; c < width; c++)
			if (value[c] > m->now[at + c]) {
				m->undo[m->n_undo++] = (ensemble_undo){at + c, m->now[at + c]};
				m->sum[c] += value[c] - m->now[at + c];
				m->now[at + c] = value[c];
			}
	}
	return symcf_tick(control, 20 + 3 * b->count);
}

/* All buckets that the combination's place `level` brings along with those before. */
static symcf_status take_level(ensemble_small *m, uint32_t level, symcf_control *control)
{
	for (uint32_t with = 0; with < 1u << level; with++) {
		uint32_t features[ENSEMBLE_SMALL], count = 0;
		for (uint32_t i = 0; i < level; i++)
			if (with >> i & 1)
				features[count++] = m->active[m->at[i]];
		features[count++] = m->active[m->at[level]];
		TRY(take_bucket(m, key_of(m->s->e, features, count), control));
	}
	return SYMCF_OK;
}

static bool may_reach(const ensemble_small *m, uint32_t column)
{
	for (uint32_t c = 0; c < m->s->n_columns; c++) {
		const bool asked = column == c || column == ENSEMBLE_ALL;
		if (asked && m->sum[c] < 0)
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------- the exact part ------------ */

/* Gives the box oracle all leaves that the combination can reach, of the trees where that is more than
 * the row's own leaf. */
static symcf_status gather(ensemble_small *m, uint32_t size)
{
	const ensemble_scene *s = m->s;
	const ensemble_bucket *bucket[1 << ENSEMBLE_SMALL];
	uint32_t n_touched = 0, n_buckets = 0, total = 0;
	for (uint32_t with = 1; with < 1u << size; with++) {
		uint32_t features[ENSEMBLE_SMALL], count = 0;
		for (uint32_t i = 0; i < size; i++)
			if (with >> i & 1)
				features[count++] = m->active[m->at[i]];
		const ensemble_bucket *b = find_bucket(m, key_of(m->s->e, features, count));
		bucket[n_buckets++] = b;
		for (uint32_t i = b->first; i < b->first + b->count; i++) {
			const uint32_t tree = s->leaves[m->order[i]].tree;
			if (!m->count[tree]++)
				m->touched[n_touched++] = tree;
		}
		total += b->count;
	}
	total += n_touched;
	if (!symcf_grow(&m->gathered, &m->cap_gathered, total, sizeof *m->gathered)) {
		for (uint32_t i = 0; i < n_touched; i++)
			m->count[m->touched[i]] = 0;
		return symcf_no_memory();
	}
	/* each tree's own leaf first; from now on count[tree] is where its next leaf goes */
	for (uint32_t i = 0, at = 0; i < n_touched; i++) {
		const uint32_t tree = m->touched[i], count = m->count[tree];
		m->gathered[at] = m->home[tree];
		m->count[tree] = at + 1;
		at += count + 1;
	}
	for (uint32_t k = 0; k < n_buckets; k++)
		for (uint32_t i = bucket[k]->first; i < bucket[k]->first + bucket[k]->count; i++)
			m->gathered[m->count[s->leaves[m->order[i]].tree]++] = m->order[i];
	for (uint32_t i = 0; i < n_touched; i++)
		m->count[m->touched[i]] = 0;
	symcf_status status = SYMCF_OK;
	for (uint32_t i = 0; i < total && !status; i++)
		status = symcf_ensemble_box_add(&m->box, m->gathered[i]);
	return status;
}

/* What the trees give that no leaf of the box belongs to. */
static void set_base(ensemble_small *m)
{
	const ensemble_scene *s = m->s;
	const uint32_t width = s->n_columns;
	for (uint32_t c = 0; c < width; c++)
		m->box.base[c] = m->home_sum[c];
	uint32_t tree = UINT32_MAX;
	for (uint64_t i = 0; i < m->box.n_leaves; i++) {
		const uint32_t next = s->leaves[m->box.leaf[i]].tree;
		for (uint32_t c = 0; c < width && next != tree; c++)
			m->box.base[c] -= s->value[m->home[next] * width + c];
		tree = next;
	}
}

static symcf_status test(ensemble_small *m, uint32_t size, symcf_control *control, bool *flips)
{
	const ensemble_scene *s = m->s;
	uint32_t features[ENSEMBLE_SMALL];
	const uint32_t first = s->all ? ENSEMBLE_ALL : 0, end = s->all ? 1 : s->n_columns;
	bool wanted = false;
	for (uint32_t c = first, i = 0; i < end; c = ++i)
		wanted = wanted || may_reach(m, c);
	*flips = false;
	if (!wanted)
		return SYMCF_OK;
	for (uint32_t i = 0; i < size; i++)
		features[i] = m->active[m->at[i]];
	TRY(symcf_ensemble_box_begin(&m->box, features, size));
	symcf_status status = gather(m, size);
	if (!status)
		set_base(m);
	for (uint32_t c = first, i = 0; i < end && !status && !*flips; c = ++i)
		if (may_reach(m, c))
			status = symcf_ensemble_box_search(&m->box, c, control, flips);
	symcf_ensemble_box_end(&m->box);
	return status;
}

/* ---------------------------------------------------------------- combinations --------------- */

static uint64_t pair_bit(const ensemble_small *m, uint32_t a, uint32_t b)
{
	return (uint64_t)a * m->n_active + b;
}

static bool is_pair(const ensemble_small *m, uint32_t a, uint32_t b)
{
	const uint64_t bit = pair_bit(m, a, b);
	return m->pair[bit / 64] >> bit % 64 & 1;
}

/* Does the combination up to this place contain a set that was found? */
static bool is_blocked(const ensemble_small *m, uint32_t level)
{
	const uint32_t own = m->at[level];
	if (m->single[own])
		return true;
	for (uint32_t i = 0; i < level; i++)
		if (is_pair(m, m->at[i], own))
			return true;
	bool blocked = false;
	for (uint32_t i = 0; i < level; i++)
		m->inside[m->at[i]] = 1;
	for (uint32_t set = m->newest[own]; set && !blocked; set = m->older[set - 1]) {
		blocked = true;
		for (uint64_t f = set > 1 ? m->found.end[set - 2] : 0; f + 1 < m->found.end[set - 1]; f++)
			blocked = blocked && m->inside[m->spot[m->found.features[f]]];
	}
	for (uint32_t i = 0; i < level; i++)
		m->inside[m->at[i]] = 0;
	return blocked;
}

static symcf_status keep(ensemble_small *m, uint32_t size)
{
	uint32_t features[ENSEMBLE_SMALL];
	for (uint32_t i = 0; i < size; i++)
		features[i] = m->active[m->at[i]];
	if (!symcf_grow(&m->older, &m->cap_older, m->found.n_sets + 1, sizeof *m->older))
		return symcf_no_memory();
	TRY(symcf_sets_push(&m->found, features, size));
	if (size > 2) {
		uint32_t *newest = &m->newest[m->at[size - 1]];
		m->older[m->found.n_sets - 1] = *newest;
		*newest = (uint32_t)m->found.n_sets;
	}
	if (size == 1)
		m->single[m->at[0]] = 1;
	if (size == 2) {
		const uint64_t bit = pair_bit(m, m->at[0], m->at[1]);
		m->pair[bit / 64] |= UINT64_C(1) << bit % 64;
	}
	return SYMCF_OK;
}

symcf_status symcf_ensemble_small_resume(ensemble_small *m, const symcf_sets *found, uint32_t size)
{
	uint64_t start = 0;
	assert(!m->size && !m->found.n_sets);
	for (uint64_t i = 0; i < found->n_sets; start = found->end[i++]) {
		const uint32_t length = (uint32_t)(found->end[i] - start);
		for (uint32_t f = 0; f < length; f++)
			m->at[f] = m->spot[found->features[start + f]];
		TRY(keep(m, length));
	}
	m->size = size;
	return SYMCF_OK;
}

/* Moves on to a combination that contains no found set, from the place m->level on, which has its next
 * value already. ensures: *valid unless none is left; after a limit it may be called again. */
static symcf_status move(ensemble_small *m, uint32_t size, symcf_control *control, bool *valid)
{
	*valid = false;
	for (;;) {
		const uint32_t level = m->level;
		undo_to(m, m->mark[level]);
		TRY(symcf_tick(control, 5));
		if (m->at[level] + (size - 1 - level) >= m->n_active) {
			if (level == 0)
				return SYMCF_OK;
			m->at[--m->level]++;
			continue;
		}
		if (is_blocked(m, level)) {
			m->at[level]++;
			continue;
		}
		TRY(take_level(m, level, control));
		if (level + 1 == size)
			break;
		m->mark[level + 1] = m->n_undo;
		m->at[level + 1] = m->at[level] + 1;
		m->level++;
	}
	*valid = true;
	return SYMCF_OK;
}

static symcf_status run(ensemble_small *m, uint32_t size, symcf_control *control)
{
	bool valid, flips;
	if (!m->under_way) {
		m->under_way = m->moving = true;
		m->level = m->at[0] = 0;
		m->mark[0] = 0;
	}
	for (;;) {
		if (m->moving) {
			TRY(move(m, size, control, &valid));
			m->moving = false;
			if (!valid)
				break;
		}
		TRY(test(m, size, control, &flips));
		if (flips)
			TRY(keep(m, size));
		m->moving = true;
		m->at[m->level]++;
	}
	m->under_way = false;
	undo_to(m, 0);
	return SYMCF_OK;
}

bool symcf_ensemble_small_is_next_cheap(const ensemble_small *m, uint64_t most)
{
	uint64_t sets = 1;
	for (uint32_t i = 0; i <= m->size && i < m->n_active && sets <= most; i++)
		sets = sets * (m->n_active - i) / (i + 1);
	return m->size < 3 || sets <= most;
}

symcf_status symcf_ensemble_small_next(ensemble_small *m, symcf_control *control)
{
	assert(m->size < ENSEMBLE_SMALL);
	if (m->size < m->n_active)
		TRY(run(m, m->size + 1, control));
	m->size++;
	return SYMCF_OK;
}
