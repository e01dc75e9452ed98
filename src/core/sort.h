/* sort.h (private): the one sort by comparisons. Included once per kind of entry, so that comparisons are inlined:
 *
 *   static bool comes_before(const entry *a, const entry *b, void *context);    a strict order
 *
 *   #define SORT_NAME sort_entries
 *   #define SORT_TYPE entry
 *   #define SORT_BEFORE comes_before
 *   #include "sort.h"
 *
 *   sort_entries(list, spare, count, context, control);
 *
 * A natural merge sort, stable, in time O(count log runs): what comes in order takes one pass, what was sorted in parts
 * takes few. `spare` has room for `count` entries; no memory is taken, which qsort does not promise. `control` may be
 * NULL; then the result is SYMCF_OK. Otherwise, when it is stopped, the list is no longer of use.
 *
 * Runs wait on a stack and are merged with a neighbour before they are half as long as one that comes later, so that
 * lengths on it grow by a factor from top to bottom and 64 bits of count need fewer than 128 places. */
#include <assert.h>
#include <string.h>

#include "symcf.h"
#include "try.h"

#define SORT_JOIN_(a, b) a##b
#define SORT_JOIN(a, b) SORT_JOIN_(a, b)
#define SORT_RUN SORT_JOIN(SORT_NAME, _run)
#define SORT_MERGE SORT_JOIN(SORT_NAME, _merge)

/* The length of the run that list[0..count) begins with; a short one is made longer by insertion. */
static inline uint64_t SORT_RUN(SORT_TYPE *list, uint64_t count, void *context)
{
	enum { SHORT = 24 };
	uint64_t length = 1;
	while (length < count && !SORT_BEFORE(&list[length], &list[length - 1], context))
		length++;
	for (; length < count && length < SHORT; length++) {
		const SORT_TYPE moved = list[length];
		uint64_t at = length;
		for (; at && SORT_BEFORE(&moved, &list[at - 1], context); at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
	return length;
}

/* Merges list[0..middle) and list[middle..count). The first of them waits in `spare`. */
static inline symcf_status SORT_MERGE(SORT_TYPE *list, SORT_TYPE *spare, uint64_t middle,
                                      uint64_t count, void *context, symcf_control *control)
{
	enum { AT_ONCE = 1024, WORK = 10 };
	uint64_t a = 0, b = middle, to = 0;
	memcpy(spare, list, middle * sizeof *list);
	while (a < middle && b < count) {
		const uint64_t begin = to, end = to + AT_ONCE;
		for (; to < end && a < middle && b < count; to++)
			list[to] = SORT_BEFORE(&list[b], &spare[a], context) ? list[b++] : spare[a++];
		TRY(symcf_tick(control, (uint32_t)(to - begin) * WORK));
	}
	memcpy(list + to, spare + a, (middle - a) * sizeof *list); /* the rest of the second is there */
	return SYMCF_OK;
}

static inline symcf_status SORT_NAME(SORT_TYPE *list, SORT_TYPE *spare, uint64_t count,
                                     void *context, symcf_control *control)
{
	enum { MOST_RUNS = 128 };
	uint64_t start[MOST_RUNS + 1]; /* where the runs begin, and the last one ends */
	uint32_t n_runs = 0;
	start[0] = 0;
	for (uint64_t at = 0; at < count;) {
		const uint64_t length = SORT_RUN(list + at, count - at, context);
		at += length;
		assert(n_runs < MOST_RUNS);
		start[++n_runs] = at;
		TRY(symcf_tick(control,
		               (uint32_t)(length < UINT32_MAX / 16 ? 4 * length : UINT32_MAX / 4)));
		while (n_runs > 1 && (at == count || start[n_runs - 1] - start[n_runs - 2] <=
		                                         2 * (at - start[n_runs - 1]))) {
			const uint64_t first = start[n_runs - 2];
			TRY(SORT_MERGE(list + first, spare, start[n_runs - 1] - first, at - first, context,
			               control));
			start[--n_runs] = at;
		}
	}
	return SYMCF_OK;
}

#undef SORT_JOIN_
#undef SORT_JOIN
#undef SORT_RUN
#undef SORT_MERGE
#undef SORT_NAME
#undef SORT_TYPE
#undef SORT_BEFORE
