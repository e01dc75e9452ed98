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

symcf_status symcf_sets_sort(symcf_sets *s, const int64_t *cost)
{
	entry *entries = symcf_allocate(s->n_sets, sizeof *entries);
	uint32_t *features = symcf_allocate(s->n_features, sizeof *features);
	if (!entries || !features) {
		symcf_free(entries);
		symcf_free(features);
		return SYMCF_NO_MEMORY;
	}
	uint64_t start = 0;
	for (uint64_t i = 0; i < s->n_sets; start = s->end[i++]) {
		entry *e = &entries[i];
		*e = (entry){0, (uint32_t)(s->end[i] - start), s->features + start};
		for (uint32_t j = 0; j < e->size; j++)
			e->cost += cost ? cost[e->features[j]] : 1;
	}
	qsort(entries, s->n_sets, sizeof *entries, compare_entries);
	uint64_t used = 0;
	for (uint64_t i = 0; i < s->n_sets; i++) {
		memcpy(features + used, entries[i].features, entries[i].size * sizeof *features);
		s->end[i] = used += entries[i].size;
	}
	symcf_free(s->features);
	s->features = features;
	s->cap_features = s->n_features;
	symcf_free(entries);
	return SYMCF_OK;
}
