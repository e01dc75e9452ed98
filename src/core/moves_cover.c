/* moves_cover.c: counterfactuals in which nothing can be moved less far, where sums of weights decide.
 *
 * The problem is that of moves.c, with its chains and steps, for threshold functions, without a
 * diagram. Each feature adds to a sum by itself: at step s it gains gain(s) over what it adds at x, and
 * gains that reach the deficit flip the decision.
 *
 *   - With one sum, a step matters only if it gains more than all before it on its chain: a *record*.
 *     Else the best of those before it does as well, and is nearer.
 *   - A choice of records that reaches the deficit is move-minimal iff going back to the record before,
 *     in any one feature, does not reach it. For whatever lies nearer gains no more than that.
 *
 * So we choose records depth first, features by falling largest gain, and know from the sums of what
 * the others can gain at most whether it still can succeed. As soon as the deficit is reached no other
 * feature may move, and what is too much must be less than the least of the last gains.
 *
 * With several rivals, of which one has to win (multiclass_cover.c), each is searched by itself. What
 * is found counts if it is minimal for all: for each other rival, the best that lies nearer is known
 * from the largest gain up to each step and before it. The first rival that it flips reports it.
 *
 * Unlike in cover.c a branch can be fruitless: what is too much is known at the end only. On two-valued
 * features the search is that of cover.c, and none is.
 *
 * The k cheapest come from the same search, which then gives up where the k-th so far is cheaper than
 * what has been spent and the least that the rest can cost: the rest's best price for a gain times
 * what is missing.
 */
#include <assert.h>
#include <string.h>

#include "arena.h"
#include "memory.h"
#include "moves_cover.h"
#include "symcf.h"
#include "try.h"

/* -------------------------------------------------------------- the instance ----------------- */

static inline int64_t *gains(const symcf_moves_cover *e, uint32_t rival)
{
	return e->gain + (uint64_t)rival * e->n_steps;
}

static inline int64_t *befores(const symcf_moves_cover *e, uint32_t rival)
{
	return e->before + (uint64_t)rival * e->n_steps;
}

/* What going back from a step loses at least; INT64_MAX if there is no way back. */
static inline int64_t last_gain(const int64_t *gain, const int64_t *before, uint32_t s)
{
	return before[s] == COVER_NO_GAIN ? INT64_MAX : gain[s] - before[s];
}

static void lay_out(arena *a, symcf_moves_cover *e)
{
	const uint64_t n = e->m->n, s = e->n_steps;
	e->gain = symcf_arena_take(a, e->n_rivals * s, sizeof *e->gain);
	e->before = symcf_arena_take(a, e->n_rivals * s, sizeof *e->before);
	e->deficit = symcf_arena_take(a, e->n_rivals, sizeof *e->deficit);
	e->price = symcf_arena_take(a, s, sizeof *e->price);
	e->first = symcf_arena_take(a, s, sizeof *e->first);
	e->must = symcf_arena_take(a, n, sizeof *e->must);
	e->members = symcf_arena_take(a, e->most_members ? e->most_members : s, sizeof *e->members);
	e->feature = symcf_arena_take(a, 2 * n, sizeof *e->feature);
	e->record_start = symcf_arena_take(a, n + 1, sizeof *e->record_start);
	e->record = symcf_arena_take(a, s, sizeof *e->record);
	e->largest = symcf_arena_take(a, n, sizeof *e->largest);
	e->sum = symcf_arena_take(a, n + 1, sizeof *e->sum);
	e->bargain = symcf_arena_take(a, n, sizeof *e->bargain);
	e->above = symcf_arena_take(a, n + 1, sizeof *e->above);
}

/* Chains: where each begins, and what its moves cost. */
static void price_moves(symcf_moves_cover *e)
{
	const symcf_moves *m = e->m;
	for (uint32_t c = 0; c < m->chain_start[m->n]; c++)
		for (uint32_t s = m->step_start[c]; s < m->step_start[c + 1]; s++) {
			e->first[s] = m->step_start[c];
			e->price[s] = e->cost[s] + (s == e->first[s] ? 0 : e->price[s - 1]);
		}
}

static void find_gains(symcf_moves_cover *e, const symcf_threshold *t, bool upwards, uint32_t r)
{
	const symcf_moves *m = e->m;
	const int64_t score = symcf_threshold_score(t, m->x), sign = upwards ? 1 : -1;
	int64_t *gain = gains(e, r), *before = befores(e, r);
	e->deficit[r] = upwards ? -score : score + 1;
	for (uint32_t j = 0; j < m->n; j++) {
		const int64_t *weight = t->weight + t->value_offset[j];
		const uint32_t end = m->step_start[m->chain_start[j + 1]];
		for (uint32_t s = m->step_start[m->chain_start[j]]; s < end; s++) {
			gain[s] = sign * (weight[m->code[s]] - weight[m->x[j]]);
			before[s] = 0;
			if (s != e->first[s])
				before[s] = gain[s - 1] > before[s - 1] ? gain[s - 1] : before[s - 1];
		}
	}
}

/* ------------------------------------------------------------------ a rival ------------------ */

/* Is the price of a for its gain better than that of b? */
static bool is_cheaper(const symcf_moves_cover *e, const int64_t *gain, uint32_t a, uint32_t b)
{
	return (__int128)e->price[a] * gain[b] < (__int128)e->price[b] * gain[a];
}

static bool gains_more(const uint32_t *a, const uint32_t *b, void *context)
{
	const symcf_moves_cover *e = context;
	return e->largest[*a] > e->largest[*b];
}

#define SORT_NAME sort_by_gain
#define SORT_TYPE uint32_t
#define SORT_BEFORE gains_more
#include "sort.h"

/* Is the step worth taking, for the rival whose turn it is? */
static bool is_record(const symcf_moves_cover *e, uint32_t s)
{
	return gains(e, e->turn)[s] > befores(e, e->turn)[s];
}

/* The features that can gain, by falling largest gain, after those that may not stay. ensures: false if
 * one of these has nowhere to go. */
static bool sort_features(symcf_moves_cover *e)
{
	const symcf_moves *m = e->m;
	const int64_t *gain = gains(e, e->turn);
	e->n_moving = e->n_must = 0;
	for (int must = 1; must >= 0; must--) {
		for (uint32_t j = 0; j < m->n; j++) {
			if (e->must[j] != must)
				continue;
			const uint32_t end = m->step_start[m->chain_start[j + 1]];
			e->largest[j] = must ? COVER_NO_GAIN : 0;
			for (uint32_t s = m->step_start[m->chain_start[j]]; s < end; s++)
				if (is_record(e, s) && gain[s] > e->largest[j])
					e->largest[j] = gain[s];
			if (e->largest[j] == COVER_NO_GAIN)
				return false;
			if (must || e->largest[j])
				e->feature[e->n_moving++] = j;
		}
		e->n_must = must ? e->n_moving : e->n_must;
	}
	const uint32_t rest = e->n_moving - e->n_must;
	sort_by_gain(e->feature + e->n_must, e->feature + e->n_moving, rest, e, NULL);
	return true;
}

static void list_records(symcf_moves_cover *e)
{
	const symcf_moves *m = e->m;
	const int64_t *gain = gains(e, e->turn);
	uint32_t used = 0;
	e->sum[0] = 0;
	for (uint32_t i = 0; i < e->n_moving; i++) {
		const uint32_t j = e->feature[i], end = m->step_start[m->chain_start[j + 1]];
		e->sum[i + 1] = e->sum[i] + e->largest[j];
		e->record_start[i] = used;
		for (uint32_t s = m->step_start[m->chain_start[j]]; s < end; s++)
			if (is_record(e, s))
				e->record[used++] = s;
	}
	e->record_start[e->n_moving] = used;
	for (uint32_t i = e->n_moving; i-- > e->n_must;) {
		uint32_t best = i + 1 < e->n_moving ? e->bargain[i + 1] : e->record[e->record_start[i]];
		for (uint32_t k = e->record_start[i]; k < e->record_start[i + 1]; k++)
			best = is_cheaper(e, gain, e->record[k], best) ? e->record[k] : best;
		e->bargain[i] = best;
	}
}

/* What the features from a depth on can gain with so many changes, at most. */
static inline int64_t reach(const symcf_moves_cover *e, uint32_t depth, uint32_t changes)
{
	const uint32_t left = e->n_moving - depth;
	const bool all = depth < e->n_must || changes > left;
	return e->sum[depth + (all ? left : changes)] - e->sum[depth];
}

/* Sets out for the rival whose turn it is; those that cannot win are left out. */
static void begin_turn(symcf_moves_cover *e)
{
	for (; e->turn < e->n_rivals; e->turn++) {
		if (!sort_features(e))
			continue;
		list_records(e);
		if (reach(e, 0, e->m->max_changes) >= e->deficit[e->turn])
			break;
	}
	e->depth = 0;
	e->above[0] = (above){.least = INT64_MAX};
}

symcf_status symcf_moves_cover_create(const symcf_moves *m, uint32_t n_rivals, const int64_t *cost,
                                      uint32_t most_members, symcf_moves_cover **out)
{
	symcf_moves_cover *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	e->m = m;
	e->cost = e->set_cost = cost;
	e->n_rivals = n_rivals;
	e->n_steps = m->step_start[m->chain_start[m->n]];
	e->most_members = most_members;
	lay_out(&e->arena, e);
	const symcf_status status = symcf_arena_open(&e->arena);
	if (status) {
		symcf_free(e);
		return status;
	}
	lay_out(&e->arena, e);
	memset(e->must, 0, m->n * sizeof *e->must);
	price_moves(e);
	*out = e;
	return SYMCF_OK;
}

void symcf_moves_cover_begin(symcf_moves_cover *e)
{
	e->turn = 0;
	begin_turn(e);
}

symcf_status symcf_moves_cover_open(const symcf_threshold *const *rival, uint32_t n_rivals,
                                    bool upwards, const symcf_moves *m, const int64_t *cost,
                                    symcf_moves_cover **out)
{
	for (uint32_t r = 0; r < n_rivals; r++)
		if (rival[r]->n != m->n)
			return SYMCF_INVALID;
	symcf_moves_cover *e = NULL;
	symcf_status status = symcf_moves_cover_create(m, n_rivals, cost, 0, &e);
	for (uint32_t r = 0; r < n_rivals && !status; r++) {
		find_gains(e, rival[r], upwards, r);
		if (e->deficit[r] <= 0)
			status = SYMCF_INVALID;
	}
	if (status) {
		symcf_moves_cover_free(e);
		return status;
	}
	symcf_moves_cover_begin(e);
	*out = e;
	return SYMCF_OK;
}

void symcf_moves_cover_free(symcf_moves_cover *e)
{
	if (!e)
		return;
	symcf_arena_close(&e->arena);
	symcf_free(e);
}

/* ------------------------------------------------------------------ search ------------------- */

/* Where sets go. */
typedef struct output {
	symcf_sets *sets; /* NULL: they are only counted                     */
	uint64_t n_sets, limit;
	/* of the k cheapest: at most so many are kept, and what the last of them is like */
	uint64_t k;
	int64_t worst_cost;
	uint32_t worst_steps;
} output;

/* The step taken at a depth; UINT32_MAX if the feature stays. */
static inline uint32_t taken(const symcf_moves_cover *e, uint32_t depth)
{
	const uint32_t tried = e->above[depth].next - 1, first = e->record_start[depth];
	return tried < e->record_start[depth + 1] - first ? e->record[first + tried] : UINT32_MAX;
}

/* Is what the search has chosen minimal for rival q, too, and is it not q's to report? */
static bool is_minimal_for(const symcf_moves_cover *e, uint32_t q)
{
	const int64_t *gain = gains(e, q), *before = befores(e, q);
	int64_t total = 0, nearer = 0, lost = INT64_MAX;
	for (uint32_t i = 0; i <= e->depth; i++) {
		const uint32_t s = taken(e, i);
		if (s == UINT32_MAX)
			continue;
		const int64_t last = last_gain(gain, before, s);
		total += gain[s];
		nearer += last < 0 ? before[s] : gain[s];
		lost = last < lost ? last : lost;
	}
	if (q < e->turn && total >= e->deficit[q])
		return false;
	return lost == INT64_MAX || nearer - (lost < 0 ? 0 : lost) < e->deficit[q];
}

static bool is_minimal(const symcf_moves_cover *e)
{
	for (uint32_t q = 0; q < e->n_rivals; q++)
		if (q != e->turn && !is_minimal_for(e, q))
			return false;
	return true;
}

/* Keeps the k cheapest of what was gathered. */
static symcf_status keep_cheapest(const symcf_moves_cover *e, symcf_control *control, output *out)
{
	symcf_sets *sets = out->sets;
	TRY(symcf_sets_sort_from(sets, 0, e->set_cost, control));
	if (sets->n_sets < out->k)
		return SYMCF_OK;
	sets->n_sets = out->k;
	sets->n_features = sets->end[out->k - 1];
	const uint64_t first = out->k > 1 ? sets->end[out->k - 2] : 0;
	out->worst_cost = 0;
	out->worst_steps = (uint32_t)(sets->n_features - first);
	for (uint64_t i = first; i < sets->n_features; i++)
		out->worst_cost += e->set_cost ? e->set_cost[sets->features[i]] : 1;
	return SYMCF_OK;
}

/* How many elements of a set a step stands for, with those before it. */
static uint32_t size_of(const symcf_moves_cover *e, uint32_t s)
{
	return e->member ? e->member_start[s + 1] - e->member_start[s] : s - e->first[s] + 1;
}

/* Puts a number in its place among those before it. */
static void insert(uint32_t *sorted, uint32_t size, uint32_t number)
{
	for (; size && sorted[size - 1] > number; size--)
		sorted[size] = sorted[size - 1];
	sorted[size] = number;
}

/* The steps of what was chosen, ascending, from the last ones of their chains. */
static uint32_t steps_chosen(symcf_moves_cover *e)
{
	uint32_t *last = e->members, size = 0, n_steps = 0;
	for (uint32_t i = 0; i <= e->depth; i++) {
		const uint32_t s = taken(e, i);
		if (s == UINT32_MAX)
			continue;
		insert(last, size++, s);
		n_steps += size_of(e, s);
	}
	for (uint32_t at = n_steps; size--;) /* from the end, so that no step is overwritten unread */
		for (uint32_t s = last[size] + 1, begin = e->first[last[size]]; s-- > begin;)
			last[--at] = s;
	return n_steps;
}

/* The features that what was chosen stands for, ascending. */
static uint32_t features_chosen(symcf_moves_cover *e)
{
	uint32_t size = 0;
	for (uint32_t i = 0; i <= e->depth; i++) {
		const uint32_t s = taken(e, i);
		if (s == UINT32_MAX)
			continue;
		for (uint32_t at = e->member_start[s]; at < e->member_start[s + 1]; at++)
			insert(e->members, size++, e->member[at]);
	}
	return size;
}

/* Appends what was chosen. */
static symcf_status put(symcf_moves_cover *e, symcf_control *control, output *out)
{
	out->n_sets++;
	if (!out->sets)
		return SYMCF_OK;
	const uint32_t size = e->member ? features_chosen(e) : steps_chosen(e);
	TRY(symcf_sets_push(out->sets, e->members, size));
	/* now and then: as many again, so that sorting is cheap beside finding them */
	const bool many = out->k && out->sets->n_sets >= 64 && out->sets->n_sets / 2 >= out->k;
	return many ? keep_cheapest(e, control, out) : SYMCF_OK;
}

/* Can nothing from here on be among the k cheapest? missing: what is to be gained at this depth or
 * deeper. */
static bool is_too_dear(const symcf_moves_cover *e, const output *out, const above *a,
                        uint32_t depth, int64_t missing)
{
	if (out->worst_cost == INT64_MAX)
		return false;
	__int128 cost = a->cost;
	missing = depth < e->n_must ? 0 : missing;
	if (missing > 0) {
		const uint32_t s = e->bargain[depth];
		const int64_t gain = gains(e, e->turn)[s];
		cost += ((__int128)missing * e->price[s] + gain - 1) / gain;
	}
	return cost > out->worst_cost ||
	       (cost == out->worst_cost && a->steps + (missing > 0) > out->worst_steps);
}

/* Tries the next record of this depth, or to stay. ensures: SYMCF_MORE if another set is not wanted,
 * and then the search stands before it. */
static symcf_status try_next(symcf_moves_cover *e, symcf_control *control, output *out)
{
	above *here = &e->above[e->depth];
	const int64_t deficit = e->deficit[e->turn], *gain = gains(e, e->turn);
	above below = *here;
	below.next = 0;
	here->next++;
	const uint32_t s = taken(e, e->depth);
	if (s == UINT32_MAX && e->depth < e->n_must)
		return SYMCF_OK;
	if (s != UINT32_MAX) {
		const int64_t last = last_gain(gain, befores(e, e->turn), s);
		below.total += gain[s];
		below.least = last < below.least ? last : below.least;
		below.cost += e->price[s];
		below.changes += e->member ? size_of(e, s) : 1;
		below.steps += size_of(e, s);
	}
	const int64_t missing = deficit - below.total;
	if (below.changes > e->m->max_changes)
		return SYMCF_OK;
	if (missing > 0 && reach(e, e->depth + 1, e->m->max_changes - below.changes) < missing)
		return SYMCF_OK;
	if (is_too_dear(e, out, &below, e->depth + 1, missing))
		return SYMCF_OK;
	if (missing <= 0 && e->depth + 1 >= e->n_must) {
		if (-missing >= below.least || !is_minimal(e))
			return SYMCF_OK;
		if (out->n_sets == out->limit) {
			here->next--;
			return SYMCF_MORE;
		}
		return put(e, control, out);
	}
	e->above[++e->depth] = below;
	return SYMCF_OK;
}

static symcf_status search(symcf_moves_cover *e, symcf_control *control, output *out)
{
	while (e->turn < e->n_rivals) {
		const uint32_t i = e->depth;
		TRY(symcf_tick(control, 10));
		if (e->above[i].next <= e->record_start[i + 1] - e->record_start[i]) {
			TRY(try_next(e, control, out));
		} else if (i) {
			e->depth--;
		} else {
			e->turn++;
			begin_turn(e);
		}
	}
	return SYMCF_OK;
}

symcf_status symcf_moves_cover_next(symcf_moves_cover *e, symcf_control *control, uint64_t limit,
                                    symcf_sets *sets)
{
	output out = {.sets = sets, .limit = limit, .worst_cost = INT64_MAX};
	return search(e, control, &out);
}

symcf_status symcf_moves_cover_tally(symcf_moves_cover *e, symcf_control *control, uint64_t *n_sets)
{
	output out = {.limit = UINT64_MAX, .worst_cost = INT64_MAX};
	symcf_moves_cover_begin(e);
	const symcf_status status = search(e, control, &out);
	symcf_moves_cover_begin(e);
	*n_sets = out.n_sets;
	return status;
}

symcf_status symcf_moves_cover_best(symcf_moves_cover *e, uint64_t k, symcf_control *control,
                                    symcf_sets *sets)
{
	output out = {.sets = sets, .limit = UINT64_MAX, .k = k, .worst_cost = INT64_MAX};
	assert(!sets->n_sets);
	if (!k)
		return SYMCF_OK;
	symcf_moves_cover_begin(e);
	symcf_status status = search(e, control, &out);
	symcf_moves_cover_begin(e);
	if (!status)
		status = keep_cheapest(e, control, &out);
	if (status)
		symcf_sets_clear(sets);
	return status;
}
