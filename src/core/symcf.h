/* symcf.h: the interface of the C core. The engine `sat`, which borrows a solver, has headers of its
 * own, mcs.h and sat_api.h.
 *
 * Data flows one way, and this file follows it:
 *
 *   rows ── threshold function ── diagram ── clauses ── change sets
 *
 * Conventions
 *   - No function prints or aborts. Whatever can fail returns a symcf_status; the result comes
 *     through an `out` parameter, which is left untouched on failure.
 *   - The only global state is the memory of freed results, kept for the next ones
 *     (symcf_release_memory), the budget that each thread has entered (symcf_budget_enter), and the
 *     counter by which tests make allocations fail (memory.h).
 *   - Every `..._free` accepts NULL. Whoever calls `..._create/_open/...` owns the result and frees
 *     it with the function named beside it.
 *   - `requires` is the caller's duty (checked by assert, in debug builds only, unless the function
 *     promises SYMCF_INVALID); `ensures` is ours.
 *   - Features, values, nodes and levels are numbered from 0; variables of clauses from 1.
 *   - Long work takes a symcf_control: it can be interrupted, timed and kept within a budget.
 *   - Threshold functions, diagrams and clauses are immutable once created, hence shareable between
 *     threads. Cursors (paths, engines), lists of sets and BDDs belong to one thread at a time. Any
 *     number of threads may work on one batch.
 */
#ifndef SYMCF_H
#define SYMCF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------- version ------------------- */

#define SYMCF_VERSION_MAJOR 0
#define SYMCF_VERSION_MINOR 2
#define SYMCF_VERSION_PATCH 0
#define SYMCF_VERSION "0.2.0"

/* The SYMCF_VERSION that the library was built with. */
const char *symcf_version(void);

/* ------------------------------------------------------------------ status ------------------- */

typedef enum symcf_status {
	SYMCF_OK = 0,       /* done, and for cursors: nothing is left                               */
	SYMCF_MORE,         /* a cursor stopped because the caller's buffer or limit is full        */
	SYMCF_NO_MEMORY,    /* an allocation failed                                                 */
	SYMCF_INVALID,      /* an argument breaks the contract of the function                      */
	SYMCF_UNSUPPORTED,  /* a correct request that this build or this object cannot serve        */
	SYMCF_OVERFLOW,     /* an exact result does not fit its type                                */
	SYMCF_LIMIT_NODES,  /* control.max_nodes reached                                            */
	SYMCF_LIMIT_MEMORY, /* control.max_memory or the thread's budget reached                    */
	SYMCF_LIMIT_TIME,   /* control.deadline passed                                              */
	SYMCF_INTERRUPTED,  /* control.interrupted said so                                          */
	SYMCF_IO,           /* a file could not be written                                          */
	SYMCF_INTERNAL      /* one of our own invariants does not hold: a bug of symcf              */
} symcf_status;

/* ensures: a static, never NULL, English description. */
const char *symcf_status_text(symcf_status status);

/* ----------------------------------------------------------------- control ------------------- */

/* How long-running work is stopped. Zero-initialise it, set what you need and pass it down; do not
 * share it between threads. `interrupted` is called from the working thread every 20 ms or so, never
 * more often. */
typedef struct symcf_control {
	bool (*interrupted)(void *data); /* NULL: cannot be interrupted             */
	void *data;                      /* handed to `interrupted`                  */
	double deadline;                 /* a symcf_clock() reading; 0: no deadline  */
	uint64_t max_nodes;              /* diagram nodes; 0: as many as fit         */
	uint64_t max_memory;             /* bytes of working memory; 0: no bound     */
	/* what has been reached, for the error message */
	uint64_t nodes;  /* nodes (or states) made so far     */
	uint64_t memory; /* most bytes held at a time         */
	uint32_t level;  /* levels finished so far            */
	int64_t credit;  /* work that is done before the next look at the clock */
	/* private to control.c */
	double last_poll;
	double freeing; /* seconds before the deadline that are kept for freeing what is held */
} symcf_control;

/* Monotonic seconds. */
double symcf_clock(void);

/* Asks the clock and `interrupted`. `control` may be NULL.
 * ensures: SYMCF_OK, SYMCF_LIMIT_TIME or SYMCF_INTERRUPTED. */
symcf_status symcf_poll(symcf_control *control);

/* Counts `work` (one unit is about a nanosecond's worth) and polls when enough has gathered. */
static inline symcf_status symcf_tick(symcf_control *control, uint32_t work)
{
	if (!control || (control->credit -= work) > 0)
		return SYMCF_OK;
	return symcf_poll(control);
}

/* Says that the work holds so many bytes, all of which it frees when it ends: that takes time too, so
 * that its time is up a little earlier. ensures: SYMCF_OK, or SYMCF_LIMIT_MEMORY. */
symcf_status symcf_hold(symcf_control *control, uint64_t bytes);

/* ------------------------------------------------------------- memory budgets ---------------- */

/* Bytes that all calls of a thread may take together. Every allocation of the core is charged to the budget that
 * its thread has entered, and to the budgets around that one; a call that would exceed one fails with
 * SYMCF_LIMIT_MEMORY. What is freed within the budget may be taken again.
 *
 *   symcf_budget *b, *before;
 *   symcf_budget_create(1 << 20, &b);
 *   before = symcf_budget_enter(b);
 *   ... calls ...
 *   symcf_budget_enter(before);
 *   symcf_budget_free(b);
 *
 * Several threads may enter one budget. The threads of a batch enter the budget of the thread that opened it. */
typedef struct symcf_budget symcf_budget;
/* most: bytes; 0: any number. It lies within the budget that the calling thread has entered, which outlives it. */
symcf_status symcf_budget_create(uint64_t most, symcf_budget **out);
/* requires: no thread has entered it. */
void symcf_budget_free(symcf_budget *b);
/* NULL: no budget. ensures: the budget that the thread had entered before. */
symcf_budget *symcf_budget_enter(symcf_budget *b);
/* Bytes that this thread may still take; UINT64_MAX without a budget. */
uint64_t symcf_budget_left(void);
/* The most bytes held at a time. */
uint64_t symcf_budget_peak(const symcf_budget *b);
/* Has the whole process grown by more than one and a half times a budget of this thread, and 32 MB? That finds
 * memory of others, such as solvers and the interpreter. ensures: SYMCF_OK, or SYMCF_LIMIT_MEMORY. */
symcf_status symcf_check_resident(void);

/* -------------------------------------------------------------------- rows ------------------- */

/* A read-only, C-contiguous m x n table of value codes as it lies in the caller's memory.
 *
 * To the core, values of a feature that weigh the same are one value. Where `group` is given, it
 * turns the caller's codes into those of the core: group[value_offset[j] + v] is the core's code for
 * value v of feature j. */
typedef enum symcf_type {
	SYMCF_INT8,
	SYMCF_UINT8,
	SYMCF_INT16,
	SYMCF_UINT16,
	SYMCF_INT32,
	SYMCF_UINT32,
	SYMCF_INT64,
	SYMCF_UINT64
} symcf_type;

typedef struct symcf_rows {
	const void *data;
	symcf_type type;
	size_t m;                     /* rows                                           */
	uint32_t n;                   /* features per row                               */
	const uint32_t *value_offset; /* n + 1: of the codes in data; NULL: the core's  */
	const uint32_t *group;        /* by value_offset[j] + v; NULL: codes stay       */
} symcf_rows;

/* Copies row i to x[0..n), in codes of the core, and checks every code against the feature's number
 * of values. requires: i < rows->m, value_offset the core's, as in symcf_threshold; with `group`,
 * rows->value_offset.
 * ensures: SYMCF_OK, or SYMCF_INVALID with *bad the first feature whose code is out of range. */
symcf_status symcf_rows_get(const symcf_rows *rows, size_t i, const uint32_t *value_offset,
                            uint32_t *x, uint32_t *bad);

/* The same in the codes of the caller. */
symcf_status symcf_rows_values(const symcf_rows *rows, size_t i, const uint32_t *value_offset,
                               uint32_t *x, uint32_t *bad);

/* --------------------------------------------------------- threshold function ---------------- */

/* f(x) = 1  iff  bias + sum_j weight[value_offset[j] + x_j] >= 0, in integers.
 *
 * Every partial sum of these numbers is below 2^62 in magnitude: the `symcf_threshold_*`
 * constructors refuse anything else. `bias` already contains the tie rule: the log-odds margin in
 * units of 2^-scale is score - tie_shift, a tie is a margin within +-band, and a margin beyond
 * +-finite stems from a probability of zero. */
typedef struct symcf_threshold {
	uint32_t n;
	uint32_t *value_offset; /* n + 1 entries, the first is 0 */
	int64_t *weight;        /* value_offset[n] entries       */
	int64_t bias;
	int64_t tie_shift;
	int64_t band;
	int64_t finite; /* INT64_MAX where no probability is zero */
	int scale;
} symcf_threshold;

/* Plain integers: no tie band, scale 0.
 * ensures: *out owned by the caller, freed by symcf_threshold_free; SYMCF_OVERFLOW if the sum of
 * the largest magnitudes reaches 2^62; SYMCF_INVALID if a feature has no value. */
symcf_status symcf_threshold_create(uint32_t n, const uint32_t *value_offset, const int64_t *weight,
                                    int64_t bias, symcf_threshold **out);

/* What stands in the way of an exact decision, in terms of the caller's tables. */
typedef enum symcf_bayes_problem {
	SYMCF_BAYES_FINE = 0,
	SYMCF_BAYES_IMPOSSIBLE, /* feature/value has probability 0 in both classes            */
	SYMCF_BAYES_CONFLICT    /* feature/value rules class 0 out, other_* rules class 1 out:
	                           a row with both has probability 0 under either class       */
} symcf_bayes_problem;

#define SYMCF_PRIOR UINT32_MAX /* stands for the prior where a feature is named */

typedef struct symcf_bayes_fault {
	symcf_bayes_problem problem;
	uint32_t feature, value;
	uint32_t other_feature, other_value;
} symcf_bayes_fault;

/* The decision "P(Y=1 | x) >= cut" of a naive Bayes classifier.
 * p1[i] and p0[i] are P(X_j = v | Y=1) and P(X_j = v | Y=0) for i = value_offset[j] + v.
 * requires: all probabilities in [0, 1], 0 < cut < 1.
 * ensures: each weight is within 0.51 units of the true log-odds, so every exact tie falls into
 * the band; SYMCF_INVALID with *fault filled where zeros make some row undecidable. */
symcf_status symcf_threshold_from_bayes(uint32_t n, const uint32_t *value_offset, const double *p1,
                                        const double *p0, double prior1, double prior0, double cut,
                                        bool tie_positive, symcf_bayes_fault *fault,
                                        symcf_threshold **out);
void symcf_threshold_free(symcf_threshold *t);

/* bias + sum of the weights of x. requires: codes in range. */
int64_t symcf_threshold_score(const symcf_threshold *t, const uint32_t *x);

/* The log-odds margin that a score stands for: 0 for ties, +-infinity for zero probabilities. */
double symcf_threshold_margin(const symcf_threshold *t, int64_t score);

/* score[i] of every row. ensures: SYMCF_INVALID with *row, *feature of the first bad code. */
symcf_status symcf_threshold_scores(const symcf_threshold *t, const symcf_rows *rows,
                                    symcf_control *control, int64_t *score, size_t *row,
                                    uint32_t *feature);

/* A feature's influence is the spread of its weights, the largest minus the smallest.
 * ensures: order[0..n) lists the features by falling influence, equal ones by index. */
symcf_status symcf_threshold_influence_order(const symcf_threshold *t, uint32_t *order);

/* ----------------------------------------------------------- numbers in sums ----------------- */

/* Places among the doubles of ordinary size (numbers.c), in the same order; numbers without one, NaN
 * among them, get SYMCF_NO_CODE. */
#define SYMCF_NO_CODE ((int64_t)-1)
#define SYMCF_MISSING_CODE (INT64_MAX - 1)
symcf_status symcf_codes_of_numbers(const double *number, size_t count, symcf_control *control,
                                    int64_t *code);
/* The inverse; NaN for SYMCF_MISSING_CODE. */
symcf_status symcf_numbers_of_codes(const int64_t *code, size_t count, symcf_control *control,
                                    double *number);

/* (curve 2^curve_exponent) x^2 + (slope 2^slope_exponent) x, which a number adds to a score.
 * requires: |curve|, |slope| < 2^62 and exponents within +-10^6. */
typedef struct symcf_polynomial {
	int64_t curve, slope;
	int32_t curve_exponent, slope_exponent;
} symcf_polynomial;

/* term[i n + j] = p[j] of x[i n + j], in units of 2^-scale, rounded as additive.c says.
 * ensures: SYMCF_OVERFLOW with *row, *feature of the first number that is not finite or whose term
 * reaches 2^60. */
symcf_status symcf_polynomial_terms(const symcf_polynomial *p, uint32_t n, int32_t scale,
                                    const double *x, size_t m, symcf_control *control,
                                    int64_t *term, size_t *row, uint32_t *feature);

/* sum[i]: of the terms of row i, the numbers of which have these codes.
 * ensures: SYMCF_OVERFLOW if a number is missing or has no code, or if n times a term reaches 2^60. */
symcf_status symcf_polynomial_sums(const symcf_polynomial *p, uint32_t n, int32_t scale,
                                   const int64_t *code, size_t m, symcf_control *control,
                                   int64_t *sum);

/* ----------------------------------------------------------------- diagram ------------------- */

/* The frozen diagram: a reduced ordered decision diagram in flat arrays.
 *
 * Node 0 is the 0-sink and node 1 the 1-sink; every other node comes after its children, level by
 * level from the bottom. Level k tests feature order[k], which has arity[k] values. The child of
 * node u for value v is child[child_base[level[u]] + u * arity[level[u]] + v]. The sinks have
 * level n. A binary node takes 12 bytes. */
typedef struct symcf_diagram {
	uint32_t n;       /* features, and levels */
	uint32_t n_nodes; /* sinks included       */
	uint32_t root;
	uint32_t *order;     /* n: level -> feature                          */
	uint32_t *arity;     /* n: level -> number of values                 */
	int64_t *child_base; /* n: level -> see above, may be negative       */
	uint32_t *level;     /* n_nodes                                      */
	uint32_t *child;     /* n_children                                   */
	uint64_t n_children;
} symcf_diagram;

static inline uint32_t symcf_child(const symcf_diagram *d, uint32_t u, uint32_t v)
{
	const uint32_t k = d->level[u];
	return d->child[d->child_base[k] + (int64_t)u * d->arity[k] + v];
}

/* The children of u, by value. */
static inline const uint32_t *symcf_children(const symcf_diagram *d, uint32_t u)
{
	const uint32_t k = d->level[u];
	return d->child + (d->child_base[k] + (int64_t)u * d->arity[k]);
}

/* Copies the arrays. `level` has entries for the two sinks, `child` has not.
 * ensures: SYMCF_INVALID with *reason (static text) unless symcf_diagram_validate accepts. */
symcf_status symcf_diagram_create(uint32_t n, uint32_t n_nodes, uint32_t root,
                                  const uint32_t *order, const uint32_t *arity,
                                  const uint32_t *level, const uint32_t *child, uint64_t n_children,
                                  symcf_control *control, const char **reason, symcf_diagram **out);
void symcf_diagram_free(symcf_diagram *d);

/* Is it well-formed, ordered, reduced, every node reachable? Safe on hostile arrays.
 * ensures: SYMCF_INVALID with *reason (static text) if not; *reason is NULL otherwise. Takes time
 * O(children * log nodes), whatever the arrays hold. */
symcf_status symcf_diagram_validate(const symcf_diagram *d, symcf_control *control,
                                    const char **reason);

/* requires: codes in range. ensures: 0 or 1. */
uint32_t symcf_diagram_evaluate(const symcf_diagram *d, const uint32_t *x);

/* sink[i] of every row; otherwise as symcf_threshold_scores. */
symcf_status symcf_diagram_evaluate_rows(const symcf_diagram *d, const symcf_rows *rows,
                                         symcf_control *control, uint8_t *sink, size_t *row,
                                         uint32_t *feature);

/* Nodes reachable from the root, sinks included. */
uint32_t symcf_diagram_size(const symcf_diagram *d);

/* Exact counts, as little-endian 64-bit limbs: *limbs has *width entries, freed by symcf_free.
 * models: assignments that reach `sink`. paths: root-to-sink paths as symcf_paths has them.
 * requires: sink <= 1. */
symcf_status symcf_diagram_count_models(const symcf_diagram *d, uint32_t sink,
                                        symcf_control *control, uint64_t **limbs, size_t *width);
symcf_status symcf_diagram_count_paths(const symcf_diagram *d, uint32_t sink,
                                       symcf_control *control, uint64_t **limbs, size_t *width);

/* The same for models where value v of feature j counts weight[value_offset[j] + v] times.
 * requires: value_offset that of the diagram's values, each feature's weights below 2^31 in all. */
symcf_status symcf_diagram_count_weighted(const symcf_diagram *d, uint32_t sink,
                                          const uint32_t *value_offset, const uint32_t *weight,
                                          symcf_control *control, uint64_t **limbs, size_t *width);

/* An input that reaches 1 with value from[i] of a feature and 0 with to[i] instead, for some i below
 * n_pairs. requires: x has room for d->n values; values in range. ensures: *found, and then the input
 * with from[*which] in x. */
symcf_status symcf_diagram_fall(const symcf_diagram *d, uint32_t feature, const uint32_t *from,
                                const uint32_t *to, size_t n_pairs, symcf_control *control,
                                uint32_t *x, bool *found, size_t *which);

/* The least score of t among the inputs that reach `sink`, and the largest among those that reach
 * the other one, exactly, in one pass over the nodes. requires: sink <= 1. ensures: *least is
 * INT64_MAX and *most is INT64_MIN if no input does; SYMCF_INVALID if the two have different
 * features or values. */
symcf_status symcf_diagram_extremes(const symcf_diagram *d, const symcf_threshold *t, uint32_t sink,
                                    symcf_control *control, int64_t *least, int64_t *most);

/* Trees that vote, prepared for the engine `boxes`; see symcf_ensemble_create. Immutable. */
typedef struct symcf_ensemble symcf_ensemble;

/* A decision between classes 0 .. n_classes - 1 over the same features, by one of:
 *   t         two classes: 1 iff f(x) = 1
 *   beats     beats[p * n_classes + r] is the function "r is preferred to p", NULL for r = p. Of any
 *             two classes one is preferred, and preferences are transitive
 *   diagrams  the diagram of class k says 1 iff the decision is k. For two classes there is one, of
 *             class 1
 *   ensemble  trees that vote
 * What it points to belongs to the caller. */
typedef struct symcf_classifier {
	uint32_t n_classes;
	const symcf_threshold *t;
	const symcf_threshold *const *beats;
	const symcf_diagram *const *diagrams;
	const symcf_ensemble *ensemble;
} symcf_classifier;

/* requires: codes in range. ensures: the class; n_classes if no diagram says 1. */
uint32_t symcf_decide(const symcf_classifier *c, const uint32_t *x);

/* decision[i] of every row; otherwise as symcf_threshold_scores.
 * ensures: SYMCF_UNSUPPORTED for more than 256 classes, SYMCF_INTERNAL if no diagram says 1. */
symcf_status symcf_decide_rows(const symcf_classifier *c, const uint32_t *value_offset,
                               const symcf_rows *rows, symcf_control *control, uint8_t *decision,
                               size_t *row, uint32_t *feature);

/* What a row of some class has to reach: one of n_sums functions of the values at least 0, or the
 * diagram its sink. */
typedef struct symcf_row_goal {
	const symcf_threshold *const *sums;
	uint32_t n_sums;
	const symcf_diagram *diagram; /* NULL: sums decide */
	uint32_t sink;
} symcf_row_goal;

typedef struct symcf_responsive_request {
	uint32_t n, n_classes;
	const uint32_t *value_offset; /* n + 1: of the rows, and of the sums          */
	const uint32_t *core_offset;  /* n + 1: of the diagrams                       */
	const uint32_t *group;        /* by value of the rows; NULL: those of diagrams */
	const symcf_row_goal *goals;  /* by class                                     */
	const uint8_t *allowed;       /* by value; NULL: all                          */
	const uint8_t *direction;     /* by feature: 1 up, 2 down; NULL: either       */
	uint32_t max_changes;         /* UINT32_MAX: any number                       */
} symcf_responsive_request;

/* Adds to counts[3 (n part[i] + j) + ...], for each row i and feature j, times[i] for each new value
 * that may be taken, at + 1 for each that leads to the goal alone, at + 2 for each that leads there
 * alone or with other changes. class[i] is the class of row i, which has a goal and has not reached it;
 * part, times: NULL for 0 and 1.
 * ensures: SYMCF_INVALID with *row, *feature of the first bad code. */
symcf_status symcf_responsive(const symcf_responsive_request *q, const symcf_rows *rows,
                              const uint8_t *class, const uint32_t *part, const uint32_t *times,
                              symcf_control *control, uint64_t *counts, size_t *row,
                              uint32_t *feature);

/* Frees what a function hands out as a plain array. */
void symcf_free(void *array);

/* Threshold function -> reduced diagram, levels in `order` (a permutation of the features).
 * ensures: *out freed by symcf_diagram_free; or a limit, with control->nodes, ->memory and ->level
 * telling how far it got. */
symcf_status symcf_compile(const symcf_threshold *t, const uint32_t *order, symcf_control *control,
                           symcf_diagram **out);

/* Decision trees whose leaves are added up. Tree t has the nodes start[t] .. start[t + 1] - 1, its
 * root first. An inner node u tests a feature and goes left if left_values[left_start[u] + code] is
 * 1, right if it is 0; nodes may share these. left and right count from start[t], and children come
 * after their parent. */
typedef struct symcf_trees {
	uint32_t n;               /* features                            */
	const uint32_t *n_values; /* by feature                          */
	uint32_t n_trees;
	const uint64_t *start;  /* n_trees + 1; the first is 0         */
	const int32_t *feature; /* by node; -1: a leaf                 */
	const int32_t *left;    /* by node; unused for leaves          */
	const int32_t *right;
	const int64_t *left_start; /* by node; one more: the entries of left_values */
	const uint8_t *left_values;
	const int64_t *score; /* by node, of leaves                      */
	int64_t bias;
} symcf_trees;

/* Trees -> reduced diagram of "bias + sum of the leaves that x reaches >= 0", levels in `order` (a
 * permutation of the features).
 * ensures: *out freed by symcf_diagram_free; SYMCF_INVALID with *reason (static text) unless the
 * trees are as said; SYMCF_OVERFLOW if the sum of the largest magnitudes reaches 2^60; or a limit,
 * with control->nodes and ->memory, and in ->level the number of trees put in order. */
symcf_status symcf_compile_trees(const symcf_trees *trees, const uint32_t *order,
                                 symcf_control *control, const char **reason, symcf_diagram **out);

/* The class with the largest sum of scores[u * n_classes + k] over the leaves u that x reaches wins; of
 * several, the last if later_wins, else the first. trees->score and trees->bias are not read.
 * ensures: *out freed by symcf_ensemble_free; SYMCF_INVALID with *reason (static text);
 * SYMCF_OVERFLOW if the spreads of the trees add up to 2^62. */
symcf_status symcf_ensemble_create(const symcf_trees *trees, uint32_t n_classes,
                                   const int64_t *scores, bool later_wins, symcf_control *control,
                                   const char **reason, symcf_ensemble **out);
void symcf_ensemble_free(symcf_ensemble *e);
uint64_t symcf_ensemble_leaves(const symcf_ensemble *e);

/* The class of a row. requires: codes in range. */
uint32_t symcf_ensemble_decide(const symcf_ensemble *e, const uint32_t *x);

/* ---------------------------------------------------------------- CUDD's BDD ----------------- */

/* A BDD in a CUDD manager of its own. A feature with d values has d - 1 variables side by side,
 * "its value is v" for v = 1 .. d - 1; the first true one counts, and if all are false, the
 * value is 0. A cursor in the sense above: one thread at a time. */
typedef struct symcf_bdd symcf_bdd;

/* ensures: *out freed by symcf_bdd_free; its node count equals the diagram's, or SYMCF_INTERNAL
 * (then the diagram was not reduced). */
symcf_status symcf_bdd_thaw(const symcf_diagram *d, symcf_control *control, symcf_bdd **out);

/* The same function as symcf_compile makes, built in CUDD node by node; slower, and shares no code
 * with it. requires: order is a permutation of the features. ensures: as symcf_bdd_thaw. */
symcf_status symcf_bdd_compile(const symcf_threshold *t, const uint32_t *order,
                               symcf_control *control, symcf_bdd **out);

/* Any function in natural order, from its values at all inputs: bit i of table (bit i%8 of byte
 * i/8), where input i is the number whose digits are the features' codes, feature 0 the least
 * significant. n_values: by feature; NULL: 2 each.
 * ensures: SYMCF_INVALID if a feature has no value, SYMCF_UNSUPPORTED beyond 2^30 inputs. */
symcf_status symcf_bdd_from_table(uint32_t n, const uint32_t *n_values, const uint8_t *table,
                                  symcf_control *control, symcf_bdd **out);

/* The conjunction of `count` diagrams, the i-th negated where negate[i] is not 0 (negate NULL: no
 * diagram is negated). Within control->max_nodes live nodes of CUDD, intermediate ones included.
 * ensures: SYMCF_INVALID unless count > 0 and all have the same features, values and order. */
symcf_status symcf_bdd_conjoin(const symcf_diagram *const *d, const uint8_t *negate, size_t count,
                               symcf_control *control, symcf_bdd **out);

/* The function of `outer` with each of its features j, which have two values, replaced by the function
 * of inner[j]. Within control->max_nodes live nodes of CUDD.
 * ensures: SYMCF_INVALID unless outer has a feature, all of its features have two values, and all
 * inner diagrams have the same features, values and order. */
symcf_status symcf_bdd_compose(const symcf_diagram *outer, const symcf_diagram *const *inner,
                               symcf_control *control, symcf_bdd **out);

/* The function of `d` over n other features: level k is feature order[k] with arity[k] values. Feature
 * j of the diagram is read from feature_of[j], whose value v stands for code_of[code_start[j] + v];
 * code_start has one more entry, the length of code_of.
 * Within control->max_nodes live nodes of CUDD. requires: order is a permutation.
 * ensures: SYMCF_INVALID unless the features and the codes exist. */
symcf_status symcf_bdd_translate(const symcf_diagram *d, uint32_t n, const uint32_t *order,
                                 const uint32_t *arity, const uint32_t *feature_of,
                                 const uint32_t *code_start, const uint32_t *code_of,
                                 symcf_control *control, symcf_bdd **out);

/* The inputs that reach 1 (with `negate`: 0) and still do whatever one feature becomes, or any number of
 * features. Feature j may become v if allowed[value_offset[j] + v] (NULL: any value may be taken), and
 * only a larger value if direction[j] is 1, a smaller one if it is 2 (NULL: either). Within
 * control->max_nodes live nodes of CUDD. requires: value_offset that of the diagram's values. */
symcf_status symcf_bdd_lasting(const symcf_diagram *d, bool negate, const uint32_t *value_offset,
                               const uint8_t *allowed, const uint8_t *direction, bool any_number,
                               symcf_control *control, symcf_bdd **out);

symcf_status symcf_bdd_freeze(symcf_bdd *b, symcf_control *control, symcf_diagram **out);

/* Reorders the features by CUDD's sifting until it converges. */
symcf_status symcf_bdd_sift(symcf_bdd *b, symcf_control *control);

/* Nodes of the frozen diagram, sinks included; 1 for a constant. */
symcf_status symcf_bdd_size(symcf_bdd *b, symcf_control *control, uint64_t *size);
uint32_t symcf_bdd_evaluate(symcf_bdd *b, const uint32_t *x);

/* Writes the BDD as text in the format DDDMP-2.0. names: of the n features, or NULL. Variables of a
 * feature with more than two values are called name=v. ensures: SYMCF_IO on a failed write. */
symcf_status symcf_bdd_store(symcf_bdd *b, const char *path, const char *const *names);

/* ensures: the manager is gone; returns the number of references that were still held inside it,
 * which is 0 unless symcf has a bug. */
int symcf_bdd_free(symcf_bdd *b);

/* The same without a look for references, which takes as long as a walk through all nodes. */
void symcf_bdd_drop(symcf_bdd *b);

/* Did CUDD run out of memory and lose the BDD? Then all other functions refuse to work, and the
 * diagram has to be thawed again. */
bool symcf_bdd_is_lost(const symcf_bdd *b);

/* ----------------------------------------------------------------- clauses ------------------- */

/* Clauses in one buffer, each ended by a 0, as SAT solvers read them.
 *
 * A feature of d values owns d - 1 indicator variables, [X=v] for v = 1 .. d - 1; none of them
 * true means value 0. They are numbered by feature, then by value, from 1: with two values per
 * feature, variable j + 1 is feature j. Auxiliary variables follow. The clauses do not say that
 * at most one indicator of a feature is true: where a feature has more than two values, the caller
 * has to add clauses that do. */
typedef struct symcf_clauses {
	int32_t *literals; /* length entries, the zeros included */
	uint64_t length;
	uint64_t n_clauses;
	uint32_t n_vars;
} symcf_clauses;

void symcf_clauses_free(symcf_clauses *c);

/* Fills first[0 .. n]: first[j] + v - 1 is the variable [X_j=v], and first[n] - 1 their number.
 * ensures: SYMCF_OVERFLOW if there are 2^31 - 1 or more. */
symcf_status symcf_first_variables(const symcf_diagram *d, int32_t *first);

/* A cursor over the root-to-sink paths of a diagram. At each node the values that lead elsewhere
 * than value 0 branch one by one, in order (literal [X=v]), and the others, as one branch, come last
 * (literals -[X=v] for all v that branched before). With two values: value 1 before value 0. */
typedef struct symcf_paths symcf_paths;

/* requires: sink <= 1; the diagram outlives the cursor. negated: literals are those of the clause
 * that forbids the path rather than those of the path.
 * ensures: *out freed by symcf_paths_free; SYMCF_OVERFLOW as symcf_first_variables. */
symcf_status symcf_paths_open(const symcf_diagram *d, uint32_t sink, bool negated,
                              symcf_paths **out);

/* Writes whole paths, each ended by 0, while they fit into buffer[0..capacity).
 * ensures: SYMCF_OK when the last path is written, SYMCF_MORE when the buffer is full (a capacity
 * of n + 1 always makes progress), or a reason to stop from control, after which one may go on;
 * *length entries were written, *count paths. */
symcf_status symcf_paths_next(symcf_paths *p, symcf_control *control, int32_t *buffer,
                              uint64_t capacity, uint64_t *length, uint64_t *count);
void symcf_paths_free(symcf_paths *p);

/* The most entries that a path can have, its 0 included: the number of feature variables plus 1. */
uint64_t symcf_paths_longest(const symcf_paths *p);

/* How many paths, and how many entries symcf_paths_next writes for all of them.
 * ensures: SYMCF_OVERFLOW if either passes 2^63. */
symcf_status symcf_paths_measure(const symcf_diagram *d, uint32_t sink, symcf_control *control,
                                 uint64_t *count, uint64_t *length);

/* Diagram -> CNF of f (negate: of not f), whose models over the features are those of f, as far as
 * they have at most one indicator of a feature true.
 * All refuse with SYMCF_LIMIT_NODES, before allocating, more than max_clauses clauses (0: any
 * number) and set control->nodes to the number there would be. *out freed by symcf_clauses_free.
 *   paths  one clause per off-set path, features only: the paper's encoding
 *   nodes  one variable per node, except for nodes that are an indicator or its negation, defined by
 *          3 or 4 clauses, as in dddmp, or by up to 2 clauses per branch if there are more than two
 *   cuts   a variable for nodes entered by more than max_in edges and wherever a path would grow
 *          past max_length literals; between cuts, one clause per path (Cabodi et al. 2003) */
symcf_status symcf_encode_paths(const symcf_diagram *d, bool negate, uint64_t max_clauses,
                                symcf_control *control, symcf_clauses **out);
symcf_status symcf_encode_nodes(const symcf_diagram *d, bool negate, uint64_t max_clauses,
                                symcf_control *control, symcf_clauses **out);
symcf_status symcf_encode_cuts(const symcf_diagram *d, bool negate, uint32_t max_in,
                               uint32_t max_length, uint64_t max_clauses, symcf_control *control,
                               symcf_clauses **out);
/*   paths  the same as symcf_encode_paths, by a walk over CUDD's nodes */
symcf_status symcf_bdd_encode_paths(symcf_bdd *b, bool negate, uint64_t max_clauses,
                                    symcf_control *control, symcf_clauses **out);
/*   primes an irredundant set of prime implicates, features only, by CUDD's ISOP; with many
 *          values they hold only where no feature has two values at once, which other clauses have
 *          to say */
symcf_status symcf_encode_primes(symcf_bdd *b, bool negate, uint64_t max_clauses,
                                 symcf_control *control, symcf_clauses **out);

/* ------------------------------------------------------------- change sets ------------------- */

/* What is asked of an engine: change x so that f flips, within constraints. All arrays belong to
 * the caller and outlive the engine. */
typedef struct symcf_query {
	const uint32_t *x;      /* the instance: n codes                                         */
	const uint8_t *allowed; /* by value_offset[j] + v: may feature j become v? NULL: it may   */
	const int64_t *cost;    /* by feature, > 0, their sum < 2^62; NULL: 1 each                */
	uint32_t max_changes;   /* features per set at most; UINT32_MAX: any number              */
	bool reasons;           /* sufficient reasons are wanted instead of change sets          */
} symcf_query;

/* A growing list of sets: set i is features[end[i-1] .. end[i]), ascending (end[-1] is 0). */
typedef struct symcf_sets {
	uint32_t *features;
	uint64_t *end;
	uint64_t n_sets;
	uint64_t n_features; /* used entries of features */
	uint64_t cap_sets, cap_features;
} symcf_sets;

/* Zero-initialised means empty. */
symcf_status symcf_sets_push(symcf_sets *s, const uint32_t *features, uint32_t size);
void symcf_sets_clear(symcf_sets *s);
void symcf_sets_free_arrays(symcf_sets *s);

/* Appends the sets of another list. */
symcf_status symcf_sets_append(symcf_sets *s, const symcf_sets *more);

/* Sorts the sets from number `first` on by (cost, size, features). cost as in symcf_query.
 * ensures: on any other status than SYMCF_OK the order is as it was. Takes 64 bytes per set and a
 * copy of the features; runs that are already in order are merged as they are. */
symcf_status symcf_sets_sort_from(symcf_sets *s, uint64_t first, const int64_t *cost,
                                  symcf_control *control);
/* The same where set first + i costs set_cost[i]. */
symcf_status symcf_sets_sort_priced(symcf_sets *s, uint64_t first, const int64_t *set_cost,
                                    symcf_control *control);

/* The engines below obey one contract:
 *   X_open(..., query, out)            prepares; *out is a cursor, freed by X_free
 *   X_next(e, control, limit, sets)    appends at most `limit` more minimal change sets to `sets`,
 *                                      each ascending, in any order, each once:
 *                                      SYMCF_OK: no other is left; SYMCF_MORE: limit reached;
 *                                      LIMIT_TIME / INTERRUPTED: what was appended is right, and
 *                                      the call may be repeated
 *   X_best(..., query, k, control, sets)   the k first sets by (cost, size, features), sorted
 *   X_count(..., query, control, limbs, width)   how many there are, exactly
 * A change set S flips f for some allowed values of the features in S, and no proper subset does.
 * With query.reasons the same engines give sufficient reasons: sets S such that f does not flip for
 * any allowed values of the features outside of S, and no proper subset of S is such a set. If
 * nothing flips f, that is the empty set.
 */

/* cover: minimal covers of a threshold function. */
typedef struct symcf_cover symcf_cover;
symcf_status symcf_cover_open(const symcf_threshold *t, const symcf_query *q, symcf_cover **out);
/* The same engine for another instance of the same function, without allocating.
 * ensures: SYMCF_OK always. */
symcf_status symcf_cover_reset(symcf_cover *e, const symcf_query *q);
/* Counts all sets of the instance from the beginning, and their features, without listing them.
 * ensures: the cursor stands at its beginning again, also when interrupted. */
symcf_status symcf_cover_tally(symcf_cover *e, symcf_control *control, uint64_t *n_sets,
                               uint64_t *n_features);
/* ensures: arrays of *sets with enough capacity are not moved. */
symcf_status symcf_cover_next(symcf_cover *e, symcf_control *control, uint64_t limit,
                              symcf_sets *sets);
void symcf_cover_free(symcf_cover *e);
/* Appends; on any other status than SYMCF_OK *sets is as it was. */
symcf_status symcf_cover_best(const symcf_threshold *t, const symcf_query *q, uint64_t k,
                              symcf_control *control, symcf_sets *sets);
/* Within control->max_nodes table entries and control->max_memory bytes. */
symcf_status symcf_cover_count(const symcf_threshold *t, const symcf_query *q,
                               symcf_control *control, uint64_t **limbs, size_t *width);
/* Certified bounds: the exact number if counting fits the budget (4 million entries unless
 * control->max_nodes says otherwise), else from step functions whose pieces are merged to fit.
 * ensures: lower <= exact count <= upper. Both freed by symcf_free. */
symcf_status symcf_cover_count_bounds(const symcf_threshold *t, const symcf_query *q,
                                      symcf_control *control, uint64_t **lower, uint64_t **upper,
                                      size_t *width);

/* Appends `count` sets drawn uniformly and independently, within the budget of symcf_cover_count;
 * random() gives 64 uniform bits per call. ensures: nothing is appended if there are no sets. */
symcf_status symcf_cover_sample(const symcf_threshold *t, const symcf_query *q, uint64_t count,
                                uint64_t (*random)(void *data), void *data, symcf_control *control,
                                symcf_sets *sets);

/* A relation of a few features: which combinations of their values are allowed afterwards. */
typedef struct symcf_relation {
	uint32_t n;              /* 16 at most                                                       */
	const uint32_t *feature; /* ascending                                                        */
	const uint8_t *holds;    /* by combination of codes, those of the last feature change fastest */
	uint64_t n_combinations; /* the product of their numbers of values                           */
} symcf_relation;

/* cover within a relation: the same where the changed instance has to obey a relation. The instance
 * itself need not. t and relation outlive the engine, q until the next reset. */
typedef struct symcf_within symcf_within;
symcf_status symcf_within_open(const symcf_threshold *t, const symcf_relation *r,
                               const symcf_query *q, symcf_control *control, symcf_within **out);
symcf_status symcf_within_reset(symcf_within *e, const symcf_query *q, symcf_control *control);
symcf_status symcf_within_next(symcf_within *e, symcf_control *control, uint64_t limit,
                               symcf_sets *sets);
/* Appends; on any other status than SYMCF_OK *sets is as it was. symcf_within_next begins again. */
symcf_status symcf_within_best(symcf_within *e, uint64_t k, symcf_control *control,
                               symcf_sets *sets);
void symcf_within_free(symcf_within *e);

/* multiclass cover: minimal changes to any other class. Each rival's function says whether the rival
 * is preferred to the class of x; a change set makes one of these functions true. Functions that are
 * NULL are left out, so a row of symcf_classifier.beats will do.
 * requires: all functions have the same features; not query.reasons, which is a conjunction. */
typedef struct symcf_multiclass_cover symcf_multiclass_cover;
/* The functions outlive the engine.
 * ensures: SYMCF_INVALID if a rival is preferred already; *out freed by symcf_multiclass_cover_free. */
symcf_status symcf_multiclass_cover_open(const symcf_threshold *const *rival, uint32_t n_rivals,
                                         const symcf_query *q, symcf_multiclass_cover **out);
/* The same engine for another instance of the same class, without allocating.
 * ensures: SYMCF_OK, or SYMCF_INVALID as above: then there are no sets. */
symcf_status symcf_multiclass_cover_reset(symcf_multiclass_cover *e, const symcf_query *q);
symcf_status symcf_multiclass_cover_next(symcf_multiclass_cover *e, symcf_control *control,
                                         uint64_t limit, symcf_sets *sets);
/* As symcf_cover_tally. */
symcf_status symcf_multiclass_cover_tally(symcf_multiclass_cover *e, symcf_control *control,
                                          uint64_t *n_sets, uint64_t *n_features);
void symcf_multiclass_cover_free(symcf_multiclass_cover *e);
/* Appends; on any other status than SYMCF_OK *sets is as it was. */
symcf_status symcf_multiclass_cover_best(const symcf_threshold *const *rival, uint32_t n_rivals,
                                         const symcf_query *q, uint64_t k, symcf_control *control,
                                         symcf_sets *sets);

/* moves: counterfactuals in which nothing can be moved less far (moves.c). The values that a feature can
 * move to lie on chains, nearest first; places on chains are steps, numbered through. Sets are sets of
 * steps: all those of a chain up to the value that is taken. */
typedef struct symcf_moves {
	uint32_t n;                  /* features                                             */
	const uint32_t *x;           /* the instance: n codes                                */
	const uint32_t *chain_start; /* n + 1: the chains of each feature                    */
	const uint32_t *step_start;  /* by chain, and one more: its steps, at least one      */
	const uint32_t *code;        /* by step: the value there; not that of x              */
	uint32_t max_changes;        /* features at most; UINT32_MAX: any number             */
} symcf_moves;
/* The function "these steps lead to the sink", of two-valued features that are 0 at x: its minimal
 * change sets towards 1 are the sets wanted. *out freed by symcf_diagram_free.
 * ensures: SYMCF_INVALID if the numbers of features differ. */
symcf_status symcf_moves_diagram(const symcf_diagram *d, const symcf_moves *m, uint32_t sink,
                                 symcf_control *control, symcf_diagram **out);
/* The same where one of several threshold functions has to become true (upwards), or false. cost: by
 * step, >= 0, their sum < 2^62. Everything that is passed outlives the engine.
 * ensures: SYMCF_INVALID if one is so at x already, or has other features. */
typedef struct symcf_moves_cover symcf_moves_cover;
symcf_status symcf_moves_cover_open(const symcf_threshold *const *rival, uint32_t n_rivals,
                                    bool upwards, const symcf_moves *m, const int64_t *cost,
                                    symcf_moves_cover **out);
symcf_status symcf_moves_cover_next(symcf_moves_cover *e, symcf_control *control, uint64_t limit,
                                    symcf_sets *sets);
/* How many there are; the next `next` begins again, as after `best`. */
symcf_status symcf_moves_cover_tally(symcf_moves_cover *e, symcf_control *control,
                                     uint64_t *n_sets);
/* The first k by (cost, size, steps). requires: *sets is empty. ensures: it still is on any other
 * status than SYMCF_OK. */
symcf_status symcf_moves_cover_best(symcf_moves_cover *e, uint64_t k, symcf_control *control,
                                    symcf_sets *sets);
void symcf_moves_cover_free(symcf_moves_cover *e);

/* related: minimal changes that make one of several threshold functions true (upwards), or one false,
 * where the changed instance has to obey relations that share no feature; see cover_within.c for one of
 * them. Everything that is passed outlives the engine, but for the relations.
 * ensures: SYMCF_INVALID if a function is so at x already, or has other features; SYMCF_UNSUPPORTED if a
 * relation has more than 16 features. */
typedef struct symcf_related symcf_related;
symcf_status symcf_related_open(const symcf_threshold *const *rival, uint32_t n_rivals,
                                bool upwards, const symcf_relation *const *relation,
                                uint32_t n_relations, const symcf_query *q, symcf_control *control,
                                symcf_related **out);
symcf_status symcf_related_next(symcf_related *e, symcf_control *control, uint64_t limit,
                                symcf_sets *sets);
/* As symcf_moves_cover_best and symcf_moves_cover_tally. */
symcf_status symcf_related_best(symcf_related *e, uint64_t k, symcf_control *control,
                                symcf_sets *sets);
symcf_status symcf_related_tally(symcf_related *e, symcf_control *control, uint64_t *n_sets);
void symcf_related_free(symcf_related *e);

/* How likely rows are: a sum of tables along a forest, which has to be at least `least`. Features come in an
 * order in which each depends on one earlier position or on none. Values that count as equally likely
 * beside whatever else share a cell. Immutable. See likely_cover.c. */
typedef struct symcf_likely symcf_likely;
#define SYMCF_LIKELY_ROOT UINT32_MAX
#define SYMCF_LIKELY_CELLS 64 /* of a feature, at most */
/* cell: by code, among the cells of its feature. By position: the feature; `up`, the position that it
 * depends on, or SYMCF_LIKELY_ROOT; its number of cells; and its table, one after another, by cell of `up`
 * (one line for roots), then by own cell. All is copied.
 * ensures: *out freed by symcf_likely_free; SYMCF_UNSUPPORTED for more than 64 features or too many cells;
 * SYMCF_INVALID if the parts do not fit each other, or a term reaches 2^48. */
symcf_status symcf_likely_create(uint32_t n, const uint32_t *value_offset, const uint32_t *cell,
                                 const uint32_t *feature, const uint32_t *up, const uint32_t *cells,
                                 const int64_t *table, uint64_t table_size, int64_t least,
                                 symcf_likely **out);
void symcf_likely_free(symcf_likely *l);

/* Minimal changes of a threshold function where the changed row has to be likely. The instance itself
 * need not be. t and l outlive the engine, q until the next reset. Costs are not considered. After a
 * status other than SYMCF_OK and SYMCF_MORE the engine has to be reset.
 * ensures: SYMCF_INVALID if l is about other features or values. */
typedef struct symcf_likely_cover symcf_likely_cover;
symcf_status symcf_likely_cover_open(const symcf_threshold *t, const symcf_likely *l,
                                     const symcf_query *q, symcf_likely_cover **out);
void symcf_likely_cover_reset(symcf_likely_cover *e, const symcf_query *q);
symcf_status symcf_likely_cover_next(symcf_likely_cover *e, symcf_control *control, uint64_t limit,
                                     symcf_sets *sets);
/* The first k by (size, features). As symcf_within_best. */
symcf_status symcf_likely_cover_best(symcf_likely_cover *e, uint64_t k, symcf_control *control,
                                     symcf_sets *sets);
void symcf_likely_cover_free(symcf_likely_cover *e);

/* minimal: family algebra over a frozen diagram. value_offset gives `query.allowed` its shape. */
typedef struct symcf_minimal symcf_minimal;
/* Builds the family of all minimal change sets from f(x) to `sink`. d and value_offset outlive the
 * engine; the arrays of q are only read during the call. control->max_nodes counts the nodes of
 * the family's ZDD, the two terminals included. */
symcf_status symcf_minimal_open(const symcf_diagram *d, const uint32_t *value_offset,
                                const symcf_query *q, uint32_t sink, symcf_control *control,
                                symcf_minimal **out);
/* The same engine for another instance or sink: reuses its memory.
 * ensures: on failure the engine holds the empty family and may be reset again or freed. */
symcf_status symcf_minimal_reset(symcf_minimal *e, const symcf_query *q, uint32_t sink,
                                 symcf_control *control);
/* ensures: SYMCF_OK as soon as no other is left, even if exactly `limit` were appended. */
symcf_status symcf_minimal_next(symcf_minimal *e, symcf_control *control, uint64_t limit,
                                symcf_sets *sets);
/* Appends; what was appended before a stop is right. For all sets, symcf_minimal_next and
 * symcf_sets_sort_from need less memory. */
symcf_status symcf_minimal_best(symcf_minimal *e, const int64_t *cost, uint64_t k,
                                symcf_control *control, symcf_sets *sets);
symcf_status symcf_minimal_count(symcf_minimal *e, symcf_control *control, uint64_t **limbs,
                                 size_t *width);
/* `count` sets drawn uniformly and independently; random() gives 64 uniform bits per call.
 * ensures: SYMCF_INVALID if the family is empty and count > 0. */
symcf_status symcf_minimal_sample(symcf_minimal *e, uint64_t count, uint64_t (*random)(void *data),
                                  void *data, symcf_control *control, symcf_sets *sets);
/* By feature, in how many sets it is: n numbers of *width limbs. *limbs freed by symcf_free. */
symcf_status symcf_minimal_count_features(symcf_minimal *e, symcf_control *control,
                                          uint64_t **limbs, size_t *width);
/* Nodes of the family's ZDD. */
uint64_t symcf_minimal_size(const symcf_minimal *e);
void symcf_minimal_free(symcf_minimal *e);

/* ------------------------------------------------------------- diverse choices --------------- */

/* k sets of a list whose smallest distance is largest; the distance of two sets is the share of their
 * features that only one of them has. */
enum { SYMCF_MOST_DIVERSE = 1024 };
typedef struct symcf_diversity {
	uint64_t apart, of; /* the smallest distance is apart / of           */
	bool exact;         /* is it proved that no other choice has a larger? */
} symcf_diversity;
/* Set i has the features from end[i - 1] (`start` for the first) to end[i]. `effort` bounds the search, in
 * words of 64 sets that are looked at: what is found is the same on every machine, unless time is up.
 * requires: 1 <= k <= n_sets, k <= SYMCF_MOST_DIVERSE, features < n_features.
 * ensures: chosen[0 .. k) ascends; of choices that are equally far apart it is the first, if exact and the
 * list has at most 4096 sets. */
symcf_status symcf_diverse(const uint32_t *features, const uint64_t *end, uint64_t start,
                           uint64_t n_sets, uint32_t n_features, uint64_t k, uint64_t effort,
                           symcf_control *control, uint64_t *chosen, symcf_diversity *out);

/* ------------------------------------------------------------- Shapley values ---------------- */

/* Shapley values of the features for "the diagram says sink", where features that are not known are
 * independent and have value v of feature j with probability share[value_offset[j] + v]. */
typedef struct symcf_shapley symcf_shapley;
/* What the arguments point to outlives the engine. ensures: *out freed by symcf_shapley_free. */
symcf_status symcf_shapley_open(const symcf_diagram *d, const uint32_t *value_offset,
                                const double *share, symcf_shapley **out);
/* Fills value[0 .. n) for an instance; may be called again. */
symcf_status symcf_shapley_values(symcf_shapley *s, const uint32_t *x, uint32_t sink,
                                  symcf_control *control, double *value);
void symcf_shapley_free(symcf_shapley *s);
/* trees: branch and bound over the leaves of trees that vote; no diagram. The decision should become
 * class k (sink 1) or any other than k (sink 0). */
typedef struct symcf_ensemble_search symcf_ensemble_search;
/* ensemble and query outlive the search; nothing is searched yet. requires: k is a class, sink <= 1. */
symcf_status symcf_ensemble_open(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                 uint32_t sink, symcf_ensemble_search **out);
/* The same search for another instance: reuses its memory. */
symcf_status symcf_ensemble_reset(symcf_ensemble_search *s, const symcf_query *q, uint32_t k,
                                  uint32_t sink);
void symcf_ensemble_close(symcf_ensemble_search *s);
/* As the contract says. Sets come by rising size, except that when time is up larger ones follow that
 * were met on the way; they are minimal like all others. control->max_memory bounds the tables. */
symcf_status symcf_ensemble_next(symcf_ensemble_search *s, symcf_control *control, uint64_t limit,
                                 symcf_sets *sets);
/* Appends the first k by (cost, size, features), sorted. When time is up, it appends those of the k that
 * are proved to be the first. */
symcf_status symcf_ensemble_best(symcf_ensemble_search *s, uint64_t k, symcf_control *control,
                                 symcf_sets *sets);
/* All sets of up to so many changes have been found; UINT32_MAX: all sets that the query allows. */
uint32_t symcf_ensemble_complete(const symcf_ensemble_search *s);
/* Searches on until everything is found, and appends the minimal sufficient reasons: minimal sets of
 * features that keep the decision as long as they keep their values, whatever the others do within what
 * the query allows. The change sets are their minimal hitting sets, and they are those of the change
 * sets. max_changes is ignored. ensures: nothing is appended on any other status than SYMCF_OK. */
symcf_status symcf_ensemble_reasons(symcf_ensemble_search *s, symcf_control *control,
                                    symcf_sets *reasons);

/* Does a row that the query allows have the wanted class? x and allowed say which rows; cost and
 * max_changes are not read. ensures: *found, and then `row` has n codes of such a row. */
symcf_status symcf_ensemble_find(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                 uint32_t sink, symcf_control *control, bool *found, uint32_t *row);

/* The cheapest values of some features, all others as in x, that give the wanted class; of several the
 * ones with the least codes. cost: by value_offset[j] + v, below 2^62 in total, negative: not allowed.
 * Reads x only of the query. requires: features ascend; the row's own values are not allowed if each
 * feature has to change. ensures: *found, and then `codes` by feature and their *total. */
symcf_status symcf_ensemble_choose(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                   uint32_t sink, const uint32_t *features, uint32_t size,
                                   const int64_t *cost, symcf_control *control, bool *found,
                                   uint32_t *codes, int64_t *total);

/* The row of least cost that is as wanted, as far as it is known. */
typedef struct symcf_nearest_result {
	bool found;
	int64_t cost;  /* of the best row found; INT64_MAX: none was         */
	int64_t bound; /* no row that is as wanted costs less; INT64_MAX: there is none */
	uint64_t n_boxes, n_prepared; /* how much work it was                */
	double first_seconds;         /* until a row was known; 0: none was  */
} symcf_nearest_result;

/* The row that costs least of all that the query allows and that have the wanted class. cost: by value_offset[j] + v,
 * of becoming v, below 2^62 in total, negative: not allowed; the row's own values cost 0. Of rows that cost the same,
 * the first by rank (by value, compared feature by feature; NULL: the codes). Reads x, allowed and max_changes of the
 * query.
 * ensures: SYMCF_OK, *out and, if there is such a row, the n codes of `row`; cost and bound are equal. When a limit
 * ends the search, *out and `row` have the best so far. */
symcf_status symcf_ensemble_nearest_row(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                        uint32_t sink, const int64_t *cost, const uint32_t *rank,
                                        symcf_control *control, symcf_nearest_result *out,
                                        uint32_t *row);

/* ------------------------------------------------------------------- values ------------------ */

/* What has to become true. Either sums: `t` are threshold functions, those that are NULL left out, of
 * which one has to become true, or with `every` all; with `fall` one function has to become false.
 * The margin of a function is its score plus shift[i] (NULL: 0). Or a diagram has to lead to `sink`. */
typedef struct symcf_aim {
	const symcf_threshold *const *t;
	uint32_t n_functions;
	const int64_t *shift;
	bool fall, every;
	const symcf_relation
		*relation; /* with one function: what the changed instance obeys; NULL: nothing */
	const symcf_diagram *d;
	uint32_t sink;
} symcf_aim;

/* What the values of an instance's features cost, by value_offset[j] + v. The instance's own value is
 * an option, too, if the caller knows another value that is the same to the core. */
typedef struct symcf_options {
	const int64_t *cost;  /* of becoming this value; < 0: it may not. Sums are below 2^62       */
	const int64_t *move;  /* among equally cheap choices the shortest comes first; NULL: 0 each */
	const uint32_t *name; /* ... and at last the one with the smallest names; NULL: the codes   */
} symcf_options;

typedef struct symcf_chooser symcf_chooser;
/* What the arguments point to outlives the chooser. ensures: *out freed by symcf_chooser_free. */
symcf_status symcf_chooser_open(const symcf_aim *aim, uint32_t n, const uint32_t *value_offset,
                                symcf_chooser **out);
void symcf_chooser_free(symcf_chooser *c);
/* Takes an instance. x and the arrays of the options are in use until the next one. */
void symcf_chooser_reset(symcf_chooser *c, const uint32_t *x, const symcf_options *options);
/* The best new values for the features of a set, all of which change: by (cost, move, margin falling,
 * names). requires: an instance; features ascend.
 * ensures: names[0 .. size), unless NULL, and *cost; SYMCF_INVALID if no allowed values do it. */
symcf_status symcf_choose(symcf_chooser *c, const uint32_t *features, uint32_t size,
                          symcf_control *control, uint32_t *names, int64_t *cost);

/* The k first minimal change sets of the instance by (cost, size, features), where a set costs what
 * symcf_choose says. Appends; on any other status than SYMCF_OK *sets is as it was.
 * ensures: SYMCF_UNSUPPORTED for diagrams and for several functions that have to become true at once;
 * SYMCF_INVALID if the instance itself does it. */
symcf_status symcf_choose_best(symcf_chooser *c, uint32_t max_changes, uint64_t k,
                               symcf_control *control, symcf_sets *sets);

/* ------------------------------------------------------------------ batches ------------------ */

/* What is asked about every row. All arrays outlive the batch. Where rows have groups,
 * `allowed` and `direction` are about the rows' own codes. */
typedef enum symcf_direction { SYMCF_ANY, SYMCF_UP, SYMCF_DOWN } symcf_direction;

/* What changing a feature costs, by the rows' own codes. Every change costs `flat`, unless there is a
 * table, by old code * d + new code for d values; or a line, where each value is a stretch and the
 * cost is the way from the old place to the new stretch, at least one step. The old place comes with
 * the row (symcf_batch_request.place, in this column) or is where the old value begins. A value that
 * begins after its end is not on the line, nor is a row that has INT64_MIN for a place: `flat`. */
#define SYMCF_NO_PLACES UINT32_MAX
typedef struct symcf_price {
	int64_t flat;
	const int64_t *table;
	const int64_t *low, *high; /* d each */
	int64_t step;
	uint32_t place;
} symcf_price;

/* What a row of some class has to reach, if that is not what the classifier says. */
typedef struct symcf_goal {
	const symcf_diagram *d;  /* what it should say; or NULL ...                             */
	const symcf_ensemble *e; /* ... and these trees, for all classes: about their class k   */
	uint32_t k, sink;
} symcf_goal;

typedef struct symcf_batch_request {
	const uint8_t *allowed;   /* as in symcf_query                                          */
	const uint8_t *direction; /* by feature, a symcf_direction; NULL: any                   */
	const int64_t *cost;      /* as in symcf_query                                          */
	const symcf_price *price; /* by feature, instead of cost: sets cost what their cheapest
	                             values cost; sums below 2^61. NULL: cost says              */
	const int64_t *place;     /* by row, n_places each; see symcf_price                     */
	uint32_t n_places;
	const symcf_aim *aims;   /* with price, by class of the row: what values are chosen for */
	const symcf_goal *goals; /* by class of the row: what it is asked. NULL: the classifier    */
	const symcf_relation *relation; /* with t: what the changed rows obey; NULL: nothing     */
	const symcf_likely *likely;     /* with t: how likely the changed rows are; then cost is for
	                                   sorting only, and NULL with k. NULL: however likely     */
	uint32_t max_changes;           /* as in symcf_query                                          */
	uint64_t k;                     /* only the k first by (cost, size, features); 0: all         */
	uint64_t max_results;           /* sets per row at most; 0: any number                        */
	uint64_t max_memory;            /* bytes of the columns                                       */
	double row_seconds;             /* seconds that a row may take, by trees and where rows
	                                   have to be likely; 0: any number                     */
	int target;                     /* the wanted class; -1: any other one                        */
	bool sorted;                    /* sets of a row by (cost, size, features), not as found; those
	                             of rows that time cut short are as found in any case       */
	bool mark_bad_rows;             /* rows with a code out of range get a status, not an error   */
	bool reasons;                   /* as in symcf_query                                          */
} symcf_batch_request;

typedef enum symcf_row_status {
	SYMCF_ROW_COMPLETE,
	SYMCF_ROW_MAX_RESULTS, /* there are more sets                   */
	SYMCF_ROW_TIME,        /* time was up: there may be more sets   */
	SYMCF_ROW_INVALID,     /* a code is out of range                */
	SYMCF_ROW_AT_TARGET    /* the row already is of the wanted class*/
} symcf_row_status;

/* Memory whose address space is larger than what it holds; see growing_map.h. */
typedef struct symcf_growing_map {
	void *data;
	uint64_t size;
	uint64_t backed;    /* bytes at its beginning that surely have memory   */
	uint64_t committed; /* ... that may be written without asking for more  */
} symcf_growing_map;

/* The answer. Row i has the sets row_offsets[i] .. row_offsets[i+1]; set s has the features
 * set_offsets[s] .. set_offsets[s+1], ascending. */
typedef struct symcf_columns {
	uint64_t m, n_sets, n_features;
	int64_t *row_offsets;          /* m + 1                */
	symcf_growing_map set_offsets; /* n_sets + 1, int64_t  */
	symcf_growing_map features;    /* n_features, int32_t  */
	uint8_t *status;               /* m, symcf_row_status  */
	uint8_t *prediction;           /* m                    */
} symcf_columns;

void symcf_columns_free(symcf_columns *c);

/* Memory of freed columns is kept for the next ones (page_cache.h). This returns it to the system. */
void symcf_release_memory(void);

/* A batch is shared by the threads that work on it. */
typedef struct symcf_batch symcf_batch;

/* Uses the engine cover if the classifier has t, multiclass cover if it has beats, minimal if it has
 * diagrams, trees if it has an ensemble. value_offset gives the number of values of each feature in the core. What the arguments
 * point to outlives the batch; the arguments themselves need not.
 * ensures: *out freed by symcf_batch_free; SYMCF_UNSUPPORTED for 2^32 - 1 rows or more, for more than
 * 256 classes, and for reasons or a target among more than two classes by multiclass cover;
 * SYMCF_INVALID if the target is not a class, or if groups do not fit value_offset. */
symcf_status symcf_batch_open(const symcf_classifier *c, const uint32_t *value_offset,
                              const symcf_rows *rows, const symcf_batch_request *request,
                              symcf_control *control, symcf_batch **out);

/* Works until nothing is left to do. Each thread calls it once, with a control of its own or NULL.
 * ensures: whatever stops one thread stops all; SYMCF_MORE if symcf_batch_finish tells why. */
symcf_status symcf_batch_work(symcf_batch *b, symcf_control *control);

/* Rows done so far; may be asked at any time. */
uint64_t symcf_batch_progress(const symcf_batch *b);

/* Hands the columns over, once all threads have returned.
 * ensures: *out freed by symcf_columns_free; or why there are no columns: SYMCF_INVALID with the
 * first bad row and feature, SYMCF_LIMIT_MEMORY, ...; SYMCF_MORE if work is left or they were
 * handed over before. */
symcf_status symcf_batch_finish(symcf_batch *b, symcf_columns *out, uint64_t *bad_row,
                                uint32_t *bad_feature);
void symcf_batch_free(symcf_batch *b);

/* Rows that share no threshold function, by what their features can gain towards each rival; see
 * cover.h. Gains that are not positive count as 0. */
typedef struct symcf_gains {
	size_t m;               /* rows                              */
	uint32_t n, n_rivals;   /* features; at least one rival      */
	const int64_t *gain;    /* by row, rival and feature         */
	const int64_t *deficit; /* by row and rival, at least 1      */
} symcf_gains;

/* Appends the minimal covers of every row to `sets`; n_sets[i] and row_status[i] are those of row i.
 * Of the request, allowed, direction, target and mark_bad_rows do not apply. When time is up the
 * rows that are left have no sets and the status SYMCF_ROW_TIME.
 * ensures: SYMCF_OVERFLOW if gains add up to 2^62; SYMCF_LIMIT_MEMORY for results beyond
 * request->max_memory; on failure the contents of `sets` are right, but not all. */
symcf_status symcf_cover_rows(const symcf_gains *gains, const symcf_batch_request *request,
                              symcf_control *control, symcf_sets *sets, uint64_t *n_sets,
                              uint8_t *row_status);

/* Where features can move to, by their own value: the chains and steps of `symcf_moves`. Own values are
 * numbered as the caller likes. */
typedef struct symcf_moves_table {
	uint32_t n;                   /* features                                                 */
	const uint32_t *value_offset; /* n + 1: where the own values of each feature start        */
	const uint32_t *own;          /* by own value, its code                                   */
	const uint32_t *chain_start;  /* by own value, and one more: the chains from there        */
	const uint32_t *step_start;   /* by chain, and one more: its steps, at least one          */
	const uint32_t *code;         /* by step: the value there                                 */
	const uint32_t *value;        /* by step: the same as the caller calls it                 */
	const int64_t *price;         /* by step: how much dearer it makes the move, >= 0         */
} symcf_moves_table;

/* Which functions have to become true (upwards), or one of them false: see symcf_moves_cover_open. */
typedef struct symcf_moves_goal {
	const symcf_threshold *const *rival;
	uint32_t n_rivals;
	bool upwards;
} symcf_moves_goal;

typedef struct symcf_moves_rows {
	size_t m;
	const uint32_t *own; /* by row and feature, the own value, from 0 on */
	const symcf_moves_goal *goals;
	const uint8_t *goal; /* by row, which of them                       */
} symcf_moves_rows;

/* As symcf_cover_rows. A set is a list of pairs: a feature and what the caller calls its new value. The
 * sets of a row are sorted by (cost, steps) in any case. requires: prices of a row add up to less than
 * 2^62. ensures: SYMCF_INVALID if a row has reached its goal. */
symcf_status symcf_moves_of_rows(const symcf_moves_table *table, const symcf_moves_rows *rows,
                                 const symcf_batch_request *request, symcf_control *control,
                                 symcf_sets *sets, uint64_t *n_sets, uint8_t *row_status);

#endif
