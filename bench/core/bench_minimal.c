/* The minimal engine in numbers, of processor time. Three tables:
 *
 *   random naive Bayes classifiers (tables uniform, threshold 0.5), in influence order and then in
 *   natural order, which leaves the engine more to do; microseconds an instance:
 *     open    a new engine, and the family of all minimal change sets
 *     reset   the same for a further instance of the same classifier
 *     list    write all sets;  best  the ten first;  all  every set, ranked
 *
 *   majority-like functions, whose change sets nobody could list; milliseconds:
 *     open    as above;  count  the sets;  best  the 1,000 first;  sample  1,000 sets
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../src/core/symcf.h"

static uint64_t random_state = 1;

static uint64_t random_bits(void *data)
{
	(void)data;
	uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

static double random_uniform(void)
{
	return ((double)(random_bits(NULL) >> 11) + 0.5) * 0x1p-53;
}

static void must(symcf_status status)
{
	if (status != SYMCF_OK) {
		fprintf(stderr, "%s\n", symcf_status_text(status));
		exit(1);
	}
}

/* Processor seconds since *since, which moves on to now. */
static double lap(clock_t *since)
{
	const clock_t now = clock();
	const double seconds = (double)(now - *since) / CLOCKS_PER_SEC;
	*since = now;
	return seconds;
}

enum { MAX_N = 400 };

static uint32_t value_offset[MAX_N + 1];

static symcf_diagram *compile(const symcf_threshold *t, bool by_influence)
{
	uint32_t order[MAX_N];
	symcf_diagram *d = NULL;
	for (uint32_t j = 0; j < t->n; j++)
		order[j] = j;
	if (by_influence)
		must(symcf_threshold_influence_order(t, order));
	must(symcf_compile(t, order, NULL, &d));
	return d;
}

static symcf_diagram *random_bayes(uint32_t n, bool by_influence)
{
	double p1[2 * MAX_N], p0[2 * MAX_N];
	symcf_bayes_fault fault;
	symcf_threshold *t = NULL;
	for (uint32_t j = 0; j < n; j++) {
		p1[2 * j] = 1 - (p1[2 * j + 1] = random_uniform());
		p0[2 * j] = 1 - (p0[2 * j + 1] = random_uniform());
	}
	const double prior = random_uniform();
	must(symcf_threshold_from_bayes(n, value_offset, p1, p0, prior, 1 - prior, 0.5, true, &fault,
	                                &t));
	symcf_diagram *d = compile(t, by_influence);
	symcf_threshold_free(t);
	return d;
}

typedef struct totals {
	double open, reset, list, best, all;
	uint64_t sets, zdd_nodes;
} totals;

static void time_instance(const symcf_diagram *d, symcf_minimal *kept, totals *sum)
{
	uint32_t x[MAX_N];
	symcf_sets sets = {0};
	symcf_minimal *e = NULL;
	const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	for (uint32_t j = 0; j < d->n; j++)
		x[j] = (uint32_t)(random_bits(NULL) >> 63);
	const uint32_t sink = !symcf_diagram_evaluate(d, x);
	clock_t at = clock();
	must(symcf_minimal_open(d, value_offset, &q, sink, NULL, &e));
	sum->open += lap(&at);
	must(symcf_minimal_reset(kept, &q, sink, NULL));
	sum->reset += lap(&at);
	must(symcf_minimal_next(kept, NULL, UINT64_MAX, &sets));
	sum->list += lap(&at);
	sum->sets += sets.n_sets;
	symcf_sets_clear(&sets);
	lap(&at);
	must(symcf_minimal_best(kept, NULL, 10, NULL, &sets));
	sum->best += lap(&at);
	symcf_sets_clear(&sets);
	lap(&at);
	must(symcf_minimal_best(kept, NULL, UINT64_MAX, NULL, &sets));
	sum->all += lap(&at);
	sum->zdd_nodes += symcf_minimal_size(e);
	symcf_sets_free_arrays(&sets);
	symcf_minimal_free(e);
}

static void time_bayes(uint32_t n, bool by_influence)
{
	enum { CLASSIFIERS = 20, INSTANCES = 50 };
	const double each = CLASSIFIERS * INSTANCES;
	totals sum = {0};
	uint64_t nodes = 0;
	for (uint32_t i = 0; i < CLASSIFIERS; i++) {
		uint32_t x[MAX_N] = {0};
		symcf_minimal *kept = NULL;
		symcf_diagram *d = random_bayes(n, by_influence);
		const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
		must(symcf_minimal_open(d, value_offset, &q, 1, NULL, &kept));
		for (uint32_t k = 0; k < INSTANCES; k++)
			time_instance(d, kept, &sum);
		nodes += d->n_nodes;
		symcf_minimal_free(kept);
		symcf_diagram_free(d);
	}
	printf("%4u %10.0f %8.0f %8.0f %8.1f %8.1f %8.1f %8.1f %8.1f\n", n,
	       (double)nodes / CLASSIFIERS, (double)sum.sets / each, (double)sum.zdd_nodes / each,
	       1e6 * sum.open / each, 1e6 * sum.reset / each, 1e6 * sum.list / each,
	       1e6 * sum.best / each, 1e6 * sum.all / each);
}

/* Decimal digits of a number of limbs, roughly. */
static double digits(const uint64_t *limbs, size_t width)
{
	double log2_of = 0;
	for (size_t i = 0; i < width; i++)
		if (limbs[i])
			log2_of = log2((double)limbs[i]) + 64 * (double)i;
	return log2_of * 0.30103;
}

/* f = "at least half of the total weight", weights 1 .. most, from x = 0. */
static void time_majority(uint32_t n, int64_t most)
{
	int64_t weight[2 * MAX_N] = {0}, total = 0;
	uint32_t x[MAX_N] = {0};
	uint64_t *limbs = NULL;
	size_t width = 0;
	symcf_sets sets = {0};
	symcf_threshold *t = NULL;
	symcf_minimal *e = NULL;
	const symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	for (uint32_t j = 0; j < n; j++)
		total += weight[2 * j + 1] = 1 + (int64_t)(random_bits(NULL) >> 33) % most;
	must(symcf_threshold_create(n, value_offset, weight, -total / 2, &t));
	symcf_diagram *d = compile(t, true);
	clock_t at = clock();
	must(symcf_minimal_open(d, value_offset, &q, 1, NULL, &e));
	const double open = lap(&at);
	must(symcf_minimal_count(e, NULL, &limbs, &width));
	const double count = lap(&at);
	must(symcf_minimal_best(e, NULL, 1000, NULL, &sets));
	const double best = lap(&at);
	must(symcf_minimal_sample(e, 1000, random_bits, NULL, NULL, &sets));
	const double sample = lap(&at);
	printf("%4u %7d %10u %10.0f %10.1f %8.1f %8.2f %8.1f %8.1f\n", n, (int)most, d->n_nodes,
	       (double)symcf_minimal_size(e), digits(limbs, width), 1e3 * open, 1e3 * count,
	       1e3 * best, 1e3 * sample);
	symcf_free(limbs);
	symcf_sets_free_arrays(&sets);
	symcf_minimal_free(e);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

int main(void)
{
	static const uint32_t sizes[] = {16, 20, 25};
	for (uint32_t j = 0; j <= MAX_N; j++)
		value_offset[j] = 2 * j;
	for (int by_influence = 1; by_influence >= 0; by_influence--) {
		printf("naive Bayes, %s order, microseconds an instance\n",
		       by_influence ? "influence" : "natural");
		printf("   n      nodes     sets      zdd     open    reset     list     best      all\n");
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			time_bayes(sizes[i], by_influence);
		printf("\n");
	}
	printf("majority-like, weights 1 to w, influence order, milliseconds\n");
	printf("   n       w      nodes        zdd   log10(#)     open    count     best   sample\n");
	time_majority(50, 10);
	time_majority(100, 10);
	time_majority(200, 10);
	time_majority(400, 10);
	time_majority(40, 1000);
	time_majority(40, 1000000);
	return 0;
}
