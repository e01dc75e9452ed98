/* sets.c: growing lists of change sets, and their one true order. */
#include <string.h>

#include "memory.h"
#include "symcf.h"

symcf_status symcf_sets_push(symcf_sets *s, const uint32_t *features, uint32_t size)
{
	if (!symcf_grow(&s->features, &s->cap_features, s->n_features + size, sizeof *s->features) ||
	    !symcf_grow(&s->end, &s->cap_sets, s->n_sets + 1, sizeof *s->end))
		return symcf_no_memory();
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

symcf_status symcf_sets_append(symcf_sets *s, const symcf_sets *more)
{
	if (!symcf_grow(&s->features, &s->cap_features, s->n_features + more->n_features,
	                sizeof *s->features) ||
	    !symcf_grow(&s->end, &s->cap_sets, s->n_sets + more->n_sets, sizeof *s->end))
		return symcf_no_memory();
	if (more->n_features)
		memcpy(s->features + s->n_features, more->features, more->n_features * sizeof *s->features);
	for (uint64_t i = 0; i < more->n_sets; i++)
		s->end[s->n_sets + i] = s->n_features + more->end[i];
	s->n_sets += more->n_sets;
	s->n_features += more->n_features;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ order -------------------- */

/* A set as the sort sees it. `head` holds its first four features, 16 bits each, so that few
 * comparisons look at the features themselves. All heads are 0 if a number needs more bits. */
typedef struct entry {
	int64_t cost;
	uint64_t head;
	const uint32_t *features;
	uint32_t size;
} entry;

static bool comes_before(const entry *a, const entry *b, void *unused)
{
	(void)unused;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->size != b->size)
		return a->size < b->size;
	if (a->head != b->head)
		return a->head < b->head;
	for (uint32_t i = 0; i < a->size; i++)
		if (a->features[i] != b->features[i])
			return a->features[i] < b->features[i];
	return false;
}

#define SORT_NAME sort_entries
#define SORT_TYPE entry
#define SORT_BEFORE comes_before
#include "sort.h"

static uint64_t head_of(const uint32_t *features, uint32_t size)
{
	uint64_t head = 0;
	for (uint32_t j = 0; j < 4; j++)
		head = head << 16 | (j < size ? features[j] : 0);
	return head;
}

/* Work units of one comparison and one copy, and of reading or writing one feature. */
enum { WORK_AN_ENTRY = 10, WORK_A_FEATURE = 1 };

/* Describes the sets from `first` on; their features begin at `start`. */
static symcf_status describe(const symcf_sets *s, uint64_t first, uint64_t start,
                             const int64_t *cost, const int64_t *set_cost, symcf_control *control,
                             entry *entries)
{
	bool short_numbers = true;
	symcf_status status = SYMCF_OK;
	for (uint64_t i = first; i < s->n_sets && !status; start = s->end[i++]) {
		entry *e = &entries[i - first];
		*e = (entry){0, 0, s->features + start, (uint32_t)(s->end[i] - start)};
		for (uint32_t j = 0; j < e->size; j++)
			e->cost += cost ? cost[e->features[j]] : 1;
		if (set_cost)
			e->cost = set_cost[i - first];
		e->head = head_of(e->features, e->size);
		/* features ascend */
		short_numbers = short_numbers && (!e->size || e->features[e->size - 1] <= UINT16_MAX);
		status = symcf_tick(control, WORK_AN_ENTRY + e->size * WORK_A_FEATURE);
	}
	for (uint64_t i = 0; i < s->n_sets - first && !short_numbers && !status; i++) {
		entries[i].head = 0;
		status = symcf_tick(control, WORK_AN_ENTRY);
	}
	return status;
}

/* Copies the features in their new order to `features`. */
static symcf_status gather(const entry *entries, uint64_t count, symcf_control *control,
                           uint32_t *features)
{
	symcf_status status = SYMCF_OK;
	uint64_t used = 0;
	for (uint64_t i = 0; i < count && !status; i++) {
		if (entries[i].size)
			memcpy(features + used, entries[i].features, entries[i].size * sizeof *features);
		used += entries[i].size;
		status = symcf_tick(control, WORK_AN_ENTRY + entries[i].size * WORK_A_FEATURE);
	}
	return status;
}

/* Puts the sets into the order of `sorted`, whose features are in `features`. Nothing stops this: the
 * list is in the old order or in the new one. Many features are taken over instead of copied, which
 * would take long; few are copied, since the list's own array has room for more. */
static void adopt(symcf_sets *s, uint64_t first, uint64_t start, const entry *sorted,
                  uint32_t **features)
{
	enum { MANY = 1 << 20 };
	uint64_t used = start;
	for (uint64_t i = first; i < s->n_sets; i++)
		s->end[i] = used += sorted[i - first].size;
	if (start || used < MANY) {
		memcpy(s->features + start, *features, (used - start) * sizeof **features);
	} else {
		uint32_t *const old = s->features;
		s->features = *features;
		s->cap_features = s->n_features;
		*features = old;
	}
}

static symcf_status sort(symcf_sets *s, uint64_t first, const int64_t *cost,
                         const int64_t *set_cost, symcf_control *control)
{
	const uint64_t start = first ? s->end[first - 1] : 0, count = s->n_sets - first;
	if (count < 2)
		return SYMCF_OK;
	entry *entries = symcf_allocate(count, sizeof *entries);
	entry *spare = symcf_allocate(count, sizeof *spare);
	uint32_t *features = symcf_allocate(s->n_features - start, sizeof *features);
	symcf_status status = entries && spare && features ? SYMCF_OK : symcf_no_memory();
	if (!status)
		status = describe(s, first, start, cost, set_cost, control, entries);
	if (!status)
		status = sort_entries(entries, spare, count, NULL, control);
	if (!status)
		status = gather(entries, count, control, features);
	if (!status)
		adopt(s, first, start, entries, &features);
	symcf_free(features);
	symcf_free(spare);
	symcf_free(entries);
	return status;
}

symcf_status symcf_sets_sort_from(symcf_sets *s, uint64_t first, const int64_t *cost,
                                  symcf_control *control)
{
	return sort(s, first, cost, NULL, control);
}

symcf_status symcf_sets_sort_priced(symcf_sets *s, uint64_t first, const int64_t *set_cost,
                                    symcf_control *control)
{
	return sort(s, first, NULL, set_cost, control);
}
