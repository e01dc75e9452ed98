/* bdd.h (private): what the files that know CUDD share. Nothing else includes a header of CUDD.
 *
 *   bdd.c         managers, and the ways into one: thaw a diagram, fold a table; sift, evaluate
 *   bdd_freeze.c  and back: CUDD's nodes as flat arrays
 *   bdd_primes.c  prime clauses, by CUDD's covers
 *   bdd_files.c   dddmp's file formats
 */
#ifndef SYMCF_BDD_H
#define SYMCF_BDD_H

#include <stdio.h> /* which CUDD's headers need and do not include */

#ifdef SYMCF_HAVE_CUDD_INTERNALS
#include "cuddInt.h"
#else
#include "cudd.h"
#endif

#include "symcf.h"

struct symcf_bdd {
	DdManager *manager;
	DdNode *root; /* referenced; NULL while under construction */
	uint32_t n;
	uint32_t *feature_of;   /* n: CUDD variable -> feature */
	symcf_control *control; /* of the call under way, or NULL */
	symcf_status stopped;   /* why CUDD was told to give up */
	uint32_t work;          /* between two times that CUDD asks */
	bool has_zdd_variables;
};

/* Brackets every call that may take long. CUDD asks whether to stop for every new node, or, when it
 * sifts, for every variable. */
enum { WORK_A_NODE = 50, WORK_A_VARIABLE = 1000000 };

void bdd_begin(symcf_bdd *b, symcf_control *control, uint32_t work);
void bdd_end(symcf_bdd *b);

/* Why did CUDD return NULL? Between bdd_begin and bdd_end. */
symcf_status bdd_failure(const symcf_bdd *b);

static inline DdNode *bdd_cofactor(DdNode *node, uint32_t value)
{
	DdNode *regular = Cudd_Regular(node);
	return Cudd_NotCond(value ? Cudd_T(regular) : Cudd_E(regular), Cudd_IsComplement(node));
}

#endif
