/* test_bdd_many.c: CUDD's twin where features have any number of values: to and fro, sifting,
 * conjunctions, prime clauses, files, limits. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <unistd.h>

enum { MOST_INPUTS = 2000 };

static void close_bdd(symcf_bdd *b)
{
	CHECK_EQ_INT(symcf_bdd_free(b), 0);
}

/* -------------------------------------------------------------- functions -------------------- */

/* Any function, by its values at all inputs. */
typedef struct function {
	uint32_t n, inputs;
	uint32_t n_values[6];
	uint8_t value[MOST_INPUTS];
} function;

static function random_function(void)
{
	function f = {.n = random_below(6), .inputs = 1};
	for (uint32_t j = 0; j < f.n; j++) {
		f.n_values[j] = 1 + random_below(random_below(2) ? 5 : 3);
		if (f.inputs * f.n_values[j] > MOST_INPUTS)
			f.n_values[j] = 1;
		f.inputs *= f.n_values[j];
	}
	/* coarse functions have redundant and shared nodes, which random ones have not */
	const uint32_t coarse = 1 + random_below(3), density = 1 + random_below(4);
	for (uint32_t i = 0; i < f.inputs; i++)
		f.value[i] = i && random_below(coarse) ? f.value[i - 1] : !random_below(density);
	return f;
}

static void decode(const function *f, uint32_t i, uint32_t *x)
{
	for (uint32_t j = 0; j < f->n; j++, i /= f->n_values[j - 1])
		x[j] = i % f->n_values[j];
}

static symcf_bdd *from_table(const function *f)
{
	uint8_t table[MOST_INPUTS / 8 + 1] = {0};
	symcf_bdd *b = NULL;
	for (uint32_t i = 0; i < f->inputs; i++)
		table[i / 8] |= (uint8_t)(f->value[i] << i % 8);
	CHECK_EQ_INT(symcf_bdd_from_table(f->n, f->n_values, table, NULL, &b), SYMCF_OK);
	return b;
}

static symcf_diagram *frozen(symcf_bdd *b)
{
	symcf_diagram *d = NULL;
	const char *reason = NULL;
	CHECK_EQ_INT(symcf_bdd_freeze(b, NULL, &d), SYMCF_OK);
	CHECK_EQ_INT(symcf_diagram_validate(d, NULL, &reason), SYMCF_OK);
	return d;
}

static symcf_diagram *diagram_of(const function *f)
{
	symcf_bdd *b = from_table(f);
	symcf_diagram *d = frozen(b);
	close_bdd(b);
	return d;
}

static void check_values(const function *f, symcf_bdd *b, const symcf_diagram *d)
{
	uint32_t x[6];
	uint64_t size = 0;
	for (uint32_t k = 0; k < d->n; k++)
		CHECK_EQ_INT(d->arity[k], f->n_values[d->order[k]]);
	for (uint32_t i = 0; i < f->inputs; i++) {
		decode(f, i, x);
		CHECK_EQ_INT(symcf_bdd_evaluate(b, x), f->value[i]);
		CHECK_EQ_INT(symcf_diagram_evaluate(d, x), f->value[i]);
	}
	CHECK_EQ_INT(symcf_bdd_size(b, NULL, &size), SYMCF_OK);
	CHECK_EQ_INT(size, symcf_diagram_size(d));
}

static bool same_arrays(const symcf_diagram *a, const symcf_diagram *b)
{
	return a->n == b->n && a->n_nodes == b->n_nodes && a->root == b->root &&
	       a->n_children == b->n_children && !memcmp(a->order, b->order, a->n * sizeof *a->order) &&
	       !memcmp(a->arity, b->arity, a->n * sizeof *a->arity) &&
	       !memcmp(a->level, b->level, a->n_nodes * sizeof *a->level) &&
	       !memcmp(a->child, b->child, a->n_children * sizeof *a->child);
}

/* -------------------------------------------------------------- to and fro ------------------- */

static void random_functions_go_to_and_fro(void)
{
	for (uint32_t round = 0; round < 400; round++) {
		const function f = random_function();
		symcf_bdd *b = from_table(&f), *twin = NULL;
		symcf_diagram *d = frozen(b);
		check_values(&f, b, d);
		CHECK_EQ_INT(symcf_bdd_thaw(d, NULL, &twin), SYMCF_OK);
		symcf_diagram *again = frozen(twin);
		check_values(&f, twin, again);
		CHECK(same_arrays(d, again));
		symcf_diagram_free(d);
		symcf_diagram_free(again);
		close_bdd(b);
		close_bdd(twin);
	}
}

/* The compiler's diagrams are reduced by other means: as many nodes, in any order of levels. */
static void threshold_functions_have_the_compilers_size(void)
{
	for (uint32_t round = 0; round < 200; round++) {
		uint32_t order[MOST_FEATURES];
		symcf_threshold *t = random_threshold(1 + random_below(6), 4, 1 + random_below(9));
		symcf_diagram *d = NULL;
		symcf_bdd *b = NULL;
		random_order(t->n, order);
		CHECK_EQ_INT(symcf_compile(t, order, NULL, &d), SYMCF_OK);
		CHECK_EQ_INT(symcf_bdd_thaw(d, NULL, &b), SYMCF_OK);
		symcf_diagram *again = frozen(b);
		CHECK_EQ_INT(again->n_nodes, d->n_nodes);
		CHECK(!memcmp(again->order, order, t->n * sizeof *order));
		uint32_t x[MOST_FEATURES] = {0};
		do
			CHECK_EQ_INT(symcf_diagram_evaluate(again, x), decide(t, x));
		while (next_input(t, x));
		symcf_diagram_free(d);
		symcf_diagram_free(again);
		close_bdd(b);
		symcf_threshold_free(t);
	}
}

/* ensures: a diagram of one feature with three values over two binary ones, which are `low` and
 * `high` at the bottom: not reduced if they are the same, or if the top has equal children. */
static symcf_diagram *by_hand(const uint32_t low[2], const uint32_t high[2], uint32_t middle)
{
	const uint32_t order[] = {0, 1}, arity[] = {3, 2}, level[] = {2, 2, 1, 1, 0};
	const uint32_t honest[] = {0, 1, 1, 0, 2, 3, 3};
	symcf_diagram *d = NULL;
	const char *reason = NULL;
	CHECK_EQ_INT(symcf_diagram_create(2, 5, 4, order, arity, level, honest, 7, NULL, &reason, &d),
	             SYMCF_OK);
	memcpy(d->child, low, 2 * sizeof *low);
	memcpy(d->child + 2, high, 2 * sizeof *high);
	d->child[5] = middle;
	return d;
}

static void thawing_notices_what_is_not_reduced(void)
{
	const uint32_t rising[] = {0, 1}, falling[] = {1, 0};
	const struct {
		symcf_diagram *d;
		symcf_status wanted;
	} cases[] = {
		{by_hand(rising, falling, 3), SYMCF_OK},
		{by_hand(rising, falling, 1), SYMCF_OK},
		{by_hand(rising, rising, 1), SYMCF_INTERNAL},
		{by_hand(rising, rising, 3), SYMCF_INTERNAL},
	};
	for (uint32_t i = 0; i < 4; i++) {
		symcf_bdd *b = NULL;
		CHECK_EQ_INT(symcf_bdd_thaw(cases[i].d, NULL, &b), cases[i].wanted);
		close_bdd(b);
		symcf_diagram_free(cases[i].d);
	}
}

static void tables_out_of_bounds_are_refused(void)
{
	const uint32_t huge[] = {1u << 20, 1u << 20}, empty[] = {2, 0};
	symcf_bdd *b = NULL;
	CHECK_EQ_INT(symcf_bdd_from_table(2, huge, (const uint8_t *)"", NULL, &b), SYMCF_UNSUPPORTED);
	CHECK_EQ_INT(symcf_bdd_from_table(2, empty, (const uint8_t *)"", NULL, &b), SYMCF_INVALID);
	CHECK(!b);
}

/* ----------------------------------------------------------------- sifting ------------------- */

static void sifting_keeps_the_function_and_the_blocks(void)
{
	uint32_t moved = 0;
	for (uint32_t round = 0; round < 100; round++) {
		const function f = random_function();
		symcf_bdd *b = from_table(&f);
		symcf_diagram *before = frozen(b);
		CHECK_EQ_INT(symcf_bdd_sift(b, NULL), SYMCF_OK);
		symcf_diagram *after = frozen(b);
		check_values(&f, b, after);
		moved += memcmp(before->order, after->order, f.n * sizeof *after->order) != 0;
		symcf_diagram_free(before);
		symcf_diagram_free(after);
		close_bdd(b);
	}
	CHECK(moved > 10);
}

/* x0 = x2, x1 = x3: small where what is compared stands together. */
static void sifting_brings_together_what_belongs_together(void)
{
	function f = {.n = 4, .inputs = 256, .n_values = {4, 4, 4, 4}};
	uint32_t x[6];
	for (uint32_t i = 0; i < f.inputs; i++) {
		decode(&f, i, x);
		f.value[i] = x[0] == x[2] && x[1] == x[3];
	}
	symcf_bdd *b = from_table(&f);
	symcf_diagram *before = frozen(b);
	CHECK_EQ_INT(symcf_bdd_sift(b, NULL), SYMCF_OK);
	symcf_diagram *after = frozen(b);
	check_values(&f, b, after);
	CHECK_EQ_INT(before->n_nodes, 2 + 1 + 4 + 16 + 4);
	CHECK_EQ_INT(after->n_nodes, 2 + 2 * (1 + 4));
	symcf_diagram_free(before);
	symcf_diagram_free(after);
	close_bdd(b);
}

/* ------------------------------------------------------------- conjunctions ------------------ */

/* Three functions of the same features, the second one negated. */
static void conjunctions_are_those_of_the_values(void)
{
	for (uint32_t round = 0; round < 200; round++) {
		function f[3], product;
		symcf_diagram *d[3];
		symcf_bdd *b = NULL;
		const uint8_t negate[] = {0, 1, 0};
		f[0] = product = random_function();
		for (uint32_t i = 0; i < 3; i++) {
			for (uint32_t u = 0; i && u < product.inputs; u++)
				f[i].value[u] = random_below(8) ? !negate[i] : negate[i];
			f[i].n = product.n;
			f[i].inputs = product.inputs;
			memcpy(f[i].n_values, product.n_values, sizeof product.n_values);
			d[i] = diagram_of(&f[i]);
		}
		for (uint32_t u = 0; u < product.inputs; u++)
			product.value[u] = f[0].value[u] && !f[1].value[u] && f[2].value[u];
		CHECK_EQ_INT(symcf_bdd_conjoin((const symcf_diagram *const *)d, negate, 3, NULL, &b),
		             SYMCF_OK);
		symcf_diagram *result = frozen(b), *wanted = diagram_of(&product);
		check_values(&product, b, result);
		CHECK(same_arrays(result, wanted));
		for (uint32_t i = 0; i < 3; i++)
			symcf_diagram_free(d[i]);
		symcf_diagram_free(result);
		symcf_diagram_free(wanted);
		close_bdd(b);
	}
}

static void only_like_diagrams_are_conjoined(void)
{
	const function f = {.n = 2, .inputs = 6, .n_values = {2, 3}, .value = {0, 1, 1, 0, 1, 1}};
	const function g = {.n = 2, .inputs = 6, .n_values = {3, 2}, .value = {0, 1, 1, 0, 1, 1}};
	const uint32_t turned[] = {1, 0};
	symcf_diagram *d[] = {diagram_of(&f), diagram_of(&g)};
	const symcf_diagram *const *pair = (const symcf_diagram *const *)d;
	symcf_bdd *b = NULL;
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 0, NULL, &b), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 2, NULL, &b), SYMCF_INVALID);
	memcpy(d[1]->order, turned, sizeof turned); /* now the same values, in another order */
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 2, NULL, &b), SYMCF_INVALID);
	CHECK(!b);
	symcf_diagram_free(d[0]);
	symcf_diagram_free(d[1]);
}

/* ----------------------------------------------------------------- clauses ------------------- */

/* The first variable of each feature, as clauses count them. */
static void first_variables(const function *f, int32_t *first)
{
	int32_t next = 1;
	for (uint32_t j = 0; j < f->n; j++) {
		first[j] = next;
		next += (int32_t)f->n_values[j] - 1;
	}
}

static bool holds(const function *f, const uint32_t *x, int32_t literal)
{
	int32_t first[6];
	const int32_t variable = literal < 0 ? -literal : literal;
	uint32_t j = f->n - 1;
	first_variables(f, first);
	while (first[j] > variable || f->n_values[j] == 1)
		j--;
	return (x[j] == (uint32_t)(variable - first[j]) + 1) == (literal > 0);
}

/* ensures: whether all clauses hold at x; counts in used[c] where clause c alone fails. */
static bool satisfied(const function *f, const symcf_clauses *c, const uint32_t *x, uint32_t *used)
{
	uint64_t at = 0, failing = 0, last = 0;
	for (uint64_t i = 0; i < c->n_clauses; i++) {
		bool any = false;
		for (; c->literals[at]; at++)
			any |= holds(f, x, c->literals[at]);
		at++;
		failing += !any;
		last = any ? last : i;
	}
	CHECK_EQ_INT(at, c->length);
	if (failing == 1)
		used[last]++;
	return !failing;
}

static void prime_clauses_are_the_function_and_irredundant(void)
{
	for (uint32_t round = 0; round < 300; round++) {
		const function f = random_function();
		const bool negate = random_below(2);
		symcf_bdd *b = from_table(&f);
		symcf_clauses *c = NULL;
		uint32_t x[6], literals = 0, used[MOST_INPUTS] = {0};
		if (random_below(2)) {
			CHECK_EQ_INT(symcf_encode_primes(b, negate, 0, NULL, &c), SYMCF_OK);
			CHECK_EQ_INT(symcf_bdd_sift(b, NULL), SYMCF_OK); /* covers must follow */
			symcf_clauses_free(c);
		}
		CHECK_EQ_INT(symcf_encode_primes(b, negate, 0, NULL, &c), SYMCF_OK);
		for (uint32_t j = 0; j < f.n; j++)
			literals += f.n_values[j] - 1;
		CHECK_EQ_INT(c->n_vars, literals);
		for (uint32_t i = 0; i < f.inputs; i++) {
			decode(&f, i, x);
			CHECK_EQ_INT(satisfied(&f, c, x, used), f.value[i] != negate);
		}
		for (uint64_t i = 0; i < c->n_clauses; i++)
			CHECK(used[i] > 0);
		symcf_clauses_free(c);
		close_bdd(b);
	}
}

/* ------------------------------------------------------------------- files ------------------- */

static bool file_has(const char *path, const char *text)
{
	char line[1000];
	bool found = false;
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		found |= strstr(line, text) != NULL;
	if (file)
		fclose(file);
	return found;
}

static void variables_are_named_after_values(void)
{
	const function f = {
		.n = 3, .inputs = 12, .n_values = {2, 3, 2}, .value = {0, 1, 1, 0, 1, 1, 1}};
	static const char *const names[] = {"a", "b", "c"};
	char path[] = "/tmp/symcf_test_XXXXXX";
	symcf_bdd *b = from_table(&f);
	const int descriptor = mkstemp(path);
	REQUIRE(descriptor >= 0);
	close(descriptor);
	CHECK_EQ_INT(symcf_bdd_store(b, path, names), SYMCF_OK);
	CHECK(file_has(path, ".orderedvarnames a b=1 b=2 c\n"));
	remove(path);
	close_bdd(b);
}

/* ------------------------------------------------------- limits, failing memory -------------- */

/* Two diagrams whose conjunction is large: thresholds of unrelated weights. */
static void two_thresholds(symcf_diagram **d, uint32_t n)
{
	for (uint32_t i = 0; i < 2; i++) {
		symcf_threshold *t = large_threshold(n);
		d[i] = compile_natural(t);
		symcf_threshold_free(t);
	}
}

static void conjunctions_keep_to_their_limits(void)
{
	symcf_diagram *d[2];
	symcf_bdd *b = NULL;
	uint32_t calls;
	two_thresholds(d, 16);
	const symcf_diagram *const *pair = (const symcf_diagram *const *)d;
	symcf_control few = {.max_nodes = 1000}, tight = {.max_memory = 1000}, late = too_late(),
				  stop = interrupting(&calls), enough = {.max_nodes = 1000000};
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 2, &few, &b), SYMCF_LIMIT_NODES);
	CHECK_EQ_INT(few.nodes, 1000);
	CHECK_EQ_INT(few.level, 1);
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 2, &tight, &b), SYMCF_LIMIT_MEMORY);
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 2, &late, &b), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 2, &stop, &b), SYMCF_INTERRUPTED);
	CHECK(!b);
	CHECK_EQ_INT(symcf_bdd_conjoin(pair, NULL, 2, &enough, &b), SYMCF_OK);
	CHECK_EQ_INT(enough.level, 2);
	CHECK(enough.nodes > 1000);
	CHECK_EQ_INT(symcf_bdd_sift(b, NULL), SYMCF_OK); /* no limit is left behind */
	close_bdd(b);
	symcf_diagram_free(d[0]);
	symcf_diagram_free(d[1]);
}

static symcf_status everything(const void *data)
{
	static const char *const names[] = {"a", "b", "c"};
	const symcf_diagram *const pair[] = {data, data};
	const uint32_t n_values[] = {3, 2};
	symcf_bdd *b = NULL, *table = NULL;
	symcf_diagram *d = NULL;
	symcf_clauses *c = NULL;
	symcf_status status = symcf_bdd_conjoin(pair, NULL, 2, NULL, &b);
	if (!status)
		status = symcf_bdd_from_table(2, n_values, (const uint8_t *)"\x16", NULL, &table);
	if (!status)
		status = symcf_bdd_freeze(b, NULL, &d);
	if (!status)
		status = symcf_encode_primes(b, true, 0, NULL, &c);
	if (!status && (status = symcf_bdd_store(b, "/dev/null", names)) == SYMCF_UNSUPPORTED)
		status = SYMCF_OK;
	symcf_clauses_free(c);
	symcf_diagram_free(d);
	close_bdd(table);
	close_bdd(b);
	return status;
}

static void failing_memory_is_reported(void)
{
	const function f = {
		.n = 3, .inputs = 24, .n_values = {3, 4, 2}, .value = {0, 1, 1, 0, 1, 1, 1}};
	symcf_diagram *d = diagram_of(&f);
	CHECK(fail_each_allocation(everything, d) >= 25);
	symcf_diagram_free(d);
}

int main(void)
{
	RUN(random_functions_go_to_and_fro);
	RUN(threshold_functions_have_the_compilers_size);
	RUN(thawing_notices_what_is_not_reduced);
	RUN(tables_out_of_bounds_are_refused);
	RUN(sifting_keeps_the_function_and_the_blocks);
	RUN(sifting_brings_together_what_belongs_together);
	RUN(conjunctions_are_those_of_the_values);
	RUN(only_like_diagrams_are_conjoined);
	RUN(prime_clauses_are_the_function_and_irredundant);
	RUN(variables_are_named_after_values);
	RUN(conjunctions_keep_to_their_limits);
	RUN(failing_memory_is_reported);
	return check_report();
}
