/* test_paths.c: the cursor over paths: all of them, in order, in any portions. */
#include "../../src/core/paths.h"
#include "support.h"

/* Collects all paths by recursion, as the cursor should write them: values that lead elsewhere than
 * value 0 one by one, then the rest. */
typedef struct collection {
	const symcf_diagram *d;
	uint32_t sink;
	int32_t sign; /* -1: the clause that forbids the path */
	int32_t literals[1 << 16], prefix[64];
	uint64_t length, count;
} collection;

/* [X=1] of the feature that u tests, counted by hand. */
static int32_t first_variable(const symcf_diagram *d, uint32_t u)
{
	int32_t before = 0;
	for (uint32_t k = 0; k < d->n; k++)
		if (d->order[k] < d->order[d->level[u]])
			before += (int32_t)d->arity[k] - 1;
	return before + 1;
}

static void collect(collection *c, uint32_t u, uint32_t depth)
{
	if (u == c->sink) {
		memcpy(c->literals + c->length, c->prefix, depth * sizeof *c->prefix);
		c->literals[c->length + depth] = 0;
		c->length += depth + 1;
		c->count++;
	}
	if (u < 2)
		return;
	const int32_t first = first_variable(c->d, u);
	const uint32_t arity = c->d->arity[c->d->level[u]], *child = symcf_children(c->d, u);
	uint32_t last = depth;
	for (uint32_t v = 1; v < arity; v++)
		if (child[v] != child[0]) {
			c->prefix[depth] = c->sign * (first + (int32_t)v - 1);
			collect(c, child[v], depth + 1);
		}
	for (uint32_t v = 1; v < arity; v++)
		if (child[v] != child[0])
			c->prefix[last++] = -c->sign * (first + (int32_t)v - 1);
	collect(c, child[0], last);
}

static collection wanted; /* too large for the stack */

/* Reads all paths in portions of `capacity` and compares them. */
static void check_paths(const symcf_diagram *d, uint32_t sink, bool negated, uint64_t capacity)
{
	static int32_t buffer[1 << 16];
	symcf_paths *p = NULL;
	uint64_t at = 0, paths = 0, length, count;
	symcf_status status = SYMCF_MORE;
	wanted = (collection){.d = d, .sink = sink, .sign = negated ? -1 : 1};
	collect(&wanted, d->root, 0);
	CHECK_EQ_INT(symcf_paths_measure(d, sink, NULL, &count, &length), SYMCF_OK);
	CHECK(count == wanted.count && length == wanted.length);
	CHECK_EQ_INT(symcf_paths_open(d, sink, negated, &p), SYMCF_OK);
	REQUIRE(p);
	while (status == SYMCF_MORE) {
		/* an exact heap block, so that the sanitizer sees a write beyond the capacity */
		int32_t *portion = malloc(capacity * sizeof *portion);
		status = symcf_paths_next(p, NULL, portion, capacity, &length, &count);
		CHECK(length <= capacity && at + length <= wanted.length);
		CHECK(status == SYMCF_OK || length > 0);
		memcpy(buffer + at, portion, length * sizeof *portion);
		at += length;
		paths += count;
		free(portion);
	}
	CHECK_EQ_INT(status, SYMCF_OK);
	CHECK(at == wanted.length && paths == wanted.count);
	CHECK(!memcmp(buffer, wanted.literals, at * sizeof *buffer));
	CHECK_EQ_INT(symcf_paths_next(p, NULL, buffer, 1, &length, &count), SYMCF_OK);
	CHECK(length == 0 && count == 0); /* the end stays the end */
	symcf_paths_free(p);
}

/* The capacity that always makes progress. */
static uint32_t longest(const symcf_threshold *t)
{
	return t->value_offset[t->n] - t->n + 1;
}

static symcf_diagram *compile_anyhow(const symcf_threshold *t)
{
	uint32_t order[MOST_FEATURES];
	symcf_diagram *d = NULL;
	random_order(t->n, order);
	CHECK_EQ_INT(symcf_compile(t, order, NULL, &d), SYMCF_OK);
	return d;
}

static void all_paths_in_any_portions(void)
{
	for (uint32_t round = 0; round < 800; round++) {
		const uint32_t most_values = 2 + random_below(MOST_VALUES - 1);
		symcf_threshold *t = random_threshold(random_below(most_values == 2 ? 11 : 7), most_values,
		                                      round % 2 ? 3 : 1000);
		symcf_diagram *d = compile_anyhow(t);
		const uint32_t sink = random_below(2);
		check_paths(d, sink, random_below(2), longest(t));
		check_paths(d, sink, random_below(2), longest(t) + random_below(60));
		check_paths(d, sink, random_below(2), 1 << 14);
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
}

static void buffers_of_exactly_the_right_size(void)
{
	for (uint32_t round = 0; round < 200; round++) {
		const uint32_t most_values = round % 2 ? 2 : MOST_VALUES;
		symcf_threshold *t =
			random_threshold(1 + random_below(round % 2 ? 10 : 6), most_values, 50);
		symcf_diagram *d = compile_natural(t);
		uint64_t count, length;
		CHECK_EQ_INT(symcf_paths_measure(d, 0, NULL, &count, &length), SYMCF_OK);
		check_paths(d, 0, true, length > longest(t) ? length : longest(t));
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
}

static void too_small_a_buffer_makes_no_progress_and_no_harm(void)
{
	symcf_diagram *d = parity_diagram(5);
	symcf_paths *p = NULL;
	int32_t buffer[6];
	uint64_t length = 9, count = 9;
	CHECK_EQ_INT(symcf_paths_open(d, 1, false, &p), SYMCF_OK);
	CHECK_EQ_INT(symcf_paths_next(p, NULL, buffer, 0, &length, &count), SYMCF_MORE);
	CHECK_EQ_INT(symcf_paths_next(p, NULL, buffer, 5, &length, &count), SYMCF_MORE);
	CHECK(length == 0 && count == 0);
	CHECK_EQ_INT(symcf_paths_next(p, NULL, buffer, 6, &length, &count), SYMCF_MORE);
	CHECK(!memcmp(buffer, (const int32_t[]){1, 2, 3, 4, 5, 0}, sizeof buffer));
	symcf_paths_free(p);
	symcf_diagram_free(d);
}

static void numbers_beyond_any_memory_are_measured(void)
{
	uint64_t count = 0, length = 0;
	symcf_diagram *d = parity_diagram(56), *too_large = parity_diagram(100);
	CHECK_EQ_INT(symcf_paths_measure(d, 0, NULL, &count, &length), SYMCF_OK);
	CHECK(count == (uint64_t)1 << 55 && length == ((uint64_t)1 << 55) * 57);
	CHECK_EQ_INT(symcf_paths_measure(too_large, 0, NULL, &count, &length), SYMCF_OVERFLOW);
	symcf_diagram_free(d);
	symcf_diagram_free(too_large);
}

/* Three values, of which 0 and 2 lead to the same node: two branches, not three. */
static void values_that_lead_where_value_0_does_are_one_branch(void)
{
	const uint32_t value_offset[] = {0, 3, 5};
	const int64_t weight[] = {1, 0, 1, 0, 1};
	symcf_threshold *t = NULL;
	symcf_paths *p = NULL;
	int32_t buffer[16];
	uint64_t length, count, *limbs = NULL;
	size_t width;
	CHECK_EQ_INT(symcf_threshold_create(2, value_offset, weight, -1, &t), SYMCF_OK);
	symcf_diagram *d = compile_natural(t);
	CHECK_EQ_INT(symcf_paths_open(d, 1, false, &p), SYMCF_OK);
	CHECK_EQ_INT(symcf_paths_longest(p), 4);
	CHECK_EQ_INT(symcf_paths_next(p, NULL, buffer, 16, &length, &count), SYMCF_OK);
	CHECK(length == 5 && count == 2);
	CHECK(!memcmp(buffer, (const int32_t[]){1, 3, 0, -1, 0}, 5 * sizeof *buffer));
	CHECK_EQ_INT(symcf_diagram_count_paths(d, 1, NULL, &limbs, &width), SYMCF_OK);
	CHECK_EQ_INT(limbs[0], 2);
	symcf_free(limbs);
	symcf_paths_free(p);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

/* Features that no node tests may claim any number of values: numbers must not wrap around. */
static void too_many_variables_are_refused(void)
{
	const uint32_t order[] = {0, 1, 2}, level[] = {3, 3, 2}, child[] = {0, 1};
	const uint32_t arities[][3] = {
		{UINT32_MAX, 1, 2}, {1u << 31, 2, 2}, {1u << 30, 1u << 30, 2}, {INT32_MAX, 1, 2}};
	for (size_t i = 0; i < sizeof arities / sizeof *arities; i++) {
		const char *reason = NULL;
		symcf_diagram *d = NULL;
		symcf_paths *p = NULL;
		int32_t first[4];
		CHECK_EQ_INT(
			symcf_diagram_create(3, 3, 2, order, arities[i], level, child, 2, NULL, &reason, &d),
			SYMCF_OK);
		REQUIRE(d);
		CHECK_EQ_INT(symcf_first_variables(d, first), SYMCF_OVERFLOW);
		CHECK_EQ_INT(symcf_paths_open(d, 0, false, &p), SYMCF_OVERFLOW);
		CHECK(!p);
		symcf_diagram_free(d);
	}
}

/* Stopped by control again and again, nothing is lost and nothing comes twice. */
static void check_interrupted(const symcf_diagram *d)
{
	static int32_t buffer[1 << 16];
	symcf_paths *p = NULL;
	uint64_t at = 0, paths = 0, length, count;
	uint32_t stops = 0;
	symcf_status status = SYMCF_LIMIT_TIME;
	wanted = (collection){.d = d, .sink = 0, .sign = 1};
	collect(&wanted, d->root, 0);
	CHECK_EQ_INT(symcf_paths_open(d, 0, false, &p), SYMCF_OK);
	while (status == SYMCF_LIMIT_TIME) {
		symcf_control late = too_late();
		late.credit = random_below(100);
		status = symcf_paths_next(p, &late, buffer + at, (1 << 16) - at, &length, &count);
		at += length;
		paths += count;
		stops += status == SYMCF_LIMIT_TIME;
	}
	CHECK_EQ_INT(status, SYMCF_OK);
	CHECK(stops > 100);
	CHECK(at == wanted.length && paths == wanted.count);
	CHECK(!memcmp(buffer, wanted.literals, at * sizeof *buffer));
	symcf_paths_free(p);
}

static void after_an_interruption_it_goes_on(void)
{
	const uint32_t value_offset[] = {0, 4, 8, 12, 16, 20, 24};
	int64_t weight[24];
	symcf_threshold *t = NULL;
	for (uint32_t i = 0; i < 24; i++)
		weight[i] = random_between(0, 1000);
	CHECK_EQ_INT(symcf_threshold_create(6, value_offset, weight, -3000, &t), SYMCF_OK);
	symcf_diagram *binary = parity_diagram(12), *many = compile_natural(t);
	check_interrupted(binary);
	check_interrupted(many);
	symcf_diagram_free(binary);
	symcf_diagram_free(many);
	symcf_threshold_free(t);
}

/* Parity of three: paths from the root stop at the nodes of level 1, paths from there at the sink. */
static void walks_may_start_and_stop_inside(void)
{
	symcf_diagram *d = parity_diagram(3); /* root 6, level 1: 4 and 5, level 2: 2 and 3 */
	symcf_paths *p = NULL;
	int32_t stop[7] = {0}, buffer[16];
	uint64_t length, count;
	CHECK_EQ_INT(symcf_paths_open(d, 0, true, &p), SYMCF_OK);
	stop[4] = 40;
	stop[5] = 50;
	symcf_paths_stop_at(p, stop);
	symcf_paths_restart(p, 6, 0);
	CHECK_EQ_INT(symcf_paths_next(p, NULL, buffer, 16, &length, &count), SYMCF_OK);
	CHECK(length == 6 && count == 2);
	CHECK(!memcmp(buffer, (const int32_t[]){-1, 50, 0, 1, 40, 0}, 6 * sizeof *buffer));
	symcf_paths_restart(p, 4, -40);
	CHECK_EQ_INT(symcf_paths_next(p, NULL, buffer, 16, &length, &count), SYMCF_OK);
	CHECK(length == 8 && count == 2);
	CHECK(!memcmp(buffer, (const int32_t[]){-40, -2, -3, 0, -40, 2, 3, 0}, 8 * sizeof *buffer));
	symcf_paths_free(p);
	symcf_diagram_free(d);
}

static symcf_status open_and_measure(const void *d)
{
	symcf_paths *p = NULL;
	uint64_t count, length;
	symcf_status status = symcf_paths_open(d, 0, false, &p);
	CHECK((p == NULL) == (status != SYMCF_OK));
	symcf_paths_free(p);
	return status ? status : symcf_paths_measure(d, 0, NULL, &count, &length);
}

static void failing_memory_is_reported(void)
{
	symcf_threshold *t = random_threshold(5, MOST_VALUES, 50);
	symcf_diagram *d = parity_diagram(5), *many = compile_natural(t);
	CHECK_EQ_INT(fail_each_allocation(open_and_measure, d), 6);
	CHECK_EQ_INT(fail_each_allocation(open_and_measure, many), 6);
	symcf_diagram_free(many);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(all_paths_in_any_portions);
	RUN(buffers_of_exactly_the_right_size);
	RUN(too_small_a_buffer_makes_no_progress_and_no_harm);
	RUN(numbers_beyond_any_memory_are_measured);
	RUN(values_that_lead_where_value_0_does_are_one_branch);
	RUN(too_many_variables_are_refused);
	RUN(after_an_interruption_it_goes_on);
	RUN(walks_may_start_and_stop_inside);
	RUN(failing_memory_is_reported);
	return check_report();
}
