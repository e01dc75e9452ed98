/* test_additive.c: terms of numbers, and covers of rows that are given by their gains. */
#include <math.h>

#include "support.h"

static symcf_status term(symcf_polynomial p, int32_t scale, double x, int64_t *out)
{
	size_t row = 7;
	uint32_t feature = 7;
	const symcf_status status =
		symcf_polynomial_terms(&p, 1, scale, &x, 1, NULL, out, &row, &feature);
	if (status)
		CHECK(row == 0 && feature == 0);
	return status;
}

static void terms_are_rounded_half_up(void)
{
	int64_t out = 0;
	const symcf_polynomial half = {.slope = 1, .slope_exponent = -1};
	CHECK_EQ_INT(term(half, 0, 3, &out), SYMCF_OK);
	CHECK_EQ_INT(out, 2);
	CHECK_EQ_INT(term(half, 0, -3, &out), SYMCF_OK);
	CHECK_EQ_INT(out, -1);
	CHECK_EQ_INT(term(half, 1, -3, &out), SYMCF_OK);
	CHECK_EQ_INT(out, -3);
	CHECK_EQ_INT(term(half, 40, 0x1p-60, &out), SYMCF_OK);
	CHECK_EQ_INT(out, 0);
	CHECK_EQ_INT(term(half, 0, 0, &out), SYMCF_OK);
	CHECK_EQ_INT(out, 0);
}

static void squares_and_lines_cancel_exactly(void)
{
	/* x^2 - 2^30 x at 2^30: two numbers of 60 bits */
	const symcf_polynomial p = {.curve = 1, .slope = -1, .slope_exponent = 30};
	int64_t out = 1;
	CHECK_EQ_INT(term(p, -2, 0x1p30, &out), SYMCF_OK);
	CHECK_EQ_INT(out, 0);
	CHECK_EQ_INT(term(p, 0, 0x1p30 + 1, &out), SYMCF_OK);
	CHECK_EQ_INT(out, ((int64_t)1 << 30) + 1);
}

static void what_does_not_fit_is_reported(void)
{
	const symcf_polynomial p[2] = {{.slope = 1}, {.curve = 1}};
	const double x[6] = {1, 2, 3, INFINITY, 5, 6};
	int64_t out[6];
	size_t row = 9;
	uint32_t feature = 9;
	CHECK_EQ_INT(symcf_polynomial_terms(p, 2, 0, x, 3, NULL, out, &row, &feature), SYMCF_OVERFLOW);
	CHECK(row == 1 && feature == 1);
	CHECK_EQ_INT(out[0], 1);
	CHECK_EQ_INT(out[1], 4);
	CHECK_EQ_INT(term(p[0], 0, 0x1p61, out), SYMCF_OVERFLOW);
	CHECK_EQ_INT(term(p[0], 0, -0x1p60, out), SYMCF_OK);
	CHECK_EQ_INT(term(p[1], 0, 0x1p500, out), SYMCF_OVERFLOW);
	CHECK_EQ_INT(term(p[0], 0, NAN, out), SYMCF_OVERFLOW);
	symcf_control late = too_late();
	CHECK_EQ_INT(symcf_polynomial_terms(p, 2, 0, x, 1, &late, out, &row, &feature),
	             SYMCF_LIMIT_TIME);
}

/* Three rows: two features of which either is enough, two that are both needed, none that is. */
static const int64_t GAIN[] = {5, 6, -1, 3, 4, 0, 1, 1, 1};
static const int64_t DEFICIT[] = {5, 7, 4};
static const symcf_gains GAINS = {3, 3, 1, GAIN, DEFICIT};

static symcf_batch_request everything(void)
{
	return (symcf_batch_request){
		.max_changes = UINT32_MAX, .max_memory = 1 << 20, .sorted = true, .target = -1};
}

static void rows_are_covered_by_their_gains(void)
{
	const symcf_batch_request request = everything();
	symcf_sets sets = {0};
	uint64_t n_sets[3];
	uint8_t status[3];
	REQUIRE(symcf_cover_rows(&GAINS, &request, NULL, &sets, n_sets, status) == SYMCF_OK);
	CHECK(n_sets[0] == 2 && n_sets[1] == 1 && n_sets[2] == 0);
	CHECK(status[0] == SYMCF_ROW_COMPLETE && status[2] == SYMCF_ROW_COMPLETE);
	CHECK(sets.n_sets == 3 && sets.n_features == 4);
	CHECK(sets.features[0] == 0 && sets.features[1] == 1);
	CHECK(sets.features[2] == 0 && sets.features[3] == 1);
	symcf_sets_free_arrays(&sets);
}

static void limits_of_rows_are_kept(void)
{
	symcf_batch_request request = everything();
	symcf_sets sets = {0};
	uint64_t n_sets[3];
	uint8_t status[3];
	request.max_results = 1;
	CHECK_EQ_INT(symcf_cover_rows(&GAINS, &request, NULL, &sets, n_sets, status), SYMCF_OK);
	CHECK(status[0] == SYMCF_ROW_MAX_RESULTS && n_sets[0] == 1);
	request.max_results = 0;
	request.k = 1;
	symcf_sets_clear(&sets);
	CHECK_EQ_INT(symcf_cover_rows(&GAINS, &request, NULL, &sets, n_sets, status), SYMCF_OK);
	CHECK(status[0] == SYMCF_ROW_COMPLETE && n_sets[0] == 1 && sets.features[0] == 0);
	request.k = 0;
	request.max_memory = 8;
	CHECK_EQ_INT(symcf_cover_rows(&GAINS, &request, NULL, &sets, n_sets, status),
	             SYMCF_LIMIT_MEMORY);
	symcf_control late = too_late();
	request.max_memory = 1 << 20;
	symcf_sets_clear(&sets);
	CHECK_EQ_INT(symcf_cover_rows(&GAINS, &request, &late, &sets, n_sets, status), SYMCF_OK);
	CHECK(sets.n_sets == 0 && status[0] == SYMCF_ROW_TIME && status[2] == SYMCF_ROW_TIME);
	symcf_sets_free_arrays(&sets);
}

/* Two rivals: the first needs features 0 and 1, the second feature 2. */
static void any_rival_will_do(void)
{
	const int64_t gain[] = {2, 2, 0, 0, 1, 3}, deficit[] = {4, 3};
	const symcf_gains gains = {1, 3, 2, gain, deficit};
	const symcf_batch_request request = everything();
	symcf_sets sets = {0};
	uint64_t n_sets[1];
	uint8_t status[1];
	CHECK_EQ_INT(symcf_cover_rows(&gains, &request, NULL, &sets, n_sets, status), SYMCF_OK);
	CHECK(sets.n_sets == 2 && sets.features[0] == 2 && sets.features[1] == 0);
	symcf_sets_free_arrays(&sets);
}

static symcf_status cover_all(const void *data)
{
	const symcf_batch_request request = everything();
	symcf_sets sets = {0};
	uint64_t n_sets[3];
	uint8_t status[3];
	const symcf_status result = symcf_cover_rows(data, &request, NULL, &sets, n_sets, status);
	symcf_sets_free_arrays(&sets);
	return result;
}

static void every_allocation_may_fail(void)
{
	CHECK(fail_each_allocation(cover_all, &GAINS) > 5);
}

/* A double of any kind whose code stands for it. */
static double random_number(void)
{
	const int64_t digits = random_between(-((int64_t)1 << 52), (int64_t)1 << 52);
	const double x = random_below(20) ? (double)digits : (double)random_between(-3, 3);
	return ldexp(x, (int)random_between(-90, random_below(9) ? 10 : 80));
}

static void sums_are_those_of_the_terms(void)
{
	enum { MOST_NUMBERS = 70 };
	uint32_t sums = 0, failures = 0;
	for (uint32_t round = 0; round < 20000; round++) {
		symcf_polynomial p[MOST_NUMBERS];
		double x[MOST_NUMBERS];
		int64_t code[MOST_NUMBERS], term[MOST_NUMBERS], sum = 0, wanted = 0, largest = 0;
		size_t row;
		uint32_t feature;
		const uint32_t n = random_below(20) ? 1 + random_below(4) : MOST_NUMBERS;
		const int32_t scale = (int32_t)random_between(0, 40);
		for (uint32_t j = 0; j < n; j++) {
			p[j] = (symcf_polynomial){
				.slope = random_between(-((int64_t)1 << 61), (int64_t)1 << 61) >> random_below(61),
				.curve = random_below(9) ? 0 : random_between(-9, 9),
				.slope_exponent = (int32_t)random_between(-120, random_below(9) ? -60 : 20)};
			x[j] = random_number();
		}
		REQUIRE(symcf_codes_of_numbers(x, n, NULL, code) == SYMCF_OK);
		bool fits =
			symcf_polynomial_terms(p, n, scale, x, 1, NULL, term, &row, &feature) == SYMCF_OK;
		for (uint32_t j = 0; j < n && fits; j++) {
			wanted += term[j];
			largest = term[j] > largest ? term[j] : -term[j] > largest ? -term[j] : largest;
		}
		fits = fits && largest < ((int64_t)1 << 60) / n;
		const symcf_status status = symcf_polynomial_sums(p, n, scale, code, 1, NULL, &sum);
		CHECK_EQ_INT(status, fits ? SYMCF_OK : SYMCF_OVERFLOW);
		if (fits)
			CHECK_EQ_INT(sum, wanted);
		sums += fits && wanted;
		failures += !fits;
		code[random_below(n)] = SYMCF_MISSING_CODE;
		CHECK_EQ_INT(symcf_polynomial_sums(p, n, scale, code, 1, NULL, &sum), SYMCF_OVERFLOW);
	}
	CHECK(sums > 5000 && failures > 100);
}

int main(void)
{
	RUN(terms_are_rounded_half_up);
	RUN(squares_and_lines_cancel_exactly);
	RUN(what_does_not_fit_is_reported);
	RUN(rows_are_covered_by_their_gains);
	RUN(limits_of_rows_are_kept);
	RUN(any_rival_will_do);
	RUN(every_allocation_may_fail);
	RUN(sums_are_those_of_the_terms);
	return check_report();
}
