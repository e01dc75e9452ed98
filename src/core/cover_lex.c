/* cover_lex.c: among minimal covers of one size and one cost, the lexicographically first.
 *
 * With unit costs, or small integers, astronomically many covers are equally cheap, and the answer
 * is the first of them by their ascending features. This search decides the features in ascending
 * order, each first taken, then left out, so covers turn up in the order wanted and it can stop at
 * the last one wanted. What keeps it from getting lost is a bound at every step: can the features
 * that are still undecided complete a cover?
 *
 *   - Weights (relaxation). For the cost, for the size and for mixtures p*cost + q, the least weight
 *     that gains what is missing, members taken in fractions, must fit what is left of the weight.
 *     A mixture sees what neither does alone: that few members cost much and cheap ones are many.
 *     For the size alone this bound is exact: some cover passes it iff one exists.
 *   - Minimality. A member must not be dispensable in the end. With `least` the smallest gain taken
 *     and t what is missing, a feature that gains t + least or more would make that member so, now
 *     and in every extension: such features are useless. And where r more members are to come, the
 *     r smallest useful gains, without the smallest member, must not yet reach t.
 *
 * The useful undecided features are the leaves of segment trees, one for each weight, sorted by gain
 * per unit of weight; a step changes a leaf, a bound is a walk from the root: O(log n) each. With unit
 * costs at the smallest size there are no dead ends, and k sets take O(k n log n) at most. In
 * general the question (does a completion of exactly this cost exist?) is NP-complete, and so this
 * is a search; it can be stopped through the control. */
#include "cover.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

typedef struct node {
	int64_t gain, weight;
} node;

typedef struct relaxation {
	node *tree;      /* 2 * leaves nodes, the root is 1                 */
	uint32_t *leaf;  /* position -> its node                            */
	int64_t *weight; /* position -> weight                              */
	int64_t left;    /* weight that may still be added                  */
} relaxation;

typedef struct frame {
	int64_t missing, least;
	uint32_t turn, cut;
} frame;

enum { BY_SIZE, BY_COST, MIXED, RELAXATIONS };

typedef struct lex {
	const symcf_cover *e;
	relaxation by[RELAXATIONS]; /* of which the first n_by are in use           */
	uint32_t n_by, leaves;
	int64_t total; /* cost */
	uint32_t size;
	uint32_t *order; /* turn -> position: ascending features                    */
	uint32_t *turn;  /* position -> turn                                        */
	/* the search: turns before `now` are decided */
	uint32_t now, taken;
	uint32_t cut; /* positions before it gain too much to be useful               */
	int64_t missing, least;
	frame *frame;       /* of each member taken                                     */
	uint32_t *features; /* the members taken                                        */
} lex;

/* ----------------------------------------------------------------- trees -------------------- */

static void change_leaf(const relaxation *r, uint32_t position, int64_t gain, int64_t sign)
{
	const int64_t weight = r->weight[position] * sign;
	gain *= sign;
	for (uint32_t i = r->leaf[position]; i; i /= 2) {
		r->tree[i].gain += gain;
		r->tree[i].weight += weight;
	}
}

static void remove_position(lex *l, uint32_t position)
{
	for (uint32_t i = 0; i < l->n_by; i++)
		change_leaf(&l->by[i], position, l->e->gain[position], -1);
}

static void restore_position(lex *l, uint32_t position)
{
	for (uint32_t i = 0; i < l->n_by; i++)
		change_leaf(&l->by[i], position, l->e->gain[position], 1);
}

/* Does the least fractional weight that gains `missing` fit? */
static bool weight_suffices(const lex *l, const relaxation *r, int64_t missing)
{
	const node *tree = r->tree;
	int64_t left = r->left;
	if (tree[1].gain < missing)
		return false;
	uint32_t i = 1;
	while (i < l->leaves) {
		i *= 2;
		if (tree[i].gain < missing) {
			missing -= tree[i].gain;
			left -= tree[i].weight;
			i++;
		}
	}
	return left > 0 && (__int128)tree[i].weight * missing <= (__int128)left * tree[i].gain;
}

/* The sum of the `count` smallest gains. requires: there are as many. */
static int64_t smallest_gains(const lex *l, int64_t count)
{
	const node *tree = l->by[BY_SIZE].tree;
	int64_t sum = 0;
	uint32_t i = 1;
	while (i < l->leaves) {
		i = 2 * i + 1;
		if (tree[i].weight < count) {
			count -= tree[i].weight;
			sum += tree[i].gain;
			i--;
		}
	}
	return sum + tree[i].gain;
}

/* The bounds of the opening comment. requires: something is missing. */
static bool may_be_completed(const lex *l)
{
	const relaxation *by_size = &l->by[BY_SIZE];
	if (by_size->left <= 0 || by_size->tree[1].weight < by_size->left)
		return false;
	for (uint32_t i = 0; i < l->n_by; i++)
		if (!weight_suffices(l, &l->by[i], l->missing))
			return false;
	const int64_t smallest = smallest_gains(l, 1);
	const int64_t dispensable = smallest < l->least ? smallest : l->least;
	return smallest_gains(l, by_size->left) - dispensable < l->missing;
}

/* ----------------------------------------------------------------- search -------------------- */

/* Features that have become useless leave the trees. */
static void move_cut(lex *l)
{
	const symcf_cover *e = l->e;
	for (; l->cut < e->m && e->gain[l->cut] - l->least >= l->missing; l->cut++)
		if (l->turn[l->cut] >= l->now)
			remove_position(l, l->cut);
}

/* Takes the feature whose turn it was, unless it is useless. */
static void take(lex *l, uint32_t position)
{
	const int64_t gain = l->e->gain[position];
	l->frame[l->taken] = (frame){l->missing, l->least, l->now - 1, l->cut};
	l->features[l->taken++] = l->e->feature[position];
	for (uint32_t i = 0; i < l->n_by; i++)
		l->by[i].left -= l->by[i].weight[position];
	l->missing -= gain;
	l->least = gain < l->least ? gain : l->least;
	if (l->missing > 0)
		move_cut(l);
}

/* Takes back the last member and all decisions after it; it counts as left out then. */
static void take_back(lex *l)
{
	const frame *f = &l->frame[--l->taken];
	while (l->now > f->turn + 1) {
		const uint32_t position = l->order[--l->now];
		if (position >= l->cut)
			restore_position(l, position);
	}
	while (l->cut > f->cut)
		if (l->turn[--l->cut] >= l->now)
			restore_position(l, l->cut);
	const uint32_t position = l->order[f->turn];
	for (uint32_t i = 0; i < l->n_by; i++)
		l->by[i].left += l->by[i].weight[position];
	l->missing = f->missing;
	l->least = f->least;
}

/* Is what has been taken a cover of the kind wanted? It is minimal, because no member was useless
 * when taken. */
static bool is_wanted(const lex *l)
{
	return l->by[BY_SIZE].left == 0 && (l->n_by == 1 || l->by[BY_COST].left == 0);
}

static symcf_status search(lex *l, uint64_t wanted, symcf_control *control, symcf_sets *sets)
{
	bool promising = may_be_completed(l);
	for (;;) {
		symcf_status status = symcf_tick(control, 64 * l->n_by);
		if (status != SYMCF_OK)
			return status;
		if (!promising) {
			if (!l->taken)
				return SYMCF_OK;
			take_back(l);
			promising = may_be_completed(l);
			continue;
		}
		assert(l->now < l->e->m);
		const uint32_t position = l->order[l->now++];
		if (position >= l->cut) {
			remove_position(l, position);
			take(l, position);
			if (l->missing <= 0 && is_wanted(l)) {
				status = symcf_sets_push(sets, l->features, l->taken);
				if (status != SYMCF_OK || !--wanted)
					return status;
			}
			promising = l->missing > 0 && may_be_completed(l);
		}
	}
}

/* ---------------------------------------------------------------- set-up --------------------- */

static bool has_better_ratio(const cover_item *a, const cover_item *b, void *unused)
{
	(void)unused;
	const __int128 x = (__int128)a->gain * b->weight, y = (__int128)b->gain * a->weight;
	return x != y ? x > y : a->position < b->position;
}

#define SORT_NAME sort_items
#define SORT_TYPE cover_item
#define SORT_BEFORE has_better_ratio
#include "sort.h"

void symcf_cover_sort_by_ratio(cover_item *items, cover_item *spare, uint32_t count)
{
	sort_items(items, spare, count, NULL, NULL);
}

/* p * cost + q, with cost NULL for 0. */
typedef struct mixture {
	const int64_t *cost;
	int64_t p, q;
} mixture;

static int64_t weight_of(const symcf_cover *e, mixture mix, uint32_t position)
{
	return (mix.cost ? mix.p * mix.cost[e->feature[position]] : 0) + mix.q;
}

static void fill_items(const symcf_cover *e, mixture mix, cover_item *items)
{
	for (uint32_t i = 0; i < e->m; i++)
		items[i] = (cover_item){e->gain[i], weight_of(e, mix, i), i};
	if (mix.cost) /* positions are sorted by gain already */
		symcf_cover_sort_by_ratio(items, items + e->m, e->m);
}

/* The least fractional weight of a cover as a part of what is allowed; approximate. */
static double tightness(const symcf_cover *e, const cover_item *items, double allowed)
{
	double missing = (double)e->deficit, weight = 0;
	for (uint32_t i = 0; i < e->m && missing > 0; i++) {
		const double gain = (double)items[i].gain;
		weight += (double)items[i].weight * (gain > missing ? missing / gain : 1);
		missing -= gain;
	}
	return weight / allowed;
}

/* The mixture under which the bound is tightest, among a few; q = 0 if the numbers are too large. */
static mixture choose_mixture(const lex *l, const int64_t *cost, cover_item *items)
{
	enum { P = 16, STEPS = 9 };
	const symcf_cover *e = l->e;
	int64_t sum = 0;
	for (uint32_t i = 0; i < e->m; i++)
		sum += cost[e->feature[i]];
	mixture best = {cost, 1, 0};
	if (sum >= (int64_t)1 << 50)
		return best;
	double tightest = 0;
	for (int i = 0; i < STEPS; i++) {
		const mixture mix = {cost, P, 1 + (sum / (int64_t)e->m << i)};
		fill_items(e, mix, items);
		const double allowed = (double)P * (double)l->total + (double)mix.q * l->size;
		const double tight = tightness(e, items, allowed);
		if (tight > tightest) {
			tightest = tight;
			best = mix;
		}
	}
	return best;
}

static void set_up_relaxation(lex *l, relaxation *r, mixture mix, cover_item *items)
{
	const symcf_cover *e = l->e;
	fill_items(e, mix, items);
	memset(r->tree, 0, 2 * (size_t)l->leaves * sizeof *r->tree);
	for (uint32_t i = 0; i < e->m; i++) {
		r->leaf[items[i].position] = l->leaves + i;
		r->weight[items[i].position] = items[i].weight;
		r->tree[l->leaves + i] = (node){items[i].gain, items[i].weight};
	}
	for (uint32_t i = l->leaves; --i > 0;) {
		r->tree[i].gain = r->tree[2 * i].gain + r->tree[2 * i + 1].gain;
		r->tree[i].weight = r->tree[2 * i].weight + r->tree[2 * i + 1].weight;
	}
	r->left = (mix.cost ? mix.p * l->total : 0) + mix.q * l->size;
}

static bool is_less(const uint64_t *a, const uint64_t *b, void *unused)
{
	(void)unused;
	return *a < *b;
}

#define SORT_NAME sort_numbers
#define SORT_TYPE uint64_t
#define SORT_BEFORE is_less
#include "sort.h"

/* Lists the positions by ascending feature. scratch: 2 m entries. */
static void set_up_turns(lex *l, uint64_t *scratch)
{
	const symcf_cover *e = l->e;
	for (uint32_t i = 0; i < e->m; i++)
		scratch[i] = (uint64_t)e->feature[i] << 32 | i;
	sort_numbers(scratch, scratch + e->m, e->m, NULL, NULL);
	for (uint32_t i = 0; i < e->m; i++) {
		l->order[i] = (uint32_t)scratch[i];
		l->turn[l->order[i]] = i;
	}
}

/* ensures: scratch for the items of the covers, twice. */
static cover_item *lay_out(arena *a, lex *l)
{
	const uint64_t m = l->e->m;
	for (uint32_t i = 0; i < l->n_by; i++) {
		l->by[i].tree = symcf_arena_take(a, 2 * (uint64_t)l->leaves, sizeof *l->by[i].tree);
		l->by[i].weight = symcf_arena_take(a, m, sizeof *l->by[i].weight);
		l->by[i].leaf = symcf_arena_take(a, m, sizeof *l->by[i].leaf);
	}
	l->frame = symcf_arena_take(a, m, sizeof *l->frame);
	l->order = symcf_arena_take(a, m, sizeof *l->order);
	l->turn = symcf_arena_take(a, m, sizeof *l->turn);
	l->features = symcf_arena_take(a, m, sizeof *l->features);
	return symcf_arena_take(a, 2 * m, sizeof(cover_item));
}

static symcf_status set_up(lex *l, const int64_t *cost, arena *a)
{
	l->n_by = cost ? RELAXATIONS : 1;
	for (l->leaves = 1; l->leaves < l->e->m;)
		l->leaves *= 2;
	lay_out(a, l);
	TRY(symcf_arena_open(a));
	cover_item *items = lay_out(a, l);
	set_up_turns(l, (uint64_t *)(void *)items);
	set_up_relaxation(l, &l->by[BY_SIZE], (mixture){NULL, 0, 1}, items);
	if (cost) {
		set_up_relaxation(l, &l->by[BY_COST], (mixture){cost, 1, 0}, items);
		set_up_relaxation(l, &l->by[MIXED], choose_mixture(l, cost, items), items);
	}
	return SYMCF_OK;
}

symcf_status symcf_cover_lex(const symcf_cover *e, const int64_t *cost, int64_t total,
                             uint32_t size, uint64_t wanted, symcf_control *control,
                             symcf_sets *sets)
{
	lex l = {.e = e, .total = total, .size = size, .missing = e->deficit, .least = INT64_MAX};
	arena a = {0};
	symcf_status status = set_up(&l, cost, &a);
	if (status == SYMCF_OK && wanted)
		status = search(&l, wanted, control, sets);
	symcf_arena_close(&a);
	return status;
}
