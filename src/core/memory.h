/* memory.h (private): the one place that calls malloc for the core. A size is a count times the size of
 * one entry, checked for overflow, and charged to the budget of the thread (symcf_budget). CUDD's memory:
 * bdd_memory.c; address space: growing_map.c. */
#ifndef SYMCF_MEMORY_H
#define SYMCF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symcf.h"

/* ensures: NULL if count * size overflows, memory is short or the budget is used up; never NULL for a count
 * of 0. */
void *symcf_allocate(uint64_t count, size_t size);
void *symcf_allocate_zeroed(uint64_t count, size_t size);

/* Grows *array (of *capacity entries) to hold at least `needed`, by at least half its capacity.
 * ensures: 1; or 0 if memory is short, and then everything is as it was. */
int symcf_grow(void *array, uint64_t *capacity, uint64_t needed, size_t size);

/* Shrinks or grows to exactly `count`; NULL if memory is short, then `array` is still valid. */
void *symcf_resize(void *array, uint64_t count, size_t size);

/* Was it the budget that made the last allocation of this thread that failed fail? */
bool symcf_is_over_budget(void);

/* The status of a function whose last allocation failed. */
static inline symcf_status symcf_no_memory(void)
{
	return symcf_is_over_budget() ? SYMCF_LIMIT_MEMORY : SYMCF_NO_MEMORY;
}

/* For memory that is not taken here, such as a solver's. ensures: false if the budget has not so much left. */
bool symcf_charge(uint64_t bytes);
/* requires: it was charged to the present budget or one around it. */
void symcf_refund(uint64_t bytes);

/* The budget of this thread, or NULL. */
symcf_budget *symcf_budget_now(void);

/* Is so much memory available now? Takes and gives back addresses, no memory; a few microseconds. */
bool symcf_headroom(uint64_t bytes);

/* Is this the allocation that a test wants to fail? For other allocators to ask. */
int symcf_allocation_fails(void);

/* For the tests: the allocation number `countdown` from now fails (1: the next; 0: no allocation fails).
 * Not thread-safe. */
void symcf_fail_allocation(uint64_t countdown);

#endif
