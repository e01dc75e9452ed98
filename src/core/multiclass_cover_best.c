/* multiclass_cover_best.c: the k first changes to any other class by (cost, size, features), exactly.
 *
 * Where there are few, they are listed and sorted. Otherwise:
 *
 * Every change set is a minimal cover of some rival (multiclass_cover.c), and symcf_cover_best gives the
 * minimal covers of a rival in order. So each rival has a list of which a first part is known, and
 * what comes up to the end of every known part is final: no other change set can come before it. The
 * *frontier* is the rival whose known part ends first, of those that have more. As long as fewer
 * than k change sets come up to its end, its part is made longer.
 *
 * A rival that needs many changes is asked for a few covers once: their costs are beyond the others'.
 * A part grows by a factor, so that asking again and again from the beginning costs little more than
 * the last time. */
#include <string.h>

#include "memory.h"
#include "multiclass_cover.h"

enum { FIRST_PART = 16, GROWTH = 4 };

/* The known part of a rival's list. */
typedef struct part {
	uint64_t asked, known;
	bool whole; /* all of the list is known       */
	/* the last of it, unless it is whole */
	int64_t cost;
	uint32_t size;
	uint32_t *features; /* n */
} part;

typedef struct ranking {
	const symcf_multiclass_cover *e;
	const symcf_query *q;
	uint64_t k;
	part *part;        /* by able rival                        */
	uint32_t *ends;    /* holds all their features             */
	symcf_sets covers; /* of a rival, when asked               */
	symcf_sets found;  /* change sets, in order                */
} ranking;

static int64_t cost_of(const symcf_query *q, const uint32_t *features, uint32_t size)
{
	int64_t cost = 0;
	for (uint32_t i = 0; i < size; i++)
		cost += q->cost ? q->cost[features[i]] : 1;
	return cost;
}

/* Does the set come before the end of the part, or is it its end? */
static bool is_within(const part *p, int64_t cost, const uint32_t *features, uint32_t size)
{
	if (cost != p->cost)
		return cost < p->cost;
	if (size != p->size)
		return size < p->size;
	for (uint32_t i = 0; i < size; i++)
		if (features[i] != p->features[i])
			return features[i] < p->features[i];
	return true;
}

static uint64_t start_of(const symcf_sets *s, uint64_t i)
{
	return i ? s->end[i - 1] : 0;
}

static uint32_t size_of(const symcf_sets *s, uint64_t i)
{
	return (uint32_t)(s->end[i] - start_of(s, i));
}

static void remember_end(const ranking *g, part *p)
{
	const uint64_t last = p->known - 1;
	const uint32_t *features = g->covers.features + start_of(&g->covers, last);
	p->size = size_of(&g->covers, last);
	p->cost = cost_of(g->q, features, p->size);
	memcpy(p->features, features, p->size * sizeof *features);
}

/* Makes the rival's part longer, and keeps what is new in it. */
static symcf_status ask(ranking *g, uint32_t r, symcf_control *control)
{
	part *p = &g->part[r];
	symcf_sets *covers = &g->covers;
	p->asked = p->asked ? p->asked * GROWTH : FIRST_PART;
	symcf_sets_clear(covers);
	symcf_status status = symcf_cover_best(g->e->able[r]->t, g->q, p->asked, control, covers);
	for (uint64_t i = p->known; i < covers->n_sets && !status; i++) {
		const uint32_t *features = covers->features + start_of(covers, i);
		const uint32_t size = size_of(covers, i);
		if (symcf_multiclass_cover_accept(g->e, r, features, size))
			status = symcf_sets_push(&g->found, features, size);
		if (!status)
			status = symcf_tick(control, size * g->e->n_able);
	}
	if (status)
		return status;
	p->known = covers->n_sets;
	p->whole = p->known < p->asked;
	if (!p->whole)
		remember_end(g, p);
	return symcf_sets_sort_from(&g->found, 0, g->q->cost, control);
}

/* The rival whose part ends first; NULL if all lists are known. */
static part *frontier(const ranking *g)
{
	part *first = NULL;
	for (uint32_t r = 0; r < g->e->n_able; r++) {
		part *p = &g->part[r];
		if (!p->whole && (!first || is_within(first, p->cost, p->features, p->size)))
			first = p;
	}
	return first;
}

/* Are the first k sets final if nothing before the end of the part is missing? */
static bool are_final(const ranking *g, const part *p)
{
	if (g->found.n_sets < g->k)
		return false;
	const uint32_t *features = g->found.features + start_of(&g->found, g->k - 1);
	const uint32_t size = size_of(&g->found, g->k - 1);
	return is_within(p, cost_of(g->q, features, size), features, size);
}

static symcf_status rank(ranking *g, symcf_control *control)
{
	symcf_status status = SYMCF_OK;
	for (uint32_t r = 0; r < g->e->n_able && !status; r++)
		status = ask(g, r, control);
	for (const part *p; !status && (p = frontier(g)) && !are_final(g, p);)
		status = ask(g, (uint32_t)(p - g->part), control);
	return status;
}

static symcf_status open_ranking(ranking *g)
{
	const uint32_t n_able = g->e->n_able;
	g->part = symcf_allocate_zeroed(n_able, sizeof *g->part);
	g->ends = symcf_allocate((uint64_t)g->e->n * n_able, sizeof *g->ends);
	if (!g->part || !g->ends)
		return symcf_no_memory();
	for (uint32_t r = 0; r < n_able; r++)
		g->part[r].features = g->ends + (uint64_t)g->e->n * r;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the result --------------- */

/* Appends the first k; on failure *sets is as it was. */
static symcf_status append_first(const symcf_sets *found, uint64_t k, symcf_sets *sets)
{
	const uint64_t n_sets = sets->n_sets, n_features = sets->n_features;
	symcf_status status = SYMCF_OK;
	for (uint64_t i = 0; i < found->n_sets && i < k && !status; i++)
		status = symcf_sets_push(sets, found->features + start_of(found, i), size_of(found, i));
	if (status) {
		sets->n_sets = n_sets;
		sets->n_features = n_features;
	}
	return status;
}

symcf_status symcf_multiclass_cover_rank(const symcf_multiclass_cover *e, const symcf_query *q,
                                         uint64_t k, symcf_control *control, symcf_sets *sets)
{
	ranking g = {.e = e, .q = q, .k = k};
	symcf_status status = open_ranking(&g);
	if (!status)
		status = rank(&g, control);
	if (!status)
		status = append_first(&g.found, k, sets);
	symcf_sets_free_arrays(&g.covers);
	symcf_sets_free_arrays(&g.found);
	symcf_free(g.part);
	symcf_free(g.ends);
	return status;
}

/* ensures: SYMCF_MORE, and nothing is appended, if there are too many to list them all. */
static symcf_status rank_few(symcf_multiclass_cover *e, const symcf_query *q, uint64_t k,
                             symcf_control *control, symcf_sets *sets)
{
	enum { FEW = 1000, MANY = 1 << 20 };
	const uint64_t limit = k < FEW / 4 ? FEW : k < MANY / 4 ? 4 * k : MANY;
	symcf_sets found = {0};
	symcf_status status = symcf_multiclass_cover_list_few(e, control, limit, &found);
	if (!status)
		status = symcf_sets_sort_from(&found, 0, q->cost, control);
	if (!status)
		status = append_first(&found, k, sets);
	symcf_sets_free_arrays(&found);
	return status;
}

symcf_status symcf_multiclass_cover_best(const symcf_threshold *const *rival, uint32_t n_rivals,
                                         const symcf_query *q, uint64_t k, symcf_control *control,
                                         symcf_sets *sets)
{
	symcf_multiclass_cover *e = NULL;
	symcf_status status = symcf_multiclass_cover_open(rival, n_rivals, q, &e);
	if (!status && k)
		status = rank_few(e, q, k, control, sets);
	if (status == SYMCF_MORE)
		status = symcf_multiclass_cover_rank(e, q, k, control, sets);
	symcf_multiclass_cover_free(e);
	return status;
}
