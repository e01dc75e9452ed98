/* chance.h: numbers that look random, the same in every run. */
#ifndef SYMCF_TEST_CHANCE_H
#define SYMCF_TEST_CHANCE_H

#include <stdint.h>

static uint64_t random_state = 88172645463325252u;

static inline uint64_t random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545F4914F6CDD1Du >> 8;
}

static inline uint32_t random_below(uint32_t bound)
{
	return (uint32_t)(random_bits() % bound);
}

static inline int64_t random_between(int64_t low, int64_t high)
{
	return low + (int64_t)(random_bits() % (uint64_t)(high - low + 1));
}

static inline void random_order(uint32_t n, uint32_t *order)
{
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t other = random_below(k + 1);
		order[k] = order[other];
		order[other] = k;
	}
}

#endif
