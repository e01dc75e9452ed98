/* tree_sums.h (private): the sum of decision trees, level by level, without adding them up.
 *
 *   symcf_tree_sums_open(trees, order, ...)     each tree as a diagram in the order of levels
 *   symcf_tree_sums_expand(f, sum, ...)         what is left of a sum once the next feature is known
 *
 * A *sum* is a set of residual trees, each scaled to a minimum of 0, together with the number that
 * has gathered already, which the caller, compile_trees.c, keeps.
 */
#ifndef SYMCF_TREE_SUMS_H
#define SYMCF_TREE_SUMS_H

#include "symcf.h"

typedef struct tree_sums tree_sums;

/* What is wrong with the trees, or NULL. Safe on hostile arrays. */
const char *symcf_tree_sums_wrong(const symcf_trees *t);

/* The values first .. end - 1 of the sum's feature lead to `sum`, and add `gain`. */
typedef struct tree_sums_run {
	uint32_t sum;
	uint32_t end;
	int64_t gain;
} tree_sums_run;

/* ensures: *out freed by symcf_tree_sums_free; SYMCF_INVALID with *reason, SYMCF_OVERFLOW, or a limit, with
 * control->level the trees done. */
symcf_status symcf_tree_sums_open(const symcf_trees *trees, const uint32_t *order,
                                  symcf_control *control, const char **reason, tree_sums **out);
void symcf_tree_sums_free(tree_sums *f);

/* The sum of all trees; *gathered is the bias and the least that each of them adds to it. */
symcf_status symcf_tree_sums_root(tree_sums *f, uint32_t *sum, int64_t *gathered);

/* The next level that a sum depends on (the number of levels: none), and the largest value that the
 * sum may reach; the smallest is at least 0. */
uint32_t symcf_tree_sums_level(const tree_sums *f, uint32_t sum);
int64_t symcf_tree_sums_most(const tree_sums *f, uint32_t sum);

/* Finds the runs of a sum. requires: it depends on a level. */
symcf_status symcf_tree_sums_expand(tree_sums *f, uint32_t sum, symcf_control *control);

/* requires: expanded; run 0 begins with value 0; the last one ends with the number of values. */
tree_sums_run symcf_tree_sums_get_run(const tree_sums *f, uint32_t sum, uint32_t run);
uint32_t symcf_tree_sums_n_runs(const tree_sums *f, uint32_t sum);

uint64_t symcf_tree_sums_count(const tree_sums *f);
uint64_t symcf_tree_sums_bytes(const tree_sums *f);

#endif
