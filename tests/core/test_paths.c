/* test_paths.c: the cursor over paths: all of them, in order, in any portions. */
#include "../../src/core/paths.h"
#include "support.h"

/* Collects all paths by recursion, value 1 first, as the cursor should write them. */
typedef struct collection {
	const symcf_diagram *d;
	uint32_t sink;
	int32_t sign; /* -1: the clause that forbids the path */
	int32_t literals[1 << 16], prefix[64];
	uint64_t length, count;
} collection;

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
	const int32_t variable = c->sign * ((int32_t)c->d->order[c->d->level[u]] + 1);
	c->prefix[depth] = variable;
	collect(c, symcf_child(c->d, u, 1), depth + 1);
	c->prefix[depth] = -variable;
	collect(c, symcf_child(c->d, u, 0), depth + 1);
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
	CHECK_EQ_INT(symcf_paths_measure(d, sink, &count, &length), SYMCF_OK);
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

static void all_paths_in_any_portions(void)
{
	for (uint32_t round = 0; round < 400; round++) {
		symcf_threshold *t = random_threshold(random_below(11), 2, round % 2 ? 3 : 1000);
		symcf_diagram *d = compile_natural(t);
		const uint32_t sink = random_below(2);
		check_paths(d, sink, random_below(2), t->n + 1);
		check_paths(d, sink, random_below(2), t->n + 1 + random_below(60));
		check_paths(d, sink, random_below(2), 1 << 14);
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
}

static void buffers_of_exactly_the_right_size(void)
{
	for (uint32_t round = 0; round < 200; round++) {
		symcf_threshold *t = random_threshold(1 + random_below(10), 2, 50);
		symcf_diagram *d = compile_natural(t);
		uint64_t count, length;
		CHECK_EQ_INT(symcf_paths_measure(d, 0, &count, &length), SYMCF_OK);
		check_paths(d, 0, true, length > t->n ? length : t->n + 1);
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
	CHECK_EQ_INT(symcf_paths_measure(d, 0, &count, &length), SYMCF_OK);
	CHECK(count == (uint64_t)1 << 55 && length == ((uint64_t)1 << 55) * 57);
	CHECK_EQ_INT(symcf_paths_measure(too_large, 0, &count, &length), SYMCF_OVERFLOW);
	symcf_diagram_free(d);
	symcf_diagram_free(too_large);
}

static void many_values_are_not_supported(void)
{
	const uint32_t value_offset[] = {0, 3};
	const int64_t weight[] = {-1, 0, 1};
	symcf_threshold *t = NULL;
	symcf_paths *p = NULL;
	CHECK_EQ_INT(symcf_threshold_create(1, value_offset, weight, 0, &t), SYMCF_OK);
	symcf_diagram *d = compile_natural(t);
	CHECK_EQ_INT(symcf_paths_open(d, 0, false, &p), SYMCF_UNSUPPORTED);
	CHECK(!p);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

/* Stopped by control again and again, nothing is lost and nothing comes twice. */
static void after_an_interruption_it_goes_on(void)
{
	static int32_t buffer[1 << 16];
	symcf_diagram *d = parity_diagram(12);
	symcf_paths *p = NULL;
	uint64_t at = 0, paths = 0, length, count;
	uint32_t stops = 0;
	symcf_status status = SYMCF_LIMIT_TIME;
	wanted = (collection){.d = d, .sink = 0, .sign = 1};
	collect(&wanted, d->root, 0);
	CHECK_EQ_INT(symcf_paths_open(d, 0, false, &p), SYMCF_OK);
	while (status == SYMCF_LIMIT_TIME) {
		symcf_control late = too_late();
		late.credit = random_below(300);
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
	symcf_diagram_free(d);
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
	return status ? status : symcf_paths_measure(d, 0, &count, &length);
}

static void failing_memory_is_reported(void)
{
	symcf_diagram *d = parity_diagram(5);
	CHECK_EQ_INT(fail_each_allocation(open_and_measure, d), 5);
	symcf_diagram_free(d);
}

int main(void)
{
	RUN(all_paths_in_any_portions);
	RUN(buffers_of_exactly_the_right_size);
	RUN(too_small_a_buffer_makes_no_progress_and_no_harm);
	RUN(numbers_beyond_any_memory_are_measured);
	RUN(many_values_are_not_supported);
	RUN(after_an_interruption_it_goes_on);
	RUN(walks_may_start_and_stop_inside);
	RUN(failing_memory_is_reported);
	return check_report();
}
