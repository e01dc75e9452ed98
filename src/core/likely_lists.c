/* likely_lists.c: lists of choices of values for the features of a set; see likely_cover.c. */
#include <string.h>

#include "likely_cover.h"
#include "memory.h"
#include "try.h"

enum { LONG_LIST = 12 }; /* choices from which on it pays to look for some that do not matter */

/* A neighbour that does not change: it was left, or comes later. regret: of the own cell by cell, if later. */
static void take_neighbour(const symcf_likely_cover *e, likely_place *at, const likely_bond *k,
                           uint32_t cell, const int64_t *regret)
{
	const int64_t *table = k->table + (uint64_t)cell * k->other;
	const uint32_t cells = e->l->cells[at->position];
	const int64_t own = table[(uint64_t)at->own * k->step];
	for (uint32_t v = 0; v < cells; v++) {
		const int64_t loss = table[(uint64_t)v * k->step];
		at->full[v] += loss - own;
		at->regret[v] += regret ? regret[v] : own - loss;
		if (!regret)
			at->loss[v] += loss - (k->less ? k->less[cell] : 0);
	}
}

void symcf_likely_look(const symcf_likely_cover *e, const likely_part *s, uint32_t p,
                       likely_place *at)
{
	const symcf_likely *l = e->l;
	const uint32_t cells = l->cells[p], own = e->own[p], up = l->up[p];
	at->position = p;
	at->own = own;
	at->n_links = 0;
	at->links = e->links;
	for (uint32_t v = 0; v < cells; v++)
		at->loss[v] = at->full[v] = at->regret[v] = 0;
	const likely_bond above = {.table = e->loss + l->start[p], .step = 1, .other = cells};
	if (up == SYMCF_LIKELY_ROOT) {
		take_neighbour(e, at, &above, 0, NULL);
	} else if (s->rank[up] >= 0) {
		at->links[at->n_links] = above;
		at->links[at->n_links++].rank = (uint32_t)s->rank[up];
	} else if (likely_knows(s, up)) {
		take_neighbour(e, at, &above, e->own[up], NULL);
	} else {
		take_neighbour(e, at, &above, e->own[up], e->regret + e->regret_start[p] + own * cells);
		for (uint32_t v = 0; v < cells; v++)
			at->loss[v] += e->least[l->cell_start[p] + v];
	}
	for (uint32_t i = l->child_start[p]; i < l->child_start[p + 1]; i++) {
		const uint32_t child = l->child[i];
		const likely_bond below = {.table = e->loss + l->start[child],
		                           .less = e->least + l->cell_start[child],
		                           .step = l->cells[child],
		                           .other = 1};
		if (s->rank[child] >= 0) {
			at->links[at->n_links] = below;
			at->links[at->n_links++].rank = (uint32_t)s->rank[child];
		} else {
			const int64_t *regret = e->regret_above + e->regret_above_start[child] + own * cells;
			take_neighbour(e, at, &below, e->own[child], likely_knows(s, child) ? NULL : regret);
		}
	}
}

static inline void copy_cells(symcf_likely_cover *e, uint64_t from, uint64_t to, uint32_t depth)
{
	const uint64_t stride = likely_stride(e);
	for (uint32_t i = 0; i < depth; i += 8)
		memcpy(e->cells + to * stride + i, e->cells + from * stride + i, 8);
}

static inline void add(symcf_likely_cover *e, const likely_part *s, likely_extension *x,
                       uint64_t from, likely_choice c, uint32_t cell)
{
	const uint64_t to = x->first + x->count++;
	e->choices[to] = c;
	copy_cells(e, from, to, s->depth);
	e->cells[to * likely_stride(e) + s->depth] = (uint8_t)cell;
	x->reached = c.gain >= e->deficit && c.full <= e->slack;
}

symcf_status symcf_likely_extend(symcf_likely_cover *e, const likely_part *s,
                                 const likely_place *at, uint64_t first, uint64_t count,
                                 likely_extension *x)
{
	const uint32_t p = at->position, n_options = e->option_start[p + 1] - e->option_start[p];
	const likely_option *options = e->options + e->option_start[p];
	x->count = 0;
	x->reached = false;
	TRY(symcf_likely_grow(e, x->first + count * (n_options + UINT64_C(1))));
	for (uint64_t i = first; i < first + count && !x->reached; i++) {
		const likely_choice c = e->choices[i];
		const uint8_t *cells = e->cells + i * likely_stride(e);
		const bool enough = c.gain + x->fall >= e->deficit;
		int64_t lost = c.loss, own = 0; /* by links with members */
		for (uint32_t k = 0; k < at->n_links; k++) {
			const likely_bond *to = &at->links[k];
			const uint8_t w = cells[to->rank];
			lost -= to->less ? to->less[w] : 0;
			own += to->table[at->own * to->step + w * to->other];
		}
		for (uint32_t o = 0; o < n_options && !x->reached; o++) {
			const uint32_t v = options[o].cell;
			const int64_t gain = c.gain + options[o].gain;
			if (gain + x->more < e->deficit)
				break;
			int64_t with = 0;
			for (uint32_t k = 0; k < at->n_links; k++)
				with += at->links[k].table[v * at->links[k].step +
				                           cells[at->links[k].rank] * at->links[k].other];
			const int64_t loss = lost + at->loss[v] + with;
			if (loss > e->slack ||
			    ((enough || options[o].gain <= 0) && at->regret[v] + own - with <= 0))
				continue;
			add(e, s, x, i, (likely_choice){gain, loss, c.full + at->full[v] + with - own}, v);
		}
		if (!x->stays || x->reached || c.gain + x->more < e->deficit)
			continue;
		const int64_t loss = lost + at->loss[at->own] + own;
		if (loss <= e->slack)
			add(e, s, x, i, (likely_choice){c.gain, loss, c.full}, at->own);
	}
	return SYMCF_OK;
}

uint64_t symcf_likely_leave(symcf_likely_cover *e, const likely_part *s, const likely_place *at,
                            uint64_t first, uint64_t count, int64_t more)
{
	uint64_t kept = first;
	for (uint64_t i = first; i < first + count; i++) {
		likely_choice c = e->choices[i];
		const uint8_t *cells = e->cells + i * likely_stride(e);
		c.loss += at->loss[at->own];
		for (uint32_t k = 0; k < at->n_links; k++) {
			const likely_bond *to = &at->links[k];
			const uint8_t w = cells[to->rank];
			c.loss += to->table[at->own * to->step + w * to->other] - (to->less ? to->less[w] : 0);
		}
		if (c.loss > e->slack || c.gain + more < e->deficit)
			continue;
		e->choices[kept] = c;
		if (kept != i)
			copy_cells(e, i, kept, s->depth);
		kept++;
	}
	return kept - first;
}

/* The cells on which later positions depend, or that depend on them. */
static int compare_open(const symcf_likely_cover *e, uint64_t a, uint64_t b)
{
	const uint64_t stride = likely_stride(e);
	for (uint32_t i = 0; i < e->n_open; i++) {
		const uint8_t one = e->cells[a * stride + e->open[i]];
		const uint8_t other = e->cells[b * stride + e->open[i]];
		if (one != other)
			return one < other ? -1 : 1;
	}
	return 0;
}

/* By these cells, then by falling gain and rising loss. */
static bool comes_first(const uint64_t *a, const uint64_t *b, void *context)
{
	const symcf_likely_cover *e = context;
	const int open = compare_open(e, *a, *b);
	const likely_choice *one = &e->choices[*a], *other = &e->choices[*b];
	if (open || one->gain != other->gain)
		return open ? open < 0 : one->gain > other->gain;
	return one->loss < other->loss;
}

#define SORT_NAME sort_choices
#define SORT_TYPE uint64_t
#define SORT_BEFORE comes_first
#include "sort.h"

static void find_open(symcf_likely_cover *e, const likely_part *s)
{
	const symcf_likely *l = e->l;
	e->n_open = 0;
	for (uint32_t p = 0; p < l->n; p++) {
		if (s->rank[p] < 0)
			continue;
		bool open = l->up[p] != SYMCF_LIKELY_ROOT && !likely_knows(s, l->up[p]);
		for (uint32_t k = l->child_start[p]; k < l->child_start[p + 1]; k++)
			open |= !likely_knows(s, l->child[k]);
		if (open)
			e->open[e->n_open++] = (uint32_t)s->rank[p];
	}
}

symcf_status symcf_likely_thin(symcf_likely_cover *e, const likely_part *s, uint64_t first,
                               uint64_t *count, symcf_control *control)
{
	const uint64_t stride = likely_stride(e), all = *count;
	if (all <= LONG_LIST)
		return SYMCF_OK;
	if (!symcf_grow(&e->order, &e->cap_order, all, sizeof *e->order) ||
	    !symcf_grow(&e->order_spare, &e->cap_order_spare, all, sizeof *e->order_spare) ||
	    !symcf_grow(&e->choices_spare, &e->cap_choices_spare, all, sizeof *e->choices) ||
	    !symcf_grow(&e->cells_spare, &e->cap_cells_spare, all * stride, sizeof *e->cells))
		return symcf_no_memory();
	find_open(e, s);
	for (uint64_t i = 0; i < all; i++)
		e->order[i] = first + i;
	TRY(sort_choices(e->order, e->order_spare, all, e, control));
	uint64_t to = 0, last = 0;
	for (uint64_t i = 0; i < all; i++) {
		const uint64_t at = e->order[i];
		if (to && !compare_open(e, last, at) && e->choices[at].loss >= e->choices[last].loss)
			continue;
		e->choices_spare[to] = e->choices[at];
		memcpy(e->cells_spare + to * stride, e->cells + at * stride, stride);
		last = at;
		to++;
	}
	memcpy(e->choices + first, e->choices_spare, to * sizeof *e->choices);
	memcpy(e->cells + first * stride, e->cells_spare, to * stride * sizeof *e->cells);
	*count = to;
	return SYMCF_OK;
}
