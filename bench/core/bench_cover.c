/* How fast the cover engine lists, tallies, finds the cheapest, counts and bounds. Random
 * classifiers and instances as in the paper. Tables give medians over classifiers. */
#include "harness.h"

#include <math.h>

enum { LISTING_N = 25, LISTING_ROWS = 200, SEEDS = 11, TURNS = 7, BEST = 10 };

typedef struct job {
	symcf_threshold *t;
	uint32_t n_rows;
	uint32_t *rows; /* one after the other */
	int64_t *cost;  /* random, or NULL     */
	symcf_cover *e;
	symcf_sets sets, copy;
	uint64_t *limbs;
	size_t width;
} job;

static void make_rows(job *j, uint32_t n_rows, uint64_t seed)
{
	uint64_t state = ~seed;
	j->n_rows = n_rows;
	j->rows = bench_allocate((size_t)n_rows * j->t->n * sizeof *j->rows);
	bench_codes(&state, (size_t)n_rows * j->t->n, j->rows);
}

static symcf_query query(const job *j, uint32_t row)
{
	return (symcf_query){
		.x = j->rows + (size_t)row * j->t->n, .cost = j->cost, .max_changes = UINT32_MAX};
}

static void dispose(job *j)
{
	symcf_cover_free(j->e);
	symcf_sets_free_arrays(&j->sets);
	symcf_sets_free_arrays(&j->copy);
	symcf_free(j->limbs);
	symcf_threshold_free(j->t);
	free(j->rows);
	free(j->cost);
}

/* The median over seeds of what each seed gave. */
static double over_seeds(const double *values)
{
	return bench_median(values, bench_seeds(SEEDS), NULL, NULL);
}

/* ----------------------------------------------------------------- listing ------------------- */

enum { OPEN, RESET, TALLY, LIST, COPY, TASKS };

static void open_each(void *data)
{
	job *j = data;
	for (uint32_t i = 0; i < j->n_rows; i++) {
		const symcf_query q = query(j, i);
		symcf_cover *e = NULL;
		bench_must(symcf_cover_open(j->t, &q, &e));
		symcf_cover_free(e);
	}
}

static void reset_each(void *data)
{
	job *j = data;
	for (uint32_t i = 0; i < j->n_rows; i++) {
		const symcf_query q = query(j, i);
		bench_must(symcf_cover_reset(j->e, &q));
	}
}

static void tally_each(void *data)
{
	job *j = data;
	for (uint32_t i = 0; i < j->n_rows; i++) {
		const symcf_query q = query(j, i);
		uint64_t n_sets, n_features;
		bench_must(symcf_cover_reset(j->e, &q));
		bench_must(symcf_cover_tally(j->e, NULL, &n_sets, &n_features));
	}
}

static void list_each(void *data)
{
	job *j = data;
	symcf_sets_clear(&j->sets);
	for (uint32_t i = 0; i < j->n_rows; i++) {
		const symcf_query q = query(j, i);
		bench_must(symcf_cover_reset(j->e, &q));
		bench_must(symcf_cover_next(j->e, NULL, UINT64_MAX, &j->sets));
	}
}

static void copy_all(void *data)
{
	job *j = data;
	memcpy(j->copy.features, j->sets.features, j->sets.n_features * sizeof *j->sets.features);
	memcpy(j->copy.end, j->sets.end, j->sets.n_sets * sizeof *j->sets.end);
}

static void bench_listing(void)
{
	static const char *const name[TASKS] = {"open", "reset", "tally", "list", "copy"};
	double ns[TASKS][SEEDS], sets_a_row[SEEDS], features_a_set[SEEDS];
	for (unsigned s = 0; s < bench_seeds(SEEDS); s++) {
		job j = {.t = bench_classifier(LISTING_N, s + 1)};
		make_rows(&j, LISTING_ROWS, s + 1);
		const symcf_query q = query(&j, 0);
		bench_must(symcf_cover_open(j.t, &q, &j.e));
		list_each(&j);
		j.copy.features = bench_allocate(j.sets.n_features * sizeof *j.copy.features);
		j.copy.end = bench_allocate(j.sets.n_sets * sizeof *j.copy.end);
		bench_case cases[TASKS] = {{.work = open_each, .data = &j},
		                           {.work = reset_each, .data = &j},
		                           {.work = tally_each, .data = &j},
		                           {.work = list_each, .data = &j},
		                           {.work = copy_all, .data = &j}};
		bench_in_turns(cases, TASKS, TURNS);
		if (bench_json) {
			bench_open_line("cover_listing", LISTING_N, s + 1);
			printf(", \"rows\": %d, \"sets\": %" PRIu64 ", \"features\": %" PRIu64, LISTING_ROWS,
			       j.sets.n_sets, j.sets.n_features);
			for (unsigned i = 0; i < TASKS; i++)
				bench_print_case(name[i], &cases[i]);
			bench_close_line();
		}
		sets_a_row[s] = (double)j.sets.n_sets / LISTING_ROWS;
		features_a_set[s] = (double)j.sets.n_features / (double)j.sets.n_sets;
		for (unsigned i = 0; i < TASKS; i++)
			ns[i][s] = 1e9 * cases[i].median / (i <= RESET ? LISTING_ROWS : (double)j.sets.n_sets);
		dispose(&j);
	}
	if (bench_json)
		return;
	printf("listing, n = %d: %.0f sets per row, %.1f features per set\n", LISTING_N,
	       over_seeds(sets_a_row), over_seeds(features_a_set));
	printf("  open and free     %8.1f ns per row\n", over_seeds(ns[OPEN]));
	printf("  reset             %8.1f ns per row\n", over_seeds(ns[RESET]));
	printf("  reset and tally   %8.2f ns per set\n", over_seeds(ns[TALLY]));
	printf("  reset and list    %8.2f ns per set\n", over_seeds(ns[LIST]));
	printf("  memcpy of that    %8.2f ns per set\n", over_seeds(ns[COPY]));
}

/* --------------------------------------------------------------- the cheapest ---------------- */

static void find_best(void *data)
{
	job *j = data;
	const symcf_query q = query(j, 0);
	symcf_sets_clear(&j->sets);
	bench_must(symcf_cover_best(j->t, &q, BEST, NULL, &j->sets));
}

static void bench_best(uint32_t n)
{
	double unit[SEEDS], varied[SEEDS];
	for (unsigned s = 0; s < bench_seeds(SEEDS); s++) {
		uint64_t state = s + 1;
		job one = {.t = bench_classifier(n, s + 1)}, other = {.t = bench_classifier(n, s + 1)};
		make_rows(&one, 1, s + 1);
		make_rows(&other, 1, s + 1);
		other.cost = bench_allocate(n * sizeof *other.cost);
		for (uint32_t i = 0; i < n; i++)
			other.cost[i] = 1 + (int64_t)(bench_uniform(&state) * 1e9);
		bench_case cases[] = {{.work = find_best, .data = &one},
		                      {.work = find_best, .data = &other}};
		bench_in_turns(cases, 2, TURNS);
		if (bench_json) {
			bench_open_line("cover_best", n, s + 1);
			printf(", \"k\": %d", BEST);
			bench_print_case("unit_costs", &cases[0]);
			bench_print_case("random_costs", &cases[1]);
			bench_close_line();
		}
		unit[s] = 1e3 * cases[0].median;
		varied[s] = 1e3 * cases[1].median;
		dispose(&one);
		dispose(&other);
	}
	if (!bench_json)
		printf("  n = %5u   unit costs %8.3f   random costs %8.3f\n", n, over_seeds(unit),
		       over_seeds(varied));
}

/* -------------------------------------------------------- counting and bounding -------------- */

static double to_double(const uint64_t *limbs, size_t width)
{
	double value = 0;
	while (width--)
		value = value * 0x1p64 + (double)limbs[width];
	return value;
}

/* The worst classifier and instance there is: every feature has a gain, half of their sum is
 * missing. */
static void point_one_way(job *j)
{
	int64_t score = 0, gains = 0;
	for (uint32_t i = 0; i < j->t->n; i++) {
		const int64_t *w = j->t->weight + 2 * (size_t)i;
		j->rows[i] = w[1] < w[0];
		score += w[j->rows[i]];
		gains += w[!j->rows[i]] - w[j->rows[i]];
	}
	j->t->bias = -score - gains / 2;
}

static void count(void *data)
{
	job *j = data;
	const symcf_query q = query(j, 0);
	symcf_free(j->limbs);
	bench_must(symcf_cover_count(j->t, &q, NULL, &j->limbs, &j->width));
}

static void bench_count(uint32_t n)
{
	double ms[SEEDS], sets[SEEDS];
	for (unsigned s = 0; s < bench_seeds(SEEDS); s++) {
		job j = {.t = bench_classifier(n, s + 1)};
		make_rows(&j, 1, s + 1);
		point_one_way(&j);
		bench_case one = {.work = count, .data = &j};
		bench_in_turns(&one, 1, 1);
		ms[s] = 1e3 * one.median;
		sets[s] = to_double(j.limbs, j.width);
		if (bench_json) {
			bench_open_line("cover_count", n, s + 1);
			printf(", \"sets\": %.6g", sets[s]);
			bench_print_case("count", &one);
			bench_close_line();
		}
		dispose(&j);
	}
	if (!bench_json)
		printf("  n = %2u   %9.3f   sets %.3g\n", n, over_seeds(ms), over_seeds(sets));
}

static void bench_bounds(uint32_t n, uint64_t budget)
{
	const uint64_t seed = 1;
	job j = {.t = bench_classifier(n, seed)};
	make_rows(&j, 1, seed);
	point_one_way(&j);
	const symcf_query q = query(&j, 0);
	symcf_control control = {.max_nodes = budget};
	uint64_t *lower, *upper;
	size_t width;
	const double start = bench_clock();
	bench_must(symcf_cover_count_bounds(j.t, &q, &control, &lower, &upper, &width));
	const double seconds = bench_clock() - start;
	const double low = to_double(lower, width), high = to_double(upper, width);
	if (bench_json) {
		bench_open_line("cover_bounds", n, seed);
		printf(", \"entries\": %" PRIu64 ", \"lower\": %.6g, \"upper\": %.6g, \"seconds\": %.6g",
		       budget, low, high, seconds);
		bench_close_line();
	} else {
		printf("  n = %3u   %7.0f entries %9.1f ms   %.6g .. %.6g, quotient 1 + %.1e\n", n,
		       (double)budget, 1e3 * seconds, low, high, high / low - 1);
	}
	symcf_free(lower);
	symcf_free(upper);
	dispose(&j);
}

/* -------------------------------------------------------------------------------------------- */

static void heading(const char *text)
{
	if (!bench_json)
		puts(text);
}

int main(int argc, char **argv)
{
	static const uint32_t best_sizes[] = {25, 100, 1000, 10000}, bound_sizes[] = {100, 200, 500};
	bench_start(argc, argv);
	bench_listing();
	heading("the 10 cheapest, ms");
	for (size_t i = 0; i < sizeof best_sizes / sizeof *best_sizes; i++)
		bench_best(best_sizes[i]);
	heading("exact count, ms, every feature with a gain");
	for (uint32_t n = 25; n <= (bench_single ? 30 : 45); n += 5)
		bench_count(n);
	heading("bounds where exact counting exceeds the same budget");
	for (size_t i = 0; i < sizeof bound_sizes / sizeof *bound_sizes && !bench_single; i++)
		for (uint64_t budget = 20000; budget <= 200000; budget *= 10)
			bench_bounds(bound_sizes[i], budget);
	return 0;
}
