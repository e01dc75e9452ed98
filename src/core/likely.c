/* likely.c: how likely rows are: a sum of tables over single features, and over pairs that form a forest.
 *
 * likely_cover.c searches within it. */
#include "likely.h"

#include <string.h>

#include "cover.h"
#include "memory.h"

/* Terms and the least sum are below this. */
static const int64_t MOST_TERM = INT64_C(1) << 48;

static void lay_out_likely(arena *a, symcf_likely *l, uint64_t table_size)
{
	const uint64_t n = l->n;
	l->value_offset = symcf_arena_take(a, n + 1, sizeof *l->value_offset);
	l->cell = symcf_arena_take(a, l->n_codes, sizeof *l->cell);
	l->feature = symcf_arena_take(a, n, sizeof *l->feature);
	l->up = symcf_arena_take(a, n, sizeof *l->up);
	l->cells = symcf_arena_take(a, n, sizeof *l->cells);
	l->cell_start = symcf_arena_take(a, n + 1, sizeof *l->cell_start);
	l->start = symcf_arena_take(a, n + 1, sizeof *l->start);
	l->child_start = symcf_arena_take(a, n + 1, sizeof *l->child_start);
	l->child = symcf_arena_take(a, n, sizeof *l->child);
	l->table = symcf_arena_take(a, table_size, sizeof *l->table);
}

static void list_children(symcf_likely *l)
{
	uint32_t used = 0;
	for (uint32_t p = 0; p < l->n; p++) {
		l->child_start[p] = used;
		for (uint32_t c = p + 1; c < l->n; c++)
			if (l->up[c] == p)
				l->child[used++] = c;
	}
	l->child_start[l->n] = used;
}

/* Do the parts fit each other? ensures: the derived places. */
static bool fits(symcf_likely *l, uint64_t table_size)
{
	uint64_t seen = 0;
	l->cell_start[0] = 0;
	l->start[0] = 0;
	for (uint32_t p = 0; p < l->n; p++) {
		const uint32_t j = l->feature[p], up = l->up[p];
		if (j >= l->n || seen >> j & 1 || (up != SYMCF_LIKELY_ROOT && up >= p) || !l->cells[p])
			return false;
		seen |= UINT64_C(1) << j;
		for (uint32_t v = l->value_offset[j]; v < l->value_offset[j + 1]; v++)
			if (l->cell[v] >= l->cells[p])
				return false;
		l->cell_start[p + 1] = l->cell_start[p] + l->cells[p];
		l->start[p + 1] = l->start[p] + (uint64_t)likely_above(l, p) * l->cells[p];
		if (l->start[p + 1] > table_size)
			return false;
	}
	l->n_cells = l->cell_start[l->n];
	for (uint64_t i = 0; i < table_size; i++)
		if (l->table[i] <= -MOST_TERM || l->table[i] >= MOST_TERM)
			return false;
	return l->start[l->n] == table_size && l->least > -MOST_TERM && l->least < MOST_TERM;
}

symcf_status symcf_likely_create(uint32_t n, const uint32_t *value_offset, const uint32_t *cell,
                                 const uint32_t *feature, const uint32_t *up, const uint32_t *cells,
                                 const int64_t *table, uint64_t table_size, int64_t least,
                                 symcf_likely **out)
{
	if (n > COVER_MASKED)
		return SYMCF_UNSUPPORTED;
	for (uint32_t p = 0; p < n; p++)
		if (cells[p] > SYMCF_LIKELY_CELLS)
			return SYMCF_UNSUPPORTED;
	symcf_likely *l = symcf_allocate_zeroed(1, sizeof *l);
	if (!l)
		return symcf_no_memory();
	l->n = n;
	l->n_codes = value_offset[n];
	l->least = least;
	lay_out_likely(&l->arena, l, table_size);
	const symcf_status status = symcf_arena_open(&l->arena);
	if (status) {
		symcf_free(l);
		return status;
	}
	lay_out_likely(&l->arena, l, table_size);
	memcpy(l->value_offset, value_offset, (n + UINT64_C(1)) * sizeof *value_offset);
	memcpy(l->cell, cell, l->n_codes * sizeof *cell);
	memcpy(l->feature, feature, n * sizeof *feature);
	memcpy(l->up, up, n * sizeof *up);
	memcpy(l->cells, cells, n * sizeof *cells);
	memcpy(l->table, table, table_size * sizeof *table);
	if (!fits(l, table_size)) {
		symcf_likely_free(l);
		return SYMCF_INVALID;
	}
	list_children(l);
	*out = l;
	return SYMCF_OK;
}

void symcf_likely_free(symcf_likely *l)
{
	if (!l)
		return;
	symcf_arena_close(&l->arena);
	symcf_free(l);
}
