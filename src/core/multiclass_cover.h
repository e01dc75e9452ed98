/* multiclass_cover.h (private): what the parts of the multiclass cover engine share.
 *
 *   multiclass_cover.c        the instance, listing, tallying
 *   multiclass_cover_best.c   the k first sets by (cost, size, features)
 */
#ifndef SYMCF_MULTICLASS_COVER_H
#define SYMCF_MULTICLASS_COVER_H

#include "cover.h"

struct symcf_multiclass_cover {
	uint32_t n, n_rivals;
	symcf_cover **cover; /* n_rivals                                                     */
	arena arena;         /* of the arrays below                                          */
	/* the instance */
	symcf_cover **able; /* the n_able that can win, those with the fewest changes first  */
	uint32_t n_able;
	uint32_t *fewest; /* by able rival                                                   */
	int64_t *gain;    /* of feature j for able rival r: gain[j * n_able + r], 0 or more      */
	/* the search: the covers of able[turn] that extend the prefix by positions from `position` on */
	uint32_t turn, position, size;
	uint32_t *path;   /* the positions of the prefix                                     */
	int64_t *missing; /* by able rival: what the prefix lacks, 1 or more                 */
	uint32_t *member; /* a set's features, ascending                                     */
};

/* Is a cover of able[turn] a change set, and is this the rival to report it? features: ascending or
 * not. requires: it is a minimal cover. */
bool symcf_multiclass_cover_accept(const symcf_multiclass_cover *e, uint32_t turn,
                                   const uint32_t *features, uint32_t size);

/* All sets, if there are no more than `limit` and it does not take long; otherwise SYMCF_MORE.
 * requires: a search at its beginning. */
symcf_status symcf_multiclass_cover_list_few(symcf_multiclass_cover *e, symcf_control *control,
                                             uint64_t limit, symcf_sets *sets);

/* symcf_multiclass_cover_best for sets that are too many to list. */
symcf_status symcf_multiclass_cover_rank(const symcf_multiclass_cover *e, const symcf_query *q,
                                         uint64_t k, symcf_control *control, symcf_sets *sets);

/* As symcf_cover_next_masks. */
symcf_status symcf_multiclass_cover_next_masks(symcf_multiclass_cover *e, symcf_control *control,
                                               uint64_t limit, bool reversed, cover_masks *masks);

#endif
