/* cover_masks.c: change sets of up to 64 features as bit masks, and their order.
 *
 * For batches; cover.c finds them.
 *
 * In a *key* feature 0 is the highest of n bits, all bits are inverted, and the size of the set
 * stands above them: keys in rising order are sets by (size, features). At n = 25 a key has 30
 * bits, four passes of a radix sort by bytes, which needs no comparisons (sort.h). Taking a feature adds
 * a constant to a mask and to a key, so one search makes both.
 */
#include <string.h>

#include "cover.h"
#include "memory.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FEW = 48 };

void symcf_cover_masks_free(cover_masks *m)
{
	symcf_free(m->mask);
	symcf_free(m->scratch);
	memset(m, 0, sizeof *m);
}

/* -------------------------------------------------------------------- order ------------------ */

static void sort_few(uint64_t *key, uint64_t count)
{
	for (uint64_t i = 1; i < count; i++) {
		const uint64_t k = key[i];
		uint64_t j = i;
		for (; j && key[j - 1] > k; j--)
			key[j] = key[j - 1];
		key[j] = k;
	}
}

/* One stable pass by the digit at `shift`. ensures: false if all keys have the same digit there,
 * then nothing was moved. */
static bool distribute(const uint64_t *from, uint64_t *to, uint64_t count, unsigned shift)
{
	uint64_t start[DIGITS] = {0};
	for (uint64_t i = 0; i < count; i++)
		start[from[i] >> shift & (DIGITS - 1)]++;
	if (start[from[0] >> shift & (DIGITS - 1)] == count)
		return false;
	for (uint64_t digit = 0, sum = 0; digit < DIGITS; digit++) {
		const uint64_t here = start[digit];
		start[digit] = sum;
		sum += here;
	}
	for (uint64_t i = 0; i < count; i++)
		to[start[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

/* The builtin is a call on processors that need not have the instruction. */
static inline uint64_t count_bits(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
	return x * 0x0101010101010101u >> 56;
}

void symcf_cover_masks_to_keys(cover_masks *m, uint64_t first, uint32_t n)
{
	const uint64_t all = (UINT64_C(1) << n) - 1;
	for (uint64_t i = first; i < m->count; i++)
		m->mask[i] = count_bits(m->mask[i]) << n | (~m->mask[i] & all);
}

symcf_status symcf_cover_sort_keys(cover_masks *m, uint64_t first, uint32_t n)
{
	const uint64_t count = m->count - first;
	uint64_t *key = m->mask + first;
	if (count < FEW) {
		sort_few(key, count);
		return SYMCF_OK;
	}
	if (!symcf_grow(&m->scratch, &m->cap_scratch, count, sizeof *m->scratch))
		return symcf_no_memory();
	uint64_t *from = key, *to = m->scratch;
	for (unsigned shift = 0; shift < n + 6; shift += DIGIT_BITS)
		if (distribute(from, to, count, shift)) {
			uint64_t *swap = from;
			from = to;
			to = swap;
		}
	if (from != key)
		memcpy(key, from, count * sizeof *key);
	return SYMCF_OK;
}
