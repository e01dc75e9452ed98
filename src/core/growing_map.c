/* growing_map.c: see growing_map.h. */
#include "growing_map.h"

#include "memory.h"
#include "platform.h"

static uint64_t whole(uint64_t bytes, uint64_t unit)
{
	return (bytes / unit + (bytes % unit != 0)) * unit;
}

static uint64_t whole_pages(uint64_t bytes)
{
	return whole(bytes ? bytes : 1, symcf_page_size());
}

/* Gives a part back, to the page cache if it keeps any. requires: from >= GROWING_MAP_SMALL. */
static void give(void *data, uint64_t from, uint64_t to)
{
	if (symcf_map_moves())
		symcf_page_cache_give((char *)data + from, to - from);
	else
		symcf_map_drop(data, from, to);
}

/* A mapping whose large pages begin GROWING_MAP_SMALL after its start; NULL if there is no room. */
static void *map_aligned(uint64_t size)
{
	void *data = symcf_map_open(size, GROWING_MAP_SMALL, PAGE_CACHE_UNIT);
	if (data)
		return data;
	symcf_release_memory(); /* addresses may be scarce (ulimit -v) */
	return symcf_map_open(size, GROWING_MAP_SMALL, PAGE_CACHE_UNIT);
}

/* Small pages at the beginning, whole huge ones behind. */
static bool commit(symcf_growing_map *r, uint64_t bytes)
{
	uint64_t end = GROWING_MAP_SMALL;
	if (bytes <= r->committed)
		return true;
	if (bytes > end)
		end += whole(bytes - end, PAGE_CACHE_UNIT);
	end = end < r->size ? end : r->size;
	if (!symcf_map_commit(r->data, r->committed, end))
		return false;
	r->committed = end;
	return true;
}

symcf_status symcf_growing_map_open(symcf_growing_map *r, uint64_t bytes)
{
	if (bytes > PTRDIFF_MAX - 2 * PAGE_CACHE_UNIT || symcf_allocation_fails())
		return SYMCF_NO_MEMORY;
	const uint64_t size = whole_pages(bytes);
	symcf_growing_map map = {map_aligned(size), size, 0, 0};
	if (!map.data)
		return SYMCF_NO_MEMORY;
	if (!commit(&map, 1)) {
		symcf_map_drop(map.data, 0, size);
		return SYMCF_NO_MEMORY;
	}
	symcf_wish_huge(map.data, GROWING_MAP_SMALL, size);
	*r = map;
	return SYMCF_OK;
}

symcf_status symcf_growing_map_reach(symcf_growing_map *r, uint64_t bytes)
{
	if (bytes > r->size)
		return SYMCF_OK;
	if (!commit(r, bytes))
		return SYMCF_NO_MEMORY;
	if (r->backed || bytes <= GROWING_MAP_SMALL)
		return SYMCF_OK;
	r->backed = GROWING_MAP_SMALL;
	if (!symcf_map_moves())
		return SYMCF_OK;
	uint64_t moved;
	const symcf_status status = symcf_page_cache_move((char *)r->data + GROWING_MAP_SMALL,
	                                                  r->size - GROWING_MAP_SMALL, &moved);
	r->backed += moved;
	return status;
}

/* Whole pages at the beginning, whole huge ones behind: to cut one takes longer than it is worth. */
static uint64_t trimmed_size(uint64_t bytes)
{
	if (bytes <= GROWING_MAP_SMALL)
		return whole_pages(bytes);
	return GROWING_MAP_SMALL + whole(bytes - GROWING_MAP_SMALL, PAGE_CACHE_UNIT);
}

void symcf_growing_map_trim(symcf_growing_map *r, uint64_t bytes)
{
	const uint64_t keep = trimmed_size(bytes);
	if (keep < r->size) {
		const uint64_t spare = keep < GROWING_MAP_SMALL ? GROWING_MAP_SMALL : keep;
		if (spare < r->backed) {
			symcf_map_drop(r->data, keep, spare);
			give(r->data, spare, r->backed);
			symcf_map_drop(r->data, r->backed, r->size);
		} else {
			symcf_map_drop(r->data, keep, r->size);
		}
		r->size = keep;
	}
	r->backed = r->size;
}

void symcf_growing_map_close(symcf_growing_map *r)
{
	if (r->data && r->backed > GROWING_MAP_SMALL) {
		symcf_map_drop(r->data, r->backed, r->size);
		give(r->data, GROWING_MAP_SMALL, r->backed);
		symcf_map_drop(r->data, 0, GROWING_MAP_SMALL);
	} else if (r->data) {
		symcf_map_drop(r->data, 0, r->size);
	}
	*r = (symcf_growing_map){0};
}
