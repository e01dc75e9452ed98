/* test_choose.c: values of change sets, and the cheapest sets, against trying everything. */
#include "support.h"

enum { MOST_LINES = 3, ROUNDS = 3000, ALL_VALUES = MOST_FEATURES * MOST_VALUES };

/* An instance with what may become of it, and what has to become true. */
typedef struct world {
	uint32_t n, n_lines;
	symcf_threshold *t[MOST_LINES];
	symcf_diagram *d;
	int64_t shift[MOST_LINES];
	bool fall, every;
	uint32_t x[MOST_FEATURES];
	int64_t cost[ALL_VALUES], move[ALL_VALUES];
	uint32_t name[ALL_VALUES];
	uint32_t related[2];
	uint8_t holds[MOST_VALUES * MOST_VALUES];
	symcf_relation relation; /* of no features: none */
} world;

static uint32_t offset_of(const world *w, uint32_t j)
{
	return w->t[0]->value_offset[j];
}

static void make_world(world *w, uint32_t round)
{
	w->n = 1 + random_below(5);
	w->n_lines = round % 4 == 0 ? 1 : 1 + random_below(MOST_LINES);
	w->t[0] = random_threshold(w->n, 4, 5);
	for (uint32_t r = 1; r < w->n_lines; r++) {
		int64_t weight[ALL_VALUES];
		for (uint32_t i = 0; i < w->t[0]->value_offset[w->n]; i++)
			weight[i] = random_between(-5, 5);
		CHECK_EQ_INT(symcf_threshold_create(w->n, w->t[0]->value_offset, weight,
		                                    random_between(-5, 5), &w->t[r]),
		             SYMCF_OK);
	}
	w->d = round % 4 == 1 ? compile_natural(w->t[0]) : NULL;
	w->n_lines = w->d ? 1 : w->n_lines;
	w->fall = w->n_lines == 1 && random_below(2);
	w->relation = (symcf_relation){0, w->related, w->holds, 1};
	for (uint32_t j = 0; j < w->n && round % 8 == 4; j++)
		if (w->relation.n < 2 && random_below(2)) {
			w->related[w->relation.n++] = j;
			w->relation.n_combinations *= values_of(w->t[0], j);
		}
	for (uint64_t i = 0; i < w->relation.n_combinations; i++)
		w->holds[i] = random_below(3) > 0;
	w->every = random_below(2);
	for (uint32_t r = 0; r < w->n_lines; r++)
		w->shift[r] = random_between(0, 1);
	for (uint32_t j = 0; j < w->n; j++) {
		w->x[j] = random_below(values_of(w->t[0], j));
		for (uint32_t v = 0; v < values_of(w->t[0], j); v++) {
			const uint32_t at = offset_of(w, j) + v;
			w->cost[at] = v == w->x[j] || !random_below(6) ? -1 : random_between(1, 4);
			w->move[at] = random_between(0, 2);
			w->name[at] = values_of(w->t[0], j) - 1 - v; /* not the order of the codes */
		}
	}
}

static void free_world(world *w)
{
	for (uint32_t r = 0; r < MOST_LINES; r++)
		symcf_threshold_free(w->t[r]);
	symcf_diagram_free(w->d);
}

static symcf_status open_chooser(const world *w, symcf_chooser **out)
{
	const symcf_aim aim = {.t = (const symcf_threshold *const *)w->t,
	                       .n_functions = w->n_lines,
	                       .shift = w->shift,
	                       .fall = w->fall,
	                       .every = w->every,
	                       .relation = w->relation.n ? &w->relation : NULL,
	                       .d = w->d,
	                       .sink = w->fall ? 0 : 1};
	const symcf_options options = {w->cost, w->move, w->name};
	const symcf_status status = symcf_chooser_open(&aim, w->n, w->t[0]->value_offset, out);
	if (!status)
		symcf_chooser_reset(*out, w->x, &options);
	return status;
}

/* Does a row do it, and with which margin? */
static bool does_it(const world *w, const uint32_t *row, int64_t *margin)
{
	bool any = false, all = true;
	int64_t best = INT64_MIN, worst = INT64_MAX;
	uint64_t combination = 0;
	*margin = 0;
	for (uint32_t i = 0; i < w->relation.n; i++)
		combination = combination * values_of(w->t[0], w->related[i]) + row[w->related[i]];
	if (w->relation.n && !w->holds[combination])
		return false;
	if (w->d)
		return symcf_diagram_evaluate(w->d, row) == (w->fall ? 0 : 1);
	for (uint32_t r = 0; r < w->n_lines; r++) {
		const int64_t score = symcf_threshold_score(w->t[r], row);
		const int64_t line = w->fall ? -score - 1 : score, its = line + w->shift[r];
		any = any || line >= 0;
		all = all && line >= 0;
		best = line >= 0 && its > best ? its : best;
		worst = its < worst ? its : worst;
	}
	*margin = w->every ? worst : best;
	return w->every ? all : any;
}

typedef struct choice {
	bool any;
	int64_t cost, move, margin;
	uint32_t names[MOST_FEATURES];
} choice;

static bool is_better(const choice *a, const choice *b, uint32_t size)
{
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->move != b->move)
		return a->move < b->move;
	if (a->margin != b->margin)
		return a->margin > b->margin;
	for (uint32_t i = 0; i < size; i++)
		if (a->names[i] != b->names[i])
			return a->names[i] < b->names[i];
	return false;
}

/* The best choice for the features that are bits of a set, by trying all rows. */
static choice best_of(const world *w, uint32_t set)
{
	choice best = {.any = false};
	uint32_t row[MOST_FEATURES] = {0};
	do {
		choice here = {.any = true};
		uint32_t size = 0;
		bool fine = true;
		for (uint32_t j = 0; j < w->n; j++) {
			const uint32_t at = offset_of(w, j) + row[j];
			if (!(set >> j & 1)) {
				fine = fine && row[j] == w->x[j];
				continue;
			}
			fine = fine && w->cost[at] >= 0;
			here.cost += w->cost[at];
			here.move += w->move[at];
			here.names[size++] = w->name[at];
		}
		if (fine && does_it(w, row, &here.margin) && (!best.any || is_better(&here, &best, size)))
			best = here;
	} while (next_input(w->t[0], row));
	return best;
}

static uint32_t list(uint32_t set, uint32_t *features)
{
	uint32_t size = 0;
	for (uint32_t j = 0; j < MOST_FEATURES; j++)
		if (set >> j & 1)
			features[size++] = j;
	return size;
}

static void choices_are_those_of_trying_everything(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		world w = {0};
		symcf_chooser *c = NULL;
		make_world(&w, round);
		REQUIRE(open_chooser(&w, &c) == SYMCF_OK);
		for (uint32_t set = 0; set < UINT32_C(1) << w.n; set++) {
			uint32_t features[MOST_FEATURES], names[MOST_FEATURES] = {0};
			const uint32_t size = list(set, features);
			const choice wanted = best_of(&w, set);
			int64_t cost = -1, again = -1;
			const symcf_status status = symcf_choose(c, features, size, NULL, names, &cost);
			CHECK_EQ_INT(status, wanted.any ? SYMCF_OK : SYMCF_INVALID);
			CHECK_EQ_INT(symcf_choose(c, features, size, NULL, NULL, &again), status);
			CHECK_EQ_INT(cost, wanted.any ? wanted.cost : -1);
			CHECK_EQ_INT(again, cost);
			for (uint32_t i = 0; i < size && wanted.any; i++)
				CHECK_EQ_INT(names[i], wanted.names[i]);
		}
		symcf_chooser_free(c);
		free_world(&w);
	}
}

/* ---------------------------------------------------------------- the cheapest sets ---------- */

static bool comes_before(const choice *all, uint32_t a, uint32_t b)
{
	uint32_t x[MOST_FEATURES], y[MOST_FEATURES];
	const uint32_t size = list(a, x), other = list(b, y);
	if (all[a].cost != all[b].cost)
		return all[a].cost < all[b].cost;
	if (size != other)
		return size < other;
	for (uint32_t i = 0; i < size; i++)
		if (x[i] != y[i])
			return x[i] < y[i];
	return false;
}

/* The minimal sets of at most so many features, in order. ensures: how many. */
static uint32_t rank_all(const world *w, uint32_t most, const choice *all, uint32_t *ranked)
{
	uint32_t count = 0;
	for (uint32_t set = 0; set < UINT32_C(1) << w->n; set++) {
		bool fine = all[set].any && (uint32_t)__builtin_popcount(set) <= most;
		for (uint32_t part = 0; part < set && fine; part++)
			fine = (part & set) != part || !all[part].any;
		if (!fine)
			continue;
		uint32_t at = count++;
		for (; at && comes_before(all, set, ranked[at - 1]); at--)
			ranked[at] = ranked[at - 1];
		ranked[at] = set;
	}
	return count;
}

static void check_best(const world *w, const choice *all)
{
	const uint32_t most = random_below(3) ? UINT32_MAX : random_below(w->n + 1);
	const uint64_t k = 1 + random_below(6);
	uint32_t ranked[1 << 5];
	const uint32_t count = rank_all(w, most, all, ranked);
	symcf_chooser *c = NULL;
	symcf_sets sets = {0};
	REQUIRE(open_chooser(w, &c) == SYMCF_OK);
	CHECK_EQ_INT(symcf_choose_best(c, most, k, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, count < k ? count : k);
	for (uint64_t i = 0, start = 0; i < sets.n_sets && i < count; start = sets.end[i++]) {
		uint32_t set = 0;
		for (uint64_t f = start; f < sets.end[i]; f++)
			set |= UINT32_C(1) << sets.features[f];
		CHECK_EQ_INT(set, ranked[i]);
	}
	symcf_sets_free_arrays(&sets);
	symcf_chooser_free(c);
}

static void the_cheapest_sets_are_those_of_trying_everything(void)
{
	uint32_t checked = 0;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		world w = {0};
		choice all[1 << 5];
		int64_t margin;
		make_world(&w, round);
		if (random_below(8) == 0) /* costs with no room for sizes beside them */
			for (uint32_t i = 0; i < w.t[0]->value_offset[w.n]; i++)
				w.cost[i] = w.cost[i] < 0 ? -1 : w.cost[i] << 56;
		for (uint32_t set = 0; set < UINT32_C(1) << w.n; set++)
			all[set] = best_of(&w, set);
		w.every = w.n_lines == 1 && w.every;
		if (!w.d && !w.relation.n && !does_it(&w, w.x, &margin)) {
			for (uint32_t set = 0; set < UINT32_C(1) << w.n; set++)
				all[set] = best_of(&w, set);
			check_best(&w, all);
			checked++;
		}
		free_world(&w);
	}
	CHECK(checked > ROUNDS / 5);
}

static void some_aims_have_no_cheapest_sets(void)
{
	world w = {0};
	symcf_chooser *c = NULL;
	symcf_sets sets = {0};
	make_world(&w, 1);
	REQUIRE(w.d && open_chooser(&w, &c) == SYMCF_OK);
	CHECK_EQ_INT(symcf_choose_best(c, UINT32_MAX, 1, NULL, &sets), SYMCF_UNSUPPORTED);
	symcf_chooser_free(c);
	free_world(&w);
}

/* ------------------------------------------------------------- memory and stopping ----------- */

static symcf_status choose_all(const void *data)
{
	const world *w = data;
	symcf_chooser *c = NULL;
	symcf_sets sets = {0};
	symcf_status status = open_chooser(w, &c);
	for (uint32_t set = 0; set < UINT32_C(1) << w->n && !status; set++) {
		uint32_t features[MOST_FEATURES], names[MOST_FEATURES];
		int64_t cost;
		status = symcf_choose(c, features, list(set, features), NULL, names, &cost);
		status = status == SYMCF_INVALID ? SYMCF_OK : status;
	}
	int64_t margin;
	if (!status && !w->d && !w->every && !w->relation.n && !does_it(w, w->x, &margin))
		status = symcf_choose_best(c, UINT32_MAX, 4, NULL, &sets);
	symcf_sets_free_arrays(&sets);
	symcf_chooser_free(c);
	return status;
}

static void memory_may_fail(void)
{
	uint32_t failures = 0;
	for (uint32_t round = 0; round < 40; round++) {
		world w = {0};
		make_world(&w, round);
		failures += fail_each_allocation(choose_all, &w);
		free_world(&w);
	}
	CHECK(failures > 400);
}

/* 40 features of four values: more sets than could be listed. */
static void a_long_search_can_be_stopped(void)
{
	enum { N = 40, D = 4 };
	uint32_t value_offset[N + 1] = {0}, x[N] = {0}, calls;
	int64_t weight[N * D], cost[N * D], total = 0;
	symcf_threshold *t = NULL;
	symcf_chooser *c = NULL;
	symcf_sets sets = {0};
	for (uint32_t j = 0; j < N; j++) {
		value_offset[j + 1] = D * (j + 1);
		for (uint32_t v = 0; v < D; v++) {
			weight[D * j + v] = v ? random_between(1, 1 << 20) : 0;
			cost[D * j + v] = v ? random_between(1, 1 << 20) : -1;
		}
		total += weight[D * j + 1];
	}
	REQUIRE(symcf_threshold_create(N, value_offset, weight, -total, &t) == SYMCF_OK);
	const symcf_aim aim = {.t = (const symcf_threshold *const *)&t, .n_functions = 1};
	REQUIRE(symcf_chooser_open(&aim, N, value_offset, &c) == SYMCF_OK);
	symcf_chooser_reset(c, x, &(symcf_options){.cost = cost});
	symcf_control control = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(symcf_choose_best(c, UINT32_MAX, 1 << 16, &control, &sets), SYMCF_INTERRUPTED);
	CHECK(calls == 1 && !sets.n_sets);
	CHECK_EQ_INT(symcf_choose_best(c, UINT32_MAX, 1 << 16, &late, &sets), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_choose_best(c, UINT32_MAX, 3, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, 3);
	symcf_sets_free_arrays(&sets);
	symcf_chooser_free(c);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(choices_are_those_of_trying_everything);
	RUN(the_cheapest_sets_are_those_of_trying_everything);
	RUN(some_aims_have_no_cheapest_sets);
	RUN(memory_may_fail);
	RUN(a_long_search_can_be_stopped);
	return check_report();
}
