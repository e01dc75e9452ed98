/* Writing the no-cut CNF against the least it could cost: a memcpy of the same bytes.
 *
 *   walk     symcf_paths_open and _next into a buffer that is there and has been touched
 *   copy     memcpy of that buffer into another one, touched as well
 *   encode   symcf_encode_paths and _clauses_free: measured, allocated, written, freed
 *   fresh    malloc, memcpy, free
 *
 * `walk` against `copy` is what the walk costs; `encode` against `fresh` is what a caller pays, the
 * operating system's zeroing of new pages included on both sides.
 */
#include "harness.h"

enum { N = 25, SEEDS = 7, TURNS = 15 };

typedef struct job {
	const symcf_diagram *d;
	int32_t *buffer, *other;
	uint64_t length, n_clauses;
} job;

static void walk(void *data)
{
	job *j = data;
	symcf_paths *p = NULL;
	uint64_t length = 0, count = 0;
	bench_must(symcf_paths_open(j->d, 0, true, &p));
	bench_must(symcf_paths_next(p, NULL, j->buffer, j->length, &length, &count));
	symcf_paths_free(p);
	if (length != j->length || count != j->n_clauses)
		bench_must(SYMCF_INTERNAL);
}

/* The compiler must not find out that nobody reads the copy. */
static void keep(const void *memory)
{
	__asm__ volatile("" : : "r"(memory) : "memory");
}

static void copy(void *data)
{
	job *j = data;
	memcpy(j->other, j->buffer, j->length * sizeof *j->buffer);
	keep(j->other);
}

static void encode(void *data)
{
	job *j = data;
	symcf_clauses *c = NULL;
	bench_must(symcf_encode_paths(j->d, false, 0, NULL, &c));
	symcf_clauses_free(c);
}

static void fresh(void *data)
{
	job *j = data;
	int32_t *memory = bench_allocate(j->length * sizeof *memory);
	memcpy(memory, j->buffer, j->length * sizeof *memory);
	keep(memory);
	free(memory);
}

enum { WALK, COPY, ENCODE, FRESH, CASES };

static void print(uint64_t seed, const job *j, const bench_case *cases)
{
	const double warm = bench_ratio(&cases[WALK], &cases[COPY]);
	const double whole = bench_ratio(&cases[ENCODE], &cases[FRESH]);
	if (bench_json) {
		bench_open_line("paths", N, seed);
		printf(", \"nodes\": %" PRIu32 ", \"clauses\": %" PRIu64 ", \"bytes\": %" PRIu64,
		       j->d->n_nodes, j->n_clauses, j->length * sizeof *j->buffer);
		bench_print_case("walk", &cases[WALK]);
		bench_print_case("copy", &cases[COPY]);
		bench_print_case("encode", &cases[ENCODE]);
		bench_print_case("fresh", &cases[FRESH]);
		printf(", \"walk_to_copy\": %.4g, \"encode_to_fresh\": %.4g", warm, whole);
		bench_close_line();
	} else {
		const double unit = 1e9 / (double)j->n_clauses;
		printf("%5" PRIu64 " %9" PRIu64 " %6.1f %7.1f %7.1f %6.2f %8.1f %7.1f %6.2f\n", seed,
		       j->n_clauses, (double)j->length * sizeof *j->buffer / 1e6, cases[WALK].median * unit,
		       cases[COPY].median * unit, warm, cases[ENCODE].median * unit,
		       cases[FRESH].median * unit, whole);
	}
}

static void run_seed(uint64_t seed)
{
	symcf_threshold *t = bench_classifier(N, seed);
	symcf_diagram *d = bench_compile(t);
	job j = {.d = d};
	bench_must(symcf_paths_measure(d, 0, NULL, &j.n_clauses, &j.length));
	j.buffer = bench_allocate(j.length * sizeof *j.buffer);
	j.other = bench_allocate(j.length * sizeof *j.other);
	bench_case cases[CASES] = {{.work = walk, .data = &j},
	                           {.work = copy, .data = &j},
	                           {.work = encode, .data = &j},
	                           {.work = fresh, .data = &j}};
	bench_in_turns(cases, CASES, TURNS);
	print(seed, &j, cases);
	free(j.buffer);
	free(j.other);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
}

int main(int argc, char **argv)
{
	bench_start(argc, argv);
	if (!bench_json)
		printf("%d features, nanoseconds per clause, medians of %d\n"
		       " seed   clauses     MB    walk    copy  ratio   encode   fresh  ratio\n",
		       N, TURNS);
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run_seed(seed);
	return 0;
}
