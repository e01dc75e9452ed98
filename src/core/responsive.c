/* responsive.c: of the values that a feature may take, how many lead to the goal?
 *
 * The problem. A row may change some features to some values, at most so many. A new value of a
 * feature leads there alone if changing that feature to it is enough, and together if some change of
 * other features makes it enough. For every feature both kinds of values are counted.
 *
 * Sums. Every other feature adds the most that it can, or the so many that can add most do: v leads
 * there if the score with v and these reaches 0. For all features that takes one sum and, if changes
 * are limited, one sorting of the gains.
 *
 * Diagrams. Let F(u) be the fewest changes on a way from the root to node u, and B(u) from u to the
 * goal. A way through u, a node of the feature, with value v has F(u) + 1 + B(child of u for v) changes;
 * a way that passes the feature's level without testing it has one more change than without v, for any
 * v. The fewest on ways that pass a level are a minimum over edges, each of which passes a range of
 * levels: these are entered as two overlapping ranges whose lengths are powers of two, and handed down
 * to single levels at the end.
 */
#include "symcf.h"

#include <string.h>

#include "arena.h"
#include "try.h"

#define NO_WAY (UINT32_MAX / 4) /* more changes than there are; two of them can be added */

typedef struct work {
	const symcf_responsive_request *q;
	arena arena;
	uint32_t *x, *own;      /* the row in codes of the caller, and of the core    */
	uint8_t *allowed;       /* by value: may the row take it?                     */
	uint8_t *costs;         /* by value of the core: is there one to take?        */
	int64_t *others;        /* by sum and feature: what the others can add        */
	int64_t *gain;          /* by feature                                         */
	int64_t *score;         /* by sum                                             */
	uint32_t *forth, *back; /* by node: F and B                             */
	uint32_t *passing;      /* by power and level: the fewest on ways that pass */
	uint32_t n_powers, most_nodes, most_sums;
} work;

/* --------------------------------------------------------------------- sums ------------------ */

static int64_t weight_of(const work *w, const symcf_threshold *t, uint32_t j, uint32_t v)
{
	return t->weight[w->q->value_offset[j] + v];
}

/* Puts the `most` largest of n numbers first, in falling order; the others are lost. */
static void keep_largest(int64_t *a, uint32_t n, uint32_t most)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < n; i++) {
		const int64_t it = a[i];
		uint32_t at = kept < most ? kept++ : kept;
		for (; at && a[at - 1] < it; at--)
			if (at < most)
				a[at] = a[at - 1];
		if (at < most)
			a[at] = it;
	}
}

/* others[j]: what features but j can add in the changes that j leaves. */
static void add_others(work *w, const symcf_threshold *t, int64_t *others)
{
	const uint32_t n = t->n, most = w->q->max_changes;
	int64_t *sorted = w->gain, total = 0, but_one = 0;
	for (uint32_t j = 0; j < n; j++) {
		const int64_t now = weight_of(w, t, j, w->x[j]);
		int64_t best = 0;
		for (uint32_t v = w->q->value_offset[j]; v < w->q->value_offset[j + 1]; v++)
			if (w->allowed[v] && t->weight[v] - now > best)
				best = t->weight[v] - now;
		others[j] = sorted[j] = best;
	}
	if (most < n)
		keep_largest(sorted, n, most);
	for (uint32_t i = 0; i < n && i < most; i++) {
		but_one = total;
		total += sorted[i];
	}
	const int64_t last = most && most <= n ? sorted[most - 1] : 0;
	for (uint32_t j = 0; j < n; j++) {
		if (most >= n)
			others[j] = total - others[j];
		else /* is j one of those that add most? one that adds as much as the last may as well be */
			others[j] = others[j] > last ? total - others[j] : but_one;
	}
}

static void count_sums(work *w, const symcf_row_goal *goal, uint64_t *counts, uint64_t times)
{
	const symcf_responsive_request *q = w->q;
	for (uint32_t s = 0; s < goal->n_sums; s++) {
		w->score[s] = symcf_threshold_score(goal->sums[s], w->x);
		add_others(w, goal->sums[s], w->others + (uint64_t)s * q->n);
	}
	for (uint32_t j = 0; j < q->n; j++) {
		for (uint32_t i = q->value_offset[j]; i < q->value_offset[j + 1]; i++) {
			bool alone = false, together = false;
			if (!w->allowed[i])
				continue;
			for (uint32_t s = 0; s < goal->n_sums && !alone; s++) {
				const symcf_threshold *t = goal->sums[s];
				const int64_t with = w->score[s] + t->weight[i] - weight_of(w, t, j, w->x[j]);
				alone = with >= 0;
				together = together || with + w->others[(uint64_t)s * q->n + j] >= 0;
			}
			counts[3 * j] += times;
			counts[3 * j + 1] += alone && q->max_changes ? times : 0;
			counts[3 * j + 2] += (alone || together) && q->max_changes ? times : 0;
		}
	}
}

/* ----------------------------------------------------------------- diagrams ------------------ */

static uint32_t core_value(const work *w, uint32_t j, uint32_t v)
{
	return w->q->group ? w->q->group[w->q->value_offset[j] + v] : v;
}

/* Changes that leading a node of feature j to its child for core value g takes. */
static uint32_t cost_of(const work *w, uint32_t j, uint32_t g)
{
	return g == w->own[j] ? 0 : w->costs[w->q->core_offset[j] + g] ? 1 : NO_WAY;
}

static void find_costs(work *w)
{
	const symcf_responsive_request *q = w->q;
	memset(w->costs, 0, q->core_offset[q->n]);
	for (uint32_t j = 0; j < q->n; j++) {
		w->own[j] = core_value(w, j, w->x[j]);
		for (uint32_t v = 0; v < q->value_offset[j + 1] - q->value_offset[j]; v++)
			if (w->allowed[q->value_offset[j] + v])
				w->costs[q->core_offset[j] + core_value(w, j, v)] = 1;
	}
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A way of so many changes passes the levels from .. to - 1. */
static void pass(work *w, uint32_t from, uint32_t to, uint32_t changes)
{
	if (from >= to)
		return;
	const uint32_t power = 31 - (uint32_t)__builtin_clz(to - from), n = w->q->n;
	uint32_t *at = w->passing + (uint64_t)power * n;
	at[from] = least(at[from], changes);
	at[to - (1u << power)] = least(at[to - (1u << power)], changes);
}

static void hand_down(work *w)
{
	const uint32_t n = w->q->n;
	for (uint32_t power = w->n_powers; power-- > 1;) {
		const uint32_t half = 1u << (power - 1);
		const uint32_t *from = w->passing + (uint64_t)power * n;
		uint32_t *to = w->passing + (uint64_t)(power - 1) * n;
		for (uint32_t k = 0; k + 2 * half <= n; k++) {
			to[k] = least(to[k], from[k]);
			to[k + half] = least(to[k + half], from[k]);
		}
	}
}

static void find_ways(work *w, const symcf_diagram *d, uint32_t sink)
{
	for (uint32_t u = 0; u < d->n_nodes; u++) {
		w->forth[u] = NO_WAY;
		w->back[u] = u == sink ? 0 : NO_WAY;
		if (u < 2)
			continue;
		const uint32_t k = d->level[u], j = d->order[k], *child = symcf_children(d, u);
		for (uint32_t g = 0; g < d->arity[k]; g++)
			w->back[u] = least(w->back[u], cost_of(w, j, g) + w->back[child[g]]);
	}
	for (uint64_t i = 0; i < (uint64_t)w->n_powers * d->n; i++)
		w->passing[i] = NO_WAY;
	w->forth[d->root] = 0;
	pass(w, 0, d->level[d->root], w->back[d->root]);
	for (uint32_t u = d->root; u > 1; u--) {
		const uint32_t k = d->level[u], j = d->order[k], *child = symcf_children(d, u);
		if (w->forth[u] >= NO_WAY)
			continue;
		for (uint32_t g = 0; g < d->arity[k]; g++) {
			const uint32_t to = child[g], changes = w->forth[u] + cost_of(w, j, g);
			if (changes >= NO_WAY || w->back[to] >= NO_WAY)
				continue;
			w->forth[to] = least(w->forth[to], changes);
			pass(w, k + 1, d->level[to], changes + w->back[to]);
		}
	}
	hand_down(w);
}

static void count_diagram(work *w, const symcf_row_goal *goal, uint64_t *counts, uint64_t times)
{
	const symcf_responsive_request *q = w->q;
	const symcf_diagram *d = goal->diagram;
	find_costs(w);
	find_ways(w, d, goal->sink);
	/* by core value, the fewest changes with it: over the nodes of its feature */
	uint32_t *fewest = (uint32_t *)(void *)w->others;
	for (uint32_t i = 0; i < q->core_offset[q->n]; i++)
		fewest[i] = NO_WAY;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const uint32_t k = d->level[u], *child = symcf_children(d, u);
		uint32_t *of = fewest + q->core_offset[d->order[k]];
		for (uint32_t g = 0; g < d->arity[k] && w->forth[u] < NO_WAY; g++)
			of[g] = least(of[g], w->forth[u] + 1 + w->back[child[g]]);
	}
	for (uint32_t k = 0; k < d->n; k++) {
		const uint32_t j = d->order[k], old = w->own[j];
		for (uint32_t v = 0; v < q->value_offset[j + 1] - q->value_offset[j]; v++) {
			if (!w->allowed[q->value_offset[j] + v])
				continue;
			const uint32_t g = core_value(w, j, v);
			const uint32_t changes = least(fewest[q->core_offset[j] + g], w->passing[k] + 1);
			w->own[j] = g;
			const bool alone = q->max_changes && symcf_diagram_evaluate(d, w->own) == goal->sink;
			counts[3 * j] += times;
			counts[3 * j + 1] += alone ? times : 0;
			counts[3 * j + 2] += changes < NO_WAY && changes <= q->max_changes ? times : 0;
		}
		w->own[j] = old;
	}
}

/* --------------------------------------------------------------------- rows ------------------ */

static void find_allowed(work *w)
{
	const symcf_responsive_request *q = w->q;
	for (uint32_t j = 0; j < q->n; j++) {
		const uint8_t direction = q->direction ? q->direction[j] : 0;
		for (uint32_t i = q->value_offset[j]; i < q->value_offset[j + 1]; i++) {
			const uint32_t v = i - q->value_offset[j];
			w->allowed[i] = v != w->x[j] && (!q->allowed || q->allowed[i]) &&
			                (direction != 1 || v > w->x[j]) && (direction != 2 || v < w->x[j]);
		}
	}
}

static void measure(work *w)
{
	const symcf_responsive_request *q = w->q;
	for (uint32_t p = 0; p < q->n_classes; p++) {
		if (q->goals[p].n_sums > w->most_sums)
			w->most_sums = q->goals[p].n_sums;
		if (q->goals[p].diagram && q->goals[p].diagram->n_nodes > w->most_nodes)
			w->most_nodes = q->goals[p].diagram->n_nodes;
	}
	for (uint32_t n = q->n; n; n >>= 1)
		w->n_powers++;
}

static void lay_out(arena *a, work *w)
{
	const symcf_responsive_request *q = w->q;
	const uint64_t sums = (uint64_t)w->most_sums * q->n, values = q->value_offset[q->n];
	w->others = symcf_arena_take(a, sums > values ? sums : values, sizeof *w->others);
	w->gain = symcf_arena_take(a, q->n, sizeof *w->gain);
	w->score = symcf_arena_take(a, w->most_sums, sizeof *w->score);
	w->x = symcf_arena_take(a, q->n, sizeof *w->x);
	w->own = symcf_arena_take(a, q->n, sizeof *w->own);
	w->forth = symcf_arena_take(a, (uint64_t)w->most_nodes + 2, sizeof *w->forth);
	w->back = symcf_arena_take(a, (uint64_t)w->most_nodes + 2, sizeof *w->back);
	w->passing = symcf_arena_take(a, (uint64_t)w->n_powers * q->n, sizeof *w->passing);
	w->allowed = symcf_arena_take(a, values, sizeof *w->allowed);
	w->costs = symcf_arena_take(a, values, sizeof *w->costs);
}

static symcf_status count_rows(work *w, const symcf_rows *rows, const uint8_t *class,
                               const uint32_t *part, const uint32_t *times, symcf_control *control,
                               uint64_t *counts, size_t *row, uint32_t *feature)
{
	const symcf_responsive_request *q = w->q;
	for (size_t i = 0; i < rows->m; i++) {
		*row = i;
		TRY(symcf_rows_values(rows, i, q->value_offset, w->x, feature));
		const symcf_row_goal *goal = &q->goals[class[i]];
		uint64_t *to = counts + 3 * (uint64_t)q->n * (part ? part[i] : 0);
		find_allowed(w);
		if (goal->diagram) {
			count_diagram(w, goal, to, times ? times[i] : 1);
			TRY(symcf_tick(control, 20 * goal->diagram->n_nodes + 100));
		} else {
			count_sums(w, goal, to, times ? times[i] : 1);
			TRY(symcf_tick(control, 10 * (1 + goal->n_sums) * (q->value_offset[q->n] + 10)));
		}
	}
	return SYMCF_OK;
}

symcf_status symcf_responsive(const symcf_responsive_request *q, const symcf_rows *rows,
                              const uint8_t *class, const uint32_t *part, const uint32_t *times,
                              symcf_control *control, uint64_t *counts, size_t *row,
                              uint32_t *feature)
{
	work w = {.q = q};
	measure(&w);
	lay_out(&w.arena, &w);
	TRY(symcf_arena_open(&w.arena));
	lay_out(&w.arena, &w);
	const symcf_status status =
		count_rows(&w, rows, class, part, times, control, counts, row, feature);
	symcf_arena_close(&w.arena);
	return status;
}
