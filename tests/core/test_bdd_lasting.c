/* test_bdd_lasting.c: inputs whose decision lasts, against changing everything that may change. */
#include "support.h"

enum { MOST = 5 };

static symcf_threshold *function;
static uint8_t allowed[MOST * MOST_VALUES], direction[MOST];

static bool may_become(uint32_t j, uint32_t old, uint32_t new)
{
	return allowed[function->value_offset[j] + new] && (direction[j] != 1 || new > old) &&
	       (direction[j] != 2 || new < old);
}

/* Does every input that x may become, in up to `changes` features, have the decision `wanted`? */
static bool lasts(const uint32_t *x, uint32_t wanted, uint32_t changes)
{
	uint32_t y[MOST] = {0};
	do {
		uint32_t changed = 0;
		bool reached = true;
		for (uint32_t j = 0; j < function->n; j++) {
			changed += y[j] != x[j];
			reached = reached && (y[j] == x[j] || may_become(j, x[j], y[j]));
		}
		if (reached && changed <= changes && decide(function, y) != wanted)
			return false;
	} while (next_input(function, y));
	return true;
}

static void draw(uint32_t n)
{
	function = random_threshold(n, random_below(2) ? 2 : 4, 5);
	for (uint32_t i = 0; i < function->value_offset[n]; i++)
		allowed[i] = random_below(4) != 0;
	for (uint32_t j = 0; j < n; j++)
		direction[j] = (uint8_t)(random_below(2) ? random_below(3) : 0);
}

static symcf_status last(const symcf_diagram *d, bool negate, bool any_number,
                         symcf_control *control, symcf_diagram **out)
{
	symcf_bdd *b = NULL;
	symcf_status status = symcf_bdd_lasting(d, negate, function->value_offset, allowed, direction,
	                                        any_number, control, &b);
	if (!status)
		status = symcf_bdd_freeze(b, control, out);
	CHECK_EQ_INT(symcf_bdd_free(b), 0);
	return status;
}

static void check_inputs(const symcf_diagram *d, uint32_t wanted, uint32_t changes)
{
	const char *reason = NULL;
	uint32_t x[MOST] = {0};
	CHECK_EQ_INT(symcf_diagram_validate(d, NULL, &reason), SYMCF_OK);
	do
		CHECK_EQ_INT(symcf_diagram_evaluate(d, x), lasts(x, wanted, changes));
	while (next_input(function, x));
}

static void layer_by_layer(void)
{
	for (int round = 0; round < 150; round++) {
		draw(1 + random_below(MOST));
		const bool negate = random_below(2);
		symcf_diagram *d = compile_natural(function), *next = NULL;
		for (uint32_t changes = 1; changes <= function->n; changes++) {
			REQUIRE(last(d, negate && changes == 1, false, NULL, &next) == SYMCF_OK);
			check_inputs(next, !negate, changes);
			symcf_diagram_free(d);
			d = next;
		}
		symcf_diagram_free(d);
		symcf_threshold_free(function);
	}
}

static void all_at_once(void)
{
	for (int round = 0; round < 150; round++) {
		draw(1 + random_below(MOST));
		const bool negate = random_below(2);
		symcf_diagram *d = compile_natural(function), *next = NULL;
		REQUIRE(last(d, negate, true, NULL, &next) == SYMCF_OK);
		check_inputs(next, !negate, function->n);
		symcf_diagram_free(d);
		symcf_diagram_free(next);
		symcf_threshold_free(function);
	}
}

static symcf_status attempt(const void *data)
{
	symcf_diagram *out = NULL;
	const symcf_status status = last(data, false, false, NULL, &out);
	symcf_diagram_free(out);
	return status;
}

static void survives_failing_memory(void)
{
	draw(4);
	symcf_diagram *d = compile_natural(function);
	CHECK(fail_each_allocation(attempt, d) > 3);
	symcf_diagram_free(d);
	symcf_threshold_free(function);
}

static void stops(void)
{
	symcf_control late = too_late(), few = {.max_nodes = 10};
	symcf_bdd *b = NULL;
	symcf_threshold *t = large_threshold(20);
	symcf_diagram *d = compile_natural(t);
	CHECK_EQ_INT(symcf_bdd_lasting(d, false, t->value_offset, NULL, NULL, false, &late, &b),
	             SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_bdd_lasting(d, false, t->value_offset, NULL, NULL, false, &few, &b),
	             SYMCF_LIMIT_NODES);
	CHECK(b == NULL);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

int main(void)
{
	RUN(layer_by_layer);
	RUN(all_at_once);
	RUN(survives_failing_memory);
	RUN(stops);
	return check_report();
}
