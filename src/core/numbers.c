/* numbers.c: doubles -> codes in the same order.
 *
 * The code of a number is its place among the doubles of ordinary size: 2^62 for 0, one more for each larger
 * double, one less for each smaller one. Missing numbers have a code of their own, above all others.
 */
#include <math.h>
#include <string.h>

#include "symcf.h"
#include "try.h"

static const int64_t ZERO = (int64_t)1 << 62;
/* The bits of the smallest and of the largest magnitude that has a code. */
static const int64_t SMALLEST = (int64_t)(1023 - 510) << 52;
static const int64_t LARGEST = ((int64_t)(1023 + 513) << 52) - 1;

static int64_t code_of(double number)
{
	int64_t bits;
	const double magnitude = fabs(number);
	memcpy(&bits, &magnitude, sizeof bits);
	if (!bits)
		return ZERO;
	if (bits < SMALLEST || bits > LARGEST)
		return SYMCF_NO_CODE;
	const int64_t steps = bits - (SMALLEST - 1);
	return number < 0 ? ZERO - steps : ZERO + steps;
}

static double number_of(int64_t code)
{
	if (code == SYMCF_MISSING_CODE)
		return NAN;
	if (code == ZERO)
		return 0;
	const uint64_t steps =
		code > ZERO ? (uint64_t)code - (uint64_t)ZERO : (uint64_t)ZERO - (uint64_t)code;
	const uint64_t bits = steps + (uint64_t)(SMALLEST - 1);
	double magnitude;
	memcpy(&magnitude, &bits, sizeof magnitude);
	return code < ZERO ? -magnitude : magnitude;
}

symcf_status symcf_codes_of_numbers(const double *number, size_t count, symcf_control *control,
                                    int64_t *code)
{
	for (size_t i = 0; i < count; i++) {
		TRY(symcf_tick(control, 2));
		code[i] = code_of(number[i]);
	}
	return SYMCF_OK;
}

symcf_status symcf_numbers_of_codes(const int64_t *code, size_t count, symcf_control *control,
                                    double *number)
{
	for (size_t i = 0; i < count; i++) {
		TRY(symcf_tick(control, 2));
		number[i] = number_of(code[i]);
	}
	return SYMCF_OK;
}
