/* clauses.c: diagram -> CNF, one clause per path; and what all encodings share.
 *
 * f is true iff the input's path does not end in the 0-sink. The paper (Boumazouza et al., SUM
 * 2020) forbids each such path by one clause: no new variables, but as many clauses as paths.
 * Cabodi, Camurati and Quer (DAC 2003, and dddmp) trade clauses for variables: one variable per
 * node (clauses_nodes.c), or variables only at cut points between which paths are short
 * (clauses_cuts.c). Prime implicates come from CUDD's covers (bdd_primes.c). All have the same
 * models over the features.
 *
 * A feature of d values has an indicator variable for each but value 0 (symcf.h). The encodings
 * say what f is where at most one of them is true, and rely on clauses that say so.
 *
 * Every encoding is measured first and written into one buffer of exactly that size.
 */
#include "clauses.h"

#include <assert.h>

#include "memory.h"
#include "paths.h"

void symcf_clauses_free(symcf_clauses *c)
{
	if (!c)
		return;
	symcf_free(c->literals);
	symcf_free(c);
}

symcf_status symcf_clauses_allocate(uint64_t n_clauses, uint64_t length, uint64_t n_vars,
                                    uint64_t max_clauses, symcf_control *control,
                                    symcf_clauses **out)
{
	if (control)
		control->nodes = n_clauses;
	if (max_clauses && n_clauses > max_clauses)
		return SYMCF_LIMIT_NODES;
	if (control && control->max_memory && length > control->max_memory / sizeof(int32_t))
		return SYMCF_LIMIT_MEMORY;
	if (n_vars > INT32_MAX)
		return SYMCF_OVERFLOW;
	symcf_clauses *c = symcf_allocate_zeroed(1, sizeof *c);
	if (!c || !(c->literals = symcf_allocate(length, sizeof *c->literals))) {
		symcf_free(c);
		return symcf_no_memory();
	}
	c->length = length;
	c->n_clauses = n_clauses;
	c->n_vars = (uint32_t)n_vars;
	*out = c;
	return SYMCF_OK;
}

static symcf_status write_paths(symcf_paths *p, symcf_control *control, symcf_clauses *c)
{
	uint64_t written, count;
	const symcf_status status =
		symcf_paths_next(p, control, c->literals, c->length, &written, &count);
	assert(status || (written == c->length && count == c->n_clauses));
	return status;
}

symcf_status symcf_encode_paths(const symcf_diagram *d, bool negate, uint64_t max_clauses,
                                symcf_control *control, symcf_clauses **out)
{
	const uint32_t bad = negate;
	uint64_t n_clauses, length;
	symcf_paths *p = NULL;
	symcf_clauses *c = NULL;
	symcf_status status = symcf_paths_measure(d, bad, control, &n_clauses, &length);
	if (status == SYMCF_OVERFLOW) {
		n_clauses = length = INT64_MAX; /* refused below: no machine holds that many */
		status = SYMCF_OK;
	}
	if (!status)
		status = symcf_paths_open(d, bad, true, &p);
	if (!status)
		status = symcf_clauses_allocate(n_clauses, length, symcf_paths_longest(p) - 1, max_clauses,
		                                control, &c);
	if (!status)
		status = write_paths(p, control, c);
	symcf_paths_free(p);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}
