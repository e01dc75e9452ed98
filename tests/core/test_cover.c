/* test_cover.c: the cover engine against all subsets, one by one. */
#include <stdlib.h>

#include "../../src/core/count.h"
#include "../../src/core/cover.h"
#include "../../src/core/memory.h"
#include "../../src/core/symcf.h"
#include "chance.h"
#include "change_sets.h"
#include "check.h"

enum { MOST_FEATURES = 12, MOST_VALUES = 4, CASES = 6000 };

/* ------------------------------------------------------------------ a random case ------------ */

typedef struct problem {
	symcf_threshold t;
	symcf_query q;
	uint32_t value_offset[MOST_FEATURES + 1], x[MOST_FEATURES];
	int64_t weight[MOST_FEATURES * MOST_VALUES], cost[MOST_FEATURES];
	uint8_t allowed[MOST_FEATURES * MOST_VALUES];
} problem;

/* Small weights make ties and equal gains, large ones general position. */
static void make_problem(problem *p, uint32_t n)
{
	static const int64_t ranges[] = {1, 2, 5, 30, 1000, (int64_t)1 << 50};
	static const int64_t cost_ranges[] = {1, 2, 4, 100, (int64_t)1 << 55};
	const int64_t range = ranges[random_below(6)], cost_range = cost_ranges[random_below(5)];
	const bool binary = random_below(3) > 0;
	memset(p, 0, sizeof *p);
	p->t = (symcf_threshold){.n = n, .value_offset = p->value_offset, .weight = p->weight};
	p->q = (symcf_query){.x = p->x, .max_changes = UINT32_MAX};
	for (uint32_t j = 0; j < n; j++) {
		const uint32_t values = binary ? 2 : 1 + random_below(MOST_VALUES);
		p->value_offset[j + 1] = p->value_offset[j] + values;
		p->x[j] = random_below(values);
		p->cost[j] = 1 + (int64_t)(random_bits() % (uint64_t)cost_range);
	}
	for (uint32_t v = 0; v < p->value_offset[n]; v++) {
		p->weight[v] = random_between(-range, range);
		p->allowed[v] = random_below(4) > 0;
	}
	p->t.bias = random_between(-range, range);
	if (random_below(3) == 0)
		p->q.allowed = p->allowed;
	if (random_below(2))
		p->q.cost = p->cost;
	if (random_below(3) == 0)
		p->q.max_changes = random_below(n + 1);
}

/* ----------------------------------------------------------------- the oracle ---------------- */

/* Does some allowed assignment of the features in `mask` flip f? By trying all of them. */
static bool flips(const problem *p, uint32_t mask)
{
	uint32_t y[MOST_FEATURES];
	int64_t score = p->t.bias;
	for (uint32_t j = 0; j < p->t.n; j++)
		score += p->weight[p->value_offset[j] + p->x[j]];
	const bool positive = score >= 0;
	/* each feature on its own, since the score is a sum: the extreme is reached featurewise */
	for (uint32_t j = 0; j < p->t.n; j++) {
		y[j] = p->x[j];
		if (!(mask >> j & 1))
			continue;
		const uint32_t at = p->value_offset[j];
		for (uint32_t v = 0; v < p->value_offset[j + 1] - at; v++) {
			const bool may = !p->q.allowed || p->allowed[at + v];
			const bool better = positive ? p->weight[at + v] < p->weight[at + y[j]]
			                             : p->weight[at + v] > p->weight[at + y[j]];
			if (may && better)
				y[j] = v;
		}
	}
	score = p->t.bias;
	for (uint32_t j = 0; j < p->t.n; j++)
		score += p->weight[p->value_offset[j] + y[j]];
	return (score >= 0) != positive;
}

/* All change sets, in the one true order. */
static void oracle(const problem *p, symcf_sets *sets)
{
	const uint32_t n = p->t.n;
	static bool flip[1 << MOST_FEATURES];
	for (uint32_t mask = 0; mask < 1u << n; mask++)
		flip[mask] = flips(p, mask);
	minimal_masks(flip, n, &p->q, sets);
}

/* ------------------------------------------------------------------ listing ------------------ */

static void lists_all_change_sets(void)
{
	symcf_sets wanted = {0}, got = {0};
	for (int i = 0; i < CASES; i++) {
		problem p;
		symcf_cover *e;
		make_problem(&p, random_below(MOST_FEATURES + 1));
		oracle(&p, &wanted);
		symcf_sets_clear(&got);
		REQUIRE(symcf_cover_open(&p.t, &p.q, &e) == SYMCF_OK);
		CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &got), SYMCF_OK);
		CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &got), SYMCF_OK);
		symcf_sets_sort_from(&got, 0, p.q.cost, NULL);
		CHECK(same_sets(&got, &wanted));
		symcf_cover_free(e);
	}
	symcf_sets_free_arrays(&wanted);
	symcf_sets_free_arrays(&got);
}

static void resumes_after_each_set(void)
{
	symcf_sets whole = {0}, pieces = {0};
	for (int i = 0; i < CASES / 4; i++) {
		problem p;
		symcf_cover *e;
		make_problem(&p, random_below(MOST_FEATURES + 1));
		symcf_sets_clear(&whole);
		symcf_sets_clear(&pieces);
		REQUIRE(symcf_cover_open(&p.t, &p.q, &e) == SYMCF_OK);
		const symcf_status at_once = symcf_cover_next(e, NULL, 0, &whole);
		CHECK_EQ_INT(whole.n_sets, 0);
		CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &whole), SYMCF_OK);
		CHECK_EQ_INT(at_once, whole.n_sets ? SYMCF_MORE : SYMCF_OK);
		CHECK_EQ_INT(symcf_cover_reset(e, &p.q), SYMCF_OK);
		symcf_status status = at_once;
		while (status == SYMCF_MORE)
			status = symcf_cover_next(e, NULL, 1, &pieces);
		CHECK_EQ_INT(status, SYMCF_OK);
		CHECK(same_sets(&pieces, &whole));
		symcf_cover_free(e);
	}
	symcf_sets_free_arrays(&whole);
	symcf_sets_free_arrays(&pieces);
}

/* One engine for many instances; arrays of exactly the tallied size are filled and not moved. */
static void tallies_what_it_lists(void)
{
	for (int i = 0; i < CASES / 10; i++) {
		problem p;
		symcf_cover *e;
		make_problem(&p, random_below(MOST_FEATURES + 1));
		REQUIRE(symcf_cover_open(&p.t, &p.q, &e) == SYMCF_OK);
		for (int row = 0; row < 12; row++) {
			uint64_t n_sets, n_features;
			for (uint32_t j = 0; j < p.t.n; j++)
				p.x[j] = random_below(p.value_offset[j + 1] - p.value_offset[j]);
			CHECK_EQ_INT(symcf_cover_reset(e, &p.q), SYMCF_OK);
			CHECK_EQ_INT(symcf_cover_tally(e, NULL, &n_sets, &n_features), SYMCF_OK);
			symcf_sets lent = {.cap_sets = n_sets, .cap_features = n_features};
			lent.features = symcf_allocate(n_features, sizeof *lent.features);
			lent.end = symcf_allocate(n_sets, sizeof *lent.end);
			REQUIRE(lent.features && lent.end);
			const uint32_t *features = lent.features;
			CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &lent), SYMCF_OK);
			CHECK(lent.features == features);
			CHECK_EQ_INT(lent.n_sets, n_sets);
			CHECK_EQ_INT(lent.n_features, n_features);
			symcf_sets_free_arrays(&lent);
		}
		symcf_cover_free(e);
	}
}

/* ------------------------------------------------------------- many features ----------------- */

typedef struct large {
	symcf_threshold t;
	symcf_query q;
} large;

/* Two values each; the gains are uniform below `range`, the deficit a `share` of their sum. */
static large make_large(uint32_t n, int64_t range, double share)
{
	large l = {.t.n = n, .q.max_changes = UINT32_MAX};
	uint32_t *x = calloc(n, sizeof *x);
	l.t.value_offset = calloc(n + 1, sizeof *l.t.value_offset);
	l.t.weight = calloc(2 * (size_t)n, sizeof *l.t.weight);
	double sum = 0;
	for (uint32_t j = 0; j < n; j++) {
		l.t.value_offset[j + 1] = 2 * j + 2;
		l.t.weight[2 * j + 1] = 1 + (int64_t)(random_bits() % (uint64_t)range);
		sum += (double)l.t.weight[2 * j + 1];
	}
	l.t.bias = -(int64_t)(sum * share);
	l.q.x = x;
	return l;
}

static void free_large(large *l)
{
	free((void *)(uintptr_t)l->q.x);
	free(l->t.value_offset);
	free(l->t.weight);
}

static bool is_minimal_cover(const large *l, const uint32_t *features, uint64_t size)
{
	int64_t score = l->t.bias, least = INT64_MAX;
	for (uint64_t i = 0; i < size; i++) {
		const int64_t gain = l->t.weight[2 * features[i] + 1];
		score += gain;
		least = gain < least ? gain : least;
		if (i && features[i] <= features[i - 1])
			return false;
	}
	return score >= 0 && score - least < 0;
}

static int compare_sets(const void *a, const void *b)
{
	return memcmp(a, b, 3 * sizeof(uint32_t));
}

/* Past 64 features sets are written differently: all pairs and triples of 100, against counting. */
static void lists_sets_of_many_features(void)
{
	large l = make_large(100, 1000, 0.04);
	l.q.max_changes = 3;
	uint64_t wanted = 0;
	const int64_t *w = l.t.weight, deficit = -l.t.bias;
	for (uint32_t a = 0; a < 100; a++)
		for (uint32_t b = a + 1; b < 100; b++) {
			wanted += is_minimal_cover(&l, (uint32_t[]){a, b}, 2);
			for (uint32_t c = b + 1; c < 100; c++)
				wanted += is_minimal_cover(&l, (uint32_t[]){a, b, c}, 3);
		}
	for (uint32_t a = 0; a < 100; a++)
		CHECK(w[2 * a + 1] < deficit);
	symcf_cover *e;
	symcf_sets got = {0};
	REQUIRE(symcf_cover_open(&l.t, &l.q, &e) == SYMCF_OK);
	symcf_status status;
	while ((status = symcf_cover_next(e, NULL, 7, &got)) == SYMCF_MORE)
		;
	CHECK_EQ_INT(status, SYMCF_OK);
	CHECK_EQ_INT(got.n_sets, wanted);
	CHECK(wanted > 1000);
	uint32_t (*padded)[3] = calloc(got.n_sets, sizeof *padded);
	for (uint64_t i = 0, at = 0; i < got.n_sets; at = got.end[i++]) {
		CHECK(is_minimal_cover(&l, got.features + at, got.end[i] - at));
		memcpy(padded[i], got.features + at, (got.end[i] - at) * sizeof(uint32_t));
	}
	qsort(padded, got.n_sets, sizeof *padded, compare_sets);
	for (uint64_t i = 1; i < got.n_sets; i++)
		CHECK(compare_sets(padded[i - 1], padded[i]) != 0);
	free(padded);
	symcf_sets_free_arrays(&got);
	symcf_cover_free(e);
	free_large(&l);
}

static void lists_some_of_ten_thousand_features(void)
{
	large l = make_large(10000, (int64_t)1 << 40, 0.3);
	symcf_cover *e;
	symcf_sets got = {0};
	REQUIRE(symcf_cover_open(&l.t, &l.q, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_cover_next(e, NULL, 200, &got), SYMCF_MORE);
	CHECK_EQ_INT(got.n_sets, 200);
	for (uint64_t i = 0, at = 0; i < got.n_sets; at = got.end[i++])
		CHECK(is_minimal_cover(&l, got.features + at, got.end[i] - at));
	symcf_sets_free_arrays(&got);
	symcf_cover_free(e);
	free_large(&l);
}

/* ----------------------------------------------------------------- counting ------------------ */

static bool equals(const uint64_t *limbs, size_t width, uint64_t value)
{
	for (size_t i = 1; i < width; i++)
		if (limbs[i])
			return false;
	return limbs[0] == value;
}

static void counts_what_it_lists(void)
{
	for (int i = 0; i < CASES; i++) {
		problem p;
		symcf_cover *e;
		uint64_t *limbs, n_sets, n_features;
		size_t width;
		make_problem(&p, random_below(MOST_FEATURES + 1));
		REQUIRE(symcf_cover_open(&p.t, &p.q, &e) == SYMCF_OK);
		CHECK_EQ_INT(symcf_cover_tally(e, NULL, &n_sets, &n_features), SYMCF_OK);
		REQUIRE(symcf_cover_count(&p.t, &p.q, NULL, &limbs, &width) == SYMCF_OK);
		CHECK(equals(limbs, width, n_sets));
		symcf_free(limbs);
		symcf_cover_free(e);
	}
}

/* n choose k, in limbs. */
static void binomial(uint64_t *row, size_t width, uint32_t n, uint32_t k)
{
	uint64_t *pascal = calloc((k + 1) * width, sizeof *pascal);
	pascal[0] = 1;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = k; j > 0; j--)
			count_add(pascal + j * width, pascal + (j - 1) * width, width);
	count_copy(row, pascal + k * width, width);
	free(pascal);
}

/* Equal gains: every set of the right size, whose number passes 64 bits. */
static void counts_beyond_64_bits(void)
{
	large l = make_large(300, 1, 0);
	l.t.bias = -100;
	for (uint32_t max_changes = 99; max_changes <= 101; max_changes++) {
		uint64_t *limbs, wanted[8] = {0};
		size_t width;
		l.q.max_changes = max_changes;
		REQUIRE(symcf_cover_count(&l.t, &l.q, NULL, &limbs, &width) == SYMCF_OK);
		REQUIRE(width <= 8);
		if (max_changes >= 100)
			binomial(wanted, width, 300, 100);
		CHECK(count_compare(limbs, wanted, width) == 0);
		symcf_free(limbs);
	}
	free_large(&l);
}

static void counts_within_its_budget(void)
{
	large l = make_large(60, (int64_t)1 << 50, 0.4);
	uint64_t *limbs = NULL;
	size_t width = 0;
	symcf_control control = {.max_nodes = 1000};
	CHECK_EQ_INT(symcf_cover_count(&l.t, &l.q, &control, &limbs, &width), SYMCF_LIMIT_NODES);
	CHECK(control.nodes > 1000 && control.level > 0);
	control = (symcf_control){.max_memory = 50000};
	CHECK_EQ_INT(symcf_cover_count(&l.t, &l.q, &control, &limbs, &width), SYMCF_LIMIT_MEMORY);
	control = (symcf_control){.deadline = 1e-9};
	CHECK_EQ_INT(symcf_cover_count(&l.t, &l.q, &control, &limbs, &width), SYMCF_LIMIT_TIME);
	CHECK(limbs == NULL && width == 0);
	free_large(&l);
}

/* ------------------------------------------------------------------ bounds ------------------- */

static void bounds_enclose_the_count(void)
{
	for (int i = 0; i < CASES / 10; i++) {
		static const int64_t ranges[] = {3, 50, 1000, (int64_t)1 << 57};
		const uint32_t n = 14 + random_below(10);
		large l = make_large(n, ranges[random_below(4)], 0.2 + 0.6 * random_below(100) / 100);
		if (random_below(3) == 0)
			l.q.max_changes = random_below(n);
		uint64_t *limbs, *lower, *upper;
		size_t width, bound_width;
		REQUIRE(symcf_cover_count(&l.t, &l.q, NULL, &limbs, &width) == SYMCF_OK);
		symcf_control control = {.max_nodes = 1 + random_below(400)};
		REQUIRE(symcf_cover_count_bounds(&l.t, &l.q, &control, &lower, &upper, &bound_width) ==
		        SYMCF_OK);
		CHECK_EQ_INT(bound_width, width);
		CHECK(count_compare(lower, limbs, width) <= 0);
		CHECK(count_compare(limbs, upper, width) <= 0);
		symcf_free(lower);
		symcf_free(upper);
		REQUIRE(symcf_cover_count_bounds(&l.t, &l.q, NULL, &lower, &upper, &bound_width) ==
		        SYMCF_OK);
		CHECK(count_compare(lower, limbs, width) == 0 && count_compare(upper, limbs, width) == 0);
		symcf_free(limbs);
		symcf_free(lower);
		symcf_free(upper);
		free_large(&l);
	}
}

/* Equal gains again, with counts that no double holds in the end: C(3000, 1000) is near 2^2750. */
static void bounds_reach_beyond_doubles(void)
{
	for (uint32_t n = 70; n < 3500; n += n < 400 ? 13 : 1300) {
		large l = make_large(n, 1, 0);
		const uint32_t deficit = n / 5 + random_below(n / 3);
		l.t.bias = -(int64_t)deficit;
		uint64_t *lower, *upper, wanted[64] = {0};
		size_t width;
		symcf_control control = {.max_nodes = 2 * n}, small = {.max_memory = 5000};
		REQUIRE(symcf_cover_count_bounds(&l.t, &l.q, n % 2 ? &control : &small, &lower, &upper,
		                                 &width) == SYMCF_OK);
		REQUIRE(width <= 64);
		binomial(wanted, width, n, deficit);
		CHECK(count_compare(lower, wanted, width) <= 0);
		CHECK(count_compare(wanted, upper, width) <= 0);
		CHECK(!count_is_zero(lower, width));
		symcf_free(lower);
		symcf_free(upper);
		free_large(&l);
	}
}

/* ---------------------------------------------------------------- the cheapest --------------- */

/* symcf_cover_best against all sets, sorted. */
static void check_best(const symcf_threshold *t, const symcf_query *q, const symcf_sets *wanted,
                       uint64_t k)
{
	symcf_sets got = {0};
	CHECK_EQ_INT(symcf_cover_best(t, q, k, NULL, &got), SYMCF_OK);
	CHECK_EQ_INT(got.n_sets, k < wanted->n_sets ? k : wanted->n_sets);
	CHECK(is_prefix(&got, wanted));
	symcf_sets_free_arrays(&got);
}

static void finds_the_best_of_few(void)
{
	symcf_sets wanted = {0};
	for (int i = 0; i < CASES / 2; i++) {
		problem p;
		make_problem(&p, random_below(MOST_FEATURES + 1));
		oracle(&p, &wanted);
		check_best(&p.t, &p.q, &wanted, random_below(20));
		check_best(&p.t, &p.q, &wanted, UINT64_MAX);
	}
	symcf_sets_free_arrays(&wanted);
}

/* Enough features for the searches that do not list. */
static void finds_the_best_of_many(void)
{
	static const int64_t ranges[] = {1, 3, 10, 50, 1000, (int64_t)1 << 50};
	static const int64_t cost_ranges[] = {1, 2, 3, 10, 1000, (int64_t)1 << 55};
	symcf_sets wanted = {0};
	for (int i = 0; i < CASES / 10; i++) {
		const uint32_t n = 13 + random_below(8);
		large l = make_large(n, ranges[random_below(6)], 0.3 + 0.4 * random_below(100) / 100);
		int64_t cost[32];
		const int64_t range = cost_ranges[random_below(6)];
		for (uint32_t j = 0; j < n; j++)
			cost[j] = 1 + (int64_t)(random_bits() % (uint64_t)range);
		if (random_below(3))
			l.q.cost = cost;
		if (random_below(4) == 0)
			l.q.max_changes = n / 3 + random_below(n / 2);
		if (random_below(4) == 0) { /* few members cost more than many: max_changes binds */
			const uint32_t shift = random_below(2) ? 33 : 0;
			for (uint32_t j = 0; j < n; j++)
				cost[j] += l.t.weight[2 * j + 1] % 1000 * (l.t.weight[2 * j + 1] % 1000) << shift;
			l.q.cost = cost;
			l.q.max_changes = 1 + random_below(n / 2);
		}
		if (random_below(4) == 0) /* one feature that outweighs all others */
			l.t.weight[2 * random_below(n) + 1] += -l.t.bias;
		symcf_cover *e;
		symcf_sets_clear(&wanted);
		REQUIRE(symcf_cover_open(&l.t, &l.q, &e) == SYMCF_OK);
		CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &wanted), SYMCF_OK);
		CHECK_EQ_INT(symcf_sets_sort_from(&wanted, 0, l.q.cost, NULL), SYMCF_OK);
		check_best(&l.t, &l.q, &wanted, 1 + random_below(12));
		check_best(&l.t, &l.q, &wanted, 100 + random_below(100));
		symcf_cover_free(e);
		free_large(&l);
	}
	symcf_sets_free_arrays(&wanted);
}

/* -------------------------------------------------------- being stopped and failing ---------- */

static bool always(void *calls)
{
	++*(int *)calls;
	return true;
}

static bool at_the_third_time(void *calls)
{
	return ++*(int *)calls == 3;
}

/* The control looks up every so often: with a stop at each look the listing is still complete. */
static void goes_on_after_an_interruption(void)
{
	large l = make_large(24, (int64_t)1 << 50, 0.5);
	symcf_cover *e;
	symcf_sets whole = {0}, pieces = {0};
	int calls = 0;
	symcf_status status;
	REQUIRE(symcf_cover_open(&l.t, &l.q, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &whole), SYMCF_OK);
	CHECK_EQ_INT(symcf_cover_reset(e, &l.q), SYMCF_OK);
	do {
		symcf_control control = {.interrupted = always, .data = &calls, .credit = 1000};
		status = symcf_cover_next(e, &control, UINT64_MAX, &pieces);
		CHECK(status == SYMCF_OK || status == SYMCF_INTERRUPTED);
	} while (status == SYMCF_INTERRUPTED);
	CHECK(calls > 10);
	CHECK(same_sets(&pieces, &whole));
	symcf_control late = {.deadline = 1e-9};
	uint64_t n_sets, n_features;
	CHECK_EQ_INT(symcf_cover_reset(e, &l.q), SYMCF_OK);
	CHECK_EQ_INT(symcf_cover_next(e, &late, UINT64_MAX, &pieces), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_cover_tally(e, &late, &n_sets, &n_features), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_cover_tally(e, NULL, &n_sets, &n_features), SYMCF_OK);
	CHECK_EQ_INT(n_sets, whole.n_sets);
	symcf_sets_free_arrays(&whole);
	symcf_sets_free_arrays(&pieces);
	symcf_cover_free(e);
	free_large(&l);
}

/* Whatever is cut short leaves nothing behind. */
static void stops_when_told(void)
{
	large l = make_large(400, (int64_t)1 << 50, 0.3);
	int64_t *cost = calloc(400, sizeof *cost);
	for (int j = 0; j < 400; j++)
		cost[j] = 1 + (int64_t)random_below(50);
	symcf_sets got = {0};
	for (int with_costs = 0; with_costs < 2; with_costs++) {
		int calls = 0;
		uint64_t *limbs, *other;
		size_t width;
		l.q.cost = with_costs ? cost : NULL;
		for (int64_t credit = 0; credit < 100000; credit += 9973) {
			symcf_control control = {.interrupted = always, .data = &calls, .credit = credit};
			CHECK_EQ_INT(symcf_cover_best(&l.t, &l.q, 100, &control, &got), SYMCF_INTERRUPTED);
			CHECK_EQ_INT(got.n_sets, 0);
		}
		symcf_control control = {.interrupted = always, .data = &calls};
		CHECK_EQ_INT(symcf_cover_count_bounds(&l.t, &l.q, &control, &limbs, &other, &width),
		             SYMCF_INTERRUPTED);
		calls = 0; /* in the first 40 ms the exact attempt has run into its budget */
		control = (symcf_control){.max_nodes = 60000, .data = &calls};
		control.interrupted = at_the_third_time;
		CHECK_EQ_INT(symcf_cover_count_bounds(&l.t, &l.q, &control, &limbs, &other, &width),
		             SYMCF_INTERRUPTED);
	}
	symcf_sets_free_arrays(&got);
	free(cost);
	free_large(&l);
}

/* Runs `work` with the first allocation failing, then the second, until none does. */
static void survives(symcf_status (*work)(const large *l), const large *l)
{
	for (uint64_t i = 1;; i++) {
		symcf_fail_allocation(i);
		const symcf_status status = work(l);
		symcf_fail_allocation(0);
		if (status == SYMCF_OK) {
			CHECK(i > 1);
			return;
		}
		CHECK_EQ_INT(status, SYMCF_NO_MEMORY);
		REQUIRE(i < 10000);
	}
}

/* In two goes, so that a failure in the middle has something to resume. */
static symcf_status list_all(const large *l)
{
	symcf_cover *e;
	symcf_sets got = {0};
	symcf_status status = symcf_cover_open(&l->t, &l->q, &e);
	if (status != SYMCF_OK)
		return status;
	status = symcf_cover_next(e, NULL, UINT64_MAX, &got);
	if (status == SYMCF_NO_MEMORY) {
		uint64_t n_sets, n_features;
		CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &got), SYMCF_OK);
		CHECK_EQ_INT(symcf_cover_tally(e, NULL, &n_sets, &n_features), SYMCF_OK);
		CHECK_EQ_INT(got.n_sets, n_sets);
		CHECK_EQ_INT(got.n_features, n_features);
	}
	symcf_sets_free_arrays(&got);
	symcf_cover_free(e);
	return status;
}

static symcf_status find_best(const large *l)
{
	symcf_sets got = {0};
	const symcf_status status = symcf_cover_best(&l->t, &l->q, 20, NULL, &got);
	CHECK_EQ_INT(got.n_sets, status == SYMCF_OK ? 20 : 0);
	symcf_sets_free_arrays(&got);
	return status;
}

static symcf_status count_all(const large *l)
{
	uint64_t *limbs;
	size_t width;
	const symcf_status status = symcf_cover_count(&l->t, &l->q, NULL, &limbs, &width);
	if (status == SYMCF_OK)
		symcf_free(limbs);
	return status;
}

static symcf_status bound_count(const large *l)
{
	uint64_t *lower, *upper;
	size_t width;
	symcf_control control = {.max_nodes = 100};
	const symcf_status status =
		symcf_cover_count_bounds(&l->t, &l->q, &control, &lower, &upper, &width);
	if (status == SYMCF_OK) {
		symcf_free(lower);
		symcf_free(upper);
	}
	return status;
}

static void survives_failing_allocations(void)
{
	large l = make_large(18, 1000, 0.5);
	int64_t cost[18];
	for (int j = 0; j < 18; j++)
		cost[j] = 1 + j % 3;
	survives(list_all, &l);
	survives(count_all, &l);
	survives(bound_count, &l);
	survives(find_best, &l);
	l.q.cost = cost;
	survives(find_best, &l);
	l.q.max_changes = 9;
	survives(count_all, &l);
	survives(bound_count, &l);
	free_large(&l);
}

/* ---------------------------------------------------------------- by hand -------------------- */

/* The paper's example, in hundredths of its log-odds. */
static void knows_the_paper_example(void)
{
	uint32_t value_offset[] = {0, 2, 4, 6, 8};
	int64_t weight[] = {-35, 98, -311, 226, -339, 218, -98, 125};
	const symcf_threshold t = {.n = 4, .value_offset = value_offset, .weight = weight, .bias = -85};
	const uint32_t x[2][4] = {{1, 0, 1, 0}, {0, 0, 1, 0}};
	const uint32_t wanted[2][3] = {{1, 3}, {1, 0, 3}};
	for (int i = 0; i < 2; i++) {
		const symcf_query q = {.x = x[i], .max_changes = UINT32_MAX};
		symcf_sets got = {0};
		CHECK_EQ_INT(symcf_cover_best(&t, &q, 10, NULL, &got), SYMCF_OK);
		CHECK_EQ_INT(got.n_sets, 2);
		CHECK_EQ_INT(got.end[0], 1);
		CHECK(memcmp(got.features, wanted[i], got.n_features * sizeof *got.features) == 0);
		symcf_sets_free_arrays(&got);
	}
}

/* No feature at all, and features without weight: nothing flips, and that is an answer. */
static void knows_when_nothing_flips(void)
{
	uint32_t value_offset[] = {0, 2, 5}, x[] = {1, 2};
	int64_t weight[5] = {0};
	for (uint32_t n = 0; n <= 2; n += 2)
		for (int64_t bias = -1; bias <= 0; bias++) {
			const symcf_threshold t = {
				.n = n, .value_offset = value_offset, .weight = weight, .bias = bias};
			const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
			symcf_sets got = {0};
			symcf_cover *e;
			uint64_t *lower, *upper;
			size_t width;
			REQUIRE(symcf_cover_open(&t, &q, &e) == SYMCF_OK);
			CHECK_EQ_INT(symcf_cover_next(e, NULL, 0, &got), SYMCF_OK);
			CHECK_EQ_INT(symcf_cover_best(&t, &q, 5, NULL, &got), SYMCF_OK);
			CHECK_EQ_INT(got.n_sets, 0);
			REQUIRE(symcf_cover_count_bounds(&t, &q, NULL, &lower, &upper, &width) == SYMCF_OK);
			CHECK(count_is_zero(lower, width) && count_is_zero(upper, width));
			symcf_free(lower);
			symcf_free(upper);
			symcf_cover_free(e);
			symcf_sets_free_arrays(&got);
		}
}

/* Ranks are for features of three values or more; a function without them pays nothing for it, and no
 * offset beyond the last is looked at to find that out. */
static void two_values_need_no_ranks(void)
{
	static const uint32_t offsets[][4] = {{0, 2, 4, 6}, {0, 1, 3, 5}, {0, 3, 5, 7}, {0, 2, 4, 8}};
	static const int64_t weight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	static const uint32_t x[3] = {0};
	const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	for (int i = 0; i < 4; i++) {
		symcf_threshold *t = NULL;
		symcf_cover *e = NULL;
		REQUIRE(symcf_threshold_create(3, offsets[i], weight, -9, &t) == SYMCF_OK);
		REQUIRE(symcf_cover_open(t, &q, &e) == SYMCF_OK);
		CHECK_EQ_INT(e->present != NULL, i >= 2);
		symcf_cover_free(e);
		symcf_threshold_free(t);
	}
}

/* -------------------------------------------------------------------- samples ---------------- */

static uint64_t next_bits(void *data)
{
	(void)data;
	return random_bits() << 40 ^ random_bits() << 20 ^ random_bits();
}

/* The place of a set in a list; the length of the list if it is not there. */
static uint64_t place_of(const symcf_sets *list, const uint32_t *features, uint64_t size)
{
	for (uint64_t i = 0; i < list->n_sets; i++) {
		const uint64_t start = i ? list->end[i - 1] : 0;
		if (list->end[i] - start == size &&
		    memcmp(list->features + start, features, size * sizeof *features) == 0)
			return i;
	}
	return list->n_sets;
}

/* Draws every set that is listed about as often, and no other. */
static void check_sample(const problem *p)
{
	enum { EACH = 50 };
	symcf_sets listed = {0}, drawn = {0};
	uint32_t times[1 << 8] = {0};
	symcf_cover *e = NULL;
	REQUIRE(symcf_cover_open(&p->t, &p->q, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_cover_next(e, NULL, UINT64_MAX, &listed), SYMCF_OK);
	CHECK_EQ_INT(
		symcf_cover_sample(&p->t, &p->q, EACH * (listed.n_sets + 1), next_bits, NULL, NULL, &drawn),
		SYMCF_OK);
	CHECK_EQ_INT(drawn.n_sets, listed.n_sets ? EACH * (listed.n_sets + 1) : 0);
	for (uint64_t i = 0; i < drawn.n_sets; i++) {
		const uint64_t start = i ? drawn.end[i - 1] : 0;
		const uint64_t place = place_of(&listed, drawn.features + start, drawn.end[i] - start);
		CHECK(place < listed.n_sets);
		times[place]++;
	}
	for (uint64_t i = 0; i < listed.n_sets; i++)
		CHECK(times[i] > EACH / 5 && times[i] < 3 * EACH);
	symcf_sets_free_arrays(&listed);
	symcf_sets_free_arrays(&drawn);
	symcf_cover_free(e);
}

static void samples_are_uniform(void)
{
	problem p;
	for (int i = 0; i < 500; i++) {
		make_problem(&p, 1 + random_below(8));
		check_sample(&p);
	}
}

int main(void)
{
	RUN(lists_all_change_sets);
	RUN(resumes_after_each_set);
	RUN(tallies_what_it_lists);
	RUN(lists_sets_of_many_features);
	RUN(lists_some_of_ten_thousand_features);
	RUN(counts_what_it_lists);
	RUN(counts_beyond_64_bits);
	RUN(counts_within_its_budget);
	RUN(bounds_enclose_the_count);
	RUN(bounds_reach_beyond_doubles);
	RUN(finds_the_best_of_few);
	RUN(finds_the_best_of_many);
	RUN(goes_on_after_an_interruption);
	RUN(stops_when_told);
	RUN(survives_failing_allocations);
	RUN(knows_the_paper_example);
	RUN(knows_when_nothing_flips);
	RUN(two_values_need_no_ranks);
	RUN(samples_are_uniform);
	return check_report();
}
