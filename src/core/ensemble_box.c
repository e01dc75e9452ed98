/* ensemble_box.c: the box oracle for few free features.
 *
 * The problem. Some features are free, the others keep the row's values. Each tree is then a list of
 * boxes over the free features, with a value for each column. Is there a point where the sum of a
 * column (or of each column) reaches 0?
 *
 * Branch and bound over boxes. In a box, a tree can give no more than its best leaf that meets the box;
 * if these add up to less than 0, the box is done. If all leaves of a tree but one would lose more than
 * there is to spare, the box is narrowed to that leaf. Otherwise the tree with the widest span decides:
 * its leaves are tried one after the other, best first. Leaves of a tree do not overlap, so what is left
 * when every tree has one leaf is a box of points that all have the same sum.
 *
 * The bound by maxima of trees is that of Chen et al. (2019), Robustness Verification of Tree-based
 * Models; here it is taken again in each box, and the search is exact. */
#include "ensemble.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

typedef struct ensemble_box_frame {
	uint64_t alive, ends; /* where its lists begin       */
	uint32_t n_groups;
	uint32_t next, last; /* leaves left to try, in alive */
} ensemble_box_frame;

symcf_status symcf_ensemble_box_open(const ensemble_scene *s, ensemble_box *b)
{
	*b = (ensemble_box){.s = s};
	b->slot = symcf_allocate(s->e->n, sizeof *b->slot);
	b->base = symcf_allocate(s->e->n_classes, sizeof *b->base);
	b->most = symcf_allocate(s->e->n_classes, sizeof *b->most);
	b->least = symcf_allocate(s->e->n_classes, sizeof *b->least);
	if (!b->slot || !b->base || !b->most || !b->least)
		return symcf_no_memory();
	memset(b->slot, 0xFF, s->e->n * sizeof *b->slot);
	return SYMCF_OK;
}

void symcf_ensemble_box_close(ensemble_box *b)
{
	symcf_free(b->slot);
	symcf_free(b->base);
	symcf_free(b->most);
	symcf_free(b->least);
	symcf_free(b->leaf);
	symcf_free(b->range);
	symcf_free(b->group_end);
	symcf_free(b->witness);
	symcf_free(b->best);
	symcf_free(b->trial);
	symcf_free(b->frames);
	symcf_free(b->alive);
	symcf_free(b->ends);
	symcf_free(b->boxes);
	symcf_free(b->sums);
	*b = (ensemble_box){0};
}

symcf_status symcf_ensemble_box_begin(ensemble_box *b, const uint32_t *features, uint32_t k)
{
	uint64_t cap_best = b->cap_witness, cap_trial = b->cap_witness;
	if (!symcf_grow(&b->best, &cap_best, k, sizeof *b->best) ||
	    !symcf_grow(&b->trial, &cap_trial, k, sizeof *b->trial) ||
	    !symcf_grow(&b->witness, &b->cap_witness, k, sizeof *b->witness))
		return symcf_no_memory();
	b->best_cost = INT64_MAX;
	b->k = k;
	b->feature = features;
	b->n_leaves = 0;
	b->n_groups = 0;
	for (uint32_t i = 0; i < k; i++)
		b->slot[features[i]] = i;
	return SYMCF_OK;
}

void symcf_ensemble_box_end(ensemble_box *b)
{
	for (uint32_t i = 0; i < b->k; i++)
		b->slot[b->feature[i]] = ENSEMBLE_NOWHERE;
	b->k = 0;
}

symcf_status symcf_ensemble_box_add(ensemble_box *b, uint64_t leaf)
{
	const ensemble_scene *s = b->s;
	const ensemble_leaf *l = &s->leaves[leaf];
	const uint64_t at = b->n_leaves;
	if (!symcf_grow(&b->leaf, &b->cap_leaf, at + 1, sizeof *b->leaf) ||
	    !symcf_grow(&b->range, &b->cap_range, (at + 1) * b->k, sizeof *b->range) ||
	    !symcf_grow(&b->group_end, &b->cap_group, b->n_groups + 1, sizeof *b->group_end))
		return symcf_no_memory();
	if (!at || s->leaves[b->leaf[at - 1]].tree != l->tree)
		b->n_groups++;
	ensemble_range *range = b->range + at * b->k;
	for (uint32_t i = 0; i < b->k; i++)
		range[i] = s->may[b->feature[i]];
	for (uint64_t c = l->first; c < l->first + l->n_conditions; c++) {
		const uint32_t slot = b->slot[s->conditions[c].feature];
		if (slot != ENSEMBLE_NOWHERE)
			range[slot] = s->conditions[c].range;
	}
	b->leaf[at] = leaf;
	b->group_end[b->n_groups - 1] = (uint32_t)++b->n_leaves;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the search --------------- */

/* One search: `width` columns from `column` on. */
typedef struct search {
	ensemble_box *b;
	uint32_t column, width;
	symcf_control *control;
	uint64_t depth;
} search;

static const int64_t *values_of(const search *q, uint32_t leaf)
{
	const ensemble_scene *s = q->b->s;
	return s->value + q->b->leaf[leaf] * s->n_columns + q->column;
}

static bool meets(const ensemble_box *b, const ensemble_range *box, uint32_t leaf)
{
	const ensemble_range *range = b->range + (uint64_t)leaf * b->k;
	for (uint32_t i = 0; i < b->k; i++)
		if (!ensemble_meets(box[i], range[i]))
			return false;
	return true;
}

/* Narrows the box to a leaf. ensures: false if nothing is left; *changed is set if it became less. */
static bool narrow(const ensemble_box *b, ensemble_range *box, uint32_t leaf, bool *changed)
{
	const ensemble_range *range = b->range + (uint64_t)leaf * b->k;
	for (uint32_t i = 0; i < b->k; i++) {
		const ensemble_range less =
			ensemble_trim(b->s, b->feature[i], ensemble_meet(box[i], range[i]));
		*changed = *changed || !ensemble_same(less, box[i]);
		box[i] = less;
		if (ensemble_is_empty(less))
			return false;
	}
	return true;
}

/* Room for a frame at this depth whose lists are no longer than `leaves` and `groups`. */
static symcf_status make_room(search *q, uint64_t alive, uint64_t ends)
{
	ensemble_box *b = q->b;
	const uint64_t d = q->depth + 1;
	if (!symcf_grow(&b->frames, &b->cap_frames, d, sizeof *b->frames) ||
	    !symcf_grow(&b->boxes, &b->cap_boxes, d * b->k, sizeof *b->boxes) ||
	    !symcf_grow(&b->sums, &b->cap_sums, d * q->width, sizeof *b->sums) ||
	    !symcf_grow(&b->alive, &b->cap_alive, alive, sizeof *b->alive) ||
	    !symcf_grow(&b->ends, &b->cap_ends, ends, sizeof *b->ends))
		return symcf_no_memory();
	return SYMCF_OK;
}

/* Keeps the leaves of the list that meet the box. Trees that keep one go to the sums. The result is
 * written over the list itself, or behind it. ensures: false if a tree keeps none. */
static bool filter(search *q, ensemble_box_frame *f, const uint32_t *alive, const uint32_t *ends,
                   const ensemble_range *box, int64_t *sums)
{
	ensemble_box *b = q->b;
	uint32_t *kept = b->alive + f->alive, *kept_ends = b->ends + f->ends;
	const uint32_t n_groups = f->n_groups;
	uint32_t count = 0, groups = 0;
	for (uint32_t g = 0, i = 0; g < n_groups; g++) {
		const uint32_t first = count;
		for (const uint32_t end = ends[g]; i < end; i++)
			if (meets(b, box, alive[i]))
				kept[count++] = alive[i];
		if (count == first)
			return false;
		if (count == first + 1) {
			const int64_t *value = values_of(q, kept[--count]);
			for (uint32_t c = 0; c < q->width; c++)
				sums[c] += value[c];
		} else {
			kept_ends[groups++] = count;
		}
	}
	f->n_groups = groups;
	return true;
}

/* The most and the least that the sums can be. */
static void take_bounds(search *q, const ensemble_box_frame *f, const int64_t *sums)
{
	const ensemble_box *b = q->b;
	const uint32_t *alive = b->alive + f->alive, *ends = b->ends + f->ends;
	for (uint32_t c = 0; c < q->width; c++) {
		int64_t most = sums[c], least = sums[c];
		for (uint32_t g = 0, i = 0; g < f->n_groups; g++) {
			int64_t high = INT64_MIN, low = INT64_MAX;
			for (; i < ends[g]; i++) {
				const int64_t value = values_of(q, alive[i])[c];
				high = value > high ? value : high;
				low = value < low ? value : low;
			}
			most += high;
			least += low;
		}
		b->most[c] = most;
		b->least[c] = least;
	}
}

static bool all_reach(const int64_t *bound, uint32_t width)
{
	for (uint32_t c = 0; c < width; c++)
		if (bound[c] < 0)
			return false;
	return true;
}

/* Narrows the box to a leaf where all others of the tree would lose more than there is to spare. The
 * lists stay: they are all leaves that meet the box, or else what is `sure` would not be.
 * ensures: false if nothing is left; *changed if the box became less. */
static bool force(search *q, const ensemble_box_frame *f, ensemble_range *box, bool *changed)
{
	const ensemble_box *b = q->b;
	const uint32_t *alive = b->alive + f->alive, *ends = b->ends + f->ends;
	for (uint32_t g = 0, i = 0; g < f->n_groups; g++) {
		const uint32_t begin = i;
		uint32_t count = 0, only = 0;
		for (uint32_t c = 0; c < q->width; c++) {
			int64_t high = INT64_MIN;
			for (uint32_t l = begin; l < ends[g]; l++)
				high = values_of(q, alive[l])[c] > high ? values_of(q, alive[l])[c] : high;
			b->least[c] = high - b->most[c]; /* the least that is enough */
		}
		for (; i < ends[g]; i++) {
			const int64_t *value = values_of(q, alive[i]);
			bool enough = true;
			for (uint32_t c = 0; c < q->width; c++)
				enough = enough && value[c] >= b->least[c];
			count += enough;
			only = enough ? alive[i] : only;
		}
		if (!count || (count == 1 && !narrow(b, box, only, changed)))
			return false;
	}
	return true;
}

/* The tree with the widest span in the column that has the least to spare; best leaf first. */
static void choose(search *q, ensemble_box_frame *f)
{
	const ensemble_box *b = q->b;
	uint32_t *alive = b->alive + f->alive, *ends = b->ends + f->ends;
	uint32_t tight = 0, best = 0;
	int64_t widest = -1;
	for (uint32_t c = 1; c < q->width; c++)
		tight = b->most[c] < b->most[tight] ? c : tight;
	for (uint32_t g = 0, i = 0; g < f->n_groups; g++) {
		int64_t high = INT64_MIN, low = INT64_MAX;
		for (; i < ends[g]; i++) {
			const int64_t value = values_of(q, alive[i])[tight];
			high = value > high ? value : high;
			low = value < low ? value : low;
		}
		if (high - low > widest) {
			widest = high - low;
			best = g;
		}
	}
	f->next = best ? ends[best - 1] : 0;
	f->last = ends[best];
	for (uint32_t i = f->next + 1; i < f->last; i++) {
		const uint32_t leaf = alive[i];
		const int64_t value = values_of(q, leaf)[tight];
		uint32_t at = i;
		for (; at > f->next && values_of(q, alive[at - 1])[tight] < value; at--)
			alive[at] = alive[at - 1];
		alive[at] = leaf;
	}
}

static void keep_witness(search *q, const ensemble_range *box)
{
	ensemble_box *b = q->b;
	for (uint32_t i = 0; i < b->k; i++)
		b->witness[i] = symcf_ensemble_nearest(b->s, b->feature[i], box[i]);
}

/* The cheapest allowed code of a range, the least of several. ensures: false if there is none. */
static bool cheapest(const ensemble_box *b, uint32_t j, ensemble_range r, uint32_t *code,
                     int64_t *cost)
{
	const symcf_ensemble *e = b->s->e;
	const uint32_t at = e->value_offset[j], line = e->n_line[j];
	*cost = INT64_MAX;
	for (uint32_t p = r.low; p < r.high; p++) {
		const uint32_t v = e->code[at + p];
		const int64_t own = b->cost[at + v];
		if (own >= 0 && (own < *cost || (own == *cost && v < *code))) {
			*cost = own;
			*code = v;
		}
	}
	for (uint64_t left = r.special; left; left &= left - 1) {
		const uint32_t v = e->code[at + line + (uint32_t)__builtin_ctzll(left)];
		const int64_t own = b->cost[at + v];
		if (own >= 0 && (own < *cost || (own == *cost && v < *code))) {
			*cost = own;
			*code = v;
		}
	}
	return *cost < INT64_MAX;
}

/* Is the best point of the box, whether or not it reaches 0, better than the best so far? It is left in
 * b->trial, its cost in *total. */
static bool improves(const ensemble_box *b, const ensemble_range *box, int64_t *total)
{
	*total = 0;
	for (uint32_t i = 0; i < b->k; i++) {
		int64_t cost;
		b->trial[i] = UINT32_MAX;
		if (!cheapest(b, b->feature[i], box[i], &b->trial[i], &cost))
			return false;
		*total += cost;
	}
	if (*total != b->best_cost)
		return *total < b->best_cost;
	for (uint32_t i = 0; i < b->k; i++)
		if (b->trial[i] != b->best[i])
			return b->trial[i] < b->best[i];
	return false;
}

/* Works on the top frame, whose lists are `alive` and `ends` as far as they are not yet its own.
 * ensures: *found if its box has a point; otherwise *open tells whether leaves are left to try. */
static symcf_status settle(search *q, const uint32_t *alive, const uint32_t *ends, bool *found,
                           bool *open)
{
	ensemble_box *b = q->b;
	ensemble_box_frame *f = &b->frames[q->depth];
	ensemble_range *box = b->boxes + q->depth * b->k;
	int64_t *sums = b->sums + q->depth * q->width, cost = 0;
	bool changed = true;
	*open = *found = false;
	while (changed) {
		changed = false;
		TRY(symcf_tick(q->control, 20 + 4 * (f->n_groups ? ends[f->n_groups - 1] : 0)));
		if (!filter(q, f, alive, ends, box, sums))
			return SYMCF_OK;
		alive = b->alive + f->alive;
		ends = b->ends + f->ends;
		take_bounds(q, f, sums);
		if (!all_reach(b->most, q->width) || (b->cost && !improves(b, box, &cost)))
			return SYMCF_OK;
		if (all_reach(b->least, q->width)) {
			*found = true;
			keep_witness(q, box);
			if (b->cost) {
				b->best_cost = cost;
				memcpy(b->best, b->trial, b->k * sizeof *b->best);
			}
			return SYMCF_OK;
		}
		if (!force(q, f, box, &changed))
			return SYMCF_OK;
	}
	choose(q, f);
	*open = true;
	return SYMCF_OK;
}

/* Opens a frame for the next leaf of the top one. */
static symcf_status descend(search *q, bool *found)
{
	ensemble_box *b = q->b;
	const ensemble_box_frame *f = &b->frames[q->depth];
	const uint32_t n_groups = f->n_groups, count = b->ends[f->ends + n_groups - 1];
	const uint64_t at = f->alive + count, ends_at = f->ends + n_groups;
	q->depth++;
	const symcf_status status = make_room(q, at + count, ends_at + n_groups);
	if (status) {
		q->depth--;
		return status;
	}
	ensemble_box_frame *parent = &b->frames[q->depth - 1], *child = &b->frames[q->depth];
	ensemble_range *box = b->boxes + q->depth * b->k;
	const uint32_t leaf = b->alive[parent->alive + parent->next++];
	bool changed = false, open = false;
	*child = (ensemble_box_frame){.alive = at, .ends = ends_at, .n_groups = n_groups};
	memcpy(box, box - b->k, b->k * sizeof *box);
	memcpy(b->sums + q->depth * q->width, b->sums + (q->depth - 1) * q->width,
	       q->width * sizeof *b->sums);
	if (narrow(b, box, leaf, &changed))
		TRY(settle(q, b->alive + parent->alive, b->ends + parent->ends, found, &open));
	if (!open)
		q->depth--;
	return SYMCF_OK;
}

symcf_status symcf_ensemble_box_search(ensemble_box *b, uint32_t column, symcf_control *control,
                                       bool *found)
{
	const bool all = column == ENSEMBLE_ALL;
	search q = {.b = b, .column = all ? 0 : column, .width = all ? b->s->n_columns : 1};
	bool open = false;
	q.control = control;
	*found = false;
	TRY(make_room(&q, b->n_leaves, b->n_groups));
	b->frames[0] = (ensemble_box_frame){.n_groups = b->n_groups};
	for (uint64_t i = 0; i < b->n_leaves; i++)
		b->alive[i] = (uint32_t)i;
	for (uint32_t g = 0; g < b->n_groups; g++)
		b->ends[g] = b->group_end[g];
	for (uint32_t i = 0; i < b->k; i++)
		b->boxes[i] = b->s->may[b->feature[i]];
	memcpy(b->sums, b->base + q.column, q.width * sizeof *b->sums);
	TRY(settle(&q, b->alive, b->ends, found, &open));
	bool any = *found;
	while (open && (!any || b->cost)) {
		const ensemble_box_frame *f = &b->frames[q.depth];
		if (f->next < f->last) {
			TRY(descend(&q, found));
			any = any || *found;
		} else if (q.depth-- == 0) {
			break;
		}
	}
	*found = any;
	return SYMCF_OK;
}
