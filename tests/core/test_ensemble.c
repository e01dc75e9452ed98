/* The engine `boxes` against brute force: every row, every set of features. */
#include "grove.h"

#include "../../src/core/ensemble.h"

enum { MOST_SUBSETS = 1 << 7 };

typedef struct vote {
	grove g;
	int64_t scores[2 * MOST_NODES];
	bool later_wins;
	symcf_ensemble *e;
} vote;

static symcf_status make(vote *v)
{
	const char *reason = NULL;
	for (uint64_t u = 0; u < v->g.start[v->g.trees.n_trees]; u++) {
		v->scores[2 * u] = 0;
		v->scores[2 * u + 1] = v->g.score[u];
	}
	v->e = NULL;
	return symcf_ensemble_create(&v->g.trees, 2, v->scores, v->later_wins, NULL, &reason, &v->e);
}

static void random_vote(vote *v, uint32_t n, uint32_t values, uint32_t trees)
{
	random_grove(&v->g, n, values, trees, 9, 6);
	v->g.trees.bias = 0;
	/* some as large as sums may be: the spread of a tree is at most 12 */
	const int64_t scale = random_below(3) ? 1 : ((INT64_C(1) << 62) - 1) / (12 * MOST_TREES);
	for (uint64_t u = 0; u < v->g.start[trees]; u++)
		v->g.score[u] *= scale;
	v->later_wins = random_below(2);
	CHECK_EQ_INT(make(v), SYMCF_OK);
}

static uint32_t decide_vote(const vote *v, const uint32_t *x)
{
	const int64_t sum = sum_of_leaves(&v->g, x);
	return v->later_wins ? sum >= 0 : sum > 0;
}

/* By number of a set: does changing some of its features flip the decision? */
static void flipping(const vote *v, const uint32_t *x, const uint8_t *allowed, bool *flips)
{
	const uint32_t n = v->g.trees.n, now = decide_vote(v, x);
	uint32_t y[MOST_FEATURES] = {0}, offset[MOST_FEATURES + 1] = {0};
	memset(flips, 0, sizeof *flips << n);
	for (uint32_t j = 0; j < n; j++)
		offset[j + 1] = offset[j] + v->g.n_values[j];
	do {
		uint32_t set = 0;
		bool may = true;
		for (uint32_t j = 0; j < n; j++) {
			set |= (uint32_t)(y[j] != x[j]) << j;
			may = may && (y[j] == x[j] || !allowed || allowed[offset[j] + y[j]]);
		}
		if (may && decide_vote(v, y) != now)
			flips[set] = true;
	} while (next_codes(&v->g, y));
	for (uint32_t j = 0; j < n; j++)
		for (uint32_t set = 0; set < 1u << n; set++)
			if (set >> j & 1 && flips[set ^ 1u << j])
				flips[set] = true;
}

static bool is_minimal(const bool *flips, uint32_t set, uint32_t n)
{
	bool minimal = flips[set];
	for (uint32_t j = 0; j < n; j++)
		minimal = minimal && !(set >> j & 1 && flips[set ^ 1u << j]);
	return minimal;
}

static uint32_t set_number(const symcf_sets *s, uint64_t i)
{
	uint32_t set = 0;
	for (uint64_t f = i ? s->end[i - 1] : 0; f < s->end[i]; f++)
		set |= 1u << s->features[f];
	return set;
}

/* Exactly the minimal sets, each once, by rising size. */
static void check_changes(const symcf_sets *s, const bool *flips, uint32_t n, uint32_t most)
{
	uint32_t wanted = 0, size = 0;
	for (uint32_t set = 0; set < 1u << n; set++)
		wanted += is_minimal(flips, set, n) && (uint32_t)__builtin_popcount(set) <= most;
	CHECK_EQ_INT(s->n_sets, wanted);
	for (uint64_t i = 0; i < s->n_sets; i++) {
		const uint32_t set = set_number(s, i);
		CHECK(is_minimal(flips, set, n));
		CHECK((uint32_t)__builtin_popcount(set) >= size);
		size = (uint32_t)__builtin_popcount(set);
		for (uint64_t o = 0; o < i; o++)
			CHECK(set_number(s, o) != set);
	}
}

/* A reason keeps the decision if its features stay, and no part of it does. */
static void check_reasons(const symcf_sets *s, const bool *flips, uint32_t n)
{
	const uint32_t all = (1u << n) - 1;
	uint32_t wanted = 0;
	for (uint32_t set = 0; set < 1u << n; set++) {
		bool minimal = !flips[all ^ set];
		for (uint32_t j = 0; j < n; j++)
			minimal = minimal && !(set >> j & 1 && !flips[(all ^ set) | 1u << j]);
		wanted += minimal;
		bool listed = false;
		for (uint64_t i = 0; i < s->n_sets; i++)
			listed = listed || set_number(s, i) == set;
		CHECK_EQ_INT(listed, minimal);
	}
	CHECK_EQ_INT(s->n_sets, wanted);
}

static void random_row(const vote *v, uint32_t *x, uint8_t *allowed)
{
	uint32_t at = 0;
	for (uint32_t j = 0; j < v->g.trees.n; j++) {
		x[j] = random_below(v->g.n_values[j]);
		for (uint32_t c = 0; c < v->g.n_values[j]; c++)
			allowed[at++] = random_below(4) > 0;
	}
}

static void all_sets_are_found(void)
{
	for (uint32_t round = 0; round < 400; round++) {
		vote v;
		uint32_t x[MOST_FEATURES], n = 1 + random_below(6);
		uint8_t allowed[MOST_FEATURES * MOST_VALUES];
		bool flips[MOST_SUBSETS];
		random_vote(&v, n, 4, 1 + random_below(7));
		random_row(&v, x, allowed);
		const uint32_t most = random_below(3) ? UINT32_MAX : 1 + random_below(n);
		symcf_query q = {.x = x, .allowed = random_below(2) ? allowed : NULL, .max_changes = most};
		flipping(&v, x, q.allowed, flips);
		symcf_ensemble_search *s = NULL;
		symcf_sets sets = {0}, reasons = {0};
		const uint32_t sink = !decide_vote(&v, x);
		CHECK_EQ_INT(symcf_ensemble_decide(v.e, x), !sink);
		REQUIRE(symcf_ensemble_open(v.e, &q, 1, sink, &s) == SYMCF_OK);
		symcf_status status = SYMCF_MORE;
		while (status == SYMCF_MORE)
			status = symcf_ensemble_next(s, NULL, 1 + random_below(3), &sets);
		CHECK_EQ_INT(status, SYMCF_OK);
		check_changes(&sets, flips, n, most);
		CHECK_EQ_INT(symcf_ensemble_complete(s), UINT32_MAX);
		CHECK_EQ_INT(symcf_ensemble_reasons(s, NULL, &reasons), SYMCF_OK);
		check_reasons(&reasons, flips, n);
		uint32_t row[MOST_FEATURES];
		bool found;
		CHECK_EQ_INT(symcf_ensemble_find(v.e, &q, 1, sink, NULL, &found, row), SYMCF_OK);
		CHECK_EQ_INT(found, flips[(1u << n) - 1]);
		if (found)
			CHECK_EQ_INT(decide_vote(&v, row), sink);
		symcf_sets_free_arrays(&sets);
		symcf_sets_free_arrays(&reasons);
		symcf_ensemble_close(s);
		symcf_ensemble_free(v.e);
	}
}

/* An interrupted search goes on where it was: what comes out in the end is the same. */
/* The box oracle on every set of features, with pairs of trees from the first box on. */
static void pairs_of_trees_bound_boxes(void)
{
	uint64_t paired = 0;
	for (uint32_t round = 0; round < 300; round++) {
		vote v;
		uint32_t x[MOST_FEATURES], active[MOST_FEATURES], n = 3 + random_below(4);
		uint8_t allowed[MOST_FEATURES * MOST_VALUES];
		bool flips[MOST_SUBSETS];
		ensemble_scene s;
		ensemble_masks m;
		random_grove(&v.g, n, 4, 4 + random_below(MOST_TREES - 3), 22, 1000);
		v.g.trees.bias = 0;
		v.later_wins = random_below(2);
		CHECK_EQ_INT(make(&v), SYMCF_OK);
		random_row(&v, x, allowed);
		const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
		flipping(&v, x, NULL, flips);
		for (uint32_t j = 0; j < n; j++)
			active[j] = j;
		CHECK_EQ_INT(symcf_ensemble_scene_open(v.e, &s), SYMCF_OK);
		CHECK_EQ_INT(symcf_ensemble_scene_set(&s, &q, 1 - decide_vote(&v, x), 1, UINT32_MAX, NULL),
		             SYMCF_OK);
		CHECK_EQ_INT(symcf_ensemble_masks_open(&s, 0, active, n, NULL, &m), SYMCF_OK);
		CHECK(m.simple && m.together);
		m.alone = 0;
		for (uint64_t set = 0; set < 1u << n; set++) {
			bool found;
			CHECK_EQ_INT(symcf_ensemble_masks_search(&m, &set, NULL, &found), SYMCF_OK);
			CHECK_EQ_INT(found, flips[set]);
			if (!found)
				continue;
			uint32_t y[MOST_FEATURES];
			for (uint32_t j = 0; j < n; j++) {
				const uint32_t special = m.witness[j] & ENSEMBLE_SPECIAL ? v.e->n_line[j] : 0;
				y[j] =
					v.e->code[v.e->value_offset[j] + special + (m.witness[j] & ~ENSEMBLE_SPECIAL)];
				CHECK(set >> j & 1 || y[j] == x[j]);
			}
			CHECK(decide_vote(&v, y) != decide_vote(&v, x));
		}
		for (uint32_t t = 0; t < m.n_trees; t++)
			paired += m.mate[t] != ENSEMBLE_NOWHERE;
		symcf_ensemble_masks_close(&m);
		symcf_ensemble_scene_close(&s);
		symcf_ensemble_free(v.e);
	}
	CHECK(paired > 300);
}

static void it_goes_on_after_interruptions(void)
{
	for (uint32_t round = 0; round < 30; round++) {
		vote v;
		uint32_t x[MOST_FEATURES], calls, n = 6;
		uint8_t allowed[MOST_FEATURES * MOST_VALUES];
		bool flips[MOST_SUBSETS];
		random_vote(&v, n, 4, 7);
		random_row(&v, x, allowed);
		const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
		flipping(&v, x, NULL, flips);
		symcf_ensemble_search *s = NULL;
		symcf_sets sets = {0};
		REQUIRE(symcf_ensemble_open(v.e, &q, 1, !decide_vote(&v, x), &s) == SYMCF_OK);
		symcf_control stop = interrupting(&calls), late = too_late();
		CHECK_EQ_INT(symcf_ensemble_next(s, &stop, 100, &sets), SYMCF_INTERRUPTED);
		CHECK_EQ_INT(symcf_ensemble_next(s, &late, 100, &sets), SYMCF_LIMIT_TIME);
		/* a credit of so much work, then it is late */
		symcf_status status = SYMCF_LIMIT_TIME;
		for (uint32_t tries = 0; status == SYMCF_LIMIT_TIME && tries < 10000; tries++) {
			symcf_control some = too_late();
			some.deadline = symcf_clock() + 1e-6 * tries;
			status = symcf_ensemble_next(s, &some, 1000, &sets);
		}
		CHECK_EQ_INT(status, SYMCF_OK);
		uint32_t wanted = 0;
		for (uint32_t set = 0; set < 1u << n; set++)
			wanted += is_minimal(flips, set, n);
		CHECK_EQ_INT(sets.n_sets, wanted);
		for (uint64_t i = 0; i < sets.n_sets; i++)
			CHECK(is_minimal(flips, set_number(&sets, i), n));
		symcf_sets_free_arrays(&sets);
		symcf_ensemble_close(s);
		symcf_ensemble_free(v.e);
	}
}

/* The cheapest values, and of these the least codes. */
static void values_are_the_cheapest(void)
{
	for (uint32_t round = 0; round < 300; round++) {
		vote v;
		uint32_t x[MOST_FEATURES], features[MOST_FEATURES], codes[MOST_FEATURES] = {0}, size = 0;
		uint8_t allowed[MOST_FEATURES * MOST_VALUES];
		int64_t cost[MOST_FEATURES * MOST_VALUES], total = 0;
		uint32_t offset[MOST_FEATURES + 1] = {0}, n = 1 + random_below(4);
		random_vote(&v, n, 4, 1 + random_below(5));
		random_row(&v, x, allowed);
		for (uint32_t j = 0; j < n; j++) {
			offset[j + 1] = offset[j] + v.g.n_values[j];
			for (uint32_t c = offset[j]; c < offset[j + 1]; c++)
				cost[c] = allowed[c] && c - offset[j] != x[j] ? random_between(1, 4) : -1;
			if (random_below(3))
				features[size++] = j;
		}
		const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
		const uint32_t wanted = !decide_vote(&v, x);
		bool found, any = false;
		CHECK_EQ_INT(symcf_ensemble_choose(v.e, &q, 1, wanted, features, size, cost, NULL, &found,
		                                   codes, &total),
		             SYMCF_OK);
		uint32_t y[MOST_FEATURES] = {0}, best[MOST_FEATURES] = {0};
		int64_t least = INT64_MAX;
		do {
			int64_t paid = 0;
			bool may = true;
			for (uint32_t j = 0, i = 0; j < n; j++) {
				const bool is_free = i < size && features[i] == j;
				i += is_free;
				may = may && (is_free ? cost[offset[j] + y[j]] >= 0 : y[j] == x[j]);
				paid += is_free ? cost[offset[j] + y[j]] : 0;
			}
			bool first = paid < least;
			for (uint32_t j = 0; j < n && paid == least && !first; j++) {
				if (y[j] > best[j])
					break;
				first = y[j] < best[j];
			}
			if (may && decide_vote(&v, y) == wanted && first) {
				any = true;
				least = paid;
				memcpy(best, y, sizeof best);
			}
		} while (next_codes(&v.g, y));
		CHECK_EQ_INT(found, any);
		for (uint32_t i = 0; i < size && found; i++)
			CHECK_EQ_INT(codes[i], best[features[i]]);
		if (found)
			CHECK_EQ_INT(total, least);
		symcf_ensemble_free(v.e);
	}
}

static symcf_status attempt(const void *data)
{
	vote v = *(const vote *)data;
	uint32_t x[MOST_FEATURES] = {0}, row[MOST_FEATURES], feature = 0;
	int64_t cost[MOST_FEATURES * MOST_VALUES], total;
	bool found;
	const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	symcf_ensemble_search *s = NULL;
	symcf_sets sets = {0};
	v.g.trees.n_values = v.g.n_values;
	v.g.trees.start = v.g.start;
	v.g.trees.feature = v.g.feature;
	v.g.trees.left = v.g.left;
	v.g.trees.right = v.g.right;
	v.g.trees.left_start = v.g.left_start;
	v.g.trees.left_values = v.g.left_values;
	for (uint32_t i = 0; i < MOST_FEATURES * MOST_VALUES; i++)
		cost[i] = 1;
	const uint32_t sink = !decide_vote(&v, x);
	symcf_status status = make(&v);
	if (!status)
		status = symcf_ensemble_open(v.e, &q, 1, sink, &s);
	if (!status)
		status = symcf_ensemble_next(s, NULL, 1000, &sets);
	if (!status)
		status = symcf_ensemble_reasons(s, NULL, &sets);
	if (!status)
		status = symcf_ensemble_best(s, 3, NULL, &sets);
	if (!status)
		status = symcf_ensemble_find(v.e, &q, 1, sink, NULL, &found, row);
	if (!status)
		status =
			symcf_ensemble_choose(v.e, &q, 1, sink, &feature, 1, cost, NULL, &found, row, &total);
	symcf_sets_free_arrays(&sets);
	symcf_ensemble_close(s);
	symcf_ensemble_free(v.e);
	return status;
}

static void memory_may_be_short(void)
{
	vote v;
	random_vote(&v, 6, 4, 7);
	symcf_ensemble_free(v.e);
	CHECK(fail_each_allocation(attempt, &v) > 20);
}

/* The same trees with the classes exchanged. */
static symcf_ensemble *exchanged(const vote *v)
{
	static int64_t scores[2 * MOST_NODES];
	const char *reason = NULL;
	symcf_ensemble *e = NULL;
	for (uint64_t u = 0; u < 2 * v->g.start[v->g.trees.n_trees]; u++)
		scores[u ^ 1] = v->scores[u];
	CHECK_EQ_INT(symcf_ensemble_create(&v->g.trees, 2, scores, !v->later_wins, NULL, &reason, &e),
	             SYMCF_OK);
	return e;
}

/* What rows of a class have to reach may be asked of other trees, by any number of rows. */
static void a_batch_may_ask_other_trees(void)
{
	for (uint32_t round = 0; round < 60; round++) {
		enum { ROWS = 40 };
		vote v;
		uint32_t x[ROWS * MOST_FEATURES], offset[MOST_FEATURES + 1] = {0}, bad,
																 n = 1 + random_below(5);
		bool flips[MOST_SUBSETS];
		random_vote(&v, n, 4, 1 + random_below(6));
		symcf_ensemble *e = exchanged(&v);
		for (uint32_t j = 0; j < n; j++)
			offset[j + 1] = offset[j] + v.g.n_values[j];
		for (uint32_t i = 0; i < ROWS * n; i++)
			x[i] = random_below(v.g.n_values[i % n]);
		const symcf_goal goals[] = {{.e = e, .k = 0, .sink = 1}, {.e = e, .k = 0, .sink = 0}};
		const symcf_classifier c = {.n_classes = 2, .ensemble = v.e};
		const symcf_rows rows = {.data = x, .type = SYMCF_UINT32, .m = ROWS, .n = n};
		const symcf_batch_request request = {.goals = goals,
		                                     .max_changes = UINT32_MAX,
		                                     .max_memory = 1 << 24,
		                                     .target = -1,
		                                     .sorted = true};
		symcf_batch *b = NULL;
		symcf_columns columns;
		symcf_control control = {0};
		uint64_t bad_row;
		REQUIRE(symcf_batch_open(&c, offset, &rows, &request, NULL, &b) == SYMCF_OK);
		CHECK_EQ_INT(symcf_batch_work(b, &control), SYMCF_OK);
		REQUIRE(symcf_batch_finish(b, &columns, &bad_row, &bad) == SYMCF_OK);
		const int64_t *ends = columns.set_offsets.data;
		for (uint32_t i = 0; i < ROWS; i++) {
			symcf_sets sets = {0};
			flipping(&v, x + (uint64_t)i * n, NULL, flips);
			for (int64_t s = columns.row_offsets[i]; s < columns.row_offsets[i + 1]; s++)
				CHECK_EQ_INT(symcf_sets_push(&sets, (uint32_t *)columns.features.data + ends[s],
				                             (uint32_t)(ends[s + 1] - ends[s])),
				             SYMCF_OK);
			check_changes(&sets, flips, n, n);
			symcf_sets_free_arrays(&sets);
		}
		symcf_columns_free(&columns);
		symcf_batch_free(b);
		symcf_ensemble_free(e);
		symcf_ensemble_free(v.e);
	}
}

static void sums_of_62_bits_are_refused(void)
{
	for (int64_t more = 0; more < 2; more++) {
		vote v = {.later_wins = true};
		random_grove(&v.g, 3, 3, 2, 4, 0);
		for (uint32_t t = 0; t < 2; t++) {
			uint64_t u = v.g.start[t];
			while (v.g.feature[u] != -1)
				u++;
			v.g.score[u] = (INT64_C(1) << 61) - (t ? 1 : 0) + (t ? more : 0);
		}
		CHECK_EQ_INT(make(&v), more ? SYMCF_OVERFLOW : SYMCF_OK);
		symcf_ensemble_free(v.e);
	}
}

static void tables_keep_to_the_budget(void)
{
	vote v;
	uint32_t x[MOST_FEATURES] = {0};
	random_vote(&v, 6, 4, 7);
	const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	symcf_ensemble_search *s = NULL;
	symcf_sets sets = {0};
	symcf_control control = {.max_memory = 100};
	REQUIRE(symcf_ensemble_open(v.e, &q, 1, !decide_vote(&v, x), &s) == SYMCF_OK);
	CHECK_EQ_INT(symcf_ensemble_next(s, &control, 10, &sets), SYMCF_LIMIT_MEMORY);
	symcf_sets_free_arrays(&sets);
	symcf_ensemble_close(s);
	symcf_ensemble_free(v.e);
}

int main(void)
{
	RUN(all_sets_are_found);
	RUN(pairs_of_trees_bound_boxes);
	RUN(it_goes_on_after_interruptions);
	RUN(values_are_the_cheapest);
	RUN(memory_may_be_short);
	RUN(a_batch_may_ask_other_trees);
	RUN(sums_of_62_bits_are_refused);
	RUN(tables_keep_to_the_budget);
	return check_report();
}
