/* choose.h (private): what the parts of the chooser share.
 *
 *   choose.c        what values cost and gain; one sum to raise
 *   choose_all.c    several sums to raise at once
 *   choose_within.c a sum to raise within a relation
 *   choose_paths.c  a diagram that has to lead to a sink
 *   choose_best.c   the cheapest change sets
 *
 * Words. A *line* is a sum of weights that has to reach 0; a function that has to become 0 is turned
 * round. An *option* is a value that a feature may take; its *unit* is (cost, move) as one number.
 */
#ifndef SYMCF_CHOOSE_H
#define SYMCF_CHOOSE_H

#include "symcf.h"

typedef __int128 choose_unit;

typedef struct choose_option {
	choose_unit unit;
	int64_t gain; /* what the line has with it, or gains by it */
	uint32_t code, name;
} choose_option;

/* A partial choice: the values of the first features of the set. */
typedef struct choose_state {
	choose_unit unit;
	int64_t missing;
	uint32_t parent, name;
} choose_state;

/* What the rest of the set, from some feature on, adds at least and at most. */
typedef struct choose_rest {
	choose_unit cheapest, dearest; /* all at the first option, all at the last */
	int64_t most;
} choose_rest;

/* A member of the set that has several options. */
typedef struct choose_open {
	const choose_option *front;
	uint32_t count, slot;
} choose_open;

/* For choose_paths.c. A node of the part of a diagram that the set can reach. */
typedef struct choose_place {
	uint32_t node, next; /* another one of the same feature           */
	choose_unit unit;    /* of the best way from here; -1: there is none */
} choose_place;

/* A feature of the set, and what it may become, the cheapest first. */
typedef struct choose_feature {
	uint32_t slot; /* its number in the set                    */
	uint32_t level, count;
	uint32_t places; /* the first of its places; 0: it has none  */
	const choose_option *option;
} choose_feature;

struct symcf_chooser {
	symcf_aim aim;
	uint32_t n, n_lines;
	const uint32_t *value_offset;
	const symcf_threshold **line; /* n_lines */
	int64_t *shift;
	int64_t sign;
	/* the instance */
	const uint32_t *x;
	symcf_options options;
	int64_t *total;       /* by line: the sum of x                                    */
	choose_option *front; /* by line and value: the options worth taking, from the    */
						  /* place of the feature's first value, by rising unit       */
	uint32_t *front_size; /* by line and feature; UINT32_MAX: not known yet           */
	/* scratch: see `narrow` */
	choose_open *open; /* n */
	uint32_t n_open;
	int64_t missing;
	choose_rest *rest; /* n + 1                                                    */
	choose_state *state;
	uint64_t cap_state;
	uint64_t *level;        /* n + 1: where the states of each prefix begin             */
	uint32_t *head;         /* by option of a feature: the next state to extend with it */
	uint32_t *names, *best; /* n each                                                   */
	uint32_t *other, *other_slot, *other_name; /* n each: features that are not related  */
	/* scratch for diagrams */
	uint32_t *level_of;      /* by feature                                               */
	uint32_t *rank;          /* by feature: its number by level in the set, UINT32_MAX   */
	uint32_t *stamp;         /* by node: its place, if it is one now, or 0               */
	choose_feature *feature; /* by rank                                                  */
	choose_place *place;     /* by number, from 1 on                                     */
	uint32_t *place_names;   /* by place, those of its way, as many as the set has       */
	uint32_t n_places;
	uint64_t cap_place, cap_place_names;
};

/* The options of feature j by rising unit, dominated ones left out; gains are over the value of x.
 * ensures: *count. */
const choose_option *symcf_choose_front(symcf_chooser *c, uint32_t line, uint32_t j,
                                        uint32_t *count);

/* The option of a value; its gain is its weight. requires: it is allowed. */
choose_option symcf_choose_option_of(const symcf_chooser *c, uint32_t line, uint32_t j, uint32_t v);
bool symcf_choose_is_allowed(const symcf_chooser *c, uint32_t j, uint32_t v);

/* The same as symcf_choose for one line alone. names: may be NULL. */
symcf_status symcf_choose_line(symcf_chooser *c, uint32_t line, const uint32_t *features,
                               uint32_t size, symcf_control *control, uint32_t *names,
                               choose_unit *unit);

/* The same with the margin. */
symcf_status symcf_choose_raise(symcf_chooser *c, uint32_t line, const uint32_t *features,
                                uint32_t size, symcf_control *control, uint32_t *names,
                                choose_unit *unit, int64_t *total);

symcf_status symcf_choose_within(symcf_chooser *c, const uint32_t *features, uint32_t size,
                                 symcf_control *control, uint32_t *names, choose_unit *unit);

/* Both as symcf_choose: SYMCF_INVALID if no choice does it. */
symcf_status symcf_choose_for_all(symcf_chooser *c, const uint32_t *features, uint32_t size,
                                  symcf_control *control, uint32_t *names, choose_unit *unit);
symcf_status symcf_choose_path(symcf_chooser *c, const uint32_t *features, uint32_t size,
                               symcf_control *control, uint32_t *names, choose_unit *unit);

#endif
