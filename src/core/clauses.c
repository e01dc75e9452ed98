/* clauses.c: diagram -> CNF, in three of the four encodings (the fourth, prime implicates, comes
 * from CUDD's covers: see bdd.c).
 *
 * f is true iff the input's path does not end in the 0-sink. The paper (Boumazouza et al., SUM
 * 2020) forbids each such path by one clause: no new variables, but as many clauses as paths.
 * Cabodi, Camurati and Quer (DAC 2003, and dddmp) trade clauses for variables: one variable a
 * node, or variables only at cut points between which paths are short. All three have the same
 * models over the features.
 *
 * Every encoding is measured first and written into one buffer of exactly that size.
 */
#include <assert.h>
#include <string.h>

#include "memory.h"
#include "paths.h"

void symcf_clauses_free(symcf_clauses *c)
{
	if (!c)
		return;
	symcf_free(c->literals);
	symcf_free(c);
}

/* ensures: *out has room for exactly this, or a refusal. */
static symcf_status allocate_clauses(uint64_t n_clauses, uint64_t length, uint64_t n_vars,
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
		return SYMCF_NO_MEMORY;
	}
	c->length = length;
	c->n_clauses = n_clauses;
	c->n_vars = (uint32_t)n_vars;
	*out = c;
	return SYMCF_OK;
}

/* ------------------------------------------------------------- one clause a path ------------- */

symcf_status symcf_encode_paths(const symcf_diagram *d, bool negate, uint64_t max_clauses,
                                symcf_control *control, symcf_clauses **out)
{
	const uint32_t bad = negate;
	uint64_t n_clauses, length, written, count;
	symcf_paths *p;
	symcf_clauses *c;
	symcf_status status = symcf_paths_measure(d, bad, &n_clauses, &length);
	if (status == SYMCF_OVERFLOW) {
		n_clauses = length = INT64_MAX; /* refused below: no machine holds that many */
		status = SYMCF_OK;
	}
	if (!status)
		status = allocate_clauses(n_clauses, length, d->n, max_clauses, control, &c);
	if (status)
		return status;
	if (!(status = symcf_paths_open(d, bad, true, &p))) {
		status = symcf_paths_next(p, control, c->literals, length, &written, &count);
		assert(status || (written == length && count == n_clauses));
		symcf_paths_free(p);
	}
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}

/* ------------------------------------------------------------- a variable a node ------------- */

static bool is_literal(const symcf_diagram *d, uint32_t u)
{
	return symcf_child(d, u, 0) < 2 && symcf_child(d, u, 1) < 2;
}

static int32_t feature_variable(const symcf_diagram *d, uint32_t u)
{
	return (int32_t)d->order[d->level[u]] + 1;
}

static int32_t *put(int32_t *at, int32_t a, int32_t b, int32_t c)
{
	*at++ = a;
	*at++ = b;
	if (c)
		*at++ = c;
	*at++ = 0;
	return at;
}

/* node <-> (x ? high : low), where high and low are literals or sinks: sink_high and sink_low are
 * 0, 1 or 2 for "not a sink". A clause that a sink satisfies is left out, and of the two that one
 * sink makes the same up to x, the one without x subsumes the other. */
static int32_t *define_node(int32_t *at, int32_t node, int32_t x, int32_t high, uint32_t sink_high,
                            int32_t low, uint32_t sink_low)
{
	if (sink_high == 1) {
		at = put(at, node, -x, 0);
		at = put(at, node, -low, 0);
		return put(at, -node, x, low);
	}
	if (sink_high == 0) {
		at = put(at, -node, -x, 0);
		at = put(at, -node, low, 0);
		return put(at, node, x, -low);
	}
	if (sink_low == 1) {
		at = put(at, node, x, 0);
		at = put(at, node, -high, 0);
		return put(at, -node, -x, high);
	}
	if (sink_low == 0) {
		at = put(at, -node, x, 0);
		at = put(at, -node, high, 0);
		return put(at, node, -x, -high);
	}
	at = put(at, node, x, -low);
	at = put(at, -node, x, low);
	at = put(at, node, -x, -high);
	return put(at, -node, -x, high);
}

/* The literal that stands for each node: its feature's, or a new variable. ensures: returns the
 * number of variables. */
static uint64_t name_nodes(const symcf_diagram *d, int32_t *name)
{
	uint64_t variables = d->n;
	name[0] = name[1] = 0;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		if (is_literal(d, u))
			name[u] = symcf_child(d, u, 1) ? feature_variable(d, u) : -feature_variable(d, u);
		else
			name[u] = (int32_t)++variables;
	}
	return variables;
}

static void measure_nodes(const symcf_diagram *d, uint64_t *n_clauses, uint64_t *length)
{
	*n_clauses = 1; /* the root */
	*length = 2;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		if (is_literal(d, u))
			continue;
		const bool beside_sink = symcf_child(d, u, 0) < 2 || symcf_child(d, u, 1) < 2;
		*n_clauses += beside_sink ? 3 : 4;
		*length += beside_sink ? 3 + 3 + 4 : 4 * 4;
	}
}

static symcf_status write_nodes(const symcf_diagram *d, bool negate, const int32_t *name,
                                symcf_control *control, symcf_clauses *c)
{
	int32_t *at = c->literals;
	*at++ = negate ? -name[d->root] : name[d->root];
	*at++ = 0;
	for (uint32_t u = d->n_nodes - 1; u >= 2; u--) {
		if (is_literal(d, u))
			continue;
		const uint32_t low = symcf_child(d, u, 0), high = symcf_child(d, u, 1);
		at = define_node(at, name[u], feature_variable(d, u), name[high], high < 2 ? high : 2,
		                 name[low], low < 2 ? low : 2);
		const symcf_status status = symcf_tick(control, 20);
		if (status)
			return status;
	}
	assert((uint64_t)(at - c->literals) == c->length);
	return SYMCF_OK;
}

symcf_status symcf_encode_nodes(const symcf_diagram *d, bool negate, uint64_t max_clauses,
                                symcf_control *control, symcf_clauses **out)
{
	uint64_t n_clauses, length;
	symcf_clauses *c = NULL;
	for (uint32_t k = 0; k < d->n; k++)
		if (d->arity[k] != 2)
			return SYMCF_UNSUPPORTED;
	if (d->root < 2) /* constant: no clause, or the empty one */
		return symcf_encode_paths(d, negate, max_clauses, control, out);
	int32_t *name = symcf_allocate(d->n_nodes, sizeof *name);
	if (!name)
		return SYMCF_NO_MEMORY;
	measure_nodes(d, &n_clauses, &length);
	symcf_status status =
		allocate_clauses(n_clauses, length, name_nodes(d, name), max_clauses, control, &c);
	if (!status)
		status = write_nodes(d, negate, name, control, c);
	symcf_free(name);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}

/* ------------------------------------------------------ paths between cut points ------------- */

/* What the cut encoding knows of a node. */
typedef struct cut_node {
	uint32_t entered;         /* edges into it                                           */
	uint32_t away;            /* literals since the last cut, on the longest way here    */
	uint64_t paths, literals; /* of the clauses that start here, up to the next cuts     */
} cut_node;

/* Parents come after their children, so going down the indices sees a node after all that decides
 * about it. cut[u] becomes the node's variable, or stays 0. */
static uint64_t choose_cuts(const symcf_diagram *d, uint32_t max_in, uint32_t max_length,
                            cut_node *nodes, int32_t *cut)
{
	uint64_t variables = d->n;
	for (uint32_t u = d->n_nodes - 1; u >= 2; u--) {
		cut_node *here = &nodes[u];
		if (u != d->root && (here->entered > max_in || here->away >= max_length)) {
			cut[u] = (int32_t)++variables;
			here->away = 0;
		}
		for (uint32_t v = 0; v < 2; v++) {
			cut_node *below = &nodes[symcf_child(d, u, v)];
			below->entered++;
			below->away = here->away + 1 > below->away ? here->away + 1 : below->away;
		}
	}
	return variables;
}

/* As symcf_paths_measure, with paths that end at cuts; false if the numbers pass 2^63. */
static bool measure_cuts(const symcf_diagram *d, uint32_t bad, cut_node *nodes, const int32_t *cut,
                         uint64_t *n_clauses, uint64_t *length)
{
	bool overflow = false;
	*n_clauses = *length = 0;
	nodes[bad].paths = 1;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		cut_node *here = &nodes[u];
		for (uint32_t v = 0; v < 2; v++) {
			const uint32_t child = symcf_child(d, u, v);
			const uint64_t paths = cut[child] ? 1 : nodes[child].paths;
			const uint64_t literals = cut[child] ? 1 : nodes[child].literals;
			overflow |= __builtin_add_overflow(here->paths, paths, &here->paths);
			overflow |= __builtin_add_overflow(here->literals, literals, &here->literals);
			overflow |= __builtin_add_overflow(here->literals, paths, &here->literals);
		}
		if (cut[u] || u == d->root) {
			/* a clause is its path, a 0, and where it starts at a cut, that literal */
			const uint64_t extra = cut[u] ? 2 : 1;
			overflow |= here->paths >> 60 || here->literals >> 60;
			overflow |= __builtin_add_overflow(*n_clauses, here->paths, n_clauses);
			overflow |=
				__builtin_add_overflow(*length, here->literals + extra * here->paths, length);
		}
	}
	return !overflow && !(*length >> 63);
}

static symcf_status write_cuts(const symcf_diagram *d, uint32_t bad, const int32_t *cut,
                               symcf_control *control, symcf_clauses *c)
{
	symcf_paths *p;
	uint64_t at = 0, n_clauses = 0;
	symcf_status status = symcf_paths_open(d, bad, true, &p);
	if (status)
		return status;
	symcf_paths_stop_at(p, cut);
	for (uint32_t u = d->n_nodes - 1; u >= 2 && !status; u--) {
		uint64_t length, count;
		if (!cut[u] && u != d->root)
			continue;
		symcf_paths_restart(p, u, -cut[u]);
		status = symcf_paths_next(p, control, c->literals + at, c->length - at, &length, &count);
		at += length;
		n_clauses += count;
	}
	assert(status || (at == c->length && n_clauses == c->n_clauses));
	symcf_paths_free(p);
	return status;
}

symcf_status symcf_encode_cuts(const symcf_diagram *d, bool negate, uint32_t max_in,
                               uint32_t max_length, uint64_t max_clauses, symcf_control *control,
                               symcf_clauses **out)
{
	const uint32_t bad = negate;
	uint64_t n_clauses, length;
	symcf_clauses *c = NULL;
	if (!max_in || !max_length)
		return SYMCF_INVALID;
	for (uint32_t k = 0; k < d->n; k++)
		if (d->arity[k] != 2)
			return SYMCF_UNSUPPORTED;
	if (d->root < 2)
		return symcf_encode_paths(d, negate, max_clauses, control, out);
	cut_node *nodes = symcf_allocate_zeroed(d->n_nodes, sizeof *nodes);
	int32_t *cut = symcf_allocate_zeroed(d->n_nodes, sizeof *cut);
	symcf_status status = nodes && cut ? SYMCF_OK : SYMCF_NO_MEMORY;
	if (!status) {
		const uint64_t variables = choose_cuts(d, max_in, max_length, nodes, cut);
		if (!measure_cuts(d, bad, nodes, cut, &n_clauses, &length))
			n_clauses = length = INT64_MAX;
		status = allocate_clauses(n_clauses, length, variables, max_clauses, control, &c);
	}
	if (!status)
		status = write_cuts(d, bad, cut, control, c);
	symcf_free(nodes);
	symcf_free(cut);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}
