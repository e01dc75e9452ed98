/* memory.c: see memory.h. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

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

void *symcf_allocate(uint64_t count, size_t size)
{
	if (product_overflows(count, size) || symcf_allocation_fails())
		return NULL;
	return malloc(count ? (size_t)count * size : 1);
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

void symcf_free(void *array)
{
	free(array);
}
