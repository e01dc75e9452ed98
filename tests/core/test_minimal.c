/* The minimal engine against brute force over all change sets. */
#include <stdlib.h>

#include "../../src/core/memory.h"
#include "../../src/core/symcf.h"
#include "check.h"

enum { MAX_N = 10, MAX_ARITY = 4, MAX_SETS = 1 << MAX_N };

static uint64_t random_state = 1;

/* splitmix64; also the `random` that sampling is given. */
static uint64_t random_bits(void *data)
{
	(void)data;
	uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

static uint32_t random_below(uint32_t n)
{
	return (uint32_t)((random_bits(NULL) >> 32) * n >> 32);
}

/* -------------------------------------------------- functions as tables, and their diagrams -- */

/* A function of few features, by its table: entry sum_j value_j * stride[j]. */
typedef struct function {
	uint32_t n, n_entries;
	uint32_t value_offset[MAX_N + 1], stride[MAX_N], order[MAX_N];
	uint8_t *table;
} function;

static uint32_t arity_of(const function *f, uint32_t j)
{
	return f->value_offset[j + 1] - f->value_offset[j];
}

static void shape_function(function *f, uint32_t n, uint32_t least_arity, uint32_t most_arity)
{
	*f = (function){.n = n, .n_entries = 1};
	for (uint32_t j = 0; j < n; j++) {
		const uint32_t arity = least_arity + random_below(most_arity - least_arity + 1);
		const uint32_t other = random_below(j + 1);
		f->value_offset[j + 1] = f->value_offset[j] + arity;
		f->stride[j] = f->n_entries;
		f->n_entries *= arity;
		f->order[j] = f->order[other];
		f->order[other] = j;
	}
	f->table = calloc(f->n_entries, 1);
}

static void decode(const function *f, uint32_t entry, uint32_t *x)
{
	for (uint32_t j = 0; j < f->n; j++)
		x[j] = entry / f->stride[j] % arity_of(f, j);
}

typedef struct draft {
	uint32_t n_nodes;
	uint32_t level[4096];
	uint32_t child[4096][MAX_ARITY];
} draft;

/* The node for the entries that agree with `entry` on the levels above k. */
static uint32_t draft_node(const function *f, draft *t, uint32_t k, uint32_t entry)
{
	uint32_t child[MAX_ARITY] = {0}, i;
	bool same = true;
	if (k == f->n)
		return f->table[entry];
	const uint32_t j = f->order[k], arity = arity_of(f, j);
	for (uint32_t v = 0; v < arity; v++) {
		child[v] = draft_node(f, t, k + 1, entry + v * f->stride[j]);
		same = same && child[v] == child[0];
	}
	if (same)
		return child[0];
	for (i = 2; i < t->n_nodes; i++)
		if (t->level[i] == k && !memcmp(t->child[i], child, sizeof child))
			return i;
	t->level[i] = k;
	memcpy(t->child[i], child, sizeof child);
	return t->n_nodes++;
}

/* Levels from the bottom, as a frozen diagram has them. */
static symcf_diagram *diagram_of(const function *f)
{
	static draft t;
	static uint32_t number[4096], level[4096], child[4096 * MAX_ARITY];
	uint32_t arity[MAX_N], used = 2;
	uint64_t n_children = 0;
	t.n_nodes = 2;
	const uint32_t root = draft_node(f, &t, 0, 0);
	number[0] = 0;
	number[1] = 1;
	level[0] = level[1] = f->n;
	for (uint32_t k = f->n; k--;) {
		arity[k] = arity_of(f, f->order[k]);
		for (uint32_t i = 2; i < t.n_nodes; i++) {
			if (t.level[i] != k)
				continue;
			for (uint32_t v = 0; v < arity[k]; v++)
				child[n_children++] = number[t.child[i][v]];
			level[used] = k;
			number[i] = used++;
		}
	}
	const char *reason = NULL;
	symcf_diagram *d = NULL;
	CHECK_EQ_INT(symcf_diagram_create(f->n, used, number[root], f->order, arity, level, child,
	                                  n_children, NULL, &reason, &d),
	             SYMCF_OK);
	return d;
}

/* -------------------------------------------------------------------- the oracle ------------- */

/* A set of features as a mask, with its place in the order (cost, size, features). */
typedef struct change {
	int64_t cost;
	uint32_t size, mask;
} change;

static int compare_changes(const void *left, const void *right)
{
	const change *a = left, *b = right;
	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	for (uint32_t j = 0; j < MAX_N; j++)
		if ((a->mask ^ b->mask) >> j & 1)
			return a->mask >> j & 1 ? -1 : 1;
	return 0;
}

static uint32_t bits_in(uint32_t mask)
{
	uint32_t count = 0;
	for (; mask; mask &= mask - 1)
		count++;
	return count;
}

/* The set of features changed by x -> y, or UINT32_MAX if a change is not allowed. */
static uint32_t changed_features(const function *f, const symcf_query *q, const uint32_t *y)
{
	uint32_t mask = 0;
	for (uint32_t j = 0; j < f->n; j++) {
		if (y[j] == q->x[j])
			continue;
		if (q->allowed && !q->allowed[f->value_offset[j] + y[j]])
			return UINT32_MAX;
		mask |= 1u << j;
	}
	return mask;
}

/* All minimal change sets, sorted. */
static uint32_t brute_force(const function *f, const symcf_query *q, uint32_t sink, change *sets)
{
	static bool reaches[MAX_SETS], covered[MAX_SETS];
	uint32_t y[MAX_N], n_sets = 0;
	memset(reaches, 0, sizeof reaches);
	for (uint32_t entry = 0; entry < f->n_entries; entry++) {
		decode(f, entry, y);
		const uint32_t mask = changed_features(f, q, y);
		if (mask != UINT32_MAX && f->table[entry] == sink)
			reaches[mask] = true;
	}
	for (uint32_t mask = 0; mask < 1u << f->n; mask++) {
		change c = {0, bits_in(mask), mask};
		covered[mask] = false; /* does a proper subset reach the sink? */
		for (uint32_t j = 0; j < f->n; j++) {
			if (!(mask >> j & 1))
				continue;
			covered[mask] |= reaches[mask ^ 1u << j] || covered[mask ^ 1u << j];
			c.cost += q->cost ? q->cost[j] : 1;
		}
		if (reaches[mask] && !covered[mask] && c.size <= q->max_changes)
			sets[n_sets++] = c;
	}
	qsort(sets, n_sets, sizeof *sets, compare_changes);
	return n_sets;
}

/* ------------------------------------------------------------------- comparisons ------------- */

/* Set i as a mask; checks that it ascends. */
static uint32_t mask_of(const symcf_sets *sets, uint64_t i)
{
	uint32_t mask = 0;
	for (uint64_t at = i ? sets->end[i - 1] : 0; at < sets->end[i]; at++) {
		const uint32_t feature = sets->features[at];
		CHECK(feature < MAX_N && mask >> feature == 0);
		mask |= 1u << feature;
	}
	return mask;
}

/* Are these the wanted sets, in any order? */
static void check_listing(const symcf_sets *sets, const change *wanted, uint32_t n_wanted)
{
	static uint32_t seen[MAX_SETS];
	CHECK_EQ_INT(sets->n_sets, n_wanted);
	for (uint32_t i = 0; i < n_wanted; i++)
		seen[wanted[i].mask] = 1;
	for (uint64_t i = 0; i < sets->n_sets; i++)
		CHECK_EQ_INT(seen[mask_of(sets, i)]--, 1);
	for (uint32_t i = 0; i < n_wanted; i++)
		seen[wanted[i].mask] = 0;
}

static void check_best(symcf_minimal *e, const int64_t *cost, uint64_t k, const change *wanted,
                       uint32_t n_wanted)
{
	symcf_sets sets = {0};
	CHECK_EQ_INT(symcf_minimal_best(e, cost, k, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, k < n_wanted ? k : n_wanted);
	for (uint64_t i = 0; i < sets.n_sets; i++)
		CHECK_EQ_INT(mask_of(&sets, i), wanted[i].mask);
	symcf_sets_free_arrays(&sets);
}

static void check_count(symcf_minimal *e, uint64_t wanted)
{
	uint64_t *limbs = NULL;
	size_t width = 0;
	CHECK_EQ_INT(symcf_minimal_count(e, NULL, &limbs, &width), SYMCF_OK);
	CHECK(width >= 1 && limbs[0] == wanted);
	symcf_free(limbs);
}

/* Every answer of an engine that was opened or reset for this query. */
static void check_engine(symcf_minimal *e, const function *f, const symcf_query *q, uint32_t sink)
{
	static change wanted[MAX_SETS];
	const uint32_t n_wanted = brute_force(f, q, sink, wanted);
	symcf_sets sets = {0};
	CHECK_EQ_INT(symcf_minimal_next(e, NULL, UINT64_MAX, &sets), SYMCF_OK);
	check_listing(&sets, wanted, n_wanted);
	CHECK_EQ_INT(symcf_minimal_next(e, NULL, UINT64_MAX, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, n_wanted);
	check_count(e, n_wanted);
	check_best(e, q->cost, UINT64_MAX, wanted, n_wanted);
	check_best(e, q->cost, random_below(n_wanted + 2), wanted, n_wanted);
	symcf_sets_free_arrays(&sets);
}

/* -------------------------------------------------------------------- the tests -------------- */

/* The listing alone, for tests that ask very often. */
static void check_quickly(symcf_minimal *e, const function *f, const symcf_query *q, uint32_t sink,
                          symcf_sets *sets)
{
	static change wanted[MAX_SETS];
	const uint32_t n_wanted = brute_force(f, q, sink, wanted);
	CHECK_EQ_INT(symcf_minimal_reset(e, q, sink, NULL), SYMCF_OK);
	symcf_sets_clear(sets);
	CHECK_EQ_INT(symcf_minimal_next(e, NULL, UINT64_MAX, sets), SYMCF_OK);
	check_listing(sets, wanted, n_wanted);
}

/* At every input, without a bound on the size of sets and with one. */
static void every_function_of_four(void)
{
	function f;
	uint32_t x[4] = {0};
	symcf_sets sets = {0};
	symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	shape_function(&f, 4, 2, 2);
	for (uint32_t j = 0; j < 4; j++)
		f.order[j] = j;
	for (uint32_t number = 0; number < 65536; number++) {
		symcf_minimal *e = NULL;
		for (uint32_t entry = 0; entry < 16; entry++)
			f.table[entry] = number >> entry & 1;
		symcf_diagram *d = diagram_of(&f);
		CHECK_EQ_INT(symcf_minimal_open(d, f.value_offset, &q, 0, NULL, &e), SYMCF_OK);
		for (uint32_t entry = 0; entry < 16; entry++) {
			decode(&f, entry, x);
			q.max_changes = 1 + (number + entry) % 3;
			check_quickly(e, &f, &q, !f.table[entry], &sets);
			q.max_changes = UINT32_MAX;
			check_quickly(e, &f, &q, !f.table[entry], &sets);
		}
		symcf_minimal_free(e);
		symcf_diagram_free(d);
	}
	symcf_sets_free_arrays(&sets);
	free(f.table);
}

/* A query with some of the constraints. The arrays are overwritten by the next call. */
static symcf_query random_query(const function *f)
{
	static uint32_t x[MAX_N];
	static uint8_t allowed[MAX_N * MAX_ARITY];
	static int64_t cost[MAX_N];
	symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	for (uint32_t j = 0; j < f->n; j++) {
		x[j] = random_below(arity_of(f, j));
		cost[j] = random_below(2) ? 1 + random_below(3) : INT64_C(1) << 40;
	}
	for (uint32_t i = 0; i < f->value_offset[f->n]; i++)
		allowed[i] = random_below(4) > 0;
	if (random_below(2))
		q.allowed = allowed;
	if (random_below(2))
		q.cost = cost;
	if (random_below(2))
		q.max_changes = random_below(f->n + 2);
	return q;
}

/* Several queries, to either sink, over one engine. */
static void check_function(const function *f, symcf_diagram *d)
{
	symcf_minimal *e = NULL;
	for (uint32_t repeat = 0; repeat < 6; repeat++) {
		const symcf_query q = random_query(f);
		const uint32_t sink = random_below(2);
		const symcf_status status = e ? symcf_minimal_reset(e, &q, sink, NULL)
		                              : symcf_minimal_open(d, f->value_offset, &q, sink, NULL, &e);
		CHECK_EQ_INT(status, SYMCF_OK);
		check_engine(e, f, &q, sink);
	}
	symcf_minimal_free(e);
}

static void random_functions(uint32_t most_n, uint32_t most_arity, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		function f;
		shape_function(&f, random_below(most_n + 1), most_arity > 2 ? 1 : 2, most_arity);
		const uint32_t density = 1 + random_below(15);
		for (uint32_t entry = 0; entry < f.n_entries; entry++)
			f.table[entry] = random_below(16) < density;
		symcf_diagram *d = diagram_of(&f);
		check_function(&f, d);
		symcf_diagram_free(d);
		free(f.table);
	}
}

static void random_binary_functions(void)
{
	random_functions(10, 2, 1500);
}

static void random_multiway_functions(void)
{
	random_functions(5, 4, 1500);
}

/* The function of a threshold with these weights, in a table. */
static void tabulate(const function *f, const symcf_threshold *t)
{
	for (uint32_t entry = 0; entry < f->n_entries; entry++) {
		uint32_t x[MAX_N];
		decode(f, entry, x);
		f->table[entry] = symcf_threshold_score(t, x) >= 0;
	}
}

/* Nodes as drafted, in no order, and as compiled; levels by influence and at random; few different
 * weights, so that diagrams skip levels, and many. */
static void random_threshold_functions(void)
{
	for (uint32_t i = 0; i < 3000; i++) {
		function f;
		int64_t weight[MAX_N * MAX_ARITY];
		const uint32_t range = 1 + random_below(i % 2 ? 5 : 1000);
		if (i / 2 % 2)
			shape_function(&f, 1 + random_below(5), 1, 4);
		else
			shape_function(&f, 1 + random_below(9), 2, 2);
		for (uint32_t k = 0; k < f.value_offset[f.n]; k++)
			weight[k] = (int64_t)random_below(2 * range + 1) - range;
		symcf_threshold *t = NULL;
		symcf_diagram *compiled = NULL;
		const int64_t bias = (int64_t)random_below(2 * range + 1) - range;
		CHECK_EQ_INT(symcf_threshold_create(f.n, f.value_offset, weight, bias, &t), SYMCF_OK);
		if (random_below(2))
			CHECK_EQ_INT(symcf_threshold_influence_order(t, f.order), SYMCF_OK);
		tabulate(&f, t);
		CHECK_EQ_INT(symcf_compile(t, f.order, NULL, &compiled), SYMCF_OK);
		symcf_diagram *drafted = diagram_of(&f);
		check_function(&f, drafted);
		check_function(&f, compiled);
		symcf_diagram_free(drafted);
		symcf_diagram_free(compiled);
		symcf_threshold_free(t);
		free(f.table);
	}
}

static void no_features(void)
{
	function f;
	for (uint32_t value = 0; value < 2; value++) {
		shape_function(&f, 0, 2, 2);
		f.table[0] = (uint8_t)value;
		symcf_diagram *d = diagram_of(&f);
		check_function(&f, d);
		symcf_diagram_free(d);
		free(f.table);
	}
}

/* ----------------------------------------------------------------- large families ------------ */

/* "Each of m blocks of b features has a 1": from x = 0 there are b^m minimal change sets. */
static symcf_diagram *blocks_diagram(uint32_t m, uint32_t b)
{
	const uint32_t n = m * b, n_nodes = n + 2;
	uint32_t *order = calloc(n, sizeof *order), *arity = calloc(n, sizeof *arity);
	uint32_t *level = calloc(n_nodes, sizeof *level), *child = calloc(2 * n, sizeof *child);
	level[0] = level[1] = n;
	for (uint32_t i = 0; i < n; i++) { /* node i + 2 tests level n - 1 - i, and so feature i */
		const uint32_t k = n - 1 - i, node = i + 2;
		order[k] = i;
		arity[k] = 2;
		level[node] = k;
		child[2 * i] = i % b ? node - 1 : 0;
		child[2 * i + 1] = i < b ? 1 : node - 1 - i % b;
	}
	const char *reason = NULL;
	symcf_diagram *d = NULL;
	CHECK_EQ_INT(symcf_diagram_create(n, n_nodes, n_nodes - 1, order, arity, level, child, 2 * n,
	                                  NULL, &reason, &d),
	             SYMCF_OK);
	free(order);
	free(arity);
	free(level);
	free(child);
	return d;
}

typedef struct blocks {
	symcf_diagram *d;
	uint32_t *x, *value_offset;
	symcf_query q;
	symcf_minimal *e;
} blocks;

static void open_blocks(blocks *s, uint32_t m, uint32_t b)
{
	const uint32_t n = m * b;
	*s = (blocks){.d = blocks_diagram(m, b)};
	s->x = calloc(n, sizeof *s->x);
	s->value_offset = calloc(n + 1, sizeof *s->value_offset);
	for (uint32_t j = 0; j <= n; j++)
		s->value_offset[j] = 2 * j;
	s->q = (symcf_query){.x = s->x, .max_changes = UINT32_MAX};
	CHECK_EQ_INT(symcf_minimal_open(s->d, s->value_offset, &s->q, 1, NULL, &s->e), SYMCF_OK);
}

static void close_blocks(blocks *s)
{
	symcf_minimal_free(s->e);
	symcf_diagram_free(s->d);
	free(s->x);
	free(s->value_offset);
}

/* One feature of each block? */
static void check_one_a_block(const symcf_sets *sets, uint64_t i, uint32_t m, uint32_t b)
{
	const uint64_t start = i ? sets->end[i - 1] : 0;
	CHECK_EQ_INT(sets->end[i] - start, m);
	for (uint32_t block = 0; block < m; block++)
		CHECK_EQ_INT(sets->features[start + block] / b, block);
}

static void counts_beyond_a_word(void)
{
	blocks s;
	uint64_t *limbs = NULL;
	size_t width = 0;
	open_blocks(&s, 200, 2);
	CHECK_EQ_INT(symcf_minimal_count(s.e, NULL, &limbs, &width), SYMCF_OK);
	for (size_t i = 0; i < width; i++)
		CHECK(limbs[i] == (i == 3 ? UINT64_C(1) << 8 : 0));
	symcf_free(limbs);
	CHECK_EQ_INT(symcf_minimal_size(s.e), 402);
	close_blocks(&s);
	open_blocks(&s, 64, 2);
	CHECK_EQ_INT(symcf_minimal_count(s.e, NULL, &limbs, &width), SYMCF_OK);
	CHECK(width == 2 && limbs[0] == 0 && limbs[1] == 1);
	symcf_free(limbs);
	close_blocks(&s);
	open_blocks(&s, 40, 3); /* 3^40 = 12157665459056928801 < 2^64 */
	CHECK_EQ_INT(symcf_minimal_count(s.e, NULL, &limbs, &width), SYMCF_OK);
	CHECK(width == 1 && limbs[0] == UINT64_C(12157665459056928801));
	symcf_free(limbs);
	close_blocks(&s);
}

static void best_and_samples_of_many(void)
{
	enum { M = 80, B = 3, K = 500 };
	int64_t cost[M * B];
	blocks s;
	symcf_sets sets = {0};
	open_blocks(&s, M, B);
	for (uint32_t j = 0; j < M * B; j++)
		cost[j] = 10 + 3 * (j % B) + (j < 6 ? j : 6);
	CHECK_EQ_INT(symcf_minimal_best(s.e, cost, K, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, K);
	int64_t last_cost = 0;
	for (uint64_t i = 0; i < sets.n_sets; i++) {
		int64_t total = 0;
		check_one_a_block(&sets, i, M, B);
		for (uint32_t at = 0; at < M; at++)
			total += cost[sets.features[i * M + at]];
		CHECK(total >= last_cost);
		if (i && total == last_cost)
			for (uint32_t at = 0; at < M; at++) {
				const uint32_t one = sets.features[(i - 1) * M + at];
				const uint32_t two = sets.features[i * M + at];
				CHECK(one <= two);
				if (one != two)
					break;
				CHECK(at + 1 < M);
			}
		last_cost = total;
	}
	symcf_sets_clear(&sets);
	CHECK_EQ_INT(symcf_minimal_sample(s.e, K, random_bits, NULL, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, K);
	for (uint64_t i = 0; i < sets.n_sets; i++)
		check_one_a_block(&sets, i, M, B);
	symcf_sets_free_arrays(&sets);
	close_blocks(&s);
}

static void thousands_of_levels(void)
{
	enum { M = 4000, B = 2 };
	blocks s;
	symcf_sets sets = {0};
	open_blocks(&s, M, B);
	CHECK_EQ_INT(symcf_minimal_next(s.e, NULL, 10, &sets), SYMCF_MORE);
	CHECK_EQ_INT(symcf_minimal_sample(s.e, 10, random_bits, NULL, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_best(s.e, NULL, 10, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, 30);
	for (uint64_t i = 0; i < sets.n_sets; i++)
		check_one_a_block(&sets, i, M, B);
	for (uint32_t j = 0; j < M * B; j++) /* back to 0: any block can be emptied */
		s.x[j] = j % B == 0;
	CHECK_EQ_INT(symcf_minimal_reset(s.e, &s.q, 0, NULL), SYMCF_OK);
	check_count(s.e, M);
	symcf_sets_free_arrays(&sets);
	close_blocks(&s);
}

static void sampling_is_uniform(void)
{
	enum { M = 4, B = 3, MEMBERS = 81, DRAWS = 81 * 1000 };
	uint32_t drawn[MEMBERS] = {0};
	blocks s;
	symcf_sets sets = {0};
	random_state = 20200922;
	open_blocks(&s, M, B);
	CHECK_EQ_INT(symcf_minimal_sample(s.e, DRAWS, random_bits, NULL, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, DRAWS);
	for (uint64_t i = 0; i < sets.n_sets; i++) {
		uint32_t member = 0;
		for (uint32_t at = 0; at < M; at++)
			member = B * member + sets.features[i * M + at] % B;
		drawn[member]++;
	}
	double chi_square = 0;
	for (uint32_t member = 0; member < MEMBERS; member++) {
		const double off = (double)drawn[member] - 1000;
		CHECK(drawn[member] > 0);
		chi_square += off * off / 1000;
	}
	CHECK(chi_square > 45 && chi_square < 124.8); /* 80 degrees of freedom, 99.9 % below 124.8 */
	symcf_sets_free_arrays(&sets);
	close_blocks(&s);
}

static void nothing_to_sample(void)
{
	blocks s;
	symcf_sets sets = {0};
	open_blocks(&s, 2, 2);
	s.q.max_changes = 1;
	CHECK_EQ_INT(symcf_minimal_reset(s.e, &s.q, 1, NULL), SYMCF_OK);
	check_count(s.e, 0);
	CHECK_EQ_INT(symcf_minimal_sample(s.e, 1, random_bits, NULL, NULL, &sets), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_minimal_sample(s.e, 0, random_bits, NULL, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_best(s.e, NULL, 5, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_next(s.e, NULL, 0, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, 0);
	CHECK_EQ_INT(symcf_minimal_reset(s.e, &s.q, 0, NULL), SYMCF_OK); /* where x is already */
	CHECK_EQ_INT(symcf_minimal_sample(s.e, 3, random_bits, NULL, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_best(s.e, NULL, 5, NULL, &sets), SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_next(s.e, NULL, 5, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, 5);
	CHECK_EQ_INT(sets.n_features, 0);
	symcf_sets_free_arrays(&sets);
	close_blocks(&s);
}

/* ------------------------------------------------------------- stopping, and going on -------- */

static void one_by_one_is_all_at_once(void)
{
	blocks s;
	symcf_sets all = {0}, one_by_one = {0};
	open_blocks(&s, 5, 3);
	CHECK_EQ_INT(symcf_minimal_next(s.e, NULL, 243, &all), SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_reset(s.e, &s.q, 1, NULL), SYMCF_OK);
	for (uint32_t i = 1; i <= 243; i++) {
		CHECK_EQ_INT(symcf_minimal_next(s.e, NULL, 0, &one_by_one), SYMCF_MORE);
		CHECK_EQ_INT(symcf_minimal_next(s.e, NULL, 1, &one_by_one),
		             i < 243 ? SYMCF_MORE : SYMCF_OK);
		CHECK_EQ_INT(one_by_one.n_sets, i);
	}
	CHECK_EQ_INT(all.n_sets, 243);
	CHECK_EQ_INT(all.n_features, one_by_one.n_features);
	CHECK(!memcmp(all.features, one_by_one.features, all.n_features * sizeof *all.features));
	symcf_sets_free_arrays(&all);
	symcf_sets_free_arrays(&one_by_one);
	close_blocks(&s);
}

/* Says yes at call number *data. */
static bool interrupt_at(void *data)
{
	uint32_t *calls_left = data;
	return *calls_left && --*calls_left == 0;
}

static void stops_and_goes_on(void)
{
	blocks s;
	symcf_sets sets = {0};
	uint32_t at = 1;
	uint64_t *limbs = NULL;
	size_t width = 0;
	symcf_minimal *none = NULL;
	symcf_control late = {.deadline = symcf_clock() - 1};
	symcf_control interrupted = {.interrupted = interrupt_at, .data = &at};
	open_blocks(&s, 7, 3);
	CHECK_EQ_INT(symcf_minimal_open(s.d, s.value_offset, &s.q, 1, &late, &none), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_minimal_open(s.d, s.value_offset, &s.q, 1, &interrupted, &none),
	             SYMCF_INTERRUPTED);
	CHECK(!none);
	late.credit = 0;
	CHECK_EQ_INT(symcf_minimal_count(s.e, &late, &limbs, &width), SYMCF_LIMIT_TIME);
	CHECK(!limbs);
	late.credit = 0;
	CHECK_EQ_INT(symcf_minimal_best(s.e, NULL, 9, &late, &sets), SYMCF_LIMIT_TIME);
	late.credit = 0;
	CHECK_EQ_INT(symcf_minimal_sample(s.e, 9, random_bits, NULL, &late, &sets), SYMCF_LIMIT_TIME);
	symcf_sets_clear(&sets);
	late.credit = 3000;
	CHECK_EQ_INT(symcf_minimal_next(s.e, &late, UINT64_MAX, &sets), SYMCF_LIMIT_TIME);
	CHECK(sets.n_sets > 0 && sets.n_sets < 2187);
	at = 1;
	interrupted.credit = 0;
	interrupted.last_poll = 0;
	CHECK_EQ_INT(symcf_minimal_next(s.e, &interrupted, UINT64_MAX, &sets), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(symcf_minimal_next(s.e, &interrupted, UINT64_MAX, &sets), SYMCF_OK);
	CHECK_EQ_INT(sets.n_sets, 2187);
	check_count(s.e, 2187);
	symcf_sets_free_arrays(&sets);
	close_blocks(&s);
}

static void keeps_within_limits(void)
{
	blocks s;
	symcf_minimal *e = NULL;
	symcf_control few = {.max_nodes = 50}, enough = {.max_nodes = 122};
	symcf_control small = {.max_memory = 4000}, roomy = {.max_memory = 1 << 20};
	open_blocks(&s, 40, 3);
	CHECK_EQ_INT(symcf_minimal_open(s.d, s.value_offset, &s.q, 1, &few, &e), SYMCF_LIMIT_NODES);
	CHECK_EQ_INT(few.nodes, 50);
	CHECK_EQ_INT(symcf_minimal_open(s.d, s.value_offset, &s.q, 1, &small, &e), SYMCF_LIMIT_MEMORY);
	CHECK(!e);
	CHECK_EQ_INT(symcf_minimal_reset(s.e, &s.q, 1, &enough), SYMCF_OK);
	CHECK_EQ_INT(symcf_minimal_reset(s.e, &s.q, 1, &few), SYMCF_LIMIT_NODES);
	check_count(s.e, 0);
	CHECK_EQ_INT(symcf_minimal_reset(s.e, &s.q, 1, &roomy), SYMCF_OK);
	CHECK(roomy.memory > 0 && roomy.memory <= roomy.max_memory);
	CHECK_EQ_INT(roomy.nodes, 122);
	check_count(s.e, UINT64_C(12157665459056928801));
	symcf_sets sets = {0};
	CHECK_EQ_INT(symcf_minimal_best(s.e, NULL, 100000, &roomy, &sets), SYMCF_LIMIT_MEMORY);
	CHECK(sets.n_sets > 0);
	symcf_sets_free_arrays(&sets);
	close_blocks(&s);
}

/* Everything once; the first failure is returned. */
static symcf_status use_everything(const blocks *s, symcf_minimal *e)
{
	symcf_status status;
	symcf_sets sets = {0};
	uint64_t *limbs = NULL;
	size_t width = 0;
	if ((status = symcf_minimal_next(e, NULL, 100, &sets)) == SYMCF_MORE &&
	    (status = symcf_minimal_count(e, NULL, &limbs, &width)) == SYMCF_OK &&
	    (status = symcf_minimal_best(e, NULL, 400, NULL, &sets)) == SYMCF_OK &&
	    (status = symcf_minimal_sample(e, 10, random_bits, NULL, NULL, &sets)) == SYMCF_OK)
		status = symcf_minimal_reset(e, &s->q, 1, NULL);
	symcf_sets_free_arrays(&sets);
	symcf_free(limbs);
	return status;
}

/* Each allocation fails once. A cache that cannot grow is not a failure. */
static void survives_every_failing_allocation(void)
{
	enum { MOST = 200 };
	blocks s;
	symcf_status status = SYMCF_OK;
	uint32_t n_failures = 0;
	open_blocks(&s, 300, 3);
	for (uint64_t failing = 1; failing <= MOST; failing++) {
		symcf_minimal *e = NULL;
		symcf_fail_allocation(failing);
		status = symcf_minimal_open(s.d, s.value_offset, &s.q, 1, NULL, &e);
		CHECK((status == SYMCF_OK) == (e != NULL));
		if (e)
			status = use_everything(&s, e);
		symcf_fail_allocation(0);
		CHECK(status == SYMCF_OK || status == SYMCF_NO_MEMORY);
		n_failures += status == SYMCF_NO_MEMORY;
		if (e) { /* it is still of use */
			CHECK_EQ_INT(symcf_minimal_reset(e, &s.q, 1, NULL), SYMCF_OK);
			CHECK_EQ_INT(use_everything(&s, e), SYMCF_OK);
		}
		symcf_minimal_free(e);
	}
	CHECK_EQ_INT(status, SYMCF_OK); /* there are fewer allocations than that */
	CHECK(n_failures > 20);
	close_blocks(&s);
}

int main(void)
{
	RUN(every_function_of_four);
	RUN(random_binary_functions);
	RUN(random_multiway_functions);
	RUN(random_threshold_functions);
	RUN(no_features);
	RUN(counts_beyond_a_word);
	RUN(best_and_samples_of_many);
	RUN(thousands_of_levels);
	RUN(sampling_is_uniform);
	RUN(nothing_to_sample);
	RUN(one_by_one_is_all_at_once);
	RUN(stops_and_goes_on);
	RUN(keeps_within_limits);
	RUN(survives_every_failing_allocation);
	return check_report();
}
