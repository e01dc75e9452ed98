/* mcs_diagram.c: change sets by the diagram alone, of a function that is monotone in each feature.
 *
 * A feature is kept or changed, and the caller has said to which value: the one nearest to the wanted
 * sink. So whatever number of values features have, the instance sees a binary diagram (mcs_view):
 * fixed features are skipped, branches say "kept" and "changed". Taking a change back never helps,
 * which makes shrinking and rotating (mcs.c) walks down that diagram.
 */
#include <string.h>

#include "mcs_internal.h"
#include "memory.h"

#define NOWHERE UINT32_MAX

void symcf_mcs_view_lay_out(arena *a, symcf_mcs *e)
{
	mcs_view *v = &e->view;
	const uint64_t n = e->n, n_nodes = e->d->n_nodes;
	v->feature = symcf_arena_take(a, n, sizeof *v->feature);
	v->place = symcf_arena_take(a, n, sizeof *v->place);
	v->changed = symcf_arena_take(a, n, sizeof *v->changed);
	v->at = symcf_arena_take(a, n_nodes, sizeof *v->at);
	v->next = symcf_arena_take(a, n_nodes, 2 * sizeof *v->next);
}

/* The first node of a movable feature, or the sink, on the instance's way from u. */
static uint32_t skip(const mcs_view *v, uint32_t u)
{
	return u > 1 && v->at[u] == NOWHERE ? v->next[2 * (uint64_t)u] : u;
}

/* Children come before parents, so one pass suffices. */
void symcf_mcs_view_make(symcf_mcs *e, const symcf_instance *x)
{
	const symcf_diagram *d = e->d;
	const uint32_t *codes = x->codes;
	mcs_view *v = &e->view;
	v->m = 0;
	for (uint32_t i = 0; i < e->n; i++) {
		const uint32_t j = x->order[i];
		v->place[j] = e->fixed[j] ? NOWHERE : v->m;
		if (!e->fixed[j])
			v->feature[v->m++] = j;
	}
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const uint32_t j = d->order[d->level[u]];
		const uint32_t *child = symcf_children(d, u);
		v->at[u] = v->place[j];
		v->next[2 * (uint64_t)u] = skip(v, child[codes[2 * (uint64_t)j]]);
		v->next[2 * (uint64_t)u + 1] = skip(v, child[codes[2 * (uint64_t)j + 1]]);
	}
	v->root = skip(v, d->root);
}

static bool flips(const symcf_mcs *e)
{
	const mcs_view *v = &e->view;
	uint32_t u = v->root;
	while (u > 1)
		u = v->next[2 * (uint64_t)u + v->changed[v->at[u]]];
	return u == e->sink;
}

/* Takes back what is changed in vain, the least helpful first, and lists what is left in
 * e->set, ascending. requires: flips. ensures: the size of the set. */
static uint32_t shrink(symcf_mcs *e)
{
	mcs_view *v = &e->view;
	uint32_t size = 0;
	for (uint32_t p = v->m; p-- > 0;) {
		if (!v->changed[p])
			continue;
		v->changed[p] = 0;
		if (flips(e))
			continue;
		v->changed[p] = 1;
		uint32_t i = size++;
		for (; i > 0 && e->set[i - 1] > v->feature[p]; i--)
			e->set[i] = e->set[i - 1];
		e->set[i] = v->feature[p];
	}
	return size;
}

/* Changes what is kept from this position on, until it flips. */
static bool extend(symcf_mcs *e, uint32_t from)
{
	for (uint32_t p = from; p < e->view.m; p++) {
		if (e->view.changed[p])
			continue;
		e->view.changed[p] = 1;
		if (flips(e))
			return true;
	}
	return false;
}

static void change_places(mcs_view *v, const uint32_t *places, uint32_t size)
{
	memset(v->changed, 0, v->m);
	for (uint32_t i = 0; i < size; i++)
		v->changed[places[i]] = 1;
}

/* Adds the set that is left when changes from this position on have made it flip, if they can. */
static symcf_status add_extension(symcf_mcs *e, uint32_t from)
{
	if (!extend(e, from))
		return SYMCF_OK;
	const uint32_t size = shrink(e);
	bool is_new = false;
	if (size <= e->max_changes)
		TRY(symcf_mcs_found_add(&e->found, e->set, size, &is_new));
	e->statistics.rotated += is_new;
	return SYMCF_OK;
}

symcf_status symcf_mcs_rotate_nothing(symcf_mcs *e)
{
	change_places(&e->view, NULL, 0);
	return add_extension(e, 0);
}

symcf_status symcf_mcs_rotate(symcf_mcs *e, uint64_t index, symcf_control *control)
{
	uint32_t size;
	const uint32_t *set = symcf_mcs_found_get(&e->found, index, &size);
	for (uint32_t i = 0; i < size; i++)
		e->places[i] = e->view.place[set[i]];
	for (uint32_t i = 0; i < size; i++) {
		change_places(&e->view, e->places, size);
		e->view.changed[e->places[i]] = 0;
		TRY(add_extension(e, e->places[i] + 1));
		TRY(symcf_tick(control, 10 * e->view.m));
	}
	return SYMCF_OK;
}

symcf_status symcf_mcs_grow_by_diagram(symcf_mcs *e, uint32_t *size)
{
	for (uint32_t i = 0; i < *size; i++)
		e->places[i] = e->view.place[e->set[i]];
	change_places(&e->view, e->places, *size);
	if (!flips(e))
		return SYMCF_INTERNAL;
	*size = shrink(e);
	return SYMCF_OK;
}
