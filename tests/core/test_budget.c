/* test_budget.c: budgets of memory. Every engine of symcf.h works on an input that takes far more than 1 MB: within
 * a budget of 1 MB it says that memory ran out, the process does not grow, and nothing stays charged. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <sys/resource.h>

#include "support.h"

enum { BUDGET = 1 << 20, AMPLE = 4 << 20, WIDE = 36, RIVALS = 3, CODES = 32, TREE_FEATURES = 24 };

/* ------------------------------------------------------------------- the inputs -------------- */

static symcf_threshold *wide, *rivals[RIVALS]; /* hundreds of millions of minimal covers */
static symcf_diagram *large;                   /* more than a hundred thousand nodes     */
static symcf_bdd *large_bdd;
static symcf_ensemble *forest;
static symcf_trees trees;
static int64_t *leaf_scores;
static uint32_t natural[64], x[64], forest_offset[TREE_FEATURES + 1];

/* Complete trees of depth 6 over features of CODES values. */
static void grow_forest(uint32_t n_trees)
{
	enum { INNER = 63, NODES = 127 };
	static uint32_t n_values[TREE_FEATURES];
	static uint8_t cuts[CODES * CODES];
	const uint64_t n = (uint64_t)n_trees * NODES;
	uint64_t *start = calloc(n_trees + 1, sizeof *start);
	int32_t *feature = calloc(n, sizeof *feature), *left = calloc(n, sizeof *left),
			*right = calloc(n, sizeof *right);
	int64_t *left_start = calloc(n + 1, sizeof *left_start), *score = calloc(n, sizeof *score);
	for (uint32_t j = 0; j < TREE_FEATURES; j++) {
		n_values[j] = CODES;
		forest_offset[j + 1] = (j + 1) * CODES;
	}
	for (uint32_t cut = 0; cut < CODES; cut++)
		for (uint32_t code = 0; code < CODES; code++)
			cuts[cut * CODES + code] = code < cut;
	leaf_scores = calloc(2 * n, sizeof *leaf_scores);
	for (uint64_t u = 0; u < n; u++) {
		const uint32_t at = (uint32_t)(u % NODES);
		start[u / NODES + 1] = u + 1;
		feature[u] = at < INNER ? (int32_t)random_below(TREE_FEATURES) : -1;
		left[u] = (int32_t)(2 * at + 1);
		right[u] = (int32_t)(2 * at + 2);
		left_start[u] = at < INNER ? (1 + random_below(CODES - 1)) * CODES : 0;
		score[u] = leaf_scores[2 * u + 1] = random_between(-1000, 1000);
	}
	left_start[n] = sizeof cuts;
	trees = (symcf_trees){TREE_FEATURES, n_values,   n_trees, start, feature, left,
	                      right,         left_start, cuts,    score, 0};
}

static void make_inputs(void)
{
	const char *reason = NULL;
	for (uint32_t j = 0; j < 64; j++)
		natural[j] = j;
	wide = large_threshold(WIDE);
	for (uint32_t i = 0; i < RIVALS; i++)
		rivals[i] = large_threshold(WIDE);
	symcf_threshold *t = large_threshold(34);
	large = compile_natural(t);
	symcf_threshold_free(t);
	CHECK_EQ_INT(symcf_bdd_thaw(large, NULL, &large_bdd), SYMCF_OK);
	grow_forest(500);
	CHECK_EQ_INT(symcf_ensemble_create(&trees, 2, leaf_scores, true, NULL, &reason, &forest),
	             SYMCF_OK);
}

/* ------------------------------------------------------------------- the calls --------------- */

static symcf_query query = {.x = x, .max_changes = UINT32_MAX};
enum { MANY = 1000000 };

static symcf_status cover_next(symcf_control *control)
{
	symcf_cover *e = NULL;
	symcf_sets sets = {0};
	symcf_status status = symcf_cover_open(wide, &query, &e);
	if (!status)
		status = symcf_cover_next(e, control, UINT64_MAX, &sets);
	symcf_cover_free(e);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status cover_best(symcf_control *control)
{
	symcf_sets sets = {0};
	const symcf_status status = symcf_cover_best(wide, &query, MANY, control, &sets);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status symcf_cover_count_open(symcf_control *control)
{
	uint64_t *limbs = NULL;
	size_t width;
	const symcf_status status = symcf_cover_count(wide, &query, control, &limbs, &width);
	symcf_free(limbs);
	return status;
}

static uint64_t draw(void *data)
{
	(void)data;
	return (uint64_t)random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX);
}

static symcf_status cover_sample(symcf_control *control)
{
	symcf_sets sets = {0};
	const symcf_status status = symcf_cover_sample(wide, &query, MANY, draw, NULL, control, &sets);
	symcf_sets_free_arrays(&sets);
	return status;
}

static const uint32_t related[] = {0, 1};
static const uint8_t holds[] = {1, 1, 0, 1};
static const symcf_relation relation = {2, related, holds, 4};

static symcf_status within(symcf_control *control, uint64_t k)
{
	symcf_within *e = NULL;
	symcf_sets sets = {0};
	symcf_status status = symcf_within_open(wide, &relation, &query, control, &e);
	if (!status)
		status = k ? symcf_within_best(e, k, control, &sets)
		           : symcf_within_next(e, control, UINT64_MAX, &sets);
	symcf_within_free(e);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status within_next(symcf_control *control)
{
	return within(control, 0);
}

static symcf_status within_best(symcf_control *control)
{
	return within(control, MANY);
}

static const symcf_threshold *const *rivals_of(void)
{
	return (const symcf_threshold *const *)rivals;
}

static symcf_status several(symcf_control *control, uint64_t k)
{
	static const uint32_t other[] = {2, 5};
	static const symcf_relation second = {2, other, holds, 4};
	const symcf_relation *const both[] = {&relation, &second};
	symcf_related *e = NULL;
	symcf_sets sets = {0};
	symcf_status status =
		symcf_related_open(rivals_of(), RIVALS, true, both, 2, &query, control, &e);
	if (!status)
		status = k ? symcf_related_best(e, k, control, &sets)
		           : symcf_related_next(e, control, UINT64_MAX, &sets);
	symcf_related_free(e);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status related_next(symcf_control *control)
{
	return several(control, 0);
}

static symcf_status related_best(symcf_control *control)
{
	return several(control, MANY);
}

static symcf_status multiclass_next(symcf_control *control)
{
	symcf_multiclass_cover *e = NULL;
	symcf_sets sets = {0};
	symcf_status status = symcf_multiclass_cover_open(rivals_of(), RIVALS, &query, &e);
	if (!status)
		status = symcf_multiclass_cover_next(e, control, UINT64_MAX, &sets);
	symcf_multiclass_cover_free(e);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status multiclass_best(symcf_control *control)
{
	symcf_sets sets = {0};
	const symcf_status status =
		symcf_multiclass_cover_best(rivals_of(), RIVALS, &query, MANY, control, &sets);
	symcf_sets_free_arrays(&sets);
	return status;
}

/* One step for each feature: to 1. */
static symcf_moves one_step_each(uint32_t n)
{
	static uint32_t ones[64];
	for (uint32_t j = 0; j < 64; j++)
		ones[j] = 1;
	return (symcf_moves){n, x, natural, natural, ones, UINT32_MAX};
}

static symcf_status moves_cover(symcf_control *control, uint64_t k)
{
	static int64_t cost[64];
	const symcf_moves m = one_step_each(WIDE);
	symcf_moves_cover *e = NULL;
	symcf_sets sets = {0};
	for (uint32_t j = 0; j < 64; j++)
		cost[j] = 1;
	symcf_status status = symcf_moves_cover_open(rivals_of(), RIVALS, true, &m, cost, &e);
	if (!status)
		status = k ? symcf_moves_cover_best(e, k, control, &sets)
		           : symcf_moves_cover_next(e, control, UINT64_MAX, &sets);
	symcf_moves_cover_free(e);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status moves_cover_next(symcf_control *control)
{
	return moves_cover(control, 0);
}

static symcf_status moves_cover_best(symcf_control *control)
{
	return moves_cover(control, MANY);
}

static symcf_status moves_rows(symcf_control *control)
{
	static int64_t cost[WIDE];
	static uint32_t starts[WIDE + 1], ones[WIDE], own[WIDE];
	const symcf_moves m = one_step_each(WIDE);
	for (uint32_t j = 0; j <= WIDE; j++)
		starts[j] = j;
	for (uint32_t j = 0; j < WIDE; j++)
		ones[j] = 1;
	const symcf_moves_table table = {WIDE,         starts, m.x,  m.chain_start,
	                                 m.step_start, m.code, ones, cost};
	const symcf_moves_goal goal = {rivals_of(), RIVALS, true};
	const uint8_t first = 0;
	const symcf_moves_rows rows = {1, own, &goal, &first};
	const symcf_batch_request request = {.max_memory = UINT64_C(1) << 40,
	                                     .max_changes = UINT32_MAX};
	symcf_sets sets = {0};
	uint64_t n_sets;
	uint8_t row_status;
	const symcf_status status =
		symcf_moves_of_rows(&table, &rows, &request, control, &sets, &n_sets, &row_status);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status moves_diagram(symcf_control *control)
{
	const symcf_moves m = one_step_each(large->n);
	symcf_diagram *d = NULL;
	const symcf_status status = symcf_moves_diagram(large, &m, 1, control, &d);
	symcf_diagram_free(d);
	return status;
}

static const uint32_t *binary_offset(void)
{
	return wide->value_offset;
}

static symcf_status minimal_open(symcf_control *control)
{
	symcf_minimal *e = NULL;
	const symcf_status status = symcf_minimal_open(large, binary_offset(), &query, 1, control, &e);
	symcf_minimal_free(e);
	return status;
}

/* Of a small diagram with many change sets. */
static symcf_status minimal(symcf_control *control,
                            symcf_status (*ask)(symcf_minimal *e, symcf_control *control,
                                                symcf_sets *sets))
{
	static int64_t weight[2 * 25];
	for (uint32_t j = 0; j < 25; j++)
		weight[2 * j + 1] = 1;
	symcf_threshold *t = NULL; /* any 12 of 25: 5.2 million */
	symcf_minimal *e = NULL;
	symcf_sets sets = {0};
	symcf_diagram *d = NULL;
	symcf_status status = symcf_threshold_create(25, binary_offset(), weight, -12, &t);
	if (!status)
		status = symcf_compile(t, natural, control, &d);
	if (!status)
		status = symcf_minimal_open(d, binary_offset(), &query, 1, control, &e);
	CHECK_EQ_INT(status, SYMCF_OK);
	if (!status)
		status = ask(e, control, &sets);
	symcf_minimal_free(e);
	symcf_diagram_free(d);
	symcf_threshold_free(t);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status list_minimal(symcf_minimal *e, symcf_control *control, symcf_sets *sets)
{
	return symcf_minimal_next(e, control, UINT64_MAX, sets);
}

static symcf_status rank_minimal(symcf_minimal *e, symcf_control *control, symcf_sets *sets)
{
	return symcf_minimal_best(e, NULL, MANY, control, sets);
}

static symcf_status sample_minimal(symcf_minimal *e, symcf_control *control, symcf_sets *sets)
{
	return symcf_minimal_sample(e, MANY, draw, NULL, control, sets);
}

static symcf_status minimal_next(symcf_control *control)
{
	return minimal(control, list_minimal);
}

static symcf_status minimal_best(symcf_control *control)
{
	return minimal(control, rank_minimal);
}

static symcf_status minimal_sample(symcf_control *control)
{
	return minimal(control, sample_minimal);
}

static symcf_query tree_query = {.x = x, .max_changes = UINT32_MAX};

static symcf_status ensemble(symcf_control *control, int what)
{
	symcf_ensemble_search *s = NULL;
	symcf_sets sets = {0};
	const uint32_t sink = !symcf_ensemble_decide(forest, x);
	symcf_status status = symcf_ensemble_open(forest, &tree_query, 1, sink, &s);
	if (!status)
		status = what == 0   ? symcf_ensemble_next(s, control, UINT64_MAX, &sets)
		         : what == 1 ? symcf_ensemble_best(s, MANY, control, &sets)
		                     : symcf_ensemble_reasons(s, control, &sets);
	symcf_ensemble_close(s);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status ensemble_next(symcf_control *control)
{
	return ensemble(control, 0);
}

static symcf_status ensemble_best(symcf_control *control)
{
	return ensemble(control, 1);
}

static symcf_status ensemble_reasons(symcf_control *control)
{
	return ensemble(control, 2);
}

static symcf_status ensemble_find(symcf_control *control)
{
	bool found;
	uint32_t row[TREE_FEATURES];
	return symcf_ensemble_find(forest, &tree_query, 1, !symcf_ensemble_decide(forest, x), control,
	                           &found, row);
}

static symcf_status ensemble_choose(symcf_control *control)
{
	static int64_t cost[TREE_FEATURES * CODES];
	bool found;
	uint32_t codes[TREE_FEATURES];
	int64_t total;
	for (uint32_t i = 0; i < TREE_FEATURES * CODES; i++)
		cost[i] = i % CODES ? (int64_t)(i % CODES) : -1;
	return symcf_ensemble_choose(forest, &tree_query, 1, !symcf_ensemble_decide(forest, x), natural,
	                             TREE_FEATURES, cost, control, &found, codes, &total);
}

static symcf_status ensemble_create(symcf_control *control)
{
	symcf_ensemble *e = NULL;
	const char *reason = NULL;
	const symcf_status status =
		symcf_ensemble_create(&trees, 2, leaf_scores, true, control, &reason, &e);
	symcf_ensemble_free(e);
	return status;
}

static symcf_status compile_trees(symcf_control *control)
{
	symcf_diagram *d = NULL;
	const char *reason = NULL;
	const symcf_status status = symcf_compile_trees(&trees, natural, control, &reason, &d);
	symcf_diagram_free(d);
	return status;
}

static symcf_status compile_sums(symcf_control *control)
{
	symcf_diagram *d = NULL;
	const symcf_status status = symcf_compile(wide, natural, control, &d);
	symcf_diagram_free(d);
	return status;
}

static symcf_status choose_best(symcf_control *control)
{
	static int64_t cost[128];
	const symcf_threshold *one[] = {wide};
	const symcf_aim aim = {.t = one, .n_functions = 1};
	symcf_chooser *c = NULL;
	symcf_sets sets = {0};
	for (uint32_t i = 0; i < 128; i++)
		cost[i] = i % 2 ? 1 + (int64_t)i : -1;
	symcf_status status = symcf_chooser_open(&aim, WIDE, wide->value_offset, &c);
	if (!status) {
		const symcf_options options = {.cost = cost};
		symcf_chooser_reset(c, x, &options);
		status = symcf_choose_best(c, UINT32_MAX, MANY, control, &sets);
	}
	symcf_chooser_free(c);
	symcf_sets_free_arrays(&sets);
	return status;
}

static symcf_status shapley(symcf_control *control)
{
	static double share[128];
	double value[64];
	symcf_shapley *s = NULL;
	for (uint32_t i = 0; i < 128; i++)
		share[i] = 0.5;
	symcf_status status = symcf_shapley_open(large, binary_offset(), share, &s);
	if (!status)
		status = symcf_shapley_values(s, x, 1, control, value);
	symcf_shapley_free(s);
	return status;
}

static symcf_status free_clauses(symcf_status status, symcf_clauses *c)
{
	symcf_clauses_free(c);
	return status;
}

static symcf_status encode_paths(symcf_control *control)
{
	symcf_clauses *c = NULL;
	const symcf_status status = symcf_encode_paths(large, false, 0, control, &c);
	return free_clauses(status, c);
}

static symcf_status encode_nodes(symcf_control *control)
{
	symcf_clauses *c = NULL;
	const symcf_status status = symcf_encode_nodes(large, false, 0, control, &c);
	return free_clauses(status, c);
}

static symcf_status encode_cuts(symcf_control *control)
{
	symcf_clauses *c = NULL;
	const symcf_status status = symcf_encode_cuts(large, false, 2, 8, 0, control, &c);
	return free_clauses(status, c);
}

static symcf_status encode_primes(symcf_control *control)
{
	symcf_clauses *c = NULL;
	symcf_bdd *b = NULL;
	symcf_status status = symcf_bdd_thaw(large, control, &b);
	if (!status)
		status = symcf_encode_primes(b, false, 0, control, &c);
	symcf_bdd_free(b);
	return free_clauses(status, c);
}

static symcf_status bdd_compile(symcf_control *control)
{
	symcf_bdd *b = NULL;
	const symcf_status status = symcf_bdd_compile(wide, natural, control, &b);
	symcf_bdd_free(b);
	return status;
}

static symcf_status bdd_encode_paths(symcf_control *control)
{
	symcf_clauses *c = NULL;
	const symcf_status status = symcf_bdd_encode_paths(large_bdd, false, 0, control, &c);
	return free_clauses(status, c);
}

static symcf_status conjoin(symcf_control *control)
{
	const symcf_diagram *both[] = {large, large};
	symcf_bdd *b = NULL;
	const symcf_status status = symcf_bdd_conjoin(both, NULL, 2, control, &b);
	symcf_bdd_free(b);
	return status;
}

static symcf_status lasting(symcf_control *control)
{
	symcf_bdd *b = NULL;
	const symcf_status status =
		symcf_bdd_lasting(large, false, binary_offset(), NULL, NULL, true, control, &b);
	symcf_bdd_free(b);
	return status;
}

static symcf_status freeze(symcf_control *control)
{
	symcf_diagram *d = NULL;
	const symcf_status status = symcf_bdd_freeze(large_bdd, control, &d);
	symcf_diagram_free(d);
	return status;
}

static symcf_status count_models(symcf_control *control)
{
	uint64_t *limbs = NULL;
	size_t width;
	const symcf_status status = symcf_diagram_count_models(large, 1, control, &limbs, &width);
	symcf_free(limbs);
	return status;
}

static symcf_status paths(symcf_control *control)
{
	symcf_paths *p = NULL;
	const symcf_status status = symcf_paths_open(large, 0, true, &p);
	(void)control;
	symcf_paths_free(p);
	return status;
}

typedef struct batch_thread {
	symcf_batch *b;
	pthread_t thread;
	symcf_status status;
} batch_thread;

static void *work(void *data)
{
	batch_thread *t = data;
	symcf_control control = {0};
	t->status = symcf_batch_work(t->b, &control);
	return NULL;
}

/* On two threads of its own. The columns may be as large as they like: it is the budget that ends it. */
static symcf_status batch(const symcf_classifier *c, const uint32_t *offset, uint32_t n,
                          symcf_batch_request request)
{
	static const uint8_t codes[2 * 64];
	const symcf_rows rows = {.data = codes, .type = SYMCF_UINT8, .m = 1, .n = n};
	batch_thread threads[2] = {{0}};
	symcf_columns columns = {0};
	uint64_t bad_row;
	uint32_t bad_feature;
	request.max_changes = UINT32_MAX;
	request.max_memory = UINT64_C(1) << 30;
	request.target = -1;
	symcf_status status = symcf_batch_open(c, offset, &rows, &request, NULL, &threads[0].b);
	if (status)
		return status;
	threads[1].b = threads[0].b;
	for (int i = 0; i < 2; i++)
		CHECK_EQ_INT(pthread_create(&threads[i].thread, NULL, work, &threads[i]), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i].thread, NULL);
	status = symcf_batch_finish(threads[0].b, &columns, &bad_row, &bad_feature);
	symcf_columns_free(&columns);
	symcf_batch_free(threads[0].b);
	return status;
}

static symcf_status batch_cover(symcf_control *control)
{
	const symcf_classifier c = {.n_classes = 2, .t = wide};
	(void)control;
	return batch(&c, wide->value_offset, WIDE, (symcf_batch_request){.sorted = true});
}

static symcf_status batch_within(symcf_control *control)
{
	const symcf_classifier c = {.n_classes = 2, .t = wide};
	(void)control;
	return batch(&c, wide->value_offset, WIDE, (symcf_batch_request){.relation = &relation});
}

static symcf_status batch_within_sorted(symcf_control *control)
{
	const symcf_classifier c = {.n_classes = 2, .t = wide};
	(void)control;
	return batch(&c, wide->value_offset, WIDE,
	             (symcf_batch_request){.relation = &relation, .sorted = true});
}

static symcf_status batch_minimal(symcf_control *control)
{
	const symcf_diagram *one[] = {large};
	const symcf_classifier c = {.n_classes = 2, .diagrams = one};
	(void)control;
	return batch(&c, wide->value_offset, large->n, (symcf_batch_request){0});
}

static symcf_status batch_trees(symcf_control *control)
{
	const symcf_classifier c = {.n_classes = 2, .ensemble = forest};
	(void)control;
	return batch(&c, forest_offset, TREE_FEATURES, (symcf_batch_request){0});
}

static symcf_status cover_rows(symcf_control *control)
{
	static int64_t gain[WIDE];
	const int64_t deficit = -wide->bias;
	symcf_sets sets = {0};
	uint64_t n_sets;
	uint8_t row_status;
	for (uint32_t j = 0; j < WIDE; j++)
		gain[j] = wide->weight[2 * j + 1];
	const symcf_gains gains = {1, WIDE, 1, gain, &deficit};
	const symcf_batch_request request = {.max_memory = UINT64_C(1) << 40,
	                                     .max_changes = UINT32_MAX};
	const symcf_status status =
		symcf_cover_rows(&gains, &request, control, &sets, &n_sets, &row_status);
	symcf_sets_free_arrays(&sets);
	return status;
}

/* -------------------------------------------------------------------- the test --------------- */

static const struct {
	const char *name;
	symcf_status (*call)(symcf_control *control);
} CALLS[] = {
#define CALL(f) {#f, f}
	CALL(cover_next),
	CALL(cover_best),
	CALL(symcf_cover_count_open),
	CALL(cover_sample),
	CALL(within_next),
	CALL(within_best),
	CALL(related_next),
	CALL(related_best),
	CALL(multiclass_next),
	CALL(multiclass_best),
	CALL(moves_cover_next),
	CALL(moves_rows),
	CALL(moves_diagram),
	CALL(moves_cover_best),
	CALL(minimal_open),
	CALL(minimal_next),
	CALL(minimal_best),
	CALL(minimal_sample),
	CALL(ensemble_next),
	CALL(ensemble_best),
	CALL(ensemble_find),
	CALL(ensemble_reasons),
	CALL(ensemble_choose),
	CALL(ensemble_create),
	CALL(compile_trees),
	CALL(compile_sums),
	CALL(choose_best),
	CALL(shapley),
	CALL(encode_paths),
	CALL(encode_nodes),
	CALL(encode_cuts),
	CALL(encode_primes),
	CALL(conjoin),
	CALL(lasting),
	CALL(freeze),
	CALL(count_models),
	CALL(paths),
	CALL(batch_cover),
	CALL(batch_within),
	CALL(batch_within_sorted),
	CALL(batch_minimal),
	CALL(batch_trees),
	CALL(cover_rows),
	CALL(bdd_compile),
	CALL(bdd_encode_paths),
#undef CALL
};
enum { N_CALLS = sizeof CALLS / sizeof *CALLS };

/* ensures: the status, and the peak. */
static symcf_status run_within(uint64_t most, size_t i, uint64_t *peak)
{
	symcf_control control = {.deadline =
	                             symcf_clock() + 60}; /* guards against a search without end */
	symcf_budget *b = NULL;
	CHECK_EQ_INT(symcf_budget_create(most, &b), SYMCF_OK);
	CHECK(symcf_budget_enter(b) == NULL);
	const symcf_status status = CALLS[i].call(&control);
	CHECK_EQ_INT(symcf_budget_left(), most); /* nothing is left behind */
	CHECK(symcf_budget_enter(NULL) == b);
	*peak = symcf_budget_peak(b);
	symcf_budget_free(b);
	return status;
}

static long peak_kilobytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void a_budget_holds_in_every_engine(void)
{
	enum { CONSTANT = 12 << 10 }; /* kilobytes: of stacks, and of what malloc holds back */
	const long before = peak_kilobytes();
	uint64_t peak;
	for (size_t i = 0; i < N_CALLS; i++) {
		const symcf_status status = run_within(BUDGET, i, &peak);
		if (status != SYMCF_LIMIT_MEMORY || peak > BUDGET)
			fprintf(stderr, "%s: %s, %llu\n", CALLS[i].name, symcf_status_text(status),
			        (unsigned long long)peak);
		CHECK_EQ_INT(status, SYMCF_LIMIT_MEMORY);
		CHECK(peak <= BUDGET);
	}
	const long grown = peak_kilobytes() - before;
	(void)grown;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* both take memory */
	CHECK(grown < CONSTANT);
#endif
}

/* Otherwise the test above would show nothing. */
static void these_calls_take_more(void)
{
	for (size_t i = 0; i < N_CALLS; i++) {
		uint64_t peak;
		const symcf_status status = run_within(AMPLE, i, &peak);
		const bool more = status == SYMCF_LIMIT_MEMORY || peak > 2 * BUDGET;
		if (!more)
			fprintf(stderr, "%s: %s, %llu\n", CALLS[i].name, symcf_status_text(status),
			        (unsigned long long)peak);
		CHECK(more);
	}
}

/* Memory ends before the worker has a row to blame, as when another thread took the rest. */
static void a_worker_that_cannot_be_opened_is_reported(void)
{
	static const uint8_t codes[64];
	symcf_threshold *t = large_threshold(32);
	const symcf_classifier c = {.n_classes = 2, .t = t};
	const symcf_rows rows = {.data = codes, .type = SYMCF_UINT8, .m = 1, .n = 32};
	const symcf_batch_request request = {
		.max_changes = UINT32_MAX, .max_memory = UINT64_C(1) << 30, .target = -1};
	symcf_budget *budget = NULL;
	symcf_batch *b = NULL;
	symcf_columns columns = {0};
	symcf_control control = {0};
	uint64_t bad_row;
	uint32_t bad_feature;
	CHECK_EQ_INT(symcf_budget_create(1 << 20, &budget), SYMCF_OK);
	symcf_budget *const before = symcf_budget_enter(budget);
	CHECK_EQ_INT(symcf_batch_open(&c, t->value_offset, &rows, &request, NULL, &b), SYMCF_OK);
	REQUIRE(b);
	void *rest = symcf_allocate(symcf_budget_left() - 64, 1);
	CHECK(rest);
	CHECK_EQ_INT(symcf_batch_work(b, &control), SYMCF_LIMIT_MEMORY);
	symcf_free(rest);
	CHECK_EQ_INT(symcf_batch_finish(b, &columns, &bad_row, &bad_feature), SYMCF_LIMIT_MEMORY);
	symcf_batch_free(b);
	symcf_budget_enter(before);
	symcf_budget_free(budget);
	symcf_threshold_free(t);
}

int main(void)
{
	make_inputs();
	RUN(a_budget_holds_in_every_engine);
	RUN(these_calls_take_more);
	symcf_bdd_free(large_bdd);
	symcf_ensemble_free(forest);
	symcf_diagram_free(large);
	symcf_threshold_free(wide);
	for (uint32_t i = 0; i < RIVALS; i++)
		symcf_threshold_free(rivals[i]);
	RUN(a_worker_that_cannot_be_opened_is_reported);
	return check_report();
}
