/* region.h (private): an array that grows in place, to a size not known in advance.
 *
 *   symcf_region_open(&r, bytes)      address space for at most this much; no memory is used yet
 *   symcf_region_reach(&r, bytes)     before more than REGION_SMALL is written: so much will be
 *   r.data                            stays where it is; a page costs memory once it is written
 *   symcf_region_trim(&r, bytes)      gives the rest of the address space back
 *   symcf_region_close(&r)
 *
 * Several threads may write to different parts at the same time, which no reallocation allows.
 * Large regions are made of pages of earlier ones, as far as there are any (kept.h).
 */
#ifndef SYMCF_REGION_H
#define SYMCF_REGION_H

#include "kept.h"
#include "symcf.h"

/* A huge page is zeroed as a whole: too much for the few kilobytes of a small result. So a region
 * begins with small pages. */
#define REGION_SMALL (UINT64_C(1) << 18)

/* Opens a region of `bytes`. ensures: SYMCF_NO_MEMORY if the address space is not to be had. */
symcf_status symcf_region_open(symcf_region *r, uint64_t bytes);

/* Needed once, when `bytes` first passes REGION_SMALL, and does nothing at other times.
 * requires: nothing behind REGION_SMALL has been written.
 * ensures: what is there is no longer defined; SYMCF_NO_MEMORY: close the region. */
symcf_status symcf_region_reach(symcf_region *r, uint64_t bytes);

void symcf_region_trim(symcf_region *r, uint64_t bytes);
void symcf_region_close(symcf_region *r);

#endif
