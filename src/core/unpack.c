/* unpack.c: see unpack.h.
 *
 * Anywhere: a scan of the bits, whose loop ends where the processor does not expect it.
 *
 * With AVX2: no branch depends on a set. A mask is cut into groups of nine bits. A table has the
 * positions in each group as bytes; they are stored where the groups before end, sixteen bytes at a
 * time, and what is too much the next group overwrites. Some dozens of sets are put together in this
 * way, as bytes in a small buffer, then widened to the column eight features at a time: the column is
 * written once, in whole vectors, and never beyond its end, which another thread may own.
 *
 * Nine bits: the table stays in the first-level cache, unlike one of more bits. Columns that are larger than a cache
 * are written past it.
 */
#include "unpack.h"

#include <string.h>

/* All members as ones, feature 0 highest. requires: 0 < n <= 64. */
static inline uint64_t members(uint64_t mask, uint32_t n, bool inverted)
{
	return (mask ^ -(uint64_t)inverted) << (64 - n);
}

void symcf_unpack_portable(const uint64_t *mask, uint64_t count, uint32_t n, bool inverted,
                           int32_t *to, int64_t at, int64_t *end)
{
	for (uint64_t s = 0; s < count; s++) {
		for (uint64_t left = n ? members(mask[s], n, inverted) : 0; left; at++) {
			const int f = __builtin_clzll(left);
			left &= ~(UINT64_C(1) << 63 >> f);
			*to++ = f;
		}
		end[s] = at;
	}
}

/* Not on Windows, where the runtime of zig cannot tell which instructions the processor has. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#include <immintrin.h>

#define FAST __attribute__((target("avx2,bmi,bmi2,popcnt")))

enum {
	GROUP = 9,  /* bits                             */
	VECTOR = 8, /* features                         */
	BLOCK = 64, /* sets that are widened together: 16 have not left the processor when they are read
	               back, which takes twice as long; 256 take more of the cache */
	SPILL = 16  /* bytes that a store may be ahead  */
};

/* Features: with 16 megabytes before it, the column is in no cache when it is read again, and need
 * not be read into one to be written. */
enum { PAST_CACHES = 1 << 22 };

/* Where in a page the buffer begins. A load waits for stores before it that have the same place in
 * another page; the entries of the table that sets need most, of groups with one member or none, are
 * in other places. */
enum { PAGE = 4096, BUFFER = 3072 };

/* The positions of the ones of b, from the highest of nine bits, one in each byte from the lowest.
 * There is a ninth only if all are ones. */
#define POSITION(b, i)                                                                             \
	((uint64_t)((b) >> (8 - (i)) & 1) * (i) << 8 * (__builtin_popcount((b) >> (9 - (i))) & 7))
#define POSITIONS(b)                                                                               \
	{((b) == 511 ? 0 : POSITION(b, 8)) | POSITION(b, 1) | POSITION(b, 2) | POSITION(b, 3) |        \
	     POSITION(b, 4) | POSITION(b, 5) | POSITION(b, 6) | POSITION(b, 7),                        \
	 (b) == 511 ? 8 : 0}
#define TIMES_2(b) POSITIONS(b), POSITIONS((b) + 1)
#define TIMES_8(b) TIMES_2(b), TIMES_2((b) + 2), TIMES_2((b) + 4), TIMES_2((b) + 6)
#define TIMES_32(b) TIMES_8(b), TIMES_8((b) + 8), TIMES_8((b) + 16), TIMES_8((b) + 24)
#define TIMES_128(b) TIMES_32(b), TIMES_32((b) + 32), TIMES_32((b) + 64), TIMES_32((b) + 96)

static const _Alignas(PAGE) uint64_t positions[1 << GROUP][2] = {TIMES_128(0), TIMES_128(128),
                                                                 TIMES_128(256), TIMES_128(384)};

/* Appends the features of a set to the bytes at `to`. ensures: how many. */
FAST __attribute__((always_inline)) static inline int64_t put(uint64_t set, unsigned n_groups,
                                                              uint8_t *to)
{
	for (unsigned g = 0; g < n_groups; g++) {
		const unsigned first = GROUP * g;
		const uint64_t group = first + GROUP <= 64 ? set >> (64 - GROUP - first) & 511
		                                           : set << (first + GROUP - 64) & 511;
		const int before = g ? __builtin_popcountll(set >> (64 - first)) : 0;
		const __m128i here = _mm_load_si128((const __m128i *)positions[group]);
		_mm_storeu_si128((__m128i *)(to + before), _mm_add_epi8(here, _mm_set1_epi8((char)first)));
	}
	return __builtin_popcountll(set);
}

/* Always inlined, so that there is a loop for each number of groups, and none over them. */
FAST __attribute__((always_inline)) static inline void
unpack_groups(const uint64_t *mask, uint64_t count, uint32_t n, unsigned n_groups, bool inverted,
              bool past_caches, int32_t *to, int64_t at, int64_t *end)
{
	uint8_t room[PAGE + VECTOR + BLOCK * 64 + SPILL];
	uint8_t *const buffer = room + (BUFFER - (uintptr_t)room) % PAGE, *full = buffer;
	/* stores past the caches take whole vectors at their multiples */
	uint64_t before = past_caches ? -(uintptr_t)to % sizeof(__m256i) / sizeof *to : 0;
	for (uint64_t s = 0; s < count;) {
		const uint64_t block = count - s < BLOCK ? count : s + BLOCK;
		for (; s < block; s++) {
			const int64_t size = put(members(mask[s], n, inverted), n_groups, full);
			full += size;
			at += size;
			if (past_caches)
				_mm_stream_si64((long long *)&end[s], at);
			else
				end[s] = at;
		}
		const uint8_t *from = buffer;
		for (; before && from < full; before--)
			*to++ = *from++;
		for (; full - from >= VECTOR; from += VECTOR, to += VECTOR) {
			const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from));
			if (past_caches)
				_mm256_stream_si256((__m256i *)to, wide);
			else
				_mm256_storeu_si256((__m256i *)to, wide);
		}
		full -= from - buffer;
		memmove(buffer, from, VECTOR); /* less than a vector waits for the next block */
	}
	for (const uint8_t *from = buffer; from < full; from++)
		*to++ = *from;
	if (past_caches)
		_mm_sfence(); /* so that whoever is told that it is written finds it written */
}

FAST static void unpack_fast(const uint64_t *mask, uint64_t count, uint32_t n, bool inverted,
                             int32_t *to, int64_t at, int64_t *end)
{
	const bool past_caches = at >= PAST_CACHES;
#define CASE(groups)                                                                               \
	case groups:                                                                                   \
		if (past_caches)                                                                           \
			unpack_groups(mask, count, n, groups, inverted, true, to, at, end);                    \
		else                                                                                       \
			unpack_groups(mask, count, n, groups, inverted, false, to, at, end);                   \
		break
	switch ((n + GROUP - 1) / GROUP) {
		CASE(1);
		CASE(2);
		CASE(3);
		CASE(4);
		CASE(5);
		CASE(6);
		CASE(7);
		CASE(8);
	default: /* no features, all sets are empty */
		symcf_unpack_portable(mask, count, n, inverted, to, at, end);
	}
#undef CASE
}

static bool is_fast(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

#else
#define unpack_fast symcf_unpack_portable
static bool is_fast(void)
{
	return false;
}
#endif

void symcf_unpack(const uint64_t *mask, uint64_t count, uint32_t n, bool inverted, int32_t *to,
                  int64_t at, int64_t *end)
{
	if (is_fast())
		unpack_fast(mask, count, n, inverted, to, at, end);
	else
		symcf_unpack_portable(mask, count, n, inverted, to, at, end);
}
