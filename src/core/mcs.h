/* mcs.h (bound by _mcs.pxi): engine `sat`, the minimal correction subsets of clauses and an instance.
 *
 *   symcf_mcs_create          the clauses go into the solver, once
 *     symcf_mcs_open            an instance; the one before is forgotten, the clauses are not
 *       symcf_mcs_next            some of its change sets, until SYMCF_OK
 *   symcf_mcs_free
 *
 * An engine is a cursor: one thread at a time. */
#ifndef SYMCF_MCS_H
#define SYMCF_MCS_H

#include "sat_api.h"
#include "symcf.h"

typedef struct symcf_mcs symcf_mcs;

/* The hard clauses: satisfied by what the instance is to become. */
typedef struct symcf_hard {
	uint32_t n;              /* features                                              */
	int32_t n_vars;          /* variables, auxiliary ones included                    */
	const int32_t *literals; /* each clause ended by a 0                              */
	uint64_t length;         /* entries of literals                                   */
	const symcf_diagram *d;  /* NULL, or: its models for `sink` are those of the clauses, and of
	                            any two values of a feature, one is nearer to the sink
	                            whatever the others are, as with a threshold function  */
	uint32_t sink;
} symcf_hard;

/* Loads the clauses into `sat`, a solver just bound. The diagram, if given, spares the solver most
 * of its work.
 * requires: sat and hard->d outlive the engine and are used by nobody else; literals may go.
 * ensures: *out freed by symcf_mcs_free; SYMCF_INVALID for malformed clauses or a diagram that does
 * not have n features; or a reason to stop from control, after which the solver is unusable. */
symcf_status symcf_mcs_create(symcf_sat *sat, const symcf_hard *hard, symcf_control *control,
                              symcf_mcs **out);
void symcf_mcs_free(symcf_mcs *e);

/* An instance and what may become of it. The arrays are only read during symcf_mcs_open. */
typedef struct symcf_instance {
	const int32_t *keep;    /* n: the literal that says "feature j is as it was"               */
	const uint8_t *fixed;   /* n: features that must not change are != 0; NULL: all may        */
	const int32_t *assumed; /* n_assumed literals that hold afterwards, such as those that forbid
	                           values; true of the instance itself                             */
	uint32_t n_assumed;
	uint32_t max_changes;  /* sets of more features are left out                               */
	const uint32_t *codes; /* with a diagram, 2 n: the value that feature j keeps, and the one that
	                          it changes to, which is nearer to the sink than any other that is
	                          allowed; features without one nearer than their own are fixed   */
	const uint32_t *order; /* with a diagram, n: all features, those whose change helps most first:
	                          any order is right, this one is fast                            */
} symcf_instance;

/* Asks for the change sets of an instance.
 * ensures: SYMCF_INVALID if a literal is not of the clauses' variables, a code is out of range, or
 * the order is not a permutation of the features. */
symcf_status symcf_mcs_open(symcf_mcs *e, const symcf_instance *x);

/* As the contract of engines in symcf.h says. ensures: SYMCF_INVALID if no instance is open;
 * SYMCF_INTERNAL if clauses and diagram contradict each other. */
symcf_status symcf_mcs_next(symcf_mcs *e, symcf_control *control, uint64_t limit, symcf_sets *sets);

/* Has the solver gathered so many closed instances that a new one, with the clauses loaded again,
 * would be faster? */
bool symcf_mcs_worn(const symcf_mcs *e);

/* What was done since symcf_mcs_create, for benchmarks and tests. */
typedef struct symcf_mcs_statistics {
	uint64_t instances;
	uint64_t solves;  /* calls of the solver                      */
	uint64_t models;  /* of these, calls that found a new set     */
	uint64_t rotated; /* sets found from other sets, by the diagram */
} symcf_mcs_statistics;

symcf_mcs_statistics symcf_mcs_get_statistics(const symcf_mcs *e);

#endif
