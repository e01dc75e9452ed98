/* batch_problem.h: random batches, run with any number of threads, and what the engines say of each row. */
#ifndef SYMCF_TEST_BATCH_PROBLEM_H
#define SYMCF_TEST_BATCH_PROBLEM_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/memory.h"
#include "../../src/core/symcf.h"
#include "chance.h"
#include "check.h"

enum {
	MOST_FEATURES = 70,
	MOST_VALUES = 4,
	MOST_RAW = MOST_VALUES + 2, /* values of rows, where several are one to the core */
	MOST_CLASSES = 4,
	MOST_ROWS = 400,
	MOST_THREADS = 7
};

static const uint64_t PLENTY = 1 << 28; /* bytes of columns */

/* ------------------------------------------------------------------ a random case ------------ */

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
static inline void make_function(problem *p, uint32_t n, uint32_t most_values)
{
	static const int64_t ranges[] = {1, 5, 1000, (int64_t)1 << 50};
	const int64_t range = ranges[random_below(4)];
	uint32_t value_offset[MOST_FEATURES + 1] = {0};
	int64_t weight[MOST_FEATURES * MOST_VALUES] = {0};
	for (uint32_t j = 0; j < n; j++)
		value_offset[j + 1] =
			value_offset[j] + (most_values == 2 ? 2 : 1 + random_below(most_values));
	for (uint32_t v = 0; v < value_offset[n]; v++)
		weight[v] = random_between(-range, range);
	const int64_t bias = random_between(-range, range);
	if (symcf_threshold_create(n, value_offset, weight, bias, &p->t))
		abort();
}

/* Scores of classes, and who is preferred to whom: ties go to the first. */
static inline void make_classes(problem *p, uint32_t n_classes)
{
	const uint32_t n = p->t->n, n_codes = p->t->value_offset[n];
	static int64_t score[MOST_CLASSES][MOST_FEATURES * MOST_VALUES + 1];
	int64_t weight[MOST_FEATURES * MOST_VALUES] = {0};
	const int64_t range = random_below(2) ? 3 : 1000;
	p->n_classes = n_classes;
	for (uint32_t k = 0; k < n_classes; k++)
		for (uint32_t v = 0; v <= n_codes; v++)
			score[k][v] = random_between(-range, range);
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
static inline void make_groups(problem *p)
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
static inline void make_rows(problem *p, uint32_t m, bool repeating)
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

static inline void make_request(problem *p)
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

static inline void make_problem(problem *p, uint32_t n, uint32_t m)
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

static inline void free_problem(problem *p)
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

static inline void *run_job(void *data)
{
	job *j = data;
	j->status = symcf_batch_work(j->b, &j->control);
	return NULL;
}

static inline symcf_classifier classifier_of(const problem *p)
{
	if (p->n_classes)
		return (symcf_classifier){.n_classes = p->n_classes, .beats = p->beats};
	if (p->d)
		return (symcf_classifier){.n_classes = 2, .diagrams = p->diagrams};
	return (symcf_classifier){.n_classes = 2, .t = p->t};
}

static inline symcf_status open_batch(problem *p, symcf_batch **b)
{
	p->diagrams[0] = p->d;
	const symcf_classifier c = classifier_of(p);
	return symcf_batch_open(&c, p->t->value_offset, &p->rows, &p->request, NULL, b);
}

/* What `finish` says; the threads' own answers come in `status`. */
static inline symcf_status run(problem *p, uint32_t threads, symcf_control control,
                               symcf_columns *columns, uint64_t *bad_row, uint32_t *bad_feature,
                               symcf_status *status)
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
static inline void allow(const problem *p, const uint32_t *x, uint8_t *allowed)
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

static inline symcf_status engine_answer(const problem *p, const symcf_query *q, uint32_t class,
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

static inline bool same_sets(const symcf_sets *sets, const symcf_columns *c, uint64_t row)
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

static inline bool same_row(const problem *p, const symcf_columns *c, uint64_t row)
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
static inline uint64_t first_difference(const problem *p, const symcf_columns *c)
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

static inline void check_rows(problem *p, uint32_t threads)
{
	symcf_columns c = {0};
	uint64_t bad_row = 0;
	uint32_t bad_feature = 0;
	REQUIRE(run(p, threads, (symcf_control){0}, &c, &bad_row, &bad_feature, NULL) == SYMCF_OK);
	CHECK_EQ_INT(first_difference(p, &c), p->rows.m);
	symcf_columns_free(&c);
}

/* ------------------------------------------------------------- too much to list -------------- */

/* n features of equal weight, half of which have to change. */
static inline void make_huge(problem *p, uint32_t n, uint32_t m)
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

static inline void free_huge(problem *p)
{
	free((void *)p->rows.data);
	free_problem(p);
}

#endif
