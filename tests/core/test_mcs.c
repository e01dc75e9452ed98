/* test_mcs.c: engine `sat` against brute force, on a solver of our own.
 *
 * The real one lives in PySAT's library, which C tests do not have (tests/property/test_sat*.py use it). So
 * this file is what sat_api.c is elsewhere: the same functions over a solver that tries everything.
 * It is asked in the right order or says so. */
#include "../../src/core/mcs.h"

#include "support.h"

/* ------------------------------------------------------------------ the solver --------------- */

enum { MOST_LITERALS = 1 << 16, MOST_VARIABLES = 1 << 10 };

struct symcf_sat {
	int32_t literals[MOST_LITERALS]; /* clauses, each ended by a 0 */
	uint32_t length;
	int32_t n_vars;
	int32_t assumed[MOST_VARIABLES], constraint[MOST_VARIABLES];
	uint32_t n_assumed, n_constraint;
	int8_t value[MOST_VARIABLES]; /* by variable: -1, 0 (open), 1 */
	bool has_model;
};

static bool valid(const symcf_sat *s, int32_t literal)
{
	return literal && abs(literal) <= s->n_vars;
}

/* For calls that the engine must not make. */
#define REQUIRE_OK(condition)                                                                      \
	do {                                                                                           \
		if (!check_that((condition), __FILE__, __LINE__, #condition))                              \
			return SYMCF_INVALID;                                                                  \
	} while (0)

/* What follows a solve forgets what the solve was about. */
static void touch(symcf_sat *s)
{
	s->has_model = false;
}

symcf_status symcf_sat_clause(symcf_sat *s, const int32_t *literals, uint32_t size)
{
	touch(s);
	REQUIRE_OK(s->length + size < MOST_LITERALS);
	for (uint32_t i = 0; i < size; i++) {
		REQUIRE_OK(valid(s, literals[i]));
		s->literals[s->length++] = literals[i];
	}
	s->literals[s->length++] = 0;
	return SYMCF_OK;
}

symcf_status symcf_sat_load(symcf_sat *s, int32_t n_vars, const int32_t *literals, uint64_t length,
                            symcf_control *control)
{
	s->n_vars = n_vars;
	for (uint64_t at = 0, start = 0; at < length; at++)
		if (!literals[at]) {
			const symcf_status status =
				symcf_sat_clause(s, literals + start, (uint32_t)(at - start));
			if (status)
				return status;
			start = at + 1;
		}
	return symcf_poll(control);
}

symcf_status symcf_sat_variable(symcf_sat *s, int32_t *variable)
{
	touch(s);
	REQUIRE_OK(s->n_vars + 1 < MOST_VARIABLES);
	*variable = ++s->n_vars;
	return SYMCF_OK;
}

symcf_status symcf_sat_phase(symcf_sat *s, int32_t literal)
{
	touch(s);
	REQUIRE_OK(valid(s, literal));
	return SYMCF_OK;
}

symcf_status symcf_sat_assume(symcf_sat *s, int32_t literal)
{
	touch(s);
	REQUIRE_OK(valid(s, literal) && s->n_assumed < MOST_VARIABLES);
	s->assumed[s->n_assumed++] = literal;
	return SYMCF_OK;
}

symcf_status symcf_sat_constrain(symcf_sat *s, const int32_t *literals, uint32_t size)
{
	touch(s);
	REQUIRE_OK(size < MOST_VARIABLES);
	memcpy(s->constraint, literals, size * sizeof *literals);
	s->constraint[size] = 0;
	s->n_constraint = size + 1;
	return SYMCF_OK;
}

/* Looks at the clauses of a buffer. ensures: false if one is false; *forced is a literal that one
 * with nothing else open needs, *open any open literal of one that is not yet true. */
static bool look(const symcf_sat *s, const int32_t *literals, uint32_t length, int32_t *forced,
                 int32_t *open)
{
	for (uint32_t at = 0; at < length; at++) {
		uint32_t n_open = 0;
		int32_t last = 0;
		bool satisfied = false;
		for (; literals[at]; at++) {
			const int8_t v = s->value[abs(literals[at])];
			satisfied |= v && (v > 0) == (literals[at] > 0);
			n_open += !v;
			last = v ? last : literals[at];
		}
		if (satisfied)
			continue;
		if (!n_open)
			return false;
		*open = last;
		if (n_open == 1)
			*forced = last;
	}
	return true;
}

static bool search(symcf_sat *s)
{
	int8_t before[MOST_VARIABLES];
	memcpy(before, s->value, sizeof before);
	for (;;) {
		int32_t forced = 0, open = 0;
		if (!look(s, s->literals, s->length, &forced, &open) ||
		    !look(s, s->constraint, s->n_constraint, &forced, &open))
			break;
		if (!open)
			return true;
		const int32_t next = forced ? forced : open;
		s->value[abs(next)] = next > 0 ? 1 : -1;
		if (forced)
			continue;
		if (search(s))
			return true;
		s->value[abs(next)] = next > 0 ? -1 : 1;
	}
	memcpy(s->value, before, sizeof before);
	return false;
}

symcf_status symcf_sat_solve(symcf_sat *s, symcf_control *control, symcf_answer *answer)
{
	const symcf_status status = symcf_poll(control);
	bool possible = true;
	memset(s->value, 0, sizeof s->value);
	for (uint32_t i = 0; i < s->n_assumed; i++) {
		const int8_t wanted = s->assumed[i] > 0 ? 1 : -1;
		possible = possible && s->value[abs(s->assumed[i])] != -wanted;
		s->value[abs(s->assumed[i])] = wanted;
	}
	s->has_model = !status && possible && search(s);
	s->n_assumed = s->n_constraint = 0;
	*answer = status ? SYMCF_UNKNOWN : s->has_model ? SYMCF_SATISFIABLE : SYMCF_UNSATISFIABLE;
	return status;
}

symcf_status symcf_sat_value(symcf_sat *s, int32_t literal, bool *out)
{
	REQUIRE_OK(s->has_model && valid(s, literal));
	*out = (s->value[abs(literal)] > 0) == (literal > 0);
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the problem -------------- */

enum { FEATURES = 5, VALUES = FEATURES * MOST_VALUES };

/* A function, its clauses for a sink, and the literal of every value. */
typedef struct problem {
	symcf_threshold *t;
	symcf_diagram *d;
	uint32_t sink;
	int32_t literals[MOST_LITERALS];
	uint32_t length;
	int32_t n_vars;
	int32_t literal[VALUES]; /* by value_offset[j] + v */
} problem;

static problem shared; /* too large for the stack, as is the solver */
static symcf_sat solver;

static void add_pair(problem *p, int32_t a, int32_t b)
{
	p->literals[p->length++] = a;
	p->literals[p->length++] = b;
	p->literals[p->length++] = 0;
}

/* Feature j has one value: exactly one of its literals, a new variable for value 0, is true. */
static void add_feature(problem *p, uint32_t j, int32_t first)
{
	int32_t *literal = p->literal + p->t->value_offset[j];
	const uint32_t d = values_of(p->t, j);
	literal[0] = ++p->n_vars;
	for (uint32_t v = 1; v < d; v++)
		literal[v] = first + (int32_t)v - 1;
	for (uint32_t v = 0; v < d; v++)
		p->literals[p->length++] = literal[v];
	p->literals[p->length++] = 0;
	for (uint32_t v = 0; v < d; v++)
		for (uint32_t w = 0; w < v; w++)
			add_pair(p, -literal[v], -literal[w]);
}

static problem *random_problem(void)
{
	problem *p = &shared;
	symcf_clauses *c = NULL;
	int32_t first[FEATURES + 1];
	p->t = random_threshold(random_below(FEATURES + 1), 2 + random_below(MOST_VALUES - 1), 9);
	p->d = compile_natural(p->t);
	p->sink = random_below(2);
	if (random_below(2))
		CHECK_EQ_INT(symcf_encode_nodes(p->d, !p->sink, 0, NULL, &c), SYMCF_OK);
	else
		CHECK_EQ_INT(symcf_encode_cuts(p->d, !p->sink, 2, 3, 0, NULL, &c), SYMCF_OK);
	CHECK_EQ_INT(symcf_first_variables(p->d, first), SYMCF_OK);
	memcpy(p->literals, c->literals, c->length * sizeof *c->literals);
	p->length = (uint32_t)c->length;
	p->n_vars = (int32_t)c->n_vars;
	symcf_clauses_free(c);
	for (uint32_t j = 0; j < p->t->n; j++)
		add_feature(p, j, first[j]);
	return p;
}

static void dispose(problem *p)
{
	symcf_diagram_free(p->d);
	symcf_threshold_free(p->t);
}

static symcf_status make_engine(const problem *p, bool helped, symcf_control *control,
                                symcf_mcs **out)
{
	const symcf_hard hard = {.n = p->t->n,
	                         .n_vars = p->n_vars,
	                         .literals = p->literals,
	                         .length = p->length,
	                         .d = helped ? p->d : NULL,
	                         .sink = p->sink};
	memset(&solver, 0, sizeof solver);
	return symcf_mcs_create(&solver, &hard, control, out);
}

/* ----------------------------------------------------------------- the question -------------- */

/* An instance with what is allowed, and what the engine is told. */
typedef struct question {
	uint32_t x[FEATURES];
	uint8_t allowed[VALUES];
	int32_t keep[FEATURES], assumed[VALUES];
	uint8_t fixed[FEATURES];
	uint32_t codes[2 * FEATURES], order[FEATURES];
	uint32_t n_assumed, max_changes;
} question;

/* With a diagram: only the allowed value that helps most, if it helps. */
static void keep_the_best(const problem *p, question *q, uint32_t j)
{
	const int64_t *weight = p->t->weight + p->t->value_offset[j], sign = p->sink ? 1 : -1;
	uint8_t *allowed = q->allowed + p->t->value_offset[j];
	uint32_t best = q->x[j];
	for (uint32_t v = 0; v < values_of(p->t, j); v++)
		if (allowed[v] && sign * weight[v] > sign * weight[best])
			best = v;
	for (uint32_t v = 0; v < values_of(p->t, j); v++)
		allowed[v] = v == best;
	q->codes[2 * j] = q->x[j];
	q->codes[2 * j + 1] = best;
}

static question random_question(const problem *p)
{
	question q = {.max_changes = random_below(2) ? UINT32_MAX : random_below(p->t->n + 1)};
	for (uint32_t i = 0; i < p->t->value_offset[p->t->n]; i++)
		q.allowed[i] = random_below(4) > 0;
	for (uint32_t j = 0; j < p->t->n; j++)
		q.x[j] = random_below(values_of(p->t, j));
	return q;
}

/* What the engine is told: everything but `allowed` and `x`. */
static void tell(const problem *p, question *q, bool helped)
{
	q->n_assumed = 0;
	random_order(p->t->n, q->order);
	for (uint32_t j = 0; j < p->t->n; j++) {
		const uint32_t start = p->t->value_offset[j];
		if (helped)
			keep_the_best(p, q, j);
		q->keep[j] = p->literal[start + q->x[j]];
		q->fixed[j] = 1;
		for (uint32_t v = 0; v < values_of(p->t, j); v++) {
			if (v == q->x[j])
				continue;
			if (q->allowed[start + v])
				q->fixed[j] = 0;
			else
				q->assumed[q->n_assumed++] = -p->literal[start + v];
		}
	}
}

static symcf_instance instance_of(const question *q)
{
	return (symcf_instance){.keep = q->keep,
	                        .fixed = q->fixed,
	                        .assumed = q->assumed,
	                        .n_assumed = q->n_assumed,
	                        .max_changes = q->max_changes,
	                        .codes = q->codes,
	                        .order = q->order};
}

/* ------------------------------------------------------------------ the answer --------------- */

/* By set of features, as bits: 1 if it is a minimal change set. */
static void brute_force(const problem *p, const question *q, uint8_t *minimal)
{
	uint8_t flips[1 << FEATURES] = {0};
	uint32_t y[MOST_FEATURES] = {0};
	do {
		uint32_t changed = 0;
		bool permitted = true;
		for (uint32_t j = 0; j < p->t->n; j++)
			if (y[j] != q->x[j]) {
				changed |= 1u << j;
				permitted = permitted && q->allowed[p->t->value_offset[j] + y[j]];
			}
		if (permitted && decide(p->t, y) == p->sink)
			flips[changed] = 1;
	} while (next_input(p->t, y));
	for (uint32_t set = 0; set < 1u << FEATURES; set++) {
		minimal[set] = flips[set] && (uint32_t)__builtin_popcount(set) <= q->max_changes;
		for (uint32_t part = 0; part < set; part++)
			if ((part & set) == part && flips[part])
				minimal[set] = 0;
	}
}

/* Each wanted set once, and no other. */
static void check_sets(const symcf_sets *sets, const uint8_t *minimal)
{
	uint8_t seen[1 << FEATURES] = {0};
	for (uint64_t i = 0; i < sets->n_sets; i++) {
		uint32_t set = 0;
		for (uint64_t at = i ? sets->end[i - 1] : 0; at < sets->end[i]; at++)
			set |= 1u << sets->features[at];
		CHECK(minimal[set] && !seen[set]);
		seen[set] = 1;
	}
	for (uint32_t set = 0; set < 1u << FEATURES; set++)
		CHECK(seen[set] == minimal[set]);
}

/* Asks in portions of `limit`. */
static symcf_status ask(symcf_mcs *e, const question *q, uint64_t limit, symcf_sets *sets)
{
	const symcf_instance x = instance_of(q);
	symcf_status status = symcf_mcs_open(e, &x);
	if (status)
		return status;
	do
		status = symcf_mcs_next(e, NULL, limit, sets);
	while (status == SYMCF_MORE);
	return status;
}

static void all_sets_of_many_instances(void)
{
	for (uint32_t round = 0; round < 300; round++) {
		problem *p = random_problem();
		const bool helped = round % 2;
		symcf_mcs *e = NULL;
		CHECK_EQ_INT(make_engine(p, helped, NULL, &e), SYMCF_OK);
		REQUIRE(e);
		for (uint32_t turn = 0; turn < 4; turn++) {
			question q = random_question(p);
			uint8_t minimal[1 << FEATURES];
			symcf_sets sets = {0};
			brute_force(p, &q, minimal);
			tell(p, &q, helped);
			CHECK_EQ_INT(ask(e, &q, 1 + random_below(3), &sets), SYMCF_OK);
			check_sets(&sets, minimal);
			symcf_sets_free_arrays(&sets);
		}
		CHECK_EQ_INT(symcf_mcs_get_statistics(e).instances, 4);
		symcf_mcs_free(e);
		dispose(p);
	}
}

/* -------------------------------------------------------------------- misuse ----------------- */

static problem *problem_of_size(uint32_t n)
{
	problem *p = random_problem();
	while (p->t->n != n) {
		dispose(p);
		p = random_problem();
	}
	return p;
}

static void malformed_instances_are_refused(void)
{
	problem *p = problem_of_size(FEATURES);
	symcf_mcs *e = NULL;
	symcf_sets sets = {0};
	CHECK_EQ_INT(make_engine(p, true, NULL, &e), SYMCF_OK);
	REQUIRE(e);
	CHECK_EQ_INT(symcf_mcs_next(e, NULL, 1, &sets), SYMCF_INVALID); /* none is open */
	for (uint32_t wrong = 0; wrong < 8; wrong++) {
		question q = random_question(p);
		tell(p, &q, true);
		symcf_instance x = instance_of(&q);
		switch (wrong) {
		case 0: q.keep[0] = 0; break;
		case 1: q.keep[1] = p->n_vars + 1; break;
		case 2: q.assumed[q.n_assumed++] = INT32_MIN, x.n_assumed++; break;
		case 3: q.codes[2] = values_of(p->t, 1); break;
		case 4: q.codes[3] = UINT32_MAX; break;
		case 5: q.order[0] = q.order[1]; break;
		case 6: q.order[0] = FEATURES; break;
		default: x.codes = NULL; break;
		}
		CHECK_EQ_INT(symcf_mcs_open(e, &x), SYMCF_INVALID);
	}
	symcf_mcs_free(e);
	dispose(p);
}

static void malformed_clauses_are_refused(void)
{
	problem *p = problem_of_size(2);
	symcf_mcs *e = NULL;
	const symcf_hard cases[] = {
		{.n = 2, .n_vars = 1},                       /* fewer variables than features */
		{.n = 1, .n_vars = 9, .d = p->d, .sink = 1}, /* another diagram               */
		{.n = 2, .n_vars = 9, .d = p->d, .sink = 2}, /* no sink                       */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_EQ_INT(symcf_mcs_create(&solver, &cases[i], NULL, &e), SYMCF_INVALID);
	CHECK(!e);
	dispose(p);
}

/* ------------------------------------------------------------------- stopping ---------------- */

static void after_an_interruption_it_goes_on(void)
{
	uint32_t stops = 0;
	for (uint32_t round = 0; round < 60; round++) {
		problem *p = random_problem();
		question q = random_question(p);
		uint8_t minimal[1 << FEATURES];
		symcf_mcs *e = NULL;
		symcf_sets sets = {0};
		symcf_control late = too_late();
		CHECK_EQ_INT(make_engine(p, round % 2, &late, &e), SYMCF_LIMIT_TIME);
		CHECK(!e);
		CHECK_EQ_INT(make_engine(p, round % 2, NULL, &e), SYMCF_OK);
		REQUIRE(e);
		brute_force(p, &q, minimal);
		tell(p, &q, round % 2);
		const symcf_instance x = instance_of(&q);
		CHECK_EQ_INT(symcf_mcs_open(e, &x), SYMCF_OK);
		for (symcf_status status = SYMCF_MORE; status == SYMCF_MORE;) {
			uint32_t calls;
			symcf_control stop = interrupting(&calls);
			/* MORE where a set was found already */
			status = symcf_mcs_next(e, &stop, 1, &sets);
			CHECK(status == SYMCF_INTERRUPTED || status == SYMCF_MORE);
			stops += status == SYMCF_INTERRUPTED;
			status = symcf_mcs_next(e, NULL, 1, &sets);
			CHECK(status == SYMCF_OK || status == SYMCF_MORE);
		}
		check_sets(&sets, minimal);
		symcf_sets_free_arrays(&sets);
		symcf_mcs_free(e);
		dispose(p);
	}
	CHECK(stops >= 60);
}

/* Failing memory: the engine may be used again, or freed. */
typedef struct attempt {
	const problem *p;
	const question *q;
	bool helped;
} attempt;

static symcf_status make_and_ask(const void *data)
{
	const attempt *a = data;
	symcf_mcs *e = NULL;
	symcf_sets sets = {0};
	symcf_status status = make_engine(a->p, a->helped, NULL, &e);
	CHECK((e == NULL) == (status != SYMCF_OK));
	if (!status)
		status = ask(e, a->q, UINT64_MAX, &sets);
	symcf_sets_free_arrays(&sets);
	symcf_mcs_free(e);
	return status;
}

static void failing_memory_is_reported(void)
{
	for (uint32_t round = 0; round < 20; round++) {
		problem *p = problem_of_size(FEATURES);
		question q = random_question(p);
		tell(p, &q, round % 2);
		q.max_changes = round % 4 < 2 ? UINT32_MAX : 2;
		const attempt a = {p, &q, round % 2};
		CHECK(fail_each_allocation(make_and_ask, &a) >= 3);
		dispose(p);
	}
}

int main(void)
{
	RUN(all_sets_of_many_instances);
	RUN(malformed_instances_are_refused);
	RUN(malformed_clauses_are_refused);
	RUN(after_an_interruption_it_goes_on);
	RUN(failing_memory_is_reported);
	return check_report();
}
