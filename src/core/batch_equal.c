/* batch_equal.c: equal rows are solved once.
 *
 * A table of hashes finds for each row the first one equal to it. A repeated row takes its place in
 * the columns like any other, but is filled in at the end, by copying.
 */
#include "batch.h"

#include <string.h>

#include "memory.h"

static size_t element_size(symcf_type type)
{
	static const uint8_t size[] = {1, 1, 2, 2, 4, 4, 8, 8};
	return size[type];
}

static uint64_t hash_bytes(const uint8_t *bytes, size_t count)
{
	uint64_t h = 0x9E3779B97F4A7C15u ^ count;
	for (; count >= 8; bytes += 8, count -= 8) {
		uint64_t word;
		memcpy(&word, bytes, 8);
		h = (h ^ word) * 0xD6E8FEB86659FD93u;
		h ^= h >> 32;
	}
	uint64_t word = 0;
	memcpy(&word, bytes, count);
	h = (h ^ word) * 0xD6E8FEB86659FD93u;
	return h ^ h >> 32;
}

/* Open addressing over row numbers plus 1; 0 is an empty slot. Rows of one table have one type,
 * so they are equal iff their bytes are. ensures: b->original, or NULL if no row repeats. */
symcf_status batch_find_equal_rows(symcf_batch *b, symcf_control *control)
{
	const size_t width = element_size(b->rows.type) * b->rows.n;
	const uint8_t *data = b->rows.data;
	uint64_t slots = 16, repeated = 0;
	while (slots < 2 * (uint64_t)b->rows.m)
		slots *= 2;
	uint32_t *table = symcf_allocate_zeroed(slots, sizeof *table);
	b->original = symcf_allocate(b->rows.m, sizeof *b->original);
	symcf_status status = table && b->original ? SYMCF_OK : SYMCF_NO_MEMORY;
	for (uint32_t i = 0; i < b->rows.m && !status; i++) {
		const uint8_t *row = data + i * width;
		uint64_t slot = hash_bytes(row, width) & (slots - 1);
		while (table[slot] && memcmp(row, data + (table[slot] - UINT64_C(1)) * width, width))
			slot = (slot + 1) & (slots - 1);
		b->original[i] = table[slot] ? table[slot] - 1 : BATCH_NO_ROW;
		repeated += table[slot] != 0;
		if (!table[slot])
			table[slot] = i + 1;
		status = symcf_tick(control, 50);
	}
	symcf_free(table);
	if (!repeated) {
		symcf_free(b->original);
		b->original = NULL;
	}
	return status;
}

/* ensures: the number of bytes that were written. */
static uint64_t copy_row(symcf_batch *b, uint64_t row)
{
	const symcf_columns *c = &b->columns;
	const uint64_t same = b->original[row];
	int64_t *end = (int64_t *)c->set_offsets.data + 1;
	int32_t *features = c->features.data;
	const int64_t from = b->feature_start[same], to = b->feature_start[row];
	memcpy(features + to, features + from,
	       (uint64_t)(b->feature_start[same + 1] - from) * sizeof *features);
	const int64_t *end_from = end + c->row_offsets[same];
	int64_t *end_to = end + c->row_offsets[row];
	const int64_t n_sets = c->row_offsets[same + 1] - c->row_offsets[same];
	for (int64_t s = 0; s < n_sets; s++)
		end_to[s] = end_from[s] + to - from;
	c->status[row] = c->status[same];
	c->prediction[row] = c->prediction[same];
	return batch_column_bytes((uint64_t)n_sets, (uint64_t)(b->feature_start[same + 1] - from));
}

/* A byte is about a quarter of a unit of work. */
static symcf_status tick_bytes(symcf_control *control, uint64_t bytes)
{
	return symcf_tick(control, bytes / 4 < UINT32_MAX ? (uint32_t)(bytes / 4) : UINT32_MAX);
}

/* Originals are rows of any earlier chunk, so all must have been written. */
static symcf_status await_written(batch_worker *w)
{
	symcf_batch *b = w->b;
	symcf_status status = SYMCF_OK;
	pthread_mutex_lock(&b->lock);
	while (!status && b->written < b->n_chunks && !b->failure)
		status = batch_wait(w);
	if (!status && b->failure)
		status = SYMCF_MORE;
	pthread_mutex_unlock(&b->lock);
	return status;
}

symcf_status batch_copy_repeated(batch_worker *w)
{
	symcf_batch *b = w->b;
	symcf_status status = await_written(w);
	uint64_t chunk;
	while (!status && (chunk = atomic_fetch_add(&b->next_copy, 1)) < b->n_chunks) {
		const uint64_t first = chunk * CHUNK;
		for (uint64_t row = first; row < first + CHUNK && row < b->rows.m && !status; row++)
			if (batch_is_repeated(b, row)) {
				const uint64_t bytes = copy_row(b, row);
				atomic_fetch_add_explicit(&b->rows_done, 1, memory_order_relaxed);
				status = batch_unless_late(w, tick_bytes(w->control, bytes));
			}
		if (!status && !batch_is_wanted(b, chunk))
			status = SYMCF_MORE;
	}
	return status;
}
