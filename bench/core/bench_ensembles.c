/* All minimal change sets, and all reasons, of trees that vote: the search of ensemble_map.c. Trees as boosting makes
 * them: complete, of depth 3, over a few features each; a leaf says how far the values on its path speak for the class.
 * CPU milliseconds per row; columns, sets and reasons say how large the families are. */
#include "harness.h"

enum {
	TURNS = 3,
	SEEDS = 3,
	CODES = 8,
	DEPTH = 3,
	INNER = (1 << DEPTH) - 1,
	NODES = 2 * INNER + 1
};

typedef struct job {
	uint32_t n, n_trees;
	uint32_t *n_values, *x;
	symcf_ensemble *e;
	symcf_sets sets, reasons;
} job;

static uint32_t below(uint64_t *state, uint32_t most)
{
	return (uint32_t)(bench_uniform(state) * most);
}

static void make_trees(job *j, uint64_t seed)
{
	uint64_t state = seed << 32 | j->n;
	const uint64_t n_nodes = (uint64_t)j->n_trees * NODES;
	static uint8_t cuts[CODES * CODES];
	uint64_t *start = bench_allocate((j->n_trees + 1) * sizeof *start);
	int32_t *feature = bench_allocate(n_nodes * sizeof *feature);
	int32_t *left = bench_allocate(n_nodes * sizeof *left);
	int32_t *right = bench_allocate(n_nodes * sizeof *right);
	int64_t *left_start = bench_allocate((n_nodes + 1) * sizeof *left_start);
	int64_t *scores = bench_allocate(2 * n_nodes * sizeof *scores);
	double *weight = bench_allocate(j->n * sizeof *weight);
	const char *reason = NULL;
	for (uint32_t i = 0; i < CODES * CODES; i++)
		cuts[i] = i % CODES < i / CODES;
	for (uint32_t f = 0; f < j->n; f++)
		weight[f] = bench_uniform(&state) * bench_uniform(&state) + 0.05;
	start[0] = 0;
	for (uint32_t t = 0; t < j->n_trees; t++) {
		double gathered[NODES] = {0};
		start[t + 1] = (uint64_t)(t + 1) * NODES;
		for (uint32_t i = 0; i < NODES; i++) {
			const uint64_t u = start[t] + i;
			const bool inner = i < INNER;
			/* the first features stand in more trees, as important ones do */
			const double place = bench_uniform(&state) * (0.3 + 0.7 * bench_uniform(&state));
			feature[u] = inner ? (int32_t)(place * j->n) : -1;
			left[u] = (int32_t)(2 * i + 1);
			right[u] = (int32_t)(2 * i + 2);
			left_start[u] = inner ? (1 + below(&state, CODES - 1)) * CODES : 0;
			scores[2 * u] = 0;
			scores[2 * u + 1] = (int64_t)(1e6 * (gathered[i] + bench_uniform(&state) * 0.4 - 0.2));
			if (inner) {
				gathered[2 * i + 1] = gathered[i] - weight[feature[u]];
				gathered[2 * i + 2] = gathered[i] + weight[feature[u]];
			}
		}
	}
	left_start[n_nodes] = sizeof cuts;
	const symcf_trees trees = {j->n,  j->n_values, j->n_trees, start, feature, left,
	                           right, left_start,  cuts,       NULL,  0};
	bench_must(symcf_ensemble_create(&trees, 2, scores, true, NULL, &reason, &j->e));
	for (uint32_t f = 0; f < j->n; f++)
		j->x[f] = below(&state, CODES);
	free(start);
	free(feature);
	free(left);
	free(right);
	free(left_start);
	free(scores);
	free(weight);
}

static void enumerate(void *data)
{
	job *j = data;
	const symcf_query q = {.x = j->x, .max_changes = UINT32_MAX};
	symcf_ensemble_search *s = NULL;
	bench_must(symcf_ensemble_open(j->e, &q, 1, !symcf_ensemble_decide(j->e, j->x), &s));
	bench_must(symcf_ensemble_reasons(s, NULL, &j->reasons));
	bench_must(symcf_ensemble_next(s, NULL, UINT64_MAX, &j->sets));
	symcf_ensemble_close(s);
}

static void run(uint32_t n, uint32_t n_trees, uint64_t seed)
{
	uint32_t n_values[64], x[64];
	job j = {.n = n, .n_trees = n_trees, .n_values = n_values, .x = x};
	for (uint32_t f = 0; f < n; f++)
		n_values[f] = CODES;
	make_trees(&j, seed);
	enumerate(&j);
	const uint64_t sets = j.sets.n_sets, reasons = j.reasons.n_sets;
	bench_case c = {.work = enumerate, .data = &j};
	symcf_sets_clear(&j.sets);
	symcf_sets_clear(&j.reasons);
	bench_in_turns(&c, 1, TURNS);
	if (bench_json) {
		bench_open_line("ensembles", n, seed);
		printf(", \"sets\": %" PRIu64 ", \"reasons\": %" PRIu64, sets, reasons);
		bench_print_case("all", &c);
		bench_close_line();
	} else {
		printf("%4" PRIu32 " %6" PRIu64 " %9" PRIu64 " %9" PRIu64 " %10.2f (%.2f .. %.2f)\n", n,
		       seed, sets, reasons, 1e3 * c.median, 1e3 * c.least, 1e3 * c.most);
	}
	symcf_sets_free_arrays(&j.sets);
	symcf_sets_free_arrays(&j.reasons);
	symcf_ensemble_free(j.e);
}

int main(int argc, char **argv)
{
	/* features, trees, seed: families of hundreds to tens of thousands of sets */
	static const uint32_t cases[][3] = {{20, 60, 1}, {20, 60, 2}, {30, 40, 2}, {30, 40, 3},
	                                    {57, 28, 2}, {57, 28, 4}, {60, 32, 4}, {60, 32, 5}};
	bench_start(argc, argv);
	if (!bench_json)
		printf("   n   seed      sets   reasons         ms: median (least .. most) of %d\n", TURNS);
	for (uint32_t i = 0; i < (bench_single ? 1 : sizeof cases / sizeof *cases); i++)
		run(cases[i][0], cases[i][1], cases[i][2]);
	return 0;
}
