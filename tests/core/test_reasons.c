/* test_reasons.c: sufficient reasons from the engines cover and minimal, against the definition. */
#include "support.h"

enum { MOST = 8, SETS = 1 << MOST, ROUNDS = 1500 };

typedef struct problem {
	symcf_threshold *t;
	uint32_t x[MOST];
	uint8_t allowed[MOST * MOST_VALUES];
	symcf_query q;
} problem;

static problem random_problem(void)
{
	const uint32_t n = random_below(MOST - 1);
	problem p = {.t = random_threshold(n, random_below(2) ? 2 : 3, random_below(2) ? 4 : 1000)};
	for (uint32_t j = 0; j < n; j++)
		p.x[j] = random_below(values_of(p.t, j));
	for (uint32_t i = 0; i < p.t->value_offset[n]; i++)
		p.allowed[i] = random_below(4) > 0;
	return p;
}

/* Fills holds[s]: is every allowed input that agrees with x on s decided as x is? */
static void find_sufficient(const problem *p, bool *holds)
{
	const uint32_t n = p->t->n, decided = decide(p->t, p->x);
	uint32_t y[MOST] = {0};
	for (uint32_t s = 0; s < SETS; s++)
		holds[s] = true;
	do {
		uint32_t same = 0;
		bool may_be = true;
		for (uint32_t j = 0; j < n; j++) {
			same |= (uint32_t)(y[j] == p->x[j]) << j;
			may_be &= y[j] == p->x[j] || !p->q.allowed || p->allowed[p->t->value_offset[j] + y[j]];
		}
		if (!may_be || decide(p->t, y) == decided)
			continue;
		for (uint32_t s = 0; s < SETS; s++)
			holds[s] &= (s & same) != s;
	} while (next_input(p->t, y));
}

/* Keeps the minimal ones of n features. ensures: how many. */
static uint32_t keep_minimal(uint32_t n, const bool *holds, uint32_t most, bool *minimal)
{
	uint32_t count = 0;
	for (uint32_t s = 0; s < SETS; s++) {
		minimal[s] = holds[s] && s < 1u << n && (uint32_t)__builtin_popcount(s) <= most;
		for (uint32_t j = 0; j < n; j++)
			minimal[s] &= !(s >> j & 1) || !holds[s & ~(1u << j)];
		count += minimal[s];
	}
	return count;
}

static void check_sets(const symcf_sets *sets, uint32_t count, const bool *minimal)
{
	bool seen[SETS] = {false};
	CHECK_EQ_INT(sets->n_sets, count);
	for (uint64_t i = 0, at = 0; i < sets->n_sets; i++) {
		uint32_t s = 0;
		for (; at < sets->end[i]; at++)
			s |= 1u << sets->features[at];
		CHECK(minimal[s] && !seen[s]);
		seen[s] = true;
	}
}

static void check_cover(const problem *p, uint32_t count, const bool *minimal)
{
	symcf_cover *e = NULL;
	symcf_sets sets = {0}, best = {0};
	uint64_t n_sets = 0, n_features = 0, *limbs = NULL;
	size_t width = 0;
	REQUIRE(symcf_cover_open(p->t, &p->q, &e) == SYMCF_OK);
	CHECK_EQ_INT(symcf_cover_tally(e, NULL, &n_sets, &n_features), SYMCF_OK);
	CHECK_EQ_INT(n_sets, count);
	if (count)
		CHECK_EQ_INT(symcf_cover_next(e, NULL, 0, &sets), SYMCF_MORE);
	symcf_status status = SYMCF_MORE;
	while (status == SYMCF_MORE && sets.n_sets <= count)
		status = symcf_cover_next(e, NULL, 1, &sets);
	CHECK_EQ_INT(status, SYMCF_OK);
	CHECK_EQ_INT(sets.n_features, n_features);
	check_sets(&sets, count, minimal);
	CHECK_EQ_INT(symcf_cover_best(p->t, &p->q, UINT64_MAX, NULL, &best), SYMCF_OK);
	check_sets(&best, count, minimal);
	CHECK_EQ_INT(symcf_cover_count(p->t, &p->q, NULL, &limbs, &width), SYMCF_OK);
	CHECK_EQ_INT(limbs[0], count);
	symcf_free(limbs);
	symcf_cover_free(e);
	symcf_sets_free_arrays(&sets);
	symcf_sets_free_arrays(&best);
}

static void check_minimal(const problem *p, const symcf_diagram *d, uint32_t count,
                          const bool *minimal)
{
	symcf_minimal *e = NULL;
	symcf_sets sets = {0};
	uint64_t *limbs = NULL;
	size_t width = 0;
	REQUIRE(symcf_minimal_open(d, p->t->value_offset, &p->q, !decide(p->t, p->x), NULL, &e) ==
	        SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_next(e, NULL, UINT64_MAX, &sets), SYMCF_OK);
	check_sets(&sets, count, minimal);
	CHECK_EQ_INT(symcf_minimal_count_features(e, NULL, &limbs, &width), SYMCF_OK);
	for (uint32_t j = 0; j < p->t->n; j++) {
		uint32_t with = 0;
		for (uint32_t s = 0; s < SETS; s++)
			with += minimal[s] && s >> j & 1;
		CHECK_EQ_INT(limbs[j * width], with);
	}
	symcf_free(limbs);
	symcf_sets_free_arrays(&sets);
	symcf_minimal_free(e);
}

static void reasons_by_definition(void)
{
	uint32_t empty = 0;
	for (int round = 0; round < ROUNDS; round++) {
		problem p = random_problem();
		bool holds[SETS], minimal[SETS];
		uint32_t order[MOST_FEATURES];
		symcf_diagram *d = NULL;
		p.q = (symcf_query){.x = p.x, .max_changes = UINT32_MAX, .reasons = true};
		if (round % 2)
			p.q.allowed = p.allowed;
		if (round % 5 == 0)
			p.q.max_changes = random_below(4);
		find_sufficient(&p, holds);
		const uint32_t count = keep_minimal(p.t->n, holds, p.q.max_changes, minimal);
		empty += holds[0];
		check_cover(&p, count, minimal);
		random_order(p.t->n, order);
		REQUIRE(symcf_compile(p.t, order, NULL, &d) == SYMCF_OK);
		check_minimal(&p, d, count, minimal);
		symcf_diagram_free(d);
		symcf_threshold_free(p.t);
	}
	CHECK(empty > 20); /* the case of its own was met */
}

/* Nothing of parity can be left out: one reason, of all features. No level is ordered. */
static void parity_needs_everything(void)
{
	const uint32_t n = 10;
	uint32_t value_offset[11], x[10] = {0};
	symcf_diagram *d = parity_diagram(n);
	symcf_minimal *e = NULL;
	symcf_sets sets = {0};
	for (uint32_t j = 0; j <= n; j++)
		value_offset[j] = 2 * j;
	const symcf_query q = {.x = x, .max_changes = UINT32_MAX, .reasons = true};
	REQUIRE(symcf_minimal_open(d, value_offset, &q, !symcf_diagram_evaluate(d, x), NULL, &e) ==
	        SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_next(e, NULL, UINT64_MAX, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, 1);
	CHECK_EQ_INT(sets.n_features, n);
	symcf_sets_free_arrays(&sets);
	symcf_minimal_free(e);
	symcf_diagram_free(d);
}

static symcf_status attempt(const void *data)
{
	const problem *p = data;
	symcf_sets sets = {0};
	symcf_cover *e = NULL;
	symcf_minimal *m = NULL;
	uint64_t *limbs = NULL;
	size_t width;
	symcf_diagram *d = NULL;
	uint32_t order[MOST_FEATURES];
	for (uint32_t j = 0; j < p->t->n; j++)
		order[j] = j;
	symcf_status status = symcf_cover_open(p->t, &p->q, &e);
	if (!status)
		status = symcf_cover_next(e, NULL, UINT64_MAX, &sets);
	if (!status)
		status = symcf_compile(p->t, order, NULL, &d);
	if (!status)
		status = symcf_minimal_open(d, p->t->value_offset, &p->q, !decide(p->t, p->x), NULL, &m);
	if (!status)
		status = symcf_minimal_count_features(m, NULL, &limbs, &width);
	symcf_free(limbs);
	symcf_minimal_free(m);
	symcf_diagram_free(d);
	symcf_cover_free(e);
	symcf_sets_free_arrays(&sets);
	return status;
}

static void survives_every_failing_allocation(void)
{
	uint32_t failures = 0;
	for (int round = 0; round < 20; round++) {
		problem p = random_problem();
		p.q = (symcf_query){.x = p.x, .max_changes = UINT32_MAX, .reasons = true};
		failures += fail_each_allocation(attempt, &p);
		symcf_threshold_free(p.t);
	}
	CHECK(failures > 20);
}

static void can_be_stopped(void)
{
	uint32_t calls, x[18] = {0};
	symcf_threshold *t = large_threshold(18);
	symcf_diagram *d = compile_natural(t);
	symcf_minimal *e = NULL;
	symcf_control control = interrupting(&calls);
	const symcf_query q = {.x = x, .max_changes = UINT32_MAX, .reasons = true};
	CHECK_EQ_INT(symcf_minimal_open(d, t->value_offset, &q, 1, &control, &e), SYMCF_INTERRUPTED);
	CHECK(calls > 0);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(reasons_by_definition);
	RUN(parity_needs_everything);
	RUN(survives_every_failing_allocation);
	RUN(can_be_stopped);
	return check_report();
}
