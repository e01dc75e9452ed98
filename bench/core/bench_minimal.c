/* The minimal engine in numbers. Three tables, medians over classifiers:
 *
 *   random naive Bayes classifiers as in the paper, in influence order and then in natural order,
 *   which leaves the engine more to do; microseconds per instance:
 *     open    a new engine, and the family of all minimal change sets
 *     reset   the same for a further instance of the same classifier
 *     list    reset, and write all sets;  best  the ten first;  all  every set, ranked
 *
 *   majority-like functions, whose change sets nobody could list; milliseconds:
 *     open    as above;  count  the sets;  best  the 1,000 first;  sample  1,000 sets
 */
#include "harness.h"

#include <math.h>

enum { INSTANCES = 50, SEEDS = 11, TURNS = 5, TEN = 10, THOUSAND = 1000 };

typedef struct job {
	symcf_threshold *t;
	symcf_diagram *d;
	uint32_t n_rows;
	uint32_t *rows; /* one after the other */
	symcf_minimal *kept;
	symcf_sets sets;
	uint64_t n_sets, zdd_nodes;
	uint64_t *limbs;
	size_t width;
} job;

static symcf_diagram *compile(const symcf_threshold *t, bool by_influence)
{
	if (by_influence)
		return bench_compile(t);
	uint32_t *order = bench_allocate(t->n * sizeof *order);
	symcf_diagram *d = NULL;
	for (uint32_t j = 0; j < t->n; j++)
		order[j] = j;
	bench_must(symcf_compile(t, order, NULL, &d));
	free(order);
	return d;
}

static symcf_query query(const job *j, uint32_t row)
{
	return (symcf_query){.x = j->rows + (size_t)row * j->t->n, .max_changes = UINT32_MAX};
}

static uint32_t wanted(const job *j, const symcf_query *q)
{
	return !symcf_diagram_evaluate(j->d, q->x);
}

static void dispose(job *j)
{
	symcf_minimal_free(j->kept);
	symcf_sets_free_arrays(&j->sets);
	symcf_free(j->limbs);
	symcf_diagram_free(j->d);
	symcf_threshold_free(j->t);
	free(j->rows);
}

/* ------------------------------------------------------------- random classifiers ------------ */

static void open_each(void *data)
{
	job *j = data;
	j->zdd_nodes = 0;
	for (uint32_t i = 0; i < j->n_rows; i++) {
		const symcf_query q = query(j, i);
		symcf_minimal *e = NULL;
		bench_must(symcf_minimal_open(j->d, j->t->value_offset, &q, wanted(j, &q), NULL, &e));
		j->zdd_nodes += symcf_minimal_size(e);
		symcf_minimal_free(e);
	}
}

/* Resets for each row and then asks for the first k sets; k = 0: for no set, UINT64_MAX: for all. */
static void rank_each(job *j, uint64_t k)
{
	for (uint32_t i = 0; i < j->n_rows; i++) {
		const symcf_query q = query(j, i);
		bench_must(symcf_minimal_reset(j->kept, &q, wanted(j, &q), NULL));
		symcf_sets_clear(&j->sets);
		if (k)
			bench_must(symcf_minimal_best(j->kept, NULL, k, NULL, &j->sets));
	}
}

static void reset_each(void *data)
{
	rank_each(data, 0);
}

static void list_each(void *data)
{
	job *j = data;
	j->n_sets = 0;
	for (uint32_t i = 0; i < j->n_rows; i++) {
		const symcf_query q = query(j, i);
		bench_must(symcf_minimal_reset(j->kept, &q, wanted(j, &q), NULL));
		symcf_sets_clear(&j->sets);
		bench_must(symcf_minimal_next(j->kept, NULL, UINT64_MAX, &j->sets));
		j->n_sets += j->sets.n_sets;
	}
}

static void best_each(void *data)
{
	rank_each(data, TEN);
}

static void all_each(void *data)
{
	rank_each(data, UINT64_MAX);
}

enum { OPEN, RESET, LIST, FEW, ALL, TASKS };

static void time_bayes(uint32_t n, bool by_influence)
{
	static const char *const name[TASKS] = {"open", "reset", "list", "best", "all"};
	double us[TASKS][SEEDS], nodes[SEEDS], sets[SEEDS], zdd[SEEDS];
	const unsigned seeds = bench_seeds(SEEDS);
	for (unsigned s = 0; s < seeds; s++) {
		uint64_t state = ~(uint64_t)s;
		job j = {.t = bench_classifier(n, s + 1), .n_rows = INSTANCES};
		j.d = compile(j.t, by_influence);
		j.rows = bench_allocate((size_t)INSTANCES * n * sizeof *j.rows);
		bench_codes(&state, (size_t)INSTANCES * n, j.rows);
		const symcf_query q = query(&j, 0);
		bench_must(symcf_minimal_open(j.d, j.t->value_offset, &q, wanted(&j, &q), NULL, &j.kept));
		bench_case cases[TASKS] = {{.work = open_each, .data = &j},
		                           {.work = reset_each, .data = &j},
		                           {.work = list_each, .data = &j},
		                           {.work = best_each, .data = &j},
		                           {.work = all_each, .data = &j}};
		bench_in_turns(cases, TASKS, TURNS);
		nodes[s] = j.d->n_nodes;
		sets[s] = (double)j.n_sets / INSTANCES;
		zdd[s] = (double)j.zdd_nodes / INSTANCES;
		for (unsigned i = 0; i < TASKS; i++)
			us[i][s] = 1e6 * cases[i].median / INSTANCES;
		if (bench_json) {
			bench_open_line(by_influence ? "minimal_influence" : "minimal_natural", n, s + 1);
			printf(", \"rows\": %d, \"nodes\": %.0f, \"sets\": %" PRIu64 ", \"zdd_nodes\": %.4g",
			       INSTANCES, nodes[s], j.n_sets, zdd[s]);
			for (unsigned i = 0; i < TASKS; i++)
				bench_print_case(name[i], &cases[i]);
			bench_close_line();
		}
		dispose(&j);
	}
	if (bench_json)
		return;
	printf("%4u %10.0f %8.0f %8.0f", n, bench_median(nodes, seeds, NULL, NULL),
	       bench_median(sets, seeds, NULL, NULL), bench_median(zdd, seeds, NULL, NULL));
	for (unsigned i = 0; i < TASKS; i++)
		printf(" %8.1f", bench_median(us[i], seeds, NULL, NULL));
	printf("\n");
}

/* -------------------------------------------------------------- majority-like ---------------- */

static void open_family(void *data)
{
	job *j = data;
	const symcf_query q = query(j, 0);
	symcf_minimal_free(j->kept);
	j->kept = NULL;
	bench_must(symcf_minimal_open(j->d, j->t->value_offset, &q, 1, NULL, &j->kept));
}

static void count(void *data)
{
	job *j = data;
	symcf_free(j->limbs);
	bench_must(symcf_minimal_count(j->kept, NULL, &j->limbs, &j->width));
}

static void best(void *data)
{
	job *j = data;
	symcf_sets_clear(&j->sets);
	bench_must(symcf_minimal_best(j->kept, NULL, THOUSAND, NULL, &j->sets));
}

static uint64_t random_bits(void *data)
{
	return (uint64_t)(bench_uniform(data) * 0x1p53) << 11 ^
	       (uint64_t)(bench_uniform(data) * 0x1p53);
}

static void sample(void *data)
{
	job *j = data;
	uint64_t state = 1;
	symcf_sets_clear(&j->sets);
	bench_must(symcf_minimal_sample(j->kept, THOUSAND, random_bits, &state, NULL, &j->sets));
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

/* "At least half of the total weight", weights 1 .. most. */
static symcf_threshold *majority(uint32_t n, int64_t most)
{
	uint64_t state = n;
	int64_t *weight = bench_allocate(2 * n * sizeof *weight), total = 0;
	uint32_t *value_offset = bench_allocate((n + 1) * sizeof *value_offset);
	symcf_threshold *t = NULL;
	for (uint32_t j = 0; j < n; j++) {
		value_offset[j] = 2 * j;
		weight[2 * j] = 0;
		total += weight[2 * j + 1] = 1 + (int64_t)(bench_uniform(&state) * (double)most);
	}
	value_offset[n] = 2 * n;
	bench_must(symcf_threshold_create(n, value_offset, weight, -total / 2, &t));
	free(weight);
	free(value_offset);
	return t;
}

static void time_majority(uint32_t n, int64_t most)
{
	job j = {.t = majority(n, most), .rows = bench_allocate(n * sizeof *j.rows)};
	memset(j.rows, 0, n * sizeof *j.rows);
	j.d = bench_compile(j.t);
	bench_case cases[] = {{.work = open_family, .data = &j},
	                      {.work = count, .data = &j},
	                      {.work = best, .data = &j},
	                      {.work = sample, .data = &j}};
	bench_in_turns(cases, 4, TURNS);
	const double log10_of = digits(j.limbs, j.width);
	if (bench_json) {
		bench_open_line("minimal_majority", n, (uint64_t)most);
		printf(", \"nodes\": %" PRIu32 ", \"zdd_nodes\": %" PRIu64 ", \"log10_sets\": %.4g",
		       j.d->n_nodes, symcf_minimal_size(j.kept), log10_of);
		bench_print_case("open", &cases[0]);
		bench_print_case("count", &cases[1]);
		bench_print_case("best", &cases[2]);
		bench_print_case("sample", &cases[3]);
		bench_close_line();
	} else {
		printf("%4u %7d %10u %10.0f %10.1f %8.1f %8.2f %8.1f %8.1f\n", n, (int)most, j.d->n_nodes,
		       (double)symcf_minimal_size(j.kept), log10_of, 1e3 * cases[0].median,
		       1e3 * cases[1].median, 1e3 * cases[2].median, 1e3 * cases[3].median);
	}
	dispose(&j);
}

/* -------------------------------------------------------------------------------------------- */

static void heading(const char *text, const char *columns)
{
	if (!bench_json)
		printf("%s\n%s\n", text, columns);
}

int main(int argc, char **argv)
{
	static const uint32_t sizes[] = {16, 20, 25};
	bench_start(argc, argv);
	for (int by_influence = 1; by_influence >= 0; by_influence--) {
		heading(by_influence ? "naive Bayes, influence order, microseconds per instance"
		                     : "naive Bayes, natural order, microseconds per instance",
		        "   n      nodes     sets      zdd     open    reset     list     best      all");
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			time_bayes(sizes[i], by_influence);
	}
	heading("majority-like, weights 1 to w, influence order, milliseconds",
	        "   n       w      nodes        zdd   log10(#)     open    count     best   sample");
	time_majority(50, 10);
	time_majority(100, 10);
	time_majority(200, 10);
	time_majority(400, 10);
	time_majority(40, 1000);
	time_majority(40, 1000000);
	return 0;
}
