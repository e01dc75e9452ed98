/* change_sets.h: all change sets by trying every set of features, and sets compared. */
#ifndef SYMCF_TEST_CHANGE_SETS_H
#define SYMCF_TEST_CHANGE_SETS_H

#include <string.h>

#include "../../src/core/symcf.h"
#include "check.h"

/* The minimal sets of n <= 12 features that flip the decision, in the one true order; flip[mask] says
 * whether changing the features of the mask can. */
static inline void minimal_masks(const bool *flip, uint32_t n, const symcf_query *q,
                                 symcf_sets *sets)
{
	symcf_sets_clear(sets);
	for (uint32_t mask = 0; mask < 1u << n; mask++) {
		uint32_t features[12], size = 0;
		bool minimal = flip[mask];
		for (uint32_t j = 0; j < n; j++) {
			if (!(mask >> j & 1))
				continue;
			features[size++] = j;
			minimal = minimal && !flip[mask & ~(1u << j)];
		}
		if (minimal && size <= q->max_changes)
			CHECK(symcf_sets_push(sets, features, size) == SYMCF_OK);
	}
	CHECK(symcf_sets_sort_from(sets, 0, q->cost, NULL) == SYMCF_OK);
}

/* Are the sets of `got` the first ones of `wanted`? */
static inline bool is_prefix(const symcf_sets *got, const symcf_sets *wanted)
{
	return got->n_sets <= wanted->n_sets && got->n_features <= wanted->n_features &&
	       (!got->n_sets ||
	        (!memcmp(got->end, wanted->end, got->n_sets * sizeof *got->end) &&
	         !memcmp(got->features, wanted->features, got->n_features * sizeof *got->features)));
}

static inline bool same_sets(const symcf_sets *got, const symcf_sets *wanted)
{
	return got->n_sets == wanted->n_sets && is_prefix(got, wanted);
}

#endif
