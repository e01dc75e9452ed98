/* page_cache.h (private): memory of finished results, kept for the next ones.
 *
 * The system clears every page that it hands out, and clears none twice as fast for two threads:
 * for results of hundreds of megabytes that is as much work as finding them. So large pieces of
 * memory that are no longer needed stay with the process, a few and up to PAGE_CACHE_MOST bytes. They are
 * marked as free: the system takes them back when it is short of memory, without asking.
 *
 *   page_cache_give(data, bytes)     instead of munmap
 *   page_cache_move(place, bytes)    puts a piece there, in the place of fresh pages of a mapping
 *   symcf_release_memory()     gives everything back to the system now
 *
 * Any thread may call these at any time, and a child process after fork, too. Where the system
 * cannot move pages nothing is kept.
 */
#ifndef SYMCF_PAGE_CACHE_H
#define SYMCF_PAGE_CACHE_H

#include "symcf.h"

/* Pieces begin and end at multiples of this: the size of a huge page, so that none is torn. */
#define PAGE_CACHE_UNIT (UINT64_C(1) << 21)
#define PAGE_CACHE_MOST (UINT64_C(1) << 30)

/* Keeps the whole units of this part of a mapping, or of it as many as fit, and unmaps the rest.
 * requires: `data` is a multiple of PAGE_CACHE_UNIT, `bytes` of the page size. */
void page_cache_give(void *data, uint64_t bytes);

/* Moves the largest piece that fits to `place`, which is part of a mapping as growing_map.c makes them,
 * not yet written to, and a multiple of PAGE_CACHE_UNIT. What its bytes are is not defined.
 * ensures: *moved, how many bytes these are, 0 if there is no such piece; SYMCF_NO_MEMORY if the
 * mapping lost its pages. */
symcf_status page_cache_move(void *place, uint64_t bytes, uint64_t *moved);

#endif
