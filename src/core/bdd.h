/* bdd.h (private): what the files that know CUDD share. Nothing else includes a header of CUDD.
 *
 *   bdd.c          managers and their variables; thaw a diagram; sift, evaluate
 *   bdd_memory.c   CUDD's memory, and what happens when it runs out
 *   bdd_compile.c  a threshold function, the way of the literature
 *   bdd_paths.c    one clause per path, by a walk over CUDD's nodes
 *   bdd_tables.c   any function, from its values
 *   bdd_combine.c  conjunctions and compositions of diagrams
 *   bdd_translate.c  a diagram over other features
 *   bdd_lasting.c  inputs whose decision lasts when features change
 *   bdd_freeze.c   and back: CUDD's nodes as flat arrays
 *   bdd_primes.c   prime clauses, by CUDD's covers
 *   bdd_files.c    a text file of it, in the format DDDMP-2.0
 *
 * A feature with d values owns a block of d - 1 neighbouring variables: y_v says that its value is
 * v, and where several are true the first one counts. So a node of a diagram is the chain
 * ITE(y_1, c_1, ITE(y_2, c_2, ... c_0)), and every function that we build is made of such chains:
 * Boolean operations keep that. It follows that a function that depends on a block depends on its
 * y_1 (otherwise c_1 is what is left when y_1 is false, and c_1 does not look at the block).
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

/* Before each block of CUDD's memory: its neighbours in the ring of its manager's blocks. */
typedef struct bdd_block {
	struct bdd_block *previous, *next;
} bdd_block;

struct symcf_bdd {
	DdManager *manager; /* NULL: not there yet, or lost when memory ended */
	DdNode *root;       /* referenced; NULL while under construction */
	uint32_t n;
	uint32_t n_variables; /* of CUDD: a feature with one value has one, too, which no node tests */
	uint32_t n_literals;  /* variables of clauses */
	uint32_t *arity;      /* n: feature -> number of values                   */
	uint32_t *first;      /* n: feature -> the first variable of its block    */
	uint32_t *literal;    /* n: feature -> the variable of clauses for value 1 */
	uint32_t *feature_of; /* n_variables: CUDD variable -> feature             */
	DdNode **children;    /* scratch: as many as the largest arity             */
	symcf_control *control; /* of the call under way, or NULL */
	symcf_status stopped;   /* why CUDD was told to give up */
	uint32_t work;          /* between two times that CUDD asks */
	bool has_zdd_variables;
	bdd_block blocks; /* the ring: all memory of the manager                   */
	void *escape;     /* jmp_buf *: where to go when memory runs out, or NULL */
	void *scratch;    /* of the work under symcf_bdd_guard, which frees it           */
};

/* Work that calls CUDD. It may be left in the middle of any call of CUDD's that allocates, so it
 * owns nothing then, except b->scratch. */
typedef symcf_status (*bdd_work)(symcf_bdd *b, void *data);

/* Calls work(b, data) and gives its status, or SYMCF_NO_MEMORY. All calls of CUDD's that may
 * allocate are made under it. requires: b has a manager, or `work` makes one.
 * ensures: with SYMCF_NO_MEMORY the manager may be lost: nothing but symcf_bdd_free is left. */
symcf_status symcf_bdd_guard(symcf_bdd *b, bdd_work work, void *data);

#ifdef SYMCF_HAVE_CUDD_INTERNALS
/* What CUDD calls as malloc, realloc and free. ensures: never NULL. */
void *symcf_cudd_malloc(size_t bytes);
void *symcf_cudd_realloc(void *memory, size_t bytes);
void symcf_cudd_free(void *memory);
#endif

/* A manager without a root. Level k is feature order[k] (NULL: k) with arity[k] values (NULL: 2);
 * `nodes` is a guess. ensures: *out freed by symcf_bdd_free. */
symcf_status symcf_bdd_create(uint32_t n, const uint32_t *order, const uint32_t *arity,
                              uint64_t nodes, const symcf_control *control, symcf_bdd **out);

/* The function that leads value v of a feature to child[v]. ensures: referenced; NULL on failure. */
DdNode *symcf_bdd_chain(symcf_bdd *b, uint32_t feature, DdNode *const *child);

/* The function of a diagram. requires: the manager's features in the diagram's order; symcf_bdd_guard.
 * ensures: *root is referenced. */
symcf_status symcf_bdd_thaw_root(symcf_bdd *b, const symcf_diagram *d, DdNode **root);

/* Which value of its feature does a CUDD variable stand for? */
static inline uint32_t bdd_value(const symcf_bdd *b, uint32_t variable)
{
	return variable - b->first[b->feature_of[variable]] + 1;
}

/* Its number in clauses. */
static inline int32_t bdd_literal(const symcf_bdd *b, uint32_t variable)
{
	return (int32_t)(b->literal[b->feature_of[variable]] + bdd_value(b, variable) - 1);
}

/* Brackets every call that may take long. CUDD asks whether to stop for every new node while none
 * of its operations has been used, every hundred thousand steps (some ms) of an operation, and for
 * every variable that it sifts. */
enum { WORK_A_NODE = 50, WORK_A_LOOK = 1000000 };

void symcf_bdd_begin(symcf_bdd *b, symcf_control *control, uint32_t work);
void symcf_bdd_end(symcf_bdd *b);

/* From here to symcf_bdd_end no more than control->max_nodes live nodes. A node of the diagram is up to
 * as many of CUDD's as its feature has values beyond the first. */
void symcf_bdd_limit_nodes(symcf_bdd *b);

/* Tells the control how far it got: steps done, nodes alive. */
void symcf_bdd_reached(symcf_bdd *b, uint32_t steps, symcf_status status);

/* Why did CUDD return NULL? Between symcf_bdd_begin and symcf_bdd_end. */
symcf_status symcf_bdd_failure(const symcf_bdd *b);

static inline DdNode *bdd_cofactor(DdNode *node, uint32_t value)
{
	DdNode *regular = Cudd_Regular(node);
	return Cudd_NotCond(value ? Cudd_T(regular) : Cudd_E(regular), Cudd_IsComplement(node));
}

/* What was made, or nothing if that failed. ensures: *out freed by symcf_bdd_free; not set unless the status is good. */
static inline symcf_status bdd_hand_over(symcf_bdd *b, symcf_status status, symcf_bdd **out)
{
	if (status)
		symcf_bdd_drop(b);
	else
		*out = b;
	return status;
}

#endif
