/* test_clauses.c: the four encodings, against every input; limits; interruption. */
#include "support.h"

enum encoding { PATHS, NODES, CUTS, PRIMES, N_ENCODINGS };

/* A diagram and its twin, so that all encodings can be asked of one thing. */
typedef struct function {
	symcf_threshold *t;
	symcf_diagram *d;
	symcf_bdd *b;
} function;

static bool is_binary(const symcf_threshold *t)
{
	for (uint32_t j = 0; j < t->n; j++)
		if (values_of(t, j) != 2)
			return false;
	return true;
}

/* Without a twin where a feature does not have two values. */
static function function_of(symcf_threshold *t)
{
	function f = {t, compile_natural(t), NULL};
	if (is_binary(t))
		CHECK_EQ_INT(symcf_bdd_thaw(f.d, NULL, &f.b), SYMCF_OK);
	return f;
}

static enum encoding encodings_of(const function *f)
{
	return f->b ? N_ENCODINGS : PRIMES;
}

static void dispose(function *f)
{
	CHECK_EQ_INT(symcf_bdd_free(f->b), 0);
	symcf_diagram_free(f->d);
	symcf_threshold_free(f->t);
}

static symcf_status encode(const function *f, enum encoding e, bool negate, uint64_t max_clauses,
                           symcf_control *control, symcf_clauses **out)
{
	switch (e) {
	case PATHS: return symcf_encode_paths(f->d, negate, max_clauses, control, out);
	case NODES: return symcf_encode_nodes(f->d, negate, max_clauses, control, out);
	case CUTS: return symcf_encode_cuts(f->d, negate, 2, 3, max_clauses, control, out);
	default: return symcf_encode_primes(f->b, negate, max_clauses, control, out);
	}
}

/* ------------------------------------------------------------------- models ------------------ */

/* Sets what clauses with one open literal force, until nothing changes.
 * value: by variable, -1, 0 or +1. ensures: false if a clause has no true and no open literal. */
static bool propagate(const symcf_clauses *c, int8_t *value)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint64_t at = 0; at < c->length; at++) {
			uint32_t open = 0;
			int32_t last = 0;
			bool satisfied = false;
			for (; c->literals[at]; at++) {
				const int32_t literal = c->literals[at];
				const int8_t v = value[abs(literal)];
				satisfied |= v && (v > 0) == (literal > 0);
				open += !v;
				last = v ? last : literal;
			}
			if (!satisfied && !open)
				return false;
			if (!satisfied && open == 1) {
				value[abs(last)] = last > 0 ? 1 : -1;
				changed = true;
			}
		}
	}
	return true;
}

/* With the features given, propagation alone decides all four encodings: definitions are read
 * from the inputs up, and cuts from the root down. */
static void check_models(const function *f, const symcf_clauses *c, bool negate)
{
	int8_t *value = malloc((size_t)c->n_vars + 1);
	uint32_t x[MOST_FEATURES] = {0};
	do {
		memset(value, 0, (size_t)c->n_vars + 1);
		for (uint32_t j = 0, variable = 1; j < f->t->n; j++)
			for (uint32_t v = 1; v < values_of(f->t, j); v++)
				value[variable++] = x[j] == v ? 1 : -1;
		CHECK_EQ_INT(propagate(c, value), decide(f->t, x) != negate);
	} while (next_input(f->t, x));
	free(value);
}

static void check_form(const function *f, const symcf_clauses *c)
{
	uint64_t ends = 0;
	for (uint64_t at = 0; at < c->length; at++) {
		ends += c->literals[at] == 0;
		CHECK(abs(c->literals[at]) <= (int32_t)c->n_vars);
	}
	CHECK_EQ_INT(ends, c->n_clauses);
	CHECK(!c->length || c->literals[c->length - 1] == 0);
	CHECK(c->n_vars >= f->t->value_offset[f->t->n] - f->t->n);
}

static void every_encoding_has_the_models_of_the_function(void)
{
	for (uint32_t round = 0; round < 600; round++) {
		const uint32_t most_values = round % 2 ? 2 : MOST_VALUES;
		function f = function_of(
			random_threshold(random_below(round % 2 ? 8 : 6), most_values, round % 3 ? 9 : 1));
		for (enum encoding e = PATHS; e < encodings_of(&f); e++)
			for (int negate = 0; negate < 2; negate++) {
				symcf_clauses *c = NULL;
				CHECK_EQ_INT(encode(&f, e, negate, 0, NULL, &c), SYMCF_OK);
				REQUIRE(c);
				check_form(&f, c);
				check_models(&f, c, negate);
				symcf_clauses_free(c);
			}
		dispose(&f);
	}
}

static void cuts_of_every_size_have_the_models_of_the_function(void)
{
	for (uint32_t round = 0; round < 300; round++) {
		function f = function_of(random_threshold(1 + random_below(round % 4 < 2 ? 7 : 5),
		                                          round % 4 < 2 ? 2 : MOST_VALUES, 30));
		const uint32_t max_in = 1 + random_below(4), max_length = 1 + random_below(5);
		symcf_clauses *c = NULL;
		CHECK_EQ_INT(symcf_encode_cuts(f.d, round % 2, max_in, max_length, 0, NULL, &c), SYMCF_OK);
		REQUIRE(c);
		check_models(&f, c, round % 2);
		symcf_clauses_free(c);
		dispose(&f);
	}
}

static void bounds_of_cuts_are_checked(void)
{
	symcf_diagram *d = parity_diagram(3);
	symcf_clauses *c = NULL;
	CHECK_EQ_INT(symcf_encode_cuts(d, false, 0, 3, 0, NULL, &c), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_encode_cuts(d, false, 3, 0, 0, NULL, &c), SYMCF_INVALID);
	CHECK(!c);
	symcf_diagram_free(d);
}

/* [X=2] is the node itself; its negation too; two of four values are neither. */
static void nodes_that_are_indicators_need_no_variable(void)
{
	const uint32_t value_offset[] = {0, 4};
	const int64_t weights[][4] = {{-1, -1, 1, -1}, {1, 1, -1, 1}, {-1, 1, 1, -1}};
	const int32_t wanted[][7] = {{2, 0}, {-2, 0}, {4, 0, -1, 4, 0}};
	for (uint32_t i = 0; i < 3; i++) {
		symcf_threshold *t = NULL;
		symcf_clauses *c = NULL;
		CHECK_EQ_INT(symcf_threshold_create(1, value_offset, weights[i], 0, &t), SYMCF_OK);
		symcf_diagram *d = compile_natural(t);
		CHECK_EQ_INT(symcf_encode_nodes(d, false, 0, NULL, &c), SYMCF_OK);
		REQUIRE(c);
		CHECK_EQ_INT(c->n_vars, i < 2 ? 3 : 4);
		CHECK_EQ_INT(c->n_clauses, i < 2 ? 1 : 4);
		CHECK(!memcmp(c->literals, wanted[i], (i < 2 ? 2 : 5) * sizeof *c->literals));
		symcf_clauses_free(c);
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
}

/* -------------------------------------------------------------------- limits ----------------- */

static void one_clause_too_many_is_refused(void)
{
	function f = function_of(large_threshold(10));
	for (enum encoding e = PATHS; e < N_ENCODINGS; e++) {
		symcf_clauses *c = NULL, *none = NULL;
		symcf_control control = {0};
		CHECK_EQ_INT(encode(&f, e, false, 0, NULL, &c), SYMCF_OK);
		REQUIRE(c && c->n_clauses > 1);
		CHECK_EQ_INT(encode(&f, e, false, c->n_clauses - 1, &control, &none), SYMCF_LIMIT_NODES);
		CHECK_EQ_INT(control.nodes, c->n_clauses);
		CHECK(!none);
		CHECK_EQ_INT(encode(&f, e, false, c->n_clauses, NULL, &none), SYMCF_OK);
		symcf_clauses_free(none);
		symcf_clauses_free(c);
	}
	dispose(&f);
}

/* Refused before anything large is allocated: the first allocation that would be is never tried. */
static void absurd_numbers_are_refused_before_allocating(void)
{
	symcf_diagram *d = parity_diagram(100);
	symcf_clauses *c = NULL;
	symcf_control control = {0};
	CHECK_EQ_INT(symcf_encode_paths(d, false, 1000, &control, &c), SYMCF_LIMIT_NODES);
	CHECK(control.nodes >= (uint64_t)INT64_MAX);
	CHECK_EQ_INT(symcf_encode_cuts(d, false, 99, 99, 1000, &control, &c), SYMCF_LIMIT_NODES);
	CHECK(control.nodes >= (uint64_t)INT64_MAX);
	CHECK_EQ_INT(symcf_encode_paths(d, false, 0, NULL, &c), SYMCF_NO_MEMORY);
	CHECK(!c);
	symcf_bdd *b = NULL;
	CHECK_EQ_INT(symcf_bdd_thaw(d, NULL, &b), SYMCF_OK);
	CHECK_EQ_INT(symcf_encode_primes(b, false, 1000, &control, &c), SYMCF_LIMIT_NODES);
	CHECK(control.nodes >= (uint64_t)INT64_MAX);
	CHECK_EQ_INT(symcf_bdd_free(b), 0);
	symcf_diagram_free(d);
}

static void the_memory_budget_counts_the_buffer(void)
{
	function f = function_of(large_threshold(10));
	for (enum encoding e = PATHS; e < PRIMES; e++) {
		symcf_clauses *c = NULL, *none = NULL;
		CHECK_EQ_INT(encode(&f, e, false, 0, NULL, &c), SYMCF_OK);
		symcf_control tight = {.max_memory = c->length * sizeof *c->literals - 1};
		CHECK_EQ_INT(encode(&f, e, false, 0, &tight, &none), SYMCF_LIMIT_MEMORY);
		CHECK(!none);
		symcf_clauses_free(c);
	}
	dispose(&f);
}

static void encoding_stops_when_told(void)
{
	function f = function_of(large_threshold(12));
	for (enum encoding e = PATHS; e < N_ENCODINGS; e++) {
		uint32_t calls;
		symcf_clauses *c = NULL;
		symcf_control stop = interrupting(&calls), late = too_late();
		CHECK_EQ_INT(encode(&f, e, false, 0, &stop, &c), SYMCF_INTERRUPTED);
		CHECK_EQ_INT(encode(&f, e, true, 0, &late, &c), SYMCF_LIMIT_TIME);
		CHECK(!c);
	}
	dispose(&f);
}

static symcf_status encode_all(const void *data)
{
	function f = *(const function *)data;
	symcf_status status = f.b ? symcf_bdd_thaw(f.d, NULL, &f.b) : SYMCF_OK; /* CUDD may lose it */
	if (status)
		return status;
	for (enum encoding e = PATHS; e < encodings_of(&f) && !status; e++) {
		symcf_clauses *c = NULL;
		status = encode(&f, e, false, 0, NULL, &c);
		CHECK((c == NULL) == (status != SYMCF_OK));
		symcf_clauses_free(c);
	}
	symcf_bdd_free(f.b);
	return status;
}

static void failing_memory_is_reported(void)
{
	function f = function_of(large_threshold(8));
	function many = function_of(random_threshold(5, MOST_VALUES, 50));
	CHECK(fail_each_allocation(encode_all, &f) >= 20);
	CHECK(fail_each_allocation(encode_all, &many) >= 20);
	dispose(&f);
	dispose(&many);
}

int main(void)
{
	RUN(every_encoding_has_the_models_of_the_function);
	RUN(cuts_of_every_size_have_the_models_of_the_function);
	RUN(bounds_of_cuts_are_checked);
	RUN(nodes_that_are_indicators_need_no_variable);
	RUN(one_clause_too_many_is_refused);
	RUN(absurd_numbers_are_refused_before_allocating);
	RUN(the_memory_budget_counts_the_buffer);
	RUN(encoding_stops_when_told);
	RUN(failing_memory_is_reported);
	return check_report();
}
