/* ensemble_search.c: the cursor of the engine `boxes`. Small sets come first (ensemble_small.c), since
 * they are what people want and take milliseconds; then all others by rising size (ensemble_map.c). */
#include "ensemble.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

typedef enum stage { NEW, SMALL, WHOLE, MAPPED, DONE } stage;

struct symcf_ensemble_search {
	const symcf_ensemble *e;
	symcf_query query;
	uint32_t k, sink;
	stage stage;
	bool has_small, has_map;
	ensemble_scene scene;
	ensemble_small small;
	ensemble_map map;
	uint32_t *active; /* of the map */
	uint32_t n_active;
	int64_t *cost;      /* of the active features; NULL: 1 each  */
	uint64_t *bits;     /* a set of the map                       */
	uint32_t *features; /* a set as features                      */
	symcf_sets ready;   /* found, in the order in which they are given ... */
	uint64_t n_given;   /* ... so many of which were              */
	uint64_t n_mapped;  /* change sets of the map that were looked at */
	uint8_t *listed;    /* by change set of the map: is it in ready? */
	uint64_t cap_listed;
	uint32_t complete; /* all sets of up to so many features are ready */
	bool in_steps;     /* are only the smallest wanted?                */
};

/* ------------------------------------------------------------------ life cycle --------------- */

static void forget(symcf_ensemble_search *s)
{
	if (s->has_small)
		symcf_ensemble_small_close(&s->small);
	if (s->has_map)
		symcf_ensemble_map_close(&s->map);
	s->has_small = s->has_map = false;
	symcf_sets_clear(&s->ready);
	s->n_given = s->n_mapped = 0;
	s->complete = 0;
	s->in_steps = false;
	s->stage = NEW;
}

symcf_status symcf_ensemble_open(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                 uint32_t sink, symcf_ensemble_search **out)
{
	symcf_ensemble_search *s = symcf_allocate_zeroed(1, sizeof *s);
	if (!s)
		return symcf_no_memory();
	s->e = e;
	s->active = symcf_allocate(e->n, sizeof *s->active);
	s->cost = symcf_allocate(e->n, sizeof *s->cost);
	s->bits = symcf_allocate(e->n / 64 + 1, sizeof *s->bits);
	s->features = symcf_allocate(e->n, sizeof *s->features);
	symcf_status status =
		s->active && s->cost && s->bits && s->features ? SYMCF_OK : symcf_no_memory();
	if (!status)
		status = symcf_ensemble_scene_open(e, &s->scene);
	if (!status)
		status = symcf_ensemble_reset(s, q, k, sink);
	if (status)
		symcf_ensemble_close(s);
	else
		*out = s;
	return status;
}

symcf_status symcf_ensemble_reset(symcf_ensemble_search *s, const symcf_query *q, uint32_t k,
                                  uint32_t sink)
{
	assert(k < s->e->n_classes && sink <= 1);
	forget(s);
	s->query = *q;
	s->k = k;
	s->sink = sink;
	return SYMCF_OK;
}

void symcf_ensemble_close(symcf_ensemble_search *s)
{
	if (!s)
		return;
	forget(s);
	symcf_ensemble_scene_close(&s->scene);
	symcf_sets_free_arrays(&s->ready);
	symcf_free(s->listed);
	symcf_free(s->active);
	symcf_free(s->cost);
	symcf_free(s->bits);
	symcf_free(s->features);
	symcf_free(s);
}

uint32_t symcf_ensemble_complete(const symcf_ensemble_search *s)
{
	return s->stage == DONE ? UINT32_MAX : s->complete;
}

/* -------------------------------------------------------------------- small sets ------------- */

static uint32_t small_limit(const symcf_ensemble_search *s)
{
	const uint32_t limit = symcf_ensemble_small_limit(s->e);
	return s->query.max_changes < limit ? s->query.max_changes : limit;
}

/* Is the row decided as wanted already? Then the empty set is the only minimal one. */
static bool is_there(const ensemble_scene *s, const int64_t *sum)
{
	bool any = false, all = true;
	for (uint32_t c = 0; c < s->n_columns; c++) {
		any = any || sum[c] >= 0;
		all = all && sum[c] >= 0;
	}
	return s->all ? all : any;
}

/* How far away leaves are loaded next. Whoever wants the smallest sets may need only near leaves, which are
 * few; then more are loaded, step by step. */
static uint32_t next_reach(const symcf_ensemble_search *s)
{
	const uint32_t limit = small_limit(s), next = s->complete < 3 ? s->complete + 1 : limit;
	return s->in_steps && next < limit ? next : limit;
}

/* Loads leaves, and goes on from what was found with fewer of them. */
static symcf_status load_small(symcf_ensemble_search *s, symcf_control *control)
{
	if (s->has_small)
		symcf_ensemble_small_close(&s->small);
	s->has_small = false;
	TRY(symcf_ensemble_scene_set(&s->scene, &s->query, s->k, s->sink, next_reach(s), control));
	TRY(symcf_ensemble_small_open(&s->scene, &s->small, control));
	s->has_small = true;
	return symcf_ensemble_small_resume(&s->small, &s->ready, s->complete);
}

static symcf_status begin_small(symcf_ensemble_search *s, symcf_control *control)
{
	TRY(load_small(s, control));
	s->stage = SMALL;
	if (is_there(&s->scene, s->small.home_sum)) {
		TRY(symcf_sets_push(&s->ready, NULL, 0));
		s->stage = DONE;
	}
	return SYMCF_OK;
}

/* Sets that are tried one after the other, at most. Fewer if all are wanted, since the map finds them, too. */
static uint64_t tries(const symcf_ensemble_search *s)
{
	return s->in_steps || s->query.max_changes != UINT32_MAX ? 500000 : 6000;
}

/* The sets of the next size. */
static symcf_status go_on_small(symcf_ensemble_search *s, symcf_control *control)
{
	if (s->small.size < small_limit(s)) {
		if (!s->has_small || s->small.size == s->scene.most_away)
			TRY(load_small(s, control));
		const symcf_status status = symcf_ensemble_small_next(&s->small, control);
		for (uint64_t i = s->ready.n_sets; i < s->small.found.n_sets; i++) {
			const uint64_t start = i ? s->small.found.end[i - 1] : 0;
			TRY(symcf_sets_push(&s->ready, s->small.found.features + start,
			                    (uint32_t)(s->small.found.end[i] - start)));
		}
		if (status)
			return status;
		s->complete = s->small.size;
	}
	if (s->small.size >= s->query.max_changes)
		s->stage = DONE;
	else if (s->small.size == small_limit(s) ||
	         !symcf_ensemble_small_is_next_cheap(&s->small, tries(s)))
		s->stage = WHOLE;
	return SYMCF_OK;
}

/* ----------------------------------------------------------------- larger sets --------------- */

static void find_active(symcf_ensemble_search *s, uint8_t *seen)
{
	const ensemble_scene *scene = &s->scene;
	for (uint64_t i = 0; i < scene->n_leaves; i++)
		for (uint32_t c = 0; c < scene->leaves[i].n_away; c++)
			seen[scene->conditions[scene->leaves[i].first + c].feature] = 1;
	s->n_active = 0;
	for (uint32_t j = 0; j < s->e->n; j++)
		if (seen[j]) {
			s->cost[s->n_active] = s->query.cost ? s->query.cost[j] : 1;
			s->active[s->n_active++] = j;
		}
}

static void to_bits(symcf_ensemble_search *s, const uint32_t *features, uint32_t size)
{
	memset(s->bits, 0, (s->e->n / 64 + 1) * sizeof *s->bits);
	for (uint32_t i = 0, a = 0; i < size; i++) {
		while (s->active[a] != features[i])
			a++;
		s->bits[a / 64] |= UINT64_C(1) << a % 64;
	}
}

static uint32_t to_features(const symcf_ensemble_search *s, const uint64_t *set)
{
	uint32_t size = 0;
	for (uint32_t a = 0; a < s->n_active; a++)
		if (set[a / 64] >> a % 64 & 1)
			s->features[size++] = s->active[a];
	return size;
}

/* All leaves now, and the map with the small sets in it. */
static symcf_status begin_map(symcf_ensemble_search *s, symcf_control *control)
{
	if (s->has_small)
		symcf_ensemble_small_close(&s->small);
	if (s->has_map)
		symcf_ensemble_map_close(&s->map);
	s->has_small = s->has_map = false;
	TRY(symcf_ensemble_scene_set(&s->scene, &s->query, s->k, s->sink, UINT32_MAX, control));
	uint8_t *seen = symcf_allocate_zeroed(s->e->n, sizeof *seen);
	if (!seen)
		return symcf_no_memory();
	find_active(s, seen);
	symcf_free(seen);
	TRY(symcf_ensemble_map_open(&s->scene, s->active, s->n_active, s->query.cost ? s->cost : NULL,
	                            control, &s->map));
	s->has_map = true;
	for (uint64_t i = 0; i < s->ready.n_sets; i++) {
		const uint64_t start = i ? s->ready.end[i - 1] : 0;
		to_bits(s, s->ready.features + start, (uint32_t)(s->ready.end[i] - start));
		TRY(symcf_ensemble_map_add(&s->map, s->bits));
	}
	s->stage = MAPPED;
	return SYMCF_OK;
}

/* Moves the map's change sets of up to so many features to those that are ready. */
static symcf_status take_mapped(symcf_ensemble_search *s, uint32_t most)
{
	const ensemble_map *m = &s->map;
	const uint64_t known = s->n_mapped, first = s->ready.n_sets;
	if (!symcf_grow(&s->listed, &s->cap_listed, m->changes.n_sets, sizeof *s->listed))
		return symcf_no_memory();
	if (!known && first) /* the small ones are ready */
		memset(s->listed, 1, s->ready.n_sets);
	for (uint64_t i = known ? known : first; i < m->changes.n_sets; i++)
		s->listed[i] = 0;
	s->n_mapped = m->changes.n_sets;
	for (uint64_t i = 0; i < m->changes.n_sets; i++) {
		if (s->listed[i])
			continue;
		const uint32_t size = to_features(s, m->changes.words + i * m->width);
		if (size > most)
			continue;
		TRY(symcf_sets_push(&s->ready, s->features, size));
		s->listed[i] = 1;
	}
	return symcf_sets_sort_from(&s->ready, first, NULL, NULL);
}

/* Up to which size the map is searched next. Whoever wants the smallest ones gets on in steps, larger ones
 * later, since each begins anew. Whoever wants all is served best by one search: most of what a step
 * learns is about larger sets, too. */
static uint32_t next_size(const symcf_ensemble_search *s)
{
	const uint32_t now = s->complete, most = s->query.max_changes;
	if (!s->in_steps)
		return most;
	const uint32_t next = now < 6 ? now + 1 : now + now / 2;
	if (next >= s->n_active)
		return most;
	return next < most ? next : most;
}

static symcf_status go_on_map(symcf_ensemble_search *s, symcf_control *control)
{
	const uint32_t size = next_size(s);
	const symcf_status status = symcf_ensemble_map_run(&s->map, INT64_MAX, size, control);
	if (status == SYMCF_LIMIT_TIME) {
		TRY(take_mapped(s, s->query.max_changes));
		return status;
	}
	TRY(status);
	TRY(take_mapped(s, size));
	s->complete = size;
	if (size >= s->query.max_changes || !s->map.cut)
		s->stage = DONE;
	if (s->stage == DONE)
		return take_mapped(s, s->query.max_changes);
	return SYMCF_OK;
}

static symcf_status go_on(symcf_ensemble_search *s, symcf_control *control)
{
	switch (s->stage) {
	case NEW: return begin_small(s, control);
	case SMALL: return go_on_small(s, control);
	case WHOLE: return begin_map(s, control);
	case MAPPED: return go_on_map(s, control);
	case DONE: break;
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- the cursor -------------- */

static symcf_status give(symcf_ensemble_search *s, uint64_t *limit, symcf_sets *sets)
{
	for (; *limit && s->n_given < s->ready.n_sets; s->n_given++, --*limit) {
		const uint64_t start = s->n_given ? s->ready.end[s->n_given - 1] : 0;
		TRY(symcf_sets_push(sets, s->ready.features + start,
		                    (uint32_t)(s->ready.end[s->n_given] - start)));
	}
	return SYMCF_OK;
}

symcf_status symcf_ensemble_next(symcf_ensemble_search *s, symcf_control *control, uint64_t limit,
                                 symcf_sets *sets)
{
	symcf_status status = SYMCF_OK;
	TRY(symcf_poll(control));
	for (;;) {
		TRY(give(s, &limit, sets));
		if (s->stage == DONE && s->n_given == s->ready.n_sets)
			return SYMCF_OK;
		if (!limit)
			return SYMCF_MORE;
		if (status)
			return status;
		status = go_on(s, control);
		if (status && status != SYMCF_LIMIT_TIME)
			return status;
	}
}

/* ----------------------------------------------------------------- the cheapest -------------- */

/* What a set that is not ready costs at least. */
static int64_t least_cost(const symcf_ensemble_search *s)
{
	if (!s->query.cost)
		return (int64_t)s->complete + 1;
	/* the complete + 1 cheapest features, one after the other */
	int64_t total = 0, last = 0;
	uint32_t taken = 0;
	while (taken <= s->complete && taken < s->e->n) {
		int64_t next = INT64_MAX;
		uint32_t count = 0;
		for (uint32_t j = 0; j < s->e->n; j++) {
			const int64_t cost = s->query.cost[j];
			if (cost > last && cost < next) {
				next = cost;
				count = 0;
			}
			count += cost == next;
		}
		last = next;
		for (; count && taken <= s->complete; count--, taken++)
			total += next;
	}
	return total;
}

static int64_t cost_of(const symcf_ensemble_search *s, const symcf_sets *sets, uint64_t i)
{
	int64_t total = 0;
	for (uint64_t f = i ? sets->end[i - 1] : 0; f < sets->end[i]; f++)
		total += s->query.cost ? s->query.cost[sets->features[f]] : 1;
	return total;
}

/* Appends the first sets of the sorted list `all`, up to k, as far as nothing unknown comes before them:
 * what costs less than `sure`, or as much with no more features than complete. */
static symcf_status give_best(const symcf_ensemble_search *s, const symcf_sets *all, uint64_t k,
                              int64_t sure, symcf_sets *sets, uint64_t *given)
{
	for (*given = 0; *given < k && *given < all->n_sets; ++*given) {
		const uint64_t start = *given ? all->end[*given - 1] : 0;
		const uint32_t size = (uint32_t)(all->end[*given] - start);
		const int64_t cost = cost_of(s, all, *given);
		if (cost > sure || (cost == sure && size > s->complete))
			break;
		TRY(symcf_sets_push(sets, all->features + start, size));
	}
	return SYMCF_OK;
}

/* How many of the sets that are ready are sure to be among the first. */
static uint64_t count_sure(const symcf_ensemble_search *s, int64_t sure)
{
	uint64_t count = 0, start = 0;
	for (uint64_t i = 0; i < s->ready.n_sets; start = s->ready.end[i++]) {
		const int64_t cost = cost_of(s, &s->ready, i);
		count += cost < sure || (cost == sure && s->ready.end[i] - start <= s->complete);
	}
	return count;
}

/* Searches until k sets are sure to be the first; *sure as in give_best. */
static symcf_status find_best(symcf_ensemble_search *s, uint64_t k, symcf_control *control,
                              int64_t *sure)
{
	*sure = 0;
	s->in_steps = true;
	while (s->stage != DONE && (s->stage != MAPPED || !s->query.cost)) {
		*sure = least_cost(s);
		if (s->stage != NEW && count_sure(s, *sure) >= k)
			return SYMCF_OK;
		TRY(go_on(s, control));
	}
	if (s->stage == DONE) {
		*sure = INT64_MAX;
		return SYMCF_OK;
	}
	for (int64_t limit = least_cost(s); count_sure(s, *sure) < k;) {
		TRY(symcf_ensemble_map_run(&s->map, limit, s->query.max_changes, control));
		TRY(take_mapped(s, s->query.max_changes));
		if (s->map.next_limit == INT64_MAX) {
			*sure = INT64_MAX;
			s->stage = DONE;
			return SYMCF_OK;
		}
		*sure = limit + 1;
		limit = s->map.next_limit > limit + limit / 8 ? s->map.next_limit : limit + limit / 8 + 1;
	}
	return SYMCF_OK;
}

symcf_status symcf_ensemble_best(symcf_ensemble_search *s, uint64_t k, symcf_control *control,
                                 symcf_sets *sets)
{
	symcf_sets all = {0};
	int64_t sure;
	uint64_t given;
	const symcf_status found = find_best(s, k, control, &sure);
	if (found && found != SYMCF_LIMIT_TIME)
		return found;
	symcf_status status = symcf_sets_append(&all, &s->ready);
	if (!status)
		status = symcf_sets_sort_from(&all, 0, s->query.cost, NULL);
	if (!status)
		status = give_best(s, &all, k, sure, sets, &given);
	symcf_sets_free_arrays(&all);
	return status ? status : found;
}

/* -------------------------------------------------------------------- reasons ---------------- */

/* The edges that contain no other edge. */
static symcf_status list_reasons(symcf_ensemble_search *s, symcf_control *control,
                                 symcf_sets *reasons)
{
	ensemble_map *m = &s->map;
	TRY(symcf_ensemble_map_list_edges(m, control));
	for (uint64_t i = 0; i < m->edges.n_sets; i++) {
		if (symcf_ensemble_map_is_minimal(m, i))
			TRY(symcf_sets_push(reasons, s->features,
			                    to_features(s, m->edges.words + i * m->width)));
		TRY(symcf_tick(control, (uint32_t)(m->edges.n_sets & 0xFFFFFF)));
	}
	return SYMCF_OK;
}

symcf_status symcf_ensemble_reasons(symcf_ensemble_search *s, symcf_control *control,
                                    symcf_sets *reasons)
{
	const uint32_t most = s->query.max_changes;
	const uint64_t sets = reasons->n_sets, features = reasons->n_features;
	TRY(symcf_poll(control));
	while (s->stage == NEW || s->stage == SMALL)
		TRY(go_on(s, control));
	if (!s->has_map) {
		if (s->stage == DONE && s->ready.n_sets && !s->ready.n_features)
			return SYMCF_OK; /* the row has the wanted class: nothing keeps it from it */
		s->query.max_changes = UINT32_MAX;
		const symcf_status status = begin_map(s, control);
		s->query.max_changes = most;
		TRY(status);
	}
	TRY(symcf_ensemble_map_run(&s->map, INT64_MAX, UINT32_MAX, control));
	TRY(take_mapped(s, most));
	s->stage = DONE;
	const symcf_status status = list_reasons(s, control, reasons);
	if (status) {
		reasons->n_sets = sets;
		reasons->n_features = features;
	}
	return status;
}

/* ------------------------------------------------------------------- one row ----------------- */

static void write_row(const symcf_ensemble_search *s, const ensemble_masks *o, uint32_t *row)
{
	const symcf_ensemble *e = s->e;
	memcpy(row, s->query.x, e->n * sizeof *row);
	for (uint32_t a = 0; a < s->n_active; a++) {
		const uint32_t j = s->active[a], place = o->witness[a];
		const uint32_t at =
			place & ENSEMBLE_SPECIAL ? e->n_line[j] + (place & ~ENSEMBLE_SPECIAL) : place;
		row[j] = e->code[e->value_offset[j] + at];
	}
}

static symcf_status find(symcf_ensemble_search *s, symcf_control *control, bool *found,
                         uint32_t *row)
{
	TRY(begin_map(s, control));
	memset(s->bits, 0xFF, (s->e->n / 64 + 1) * sizeof *s->bits);
	for (uint32_t c = 0; c < s->map.n_oracles && !*found; c++) {
		TRY(symcf_ensemble_masks_search(&s->map.oracles[c], s->bits, control, found));
		if (*found)
			write_row(s, &s->map.oracles[c], row);
	}
	return SYMCF_OK;
}

symcf_status symcf_ensemble_find(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                 uint32_t sink, symcf_control *control, bool *found, uint32_t *row)
{
	symcf_ensemble_search *s = NULL;
	*found = false;
	TRY(symcf_ensemble_open(e, q, k, sink, &s));
	const symcf_status status = find(s, control, found, row);
	symcf_ensemble_close(s);
	return status;
}
