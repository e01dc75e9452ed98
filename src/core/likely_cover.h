/* likely_cover.h (private): what the parts of the search for changes to likely rows share.
 *
 *   likely_cover.c   the search
 *   likely_row.c     the instance: gains, losses, what no choice can do without
 *   likely_lists.c   lists of choices, one feature after another
 */
#ifndef SYMCF_LIKELY_COVER_H
#define SYMCF_LIKELY_COVER_H

#include "cover.h"
#include "likely.h"

/* What a cell loses that must not be taken: more than any slack. Sums hold at most one of them. */
#define LIKELY_NEVER (INT64_C(1) << 60)

/* Values for the features that change so far. */
typedef struct likely_choice {
	int64_t gain;
	int64_t loss; /* at least, whatever the later features become */
	int64_t full; /* if they stay as they are                     */
} likely_choice;

/* A cell that a position may change to. */
typedef struct likely_option {
	int64_t gain;
	uint32_t cell;
} likely_option;

/* A set that is extended: its choices, and the turn to be decided next. */
typedef struct likely_node {
	uint64_t first, count;
	uint32_t turn;
} likely_node;

/* What a position is linked with, if that changes: its cells in the choices, and the table of both, where
 * `step` leads from one cell of the position to the next and `other` to the next of its neighbour. */
typedef struct likely_bond {
	uint32_t rank;
	const int64_t *table, *less; /* less: by the neighbour's cell, what it was known to lose */
	uint32_t step, other;
} likely_bond;

struct symcf_likely_cover {
	arena arena;
	const symcf_threshold *t;
	const symcf_likely *l;
	/* what depends on the cells that are allowed only: of the last instance, if known */
	bool known;
	uint8_t *present, *before; /* by cell: of this instance, of the last                   */
	int64_t *loss;             /* as the table                                             */
	int64_t *hanging;          /* by cell: the most that positions that depend on it add   */
	int64_t *least;            /* by cell: the least that it loses                         */
	int64_t *regret;           /* by two cells: the most that the first loses more ...     */
	int64_t *regret_above;     /* ... and that a position loses more below the first       */
	uint64_t *regret_start, *regret_above_start; /* n + 1                                  */
	int64_t slack;
	/* the instance */
	uint32_t most_changes;
	int64_t deficit;
	uint32_t *own;      /* by position, the cell                                        */
	int64_t *cell_gain; /* by cell; COVER_NO_GAIN: nothing to change to                */
	likely_option *options;
	uint32_t *option_start; /* n + 1                                                   */
	int64_t *best;          /* by position, at least 0                                 */
	uint32_t *position;     /* by turn: by falling best                                */
	uint32_t *turn;         /* by position                                             */
	uint64_t *known_at;     /* n + 1: the positions before a turn                      */
	int64_t *sum;           /* n + 1: of the best before a turn                        */
	int64_t *fall;          /* n + 1: the most that turns from here on can take away, at most 0 */
	/* the search */
	bool done;
	uint64_t pending; /* a set that was found and not wanted; 0: none */
	uint32_t exactly; /* only sets of so many features; 0: of any number */
	uint32_t depth;
	likely_node *node; /* n + 1                                           */
	uint32_t *member;  /* by depth: positions                             */
	int32_t *rank;     /* by position: its depth; -1 if it stays          */
	int32_t *tried;    /* the same, of a set without one feature          */
	uint32_t *open, n_open;
	likely_bond *links; /* n + 1                                         */
	/* lists */
	likely_choice *choices, *choices_spare;
	uint8_t *cells, *cells_spare; /* n + 1 by choice                     */
	uint64_t *order, *order_spare;
	uint64_t cap_choices, cap_cells, cap_choices_spare, cap_cells_spare, cap_order, cap_order_spare;
};

/* Places for the cells of a choice. */
static inline uint64_t likely_stride(const symcf_likely_cover *e)
{
	return e->l->n / 8 * 8 + 8;
}

/* What the turns from here on can gain with so many changes. */
static inline int64_t likely_reach(const symcf_likely_cover *e, uint32_t turn, uint32_t changes)
{
	const uint32_t left = e->l->n - turn;
	return e->sum[turn + (changes < left ? changes : left)] - e->sum[turn];
}

/* A set, as the ranks of its members, and the positions that are decided, as bits: members and others. */
typedef struct likely_part {
	const int32_t *rank;
	uint64_t known;
	uint32_t depth;
} likely_part;

static inline bool likely_knows(const likely_part *s, uint32_t p)
{
	return s->known >> p & 1;
}

/* What a position can become beside a set: by its cell, what that loses but for links with members. */
typedef struct likely_place {
	uint32_t position, own, n_links;
	likely_bond *links;
	int64_t loss[SYMCF_LIKELY_CELLS];   /* at least, whatever later positions become           */
	int64_t full[SYMCF_LIKELY_CELLS];   /* more than its own, if later positions stay           */
	int64_t regret[SYMCF_LIKELY_CELLS]; /* of its own cell at most, whatever later ones become  */
} likely_place;

/* The choices of a set with one more feature. */
typedef struct likely_extension {
	int64_t more; /* what later positions can gain                           */
	int64_t fall; /* the most that they can take away, at most 0             */
	bool stays;   /* may the feature stay as it is, too?                     */
	uint64_t first, count;
	bool reached; /* does the last choice succeed with the rest as it is?    */
} likely_extension;

/* Room for so many choices, and their cells. */
symcf_status symcf_likely_grow(symcf_likely_cover *e, uint64_t choices);

/* What a position can become beside a set. */
void symcf_likely_look(const symcf_likely_cover *e, const likely_part *s, uint32_t p,
                       likely_place *at);

/* The choices of a list, from `first` on, with one more feature. ensures: x->count; with x->reached the list
 * ends early. */
symcf_status symcf_likely_extend(symcf_likely_cover *e, const likely_part *s,
                                 const likely_place *at, uint64_t first, uint64_t count,
                                 likely_extension *x);

/* Of a list, what is left where the position stays as it is. more: what later ones can gain. */
uint64_t symcf_likely_leave(symcf_likely_cover *e, const likely_part *s, const likely_place *at,
                            uint64_t first, uint64_t count, int64_t more);

/* Drops choices that are no better than another, from long lists. */
symcf_status symcf_likely_thin(symcf_likely_cover *e, const likely_part *s, uint64_t first,
                               uint64_t *count, symcf_control *control);

/* Begins the search for sets of so many features; 0: of any number. */
void symcf_likely_begin(symcf_likely_cover *e, uint32_t exactly);

#endif
