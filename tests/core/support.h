/* support.h: what several test programs need: small functions, all inputs, failing memory,
 * and controls that stop when told. Include it after check.h. */
#ifndef SYMCF_TEST_SUPPORT_H
#define SYMCF_TEST_SUPPORT_H

#include <stdlib.h>

#include "../../src/core/memory.h"
#include "../../src/core/symcf.h"
#include "chance.h"
#include "check.h"

enum { MOST_FEATURES = 12, MOST_VALUES = 4 };

/* ---------------------------------------------------------- threshold functions -------------- */

/* Weights within +-range: few different ones make ties, redundant levels and constants. */
static inline symcf_threshold *random_threshold(uint32_t n, uint32_t most_values, int64_t range)
{
	uint32_t value_offset[MOST_FEATURES + 1] = {0};
	int64_t weight[MOST_FEATURES * MOST_VALUES];
	symcf_threshold *t = NULL;
	for (uint32_t j = 0; j < n; j++) {
		const uint32_t values = most_values == 2 ? 2 : 1 + random_below(most_values);
		value_offset[j + 1] = value_offset[j] + values;
	}
	for (uint32_t i = 0; i < value_offset[n]; i++)
		weight[i] = random_between(-range, range);
	CHECK_EQ_INT(symcf_threshold_create(n, value_offset, weight, random_between(-range, range), &t),
	             SYMCF_OK);
	return t;
}

static inline uint32_t values_of(const symcf_threshold *t, uint32_t j)
{
	return t->value_offset[j + 1] - t->value_offset[j];
}

/* The next input, the last feature changing fastest; false after the last. Start from zeros. */
static inline bool next_input(const symcf_threshold *t, uint32_t *x)
{
	for (uint32_t j = t->n; j-- > 0;) {
		if (++x[j] < values_of(t, j))
			return true;
		x[j] = 0;
	}
	return false;
}

static inline uint32_t decide(const symcf_threshold *t, const uint32_t *x)
{
	int64_t sum = t->bias;
	for (uint32_t j = 0; j < t->n; j++)
		sum += t->weight[t->value_offset[j] + x[j]];
	return sum >= 0;
}

static inline symcf_diagram *compile_natural(const symcf_threshold *t)
{
	uint32_t order[64];
	symcf_diagram *d = NULL;
	for (uint32_t j = 0; j < t->n; j++)
		order[j] = j;
	CHECK_EQ_INT(symcf_compile(t, order, NULL, &d), SYMCF_OK);
	return d;
}

/* Thousands of nodes: n binary features of many different weights. */
static inline symcf_threshold *large_threshold(uint32_t n)
{
	uint32_t value_offset[64] = {0};
	int64_t weight[128], total = 0;
	symcf_threshold *t = NULL;
	for (uint32_t j = 0; j < n; j++) {
		value_offset[j + 1] = 2 * (j + 1);
		weight[2 * j] = 0;
		weight[2 * j + 1] = random_between(1, (int64_t)1 << 40);
		total += weight[2 * j + 1];
	}
	CHECK_EQ_INT(symcf_threshold_create(n, value_offset, weight, -total / 2, &t), SYMCF_OK);
	return t;
}

/* Parity of n features: 2^(n-1) paths to each sink. */
static inline symcf_diagram *parity_diagram(uint32_t n)
{
	const uint32_t n_nodes = 2 * n + 1;
	uint32_t *order = calloc(n, sizeof *order), *arity = calloc(n, sizeof *arity);
	uint32_t *level = calloc(n_nodes, sizeof *level), *child = calloc(2 * n_nodes, sizeof *child);
	const char *reason = NULL;
	symcf_diagram *d = NULL;
	level[0] = level[1] = n;
	for (uint32_t k = 0; k < n; k++) {
		order[k] = k;
		arity[k] = 2;
	}
	for (uint32_t u = 2; u < n_nodes; u++) {
		const uint32_t even = (u - 2) / 2 * 2, odd = even + 1;
		level[u] = n - 1 - (u - 2) / 2;
		child[2 * (u - 2)] = u % 2 ? odd : even;
		child[2 * (u - 2) + 1] = u % 2 ? even : odd;
	}
	CHECK_EQ_INT(symcf_diagram_create(n, n_nodes, n_nodes - 1, order, arity, level, child,
	                                  2 * (n_nodes - 2), NULL, &reason, &d),
	             SYMCF_OK);
	free(order);
	free(arity);
	free(level);
	free(child);
	return d;
}

/* ------------------------------------------------------------- failing memory ---------------- */

/* Has the failure asked for been used up? Otherwise one of the next allocations fails. */
static inline bool failure_happened(uint64_t countdown)
{
	bool happened = true;
	for (uint64_t i = 0; i < countdown && happened; i++) {
		void *probe = symcf_allocate(1, 1);
		happened = probe != NULL;
		symcf_free(probe);
	}
	symcf_fail_allocation(0);
	return happened;
}

/* Calls `attempt` with its first, second, ... allocation failing until there is no such one; it
 * frees what it got. Anything but NO_MEMORY, or OK where memory was only nice to have, is wrong.
 * That nothing leaks is for the sanitizer and valgrind to see.
 * ensures: returns how many attempts failed. */
static inline uint32_t fail_each_allocation(symcf_status (*attempt)(const void *data),
                                            const void *data)
{
	uint32_t failures = 0;
	for (uint64_t countdown = 1;; countdown++) {
		symcf_fail_allocation(countdown);
		const symcf_status status = attempt(data);
		if (!failure_happened(countdown)) {
			CHECK_EQ_INT(status, SYMCF_OK);
			return failures;
		}
		CHECK(status == SYMCF_NO_MEMORY || status == SYMCF_OK);
		failures += status == SYMCF_NO_MEMORY;
	}
}

/* ------------------------------------------------------------------ stopping ----------------- */

static inline bool always(void *data)
{
	++*(uint32_t *)data;
	return true;
}

/* A control that says stop at the first poll; calls counts how often it was asked. */
static inline symcf_control interrupting(uint32_t *calls)
{
	*calls = 0;
	return (symcf_control){.interrupted = always, .data = calls};
}

static inline symcf_control too_late(void)
{
	return (symcf_control){.deadline = symcf_clock() - 1};
}

#endif
