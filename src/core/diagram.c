/* diagram.c: the frozen diagram. Memory, evaluation, counting.
 *
 * Everything here is a loop over nodes in index order: children come first, so what a node needs
 * of its children is already known. See symcf.h for the layout.
 */
#include "diagram.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "count.h"
#include "memory.h"

void symcf_diagram_free(symcf_diagram *d)
{
	if (!d)
		return;
	symcf_free(d->order);
	symcf_free(d->arity);
	symcf_free(d->child_base);
	symcf_free(d->level);
	symcf_free(d->child);
	symcf_free(d);
}

symcf_diagram *symcf_diagram_allocate(uint32_t n, uint32_t n_nodes, uint64_t n_children)
{
	assert(n_nodes >= 2);
	symcf_diagram *d = symcf_allocate_zeroed(1, sizeof *d);
	if (!d)
		return NULL;
	d->n = n;
	d->n_nodes = n_nodes;
	d->n_children = n_children;
	d->order = symcf_allocate(n, sizeof *d->order);
	d->arity = symcf_allocate(n, sizeof *d->arity);
	d->child_base = symcf_allocate_zeroed(n, sizeof *d->child_base);
	d->level = symcf_allocate(n_nodes, sizeof *d->level);
	d->child = symcf_allocate(n_children, sizeof *d->child);
	if (!d->order || !d->arity || !d->child_base || !d->level || !d->child) {
		symcf_diagram_free(d);
		return NULL;
	}
	d->level[0] = d->level[1] = n;
	return d;
}

/* Levels are blocks of equal arity, so the first node of each fixes where its children start. */
void symcf_diagram_place_children(symcf_diagram *d)
{
	int64_t next = 0;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const uint32_t k = d->level[u];
		if (d->level[u - 1] != k)
			d->child_base[k] = next - (int64_t)u * d->arity[k];
		next += d->arity[k];
	}
}

/* ---------------------------------------------------------------- evaluation ----------------- */

uint32_t symcf_diagram_evaluate(const symcf_diagram *d, const uint32_t *x)
{
	uint32_t u = d->root;
	while (u > 1)
		u = symcf_child(d, u, x[d->order[d->level[u]]]);
	return u;
}

symcf_status symcf_diagram_evaluate_rows(const symcf_diagram *d, const symcf_rows *rows,
                                         symcf_control *control, uint8_t *sink, size_t *row,
                                         uint32_t *feature)
{
	uint32_t *value_offset = symcf_allocate((uint64_t)d->n + 1, sizeof *value_offset);
	uint32_t *x = symcf_allocate(d->n, sizeof *x);
	symcf_status status = value_offset && x ? SYMCF_OK : symcf_no_memory();
	if (!status)
		symcf_diagram_value_offsets(d, value_offset);
	for (size_t i = 0; i < rows->m && !status; i++) {
		*row = i;
		if (!(status = symcf_rows_get(rows, i, value_offset, x, feature))) {
			sink[i] = (uint8_t)symcf_diagram_evaluate(d, x);
			status = symcf_tick(control, d->n + 10);
		}
	}
	symcf_free(value_offset);
	symcf_free(x);
	return status;
}

void symcf_diagram_value_offsets(const symcf_diagram *d, uint32_t *value_offset)
{
	value_offset[0] = 0;
	for (uint32_t k = 0; k < d->n; k++)
		value_offset[d->order[k] + 1] = d->arity[k];
	for (uint32_t j = 0; j < d->n; j++)
		value_offset[j + 1] += value_offset[j];
}

uint32_t symcf_diagram_size(const symcf_diagram *d)
{
	return d->root < 2 ? 1 : d->n_nodes;
}

/* ------------------------------------------------------------------ counting ----------------- */

/* How often each value counts, and all values of a level together. */
typedef struct weighing {
	const symcf_diagram *d;
	const uint32_t *value_offset, *weight; /* NULL: once */
	uint32_t *total;                       /* by level   */
} weighing;

static uint32_t weight_of(const weighing *w, uint32_t level, uint32_t value)
{
	return w->weight ? w->weight[w->value_offset[w->d->order[level]] + value] : 1;
}

static void add_up(const weighing *w)
{
	for (uint32_t k = 0; k < w->d->n; k++) {
		w->total[k] = w->weight ? 0 : w->d->arity[k];
		for (uint32_t v = 0; w->weight && v < w->d->arity[k]; v++)
			w->total[k] += weight_of(w, k, v);
	}
}

/* Multiplies a count by the number of assignments to the levels from .. to - 1. */
static void multiply_by_levels(const weighing *w, uint64_t *count, uint32_t from, uint32_t to,
                               size_t width)
{
	uint64_t factor = 1;
	for (uint32_t k = from; k < to; k++) {
		factor *= w->total[k];
		if (factor >> 32 || k + 1 == to) {
			const uint64_t carry = count_multiply(count, factor, width);
			assert(!carry);
			(void)carry;
			factor = 1;
		}
	}
}

/* Every count is at most the number of assignments; a bit for rounding in log2, a bit for sums. */
static size_t width_for(const weighing *w)
{
	double bits = 2;
	for (uint32_t k = 0; k < w->d->n; k++)
		bits += w->total[k] ? log2(w->total[k]) : 0;
	return count_width(bits * (1 + 1e-12));
}

/* Paths: a node has the sum of what its branches have; values that lead where value 0 does are one
 * branch with it (paths.c). Models: it has the sum of what its children have, each first multiplied
 * by the assignments of the features skipped on the way to it. */
static symcf_status count_to_sink(const weighing *w, uint32_t sink, bool models,
                                  symcf_control *control, uint64_t **limbs, size_t *width_out)
{
	const symcf_diagram *d = w->d;
	const size_t width = width_for(w);
	uint64_t *count = symcf_allocate_zeroed((uint64_t)d->n_nodes + 1, width * sizeof *count);
	uint64_t *result = symcf_allocate(width, sizeof *result);
	uint64_t *term = count ? count + (size_t)d->n_nodes * width : NULL; /* one scratch number */
	symcf_status status = count && result ? SYMCF_OK : symcf_no_memory();
	if (!status)
		count_set(count + sink * width, width, 1);
	for (uint32_t u = 2; u < d->n_nodes && !status; u++) {
		const uint32_t *child = symcf_children(d, u), k = d->level[u];
		for (uint32_t v = 0; v < d->arity[k]; v++) {
			if (!models && v && child[v] == child[0])
				continue;
			count_copy(term, count + child[v] * width, width);
			if (models) {
				multiply_by_levels(w, term, k + 1, d->level[child[v]], width);
				count_multiply(term, weight_of(w, k, v), width);
			}
			count_add(count + u * width, term, width);
		}
		status = symcf_tick(control, (uint32_t)(d->arity[k] * (10 + width)));
	}
	if (!status) {
		count_copy(result, count + d->root * width, width);
		if (models)
			multiply_by_levels(w, result, 0, d->level[d->root], width);
		*limbs = result;
		*width_out = width;
		result = NULL;
	}
	symcf_free(count);
	symcf_free(result);
	return status;
}

static symcf_status count(weighing w, uint32_t sink, bool models, symcf_control *control,
                          uint64_t **limbs, size_t *width)
{
	w.total = symcf_allocate(w.d->n, sizeof *w.total);
	if (!w.total)
		return symcf_no_memory();
	add_up(&w);
	const symcf_status status = count_to_sink(&w, sink, models, control, limbs, width);
	symcf_free(w.total);
	return status;
}

symcf_status symcf_diagram_count_models(const symcf_diagram *d, uint32_t sink,
                                        symcf_control *control, uint64_t **limbs, size_t *width)
{
	return count((weighing){.d = d}, sink, true, control, limbs, width);
}

symcf_status symcf_diagram_count_weighted(const symcf_diagram *d, uint32_t sink,
                                          const uint32_t *value_offset, const uint32_t *weight,
                                          symcf_control *control, uint64_t **limbs, size_t *width)
{
	const weighing w = {.d = d, .value_offset = value_offset, .weight = weight};
	return count(w, sink, true, control, limbs, width);
}

symcf_status symcf_diagram_count_paths(const symcf_diagram *d, uint32_t sink,
                                       symcf_control *control, uint64_t **limbs, size_t *width)
{
	return count((weighing){.d = d}, sink, false, control, limbs, width);
}
