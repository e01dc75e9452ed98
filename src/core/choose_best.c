/* choose_best.c: the k first change sets by (cost, size, features) where costs depend on the new values.
 *
 * The problem. A change set is a minimal cover (cover.c): its members' largest gains reach the deficit
 * D, and without any of them they do not. Its cost is a second problem: the cheapest values whose
 * gains reach D (choose.c). Listing the sets by the cheapest change of each member and pricing them
 * finds nothing in seconds where there are billions: a set of many small steps looks cheap, but with
 * larger steps fewer features would do, so it is not minimal.
 *
 * The idea. Let l be the member with the smallest largest gain. Without l the largest gains sum to
 * less than D, so all members together may gain less than gain[l] below their largest gains. For a
 * fixed l, the other members come from the positions before l, and only options count that are less
 * than gain[l] below the best one. What is left is nearly a knapsack problem, with a strong bound: for
 * any a, b > 0 and any set S with values that gain D or more,
 *
 *     b cost(S) >= a D + sum over S of the least b cost - a gain among the member's options.
 *
 * So for each l there is a depth-first search over the positions before it, as in cover.c; what cannot
 * beat the k-th best set so far is given up. The l with the lowest bounds come first. a / b is the cost
 * per gain at which the fractional optimum stops. Products of two 62-bit numbers are exact in 128 bits.
 *
 * Costs are often small integers, and equal costs the rule. So a member is charged cost * (n + 1) + 1
 * where that fits: then size is part of the cost. Of equally dear sets of one size, a branch is given
 * up if even the smallest features that it may still take come too late.
 *
 * Several lines (one per other class): a set belongs to the line that it is cheapest for, and must be
 * minimal for all of them (multiclass_cover.c). */
#include <assert.h>
#include <string.h>

#include "arena.h"
#include "choose.h"
#include "cover.h"
#include "memory.h"
#include "try.h"

typedef __int128 wide;

/* A set that was found. */
typedef struct entry {
	int64_t charge;
	uint32_t size;
	uint32_t *features; /* ascending */
} entry;

typedef struct ranking {
	symcf_chooser *c;
	symcf_control *control;
	uint32_t n, max_changes;
	int64_t scale; /* charge = cost * scale + (scale > 1) */
	uint64_t k;
	/* the best so far: a heap with the last one on top */
	entry *heap;
	uint64_t n_found, cap_found;
	/* the line at hand: positions by falling gain */
	uint32_t line, m;
	int64_t deficit;
	int64_t *gain;     /* m, the largest                                        */
	int64_t *rest;     /* m + 1: of the positions from there on                 */
	uint32_t *feature; /* m                                                     */
	/* for each position as the last member */
	int64_t *a, *b;
	wide *root;       /* a bound of b * charge                                 */
	uint32_t *turn;   /* positions by rising bound                             */
	cover_item *item; /* scratch                                               */
	/* the search for one last member */
	wide *reduced;    /* by position: the least b charge - a gain              */
	wide *ideal;      /* by position: the sum of those below 0 from there on   */
	uint32_t *chosen; /* by depth: a position                                  */
	uint32_t *start;  /* by depth: the next position to try                    */
	int64_t *sum;     /* by depth: gains                                       */
	wide *bound;      /* by depth: of the prefix                               */
	uint8_t *state;   /* by feature: see is_too_late                           */
	uint32_t *sorted; /* a set's features                                      */
} ranking;

static void lay_out(arena *a, ranking *g)
{
	const uint64_t n = g->n;
	g->gain = symcf_arena_take(a, n + 1, sizeof *g->gain);
	g->rest = symcf_arena_take(a, n + 1, sizeof *g->rest);
	g->feature = symcf_arena_take(a, n + 1, sizeof *g->feature);
	g->a = symcf_arena_take(a, n, sizeof *g->a);
	g->b = symcf_arena_take(a, n, sizeof *g->b);
	g->root = symcf_arena_take(a, n, sizeof *g->root);
	g->turn = symcf_arena_take(a, 2 * n, sizeof *g->turn);
	g->item = symcf_arena_take(a, 2 * n, sizeof *g->item);
	g->reduced = symcf_arena_take(a, n, sizeof *g->reduced);
	g->ideal = symcf_arena_take(a, n + 1, sizeof *g->ideal);
	g->chosen = symcf_arena_take(a, n + 1, sizeof *g->chosen);
	g->start = symcf_arena_take(a, n + 1, sizeof *g->start);
	g->sum = symcf_arena_take(a, n + 1, sizeof *g->sum);
	g->bound = symcf_arena_take(a, n + 1, sizeof *g->bound);
	g->state = symcf_arena_take(a, n, sizeof *g->state);
	g->sorted = symcf_arena_take(a, n + 1, sizeof *g->sorted);
}

/* ------------------------------------------------------------------ the best so far ---------- */

static int compare(int64_t charge, const uint32_t *features, uint32_t size, const entry *e)
{
	if (charge != e->charge)
		return charge < e->charge ? -1 : 1;
	if (size != e->size)
		return size < e->size ? -1 : 1;
	for (uint32_t i = 0; i < size; i++)
		if (features[i] != e->features[i])
			return features[i] < e->features[i] ? -1 : 1;
	return 0;
}

static bool comes_before(const entry *a, const entry *b)
{
	return compare(a->charge, a->features, a->size, b) < 0;
}

static void sift_down(entry *heap, uint64_t count, uint64_t at)
{
	const entry moved = heap[at];
	for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
		child += child + 1 < count && comes_before(&heap[child], &heap[child + 1]);
		if (!comes_before(&moved, &heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

static bool is_full(const ranking *g)
{
	return g->n_found == g->k;
}

/* The last of the best; requires: as many as wanted were found. */
static const entry *worst(const ranking *g)
{
	return &g->heap[0];
}

static symcf_status keep(ranking *g, int64_t charge, const uint32_t *features, uint32_t size)
{
	if (is_full(g) && compare(charge, features, size, worst(g)) >= 0)
		return SYMCF_OK;
	uint32_t *copy = symcf_allocate(size, sizeof *copy);
	if (!copy)
		return symcf_no_memory();
	memcpy(copy, features, size * sizeof *copy);
	const entry fresh = {charge, size, copy};
	if (is_full(g)) {
		symcf_free(g->heap[0].features);
		g->heap[0] = fresh;
		sift_down(g->heap, g->n_found, 0);
		return SYMCF_OK;
	}
	if (!symcf_grow(&g->heap, &g->cap_found, g->n_found + 1, sizeof *g->heap)) {
		symcf_free(copy);
		return symcf_no_memory();
	}
	uint64_t at = g->n_found++;
	for (; at && comes_before(&g->heap[(at - 1) / 2], &fresh); at = (at - 1) / 2)
		g->heap[at] = g->heap[(at - 1) / 2];
	g->heap[at] = fresh;
	return SYMCF_OK;
}

/* --------------------------------------------------------------------- positions ------------- */

static int64_t charge_of(const ranking *g, choose_unit unit)
{
	return (int64_t)(unit >> 64) * g->scale + (g->scale > 1);
}

/* The most that a feature can gain; 0 or less if nothing. */
static int64_t most_gain(const ranking *g, uint32_t line, uint32_t j)
{
	uint32_t count;
	const choose_option *front = symcf_choose_front(g->c, line, j, &count);
	return count ? front[count - 1].gain : 0;
}

static void find_positions(ranking *g, uint32_t line)
{
	g->line = line;
	g->deficit = -g->c->total[line];
	g->m = 0;
	for (uint32_t j = 0; j < g->n; j++) {
		const int64_t gain = most_gain(g, line, j);
		if (gain <= 0)
			continue;
		uint32_t at = g->m++;
		for (; at && g->gain[at - 1] < gain; at--) {
			g->gain[at] = g->gain[at - 1];
			g->feature[at] = g->feature[at - 1];
		}
		g->gain[at] = gain;
		g->feature[at] = j;
	}
	g->gain[g->m] = g->rest[g->m] = 0;
	for (uint32_t i = g->m; i-- > 0;)
		g->rest[i] = g->rest[i + 1] + g->gain[i];
}

/* The most that `picks` positions from i on, but before `last`, can gain. */
static int64_t reach(const ranking *g, uint32_t i, uint32_t picks, uint32_t last)
{
	return g->rest[i] - g->rest[picks < last - i ? i + picks : last];
}

/* ----------------------------------------------------------------------- bounds -------------- */

/* Whether position p, as a member of sets with this last one, may take the option. */
static bool is_near_best(const ranking *g, uint32_t p, uint32_t last, int64_t gain)
{
	return p == last ? gain > 0 : g->gain[p] - gain < g->gain[last];
}

/* The least b charge - a gain of a position. */
static wide reduced_of(const ranking *g, uint32_t p, uint32_t last)
{
	uint32_t count;
	const choose_option *front = symcf_choose_front(g->c, g->line, g->feature[p], &count);
	wide least = 0;
	bool any = false;
	for (uint32_t o = count; o-- > 0;) {
		const int64_t gain = front[o].gain;
		if (!is_near_best(g, p, last, gain))
			break; /* gains ascend */
		const wide value = (wide)g->b[last] * charge_of(g, front[o].unit) - (wide)g->a[last] * gain;
		least = !any || value < least ? value : least;
		any = true;
	}
	assert(any);
	return least;
}

/* The option of a position with the lowest charge per gain. */
static cover_item cheapest_gain(const ranking *g, uint32_t p, uint32_t last)
{
	uint32_t count;
	const choose_option *front = symcf_choose_front(g->c, g->line, g->feature[p], &count);
	cover_item best = {0, 0, p};
	for (uint32_t o = count; o-- > 0;) {
		const int64_t gain = front[o].gain;
		if (!is_near_best(g, p, last, gain))
			break;
		const int64_t charge = charge_of(g, front[o].unit);
		if (!best.gain || (wide)charge * best.gain < (wide)best.weight * gain)
			best = (cover_item){gain, charge, p};
	}
	return best;
}

/* Finds a and b for a last member: the charge per gain at which the fractional optimum stops. */
static void find_multiplier(ranking *g, uint32_t last)
{
	const cover_item own = cheapest_gain(g, last, last);
	for (uint32_t p = 0; p < last; p++)
		g->item[p] = cheapest_gain(g, p, last);
	symcf_cover_sort_by_ratio(g->item, g->item + last, last);
	int64_t missing = g->deficit - own.gain;
	cover_item stop = own;
	for (uint32_t i = 0; i < last && missing > 0; i++) {
		stop = g->item[i];
		missing -= stop.gain;
	}
	g->a[last] = stop.weight;
	g->b[last] = stop.gain;
}

/* Fills reduced and ideal. ensures: a bound of b * charge for all sets with this last member. */
static wide find_bounds(ranking *g, uint32_t last)
{
	g->ideal[last] = 0;
	for (uint32_t p = last; p-- > 0;) {
		g->reduced[p] = reduced_of(g, p, last);
		g->ideal[p] = g->ideal[p + 1] + (g->reduced[p] < 0 ? g->reduced[p] : 0);
	}
	g->reduced[last] = reduced_of(g, last, last);
	return (wide)g->a[last] * g->deficit + g->reduced[last] + g->ideal[0];
}

/* Is the bound above the k-th best? -1, 0 and 1: below, equal, above. */
static int against_worst(const ranking *g, wide bound, uint32_t last)
{
	if (!is_full(g))
		return -1;
	const wide limit = (wide)g->b[last] * worst(g)->charge, unit = g->b[last];
	return bound > limit ? 1 : bound > limit - unit ? 0 : -1; /* charges are integers */
}

/* ----------------------------------------------------------------------- search -------------- */

enum { OUT, IN, OPEN };

/* Sets as dear as the k-th best, and as large: do even the smallest features that may still join come
 * too late? requires: size is part of the charge. */
static bool is_too_late(ranking *g, uint32_t depth, uint32_t next, uint32_t last)
{
	const entry *w = worst(g);
	if (g->scale == 1)
		return false;
	if (depth + 1 > w->size)
		return true;
	memset(g->state, OUT, g->n * sizeof *g->state);
	for (uint32_t i = 0; i < depth; i++)
		g->state[g->feature[g->chosen[i]]] = IN;
	g->state[g->feature[last]] = IN;
	for (uint32_t p = next; p < last; p++)
		g->state[g->feature[p]] = OPEN;
	uint32_t open = w->size - depth - 1, at = 0;
	for (uint32_t j = 0; j < g->n; j++) {
		const bool theirs = at < w->size && w->features[at] == j;
		const bool ours = g->state[j] == IN || (g->state[j] == OPEN && open);
		open -= g->state[j] == OPEN && ours;
		at += theirs;
		if (ours != theirs)
			return theirs;
	}
	return true; /* the same set */
}

/* Is the set minimal for all other lines, too, and is this the first of those it is cheapest for? */
static symcf_status price(ranking *g, const uint32_t *features, uint32_t size, bool *accepted,
                          choose_unit *unit)
{
	symcf_chooser *c = g->c;
	*accepted = false;
	TRY(symcf_choose_line(c, g->line, features, size, g->control, NULL, unit));
	for (uint32_t r = 0; r < c->n_lines; r++) {
		if (r == g->line)
			continue;
		int64_t sum = 0, least = INT64_MAX;
		for (uint32_t i = 0; i < size; i++) {
			const int64_t most = most_gain(g, r, features[i]), gain = most > 0 ? most : 0;
			sum += gain;
			least = gain < least ? gain : least;
		}
		if (sum - least >= -c->total[r])
			return SYMCF_OK; /* a part of it covers r */
		choose_unit its;
		const symcf_status status = symcf_choose_line(c, r, features, size, g->control, NULL, &its);
		if (status == SYMCF_INVALID)
			continue;
		TRY(status);
		if ((its >> 64) < (*unit >> 64) || (r < g->line && (its >> 64) == (*unit >> 64)))
			return SYMCF_OK; /* it is r's */
	}
	*accepted = true;
	return SYMCF_OK;
}

static symcf_status complete(ranking *g, uint32_t depth, uint32_t last)
{
	const uint32_t size = depth + 1;
	for (uint32_t i = 0; i < size; i++) {
		const uint32_t f = g->feature[i < depth ? g->chosen[i] : last];
		uint32_t at = i;
		for (; at && g->sorted[at - 1] > f; at--)
			g->sorted[at] = g->sorted[at - 1];
		g->sorted[at] = f;
	}
	bool accepted;
	choose_unit unit;
	TRY(price(g, g->sorted, size, &accepted, &unit));
	const int64_t cost = (int64_t)(unit >> 64);
	const int64_t charge = g->scale > 1 ? cost * g->scale + size : cost;
	return accepted ? keep(g, charge, g->sorted, size) : SYMCF_OK;
}

/* All sets with this last member that may be among the best. */
static symcf_status search(ranking *g, uint32_t last)
{
	const int64_t wanted = g->deficit - g->gain[last]; /* from the others */
	uint32_t depth = 0;
	g->bound[0] = (wide)g->a[last] * g->deficit + g->reduced[last];
	g->sum[0] = 0;
	g->start[0] = 0;
	if (wanted <= 0)
		return complete(g, 0, last);
	for (;;) {
		const uint32_t p = g->start[depth]++;
		const uint32_t picks = g->max_changes - 1 - depth;
		TRY(symcf_tick(g->control, 12));
		if (p >= last || !picks || g->sum[depth] + reach(g, p, picks, last) < wanted) {
			if (!depth--)
				return SYMCF_OK;
			continue;
		}
		const int64_t sum = g->sum[depth] + g->gain[p];
		const wide bound = g->bound[depth] + g->reduced[p];
		if (sum >= g->deficit)
			continue; /* the last one would not be needed */
		g->chosen[depth] = p;
		const bool done = sum >= wanted;
		const int beaten = against_worst(g, done ? bound : bound + g->ideal[p + 1], last);
		if (beaten > 0 || (beaten == 0 && is_too_late(g, depth + 1, done ? last : p + 1, last)))
			continue;
		if (done) {
			TRY(complete(g, depth + 1, last));
			continue;
		}
		depth++;
		g->bound[depth] = bound;
		g->sum[depth] = sum;
		g->start[depth] = p + 1;
	}
}

static bool has_smaller_bound(const uint32_t *a, const uint32_t *b, void *context)
{
	const ranking *g = context;
	return g->root[*a] < g->root[*b];
}

#define SORT_NAME sort_turns
#define SORT_TYPE uint32_t
#define SORT_BEFORE has_smaller_bound
#include "sort.h"

static symcf_status search_line(ranking *g, uint32_t line)
{
	uint32_t turns = 0;
	find_positions(g, line);
	for (uint32_t last = 0; last < g->m; last++) {
		const uint32_t picks = g->max_changes ? g->max_changes - 1 : 0;
		if (!g->max_changes || reach(g, 0, picks, last) + g->gain[last] < g->deficit)
			continue;
		find_multiplier(g, last);
		/* as charges, rounded up, so that positions compare */
		const wide bound = find_bounds(g, last), b = g->b[last];
		g->root[last] = bound > 0 ? (bound + b - 1) / b : 0;
		TRY(symcf_tick(g->control, 40 * (last + 1)));
		g->turn[turns++] = last;
	}
	sort_turns(g->turn, g->turn + turns, turns, g, NULL);
	for (uint32_t i = 0; i < turns; i++) {
		const uint32_t last = g->turn[i];
		if (is_full(g) && g->root[last] > worst(g)->charge)
			break;
		find_bounds(g, last);
		TRY(search(g, last));
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the result --------------- */

/* Is there room for the size beside the cost? */
static int64_t scale_for(symcf_chooser *c)
{
	const int64_t most = INT64_C(1) << 61, scale = (int64_t)c->n + 1;
	int64_t sum = 0;
	for (uint32_t j = 0; j < c->n; j++) {
		int64_t dearest = 0;
		for (uint32_t v = 0; v < c->value_offset[j + 1] - c->value_offset[j]; v++)
			if (symcf_choose_is_allowed(c, j, v) &&
			    c->options.cost[c->value_offset[j] + v] > dearest)
				dearest = c->options.cost[c->value_offset[j] + v];
		sum += dearest;
	}
	return sum < most / scale - 1 ? scale : 1;
}

static symcf_status append(ranking *g, symcf_sets *sets)
{
	const uint64_t n_sets = sets->n_sets, n_features = sets->n_features;
	for (uint64_t count = g->n_found; count > 1;) { /* a heap sort */
		const entry last = g->heap[--count];
		g->heap[count] = g->heap[0];
		g->heap[0] = last;
		sift_down(g->heap, count, 0);
	}
	symcf_status status = SYMCF_OK;
	for (uint64_t i = 0; i < g->n_found && !status; i++)
		status = symcf_sets_push(sets, g->heap[i].features, g->heap[i].size);
	if (status) {
		sets->n_sets = n_sets;
		sets->n_features = n_features;
	}
	return status;
}

symcf_status symcf_choose_best(symcf_chooser *c, uint32_t max_changes, uint64_t k,
                               symcf_control *control, symcf_sets *sets)
{
	if (c->aim.d || c->aim.relation || (c->aim.every && c->n_lines != 1))
		return SYMCF_UNSUPPORTED;
	if (!k)
		return SYMCF_OK;
	ranking g = {.c = c, .control = control, .n = c->n, .k = k, .scale = scale_for(c)};
	g.max_changes = max_changes < c->n ? max_changes : c->n;
	arena a = {0};
	lay_out(&a, &g);
	TRY(symcf_arena_open(&a));
	lay_out(&a, &g);
	symcf_status status = SYMCF_OK;
	for (uint32_t r = 0; r < c->n_lines && !status; r++)
		status = c->total[r] < 0 ? search_line(&g, r) : SYMCF_INVALID;
	if (!status)
		status = append(&g, sets);
	for (uint64_t i = 0; i < g.n_found; i++)
		symcf_free(g.heap[i].features);
	symcf_free(g.heap);
	symcf_arena_close(&a);
	return status;
}
