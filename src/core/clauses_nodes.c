/* clauses_nodes.c: diagram -> CNF with one variable per node, as dddmp does it.
 *
 * The variable of a node says that the path from there ends in the 1-sink. A branch of the node
 * implies that it is what its child is: two clauses, or one where the child is a sink. For a node of
 * two values these are the textbook's four, which a sink shortens to three (define_binary). A node
 * that is the same as an indicator or its negation needs no variable of its own.
 */
#include <assert.h>
#include <string.h>

#include "clauses.h"
#include "memory.h"
#include "try.h"

/* What is asked about a node again and again. */
typedef struct fan {
	const uint32_t *child;
	uint32_t arity;
	uint32_t apart; /* values that lead elsewhere than value 0; they branch one by one */
	uint32_t one;   /* one of these                                                    */
	bool inner;     /* is there a child other than a sink?                             */
} fan;

static fan look(const symcf_diagram *d, uint32_t u)
{
	fan f = {.child = symcf_children(d, u), .arity = d->arity[d->level[u]]};
	for (uint32_t v = 0; v < f.arity; v++) {
		f.inner |= f.child[v] > 1;
		if (f.child[v] != f.child[0]) {
			f.apart++;
			f.one = v;
		}
	}
	return f;
}

static bool is_literal(const fan *f)
{
	return !f->inner && f->apart == 1;
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
static int32_t *define_binary(int32_t *at, int32_t node, int32_t x, int32_t high,
                              uint32_t sink_high, int32_t low, uint32_t sink_low)
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

/* Writes what one branch says. condition: the negation of its literals. */
static int32_t *define_branch(int32_t *at, int32_t node, const int32_t *condition, uint32_t size,
                              int32_t child_name, uint32_t child)
{
	for (int32_t side = 1; side >= -1; side -= 2) {
		if (child < 2 && (child == 1) != (side == 1))
			continue;
		memcpy(at, condition, size * sizeof *at);
		at += size;
		*at++ = side * node;
		if (child > 1)
			*at++ = -side * child_name;
		*at++ = 0;
	}
	return at;
}

/* scratch: f->arity entries. */
static int32_t *define_many(int32_t *at, int32_t node, int32_t first, const fan *f,
                            const int32_t *name, int32_t *scratch)
{
	uint32_t size = 0;
	for (uint32_t v = 1; v < f->arity; v++) {
		const int32_t indicator = first + (int32_t)v - 1, against = -indicator;
		if (f->child[v] == f->child[0])
			continue;
		at = define_branch(at, node, &against, 1, name[f->child[v]], f->child[v]);
		scratch[size++] = indicator;
	}
	return define_branch(at, node, scratch, size, name[f->child[0]], f->child[0]);
}

/* ------------------------------------------------------------------ the encoding ------------- */

/* What the encoding works with. */
typedef struct naming {
	int32_t *first;   /* n + 1: see symcf_first_variables                               */
	int32_t *name;    /* by node: the literal that stands for it, an indicator's or new */
	int32_t *scratch; /* as many entries as a feature can have values                 */
	uint64_t variables;
} naming;

static symcf_status name_nodes(const symcf_diagram *d, symcf_control *control, naming *names)
{
	names->variables = (uint64_t)names->first[d->n] - 1;
	names->name[0] = names->name[1] = 0;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const fan f = look(d, u);
		TRY(symcf_tick(control, 4 * f.arity));
		const int32_t first = names->first[d->order[d->level[u]]];
		if (is_literal(&f))
			names->name[u] = (first + (int32_t)f.one - 1) * (f.child[f.one] ? 1 : -1);
		else
			names->name[u] = (int32_t)++names->variables;
	}
	return SYMCF_OK;
}

static void measure_branch(uint64_t *n_clauses, uint64_t *length, uint64_t size, uint32_t child)
{
	*n_clauses += child < 2 ? 1 : 2;
	*length += child < 2 ? size + 2 : 2 * (size + 3);
}

static void measure_node(const fan *f, uint64_t *n_clauses, uint64_t *length)
{
	if (f->arity == 2) {
		const bool beside_sink = f->child[0] < 2 || f->child[1] < 2;
		*n_clauses += beside_sink ? 3 : 4;
		*length += beside_sink ? 3 + 3 + 4 : 4 * 4;
		return;
	}
	for (uint32_t v = 1; v < f->arity; v++)
		if (f->child[v] != f->child[0])
			measure_branch(n_clauses, length, 1, f->child[v]);
	measure_branch(n_clauses, length, f->apart, f->child[0]);
}

static symcf_status measure_nodes(const symcf_diagram *d, symcf_control *control,
                                  uint64_t *n_clauses, uint64_t *length)
{
	*n_clauses = 1; /* the root */
	*length = 2;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const fan f = look(d, u);
		TRY(symcf_tick(control, 4 * f.arity));
		if (!is_literal(&f))
			measure_node(&f, n_clauses, length);
	}
	return SYMCF_OK;
}

static int32_t *define_node(const symcf_diagram *d, uint32_t u, const fan *f, const naming *names,
                            int32_t *at)
{
	const int32_t first = names->first[d->order[d->level[u]]], *name = names->name;
	const uint32_t low = f->child[0], high = f->child[1];
	if (f->arity == 2)
		return define_binary(at, name[u], first, name[high], high < 2 ? high : 2, name[low],
		                     low < 2 ? low : 2);
	return define_many(at, name[u], first, f, name, names->scratch);
}

static symcf_status write_nodes(const symcf_diagram *d, bool negate, const naming *names,
                                symcf_control *control, symcf_clauses *c)
{
	int32_t *at = c->literals;
	*at++ = negate ? -names->name[d->root] : names->name[d->root];
	*at++ = 0;
	for (uint32_t u = d->n_nodes - 1; u >= 2; u--) {
		const fan f = look(d, u);
		if (is_literal(&f))
			continue;
		at = define_node(d, u, &f, names, at);
		const symcf_status status = symcf_tick(control, 10 * f.arity);
		if (status)
			return status;
	}
	assert((uint64_t)(at - c->literals) == c->length);
	return SYMCF_OK;
}

static symcf_status allocate_names(const symcf_diagram *d, naming *names)
{
	uint32_t most = 1;
	for (uint32_t k = 0; k < d->n; k++)
		most = d->arity[k] > most ? d->arity[k] : most;
	names->first = symcf_allocate((uint64_t)d->n + 1, sizeof *names->first);
	names->name = symcf_allocate(d->n_nodes, sizeof *names->name);
	names->scratch = symcf_allocate(most, sizeof *names->scratch);
	if (!names->first || !names->name || !names->scratch)
		return symcf_no_memory();
	return symcf_first_variables(d, names->first);
}

symcf_status symcf_encode_nodes(const symcf_diagram *d, bool negate, uint64_t max_clauses,
                                symcf_control *control, symcf_clauses **out)
{
	uint64_t n_clauses, length;
	symcf_clauses *c = NULL;
	naming names = {0};
	if (d->root < 2) /* constant: no clause, or the empty one */
		return symcf_encode_paths(d, negate, max_clauses, control, out);
	symcf_status status = allocate_names(d, &names);
	if (!status)
		status = measure_nodes(d, control, &n_clauses, &length);
	if (!status)
		status = name_nodes(d, control, &names);
	if (!status)
		status =
			symcf_clauses_allocate(n_clauses, length, names.variables, max_clauses, control, &c);
	if (!status)
		status = write_nodes(d, negate, &names, control, c);
	symcf_free(names.first);
	symcf_free(names.name);
	symcf_free(names.scratch);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}
