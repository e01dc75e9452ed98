/* mcs_found.c: the sets found so far, for looking up whether one is new. */
#include <string.h>

#include "mcs_internal.h"
#include "memory.h"

const uint32_t *symcf_mcs_found_get(const mcs_found *f, uint64_t i, uint32_t *size)
{
	const uint64_t start = i ? f->sets.end[i - 1] : 0;
	*size = (uint32_t)(f->sets.end[i] - start);
	return f->sets.features + start;
}

static uint64_t hash_features(const uint32_t *set, uint32_t size)
{
	uint64_t hash = size;
	for (uint32_t i = 0; i < size; i++)
		hash = hash_table_mix(hash, set[i]);
	return hash;
}

static uint64_t hash_found(const void *owner, uint32_t number)
{
	uint32_t size;
	const uint32_t *set = symcf_mcs_found_get(owner, number - 1, &size);
	return hash_features(set, size);
}

/* What a set is found by. */
typedef struct set_key {
	const uint32_t *set;
	uint32_t size;
} set_key;

static bool is_set(const void *owner, uint32_t number, const void *wanted)
{
	const set_key *key = wanted;
	uint32_t size;
	const uint32_t *set = symcf_mcs_found_get(owner, number - 1, &size);
	return size == key->size && !memcmp(set, key->set, size * sizeof *set);
}

symcf_status symcf_mcs_found_add(mcs_found *f, const uint32_t *set, uint32_t size, bool *is_new)
{
	TRY(symcf_hash_table_reserve(&f->table, 1, f->sets.n_sets + 1, hash_found, f));
	const set_key key = {set, size};
	uint32_t *slot = hash_table_find(&f->table, hash_features(set, size), is_set, f, &key);
	*is_new = !*slot;
	if (!*is_new)
		return SYMCF_OK;
	TRY(symcf_sets_push(&f->sets, set, size));
	*slot = (uint32_t)f->sets.n_sets;
	return SYMCF_OK;
}

void symcf_mcs_found_clear(mcs_found *f)
{
	enum { LARGE = 1 << 14 };
	symcf_sets_clear(&f->sets);
	if (f->table.n_slots > LARGE)
		symcf_hash_table_free(&f->table);
	else
		symcf_hash_table_clear(&f->table);
}
