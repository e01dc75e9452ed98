/* batch_equal.c: equal rows are solved once.
 *
 * A table of hashes finds for each row the first one equal to it. A repeated row takes its place in
 * the columns like any other, but is filled in at the end, by copying.
 *
 * Rows come from anywhere, and whoever knows the hash can choose rows that all fall into one place.
 * So once the table has taken too many steps, it is no longer asked: each further row is solved by
 * itself, which gives the same answer.
 */
#include "batch.h"

#include <assert.h>
#include <string.h>

#include "hash_table.h"
#include "memory.h"
#include "try.h"

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

/* The rows as the table sees them, numbered from 1. A tag is some bits of a row's hash, so that other
 * rows are rarely looked at. */
typedef struct row_list {
	const uint8_t *data;
	size_t width; /* bytes per row */
	uint32_t *tag;
} row_list;

static bool is_row(const void *owner, uint32_t number, const void *wanted)
{
	const row_list *rows = owner;
	const uint32_t row = *(const uint32_t *)wanted, other = number - 1;
	return rows->tag[other] == rows->tag[row] &&
	       !memcmp(rows->data + row * rows->width, rows->data + other * rows->width, rows->width);
}

/* Rows whose slots are fetched from memory at the same time. */
enum { TOGETHER = 16 };

/* Steps past other rows, per row and on average, after which the table is not worth its time. It is
 * half full at most: ordinary rows take half a step. */
enum { MOST_STEPS = 64 };

/* Finds the originals of rows first .. end - 1, at most TOGETHER. ensures: how many they are. */
static uint32_t find_originals(hash_table *table, const row_list *rows, uint32_t first,
                               uint32_t end, uint32_t *original)
{
	uint64_t hash[TOGETHER];
	uint32_t repeated = 0;
	for (uint32_t i = first; i < end; i++) {
		hash[i - first] = hash_bytes(rows->data + i * rows->width, rows->width);
		rows->tag[i] = (uint32_t)hash[i - first];
		__builtin_prefetch(&table->slot[hash[i - first] >> table->shift], 1);
	}
	for (uint32_t i = first; i < end; i++) {
		uint32_t *slot = hash_table_find(table, hash[i - first], is_row, rows, &i);
		original[i] = *slot ? *slot - 1 : BATCH_NO_ROW;
		repeated += *slot != 0;
		if (!*slot)
			*slot = i + 1;
	}
	return repeated;
}

static symcf_status find_all(symcf_batch *b, hash_table *table, const row_list *rows,
                             symcf_control *control, uint32_t *repeated)
{
	const uint32_t m = (uint32_t)b->rows.m;
	const uint32_t words = (uint32_t)(rows->width / 8 < 1000 ? rows->width / 8 : 1000);
	uint64_t steps = 0;
	for (uint32_t first = 0, next; first < m; first = next) {
		next = m - first < TOGETHER ? m : first + TOGETHER;
		if (steps > MOST_STEPS * (uint64_t)(first + TOGETHER)) {
			memset(b->original + first, 0xFF, (m - first) * sizeof *b->original); /* NO_ROW */
			return SYMCF_OK;
		}
		*repeated += find_originals(table, rows, first, next, b->original);
		const uint32_t walked = hash_table_take_steps(table);
		steps += walked;
		TRY(symcf_tick(control, walked + (next - first) * (20 + words)));
	}
	return SYMCF_OK;
}

/* Rows of one table have one type, so they are equal iff their bytes are.
 * ensures: b->original, or NULL if no row repeats. */
symcf_status symcf_batch_find_equal_rows(symcf_batch *b, symcf_control *control)
{
	static_assert(BATCH_NO_ROW == UINT32_MAX, "set by bytes");
	const uint64_t m = b->rows.m;
	hash_table table = {0};
	uint32_t repeated = 0;
	uint64_t slots = 16;
	while (slots < 2 * m)
		slots *= 2;
	uint32_t *slot = symcf_allocate(slots, sizeof *slot);
	row_list rows = {.data = b->rows.data, .width = element_size(b->rows.type) * b->rows.n};
	rows.tag = symcf_allocate(m, sizeof *rows.tag);
	b->original = symcf_allocate(m, sizeof *b->original);
	symcf_status status = slot && rows.tag && b->original ? SYMCF_OK : symcf_no_memory();
	if (!status) {
		symcf_hash_table_fill(&table, slot, slots, 1, 1, NULL, NULL);
		status = find_all(b, &table, &rows, control, &repeated);
	}
	symcf_free(slot);
	symcf_free(rows.tag);
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
	symcf_lock_take(&b->lock);
	while (!status && b->written < b->n_chunks && !b->failure)
		status = symcf_batch_wait(w);
	if (!status && b->failure)
		status = SYMCF_MORE;
	symcf_lock_release(&b->lock);
	return status;
}

symcf_status symcf_batch_copy_repeated(batch_worker *w)
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
				status = symcf_batch_unless_late(w, tick_bytes(w->control, bytes));
			}
		if (!status && !batch_is_wanted(b, chunk))
			status = SYMCF_MORE;
	}
	return status;
}
