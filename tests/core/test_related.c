/* test_related.c: minimal changes within several relations, against trying everything. */
#include <string.h>

#include "support.h"

enum { ROUNDS = 3000, RIVALS = 3, RELATIONS = 3, MOST_COMBINATIONS = 1 << 8 };

typedef struct world {
	uint32_t n, n_rivals, n_relations;
	uint32_t value_offset[MOST_FEATURES + 1], x[MOST_FEATURES];
	int64_t weight[RIVALS][MOST_FEATURES * MOST_VALUES], cost[MOST_FEATURES];
	symcf_threshold t[RIVALS];
	const symcf_threshold *rival[RIVALS];
	bool upwards;
	uint32_t related[RELATIONS][MOST_FEATURES];
	uint8_t allowed[MOST_FEATURES * MOST_VALUES], holds[RELATIONS][MOST_COMBINATIONS];
	symcf_relation relation[RELATIONS];
	const symcf_relation *relations[RELATIONS];
	symcf_query query;
} world;

static bool reaches(const world *w, const uint32_t *row)
{
	for (uint32_t r = 0; r < w->n_rivals; r++)
		if ((symcf_threshold_score(&w->t[r], row) >= 0) == w->upwards)
			return true;
	return false;
}

static void make_relations(world *w)
{
	w->n_relations = random_below(RELATIONS + 1);
	for (uint32_t j = 0; j < w->n; j++) {
		const uint32_t i = random_below(RELATIONS + 2);
		if (i < w->n_relations && w->relation[i].n < 4)
			w->related[i][w->relation[i].n++] = j;
	}
	for (uint32_t i = 0; i < w->n_relations; i++) {
		symcf_relation *r = &w->relation[i];
		r->n_combinations = 1;
		for (uint32_t f = 0; f < r->n; f++)
			r->n_combinations *= values_of(&w->t[0], w->related[i][f]);
		for (uint64_t c = 0; c < r->n_combinations; c++)
			w->holds[i][c] = random_below(3) > 0;
		r->feature = w->related[i];
		r->holds = w->holds[i];
		w->relations[i] = r;
	}
}

/* No rival has won yet. */
static void make_world(world *w)
{
	memset(w, 0, sizeof *w);
	w->n = 1 + random_below(6);
	w->n_rivals = 1 + random_below(RIVALS);
	w->upwards = w->n_rivals > 1 || random_below(2);
	for (uint32_t j = 0; j < w->n; j++) {
		w->value_offset[j + 1] = w->value_offset[j] + 1 + random_below(3);
		w->x[j] = random_below(w->value_offset[j + 1] - w->value_offset[j]);
		w->cost[j] = random_between(1, 3);
	}
	for (uint32_t r = 0; r < w->n_rivals; r++) {
		symcf_threshold *t = &w->t[r];
		*t = (symcf_threshold){.n = w->n, .value_offset = w->value_offset, .weight = w->weight[r]};
		for (uint32_t v = 0; v < w->value_offset[w->n]; v++)
			w->weight[r][v] = random_between(-5, 5);
		const int64_t lack = random_between(1, 8);
		t->bias = (w->upwards ? -lack : lack - 1) - symcf_threshold_score(t, w->x);
		w->rival[r] = t;
	}
	make_relations(w);
	for (uint32_t i = 0; i < w->value_offset[w->n]; i++)
		w->allowed[i] = random_below(5) > 0;
	w->query = (symcf_query){.x = w->x,
	                         .allowed = random_below(2) ? w->allowed : NULL,
	                         .cost = random_below(2) ? w->cost : NULL,
	                         .max_changes = random_below(3) ? UINT32_MAX : random_below(w->n + 1)};
}

static bool obeys(const world *w, const uint32_t *row)
{
	for (uint32_t i = 0; i < w->n_relations; i++) {
		uint64_t c = 0;
		for (uint32_t f = 0; f < w->relation[i].n; f++)
			c = c * values_of(&w->t[0], w->related[i][f]) + row[w->related[i][f]];
		if (!w->holds[i][c])
			return false;
	}
	return true;
}

/* By set of features, as bits: does some row that changes just these do it? */
static void try_all(const world *w, bool *does)
{
	uint32_t row[MOST_FEATURES] = {0};
	memset(does, 0, sizeof *does << w->n);
	do {
		uint32_t set = 0;
		bool fine = reaches(w, row) && obeys(w, row);
		for (uint32_t j = 0; j < w->n && fine; j++)
			if (row[j] != w->x[j]) {
				set |= UINT32_C(1) << j;
				fine = !w->query.allowed || w->allowed[w->value_offset[j] + row[j]];
			}
		does[set] = does[set] || fine;
	} while (next_input(&w->t[0], row));
}

static symcf_sets wanted_of(const world *w)
{
	bool does[1 << 6];
	symcf_sets sets = {0};
	try_all(w, does);
	for (uint32_t set = 0; set < UINT32_C(1) << w->n; set++) {
		uint32_t features[MOST_FEATURES], size = 0;
		bool minimal = does[set];
		for (uint32_t part = 0; part < set && minimal; part++)
			minimal = (part & set) != part || !does[part];
		for (uint32_t j = 0; j < w->n; j++)
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
	       (!n_sets || !memcmp(a->end, b->end, n_sets * sizeof *a->end)) &&
	       (!n_features || !memcmp(a->features, b->features, n_features * sizeof *a->features));
}

static symcf_status open_world(const world *w, symcf_control *control, symcf_related **out)
{
	return symcf_related_open(w->rival, w->n_rivals, w->upwards, w->relations, w->n_relations,
	                          &w->query, control, out);
}

static void sets_are_those_of_trying_everything(void)
{
	uint64_t total = 0;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		world w;
		symcf_related *e = NULL;
		symcf_sets found = {0}, first = {0};
		uint64_t count = 0;
		make_world(&w);
		symcf_sets wanted = wanted_of(&w);
		REQUIRE(open_world(&w, NULL, &e) == SYMCF_OK);
		const uint64_t k = random_below(4), step = 1 + random_below(3);
		CHECK_EQ_INT(symcf_related_best(e, k, NULL, &first), SYMCF_OK);
		CHECK(same(&first, &wanted, k < wanted.n_sets ? k : wanted.n_sets));
		while (symcf_related_next(e, NULL, step, &found) == SYMCF_MORE)
			CHECK(found.n_sets <= wanted.n_sets);
		CHECK_EQ_INT(symcf_sets_sort_from(&found, 0, w.query.cost, NULL), SYMCF_OK);
		CHECK(same(&found, &wanted, wanted.n_sets));
		CHECK_EQ_INT(symcf_related_tally(e, NULL, &count), SYMCF_OK);
		CHECK_EQ_INT(count, wanted.n_sets);
		total += wanted.n_sets;
		symcf_sets_free_arrays(&found);
		symcf_sets_free_arrays(&first);
		symcf_sets_free_arrays(&wanted);
		symcf_related_free(e);
	}
	CHECK(total > ROUNDS / 3);
}

static symcf_status list_and_rank(const void *data)
{
	const world *w = data;
	symcf_related *e = NULL;
	symcf_sets sets = {0}, best = {0};
	symcf_status status = open_world(w, NULL, &e);
	if (!status)
		status = symcf_related_next(e, NULL, UINT64_MAX, &sets);
	if (!status)
		status = symcf_related_best(e, 2, NULL, &best);
	symcf_sets_free_arrays(&sets);
	symcf_sets_free_arrays(&best);
	symcf_related_free(e);
	return status;
}

static void memory_may_fail(void)
{
	uint32_t failures = 0;
	for (uint32_t round = 0; round < 40; round++) {
		world w;
		make_world(&w);
		failures += fail_each_allocation(list_and_rank, &w);
	}
	CHECK(failures > 200);
}

static void a_long_list_can_be_stopped(void)
{
	uint32_t x[30] = {0}, calls;
	const uint32_t one[2] = {3, 7}, other[2] = {4, 9};
	const uint8_t holds[4] = {1, 0, 1, 1};
	const symcf_relation first = {2, one, holds, 4}, second = {2, other, holds, 4};
	const symcf_relation *relations[2] = {&first, &second};
	const symcf_query query = {.x = x, .max_changes = UINT32_MAX};
	symcf_threshold *t = large_threshold(30);
	const symcf_threshold *rival = t;
	const bool upwards = symcf_threshold_score(t, x) < 0;
	symcf_related *e = NULL;
	symcf_sets sets = {0};
	CHECK_EQ_INT(symcf_related_open(&rival, 1, !upwards, relations, 2, &query, NULL, &e),
	             SYMCF_INVALID);
	symcf_control control = interrupting(&calls), late = too_late();
	REQUIRE(symcf_related_open(&rival, 1, upwards, relations, 2, &query, NULL, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_related_next(e, &control, UINT64_MAX, &sets), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(symcf_related_next(e, &late, UINT64_MAX, &sets), SYMCF_LIMIT_TIME);
	symcf_sets_free_arrays(&sets);
	symcf_related_free(e);
	symcf_threshold_free(t);
}

static void too_many_related_features_are_refused(void)
{
	uint32_t x[30] = {0}, related[17];
	const symcf_relation relation = {17, related, NULL, 1 << 17}, *relations = &relation;
	const symcf_query query = {.x = x, .max_changes = UINT32_MAX};
	symcf_threshold *t = large_threshold(30);
	const symcf_threshold *rival = t;
	symcf_related *e = NULL;
	for (uint32_t i = 0; i < 17; i++)
		related[i] = i;
	CHECK_EQ_INT(symcf_related_open(&rival, 1, true, &relations, 1, &query, NULL, &e),
	             SYMCF_UNSUPPORTED);
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
