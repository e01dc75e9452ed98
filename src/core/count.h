/* count.h (private): exact natural numbers of a fixed width.
 *
 *   limbs: little-endian arrays of `width` 64-bit words. A bound on the largest result, known in
 *   advance (the number of assignments, 2^n ...), gives the width; nothing is ever truncated.
 */
#ifndef SYMCF_COUNT_H
#define SYMCF_COUNT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Limbs that hold every number below 2^bits, and one carry more. */
static inline size_t count_width(double bits)
{
	return (size_t)(bits / 64.0) + 1;
}

static inline void count_set(uint64_t *a, size_t width, uint64_t value)
{
	memset(a, 0, width * sizeof *a);
	a[0] = value;
}

static inline void count_copy(uint64_t *a, const uint64_t *b, size_t width)
{
	memcpy(a, b, width * sizeof *a);
}

static inline int count_is_zero(const uint64_t *a, size_t width)
{
	while (width--)
		if (a[width])
			return 0;
	return 1;
}

/* a += b; returns the carry out of the last limb. */
static inline uint64_t count_add(uint64_t *a, const uint64_t *b, size_t width)
{
	uint64_t carry = 0;
	for (size_t i = 0; i < width; i++) {
		const unsigned __int128 sum = (unsigned __int128)a[i] + b[i] + carry;
		a[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
	}
	return carry;
}

/* a -= b; requires a >= b. */
static inline void count_subtract(uint64_t *a, const uint64_t *b, size_t width)
{
	uint64_t borrow = 0;
	for (size_t i = 0; i < width; i++) {
		const unsigned __int128 diff = (unsigned __int128)a[i] - b[i] - borrow;
		a[i] = (uint64_t)diff;
		borrow = (uint64_t)(diff >> 64) & 1;
	}
}

/* a *= factor; returns the carry out of the last limb. */
static inline uint64_t count_multiply(uint64_t *a, uint64_t factor, size_t width)
{
	uint64_t carry = 0;
	for (size_t i = 0; i < width; i++) {
		const unsigned __int128 product = (unsigned __int128)a[i] * factor + carry;
		a[i] = (uint64_t)product;
		carry = (uint64_t)(product >> 64);
	}
	return carry;
}

/* sum += a * b; what does not fit is lost. */
static inline void count_add_product(uint64_t *sum, const uint64_t *a, const uint64_t *b,
                                     size_t width)
{
	for (size_t i = 0; i < width; i++) {
		uint64_t carry = 0;
		for (size_t k = 0; a[i] && i + k < width; k++) {
			const unsigned __int128 x = (unsigned __int128)a[i] * b[k] + sum[i + k] + carry;
			sum[i + k] = (uint64_t)x;
			carry = (uint64_t)(x >> 64);
		}
	}
}

/* <0, 0, >0 as a is less than, equal to or greater than b. */
static inline int count_compare(const uint64_t *a, const uint64_t *b, size_t width)
{
	while (width--)
		if (a[width] != b[width])
			return a[width] < b[width] ? -1 : 1;
	return 0;
}

/* A uniform number below `bound`: as many random bits as the bound has, until they are below it.
 * requires: bound > 0. */
static inline void count_draw_below(const uint64_t *bound, size_t width,
                                    uint64_t (*random)(void *data), void *data, uint64_t *drawn)
{
	size_t top = width - 1;
	while (bound[top] == 0)
		top--;
	const int spare = __builtin_clzll(bound[top]);
	count_set(drawn, width, 0);
	do {
		for (size_t i = 0; i <= top; i++)
			drawn[i] = random(data);
		drawn[top] >>= spare;
	} while (count_compare(drawn, bound, width) >= 0);
}

#endif
