/* forest.h (private): the sum of decision trees, level by level, without adding them up.
 *
 *   forest_open(trees, order, ...)     each tree as a diagram in the order of levels
 *   forest_expand(f, sum, ...)         what is left of a sum once the next feature is known
 *
 * A *sum* is a set of residual trees, each scaled to a minimum of 0, together with the number that
 * has gathered already, which the caller, trees.c, keeps.
 */
#ifndef SYMCF_FOREST_H
#define SYMCF_FOREST_H

#include "symcf.h"

typedef struct forest forest;

/* The values first .. end - 1 of the sum's feature lead to `sum`, and add `gain`. */
typedef struct forest_run {
	uint32_t sum;
	uint32_t end;
	int64_t gain;
} forest_run;

/* ensures: *out freed by forest_free; SYMCF_INVALID with *reason, SYMCF_OVERFLOW, or a limit, with
 * control->level the trees done. */
symcf_status forest_open(const symcf_trees *trees, const uint32_t *order, symcf_control *control,
                         const char **reason, forest **out);
void forest_free(forest *f);

/* The sum of all trees; *gathered is what it adds to the bias. */
symcf_status forest_root(forest *f, uint32_t *sum, int64_t *gathered);

/* The next level that a sum depends on (the number of levels: none), and the largest value that the
 * sum may reach; the smallest is at least 0. */
uint32_t forest_level(const forest *f, uint32_t sum);
int64_t forest_most(const forest *f, uint32_t sum);

/* Finds the runs of a sum. requires: it depends on a level. */
symcf_status forest_expand(forest *f, uint32_t sum, symcf_control *control);

/* requires: expanded; run 0 begins with value 0; the last one ends with the number of values. */
forest_run forest_get_run(const forest *f, uint32_t sum, uint32_t run);
uint32_t forest_n_runs(const forest *f, uint32_t sum);

uint64_t forest_n_sums(const forest *f);
uint64_t forest_bytes(const forest *f);

#endif
