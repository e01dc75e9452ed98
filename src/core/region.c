/* region.c: see region.h. */
#define _DEFAULT_SOURCE
#include "region.h"

#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0 /* systems that never reserve */
#endif

/* A huge page is zeroed as a whole: too much for the few kilobytes of a small result. */
enum { SMALL = 1 << 21 };

static uint64_t whole_pages(uint64_t bytes)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	return (bytes / page + (bytes % page != 0)) * page;
}

symcf_status symcf_region_open(symcf_region *r, uint64_t bytes)
{
	const uint64_t size = whole_pages(bytes ? bytes : 1);
	if (size > PTRDIFF_MAX || symcf_allocation_fails())
		return SYMCF_NO_MEMORY;
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (data == MAP_FAILED)
		return SYMCF_NO_MEMORY;
#ifdef MADV_HUGEPAGE
	if (size > SMALL) /* fewer page faults; a wish, not a need */
		madvise((char *)data + SMALL, size - SMALL, MADV_HUGEPAGE);
#endif
	*r = (symcf_region){data, size};
	return SYMCF_OK;
}

void symcf_region_trim(symcf_region *r, uint64_t bytes)
{
	const uint64_t keep = whole_pages(bytes ? bytes : 1);
	if (keep < r->size) {
		munmap((char *)r->data + keep, r->size - keep);
		r->size = keep;
	}
}

void symcf_region_close(symcf_region *r)
{
	if (r->data)
		munmap(r->data, r->size);
	*r = (symcf_region){0};
}
