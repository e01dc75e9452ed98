/* memory.c: see memory.h. */
#define _DEFAULT_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "symcf.h"

static uint64_t fail_countdown;

void symcf_fail_allocation(uint64_t countdown)
{
	fail_countdown = countdown;
}

int symcf_allocation_fails(void)
{
	return fail_countdown && !--fail_countdown;
}

static int product_overflows(uint64_t count, size_t size)
{
	return size && count > (uint64_t)(PTRDIFF_MAX / size);
}

/* Asks for huge pages in large memory, where page faults would take most of the time of whoever
 * writes it once from end to end. A wish: that it may fail does not matter. */
void *symcf_wish_huge_pages(void *memory, uint64_t bytes)
{
#ifdef MADV_HUGEPAGE
	enum { LARGE = 1 << 22, PAGE = 1 << 21 };
	if (memory && bytes >= LARGE) {
		const uintptr_t start = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE;
		const uintptr_t end = ((uintptr_t)memory + bytes) / PAGE * PAGE;
		madvise((void *)start, end - start, MADV_HUGEPAGE);
	}
#else
	(void)bytes;
#endif
	return memory;
}

void *symcf_allocate(uint64_t count, size_t size)
{
	if (product_overflows(count, size) || symcf_allocation_fails())
		return NULL;
	return symcf_wish_huge_pages(malloc(count ? (size_t)count * size : 1), count * size);
}

void *symcf_allocate_zeroed(uint64_t count, size_t size)
{
	if (product_overflows(count, size) || symcf_allocation_fails())
		return NULL;
	return calloc(count ? (size_t)count : 1, size);
}

void *symcf_resize(void *array, uint64_t count, size_t size)
{
	if (product_overflows(count, size) || symcf_allocation_fails())
		return NULL;
	return realloc(array, count ? (size_t)count * size : 1);
}

int symcf_grow(void *array, uint64_t *capacity, uint64_t needed, size_t size)
{
	void *old, *grown;
	if (needed <= *capacity)
		return 1;
	uint64_t target = *capacity + *capacity / 2 + 16;
	if (target < needed)
		target = needed;
	memcpy(&old, array, sizeof old); /* `array` is the address of a pointer of any type */
	if (!(grown = symcf_resize(old, target, size)))
		return 0;
	memcpy(array, &grown, sizeof grown);
	*capacity = target;
	return 1;
}

bool symcf_headroom(uint64_t bytes)
{
	if (bytes > PTRDIFF_MAX || symcf_allocation_fails())
		return false;
	void *probe =
		mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return probe != MAP_FAILED && munmap(probe, (size_t)bytes) == 0;
}

void symcf_free(void *array)
{
	free(array);
}
