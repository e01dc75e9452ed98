/* test_bdd.c: CUDD's twin: to and fro, any Boolean function, sifting, files, references, limits. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <unistd.h>

/* Freeing must find no reference left. */
static void close_bdd(symcf_bdd *b)
{
	CHECK_EQ_INT(symcf_bdd_free(b), 0);
}

static bool same_arrays(const symcf_diagram *a, const symcf_diagram *b)
{
	return a->n == b->n && a->n_nodes == b->n_nodes && a->root == b->root &&
	       a->n_children == b->n_children && !memcmp(a->order, b->order, a->n * sizeof *a->order) &&
	       !memcmp(a->level, b->level, a->n_nodes * sizeof *a->level) &&
	       !memcmp(a->child, b->child, a->n_children * sizeof *a->child);
}

/* The function of n features whose value at input i is bit i of `table`. */
static void check_table(uint32_t n, uint64_t table)
{
	uint8_t bytes[8];
	symcf_bdd *b = NULL, *twin = NULL;
	symcf_diagram *d = NULL, *again = NULL;
	const char *reason = NULL;
	uint64_t size = 0;
	for (uint32_t i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(table >> 8 * i);
	CHECK_EQ_INT(symcf_bdd_from_table(n, NULL, bytes, NULL, &b), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_freeze(b, NULL, &d), SYMCF_OK);
	REQUIRE(b && d);
	CHECK_EQ_INT(symcf_diagram_validate(d, NULL, &reason), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_thaw(d, NULL, &twin), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_freeze(twin, NULL, &again), SYMCF_OK);
	REQUIRE(twin && again);
	CHECK(same_arrays(d, again));
	CHECK_EQ_INT(symcf_bdd_size(twin, NULL, &size), SYMCF_OK);
	CHECK_EQ_INT(size, symcf_diagram_size(d));
	for (uint32_t i = 0; i < 1u << n; i++) {
		uint32_t x[6];
		for (uint32_t j = 0; j < n; j++)
			x[j] = i >> j & 1;
		CHECK_EQ_INT(symcf_bdd_evaluate(b, x), table >> i & 1);
		CHECK_EQ_INT(symcf_bdd_evaluate(twin, x), table >> i & 1);
		CHECK_EQ_INT(symcf_diagram_evaluate(d, x), table >> i & 1);
	}
	close_bdd(b);
	close_bdd(twin);
	symcf_diagram_free(d);
	symcf_diagram_free(again);
}

static void every_function_of_up_to_three_features(void)
{
	for (uint32_t n = 0; n <= 3; n++)
		for (uint64_t table = 0; table < (uint64_t)1 << (1u << n); table++)
			check_table(n, table);
}

static void functions_of_up_to_six_features(void)
{
	for (uint32_t round = 0; round < 200; round++) {
		const uint64_t dense = random_bits() ^ random_bits() << 32;
		check_table(4 + round % 3, round % 2 ? dense : dense & random_bits() & random_bits() << 20);
	}
}

static void a_table_of_too_many_features_is_refused(void)
{
	symcf_bdd *b = NULL;
	CHECK_EQ_INT(symcf_bdd_from_table(31, NULL, (const uint8_t *)"", NULL, &b), SYMCF_UNSUPPORTED);
	CHECK(!b);
}

static symcf_bdd *thawed(uint32_t n, symcf_diagram **d)
{
	symcf_threshold *t = large_threshold(n);
	symcf_bdd *b = NULL;
	*d = compile_natural(t);
	CHECK_EQ_INT(symcf_bdd_thaw(*d, NULL, &b), SYMCF_OK);
	symcf_threshold_free(t);
	return b;
}

static void sifting_keeps_the_function_and_shrinks_the_diagram(void)
{
	symcf_diagram *before, *after = NULL;
	symcf_bdd *b = thawed(12, &before);
	const char *reason;
	uint32_t x[12];
	CHECK_EQ_INT(symcf_bdd_sift(b, NULL), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_freeze(b, NULL, &after), SYMCF_OK);
	REQUIRE(after);
	CHECK_EQ_INT(symcf_diagram_validate(after, NULL, &reason), SYMCF_OK);
	CHECK(after->n_nodes < before->n_nodes);
	for (uint32_t i = 0; i < 1u << 12; i++) {
		for (uint32_t j = 0; j < 12; j++)
			x[j] = i >> j & 1;
		CHECK_EQ_INT(symcf_diagram_evaluate(after, x), symcf_diagram_evaluate(before, x));
		CHECK_EQ_INT(symcf_bdd_evaluate(b, x), symcf_diagram_evaluate(before, x));
	}
	symcf_diagram_free(before);
	symcf_diagram_free(after);
	close_bdd(b);
}

/* Nodes that CUDD shares are not a reduced diagram. `validate` would have said so, too. */
static void thawing_notices_what_is_not_reduced(void)
{
	symcf_diagram *d = parity_diagram(3);
	symcf_bdd *b = NULL;
	d->child[2] = 0; /* node 3 becomes the same as node 2, and node 4 and 5 redundant */
	d->child[3] = 1;
	CHECK_EQ_INT(symcf_bdd_thaw(d, NULL, &b), SYMCF_INTERNAL);
	CHECK(!b);
	symcf_diagram_free(d);
}

/* -------------------------------------------------------------------- limits ----------------- */

static void limits_end_the_work_and_leave_no_reference(void)
{
	symcf_diagram *d, *frozen = NULL;
	symcf_bdd *b = thawed(20, &d), *other = NULL;
	symcf_clauses *c = NULL;
	uint64_t size;
	uint32_t calls;
	symcf_control late = too_late(), stop = interrupting(&calls);
	symcf_control tight = {.max_memory = 1000};
	CHECK_EQ_INT(symcf_bdd_thaw(d, &tight, &other), SYMCF_LIMIT_MEMORY);
	CHECK_EQ_INT(symcf_bdd_thaw(d, &late, &other), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_bdd_thaw(d, &stop, &other), SYMCF_INTERRUPTED);
	CHECK(!other);
	late = too_late();
	CHECK_EQ_INT(symcf_bdd_sift(b, &late), SYMCF_LIMIT_TIME);
	late = too_late();
	CHECK_EQ_INT(symcf_bdd_freeze(b, &late, &frozen), SYMCF_LIMIT_TIME);
	late = too_late();
	CHECK_EQ_INT(symcf_bdd_size(b, &late, &size), SYMCF_LIMIT_TIME);
	late = too_late();
	CHECK_EQ_INT(symcf_encode_primes(b, false, 0, &late, &c), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_encode_primes(b, false, 3, NULL, &c), SYMCF_LIMIT_NODES);
	CHECK(!frozen && !c);
	CHECK_EQ_INT(symcf_bdd_sift(b, NULL), SYMCF_OK); /* it is as good as before */
	CHECK_EQ_INT(symcf_encode_primes(b, false, 0, NULL, &c), SYMCF_OK);
	symcf_clauses_free(c);
	symcf_diagram_free(d);
	close_bdd(b);
}

/* Lets the deadline pass at the first look, whatever the machine's speed. */
static bool let_the_deadline_pass(void *data)
{
	symcf_control *control = data;
	control->deadline = symcf_clock();
	return false;
}

/* The deadline passes while CUDD is sifting, not before. */
static void sifting_notices_a_deadline_on_the_way(void)
{
	symcf_diagram *d;
	symcf_bdd *b = thawed(26, &d);
	symcf_control soon = {.interrupted = let_the_deadline_pass};
	soon.data = &soon;
	CHECK_EQ_INT(symcf_bdd_sift(b, &soon), SYMCF_LIMIT_TIME);
	symcf_diagram_free(d);
	close_bdd(b);
}

/* --------------------------------------------------------------------- files ----------------- */

/* ensures: the lines of the file that start with none of `skip`, counted. */
static uint32_t count_lines(const char *path, const char *skip)
{
	char line[1000];
	uint32_t lines = 0;
	FILE *file = fopen(path, "r");
	if (!file)
		return 0;
	while (fgets(line, sizeof line, file))
		lines += line[0] != '\n' && !strchr(skip, line[0]);
	fclose(file);
	return lines;
}

static void files_hold_what_was_asked_for(void)
{
	static const char *const names[] = {"a", "b", "c"};
	char path[] = "/tmp/symcf_test_XXXXXX";
	symcf_diagram *d = parity_diagram(3);
	symcf_bdd *b = NULL;
	const int descriptor = mkstemp(path);
	REQUIRE(descriptor >= 0);
	close(descriptor);
	CHECK_EQ_INT(symcf_bdd_thaw(d, NULL, &b), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_store(b, path, names), SYMCF_OK);
	CHECK_EQ_INT(count_lines(path, "."), 4); /* complement edges: three nodes and a sink */
	CHECK_EQ_INT(symcf_bdd_store(b, path, NULL), SYMCF_OK);
	CHECK_EQ_INT(count_lines(path, "."), 4);
	CHECK_EQ_INT(symcf_bdd_store(b, "/nowhere/at/all", names), SYMCF_IO);
	if (access("/dev/full", W_OK) == 0)
		CHECK_EQ_INT(symcf_bdd_store(b, "/dev/full", names), SYMCF_IO);
	remove(path);
	symcf_diagram_free(d);
	close_bdd(b);
}

/* ------------------------------------------------------------- failing memory ---------------- */

/* For `everything`, which has one argument. */
static symcf_diagram *parity_of_two;

static symcf_status everything(const void *data)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
	const symcf_diagram *twice[] = {data, data};
	const symcf_diagram *pair = parity_of_two;
	static const uint32_t order[] = {1, 0}, start[] = {0, 2, 4}, codes[] = {0, 1, 1, 0};
	symcf_bdd *b = NULL, *table = NULL, *both = NULL, *composed = NULL, *translated = NULL;
	symcf_diagram *frozen = NULL;
	symcf_clauses *c = NULL;
	uint64_t size;
	symcf_status status = symcf_bdd_thaw(data, NULL, &b);
	if (!status)
		status = symcf_bdd_from_table(3, NULL, (const uint8_t *)"\x96", NULL, &table);
	if (!status)
		status = symcf_bdd_freeze(b, NULL, &frozen);
	if (!status)
		status = symcf_bdd_size(b, NULL, &size);
	if (!status)
		status = symcf_bdd_conjoin(twice, NULL, 2, NULL, &both);
	if (!status)
		status = symcf_bdd_compose(pair, twice, NULL, &composed);
	if (!status)
		status = symcf_bdd_translate(pair, 2, order, pair->arity, order, start, codes, NULL,
		                             &translated);
	if (!status)
		status = symcf_bdd_sift(both, NULL);
	if (!status)
		status = symcf_encode_primes(b, true, 0, NULL, &c);
	if (!status)
		status = symcf_bdd_store(b, "/dev/null", names);
	symcf_clauses_free(c);
	symcf_diagram_free(frozen);
	close_bdd(table);
	close_bdd(both);
	close_bdd(composed);
	close_bdd(translated);
	close_bdd(b);
	return status;
}

static void failing_memory_is_reported(void)
{
	symcf_diagram *d = parity_diagram(10);
	parity_of_two = parity_diagram(2);
	CHECK(fail_each_allocation(everything, d) >= 20);
	symcf_diagram_free(parity_of_two);
	symcf_diagram_free(d);
}

/* The parity of two parities: of three features each, once of the same ones and once of a negation. */
static void diagrams_are_composed(void)
{
	symcf_diagram *outer = parity_diagram(2), *inner = parity_diagram(3),
				  *other = parity_diagram(4);
	const symcf_diagram *same[] = {inner, inner}, *mixed[] = {inner, other};
	symcf_bdd *b = NULL, *negated = NULL;
	symcf_diagram *complement = NULL;
	uint64_t size = 0;
	CHECK_EQ_INT(symcf_bdd_compose(outer, same, NULL, &b), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_size(b, NULL, &size), SYMCF_OK);
	CHECK_EQ_INT(size, 1); /* false */
	close_bdd(b);
	const uint8_t negate[] = {1};
	CHECK_EQ_INT(symcf_bdd_conjoin(same, negate, 1, NULL, &negated), SYMCF_OK);
	CHECK_EQ_INT(symcf_bdd_freeze(negated, NULL, &complement), SYMCF_OK);
	const symcf_diagram *opposite[] = {inner, complement};
	CHECK_EQ_INT(symcf_bdd_compose(outer, opposite, NULL, &b), SYMCF_OK);
	for (uint32_t i = 0; i < 8; i++) {
		const uint32_t row[] = {i & 1, i >> 1 & 1, i >> 2};
		CHECK_EQ_INT(symcf_bdd_evaluate(b, row), 1);
	}
	close_bdd(b);
	CHECK_EQ_INT(symcf_bdd_compose(outer, mixed, NULL, &b), SYMCF_INVALID);
	symcf_control late = {.deadline = symcf_clock() - 1};
	CHECK_EQ_INT(symcf_bdd_compose(outer, opposite, &late, &b), SYMCF_LIMIT_TIME);
	close_bdd(negated);
	symcf_diagram_free(complement);
	symcf_diagram_free(outer);
	symcf_diagram_free(inner);
	symcf_diagram_free(other);
}

/* "x0 = 1 and x1 = 1" over one feature of three values (x0 is 0 1 1, x1 is 0 0 1), and over three
 * features in another order, x0 read from the last and x1 from the first of them. */
static void diagrams_are_translated(void)
{
	const uint32_t features[] = {0, 1}, twos[] = {2, 2}, level[] = {2, 2, 1, 0},
				   child[] = {0, 1, 0, 2};
	symcf_diagram *both = NULL, *frozen = NULL;
	const char *reason = NULL;
	REQUIRE(symcf_diagram_create(2, 4, 3, features, twos, level, child, 4, NULL, &reason, &both) ==
	        SYMCF_OK);
	symcf_bdd *b = NULL;
	const uint32_t one[] = {0}, three[] = {3}, from_one[] = {0, 0}, start3[] = {0, 3, 6};
	const uint32_t code3[] = {0, 1, 1, 0, 0, 1};
	CHECK_EQ_INT(symcf_bdd_translate(both, 1, one, three, from_one, start3, code3, NULL, &b),
	             SYMCF_OK);
	for (uint32_t v = 0; v < 3; v++)
		CHECK_EQ_INT(symcf_bdd_evaluate(b, &v), v == 2);
	close_bdd(b);
	const uint32_t order[] = {2, 0, 1}, arity[] = {2, 3, 2}, from[] = {1, 0};
	const uint32_t start[] = {0, 2, 5}, code[] = {1, 0, 0, 1, 0};
	CHECK_EQ_INT(symcf_bdd_translate(both, 3, order, arity, from, start, code, NULL, &b), SYMCF_OK);
	for (uint32_t i = 0; i < 12; i++) {
		const uint32_t row[] = {i % 3, i / 3 % 2, i / 6};
		CHECK_EQ_INT(symcf_bdd_evaluate(b, row), row[1] == 0 && row[0] == 1);
	}
	CHECK_EQ_INT(symcf_bdd_freeze(b, NULL, &frozen), SYMCF_OK);
	CHECK_EQ_INT(symcf_diagram_validate(frozen, NULL, &reason), SYMCF_OK);
	close_bdd(b);
	const uint32_t wrong[] = {1, 0, 0, 2, 0}, nowhere[] = {1, 3};
	CHECK_EQ_INT(symcf_bdd_translate(both, 3, order, arity, from, start, wrong, NULL, &b),
	             SYMCF_INVALID);
	CHECK_EQ_INT(symcf_bdd_translate(both, 3, order, arity, nowhere, start, code, NULL, &b),
	             SYMCF_INVALID);
	symcf_control late = {.deadline = symcf_clock() - 1};
	CHECK_EQ_INT(symcf_bdd_translate(both, 3, order, arity, from, start, code, &late, &b),
	             SYMCF_LIMIT_TIME);
	symcf_diagram_free(both);
	symcf_diagram_free(frozen);
}

/* After one failure in CUDD the BDD is gone: it says so, and does nothing more. */
static void a_bdd_that_memory_took_along_refuses_to_work(void)
{
	symcf_diagram *d = parity_diagram(10), *frozen = NULL;
	symcf_bdd *b = NULL;
	symcf_clauses *c = NULL;
	uint64_t size;
	REQUIRE(symcf_bdd_thaw(d, NULL, &b) == SYMCF_OK);
	for (uint64_t countdown = 1; countdown < 100 && !symcf_bdd_is_lost(b); countdown++) {
		symcf_fail_allocation(countdown);
		symcf_bdd_sift(b, NULL);
		symcf_fail_allocation(0);
	}
	if (symcf_bdd_is_lost(b)) { /* an installed CUDD has its own memory */
		CHECK_EQ_INT(symcf_bdd_sift(b, NULL), SYMCF_NO_MEMORY);
		CHECK_EQ_INT(symcf_bdd_freeze(b, NULL, &frozen), SYMCF_NO_MEMORY);
		CHECK_EQ_INT(symcf_bdd_size(b, NULL, &size), SYMCF_NO_MEMORY);
		CHECK_EQ_INT(symcf_encode_primes(b, true, 0, NULL, &c), SYMCF_NO_MEMORY);
		CHECK(symcf_bdd_store(b, "/dev/null", NULL) != SYMCF_OK);
	}
	CHECK_EQ_INT(symcf_bdd_free(b), 0);
	symcf_diagram_free(d);
}

int main(void)
{
	RUN(every_function_of_up_to_three_features);
	RUN(functions_of_up_to_six_features);
	RUN(a_table_of_too_many_features_is_refused);
	RUN(sifting_keeps_the_function_and_shrinks_the_diagram);
	RUN(thawing_notices_what_is_not_reduced);
	RUN(limits_end_the_work_and_leave_no_reference);
	RUN(sifting_notices_a_deadline_on_the_way);
	RUN(files_hold_what_was_asked_for);
	RUN(failing_memory_is_reported);
	RUN(diagrams_are_composed);
	RUN(diagrams_are_translated);
	RUN(a_bdd_that_memory_took_along_refuses_to_work);
	return check_report();
}
