/* minimal_count.c: how many change sets there are, and random ones among them.
 *
 * Members of a ZDD are counted by one addition per node, and drawn uniformly by descending with one
 * random number below the count.
 */
#include <string.h>

#include "count.h"
#include "memory.h"
#include "minimal.h"

static inline uint64_t *count_of(const symcf_minimal *e, uint64_t f)
{
	return e->counts + f * e->width;
}

/* Counts every node's family in limbs of this width.
 * ensures: SYMCF_OVERFLOW if that is too narrow, or what stopped it. */
static symcf_status count_families(symcf_minimal *e, size_t width, symcf_control *control)
{
	zdd *z = &e->z;
	z->control = control;
	if (!symcf_zdd_grow(z, &e->counts, &e->cap_counts, z->n_nodes * width, sizeof *e->counts))
		return z->status;
	e->width = width;
	count_set(count_of(e, ZDD_EMPTY), width, 0);
	count_set(count_of(e, ZDD_UNIT), width, 1);
	for (uint64_t f = ZDD_UNIT + 1; f < z->n_nodes; f++) {
		const symcf_status status = symcf_tick(control, (uint32_t)width);
		if (status != SYMCF_OK)
			return status;
		count_copy(count_of(e, f), count_of(e, z->nodes[f].lo), width);
		if (count_add(count_of(e, f), count_of(e, z->nodes[f].hi), width))
			return SYMCF_OVERFLOW;
	}
	return SYMCF_OK;
}

/* Counts once, and with no more limbs than are of use: no node has more members than the root, and
 * few families come near the 2^n that would be safe. */
static symcf_status ensure_counts(symcf_minimal *e, symcf_control *control)
{
	symcf_status status = SYMCF_OK;
	if (e->width)
		return SYMCF_OK;
	for (size_t width = 1; (status = count_families(e, width, control)) == SYMCF_OVERFLOW;)
		width *= 2;
	if (status != SYMCF_OK)
		e->width = 0;
	return status;
}

symcf_status symcf_minimal_count(symcf_minimal *e, symcf_control *control, uint64_t **limbs,
                                 size_t *width)
{
	const symcf_status status = ensure_counts(e, control);
	if (status != SYMCF_OK)
		return status;
	uint64_t *copy = symcf_allocate(e->width, sizeof *copy);
	if (!copy)
		return symcf_no_memory();
	count_copy(copy, count_of(e, e->root), e->width);
	*limbs = copy;
	*width = e->width;
	return SYMCF_OK;
}

/* A node's members in the whole family: the ways to get there from the root times its own. */
symcf_status symcf_minimal_count_features(symcf_minimal *e, symcf_control *control,
                                          uint64_t **limbs, size_t *width)
{
	symcf_status status = ensure_counts(e, control);
	if (status != SYMCF_OK)
		return status;
	const size_t w = e->width;
	uint64_t *sum = symcf_allocate_zeroed((uint64_t)e->d->n * w + 1, sizeof *sum);
	uint64_t *ways = symcf_allocate_zeroed(e->z.n_nodes * w, sizeof *ways);
	if (!sum || !ways)
		status = symcf_no_memory();
	else
		ways[e->root * w] = 1;
	for (uint64_t f = e->root; f > ZDD_UNIT && status == SYMCF_OK; f--) {
		const zdd_node *node = &e->z.nodes[f];
		const uint64_t *here = ways + f * w;
		count_add_product(sum + e->d->order[node->level] * w, here, count_of(e, node->hi), w);
		count_add(ways + node->lo * w, here, w);
		count_add(ways + node->hi * w, here, w);
		status = symcf_tick(control, (uint32_t)(w * w));
	}
	symcf_free(ways);
	if (status != SYMCF_OK) {
		symcf_free(sum);
		return status;
	}
	*limbs = sum;
	*width = w;
	return SYMCF_OK;
}

/* ----------------------------------------------------------------- samples ------------------- */

/* Member number `index`, where those without a level come before those with it. */
static void pick_member(const symcf_minimal *e, uint64_t *index, uint64_t *bits)
{
	const zdd_node *node;
	memset(bits, 0, e->n_words * sizeof *bits);
	for (uint32_t f = e->root; f != ZDD_UNIT;) {
		node = &e->z.nodes[f];
		if (count_compare(index, count_of(e, node->lo), e->width) < 0) {
			f = node->lo;
		} else {
			count_subtract(index, count_of(e, node->lo), e->width);
			minimal_flip(bits, e->rank[node->level]);
			f = node->hi;
		}
	}
}

symcf_status symcf_minimal_sample(symcf_minimal *e, uint64_t count, uint64_t (*random)(void *data),
                                  void *data, symcf_control *control, symcf_sets *sets)
{
	symcf_status status = ensure_counts(e, control);
	if (status != SYMCF_OK || count == 0)
		return status;
	if (e->root == ZDD_EMPTY)
		return SYMCF_INVALID;
	uint64_t *index = symcf_allocate(e->width + e->n_words, sizeof *index);
	if (!index)
		return symcf_no_memory();
	uint64_t *const bits = index + e->width;
	for (; count > 0 && status == SYMCF_OK; count--) {
		count_draw_below(count_of(e, e->root), e->width, random, data, index);
		pick_member(e, index, bits);
		if ((status = symcf_tick(control, WORK_A_SET)) == SYMCF_OK)
			status = symcf_minimal_push_bits(e, bits, sets);
	}
	symcf_free(index);
	return status;
}
