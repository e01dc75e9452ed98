/* sets.c: growing lists of change sets, and their one true order. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "symcf.h"

symcf_status symcf_sets_push(symcf_sets *s, const uint32_t *features, uint32_t size)
{
	if (!symcf_grow(&s->features, &s->cap_features, s->n_features + size, sizeof *s->features) ||
	    !symcf_grow(&s->end, &s->cap_sets, s->n_sets + 1, sizeof *s->end))
		return SYMCF_NO_MEMORY;
	if (size) /* an empty list may have no arrays yet */
		memcpy(s->features + s->n_features, features, size * sizeof *features);
	s->end[s->n_sets++] = s->n_features += size;
	return SYMCF_OK;
}

void symcf_sets_clear(symcf_sets *s)
{
	s->n_sets = s->n_features = 0;
}

void symcf_sets_free_arrays(symcf_sets *s)
{
	symcf_free(s->features);
	symcf_free(s->end);
	memset(s, 0, sizeof *s);
}

/* A set as the sort sees it. */
typedef struct entry {
	int64_t cost;
	uint32_t size;
	const uint32_t *features;
} entry;

static int compare_entries(const void *left, const void *right)
{
	const entry *a = left, *b = right;
	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	for (uint32_t i = 0; i < a->size; i++)
		if (a->features[i] != b->features[i])
			return a->features[i] < b->features[i] ? -1 : 1;
	return 0;
}

/* Describes the sets from `first` on; their features begin at `start`. */
static void describe(const symcf_sets *s, uint64_t first, uint64_t start, const int64_t *cost,
                     entry *entries)
{
	for (uint64_t i = first; i < s->n_sets; start = s->end[i++]) {
		entry *e = &entries[i - first];
		*e = (entry){0, (uint32_t)(s->end[i] - start), s->features + start};
		for (uint32_t j = 0; j < e->size; j++)
			e->cost += cost ? cost[e->features[j]] : 1;
	}
}

symcf_status symcf_sets_sort_from(symcf_sets *s, uint64_t first, const int64_t *cost)
{
	const uint64_t start = first ? s->end[first - 1] : 0, count = s->n_sets - first;
	entry *entries = symcf_allocate(count, sizeof *entries);
	uint32_t *features = symcf_allocate(s->n_features - start, sizeof *features);
	if (!entries || !features) {
		symcf_free(entries);
		symcf_free(features);
		return SYMCF_NO_MEMORY;
	}
	describe(s, first, start, cost, entries);
	qsort(entries, count, sizeof *entries, compare_entries);
	uint64_t used = 0;
	for (uint64_t i = 0; i < count; i++) {
		if (entries[i].size)
			memcpy(features + used, entries[i].features, entries[i].size * sizeof *features);
		used += entries[i].size;
		s->end[first + i] = start + used;
	}
	if (used)
		memcpy(s->features + start, features, used * sizeof *features);
	symcf_free(features);
	symcf_free(entries);
	return SYMCF_OK;
}
