/* moves_cover.h: the search of moves_cover.c, for those who state its problem in another way. Private.
 *
 *   symcf_moves_cover_create      chains, steps and prices; deficits and gains are 0, nothing is a must
 *   e->deficit, e->gain, ...      what each step gains
 *   symcf_moves_cover_begin       from here on as any other
 */
#ifndef SYMCF_MOVES_COVER_H
#define SYMCF_MOVES_COVER_H

#include "arena.h"
#include "cover.h"
#include "symcf.h"

/* What the search knows above each depth. */
typedef struct above {
	int64_t total; /* gained                            */
	int64_t least; /* the least of the last gains       */
	int64_t cost;
	uint32_t changes, steps;
	uint32_t next; /* which record to try at this depth; after the last one: to stay */
} above;

struct symcf_moves_cover {
	const symcf_moves *m;
	const int64_t *cost; /* by step, of the step alone */
	uint32_t n_rivals, n_steps;
	int64_t *gain;    /* by rival and step                                                      */
	int64_t *before;  /* by rival and step: the largest gain of what is nearer on its chain, 0 for
	                     to stay; COVER_NO_GAIN if nothing nearer is allowed                    */
	int64_t *deficit; /* by rival                                                               */
	int64_t *price;   /* by step: of the whole move                                             */
	uint32_t *first;  /* by step: the first one of its chain                                    */
	bool *must;       /* by feature: may it not stay?                                           */
	/* Sets of features instead of steps; NULL: of steps. The chains have one step each. */
	const uint32_t *member_start, *member; /* by step, the features that it stands for, ascending */
	const int64_t *set_cost;               /* by what the sets are of; NULL: 1 each              */
	uint32_t most_members;                 /* that a set can have                                */
	uint32_t *members;                     /* of a set to be                                     */
	/* the rival under way */
	uint32_t turn, n_moving, n_must;
	uint32_t *feature;      /* by depth; first those that may not stay               */
	uint32_t *record_start; /* n_moving + 1                                          */
	uint32_t *record;       /* steps                                                 */
	int64_t *largest;       /* by feature, while sorting                             */
	int64_t *sum;           /* n_moving + 1: of the largest gains before a depth     */
	uint32_t *bargain; /* by depth: the record with the best price for its gain, here or deeper */
	above *above;      /* n_moving + 1                                          */
	uint32_t depth;
	arena arena;
};

/* `most_members`: 0 for sets of steps. */
symcf_status symcf_moves_cover_create(const symcf_moves *m, uint32_t n_rivals, const int64_t *cost,
                                      uint32_t most_members, symcf_moves_cover **out);
void symcf_moves_cover_begin(symcf_moves_cover *e);

#endif
