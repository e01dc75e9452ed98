/* growing_map.h (private): an array that grows in place, to a size not known in advance.
 *
 *   symcf_growing_map_open(&r, bytes)    address space for at most this much; no memory is used yet
 *   symcf_growing_map_reach(&r, bytes)   announces that so much will be written, from GROWING_MAP_SMALL on
 *   r.data                               stays where it is; a page costs memory once it is written
 *   symcf_growing_map_trim(&r, bytes)    gives the rest of the address space back
 *   symcf_growing_map_close(&r)
 *
 * Several threads may write to different parts at the same time, which no reallocation allows.
 * Large growing maps are made of pages of earlier ones, as far as there are any (page_cache.h).
 */
#ifndef SYMCF_GROWING_MAP_H
#define SYMCF_GROWING_MAP_H

#include "page_cache.h"
#include "symcf.h"

/* A huge page is zeroed as a whole: too much for the few kilobytes of a small result. So a map
 * begins with small pages. */
#define GROWING_MAP_SMALL (UINT64_C(1) << 18)

/* Opens a map of `bytes`. ensures: SYMCF_NO_MEMORY if there is not enough address space. */
symcf_status symcf_growing_map_open(symcf_growing_map *r, uint64_t bytes);

/* Needed before more than GROWING_MAP_SMALL bytes, or more than were announced, are written. Systems that commit
 * memory beforehand (Windows) do it here; the others do something at the first of these calls only.
 * requires: at the first one nothing behind GROWING_MAP_SMALL has been written.
 * ensures: what is behind is undefined after the first one; SYMCF_NO_MEMORY: close the map. */
symcf_status symcf_growing_map_reach(symcf_growing_map *r, uint64_t bytes);

void symcf_growing_map_trim(symcf_growing_map *r, uint64_t bytes);
void symcf_growing_map_close(symcf_growing_map *r);

#endif
