/* test_unpack.c: masks to lists of features, by both ways, against the definition. */
#include "../../src/core/unpack.h"
#include "check.h"
#include "support.h"

enum { SETS = 300, GUARD = 64 };

static const int32_t UNTOUCHED = -7;

typedef void unpacker(const uint64_t *mask, uint64_t count, uint32_t n, bool inverted, int32_t *to,
                      int64_t at, int64_t *end);

/* Is this what the masks say, and is everything before and behind as it was? The features come
 * `shift` from a multiple of any vector, and `at` before them there are in the column. */
static bool is_right(unpacker *unpack, const uint64_t *mask, uint64_t count, uint32_t n,
                     bool inverted, int64_t at, uint32_t shift)
{
	static _Alignas(64) int32_t got[GUARD + SETS * 64 + GUARD];
	static int64_t end[SETS + 2];
	const uint64_t first = GUARD / 2 + shift;
	for (uint64_t i = 0; i < sizeof got / sizeof *got; i++)
		got[i] = UNTOUCHED;
	for (uint64_t s = 0; s < SETS + 2; s++)
		end[s] = UNTOUCHED;
	unpack(mask, count, n, inverted, got + first, at, end + 1);
	uint64_t k = 0;
	bool right = end[0] == UNTOUCHED && end[count + 1] == UNTOUCHED;
	for (uint64_t s = 0; s < count; s++) {
		for (uint32_t j = 0; j < n; j++)
			if ((mask[s] >> (n - 1 - j) & 1) != inverted)
				right = right && got[first + k++] == (int32_t)j;
		right = right && end[s + 1] == at + (int64_t)k;
	}
	for (uint64_t i = 0; i < first; i++)
		right = right && got[i] == UNTOUCHED;
	for (uint64_t i = first + k; i < sizeof got / sizeof *got; i++)
		right = right && got[i] == UNTOUCHED;
	return right;
}

static void check_both(const uint64_t *mask, uint64_t count, uint32_t n, bool inverted)
{
	static const int64_t far = INT64_C(1) << 40; /* in a column that no cache holds */
	const uint32_t shift = random_below(16);
	CHECK(is_right(symcf_unpack_portable, mask, count, n, inverted, 1000, shift));
	CHECK(is_right(symcf_unpack, mask, count, n, inverted, 1000, shift));
	CHECK(is_right(symcf_unpack, mask, count, n, inverted, far, shift));
}

/* Sparse and dense sets; what stands above the n bits is noise. */
static void any_width_and_any_number_of_sets(void)
{
	uint64_t mask[SETS];
	for (uint32_t n = 0; n <= 64; n++)
		for (uint32_t density = 0; density < 4; density++) {
			for (uint32_t s = 0; s < SETS; s++) {
				const uint64_t a = random_bits(), b = random_bits();
				mask[s] = density == 0 ? a & b & random_bits() : density == 1 ? a : a | b;
				if (density == 3)
					mask[s] = s % 3 ? ~(uint64_t)0 : 0;
			}
			for (uint32_t count = 0; count < 70; count += 1 + count / 5)
				check_both(mask, count, n, density == 1);
			check_both(mask, SETS, n, false);
			check_both(mask, SETS, n, true);
		}
}

/* All patterns of nine bits, at each place where the table is used for them. */
static void every_entry_of_the_table(void)
{
	for (uint32_t n = 9; n <= 64; n++)
		for (uint32_t b = 0; b < 512; b += 128) {
			uint64_t mask[128];
			for (uint32_t i = 0; i < 128; i++)
				mask[i] = (uint64_t)(b + i) << (n - 9) | (b + i);
			check_both(mask, 128, n, false);
		}
}

int main(void)
{
	RUN(any_width_and_any_number_of_sets);
	RUN(every_entry_of_the_table);
	return check_report();
}
