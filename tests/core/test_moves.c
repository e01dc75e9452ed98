/* test_moves.c: the nearest moves, over diagrams and over sums, against all rows, one by one. */
#include <string.h>

#include "support.h"

enum { MOST_RIVALS = 3, CASES = 1500, MOST_STEPS = MOST_FEATURES * MOST_VALUES };

/* ------------------------------------------------------------------ a random case ------------ */

typedef struct problem {
	uint32_t n, n_rivals;
	const symcf_threshold *rival[MOST_RIVALS];
	symcf_threshold t[MOST_RIVALS];
	uint32_t value_offset[MOST_FEATURES + 1], x[MOST_FEATURES];
	int64_t weight[MOST_RIVALS][MOST_STEPS], cost[MOST_STEPS];
	bool ordered[MOST_FEATURES];
	uint32_t chain_start[MOST_FEATURES + 1], step_start[MOST_STEPS + 1], code[MOST_STEPS];
	symcf_moves m;
} problem;

static uint32_t n_steps(const problem *p)
{
	return p->step_start[p->chain_start[p->n]];
}

/* Appends a chain of the values from x_j on, by `way`. */
static void add_chain(problem *p, uint32_t j, int way, uint32_t *chain, uint32_t *step)
{
	const int64_t values = p->value_offset[j + 1] - p->value_offset[j];
	const uint32_t first = *step;
	for (int64_t v = (int64_t)p->x[j] + way; v >= 0 && v < values; v += way)
		p->code[(*step)++] = (uint32_t)v;
	if (*step > first)
		p->step_start[++*chain] = *step;
}

static void make_chains(problem *p)
{
	uint32_t chain = 0, step = 0;
	for (uint32_t j = 0; j < p->n; j++) {
		const uint32_t values = p->value_offset[j + 1] - p->value_offset[j];
		if (p->ordered[j]) {
			add_chain(p, j, 1, &chain, &step);
			add_chain(p, j, -1, &chain, &step);
		}
		for (uint32_t v = 0; v < values && !p->ordered[j]; v++)
			if (v != p->x[j]) {
				p->code[step++] = v;
				p->step_start[++chain] = step;
			}
		p->chain_start[j + 1] = chain;
	}
}

/* Small weights make ties and equal gains. No rival has won yet. */
static void make_problem(problem *p, uint32_t n, uint32_t n_rivals)
{
	static const int64_t ranges[] = {1, 2, 5, 30, (int64_t)1 << 50};
	const int64_t range = ranges[random_below(5)];
	memset(p, 0, sizeof *p);
	p->n = n;
	p->n_rivals = n_rivals;
	for (uint32_t j = 0; j < n; j++) {
		p->value_offset[j + 1] = p->value_offset[j] + 1 + random_below(MOST_VALUES);
		p->x[j] = random_below(p->value_offset[j + 1] - p->value_offset[j]);
		p->ordered[j] = random_below(4) > 0;
	}
	for (uint32_t r = 0; r < n_rivals; r++) {
		p->t[r] =
			(symcf_threshold){.n = n, .value_offset = p->value_offset, .weight = p->weight[r]};
		for (uint32_t v = 0; v < p->value_offset[n]; v++)
			p->weight[r][v] = random_between(-range, range);
		p->t[r].bias = -random_between(1, range * (1 + random_below(n))) -
		               symcf_threshold_score(&p->t[r], p->x);
		p->rival[r] = &p->t[r];
	}
	make_chains(p);
	for (uint32_t s = 0; s < n_steps(p); s++)
		p->cost[s] = random_between(0, 3);
	p->m = (symcf_moves){.n = n,
	                     .x = p->x,
	                     .chain_start = p->chain_start,
	                     .step_start = p->step_start,
	                     .code = p->code,
	                     .max_changes = random_below(3) ? UINT32_MAX : random_below(n + 1)};
}

/* ------------------------------------------------------------------- brute force ------------- */

static bool wins(const problem *p, const uint32_t *y)
{
	for (uint32_t r = 0; r < p->n_rivals; r++)
		if (symcf_threshold_score(&p->t[r], y) >= 0)
			return true;
	return false;
}

static uint32_t changes(const problem *p, const uint32_t *y)
{
	uint32_t count = 0;
	for (uint32_t j = 0; j < p->n; j++)
		count += y[j] != p->x[j];
	return count;
}

static bool is_nearer(const problem *p, const uint32_t *y, const uint32_t *than)
{
	bool same = true;
	for (uint32_t j = 0; j < p->n; j++) {
		const uint32_t low = than[j] < p->x[j] ? than[j] : p->x[j];
		const uint32_t high = than[j] < p->x[j] ? p->x[j] : than[j];
		if (p->ordered[j] ? y[j] < low || y[j] > high : y[j] != p->x[j] && y[j] != than[j])
			return false;
		same = same && y[j] == than[j];
	}
	return !same;
}

/* The steps that lead to y, ascending. */
static uint32_t steps_to(const problem *p, const uint32_t *y, uint32_t *steps)
{
	uint32_t size = 0;
	for (uint32_t j = 0; j < p->n; j++)
		for (uint32_t c = p->chain_start[j]; c < p->chain_start[j + 1]; c++)
			for (uint32_t s = p->step_start[c]; s < p->step_start[c + 1]; s++)
				if (y[j] == p->code[s])
					for (uint32_t i = p->step_start[c]; i <= s; i++)
						steps[size++] = i;
	return size;
}

static void by_force(const problem *p, symcf_sets *sets)
{
	uint32_t y[MOST_FEATURES] = {0}, steps[MOST_STEPS];
	do {
		uint32_t z[MOST_FEATURES] = {0};
		bool minimal = wins(p, y) && changes(p, y) <= p->m.max_changes;
		do
			minimal = minimal && !(is_nearer(p, z, y) && wins(p, z));
		while (next_input(&p->t[0], z) && minimal);
		if (minimal)
			CHECK_EQ_INT(symcf_sets_push(sets, steps, steps_to(p, y, steps)), SYMCF_OK);
	} while (next_input(&p->t[0], y));
	CHECK_EQ_INT(symcf_sets_sort_from(sets, 0, p->cost, NULL), SYMCF_OK);
}

/* ------------------------------------------------------------------- comparisons ------------- */

static void check_same(const symcf_sets *got, const symcf_sets *wanted, uint64_t n_sets)
{
	const uint64_t n_features = n_sets ? wanted->end[n_sets - 1] : 0;
	REQUIRE(got->n_sets == n_sets && got->n_features == n_features);
	for (uint64_t i = 0; i < n_sets; i++)
		CHECK(got->end[i] == wanted->end[i]);
	for (uint64_t i = 0; i < n_features; i++)
		CHECK(got->features[i] == wanted->features[i]);
}

static void check_cover(const problem *p, const symcf_sets *wanted)
{
	symcf_moves_cover *e;
	symcf_sets found = {0}, best = {0};
	uint64_t count = 0;
	const uint64_t k = 1 + random_below(4);
	REQUIRE(!symcf_moves_cover_open(p->rival, p->n_rivals, true, &p->m, p->cost, &e));
	symcf_status status = SYMCF_MORE; /* a few at a time, so that it has to go on where it stood */
	while (status == SYMCF_MORE)
		status = symcf_moves_cover_next(e, NULL, 1 + random_below(3), &found);
	CHECK_EQ_INT(status, SYMCF_OK);
	CHECK_EQ_INT(symcf_sets_sort_from(&found, 0, p->cost, NULL), SYMCF_OK);
	check_same(&found, wanted, wanted->n_sets);
	CHECK_EQ_INT(symcf_moves_cover_tally(e, NULL, &count), SYMCF_OK);
	CHECK_EQ_INT(count, wanted->n_sets);
	CHECK_EQ_INT(symcf_moves_cover_best(e, k, NULL, &best), SYMCF_OK);
	check_same(&best, wanted, k < wanted->n_sets ? k : wanted->n_sets);
	symcf_moves_cover_free(e);
	symcf_sets_free_arrays(&found);
	symcf_sets_free_arrays(&best);
}

/* Through the diagram of the steps, and its change sets. */
static void check_diagram(const problem *p, const symcf_sets *wanted)
{
	uint32_t order[MOST_FEATURES], offset[MOST_STEPS + 1], zeros[MOST_STEPS] = {0};
	symcf_diagram *d, *steps;
	symcf_minimal *e;
	symcf_sets found = {0};
	const char *reason = NULL;
	random_order(p->n, order);
	REQUIRE(!symcf_compile(&p->t[0], order, NULL, &d));
	REQUIRE(!symcf_moves_diagram(d, &p->m, 1, NULL, &steps));
	CHECK_EQ_INT(symcf_diagram_validate(steps, NULL, &reason), SYMCF_OK);
	CHECK_EQ_INT(steps->n, n_steps(p));
	for (uint32_t s = 0; s <= n_steps(p); s++)
		offset[s] = 2 * s;
	const symcf_query q = {.x = zeros, .cost = p->cost, .max_changes = UINT32_MAX};
	REQUIRE(!symcf_minimal_open(steps, offset, &q, 1, NULL, &e));
	CHECK_EQ_INT(symcf_minimal_next(e, NULL, UINT64_MAX, &found), SYMCF_OK);
	CHECK_EQ_INT(symcf_sets_sort_from(&found, 0, p->cost, NULL), SYMCF_OK);
	check_same(&found, wanted, wanted->n_sets);
	symcf_minimal_free(e);
	symcf_sets_free_arrays(&found);
	symcf_diagram_free(steps);
	symcf_diagram_free(d);
}

static void both_find_what_brute_force_finds(void)
{
	uint64_t found = 0;
	for (uint32_t i = 0; i < CASES; i++) {
		problem p;
		symcf_sets wanted = {0};
		make_problem(&p, 1 + random_below(4), 1 + random_below(MOST_RIVALS));
		by_force(&p, &wanted);
		check_cover(&p, &wanted);
		if (p.n_rivals == 1)
			check_diagram(&p, &wanted);
		found += wanted.n_sets;
		symcf_sets_free_arrays(&wanted);
	}
	CHECK(found > CASES);
}

/* ------------------------------------------------------------------- downwards --------------- */

/* A function that has to become false is the negated one that has to become true. */
static void a_sum_can_have_to_fall(void)
{
	for (uint32_t i = 0; i < 200; i++) {
		problem p;
		symcf_moves_cover *up, *down;
		symcf_sets a = {0}, b = {0};
		make_problem(&p, 3, 1);
		REQUIRE(!symcf_moves_cover_open(p.rival, 1, true, &p.m, p.cost, &up));
		CHECK_EQ_INT(symcf_moves_cover_next(up, NULL, UINT64_MAX, &a), SYMCF_OK);
		for (uint32_t v = 0; v < p.value_offset[p.n]; v++)
			p.weight[0][v] = -p.weight[0][v];
		p.t[0].bias = -p.t[0].bias - 1; /* s >= 0 iff -s - 1 < 0 */
		REQUIRE(!symcf_moves_cover_open(p.rival, 1, false, &p.m, p.cost, &down));
		CHECK_EQ_INT(symcf_moves_cover_next(down, NULL, UINT64_MAX, &b), SYMCF_OK);
		check_same(&b, &a, a.n_sets);
		symcf_moves_cover_free(up);
		symcf_moves_cover_free(down);
		symcf_sets_free_arrays(&a);
		symcf_sets_free_arrays(&b);
	}
}

/* --------------------------------------------------------------------- errors ---------------- */

static void what_does_not_fit_is_refused(void)
{
	problem p;
	symcf_moves_cover *e;
	symcf_diagram *d, *steps;
	make_problem(&p, 3, 1);
	REQUIRE((d = compile_natural(&p.t[0])) != NULL);
	p.m.n = 2;
	CHECK_EQ_INT(symcf_moves_cover_open(p.rival, 1, true, &p.m, p.cost, &e), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_moves_diagram(d, &p.m, 1, NULL, &steps), SYMCF_INVALID);
	p.m.n = 3;
	CHECK_EQ_INT(symcf_moves_diagram(d, &p.m, 2, NULL, &steps), SYMCF_INVALID);
	p.t[0].bias += INT64_C(1) << 55; /* it has won */
	CHECK_EQ_INT(symcf_moves_cover_open(p.rival, 1, true, &p.m, p.cost, &e), SYMCF_INVALID);
	symcf_diagram_free(d);
}

/* A case in which both have something to do. */
static void make_large(problem *p)
{
	memset(p, 0, sizeof *p);
	p->n = MOST_FEATURES;
	p->n_rivals = 1;
	for (uint32_t j = 0; j < p->n; j++) {
		p->value_offset[j + 1] = p->value_offset[j] + MOST_VALUES;
		p->ordered[j] = true;
		for (uint32_t v = 0; v < MOST_VALUES; v++)
			p->weight[0][p->value_offset[j] + v] = 1000 * (int64_t)v + 7 * j + v * v;
	}
	p->t[0] = (symcf_threshold){.n = p->n, .value_offset = p->value_offset, .weight = p->weight[0]};
	p->t[0].bias = -1000 * (int64_t)p->n - symcf_threshold_score(&p->t[0], p->x);
	p->rival[0] = &p->t[0];
	make_chains(p);
	for (uint32_t s = 0; s < n_steps(p); s++)
		p->cost[s] = 1;
	p->m = (symcf_moves){.n = p->n,
	                     .x = p->x,
	                     .chain_start = p->chain_start,
	                     .step_start = p->step_start,
	                     .code = p->code,
	                     .max_changes = UINT32_MAX};
}

static void both_stop_when_told(void)
{
	problem p;
	symcf_moves_cover *e;
	symcf_diagram *d, *steps = NULL;
	symcf_sets sets = {0};
	uint64_t count;
	make_large(&p);
	REQUIRE((d = compile_natural(&p.t[0])) != NULL);
	symcf_control late = too_late();
	CHECK_EQ_INT(symcf_moves_diagram(d, &p.m, 1, &late, &steps), SYMCF_LIMIT_TIME);
	symcf_control small = {.max_nodes = 3};
	CHECK_EQ_INT(symcf_moves_diagram(d, &p.m, 1, &small, &steps), SYMCF_LIMIT_NODES);
	small = (symcf_control){.max_memory = 1000};
	CHECK_EQ_INT(symcf_moves_diagram(d, &p.m, 1, &small, &steps), SYMCF_LIMIT_MEMORY);
	REQUIRE(!symcf_moves_cover_open(p.rival, 1, true, &p.m, p.cost, &e));
	late = too_late();
	CHECK_EQ_INT(symcf_moves_cover_next(e, &late, UINT64_MAX, &sets), SYMCF_LIMIT_TIME);
	late = too_late();
	CHECK_EQ_INT(symcf_moves_cover_tally(e, &late, &count), SYMCF_LIMIT_TIME);
	late = too_late();
	CHECK_EQ_INT(symcf_moves_cover_best(e, 3, &late, &sets), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(sets.n_sets, 0);
	uint32_t calls;
	symcf_control stop = interrupting(&calls);
	CHECK_EQ_INT(symcf_moves_cover_next(e, &stop, UINT64_MAX, &sets), SYMCF_INTERRUPTED);
	symcf_moves_cover_free(e);
	symcf_diagram_free(d);
	symcf_sets_free_arrays(&sets);
}

static symcf_status attempt_all(const void *data)
{
	const problem *p = data;
	symcf_diagram *d = NULL, *steps = NULL;
	symcf_moves_cover *e = NULL;
	symcf_sets found = {0}, best = {0};
	const uint32_t order[] = {0, 1, 2};
	symcf_status status = symcf_compile(&p->t[0], order, NULL, &d);
	if (!status)
		status = symcf_moves_diagram(d, &p->m, 1, NULL, &steps);
	if (!status)
		status = symcf_moves_cover_open(p->rival, 1, true, &p->m, p->cost, &e);
	if (!status)
		status = symcf_moves_cover_next(e, NULL, UINT64_MAX, &found);
	if (!status)
		status = symcf_moves_cover_best(e, 2, NULL, &best);
	symcf_diagram_free(d);
	symcf_diagram_free(steps);
	symcf_moves_cover_free(e);
	symcf_sets_free_arrays(&found);
	symcf_sets_free_arrays(&best);
	return status;
}

static void every_allocation_can_fail(void)
{
	problem p;
	uint32_t failures = 0;
	for (uint32_t i = 0; i < 20; i++) {
		make_problem(&p, 3, 1);
		failures += fail_each_allocation(attempt_all, &p);
	}
	CHECK(failures > 100);
}

int main(void)
{
	RUN(both_find_what_brute_force_finds);
	RUN(a_sum_can_have_to_fall);
	RUN(what_does_not_fit_is_refused);
	RUN(both_stop_when_told);
	RUN(every_allocation_can_fail);
	return check_report();
}
