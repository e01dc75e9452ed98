/* test_multiclass_cover.c: the multiclass cover engine against all subsets, one by one. */
#include "../../src/core/multiclass_cover.h"
#include "change_sets.h"
#include "support.h"

enum { MOST_RIVALS = 5, CASES = 5000 };

/* ------------------------------------------------------------------ a random case ------------ */

typedef struct problem {
	uint32_t n, n_rivals;
	const symcf_threshold *rival[MOST_RIVALS]; /* some may be NULL */
	symcf_threshold t[MOST_RIVALS];
	symcf_query q;
	uint32_t value_offset[MOST_FEATURES + 1], x[MOST_FEATURES];
	int64_t weight[MOST_RIVALS][MOST_FEATURES * MOST_VALUES], cost[MOST_FEATURES];
	uint8_t allowed[MOST_FEATURES * MOST_VALUES];
} problem;

static void make_features(problem *p, uint32_t n)
{
	static const int64_t cost_ranges[] = {1, 2, 4, 100, (int64_t)1 << 55};
	const int64_t cost_range = cost_ranges[random_below(5)];
	const bool binary = random_below(2);
	p->n = n;
	for (uint32_t j = 0; j < n; j++) {
		const uint32_t values = binary ? 2 : 1 + random_below(MOST_VALUES);
		p->value_offset[j + 1] = p->value_offset[j] + values;
		p->x[j] = random_below(values);
		p->cost[j] = random_between(1, cost_range);
	}
	for (uint32_t v = 0; v < p->value_offset[n]; v++)
		p->allowed[v] = random_below(4) > 0;
}

/* Small weights make ties, equal gains and equal rivals, large ones general position. A rival has
 * not won yet: its score is negative, and how much so decides how many changes it takes. */
static void make_rival(problem *p, uint32_t r, int64_t range)
{
	symcf_threshold *t = &p->t[r];
	*t = (symcf_threshold){.n = p->n, .value_offset = p->value_offset, .weight = p->weight[r]};
	for (uint32_t v = 0; v < p->value_offset[p->n]; v++)
		p->weight[r][v] = random_between(-range, range);
	t->bias =
		-random_between(1, range * (1 + random_below(p->n + 1))) - symcf_threshold_score(t, p->x);
	p->rival[r] = t;
}

static void make_problem(problem *p, uint32_t n)
{
	static const int64_t ranges[] = {1, 2, 5, 30, 1000, (int64_t)1 << 50};
	const int64_t range = ranges[random_below(6)];
	memset(p, 0, sizeof *p);
	make_features(p, n);
	p->n_rivals = random_below(MOST_RIVALS + 1);
	for (uint32_t r = 0; r < p->n_rivals; r++)
		make_rival(p, r, range);
	if (p->n_rivals && random_below(2))
		p->rival[random_below(p->n_rivals)] = NULL;
	p->q = (symcf_query){.x = p->x, .max_changes = UINT32_MAX};
	if (random_below(3) == 0)
		p->q.allowed = p->allowed;
	if (random_below(2))
		p->q.cost = p->cost;
	if (random_below(3) == 0)
		p->q.max_changes = random_below(n + 1);
}

/* ----------------------------------------------------------------- the oracle ---------------- */

/* The best score that some allowed values of the features in `mask` give: a sum, so that each
 * feature may be looked at alone. */
static int64_t best_score(const problem *p, const symcf_threshold *t, uint32_t mask)
{
	int64_t score = t->bias;
	for (uint32_t j = 0; j < p->n; j++) {
		const uint32_t at = p->value_offset[j];
		int64_t best = t->weight[at + p->x[j]];
		for (uint32_t v = at; mask >> j & 1 && v < p->value_offset[j + 1]; v++)
			if ((!p->q.allowed || p->allowed[v]) && t->weight[v] > best)
				best = t->weight[v];
		score += best;
	}
	return score;
}

static bool flips(const problem *p, uint32_t mask)
{
	for (uint32_t r = 0; r < p->n_rivals; r++)
		if (p->rival[r] && best_score(p, p->rival[r], mask) >= 0)
			return true;
	return false;
}

/* All change sets, in the one true order. */
static void oracle(const problem *p, symcf_sets *sets)
{
	static bool flip[1 << MOST_FEATURES];
	for (uint32_t mask = 0; mask < 1u << p->n; mask++)
		flip[mask] = flips(p, mask);
	minimal_masks(flip, p->n, &p->q, sets);
}

static symcf_status open_problem(const problem *p, symcf_multiclass_cover **e)
{
	return symcf_multiclass_cover_open(p->rival, p->n_rivals, &p->q, e);
}

/* ------------------------------------------------------------------ listing ------------------ */

static void lists_all_change_sets(void)
{
	symcf_sets wanted = {0}, got = {0};
	uint64_t shared = 0;
	for (int i = 0; i < CASES; i++) {
		static problem p;
		symcf_multiclass_cover *e = NULL;
		make_problem(&p, random_below(MOST_FEATURES - 1));
		oracle(&p, &wanted);
		symcf_sets_clear(&got);
		REQUIRE(open_problem(&p, &e) == SYMCF_OK);
		shared += e->n_able > 1;
		CHECK_EQ_INT(symcf_multiclass_cover_next(e, NULL, UINT64_MAX, &got), SYMCF_OK);
		CHECK_EQ_INT(symcf_multiclass_cover_next(e, NULL, UINT64_MAX, &got), SYMCF_OK);
		symcf_sets_sort_from(&got, 0, p.q.cost, NULL);
		CHECK(same_sets(&got, &wanted));
		symcf_multiclass_cover_free(e);
	}
	CHECK(shared > CASES / 4); /* the cases are not all easy ones */
	symcf_sets_free_arrays(&wanted);
	symcf_sets_free_arrays(&got);
}

/* One at a time, with a stop before each, and SYMCF_MORE exactly where there is more. */
static void resumes_after_each_set(void)
{
	symcf_sets whole = {0}, pieces = {0};
	for (int i = 0; i < CASES / 4; i++) {
		static problem p;
		symcf_multiclass_cover *e = NULL;
		uint64_t n_sets, n_features;
		make_problem(&p, random_below(MOST_FEATURES - 1));
		symcf_sets_clear(&whole);
		symcf_sets_clear(&pieces);
		REQUIRE(open_problem(&p, &e) == SYMCF_OK);
		const symcf_status at_once = symcf_multiclass_cover_next(e, NULL, 0, &whole);
		CHECK_EQ_INT(whole.n_sets, 0);
		CHECK_EQ_INT(symcf_multiclass_cover_next(e, NULL, UINT64_MAX, &whole), SYMCF_OK);
		CHECK_EQ_INT(at_once, whole.n_sets ? SYMCF_MORE : SYMCF_OK);
		CHECK_EQ_INT(symcf_multiclass_cover_tally(e, NULL, &n_sets, &n_features), SYMCF_OK);
		CHECK_EQ_INT(n_sets, whole.n_sets);
		CHECK_EQ_INT(n_features, whole.n_features);
		symcf_status status = at_once;
		while (status == SYMCF_MORE) {
			symcf_control late = too_late();
			status = symcf_multiclass_cover_next(e, &late, 1, &pieces);
			CHECK(status == SYMCF_LIMIT_TIME || !e->n_able);
			status = symcf_multiclass_cover_next(e, NULL, 1, &pieces);
		}
		CHECK_EQ_INT(status, SYMCF_OK);
		CHECK(same_sets(&pieces, &whole));
		symcf_multiclass_cover_free(e);
	}
	symcf_sets_free_arrays(&whole);
	symcf_sets_free_arrays(&pieces);
}

/* One engine for many instances, as masks both ways round. */
static void serves_one_instance_after_the_other(void)
{
	symcf_sets wanted = {0}, got = {0};
	cover_masks masks = {0};
	for (int i = 0; i < CASES / 4; i++) {
		static problem p;
		symcf_multiclass_cover *e = NULL;
		const uint32_t n = random_below(MOST_FEATURES - 1);
		make_problem(&p, n);
		REQUIRE(open_problem(&p, &e) == SYMCF_OK);
		for (int row = 0; row < 4; row++) {
			bool lost = false;
			for (uint32_t j = 0; j < n && row; j++)
				p.x[j] = random_below(p.value_offset[j + 1] - p.value_offset[j]);
			for (uint32_t r = 0; r < p.n_rivals; r++)
				lost |= p.rival[r] && symcf_threshold_score(p.rival[r], p.x) >= 0;
			CHECK_EQ_INT(symcf_multiclass_cover_reset(e, &p.q), lost ? SYMCF_INVALID : SYMCF_OK);
			oracle(&p, &wanted);
			const bool reversed = row % 2;
			symcf_sets_clear(&got);
			masks.count = masks.n_features = 0;
			CHECK_EQ_INT(symcf_multiclass_cover_next_masks(e, NULL, UINT64_MAX, reversed, &masks),
			             SYMCF_OK);
			for (uint64_t s = 0; s < masks.count; s++) {
				uint32_t features[MOST_FEATURES], size = 0;
				for (uint32_t j = 0; j < n; j++)
					if (masks.mask[s] >> (reversed ? n - 1 - j : j) & 1)
						features[size++] = j;
				symcf_sets_push(&got, features, size);
			}
			CHECK_EQ_INT(masks.n_features, got.n_features);
			symcf_sets_sort_from(&got, 0, p.q.cost, NULL);
			if (lost)
				CHECK_EQ_INT(got.n_sets, 0);
			else
				CHECK(same_sets(&got, &wanted));
		}
		symcf_multiclass_cover_free(e);
	}
	symcf_cover_masks_free(&masks);
	symcf_sets_free_arrays(&wanted);
	symcf_sets_free_arrays(&got);
}

/* ------------------------------------------------------------------- the best ---------------- */

/* Both ways: by listing them, as there are few, and as if there were many. */
static void check_best(const problem *p, uint64_t k, const symcf_sets *wanted)
{
	symcf_sets best = {0}, ranked = {0};
	symcf_multiclass_cover *e = NULL;
	REQUIRE(open_problem(p, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_multiclass_cover_best(p->rival, p->n_rivals, &p->q, k, NULL, &best),
	             SYMCF_OK);
	if (k)
		CHECK_EQ_INT(symcf_multiclass_cover_rank(e, &p->q, k, NULL, &ranked), SYMCF_OK);
	CHECK_EQ_INT(best.n_sets, k < wanted->n_sets ? k : wanted->n_sets);
	CHECK(is_prefix(&best, wanted));
	CHECK(same_sets(&ranked, &best));
	symcf_multiclass_cover_free(e);
	symcf_sets_free_arrays(&best);
	symcf_sets_free_arrays(&ranked);
}

static void finds_the_first_k(void)
{
	symcf_sets wanted = {0};
	for (int i = 0; i < CASES / 2; i++) {
		static problem p;
		make_problem(&p, random_below(MOST_FEATURES + 1));
		oracle(&p, &wanted);
		const uint64_t ks[] = {0, 1, 2, 1 + random_below(50), wanted.n_sets, UINT64_MAX};
		for (uint32_t c = 0; c < 6; c++)
			check_best(&p, ks[c], &wanted);
	}
	symcf_sets_free_arrays(&wanted);
}

/* Equal weights make hundreds of equally good covers: lists have to be asked again and again. */
static void long_lists_are_asked_again(void)
{
	enum { N = 12 };
	static problem p;
	symcf_sets wanted = {0};
	for (int i = 0; i < 40; i++) {
		memset(&p, 0, sizeof p);
		p.n = N;
		p.n_rivals = 3;
		p.q = (symcf_query){.x = p.x, .cost = i % 2 ? p.cost : NULL, .max_changes = UINT32_MAX};
		for (uint32_t j = 0; j < N; j++) {
			p.value_offset[j + 1] = 2 * (j + 1);
			p.cost[j] = 1 + random_below(3);
			for (uint32_t r = 0; r < 3; r++)
				p.weight[r][2 * j + 1] = random_between(r == 2, 2);
		}
		for (uint32_t r = 0; r < 3; r++) {
			p.t[r] = (symcf_threshold){.n = N,
			                           .value_offset = p.value_offset,
			                           .weight = p.weight[r],
			                           .bias = -random_between(3, 9)};
			p.rival[r] = &p.t[r];
		}
		oracle(&p, &wanted);
		for (uint64_t k = 1; k < 4 * wanted.n_sets; k *= 3)
			check_best(&p, k, &wanted);
	}
	symcf_sets_free_arrays(&wanted);
}

/* More than are listed: 18 features, of which the second rival likes other ones than the first. */
static void too_many_to_list(void)
{
	enum { N = 18 };
	uint32_t value_offset[N + 1] = {0}, x[N] = {0};
	int64_t weight[2][2 * N] = {{0}}, cost[N];
	symcf_sets all = {0}, best = {0};
	symcf_multiclass_cover *e = NULL;
	for (uint32_t j = 0; j < N; j++) {
		value_offset[j + 1] = 2 * (j + 1);
		cost[j] = 1 + random_below(4);
		weight[0][2 * j + 1] = random_between(10, 20);
		weight[1][2 * j + 1] = random_between(5, 25);
	}
	const symcf_threshold t[] = {
		{.n = N, .value_offset = value_offset, .weight = weight[0], .bias = -120},
		{.n = N, .value_offset = value_offset, .weight = weight[1], .bias = -130}};
	const symcf_threshold *const rival[] = {&t[0], &t[1]};
	const symcf_query q = {.x = x, .cost = cost, .max_changes = UINT32_MAX};
	REQUIRE(symcf_multiclass_cover_open(rival, 2, &q, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_multiclass_cover_next(e, NULL, UINT64_MAX, &all), SYMCF_OK);
	CHECK(all.n_sets > 10000);
	symcf_sets_sort_from(&all, 0, cost, NULL);
	for (uint64_t k = 1; k < 4000; k *= 7) {
		symcf_sets_clear(&best);
		CHECK_EQ_INT(symcf_multiclass_cover_best(rival, 2, &q, k, NULL, &best), SYMCF_OK);
		CHECK_EQ_INT(best.n_sets, k);
		CHECK(is_prefix(&best, &all));
	}
	symcf_multiclass_cover_free(e);
	symcf_sets_free_arrays(&all);
	symcf_sets_free_arrays(&best);
}

/* ------------------------------------------------------------------ many features ------------ */

/* Beyond 64 features sets are not masks; three rivals with a feature each, and one with two. */
static void more_than_64_features(void)
{
	enum { N = 100 };
	uint32_t value_offset[N + 1] = {0}, x[N] = {0};
	int64_t weight[4][2 * N] = {{0}};
	symcf_threshold t[4];
	const symcf_threshold *rival[4];
	for (uint32_t j = 0; j < N; j++)
		value_offset[j + 1] = 2 * (j + 1);
	weight[0][2 * 99 + 1] = weight[1][2 * 70 + 1] = weight[2][2 * 0 + 1] = 9;
	for (uint32_t j = 60; j < 80; j++)
		weight[3][2 * j + 1] = 1;
	for (uint32_t r = 0; r < 4; r++) {
		t[r] = (symcf_threshold){
			.n = N, .value_offset = value_offset, .weight = weight[r], .bias = r < 3 ? -9 : -2};
		rival[r] = &t[r];
	}
	symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	symcf_multiclass_cover *e = NULL;
	symcf_sets got = {0}, best = {0};
	REQUIRE(symcf_multiclass_cover_open(rival, 4, &q, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_multiclass_cover_next(e, NULL, UINT64_MAX, &got), SYMCF_OK);
	CHECK_EQ_INT(got.n_sets, 3 + 19 * 18 / 2); /* a pair with feature 70 has too much */
	symcf_sets_sort_from(&got, 0, NULL, NULL);
	CHECK(got.features[0] == 0 && got.features[1] == 70 && got.features[2] == 99);
	CHECK_EQ_INT(symcf_multiclass_cover_best(rival, 4, &q, UINT64_MAX, NULL, &best), SYMCF_OK);
	CHECK(same_sets(&best, &got));
	symcf_multiclass_cover_free(e);
	symcf_sets_free_arrays(&got);
	symcf_sets_free_arrays(&best);
}

/* --------------------------------------------------------------- stops and failures ---------- */

/* Two rivals, each of which needs half of the features. */
static void make_long(problem *p)
{
	enum { N = MOST_FEATURES };
	memset(p, 0, sizeof *p);
	p->n = N;
	p->n_rivals = 2;
	p->q = (symcf_query){.x = p->x, .cost = p->cost, .max_changes = UINT32_MAX};
	for (uint32_t j = 0; j < N; j++) {
		p->value_offset[j + 1] = 2 * (j + 1);
		p->cost[j] = 1 + j % 2;
		p->weight[0][2 * j + 1] = p->weight[1][2 * j + 1] = 1;
		p->weight[j % 2][2 * j + 1] = 2;
	}
	for (uint32_t r = 0; r < 2; r++) {
		p->t[r] = (symcf_threshold){
			.n = N, .value_offset = p->value_offset, .weight = p->weight[r], .bias = -N * 3 / 4};
		p->rival[r] = &p->t[r];
	}
}

static void stops_when_told(void)
{
	static problem p;
	symcf_multiclass_cover *e = NULL;
	symcf_sets sets = {0};
	uint64_t n_sets, n_features;
	uint32_t calls;
	make_long(&p);
	REQUIRE(open_problem(&p, &e) == SYMCF_OK);
	symcf_control control = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(symcf_multiclass_cover_next(e, &control, UINT64_MAX, &sets), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(calls, 1);
	CHECK_EQ_INT(symcf_multiclass_cover_tally(e, &late, &n_sets, &n_features), SYMCF_LIMIT_TIME);
	late = too_late();
	CHECK_EQ_INT(symcf_multiclass_cover_best(p.rival, 2, &p.q, 500, &late, &sets),
	             SYMCF_LIMIT_TIME);
	control = interrupting(&calls);
	CHECK_EQ_INT(symcf_multiclass_cover_best(p.rival, 2, &p.q, 500, &control, &sets),
	             SYMCF_INTERRUPTED);
	control = interrupting(&calls);
	CHECK_EQ_INT(symcf_multiclass_cover_rank(e, &p.q, 500, &control, &sets), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(sets.n_sets, 0);
	symcf_multiclass_cover_free(e);
	symcf_multiclass_cover_free(NULL);
	symcf_sets_free_arrays(&sets);
}

static symcf_status list_once(const void *data)
{
	symcf_multiclass_cover *e = NULL;
	symcf_sets sets = {0};
	cover_masks masks = {0};
	symcf_status status = open_problem(data, &e);
	if (!status)
		status = symcf_multiclass_cover_next(e, NULL, 20, &sets);
	if (!status || status == SYMCF_MORE)
		status = symcf_multiclass_cover_next_masks(e, NULL, UINT64_MAX, false, &masks);
	symcf_multiclass_cover_free(e);
	symcf_cover_masks_free(&masks);
	symcf_sets_free_arrays(&sets);
	return status;
}

/* What was in the list stays. */
static symcf_status find_once(const problem *p, bool listing)
{
	static const uint32_t kept[] = {7, 8};
	symcf_multiclass_cover *e = NULL;
	symcf_sets sets = {0};
	symcf_status status = symcf_sets_push(&sets, kept, 2);
	if (!status && listing)
		status = symcf_multiclass_cover_best(p->rival, p->n_rivals, &p->q, 60, NULL, &sets);
	else if (!status && !(status = open_problem(p, &e)))
		status = symcf_multiclass_cover_rank(e, &p->q, 60, NULL, &sets);
	CHECK(status || sets.n_sets == 61);
	CHECK(!status || sets.n_sets <= 1);
	symcf_multiclass_cover_free(e);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status best_once(const void *data)
{
	return find_once(data, true);
}

static symcf_status rank_once(const void *data)
{
	return find_once(data, false);
}

static void any_allocation_may_fail(void)
{
	static problem p;
	make_long(&p);
	CHECK(fail_each_allocation(list_once, &p) > 8);
	CHECK(fail_each_allocation(best_once, &p) > 8);
	CHECK(fail_each_allocation(rank_once, &p) > 20);
}

static void a_rival_that_has_won_is_refused(void)
{
	static problem p;
	symcf_multiclass_cover *e = NULL;
	symcf_sets sets = {0};
	make_long(&p);
	p.t[1].bias = 0;
	CHECK_EQ_INT(open_problem(&p, &e), SYMCF_INVALID);
	CHECK(!e);
	CHECK_EQ_INT(symcf_multiclass_cover_best(p.rival, 2, &p.q, 3, NULL, &sets), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_multiclass_cover_best(p.rival, 2, &p.q, 0, NULL, &sets), SYMCF_INVALID);
}

int main(void)
{
	RUN(lists_all_change_sets);
	RUN(resumes_after_each_set);
	RUN(serves_one_instance_after_the_other);
	RUN(finds_the_first_k);
	RUN(long_lists_are_asked_again);
	RUN(too_many_to_list);
	RUN(more_than_64_features);
	RUN(stops_when_told);
	RUN(any_allocation_may_fail);
	RUN(a_rival_that_has_won_is_refused);
	return check_report();
}
