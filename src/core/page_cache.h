/* page_cache.h (private): memory of finished results, kept for the next ones.
 *
 * The system clears every page that it hands out, and two threads do not make it clear them faster:
 * for results of hundreds of megabytes that takes as long as finding them. So large pieces of
 * memory that are no longer needed stay with the process, a few of them and up to PAGE_CACHE_MOST
 * bytes. They are marked as free: the system takes them back when it is short of memory.
 *
 *   symcf_page_cache_give(data, bytes)     instead of symcf_map_drop
 *   symcf_page_cache_move(place, bytes)    puts a piece there, in the place of fresh pages of a mapping
 *   symcf_release_memory()           gives everything back to the system now
 *
 * Any thread may call these at any time, and a child process after fork, too. Where the system
 * cannot move pages (symcf_map_moves) nobody calls them and nothing is kept.
 */
#ifndef SYMCF_PAGE_CACHE_H
#define SYMCF_PAGE_CACHE_H

#include "symcf.h"

/* Pieces begin and end at multiples of this: the size of a huge page, so that no huge page is split. */
#define PAGE_CACHE_UNIT (UINT64_C(1) << 21)
#define PAGE_CACHE_MOST (UINT64_C(1) << 30)

/* Keeps the whole units of this part of a mapping, or as many of them as fit, and unmaps the rest.
 * requires: `data` is a multiple of PAGE_CACHE_UNIT, `bytes` of the page size. */
void symcf_page_cache_give(void *data, uint64_t bytes);

/* Moves the largest piece that fits to `place`, which is part of a mapping that growing_map.c
 * made, not yet written to, and a multiple of PAGE_CACHE_UNIT. Its bytes are undefined afterwards.
 * ensures: *moved is the number of bytes, 0 if there is no such piece; SYMCF_NO_MEMORY if the
 * mapping lost its pages. */
symcf_status symcf_page_cache_move(void *place, uint64_t bytes, uint64_t *moved);

#endif
