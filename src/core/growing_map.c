/* growing_map.c: see growing_map.h. */
#define _DEFAULT_SOURCE
#include "growing_map.h"

#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0 /* systems that never reserve */
#endif

static uint64_t whole(uint64_t bytes, uint64_t unit)
{
	return (bytes / unit + (bytes % unit != 0)) * unit;
}

static uint64_t whole_pages(uint64_t bytes)
{
	return whole(bytes ? bytes : 1, (uint64_t)sysconf(_SC_PAGESIZE));
}

static void unmap(void *data, uint64_t from, uint64_t to)
{
	if (from < to)
		munmap((char *)data + from, to - from);
}

/* A mapping whose large pages begin GROWING_MAP_SMALL after its start; NULL if there is no room. */
static void *map_aligned(uint64_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	char *data = mmap(NULL, size + PAGE_CACHE_UNIT, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (data == MAP_FAILED) { /* addresses may be scarce (ulimit -v) */
		symcf_release_memory();
		data = mmap(NULL, size + PAGE_CACHE_UNIT, PROT_READ | PROT_WRITE, flags, -1, 0);
	}
	if (data == MAP_FAILED)
		return NULL;
	const uint64_t before = -((uintptr_t)data + GROWING_MAP_SMALL) % PAGE_CACHE_UNIT;
	unmap(data, 0, before);
	unmap(data, before + size, size + PAGE_CACHE_UNIT);
	return data + before;
}

symcf_status symcf_growing_map_open(symcf_growing_map *r, uint64_t bytes)
{
	if (bytes > PTRDIFF_MAX - 2 * PAGE_CACHE_UNIT || symcf_allocation_fails())
		return SYMCF_NO_MEMORY;
	const uint64_t size = whole_pages(bytes);
	void *data = map_aligned(size);
	if (!data)
		return SYMCF_NO_MEMORY;
#ifdef MADV_HUGEPAGE
	if (size > GROWING_MAP_SMALL) /* fewer page faults; a wish, not a need */
		madvise((char *)data + GROWING_MAP_SMALL, size - GROWING_MAP_SMALL, MADV_HUGEPAGE);
#endif
	*r = (symcf_growing_map){data, size, 0};
	return SYMCF_OK;
}

symcf_status symcf_growing_map_reach(symcf_growing_map *r, uint64_t bytes)
{
	if (r->backed || bytes <= GROWING_MAP_SMALL || bytes > r->size)
		return SYMCF_OK;
	uint64_t moved;
	const symcf_status status =
		page_cache_move((char *)r->data + GROWING_MAP_SMALL, r->size - GROWING_MAP_SMALL, &moved);
	r->backed = GROWING_MAP_SMALL + moved;
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
			unmap(r->data, keep, spare);
			page_cache_give((char *)r->data + spare, r->backed - spare);
			unmap(r->data, r->backed, r->size);
		} else {
			unmap(r->data, keep, r->size);
		}
		r->size = keep;
	}
	r->backed = r->size;
}

void symcf_growing_map_close(symcf_growing_map *r)
{
	if (r->data && r->backed > GROWING_MAP_SMALL) {
		unmap(r->data, 0, GROWING_MAP_SMALL);
		page_cache_give((char *)r->data + GROWING_MAP_SMALL, r->backed - GROWING_MAP_SMALL);
		unmap(r->data, r->backed, r->size);
	} else if (r->data) {
		unmap(r->data, 0, r->size);
	}
	*r = (symcf_growing_map){0};
}
