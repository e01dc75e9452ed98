/* bench_cover.c: how fast the cover engine lists, tallies, finds the cheapest, counts and bounds.
 *
 * Random classifiers as in the paper: P(X_j=1 | Y) uniform for either class, prior uniform, random
 * instances. Times are medians over classifiers, each the best of a few runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/symcf.h"

enum { RUNS = 7 };

static uint64_t seed = 0x9E3779B97F4A7C15u;

static double uniform(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) * 0x1p-53;
}

typedef struct classifier {
	symcf_threshold t;
	uint32_t *rows; /* random instances, one after the other */
	int64_t *cost;  /* random ones */
} classifier;

static void *checked(void *memory)
{
	if (!memory) {
		fputs("out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void require(symcf_status status)
{
	if (status != SYMCF_OK) {
		fprintf(stderr, "%s\n", symcf_status_text(status));
		exit(1);
	}
}

static int64_t log_odds(double p1, double p0)
{
	return llround(log(p1 / p0) * 0x1p44);
}

static classifier make_classifier(uint32_t n, uint32_t n_rows)
{
	classifier c = {.t.n = n};
	c.t.value_offset = checked(calloc(n + 1, sizeof *c.t.value_offset));
	c.t.weight = checked(calloc(2 * (size_t)n, sizeof *c.t.weight));
	c.cost = checked(calloc(n, sizeof *c.cost));
	c.rows = checked(calloc((size_t)n * n_rows, sizeof *c.rows));
	for (uint32_t j = 0; j < n; j++) {
		const double p1 = uniform(), p0 = uniform();
		c.t.value_offset[j + 1] = 2 * j + 2;
		c.t.weight[2 * j] = log_odds(1 - p1, 1 - p0);
		c.t.weight[2 * j + 1] = log_odds(p1, p0);
		c.cost[j] = 1 + (int64_t)(uniform() * 1e9);
	}
	const double prior = uniform();
	c.t.bias = log_odds(prior, 1 - prior);
	for (size_t i = 0; i < (size_t)n * n_rows; i++)
		c.rows[i] = uniform() < 0.5;
	return c;
}

static void free_classifier(classifier *c)
{
	free(c->t.value_offset);
	free(c->t.weight);
	free(c->cost);
	free(c->rows);
}

static int compare_doubles(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return a < b ? -1 : a > b;
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof *values, compare_doubles);
	return values[count / 2];
}

/* ----------------------------------------------------------------- listing ------------------- */

typedef enum task { OPEN, RESET, TALLY, LIST, COPY, TASKS } task;

/* Seconds for all rows, best of RUNS. */
static double time_rows(const classifier *c, uint32_t n_rows, task work, symcf_sets *sets,
                        symcf_sets *copy)
{
	symcf_query q = {.x = c->rows, .max_changes = UINT32_MAX};
	symcf_cover *e;
	double best = INFINITY;
	require(symcf_cover_open(&c->t, &q, &e));
	for (int run = 0; run < RUNS; run++) {
		symcf_control control = {0};
		if (work == LIST)
			symcf_sets_clear(sets);
		const double start = symcf_clock();
		for (uint32_t i = 0; i < n_rows && work != COPY; i++) {
			uint64_t n_sets, n_features;
			q.x = c->rows + (size_t)i * c->t.n;
			if (work == OPEN) {
				symcf_cover *another;
				require(symcf_cover_open(&c->t, &q, &another));
				symcf_cover_free(another);
				continue;
			}
			require(symcf_cover_reset(e, &q));
			if (work == TALLY)
				require(symcf_cover_tally(e, &control, &n_sets, &n_features));
			if (work == LIST)
				require(symcf_cover_next(e, &control, UINT64_MAX, sets));
		}
		if (work == COPY) {
			memcpy(copy->features, sets->features, sets->n_features * sizeof *sets->features);
			memcpy(copy->end, sets->end, sets->n_sets * sizeof *sets->end);
		}
		best = fmin(best, symcf_clock() - start);
	}
	symcf_cover_free(e);
	return best;
}

static void bench_listing(uint32_t n)
{
	enum { CLASSIFIERS = 11, ROWS = 200 };
	double seconds[TASKS] = {0}, n_sets = 0, n_features = 0;
	for (int i = 0; i < CLASSIFIERS; i++) {
		classifier c = make_classifier(n, ROWS);
		symcf_sets sets = {0}, copy = {0};
		seconds[LIST] += time_rows(&c, ROWS, LIST, &sets, NULL);
		copy.features = checked(calloc(sets.n_features + 1, sizeof *copy.features));
		copy.end = checked(calloc(sets.n_sets + 1, sizeof *copy.end));
		for (task w = OPEN; w < TASKS; w++)
			if (w != LIST)
				seconds[w] += time_rows(&c, ROWS, w, &sets, &copy);
		n_sets += (double)sets.n_sets;
		n_features += (double)sets.n_features;
		free(copy.features);
		free(copy.end);
		symcf_sets_free_arrays(&sets);
		free_classifier(&c);
	}
	const double rows = CLASSIFIERS * ROWS;
	printf("listing, n = %u: %.0f sets a row, %.1f features a set\n", n, n_sets / rows,
	       n_features / n_sets);
	printf("  open and free     %8.1f ns a row\n", 1e9 * seconds[OPEN] / rows);
	printf("  reset             %8.1f ns a row\n", 1e9 * seconds[RESET] / rows);
	printf("  reset and tally   %8.2f ns a set\n", 1e9 * seconds[TALLY] / n_sets);
	printf("  reset and list    %8.2f ns a set\n", 1e9 * seconds[LIST] / n_sets);
	printf("  memcpy of that    %8.2f ns a set\n", 1e9 * seconds[COPY] / n_sets);
}

/* ---------------------------------------------------------------- the cheapest --------------- */

static double time_best(const classifier *c, const symcf_query *q, uint64_t k)
{
	double best = INFINITY;
	for (int run = 0; run < RUNS; run++) {
		symcf_sets sets = {0};
		const double start = symcf_clock();
		require(symcf_cover_best(&c->t, q, k, NULL, &sets));
		best = fmin(best, symcf_clock() - start);
		symcf_sets_free_arrays(&sets);
	}
	return best;
}

static void bench_best(void)
{
	enum { CLASSIFIERS = 21 };
	static const uint32_t sizes[] = {25, 100, 1000, 10000};
	puts("the 10 cheapest, ms (median, largest of 21)");
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		double unit[CLASSIFIERS], varied[CLASSIFIERS];
		for (int i = 0; i < CLASSIFIERS; i++) {
			classifier c = make_classifier(sizes[s], 1);
			symcf_query q = {.x = c.rows, .max_changes = UINT32_MAX};
			unit[i] = 1e3 * time_best(&c, &q, 10);
			q.cost = c.cost;
			varied[i] = 1e3 * time_best(&c, &q, 10);
			free_classifier(&c);
		}
		const double unit_median = median(unit, CLASSIFIERS);
		const double varied_median = median(varied, CLASSIFIERS);
		printf("  n = %5u   unit costs %8.3f %8.3f   random costs %8.3f %8.3f\n", sizes[s],
		       unit_median, unit[CLASSIFIERS - 1], varied_median, varied[CLASSIFIERS - 1]);
	}
}

/* ---------------------------------------------------------------- counting ------------------- */

static double to_double(const uint64_t *limbs, size_t width)
{
	double value = 0;
	while (width--)
		value = value * 0x1p64 + (double)limbs[width];
	return value;
}

/* Makes the instance the worst one: every feature has a gain, and half of their sum is missing. */
static void point_one_way(classifier *c)
{
	int64_t score = 0, gains = 0;
	for (uint32_t j = 0; j < c->t.n; j++) {
		const int64_t *w = c->t.weight + 2 * j;
		c->rows[j] = w[1] < w[0];
		score += w[c->rows[j]];
		gains += w[!c->rows[j]] - w[c->rows[j]];
	}
	c->t.bias = -score - gains / 2;
}

static void bench_count(void)
{
	enum { CLASSIFIERS = 21 };
	puts("exact count, ms (median, largest of 21), every feature with a gain");
	for (uint32_t n = 25; n <= 45; n += 5) {
		double ms[CLASSIFIERS], count[CLASSIFIERS];
		for (int i = 0; i < CLASSIFIERS; i++) {
			classifier c = make_classifier(n, 1);
			symcf_query q = {.x = c.rows, .max_changes = UINT32_MAX};
			point_one_way(&c);
			uint64_t *limbs;
			size_t width;
			const double start = symcf_clock();
			require(symcf_cover_count(&c.t, &q, NULL, &limbs, &width));
			ms[i] = 1e3 * (symcf_clock() - start);
			count[i] = to_double(limbs, width);
			symcf_free(limbs);
			free_classifier(&c);
		}
		const double middle = median(ms, CLASSIFIERS);
		printf("  n = %2u   %9.3f %9.3f   sets %.3g\n", n, middle, ms[CLASSIFIERS - 1],
		       median(count, CLASSIFIERS));
	}
}

static void bench_bounds(void)
{
	static const uint32_t sizes[] = {100, 200, 500};
	puts("bounds where exact counting exceeds the same budget");
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		for (uint64_t budget = 20000; budget <= 200000; budget *= 10) {
			seed = 7 + sizes[s];
			classifier c = make_classifier(sizes[s], 1);
			point_one_way(&c);
			const symcf_query q = {.x = c.rows, .max_changes = UINT32_MAX};
			symcf_control control = {.max_nodes = budget};
			uint64_t *lower, *upper;
			size_t width;
			const double start = symcf_clock();
			require(symcf_cover_count_bounds(&c.t, &q, &control, &lower, &upper, &width));
			const double ms = 1e3 * (symcf_clock() - start);
			const double low = to_double(lower, width), high = to_double(upper, width);
			printf("  n = %3u   %7.0f entries %9.1f ms   %.6g .. %.6g, quotient 1 + %.1e\n",
			       sizes[s], (double)budget, ms, low, high, high / low - 1);
			symcf_free(lower);
			symcf_free(upper);
			free_classifier(&c);
		}
	}
}

int main(void)
{
	bench_listing(25);
	bench_best();
	bench_count();
	bench_bounds();
	return 0;
}
