/* What a node of a diagram costs: threshold function -> frozen diagram, and the same with the twin
 * in CUDD, for random classifiers from 25 to 40 features. What should be seen is a flat line: the
 * merges are sequential, so that a node of a diagram 200 times as large costs about the same.
 *
 * The sizes take turns within a seed: their ratio is the figure that matters. Memory is kept from
 * turn to turn; otherwise the small sizes measure whether malloc gave pages back to the system, and
 * all sizes what the system takes for new ones, which is more than what CUDD takes for a node.
 */
#include "harness.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { SIZES = 4, SEEDS = 7, TURNS = 5 };

static const uint32_t sizes[SIZES] = {25, 30, 35, 40};

static void keep_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	mallopt(M_TOP_PAD, 64 << 20);
#endif
}

typedef struct job {
	symcf_threshold *t;
	symcf_diagram *d;
	symcf_bdd *b;
} job;

static void compile(void *data)
{
	job *j = data;
	j->d = bench_compile(j->t);
}

static void compile_and_thaw(void *data)
{
	job *j = data;
	j->d = bench_compile(j->t);
	bench_must(symcf_bdd_thaw(j->d, NULL, &j->b));
}

static void dispose(void *data)
{
	job *j = data;
	if (symcf_bdd_free(j->b))
		bench_must(SYMCF_INTERNAL);
	symcf_diagram_free(j->d);
	j->b = NULL;
	j->d = NULL;
}

static uint32_t count_nodes(const symcf_threshold *t)
{
	symcf_diagram *d = bench_compile(t);
	const uint32_t nodes = d->n_nodes;
	symcf_diagram_free(d);
	return nodes;
}

static void print(uint32_t n, uint64_t seed, uint32_t nodes, const bench_case *plain,
                  const bench_case *cudd)
{
	if (bench_json) {
		bench_open_line("compile", n, seed);
		printf(", \"nodes\": %" PRIu32, nodes);
		bench_print_case("compile", plain);
		bench_print_case("compile_and_cudd", cudd);
		bench_close_line();
	} else {
		const double unit = 1e9 / nodes;
		printf("%5" PRIu32 " %5" PRIu64 " %9" PRIu32
		       " %9.0f (%4.0f .. %4.0f) %9.0f (%4.0f .. %4.0f)\n",
		       n, seed, nodes, plain->median * unit, plain->least * unit, plain->most * unit,
		       cudd->median * unit, cudd->least * unit, cudd->most * unit);
	}
}

static void run_seed(uint64_t seed)
{
	job jobs[SIZES] = {0};
	bench_case cases[2 * SIZES];
	for (unsigned i = 0; i < SIZES; i++) {
		job *j = &jobs[i];
		j->t = bench_classifier(sizes[i], seed);
		cases[2 * i] = (bench_case){.work = compile, .data = j, .undo = dispose};
		cases[2 * i + 1] = (bench_case){.work = compile_and_thaw, .data = j, .undo = dispose};
	}
	bench_in_turns(cases, 2 * SIZES, TURNS);
	for (unsigned i = 0; i < SIZES; i++) {
		print(sizes[i], seed, count_nodes(jobs[i].t), &cases[2 * i], &cases[2 * i + 1]);
		symcf_threshold_free(jobs[i].t);
	}
}

int main(int argc, char **argv)
{
	bench_start(argc, argv);
	keep_memory();
	if (!bench_json)
		printf("nanoseconds per node: median (least .. most) of %d\n"
		       "    n  seed     nodes              compile     compile and CUDD's twin\n",
		       TURNS);
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run_seed(seed);
	return 0;
}
