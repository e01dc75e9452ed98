/* ensemble_choose.c: which values of a change set are the cheapest. The box oracle of few features goes
 * through all boxes that may hold a better point than the best so far; a scene in which only the
 * features of the set may change has few leaves. */
#include <string.h>

#include "ensemble.h"
#include "memory.h"
#include "try.h"

/* What the scene may become: the values of the features that have a cost. */
static void allow(const symcf_ensemble *e, const uint32_t *features, uint32_t size,
                  const int64_t *cost, uint8_t *allowed)
{
	memset(allowed, 0, e->value_offset[e->n]);
	for (uint32_t i = 0; i < size; i++)
		for (uint32_t v = e->value_offset[features[i]]; v < e->value_offset[features[i] + 1]; v++)
			allowed[v] = cost[v] >= 0;
}

static symcf_status search(const ensemble_scene *s, ensemble_box *b, const uint32_t *features,
                           uint32_t size, const int64_t *cost, symcf_control *control)
{
	bool found;
	b->cost = cost;
	TRY(symcf_ensemble_box_begin(b, features, size));
	memcpy(b->base, s->base, s->n_columns * sizeof *b->base);
	for (uint64_t i = 0; i < s->n_leaves; i++)
		TRY(symcf_ensemble_box_add(b, i));
	if (s->all)
		return symcf_ensemble_box_search(b, ENSEMBLE_ALL, control, &found);
	for (uint32_t c = 0; c < s->n_columns; c++)
		TRY(symcf_ensemble_box_search(b, c, control, &found));
	return SYMCF_OK;
}

symcf_status symcf_ensemble_choose(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                   uint32_t sink, const uint32_t *features, uint32_t size,
                                   const int64_t *cost, symcf_control *control, bool *found,
                                   uint32_t *codes, int64_t *total)
{
	ensemble_scene s;
	ensemble_box b = {0};
	uint8_t *allowed = symcf_allocate((uint64_t)e->value_offset[e->n] + 1, sizeof *allowed);
	symcf_status status = symcf_ensemble_scene_open(e, &s);
	if (!allowed)
		status = symcf_no_memory();
	if (!status) {
		allow(e, features, size, cost, allowed);
		const symcf_query within = {q->x, allowed, NULL, UINT32_MAX, false};
		status = symcf_ensemble_scene_set(&s, &within, k, sink, UINT32_MAX, control);
	}
	if (!status)
		status = symcf_ensemble_box_open(&s, &b);
	if (!status)
		status = search(&s, &b, features, size, cost, control);
	if (!status) {
		*found = b.best_cost < INT64_MAX;
		*total = b.best_cost;
		if (size)
			memcpy(codes, b.best, size * sizeof *codes);
	}
	symcf_ensemble_box_close(&b);
	symcf_ensemble_scene_close(&s);
	symcf_free(allowed);
	return status;
}
