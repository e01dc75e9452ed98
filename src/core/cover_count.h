/* cover_count.h (private): the lists that minimal covers are counted by (cover_count.c) and drawn from
 * (cover_sample.c).
 *
 *   cover_counting c;
 *   symcf_cover_counting_open(&c, e, keep, control)     counts; with `keep` every list stays
 *   c.total                                       how many covers there are
 *   symcf_cover_counting_close(&c)                      also after a failure
 */
#ifndef SYMCF_COVER_COUNT_H
#define SYMCF_COVER_COUNT_H

#include "cover.h"

/* From above: value[i] prefixes lack at[i]. From below: value[i] completions of every t that is
 * greater than at[i-1] (0 at the start) and at most at[i]; none beyond the last. */
typedef struct cover_list {
	uint64_t count;
	int64_t *at;     /* ascending                */
	uint64_t *value; /* `width` limbs each       */
} cover_list;

typedef struct cover_counting {
	const symcf_cover *e;
	symcf_control *control;
	size_t width;
	uint32_t n_lists, step;
	cover_list *above, *below, *next; /* n_lists each */
	uint64_t n_above, n_below;        /* entries */
	uint64_t *total;
	uint32_t meeting; /* the position that the last lists from above and from below stand before */
	/* The lists of earlier levels by the position they stand before; NULL: these are not kept. */
	cover_list **kept; /* m + 1 */
	uint64_t n_kept;   /* entries */
} cover_counting;

/* ensures: to be closed whatever the status is. requires: e outlives it. */
symcf_status symcf_cover_counting_open(cover_counting *c, const symcf_cover *e, bool keep,
                                       symcf_control *control);
void symcf_cover_counting_close(cover_counting *c);

#endif
