/* hash_table.h (private): which of the caller's entries has this key?
 *
 *   hash_table t = {0};
 *   TRY(symcf_hash_table_reserve(&t, first, end, hash, owner));     room for entry number `end`
 *   uint32_t *slot = hash_table_find(&t, key_hash, same, owner, key);
 *   if (!*slot) {                                             it is not there
 *       ... append it to the caller's array ...
 *       *slot = end;
 *   }
 *   symcf_hash_table_clear(&t); symcf_hash_table_free(&t);
 *
 * Entries lie in an array of the caller's, here `owner`, which numbers them first, first + 1, ...; no
 * entry is number 0. The table holds these numbers and nothing else, 4 bytes per slot, and is at most
 * half full. Collisions go to the next slot. An empty table is all zeros and has no memory.
 *
 * hash_table_find is inline, and with it the functions that it calls: it becomes what one would write
 * by hand for each table.
 *
 * Keys may be chosen by someone who knows the hash, so that all of them collide. Then each search
 * walks past all others: `steps` counts how far, and whoever works long on such keys charges
 * hash_table_take_steps to the control, so that limits and interruptions are kept.
 */
#ifndef SYMCF_HASH_TABLE_H
#define SYMCF_HASH_TABLE_H

#include "symcf.h"

typedef struct hash_table {
	uint32_t *slot;   /* numbers of entries; 0: free         */
	uint64_t n_slots; /* 2^(64 - shift), or 0                */
	unsigned shift;   /* the upper bits of a hash are where the search begins */
	uint64_t steps;   /* past other entries, since last told */
} hash_table;

/* The hash of an entry, and whether its key is this one. */
typedef uint64_t hash_table_hash(const void *owner, uint32_t number);
typedef bool hash_table_same(const void *owner, uint32_t number, const void *key);

/* Chains words to a hash, beginning with any number. The upper bits depend on all bits. */
static inline uint64_t hash_table_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

/* The slot of the entry with this key, or the free one where it belongs; good until the table is
 * reserved or cleared. requires: a free slot. */
__attribute__((always_inline)) static inline uint32_t *hash_table_find(hash_table *t, uint64_t hash,
                                                                       hash_table_same *same,
                                                                       const void *owner,
                                                                       const void *key)
{
	const uint64_t mask = t->n_slots - 1;
	uint64_t at = hash >> t->shift;
	while (t->slot[at] && !same(owner, t->slot[at], key)) {
		at = (at + 1) & mask;
		t->steps++;
	}
	return &t->slot[at];
}

/* Room for entry number `end` beside those from `first` on.
 * ensures: SYMCF_NO_MEMORY with the table as it was; SYMCF_OVERFLOW if that number is too large. */
symcf_status symcf_hash_table_reserve(hash_table *t, uint64_t first, uint64_t end,
                                      hash_table_hash *hash, const void *owner);

/* Puts the entries first .. end - 1 into free slots of the caller's, a power of two and more than the
 * entries. For those who have memory of their own; they free it, too. */
void symcf_hash_table_fill(hash_table *t, uint32_t *slot, uint64_t n_slots, uint64_t first,
                           uint64_t end, hash_table_hash *hash, const void *owner);

/* Forgets the entries and keeps the memory. */
void symcf_hash_table_clear(hash_table *t);
void symcf_hash_table_free(hash_table *t);

static inline uint64_t hash_table_bytes(const hash_table *t)
{
	return t->n_slots * sizeof *t->slot;
}

/* How far searches have walked since this was last asked, for symcf_tick. */
static inline uint32_t hash_table_take_steps(hash_table *t)
{
	const uint64_t steps = t->steps;
	t->steps = 0;
	return steps < UINT32_MAX / 2 ? (uint32_t)steps : UINT32_MAX / 2;
}

#endif
