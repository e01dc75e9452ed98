/* test_rows.c: value codes of every integer type. */
#include "support.h"

enum { N = 3, M = 2 };

static const uint32_t VALUE_OFFSET[N + 1] = {0, 2, 5, 6}; /* 2, 3 and 1 values */

/* Two good rows as `type`; then each code in turn is replaced by bad ones. */
#define CHECK_TYPE(type, code, ...)                                                                \
	do {                                                                                           \
		const type bad[] = {__VA_ARGS__};                                                          \
		const type good[M * N] = {1, 2, 0, 0, 1, 0};                                               \
		type table[M * N];                                                                         \
		const symcf_rows rows = {table, code, M, N, NULL, NULL};                                   \
		memcpy(table, good, sizeof good);                                                          \
		check_good(&rows);                                                                         \
		for (uint32_t i = 0; i < M * N; i++)                                                       \
			for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {                                \
				memcpy(table, good, sizeof good);                                                  \
				table[i] = bad[b];                                                                 \
				check_bad(&rows, i / N, i % N);                                                    \
			}                                                                                      \
	} while (0)

static void check_good(const symcf_rows *rows)
{
	static const uint32_t wanted[M][N] = {{1, 2, 0}, {0, 1, 0}};
	for (uint32_t i = 0; i < M; i++) {
		uint32_t x[N] = {9, 9, 9}, bad = 77;
		CHECK_EQ_INT(symcf_rows_get(rows, i, VALUE_OFFSET, x, &bad), SYMCF_OK);
		CHECK(!memcmp(x, wanted[i], sizeof x));
		CHECK_EQ_INT(bad, 77);
	}
}

static void check_bad(const symcf_rows *rows, uint32_t row, uint32_t feature)
{
	for (uint32_t i = 0; i < M; i++) {
		uint32_t x[N], bad = 77;
		CHECK_EQ_INT(symcf_rows_get(rows, i, VALUE_OFFSET, x, &bad),
		             i == row ? SYMCF_INVALID : SYMCF_OK);
		CHECK_EQ_INT(bad, i == row ? feature : 77);
	}
}

static void every_type_is_read_and_checked(void)
{
	CHECK_TYPE(int8_t, SYMCF_INT8, 3, INT8_MAX, -1, INT8_MIN);
	CHECK_TYPE(uint8_t, SYMCF_UINT8, 3, UINT8_MAX);
	CHECK_TYPE(int16_t, SYMCF_INT16, 3, INT16_MAX, -1, INT16_MIN, 256);
	CHECK_TYPE(uint16_t, SYMCF_UINT16, 3, UINT16_MAX, 256);
	CHECK_TYPE(int32_t, SYMCF_INT32, 3, INT32_MAX, -1, INT32_MIN, 65536);
	CHECK_TYPE(uint32_t, SYMCF_UINT32, 3, UINT32_MAX, 65536);
	CHECK_TYPE(int64_t, SYMCF_INT64, 3, INT64_MAX, -1, INT64_MIN, (int64_t)1 << 32);
	CHECK_TYPE(uint64_t, SYMCF_UINT64, 3, UINT64_MAX, (uint64_t)1 << 32);
}

static void the_first_bad_feature_is_named(void)
{
	const int8_t table[N] = {0, 7, 7};
	const symcf_rows rows = {.data = table, .type = SYMCF_INT8, .m = 1, .n = N};
	uint32_t x[N], bad = 77;
	CHECK_EQ_INT(symcf_rows_get(&rows, 0, VALUE_OFFSET, x, &bad), SYMCF_INVALID);
	CHECK_EQ_INT(bad, 1);
}

static void no_features_have_no_bad_code(void)
{
	const symcf_rows rows = {.data = "", .type = SYMCF_INT64, .m = 5, .n = 0};
	uint32_t bad = 77;
	CHECK_EQ_INT(symcf_rows_get(&rows, 4, VALUE_OFFSET, NULL, &bad), SYMCF_OK);
}

static void an_unknown_type_is_invalid(void)
{
	const symcf_rows rows = {.data = "", .type = (symcf_type)99, .m = 1, .n = 1};
	uint32_t x[1], bad = 77;
	CHECK_EQ_INT(symcf_rows_get(&rows, 0, VALUE_OFFSET, x, &bad), SYMCF_INVALID);
}

/* Feature 0 has two values of one code, feature 1 three of two; the last has its one. */
static void values_of_a_group_are_one_code(void)
{
	static const uint32_t raw_offset[N + 1] = {0, 3, 6, 7}, group[] = {1, 0, 1, 2, 0, 2, 0};
	static const int16_t table[M * N] = {2, 2, 0, 1, 1, 0};
	static const uint32_t wanted[M][N] = {{1, 2, 0}, {0, 0, 0}},
						  values[M][N] = {{2, 2, 0}, {1, 1, 0}};
	symcf_rows rows = {table, SYMCF_INT16, M, N, raw_offset, group};
	uint32_t x[N], bad = 77;
	for (uint32_t i = 0; i < M; i++) {
		CHECK_EQ_INT(symcf_rows_get(&rows, i, VALUE_OFFSET, x, &bad), SYMCF_OK);
		CHECK(!memcmp(x, wanted[i], sizeof x));
		CHECK_EQ_INT(symcf_rows_values(&rows, i, VALUE_OFFSET, x, &bad), SYMCF_OK);
		CHECK(!memcmp(x, values[i], sizeof x));
	}
	CHECK_EQ_INT(bad, 77);
	static const int16_t beyond[N] = {0, 3, 0};
	rows.data = beyond;
	CHECK_EQ_INT(symcf_rows_get(&rows, 0, VALUE_OFFSET, x, &bad), SYMCF_INVALID);
	CHECK_EQ_INT(bad, 1);
	CHECK_EQ_INT(symcf_rows_values(&rows, 0, VALUE_OFFSET, x, &bad), SYMCF_INVALID);
	static const uint32_t other_group[] = {1, 0, 1, 2,
	                                       0, 2, 1}; /* the last feature has no code 1 */
	rows.data = table;
	rows.group = other_group;
	CHECK_EQ_INT(symcf_rows_get(&rows, 0, VALUE_OFFSET, x, &bad), SYMCF_INVALID);
	CHECK_EQ_INT(bad, 2);
	rows.group = NULL;
	CHECK_EQ_INT(symcf_rows_values(&rows, 0, VALUE_OFFSET, x, &bad), SYMCF_INVALID);
	CHECK_EQ_INT(bad, 0);
}

int main(void)
{
	RUN(every_type_is_read_and_checked);
	RUN(the_first_bad_feature_is_named);
	RUN(no_features_have_no_bad_code);
	RUN(an_unknown_type_is_invalid);
	RUN(values_of_a_group_are_one_code);
	return check_report();
}
