/* test_batch.c: batches against the engines, row by row, with any number of threads. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "../../src/core/memory.h"
#include "../../src/core/symcf.h"
#include "check.h"

enum {
	MOST_FEATURES = 70,
	MOST_VALUES = 4,
	MOST_RAW = MOST_VALUES + 2, /* values of rows, where several are one to the core */
	MOST_CLASSES = 4,
	MOST_ROWS = 400,
	MOST_THREADS = 7,
	CASES = 500
};

static const uint64_t PLENTY = 1 << 28; /* bytes of columns */

/* ------------------------------------------------------------------ a random case ------------ */

static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint64_t random_bits(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545F4914F6CDD1Du >> 8;
}

static uint32_t random_below(uint32_t bound)
{
	return (uint32_t)(random_bits() % bound);
}

static int64_t random_within(int64_t range)
{
	return (int64_t)(random_bits() % (uint64_t)(2 * range + 1)) - range;
}

typedef struct problem {
	symcf_threshold *t;
	symcf_diagram *d; /* NULL: engine cover */
	const symcf_diagram *diagrams[1];
	uint32_t n_classes;                                        /* not 0: multiclass cover ... */
	const symcf_threshold *beats[MOST_CLASSES * MOST_CLASSES]; /* ... by these                 */
	uint32_t raw_offset[MOST_FEATURES + 1], group[MOST_FEATURES * MOST_RAW];
	symcf_rows rows;
	symcf_batch_request request;
	uint8_t codes[MOST_ROWS * MOST_FEATURES];
	uint8_t allowed[MOST_FEATURES * MOST_RAW], direction[MOST_FEATURES];
	int64_t cost[MOST_FEATURES];
} problem;

/* Small weights make ties and equal gains, large ones general position. */
static void make_function(problem *p, uint32_t n, uint32_t most_values)
{
	static const int64_t ranges[] = {1, 5, 1000, (int64_t)1 << 50};
	const int64_t range = ranges[random_below(4)];
	uint32_t value_offset[MOST_FEATURES + 1] = {0};
	int64_t weight[MOST_FEATURES * MOST_VALUES] = {0};
	for (uint32_t j = 0; j < n; j++)
		value_offset[j + 1] =
			value_offset[j] + (most_values == 2 ? 2 : 1 + random_below(most_values));
	for (uint32_t v = 0; v < value_offset[n]; v++)
		weight[v] = random_within(range);
	const int64_t bias = random_within(range);
	if (symcf_threshold_create(n, value_offset, weight, bias, &p->t))
		abort();
}

/* Scores of classes, and who is preferred to whom: ties go to the first. */
static void make_classes(problem *p, uint32_t n_classes)
{
	const uint32_t n = p->t->n, n_codes = p->t->value_offset[n];
	static int64_t score[MOST_CLASSES][MOST_FEATURES * MOST_VALUES + 1];
	int64_t weight[MOST_FEATURES * MOST_VALUES] = {0};
	const int64_t range = random_below(2) ? 3 : 1000;
	p->n_classes = n_classes;
	for (uint32_t k = 0; k < n_classes; k++)
		for (uint32_t v = 0; v <= n_codes; v++)
			score[k][v] = random_within(range);
	for (uint32_t k = 0; k < n_classes; k++)
		for (uint32_t r = 0; r < n_classes; r++) {
			symcf_threshold *t = NULL;
			for (uint32_t v = 0; v < n_codes; v++)
				weight[v] = score[r][v] - score[k][v];
			const int64_t bias = score[r][n_codes] - score[k][n_codes] - (r > k);
			if (r != k && symcf_threshold_create(n, p->t->value_offset, weight, bias, &t))
				abort();
			p->beats[k * n_classes + r] = t;
		}
}

/* Rows of their own values: each feature has one or two more than in the core. */
static void make_groups(problem *p)
{
	for (uint32_t j = 0; j < p->t->n; j++) {
		const uint32_t codes = p->t->value_offset[j + 1] - p->t->value_offset[j];
		const uint32_t values = codes + random_below(3), turn = random_below(values);
		p->raw_offset[j + 1] = p->raw_offset[j] + values;
		for (uint32_t v = 0; v < values; v++) /* each code has a value */
			p->group[p->raw_offset[j] + (v + turn) % values] = v < codes ? v : random_below(codes);
	}
	p->rows.value_offset = p->raw_offset;
	p->rows.group = p->group;
}

static const uint32_t *offset_of_rows(const problem *p)
{
	return p->rows.group ? p->raw_offset : p->t->value_offset;
}

/* Few different rows, if `repeating`. */
static void make_rows(problem *p, uint32_t m, bool repeating)
{
	const uint32_t n = p->t->n, *offset = offset_of_rows(p);
	for (uint32_t i = 0; i < m; i++) {
		uint8_t *row = p->codes + i * n;
		if (i && repeating && random_below(3)) {
			memmove(row, p->codes + random_below(i) * n, n);
			continue;
		}
		for (uint32_t j = 0; j < n; j++)
			row[j] = (uint8_t)random_below(offset[j + 1] - offset[j]);
	}
	p->rows.data = p->codes;
	p->rows.type = SYMCF_UINT8;
	p->rows.m = m;
	p->rows.n = n;
}

static void make_request(problem *p)
{
	const uint32_t n = p->t->n;
	symcf_batch_request *r = &p->request;
	*r = (symcf_batch_request){.max_changes = UINT32_MAX, .max_memory = PLENTY, .target = -1};
	for (uint32_t v = 0; v < offset_of_rows(p)[n]; v++)
		p->allowed[v] = random_below(5) > 0;
	for (uint32_t j = 0; j < n; j++) {
		p->direction[j] = (uint8_t)(random_below(2) ? SYMCF_ANY : 1 + random_below(2));
		p->cost[j] = 1 + random_below(3);
	}
	r->allowed = random_below(3) ? NULL : p->allowed;
	r->direction = random_below(3) ? NULL : p->direction;
	r->cost = random_below(3) ? NULL : p->cost;
	r->sorted = random_below(2);
	r->k = random_below(4) ? 0 : 1 + random_below(6);
	r->max_results = random_below(3) ? 0 : 1 + random_below(6);
	r->target = (int)random_below(6) - 4;
	r->target = r->target < 0 ? -1 : r->target;
	if (n > 16 || random_below(3) == 0)
		r->max_changes = random_below(3);
	if (r->k)
		r->sorted = true;
	if (p->n_classes && p->n_classes != 2)
		r->target = -1;
	r->reasons = !p->n_classes && random_below(3) == 0;
}

static void make_problem(problem *p, uint32_t n, uint32_t m)
{
	memset(p, 0, sizeof *p);
	make_function(p, n, random_below(2) ? 2 : MOST_VALUES);
	if (random_below(3) == 0)
		make_groups(p);
	if (random_below(3) == 0)
		make_classes(p, 1 + random_below(MOST_CLASSES));
	make_rows(p, m, random_below(2));
	make_request(p);
	if (!p->n_classes && n <= 12 && random_below(2)) {
		uint32_t order[MOST_FEATURES] = {0};
		symcf_threshold_influence_order(p->t, order);
		if (symcf_compile(p->t, order, NULL, &p->d))
			abort();
	}
}

static void free_problem(problem *p)
{
	for (uint32_t i = 0; i < p->n_classes * p->n_classes; i++)
		symcf_threshold_free((symcf_threshold *)p->beats[i]);
	symcf_threshold_free(p->t);
	symcf_diagram_free(p->d);
}

/* ---------------------------------------------------------------- with many threads ---------- */

typedef struct job {
	symcf_batch *b;
	symcf_control control;
	symcf_status status;
	pthread_t thread;
} job;

static void *run_job(void *data)
{
	job *j = data;
	j->status = symcf_batch_work(j->b, &j->control);
	return NULL;
}

static symcf_classifier classifier_of(const problem *p)
{
	if (p->n_classes)
		return (symcf_classifier){.n_classes = p->n_classes, .beats = p->beats};
	if (p->d)
		return (symcf_classifier){.n_classes = 2, .diagrams = p->diagrams};
	return (symcf_classifier){.n_classes = 2, .t = p->t};
}

static symcf_status open_batch(problem *p, symcf_batch **b)
{
	p->diagrams[0] = p->d;
	const symcf_classifier c = classifier_of(p);
	return symcf_batch_open(&c, p->t->value_offset, &p->rows, &p->request, NULL, b);
}

/* What `finish` says; the threads' own answers come in `status`. */
static symcf_status run(problem *p, uint32_t threads, symcf_control control, symcf_columns *columns,
                        uint64_t *bad_row, uint32_t *bad_feature, symcf_status *status)
{
	job jobs[MOST_THREADS];
	symcf_batch *b = NULL;
	symcf_status answer = open_batch(p, &b);
	if (answer)
		return answer;
	for (uint32_t i = 0; i < threads; i++) {
		jobs[i] = (job){b, control, SYMCF_OK, 0};
		if (pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]))
			abort();
	}
	for (uint32_t i = 0; i < threads; i++) {
		pthread_join(jobs[i].thread, NULL);
		if (status)
			status[i] = jobs[i].status;
		CHECK(jobs[i].control.deadline == control.deadline);
	}
	answer = symcf_batch_finish(b, columns, bad_row, bad_feature);
	if (answer == SYMCF_OK)
		CHECK_EQ_INT(symcf_batch_progress(b), p->rows.m);
	symcf_batch_free(b);
	return answer;
}

/* ------------------------------------------------------------------- row by row -------------- */

/* x: the row's own values. A code of the core is allowed if a value of it is. */
static void allow(const problem *p, const uint32_t *x, uint8_t *allowed)
{
	const symcf_batch_request *r = &p->request;
	const uint32_t *offset = offset_of_rows(p);
	memset(allowed, 0, p->t->value_offset[p->t->n]);
	for (uint32_t j = 0; j < p->t->n; j++)
		for (uint32_t at = offset[j], v = 0; at + v < offset[j + 1]; v++) {
			const uint32_t code = p->rows.group ? p->group[at + v] : v;
			bool may = !r->allowed || r->allowed[at + v];
			if (r->direction && r->direction[j] == SYMCF_UP)
				may = may && v > x[j];
			if (r->direction && r->direction[j] == SYMCF_DOWN)
				may = may && v < x[j];
			allowed[p->t->value_offset[j] + code] |= may;
		}
}

static symcf_status engine_answer(const problem *p, const symcf_query *q, uint32_t class,
                                  symcf_sets *sets)
{
	const symcf_threshold *const *rivals = p->beats + class * p->n_classes;
	const symcf_batch_request *r = &p->request;
	const uint64_t limit = r->max_results ? r->max_results : UINT64_MAX;
	const uint64_t k = r->k < limit ? r->k : limit;
	symcf_status status;
	if (p->n_classes && k) {
		status = symcf_multiclass_cover_best(rivals, p->n_classes, q, k, NULL, sets);
	} else if (p->n_classes) {
		symcf_multiclass_cover *e = NULL;
		symcf_multiclass_cover_open(rivals, p->n_classes, q, &e);
		status = symcf_multiclass_cover_next(e, NULL, limit, sets);
		symcf_multiclass_cover_free(e);
	} else if (p->d) {
		symcf_minimal *e = NULL;
		symcf_minimal_open(p->d, p->t->value_offset, q, !class, NULL, &e);
		status = k ? symcf_minimal_best(e, r->cost, k, NULL, sets)
		           : symcf_minimal_next(e, NULL, limit, sets);
		symcf_minimal_free(e);
	} else if (k) {
		status = symcf_cover_best(p->t, q, k, NULL, sets);
	} else {
		symcf_cover *e = NULL;
		symcf_cover_open(p->t, q, &e);
		status = symcf_cover_next(e, NULL, limit, sets);
		symcf_cover_free(e);
	}
	if (r->sorted && !r->k)
		symcf_sets_sort_from(sets, 0, r->cost, NULL);
	return r->k > limit && sets->n_sets == limit ? SYMCF_MORE : status;
}

static bool same_sets(const symcf_sets *sets, const symcf_columns *c, uint64_t row)
{
	const int64_t *set_offsets = c->set_offsets.data, first = c->row_offsets[row];
	const int32_t *features = (int32_t *)c->features.data + set_offsets[first];
	if (c->row_offsets[row + 1] - first != (int64_t)sets->n_sets)
		return false;
	for (uint64_t s = 0; s < sets->n_sets; s++)
		if ((uint64_t)(set_offsets[first + (int64_t)s + 1] - set_offsets[first]) != sets->end[s])
			return false;
	for (uint64_t i = 0; i < sets->n_features; i++)
		if (features[i] != (int32_t)sets->features[i])
			return false;
	return true;
}

static bool same_row(const problem *p, const symcf_columns *c, uint64_t row)
{
	const symcf_batch_request *r = &p->request;
	const symcf_classifier c_of = classifier_of(p);
	uint32_t x[MOST_FEATURES] = {0}, values[MOST_FEATURES] = {0}, bad = 0;
	uint8_t allowed[MOST_FEATURES * MOST_VALUES], status = SYMCF_ROW_COMPLETE, prediction = 0;
	symcf_sets sets = {0};
	if (symcf_rows_get(&p->rows, row, p->t->value_offset, x, &bad) ||
	    symcf_rows_values(&p->rows, row, p->t->value_offset, values, &bad)) {
		status = SYMCF_ROW_INVALID;
	} else {
		prediction = (uint8_t)symcf_decide(&c_of, x);
		allow(p, values, allowed);
		const symcf_query q = {x, allowed, r->cost, r->max_changes, r->reasons};
		if (prediction == r->target)
			status = SYMCF_ROW_AT_TARGET;
		else if (engine_answer(p, &q, prediction, &sets) == SYMCF_MORE)
			status = SYMCF_ROW_MAX_RESULTS;
	}
	const bool same =
		same_sets(&sets, c, row) && c->status[row] == status && c->prediction[row] == prediction;
	symcf_sets_free_arrays(&sets);
	return same;
}

/* The first row that differs; m if all are equal. */
static uint64_t first_difference(const problem *p, const symcf_columns *c)
{
	uint64_t row = 0;
	if (c->m != p->rows.m || c->row_offsets[0] || *(int64_t *)c->set_offsets.data ||
	    (uint64_t)c->row_offsets[c->m] != c->n_sets ||
	    ((uint64_t *)c->set_offsets.data)[c->n_sets] != c->n_features)
		return UINT64_MAX;
	while (row < c->m && same_row(p, c, row))
		row++;
	return row;
}

static void check_rows(problem *p, uint32_t threads)
{
	symcf_columns c = {0};
	uint64_t bad_row = 0;
	uint32_t bad_feature = 0;
	REQUIRE(run(p, threads, (symcf_control){0}, &c, &bad_row, &bad_feature, NULL) == SYMCF_OK);
	CHECK_EQ_INT(first_difference(p, &c), p->rows.m);
	symcf_columns_free(&c);
}

static void a_batch_is_its_rows(void)
{
	static const uint32_t sizes[] = {0, 1, 2, 63, 64, 65, 129, MOST_ROWS};
	static const uint32_t widths[] = {57, 58, 64, 65, 70};
	static problem p;
	for (uint32_t i = 0; i < CASES; i++) {
		const bool wide = i % 8 == 0;
		const uint32_t n = wide ? widths[random_below(5)] : i % 8 == 1 ? 16 : random_below(11);
		make_problem(&p, n, sizes[random_below(8)]);
		check_rows(&p, 1 + random_below(wide ? 2 : MOST_THREADS));
		free_problem(&p);
	}
}

static void every_type_of_integer_is_read(void)
{
	static problem p;
	static uint64_t copy[MOST_ROWS * 6];
	static const size_t size[] = {1, 1, 2, 2, 4, 4, 8, 8};
	make_problem(&p, 6, 100);
	for (symcf_type type = SYMCF_INT8; type <= SYMCF_UINT64; type++) {
		for (uint64_t i = 0; i < 600; i++) /* little-endian or not: set the right byte */
			for (size_t byte = 0; byte < size[type]; byte++) {
				const uint16_t one = 1;
				const size_t low = *(const uint8_t *)&one ? 0 : size[type] - 1;
				((uint8_t *)copy)[i * size[type] + byte] = byte == low ? p.codes[i] : 0;
			}
		p.rows.data = copy;
		p.rows.type = type;
		check_rows(&p, 2);
	}
	free_problem(&p);
}

/* ------------------------------------------------------------------------ bad rows ----------- */

static void the_first_bad_row_is_named(void)
{
	static problem p;
	for (uint32_t i = 0; i < CASES; i++) {
		const uint32_t n = 1 + random_below(10), m = 1 + random_below(MOST_ROWS);
		uint64_t first = UINT64_MAX, bad_row = 0;
		uint32_t bad_feature = 0, feature = 0;
		symcf_columns c = {0};
		symcf_status status[MOST_THREADS];
		make_problem(&p, n, m);
		for (uint32_t count = 1 + random_below(4); count--;) {
			const uint32_t row = random_below(2) ? random_below(m) : m - 1 - random_below(m) / 8;
			p.codes[row * n + random_below(n)] = (uint8_t)(MOST_RAW + random_below(200));
			first = row < first ? row : first;
		}
		for (feature = 0; p.codes[first * n + feature] < MOST_RAW;)
			feature++;
		const uint32_t threads = 1 + random_below(MOST_THREADS);
		CHECK_EQ_INT(run(&p, threads, (symcf_control){0}, &c, &bad_row, &bad_feature, status),
		             SYMCF_INVALID);
		CHECK_EQ_INT(bad_row, first);
		CHECK_EQ_INT(bad_feature, feature);
		for (uint32_t j = 0; j < threads; j++)
			CHECK(status[j] == SYMCF_MORE || status[j] == SYMCF_OK);
		p.request.mark_bad_rows = true;
		check_rows(&p, threads);
		free_problem(&p);
	}
}

/* The first bad row is the last of a chunk that takes long, the next one is found at once. */
static void an_earlier_bad_row_may_be_found_later(void)
{
	enum { N = 18, M = 128 };
	static problem p;
	for (uint32_t i = 0; i < 3; i++) {
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		symcf_columns c = {0};
		memset(&p, 0, sizeof p);
		make_function(&p, N, 2);
		make_rows(&p, M, false);
		for (uint32_t v = 0; v < 2 * N; v++) /* half of the features flip it: 48,620 sets per row */
			p.t->weight[v] = v & 1;
		p.t->bias = -N / 2;
		memset(p.codes, 0, 64 * N);
		for (uint32_t row = 0; row < 63; row++) /* all different, all negative */
			for (uint32_t j = 0; j < 6; j++)
				p.codes[row * N + j] = row >> j & 1;
		p.codes[63 * N + 2] = p.codes[64 * N + 4] = 9;
		p.request = (symcf_batch_request){
			.max_changes = UINT32_MAX, .max_memory = PLENTY, .target = -1, .sorted = true};
		CHECK_EQ_INT(run(&p, 2, (symcf_control){0}, &c, &bad_row, &bad_feature, NULL),
		             SYMCF_INVALID);
		CHECK(bad_row == 63 && bad_feature == 2);
		free_problem(&p);
	}
}

/* A bad row in the last chunk, found while another thread is still at the last but one: that one
 * must not go on to fill in repeated rows, whose places nobody knows. */
static void a_late_bad_row_is_no_trap_for_repeated_rows(void)
{
	enum { N = 20, M = 6 * 64 };
	static problem p;
	for (uint32_t i = 0; i < 20; i++) {
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		symcf_columns c = {0};
		memset(&p, 0, sizeof p);
		make_function(&p, N, 2);
		make_rows(&p, M, false);
		p.request =
			(symcf_batch_request){.max_changes = UINT32_MAX, .max_memory = PLENTY, .target = -1};
		memcpy(p.codes + (M - 1) * N, p.codes, N); /* repeated */
		p.codes[5 * 64 * N] = 9;
		CHECK_EQ_INT(run(&p, 2, (symcf_control){0}, &c, &bad_row, &bad_feature, NULL),
		             SYMCF_INVALID);
		CHECK_EQ_INT(bad_row, 5 * 64);
		free_problem(&p);
	}
}

/* -------------------------------------------------------------------------- limits ----------- */

/* n features of equal weight, half of which have to change. */
static void make_huge(problem *p, uint32_t n, uint32_t m)
{
	uint32_t *value_offset = calloc(n + 1, sizeof *value_offset);
	int64_t *weight = calloc(2 * n, sizeof *weight);
	uint8_t *codes = calloc(m, n);
	if (!value_offset || !weight || !codes)
		abort();
	memset(p, 0, sizeof *p);
	for (uint32_t j = 0; j < n; j++) {
		value_offset[j + 1] = 2 * (j + 1);
		weight[2 * j + 1] = 1;
	}
	for (uint32_t i = 0; i < m; i++) /* all different, none of them decided otherwise */
		for (uint32_t bit = 0; bit < 16 && bit < n; bit++)
			codes[i * n + bit] = i >> bit & 1;
	if (symcf_threshold_create(n, value_offset, weight, -(int64_t)(n / 2), &p->t))
		abort();
	p->rows = (symcf_rows){.data = codes, .type = SYMCF_UINT8, .m = m, .n = n};
	p->request =
		(symcf_batch_request){.max_changes = UINT32_MAX, .max_memory = PLENTY, .target = -1};
	free(value_offset);
	free(weight);
}

static void free_huge(problem *p)
{
	free((void *)p->rows.data);
	free_problem(p);
}

static long peak_kilobytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void a_result_too_large_is_refused(void)
{
	static const uint32_t widths[] = {40, 60, 64, 65, 2000};
	static problem p;
	for (uint32_t i = 0; i < 5 * 4; i++) {
		const uint32_t threads = 1 + i % 2;
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		symcf_columns c = {0};
		symcf_status status[MOST_THREADS];
		make_huge(&p, widths[i / 4], 3 * 64);
		p.request.max_memory = 1 << 20;
		p.request.sorted = i & 2;
		p.request.max_results = i % 4 == 3 ? UINT32_MAX : 0;
		const long before = peak_kilobytes();
		CHECK_EQ_INT(run(&p, threads, (symcf_control){0}, &c, &bad_row, &bad_feature, status),
		             SYMCF_LIMIT_MEMORY);
		for (uint32_t j = 0; j < threads; j++)
			CHECK_EQ_INT(status[j], SYMCF_MORE);
		CHECK(peak_kilobytes() - before < 150 << 10); /* a sanitizer takes its share */
		free_huge(&p);
	}
}

/* The budget counts bytes exactly: a result that just fits is given, one byte less is not. */
static void the_budget_is_exact(void)
{
	static problem p;
	for (uint32_t i = 0; i < 60; i++) {
		symcf_columns c = {0};
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		make_problem(&p, 1 + random_below(8), 1 + random_below(200));
		CHECK_EQ_INT(run(&p, 1, (symcf_control){0}, &c, &bad_row, &bad_feature, NULL), SYMCF_OK);
		const uint64_t bytes = (c.n_sets + 1) * 8 + c.n_features * 4;
		symcf_columns_free(&c);
		p.request.max_memory = bytes;
		check_rows(&p, 1 + i % 3);
		p.request.max_memory = bytes - 1;
		CHECK_EQ_INT(run(&p, 1 + i % 3, (symcf_control){0}, &c, &bad_row, &bad_feature, NULL),
		             SYMCF_LIMIT_MEMORY);
		free_problem(&p);
	}
}

/* A bad row and a result too large: the first of the two is told, whoever finds it first. */
static void the_first_failure_is_told(void)
{
	enum { N = 64, M = 4 * 64 };
	static problem p;
	for (uint32_t i = 0; i < 16; i++) {
		const uint32_t bad = 64 * (1 + i % 3) + 7, huge = 64 * (1 + i / 3 % 3) + 20;
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		symcf_columns c = {0};
		make_huge(&p, N, M);
		uint8_t *codes = (uint8_t *)p.rows.data;
		memset(codes, 1, M * N); /* one change flips a row with half its features set ... */
		for (uint32_t row = 0; row < M; row++)
			memset(codes + row * N, 0, N / 2);
		memset(codes + huge * N, 0, N); /* ... and half of them this one */
		codes[bad * N + 3] = 2;
		p.request.max_memory = 1 << 20;
		const symcf_status wanted = bad < huge ? SYMCF_INVALID : SYMCF_LIMIT_MEMORY;
		CHECK_EQ_INT(run(&p, 1 + i % 4, (symcf_control){0}, &c, &bad_row, &bad_feature, NULL),
		             wanted);
		if (wanted == SYMCF_INVALID)
			CHECK(bad_row == bad && bad_feature == 3);
		free_huge(&p);
	}
}

static void a_node_budget_of_the_engine_is_told(void)
{
	static problem p;
	uint32_t order[30], bad_feature = 0;
	uint64_t bad_row = 0;
	symcf_columns c = {0};
	symcf_status status[3] = {SYMCF_OK, SYMCF_OK, SYMCF_OK};
	make_huge(&p, 30, 200);
	for (uint32_t j = 0; j < 30; j++)
		order[j] = j;
	REQUIRE(symcf_compile(p.t, order, NULL, &p.d) == SYMCF_OK);
	CHECK_EQ_INT(run(&p, 3, (symcf_control){.max_nodes = 5}, &c, &bad_row, &bad_feature, status),
	             SYMCF_LIMIT_NODES);
	CHECK(status[0] == SYMCF_LIMIT_NODES || status[1] == SYMCF_LIMIT_NODES ||
	      status[2] == SYMCF_LIMIT_NODES);
	free_huge(&p);
}

/* ---------------------------------------------------------------- time and signals ----------- */

static void no_row_is_lost_when_time_is_up(void)
{
	static problem p;
	for (uint32_t i = 0; i < 12; i++) {
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		symcf_columns c = {0};
		const symcf_control control = {.deadline = symcf_clock() + (i % 4 == 3 ? 0.02 : 0)};
		make_huge(&p, i % 2 ? 40 : 70, 20000);
		p.request.sorted = i & 2;
		p.request.max_results = 1000;
		uint8_t *codes = (uint8_t *)p.rows.data;
		memset(codes + 19000 * p.rows.n, 1,
		       1000 * p.rows.n); /* equal rows, and at the target ... */
		p.request.target = 1;
		p.request.mark_bad_rows = true;
		codes[18000 * p.rows.n] = 9; /* ... and a bad one */
		REQUIRE(run(&p, 1 + i % 3, control, &c, &bad_row, &bad_feature, NULL) == SYMCF_OK);
		uint64_t late = 0;
		for (uint64_t row = 0; row < 19000; row++) {
			late += c.status[row] == SYMCF_ROW_TIME;
			CHECK(c.prediction[row] == 0);
		}
		CHECK(late > 0 && (i % 4 == 3 || late == 18999));
		CHECK_EQ_INT(c.status[18000], SYMCF_ROW_INVALID);
		for (uint64_t row = 19000; row < 20000; row++)
			CHECK(c.status[row] == SYMCF_ROW_AT_TARGET && c.prediction[row] == 1);
		symcf_columns_free(&c);
		free_huge(&p);
	}
}

/* Not even where nothing is solved, so that only reading them takes time. */
static void rows_at_the_target_need_no_time(void)
{
	static problem p;
	uint64_t bad_row = 0;
	uint32_t bad_feature = 0;
	symcf_columns c = {0};
	make_huge(&p, 64, 20000);
	p.request.target = 0;
	const symcf_control control = {.deadline = 1e-9};
	REQUIRE(run(&p, 1, control, &c, &bad_row, &bad_feature, NULL) == SYMCF_OK);
	for (uint64_t row = 0; row < 20000; row++)
		CHECK(c.status[row] == SYMCF_ROW_AT_TARGET);
	symcf_columns_free(&c);
	free_huge(&p);
}

static bool countdown(void *data)
{
	return atomic_fetch_sub((atomic_int *)data, 1) <= 0;
}

static void an_interruption_ends_it(void)
{
	static problem p;
	for (uint32_t i = 0; i < 9; i++) {
		atomic_int calls = (int)i / 3;
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		symcf_columns c = {0};
		symcf_status status[MOST_THREADS];
		const symcf_control control = {.interrupted = countdown, .data = &calls};
		make_huge(&p, 64, 1000);
		p.request.max_memory = UINT64_C(1) << 32;
		CHECK_EQ_INT(run(&p, 1 + i % 3, control, &c, &bad_row, &bad_feature, status),
		             SYMCF_INTERRUPTED);
		for (uint32_t j = 0; j < 1 + i % 3; j++)
			CHECK(status[j] == SYMCF_INTERRUPTED || status[j] == SYMCF_MORE);
		free_huge(&p);
	}
}

/* Rows that come too late are still read, and reading many takes time as well. */
static void an_interruption_is_heard_when_time_is_up(void)
{
	static problem p;
	atomic_int calls = 0;
	uint64_t bad_row = 0;
	uint32_t bad_feature = 0;
	symcf_columns c = {0};
	const symcf_control control = {.interrupted = countdown, .data = &calls, .deadline = 1e-9};
	make_huge(&p, 64, 60000);
	CHECK_EQ_INT(run(&p, 1, control, &c, &bad_row, &bad_feature, NULL), SYMCF_INTERRUPTED);
	free_huge(&p);
}

/* Somebody who wants to stop once rows are being copied. */
typedef struct watcher {
	symcf_batch *b;
	symcf_control *control;
	int stops;
} watcher;

static bool copying_has_begun(void *data)
{
	watcher *w = data;
	w->control->last_poll = 0; /* ask again at the next poll, however soon it comes */
	const bool stop = symcf_batch_progress(w->b) > 1;
	w->stops += stop;
	return stop;
}

/* Copying repeated rows can be interrupted, too. */
static void copying_can_be_interrupted(void)
{
	enum { N = 14, M = 20000 };
	static problem p;
	uint64_t bad_row = 0;
	uint32_t bad_feature = 0;
	symcf_columns c = {0};
	symcf_batch *b = NULL;
	make_huge(&p, N, M);
	memset((uint8_t *)p.rows.data, 0, M * N); /* 3432 sets each, 2.5 GB in all */
	p.request.max_memory = UINT64_C(1) << 32;
	REQUIRE(open_batch(&p, &b) == SYMCF_OK);
	symcf_control control = {.interrupted = copying_has_begun};
	watcher w = {b, &control, 0};
	control.data = &w;
	CHECK_EQ_INT(symcf_batch_work(b, &control), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(w.stops, 1);
	CHECK(symcf_batch_progress(b) > 1 && symcf_batch_progress(b) < M);
	CHECK_EQ_INT(symcf_batch_finish(b, &c, &bad_row, &bad_feature), SYMCF_INTERRUPTED);
	symcf_batch_free(b);
	free_huge(&p);
}

/* ---------------------------------------------------------------------- life cycle ----------- */

static void finish_asks_for_work_first(void)
{
	static problem p;
	symcf_batch *b = NULL;
	symcf_columns c = {0}, again = {0};
	uint64_t bad_row = 0;
	uint32_t bad_feature = 0;
	symcf_control control = {0};
	make_problem(&p, 5, 100);
	REQUIRE(open_batch(&p, &b) == SYMCF_OK);
	CHECK_EQ_INT(symcf_batch_progress(b), 0);
	CHECK_EQ_INT(symcf_batch_finish(b, &c, &bad_row, &bad_feature), SYMCF_MORE);
	CHECK_EQ_INT(symcf_batch_work(b, &control), SYMCF_OK);
	CHECK_EQ_INT(symcf_batch_work(b, NULL), SYMCF_OK); /* nothing is left, and no control needed */
	CHECK_EQ_INT(symcf_batch_finish(b, &c, &bad_row, &bad_feature), SYMCF_OK);
	CHECK_EQ_INT(symcf_batch_finish(b, &again, &bad_row, &bad_feature), SYMCF_MORE);
	symcf_batch_free(b);
	CHECK_EQ_INT(first_difference(&p, &c), 100); /* the columns outlive the batch */
	symcf_columns_free(&c);
	symcf_columns_free(&c);
	symcf_batch_free(NULL);
	free_problem(&p);
}

static void too_many_rows_are_refused(void)
{
	static problem p;
	symcf_batch *b = NULL;
	make_problem(&p, 0, 0);
	p.rows.m = UINT32_MAX;
	CHECK_EQ_INT(open_batch(&p, &b), SYMCF_UNSUPPORTED);
	CHECK(!b);
	free_problem(&p);
}

static void what_does_not_fit_is_refused(void)
{
	static problem p;
	symcf_batch *b = NULL;
	memset(&p, 0, sizeof p);
	make_function(&p, 3, 2);
	make_classes(&p, 3);
	make_rows(&p, 5, false);
	make_request(&p);
	p.request.target = 1;
	CHECK_EQ_INT(open_batch(&p, &b), SYMCF_UNSUPPORTED); /* rivals know no target */
	p.request.target = 2;
	p.n_classes = 2;
	CHECK_EQ_INT(open_batch(&p, &b), SYMCF_INVALID);
	p.n_classes = 257;
	p.request.target = -1;
	CHECK_EQ_INT(open_batch(&p, &b), SYMCF_UNSUPPORTED);
	p.n_classes = 3;
	make_groups(&p);
	p.group[0] = 2;
	p.request.allowed = p.allowed;
	CHECK_EQ_INT(open_batch(&p, &b), SYMCF_INVALID);
	CHECK(!b);
	free_problem(&p);
}

/* Three classes, whose diagrams each test one feature of three values; then diagrams of no class. */
static void diagrams_of_classes(void)
{
	enum { CLASSES = 3 };
	static const uint8_t codes[] = {0, 1, 2, 2, 1};
	static const uint32_t value_offset[] = {0, 3}, order[] = {0}, arity[] = {3},
						  level[] = {1, 1, 0};
	const symcf_diagram *diagrams[CLASSES];
	for (uint32_t k = 0; k < CLASSES; k++) {
		const uint32_t child[] = {k == 0, k == 1, k == 2};
		const char *reason = NULL;
		symcf_diagram *d = NULL;
		REQUIRE(symcf_diagram_create(1, 3, 2, order, arity, level, child, 3, NULL, &reason, &d) ==
		        0);
		diagrams[k] = d;
	}
	const symcf_classifier c = {.n_classes = CLASSES, .diagrams = diagrams};
	const symcf_rows rows = {.data = codes, .type = SYMCF_UINT8, .m = 5, .n = 1};
	static const uint8_t only_one[] = {0, 1, 0};
	for (int target = -1; target < CLASSES; target++) {
		const symcf_batch_request request = {
			.allowed = only_one, .max_changes = UINT32_MAX, .max_memory = PLENTY, .target = target};
		symcf_columns columns = {0};
		symcf_batch *b = NULL;
		uint64_t row;
		uint32_t feature;
		REQUIRE(symcf_batch_open(&c, value_offset, &rows, &request, NULL, &b) == SYMCF_OK);
		CHECK_EQ_INT(symcf_batch_work(b, NULL), SYMCF_OK);
		REQUIRE(symcf_batch_finish(b, &columns, &row, &feature) == SYMCF_OK);
		for (uint32_t i = 0; i < 5; i++) {
			const bool there = codes[i] == target,
					   way = codes[i] != 1 && (target < 0 || target == 1);
			CHECK_EQ_INT(columns.prediction[i], codes[i]);
			CHECK_EQ_INT(columns.status[i], there ? SYMCF_ROW_AT_TARGET : SYMCF_ROW_COMPLETE);
			CHECK_EQ_INT(columns.row_offsets[i + 1] - columns.row_offsets[i], way);
		}
		symcf_columns_free(&columns);
		symcf_batch_free(b);
	}
	const symcf_batch_request request = {.max_memory = PLENTY, .target = -1};
	const symcf_diagram *const first[] = {diagrams[0], diagrams[0], diagrams[0]};
	const symcf_classifier broken = {.n_classes = CLASSES, .diagrams = first};
	symcf_batch *b = NULL;
	symcf_columns columns = {0};
	uint64_t row;
	size_t at;
	uint32_t feature;
	uint8_t decision[5];
	REQUIRE(symcf_batch_open(&broken, value_offset, &rows, &request, NULL, &b) == SYMCF_OK);
	CHECK_EQ_INT(symcf_batch_work(b, NULL), SYMCF_INTERNAL);
	CHECK_EQ_INT(symcf_batch_finish(b, &columns, &row, &feature), SYMCF_INTERNAL);
	CHECK_EQ_INT(symcf_decide_rows(&broken, value_offset, &rows, NULL, decision, &at, &feature),
	             SYMCF_INTERNAL);
	symcf_batch_free(b);
	for (uint32_t k = 0; k < CLASSES; k++)
		symcf_diagram_free((symcf_diagram *)diagrams[k]);
}

/* Rows whose hash, as batch_equal.c has it, begins at the same place of the table: it must not walk
 * past all the earlier ones for each of them. Opening does not look at the codes. */
static void rows_that_mean_harm_take_a_few_steps_each(void)
{
	enum { ROWS = 2000 };
	static uint64_t codes[ROWS];
	const int64_t credit = INT64_MAX / 2;
	static const uint32_t value_offset[] = {0, 2};
	static const int64_t weight[] = {0, 1};
	symcf_threshold *t = NULL;
	uint64_t code = 0;
	REQUIRE(symcf_threshold_create(1, value_offset, weight, -1, &t) == SYMCF_OK);
	const symcf_classifier c = {.n_classes = 2, .t = t};
	for (uint32_t i = 0; i < ROWS; i++, code++) {
		for (;; code++) {
			const uint64_t h = (0x9E3779B97F4A7C15u ^ 8 ^ code) * 0xD6E8FEB86659FD93u;
			if ((h ^ h >> 32) >> 52 == 0) /* of 4096 slots the first */
				break;
		}
		codes[i] = code;
	}
	for (uint32_t repeated = 0; repeated < 2; repeated++) {
		const symcf_rows rows = {.data = codes, .type = SYMCF_UINT64, .m = ROWS, .n = 1};
		const symcf_batch_request request = {.max_memory = PLENTY, .target = -1};
		symcf_control control = {.credit = credit};
		symcf_batch *b = NULL;
		REQUIRE(symcf_batch_open(&c, value_offset, &rows, &request, &control, &b) == SYMCF_OK);
		CHECK(credit - control.credit < 100 * ROWS);
		symcf_batch_free(b);
		codes[ROWS - 1] = codes[0]; /* the second time */
	}
	symcf_threshold_free(t);
}

/* How many allocations a batch takes: the first one that need not succeed is one more. */
static uint64_t allocations(problem *p)
{
	for (uint64_t at = 1;; at++) {
		symcf_batch *b = NULL;
		symcf_control control = {0};
		symcf_fail_allocation(at);
		symcf_status status = open_batch(p, &b);
		if (!status)
			status = symcf_batch_work(b, &control);
		symcf_fail_allocation(0);
		symcf_batch_free(b);
		if (status == SYMCF_OK)
			return at - 1;
	}
}

/* The search for the k cheapest allocates, so that solving a row can be counted. */
static void equal_rows_are_solved_once(void)
{
	static problem p;
	make_huge(&p, 12, 40);
	p.request.k = 3;
	const uint64_t different = allocations(&p);
	p.rows.m = 1;
	const uint64_t single = allocations(&p);
	p.rows.m = 40;
	memset((uint8_t *)p.rows.data, 0, 40 * 12);
	CHECK_EQ_INT(allocations(&p), single);
	CHECK(different > 4 * single);
	free_huge(&p);
}

/* Each allocation fails once; that is told, nothing leaks and nothing is given. */
static void any_allocation_may_fail(void)
{
	static problem p;
	for (uint32_t i = 0; i < 60; i++) {
		const bool wide = i % 8 == 7;
		make_problem(&p, wide ? 66 : 3 + random_below(8), wide ? 20 : 130);
		for (uint64_t at = 1;; at++) {
			uint64_t bad_row = 0;
			uint32_t bad_feature = 0;
			symcf_columns c = {0};
			symcf_batch *b = NULL;
			symcf_control control = {0};
			symcf_fail_allocation(at);
			symcf_status status = open_batch(&p, &b);
			if (!status) {
				status = symcf_batch_work(b, &control);
				const symcf_status told = symcf_batch_finish(b, &c, &bad_row, &bad_feature);
				CHECK_EQ_INT(told, status);
			}
			symcf_fail_allocation(0);
			symcf_batch_free(b);
			if (status == SYMCF_OK) {
				CHECK_EQ_INT(first_difference(&p, &c), p.rows.m);
				symcf_columns_free(&c);
				CHECK(at > 8);
				break;
			}
			CHECK_EQ_INT(status, SYMCF_NO_MEMORY);
			CHECK(!c.row_offsets);
		}
		free_problem(&p);
	}
}

int main(void)
{
	RUN(a_batch_is_its_rows);
	RUN(every_type_of_integer_is_read);
	RUN(the_first_bad_row_is_named);
	RUN(an_earlier_bad_row_may_be_found_later);
	RUN(a_late_bad_row_is_no_trap_for_repeated_rows);
	RUN(a_result_too_large_is_refused);
	RUN(the_budget_is_exact);
	RUN(the_first_failure_is_told);
	RUN(a_node_budget_of_the_engine_is_told);
	RUN(no_row_is_lost_when_time_is_up);
	RUN(rows_at_the_target_need_no_time);
	RUN(an_interruption_ends_it);
	RUN(an_interruption_is_heard_when_time_is_up);
	RUN(copying_can_be_interrupted);
	RUN(finish_asks_for_work_first);
	RUN(too_many_rows_are_refused);
	RUN(what_does_not_fit_is_refused);
	RUN(diagrams_of_classes);
	RUN(equal_rows_are_solved_once);
	RUN(rows_that_mean_harm_take_a_few_steps_each);
	RUN(any_allocation_may_fail);
	return check_report();
}
