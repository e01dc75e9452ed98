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

/* ------------------------------------------------------------------- many rows --------------- */

enum { ROWS = 6, MOST_TABLE = MOST_STEPS * MOST_VALUES };

typedef struct chains_of_all {
	uint32_t chain_start[MOST_STEPS + 1], step_start[MOST_TABLE + 1];
	uint32_t own[MOST_STEPS], code[MOST_TABLE], value[MOST_TABLE];
	int64_t price[MOST_TABLE];
	uint32_t steps;
} chains_of_all;

/* The chains of every feature from each of its values; to the caller, values are called 100 more. */
static symcf_moves_table make_table(problem *p, chains_of_all *t)
{
	uint32_t chain = 0, at = 0;
	memset(t, 0, sizeof *t);
	for (uint32_t j = 0; j < p->n; j++)
		for (uint32_t v = 0; v < p->value_offset[j + 1] - p->value_offset[j]; v++) {
			p->x[j] = v;
			make_chains(p);
			t->own[at++] = v;
			for (uint32_t c = p->chain_start[j]; c < p->chain_start[j + 1]; c++) {
				for (uint32_t s = p->step_start[c]; s < p->step_start[c + 1]; s++) {
					t->code[t->steps] = p->code[s];
					t->value[t->steps] = p->code[s] + 100;
					t->price[t->steps++] = random_between(0, 3);
				}
				t->step_start[++chain] = t->steps;
			}
			t->chain_start[at] = chain;
		}
	return (symcf_moves_table){.n = p->n,
	                           .value_offset = p->value_offset,
	                           .own = t->own,
	                           .chain_start = t->chain_start,
	                           .step_start = t->step_start,
	                           .code = t->code,
	                           .value = t->value,
	                           .price = t->price};
}

/* The sets of one row by brute force, as pairs. */
static void pairs_by_force(problem *p, const symcf_moves_table *t, const uint32_t *row,
                           symcf_sets *pairs)
{
	symcf_sets steps = {0};
	uint32_t feature[MOST_STEPS], value[MOST_STEPS], chain[MOST_STEPS], at = 0;
	memcpy(p->x, row, p->n * sizeof *row);
	make_chains(p);
	for (uint32_t j = 0; j < p->n; j++) {
		const uint32_t own = t->value_offset[j] + row[j];
		for (uint32_t c = t->chain_start[own]; c < t->chain_start[own + 1]; c++)
			for (uint32_t s = t->step_start[c]; s < t->step_start[c + 1]; s++, at++) {
				p->cost[at] = t->price[s];
				feature[at] = j;
				chain[at] = c;
				value[at] = t->value[s];
			}
	}
	by_force(p, &steps);
	for (uint64_t i = 0, f = 0; i < steps.n_sets; i++) {
		uint32_t pair[2 * MOST_FEATURES], size = 0;
		for (; f < steps.end[i]; f++) {
			const uint32_t s = steps.features[f];
			if (f + 1 == steps.end[i] || chain[steps.features[f + 1]] != chain[s]) {
				pair[size++] = feature[s];
				pair[size++] = value[s];
			}
		}
		REQUIRE(!symcf_sets_push(pairs, pair, size));
	}
	symcf_sets_free_arrays(&steps);
}

static void draw_rows(const problem *p, uint32_t *rows, size_t *m)
{
	*m = 0;
	for (uint32_t i = 0; i < 4 * ROWS && *m < ROWS; i++) {
		uint32_t *row = rows + *m * p->n;
		for (uint32_t j = 0; j < p->n; j++)
			row[j] = random_below(p->value_offset[j + 1] - p->value_offset[j]);
		*m += !wins(p, row);
	}
}

static void rows_are_answered_as_one_by_one(void)
{
	uint64_t found = 0;
	for (uint32_t i = 0; i < CASES / 3; i++) {
		problem p;
		chains_of_all made;
		uint32_t rows[ROWS * MOST_FEATURES];
		symcf_moves_rows several = {.own = rows};
		make_problem(&p, 1 + random_below(4), 1 + random_below(MOST_RIVALS));
		draw_rows(&p, rows, &several.m);
		const symcf_moves_table t = make_table(&p, &made);
		const symcf_moves_goal goal = {p.rival, p.n_rivals, true};
		const uint8_t goals[ROWS] = {0};
		several.goals = &goal;
		several.goal = goals;
		const symcf_batch_request request = {.max_memory = UINT64_C(1) << 40,
		                                     .k = random_below(3),
		                                     .max_results = random_below(3),
		                                     .max_changes = p.m.max_changes};
		symcf_sets got = {0};
		uint64_t n_sets[ROWS], first = 0;
		uint8_t status[ROWS];
		REQUIRE(!symcf_moves_of_rows(&t, &several, &request, NULL, &got, n_sets, status));
		for (size_t row = 0; row < several.m; row++) {
			symcf_sets wanted = {0};
			pairs_by_force(&p, &t, rows + row * p.n, &wanted);
			uint64_t most = wanted.n_sets;
			most = request.k && request.k < most ? request.k : most;
			most = request.max_results && request.max_results < most ? request.max_results : most;
			CHECK_EQ_INT(n_sets[row], most);
			const bool all = most == wanted.n_sets || (request.k && most == request.k);
			CHECK(all ? status[row] == SYMCF_ROW_COMPLETE || most == request.max_results
			          : status[row] == SYMCF_ROW_MAX_RESULTS);
			/* without k the first that are found are given, so that only all of them are known */
			for (uint64_t s = 0; s < most && (request.k || most == wanted.n_sets); s++) {
				const uint64_t a = first + s ? got.end[first + s - 1] : 0,
							   b = s ? wanted.end[s - 1] : 0;
				REQUIRE(got.end[first + s] - a == wanted.end[s] - b);
				CHECK(!memcmp(got.features + a, wanted.features + b,
				              (wanted.end[s] - b) * sizeof *got.features));
			}
			first += n_sets[row];
			found += most;
			symcf_sets_free_arrays(&wanted);
		}
		symcf_sets_free_arrays(&got);
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

/* A row that time cut short has what was found, in order; those after it have nothing. */
static void rows_stop_when_told(const problem *p)
{
	uint32_t value_offset[MOST_FEATURES + 1], own[2 * MOST_FEATURES] = {0};
	uint64_t n_sets[2];
	uint8_t status[2];
	for (uint32_t j = 0; j <= p->n; j++)
		value_offset[j] = j;
	const symcf_moves_table t = {p->n,          value_offset, p->x,    p->chain_start,
	                             p->step_start, p->code,      p->code, p->cost};
	const symcf_moves_goal goal = {p->rival, 1, true};
	const symcf_moves_rows rows = {2, own, &goal, (const uint8_t[]){0, 0}};
	symcf_batch_request request = {.max_memory = UINT64_C(1) << 40, .max_changes = UINT32_MAX};
	symcf_sets sets = {0};
	symcf_control late = too_late();
	CHECK_EQ_INT(symcf_moves_of_rows(&t, &rows, &request, &late, &sets, n_sets, status), SYMCF_OK);
	CHECK(status[0] == SYMCF_ROW_TIME && status[1] == SYMCF_ROW_TIME && !n_sets[1]);
	uint32_t calls;
	symcf_control stop = interrupting(&calls);
	CHECK_EQ_INT(symcf_moves_of_rows(&t, &rows, &request, &stop, &sets, n_sets, status),
	             SYMCF_INTERRUPTED);
	request.max_memory = 1000;
	CHECK_EQ_INT(symcf_moves_of_rows(&t, &rows, &request, NULL, &sets, n_sets, status),
	             SYMCF_LIMIT_MEMORY);
	symcf_sets_free_arrays(&sets);
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
	rows_stop_when_told(&p);
	symcf_diagram_free(d);
	symcf_sets_free_arrays(&sets);
}

static symcf_status attempt_all(const void *data)
{
	const problem *p = data;
	symcf_diagram *d = NULL, *steps = NULL;
	symcf_moves_cover *e = NULL;
	symcf_sets found = {0}, best = {0};
	const uint32_t order[] = {0, 1, 2}, starts[] = {0, 1, 2, 3}, chains[] = {0, 1, 2, 3};
	const uint8_t goal = 0;
	const symcf_moves_goal goals = {p->rival, 1, true};
	const symcf_moves_rows rows = {1, (const uint32_t[]){0, 0, 0}, &goals, &goal};
	/* from each value of the row one step, to the next one */
	uint32_t code[3], steps_of[] = {0, 1, 2, 3};
	for (uint32_t j = 0; j < 3; j++)
		code[j] = (p->x[j] + 1) % (p->value_offset[j + 1] - p->value_offset[j]);
	const symcf_moves_table table = {3, starts, p->x, chains, steps_of, code, code, p->cost};
	const symcf_batch_request request = {.max_memory = 1 << 20, .max_changes = 3};
	symcf_sets pairs = {0};
	uint64_t n_sets;
	uint8_t row_status;
	symcf_status status = symcf_compile(&p->t[0], order, NULL, &d);
	if (!status)
		status = symcf_moves_diagram(d, &p->m, 1, NULL, &steps);
	if (!status)
		status = symcf_moves_cover_open(p->rival, 1, true, &p->m, p->cost, &e);
	if (!status)
		status = symcf_moves_cover_next(e, NULL, UINT64_MAX, &found);
	if (!status)
		status = symcf_moves_cover_best(e, 2, NULL, &best);
	if (!status)
		status = symcf_moves_of_rows(&table, &rows, &request, NULL, &pairs, &n_sets, &row_status);
	symcf_sets_free_arrays(&pairs);
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
	RUN(rows_are_answered_as_one_by_one);
	RUN(a_sum_can_have_to_fall);
	RUN(what_does_not_fit_is_refused);
	RUN(both_stop_when_told);
	RUN(every_allocation_can_fail);
	return check_report();
}
