/* test_batch_limits.c: batches that end early: memory, time, interruptions, failing allocations. */
#define _DEFAULT_SOURCE
#include <stdatomic.h>
#include <sys/resource.h>

#include "batch_problem.h"

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
	RUN(any_allocation_may_fail);
	return check_report();
}
