/* batch_equal.c: equal rows are solved once.
 *
 * A table of hashes finds for each row the first one equal to it. A repeated row takes its place in
 * the columns like any other, but is filled in at the end, by copying.
 *
 * Rows come from anywhere, and whoever knows the hash can choose rows that all fall into one place.
 * So a row is looked for in a few places only: one that is not found there is solved by itself, which
 * is as right, and the table never takes more than a few steps per row.
 */
#include "batch.h"

#include <string.h>

#include "memory.h"

static size_t element_size(symcf_type type)
{
	static const uint8_t size[] = {1, 1, 2, 2, 4, 4, 8, 8};
	return size[type];
}

static uint64_t word_at(const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

static uint64_t mixed(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0xD6E8FEB86659FD93u;
	return h ^ h >> 32;
}

static uint64_t hash_bytes(const uint8_t *bytes, size_t count)
{
	uint64_t h = 0x9E3779B97F4A7C15u ^ count, last = 0;
	if (count < sizeof last) {
		memcpy(&last, bytes, count);
		return mixed(h, last);
	}
	for (size_t i = 0; i + sizeof last < count; i += sizeof last)
		h = mixed(h, word_at(bytes + i));
	return mixed(h, word_at(bytes + count - sizeof last)); /* may overlap the one before */
}

/* Open addressing. A slot has a row number plus 1, 0 if it is empty, and some bits of the row's
 * hash, so that other rows are rarely looked at. */
typedef struct slot {
	uint32_t row, tag;
} slot;

/* Rows whose slots are fetched from memory at the same time. */
enum { TOGETHER = 16 };

/* Places to look at for a row. At most half of the table is in use: with rows that mean no harm,
 * hardly one in a million would look further. */
enum { MOST_STEPS = 64 };

/* The first row with these bytes; the row itself if none is found before it. *steps counts. */
static uint32_t first_equal(slot *table, uint64_t mask, uint64_t hash, const uint8_t *data,
                            size_t width, uint32_t row, uint32_t *steps)
{
	const uint32_t tag = (uint32_t)(hash >> 32);
	const uint64_t end = hash + MOST_STEPS;
	for (uint64_t at = hash; at != end; at++) {
		slot *here = &table[at & mask];
		*steps += 1;
		if (!here->row) {
			*here = (slot){row + 1, tag};
			return row;
		}
		if (here->tag == tag && !memcmp(data + row * width, data + (here->row - 1) * width, width))
			return here->row - 1;
	}
	return row;
}

/* Rows of one table have one type, so they are equal iff their bytes are.
 * ensures: b->original, or NULL if no row repeats. */
symcf_status batch_find_equal_rows(symcf_batch *b, symcf_control *control)
{
	const size_t width = element_size(b->rows.type) * b->rows.n;
	const uint8_t *data = b->rows.data;
	const uint32_t m = (uint32_t)b->rows.m;
	uint64_t slots = 16, repeated = 0, hash[TOGETHER];
	while (slots < 2 * (uint64_t)m)
		slots *= 2;
	slot *table = symcf_allocate_zeroed(slots, sizeof *table);
	b->original = symcf_allocate(m, sizeof *b->original);
	symcf_status status = table && b->original ? SYMCF_OK : SYMCF_NO_MEMORY;
	for (uint32_t first = 0, next; first < m && !status; first = next) {
		next = m - first < TOGETHER ? m : first + TOGETHER;
		for (uint32_t i = first; i < next; i++) {
			hash[i - first] = hash_bytes(data + i * width, width);
			__builtin_prefetch(&table[hash[i - first] & (slots - 1)], 1);
		}
		uint32_t steps = 0;
		for (uint32_t i = first; i < next; i++) {
			const uint32_t same =
				first_equal(table, slots - 1, hash[i - first], data, width, i, &steps);
			b->original[i] = same == i ? BATCH_NO_ROW : same;
			repeated += same != i;
		}
		const uint32_t words = (uint32_t)(width / 8 < 1000 ? width / 8 : 1000);
		status = symcf_tick(control, steps + (next - first) * (20 + words));
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
