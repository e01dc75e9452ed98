/* test_cover_within.c: minimal changes within a relation, against trying everything. */
#include "support.h"

enum { ROUNDS = 2000 };

typedef struct world {
	symcf_threshold *t;
	uint32_t x[MOST_FEATURES], related[3], n_related;
	uint8_t allowed[MOST_FEATURES * MOST_VALUES], holds[MOST_VALUES * MOST_VALUES * MOST_VALUES];
	int64_t cost[MOST_FEATURES];
	symcf_relation relation;
	symcf_query query;
} world;

static void make_world(world *w)
{
	const uint32_t n = 1 + random_below(6);
	memset(w, 0, sizeof *w);
	w->t = random_threshold(n, 3, 5);
	w->relation.n_combinations = 1;
	for (uint32_t j = 0; j < n; j++) {
		w->x[j] = random_below(values_of(w->t, j));
		w->cost[j] = random_between(1, 3);
		if (w->n_related < 3 && random_below(2)) {
			w->related[w->n_related++] = j;
			w->relation.n_combinations *= values_of(w->t, j);
		}
	}
	for (uint64_t c = 0; c < w->relation.n_combinations; c++)
		w->holds[c] = random_below(3) > 0;
	for (uint32_t i = 0; i < w->t->value_offset[n]; i++)
		w->allowed[i] = random_below(5) > 0;
	w->relation.n = w->n_related;
	w->relation.feature = w->related;
	w->relation.holds = w->holds;
	w->query = (symcf_query){.x = w->x,
	                         .allowed = random_below(2) ? w->allowed : NULL,
	                         .cost = random_below(2) ? w->cost : NULL,
	                         .max_changes = random_below(3) ? UINT32_MAX : random_below(n + 1)};
}

static bool obeys(const world *w, const uint32_t *row)
{
	uint64_t c = 0;
	for (uint32_t i = 0; i < w->n_related; i++)
		c = c * values_of(w->t, w->related[i]) + row[w->related[i]];
	return w->holds[c];
}

/* By set of features, as bits: does some row that changes just these do it? */
static void try_all(const world *w, bool *does)
{
	const uint32_t now = decide(w->t, w->x);
	uint32_t row[MOST_FEATURES] = {0};
	memset(does, 0, sizeof *does << w->t->n);
	do {
		uint32_t set = 0;
		bool fine = decide(w->t, row) != now && obeys(w, row);
		for (uint32_t j = 0; j < w->t->n && fine; j++)
			if (row[j] != w->x[j]) {
				set |= UINT32_C(1) << j;
				fine = !w->query.allowed || w->allowed[w->t->value_offset[j] + row[j]];
			}
		does[set] = does[set] || fine;
	} while (next_input(w->t, row));
}

static symcf_sets wanted_of(const world *w)
{
	bool does[1 << 6];
	symcf_sets sets = {0};
	try_all(w, does);
	for (uint32_t set = 0; set < UINT32_C(1) << w->t->n; set++) {
		uint32_t features[MOST_FEATURES], size = 0;
		bool minimal = does[set];
		for (uint32_t part = 0; part < set && minimal; part++)
			minimal = (part & set) != part || !does[part];
		for (uint32_t j = 0; j < w->t->n; j++)
			if (set >> j & 1)
				features[size++] = j;
		if (minimal && size <= w->query.max_changes)
			CHECK_EQ_INT(symcf_sets_push(&sets, features, size), SYMCF_OK);
	}
	CHECK_EQ_INT(symcf_sets_sort_from(&sets, 0, w->query.cost, NULL), SYMCF_OK);
	return sets;
}

static bool same(const symcf_sets *a, const symcf_sets *b, uint64_t n_sets)
{
	const uint64_t n_features = n_sets ? b->end[n_sets - 1] : 0;
	return a->n_sets == n_sets && a->n_features == n_features &&
	       (!n_sets || (!memcmp(a->end, b->end, n_sets * sizeof *a->end) &&
	                    !memcmp(a->features, b->features, n_features * sizeof *a->features)));
}

static void sets_are_those_of_trying_everything(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		world w;
		symcf_within *e = NULL;
		symcf_sets found = {0}, first = {0};
		make_world(&w);
		symcf_sets wanted = wanted_of(&w);
		REQUIRE(symcf_within_open(w.t, &w.relation, &w.query, NULL, &e) == SYMCF_OK);
		const uint64_t k = random_below(4), step = 1 + random_below(3);
		CHECK_EQ_INT(symcf_within_best(e, k, NULL, &first), SYMCF_OK);
		CHECK(same(&first, &wanted, k < wanted.n_sets ? k : wanted.n_sets));
		while (symcf_within_next(e, NULL, step, &found) == SYMCF_MORE)
			CHECK(found.n_sets <= wanted.n_sets);
		CHECK_EQ_INT(symcf_sets_sort_from(&found, 0, w.query.cost, NULL), SYMCF_OK);
		CHECK(same(&found, &wanted, wanted.n_sets));
		CHECK_EQ_INT(symcf_within_reset(e, &w.query, NULL), SYMCF_OK);
		symcf_sets_clear(&found);
		CHECK_EQ_INT(symcf_within_next(e, NULL, UINT64_MAX, &found), SYMCF_OK);
		CHECK_EQ_INT(found.n_sets, wanted.n_sets);
		symcf_sets_free_arrays(&found);
		symcf_sets_free_arrays(&first);
		symcf_sets_free_arrays(&wanted);
		symcf_within_free(e);
		symcf_threshold_free(w.t);
	}
}

static symcf_status list_and_rank(const void *data)
{
	const world *w = data;
	symcf_within *e = NULL;
	symcf_sets sets = {0};
	symcf_status status = symcf_within_open(w->t, &w->relation, &w->query, NULL, &e);
	if (!status)
		status = symcf_within_next(e, NULL, UINT64_MAX, &sets);
	if (!status)
		status = symcf_within_best(e, 2, NULL, &sets);
	symcf_sets_free_arrays(&sets);
	symcf_within_free(e);
	return status;
}

static void memory_may_fail(void)
{
	uint32_t failures = 0;
	for (uint32_t round = 0; round < 40; round++) {
		world w;
		make_world(&w);
		failures += fail_each_allocation(list_and_rank, &w);
		symcf_threshold_free(w.t);
	}
	CHECK(failures > 200);
}

static void a_long_list_can_be_stopped(void)
{
	uint32_t x[30] = {0}, related[2] = {3, 7}, calls;
	const uint8_t holds[4] = {1, 0, 1, 1};
	const symcf_relation relation = {2, related, holds, 4};
	const symcf_query query = {.x = x, .max_changes = UINT32_MAX};
	symcf_threshold *t = large_threshold(30);
	symcf_within *e = NULL;
	symcf_sets sets = {0};
	REQUIRE(symcf_within_open(t, &relation, &query, NULL, &e) == SYMCF_OK);
	symcf_control control = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(symcf_within_next(e, &control, UINT64_MAX, &sets), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(symcf_within_next(e, &late, UINT64_MAX, &sets), SYMCF_LIMIT_TIME);
	symcf_sets_free_arrays(&sets);
	symcf_within_free(e);
	symcf_threshold_free(t);
}

static void too_many_related_features_are_refused(void)
{
	uint32_t x[30] = {0}, related[17];
	const symcf_relation relation = {17, related, NULL, 1 << 17};
	const symcf_query query = {.x = x, .max_changes = UINT32_MAX};
	symcf_threshold *t = large_threshold(30);
	symcf_within *e = NULL;
	for (uint32_t i = 0; i < 17; i++)
		related[i] = i;
	CHECK_EQ_INT(symcf_within_open(t, &relation, &query, NULL, &e), SYMCF_UNSUPPORTED);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(sets_are_those_of_trying_everything);
	RUN(memory_may_fail);
	RUN(a_long_list_can_be_stopped);
	RUN(too_many_related_features_are_refused);
	return check_report();
}
