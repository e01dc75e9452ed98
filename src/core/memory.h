/* memory.h (private): the one place that calls malloc. A size is a count times the size of one, checked
 * for overflow. CUDD allocates by itself; address space comes from growing_map.c. */
#ifndef SYMCF_MEMORY_H
#define SYMCF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ensures: NULL if count * size overflows or memory is short; never NULL for a count of 0. */
void *symcf_allocate(uint64_t count, size_t size);
void *symcf_allocate_zeroed(uint64_t count, size_t size);

/* Grows *array (of *capacity entries) to hold at least `needed`, by at least half again.
 * ensures: returns 0 and leaves everything as it was if memory is short, else 1. */
int symcf_grow(void *array, uint64_t *capacity, uint64_t needed, size_t size);

/* Shrinks or grows to exactly `count`; NULL if memory is short, then `array` is still valid. */
void *symcf_resize(void *array, uint64_t count, size_t size);

/* For memory that comes from elsewhere; returns it. */
void *symcf_wish_huge_pages(void *memory, uint64_t bytes);

/* Could so much be had now? Takes and gives back addresses, no memory; a few microseconds. */
bool symcf_headroom(uint64_t bytes);

/* Is this the allocation that a test wants to see failing? For allocators besides these. */
int symcf_allocation_fails(void);

/* For the tests: the allocation number `countdown` from now fails (1: the next); 0: none does.
 * Not thread-safe. */
void symcf_fail_allocation(uint64_t countdown);

#endif
