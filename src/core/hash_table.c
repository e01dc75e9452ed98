/* hash_table.c: see hash_table.h. */
#include "hash_table.h"

#include <string.h>

#include "memory.h"

void symcf_hash_table_fill(hash_table *t, uint32_t *slot, uint64_t n_slots, uint64_t first,
                           uint64_t end, hash_table_hash *hash, const void *owner)
{
	memset(slot, 0, n_slots * sizeof *slot);
	t->slot = slot;
	t->n_slots = n_slots;
	t->shift = 64 - (unsigned)__builtin_ctzll(n_slots);
	for (uint64_t number = first; number < end; number++) {
		uint64_t at = hash(owner, (uint32_t)number) >> t->shift;
		for (; slot[at]; at = (at + 1) & (n_slots - 1))
			t->steps++;
		slot[at] = (uint32_t)number;
	}
}

symcf_status symcf_hash_table_reserve(hash_table *t, uint64_t first, uint64_t end,
                                      hash_table_hash *hash, const void *owner)
{
	enum { FEWEST = 64 };
	if (2 * (end - first + 1) <= t->n_slots)
		return SYMCF_OK;
	if (end >= UINT32_MAX)
		return SYMCF_OVERFLOW;
	const uint64_t n_slots = t->n_slots ? 2 * t->n_slots : FEWEST;
	uint32_t *slot = symcf_allocate(n_slots, sizeof *slot);
	if (!slot)
		return symcf_no_memory();
	symcf_free(t->slot);
	symcf_hash_table_fill(t, slot, n_slots, first, end, hash, owner);
	return SYMCF_OK;
}

void symcf_hash_table_clear(hash_table *t)
{
	if (t->n_slots)
		memset(t->slot, 0, hash_table_bytes(t));
}

void symcf_hash_table_free(hash_table *t)
{
	symcf_free(t->slot);
	*t = (hash_table){0};
}
