/* region.h (private): an array that grows in place, to a size not known in advance.
 *
 *   symcf_region_open(&r, bytes)      address space for at most this much; no memory is used yet
 *   r.data                            stays where it is; a page costs memory once it is written
 *   symcf_region_trim(&r, bytes)      gives the rest of the address space back
 *   symcf_region_close(&r)
 *
 * Several threads may write to different parts at the same time, which no reallocation allows.
 */
#ifndef SYMCF_REGION_H
#define SYMCF_REGION_H

#include "symcf.h"

/* Opens a region of `bytes`. ensures: SYMCF_NO_MEMORY if the address space is not to be had. */
symcf_status symcf_region_open(symcf_region *r, uint64_t bytes);
void symcf_region_trim(symcf_region *r, uint64_t bytes);
void symcf_region_close(symcf_region *r);

#endif
