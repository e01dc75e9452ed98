/* cover_best.c: the k first minimal covers by (cost, size, features), exactly.
 *
 * Where there are few, they are listed and sorted. Where all costs are equal, sizes are tried from
 * the smallest on, each in lexicographic order (cover_lex.c). The rest of this file is for costs
 * that differ. To find a cheapest cover is the knapsack problem, NP-hard, so the worst case stays
 * exponential; what follows is the reason why it is hardly ever met.
 *
 * The core. Let a / b be the cost per unit of gain of the item at which the fractional optimum stops,
 * and loss[j] = b cost[j] - a gain[j]. For any cover S that gains `over` more than the deficit D,
 *
 *     b cost(S) = a D + sum of loss[j] over S + a over.
 *
 * This is least, without regard to `over`, for the *ideal* set of all j with loss[j] < 0. So with
 * B = a D + the losses of the ideal set, and S obtained from it by flipping a set X of positions,
 *
 *     b cost(S) - B = sum of |loss[j]| over X + a over,     all terms >= 0.
 *
 * All covers with cost <= C are found by flipping, in order of |loss|, what the *slack* b C - B can
 * pay for. Of a thousand features with random costs a dozen can be flipped at all for the ten
 * cheapest covers (Balas & Zemel 1980 named them the core), and a few thousand flips suffice.
 * Products of two 62-bit numbers are exact in 128 bits; nothing is rounded.
 *
 * The size. Where max_changes forbids the fractional optimum, the cost is no guide alone: a member
 * is charged p cost[j] + q instead, and a cover is credited q for each of the M = max_changes members
 * it does without:
 *
 *     b p cost(S) - (B - b q M) = sum of |loss[j]| over X + a over + b q (M - |S|),
 *
 * again all terms >= 0. The q at which the fractional optimum has M members serves best.
 *
 * The k-th cost. Try a C: if the covers up to C are k or more and not too many, sort them. If they
 * are fewer than k, raise C; if too many, lower it. Should C and C + 1 be too few and too many, then
 * more covers cost exactly C + 1 than one would list, and cover_lex.c finds the first of them, size
 * by size. */
#include "cover.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

typedef __int128 wide;

typedef struct flip {
	wide loss; /* its magnitude */
	int64_t gain, cost;
	uint32_t feature;
	bool ideal;
} flip;

typedef struct core {
	const symcf_cover *e;
	const int64_t *cost;
	wide a, b, base; /* base: of b p cost                                        */
	int64_t p, q;
	flip *flip;         /* m, by rising loss                                        */
	int64_t *can_add;   /* m + 1: gains of the flips from i on that add a feature   */
	int64_t *can_drop;  /* m + 1: ... that drop one                                 */
	uint32_t *drops;    /* m + 1: how many these are                                */
	uint32_t *chosen;   /* m: the flips made                                        */
	uint32_t *features; /* m: of a set that is written                              */
	uint8_t *member;    /* n: is the feature in the set now?                        */
	/* the ideal set */
	int64_t gain, price;
	uint32_t size;
	int64_t total;     /* of all costs */
	uint64_t patience; /* flips to try before calling the covers too many          */
} core;

/* ------------------------------------------------------------- the core ---------------------- */

static bool loses_less(const flip *a, const flip *b, void *unused)
{
	(void)unused;
	return a->loss != b->loss ? a->loss < b->loss : a->feature < b->feature;
}

#define SORT_NAME sort_flips
#define SORT_TYPE flip
#define SORT_BEFORE loses_less
#include "sort.h"

static int64_t charge(const core *c, uint32_t feature)
{
	return c->p * c->cost[feature] + c->q;
}

/* Finds a and b for the charges. items: m entries of scratch.
 * ensures: returns how many members the fractional optimum has whole. */
static uint32_t find_multiplier(core *c, cover_item *items)
{
	const symcf_cover *e = c->e;
	for (uint32_t i = 0; i < e->m; i++)
		items[i] = (cover_item){e->gain[i], charge(c, e->feature[i]), i};
	symcf_cover_sort_by_ratio(items, items + e->m, e->m);
	uint32_t last = 0;
	for (int64_t gain = items[0].gain; gain < e->deficit; gain += items[last].gain)
		last++;
	c->a = items[last].weight;
	c->b = items[last].gain;
	return last;
}

/* Raises q until the fractional optimum has as few members as allowed. */
static void charge_members(core *c, cover_item *items)
{
	enum { SHARP_COSTS = 48, LARGE_COSTS = 52, DIGITS = 16 };
	const int64_t sum = c->total;
	if (sum >> LARGE_COSTS)
		return;
	while (c->p * sum < (int64_t)1 << SHARP_COSTS)
		c->p *= 2;
	int64_t low = 0, high = c->p * sum / c->e->m + 1;
	const int64_t highest = ((int64_t)1 << 60) / c->e->m;
	for (c->q = high; find_multiplier(c, items) >= c->e->max_changes && high < highest / 2;) {
		low = high;
		c->q = high *= 2;
	}
	while (high - low > high >> DIGITS) {
		c->q = low + (high - low) / 2;
		if (find_multiplier(c, items) >= c->e->max_changes)
			low = c->q;
		else
			high = c->q;
	}
}

static void find_losses(core *c)
{
	const symcf_cover *e = c->e;
	c->base = c->a * e->deficit - c->b * c->q * e->max_changes;
	for (uint32_t i = 0; i < e->m; i++) {
		const uint32_t feature = e->feature[i];
		const int64_t gain = e->gain[i], cost = c->cost[feature];
		const wide loss = c->b * charge(c, feature) - c->a * gain;
		const bool ideal = loss < 0;
		c->flip[i] = (flip){ideal ? -loss : loss, gain, cost, feature, ideal};
		c->member[feature] = ideal;
		if (ideal) {
			c->base += loss;
			c->gain += gain;
			c->price += cost;
			c->size++;
		}
	}
	sort_flips(c->flip, c->flip + e->m, e->m, NULL, NULL);
}

/* ensures: scratch for the items of the covers, twice. */
static cover_item *lay_out(arena *a, core *c)
{
	const uint64_t m = c->e->m;
	c->flip = symcf_arena_take(a, 2 * m, sizeof *c->flip); /* the second half for sorting */
	c->can_add = symcf_arena_take(a, m + 1, sizeof *c->can_add);
	c->can_drop = symcf_arena_take(a, m + 1, sizeof *c->can_drop);
	c->chosen = symcf_arena_take(a, m, sizeof *c->chosen);
	c->features = symcf_arena_take(a, m, sizeof *c->features);
	c->drops = symcf_arena_take(a, m + 1, sizeof *c->drops);
	c->member = symcf_arena_take(a, c->e->t->n, sizeof *c->member);
	return symcf_arena_take(a, 2 * m, sizeof(cover_item));
}

static symcf_status set_up_core(core *c, arena *a)
{
	lay_out(a, c);
	TRY(symcf_arena_open(a));
	cover_item *items = lay_out(a, c);
	memset(c->member, 0, c->e->t->n);
	c->p = 1;
	for (uint32_t i = 0; i < c->e->m; i++)
		c->total += c->cost[c->e->feature[i]];
	if (find_multiplier(c, items) >= c->e->max_changes)
		charge_members(c, items);
	find_losses(c);
	return SYMCF_OK;
}

/* How many flips the slack can pay for, one at a time. */
static uint32_t affordable(core *c, wide slack)
{
	uint32_t count = 0;
	while (count < c->e->m && c->flip[count].loss <= slack)
		count++;
	c->can_add[count] = c->can_drop[count] = c->drops[count] = 0;
	for (uint32_t i = count; i-- > 0;) {
		const flip *f = &c->flip[i];
		c->can_add[i] = c->can_add[i + 1] + (f->ideal ? 0 : f->gain);
		c->can_drop[i] = c->can_drop[i + 1] + (f->ideal ? f->gain : 0);
		c->drops[i] = c->drops[i + 1] + f->ideal;
	}
	return count;
}

/* -------------------------------------------------------- covers up to a cost ---------------- */

/* Is no member dispensable if the set gains `over` more than needed? */
static bool is_minimal(const core *c, int64_t over)
{
	const symcf_cover *e = c->e;
	for (uint32_t i = e->m; i-- > 0 && e->gain[i] <= over;)
		if (c->member[e->feature[i]])
			return false;
	return true;
}

static symcf_status write_members(const core *c, symcf_sets *sets)
{
	uint32_t size = 0;
	for (uint32_t j = 0; j < c->e->t->n; j++)
		if (c->member[j])
			c->features[size++] = j;
	return symcf_sets_push(sets, c->features, size);
}

typedef struct current {
	wide slack; /* what is left of it */
	int64_t gain, cost;
	uint32_t size;
} current;

static void make_flip(core *c, current *now, uint32_t i, bool undo)
{
	const flip *f = &c->flip[i];
	const bool adds = f->ideal == undo;
	now->slack += undo ? f->loss : -f->loss;
	now->gain += adds ? f->gain : -f->gain;
	now->cost += adds ? f->cost : -f->cost;
	now->size += adds ? 1 : UINT32_MAX;
	c->member[f->feature] = adds;
}

/* May flips from i on still lead to a cover that the slack pays for? */
static bool may_lead_on(const core *c, const current *now, uint32_t i)
{
	const int64_t over = now->gain - c->e->deficit;
	return over + c->can_add[i] >= 0 && c->a * (over - c->can_drop[i]) <= now->slack &&
	       now->size <= c->e->max_changes + c->drops[i];
}

/* Appends the minimal covers up to the cost: all of them (SYMCF_OK), or gives up after more than
 * `most`, or when patience ends (SYMCF_MORE). */
static symcf_status covers_up_to(core *c, int64_t cost, uint64_t most, symcf_control *control,
                                 symcf_sets *sets)
{
	const symcf_cover *e = c->e;
	current now = {c->b * c->p * cost - c->base, c->gain, c->price, c->size};
	const uint32_t count = affordable(c, now.slack);
	uint64_t patience = c->patience;
	uint32_t depth = 0, i = 0;
	bool fresh = true;
	symcf_status status = SYMCF_OK;
	while (status == SYMCF_OK) {
		const int64_t over = now.gain - e->deficit;
		if (fresh && over >= 0 && now.cost <= cost && now.size <= e->max_changes &&
		    is_minimal(c, over)) {
			status = sets->n_sets == most ? SYMCF_MORE : write_members(c, sets);
			if (status != SYMCF_OK)
				break;
		}
		fresh = i < count && c->flip[i].loss <= now.slack && may_lead_on(c, &now, i);
		if (fresh) {
			make_flip(c, &now, i, false);
			c->chosen[depth++] = i++;
		} else if (depth) {
			make_flip(c, &now, i = c->chosen[--depth], true);
			i++;
		} else {
			break;
		}
		status = patience-- ? symcf_tick(control, 16) : SYMCF_MORE;
	}
	while (depth)
		make_flip(c, &now, c->chosen[--depth], true);
	return status;
}

/* ----------------------------------------------------------------- the k-th cost ------------- */

/* The smallest size at which the gains suffice. */
static uint32_t smallest_size(const symcf_cover *e)
{
	uint32_t size = 1;
	while (cover_reach(e, 0, size) < e->deficit)
		size++;
	return size;
}

/* Completes `sets` to k with the first covers of exactly this cost (any, if cost is NULL), if there
 * are as many. */
static symcf_status add_by_size(const symcf_cover *e, const int64_t *cost, int64_t total,
                                uint64_t k, symcf_control *control, symcf_sets *sets)
{
	symcf_status status = SYMCF_OK;
	for (uint32_t size = smallest_size(e); size <= e->max_changes && sets->n_sets < k; size++) {
		status = symcf_cover_lex(e, cost, total, size, k - sets->n_sets, control, sets);
		if (status != SYMCF_OK)
			break;
	}
	return status;
}

/* The search for the cost of the k-th cover: all up to `low` are known and fewer than k; up to
 * `high`, if that is not -1, there are too many. */
typedef struct bracket {
	int64_t low, high, step, total;
} bracket;

static int64_t next_cost(bracket *b)
{
	if (b->high >= 0)
		return b->low + (b->high - b->low) / 2;
	const int64_t room = b->total - b->low, step = b->step < room ? b->step : room;
	b->step = b->step < b->total / 2 ? 2 * b->step : b->total;
	return b->low + (step > 1 ? step : 1);
}

static bracket first_bracket(const core *c)
{
	enum { TYPICAL_CORE = 12 };
	const symcf_cover *e = c->e;
	const wide unit = c->b * c->p;
	const wide least = c->base > 0 ? (c->base + unit - 1) / unit : 1;
	bracket b = {.low = (int64_t)least - 1, .high = -1, .total = c->total};
	const uint32_t typical = e->m > TYPICAL_CORE ? TYPICAL_CORE : e->m - 1;
	b.step = (int64_t)(c->flip[typical].loss / unit) + 1;
	return b;
}

static symcf_status search(core *c, uint64_t k, symcf_control *control, symcf_sets *known)
{
	enum { FIRST_PATIENCE = 1 << 18, LATER_PATIENCE = 8 };
	symcf_sets found = {0};
	symcf_status status = SYMCF_OK;
	bracket b = first_bracket(c);
	c->patience = FIRST_PATIENCE;
	while (status == SYMCF_OK && known->n_sets < k && b.low < b.total) {
		const int64_t cost = next_cost(&b);
		symcf_sets_clear(&found);
		status = covers_up_to(c, cost, 4 * k + 64, control, &found);
		if (status == SYMCF_OK) {
			const symcf_sets old = *known;
			*known = found;
			found = old;
			b.low = cost;
		} else if (status == SYMCF_MORE) {
			b.high = cost;
			status = SYMCF_OK;
		}
		if (status == SYMCF_OK && b.high == b.low + 1) {
			status = add_by_size(c->e, c->cost, b.high, k, control, known);
			b.low = b.high;
			b.high = -1;
			c->patience *= LATER_PATIENCE;
		}
	}
	symcf_sets_free_arrays(&found);
	return status;
}

static symcf_status best_by_cost(const symcf_cover *e, const int64_t *cost, uint64_t k,
                                 symcf_control *control, symcf_sets *sets)
{
	core c = {.e = e, .cost = cost};
	arena a = {0};
	symcf_status status = set_up_core(&c, &a);
	if (status == SYMCF_OK)
		status = search(&c, k, control, sets);
	symcf_arena_close(&a);
	return status;
}

/* ------------------------------------------------------------------ the result --------------- */

static bool costs_are_equal(const symcf_cover *e, const int64_t *cost)
{
	for (uint32_t i = 1; cost && i < e->m; i++)
		if (cost[e->feature[i]] != cost[e->feature[0]])
			return false;
	return true;
}

static symcf_status find_best(symcf_cover *e, const int64_t *cost, uint64_t k,
                              symcf_control *control, symcf_sets *sets)
{
	enum { FEW = 1000 };
	uint64_t n_sets, n_features;
	symcf_status status =
		symcf_cover_tally_some(e, control, k < FEW / 4 ? FEW : k * 4, &n_sets, &n_features);
	if (status == SYMCF_OK)
		status = symcf_cover_next(e, control, UINT64_MAX, sets);
	else if (status == SYMCF_MORE && costs_are_equal(e, cost))
		return add_by_size(e, NULL, 0, k, control, sets);
	else if (status == SYMCF_MORE)
		status = best_by_cost(e, cost, k, control, sets);
	return status == SYMCF_OK ? symcf_sets_sort_from(sets, 0, cost, control) : status;
}

symcf_status symcf_cover_best(const symcf_threshold *t, const symcf_query *q, uint64_t k,
                              symcf_control *control, symcf_sets *sets)
{
	static const uint64_t MOST = (uint64_t)1 << 60; /* more than any memory holds */
	symcf_cover *e;
	symcf_sets found = {0};
	symcf_status status = symcf_cover_open(t, q, &e);
	if (status != SYMCF_OK)
		return status;
	if (k)
		status = find_best(e, q->cost, k < MOST ? k : MOST, control, &found);
	const uint64_t n_sets = sets->n_sets, n_features = sets->n_features;
	for (uint64_t i = 0, at = 0; status == SYMCF_OK && i < found.n_sets && i < k;
	     at = found.end[i++])
		status = symcf_sets_push(sets, found.features + at, (uint32_t)(found.end[i] - at));
	if (status != SYMCF_OK) {
		sets->n_sets = n_sets;
		sets->n_features = n_features;
	}
	symcf_sets_free_arrays(&found);
	symcf_cover_free(e);
	return status;
}
