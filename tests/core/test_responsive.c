/* test_responsive.c: values that lead to a goal, against trying all inputs. */
#include "support.h"

enum { MOST = 5 };

static symcf_threshold *function;
static uint8_t allowed[MOST * MOST_VALUES], direction[MOST];
static uint32_t most_changes;

static bool may_become(uint32_t j, uint32_t old, uint32_t new)
{
	return new != old && allowed[function->value_offset[j] + new] &&
	       (direction[j] != 1 || new > old) && (direction[j] != 2 || new < old);
}

/* Is there an input with v that x may become and that is decided differently, in up to `most`? */
static bool leads(const uint32_t *x, uint32_t j, uint32_t v, uint32_t most)
{
	uint32_t y[MOST] = {0};
	do {
		uint32_t changed = 0;
		bool reached = y[j] == v;
		for (uint32_t i = 0; i < function->n; i++) {
			changed += y[i] != x[i];
			reached = reached && (y[i] == x[i] || may_become(i, x[i], y[i]));
		}
		if (reached && changed <= most && decide(function, y) != decide(function, x))
			return true;
	} while (next_input(function, y));
	return false;
}

static void draw(void)
{
	const uint32_t n = 1 + random_below(MOST);
	function = random_threshold(n, random_below(2) ? 2 : 4, 5);
	for (uint32_t i = 0; i < function->value_offset[n]; i++)
		allowed[i] = random_below(4) != 0;
	for (uint32_t j = 0; j < n; j++)
		direction[j] = (uint8_t)(random_below(2) ? random_below(3) : 0);
	most_changes = random_below(3) ? UINT32_MAX : random_below(n + 2);
}

static void check_row(const symcf_responsive_request *q, const uint32_t *x)
{
	const symcf_rows rows = {.data = x, .type = SYMCF_UINT32, .m = 1, .n = function->n};
	const uint8_t class = (uint8_t)decide(function, x);
	const uint32_t times = 3;
	uint64_t counts[3 * MOST] = {0};
	size_t row;
	uint32_t feature;
	REQUIRE(symcf_responsive(q, &rows, &class, NULL, &times, NULL, counts, &row, &feature) ==
	        SYMCF_OK);
	for (uint32_t j = 0; j < function->n; j++) {
		uint64_t wanted[3] = {0};
		for (uint32_t v = 0; v < values_of(function, j); v++) {
			if (!may_become(j, x[j], v))
				continue;
			wanted[0] += 3;
			wanted[1] += leads(x, j, v, most_changes ? 1 : 0) ? 3 : 0;
			wanted[2] += leads(x, j, v, most_changes) ? 3 : 0;
		}
		for (uint32_t i = 0; i < 3; i++)
			CHECK_EQ_INT(counts[3 * j + i], wanted[i]);
	}
}

/* Class 1 is left where the negated sum less 1 is at least 0. */
static symcf_threshold *turned(void)
{
	int64_t weight[MOST * MOST_VALUES];
	symcf_threshold *t = NULL;
	for (uint32_t i = 0; i < function->value_offset[function->n]; i++)
		weight[i] = -function->weight[i];
	CHECK_EQ_INT(symcf_threshold_create(function->n, function->value_offset, weight,
	                                    -function->bias - 1, &t),
	             SYMCF_OK);
	return t;
}

static void by(bool diagrams)
{
	for (int round = 0; round < 200; round++) {
		draw();
		symcf_threshold *down = turned();
		symcf_diagram *d = compile_natural(function);
		const symcf_threshold *up = function, *to_leave = down;
		const symcf_row_goal sums[] = {{.sums = &up, .n_sums = 1},
		                               {.sums = &to_leave, .n_sums = 1}};
		const symcf_row_goal sinks[] = {{.diagram = d, .sink = 1}, {.diagram = d, .sink = 0}};
		const symcf_responsive_request q = {.n = function->n,
		                                    .n_classes = 2,
		                                    .value_offset = function->value_offset,
		                                    .core_offset = function->value_offset,
		                                    .goals = diagrams ? sinks : sums,
		                                    .allowed = allowed,
		                                    .direction = direction,
		                                    .max_changes = most_changes};
		uint32_t x[MOST] = {0};
		do
			check_row(&q, x);
		while (next_input(function, x));
		symcf_diagram_free(d);
		symcf_threshold_free(down);
		symcf_threshold_free(function);
	}
}

static void by_sums(void)
{
	by(false);
}

static void by_diagrams(void)
{
	by(true);
}

static symcf_status attempt(const void *data)
{
	const uint32_t x[MOST] = {0};
	const uint8_t class = (uint8_t)decide(function, x);
	const symcf_rows rows = {.data = x, .type = SYMCF_UINT32, .m = 1, .n = function->n};
	uint64_t counts[3 * MOST] = {0};
	size_t row;
	uint32_t feature;
	return symcf_responsive(data, &rows, &class, NULL, NULL, NULL, counts, &row, &feature);
}

static void survives_failing_memory_and_bad_codes(void)
{
	draw();
	symcf_diagram *d = compile_natural(function);
	const symcf_row_goal sinks[] = {{.diagram = d, .sink = 1}, {.diagram = d, .sink = 0}};
	const symcf_responsive_request q = {.n = function->n,
	                                    .n_classes = 2,
	                                    .value_offset = function->value_offset,
	                                    .core_offset = function->value_offset,
	                                    .goals = sinks,
	                                    .max_changes = UINT32_MAX};
	CHECK(fail_each_allocation(attempt, &q) > 0);
	const uint32_t x[MOST] = {99};
	const uint8_t class = 0;
	const symcf_rows rows = {.data = x, .type = SYMCF_UINT32, .m = 1, .n = function->n};
	uint64_t counts[3 * MOST] = {0};
	size_t row = 7;
	uint32_t feature = 7;
	CHECK_EQ_INT(symcf_responsive(&q, &rows, &class, NULL, NULL, NULL, counts, &row, &feature),
	             SYMCF_INVALID);
	CHECK_EQ_INT(row, 0);
	CHECK_EQ_INT(feature, 0);
	symcf_diagram_free(d);
	symcf_threshold_free(function);
}

int main(void)
{
	RUN(by_sums);
	RUN(by_diagrams);
	RUN(survives_failing_memory_and_bad_codes);
	return check_report();
}
