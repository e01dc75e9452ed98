/* mcs.h (private): engine `sat`, the minimal correction subsets of clauses and an instance.
 *
 *   symcf_mcs_create          the clauses go into the solver, once
 *     symcf_mcs_open            an instance; whatever was open is closed
 *       symcf_mcs_next            some of its change sets, until SYMCF_OK
 *     symcf_mcs_close           forgets the instance, not the clauses
 *   symcf_mcs_free
 *
 * An engine is a cursor: one thread at a time. */
#ifndef SYMCF_MCS_H
#define SYMCF_MCS_H

#include "sat_api.h"
#include "symcf.h"

typedef struct symcf_mcs symcf_mcs;

/* The hard clauses: satisfied by what the instance is to become. Variable j + 1 is feature j in
 * the binary case; otherwise the features' variables are anywhere in 1..n_vars. */
typedef struct symcf_hard {
	uint32_t n;              /* features                                              */
	int32_t n_vars;          /* variables, auxiliary ones included                    */
	const int32_t *literals; /* each clause ended by a 0                              */
	uint64_t length;         /* entries of literals                                   */
	const symcf_diagram *d;  /* NULL, or: binary, and its models for `sink` are those of the
	                            clauses, and it is monotone (up or down) in each feature */
	uint32_t sink;
} symcf_hard;

/* Loads the clauses into `sat`, a solver just bound. The diagram, if given, spares the solver most
 * of its work.
 * requires: sat and hard->d outlive the engine and are used by nobody else; literals may go.
 * ensures: *out freed by symcf_mcs_free; SYMCF_INVALID for malformed clauses or a diagram whose
 * features are not n binary ones; or a reason to stop from control, after which the solver is of
 * no more use. */
symcf_status symcf_mcs_create(symcf_sat *sat, const symcf_hard *hard, symcf_control *control,
                              symcf_mcs **out);
void symcf_mcs_free(symcf_mcs *e);

/* Asks for the change sets of an instance. keep[j] is the literal that says "feature j is as it
 * was": for a binary feature j + 1 or -(j + 1). Features with fixed[j] != 0 must not change (NULL:
 * all may); sets of more than max_changes features are left out. The arrays are copied.
 * ensures: SYMCF_INVALID if a literal is not one of the clauses' variables or, with a diagram, not
 * that of its feature. */
symcf_status symcf_mcs_open(symcf_mcs *e, const int32_t *keep, const uint8_t *fixed,
                            uint32_t max_changes);

/* As the contract of engines in symcf.h says. ensures: SYMCF_INVALID if no instance is open;
 * SYMCF_INTERNAL if clauses and diagram contradict each other. */
symcf_status symcf_mcs_next(symcf_mcs *e, symcf_control *control, uint64_t limit, symcf_sets *sets);
symcf_status symcf_mcs_close(symcf_mcs *e);

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
