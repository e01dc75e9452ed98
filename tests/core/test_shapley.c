/* test_shapley.c: Shapley values of diagrams against the definition: all sets of known features. */
#include <math.h>

#include "support.h"

enum { MOST = 6 };

static symcf_threshold *function;
static uint32_t instance[MOST];
static double share[MOST * MOST_VALUES];

/* The probability that the decision is as for the instance if the features in `known` are. */
static double worth(uint32_t known)
{
	uint32_t y[MOST] = {0};
	double sum = 0;
	do {
		double weight = 1;
		for (uint32_t j = 0; j < function->n; j++) {
			if (known >> j & 1)
				weight *= y[j] == instance[j];
			else
				weight *= share[function->value_offset[j] + y[j]];
		}
		sum += weight * (decide(function, y) == decide(function, instance));
	} while (next_input(function, y));
	return sum;
}

static double value_of(uint32_t j)
{
	const uint32_t n = function->n;
	double value = 0;
	for (uint32_t s = 0; s < 1u << n; s++) {
		double weight = 1.0 / n; /* |s|! (n - |s| - 1)! / n! */
		if (s >> j & 1)
			continue;
		for (uint32_t i = 0; i < (uint32_t)__builtin_popcount(s); i++)
			weight *= (i + 1.0) / (n - 1.0 - i);
		value += weight * (worth(s | 1u << j) - worth(s));
	}
	return value;
}

static void draw(uint32_t n)
{
	function = random_threshold(n, random_below(2) ? 2 : 3, 5);
	for (uint32_t j = 0; j < n; j++) {
		double sum = 0;
		instance[j] = random_below(values_of(function, j));
		for (uint32_t i = function->value_offset[j]; i < function->value_offset[j + 1]; i++)
			sum += share[i] = random_below(5) ? 1.0 + random_below(9) : 0.0;
		for (uint32_t i = function->value_offset[j]; i < function->value_offset[j + 1]; i++)
			share[i] = sum > 0 ? share[i] / sum : 1.0 / values_of(function, j);
	}
}

static void values_by_definition(void)
{
	for (int round = 0; round < 300; round++) {
		double value[MOST];
		symcf_shapley *s = NULL;
		draw(1 + random_below(MOST));
		symcf_diagram *d = compile_natural(function);
		REQUIRE(symcf_shapley_open(d, function->value_offset, share, &s) == SYMCF_OK);
		for (int twice = 0; twice < 2; twice++)
			CHECK_EQ_INT(symcf_shapley_values(s, instance, decide(function, instance), NULL, value),
			             SYMCF_OK);
		for (uint32_t j = 0; j < function->n; j++)
			CHECK(fabs(value[j] - value_of(j)) < 1e-13);
		symcf_shapley_free(s);
		symcf_diagram_free(d);
		symcf_threshold_free(function);
	}
}

/* Of parity the first n - 1 features that become known tell nothing: each has the same share of the
 * half that the last one adds. Many points of time, in blocks. */
static void parity_of_many(void)
{
	for (uint32_t n = 1; n <= 150; n += 7) {
		uint32_t value_offset[160], x[160] = {0};
		double half[320], value[160], sum = 0;
		symcf_diagram *d = parity_diagram(n);
		symcf_shapley *s = NULL;
		for (uint32_t j = 0; j <= n; j++)
			value_offset[j] = 2 * j;
		for (uint32_t i = 0; i < 2 * n; i++)
			half[i] = 0.5;
		REQUIRE(symcf_shapley_open(d, value_offset, half, &s) == SYMCF_OK);
		const uint32_t sink = symcf_diagram_evaluate(d, x);
		CHECK_EQ_INT(symcf_shapley_values(s, x, sink, NULL, value), SYMCF_OK);
		for (uint32_t j = 0; j < n; j++) {
			CHECK(fabs(value[j] - 0.5 / n) < 1e-14);
			sum += value[j];
		}
		CHECK(fabs(sum - 0.5) < 1e-12);
		symcf_shapley_free(s);
		symcf_diagram_free(d);
	}
}

static symcf_status attempt(const void *data)
{
	symcf_shapley *s = NULL;
	const symcf_status status = symcf_shapley_open(data, function->value_offset, share, &s);
	symcf_shapley_free(s);
	return status;
}

static void failures_and_stops(void)
{
	uint32_t calls;
	double value[64], even[128];
	uint32_t x[64] = {0};
	symcf_shapley *s = NULL;
	draw(3);
	symcf_diagram *d = compile_natural(function);
	CHECK_EQ_INT(fail_each_allocation(attempt, d), 1);
	symcf_diagram_free(d);
	symcf_threshold_free(function);
	function = large_threshold(18);
	d = compile_natural(function);
	for (uint32_t i = 0; i < 36; i++)
		even[i] = 0.5;
	REQUIRE(symcf_shapley_open(d, function->value_offset, even, &s) == SYMCF_OK);
	symcf_control control = interrupting(&calls);
	CHECK_EQ_INT(symcf_shapley_values(s, x, 1, &control, value), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(symcf_shapley_values(s, x, 1, NULL, value), SYMCF_OK);
	symcf_shapley_free(s);
	symcf_diagram_free(d);
	symcf_threshold_free(function);
}

int main(void)
{
	RUN(values_by_definition);
	RUN(parity_of_many);
	RUN(failures_and_stops);
	return check_report();
}
