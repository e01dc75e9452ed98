/* mcs_found.c: the sets found so far, for looking up whether one is new. */
#include <string.h>

#include "mcs_internal.h"
#include "memory.h"

const uint32_t *mcs_found_get(const mcs_found *f, uint64_t i, uint32_t *size)
{
	const uint64_t start = i ? f->sets.end[i - 1] : 0;
	*size = (uint32_t)(f->sets.end[i] - start);
	return f->sets.features + start;
}

static uint64_t hash_set(const uint32_t *set, uint32_t size)
{
	uint64_t hash = size;
	for (uint32_t i = 0; i < size; i++) {
		hash = (hash ^ set[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

/* The slot of the set, or the empty one where it belongs. requires: an empty slot. */
static uint64_t find_slot(const mcs_found *f, const uint32_t *set, uint32_t size)
{
	uint64_t i = hash_set(set, size) & (f->n_slots - 1);
	for (; f->slot[i]; i = (i + 1) & (f->n_slots - 1)) {
		uint32_t other_size;
		const uint32_t *other = mcs_found_get(f, f->slot[i] - 1, &other_size);
		if (other_size == size && !memcmp(other, set, size * sizeof *set))
			break;
	}
	return i;
}

/* Makes room for one more, at most half of the slots in use. */
static symcf_status found_reserve(mcs_found *f)
{
	if (2 * (f->sets.n_sets + 1) <= f->n_slots)
		return SYMCF_OK;
	const uint64_t n_slots = f->n_slots ? 4 * f->n_slots : 256;
	uint64_t *slot = symcf_allocate_zeroed(n_slots, sizeof *slot);
	if (!slot)
		return SYMCF_NO_MEMORY;
	symcf_free(f->slot);
	f->slot = slot;
	f->n_slots = n_slots;
	for (uint64_t i = 0; i < f->sets.n_sets; i++) {
		uint32_t size;
		const uint32_t *set = mcs_found_get(f, i, &size);
		f->slot[find_slot(f, set, size)] = i + 1;
	}
	return SYMCF_OK;
}

symcf_status mcs_found_add(mcs_found *f, const uint32_t *set, uint32_t size, bool *is_new)
{
	TRY(found_reserve(f));
	const uint64_t slot = find_slot(f, set, size);
	*is_new = !f->slot[slot];
	if (!*is_new)
		return SYMCF_OK;
	TRY(symcf_sets_push(&f->sets, set, size));
	f->slot[slot] = f->sets.n_sets;
	return SYMCF_OK;
}

void mcs_found_clear(mcs_found *f)
{
	enum { LARGE = 1 << 14 };
	symcf_sets_clear(&f->sets);
	if (f->n_slots > LARGE) {
		symcf_free(f->slot);
		f->slot = NULL;
		f->n_slots = 0;
	} else if (f->n_slots) {
		memset(f->slot, 0, f->n_slots * sizeof *f->slot);
	}
}
