/* unpack.h (private): change sets as bit masks -> as lists of features.
 *
 * In a mask feature j is bit n - 1 - j, a 1 for a member, or a 0 if the masks are `inverted`; bits
 * above these n do not matter. (The keys of cover_masks.c are inverted.)
 */
#ifndef SYMCF_UNPACK_H
#define SYMCF_UNPACK_H

#include "symcf.h"

/* Writes the features of `count` sets to `to`, ascending, one set after the other.
 * requires: n <= 64, and room for exactly these features: nothing behind them is touched.
 * ensures: end[s] is `at` and the number of features of the sets up to and with s. */
void symcf_unpack(const uint64_t *mask, uint64_t count, uint32_t n, bool inverted, int32_t *to,
                  int64_t at, int64_t *end);

/* The same on any processor; for the tests, the other ones have it from symcf_unpack. */
void symcf_unpack_portable(const uint64_t *mask, uint64_t count, uint32_t n, bool inverted,
                           int32_t *to, int64_t at, int64_t *end);

#endif
