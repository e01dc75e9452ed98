/* test_batch.c: batches against the engines, row by row, with any number of threads. */
#define _DEFAULT_SOURCE
#include "batch_problem.h"

enum { CASES = 500 };

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

/* NULL: no deadline, and nobody who interrupts. */
static void a_control_is_optional(void)
{
	static problem p;
	for (uint32_t i = 0; i < 60; i++) {
		symcf_batch *b = NULL;
		symcf_columns c = {0};
		uint64_t bad_row = 0;
		uint32_t bad_feature = 0;
		make_problem(&p, i % 8 ? random_below(11) : 64, 1 + random_below(MOST_ROWS / 4));
		REQUIRE(open_batch(&p, &b) == SYMCF_OK);
		CHECK_EQ_INT(symcf_batch_work(b, NULL), SYMCF_OK);
		REQUIRE(symcf_batch_finish(b, &c, &bad_row, &bad_feature) == SYMCF_OK);
		CHECK_EQ_INT(first_difference(&p, &c), p.rows.m);
		symcf_columns_free(&c);
		symcf_batch_free(b);
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

int main(void)
{
	RUN(a_batch_is_its_rows);
	RUN(a_control_is_optional);
	RUN(every_type_of_integer_is_read);
	RUN(the_first_bad_row_is_named);
	RUN(an_earlier_bad_row_may_be_found_later);
	RUN(a_late_bad_row_is_no_trap_for_repeated_rows);
	RUN(diagrams_of_classes);
	RUN(equal_rows_are_solved_once);
	RUN(rows_that_mean_harm_take_a_few_steps_each);
	return check_report();
}
